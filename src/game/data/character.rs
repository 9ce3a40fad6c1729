//! Bodies of `Char.Vitals`, `Char.Status`, `Char.Afflictions` and `Char.Defences`.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The body of `Char.Vitals`, always whole.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CharVitals {
    /// Hit points left.
    pub hp: i32,
    /// Hit points at most.
    pub maxhp: i32,
    /// Experience.
    pub xp: i64,
    /// Experience that the next level needs.
    pub nextxp: i64,
    /// Level.
    pub level: u32,
    /// Might, only where a puzzle counts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub might: Option<i64>,
    /// All in a line.
    pub string: String,
}

/// What `Char.Status` tells. Every key has a value at any time, for clients keep what is left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CharStatus {
    /// Level.
    pub level: u32,
    /// Attack with everything that adds to it.
    pub attack: i32,
    /// Defence with everything that adds to it.
    pub defence: i32,
    /// Dungeon level, 0 outside a branch.
    pub floor: u32,
    /// Whether the ways onward of the room are free.
    pub room_clear: bool,
    /// Choices of new levels that have not been made.
    pub training: u32,
    /// Abilities among which the next choice may be made, by their words; empty without a choice to make.
    pub offer: String,
    /// Names of the members of the party, oneself among them; empty without one.
    pub party: String,
    /// How the body holds itself: `standing`, `resting`, `asleep` or `down`.
    pub pos: &'static str,
    /// What is in the purse, in coppers.
    pub gold: i64,
    /// Whom it fights, with an article; empty without a fight.
    pub enemy: String,
    /// Hit points of the enemy in percent, at least 1 while it stands; 0 without a fight.
    pub enemypct: u32,
}

/// A value in `Char.Status`.
#[derive(PartialEq, Serialize)]
#[serde(untagged)]
enum StatusValue<'a> {
    Number(i64),
    Flag(bool),
    Text(&'a str),
}

impl CharStatus {
    /// What its values are called, for clients that show them.
    pub fn vars() -> BTreeMap<&'static str, &'static str> {
        Self::default().values().into_iter().map(|(key, caption, _)| (key, caption)).collect()
    }

    /// Each value with its key and what people call it.
    fn values(&self) -> Vec<(&'static str, &'static str, StatusValue<'_>)> {
        use StatusValue::{Flag, Number, Text};
        vec![
            ("level", "Level", Number(self.level.into())),
            ("attack", "Attack", Number(self.attack.into())),
            ("defence", "Defence", Number(self.defence.into())),
            ("floor", "Dungeon level", Number(self.floor.into())),
            ("room_clear", "Room clear", Flag(self.room_clear)),
            ("training", "Choices to train", Number(self.training.into())),
            ("offer", "Abilities to choose from", Text(&self.offer)),
            ("party", "Party", Text(&self.party)),
            ("pos", "Position", Text(self.pos)),
            ("gold", "Coppers", Number(self.gold)),
            ("enemy", "Enemy", Text(&self.enemy)),
            ("enemypct", "Enemy health in percent", Number(self.enemypct.into())),
        ]
    }
}

/// The body of `Char.Status`: all of it at first, then the keys whose values have changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatusNews {
    /// What is true now.
    pub now: CharStatus,
    /// What the client knows; none if it knows nothing.
    pub told: Option<CharStatus>,
}

impl Serialize for StatusNews {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let told = self.told.as_ref().map(CharStatus::values).unwrap_or_default();
        for value in self.now.values().iter().filter(|value| !told.contains(value)) {
            map.serialize_entry(value.0, &value.2)?;
        }
        map.end()
    }
}

/// Whether something that hangs on a body is to be got rid of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AffectSide {
    /// It does harm and nothing else: `Char.Afflictions`.
    Bad,
    /// It helps, if perhaps at a price: `Char.Defences`.
    Good,
}

/// Something that hangs on a body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AffectInfo {
    /// What it is called.
    pub name: String,
    /// What it does.
    pub desc: String,
}

/// The body of `Char.Afflictions.List`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct AffectList {
    /// Good or bad.
    #[serde(skip)]
    pub side: AffectSide,
    /// In the order of their keys.
    pub list: Vec<AffectInfo>,
}

/// The body of `Char.Afflictions.Add`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct AffectAdded {
    /// Good or bad.
    #[serde(skip)]
    pub side: AffectSide,
    /// What.
    pub affect: AffectInfo,
}

/// The body of `Char.Afflictions.Remove`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct AffectsRemoved {
    /// Good or bad.
    #[serde(skip)]
    pub side: AffectSide,
    /// Their names.
    pub names: Vec<String>,
}
