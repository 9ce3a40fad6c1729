//! A builder who makes kinds of things, changes them and takes them away, writes a room anew and saves it as a vault, and takes
//! back and does again what it did.

use super::known::{Known, Step, TakenBack};
use super::{Scene, Worker, builder};
use crate::client::Gone;
use crate::server::Server;
use deepwell::base::{Dice as _, Rng};
use deepwell::world::{Definition, Snapshot};
use std::collections::BTreeMap;

const NAME: &str = "Ragna";
const LAIR: &str = "Lair";
/// Changes that others make in between, at most.
const PAUSE: u32 = 60;
/// Lines that it types in one go, at most.
const LINES: u32 = 6;
/// Things that there are at most.
const THINGS: usize = 20;

/// Makes it and its zone.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    let mut maker = server.create(NAME);
    server.login(builder::NAME).ask(&format!("promote {NAME} builder"));
    for line in ["goto lodge", "zone new lair", "dig Lair;lair = burrow,out", "goto lair", "zone set lair"] {
        maker.ask(line);
    }
    vec![Box::new(Maker { known: Known::default(), undoing: TakenBack::default(), next: 0 })]
}

/// What it has made.
#[derive(Clone, PartialEq, Debug, Default)]
struct Made {
    /// What each thing is worth, if that is said.
    things: BTreeMap<String, Option<String>>,
    /// What stands in the room.
    room: String,
    /// What stands in the room of the vault.
    vault: Option<String>,
}

struct Maker {
    known: Known<Made>,
    undoing: TakenBack<Made>,
    /// The number of the next thing or text.
    next: u32,
}

impl Worker for Maker {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut client = scene.enter(NAME)?;
        client.try_ask("goto lair")?;
        self.undoing = TakenBack::default();
        loop {
            scene.pause(dice.up_to(PAUSE));
            let (mut now, mut steps) = (self.known.told().clone(), Vec::new());
            for _ in 0..dice.between(1, LINES) {
                let step = self.next_step(&now, dice);
                now = step.then.clone();
                steps.push(step);
            }
            self.known.carry_out(&mut client, scene, steps)?;
        }
    }

    fn compare(&mut self, stored: &Snapshot, wrong: &mut Vec<String>) {
        let value = |row: &Definition| {
            let said = row.text.lines().find_map(|line| line.strip_prefix("value = "));
            said.map(str::to_owned)
        };
        let things = stored.definitions.values().map(|row| (row.key.clone(), value(row))).collect();
        let room = stored.rooms.values().find(|room| room.name == LAIR).expect("it was dug");
        let zones = &stored.meta.as_ref().expect("a world").zones;
        let vault = zones["lair"].vaults.get("lair").map(|vault| vault.rooms[0].content.description.clone());
        self.known.compare(Made { things, room: room.description.clone(), vault }, wrong);
    }
}

impl Maker {
    fn next_step(&mut self, now: &Made, dice: &mut Rng) -> Step<Made> {
        let again = match dice.up_to(9) {
            0 | 1 => self.undoing.take_back(),
            2 | 3 => self.undoing.do_again(),
            _ => None,
        };
        again.unwrap_or_else(|| {
            self.next += 1;
            let step = self.deed(now, dice);
            self.undoing.note(now, &step.then);
            step
        })
    }

    /// Something that was not so before.
    fn deed(&self, now: &Made, dice: &mut Rng) -> Step<Made> {
        let (mut then, number) = (now.clone(), self.next);
        let keys: Vec<&String> = now.things.keys().collect();
        let key = dice.pick(&keys).map(|key| (*key).clone());
        let (kind, line, told) = match (dice.up_to(4), key) {
            (0 | 1, Some(key)) => {
                then.things.insert(key.clone(), Some(number.to_string()));
                let line = format!("set thing {key} value = {number}");
                ("make", line, format!("The thing {key}: value is {number} now."))
            }
            (2, Some(key)) => {
                then.things.remove(&key);
                ("make", format!("destroy thing {key}"), format!("There is no kind of thing {key} any more."))
            }
            (3, _) => {
                then.room = format!("Straw lies {number} deep.");
                ("describe", format!("describe here = {}", then.room), "It is written.".to_owned())
            }
            (4, _) if now.vault.as_ref() != Some(&now.room) => {
                then.vault = Some(now.room.clone());
                ("vault", "vault save lair south".to_owned(), "lair is a vault now: ".to_owned())
            }
            (_, Some(key)) if now.things.len() >= THINGS => {
                then.things.remove(&key);
                ("make", format!("destroy thing {key}"), format!("There is no kind of thing {key} any more."))
            }
            _ => {
                let key = format!("crate_of_{number}");
                then.things.insert(key.clone(), None);
                ("make", format!("make thing {key}"), format!("There is a kind of thing {key} now"))
            }
        };
        Step { kind, line, told, then }
    }
}
