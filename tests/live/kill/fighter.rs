//! Somebody who goes down, fights whatever stands in the way, and trains with each new level.

use super::{Scene, Worker};
use crate::client::{Client, Gone, Manners};
use crate::pair::character;
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng};
use deepwell::text::grammar;
use deepwell::world::Snapshot;

const NAME: &str = "Rurik";
const TRAIN: &str = "train constitution";

/// Makes it.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    server.create(NAME);
    vec![Box::new(Fighter { level: 1, told: 0, trained: 0, trains: false })]
}

struct Fighter {
    /// The highest level that it was told of.
    level: u32,
    /// Experience that it was told it gained on this level.
    told: i64,
    /// How often it was told that it trained, and whether it typed that once more.
    trained: u32,
    trains: bool,
}

impl Worker for Fighter {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut client = Client::try_open(scene.address, Manners::Mapper)?;
        client.send(&format!("connect {NAME} {}", password(NAME)));
        let mut line = "look".to_owned();
        loop {
            self.trains = line == TRAIN;
            let answer = client.try_ask(&line);
            let (Ok(told) | Err(Gone(told))) = &answer;
            for told in told.lines() {
                if let Some((_, gained)) = told.split_once("ou gain ")
                    && let Some((gained, _)) = gained.split_once(" experience")
                {
                    self.told += gained.parse::<i64>().unwrap();
                    scene.note("fight");
                } else if let Some((_, level)) = told.split_once("you have reached level ") {
                    self.level = level.split('.').next().unwrap().parse().unwrap();
                    self.told = 0;
                    scene.note("level");
                } else if told.starts_with("You can take more before you fall.") {
                    self.trained += 1;
                    self.trains = false;
                    scene.note("train");
                }
            }
            let answer = answer?;
            line = if self.trained + 1 < self.level && dice.percent(50) {
                TRAIN.to_owned()
            } else {
                next_line(&client, &answer, dice)
            };
        }
    }

    /// More than was told may be there: a fight goes on by itself.
    fn compare(&mut self, stored: &Snapshot, wrong: &mut Vec<String>) {
        let body = character(stored, NAME);
        if body.level > self.level {
            // What is left of the experience is not told.
            (self.level, self.told) = (body.level, 0);
        }
        if body.xp < self.told || body.level < self.level {
            wrong.push(format!(
                "{NAME} was told of {} experience and level {}, and has {} and {}",
                self.told, self.level, body.xp, body.level
            ));
        }
        let trained = body.level - 1 - body.trainings;
        if trained != self.trained && !(self.trains && trained == self.trained + 1) {
            wrong.push(format!("{NAME} was told of {} trainings, and has {trained}", self.trained));
        }
        self.trained = trained;
    }
}

/// Fights what it sees; else pulls what can be pulled, or walks.
pub(crate) fn next_line(client: &Client, answer: &str, dice: &mut Rng) -> String {
    if let Some(creature) = answer.lines().find_map(creature_of) {
        return format!("kill {creature}");
    }
    let room = client.room().expect("it was told where it is");
    if room["clear"] == false && dice.percent(30) {
        return "pull lever".into();
    }
    if dice.percent(15) {
        return "look".into();
    }
    let exits = room["exitsv2"].as_object().expect("a room has exits");
    let ways: Vec<&String> = exits.keys().filter(|way| *way != "u").collect();
    let down = ways.iter().find(|way| **way == "d");
    down.or(dice.pick(&ways)).map_or_else(|| "recall".into(), |way| (*way).clone())
}

/// A word for what a line says is here: "A brood rat is here.", or "Three brood rats are here."
fn creature_of(line: &str) -> Option<&str> {
    if let Some((one, _)) = line.strip_prefix('A').and_then(|line| line.split_once(" is here")) {
        return Some(one.rsplit_once(' ')?.1);
    }
    let (several, _) = line.split_once(" are here")?;
    let (number, name) = several.split_once(' ')?;
    let is_number = (2..=20).any(|count| grammar::number(count).eq_ignore_ascii_case(number));
    // The beginning of the first word: that is the same for one of them.
    let word = name.split(' ').next()?;
    is_number.then(|| word.get(..4).unwrap_or(word))
}
