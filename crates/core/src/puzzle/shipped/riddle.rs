//! The riddle: a stone face bars the way and asks for an answer, which can be found in the rooms around. Each riddle
//! has three clues, each with something to look at and some letters of the answer. The riddles are in
//! `content/puzzles/riddles.toml`.

use crate::base::{Dice, Rng, Seed};
use crate::data::{CatalogError, Position, Reader, definition};
use crate::text::grammar;
use std::sync::Arc;

use crate::puzzle::ground::{RoomTree, TreeBoard};
use crate::puzzle::prose::{Prose, ProseFile};
use crate::puzzle::solver::search::search;
use crate::puzzle::{
    Board, BoardError, Description, Feature, Gate, Goal, Mechanism, Opening, Outcome, Param, Puzzle,
    PuzzleConfig, SettingError, Thing, Verdict, plain_answer,
};

/// Number of clues per riddle.
const CLUES: usize = 3;
/// State limit of the search.
const STATES_MAX: u32 = 200_000;

/// Text decks of the puzzle.
pub(in crate::puzzle) const WORDS: ProseFile = ProseFile {
    path: "puzzles/riddle.toml",
    shipped: include_str!("../../../../../content/puzzles/riddle.toml"),
    decks: &[
        ("ways_in", 2),
        ("halls", 2),
        ("clue_rooms", 1),
        ("others", 2),
        ("ends", 2),
        ("faces", 3),
        ("hands", 1),
    ],
};

/// The puzzle `riddle`.
#[derive(Clone, Debug)]
pub struct Riddle {
    riddles: Vec<RiddleEntry>,
    words: Prose,
}

definition! {
    /// Riddle of the list.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct RiddleEntry {
        /// Position of its answers in the file.
        place: Position => |table| table.place_of("answers"),
        /// Question of the face.
        asks: String = text(),
        /// Answers in the form of [`plain_answer`]; the clues spell the first.
        answers: Vec<String> => |table| {
            table.texts("answers", 1).iter().map(|answer| plain_answer(answer)).collect()
        },
        /// Descriptions of the clues in the rooms around.
        clues: Vec<String> = texts(CLUES),
    }
}

impl Riddle {
    /// Path of the riddle list below `content/`.
    pub const FILE: &'static str = "puzzles/riddles.toml";

    /// Creates the puzzle with the built-in riddles and texts.
    pub fn shipped() -> Self {
        let riddles = riddles(include_str!("../../../../../content/puzzles/riddles.toml"), &mut Vec::new());
        Self { riddles, words: WORDS.shipped() }
    }
}

/// Parses a riddle list; its path is [`Riddle::FILE`].
fn riddles(text: &str, mistakes: &mut Vec<CatalogError>) -> Vec<RiddleEntry> {
    let read = |file: &mut Reader<'_>| file.tables("riddles", asked);
    Reader::whole(Riddle::FILE, text, mistakes, read).unwrap_or_default()
}

fn asked(table: &mut Reader<'_>) -> RiddleEntry {
    let asked = RiddleEntry::read(table);
    let spelt = asked.answers.first().is_some_and(|answer| {
        answer.len() >= CLUES && answer.chars().all(|letter| letter.is_ascii_alphabetic())
    });
    if !asked.answers.is_empty() && !spelt {
        let mistake = "the first of `answers` cannot be spelt by the clues";
        table.note(CatalogError::new(&asked.place, mistake, "one word of at least 3 letters first"));
    }
    asked
}

const PARAMS: &[Param] = &[
    Param::number("faces", 1..=3, 1, "how many faces bar the way, one behind the other"),
    Param::number("tries", 0..=20, 5, "how many wrong answers in all are a loss; 0 for as many as one likes"),
    Param::truth("letters", true, "whether the clues spell the answer besides hinting at it"),
    Param::number("spare_rooms", 0..=4, 1, "how many rooms without a clue lie before each face"),
];

