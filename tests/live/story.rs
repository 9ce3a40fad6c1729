//! A session of play from the first prompt to the branch expiry, and a dungeon built with six commands.

use crate::client::Client;
use crate::scout::{self, Route};
use crate::server::Server;
use serde_json::Value;

/// Short intervals, so that waits for events are brief, yet long enough for three players to meet on a busy machine.
const SHORT: [&str; 5] = [
    "game.round=100ms",
    "dungeon.window=8s",
    "dungeon.reset_interval=500ms",
    "dungeon.reset_chance=1",
    "dungeon.check_interval=1s",
];

/// E5 to E9, E18, E25, E26, E33, E46, E49, D3: three players meet in a branch, fight, explore, get separated, survive a
/// SIGKILL, and are in the start room after their branches expire.
#[test]
fn players_meet_explore_and_survive_a_crash() {
    let route = scout::route();
    let mut server = start(&route);
    let mut olad = server.create("Olad");
    let mut bera = server.create("Bera");
    let mut mika = server.create("Mika");
    meet(&mut olad, &mut bera, &mut mika);
    clear_the_room(&mut olad, &mut bera, &route);
    explore(&mut olad, &route);
    assert_exit_leads_to_new_branch(&server, &mut mika);

    let before = [server.control(&["dump-branch", "1"]), server.control(&["dump-branch", "2"])];
    let places = [olad.look(), bera.look(), mika.look()];
    server.kill();
    assert!(String::from_utf8_lossy(&server.check().stdout).contains("no mistakes"));
    server.restart(&[]);
    let after = [server.control(&["dump-branch", "1"]), server.control(&["dump-branch", "2"])];
    assert_eq!(layout(&before), layout(&after), "a branch is not what it was");
    let [mut olad, mut bera, mut mika] = ["Olad", "Bera", "Mika"].map(|name| server.login(name));
    assert_eq!(places, [olad.look(), bera.look(), mika.look()]);

    server.kill();
    server.restart(&["dungeon.max_life=2s"]);
    for name in ["Olad", "Bera", "Mika"] {
        let mut client = server.connect();
        client.enter("connect", name, &crate::server::password(name));
        if !client.look().starts_with("Bottom of the Well") {
            client.expect("collapses into the dark");
        }
        let place = client.look();
        assert!(place.starts_with("Bottom of the Well"), "{name} stands in {place}");
    }
    assert_eq!(server.control(&["status"])["world"]["branches"], 0);
    server.stop();
    server.assert_sound();
}

fn start(route: &Route) -> Server {
    let own = [
        format!("world.seed={}", route.seed),
        format!("dungeon.max_unexplored_exits={}", scout::UNEXPLORED_MAX),
        format!("dungeon.max_new_exits_per_room={}", scout::NEW_MAX),
    ];
    let settings: Vec<&str> = SHORT.into_iter().chain(own.iter().map(String::as_str)).collect();
    Server::start(&settings)
}

/// All three take the same exit while its window is open and enter the same room.
fn meet(olad: &mut Client, bera: &mut Client, mika: &mut Client) {
    for client in [&mut *olad, &mut *bera, &mut *mika] {
        let bottom = client.ask("descend");
        assert!(bottom.contains("Bottom of the Well"), "{bottom}");
    }
    let room = olad.ask("north");
    assert!(room.contains("rat is here and bars the way."), "the scout said that there is a rat: {room}");
    assert!(bera.ask("north").contains("Olad is here."));
    let met = mika.ask("north");
    assert!(met.contains("Olad and Bera are here."), "{met}");
    olad.expect("Mika arrives from the south.");
    // Back in the start room, while the others stay.
    assert!(mika.ask("south").contains("Bottom of the Well"));
}

/// The exit onwards is refused until the rat is dead; then the room is cleared for every player in it.
fn clear_the_room(olad: &mut Client, bera: &mut Client, route: &Route) {
    let refused = bera.ask(&route.blocked);
    assert!(refused.contains("yet") && refused.contains("rat"), "{refused}");
    assert!(bera.ask("look").contains("blocked"));
    olad.send("kill rat");
    olad.expect("The room is clear");
    bera.expect("The room is clear");
    assert!(!bera.ask("look").contains("blocked"));
}

/// Walks to the room with the one-way exit; the map shows the explored rooms.
fn explore(olad: &mut Client, route: &Route) {
    for step in &route.steps {
        let answer = olad.ask(step);
        assert!(answer.contains("Exits: "), "{step} led nowhere: {answer}");
    }
    let exits = olad.ask("exits");
    let line = exits.lines().find(|line| line.to_lowercase().contains(&route.one_way)).unwrap();
    assert!(line.contains("one-way"), "{exits}");
    let map = olad.ask("map");
    assert!(map.contains('@') && map.contains('o'), "{map}");
}

/// After the window has expired, the exit is reset and leads to a new branch.
fn assert_exit_leads_to_new_branch(server: &Server, mika: &mut Client) {
    if mika.ask("look").contains("a branch is open") {
        mika.expect("leads somewhere new");
    }
    let room = mika.ask("north");
    assert!(!room.contains("Olad") && !room.contains("Bera"), "{room}");
    let second = server.control(&["dump-branch", "2"]);
    assert_eq!(second["floors"][0]["rooms"].as_array().unwrap().len(), 1, "a fresh branch has one room");
}

/// Returns the part of the dumps that must survive a crash: all except creatures and timers.
fn layout(dumps: &[Value]) -> Vec<Value> {
    let mut dumps = dumps.to_vec();
    for dump in &mut dumps {
        let branch = dump.as_object_mut().unwrap();
        // A window may expire, and a creature may wander, between the two dumps.
        branch.retain(|key, _| !["window_ends_at", "last_updated_at"].contains(&key.as_str()));
        for room in branch["floors"][0]["rooms"].as_array_mut().unwrap() {
            room.as_object_mut().unwrap().remove("creatures");
        }
    }
    dumps
}

/// E52 to E54: the owner builds a well, a start room and four branch exits with six commands. They work immediately and
/// survive a SIGKILL.
#[test]
fn e53_dungeon_is_built_with_six_commands() {
    let mut server = Server::start(&["world.seed=5"]);
    let log = server.log();
    let token = server.control(&["owner-token"]);
    let token = token.as_str().unwrap();
    assert!(log.contains(token), "the owner token stands in the log");
    let mut olad = server.create("Olad");
    let refused = olad.ask("dig well:start = down,up");
    assert!(refused.contains("no command \"dig\""), "a player cannot dig: {refused}");
    assert!(olad.ask(&format!("claim {token}")).contains("yours"));
    assert!(olad.ask("north").contains("Climbers' Lodge"));
    for line in [
        "dig well:start = down,up",
        "down",
        "open north;n:branch",
        "open east;e:branch",
        "open south;s:branch",
        "open west;w:branch",
    ] {
        olad.ask(line);
    }
    let start = olad.look();
    assert!(start.starts_with("well") && start.contains("Exits: north, east, south, west, up"), "{start}");
    assert!(olad.ask("east").contains("passage"));
    server.kill();
    server.restart(&[]);
    let mut olad = server.login("Olad");
    assert!(olad.look().contains("passage"), "in the branch still");
    let start = olad.ask("west");
    assert!(start.contains("Exits: north, east, south, west, up"), "{start}");
    let mut bera = server.create("Bera");
    bera.ask("north");
    assert!(bera.ask("down").contains("well\n"));
    assert!(bera.ask("south").contains("passage"), "another exit opens another branch");
    assert!(bera.ask(&format!("claim {token}")).contains("not the token"), "a token works once");
    server.assert_sound();
}
