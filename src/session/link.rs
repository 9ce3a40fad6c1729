//! How a client came in: what a session cannot learn from the bytes themselves.

use std::fmt;

/// What carries a session's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Transport {
    /// The telnet protocol, over whatever stream.
    #[default]
    Telnet,
    /// Messages of a WebSocket, text and structured data apart.
    Web,
}

/// What a browser is known by: a cookie that no page reads and no other site has it send.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BrowserKey(pub [u8; 32]);

impl fmt::Debug for BrowserKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BrowserKey")
    }
}

/// Who on the way can read along, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Privacy {
    /// Anybody on the way: nothing is encrypted.
    #[default]
    Open,
    /// Nobody: it is encrypted up to this server.
    Tls,
    /// It comes from this machine. Whether something there hands it on from elsewhere is not known.
    Local,
    /// Not known: a trusted proxy hands it on and says that it was encrypted up to there.
    TlsToProxy,
    /// Not known: a proxy hands it on and does not say so.
    Proxied,
}

impl Privacy {
    /// What is known of a peer whose bytes come as they are.
    pub const fn of_plain(is_loopback: bool) -> Self {
        if is_loopback { Self::Local } else { Self::Open }
    }

    /// What is known of somebody for whom a trusted proxy speaks.
    pub const fn behind_proxy(encrypted: bool) -> Self {
        if encrypted { Self::TlsToProxy } else { Self::Proxied }
    }

    /// Nothing says that a secret could be read on its way: of a trusted proxy that is taken as given.
    pub const fn is_fit_for_secrets(self) -> bool {
        matches!(self, Self::Tls | Self::Local | Self::TlsToProxy)
    }

    /// The client itself speaks TLS, with us or with a proxy that we trust.
    pub const fn is_encrypted(self) -> bool {
        matches!(self, Self::Tls | Self::TlsToProxy)
    }
}

/// How a client came in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Link {
    /// What carries its bytes.
    pub transport: Transport,
    /// Who on the way can read them.
    pub privacy: Privacy,
    /// Compression may be offered: whoever holds the stream can do it, and nothing speaks against it.
    pub compress: bool,
    /// The browser that it came with, if it did.
    pub browser: Option<BrowserKey>,
}
