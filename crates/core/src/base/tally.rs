//! Counters for the operator, in one table. Rules emit `Effect::Counted`; the shell counts directly. Each counter is
//! exported as `deepwell_NAME_total`.

macro_rules! tallies {
    ($($tally:ident: $name:literal, $help:literal;)*) => {
        /// Counter.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Tally {
            $(#[doc = $help] $tally,)*
        }

        impl Tally {
            /// All counters, in export order.
            pub const ALL: &'static [Self] = &[$(Self::$tally,)*];

            /// Returns the export name and the help text.
            pub const fn words(self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$tally => ($name, $help),)*
                }
            }
        }
    };
}

tallies! {
    ConnectionsAccepted: "connections_accepted", "Connections admitted";
    ConnectionsRefused: "connections_refused", "Connections turned away at a limit";
    ConnectionsStrange: "connections_strange", "Connections that failed at TLS or at the header of a proxy";
    ConnectionsTooSlow: "connections_too_slow", "Connections closed because the peer did not read";
    ConnectionPanics: "connection_panics", "Connection tasks that panicked";
    SentBytes: "sent_bytes", "Bytes written to clients";
    CompressedFromBytes: "compressed_from_bytes", "Bytes for clients that were compressed, before it";
    CompressedBytes: "compressed_bytes", "The same bytes after it";
    CommitsFailed: "commits_failed", "Commits that failed";
    Rebuilds: "rebuilds", "Times the world was rebuilt from storage";
    AccountsUnused: "accounts_unused", "Accounts that were never used and are gone";
    LoginsFailed: "logins_failed", "Logins that failed";
    BranchesOpened: "branches_opened", "Branches that came to be";
    BranchesCollapsed: "branches_collapsed", "Branches that collapsed";
    CreaturesKilled: "creatures_killed", "Creatures that were killed";
    PlayersFallen: "players_fallen", "Players who went down";
}
