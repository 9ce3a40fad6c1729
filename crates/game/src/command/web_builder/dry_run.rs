//! Check of lines before they are run: each is run and rolled back immediately, so that refusals have the same text as
//! in the real run.

use crate::command::build::room::room_settings;
use crate::command::parse::Actor;
use crate::command::try_from_web;
use crate::state::WebBuilder;
use crate::turn::Turn;
use deepwell_core::base::RoomId;
use serde::Serialize;
use std::mem;
use std::sync::Arc;

/// Commands with effects that can be rolled back completely.
const TRIED: &[&str] = &[
    "name", "describe", "detail", "undetail", "tag", "shop", "trigger", "link", "open", "dig", "tunnel",
    "spawn",
];
/// Commands with a text that is cut off if it is too long.
const TEXTS: &[&str] = &["describe", "detail"];

/// Mistakes found, by line.
#[derive(Serialize)]
pub(super) struct DryRunReport {
    mistakes: Vec<Vec<String>>,
}

/// Checks each line independently of the others.
pub(super) fn try_lines(turn: &mut Turn, actor: Actor, room: RoomId, lines: &[String]) -> DryRunReport {
    DryRunReport { mistakes: lines.iter().map(|line| try_line(turn, actor, room, line)).collect() }
}

fn try_line(turn: &mut Turn, actor: Actor, room: RoomId, line: &str) -> Vec<String> {
    if !is_tried(line) {
        return Vec::new();
    }
    let Some(dry_run) = turn.world.begin_dry_run() else {
        let refusal = turn.require_writable().err();
        return refusal.map(|refusal| refusal.markup().text().to_owned()).into_iter().collect();
    };
    let outbox = mem::take(&mut turn.outbox);
    let (catalog, set_aside) = (Arc::clone(&turn.catalog), turn.set_aside.clone());
    turn.web_builder = Some(WebBuilder { who: actor.who, room, is_dry_run: true, heard: Vec::new() });
    let done = try_from_web(turn, actor, line);
    turn.web_builder = None;
    turn.outbox = outbox;
    (turn.catalog, turn.set_aside) = (catalog, set_aside);
    turn.world.end_dry_run(dry_run);
    let refusal = done.err().map(|refusal| refusal.markup().text().to_owned());
    let lines = refusal.iter().flat_map(|text| text.lines()).map(str::to_owned);
    lines.chain(too_long(turn, line)).collect()
}

/// Returns `true` if a line changes only rows of hand-built rooms, so that it can be rolled back.
fn is_tried(line: &str) -> bool {
    let (left, _) = line.split_once('=').unwrap_or((line, ""));
    let mut words = left.split_whitespace();
    let first = words.next().unwrap_or_default();
    if first == "set" {
        return words.next_back().is_some_and(room_settings::is_known);
    }
    // A start room has timers, and a start exit those of its room.
    TRIED.contains(&first) && (TEXTS.contains(&first) || !left.contains(':'))
}

/// Returns a warning if the end of a text would be cut off.
fn too_long(turn: &Turn, line: &str) -> Option<String> {
    let (left, text) = line.split_once('=')?;
    let most = turn.config.limits.description_chars as usize;
    let first = left.split_whitespace().next()?;
    let letters = text.trim().chars().count();
    (TEXTS.contains(&first) && letters > most).then(|| {
        format!("A text has at most {most} letters; this one has {letters}, and its end would be cut off.")
    })
}
