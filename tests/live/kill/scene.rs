//! Connection data of a running server, shared by the workers.

use super::deeds::Deeds;
use crate::client::{Client, ClientKind, Gone};
use crate::server::password;
use clap::{FromArgMatches as _, Subcommand as _};
use deepwell::server::control::protocol::{ControlCommand, ControlRequest};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

pub(super) struct Scene<'a> {
    /// Telnet address.
    pub(super) address: SocketAddr,
    /// HTTP address.
    pub(super) http: SocketAddr,
    /// Path of the control socket.
    pub(super) control: PathBuf,
    pub(super) deeds: &'a Deeds,
}

impl Scene<'_> {
    /// Counts a change that is about to be requested.
    pub(super) fn begin(&self, kind: &'static str) {
        self.deeds.begin(kind);
    }

    /// Counts an acknowledged change.
    pub(super) fn note(&self, kind: &'static str) {
        self.deeds.note(kind);
    }

    /// Waits until the other workers have made this many changes, or the server is down.
    pub(super) fn pause(&self, changes: u32) {
        let enough = self.deeds.counts().all() + changes;
        self.deeds.wait_until(|counts| counts.all() >= enough);
    }

    /// Logs in a worker that never changes its password.
    pub(super) fn enter(&self, name: &str) -> Result<Client, Gone> {
        let mut client = Client::try_open(self.address, ClientKind::Plain)?;
        client.send(&format!("connect {name} {}", password(name)));
        client.try_expect("> ")?;
        Ok(client)
    }

    /// Sends a command over the control socket.
    pub(super) fn control(&self, command: &str, arguments: &[&str]) -> Result<(), Gone> {
        let gone = |_| Gone(String::new());
        let control = ControlCommand::augment_subcommands(clap::Command::new("control").no_binary_name(true));
        let matches = control.get_matches_from([&[command], arguments].concat());
        let request = ControlRequest::new(ControlCommand::from_arg_matches(&matches).unwrap(), None);
        let mut stream = UnixStream::connect(&self.control).map_err(gone)?;
        writeln!(stream, "{}", json!(request)).map_err(gone)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map_err(gone)?;
        // A truncated answer does not count.
        let answer: Value = serde_json::from_str(&answer).map_err(|_| Gone(answer))?;
        assert_eq!(answer["ok"], true, "{command} {arguments:?}: {answer}");
        Ok(())
    }
}
