//! Requests of operators and web pages to the game loop, and its status.

use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::server::backups::status::BackupStatus;
use crate::server::cluster::ClusterStatus;
use crate::server::content::reload::Reloaded;
use crate::server::game_loop::inspection;
use crate::server::load::Load;
use crate::server::load::history::LoadHistory;
use crate::server::logging::{self, Warning};
use crate::session::{MsspFigures, Secret, on_link};
use deepwell_core::base::{AccountId, BranchId};
use deepwell_game::{
    BuilderRequest, Declined, GameConfig, GameStats, OutsideSpeech, PersonalData, WebPage, WeekRecord,
};

/// Maximum time for the game loop to answer a web page or a health check.
pub(in crate::server) const PATIENCE: Duration = Duration::from_secs(1);

/// Reason why a request has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::server) enum Unanswered {
    /// The time is over; the game loop may still handle the request.
    Late,
    /// The game loop has ended.
    Ended,
}

/// Sends a request to the game loop and waits for the answer.
pub(in crate::server) async fn ask<T>(
    questions: &mpsc::Sender<GameQuestion>,
    question: impl FnOnce(oneshot::Sender<T>) -> GameQuestion,
    patience: Duration,
) -> Result<T, Unanswered> {
    let (answer, answered) = oneshot::channel();
    let asked = async {
        questions.send(question(answer)).await.ok()?;
        answered.await.ok()
    };
    timeout(patience, asked).await.map_err(|_| Unanswered::Late)?.ok_or(Unanswered::Ended)
}

/// A request to the game loop, with the sender of its answer.
#[derive(Debug)]
pub enum GameQuestion {
    /// Status of the game loop.
    Status(oneshot::Sender<Status>),
    /// Figures of the server for the staff page.
    Dashboard(oneshot::Sender<Dashboard>),
    /// Load of the game loop.
    Load(oneshot::Sender<Load>),
    /// Figures for MSSP crawlers.
    Figures(oneshot::Sender<MsspFigures>),
    /// Names of the players online.
    Who(oneshot::Sender<Vec<String>>),
    /// Text to send to all players online.
    Broadcast(String, oneshot::Sender<()>),
    /// Speech through a bridge, answered with no lines or a refusal.
    Bridge(OutsideSpeech, oneshot::Sender<Result<Vec<String>, Declined>>),
    /// A branch as JSON; `None` if there is no branch of this number.
    DumpBranch(BranchId, oneshot::Sender<Option<serde_json::Value>>),
    /// All stored data about a player, by table; `None` for an unknown name.
    Kept(String, oneshot::Sender<Result<Option<PersonalData>, Declined>>),
    /// The permanent rooms, as a map file.
    Atlas(oneshot::Sender<String>),
    /// Connection details of a player.
    Inspect(String, inspection::InspectionSender),
    /// A staff command for the game and the name of the operator, answered with lines or a refusal.
    Line(String, Option<String>, oneshot::Sender<Result<Vec<String>, Declined>>),
    /// The hash of a one-time code for an account and the name of the operator, answered with no lines or a refusal.
    OperatorCode(AccountId, (String, Option<String>), oneshot::Sender<Result<Vec<String>, Declined>>),
    /// New settings of the game, answered with `true` when they are in force.
    Settings(Box<GameConfig>, oneshot::Sender<bool>),
    /// A content reload, answered when the new content is in use, or with all mistakes.
    Reload(oneshot::Sender<Reloaded>),
    /// The account of a name, and its password hash.
    Credential(String, oneshot::Sender<Option<(AccountId, Arc<str>)>>),
    /// A login to the web builder, answered once the password is checked and the login is stored.
    WebLogIn(WebLogIn, oneshot::Sender<Result<Vec<String>, Declined>>),
    /// A request of the web builder, answered with a line of JSON.
    WebBuilder(WebBuilderRequest, oneshot::Sender<Result<Vec<String>, Declined>>),
    /// Name of the account of the owner; `None` for an unclaimed world.
    Owner(oneshot::Sender<Option<String>>),
    /// The owner token of an unclaimed world.
    OwnerToken(oneshot::Sender<Option<String>>),
}

/// A login to the web builder. The token is a hash.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct WebLogIn {
    /// Account name.
    pub name: String,
    /// Its password.
    #[serde(with = "on_link")]
    pub password: Secret,
    /// Token that authorises later requests.
    pub token: String,
    /// Client address.
    pub address: IpAddr,
    /// Page that is opened.
    #[serde(default)]
    pub page: WebPage,
}

