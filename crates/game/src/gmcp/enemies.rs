//! `Char.Enemies`: the creatures that fight a character or its companions.

use super::character::hp_percent;
use super::commands;
use super::package::PackageSpec;
use crate::combat::{manoeuvres, use_ability};
use crate::effect::data::{Data, EnemyInfo, ObjectId, Package};
use crate::message::naming;
use crate::room::occupants;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Enemies).at_prompt(&[enemies]);

/// Lists the creatures in the fight: the opponent of the character first, then in the order of the room.
fn enemies(turn: &Turn, who: CharacterId) -> Data {
    let body = &turn.world.characters[who];
    // In a crowd without a fight, the occupants are not visited for each client.
    if !occupants::crowd_in(turn, body.room)
        .singly
        .iter()
        .any(|(_, id)| turn.world.characters[*id].target.is_some())
    {
        return Data::Enemies(Vec::new());
    }
    let is_here =
        |enemy: &CharacterId| turn.world.characters.get(*enemy).is_some_and(|it| it.room == body.room);
    let own = body.target.filter(is_here);
    let others =
        use_ability::enemies_of(turn, who, body.room).into_iter().filter(|enemy| Some(*enemy) != own);
    let info = |enemy: CharacterId| EnemyInfo {
        id: ObjectId::Creature(enemy),
        name: naming::shown_name(turn, enemy),
        pct: hp_percent(turn, enemy),
        target: turn.world.characters[enemy].target.map(|target| match target {
            target if target == who => "you".to_owned(),
            target => naming::shown_name(turn, target),
        }),
        mine: own == Some(enemy),
        command: format!("kill {}", commands::name_of_creature(turn, enemy)),
        announces: manoeuvres::announcement_of(turn, enemy, who),
    };
    Data::Enemies(own.into_iter().chain(others).map(info).collect())
}
