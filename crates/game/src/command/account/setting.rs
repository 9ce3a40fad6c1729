//! Account settings. Each is declared once: its name, purpose, values, display and parser.

use crate::effect::prompt;
use crate::refusal::{self, Refusal, refuse};
use deepwell_core::base::limits::Limits;
use deepwell_core::base::{ColourLevel, Palette, RuleLimit};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::{
    BriefRooms, Charset, CombatText, LootChoice, PromptStyle, Settings, Stacking, Width,
};

/// Declaration of a setting.
pub(crate) struct AccountSetting {
    pub(crate) name: &'static str,
    aliases: &'static [&'static str],
    /// Purpose, without a full stop.
    about: &'static str,
    /// Accepted values.
    pub(crate) values: &'static str,
    /// Formats the current value.
    shown: fn(&Settings) -> String,
    /// Parses and sets a value.
    pub(crate) choose: fn(&mut Settings, &str, &Limits) -> Result<(), UnfitValue>,
}

/// Reason why a value is rejected.
pub(crate) enum UnfitValue {
    /// Not an accepted value.
    Value,
    /// Rejected for another reason.
    Refused(Refusal),
}

impl From<Refusal> for UnfitValue {
    fn from(reason: Refusal) -> Self {
        Self::Refused(reason)
    }
}

/// A setting that is one of these words, in a field.
macro_rules! choice {
    ($words:expr, $field:ident) => {
        AccountSetting {
            name: "",
            aliases: &[],
            about: "",
            values: "",
            shown: |settings| word_of($words, &settings.$field),
            choose: |settings, value, _| one_of($words, value, &mut settings.$field),
        }
    };
}

/// All settings, in display order.
pub(crate) const SETTINGS: &[AccountSetting] = &[
    AccountSetting {
        name: "colour",
        aliases: &["color", "colours", "colors"],
        about: "How many colours you get",
        values: "auto, off, 16, 256 or true",
        ..choice!(COLOURS, colour)
    },
    AccountSetting {
        name: "palette",
        about: "Which colours they are, for how you see them or for your background",
        values: "default, deuteranopia, protanopia, tritanopia, contrast, light or mono",
        ..choice!(&Palette::NAMES, palette)
    },
    AccountSetting {
        name: "width",
        aliases: &[],
        about: "How long a line may be; auto asks your program, off leaves wrapping to it",
        values: "auto, off, or a number from 20 to 250",
        shown: |settings| match settings.width {
            Width::Auto => "auto".into(),
            Width::Off => "off".into(),
            Width::Columns(columns) => columns.to_string(),
        },
        choose: |settings, value, _| {
            settings.width = match (value.to_lowercase().as_str(), value.parse()) {
                ("auto", _) => Width::Auto,
                ("off", _) => Width::Off,
                (_, Ok(columns @ 20..=250)) => Width::Columns(columns),
                _ => return Err(UnfitValue::Value),
            };
            Ok(())
        },
    },
    AccountSetting {
        name: "reader",
        aliases: &["screenreader"],
        about: "Plain sentences for a screen reader, nothing drawn",
        values: "auto, on or off",
        ..choice!(AUTO, screen_reader)
    },
    AccountSetting {
        name: "encoding",
        aliases: &["charset"],
        about: "Which letters your program sends and shows",
        values: "auto, utf-8, latin1, cp1251 or ascii",
        ..choice!(ENCODINGS, encoding)
    },
    AccountSetting {
        name: "links",
        about: "Exits and words to type can be clicked, in programs that can do that",
        values: "auto, on or off",
        ..choice!(AUTO, links)
    },
    AccountSetting {
        name: "keepalive",
        about: "Whether the line is tried once a minute, so that a broken one is noticed",
        values: "on or off",
        ..choice!(UNLESS, no_keep_alive)
    },
    AccountSetting {
        name: "prompt",
        aliases: &[],
        about: "What stands before what you type",
        values: "full, brief, off, or custom and a text; help prompt tells what the text may hold",
        shown: |settings| match settings.prompt {
            PromptStyle::Custom => format!("custom {}", settings.prompt_text),
            style => word_of(PROMPTS, &style),
        },
        choose: choose_prompt,
    },
    AccountSetting {
        name: "pager",
        about: "Whether long texts stop at each page, if your program has no window of its own to scroll",
        values: "on or off",
        ..choice!(SWITCH, pager)
    },
    AccountSetting {
        name: "stack",
        aliases: &["stacking"],
        about: "What parts several commands on one line",
        values: "off, ; or ;;",
        ..choice!(SEPARATORS, stack)
    },
    AccountSetting {
        name: "brief",
        about: "Whether a room that you have seen since you connected is described only when you look",
        values: "auto, on or off; auto is on with a screen reader",
        ..choice!(BRIEF, brief)
    },
    AccountSetting {
        name: "tips",
        aliases: &["tip"],
        about: "Whether you are told what you could try",
        values: "on or off",
        ..choice!(UNLESS, no_tips)
    },
    AccountSetting {
        name: "fame",
        about: "Whether others find you in the lists of levels and depths, and read your records, and the town speaks of you by name",
        values: "on or off",
        ..choice!(UNLESS, no_fame)
    },
    AccountSetting {
        name: "seen",
        about: "Whether those who have you as a friend are told when you come and go",
        values: "on or off",
        ..choice!(UNLESS, unseen)
    },
    AccountSetting {
        name: "place",
        about: "Whether who tells others where you are",
        values: "on or off",
        ..choice!(SWITCH, shows_place)
    },
    AccountSetting {
        name: "loot",
        about: "Whether you take what is yours at once when a creature falls",
        values: "auto or manual",
        ..choice!(LOOT, loot)
    },
    AccountSetting {
        name: "assist",
        about: "Whether you join the fights of your party in the room without typing assist",
        values: "on or off",
        ..choice!(SWITCH, assists)
    },
    AccountSetting {
        name: "combat",
        about: "How much of a fight you are told: every blow, a line a round, or only your own blows",
        values: "auto, full, brief or own",
        ..choice!(COMBAT, combat)
    },
    AccountSetting {
        name: "wait",
        about: "Whether a round waits for your command when you fight alone",
        values: "on or off",
        ..choice!(SWITCH, wait)
    },
    AccountSetting {
        name: "cues",
        about: "Whether each message begins with a word for its kind, for who listens",
        values: "on or off",
        ..choice!(SWITCH, cues)
    },
    AccountSetting {
        name: "sound",
        aliases: &["sounds"],
        about: "Whether your program plays sounds, if it can",
        values: "on or off",
        ..choice!(SWITCH, sound)
    },
];

