//! A simulated player who knows only the text, and does the quests that the shipped town offers.

use crate::company::{Company, ROUND, create_account};
use crate::host::Host;
use crate::listener::{ExitSeen, PlayerMap, Spot, blocking_creatures, ways};
use crate::screen_reader_puzzle::solve_puzzle;
use crate::stories::is_part_of_a_story;
use crate::table::CATALOG;
use deepwell::base::{GameTime, Seed, Span};
use deepwell::catalog::quest::Quest;
use deepwell::game::GameConfig;
use deepwell::server::config::Config;
use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;

/// Time in which a quest is to be done, from the moment it is begun.
const PATIENCE: Span = Span::mins(20);

/// Number of refused ways in a row after which the player goes home, as behind a gate that came down.
const REFUSALS_MAX: u32 = 8;

/// Number of seeds with which each quest is done.
const SEEDS: u64 = 20;

/// Work for a quest in addition to exploring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    /// Kills every creature whose name ends with the word, and reports.
    Hunt(&'static str),
    /// Leads a freed captive home.
    Rescue,
    /// Solves the puzzles behind gates, of the kinds that need no more than keys, levers and searching.
    Solve,
}

/// Ways to begin and do a quest.
struct Errand {
    quest: &'static str,
    /// Lines that begin it, at the old climber.
    asks: &'static [&'static str],
    task: Task,
    /// Seeds of twenty with which the quest may be missed.
    misses: u64,
    /// Ways to the exits that the player tries, each with its name.
    exits: &'static [(&'static [&'static str], &'static str)],
}

const WELL: &[&str] = &["down"];
const CISTERN: &[&str] = &["south", "down"];

const ERRANDS: [Errand; 3] = [
    Errand {
        quest: "fewer_rats",
        asks: &[
            "talk climber",
            "what is it like down there",
            "and what lives there",
            "i could see to three of them",
        ],
        task: Task::Hunt("rat"),
        misses: 2,
        exits: &[(WELL, "south"), (WELL, "north"), (CISTERN, "north"), (WELL, "east")],
    },
    Errand {
        quest: "bring_one_home",
        asks: &[
            "talk climber",
            "what is it like down there",
            "and what lives there",
            "what would you do in my place",
            "is somebody still down there",
        ],
        task: Task::Rescue,
        misses: 1,
        exits: &[(CISTERN, "north"), (WELL, "north"), (CISTERN, "east"), (CISTERN, "west")],
    },
    Errand {
        quest: "a_bolt_slides",
        asks: &[
            "talk climber",
            "what is it like down there",
            "and what lives there",
            "what would you do in my place",
            "and the gates that do not open",
        ],
        task: Task::Solve,
        misses: 2,
        exits: &[(CISTERN, "east"), (CISTERN, "east"), (CISTERN, "north")],
    },
];

/// Player on an errand.
struct Runner<'e> {
    company: Company,
    errand: &'e Errand,
    done: String,
    fled: BTreeMap<Spot, u32>,
    /// Number of times in a row that a way was refused.
    refused: u32,
    until: GameTime,
}

/// Begins a quest at the old climber, as a new player who follows the text.
fn begin(errand: &Errand, seed: u64) -> Company {
    let config = GameConfig { seed: Seed(seed), ..GameConfig::default() };
    let mut host = Host::new(config, Config::default().world.welcome.trim_end());
    let first = create_account(&mut host, "Olad");
    let mut company = Company::new(host, first, Vec::new());
    company.careful = true;
    for line in ["guide off", "north", "get cap", "wear cap"].iter().chain(errand.asks) {
        company.says(line);
    }
    let name = &CATALOG.quests[errand.quest].name;
    assert!(company.has_heard(&format!("Quest: {name}.")), "{}", company.first.page);
    company
}

