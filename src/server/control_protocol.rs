//! What `deepwell control` and a running server say to each other over the control socket.
//!
//! One line of JSON each way and then the connection ends: `{"cmd":"status","args":[]}`, answered by
//! `{"ok":true,"result":…}` or `{"ok":false,"error":"…"}`. Not the sockets: see `cli::control` and the server's side.

use crate::base::{BranchId, Span};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// Bytes of the longest request that a server reads.
pub const REQUEST_BYTES_MAX: u64 = 65_536;

/// A request as it is sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Request {
    /// The command.
    pub cmd: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
}

/// A request as it is meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Figures of the running server. Result: an object of names and values.
    Status,
    /// Who plays. Result: a list of names.
    Who,
    /// Tells everybody who plays a sentence. Result: null.
    Broadcast(String),
    /// How the player of this name is connected. Result: a list of lines.
    NetInfo(String),
    /// Everything that is kept of whoever has this name. Result: an object of tables, each a list of rows.
    Export(String),
    /// A line as staff type it in the game: `ban`, `unban`, `bans`, `lock`, `unlock`, `delete` or `zone` and what stands behind it.
    /// Result: a list of lines; refused in the words of the game.
    Line(String),
    /// One branch. Result: the object of a branch dump.
    DumpBranch(BranchId),
    /// The token with which the owner claims a world. Result: text; refused if the world has its owner.
    OwnerToken,
    /// A code that lets whoever has this name in once, within an hour, to choose another password. Result: text.
    Recover(String),
    /// Game time beside the machine's clock. Result: an object with `game` and `machine`, dates in UTC, and `ahead_secs`, by
    /// which the machine is ahead; negative if it is behind.
    Time,
    /// Copies the database to a file that must not exist. The path is absolute. Result: null.
    Backup(PathBuf),
    /// Reads content and certificate again. Result: what is in force, in words; refused with every mistake, and then the
    /// one that has them stays as it was.
    Reload,
    /// Stops the server after a time. Result: null, sent before the stop begins.
    Stop(Span),
}

/// The answer as it is sent: exactly one of `result` (if `ok`) and `error`.
/// `unanswered` is set if the server took the request and has no outcome yet, which is no refusal.
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

/// Why a request means nothing, for whoever sent it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RequestError {
    /// It is not JSON of the shape of a [`Request`].
    #[error("not a request: {0}")]
    Malformed(String),
    /// Nothing is called so.
    #[error("unknown command {0}, expected one of {names}", names = [NAMES, LINES].concat().join(", "))]
    UnknownCommand(String),
    /// More or fewer arguments than the command has.
    #[error("{0} does not take {1} arguments")]
    Arguments(String, usize),
    /// A branch whose number is none.
    #[error("{0} is not the number of a branch")]
    NoBranchNumber(String),
    /// A time whose number is none.
    #[error("stop takes a number of milliseconds")]
    NoTime,
}

/// That the server said no, in its words.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// Reason why a response has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoResult {
    /// The server said no.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The outcome is not known yet.
    #[error("{0}")]
    Unanswered(String),
}

impl Response {
    /// It was done, with this result.
    pub fn done(result: Value) -> Self {
        Self { ok: true, unanswered: false, result: Some(result), error: None }
    }

    /// It was not done, for this reason.
    pub fn refused(error: impl Into<String>) -> Self {
        Self { ok: false, unanswered: false, result: None, error: Some(error.into()) }
    }

    /// The request was taken, and its outcome is not known: these words say how long the server waited for it.
    pub fn unanswered(words: impl Into<String>) -> Self {
        Self { ok: false, unanswered: true, result: None, error: Some(words.into()) }
    }

