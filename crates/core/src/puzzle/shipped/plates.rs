//! The plates: a slab moves while all plates are down at once, and they are far apart. As many players as there are
//! plates can stand on them. A smaller party fetches weights from a store, opened by a distant lever, and pushes them
//! onto all plates but one. The slab stays open once it has moved.

use crate::base::{Dice, Rng, Seed};
use crate::data::CatalogError;
use crate::text::grammar;
use std::sync::Arc;

use crate::puzzle::ground::{LeverRoom, RoomTree, TreeBoard};
use crate::puzzle::prose::{Prose, ProseFile};
use crate::puzzle::solver::search::search;
use crate::puzzle::{
    Board, BoardError, Description, Feature, Gate, Goal, Mechanism, Opening, Param, Puzzle, PuzzleConfig,
    SettingError, SwitchId, Thing, Verdict,
};

/// State limit of the search; three plates in the largest board need about a third of this.
const STATES_MAX: u32 = 100_000;

/// Text decks of the puzzle.
pub(in crate::puzzle) const WORDS: ProseFile = ProseFile {
    path: "puzzles/plates.toml",
    shipped: include_str!("../../../../../content/puzzles/plates.toml"),
    decks: &[
        ("ways_in", 2),
        ("halls", 2),
        ("ends", 2),
        ("stores", 2),
        ("plates", 3),
        ("slabs", 1),
        ("grates", 1),
        ("weights", 3),
        ("levers", 3),
    ],
};

/// The puzzle `plates`.
#[derive(Clone, Debug)]
pub struct Plates {
    words: Prose,
}

impl Plates {
    /// Creates the puzzle with its built-in texts.
    pub fn shipped() -> Self {
        Self { words: WORDS.shipped() }
    }
}

const PARAMS: &[Param] = &[
    Param::number("rooms", 6..=12, 8, "how many rooms there are, without the store"),
    Param::number("plates", 2..=3, 2, "how many plates there are"),
    Param::number("apart", 2..=6, 3, "how many steps there are at least between two plates"),
    Param::truth("solo", true, "whether there are weights for those who are too few"),
];

impl Puzzle for Plates {
    fn description(&self) -> Description<'static> {
        Description {
            name: "plates",
            about: "Hold all plates down at once",
            features: &[Feature::Finish, Feature::Plates, Feature::Levers],
            goals: &[Goal::ReachFinish],
            params: PARAMS,
            ..Description::DEFAULT
        }
    }

    fn with_file(&self, path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Arc<dyn Puzzle>> {
        Some(Arc::new(Self { words: WORDS.find(path, text, mistakes)? }))
    }

    fn check_config(&self, config: &PuzzleConfig) -> Result<(), SettingError> {
        let (rooms, plates) = (config.number("rooms"), config.number("plates"));
        let (players, apart) = (config.players, config.number("apart"));
        if !config.truth("solo") && players < plates {
            return Err(SettingError::new(format!(
                "{plates} plates without weights want as many players, not {players}"
            )));
        }
        if rooms < 2 + (plates - 1) * apart {
            return Err(SettingError::new(format!(
                "{rooms} rooms have no place for {plates} plates {apart} steps apart"
            )));
        }
        if config.require_choice {
            return Err(SettingError::new("there is no way to lose on plates"));
        }
        Ok(())
    }

    fn generate(&self, seed: Seed, config: &PuzzleConfig) -> Board {
        let mut dice = seed.named("plates").rng();
        let mut tree = RoomTree::grow(config.number("rooms") as usize, &mut dice);
        let end = dice.pick(&tree.deepest()).copied().unwrap_or_default();
        let places = far_apart(&tree, end, config, &mut dice);
        let store = config.truth("solo").then(|| place_store(&mut tree, end, &places, &mut dice)).flatten();
        let mut ground = lay_rooms(tree, end, store, &self.words, &mut dice);
        set_plates(&mut ground, &places, &self.words, &mut dice);
        if let Some(store) = store {
            set_weights(&mut ground, store, places.len() - 1, &self.words, &mut dice);
        }
        ground.board
    }

    fn solve(&self, board: &Board, config: &PuzzleConfig) -> Verdict {
        if config.players < config.number("plates") {
            // A solution for one player also works for more: the others wait at the entrance.
            return search(board, 1, STATES_MAX);
        }
        // A party large enough for the plates does not need the weights.
        let mut bare = board.clone();
        for cell in &mut bare.cells {
            cell.mechanisms.retain(|mechanism| !matches!(mechanism, Mechanism::Weight { .. }));
        }
        search(&bare, config.players, STATES_MAX)
    }

    fn check_board(&self, board: &Board, verdict: &Verdict, config: &PuzzleConfig) -> Result<(), BoardError> {
        verdict.check(config)?;
        let plates = config.number("plates") as usize;
        let set = board.cells.iter().filter(|cell| cell.mechanisms.iter().any(is_plate)).count();
        if set < plates {
            return Err(BoardError::Unsuited("there is no place for all plates".into()));
        }
        let (steps, apart) = (verdict.solution.as_ref().map_or(0, Vec::len), config.number("apart") as usize);
        if steps < plates + apart {
            return Err(BoardError::Unsuited(format!(
                "{steps} steps are too few, {} are wanted",
                plates + apart
            )));
        }
        let alone = config.truth("solo") && config.players as usize >= plates;
        if alone && search(board, 1, STATES_MAX).solution.is_none() {
            return Err(BoardError::Unsuited("it cannot be solved alone".into()));
        }
        Ok(())
    }
}

