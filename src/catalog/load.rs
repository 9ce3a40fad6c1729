//! Loading: every file by its folder, then what only the whole can show: names that refer to nothing, slots
//! without words, depths without a creature.

use super::Registries;
use super::figures::Figures;
use super::levels::Levels;
use super::pattern::Pattern;
use super::theme::{Band, BranchTimes, GrowSettings, Peril, PerilKind, Theme};
use super::{
    AffectPrototype, BUILTIN, Catalog, HelpIndex, LootTable, RuleSet, Training, area, furnishing, guards,
    guide, item, mob, rules, words,
};
use crate::base::Span;
use crate::data::{CatalogError, Place, Reader, SUFFIX, key_of};
use crate::puzzle;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// How far the last depth of a band may be below its first.
const BAND_MAX: u32 = 100;

pub(super) fn load(files: &[(&str, &str)], registries: &Registries) -> Result<Catalog, Vec<CatalogError>> {
    let mut mistakes = Vec::new();
    let mut catalog = Catalog::default();
    let (mut references, mut mobs, mut levels) = (Vec::new(), BTreeMap::new(), Levels::default());
    catalog.puzzles = puzzles(files, registries, &mut mistakes);
    let mut read = BTreeMap::new();
    for &(path, text) in files.iter().filter(|(path, _)| path.ends_with(SUFFIX)) {
        let Some((folder, _)) = path.split_once('/') else { continue };
        let mut file = File { path, text, mistakes: &mut mistakes };
        let name = match folder {
            "areas" => {
                area::read(path, text, file.mistakes).and_then(|area| file.keep(area, &mut catalog.areas))
            }
            "affects" => file.read(AffectPrototype::read, &mut catalog.affects),
            "loot" => file.read(LootTable::read, &mut catalog.loot),
            "training" => file.read(Training::read, &mut catalog.training),
            "items" => file.read(item::read, &mut catalog.items),
            "mobs" => file.read(mob::read, &mut mobs),
            "levels" => levels.read((path, text), &registries.parts, file.mistakes),
            "themes" => {
                file.read(|table| theme(table, &catalog.puzzles, &mut references), &mut catalog.themes)
            }
            _ => None,
        };
        if let Some(other) = name.and_then(|name| read.insert((folder, name), path)) {
            let place = Place::start(path);
            let wrong = format!("{other} defines the same key");
            mistakes.push(CatalogError::new(&place, wrong, "a file name of its own"));
        }
    }
    catalog.mobs = mob::complete(mobs, &mut mistakes);
    for (place, what, key) in references {
        let (what, valid): (_, Vec<&str>) = match what {
            Reference::Mob => ("mob", catalog.mobs.keys().map(String::as_str).collect()),
            Reference::Item => ("item", catalog.items.keys().map(String::as_str).collect()),
            Reference::Affect => ("affect", catalog.affects.keys().map(String::as_str).collect()),
            Reference::Loot => ("loot table", catalog.loot.keys().map(String::as_str).collect()),
        };
        if !valid.contains(&key.as_str()) {
            mistakes.push(CatalogError::unknown_name(&place, what, &key, valid));
        }
    }
    let numbers = files.iter().chain(BUILTIN).find(|(path, _)| *path == rules::FILE);
    if let Some(numbers) = numbers.and_then(|(_, text)| rules::read(text, &mut mistakes)) {
        catalog.rules = numbers;
    }
    catalog.levels = levels.complete(&catalog, &registries.parts, &mut mistakes);
    catalog.layouts = registries.parts.default_layouts();
    check_items(&catalog, &mut mistakes);
    let figures = Figures::of(files.iter().chain(BUILTIN).copied());
    let text = |name: &str| files.iter().find(|(path, _)| *path == name).map(|(_, text)| *text);
    catalog.guide = guide::read(text(guide::FILE), text(guide::TIPS_FILE), &figures, &mut mistakes);
    check_scripts(&catalog, &mut mistakes);
    let help = files.iter().copied().filter(|(path, _)| path.starts_with("help/"));
    match HelpIndex::parse_with(help, &figures) {
        Ok(help) => catalog.help = help,
        Err(wrong) => mistakes.extend(wrong),
    }
    for theme in catalog.themes.values() {
        check_theme(theme, &catalog, &mut mistakes);
    }
    mistakes.sort();
    if mistakes.is_empty() { Ok(catalog) } else { Err(mistakes) }
}

