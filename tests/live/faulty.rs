//! Each storage call of a scripted run of play fails once: an I/O error, a full disk, a failed sync. Acknowledged
//! changes are stored afterwards, each other change is stored completely or not at all, and the server has answered or
//! exited with an error. Faults are injected by strace, which some machines lack.

use crate::client::{Client, ClientKind, Gone};
use crate::server::{Server, password};
use crate::syscalls::{each, strace_works};
use deepwell::catalog::Catalog;
use deepwell::game::{Effects, Game, GameConfig, Input};
use deepwell::world::{Place, Snapshot};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

/// System call, and the fault injected into it once.
const FAULTS: [[&str; 2]; 9] = [
    ["pwrite64", "error=EIO"],
    ["pwrite64", "error=ENOSPC"],
    // A write of zero bytes.
    ["pwrite64", "retval=0"],
    ["fdatasync", "error=EIO"],
    ["fsync", "error=EIO"],
    ["pread64", "error=EIO"],
    ["ftruncate", "error=EIO"],
    ["unlink", "error=EIO"],
    ["openat", "error=EMFILE"],
];
/// Faults that `cargo test` tries: index into `FAULTS`, number of the call, end of the run.
const SAMPLE: [(usize, u32, End); 6] = [
    (0, 3, End::Kill),
    (0, 14, End::Stop),
    (1, 7, End::Kill),
    (2, 9, End::Kill),
    (4, 2, End::Stop),
    (4, 5, End::Kill),
];

/// End of a run.
#[derive(Clone, Copy, Debug)]
enum End {
    /// SIGKILL: changes missing from the database log are lost.
    Kill,
    /// SIGTERM: the database log is checkpointed, under the same fault.
    Stop,
}

