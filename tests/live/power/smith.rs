//! Builder who opens, links, describes and removes the exits of one room, and uses undo and redo.

use super::cast::{Deed, Person, Work, look_around};
use super::tale::{Facts, Tale, Value};
use crate::client::{ClientKind, Gone};
use crate::kill::known::Step;
use crate::kill::linker::{ROOM, Ways, change_exits};
use deepwell::base::Dice as _;
use deepwell::world::Snapshot;

/// Number of looks between two commands, to give the other workers a turn.
const LOOKS: u32 = 2;
const ABOUT: &str = "the ways of the crossing";

#[derive(Default)]
pub(super) struct Smith {
    now: Ways,
    /// States before and after each change of this life.
    done: Vec<(Ways, Ways)>,
    undone: Vec<(Ways, Ways)>,
    /// Number of the next description.
    next: u32,
}

impl Smith {
    pub(super) const NAME: &'static str = "Tyra";
    /// Commands that build its room.
    pub(super) const ROOM: [&'static str; 2] = ["goto lodge", "dig Crossing;crossing"];

    fn next_step(&mut self, dice: &mut deepwell::base::Rng) -> Step<Ways> {
        match dice.up_to(9) {
            0 | 1 if !self.done.is_empty() => {
                let (before, after) = self.done.pop().expect("something was done");
                self.undone.push((before.clone(), after));
                let (line, message) = ("undo".to_owned(), "You take back: ".to_owned());
                return Step { kind: "undo", line, told: message, then: before };
            }
            2 | 3 if !self.undone.is_empty() => {
                let (before, after) = self.undone.pop().expect("something was taken back");
                self.done.push((before, after.clone()));
                let (line, message) = ("redo".to_owned(), "You do again: ".to_owned());
                return Step { kind: "redo", line, told: message, then: after };
            }
            _ => {}
        }
        let step = change_exits(self.now.clone(), &mut self.next, dice);
        // A command that changes nothing is not in the undo history.
        if step.then != self.now {
            self.done.push((self.now.clone(), step.then.clone()));
            self.undone.clear();
        }
        step
    }
}

impl Person for Smith {
    fn begin(&mut self, stored: &Snapshot, _: &mut Tale) {
        (self.now, self.done, self.undone) = (ways(stored).unwrap_or_default(), Vec::new(), Vec::new());
    }

    fn work(&mut self, mut work: Work<'_>) -> Result<(), Gone> {
        let mut client = work.log_in(Self::NAME, ClientKind::Plain)?;
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
    let room = stored.rooms.values().find(|room| room.sheet.name == ROOM)?.id;
    let exits = stored.exits.values().filter(|exit| exit.room == room && exit.name.starts_with("way"));
    let name_of = |room| stored.rooms.get(&room).map(|room| room.sheet.name.clone()).unwrap_or_default();
    let way = |exit: &deepwell::world::Exit| {
        (exit.name.clone(), (exit.to.map(name_of).unwrap_or_default(), exit.description.clone()))
    };
    Some(exits.map(way).collect())
}

/// Adds the stored facts about this worker.
pub(super) fn add_facts(stored: &Snapshot, facts: &mut Facts) {
    if let Some(ways) = ways(stored) {
        facts.insert(ABOUT.to_owned(), format!("{ways:?}"));
    }
}
