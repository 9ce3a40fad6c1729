//! Every bound on what a client can make grow, in one place, each a setting `limits.*`.

use crate::base::Span;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// A bound as a setting: its name, what it is for, and the values that make sense.
#[derive(Clone, Debug)]
pub struct Limit {
    /// The key in section `[limits]`.
    pub name: &'static str,
    /// The lines of its doc comment.
    pub about: &'static [&'static str],
    /// The values allowed: a plain number, or milliseconds for a time.
    pub range: RangeInclusive<i64>,
    /// Accessor of its field in [`Limits`].
    pub field: for<'a> fn(&'a mut Limits) -> Bound<'a>,
}

/// A place in [`Limits`] that may be read and set.
#[derive(Debug)]
pub enum Bound<'a> {
    /// A number of things.
    Number(&'a mut u32),
    /// A length of time.
    Time(&'a mut Span),
}

impl<'a> From<&'a mut u32> for Bound<'a> {
    fn from(number: &'a mut u32) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a mut Span> for Bound<'a> {
    fn from(time: &'a mut Span) -> Self {
        Self::Time(time)
    }
}

macro_rules! limits {
    ($($(#[doc = $about:literal])* $name:ident: $kind:ty = $default:expr, $range:expr;)*) => {
        /// The bounds in force. Fields are the settings `limits.NAME`.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Limits {$($(#[doc = $about])* pub $name: $kind,)*}

        impl Default for Limits {
            fn default() -> Self {
                Self {$($name: $default,)*}
            }
        }

        impl Limits {
            /// Every bound, in the order of their declaration.
            pub const TABLE: &'static [Limit] = &[$(Limit {
                name: stringify!($name),
                about: &[$($about),*],
                range: $range,
                field: |limits| Bound::from(&mut limits.$name),
            },)*];
        }
    };
}

const SECOND: i64 = 1_000;
const HOUR: i64 = 3_600 * SECOND;
const DAY: i64 = 24 * HOUR;

limits! {
    /// Connections in all.
    connections: u32 = 4_000, 1..=19_000;
    /// Connections from one address that have not logged in.
    connections_per_address: u32 = 64, 1..=19_000;
    /// Connections from one network (/24, or /48 of IPv6) that have not logged in; the same for HTTP.
    connections_per_network: u32 = 250, 1..=19_000;
    /// Connections whose proxy has not sent its header yet; beyond it the one that came first is closed.
    connections_without_header: u32 = 250, 1..=19_000;
    /// Connections in all that have not logged in.
    connections_before_login: u32 = 1_000, 1..=19_000;
    /// Connections that are compressed (MCCP2), each with about 200 KiB of memory; more stay plain. 0 offers it to nobody.
    compressed_connections: u32 = 250, 0..=19_000;
    /// Time from connecting to logged in, absolute.
    login_time: Span = Span::secs(300), SECOND..=DAY;
    /// Failed logins before a session is closed.
    login_tries: u32 = 5, 1..=100;
    /// Guests at a time, who look around without an account; 0 lets none in.
    guests: u32 = 10, 0..=1_000;
    /// Browsers of one account that may come back without a password; beyond it the one that did longest ago is forgotten.
    /// 0 has every one of them ask for it.
    seat_tokens: u32 = 8, 0..=1_000;
    /// Time after its last visit for which a browser may come back without a password.
    seat_token_life: Span = Span(30 * DAY), SECOND..=3_650 * DAY;
    /// Browsers of one account in which the page for builders is open; beyond it the one that logged in first is forgotten.
    /// 0 shuts that page.
    desks: u32 = 4, 0..=100;
    /// Lifetime of a log-in at the page for builders.
    desk_life: Span = Span(12 * HOUR), SECOND..=30 * DAY;
    /// Requests of one browser at the page for builders in a minute, trials while the builder types included.
    desk_asks: u32 = 600, 10..=100_000;
    /// Bytes of one request of the page for builders.
    desk_bytes: u32 = 65_536, 4_096..=1_048_576;
    /// Passwords that wait to be looked at, in fair turns; as many as may stand at the gate.
    hash_queue: u32 = 1_000, 1..=10_000;
    /// Bytes of one input line; the rest of a longer one is thrown away and said once.
    line_bytes: u32 = 4_096, 256..=65_536;
    /// Commands a second that a session may send for long.
    commands_per_second: u32 = 20, 1..=100_000;
    /// Commands that may come at once on top of that.
    commands_burst: u32 = 60, 1..=100_000;
    /// Commands of one session that wait; beyond it reading stops.
    commands_queued: u32 = 64, 1..=10_000;
    /// Commands of one session that the game has been asked for and has not carried out; beyond it others have their turn.
    commands_in_flight: u32 = 16, 1..=10_000;
    /// Bytes of one subnegotiation.
    subnegotiation_bytes: u32 = 16_384, 256..=1_048_576;
    /// The same before login; only structured messages are ever that long.
    subnegotiation_bytes_before_login: u32 = 4_096, 256..=1_048_576;
    /// Bytes of one message of a web client, its fragments joined.
    message_bytes: u32 = 65_536, 1_024..=1_048_576;
    /// HTTP connections in all, before they become a web client's.
    http_connections: u32 = 500, 1..=19_000;
    /// HTTP connections from one address.
    http_connections_per_address: u32 = 64, 1..=19_000;
    /// Negotiation commands of one connection before it is closed.
    negotiations: u32 = 2_000, 100..=1_000_000;
    /// Bytes waiting for a client that does not read; beyond it the connection is closed.
    output_bytes: u32 = 1_048_576, 65_536..=67_108_864;
    /// Characters of one account.
    characters_per_account: u32 = 5, 1..=1_000;
    /// Things one character may carry.
    items_carried: u32 = 60, 1..=10_000;
    /// Things that may lie in one room; the oldest goes first.
    items_in_room: u32 = 100, 1..=10_000;
    /// Things of a kind in one stack.
    stack: u32 = 100, 1..=1_000_000;
    /// Containers of whose contents one client is kept informed (GMCP); beyond it the one it asked about first is left out.
    containers_watched: u32 = 8, 1..=1_000;
    /// Rooms of one area that a client is told of as a map (GMCP), the nearest first.
    map_rooms: u32 = 1_000, 1..=20_000;
    /// Rooms one connection has seen that `config brief on` leaves undescribed; beyond it the oldest are described again.
    rooms_known: u32 = 1_000, 0..=100_000;
    /// Effects that are held back while the disk does not answer; beyond it clients that wait are told nothing more.
    held_effects: u32 = 100_000, 1_000..=10_000_000;
    /// Players that one sentence of a room or of a start exit names; the rest are counted.
    people_named: u32 = 20, 1..=1_000;
    /// Things that one container holds, whatever it could.
    items_inside: u32 = 50, 1..=10_000;
    /// Things that lie in other things, of all that one character carries or that lies in one room.
    items_nested: u32 = 200, 1..=10_000;
    /// Things in a travelling merchant's pack; the oldest goes first.
    shop_stock: u32 = 40, 1..=10_000;
    /// Coppers in one purse, and coins in one pile.
    coins: u32 = 1_000_000_000, 1..=4_000_000_000;
    /// Accounts that one account may ignore.
    ignored: u32 = 100, 0..=10_000;
    /// Reports of players that staff has not settled, in all.
    reports: u32 = 2_000, 0..=100_000;
    /// Reports of one account that staff has not settled.
    reports_per_account: u32 = 20, 0..=1_000;
    /// Lines that a report about somebody brings along, of what the reporter was told last.
    report_lines: u32 = 20, 0..=200;
    /// Letters of the reason for what staff do to somebody.
    reason_chars: u32 = 200, 10..=1_000;
    /// Things that an account waits to be told of; the oldest goes first.
    notices: u32 = 20, 1..=1_000;
    /// Tidings of the well that the town remembers; of what there is most of, the oldest goes first.
    tidings: u32 = 40, 0..=1_000;
    /// Characters that are ranked by level; who is behind them is on no list.
    ranked: u32 = 100, 10..=10_000;
    /// Rooms built by hand, in all; more are refused.
    built_rooms: u32 = 50_000, 100..=1_000_000;
    /// Zones that are kept as such.
    zones: u32 = 200, 1..=10_000;
    /// Vaults that are made in the game and no files of the content yet.
    vaults: u32 = 40, 0..=1_000;
    /// Rooms of a zone that comes in from a file.
    zone_rooms: u32 = 2_000, 1..=100_000;
    /// Zones that come in from their files at once.
    zones_at_once: u32 = 20, 1..=1_000;
    /// Bytes of the file of a zone.
    zone_file_bytes: u32 = 4_194_304, 1_024..=67_108_864;
    /// Creatures, things and what else of the content is made in the game; more are refused.
    definitions: u32 = 1_000, 0..=100_000;
    /// Bytes of the text of one of them.
    definition_bytes: u32 = 16_384, 256..=1_048_576;
    /// Bans at a time; more are refused.
    bans: u32 = 1_000, 1..=100_000;
    /// Lines in the book of what staff did; the oldest of whoever has written most goes first.
    audit_lines: u32 = 50_000, 1_000..=1_000_000;
    /// Time for which a line in the book of what staff did is kept.
    audit_kept: Span = Span(365 * DAY), DAY..=3_650 * DAY;
    /// Entries of one builder in the journal of what was built, for undo and history; the oldest goes first.
    journal_entries: u32 = 500, 1..=100_000;
    /// Bytes of the journal of what was built; the oldest entry of whoever takes most goes first, and one that is larger
    /// than half of it alone is kept without what it changed and cannot be undone.
    journal_bytes: u32 = 33_554_432, 65_536..=1_073_741_824;
    /// Time for which a line in the ledger of money and things is kept; the sums stay.
    ledger_kept: Span = Span(180 * DAY), DAY..=3_650 * DAY;
    /// Lines that a room is told at once of what one player does there, besides words and blows: taking, resting, and twice as
    /// much for coming and going. One more follows every two seconds; of the rest the room is told nothing.
    deed_lines: u32 = 12, 2..=10_000;
    /// Letters of speech times their hearers that one player may cause in a second; twenty times as many at once.
    speech_load: u32 = 100_000, 1_000..=10_000_000;
    /// Log-ins of one account in a minute; more are refused.
    logins_per_minute: u32 = 30, 2..=10_000;
    /// Letters of what one says.
    speech_chars: u32 = 1_000, 40..=16_000;
    /// Letters of a prompt that a player writes.
    prompt_chars: u32 = 80, 1..=1_000;
    /// Letters of what a player puts behind a character's name.
    title_chars: u32 = 40, 0..=200;
    /// Aliases of one account.
    aliases: u32 = 50, 0..=1_000;
    /// Letters of what an alias stands for.
    alias_chars: u32 = 200, 1..=4_000;
    /// Commands that one line may hold.
    stacked_commands: u32 = 10, 1..=1_000;
    /// Lines that a session keeps of what was typed, for `history`; the oldest goes first.
    history: u32 = 100, 1..=10_000;
    /// Messages that are kept for a character, for `replay`; the oldest goes first.
    replay_lines: u32 = 200, 0..=10_000;
    /// Messages that are kept of each channel, and of the tells and the party of each character.
    channel_history: u32 = 100, 0..=10_000;
    /// Bytes of the messages that are kept of each kind.
    replay_bytes: u32 = 32_768, 0..=1_048_576;
    /// Characters for whom messages are kept; who has been told nothing for longest goes first.
    replay_characters: u32 = 4_000, 1..=100_000;
    /// Letters of a description that a builder writes.
    description_chars: u32 = 4_000, 80..=64_000;
    /// Lines of a text that a builder writes line by line.
    draft_lines: u32 = 200, 1..=10_000;
    /// Time after a builder's last line for which no other builder may write the same text; it is free at once when it ends or its
    /// builder goes.
    text_lock: Span = Span::mins(30), 0..=DAY;
    /// Words of one room that a closer look finds something behind.
    details_per_room: u32 = 60, 0..=1_000;
    /// Words under which one room can be found.
    tags_per_room: u32 = 20, 0..=1_000;
    /// Kinds of creatures and things that come to one room again and again.
    spawns_per_room: u32 = 12, 0..=1_000;
    /// Triggers of one room.
    triggers_per_room: u32 = 24, 0..=1_000;
    /// Triggers that may set off each other, one by one, before the next is passed over.
    trigger_depth: u32 = 4, 1..=32;
    /// Statements and expressions of one call of a script; then it ends, and nothing has happened. 6000 cost half a millisecond.
    script_steps: u32 = 6_000, 100..=1_000_000;
    /// Bytes that one call of a script may use.
    script_memory_bytes: u32 = 131_072, 32_768..=16_777_216;
    /// Bytes that one script may remember in one room.
    script_state_bytes: u32 = 2_048, 0..=16_384;
    /// Letters of a room's or an exit's name.
    name_chars: u32 = 60, 8..=200;
    /// Rooms of one branch; then it grows no further and says so.
    rooms_per_branch: u32 = 100_000, 2..=1_000_000;
    /// Climbers by whom one room of a branch is remembered; beyond it whoever is in the branch no more forgets it first.
    room_memories: u32 = 200, 1..=10_000;
    /// Living branches in all; then the way is refused until one collapses.
    branches: u32 = 10_000, 1..=1_000_000;
    /// Rows of branches that have collapsed which are cleared away at once; the rest follows moments later.
    collapse_rows: u32 = 500, 10..=100_000;
    /// Hand-built rooms that a search of builders looks at in one step; the rest follows moments later.
    search_rooms: u32 = 2_000, 10..=1_000_000;
    /// Parties that may ask one character at a time.
    party_invitations: u32 = 5, 1..=1_000;
    /// Things that a party may roll for at a time; more are for whoever takes them.
    party_rolls: u32 = 20, 1..=1_000;
    /// Creatures that may go with one player at a time.
    companions: u32 = 3, 0..=100;
    /// Time for which a body without a connection stays in the world.
    link_dead: Span = Span::secs(180), 0..=DAY;
    /// Time after its last visit for which an account stays that never went below, learned nothing and owns no more than it
    /// was given, unless it is staff's; 0 keeps all. Its name is free again then.
    unused_account: Span = Span::secs(7_776_000), 0..=3_650 * DAY;
    /// Silence after which a logged-in session is closed.
    idle: Span = Span::mins(60), SECOND..=7 * DAY;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_within_their_ranges() {
        let mut limits = Limits::default();
        for limit in Limits::TABLE {
            let value = match (limit.field)(&mut limits) {
                Bound::Number(number) => i64::from(*number),
                Bound::Time(time) => time.0,
            };
            assert!(limit.range.contains(&value), "{}", limit.name);
        }
    }

    #[test]
    fn a_bound_is_set_through_its_row() {
        let mut limits = Limits::default();
        let row = Limits::TABLE.iter().find(|limit| limit.name == "idle").unwrap();
        if let Bound::Time(time) = (row.field)(&mut limits) {
            *time = Span::secs(7);
        }
        assert_eq!(limits, Limits { idle: Span::secs(7), ..Limits::default() });
    }
}
