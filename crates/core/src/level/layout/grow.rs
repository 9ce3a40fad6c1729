//! Growth of a floor by one room at a time, and the guard that keeps the floor endless. Determines only the position
//! and exits of a room, not its contents.

use super::frontier::Frontier;
use super::growth::{GrowSettings, Growth};
use super::leads::{Leads, LeadsBySide};
use crate::base::{Dice, Direction, Point};

/// Places the room behind an unexplored exit and updates the frontier.
///
/// The position behind the exit must be free. `from` is the start room's position for the first room of a branch.
///
/// Rolls, in this order:
/// 1. the number of new exits: uniform, from 0 to the limit set by the room, the budget and the free neighbours. The
///    minimum is 1 if no other unexplored exit can be used without operating a mechanism;
/// 2. for each exit, one of the remaining directions, listed clockwise from north;
/// 3. only if no unblocked exit would lead into the unbounded free region: the forced direction, among those that lead
///    there. It replaces the exit rolled last if the budget is spent.
pub fn grow(
    settings: &GrowSettings,
    frontier: &mut Frontier,
    from: Point,
    direction: Direction,
    dice: &mut impl Dice,
) -> Growth {
    let at = from.step(direction);
    // The explored exit is removed before the budget is counted, and so are exits that join here.
    let leads = frontier.take(from, direction);
    place_and_draw(settings, frontier, at, leads, dice)
}

/// Places the first room of a lower floor, where the stairs arrive: at (0,0), with at least one new exit. Its exits are
/// rolled as for any other room.
pub fn land(settings: &GrowSettings, frontier: &mut Frontier, dice: &mut impl Dice) -> Growth {
    place_and_draw(settings, frontier, Point::ORIGIN, Leads::Out, dice)
}

/// Places a room, rolls its new exits, and adds them to the frontier.
fn place_and_draw(
    settings: &GrowSettings,
    frontier: &mut Frontier,
    at: Point,
    leads: Leads,
    dice: &mut impl Dice,
) -> Growth {
    let (joined, mut sides) = frontier.place_and_classify(at, leads);
    if settings.diagonals {
        // A diagonal exit can lead from a pocket into another region.
        sides.extend(Direction::DIAGONALS.map(|side| (side, Leads::Unknown)));
    }
    let mut free: Vec<Direction> =
        sides.iter().map(|(side, _)| *side).filter(|side| frontier.is_free(at.step(*side))).collect();
    let open = frontier.open_count();
    let most = settings
        .max_new_exits_per_room
        .min(settings.max_unexplored_exits.saturating_sub(open))
        .min(u32::try_from(free.len()).unwrap_or(u32::MAX));
    let least = u32::from(!frontier.has_unblocked_exit()).min(most);
    let mut new_exits = Vec::new();
    for _ in 0..dice.between(least, most) {
        let others = u32::try_from(free.len()).unwrap_or(u32::MAX).saturating_sub(1);
        new_exits.push(free.remove(dice.up_to(others) as usize));
    }
    if !settings.finishable && !frontier.find_outward_exit(at, &mut sides, &new_exits) {
        force_way_out(frontier, at, &mut sides, &free, most, &mut new_exits, dice);
    }
    new_exits.sort_unstable();
    for (side, leads) in sides.into_iter().filter(|(side, _)| new_exits.contains(side)) {
        frontier.open(at, side, leads);
    }
    Growth { at, depth: at.depth(), new_exits, joined, ..Growth::default() }
}

