//! Deepwell as a host with one or more gateways.

use crate::server::{Process, Watched, deepwell_command, start, state_folder};
use anyhow::Context as _;
use serde_json::Value;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// Time in which a gateway must find the host.
const LINK_TIMEOUT: Duration = Duration::from_secs(30);

/// A running gateway.
pub(crate) struct Gateway {
    pub(crate) watched: Watched,
    /// Contents of its ready file.
    ready: Value,
    // Dropped in this order: the process ends before its folder is removed.
    _process: Process,
    _folder: Option<tempfile::TempDir>,
}

/// A running host with its gateways.
pub(crate) struct Apart {
    pub(crate) host: Watched,
    pub(crate) gateways: Vec<Gateway>,
    program: PathBuf,
    settings: Vec<String>,
    _process: Process,
    folder: tempfile::TempDir,
}

impl Gateway {
    /// Returns an address: `telnet` or `telnet_tls`.
    pub(crate) fn address(&self, port: &str) -> anyhow::Result<SocketAddr> {
        Ok(self.ready[port].as_str().with_context(|| format!("no {port}"))?.parse()?)
    }
}

impl Apart {
    /// Starts a host and a gateway in a folder, which may contain a world.
    pub(crate) fn start(
        program: &Path,
        folder: tempfile::TempDir,
        settings: Vec<String>,
    ) -> anyhow::Result<Self> {
        let words: Vec<&str> = settings.iter().map(String::as_str).collect();
        let process = start(deepwell_command(program, folder.path(), &words)?.arg("host"))?;
        let host = Watched(Some(process.0.id()));
        let program = program.to_owned();
        let mut apart = Self { host, gateways: Vec::new(), program, settings, _process: process, folder };
        apart.add_gateway(None)?;
        Ok(apart)
    }

    /// Starts one more gateway, in its own folder.
    pub(crate) fn add(&mut self) -> anyhow::Result<()> {
        self.add_gateway(Some(tempfile::tempdir()?))
    }

    fn add_gateway(&mut self, own: Option<tempfile::TempDir>) -> anyhow::Result<()> {
        let link = state_folder(self.folder.path()).join("link.sock");
        let link = format!("gateway.socket={}", link.display());
        let mut words: Vec<&str> = self.settings.iter().map(String::as_str).collect();
        words.extend(own.is_some().then_some(link.as_str()));
        let folder = own.as_ref().map_or(self.folder.path(), tempfile::TempDir::path);
        let process = start(deepwell_command(&self.program, folder, &words)?.arg("gateway"))?;
        await_link(deepwell_command(&self.program, folder, &words)?)?;
        let ready = fs::read_to_string(state_folder(folder).join("gateway.json"))?;
        let (watched, ready) = (Watched(Some(process.0.id())), serde_json::from_str(&ready)?);
        self.gateways.push(Gateway { watched, ready, _process: process, _folder: own });
        Ok(())
    }

    /// Returns the CPU time of the host, and of all gateways.
    pub(crate) fn cpu(&self) -> anyhow::Result<[Duration; 2]> {
        let mut gateways = Duration::ZERO;
        for gateway in &self.gateways {
            gateways += gateway.watched.cpu()?;
        }
        Ok([self.host.cpu()?, gateways])
    }
}

/// Waits until a gateway has a link to the host: its status is an error before.
fn await_link(mut command: std::process::Command) -> anyhow::Result<()> {
    let begun = Instant::now();
    command.args(["control", "--gateway", "status"]);
    loop {
        let output = command.output()?;
        if output.status.success() {
            return Ok(());
        }
        let told = String::from_utf8_lossy(&output.stderr);
        anyhow::ensure!(begun.elapsed() < LINK_TIMEOUT, "the gateway has no link: {told}");
        thread::sleep(Duration::from_millis(20));
    }
}