    /// The result, or the reason why there is none.
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
                return Self { cmd: words.next().unwrap_or_default(), args: words.collect() };
            }
            Command::DumpBranch(branch) => ("dump-branch", vec![branch.0.to_string()]),
            Command::OwnerToken => ("owner-token", vec![]),
            Command::Recover(name) => ("recover", vec![name.clone()]),
            Command::Time => ("time", vec![]),
            Command::Backup(path) => ("backup", vec![path.to_string_lossy().into_owned()]),
            Command::Reload => ("reload", vec![]),
            Command::Stop(after) => ("stop", vec![after.0.to_string()]),
        };
        Self { cmd: cmd.into(), args }
    }
}

impl TryFrom<Request> for Command {
    type Error = RequestError;

    /// What a request means. `stop` takes milliseconds, or nothing for now.
    fn try_from(request: Request) -> Result<Self, RequestError> {
        let Request { cmd, args } = request;
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let command = match (cmd.as_str(), args.as_slice()) {
            ("status", []) => Self::Status,
            ("who", []) => Self::Who,
            ("broadcast", [text]) => Self::Broadcast((*text).into()),
            ("dump-branch", [branch]) => {
                let number = branch.parse().map_err(|_| RequestError::NoBranchNumber((*branch).to_owned()));
                Self::DumpBranch(BranchId(number?))
            }
            ("netinfo", [name]) => Self::NetInfo((*name).to_owned()),
            ("export", [name]) => Self::Export((*name).to_owned()),
            ("owner-token", []) => Self::OwnerToken,
            ("recover", [name]) => Self::Recover((*name).to_owned()),
            ("time", []) => Self::Time,
            ("backup", [path]) => Self::Backup(path.into()),
            ("reload", []) => Self::Reload,
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
    "status",
    "who",
    "broadcast",
    "netinfo",
    "dump-branch",
    "export",
    "owner-token",
    "recover",
    "time",
    "backup",
    "reload",
    "stop",
];

/// Commands that are lines of the game.
const LINES: &[&str] = &["ban", "unban", "bans", "lock", "unlock", "delete", "zone"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_survives_the_wire() {
        let commands = [
            Command::Status,
            Command::Who,
            Command::Broadcast("mind the \"gap\"\n".into()),
            Command::NetInfo("Ada".into()),
            Command::DumpBranch(BranchId(42)),
            Command::Export("Ada".into()),
            Command::Line("ban 203.0.113.0/24 for 2h spam".into()),
            Command::Line("lock".into()),
            Command::OwnerToken,
            Command::Backup("/tmp/a b".into()),
            Command::Reload,
            Command::Stop(Span::secs(5)),
        ];
        for command in commands {
            let line = serde_json::to_string(&Request::from(&command)).unwrap();
            assert!(!line.contains('\n'));
            let request: Request = serde_json::from_str(&line).unwrap();
            assert_eq!(Command::try_from(request), Ok(command));
        }
    }

    #[test]
    fn a_request_that_means_nothing_says_why() {
        let refusal = |json: &str| {
            let request: Request = serde_json::from_str(json).unwrap();
            Command::try_from(request).unwrap_err().to_string()
        };
        assert_eq!(refusal(r#"{"cmd":"who","args":["me"]}"#), "who does not take 1 arguments");
        assert_eq!(refusal(r#"{"cmd":"dump-branch","args":["x"]}"#), "x is not the number of a branch");
        assert_eq!(refusal(r#"{"cmd":"stop","args":["-1"]}"#), "stop takes a number of milliseconds");
        assert!(
            refusal(r#"{"cmd":"stpo"}"#).starts_with("unknown command stpo, expected one of status, who")
        );
    }

    #[test]
    fn answers_look_as_documented() {
        let json = |response: &Response| serde_json::to_string(response).unwrap();
        assert_eq!(json(&Response::done(Value::Null)), r#"{"ok":true,"result":null}"#);
        assert_eq!(json(&Response::refused("no")), r#"{"ok":false,"error":"no"}"#);
        assert_eq!(json(&Response::unanswered("later")), r#"{"ok":false,"unanswered":true,"error":"later"}"#);
        let null: Response = serde_json::from_str(r#"{"ok":true,"result":null}"#).unwrap();
        assert_eq!(null.into_result(), Ok(Value::Null));
    }
}
