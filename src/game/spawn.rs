//! Creatures and things that come to be from their prototypes.

use crate::base::{BranchId, CharacterId, RoomId};
use crate::game::Game;
use crate::world::{Character, Item, Place};

impl Game {
    /// A creature comes to be.
    pub(crate) fn spawn_mob(
        &mut self,
        key: &str,
        room: RoomId,
        branch: Option<BranchId>,
    ) -> Option<CharacterId> {
        let prototype = self.catalog.mobs.get(key)?;
        let mob = Character {
            id: CharacterId(0),
            account: None,
            mob: Some(key.to_owned()),
            name: prototype.name.clone(),
            key: None,
            skeleton: None,
            description: prototype.description.clone(),
            room,
            awake: true,
            link_dead_until: None,
            branch,
            hp: points(prototype.hp),
            hp_at: self.now,
            max_hp: points(prototype.hp),
            attack: points(prototype.attack),
            defence: points(prototype.defence),
            xp: i64::from(prototype.xp),
            level: 1,
            target: None,
            home: room,
            created_at: self.now,
            seen_at: self.now,
        };
        let id = self.world.new_character_id();
        self.world.add_character(Character { id, ..mob });
        Some(id)
    }

    /// A thing comes to be.
    pub(crate) fn spawn_item(&mut self, key: &str, place: Place) {
        if self.catalog.items.contains_key(key) {
            let id = self.world.new_item_id();
            self.world.add_item(Item { id, prototype: key.to_owned(), place, made_at: self.now });
        }
    }
}

/// A number of content as the world counts.
fn points(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}
