//! Overrides: definitions edited in the game that replace those of the files, as text in the same format. The same
//! readers read and check them. Files never depend on them.

use crate::catalog::content_file::ContentFile;
use crate::catalog::creature::prototype::{self, CreatureFile};
use crate::catalog::load::{
    check_affects_of_rooms, check_dialogues_and_quests, check_items, check_scripts, check_theme,
};
use crate::catalog::overlay::{DefinitionKind, OverridingText};
use crate::catalog::theme::guards;
use crate::catalog::theme::inheritance::ThemeText;
use crate::catalog::{Catalog, Dialogue, Quest, item};
use crate::data::CatalogError;
use crate::script::Program;

impl Catalog {
    /// Returns the catalog with some definitions replaced, as if their files had these texts. Earlier overrides stay,
    /// so only what changes is read.
    ///
    /// # Errors
    /// Every error, with its place in a file of that text.
    pub fn with(&self, written: &[OverridingText<'_>]) -> Result<Self, Vec<CatalogError>> {
        let (mut catalog, mut mistakes) = (self.clone(), Vec::new());
        let path = |written: &OverridingText<'_>| written.kind.path(written.key);
        let paths: Vec<String> = written.iter().map(path).collect();
        let mut texts: Vec<Option<&str>> = Vec::new();
        for OverridingText { kind, key, text } in written {
            texts.push(text.or_else(|| self.text_of_file(*kind, key)));
        }
        // Remove old pages first, since a name may move from one page to another.
        for page in written.iter().filter(|written| written.kind == DefinitionKind::Help) {
            catalog.help.take_away(page.key);
        }
        let mut all_are_toml = true;
        for ((path, text), OverridingText { kind, key, .. }) in paths.iter().zip(&texts).zip(written) {
            all_are_toml &= match text {
                Some(text) => {
                    catalog.put(*kind, key, &mut ContentFile { path, text, mistakes: &mut mistakes })
                }
                None => catalog.take_away(*kind, key),
            };
        }
        // A definition that cannot be parsed would be reported as unknown everywhere; report only the syntax error.
        if all_are_toml {
            let files = paths.iter().zip(&texts);
            let files: Vec<(&str, &str)> =
                files.filter_map(|(path, text)| Some((path.as_str(), (*text)?))).collect();
            let changes = |kind| written.iter().any(|written| written.kind == kind);
            let creatures = written.iter().filter(|written| written.kind == DefinitionKind::Creature);
            let creatures: Vec<&str> = creatures.map(|written| written.key).collect();
            let heirs = prototype::heirs(&catalog.sources.creatures, &creatures);
            for creature in prototype::complete(&catalog.sources.creatures, &heirs, &mut mistakes) {
                catalog.creatures.insert(creature.key.clone(), creature);
            }
            let before = mistakes.len();
            let themes = written.iter().filter(|written| written.kind == DefinitionKind::Theme);
            let themes: Vec<&str> = themes.map(|written| written.key).collect();
            for key in catalog.put_themes(&themes, &mut mistakes) {
                check_theme(&files, &catalog.themes[&key], &catalog, &mut mistakes);
            }
            // A definition with errors is incomplete; further checks would report consequences.
            if mistakes.len() == before && written.iter().any(|written| written.kind != DefinitionKind::Help)
            {
                catalog.check_prototypes(&files, &mut mistakes);
            }
            if changes(DefinitionKind::Help) {
                catalog.help.topics().for_each(|topic| catalog.help.check_links(&topic.key, &mut mistakes));
            }
        }
        mistakes.sort();
        mistakes.dedup();
        if mistakes.is_empty() { Ok(catalog) } else { Err(mistakes) }
    }

    /// Records unknown names and incomplete themes after a change of creatures or items.
    fn check_prototypes(&self, files: &[(&str, &str)], mistakes: &mut Vec<CatalogError>) {
        check_items(files, self, mistakes);
        check_scripts(files, self, mistakes);
        check_dialogues_and_quests(self, mistakes);
        check_affects_of_rooms(self, mistakes);
        for theme in self.themes.values() {
            let deepest = theme.bands.keys().next_back().copied().unwrap_or(0) + 1;
            guards::check(theme, self, deepest, mistakes);
        }
    }

    /// Reads a definition. Returns `true` if its syntax is valid.
    fn put(&mut self, kind: DefinitionKind, key: &str, file: &mut ContentFile<'_>) -> bool {
        match kind {
            DefinitionKind::Creature => {
                let creature = file
                    .read(CreatureFile::read)
                    .map(|creature| file.store(creature.into(), &mut self.sources.creatures));
                return creature.is_some();
            }
            DefinitionKind::Item => return file.read_into(&mut self.items, item::read).is_some(),
            DefinitionKind::Dialogue => return file.read_into(&mut self.dialogues, Dialogue::read).is_some(),
            DefinitionKind::Quest => return file.read_into(&mut self.quests, Quest::read).is_some(),
            DefinitionKind::Script => return self.put_script(key, file),
            // Read later, when all themes that it may inherit from are present.
            DefinitionKind::Theme => {
                _ = file.store(ThemeText::of(file.path, file.text), &mut self.sources.themes);
            }
            DefinitionKind::Help => _ = self.help.put(file, &self.sources.figures),
        }
        true
    }

    /// Compiles a script, unless it is compiled already. Returns `true` if its syntax is valid.
    fn put_script(&mut self, key: &str, file: &mut ContentFile<'_>) -> bool {
        if self.scripts.get(key).is_some_and(|known| known.source() == file.text) {
            return true;
        }
        match Program::compile(file.path, file.text) {
            Ok(program) => _ = self.scripts.insert(key.to_owned(), program),
            Err(mistake) => {
                file.mistakes.push(mistake);
                return false;
            }
        }
        true
    }

    /// Removes a definition that no file has. References to it are reported by the checks.
    fn take_away(&mut self, kind: DefinitionKind, key: &str) -> bool {
        match kind {
            DefinitionKind::Creature => {
                self.sources.creatures.remove(key);
                self.creatures.remove(key);
            }
            DefinitionKind::Item => _ = self.items.remove(key),
            DefinitionKind::Dialogue => _ = self.dialogues.remove(key),
            DefinitionKind::Quest => _ = self.quests.remove(key),
            DefinitionKind::Script => _ = self.scripts.remove(key),
            DefinitionKind::Help => self.help.take_away(key),
            // Its level type was generated, so no file defines it.
            DefinitionKind::Theme => {
                self.sources.themes.remove(key);
                self.themes.remove(key);
                self.level_types.remove(key);
            }
        }
        true
    }
}
