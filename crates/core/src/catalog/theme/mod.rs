//! Themes: settings, perils and texts of branches.

mod branch_settings;
pub mod chalk;
pub mod clues;
pub mod furnishing;
pub mod guards;
pub(super) mod inheritance;
pub(super) mod level_types;
pub mod loot;
pub mod peril;
pub mod room_content;
pub(super) mod room_name;
pub mod scripted_room;
pub mod trap;
pub mod words;

use crate::base::Keyed;
use crate::catalog::pattern::{Pattern, PatternPiece};
use crate::catalog::references::Referent;
use crate::catalog::room_kind::RoomKind;
use crate::catalog::rules::RuleSet;
use crate::catalog::theme::branch_settings::read_branch_settings;
pub use crate::catalog::theme::branch_settings::{BranchSettings, BranchTimes};
use crate::catalog::theme::furnishing::{
    Captive, Hoard, Inhabitants, Landmark, OutOfDepth, Shrine, ThemeRiddle, Threat, read_landmark,
};
use crate::catalog::theme::peril::{Peril, PerilKind};
use crate::catalog::theme::room_name::ThemeRoomName;
use crate::catalog::theme::words::{Noun, Scenery, nouns, scenery};
use crate::data::{CatalogError, Position, Reader, definition};
pub use crate::level::GrowSettings;
use crate::level::RoomKindLimit;
use crate::puzzle;
use crate::text::grammar;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Maximum number of further depths that a band may cover.
const BAND_MAX: u32 = 100;

/// A reference of a theme to other content: its place, kind and key.
pub(crate) type ThemeReference = (Position, Referent, String);

definition! {
    /// A kind of branch.
    #[derive(Clone, Debug)]
    pub struct Theme with (puzzles: &puzzle::Registry, references: &mut Vec<ThemeReference>) {
        /// Place of the definition.
        pub place: Position => |file| file.place(),
        /// Parent theme, from which absent keys are inherited.
        pub inherits: Option<String> = filled_text(),
        /// Keys of its creatures.
        pub creatures: Vec<String> => |file| keys(file, "creatures", Referent::Creature, references),
        /// Keys of the items in treasure rooms.
        pub treasure: Vec<String> => |file| keys(file, "treasure", Referent::Item, references),
        /// Growth and lifetime of its branches, unless a start exit overrides them.
        pub settings: BranchSettings => |file| file.table_of("settings", read_branch_settings).unwrap_or_default(),
        /// Word lists shared by all bands.
        pub words: Keyed<Vec<String>> = lists(),
        /// Stable key in content and storage.
        pub key: String => |file| file.key(),
        /// Name for players.
        pub name: String = text(),
        /// Combat rules.
        pub rules: RuleSet = choice_or(&RuleSet::NAMES, RuleSet::default()),
        /// Increase of the difficulty per floor below the first.
        pub difficulty_per_floor: u32 = number_or(0..=1_000, 5),
        /// Possible contents of rooms by weight. Monsters, puzzles and treasure must be included.
        pub perils: Vec<Peril> = tables(Peril::read),
        /// Difficulty beyond which the weights of perils no longer grow.
        pub perils_grow_until: u32 = number_or(0..=1_000, 10),
        /// Puzzles by weight.
        pub puzzles: Vec<puzzle::PuzzleEntry> => |file| {
            let entries = file.tables_if_any("puzzles", |table| puzzle::PuzzleEntry::read(table, puzzles));
            entries.into_iter().flatten().collect()
        },
        /// Chance of an additional roaming creature per room, in percent.
        pub roamer_percent: u32 = number_or(0..=100, 0),
        /// Budget for the guards of a room.
        pub threat: Threat => |file| file.table_of("threat", Threat::read).unwrap_or_default(),
        /// Encounters too strong for their depth, and their signs.
        pub out_of_depth: OutOfDepth => |file| out_of_depth(file),
        /// Creatures in rooms without other contents; guards if absent.
        pub inhabitants: Option<Inhabitants> = table_of(Inhabitants::read),
        /// Loot tables of hoards by difficulty. Where none applies, any item may be found.
        pub hoards: Vec<Hoard> = tables_if_any(Hoard::read),
        /// Weight of a portcullis with a stuck lever, relative to the puzzles in the list.
        pub lever_weight: u32 = number_or(0..=1_000, 1),
        /// Minimum and maximum number of pulls for a stuck lever.
        pub lever_pulls: (u32, u32) => |file| {
            let least = file.number_or("lever_pulls_least", 1..=100, 2);
            (least, file.number_or("lever_pulls_most", 1..=100, 4))
        },
        /// Chance that the lever of a puzzle room is in another room, in percent.
        pub far_lever_percent: u32 = number_or(0..=100, 0),
        /// Chance of a trap per new exit, in 1,000.
        pub trap_permille: u32 = number_or(0..=1_000, 0),
        /// Texts in hint rooms.
        pub hints: Vec<Pattern> => |file| patterns(file, "hints", 1),
        /// Minimum distance between set pieces, such as landmarks, in rooms.
        pub landmark_every: u32 = number_or(1..=10_000, 12),
        /// Landmarks.
        pub landmarks: Vec<Landmark> = tables_if_any(read_landmark),
        /// Sentences for kinds of rooms: the stone faces of riddles, camps, merchants.
        pub sentences: BTreeMap<RoomKind, Vec<Pattern>> => |file| sentences(file),
        /// Riddles.
        pub riddles: Vec<ThemeRiddle> = tables_if_any(ThemeRiddle::read),
        /// Shrines.
        pub shrines: Vec<Shrine> = tables_if_any(Shrine::read),
        /// Captives.
        pub captives: Vec<Captive> = tables_if_any(Captive::read),
        /// Sentences that depend on a room's location.
        pub scenery: Scenery => |file| scenery(file, &words),
        /// Texts for a closer look at nouns in its sentences.
        pub nouns: Vec<Noun> => |file| nouns(file, &words),
        /// Names and word lists by depth.
        pub bands: BTreeMap<u32, Band> => |file| bands(file),
        /// Names and word lists for depths without a band.
        pub other: Band => |file| other_band(file),
    }
}

