//! The machine: levers in several rooms move gates in others. A lever toggles up to three gates, whose beasts are
//! carved beside it. Every pull and step can be reversed, so players cannot get stuck. A board is accepted only if the
//! solution takes enough pulls.

use crate::base::{Dice, Direction, Rng, Seed};
use crate::data::CatalogError;
use crate::text::grammar;
use std::collections::VecDeque;
use std::sync::Arc;

use crate::puzzle::ground::{RoomTree, TreeBoard, cell};
use crate::puzzle::prose::{Prose, ProseFile};
use crate::puzzle::{
    Act, Board, BoardError, Cell, CellKind, Deed, Description, Feature, Gate, Goal, Lock, Mechanism, Opening,
    Outcome, Param, Puzzle, PuzzleConfig, SettingError, SolutionStep, SwitchId, Thing, Verdict,
};

/// Number of machines generated before the one that needs most pulls is taken.
const TRIES: u64 = 48;
/// Maximum number of gates moved by one lever.
const MOVES_MAX: u32 = 3;

/// Text decks of the puzzle.
pub(in crate::puzzle) const WORDS: ProseFile = ProseFile {
    path: "puzzles/machine.toml",
    shipped: include_str!("../../../../../content/puzzles/machine.toml"),
    decks: &[("ways_in", 2), ("halls", 2), ("ends", 2), ("beasts", 1), ("levers", 2)],
};

/// The puzzle `machine`.
#[derive(Clone, Debug)]
pub struct Machine {
    words: Prose,
}

impl Machine {
    /// Creates the puzzle with its built-in texts.
    pub fn shipped() -> Self {
        Self { words: WORDS.shipped() }
    }
}

const PARAMS: &[Param] = &[
    Param::number("rooms", 5..=14, 8, "how many rooms there are"),
    Param::number("gates", 2..=6, 4, "how many gates there are between them"),
    Param::number("levers", 2..=6, 4, "how many levers there are, each in a room of its own"),
    Param::number("least_pulls", 1..=8, 3, "how many pulls the way through takes at least"),
];

impl Puzzle for Machine {
    fn description(&self) -> Description<'static> {
        Description {
            name: "machine",
            about: "Set the levers and walk through the machine",
            features: &[Feature::Finish, Feature::Levers],
            goals: &[Goal::ReachFinish],
            params: PARAMS,
            ..Description::DEFAULT
        }
    }

    fn with_file(&self, path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Arc<dyn Puzzle>> {
        Some(Arc::new(Self { words: WORDS.find(path, text, mistakes)? }))
    }

    fn check_config(&self, config: &PuzzleConfig) -> Result<(), SettingError> {
        let (rooms, gates) = (config.number("rooms"), config.number("gates"));
        let (levers, pulls) = (config.number("levers"), config.number("least_pulls"));
        if gates + 1 > rooms || levers + 1 > rooms {
            return Err(SettingError::new(format!(
                "{gates} gates and {levers} levers do not fit into {rooms} rooms"
            )));
        }
        if pulls > levers + 1 {
            return Err(SettingError::new(format!("{levers} levers do not make a machine of {pulls} pulls")));
        }
        if config.require_choice {
            return Err(SettingError::new("there is no way to lose in a machine"));
        }
        Ok(())
    }

    fn generate(&self, seed: Seed, config: &PuzzleConfig) -> Board {
        let least = config.number("least_pulls");
        let mut best = (0, Board::default());
        for n in 0..TRIES {
            let board = build(seed.numbered(n), config);
            let pulls = fewest_pulls(&board).map_or(0, |steps| pulls(&steps));
            if n == 0 || pulls > best.0 {
                best = (pulls, board);
            }
            if best.0 >= least {
                break;
            }
        }
        let mut board = best.1;
        add_machine_texts(&mut board, &self.words, &mut seed.named("words").rng());
        board
    }

    fn solve(&self, board: &Board, _config: &PuzzleConfig) -> Verdict {
        Verdict { solution: fewest_pulls(board), ..Verdict::default() }
    }

    fn check_board(
        &self,
        _board: &Board,
        verdict: &Verdict,
        config: &PuzzleConfig,
    ) -> Result<(), BoardError> {
        verdict.check(config)?;
        let (pulls, least) = (verdict.solution.as_deref().map_or(0, pulls), config.number("least_pulls"));
        if pulls < least {
            return Err(BoardError::Unsuited(format!("{pulls} pulls are enough, {least} are wanted")));
        }
        Ok(())
    }
}