/// Finds a setting by name.
pub(crate) fn setting_named(name: &str) -> Result<&'static AccountSetting, Refusal> {
    let found = SETTINGS.iter().find(|setting| setting.name == name || setting.aliases.contains(&name));
    let none = || refuse!("There is no setting \"{name}\". Type config for the list.");
    found.ok_or_else(none)
}

/// Adds a line such as "width: 60. How long a line may be; ...: auto, off, or a number from 20 to 250."
pub(crate) fn describe(setting: &AccountSetting, settings: &Settings, list: &mut Markup) {
    // The name is not a command, so it is not styled as one.
    list.line(Style::Heading, setting.name);
    let (value, about, values) = ((setting.shown)(settings), setting.about, setting.values);
    list.push(Style::Plain, &format!(": {value}. {about}: {values}."));
}

const SWITCH: &[(&str, bool)] = &[("on", true), ("off", false), ("yes", true), ("no", false)];

/// Words of a switch whose field is set when it is off.
const UNLESS: &[(&str, bool)] = &[("on", false), ("off", true), ("yes", false), ("no", true)];

const AUTO: &[(&str, Option<bool>)] =
    &[("auto", None), ("on", Some(true)), ("off", Some(false)), ("yes", Some(true)), ("no", Some(false))];

const BRIEF: &[(&str, BriefRooms)] = &[
    ("auto", BriefRooms::Auto),
    ("on", BriefRooms::On),
    ("off", BriefRooms::Off),
    ("yes", BriefRooms::On),
    ("no", BriefRooms::Off),
];