/// One step: the player, the line typed, the text that confirms it, the object moved, and its new place. Without a
/// place, the room that the server reported.
struct Deed(&'static str, &'static str, &'static str, &'static str, Option<&'static str>);

const PLAY: [Deed; 12] = [
    Deed("Olad", "west", "Chandler's Shop", "Olad", None),
    Deed("Bera", "west", "Chandler's Shop", "Bera", None),
    Deed("Olad", "buy rye loaf", "You buy a rye loaf", "loaf", Some("Olad")),
    Deed("Olad", "give loaf to bera", "You give Bera", "loaf", Some("Bera")),
    Deed("Bera", "drop loaf", "You put down", "loaf", Some("Chandler's Shop")),
    Deed("Olad", "get loaf", "You take", "loaf", Some("Olad")),
    Deed("Bera", "east", "Well Square", "Bera", None),
    Deed("Bera", "down", "Exits", "Bera", None),
    Deed("Bera", "east", "Exits", "Bera", None),
    Deed("Olad", "goto lodge", "Lodge", "Olad", None),
    Deed("Olad", "dig Cellar = hatch,out", "You dig Cellar", "cellar", Some("dug")),
    Deed("Olad", "drop loaf", "You put down", "loaf", Some("the lodge")),
];

/// Possible places of each object: the last confirmed place, and each place of a later, unconfirmed attempt.
type Beliefs = BTreeMap<&'static str, Vec<String>>;

/// D2, D3, D5, O2, O3: see the module. `DEEPWELL_SYSCALLS=400 cargo test --test live faulty` tries every call.
#[test]
fn acknowledged_changes_survive_a_failed_storage_call() {
    if !strace_works() {
        return;
    }
    let mut server = Server::start_without_roamers(&[
        "world.seed=11",
        "dungeon.reset_chance=0",
        "limits.commands_per_second=100000",
        "limits.commands_burst=100000",
    ]);
    let mut olad = server.create("Olad");
    server.create("Bera");
    let token = server.control(&["owner-token"]);
    olad.ask(&format!("claim {}", token.as_str().unwrap()));
    server.stop();
    let (database, world) = (server.database(), fs::read(server.database()).unwrap());
    let mut failed = 0;
    let mut lay_out_and_play = |[call, fault]: [&str; 2], nth, end| {
        for suffix in ["-wal", "-shm"] {
            let _ = fs::remove_file(database.with_extension(format!("db{suffix}")));
        }
        fs::write(&database, &world).unwrap();
        let is_hit = play_with_a_fault(&mut server, [call, fault], nth, end);
        failed += u32::from(is_hit);
        is_hit
    };
    if std::env::var_os("DEEPWELL_SYSCALLS").is_some() {
        for fault in FAULTS {
            for end in [End::Kill, End::Stop] {
                let tried = (1..=each()).take_while(|nth| lay_out_and_play(fault, *nth, end)).count();
                eprintln!("{fault:?}, {end:?}: {tried} calls");
            }
        }
    } else {
        for (which, nth, end) in SAMPLE {
            assert!(lay_out_and_play(FAULTS[which], nth, end), "{:?} {nth}: no such call", FAULTS[which]);
        }
    }
    crate::figures::tell(&format!("{failed} calls failed, nothing told was lost"));
}

/// Plays with one injected fault and compares the stored state. Returns `false` if the process made fewer calls.
fn play_with_a_fault(server: &mut Server, [call, fault]: [&str; 2], nth: u32, end: End) -> bool {
    let case = format!("{call}, {fault}, {nth}, {end:?}");
    let from = server.log().len();
    server.restart(&[]);
    let mut players = ["Olad", "Bera"].map(|name| {
        let mut client = Client::open(server.address(), ClientKind::Mapper);
        client.enter("connect", name, &password(name));
        (name, client)
    });
    let calls = server.state().with_file_name("calls");
    let mut strace = attach(server.process(), &format!("{call}:{fault}:when={nth}"), call, &calls);
    let mut beliefs = Beliefs::from([
        ("Olad", vec!["Well Square".to_owned()]),
        ("Bera", vec!["Well Square".to_owned()]),
        ("loaf", vec!["nowhere".to_owned()]),
        ("cellar", vec!["nowhere".to_owned()]),
    ]);
    let played = play(&mut players, &mut beliefs);
    if played.is_ok() && matches!(end, End::Stop) {
        server.signal("TERM");
    }
    if played.is_err() || matches!(end, End::Stop) {
        server.wait_for_log(from, "(end of the log)");
    }
    server.kill();
    strace.wait().unwrap();
    let log = server.log()[from..].to_owned();
    assert!(played.is_ok() || log.contains("ERROR"), "{case}: ended without a word:\n{log}");
    let stored = server.stored();
    let mismatches = compare(&beliefs, &stored);
    assert!(mismatches.is_empty(), "{case}:\n{}\n{log}", mismatches.join("\n"));
    let check = server.check();
    assert!(check.status.success(), "{case}: {}", String::from_utf8_lossy(&check.stdout));
    let mut game = Game::load(Arc::new(Catalog::builtin()), GameConfig::default(), stored).unwrap();
    game.step(game.time(), Input::Wake, &mut Effects::new());
    assert_eq!(game.check(), [""; 0], "{case}");
    fs::read_to_string(&calls).unwrap().contains("INJECTED")
}

/// Attaches strace to all threads of a process.
fn attach(process: u32, inject: &str, call: &str, calls: &Path) -> Child {
    let mut strace = Command::new("strace")
        .args(["-f", "-p", &process.to_string(), "-o"])
        .arg(calls)
        .args(["-e", &format!("trace={call}"), "-e", &format!("inject={inject}")])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut text = String::new();
    let mut lines = BufReader::new(strace.stderr.take().unwrap());
    while !text.contains("attached") {
        assert!(lines.read_line(&mut text).unwrap() > 0, "strace says: {text}");
    }
    // strace may write more; its pipe must be drained.
    std::thread::spawn(move || lines.lines().map_while(Result::ok).for_each(drop));
    strace
}

/// Plays all steps, and checks that the server still answers; an error if it is down.
fn play(players: &mut [(&str, Client); 2], beliefs: &mut Beliefs) -> Result<(), Gone> {
    for Deed(who, line, message, what, place) in PLAY {
        let (_, client) = players.iter_mut().find(|(name, _)| *name == who).unwrap();
        let belief = beliefs.get_mut(what).unwrap();
        let (heard, gone) = tell(client, line);
        let is_told = heard.contains(message);
        let room = client.room().and_then(|room| room["name"].as_str()).unwrap_or_default();
        // A change reported as not having happened must not reappear.
        let is_undone = heard.contains("has not happened");
        match place {
            _ if is_undone && !is_told => {}
            Some(place) if is_told => *belief = vec![place.to_owned()],
            Some(place) => belief.push(place.to_owned()),
            None if is_told => *belief = vec![room.to_owned()],
            None => belief.push("anywhere".to_owned()),
        }
        if let Some(gone) = gone {
            return Err(gone);
        }
        if heard.contains("The world stumbles") {
            // The other player is sent this message too; consume it before the next step.
            players.iter_mut().try_for_each(|(_, client)| client.try_ask("").map(drop))?;
        }
    }
    for (_, client) in players {
        assert!(client.try_ask("look")?.contains("Exits"));
    }
    Ok(())
}

/// Sends a line; returns its answer, or the output up to a reload of the world.
fn tell(client: &mut Client, line: &str) -> (String, Option<Gone>) {
    match client.try_ask_until(line, &["The world stumbles"]) {
        Ok(heard) if heard.contains("The world stumbles") => match client.try_ask("") {
            Ok(rest) => (heard + &rest, None),
            Err(Gone(rest)) => (heard + &rest, Some(Gone(rest))),
        },
        Ok(heard) => (heard, None),
        Err(Gone(heard)) => (heard.clone(), Some(Gone(heard))),
    }
}

/// Returns a message for each object in an impossible place.
fn compare(beliefs: &Beliefs, stored: &Snapshot) -> Vec<String> {
    let body = |name: &str| {
        stored
            .characters
            .values()
            .find(|body| body.account.is_some() && body.name == name)
            .expect("it was made")
    };
    let room_of = |name: &str| stored.rooms[&body(name).room].sheet.name.clone();
    let loaves: Vec<_> = stored.items.values().filter(|item| item.prototype == "rye_loaf").collect();
    let loaf = match loaves.as_slice() {
        [] => "nowhere".to_owned(),
        [loaf] => match loaf.place {
            Place::Room(room) if stored.rooms[&room].sheet.name.contains("Lodge") => "the lodge".to_owned(),
            Place::Room(room) => stored.rooms[&room].sheet.name.clone(),
            Place::Holder(holder) => stored.characters[&holder].name.clone(),
            Place::Inside(bag) => format!("in {bag}"),
            Place::Mail(mail) => format!("in mail {mail}"),
        },
        more => format!("in {} places", more.len()),
    };
    let cellars: Vec<_> = stored.rooms.values().filter(|room| room.sheet.name == "Cellar").collect();
    let ways = |name: &str| stored.exits.values().filter(|exit| exit.name == name).count();
    let cellar = match (cellars.len(), ways("hatch"), ways("out")) {
        (0, 0, 0) => "nowhere".to_owned(),
        (1, 1, 1) => "dug".to_owned(),
        (rooms, there, back) => format!("{rooms} rooms, {there} ways there, {back} ways back"),
    };
    let found = [("Olad", room_of("Olad")), ("Bera", room_of("Bera")), ("loaf", loaf), ("cellar", cellar)];
    let mut mismatches = Vec::new();
    for (what, found) in found {
        let allowed = &beliefs[what];
        if !allowed.contains(&found) && !allowed.iter().any(|place| place == "anywhere") {
            mismatches.push(format!("{what}: {found}, and not {}", allowed.join(" or ")));
        }
    }
    mismatches
}