/// Returns the number of pulls in a solution.
fn pulls(steps: &[SolutionStep]) -> u32 {
    let pulls = steps.iter().filter(|step| matches!(step.act, Act::Do(_))).count();
    u32::try_from(pulls).unwrap_or(u32::MAX)
}

/// Generates a machine without texts; it may be unsolvable.
fn build(seed: Seed, config: &PuzzleConfig) -> Board {
    let mut dice = seed.named("machine").rng();
    let tree = RoomTree::grow(config.number("rooms") as usize, &mut dice);
    let end = dice.pick(&tree.deepest()).copied().unwrap_or_default();
    let mut ground = TreeBoard::new(tree, Goal::ReachFinish, end, |_| [""; 2]);
    gates(&mut ground, config.number("gates") as usize, &mut dice);
    levers(&mut ground, config.number("levers") as usize, &mut dice);
    ground.board
}

/// Places gates in passages: one before the end, the others at random. One in three is up at the start.
fn gates(ground: &mut TreeBoard, count: usize, dice: &mut Rng) {
    let end = ground.end;
    let mut places: Vec<usize> = (1..ground.tree.len()).filter(|room| *room != end).collect();
    dice.shuffle(&mut places);
    places.insert(0, end);
    for (n, place) in (0_u16..).zip(places.into_iter().take(count)) {
        let up = place != end && dice.percent(33);
        let switch = vec![SwitchId(n)];
        let (on, off) = if up { (Vec::new(), switch) } else { (switch, Vec::new()) };
        let opening = Opening::Switches { on, off, stays: false };
        let gate = Gate { name: String::new(), shut: String::new(), told: String::new(), opening };
        ground.bar(place, gate);
    }
}

/// Places levers in rooms, each for one to three gates; every gate is moved by at least one lever.
fn levers(ground: &mut TreeBoard, count: usize, dice: &mut Rng) {
    let gates = ground.board.gates.len();
    let mut places: Vec<usize> = (0..ground.tree.len()).filter(|room| *room != ground.end).collect();
    dice.shuffle(&mut places);
    places.truncate(count);
    let mut orphans: Vec<usize> = (0..gates).collect();
    dice.shuffle(&mut orphans);
    let share = gates.div_ceil(places.len().max(1));
    for (n, place) in places.into_iter().enumerate() {
        let mut moved: Vec<usize> = orphans.split_off(orphans.len() - share.min(orphans.len()));
        // The first lever moves several gates; otherwise levers would work like keys.
        let wanted = dice.between(if n == 0 { 2 } else { 1 }, MOVES_MAX) as usize;
        let mut others: Vec<usize> = (0..gates).filter(|gate| !moved.contains(gate)).collect();
        dice.shuffle(&mut others);
        moved.extend(others.into_iter().take(wanted.saturating_sub(moved.len())));
        moved.sort_unstable();
        let switch = |gate: usize| Outcome::Toggle(SwitchId(u16::try_from(gate).unwrap_or(u16::MAX)));
        let does = moved.into_iter().map(switch).collect();
        ground.put(place, Mechanism::Lever { thing: Thing::default(), does });
    }
}

