//! Definitions loaded from `content/`: themes, creatures, items, affects, the numbers of the rules. They are cross-checked
//! when loaded and read-only afterwards. The loader takes text, not files, and reports all errors together with their
//! places.

pub mod area;
pub mod character;
mod content_file;
pub mod creature;
pub mod draft_key;
mod figures;
pub mod help;
pub mod item;
mod load;
pub mod overlay;
mod overrides;
pub mod pattern;
pub mod prop;
pub mod quest;
pub mod ranks;
pub mod reference;
pub mod references;
pub mod room_kind;
pub mod rules;
pub mod script;
pub mod theme;
pub mod vault;

pub use crate::data::{CatalogError, Position};
pub use area::area_shop::AreaShop;
pub use area::room_flag::RoomFlag;
pub use area::script::{AreaScript, AreaSpawn, AreaTrigger};
pub use area::setting::{Setting, SettingValue, SettingValues};
pub use area::spawn_bounds::{SpawnBounds, SpawnCondition};
pub use area::start_setting::{ExitBranchSettings, StartSetting, StartSettings, StartTask};
pub use area::start_text::{StartText, StartTexts};
pub use area::{Area, AreaExit, AreaRoom, AreaSettings, RoomSheet};
pub use character::ability::Ability;
pub use character::affect::AffectPrototype;
pub use character::social::{PhysicalRequirement, Social, Socials};
pub use character::training::Training;
pub use creature::behaviour::Behaviour;
pub use creature::dialogue::Dialogue;
pub use creature::folk::Folk;
pub use creature::manoeuvre::{Answer, Manoeuvre};
pub use creature::prototype::{CreaturePrototype, RacketNumbers};
pub use creature::route::CreatureRoute;
pub use help::HelpIndex;
pub use help::guide::{HelpGuide, Lesson};
pub use help::hint::Hints;
pub use item::ItemPrototype;
pub use item::class::ItemClass;
pub use item::shop::{Bid, Hours, ShopTerms, Ware};
pub use overlay::{DefinitionKind, OverridingText};
pub use pattern::Pattern;
pub use prop::Prop;
pub use quest::Quest;
pub use quest::achievement::Achievement;
pub use ranks::RankPermissions;
pub use references::Referent;
pub use references::renaming::Renaming;
pub use room_kind::{RoomFeature, RoomKind};
pub use rules::{RuleSet, Rules};
pub use script::Script;
pub use script::object_trigger::{CreatureEvent, ItemEvent, ObjectTrigger};
pub use script::trigger::TriggerEvent;
pub use script::variable::{VariableDeclaration, VariableScope, VariableValue};
pub use theme::chalk::Chalk;
pub use theme::loot::{LootItem, LootTable};
pub use theme::peril::{Peril, PerilKind};
pub use theme::room_content::RoomContent;
pub use theme::room_name::ThemeRoomName;
pub use theme::scripted_room::ScriptedRoom;
pub use theme::trap::Trap;
pub use theme::words::{NeighbourProperty, Noun, Scenery};
pub use theme::{Band, BranchTimes, GrowSettings, Theme};
pub use vault::{Vault, VaultRoom};

use crate::base::{Digest, Keyed, Shared};
use crate::level::{self, Layout, LevelType};
use crate::puzzle;
use crate::script::Program;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// Content files compiled into the binary, as path below `content/` and text.
pub const BUILTIN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/content.rs"));

/// Building blocks that definitions may use.
#[derive(Clone, Debug)]
pub struct Registries {
    /// Parts of level types.
    pub parts: level::LevelRegistry,
    /// Puzzles.
    pub puzzles: puzzle::Registry,
}

impl Registries {
    /// Returns the built-in parts and puzzles.
    pub fn builtin() -> Self {
        Self { parts: level::builtin_parts(), puzzles: puzzle::Registry::builtin() }
    }
}

