//! What workers know of a server while it lives.

use super::deeds::Deeds;
use crate::client::{Client, Gone, Manners};
use crate::server::password;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

pub(super) struct Scene<'a> {
    /// Where it listens for players.
    pub(super) address: SocketAddr,
    /// Where it listens for browsers.
    pub(super) http: SocketAddr,
    /// Where it listens for operators.
    pub(super) control: PathBuf,
    pub(super) deeds: &'a Deeds,
}

impl Scene<'_> {
    /// A change of a kind is about to be asked for.
    pub(super) fn begin(&self, kind: &'static str) {
        self.deeds.begin(kind);
    }

    /// A change of a kind has been told.
    pub(super) fn note(&self, kind: &'static str) {
        self.deeds.note(kind);
    }

    /// Waits until others have made so many changes, or the server is gone.
    pub(super) fn pause(&self, changes: u32) {
        let enough = self.deeds.counts().all() + changes;
        self.deeds.wait_until(|counts| counts.all() >= enough);
    }

    /// Somebody comes in who never changed the password.
    pub(super) fn enter(&self, name: &str) -> Result<Client, Gone> {
        let mut client = Client::try_open(self.address, Manners::Plain)?;
        client.send(&format!("connect {name} {}", password(name)));
        client.try_expect("> ")?;
        Ok(client)
    }

    /// Asks over the control socket, as operators do.
    pub(super) fn control(&self, command: &str, arguments: &[&str]) -> Result<(), Gone> {
        let gone = |_| Gone(String::new());
        let mut stream = UnixStream::connect(&self.control).map_err(gone)?;
        writeln!(stream, "{}", json!({"cmd": command, "args": arguments})).map_err(gone)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map_err(gone)?;
        // Half an answer is none.
        let answer: Value = serde_json::from_str(&answer).map_err(|_| Gone(answer))?;
        assert_eq!(answer["ok"], true, "{command} {arguments:?}: {answer}");
        Ok(())
    }
}
