//! State of a host in its cluster, for operators: status, health and metrics read it, the tasks of the cluster write it.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::entry::Lead;

/// Role of a host.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostRole {
    /// It has not reached the log yet.
    #[default]
    Joining,
    /// It follows the log.
    Standby,
    /// It writes the log.
    Leader,
    /// It runs without a log, by order of the operator.
    Alone,
}

impl fmt::Display for HostRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Joining => "joining",
            Self::Standby => "standby",
            Self::Leader => "leader",
            Self::Alone => "alone",
        })
    }
}

/// State of a host in its cluster.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ClusterStatus {
    /// Name of the host.
    pub host: String,
    /// Its role.
    pub role: HostRole,
    /// Name of the history of its world; empty until it is known, and for programs before version 0.3.
    #[serde(default)]
    pub history: String,
    /// Host that leads, as far as is known.
    pub leader: String,
    /// Sequence number of the last entry stored here.
    pub stored: u64,
    /// Sequence number of the last entry in the log, when it was last read.
    pub log_end: u64,
    /// Sequence number of the last snapshot.
    pub snapshot: u64,
    /// Reason why the host neither leads nor follows as it should; empty if it does.
    pub problem: String,
    /// Difference to the leader that does no harm, such as other content; empty if there is none.
    pub remark: String,
}

impl ClusterStatus {
    /// Returns the number of entries that are not stored here.
    pub const fn lag(&self) -> u64 {
        self.log_end.saturating_sub(self.stored)
    }
}

/// State of a host, as it tells the others.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct HostRecord {
    /// Random number of the process, to notice two hosts of one name.
    pub(super) process: u64,
    /// Version of the program.
    pub(super) program: String,
    /// State.
    #[serde(flatten)]
    pub(super) status: ClusterStatus,
}

/// Shared state of a host.
#[derive(Debug, Default)]
pub(in crate::server) struct View {
    status: Mutex<ClusterStatus>,
    /// Cancelled when another host leads although this one did.
    pub(super) deposed: CancellationToken,
}

impl View {
    /// Creates the state of a host that has not reached the log.
    pub(super) fn new(host: &str) -> Self {
        let status = ClusterStatus { host: host.to_owned(), ..ClusterStatus::default() };
        Self { status: Mutex::new(status), deposed: CancellationToken::new() }
    }

    /// Returns the state.
    pub(in crate::server) fn status(&self) -> ClusterStatus {
        self.lock().clone()
    }

    pub(super) fn note_role(&self, role: HostRole) {
        self.lock().role = role;
    }

    pub(super) fn note_history(&self, history: &str) {
        history.clone_into(&mut self.lock().history);
    }

    pub(super) fn note_log(&self, stored: u64, end: u64) {
        let mut status = self.lock();
        (status.stored, status.log_end) = (stored, end);
    }

    pub(super) fn note_snapshot(&self, sequence: u64) {
        self.lock().snapshot = sequence;
    }

    /// Records who has the lease.
    pub(super) fn note_lease(&self, host: &str) {
        host.clone_into(&mut self.lock().leader);
    }

    /// Records who leads, and how it differs from this host.
    pub(super) fn note_leader(&self, leader: &Lead, own: &Lead) {
        let mut status = self.lock();
        status.leader.clone_from(&leader.host);
        status.remark = if leader.content == own.content {
            String::new()
        } else {
            format!("the leader {} has other content", leader.host)
        };
    }

    /// Records or clears the reason why the host does not work as it should.
    pub(super) fn note_problem(&self, problem: Option<String>) {
        let mut status = self.lock();
        let problem = problem.unwrap_or_default();
        if status.problem != problem {
            if problem.is_empty() {
                tracing::info!("the cluster works again");
            } else {
                tracing::warn!(%problem, "the cluster does not work as it should");
            }
            status.problem = problem;
        }
    }

    fn lock(&self) -> MutexGuard<'_, ClusterStatus> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
