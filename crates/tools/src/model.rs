//! Independent model of a floor for verification. It knows only places and exits, receives every room that is
//! generated, and finds violations by its own count instead of trusting the frontier.

use deepwell_core::base::{Direction, Point};
use deepwell_core::dungeon::{Frontier, GrowSettings, RoomPlan, UnexploredExit};
use deepwell_core::level::{FloorPlan, PlacedVaults, Portal};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The verifier's model of a floor.
pub(super) struct Model {
    floor: u32,
    /// Rooms in the order of creation, each with the exit that created it; `None` for a landing.
    rooms: Vec<(Point, Option<(Point, Direction)>)>,
    taken: FxHashSet<Point>,
    /// Destination of each exit; `None` while it is unexplored.
    exits: FxHashMap<(Point, Direction), Option<Point>>,
    open: u32,
    /// Number of unexplored exits in rooms without a mechanism.
    free: u32,
    /// Rooms with a mechanism.
    mechanisms: FxHashSet<Point>,
    /// Set when a room without a mechanism has stairs down.
    stairs_free: bool,
    /// Set if the limits on open and new exits apply to the floor.
    budgeted: bool,
    /// Number of rooms with stairs down.
    stairs: u32,
    /// Violations, each with the number of rooms at the time.
    pub(super) violations: Vec<(u32, String)>,
}

impl Model {
    pub(super) fn new(floor: u32, budgeted: bool) -> Self {
        Self {
            floor,
            rooms: Vec::new(),
            taken: FxHashSet::default(),
            exits: FxHashMap::default(),
            open: 0,
            free: 0,
            mechanisms: FxHashSet::default(),
            stairs_free: false,
            budgeted,
            stairs: 0,
            violations: Vec::new(),
        }
    }

    pub(super) fn record_violation(&mut self, step: u32, what: String) {
        let what = if self.floor > 1 { format!("floor {}: {what}", self.floor) } else { what };
        self.violations.push((step, what));
    }

    /// Returns `true` if a place is the start: (0,0) of the first floor.
    fn is_start(&self, place: Point) -> bool {
        self.floor == 1 && place == Point::ORIGIN
    }

    pub(super) fn add_stairs(&mut self, portal: &Portal) {
        self.stairs += u32::from(portal.direction == Direction::Down && !portal.unique);
    }

    /// Checks that a floor with limited exits has at most one room with stairs down. On a floor generated whole, every
    /// room must have been reached, and there must be stairs.
    pub(super) fn check_stairs(&mut self, step: u32, plan: Option<&FloorPlan>) {
        if self.budgeted && self.stairs > 1 {
            self.record_violation(step, format!("{} stairs down (T1)", self.stairs));
        }
        let Some(plan) = plan else { return };
        if self.rooms.len() != plan.rooms.len() {
            let (walked, all) = (self.rooms.len(), plan.rooms.len());
            self.record_violation(
                step,
                format!("only {walked} of {all} rooms can be reached from the entrance (P4)"),
            );
        }
        if !plan.portals().any(|(_, portal)| portal.direction == Direction::Down) {
            self.record_violation(step, "no stairs down (T1)".to_owned());
        }
    }

    /// Adds a room reached by stairs; it must be at (0,0) and have an exit that leads on.
    fn add_landing(&mut self, step: u32, room: &RoomPlan) {
        if room.at != Point::ORIGIN || room.depth != 0 || room.new_exits.is_empty() {
            self.record_violation(
                step,
                format!("the landing is at {} with {} exits", room.at, room.new_exits.len()),
            );
        }
        self.taken.insert(room.at);
        self.note_mechanism(room);
        for exit in &room.new_exits {
            self.exits.insert((room.at, *exit), None);
            self.count_open(room.at);
        }
        self.rooms.push((room.at, None));
    }

    fn note_mechanism(&mut self, room: &RoomPlan) {
        if room.has_mechanism() {
            self.mechanisms.insert(room.at);
        } else {
            self.stairs_free |= room.has_stairs();
        }
    }

    fn count_open(&mut self, from: Point) {
        self.open += 1;
        self.free += u32::from(!self.mechanisms.contains(&from));
    }

    pub(super) fn add(&mut self, step: u32, way: UnexploredExit, room: &RoomPlan) {
        let UnexploredExit { from, direction, .. } = way;
        if direction == Direction::Down {
            self.add_landing(step, room);
            return;
        }
        let at = room.at;
        if at != from.step(direction) || room.depth != at.depth() {
            self.record_violation(step, format!("{direction} of {from} gave {at} at depth {}", room.depth));
        }
        if self.is_start(at) || !self.taken.insert(at) {
            self.record_violation(step, format!("{at} is taken already (E6, E10)"));
        }
        self.resolve(step, from, direction, at);
        for (from, direction) in &room.joined {
            if from.step(*direction) != at {
                self.record_violation(step, format!("{direction} of {from} was joined to {at} (E18)"));
            }
            self.resolve(step, *from, *direction, at);
        }
        for side in &room.met {
            let beyond = at.step(*side);
            self.resolve(step, beyond, side.opposite(), at);
            self.exits.insert((at, *side), Some(beyond));
        }
        self.exits.insert((at, direction.opposite()), Some(from));
        self.note_mechanism(room);
        for exit in &room.new_exits {
            let beyond = at.step(*exit);
            if self.is_start(beyond) || self.taken.contains(&beyond) {
                self.record_violation(
                    step,
                    format!("new exit {exit} of {at} leads to a taken place (E17, E20)"),
                );
            }
            if self.exits.insert((at, *exit), None).is_some() {
                self.record_violation(step, format!("{at} has two exits {exit}"));
            }
            self.count_open(at);
        }
        self.rooms.push((at, Some((from, direction))));
    }

