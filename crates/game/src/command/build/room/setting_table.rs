//! Settings of hand-built rooms and exits as builders type them behind `set`: the one table from which the lists, the
//! refusals and the reference page follow.

use deepwell_core::base::Span;
use deepwell_core::catalog::{RoomFlag, RoomSheet, Setting, SettingValues, StartSetting, StartText};
use std::fmt;
use std::ops::RangeInclusive;

/// Value that a setting takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Text in a form that these words describe.
    Words(&'static str),
    /// Yes or no.
    YesNo,
    /// Number in a range.
    Number(RangeInclusive<u32>),
    /// Number from 0 to 100.
    Percent,
    /// Time in a range of seconds.
    Secs(RangeInclusive<u32>),
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(description) => f.write_str(description),
            Self::YesNo => f.write_str("yes or no"),
            Self::Number(range) => write!(f, "a number from {} to {}", range.start(), range.end()),
            Self::Percent => f.write_str("a percentage from 0 to 100"),
            Self::Secs(range) => {
                let [least, most] =
                    [range.start(), range.end()].map(|secs| Span::secs((*secs).into()).written());
                write!(f, "a time from {least} to {most}, in seconds or with a unit, as in 90, 12s, 5m or 2h")
            }
        }
    }
}

/// A setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoomSetting {
    /// Name behind `set here` or `set EXIT`.
    pub name: &'static str,
    /// Value that it takes.
    pub takes: Takes,
    /// Value if it is not set; empty without one.
    pub default: &'static str,
    /// One-line help.
    pub about: &'static str,
}

const fn row(name: &'static str, takes: Takes, default: &'static str, about: &'static str) -> RoomSetting {
    RoomSetting { name, takes, default, about }
}

use Takes::{Number, Percent, Secs, Words, YesNo};

/// Default of a setting of branches that is not set.
const INHERITED: &str = "that of the start room, the level type or the server";

/// Default of the key of a room.
const NAMED_AFTER: &str = "the name";
/// Name of the setting that makes a room a shop.
pub(crate) const WARES: &str = "wares";

/// Key of a room, which is also a setting.
const KEY: RoomSetting = row("key", Words("one word"), NAMED_AFTER, "Name of the room in its zone file.");

/// Returns the settings of every hand-built room, without its flags: first its key.
pub(crate) fn room() -> impl Iterator<Item = RoomSetting> {
    [KEY].into_iter().chain(RoomSheet::settings().iter().map(|setting| declared(setting, "none")))
}

/// Settings of a shop.
pub(crate) static SHOP: [RoomSetting; 5] = [
    row(
        WARES,
        Words("items by key, each perhaps with a price and a limit, as in lamp 2 silver x10; or none"),
        "none",
        "What the shop sells; wares make a room a shop.",
    ),
    row(
        "buys",
        Words("percentages such as 60% or weapon 40%, items by key with or without a price, or none"),
        "the general rate",
        "What the shop buys, for a share of the value or a price. An item that is not named is not bought.",
    ),
    row(
        "open",
        Words("hours such as 8-20, or always"),
        "always",
        "When the shop is open, by the town's clock; 20-4 goes past midnight.",
    ),
    row("closed", Words("a text"), "none", "What players read while the shop is closed."),
    row("refill", Words("an hour, from 0 to 23"), "0", "When limited wares are in stock again."),
];

/// Settings of every exit to a hand-built room.
pub(crate) static EXIT: [RoomSetting; 4] = [
    row("door", Words("the name of a door, or none"), "none", "Door on both sides of the exit."),
    row("key", Words("an item by key, or none"), "none", "Item that opens the closed door."),
    row(
        "hidden",
        YesNo,
        "no",
        "Players must search the room before they see and take the exit. Set it on both sides if need be.",
    ),
    row(
        "puzzle",
        Words("a puzzle by name, or none"),
        "none",
        "Puzzle that players have to solve on the way through, each time. puzzle list tells all.",
    ),
];

/// Returns the line of a list for a setting or a field: its value, what it takes, and its help.
pub(crate) fn listed(
    name: &str,
    value: &str,
    takes: impl fmt::Display,
    default: &str,
    about: &str,
) -> String {
    let default = match default {
        "" => String::new(),
        default => format!("; default {default}"),
    };
    format!("{name}: {value} ({takes}{default}). {about}")
}

impl RoomSetting {
    /// Returns the word that takes the value back; `None` if there is always one.
    pub(crate) fn unset(&self) -> Option<&'static str> {
        match self.default {
            "none" => Some("none"),
            "" | NAMED_AFTER => None,
            _ => Some("default"),
        }
    }

    /// Returns the line of a list for the setting with a value.
    pub(crate) fn line(&self, value: &str) -> String {
        let value = if value.is_empty() { self.unset().unwrap_or_default() } else { value };
        listed(self.name, value, &self.takes, self.default, self.about)
    }
}

/// Returns the flags of hand-built rooms as settings.
pub(crate) fn flags() -> impl Iterator<Item = RoomSetting> {
    RoomFlag::ALL.into_iter().map(|flag| row(flag.name(), YesNo, "no", flag.about()))
}

/// Returns the settings of start exits, which a start room has for all its exits.
pub(crate) fn branch() -> impl Iterator<Item = RoomSetting> {
    StartSetting::all().iter().map(|setting| declared(setting, INHERITED))
}

/// Returns the row of a setting that the rules declare.
pub(crate) fn declared<T>(setting: &Setting<T>, default: &'static str) -> RoomSetting {
    let takes = match &setting.values {
        SettingValues::LevelType => Words("a level type by key"),
        SettingValues::Layout => Words("a layout by name"),
        SettingValues::Word(form, _) => Words(form),
        SettingValues::Number(range) => Number(range.clone()),
        SettingValues::Percent => Percent,
        SettingValues::YesNo => YesNo,
        SettingValues::Secs(range) => Secs(range.clone()),
    };
    row(setting.name, takes, default, setting.about)
}

/// Returns the texts of a start room as settings.
pub(crate) fn start_texts() -> impl Iterator<Item = RoomSetting> {
    StartText::ALL.into_iter().map(|text| row(text.name(), Words("a text"), text.usual(), text.about()))
}

/// Returns all settings: each group with what it belongs to.
pub fn settings() -> Vec<(&'static str, Vec<RoomSetting>)> {
    vec![
        ("set here: every room", room().chain(flags()).collect()),
        ("set here: a shop", SHOP.to_vec()),
        ("set EXIT: an exit", EXIT.to_vec()),
        ("set EXIT: a start exit; set here: a start room, for all its exits", branch().collect()),
        ("set here: texts of a start room", start_texts().collect()),
    ]
}
