//! Level types: what a level file in `content/levels` says, as parts that are ready to work.

use super::layout::Layout;
use super::parts::{CreatureAdder, Decorator, ItemAdder, Part, Partitioner, PortalAdder, RoomGenerator};
use super::reference::{Reference, Referent, level_types, named_if_any};
use super::registry::{Least, Registry, Setup};
use super::site::{Context, Material};
use super::vault::VaultRule;
use crate::data::{CatalogError, Position, Reader};
use std::sync::Arc;

/// A kind of level: the parts that make its floors, and what they need to know.
#[derive(Clone, Debug)]
pub struct LevelType {
    /// Its name, "upper crypt".
    pub name: String,
    /// What whoever looks at the exit of a start room that leads here sees; may be empty.
    pub seen: String,
    /// What whoever listens in such a start room hears from there; may be empty.
    pub heard: String,
    /// Set for a level type that the guide sends beginners to.
    pub gentle: bool,
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
    /// The vaults that come up, by key.
    pub vaults: Vec<(String, VaultRule)>,
    /// The names in it that somebody else defines.
    pub references: Vec<Reference>,
    /// Where it is defined.
    pub place: Position,
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
        let [seen, heard] = ["seen", "heard"].map(|key| reader.text_or(key, String::new));
        let gentle = reader.truth_or("gentle", false);
        let mut references = Vec::new();
        let theme = named_if_any(&mut reader, "theme", Referent::Theme, &mut references);
        if theme.is_none() {
            reader.wrong("theme", "is missing", "the key of a theme");
        }
        let context = Arc::new(context(&mut reader, &name, &mut references));
        let mut setup = Setup { level_type: &name, context: &context, registry, references: &mut references };
        let whole = registry.whole_or_growing(&mut reader, &mut setup);
        let vaults = vaults(&mut reader, setup.references);
        let kind = Self {
            partitioners: whole.0,
            layout: whole.1,
            rooms: registry.rooms.block(&mut reader, &mut setup, Least::One),
            decorators: registry.decorators.block(&mut reader, &mut setup, Least::None),
            portals: registry.portals.block(&mut reader, &mut setup, Least::None),
            creatures: registry.creatures.block(&mut reader, &mut setup, Least::None),
            items: registry.items.block(&mut reader, &mut setup, Least::None),
            seen,
            heard,
            gentle,
            theme: theme.unwrap_or_default(),
            context: Arc::clone(&context),
            vaults,
            references,
            name: name.clone(),
            place,
        };
        if !kind.vaults.is_empty() && !kind.has_room_for_vaults() {
            reader.wrong(
                "vaults",
                "do not fit a floor whose rooms have their places",
                "`frontier`, `corridor`, or a floor that is made whole",
            );
        }
        reader.finish();
        Some(kind)
    }

    /// Whether it says how its floors come to be.
    pub fn has_ground(&self) -> bool {
        self.layout.is_some() || !self.partitioners.is_empty()
    }

    /// Whether vaults may come up on its floors: they grow room by room within a budget, or have places beside them.
    pub fn has_room_for_vaults(&self) -> bool {
        self.layout.as_ref().is_none_or(|layout| layout.is_budgeted())
    }

    /// Whether its floors grow room by room.
    pub const fn grows(&self) -> bool {
        self.layout.is_some()
    }
}

/// Reads which vaults come up.
fn vaults(reader: &mut Reader<'_>, references: &mut Vec<Reference>) -> Vec<(String, VaultRule)> {
    reader.tables_if_any("vaults", |table| {
        let vault = named_if_any(table, "vault", Referent::Vault, references);
        if vault.is_none() {
            table.wrong("vault", "is missing", "the key of a vault");
        }
        (vault.unwrap_or_default(), VaultRule::read(table))
    })
}

/// Reads the context. Where it is missing, something stands for it, so that the rest can be looked at too.
fn context(reader: &mut Reader<'_>, name: &str, references: &mut Vec<Reference>) -> Context {
    let mut context = Context::plain();
    let Some(mut table) = reader.table("context") else { return context };
    context.size = table.pair("size", &(1..=1_000));
    if table.has("rooms") {
        context.rooms = table.pair("rooms", &(Context::ROOMS.0..=Context::ROOMS.1));
    }
    context.new_portals = table.number_or("new_portals", 0..=8, 0);
    if table.has("room_min_size") {
        context.room_min_size = table.pair("room_min_size", &(1..=100));
    }
    context.ground = Material::from(table.text("floor"));
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
