//! `Char.Actions` and `Char.Enemies`: a player who presses only what the list offers is never refused, and the list has what
//! the moment asks for, the most urgent first.

use crate::arena::{add_players, arena, changes, enemy, party};
use crate::explorer::{frees_a_captive, olad_finds};
use crate::hoard::{grant, set_room_kind};
use crate::manoeuvres::{orcs_announcing, reload};
use crate::table::{Table, seeded};
use deepwell::base::{Dice, GameTime, Seed, Span};
use deepwell::catalog::{RoomFlag, RoomKind};
use deepwell::game::{Class, GameConfig, Package};
use deepwell::world::{Affect, Posture};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn watches(table: &mut Table, name: &str) {
    table.wants(name, [Package::Actions, Package::Enemies, Package::Defences, Package::Items]);
}

/// Returns the newest list, or the known one if none was sent since.
fn actions(table: &mut Table, name: &str, known: Vec<Value>) -> Vec<Value> {
    let newest = table.news(name, "Char.Actions.List").pop();
    newest.map_or(known, |list| list.as_array().expect("a list").clone())
}

/// Returns the commands of the newest list by kind.
fn commands(table: &mut Table, name: &str, kind: &str) -> Vec<String> {
    watches(table, name);
    let listed = actions(table, name, Vec::new());
    let of_kind = listed.iter().filter(|action| action["kind"] == kind);
    of_kind.map(|action| action["command"].as_str().expect("a command").to_owned()).collect()
}

/// Returns the line of a press, with a word of the player's own if one is asked for.
fn line_of(action: &Value) -> String {
    let command = action["command"].as_str().expect("a command");
    if action["asks"] == json!(true) { format!("{command} moss") } else { command.to_owned() }
}

/// Gives a player every ability, a choice to make, strength and potions.
fn equip(table: &mut Table, name: &str) {
    let abilities: Vec<String> = table.game.catalog().abilities.keys().cloned().collect();
    let id = table.id(name);
    changes(table, id, |body| {
        body.craft.abilities = abilities.into_iter().map(|key| (key, GameTime(0))).collect();
        (body.level, body.trainings, body.hp, body.max_hp, body.attack) = (9, 1, 60, 80, 12);
    });
    grant(table, name, &[("health_potion", 3)]);
}

#[test]
fn ready_actions_are_not_refused() {
    let mut pressed = 0;
    for seed in 1..=8 {
        let mut dice = Seed(seed).named("presses").rng();
        let mut table = Table::new(seeded(seed));
        for name in ["Olad", "Bera"] {
            table.sit(name);
            equip(&mut table, name);
        }
        table.types_all("Olad", &["guide off", "party invite Bera"]);
        table.types_all("Bera", &["guide off", "party accept Olad", "follow Olad"]);
        watches(&mut table, "Olad");
        let mut known = Vec::new();
        for _ in 0..300 {
            known = actions(&mut table, "Olad", known);
            let ready: Vec<&Value> = known.iter().filter(|action| action["ready"] == json!(true)).collect();
            let home = |action: &&Value| action["kind"] == "home" || action["kind"] == "flee";
            let is_likely = |action: &&Value| !home(action) || dice.clone().percent(10);
            let ready: Vec<&Value> = ready.into_iter().filter(is_likely).collect();
            let walks = ready.is_empty() || dice.percent(40);
            let line = match dice.pick(&ready) {
                Some(action) if !walks => line_of(action),
                _ => {
                    let exits: Vec<String> =
                        table.world().exits.of(table.room("Olad").id).map(|exit| exit.name.clone()).collect();
                    let exit = dice.pick(&exits).cloned().unwrap_or_else(|| "look".into());
                    let in_town = table.branch_of("Olad").is_none();
                    if in_town { "down".into() } else { exit }
                }
            };
            let heard = table.types_messages("Olad", &line);
            if !walks {
                pressed += 1;
                let refused = heard.iter().find(|heard| heard.class == Class::Refusal);
                assert!(refused.is_none(), "seed {seed}: {line}: {refused:?}");
            }
            table.waits(Span::millis(i64::from(dice.up_to(3_000))));
            table.hears("Bera");
        }
    }
    assert!(pressed > 500, "{pressed} presses");
}

