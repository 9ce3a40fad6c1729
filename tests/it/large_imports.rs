//! Imports of zone files with very many rooms: they take several steps, during which players play on, and are completed
//! after a crash.

use crate::table::{Table, seeded};
use crate::workshop::Workshop;
use deepwell::base::Span;
use deepwell::game::{GameConfig, Input};
use deepwell::world::Spawned;
use std::fmt::Write as _;

/// Work of a slice with which zones of a few dozen rooms are imported over several steps.
pub(crate) const SMALL_SLICE: u32 = 150;

/// Returns a workshop in which Olad, who is owner, and Bera are in the town.
pub(crate) fn workshop(slice_work: u32) -> Workshop {
    workshop_with(slice_work, GameConfig::default().limits.undo_import_bytes)
}

/// Returns such a workshop with a limit on what is kept for `undo`.
fn workshop_with(slice_work: u32, undo_import_bytes: u32) -> Workshop {
    let mut config = GameConfig { ..seeded(5) };
    (config.limits.slice_work, config.limits.undo_import_bytes) = (slice_work, undo_import_bytes);
    (config.limits.zone_rooms, config.limits.built_rooms) = (100_000, 200_000);
    let mut table = Table::new(config);
    table.sit("Olad");
    table.make_owner("Olad");
    table.sit("Bera");
    if slice_work > SMALL_SLICE {
        table.allows_any_work();
    }
    Workshop::beside(table)
}

/// Returns a file of a grid of rooms, ten in a row, with details, triggers and creatures.
pub(crate) fn grid(rooms: u32) -> String {
    let mut text = String::new();
    for number in 0..rooms {
        let (x, y) = (number % 10, number / 10);
        let _ = write!(
            text,
            "\n[[rooms]]\nkey = \"r{number}\"\nname = \"Cell {number}\"\nat = [{x}, {y}, 0]\nenvironment = \"indoors\"\n\
             description = \"A cell with a bed of straw, and a small window high up in the wall, number {number}.\"\n"
        );
        if number % 7 == 0 {
            text.push_str("\n[[rooms.details]]\nnoun = \"straw\"\ntext = \"Old straw.\"\n");
            text.push_str("\n[[rooms.spawns]]\ncreature = \"rat\"\ncount = 1\nevery_secs = 60\n");
            let _ =
                write!(text, "\n[[rooms.triggers]]\non = \"search\"\nlines = [\"move r{}\"]\n", rooms - 1);
        }
        let ways = [
            ("north", (y + 1 < rooms.div_ceil(10)).then_some(number + 10)),
            ("east", (x < 9).then_some(number + 1)),
            ("south", number.checked_sub(10)),
            ("west", (x > 0).then(|| number - 1)),
        ];
        for (name, to) in ways {
            if let Some(to) = to.filter(|to| *to < rooms) {
                let _ = write!(text, "\n[[rooms.exits]]\nname = \"{name}\"\nto = \"r{to}\"\n");
            }
        }
    }
    text
}

/// Types the import of a file, and waits until it is complete. Returns the answer.
pub(crate) fn import(shop: &mut Workshop, zone: &str, text: &str) -> String {
    shop.files.insert(zone.to_owned(), text.to_owned());
    let mut text = shop.types("Olad", &format!("zone import {zone} now"));
    shop.table.waits(Span::secs(90));
    text.push_str(&shop.table.hears("Olad"));
    text
}

