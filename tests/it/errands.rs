//! The board of errands: all that it offers can be done, counts behind its exit only, and is paid once.

use crate::explorer::{frees_a_captive, hero_opens, walks_out, walks_to};
use crate::hoard::{grant, purse};
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::{ExitId, Seed, Span};
use deepwell::catalog::quest::errand::{ErrandGround, ErrandLength};
use deepwell::catalog::quest::{ANY, Quest, QuestGoal};
use deepwell::catalog::{RoomFeature, RoomKind};
use deepwell::dungeon::BranchSpec;
use deepwell::game::GameConfig;
use deepwell::tools::branch::PlannedBranch;
use deepwell::world::{ExitKind, QuestProgress, QuestStatus};
use std::collections::BTreeMap;

const DAY: Span = Span::mins(24 * 60);

/// Level types behind the start exits of the town.
const LEVELS: [&str; 8] =
    ["well", "long seam", "cellars", "sunken house", "forest", "caves", "daedalus", "upper catacombs"];

/// Seeds that are walked for each level type, and the rooms of each walk.
const WALKS: (u64, u32) = (60, 60);

/// Findings of walks through the branches of a level type, each with the least difficulty of such a room.
#[derive(Default)]
struct Findings {
    creatures: BTreeMap<String, u32>,
    kinds: BTreeMap<&'static str, u32>,
    gates: Option<u32>,
    /// Difficulties of rooms with guards.
    guarded: Vec<u32>,
    deepest: u32,
}

impl Findings {
    fn of(level: &str) -> Self {
        let mut found = Self::default();
        for seed in 0..WALKS.0 {
            let spec = BranchSpec::of(&CATALOG, level, Seed(seed));
            for room in PlannedBranch::walk(spec, &CATALOG, WALKS.1, 2).rooms {
                let (plan, at) = (&room.plan, room.plan.difficulty);
                found.deepest = found.deepest.max(at);
                note(&mut found.kinds, plan.sheet.kind.name(), at);
                if matches!(plan.fixture.feature, Some(RoomFeature::Gate { .. })) {
                    found.gates = Some(found.gates.map_or(at, |before| before.min(at)));
                }
                for key in &plan.challenge.creatures {
                    if !found.creatures.contains_key(key) || found.creatures[key] > at {
                        found.creatures.insert(key.clone(), at);
                    }
                    if CATALOG.creatures[key].guards() {
                        found.guarded.push(at);
                    }
                }
            }
        }
        found
    }

    /// Returns `true` if the walks have found what a goal asks for, in rooms up to a difficulty.
    fn meet(&self, goal: &QuestGoal, deepest: u32) -> bool {
        let is_near = |at: Option<&u32>| at.is_some_and(|at| *at <= deepest);
        let is_met = |creature: &String| is_near(self.creatures.get(creature));
        let is_named = |kinds: &[String], key: &str| kinds.iter().any(|kind| kind == key || kind == ANY);
        match goal {
            QuestGoal::Kill(kinds) => {
                self.creatures.keys().any(|creature| is_named(kinds, creature) && is_met(creature))
            }
            QuestGoal::Depth(depth) | QuestGoal::Carry(_, depth) => self.deepest >= *depth,
            QuestGoal::Clear(least) => self.guarded.iter().any(|at| (*least..=deepest).contains(at)),
            QuestGoal::Rescue(_) => is_near(self.kinds.get(RoomKind::Rescue.name())),
            QuestGoal::Solve(_) => is_near(self.gates.as_ref()),
            QuestGoal::Coffer => is_near(self.kinds.get(RoomKind::Coffer.name())),
            QuestGoal::See(kinds) => {
                kinds.iter().any(|kind| kind == ANY || is_near(self.kinds.get(kind.as_str())))
            }
            QuestGoal::Bring(items, _) => self.creatures.keys().filter(|key| is_met(key)).any(|key| {
                let table = CATALOG.creatures[key].loot.as_ref().and_then(|loot| CATALOG.loot.get(loot));
                table.is_some_and(|table| table.items.iter().any(|item| items.contains(&item.item)))
            }),
            QuestGoal::Reach(_) => true,
            other => panic!("no walk says whether {other:?} can be done"),
        }
    }
}

