//! Prompts, and the GMCP messages sent together with them.

use super::package::Known;
use super::rows;
use crate::base::{CharacterId, SessionId};
use crate::game::character::{experience, stats};
use crate::game::effect::{Effect, Output, PromptFields};
use crate::game::exit::puzzle_exits;
use crate::game::message::editor;
use crate::game::state::event::GameEvent;
use crate::game::turn::Turn;

/// Marks a character's vitals as possibly changed, for its prompt and gauges.
pub(crate) fn show_vitals(turn: &mut Turn, who: CharacterId) {
    if let Some(session) = turn.seated.get(&who) {
        turn.outbox.prompt(*session);
    }
    turn.emit_event(GameEvent::MemberChanged { who });
}

/// Sends pending GMCP messages and a prompt to every client that got text in this step.
pub(crate) fn finish_prompts(turn: &mut Turn) {
    for session in turn.outbox.take_prompts() {
        let Some(who) = turn.seats.get(&session).map(|seat| seat.character) else { continue };
        tell_messages(turn, session, who);
        let output = Output::Prompt(fields(turn, who));
        turn.outbox.push(Effect::Output { session, output });
    }
}

/// Sends the messages that differ from those last sent.
fn tell_messages(turn: &mut Turn, session: SessionId, who: CharacterId) {
    let wants = turn.seats[&session].wants.clone();
    for row in rows(&wants) {
        let Known::AtPrompt(messages) = row.known else { continue };
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
