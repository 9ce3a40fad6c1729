//! Settings of start rooms and of their exits. The table [`StartSetting::all`] declares each once: its name, its key in
//! files, its values, its help and its place in [`StartSettings`].

use crate::base::rare::{Usual, is_default};
use crate::base::{Span, listed};
use crate::catalog::area::PlacedReference;
use crate::catalog::{BranchTimes, StartText, StartTexts};
use crate::data::edit::quoted;
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

/// Values that a setting takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartValues {
    /// Level types by key.
    LevelType,
    /// Layouts by name.
    Layout,
    /// Numbers in a range.
    Number(RangeInclusive<u32>),
    /// Percentages; per mille in files.
    Percent,
    /// Yes or no.
    YesNo,
    /// Times in a range of seconds.
    Secs(RangeInclusive<u32>),
}

/// Value of a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartValue {
    /// Key or name.
    Word(String),
    /// Number, or per mille.
    Number(u32),
    /// Yes or no.
    YesNo(bool),
    /// Time.
    Time(Span),
}

/// Setting of a start exit; a start room has it for all its exits.
#[derive(Debug)]
pub struct StartSetting {
    /// Name behind `set`.
    pub name: &'static str,
    /// Values that it takes.
    pub values: StartValues,
    /// One-line help.
    pub about: &'static str,
    /// Key in files.
    file: &'static str,
    get: fn(&StartSettings) -> Option<StartValue>,
    set: fn(&mut StartSettings, Option<StartValue>),
}

/// Rows of the table of settings: the name, the key in files, the values, the form of a value and the field.
macro_rules! rows {
    ($($name:literal $file:literal $values:expr, $form:ident($($field:ident).+), $about:literal;)*) => {
        [$(StartSetting {
            name: $name,
            values: $values,
            about: $about,
            file: $file,
            get: |settings| settings.$($field).+.clone().map(StartValue::$form),
            set: |settings, value| {
                settings.$($field).+ = match value {
                    Some(StartValue::$form(value)) => Some(value),
                    _ => None,
                };
            },
        },)*]
    };
}

use StartValues::{Layout, LevelType, Number, Percent, Secs, YesNo};

/// Valid intervals between resets or checks, in seconds.
const INTERVAL_SECS: RangeInclusive<u32> = 10..=604_800;
/// Valid windows and lifetimes of branches, in seconds.
const LIFE_SECS: RangeInclusive<u32> = 1..=BranchTimes::SECS_MAX;

static ALL: [StartSetting; 10] = rows! {
    "theme" "theme" LevelType, Word(exits.theme), "Level type of the branches.";
    "generator" "generator" Layout, Word(exits.generator), "Layout of rooms, if it differs from that of the level type.";
    "max_unexplored_exits" "max_unexplored_exits" Number(1..=50), Number(exits.max_unexplored_exits), "Maximum number of unexplored exits at a time; a low one makes a line, a high one a maze.";
    "max_new_exits_per_room" "max_new_exits_per_room" Number(1..=3), Number(exits.max_new_exits_per_room), "Maximum number of new exits of a room.";
    "finishable" "finishable" YesNo, YesNo(exits.finishable), "A branch can be completed.";
    "window" "window_secs" Secs(LIFE_SECS), Time(exits.times.window), "Time for which the exit is guaranteed to lead companions into the same branch.";
    "reset_chance" "reset_chance_permille" Percent, Number(exits.times.reset_chance_permille), "Chance, at each reset after the window, that the exit leads to a new branch.";
    "max_life" "max_life_secs" Secs(LIFE_SECS), Time(exits.times.max_life), "Time without activity after which a branch collapses.";
    "reset_interval" "reset_interval_secs" Secs(INTERVAL_SECS), Time(reset_interval), "Time between resets.";
    "check_interval" "check_interval_secs" Secs(INTERVAL_SECS), Time(check_interval), "Time between checks of the age of the branches.";
};

impl StartSetting {
    /// Returns all settings, in the order of files and lists.
    pub fn all() -> &'static [Self] {
        &ALL
    }

    /// Returns the value, if it is set.
    pub fn value(&self, settings: &StartSettings) -> Option<StartValue> {
        (self.get)(settings)
    }

    /// Sets or clears the value. A value of another form clears it.
    pub fn set(&self, settings: &mut StartSettings, value: Option<StartValue>) {
        (self.set)(settings, value);
    }

    /// Reads the value of a table of a file.
    fn read(&self, table: &mut Reader<'_>) -> Option<StartValue> {
        table.about(self.about);
        match &self.values {
            LevelType | Layout => table.any_text(self.file).map(StartValue::Word),
            Number(range) => table.number_if_any(self.file, range).map(StartValue::Number),
            Percent => table.number_if_any(self.file, &(0..=1_000)).map(StartValue::Number),
            YesNo => table.bool_if_any(self.file).map(StartValue::YesNo),
            Secs(range) => {
                let secs = table.number_if_any(self.file, range);
                secs.map(|secs| StartValue::Time(Span::secs(secs.into())))
            }
        }
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
    pub(super) fn words(&self) -> impl Iterator<Item = (PlacedReference, &'static StartValues)> {
        ALL.iter().filter_map(|setting| {
            let Some(StartValue::Word(word)) = setting.value(&self.set) else { return None };
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
        fields.extend(ALL.iter().filter_map(|setting| {
            let value = match setting.value(&self.set)? {
                StartValue::Word(word) => quoted(&word),
                StartValue::Number(number) => number.to_string(),
                StartValue::YesNo(yes) => yes.to_string(),
                StartValue::Time(span) => span.whole_secs().to_string(),
            };
            Some((setting.file, value))
        }));
    }
}
