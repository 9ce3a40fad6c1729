//! Prompts, and the GMCP messages sent together with them.

use super::PACKAGES;
use super::package::PackageState;
use crate::character::{experience, stats};
use crate::effect::prompt::PromptFields;
use crate::effect::{Effect, Output};
use crate::exit::puzzle_exits;
use crate::message::editor;
use crate::state::event::GameEvent;
use crate::turn::{PlayerSession, Turn};
use deepwell_core::base::{CharacterId, SessionId};

/// Marks a character's vitals as possibly changed, for its prompt and gauges.
pub(crate) fn show_vitals(turn: &mut Turn, who: CharacterId) {
    if let Some(session) = turn.seated.get(&who) {
        turn.outbox.prompt(*session);
    }
    turn.emit_event(GameEvent::MemberChanged { who });
}

/// Sends pending GMCP messages to every client that got text in this step, and the prompt to those whose prompt has
/// changed. The client that acts gets it in any case, because it ends the answer.
pub(crate) fn finish_prompts(turn: &mut Turn, actor: Option<SessionId>) {
    for session in turn.outbox.take_prompts() {
        let Some(seat) = turn.seats.get(&session) else { continue };
        let is_actor = actor == Some(session);
        if !is_actor && !may_have_changed(turn, seat) {
            continue;
        }
        let who = seat.character;
        tell_messages(turn, session, who);
        let fields = fields(turn, who);
        let Some(seat) = turn.seats.get_mut(&session) else { continue };
        seat.is_prompt_stale = false;
        let is_known = seat.prompt.replace(fields) == Some(fields);
        if !is_known || is_actor {
            turn.outbox.push(Effect::Output { session, output: Output::Prompt(fields) });
        }
    }
}

/// Returns `true` if the prompt or a message of a client may differ from the last one. Without a fight, a wound, a
/// puzzle or a text, the prompt follows from the row of the character alone; in a crowd that hears somebody speak, most
/// rows are untouched.
fn may_have_changed(turn: &Turn, seat: &PlayerSession) -> bool {
    seat.is_prompt_stale
        || !seat.wants.is_empty()
        || turn.world.characters.is_touched(seat.character)
        || seat.prompt.is_none_or(|known| {
            let is_hale = known.hp == known.max_hp && !known.fighting;
            !is_hale || known.might.is_some() || known.text_line > 0 || known.digging
        })
}

/// Notes whose rows are touched, before a cut forgets it.
pub(crate) fn note_touched(turn: &mut Turn) {
    for who in turn.world.characters.touched() {
        if let Some(seat) = turn.seated.get(&who).and_then(|session| turn.seats.get_mut(session)) {
            seat.is_prompt_stale = true;
        }
    }
}

/// Sends the messages that differ from those last sent.
fn tell_messages(turn: &mut Turn, session: SessionId, who: CharacterId) {
    if turn.seats.get(&session).is_none_or(|seat| seat.wants.is_empty()) {
        return;
    }
    for row in PACKAGES {
        let PackageState::AtPrompt(messages) = row.known else { continue };
        if !turn.wants(session, row.package) {
            continue;
        }
        for message in messages {
            let now = message(turn, who);
            let news = turn.seats.get_mut(&session).and_then(|seat| seat.gmcp.replace_message(now));
            if let Some(data) = news {
                turn.outbox.data(session, data);
            }
        }
    }
}

fn fields(turn: &Turn, who: CharacterId) -> PromptFields {
    let body = &turn.world.characters[who];
    PromptFields {
        hp: stats::hp(turn, who),
        max_hp: stats::max_hp_of(turn, who),
        fighting: body.target.is_some(),
        floor: turn.world.dungeon_level(body.room),
        trainings: body.trainings,
        might: puzzle_exits::might_of(turn, who),
        level: body.level,
        missing_xp: experience::missing_experience(turn, who),
        text_line: editor::next_line(turn, who),
        digging: turn.awake.get(who).is_some_and(|body| body.digs.is_some()),
    }
}