/// A8: with more rooms, an import has more steps, and no larger ones; players play on, and builders
/// are told to wait.
#[test]
fn a8_steps_of_an_import_do_not_grow_with_the_zone() {
    let [small, large] = [800, 3_200].map(|rooms| {
        let mut shop = workshop(4_000);
        shop.table.checks_every(400);
        shop.files.insert("maze".to_owned(), grid(rooms));
        shop.table.takes_largest_work();
        shop.types("Olad", "zone import maze now");
        let mut looks = 0;
        while shop.table.world().rooms.of_zone("maze").len() < rooms as usize {
            shop.table.waits(Span::millis(50));
            let answer = shop.table.types("Bera", "look");
            assert!(answer.contains("Exits"), "{answer}");
            looks += 1;
            assert!(looks < 10_000, "the import ends");
        }
        assert!(looks > 3, "{rooms} rooms come in at once");
        let refused = shop.types("Olad", "dig Shed = shed, out");
        assert!(refused.contains("nothing is built meanwhile"), "{refused}");
        shop.table.waits(Span::secs(60));
        let text = shop.table.hears("Olad");
        let expected =
            format!("The zone maze is as its file says: {} made, zero rooms kept", told_number(rooms));
        assert!(text.contains(&expected), "{text}");
        let rats =
            shop.table.world().characters.iter().filter(|(_, body)| body.prototype.as_deref() == Some("rat"));
        assert!(rats.count() >= rooms as usize / 7, "creatures come at the next check");
        for (line, left) in [("undo", 0), ("redo", rooms as usize)] {
            shop.types("Olad", line);
            while shop.table.world().rooms.of_zone("maze").len() != left {
                shop.table.waits(Span::millis(50));
                shop.table.types("Bera", "look");
                looks += 1;
                assert!(looks < 40_000, "{line} ends");
            }
            shop.table.waits(Span::secs(60));
            let text = shop.table.hears("Olad");
            assert!(text.contains("The zone maze is as it was: "), "{text}");
        }
        shop.table.takes_largest_work()
    });
    println!("{small} and {large} units of work");
    assert!(large <= small + small / 4 && large < 8_000, "{small} and {large} units of work in one step");
}

fn told_number(rooms: u32) -> String {
    format!("{rooms} rooms")
}

/// The first file of a zone and how it changes, in the order of its rooms.
const CHANGES: &[(&str, &[(&str, &str)])] = &[
    ("nothing", &[]),
    (
        "texts, exits and triggers",
        &[
            ("name = \"Cell 3\"", "name = \"Cell of the third\""),
            ("name = \"east\"\nto = \"r9\"", "name = \"gate\"\nto = \"r9\""),
            ("lines = [\"move r39\"]", "lines = [\"move town/square\"]"),
            ("creature = \"rat\"\ncount = 1", "creature = \"rat\"\ncount = 2"),
        ],
    ),
    (
        "a key alone",
        &[("key = \"r39\"", "key = \"last\""), ("\"r39\"", "\"last\""), ("move r39", "move last")],
    ),
    (
        "places that change sides",
        &[
            ("at = [0, 0, 0]", "at = [99, 0, 0]"),
            ("at = [1, 0, 0]", "at = [0, 0, 0]"),
            ("at = [99, 0, 0]", "at = [1, 0, 0]"),
        ],
    ),
    ("places left out", &[("at = [4, 2, 0]\n", ""), ("at = [5, 2, 0]\n", "")]),
];

