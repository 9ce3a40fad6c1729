//! SIGKILL at random moments under load. Clients do distinct things, each of which leaves its own mark, and note
//! what they were told; after each kill the stored world is compared with the notes: all that was told is there,
//! everything else is whole or absent, nothing is there twice (D1 to D3, D7).

use crate::client::{Client, Gone, Manners};
use crate::fighter::Fighter;
use crate::pair::character;
use crate::server::{Server, password};
use crate::townsfolk::Townsfolk;
use deepwell::base::{Dice, Rng, Seed};
use deepwell::catalog::Catalog;
use deepwell::game::{Effects, Game, GameConfig, Input};
use deepwell::world::{Character, Place, Snapshot};
use serde_json::Value;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex};
use std::{env, thread};

/// How often, if `DEEPWELL_KILLS` does not say.
const KILLS: u32 = 20;
/// Things done between two kills: at least and at most.
const DEEDS: (u32, u32) = (5, 200);
/// Explorers, who also carry things about.
const EXPLORERS: [&str; 3] = ["Olad", "Bera", "Mika"];
/// Who digs.
const BUILDER: &str = "Sondra";

/// D1 to D3, D7, E11, E36: see above. `DEEPWELL_KILLS=500 cargo test --test live kill` for more.
#[test]
fn nothing_told_is_lost_by_sigkill() {
    let kills =
        env::var("DEEPWELL_KILLS").map_or(KILLS, |kills| kills.parse().expect("DEEPWELL_KILLS is a number"));
    let seed = env::var("DEEPWELL_SEED").map_or(1, |seed| seed.parse().expect("DEEPWELL_SEED is a number"));
    let fast = [
        "world.seed=5",
        // Nothing may vanish by the rules of play.
        "dungeon.reset_chance=0",
        "limits.commands_per_second=100000",
        "limits.commands_burst=100000",
        "auth.slots=2",
        "game.round=200ms",
    ];
    let mut server = Server::start_without_roamers(&fast);
    let mut people = found(&mut server);
    let mut moments = Seed(seed).named("kills").rng();
    let catalog = Arc::new(Catalog::builtin());
    for kill in 1..=kills {
        let deeds = moments.between(DEEDS.0, DEEDS.1);
        let draining = moments.percent(20);
        people.work_until_killed(&mut server, deeds, draining, seed + u64::from(kill));
        if moments.percent(20) {
            server.kill_at_start();
        }
        let stored = server.stored();
        let wrong = people.compare(&stored);
        assert!(wrong.is_empty(), "after kill {kill} (DEEPWELL_SEED={seed}):\n{}", wrong.join("\n"));
        let mut game = Game::load(Arc::clone(&catalog), GameConfig::default(), stored).unwrap();
        game.step(game.time(), Input::Wake, &mut Effects::new());
        assert_eq!(game.check(), [""; 0], "after kill {kill}");
        let check = server.check();
        assert!(check.status.success(), "after kill {kill}: {}", String::from_utf8_lossy(&check.stdout));
        server.restart(&[]);
    }
    server.assert_sound();
    crate::figures::tell(&format!("{kills} kills: {}", people.figures()));
}

/// Those who play, with what they were told.
struct People {
    explorers: Vec<Explorer>,
    builder: Builder,
    founder: Founder,
    townsfolk: Townsfolk,
    fighter: Fighter,
}

/// Makes those that the test needs.
fn found(server: &mut Server) -> People {
    for name in EXPLORERS {
        server.create(name);
    }
    let token = server.control(&["owner-token"]);
    let mut builder = server.create(BUILDER);
    builder.ask(&format!("claim {}", token.as_str().unwrap()));
    builder.ask("goto lodge");
    People {
        explorers: EXPLORERS.iter().map(|&name| Explorer::new(name)).collect(),
        builder: Builder::default(),
        founder: Founder::default(),
        townsfolk: Townsfolk::begin(server),
        fighter: Fighter::begin(server),
    }
}

impl People {
    /// All work side by side; after so many deeds the server is killed in the midst of them, or of a stop.
    fn work_until_killed(&mut self, server: &mut Server, deeds: u32, draining: bool, seed: u64) {
        let done = Deeds::default();
        let address = server.address();
        thread::scope(|scope| {
            let done = &done;
            for (n, explorer) in (1..).zip(&mut self.explorers) {
                let mut dice = Seed(seed).named("explorer").numbered(n).rng();
                let client = Client::open(address, Manners::Mapper);
                scope.spawn(move || explorer.work(client, &mut dice, done));
            }
            let client = Client::open(address, Manners::Plain);
            scope.spawn(|| self.builder.work(client, done));
            scope.spawn(|| self.founder.work(address, done));
            scope.spawn(|| self.townsfolk.work(address, &mut Seed(seed).named("townsfolk").rng(), done));
            scope.spawn(|| self.fighter.work(address, &mut Seed(seed).named("fighter").rng(), done));
            done.wait_for(deeds);
            if draining {
                let before = server.log().len();
                server.signal("TERM");
                server.wait_for_log(before, "stopping");
            }
            server.kill();
        });
    }

