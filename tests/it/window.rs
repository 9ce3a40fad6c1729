//! Start exits: players share a branch while the window is open; later players get another.

use crate::table::{DAWN, Table, seeded};
use deepwell::base::{Direction, Point, Span};
use deepwell::game::GameConfig;
use deepwell::world::ExitState;
use std::collections::BTreeSet;

/// Returns settings where a window closes at the first possible tick.
fn config_with_certain_expiry(seed: u64) -> GameConfig {
    let mut config = seeded(seed);
    config.dungeon.reset_chance_permille = 1_000;
    config
}

fn at_the_well(config: GameConfig, names: &[&str]) -> Table {
    let mut table = Table::new(config);
    for name in names {
        table.sit(name);
        table.types(name, "down");
    }
    table
}

#[test]
fn e6_two_exits_lead_to_two_branches() {
    let mut table = at_the_well(seeded(1), &["Olad", "Bera"]);
    table.types("Olad", "east");
    table.types("Bera", "west");
    let (olad, bera) = (table.branch("Olad").id, table.branch("Bera").id);
    assert_ne!(olad, bera);
    let rooms = |branch| table.rooms_of(branch).into_iter().collect::<BTreeSet<_>>();
    assert!(rooms(olad).is_disjoint(&rooms(bera)));
    assert_ne!(table.branch("Olad").seed, table.branch("Bera").seed, "E1");
}

/// Players who take the same exit within the window are members of the same branch.
#[test]
fn e7_e43_e45_same_exit_within_window_is_same_branch() {
    let mut table = at_the_well(seeded(1), &["Olad", "Bera", "Cato"]);
    table.types("Olad", "east");
    table.waits(Span::secs(10));
    table.types("Bera", "east");
    table.waits(Span::secs(200));
    table.types("Cato", "e");
    let branch = table.branch("Olad").id;
    for name in ["Olad", "Bera", "Cato"] {
        assert_eq!((table.branch(name).id, table.room(name).at), (branch, Point::new(1, 0)), "{name}");
    }
    assert_eq!(table.world().branches.members(branch).len(), 3, "trap 3: not only the first is a member");
    assert_eq!(table.rooms_of(branch).len(), 1);
}

/// With a window of one second, a player two seconds later gets another branch.
#[test]
fn e8_same_exit_after_window_is_another_branch() {
    let mut config = config_with_certain_expiry(1);
    (config.dungeon.window, config.dungeon.reset_interval) = (Span::secs(1), Span::secs(1));
    let mut table = at_the_well(config, &["Olad", "Bera"]);
    table.types("Olad", "east");
    table.waits(Span::secs(2));
    assert!(table.hears("Bera").contains("east leads somewhere new"));
    table.types("Bera", "east");
    let (olad, bera) = (table.branch("Olad").id, table.branch("Bera").id);
    assert_ne!(olad, bera);
    let rooms = |branch| table.rooms_of(branch).into_iter().collect::<BTreeSet<_>>();
    assert!(rooms(olad).is_disjoint(&rooms(bera)));
}

/// The exit back is always open, but one-way after the window.
#[test]
fn e9_exit_back_is_one_way_after_the_window() {
    let mut table = at_the_well(config_with_certain_expiry(1), &["Olad", "Bera"]);
    table.types("Olad", "east");
    table.types("Bera", "east");
    let branch = table.branch("Olad").id;
    table.waits(Span::secs(300));
    assert_eq!(table.branch("Olad").id, branch, "who is inside stays inside");
    let closed = "The way in has closed";
    assert_eq!(table.hears("Olad").matches(closed).count(), 1, "told once");
    table.waits(Span::secs(900));
    assert!(!table.hears("Olad").contains(closed));
    let exits = table.types("Olad", "exits");
    assert!(exits.contains("west: Bottom of the Well, one-way: the way in has closed"), "{exits}");
    let map = table.types("Olad", "map");
    assert!(map.contains('<'), "{map}");
    let dump = table.game().branch_dump(branch).expect("it lives");
    let way_out = dump.floors[0].rooms[0].exits.iter().find(|exit| exit.back).expect("a way out");
    assert_eq!(way_out.state, ExitState::OneWay);
    table.types("Olad", "west");
    assert_eq!(
        (table.room("Olad").sheet.name.as_str(), table.branch_of("Olad")),
        ("Bottom of the Well", None)
    );
    table.types("Olad", "east");
    assert_ne!(table.branch("Olad").id, branch);
    assert_eq!(table.branch("Bera").id, branch, "the branch lives on for the one who stayed");
}

