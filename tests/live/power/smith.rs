//! A builder who opens exits of one room, lets them lead elsewhere, describes them, takes them away, and takes back and does
//! again what it did.

use super::cast::{Deed, Person, Work, look_around};
use super::tale::{Facts, Tale, Value};
use crate::client::{Gone, Manners};
use deepwell::base::Dice as _;
use deepwell::world::Snapshot;
use std::collections::BTreeMap;

const ROOM: &str = "Crossing";
/// Where exits lead: a word that builders type, and the name of the room.
const ROOMS: [(&str, &str); 3] =
    [("shop", "Chandler's Shop"), ("bank", "Counting House"), ("lodge", "Climbers' Lodge")];
const WAYS: u32 = 9;
/// Looks around between two lines, so that others come to something, too.
const LOOKS: u32 = 2;
const ABOUT: &str = "the ways of the crossing";

/// Exits by name: where they lead, and what one sees of them.
type Ways = BTreeMap<String, (String, String)>;

/// A line, how its answer begins, and what is so then.
struct Step {
    kind: &'static str,
    line: String,
    told: String,
    then: Ways,
}

#[derive(Default)]
pub(super) struct Smith {
    now: Ways,
    /// What it was before and after each line of this life.
    done: Vec<(Ways, Ways)>,
    undone: Vec<(Ways, Ways)>,
    /// The number of the next description.
    next: u32,
}

impl Smith {
    pub(super) const NAME: &'static str = "Tyra";
    /// Lines that make its room.
    pub(super) const ROOM: [&'static str; 2] = ["goto lodge", "dig Crossing;crossing"];

    fn next_step(&mut self, dice: &mut deepwell::base::Rng) -> Step {
        match dice.up_to(9) {
            0 | 1 if !self.done.is_empty() => {
                let (before, after) = self.done.pop().expect("something was done");
                self.undone.push((before.clone(), after));
                let (line, told) = ("undo".to_owned(), "You take back: ".to_owned());
                return Step { kind: "undo", line, told, then: before };
            }
            2 | 3 if !self.undone.is_empty() => {
                let (before, after) = self.undone.pop().expect("something was taken back");
                self.done.push((before, after.clone()));
                let (line, told) = ("redo".to_owned(), "You do again: ".to_owned());
                return Step { kind: "redo", line, told, then: after };
            }
            _ => {}
        }
        let step = self.deed(dice);
        // What leads where it led before is nothing to take back.
        if step.then != self.now {
            self.done.push((self.now.clone(), step.then.clone()));
            self.undone.clear();
        }
        step
    }

    fn deed(&mut self, dice: &mut deepwell::base::Rng) -> Step {
        let mut then = self.now.clone();
        let name = format!("way{}", dice.between(1, WAYS));
        let (word, room) = ROOMS[dice.up_to(2) as usize];
        self.next += 1;
        let (kind, line, told) = match (then.get_mut(&name), dice.up_to(2)) {
            (None, _) => {
                then.insert(name.clone(), (room.to_owned(), String::new()));
                ("open", format!("open {name} = {word}"), format!("You open the exit {name}."))
            }
            (Some(way), 0) => {
                room.clone_into(&mut way.0);
                ("link", format!("link {name} = {word}"), format!("{name} leads to {room} now."))
            }
            (Some(way), 1) => {
                way.1 = format!("Arrow {}.", self.next);
                ("describe", format!("describe {name} = {}", way.1), "It is written.".to_owned())
            }
            (Some(_), _) => {
                then.remove(&name);
                ("destroy", format!("destroy {name}"), format!("The exit {name} is gone."))
            }
        };
        Step { kind, line, told, then }
    }
}

impl Person for Smith {
    fn begin(&mut self, stored: &Snapshot, _: &mut Tale) {
        (self.now, self.done, self.undone) = (ways(stored).unwrap_or_default(), Vec::new(), Vec::new());
    }

    fn work(&mut self, mut work: Work<'_>) -> Result<(), Gone> {
        let mut client = work.log_in(Self::NAME, Manners::Plain)?;
        client.try_ask("goto crossing")?;
        loop {
            let Step { kind, line, told, then: now } = self.next_step(&mut work.dice);
            let then = vec![(ABOUT.to_owned(), Value::Is(format!("{now:?}")))];
            work.perform(&mut client, Deed { kind, line: &line, told: &told, then })?;
            self.now = now;
            look_around(&mut client, LOOKS)?;
        }
    }
}

fn ways(stored: &Snapshot) -> Option<Ways> {
    let room = stored.rooms.values().find(|room| room.name == ROOM)?.id;
    let exits = stored.exits.values().filter(|exit| exit.room == room && exit.name.starts_with("way"));
    let name_of = |room| stored.rooms.get(&room).map(|room| room.name.clone()).unwrap_or_default();
    let way = |exit: &deepwell::world::Exit| {
        (exit.name.clone(), (exit.to.map(name_of).unwrap_or_default(), exit.description.clone()))
    };
    Some(exits.map(way).collect())
}

/// What is stored of what it may be told.
pub(super) fn add_facts(stored: &Snapshot, facts: &mut Facts) {
    if let Some(ways) = ways(stored) {
        facts.insert(ABOUT.to_owned(), format!("{ways:?}"));
    }
}
