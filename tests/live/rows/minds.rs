//! Creature behaviour in the halls of the maze: seeking, fleeing, wandering, charging and leaving webs; and the bonus
//! for waiting for an attacker.
//!
//! Where a creature must not move before the player is in position, the server is set up with an hour between ticks,
//! and restarted with one second.

use crate::client::Client;
use crate::rows::delver::{Delver, STILL, exits, hero_server_with, rooms};
use crate::rows::duels::{owner_in_pit, plain_server};
use crate::server::Server;
use crate::timing::until;
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;
use std::{fs, thread};

/// Time between two observations.
const GLANCE: Duration = Duration::from_millis(200);

/// Creatures that attack only after a hundred rounds, so that they live long enough to be observed.
const PATIENT_GOBLIN: (&str, &str, &str) = ("mobs/goblin.toml", "\nafter = 1\n", "\nafter = 100\n");
const PATIENT_MINOTAUR: (&str, &str, &str) = ("mobs/minotaur.toml", "\nafter = 0\n", "\nafter = 100\n");

/// One tick per second.
const LIVELY: &str = "\ntick_secs = 1\n";

/// Starts a server with a maze in which almost every room is a hall with one creature of this kind.
fn maze_of(creature: &str, tick: &str, changes: &[(&str, &str, &str)], settings: &[&str]) -> Server {
    let theme = "themes/daedalus.toml";
    let lives_there = format!("mob = \"{creature}\"\nweight = 1\n");
    let halls = [
        ("rules.toml", "\ntick_secs = 10\n", tick),
        (theme, "[inhabitants]\npercent = 50\n", "[inhabitants]\npercent = 100\n"),
        (theme, "mob = \"minotaur\"\nweight = 1\n", lives_there.as_str()),
        (theme, "mob = \"rat\"\nweight = 3\n", lives_there.as_str()),
        (theme, "mob = \"spider\"\nweight = 1\n", lives_there.as_str()),
        (theme, "\nroamer_percent = 8\n", "\nroamer_percent = 0\n"),
        (theme, "\ntrap_permille = 40\n", "\ntrap_permille = 0\n"),
        (theme, "kind = \"none\"\nweight = 22\n", "kind = \"none\"\nweight = 9000\n"),
    ];
    hero_server_with(&[&halls, changes].concat(), settings)
}

/// Returns the distance in rooms from the player to each creature of a kind, from the branch's dump.
fn distances(server: &Server, from: &Delver, creature: &str) -> Vec<usize> {
    let dump = server.control(&["dump-branch", &from.here()["branch"].to_string()]);
    let by_num: BTreeMap<i64, &Value> =
        rooms(&dump).iter().map(|room| (room["num"].as_i64().expect("a number"), room)).collect();
    let mut steps = BTreeMap::from([(from.num(), 0)]);
    let mut queue = VecDeque::from([from.num()]);
    while let Some(num) = queue.pop_front() {
        for to in exits(by_num[&num]).iter().filter_map(|exit| exit["to"].as_i64()) {
            if by_num.contains_key(&to) && !steps.contains_key(&to) {
                steps.insert(to, steps[&num] + 1);
                queue.push_back(to);
            }
        }
    }
    let count = |room: &Value| {
        let there = room["creatures"].as_array().expect("creatures");
        there.iter().filter(|key| *key == creature).count()
    };
    by_num.iter().flat_map(|(num, room)| vec![steps[num]; count(room)]).collect()
}

/// Sets up a maze in which creatures do not move until Olad has sent these commands and logged out; then restarts it
/// with ticks, and logs him in.
fn set_up_in_maze(
    creature: &str,
    changes: &[(&str, &str, &str)],
    settings: &[&str],
    lines: &[&str],
) -> (Server, Client) {
    let mut server = maze_of(creature, STILL.2, changes, &[&["world.seed=6"], settings].concat());
    let mut olad = Delver::behind(&server, "Olad", "daedalus", &[]);
    olad.all(lines);
    olad.client.send("quit");
    olad.client.last_words();
    server.kill();
    let file = server.folder().join("content/rules.toml");
    let rules = fs::read_to_string(&file).expect("the rules");
    fs::write(&file, rules.replace(STILL.2, LIVELY)).expect("the rules");
    server.restart(&[]);
    let olad = server.login("Olad");
    (server, olad)
}

fn mean(steps: &[usize]) -> usize {
    steps.iter().sum::<usize>() / steps.len().max(1)
}

#[test]
fn r17_creatures_seek_flee_or_wander() {
    type IsSo = dyn Fn(&[usize], &Delver) -> bool + Sync;
    let watch = |creature: &str, changes: &[(&str, &str, &str)], is_so: &IsSo| {
        let server = maze_of(creature, LIVELY, changes, &["world.seed=4", "game.round=2s"]);
        let mut olad = Delver::behind(&server, "Olad", "daedalus", &[]);
        // A line of halls with the player at its end.
        for _ in 0..8 {
            assert!(olad.open_a_room());
        }
        until(creature, || {
            olad.client.read_for(GLANCE);
            olad.ask("");
            is_so(&distances(&server, &olad, creature), &olad)
        });
    };
    thread::scope(|scope| {
        scope.spawn(|| watch("goblin", &[PATIENT_GOBLIN], &|steps, _| mean(steps) < 2));
        scope.spawn(|| watch("rat", &[], &|steps, _| mean(steps) > 4));
        let wanders = |_: &[usize], olad: &Delver| {
            olad.told.contains("The cave bat arrives from ") && olad.told.contains("The cave bat leaves ")
        };
        scope.spawn(move || watch("bat", &[], &wanders));
    });
}