/// Announcement of the manoeuvre `crush`, as Olad reads it.
const CRUSH: &str = "The orc rises to its full height over you.";

#[test]
fn announcements_are_answered_first() {
    let mut table = arena();
    equip(&mut table, "Olad");
    reload(&mut table, &orcs_announcing("crush"));
    table.types("Olad", "kill orc");
    table.waits(Span::secs(3));
    watches(&mut table, "Olad");
    let news = table.all_news("Olad");
    let list = |name: &str| news.iter().find(|(package, _)| package == name).expect(name).1.clone();
    let listed = list("Char.Actions.List");
    let answers: Vec<&Value> = listed.as_array().unwrap().iter().take(3).collect();
    for answer in &answers {
        assert_eq!((&answer["kind"], &answer["about"]), (&json!("answer"), &json!(CRUSH)), "{listed}");
    }
    let enemy = &list("Char.Enemies.List")[0];
    assert_eq!((&enemy["mine"], &enemy["target"]), (&json!(true), &json!("you")));
    assert_eq!(enemy["announces"], json!(CRUSH));
    assert_eq!((&enemy["name"], &enemy["command"]), (&json!("an orc"), &json!("kill orc")));
    let kinds: Vec<&Value> = listed.as_array().unwrap().iter().map(|action| &action["kind"]).collect();
    for kind in ["ability", "potion", "flee"] {
        assert!(kinds.contains(&&json!(kind)), "{kind}: {listed}");
    }
    for kind in ["rest", "home", "strike"] {
        assert!(!kinds.contains(&&json!(kind)), "{kind}: {listed}");
    }
    let olad = table.id("Olad");
    changes(&mut table, olad, |body| body.hp = 20);
    watches(&mut table, "Olad");
    let listed = actions(&mut table, "Olad", Vec::new());
    assert_eq!((&listed[0]["kind"], &listed[1]["kind"]), (&json!("potion"), &json!("flee")), "{listed:?}");
}

#[test]
fn cooldowns_and_affects_have_seconds() {
    let mut table = arena();
    equip(&mut table, "Olad");
    table.types("Olad", "kill orc");
    watches(&mut table, "Olad");
    let before = actions(&mut table, "Olad", Vec::new());
    let ability = before.iter().find(|action| action["kind"] == "ability" && action["ready"] == json!(true));
    let command = ability.expect("an ability")["command"].as_str().unwrap().to_owned();
    table.types("Olad", &command);
    let after = actions(&mut table, "Olad", before);
    let used = after.iter().find(|action| action["command"] == command.as_str()).expect("the ability");
    assert_eq!(used["ready"], json!(false));
    assert!(used["secs"].as_i64().is_some_and(|secs| secs > 0), "{used}");

    let id = table.id("Olad");
    let until = table.now() + Span::secs(40);
    changes(&mut table, id, |body| body.affects.push(Affect { key: "blessed".into(), until }));
    watches(&mut table, "Olad");
    let list = table.news("Olad", "Char.Defences.List").pop().expect("defences");
    let blessed = list.as_array().unwrap().iter().find(|affect| affect["secs"].is_i64()).expect("seconds");
    assert!(blessed["secs"].as_i64().is_some_and(|secs| (30..=40).contains(&secs)), "{list}");
}

#[test]
fn friends_in_need_come_before_blows() {
    let mut table = arena();
    add_players(&mut table, &["Bera"]);
    party(&mut table, &["Olad", "Bera"]);
    table.types("Bera", "kill orc");
    assert_eq!(commands(&mut table, "Olad", "assist"), ["assist Bera"]);
    let (bera, until) = (table.id("Bera"), table.now() + Span::secs(60));
    changes(&mut table, bera, |body| {
        (body.posture, body.hp, body.target, body.down_until) = (Posture::Down, 0, None, Some(until));
    });
    assert_eq!(commands(&mut table, "Olad", "rescue"), ["rescue Bera"]);
    assert_eq!(commands(&mut table, "Olad", "strike"), ["kill orc"]);
    assert_eq!(commands(&mut table, "Bera", "flee"), ["stop"]);
}

