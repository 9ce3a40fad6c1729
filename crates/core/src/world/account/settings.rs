//! Settings of a player: what the client shows, and how the game behaves for them.

use crate::base::{ColourLevel, Palette, listed};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Line width of the client.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Width {
    /// Width reported by the client, or 80.
    #[default]
    Auto,
    /// No wrapping by the server.
    Off,
    /// Fixed number of columns, 20 to 250.
    Columns(u16),
}

/// Prompt style.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromptStyle {
    /// Hit points and pending choices.
    #[default]
    Full,
    /// Only `> `.
    Brief,
    /// No prompt.
    Off,
    /// Player's own prompt, from [`Settings::prompt_text`].
    Custom,
}

/// Separator for several commands on one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stacking {
    /// No separator: each line is one command.
    #[default]
    Off,
    /// `;`
    One,
    /// `;;`
    Two,
}

impl Stacking {
    /// Returns the separator, if stacking is enabled.
    pub const fn separator(self) -> Option<&'static str> {
        match self {
            Self::Off => None,
            Self::One => Some(";"),
            Self::Two => Some(";;"),
        }
    }
}

/// Chat channel that reaches players in every room: all players, or all members of a party.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// Out-of-character talk.
    Ooc,
    /// Questions and answers.
    Newbie,
    /// Talk within the player's party.
    Party,
}

impl Channel {
    /// All channels.
    pub const ALL: &[Self] = &[Self::Newbie, Self::Ooc, Self::Party];

    /// Returns the command name of the channel.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ooc => "ooc",
            Self::Newbie => "newbie",
            Self::Party => "party",
        }
    }

    /// Returns the title shown before each message.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Ooc => "Ooc",
            Self::Newbie => "Newbie",
            Self::Party => "Party",
        }
    }

    /// Returns a short description of the purpose of the channel.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Ooc => "for whatever is not part of the game",
            Self::Newbie => "for questions and answers",
            Self::Party => "for your party",
        }
    }
}

/// Automatic looting of dead creatures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LootChoice {
    /// The player's loot is taken immediately.
    #[default]
    Auto,
    /// Loot stays until the player takes it.
    Manual,
}

/// Description of an already visited room on arrival.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", from = "StoredBrief")]
pub enum BriefRooms {
    /// Brief for screen readers, otherwise full.
    #[default]
    Auto,
    /// Without the description.
    On,
    /// With the description.
    Off,
}

/// Stored forms of [`BriefRooms`]: a keyword, or a boolean whose `false` means the default.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", untagged)]
enum StoredBrief {
    Switch(bool),
    Word(BriefWord),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum BriefWord {
    Auto,
    On,
    Off,
}

impl From<StoredBrief> for BriefRooms {
    fn from(stored: StoredBrief) -> Self {
        match stored {
            StoredBrief::Switch(true) | StoredBrief::Word(BriefWord::On) => Self::On,
            StoredBrief::Switch(false) | StoredBrief::Word(BriefWord::Auto) => Self::Auto,
            StoredBrief::Word(BriefWord::Off) => Self::Off,
        }
    }
}

/// Verbosity of combat text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CombatText {
    /// Every blow.
    Full,
    /// One line per fighter and round.
    Brief,
    /// Only blows by or against the player.
    Own,
}

listed! {
    /// Character set that a player may choose.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Charset {
        /// Unicode (UTF-8).
        Utf8 = "utf-8",
        /// ASCII only.
        Ascii = "ascii",
        /// ISO 8859-1.
        Latin1 = "latin1",
        /// Windows-1251 (Cyrillic).
        Cp1251 = "cp1251",
    }
}

/// Reads a character set, or the boolean that older rows hold.
fn charset_or_utf8<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Charset>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Stored {
        Utf8(bool),
        Charset(Charset),
    }
    let stored = Option::<Stored>::deserialize(deserializer)?;
    Ok(stored.map(|stored| match stored {
        Stored::Utf8(true) => Charset::Utf8,
        Stored::Utf8(false) => Charset::Ascii,
        Stored::Charset(charset) => charset,
    }))
}

/// Keys that can have a macro: function and keypad keys that type no text, without those that browsers need (F5, F11, F12)
/// and those that scroll.
pub const MACRO_KEYS: &[&str] = &[
    "f1", "f2", "f3", "f4", "f6", "f7", "f8", "f9", "f10", "kp0", "kp1", "kp2", "kp3", "kp4", "kp5", "kp6",
    "kp7", "kp8", "kp9",
];

/// Display settings of a player. `None` follows the capabilities reported by the client.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches, not a hidden state machine")]
pub struct Settings {
    /// Colour support: off, or the number of colours.
    pub colour: Option<ColourLevel>,
    /// Line width.
    pub width: Width,
    /// Linear output without layout, for screen readers.
    #[serde(rename = "reader")]
    pub screen_reader: Option<bool>,
    /// Character set; older rows store a boolean `utf8` in its place.
    #[serde(alias = "utf8", deserialize_with = "charset_or_utf8")]
    pub encoding: Option<Charset>,
    /// Set if exits and commands are sent as clickable links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<bool>,
    /// Set if idle connections are not probed with a keep-alive every minute.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_keep_alive: bool,
    /// Colour palette, including palettes for colour-blind players.
    pub palette: Palette,
    /// Prompt style.
    pub prompt: PromptStyle,
    /// Prompt template written by the player, with tokens such as `%h`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub prompt_text: String,
    /// Set if long texts pause after each page, for clients that cannot scroll.
    pub pager: bool,
    /// Separator for several commands on one line.
    pub stack: Stacking,
    /// Aliases defined by the player.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub aliases: BTreeMap<String, String>,
    /// Phrases that are marked where the player reads them, as [`text::highlight::fold`](crate::text::highlight::fold)
    /// returns them.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub highlights: BTreeSet<String>,
    /// Set if tips are disabled.
    pub no_tips: bool,
    /// Set if the player is left out of the leaderboard and of the rumours in town.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_fame: bool,
    /// Set if others do not see when the player logs in and out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unseen: bool,
    /// Set if `who` tells others where the player is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shows_place: bool,
    /// Muted channels.
    pub muted: BTreeSet<Channel>,
    /// Description of already visited rooms on arrival.
    pub brief: BriefRooms,
    /// Automatic looting of dead creatures.
    pub loot: LootChoice,
    /// Set if the player joins the fights of party members in the room.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub assists: bool,
    /// Verbosity of combat text. `None` means brief with a screen reader, otherwise full.
    pub combat: Option<CombatText>,
    /// Set if clients that play sounds should be sent sound cues.
    pub sound: bool,
    /// Set if each message starts with a keyword for its kind.
    pub cues: bool,
    /// Set if a round waits for the player's action while they fight alone.
    pub wait: bool,
}

impl Settings {
    /// Returns the keys that have a macro, in the order of the keys, with their commands. A macro is an alias with the name
    /// of a key, so that any client has it by sending the name.
    pub fn macros(&self) -> impl Iterator<Item = (&'static str, &str)> {
        MACRO_KEYS.iter().filter_map(|key| Some((*key, self.aliases.get(*key)?.as_str())))
    }
}