/// All definitions by stable key. Copies share what is unchanged.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Themes of branches.
    pub themes: Shared<BTreeMap<String, Theme>>,
    /// Creatures.
    pub creatures: Shared<Keyed<CreaturePrototype>>,
    /// Items.
    pub items: Shared<BTreeMap<String, ItemPrototype>>,
    /// Dialogues.
    pub dialogues: Shared<BTreeMap<String, Dialogue>>,
    /// Quests.
    pub quests: Shared<BTreeMap<String, Quest>>,
    /// Achievements, in the order of their list.
    pub achievements: Shared<Vec<Achievement>>,
    /// Level types by name.
    pub level_types: Shared<BTreeMap<String, Arc<LevelType>>>,
    /// Set pieces of branches, by key.
    pub vaults: Shared<BTreeMap<String, Arc<Vault>>>,
    /// Scripts that generate rooms.
    pub drawn_rooms: Shared<BTreeMap<String, ScriptedRoom>>,
    /// Layouts of growing levels by name, each with its default settings.
    pub layouts: Shared<BTreeMap<String, Arc<dyn Layout>>>,
    /// Puzzles by name.
    pub puzzles: puzzle::Registry,
    /// Affects.
    pub affects: Shared<BTreeMap<String, AffectPrototype>>,
    /// Loot tables.
    pub loot: Shared<BTreeMap<String, LootTable>>,
    /// Attributes that can be trained at a new level.
    pub training: Shared<BTreeMap<String, Training>>,
    /// Abilities that can be learnt at a new level.
    pub abilities: Shared<BTreeMap<String, Ability>>,
    /// Actions that creatures announce in a fight.
    pub manoeuvres: Shared<BTreeMap<String, Manoeuvre>>,
    /// Things in rooms that fighters can use.
    pub props: Shared<BTreeMap<String, Prop>>,
    /// The numbers of the rules.
    pub rules: Rules,
    /// Ranks and their permissions.
    pub ranks: RankPermissions,
    /// Hand-built areas of a new world.
    pub areas: Shared<BTreeMap<String, Area>>,
    /// Texts of chains of clues.
    pub clues: Shared<theme::clues::Clues>,
    /// Phrases for walls.
    pub chalk: Shared<Chalk>,
    /// Traps.
    pub traps: Shared<Vec<Trap>>,
    /// Socials: gestures that are shown to the room.
    pub socials: Shared<Socials>,
    /// Townspeople who answer questions.
    pub folk: Shared<Vec<Folk>>,
    /// Sentences in which townspeople report events in the dungeon.
    pub rumours: Shared<creature::rumours::Rumours>,
    /// Replies to words that are not commands.
    pub hints: Shared<Hints>,
    /// Scripts called by script lines.
    pub scripts: Shared<BTreeMap<String, Program>>,
    /// Help topics.
    pub help: Shared<HelpIndex>,
    /// Tutorial for new players.
    pub guide: Shared<HelpGuide>,
    /// File contents that overrides are applied to.
    sources: overlay::OverlaySources,
}

impl Catalog {
    /// Reads files given as path below `content/` and text, such as `themes/well.toml`. Files in other folders are
    /// ignored.
    pub fn load<P: AsRef<str>, T: AsRef<str>>(files: &[(P, T)]) -> Result<Self, Vec<CatalogError>> {
        Self::load_with(files, &Registries::builtin())
    }

