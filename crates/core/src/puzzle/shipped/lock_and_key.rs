//! Lock and key: a locked reward room, with its key in one of the rooms before it. Three kinds of reward room, two kinds
//! of door and four holders of a key can be combined freely. Rooms form a tree, and a key is placed in a room that can
//! be reached before its door is open.

use crate::base::{Dice, Rng, Seed};
use crate::data::CatalogError;
use std::sync::Arc;

use crate::puzzle::ground::{LeverRoom, RoomTree, TreeBoard};
use crate::puzzle::prose::{Deck, Prose, ProseFile};
use crate::puzzle::solver::search::search;
use crate::puzzle::{
    Board, BoardError, Description, Feature, Gate, Goal, KeyId, Mechanism, Opening, Outcome, Param, Puzzle,
    PuzzleConfig, SettingError, Thing, Verb, Verdict,
};

/// Kinds of room behind the last door.
const REWARDS: &[&str] = &["treasury", "armoury", "chapel"];
/// Kinds of door.
const DOORS: &[&str] = &["door", "portcullis"];
/// Kinds of key holder.
const HOLDERS: &[&str] = &["chest", "guard", "hidden", "cage"];

/// State limit of the search; the largest board needs about a tenth of this.
const STATES_MAX: u32 = 60_000;

/// Text decks of the puzzle.
pub(in crate::puzzle) const WORDS: ProseFile = ProseFile {
    path: "puzzles/vault.toml",
    shipped: include_str!("../../../../../content/puzzles/vault.toml"),
    decks: &[
        ("porches", 2),
        ("halls", 2),
        ("cages", 2),
        ("treasuries", 2),
        ("armouries", 2),
        ("chapels", 2),
        ("locks", 2),
        ("winches", 2),
        ("bars", 1),
        ("levers", 2),
        ("chests", 3),
        ("guards", 3),
        ("nooks", 3),
    ],
};

/// The puzzle `vault`.
#[derive(Clone, Debug)]
pub struct LockAndKey {
    words: Prose,
}

impl LockAndKey {
    /// Creates the puzzle with its built-in texts.
    pub fn shipped() -> Self {
        Self { words: WORDS.shipped() }
    }
}

const PARAMS: &[Param] = &[
    Param::number("rooms", 5..=16, 8, "how many rooms there are, without a cage"),
    Param::number("doors", 1..=3, 1, "how many doors there are, each with a key of its own"),
    Param::choice("reward", &["any", "treasury", "armoury", "chapel"], "what the vault is"),
    Param::choice(
        "door",
        &["any", "door", "portcullis"],
        "whether a key turns in a lock or a crank in a winch, which keeps it",
    ),
    Param::choice(
        "holder",
        &["any", "chest", "guard", "hidden", "cage"],
        "what holds the keys; a cage opens by a lever in another room",
    ),
];

