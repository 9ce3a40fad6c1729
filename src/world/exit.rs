//! Exits: directed ways out of a room.

use crate::base::{BranchId, Direction, ExitId, ExitKind, ExitState, GameTime, RoomId, Span};
use crate::catalog::{AreaExit, AreaSettings, BranchTimes, Position};
use serde::{Deserialize, Serialize};

/// What a start exit, or a start room by all its exits, gives to branches; whatever is absent somebody else says.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BranchSettings {
    /// Theme by key.
    pub theme: Option<String>,
    /// Room generator by name.
    pub generator: Option<String>,
    /// E14.
    pub max_unexplored_exits: Option<u32>,
    /// E35.
    pub max_new_exits_per_room: Option<u32>,
    /// E14.
    pub finishable: Option<bool>,
    /// How long they last.
    pub times: BranchTimes,
}

impl BranchSettings {
    /// These settings, and those of another where these say nothing.
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

/// How often a task of a start exit comes round, where that is its own, and when next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OwnTask {
    /// How often.
    pub interval: Span,
    /// When next.
    pub next_at: GameTime,
}

/// The tasks of a start exit that do not come with those of its room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OwnTasks {
    /// It is reset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reset: Option<OwnTask>,
    /// The branches behind it are checked for age.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<OwnTask>,
}

impl OwnTasks {
    fn are_none(&self) -> bool {
        *self == Self::default()
    }
}

/// The branch that a start exit leads to while its window is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpenWindow {
    /// The branch.
    pub branch: BranchId,
    /// Until when it is certain that the exit still leads there.
    pub guaranteed_until: GameTime,
}

/// A door in a hand-built exit. Its other side is a door in the exit that leads back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Door {
    /// What it is called, without article: "oak door".
    pub name: String,
    /// Whether it is shut.
    pub shut: bool,
    /// What opens it while it is shut, by prototype; none if hands do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

impl Door {
    /// The door that a file puts into an exit, if it does and there can be one.
    pub fn of_area(said: &AreaExit) -> Option<Self> {
        let (_, name) = said.door.as_ref().filter(|_| said.kind == ExitKind::Exit)?;
        let key = said.door_key.as_ref().map(|(_, key)| key.clone());
        Some(Self { name: name.clone(), shut: !said.door_open, key })
    }
}

/// An exit. In storage it is one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Exit {
    /// Identity.
    pub id: ExitId,
    /// The room it leads out of.
    pub room: RoomId,
    /// What one types; a direction's full word for compass exits.
    pub name: String,
    /// Further words for it.
    pub aliases: Vec<String>,
    /// The direction, if it is one.
    pub direction: Option<Direction>,
    /// What walking through does.
    pub kind: ExitKind,
    /// Where it stands.
    pub state: ExitState,
    /// The room it leads to; none while unexplored, and none for a start exit whose window is closed.
    pub to: Option<RoomId>,
    /// Whether it is the way back that every new room has.
    pub back: bool,
    /// What one sees when looking that way.
    pub description: String,
    /// The sign that what lies behind it is worse than it should be here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omen: Option<String>,
    /// The trap on it, by key, as long as nobody has sprung, jumped or disarmed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trap: Option<String>,
    /// Of stairs: the level type of the floor they lead to, if another than that of the floor they are on. The level
    /// itself is made when somebody takes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level_type: Option<String>,
    /// Of a way to another floor that is no stairs: what stands here, and what at its other end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icons: Option<(String, String)>,
    /// The door in it, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub door: Option<Door>,
    /// Of a start exit: what its branches are like.
    pub settings: BranchSettings,
    /// Of a start exit: the tasks that come round in intervals of its own.
    #[serde(default, skip_serializing_if = "OwnTasks::are_none")]
    pub own_tasks: OwnTasks,
    /// Of a start exit: the branch it leads to just now.
    pub window: Option<OpenWindow>,
}

impl Exit {
    /// Whether it is stairs to the floor below.
    pub fn is_stairs_down(&self) -> bool {
        self.is_stairs() && self.direction == Some(Direction::Down)
    }

    /// The door that stands shut in it.
    pub fn shut_door(&self) -> Option<&Door> {
        self.door.as_ref().filter(|door| door.shut)
    }

    /// Whether it joins two floors.
    pub fn is_stairs(&self) -> bool {
        self.kind == ExitKind::Stairs
    }

    /// Whether it is the gate to a puzzle, from outside or from inside.
    pub fn is_gate(&self) -> bool {
        matches!(self.direction, Some(Direction::In | Direction::Out)) && self.is_stairs()
    }
}