fn is_plate(mechanism: &Mechanism) -> bool {
    matches!(mechanism, Mechanism::Plate { .. })
}

/// Returns rooms for the plates, as far apart as requested; fewer if there are not enough.
fn far_apart(tree: &RoomTree, end: usize, config: &PuzzleConfig, dice: &mut Rng) -> Vec<usize> {
    let apart = config.number("apart") as usize;
    let mut rooms: Vec<usize> = (1..tree.len()).filter(|room| *room != end).collect();
    let mut best = Vec::new();
    for _ in 0..8 {
        dice.shuffle(&mut rooms);
        let mut chosen: Vec<usize> = Vec::new();
        for room in &rooms {
            if chosen.iter().all(|other| tree.distance(*room, *other) >= apart) {
                chosen.push(*room);
            }
        }
        chosen.truncate(config.number("plates") as usize);
        if chosen.len() > best.len() {
            best = chosen;
        }
    }
    best
}

/// Attaches a store of the weights to a room, with its lever as far away as possible.
fn place_store(tree: &mut RoomTree, end: usize, plates: &[usize], dice: &mut Rng) -> Option<LeverRoom> {
    let mut hosts: Vec<usize> =
        (0..tree.len()).filter(|room| *room != end && !plates.contains(room)).collect();
    dice.shuffle(&mut hosts);
    let (host, room) = hosts.into_iter().find_map(|host| Some((host, tree.attach(host, dice)?)))?;
    let mut levers: Vec<usize> = (0..room).filter(|room| *room != end && *room != host).collect();
    dice.shuffle(&mut levers);
    let lever = levers.into_iter().max_by_key(|lever| tree.distance(*lever, room))?;
    Some(LeverRoom { room, lever })
}

fn lay_rooms(
    tree: RoomTree,
    end: usize,
    store: Option<LeverRoom>,
    prose: &Prose,
    dice: &mut Rng,
) -> TreeBoard {
    let (mut ways_in, mut halls) = (prose.deck("ways_in", dice), prose.deck("halls", dice));
    let (mut ends, mut stores) = (prose.deck("ends", dice), prose.deck("stores", dice));
    TreeBoard::new(tree, Goal::ReachFinish, end, |room| match room {
        0 => ways_in.draw(),
        _ if room == end => ends.draw(),
        _ if store.is_some_and(|store| store.room == room) => stores.draw(),
        _ => halls.draw(),
    })
}

fn set_plates(ground: &mut TreeBoard, places: &[usize], prose: &Prose, dice: &mut Rng) {
    let mut names = prose.deck::<3>("plates", dice);
    let switches: Vec<SwitchId> = (0_u16..).map(SwitchId).take(places.len()).collect();
    for (switch, place) in switches.iter().zip(places) {
        let [name, seen, message] = names.draw();
        let thing = Thing::new(name, seen, message);
        ground.put(*place, Mechanism::Plate { thing, switch: *switch });
    }
    let [slab] = prose.deck::<1>("slabs", dice).draw();
    let count = grammar::spelled(u64::try_from(places.len()).unwrap_or(0));
    let gate = Gate {
        name: slab.to_owned(),
        shut: format!(
            "The {slab} is shut. Cut into it are {count} pairs of feet on {count} plates, all at one time."
        ),
        told: format!("The {slab} sinks into the floor with a boom and stays there."),
        opening: Opening::once(switches),
    };
    ground.bar(ground.end, gate);
}

