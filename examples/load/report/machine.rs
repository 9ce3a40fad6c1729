//! Date, commit and machine of a run.

use std::fs;
use std::process::Command;
use std::time::SystemTime;

/// Returns the date in UTC.
fn date() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string().chars().take(10).collect()
}

fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn commit() -> String {
    let commit = git(&["rev-parse", "--short=10", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    let changes = git(&["status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs"]);
    let note =
        if changes.is_some_and(|changes| !changes.is_empty()) { " with uncommitted changes" } else { "" };
    format!("{commit}{note}")
}

/// Returns the value of a line such as `model name : …`.
fn value(path: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.trim_start_matches(['\t', ' ', ':']).trim().to_owned())
}

/// Returns a paragraph about the run, without the name of the machine.
pub(crate) fn description() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let model = value("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".to_owned());
    let memory = value("/proc/meminfo", "MemTotal").unwrap_or_default();
    let memory: u64 = memory.trim_end_matches(" kB").parse().unwrap_or(0);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    // Suffixes of the version can name the machine.
    let kernel = kernel.trim().split(['-', '+']).next().unwrap_or_default().to_owned();
    format!(
        "Date: {}. Commit: `{}`. Machine: {cores} cores ({model}), {} GiB of memory, Linux {kernel}.",
        date(),
        commit(),
        memory.div_ceil(1_048_576)
    )
}

/// Returns the load average of the last minute: the number of processes that ran or waited to run.
pub(super) fn load_average() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0)
}
