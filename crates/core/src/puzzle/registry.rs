//! Registry of puzzles by name.

use crate::data::{CatalogError, Position};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::kind::Puzzle;
use super::written::{Scripted, WrittenPuzzle};
use crate::puzzle::shipped::levers::Machine;
use crate::puzzle::shipped::lock_and_key::LockAndKey;
use crate::puzzle::shipped::myhero::MyHero;
use crate::puzzle::shipped::plates::Plates;
use crate::puzzle::shipped::riddle::Riddle;

/// Puzzles by name.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    puzzles: BTreeMap<String, Arc<dyn Puzzle>>,
}

impl Registry {
    /// Returns the built-in puzzles.
    pub fn builtin() -> Self {
        let mut registry = Self::default();
        registry.register(Arc::new(MyHero::shipped()));
        registry.register(Arc::new(Machine::shipped()));
        registry.register(Arc::new(Plates::shipped()));
        registry.register(Arc::new(Riddle::shipped()));
        registry.register(Arc::new(LockAndKey::shipped()));
        registry
    }

    /// Adds a puzzle, replacing one with the same name.
    pub fn register(&mut self, puzzle: Arc<dyn Puzzle>) {
        self.puzzles.insert(puzzle.name().to_owned(), puzzle);
    }

    /// Applies a content file, at a path below `content/`, to the puzzles.
    pub fn read_file(&mut self, path: &str, text: &str, mistakes: &mut Vec<CatalogError>) {
        let replacements = self.puzzles.values().filter_map(|puzzle| puzzle.with_file(path, text, mistakes));
        for puzzle in replacements.collect::<Vec<_>>() {
            self.register(puzzle);
        }
        let written =
            WrittenPuzzle::read(path, text, mistakes).map(|puzzle| Arc::new(puzzle) as Arc<dyn Puzzle>);
        let scripted = || Some(Arc::new(Scripted::read(path, text, mistakes)?) as Arc<dyn Puzzle>);
        let Some(puzzle) = written.or_else(scripted) else { return };
        if self.puzzles.contains_key(puzzle.name()) {
            let mistake = format!("there is a puzzle `{}` already", puzzle.name());
            return mistakes.push(CatalogError::new(
                &Position::start(path),
                mistake,
                "a folder of another name",
            ));
        }
        self.register(puzzle);
    }

    /// Returns the puzzle with this name.
    pub fn find(&self, name: &str) -> Option<Arc<dyn Puzzle>> {
        self.puzzles.get(name).cloned()
    }

    /// Returns all names in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.puzzles.keys().map(String::as_str)
    }

    /// Returns all puzzles in name order.
    pub fn all(&self) -> impl Iterator<Item = &Arc<dyn Puzzle>> {
        self.puzzles.values()
    }
}
