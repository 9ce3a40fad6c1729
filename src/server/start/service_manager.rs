//! Notices to a service manager such as systemd: datagrams to the socket named by `NOTIFY_SOCKET`. Without that variable
//! nothing is sent.

use std::ffi::OsStr;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;
use std::{env, io};

use rustix::time::{ClockId, clock_gettime};
use tokio::time::{sleep, timeout};

/// Variable with the address of the socket.
const SOCKET: &str = "NOTIFY_SOCKET";

/// Variables with the time between signs of life in microseconds, and the process that must give them.
const WATCHDOG: &str = "WATCHDOG_USEC";
const WATCHDOG_PROCESS: &str = "WATCHDOG_PID";
/// Number of signs of life in that time.
const BEATS: u32 = 4;
/// Maximum time without a sign of life while the process starts again: that for a start in the units.
const RELOAD: Duration = Duration::from_mins(15);

/// Reports that clients can connect, or that a reload or a restart is complete.
pub(in crate::server) fn ready() {
    report(&format!("READY=1\n{}", watchdog_line(watchdog())));
}

/// Reports that the process stops.
pub(in crate::server) fn stopping() {
    report("STOPPING=1\n");
}

/// Reports that the process reloads, or starts again under the same process id, and will report to be ready.
pub(in crate::server) fn reloading() {
    let now = clock_gettime(ClockId::Monotonic);
    let monotonic = now.tv_sec * 1_000_000 + now.tv_nsec / 1_000;
    let patience = watchdog_line(watchdog().map(|_| RELOAD));
    report(&format!("RELOADING=1\nMONOTONIC_USEC={monotonic}\n{patience}"));
}

/// Time between signs of life that the service manager requires (`WatchdogSec` of the unit); `None` if it requires none.
fn watchdog() -> Option<Duration> {
    let of_other = env::var(WATCHDOG_PROCESS).is_ok_and(|pid| pid != std::process::id().to_string());
    let micros = env::var(WATCHDOG).ok()?.parse().ok()?;
    Some(Duration::from_micros(micros)).filter(|every| !of_other && !every.is_zero())
}

/// Returns the line that sets the time between signs of life.
fn watchdog_line(every: Option<Duration>) -> String {
    every.map_or_else(String::new, |every| format!("WATCHDOG_USEC={}\n", every.as_micros()))
}

/// Reports signs of life as long as the process works: `is_alive` waits for an answer of the task that matters, and may
/// wait for ever.
pub(in crate::server) async fn report_life<W: Future<Output = bool>>(is_alive: impl Fn() -> W) {
    let Some(every) = watchdog() else { return };
    beat(every, is_alive, || send_report("WATCHDOG=1\n", ReportLoss::Permitted)).await;
}

async fn beat<W: Future<Output = bool>>(every: Duration, is_alive: impl Fn() -> W, report: impl Fn()) {
    loop {
        if timeout(every, is_alive()).await == Ok(true) {
            report();
        }
        sleep(every / BEATS).await;
    }
}

/// A reload in progress; its end is reported on drop.
pub(in crate::server) struct Reload(());

impl Reload {
    /// Reports the begin.
    pub(in crate::server) fn begin() -> Self {
        reloading();
        Self(())
    }
}

impl Drop for Reload {
    fn drop(&mut self) {
        ready();
    }
}

/// Treatment of a report if the service manager does not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ReportLoss {
    /// The process waits.
    Avoided,
    /// The report is dropped: a later one tells the same, and waiting would stop the runtime.
    Permitted,
}

fn report(state: &str) {
    send_report(state, ReportLoss::Avoided);
}

fn send_report(state: &str, loss: ReportLoss) {
    let Some(socket) = env::var_os(SOCKET).filter(|socket| !socket.is_empty()) else { return };
    if let Err(error) = send(&socket, state, loss)
        && error.kind() != io::ErrorKind::WouldBlock
    {
        tracing::warn!(socket = %socket.display(), %error, "cannot report to the service manager");
    }
}

/// Sends a datagram to a path, or to an abstract address, which begins with `@`.
fn send(socket: &OsStr, state: &str, loss: ReportLoss) -> io::Result<()> {
    let address = match socket.as_bytes() {
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name)?,
        _ => SocketAddr::from_pathname(socket)?,
    };
    let datagrams = UnixDatagram::unbound()?;
    datagrams.set_nonblocking(loss == ReportLoss::Permitted)?;
    datagrams.send_to_addr(state.as_bytes(), &address)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// O7: a task that hangs or has ended gives no sign of life, one that answers late gives fewer.
    #[tokio::test(start_paused = true)]
    async fn o7_only_a_task_that_answers_gives_signs_of_life() {
        const EVERY: Duration = Duration::from_secs(40);
        for (answer_after, is_alive, expected) in [
            (Some(Duration::ZERO), true, 41..=41),
            (Some(Duration::from_secs(10)), true, 20..=21),
            (Some(Duration::ZERO), false, 0..=0),
            (Some(EVERY + Duration::from_secs(1)), true, 0..=0),
            (None, true, 0..=0),
        ] {
            let reports = AtomicUsize::new(0);
            let answer = || async move {
                let Some(after) = answer_after else { return std::future::pending().await };
                sleep(after).await;
                is_alive
            };
            let count = || _ = reports.fetch_add(1, Ordering::Relaxed);
            let _ = timeout(EVERY * 10 + Duration::from_secs(1), beat(EVERY, answer, count)).await;
            let found = reports.load(Ordering::Relaxed);
            assert!(expected.contains(&found), "{answer_after:?} {is_alive}: {found}");
        }
    }

    /// O7: signs of life to a service manager that does not read are dropped, and do not block.
    #[test]
    fn o7_signs_of_life_do_not_wait_for_the_service_manager() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let manager = UnixDatagram::bind(&path).unwrap();
        let sign = |_| send(path.as_os_str(), "WATCHDOG=1\n", ReportLoss::Permitted).err();
        let full = (0..10_000).find_map(sign).expect("the queue of the manager is bounded");
        assert_eq!(full.kind(), io::ErrorKind::WouldBlock);
        manager.recv(&mut [0; 16]).unwrap();
        send(path.as_os_str(), "READY=1\n", ReportLoss::Avoided).unwrap();
    }
}
