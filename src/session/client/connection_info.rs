//! Properties of a connection that the session cannot learn from its bytes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Transport of a session's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Transport {
    /// Telnet, over any stream.
    #[default]
    Telnet,
    /// WebSocket messages, with text and GMCP separated.
    Web,
}

/// Value of the cookie that identifies a browser. Scripts cannot read it, and other sites cannot cause it to be sent.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserKey(pub [u8; 32]);

impl fmt::Debug for BrowserKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BrowserKey")
    }
}

/// Known protection of a connection against eavesdropping.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Privacy {
    /// Unencrypted.
    #[default]
    Open,
    /// Encrypted up to this server.
    Tls,
    /// From this machine; a local program may forward it from elsewhere.
    Local,
    /// From a trusted proxy that reports an encrypted connection to itself.
    TlsToProxy,
    /// From a trusted proxy that does not report encryption.
    Proxied,
}

impl Privacy {
    /// Returns the privacy of an unencrypted direct connection.
    pub const fn of_plain(is_loopback: bool) -> Self {
        if is_loopback { Self::Local } else { Self::Open }
    }

    /// Returns the privacy of a client behind a trusted proxy.
    pub const fn behind_proxy(encrypted: bool) -> Self {
        if encrypted { Self::TlsToProxy } else { Self::Proxied }
    }

    /// Returns `true` if no known part of the path exposes secrets. The path behind a trusted proxy is assumed to be
    /// safe.
    pub const fn is_fit_for_secrets(self) -> bool {
        matches!(self, Self::Tls | Self::Local | Self::TlsToProxy)
    }

    /// Returns `true` if the client speaks TLS, with this server or with a trusted proxy.
    pub const fn is_encrypted(self) -> bool {
        matches!(self, Self::Tls | Self::TlsToProxy)
    }
}

/// Properties of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConnectionInfo {
    /// Transport of its bytes.
    pub transport: Transport,
    /// Protection against eavesdropping.
    pub privacy: Privacy,
    /// Set if compression may be offered: the transport supports it and the configuration allows it.
    pub compress: bool,
    /// Key of the browser, if the client is one.
    pub browser: Option<BrowserKey>,
}
