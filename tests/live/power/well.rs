//! Workers in the well: walkers, who explore and carry items around, and a fighter.

use super::cast::{Person, Work};
use super::tale::{Facts, Tale, Value};
use crate::client::{Client, ClientKind, Gone};
use crate::kill::fighter::next_line;
use deepwell::base::{Dice as _, Rng};
use deepwell::catalog::Catalog;
use deepwell::world::{Place, Snapshot};
use serde_json::Value as Json;
use std::collections::{BTreeMap, VecDeque};
use std::sync::LazyLock;

/// Start of the message to a defeated character, who is brought out of the well.
const FALL: &str = "The dark closes over you";

/// Enters new rooms, pulls levers, and picks up and drops items.
pub(super) struct Walker {
    name: &'static str,
    /// Acknowledged inventory.
    carried: BTreeMap<String, u32>,
    /// Set if the inventory is unknown: a character brought out of the well loses items without a message for each.
    has_lost: bool,
}

impl Walker {
    pub(super) const NAMES: [&'static str; 3] = ["Olad", "Bera", "Mika"];

    pub(super) fn new(name: &'static str) -> Self {
        Self { name, carried: BTreeMap::new(), has_lost: false }
    }

    fn location_key(&self) -> String {
        format!("{} stands in", self.name)
    }

    fn carries(&self) -> String {
        format!("{} carries", self.name)
    }

    /// Sends a command, and records the acknowledged room and inventory.
    fn ask(&mut self, work: &mut Work<'_>, client: &mut Client, line: &str) -> Result<String, Gone> {
        work.tale.begin(vec![(self.location_key(), Value::Unknown), (self.carries(), Value::Unknown)]);
        let (fence, known) = (client.fences(), client.data().len());
        let mut before = client.room().cloned().unwrap_or_default();
        let answer = client.try_ask(line);
        let (Ok(output) | Err(Gone(output))) = &answer;
        let rooms = client.data()[known..].iter().filter(|(package, _)| package == "Room.Info");
        let mut rooms: VecDeque<Json> = rooms.map(|(_, room)| room.clone()).collect();
        for sentence in output.lines() {
            let had_lost = self.has_lost;
            let kind = self.update_inventory(sentence);
            self.has_lost |= sentence.contains(FALL);
            if !had_lost && (self.has_lost || !kind.is_empty()) {
                let now =
                    if self.has_lost { Value::Unknown } else { Value::Is(format!("{:?}", self.carried)) };
                let kind = if kind.is_empty() { "fall" } else { kind };
                work.note(client, fence, kind, sentence, vec![(self.carries(), now)], Vec::new());
            }
            // `Room.Info` is sent again when the current room changes; ignore repetitions.
            rooms.retain({
                let mut at = before["num"].clone();
                move |room| std::mem::replace(&mut at, room["num"].clone()) != room["num"]
            });
            if let Some(n) = rooms.iter().position(|room| room["name"] == *sentence)
                && let Some(room) = rooms.drain(..=n).next_back()
            {
                let then = vec![(self.location_key(), Value::is(&room["num"]))];
                let mut also = vec![(format!("room {}", room["num"]), Value::Is(room_summary(&room)))];
                let is_step = n == 0 && before["exitsv2"].get(line).is_some() && !output.contains(FALL);
                if is_step {
                    also.push((format!("the way {line} of {}", before["num"]), Value::is(&room["num"])));
                }
                let is_new = !room["branch"].is_null() && room["branch"] != before["branch"];
                work.note(client, fence, if is_new { "branch" } else { "move" }, sentence, then, also);
                before = room;
            }
        }
        // Moved by an event whose text has no line with the room name.
        if let Some(room) = rooms.pop_back().filter(|_| answer.is_ok()) {
            let then = vec![(self.location_key(), Value::is(&room["num"]))];
            work.note(client, fence, "move", &super::fence(fence + 1), then, Vec::new());
        }
        answer
    }

    /// Updates the inventory from an output line; returns the kind of change.
    fn update_inventory(&mut self, line: &str) -> &'static str {
        let (kind, thing) = match (line.strip_prefix("You take "), line.strip_prefix("You put down ")) {
            (Some(thing), _) if !thing.starts_with("hold of") => ("get", thing),
            (_, Some(thing)) => ("drop", thing),
            _ => return "",
        };
        let thing = thing.split(" from ").next().unwrap_or(thing).trim_end_matches('.');
        let count = self.carried.entry(thing.to_owned()).or_default();
        match kind {
            // Several items have a plural name, which is not mapped to the singular.
            _ if !thing.starts_with("a ") && !thing.starts_with("an ") => self.has_lost = true,
            "get" => *count += 1,
            _ if *count == 0 => self.has_lost = true,
            _ => *count -= 1,
        }
        self.carried.retain(|_, count| *count > 0);
        kind
    }