impl Puzzle for LockAndKey {
    fn description(&self) -> Description<'static> {
        Description {
            name: "vault",
            about: "Find the key and open the vault",
            features: &[Feature::Finish, Feature::Keys, Feature::Levers, Feature::Guards],
            goals: &[Goal::ReachFinish],
            params: PARAMS,
            ..Description::DEFAULT
        }
    }

    fn with_file(&self, path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Arc<dyn Puzzle>> {
        Some(Arc::new(Self { words: WORDS.find(path, text, mistakes)? }))
    }

    fn check_config(&self, config: &PuzzleConfig) -> Result<(), SettingError> {
        let (rooms, doors) = (config.number("rooms"), config.number("doors"));
        if rooms < 3 + 2 * doors {
            return Err(SettingError::new(format!(
                "{doors} doors want at least {} rooms, not {rooms}",
                3 + 2 * doors
            )));
        }
        Ok(())
    }

    fn generate(&self, seed: Seed, config: &PuzzleConfig) -> Board {
        let mut dice = seed.named("vault").rng();
        let mut tree = RoomTree::grow(config.number("rooms") as usize, &mut dice);
        let reward = dice.pick(&tree.deepest()).copied().unwrap_or_default();
        let doors = place_doors(&tree, reward, config.number("doors") as usize, &mut dice);
        let plan = place_keys(&mut tree, reward, &doors, config, &mut dice);
        let mut ground = lay_rooms(tree, reward, &plan, config, &self.words, &mut dice);
        let mut texts = LockTexts::new(&self.words, &mut dice);
        for locked in plan {
            lock(&mut ground, &locked, &mut texts);
        }
        ground.board
    }

    fn solve(&self, board: &Board, config: &PuzzleConfig) -> Verdict {
        // Additional players would share the same keys.
        let _ = config;
        search(board, 1, STATES_MAX)
    }

    fn check_board(
        &self,
        _board: &Board,
        verdict: &Verdict,
        config: &PuzzleConfig,
    ) -> Result<(), BoardError> {
        verdict.check(config)?;
        let (steps, least) = (verdict.solution.as_ref().map_or(0, Vec::len), steps_least(config));
        if steps < least {
            return Err(BoardError::Unsuited(format!("{steps} steps are too few, {least} are wanted")));
        }
        Ok(())
    }
}

/// Returns the minimum number of steps: for each door walking to the key, taking it, walking to the door, turning the
/// key, and walking in.
fn steps_least(config: &PuzzleConfig) -> usize {
    3 + 3 * config.number("doors") as usize
}

/// Door with its key.
#[derive(Clone, Debug)]
struct LockedDoor {
    /// Room behind the door.
    behind: usize,
    /// Kind of door.
    door: &'static str,
    /// Room of the key, or room next to the cage.
    at: usize,
    /// Key holder.
    holder: &'static str,
    /// Cage of the key.
    cage: Option<LeverRoom>,
}

/// Returns the configured keyword, or a random one.
fn chosen(word: &str, all: &'static [&'static str], dice: &mut Rng) -> &'static str {
    let named = all.iter().find(|one| **one == word);
    named.or_else(|| dice.pick(all)).copied().unwrap_or_default()
}

/// Returns the rooms behind doors: the reward room, and others that are not next to the entrance.
fn place_doors(tree: &RoomTree, reward: usize, count: usize, dice: &mut Rng) -> Vec<usize> {
    let mut others: Vec<usize> =
        (1..tree.len()).filter(|room| *room != reward && tree.depth(*room) > 1).collect();
    dice.shuffle(&mut others);
    others.truncate(count.saturating_sub(1));
    others.push(reward);
    others
}

/// Opens one door after the other, each with a key placed where players can be before it; the reward room comes last.
fn place_keys(
    tree: &mut RoomTree,
    reward: usize,
    doors: &[usize],
    config: &PuzzleConfig,
    dice: &mut Rng,
) -> Vec<LockedDoor> {
    let mut plan: Vec<LockedDoor> = Vec::new();
    let mut shut = doors.to_vec();
    let mut taken = Vec::new();
    let mut fresh: Vec<usize> = Vec::new();
    let grown = tree.len();
    while !shut.is_empty() {
        let within: Vec<usize> =
            (0..grown).filter(|room| !shut.iter().any(|door| tree.is_behind(*room, *door))).collect();
        let ready = |door: &&usize| tree.parent(**door).is_some_and(|(parent, _)| within.contains(&parent));
        let mut next: Vec<usize> = shut.iter().filter(ready).copied().collect();
        if next.len() > 1 {
            next.retain(|door| *door != reward);
        }
        let Some(behind) = dice.pick(&next).copied() else { break };
        // Rooms behind the last door come first, so that one door leads to the next.
        let free = |rooms: &[usize]| -> Vec<usize> {
            rooms.iter().filter(|room| **room != 0 && !taken.contains(*room)).copied().collect()
        };
        let mut places = free(&fresh);
        if places.is_empty() {
            places = free(&within);
        }
        let at = far_from(tree, behind, &places, dice);
        taken.push(at);
        let holder = chosen(config.word("holder"), HOLDERS, dice);
        let levers: Vec<usize> = within.iter().filter(|room| **room != at).copied().collect();
        let cage = match (holder, dice.pick(&levers).copied()) {
            ("cage", Some(lever)) => tree.attach(at, dice).map(|room| LeverRoom { room, lever }),
            _ => None,
        };
        plan.push(LockedDoor { behind, door: chosen(config.word("door"), DOORS, dice), at, holder, cage });
        shut.retain(|door| *door != behind);
        let open = |room: &usize| !shut.iter().any(|door| tree.is_behind(*room, *door));
        fresh = (0..grown).filter(|room| open(room) && !within.contains(room)).collect();
    }
    plan
}

