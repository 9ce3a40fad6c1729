//! Resets of hand-built rooms on request: what spawn rules lack comes at once, chests are full and shut, sold wares are in
//! stock again, and doors are as they were built.

use crate::character::spawn;
use crate::exit::doors;
use crate::room::respawn;
use crate::turn::Turn;
use deepwell_core::base::{ExitId, RoomId};
use deepwell_core::text::grammar;
use deepwell_core::world::{Exit, Sold, Spawned};
use std::collections::BTreeMap;

/// Numbers of what a reset has changed.
#[derive(Default)]
pub(crate) struct Reset {
    /// Creatures and items that came, by kind.
    came: BTreeMap<(bool, String), u32>,
    chests: usize,
    shops: usize,
    doors: usize,
}

/// Resets rooms at once. Limits and conditions of spawn rules hold.
pub(crate) fn reset(turn: &mut Turn, rooms: &[RoomId]) -> Reset {
    let mut done = Reset::default();
    for room in rooms {
        done.doors += reset_doors(turn, *room);
        let row = &turn.world.rooms[*room];
        if *row.sold != Sold::default() {
            turn.world.rooms.change(*room, |row| row.sold = Sold::default().into());
            done.shops += 1;
        }
        let rules = turn.world.rooms[*room].spawns.clone();
        for chest in rules.iter().flat_map(|rule| respawn::to_refill(turn, *room, rule)).collect::<Vec<_>>() {
            spawn::refill(turn, chest);
            done.chests += 1;
        }
    }
    let rules_of = |room: &RoomId| {
        let rules = turn.world.rooms[*room].spawns.iter().cloned();
        rules.map(|rule| (*room, rule)).collect::<Vec<_>>()
    };
    let wanted: Vec<_> = rooms.iter().flat_map(rules_of).collect();
    let counts = respawn::restock(turn, &wanted);
    for ((_, rule), count) in wanted.into_iter().zip(counts).filter(|(_, count)| *count > 0) {
        let kind = (matches!(rule.what, Spawned::Item(_)), rule.what.key().to_owned());
        *done.came.entry(kind).or_default() += count;
    }
    done
}

/// Opens or closes the doors of a room as its file has them, or closes those without a file. Returns their number.
fn reset_doors(turn: &mut Turn, room: RoomId) -> usize {
    let differs =
        |exit: &&Exit| exit.door.as_ref().is_some_and(|door| door.shut == is_built_open(turn, exit));
    let changed: Vec<ExitId> = turn.world.exits.of(room).filter(differs).map(|exit| exit.id).collect();
    for exit in &changed {
        let shut = !is_built_open(turn, &turn.world.exits[*exit]);
        doors::set_door_shut(turn, *exit, shut);
    }
    changed.len()
}

/// Returns `true` if the file of the zone has the door of an exit open.
fn is_built_open(turn: &Turn, exit: &Exit) -> bool {
    let room = &turn.world.rooms[exit.room];
    let key = room.zone_key();
    let area = turn.catalog.areas.get(&room.area);
    let built = area.and_then(|area| area.rooms.iter().find(|built| built.key == key));
    built.is_some_and(|built| built.exits.iter().any(|built| built.name == exit.name && built.door_open))
}

impl Reset {
    /// Tells the numbers in sentences.
    pub(crate) fn words(&self, turn: &Turn) -> String {
        let named = |((is_item, key), count): (&(bool, String), &u32)| {
            let (name, plural) = if *is_item {
                turn.catalog.items.get(key).map(|item| (&item.name, &item.plural))?
            } else {
                turn.catalog.creatures.get(key).map(|creature| (&creature.name, &creature.plural))?
            };
            Some(grammar::counted_as(*count, name, Some(plural)))
        };
        let came: Vec<String> = self.came.iter().filter_map(named).collect();
        let came = grammar::list_or("nothing, as nothing was missing", came);
        let mut message = format!("It is reset. There came {came}.");
        for (count, noun, state) in [
            (self.chests, "chest", "full and shut again"),
            (self.shops, "shop", "in stock again"),
            (self.doors, "door", "as built again"),
        ] {
            if count > 0 {
                let is = if count == 1 { "is" } else { "are" };
                message = format!(
                    "{message} {} {is} {state}.",
                    grammar::capitalise(&grammar::counted(count, noun))
                );
            }
        }
        message
    }
}