#[test]
fn rooms_offer_what_they_have() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    let offers = [(RoomKind::Bank, "balance"), (RoomKind::Healer, "heal"), (RoomKind::Shop, "list")];
    for (kind, command) in offers {
        set_room_kind(&mut table, "Olad", kind, &["dagger"]);
        assert_eq!(commands(&mut table, "Olad", "place"), [command]);
        let heard = table.types_messages("Olad", command);
        assert!(heard.iter().all(|heard| heard.class != Class::Refusal), "{heard:?}");
    }
    table.types("Olad", "goal");
    equip(&mut table, "Olad");
    let choices = commands(&mut table, "Olad", "train");
    assert!(choices.contains(&"train strength".to_owned()), "{choices:?}");
    assert_eq!(commands(&mut table, "Olad", "rest"), ["rest"]);
    table.types("Olad", "rest");
    assert_eq!(commands(&mut table, "Olad", "stand"), ["stand"]);
}

/// What a thing is turned to is offered, a thing is used only once it is held, and the words of an answer are asked for.
#[test]
fn puzzles_offer_settings_and_held_things_and_ask_for_answers() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.make_owner("Olad");
    table.types_all("Olad", &["guide off", "puzzle test orrery seed=7", "in"]);
    let offered = |table: &mut Table| commands(table, "Olad", "puzzle");
    let dial = ["sun", "moon", "comet", "star"].map(|sign| format!("turn brass dial to {sign}"));
    let first = offered(&mut table);
    assert!(dial.iter().all(|line| first.contains(line)), "{first:?}");
    assert!(!first.iter().any(|line| line.starts_with("use")), "{first:?}");
    table.types_all("Olad", &["turn brass dial to star", "east", "open almanac case", "west"]);
    assert!(offered(&mut table).contains(&"use lens on brass dial".to_owned()));
    table.types_all("Olad", &["use lens on brass dial", "press ivory stud", "north"]);
    assert_eq!(asked(&mut table), ["answer"]);
}

#[test]
fn riddle_asks_for_answers_while_it_hears_them() {
    let mut table = olad_finds("a riddle", |_, room| room.sheet.kind == RoomKind::Riddle && room.clear);
    assert_eq!(asked(&mut table), ["answer"]);
    for _ in 0..3 {
        table.types("Olad", "answer moss");
    }
    assert!(asked(&mut table).is_empty());
}

/// Returns the commands that Olad's own words follow.
fn asked(table: &mut Table) -> Vec<String> {
    watches(table, "Olad");
    let listed = actions(table, "Olad", Vec::new());
    let asking = listed.iter().filter(|action| action["asks"] == json!(true));
    asking.map(|action| action["command"].as_str().expect("a command").to_owned()).collect()
}

