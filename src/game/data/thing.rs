//! Bodies of `Char.Items`.

use crate::base::{CharacterId, ItemId};
use serde::{Serialize, Serializer};

/// Whose id it is: things and bodies are counted apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ThingId {
    /// A thing; told as its number.
    Item(ItemId),
    /// A creature; told as `m` and its number.
    Creature(CharacterId),
}

impl Serialize for ThingId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Item(id) => serializer.collect_str(id),
            Self::Creature(id) => serializer.collect_str(&format_args!("m{id}")),
        }
    }
}

/// A thing or a creature in `Char.Items`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Thing {
    /// Which it is.
    pub id: ThingId,
    /// With its article, or as many as it is.
    pub name: String,
    /// What it is: the class of a thing, or `creature`.
    pub icon: &'static str,
    /// What can be done with it, one letter each: `w` worn, `W` can be worn, `l` wielded, `g` several in one,
    /// `c` holds things, `t` can be taken, `m` creature, `d` dead, `x` not to be attacked.
    pub attrib: String,
    /// Lines that a client may send about it, the most useful first.
    pub commands: Vec<String>,
}

/// What became of something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It came.
    Added,
    /// It went.
    Removed,
    /// It is not what it was.
    Updated,
}

/// The body of `Char.Items.Add`, `.Remove` and `.Update`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ItemNews {
    /// Which of the three it is.
    #[serde(skip)]
    pub what: Change,
    /// As in `Char.Items.List`.
    pub location: String,
    /// As it is now; as it was last told if it went.
    pub item: Thing,
}
