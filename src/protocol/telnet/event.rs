//! Events from a client connection.

/// Event from the client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TelnetEvent {
    /// Complete input line: cleaned text without its line end, with erase keys applied.
    Line(String),
    /// The current line has exceeded `limits.line_bytes`. The excess is discarded, and the start still arrives as a
    /// line. Reported once per line.
    LineTooLong,
    /// The capabilities have changed.
    ClientChanged,
    /// The opening handshake is complete: the client has read all offers and has sent its terminal type, or will not.
    /// Reported once, and never for a client that does not speak telnet.
    Ready,
    /// GMCP message.
    Gmcp {
        /// Name in the client's spelling: ASCII letters, digits, `.`, `_` and `-`.
        package: String,
        /// Unparsed and possibly invalid JSON, nested at most 16 levels deep; may be empty.
        body: String,
    },
    /// Interrupt by the player (Ctrl-C): the partial line is discarded, and the prompt must be sent again.
    Interrupt,
    /// Are You There; the session must reply.
    AreYouThere,
    /// A crawler requests the server status; reply with [`Telnet::status`](super::Telnet::status).
    StatusAsked,
    /// Excessive negotiation; the connection should be closed. Reported once.
    Abuse,
    /// The client accepts or ends compression. The compression itself is started elsewhere.
    Compression(bool),
}