impl Puzzle for Riddle {
    fn description(&self) -> Description<'static> {
        Description {
            name: "riddle",
            about: "Answer the face and pass",
            features: &[Feature::Finish, Feature::Words],
            goals: &[Goal::Solve],
            params: PARAMS,
            ..Description::DEFAULT
        }
    }

    fn with_file(&self, path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Arc<dyn Puzzle>> {
        if path == Self::FILE {
            return Some(Arc::new(Self { riddles: riddles(text, mistakes), ..self.clone() }));
        }
        Some(Arc::new(Self { words: WORDS.find(path, text, mistakes)?, ..self.clone() }))
    }

    fn check_config(&self, config: &PuzzleConfig) -> Result<(), SettingError> {
        let (faces, known) = (config.number("faces") as usize, self.riddles.len());
        if known < faces {
            return Err(SettingError::new(format!(
                "{faces} faces want as many riddles, and there are {known}"
            )));
        }
        if config.require_choice && config.number("tries") == 0 {
            return Err(SettingError::new("`tries` of 0 leaves no way to lose"));
        }
        Ok(())
    }

    fn generate(&self, seed: Seed, config: &PuzzleConfig) -> Board {
        let mut dice = seed.named("riddle").rng();
        let faces = config.number("faces") as usize;
        let mut asked: Vec<&RiddleEntry> = self.riddles.iter().collect();
        dice.shuffle(&mut asked);
        asked.truncate(faces);
        let (tree, plan) = plan_rooms(asked.len(), config.number("spare_rooms") as usize, &mut dice);
        let mut ground = lay_rooms(tree, &plan, &self.words, &mut dice);
        let tries = Some(config.number("tries")).filter(|tries| *tries > 0);
        let mut faces = self.words.deck::<3>("faces", &mut dice);
        for (asked, part) in asked.into_iter().zip(&plan) {
            set_face(&mut ground, part, asked, tries, faces.draw());
            let spelling =
                if config.truth("letters") { spell(asked, &self.words, &mut dice) } else { Vec::new() };
            for (n, (room, clue)) in part.clues.iter().zip(&asked.clues).enumerate() {
                let letters = spelling.get(n).map(String::as_str).unwrap_or_default();
                if let Some(cell) = ground.board.cells.get_mut(*room) {
                    cell.description = format!("{clue}{letters}");
                }
            }
        }
        ground.board
    }

    fn solve(&self, board: &Board, _config: &PuzzleConfig) -> Verdict {
        // Wrong answers can only lose, so the solver need not try them all.
        let mut patient = board.clone();
        let mut losable = false;
        for mechanism in patient.cells.iter_mut().flat_map(|cell| &mut cell.mechanisms) {
            if let Mechanism::Riddle { tries, .. } = mechanism {
                losable |= tries.take().is_some();
            }
        }
        Verdict { losable, ..search(&patient, 1, STATES_MAX) }
    }

    fn check_board(&self, board: &Board, verdict: &Verdict, config: &PuzzleConfig) -> Result<(), BoardError> {
        verdict.check(config)?;
        let (faces, spare) = (config.number("faces") as usize, config.number("spare_rooms") as usize);
        if board.gates.len() < faces || board.cells.len() < 1 + faces * (2 + CLUES + spare) {
            return Err(BoardError::Unsuited("there is not room enough for all clues".into()));
        }
        Ok(())
    }
}

/// Rooms before one face.
#[derive(Clone, Debug)]
struct Approach {
    /// Room of the face.
    hall: usize,
    /// Room behind the face: that of the next face, or the end.
    beyond: usize,
    /// One room for each clue.
    clues: Vec<usize>,
}

/// Generates a hall with surrounding rooms for each face, and one more room at the end.
fn plan_rooms(faces: usize, spare: usize, dice: &mut Rng) -> (RoomTree, Vec<Approach>) {
    let mut tree = RoomTree::grow(1, dice);
    let mut plan = Vec::new();
    let mut first = 0;
    for _ in 0..faces {
        let mut own = vec![first];
        // An enclosed room cannot grow. If all are enclosed, the board is rejected for lack of rooms.
        for _ in 0..20 * (1 + CLUES + spare) {
            if own.len() < 2 + CLUES + spare {
                let host = dice.pick(&own).copied().unwrap_or(first);
                own.extend(tree.attach(host, dice));
            }
        }
        let mut places: Vec<usize> = own.into_iter().filter(|room| *room != first).collect();
        dice.shuffle(&mut places);
        let mut halls = places.clone();
        halls.push(first);
        let found = halls.iter().find_map(|hall| Some((*hall, tree.attach(*hall, dice)?)));
        let Some((hall, beyond)) = found else { continue };
        let clues = places.into_iter().filter(|room| *room != hall).take(CLUES).collect();
        plan.push(Approach { hall, beyond, clues });
        first = beyond;
    }
    (tree, plan)
}

