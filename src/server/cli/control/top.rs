//! `deepwell control top`: shows the load of the running server again and again.

use crate::server::cli::{CliFailure, show, wait_for};
use crate::server::control::protocol::TopArguments;
use crate::server::load::{CauseLoad, Load, RoomLoad};
use deepwell_core::base::Span;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Moves the cursor to the top left and clears the terminal.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Form of the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TopFormat {
    /// Each refresh replaces the one before on the terminal.
    Screen,
    /// Each refresh is a block of lines, followed by an empty one.
    Lines,
    /// Each refresh is a line of JSON.
    Json,
}

/// Asks for the load until the refreshes are over. A server that answers too late is busy, which is shown; one that ends
/// is a failure.
pub(super) fn top(
    mut ask: impl FnMut() -> Result<Value, CliFailure>,
    arguments: &TopArguments,
    form: TopFormat,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let mut before: Option<(Instant, Load)> = None;
    let mut number = 0;
    loop {
        let text = match ask() {
            Ok(load) if form == TopFormat::Json => load.to_string() + "\n",
            Ok(load) => {
                let (now, load) = (Instant::now(), serde_json::from_value(load).unwrap_or_default());
                let text = screen(&load, before.as_ref().map(|(at, load)| (now - *at, load)), arguments);
                before = Some((now, load));
                text
            }
            Err(CliFailure::Unanswered(message)) if form != TopFormat::Json => message + "\n",
            Err(failure) => return Err(failure),
        };
        match form {
            TopFormat::Screen => {
                let cleared = out.write_all(CLEAR.as_bytes());
                cleared.map_err(|error| CliFailure::Io("output".into(), error))?;
                show(out, &text)?;
            }
            TopFormat::Lines if number > 0 => show(out, &format!("\n{text}"))?,
            TopFormat::Lines | TopFormat::Json => show(out, &text)?,
        }
        number += 1;
        if arguments.count.is_some_and(|count| number >= count) {
            return Ok(());
        }
        let every = Duration::from_millis(u64::try_from(arguments.every.0).unwrap_or(0));
        // A timer is created inside of the runtime.
        wait_for(async { sleep(every).await })?;
    }
}

