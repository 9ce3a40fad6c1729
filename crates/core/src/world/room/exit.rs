//! Exits: directed connections out of a room.

use crate::base::rare::{Usual, is_default};
use crate::base::{BranchId, Direction, ExitId, ExitKind, ExitState, GameTime, Rare, RoomId, Span};
use crate::catalog::{AreaExit, ExitBranchSettings, StartSettings, StartTask};
use crate::world::indexed::{Indexed, TableIndex};
use rustc_hash::FxHashMap;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Repeating task of a start exit with its own interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OwnTask {
    /// Interval.
    pub interval: Span,
    /// Time of the next run.
    pub next_at: GameTime,
}

/// Tasks of a start exit that override the intervals of its room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OwnTasks {
    /// Reset of the exit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reset: Option<OwnTask>,
    /// Expiry check of the branches behind the exit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<OwnTask>,
}

impl OwnTasks {
    /// Returns the task, if the exit has an interval of its own for it.
    pub const fn get(&self, task: StartTask) -> Option<OwnTask> {
        match task {
            StartTask::Reset => self.reset,
            StartTask::Check => self.check,
        }
    }

    /// Returns the task to change it.
    pub const fn get_mut(&mut self, task: StartTask) -> &mut Option<OwnTask> {
        match task {
            StartTask::Reset => &mut self.reset,
            StartTask::Check => &mut self.check,
        }
    }
}

impl Usual for OwnTasks {
    const USUAL: &'static Self = &Self { reset: None, check: None };
}

/// Branch that a start exit leads to while its window is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpenWindow {
    /// Branch behind the exit.
    pub branch: BranchId,
    /// End of the guaranteed window; until then the exit leads to the branch.
    pub guaranteed_until: GameTime,
}

/// Door in a hand-built exit. Its other side is a door in the exit that leads back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Door {
    /// Name without article: "oak door".
    pub name: String,
    /// Set while the door is closed.
    pub shut: bool,
    /// Prototype of the key that opens the door; `None` if no key is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

impl Door {
    /// Returns the door that a zone file gives to an exit, if the exit can have one.
    pub fn of_area(exit: &AreaExit) -> Option<Self> {
        let (_, name) = exit.door.as_ref().filter(|_| exit.kind == ExitKind::Exit)?;
        let key = exit.door_key.as_ref().map(|(_, key)| key.clone());
        Some(Self { name: name.clone(), shut: !exit.door_open, key })
    }
}

/// Exit, stored as one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Exit {
    /// Unique id.
    pub id: ExitId,
    /// Room that the exit leads out of.
    pub room: RoomId,
    /// Command that takes the exit; the full direction name for compass exits, which is not stored.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Aliases of the command, without the letter of the direction.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub aliases: Rare<Vec<String>>,
    /// Compass direction, if the exit has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// Effect of taking the exit.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: ExitKind,
    /// State of the exit.
    #[serde(default, skip_serializing_if = "is_default")]
    pub state: ExitState,
    /// Destination room. `None` while unexplored, and for a start exit whose window is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<RoomId>,
    /// Set for the exit back that every new room has.
    #[serde(default, skip_serializing_if = "is_default")]
    pub back: bool,
    /// Description shown when looking in its direction.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Sign of unusual danger behind the exit.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub omen: Rare<Option<String>>,
    /// Key of the trap on the exit, until it is sprung, jumped or disarmed.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub trap: Rare<Option<String>>,
    /// For stairs: level type of the destination floor, if it differs from this floor's. The floor is generated when a
    /// player takes the stairs.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub level_type: Rare<Option<String>>,
    /// For connections to another floor that are not stairs: the objects at this end and at the other end.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub icons: Rare<Option<(String, String)>>,
    /// Hidden from players who have not found it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hidden: bool,
    /// Door in the exit, if there is one.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub door: Rare<Option<Door>>,
    /// Puzzle that players have to solve on the way through a hand-built exit, by name.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub puzzle: Rare<Option<String>>,
    /// For a start exit: settings of its branches.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub settings: Rare<ExitBranchSettings>,
    /// For a start exit: tasks with intervals of their own.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub own_tasks: Rare<OwnTasks>,
    /// For a start exit: the branch it currently leads to.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub window: Rare<Option<OpenWindow>>,
}

impl Exit {
    /// Returns the settings of a start exit, with its own intervals.
    pub fn start_settings(&self) -> StartSettings {
        let interval = |task| self.own_tasks.get(task).map(|own| own.interval);
        StartSettings {
            exits: self.settings.to_value(),
            reset_interval: interval(StartTask::Reset),
            check_interval: interval(StartTask::Check),
            ..StartSettings::default()
        }
    }

    /// Returns `true` if a branch exit may have a name: a direction of the plane, or a name that is no direction.
    pub fn may_open_branches(name: &str) -> bool {
        Direction::parse_any(name).is_none_or(|direction| Direction::PLANE.contains(&direction))
    }

    /// Returns the direction in which players enter the branches behind a start exit: north, if the exit has a name of
    /// its own.
    pub fn entry(&self) -> Direction {
        self.direction.filter(|direction| Direction::PLANE.contains(direction)).unwrap_or(Direction::North)
    }

