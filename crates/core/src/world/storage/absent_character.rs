//! Fields of absent characters: those that stay in memory while the row is in storage only.

use crate::base::rare::Rare;
use crate::base::{AccountId, CharacterId, GameTime, RoomId};
use crate::world::index::Index;
use crate::world::{Character, DepthRecords, Mood, Posture, World};
use serde::{Deserialize, Serialize};

/// Fields of an absent character that stay in memory. They are those of its row, which does not change meanwhile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AbsentCharacter {
    /// Account of the player.
    pub account: AccountId,
    /// Name.
    pub name: Box<str>,
    /// Room in which the character wakes.
    pub room: RoomId,
    /// Destination of `recall`.
    pub home: RoomId,
    /// Level.
    pub level: u32,
    /// Experience points.
    pub xp: i64,
    /// Time at which the character was last in the world.
    pub seen_at: GameTime,
    /// Greatest depths.
    #[serde(default, skip_serializing_if = "Rare::is_usual")]
    pub records: Rare<DepthRecords>,
}

impl AbsentCharacter {
    /// Returns the fields of a character whose row may be in storage only; `None` if something can still happen to the
    /// character, or if other rows may refer to it.
    pub fn of(row: &Character) -> Option<Self> {
        let Character { account, key, awake, branch, target, posture, affects, .. } = row;
        let rests = !awake && *posture == Posture::Standing && row.mood == Mood::Idle && affects.is_empty();
        let waits = row.link_dead_until.is_some() || row.down_until.is_some() || row.edit_buffer.is_some();
        let refers = branch.is_some() || target.is_some() || row.following.is_some() || row.master.is_some();
        let is_named = key.as_ref().is_some_and(|key| *key == row.name.to_lowercase());
        if !rests || waits || refers || !is_named {
            return None;
        }
        Some(Self {
            account: (*account)?,
            name: row.name.as_str().into(),
            room: row.room,
            home: row.home,
            level: row.level,
            xp: row.xp,
            seen_at: row.seen_at,
            records: row.records.clone(),
        })
    }
}

/// Adds an absent character to the index.
pub(in crate::world) fn index_absent(index: &mut Index, who: CharacterId, absent: &AbsentCharacter) {
    let key = absent.name.to_lowercase();
    index.take_name(&key);
    index.character_keys.insert(key, who);
    index.characters.entry(absent.account).or_default().insert(who);
}

/// Returns the references of absent characters that are dangling, and those that are not absent.
pub(in crate::world) fn check_references(world: &World, violations: &mut Vec<String>) {
    for (who, absent) in &world.asleep.rows.absent {
        let has_rooms = world.rooms.get(absent.room).is_some() && world.rooms.get(absent.home).is_some();
        if !has_rooms || world.accounts.get(absent.account).is_none() {
            violations
                .push(format!("characters {who}: absent, and its account, room or home does not exist"));
        }
        if world.characters.get(*who).is_some() {
            violations.push(format!("characters {who}: absent, and in memory"));
        }
    }
}
