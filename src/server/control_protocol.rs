//! Protocol between `deepwell control` and a running server over the control socket.
//!
//! Each side sends one line of JSON, then the connection ends: `{"cmd":"status","args":[]}`, answered by
//! `{"ok":true,"result":…}` or `{"ok":false,"error":"…"}`. The sockets are in `cli::control` and `server::control`.

use deepwell_core::base::{BranchId, Span};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;

/// Maximum length of a request in bytes.
pub const REQUEST_BYTES_MAX: u64 = 65_536;

/// Maximum time for the answer to a query.
pub const QUERY_TIME: Duration = Duration::from_secs(5);
/// Maximum wait of `deepwell control` for other answers; the backup of a large world takes longest.
const LONG_WORK: Duration = Duration::from_mins(10);

/// A request as sent over the socket.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Request {
    /// The command.
    pub cmd: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// User of the machine who sends it, as far as the sender tells: the audit log names that user. A client of
    /// the socket may tell any name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// Maximum length of the name of a user of the machine.
const OPERATOR_CHARS_MAX: usize = 32;

impl Request {
    /// Returns the name of the operator, if it is one of a user: letters, digits, dots, hyphens and underscores.
    pub fn operator(&self) -> Option<&str> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let by = self.by.as_deref()?;
        (!by.is_empty() && by.len() <= OPERATOR_CHARS_MAX && by.chars().all(is_plain)).then_some(by)
    }
}

/// A parsed request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Figures of the running server. Result: an object of names and values.
    Status,
    /// Names of the players online. Result: a list of names.
    Who,
    /// Sends a text to all players online. Result: null.
    Broadcast(String),
    /// Connection details of a player. Result: a list of lines.
    NetInfo(String),
    /// All stored data about a player. Result: an object of tables, each a list of rows.
    Export(String),
    /// A staff command of the game with its arguments, as if typed by staff above all ranks. Result: a list of lines for
    /// reading; a refusal has the text of the game. The audit log names the operator.
    ///
    /// | command | lines of the result |
    /// |---|---|
    /// | `kick NAME [REASON]`, `mute NAME [for TIME] [REASON]`, `unmute NAME`, `freeze NAME [for TIME] [REASON]`, `unfreeze NAME` | one that confirms it |
    /// | `promote NAME RANK`, `demote NAME RANK` | one with the rank |
    /// | `reports`, `reports show NUMBER` | the number of open reports, then one for each shown, newest first; with `show` also the lines that the reporter had read |
    /// | `reports close NUMBER [WORDS]` | one that confirms it |
    /// | `audit [by NAME] [since TIME] [until TIME] [WORDS] PAGE` | a heading, then one for each entry, the newest last: time, name, deed; at the end the line for the next page, if there is one |
    /// | `account show NAME`, `character show NAME` | one for each fact |
    /// | `account rename NAME NEW`, `character rename NAME NEW`, `account delete NAME`, `character delete NAME`, `delete NAME` | one that confirms it |
    /// | `ban WHOM [for TIME] [REASON]`, `unban WHOM` | one that confirms it |
    /// | `bans` | the number of bans, then one for each |
    /// | `lock [WHAT]`, `unlock WHAT` | one that tells what is locked |
    /// | `zone export NAME`, `zone import NAMES`, `zone diff NAMES` | what was written, read or differs |
    Line(String),
    /// Load of the game loop. Result: an object with `up_secs`, `players`, `connections`, `requests_waiting`,
    /// `commits_waiting`, `rooms`, `branches` and `causes`, a list of objects with `cause` (a command, input or timer),
    /// `steps` and `seconds` since the start, and `longest_seconds` and `largest_work` (rows) of the last minutes; and
    /// `busy_rooms`, a list of objects with `room`, `name`, `area`, `steps`, `seconds` and `work` (rows) of the last minutes.
    Load,
    /// Variables that MUD crawlers read by MSSP. Result: a list of objects with `name` and `values`, in order.
    Listing,
    /// The settings as read at the start and at reloads. Result: an object of names such as `game.round` and values in
    /// TOML.
    Settings,
    /// One branch. Result: the object of a branch dump.
    DumpBranch(BranchId),
    /// The token with which the owner claims a world. Result: text; refused if the world has an owner.
    OwnerToken,
    /// A one-time code with which a player can log in within an hour and choose a new password. Result: text.
    Recover(String),
    /// The same for the owner of the world, whose name may be forgotten, too. Result: an object with `name` and `code`.
    RecoverOwner,
    /// Game time and the machine's clock. Result: an object with `game` and `machine`, dates in UTC, and `ahead_secs`,
    /// by which the machine is ahead; negative if it is behind.
    Time,
    /// Copies the database to a file that must not exist. The path is absolute. Result: null. Without a path, makes a
    /// backup in the folder for backups. Result: an object with its `file`.
    Backup(Option<PathBuf>),
    /// Reloads content and certificate. Result: a description of what is now in use. Refused with all mistakes; content
    /// or certificate with mistakes is not replaced.
    Reload,
    /// Restarts the host while its gateways keep the clients. Refused, with all mistakes, if the next start would fail.
    /// Result: null, sent before the restart begins; the connection ends with the old process.
    Restart,
    /// An order about the cluster.
    Cluster(ClusterOrder),
    /// Stops the server after a delay. Result: null, sent before the stop begins.
    Stop(Span),
}