/// A file of definitions.
struct File<'f> {
    path: &'f str,
    text: &'f str,
    mistakes: &'f mut Vec<CatalogError>,
}

impl File<'_> {
    /// Reads it, and keeps what it defines under its key, which is returned; none if it is not TOML.
    fn read<T>(
        &mut self,
        read: impl FnOnce(&mut Reader<'_>) -> T,
        all: &mut BTreeMap<String, T>,
    ) -> Option<String> {
        let defined = Reader::whole(self.path, self.text, self.mistakes, read)?;
        self.keep(defined, all)
    }

    fn keep<T>(&self, defined: T, all: &mut BTreeMap<String, T>) -> Option<String> {
        let key = key_of(self.path);
        all.insert(key.to_owned(), defined);
        Some(key.to_owned())
    }
}

/// The puzzles there are, with what files say of them.
fn puzzles(files: &[(&str, &str)], known: &Registries, mistakes: &mut Vec<CatalogError>) -> puzzle::Registry {
    let mut puzzles = known.puzzles.clone();
    for (path, text) in files {
        puzzles.read_file(path, text, mistakes);
    }
    puzzles
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reference {
    Mob,
    Item,
    Affect,
    Loot,
}

fn theme(
    reader: &mut Reader<'_>,
    puzzles: &puzzle::Registry,
    references: &mut Vec<(Place, Reference, String)>,
) -> Theme {
    let place = reader.place();
    let creatures = reader.placed_texts("creatures", 1);
    let treasure = reader.placed_texts("treasure", 1);
    let keys = |list: &[(Place, String)]| list.iter().map(|(_, key)| key.clone()).collect();
    let (settings, times) = settings(reader);
    let shared = reader.lists("words");
    let mut theme = Theme {
        key: reader.key(),
        name: reader.text("name"),
        rules: reader.choice_or("rules", RuleSet::NAMES, RuleSet::default()),
        settings,
        times,
        difficulty_per_floor: reader.number_or("difficulty_per_floor", 0..=1_000, 5),
        perils: reader.tables("perils", Peril::read),
        perils_grow_until: reader.number_or("perils_grow_until", 0..=1_000, 10),
        puzzles: reader
            .tables_if_any("puzzles", |table| puzzle::Entry::read(table, puzzles))
            .into_iter()
            .flatten()
            .collect(),
        creatures: keys(&creatures),
        roamer_percent: reader.number_or("roamer_percent", 0..=100, 0),
        threat: reader.table_of("threat", furnishing::Threat::read).unwrap_or_default(),
        out_of_depth: out_of_depth(reader),
        inhabitants: reader.table_of("inhabitants", furnishing::Inhabitants::read),
        hoards: reader.tables_if_any("hoards", furnishing::Hoard::read),
        treasure: keys(&treasure),
        lever_weight: reader.number_or("lever_weight", 0..=1_000, 1),
        lever_pulls: (
            reader.number_or("lever_pulls_least", 1..=100, 2),
            reader.number_or("lever_pulls_most", 1..=100, 4),
        ),
        far_lever_percent: reader.number_or("far_lever_percent", 0..=100, 0),
        hints: patterns(reader, "hints", 1),
        landmark_every: reader.number_or("landmark_every", 1..=10_000, 12),
        landmarks: reader.tables_if_any("landmarks", furnishing::Landmark::read),
        faces: patterns(reader, "faces", 0),
        riddles: reader.tables_if_any("riddles", furnishing::Riddle::read),
        shrines: reader.tables_if_any("shrines", furnishing::Shrine::read),
        captives: reader.tables_if_any("captives", furnishing::Captive::read),
        camps: patterns(reader, "camps", 0),
        peddlers: patterns(reader, "peddlers", 0),
        scenery: words::scenery(reader, &shared),
        nouns: words::nouns(reader, &shared),
        words: shared,
        bands: BTreeMap::new(),
        other: Band::default(),
        place,
    };
    for (depths, band) in reader.tables("bands", |table| (depths(table), band(table))) {
        for depth in depths {
            if theme.bands.insert(depth, band.clone()).is_some() {
                reader.wrong("bands", format!("names depth {depth} twice"), "one band for each depth");
            }
        }
    }
    if let Some(mut table) = reader.table("other") {
        theme.other = band(&mut table);
        table.finish();
    }
    let mobs = creatures.into_iter().map(|(place, key)| (place, Reference::Mob, key));
    let items = treasure.into_iter().map(|(place, key)| (place, Reference::Item, key));
    references.extend(mobs.chain(items));
    references.extend(furnishings(&theme));
    theme
}

fn settings(reader: &mut Reader<'_>) -> (GrowSettings, BranchTimes) {
    let default = GrowSettings::default();
    let read = |table: &mut Reader<'_>| {
        let (exits, forks) = (default.max_unexplored_exits, default.max_new_exits_per_room);
        let settings = GrowSettings {
            max_unexplored_exits: table.number_or("max_unexplored_exits", 1..=10_000, exits),
            max_new_exits_per_room: table.number_or("max_new_exits_per_room", 1..=3, forks),
            finishable: table.truth_or("finishable", default.finishable),
        };
        let secs = 1..=BranchTimes::SECS_MAX;
        let span = |secs: u32| Span::secs(secs.into());
        let times = BranchTimes {
            window: table.number_if_any("window_secs", &secs).map(span),
            reset_chance_permille: table.number_if_any("reset_chance_permille", &(0..=1_000)),
            max_life: table.number_if_any("max_life_secs", &secs).map(span),
        };
        (settings, times)
    };
    reader.table_of("settings", read).unwrap_or((default, BranchTimes::default()))
}