/// Adds the texts of a machine.
fn add_machine_texts(board: &mut Board, prose: &Prose, dice: &mut Rng) {
    let mut beasts = prose.deck::<1>("beasts", dice);
    let mut names = Vec::new();
    for gate in &mut board.gates {
        let [beast] = beasts.draw();
        gate.name = format!("{beast} gate");
        gate.shut = format!("The {beast} gate is down. Its bars are as thick as your arm.");
        gate.told = format!("The {beast} gate rattles up.");
        names.push(beast);
    }
    let (mut ways_in, mut halls) = (prose.deck::<2>("ways_in", dice), prose.deck("halls", dice));
    let (mut ends, mut levers) = (prose.deck("ends", dice), prose.deck::<2>("levers", dice));
    for cell in &mut board.cells {
        let [name, description] = match cell.kind {
            CellKind::Entrance => ways_in.draw(),
            CellKind::Finish => ends.draw(),
            _ => halls.draw(),
        };
        name.clone_into(&mut cell.name);
        description.clone_into(&mut cell.description);
        for mechanism in &mut cell.mechanisms {
            let Mechanism::Lever { thing, does } = mechanism else { continue };
            let [name, seen] = levers.draw();
            name.clone_into(&mut thing.name);
            thing.seen = format!("{seen} {}", carved_beside(does, &names));
            thing.told = format!("The {name} moves with a clank, and wheels turn behind the wall.");
        }
    }
}

/// Returns a sentence such as "Carved beside it are a heron and an otter."
fn carved_beside(does: &[Outcome], beasts: &[&str]) -> String {
    let beast = |outcome: &Outcome| {
        let Outcome::Toggle(switch) = outcome else { return None };
        let beast = *beasts.get(usize::from(switch.0))?;
        Some(format!("{} {beast}", if beast.starts_with(['a', 'e', 'o']) { "an" } else { "a" }))
    };
    let carved: Vec<String> = does.iter().filter_map(beast).collect();
    let verb = if carved.len() == 1 { "is" } else { "are" };
    format!("Carved beside it {verb} {}.", grammar::list(&carved))
}

/// Returns the solution with the fewest pulls.
fn fewest_pulls(board: &Board) -> Option<Vec<SolutionStep>> {
    let works = StateGraph::of(board);
    let mut reached: Vec<Option<Reached>> = vec![None; works.rooms.len() << works.gates];
    let first = works.node(usize::from(board.entrance.0), works.up);
    // 0-1 breadth-first search: pulls cost one and go to the back, steps cost nothing and go to the front.
    let mut next = VecDeque::from([(first, None)]);
    while let Some((node, by)) = next.pop_front() {
        let Some(slot) = reached.get_mut(node).filter(|slot| slot.is_none()) else { continue };
        *slot = Some(by);
        let (number, up) = (node >> works.gates, node & ((1 << works.gates) - 1));
        let room = works.rooms.get(number)?;
        if room.is_end {
            return Some(works.trail(&reached, node));
        }
        for (way, (_, to, gate)) in room.ways.iter().enumerate() {
            if gate & !up == 0 {
                next.push_front((works.node(*to, up), Some((node, LeverMove::Way(way)))));
            }
        }
        for (lever, (_, moved)) in room.levers.iter().enumerate() {
            next.push_back((works.node(number, up ^ moved), Some((node, LeverMove::Lever(lever)))));
        }
    }
    None
}

/// Predecessor of a node and the move from there; `None` for the first node.
type Reached = Option<(usize, LeverMove)>;

#[derive(Clone, Copy, Debug)]
enum LeverMove {
    Way(usize),
    Lever(usize),
}

/// State graph of a machine. A node is a room with the set of gates that are up.
#[derive(Debug)]
struct StateGraph {
    rooms: Vec<MachineRoom>,
    gates: usize,
    /// Gates that are up at the start, as a bit set.
    up: usize,
}

