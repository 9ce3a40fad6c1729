//! Experience, level costs and training choices.

use crate::explorer::{guarded, olad_finds};
use crate::style_words::style_of;
use crate::table::{Table, changed_content, seeded};
use deepwell::base::Span;
use deepwell::text::Style;

/// Returns a new player in the town.
fn olad() -> Table {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table
}

/// Adds experience to a stored character; it takes effect in the next step.
fn add_experience(table: &mut Table, who: &str, xp: i64) {
    let id = table.body(who).id;
    table.edit_stored(|stored| stored.characters.get_mut(&id).expect("a stored body").xp += xp);
}

/// Returns the value of a named line of the sheet.
fn value(sheet: &str, name: &str) -> i64 {
    let line = sheet.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name} in {sheet}"))
}

/// The sheet of a new character: six values, one a line, with these names.
#[test]
fn t9_t15_sheet_shows_six_values() {
    let mut table = olad();
    let six = ["Level", "Experience", "Experience to level up", "Maximum HP", "Attack", "Defence"];
    for word in ["score", "sc", "c"] {
        let sheet = table.types("Olad", word);
        let values: Vec<i64> = six.iter().map(|name| value(&sheet, name)).collect();
        assert_eq!(values, [1, 0, 350, 30, 5, 2], "{word}");
        let lines: Vec<&str> = sheet.lines().skip(1).take(6).collect();
        assert!(
            lines.iter().zip(six).all(|(line, name)| line.starts_with(name)),
            "the six come first: {sheet}"
        );
    }
    assert_eq!(
        table.types("Olad", "score xp"),
        "Level 1, 0 experience. Level 2 costs 350 and needs 350 more."
    );
}

/// Cost of each level; it is subtracted, and the remainder is kept.
#[test]
fn t11_level_cost_is_subtracted_from_experience() {
    let mut table = olad();
    for (level, cost) in (2..).zip([350, 500, 650, 800, 950, 1_100, 1_250, 1_400, 1_550]) {
        assert_eq!(value(&table.types("Olad", "score"), "Experience to level up"), cost, "to {level}");
        add_experience(&mut table, "Olad", cost - 1);
        assert_eq!((table.body("Olad").level, table.body("Olad").xp), (level - 1, cost - 1));
        add_experience(&mut table, "Olad", 1);
        assert_eq!((table.body("Olad").level, table.body("Olad").xp), (level, 0), "to {level}");
    }
    assert_eq!(table.body("Olad").level, 10);
    assert_eq!(table.body("Olad").trainings, 9, "several choices may wait");
}

/// Ten orcs give level 2 exactly; four trolls give level 2 with 50 left.
#[test]
fn t11_ten_orcs_or_four_trolls_give_a_level() {
    for (kills, xp, left) in [(10, 35, 0), (4, 100, 50)] {
        let mut table = olad();
        for _ in 0..kills {
            add_experience(&mut table, "Olad", xp);
        }
        assert_eq!((table.body("Olad").level, table.body("Olad").xp), (2, left));
    }
}

/// 900 experience give two levels, in two ticks.
#[test]
fn t14_levels_are_gained_one_per_tick() {
    let mut table = olad();
    let id = table.body("Olad").id;
    table.break_link("Olad");
    table.edit_stored(|stored| stored.characters.get_mut(&id).expect("a stored body").xp = 900);
    assert_eq!((table.body("Olad").level, table.body("Olad").xp), (2, 550), "the first tick");
    table.waits(Span::millis(2_999));
    table.waits(Span::millis(1));
    assert_eq!((table.body("Olad").level, table.body("Olad").xp), (3, 50), "the second tick");
    table.waits(Span::secs(60));
    assert_eq!(table.body("Olad").level, 3);
}

/// The kill message names the creature and the player's share; the level message names the level, and others in the
/// room are notified.
#[test]
fn t10_t12_t16_kill_shows_share_and_level_up_shows_level() {
    let mut table = olad_finds("a guard", guarded);
    table.becomes("Olad", 9_999, 999);
    add_experience(&mut table, "Olad", 349);
    table.sit("Bera");
    let mut here = table.world().occupants(table.body("Olad").room).iter().copied();
    let guard = here.find(|id| !table.world().characters[*id].is_player()).expect("a guard");
    let (name, xp) = (table.world().characters[guard].name.clone(), table.world().characters[guard].xp);
    let bera = table.body("Bera").id;
    let (room, branch) = (table.body("Olad").room, table.branch_of("Olad"));
    table.edit_stored(|stored| {
        let body = stored.characters.get_mut(&bera).expect("a stored body");
        (body.room, body.branch) = (room, branch);
    });
    table.hears("Olad");
    table.hears("Bera");
    let mut read = table.types("Olad", &format!("kill {name}"));
    while table.world().characters.get(guard).is_some() {
        table.waits(Span::secs(3));
        read = read + "\n" + &table.hears("Olad");
    }
    let kill = read.lines().find(|line| line.contains("experience")).expect("a line of the kill");
    assert!(kill.contains(&name) && kill.contains(&format!("gain {xp} experience")), "T16: {kill}");
    let rise = read.lines().find(|line| line.contains("level 2")).expect("T12");
    assert!(rise.contains("you have reached level 2"), "{rise}");
    assert_eq!(style_of(table.tape(), "you have reached level 2"), Some(Style::Hint), "T12: yellow");
    assert!(table.hears("Bera").contains("Olad has reached level 2."), "T12: the room hears it");
}