    /// Creates an open exit. A compass exit has the name of its direction.
    pub fn new(id: ExitId, room: RoomId, direction: Option<Direction>) -> Self {
        Self {
            id,
            room,
            name: direction.map(|direction| direction.name().to_owned()).unwrap_or_default(),
            aliases: Rare::usual(),
            direction,
            kind: ExitKind::Exit,
            state: ExitState::Open,
            to: None,
            back: false,
            description: String::new(),
            omen: Rare::usual(),
            trap: Rare::usual(),
            level_type: Rare::usual(),
            icons: Rare::usual(),
            hidden: false,
            door: Rare::usual(),
            puzzle: Rare::usual(),
            settings: Rare::usual(),
            own_tasks: Rare::usual(),
            window: Rare::usual(),
        }
    }

    /// Sets the aliases of the command. The letter of the direction is left out: it is one in any case.
    pub fn set_aliases(&mut self, aliases: &[String]) {
        let letter = self.direction.map(Direction::letter);
        self.aliases = aliases.iter().filter(|alias| Some(alias.as_str()) != letter).cloned().collect();
    }

    /// Returns all aliases of the command: those of the row, then the letter of its direction.
    pub fn all_aliases(&self) -> impl Iterator<Item = &str> {
        self.aliases.iter().map(String::as_str).chain(self.direction.map(Direction::letter))
    }

    /// Returns `true` for stairs to the floor below.
    pub fn is_stairs_down(&self) -> bool {
        self.is_stairs() && self.direction == Some(Direction::Down)
    }

    /// Returns the closed door in the exit, if there is one.
    pub fn shut_door(&self) -> Option<&Door> {
        self.door.as_ref().filter(|door| door.shut)
    }

    /// Returns `true` if the exit joins two floors.
    pub fn is_stairs(&self) -> bool {
        self.kind == ExitKind::Stairs
    }

    /// Returns `true` for the gate to a puzzle, from either side.
    pub fn is_gate(&self) -> bool {
        matches!(self.direction, Some(Direction::In | Direction::Out)) && self.is_stairs()
    }
}

impl Serialize for Exit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_implied = self.direction.is_some_and(|direction| direction.name() == self.name);
        if is_implied {
            Self::serialize(&Self { name: String::new(), ..self.clone() }, serializer)
        } else {
            Self::serialize(self, serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Exit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut exit = Self::deserialize(deserializer)?;
        if let Some(direction) = exit.direction {
            if exit.name.is_empty() {
                direction.name().clone_into(&mut exit.name);
            }
            // Older releases stored the letter.
            exit.set_aliases(&exit.aliases.to_value());
        } else if exit.name.is_empty() {
            return Err(D::Error::missing_field("name"));
        }
        Ok(exit)
    }
}

/// Exits out of a room, in creation order.
#[derive(Clone, Debug, Default)]
pub struct ExitIndex(FxHashMap<RoomId, Vec<ExitId>>);

impl TableIndex<Exit> for ExitIndex {
    fn note(&mut self, exit: &Exit) {
        let of_room = self.0.entry(exit.room).or_default();
        // A restored exit gets its old position back, the same as after a restart.
        let place = of_room.partition_point(|other| *other < exit.id);
        of_room.insert(place, exit.id);
    }

    fn forget(&mut self, exit: &Exit) {
        if let Some(list) = self.0.get_mut(&exit.room) {
            list.retain(|other| *other != exit.id);
        }
    }
}

/// Exits.
pub type Exits = Indexed<Exit, ExitIndex>;

impl Exits {
    /// Returns the exits of a room, in creation order.
    pub fn of(&self, room: RoomId) -> impl Iterator<Item = &Exit> {
        self.index.0.get(&room).into_iter().flatten().map(|id| &self.rows[*id])
    }

    /// Takes the exits of a room out of the index; the caller removes or releases the rows.
    pub(in crate::world) fn take_of(&mut self, room: RoomId) -> Vec<ExitId> {
        self.index.0.remove(&room).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::building::image::Imaged as _;
    use serde_json::json;

    #[test]
    fn compass_exit_is_stored_without_what_its_direction_tells() {
        let exit = Exit { to: Some(RoomId(4)), ..Exit::new(ExitId(7), RoomId(3), Some(Direction::West)) };
        let stored = r#"{"id":7,"room":3,"direction":"west","to":4}"#;
        assert_eq!(serde_json::to_string(&exit).unwrap(), stored);
        assert_eq!(serde_json::from_str::<Exit>(stored).unwrap(), exit);
        let of_older_release = json!({
            "id": 7, "room": 3, "name": "west", "aliases": ["w"], "direction": "west", "kind": "exit",
            "state": "open", "to": 4, "back": false, "description": "",
        });
        assert_eq!(serde_json::from_value::<Exit>(of_older_release.clone()).unwrap(), exit);
        assert_eq!(exit.image(), of_older_release, "journals of older releases can be undone");
        let nameless = serde_json::from_str::<Exit>(r#"{"id":7,"room":3,"to":4}"#);
        assert!(nameless.is_err_and(|error| error.to_string().contains("missing field `name`")));
        let other = Exit { name: "gap".into(), aliases: vec!["hole".to_owned()].into(), ..exit };
        let stored = serde_json::to_string(&other).unwrap();
        assert_eq!(serde_json::from_str::<Exit>(&stored).unwrap(), other, "{stored}");
        assert!(other.all_aliases().eq(["hole", "w"]));
    }
}