    /// What is stored, against what was told; a sentence for each difference.
    fn compare(&mut self, stored: &Snapshot) -> Vec<String> {
        let mut wrong = Vec::new();
        for explorer in &mut self.explorers {
            explorer.compare(stored, &mut wrong);
        }
        self.builder.compare(stored, &mut wrong);
        self.founder.compare(stored, &mut wrong);
        self.townsfolk.compare(stored, &mut wrong);
        self.fighter.compare(stored, &mut wrong);
        wrong
    }

    /// What was done, so that one sees that the test tests something.
    fn figures(&self) -> String {
        let sum = |of: fn(&Explorer) -> usize| self.explorers.iter().map(of).sum::<usize>();
        let (answered, seen, moved) = (sum(|e| e.answered), sum(|e| e.rooms.len()), sum(|e| e.moved));
        let (dug, made) = (self.builder.dug.len(), self.founder.made.len());
        let Townsfolk { done, changed, .. } = self.townsfolk;
        format!(
            "{answered} lines of explorers answered, {seen} rooms seen, {moved} things taken or put down, \
             {dug} rooms dug, {made} accounts made, {done} deeds of townsfolk, {changed} passwords changed, \
             {gains} times experience gained",
            gains = self.fighter.gains
        )
    }
}

/// How much has been done in this run.
#[derive(Default)]
pub(crate) struct Deeds {
    count: Mutex<u32>,
    more: Condvar,
}

impl Deeds {
    pub(crate) fn note(&self) {
        *self.count.lock().unwrap() += 1;
        self.more.notify_all();
    }

    fn wait_for(&self, deeds: u32) {
        let count = self.count.lock().unwrap();
        let waited = self.more.wait_timeout_while(count, crate::PATIENCE, |count| *count < deeds).unwrap();
        assert!(!waited.1.timed_out(), "only {} of {deeds} things were done", *waited.0);
    }
}

/// Walks into rooms that did not exist, pulls levers, and picks up and drops what lies there.
struct Explorer {
    name: &'static str,
    /// The room it was last told to stand in: `Room.Info`.
    at: Value,
    /// Rooms it has been told of, by number.
    rooms: BTreeMap<u64, Value>,
    /// What it was told to carry.
    carried: Things,
    /// Typed, but not answered.
    pending: Option<String>,
    /// Lines that were answered.
    answered: usize,
    /// Things it was told that it took or put down.
    moved: usize,
}

/// Things by name, with their number.
type Things = BTreeMap<String, u32>;

impl Explorer {
    const fn new(name: &'static str) -> Self {
        Self {
            name,
            at: Value::Null,
            rooms: BTreeMap::new(),
            carried: Things::new(),
            pending: None,
            answered: 0,
            moved: 0,
        }
    }

    fn work(&mut self, mut client: Client, dice: &mut Rng, done: &Deeds) {
        client.send(&format!("connect {} {}", self.name, password(self.name)));
        let mut line = "look".to_owned();
        while let Ok(answer) = self.ask(&mut client, &line) {
            self.answered += 1;
            done.note();
            line = self.next_line(&answer, dice);
        }
    }

    /// Types a line and notes all that is told about it, even if the end of the answer never comes.
    fn ask(&mut self, client: &mut Client, line: &str) -> Result<String, Gone> {
        self.pending = Some(line.to_owned());
        let before = self.carried.clone();
        let answer = client.try_ask(line);
        let (Ok(told) | Err(Gone(told))) = &answer;
        for line in told.lines() {
            if let Some(thing) = line.strip_prefix("You take ").filter(|thing| !thing.starts_with("hold of"))
            {
                self.moved += 1;
                *self.carried.entry(thing.trim_end_matches('.').to_owned()).or_default() += 1;
            } else if let Some(thing) = line.strip_prefix("You put down ") {
                self.moved += 1;
                *self.carried.get_mut(thing.trim_end_matches('.')).expect("it was carried") -= 1;
            }
        }
        let moved = client.room().is_some_and(|room| room["num"] != self.at["num"]);
        if let Some(room) = client.room() {
            self.at = room.clone();
            self.rooms.insert(room["num"].as_u64().unwrap(), room.clone());
        }
        if answer.is_ok() || moved || self.carried != before {
            self.pending = None;
        }
        answer
    }

