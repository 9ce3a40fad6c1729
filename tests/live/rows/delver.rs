//! Bot that remembers the rooms sent to its client, clears blocked rooms, and walks to unexplored exits.

use crate::PATIENCE;
use crate::client::{Client, ClientKind};
use crate::server::{Server, password};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// Number of attempts at a room before the bot gives it up.
const TRIES: usize = 40;
/// Duration of a round.
const ROUND: Duration = Duration::from_millis(50);

/// Creatures never act.
pub(super) const STILL: (&str, &str, &str) = ("rules.toml", "\ntick_secs = 10\n", "\ntick_secs = 3600\n");

/// Returns the shipped content, changed so that new characters are practically invincible.
fn hero_content(changes: &[(&str, &str, &str)]) -> Vec<(String, String)> {
    let hero = [
        ("rules.toml", "\nhp = 30\n", "\nhp = 90000\n"),
        ("rules.toml", "\nattack = 5\n", "\nattack = 9000\n"),
        ("rules.toml", "\nhit_percent = 80\n", "\nhit_percent = 100\n"),
    ];
    let mut files: Vec<(String, String)> = deepwell::catalog::BUILTIN
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    for (path, from, to) in hero.iter().chain(changes) {
        let (_, text) = files.iter_mut().find(|(file, _)| file == path).expect("a file that ships");
        assert!(text.contains(from), "{path} has no {from:?}");
        *text = text.replacen(from, to, 1);
    }
    files
}

/// Starts a server with invincible new characters and short rounds; settings as `section.key=value`.
pub(super) fn hero_server(settings: &[&str]) -> Server {
    hero_server_with(&[], settings)
}

/// Like [`hero_server`], with further changes of shipped content: file, old text, new text.
pub(super) fn hero_server_with(changes: &[(&str, &str, &str)], settings: &[&str]) -> Server {
    let quick = ["game.round=50ms", "limits.commands_per_second=100000", "limits.commands_burst=100000"];
    let settings = [&quick, settings].concat();
    Server::start_with_content(hero_content(changes), &settings)
}

/// Client that remembers rooms.
pub(super) struct Delver {
    pub(super) client: Client,
    /// Every room seen, as last sent.
    pub(super) rooms: BTreeMap<i64, Value>,
    /// `true` for each room that was clear when first seen.
    pub(super) born_clear: BTreeMap<i64, bool>,
    /// Room from which each room was first entered.
    pub(super) came_from: BTreeMap<i64, i64>,
    /// Rooms that could not be cleared.
    pub(super) stuck: BTreeSet<i64>,
    /// All text received from answers.
    pub(super) told: String,
    /// Number of the client's GMCP messages already processed.
    read: usize,
}

impl Delver {
    /// Creates a character in the town.
    pub(super) fn create(server: &Server, name: &str) -> Self {
        let mut client = Client::open(server.address(), ClientKind::Mapper);
        client.expect("name: ");
        client.enter("create", name, &password(name));
        let mut delver = Self {
            client,
            rooms: BTreeMap::new(),
            born_clear: BTreeMap::new(),
            came_from: BTreeMap::new(),
            stuck: BTreeSet::new(),
            told: String::new(),
            read: 0,
        };
        delver.ask("config width off");
        delver
    }

    /// Creates a character that owns the world and may build.
    pub(super) fn owner(server: &Server, name: &str) -> Self {
        let token = server.control(&["owner-token"]);
        let mut delver = Self::create(server, name);
        let answer = delver.ask(&format!("claim {}", token.as_str().expect("a token")));
        assert!(answer.contains("yours"), "{answer}");
        delver
    }

    /// Creates the owner, digs a start room whose exits lead to the given theme, applies settings and walks north.
    pub(super) fn behind(server: &Server, name: &str, level: &str, settings: &[&str]) -> Self {
        let mut delver = Self::owner(server, name);
        delver.all(&["east", "dig Shaft:start = down,up", "down", "open north:branch"]);
        let answer = delver.ask(&format!("set here theme = {level}"));
        assert!(answer.contains(level), "{answer}");
        for setting in settings {
            let answer = delver.ask(&format!("set here {setting}"));
            assert!(answer.contains(" now."), "{answer}");
        }
        delver.ask("north");
        delver
    }

