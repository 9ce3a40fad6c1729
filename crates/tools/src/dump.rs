//! Dumps of planned branches, in the format of live branches, so that the two can be compared byte for byte.

use crate::branch::{PlannedBranch, PlannedExit, PlannedRoom};
use deepwell_core::base::Direction;
use deepwell_core::dungeon::dump::{self, BranchDump, ExitDump, FloorDump, MadeBy, PortalDump, RoomDump};

impl PlannedBranch {
    /// Returns the branch in the dump format. The start room has the number 1, and the rooms follow in the order of
    /// creation. Times and members are empty, because no player has opened a planned branch.
    pub fn dump(&self) -> BranchDump {
        BranchDump {
            branch: 0,
            name: format!("{} {}", self.spec.theme, self.spec.seed),
            seed: self.spec.seed.0,
            generator: self.spec.generator.clone(),
            theme: self.spec.theme.clone(),
            level_type: self.spec.level_type.clone(),
            moves: self.moves(),
            start_room: 1,
            opened_at: None,
            window_ends_at: None,
            last_updated_at: None,
            growth: self.spec.settings,
            greatest_depth: self.rooms.iter().map(|room| room.plan.difficulty).max().unwrap_or(0),
            expedition: None,
            members: Vec::new(),
            floors: (1..=self.floor()).map(|floor| self.dump_floor(floor)).collect(),
        }
    }

    fn dump_floor(&self, floor: u32) -> FloorDump {
        let rooms = self.rooms.iter().filter(|room| room.floor == floor);
        FloorDump {
            floor,
            kind: self.kind_of(floor).to_owned(),
            sections: dump::sections(self.plan_of(floor)),
            rooms: rooms.map(|room| self.dump_room(room)).collect(),
        }
    }

    fn dump_room(&self, room: &PlannedRoom) -> RoomDump {
        let untaken = |dir: Direction, exit: &PlannedExit| !dir.stays_on_floor() && exit.to.is_none();
        let exits =
            room.exits.iter().filter(|(dir, exit)| !untaken(**dir, exit)).map(|(dir, exit)| ExitDump {
                dir: *dir,
                to: exit.to.map(|place| self.number(exit.to_floor, place)),
                state: exit.state,
                back: exit.back,
                omen: room.plan.omens.get(dir).filter(|_| exit.ominous).cloned(),
            });
        let (from, dir) = room.made_by;
        RoomDump {
            num: self.number(room.floor, room.plan.at),
            x: room.plan.at.x,
            y: room.plan.at.y,
            depth: room.plan.depth,
            difficulty: room.plan.difficulty,
            kind: room.plan.sheet.kind.name().to_owned(),
            name: room.plan.sheet.name.clone(),
            description: room.plan.sheet.description.clone(),
            clear: room.plan.clear,
            tags: dump::tags(room.plan.clear, room.plan.has_stairs(), room.plan.out_of_depth),
            made_by_exit: Some(MadeBy { room: self.number(room.made_on, from), dir }),
            exits: exits.collect(),
            space: dump::space(self.plan_of(room.floor), room.plan.at),
            portal: room.plan.portal.as_ref().map(PortalDump::from),
            creatures: room.plan.challenge.creatures.clone(),
            creature_states: Vec::new(),
            items: room.plan.challenge.items.clone(),
        }
    }
}