    /// Mostly onward; levers are pulled, and whatever lies here is carried somewhere else.
    fn next_line(&self, answer: &str, dice: &mut Rng) -> String {
        let clear = self.at["clear"].as_bool().unwrap_or(true);
        let things = answer.contains(" lies here.") || answer.contains(" lie here.");
        if things && dice.percent(60) {
            return "get all".to_owned();
        }
        if self.carried.values().any(|count| *count > 0) && dice.percent(40) {
            return "drop all".to_owned();
        }
        if !clear && dice.percent(50) {
            return "pull lever".to_owned();
        }
        let exits = self.at["exitsv2"].as_object().expect("a room has exits");
        let ways: Vec<&String> = exits.keys().filter(|way| *way != "u").collect();
        let new: Vec<&String> =
            ways.iter().copied().filter(|way| clear && exits[*way]["state"] == "unexplored").collect();
        let way =
            if dice.percent(70) { dice.pick(&new).or_else(|| dice.pick(&ways)) } else { dice.pick(&ways) };
        // The town has other doors; the way down is what is wanted.
        let down = ways.iter().find(|way| **way == "d");
        down.or(way).map_or_else(|| "recall".to_owned(), |way| (*way).clone())
    }

    fn compare(&mut self, stored: &Snapshot, wrong: &mut Vec<String>) {
        let body = character(stored, self.name);
        for (number, told) in &self.rooms {
            let room = stored.rooms.iter().find(|(id, _)| u64::from(id.0) == *number).map(|(_, room)| room);
            let same = room.is_some_and(|room| {
                told["name"] == room.name
                    && told["coord"]["x"] == room.at.x
                    && told["coord"]["y"] == room.at.y
                    && (room.clear || told["clear"] == false)
            });
            if !same {
                wrong.push(format!("{} was told of {told}, stored is {room:?}", self.name));
            }
        }
        let moved = self.pending.is_some() && self.is_next_door(stored, body);
        if !self.at.is_null() && self.at["num"] != body.room.0 && !moved {
            wrong.push(format!(
                "{} was told to stand in {}, and stands in {}",
                self.name, self.at["num"], body.room
            ));
        }
        self.compare_things(stored, body, wrong);
    }

    /// Whether one step, typed but not answered, leads to where the body is.
    fn is_next_door(&self, stored: &Snapshot, body: &Character) -> bool {
        let from =
            |exit: &&deepwell::world::Exit| self.at["num"] == exit.room.0 && exit.to == Some(body.room);
        stored.exits.values().any(|exit| from(&exit))
    }

    fn compare_things(&mut self, stored: &Snapshot, body: &Character, wrong: &mut Vec<String>) {
        let catalog = Catalog::builtin();
        let mut found = Things::new();
        for item in stored.items.values().filter(|item| item.place == Place::Holder(body.id)) {
            *found.entry(catalog.items[&item.prototype].with_article.clone()).or_default() += 1;
        }
        self.carried.retain(|_, count| *count > 0);
        let as_told = match self.pending.as_deref() {
            _ if found == self.carried => true,
            Some("get all") => self.carried.iter().all(|(name, count)| found.get(name) >= Some(count)),
            Some("drop all") => found.is_empty(),
            _ => false,
        };
        if !as_told {
            wrong.push(format!("{} was told to carry {:?}, and carries {found:?}", self.name, self.carried));
        }
        self.carried = found;
        self.pending = None;
    }
}

/// Digs a chain of rooms, each with a way there and a way back, and describes each.
#[derive(Default)]
struct Builder {
    /// Rooms that it was told of, by number of the mark.
    dug: BTreeMap<u32, String>,
    /// Marks that it was told are described.
    described: Vec<u32>,
    /// The mark it works on.
    next: u32,
    /// Rooms that it was told are gone.
    destroyed: Vec<String>,
    /// The role that it was told it gave to one of the townsfolk, and whether it was giving another.
    role: Option<&'static str>,
    promoting: bool,
}

impl Builder {
    fn work(&mut self, mut client: Client, done: &Deeds) -> Result<(), Gone> {
        client.send(&format!("connect {BUILDER} {}", password(BUILDER)));
        let last = self.dug.last_key_value().map_or("lodge", |(_, room)| room.as_str()).to_owned();
        client.try_ask(&format!("goto {last}"))?;
        loop {
            self.next += 1;
            let next = self.next;
            let answer = client.try_ask(&format!("dig Mark {next} = onward,back"));
            let (Ok(told) | Err(Gone(told))) = &answer;
            if let Some((_, room)) = told.split_once(&format!("You dig Mark {next}, room ")) {
                self.dug.insert(next, format!("#{}", room.split_once('.').unwrap().0));
            }
            answer?;
            client.try_ask("onward")?;
            client.try_ask(&format!("describe here = {}", description(next)))?;
            self.described.push(next);
            self.destroy_a_folly(&mut client)?;
            let role = if next.is_multiple_of(2) { "helper" } else { "player" };
            self.promoting = true;
            client.try_ask(&format!("promote hebe {role}"))?;
            (self.role, self.promoting) = (Some(role), false);
            done.note();
        }
    }