fn note(least: &mut BTreeMap<&'static str, u32>, key: &'static str, at: u32) {
    let before = least.entry(key).or_insert(at);
    *before = at.min(*before);
}

fn errands() -> impl Iterator<Item = &'static Quest> {
    CATALOG.quests.values().filter(|quest| quest.errand.is_some())
}

/// Returns the branches of a level type, as the generator can make them.
pub(crate) fn ground(level: &str) -> ErrandGround<'static> {
    let kind = CATALOG.level_type(level).expect("a level type that ships");
    let theme = CATALOG.theme_of(kind).expect("its theme");
    ErrandGround { theme, ends: theme.settings.growth.finishable }
}

/// The start exits of the town are those that the other tests walk.
#[test]
fn levels_of_the_town_are_walked() {
    let rooms = &CATALOG.areas["town"].rooms;
    let exits = rooms.iter().flat_map(|room| &room.exits).filter(|exit| exit.kind == ExitKind::Branch);
    assert_eq!(exits.count(), LEVELS.len());
}

/// Walks through the branches behind an exit find all that is offered for it.
#[test]
fn each_errand_can_be_done_behind_each_exit_for_which_it_is_offered() {
    let mut offered: BTreeMap<&str, usize> = errands().map(|quest| (quest.key.as_str(), 0)).collect();
    for level in LEVELS {
        let found = Findings::of(level);
        for quest in errands().filter(|quest| quest.can_be_done(&CATALOG, ground(level))) {
            *offered.entry(&quest.key).or_default() += 1;
            let deepest = quest.errand_deepest;
            for step in &quest.steps {
                let goal = step.goal.as_ref().expect("a goal");
                assert!(found.meet(goal, deepest), "{level}, {}: {goal:?} is not found", quest.key);
            }
        }
    }
    let nowhere: Vec<_> = offered.into_iter().filter(|(_, exits)| *exits == 0).collect();
    assert_eq!(nowhere, [], "errands that are never offered");
}

/// An errand that no branch of a theme can serve is not offered behind its exit.
#[test]
fn errands_are_not_offered_where_they_cannot_be_done() {
    for (level, errand) in [
        ("long seam", "errand_captive"),
        ("cellars", "errand_shrine"),
        ("forest", "errand_coffer"),
        ("sunken house", "errand_sounding"),
        ("sunken house", "errand_depth"),
        ("sunken house", "errand_puzzle"),
        ("upper catacombs", "errand_spiders"),
        ("daedalus", "errand_leeches"),
    ] {
        let quest: &Quest = &CATALOG.quests[errand];
        assert!(!quest.can_be_done(&CATALOG, ground(level)), "{errand} behind {level}");
    }
}

/// Olad, a strong character, in the lodge.
fn lodger_in(config: GameConfig) -> Table {
    let mut table = Table::new(config);
    table.sit("Olad");
    table.becomes("Olad", 9_999, 999);
    table.types("Olad", "north");
    table
}

fn lodger() -> Table {
    lodger_in(seeded(11))
}

/// Lets days pass until the board offers an errand, and takes it.
fn takes(table: &mut Table, name: &str, errand: &str) -> String {
    for _ in 0..90 {
        let board = table.types(name, "errands");
        let numbered = board.lines().filter_map(|line| line.split_once(". "));
        let found = numbered.filter(|(_, rest)| rest.starts_with(errand)).map(|(number, _)| number).next();
        if let Some(number) = found {
            let line = format!("errand take {number}");
            return table.types(name, &line);
        }
        table.sleeps(DAY);
        table.comes_back(name);
    }
    panic!("the board has not offered {errand} for ninety days");
}

fn progress<'t>(table: &'t Table, name: &str, key: &str) -> &'t QuestProgress {
    &table.body(name).quests[key]
}

/// Walks to the room of a start exit and takes it.
fn goes_through(table: &mut Table, name: &str, exit: ExitId) {
    let row = table.world().exits[exit].clone();
    table.types_all(name, &["recall now", "down"]);
    walks_to(table, name, row.room);
    table.types(name, &row.name);
    let branch = table.branch_of(name).expect("a branch");
    assert_eq!(table.world().branches[branch].start_exit, exit);
}

