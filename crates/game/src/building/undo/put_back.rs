//! Execution of a plan: rows are deleted, restored and modified in an order that never leaves a dangling reference.
//! Then items are put back and creatures return home.

use super::plan::UndoPlan;
use super::{UndoMode, WHY, recall};
use crate::branch::{expiry, tasks};
use crate::building::undo::planned_change::RowChanges;
use crate::building::{built_rooms, definitions, draft_versions, keys, zones};
use crate::character::spawn;
use crate::item::stacks;
use crate::message::{naming, notices};
use crate::room::respawn;
use crate::state::event::GameEvent;
use crate::turn::Turn;
use crate::{attack, movement, quest};
use deepwell_core::base::{CharacterId, Rare, RoomId};
use deepwell_core::catalog::{Catalog, DefinitionKind};
use deepwell_core::text::grammar;
use deepwell_core::world::building::image;
use deepwell_core::world::{Built, Definition, Exit, Item, JournalEntry, MadeObject, Place};
use std::collections::BTreeSet;
use std::sync::Arc;

impl UndoPlan {
    /// Applies the planned changes.
    pub(super) fn carry_out(self, turn: &mut Turn) {
        let mut seen: BTreeSet<RoomId> = self.exits.back.values().map(|exit| exit.room).collect();
        for id in self.exits.out {
            if let Some(exit) = turn.world.exits.get(id) {
                seen.insert(exit.room);
                built_rooms::remove_built_exit(turn, id);
            }
        }
        built_rooms::remove_built_rooms(turn, &self.rooms.out.into_iter().collect());
        let places: Vec<_> = self
            .rooms
            .otherwise
            .values()
            .filter_map(|room| Some((room.id, room.coordinates()?)))
            .filter(|(id, place)| turn.world.rooms[*id].coordinates() != Some(*place))
            .collect();
        turn.world.rooms.move_built(&places);
        for (id, room) in self.rooms.otherwise {
            seen.insert(id);
            turn.world.rooms.change_built(id, |row| *row = room);
        }
        for (_, room) in self.rooms.back {
            turn.world.add_room(room);
        }
        for (id, exit) in self.exits.back {
            let settings = exit.start_settings();
            turn.world.exits.add(Exit { own_tasks: Rare::usual(), ..exit });
            expiry::set_exit_settings(turn, id, &settings);
        }
        for (id, exit) in self.exits.otherwise {
            seen.insert(exit.room);
            let settings = exit.start_settings();
            turn.world.exits.change(id, |row| *row = Exit { own_tasks: row.own_tasks.clone(), ..exit });
            expiry::set_exit_settings(turn, id, &settings);
        }
        for (room, tasks) in self.tasks.back {
            turn.world.start_tasks.put(tasks);
            tasks::restart(turn, room);
        }
        for (room, tasks) in self.tasks.otherwise {
            expiry::set_start_settings(turn, room, tasks.settings);
        }
        for (id, record) in self.creatures {
            let text = |field: &str| {
                record.get(field).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
            };
            let (name, description) = (text("name"), text("description"));
            turn.world.characters.change(id, |body| {
                (body.name, body.description) = (name, description);
                body.triggers = image::triggers(&record).into();
            });
        }
        for (id, record) in self.items {
            turn.world.items.change(id, |item| item.triggers = image::triggers(&record).into());
        }
        for (key, zone) in self.zones {
            change_zone(turn, key, zone);
        }
        change_content(turn, self.definitions, self.content, self.changes_drafts);
        for room in seen {
            turn.emit_event(GameEvent::RoomChanged { room });
        }
    }
}

/// Restores definitions. An author whose account has been deleted is cleared.
fn change_content(
    turn: &mut Turn,
    changes: RowChanges<Definition>,
    content: Option<Arc<Catalog>>,
    changes_drafts: bool,
) {
    let Some(content) = content else { return };
    let RowChanges { out, back, otherwise } = changes;
    for id in out {
        turn.world.definitions.remove(id);
        turn.set_aside.remove(&id);
    }
    let now = turn.now;
    for row in back.into_values() {
        let author = row.author.filter(|author| turn.world.accounts.get(*author).is_some());
        turn.world.definitions.add(Definition { author, at: now, ..row });
    }
    for (id, row) in otherwise {
        turn.set_aside.remove(&id);
        let before = turn.world.definitions[id].key.clone();
        if before != row.key {
            turn.world.definitions.change_key(id, &row.key);
            keys::rename_living(turn, row.kind, &before, &row.key);
        }
        turn.world.definitions.change(id, |old| {
            (old.text, old.zone, old.draft, old.at) = (row.text, row.zone, row.draft, now);
        });
    }
    turn.catalog = content;
    if changes_drafts {
        definitions::apply_overrides(turn);
        let is_gone = |turn: &Turn, kind, key: &str| turn.world.definitions.find(kind, key).is_none();
        draft_versions::release(turn, is_gone);
        draft_versions::localise_large_drafts(turn);
    }
    quest::announce_to_all(turn);
}

