//! The settings that a start exit gives to its branches, as builders type them.

use crate::base::Span;
use crate::catalog::BranchTimes;
use crate::game::refusal::{BuildRefusal, Refusal};
use crate::game::turn::Turn;
use crate::world::BranchSettings;

/// Changes one setting of a start exit, in the words that builders type.
pub(crate) fn change(
    turn: &Turn,
    settings: &mut BranchSettings,
    setting: &str,
    value: &str,
) -> Result<(), Refusal> {
    let number = |least: u32, most: u32| match value.parse::<u32>() {
        _ if value == "default" => Ok(None),
        Ok(n) if (least..=most).contains(&n) => Ok(Some(n)),
        _ => Err(BuildRefusal::SettingOutOfRange { setting: setting.to_owned(), least, most }),
    };
    let word = |known: &mut dyn Iterator<Item = &str>| {
        let known: Vec<&str> = known.collect();
        match value {
            "default" => Ok(None),
            value if known.contains(&value) => Ok(Some(value.to_owned())),
            _ => Err(BuildRefusal::SettingNoneOf {
                setting: setting.to_owned(),
                known: known.into_iter().map(str::to_owned).collect(),
            }),
        }
    };
    match setting {
        "theme" => settings.theme = word(&mut turn.catalog.level_types.keys().map(String::as_str))?,
        "generator" => settings.generator = word(&mut turn.catalog.layouts.keys().map(String::as_str))?,
        "max_unexplored_exits" => settings.max_unexplored_exits = number(1, 50)?,
        "max_new_exits_per_room" => settings.max_new_exits_per_room = number(1, 3)?,
        "window" => settings.times.window = number(1, BranchTimes::SECS_MAX)?.map(seconds),
        "max_life" => settings.times.max_life = number(1, BranchTimes::SECS_MAX)?.map(seconds),
        "reset_chance" => {
            settings.times.reset_chance_permille = number(0, 100)?.map(|percent| percent * 10);
        }
        "finishable" => {
            settings.finishable = match value {
                "default" => None,
                "true" | "yes" | "on" => Some(true),
                "false" | "no" | "off" => Some(false),
                _ => return Err(BuildRefusal::FinishableUnclear.into()),
            };
        }
        _ => {
            return Err(BuildRefusal::NoSetting(setting.to_owned()).into());
        }
    }
    Ok(())
}

fn seconds(secs: u32) -> Span {
    Span::secs(secs.into())
}
