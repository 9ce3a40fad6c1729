//! What would be refused of lines that somebody is about to write: they are carried out and taken back at once, so that the
//! words of a refusal are those of the line itself.

use crate::base::RoomId;
use crate::game::command::actor::Actor;
use crate::game::command::try_at_desk;
use crate::game::state::Desk;
use crate::game::turn::Turn;
use serde::Serialize;
use std::mem;
use std::sync::Arc;

/// Words of which all that they change can be given back.
const TRIED: &[&str] = &[
    "name", "describe", "detail", "undetail", "tag", "shop", "trigger", "link", "open", "dig", "tunnel",
    "spawn",
];
/// The same of what `set` sets.
const TRIED_SETTINGS: &[&str] = &["environment", "fights", "door", "key", "on_enter"];
/// Words behind which a text stands that is cut where it is too long.
const TEXTS: &[&str] = &["describe", "detail"];

/// What was found, by line.
#[derive(Serialize)]
pub(super) struct Tried {
    mistakes: Vec<Vec<String>>,
}

/// Tries out each line by itself.
pub(super) fn try_lines(turn: &mut Turn, actor: Actor, room: RoomId, lines: &[String]) -> Tried {
    Tried { mistakes: lines.iter().map(|line| try_line(turn, actor, room, line)).collect() }
}

fn try_line(turn: &mut Turn, actor: Actor, room: RoomId, line: &str) -> Vec<String> {
    if !is_tried(line) {
        return Vec::new();
    }
    let Some(trial) = turn.world.begin_trial() else {
        let refusal = turn.require_writable().err();
        return refusal.map(|refusal| refusal.markup().text().to_owned()).into_iter().collect();
    };
    let outbox = mem::take(&mut turn.outbox);
    let (catalog, set_aside) = (Arc::clone(&turn.catalog), turn.set_aside.clone());
    turn.desk = Some(Desk { who: actor.who, room, is_trial: true, heard: Vec::new() });
    let done = try_at_desk(turn, actor, line);
    turn.desk = None;
    turn.outbox = outbox;
    (turn.catalog, turn.set_aside) = (catalog, set_aside);
    turn.world.end_trial(trial);
    let refusal = done.err().map(|refusal| refusal.markup().text().to_owned());
    let words = refusal.iter().flat_map(|words| words.lines()).map(str::to_owned);
    words.chain(too_long(turn, line)).collect()
}

/// Whether a line is one whose changes are rows of what is built, and nothing else.
fn is_tried(line: &str) -> bool {
    let (left, _) = line.split_once('=').unwrap_or((line, ""));
    let mut words = left.split_whitespace();
    let first = words.next().unwrap_or_default();
    if first == "set" {
        return words.next_back().is_some_and(|setting| TRIED_SETTINGS.contains(&setting));
    }
    // A start room has timers, and a branch exit those of its room.
    TRIED.contains(&first) && (TEXTS.contains(&first) || !left.contains(':'))
}

/// That the end of a text would be cut off.
fn too_long(turn: &Turn, line: &str) -> Option<String> {
    let (left, text) = line.split_once('=')?;
    let most = turn.config.limits.description_chars as usize;
    let first = left.split_whitespace().next()?;
    let letters = text.trim().chars().count();
    (TEXTS.contains(&first) && letters > most).then(|| {
        format!("A text has at most {most} letters; this one has {letters}, and its end would be cut off.")
    })
}