/// Restores a zone. A zone to be deleted that still has rooms only loses its owner and builders.
fn change_zone(turn: &mut Turn, key: String, zone: Option<deepwell_core::world::Zone>) {
    let stands = zones::has_rooms(turn, &key);
    match zone {
        Some(zone) => _ = turn.world.meta_mut().zones.insert(key, zone),
        None if stands => {
            if let Some(row) = turn.world.meta_mut().zones.get_mut(&key) {
                row.owner = None;
                row.authors.clear();
            }
        }
        None => turn.world.remove_zone(&key),
    }
}

/// Puts items back into restored rooms, sends creatures home, and removes or recreates spawned creatures and items.
/// Returns lines for the report.
pub(super) fn restore_contents(turn: &mut Turn, entry: &mut JournalEntry, way: UndoMode) -> Vec<String> {
    let mut lines = Vec::new();
    let returned = restore_items(turn, &mut entry.touches.bin);
    if returned > 0 {
        let lie = if returned == 1 { "lies" } else { "lie" };
        lines
            .push(format!("{} {lie} there again.", grammar::capitalise(&grammar::counted(returned, "item"))));
    }
    for (body, room) in std::mem::take(&mut entry.touches.driven_out) {
        if turn.world.rooms.get(room).is_some() {
            send_home(turn, body, room);
        } else {
            entry.touches.driven_out.push((body, room));
        }
    }
    restore_creatures(turn, entry, way);
    if way == UndoMode::Again {
        for item in std::mem::take(&mut entry.touches.destroyed) {
            let in_room = turn.world.items.get(item).is_some_and(|row| matches!(row.place, Place::Room(_)));
            if in_room {
                turn.world.remove_item(item, WHY);
            } else {
                entry.touches.destroyed.push(item);
            }
        }
    }
    let made = std::mem::take(&mut entry.touches.made);
    match way {
        UndoMode::Back => lines.extend(made.iter().filter_map(|one| remove_spawned(turn, one))),
        UndoMode::Again => made.iter().for_each(|one| _ = respawn::spawn_one(turn, one.room, &one.what)),
    }
    entry.touches.made = made;
    lines
}

/// Moves players out of rooms that are about to be deleted, to the room where the command was entered, and switches
/// their walk-to-build off. Returns the players, who see the room once the plan is carried out.
pub(super) fn evacuate_players(turn: &mut Turn, entry: &JournalEntry, plan: &UndoPlan) -> Vec<CharacterId> {
    let is_built = |room: &RoomId| turn.world.rooms.get(*room).is_some_and(|room| room.branch.is_none());
    let refuge = entry.room.filter(|room| !plan.rooms.out.contains(room)).filter(is_built);
    let Some(refuge) = refuge else { return Vec::new() };
    let inside = turn.world.characters.iter().filter(|(_, body)| plan.rooms.out.contains(&body.room));
    let players: Vec<CharacterId> = inside.filter(|(_, body)| body.is_player()).map(|(id, _)| id).collect();
    for who in players.iter().copied() {
        let dug = turn.awake.get(who).is_some_and(|body| body.digs.is_some());
        if dug {
            turn.awake.take(who, |body| body.digs = None);
        }
        let digs = if dug { " Your steps dig no longer." } else { "" };
        let message = format!("The room around you is taken back: you are where it was dug from.{digs}");
        notices::tell(turn, who, message.as_str());
        movement::relocate(turn, who, refuge);
    }
    players
}