impl Command {
    /// Maximum time for the answer of a process that works. A process that is stopped accepts the request and never
    /// answers.
    pub const fn answer_time(&self) -> Duration {
        match self {
            Self::Status
            | Self::Who
            | Self::NetInfo(_)
            | Self::Load
            | Self::Listing
            | Self::Settings
            | Self::DumpBranch(_)
            | Self::Time
            | Self::Cluster(_)
            | Self::Stop(_) => QUERY_TIME,
            Self::Broadcast(_)
            | Self::Export(_)
            | Self::Line(_)
            | Self::OwnerToken
            | Self::Recover(_)
            | Self::RecoverOwner
            | Self::Backup(_)
            | Self::Reload
            | Self::Restart => LONG_WORK,
        }
    }
}

/// An order about the cluster, as the arguments of `cluster`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClusterOrder {
    /// `status`: all hosts. Result: a list of objects.
    Status,
    /// `promote`: the leader makes way for this host. Result: null, sent before that.
    Promote,
    /// `remove NAME`: forgets a host that has ended. Result: null.
    Remove(String),
}

/// An answer as sent over the socket: exactly one of `result` (if `ok`) and `error`. `unanswered` is set if the server
/// accepted the request but does not know its outcome yet; this is not a refusal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Response {
    ok: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unanswered: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Reason why a request is not valid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RequestError {
    /// Not JSON of the shape of a [`Request`].
    #[error("not a request: {0}")]
    Malformed(String),
    /// Unknown command.
    #[error("unknown command {0}, expected one of {names}", names = [NAMES, LINES].concat().join(", "))]
    UnknownCommand(String),
    /// Wrong number of arguments.
    #[error("{0} does not take {1} arguments")]
    Arguments(String, usize),
    /// Branch number that is not a number.
    #[error("{0} is not a branch number")]
    NoBranchNumber(String),
    /// Delay that is not a number.
    #[error("stop takes a number of milliseconds")]
    NoTime,
}

/// A refusal of the server, with its text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// Reason why a response has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoResult {
    /// The server refused.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The outcome is not known yet.
    #[error("{0}")]
    Unanswered(String),
}

impl Response {
    /// Creates a successful response.
    pub fn done(result: Value) -> Self {
        Self { ok: true, unanswered: false, result: Some(result), error: None }
    }

    /// Creates a refusal with its reason.
    pub fn refused(error: impl Into<String>) -> Self {
        Self { ok: false, unanswered: false, result: None, error: Some(error.into()) }
    }

    /// Creates a response for a request whose outcome is not known. `words` tells how long the server waited.
    pub fn unanswered(words: impl Into<String>) -> Self {
        Self { ok: false, unanswered: true, result: None, error: Some(words.into()) }
    }