/// Applies changes to a file: each to all places, as a key is in several.
fn changed(text: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

/// Removes all rooms from a number on, and the exits and triggers that lead there.
fn without_last_rooms(text: &str, rooms: u32, kept: u32) -> String {
    let mut text =
        text.split("\n[[rooms]]\n").take(kept as usize + 1).collect::<Vec<_>>().join("\n[[rooms]]\n");
    for number in kept..rooms {
        for side in ["north", "east", "south", "west"] {
            text = text.replace(&format!("\n[[rooms.exits]]\nname = \"{side}\"\nto = \"r{number}\"\n"), "");
        }
        text = text.replace(&format!("move r{number}\""), "move r0\"");
    }
    text
}

/// State of a zone after an import, without numbers of rooms: its file, the players in it, and its creatures.
fn state(shop: &mut Workshop) -> (String, Vec<(String, String)>, Vec<String>) {
    // A file that was changed is not overwritten.
    shop.files.remove("maze");
    let text = shop.exported("maze");
    let world = shop.table.world();
    let name = |body: &deepwell::world::Character| {
        let room = &world.rooms[body.room];
        (body.name.clone(), format!("{}/{}", room.area, room.zone_key()))
    };
    let mut bodies: Vec<_> =
        world.characters.iter().filter(|(_, body)| body.is_player()).map(|(_, body)| name(body)).collect();
    bodies.sort();
    let made = world.definitions.iter().map(|(_, row)| format!("{} {:?} {}", row.key, row.draft, row.text));
    (text, bodies, made.collect())
}

/// A world with the zone, with an exit from the town, and with Bera in the last room of the zone.
pub(crate) fn world_with_zone(slice_work: u32, rooms: u32) -> Workshop {
    with_zone(workshop(slice_work), rooms)
}

fn with_zone(mut shop: Workshop, rooms: u32) -> Workshop {
    let answer = import(&mut shop, "maze", &grid(rooms));
    assert!(answer.contains("is as its file says"), "{answer}");
    shop.table.waits(Span::secs(400));
    let last = shop.table.world().rooms.of_key("maze", &format!("r{}", rooms - 1)).expect("it is there");
    shop.types_all(
        "Olad",
        &[&format!("open cells = #{last}"), &format!("goto #{last}"), "spawn rat", "spawn rye loaf"],
    );
    shop.types_all(
        "Olad",
        &[
            "make creature mite like rat = mite",
            "make creature warden like rat = warden",
            "trigger creature warden greet = move maze/r3",
            "spawn mite = 1 every 60",
        ],
    );
    shop.types("Olad", "goto bera");
    shop.table.types("Bera", "cells");
    assert_eq!(shop.table.room("Bera").id, last);
    shop.table.waits(Span::secs(400));
    shop
}

fn changes_of(rooms: u32) -> Vec<(String, String)> {
    let whole = grid(rooms);
    let mut changes: Vec<(String, String)> =
        CHANGES.iter().map(|(about, edits)| ((*about).to_owned(), changed(&whole, edits))).collect();
    changes.push(("removed rooms".to_owned(), without_last_rooms(&whole, rooms, rooms - 8)));
    changes.push(("all rooms removed".to_owned(), "rooms = []\n".to_owned()));
    changes.push(("more rooms".to_owned(), grid(rooms + 20)));
    changes
}

/// A builder is told before very many rooms change that `undo` cannot take it back, as the zone is larger than the limit.
#[test]
fn import_that_cannot_be_undone_is_refused_before() {
    const ROOMS: u32 = 40;
    for (about, text) in changes_of(ROOMS) {
        let mut shop = with_zone(workshop_with(SMALL_SLICE, UNDO_BYTES), ROOMS);
        let before = state(&mut shop);
        shop.files.insert("maze".to_owned(), text);
        shop.types("Olad", "zone import maze");
        shop.table.waits(Span::secs(90));
        let text = shop.table.hears("Olad");
        assert!(text.contains("zone import maze now brings the rooms in"), "{about}: {text}");
        assert_eq!(state(&mut shop), before, "{about}");
        let answer = works(&mut shop, "zone import maze now");
        assert!(answer.contains("undo cannot take it back"), "{about}: {answer}");
        let refused = shop.types("Olad", "undo");
        assert!(refused.contains("changed more than the journal keeps"), "{about}: {refused}");
    }
}

/// A8: a large zone is not reset in one step.
#[test]
fn a8_reset_of_a_large_zone_is_refused() {
    for (rooms, expected) in
        [(10, "It is reset."), (40, "The zone maze has 40 rooms, too many to reset at once")]
    {
        let mut shop = world_with_zone(SMALL_SLICE, rooms);
        let answer = shop.types("Olad", "respawn maze now");
        assert!(answer.contains(expected), "{answer}");
    }
}

/// An import in slices does the same as one in a single step: for each kind of change.
#[test]
fn import_in_slices_does_the_same_as_at_once() {
    const ROOMS: u32 = 40;
    for (about, text) in changes_of(ROOMS) {
        let [at_once, sliced] = [4_000, SMALL_SLICE].map(|slice_work| {
            let mut shop = world_with_zone(slice_work, ROOMS);
            shop.table.takes_largest_work();
            let answer = import(&mut shop, "maze", &text);
            let lines: Vec<&str> =
                answer.lines().filter(|line| line.contains("is as its file says")).collect();
            let text = lines.concat();
            assert!(!text.is_empty(), "{about}");
            let rats = shop.table.world().characters.iter().filter(|(_, body)| {
                body.prototype.as_deref() == Some("rat") && shop.table.world().rooms[body.home].area == "maze"
            });
            let rats = rats.count();
            shop.table.waits(Span::secs(400));
            (text, state(&mut shop), rats > 0)
        });
        assert_eq!(sliced, at_once, "{about}");
    }
}

/// D2: an import is complete or has not happened, also if the server is killed after any of its steps.
#[test]
fn d2_import_is_whole_or_absent_after_a_crash_at_any_step() {
    const ROOMS: u32 = 40;
    for (about, text) in changes_of(ROOMS) {
        let before = state(&mut world_with_zone(SMALL_SLICE, ROOMS));
        let mut shop = world_with_zone(SMALL_SLICE, ROOMS);
        import(&mut shop, "maze", &text);
        let after = state(&mut shop);
        let (mut steps, mut is_over) = (3, false);
        while !is_over {
            let mut shop = world_with_zone(SMALL_SLICE, ROOMS);
            shop.files.insert("maze".to_owned(), text.clone());
            shop.types("Olad", "zone import maze now");
            for _ in 0..steps {
                shop.table.waits(Span::millis(5));
            }
            is_over = shop.table.hears("Olad").contains("is as its file says");
            let had_begun = is_over || !shop.table.world().imports.is_empty();
            shop.table.restart();
            shop.table.waits(Span::secs(60));
            assert!(shop.table.world().imports.is_empty(), "{about} after {steps} steps");
            let found = state(&mut shop);
            let expected = if had_begun { &after } else { &before };
            assert_eq!(&found, expected, "{about} after {steps} steps");
            steps = steps * 5 / 4 + 1;
        }
    }
}

/// The mistakes of a large file are found before its first room changes, all together.
#[test]
fn mistakes_of_a_large_file_are_told_together_and_nothing_changes() {
    const ROOMS: u32 = 40;
    let mut shop = world_with_zone(SMALL_SLICE, ROOMS);
    let before = state(&mut shop);
    let file =
        changed(&grid(ROOMS), &[("to = \"r5\"", "to = \"nowhere\""), ("at = [3, 3, 0]", "at = [2, 3, 0]")]);
    shop.table.waits(Span::secs(60));
    let answer = import(&mut shop, "maze", &file);
    for message in
        ["The zone stays as it is", "unknown room `nowhere`", "room `r33` lies where room `r32` lies"]
    {
        assert!(answer.contains(message), "{message}: {answer}");
    }
    let line = file.lines().position(|line| line.contains("nowhere")).expect("a line") + 1;
    assert!(answer.contains(&format!("zones/maze.toml:{line}:6: unknown room")), "{answer}");
    assert_eq!(state(&mut shop), before);
    let free = shop.types("Olad", "dig Shed = shed, out");
    assert!(!free.contains("meanwhile"), "{free}");
}

/// A builder who leaves during an import does not stop it.
#[test]
fn import_completes_without_its_builder() {
    let mut shop = workshop(SMALL_SLICE);
    shop.files.insert("maze".to_owned(), grid(60));
    shop.types("Olad", "zone import maze now");
    while shop.table.world().imports.is_empty() {
        shop.table.waits(Span::millis(5));
    }
    let session = shop.table.session("Olad");
    shop.table.step(Input::Command { session, line: "quit".into() });
    shop.table.waits(Span::secs(60));
    assert_eq!(shop.table.world().rooms.of_zone("maze").len(), 60);
    let rule =
        &shop.table.world().rooms[shop.table.world().rooms.of_key("maze", "r7").expect("a room")].spawns[0];
    assert_eq!(rule.what, Spawned::Creature("rat".to_owned()));
}

/// Types a line about a draft, and waits until it is done. Returns the answer.
pub(crate) fn on_draft(shop: &mut Workshop, line: &str) -> String {
    shop.table.waits(Span::secs(100));
    shop.table.hears("Olad");
    let mut text = shop.types("Olad", line);
    shop.table.waits(Span::secs(60));
    text.push_str(&shop.table.hears("Olad"));
    text
}

/// Goes to a room by zone and key.
pub(crate) fn go_to(shop: &mut Workshop, zone: &str, key: &str) {
    let room = shop.table.world().rooms.of_key(zone, key).expect("a room");
    shop.types("Olad", &format!("goto #{room}"));
    assert_eq!(shop.table.room("Olad").id, room);
}

/// Creates a draft of the zone that differs from it, with a room elsewhere that names the draft. Olad is in the draft.
fn world_with_draft(slice_work: u32, rooms: u32) -> Workshop {
    let mut shop = world_with_zone(slice_work, rooms);
    let answer = on_draft(&mut shop, "zone draft maze");
    assert!(answer.contains("maze_draft is a draft of the zone maze"), "{answer}");
    let in_draft = shop.table.world().rooms.of_key("maze_draft", "r5").expect("a room of the draft");
    shop.types("Olad", "goto bera");
    shop.types("Olad", "cells");
    shop.types_all("Olad", &[&format!("trigger search as away = move #{in_draft}")]);
    go_to(&mut shop, "maze_draft", "r0");
    shop.types_all(
        "Olad",
        &["describe here = Another cell.", "trigger enter = tell New.", "dig Annex = annex, out"],
    );
    shop.types_all("Olad", &["destroy east", "variable new keys = number"]);
    shop.types_all("Olad", &["set creature mite hp = 9"]);
    // The rooms of a large draft follow its versions over several steps, during which nothing is built.
    shop.table.waits(Span::secs(10));
    shop.types_all("Olad", &["make item straw = straw", "spawn straw = 1 every 60"]);
    go_to(&mut shop, "maze_draft", "r9");
    shop.types_all("Olad", &["destroy here"]);
    go_to(&mut shop, "maze_draft", "r0");
    shop
}

/// Lines of the trigger that named the draft, without room numbers.
fn follower(shop: &Workshop) -> Vec<String> {
    let world = shop.table.world();
    let lines =
        world.rooms.iter().flat_map(|(_, room)| &*room.triggers).filter(|trigger| trigger.name == "away");
    let lines = lines.flat_map(|trigger| trigger.lines.clone());
    lines.map(|line| line.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()).collect()
}

/// Drafts are made, published and discarded in slices as at once.
#[test]
fn drafts_in_slices_do_the_same_as_at_once() {
    const ROOMS: u32 = 40;
    for line in ["zone publish maze now", "zone discard maze now"] {
        let [at_once, sliced] = [4_000, SMALL_SLICE].map(|slice_work| {
            let mut shop = world_with_draft(slice_work, ROOMS);
            let answer = on_draft(&mut shop, line);
            let text: String = answer.lines().filter(|line| line.starts_with("Everybody sees")).collect();
            assert!(!shop.table.world().meta().zones.contains_key("maze_draft"), "{line}");
            assert_eq!(shop.table.world().rooms.of_zone("maze_draft").len(), 0, "{line}");
            shop.table.waits(Span::secs(400));
            (text, state(&mut shop), follower(&shop))
        });
        assert_eq!(sliced, at_once, "{line}");
        assert_eq!(sliced.0.is_empty(), line.contains("discard"), "{}", sliced.0);
    }
}

/// D2: a draft is made, published or discarded as a whole or not at all, also if the server is killed after any step.
#[test]
fn d2_draft_is_whole_or_absent_after_a_crash_at_any_step() {
    const ROOMS: u32 = 40;
    for line in ["zone draft maze", "zone publish maze now", "zone discard maze now"] {
        let world = || {
            if line.contains("zone draft") {
                world_with_zone(SMALL_SLICE, ROOMS)
            } else {
                world_with_draft(SMALL_SLICE, ROOMS)
            }
        };
        let of_draft = |shop: &Workshop| shop.table.world().rooms.of_zone("maze_draft").len();
        let mut shop = world();
        let before = (of_draft(&shop), state(&mut shop), follower(&shop));
        on_draft(&mut shop, line);
        let after = (of_draft(&shop), state(&mut shop), follower(&shop));
        assert_ne!(before, after, "{line}");
        let (mut steps, mut is_over) = (3, false);
        while !is_over {
            let mut shop = world();
            shop.table.waits(Span::secs(100));
            shop.table.hears("Olad");
            shop.types("Olad", line);
            for _ in 0..steps {
                shop.table.waits(Span::millis(5));
            }
            is_over = shop.table.hears("Olad").contains("undo cannot take it back");
            let had_begun = is_over || !shop.table.world().imports.is_empty();
            shop.table.restart();
            shop.table.waits(Span::secs(60));
            let found = (of_draft(&shop), state(&mut shop), follower(&shop));
            let expected = if had_begun { &after } else { &before };
            assert_eq!(&found, expected, "{line} after {steps} steps");
            steps = steps * 5 / 4 + 1;
        }
    }
}

/// Creates the draft of a new zone with many rooms.
fn world_with_new_draft(slice_work: u32) -> Workshop {
    let mut shop = workshop(slice_work);
    shop.types("Olad", "north");
    shop.types("Olad", "zone draft barn");
    let answer = import(&mut shop, "barn_draft", &grid(30));
    assert!(answer.contains("is as its file says"), "{answer}");
    go_to(&mut shop, "barn_draft", "r3");
    shop.types_all("Olad", &["spawn rye loaf", "describe here = Chaff."]);
    shop
}

/// A new zone takes the rooms of its draft over in slices as at once, also after a crash at any step.
#[test]
fn rooms_of_a_new_zone_are_taken_over_in_slices_as_at_once() {
    let numbers = |shop: &Workshop, zone: &str| {
        let rooms = shop.table.world().rooms.of_zone(zone);
        rooms.map(|room| (room, shop.table.world().ground(room).len())).collect::<Vec<_>>()
    };
    let [(at_once, _), (sliced, mut most)] = [4_000, SMALL_SLICE].map(|slice_work| {
        let mut shop = world_with_new_draft(slice_work);
        let before = numbers(&shop, "barn_draft");
        let answer = on_draft(&mut shop, "zone publish barn now");
        assert!(
            answer.contains("Everybody sees the new barn now: 30 rooms made, zero rooms kept"),
            "{answer}"
        );
        assert_eq!(numbers(&shop, "barn"), before);
        (shop.exported("barn"), 3)
    });
    assert_eq!(sliced, at_once);
    loop {
        let mut shop = world_with_new_draft(SMALL_SLICE);
        let before = numbers(&shop, "barn_draft");
        shop.table.waits(Span::secs(100));
        shop.table.hears("Olad");
        shop.types("Olad", "zone publish barn now");
        (0..most).for_each(|_| shop.table.waits(Span::millis(5)));
        let is_over = shop.table.hears("Olad").contains("undo cannot take it back");
        let had_begun = is_over || !shop.table.world().imports.is_empty();
        shop.table.restart();
        shop.table.waits(Span::secs(60));
        assert_eq!(
            numbers(&shop, if had_begun { "barn" } else { "barn_draft" }),
            before,
            "after {most} steps"
        );
        if had_begun {
            assert_eq!(shop.exported("barn"), sliced, "after {most} steps");
        }
        if is_over {
            break;
        }
        most = most * 5 / 4 + 1;
    }
}

/// New zones that come in together lie beside each other, in slices as at once.
#[test]
fn new_zones_of_one_import_do_not_overlap() {
    for slice_work in [4_000, SMALL_SLICE] {
        let mut shop = workshop(slice_work);
        let door = |to: &str| format!("to = \"r1\"\n\n[[rooms.exits]]\nname = \"door\"\nto = \"{to}/r0\"\n");
        for (zone, other, leaves_out) in [("m1", "m2", false), ("m2", "m3", false), ("m3", "m1", true)] {
            let text = grid(30).replacen("to = \"r1\"\n", &door(other), 1);
            let text = if leaves_out { text.replace("at = [2, 2, 0]\n", "") } else { text };
            shop.files.insert(zone.to_owned(), text);
        }
        shop.types("Olad", "zone import m1 m2 m3");
        shop.table.waits(Span::secs(90));
        for zone in ["m1", "m2", "m3"] {
            assert_eq!(shop.table.world().rooms.of_zone(zone).len(), 30, "{zone}");
        }
        assert_eq!(shop.table.game().check(), [""; 0]);
        let world = shop.table.world();
        let door = |zone: &str| {
            let first = world.rooms.of_key(zone, "r0").expect("a room");
            let exit = world.exits.of(first).find(|exit| exit.name == "door");
            world.rooms[exit.and_then(|exit| exit.to).expect("it leads on")].area.clone()
        };
        assert_eq!(["m1", "m2", "m3"].map(door), ["m2", "m3", "m1"]);
    }
}

/// Number of bytes after which an import cannot be undone, in the tests of that.
const UNDO_BYTES: u32 = 1_024;

/// Numbers that are drawn one after the other.
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn one_of(&mut self, all: &[u64]) -> u64 {
        all[usize::try_from(self.below(all.len() as u64)).expect("a place")]
    }
}

