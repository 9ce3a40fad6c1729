//! Themes: the settings, perils and words a branch is made with.

use super::furnishing::{
    Captive, Hoard, Inhabitants, Landmark, OutOfDepth, Riddle, Shrine, Threat, read_landmark,
};
use super::pattern::{Pattern, Piece};
use super::peril::{Peril, PerilKind};
use super::room_kind::RoomKind;
use super::room_name::RoomName;
use super::rules::RuleSet;
use super::usage::Referent;
use super::words::{Noun, Scenery, nouns, scenery};
use crate::base::{Keyed, Span};
use crate::data::{CatalogError, Position, Reader, definition};
pub use crate::level::GrowSettings;
use crate::level::Limit;
use crate::puzzle;
use crate::text::grammar;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// How far the last depth of a band may be below its first.
const BAND_MAX: u32 = 100;

/// How long a branch lasts, as far as a theme or a start exit says; the rest is the server's to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BranchTimes {
    /// Guaranteed time for companions to take the same exit.
    pub window: Option<Span>,
    /// How likely the exit is unlinked at each reset after that, in parts of a thousand.
    pub reset_chance_permille: Option<u32>,
    /// Age since the last update at which a branch collapses.
    pub max_life: Option<Span>,
}

impl BranchTimes {
    /// The longest time that can be set, in seconds: ten years.
    pub const SECS_MAX: u32 = 315_360_000;

    /// These times, and those of another where these say nothing.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            window: self.window.or(other.window),
            reset_chance_permille: self.reset_chance_permille.or(other.reset_chance_permille),
            max_life: self.max_life.or(other.max_life),
        }
    }
}

/// How branches grow and how long they last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BranchSettings {
    /// How they grow.
    pub growth: GrowSettings,
    /// How long they last.
    pub times: BranchTimes,
}

/// A key in a theme that names something else: where it is, what it names, and the key.
pub(crate) type Reference = (Position, Referent, String);

