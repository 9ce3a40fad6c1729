//! Lists that clients show beside the text: open branches with the collapse ahead, notes, mails, the time, abilities and the
//! party as other games send them.

use crate::arena::{add_players, arena, changes, enemy};
use crate::table::{Table, seeded};
use deepwell::base::{GameTime, Span};
use deepwell::game::{Ask, Input, Package, SkillsAsked};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn with_two() -> Table {
    let mut table = Table::new(seeded(11));
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    table
}

/// Returns the newest body of a message.
fn newest(table: &mut Table, name: &str, message: &str) -> Value {
    table.news(name, message).pop().unwrap_or_else(|| panic!("no {message}"))
}

fn unix(at: GameTime) -> i64 {
    at.0 / 1_000
}

#[test]
fn start_room_lists_open_branches_with_their_players() {
    let mut table = with_two();
    table.types_all("Olad", &["down", "look"]);
    table.wants("Olad", [Package::Branches]);
    assert_eq!(newest(&mut table, "Olad", "Room.Branches.List"), json!([]));
    table.types_all("Bera", &["down", "east"]);
    let until = unix(table.branch("Bera").window_ends_at);
    let with = |players: &[&str]| json!([{"exit": "east", "players": players, "until": until}]);
    assert_eq!(newest(&mut table, "Olad", "Room.Branches.List"), with(&["Bera"]));
    table.types("Bera", "west");
    assert_eq!(newest(&mut table, "Olad", "Room.Branches.List"), with(&[]));
    table.types("Olad", "look");
    assert_eq!(table.news("Olad", "Room.Branches.List"), [json!(null); 0], "it has not changed");
    table.types("Olad", "up");
    assert_eq!(newest(&mut table, "Olad", "Room.Branches.List"), json!([]));
}

#[test]
fn status_has_the_collapse_once_it_is_announced() {
    let mut config = seeded(11);
    config.dungeon.max_life = Span::mins(120);
    let mut table = Table::new(config);
    table.sit("Olad");
    table.types_all("Olad", &["down", "east"]);
    table.wants("Olad", [Package::Character]);
    assert_eq!(newest(&mut table, "Olad", "Char.Status")["collapse"], 0);
    table.waits(Span::mins(109));
    let sent = table.news("Olad", "Char.Status");
    assert!(sent.iter().all(|status| status.get("collapse").is_none()), "{sent:?}");
    let before = unix(table.now());
    table.waits(Span::mins(2));
    assert!(table.hears("Olad").contains("collapses within 10 minutes"));
    let collapse = newest(&mut table, "Olad", "Char.Status")["collapse"].as_i64().expect("a time");
    assert!((540..=660).contains(&(collapse - before)), "{}", collapse - before);
    table.waits(Span::mins(10));
    assert!(table.branch_of("Olad").is_none());
    let sent = table.news("Olad", "Char.Status");
    assert!(sent.iter().any(|status| status["collapse"] == 0), "{sent:?}");
}

#[test]
fn notes_of_the_board_are_listed_without_those_of_ignored_authors() {
    let mut table = with_two();
    table.wants("Olad", [Package::Notes]);
    assert_eq!(newest(&mut table, "Olad", "Room.Notes.List"), json!([]), "there is no board");
    for name in ["Olad", "Bera"] {
        table.types(name, "north");
    }
    table.types("Bera", "board write Lamp = Who has my lamp?");
    let note = json!({"number": 1, "from": "Bera", "title": "Lamp", "at": unix(table.now()), "command": "board read 1"});
    table.types("Olad", "look");
    assert_eq!(newest(&mut table, "Olad", "Room.Notes.List"), json!([note]));
    assert!(table.types("Olad", "board read 1").contains("Who has my lamp?"));
    table.types("Olad", "ignore bera");
    assert_eq!(newest(&mut table, "Olad", "Room.Notes.List"), json!([]));
}