impl Theme {
    /// Reads a theme and collects its references.
    pub(super) fn read_file(
        file: &mut Reader<'_>,
        puzzles: &puzzle::Registry,
        references: &mut Vec<ThemeReference>,
    ) -> Self {
        let mut theme = Self::read(file, puzzles, references);
        theme.expand_all_names(file);
        references.extend(theme.references());
        theme
    }

    /// Returns the puzzles of the list that reject their settings, each with the reason. A plain room is made in place of
    /// such a puzzle.
    pub fn unfit_puzzles(&self) -> impl Iterator<Item = (&puzzle::PuzzleEntry, String)> {
        self.puzzles.iter().filter_map(|entry| {
            let reason = entry.puzzle.check_config(&entry.config).err()?;
            Some((entry, format!("the puzzle `{}` rejects its settings: {reason}", entry.puzzle.name())))
        })
    }

    /// Adds the puzzles that list this theme themselves.
    pub(super) fn list_puzzles(&mut self, puzzles: &puzzle::Registry) {
        for puzzle in puzzles.all() {
            for listing in puzzle.description().listings.iter().filter(|listing| listing.theme == self.key) {
                if !self.puzzles.iter().any(|entry| entry.puzzle.name() == puzzle.name()) {
                    self.puzzles.push(puzzle::PuzzleEntry::listed(puzzle, listing));
                }
            }
        }
    }

    /// Expands each name with slots into all combinations of their words.
    fn expand_all_names(&mut self, file: &mut Reader<'_>) {
        let shared = &self.words;
        for band in self.bands.values_mut().chain([&mut self.other]) {
            let list_of = |slot: &str| band.words.get(slot).or_else(|| shared.get(slot));
            band.names = expand_names(&band.names, list_of, file);
        }
        for names in self.scenery.passages.values_mut() {
            *names = expand_names(names, |slot| shared.get(slot), file);
        }
    }

