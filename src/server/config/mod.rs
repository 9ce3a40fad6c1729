//! Configuration in two steps: unparsed settings (file, environment, command line) become a checked [`Config`].
//!
//! Every setting is declared once, as a field below or a row in `table`. Defaults, parsing, `config print` and the
//! shipped `config.toml` are derived from that. Precedence, lowest first: built-in, file, environment, `--set`. Nothing
//! here acts on a setting; each layer receives a struct with its own settings.

pub mod in_force;
pub(super) mod mistake;
pub(super) mod secret;
mod field;
mod hidden;
mod origin;
mod reload;
mod show;
mod source;
mod state_files;
mod table;
mod together;
mod web_access;
mod words;

use crate::net::Networks;
use crate::net::tls::CertificateFiles;
use crate::session::{MsspFigures, MsspListing, MsspVariables, Ports, mssp_variables};
use deepwell_core::base::Span;
use deepwell_core::world::Channel;
use deepwell_game::{GameConfig, SharedChannels, SharingConfig};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use url::Url;

pub use field::parse_span;
pub use origin::{ConfigError, SettingOrigin};
pub use reload::ConfigChanges;
pub use show::ShownSettings;
pub use source::{ConfigSources, Effective};
pub use web_access::{AllowedOrigins, Hosts};
pub use words::{LogFilter, LogFormat, LogLevel, ProxySwitch};

use field::field;
use table::{ConfigSection, ConfigSetting, section};

/// All settings, checked.
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
    /// Section `[backup]`.
    pub backup: BackupConfig,
    /// Section `[gateway]`.
    pub gateway: GatewayConfig,
    /// Section `[cluster]`.
    pub cluster: ClusterConfig,
    /// Section `[log]`.
    pub log: LogConfig,
    /// Section `[world]` without the seed and the name, which are part of `game`.
    pub world: WorldConfig,
    /// Settings of the game rules: `[world]` seed and name, `[game]`, `[dungeon]`, `[limits]`.
    pub game: GameConfig,
    /// Section `[auth]`.
    pub auth: AuthConfig,
    /// Section `[bridge]`, except what the game decides.
    pub bridge: BridgeConfig,
    /// Section `[grapevine]`.
    pub grapevine: GrapevineConfig,
    /// Section `[mssp]`.
    pub mssp: MsspListing,
}

section! {
    /// Files of the server.
    ServerConfig: server {
        /// Folder for files written by the running server: database, control socket, lock. Created at the first start.
        state_dir: PathBuf = PathBuf::from("var");
        /// Folder with the themes and texts that builders edit. If the default folder is missing, the content embedded
        /// in the program is used.
        content_dir: PathBuf = PathBuf::from(DEFAULT_CONTENT_DIR);
        /// Maximum size in MiB of the database's write-ahead log, which grows while another program keeps reading the
        /// database. At the limit the world is read-only until the log can be written back. Above a quarter of the
        /// limit, the server logs a warning.
        wal_mib: u32 = 256, 16..=65_536;
        /// Seconds that a commit may take before the disk counts as slow. Health, log and players are then notified.
        slow_commit_secs: u32 = 2, 1..=600;
        /// Days that the machine's clock may be ahead of game time at a start. A clock that is further ahead is not
        /// trusted, because bans and terms would all expire. Game time then continues from where it stopped, and a
        /// warning is logged. If the clock is right, as after a long pause, raise this for one start.
        clock_ahead_days: u32 = 30, 1..=36_500;
    }
}

section! {
    /// Telnet connections.
    TelnetConfig: telnet {
        /// Address and port. With port 0 the system chooses one, which is written to ready.json in the state folder.
        /// Use 0.0.0.0 to be reachable from other machines, or `[::]` for IPv6 and IPv4.
        listen: SocketAddr = local(4000);
        /// Address and port for encrypted connections, or "off". Not opened unless tls.cert is set.
        tls_listen: Option<SocketAddr> = Some(local(4040));
        /// With "on", both ports accept connections only from the proxies in `proxy_from`, and each connection must
        /// begin with a PROXY protocol header, version 1 or 2. Limits and logs then use the client address in the
        /// header.
        proxy: ProxySwitch = ProxySwitch::Off;
        /// Trusted proxies: comma-separated addresses and networks, such as `10.0.0.0/8, ::1`.
        proxy_from: Networks = Networks::default();
        /// Allows compression of encrypted connections. Compression can reveal the length of secrets.
        compress_tls: bool = false;
    }
}