    /// Returns the result, or the reason why the response has no result.
    pub fn into_result(self) -> Result<Value, NoResult> {
        let words = self.error.unwrap_or_else(|| "no reason given".into());
        match (self.ok, self.unanswered) {
            (true, _) => Ok(self.result.unwrap_or(Value::Null)),
            (false, true) => Err(NoResult::Unanswered(words)),
            (false, false) => Err(Refused(words).into()),
        }
    }
}

impl From<&Command> for Request {
    fn from(command: &Command) -> Self {
        let (cmd, args) = match command {
            Command::Status => ("status", vec![]),
            Command::Who => ("who", vec![]),
            Command::Broadcast(text) => ("broadcast", vec![text.clone()]),
            Command::NetInfo(name) => ("netinfo", vec![name.clone()]),
            Command::Export(name) => ("export", vec![name.clone()]),
            Command::Line(line) => {
                let mut words = line.split_whitespace().map(str::to_owned);
                return Self { cmd: words.next().unwrap_or_default(), args: words.collect(), by: None };
            }
            Command::Load => ("load", vec![]),
            Command::Listing => ("listing", vec![]),
            Command::Settings => ("settings", vec![]),
            Command::DumpBranch(branch) => ("dump-branch", vec![branch.0.to_string()]),
            Command::OwnerToken => ("owner-token", vec![]),
            Command::RecoverOwner => ("recover", vec![]),
            Command::Recover(name) => ("recover", vec![name.clone()]),
            Command::Time => ("time", vec![]),
            Command::Backup(path) => {
                ("backup", path.iter().map(|path| path.to_string_lossy().into_owned()).collect())
            }
            Command::Reload => ("reload", vec![]),
            Command::Restart => ("restart", vec![]),
            Command::Cluster(ClusterOrder::Status) => ("cluster", vec!["status".into()]),
            Command::Cluster(ClusterOrder::Promote) => ("cluster", vec!["promote".into()]),
            Command::Cluster(ClusterOrder::Remove(host)) => ("cluster", vec!["remove".into(), host.clone()]),
            Command::Stop(after) => ("stop", vec![after.0.to_string()]),
        };
        Self { cmd: cmd.into(), args, by: None }
    }
}

impl TryFrom<Request> for Command {
    type Error = RequestError;

    /// Parses a request. `stop` takes a delay in milliseconds, by default 0.
    fn try_from(request: Request) -> Result<Self, RequestError> {
        let Request { cmd, args, .. } = request;
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let command = match (cmd.as_str(), args.as_slice()) {
            ("status", []) => Self::Status,
            ("who", []) => Self::Who,
            ("broadcast", [text]) => Self::Broadcast((*text).into()),
            ("dump-branch", [branch]) => {
                let number = branch.parse().map_err(|_| RequestError::NoBranchNumber((*branch).to_owned()));
                Self::DumpBranch(BranchId(number?))
            }
            ("load", []) => Self::Load,
            ("listing", []) => Self::Listing,
            ("settings", []) => Self::Settings,
            ("netinfo", [name]) => Self::NetInfo((*name).to_owned()),
            ("export", [name]) => Self::Export((*name).to_owned()),
            ("owner-token", []) => Self::OwnerToken,
            ("recover", []) => Self::RecoverOwner,
            ("recover", [name]) => Self::Recover((*name).to_owned()),
            ("time", []) => Self::Time,
            ("backup", []) => Self::Backup(None),
            ("backup", [path]) => Self::Backup(Some(path.into())),
            ("reload", []) => Self::Reload,
            ("restart", []) => Self::Restart,
            ("cluster", ["status"]) => Self::Cluster(ClusterOrder::Status),
            ("cluster", ["promote"]) => Self::Cluster(ClusterOrder::Promote),
            ("cluster", ["remove", host]) => Self::Cluster(ClusterOrder::Remove((*host).to_owned())),
            ("stop", []) => Self::Stop(Span::ZERO),
            ("stop", [millis]) => {
                let millis = millis.parse().ok().filter(|millis| *millis >= 0);
                Self::Stop(Span(millis.ok_or(RequestError::NoTime)?))
            }
            (word, args) if LINES.contains(&word) => Self::Line([&[word], args].concat().join(" ")),
            (known, args) if NAMES.contains(&known) => {
                return Err(RequestError::Arguments(known.to_owned(), args.len()));
            }
            (unknown, _) => return Err(RequestError::UnknownCommand(unknown.to_owned())),
        };
        Ok(command)
    }
}

