//! State of features in memory between steps: one type per feature, with its own operations. This state was never
//! promised to players and may be lost in a crash.

pub(crate) mod awake;
pub(crate) mod crowds;
pub(crate) mod desk;
pub(crate) mod fights;
pub(crate) mod guidance;
pub(crate) mod gmcp;
pub(crate) mod minds;
pub(crate) mod nuisance;
pub(crate) mod outbox;
pub(crate) mod pending;
pub(crate) mod ranks;
pub(crate) mod routes;
pub(crate) mod script_faults;
pub(crate) mod scrollback;
pub(crate) mod sleepers;
pub(crate) mod slices;
pub(crate) mod snoops;
pub(crate) mod stance;
pub(crate) mod sweeps;
pub(crate) mod talks;
pub(crate) mod respawn;
pub(crate) mod event;
pub(crate) mod timers;

pub(crate) use crate::game::state::respawn::RespawnState;
pub(crate) use awake::AwakeBodies;
pub(crate) use crowds::Crowds;
pub(crate) use desk::Desk;
pub(crate) use fights::{AffectTimes, Blows, Fallen, Rounds};
pub(crate) use gmcp::GmcpState;
pub(crate) use guidance::Lessons;
pub(crate) use minds::CreatureTimers;
pub(crate) use nuisance::{Deed, Nuisance};
pub(crate) use outbox::Outbox;
pub(crate) use pending::{CleanupBudget, LevelCandidates, Partings};
pub(crate) use ranks::Ranks;
pub(crate) use routes::Routes;
pub(crate) use script_faults::ScriptFaults;
pub(crate) use scrollback::Scrollback;
pub(crate) use sleepers::Sleepers;
pub(crate) use slices::Slices;
pub(crate) use snoops::Snoops;
pub(crate) use stance::Stance;
pub(crate) use sweeps::Sweeps;
pub(crate) use talks::Talks;
