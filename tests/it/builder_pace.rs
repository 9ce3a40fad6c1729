//! Builders cannot hold up the game with commands that are much work: each pays for what it did, one request for files is
//! answered before the next, and many files are compared over several steps.

use crate::workshop::Workshop;
use deepwell::base::Span;
use deepwell::game::Input;
use std::fmt::Write as _;

const TIRED: &str = "Your last commands were much work for the server.";

/// Returns the file of a zone with a row of described rooms.
fn zone_file(rooms: u32) -> String {
    let mut text = String::new();
    for number in 0..rooms {
        let _ = write!(
            text,
            "[[rooms]]\nkey = \"r{number}\"\nname = \"Cell {number}\"\nenvironment = \"indoors\"\ndescription = \"{}\"\n\n",
            "A cell with a bed of straw, and a small window high up in the wall. ".repeat(8).trim_end()
        );
        for (name, to) in [("east", number + 1), ("west", number.wrapping_sub(1))] {
            if to < rooms {
                let _ = write!(text, "[[rooms.exits]]\nname = \"{name}\"\nto = \"r{to}\"\n\n");
            }
        }
    }
    text
}

/// Creates a workshop whose zones, of so many rooms each, have been imported and exported.
fn shop_with(zones: &[&str], rooms: u32) -> Workshop {
    let mut shop = Workshop::open();
    shop.table.allows_any_work();
    shop.table.checks_every(1_000);
    for zone in zones {
        shop.files.insert((*zone).to_owned(), zone_file(rooms));
        for verb in ["import", "export"] {
            shop.types("Olad", &format!("zone {verb} {zone}"));
            shop.table.waits(Span::secs(20));
        }
    }
    shop.table.hears("Olad");
    shop.table.takes_largest_work();
    shop
}

/// N3: if a builder repeats any command about a large zone, the work within a moment is bounded; a while later it runs
/// again.
#[test]
fn n3_repeated_commands_about_a_large_zone_are_refused() {
    for (first, line) in [
        ("", "zone export maze"),
        ("", "zone diff maze"),
        ("", "zone import maze"),
        ("", "zone pack maze"),
        ("", "zone unpack maze"),
        ("zone draft maze", "zone publish maze_draft"),
        ("zone pack maze", "zone unpack maze as other"),
    ] {
        let mut shop = shop_with(&["maze"], 400);
        if !first.is_empty() {
            shop.types("Olad", first);
            shop.table.waits(Span::secs(20));
        }
        shop.table.takes_largest_work();
        let (mut total, mut largest, mut refused) = (0, 0, 0);
        for _ in 0..60 {
            let answer = shop.types("Olad", line);
            let work = shop.table.takes_largest_work();
            (total, largest) = (total + work, largest.max(work));
            refused += u32::from(answer.contains(TIRED));
        }
        println!("{line}: {largest} units of work at most, {total} for 60, {refused} refused");
        assert!(total <= 150_000 + 3 * largest + 60 * 2_000, "{line}: {total} units of work");
        if total > 400_000 {
            assert!(refused > 10, "{line}: {refused} of 60 are refused");
        }
        shop.table.waits(Span::secs(10));
        let answer = shop.types("Olad", line);
        assert!(!answer.contains(TIRED), "{line}: {answer}");
    }
}

/// N3: players, and builders who do little, never have to wait.
#[test]
fn n3_small_commands_are_not_counted() {
    let mut shop = Workshop::with_mill();
    for number in 0..500 {
        for line in ["zone diff mill".to_owned(), format!("name here = Mill {number}"), "look".to_owned()] {
            let answer = shop.types("Olad", &line);
            assert!(!answer.contains(TIRED), "{line}: {answer}");
        }
    }
}

/// N3: a builder who does not wait for an answer gets none to the next request.
#[test]
fn n3_second_request_for_files_is_refused_until_the_first_is_answered() {
    let mut shop = Workshop::with_mill();
    let session = shop.table.session("Olad");
    let ask = || Input::Command { session, line: "zone diff mill".into() };
    shop.types("Olad", "zone export mill");
    let effects = shop.table.results_of(ask());
    assert!(shop.table.types("Olad", "zone export mill").contains("are not done yet"));
    for effect in &effects {
        if let Some(answer) = shop.carry_out(effect) {
            shop.table.step(answer);
        }
    }
    assert!(shop.table.hears("Olad").contains("say the same"));
    assert!(shop.types("Olad", "zone diff mill").contains("say the same"));
}

/// A8: many large files are parsed and compared one in a step; players play on in between, and one answer tells all.
#[test]
fn a8_large_files_are_compared_one_in_a_step() {
    let zones = ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"];
    let mut shop = shop_with(&zones, 40);
    let line = format!("zone diff {}", zones.join(" "));
    let answer = shop.types("Olad", &line);
    assert!(!answer.contains("say the same"), "{answer}");
    let first = shop.table.takes_largest_work();
    shop.table.waits(Span::millis(12));
    assert!(shop.table.types("Olad", "look").contains("Exits"));
    shop.table.waits(Span::secs(1));
    let largest = first.max(shop.table.takes_largest_work());
    let text = shop.table.hears("Olad");
    assert_eq!(text.matches("say the same").count(), zones.len(), "{text}");
    let [one, all] = [1, 8].map(|count| {
        let mut shop = shop_with(&zones, 40);
        shop.types("Olad", &format!("zone diff {}", zones[..count].join(" ")));
        shop.table.takes_largest_work()
    });
    assert!(
        largest < 2 * one,
        "{largest} units of work in a step; one zone takes {one}, the request for all {all}"
    );
}

/// A8: a mistake in one large file prevents the import of all. Zones that lead into each other come in at once, others one
/// after the other, so that steps stay short.
#[test]
fn a8_large_files_are_imported_together_if_they_lead_into_each_other() {
    let mut shop = shop_with(&["m1", "m2", "m3"], 120);
    let changed = zone_file(120).replace("Cell 7\"", "Cell of the seventh\"");
    shop.files.insert("m1".to_owned(), changed.clone());
    shop.files.insert("m2".to_owned(), changed.replace("to = \"r9\"", "to = \"nowhere\""));
    shop.types("Olad", "zone import m1 m2");
    shop.table.waits(Span::secs(1));
    let text = shop.table.hears("Olad");
    assert!(text.contains("The zones stay as they are"), "{text}");
    shop.table.waits(Span::secs(10));
    shop.files.insert("m2".to_owned(), changed.replace("to = \"r9\"", "to = \"m1/r9\""));
    shop.files.insert("m3".to_owned(), changed);
    shop.types("Olad", "zone import m1 m2 m3");
    shop.table.waits(Span::secs(1));
    let text = shop.table.hears("Olad");
    assert_eq!(text.matches("is as its file says").count(), 3, "{text}");
    let named = |shop: &Workshop| {
        let rooms =
            shop.table.world().rooms.iter().filter(|(_, room)| room.sheet.name == "Cell of the seventh");
        rooms.map(|(_, room)| room.area.clone()).collect::<Vec<_>>()
    };
    assert_eq!(named(&shop), ["m1", "m2", "m3"]);
    shop.table.waits(Span::secs(10));
    shop.types("Olad", "undo");
    assert_eq!(named(&shop), ["m1", "m2"], "the zone that leads nowhere else is a change of its own");
    shop.table.waits(Span::secs(10));
    shop.types("Olad", "undo");
    assert_eq!(named(&shop), [""; 0], "the others came in together");
}
