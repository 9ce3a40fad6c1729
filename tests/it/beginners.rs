//! Simulated beginners who know only the text they are sent. Measures how far they get behind each exit of the well,
//! alone and as a pair, and how long they take to reach level 2.
//!
//! They fight what bars the exit and use items or flee at a third of their hit points. They rest, wear what they find,
//! and return to what they fled from. docs/build/balance.md has the table for many runs.

use crate::company::{Company, create_account};
use crate::host::Host;
use crate::listener::Spot;
use deepwell::base::{Seed, Span};
use deepwell::game::GameConfig;
use deepwell::server::config::Config;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write as _;

/// Exits of the well and the areas behind them.
const EXITS: [(&str, &str); 4] = [
    ("north", "the well"),
    ("east", "the long seam"),
    ("south", "the cellars"),
    ("west", "the sunken house"),
];

/// Names of the players, the leader first.
const NAMES: [&str; 2] = ["Olad", "Bera"];

/// Number of rooms at which a run ends as a success.
const ROOMS: usize = 100;

/// Maximum number of turns in a trip.
const TURNS: u32 = 600;

/// Maximum number of trips in a run.
const TRIPS: u32 = 24;

/// Maximum number of returns to a room the players fled from.
const TRIES: u32 = 3;

/// Result of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Outing {
    rooms: usize,
    /// Set when all players were incapacitated and carried out.
    fell: bool,
    /// Time played until level 2, `None` if not reached.
    second_level: Option<Span>,
}

/// Plays one run: trips through an exit until the players fall, have seen enough rooms, or find nothing they dare.
fn outing(seed: u64, exit: &str, people: usize) -> Outing {
    let config = GameConfig { seed: Seed(seed), ..GameConfig::default() };
    let mut host = Host::new(config, Config::default().world.welcome.trim_end());
    let mut all: Vec<_> = NAMES[..people].iter().map(|name| create_account(&mut host, name)).collect();
    let others = all.split_off(1);
    let first = all.remove(0);
    let mut company = Company::new(host, first, others);
    company.careful = true;
    company.others_say("guide off");
    company.says("guide off");
    company.others_say("down");
    company.says("down");
    if people > 1 {
        company.says("party invite Bera");
    }
    let mut evening = Evening { company, played: Span(0), second_level: None };
    let mut rooms = 0;
    for _ in 0..TRIPS {
        rooms += evening.trip(exit, ROOMS - rooms);
        if evening.company.is_lost() || rooms >= ROOMS {
            break;
        }
        if evening.company.comes_back(exit).is_none() {
            break;
        }
    }
    let Evening { company, second_level, .. } = evening;
    Outing { rooms, fell: company.is_lost(), second_level }
}

/// Players and the time they have spent in branches.
struct Evening {
    company: Company,
    played: Span,
    second_level: Option<Span>,
}

impl Evening {
    /// Plays one trip, until the players fall, have seen `most` rooms, or find nothing they dare. Returns the number of
    /// rooms seen.
    fn trip(&mut self, exit: &str, most: usize) -> usize {
        let mut fled: BTreeMap<Spot, u32> = BTreeMap::new();
        let mut seen: BTreeSet<Spot> = BTreeSet::new();
        let before = self.company.host.now();
        let mut goes_on = self.company.enters_a_branch(Some(exit));
        for _ in 0..TURNS {
            seen.insert(self.company.sheet().at);
            if self.second_level.is_none() && self.company.has_heard("you have reached level 2") {
                self.second_level = Some(Span(self.played.0 + self.company.host.now().0 - before.0));
            }
            if goes_on.is_none() || self.company.is_lost() || seen.len() >= most {
                break;
            }
            goes_on = turn(&mut self.company, &mut fled);
        }
        self.played.0 += self.company.host.now().0 - before.0;
        seen.len()
    }
}

/// Plays the next turn of cautious players. Returns `None` if there is nothing they dare.
fn turn(company: &mut Company, fled: &mut BTreeMap<Spot, u32>) -> Option<()> {
    let all = || std::iter::once(&company.first).chain(&company.others);
    if company.first.fighting {
        company.fights();
        return Some(());
    }
    if all().any(|one| one.health.0 * 10 < one.health.1 * 6) {
        return company.rests();
    }
    company.takes_all();
    let sheet = company.sheet();
    let steps = sheet.way_on().or_else(|| {
        let dares = |spot: Spot| spot != sheet.at && fled.get(&spot).is_some_and(|tries| *tries < TRIES);
        sheet.way_to(dares)
    })?;
    let first = steps.first()?.clone();
    let from = company.sheet().at;
    company.goes(&first)?;
    let (here, was_in) = (company.sheet().at, from);
    if here == was_in {
        // The players fled: the danger is one step in that direction.
        company.sheet().goes(&first);
        *fled.entry(company.sheet().at).or_default() += 1;
        company.sheet().at = here;
    }
    Some(())
}

fn median<T: Copy + Ord>(mut all: Vec<T>) -> Option<T> {
    all.sort_unstable();
    all.get(all.len() / 2).copied()
}

/// T19, E24, E59: the displayed text is enough to survive, behind each exit, alone and as a pair. Plays one run of each
/// with the seeds of this test; `DEEPWELL_EVENINGS` sets a higher number, as for docs/build/balance.md.
#[test]
fn t19_beginners_survive_using_only_displayed_text() {
    let evenings: u64 =
        env::var("DEEPWELL_EVENINGS").map_or(1, |count| count.parse().expect("a number of evenings"));
    let mut table = String::new();
    let mut all: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (exit, place) in EXITS {
        let _ = write!(table, "| {exit}, {place} |");
        for people in [1, 2] {
            let outings: Vec<Outing> = (0..evenings).map(|seed| outing(100 + seed, exit, people)).collect();
            let rooms = median(outings.iter().map(|outing| outing.rooms).collect()).expect("an evening");
            let fell = outings.iter().filter(|outing| outing.fell).count();
            let minutes = outings.iter().filter_map(|outing| outing.second_level).map(|span| span.0 / 60_000);
            let minutes = median(minutes.collect()).map_or("none".to_owned(), |minutes| minutes.to_string());
            all.entry(people).or_default().push(rooms);
            let _ = write!(table, " {rooms} | {fell} of {evenings} | {minutes} |");
        }
        table.push('\n');
    }
    print!("{table}");
    for (people, rooms) in all {
        assert!(median(rooms) >= Some(40), "{people}: {table}");
    }
}
