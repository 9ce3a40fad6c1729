//! Reasons why a command over the control socket failed.

use std::path::PathBuf;
use std::time::Duration;

use crate::server::backups::NotMade;
use crate::server::config::in_force::NotReloaded;
use crate::server::control::protocol::RequestError;
use crate::server::start::lifecycle::NotRestarted;
use crate::store::StoreError;
use deepwell_core::base::BranchId;
use deepwell_game::Declined;

/// Reason why a command failed, worded for the operator.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// Invalid request.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// Empty broadcast.
    #[error("the message is empty")]
    NothingToSay,
    /// No player of this name is online.
    #[error("no player named {0} is connected")]
    NobodyCalled(String),
    /// Refusal of the game.
    #[error(transparent)]
    Game(#[from] Declined),
    /// No account or character has this name.
    #[error("there is no account or character named {0}")]
    NoAccount(String),
    /// The ledger cannot be read from the database.
    #[error("cannot read the ledger: {0}")]
    Ledger(StoreError),
    /// No branch has this number.
    #[error("there is no branch {0}")]
    NoBranch(BranchId),
    /// No one-time code can be created.
    #[error("{0}")]
    NoCode(&'static str),
    /// Owner token requested for a world that has an owner.
    #[error("the world already has an owner")]
    Owned,
    /// Recovery of the owner of a world that has none.
    #[error(
        "the world has no owner yet; deepwell control owner-token shows the token with which a player claims it"
    )]
    Unclaimed,
    /// Relative path, which would depend on the server's working directory.
    #[error("{} is not an absolute path", .0.display())]
    NotAbsolute(PathBuf),
    /// The database cannot be copied.
    #[error("cannot create the backup: {0}")]
    Backup(StoreError),
    /// No backup was made in the folder for backups.
    #[error(transparent)]
    NoBackup(#[from] NotMade),
    /// Mistakes in reloaded settings, content or certificate, one line each.
    #[error("{}", .0.join("\n"))]
    Reload(Vec<String>),
    /// An answer that cannot be serialised.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A read-only request timed out.
    #[error("no answer from the world within {} s", .0.as_secs())]
    NoAnswer(Duration),
    /// A request that changes something timed out; it is still being processed.
    #[error("no answer from the server within {} s; the work continues", .0.as_secs())]
    Unfinished(Duration),
    /// Command that a gateway cannot carry out.
    #[error("a gateway cannot do this: send the command to the host, without --gateway")]
    AtHost,
    /// Command to a gateway that needs the host, which is not linked.
    #[error(
        "the gateway has no link to a host, which knows this; deepwell control --gateway status tells why"
    )]
    NoHost,
    /// Command that only the host that leads can carry out.
    #[error("this host is a standby: send the command to the host that leads, {0}")]
    AtLeader(String),
    /// Command for a cluster to a server that is not part of one.
    #[error("this server is not part of a cluster; see docs/operate/cluster.md")]
    NoCluster,
    /// Refusal of the cluster.
    #[error("{0}")]
    Cluster(String),
    /// Restart of a server that owns its connections.
    #[error(
        "only a host can restart while clients stay connected; run deepwell gateway and deepwell host (see docs/operate/restart.md), or stop and start the server"
    )]
    NoGateway,
    /// The host cannot restart now.
    #[error("not restarted: {0}")]
    NotNow(#[from] NotRestarted),
    /// The game loop has ended.
    #[error("the server is stopping and has not answered")]
    Gone,
}

impl From<NotReloaded> for ControlError {
    fn from(why: NotReloaded) -> Self {
        Self::Reload(match why {
            NotReloaded::Mistakes(mistakes) => mistakes,
            NotReloaded::NotApplied => {
                vec!["the game did not take the settings; the log has the reason".into()]
            }
        })
    }
}

impl ControlError {
    /// Returns `true` if the request was accepted but its outcome is not known.
    pub(super) const fn is_open(&self) -> bool {
        matches!(self, Self::NoAnswer(_) | Self::Unfinished(_) | Self::Gone)
    }
}
