//! JSON dump of a branch: the same seed and the same moves give the same bytes.

use deepwell_core::base::{BranchId, Direction, Point, RoomId};
use deepwell_core::dungeon::dump::{BranchDump, ExitDump, FloorDump, MadeBy, PortalDump, RoomDump};
use deepwell_core::dungeon::moves::BranchMove;
use deepwell_core::dungeon::{dump, moves};

use crate::branch::rooms;
use crate::creature::mind;
use crate::exit::pathfinding;
use crate::turn::Turn;
use deepwell_core::level::Portal;
use deepwell_core::world::{Exit, ExitKind, Room};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the current state of a branch; `None` if it does not exist, has collapsed, or is asleep.
pub(crate) fn branch_dump(turn: &Turn, id: BranchId) -> Option<BranchDump> {
    let branch = turn.world.branches.active(id).filter(|_| !turn.world.asleep.has(id))?;
    let index = turn.world.branches.index_of(id)?;
    let made: BTreeMap<RoomId, u32> = index.rooms.iter().map(|((floor, _), room)| (*room, *floor)).collect();
    let mut floors: BTreeMap<u32, Vec<RoomDump>> = BTreeMap::new();
    for (room, floor) in made {
        floors.entry(floor).or_default().push(room_dump(turn, &turn.world.rooms[room]));
    }
    Some(BranchDump {
        branch: id.0,
        name: branch.name.clone(),
        seed: branch.seed.0,
        generator: branch.generator.clone(),
        theme: branch.theme.clone(),
        level_type: turn.world.floors.at(id, 1).map(|floor| floor.level_type.clone()).unwrap_or_default(),
        moves: moves_of(turn, id),
        start_room: branch.start_room.0,
        opened_at: Some(branch.opened_at.0),
        window_ends_at: Some(branch.window_ends_at.0),
        last_updated_at: Some(branch.last_updated_at.0),
        growth: branch.growth,
        greatest_depth: branch.greatest_depth,
        expedition: turn.world.expeditions.get(id).map(|row| row.name.clone()),
        members: index.members.iter().map(|id| turn.world.characters[*id].name.clone()).collect(),
        floors: floors
            .into_iter()
            .map(|(floor, rooms)| {
                let row = turn.world.floors.at(id, floor);
                let sections = dump::sections(row.and_then(|row| row.plan.as_deref()));
                let kind = row.map(|row| row.level_type.clone()).unwrap_or_default();
                FloorDump { floor, kind, sections, rooms }
            })
            .collect(),
    })
}

/// Returns the moves that created the rooms of a branch. The rooms of a puzzle are created together and count as one
/// move.
fn moves_of(turn: &Turn, id: BranchId) -> String {
    let Some(index) = turn.world.branches.index_of(id) else { return String::new() };
    let rooms: BTreeMap<RoomId, u32> = index.rooms.iter().map(|((floor, _), room)| (*room, *floor)).collect();
    let mut puzzles = BTreeSet::new();
    let moves = rooms.into_iter().filter_map(|(room, floor)| {
        let run = turn.world.floors.at(id, floor).and_then(|floor| floor.puzzle.as_deref());
        let (from, direction) = if let Some(run) = run {
            (puzzles.insert(floor).then_some(run.gate)?, Direction::In)
        } else {
            let back = turn.world.exits.of(room).find(|exit| exit.back)?;
            (back.to?, back.direction?.opposite())
        };
        let from = turn.world.rooms.get(from)?;
        Some(match from.branch {
            Some(_) => BranchMove { floor: from.floor, from: from.at, direction },
            None => BranchMove { floor: 1, from: Point::ORIGIN, direction },
        })
    });
    moves::list(moves)
}

fn room_dump(turn: &Turn, room: &Room) -> RoomDump {
    let creatures =
        turn.world.occupants(room.id).iter().filter_map(|id| turn.world.characters[*id].prototype.clone());
    let items = turn.world.ground(room.id).iter().map(|id| turn.world.items[*id].prototype.clone());
    let made_by = room.made_by.and_then(|exit| turn.world.exits.get(exit));
    RoomDump {
        num: room.id.0,
        x: room.at.x,
        y: room.at.y,
        depth: room.depth,
        difficulty: room.difficulty,
        kind: room.sheet.kind.name().into(),
        name: room.sheet.name.clone(),
        description: room.sheet.description.clone(),
        clear: room.clear,
        tags: dump::tags(
            room.clear,
            rooms::stairs_down(turn, room.id).is_some(),
            made_by.is_some_and(|exit| exit.omen.is_some()),
        ),
        made_by_exit: made_by.and_then(|exit| Some(MadeBy { room: exit.room.0, dir: exit.direction? })),
        exits: exit_dumps(turn, room.id),
        space: dump::space(turn.world.floor_of(room.id).and_then(|row| row.plan.as_deref()), room.at),
        portal: turn.world.exits.of(room.id).find_map(portal_dump),
        creatures: creatures.collect(),
        creature_states: mind::states_in(turn, room.id),
        items: items.collect(),
    }
}

/// Returns a portal as it was placed. The exit back up from the other end has no level type and is left out.
fn portal_dump(exit: &Exit) -> Option<PortalDump> {
    let (dir, level_type) = (exit.direction.filter(|_| exit.is_stairs())?, exit.level_type.to_value()?);
    let icon = exit.icons.to_value().unwrap_or_else(Portal::stairs).0;
    Some(PortalDump { dir, icon, level_type, exits_dungeon: dir == Direction::Up })
}

fn exit_dumps(turn: &Turn, room: RoomId) -> Vec<ExitDump> {
    let dump = |exit: &Exit| {
        Some(ExitDump {
            dir: exit.direction?,
            to: exit.to.map(|to| to.0),
            state: pathfinding::shown_state(turn, exit),
            back: exit.back,
            omen: exit.omen.to_value(),
        })
    };
    // Unused stairs lead nowhere yet and are listed in the room's tags instead.
    let leads = |exit: &&Exit| exit.kind != ExitKind::Stairs || exit.to.is_some();
    turn.world.exits.of(room).filter(leads).filter_map(dump).collect()
}
