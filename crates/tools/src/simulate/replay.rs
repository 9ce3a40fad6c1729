//! Replay of recordings: runs of the simulation with their audit, and what a server recorded when a rule panicked.
//! Failing runs are also minimised here, so that they can be read.

use super::audited_run::AuditedRun;
use super::stage::{SimulatedGame, guarded};
use super::{Case, RunViolation, SimulatedStorage, SimulationReport};
use crate::shorten::shortened;
use deepwell_core::base::SessionId;
use deepwell_core::catalog::Catalog;
use deepwell_core::world::Snapshot;
use deepwell_game::input::recording::{Recorded, RecordedMove, Recording};
use deepwell_game::{Envelope, Game, Input};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Cost limit of a minimisation: a minimum, and an amount per move. A run costs one per move and a fixed start-up
/// cost.
const COST_MAX: u64 = 500_000;
const COST_PER_MOVE: u64 = 20;
const BEGINNING: u64 = 20;

/// Replays a run of the simulation.
pub(super) fn play(
    storage: &mut dyn SimulatedStorage,
    case: &Case,
    moves: &[Recorded],
) -> Result<SimulationReport, Box<RunViolation>> {
    let mut run = AuditedRun::new(case, storage).map_err(RunViolation::at_start)?;
    for Recorded { at, what } in moves {
        let what = with_current_account(&run.stage.game, what.clone());
        if let Err(breach) = run.play(*at, what) {
            return Err(run.violation(breach).into());
        }
    }
    run.end()
}

/// Looks up the account of a login by name, because account numbers change when earlier players are left out.
fn with_current_account(game: &Game, what: RecordedMove) -> RecordedMove {
    match what {
        RecordedMove::Input(Envelope {
            input: Input::Login { session, account, name, pre_login, goes_on: false },
            ..
        }) => {
            let account = game.credential(&name).map_or(account, |(account, _)| account);
            RecordedMove::Input(Input::Login { session, account, name, pre_login, goes_on: false }.into())
        }
        other => other,
    }
}

/// Returns a violation of the same kind with as few moves as possible: first players are left out, then moves.
pub(super) fn shrink(
    storage: &mut dyn SimulatedStorage,
    case: &Case,
    violation: &RunViolation,
) -> RunViolation {
    let kind = violation.breach.kind();
    let mut left = COST_MAX.max(COST_PER_MOVE.saturating_mul(violation.moves.len() as u64));
    let mut shortest = violation.clone();
    let mut fails = |moves: &[Recorded], shortest: &mut RunViolation| {
        left = left.checked_sub(BEGINNING + moves.len() as u64)?;
        *shortest = *play(storage, case, moves).err().filter(|found| found.breach.kind() == kind)?;
        Some(shortest.moves.len())
    };
    let all = shortest.moves.clone();
    let players = players(&all);
    let everybody: BTreeSet<&str> = players.values().map(String::as_str).collect();
    shortened(everybody.into_iter().collect(), |kept: &[&str]| {
        let stays =
            |recorded: &&Recorded| player_of(recorded, &players).is_none_or(|name| kept.contains(&name));
        let moves: Vec<Recorded> = all.iter().filter(stays).cloned().collect();
        fails(&moves, &mut shortest).map(|_| kept.len())
    });
    let moves = shortest.moves.clone();
    shortened(moves, |moves| fails(moves, &mut shortest));
    shortest
}

/// Returns the login name of each session.
fn players(moves: &[Recorded]) -> BTreeMap<SessionId, String> {
    let entering = |recorded: &Recorded| match &recorded.what {
        RecordedMove::Input(Envelope {
            input: Input::Create { session, name, .. } | Input::Login { session, name, .. },
            ..
        }) => Some((*session, name.clone())),
        _ => None,
    };
    moves.iter().filter_map(entering).collect()
}

/// Returns the player whose session made a move.
fn player_of<'a>(recorded: &Recorded, players: &'a BTreeMap<SessionId, String>) -> Option<&'a str> {
    let RecordedMove::Input(input) = &recorded.what else { return None };
    players.get(&input.input.session()?).map(String::as_str)
}

/// Replays what a server recorded when a rule panicked, starting from the world stored at the time.
pub(super) fn play_stored(
    catalog: &Arc<Catalog>,
    recording: &Recording,
    seated: &[Envelope],
    stored: Snapshot,
) -> Result<u64, Box<RunViolation>> {
    let (moves, config) = (&recording.moves, recording.header.config.clone());
    let mut stage =
        SimulatedGame::new(Arc::clone(catalog), config, stored).map_err(RunViolation::at_start)?;
    let stored_at = stage.now;
    // Skip the moves that are already in the stored world.
    let is_stored = |recorded: &Recorded| recorded.what == RecordedMove::Commit && recorded.at <= stored_at;
    let first = moves.iter().rposition(is_stored).map_or(0, |last| last + 1);
    let attach =
        seated.iter().map(|input| Recorded { at: stored_at, what: RecordedMove::Input(input.clone()) });
    let mut played: Vec<Recorded> = Vec::new();
    for recorded in attach.chain(moves[first..].iter().cloned()) {
        stage.now = recorded.at;
        let done = match recorded.what.clone() {
            RecordedMove::Input(input) => guarded(|| stage.step(input)).map(drop),
            RecordedMove::Commit => guarded(|| stage.store()),
            RecordedMove::Crash => stage.restart(),
        };
        played.push(recorded);
        if let Err(breach) = done.and_then(|()| stage.check()) {
            let (step, at) = (played.len() as u64, stage.now);
            return Err(Box::new(RunViolation { breach, step, at, moves: played, again: String::new() }));
        }
    }
    Ok(played.len() as u64)
}
