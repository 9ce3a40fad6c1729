//! Level types: the contents of the level files in `content/levels`, as configured parts.

use super::layout::Layout;
use super::parts::{CreatureAdder, Decorator, ItemAdder, LevelPart, Partitioner, PortalAdder, RoomGenerator};
use super::reference::{LevelReference, LevelReferent, level_types, named_if_any};
use super::registry::{Least, LevelRegistry, Setup};
use super::site::{Context, Material};
use super::vault::VaultRule;
use crate::data::{CatalogError, Position, Reader};
use std::sync::Arc;

/// A level type: the parts that generate its floors, and their shared configuration.
#[derive(Clone, Debug)]
pub struct LevelType {
    /// Name, as in "upper crypt".
    pub name: String,
    /// Text for a player who looks at the start room's exit to this level type; may be empty.
    pub seen: String,
    /// Text for a player who listens in the start room; may be empty.
    pub heard: String,
    /// Set if the guide recommends the level type to beginners.
    pub gentle: bool,
    /// Key of the theme that provides its texts and perils.
    pub theme: String,
    /// Configuration shared by all parts.
    pub context: Arc<Context>,
    /// Partitioners, one of which cuts a whole floor into sections. Empty for a level type that grows.
    pub partitioners: Vec<LevelPart<dyn Partitioner>>,
    /// Room generators, one of which is picked for each section.
    pub rooms: Vec<LevelPart<dyn RoomGenerator>>,
    /// Decorators, all applied to each floor in order.
    pub decorators: Vec<LevelPart<dyn Decorator>>,
    /// Adders, all applied to each floor in order.
    pub portals: Vec<LevelPart<dyn PortalAdder>>,
    /// Adders, all applied to each floor in order.
    pub creatures: Vec<LevelPart<dyn CreatureAdder>>,
    /// Adders, all applied to each floor in order.
    pub items: Vec<LevelPart<dyn ItemAdder>>,
    /// Layout by which floors grow room by room, instead of a partitioner.
    pub layout: Option<Arc<dyn Layout>>,
    /// Rules of the vaults that may be placed, by key.
    pub vaults: Vec<(String, VaultRule)>,
    /// References to names defined elsewhere.
    pub references: Vec<LevelReference>,
    /// Position of the definition.
    pub place: Position,
}

impl LevelType {
    /// Reads a level file; every error is recorded with its position. Returns `None` if the file is not TOML.
    pub fn read(
        path: &str,
        text: &str,
        registry: &LevelRegistry,
        mistakes: &mut Vec<CatalogError>,
    ) -> Option<Self> {
        let mut reader = Reader::parse(path, text, mistakes)?;
        let place = reader.place();
        let name = reader.text("name");
        let [seen, heard] = ["seen", "heard"].map(|key| reader.text_or(key, String::new));
        let gentle = reader.bool_or("gentle", false);
        let mut references = Vec::new();
        let theme = named_if_any(&mut reader, "theme", LevelReferent::Theme, &mut references);
        if theme.is_none() {
            reader.record_mistake("theme", "is missing", "the key of a theme");
        }
        let context = Arc::new(context(&mut reader, &name, &mut references));
        let mut setup = Setup { level_type: &name, context: &context, registry, references: &mut references };
        let whole = registry.read_partitioners(&mut reader, &mut setup);
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
        if !kind.vaults.is_empty() && !kind.supports_vaults() {
            reader.record_mistake(
                "vaults",
                "do not fit a floor whose rooms have their places",
                "`frontier`, `corridor`, or a floor that is made whole",
            );
        }
        reader.finish();
        Some(kind)
    }

    /// Returns `true` if the file has a layout or a partitioner.
    pub fn has_layout_or_partitioner(&self) -> bool {
        self.layout.is_some() || !self.partitioners.is_empty()
    }

    /// Returns `true` if vaults may be placed on its floors: all floors but those of an unbudgeted layout.
    pub fn supports_vaults(&self) -> bool {
        self.layout.as_ref().is_none_or(|layout| layout.is_budgeted())
    }

    /// Returns `true` if its floors grow room by room.
    pub const fn grows(&self) -> bool {
        self.layout.is_some()
    }
}

/// Reads the vault rules.
fn vaults(reader: &mut Reader<'_>, references: &mut Vec<LevelReference>) -> Vec<(String, VaultRule)> {
    reader.tables_if_any("vaults", |table| {
        let vault = named_if_any(table, "vault", LevelReferent::Vault, references);
        if vault.is_none() {
            table.record_mistake("vault", "is missing", "the key of a vault");
        }
        (vault.unwrap_or_default(), VaultRule::read(table))
    })
}

/// Reads the context. A missing context is replaced by defaults so that the rest of the file can be checked too.
fn context(reader: &mut Reader<'_>, name: &str, references: &mut Vec<LevelReference>) -> Context {
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
        let mistake = format!("`level_types` does not name `{name}` itself");
        table.note(CatalogError::new(&place, mistake, "the level type's own name among them"));
    }
    context.params = table.values("params");
    table.finish();
    context
}
