//! References of definitions to hand-built rooms.

use crate::catalog::{Catalog, Script};
use std::collections::BTreeSet;

impl Catalog {
    /// Returns the creatures, items, dialogues and quests that refer to a room by `ZONE/KEY`.
    pub fn naming_room(&self, room: &str) -> BTreeSet<String> {
        let names = |script: &Script| script.rooms().any(|(_, name)| name.to_string() == room);
        let mobs = self.mobs.values().filter(|mob| mob.scripts().any(names));
        let items = self.items.values().filter(|item| item.triggers.iter().any(|on| names(&on.script)));
        let dialogues = self.dialogues.values().filter(|dialogue| dialogue.scripts().any(names));
        let quests = self
            .quests
            .values()
            .filter(|quest| quest.destinations().any(|to| to == room) || quest.scripts().any(names));
        mobs.map(|mob| format!("the creature {}", mob.key))
            .chain(items.map(|item| format!("the thing {}", item.key)))
            .chain(dialogues.map(|dialogue| format!("the dialogue {}", dialogue.key)))
            .chain(quests.map(|quest| format!("the quest {}", quest.key)))
            .collect()
    }
}