#[test]
fn e12_exit_is_two_way_within_the_window() {
    let mut table = at_the_well(seeded(1), &["Olad"]);
    table.types("Olad", "east");
    let room = table.body("Olad").room;
    for _ in 0..3 {
        table.waits(Span::secs(60));
        table.types_all("Olad", &["west", "east"]);
        assert_eq!(table.body("Olad").room, room);
    }
}

/// Membership ends with every way out: walking, `recall`, `goto`.
#[test]
fn e44_membership_ends_outside_the_branch() {
    let mut table = at_the_well(seeded(1), &["Olad", "Bera"]);
    table.types("Olad", "east");
    let branch = table.branch("Olad").id;
    table.types("Olad", "west");
    assert_eq!((table.branch_of("Olad"), table.world().branches.members(branch).len()), (None, 0));
    table.types_all("Olad", &["east", "recall"]);
    assert_eq!((table.branch_of("Olad"), table.world().branches.members(branch).len()), (None, 0));
    table.make_owner("Bera");
    table.types_all("Bera", &["east", "goto Well Square"]);
    assert_eq!((table.branch_of("Bera"), table.world().branches.members(branch).len()), (None, 0));
}

#[test]
fn e43_disconnected_players_stay_members() {
    let mut table = at_the_well(seeded(1), &["Olad", "Bera"]);
    table.types("Olad", "east");
    table.types("Bera", "east");
    let branch = table.branch("Olad").id;
    table.break_link("Olad");
    table.types("Bera", "quit");
    table.waits(Span::secs(250));
    assert_eq!(table.world().branches.members(branch).len(), 2);
    assert!(!table.body("Olad").awake && !table.body("Bera").awake);
}

/// A tick before the end of the guaranteed window does not close it.
#[test]
fn e46_window_stays_open_for_guaranteed_minimum() {
    let mut config = config_with_certain_expiry(1);
    config.dungeon.window = Span::secs(450);
    let mut table = at_the_well(config, &["Olad"]);
    table.types("Olad", "east");
    table.waits(Span::secs(599));
    assert!(table.branch("Olad").window_open, "the tick at 300 s came too early");
    table.waits(Span::secs(1));
    assert!(!table.branch("Olad").window_open, "the tick at 600 s did not");
}

/// Returns the time, in seconds from the start, when the window closes in a world with this seed.
fn window_closing_time(seed: u64) -> i64 {
    let mut table = at_the_well(seeded(seed), &["Olad"]);
    table.types("Olad", "east");
    while table.branch("Olad").window_open {
        table.waits(Span::secs(100));
    }
    table.branch("Olad").window_ends_at.since(DAWN).whole_secs()
}

/// Windows close at 300 s ticks with a chance of one half, determined by the seed.
#[test]
fn e46_seed_determines_when_window_closes() {
    let times: Vec<i64> = (0..60).map(window_closing_time).collect();
    assert!(times.iter().all(|time| *time >= 300 && time % 300 == 0), "{times:?}");
    let first = times.iter().filter(|time| **time == 300).count();
    assert!((18..=42).contains(&first), "{first} of 60 closed at the first tick");
    assert!(times.iter().any(|time| *time >= 900));
    assert_eq!((0..10).map(window_closing_time).collect::<Vec<_>>(), times[..10]);
}