definition! {
    /// A kind of branch.
    #[derive(Clone, Debug)]
    pub struct Theme with (puzzles: &puzzle::Registry, references: &mut Vec<Reference>) {
        /// Where it is defined.
        pub place: Position => |file| file.place(),
        /// The theme that it is like in all that it does not say.
        pub inherits: Option<String> = filled_text(),
        /// Keys of the mobs that live here.
        pub creatures: Vec<String> => |file| keys(file, "creatures", Referent::Mob, references),
        /// Keys of the items that treasure rooms hold.
        pub treasure: Vec<String> => |file| keys(file, "treasure", Referent::Item, references),
        /// How its branches grow and how long they last, unless a start exit says otherwise.
        pub settings: BranchSettings => |file| file.table_of("settings", settings).unwrap_or_default(),
        /// Words that all bands share.
        pub words: Keyed<Vec<String>> = lists(),
        /// Stable name in data and storage.
        pub key: String => |file| file.key(),
        /// What players call it.
        pub name: String = text(),
        /// By which rules blows fall in it.
        pub rules: RuleSet = choice_or(&RuleSet::NAMES, RuleSet::default()),
        /// What each floor below the first adds to the difficulty.
        pub difficulty_per_floor: u32 = number_or(0..=1_000, 5),
        /// What may be in a room, by weight. Monsters, puzzles and treasure are all among them.
        pub perils: Vec<Peril> = tables(Peril::read),
        /// The difficulty beyond which the weights of perils grow no further.
        pub perils_grow_until: u32 = number_or(0..=1_000, 10),
        /// The puzzles that its rooms may have, each with its weight.
        pub puzzles: Vec<puzzle::Entry> => |file| {
            let entries = file.tables_if_any("puzzles", |table| puzzle::Entry::read(table, puzzles));
            entries.into_iter().flatten().collect()
        },
        /// In how many of 100 rooms a roamer appears besides.
        pub roamer_percent: u32 = number_or(0..=100, 0),
        /// What the guards of a room may cost.
        pub threat: Threat => |file| file.table_of("threat", Threat::read).unwrap_or_default(),
        /// Encounters too strong for their depth, and their signs.
        pub out_of_depth: OutOfDepth => |file| out_of_depth(file),
        /// Who lives in rooms without anything else, instead of guards; none: guards do.
        pub inhabitants: Option<Inhabitants> = table_of(Inhabitants::read),
        /// The loot tables that hoards are drawn from, by difficulty; where there is none, everything that may be found.
        pub hoards: Vec<Hoard> = tables_if_any(Hoard::read),
        /// How often a portcullis with a stuck lever comes, against the puzzles of the list.
        pub lever_weight: u32 = number_or(0..=1_000, 1),
        /// Fewest and most pulls that a stuck lever takes.
        pub lever_pulls: (u32, u32) => |file| {
            let least = file.number_or("lever_pulls_least", 1..=100, 2);
            (least, file.number_or("lever_pulls_most", 1..=100, 4))
        },
        /// In how many of 100 puzzle rooms the lever is in another room.
        pub far_lever_percent: u32 = number_or(0..=100, 0),
        /// In how many of 1,000 new exits there is a trap.
        pub trap_permille: u32 = number_or(0..=1_000, 0),
        /// What is written in hint rooms.
        pub hints: Vec<Pattern> => |file| patterns(file, "hints", 1),
        /// Of so many rooms at most one is a landmark.
        pub landmark_every: u32 = number_or(1..=10_000, 12),
        /// Places worth finding for themselves.
        pub landmarks: Vec<Landmark> = tables_if_any(read_landmark),
        /// Sentences about rooms of a kind: the stone faces of riddles, what marks a camp, who sells things.
        pub sentences: BTreeMap<RoomKind, Vec<Pattern>> => |file| sentences(file),
        /// What it asks.
        pub riddles: Vec<Riddle> = tables_if_any(Riddle::read),
        /// Where one may pray, and for what.
        pub shrines: Vec<Shrine> = tables_if_any(Shrine::read),
        /// Who is held behind guards.
        pub captives: Vec<Captive> = tables_if_any(Captive::read),
        /// Sentences bound to the place of a room.
        pub scenery: Scenery => |file| scenery(file, &words),
        /// What one sees who looks at a word of its sentences.
        pub nouns: Vec<Noun> => |file| nouns(file, &words),
        /// Names and words by depth.
        pub bands: BTreeMap<u32, Band> => |file| bands(file),
        /// Names and words of every depth that has no band of its own.
        pub other: Band => |file| other_band(file),
    }
}

impl Theme {
    /// Reads a theme, and notes the keys in it that name something else.
    pub(super) fn read_file(
        file: &mut Reader<'_>,
        puzzles: &puzzle::Registry,
        references: &mut Vec<Reference>,
    ) -> Self {
        let mut theme = Self::read(file, puzzles, references);
        theme.spell_out_names(file);
        references.extend(theme.references());
        theme
    }

    /// Adds the puzzles that say themselves that they come up here.
    pub(super) fn list_puzzles(&mut self, puzzles: &puzzle::Registry) {
        for puzzle in puzzles.all() {
            for listing in puzzle.listings().iter().filter(|listing| listing.theme == self.key) {
                if !self.puzzles.iter().any(|entry| entry.puzzle.name() == puzzle.name()) {
                    self.puzzles.push(puzzle::Entry::listed(puzzle, listing));
                }
            }
        }
    }

    /// Makes of each name with slots all the names that there are with the words of their lists.
    fn spell_out_names(&mut self, file: &mut Reader<'_>) {
        let shared = &self.words;
        for band in self.bands.values_mut().chain([&mut self.other]) {
            let words = |slot: &str| band.words.get(slot).or_else(|| shared.get(slot));
            band.names = spelt_out(&band.names, words, file);
        }
        for names in self.scenery.passages.values_mut() {
            *names = spelt_out(names, |slot| shared.get(slot), file);
        }
    }

