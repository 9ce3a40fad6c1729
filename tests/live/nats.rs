//! A NATS server with `JetStream`, in its own temporary folder.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// NATS server; killed on drop.
pub(crate) struct Nats {
    folder: TempDir,
    port: u16,
    child: Option<Child>,
}

impl Nats {
    /// Starts a server on loopback. Returns `None`, and says that the test skips, if the program is not installed.
    pub(crate) fn start() -> Option<Self> {
        if Command::new("nats-server").arg("--version").stdout(Stdio::null()).status().is_err() {
            eprintln!("skipped: nats-server is not installed (Debian: nats-server)");
            return None;
        }
        // Another program could take the port before the server does; the test would then fail.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut nats = Self { folder: TempDir::new().unwrap(), port, child: None };
        nats.restart();
        Some(nats)
    }

    /// Returns the address for clients.
    pub(crate) fn url(&self) -> String {
        format!("nats://world:p%40ss%2Cword@127.0.0.1:{}", self.port)
    }

    /// Returns the address without the password.
    pub(crate) fn url_with_user(&self) -> String {
        format!("nats://world@127.0.0.1:{}", self.port)
    }

    /// Kills the server, and starts it again without what it has stored.
    pub(crate) fn lose_all(&mut self) {
        self.kill();
        fs::remove_dir_all(self.folder.path().join("jetstream")).unwrap();
        self.restart();
    }

    /// Starts the server again, with what it has stored.
    pub(crate) fn restart(&mut self) {
        let log = fs::File::create(self.folder.path().join("log")).unwrap();
        let mut command = Command::new("nats-server");
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string()]);
        command.args(["--user", "world", "--pass", "p@ss,word", "-js", "-sd"]);
        command.arg(self.folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.child = Some(command.spawn().unwrap());
    }

    /// Sends SIGKILL and waits until the process is gone.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            child.wait().unwrap();
        }
    }

    /// Sends a signal, by its name for `kill`.
    pub(crate) fn signal(&self, name: &str) {
        let process = self.child.as_ref().expect("it runs").id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &process]).status().unwrap().success());
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}