    /// Mostly explores; pulls levers, and carries items elsewhere.
    fn next_line(&self, client: &Client, answer: &str, dice: &mut Rng) -> String {
        let room = client.room().expect("it was told where it is");
        let clear = room["clear"].as_bool().unwrap_or(true);
        let things = answer.contains(" lies here.") || answer.contains(" lie here.");
        if things && dice.percent(60) {
            return "get all".to_owned();
        }
        if !self.carried.is_empty() && dice.percent(40) {
            return "drop all".to_owned();
        }
        if !clear && dice.percent(50) {
            return "pull lever".to_owned();
        }
        let new = |state: &Json| clear && *state == "unexplored";
        exit_onwards(room, new, dice)
    }
}

/// Returns an exit onwards: down if there is one, else preferably one that is new.
fn exit_onwards(room: &Json, is_new: impl Fn(&Json) -> bool, dice: &mut Rng) -> String {
    let exits = room["exitsv2"].as_object().expect("a room has exits");
    let ways: Vec<&String> = exits.keys().filter(|way| *way != "u").collect();
    let new: Vec<&String> = ways.iter().copied().filter(|way| is_new(&exits[*way]["state"])).collect();
    let way = if dice.percent(30) { dice.pick(&new).or_else(|| dice.pick(&ways)) } else { dice.pick(&ways) };
    let down = ways.iter().find(|way| **way == "d");
    down.or(way).map_or_else(|| "recall".to_owned(), |way| (*way).clone())
}

fn room_summary(room: &Json) -> String {
    format!("{} at {}, {}", room["name"].as_str().unwrap_or_default(), room["coord"]["x"], room["coord"]["y"])
}

impl Person for Walker {
    fn begin(&mut self, stored: &Snapshot, _: &mut Tale) {
        let body = crate::pair::character(stored, self.name);
        (self.carried, self.has_lost) = (carried_by(stored, body.id), false);
    }

    fn work(&mut self, mut work: Work<'_>) -> Result<(), Gone> {
        let mut client = work.log_in(self.name, ClientKind::Mapper)?;
        let mut line = "look".to_owned();
        loop {
            let answer = self.ask(&mut work, &mut client, &line)?;
            line = self.next_line(&client, &answer, &mut work.dice);
        }
    }
}

/// Explores, fights every guard, and trains with each new level.
pub(super) struct Fighter {
    name: &'static str,
    /// Acknowledged level, and the experience acknowledged on it.
    level: i64,
    gained: i64,
    trained: i64,
}

/// Factor for encoding level and experience in one number; no level needs as much experience.
const LEVEL: i64 = 1_000_000;