const NAMES: &[&str] = &[
    "status", "who", "broadcast", "netinfo", "dump-branch", "export", "owner-token", "recover", "time",
    "load", "listing", "settings", "backup", "reload", "restart", "cluster", "stop",
];

/// Commands that are passed to the game.
const LINES: &[&str] = &[
    "ban", "unban", "bans", "lock", "unlock", "delete", "zone", "kick", "mute", "unmute", "freeze",
    "unfreeze", "promote", "demote", "reports", "audit", "account", "character",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_round_trips() {
        let commands = [
            Command::Status,
            Command::Who,
            Command::Broadcast("mind the \"gap\"\n".into()),
            Command::NetInfo("Ada".into()),
            Command::DumpBranch(BranchId(42)),
            Command::Export("Ada".into()),
            Command::Line("ban 203.0.113.0/24 for 2h spam".into()),
            Command::Line("lock".into()),
            Command::Line("account rename bera gerda".into()),
            Command::Line("reports close 12 done".into()),
            Command::Load,
            Command::Listing,
            Command::Settings,
            Command::OwnerToken,
            Command::Recover("Ada".into()),
            Command::RecoverOwner,
            Command::Backup(None),
            Command::Backup(Some("/tmp/a b".into())),
            Command::Reload,
            Command::Restart,
            Command::Cluster(ClusterOrder::Promote),
            Command::Cluster(ClusterOrder::Remove("host-2".into())),
            Command::Stop(Span::secs(5)),
        ];
        for command in commands {
            let line = serde_json::to_string(&Request::from(&command)).unwrap();
            assert!(!line.contains('\n'));
            let request: Request = serde_json::from_str(&line).unwrap();
            assert_eq!(Command::try_from(request), Ok(command));
        }
    }

    /// T6: the name of an operator cannot forge a line of the audit log.
    #[test]
    fn t6_operator_is_named_by_a_plain_name_only() {
        let named = |by: &str| Request { cmd: "bans".into(), args: Vec::new(), by: Some(by.into()) };
        assert_eq!(named("anna-2").operator(), Some("anna-2"));
        for by in ["", "a b", "a\nb", "a)", "\u{1b}[31m", "annä", &"a".repeat(33)] {
            assert_eq!(named(by).operator(), None, "{by:?}");
        }
    }

    #[test]
    fn invalid_requests_are_explained() {
        let refusal = |json: &str| {
            let request: Request = serde_json::from_str(json).unwrap();
            Command::try_from(request).unwrap_err().to_string()
        };
        assert_eq!(refusal(r#"{"cmd":"who","args":["me"]}"#), "who does not take 1 arguments");
        assert_eq!(refusal(r#"{"cmd":"dump-branch","args":["x"]}"#), "x is not a branch number");
        assert_eq!(refusal(r#"{"cmd":"stop","args":["-1"]}"#), "stop takes a number of milliseconds");
        assert!(
            refusal(r#"{"cmd":"stpo"}"#).starts_with("unknown command stpo, expected one of status, who")
        );
    }

    #[test]
    fn responses_match_the_documentation() {
        let json = |response: &Response| serde_json::to_string(response).unwrap();
        assert_eq!(json(&Response::done(Value::Null)), r#"{"ok":true,"result":null}"#);
        assert_eq!(json(&Response::refused("no")), r#"{"ok":false,"error":"no"}"#);
        assert_eq!(json(&Response::unanswered("later")), r#"{"ok":false,"unanswered":true,"error":"later"}"#);
        let null: Response = serde_json::from_str(r#"{"ok":true,"result":null}"#).unwrap();
        assert_eq!(null.into_result(), Ok(Value::Null));
    }
}
