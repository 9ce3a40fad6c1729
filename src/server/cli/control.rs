//! `deepwell control`: asks the running server over its control socket and shows the answer.
//! What the server does with a request is not known here.

use super::{Failure, show};
use crate::base::{BranchId, Span};
use crate::server::config::{ServerConfig, parse_span};
use crate::server::control_protocol::{Command, Request, Response};
use crate::server::question::Problem;
use clap::{Args, Subcommand};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{self, Path, PathBuf};
use std::time::Duration;

/// How long an answer may take: a backup of a large world is the slowest.
const PATIENCE: Duration = Duration::from_mins(10);

/// What to ask, and how to show the answer.
#[derive(Args, Clone, Debug)]
pub struct ControlArguments {
    /// Shows the answer as JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: ControlCommand,
}

#[derive(Subcommand, Clone, Debug)]
enum ControlCommand {
    /// Figures of the running server
    Status,
    /// Lists who plays
    Who,
    /// Tells everybody who plays
    Broadcast {
        /// What to tell
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Shows how a player is connected
    Netinfo {
        /// The whole name of the character
        name: String,
    },
    /// Keeps an account, an address or a range out: NAME|ADDRESS|RANGE [for TIME] [REASON]
    Ban {
        /// Whom, for how long, and why
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Lets an account, an address or a range in again
    Unban {
        /// Whom
        whom: String,
    },
    /// Lists who is kept out
    Bans,
    /// Shuts logins, accounts or world; alone, tells what is locked
    Lock {
        /// What to shut
        what: Option<String>,
    },
    /// Opens what was locked
    Unlock {
        /// What to open
        what: String,
    },
    /// Deletes an account with all that it has
    Delete {
        /// The whole name of the account or of one of its characters
        name: String,
    },
    /// Writes the file of a zone, takes files over into the world, or tells what is different
    Zone {
        /// What to do
        #[arg(value_parser = ["export", "import", "diff"])]
        verb: String,
        /// The zone; several come in at once
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Shows all that is kept of somebody as JSON
    Export {
        /// The whole name of the account or of one of its characters
        name: String,
    },
    /// Shows a branch as JSON
    DumpBranch {
        /// Its number
        id: u32,
    },
    /// Shows the token with which the owner of a fresh world claims it
    OwnerToken,
    /// Makes a code that lets somebody in once, within an hour, to choose another password; the owner too
    Recover {
        /// The name of the account, or of one of its characters
        name: String,
    },
    /// Shows game time beside the machine's clock
    Time,
    /// Copies the database to a new file
    Backup {
        /// The file to write; it must not exist
        file: PathBuf,
    },
    /// Reads the content and the certificate for encrypted connections again
    Reload,
    /// Stops the server
    Stop {
        /// How long from now, such as 30 or 5m; everybody who plays is told
        #[arg(long = "in", value_name = "SECONDS", default_value = "0", value_parser = parse_span)]
        after: Span,
    },
}

impl ControlCommand {
    fn command(&self) -> Result<Command, Failure> {
        Ok(match self {
            Self::Status => Command::Status,
            Self::Who => Command::Who,
            Self::Broadcast { text } => Command::Broadcast(text.join(" ")),
            Self::Netinfo { name } => Command::NetInfo(name.clone()),
            Self::Ban { words } => Command::Line(format!("ban {}", words.join(" "))),
            Self::Unban { whom } => Command::Line(format!("unban {whom}")),
            Self::Bans => Command::Line("bans".into()),
            Self::Lock { what } => Command::Line(format!("lock {}", what.as_deref().unwrap_or_default())),
            Self::Unlock { what } => Command::Line(format!("unlock {what}")),
            Self::Delete { name } => Command::Line(format!("delete {name}")),
            Self::Zone { verb, names } => Command::Line(format!("zone {verb} {}", names.join(" "))),
            Self::Export { name } => Command::Export(name.clone()),
            Self::DumpBranch { id } => Command::DumpBranch(BranchId(*id)),
            Self::OwnerToken => Command::OwnerToken,
            Self::Recover { name } => Command::Recover(name.clone()),
            Self::Time => Command::Time,
            Self::Backup { file } => Command::Backup(absolute(file)?),
            Self::Reload => Command::Reload,
            Self::Stop { after } => Command::Stop(*after),
        })
    }
}

/// Asks the server and shows its answer.
pub(super) fn control(
    config: &ServerConfig,
    arguments: &ControlArguments,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let result = ask(&config.control_socket(), &arguments.command.command()?)?;
    let text = match arguments.command {
        _ if arguments.json => result.to_string() + "\n",
        ControlCommand::DumpBranch { .. } | ControlCommand::Export { .. } => format!("{result:#}\n"),
        _ => for_people(&result),
    };
    show(out, &text)?;
    match problems(&result) {
        // Machines read the problems out of the figures.
        Some(problems) if matches!(arguments.command, ControlCommand::Status) && !arguments.json => {
            Err(Failure::Degraded(problems))
        }
        _ => Ok(()),
    }
}

/// The sentences for the problems in the figures of a server, if it has any.
fn problems(status: &Value) -> Option<String> {
    let problems: Vec<Problem> = serde_json::from_value(status.get("problems")?.clone()).ok()?;
    let words: Vec<&str> = problems.into_iter().map(Problem::words).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// One request and its answer.
pub(super) fn ask(socket: &Path, command: &Command) -> Result<Value, Failure> {
    let failed = |error| Failure::Io(socket.display().to_string(), error);
    let mut stream = UnixStream::connect(socket).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => Failure::NotRunning(socket.to_owned()),
        _ => failed(error),
    })?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
    let line = serde_json::to_string(&Request::from(command)).map_err(|error| failed(error.into()))? + "\n";
    stream.write_all(line.as_bytes()).map_err(failed)?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).map_err(|error| match error.kind() {
        // A read that times out is reported as either of the two.
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            let waited = PATIENCE.as_secs();
            Failure::Unanswered(format!("the server has not answered within {waited} s; the work may go on"))
        }
        _ => failed(error),
    })?;
    let response: Response = serde_json::from_str(&answer).map_err(|error| failed(error.into()))?;
    Ok(response.into_result()?)
}

