//! How a client came in: what a session cannot learn from the bytes themselves.

/// What carries a session's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Transport {
    /// The telnet protocol, over whatever stream.
    #[default]
    Telnet,
    /// Messages of a WebSocket, text and structured data apart.
    Web,
}

/// How a client came in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Link {
    /// What carries its bytes.
    pub transport: Transport,
    /// Nobody on the way can read them: they are encrypted, or never leave this machine.
    pub private: bool,
    /// Compression may be offered: whoever holds the stream can do it, and nothing speaks against it.
    pub compress: bool,
}
