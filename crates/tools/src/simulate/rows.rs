//! Audit of row changes between commits: compares the rows of a batch with the stored rows. Most rules hold for the
//! life of a branch: generated rooms and exits keep their properties, and ids are never reused.

use super::Breach;
use super::gate::{BatchCheck, Gates};
use deepwell_core::base::{BranchId, CharacterId};
use deepwell_core::world::table::TableChanges;
use deepwell_core::world::tables::{Row, for_each_table};
use deepwell_core::world::{
    Branch, Built, Changes, Character, Definition, Exit, ExitState, Floor, Item, Place, Room, Snapshot,
    StartTasks,
};
use std::collections::{BTreeMap, BTreeSet};

/// Deleted ids, with their tables.
#[derive(Debug, Default)]
pub(super) struct Retired(BTreeSet<(&'static str, u64)>);

/// Tables whose ids may be reused: a deleted floor returns its number.
const RETURNING: &[&str] = &[Floor::TABLE];

impl Retired {
    /// Audits a batch before it is stored, and records the ids that it deletes.
    pub(super) fn audit(
        &mut self,
        changes: &Changes,
        stored: &Snapshot,
        gates: &Gates,
    ) -> Result<(), Breach> {
        for returned in returned(changes, stored) {
            self.0.remove(&returned);
        }
        macro_rules! retire {
            ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident as $type:ty;)*) => {
                $(self.retire(&changes.$table)?;)*
            };
        }
        for_each_table!(retire);
        for row in &changes.rooms.put {
            same_room(row, BatchCheck { changes, stored }, gates)?;
        }
        for row in &changes.exits.put {
            same_exit(stored, stored.exits.get(&row.id), row)?;
        }
        for row in &changes.branches.put {
            same_branch(stored.branches.get(&row.id), row)?;
        }
        for row in &changes.characters.put {
            same_character(stored.characters.get(&row.id), row)?;
        }
        check_deletions(changes, stored)
    }

    /// Checks that no deleted row is in storage.
    pub(super) fn check_deleted(&self, stored: &Snapshot) -> Result<(), Breach> {
        macro_rules! stay_gone {
            ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident as $type:ty;)*) => {
                $(self.keep_gone(&stored.$table)?;)*
            };
        }
        for_each_table!(stay_gone);
        Ok(())
    }

    fn retire<R: Row>(&mut self, changes: &TableChanges<R>) -> Result<(), Breach> {
        if RETURNING.contains(&R::TABLE) {
            return Ok(());
        }
        let back = changes.put.iter().map(Row::id).find(|id| self.0.contains(&(R::TABLE, (*id).into())));
        self.0.extend(changes.gone.iter().map(|id| (R::TABLE, (*id).into())));
        match back {
            Some(id) => Err(Breach(format!("{} {id}: reused after it was deleted (D7)", R::TABLE))),
            None => Ok(()),
        }
    }

    fn keep_gone<R: Row>(&self, stored: &BTreeMap<R::Id, R>) -> Result<(), Breach> {
        match stored.keys().find(|id| self.0.contains(&(R::TABLE, (**id).into()))) {
            Some(id) => Err(Breach(format!("{} {id}: was deleted and is back (E49)", R::TABLE))),
            None => Ok(()),
        }
    }
}