    /// What the furnishing of rooms refers to.
    fn references(&self) -> impl Iterator<Item = Reference> {
        let shrines = self.shrines.iter().map(|s| (s.place.clone(), Referent::Affect, s.affect.clone()));
        let captives = self.captives.iter().map(|c| (c.place.clone(), Referent::Mob, c.mob.clone()));
        let hoards = self.hoards.iter().map(|h| (h.place.clone(), Referent::Loot, h.table.clone()));
        let halls = self.inhabitants.iter();
        let loot = halls.clone().filter_map(|h| Some((h.place.clone(), Referent::Loot, h.loot.clone()?)));
        let living = halls.flat_map(|h| &h.creatures);
        let living = living.map(|i| (i.place.clone(), Referent::Mob, i.mob.clone()));
        shrines.chain(captives).chain(hoards).chain(loot).chain(living)
    }

    /// The list of words for where in a room its treasure lies, as in "among the stones".
    pub const HIDING_PLACES: &str = "hiding_places";

    /// The names and words of a depth.
    pub fn band(&self, depth: u32) -> &Band {
        self.bands.get(&depth).unwrap_or(&self.other)
    }

    /// The words for a slot at a depth: the band's own, else the shared ones.
    pub fn words_for(&self, depth: u32, slot: &str) -> &[String] {
        let own = self.band(depth).words.get(slot);
        own.or_else(|| self.words.get(slot)).map_or(&[], Vec::as_slice)
    }

    /// The loot table of hoards of a difficulty, by key.
    pub fn hoard_at(&self, difficulty: u32) -> Option<&str> {
        let fits = |hoard: &&Hoard| (hoard.difficulty.0..=hoard.difficulty.1).contains(&difficulty);
        self.hoards.iter().find(fits).map(|hoard| hoard.table.as_str())
    }

