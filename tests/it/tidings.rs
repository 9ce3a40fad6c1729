//! Rumours: depth records, deaths, finished and collapsed branches, hoards. Townsfolk tell them in varied sentences,
//! also after a restart, and name only existing players who allow it. Also the board of the highest levels.

use crate::arena::{arena, changes, enemy};
use crate::explorer::{hero_opens, olad_finds};
use crate::table::{Table, seeded};
use deepwell::base::{SessionId, Span};
use deepwell::game::Input;
use deepwell::world::{HeardRumour, RoomKind, RumourEvent};
use std::collections::BTreeSet;

/// Returns the chandler's answers about the well over some simulated minutes.
fn told(table: &mut Table, who: &str) -> BTreeSet<String> {
    let mut answers = BTreeSet::new();
    for _ in 0..40 {
        table.waits(Span::secs(25));
        answers.insert(table.types(who, "ask chandler about the well"));
    }
    answers
}

fn events(table: &Table) -> Vec<RumourEvent> {
    table.world().meta().tidings.iter().map(|tiding| tiding.event.clone()).collect()
}

/// Bera enters the chandler's shop.
fn bera_enters_shop(table: &mut Table) {
    table.sit("Bera");
    let shop = table.types("Bera", "west");
    assert!(shop.contains("chandler"), "{shop}");
}

/// Stores rumours directly.
fn store_rumours(table: &mut Table, events: impl IntoIterator<Item = RumourEvent>) {
    table.edit_stored(|stored| {
        let meta = stored.meta.as_mut().expect("a world");
        let at = meta.time;
        let heard = events.into_iter().map(|event| HeardRumour { at, theme: "cellars".into(), event });
        meta.tidings.extend(heard);
    });
}

fn after_olads_death() -> Table {
    let mut table = arena();
    let orc = enemy(&table);
    changes(&mut table, orc, |orc| orc.attack = 500);
    table.types("Olad", "kill orc");
    for _ in 0..60 {
        if table.branch_of("Olad").is_none() {
            return table;
        }
        table.waits(Span::secs(3));
    }
    panic!("Olad stands");
}

#[test]
fn death_rumour_has_variants_and_survives_a_restart() {
    let mut table = after_olads_death();
    let olad = table.id("Olad");
    let fell = |event: &RumourEvent| matches!(event, RumourEvent::Fall { who, slayer, .. } if *who == olad && slayer.as_deref() == Some("orc"));
    assert!(events(&table).iter().any(fell), "{:?}", events(&table));
    bera_enters_shop(&mut table);
    let before = told(&mut table, "Bera");
    let of_olad: Vec<&String> =
        before.iter().filter(|says| says.contains("an orc") && says.contains("Olad")).collect();
    assert!(of_olad.len() >= 2, "{before:#?}");
    assert!(before.iter().all(|says| !says.contains('{')), "{before:#?}");
    table.restart();
    assert!(events(&table).iter().any(fell));
    assert!(told(&mut table, "Bera").iter().any(|says| says.contains("an orc")));
    let asked = table.types("Bera", "ask chandler about the well");
    assert!(asked.contains("Whoever does neither I stop counting. "), "{asked}");
}

#[test]
fn depth_record_is_stored_once_until_exceeded() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.becomes("Olad", 9_999, 999);
    table.types_all("Olad", &["down", "north"]);
    hero_opens(&mut table, "Olad", 30);
    let records = |table: &Table| -> Vec<u32> {
        let depth = |event: &RumourEvent| match event {
            RumourEvent::Record { depth, .. } => Some(*depth),
            _ => None,
        };
        events(table).iter().filter_map(depth).collect()
    };
    let first = records(&table);
    assert_eq!(first.len(), 1, "{first:?}");
    assert!(first[0] >= 4, "{first:?}");
    let best = table.world().meta().records.values().copied().max();
    assert_eq!(best, Some(first[0]));
    table.sit("Bera");
    table.becomes("Bera", 9_999, 999);
    table.types_all("Bera", &["down", "north"]);
    hero_opens(&mut table, "Bera", 4);
    assert_eq!(records(&table), first, "nobody was deeper");
}

/// A finished house, and a collapsed branch of some size.
#[test]
fn finished_and_collapsed_branches_become_rumours() {
    let mut config = seeded(3);
    config.dungeon.reset_chance_permille = 1_000;
    let mut table = Table::new(config);
    table.sit("Olad");
    table.becomes("Olad", 9_999, 999);
    table.types_all("Olad", &["down", "west"]);
    let branch = table.branch_of("Olad").expect("a member");
    let is_open = |table: &Table| {
        let index = table.world().branches.index_of(branch).expect("a living branch");
        index.frontiers.values().any(|frontier| frontier.open_count() > 0)
    };
    for rooms in 2..=60 {
        if is_open(&table) {
            hero_opens(&mut table, "Olad", rooms);
        }
    }
    let olad = table.id("Olad");
    let rooms = table.branch("Olad").rooms_made;
    let end = RumourEvent::End { who: olad, rooms };
    assert_eq!(events(&table).iter().filter(|event| **event == end).count(), 1, "{:?}", events(&table));
    table.types("Olad", "recall");
    table.waits(Span::mins(20));
    assert_eq!(table.branch_of("Olad"), None);
    assert!(events(&table).contains(&RumourEvent::Collapse { rooms }), "{:?}", events(&table));
}

