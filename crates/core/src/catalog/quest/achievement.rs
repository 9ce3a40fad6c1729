//! Achievements: deeds that are counted for each character from its beginning, and told once.

use crate::catalog::Catalog;
use crate::catalog::quest::goal::{QuestGoal, goal};
use crate::data::{CatalogError, Position, Reader, definition};
use std::collections::BTreeSet;

/// Path of the file.
pub(in crate::catalog) const FILE: &str = "achievements.toml";

definition! {
    /// An achievement, a table of `content/achievements.toml`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Achievement {
        /// Place of the definition.
        pub place: Position => |table| table.place(),
        /// Stable key in storage.
        pub key: String = text(),
        /// Name for players.
        pub name: String = text(),
        /// Instruction for players.
        pub text: String = text(),
        /// Goal; `None` only if invalid, which has been recorded.
        pub goal: Option<QuestGoal> => |table| goal(table),
        /// Number of times.
        pub count: u32 = number_or(1..=1_000_000, 1),
        /// Title that a player may bear for it.
        pub title: Option<String> = filled_text(),
    }
}

definition! {
    struct AchievementFile {
        achievements: Vec<Achievement> = tables_if_any(Achievement::read),
    }
}

/// Reads the file.
pub(in crate::catalog) fn read(text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Vec<Achievement>> {
    Reader::whole(FILE, text, mistakes, AchievementFile::read).map(|file| file.achievements)
}

/// Records achievements of the same key, goals that no achievement can have, and unknown names of content.
pub(in crate::catalog) fn check(catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
    let mut keys = BTreeSet::new();
    for one in catalog.achievements.iter() {
        if !keys.insert(one.key.as_str()) {
            let mistake = format!("two achievements have the key `{}`", one.key);
            mistakes.push(CatalogError::new(&one.place, mistake, "a key of its own for each"));
        }
        let Some(goal) = &one.goal else { continue };
        if matches!(goal, QuestGoal::Fetch(_) | QuestGoal::Bring(..) | QuestGoal::Script) {
            let mistake = format!("the achievement `{}` has a goal of quests only", one.key);
            mistakes.push(CatalogError::new(&one.place, mistake, "another goal"));
        }
        goal.check(&one.place, catalog, mistakes);
        let unknown = goal.references().into_iter().filter(|(of, key)| !catalog.has(*of, key));
        for (of, key) in unknown {
            mistakes.push(CatalogError::unknown_name(&one.place, of.name(), key, catalog.keys(of)));
        }
    }
}
