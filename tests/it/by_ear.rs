//! Screen reader mode: short text for known rooms, grouped sentences, notices for the end of a rest and for near death,
//! text maps and filtered replay.

use crate::arena::{arena, changes, enemy};
use crate::table::{Table, seeded};
use deepwell::base::{Dice, Seed, Span};
use deepwell::game::GameConfig;

const EIGHT: [&str; 8] = ["Bera", "Cato", "Dana", "Egil", "Fenna", "Gerd", "Hild", "Ivar"];

/// Logs in eight players and Olad, who uses reader mode.
fn nine() -> Table {
    let mut table = Table::new(seeded(7));
    for name in EIGHT.iter().chain(&["Olad"]) {
        table.sit(name);
    }
    table.types("Olad", "config reader on");
    table
}

#[test]
fn start_room_is_at_most_sixty_words_in_reader_mode() {
    let mut table = nine();
    let first = table.types("Olad", "down");
    assert!(first.contains("Black gravel"), "the first visit is told in full: {first}");
    assert!(first.split_whitespace().count() <= 60, "{first}");
    for (name, way) in EIGHT.iter().zip(["north", "east", "south", "west"].iter().cycle()) {
        table.types_all(name, &["down", way]);
    }
    let again = table.types_all("Olad", &["up", "down"]);
    let hub = &again[again.rfind("Bottom of the Well").expect("the room")..];
    assert!(hub.contains("Open branches: north, east, south and west."), "{hub}");
    assert!(hub.split_whitespace().count() <= 60, "{hub}");
    assert!(table.types("Olad", "look").contains("Black gravel"), "look tells all of it");
    table.types("Olad", "brief off");
    assert!(table.types_all("Olad", &["up", "down"]).contains("Black gravel"), "the choice counts");
}

#[test]
fn players_with_the_same_activity_share_one_line() {
    let mut table = nine();
    let room = table.types("Olad", "look");
    let here: Vec<&str> = room.lines().filter(|line| line.ends_with("are here.")).collect();
    assert_eq!(here, ["Bera, Cato, Dana, Egil, Fenna, Gerd, Hild and Ivar are here."]);
    table.types_all("Gerd", &["rest"]);
    table.types_all("Hild", &["rest"]);
    let room = table.types("Olad", "look");
    assert!(room.contains("Bera, Cato, Dana, Egil, Fenna and Ivar are here."), "{room}");
    assert!(room.contains("Gerd and Hild are here, resting."), "{room}");
}

#[test]
fn occupant_sentence_names_at_most_people_named_players() {
    let mut config: GameConfig = seeded(7);
    config.limits.people_named = 2;
    let mut table = Table::new(config);
    for name in EIGHT {
        table.sit(name);
    }
    let room = table.types("Ivar", "look");
    assert!(room.contains("Bera, Cato and five others are here."), "{room}");
}

/// Returns the number of players that a room view tells of.
fn players_told(view: &str) -> usize {
    let people = |line: &'_ str| {
        let (people, _) = line.split_once(" are here").or_else(|| line.split_once(" is here"))?;
        Some(people.replace(" and ", ", ").split(", ").count())
    };
    view.lines().filter_map(people).sum()
}

/// In a room of forty, each view lists all players but the viewer, after arrivals, departures, rests and lost links.
#[test]
fn crowd_is_told_completely_after_each_change() {
    let mut config: GameConfig = seeded(7);
    config.limits.people_named = 1_000;
    let mut table = Table::new(config);
    let names: Vec<String> = ["Ba", "Du", "Ke", "Lo"]
        .iter()
        .flat_map(|one| "abefghkops".chars().map(move |end| format!("{one}{end}a")))
        .collect();
    for name in &names {
        table.sit(name);
    }
    let square = table.room(&names[0]).id;
    let mut dice = Seed(3).rng();
    for _ in 0..150 {
        let (actor, viewer) = (dice.pick(&names).unwrap().clone(), dice.pick(&names).unwrap().clone());
        match dice.between(0, 4) {
            0 => drop(table.types(&actor, "rest")),
            1 => drop(table.types(&actor, "stand")),
            2 => drop(table.types(&actor, "north")),
            3 => drop(table.types(&actor, "south")),
            _ => drop(table.comes_back(&actor)),
        }
        let view = table.types(&viewer, "look");
        let room = table.room(&viewer).id;
        assert_eq!(players_told(&view), table.world().occupants(room).len() - 1, "{view}");
    }
    assert!(table.world().occupants(square).len() > 8, "the square is still crowded");
}