/// A request of the web builder. Tokens are hashes.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum WebBuilderRequest {
    /// A login to the web builder whose password was verified.
    LogIn {
        /// The account.
        account: AccountId,
        /// The password hash that was verified.
        credential: Arc<str>,
        /// Token that authorises later requests.
        token: String,
        /// Client address.
        address: IpAddr,
        /// Page that is opened.
        #[serde(default)]
        page: WebPage,
    },
    /// A logout from the web builder.
    LogOut {
        /// Account name used to log in.
        name: String,
        /// Token of the login.
        token: String,
    },
    /// A request of a logged-in web builder.
    Ask {
        /// Account name used to log in.
        name: String,
        /// Token of the login.
        token: String,
        /// The request.
        ask: BuilderRequest,
        /// Client address.
        address: IpAddr,
    },
}

/// A reason why the running server is not healthy, or a warning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Problem {
    /// The world is read-only until storage can be written.
    ReadOnly,
    /// A commit has waited for the disk for longer than `server.slow_commit_secs`.
    SlowStorage,
    /// The last backup failed.
    BackupFailed,
    /// No backup has been made for longer than twice `backup.every`.
    BackupLate,
    /// The program that runs after backups failed.
    BackupHookFailed,
    /// Batches cannot be logged.
    BatchesNotLogged,
    /// The TLS certificate is not valid, or soon will not be.
    CertificateExpires,
}

impl Problem {
    /// Returns the description for operators.
    pub const fn words(self) -> &'static str {
        match self {
            Self::ReadOnly => "the world is read-only: storage cannot be written",
            Self::SlowStorage => "the disk is not responding: changes wait to be written",
            Self::BackupFailed => "the last backup failed: the log has the reason",
            Self::BackupLate => "no backup has been made for longer than twice backup.every",
            Self::BackupHookFailed => "the program in backup.hook failed: the log has the reason",
            Self::BatchesNotLogged => "batches cannot be written to backup.batches: the log has the reason",
            Self::CertificateExpires => "the certificate is not valid, or soon will not be: renew it",
        }
    }

    /// Returns `true` if the problem does not impair play.
    pub const fn is_warning(self) -> bool {
        !matches!(self, Self::ReadOnly | Self::SlowStorage)
    }
}

/// Status of the world and the server.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Status {
    /// Reasons why the server is not healthy, and warnings; empty if all is well.
    pub problems: Vec<Problem>,
    /// Statistics of the game.
    pub world: GameStats,
    /// First place of the ranking of the week.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub week_record: Option<WeekRecord>,
    /// Number of open connections.
    pub connections: u64,
    /// Number of logged-in clients.
    pub playing: u64,
    /// Client requests that wait for the game loop.
    pub requests_waiting: u64,
    /// Password checks and new accounts that wait for a slot.
    #[serde(default)]
    pub logins_waiting: u64,
    /// Commits in flight.
    pub commits_waiting: u64,
    /// Clients whose output waits for a commit.
    #[serde(default)]
    pub clients_held: u64,
    /// Lockdown switches set by staff.
    pub locked: Vec<Cow<'static, str>>,
    /// Size of the database's write-ahead log in bytes.
    pub wal_bytes: u64,
    /// Seconds since the start.
    pub up_secs: u64,
    /// Place of the host in its cluster, if it is part of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterStatus>,
    /// Backups, if there is a folder for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup: Option<BackupStatus>,
    /// Period of the TLS certificate, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

impl Status {
    /// Returns the first problem that impairs play.
    pub fn obstacle(&self) -> Option<Problem> {
        self.problems.iter().copied().find(|problem| !problem.is_warning())
    }
}

/// Figures of the server on the staff page: those of the process that runs the game, to which a gateway adds its log.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Dashboard {
    /// Process that runs the game.
    process: Cow<'static, str>,
    status: Status,
    history: LoadHistory,
    /// Last warnings and errors, oldest first.
    log: Vec<Warning>,
}

impl Dashboard {
    /// Creates the figures of this process.
    pub(in crate::server) fn new(status: Status, history: LoadHistory) -> Self {
        Self { process: logging::process().into(), status, history, log: logging::last_warnings() }
    }

    /// Adds the log of this process, if it is not the one that runs the game.
    pub(in crate::server) fn with_own_log(mut self) -> Self {
        if self.process != logging::process() {
            self.log.extend(logging::last_warnings());
            self.log.sort_by_key(|line| line.at);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_of_a_gateway_is_added_to_that_of_its_host_in_order() {
        let line = |process: &'static str, at| Warning {
            process: process.into(),
            at,
            level: "WARN".into(),
            text: "the disk is not responding".into(),
        };
        let own = Dashboard::new(Status::default(), LoadHistory::default());
        assert_eq!(own.clone().with_own_log(), own, "it has that log already");
        let host = Dashboard { process: "host".into(), log: vec![line("host", i64::MAX)], ..own };
        let both = host.with_own_log().log;
        assert_eq!(both.last(), Some(&line("host", i64::MAX)));
        assert!(both.is_sorted_by_key(|line| line.at));
    }
}
