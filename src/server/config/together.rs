//! Contradictions between two settings that are each valid. Each is reported at the place of one of the two. Files and
//! ports are checked when they are opened, not here.

use super::words::ProxySwitch;
use super::{Config, ConfigError, Effective};

/// Two settings that contradict each other.
struct Pair {
    /// The setting at whose place the contradiction is reported.
    blamed: &'static str,
    /// Description of the contradiction.
    what: &'static str,
    /// Expected values.
    expected: &'static str,
    /// Returns `true` if the settings contradict each other.
    is_wrong: fn(&Config) -> bool,
}

const PAIRS: &[Pair] = &[
    Pair {
        blamed: "tls.cert",
        what: "tls.cert is set and tls.key is \"off\"",
        expected: "both or neither",
        is_wrong: |config| config.tls.cert.is_some() && config.tls.key.is_none(),
    },
    Pair {
        blamed: "tls.key",
        what: "tls.key is set and tls.cert is \"off\"",
        expected: "both or neither",
        is_wrong: |config| config.tls.key.is_some() && config.tls.cert.is_none(),
    },
    Pair {
        blamed: "telnet.proxy",
        what: "telnet.proxy is \"on\" and telnet.proxy_from is empty, so no client could connect",
        expected: "the addresses of the proxies in telnet.proxy_from",
        is_wrong: |config| config.telnet.proxy == ProxySwitch::On && config.telnet.proxy_from.is_empty(),
    },
    Pair {
        blamed: "http.tls",
        what: "http.tls is true and tls.cert is \"off\"",
        expected: "a certificate in tls.cert and tls.key",
        is_wrong: |config| config.http.tls && config.tls.cert.is_none(),
    },
    Pair {
        blamed: "backup.every",
        what: "backup.every is set and backup.folder is \"off\"",
        expected: "a folder in backup.folder",
        is_wrong: |config| config.backup.every.is_some() && config.backup.folder.is_none(),
    },
    Pair {
        blamed: "backup.batches",
        what: "backup.batches is set and backup.folder is \"off\", so there would be nothing to apply the batches to",
        expected: "a folder in backup.folder",
        is_wrong: |config| config.backup.batches.is_some() && config.backup.folder.is_none(),
    },
    Pair {
        blamed: "backup.batches",
        what: "backup.batches and cluster.nats are set, and the log of the cluster has the batches",
        expected: "one of them",
        is_wrong: |config| config.backup.batches.is_some() && config.cluster.is_on(),
    },
    Pair {
        blamed: "bridge.token_file",
        what: "bridge.token_file is set and ops.listen is \"off\", so no request could reach /bridge",
        expected: "an address in ops.listen",
        is_wrong: |config| config.bridge.token_file.is_some() && config.ops.listen.is_none(),
    },
    Pair {
        blamed: "bridge.webhook",
        what: "bridge.webhook is set and bridge.webhook_secret_file is \"off\"",
        expected: "a file with the key that signs",
        is_wrong: |config| config.bridge.webhook.is_some() && config.bridge.webhook_secret_file.is_none(),
    },
    Pair {
        blamed: "bridge.webhook",
        what: "bridge.webhook is the address of a WebSocket",
        expected: "a URL that begins with https:// or http://",
        is_wrong: |config| {
            config.bridge.webhook.as_ref().is_some_and(|url| !matches!(url.scheme(), "https" | "http"))
        },
    },
    Pair {
        blamed: "grapevine.client_id",
        what: "grapevine.client_id is set and grapevine.secret_file is \"off\"",
        expected: "a file with the client secret",
        is_wrong: |config| config.grapevine.is_on() && config.grapevine.secret_file.is_none(),
    },
    Pair {
        blamed: "grapevine.client_id",
        what: "grapevine.shared_with is not among bridge.channels",
        expected: "the name of a channel that is shared",
        is_wrong: |config| {
            config.grapevine.is_on() && config.grapevine.channel_of(&config.game.sharing).is_none()
        },
    },
    Pair {
        blamed: "grapevine.url",
        what: "grapevine.url is not the address of a WebSocket",
        expected: "an address that begins with wss:// or ws://",
        is_wrong: |config| {
            let url = config.grapevine.url.as_ref();
            config.grapevine.is_on() && url.is_none_or(|url| !matches!(url.scheme(), "wss" | "ws"))
        },
    },
    Pair {
        blamed: "cluster.world",
        what: "cluster.world has other characters than letters, digits, - and _",
        expected: "a name such as \"deepwell\"",
        is_wrong: |config| !is_name(&config.cluster.world),
    },
    Pair {
        blamed: "cluster.host",
        what: "cluster.host has other characters than letters, digits, - and _",
        expected: "a name such as \"host-1\"",
        is_wrong: |config| !is_name(&config.cluster.host),
    },
    Pair {
        blamed: "cluster.nats",
        what: "cluster.nats is set, but this program was built without the feature \"cluster\"",
        expected: "a program with that feature, or no cluster",
        is_wrong: |config| config.cluster.is_on() && !cfg!(feature = "cluster"),
    },
    Pair {
        blamed: "cluster.nats",
        what: "cluster.nats has a password and cluster.nats_password_file is set",
        expected: "one of them",
        is_wrong: |config| config.cluster.nats_password_file.is_some() && has_password(&config.cluster.nats),
    },
];

/// Returns `true` if an address has a password.
fn has_password(addresses: &str) -> bool {
    let user = |address: &str| Some(address.split_once("://")?.1.rsplit_once('@')?.0.contains(':'));
    addresses.split(',').any(|address| user(address).unwrap_or(false))
}

/// Returns `true` for a name that NATS accepts as a part of subjects and keys.
fn is_name(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

impl Effective {
    /// Returns all contradictions.
    pub(super) fn contradictions(&self) -> impl Iterator<Item = ConfigError> {
        PAIRS
            .iter()
            .filter(|pair| (pair.is_wrong)(&self.config))
            .map(|pair| ConfigError::new(self.origin(pair.blamed), pair.what, pair.expected))
    }
}
