//! `deepwell control`: sends a request to the running server over its control socket and shows the answer.

use super::{Failure, show};
use crate::base::{BranchId, Span};
use crate::server::cluster::HostLine;
use crate::server::config::{Changes, ServerConfig, parse_span};
use crate::server::control_protocol::{ClusterOrder, Command, Request, Response};
use crate::server::question::Problem;
use clap::{Args, Subcommand};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{self, Path, PathBuf};
use std::time::Duration;

/// Maximum wait for an answer; the backup of a large world takes longest.
const PATIENCE: Duration = Duration::from_mins(10);

/// Command for the running server, and output format
#[derive(Args, Clone, Debug)]
pub struct ControlArguments {
    /// Print the answer as JSON
    #[arg(long, global = true)]
    json: bool,
    /// Send the command to the gateway: status, who, broadcast, time, reload or stop
    #[arg(long, global = true)]
    gateway: bool,
    #[command(subcommand)]
    command: ControlCommand,
}

#[derive(Subcommand, Clone, Debug)]
enum ControlCommand {
    /// Show figures of the running server
    Status,
    /// List the players online
    Who,
    /// Send a message to all players online
    Broadcast {
        /// Text of the message
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Show connection details of a player
    Netinfo {
        /// Full name of the character
        name: String,
    },
    /// Ban an account, an address or a range: NAME|ADDRESS|RANGE [for TIME] [REASON]
    Ban {
        /// Target, duration and reason
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Lift the ban of an account, an address or a range
    Unban {
        /// Banned account, address or range
        whom: String,
    },
    /// List all bans
    Bans,
    /// Close logins, accounts or world; without an argument, show what is locked
    Lock {
        /// Logins, accounts or world
        what: Option<String>,
    },
    /// Reopen what was locked
    Unlock {
        /// Logins, accounts or world
        what: String,
    },
    /// Delete an account with all its characters and belongings
    Delete {
        /// Full name of the account or of one of its characters
        name: String,
    },
    /// Write a zone to its file, import zone files into the world, or show the differences
    Zone {
        /// Action
        #[arg(value_parser = ["export", "import", "diff"])]
        verb: String,
        /// Zones; several are imported together
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Print all stored data about a player as JSON
    Export {
        /// Full name of the account or of one of its characters
        name: String,
    },
    /// Print a branch as JSON
    DumpBranch {
        /// Number of the branch
        id: u32,
    },
    /// Show the token with which the owner claims a new world
    OwnerToken,
    /// Create a one-time code, valid for an hour, with which a player (or the owner) can choose a new password
    Recover {
        /// Name of the account or of one of its characters
        name: String,
    },
    /// Show game time and the machine's clock
    Time,
    /// Copy the database to a new file
    Backup {
        /// File to write; it must not exist
        file: PathBuf,
    },
    /// Reload settings, content and the TLS certificate, and list the settings that have changed
    Reload,
    /// Restart the host with its present program; gateways keep the clients connected
    Restart,
    /// Show the hosts of the cluster, let this host lead, or forget a host
    #[command(subcommand)]
    Cluster(ClusterCommand),
    /// Stop the server
    Stop {
        /// Delay, such as 30 or 5m; all players online are notified
        #[arg(long = "in", value_name = "SECONDS", default_value = "0", value_parser = parse_span)]
        after: Span,
    },
}

#[derive(Subcommand, Clone, Debug)]
enum ClusterCommand {
    /// Show all hosts: role, entries of the log that are stored and missing, problems
    Status,
    /// Let this standby lead: the leader writes its last changes and makes way
    Promote,
    /// Forget a host that has ended
    Remove {
        /// Name of the host
        host: String,
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
            Self::Restart => Command::Restart,
            Self::Cluster(ClusterCommand::Status) => Command::Cluster(ClusterOrder::Status),
            Self::Cluster(ClusterCommand::Promote) => Command::Cluster(ClusterOrder::Promote),
            Self::Cluster(ClusterCommand::Remove { host }) => {
                Command::Cluster(ClusterOrder::Remove(host.clone()))
            }
            Self::Stop { after } => Command::Stop(*after),
        })
    }
}

/// Sends a request to the server and shows the answer.
pub(super) fn control(
    config: &ServerConfig,
    arguments: &ControlArguments,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let socket = if arguments.gateway { config.gateway_control_socket() } else { config.control_socket() };
    let result = ask(&socket, &arguments.command.command()?)?;
    let text = match arguments.command {
        _ if arguments.json => result.to_string() + "\n",
        ControlCommand::DumpBranch { .. } | ControlCommand::Export { .. } => format!("{result:#}\n"),
        ControlCommand::Reload => reloaded(&result),
        ControlCommand::Cluster(ClusterCommand::Status) => hosts(&result),
        _ => human_readable(&result),
    };
    show(out, &text)?;
    match problems(&result) {
        // With `--json`, programs read the problems from the output instead.
        Some(problems) if matches!(arguments.command, ControlCommand::Status) && !arguments.json => {
            Err(Failure::Degraded(problems))
        }
        _ => Ok(()),
    }
}

/// Formats the answer to a reload: the content, then a line for each changed setting.
fn reloaded(result: &Value) -> String {
    let mut lines = result.get("content").map_or_else(String::new, |content| plain(content) + "\n");
    let changes: Changes = result
        .get("settings")
        .and_then(|changes| serde_json::from_value(changes.clone()).ok())
        .unwrap_or_default();
    let in_force = changes.in_force.iter().map(|change| ("in force", change));
    for (effect, change) in
        in_force.chain(changes.need_restart.iter().map(|change| ("needs a restart", change)))
    {
        let _ = writeln!(lines, "{effect}: {change}");
    }
    lines
}

/// Formats the hosts of a cluster, a line each.
fn hosts(result: &Value) -> String {
    let hosts: Vec<HostLine> = serde_json::from_value(result.clone()).unwrap_or_default();
    hosts.iter().map(|host| host.to_string() + "\n").collect()
}

/// Returns the descriptions of the problems in a status answer, if it has any.
fn problems(status: &Value) -> Option<String> {
    let problems = status.get("problems")?.as_array()?;
    let words: Vec<String> = problems.iter().map(problem_words).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// Returns the description of a problem, which a gateway sends in words.
fn problem_words(problem: &Value) -> String {
    let known = serde_json::from_value::<Problem>(problem.clone());
    known.map_or_else(|_| plain(problem), |problem| problem.words().to_owned())
}

/// Sends one request and returns its result.
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
        // A read timeout is reported as either kind, depending on the platform.
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            let waited = PATIENCE.as_secs();
            Failure::Unanswered(format!("no answer from the server within {waited} s; the work may continue"))
        }
        _ => failed(error),
    })?;
    let response: Response = serde_json::from_str(&answer).map_err(|error| failed(error.into()))?;
    Ok(response.into_result()?)
}

