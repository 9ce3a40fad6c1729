//! References of definitions to hand-built rooms.

use crate::catalog::Catalog;
use std::collections::BTreeSet;

impl Catalog {
    /// Returns the definitions that refer to a room by `ZONE/KEY`.
    pub fn naming_room(&self, room: &str) -> BTreeSet<String> {
        self.room_uses().filter(|(_, name)| name == room).map(|(by, _)| by).collect()
    }

    /// Returns the references of definitions to rooms by `ZONE/KEY`, each with the definition, such as `the quest rats`.
    pub fn room_uses(&self) -> impl Iterator<Item = (String, String)> {
        let scripts = self.all_scripts().flat_map(|(by, _, script)| {
            script.rooms().map(move |(_, name)| (by.clone(), name.to_string())).collect::<Vec<_>>()
        });
        let quests = self.quests.values().flat_map(|quest| {
            quest.destinations().map(|to| (format!("the quest {}", quest.key), to.to_owned()))
        });
        let routes = self.creatures.values().flat_map(|creature| {
            creature.route.rooms().map(|room| (format!("the creature {}", creature.key), room.to_owned()))
        });
        scripts.chain(quests).chain(routes).filter(|(_, name)| name.contains('/'))
    }
}