section! {
    /// Certificate for encrypted connections. It is reloaded on SIGHUP, on `deepwell control reload`, and within a
    /// minute after a file has changed.
    TlsConfig: tls {
        /// PEM file with the certificate chain, the server's own certificate first; or "off".
        cert: Option<PathBuf> = None;
        /// PEM file with the private key, without a passphrase; or "off".
        key: Option<PathBuf> = None;
    }
}

section! {
    /// The web client, its WebSocket at /ws, and the public status at /status and /status.json.
    HttpConfig: http {
        /// Address and port, or "off". Use 0.0.0.0 to be reachable from other machines.
        listen: Option<SocketAddr> = Some(local(4080));
        /// Uses HTTPS with the certificate in tls.cert. Not needed behind a proxy that terminates TLS.
        tls: bool = false;
        /// Trusted proxies: comma-separated addresses and networks, such as `10.0.0.0/8, ::1`. Their `X-Forwarded-For`
        /// and `X-Forwarded-Proto` headers give the client's address and whether its connection is encrypted.
        proxy_from: Networks = Networks::default();
        /// Web origins of other hosts that may connect, comma-separated, such as `https://play.example`.
        origins: AllowedOrigins = AllowedOrigins::default();
        /// Accepted host names in addition to that of `http.public_url`, comma-separated. If either is set, or the port is
        /// on loopback, requests for any other name with a dot in it are refused.
        hosts: Hosts = Hosts::default();
        /// Folder with the files of the web client, read at the start, or "off" for the embedded files.
        web_dir: Option<PathBuf> = None;
        /// Public URL of the web client, such as `https://play.example.org`, or empty. If set, Mudlet is offered a
        /// package with map and gauges.
        public_url: String = String::new(), 0..=200;
    }
}

section! {
    /// Health checks and metrics for operators, over HTTP: /health, /ready, /metrics.
    OpsConfig: ops {
        /// Address and port, or "off". Do not expose it to the public.
        listen: Option<SocketAddr> = Some(local(4090));
    }
}

section! {
    /// Backups that the server makes while it runs. See docs/operate/operations.md.
    BackupConfig: backup {
        /// Interval between two backups, or "off". It continues across restarts: the newest file in the folder tells
        /// when the last one was made.
        every: Option<Span> = None, 1_000..=31 * 86_400_000;
        /// Folder for the backups, or "off". The server does not create it, so that it does not fill the disk below a
        /// file system that is not mounted.
        folder: Option<PathBuf> = None;
        /// Number of newest backups to keep.
        keep_latest: u32 = 24, 1..=10_000;
        /// Number of days of which the last backup is kept. Days, weeks and months are those of UTC, and those without
        /// a backup do not count.
        keep_daily: u32 = 7, 0..=10_000;
        /// Number of weeks of which the last backup is kept. A week begins on Monday.
        keep_weekly: u32 = 4, 0..=10_000;
        /// Number of months of which the last backup is kept.
        keep_monthly: u32 = 6, 0..=10_000;
        /// Folder for a log of all committed batches, for restores to a moment after a backup, or "off". Not for a
        /// cluster, whose log has the batches.
        batches: Option<PathBuf> = None;
        /// Maximum size of that log in MiB. Its oldest files are deleted first, so that restores to a moment reach back less
        /// far. An hour of play of one player is about 1 MiB.
        batches_mib: u32 = 4_096, 64..=16_777_216;
        /// Program to run after each backup, or "off". It gets no arguments; `BACKUP_OUTCOME` is "made" or "failed",
        /// `BACKUP_FILE` the path, and `BACKUP_ERROR` the reason of a failure.
        hook: Option<PathBuf> = None;
        /// Seconds after which the program is killed.
        hook_secs: u32 = 600, 1..=86_400;
    }
}