    /// Reads files as [`Catalog::load`], with other parts and puzzles than the built-in ones.
    pub fn load_with<P: AsRef<str>, T: AsRef<str>>(
        files: &[(P, T)],
        registries: &Registries,
    ) -> Result<Self, Vec<CatalogError>> {
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_ref(), text.as_ref())).collect();
        load::load(&files, registries)
    }

    /// Returns a digest of every definition: servers with equal digests have the same content.
    pub fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        digest.take(self);
        digest
    }

    /// Returns the catalog of the files compiled into the binary, which are parsed once. A test ensures that they have
    /// no errors.
    pub fn builtin() -> Self {
        static READ: LazyLock<Catalog> = LazyLock::new(|| {
            Catalog::load(BUILTIN).unwrap_or_else(|mistakes| {
                let list: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
                panic!("the compiled-in content has mistakes:\n{}", list.join("\n"))
            })
        });
        READ.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(file: &str, from: &str, to: &str) -> Vec<String> {
        let files: Vec<(&str, String)> = BUILTIN
            .iter()
            .map(|(path, text)| {
                (*path, if *path == file { text.replacen(from, to, 1) } else { (*text).to_owned() })
            })
            .collect();
        assert!(files.iter().zip(BUILTIN).any(|(new, old)| new.1 != old.1), "`{from}` is not in {file}");
        let mistakes = Catalog::load(&files).expect_err("the change is a mistake");
        mistakes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn builtin_content_has_no_errors() {
        let catalog = Catalog::builtin();
        assert!(catalog.themes.contains_key("well"));
        let (orc, troll) = (&catalog.creatures["orc"], &catalog.creatures["troll"]);
        assert_eq!((orc.hp, orc.attack, orc.defence, orc.xp), (10, 3, 0, 35), "T8");
        assert_eq!((troll.hp, troll.attack, troll.defence, troll.xp), (16, 4, 1, 100), "T8");
        assert_eq!(orc.with_article, "an orc");
        assert_eq!(catalog.items["coil_of_rope"].plural, "coils of rope");
    }

    /// E24: each of the required kinds must be present.
    #[test]
    fn theme_without_required_peril_is_rejected() {
        for kind in ["monsters", "puzzle", "treasure"] {
            let mistakes = replaced("themes/well.toml", &format!("kind = \"{kind}\""), "kind = \"none\"");
            let wanted = format!("themes/well.toml:1:1: theme `well` has no peril of the kind `{kind}`");
            assert!(mistakes[0].starts_with(&wanted), "{mistakes:?}");
        }
    }

    /// E24, T19: content missing from a theme is reported: texts and rewards for its kinds of rooms, guards within its
    /// budget, and signs.
    #[test]
    fn theme_with_missing_room_content_is_rejected() {
        let lacks = |from: &str, to: &str, wanted: &str| {
            let mistakes = replaced("themes/well.toml", from, to);
            assert!(mistakes.iter().any(|mistake| mistake.contains(wanted)), "{mistakes:?}");
        };
        let well = BUILTIN.iter().find(|(path, _)| *path == "themes/well.toml").unwrap().1;
        let list = |name: &str| {
            let begin = well.find(&format!("\n{name} = [")).unwrap() + 1;
            let end = begin + well[begin..].find("\n]\n").unwrap() + 3;
            &well[begin..end]
        };
        lacks(list("omens"), "", "has exits with a sign, but no `omens`");
        lacks(list("faces"), "", "has rooms of the kind `riddle`, but no `faces`");
        let tables = |name: &str| {
            let begin = well.find(&format!("[[{name}]]")).unwrap();
            let next = well[begin..]
                .match_indices("\n[[")
                .find(|(at, _)| !well[begin + at + 1..].starts_with(&format!("[[{name}]]")));
            &well[begin..next.map_or(well.len(), |(at, _)| begin + at + 1)]
        };
        lacks(tables("riddles"), "", "has rooms of the kind `riddle`, but no `riddles`");
        lacks(tables("shrines"), "", "has rooms of the kind `shrine`, but no `shrines`");
        lacks(tables("captives"), "", "has rooms of the kind `rescue`, but no `captives`");
        lacks(tables("landmarks"), "", "has no landmark for depth 1");
        lacks("base = 1\nper_difficulty = 1", "base = 0\nper_difficulty = 0", "buys no guard");
        lacks("affect = \"shrine_oak\"", "affect = \"shrine_oka\"", "unknown affect `shrine_oka`");
        lacks("mob = \"captive_mule\"", "mob = \"captive_mole\"", "unknown creature `captive_mole`");
        lacks("mob = \"captive_mule\"", "mob = \"orc\"", "would guard its own room");
    }

    /// E39: a band may cover several depths, and each depth has at most one band.
    #[test]
    fn band_may_cover_several_depths() {
        let well = BUILTIN.iter().find(|(path, _)| *path == "themes/well.toml").unwrap().1;
        let deep = well.replacen("depth = 10\nfamily", "depth = 10\nlast_depth = 12\nfamily", 1);
        let files = |text| {
            BUILTIN
                .iter()
                .map(move |(path, other)| (*path, if *path == "themes/well.toml" { text } else { *other }))
        };
        let catalog = Catalog::load(&files(deep.as_str()).collect::<Vec<_>>()).unwrap();
        let family = |depth| catalog.themes["well"].band(depth).family.as_str();
        assert_eq!(
            [9, 10, 12, 13].map(family),
            ["Marble passages", "Furnished rooms", "Furnished rooms", "Dark rooms"]
        );
        let mistakes =
            replaced("themes/well.toml", "depth = 9\nfamily", "depth = 9\nlast_depth = 10\nfamily");
        assert!(mistakes.iter().any(|mistake| mistake.contains("names depth 10 twice")), "{mistakes:?}");
        let mistakes = replaced("themes/well.toml", "depth = 9\nfamily", "depth = 9\nlast_depth = 8\nfamily");
        assert!(mistakes.iter().any(|mistake| mistake.contains("last_depth")), "{mistakes:?}");
    }

    /// E4: a theme may set the times of its branches.
    #[test]
    fn theme_may_set_branch_times() {
        let well = BUILTIN.iter().find(|(path, _)| *path == "themes/well.toml").unwrap().1;
        let slow =
            well.replacen("[settings]", "[settings]\nwindow_secs = 60\nreset_chance_permille = 1000", 1);
        let files: Vec<_> = BUILTIN
            .iter()
            .map(|(path, text)| (*path, if *path == "themes/well.toml" { slow.as_str() } else { *text }))
            .collect();
        let times = Catalog::load(&files).unwrap().themes["well"].settings.times;
        let expected = BranchTimes {
            window: Some(crate::base::Span::secs(60)),
            reset_chance_permille: Some(1_000),
            max_life: None,
        };
        assert_eq!(times, expected);
    }

    #[test]
    fn errors_have_a_place_and_a_suggestion() {
        let mistakes = replaced("mobs/orc.toml", "attack =", "atack =");
        assert_eq!(
            mistakes,
            [
                "mobs/orc.toml:1:1: `attack` is missing, expected a whole number",
                "mobs/orc.toml:4:1: unknown key `atack`, expected one of inherits, conditions, strikes, name, \
                 with_article, plural, description, death, racket, on_tick, triggers, dialogue, patrol, schedule, hp, attack, defence, xp, \
                 first_difficulty, last_difficulty, weight, threat, behaviours, manoeuvres, boss, loot, did you mean `attack`?",
            ]
        );
        let mistakes = replaced("themes/well.toml", "\"goblin\"", "\"gobblin\"");
        assert!(
            mistakes[0].starts_with("themes/well.toml:12:76: unknown creature `gobblin`"),
            "{mistakes:?}"
        );
        assert!(mistakes[0].ends_with("did you mean `goblin`?"), "{mistakes:?}");
    }

    /// An error does not cause consequential errors.
    #[test]
    fn one_error_causes_no_others() {
        let mistakes = replaced("mobs/goblin.toml", "name =", "name");
        assert!(mistakes.len() == 1 && mistakes[0].starts_with("mobs/goblin.toml:"), "{mistakes:?}");
        let mistakes = replaced("themes/well.toml", "kind = \"vault\"", "kind = \"valut\"");
        assert!(mistakes.len() == 1 && mistakes[0].contains("unknown puzzle `valut`"), "{mistakes:?}");
    }

    #[test]
    fn slot_without_words_is_rejected() {
        let mistakes = replaced("themes/well.toml", "Water {runs} down", "Water {rums} down");
        assert_eq!(mistakes.len(), 1, "{mistakes:?}");
        assert!(mistakes[0].contains("unknown slot at depth 1 `rums`"), "{mistakes:?}");
        assert!(mistakes[0].ends_with("did you mean `runs`?"), "{mistakes:?}");
    }

    #[test]
    fn errors_of_all_files_are_reported_together() {
        let files = [
            ("items/a.toml", "name = \"a\"\ndescription = 5\n"),
            ("mobs/b.toml", "name = \n"),
            ("notes/c.md", "not ours"),
            ("items/README.md", "not ours either"),
            ("items/more/a.toml", "name = \"a\"\ndescription = \"b\"\n"),
        ];
        let mistakes = Catalog::load(&files).expect_err("three mistakes");
        let places: Vec<_> = mistakes.iter().map(|m| (m.place.file.as_str(), m.place.line)).collect();
        assert_eq!(places, [("items/a.toml", 2), ("items/more/a.toml", 1), ("mobs/b.toml", 1)]);
    }
}