fn set_weights(ground: &mut TreeBoard, store: LeverRoom, count: usize, prose: &Prose, dice: &mut Rng) {
    let mut weights = prose.deck::<3>("weights", dice);
    for _ in 0..count {
        let [name, seen, message] = weights.draw();
        let thing = Thing::new(name, seen, message);
        ground.put(store.room, Mechanism::Weight { thing });
    }
    // After the switches of the plates.
    let switch = SwitchId(u16::try_from(count + 1).unwrap_or(u16::MAX));
    let [name, seen, message] = prose.deck::<3>("levers", dice).draw();
    ground.put_lever(store.lever, Thing::new(name, seen, message), switch);
    let [bars] = prose.deck::<1>("grates", dice).draw();
    let gate = Gate {
        name: bars.to_owned(),
        shut: format!(
            "The {bars} is down. Something heavy stands behind it, and a chain leads away from it."
        ),
        told: format!("The {bars} jerks up and catches."),
        opening: Opening::once(vec![switch]),
    };
    ground.bar(store.room, gate);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::tests::reads_well;
    use crate::puzzle::{Act, Deed, DrawnPuzzle, ParamValue, PuzzleEntry, draw, proves};
    use std::sync::LazyLock;

    static PLATES: LazyLock<Arc<Plates>> = LazyLock::new(|| Arc::new(Plates::shipped()));

    fn config(players: u32, plates: u32, solo: bool) -> PuzzleConfig {
        let mut config = PuzzleConfig::of(&**PLATES)
            .with("plates", ParamValue::Number(plates))
            .with("rooms", ParamValue::Number(4 + 3 * plates))
            .with("solo", ParamValue::Truth(solo));
        config.players = players;
        config
    }

    fn drawn(seed: u64, config: PuzzleConfig) -> DrawnPuzzle {
        let drawn = draw(&PuzzleEntry::new(Arc::clone(&*PLATES) as Arc<dyn Puzzle>, config), Seed(seed));
        assert_eq!(drawn.plain, None, "seed {seed}");
        drawn
    }

    fn pushes(drawn: &DrawnPuzzle) -> usize {
        let pushes = drawn.solution.iter().filter(|step| matches!(step.act, Act::Do(Deed::Push { .. })));
        pushes.count()
    }

    /// One player needs more steps than two; boards are determined by the seed.
    #[test]
    fn e40_h5_h17_thousand_plates_seeds_are_solvable_by_one_or_two() {
        for seed in 0..1_000 {
            let (one, two) = (drawn(seed, config(1, 2, true)), &**PLATES);
            let pair = two.solve(&one.board, &config(2, 2, true)).solution.expect("two players do it");
            assert!(proves(&one.board, 2, &pair), "seed {seed}");
            assert!(pushes(&one) > 0, "seed {seed}: nobody is in two places at once");
            assert!(one.solution.len() > pair.len() && pair.len() > 3, "seed {seed}: {}", pair.len());
            reads_well(&one.board);
            if seed % 10 == 0 {
                assert_eq!(drawn(seed, config(1, 2, true)), one);
            }
        }
    }

    #[test]
    fn e40_without_weights_plates_need_as_many_players() {
        assert!(PLATES.check_config(&config(1, 2, false)).is_err());
        for seed in 0..200 {
            let pair = drawn(seed, config(2, 2, false));
            assert_eq!(pushes(&pair), 0);
            assert!(search(&pair.board, 1, STATES_MAX).solution.is_none(), "seed {seed}");
        }
    }

    /// Three plates can be held by three players, or by one with two weights.
    #[test]
    fn e40_three_plates_need_three_players_or_two_weights() {
        for seed in 0..20 {
            let alone = drawn(seed, config(1, 3, true));
            assert!(pushes(&alone) > 1, "seed {seed}");
            let three =
                PLATES.solve(&alone.board, &config(3, 3, true)).solution.expect("three players do it");
            assert!(proves(&alone.board, 3, &three), "seed {seed}");
        }
    }

    /// Distances that do not fit are refused.
    #[test]
    fn e40_h2_plates_are_far_apart_or_refused() {
        let far = config(1, 2, true).with("apart", ParamValue::Number(6));
        for seed in 0..50 {
            let drawn = drawn(seed, far.clone());
            let cells: Vec<_> =
                drawn.board.cells.iter().filter(|c| c.mechanisms.iter().any(is_plate)).collect();
            let apart = cells[0].at.x.abs_diff(cells[1].at.x) + cells[0].at.y.abs_diff(cells[1].at.y);
            assert!(cells.len() == 2 && apart > 0, "seed {seed}");
            assert!(drawn.solution.len() >= 8, "seed {seed}");
        }
        assert!(PLATES.check_config(&far.with("rooms", ParamValue::Number(6))).is_err());
    }
}