/// Room of the machine.
#[derive(Debug)]
struct MachineRoom {
    /// Direction, destination, and bit of the gate that must be up; 0 for none.
    ways: Vec<(Direction, usize, usize)>,
    /// Index of each lever in the cell, and the bit set of gates it moves.
    levers: Vec<(usize, usize)>,
    is_end: bool,
}

impl StateGraph {
    fn of(board: &Board) -> Self {
        let barred = |lock: Lock| if let Lock::Gate(gate) = lock { 1 << gate.0 } else { 0 };
        let moved = |does: &[Outcome]| {
            does.iter().fold(0, |moved, outcome| match outcome {
                Outcome::Toggle(switch) => moved ^ (1 << switch.0),
                _ => moved,
            })
        };
        let room = |room: &Cell| MachineRoom {
            ways: room.exits.iter().map(|(way, p)| (*way, usize::from(p.to.0), barred(p.lock))).collect(),
            levers: (0..).zip(room.mechanisms.iter().map(|lever| moved(lever.does()))).collect(),
            is_end: room.mechanisms.contains(&Mechanism::Finish),
        };
        let is_up = |gate: &Gate| matches!(&gate.opening, Opening::Switches { on, .. } if on.is_empty());
        let up =
            board.gates.iter().enumerate().filter(|(_, gate)| is_up(gate)).fold(0, |up, (n, _)| up | 1 << n);
        Self { rooms: board.cells.iter().map(room).collect(), gates: board.gates.len(), up }
    }

    fn node(&self, room: usize, up: usize) -> usize {
        room << self.gates | up
    }