/// The start room shows who took which exit, the remaining window, and the advice to take the same exit.
#[test]
fn e7_e51_start_room_shows_the_open_window() {
    let mut table = at_the_well(seeded(1), &["Olad", "Bera"]);
    let before = table.types("Bera", "look");
    assert!(before.contains("take the same exit") && !before.contains("a branch is open"), "{before}");
    table.types("Olad", "east");
    table.waits(Span::secs(60));
    let view = table.types("Bera", "look");
    assert!(
        view.contains("East: a branch is open. Olad went there. It stays open for at least 4 minutes."),
        "{view}"
    );
    assert!(table.types("Bera", "exits").contains("Olad went there"));
    let footer = view.lines().last().unwrap_or_default();
    assert!(footer.contains("same"), "E51: {footer}");
}

#[test]
fn e42_branch_names_and_ids_never_repeat() {
    let mut table = at_the_well(config_with_certain_expiry(1), &["Olad"]);
    let (mut numbers, mut names) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..4 {
        table.types("Olad", "east");
        let branch = table.branch("Olad").clone();
        assert!(branch.name.starts_with("east-"), "{}", branch.name);
        assert!(numbers.insert(branch.id) && names.insert(branch.name));
        table.types("Olad", "west");
        table.waits(Span::secs(300));
        assert_eq!(table.world().branches.len(), 0, "E47: deserted and closed");
        table.restart();
    }
}

#[test]
fn e5_start_room_keeps_its_exits() {
    let mut config = config_with_certain_expiry(3);
    (config.dungeon.max_life, config.dungeon.check_interval) = (Span::mins(20), Span::mins(10));
    let mut table = at_the_well(config, &["Olad"]);
    let well = table.body("Olad").room;
    for direction in Direction::PLANE {
        table.types("Olad", direction.name());
        table.waits(Span::mins(60));
        assert_eq!(table.body("Olad").room, well, "thrown out by the collapse");
        assert_eq!(table.world().branches.len(), 0);
        let exits: Vec<_> = table.world().exits.of(well).filter_map(|exit| exit.direction).collect();
        let five = Direction::PLANE.into_iter().chain([Direction::Up]);
        assert!(exits.len() == 5 && five.into_iter().all(|way| exits.contains(&way)), "{exits:?}");
    }
}

/// A mapping client is notified of every change of the room shown: an exit opened by another player, a window closed.
#[test]
fn protocols_6_map_data_is_sent_on_every_room_change() {
    let mut config = seeded(3);
    config.dungeon.reset_chance_permille = 1000;
    let mut table = Table::new(config);
    table.sit("Olad");
    table.sit("Bera");
    table.types("Olad", "down");
    table.charts("Olad");
    assert_eq!(table.charted("Olad").len(), 1, "all of it at once when it is asked for");
    table.types_all("Bera", &["down", "east"]);
    let opened = table.charted("Olad").pop().expect("the way east leads somewhere");
    assert_eq!(
        (opened.exits.get("e"), opened.exitsv2["e"].state.as_str()),
        (Some(&table.room("Bera").id.0), "open")
    );
    table.waits(Span::secs(601));
    let closed = table.charted("Olad").pop().expect("the way east leads elsewhere");
    assert_eq!((closed.exits.get("e"), closed.exitsv2["e"].state.as_str()), (None, "unexplored"));
}

/// Players in the start room see which exit an arriving player came from, also after the window has closed.
#[test]
fn arrival_from_closed_branch_names_its_exit() {
    let mut table = at_the_well(config_with_certain_expiry(1), &["Olad", "Bera", "Cato"]);
    table.types("Olad", "east");
    table.types("Bera", "east");
    table.waits(Span::mins(10));
    assert!(table.hears("Cato").contains("the way east leads somewhere new now"));
    for name in ["Bera", "Olad"] {
        table.types(name, "west");
        let read = table.hears("Cato");
        assert!(read.contains(&format!("{name} arrives from the east.")), "{read}");
    }
}