section! {
    /// The link between `deepwell gateway` and `deepwell host`. Not used by `deepwell serve`.
    GatewayConfig: gateway {
        /// Unix socket on which the host accepts gateways, or "off" for link.sock in the state folder. Only the user of
        /// the host can open it.
        socket: Option<PathBuf> = None;
        /// Address and port of the gateway's own health checks and metrics, or "off". Those of the host are at
        /// ops.listen.
        ops_listen: Option<SocketAddr> = Some(local(4091));
    }
}

section! {
    /// Several hosts of one world, each with a copy of it, and gateways on other machines: `deepwell host` and `deepwell
    /// gateway` over NATS. Not used by `deepwell serve`.
    ClusterConfig: cluster {
        /// Addresses of the NATS servers, comma-separated, such as `nats://user@10.0.0.5:4222`, or `tls://` for encrypted
        /// connections. Empty for a server on one machine.
        nats: String = String::new(), 0..=1_000;
        /// File with the password of the user in these addresses, or with a token if they have no user, or "off".
        nats_password_file: Option<PathBuf> = None;
        /// PEM file with the certificates that those of the NATS servers are checked with, or "off" for those of the
        /// system.
        ca: Option<PathBuf> = None;
        /// Name of the world, the same on all hosts and gateways: letters, digits, `-` and `_`.
        world: String = "world".to_owned(), 1..=32;
        /// Name of this host, unique in the cluster: letters, digits, `-` and `_`. Empty for the name of the machine.
        host: String = String::new(), 0..=63;
        /// Number of NATS servers that keep the log and the snapshots. Used when they are created.
        replicas: u32 = 1, 1..=5;
        /// Milliseconds without a sign of life after which another host takes over. The same on all hosts.
        lease_ms: u32 = 1_500, 1_500..=60_000;
        /// Number of entries of the log after which the host that leads stores a new snapshot of the world. Older entries
        /// are then removed.
        snapshot_entries: u32 = 100_000, 100..=10_000_000;
    }
}

section! {
    /// The log, written to standard error.
    LogConfig: log {
        /// Level of detail: "error", "warn", "info", "debug" or "trace".
        @reload level: LogLevel = LogLevel::Info;
        /// Levels by module, such as `deepwell::net=debug,sqlx=info`. They take precedence over `level`.
        @reload filter: LogFilter = LogFilter::default();
        /// "text" for human-readable lines, "json" for machines.
        format: LogFormat = LogFormat::Text;
        /// Maximum number of lines queued for standard error. Further lines are dropped and counted.
        queue_lines: u32 = 4_096, 1..=1_000_000;
    }
}

section! {
    /// The world: its seed, name and welcome text.
    WorldConfig: world {
        /// Text that a client sees before the name prompt.
        @reload welcome: String = WELCOME.to_owned(), 1..=2_000;
    }
}

section! {
    /// Password hashing (Argon2id) and login limits. Stronger hash parameters apply to an existing password at its
    /// owner's next login.
    AuthConfig: auth {
        /// Maximum number of password hashes computed at the same time. Each uses one core.
        slots: u32 = 1, 1..=64;
        /// Memory of one hash in KiB.
        memory_kib: u32 = 19_456, 19_456..=1_048_576;
        /// Passes of one hash over its memory.
        passes: u32 = 2, 2..=20;
        /// Maximum number of accounts created per hour from one address. A network (/24, /48) may create eight times as
        /// many.
        @reload accounts_per_hour: u32 = 10, 1..=100_000;
        /// Maximum number of password attempts per minute for one account, from all addresses. Half as many again are
        /// reserved for addresses from which its owner has logged in before, so that other attempts do not lock the
        /// owner out.
        @reload guesses_per_minute: u32 = 10, 1..=10_000;
    }
}