/// Returns a random room from the half farther from a door.
fn far_from(tree: &RoomTree, door: usize, rooms: &[usize], dice: &mut Rng) -> usize {
    let mut rooms = rooms.to_vec();
    rooms.sort_by_key(|room| std::cmp::Reverse(tree.distance(*room, door)));
    rooms.truncate(rooms.len().div_ceil(2));
    dice.pick(&rooms).copied().unwrap_or_default()
}

/// Adds the rooms with their texts.
fn lay_rooms(
    tree: RoomTree,
    reward: usize,
    plan: &[LockedDoor],
    config: &PuzzleConfig,
    prose: &Prose,
    dice: &mut Rng,
) -> TreeBoard {
    let (mut porches, mut halls) = (prose.deck("porches", dice), prose.deck("halls", dice));
    let mut cages = prose.deck("cages", dice);
    let mut rewards = match chosen(config.word("reward"), REWARDS, dice) {
        "treasury" => prose.deck("treasuries", dice),
        "armoury" => prose.deck("armouries", dice),
        _ => prose.deck("chapels", dice),
    };
    let is_cage = |room| plan.iter().any(|locked| locked.cage.is_some_and(|cage| cage.room == room));
    TreeBoard::new(tree, Goal::ReachFinish, reward, |room| match room {
        0 => porches.draw(),
        _ if room == reward => rewards.draw(),
        _ if is_cage(room) => cages.draw(),
        _ => halls.draw(),
    })
}

/// Texts for doors and keys, each used once in a board.
struct LockTexts<'p> {
    locks: Deck<'p, 2>,
    winches: Deck<'p, 2>,
    bars: Deck<'p, 1>,
    levers: Deck<'p, 2>,
    chests: Deck<'p, 3>,
    guards: Deck<'p, 3>,
    nooks: Deck<'p, 3>,
}

impl<'p> LockTexts<'p> {
    fn new(prose: &'p Prose, dice: &mut Rng) -> Self {
        Self {
            locks: prose.deck("locks", dice),
            winches: prose.deck("winches", dice),
            bars: prose.deck("bars", dice),
            levers: prose.deck("levers", dice),
            chests: prose.deck("chests", dice),
            guards: prose.deck("guards", dice),
            nooks: prose.deck("nooks", dice),
        }
    }
}

/// Adds a door and its key to the board.
fn lock(ground: &mut TreeBoard, locked: &LockedDoor, texts: &mut LockTexts<'_>) {
    let turns = locked.door == "door";
    let deck = if turns { &mut texts.locks } else { &mut texts.winches };
    let [key, gate] = deck.draw();
    let id = ground.board.add_key(key);
    let gate = Gate {
        name: gate.to_owned(),
        shut: if turns {
            format!("The {gate} is locked. The plate around its keyhole is stamped: '{key}'.")
        } else {
            format!("The {gate} is down. The winch beside it has no handle; its socket wants a {key}.")
        },
        told: if turns {
            format!("The {key} turns, and the {gate} swings open.")
        } else {
            format!("The {key} catches, the chain runs, and the {gate} goes up. The winch keeps the {key}.")
        },
        opening: Opening::Key { key: id, kept: !turns },
    };
    ground.bar(locked.behind, gate);
    if let Some(cage) = locked.cage {
        close_cage(ground, cage, texts);
    }
    let place = locked.cage.map_or(locked.at, |cage| cage.room);
    ground.put(place, holder(locked.holder, id, key, texts));
}

