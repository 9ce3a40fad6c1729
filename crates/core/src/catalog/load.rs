//! Loading of content: reads each file by its folder, then runs the checks that need all files, such as unknown names,
//! slots without words, and depths without a creature.

use super::content_file::ContentFile;
use super::figures::TextFigures;
use super::pattern::Pattern;
use super::{
    AffectPrototype, BUILTIN, Catalog, Dialogue, HelpIndex, LootTable, Manoeuvre, Prop, Quest, Registries,
    Training, Vault, prop, ranks, rules,
};
use crate::base::Keyed;
use crate::catalog::character::{ability, social};
use crate::catalog::creature::prototype::{CreatureFile, CreatureFiles};
use crate::catalog::creature::{dialogue, folk, prototype};
use crate::catalog::help::{guide, hint};
use crate::catalog::quest::achievement;
use crate::catalog::references::Referent;
use crate::catalog::script::ScriptDeed;
use crate::catalog::script::condition::Condition;
use crate::catalog::theme::inheritance::{self, ThemeText};
use crate::catalog::theme::level_types::LevelTypes;
use crate::catalog::theme::peril::PerilKind;
use crate::catalog::theme::{Theme, chalk, clues, guards, scripted_room, trap};
use crate::catalog::{area, item, vault};
use crate::data::{CatalogError, Position, SUFFIX, SourceFile, key_of};
use crate::puzzle;
use crate::script::{self, Program};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn load(files: &[(&str, &str)], registries: &Registries) -> Result<Catalog, Vec<CatalogError>> {
    let mut mistakes = Vec::new();
    let mut catalog = Catalog::default();
    let mut parts = CatalogParts::default();
    catalog.puzzles = puzzles(files, registries, &mut mistakes);
    catalog.scripts = scripts(files, &mut mistakes).into();
    catalog.drawn_rooms = scripted_room::read(files, &mut mistakes).into();
    let every_file_is_toml = read_definitions(files, registries, &mut catalog, &mut parts, &mut mistakes);
    read_single_files(files, &mut catalog, &mut mistakes);
    // Definitions in a file that cannot be parsed would be reported as unknown everywhere; report only the syntax
    // errors.
    if every_file_is_toml {
        complete(files, &mut catalog, parts, registries, &mut mistakes);
    }
    mistakes.sort();
    if mistakes.is_empty() { Ok(catalog) } else { Err(mistakes) }
}

/// Definitions that are completed once all files are read.
#[derive(Default)]
struct CatalogParts {
    references: Vec<(Position, Referent, String)>,
    creatures: BTreeMap<String, CreatureFile>,
    level_types: LevelTypes,
}

/// Reads the files with one definition each. Returns `true` if all have valid syntax.
fn read_definitions(
    files: &[(&str, &str)],
    registries: &Registries,
    catalog: &mut Catalog,
    parts: &mut CatalogParts,
    mistakes: &mut Vec<CatalogError>,
) -> bool {
    let mut all_are_toml = true;
    let mut read = BTreeMap::new();
    let themes = files.iter().filter(|(path, _)| path.starts_with("themes/") && path.ends_with(SUFFIX));
    let texts = themes.map(|(path, text)| (key_of(path).to_owned(), ThemeText::of(path, text)));
    catalog.sources.themes.extend(texts);
    catalog.sources.parts = Some(Arc::new(registries.parts.clone()));
    for &(path, text) in files.iter().filter(|(path, _)| path.ends_with(SUFFIX)) {
        let Some((folder, _)) = path.split_once('/') else { continue };
        let mut file = ContentFile { path, text, mistakes };
        let name = match folder {
            "areas" => area::read(path, text, file.mistakes).map(|area| file.store(area, &mut catalog.areas)),
            "affects" => file.read_into(&mut catalog.affects, AffectPrototype::read),
            "loot" => file.read_into(&mut catalog.loot, LootTable::read),
            "abilities" => file.read_into(&mut catalog.abilities, ability::read),
            "manoeuvres" => file.read_into(&mut catalog.manoeuvres, Manoeuvre::read),
            "props" => file.read_into(&mut catalog.props, Prop::read),
            "training" => file.read_into(&mut catalog.training, Training::read),
            "items" => file.read_into(&mut catalog.items, item::read),
            "mobs" => file.read_into(&mut parts.creatures, CreatureFile::read),
            "dialogues" => file.read_into(&mut catalog.dialogues, Dialogue::read),
            "quests" => file.read_into(&mut catalog.quests, Quest::read),
            "levels" => parts.level_types.read(&mut file, &registries.parts),
            "vaults" => file.read_into(&mut catalog.vaults, |table| {
                Arc::new(Vault::read_file(table, &mut parts.references))
            }),
            "themes" => {
                let (key, references) = (key_of(path), &mut parts.references);
                inheritance::read(key, &catalog.sources.themes, &catalog.puzzles, references, file.mistakes)
                    .map(|theme| file.store(theme, &mut catalog.themes))
            }
            _ => continue,
        };
        let Some(name) = name else {
            all_are_toml = false;
            continue;
        };
        if let Some(other) = read.insert((folder, name), path) {
            let place = Position::start(path);
            let mistake = format!("{other} defines the same key");
            mistakes.push(CatalogError::new(&place, mistake, "a file name of its own"));
        }
    }
    all_are_toml
}