/// Formats the load since the last refresh, or since the start of the server.
fn screen(load: &Load, before: Option<(Duration, &Load)>, arguments: &TopArguments) -> String {
    let known =
        |cause: &str| before.and_then(|(_, load)| load.causes.iter().find(|known| known.cause == cause));
    let mut causes: Vec<CauseLoad> = load.causes.clone();
    for cause in &mut causes {
        if let Some(known) = known(&cause.cause) {
            cause.steps = cause.steps.saturating_sub(known.steps);
            cause.seconds = (cause.seconds - known.seconds).max(0.0);
        }
    }
    causes.retain(|cause| cause.steps > 0);
    causes.sort_by(|a, b| b.seconds.total_cmp(&a.seconds).then_with(|| a.cause.cmp(&b.cause)));
    let worked: f64 = causes.iter().map(|cause| cause.seconds).sum();
    let (time, period) = match before {
        Some((passed, _)) => (passed, format!("the last {:.1} s", passed.as_secs_f64())),
        None => (Duration::from_secs(load.up_secs), "the time since the start".into()),
    };
    let share = 100.0 * worked / time.as_secs_f64().max(f64::MIN_POSITIVE);
    let mut text = format!(
        "up {}: {} players, {} connections, {} rooms, {} branches\n\
         waiting: {} requests, {} commits\n\
         the game worked {share:.1} % of {period}\n",
        Span::secs(i64::try_from(load.up_secs).unwrap_or(i64::MAX)),
        load.players,
        load.connections,
        load.rooms,
        load.branches,
        load.requests_waiting,
        load.commits_waiting,
    );
    for cause in causes.iter().take(arguments.rows) {
        let CauseLoad { cause, steps, seconds, longest_seconds, largest_work } = cause;
        let (total, longest) = (seconds * 1_000.0, longest_seconds * 1_000.0);
        let _ = writeln!(
            text,
            "{cause}: {steps} steps, {total:.1} ms; lately at most {longest:.1} ms and {largest_work} rows"
        );
    }
    for busy in load.busy_rooms.iter().take(arguments.rooms) {
        let RoomLoad { room, name, area, steps, seconds, work } = busy;
        let place = if name.is_empty() { "deleted".to_owned() } else { format!("{name}, {area}") };
        let total = seconds * 1_000.0;
        let _ = writeln!(text, "room {room} ({place}): lately {steps} steps, {total:.1} ms and {work} rows");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn load(looks: u64) -> Value {
        let looked = f64::from(u32::try_from(looks).unwrap()) / 1_000.0;
        json!({
            "up_secs": 120, "players": 3, "connections": 4, "requests_waiting": 1, "commits_waiting": 0, "rooms": 9,
            "branches": 2, "causes": [
                {"cause": "find", "steps": 1, "seconds": 0.0125, "longest_seconds": 0.0125, "largest_work": 40},
                {"cause": "look", "steps": looks, "seconds": looked, "longest_seconds": 0.001, "largest_work": 5},
            ]
        })
    }

    fn shown(answers: Vec<Result<Value, CliFailure>>, form: TopFormat) -> Result<String, CliFailure> {
        let mut answers = answers.into_iter();
        let count = u32::try_from(answers.len()).ok();
        let mut out = Vec::new();
        let arguments = TopArguments { count, every: Span::ZERO, rows: 15, rooms: 1 };
        top(|| answers.next().unwrap(), &arguments, form, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn refresh_shows_what_took_time_since_the_last_one() {
        let text = shown(vec![Ok(load(2)), Ok(load(7))], TopFormat::Lines).unwrap();
        let blocks: Vec<&str> = text.split("\n\n").collect();
        assert_eq!(
            blocks[0],
            "up 2 minutes: 3 players, 4 connections, 9 rooms, 2 branches\nwaiting: 1 requests, 0 commits\n\
             the game worked 0.0 % of the time since the start\n\
             find: 1 steps, 12.5 ms; lately at most 12.5 ms and 40 rows\n\
             look: 2 steps, 2.0 ms; lately at most 1.0 ms and 5 rows"
        );
        assert!(blocks[1].ends_with("look: 5 steps, 5.0 ms; lately at most 1.0 ms and 5 rows\n"), "{text}");
        assert!(!blocks[1].contains("find"), "it did nothing meanwhile: {text}");
    }

    #[test]
    fn busy_rooms_are_shown_by_name() {
        let mut load = load(1);
        let room = |room: u32, name: &str| json!({"room": room, "name": name, "area": "well", "steps": 9, "seconds": 0.004, "work": 812});
        load["busy_rooms"] = json!([room(12, "Lodge"), room(7, "Yard")]);
        let text = shown(vec![Ok(load.clone())], TopFormat::Lines).unwrap();
        assert!(text.ends_with("\nroom 12 (Lodge, well): lately 9 steps, 4.0 ms and 812 rows\n"), "{text}");
        load["busy_rooms"] = json!([room(12, "")]);
        let text = shown(vec![Ok(load)], TopFormat::Lines).unwrap();
        assert!(text.contains("\nroom 12 (deleted): lately"), "{text}");
    }

    #[test]
    fn only_a_terminal_is_cleared() {
        assert!(shown(vec![Ok(load(1))], TopFormat::Screen).unwrap().starts_with(CLEAR));
        assert!(!shown(vec![Ok(load(1))], TopFormat::Lines).unwrap().contains('\x1b'));
        let lines = shown(vec![Ok(load(1)), Ok(load(1))], TopFormat::Json).unwrap();
        assert_eq!(lines.lines().count(), 2);
        assert!(lines.lines().all(|line| serde_json::from_str::<Load>(line).is_ok()));
    }

    #[test]
    fn busy_server_is_shown_and_ended_server_is_a_failure() {
        let busy = || Err(CliFailure::Unanswered("no answer from the world within 5 s".into()));
        let text = shown(vec![busy(), Ok(load(1))], TopFormat::Lines).unwrap();
        assert!(text.starts_with("no answer from the world within 5 s\n\nup 2 minutes"), "{text}");
        let gone = Err(CliFailure::NoServer(vec!["var/control.sock: no socket".into()]));
        assert_eq!(shown(vec![Ok(load(1)), gone], TopFormat::Lines).unwrap_err().exit_code(), 3);
    }
}
