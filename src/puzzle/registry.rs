//! Which puzzles there are, by name.

use crate::data::CatalogError;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::kind::Puzzle;
use super::machine::Machine;
use super::myhero::MyHero;
use super::plates::Plates;
use super::riddle::Riddle;
use super::vault::Vault;

/// Puzzles by name.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    puzzles: BTreeMap<&'static str, Arc<dyn Puzzle>>,
}

impl Registry {
    /// The puzzles that come with the program.
    pub fn builtin() -> Self {
        let mut registry = Self::default();
        registry.register(Arc::new(MyHero::shipped()));
        registry.register(Arc::new(Machine::shipped()));
        registry.register(Arc::new(Plates::shipped()));
        registry.register(Arc::new(Riddle::shipped()));
        registry.register(Arc::new(Vault::shipped()));
        registry
    }

    /// Adds a puzzle, in place of one with the same name.
    pub fn register(&mut self, puzzle: Arc<dyn Puzzle>) {
        self.puzzles.insert(puzzle.name(), puzzle);
    }

    /// Takes over what a file of content, at a path below `content/`, says of puzzles.
    pub fn read_file(&mut self, path: &str, text: &str, mistakes: &mut Vec<CatalogError>) {
        let told = self.puzzles.values().filter_map(|puzzle| puzzle.with_file(path, text, mistakes));
        for puzzle in told.collect::<Vec<_>>() {
            self.register(puzzle);
        }
    }

    /// The puzzle of a name.
    pub fn find(&self, name: &str) -> Option<Arc<dyn Puzzle>> {
        self.puzzles.get(name).cloned()
    }

    /// All names, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.puzzles.keys().copied()
    }

    /// All puzzles, by name.
    pub fn all(&self) -> impl Iterator<Item = &Arc<dyn Puzzle>> {
        self.puzzles.values()
    }
}