    /// The sentences about rooms of a kind.
    pub fn sentences_about(&self, kind: RoomKind) -> &[Pattern] {
        self.sentences.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// How many rooms of a kind there may be.
    pub fn limit_of(&self, kind: RoomKind) -> Limit {
        let peril = self.perils.iter().find(|peril| peril.kind == PerilKind::Room(kind));
        peril.map_or_else(Limit::default, |peril| peril.limit)
    }

    /// Whether rooms of a kind occur at all.
    pub fn offers(&self, kind: PerilKind) -> bool {
        let occurs = |peril: &Peril| peril.weight > 0 || peril.weight_per_difficulty > 0;
        self.perils.iter().any(|peril| peril.kind == kind && occurs(peril))
    }
}

definition! {
    /// Names and words of one depth.
    #[derive(Clone, Debug, PartialEq, Eq, Default)]
    pub struct Band {
        /// What every name of this depth contains, in any case of letters.
        pub family: String = text(),
        /// The names rooms get; each slot stands for every word of its list.
        pub names: Vec<RoomName> => |band| names(band, &family),
        /// One word for mappers (GMCP `environment`).
        pub environment: String = text(),
        /// First sentences.
        pub openings: Vec<Pattern> => |band| patterns(band, "openings", 1),
        /// Sentences in the middle; a room gets one or two.
        pub details: Vec<Pattern> => |band| patterns(band, "details", 2),
        /// Last sentences of rooms with ways on; `{exit}` is one of these ways.
        pub ways_on: Vec<Pattern> => |band| patterns(band, "ways_on", 1),
        /// Last sentences of dead ends.
        pub dead_ends: Vec<Pattern> => |band| patterns(band, "dead_ends", 1),
        /// Words of the slots.
        pub words: Keyed<Vec<String>> = lists(),
    }
}

/// Keys of something else, at least one.
fn keys(file: &mut Reader<'_>, name: &str, what: Referent, references: &mut Vec<Reference>) -> Vec<String> {
    let placed = file.placed_texts(name, 1);
    references.extend(placed.iter().map(|(place, key)| (place.clone(), what, key.clone())));
    placed.into_iter().map(|(_, key)| key).collect()
}

fn settings(table: &mut Reader<'_>) -> BranchSettings {
    let usual = GrowSettings::default();
    let (exits, forks) = (usual.max_unexplored_exits, usual.max_new_exits_per_room);
    let growth = GrowSettings {
        max_unexplored_exits: table.number_or("max_unexplored_exits", 1..=10_000, exits),
        max_new_exits_per_room: table.number_or("max_new_exits_per_room", 1..=3, forks),
        finishable: table.truth_or("finishable", usual.finishable),
    };
    let secs = 1..=BranchTimes::SECS_MAX;
    let span = |secs: u32| Span::secs(secs.into());
    let times = BranchTimes {
        window: table.number_if_any("window_secs", &secs).map(span),
        reset_chance_permille: table.number_if_any("reset_chance_permille", &(0..=1_000)),
        max_life: table.number_if_any("max_life_secs", &secs).map(span),
    };
    BranchSettings { growth, times }
}

fn out_of_depth(file: &mut Reader<'_>) -> OutOfDepth {
    let omens = patterns(file, "omens", 0);
    let numbers =
        |table: &mut Reader<'_>| (table.number("permille", 0..=1_000), table.number("difficulty", 0..=1_000));
    let (permille, difficulty) = file.table_of("out_of_depth", numbers).unwrap_or_default();
    OutOfDepth { permille, difficulty, omens }
}

fn bands(file: &mut Reader<'_>) -> BTreeMap<u32, Band> {
    let mut bands = BTreeMap::new();
    for (depths, band) in file.tables("bands", |table| (depths(table), Band::read(table))) {
        for depth in depths {
            if bands.insert(depth, band.clone()).is_some() {
                file.wrong("bands", format!("names depth {depth} twice"), "one band for each depth");
            }
        }
    }
    bands
}

/// The depths of a band: one, or as far as `last_depth`.
fn depths(table: &mut Reader<'_>) -> RangeInclusive<u32> {
    let first = table.number("depth", 0..=100_000);
    first..=table.number_or("last_depth", first..=first.saturating_add(BAND_MAX), first)
}

fn other_band(file: &mut Reader<'_>) -> Band {
    let Some(mut table) = file.table("other") else { return Band::default() };
    let band = Band::read(&mut table);
    table.finish();
    band
}

/// Names of rooms, each of a family.
fn names(band: &mut Reader<'_>, family: &str) -> Vec<RoomName> {
    let names = band.placed_texts("names", 1);
    for (place, name) in &names {
        if !name.to_lowercase().contains(&family.to_lowercase()) {
            let wrong = format!("name `{name}` is not of its family");
            band.note(CatalogError::new(place, wrong, format!("a name with `{family}` in it")));
        }
    }
    names.into_iter().map(|(_, name)| name.into()).collect()
}

/// Names with the words of their slots, each with each.
fn spelt_out<'w>(
    names: &[RoomName],
    words: impl Fn(&str) -> Option<&'w Vec<String>>,
    file: &mut Reader<'_>,
) -> Vec<RoomName> {
    let mut spelt: Vec<RoomName> = Vec::new();
    for RoomName { text: name, .. } in names {
        let Some(pattern) = Pattern::parse(name) else {
            file.wrong(
                "names",
                format!("holds a brace that is not paired in `{name}`"),
                "slots like `{shape}`",
            );
            continue;
        };
        let mut told = vec![String::new()];
        for piece in &pattern.pieces {
            let ends: &[String] = match piece {
                Piece::Text(text, _) => std::slice::from_ref(text),
                Piece::Slot(slot) => words(slot).map_or(&[], Vec::as_slice),
            };
            if ends.is_empty() {
                file.wrong("names", format!("has a slot without words in `{name}`"), "a list of [words]");
            }
            told =
                told.iter().flat_map(|start| ends.iter().map(move |end| format!("{start}{end}"))).collect();
        }
        spelt.extend(told.iter().map(|name| grammar::capitalise(name).into_owned().into()));
    }
    spelt
}

/// The sentences about rooms of each kind that has a list of them.
fn sentences(reader: &mut Reader<'_>) -> BTreeMap<RoomKind, Vec<Pattern>> {
    let lists = RoomKind::ALL.iter().filter_map(|kind| Some((*kind, kind.spec().sentences?)));
    lists.map(|(kind, name)| (kind, patterns(reader, name, 0))).collect()
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
