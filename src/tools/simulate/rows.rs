//! What may become of a row from one commit to the next: compares what a batch writes with what is stored. Most of
//! it holds for the life of a branch: what was grown stays as it was told, and no id comes back.

use super::Breach;
use super::gate::{Batch, Gates};
use crate::base::{BranchId, CharacterId};
use crate::world::record::TableChanges;
use crate::world::tables::{Row, for_each_table};
use crate::world::{
    Branch, Built, Changes, Character, Definition, Exit, ExitState, Floor, Item, Place, Room, Snapshot,
    StartTasks,
};
use std::collections::{BTreeMap, BTreeSet};

/// Ids that were deleted once, with their table.
#[derive(Debug, Default)]
pub(super) struct Retired(BTreeSet<(&'static str, u64)>);

/// Tables whose ids may come back: a floor that is taken away gives its number back.
const RETURNING: &[&str] = &[Floor::TABLE];

impl Retired {
    /// Looks over a batch before it is stored, and notes what it deletes.
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
            ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident;)*) => {
                $(self.retire(&changes.$table)?;)*
            };
        }
        for_each_table!(retire);
        for row in &changes.rooms.put {
            same_room(row, Batch { changes, stored }, gates)?;
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
        nothing_vanishes(changes, stored)
    }

    /// Whether everything that was deleted is gone from storage.
    pub(super) fn stay_gone(&self, stored: &Snapshot) -> Result<(), Breach> {
        macro_rules! stay_gone {
            ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident;)*) => {
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
            Some(id) => Err(Breach(format!("{} {id}: used again after it was gone (D7)", R::TABLE))),
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

/// Rows that builders took away and that come back with the batch, as themselves: the journal, which is stored with it, says
/// so, and had them in its bin or among what was built.
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
            Built::Creature(_) => None,
        });
        pieces.chain(entry.touches.bin.iter().map(|item| (Item::TABLE, item.id.into())))
    });
    named.filter(|row| put.contains(row)).collect()
}

/// Whether a branch has collapsed once a batch is stored.
pub(super) fn has_collapsed(branch: BranchId, changes: &Changes, stored: &Snapshot) -> bool {
    let written = changes.branches.put.iter().find(|row| row.id == branch);
    changes.branches.gone.contains(&branch)
        || written.or_else(|| stored.branches.get(&branch)).is_some_and(|row| !row.lives())
}

/// Whether a thing passes from one to another.
pub fn is_given(stored: &Snapshot, row: &Item) -> bool {
    let holder = |item: &Item| match item.place {
        Place::Holder(holder) => Some(holder),
        Place::Room(_) | Place::Inside(_) => None,
    };
    let old = stored.items.get(&row.id).and_then(holder);
    old.is_some() && holder(row).is_some() && old != holder(row)
}

/// Whether each thing that is written with a time for its owner has an owner, and the reverse. Corpses are emptied
/// within moments, so storage is looked at as it is written.
pub(super) fn owners_have_a_time(changes: &Changes) -> Result<(), Breach> {
    let sound = |item: &Item| item.owner.is_some() == item.owner_until.is_some();
    match changes.items.put.iter().find(|item| !sound(item)) {
        Some(item) => Err(Breach(format!("items {}: stored without the owner it has", item.id))),
        None => Ok(()),
    }
}

/// While storage cannot be written, bodies that lose their link begin to wait, and nothing else changes.
pub(super) fn only_waiting(changes: &Changes, stored: &Snapshot) -> Result<(), Breach> {
    let body = |row: &Character| Character { link_dead_until: None, ..row.clone() };
    let waits = |row: &Character| stored.characters.get(&row.id).is_some_and(|old| body(old) == body(row));
    let bodies = TableChanges { put: changes.characters.put.clone(), ..TableChanges::default() };
    let rest = Changes { characters: bodies, time: changes.time, ..Changes::default() };
    need(*changes == rest && changes.characters.put.iter().all(waits), || {
        "something changed while storage could not be written (O3)".into()
    })
}

fn need(holds: bool, what: impl FnOnce() -> String) -> Result<(), Breach> {
    if holds { Ok(()) } else { Err(Breach(what())) }
}

