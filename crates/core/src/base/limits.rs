//! Limits on everything that clients can make grow, each a setting `limits.*`.

use crate::base::Span;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Description of a limit: name, documentation and valid range.
#[derive(Clone, Debug)]
pub struct LimitSpec {
    /// Key in section `[limits]`.
    pub name: &'static str,
    /// Lines of its doc comment.
    pub about: &'static [&'static str],
    /// Valid range: a plain number, or milliseconds for a duration.
    pub range: RangeInclusive<i64>,
    /// Set if a change takes effect only at a start.
    pub needs_restart: bool,
    /// Accessor of its field in [`Limits`].
    pub field: for<'a> fn(&'a mut Limits) -> Bound<'a>,
}

/// Mutable reference to a field of [`Limits`].
#[derive(Debug)]
pub enum Bound<'a> {
    /// Number.
    Number(&'a mut u32),
    /// Duration.
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

/// Declares the limits. `@restart` marks those whose change takes effect only at a start.
macro_rules! limits {
    (@needs restart) => { true };
    (@needs) => { false };
    ($($(#[doc = $about:literal])* $(@$mark:ident)? $name:ident: $kind:ty = $default:expr, $range:expr;)*) => {
        /// Limits in force. Fields are the settings `limits.NAME`.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Limits {$($(#[doc = $about])* pub $name: $kind,)*}

        impl Default for Limits {
            fn default() -> Self {
                Self {$($name: $default,)*}
            }
        }

        impl Limits {
            /// All limits, in declaration order.
            pub const TABLE: &'static [LimitSpec] = &[$(LimitSpec {
                name: stringify!($name),
                about: &[$($about),*],
                range: $range,
                needs_restart: limits!(@needs $($mark)?),
                field: |limits| Bound::from(&mut limits.$name),
            },)*];
        }
    };
}

const SECOND: i64 = 1_000;
const HOUR: i64 = 3_600 * SECOND;
const DAY: i64 = 24 * HOUR;

