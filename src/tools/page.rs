//! A planned branch as a person wants to see it: its rooms as marks in a picture, and the page with legend and list.

use crate::base::{Direction, ExitState, Point, RoomKind};
use crate::dungeon::RoomPlan;
use crate::dungeon::map::{self, MapExit, MapRoom};
use crate::tools::branch::{PlannedBranch, PlannedFloor, PlannedRoom};
use std::fmt::Write as _;

impl PlannedBranch {
    /// The rooms of a floor for a picture: on the first the start too, and each room marked by what is in it.
    pub fn map_rooms(&self, floor: u32) -> Vec<MapRoom> {
        let first = self.rooms.first().filter(|_| floor == 1).map(|room| room.made_by.1);
        let start = first.map(|direction| MapRoom {
            at: Point::ORIGIN,
            mark: 'S',
            exits: vec![MapExit { direction, state: ExitState::Open }],
        });
        let rooms = self.rooms.iter().filter(|room| room.floor == floor).map(|room| MapRoom {
            at: room.plan.at,
            mark: mark(room),
            exits: room
                .exits
                .iter()
                .map(|(direction, exit)| MapExit { direction: *direction, state: exit.state })
                .collect(),
        });
        start.into_iter().chain(rooms).collect()
    }

    /// The rooms of all floors for one picture, each floor below the one before it.
    pub fn all_map_rooms(&self) -> Vec<MapRoom> {
        let mut all: Vec<MapRoom> = Vec::new();
        for floor in 1..=self.floor() {
            let rooms = self.map_rooms(floor);
            let top = rooms.iter().map(|room| room.at.y).max().unwrap_or(0);
            let shift = all.iter().map(|room| room.at.y).min().map_or(0, |bottom| bottom - 3 - top);
            let lowered = |room: MapRoom| MapRoom { at: Point::new(room.at.x, room.at.y + shift), ..room };
            all.extend(rooms.into_iter().map(lowered));
        }
        all
    }

    /// What a person wants to see of it: a picture of each floor, the legend, and each room on a line.
    pub fn page(&self) -> String {
        let settings = self.spec.settings;
        let open: u32 = self.floors.iter().map(|floor| floor.frontier.open_count()).sum();
        let mut head = format!(
            "level type {}, theme {}, generator {}, seed {}, {} rooms; {open} exits unexplored",
            self.spec.level,
            self.spec.theme,
            self.spec.generator,
            self.spec.seed,
            self.rooms.len(),
        );
        if self.floors.first().is_some_and(PlannedFloor::is_budgeted) {
            let each = if self.floor() > 1 { " on a floor" } else { "" };
            let (most, new) = (settings.max_unexplored_exits, settings.max_new_exits_per_room);
            let _ = write!(head, ", at most {most}{each}; at most {new} new in a room");
        }
        let mut lines = vec![head];
        let mut shown = Vec::new();
        for floor in 1..=self.floor() {
            lines.push(String::new());
            if self.floor() > 1 {
                lines.push(format!("Dungeon level {floor}, {}:", self.kind_of(floor)));
            }
            let rooms = self.map_rooms(floor);
            lines.extend(map::picture(&rooms, None));
            shown.extend(rooms);
        }
        lines.push(String::new());
        lines.extend(map::legend(&shown, MARKS));
        lines.push(String::new());
        lines.extend(self.rooms.iter().enumerate().map(|(number, room)| self.line(number + 1, room)));
        lines.join("\n") + "\n"
    }

    /// A room on a line.
    fn line(&self, number: usize, room: &PlannedRoom) -> String {
        let RoomPlan { at, depth, name, challenge, out_of_depth, .. } = &room.plan;
        let warned = if *out_of_depth { ", out of depth" } else { "" };
        let stairs = match &room.plan.portal {
            Some(portal) if portal.exits_dungeon => "way out",
            Some(portal) if portal.direction == Direction::Down => "stairs down",
            _ => "",
        };
        let held = [stairs, &challenge.creatures.join(", "), &challenge.items.join(", ")];
        let held: Vec<&str> = held.into_iter().filter(|list| !list.is_empty()).collect();
        let held = if held.is_empty() { String::new() } else { format!(": {}", held.join("; ")) };
        let level = if self.floor() > 1 { format!("level {} ", room.floor) } else { String::new() };
        format!("{number:3} {level}{at} depth {depth}{warned}, {} {name}{held}", room.plan.kind.name())
    }
}

/// What the marks of [`PlannedBranch::map_rooms`] mean.
pub const MARKS: &[(char, &str)] = &[
    ('S', "the start"),
    ('o', "a room with nothing in the way"),
    ('m', "a room with monsters in the way"),
    ('h', "a room with a hint"),
    ('l', "a room with a stuck lever"),
    ('g', "a room with a gate to a puzzle"),
    ('t', "a room with treasure"),
    ('k', "a corridor with nothing in the way"),
    ('a', "a chamber with nothing in the way"),
    ('D', "a room with stairs down"),
    ('X', "a room with a way out of the dungeon"),
    ('U', "the stairs up"),
    ('c', "a room with a captive behind monsters"),
    ('z', "a room to rest in"),
    ('b', "a room with a merchant"),
    ('p', "a room with a shrine"),
    ('r', "a room with a riddle"),
    ('*', "a landmark"),
];

fn mark(room: &PlannedRoom) -> char {
    let plan = &room.plan;
    match plan.kind {
        _ if plan.has_stairs() => 'D',
        _ if plan.portal.as_ref().is_some_and(|portal| portal.exits_dungeon) => 'X',
        _ if room.made_by.1 == Direction::Down => 'U',
        RoomKind::Hint => 'h',
        RoomKind::Puzzle if plan.challenge.puzzle.is_some() => 'g',
        RoomKind::Puzzle => 'l',
        RoomKind::Treasure => 't',
        RoomKind::Rescue => 'c',
        RoomKind::Rest => 'z',
        RoomKind::Merchant => 'b',
        RoomKind::Shrine => 'p',
        RoomKind::Riddle => 'r',
        RoomKind::Landmark => '*',
        RoomKind::Corridor if plan.clear => 'k',
        RoomKind::Chamber if plan.clear => 'a',
        _ if plan.clear => 'o',
        _ => 'm',
    }
}
