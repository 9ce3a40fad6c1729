//! Spawn rules and triggers of hand-built rooms.

use crate::base::rare::is_default;
use crate::base::{CharacterId, GameTime, ItemId, RoomId};
use crate::catalog::script::trigger;
use crate::catalog::{AreaSpawn, CreatureRoute, Position, SpawnBounds, TriggerEvent};
use serde::{Deserialize, Serialize};

/// Prototype that spawns in a room.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spawned {
    /// Creature, by prototype.
    Creature(String),
    /// Item on the ground, by prototype.
    Item(String),
}

impl Spawned {
    /// Returns the key of the prototype.
    pub fn key(&self) -> &str {
        match self {
            Self::Creature(key) | Self::Item(key) => key,
        }
    }
}

/// Spawn capacity and respawn interval of one prototype in a room.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SpawnRule {
    /// Prototype.
    pub what: Spawned,
    /// Maximum number present at a time.
    pub count: u32,
    /// Respawn delay in seconds.
    pub every_secs: u32,
    /// Spawn limits.
    #[serde(flatten)]
    pub bounds: SpawnBounds,
    /// Patrol and schedule of the creatures.
    #[serde(default, skip_serializing_if = "is_default")]
    pub route: CreatureRoute,
}

/// Script that runs on an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trigger {
    /// Name, if several triggers of a room are for the same event.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Event that fires the trigger.
    pub on: TriggerEvent,
    /// Lines of its script.
    pub lines: Vec<String>,
}

impl Trigger {
    /// Returns the name, or else the event. It is unique in a room.
    pub fn label(&self) -> String {
        trigger::label(&self.name, &self.on)
    }

    /// Adds a trigger after others for the same event, under a new name if one of them has the event's name.
    pub fn append(on: TriggerEvent, lines: Vec<String>, to: &mut Vec<Self>) {
        let is_taken = to.iter().any(|other| other.label() == on.to_string());
        let name = if is_taken { Self::free_name(&on, to) } else { String::new() };
        to.push(Self { name, on, lines });
        Self::put_in_order(to);
    }

    /// Returns `true` for the trigger without a name for players who enter, which is the first of its room.
    pub fn is_first(&self) -> bool {
        self.name.is_empty() && self.on == TriggerEvent::Enter
    }

    /// Moves the trigger that [is first](Self::is_first) before the others.
    pub fn put_in_order(triggers: &mut [Self]) {
        triggers.sort_by_key(|trigger| !trigger.is_first());
    }

    /// Replaces the trigger that [is first](Self::is_first), or removes it if there are no lines. Another trigger that is
    /// called like the event gets a new name.
    pub fn set_first(lines: Vec<String>, triggers: &mut Vec<Self>) {
        triggers.retain(|trigger| !trigger.is_first());
        if lines.is_empty() {
            return;
        }
        let first = Self { name: String::new(), on: TriggerEvent::Enter, lines };
        if let Some(at) = triggers.iter().position(|other| other.label() == first.label()) {
            triggers[at].name = Self::free_name(&triggers[at].on, triggers);
        }
        triggers.insert(0, first);
    }

    /// Returns the first name such as `say_2` that none of the triggers has.
    pub fn free_name(on: &TriggerEvent, others: &[Self]) -> String {
        let mut numbered = (2..).map(|number| format!("{}_{number}", on.event()));
        let is_free = |name: &String| others.iter().all(|other| other.label() != *name);
        numbered.find(is_free).unwrap_or_default()
    }
}

/// State of a chain of conditions: `if`, `else if` and `else`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ConditionChain {
    /// Set if one of its conditions has held.
    pub is_taken: bool,
    /// Set if the last of its alternatives is the one that runs.
    pub is_active: bool,
}

/// Suspended run of a script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScriptWait {
    /// Time at which it continues.
    pub at: GameTime,
    /// Creature that owns the script, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creature: Option<CharacterId>,
    /// Item that owns the script, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<ItemId>,
    /// Character that triggered it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<CharacterId>,
    /// Room of that character when it began.
    pub target_in: RoomId,
    /// Words said or typed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// Lines that are left.
    pub lines: Vec<String>,
    /// Chain of conditions that the first line may continue.
    #[serde(default, skip_serializing_if = "is_default")]
    pub chain: ConditionChain,
    /// Quest that withholds its payments, as in the scene of the script; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub withheld_by: String,
}

impl SpawnRule {
    /// Reads a rule from a zone file; `None` if it names nothing that can spawn.
    pub fn of_area(spawn: &AreaSpawn) -> Option<Self> {
        let creature = spawn.creature.as_ref().map(|(_, key)| Spawned::Creature(key.clone()));
        let item = || spawn.item.as_ref().map(|(_, key)| Spawned::Item(key.clone()));
        let what = creature.or_else(item)?;
        let bounds = spawn.bounds.clone();
        let route = spawn.route.clone();
        Some(Self { what, count: spawn.count, every_secs: spawn.every_secs, bounds, route })
    }

    /// Returns the rule in its zone file form.
    pub fn to_area(&self) -> AreaSpawn {
        let named = |key: &String| Some((Position::default(), key.clone()));
        let (creature, item) = match &self.what {
            Spawned::Creature(key) => (named(key), None),
            Spawned::Item(key) => (None, named(key)),
        };
        let Self { count, every_secs, .. } = *self;
        let (bounds, route) = (self.bounds.clone(), self.route.clone());
        AreaSpawn { place: Position::default(), creature, item, count, every_secs, bounds, route }
    }

    /// Returns the rule as typed behind `spawn`: `rat = 2 every 60 zone 6`.
    pub fn words(&self) -> String {
        format!("{} = {}", self.what.key(), self.wish())
    }

    /// Returns count, interval, bounds and route as typed: `2 every 60 zone 6 patrol lane; yard`.
    pub fn wish(&self) -> String {
        format!("{}{}", self.numbers(), self.route)
    }

    /// Returns count, interval and bounds as typed: `2 every 60 zone 6`.
    pub fn numbers(&self) -> String {
        format!("{} every {}{}", self.count, self.every_secs, self.bounds)
    }
}