/// Steps into a minotaur's hall, which ends at a wall, is charged at and steps out again. Returns `false` if that took
/// longer than a round.
fn evade_charge_in_time() -> bool {
    // The minotaur of the first hall is left alive. Two halls to its north is a wall, and an exit to the east next to
    // the wall.
    let lines =
        ["north", "north", "kill minotaur", "north", "kill minotaur", "east", "kill minotaur", "west"];
    let (_server, mut olad) = set_up_in_maze("minotaur", &[PATIENT_MINOTAUR], &["game.round=3s"], &lines);
    olad.expect("Along the hall to the south, the minotaur lowers its head. It is about to charge this way!");
    olad.send("east");
    let heard = olad.expect_any(&["runs into a wall, and the floor shakes.", " at a full run!"]);
    if heard.contains(" at a full run!") {
        return false;
    }
    assert!(heard.contains("From the west, two rooms away: Hooves knock on stone"), "{heard}");
    assert!(heard.contains("From next door to the west: Something heavy runs into a wall"), "{heard}");
    if !olad.ask("west").contains("A minotaur is here, stunned.") {
        return false;
    }
    olad.ask("east");
    until("the minotaur", || {
        olad.read_for(GLANCE);
        olad.ask("").contains("The minotaur arrives from the west.")
    });
    true
}

#[test]
fn r16_minotaur_is_heard_hunts_charges_and_stuns_itself() {
    assert!((0..6).any(|_| evade_charge_in_time()), "nobody is so slow six times");
}

#[test]
fn r18_r19_r20_spider_web_hides_room_and_holds_once() {
    thread::scope(|scope| {
        for rounds in ["one round", "three rounds"] {
            scope.spawn(move || walk_into_a_web(rounds));
        }
    });
}

/// Tests a web that holds for a number of rounds: the shipped one, or the maximum.
fn walk_into_a_web(rounds: &str) {
    let longer = [("rules.toml", "\nweb_sticks = 1\n", "\nweb_sticks = 3\n")];
    let changes = if rounds == "one round" { &[][..] } else { &longer };
    let lines = ["north", "north", "kill spider", "north", "kill spider", "south"];
    let (_server, mut olad) = set_up_in_maze("spider", changes, &["game.round=20s"], &lines);
    assert!(!olad.ask("look").contains("spider"));
    // The spider comes from a hall it shared with no other creature.
    until("the spider", || {
        olad.read_for(GLANCE);
        olad.ask("look").contains("A silver spider is here")
    });
    until("its end", || olad.ask("kill spider").contains("no \"spider\" here"));
    assert!(olad.ask("scan").contains("South, in High crossing: A silver web fills the room."));
    assert!(olad.ask("look south").contains("A silver web fills the room."));
    let drawn = |olad: &mut Client| {
        let map = olad.ask("map");
        map.lines().take_while(|line| !line.contains(" is ")).map(str::trim).collect::<Vec<_>>().join("/")
    };
    let hidden = drawn(&mut olad);
    assert!(hidden.contains("/?---@---?/|/w/"), "nothing is seen behind a web: {hidden}");

    let torn = olad.ask("south");
    for message in [
        "You tear into a silver web.",
        &format!("The threads hold you for {rounds}; struggle"),
        "High crossing",
    ] {
        assert!(torn.contains(message), "{torn}");
    }
    assert!(!olad.ask("look").contains("web"), "the room is as before");
    assert!(olad.ask("north").contains("held fast"));
    if rounds != "one round" {
        assert!(olad.ask("struggle").contains("it still holds you"));
        assert!(olad.ask("struggle").contains("no strength left to struggle"), "once a round");
        return;
    }
    assert!(olad.ask("struggle").contains("The last of the thread snaps"), "a struggle is worth a round");
    assert!(olad.ask("north").contains("Square crossing"));
    assert!(olad.ask("scan").contains("South, in High crossing: nobody."));
    let seen = drawn(&mut olad);
    assert!(seen.contains("/?---@---?/|/?---o---?/"), "{seen}");
    assert!(!olad.ask("south").contains("web"), "only once");
}

#[test]
fn t20_waiting_player_attacks_first() {
    let server = plain_server(&[], &["game.round=1s"]);
    let mut olad = owner_in_pit(&server);
    // A creature that attacks two rounds after it has seen a player.
    let mut meet = |lines: &str| {
        olad.all(&["spawn parlour_cat", "out"]);
        olad.client.send(lines);
        let came = olad.client.expect("The parlour cat comes at you.\n") + &olad.client.expect("\n");
        until("its end", || {
            olad.client.read_for(GLANCE);
            olad.ask("kill cat").contains("no \"cat\" here")
        });
        came.contains("The parlour cat comes at you.\nYou were waiting for that and strike first.")
    };
    assert!(!meet("hatch"), "whoever comes at somebody strikes first");
    until("a moment to wait in", || meet("hatch\r\nwait"));
}
