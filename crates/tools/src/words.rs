//! Statistics of repeated texts in the rooms of a level type, read in the order of creation: sentences, names, business
//! rooms and first enemies. [`WordTotals::faults`] returns the figures outside their limits.

use crate::branch::{PlannedBranch, PlannedRoom};
use deepwell_core::catalog::room_kind::RoomVisit;
use deepwell_core::catalog::{Catalog, RoomKind, ThemeRoomName};
use deepwell_core::dungeon::{BranchSpec, Recent, RoomPlan};
use deepwell_core::level::Crossing;
use deepwell_core::text::sentence::{mark, statements};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Totals over the rooms of one level type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WordTotals {
    /// Name of the level type.
    pub level_type: String,
    /// Number of rooms.
    pub rooms: u32,
    /// Number of sentences.
    pub sentences: u32,
    /// Number of rooms with at most one sentence.
    pub bare: u32,
    /// Number of repetitions within 30 rooms, by sentence.
    pub again: BTreeMap<String, u32>,
    /// Number of rooms by name.
    pub names: BTreeMap<String, u32>,
    /// Number of rooms that repeat a name of the previous eight rooms.
    pub names_again: u32,
    /// Number of merchants, shrines and captives fewer than six rooms after another one.
    pub business_again: u32,
    /// Number of branches by the first creature met.
    pub first_met: BTreeMap<String, u32>,
}

impl WordTotals {
    /// Maximum share of rooms with one name, in parts per thousand.
    pub const NAME_PERMILLE: u32 = 30;
    /// Number of preceding rooms whose names must not be repeated.
    pub const NAMES: usize = 8;
    /// Minimum number of room names per depth.
    pub const NAMES_OF_A_DEPTH: usize = 9;
    /// Maximum number of level types with the same usual first enemy.
    pub const SAME_FIRST: usize = 2;
    /// Number of the most repeated sentences shown.
    const SHOWN: usize = 5;

    /// Generates a branch with at least `rooms` rooms and adds it. A level type that grows has all its rooms on one
    /// floor; of one that is generated whole, as many floors are walked as needed.
    pub fn add(&mut self, catalog: &Catalog, spec: &BranchSpec, rooms: u32) {
        let grows = catalog.level_type(&spec.level_type).is_none_or(|kind| kind.grows());
        let mut floors = if grows { 1 } else { rooms / 40 + 1 };
        let mut branch = PlannedBranch::walk(spec.clone(), catalog, rooms, floors);
        while !grows && branch.rooms.len() < rooms as usize && branch.floor() == floors {
            floors += 1 + rooms / 200;
            branch = PlannedBranch::walk(spec.clone(), catalog, rooms, floors);
        }
        self.add_branch(&branch);
    }

    /// Adds a branch to the totals.
    pub fn add_branch(&mut self, branch: &PlannedBranch) {
        let statements: Vec<Vec<(u32, &str)>> =
            branch.rooms.iter().map(|room| statements_of(&room.plan)).collect();
        for (number, room) in branch.rooms.iter().enumerate() {
            let before = |rooms: usize| number.saturating_sub(rooms)..number;
            self.rooms += 1;
            let here = statements.get(number).map_or(&[][..], Vec::as_slice);
            self.sentences += u32::try_from(here.len()).unwrap_or(u32::MAX);
            self.bare += u32::from(here.len() < 2);
            let known: Vec<u32> = statements
                .get(before(Recent::ROOMS))
                .into_iter()
                .flatten()
                .flatten()
                .map(|(mark, _)| *mark)
                .collect();
            for (_, sentence) in here.iter().filter(|(mark, _)| known.contains(mark)) {
                *self.again.entry((*sentence).to_owned()).or_default() += 1;
            }
            let rooms_before = |rooms: usize| branch.rooms.get(before(rooms)).unwrap_or_default();
            let name = ThemeRoomName::without_landmark(&room.plan.sheet.name);
            let has_name =
                |other: &PlannedRoom| ThemeRoomName::without_landmark(&other.plan.sheet.name) == name;
            self.names_again += u32::from(rooms_before(Self::NAMES).iter().any(has_name));
            *self.names.entry(name.to_owned()).or_default() += 1;
            let business = |kind: RoomKind| kind.spec().visit == RoomVisit::Business;
            let last = rooms_before(Recent::APART - 1);
            self.business_again += u32::from(
                business(room.plan.sheet.kind) && last.iter().any(|other| business(other.plan.sheet.kind)),
            );
        }
    }

