//! Several hosts of one world. One of them leads: it appends each batch of changes to a log, and acknowledges what
//! players do when the batch is in the log and on its own disk. The others follow the log into databases of their own,
//! and one of them leads when the leader is gone. It then loads its database as after any restart.
//!
//! NATS `JetStream` is the engine; there is no consensus of our own. The log decides who writes: each message names the
//! one before it, so a host that was taken for dead cannot write after its successor. The lease only decides who tries.

#[cfg(not(feature = "cluster"))]
mod absent;
#[cfg(feature = "cluster")]
mod engine;
#[cfg_attr(not(feature = "cluster"), expect(dead_code, reason = "only a leader writes entries"))]
mod entry;
mod handle;
#[cfg(feature = "cluster")]
mod history;
#[cfg(feature = "cluster")]
mod lease;
#[cfg(feature = "cluster")]
mod member;
#[cfg(feature = "cluster")]
mod nats;
#[cfg(feature = "cluster")]
mod nats_link;
#[cfg(test)]
#[cfg(feature = "cluster")]
mod planted;
#[cfg(feature = "cluster")]
mod replica;
#[cfg(feature = "cluster")]
pub(super) mod restore;
#[cfg(test)]
#[cfg(feature = "cluster")]
mod simulation;
#[cfg(feature = "cluster")]
mod snapshots;
#[cfg_attr(not(feature = "cluster"), expect(dead_code, reason = "nobody joins a cluster"))]
mod view;
#[cfg(feature = "cluster")]
mod world;

#[cfg(not(feature = "cluster"))]
pub(super) use absent::{JoiningHost, LeaderOffice, NatsRoute, restore};
pub use handle::ClusterHandle;
pub(super) use handle::HostLine;
#[cfg(feature = "cluster")]
pub(super) use nats_link::NatsRoute;
pub use view::{ClusterStatus, HostRole};
#[cfg(feature = "cluster")]
pub(super) use world::{JoiningHost, LeaderOffice};

use deepwell_core::base::GameTime;

/// Batches of the log that follow a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct FollowingBatches {
    /// Their number.
    pub(super) batches: u64,
    /// Number of those up to the wanted moment.
    pub(super) due: u64,
    /// Times of the first and the last one.
    pub(super) times: Option<(GameTime, GameTime)>,
}