    /// Returns the steps that led to a node.
    fn trail(&self, reached: &[Option<Reached>], last: usize) -> Vec<SolutionStep> {
        let mut trail = Vec::new();
        let mut at = last;
        while let Some((before, made)) = reached.get(at).copied().flatten().flatten() {
            let number = before >> self.gates;
            let room = self.rooms.get(number);
            let act = match made {
                LeverMove::Way(way) => {
                    room.and_then(|room| room.ways.get(way)).map(|(way, ..)| Act::Walk(*way))
                }
                LeverMove::Lever(lever) => {
                    room.and_then(|room| room.levers.get(lever)).map(|(place, _)| Act::Do(Deed::Work(*place)))
                }
            };
            trail.extend(act.map(|act| SolutionStep { from: cell(number), act }));
            at = before;
        }
        trail.reverse();
        trail
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::tests::reads_well;
    use crate::puzzle::{ParamValue, PuzzleEntry, draw, proves, search};
    use std::collections::BTreeSet;
    use std::sync::LazyLock;

    static MACHINE: LazyLock<Arc<Machine>> = LazyLock::new(|| Arc::new(Machine::shipped()));

    fn config(values: [u32; 4]) -> PuzzleConfig {
        let names = ["rooms", "gates", "levers", "least_pulls"];
        let set =
            |config: PuzzleConfig, (name, value): (&str, u32)| config.with(name, ParamValue::Number(value));
        names.into_iter().zip(values).fold(PuzzleConfig::of(&**MACHINE), set)
    }

    /// Solutions need the configured number of pulls, and boards are determined by the seed.
    #[test]
    fn e40_h5_h17_thousand_machine_seeds_are_solvable() {
        let forms = [[8, 4, 4, 3], [6, 3, 3, 2], [10, 5, 5, 4], [14, 6, 6, 5]];
        let mut counts = BTreeSet::new();
        for seed in 0..1_000 {
            let form = forms[usize::try_from(seed % 4).unwrap()];
            let entry = PuzzleEntry::new(Arc::clone(&*MACHINE) as Arc<dyn Puzzle>, config(form));
            let drawn = draw(&entry, Seed(seed));
            assert_eq!(drawn.plain, None, "seed {seed}");
            let pulls = pulls(&drawn.solution);
            assert!(pulls >= form[3], "seed {seed}: {pulls} pulls");
            counts.insert(pulls);
            reads_well(&drawn.board);
            if seed % 10 == 0 {
                assert_eq!(draw(&entry, Seed(seed)), drawn);
            }
        }
        assert!(counts.len() > 3, "{counts:?}");
    }

    /// Levers in several rooms move gates of other rooms, and some lever moves more than one.
    #[test]
    fn e40_levers_move_gates_of_other_rooms() {
        for seed in 0..100 {
            let board = MACHINE.generate(Seed(seed), &config([8, 4, 4, 3]));
            let levers =
                board.cells.iter().flat_map(|cell| &cell.mechanisms).filter(|m| !m.does().is_empty());
            let moved: Vec<usize> = levers.map(|lever| lever.does().len()).collect();
            assert_eq!(moved.len(), 4);
            assert!(moved.iter().any(|gates| *gates > 1) && moved.iter().all(|gates| *gates <= 3));
            let rooms =
                board.cells.iter().filter(|cell| cell.mechanisms.iter().any(|m| !m.does().is_empty()));
            assert_eq!(rooms.count(), 4, "each in a room of its own");
        }
    }

    /// The quick solver agrees with the exhaustive search and needs no more pulls.
    #[test]
    fn h6_h17_quick_solver_agrees_with_the_search() {
        for seed in 0..60 {
            let board = build(Seed(seed), &config([6, 3, 3, 1]));
            let (quick, slow) = (fewest_pulls(&board), search(&board, 1, 20_000).solution);
            assert_eq!(quick.is_some(), slow.is_some(), "seed {seed}");
            if let (Some(quick), Some(slow)) = (quick, slow) {
                assert!(proves(&board, 1, &quick), "seed {seed}");
                assert!(pulls(&quick) <= pulls(&slow) && quick.len() >= slow.len(), "seed {seed}");
            }
        }
    }

    /// The finish stays reachable from every reachable state.
    #[test]
    fn finish_stays_reachable_after_any_pull() {
        for seed in 0..40 {
            let board = MACHINE.generate(Seed(seed), &config([8, 4, 4, 3]));
            let mut dice = Seed(seed).rng();
            let mut state = crate::puzzle::start(&board);
            let mut at = board.entrance;
            crate::puzzle::enter(&board, &mut state, at);
            for _ in 0..200 {
                let deeds = crate::puzzle::deeds(&board, &state, at);
                if let Some(deed) = dice.pick(&deeds).filter(|_| dice.clone().percent(50)) {
                    crate::puzzle::act(&board, &mut state, at, deed).unwrap();
                }
                let ways: Vec<_> = board.cell(at).unwrap().exits.keys().copied().collect();
                let way = *dice.pick(&ways).unwrap();
                let beyond = crate::puzzle::passable(&board, &state, at, way);
                if beyond.is_ok_and(|to| board.cell(to).unwrap().kind != CellKind::Finish) {
                    at = crate::puzzle::walk(&board, &mut state, at, way).unwrap().0;
                }
            }
            let mut left = board.clone();
            left.entrance = at;
            for gate in &mut left.gates {
                let Opening::Switches { on, off, .. } = &mut gate.opening else { panic!("a gate of levers") };
                let turned = |switch: &SwitchId| state.switches.has(u32::from(switch.0));
                if on.iter().chain(off.iter()).all(turned) {
                    std::mem::swap(on, off);
                }
            }
            assert!(fewest_pulls(&left).is_some(), "seed {seed}");
        }
    }

    #[test]
    fn h2_impossible_machines_are_refused() {
        assert!(MACHINE.check_config(&config([5, 6, 2, 1])).is_err());
        assert!(MACHINE.check_config(&config([8, 4, 2, 8])).is_err());
        assert!(MACHINE.check_config(&config([8, 4, 4, 3])).is_ok());
        let mut lossy = config([8, 4, 4, 3]);
        lossy.require_choice = true;
        assert!(MACHINE.check_config(&lossy).is_err());
    }
}