    /// Counts the first creature met in a branch.
    pub fn add_beginning(&mut self, catalog: &Catalog, spec: &BranchSpec) {
        let branch = PlannedBranch::walk(spec.clone(), catalog, Recent::FIRST, 1);
        let met = branch.rooms.iter().take(Recent::FIRST as usize);
        if let Some(first) = met.flat_map(|room| &room.plan.challenge.creatures).next() {
            *self.first_met.entry(first.clone()).or_default() += 1;
        }
    }

    /// Returns the most common name, with its share of rooms in parts per thousand.
    pub fn commonest_name(&self) -> Option<(&str, u32)> {
        let (name, number) = self.names.iter().max_by_key(|(_, number)| **number)?;
        Some((name, self.permille(*number)))
    }

    /// Returns the creature that is met first in more than half of the branches, if any.
    pub fn first_enemy(&self) -> Option<&str> {
        let branches: u32 = self.first_met.values().sum();
        self.first_met.iter().find(|(_, number)| **number * 2 > branches).map(|(key, _)| key.as_str())
    }

    fn permille(&self, number: u32) -> u32 {
        u32::try_from(u64::from(number) * 1_000 / u64::from(self.rooms.max(1))).unwrap_or(u32::MAX)
    }

    /// Returns the figures outside their limits, one line each.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let again: u32 = self.again.values().sum();
        if again > 0 {
            let mut worst: Vec<(&String, &u32)> = self.again.iter().collect();
            worst.sort_by_key(|(sentence, number)| (std::cmp::Reverse(**number), *sentence));
            let shown = worst
                .iter()
                .take(Self::SHOWN)
                .map(|(sentence, number)| format!("\n    {number} x {sentence}"));
            let shown: String = shown.collect();
            faults.push(format!("{again} sentences repeated within {} rooms:{shown}", Recent::ROOMS));
        }
        if let Some((name, permille)) =
            self.commonest_name().filter(|(_, share)| *share > Self::NAME_PERMILLE)
        {
            faults.push(format!(
                "{permille} of 1000 rooms are called {name}, more than {}",
                Self::NAME_PERMILLE
            ));
        }
        if self.names_again > 0 {
            faults.push(format!("{} names repeated within {} rooms", self.names_again, Self::NAMES));
        }
        if self.business_again > 0 {
            let (number, apart) = (self.business_again, Recent::APART);
            faults.push(format!(
                "{number} merchants, shrines or captives less than {apart} rooms after another"
            ));
        }
        faults
    }
}

/// Returns the depths of themes with too few names, and the first enemies shared by too many level types.
pub fn shared_faults(catalog: &Catalog, counted: &[WordTotals]) -> Vec<String> {
    let mut faults = Vec::new();
    for theme in catalog.themes.values() {
        let bands = theme.bands.iter().map(|(depth, band)| (format!("depth {depth}"), &band.names));
        let bands = bands.chain([("other depths".to_owned(), &theme.other.names)]);
        let passages = theme.scenery.passages.iter();
        let passages = passages.map(|(passage, names)| (format!("passage {passage:?}"), names));
        // Names by exits replace names by depth.
        let by_exits = theme.scenery.passages.len() == Crossing::NAMES.len();
        for (place, names) in bands.filter(|_| !by_exits).chain(passages) {
            let (names, least) = (names.len(), WordTotals::NAMES_OF_A_DEPTH);
            if names < least {
                faults.push(format!("theme {}, {place}: {names} names, fewer than {least}", theme.key));
            }
        }
    }
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for enemy in counted.iter().filter_map(WordTotals::first_enemy) {
        *first.entry(enemy).or_default() += 1;
    }
    let same = first.iter().filter(|(_, level_types)| **level_types > WordTotals::SAME_FIRST);
    faults.extend(
        same.map(|(enemy, number)| format!("{enemy} is the usual first enemy of {number} level types")),
    );
    faults
}

