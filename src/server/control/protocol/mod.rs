//! Protocol between `deepwell control` and a running server over the control socket.
//!
//! Each side sends one line of JSON, then the connection ends: `{"version":1,"cmd":"netinfo","args":{"name":"Ada"}}`,
//! answered by `{"ok":true,"result":…}` or `{"ok":false,"error":"…"}`. A command with its arguments is a
//! [`ControlCommand`]. The sockets are in `cli::control` and `server::control`.

mod command;

pub use command::{
    AccountCommand, ClusterCommand, ControlCommand, PersonCommand, ReportsCommand, TopArguments,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// Version of the protocol. A change after which a request has another meaning, or none, increases it.
pub const VERSION: u32 = 1;

/// Maximum length of a request in bytes.
pub const REQUEST_BYTES_MAX: u64 = 65_536;

/// Maximum time for the answer to a query.
pub const QUERY_TIME: Duration = Duration::from_secs(5);
/// Maximum wait of `deepwell control` for other answers; the backup of a large world takes longest.
const LONG_WORK: Duration = Duration::from_mins(10);

/// A request as sent over the socket.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ControlRequest {
    /// Version of the protocol that the sender speaks.
    version: u32,
    /// The command.
    #[serde(flatten)]
    pub command: ControlCommand,
    /// User of the machine who sends it, as far as the sender tells: the audit log names that user. A client of
    /// the socket may tell any name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
}

/// The field of a [`ControlRequest`] that every version has. Requests of programs that know no version have 0.
#[derive(Deserialize)]
struct Versioned {
    #[serde(default)]
    version: u32,
}

/// Maximum length of the name of a user of the machine.
const OPERATOR_CHARS_MAX: usize = 32;

impl ControlRequest {
    /// Creates a request in the name of a user of the machine.
    pub const fn new(command: ControlCommand, by: Option<String>) -> Self {
        Self { version: VERSION, command, by }
    }

    /// Parses the line of a client.
    pub fn parse(line: &str) -> Result<Self, RequestError> {
        let Versioned { version } = serde_json::from_str(line)?;
        if version != VERSION {
            return Err(RequestError::Version(version));
        }
        Ok(serde_json::from_str(line)?)
    }

    /// Returns the name of the operator, if it is one of a user: letters, digits, dots, hyphens and underscores.
    pub fn operator(&self) -> Option<&str> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let by = self.by.as_deref()?;
        (!by.is_empty() && by.len() <= OPERATOR_CHARS_MAX && by.chars().all(is_plain)).then_some(by)
    }
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
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// Not JSON of the shape of a [`ControlRequest`], or an unknown command.
    #[error("not a request: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The sender speaks another version.
    #[error(
        "the client speaks version {0} of the control protocol and the server version {VERSION}; use the deepwell program of the server's version, {program}",
        program = env!("CARGO_PKG_VERSION")
    )]
    Version(u32),
}

/// A refusal of the server, with its text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ControlRefusal(pub String);

/// Reason why a response has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoResult {
    /// The server refused.
    #[error(transparent)]
    Refused(#[from] ControlRefusal),
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

    /// Creates a response for a request whose outcome is not known. `message` tells how long the server
    /// waited.
    pub fn unanswered(message: impl Into<String>) -> Self {
        Self { ok: false, unanswered: true, result: None, error: Some(message.into()) }
    }

    /// Returns the result, or the reason why the response has no result.
    pub fn into_result(self) -> Result<Value, NoResult> {
        let message = self.error.unwrap_or_else(|| "no reason given".into());
        match (self.ok, self.unanswered) {
            (true, _) => Ok(self.result.unwrap_or(Value::Null)),
            (false, true) => Err(NoResult::Unanswered(message)),
            (false, false) => Err(ControlRefusal(message).into()),
        }
    }
}

/// Parses a command with its arguments as the command line does.
#[cfg(test)]
pub(in crate::server) fn typed<W: AsRef<str>>(arguments: &[W]) -> Result<ControlCommand, clap::Error> {
    use clap::{FromArgMatches as _, Subcommand as _};
    let control = ControlCommand::augment_subcommands(clap::Command::new("control").no_binary_name(true));
    ControlCommand::from_arg_matches(&control.try_get_matches_from(arguments.iter().map(AsRef::as_ref))?)
}

