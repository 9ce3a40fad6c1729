//! Paths of the files in the state folder.

use crate::server::config::{Config, ServerConfig};
use std::path::PathBuf;

impl ServerConfig {
    /// Path of the database.
    pub fn database(&self) -> PathBuf {
        self.state_dir.join("deepwell.db")
    }

    /// Path of the socket for `deepwell control`.
    pub fn control_socket(&self) -> PathBuf {
        self.state_dir.join("control.sock")
    }

    /// Path of the lock file that prevents a second server on the same folder.
    pub fn lock(&self) -> PathBuf {
        self.state_dir.join("lock")
    }

    /// Path of the socket for `deepwell control --gateway`.
    pub fn gateway_control_socket(&self) -> PathBuf {
        self.state_dir.join("gateway.sock")
    }

    /// Path of the lock file that prevents a second gateway on the same folder.
    pub fn gateway_lock(&self) -> PathBuf {
        self.state_dir.join("gateway.lock")
    }

    /// Path of the file that lists the addresses bound by the gateway.
    pub fn gateway_ready_file(&self) -> PathBuf {
        self.state_dir.join("gateway.json")
    }

    /// Path of the file that lists the bound addresses once players can log in.
    pub fn ready_file(&self) -> PathBuf {
        self.state_dir.join("ready.json")
    }
}

impl Config {
    /// Path of the socket on which the host accepts gateways.
    pub fn link_socket(&self) -> PathBuf {
        self.gateway.socket.clone().unwrap_or_else(|| self.server.state_dir.join("link.sock"))
    }
}