/// Each training choice takes effect immediately; the menu has a title, fits 40 columns and shows the current values.
#[test]
fn t13_training_choice_takes_effect_at_once() {
    let mut table = olad();
    add_experience(&mut table, "Olad", 350 + 500 + 650);
    table.waits(Span::secs(20));
    assert_eq!(table.body("Olad").trainings, 3);
    assert_eq!(table.prompt("Olad").trainings, 3, "the prompt marks it");
    let menu = table.types("Olad", "train");
    assert_eq!(
        menu,
        "Level 4: what have you learnt?\n\
         train constitution: +20 HP, from 30\n\
         train strength: +1 attack, from 5\n\
         train agility: +1 defence, from 2\n\
         train throw: a stone besides the blow\n\
         train scout: who is in rooms around\n\
         train track: the way to a creature\n\
         You have three choices."
    );
    assert!(menu.lines().all(|line| line.len() <= 40), "T13: {menu}");
    for attribute in ["luck", "constitutional", "5"] {
        let read = table.types("Olad", &format!("train {attribute}"));
        assert!(read.starts_with("That cannot be learnt.") && read.ends_with(&menu), "T13: {read}");
    }
    assert_eq!(table.body("Olad").trainings, 3, "nothing was spent");
    let id = table.body("Olad").id;
    let now = table.now();
    table.edit_stored(|stored| {
        let body = stored.characters.get_mut(&id).expect("a stored body");
        (body.hp, body.hp_at) = (7, now);
    });
    let read = table.types("Olad", "train constitution");
    assert!(read.contains("+20 HP, from 30"), "{read}");
    assert_eq!((table.body("Olad").max_hp, table.prompt("Olad").hp), (50, 27), "T13: and 20 HP at once");
    table.types("Olad", "train str");
    table.types("Olad", "TRAIN Agility");
    let body = table.body("Olad");
    assert_eq!((body.max_hp, body.attack, body.defence, body.trainings), (50, 6, 3, 0));
    assert!(table.types("Olad", "train strength").starts_with("You have nothing to choose now."));
    assert_eq!(table.body("Olad").attack, 6);
}

/// A pending choice does not block fighting.
#[test]
fn t13_pending_choice_blocks_nothing() {
    let mut table = olad_finds("a guard", guarded);
    add_experience(&mut table, "Olad", 400);
    assert_eq!(table.body("Olad").trainings, 1);
    table.types("Olad", "kill");
    assert!(table.body("Olad").target.is_some() || table.room("Olad").clear, "fighting is still possible");
    table.types("Olad", "train strength");
    assert_eq!((table.body("Olad").attack, table.body("Olad").trainings), (6, 0), "in a fight too");
}

#[test]
fn t18_training_choice_is_added_by_a_file() {
    let luck = "name = \"Patience\"\ndescription = \"You wait for your moment.\"\norder = 9\nattack = 1\ndefence = 1\n";
    let mut table = Table::with_content(seeded(1), &changed_content(&[("training/patience.toml", luck)]));
    table.sit("Olad");
    add_experience(&mut table, "Olad", 350);
    let menu = table.types("Olad", "train");
    assert!(menu.contains("train patience: +1 attack, from 5; +1 defence, from 2\n"), "{menu}");
    table.types("Olad", "train patience");
    assert_eq!((table.body("Olad").attack, table.body("Olad").defence), (6, 3));
}

/// `Char.Status` is sent only when one of its values changes.
#[test]
fn char_status_is_sent_only_on_change() {
    let mut table = olad();
    table.gauges("Olad");
    let first = table.statuses("Olad");
    assert_eq!(first.len(), 1);
    assert_eq!((first[0].level, first[0].attack, first[0].defence, first[0].floor), (1, 5, 2, 0));
    assert!(first[0].room_clear && first[0].party.is_empty());
    table.types_all("Olad", &["look", "score", "down"]);
    assert!(table.statuses("Olad").is_empty(), "nothing has changed");
    table.types("Olad", "east");
    let inside = table.statuses("Olad");
    assert_eq!(inside.len(), 1);
    assert_eq!((inside[0].floor, inside[0].room_clear), (1, table.room("Olad").clear));
    table.gauges("Olad");
    assert_eq!(table.statuses("Olad"), inside, "all of it comes again to whoever asks again");
}
