//! `Char`: name, vitals and status of a character.

use super::package::PackageSpec;
use crate::branch::collapse_warnings;
use crate::character::{abilities, stats};
use crate::effect::data::character::{CharStatus, CharVitals, StatusUpdate};
use crate::effect::data::{Data, Package};
use crate::exit::puzzle_exits;
use crate::message::naming;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, GameTime, SessionId};
use deepwell_core::world::{Posture, Room};
use std::borrow::Cow;

pub(super) const PACKAGE: PackageSpec =
    PackageSpec::new(Package::Character).by_default().first(introduce).at_prompt(&[vitals, status]);

/// Sends the parts that never change.
fn introduce(turn: &mut Turn, session: SessionId, who: CharacterId) {
    let name = turn.world.characters[who].name.clone();
    turn.outbox.data(session, Data::CharName { fullname: name.clone(), name });
    turn.outbox.data(session, Data::CharStatusVars(CharStatus::vars()));
}

fn status(turn: &Turn, who: CharacterId) -> Data {
    let body = &turn.world.characters[who];
    let room = &turn.world.rooms[body.room];
    let party = turn.world.parties.of(who).map(|party| &turn.world.parties[party].members);
    let names = party.into_iter().flatten().map(|id| turn.world.characters[*id].name.as_str());
    let enemy = body.target.filter(|enemy| turn.world.characters.get(*enemy).is_some());
    let now = CharStatus {
        level: body.level,
        attack: stats::attack_of(turn, who),
        defence: stats::defence_of(turn, who),
        floor: turn.world.dungeon_level(room.id),
        room_clear: room.clear,
        training: body.trainings,
        offer: abilities::offered(turn, who)
            .iter()
            .map(|ability| ability.key.as_str())
            .collect::<Vec<_>>()
            .join(", "),
        party: names.collect::<Vec<_>>().join(", "),
        pos: Cow::Borrowed(match body.posture {
            Posture::Standing => "standing",
            Posture::Resting => "resting",
            Posture::Asleep => "asleep",
            Posture::Down => "down",
        }),
        gold: body.money.purse,
        enemy: enemy.map(|enemy| naming::shown_name(turn, enemy)).unwrap_or_default(),
        enemypct: enemy.map_or(0, |enemy| hp_percent(turn, enemy)),
        collapse: announced_collapse(turn, room).map_or(0, |at| at.0 / 1_000),
    };
    Data::CharStatus(Box::new(StatusUpdate { now, sent: None }))
}

/// Returns the time at which the branch of a room collapses if nothing happens in it, from its first warning on.
fn announced_collapse(turn: &Turn, room: &Room) -> Option<GameTime> {
    let collapse = collapse_warnings::collapse_time(turn, room.branch?)?;
    (collapse - collapse_warnings::FIRST_NOTICE <= turn.now).then_some(collapse)
}

fn vitals(turn: &Turn, who: CharacterId) -> Data {
    let body = &turn.world.characters[who];
    let (hp, max_hp) = (stats::hp(turn, who), stats::max_hp_of(turn, who));
    Data::CharVitals(CharVitals {
        hp,
        maxhp: max_hp,
        xp: body.xp,
        nextxp: turn.catalog.rules.levels.next(body.level),
        level: body.level,
        might: puzzle_exits::might_of(turn, who),
        string: format!("HP:{hp}/{max_hp}"),
    })
}

/// Returns the remaining hit points in percent; at least 1 while any is left.
pub(super) fn hp_percent(turn: &Turn, who: CharacterId) -> u32 {
    let (left, most) = (stats::hp(turn, who), stats::max_hp_of(turn, who));
    let hundredths = i64::from(left).max(0) * 100 / i64::from(most).max(1);
    u32::try_from(hundredths.clamp(i64::from(left > 0), 100)).unwrap_or(0)
}
