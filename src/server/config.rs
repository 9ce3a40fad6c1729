//! Configuration in two steps: what was written (file, environment, command line) becomes a checked [`Config`].
//!
//! Every setting is declared once, as a field below or a row in `table`; defaults, parsing, `config print` and the
//! shipped `config.toml` follow from that. Later sources win: built-in, file, environment, `--set`.
//! Nothing here acts on a setting; each layer is given its own small struct.

mod field;
mod origin;
mod show;
mod source;
mod table;
mod together;
mod words;

use crate::game::GameConfig;
use crate::net::Networks;
use crate::net::tls::Files;
use crate::server::http::{Hosts, Origins};
use crate::session::Listing;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

pub use field::parse_span;
pub use origin::{ConfigError, Origin};
pub use source::{Effective, Sources};
pub use words::{LogFilter, LogFormat, LogLevel, ProxySwitch};

use field::Field;
use table::{Section, Setting, section};

/// Everything that can be set, checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Section `[server]`.
    pub server: ServerConfig,
    /// Section `[telnet]`.
    pub telnet: TelnetConfig,
    /// Section `[tls]`.
    pub tls: TlsConfig,
    /// Section `[http]`.
    pub http: HttpConfig,
    /// Section `[ops]`.
    pub ops: OpsConfig,
    /// Section `[log]`.
    pub log: LogConfig,
    /// What section `[world]` has besides the seed and the name, which the rules know too.
    pub world: WorldConfig,
    /// What the rules need: `[world]` seed and name, `[game]`, `[dungeon]`, `[limits]`.
    pub game: GameConfig,
    /// Section `[auth]`.
    pub auth: AuthConfig,
    /// Section `[mssp]`.
    pub mssp: Listing,
}

section! {
    /// Where the server finds and keeps its files.
    ServerConfig: server {
        /// Folder for what a running server writes: database, control socket, lock. Made at the first start.
        state_dir: PathBuf = PathBuf::from("var");
        /// Folder with the themes and texts that builders edit. If the default folder is not there,
        /// the content that was compiled into the program is used.
        content_dir: PathBuf = PathBuf::from(DEFAULT_CONTENT_DIR);
        /// MiB that the database's log may reach while another program reads the database for so long that the log cannot be
        /// written back; then the world is read-only until it can. From a quarter of it on, the server's own log tells.
        wal_mib: u32 = 256, 16..=65_536;
        /// Seconds that a commit may take before the disk counts as slow: health, log and players are told.
        slow_commit_secs: u32 = 2, 1..=600;
        /// Days that the machine's clock may be ahead of the world's last moment at a start. A clock that is further ahead is
        /// not believed, because it would end bans and terms for good: game time goes on where it was, and the log tells. If
        /// the clock is right, as after a long pause, raise this for one start.
        clock_ahead_days: u32 = 30, 1..=36_500;
    }
}

section! {
    /// Where players connect by telnet.
    TelnetConfig: telnet {
        /// Address and port. Port 0 lets the system choose one; ready.json in the state folder tells which.
        /// Use 0.0.0.0 to be reachable from other machines, or `[::]` for IPv6 and IPv4.
        listen: SocketAddr = local(4000);
        /// Address and port for encrypted connections, or "off". Nothing listens there before tls.cert is set.
        tls_listen: Option<SocketAddr> = Some(local(4040));
        /// With "on", both ports take connections only from the proxies below, and each must begin with a header of
        /// the PROXY protocol, version 1 or 2. Then limits and logs know callers by the address that the header names.
        proxy: ProxySwitch = ProxySwitch::Off;
        /// The proxies: addresses and networks with commas between them, such as `10.0.0.0/8, ::1`.
        proxy_from: Networks = Networks::default();
        /// Whether encrypted connections may be compressed, too. Compression can betray the length of what is secret.
        compress_tls: bool = false;
    }
}

section! {
    /// The certificate for encrypted connections. It is read again at SIGHUP, at `deepwell control reload`, and within a
    /// minute after a file has changed.
    TlsConfig: tls {
        /// PEM file with the certificate and its chain, the server's own first; or "off".
        cert: Option<PathBuf> = None;
        /// PEM file with its private key, without a passphrase; or "off".
        key: Option<PathBuf> = None;
    }
}

