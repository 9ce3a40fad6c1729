//! `deepwell control`: sends a request to the running server over its control socket and shows the answer.

pub(super) mod changes;
pub(super) mod place;
mod restart;
mod top;

use super::{CliFailure, SettingArguments, show};
use crate::server::cluster::HostLine;
use crate::server::config::ConfigChanges;
use crate::server::control::protocol::{
    ClusterCommand, ControlCommand, ControlRefusal, ControlRequest, Response,
};
use crate::server::game_loop::question::Problem;
use clap::Args;
use place::{PACKAGED, Process, ProcessConnection};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// Wait for an answer beyond the time that the server has for it.
const GRACE: Duration = Duration::from_secs(1);

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

/// Sends a request to the server and shows the answer.
pub(super) fn control(
    settings: &SettingArguments,
    arguments: &ControlArguments,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let commands = arguments.command.clone().split();
    let [command] = &commands[..] else { return control_each(settings, arguments, &commands, out) };
    let process = if arguments.gateway { Process::Gateway } else { Process::Server };
    let ProcessConnection { socket, stream, .. } = place::connect(settings, &[process], PACKAGED)?;
    if let ControlCommand::Top(plan) = command {
        let form = match (arguments.json, io::stdout().is_terminal()) {
            (true, _) => top::TopFormat::Json,
            (false, true) => top::TopFormat::Screen,
            (false, false) => top::TopFormat::Lines,
        };
        return top::top(|| ask(&socket, command), plan, form, out);
    }
    let result = match command {
        ControlCommand::Restart => restart::restart(&socket, stream)?,
        _ => ask_over(&socket, stream, command)?,
    };
    let text = match command {
        _ if arguments.json => result.to_string() + "\n",
        ControlCommand::DumpBranch { .. } | ControlCommand::Export { .. } => format!("{result:#}\n"),
        ControlCommand::Reload => reloaded(&result),
        ControlCommand::Cluster(ClusterCommand::Status) => hosts(&result),
        _ => human_readable(&result),
    };
    show(out, &text)?;
    match problems(&result) {
        // With `--json`, programs read the problems from the output instead.
        Some(problems) if matches!(command, ControlCommand::Status) && !arguments.json => {
            Err(CliFailure::Degraded(problems))
        }
        _ => Ok(()),
    }
}

/// Sends the same order for several names, and shows each answer. A refusal does not stop the rest.
fn control_each(
    settings: &SettingArguments,
    arguments: &ControlArguments,
    commands: &[ControlCommand],
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let ProcessConnection { socket, .. } = place::connect(settings, &[Process::Server], PACKAGED)?;
    let mut refused = Vec::new();
    for command in commands {
        match ask(&socket, command) {
            Ok(result) if arguments.json => show(out, &(result.to_string() + "\n"))?,
            Ok(result) => show(out, &human_readable(&result))?,
            Err(CliFailure::Refused(why)) => refused.push(why.to_string()),
            Err(failure) => return Err(failure),
        }
    }
    if refused.is_empty() { Ok(()) } else { Err(ControlRefusal(refused.join("\n")).into()) }
}

/// Formats the answer to a reload: the content, then a line for each changed setting.
fn reloaded(result: &Value) -> String {
    let lines = result.get("content").map_or_else(String::new, |content| plain(content) + "\n");
    let changes: ConfigChanges = result
        .get("settings")
        .and_then(|changes| serde_json::from_value(changes.clone()).ok())
        .unwrap_or_default();
    lines + &changes::lines(&changes, ["in force", "needs a restart"])
}

/// Formats the hosts of a cluster, a line each.
fn hosts(result: &Value) -> String {
    let hosts: Vec<HostLine> = serde_json::from_value(result.clone()).unwrap_or_default();
    hosts.iter().map(|host| host.to_string() + "\n").collect()
}