    /// Returns the references of room contents.
    fn references(&self) -> impl Iterator<Item = ThemeReference> {
        let shrines = self.shrines.iter().map(|s| (s.place.clone(), Referent::Affect, s.affect.clone()));
        let captives =
            self.captives.iter().map(|c| (c.place.clone(), Referent::Creature, c.creature.clone()));
        let hoards = self.hoards.iter().map(|h| (h.place.clone(), Referent::Loot, h.table.clone()));
        let halls = self.inhabitants.iter();
        let loot = halls.clone().filter_map(|h| Some((h.place.clone(), Referent::Loot, h.loot.clone()?)));
        let living = halls.flat_map(|h| &h.creatures);
        let living = living.map(|i| (i.place.clone(), Referent::Creature, i.creature.clone()));
        shrines.chain(captives).chain(hoards).chain(loot).chain(living)
    }

    /// Word list of hiding places of treasure, as in "among the stones".
    pub const HIDING_PLACES: &str = "hiding_places";

    /// Returns the names and word lists of a depth.
    pub fn band(&self, depth: u32) -> &Band {
        self.bands.get(&depth).unwrap_or(&self.other)
    }

    /// Returns the words of a slot at a depth: the band's own, else the shared ones.
    pub fn words_for(&self, depth: u32, slot: &str) -> &[String] {
        let own = self.band(depth).words.get(slot);
        own.or_else(|| self.words.get(slot)).map_or(&[], Vec::as_slice)
    }

    /// Returns the loot table of hoards at a difficulty, by key.
    pub fn hoard_at(&self, difficulty: u32) -> Option<&str> {
        let fits = |hoard: &&Hoard| (hoard.difficulty.0..=hoard.difficulty.1).contains(&difficulty);
        self.hoards.iter().find(fits).map(|hoard| hoard.table.as_str())
    }

    /// Returns the sentences for a kind of room.
    pub fn sentences_about(&self, kind: RoomKind) -> &[Pattern] {
        self.sentences.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// Returns the maximum number of rooms of a kind.
    pub fn limit_of(&self, kind: RoomKind) -> RoomKindLimit {
        let peril = self.perils.iter().find(|peril| peril.kind == PerilKind::Room(kind));
        peril.map_or_else(RoomKindLimit::default, |peril| peril.limit)
    }

    /// Returns `true` if rooms of a kind can occur.
    pub fn offers(&self, kind: PerilKind) -> bool {
        let occurs = |peril: &Peril| peril.weight > 0 || peril.weight_per_difficulty > 0;
        self.perils.iter().any(|peril| peril.kind == kind && occurs(peril))
    }
}

definition! {
    /// Names and word lists of one depth or several.
    #[derive(Clone, Debug, PartialEq, Eq, Default)]
    pub struct Band {
        /// Text that each name of the band contains, ignoring case.
        pub family: String = text(),
        /// Room names, with slots expanded.
        pub names: Vec<ThemeRoomName> => |band| names(band, &family),
        /// Environment name for mappers (GMCP `environment`).
        pub environment: String = text(),
        /// First sentences.
        pub openings: Vec<Pattern> => |band| patterns(band, "openings", 1),
        /// Middle sentences, of which a room gets one or two.
        pub details: Vec<Pattern> => |band| patterns(band, "details", 2),
        /// Last sentences of rooms with unexplored exits; `{exit}` is one of these exits.
        pub ways_on: Vec<Pattern> => |band| patterns(band, "ways_on", 1),
        /// Last sentences of dead ends.
        pub dead_ends: Vec<Pattern> => |band| patterns(band, "dead_ends", 1),
        /// Word lists by slot.
        pub words: Keyed<Vec<String>> = lists(),
    }
}

/// Reads a list of at least one reference.
fn keys(
    file: &mut Reader<'_>,
    name: &str,
    what: Referent,
    references: &mut Vec<ThemeReference>,
) -> Vec<String> {
    let placed = file.placed_texts(name, 1);
    references.extend(placed.iter().map(|(place, key)| (place.clone(), what, key.clone())));
    placed.into_iter().map(|(_, key)| key).collect()
}

fn out_of_depth(file: &mut Reader<'_>) -> OutOfDepth {
    let omens = patterns(file.about("Signs; `{exit}` is replaced by the exit."), "omens", 0);
    file.about("Encounters too strong for their depth, and their frequency.");
    let numbers = |table: &mut Reader<'_>| {
        let permille = table.about("Chance per new exit.").number("permille", 0..=1_000);
        (permille, table.about("Increase of the difficulty.").number("difficulty", 0..=1_000))
    };
    let (permille, difficulty) = file.table_of("out_of_depth", numbers).unwrap_or_default();
    OutOfDepth { permille, difficulty, omens }
}