limits! {
    /// Maximum number of connections.
    @restart connections: u32 = 4_000, 1..=19_000;
    /// Maximum number of connections from one address that are not logged in.
    @restart connections_per_address: u32 = 64, 1..=19_000;
    /// Maximum number of connections from one network (IPv4 /24 or IPv6 /48) that are not logged in; the same applies
    /// to HTTP.
    @restart connections_per_network: u32 = 250, 1..=19_000;
    /// Maximum number of connections whose PROXY header has not arrived. Above it, the oldest one is closed.
    @restart connections_without_header: u32 = 250, 1..=19_000;
    /// Maximum number of connections that are not logged in.
    @restart connections_before_login: u32 = 1_000, 1..=19_000;
    /// Maximum number of compressed connections (MCCP2), each using about 8 KiB of memory; further connections are
    /// uncompressed. 0 disables compression. The default equals `connections`.
    @restart compressed_connections: u32 = 4_000, 0..=19_000;
    /// Deadline for logging in, from the time of connecting.
    login_time: Span = Span::secs(300), SECOND..=DAY;
    /// Number of failed logins after which a session is closed.
    login_tries: u32 = 5, 1..=100;
    /// Maximum number of simultaneous guests, who play without registering; 0 disables guest logins.
    guests: u32 = 10, 0..=1_000;
    /// Number of browsers per account that can resume without a password. Above it, the least recently used one must
    /// log in again. 0 makes every browser ask for the password.
    seat_tokens: u32 = 8, 0..=1_000;
    /// Time since its last visit for which a browser can resume without a password.
    seat_token_life: Span = Span(30 * DAY), SECOND..=3_650 * DAY;
    /// Number of browsers per account that can be logged in to the web builder. Above it, the oldest login is dropped.
    /// 0 disables the web builder.
    @restart desks: u32 = 4, 0..=100;
    /// Lifetime of a web builder login.
    desk_life: Span = Span(12 * HOUR), SECOND..=30 * DAY;
    /// Maximum number of web builder requests per minute from one browser, including checks while the builder types.
    @restart desk_asks: u32 = 600, 10..=100_000;
    /// Maximum size of a web builder request in bytes.
    @restart desk_bytes: u32 = 65_536, 4_096..=1_048_576;
    /// Maximum number of password checks waiting for a worker, in fair order, each using about 3 KiB of memory. The
    /// default equals `connections`: since a connection waits for at most one check, none is refused.
    @restart hash_queue: u32 = 4_000, 1..=10_000;
    /// Maximum length of an input line in bytes; the rest is discarded with a notice.
    line_bytes: u32 = 4_096, 256..=65_536;
    /// Sustained number of commands per second for each session.
    commands_per_second: u32 = 20, 1..=100_000;
    /// Number of commands that a session can send in a burst above that rate.
    commands_burst: u32 = 60, 1..=100_000;
    /// Maximum number of queued commands per session; above it, the server stops reading from the connection.
    commands_queued: u32 = 64, 1..=10_000;
    /// Maximum number of commands per session that are in flight in the game; further commands wait, so that other
    /// sessions get their turn.
    commands_in_flight: u32 = 16, 1..=10_000;
    /// Maximum size of a telnet subnegotiation in bytes.
    subnegotiation_bytes: u32 = 16_384, 256..=1_048_576;
    /// The same before login. Only GMCP and MSDP messages approach that size.
    subnegotiation_bytes_before_login: u32 = 4_096, 256..=1_048_576;
    /// Maximum size of a web client message in bytes, with its fragments joined.
    @restart message_bytes: u32 = 65_536, 1_024..=1_048_576;
    /// Maximum number of HTTP connections, not counting those upgraded to a WebSocket.
    @restart http_connections: u32 = 500, 1..=19_000;
    /// Maximum number of HTTP connections from one address.
    @restart http_connections_per_address: u32 = 64, 1..=19_000;
    /// Number of telnet negotiation commands after which a connection is closed.
    negotiations: u32 = 2_000, 100..=1_000_000;
    /// Maximum number of bytes buffered for a client that does not read; above it, the connection is closed.
    output_bytes: u32 = 1_048_576, 65_536..=67_108_864;
    /// Maximum number of characters per account.
    characters_per_account: u32 = 5, 1..=1_000;
    /// Maximum number of items that a character can carry.
    items_carried: u32 = 60, 1..=10_000;
    /// Maximum number of items on the ground of a room; the oldest are removed first.
    items_in_room: u32 = 100, 1..=10_000;
    /// Maximum number of items in one stack.
    stack: u32 = 100, 1..=1_000_000;
    /// Number of containers whose contents are kept up to date for one client (GMCP); above it, the one requested first
    /// is dropped.
    containers_watched: u32 = 8, 1..=1_000;
    /// Maximum number of rooms of an area sent to a client as a map (GMCP), nearest first.
    map_rooms: u32 = 1_000, 1..=20_000;
    /// Number of visited rooms remembered per connection, which `config brief on` leaves undescribed; above it, the
    /// oldest are described again.
    rooms_known: u32 = 1_000, 0..=100_000;
    /// Maximum number of effects held back while storage does not respond; above it, further output to waiting clients
    /// is dropped.
    held_effects: u32 = 100_000, 1_000..=10_000_000;
    /// Maximum number of players named in one sentence about a room or a branch exit; the rest are counted.
    people_named: u32 = 20, 1..=1_000;
    /// Maximum number of items in one container, regardless of its capacity.
    items_inside: u32 = 50, 1..=10_000;
    /// Maximum number of items inside other items, per carrying character and per room.
    items_nested: u32 = 200, 1..=10_000;
    /// Maximum number of items in a travelling merchant's pack; the oldest are removed first.
    shop_stock: u32 = 40, 1..=10_000;
    /// Maximum number of coppers in one purse, and of coins in one pile.
    coins: u32 = 1_000_000_000, 1..=4_000_000_000;
    /// Maximum number of accounts that one account can ignore.
    ignored: u32 = 100, 0..=10_000;
    /// Maximum number of friends of one account.
    friends: u32 = 100, 0..=10_000;
    /// Maximum number of unsettled reports from players.
    reports: u32 = 2_000, 0..=100_000;
    /// Maximum number of unsettled reports from one account.
    reports_per_account: u32 = 20, 0..=1_000;
    /// Number of lines attached to a complaint, taken from the last output sent to the reporter.
    report_lines: u32 = 20, 0..=200;
    /// Maximum length of a reason given for a sanction, in characters.
    reason_chars: u32 = 200, 10..=1_000;
    /// Maximum number of notices waiting for an account; the oldest are removed first.
    notices: u32 = 20, 1..=1_000;
    /// Maximum number of rumours from the well; the oldest of the most frequent kind is removed first.
    tidings: u32 = 40, 0..=1_000;
    /// Number of characters ranked by level; others are not listed.
    ranked: u32 = 100, 10..=10_000;
    /// Maximum number of hand-built rooms.
    built_rooms: u32 = 50_000, 100..=1_000_000;
    /// Maximum number of zones.
    zones: u32 = 200, 1..=10_000;
    /// Maximum number of vaults created in the game and not yet saved as content files.
    vaults: u32 = 40, 0..=1_000;
    /// Maximum number of rooms of a zone imported from a file.
    zone_rooms: u32 = 2_000, 1..=100_000;
    /// Maximum number of zones imported from files in one command.
    zones_at_once: u32 = 20, 1..=1_000;
    /// Maximum number of files and folders in a package of a zone.
    @restart package_files: u32 = 500, 1..=100_000;
    /// Maximum size in bytes of a package of a zone, and of all that it holds when it is unpacked.
    @restart package_bytes: u32 = 8_388_608, 1_024..=268_435_456;
    /// Maximum size of a zone file in bytes.
    @restart zone_file_bytes: u32 = 4_194_304, 1_024..=67_108_864;
    /// Maximum number of creatures, items and other content definitions created in the game.
    definitions: u32 = 1_000, 0..=100_000;
    /// Maximum size of a definition's text in bytes.
    definition_bytes: u32 = 16_384, 256..=1_048_576;
    /// Maximum number of active bans.
    bans: u32 = 1_000, 1..=100_000;
    /// Maximum number of audit log records; the oldest record of the most frequent author is removed first.
    audit_lines: u32 = 50_000, 1_000..=1_000_000;
    /// Retention time of audit log records.
    audit_kept: Span = Span(365 * DAY), DAY..=3_650 * DAY;
    /// Maximum number of build journal entries per builder, for undo and history; the oldest are removed first.
    journal_entries: u32 = 500, 1..=100_000;
    /// Maximum size of the build journal in bytes; the oldest entry of the author using most space is removed first. An
    /// entry larger than half of the limit is stored without its changes and cannot be undone.
    journal_bytes: u32 = 33_554_432, 65_536..=1_073_741_824;
    /// Maximum size in bytes of the former zone files that the build journal keeps for the undo of an import in slices;
    /// also at most half of `journal_bytes`. An import of larger zones has to be confirmed.
    undo_import_bytes: u32 = 8_388_608, 1_024..=268_435_456;
    /// Retention time of ledger records of money and items; totals are kept.
    ledger_kept: Span = Span(180 * DAY), DAY..=3_650 * DAY;
    /// Number of lines in a burst that a room is shown about one player's actions, such as taking and resting; speech
    /// and combat are not counted. Arriving and leaving count double. One more line is allowed every two seconds, and
    /// the rest are not shown.
    deed_lines: u32 = 12, 2..=10_000;
    /// Maximum speech load of one player per second: characters times listeners. A burst may reach twenty times as
    /// much.
    speech_load: u32 = 100_000, 1_000..=10_000_000;
    /// Number of lines in a burst that one account may say on the channels. One more line is allowed every second.
    channel_lines: u32 = 10, 1..=1_000;
    /// Number of new characters of one account, and of one address, that have a purse at once; the number is restored over
    /// a day. Further ones begin without money.
    purses_per_day: u32 = 20, 1..=10_000;
    /// Maximum number of logins per minute for one account.
    logins_per_minute: u32 = 30, 2..=10_000;
    /// Maximum length of speech in characters.
    speech_chars: u32 = 1_000, 40..=16_000;
    /// Maximum length of a player's own prompt in characters.
    prompt_chars: u32 = 80, 1..=1_000;
    /// Maximum length of a character's title in characters.
    title_chars: u32 = 40, 0..=200;
    /// Maximum number of titles given by quests and achievements that a character keeps; the oldest are removed first.
    titles: u32 = 50, 1..=1_000;
    /// Maximum number of start exits for which a character keeps a record of depth; the oldest record is removed first.
    exit_records: u32 = 20, 1..=1_000;
    /// Maximum length of a pose in characters.
    pose_chars: u32 = 80, 0..=400;
    /// Maximum length of a player's description of a character in characters.
    appearance_chars: u32 = 600, 0..=4_000;
    /// Maximum length of a mail in characters.
    mail_chars: u32 = 2_000, 40..=16_000;
    /// Maximum number of mails in the mailbox of one character; a further mail is refused. Mail that comes back to its
    /// sender is always taken in.
    mails_per_mailbox: u32 = 30, 0..=1_000;
    /// Maximum number of mails of one sender in the mailboxes of others.
    mails_per_sender: u32 = 30, 0..=1_000;
    /// Number of mails and notes that one account can write at once; the number is restored over a day.
    mails_per_day: u32 = 50, 1..=10_000;
    /// Maximum number of items, or stacks of items, that go with a mail.
    mail_things: u32 = 5, 0..=100;
    /// Time for which mail is kept. Mail that was not read, or whose items were not taken, then goes back to its sender,
    /// and other mail is deleted.
    mail_kept: Span = Span(30 * DAY), SECOND..=3_650 * DAY;
    /// Maximum length of a note on a board in characters.
    note_chars: u32 = 1_000, 40..=16_000;
    /// Maximum number of notes on one board; above it, the oldest note of the author with the most notes is removed.
    notes_per_board: u32 = 40, 1..=1_000;
    /// Maximum number of phrases on the walls of a room; above it, the oldest is wiped off.
    phrases_per_room: u32 = 5, 0..=100;
    /// Maximum number of notes on all boards.
    notes: u32 = 5_000, 0..=100_000;
    /// Maximum number of mails of all characters.
    mails: u32 = 50_000, 0..=1_000_000;
    /// Maximum number of aliases per account.
    aliases: u32 = 50, 0..=1_000;
    /// Maximum length of an alias expansion in characters.
    alias_chars: u32 = 200, 1..=4_000;
    /// Maximum number of phrases that an account has marked in what it reads. Each message to it is searched for each.
    highlights: u32 = 20, 0..=200;
    /// Maximum number of commands on one line.
    stacked_commands: u32 = 10, 1..=1_000;
    /// Number of typed lines kept per session for `history`; the oldest are removed first.
    history: u32 = 100, 1..=10_000;
    /// Number of messages kept per character for `replay`; the oldest are removed first.
    replay_lines: u32 = 200, 0..=10_000;
    /// Number of messages kept for each channel, and for the tells and the party of each character.
    channel_history: u32 = 100, 0..=10_000;
    /// Maximum size in bytes of the messages kept of each kind.
    replay_bytes: u32 = 32_768, 0..=1_048_576;
    /// Number of characters for whom messages are kept; the one without new messages for longest is evicted first.
    replay_characters: u32 = 4_000, 1..=100_000;
    /// Maximum length of a builder's description in characters.
    description_chars: u32 = 4_000, 80..=64_000;
    /// Maximum number of lines of a text that a builder writes line by line.
    draft_lines: u32 = 200, 1..=10_000;
    /// Time after a builder's last line for which the edited text is locked for other builders. The lock ends
    /// immediately when the text is finished or the builder leaves.
    text_lock: Span = Span::mins(30), 0..=DAY;
    /// Maximum number of detail keywords in one room.
    details_per_room: u32 = 60, 0..=1_000;
    /// Maximum number of tags of one room.
    tags_per_room: u32 = 20, 0..=1_000;
    /// Maximum number of spawn rules of one room.
    spawns_per_room: u32 = 12, 0..=1_000;
    /// Maximum number of triggers of one room.
    triggers_per_room: u32 = 24, 0..=1_000;
    /// Maximum number of steps of one walk with `go`.
    walk_steps: u32 = 100, 1..=2_000;
    /// Maximum number of quests that one character has at a time.
    quests: u32 = 20, 0..=1_000;
    /// Maximum number of errands that one character has taken at a time.
    errands: u32 = 2, 0..=100;
    /// Number of errands of each length that the board offers to a character.
    errands_offered: u32 = 3, 0..=50;
    /// Maximum number of suspended scripts of one room; the rest of a further one is skipped.
    waits_per_room: u32 = 16, 0..=1_000;
    /// Maximum number of variables that a zone declares.
    variables_per_zone: u32 = 100, 0..=10_000;
    /// Maximum number of values of variables that one character, room or branch has.
    variables_per_object: u32 = 200, 0..=10_000;
    /// Maximum length of a text in a variable in bytes; longer texts are cut.
    variable_bytes: u32 = 200, 1..=4_000;
    /// Maximum depth of triggers that fire each other; deeper triggers are skipped.
    trigger_depth: u32 = 4, 1..=32;
    /// Maximum number of lines of scripts that run at once, of all triggers together; the rest is skipped. The scripts of
    /// one room may run four times as many within a second; the same applies to the next two limits.
    trigger_lines: u32 = 300, 30..=100_000;
    /// Maximum size in bytes of the texts that scripts show one player at once.
    script_told_bytes: u32 = 10_000, 1_000..=1_000_000;
    /// Amount of work of scripts at once: rows read, calls of functions and their steps, texts for each player who hears
    /// them, creatures and items created; 10000 take about a millisecond.
    script_work: u32 = 40_000, 1_000..=10_000_000;
    /// Maximum number of statements and expressions per script call; a call that exceeds it is aborted and rolled back.
    /// 6000 take about half a millisecond.
    script_steps: u32 = 6_000, 100..=1_000_000;
    /// Maximum memory of a script call in bytes.
    script_memory_bytes: u32 = 131_072, 32_768..=16_777_216;
    /// Maximum size in bytes of the state of one script in one room.
    script_state_bytes: u32 = 2_048, 0..=16_384;
    /// Maximum number of lines of a script that is written in the game.
    script_lines: u32 = 600, 10..=10_000;
    /// Maximum number of creatures, people, exits and items of a room, and of quests of a player, that a script is told.
    script_scene: u32 = 32, 0..=200;
    /// Maximum number of errors and notes of one script that are kept in memory.
    script_log: u32 = 20, 1..=1_000;
    /// Maximum length in characters of the name of a room or an exit, or of a speaker on a bridge.
    name_chars: u32 = 60, 8..=200;
    /// Maximum number of rooms in one branch; above it, the branch stops growing and players are told.
    rooms_per_branch: u32 = 100_000, 2..=1_000_000;
    /// Maximum number of characters with a memory of one branch room. Above it, memories of characters who have left
    /// the branch are evicted first.
    room_memories: u32 = 200, 1..=10_000;
    /// Hidden exits that a character remembers having found.
    found_exits: u32 = 300, 1..=10_000;
    /// Rooms with scripts for a first visit that a character remembers having visited.
    visited_rooms: u32 = 1_000, 1..=10_000;
    /// Maximum number of active branches; above it, branch exits refuse to open until one expires.
    branches: u32 = 10_000, 1..=1_000_000;
    /// Maximum number of expeditions; above it, no more are founded. 0 disables expeditions.
    expeditions: u32 = 500, 0..=100_000;
    /// Maximum number of expeditions that a character can be a member of.
    expeditions_per_character: u32 = 3, 1..=1_000;
    /// Maximum number of members of the weekly expedition. 0 disables it.
    weekly_members: u32 = 300, 0..=2_000;
    /// Maximum number of camps of an expedition.
    camps: u32 = 5, 0..=1_000;
    /// Number of items in the safe pocket of a character, which `recall` out of an expedition does not leave behind.
    pocket_slots: u32 = 3, 0..=1_000;
    /// Number of rows of expired branches deleted per step; the rest follow moments later.
    collapse_rows: u32 = 500, 10..=100_000;
    /// Maximum number of inputs of one client that wait while a branch or an account is read from the database.
    inputs_waiting: u32 = 64, 1..=10_000;
    /// Amount of work per step of a builder's search, of the respawn check or of work on a large zone, in rows read; 10000
    /// take about a millisecond. The rest follows moments later.
    slice_work: u32 = 4_000, 10..=1_000_000;
    /// Maximum number of pending party invitations of one character.
    party_invitations: u32 = 5, 1..=1_000;
    /// Maximum number of pending requests for a duel to one character.
    duel_requests: u32 = 5, 1..=1_000;
    /// Maximum number of open loot rolls per party; further items are free for all.
    party_rolls: u32 = 20, 1..=1_000;
    /// Maximum number of companions of one player.
    companions: u32 = 3, 0..=100;
    /// Time for which a link-dead character stays in the world.
    link_dead: Span = Span::secs(180), 0..=DAY;
    /// Time after which the characters of an account that is away leave memory and stay only in the database, until the
    /// account logs in or staff need one of them. 0 keeps all characters in memory.
    absent_after: Span = Span::mins(10), 0..=7 * DAY;
    /// Retention time of an unused account, from its last visit; its name is then free again. An account is unused if
    /// its characters never entered the dungeon, gained no experience and own no more than they were given. Staff
    /// accounts are kept. 0 keeps all accounts.
    unused_account: Span = Span::secs(7_776_000), 0..=3_650 * DAY;
    /// Idle time after which a logged-in session is closed.
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
    fn limit_is_set_through_its_table_entry() {
        let mut limits = Limits::default();
        let row = Limits::TABLE.iter().find(|limit| limit.name == "idle").unwrap();
        if let Bound::Time(time) = (row.field)(&mut limits) {
            *time = Span::secs(7);
        }
        assert_eq!(limits, Limits { idle: Span::secs(7), ..Limits::default() });
    }
}
