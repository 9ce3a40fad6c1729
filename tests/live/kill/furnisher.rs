//! Builder who gives a room a door, triggers, tags and spawned items, opens and shuts the door, and uses undo and redo.

use super::known::{Known, Step, UndoHistory};
use super::{Scene, Worker, builder};
use crate::client::Gone;
use crate::server::Server;
use deepwell::base::{Dice as _, Rng};
use deepwell::world::{Door, Snapshot};
use std::collections::BTreeMap;

const NAME: &str = "Gudrun";
const ROOM: &str = "Gatehall";
const LINES: u32 = 10;
/// Maximum number of other workers' changes in between.
const PAUSE: u32 = 60;
/// Items to spawn. Their interval is a week, so that none spawns during a run.
const THINGS: [&str; 2] = ["clay_lamp", "rye_loaf"];
const WORDS: u32 = 3;

/// Creates the builder and the room.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    server.create(NAME);
    let mut builder = server.login(builder::NAME);
    builder.ask(&format!("promote {NAME} builder"));
    builder.ask("goto lodge");
    builder.ask(&format!("dig {ROOM};gatehall"));
    builder.ask("goto gatehall");
    builder.ask("dig Porch = gate,back");
    vec![Box::new(Furnisher { known: Known::default(), undoing: UndoHistory::default(), next: 0 })]
}

/// State of the room.
#[derive(Clone, PartialEq, Debug, Default)]
struct Hall {
    /// Name of the door, whether it is shut, and its key, as stored on each side.
    doors: [Option<(String, bool, Option<String>)>; 2],
    tag: Option<String>,
    /// Response of the room to each keyword.
    triggers: BTreeMap<String, String>,
    /// Maximum count of each spawned item.
    spawns: BTreeMap<String, u32>,
}

struct Furnisher {
    known: Known<Hall>,
    undoing: UndoHistory<Hall>,
    /// Number of the next text.
    next: u32,
}

impl Worker for Furnisher {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut client = scene.enter(NAME)?;
        client.try_ask("goto gatehall")?;
        self.undoing = UndoHistory::default();
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

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let room = stored.rooms.values().find(|room| room.sheet.name == ROOM).expect("it was dug");
        let side = |is_side: &dyn Fn(&&deepwell::world::Exit) -> bool| {
            let exit = stored.exits.values().find(is_side).expect("it has two sides");
            exit.door.to_value().map(|Door { name, shut, key }| (name, shut, key))
        };
        let doors = [
            side(&|exit| exit.room == room.id && exit.name == "gate"),
            side(&|exit| exit.to == Some(room.id) && exit.name == "back"),
        ];
        let pair = |trigger: &deepwell::world::Trigger| (trigger.on.to_string(), trigger.lines.join(";"));
        let triggers = room.triggers.iter().map(pair).collect();
        let spawns = room.spawns.iter().map(|rule| (rule.what.key().to_owned(), rule.count)).collect();
        let tag = room.sheet.tags.first().cloned();
        self.known.compare(Hall { doors, tag, triggers, spawns }, mismatches);
    }
}

impl Furnisher {
    fn next_step(&mut self, now: &Hall, dice: &mut Rng) -> Step<Hall> {
        let step = match dice.up_to(9) {
            0 | 1 => self.undoing.take_back(),
            2 | 3 => self.undoing.redo_step(),
            4 => return swing(now).unwrap_or_else(|| self.make_new_change(now, dice)),
            _ => None,
        };
        match step {
            Some(step) => Step { then: with_current_door_state(step.then, now), ..step },
            None => self.make_new_change(now, dice),
        }
    }

    fn make_new_change(&mut self, now: &Hall, dice: &mut Rng) -> Step<Hall> {
        self.next += 1;
        let step = self.deed(now, dice);
        self.undoing.note(now, &step.then);
        step
    }

    /// Returns a step that changes the state.
    fn deed(&self, now: &Hall, dice: &mut Rng) -> Step<Hall> {
        let (mut then, number) = (now.clone(), self.next);
        let (kind, line, message) = match (dice.up_to(4), &now.doors[0]) {
            (0, Some((name, shut, key))) => {
                let key = key.is_none().then(|| THINGS[0].to_owned());
                let value = key.clone().unwrap_or_else(|| "none".to_owned());
                let door = Some((name.clone(), *shut, key));
                then.doors = [door.clone(), door];
                ("door", format!("set gate key = {value}"), format!("key is {value} now."))
            }
            (1, Some(_)) => {
                then.doors = [None, None];
                ("door", "set gate door = none".to_owned(), "door is none now.".to_owned())
            }
            (0 | 1, None) => {
                let door = Some((format!("door {number}"), true, None));
                then.doors = [door.clone(), door];
                ("door", format!("set gate door = door {number}"), format!("door is door {number} now."))
            }
            (2, _) => {
                let tag = format!("tag{number}");
                then.tag = Some(tag.clone());
                ("tag", format!("tag here = {tag}"), format!("It has the tags {tag}."))
            }
            (3, _) => {
                let what = THINGS[dice.up_to(1) as usize].to_owned();
                // Always different from the current count, so that undo has an effect.
                let count = (now.spawns.get(&what).copied().unwrap_or_default() + dice.between(1, 2)) % 3;
                let message = if count == 0 {
                    then.spawns.remove(&what);
                    format!("{what} comes here no more by itself.")
                } else {
                    then.spawns.insert(what.clone(), count);
                    format!("{what}: {count} here from now on")
                };
                ("spawn", format!("spawn {what} = {count} every 604800"), message)
            }
            _ => {
                let name = format!("word{}", dice.up_to(WORDS));
                let on = format!("say {name}");
                if then.triggers.remove(&on).is_some() && dice.percent(30) {
                    let message = format!("Nothing happens any more at {name}.");
                    ("trigger", format!("trigger {name} = none"), message)
                } else {
                    let says = format!("room The wall hums {number} times.");
                    then.triggers.insert(on.clone(), says.clone());
                    (
                        "trigger",
                        format!("trigger {on} as {name} = {says}"),
                        format!("It is set: trigger {on}, one line."),
                    )
                }
            }
        };
        Step { kind, line, told: message, then }
    }
}

/// Adjusts a restored state: an existing door stays open or shut as it is, and a restored one is shut.
fn with_current_door_state(mut then: Hall, now: &Hall) -> Hall {
    for (door, now) in then.doors.iter_mut().zip(&now.doors) {
        if let Some((_, shut, _)) = door {
            *shut = now.as_ref().is_none_or(|(_, shut, _)| *shut);
        }
    }
    then
}

/// Opens or shuts the door by hand, unless it is locked; undo does not cover this.
fn swing(now: &Hall) -> Option<Step<Hall>> {
    let (name, shut, key) = now.doors[0].clone()?;
    let hands = key.is_none() || !shut;
    let mut then = now.clone();
    then.doors.iter_mut().flatten().for_each(|(_, shut, _)| *shut = !*shut);
    let verb = if shut { "open" } else { "shut" };
    let message = format!("You {verb} the {name}.");
    hands.then(|| Step { kind: "swing", line: format!("{verb} gate"), told: message, then })
}
