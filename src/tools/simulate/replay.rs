//! Recordings that play again: a run of the simulation with everything that watched it, and what a server wrote down when
//! a rule panicked. What broke a promise is also made short here, so that a person can read it.

use super::stage::{Stage, guarded};
use super::trial::Trial;
use super::{Case, Report, Storage, Violation};
use crate::base::SessionId;
use crate::catalog::Catalog;
use crate::game::recording::{Move, Recorded, Recording};
use crate::game::{Game, Input};
use crate::tools::shorten::shortened;
use crate::world::Snapshot;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What shortening a run may cost at least, and for each of its moves. A trial costs its moves, and its beginning as much as
/// so many moves.
const COST_MAX: u64 = 500_000;
const COST_PER_MOVE: u64 = 20;
const BEGINNING: u64 = 20;

/// Plays a run of the simulation again.
pub(super) fn play(
    storage: &mut dyn Storage,
    case: &Case,
    moves: &[Recorded],
) -> Result<Report, Box<Violation>> {
    let mut trial = Trial::new(case, storage).map_err(Violation::at_start)?;
    for Recorded { at, what } in moves {
        let what = at_the_same_door(&trial.stage.game, what.clone());
        if let Err(breach) = trial.play(*at, what) {
            return Err(trial.violation(breach).into());
        }
    }
    trial.end()
}

/// Where somebody who came before has been left out, accounts have other numbers; names stay.
fn at_the_same_door(game: &Game, what: Move) -> Move {
    match what {
        Move::Input(Input::Login { session, account, name, pre_login, goes_on: false }) => {
            let account = game.credential(&name).map_or(account, |(account, _)| account);
            Move::Input(Input::Login { session, account, name, pre_login, goes_on: false })
        }
        other => other,
    }
}

/// A violation of the same kind that takes as few moves as can be found: players are left out, then moves.
pub(super) fn shrink(storage: &mut dyn Storage, case: &Case, violation: &Violation) -> Violation {
    let kind = violation.breach.kind();
    let mut left = COST_MAX.max(COST_PER_MOVE.saturating_mul(violation.moves.len() as u64));
    let mut shortest = violation.clone();
    let mut fails = |moves: &[Recorded], shortest: &mut Violation| {
        left = left.checked_sub(BEGINNING + moves.len() as u64)?;
        *shortest = *play(storage, case, moves).err().filter(|found| found.breach.kind() == kind)?;
        Some(shortest.moves.len())
    };
    let all = shortest.moves.clone();
    let players = players(&all);
    let everybody: BTreeSet<&str> = players.values().map(String::as_str).collect();
    shortened(everybody.into_iter().collect(), |kept: &[&str]| {
        let stays = |recorded: &&Recorded| who(recorded, &players).is_none_or(|name| kept.contains(&name));
        let moves: Vec<Recorded> = all.iter().filter(stays).cloned().collect();
        fails(&moves, &mut shortest).map(|_| kept.len())
    });
    let moves = shortest.moves.clone();
    shortened(moves, |moves| fails(moves, &mut shortest));
    shortest
}

/// The names with which sessions came in.
fn players(moves: &[Recorded]) -> BTreeMap<SessionId, String> {
    let entering = |recorded: &Recorded| match &recorded.what {
        Move::Input(Input::Create { session, name, .. } | Input::Login { session, name, .. }) => {
            Some((*session, name.clone()))
        }
        _ => None,
    };
    moves.iter().filter_map(entering).collect()
}

/// The player whose doing a move is.
fn who<'a>(recorded: &Recorded, players: &'a BTreeMap<SessionId, String>) -> Option<&'a str> {
    let Move::Input(input) = &recorded.what else { return None };
    players.get(&input.session()?).map(String::as_str)
}

/// Plays what a server wrote down when a rule panicked, from the world that was stored then.
pub(super) fn play_stored(
    catalog: &Arc<Catalog>,
    recording: &Recording,
    seated: &[Input],
    stored: Snapshot,
) -> Result<u64, Box<Violation>> {
    let (moves, config) = (&recording.moves, recording.header.config.clone());
    let mut stage = Stage::new(Arc::clone(catalog), config, stored).map_err(Violation::at_start)?;
    let stored_at = stage.now;
    // What was stored is in the world already.
    let is_stored = |recorded: &Recorded| recorded.what == Move::Commit && recorded.at <= stored_at;
    let first = moves.iter().rposition(is_stored).map_or(0, |last| last + 1);
    let attach = seated.iter().map(|input| Recorded { at: stored_at, what: Move::Input(input.clone()) });
    let mut played: Vec<Recorded> = Vec::new();
    for recorded in attach.chain(moves[first..].iter().cloned()) {
        stage.now = recorded.at;
        let done = match recorded.what.clone() {
            Move::Input(input) => guarded(|| stage.step(input)).map(drop),
            Move::Commit => guarded(|| stage.store()),
            Move::Crash => stage.restart(),
        };
        played.push(recorded);
        if let Err(breach) = done.and_then(|()| stage.check()) {
            let (step, at) = (played.len() as u64, stage.now);
            return Err(Box::new(Violation { breach, step, at, moves: played, again: String::new() }));
        }
    }
    Ok(played.len() as u64)
}
