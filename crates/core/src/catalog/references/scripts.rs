//! Scripts and conditions of all definitions, and the variables that they use.

use crate::catalog::script::condition::Condition;
use crate::catalog::script::variable::VariableUse;
use crate::catalog::{Catalog, Script};
use crate::data::Position;

impl Catalog {
    /// Returns the scripts of all definitions, each with its owner, such as `the quest rats`, and the place of that. Areas
    /// are not included.
    pub fn all_scripts(&self) -> impl Iterator<Item = (String, &Position, &Script)> {
        let creatures = self.creatures.values().flat_map(|creature| {
            creature
                .scripts()
                .map(|script| (format!("the creature {}", creature.key), &creature.place, script))
        });
        let items = self.items.values().flat_map(|item| {
            let own = item.triggers.iter();
            own.map(|trigger| (format!("the item {}", item.key), &item.place, &trigger.script))
        });
        let dialogues = self.dialogues.values().flat_map(|dialogue| {
            let own = dialogue.scripts();
            own.map(|script| (format!("the dialogue {}", dialogue.key), &dialogue.place, script))
        });
        let quests = self.quests.values().flat_map(|quest| {
            quest.scripts().map(|script| (format!("the quest {}", quest.key), &quest.place, script))
        });
        let traps =
            self.traps.iter().map(|trap| (format!("the trap {}", trap.key), &trap.place, &trap.script));
        let landmarks = self.themes.values().flat_map(|theme| {
            let own = theme.landmarks.iter();
            own.map(|mark| (format!("the theme {}", theme.key), &mark.place, &mark.on_enter))
        });
        let vaults = self.vaults.iter().flat_map(|(key, vault)| {
            let rooms = vault.rooms.iter();
            rooms.flat_map(move |room| {
                room.content.scripts().map(move |script| (format!("the vault {key}"), &room.place, script))
            })
        });
        creatures.chain(items).chain(dialogues).chain(quests).chain(traps).chain(landmarks).chain(vaults)
    }

    /// Returns the conditions of all dialogues and quests, those in scripts excepted, each with its owner and the place of
    /// that.
    pub(super) fn all_conditions(&self) -> impl Iterator<Item = (String, &Position, &Condition)> {
        let dialogues = self.dialogues.values().flat_map(|dialogue| {
            let own = dialogue.conditions();
            own.map(|condition| (format!("the dialogue {}", dialogue.key), &dialogue.place, condition))
        });
        let quests = self.quests.values().flat_map(|quest| {
            quest.conditions().map(|condition| (format!("the quest {}", quest.key), &quest.place, condition))
        });
        dialogues.chain(quests)
    }

    /// Returns the uses of variables by all definitions, each with its owner and the place of that.
    pub fn variable_uses(&self) -> impl Iterator<Item = (String, &Position, VariableUse<'_>)> {
        let scripts = self.all_scripts().flat_map(|(by, place, script)| {
            script.variables().map(move |(_, of)| (by.clone(), place, of)).collect::<Vec<_>>()
        });
        let conditions = self.all_conditions().flat_map(|(by, place, condition)| {
            condition.variables().map(move |of| (by.clone(), place, of)).collect::<Vec<_>>()
        });
        scripts.chain(conditions)
    }
}