/// Reads the files outside of folders, and the help topics.
fn read_single_files(files: &[(&str, &str)], catalog: &mut Catalog, mistakes: &mut Vec<CatalogError>) {
    let is_rules = |(path, _): &&(&str, &str)| *path == rules::FILE;
    let shipped = BUILTIN.iter().find(is_rules).and_then(|(_, text)| rules::read(text, None, mistakes));
    let own = files.iter().find(is_rules);
    let own = own.and_then(|(_, text)| rules::read(text, shipped.as_ref(), mistakes));
    catalog.rules = own.or(shipped).unwrap_or_default();
    let ranks = files.iter().chain(BUILTIN).find(|(path, _)| *path == ranks::FILE);
    catalog.ranks = ranks.map(|(_, text)| ranks::read(text, mistakes)).unwrap_or_default();
    read_lists(files, catalog, mistakes);
    let figures = TextFigures::of(files.iter().chain(BUILTIN).copied());
    let text = |name: &str| files.iter().find(|(path, _)| *path == name).map(|(_, text)| *text);
    catalog.guide = guide::read(text(guide::FILE), text(guide::TIPS_FILE), &figures, mistakes).into();
    let (folk, rumours) = folk::read(text(folk::FILE), mistakes);
    (catalog.folk, catalog.rumours) = (folk.into(), rumours.into());
    catalog.hints = hint::read(text(hint::FILE), &figures, mistakes).into();
    catalog.socials = social::read(text(social::FILE), mistakes).into();
    let help = files.iter().copied().filter(|(path, _)| path.starts_with("help/"));
    match HelpIndex::parse_with(help, &figures) {
        Ok(help) => catalog.help = help.into(),
        Err(errors) => mistakes.extend(errors),
    }
    catalog.sources.figures = figures.into();
}

/// Completes the catalog and runs the checks that need all files.
fn complete(
    files: &[(&str, &str)],
    catalog: &mut Catalog,
    parts: CatalogParts,
    registries: &Registries,
    mistakes: &mut Vec<CatalogError>,
) {
    list_puzzles(catalog, mistakes);
    catalog.sources.keep_texts(files);
    let creatures: CreatureFiles =
        parts.creatures.into_iter().map(|(key, file)| (key, file.into())).collect();
    let complete = prototype::complete(&creatures, creatures.keys(), mistakes).into_iter();
    catalog.creatures =
        complete.map(|creature| (creature.key.clone(), creature)).collect::<Keyed<_>>().into();
    catalog.sources.creatures = creatures.into();
    for (place, what, key) in parts.references {
        let valid = catalog.keys(what);
        if !valid.contains(&key.as_str()) {
            mistakes.push(CatalogError::unknown_name(&place, what.name(), &key, valid));
        }
    }
    catalog.level_types = parts.level_types.complete(catalog, &registries.parts, mistakes).into();
    vault::list(catalog, mistakes);
    scripted_room::check(catalog, mistakes);
    catalog.layouts = registries.parts.default_layouts().into();
    check_items(files, catalog, mistakes);
    prop::check(catalog, |table, name| place_of_name(files, table, name), mistakes);
    folk::check(&catalog.folk, &catalog.areas, mistakes);
    check_dialogues_and_quests(catalog, mistakes);
    check_scripts(files, catalog, mistakes);
    check_affects_of_rooms(catalog, mistakes);
    for theme in catalog.themes.values() {
        check_theme(files, theme, catalog, mistakes);
    }
}

/// Reads lists that belong to no theme: chains of clues, phrases for walls, traps and achievements.
fn read_lists(files: &[(&str, &str)], catalog: &mut Catalog, mistakes: &mut Vec<CatalogError>) {
    let text = |name: &str| files.iter().find(|(path, _)| *path == name).map(|(_, text)| *text);
    if let Some(traps) = text(trap::FILE).and_then(|text| trap::read(text, mistakes)) {
        catalog.traps = traps.into();
    }
    if let Some(list) = text(achievement::FILE).and_then(|text| achievement::read(text, mistakes)) {
        catalog.achievements = list.into();
    }
    if let Some(clues) = text(clues::FILE).and_then(|text| clues::read(text, mistakes)) {
        catalog.clues = clues.into();
    }
    if let Some(chalk) = text(chalk::FILE).and_then(|text| chalk::read(text, mistakes)) {
        catalog.chalk = chalk.into();
    }
}