const ENCODINGS: &[(&str, Option<Charset>)] = &[
    ("auto", None),
    ("utf-8", Some(Charset::Utf8)),
    ("latin1", Some(Charset::Latin1)),
    ("cp1251", Some(Charset::Cp1251)),
    ("ascii", Some(Charset::Ascii)),
    ("utf8", Some(Charset::Utf8)),
    ("latin-1", Some(Charset::Latin1)),
    ("windows-1251", Some(Charset::Cp1251)),
];

const COLOURS: &[(&str, Option<ColourLevel>)] = &[
    ("auto", None),
    ("off", Some(ColourLevel::None)),
    ("16", Some(ColourLevel::Sixteen)),
    ("256", Some(ColourLevel::TwoFiftySix)),
    ("true", Some(ColourLevel::True)),
    ("none", Some(ColourLevel::None)),
    ("on", Some(ColourLevel::Sixteen)),
];

const PROMPTS: &[(&str, PromptStyle)] =
    &[("full", PromptStyle::Full), ("brief", PromptStyle::Brief), ("off", PromptStyle::Off)];

const SEPARATORS: &[(&str, Stacking)] =
    &[("off", Stacking::Off), (";", Stacking::One), (";;", Stacking::Two)];

const LOOT: &[(&str, LootChoice)] = &[
    ("auto", LootChoice::Auto),
    ("manual", LootChoice::Manual),
    ("on", LootChoice::Auto),
    ("off", LootChoice::Manual),
];

const COMBAT: &[(&str, Option<CombatText>)] = &[
    ("auto", None),
    ("full", Some(CombatText::Full)),
    ("brief", Some(CombatText::Brief)),
    ("own", Some(CombatText::Own)),
];

/// Returns the first word for a value.
fn word_of<T: PartialEq>(values: &[(&str, T)], value: &T) -> String {
    values.iter().find(|(_, known)| known == value).map(|(word, _)| (*word).into()).unwrap_or_default()
}

/// Sets the value denoted by a word.
fn one_of<T: Copy>(values: &[(&str, T)], word: &str, value: &mut T) -> Result<(), UnfitValue> {
    let word = word.to_lowercase();
    *value = values.iter().find(|(known, _)| *known == word).ok_or(UnfitValue::Value)?.1;
    Ok(())
}

fn choose_prompt(settings: &mut Settings, value: &str, limits: &Limits) -> Result<(), UnfitValue> {
    let (word, text) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
    if !word.eq_ignore_ascii_case("custom") {
        return one_of(PROMPTS, value, &mut settings.prompt);
    }
    let text = text.trim();
    if text.is_empty() && settings.prompt_text.is_empty() {
        return Err(refuse!("Type prompt custom and a text with tokens: {}.", prompt::tokens()).into());
    }
    let too_long = |most| refuse!("A prompt may have {most} letters.");
    refusal::require_at_most(limits, RuleLimit::PromptChars, text.chars().count(), too_long)?;
    prompt::check(text).map_err(|error| Refusal::Said(error.to_string().into()))?;
    if !text.is_empty() {
        text.clone_into(&mut settings.prompt_text);
    }
    settings.prompt = PromptStyle::Custom;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every listed value is accepted, and shown by the list after it was set.
    #[test]
    fn every_setting_accepts_and_shows_its_listed_values() {
        let limits = Limits::default();
        let mut names = BTreeSet::new();
        for setting in SETTINGS {
            assert!(setting.aliases.iter().chain([&setting.name]).all(|name| names.insert(*name)));
            let values = setting.values.split([',', ' ']).filter(|word| !word.is_empty());
            let mut taken = 0;
            for value in
                values.filter(|word| !["or", "a", "and", "number", "from", "to", "custom"].contains(word))
            {
                let mut settings = Settings::default();
                if (setting.choose)(&mut settings, value, &limits).is_ok() {
                    assert_eq!((setting.shown)(&settings), value, "{}", setting.name);
                    taken += 1;
                }
            }
            assert!(taken >= 2, "{} takes {taken} of its values", setting.name);
            let mut settings = Settings::default();
            assert!((setting.choose)(&mut settings, "nonsense", &limits).is_err(), "{}", setting.name);
            assert_eq!(settings, Settings::default(), "{}", setting.name);
        }
    }
}
