//! Fighter who explores, fights every guard, and trains with each new level.

use super::{Scene, Worker};
use crate::client::{Client, ClientKind, Gone};
use crate::pair::character;
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng};
use deepwell::text::grammar;
use deepwell::world::Snapshot;

const NAME: &str = "Rurik";
const TRAIN: &str = "train constitution";

/// Creates the fighter.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    server.create(NAME);
    vec![Box::new(Fighter { level: 1, told: 0, trained: 0, trains: false })]
}

struct Fighter {
    /// Highest level acknowledged.
    level: u32,
    /// Experience acknowledged as gained on this level.
    told: i64,
    /// Number of acknowledged trainings, and whether another is in flight.
    trained: u32,
    trains: bool,
}

impl Worker for Fighter {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut client = Client::try_open(scene.address, ClientKind::Mapper)?;
        client.send(&format!("connect {NAME} {}", password(NAME)));
        let mut line = "look".to_owned();
        loop {
            self.trains = line == TRAIN;
            let answer = client.try_ask(&line);
            let (Ok(text) | Err(Gone(text))) = &answer;
            for sentence in text.lines() {
                if let Some((_, gained)) = sentence.split_once("ou gain ")
                    && let Some((gained, _)) = gained.split_once(" experience")
                {
                    self.told += gained.parse::<i64>().unwrap();
                    scene.note("fight");
                } else if let Some((_, level)) = sentence.split_once("you have reached level ") {
                    self.level = level.split('.').next().unwrap().parse().unwrap();
                    self.told = 0;
                    scene.note("level");
                } else if sentence.starts_with("You can take more before you fall.") {
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

    /// More than was acknowledged may be stored: a fight continues without commands.
    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let body = character(stored, NAME);
        if body.level > self.level {
            // The experience left over after a level gain is not reported.
            (self.level, self.told) = (body.level, 0);
        }
        if body.xp < self.told || body.level < self.level {
            mismatches.push(format!(
                "{NAME} was told of {} experience and level {}, and has {} and {}",
                self.told, self.level, body.xp, body.level
            ));
        }
        let trained = body.level - 1 - body.trainings;
        if trained != self.trained && !(self.trains && trained == self.trained + 1) {
            mismatches.push(format!("{NAME} was told of {} trainings, and has {trained}", self.trained));
        }
        self.trained = trained;
    }
}

/// Returns a command: fight a visible creature; else pull a lever, or move.
pub(crate) fn next_line(client: &Client, answer: &str, dice: &mut Rng) -> String {
    if let Some(creature) = answer.lines().find_map(creature_keyword) {
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

/// Returns a keyword for the creature in a line such as "A brood rat is here." or "Three brood rats are here."
fn creature_keyword(line: &str) -> Option<&str> {
    if let Some((one, _)) = line.strip_prefix('A').and_then(|line| line.split_once(" is here")) {
        return Some(one.rsplit_once(' ')?.1);
    }
    let (several, _) = line.split_once(" are here")?;
    let (number, name) = several.split_once(' ')?;
    let is_number = (2..=20).any(|count| grammar::number(count).eq_ignore_ascii_case(number));
    // The start of the first word, which is the same in singular and plural.
    let word = name.split(' ').next()?;
    is_number.then(|| word.get(..4).unwrap_or(word))
}