#[test]
fn mails_are_listed_until_they_are_read() {
    let mut table = with_two();
    table.wants("Olad", [Package::Mail]);
    assert_eq!(newest(&mut table, "Olad", "Char.Mail.List"), json!([]));
    table.types("Bera", "mail to olad = Mind the lever.");
    let mail = |read: bool, at: i64| json!({"number": 1, "from": "from Bera", "at": at, "read": read, "command": "mail read 1"});
    let at = unix(table.now());
    assert_eq!(newest(&mut table, "Olad", "Char.Mail.List"), json!([mail(false, at)]));
    table.types("Olad", "mail read 1");
    assert_eq!(newest(&mut table, "Olad", "Char.Mail.List"), json!([mail(true, at)]));
    for number in 2..=25 {
        table.types("Bera", &format!("mail to olad = Number {number}."));
        table.waits(Span::mins(120));
    }
    let listed = newest(&mut table, "Olad", "Char.Mail.List");
    let listed = listed.as_array().expect("a list");
    assert!(listed.len() <= 20 && listed[0]["number"].as_i64() > listed[1]["number"].as_i64(), "{listed:?}");
}

#[test]
fn macros_and_highlights_are_sent_after_login_and_changes_to_who_asks() {
    let mut table = with_two();
    table.types("Olad", "macro f1 = look;exits");
    table.wants("Olad", [Package::Macros]);
    let list = newest(&mut table, "Olad", "Char.Macros.List");
    assert_eq!(list["keys"].as_array().map(Vec::len), Some(19));
    assert_eq!((&list["macros"], &list["highlights"]), (&json!({"f1": "look;exits"}), &json!([])));
    table.types("Olad", "look");
    assert_eq!(table.news("Olad", "Char.Macros.List"), [json!(null); 0], "it has not changed");
    for (line, macros, highlights) in [
        ("alias kp5 = rest", json!({"f1": "look;exits", "kp5": "rest"}), json!([])),
        ("highlight Bera", json!({"f1": "look;exits", "kp5": "rest"}), json!(["bera"])),
        ("unmacro f1", json!({"kp5": "rest"}), json!(["bera"])),
        ("unhighlight bera", json!({"kp5": "rest"}), json!([])),
    ] {
        table.types("Olad", line);
        let list = newest(&mut table, "Olad", "Char.Macros.List");
        assert_eq!((&list["macros"], &list["highlights"]), (&macros, &highlights), "{line}");
    }
    table.types("Bera", "macro f1 = look");
    assert_eq!(table.all_news("Bera"), [], "nothing was asked for");
}

#[test]
fn time_in_the_town_is_sent_with_each_hour() {
    let mut table = with_two();
    table.wants("Olad", [Package::Time]);
    let mut hours = vec![newest(&mut table, "Olad", "World.Time")];
    for _ in 0..48 {
        table.waits(Span::secs(150));
        table.types("Olad", "look");
        hours.extend(table.news("Olad", "World.Time"));
    }
    assert_eq!(hours.len(), 25, "a day of 24 hours lasts two hours");
    for pair in hours.windows(2) {
        assert_eq!((pair[0]["hour"].as_i64().expect("an hour") + 1) % 24, pair[1]["hour"]);
    }
    let nights = hours.iter().skip(1).filter(|time| time["night"] == true).count();
    assert_eq!(nights, 12);
}

#[test]
fn abilities_are_listed_as_ire_scripts_ask_for_them() {
    let mut table = with_two();
    let id = table.id("Olad");
    changes(&mut table, id, |body| {
        body.craft.abilities = [("bash".to_owned(), GameTime(0))].into_iter().collect();
    });
    let asks = |table: &mut Table, group: Option<&str>, name: Option<&str>| {
        let what = SkillsAsked { group: group.map(Into::into), name: name.map(Into::into) };
        let session = table.session("Olad");
        table.step(Input::Asks { session, what: Ask::Skills(what) });
        table.all_news("Olad")
    };
    table.wants("Olad", [Package::Skills]);
    let list = newest(&mut table, "Olad", "Char.Skills.List");
    let gist = list["skills"][0]["desc"].clone();
    assert_eq!(
        (&list["group"], &list["list"], &list["descs"]),
        (&json!("abilities"), &json!(["bash"]), &json!([gist]))
    );
    let groups = json!([{"name": "abilities", "rank": "one learnt"}]);
    assert_eq!(asks(&mut table, None, None), [("Char.Skills.Groups".to_owned(), groups)]);
    assert_eq!(asks(&mut table, Some("Abilities"), None), [("Char.Skills.List".to_owned(), list)]);
    let info = json!({"group": "abilities", "skill": "bash", "info": gist});
    assert_eq!(asks(&mut table, Some("abilities"), Some("Bash")), [("Char.Skills.Info".to_owned(), info)]);
    for (group, name) in
        [(Some("fishing"), None), (Some("abilities"), Some("sneak")), (Some("fishing"), Some("bash"))]
    {
        assert_eq!(asks(&mut table, group, name), [], "{group:?} {name:?}");
    }
}

