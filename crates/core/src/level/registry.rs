//! Registry of parts by kind and name, and their use in reading level files. The built-in parts are listed elsewhere.

use super::layout::Layout;
use super::parts::{
    Connector, CreatureAdder, Decorator, ItemAdder, LevelPart, Partitioner, PortalAdder, RoomGenerator,
};
use super::reference::{LevelReference, LevelReferent, level_types, named_if_any};
use super::site::Context;
use crate::data::{CatalogError, Position, Reader};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Function that creates a part from the keys of its table and reports wrong or unknown keys.
pub type Make<T> = Arc<dyn Fn(&mut Reader<'_>, &mut Setup<'_>) -> Arc<T> + Send + Sync>;

/// Inputs for creating a part.
#[derive(Debug)]
pub struct Setup<'a> {
    /// Name of the level type that uses the part.
    pub level_type: &'a str,
    /// Configuration shared by all parts of the level type, including `params`.
    pub context: &'a Context,
    /// All parts, for parts that contain others.
    pub registry: &'a LevelRegistry,
    /// Collected references to names defined elsewhere.
    pub references: &'a mut Vec<LevelReference>,
}

impl Setup<'_> {
    /// Reads an optional name that is defined elsewhere, and records the reference. Returns `None` if the key is
    /// missing.
    pub fn named(&mut self, reader: &mut Reader<'_>, key: &str, what: LevelReferent) -> Option<String> {
        named_if_any(reader, key, what, self.references)
    }
}

/// Reads `least` and `most`: the bounds of a count.
pub fn range(reader: &mut Reader<'_>, within: RangeInclusive<u32>) -> (u32, u32) {
    let count = (reader.number("least", within.clone()), reader.number("most", within));
    if count.1 < count.0 {
        reader.record_mistake("most", format!("is {} and below `least`", count.1), "at least as many");
    }
    count
}

/// Minimum number of parts in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Least {
    None,
    One,
}

/// Registered parts of one kind.
pub(super) struct PartKind<T: ?Sized> {
    /// Name of their block in level files.
    block: &'static str,
    /// Term for one such part in error messages.
    what: &'static str,
    parts: BTreeMap<String, Make<T>>,
}

/// Error marker: the problem has been reported already.
struct AlreadyReported;

impl<T: ?Sized> PartKind<T> {
    const fn new(block: &'static str, what: &'static str) -> Self {
        Self { block, what, parts: BTreeMap::new() }
    }

    fn register(
        &mut self,
        name: &str,
        make: impl Fn(&mut Reader<'_>, &mut Setup<'_>) -> Arc<T> + Send + Sync + 'static,
    ) {
        self.parts.insert(name.to_owned(), Arc::new(make));
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.keys().map(String::as_str)
    }

    /// Reads one part. Returns `None` if it serves other level types only.
    fn part(
        &self,
        reader: &mut Reader<'_>,
        setup: &mut Setup<'_>,
    ) -> Result<Option<LevelPart<T>>, AlreadyReported> {
        let place = reader.place();
        let (at, name) = part_name(reader, self.what)?;
        let Some(make) = self.parts.get(&name) else {
            reader.note(CatalogError::unknown_name(&at, self.what, &name, self.names()));
            reader.ignore_rest();
            return Err(AlreadyReported);
        };
        let serves = level_types(reader, 0, setup.references);
        let part = make(reader, setup);
        let ours = serves.is_empty() || serves.iter().any(|name| name == setup.level_type);
        Ok(ours.then_some(LevelPart { name, part, place }))
    }

    /// Reads the list of parts under a key.
    pub(super) fn list(
        &self,
        key: &str,
        reader: &mut Reader<'_>,
        setup: &mut Setup<'_>,
        least: Least,
    ) -> Vec<LevelPart<T>> {
        let there = reader.has(key);
        let read = reader.tables(key, |table| self.part(table, setup));
        let sound = read.iter().all(Result::is_ok);
        let parts: Vec<LevelPart<T>> = read.into_iter().filter_map(Result::ok).flatten().collect();
        if there && sound && parts.is_empty() && least == Least::One {
            reader.record_mistake(
                key,
                "has nothing for this level type",
                &format!("at least one {}", self.what),
            );
        }
        parts
    }

    /// Reads the block of this kind.
    pub(super) fn block(
        &self,
        reader: &mut Reader<'_>,
        setup: &mut Setup<'_>,
        least: Least,
    ) -> Vec<LevelPart<T>> {
        self.list(self.block, reader, setup, least)
    }
}

impl<T: ?Sized> Clone for PartKind<T> {
    fn clone(&self) -> Self {
        Self { block: self.block, what: self.what, parts: self.parts.clone() }
    }
}

impl<T: ?Sized> fmt::Debug for PartKind<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.parts.keys()).finish()
    }
}

/// Reads the name of a part, with its position.
fn part_name(reader: &mut Reader<'_>, what: &str) -> Result<(Position, String), AlreadyReported> {
    reader.text_if_any("part").ok_or_else(|| {
        reader.record_mistake("part", "is missing", &format!("the name of a {what}"));
        reader.ignore_rest();
        AlreadyReported
    })
}

/// Partitioners of whole floors, or a layout that grows.
type FloorMethod = (Vec<LevelPart<dyn Partitioner>>, Option<Arc<dyn Layout>>);

