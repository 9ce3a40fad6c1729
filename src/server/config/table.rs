//! Every setting: its name, what it is for, the values that make sense, and where it stands in `Config`.
//! The fields of the server's own sections are declared in `config.rs` and the bounds in `base::limits`; what the
//! rules need is declared here, because the rules know nothing of files.

use super::{
    AuthConfig, Config, Field, HttpConfig, LogConfig, OpsConfig, ServerConfig, TelnetConfig, TlsConfig,
    WorldConfig,
};
use crate::base::limits::{Bound, Limits};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// One setting.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    /// Its section.
    pub(super) section: &'static str,
    /// Its key in the section.
    pub(super) key: &'static str,
    /// The lines of its comment.
    pub(super) about: &'static [&'static str],
    /// The values allowed, where they can be measured: numbers, milliseconds, letters or parts of a thousand.
    pub(super) range: RangeInclusive<i64>,
    place: Lens,
}

#[derive(Clone, Debug)]
enum Lens {
    Config(for<'a> fn(&'a mut Config) -> Field<'a>),
    Limit(for<'a> fn(&'a mut Limits) -> Bound<'a>),
}

/// Any value that the type can hold.
pub(super) const ANY: RangeInclusive<i64> = i64::MIN..=i64::MAX;

impl Setting {
    /// A row of the table.
    pub(super) const fn new(
        (section, key): (&'static str, &'static str),
        about: &'static [&'static str],
        range: RangeInclusive<i64>,
        place: for<'a> fn(&'a mut Config) -> Field<'a>,
    ) -> Self {
        Self { section, key, about, range, place: Lens::Config(place) }
    }

    /// Where it stands in a configuration.
    pub(super) fn field<'a>(&self, config: &'a mut Config) -> Field<'a> {
        match self.place {
            Lens::Config(place) => place(config),
            Lens::Limit(place) => place(&mut config.game.limits).into(),
        }
    }

    /// Its full name.
    pub(super) fn name(&self) -> String {
        format!("{}.{}", self.section, self.key)
    }

    /// The variable of the environment that sets it.
    pub(super) fn variable(&self) -> String {
        format!("DEEPWELL_{}__{}", self.section.to_uppercase(), self.key.to_uppercase())
    }
}

/// Declares a section of the server's own: its struct, its defaults and its rows.
macro_rules! section {
    ($(#[doc = $about:literal])* $name:ident: $section:ident {
        $($(#[doc = $doc:literal])* $key:ident: $kind:ty = $default:expr $(, $range:expr)?;)*
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
            const SECTION: Section = Section { name: stringify!($section), about: &[$($about),*] };
            const SETTINGS: &'static [Setting] = &[$(Setting::new(
                (stringify!($section), stringify!($key)),
                &[$($doc),*],
                section!(@range $($range)?),
                |config| Field::from(&mut config.$section.$key),
            ),)*];
        }
    };
    (@range) => { $crate::server::config::table::ANY };
    (@range $range:expr) => { $range };
}
pub(super) use section;