#[test]
fn group_is_the_party_for_aardwolf_scripts() {
    let mut table = with_two();
    table.wants("Olad", [Package::Group]);
    let none = json!({"groupname": "", "leader": "", "count": 0, "members": []});
    assert_eq!(newest(&mut table, "Olad", "group"), none);
    table.types("Olad", "party invite Bera");
    table.types("Bera", "party accept Olad");
    table.types("Olad", "look");
    let group = newest(&mut table, "Olad", "group");
    assert_eq!((&group["leader"], &group["count"]), (&json!("Olad"), &json!(2)));
    let bera = &group["members"][1];
    assert_eq!((&bera["name"], &bera["info"]["here"]), (&json!("Bera"), &json!(1)));
    let (hp, most, missing) = (&bera["info"]["hp"], &bera["info"]["mhp"], bera["info"]["tnl"].as_i64());
    assert!(hp == most && hp.as_i64() > Some(0) && missing > Some(0), "{bera}");
    table.types("Bera", "north");
    table.types("Olad", "look");
    assert_eq!(newest(&mut table, "Olad", "group")["members"][1]["info"]["here"], 0);
    table.types("Olad", "party leave");
    assert_eq!(newest(&mut table, "Olad", "group"), none);
}

/// States that a client in the room has been told of, by player.
type States = BTreeMap<String, String>;

fn note_states(states: &mut States, news: Vec<(String, Value)>) {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    for (message, body) in news {
        match message.as_str() {
            "Room.Players" => {
                let players = body.as_array().expect("players").iter();
                *states = players.map(|one| (text(&one["name"]), text(&one["state"]))).collect();
            }
            "Room.AddPlayer" => _ = states.insert(text(&body["name"]), text(&body["state"])),
            "Room.RemovePlayer" => _ = states.remove(&text(&body)),
            _ => {}
        }
    }
}

/// A client that is told only of changes knows the same states as one that has just asked, through a fight, a fall, a rescue
/// and rest.
#[test]
fn states_of_players_are_told_as_they_change() {
    let mut table = arena();
    add_players(&mut table, &["Bera", "Cato"]);
    let (olad, orc) = (table.id("Olad"), enemy(&table));
    changes(&mut table, olad, |body| (body.hp, body.max_hp) = (12, 40));
    changes(&mut table, orc, |body| (body.hp, body.max_hp, body.attack) = (60, 60, 8));
    table.wants("Bera", [Package::Room]);
    table.all_news("Bera");
    let mut known = States::new();
    let mut seen = BTreeSet::new();
    table.wants("Bera", [Package::Room]);
    for line in [
        "kill orc", "look", "look", "look", "look", "look", "rescue olad", "look", "look", "flee", "rest",
        "stand",
    ] {
        table.types(if line.starts_with("rescue") { "Bera" } else { "Olad" }, line);
        for _ in 0..4 {
            table.waits(Span::secs(2));
            note_states(&mut known, table.all_news("Bera"));
            let mut fresh = States::new();
            table.wants("Cato", [Package::Room]);
            note_states(&mut fresh, table.all_news("Cato"));
            let others = |states: &States| -> States {
                let of_others = states.iter().filter(|(name, _)| !["Bera", "Cato"].contains(&name.as_str()));
                of_others.map(|(name, state)| (name.clone(), state.clone())).collect()
            };
            assert_eq!(others(&known), others(&fresh), "after {line}");
            seen.extend(others(&known).into_values());
        }
    }
    assert!(["fighting", "down", "ready"].iter().all(|state| seen.contains(*state)), "{seen:?}");
}