/// The server may work in another folder.
pub(super) fn absolute(file: &Path) -> Result<PathBuf, Failure> {
    path::absolute(file).map_err(|error| Failure::Io(file.display().to_string(), error))
}

/// An answer as lines: a name and its value, or one thing of a list each.
fn for_people(result: &Value) -> String {
    match result {
        Value::Null => "done\n".to_owned(),
        Value::Array(list) if list.is_empty() => "nobody\n".to_owned(),
        Value::Array(list) => list.iter().map(|value| plain(value) + "\n").collect(),
        Value::Object(figures) => {
            let mut lines = String::new();
            for (name, value) in figures {
                let name = name.replace('_', " ");
                match value {
                    Value::Object(_) => for_people(value).lines().for_each(|line| {
                        let _ = writeln!(lines, "{name} {line}");
                    }),
                    value => {
                        let _ = writeln!(lines, "{name}: {}", plain(value));
                    }
                }
            }
            lines
        }
        value => plain(value) + "\n",
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::os::unix::net::UnixListener;
    use std::thread;

    fn server(answer: &'static str) -> (tempfile::TempDir, thread::JoinHandle<String>) {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join("control.sock")).unwrap();
        let asked = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut line = String::new();
            BufReader::new(stream.try_clone().unwrap()).read_line(&mut line).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
            line
        });
        (folder, asked)
    }

    fn told(answer: &'static str, command: ControlCommand, json: bool) -> (String, Result<String, Failure>) {
        let (folder, asked) = server(answer);
        let config = ServerConfig { state_dir: folder.path().into(), ..ServerConfig::default() };
        let mut out = Vec::new();
        let result = control(&config, &ControlArguments { json, command }, &mut out);
        (asked.join().unwrap(), result.map(|()| String::from_utf8(out).unwrap()))
    }

    #[test]
    fn one_line_is_asked_and_one_line_is_shown_for_each_figure() {
        let answer = "{\"ok\":true,\"result\":{\"link_dead\":1,\"name\":\"Deepwell\"}}\n";
        let (asked, shown) = told(answer, ControlCommand::Status, false);
        assert_eq!(asked, "{\"cmd\":\"status\",\"args\":[]}\n");
        assert_eq!(shown.unwrap(), "link dead: 1\nname: Deepwell\n");
    }

    #[test]
    fn json_is_the_result_alone() {
        let (asked, shown) =
            told("{\"ok\":true,\"result\":[\"Ada\"]}\n", ControlCommand::DumpBranch { id: 7 }, true);
        assert_eq!(asked, "{\"cmd\":\"dump-branch\",\"args\":[\"7\"]}\n");
        assert_eq!(shown.unwrap(), "[\"Ada\"]\n");
    }

    #[test]
    fn a_refusal_is_told_and_has_its_exit_code() {
        let answer = "{\"ok\":false,\"error\":\"the world has its owner\"}\n";
        let failure = told(answer, ControlCommand::OwnerToken, false).1.unwrap_err();
        assert_eq!(failure.to_string(), "the server refused: the world has its owner");
        assert_eq!(failure.exit_code(), 3);
    }

    #[test]
    fn work_that_goes_on_is_told_as_such_and_has_its_exit_code() {
        let answer = "{\"ok\":false,\"unanswered\":true,\"error\":\"the work goes on\"}\n";
        let failure = told(answer, ControlCommand::Reload, false).1.unwrap_err();
        assert_eq!(failure.to_string(), "the work goes on");
        assert_eq!(failure.exit_code(), 4);
    }

    #[test]
    fn a_server_that_does_not_run_is_told_as_such() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("control.sock");
        let failure = ask(&socket, &Command::Status).unwrap_err();
        assert_eq!(
            failure.to_string(),
            format!(
                "no server runs on this folder: nothing answers at {}. Name its folder: run this where the server was \
                 started, with its --config FILE, or with --set server.state_dir=FOLDER",
                socket.display()
            )
        );
        drop(UnixListener::bind(&socket).unwrap());
        assert!(matches!(ask(&socket, &Command::Status), Err(Failure::NotRunning(_))), "left by a crash");
    }

    #[test]
    fn answers_read_as_lines() {
        assert_eq!(for_people(&Value::Null), "done\n");
        assert_eq!(for_people(&json!([])), "nobody\n");
        assert_eq!(for_people(&json!(["Ada", "Bo"])), "Ada\nBo\n");
        assert_eq!(for_people(&json!("token")), "token\n");
        assert_eq!(for_people(&json!({"world": {"link_dead": 2}})), "world link dead: 2\n");
    }
}