/// Declares rows whose fields belong to the rules.
macro_rules! rows {
    ($name:ident: $section:ident {
        $($(#[doc = $doc:literal])* $key:ident $(in $range:expr)? => $place:expr;)*
    }) => {
        const $name: &[Setting] = &[$(Setting::new(
            (stringify!($section), stringify!($key)),
            &[$($doc),*],
            section!(@range $($range)?),
            $place,
        ),)*];
    };
}

const SECOND: i64 = 1_000;
const DAY: i64 = 86_400 * SECOND;

rows! {
    WORLD: world {
        /// The seed of a fresh world; 0 draws one at the first start. A world that exists keeps its own.
        seed => |config| Field::from(&mut config.game.seed);
        /// What the server calls itself.
        name in 1..=40 => |config| Field::Line(&mut config.game.name);
    }
}

rows! {
    GAME: game {
        /// The pace of a fight.
        round in 10..=60 * SECOND => |config| Field::from(&mut config.game.round);
        /// Whether new characters are offered the guided start and get tips.
        guidance => |config| Field::from(&mut config.game.guidance);
        /// Whether players are told that staff read along with them (snoop). Passwords are never shown to anybody.
        snoop_told => |config| Field::from(&mut config.game.snoop_told);
        /// Whether northeast, southeast, southwest and northwest (ne, se, sw, nw) are directions for rooms built by hand. The
        /// dungeon has none of them.
        diagonals => |config| Field::from(&mut config.game.diagonals);
    }
}

rows! {
    MEDIA: media {
        /// Where clients that play sounds may fetch the files that docs/gmcp.md lists: an address that begins with
        /// https://, or nothing for clients that have the files already.
        url in 0..=300 => |config| Field::SecureUrl(&mut config.game.media_url);
    }
}

rows! {
    DUNGEON: dungeon {
        /// After somebody opens a branch, companions who take the same exit within this time join it.
        window in 0..=DAY => |config| Field::from(&mut config.game.dungeon.window);
        /// How often the exits of a start room are reset.
        reset_interval in 10..=7 * DAY => |config| Field::from(&mut config.game.dungeon.reset_interval);
        /// How likely each of them is then unlinked from its branch, from 0 to 1.
        reset_chance in 0..=1_000 => |config| Field::Chance(&mut config.game.dungeon.reset_chance_permille);
        /// How often branches are checked for their age.
        check_interval in 10..=7 * DAY => |config| Field::from(&mut config.game.dungeon.check_interval);
        /// Time without a change after which a branch collapses.
        max_life in 10..=3_650 * DAY => |config| Field::from(&mut config.game.dungeon.max_life);
        /// Unexplored exits that a branch may have at a time, or "theme" to let each theme decide.
        max_unexplored_exits in 1..=1_000 => |config| Field::from(&mut config.game.dungeon.max_unexplored_exits);
        /// New exits that a room may get, or "theme".
        max_new_exits_per_room in 1..=3 => |config| Field::from(&mut config.game.dungeon.max_new_exits_per_room);
        /// Whether a branch may run out of unexplored exits and so come to an end, or "theme".
        finishable => |config| Field::from(&mut config.game.dungeon.finishable);
        /// How often the party rope brings a member back into the party's branch: "off", "once" in each branch, or "free".
        rope => |config| Field::from(&mut config.game.dungeon.rope);
    }
}

rows! {
    MSSP: mssp {
        /// An address for mail about the server.
        contact in 0..=200 => |config| Field::Line(&mut config.mssp.contact);
        /// The name that players connect to. Mudlet offers its players the encrypted port only if this is empty or the
        /// name they used.
        hostname in 0..=200 => |config| Field::Line(&mut config.mssp.hostname);
        /// The page of the game. If it is empty, http.public_url is told.
        website in 0..=200 => |config| Field::Line(&mut config.mssp.website);
        /// The address of a picture, at least 32 by 32.
        icon in 0..=200 => |config| Field::Line(&mut config.mssp.icon);
        /// The address of an invitation to where players talk.
        discord in 0..=200 => |config| Field::Line(&mut config.mssp.discord);
        /// The language of the texts, in English.
        language in 0..=60 => |config| Field::Line(&mut config.mssp.language);
        /// The country the server stands in, in English or in two letters.
        location in 0..=60 => |config| Field::Line(&mut config.mssp.location);
        /// The year in which it was opened.
        created in 0..=4 => |config| Field::Line(&mut config.mssp.created);
        /// How far it is: "Alpha", "Closed Beta", "Open Beta" or "Live".
        status in 0..=40 => |config| Field::Line(&mut config.mssp.status);
        /// Other variables, or other values for those that the server says by itself: "NAME=value; NAME=value".
        extra => |config| Field::Extra(&mut config.mssp.extra);
    }
}

/// A section, for the shipped file and for messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    /// Its name.
    pub(super) name: &'static str,
    /// The lines of its comment.
    pub(super) about: &'static [&'static str],
}

const GAME_SECTION: Section = Section { name: "game", about: &["The rules of play."] };
const MEDIA_SECTION: Section =
    Section { name: "media", about: &["Sounds, for players who type config sound on."] };
const DUNGEON_SECTION: Section = Section {
    name: "dungeon",
    about: &["Branches of the dungeon. A start exit or a theme that sets a value of its own keeps it."],
};
const LIMITS_SECTION: Section =
    Section { name: "limits", about: &["Bounds on what one client can make the server do or keep."] };

const MSSP_SECTION: Section = Section {
    name: "mssp",
    about: &["What pages that list games are told (MSSP), besides the figures. Empty texts are not told."],
};

/// Every section, in the order of the shipped file.
pub(super) const SECTIONS: &[Section] = &[
    ServerConfig::SECTION,
    TelnetConfig::SECTION,
    TlsConfig::SECTION,
    HttpConfig::SECTION,
    OpsConfig::SECTION,
    LogConfig::SECTION,
    WorldConfig::SECTION,
    GAME_SECTION,
    MEDIA_SECTION,
    DUNGEON_SECTION,
    LIMITS_SECTION,
    AuthConfig::SECTION,
    MSSP_SECTION,
];

/// Every setting, section by section in the order of the shipped file.
pub(super) static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| {
    let limits: Vec<_> = Limits::TABLE
        .iter()
        .map(|limit| Setting {
            section: LIMITS_SECTION.name,
            key: limit.name,
            about: limit.about,
            range: limit.range.clone(),
            place: Lens::Limit(limit.field),
        })
        .collect();
    [
        ServerConfig::SETTINGS,
        TelnetConfig::SETTINGS,
        TlsConfig::SETTINGS,
        HttpConfig::SETTINGS,
        OpsConfig::SETTINGS,
        LogConfig::SETTINGS,
        WORLD,
        WorldConfig::SETTINGS,
        GAME,
        MEDIA,
        DUNGEON,
        &limits,
        AuthConfig::SETTINGS,
        MSSP,
    ]
    .concat()
});