fn same_room(new: &Room, batch: Batch, gates: &Gates) -> Result<(), Breach> {
    let old = batch.stored.rooms.get(&new.id);
    let Some(old) = old.filter(|old| old.branch.is_some()) else { return Ok(()) };
    let place = |r: &Room| (r.branch, r.floor, r.at, r.depth, r.difficulty, r.made_by);
    let words = |r: &Room| (r.name.clone(), r.description.clone(), r.environment.clone());
    need(place(old) == place(new) && words(old) == words(new), || {
        format!("rooms {}: not the room that it was (D9)", new.id)
    })?;
    gates
        .audit(old, new, batch)
        .map_err(|what| Breach(format!("rooms {}: not the room that it was (D9): {what}", new.id)))?;
    need(new.clear || !old.clear, || format!("rooms {}: was clear and is not any more (E26)", new.id))?;
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
    // Stairs down lead nowhere until they are first taken.
    let explored = old.state != ExitState::Unexplored && old.to.is_some();
    // What is shut opens, and may fall shut again, as the rules of its puzzle say.
    let door = [old.state, new.state].contains(&ExitState::Locked);
    need(!explored || (old.to == new.to && (door || old.state == new.state)), || {
        format!("exits {}: an explored exit leads elsewhere (E18)", new.id)
    })
}

fn same_branch(old: Option<&Branch>, new: &Branch) -> Result<(), Breach> {
    let Some(old) = old else { return Ok(()) };
    need(old.lives() || !new.lives(), || format!("branches {}: collapsed, and lives again (E49)", new.id))?;
    // What is cleared away may outlive its start room.
    let start_room = |b: &Branch| b.start_room;
    need(!new.lives() || start_room(old) == start_room(new), || {
        format!("branches {}: hangs on another room", new.id)
    })?;
    let frame = |b: &Branch| (b.seed, b.start_exit, b.opened_at, b.name.clone(), b.finishable);
    need(frame(old) == frame(new), || format!("branches {}: not the branch that it was (E42)", new.id))?;
    let grown = |b: &Branch| [b.rooms_made, b.greatest_depth];
    need(grown(old).into_iter().zip(grown(new)).all(|(old, new)| old <= new), || {
        format!("branches {}: shrank (E41)", new.id)
    })?;
    need(old.window_open || !new.window_open, || format!("branches {}: opened again (E8)", new.id))?;
    need(old.last_updated_at <= new.last_updated_at, || format!("branches {}: grew younger (E47)", new.id))
}

fn same_character(old: Option<&Character>, new: &Character) -> Result<(), Breach> {
    let Some(old) = old else { return Ok(()) };
    let who = |c: &Character| (c.account, c.mob.clone(), c.name.clone(), c.created_at);
    need(who(old) == who(new), || format!("characters {}: became somebody else", new.id))?;
    if !new.is_player() {
        return need(old.xp == new.xp, || {
            format!("characters {}: a creature's experience went from {} to {}", new.id, old.xp, new.xp)
        });
    }
    // A level costs experience.
    need((old.level, old.xp) <= (new.level, new.xp), || {
        format!("characters {}: lost experience, {} to {}", new.id, old.xp, new.xp)
    })
}

/// Rooms and exits of a branch go only with their branch; players and accounts never go.
fn nothing_vanishes(changes: &Changes, stored: &Snapshot) -> Result<(), Breach> {
    let lives =
        |branch: BranchId| stored.branches.contains_key(&branch) && !has_collapsed(branch, changes, stored);
    for id in &changes.rooms.gone {
        let branch = stored.rooms.get(id).and_then(|room| room.branch);
        need(!branch.is_some_and(lives), || format!("rooms {id}: gone before its branch (E49)"))?;
    }
    for id in &changes.exits.gone {
        let room = stored.exits.get(id).map(|exit| exit.room);
        let branch = room.and_then(|room| stored.rooms.get(&room)).and_then(|room| room.branch);
        need(!branch.is_some_and(lives), || format!("exits {id}: gone before its branch"))?;
    }
    let player = |id: &&CharacterId| stored.characters.get(id).is_some_and(Character::is_player);
    need(changes.accounts.gone.is_empty(), || "an account is gone".into())?;
    match changes.characters.gone.iter().find(player) {
        Some(id) => Err(Breach(format!("characters {id}: a player is gone"))),
        None => Ok(()),
    }
}