/// Adds an exit into the unbounded free region. Such an exit exists, because the room's own position was in that
/// region.
fn force_way_out(
    frontier: &Frontier,
    at: Point,
    sides: &mut LeadsBySide,
    free: &[Direction],
    most: u32,
    new_exits: &mut Vec<Direction>,
    dice: &mut impl Dice,
) {
    let mut outward = Vec::new();
    for (side, leads) in sides.iter_mut().filter(|(side, _)| free.contains(side)) {
        if *leads == Leads::Unknown {
            *leads = frontier.search_region(at.step(*side));
        }
        if *leads == Leads::Out {
            outward.push(*side);
        }
    }
    if let Some(forced) = dice.pick(&outward) {
        if new_exits.len() >= most as usize {
            new_exits.pop();
        }
        new_exits.push(*forced);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Seed;
    use crate::level::layout::{Budgeted, GrownFloor, Layout as _};
    use Direction::{East, North, South, West};
    use std::collections::VecDeque;

    /// Scripted dice: the expected range and the result of each roll.
    struct Script(VecDeque<(u32, u32)>);

    impl Dice for Script {
        fn up_to(&mut self, most: u32) -> u32 {
            let (asked, answer) = self.0.pop_front().expect("the script has no draw left");
            assert_eq!(asked, most, "the range of the draw");
            answer
        }
    }

    /// Branch of the worked examples: at most 4 unexplored exits, at most 3 new exits per room.
    struct Example {
        frontier: Frontier,
        settings: GrowSettings,
    }

    impl Example {
        fn new() -> Self {
            let settings = GrowSettings {
                max_unexplored_exits: 4,
                max_new_exits_per_room: 3,
                finishable: false,
                diagonals: false,
            };
            Self { frontier: Frontier::new(1), settings }
        }

        /// Performs one step and returns the room and the number of unexplored exits after it.
        fn step(&mut self, from: Point, direction: Direction, draws: &[(u32, u32)]) -> (Growth, u32) {
            let mut script = Script(draws.iter().copied().collect());
            let growth = grow(&self.settings, &mut self.frontier, from, direction, &mut script);
            assert!(script.0.is_empty(), "draws left over: {:?}", script.0);
            (growth, self.frontier.open_count())
        }

        /// Performs the steps to A and B, which all three examples share.
        fn up_to_b() -> Self {
            let mut example = Self::new();
            let (a, open) = example.step(Point::ORIGIN, East, &[(2, 2), (2, 0), (1, 0), (0, 0)]);
            assert_eq!(a, room(1, 0, 1, &[North, East, South]));
            assert_eq!(open, 3, "0 -> 3");
            let (b, open) = example.step(A, South, &[(2, 2), (2, 2), (1, 0)]);
            assert_eq!(b, room(1, -1, 1, &[East, West]));
            assert_eq!(open, 4, "2 -> 4");
            example
        }

        /// Performs the steps up to C of example 2, whose exit points to the same position as A's east exit.
        fn up_to_c_north() -> Self {
            let mut example = Self::up_to_b();
            let (c, open) = example.step(B, East, &[(1, 1), (2, 0)]);
            assert_eq!((c, open), (room(2, -1, 2, &[North]), 4));
            example
        }

        fn open(&self) -> Vec<(Point, Direction)> {
            self.frontier.open_exits().collect()
        }
    }

    const A: Point = Point::new(1, 0);
    const B: Point = Point::new(1, -1);
    const C: Point = Point::new(2, -1);

    fn room(x: i32, y: i32, depth: u32, new_exits: &[Direction]) -> Growth {
        Growth { at: Point::new(x, y), depth, new_exits: new_exits.to_vec(), ..Growth::default() }
    }

    /// E23, worked example 1.
    #[test]
    fn e23_worked_example_1() {
        let mut example = Example::up_to_b();
        let (c, open) = example.step(B, East, &[(1, 1), (2, 1)]);
        assert_eq!((c, open), (room(2, -1, 2, &[East]), 4), "3 -> 4");
        let (d, open) = example.step(C, East, &[(1, 0)]);
        assert_eq!((d, open), (room(3, -1, 3, &[]), 3), "3 -> 3");
        assert_eq!(example.open(), [(B, West), (A, North), (A, East)]);
    }

    /// E23, worked example 2: D is placed from C, and A's east exit becomes one-way.
    #[test]
    fn e23_worked_example_2_from_c() {
        let mut example = Example::up_to_c_north();
        let (d, open) = example.step(C, North, &[(2, 0)]);
        assert_eq!(d, Growth { joined: vec![(A, East)], ..room(2, 0, 2, &[]) });
        assert_eq!((open, example.open()), (2, vec![(B, West), (A, North)]));
    }

    /// E23, worked example 2 in the other order: D is placed from A, and C's north exit becomes one-way.
    #[test]
    fn e23_worked_example_2_from_a() {
        let mut example = Example::up_to_c_north();
        let (d, open) = example.step(A, East, &[(2, 0)]);
        assert_eq!(d, Growth { joined: vec![(C, North)], ..room(2, 0, 2, &[]) });
        assert_eq!((open, example.open()), (2, vec![(B, West), (A, North)]));
    }

    /// E23, worked example 3: beside the start, north is forbidden, so two directions are free.
    #[test]
    fn e23_worked_example_3() {
        let mut example = Example::up_to_c_north();
        example.step(C, North, &[(2, 0)]);
        let (e, open) = example.step(B, West, &[(2, 0)]);
        assert_eq!(e, room(0, -1, 1, &[]));
        assert_eq!((open, example.open()), (1, vec![(A, North)]));
        let mut other = Example::up_to_c_north();
        other.step(C, North, &[(2, 0)]);
        let (e, _) = other.step(B, West, &[(2, 2), (1, 1), (0, 0)]);
        assert_eq!(e.new_exits, [South, West], "all it could have got");
    }

    /// T3, E15: the first room of a lower floor is at (0,0) and has an exit.
    #[test]
    fn landing_has_an_unexplored_exit() {
        let settings = GrowSettings {
            max_unexplored_exits: 4,
            max_new_exits_per_room: 3,
            finishable: true,
            diagonals: false,
        };
        let mut frontier = Frontier::new(2);
        let mut script = Script(VecDeque::from([(2, 0), (3, 2)]));
        let landing = land(&settings, &mut frontier, &mut script);
        assert_eq!(landing, room(0, 0, 0, &[South]));
        assert_eq!((script.0.len(), frontier.open_count()), (0, 1), "1 to 3 were allowed");
    }

    /// E16: the room behind the last unexplored exit has a new exit if a neighbour is free, in finishable branches too.
    #[test]
    fn last_unexplored_exit_is_not_a_dead_end() {
        for finishable in [false, true] {
            let mut example = Example::new();
            example.settings.finishable = finishable;
            let (a, open) = example.step(Point::ORIGIN, North, &[(2, 0), (2, 1)]);
            assert_eq!((a, open), (room(0, 1, 1, &[East]), 1));
        }
    }

    /// Returns a floor where (2,0) is free, between a pocket to the north and the open plane to the east and south.
    fn beside_a_pocket() -> Frontier {
        let rooms = [(1, 0), (1, 1), (2, 2), (3, 1)].map(|(x, y)| Point::new(x, y));
        Frontier::rebuild(1, rooms, [(A, East)], false)
    }

    /// E58: the exit into the pocket is replaced by one into the plane, within the maximum.
    #[test]
    fn guard_replaces_exit_when_budget_is_spent() {
        let mut settings = GrowSettings { max_unexplored_exits: 1, ..GrowSettings::default() };
        let draws = [(0, 0), (2, 0), (1, 1)];
        let grown = |settings: &GrowSettings, draws: &[(u32, u32)]| {
            let mut frontier = beside_a_pocket();
            let mut script = Script(draws.iter().copied().collect());
            let growth = grow(settings, &mut frontier, A, East, &mut script);
            (growth.new_exits, script.0.len(), frontier.open_count())
        };
        assert_eq!(grown(&settings, &draws), (vec![South], 0, 1));
        settings.max_unexplored_exits = 2;
        assert_eq!(grown(&settings, &[(1, 0), (2, 0), (1, 1)]), (vec![North, South], 0, 2), "room for both");
        settings.finishable = true;
        assert_eq!(grown(&settings, &[(1, 0), (2, 0)]), (vec![North], 0, 1), "no guard");
    }

    /// E59: an exit behind a mechanism does not count as open: the next room gets another exit, which stays unblocked.
    #[test]
    fn e59_exit_behind_mechanism_does_not_count_as_open() {
        let mut example = Example::new();
        example.step(Point::ORIGIN, North, &[(2, 1), (2, 0), (1, 0)]);
        let (one, other) = (Point::new(0, 1), Point::new(0, 2));
        let may_bar = |example: &mut Example, room| {
            let Example { frontier, settings } = example;
            let ground = GrownFloor { frontier, settings: *settings, seed: Seed(1) };
            Budgeted::frontier().may_bar(ground, room)
        };
        example.step(one, North, &[(3, 1), (2, 0)]);
        assert!(may_bar(&mut example, other), "the east exit of the first room is open");
        example.settings.finishable = true;
        assert!(!may_bar(&mut example, other), "where a branch may end, that exit may do so");
        example.settings.finishable = false;
        example.frontier.note_mechanism(other);
        let (dead_end, open) = example.step(one, East, &[(2, 0), (2, 1)]);
        assert_eq!((dead_end.new_exits.len(), open), (1, 2), "of 1 to 3 exits");
        assert!(!may_bar(&mut example, dead_end.at));
    }

    /// E19: a finishable branch ends when no free neighbour is left.
    #[test]
    fn finishable_branch_may_end() {
        let pocket = Point::new(2, 1);
        let rooms = [(1, 0), (1, 1), (2, 2), (3, 1), (2, 0)].map(|(x, y)| Point::new(x, y));
        let mut frontier = Frontier::rebuild(1, rooms, [(Point::new(2, 0), North)], false);
        let settings = GrowSettings { finishable: true, ..GrowSettings::default() };
        let mut script = Script(VecDeque::from([(0, 0)]));
        let growth = grow(&settings, &mut frontier, Point::new(2, 0), North, &mut script);
        assert_eq!((growth.at, growth.new_exits.len(), frontier.open_count()), (pocket, 0, 0));
    }
}