/// Makes a path absolute, since the server may have another working directory.
pub(super) fn absolute(file: &Path) -> Result<PathBuf, Failure> {
    path::absolute(file).map_err(|error| Failure::Io(file.display().to_string(), error))
}

/// Formats an answer as lines: a name and value, or one list element, per line.
fn human_readable(result: &Value) -> String {
    match result {
        Value::Null => "done\n".to_owned(),
        Value::Array(list) if list.is_empty() => "nobody\n".to_owned(),
        Value::Array(list) => list.iter().map(|value| plain(value) + "\n").collect(),
        Value::Object(figures) => {
            let mut lines = String::new();
            for (name, value) in figures {
                let name = name.replace('_', " ");
                match value {
                    Value::Object(_) => human_readable(value).lines().for_each(|line| {
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
        let result = control(&config, &ControlArguments { json, gateway: false, command }, &mut out);
        (asked.join().unwrap(), result.map(|()| String::from_utf8(out).unwrap()))
    }

    #[test]
    fn status_sends_one_line_and_prints_a_line_per_figure() {
        let answer = "{\"ok\":true,\"result\":{\"link_dead\":1,\"name\":\"Deepwell\"}}\n";
        let (asked, shown) = told(answer, ControlCommand::Status, false);
        assert_eq!(asked, "{\"cmd\":\"status\",\"args\":[]}\n");
        assert_eq!(shown.unwrap(), "link dead: 1\nname: Deepwell\n");
    }

    #[test]
    fn json_output_is_only_the_result() {
        let (asked, shown) =
            told("{\"ok\":true,\"result\":[\"Ada\"]}\n", ControlCommand::DumpBranch { id: 7 }, true);
        assert_eq!(asked, "{\"cmd\":\"dump-branch\",\"args\":[\"7\"]}\n");
        assert_eq!(shown.unwrap(), "[\"Ada\"]\n");
    }

    #[test]
    fn refusal_is_printed_and_exits_with_3() {
        let answer = "{\"ok\":false,\"error\":\"the world already has an owner\"}\n";
        let failure = told(answer, ControlCommand::OwnerToken, false).1.unwrap_err();
        assert_eq!(failure.to_string(), "the server refused: the world already has an owner");
        assert_eq!(failure.exit_code(), 3);
    }

    #[test]
    fn unanswered_work_is_reported_and_exits_with_4() {
        let answer = "{\"ok\":false,\"unanswered\":true,\"error\":\"the work continues\"}\n";
        let failure = told(answer, ControlCommand::Reload, false).1.unwrap_err();
        assert_eq!(failure.to_string(), "the work continues");
        assert_eq!(failure.exit_code(), 4);
    }

    #[test]
    fn missing_server_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("control.sock");
        let failure = ask(&socket, &Command::Status).unwrap_err();
        assert_eq!(
            failure.to_string(),
            format!(
                "no server is running on this folder: no answer at {}. Specify the server's folder: run this command \
                 where the server was started, with the same --config FILE, or with --set server.state_dir=FOLDER",
                socket.display()
            )
        );
        drop(UnixListener::bind(&socket).unwrap());
        assert!(matches!(ask(&socket, &Command::Status), Err(Failure::NotRunning(_))), "left by a crash");
    }

    #[test]
    fn reload_lists_changed_settings() {
        let result = json!({"content": "1 theme", "settings": {
            "in_force": ["limits.guests = 2, was 10"],
            "need_restart": ["telnet.listen = \"off\", was \"on\""],
        }});
        assert_eq!(
            reloaded(&result),
            "1 theme\nin force: limits.guests = 2, was 10\nneeds a restart: telnet.listen = \"off\", was \"on\"\n"
        );
    }

    #[test]
    fn answers_are_formatted_as_lines() {
        assert_eq!(human_readable(&Value::Null), "done\n");
        assert_eq!(human_readable(&json!([])), "nobody\n");
        assert_eq!(human_readable(&json!(["Ada", "Bo"])), "Ada\nBo\n");
        assert_eq!(human_readable(&json!("token")), "token\n");
        assert_eq!(human_readable(&json!({"world": {"link_dead": 2}})), "world link dead: 2\n");
    }
}