impl Fighter {
    pub(super) const NAMES: [&'static str; 4] = ["Rurik", "Astrid", "Knut", "Wiebke"];

    pub(super) fn new(name: &'static str) -> Self {
        Self { name, level: 1, gained: 0, trained: 0 }
    }
}

fn risen(name: &str) -> String {
    format!("experience of {name}")
}

fn trainings(name: &str) -> String {
    format!("trainings of {name}")
}

impl Person for Fighter {
    fn begin(&mut self, stored: &Snapshot, tale: &mut Tale) {
        let body = crate::pair::character(stored, self.name);
        (self.level, self.gained, self.trained) = (body.level.into(), body.xp, trained(body));
        tale.know(risen(self.name), Value::AtLeast(self.level * LEVEL + self.gained));
        tale.know(trainings(self.name), Value::AtLeast(self.trained));
    }

    fn work(&mut self, mut work: Work<'_>) -> Result<(), Gone> {
        let mut client = work.log_in(self.name, ClientKind::Mapper)?;
        let mut line = "look".to_owned();
        loop {
            let fence = client.fences();
            let answer = client.try_ask(&line);
            let (Ok(text) | Err(Gone(text))) = &answer;
            for sentence in text.lines() {
                let (kind, also) = if let Some((_, gained)) = sentence.split_once("ou gain ")
                    && let Some((gained, _)) = gained.split_once(" experience")
                {
                    self.gained += gained.parse::<i64>().unwrap();
                    ("fight", (risen(self.name), self.level * LEVEL + self.gained))
                } else if let Some((_, level)) = sentence.split_once("you have reached level ") {
                    // The experience left over after a level gain is not reported.
                    self.level = level.split('.').next().unwrap().parse().unwrap();
                    self.gained = 0;
                    ("level", (risen(self.name), self.level * LEVEL))
                } else if line.starts_with("train ") && sentence.contains(", from ") {
                    self.trained += 1;
                    ("train", (trainings(self.name), self.trained))
                } else {
                    continue;
                };
                let also = vec![(also.0, Value::AtLeast(also.1))];
                work.note(&client, fence, kind, sentence, Vec::new(), also);
            }
            let answer = answer?;
            let has_choice = self.trained + 1 < self.level;
            line = if has_choice {
                "train strength".into()
            } else {
                next_line(&client, &answer, &mut work.dice)
            };
        }
    }
}

fn trained(body: &deepwell::world::Character) -> i64 {
    i64::from(body.level) - 1 - i64::from(body.trainings)
}

fn carried_by(stored: &Snapshot, who: deepwell::base::CharacterId) -> BTreeMap<String, u32> {
    static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::builtin);
    let mut carried = BTreeMap::new();
    for item in stored.items.values().filter(|item| item.place == Place::Holder(who)) {
        *carried.entry(CATALOG.items[&item.prototype].with_article.clone()).or_default() += item.count;
    }
    carried
}

/// Adds the stored facts about these workers.
pub(super) fn add_facts(stored: &Snapshot, facts: &mut Facts) {
    for (id, room) in &stored.rooms {
        facts.insert(format!("room {id}"), format!("{} at {}, {}", room.sheet.name, room.at.x, room.at.y));
    }
    for exit in stored.exits.values() {
        if let Some(to) = exit.to {
            let name = exit.name.as_str();
            // `Room.Info` abbreviates directions to their first letters.
            let short = if ["north", "east", "south", "west", "up", "down"].contains(&name) {
                &name[..1]
            } else {
                name
            };
            facts.insert(format!("the way {short} of {}", exit.room), to.to_string());
        }
    }
    for body in stored.characters.values().filter(|body| body.account.is_some()) {
        if Walker::NAMES.contains(&body.name.as_str()) {
            facts.insert(format!("{} stands in", body.name), body.room.to_string());
            facts.insert(format!("{} carries", body.name), format!("{:?}", carried_by(stored, body.id)));
        }
        if Fighter::NAMES.contains(&body.name.as_str()) {
            facts.insert(risen(&body.name), (i64::from(body.level) * LEVEL + body.xp).to_string());
            facts.insert(trainings(&body.name), trained(body).to_string());
        }
    }
}
