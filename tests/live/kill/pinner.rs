//! Player who writes notes on a board and takes them off.

use super::known::{Known, Step};
use super::{Scene, Worker};
use crate::client::Gone;
use crate::server::Server;
use deepwell::base::{Dice as _, Rng};
use deepwell::world::Snapshot;
use std::collections::BTreeMap;

const NAME: &str = "Nanna";
/// Maximum number of notes of the player on the board.
const NOTES_MAX: usize = 20;

/// Creates the player, who goes to the board.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    server.create(NAME).ask("north");
    vec![Box::new(Pinner { known: Known::default(), next: 0 })]
}

struct Pinner {
    /// Titles of the notes by their numbers.
    known: Known<BTreeMap<u32, String>>,
    /// Number of notes written.
    next: u32,
}

impl Worker for Pinner {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut client = scene.enter(NAME)?;
        loop {
            let mut then = self.known.told().clone();
            let numbers: Vec<u32> = then.keys().copied().collect();
            let step = match dice.pick(&numbers).copied() {
                Some(number) if numbers.len() == NOTES_MAX || dice.percent(40) => {
                    then.remove(&number);
                    let message = format!("Note {number} is off the board.");
                    Step { kind: "note", line: format!("board remove {number}"), told: message, then }
                }
                _ => {
                    self.next += 1;
                    let (number, title) =
                        (numbers.last().map_or(1, |last| last + 1), format!("Note {}", self.next));
                    let line = format!("board write {title} = The number is {}.", self.next);
                    then.insert(number, title);
                    let message = format!("Your note hangs on the board, as number {number}.");
                    Step { kind: "note", line, told: message, then }
                }
            };
            self.known.carry_out(&mut client, scene, vec![step])?;
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let found = stored.notes.values().map(|note| (note.number, note.title.clone())).collect();
        self.known.compare(found, mismatches);
    }
}