#[test]
fn guide_tells_clients_its_step_and_what_to_type() {
    let mut table = Table::new(GameConfig { guidance: true, ..seeded(3) });
    table.sit("Olad");
    table.wants("Olad", [Package::Guide]);
    assert_eq!(table.news("Olad", "Char.Guide.Step").pop().expect("a message")["step"], json!(0));
    let reply = table.types("Olad", "yes");
    let step = table.news("Olad", "Char.Guide.Step").pop().expect("the first step");
    assert_eq!(step["step"], json!(1));
    assert!(reply.contains(step["text"].as_str().expect("a text")), "{reply}");
    let commands: Vec<&str> = step["commands"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(
        !commands.is_empty() && commands.iter().all(|line| reply.contains(line)),
        "{commands:?}: {reply}"
    );
    table.types_all("Olad", &commands.clone());
    let next = table.news("Olad", "Char.Guide.Step").pop().expect("another step");
    assert!(next != step, "{next}");
    table.types("Olad", "guide off");
    assert_eq!(table.news("Olad", "Char.Guide.Step").pop().expect("none")["step"], json!(0));
}

#[test]
fn held_players_struggle_before_they_flee() {
    let mut table = arena();
    let olad = table.id("Olad");
    let until = table.now() + Span::mins(9);
    changes(&mut table, olad, |body| body.affects.push(Affect { key: "webbed".into(), until }));
    table.types("Olad", "kill orc");
    assert_eq!(commands(&mut table, "Olad", "flee"), ["struggle", "flee"]);
    let flee = |table: &mut Table| {
        watches(table, "Olad");
        actions(table, "Olad", Vec::new())
            .into_iter()
            .find(|action| action["command"] == "flee")
            .expect("flee")
    };
    assert_eq!(flee(&mut table)["ready"], json!(false), "a web holds");
    changes(&mut table, olad, |body| body.affects.clear());
    assert_eq!(flee(&mut table)["ready"], json!(true));
}

/// Returns the work of the dearest step in which one of so many players in a room speaks or arrives, all with lists of actions.
fn work_in_crowd(players: usize) -> u64 {
    let mut table = Table::new(seeded(3));
    table.checks_every(1_000);
    let names: Vec<String> =
        (0..players).map(|at| format!("Climber{}{}", letter(at / 10), letter(at % 10))).collect();
    for name in &names {
        table.sit(name);
        table.wants(name, [Package::Actions, Package::Enemies]);
    }
    table.takes_largest_work();
    table.types_all(&names[0], &["say hello", "north", "south", "rest"]);
    table.takes_largest_work()
}

/// Returns a letter for a number, so that names are not alike.
fn letter(number: usize) -> char {
    char::from(b"abefghkops"[number])
}

#[test]
fn lists_in_a_crowd_cost_each_listener_the_same() {
    let (few, many) = (work_in_crowd(40), work_in_crowd(80));
    assert!(many < few * 5 / 2, "{few} units of work for 40 players, {many} for 80");
}

#[test]
fn creatures_in_the_dark_are_not_told() {
    let mut table = arena();
    let room = table.room("Olad").id;
    assert_eq!(commands(&mut table, "Olad", "strike"), ["kill orc"]);
    table.edit_stored(|stored| {
        stored.rooms.get_mut(&room).expect("a room").sheet.flags = BTreeSet::from([RoomFlag::Dark]).into();
    });
    assert!(table.types("Olad", "look").contains("dark"));
    assert_eq!(commands(&mut table, "Olad", "strike"), [""; 0]);
    let orc = enemy(&table);
    let olad = table.id("Olad");
    changes(&mut table, orc, |body| body.target = Some(olad));
    assert_eq!(commands(&mut table, "Olad", "strike"), ["kill orc"], "who strikes is known");
}

#[test]
fn recall_is_not_offered_to_who_leads_a_captive() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.becomes("Olad", 9_999, 900);
    table.types_all("Olad", &["down", "north"]);
    assert_eq!(commands(&mut table, "Olad", "home"), ["recall"]);
    frees_a_captive(&mut table, "Olad");
    assert_eq!(commands(&mut table, "Olad", "home"), [""; 0]);
}

/// The offer of a guide is answered by an action, once, and not in a fight.
#[test]
fn offer_of_a_guide_is_an_action() {
    for (answer, led) in [("yes", true), ("no", false)] {
        let mut table = Table::new(GameConfig { guidance: true, ..seeded(3) });
        table.sit("Olad");
        assert_eq!(commands(&mut table, "Olad", "accept"), ["yes", "no"]);
        let reply = table.types("Olad", answer);
        assert_eq!(reply.contains("You will be told one thing at a time"), led, "{reply}");
        assert!(commands(&mut table, "Olad", "accept").is_empty(), "{answer}");
    }
}
