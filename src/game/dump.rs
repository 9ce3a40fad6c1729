//! A living branch as JSON (interface 7): same seed and same moves give the same bytes.

use crate::base::{BranchId, RoomId};
use crate::dungeon::dump::{BranchDump, ExitDump, FloorDump, RoomDump};
use crate::game::Game;
use crate::world::Room;
use std::collections::BTreeMap;

impl Game {
    /// The branch as it stands, or none if it does not exist.
    pub fn branch_dump(&self, id: BranchId) -> Option<BranchDump> {
        let branch = self.world.branches.get(id)?;
        let index = self.world.branch_index(id)?;
        let mut floors: BTreeMap<u32, Vec<RoomDump>> = BTreeMap::new();
        for ((floor, _), room) in &index.rooms {
            floors.entry(*floor).or_default().push(self.room_dump(&self.world.rooms[*room]));
        }
        Some(BranchDump {
            branch: Some(id),
            seed: branch.seed,
            generator: branch.generator.clone(),
            theme: branch.theme.clone(),
            start_room: Some(branch.start_room),
            opened_at: Some(branch.opened_at),
            window_ends_at: Some(branch.window_ends_at),
            last_updated_at: Some(branch.last_updated_at),
            max_unexplored_exits: branch.max_unexplored_exits,
            max_new_exits_per_room: branch.max_new_exits_per_room,
            greatest_depth: branch.greatest_depth,
            members: index.members.iter().map(|id| self.world.characters[*id].name.clone()).collect(),
            floors: floors
                .into_iter()
                .map(|(floor, rooms)| FloorDump { floor, kind: branch.theme.clone(), rooms })
                .collect(),
        })
    }

    fn room_dump(&self, room: &Room) -> RoomDump {
        let mobs =
            self.world.occupants(room.id).iter().filter_map(|id| self.world.characters[*id].mob.clone());
        let items = self.world.floor(room.id).iter().map(|id| self.world.items[*id].prototype.clone());
        let tags = if room.clear { Vec::new() } else { vec!["not_clear".into()] };
        RoomDump {
            num: Some(room.id),
            x: room.at.x,
            y: room.at.y,
            depth: room.depth,
            difficulty: room.difficulty,
            kind: room.kind.name().into(),
            name: room.name.clone(),
            clear: room.clear,
            tags,
            made_by_exit: room.made_by.map(|exit| exit.0),
            exits: self.exit_dumps(room.id),
            creatures: mobs.collect(),
            items: items.collect(),
        }
    }

    fn exit_dumps(&self, room: RoomId) -> Vec<ExitDump> {
        self.world
            .exits_of(room)
            .filter_map(|exit| {
                let dir = exit.direction?;
                Some(ExitDump { dir, to: exit.to, state: exit.state.name().into(), back: exit.back })
            })
            .collect()
    }
}
