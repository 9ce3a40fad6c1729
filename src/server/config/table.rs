//! All settings: name, comment, valid range and field in `Config`. Fields of the server's own sections are declared in
//! `config.rs`, the limits in `base::limits`. Settings of the game rules are declared here, because the rules do not
//! know about files.
//!
//! A setting needs a restart where a reload would cost more than it helps:
//! - `server`, `log.format`, `log.queue_lines`, `cluster`, `gateway`: the folder is locked, the database and the log are
//!   open, and other processes depend on the addresses.
//! - addresses of `telnet`, `http` and `ops`, with `telnet.proxy` and `http.tls`: the ports are bound before the server
//!   gives up privileges, and open connections would have other terms than new ones.
//! - files and addresses of `bridge`, and `grapevine`: the tasks that use them are started once.
//! - paths in `tls`: the files behind them are reloaded.
//! - `telnet.proxy_from`, `telnet.compress_tls` and the rest of `http`: trust in proxies and origins is decided once, so
//!   that no request is checked by halves of two configurations.
//! - `auth.slots`, `auth.memory_kib`, `auth.passes`: the hash queue and the hash for unknown names have that size and strength.
//! - `world.seed`: it makes a new world.
//! - limits with `@restart`: tables and semaphores of that size are allocated at the start.

use super::field::{Chance, ConfigField, OneLine, SecureUrl, field};
use super::{
    AuthConfig, BackupConfig, BridgeConfig, ClusterConfig, Config, GatewayConfig, GrapevineConfig,
    HttpConfig, LogConfig, OpsConfig, ServerConfig, TelnetConfig, TlsConfig, WorldConfig,
};
use crate::session::ExtraVariables;
use deepwell_core::base::limits::{Bound, Limits};
use deepwell_core::base::{Seed, Span};
use deepwell_game::{RenewedBy, Rope, SharedChannels};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// One setting.
#[derive(Clone, Debug)]
pub(super) struct ConfigSetting {
    /// Name of the section.
    pub(super) section: &'static str,
    /// Key in the section.
    pub(super) key: &'static str,
    /// Lines of the comment.
    pub(super) about: &'static [&'static str],
    /// Set if a change takes effect only at a start, not at a reload.
    pub(super) needs_restart: bool,
    /// Valid range of measurable values: numbers, milliseconds, characters or thousandths.
    pub(super) range: RangeInclusive<i64>,
    place: Lens,
}

#[derive(Clone, Debug)]
enum Lens {
    Config(for<'a> fn(&'a mut Config) -> ConfigField<'a>),
    Limit(for<'a> fn(&'a mut Limits) -> Bound<'a>),
}

/// Range without bounds.
pub(super) const ANY: RangeInclusive<i64> = i64::MIN..=i64::MAX;

impl ConfigSetting {
    /// Creates a row of the table.
    pub(super) const fn new(
        section: &'static str,
        key: &'static str,
        about: &'static [&'static str],
        needs_restart: bool,
        range: RangeInclusive<i64>,
        place: for<'a> fn(&'a mut Config) -> ConfigField<'a>,
    ) -> Self {
        Self { section, key, about, needs_restart, range, place: Lens::Config(place) }
    }

    /// Returns the setting's field in a configuration.
    pub(super) fn field<'a>(&self, config: &'a mut Config) -> ConfigField<'a> {
        match self.place {
            Lens::Config(place) => place(config),
            Lens::Limit(place) => match place(&mut config.game.limits) {
                Bound::Number(number) => field::<u32>(number),
                Bound::Time(time) => field::<Span>(time),
            },
        }
    }

    /// Returns the full name, `section.key`.
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.section, self.key)
    }

    /// Returns the environment variable that sets it.
    pub(super) fn variable(&self) -> String {
        format!("DEEPWELL_{}__{}", self.section.to_uppercase(), self.key.to_uppercase())
    }
}

/// Declares a section of the server's own: its struct, defaults and rows. A change takes effect at a start; `@reload`
/// marks the settings whose change takes effect at a reload.
macro_rules! section {
    (@needs reload) => { false };
    (@needs) => { true };
    ($(#[doc = $about:literal])* $name:ident: $section:ident {
        $($(#[doc = $doc:literal])* $(@$mark:ident)? $key:ident: $kind:ty = $default:expr $(, $range:expr)?;)*
    }) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[doc = $doc])* pub $key: $kind,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($key: $default,)* }
            }
        }

        impl $name {
            const SECTION: ConfigSection = ConfigSection { name: stringify!($section), about: &[$($about),*] };
            const SETTINGS: &'static [ConfigSetting] = &[$(ConfigSetting::new(
                stringify!($section),
                stringify!($key),
                &[$($doc),*],
                section!(@needs $($mark)?),
                section!(@range $($range)?),
                |config| field::<$kind>(&mut config.$section.$key),
            ),)*];
        }
    };
    (@range) => { $crate::server::config::table::ANY };
    (@range $range:expr) => { $range };
}
pub(super) use section;