/// What the furnishing of rooms refers to.
fn furnishings(theme: &Theme) -> Vec<(Place, Reference, String)> {
    let shrines = theme.shrines.iter().map(|s| (s.place.clone(), Reference::Affect, s.affect.clone()));
    let captives = theme.captives.iter().map(|c| (c.place.clone(), Reference::Mob, c.mob.clone()));
    let hoards = theme.hoards.iter().map(|h| (h.place.clone(), Reference::Loot, h.table.clone()));
    let halls = theme.inhabitants.iter();
    let loot = halls.clone().filter_map(|h| Some((h.place.clone(), Reference::Loot, h.loot.clone()?)));
    let living = halls.flat_map(|h| &h.creatures).map(|i| (i.place.clone(), Reference::Mob, i.mob.clone()));
    shrines.chain(captives).chain(hoards).chain(loot).chain(living).collect()
}

fn out_of_depth(reader: &mut Reader<'_>) -> furnishing::OutOfDepth {
    let omens = patterns(reader, "omens", 0);
    let numbers =
        |table: &mut Reader<'_>| (table.number("permille", 0..=1_000), table.number("difficulty", 0..=1_000));
    let (permille, difficulty) = reader.table_of("out_of_depth", numbers).unwrap_or_default();
    furnishing::OutOfDepth { permille, difficulty, omens }
}

/// The depths of a band: one, or as far as `last_depth`.
fn depths(table: &mut Reader<'_>) -> RangeInclusive<u32> {
    let first = table.number("depth", 0..=100_000);
    first..=table.number_or("last_depth", first..=first.saturating_add(BAND_MAX), first)
}

fn band(table: &mut Reader<'_>) -> Band {
    let family = table.text("family");
    let names = table.placed_texts("names", 1);
    for (place, name) in &names {
        if !name.to_lowercase().contains(&family.to_lowercase()) {
            let wrong = format!("name `{name}` is not of its family");
            table.note(CatalogError::new(place, wrong, format!("a name with `{family}` in it")));
        }
    }
    Band {
        family,
        names: names.into_iter().map(|(_, name)| name).collect(),
        environment: table.text("environment"),
        openings: patterns(table, "openings", 1),
        details: patterns(table, "details", 2),
        ways_on: patterns(table, "ways_on", 1),
        dead_ends: patterns(table, "dead_ends", 1),
        words: table.lists("words"),
    }
}