section! {
    /// Bridges to other chat networks. See docs/operate/bridges.md.
    BridgeConfig: bridge {
        /// File with the token that requests to /bridge at ops.listen present, at least 16 characters; or "off", which
        /// closes /bridge.
        token_file: Option<PathBuf> = None;
        /// URL to which each event is sent (web hook), or "". It begins with https:// or, within a trusted network,
        /// http://.
        webhook: Option<Url> = None;
        /// File with the key that signs web hooks: whsec_ and at least 24 bytes in Base64; or "off".
        webhook_secret_file: Option<PathBuf> = None;
        /// Number of newest events kept for receivers that are slow or cannot be reached. Older ones are lost to them.
        events: u32 = 256, 1..=10_000;
        /// Maximum number of requests that read events at the same time. Each is open for up to two minutes.
        readers: u32 = 8, 1..=24;
        /// Maximum number of lines per minute that one bridge may say under one `via`, or a game of Grapevine under its
        /// name; under all names together four times as many. A burst may have as many.
        lines_per_minute: u32 = 120, 1..=6_000;
    }
}

section! {
    /// Grapevine, a chat network of games. See docs/operate/bridges.md.
    GrapevineConfig: grapevine {
        /// Client id of the game there; empty for no connection.
        client_id: String = String::new(), 0..=100;
        /// File with the client secret, or "off".
        secret_file: Option<PathBuf> = None;
        /// Channel of Grapevine.
        channel: String = "gossip".to_owned(), 1..=40;
        /// Channel of the game that is shared with it; bridge.channels must name it too.
        shared_with: String = "ooc".to_owned(), 1..=20;
        /// Address of Grapevine.
        url: Option<Url> = Url::parse("wss://grapevine.haus/socket").ok();
    }
}

const DEFAULT_CONTENT_DIR: &str = "content";

const WELCOME: &str = "\
Below the market square a well goes down into the rock, deeper than any rope. At its bottom four openings lead on, and \
what lies behind them is decided only when somebody walks in. The way back up has always been open so far.

Type guest to look around at once, or a name to play under. In one line: connect NAME PASSWORD, create NAME PASSWORD. Also: who, help, and quit.
";

/// Returns a loopback address with this port.
const fn local(port: u16) -> SocketAddr {
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

impl TlsConfig {
    /// Returns the paths of certificate and key, if both are set.
    pub fn files(&self) -> Option<CertificateFiles> {
        let (certificate, key) = self.cert.clone().zip(self.key.clone())?;
        Some(CertificateFiles { certificate, key })
    }
}

impl Config {
    /// Returns the variables that MUD crawlers read. Without the ports that the server has bound, those of the settings
    /// are told.
    pub fn listing_variables(&self, bound: Option<Ports>, figures: MsspFigures) -> MsspVariables {
        let port = |address: SocketAddr| Some(address.port()).filter(|port| *port > 0);
        let configured = || Ports {
            telnet: port(self.telnet.listen),
            tls: self.telnet.tls_listen.filter(|_| self.tls.files().is_some()).and_then(port),
            http: self.http.listen.and_then(port),
        };
        let listing = self.mssp.clone().with_page(&self.http.public_url);
        let compression = self.game.limits.compressed_connections > 0;
        mssp_variables(&self.game.name, &listing, bound.unwrap_or_else(configured), compression, figures)
    }
}

impl ClusterConfig {
    /// Returns `true` if this process is part of a cluster.
    pub const fn is_on(&self) -> bool {
        !self.nats.is_empty()
    }

    /// Returns the name of this host, by default that of the machine.
    pub fn host_name(&self) -> String {
        let name = if self.host.is_empty() {
            rustix::system::uname().nodename().to_string_lossy().into_owned()
        } else {
            self.host.clone()
        };
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect()
    }
}

impl GrapevineConfig {
    /// Returns `true` if the game is to be connected.
    pub const fn is_on(&self) -> bool {
        !self.client_id.is_empty()
    }

    /// Returns the channel of the game that is shared, if bridges share it.
    pub fn channel_of(&self, sharing: &SharingConfig) -> Option<Channel> {
        SharedChannels::named(&self.shared_with).filter(|channel| sharing.channels.contains(*channel))
    }
}

impl ServerConfig {
    /// Returns `true` if the embedded content may replace a missing folder, which holds only for the default folder.
    pub fn content_may_be_builtin(&self) -> bool {
        self.content_dir == Path::new(DEFAULT_CONTENT_DIR)
    }
}

#[cfg(test)]
mod tests;