/// Returns the descriptions of the problems in a status answer that impair play, if it has any.
fn problems(status: &Value) -> Option<String> {
    let is_warning = |problem: &Value| {
        serde_json::from_value(problem.clone()).is_ok_and(|problem: Problem| problem.is_warning())
    };
    let problems = status.get("problems")?.as_array()?.iter().filter(|problem| !is_warning(problem));
    let texts: Vec<String> = problems.map(problem_words).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// Returns the description of a problem, which a gateway sends in words.
fn problem_words(problem: &Value) -> String {
    let known = serde_json::from_value::<Problem>(problem.clone());
    known.map_or_else(|_| plain(problem), |problem| problem.words().to_owned())
}

/// Sends one request and returns its result.
pub(super) fn ask(socket: &Path, command: &ControlCommand) -> Result<Value, CliFailure> {
    let stream = UnixStream::connect(socket).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => {
            CliFailure::NotRunning(socket.to_owned())
        }
        _ if place::is_busy(&error) => place::busy(socket),
        _ => CliFailure::Io(socket.display().to_string(), error),
    })?;
    ask_over(socket, stream, command)
}

/// Sends one request over a connection and returns its result.
pub(super) fn ask_over(
    socket: &Path,
    mut stream: UnixStream,
    command: &ControlCommand,
) -> Result<Value, CliFailure> {
    let failed = |error| CliFailure::Io(socket.display().to_string(), error);
    let patience = command.answer_time();
    stream.set_read_timeout(Some(patience + GRACE)).map_err(failed)?;
    let request = ControlRequest::new(command.clone(), operator());
    let line = serde_json::to_string(&request).map_err(|error| failed(error.into()))? + "\n";
    stream.write_all(line.as_bytes()).map_err(failed)?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).map_err(|error| match error.kind() {
        // A read timeout is reported as either kind, depending on the platform.
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            let waited = patience.as_secs();
            CliFailure::Unanswered(format!(
                "no answer from the server within {waited} s; the work may continue"
            ))
        }
        _ => failed(error),
    })?;
    if answer.is_empty() {
        let message =
            "the server ended the connection without an answer; whether it did the work is not known";
        return Err(CliFailure::Unanswered(message.into()));
    }
    let response: Response = serde_json::from_str(&answer).map_err(|error| failed(error.into()))?;
    Ok(response.into_result()?)
}

/// Returns the user who runs the command as another one, if it is known.
fn operator() -> Option<String> {
    ["SUDO_USER", "DOAS_USER"].iter().find_map(|name| std::env::var(name).ok())
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

    fn told(
        answer: &'static str,
        command: ControlCommand,
        json: bool,
    ) -> (String, Result<String, CliFailure>) {
        let (folder, asked) = server(answer);
        let set = vec![format!("server.state_dir={}", folder.path().display())];
        let settings = SettingArguments { config: None, set };
        let mut out = Vec::new();
        let result = control(&settings, &ControlArguments { json, gateway: false, command }, &mut out);
        (asked.join().unwrap(), result.map(|()| String::from_utf8(out).unwrap()))
    }

    #[test]
    fn status_sends_one_line_and_prints_a_line_per_figure() {
        let answer = "{\"ok\":true,\"result\":{\"link_dead\":1,\"name\":\"Deepwell\"}}\n";
        let (asked, shown) = told(answer, ControlCommand::Status, false);
        assert_eq!(asked, "{\"version\":1,\"cmd\":\"status\"}\n");
        assert_eq!(shown.unwrap(), "link dead: 1\nname: Deepwell\n");
    }

    #[test]
    fn json_output_is_only_the_result() {
        let (asked, shown) =
            told("{\"ok\":true,\"result\":[\"Ada\"]}\n", ControlCommand::DumpBranch { id: 7 }, true);
        assert_eq!(asked, "{\"version\":1,\"cmd\":\"dump-branch\",\"args\":{\"id\":7}}\n");
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
    fn server_that_ends_without_an_answer_has_not_refused() {
        let failure = told("", ControlCommand::Who, false).1.unwrap_err();
        assert_eq!(failure.exit_code(), 4, "{failure}");
    }

    #[test]
    fn missing_server_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("control.sock");
        let failure = ask(&socket, &ControlCommand::Status).unwrap_err();
        assert_eq!(
            failure.to_string(),
            format!(
                "no server is running on this folder: no answer at {}. Specify the server's folder: run this command \
                 where the server was started, with the same --config FILE, or with --set server.state_dir=FOLDER",
                socket.display()
            )
        );
        drop(UnixListener::bind(&socket).unwrap());
        assert!(
            matches!(ask(&socket, &ControlCommand::Status), Err(CliFailure::NotRunning(_))),
            "left by a crash"
        );
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
