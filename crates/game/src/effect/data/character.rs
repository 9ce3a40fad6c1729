//! Bodies of `Char.Vitals`, `Char.Status`, `Char.Afflictions` and `Char.Defences`.

use deepwell_core::base::GameTime;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Body of `Char.Vitals`, always complete.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CharVitals {
    /// Current hit points.
    pub hp: i32,
    /// Maximum hit points.
    pub maxhp: i32,
    /// Experience.
    pub xp: i64,
    /// Experience needed for the next level.
    pub nextxp: i64,
    /// Level.
    pub level: u32,
    /// Might; `None` unless a puzzle counts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub might: Option<i64>,
    /// All values as one line of text.
    pub string: String,
}

/// Values of `Char.Status`. Every key always has a value, because clients keep the old value of an omitted key.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CharStatus {
    /// Level.
    pub level: u32,
    /// Attack with all bonuses.
    pub attack: i32,
    /// Defence with all bonuses.
    pub defence: i32,
    /// Dungeon level, 0 outside a branch.
    pub floor: u32,
    /// Set if the exits onward from the room are free.
    pub room_clear: bool,
    /// Training choices not yet made.
    pub training: u32,
    /// Abilities offered for the next training choice, by command; empty without a choice to make.
    pub offer: String,
    /// Names of all members of the party; empty without a party.
    pub party: String,
    /// Posture: `standing`, `resting`, `asleep` or `down`.
    pub pos: Cow<'static, str>,
    /// Money in the purse, in coppers.
    pub gold: i64,
    /// Target of the character, with an article; empty without a fight.
    pub enemy: String,
    /// Hit points of the target in percent, at least 1 while it is alive; 0 without a fight.
    pub enemypct: u32,
    /// Unix time in seconds at which the branch of the character collapses if nothing happens in it, once that has been
    /// announced; otherwise 0.
    #[serde(default)]
    pub collapse: i64,
}

/// Value in `Char.Status`.
#[derive(PartialEq, Serialize)]
#[serde(untagged)]
enum StatusValue<'a> {
    Number(i64),
    Flag(bool),
    Text(&'a str),
}

impl CharStatus {
    /// Returns the captions of the values by key, for clients that display them.
    pub fn vars() -> BTreeMap<&'static str, &'static str> {
        Self::default().values().into_iter().map(|(key, caption, _)| (key, caption)).collect()
    }

    /// Returns each value with its key and caption.
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
            ("pos", "Position", Text(&self.pos)),
            ("gold", "Coppers", Number(self.gold)),
            ("enemy", "Enemy", Text(&self.enemy)),
            ("enemypct", "Enemy health in percent", Number(self.enemypct.into())),
            ("collapse", "Time of the collapse", Number(self.collapse)),
        ]
    }
}

/// Body of `Char.Status`: complete at first, then only changed keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatusUpdate {
    /// Current values.
    pub now: CharStatus,
    /// Values last sent to the client; `None` before the first message.
    pub sent: Option<CharStatus>,
}

impl Serialize for StatusUpdate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let known = self.sent.as_ref().map(CharStatus::values).unwrap_or_default();
        for value in self.now.values().iter().filter(|value| !known.contains(value)) {
            map.serialize_entry(value.0, &value.2)?;
        }
        map.end()
    }
}

/// Sign of an affect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AffectSign {
    /// Purely harmful: `Char.Afflictions`.
    Bad,
    /// Beneficial, possibly at a cost: `Char.Defences`.
    Good,
}

/// Affect of a character.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AffectInfo {
    /// Name.
    pub name: String,
    /// Description of the effect.
    pub desc: String,
    /// Seconds until it expires, at the time of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secs: Option<i64>,
    /// Expiry time.
    #[serde(skip)]
    pub until: Option<GameTime>,
}

/// Body of `Char.Afflictions.List` and `Char.Defences.List`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct AffectList {
    /// Good or bad.
    #[serde(skip)]
    pub side: AffectSign,
    /// Affects in order of their keys.
    pub list: Vec<AffectInfo>,
}

/// Body of `Char.Afflictions.Add` and `Char.Defences.Add`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct AffectAdded {
    /// Good or bad.
    #[serde(skip)]
    pub side: AffectSign,
    /// Affect added.
    pub affect: AffectInfo,
}

/// Body of `Char.Afflictions.Remove` and `Char.Defences.Remove`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct AffectsRemoved {
    /// Good or bad.
    #[serde(skip)]
    pub side: AffectSign,
    /// Names of the affects removed.
    pub names: Vec<String>,
}
