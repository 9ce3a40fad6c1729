//! Puzzles as plug-ins: a puzzle is one file that implements one trait, registered by name, and generates a [`Board`]
//! of cells and mechanisms. All boards share one engine and one solver, so that no unsolvable puzzle reaches players.
//! Nothing here depends on rooms or players: the game runs its players through the engine and puts the events into
//! words.

mod board;
mod check;
mod config;
mod device;
mod draw;
mod engine;
mod entry;
mod error;
mod event;
mod feature;
mod ground;
mod id;
mod kind;
mod mechanism;
mod prose;
mod registry;
mod settle;
mod shipped;
mod solver;
mod state;
mod visible;
pub mod answer;
mod written;

#[cfg(test)]
mod tests;

pub use answer::plain_answer;
pub use board::{Board, Cell, CellKind, Gate, Hint, Lock, Opening, Passage};
pub use check::flaws;
pub use config::{Param, ParamKind, ParamValue, PuzzleConfig};
pub use device::{find_device, mechanism_name, next_hint, uses_of};
pub use draw::{DrawnPuzzle, Fallback, draw, prove};
pub use engine::{act, enter, leave, passable, start, walk};
pub use entry::PuzzleEntry;
pub use error::{BoardError, BoardFlaw, SettingError};
pub use event::{ActionRefusal, Deed, Event, Loss};
pub use feature::{Feature, Goal};
pub use id::{CellId, GateId, KeyId, SwitchId};
pub use kind::{Description, Puzzle, ThemeListing};
pub use mechanism::{Look, Mechanism, Op, Outcome, Thing, Use, Verb, When};
pub use registry::Registry;
pub use settle::is_on;
pub use shipped::levers::Machine;
pub use shipped::lock_and_key::LockAndKey;
pub use shipped::myhero::MyHero;
pub use shipped::plates::Plates;
pub use shipped::riddle::Riddle;
#[cfg(test)]
use solver::search::search_losable;
pub use solver::search::{proves, search, steps_from, take, take_alone};
pub use solver::solution::{Act, SolutionStep, Verdict};
pub use solver::verify::{BoardProof, Defect, verify};
pub use state::{Marks, State};
pub use visible::{VisibleMechanism, deeds, find, sights};
pub use written::{Scripted, WrittenPuzzle};
