//! Restarts: state is unchanged, timers that expired while the server was down run once, and no timer starts over.

use crate::explorer::{olad_finds, roams};
use crate::table::{Table, seeded};
use deepwell::base::Span;
use deepwell::game::GameConfig;

fn config_with_certain_expiry() -> GameConfig {
    let mut config = seeded(3);
    config.dungeon.reset_chance_permille = 1_000;
    config
}

fn in_a_branch(config: GameConfig) -> Table {
    let mut table = Table::new(config);
    table.sit("Olad");
    table.types_all("Olad", &["down", "east"]);
    table
}

/// A window closes at its time, also after a restart or while the server is down.
#[test]
fn e7_w2_window_closes_on_time_across_restarts() {
    let mut table = in_a_branch(config_with_certain_expiry());
    table.waits(Span::secs(200));
    table.restart();
    table.waits(Span::secs(99));
    assert!(table.branch("Olad").window_open, "a restart does not shorten it");
    table.waits(Span::secs(1));
    assert!(!table.branch("Olad").window_open, "nor does it lengthen it");

    let mut table = in_a_branch(config_with_certain_expiry());
    table.sleeps(Span::secs(1_000));
    table.restart();
    assert!(!table.branch("Olad").window_open);
}

/// Ticks missed while the server was down run as one, and the schedule is kept.
#[test]
fn e46_w2_w4_missed_ticks_run_as_one_tick() {
    let mut table = in_a_branch(seeded(3));
    let start = table.branch("Olad").start_room;
    let first = table.world().start_tasks[start].next_reset_at;
    table.sleeps(Span::secs(1_000));
    table.restart();
    let next = table.world().start_tasks[start].next_reset_at;
    assert_eq!(next.since(first), Span::secs(900), "1,000 s after dawn comes the tick of 1,200 s");
    table.restart();
    assert_eq!(table.world().start_tasks[start].next_reset_at, next, "and it is not done again");
}

#[test]
fn n14_link_death_deadline_survives_restarts() {
    let mut table = in_a_branch(seeded(3));
    table.break_link("Olad");
    let until = table.body("Olad").link_dead_until;
    table.waits(Span::secs(100));
    table.restart();
    assert_eq!(table.body("Olad").link_dead_until, until);
    table.waits(Span::secs(79));
    assert!(table.body("Olad").awake);
    table.waits(Span::secs(1));
    assert!(!table.body("Olad").awake);
}

#[test]
fn e48_expiry_warning_survives_a_restart() {
    let mut config = seeded(3);
    config.dungeon.max_life = Span::mins(120);
    let mut table = in_a_branch(config);
    table.waits(Span::mins(105));
    table.restart();
    table.hears("Olad");
    table.waits(Span::mins(10));
    assert!(table.hears("Olad").contains("collapses within 10 minutes"));
}

#[test]
fn d15_hit_points_regenerate_while_server_is_down() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.becomes("Olad", 10, 5);
    table.waits(Span::secs(50));
    assert_eq!(table.types("Olad", "hp"), "15 of 30 hit points.");
    table.sleeps(Span::secs(50));
    table.restart();
    assert_eq!(table.types("Olad", "hp"), "20 of 30 hit points.");
    table.waits(Span::mins(60));
    assert_eq!(table.types("Olad", "hp"), "30 of 30 hit points.");
}

#[test]
fn e57_w2_roamers_move_again_after_a_restart() {
    let mut table = olad_finds("a roamer and a room before it", |world, room| {
        room.depth > 1
            && world
                .occupants(room.id)
                .iter()
                .any(|id| world.characters[*id].prototype.as_ref().is_some_and(|key| roams(key)))
    });
    let room = table.body("Olad").room;
    let occupants = table.world().occupants(room).to_vec();
    let roamer = occupants
        .into_iter()
        .find(|id| table.world().characters[*id].prototype.as_ref().is_some_and(|key| roams(key)))
        .expect("a roamer");
    table.becomes("Olad", 9_999, 1);
    for _ in 0..60 {
        table.waits(Span::secs(10));
        // A creature that exploded or died in a fight has moved as well.
        let stirred = table.world().characters.get(roamer).is_none_or(|body| body.room != room);
        if stirred || table.body("Olad").target.is_some() {
            return;
        }
    }
    panic!("ten minutes after the restart the roamer has not stirred");
}

/// Three players survive ten restarts in their rooms.
#[test]
fn d7_ten_restarts_change_nothing() {
    let mut table = in_a_branch(seeded(4));
    table.sit("Bera");
    table.sit("Cato");
    for turn in 0..10 {
        table.types("Bera", if turn % 2 == 0 { "down" } else { "up" });
        table.types("Cato", "say still here");
        let places = ["Olad", "Bera", "Cato"].map(|name| table.body(name).room);
        table.restart();
        assert_eq!(["Olad", "Bera", "Cato"].map(|name| table.body(name).room), places);
        table.waits(Span::secs(40));
    }
}