    /// Digs a room beside this one and destroys it.
    fn destroy_a_folly(&mut self, client: &mut Client) -> Result<(), Gone> {
        let (folly, side) = (format!("Folly {}", self.next), format!("side{}", self.next));
        client.try_ask(&format!("dig {folly} = {side},back"))?;
        let answer = client.try_ask(&format!("destroy {folly}"));
        let (Ok(told) | Err(Gone(told))) = &answer;
        if told.contains(" is gone, and every exit that led there.") {
            self.destroyed.push(folly);
        } else if answer.is_ok() {
            panic!("{folly} is not destroyed: {told}");
        }
        answer.map(drop)
    }

    fn compare(&mut self, stored: &Snapshot, wrong: &mut Vec<String>) {
        for folly in &self.destroyed {
            if stored.rooms.values().any(|room| room.name == *folly) {
                wrong.push(format!("{folly} was told to be gone, and is there"));
            }
        }
        let hebe = stored.accounts.values().find(|account| account.name == "Hebe").expect("it was made");
        if let Some(role) = self.role.filter(|role| *role != hebe.role.name() && !self.promoting) {
            wrong.push(format!("Hebe was told to be {role}, and is {}", hebe.role.name()));
        }
        for mark in 1..=self.next {
            let name = format!("Mark {mark}");
            let rooms: Vec<_> = stored.rooms.values().filter(|room| room.name == name).collect();
            let told = self.dug.contains_key(&mark);
            // What was not told may be there or not; the last one of each run is that one.
            if rooms.len() > 1 || rooms.is_empty() && told {
                wrong.push(format!("{name} was told: {told}; it is there {} times", rooms.len()));
            }
            let Some(room) = rooms.first() else { continue };
            let ways = stored.exits.values().filter(|exit| exit.room == room.id || exit.to == Some(room.id));
            let ways = ways.filter(|exit| (exit.to == Some(room.id)) == (exit.name == "onward")).count();
            if ways < 2 {
                wrong.push(format!("{name} has {ways} ways"));
            }
            if self.described.contains(&mark) && room.description != description(mark) {
                wrong.push(format!("{name} is described as {:?}", room.description));
            }
            // It goes on from there, whether it was told or not.
            self.dug.entry(mark).or_insert_with(|| format!("#{}", room.id));
        }
    }
}

fn description(mark: u32) -> String {
    format!("A bare room. On the wall stands the number {mark}.")
}

/// Makes accounts, one connection each.
#[derive(Default)]
struct Founder {
    /// Names it was told are made.
    made: Vec<String>,
    /// How many it has asked for.
    asked: u32,
}

impl Founder {
    fn work(&mut self, address: SocketAddr, done: &Deeds) -> Result<(), Gone> {
        if let Some(name) = self.made.last() {
            let mut client = Client::try_open(address, Manners::Plain)?;
            client.send(&format!("connect {name} {}", password(name)));
            client.try_expect("> ")?;
        }
        loop {
            let mut client = Client::try_open(address, Manners::Plain)?;
            let name = founded(self.asked);
            self.asked += 1;
            client.send(&format!("create {name} {}", password(&name)));
            client.try_expect("Welcome.")?;
            self.made.push(name);
            done.note();
        }
    }

    fn compare(&mut self, stored: &Snapshot, wrong: &mut Vec<String>) {
        for name in (0..self.asked).map(founded) {
            let accounts: Vec<_> = stored.accounts.values().filter(|account| account.name == name).collect();
            let told = self.made.contains(&name);
            if accounts.len() > 1 || accounts.is_empty() && told {
                wrong.push(format!("{name} was told: {told}; it is there {} times", accounts.len()));
            }
            for account in &accounts {
                let bodies =
                    stored.characters.values().filter(|body| body.account == Some(account.id)).count();
                if bodies != 1 {
                    wrong.push(format!("{name} has {bodies} characters"));
                }
            }
        }
    }
}

/// A name for a number: its digits as letters, none of which looks like another.
fn founded(n: u32) -> String {
    let letter = |digit: u8| char::from(b"abefghkops"[usize::from(digit - b'0')]);
    let digits = format!("{n:05}").into_bytes().into_iter().map(letter);
    format!("Founded{}", digits.collect::<String>())
}
