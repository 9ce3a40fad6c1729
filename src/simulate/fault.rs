//! Deliberate faults between the game and its storage. A harness that has never failed proves nothing: each of
//! these must be found by the auditor, and a test says so.

use super::rows::is_given;
use crate::base::ItemId;
use crate::world::{Changes, Item, Room, RoomKind, Snapshot};

/// What is wrong with the storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Deleted rows stay: a collapsed branch comes back with the next start.
    KeepsTheGone,
    /// A cleared room is stored as not clear.
    ForgetsClear,
    /// A thing that moves is written twice.
    DoublesItems,
    /// The exits of new rooms are not written.
    ForgetsExits,
    /// Whoever enters a branch is not written as its member.
    ForgetsMembership,
    /// A carried-out tick of a start room is not written and happens again.
    ForgetsTicks,
    /// What a body gained in experience is not written.
    ForgetsExperience,
    /// The last table of a batch is written with the next batch only.
    TearsBatches,
    /// Clients read what a batch says before it is committed.
    RepliesEarly,
    /// A thing that passes from hand to hand is written into both.
    DoublesGifts,
    /// A corpse is written without its owner.
    DisownsCorpses,
    /// Companions get a share of the experience.
    PaysCompanions,
    /// A purse that changes is written with a copper more.
    MintsCoppers,
    /// A new ordinary room is written as one with a gate, which is gone when the room is written again.
    BarsRooms,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::KeepsTheGone,
        Self::ForgetsClear,
        Self::DoublesItems,
        Self::ForgetsExits,
        Self::ForgetsMembership,
        Self::ForgetsTicks,
        Self::ForgetsExperience,
        Self::TearsBatches,
        Self::RepliesEarly,
        Self::DoublesGifts,
        Self::DisownsCorpses,
        Self::PaysCompanions,
        Self::MintsCoppers,
        Self::BarsRooms,
    ];

    /// Spoils what a batch writes. `held` keeps what the storage is late with.
    pub(super) fn spoil(self, changes: &mut Changes, stored: &Snapshot, held: &mut Changes) {
        match self {
            Self::KeepsTheGone => {
                changes.rooms.gone.clear();
                changes.exits.gone.clear();
                changes.branches.gone.clear();
            }
            Self::ForgetsClear => {
                let not_yet = |row: &&mut Room| stored.rooms.get(&row.id).is_some_and(|r| !r.clear);
                changes.rooms.put.iter_mut().filter(not_yet).for_each(|row| row.clear = false);
            }
            Self::DoublesItems => {
                let moved = changes.items.put.iter().filter(|row| stored.items.contains_key(&row.id));
                let copies: Vec<Item> =
                    moved.map(|row| Item { id: ItemId(row.id.0 | 1 << 40), ..row.clone() }).collect();
                changes.items.put.extend(copies);
            }
            Self::ForgetsExits => {
                let new: Vec<_> = changes
                    .rooms
                    .put
                    .iter()
                    .map(|r| r.id)
                    .filter(|id| !stored.rooms.contains_key(id))
                    .collect();
                changes.exits.put.retain(|exit| exit.back || !new.contains(&exit.room));
            }
            Self::ForgetsMembership => changes.characters.put.iter_mut().for_each(|row| {
                if row.is_player() {
                    row.branch = stored.characters.get(&row.id).and_then(|old| old.branch);
                }
            }),
            Self::ForgetsTicks => {
                changes.start_tasks.put.retain(|row| !stored.start_tasks.contains_key(&row.room));
            }
            Self::ForgetsExperience => changes.characters.put.iter_mut().for_each(|row| {
                row.xp = stored.characters.get(&row.id).map_or(row.xp, |old| old.xp);
            }),
            Self::TearsBatches => std::mem::swap(&mut changes.characters, &mut held.characters),
            Self::RepliesEarly => {}
            Self::DoublesGifts => {
                let given = changes.items.put.iter().filter(|item| is_given(stored, item));
                let copies: Vec<Item> =
                    given.map(|row| Item { id: ItemId(row.id.0 | 1 << 40), ..row.clone() }).collect();
                changes.items.put.extend(copies);
            }
            Self::DisownsCorpses => changes.items.put.iter_mut().for_each(|row| row.owner = None),
            Self::PaysCompanions => {
                changes
                    .characters
                    .put
                    .iter_mut()
                    .filter(|row| row.master.is_some())
                    .for_each(|row| row.xp += 1);
            }
            Self::MintsCoppers => changes.characters.put.iter_mut().for_each(|row| {
                let purse = stored.characters.get(&row.id).map_or(row.money.purse, |old| old.money.purse);
                row.money.purse += i64::from(row.money.purse != purse);
            }),
            Self::BarsRooms => {
                let new = |row: &&mut Room| row.branch.is_some() && !stored.rooms.contains_key(&row.id);
                let plain = |row: &&mut Room| new(row) && row.kind == RoomKind::Dungeon && !row.clear;
                changes.rooms.put.iter_mut().filter(plain).for_each(|row| {
                    (row.kind, row.challenge.puzzle) = (RoomKind::Puzzle, Some(0));
                });
            }
        }
    }
}
