//! Level types: what a level file in `content/levels` says, as parts that are ready to work.

use super::ground::Material;
use super::layout::Layout;
use super::parts::{CreatureAdder, Decorator, ItemAdder, Part, Partitioner, PortalAdder, RoomGenerator};
use super::registry::{Least, Registry, Setup};
use crate::data::{CatalogError, Place, Reader, Value};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A kind of level: the parts that make its floors, and what they need to know.
#[derive(Clone, Debug)]
pub struct LevelType {
    /// Its name, "upper crypt".
    pub name: String,
    /// The key of the theme that gives it words and perils.
    pub theme: String,
    /// What all parts need to know.
    pub context: Arc<Context>,
    /// One of them cuts a whole floor into sections. None for a level type that grows.
    pub partitioners: Vec<Part<dyn Partitioner>>,
    /// One of them is drawn for each section.
    pub rooms: Vec<Part<dyn RoomGenerator>>,
    /// All of them change each floor, in order.
    pub decorators: Vec<Part<dyn Decorator>>,
    /// All of them add to each floor, in order.
    pub portals: Vec<Part<dyn PortalAdder>>,
    /// All of them add to each floor, in order.
    pub creatures: Vec<Part<dyn CreatureAdder>>,
    /// All of them add to each floor, in order.
    pub items: Vec<Part<dyn ItemAdder>>,
    /// By which floors grow room by room, instead of a partitioner.
    pub layout: Option<Arc<dyn Layout>>,
    /// The names in it that somebody else defines.
    pub references: Vec<Reference>,
    /// Where it is defined.
    pub place: Place,
}

/// What all parts of a level type need to know, and the hook for data of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// Width and height of a whole floor in paces; of one room's section if the floor grows.
    pub size: (u32, u32),
    /// Fewest and most rooms of a whole floor; one with others is drawn again.
    pub rooms: (u32, u32),
    /// What floors are made of before anything is dug.
    pub floor: Material,
    /// What fills the ground before anything is dug.
    pub wall: Material,
    /// The level types that are made with it; the type's own name is among them.
    pub level_types: Vec<String>,
    /// Whatever parts want to know besides.
    pub params: BTreeMap<String, Value>,
}

impl Context {
    /// Fewest and most rooms of a whole floor, unless a level file says otherwise.
    pub const ROOMS: (u32, u32) = (1, 10_000);

    /// What stands where nothing was said.
    pub(super) fn plain() -> Self {
        Self {
            size: (1, 1),
            rooms: Self::ROOMS,
            floor: Material::from("natural"),
            wall: Material::from("natural"),
            level_types: Vec::new(),
            params: BTreeMap::new(),
        }
    }
}

/// A name in a level file that somebody else has to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Where it stands.
    pub place: Place,
    /// What it names.
    pub what: Referent,
    /// The name.
    pub name: String,
}

/// What a name in a level file may name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Referent {
    /// A theme, by its key.
    Theme,
    /// Another level type, by its name.
    LevelType,
    /// A creature, by its key.
    Creature,
    /// An item, by its key.
    Item,
    /// A class of items.
    ItemClass,
}

impl LevelType {
    /// Reads a level file. None if it is not TOML or lacks what nothing can do without; every mistake is noted with its
    /// place.
    pub fn read(
        path: &str,
        text: &str,
        registry: &Registry,
        mistakes: &mut Vec<CatalogError>,
    ) -> Option<Self> {
        let mut reader = Reader::parse(path, text, mistakes)?;
        let place = reader.place();
        let name = reader.text("name");
        let mut references = Vec::new();
        let theme = named_if_any(&mut reader, "theme", Referent::Theme, &mut references);
        if theme.is_none() {
            reader.wrong("theme", "is missing", "the key of a theme");
        }
        let context = Arc::new(context(&mut reader, &name, &mut references));
        let mut setup = Setup { level_type: &name, context: &context, registry, references: &mut references };
        let whole = registry.whole_or_growing(&mut reader, &mut setup);
        let kind = Self {
            partitioners: whole.0,
            layout: whole.1,
            rooms: registry.rooms.block(&mut reader, &mut setup, Least::One),
            decorators: registry.decorators.block(&mut reader, &mut setup, Least::None),
            portals: registry.portals.block(&mut reader, &mut setup, Least::None),
            creatures: registry.creatures.block(&mut reader, &mut setup, Least::None),
            items: registry.items.block(&mut reader, &mut setup, Least::None),
            theme: theme.unwrap_or_default(),
            context: Arc::clone(&context),
            references,
            name: name.clone(),
            place,
        };
        reader.finish();
        Some(kind)
    }

    /// Whether its floors grow room by room.
    pub const fn grows(&self) -> bool {
        self.layout.is_some()
    }
}

/// Reads the context. Where it is missing, something stands for it, so that the rest can be looked at too.
fn context(reader: &mut Reader<'_>, name: &str, references: &mut Vec<Reference>) -> Context {
    let mut context = Context::plain();
    let Some(mut table) = reader.table("context") else { return context };
    context.size = table.pair("size", &(1..=1_000));
    if table.has("rooms") {
        context.rooms = table.pair("rooms", &(Context::ROOMS.0..=Context::ROOMS.1));
    }
    context.floor = Material::from(table.text("floor"));
    context.wall = Material::from(table.text("wall"));
    let place = table.place_of("level_types");
    context.level_types = level_types(&mut table, 1, references);
    if !context.level_types.is_empty() && !context.level_types.iter().any(|listed| listed == name) {
        let wrong = format!("`level_types` does not name `{name}` itself");
        table.note(CatalogError::new(&place, wrong, "the level type's own name among them"));
    }
    context.params = table.values("params");
    table.finish();
    context
}

/// The level types that something serves.
pub(super) fn level_types(
    reader: &mut Reader<'_>,
    least: usize,
    references: &mut Vec<Reference>,
) -> Vec<String> {
    let listed = reader.placed_texts("level_types", least);
    let refer = |(place, name): (Place, String)| {
        references.push(Reference { place, what: Referent::LevelType, name: name.clone() });
        name
    };
    listed.into_iter().map(refer).collect()
}

/// A name that somebody else defines, if the key is there.
pub(super) fn named_if_any(
    reader: &mut Reader<'_>,
    key: &str,
    what: Referent,
    references: &mut Vec<Reference>,
) -> Option<String> {
    let (place, name) = reader.text_if_any(key)?;
    references.push(Reference { place, what, name: name.clone() });
    Some(name)
}

/// Reads `least` and `most`: how many there are of something.
pub fn range(reader: &mut Reader<'_>, within: RangeInclusive<u32>) -> (u32, u32) {
    let count = (reader.number("least", within.clone()), reader.number("most", within));
    if count.1 < count.0 {
        reader.wrong("most", format!("is {} and below `least`", count.1), "at least as many");
    }
    count
}