    /// Sends a command; returns the answer.
    pub(super) fn ask(&mut self, line: &str) -> String {
        let answer = self.client.ask(line);
        self.told.push_str(&answer);
        self.told.push('\n');
        self.note();
        answer
    }

    /// Sends several commands.
    pub(super) fn all(&mut self, lines: &[&str]) {
        for line in lines {
            self.ask(line);
        }
    }

    fn note(&mut self) {
        let data = self.client.data();
        for (_, room) in data[self.read..].iter().filter(|(package, _)| package == "Room.Info") {
            let num = room["num"].as_i64().expect("a number");
            self.born_clear.entry(num).or_insert(room["clear"] == true);
            self.rooms.insert(num, room.clone());
        }
        self.read = data.len();
    }

    /// Returns the current room's `Room.Info`.
    pub(super) fn here(&self) -> &Value {
        self.client.room().expect("a room was told")
    }

    /// Returns the current room's number.
    pub(super) fn num(&self) -> i64 {
        self.here()["num"].as_i64().expect("a number")
    }

    /// Repeats a direction until the room changes, struggling out of webs and standing up from fights. Returns `false`
    /// after [`TRIES`] attempts.
    pub(super) fn walk(&mut self, way: &str) -> bool {
        let from = self.num();
        for _ in 0..TRIES {
            let answer = self.ask(way);
            if self.num() != from {
                self.came_from.entry(self.num()).or_insert(from);
                return true;
            }
            self.ask(if answer.contains("held fast") { "struggle" } else { "stand" });
            self.client.read_for(ROUND);
        }
        false
    }

    /// Fights guards and pulls levers; returns `true` if the room is clear.
    pub(super) fn clear(&mut self) -> bool {
        for _ in 0..TRIES {
            let seen = self.ask("look");
            if self.here()["clear"] != false {
                return true;
            }
            match foe(&seen) {
                Some(foe) => {
                    let answer = self.ask(&format!("kill {foe}"));
                    if !answer.contains("is dead") {
                        self.client.read_for(ROUND);
                    }
                }
                None if seen.contains("its chain runs through") => return self.pull_far_lever(&seen),
                None if seen.contains("lever") => drop(self.ask("pull lever")),
                None => break,
            }
        }
        false
    }

    /// Walks back to the remote lever named by a portcullis's text, pulls it, and returns.
    fn pull_far_lever(&mut self, seen: &str) -> bool {
        let gate = self.num();
        let back = ["one room back", "two rooms back", "three rooms back"];
        let Some(back) = back.iter().position(|phrase| seen.contains(phrase)) else { return false };
        let mut lever = gate;
        for _ in 0..=back {
            let Some(before) = self.came_from.get(&lever) else { return false };
            lever = *before;
        }
        let there = |delver: &mut Self, num: i64| {
            let path = delver.path_to(|_, at| at == num).unwrap_or_default();
            path.iter().all(|way| delver.walk(way)) && delver.num() == num
        };
        if !there(self, lever) {
            return false;
        }
        for _ in 0..TRIES {
            if self.ask("pull lever").contains("falls silent") {
                break;
            }
        }
        there(self, gate) && self.here()["clear"] != false
    }

    /// Walks to the nearest unexplored exit and takes it; returns `false` if none is reachable.
    pub(super) fn open_a_room(&mut self) -> bool {
        for _ in 0..TRIES {
            if !self.clear() {
                self.stuck.insert(self.num());
            }
            let Some(path) = self.path_to(|delver, num| {
                !delver.stuck.contains(&num) && !unexplored(&delver.rooms[&num]).is_empty()
            }) else {
                return false;
            };
            if !path.iter().all(|way| self.walk(way)) || !self.clear() {
                self.stuck.insert(self.num());
                continue;
            }
            let way = unexplored(self.here()).into_iter().next();
            if let Some(way) = way
                && self.walk(&way)
            {
                return true;
            }
            self.stuck.insert(self.num());
        }
        false
    }