fn goes_home(table: &mut Table, name: &str) -> String {
    table.types_all(name, &["recall now", "north"])
}

#[test]
fn board_hangs_in_the_lodge_and_tells_way_time_and_reward() {
    let mut table = lodger();
    let board = table.types("Olad", "errands");
    assert!(board.starts_with("Errands that you have taken\nNone.\nErrands on the board\n1. "), "{board}");
    assert_eq!(board.matches("about twenty minutes").count(), 3, "{board}");
    assert!(board.contains(" The way: Bottom of the ") && board.contains(" Reward: "), "{board}");
    assert_eq!(board, table.types("Olad", "errand"), "reading changes nothing");
    table.types("Olad", "south");
    let elsewhere = table.types("Olad", "errands");
    assert!(elsewhere.contains("such as the Climbers' Lodge in the town"), "{elsewhere}");
    for (typed, message) in [
        ("errand take 1", "The board of errands hangs where expeditions are founded"),
        ("errand drop", "You have taken no errand."),
        ("errand dance", "Type errands, errand take and a number, or errand drop."),
    ] {
        assert!(table.types("Olad", typed).contains(message), "{typed}");
    }
}

#[test]
fn errand_counts_behind_its_exit_only_and_is_paid_once() {
    let mut table = lodger();
    let begun = takes(&mut table, "Olad", "Ink for the tables");
    assert!(begun.contains("Where: at Bottom of the "), "{begun}");
    let bound = progress(&table, "Olad", "errand_survey").exit.expect("an exit");
    let start = table.world().exits[bound].room;
    let other = table.world().exits.of(start).find(|exit| exit.kind == ExitKind::Branch && exit.id != bound);
    let other = other.expect("another way").id;
    goes_through(&mut table, "Olad", other);
    hero_opens(&mut table, "Olad", 4);
    assert_eq!(progress(&table, "Olad", "errand_survey").counts.get("rooms"), None);
    goes_through(&mut table, "Olad", bound);
    hero_opens(&mut table, "Olad", 8);
    table.restart();
    assert_eq!(progress(&table, "Olad", "errand_survey").counts["rooms"], 8);
    hero_opens(&mut table, "Olad", 16);
    let before = (purse(&table, "Olad"), table.body("Olad").xp);
    let done = goes_home(&mut table, "Olad");
    assert!(done.contains("The quest Ink for the tables is done."), "{done}");
    let after = (purse(&table, "Olad"), table.body("Olad").xp);
    assert_eq!((after.0 - before.0, after.1 - before.1), (60, 80));
    table.types_all("Olad", &["south", "north"]);
    assert_eq!(purse(&table, "Olad"), after.0, "paid once");
}

/// Over forty days in which the first errand of the board is taken and dropped, none comes twice in a row, and the board
/// changes.
#[test]
fn no_errand_comes_twice_in_a_row() {
    let mut table = lodger();
    let (mut last, mut seen) = (String::new(), BTreeMap::new());
    for _ in 0..40 {
        let taken = table.types("Olad", "errand take 1");
        let (_, rest) = taken.split_once("Quest: ").expect("an errand");
        let (name, _) = rest.split_once(". ").expect("a name");
        assert_ne!(name, last, "twice in a row");
        name.clone_into(&mut last);
        *seen.entry(last.clone()).or_insert(0) += 1;
        assert!(table.types("Olad", "errand drop").contains("You give up the quest"));
        assert!(!table.types("Olad", "errands").contains(&last), "{last} at once again");
        table.sleeps(DAY);
        table.comes_back("Olad");
    }
    assert!(seen.len() >= 10, "{seen:?}");
}

#[test]
fn number_of_errands_is_limited() {
    let mut config = seeded(11);
    config.limits.errands = 1;
    config.limits.errands_offered = 2;
    let mut table = lodger_in(config);
    assert_eq!(table.types("Olad", "errands").matches(" Reward: ").count(), 4, "two of each length");
    table.types("Olad", "errand take 1");
    let refused = table.types("Olad", "errand take 1");
    assert!(refused.starts_with("You have taken one errand already, and may have no more."), "{refused}");
    let board = table.types("Olad", "errands");
    assert!(!board.contains("None."), "{board}");
    assert!(table.types("Olad", "errand take 9").contains("There is no errand 9 on the board."));
    assert!(table.types("Olad", "errand drop xyz").contains("You have taken no errand \"xyz\"."));
    table.types("Olad", "errand drop");
    assert!(table.types("Olad", "errand take 1").contains("Quest: "));
}