#[test]
fn opened_hoard_becomes_a_rumour() {
    let mut table = olad_finds("a treasure", |_, room| {
        room.sheet.kind == RoomKind::Treasure && !room.challenge.reward.is_empty()
    });
    table.becomes("Olad", 9_999, 999);
    let (olad, guard) = (table.id("Olad"), enemy(&table));
    let name = table.world().characters[guard].name.clone();
    table.types("Olad", &format!("kill {name}"));
    for _ in 0..60 {
        if table.room("Olad").clear {
            break;
        }
        table.waits(Span::secs(3));
        let next = table.room("Olad").id;
        let left = table
            .world()
            .occupants(next)
            .iter()
            .find(|id| table.world().characters[**id].prototype.is_some());
        if let Some(name) = left.map(|id| table.world().characters[*id].name.clone()) {
            table.types("Olad", &format!("kill {name}"));
        }
    }
    let depth = table.room("Olad").depth;
    assert!(events(&table).contains(&RumourEvent::Hoard { who: olad, depth }), "{:?}", events(&table));
}

/// The table is bounded and keeps some of each kind. Deleting an account deletes its rumours, and players with `fame`
/// off are not named.
#[test]
fn d2_a8_rumours_are_bounded_and_respect_fame_setting() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    bera_enters_shop(&mut table);
    let olad = table.id("Olad");
    store_rumours(&mut table, [RumourEvent::Hoard { who: olad, depth: 9 }]);
    assert!(told(&mut table, "Bera").iter().any(|says| says.contains("Olad")));
    assert!(table.types("Olad", "config fame off").contains("off"));
    let told_now = told(&mut table, "Bera");
    assert!(told_now.iter().all(|says| !says.contains("Olad")), "{told_now:#?}");
    assert!(told_now.iter().any(|says| says.to_lowercase().contains("somebody")), "{told_now:#?}");
    let text = table.types("Olad", "export") + &table.types("Olad", "export 2");
    assert!(text.contains("Heard in the town: "), "{text}");
    let (_, kept) = table.game().kept_of("olad").unwrap().expect("Olad");
    assert_eq!(kept["tidings"].as_array().map(Vec::len), Some(1));
    table.step(Input::Operator { asker: SessionId(u64::MAX), line: "delete Olad".into(), by: None });
    assert_eq!(events(&table), []);
    assert_eq!(table.game().check(), Vec::<String>::new());
}

#[test]
fn a8_oldest_rumour_of_the_most_frequent_kind_is_evicted() {
    let mut config = seeded(3);
    config.limits.tidings = 3;
    let mut table = Table::new(config);
    table.sit("Olad");
    let olad = table.id("Olad");
    let fall = RumourEvent::Fall { who: olad, depth: 9, slayer: None };
    let collapses = (1..=2).map(|rooms| RumourEvent::Collapse { rooms });
    store_rumours(&mut table, [fall.clone()].into_iter().chain(collapses));
    table.becomes("Olad", 9_999, 999);
    table.types_all("Olad", &["down", "north"]);
    let stored = events(&table);
    for rooms in 2..=60 {
        if events(&table) == stored {
            hero_opens(&mut table, "Olad", rooms);
        }
    }
    let mut rumours = events(&table);
    let newest = rumours.pop().expect("a rumour");
    assert_eq!(newest.characters(), [olad], "{rumours:?}");
    assert_eq!(rumours, [fall, RumourEvent::Collapse { rooms: 2 }]);
}

/// Offline players are ranked too; players with `fame` off are not.
#[test]
fn level_board_includes_offline_players() {
    let mut table = Table::new(seeded(1));
    for name in ["Olad", "Bera", "Gesa"] {
        table.sit(name);
    }
    let bera = table.id("Bera");
    changes(&mut table, bera, |body| (body.level, body.xp) = (7, 3));
    table.types("Bera", "quit");
    let board = table.types("Olad", "top");
    assert!(board.starts_with("The highest levels of all climbers\n1. Bera: level 7\n2. "), "{board}");
    assert!(board.contains("Olad: level 1, here just now"), "{board}");
    table.comes_back("Bera");
    table.types("Bera", "config fame off");
    let board = table.types("Olad", "top");
    assert!(!board.contains("Bera") && board.contains("Gesa"), "{board}");
    table.types("Bera", "config fame on");
    table.types("Bera", "quit");
    table.restart();
    assert!(table.types("Olad", "top").contains("1. Bera: level 7"));
}