/// Does a quest. Returns the time it took, or the transcript of a failure.
fn run(errand: &Errand, seed: u64) -> Result<Span, String> {
    let company = begin(errand, seed);
    let quest = &CATALOG.quests[errand.quest];
    let begun = company.host.now();
    let done = format!("The quest {} is done.", quest.name);
    let until = begun + PATIENCE;
    let mut runner = Runner { company, errand, done, fled: BTreeMap::new(), refused: 0, until };
    for (way, exit) in errand.exits.iter().cycle() {
        if runner.is_over() {
            break;
        }
        runner.trip(way, exit);
    }
    let took = runner.company.host.now().since(begun);
    if runner.is_done() { Ok(took) } else { Err(runner.company.first.page) }
}

impl Runner<'_> {
    fn is_done(&self) -> bool {
        self.company.has_heard(&self.done)
    }

    fn is_over(&self) -> bool {
        self.is_done() || self.company.host.now() >= self.until
    }

    /// Explores behind one exit until the task is done or nothing is left that the player dares.
    fn trip(&mut self, way: &[&str], exit: &str) {
        self.company.says("recall");
        self.company.first.down = false;
        self.fled.clear();
        self.refused = 0;
        if self.company.first.health.0 * 10 < self.company.first.health.1 * 8 {
            self.company.rests();
        }
        for line in way {
            self.company.says(line);
        }
        self.company.sheets = vec![PlayerMap::default()];
        let mark = self.company.first.page.len();
        if !ways(&self.company.says("exits")).contains_key(exit) {
            return;
        }
        let mut goes_on = self.company.goes(exit);
        while goes_on.is_some()
            && !self.is_over()
            && !self.company.first.page[mark..].contains("You come to at the start")
        {
            goes_on = self.turn();
            if self.reports() {
                return;
            }
        }
    }

    /// Plays the next turn. Returns `None` if there is nothing left to do here.
    fn turn(&mut self) -> Option<()> {
        let company = &mut self.company;
        if company.first.fighting {
            company.fights();
            return Some(());
        }
        if company.first.health.0 * 10 < company.first.health.1 * 6 {
            return company.rests();
        }
        company.takes_all();
        if let Task::Hunt(noun) = self.errand.task
            && self.hunts(noun)
        {
            return Some(());
        }
        let company = &mut self.company;
        if self.errand.task == Task::Solve
            && company.room.contains("go in and solve the puzzle")
            && !self.fled.contains_key(&company.sheet().at)
        {
            *self.fled.entry(company.sheet().at).or_default() += 9;
            solve_puzzle(company);
            return Some(());
        }
        if self.errand.task == Task::Rescue && !company.says("companion").contains("Nobody has joined you") {
            return self.leads_home();
        }
        let sheet = company.sheet();
        let fled = &self.fled;
        // In a branch that was left before, the ways into its rooms are known.
        let is_unseen = |spot| spot != Spot::default() && !sheet.rooms.contains_key(&spot);
        let has_fled = |spot| spot != sheet.at && fled.get(&spot).is_some_and(|tries| *tries < 3);
        let steps = sheet.way_on().or_else(|| sheet.way_to(is_unseen)).or_else(|| sheet.way_to(has_fled));
        let Some(steps) = steps else {
            // A freed captive has to walk all the way back.
            if self.errand.task == Task::Rescue {
                return None;
            }
            // On a floor that is known, the stairs lead on.
            let stairs = company
                .sheet()
                .rooms
                .iter()
                .find(|(_, ways)| ways.values().any(|way| *way == ExitSeen::StairsDown));
            let at = *stairs?.0;
            for name in company.sheet().way_to(|spot| spot == at)? {
                company.goes(&name)?;
            }
            let is_blocked = company.sheet().blocked.contains(&at) || company.sheet().at != at;
            return if is_blocked { None } else { company.descends() };
        };
        let first = steps.first()?.clone();
        let from = company.sheet().at;
        company.goes(&first)?;
        let here = company.sheet().at;
        self.refused = if here == from { self.refused + 1 } else { 0 };
        if self.refused > REFUSALS_MAX {
            return None;
        }
        if here == from {
            company.sheet().goes(&first);
            *self.fled.entry(company.sheet().at).or_default() += 1;
            company.sheet().at = here;
        }
        Some(())
    }

    /// Goes a step back to the start with the freed captive. Returns `None` at the start.
    fn leads_home(&mut self) -> Option<()> {
        let company = &mut self.company;
        let way = company.sheet().way_to(|spot| spot == Spot::default())?;
        let is_out = way.len() == 1;
        company.goes(way.first()?)?;
        (!is_out || company.sheet().at != Spot::default()).then_some(())
    }

    /// Attacks a creature of the hunt that is in the room. Returns `false` without such a creature.
    fn hunts(&mut self, noun: &str) -> bool {
        let room = self.company.says("look");
        let is_there = room.lines().any(|line| {
            let (names, _) = line.split_once(" is here").or(line.split_once(" are here")).unwrap_or_default();
            names.split([',', ' ']).any(|word| word == noun || word.strip_suffix('s') == Some(noun))
        });
        if !is_there && !blocking_creatures(&room).iter().any(|name| name == noun) {
            return false;
        }
        if self.company.attacks(noun).is_none() {
            return false;
        }
        for _ in 0..40 {
            if !self.company.first.fighting {
                break;
            }
            self.company.fights();
            self.company.waits(ROUND);
        }
        true
    }

    /// Goes home and reports once the quest says so. Returns `true` if the player has left the branch.
    fn reports(&mut self) -> bool {
        if self.is_done() {
            return true;
        }
        if let Task::Hunt(_) = self.errand.task
            && self.company.says("quests").contains("Talk to the old climber")
        {
            for line in ["recall", "north", "talk climber"] {
                self.company.says(line);
            }
            return true;
        }
        false
    }
}