/// Errands above the level of a character are not offered, on any day of a year.
#[test]
fn errands_wait_for_the_level() {
    let mut table = lodger();
    let hard: Vec<&str> =
        errands().filter(|quest| quest.errand_level > 1).map(|quest| quest.name.as_str()).collect();
    assert!(!hard.is_empty());
    for _ in 0..30 {
        let board = table.types("Olad", "errands");
        let early: Vec<_> = hard.iter().filter(|name| board.contains(**name)).collect();
        assert!(early.is_empty(), "{early:?}: {board}");
        table.sleeps(DAY);
        table.comes_back("Olad");
    }
}

/// Lets a player be on an errand behind an exit.
fn bind(table: &mut Table, name: &str, key: &str, exit: ExitId) {
    let id = table.body(name).id;
    table.edit_stored(|stored| {
        let body = stored.characters.get_mut(&id).expect("a stored body");
        let row = QuestProgress { exit: Some(exit), ..QuestProgress::default() };
        body.quests.insert(key.to_owned(), row);
    });
}

#[test]
fn captive_counts_for_the_exit_that_it_was_led_out_of() {
    let mut table = Table::new(seeded(11));
    table.sit("Olad");
    table.becomes("Olad", 9_999, 999);
    table.types_all("Olad", &["down", "north"]);
    let exit = table.branch("Olad").start_exit;
    bind(&mut table, "Olad", "errand_captive", exit);
    bind(&mut table, "Olad", "errand_beds", ExitId(u64::MAX));
    frees_a_captive(&mut table, "Olad");
    walks_out(&mut table, "Olad");
    assert_eq!(progress(&table, "Olad", "errand_captive").status, QuestStatus::Done);
    assert_eq!(progress(&table, "Olad", "errand_beds").counts, BTreeMap::new());
    let list = table.types("Olad", "errands");
    assert!(list.contains("Five beds, gone."), "{list}");
}

/// A thing is brought to the lodge: it stays there, and what is missing is brought later.
#[test]
fn things_are_brought_and_stay() {
    let mut table = lodger();
    takes(&mut table, "Olad", "Tails by the pair");
    table.types("Olad", "south");
    grant(&mut table, "Olad", &[("rat_tail", 1)]);
    assert!(table.types("Olad", "north").contains("Bring two rat tails to the lodge. 1 of 2."));
    table.types("Olad", "south");
    grant(&mut table, "Olad", &[("rat_tail", 3)]);
    assert!(table.types("Olad", "north").contains("The quest Tails by the pair is done."));
    assert_eq!(crate::hoard::has(&table, "Olad", "rat_tail"), 2);
}

#[test]
fn lamp_is_carried_down() {
    let mut table = lodger();
    takes(&mut table, "Olad", "A light for the corner");
    let bound = progress(&table, "Olad", "errand_lamp").exit.expect("an exit");
    goes_through(&mut table, "Olad", bound);
    for rooms in 2..60 {
        hero_opens(&mut table, "Olad", rooms);
        if table.room("Olad").total_depth() >= 5 {
            break;
        }
    }
    assert_eq!(progress(&table, "Olad", "errand_lamp").status, QuestStatus::Active, "without oil");
    grant(&mut table, "Olad", &[("lamp_oil", 1)]);
    table.types("Olad", "drop oil");
    let answer = table.types("Olad", "get oil");
    assert!(answer.contains("The quest A light for the corner is done."), "{answer}");
}

/// Both lengths are shipped, and each errand says when it can be done again.
#[test]
fn shipped_errands_have_a_length_and_a_reward() {
    for length in ErrandLength::ALL {
        assert!(errands().filter(|quest| quest.errand == Some(length)).count() >= 8);
    }
    for quest in errands() {
        assert!(quest.experience > 0 && quest.copper > 0, "{}", quest.key);
        assert_ne!(quest.repeat.name(), "always", "{}", quest.key);
    }
}