/// All parts by kind and name.
#[derive(Clone, Debug)]
pub struct LevelRegistry {
    partitioners: PartKind<dyn Partitioner>,
    layouts: PartKind<dyn Layout>,
    connectors: PartKind<dyn Connector>,
    pub(super) rooms: PartKind<dyn RoomGenerator>,
    pub(super) decorators: PartKind<dyn Decorator>,
    pub(super) portals: PartKind<dyn PortalAdder>,
    pub(super) creatures: PartKind<dyn CreatureAdder>,
    pub(super) items: PartKind<dyn ItemAdder>,
}

macro_rules! register {
    ($($(#[$doc:meta])* $name:ident: $shelf:ident $part:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name(
            &mut self,
            name: &str,
            make: impl Fn(&mut Reader<'_>, &mut Setup<'_>) -> Arc<dyn $part> + Send + Sync + 'static,
        ) {
            self.$shelf.register(name, make);
        }
    )*};
}

impl LevelRegistry {
    /// Creates a registry without parts.
    pub const fn empty() -> Self {
        Self {
            partitioners: PartKind::new("partitioners", "partitioner"),
            layouts: PartKind::new("partitioners", "layout"),
            connectors: PartKind::new("connectors", "connector"),
            rooms: PartKind::new("rooms", "room generator"),
            decorators: PartKind::new("decorators", "decorator"),
            portals: PartKind::new("portals", "portal adder"),
            creatures: PartKind::new("creatures", "creature adder"),
            items: PartKind::new("items", "item adder"),
        }
    }

    register! {
        /// Adds a partitioner of whole floors.
        register_partitioner: partitioners Partitioner;
        /// Adds a layout by which floors grow room by room. Level files name it in the block of partitioners.
        register_layout: layouts Layout;
        /// Adds a connector. Partitioners of whole floors name connectors in a list of their own.
        register_connector: connectors Connector;
        /// Adds a room generator.
        register_room: rooms RoomGenerator;
        /// Adds a decorator.
        register_decorator: decorators Decorator;
        /// Adds a portal adder.
        register_portal: portals PortalAdder;
        /// Adds a creature adder.
        register_creature: creatures CreatureAdder;
        /// Adds an item adder.
        register_item: items ItemAdder;
    }

    /// Returns the names of all parts, by block.
    pub fn names(&self) -> BTreeMap<&'static str, Vec<&str>> {
        BTreeMap::from([
            (self.partitioners.block, self.partitioners.names().chain(self.layouts.names()).collect()),
            (self.connectors.block, self.connectors.names().collect()),
            (self.rooms.block, self.rooms.names().collect()),
            (self.decorators.block, self.decorators.names().collect()),
            (self.portals.block, self.portals.names().collect()),
            (self.creatures.block, self.creatures.names().collect()),
            (self.items.block, self.items.names().collect()),
        ])
    }

    /// Returns each layout with its defaults, by name. Layouts with required keys are left out.
    pub fn default_layouts(&self) -> BTreeMap<String, Arc<dyn Layout>> {
        let read = |name: &str| {
            let (text, mut mistakes) = (format!("part = \"{name}\""), Vec::new());
            let mut reader = Reader::parse("", &text, &mut mistakes)?;
            let context = Context::plain();
            let mut references = Vec::new();
            let mut setup =
                Setup { level_type: "", context: &context, registry: self, references: &mut references };
            let part = self.layouts.part(&mut reader, &mut setup).ok().flatten()?;
            drop(reader);
            mistakes.is_empty().then_some(part.part)
        };
        self.layouts.names().filter_map(|name| Some((name.to_owned(), read(name)?))).collect()
    }

    /// Reads the connectors of a partitioner.
    pub fn read_connectors(
        &self,
        reader: &mut Reader<'_>,
        setup: &mut Setup<'_>,
    ) -> Vec<LevelPart<dyn Connector>> {
        self.connectors.block(reader, setup, Least::One)
    }

    /// Reads the list of decorators under a key, for decorators that contain others.
    pub fn read_decorators(
        &self,
        key: &str,
        reader: &mut Reader<'_>,
        setup: &mut Setup<'_>,
    ) -> Vec<LevelPart<dyn Decorator>> {
        self.decorators.list(key, reader, setup, Least::One)
    }

    /// Reads the block of partitioners: partitioners of whole floors, or a single layout.
    pub(super) fn read_partitioners(&self, reader: &mut Reader<'_>, setup: &mut Setup<'_>) -> FloorMethod {
        let key = self.partitioners.block;
        let there = reader.has(key);
        let (mut whole, mut growing, mut sound) = (Vec::new(), Vec::new(), true);
        reader.tables(key, |table| {
            let named = table.peek_text("part").unwrap_or_default();
            if self.layouts.parts.contains_key(&named) {
                growing.extend(self.layouts.part(table, setup).ok().flatten());
            } else if named.is_empty() || self.partitioners.parts.contains_key(&named) {
                let part = self.partitioners.part(table, setup);
                sound &= part.is_ok();
                whole.extend(part.ok().flatten());
            } else {
                let at = table.place_of("part");
                let known = self.partitioners.names().chain(self.layouts.names());
                table.note(CatalogError::unknown_name(&at, self.partitioners.what, &named, known));
                table.ignore_rest();
                sound = false;
            }
        });
        if growing.len() + whole.len() > 1 && !growing.is_empty() {
            let expected = "partitioners that make whole floors, or one layout that grows";
            reader.record_mistake(key, "does not fit together", expected);
        }
        if there && sound && growing.is_empty() && whole.is_empty() {
            reader.record_mistake(key, "has nothing for this level type", "at least one partitioner");
        }
        (whole, growing.into_iter().next().map(|part| part.part))
    }
}
