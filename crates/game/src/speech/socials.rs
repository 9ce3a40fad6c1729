//! Socials: predefined emotes. As with speech, players who ignore the actor do not see them, and muted players cannot
//! use them.

use crate::access::{audibility, sanctions};
use crate::character::stats;
use crate::effect::Class;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::{PhysicalRequirement, Social};
use deepwell_core::text::act::Template;
use deepwell_core::world::Posture;

/// Performs a social: without a target, at a character in the room, or at oneself.
pub(crate) fn perform(
    turn: &mut Turn,
    who: CharacterId,
    social: &Social,
    target: Option<CharacterId>,
) -> Result<(), Refusal> {
    sanctions::require_voice(turn, who)?;
    require_posture(turn, who, social.takes)?;
    let room = turn.world.characters[who].room;
    audibility::require_speech_budget(turn, who, "", turn.world.occupants(room).len())?;
    let template = match target {
        None => &social.alone,
        Some(target) if target == who => &social.oneself,
        Some(_) => &social.at,
    };
    let others: Vec<CharacterId> = turn.world.occupants(room).to_vec();
    let shared = seen(turn, template, who, target, None);
    for viewer in others {
        if turn.world.is_ignoring(viewer, who) {
            continue;
        }
        if viewer == who || Some(viewer) == target {
            let own = seen(turn, template, who, target, Some(viewer));
            tell::send_spoken(turn, viewer, &own);
        } else {
            tell::send_spoken(turn, viewer, &shared);
        }
    }
    Ok(())
}

/// Refuses a social that the actor's posture does not allow.
fn require_posture(turn: &Turn, who: CharacterId, takes: PhysicalRequirement) -> Result<(), Refusal> {
    if takes == PhysicalRequirement::Face {
        return Ok(());
    }
    stats::may_act(turn, who)?;
    match takes {
        PhysicalRequirement::Feet if stats::is_held(turn, who) => Err(Refusal::Held),
        PhysicalRequirement::Feet if turn.world.characters[who].posture != Posture::Standing => {
            Err(refuse!("You would have to stand up for that."))
        }
        _ => Ok(()),
    }
}

/// Returns the sentence as one viewer reads it; `None` is an onlooker.
fn seen(
    turn: &Turn,
    template: &Template,
    who: CharacterId,
    target: Option<CharacterId>,
    viewer: Option<CharacterId>,
) -> tell::SpokenMessage {
    let line = tell::act_as_read(turn, template, (who, target), "", viewer);
    tell::spoken_message(turn, Class::Speech, "emote", &turn.world.characters[who].name, line)
}
