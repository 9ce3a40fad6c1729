//! Shrines: each player who prays there receives the affect of the shrine, once.

use crate::character::{affects, stats};
use crate::effect::Class;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::room::features::hoard;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::text::Markup;
use deepwell_core::text::act::Template;
use deepwell_core::world::RoomFeature;

const PRAY: Template = Template::new("{actor} {prays|pray} at the shrine.");

/// Prays at the shrine of the room.
pub(crate) fn pray(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    let room = turn.world.characters[who].room;
    let row = &turn.world.rooms[room];
    let Some(RoomFeature::Shrine { affect }) = row.challenge.feature.clone() else {
        return Err(refuse!("There is no shrine here to pray at.").of_nothing());
    };
    stats::require_peace(turn, who)?;
    if row.challenge.visitors.contains_key(&who) {
        return Err(refuse!("You have prayed here. The shrine gives to each only once."));
    }
    let shrines = hoard::theme_of(turn, room).map_or(&[][..], |theme| &theme.shrines);
    let prayer = shrines.iter().find(|shrine| shrine.affect == affect).map(|shrine| shrine.prayer.clone());
    let Some(prayer) = prayer.filter(|_| turn.catalog.affects.contains_key(&affect)) else {
        return Err(refuse!("Whoever this shrine was built for is not listening any more."));
    };
    turn.world.rooms.change(room, |row| row.challenge.visitors.insert(who, 1));
    tell::act(turn, Class::Notice, &PRAY, who, None, "");
    tell::tell(turn, who, Class::Notice, Markup::plain(&prayer));
    affects::apply_affect(turn, who, &affect, None);
    Ok(())
}
