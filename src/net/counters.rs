//! Event counters for the operator's metrics.

use std::sync::Arc;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::session::{ConnectionInfo, Transport};
use deepwell_core::base::{RuleLimit, Tally};

/// Limit at which the server refuses clients. Those of the game are [`RuleLimit`]s.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConnectionLimit {
    /// All connections.
    Connections,
    /// Connections that have not logged in.
    ConnectionsBeforeLogin,
    /// Connections from one address.
    ConnectionsPerAddress,
    /// Connections from one network.
    ConnectionsPerNetwork,
    /// Password attempts.
    GuessesPerMinute,
    /// New accounts from one address.
    AccountsPerHour,
    /// Password checks that wait.
    HashQueue,
    /// Output that a client has not read.
    OutputBytes,
}

impl ConnectionLimit {
    /// All limits, in export order.
    pub const ALL: [Self; 8] = [
        Self::Connections,
        Self::ConnectionsBeforeLogin,
        Self::ConnectionsPerAddress,
        Self::ConnectionsPerNetwork,
        Self::GuessesPerMinute,
        Self::AccountsPerHour,
        Self::HashQueue,
        Self::OutputBytes,
    ];

    /// Returns the name of the setting.
    pub const fn setting(self) -> &'static str {
        match self {
            Self::Connections => "limits.connections",
            Self::ConnectionsBeforeLogin => "limits.connections_before_login",
            Self::ConnectionsPerAddress => "limits.connections_per_address",
            Self::ConnectionsPerNetwork => "limits.connections_per_network",
            Self::GuessesPerMinute => "auth.guesses_per_minute",
            Self::AccountsPerHour => "auth.accounts_per_hour",
            Self::HashQueue => "limits.hash_queue",
            Self::OutputBytes => "limits.output_bytes",
        }
    }
}

/// Label of a count of refusals.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RefusalLabels {
    limit: &'static str,
}

/// Labels of a number of sessions.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct SessionLabels {
    state: &'static str,
    transport: &'static str,
}

const SESSION_STATES: [&str; 2] = ["login", "playing"];
const TRANSPORTS: [&str; 4] = ["telnet", "telnet_tls", "web", "web_tls"];

/// One counter for each tally and limit, and the number of sessions, shared by all tasks.
#[derive(Clone, Debug)]
pub struct Counters {
    tallies: Arc<[Counter]>,
    refusals: Family<RefusalLabels, Counter>,
    sessions: Family<SessionLabels, Gauge>,
    /// Number of connections that are compressed at present.
    pub compressed: Gauge,
}

impl Default for Counters {
    fn default() -> Self {
        let tallies = Tally::ALL.iter().map(|_| Counter::default()).collect();
        let (refusals, sessions) = (Family::default(), Family::default());
        let counters = Self { tallies, refusals, sessions, compressed: Gauge::default() };
        // Series exist from the start, so that a rate over the first event is not missed.
        let settings = ConnectionLimit::ALL.iter().map(|limit| limit.setting());
        for setting in settings.chain(RuleLimit::ALL.iter().map(|limit| limit.setting())) {
            counters.refusals_at(setting);
        }
        for state in SESSION_STATES {
            for transport in TRANSPORTS {
                counters.sessions.get_or_create_owned(&SessionLabels { state, transport });
            }
        }
        counters
    }
}

impl Counters {
    /// Adds one to a counter.
    pub fn count(&self, tally: Tally) {
        self.add(tally, 1);
    }

    /// Adds `amount` to a counter.
    pub fn add(&self, tally: Tally, amount: u64) {
        self.of(tally).inc_by(amount);
    }

    /// Adds one to the refusals of clients at a limit.
    pub fn count_refusal(&self, limit: ConnectionLimit) {
        self.refusals_at(limit.setting()).inc();
    }

    /// Adds one to the refusals of the game at a limit.
    pub fn count_limit(&self, limit: RuleLimit) {
        self.refusals_at(limit.setting()).inc();
    }

    fn refusals_at(&self, limit: &'static str) -> Counter {
        self.refusals.get_or_create_owned(&RefusalLabels { limit })
    }

    /// Returns the number of sessions with the transport of a connection, before the login or in the game.
    pub fn sessions(&self, info: &ConnectionInfo, is_playing: bool) -> Gauge {
        let kind = match info.transport {
            Transport::Telnet => 0,
            Transport::Web => 2,
        };
        let transport = TRANSPORTS[kind + usize::from(info.privacy.is_encrypted())];
        let state = SESSION_STATES[usize::from(is_playing)];
        self.sessions.get_or_create_owned(&SessionLabels { state, transport })
    }

    /// Registers all metrics.
    pub fn register(&self, registry: &mut Registry) {
        for tally in Tally::ALL {
            let (name, help) = tally.words();
            registry.register(name, help, self.of(*tally).clone());
        }
        registry.register("connections_compressed", "Compressed connections", self.compressed.clone());
        registry.register(
            "sessions",
            "Connections by state (login, playing) and transport (telnet, web, and both over TLS)",
            self.sessions.clone(),
        );
        registry.register(
            "refusals",
            "Connections, logins, commands and script lines refused, clients disconnected, and messages and items \
             dropped, by the limit that was reached",
            self.refusals.clone(),
        );
    }

    /// Returns the counter of a tally.
    pub fn of(&self, tally: Tally) -> &Counter {
        &self.tallies[tally as usize]
    }
}