fn bands(file: &mut Reader<'_>) -> BTreeMap<u32, Band> {
    let mut bands = BTreeMap::new();
    for (depths, band) in file.tables("bands", |table| (depths(table), Band::read(table))) {
        for depth in depths {
            if bands.insert(depth, band.clone()).is_some() {
                file.record_mistake("bands", format!("names depth {depth} twice"), "one band for each depth");
            }
        }
    }
    bands
}

/// Reads the depths of a band: `depth`, up to `last_depth` if given.
fn depths(table: &mut Reader<'_>) -> RangeInclusive<u32> {
    let first = table.about("First depth of the band.").number("depth", 0..=100_000);
    table.about("Last depth of the band, at most 100 below the first; the first if absent.");
    let last = table.number_or("last_depth", first..=first.saturating_add(BAND_MAX), first);
    table.listed.record("last_depth", || "number".to_owned());
    table.listed.record_default("last_depth", String::new);
    first..=last
}

fn other_band(file: &mut Reader<'_>) -> Band {
    let Some(mut table) = file.table("other") else { return Band::default() };
    let band = Band::read(&mut table);
    table.finish();
    band
}

/// Reads room names, which must contain the family.
fn names(band: &mut Reader<'_>, family: &str) -> Vec<ThemeRoomName> {
    let names = band.placed_texts("names", 1);
    for (place, name) in &names {
        if !name.to_lowercase().contains(&family.to_lowercase()) {
            let mistake = format!("name `{name}` is not of its family");
            band.note(CatalogError::new(place, mistake, format!("a name with `{family}` in it")));
        }
    }
    names.into_iter().map(|(_, name)| name.into()).collect()
}

/// Expands names with slots into all combinations of their words.
fn expand_names<'w>(
    names: &[ThemeRoomName],
    list_of: impl Fn(&str) -> Option<&'w Vec<String>>,
    file: &mut Reader<'_>,
) -> Vec<ThemeRoomName> {
    let mut spelt: Vec<ThemeRoomName> = Vec::new();
    for ThemeRoomName { text: name, .. } in names {
        let Some(pattern) = Pattern::parse(name) else {
            file.record_mistake(
                "names",
                format!("holds a brace that is not paired in `{name}`"),
                "slots like `{shape}`",
            );
            continue;
        };
        let mut expansions = vec![String::new()];
        for piece in &pattern.pieces {
            let ends: &[String] = match piece {
                PatternPiece::Text(text, _) => std::slice::from_ref(text),
                PatternPiece::Slot(slot) => list_of(slot).map_or(&[], Vec::as_slice),
            };
            if ends.is_empty() {
                file.record_mistake(
                    "names",
                    format!("has a slot without words in `{name}`"),
                    "a list of [words]",
                );
            }
            expansions = expansions
                .iter()
                .flat_map(|start| ends.iter().map(move |end| format!("{start}{end}")))
                .collect();
        }
        spelt.extend(expansions.iter().map(|name| grammar::capitalise(name).into_owned().into()));
    }
    spelt
}

/// Reads the sentence lists of the kinds of rooms that have one.
fn sentences(reader: &mut Reader<'_>) -> BTreeMap<RoomKind, Vec<Pattern>> {
    let lists = RoomKind::ALL.iter().filter_map(|kind| Some((*kind, kind.spec().sentences?)));
    lists.map(|(kind, name)| (kind, patterns(reader, name, 0))).collect()
}

fn patterns(reader: &mut Reader<'_>, name: &str, least: usize) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for (place, text) in reader.placed_list("sentence", name, least) {
        if let Some(pattern) = Pattern::parse(&text) {
            patterns.push(pattern);
        } else {
            let mistake = format!("a brace is not paired in `{text}`");
            reader.note(CatalogError::new(&place, mistake, "slots like `{wall}`"));
        }
    }
    patterns
}