/// Returns the known puzzles, configured by their files.
fn puzzles(files: &[(&str, &str)], known: &Registries, mistakes: &mut Vec<CatalogError>) -> puzzle::Registry {
    let mut puzzles = known.puzzles.clone();
    for (path, text) in files {
        puzzles.read_file(path, text, mistakes);
    }
    puzzles
}

/// Compiles the scripts of the folder `scripts`, by file name.
fn scripts(files: &[(&str, &str)], mistakes: &mut Vec<CatalogError>) -> BTreeMap<String, Program> {
    let mut found = BTreeMap::new();
    for (path, text) in files {
        let name = path.strip_prefix("scripts/").and_then(|name| name.strip_suffix(script::SUFFIX));
        let Some(name) = name else { continue };
        if !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
            let message = format!("`{name}` is no name of a script");
            let expected = "small letters, digits and `_`";
            mistakes.push(CatalogError::new(&Position::start(path), message, expected));
            continue;
        }
        match Program::compile(path, text) {
            Ok(program) => _ = found.insert(name.to_owned(), program),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    found
}

/// Adds puzzles that name their themes themselves to those themes.
fn list_puzzles(catalog: &mut Catalog, mistakes: &mut Vec<CatalogError>) {
    for puzzle in catalog.puzzles.all() {
        for listing in puzzle.description().listings {
            if !catalog.themes.contains_key(&listing.theme) {
                let valid = catalog.themes.keys().map(String::as_str);
                mistakes.push(CatalogError::unknown_name(&listing.place, "theme", &listing.theme, valid));
            }
        }
    }
    let puzzles = catalog.puzzles.clone();
    catalog.themes.values_mut().for_each(|theme| theme.list_puzzles(&puzzles));
}

/// Returns the place of a name that was read without one: its first occurrence as a word from the table on, or the
/// table's place if it does not occur.
fn place_of_name(files: &[(&str, &str)], table: &Position, name: &str) -> Position {
    let Some((path, text)) = files.iter().find(|(path, _)| *path == table.file) else { return table.clone() };
    let before = text.split_inclusive('\n').take(table.line.saturating_sub(1) as usize);
    let begin: usize = before.map(str::len).sum();
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let stands_alone = |at: &usize| {
        let (front, rest) = text.split_at(*at);
        !front.ends_with(is_letter)
            && !rest.strip_prefix(name).is_some_and(|rest| rest.starts_with(is_letter))
    };
    let mut found = text.match_indices(name).map(|(at, _)| at).filter(|at| *at >= begin);
    let at = if name.is_empty() { None } else { found.find(stands_alone) };
    // Include the opening quote.
    let begins = at.map(|at| at - usize::from(text.as_bytes()[..at].ends_with(b"\"")));
    begins.map_or_else(|| table.clone(), |at| SourceFile::new(path, text).place_of(at))
}

/// Records unknown names in items, abilities, creatures, loot tables and areas.
pub(super) fn check_items(files: &[(&str, &str)], catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
    let mut note = |place: &Position, of: Referent, key: &str| {
        if !catalog.has(of, key) {
            let place = place_of_name(files, place, key);
            mistakes.push(CatalogError::unknown_name(&place, of.name(), key, catalog.keys(of)));
        }
    };
    for item in catalog.items.values() {
        item.affect.iter().chain(&item.cures).for_each(|key| note(&item.place, Referent::Affect, key));
        item.items().for_each(|key| note(&item.place, Referent::Item, key));
    }
    for (file, key) in [(clues::FILE, &catalog.clues.key), (chalk::FILE, &catalog.chalk.item)] {
        if !key.is_empty() {
            note(&Position::start(file), Referent::Item, key);
        }
    }
    for ability in catalog.abilities.values() {
        for key in ability.affect.iter().chain(&ability.own_affect).chain(&ability.cures) {
            note(&ability.place, Referent::Affect, key);
        }
    }
    for creature in catalog.creatures.values() {
        creature.loot.iter().for_each(|key| note(&creature.place, Referent::Loot, key));
        creature.manoeuvres.iter().for_each(|key| note(&creature.place, Referent::Manoeuvre, key));
    }
    for manoeuvre in catalog.manoeuvres.values() {
        manoeuvre.affects().for_each(|key| note(&manoeuvre.place, Referent::Affect, key));
    }
    for prop in catalog.props.values() {
        prop.affects().for_each(|key| note(&prop.place, Referent::Affect, key));
    }
    for found in catalog.loot.values().flat_map(|table| &table.items) {
        note(&found.place, Referent::Item, &found.item);
    }
    for area in catalog.areas.values() {
        area.check(catalog, mistakes);
    }
}

/// Records unknown names in dialogues, of dialogues, and in the goals and rewards of quests.
pub(super) fn check_dialogues_and_quests(catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
    for dialogue in catalog.dialogues.values() {
        dialogue.check(mistakes);
        let named = dialogue.conditions().flat_map(Condition::names);
        for (of, key) in named.filter(|(of, key)| !catalog.has(*of, key)) {
            mistakes.push(CatalogError::unknown_name(&dialogue.place, of.name(), key, catalog.keys(of)));
        }
    }
    catalog.quests.values().for_each(|quest| quest.check(catalog, mistakes));
    achievement::check(catalog, mistakes);
    dialogue::check_speakers(catalog, mistakes);
    for creature in catalog.creatures.values() {
        creature.route.check(&creature.place, catalog, mistakes);
    }
}

/// Records unknown names in scripts.
pub(super) fn check_scripts(files: &[(&str, &str)], catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
    for (_, of_place, of) in catalog.variable_uses().filter(|(.., of)| !of.name().contains('/')) {
        let place = place_of_name(files, of_place, of.name());
        let mistake = format!("the variable `{}` is of no zone", of.name());
        mistakes.push(CatalogError::new(&place, mistake, format!("`ZONE/{}`", of.name())));
    }
    for (_, place, script) in catalog.all_scripts() {
        mistakes.extend(
            script
                .unknown_names(catalog)
                .into_iter()
                .map(|name| (place_of_name(files, place, name.key), name))
                .map(|(place, name)| CatalogError::unknown_name(&place, name.what, name.key, name.valid)),
        );
    }
}

/// Records traps and landmarks whose affects could kill.
pub(super) fn check_affects_of_rooms(catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
    let traps = catalog.traps.iter().map(|trap| ("trap", &trap.key, &trap.place, &trap.script));
    let landmarks = catalog.themes.values().flat_map(|theme| &theme.landmarks);
    let landmarks = landmarks.map(|mark| ("landmark", &mark.name, &mark.place, &mark.on_enter));
    for (what, name, place, script) in traps.chain(landmarks) {
        for line in script.lines() {
            if let ScriptDeed::Affect(key) = &line.deed
                && catalog.affects.get(key).is_some_and(|affect| affect.hp_per_round < 0)
            {
                let mistake = format!("{what} `{name}` hangs `{key}` on somebody, which can kill");
                mistakes.push(CatalogError::new(place, mistake, "an affect that takes no hit points"));
            }
        }
    }
}

/// Records errors of a theme as a whole: missing kinds of peril, slots without words, difficulties without a guard.
pub(super) fn check_theme(
    files: &[(&str, &str)],
    theme: &Theme,
    catalog: &Catalog,
    mistakes: &mut Vec<CatalogError>,
) {
    for &kind in PerilKind::REQUIRED {
        if !theme.perils.iter().any(|peril| peril.kind == kind && peril.weight > 0) {
            let name = kind.name();
            let mistake = format!("theme `{}` has no peril of the kind `{name}`", theme.key);
            mistakes.push(CatalogError::new(&theme.place, mistake, "monsters, puzzle and treasure"));
        }
    }
    if theme.lever_pulls.0 > theme.lever_pulls.1 {
        let mistake = "`lever_pulls_least` is above `lever_pulls_most`";
        mistakes.push(CatalogError::new(&theme.place, mistake, ""));
    }
    let deepest = theme.bands.keys().next_back().copied().unwrap_or(0) + 1;
    for depth in 1..=deepest {
        check_words(files, theme, depth, mistakes);
    }
    guards::check(theme, catalog, deepest, mistakes);
}

fn check_words(files: &[(&str, &str)], theme: &Theme, depth: u32, mistakes: &mut Vec<CatalogError>) {
    let band = theme.band(depth);
    let always = band.openings.iter().chain(&band.details).chain(&band.dead_ends).chain(&theme.hints);
    let slots = always.chain(theme.sentences.values().flatten()).flat_map(Pattern::slots);
    // Only sentences about exits may contain the slot of the exit.
    let on = band.ways_on.iter().chain(&theme.out_of_depth.omens);
    let on = on.flat_map(Pattern::slots).filter(|slot| *slot != Pattern::EXIT);
    for slot in slots.chain(on) {
        if theme.words_for(depth, slot).is_empty() {
            let valid: Vec<&str> = band.words.keys().chain(theme.words.keys()).map(String::as_str).collect();
            let what = format!("slot at depth {depth}");
            let place = place_of_name(files, &theme.place, slot);
            mistakes.push(CatalogError::unknown_name(&place, &what, slot, valid));
        }
    }
}