#[test]
fn follower_arrivals_are_omitted_in_reader_mode() {
    let mut table = nine();
    for name in ["Bera", "Cato"] {
        table.types("Olad", &format!("party invite {name}"));
        table.types(name, "party accept");
    }
    table.types("Cato", "config reader on");
    let answer = table.types("Olad", "down");
    assert!(!answer.contains("arrives"), "{answer}");
    assert_eq!(table.room("Bera").sheet.name, "Bottom of the Well");
    assert!(!table.hears("Cato").contains("Bera arrives"), "a listener in the train");
    table.types("Olad", "config reader off");
    let answer = table.types("Olad", "up");
    assert!(
        answer.contains("Bera arrives from below.") && answer.contains("Cato arrives from below."),
        "{answer}"
    );
}

#[test]
fn end_of_rest_is_notified_once() {
    let mut table = arena();
    let orc = enemy(&table);
    table.becomes("Olad", 40, 9_999);
    table.edit_stored(|stored| {
        let olad = stored.characters.values_mut().find(|body| body.name == "Olad").expect("Olad");
        (olad.hp, olad.max_hp) = (20, 40);
        stored.characters.remove(&orc);
    });
    table.types("Olad", "rest");
    let mut text = String::new();
    for _ in 0..60 {
        table.waits(Span::secs(10));
        text += &table.hears("Olad");
    }
    assert_eq!(text.matches("You are rested: all 40 hit points are back.").count(), 1, "{text}");
}

#[test]
fn near_death_is_notified_once() {
    let mut table = arena();
    let orc = enemy(&table);
    changes(&mut table, orc, |orc| (orc.hp, orc.max_hp, orc.attack) = (9_999, 9_999, 8));
    table.types("Olad", "kill orc");
    let mut text = String::new();
    for _ in 0..40 {
        table.waits(Span::secs(3));
        text += &table.hears("Olad");
    }
    assert_eq!(text.matches("You are near death: ").count(), 1, "{text}");
}

#[test]
fn consider_shows_blast_damage_of_an_exploding_creature() {
    let mut table = arena();
    let orc = enemy(&table);
    changes(&mut table, orc, |bomb| {
        (bomb.prototype, bomb.name, bomb.hp, bomb.attack) = (Some("bomb".into()), "bomb".into(), 4, 0);
    });
    let answer = table.types("Olad", "consider bomb");
    assert!(answer.contains("It bursts one round after warning, for "), "{answer}");
}

#[test]
fn text_map_says_that_rooms_are_left_out() {
    let mut table = Table::new(seeded(7));
    table.sit("Olad");
    table.make_owner("Olad");
    assert!(!table.types("Olad", "map words").contains("left out"), "the town is small");
    for number in 0..12 {
        table.types("Olad", &format!("dig Cell = hatch{number}, out"));
    }
    let all = table.types("Olad", "map words");
    assert_eq!(all.lines().count(), 1 + 12 + 1, "where one is, twelve rooms, the rest: {all}");
    assert!(
        all.ends_with("more rooms that you know are left out. Type path and a name to go there."),
        "{all}"
    );
}

#[test]
fn text_map_gives_no_bearing_that_leads_elsewhere() {
    let mut table = Table::new(seeded(5));
    table.sit("Olad");
    let answer = table.types_all("Olad", &["down", "map words"]);
    assert!(!answer.contains("One step south: Old Cistern"), "south leads into a branch: {answer}");
    assert!(answer.contains("Old Cistern"), "{answer}");
}

#[test]
fn path_unexplored_finds_the_nearest_unexplored_exit() {
    let mut table = arena();
    let blocked = table.types("Olad", "path unexplored");
    assert!(blocked.starts_with("Unexplored here: "), "{blocked}");
    assert!(blocked.ends_with(", blocked until the room is clear."), "{blocked}");
    table.becomes("Olad", 9_999, 99_999);
    table.types("Olad", "kill orc");
    table.waits(Span::secs(9));
    let free = table.types("Olad", "path unexplored");
    assert!(free.starts_with("Unexplored here: ") && !free.contains("blocked"), "{free}");
    table.types("Olad", "recall");
    assert!(table.types("Olad", "path unexplored").contains("no unexplored exit"));
}

#[test]
fn filtered_replay_keeps_cue_words() {
    let mut table = Table::new(seeded(7));
    table.sit("Olad");
    table.sit("Bera");
    table.types("Bera", "say one");
    table.types_all("Olad", &["north", "config cues on"]);
    let rooms = table.types("Olad", "replay rooms 1");
    assert!(rooms.starts_with("The last message:\n"), "{rooms}");
    assert!(rooms.contains("Room: Climbers' Lodge\n"), "{rooms}");
    let speech = table.types("Olad", "replay speech");
    assert!(speech.contains("Speech: Bera says: one") && !speech.contains("Lodge"), "{speech}");
    assert!(table.types("Olad", "replay fights").contains("Nothing of that kind"));
}
