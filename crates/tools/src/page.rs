//! Text pages for planned branches: a map with a mark for each room, the legend and a list of the rooms.

use crate::branch::{PlannedBranch, PlannedFloor, PlannedRoom};
use deepwell_core::base::{Direction, ExitState, Point};
use deepwell_core::catalog::RoomKind;
use deepwell_core::catalog::room_kind::PlotMark;
use deepwell_core::dungeon::RoomPlan;
use deepwell_core::dungeon::map::{self, MapExit, MapRoom};
use deepwell_core::level::Portal;
use std::fmt::Write as _;

impl PlannedBranch {
    /// Returns the rooms of a floor for the map, marked by their contents. The first floor includes the start room.
    pub fn map_rooms(&self, floor: u32) -> Vec<MapRoom> {
        let first = self.rooms.first().filter(|_| floor == 1).map(|room| room.made_by.1);
        let start = first.map(|direction| MapRoom {
            at: Point::ORIGIN,
            mark: RoomKind::Start.spec().mark.letter,
            exits: vec![MapExit { direction, state: ExitState::Open }],
        });
        let rooms = self.rooms.iter().filter(|room| room.floor == floor).map(|room| MapRoom {
            at: room.plan.at,
            mark: mark(room).letter,
            exits: room
                .exits
                .iter()
                .map(|(direction, exit)| MapExit { direction: *direction, state: exit.state })
                .collect(),
        });
        start.into_iter().chain(rooms).collect()
    }

    /// Returns the rooms of all floors for one map, each floor below the one before it.
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

    /// Returns the page of the branch: a map of each floor, the legend, and one line per room.
    pub fn page(&self) -> String {
        let settings = self.spec.settings;
        let open: u32 = self.floors.iter().map(|floor| floor.frontier.open_count()).sum();
        let mut head = format!(
            "level type {}, theme {}, generator {}, seed {}, {} rooms; {open} exits unexplored",
            self.spec.level_type,
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
        lines.extend(map::legend(&shown, &marks()));
        lines.push(String::new());
        lines.extend(self.rooms.iter().enumerate().map(|(number, room)| self.line(number + 1, room)));
        lines.join("\n") + "\n"
    }

    /// Returns the line of a room.
    fn line(&self, number: usize, room: &PlannedRoom) -> String {
        let RoomPlan { at, depth, sheet, challenge, out_of_depth, .. } = &room.plan;
        let warned = if *out_of_depth { ", out of depth" } else { "" };
        let stairs = match &room.plan.portal {
            Some(portal) if portal.exits_dungeon => format!("way out by {}", portal.icons.0),
            Some(portal) if portal.direction == Direction::Down => portal.icons.0.clone(),
            _ => String::new(),
        };
        let held = [&*stairs, &challenge.creatures.join(", "), &challenge.items.join(", ")];
        let held: Vec<&str> = held.into_iter().filter(|list| !list.is_empty()).collect();
        let held = if held.is_empty() { String::new() } else { format!(": {}", held.join("; ")) };
        let floor = if self.floor() > 1 { format!("level {} ", room.floor) } else { String::new() };
        format!("{number:3} {floor}{at} depth {depth}{warned}, {} {}{held}", sheet.kind.name(), sheet.name)
    }
}

const BARRED: PlotMark = PlotMark { letter: 'm', meaning: "a room with monsters in the way", rank: 2 };
const GATE: PlotMark = PlotMark { letter: 'g', meaning: "a room with a gate to a puzzle", rank: 5 };
const STAIRS: PlotMark = PlotMark { letter: 'D', meaning: "a room with stairs down", rank: 9 };
const PORTAL: PlotMark = PlotMark { letter: 'P', meaning: "a room with a portal to another floor", rank: 9 };
const WAY_OUT: PlotMark = PlotMark { letter: 'X', meaning: "a room with a way out of the dungeon", rank: 10 };
const LANDING: PlotMark = PlotMark { letter: 'U', meaning: "the stairs up", rank: 11 };

/// Returns the meaning of each mark of [`PlannedBranch::map_rooms`].
pub fn marks() -> Vec<(char, &'static str)> {
    let kinds = RoomKind::ALL.iter().map(|kind| kind.spec().mark);
    let mut marks: Vec<PlotMark> = kinds.chain([BARRED, GATE, STAIRS, PORTAL, WAY_OUT, LANDING]).collect();
    marks.sort_by_key(|mark| mark.rank);
    marks.dedup();
    marks.into_iter().map(|mark| (mark.letter, mark.meaning)).collect()
}

fn mark(room: &PlannedRoom) -> PlotMark {
    let plan = &room.plan;
    let is_portal = |portal: &Portal| portal.direction == Direction::Down && portal.icons != Portal::stairs();
    if plan.portal.as_ref().is_some_and(is_portal) {
        PORTAL
    } else if plan.has_stairs() {
        STAIRS
    } else if plan.portal.as_ref().is_some_and(|portal| portal.exits_dungeon) {
        WAY_OUT
    } else if room.made_by.1 == Direction::Down {
        LANDING
    } else if plan.puzzle().is_some() {
        GATE
    } else if plan.clear || plan.sheet.kind.is_generated() {
        plan.sheet.kind.spec().mark
    } else {
        BARRED
    }
}
