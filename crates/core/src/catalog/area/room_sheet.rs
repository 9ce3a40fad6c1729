//! Sheet of a room: what builders, or the generator of a branch, write about it.

use crate::base::Rare;
use crate::base::rare::is_default;
use crate::catalog::RoomFlag;
use crate::catalog::area::setting::{Setting, SettingField, SettingValues, settings};
use crate::catalog::area::{details, room_flag};
use crate::catalog::room_kind::{RoomKind, RoomOrigin};
use crate::data::{FileField, Reader, WrittenField, definition};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

definition! {
    /// What a room is, in a file and in its row alike. Play changes other fields of the row.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct RoomSheet written {
        /// Name for players.
        pub name: String = text(),
        /// Further names for `goto`.
        #[serde(default, skip_serializing_if = "Rare::is_usual")]
        pub aliases: Rare<Vec<String>> => |room| room.texts("aliases", 0).into(),
        /// Kind of the room.
        pub kind: RoomKind = choice_or(&RoomKind::made_by(&[RoomOrigin::Builders, RoomOrigin::Areas]), RoomKind::Room),
        /// Kind of place for mappers.
        pub environment: String => |room| setting(room, "environment"),
        /// Description for players.
        pub description: String = paragraphs_or(String::new),
        /// Tags by which builders find the room.
        #[serde(default, skip_serializing_if = "Rare::is_usual")]
        pub tags: Rare<BTreeSet<String>> => |room| room.texts("tags", 0).into_iter().collect(),
        /// Flags that are set.
        #[serde(
            default,
            alias = "fights",
            deserialize_with = "room_flag::read_stored",
            skip_serializing_if = "Rare::is_usual"
        )]
        pub flags: Rare<BTreeSet<RoomFlag>> => |room| RoomFlag::read_all(room).into(),
        /// Key of its board for notes, within the zone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub board: Option<Box<str>> => |room| setting(room, "board"),
        /// Number of players at a time.
        #[serde(default, skip_serializing_if = "is_default")]
        pub capacity: Option<u32> => |room| setting(room, "capacity"),
        /// Texts for a closer look, by noun. Synonyms are separated by commas.
        #[serde(default, skip_serializing_if = "Rare::is_usual")]
        pub details: Rare<BTreeMap<String, String>> => |room| details(room).into(),
    }
}

impl FileField for RoomSheet {
    fn write(&self, _: &'static str, fields: &mut Vec<WrittenField>) {
        fields.extend(self.written());
    }
}

/// Largest capacity of a room.
const CAPACITY_MAX: u32 = 1_000;

/// Maximum length of the key of a board.
const BOARD_CHARS_MAX: usize = 40;

static SETTINGS: [Setting<RoomSheet>; 3] = settings! {
    "environment" "environment" SettingValues::Word("one word", is_one_word), environment, "Kind of place for the maps of clients, such as street or clay.";
    "board" "board" SettingValues::Word("one word of small letters, figures and _", is_board_key), board, "Board with notes of players.";
    "capacity" "capacity" SettingValues::Number(1..=CAPACITY_MAX), capacity, "Number of players who fit into the room; no more can walk in.";
};

fn is_one_word(text: &str) -> bool {
    !text.contains(char::is_whitespace)
}

fn is_board_key(word: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    (1..=BOARD_CHARS_MAX).contains(&word.len()) && word.chars().all(fits)
}

/// Reads the value of a setting of a room.
fn setting<F: SettingField + Default>(room: &mut Reader<'_>, name: &str) -> F {
    let mut field = F::default();
    field.set(SETTINGS.iter().find(|row| row.name == name).and_then(|row| row.read(room)));
    field
}

impl RoomSheet {
    /// Returns the settings that are neither flags nor texts, in the order of lists.
    pub fn settings() -> &'static [Setting<Self>] {
        &SETTINGS
    }

    /// Creates a sheet with a kind and a name alone.
    pub fn new(kind: RoomKind, name: String) -> Self {
        Self {
            name,
            aliases: Rare::usual(),
            kind,
            environment: String::new(),
            description: String::new(),
            tags: Rare::usual(),
            flags: Rare::usual(),
            board: None,
            capacity: None,
            details: Rare::usual(),
        }
    }
}