#[cfg(test)]
pub(in crate::server) use tests::every_command;

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Subcommand as _;
    use std::collections::BTreeSet;

    /// Returns lines that type each command, with each of its arguments in turn.
    fn lines(control: &clap::Command, before: &[String]) -> Vec<Vec<String>> {
        let mut lines = Vec::new();
        for command in control.get_subcommands() {
            let line = [before, &[command.get_name().to_owned()]].concat();
            assert!(command.get_about().is_some(), "{line:?} has no help");
            let examples = |argument: &clap::Arg| {
                assert!(argument.get_help().is_some(), "{line:?} {} has no help", argument.get_id());
                let option = argument.get_long().map(|name| format!("--{name}"));
                let value =
                    argument.get_possible_values().first().map_or("1", |value| value.get_name()).to_owned();
                option
                    .into_iter()
                    .chain(argument.get_action().takes_values().then_some(value))
                    .collect::<Vec<_>>()
            };
            let (required, others): (Vec<_>, Vec<_>) =
                command.get_arguments().partition(|argument| argument.is_required_set());
            let line = [&line[..], &required.into_iter().flat_map(examples).collect::<Vec<_>>()].concat();
            lines.extend(others.into_iter().map(|argument| [&line[..], &examples(argument)].concat()));
            lines.extend(self::lines(command, &line));
            lines.push(line);
        }
        lines
    }

    /// Returns every command, with each of its arguments in turn.
    pub(in crate::server) fn every_command() -> Vec<ControlCommand> {
        let control = ControlCommand::augment_subcommands(clap::Command::new("control"));
        // These need an order or a name.
        let is_part =
            |line: &[String]| matches!(&line.join(" ")[..], "account" | "character" | "cluster" | "recover");
        let lines = lines(&control, &[]).into_iter().filter(|line| !is_part(line));
        let commands = lines.map(|line| typed(&line).unwrap_or_else(|error| panic!("{line:?}: {error}")));
        commands.chain([ControlCommand::Listing, ControlCommand::Settings]).collect()
    }

    #[test]
    fn every_command_round_trips() {
        for command in every_command() {
            let request = ControlRequest::new(command, None);
            let line = serde_json::to_string(&request).unwrap();
            assert!(!line.contains('\n'));
            assert_eq!(ControlRequest::parse(&line).unwrap(), request, "{line}");
        }
    }

    #[test]
    fn every_command_is_documented() {
        let page = include_str!("../../../../docs/operate/operations.md");
        let examples = page.lines().filter(|line| line.contains("deepwell control "));
        let words: BTreeSet<&str> = examples.flat_map(|line| line.split([' ', ',', '`'])).collect();
        let control = ControlCommand::augment_subcommands(clap::Command::new("control"));
        for command in control.get_subcommands().map(clap::Command::get_name) {
            assert!(words.contains(command), "{command} is not in docs/operate/operations.md");
        }
    }

    #[test]
    fn orders_about_several_names_are_split() {
        let split = typed(&["account", "delete", "Bera", "Mika"]).unwrap().split();
        let about = |name: &str| AccountCommand::One(PersonCommand::Delete { names: vec![name.to_owned()] });
        assert_eq!(split, ["Bera", "Mika"].map(|name| ControlCommand::Account(about(name))));
        assert_eq!(ControlCommand::Bans.split(), [ControlCommand::Bans]);
    }

    /// T6: the name of an operator cannot forge a line of the audit log.
    #[test]
    fn t6_operator_is_named_by_a_plain_name_only() {
        let named = |by: &str| ControlRequest::new(ControlCommand::Bans, Some(by.to_owned()));
        assert_eq!(named("anna-2").operator(), Some("anna-2"));
        for by in ["", "a b", "a\nb", "a)", "\u{1b}[31m", "annä", &"a".repeat(33)] {
            assert_eq!(named(by).operator(), None, "{by:?}");
        }
    }

    #[test]
    fn invalid_requests_are_explained() {
        let refusal = |json: &str| ControlRequest::parse(json).unwrap_err().to_string();
        let message = refusal(r#"{"version":1,"cmd":"dump-branch","args":{"id":"x"}}"#);
        assert!(message.starts_with("not a request: invalid type: string \"x\", expected u32"), "{message}");
        let message = refusal(r#"{"version":1,"cmd":"stpo"}"#);
        assert!(
            message.starts_with("not a request: unknown variant `stpo`, expected one of `status`, `who`"),
            "{message}"
        );
    }

    #[test]
    fn another_version_is_refused_with_the_cure() {
        let refusal = |json: &str| ControlRequest::parse(json).unwrap_err().to_string();
        let cure = format!("use the deepwell program of the server's version, {}", env!("CARGO_PKG_VERSION"));
        for (request, version) in
            [(r#"{"version":2,"cmd":"who","args":["new"]}"#, 2), (r#"{"cmd":"ban","args":["Bera"]}"#, 0)]
        {
            let versions =
                format!("version {version} of the control protocol and the server version {VERSION}");
            assert_eq!(refusal(request), format!("the client speaks {versions}; {cure}"));
        }
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
