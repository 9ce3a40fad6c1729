//! Definitions loaded from `content/`: themes, mobs, items. They are cross-checked when loaded and read-only
//! afterwards. Loading takes text, not files, and reports every mistake at once with its place.

pub mod area;
pub mod help;
pub mod item;
pub mod mob;
pub mod reader;
pub mod theme;

mod load;

pub use area::{Area, AreaExit, AreaRoom};
pub use help::HelpIndex;
pub use item::ItemPrototype;
pub use mob::{Behaviour, MobPrototype};
pub use reader::{CatalogError, Place};
pub use theme::{Band, GrowSettings, Pattern, Peril, PerilKind, Theme};

use std::collections::BTreeMap;

/// The content files compiled into the binary, as path below `content/` and text.
pub const BUILTIN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/content.rs"));

/// Every definition, found by its stable key.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Themes of branches (E24, E38, E39).
    pub themes: BTreeMap<String, Theme>,
    /// Creatures.
    pub mobs: BTreeMap<String, MobPrototype>,
    /// Things.
    pub items: BTreeMap<String, ItemPrototype>,
    /// Hand-built areas that a fresh world begins with.
    pub areas: BTreeMap<String, Area>,
    /// Help topics.
    pub help: HelpIndex,
}

impl Catalog {
    /// Reads the files given as path below `content/` and text, such as `themes/well.toml`. Files of other
    /// folders are passed over.
    pub fn load<P: AsRef<str>, T: AsRef<str>>(files: &[(P, T)]) -> Result<Self, Vec<CatalogError>> {
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_ref(), text.as_ref())).collect();
        load::load(&files)
    }

    /// The catalog of the files compiled into the binary; a test proves that they are free of mistakes.
    pub fn builtin() -> Self {
        match Self::load(BUILTIN) {
            Ok(catalog) => catalog,
            Err(mistakes) => {
                let list: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
                panic!("the compiled-in content has mistakes:\n{}", list.join("\n"))
            }
        }
    }
}
