//! Ways through a branch as creatures take them. Every search stops after so many steps (`roaming.seek_rooms`), so
//! its cost does not grow with the branch, and asks rooms in a fixed order, so its result is always the same.

use crate::base::{BranchId, CharacterId, Direction, ExitId, RoomId, RoomKind};
use crate::game::Game;
use crate::world::{Exit, ExitKind, ExitState, Posture};
use std::collections::{BTreeMap, VecDeque};

/// How many steps it is from a room to the nearest player, for the rooms around players.
#[derive(Debug, Default)]
pub(super) struct Scent(BTreeMap<RoomId, u32>);

impl Scent {
    /// Steps to the nearest player; none if that is too far to be found.
    pub(super) fn steps(&self, room: RoomId) -> Option<u32> {
        self.0.get(&room).copied()
    }
}

/// A room within hearing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Near {
    pub(super) room: RoomId,
    /// How many rooms away.
    pub(super) steps: u32,
    /// From there, the first step back to where the search began.
    pub(super) towards: Direction,
    /// From where the search began, the first step there.
    pub(super) away: Direction,
}

impl Game {
    /// Exits that creatures take out of a room of a branch: explored ones that stay in the branch and on the floor,
    /// and lead to no room of rest.
    pub(super) fn ways(&self, room: RoomId) -> impl Iterator<Item = (ExitId, RoomId)> {
        self.world.exits_of(room).filter_map(|exit| Some((exit.id, self.way(exit)?)))
    }

    /// Where an exit leads a creature.
    pub(in crate::game) fn way(&self, exit: &Exit) -> Option<RoomId> {
        let open = matches!(exit.state, ExitState::Open | ExitState::OneWay);
        let to = exit.to.filter(|_| open && exit.kind == ExitKind::Exit)?;
        let (from, there) = (&self.world.rooms[exit.room], &self.world.rooms[to]);
        let inside = from.branch.is_some() && from.branch == there.branch;
        let inside = inside && self.world.puzzle_at(exit.room).is_none();
        (inside && there.kind != RoomKind::Rest).then_some(to)
    }

    /// The exit in a direction that a creature may take.
    pub(super) fn way_towards(&self, room: RoomId, direction: Direction) -> Option<(ExitId, RoomId)> {
        let exit = self.world.exits_of(room).find(|exit| exit.direction == Some(direction))?;
        Some((exit.id, self.way(exit)?))
    }

    /// The room beside another on the grid of its floor.
    fn beside(&self, room: RoomId, direction: Direction) -> Option<RoomId> {
        let row = &self.world.rooms[room];
        self.world.room_at(row.branch?, row.floor, row.at.step(direction))
    }

    /// Where players are to be found in a branch, from near them.
    pub(super) fn scent(&self, branch: BranchId) -> Scent {
        let found = |who: &CharacterId| {
            let body = &self.world.characters[*who];
            let hidden = self.world.rooms[body.room].kind == RoomKind::Rest;
            (body.awake && body.posture != Posture::Down && !hidden).then_some(body.room)
        };
        let members = self.world.branch_index(branch).map(|index| &index.members);
        Scent(self.distances_to(members.into_iter().flatten().filter_map(found)))
    }

    /// From every room nearby, how many steps it is to the nearest of some rooms: a search against the exits.
    pub(super) fn distances_to(&self, goals: impl Iterator<Item = RoomId>) -> BTreeMap<RoomId, u32> {
        let most = self.catalog.rules.roaming.seek_rooms;
        let mut steps: BTreeMap<RoomId, u32> = goals.map(|goal| (goal, 0)).collect();
        let mut queue: VecDeque<(RoomId, u32)> = steps.iter().map(|(room, steps)| (*room, *steps)).collect();
        while let Some((room, far)) = queue.pop_front() {
            if far >= most {
                continue;
            }
            for direction in Direction::PLANE {
                let Some(from) = self.beside(room, direction) else { continue };
                let leads = self.way_towards(from, direction.opposite()).is_some_and(|(_, to)| to == room);
                if leads && !steps.contains_key(&from) {
                    steps.insert(from, far + 1);
                    queue.push_back((from, far + 1));
                }
            }
        }
        steps
    }

    /// Rooms of a branch within hearing of another, nearest first. Sound goes through a passage either way.
    pub(super) fn rooms_near(&self, room: RoomId, most: u32) -> Vec<Near> {
        let mut near: Vec<Near> = Vec::new();
        let mut next = 0;
        let (mut from, mut far, mut first) = (room, 0, None);
        loop {
            if far < most {
                for direction in Direction::PLANE {
                    let Some(to) = self.beside(from, direction) else { continue };
                    let known = to == room || near.iter().any(|other| other.room == to);
                    if !known && self.is_joined(from, to) {
                        let away = first.unwrap_or(direction);
                        near.push(Near { room: to, steps: far + 1, towards: direction.opposite(), away });
                    }
                }
            }
            let Some(at) = near.get(next) else { return near };
            next += 1;
            (from, far, first) = (at.room, at.steps, Some(at.away));
        }
    }

    /// Whether an explored exit joins two rooms, whichever way it leads.
    pub(super) fn is_joined(&self, one: RoomId, other: RoomId) -> bool {
        let leads = |from, to| self.world.exits_of(from).any(|exit| exit.to == Some(to));
        leads(one, other) || leads(other, one)
    }
}