/// Closes a cage, and places the lever that opens it in another room.
fn close_cage(ground: &mut TreeBoard, cage: LeverRoom, texts: &mut LockTexts<'_>) {
    let switch = ground.next_switch();
    let [bars] = texts.bars.draw();
    let gate = Gate {
        name: bars.to_owned(),
        shut: format!("The {bars} is shut. It has no lock; a chain runs from it into the wall."),
        told: format!("A chain jerks tight, and the {bars} slides aside."),
        opening: Opening::once(vec![switch]),
    };
    ground.bar(cage.room, gate);
    let [name, seen] = texts.levers.draw();
    let message = format!("The {name} comes down hard and stays down.");
    ground.put_lever(cage.lever, Thing::new(name, seen, &message), switch);
}

/// Creates the holder of a key.
fn holder(kind: &str, key: KeyId, name: &str, texts: &mut LockTexts<'_>) -> Mechanism {
    let deck = match kind {
        "guard" => &mut texts.guards,
        "hidden" => &mut texts.nooks,
        _ => &mut texts.chests,
    };
    let [what, seen, message] = deck.draw();
    let thing = Thing::new(what, seen, &message.replace("{key}", name));
    let does = vec![Outcome::Key(key)];
    match kind {
        "guard" => Mechanism::Guard { thing, does },
        "hidden" => Mechanism::Hidden { thing, verb: Verb::Search, does },
        _ => Mechanism::Chest { thing, does },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::tests::reads_well;
    use crate::puzzle::{CellId, CellKind, Lock, ParamValue, PuzzleEntry, draw};
    use std::collections::BTreeSet;
    use std::sync::LazyLock;

    static LOCK_AND_KEY: LazyLock<Arc<LockAndKey>> = LazyLock::new(|| Arc::new(LockAndKey::shipped()));

    fn config(rooms: u32, doors: u32) -> PuzzleConfig {
        PuzzleConfig::of(&**LOCK_AND_KEY)
            .with("rooms", ParamValue::Number(rooms))
            .with("doors", ParamValue::Number(doors))
    }

    fn drawn(seed: u64, config: &PuzzleConfig) -> (Board, usize) {
        let drawn = draw(
            &PuzzleEntry::new(Arc::clone(&*LOCK_AND_KEY) as Arc<dyn Puzzle>, config.clone()),
            Seed(seed),
        );
        assert_eq!(drawn.plain, None, "seed {seed}");
        (drawn.board, drawn.solution.len())
    }

    /// Returns the cells reachable without opening a door of the keys in `without`; other gates count as open.
    fn reach(board: &Board, without: &BTreeSet<KeyId>) -> BTreeSet<CellId> {
        let mut seen = BTreeSet::from([board.entrance]);
        let mut next = vec![board.entrance];
        while let Some(at) = next.pop() {
            for passage in board.cell(at).unwrap().exits.values() {
                let shut = match passage.lock {
                    Lock::Gate(gate) => match board.gate(gate).unwrap().opening {
                        Opening::Key { key, .. } => without.contains(&key),
                        _ => false,
                    },
                    _ => false,
                };
                if !shut && seen.insert(passage.to) {
                    next.push(passage.to);
                }
            }
        }
        seen
    }

    /// Returns the cell of a key.
    fn cell_of(board: &Board, key: KeyId) -> CellId {
        let holds = |m: &Mechanism| m.does().contains(&Outcome::Key(key));
        let mut found = board.ids().filter(|(_, cell)| cell.mechanisms.iter().any(holds)).map(|(id, _)| id);
        let id = found.next().expect("a key lies somewhere");
        assert_eq!(found.next(), None, "a key lies in one place");
        id
    }

    /// Covers all 24 forms.
    #[test]
    fn e40_h5_h17_every_lock_and_key_form_is_generated_and_solvable() {
        let mut forms = BTreeSet::new();
        for &reward in REWARDS {
            for &door in DOORS {
                for &holder in HOLDERS {
                    let word = |word: &str| ParamValue::Word(word.to_owned());
                    let config = config(8, 1)
                        .with("reward", word(reward))
                        .with("door", word(door))
                        .with("holder", word(holder));
                    for seed in 0..20 {
                        let (board, _) = drawn(seed, &config);
                        let finish = board.cells.iter().find(|cell| cell.kind == CellKind::Finish).unwrap();
                        let has = |deck: &str, name: &str| {
                            let cards = LOCK_AND_KEY.words.cards(deck).iter();
                            cards.map(|card| card.split_once(" | ").unwrap().0).any(|own| own == name)
                        };
                        let decks = ["treasuries", "armouries", "chapels"];
                        let kind = decks.iter().position(|deck| has(deck, &finish.name));
                        let kept = board.gates.iter().find_map(|gate| match gate.opening {
                            Opening::Key { kept, .. } => Some(kept),
                            _ => None,
                        });
                        let at = board.cell(cell_of(&board, KeyId(0))).unwrap();
                        let caged = has("cages", &at.name);
                        let held = match at.mechanisms.iter().find(|m| !m.does().is_empty()).unwrap() {
                            Mechanism::Guard { .. } => "guard",
                            Mechanism::Hidden { .. } => "hidden",
                            _ if caged => "cage",
                            _ => "chest",
                        };
                        assert_eq!((kind.map(|n| REWARDS[n]), held), (Some(reward), holder), "seed {seed}");
                        assert_eq!(kept, Some(door == "portcullis"));
                        forms.insert((kind, kept, held));
                    }
                }
            }
        }
        assert_eq!(forms.len(), 24);
    }

    /// Solutions have a minimum length, and boards are determined by the seed.
    #[test]
    fn e40_h17_thousand_lock_and_key_seeds_are_solvable() {
        for seed in 0..1_000 {
            let config =
                config(5 + 2 * (u32::try_from(seed).unwrap() % 3) + 3, 1 + u32::try_from(seed).unwrap() % 3);
            let (board, steps) = drawn(seed, &config);
            assert!(steps >= steps_least(&config), "seed {seed}: {steps}");
            reads_well(&board);
            if seed % 10 == 0 {
                assert_eq!(drawn(seed, &config).0, board);
            }
        }
        assert_ne!(drawn(1, &config(8, 1)).0, drawn(2, &config(8, 1)).0);
    }

    /// A key is never behind its own door, and dependencies of keys and doors have no cycle.
    #[test]
    fn e40_keys_are_reachable_before_their_doors() {
        for seed in 0..1_000 {
            let (board, _) = drawn(seed, &config(10, 3));
            let mut missing: BTreeSet<KeyId> = (0..3).map(KeyId).collect();
            assert_eq!(board.keys.iter().collect::<BTreeSet<_>>().len(), 3, "keys have names of their own");
            for key in missing.clone() {
                assert!(reach(&board, &BTreeSet::from([key])).contains(&cell_of(&board, key)), "seed {seed}");
            }
            while !missing.is_empty() {
                let within = reach(&board, &missing);
                let found = missing.iter().find(|key| within.contains(&cell_of(&board, **key))).copied();
                missing.remove(&found.expect("a key can be reached"));
            }
        }
    }

    #[test]
    fn h2_too_many_doors_are_refused() {
        assert!(LOCK_AND_KEY.check_config(&config(8, 3)).is_err());
        assert!(
            LOCK_AND_KEY.check_config(&config(9, 3)).is_ok()
                && LOCK_AND_KEY.check_config(&config(5, 1)).is_ok()
        );
    }
}
