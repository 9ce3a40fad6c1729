//! Camps of an expedition. A camp is a room to rest in: its room becomes one of the kind `rest`, as themes generate them.

use crate::character::stats;
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::refusal::{self, Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RuleLimit};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::RoomKind;

/// Sentence that the room of a camp shows.
const SIGN: &str =
    "A camp is pitched here: blankets, a ring of stones for a fire, and a rope that leads up into the dark.";

/// Pitches a camp in the room of a member.
pub(crate) fn pitch(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    stats::require_peace(turn, who)?;
    let room = &turn.world.rooms[turn.world.characters[who].room];
    let own = room.branch.filter(|branch| turn.world.expeditions.has_member(*branch, who));
    let branch = own.ok_or_else(|| {
        refuse!("A camp is pitched in the branch of your expedition. To rest elsewhere, type rest; to leave the game, type quit.").of_nothing()
    })?;
    if turn.world.expeditions[branch].camps.contains(&room.id) {
        return Err(refuse!("There is a camp here already."));
    }
    if let Some(of_week) = turn.world.expeditions.weekly(branch) {
        // Otherwise one newcomer could use up what all members have canvas for.
        let share = of_week.opened.get(&who).ok_or_else(|| {
            refuse!("In the weekly survey, those pitch a camp who have opened a room of it.")
        })?;
        if share.has_camp {
            return Err(refuse!("In the weekly survey each pitches one camp, and yours is pitched."));
        }
    }
    if !room.sheet.kind.spec().plain && room.sheet.kind != RoomKind::Rest {
        return Err(refuse!("There is no room for a camp beside what is here."));
    }
    if !room.clear {
        return Err(refuse!("A camp is pitched in a room that is clear, and this one is not."));
    }
    let is_other = |id: &&CharacterId| {
        let body = &turn.world.characters[**id];
        !body.is_player() && body.master.is_none()
    };
    if let Some(creature) = turn.world.occupants(room.id).iter().find(is_other) {
        return Err(refuse!("Nobody would sleep here beside {}.", naming::the(turn, *creature)));
    }
    let has = turn.world.expeditions[branch].camps.len();
    refusal::require_below(&turn.config.limits, RuleLimit::Camps, has, |most| {
        refuse!(
            "Your expedition has canvas for {}, and all of them are pitched.",
            grammar::counted(most, "camp")
        )
    })?;
    let id = room.id;
    let left = (turn.config.limits.camps as usize).saturating_sub(has + 1);
    turn.world.rooms.change(id, |row| {
        row.sheet.kind = RoomKind::Rest;
        row.challenge.hint = Some(match row.challenge.hint.take() {
            Some(hint) => format!("{hint} {SIGN}"),
            None => SIGN.to_owned(),
        });
    });
    let is_weekly = turn.world.expeditions.weekly(branch).is_some();
    turn.world.expeditions.pitch(branch, who, id);
    tell::tell_others(turn, who, Class::Notice, " pitches a camp.");
    let message = format!(
        "You pitch a camp. Creatures keep away from it, rest is quick here, what you leave here stays, and the lift \
         stops here once no camp is deeper. {}",
        match left {
            _ if is_weekly => "In the weekly survey each pitches one.".to_owned(),
            0 => "It was the last that your expedition had canvas for.".to_owned(),
            _ => format!("You can pitch {} more.", grammar::number(left)),
        }
    );
    tell::tell(turn, who, Class::Notice, Markup::styled(Style::Boon, &message));
    turn.emit_event(GameEvent::RoomChanged { room: id });
    Ok(())
}