/// Returns a file of some of the rooms of a grid, with other texts, exits, doors, triggers and places than in other files.
fn drawn(draw: &mut Draw, rooms: u64) -> String {
    let kept: Vec<u64> = (0..rooms).filter(|_| draw.below(5) > 0).collect();
    let mut text = String::new();
    for number in kept.iter().copied() {
        let (x, y) = (number % 10, number / 10);
        let _ = write!(text, "\n[[rooms]]\nkey = \"r{number}\"\nname = \"Cell {}\"\n", draw.below(3));
        if draw.below(8) > 0 {
            // High above all other zones.
            let z = 500 + draw.below(2);
            let _ = writeln!(text, "at = [{x}, {y}, {z}]");
        }
        let _ = write!(
            text,
            "environment = \"indoors\"\ndescription = \"A cell, number {number}, {}.\"\n",
            draw.below(4)
        );
        if draw.below(3) == 0 {
            text.push_str("\n[[rooms.spawns]]\ncreature = \"rat\"\ncount = 1\nevery_secs = 60\n");
            let to = draw.one_of(&kept);
            let _ = write!(text, "\n[[rooms.triggers]]\non = \"search\"\nlines = [\"move r{to}\"]\n");
        }
        for name in ["north", "east", "hatch", "ladder"] {
            let to = draw.one_of(&kept);
            if to != number && draw.below(3) > 0 {
                let _ = write!(text, "\n[[rooms.exits]]\nname = \"{name}\"\nto = \"r{to}\"\n");
                if draw.below(4) == 0 {
                    let _ = writeln!(text, "door = \"gate\"\ndoor_open = {}", draw.below(2) == 0);
                }
            }
        }
    }
    text
}

