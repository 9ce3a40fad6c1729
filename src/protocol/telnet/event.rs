//! What a client does, as its connection sees it.

/// What the client did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A complete input line: clean text without its line end, erase keys applied.
    Line(String),
    /// The line being typed has outgrown `limits.line_bytes`; its rest is thrown away, its start still comes as
    /// a line. Once a line.
    LineTooLong,
    /// The capabilities are different.
    ClientChanged,
    /// The opening handshake is over: the client has read all offers and told its terminal, or will not. Once;
    /// never from a client that does not speak telnet.
    Ready,
    /// A GMCP message.
    Gmcp {
        /// The name as the client spells it: ASCII letters, digits, `.`, `_` and `-`.
        package: String,
        /// JSON, unparsed and perhaps not JSON at all, nested at most 16 deep; may be empty.
        body: String,
    },
    /// The player broke off (Ctrl-C); the partial line is gone, the prompt is due again.
    Interrupt,
    /// The client asks for a sign of life; not answered here.
    AreYouThere,
    /// A crawler wants figures: [`Telnet::status`](super::Telnet::status) answers.
    StatusAsked,
    /// More negotiation than any client needs; the connection should be closed. Once.
    Abuse,
    /// The client wants what it is sent compressed, or wants that no longer. Not begun here.
    Compression(bool),
}
