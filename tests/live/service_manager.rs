//! A socket in place of a service manager receives the reports of each role: ready, reloading, stopping.

use crate::PATIENCE;
use crate::server::{Environment, Server, program};
use rustix::time::{ClockId, clock_gettime};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const READY: &str = "READY=1\n";
const STOPPING: &str = "STOPPING=1\n";

/// Socket named by `NOTIFY_SOCKET`.
struct Manager {
    socket: UnixDatagram,
    address: PathBuf,
    _folder: TempDir,
}

impl Manager {
    /// Creates a socket with a path.
    fn with_path() -> Self {
        let folder = TempDir::new().unwrap();
        let address = folder.path().join("notify");
        Self { socket: UnixDatagram::bind(&address).unwrap(), address, _folder: folder }
    }

    /// Creates a socket without a file, as some supervisors use.
    fn with_abstract_address() -> Self {
        let folder = TempDir::new().unwrap();
        let name = folder.path().display().to_string();
        let socket = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        Self { socket, address: format!("@{name}").into(), _folder: folder }
    }

    fn environment(&self) -> Environment {
        vec![("NOTIFY_SOCKET", self.address.clone())]
    }

    /// Waits for the next report.
    fn report(&self) -> String {
        self.socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut buffer = [0; 256];
        let count = self.socket.recv(&mut buffer).expect("a report");
        String::from_utf8(buffer[..count].to_vec()).unwrap()
    }

    /// Waits for a report of a reload that began after a time of the monotonic clock, in microseconds.
    fn expect_reload(&self, since: i64) {
        let report = self.report();
        let time =
            report.strip_prefix("RELOADING=1\nMONOTONIC_USEC=").and_then(|rest| rest.strip_suffix('\n'));
        let time: i64 = time.unwrap_or_else(|| panic!("no reload: {report}")).parse().unwrap();
        assert!((since..=now()).contains(&time), "{time} is not between {since} and {}", now());
        assert_eq!(self.report(), READY);
    }

    /// Returns `true` if no report waits.
    fn is_silent(&self) -> bool {
        self.socket.set_nonblocking(true).unwrap();
        let is_silent = self.socket.recv(&mut [0; 256]).is_err();
        self.socket.set_nonblocking(false).unwrap();
        is_silent
    }
}

/// Returns the time of the monotonic clock in microseconds.
fn now() -> i64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec * 1_000_000 + now.tv_nsec / 1_000
}

/// O1: `deepwell serve` reports its start, a reload, also one that finds mistakes, and its stop, each once.
#[test]
fn o1_server_reports_start_reload_and_stop() {
    let manager = Manager::with_path();
    let mut server = Server::start_with_environment(manager.environment());
    assert_eq!(manager.report(), READY);
    let since = now();
    server.control(&["reload"]);
    manager.expect_reload(since);
    std::fs::create_dir(server.folder().join("content")).unwrap();
    std::fs::write(server.folder().join("content/rules.toml"), "]").unwrap();
    server.try_control(&["reload"]).expect_err("the content has a mistake");
    manager.expect_reload(since);
    assert!(manager.is_silent());
    server.stop();
    assert_eq!(manager.report(), STOPPING);
    assert!(manager.is_silent());
}

/// O1: a host that restarts reports that it reloads and is ready again, as the same process; its gateway reports
/// nothing of it.
#[test]
fn o1_restarted_host_reports_to_be_ready_again() {
    let managers = [Manager::with_abstract_address(), Manager::with_path()];
    let environment = managers.each_ref().map(Manager::environment);
    let [mut gateway, mut host] = Server::start_apart_with(&[], environment);
    let [of_gateway, of_host] = &managers;
    for manager in &managers {
        assert_eq!(manager.report(), READY);
    }
    let process = host.process();
    for _ in 0..2 {
        let (since, before) = (now(), host.log().len());
        host.control(&["restart"]);
        of_host.expect_reload(since);
        host.wait_for_log(before, "linked to a gateway");
        let ready = std::fs::read_to_string(host.state().join("ready.json")).unwrap();
        assert!(ready.contains(&format!("\"pid\":{process},")), "{ready}");
    }
    assert!(of_gateway.is_silent());
    let since = now();
    gateway.control(&["reload"]);
    of_gateway.expect_reload(since);
    host.stop();
    gateway.stop();
    for manager in &managers {
        assert_eq!(manager.report(), STOPPING);
        assert!(manager.is_silent());
    }
}

/// O1: a real systemd starts, reloads, restarts and stops the units of `deploy/systemd`. The script prints a line if it
/// cannot run them here.
#[test]
fn o1_units_run_under_systemd() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/run-units.sh");
    let output = Command::new(script).arg(program()).output().unwrap();
    let [report, errors] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    println!("{report}");
    assert!(output.status.success(), "{report}\n{errors}");
}

/// O7: with `WatchdogSec`, each role gives signs of life while it works, also around a restart. A process that is stopped
/// gives none.
#[test]
fn o7_every_role_gives_signs_of_life() {
    let managers = [Manager::with_path(), Manager::with_path()];
    let environment = managers
        .each_ref()
        .map(|manager| [manager.environment(), vec![("WATCHDOG_USEC", "2000000".into())]].concat());
    let [gateway, host] = Server::start_apart_with(&[], environment);
    // A host gives signs of life already while it loads the world.
    let next_other = |manager: &Manager| {
        std::iter::repeat_with(|| manager.report()).find(|report| report != "WATCHDOG=1\n").unwrap()
    };
    for manager in &managers {
        assert_eq!(next_other(manager), "READY=1\nWATCHDOG_USEC=2000000\n");
        for _ in 0..3 {
            assert_eq!(manager.report(), "WATCHDOG=1\n");
        }
    }
    host.control(&["restart"]);
    let reload = next_other(&managers[1]);
    assert!(
        reload.starts_with("RELOADING=1\n") && reload.ends_with("\nWATCHDOG_USEC=900000000\n"),
        "{reload}"
    );
    assert_eq!(next_other(&managers[1]), "READY=1\nWATCHDOG_USEC=2000000\n");
    assert_eq!(managers[1].report(), "WATCHDOG=1\n");
    gateway.signal("STOP");
    std::thread::sleep(std::time::Duration::from_millis(500));
    while !managers[0].is_silent() {}
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert!(managers[0].is_silent());
    gateway.signal("CONT");
    assert_eq!(managers[0].report(), "WATCHDOG=1\n");
}