/// Declares rows for fields that belong to the game rules. A change takes effect at a reload; `@restart` marks the
/// settings whose change takes effect only at a start.
macro_rules! rows {
    (@needs restart) => { true };
    (@needs) => { false };
    ($name:ident: $section:ident {
        $($(#[doc = $doc:literal])* $(@$mark:ident)? $key:ident: $kind:ty = $($place:ident).+ $(, $range:expr)?;)*
    }) => {
        const $name: &[ConfigSetting] = &[$(ConfigSetting::new(
            stringify!($section),
            stringify!($key),
            &[$($doc),*],
            rows!(@needs $($mark)?),
            section!(@range $($range)?),
            |config| field::<$kind>(&mut config.$($place).+),
        ),)*];
    };
}

const SECOND: i64 = 1_000;
const DAY: i64 = 86_400 * SECOND;

rows! {
    WORLD: world {
        /// Seed of a new world; 0 generates one at the first start. Ignored for an existing world.
        @restart seed: Seed = game.seed;
        /// Name of the server, shown to players and crawlers.
        name: OneLine = game.name, 1..=40;
    }
}

rows! {
    GAME: game {
        /// Duration of a combat round.
        round: Span = game.round, 10..=60 * SECOND;
        /// Offers new characters the guided start, and shows tips.
        guidance: bool = game.guidance;
        /// Tells players when staff watch their session (snoop). Passwords are never shown.
        snoop_told: bool = game.snoop_told;
        /// Adds northeast, southeast, southwest and northwest (ne, se, sw, nw) as directions of hand-built rooms. The
        /// dungeon has no diagonal exits.
        diagonals: bool = game.diagonals;
    }
}

rows! {
    MEDIA: media {
        /// Base URL of the sound files listed in docs/develop/gmcp.md, for clients that play sounds. It begins with https://.
        /// Leave it empty if clients already have the files.
        url: SecureUrl = game.media_url, 0..=300;
    }
}

rows! {
    DUNGEON: dungeon {
        /// Time after a branch is opened within which companions who take the same exit join it.
        window: Span = game.dungeon.window, 0..=DAY;
        /// Interval between resets of the exits of a start room.
        reset_interval: Span = game.dungeon.reset_interval, 10..=7 * DAY;
        /// Probability that a reset unlinks an exit from its branch, from 0 to 1.
        reset_chance: Chance = game.dungeon.reset_chance_permille, 0..=1_000;
        /// Interval between checks for expired branches.
        check_interval: Span = game.dungeon.check_interval, 10..=7 * DAY;
        /// Time without a change after which a branch expires and collapses.
        max_life: Span = game.dungeon.max_life, 10..=3_650 * DAY;
        /// Activity that restarts max_life: "commands" (any command typed in the branch) or "rooms" (only a new
        /// room).
        renewed_by: RenewedBy = game.dungeon.renewed_by;
        /// Time without players after which a branch leaves memory and stays only in the database, until somebody comes
        /// back to it. 0 keeps all branches in memory.
        sleep_after: Span = game.dungeon.sleep_after, 0..=7 * DAY;
        /// Maximum number of unexplored exits in a branch at a time, or "theme" to let each theme decide.
        max_unexplored_exits: Option<u32> = game.dungeon.max_unexplored_exits, 1..=1_000;
        /// Maximum number of new exits of a room, or "theme".
        max_new_exits_per_room: Option<u32> = game.dungeon.max_new_exits_per_room, 1..=3;
        /// Allows a branch to run out of unexplored exits and so be finished: true, false or "theme".
        finishable: Option<bool> = game.dungeon.finishable;
        /// Use of the party rope, which brings a member back into the party's branch: "off", "once" (once in each
        /// branch) or "free".
        rope: Rope = game.dungeon.rope;
    }
}

rows! {
    BRIDGE: bridge {
        /// Channels that bridges share, in both directions: "newbie, ooc", one of them, or "". The list of channels in the
        /// game tells players which they are.
        channels: SharedChannels = game.sharing.channels;
        /// Shows outside who logs in and out, except guests and players who have set `config seen off`.
        logins: bool = game.sharing.logins;
        /// Shows announcements outside, and news from below, such as records, in which players who have set `config fame
        /// off` are not named.
        news: bool = game.sharing.news;
    }
}

rows! {
    MSSP: mssp {
        /// E-mail address for questions about the server.
        contact: OneLine = mssp.contact, 0..=200;
        /// Host name that players connect to. Mudlet offers the encrypted port only if this is empty or the name the
        /// player used.
        hostname: OneLine = mssp.hostname, 0..=200;
        /// URL of the game's web site. If empty, http.public_url is used.
        website: OneLine = mssp.website, 0..=200;
        /// URL of an icon, at least 32 by 32 pixels.
        icon: OneLine = mssp.icon, 0..=200;
        /// URL of a Discord invitation.
        discord: OneLine = mssp.discord, 0..=200;
        /// Language of the game's texts, named in English.
        language: OneLine = mssp.language, 0..=60;
        /// Country of the server: its English name or two-letter code.
        location: OneLine = mssp.location, 0..=60;
        /// Year in which the game was opened.
        created: OneLine = mssp.created, 0..=4;
        /// State of development: "Alpha", "Closed Beta", "Open Beta" or "Live".
        status: OneLine = mssp.status, 0..=40;
        /// Kind of world: "Adult", "Fantasy", "Historical", "Horror", "Modern", "Mystery", "None", "Romance", "Science
        /// Fiction" or "Spiritual".
        genre: OneLine = mssp.genre, 0..=60;
        /// Kind of world within the genre, such as "Dark Fantasy" or "Exploration", or "None".
        subgenre: OneLine = mssp.subgenre, 0..=60;
        /// Main activity: "Adventure", "Educational", "Hack and Slash", "None", "Player versus Player", "Player versus
        /// Environment", "Questing", "Roleplaying", "Simulation", "Social" or "Strategy".
        gameplay: OneLine = mssp.gameplay, 0..=60;
        /// Minimum age of players, or 0 for all ages.
        minimum_age: u32 = mssp.minimum_age, 0..=99;
        /// Hours that crawlers should wait between two visits, or 0 to leave it to them.
        crawl_delay: u32 = mssp.crawl_delay, 0..=720;
        /// Tells that builders are wanted.
        hiring_builders: bool = mssp.hiring_builders;
        /// Tells that programmers are wanted.
        hiring_coders: bool = mssp.hiring_coders;
        /// Additional variables, or overrides of those that the server reports: "NAME=value; NAME=value".
        extra: ExtraVariables = mssp.extra;
    }
}

/// A section, for the shipped file and for messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConfigSection {
    /// Name of the section.
    pub(super) name: &'static str,
    /// Lines of the comment.
    pub(super) about: &'static [&'static str],
}

