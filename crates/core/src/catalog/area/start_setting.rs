//! Settings of start rooms and of their exits. The table [`StartSetting::all`] declares each once.

use crate::base::rare::{Usual, is_default};
use crate::base::{Span, listed};
use crate::catalog::area::PlacedReference;
use crate::catalog::area::setting::{Setting, SettingValue, SettingValues, settings};
use crate::catalog::{BranchTimes, StartText, StartTexts};
use crate::data::{FileField, Position, Reader, WrittenField};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

listed! {
    /// Repeating task of start exits, with the name of the setting of its interval.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum StartTask {
        /// Reset of the exits.
        Reset = "reset_interval",
        /// Check for expired branches behind the exits.
        Check = "check_interval",
    }
}

/// Branch settings of a start exit, or of a start room for all its exits. Unset fields are inherited from the next
/// level.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ExitBranchSettings {
    /// Key of the theme.
    pub theme: Option<String>,
    /// Name of the room generator.
    pub generator: Option<String>,
    /// Maximum number of unexplored exits of a floor.
    pub max_unexplored_exits: Option<u32>,
    /// Maximum number of new exits of a generated room.
    pub max_new_exits_per_room: Option<u32>,
    /// Set if branches may run out of unexplored exits.
    pub finishable: Option<bool>,
    /// Lifetime settings of branches.
    pub times: BranchTimes,
}

impl Usual for ExitBranchSettings {
    const USUAL: &'static Self = &Self {
        theme: None,
        generator: None,
        max_unexplored_exits: None,
        max_new_exits_per_room: None,
        finishable: None,
        times: BranchTimes { window: None, reset_chance_permille: None, max_life: None },
    };
}

/// Settings of a start room and of its exits, or of one exit. Unset fields are inherited from the next level.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StartSettings {
    /// Branch settings of its exits, unless an exit overrides them.
    pub exits: ExitBranchSettings,
    /// Reset interval of its exits.
    pub reset_interval: Option<Span>,
    /// Interval of the expiry check of its branches.
    pub check_interval: Option<Span>,
    /// Texts of a start room in place of the general ones.
    #[serde(skip_serializing_if = "is_default")]
    pub texts: StartTexts,
}

impl StartSettings {
    /// Returns the interval of a task of its exits, if it is set.
    pub const fn interval(&self, task: StartTask) -> Option<Span> {
        match task {
            StartTask::Reset => self.reset_interval,
            StartTask::Check => self.check_interval,
        }
    }
}

use SettingValues::{Layout, LevelType, Number, Percent, Secs, YesNo};

/// Valid intervals between resets or checks, in seconds.
const INTERVAL_SECS: RangeInclusive<u32> = 10..=604_800;
/// Valid windows and lifetimes of branches, in seconds.
const LIFE_SECS: RangeInclusive<u32> = 1..=BranchTimes::SECS_MAX;

static ALL: [StartSetting; 10] = settings! {
    "theme" "theme" LevelType, exits.theme, "Level type of the branches.";
    "generator" "generator" Layout, exits.generator, "Layout of rooms, if it differs from that of the level type.";
    "max_unexplored_exits" "max_unexplored_exits" Number(1..=50), exits.max_unexplored_exits, "Maximum number of unexplored exits at a time; a low one makes a line, a high one a maze.";
    "max_new_exits_per_room" "max_new_exits_per_room" Number(1..=3), exits.max_new_exits_per_room, "Maximum number of new exits of a room.";
    "finishable" "finishable" YesNo, exits.finishable, "A branch can be completed.";
    "window" "window_secs" Secs(LIFE_SECS), exits.times.window, "Time for which the exit is guaranteed to lead companions into the same branch.";
    "reset_chance" "reset_chance_permille" Percent, exits.times.reset_chance_permille, "Chance, at each reset after the window, that the exit leads to a new branch.";
    "max_life" "max_life_secs" Secs(LIFE_SECS), exits.times.max_life, "Time without activity after which a branch collapses.";
    "reset_interval" "reset_interval_secs" Secs(INTERVAL_SECS), reset_interval, "Time between resets.";
    "check_interval" "check_interval_secs" Secs(INTERVAL_SECS), check_interval, "Time between checks of the age of the branches.";
};

/// Setting of a start exit; a start room has it for all its exits.
pub type StartSetting = Setting<StartSettings>;

impl StartSetting {
    /// Returns all settings, in the order of files and lists.
    pub fn all() -> &'static [Self] {
        &ALL
    }
}

/// Settings in a file, with the places of those that are set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AreaSettings {
    /// Settings.
    pub set: StartSettings,
    places: BTreeMap<&'static str, Position>,
}

impl From<StartSettings> for AreaSettings {
    fn from(set: StartSettings) -> Self {
        Self { set, places: BTreeMap::new() }
    }
}

impl AreaSettings {
    /// Reads the settings of a table.
    pub(super) fn read(table: &mut Reader<'_>) -> Self {
        let mut read = Self::default();
        for setting in &ALL {
            let place = table.place_of(setting.file);
            let value = setting.read(table);
            if value.is_some() {
                read.places.insert(setting.file, place);
            }
            setting.set(&mut read.set, value);
        }
        read
    }

    /// Reads the settings and texts of a room.
    pub(super) fn read_of_room(room: &mut Reader<'_>) -> Self {
        let mut read = Self::read(room);
        read.set.texts = StartText::read_all(room);
        read
    }

    /// Returns the keys and names that are set, with their places and what they name.
    pub(super) fn words(&self) -> impl Iterator<Item = (PlacedReference, &'static SettingValues)> {
        ALL.iter().filter_map(|setting| {
            let Some(SettingValue::Word(word)) = setting.value(&self.set) else { return None };
            let place = self.places.get(setting.file).cloned().unwrap_or_default();
            Some(((place, word), &setting.values))
        })
    }
}

impl FileField for AreaSettings {
    fn write(&self, _: &'static str, fields: &mut Vec<WrittenField>) {
        for (text, sentence) in &self.set.texts {
            sentence.write(text.name(), fields);
        }
        fields.extend(
            ALL.iter().filter_map(|setting| Some((setting.file, setting.value(&self.set)?.written()))),
        );
    }
}
