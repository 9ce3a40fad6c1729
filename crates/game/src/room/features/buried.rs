//! Graves and coffers at the end of a chain of clues: a grave with a key under its slab, and the coffer that the key
//! opens.

use crate::character::stats;
use crate::effect::Class;
use crate::exit::clearing;
use crate::message::{rumours, tell};
use crate::refusal::{Refusal, refuse};
use crate::room::features::hoard;
use crate::state::event::{GameEvent, Sound};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId, RoomId};
use deepwell_core::catalog::theme::clues::Clues;
use deepwell_core::text::act::Template;
use deepwell_core::world::{RoomFeature, RoomKind};

const PRY: Template =
    Template::new("{actor} {pries|pry} the slab up by its edge and {lets|let} it fall to one side.");

const UNLOCK: Template = Template::new(
    "{actor} {turns|turn} an old key in the coffer. The lock gives, the bow of the key breaks off, and the lid comes up.",
);

/// Opens a grave, which reveals the key.
pub(crate) fn pry(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    let room = room_of_idle(turn, who)?;
    let row = &turn.world.rooms[room];
    let Some(RoomFeature::Grave { name }) = row.challenge.feature.clone() else {
        let open = row.sheet.kind == RoomKind::Grave;
        return Err(if open {
            refuse!("The slab has been pried up already.")
        } else {
            refuse!("There is no slab here to pry up.").of_nothing()
        });
    };
    tell::act(turn, Class::Notice, &PRY, who, None, "");
    let says = Clues::with(&turn.catalog.clues.grave_open, &name);
    open(turn, room, says);
    Ok(())
}

/// Opens the coffer of a room with a key, which is used up.
pub(crate) fn unlock(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    let room = room_of_idle(turn, who)?;
    let row = &turn.world.rooms[room];
    let Some(RoomFeature::Coffer { name }) = row.challenge.feature.clone() else {
        let open = row.sheet.kind == RoomKind::Coffer;
        return Err(if open {
            refuse!("The coffer stands open already.")
        } else {
            refuse!("There is nothing locked here that a key of yours could open.").of_nothing()
        });
    };
    let key = key_of(turn, who)
        .ok_or_else(|| refuse!("You have no key that fits. Its owner may have taken one along."))?;
    turn.world.remove_from_stack(key, 1, "used");
    tell::act(turn, Class::Notice, &UNLOCK, who, None, "");
    turn.emit_event(GameEvent::SoundedAround { who, sound: Sound::Door });
    let says = Clues::with(&turn.catalog.clues.coffer_open, &name);
    open(turn, room, says);
    hoard::find_coins(turn, who, room);
    rumours::note_hoard(turn, who, room);
    turn.emit_event(GameEvent::OpenedCoffer { who });
    Ok(())
}

/// Returns the room of a character who can act and is not fighting.
fn room_of_idle(turn: &Turn, who: CharacterId) -> Result<RoomId, Refusal> {
    stats::may_act(turn, who)?;
    stats::require_peace(turn, who)?;
    Ok(turn.world.characters[who].room)
}

/// Returns the first key that a character carries.
fn key_of(turn: &Turn, who: CharacterId) -> Option<ItemId> {
    let is_key = |item: &ItemId| turn.world.items[*item].prototype == turn.catalog.clues.key;
    turn.world.carried(who).iter().copied().find(is_key)
}

/// Marks a grave or coffer as opened and gives its rewards.
fn open(turn: &mut Turn, room: RoomId, says: String) {
    if let Some(row) = turn.world.rooms.edit(room) {
        row.challenge.feature = None;
        row.challenge.hint = Some(says);
    }
    clearing::give_rewards(turn, room);
}
