//! One command from the web builder or the staff page: runs it, and returns what it says.

use crate::command::parse::Actor;
use crate::refusal::Refusal;
use crate::state::WebBuilder;
use crate::turn::Turn;
use deepwell_core::base::RoomId;
use serde::Serialize;

/// Result of one line.
#[derive(Serialize)]
pub(crate) struct LineResult {
    line: String,
    words: String,
    /// Set if the command was refused.
    pub(crate) refused: bool,
}

/// Runs a line as if it were typed in a room. `run` resolves and carries it out.
pub(crate) fn run_line(
    turn: &mut Turn,
    actor: Actor,
    room: RoomId,
    line: &str,
    run: fn(&mut Turn, Actor, &str) -> Result<(), Refusal>,
) -> LineResult {
    turn.web_builder = Some(WebBuilder { who: actor.who, room, is_dry_run: false, heard: Vec::new() });
    let done = run(turn, actor, line);
    let heard = turn.web_builder.take().map(|web_builder| web_builder.heard).unwrap_or_default();
    if let Err(Refusal::Asleep(part)) = done {
        // The page repeats the line.
        turn.sleepers.request(part);
    }
    if let Err(refusal) = &done {
        turn.outbox.count_refusal(refusal);
    }
    let refusal = done.err().map(|refusal| refusal.markup().text().to_owned());
    let refused = refusal.is_some();
    let messages: Vec<String> = heard.into_iter().chain(refusal).collect();
    LineResult { line: line.to_owned(), words: messages.join("\n"), refused }
}
