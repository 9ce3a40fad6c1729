//! Every bound on what a client can make grow, in one place, each a setting `limits.*` (N1).

use crate::base::Span;

macro_rules! limits {
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $default:expr;)*) => {
        /// The bounds in force. Fields are the settings `limits.NAME`.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Limits {$($(#[$doc])* pub $name: $kind,)*}

        impl Default for Limits {
            fn default() -> Self {
                Self {$($name: $default,)*}
            }
        }
    };
}

limits! {
    /// Connections in all.
    connections: u32 = 4_000;
    /// Connections from one address that have not logged in (protocols 4.4).
    connections_per_address: u32 = 64;
    /// Connections in all that have not logged in.
    connections_before_login: u32 = 1_000;
    /// Time from connecting to logged in, absolute (N2).
    login_time: Span = Span::secs(300);
    /// Failed logins before a session is closed (A3).
    login_tries: u32 = 5;
    /// Password hashes waiting for a slot (A1).
    hash_queue: u32 = 64;
    /// Bytes of one input line; the rest of a longer one is thrown away and said once.
    line_bytes: u32 = 4_096;
    /// Commands a second that a session may send for long.
    commands_per_second: u32 = 20;
    /// Commands that may come at once on top of that.
    commands_burst: u32 = 60;
    /// Commands of one session that wait; beyond it reading stops (N3).
    commands_queued: u32 = 64;
    /// Bytes of one subnegotiation (N6).
    subnegotiation_bytes: u32 = 16_384;
    /// Negotiation commands of one connection before it is closed (protocols 4.3).
    negotiations: u32 = 2_000;
    /// Bytes waiting for a client that does not read; beyond it the connection is closed (N4).
    output_bytes: u32 = 1_048_576;
    /// Characters of one account.
    characters_per_account: u32 = 5;
    /// Things one character may carry (A8).
    items_carried: u32 = 60;
    /// Things that may lie in one room; the oldest goes first (A8).
    items_in_room: u32 = 100;
    /// Letters of what one says.
    speech_chars: u32 = 1_000;
    /// Letters of a description that a builder writes.
    description_chars: u32 = 4_000;
    /// Letters of a room's or an exit's name.
    name_chars: u32 = 60;
    /// Rooms of one branch; then it grows no further and says so.
    rooms_per_branch: u32 = 100_000;
    /// Living branches in all; then the way is refused until one collapses.
    branches: u32 = 10_000;
    /// How long a body without a connection stays in the world (N14).
    link_dead: Span = Span::secs(180);
    /// Silence after which a logged-in session is closed.
    idle: Span = Span::mins(60);
}