/// Every shipped quest that is no errand and no part of a story is begun by a player who knows only the text, and done within
/// 20 minutes. `DEEPWELL_QUESTS` sets the number of seeds.
#[test]
fn shipped_quests_can_be_begun_and_completed() {
    let known: Vec<&str> = ERRANDS.iter().map(|errand| errand.quest).collect();
    let is_single = |quest: &&Quest| quest.errand.is_none() && !is_part_of_a_story(&quest.key);
    for quest in CATALOG.quests.values().filter(is_single) {
        assert!(known.contains(&quest.key.as_str()), "no player here does the quest {}", quest.key);
    }
    let seeds: u64 =
        env::var("DEEPWELL_QUESTS").map_or(SEEDS, |seeds| seeds.parse().expect("a number of seeds"));
    let mut missed = String::new();
    for errand in &ERRANDS {
        let outcomes: Vec<_> = (0..seeds).map(|seed| (seed, run(errand, 40 + seed))).collect();
        let failed: Vec<_> =
            outcomes.iter().filter_map(|(seed, done)| Some((seed, done.as_ref().err()?))).collect();
        let mut minutes: Vec<_> =
            outcomes.iter().filter_map(|(_, done)| Some(done.as_ref().ok()?.0 / 60_000)).collect();
        minutes.sort_unstable();
        println!("{}: {} of {seeds} seeds, minutes {minutes:?}", errand.quest, minutes.len());
        if let Ok(path) = env::var("DEEPWELL_QUEST_PAGES") {
            for (seed, page) in &failed {
                std::fs::write(format!("{path}/{}-{seed}.txt", errand.quest), page).expect("a file");
            }
        }
        if failed.len() as u64 * 20 > seeds * errand.misses {
            let seeds: Vec<_> = failed.iter().map(|(seed, _)| seed).collect();
            let _ = writeln!(missed, "{}: not done with the seeds {seeds:?}", errand.quest);
        }
    }
    assert!(missed.is_empty(), "{missed}");
}