    /// Opens up to `rooms` rooms until one satisfies the condition; returns `false` if none does.
    pub(super) fn seek(&mut self, rooms: usize, wanted: impl Fn(&Self, &str) -> bool) -> bool {
        for _ in 0..rooms {
            let seen = self.ask("look");
            if wanted(self, &seen) {
                return true;
            }
            if !self.open_a_room() {
                return false;
            }
        }
        false
    }

    /// Repeats an action, with waits for creatures in between, until all texts have been received.
    pub(super) fn wait_until(&mut self, wanted: &[&str], meanwhile: impl Fn(&mut Self)) {
        let begun = Instant::now();
        while !wanted.iter().all(|phrase| self.told.contains(*phrase)) {
            assert!(begun.elapsed() < PATIENCE * 4, "{wanted:?}:\n{}", self.told);
            meanwhile(self);
            for _ in 0..20 {
                self.ask("wait");
                self.client.read_for(ROUND * 2);
            }
        }
    }

    /// Returns the directions to the nearest room that satisfies the condition, within this branch and floor.
    pub(super) fn path_to(&self, wanted: impl Fn(&Self, i64) -> bool) -> Option<Vec<String>> {
        let mut queue = VecDeque::from([(self.num(), Vec::new())]);
        let mut seen = BTreeSet::from([self.num()]);
        while let Some((num, path)) = queue.pop_front() {
            if wanted(self, num) {
                return Some(path);
            }
            for (way, to) in open_exits(&self.rooms[&num]) {
                let is_near = self.rooms.get(&to).is_some_and(|room| {
                    room["branch"] == self.here()["branch"] && room["floor"] == self.here()["floor"]
                });
                if is_near && seen.insert(to) {
                    queue.push_back((to, [path.clone(), vec![way]].concat()));
                }
            }
        }
        None
    }
}

/// Returns a keyword for the guard named in the room's text: the last word of its name.
fn foe(seen: &str) -> Option<String> {
    let verbs = [" is here and bars the way", " are here and bar the way", " bars the way", " bar the way"];
    let (before, _) = verbs.into_iter().find_map(|verb| seen.split_once(verb))?;
    let word = before.split_whitespace().next_back()?.trim_end_matches(',');
    (word != "portcullis").then(|| word.to_owned())
}

fn ways(room: &Value) -> impl Iterator<Item = (&String, &Value)> {
    room["exitsv2"].as_object().into_iter().flatten()
}

/// Returns the coordinates of a room of a dump.
pub(super) fn point(room: &Value) -> [i64; 2] {
    [&room["x"], &room["y"]].map(|part| part.as_i64().expect("a whole number"))
}

/// Returns the rooms of a dump's first floor.
pub(super) fn rooms(dump: &Value) -> &[Value] {
    dump["floors"][0]["rooms"].as_array().expect("rooms")
}

/// Returns the exits of a room of a dump.
pub(super) fn exits(room: &Value) -> &[Value] {
    room["exits"].as_array().expect("exits")
}

/// Returns the unexplored exits of a room in the four horizontal directions.
pub(super) fn unexplored(room: &Value) -> Vec<String> {
    let plane = ways(room).filter(|(name, _)| ["n", "e", "s", "w"].contains(&name.as_str()));
    plane.filter(|(_, way)| way["state"] == "unexplored").map(|(name, _)| name.clone()).collect()
}

/// Returns the explored exits of a room that can be walked, each with the number of its target room.
pub(super) fn open_exits(room: &Value) -> Vec<(String, i64)> {
    let open = ways(room).filter(|(_, way)| way["state"] == "open" || way["state"] == "one_way");
    open.filter_map(|(name, way)| Some((name.clone(), way["num"].as_i64()?))).collect()
}