const GAME_SECTION: ConfigSection = ConfigSection { name: "game", about: &["Game rules."] };
const MEDIA_SECTION: ConfigSection =
    ConfigSection { name: "media", about: &["Sounds, for players who enable them with `config sound on`."] };
const DUNGEON_SECTION: ConfigSection = ConfigSection {
    name: "dungeon",
    about: &[
        "Branches of the dungeon. A start room, a branch exit or a theme can override some of these settings.",
    ],
};
const LIMITS_SECTION: ConfigSection =
    ConfigSection { name: "limits", about: &["Limits on the work and memory that one client can cause."] };

const MSSP_SECTION: ConfigSection = ConfigSection {
    name: "mssp",
    about: &[
        "Data for MUD listing sites (MSSP), in addition to the figures. Empty texts are omitted. `deepwell listing` shows",
        "what crawlers read, and what is missing.",
    ],
};

/// All sections, in the order of the shipped file: first those that a new operator edits, last the longest.
pub(super) const SECTIONS: &[ConfigSection] = &[
    WorldConfig::SECTION,
    GAME_SECTION,
    DUNGEON_SECTION,
    TelnetConfig::SECTION,
    TlsConfig::SECTION,
    HttpConfig::SECTION,
    ServerConfig::SECTION,
    LogConfig::SECTION,
    OpsConfig::SECTION,
    BackupConfig::SECTION,
    AuthConfig::SECTION,
    MSSP_SECTION,
    MEDIA_SECTION,
    BridgeConfig::SECTION,
    GrapevineConfig::SECTION,
    GatewayConfig::SECTION,
    ClusterConfig::SECTION,
    LIMITS_SECTION,
];

/// All settings, section by section in the order of [`SECTIONS`].
pub(super) static SETTINGS: LazyLock<Vec<ConfigSetting>> = LazyLock::new(|| {
    let limits: Vec<_> = Limits::TABLE
        .iter()
        .map(|limit| ConfigSetting {
            section: LIMITS_SECTION.name,
            key: limit.name,
            about: limit.about,
            needs_restart: limit.needs_restart,
            range: limit.range.clone(),
            place: Lens::Limit(limit.field),
        })
        .collect();
    let mut settings = [
        WORLD,
        WorldConfig::SETTINGS,
        GAME,
        DUNGEON,
        TelnetConfig::SETTINGS,
        TlsConfig::SETTINGS,
        HttpConfig::SETTINGS,
        ServerConfig::SETTINGS,
        LogConfig::SETTINGS,
        OpsConfig::SETTINGS,
        BackupConfig::SETTINGS,
        AuthConfig::SETTINGS,
        MSSP,
        MEDIA,
        BRIDGE,
        BridgeConfig::SETTINGS,
        GrapevineConfig::SETTINGS,
        GatewayConfig::SETTINGS,
        ClusterConfig::SETTINGS,
        &limits,
    ]
    .concat();
    settings.sort_by_key(|setting| SECTIONS.iter().position(|section| section.name == setting.section));
    settings
});