/// Files of the zone and of the town, without those that were changed. `None` for a zone that does not exist.
fn both_files(shop: &mut Workshop) -> [Option<String>; 2] {
    shop.table.waits(Span::secs(200));
    ["maze", "town"].map(|zone| {
        shop.files.remove(zone);
        let is_there = shop.table.world().meta().zones.contains_key(zone);
        is_there.then(|| shop.exported(zone))
    })
}

/// A world with a drawn zone, into which an exit leads from the town, a file for it, and the files of zones before and after
/// its import.
fn imported(seed: u64) -> (Workshop, [Option<String>; 2], [Option<String>; 2]) {
    const ROOMS: u64 = 40;
    let mut draw = Draw(seed);
    let mut shop = workshop(SMALL_SLICE);
    let answer = import(&mut shop, "maze", &drawn(&mut draw, ROOMS));
    assert!(answer.contains("is as its file says"), "{answer}");
    shop.table.waits(Span::secs(200));
    let mut rooms = shop.table.world().rooms.of_zone("maze");
    let (first, last) = (rooms.next().expect("a room"), rooms.last().expect("another room"));
    shop.types_all("Olad", &[&format!("open cells = #{last}"), &format!("open vault = #{first}")]);
    shop.types_all("Olad", &[&format!("trigger search as away = move #{last}")]);
    let before = both_files(&mut shop);
    let answer = import(&mut shop, "maze", &drawn(&mut draw, ROOMS));
    assert!(answer.contains("is as its file says"), "{answer}");
    let after = both_files(&mut shop);
    assert_ne!(before, after);
    (shop, before, after)
}