/// Returns all sentences of a room, each with its mark (hash).
fn statements_of(plan: &RoomPlan) -> Vec<(u32, &str)> {
    let texts = [&plan.sheet.description].into_iter().chain(&plan.fixture.line).chain(plan.omens.values());
    texts.flat_map(|text| statements(text)).map(|statement| (mark(statement), statement)).collect()
}

impl fmt::Display for WordTotals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, share) = self.commonest_name().unwrap_or_default();
        let first = self.first_enemy().unwrap_or("one of several");
        writeln!(
            f,
            "{}: {} rooms, {} sentences, {} bare rooms, {} names (commonest: {name}, {share} of 1000), first enemy {first}",
            self.level_type,
            self.rooms,
            self.sentences,
            self.bare,
            self.names.len(),
        )?;
        self.faults().iter().try_for_each(|fault| writeln!(f, "  {fault}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::Seed;

    fn spec(catalog: &Catalog, level_type: &str, seed: u64) -> BranchSpec {
        BranchSpec::of(catalog, level_type, Seed(seed))
    }

    /// A few seeds of `deepwell dungeon stats --words`. In no level type does a sentence repeat within thirty rooms,
    /// special rooms included, or a name within eight. No name has more than 3 % of the rooms; merchants, shrines and
    /// captives are six rooms apart; and first enemies differ.
    #[test]
    fn sentences_and_names_do_not_repeat_soon() {
        let catalog = Catalog::builtin();
        let mut counted = Vec::new();
        for level_type in catalog.level_types.values().filter(|kind| catalog.theme_of(kind).is_some()) {
            let mut totals = WordTotals { level_type: level_type.name.clone(), ..WordTotals::default() };
            (0..3).for_each(|seed| totals.add(&catalog, &spec(&catalog, &level_type.name, seed), 150));
            (0..30).for_each(|seed| totals.add_beginning(&catalog, &spec(&catalog, &level_type.name, seed)));
            counted.push(totals);
        }
        let faults: Vec<String> =
            counted.iter().filter(|totals| !totals.faults().is_empty()).map(ToString::to_string).collect();
        assert!(faults.is_empty(), "{}", faults.join(""));
        let bare: Vec<&WordTotals> =
            counted.iter().filter(|totals| totals.bare * 20 > totals.rooms).collect();
        assert!(bare.is_empty(), "too little is said: {bare:?}");
        assert_eq!(shared_faults(&catalog, &counted), [""; 0]);
    }

    /// The counters see a branch in which every room repeats the same texts.
    #[test]
    fn repetitions_are_reported_as_faults() {
        let catalog = Catalog::builtin();
        let mut branch = PlannedBranch::walk(spec(&catalog, "well", 5), &catalog, 40, 1);
        let first = branch.rooms[0].plan.clone();
        for room in &mut branch.rooms {
            room.plan.sheet.name = format!("{}: a boat", first.sheet.name);
            room.plan.sheet.description = "It is damp; the north side is of clay.".to_owned();
            room.plan.sheet.kind = RoomKind::Shrine;
        }
        let mut totals = WordTotals { first_met: [("rat".to_owned(), 9)].into(), ..WordTotals::default() };
        totals.add_branch(&branch);
        assert_eq!((totals.again["It is damp"], totals.names_again, totals.business_again), (39, 39, 39));
        let faults = totals.faults().join("\n");
        assert!(faults.contains("39 x the north side is of clay."), "{faults}");
        assert!(faults.contains(&format!("1000 of 1000 rooms are called {}", first.sheet.name)), "{faults}");
        assert_eq!(totals.faults().len(), 4, "{faults}");
        let same = [totals.clone(), totals.clone(), totals];
        let shared = shared_faults(&catalog, &same).join("\n");
        assert!(shared.contains("rat is the usual first enemy of 3 level types"), "{shared}");
    }
}