    fn resolve(&mut self, step: u32, from: Point, direction: Direction, at: Point) {
        if self.is_start(from) && step == 0 {
            return;
        }
        match self.exits.insert((from, direction), Some(at)) {
            Some(None) => {
                self.open -= 1;
                self.free -= u32::from(!self.mechanisms.contains(&from));
            }
            _ => self.record_violation(step, format!("{direction} of {from} was already explored (E36)")),
        }
    }

    pub(super) fn check_budget(&mut self, step: u32, settings: GrowSettings, frontier: &Frontier) {
        if self.open != frontier.open_count() {
            let counted = frontier.open_count();
            self.record_violation(
                step,
                format!("{} exits are open, but the frontier counts {counted}", self.open),
            );
        }
        if !self.budgeted {
            return;
        }
        if self.open == 0 && !settings.finishable {
            self.record_violation(step, "no exit is open (E14)".to_owned());
        }
        if self.open > settings.max_unexplored_exits {
            self.record_violation(step, format!("{} exits are open at once (E15)", self.open));
        }
    }

    /// Checks that a player who only walks and fights can continue: through an exit, or down the stairs of a floor
    /// generated whole.
    pub(super) fn check_free(&mut self, step: u32, whole: bool) {
        if self.open > 0 && self.free == 0 && !(whole && self.stairs_free) {
            let open = self.open;
            self.record_violation(
                step,
                format!("all {open} unexplored exits are behind levers and puzzles (E59)"),
            );
        }
    }

    /// Checks the vaults of a floor. Their reserved places are free, an exit leads to the unbuilt rest of each vault,
    /// and walking vaults to their end exceeds no exit limit and always leaves another exit to continue by.
    pub(super) fn check_vaults(&mut self, step: u32, vaults: &PlacedVaults, settings: GrowSettings) {
        if vaults.is_empty() {
            return;
        }
        let kept: BTreeSet<Point> = vaults.kept(self.floor).collect();
        if let Some(at) = kept.iter().find(|at| self.taken.contains(at)) {
            self.record_violation(step, format!("{at} is reserved for a vault, but has another room"));
        }
        let mut targets: Vec<(Point, Point)> = Vec::new();
        for (at, _) in &self.rooms {
            let unexplored = |side: &Direction| self.exits.get(&(*at, *side)) == Some(&None);
            targets.extend(Direction::around().filter(unexplored).map(|side| (*at, at.step(side))));
        }
        let cut_off = vaults.on(self.floor).find(|laid| {
            let is_left = |to: &Point| laid.plots.iter().any(|plot| !plot.made && plot.at == *to);
            !targets.iter().any(|(_, to)| is_left(to))
        });
        if let Some(laid) = cut_off {
            self.record_violation(
                step,
                format!("no exit leads to the unbuilt rest of the vault {}", laid.key),
            );
        }
        let most = self.open.saturating_add(vaults.reserve(self.floor));
        if most > settings.max_unexplored_exits {
            self.record_violation(step, format!("{most} exits could be open at once within vaults (E15)"));
        }
        let leads_on = |(at, to): &(Point, Point)| !kept.contains(to) && !self.mechanisms.contains(at);
        if !settings.finishable && !targets.iter().any(leads_on) {
            self.record_violation(
                step,
                "all unexplored exits lead into vaults or stand behind levers (E58)".to_owned(),
            );
        }
    }

    /// Checks that every exit has a reverse exit, or a destination created through another exit. Unexplored exits must
    /// point at free places, and only the first room may lead to the start.
    pub(super) fn check_links(&mut self, step: u32) {
        let rooms = self.rooms.clone();
        let makers: FxHashMap<Point, Option<(Point, Direction)>> = rooms.iter().copied().collect();
        for (index, (at, made_by)) in rooms.iter().enumerate() {
            for direction in Direction::around() {
                let beyond = at.step(direction);
                let fault = match self.exits.get(&(*at, direction)) {
                    Some(None) if self.taken.contains(&beyond) => "unexplored, but there is a room behind it",
                    None | Some(None) => continue,
                    Some(Some(to)) if *to != beyond => "leads to a place that is no neighbour",
                    Some(Some(to)) if self.is_start(*to) => {
                        if index == 0 && *made_by == Some((Point::ORIGIN, direction.opposite())) {
                            continue;
                        }
                        "leads to the start (E20)"
                    }
                    Some(Some(to)) => {
                        let paired = self.exits.contains_key(&(*to, direction.opposite()));
                        if paired || makers.get(to).is_some_and(|maker| *maker != Some((*at, direction))) {
                            continue;
                        }
                        "made its room but has no way back (E13)"
                    }
                };
                self.record_violation(step, format!("{direction} of {at} {fault}"));
            }
        }
    }

    /// Checks that every room can be reached from the first room.
    pub(super) fn check_reach(&mut self, step: u32) {
        let mut reached = FxHashSet::default();
        let mut next: Vec<Point> = self.rooms.first().map(|(at, _)| *at).into_iter().collect();
        while let Some(at) = next.pop() {
            if !self.is_start(at) && reached.insert(at) {
                let exits =
                    Direction::around().filter_map(|side| self.exits.get(&(at, side)).copied().flatten());
                next.extend(exits);
            }
        }
        if reached.len() != self.taken.len() {
            let lost = self.taken.len() - reached.len();
            self.record_violation(step, format!("{lost} rooms cannot be reached from the first one"));
        }
    }
}
