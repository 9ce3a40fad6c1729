//! Exits: directed connections out of a room.

use crate::base::{BranchId, Direction, ExitId, ExitKind, ExitState, GameTime, RoomId, Span};
use crate::catalog::{AreaExit, AreaSettings, BranchTimes, Position};
use serde::{Deserialize, Serialize};

/// Branch settings of a start exit, or of a start room for all its exits. Unset fields are inherited from the next
/// level.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BranchSettings {
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

impl BranchSettings {
    fn are_unset(&self) -> bool {
        *self == Self::default()
    }

    /// Returns these settings, with unset fields taken from `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            theme: self.theme.or(other.theme),
            generator: self.generator.or(other.generator),
            max_unexplored_exits: self.max_unexplored_exits.or(other.max_unexplored_exits),
            max_new_exits_per_room: self.max_new_exits_per_room.or(other.max_new_exits_per_room),
            finishable: self.finishable.or(other.finishable),
            times: self.times.or(other.times),
        }
    }
}

impl From<&AreaSettings> for BranchSettings {
    fn from(said: &AreaSettings) -> Self {
        let span = |secs: Option<u32>| secs.map(|secs| Span::secs(secs.into()));
        Self {
            theme: said.theme.as_ref().map(|(_, key)| key.clone()),
            generator: said.generator.as_ref().map(|(_, key)| key.clone()),
            max_unexplored_exits: said.max_unexplored_exits,
            max_new_exits_per_room: said.max_new_exits_per_room,
            finishable: said.finishable,
            times: BranchTimes {
                window: span(said.window_secs),
                reset_chance_permille: said.reset_chance_permille,
                max_life: span(said.max_life_secs),
            },
        }
    }
}

impl From<&BranchSettings> for AreaSettings {
    fn from(set: &BranchSettings) -> Self {
        let secs = |span: Span| u32::try_from(span.whole_secs()).ok();
        let named = |key: &Option<String>| key.clone().map(|key| (Position::default(), key));
        Self {
            theme: named(&set.theme),
            generator: named(&set.generator),
            max_unexplored_exits: set.max_unexplored_exits,
            max_new_exits_per_room: set.max_new_exits_per_room,
            finishable: set.finishable,
            window_secs: set.times.window.and_then(secs),
            reset_chance_permille: set.times.reset_chance_permille,
            max_life_secs: set.times.max_life.and_then(secs),
            ..Self::default()
        }
    }
}

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
    fn are_none(&self) -> bool {
        *self == Self::default()
    }
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
    pub fn of_area(said: &AreaExit) -> Option<Self> {
        let (_, name) = said.door.as_ref().filter(|_| said.kind == ExitKind::Exit)?;
        let key = said.door_key.as_ref().map(|(_, key)| key.clone());
        Some(Self { name: name.clone(), shut: !said.door_open, key })
    }
}

/// Exit, stored as one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Exit {
    /// Unique id.
    pub id: ExitId,
    /// Room that the exit leads out of.
    pub room: RoomId,
    /// Command that takes the exit; the full direction name for compass exits.
    pub name: String,
    /// Aliases of the command.
    pub aliases: Vec<String>,
    /// Compass direction, if the exit has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// Effect of taking the exit.
    pub kind: ExitKind,
    /// State of the exit.
    pub state: ExitState,
    /// Destination room. `None` while unexplored, and for a start exit whose window is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<RoomId>,
    /// Set for the exit back that every new room has.
    pub back: bool,
    /// Description shown when looking in its direction.
    pub description: String,
    /// Sign of unusual danger behind the exit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omen: Option<String>,
    /// Key of the trap on the exit, until it is sprung, jumped or disarmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trap: Option<String>,
    /// For stairs: level type of the destination floor, if it differs from this floor's. The floor is generated when a
    /// player takes the stairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level_type: Option<String>,
    /// For connections to another floor that are not stairs: the objects at this end and at the other end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icons: Option<(String, String)>,
    /// Door in the exit, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub door: Option<Door>,
    /// For a start exit: settings of its branches.
    #[serde(default, skip_serializing_if = "BranchSettings::are_unset")]
    pub settings: BranchSettings,
    /// For a start exit: tasks with intervals of their own.
    #[serde(default, skip_serializing_if = "OwnTasks::are_none")]
    pub own_tasks: OwnTasks,
    /// For a start exit: the branch it currently leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<OpenWindow>,
}

impl Exit {
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