/// Returns the deleted rows that builders restore with this batch. Journal entries written with the batch name them, in
/// their bin or among their pieces.
fn returned(changes: &Changes, stored: &Snapshot) -> BTreeSet<(&'static str, u64)> {
    let put: BTreeSet<(&'static str, u64)> = changes
        .rooms
        .put
        .iter()
        .map(|row| (Room::TABLE, row.id.into()))
        .chain(changes.exits.put.iter().map(|row| (Exit::TABLE, row.id.into())))
        .chain(changes.start_tasks.put.iter().map(|row| (StartTasks::TABLE, row.room.into())))
        .chain(changes.definitions.put.iter().map(|row| (Definition::TABLE, row.id.into())))
        .chain(changes.items.put.iter().map(|row| (Item::TABLE, row.id.into())))
        .collect();
    let known = changes.journal.put.iter().flat_map(|entry| [Some(entry), stored.journal.get(&entry.id)]);
    let named = known.flatten().flat_map(|entry| {
        let pieces = entry.touches.pieces.iter().filter_map(|piece| match piece.of {
            Built::Room(id) => Some((Room::TABLE, id.into())),
            Built::Exit(id) => Some((Exit::TABLE, id.into())),
            Built::Tasks(id) => Some((StartTasks::TABLE, id.into())),
            Built::Definition(id) => Some((Definition::TABLE, id.into())),
            Built::Item(id) => Some((Item::TABLE, id.into())),
            Built::Creature(_) => None,
        });
        pieces.chain(entry.touches.bin.iter().map(|item| (Item::TABLE, item.id.into())))
    });
    named.filter(|row| put.contains(row)).collect()
}

/// Returns `true` if the branch has collapsed once the batch is stored.
pub(super) fn has_collapsed(branch: BranchId, changes: &Changes, stored: &Snapshot) -> bool {
    let written = changes.branches.put.iter().find(|row| row.id == branch);
    changes.branches.gone.contains(&branch)
        || written.or_else(|| stored.branches.get(&branch)).is_some_and(|row| !row.lives())
}

/// Returns `true` if the item passes from one holder to another.
pub fn is_given(stored: &Snapshot, row: &Item) -> bool {
    let holder = |item: &Item| match item.place {
        Place::Holder(holder) => Some(holder),
        Place::Room(_) | Place::Inside(_) | Place::Mail(_) => None,
    };
    let old = stored.items.get(&row.id).and_then(holder);
    old.is_some() && holder(row).is_some() && old != holder(row)
}

/// Checks that every written item has an owner if and only if it has an ownership deadline. Corpses are emptied
/// quickly, so the batch is checked as it is written.
pub(super) fn check_owner_deadlines(changes: &Changes) -> Result<(), Breach> {
    let sound = |item: &Item| item.owner.is_some() == item.owner_until.is_some();
    match changes.items.put.iter().find(|item| !sound(item)) {
        Some(item) => {
            Err(Breach(format!("items {}: owner and ownership deadline are not stored together", item.id)))
        }
        None => Ok(()),
    }
}

/// Checks that, while storage is read-only, nothing changes except the link-dead deadlines of characters.
pub(super) fn check_read_only(changes: &Changes, stored: &Snapshot) -> Result<(), Breach> {
    let body = |row: &Character| Character { link_dead_until: None, ..row.clone() };
    let waits = |row: &Character| stored.characters.get(&row.id).is_some_and(|old| body(old) == body(row));
    let bodies = TableChanges { gone: Vec::new(), ..changes.characters.clone() };
    let rest = Changes { characters: bodies, time: changes.time, ..Changes::default() };
    need(*changes == rest && changes.characters.put.iter().all(waits), || {
        "something changed while storage was read-only (O3)".into()
    })
}

fn need(holds: bool, what: impl FnOnce() -> String) -> Result<(), Breach> {
    if holds { Ok(()) } else { Err(Breach(what())) }
}

fn same_room(new: &Room, batch: BatchCheck, gates: &Gates) -> Result<(), Breach> {
    let old = batch.stored.rooms.get(&new.id);
    let Some(old) = old.filter(|old| old.branch.is_some()) else { return Ok(()) };
    let place = |r: &Room| (r.branch, r.floor, r.at, r.depth, r.difficulty, r.made_by);
    let texts = |r: &Room| (r.sheet.name.clone(), r.sheet.description.clone(), r.sheet.environment.clone());
    need(place(old) == place(new) && texts(old) == texts(new), || {
        format!("rooms {}: not the room that it was (D9)", new.id)
    })?;
    gates
        .audit(old, new, batch)
        .map_err(|what| Breach(format!("rooms {}: not the room that it was (D9): {what}", new.id)))?;
    need(new.clear || !old.clear, || format!("rooms {}: was clear and is no longer (E26)", new.id))?;
    let pulls = (old.challenge.lever_pulls(), new.challenge.lever_pulls());
    need(pulls.1 <= pulls.0, || {
        format!("rooms {}: the lever went back from {} to {}", new.id, pulls.0, pulls.1)
    })
}

fn same_exit(stored: &Snapshot, old: Option<&Exit>, new: &Exit) -> Result<(), Breach> {
    let grown = |exit: &Exit| stored.rooms.get(&exit.room).is_some_and(|room| room.branch.is_some());
    let Some(old) = old.filter(|old| grown(old)) else { return Ok(()) };
    let frame = |e: &Exit| (e.room, e.direction, e.kind, e.back, e.name.clone());
    need(frame(old) == frame(new), || format!("exits {}: not the exit that it was", new.id))?;
    // Stairs down have no destination until they are first taken.
    let explored = old.state != ExitState::Unexplored && old.to.is_some();
    // Locked exits open, and may close again according to their puzzle.
    let door = [old.state, new.state].contains(&ExitState::Locked);
    need(!explored || (old.to == new.to && (door || old.state == new.state)), || {
        format!("exits {}: an explored exit leads elsewhere (E18)", new.id)
    })
}

fn same_branch(old: Option<&Branch>, new: &Branch) -> Result<(), Breach> {
    let Some(old) = old else { return Ok(()) };
    need(old.lives() || !new.lives(), || {
        format!("branches {}: exists again after its collapse (E49)", new.id)
    })?;
    // A branch being deleted may outlive its start room.
    let start_room = |b: &Branch| b.start_room;
    need(!new.lives() || start_room(old) == start_room(new), || {
        format!("branches {}: its start room changed", new.id)
    })?;
    let frame = |b: &Branch| (b.seed, b.start_exit, b.opened_at, b.name.clone(), b.growth.finishable);
    need(frame(old) == frame(new), || format!("branches {}: not the branch that it was (E42)", new.id))?;
    let grown = |b: &Branch| [b.rooms_made, b.greatest_depth];
    need(grown(old).into_iter().zip(grown(new)).all(|(old, new)| old <= new), || {
        format!("branches {}: shrank (E41)", new.id)
    })?;
    need(old.window_open || !new.window_open, || {
        format!("branches {}: its window opened again (E8)", new.id)
    })?;
    need(old.last_updated_at <= new.last_updated_at, || {
        format!("branches {}: its last update moved back (E47)", new.id)
    })
}

fn same_character(old: Option<&Character>, new: &Character) -> Result<(), Breach> {
    let Some(old) = old else { return Ok(()) };
    let who = |c: &Character| (c.account, c.prototype.clone(), c.name.clone(), c.created_at);
    need(who(old) == who(new), || format!("characters {}: its identity changed", new.id))?;
    if !new.is_player() {
        return need(old.xp == new.xp, || {
            format!("characters {}: a creature's experience went from {} to {}", new.id, old.xp, new.xp)
        });
    }
    // Gaining a level costs experience.
    need((old.level, old.xp) <= (new.level, new.xp), || {
        format!("characters {}: lost experience, {} to {}", new.id, old.xp, new.xp)
    })
}

/// Checks that rooms and exits of a branch are deleted only with their branch, and players and accounts never.
fn check_deletions(changes: &Changes, stored: &Snapshot) -> Result<(), Breach> {
    let lives =
        |branch: BranchId| stored.branches.contains_key(&branch) && !has_collapsed(branch, changes, stored);
    for id in &changes.rooms.gone {
        let branch = stored.rooms.get(id).and_then(|room| room.branch);
        need(!branch.is_some_and(lives), || format!("rooms {id}: deleted before its branch (E49)"))?;
    }
    for id in &changes.exits.gone {
        let room = stored.exits.get(id).map(|exit| exit.room);
        let branch = room.and_then(|room| stored.rooms.get(&room)).and_then(|room| room.branch);
        need(!branch.is_some_and(lives), || format!("exits {id}: deleted before its branch"))?;
    }
    let player = |id: &&CharacterId| stored.characters.get(id).is_some_and(Character::is_player);
    need(changes.accounts.gone.is_empty(), || "an account was deleted".into())?;
    match changes.characters.gone.iter().find(player) {
        Some(id) => Err(Breach(format!("characters {id}: a player was deleted"))),
        None => Ok(()),
    }
}