/// Types a line, and waits until its work is done. Returns the answer.
fn works(shop: &mut Workshop, line: &str) -> String {
    shop.table.waits(Span::secs(200));
    shop.table.hears("Olad");
    let mut text = shop.types("Olad", line);
    shop.table.waits(Span::secs(90));
    text.push_str(&shop.table.hears("Olad"));
    text
}

/// Undo of an import in slices restores the files of all zones, redo the imported ones, and so on.
#[test]
fn undo_of_an_import_in_slices_restores_the_exports() {
    for seed in 0..8 {
        let (mut shop, before, after) = imported(seed);
        for round in 0..2 {
            let answer = works(&mut shop, "undo");
            assert!(answer.contains("The zone maze is as it was: "), "{seed}, {round}: {answer}");
            assert_eq!(both_files(&mut shop), before, "{seed}, {round}");
            let answer = works(&mut shop, "redo");
            assert!(answer.contains("The zone maze is as it was: "), "{seed}, {round}: {answer}");
            assert_eq!(both_files(&mut shop), after, "{seed}, {round}");
        }
        assert_eq!(shop.table.game().check(), [""; 0]);
    }
}

/// D2: an undo is complete or has not happened, also if the server is killed after any of its steps.
#[test]
fn d2_undo_of_an_import_is_whole_or_absent_after_a_crash_at_any_step() {
    for line in ["undo", "redo"] {
        let (mut steps, mut is_over) = (3, false);
        while !is_over {
            let (mut shop, before, after) = imported(7);
            if line == "redo" {
                works(&mut shop, "undo");
            }
            shop.table.waits(Span::secs(200));
            shop.table.hears("Olad");
            shop.types("Olad", line);
            for _ in 0..steps {
                shop.table.waits(Span::millis(5));
            }
            is_over = shop.table.hears("Olad").contains("is as it was");
            let had_begun = is_over || !shop.table.world().imports.is_empty();
            shop.table.restart();
            shop.table.waits(Span::secs(60));
            assert!(shop.table.world().imports.is_empty(), "{line} after {steps} steps");
            let expected = if had_begun == (line == "undo") { &before } else { &after };
            assert_eq!(&both_files(&mut shop), expected, "{line} after {steps} steps");
            if had_begun {
                let (back, other) = if line == "undo" { ("redo", &after) } else { ("undo", &before) };
                works(&mut shop, back);
                assert_eq!(&both_files(&mut shop), other, "{line} after {steps} steps, and {back}");
            }
            steps = steps * 3 / 2 + 1;
        }
    }
}

