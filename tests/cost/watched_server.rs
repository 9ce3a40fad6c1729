//! Server under callgrind, with one telnet client.

use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::profile::Profile;

/// Time limit for an answer.
const PATIENCE: Duration = Duration::from_mins(2);

/// Settings of the server. The world is always the same, and no command of the client is delayed.
const SETTINGS: &[&str] = &[
    "telnet.listen=127.0.0.1:0",
    "http.listen=off",
    "ops.listen=off",
    "world.seed=7",
    "limits.commands_per_second=100000",
    "limits.commands_burst=100000",
];

/// Running server; killed on drop.
pub(crate) struct WatchedServer {
    folder: TempDir,
    child: Child,
    client: TcpStream,
    received: String,
    dumps: usize,
    /// Kept open, because the server writes its log to it.
    _log: BufReader<ChildStderr>,
}

impl WatchedServer {
    /// Returns the reason why this machine cannot count instructions, if there is one.
    pub(crate) fn obstacle() -> Option<&'static str> {
        let is_there = |program| Command::new(program).arg("--help").output().is_ok();
        match () {
            () if !cfg!(debug_assertions) => Some("the counts are those of the debug build"),
            () if !is_there("valgrind") || !is_there("vgdb") => {
                Some("valgrind is not installed (Debian: valgrind)")
            }
            () => None,
        }
    }

    /// Starts a server that does not count yet, and logs in a new player.
    pub(crate) fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let at = |name| folder.path().join(name).display().to_string();
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--instr-atstart=no"]);
        // The pipes of vgdb disappear with the folder.
        command.arg(format!("--vgdb-prefix={}", at("vgdb")));
        command.arg(format!("--callgrind-out-file={}", at("dump")));
        command.args([env!("CARGO_BIN_EXE_deepwell"), "serve", "--set"]);
        command.arg(format!("server.state_dir={}", at("var")));
        command.args(SETTINGS.iter().flat_map(|setting| ["--set", setting]));
        let mut child =
            command.current_dir(folder.path()).stderr(Stdio::piped()).spawn().expect("valgrind starts");
        let mut log = BufReader::new(child.stderr.take().expect("a pipe"));
        let address = read_address(&mut log).expect("a server that starts");
        let client = TcpStream::connect(address).expect("an open port");
        client.set_read_timeout(Some(PATIENCE)).expect("a socket");
        client.set_nodelay(true).expect("a socket");
        let mut server = Self { folder, child, client, received: String::new(), dumps: 0, _log: log };
        server.type_line("create Measured long-enough-password", "HP:");
        // What the guide does is no part of a command of an experienced player.
        server.type_line("no", "HP:");
        server
    }

    /// Types a line, and waits for a text of its answer and the prompt after it.
    pub(crate) fn type_line(&mut self, line: &str, answer: &str) {
        self.client.write_all(format!("{line}\r\n").as_bytes()).expect("a connected client");
        for text in [answer, "> "] {
            let end = loop {
                if let Some(at) = self.received.find(text) {
                    break at + text.len();
                }
                let mut bytes = [0; 4096];
                let count = self.client.read(&mut bytes).unwrap_or_else(|error| {
                    panic!("no {text:?} after {line:?} ({error}), but {:?}", self.received)
                });
                assert!(count > 0, "closed after {line:?}: {:?}", self.received);
                self.received.push_str(&String::from_utf8_lossy(&bytes[..count]));
            };
            self.received.drain(..end);
        }
    }

    /// Starts to count. Fails where no process may trace another, with the reason of vgdb.
    pub(crate) fn count(&self) -> Result<(), String> {
        let output = self.vgdb(&["instrumentation", "on"]);
        let reason = || String::from_utf8_lossy(&output.stderr).into_owned();
        output.status.success().then_some(()).ok_or_else(reason)
    }

    /// Returns what was counted since the last call.
    pub(crate) fn profile(&mut self) -> Profile {
        assert!(self.vgdb(&["dump"]).status.success(), "callgrind does not write a dump");
        self.dumps += 1;
        let dump = fs::read(self.folder.path().join(format!("dump.{}", self.dumps))).expect("a dump");
        Profile::read(&String::from_utf8_lossy(&dump))
    }

    fn vgdb(&self, words: &[&str]) -> Output {
        let prefix = self.folder.path().join("vgdb");
        let mut command = Command::new("vgdb");
        command.arg(format!("--vgdb-prefix={}", prefix.display())).arg(format!("--pid={}", self.child.id()));
        command.args(words).output().expect("vgdb starts")
    }
}

/// Reads the log up to the address of the open port; `None` if the server ends before it is ready.
fn read_address(log: &mut impl BufRead) -> Option<String> {
    let mut lines = log.lines().map_while(Result::ok);
    let ready = lines.find_map(|line| Some(line.split_once("ready telnet=")?.1.to_owned()))?;
    ready.split(' ').next().map(str::to_owned)
}

impl Drop for WatchedServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