/// Adds the rooms with their texts; clue texts are added later.
fn lay_rooms(tree: RoomTree, plan: &[Approach], prose: &Prose, dice: &mut Rng) -> TreeBoard {
    let (mut ways_in, mut halls) = (prose.deck("ways_in", dice), prose.deck("halls", dice));
    let (mut clues, mut others) = (prose.deck::<1>("clue_rooms", dice), prose.deck("others", dice));
    let mut ends = prose.deck("ends", dice);
    let end = plan.last().map_or(0, |part| part.beyond);
    TreeBoard::new(tree, Goal::Solve, end, |room| match room {
        0 => ways_in.draw(),
        _ if room == end => ends.draw(),
        _ if plan.iter().any(|part| part.hall == room) => halls.draw(),
        _ if plan.iter().any(|part| part.clues.contains(&room)) => [clues.draw()[0], ""],
        _ => others.draw(),
    })
}

/// Places a face in its hall, and a slab that its answer moves.
fn set_face(
    ground: &mut TreeBoard,
    part: &Approach,
    asked: &RiddleEntry,
    tries: Option<u32>,
    [name, seen, message]: [&str; 3],
) {
    let switch = ground.next_switch();
    ground.board.solved.push(switch);
    let gate = Gate {
        name: format!("mouth of the {name}"),
        shut: format!("The mouth of the {name} is shut. It waits for an answer."),
        told: format!("The mouth of the {name} opens, wide enough to walk through."),
        opening: Opening::once(vec![switch]),
    };
    ground.bar(part.beyond, gate);
    let riddle = Mechanism::Riddle {
        thing: Thing::new(name, seen, message),
        asks: asked.asks.clone(),
        answers: asked.answers.clone(),
        tries,
        does: vec![Outcome::On(switch)],
    };
    ground.put(part.hall, riddle);
}

