//! Bodies of `Char.Items` and `Char.Enemies`.

use deepwell_core::base::{CharacterId, ItemId};
use serde::{Serialize, Serializer};

/// Id of an item or creature, which are numbered separately.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ObjectId {
    /// Item; serialised as its number.
    Item(ItemId),
    /// Creature; serialised as `m` and its number.
    Creature(CharacterId),
}

impl Serialize for ObjectId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Item(id) => serializer.collect_str(id),
            Self::Creature(id) => serializer.collect_str(&format_args!("m{id}")),
        }
    }
}

/// Item or creature in `Char.Items`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ItemInfo {
    /// Id.
    pub id: ObjectId,
    /// Name with its article or count.
    pub name: String,
    /// Class of an item, or `creature`.
    pub icon: &'static str,
    /// Attributes, one letter each: `w` worn, `W` can be worn, `l` wielded, `g` stack of several, `c` container, `t`
    /// can be taken, `m` creature, `d` dead, `x` cannot be attacked.
    pub attrib: String,
    /// Slot in which it is worn or wielded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<&'static str>,
    /// Commands that a client may offer for it, the most useful first.
    pub commands: Vec<String>,
}

/// Creature in a fight, in `Char.Enemies.List`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EnemyInfo {
    /// Id, the same as in `Char.Items`.
    pub id: ObjectId,
    /// Name with its article.
    pub name: String,
    /// Remaining hit points in percent.
    pub pct: u32,
    /// Whom it attacks: `you`, or a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Set if the character attacks it.
    pub mine: bool,
    /// Command that attacks it.
    pub command: String,
    /// Announcement of its next manoeuvre.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub announces: Option<String>,
}

/// Kind of change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectChange {
    /// Added.
    Added,
    /// Removed.
    Removed,
    /// Changed.
    Updated,
}

/// Body of `Char.Items.Add`, `.Remove` and `.Update`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ItemUpdate {
    /// Kind of change, which selects the message.
    #[serde(skip)]
    pub what: ObjectChange,
    /// Location, as in `Char.Items.List`.
    pub location: String,
    /// Current state; for a removal, the state last sent.
    pub item: ItemInfo,
}
