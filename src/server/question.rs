//! What operators and pages ask of the world, and how it is.

use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::oneshot;

use crate::base::{AccountId, BranchId};
use crate::game::{Declined, DeskAsk, Stats};
use crate::server::inspection;
use crate::server::reload::Reloaded;
use crate::world::Person;

/// What operators ask.
#[derive(Debug)]
pub enum Question {
    /// Does the world still answer?
    Status(oneshot::Sender<Status>),
    /// Names of who plays.
    Who(oneshot::Sender<Vec<String>>),
    /// Words to everybody who plays.
    Broadcast(String, oneshot::Sender<()>),
    /// A branch as JSON, if there is one of this number.
    DumpBranch(BranchId, oneshot::Sender<Option<serde_json::Value>>),
    /// Who has a name, and all that is kept of them, by table.
    Kept(String, oneshot::Sender<Option<(Person, serde_json::Map<String, serde_json::Value>)>>),
    /// The rooms that last, as a map file.
    Atlas(oneshot::Sender<String>),
    /// How the player of this name is connected.
    Inspect(String, inspection::Answer),
    /// A line for the game, as staff type it: answered with lines, or with why it is refused.
    Line(String, oneshot::Sender<Result<Vec<String>, Declined>>),
    /// The hash of a code that opens an account once: answered with nothing, or with why it is refused.
    OperatorCode(AccountId, String, oneshot::Sender<Result<Vec<String>, Declined>>),
    /// The content is to be read again: answered when it is in force, or with every mistake.
    Reload(oneshot::Sender<Reloaded>),
    /// The account behind a name, and the hash that its password is compared with.
    Credential(String, oneshot::Sender<Option<(AccountId, Arc<str>)>>),
    /// Something of the page for builders, answered with a line of JSON.
    Desk(AtDesk, oneshot::Sender<Result<Vec<String>, Declined>>),
    /// The token of a world that nobody has claimed.
    OwnerToken(oneshot::Sender<Option<String>>),
}

/// What the page for builders asks of the world. Tokens are hashes.
#[derive(Debug)]
pub enum AtDesk {
    /// Somebody who has proved to own an account would like to build with it.
    Open {
        /// The account.
        account: AccountId,
        /// What its password was compared with.
        credential: Arc<str>,
        /// What the page will show.
        token: String,
        /// Where it calls from.
        address: IpAddr,
    },
    /// The page is closed.
    Close {
        /// The name with which it was opened.
        name: String,
        /// What it shows.
        token: String,
    },
    /// The page asks something.
    Ask {
        /// The name with which it was opened.
        name: String,
        /// What it shows.
        token: String,
        /// What it asks.
        ask: DeskAsk,
        /// Where it calls from.
        address: IpAddr,
    },
}

/// A reason that the server is up and does not serve as it should.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Problem {
    /// The world is read-only until storage can be written.
    ReadOnly,
    /// A commit has waited for the disk for longer than `server.slow_commit_secs`.
    SlowStorage,
}

impl Problem {
    /// The sentence for operators.
    pub const fn words(self) -> &'static str {
        match self {
            Self::ReadOnly => "the world is read-only: storage cannot be written",
            Self::SlowStorage => "the disk does not answer: changes wait to be written",
        }
    }
}

/// How the world and its shell are.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Status {
    /// Reasons that the server does not serve as it should; empty if it is healthy.
    pub problems: Vec<Problem>,
    /// What the game counts.
    pub world: Stats,
    /// Connections open.
    pub connections: u64,
    /// Clients that play.
    pub playing: u64,
    /// Requests of clients that wait for the world.
    pub requests_waiting: u64,
    /// Batches on their way to the disk.
    pub commits_waiting: u64,
    /// What staff have locked.
    pub locked: Vec<&'static str>,
    /// Bytes of the database's write-ahead log.
    pub wal_bytes: u64,
    /// Seconds since the start.
    pub up_secs: u64,
}
