//! Builder who opens, links, describes and removes the exits of one room.

use super::known::{Known, Step};
use super::{Scene, Worker, builder};
use crate::client::Gone;
use crate::server::Server;
use deepwell::base::{Dice as _, Rng};
use deepwell::world::Snapshot;
use std::collections::BTreeMap;

const NAME: &str = "Tyra";
pub(crate) const ROOM: &str = "Crossing";
/// Targets of the exits: a keyword for builders, and the room's name.
const ROOMS: [(&str, &str); 3] =
    [("shop", "Chandler's Shop"), ("bank", "Counting House"), ("lodge", "Climbers' Lodge")];
const WAYS: u32 = 9;
const LINES: u32 = 12;

/// Creates the builder and the room.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    server.create(NAME);
    let mut builder = server.login(builder::NAME);
    builder.ask(&format!("promote {NAME} builder"));
    builder.ask(&format!("dig {ROOM};crossing"));
    vec![Box::new(Linker { known: Known::default(), next: 0 })]
}

/// Exits by name: target room and description.
pub(crate) type Ways = BTreeMap<String, (String, String)>;

struct Linker {
    known: Known<Ways>,
    /// Number of the next description.
    next: u32,
}

impl Worker for Linker {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut client = scene.enter(NAME)?;
        client.try_ask("goto crossing")?;
        loop {
            let (mut now, mut steps) = (self.known.told().clone(), Vec::new());
            for _ in 0..dice.between(1, LINES) {
                let step = change_exits(now, &mut self.next, dice);
                now = step.then.clone();
                steps.push(step);
            }
            self.known.carry_out(&mut client, scene, steps)?;
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let room = stored.rooms.values().find(|room| room.sheet.name == ROOM).expect("it was dug").id;
        let name_of = |room| stored.rooms[&room].sheet.name.clone();
        let exits = stored.exits.values().filter(|exit| exit.room == room && exit.name.starts_with("way"));
        let mut ways = Ways::new();
        for exit in exits {
            let way = (exit.to.map(name_of).unwrap_or_default(), exit.description.clone());
            if ways.insert(exit.name.clone(), way).is_some() {
                mismatches.push(format!("{} is there twice", exit.name));
            }
        }
        self.known.compare(ways, mismatches);
    }
}

/// Returns a random step that opens, links, describes or removes an exit of the crossing. `number` is that of the next
/// description.
pub(crate) fn change_exits(mut then: Ways, number: &mut u32, dice: &mut Rng) -> Step<Ways> {
    let name = format!("way{}", dice.between(1, WAYS));
    let (word, room) = ROOMS[dice.up_to(2) as usize];
    *number += 1;
    let (kind, line, message) = match (then.get_mut(&name), dice.up_to(2)) {
        (None, _) => {
            then.insert(name.clone(), (room.to_owned(), String::new()));
            ("open", format!("open {name} = {word}"), format!("You open the exit {name}."))
        }
        (Some(way), 0) => {
            room.clone_into(&mut way.0);
            ("link", format!("link {name} = {word}"), format!("{name} leads to {room} now."))
        }
        (Some(way), 1) => {
            way.1 = format!("Arrow {number}.");
            ("describe", format!("describe {name} = {}", way.1), "It is written.".to_owned())
        }
        (Some(_), _) => {
            then.remove(&name);
            ("destroy", format!("destroy {name}"), format!("The exit {name} is gone."))
        }
    };
    Step { kind, line, told: message, then }
}