/// Returns the letters of the answer in one sentence per clue, each letter with its position in words.
fn spell(asked: &RiddleEntry, prose: &Prose, dice: &mut Rng) -> Vec<String> {
    let answer = asked.answers.first().map(|answer| answer.to_uppercase()).unwrap_or_default();
    let letters: Vec<String> = answer.chars().map(String::from).collect();
    let mut hands = prose.deck::<1>("hands", dice);
    let mut parts = Vec::new();
    for n in 0..CLUES {
        let (from, to) = (letters.len() * n / CLUES, letters.len() * (n + 1) / CLUES);
        let some = grammar::list(letters.get(from..to).unwrap_or_default());
        let place = match n {
            0 => "begins with",
            1 => "goes on with",
            _ => "ends with",
        };
        let [hand] = hands.draw();
        parts.push(format!(" {} 'It {place} {some}.'", hand.trim()));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::tests::{reads_well, within_gates};
    use crate::puzzle::{Event, ParamValue, PuzzleEntry, act, draw, search_losable, start};
    use std::collections::BTreeSet;
    use std::sync::{Arc, LazyLock};

    static SHIPPED: LazyLock<Riddle> = LazyLock::new(Riddle::shipped);

    fn config(faces: u32, tries: u32) -> PuzzleConfig {
        PuzzleConfig::of(&*SHIPPED)
            .with("faces", ParamValue::Number(faces))
            .with("tries", ParamValue::Number(tries))
    }

    /// Each riddle has several answers and three clues that do not name the answer.
    #[test]
    fn e24_there_are_at_least_24_valid_riddles() {
        let mut mistakes = Vec::new();
        let text = include_str!("../../../../../content/puzzles/riddles.toml");
        let riddles = riddles(text, &mut mistakes);
        assert_eq!(mistakes, []);
        assert!(riddles.len() >= 24, "{}", riddles.len());
        let mut firsts = BTreeSet::new();
        for riddle in &riddles {
            assert!(text.is_ascii() && firsts.insert(riddle.answers[0].clone()), "{}", riddle.answers[0]);
            assert!(riddle.answers.len() >= 3, "{}", riddle.asks);
            assert_eq!(riddle.clues.len(), CLUES, "{}", riddle.asks);
            for clue in riddle.clues.iter().chain([&riddle.asks]) {
                let words: Vec<_> = clue.split(|c: char| !c.is_alphabetic()).collect();
                let named = words.iter().any(|word| word.eq_ignore_ascii_case(&riddle.answers[0]));
                assert!(!named && clue.ends_with(['.', '\'']), "{clue}");
            }
        }
    }

    /// Covers any number of faces; boards are determined by the seed.
    #[test]
    fn e40_h5_h17_thousand_riddle_seeds_are_solvable() {
        let puzzle: Arc<dyn Puzzle> = Arc::new(SHIPPED.clone());
        let mut asked = BTreeSet::new();
        for seed in 0..1_000 {
            let faces = 1 + u32::try_from(seed).unwrap() % 3;
            let entry = PuzzleEntry::new(Arc::clone(&puzzle), config(faces, 5));
            let drawn = draw(&entry, Seed(seed));
            assert_eq!(drawn.plain, None, "seed {seed}");
            assert_eq!(drawn.board.gates.len(), faces as usize);
            // Each face takes a walk to it, an answer and a step through, even for a player who knows the answer.
            assert!(drawn.solution.len() > 3 * faces as usize - 1, "seed {seed}");
            reads_well(&drawn.board);
            asked.extend(drawn.board.cells.iter().flat_map(|cell| &cell.mechanisms).filter_map(
                |m| match m {
                    Mechanism::Riddle { asks, .. } => Some(asks.clone()),
                    _ => None,
                },
            ));
            if seed % 10 == 0 {
                assert_eq!(draw(&entry, Seed(seed)), drawn);
            }
        }
        assert_eq!(asked.len(), SHIPPED.riddles.len(), "every riddle comes");
    }

    /// The rooms before a face contain every letter of the answer.
    #[test]
    fn e40_clues_before_a_face_spell_its_answer() {
        for seed in 0..300 {
            let board = SHIPPED.generate(Seed(seed), &config(1, 5));
            let mut pieces = ["begins with", "goes on with", "ends with"].map(|place| {
                let marked = board.cells.iter().filter_map(|cell| cell.description.split_once(place));
                let (_, rest) = marked.clone().next().expect("a clue");
                assert_eq!(marked.count(), 1);
                rest.replace(" and ", "").replace([',', ' ', '.', '\''], "").to_lowercase()
            });
            let word = std::mem::take(&mut pieces).concat();
            let state = start(&board);
            let hall = board.ids().find(|(_, cell)| !cell.mechanisms.is_empty()).unwrap().0;
            let mut after = state.clone();
            let deed = crate::puzzle::Deed::Answer(word.clone());
            let events = act(&board, &mut after, hall, &deed).unwrap();
            assert!(events.contains(&Event::GoalMet), "seed {seed}: {word}");
            let within = within_gates(&board);
            for (id, cell) in board.ids() {
                let clue = cell.description.contains("'It ");
                assert!(!clue || within.contains(&id), "seed {seed}: a clue lies behind the face");
            }
        }
    }

    /// Wrong answers cause a loss only if the number of tries is limited.
    #[test]
    fn h17_wrong_answers_lose_only_with_limited_tries() {
        let riddle = &*SHIPPED;
        for seed in 0..20 {
            let mut lossy = config(1, 3);
            lossy.require_choice = true;
            let board = riddle.generate(Seed(seed), &lossy);
            assert!(riddle.solve(&board, &lossy).losable);
            assert!(search_losable(&board, 1, STATES_MAX).losable, "the engine agrees");
            let mut safe = config(1, 0);
            let board = riddle.generate(Seed(seed), &safe);
            assert!(!riddle.solve(&board, &safe).losable);
            assert!(!search_losable(&board, 1, STATES_MAX).losable, "the engine agrees");
            safe.require_choice = true;
            assert!(riddle.check_config(&safe).is_err() && riddle.check_config(&lossy).is_ok());
        }
    }

    /// Mistakes have a position; an answer that no clues can spell is one.
    #[test]
    fn riddle_list_mistakes_have_a_position() {
        let mut mistakes = Vec::new();
        let text = "[[riddles]]\nasks = \"A?\"\nanswers = [\"two words\"]\nclues = [\"One.\", \"Two.\", \"Three.\"]\nclue = 1\n";
        riddles(text, &mut mistakes);
        let messages: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(
            messages.iter().any(|message| message.starts_with("puzzles/riddles.toml:3:")),
            "{messages:?}"
        );
        assert!(messages.iter().any(|message| message.contains("did you mean `clues`")), "{messages:?}");
    }
}
