//! Levers of portcullises.

use crate::character::stats;
use crate::effect::Class;
use crate::exit::{clearing, portcullis};
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::state::event::{GameEvent, Sound};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::text::Markup;
use deepwell_core::text::act::Template;
use deepwell_core::world::RoomFeature;

const PULL: Template =
    Template::new("{actor} {hauls|haul} on the lever, and the portcullis rises by a hand.");

const PULL_THROUGH: Template =
    Template::new("{actor} {hauls|haul} on the lever, and the portcullis shrieks all the way up and locks.");

const PULL_FAR: Template = Template::new(
    "{actor} {hauls|haul} on the lever. The chain runs into the wall, and far off iron grinds.",
);

const PULL_FAR_THROUGH: Template = Template::new(
    "{actor} {hauls|haul} on the lever. Far off iron shrieks and falls silent, and the lever locks.",
);

/// Description of a lever whose portcullis is in another room.
pub(crate) const FAR_LEVER: &str =
    "A stiff lever juts from the wall, and a chain runs from it into the stone.";

/// Pulls the lever in a character's room.
pub(crate) fn pull_lever(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    let here = turn.world.characters[who].room;
    let Some(gate) = portcullis::raised_from(turn, here) else {
        return Err(nothing_to_pull());
    };
    stats::require_peace(turn, who)?;
    let left = turn.world.rooms[gate].challenge.lever_pulls().saturating_sub(1);
    turn.world.rooms.change(gate, |row| row.challenge.feature = RoomFeature::portcullis(left));
    let template = match (gate == here, left) {
        (true, 0) => &PULL_THROUGH,
        (true, _) => &PULL,
        (false, 0) => &PULL_FAR_THROUGH,
        (false, _) => &PULL_FAR,
    };
    tell::act(turn, Class::Notice, template, who, None, "");
    if left == 0 {
        turn.emit_event(GameEvent::SoundedAround { who, sound: Sound::Door });
    }
    if gate != here {
        let message = if left == 0 {
            "The portcullis shrieks all the way up and locks."
        } else {
            "The chain jerks, and the portcullis rises by a hand."
        };
        tell::tell_room(turn, gate, &[], Class::Notice, Markup::plain(message));
        if left == 0 {
            turn.world.rooms.change(here, |row| row.challenge.raises = None);
        }
    }
    clearing::check_clear(turn, gate);
    Ok(())
}

/// Returns the refusal to pull where there is no lever.
pub(crate) fn nothing_to_pull() -> Refusal {
    refuse!("There is nothing like that to pull here.").of_nothing()
}