/// Restores creatures that were removed with their room or destroyed, or removes them again. The entry keeps those that
/// are not there to be removed.
fn restore_creatures(turn: &mut Turn, entry: &mut JournalEntry, way: UndoMode) {
    let made_room = |entry: &JournalEntry, home: RoomId| {
        entry.touches.pieces.iter().any(|piece| piece.of == Built::Room(home) && piece.before.is_none())
    };
    for mut gone in std::mem::take(&mut entry.touches.removed) {
        let (lives, has_home) =
            (turn.world.characters.get(gone.body).is_some(), turn.world.rooms.get(gone.home).is_some());
        let returns = way == UndoMode::Back || made_room(entry, gone.home);
        if let Some(key) = definitions::renamed_key(turn, DefinitionKind::Creature, &gone.prototype) {
            gone.prototype = key;
        }
        if returns && has_home && !lives {
            if let Some(body) = spawn::spawn_creature(turn, &gone.prototype, gone.home, None) {
                turn.world.characters.change(body, |row| {
                    row.name.clone_from(&gone.name);
                    row.description.clone_from(&gone.description);
                    row.triggers = gone.triggers.clone().into();
                });
                gone.body = body;
            }
        } else if !returns && lives {
            attack::remove_creature(turn, gone.body);
            continue;
        }
        entry.touches.removed.push(gone);
    }
}

/// Puts stored items back where they were, each container before its contents. Returns their number. Items whose place
/// no longer exists remain stored. A full room loses its oldest items.
fn restore_items(turn: &mut Turn, bin: &mut Vec<Item>) -> usize {
    let mut returned = 0;
    for mut item in std::mem::take(bin) {
        let is_there = match item.place {
            Place::Room(room) => turn.world.rooms.get(room).is_some(),
            Place::Inside(container) => turn.world.items.get(container).is_some(),
            Place::Holder(_) | Place::Mail(_) => false,
        };
        if !is_there {
            bin.push(item);
            continue;
        }
        if let Some(key) = definitions::renamed_key(turn, DefinitionKind::Item, &item.prototype) {
            item.prototype = key;
        }
        item.found_in = item.found_in.filter(|branch| turn.world.branches.active(*branch).is_some());
        let owner = item.owner.filter(|owner| turn.world.name_of(*owner).is_some());
        (item.owner, item.owner_until) = (owner, item.owner_until.filter(|_| owner.is_some()));
        if let Some(at) = &mut item.gone_at {
            // An item that is past its decay time decays shortly after, through its timer.
            *at = (*at).max(turn.now + deepwell_core::base::Span::secs(1));
        }
        turn.timers.schedule_item(&item);
        let (id, place) = (item.id, item.place);
        turn.world.restore_item(item, turn.now, WHY);
        if let Place::Room(room) = place {
            stacks::trim_ground(turn, room, id);
        }
        returned += 1;
    }
    returned
}

/// Sends an idle creature that was moved out of its deleted room back to it.
fn send_home(turn: &mut Turn, creature: CharacterId, room: RoomId) {
    let town = built_rooms::town(turn);
    let Some(body) = turn.world.characters.get(creature) else { return };
    if body.is_player() || body.master.is_some() || body.home != town || body.target.is_some() {
        return;
    }
    let waits = body.room == town;
    turn.world.characters.change(creature, |body| body.home = room);
    if waits {
        movement::relocate(turn, creature, room);
    }
}

/// Removes a spawned creature or item, but not its contents, if it is still in its original room. Returns a line for the report if it stays.
fn remove_spawned(turn: &mut Turn, made: &MadeObject) -> Option<String> {
    if let Some(row) = made.item.and_then(|item| turn.world.items.get(item)) {
        let (item, place) = (row.id, row.place);
        if place == Place::Room(made.room) {
            recall::replace_by_contents(turn, item, place);
            return None;
        }
        let what = grammar::capitalise(&naming::the_item(turn, item)).into_owned();
        let holder = match turn.world.root(item) {
            Some(Place::Holder(who)) => turn.world.characters.get(who),
            _ => None,
        };
        return Some(match holder {
            Some(body) => format!("{what} stays: {} has it.", body.name),
            None => format!("{what} stays: it was carried elsewhere."),
        });
    }
    let body = made.body.and_then(|creature| turn.world.characters.get(creature))?;
    let (id, name) = (body.id, naming::the(turn, body.id));
    if !body.is_player() && body.master.is_none() && body.home == made.room {
        attack::remove_creature(turn, id);
        return None;
    }
    Some(format!("{} stays: it belongs here no longer.", grammar::capitalise(&name)))
}