fn patterns(reader: &mut Reader<'_>, name: &str, least: usize) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for (place, text) in reader.placed_texts(name, least) {
        if let Some(pattern) = Pattern::parse(&text) {
            patterns.push(pattern);
        } else {
            let wrong = format!("a brace is not paired in `{text}`");
            reader.note(CatalogError::new(&place, wrong, "slots like `{wall}`"));
        }
    }
    patterns
}

/// Names in items, creatures and loot tables that refer to nothing.
fn check_items(catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
    let mut known = |place: &Place, what: &str, key: &str, valid: &mut dyn Iterator<Item = &String>| {
        let valid: Vec<&str> = valid.map(String::as_str).collect();
        if !valid.contains(&key) {
            mistakes.push(CatalogError::unknown_name(place, what, key, valid));
        }
    };
    for item in catalog.items.values() {
        for key in item.affect.iter().chain(&item.cures) {
            known(&item.place, "affect", key, &mut catalog.affects.keys());
        }
    }
    for mob in catalog.mobs.values() {
        if let Some(key) = &mob.loot {
            known(&mob.place, "loot table", key, &mut catalog.loot.keys());
        }
    }
    for area in catalog.areas.values() {
        for key in area.rooms.iter().flat_map(|room| room.stock.iter().chain(&room.supplies)) {
            known(&area.place, "item", key, &mut catalog.items.keys());
        }
    }
    for area in catalog.areas.values() {
        for exit in area.rooms.iter().flat_map(|room| &room.exits) {
            if let Some(level) = &exit.theme {
                known(&area.place, "level type", level, &mut catalog.levels.keys());
            }
            if let Some(layout) = &exit.generator {
                known(&area.place, "layout", layout, &mut catalog.layouts.keys());
            }
        }
    }
    for found in catalog.loot.values().flat_map(|table| &table.items) {
        known(&found.place, "item", &found.item, &mut catalog.items.keys());
    }
}

/// Names in scripts that refer to nothing.
fn check_scripts(catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
    let creatures = catalog.mobs.values().map(|mob| (&mob.place, &mob.on_tick));
    let rooms =
        catalog.areas.values().flat_map(|area| area.rooms.iter().map(|room| (&area.place, &room.on_enter)));
    for (place, script) in creatures.chain(rooms) {
        mistakes.extend(
            script
                .unknown_names(catalog)
                .into_iter()
                .map(|(what, key, valid)| CatalogError::unknown_name(place, what, key, valid)),
        );
    }
}

/// What no single key shows: the three kinds of peril, words for every slot, a guard at every difficulty.
fn check_theme(theme: &Theme, catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
    for kind in PerilKind::REQUIRED {
        if !theme.perils.iter().any(|peril| peril.kind == kind && peril.weight > 0) {
            let name = kind.name();
            let wrong = format!("theme `{}` has no peril of the kind `{name}`", theme.key);
            mistakes.push(CatalogError::new(&theme.place, wrong, "monsters, puzzle and treasure"));
        }
    }
    if theme.lever_pulls.0 > theme.lever_pulls.1 {
        let wrong = "`lever_pulls_least` is above `lever_pulls_most`";
        mistakes.push(CatalogError::new(&theme.place, wrong, ""));
    }
    let deepest = theme.bands.keys().next_back().copied().unwrap_or(0) + 1;
    for depth in 1..=deepest {
        check_words(theme, depth, mistakes);
    }
    guards::check(theme, catalog, deepest, mistakes);
}

fn check_words(theme: &Theme, depth: u32, mistakes: &mut Vec<CatalogError>) {
    let band = theme.band(depth);
    let always = band.openings.iter().chain(&band.details).chain(&band.dead_ends).chain(&theme.hints);
    let slots = always.chain(theme.fixture_patterns()).flat_map(Pattern::slots);
    // Only sentences about ways on may name one.
    let on = band.ways_on.iter().chain(&theme.out_of_depth.omens);
    let on = on.flat_map(Pattern::slots).filter(|slot| *slot != Pattern::EXIT);
    for slot in slots.chain(on) {
        if theme.words_for(depth, slot).is_empty() {
            let valid: Vec<&str> = band.words.keys().chain(theme.words.keys()).map(String::as_str).collect();
            let what = format!("slot at depth {depth}");
            mistakes.push(CatalogError::unknown_name(&theme.place, &what, slot, valid));
        }
    }
}
