//! Explorers who enter unexplored rooms and carry items around.

use super::content::{CATALOG, parse_item_count};
use super::{Scene, Worker};
use crate::client::{Client, ClientKind, Gone};
use crate::pair::character;
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng, RoomId};
use deepwell::world::{Character, Place, Snapshot};
use serde_json::Value;
use std::collections::BTreeMap;

/// Maximum number of rooms that each explorer opens, to limit the size of the world.
const ROOMS: usize = 1_500;
const NAMES: [&str; 2] = ["Olad", "Bera"];

/// Creates the explorers.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    let begin = |name| -> Box<dyn Worker> {
        // No automatic looting, which would change the inventory.
        server.create(name).ask("config loot manual");
        Box::new(Explorer::new(name))
    };
    NAMES.into_iter().map(begin).collect()
}

/// Enters new rooms, pulls levers, and picks up and drops items.
struct Explorer {
    name: &'static str,
    /// Last `Room.Info` received.
    at: Value,
    /// Rooms received, by number.
    rooms: BTreeMap<u64, Value>,
    /// Acknowledged inventory.
    carried: Items,
    /// Command in flight.
    pending: Option<String>,
    /// Last command and its answer.
    last: String,
}

/// Counts of items by name.
type Items = BTreeMap<&'static str, u32>;

impl Worker for Explorer {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut client = Client::try_open(scene.address, ClientKind::Mapper)?;
        client.send(&format!("connect {} {}", self.name, password(self.name)));
        let mut line = "look".to_owned();
        loop {
            let answer = self.ask(&mut client, &line, scene)?;
            line = self.next_line(&answer, dice);
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let body = character(stored, self.name);
        for (number, info) in &self.rooms {
            let room = stored.rooms.iter().find(|(id, _)| u64::from(id.0) == *number).map(|(_, room)| room);
            let same = room.is_some_and(|room| {
                info["name"] == room.sheet.name
                    && info["coord"]["x"] == room.at.x
                    && info["coord"]["y"] == room.at.y
                    && (room.clear || info["clear"] == false)
            });
            if !same {
                mismatches.push(format!("{} was told of {info}, stored is {room:?}", self.name));
            }
        }
        let moved =
            self.pending.is_some() && self.is_one_move_away(stored, body) || self.is_thrown_out(stored, body);
        if !self.at.is_null() && self.at["num"] != body.room.0 && !moved {
            mismatches.push(format!(
                "{} was told to stand in {}, and stands in {:?}; {}",
                self.name, self.at, stored.rooms[&body.room], self.last
            ));
        }
        self.compare_things(stored, body, mismatches);
    }
}

impl Explorer {
    const fn new(name: &'static str) -> Self {
        Self {
            name,
            at: Value::Null,
            rooms: BTreeMap::new(),
            carried: Items::new(),
            pending: None,
            last: String::new(),
        }
    }

    /// Sends a command and records its acknowledged effects, even if the rest of the answer is lost.
    fn ask(&mut self, client: &mut Client, line: &str, scene: &Scene<'_>) -> Result<String, Gone> {
        self.pending = Some(line.to_owned());
        let before = self.carried.clone();
        let answer = client.try_ask(line);
        let (Ok(text) | Err(Gone(text))) = &answer;
        self.last = format!("{line:?} was answered by {text:?}");
        for line in text.lines() {
            if let Some(thing) = line.strip_prefix("You take ").filter(|thing| !thing.starts_with("hold of"))
            {
                scene.note("get");
                let (thing, count) = parse_item_count(thing.trim_end_matches('.'));
                *self.carried.entry(thing).or_default() += count;
            } else if let Some(thing) = line.strip_prefix("You put down ") {
                scene.note("drop");
                let (thing, count) = parse_item_count(thing.trim_end_matches('.'));
                let held = self.carried.get_mut(thing).unwrap_or_else(|| panic!("{thing} was carried"));
                *held -= count;
            }
        }
        let moved = client.room().is_some_and(|room| room["num"] != self.at["num"]);
        if let Some(room) = client.room() {
            self.at = room.clone();
            self.rooms.insert(room["num"].as_u64().unwrap(), room.clone());
        }
        if moved {
            scene.note("move");
        }
        if answer.is_ok() || moved || self.carried != before {
            self.pending = None;
        }
        answer
    }

    /// Mostly explores; pulls levers, and carries items elsewhere.
    fn next_line(&self, answer: &str, dice: &mut Rng) -> String {
        if self.at.is_null() {
            // The first answer can arrive before GMCP is agreed.
            return "look".to_owned();
        }
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
        let may_open = clear && self.rooms.len() < ROOMS;
        let unexplored = |way: &&String| exits[way.as_str()]["state"] == "unexplored";
        let new: Vec<&String> = ways.iter().copied().filter(|way| may_open && unexplored(way)).collect();
        let way =
            if dice.percent(70) { dice.pick(&new).or_else(|| dice.pick(&ways)) } else { dice.pick(&ways) };
        // In the town, of all exits take the one down.
        let down = ways.iter().find(|way| **way == "d");
        down.or(way).map_or_else(|| "recall".to_owned(), |way| (*way).clone())
    }

    /// Returns `true` if a single move, in flight, leads to the character's stored room.
    fn is_one_move_away(&self, stored: &Snapshot, body: &Character) -> bool {
        let from =
            |exit: &&deepwell::world::Exit| self.at["num"] == exit.room.0 && exit.to == Some(body.room);
        stored.exits.values().any(|exit| from(&exit))
    }

    /// Returns `true` if the character is at the entrance of its puzzle: a player who loses sends all others back
    /// there.
    fn is_thrown_out(&self, stored: &Snapshot, body: &Character) -> bool {
        let is_here = |room: &RoomId| self.at["num"] == room.0;
        let runs = stored.floors.values().filter_map(|floor| floor.puzzle.as_deref());
        runs.filter(|run| run.rooms.iter().any(is_here))
            .any(|run| run.room_of(run.board.entrance) == Some(body.room))
    }

    fn compare_things(&mut self, stored: &Snapshot, body: &Character, mismatches: &mut Vec<String>) {
        let mut found = Items::new();
        for item in stored.items.values().filter(|item| item.place == Place::Holder(body.id)) {
            *found.entry(&CATALOG.items[&item.prototype].with_article).or_default() += item.count;
        }
        self.carried.retain(|_, count| *count > 0);
        let as_told = match self.pending.as_deref() {
            _ if found == self.carried => true,
            Some("get all") => self.carried.iter().all(|(name, count)| found.get(name) >= Some(count)),
            Some("drop all") => found.is_empty(),
            _ => false,
        };
        if !as_told {
            mismatches
                .push(format!("{} was told to carry {:?}, and carries {found:?}", self.name, self.carried));
        }
        self.carried = found;
        self.pending = None;
    }
}