/// Undo of an import never overwrites a later change, and works again once that is undone. Doors that players open are no
/// change.
#[test]
fn undo_of_an_import_is_refused_after_a_later_change() {
    for line in ["describe here = New.", "dig Annex = annex, out", "variable new keys = number"] {
        let (mut shop, before, after) = imported(3);
        let room = shop.table.world().rooms.of_zone("maze").next().expect("a room");
        shop.types("Olad", &format!("goto #{room}"));
        let import = shop.table.world().journal.iter().next_back().expect("an entry").0;
        shop.types_all("Olad", &[line]);
        let changed = both_files(&mut shop);
        let answer = works(&mut shop, &format!("undo {import}"));
        assert!(answer.contains(&format!("\"{line}\", by Olad")), "{answer}");
        assert_eq!(both_files(&mut shop), changed, "{line}");
        works(&mut shop, "undo");
        assert_eq!(both_files(&mut shop), after, "{line}");
        let (room, name) = {
            let is_shut = |exit: &deepwell::world::Exit| exit.door.as_ref().is_some_and(|door| door.shut);
            let mut exits = shop.table.world().exits.iter().map(|(_, exit)| exit);
            let shut = exits.find(|exit| is_shut(exit)).expect("a shut door");
            (shut.room, shut.name.clone())
        };
        shop.types("Olad", &format!("goto #{room}"));
        let answer = shop.types("Olad", &format!("open {name}"));
        assert!(answer.contains("You open"), "{answer}");
        let answer = works(&mut shop, &format!("undo {import}"));
        assert!(answer.contains("is as it was"), "{answer}");
        assert_eq!(both_files(&mut shop), before, "{line}");
    }
}

/// Undo of an import that brought a zone removes the zone, unless something else belongs to it by now.
#[test]
fn undo_of_the_import_of_a_new_zone_removes_it() {
    let mut shop = workshop(SMALL_SLICE);
    import(&mut shop, "maze", &grid(40));
    let after = both_files(&mut shop);
    let answer = works(&mut shop, "undo");
    assert!(
        answer.contains("The zone maze is as it was: zero rooms made, zero rooms kept, 40 rooms gone."),
        "{answer}"
    );
    assert_eq!(both_files(&mut shop)[0], None);
    assert_eq!(shop.table.world().rooms.of_zone("maze").len(), 0);
    works(&mut shop, "redo");
    assert_eq!(both_files(&mut shop), after);
    let room = shop.table.world().rooms.of_key("maze", "r0").expect("a room");
    shop.types_all("Olad", &[&format!("goto #{room}"), "make item straw = straw"]);
    let (import, _) = shop.table.world().journal.iter().next().expect("an entry");
    let answer = works(&mut shop, &format!("undo {import}"));
    assert!(answer.contains("has changed since: number"), "{answer}");
    assert_eq!(both_files(&mut shop), after);
}