section! {
    /// The page in the browser, its WebSocket at /ws, and the public status at /status and /status.json.
    HttpConfig: http {
        /// Address and port, or "off". Use 0.0.0.0 to be reachable from other machines.
        listen: Option<SocketAddr> = Some(local(4080));
        /// Whether everything there is encrypted with the certificate of tls.cert. A proxy in front does it as well.
        tls: bool = false;
        /// Trusted proxies: addresses and networks with commas between them, such as `10.0.0.0/8, ::1`. They say by
        /// `X-Forwarded-For` and `X-Forwarded-Proto` who calls, and whether that is encrypted.
        proxy_from: Networks = Networks::default();
        /// Pages of other hosts that may connect, such as `https://play.example`, with commas between them.
        origins: Origins = Origins::default();
        /// Names by which browsers may ask for the pages besides that of `http.public_url`, with commas between them. With either of
        /// them, requests for any other name that has a dot in it are refused.
        hosts: Hosts = Hosts::default();
        /// A folder with the files of the page, read at the start, or "off" for those that are compiled in.
        web_dir: Option<PathBuf> = None;
        /// Where browsers and clients find these pages, such as `https://play.example.org`; empty if that is nobody's
        /// business. With it, Mudlet is offered a package with map and gauges.
        public_url: String = String::new(), 0..=200;
    }
}

section! {
    /// Health and figures for operators, over HTTP: /health, /ready, /metrics.
    OpsConfig: ops {
        /// Address and port, or "off". Keep it away from the public.
        listen: Option<SocketAddr> = Some(local(4090));
    }
}

section! {
    /// The log, written to standard error.
    LogConfig: log {
        /// How much is logged: "error", "warn", "info", "debug" or "trace".
        level: LogLevel = LogLevel::Info;
        /// Exceptions by module, such as `deepwell::net=debug,sqlx=info`. They win over the level.
        filter: LogFilter = LogFilter::default();
        /// "text" for people, "json" for machines.
        format: LogFormat = LogFormat::Text;
        /// Lines that wait for standard error to take them; beyond it lines are dropped and counted.
        queue_lines: u32 = 4_096, 1..=1_000_000;
    }
}

section! {
    /// What the world is called and how it greets.
    WorldConfig: world {
        /// The text that a client sees before it is asked for a name.
        welcome: String = WELCOME.to_owned(), 1..=2_000;
    }
}

section! {
    /// Passwords: Argon2id. Stronger values apply to a password when its owner next logs in.
    AuthConfig: auth {
        /// Password hashes worked on at the same time. Each keeps one core busy.
        slots: u32 = 1, 1..=64;
        /// Memory of one hash in KiB.
        memory_kib: u32 = 19_456, 19_456..=1_048_576;
        /// Passes over that memory.
        passes: u32 = 2, 2..=20;
        /// Accounts that may be made from one address in an hour, and eight times as many from its network (/24, /48).
        accounts_per_hour: u32 = 10, 1..=100_000;
        /// Passwords that may be tried for one account in a minute, whoever asks;
        /// Passwords that may be tried for one account in a minute, whoever asks. Half as many again are kept for the addresses
        /// from which its owner has logged in before, so that others do not hold them up.
        guesses_per_minute: u32 = 10, 1..=10_000;
    }
}

const DEFAULT_CONTENT_DIR: &str = "content";

const WELCOME: &str = "\
Below the market square a well goes down into the rock, deeper than any rope. At its bottom four openings lead on, and \
what lies behind them is decided only when somebody walks in. The way back up has always been open so far.

Type connect NAME PASSWORD, create NAME PASSWORD, or just a name. Also: who, help, and quit.
";

/// A port of this machine that only this machine can reach.
const fn local(port: u16) -> SocketAddr {
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

impl TlsConfig {
    /// Where certificate and key lie, if both are set.
    pub fn files(&self) -> Option<Files> {
        let (certificate, key) = self.cert.clone().zip(self.key.clone())?;
        Some(Files { certificate, key })
    }
}

impl ServerConfig {
    /// The database.
    pub fn database(&self) -> PathBuf {
        self.state_dir.join("deepwell.db")
    }

    /// The socket that `deepwell control` talks to.
    pub fn control_socket(&self) -> PathBuf {
        self.state_dir.join("control.sock")
    }

    /// The file that a server holds locked while it runs, so that no second one uses the folder.
    pub fn lock(&self) -> PathBuf {
        self.state_dir.join("lock")
    }

    /// The file that tells other programs that players can log in, and where.
    pub fn ready_file(&self) -> PathBuf {
        self.state_dir.join("ready.json")
    }

    /// Whether the content that was compiled in may stand in for a missing folder: only if nobody chose a folder.
    pub fn content_may_be_builtin(&self) -> bool {
        self.content_dir == Path::new(DEFAULT_CONTENT_DIR)
    }
}

#[cfg(test)]
mod tests;
