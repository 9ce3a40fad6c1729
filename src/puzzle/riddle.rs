//! The riddle: a face bars the way and wants an answer. Whoever does not know it finds it in the rooms around: each riddle has
//! three clues, a thing to look at and a few letters of the answer. The riddles are in `content/puzzles/riddles.toml`.

use crate::base::{Dice, Rng, Seed};
use crate::data::{CatalogError, Reader};

use super::ground::{Deck, Tree};
use super::search::{Until, search};
use super::{
    CellId, CellKind, Config, Feature, Gate, Goal, Layout, LayoutError, Lock, Mechanism, Opening, Outcome,
    Param, ParamKind, Puzzle, SettingError, SwitchId, Thing, Verdict, plain_answer,
};

/// Clues of each riddle.
const CLUES: usize = 3;
/// States that the search may look at.
const STATES_MAX: u32 = 200_000;

/// Faces that ask.
#[derive(Clone, Debug)]
pub struct Riddle {
    riddles: Vec<Asked>,
}

/// A riddle of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    asks: String,
    /// As [`plain_answer`] makes them; the clues spell the first.
    answers: Vec<String>,
    clues: Vec<String>,
}

impl Riddle {
    /// Where the list is, below `content/`.
    pub const FILE: &'static str = "puzzles/riddles.toml";

    /// The puzzle with the riddles that come with the program.
    pub fn shipped() -> Self {
        Self::read(include_str!("../../content/puzzles/riddles.toml"), &mut Vec::new())
    }

    /// The puzzle with the riddles of a text, which is at [`Self::FILE`].
    pub fn read(text: &str, mistakes: &mut Vec<CatalogError>) -> Self {
        let Some(mut reader) = Reader::parse(Self::FILE, text, mistakes) else {
            return Self { riddles: Vec::new() };
        };
        let riddles = reader.tables("riddles", |table| {
            let place = table.place_of("answers");
            let asked = Asked {
                asks: table.text("asks"),
                answers: table.texts("answers", 1).iter().map(|answer| plain_answer(answer)).collect(),
                clues: table.texts("clues", CLUES),
            };
            let spelt = asked.answers.first().is_some_and(|answer| {
                answer.len() >= CLUES && answer.chars().all(|letter| letter.is_ascii_alphabetic())
            });
            if !asked.answers.is_empty() && !spelt {
                let wrong = "the first of `answers` cannot be spelt by the clues";
                table.note(CatalogError::new(&place, wrong, "one word of at least 3 letters first"));
            }
            asked
        });
        reader.finish();
        Self { riddles }
    }
}

impl Puzzle for Riddle {
    fn name(&self) -> &'static str {
        "riddle"
    }

    fn about(&self) -> &'static str {
        "Answer the face and pass"
    }

    fn features(&self) -> &'static [Feature] {
        &[Feature::Finish, Feature::Words]
    }

    fn goals(&self) -> &'static [Goal] {
        &[Goal::Solve]
    }

    fn params(&self) -> &'static [Param] {
        &[
            Param {
                name: "faces",
                kind: ParamKind::Number { least: 1, most: 3, default: 1 },
                about: "how many faces bar the way, one behind the other",
            },
            Param {
                name: "tries",
                kind: ParamKind::Number { least: 0, most: 20, default: 5 },
                about: "how many wrong answers in all are a loss; 0 for as many as one likes",
            },
            Param {
                name: "letters",
                kind: ParamKind::Truth { default: true },
                about: "whether the clues spell the answer besides hinting at it",
            },
            Param {
                name: "spare_rooms",
                kind: ParamKind::Number { least: 0, most: 4, default: 1 },
                about: "how many rooms without a clue lie before each face",
            },
        ]
    }

    fn accepts(&self, config: &Config) -> Result<(), SettingError> {
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

    fn generate(&self, seed: Seed, config: &Config) -> Layout {
        let mut dice = seed.named("riddle").rng();
        let faces = config.number("faces") as usize;
        let mut asked: Vec<&Asked> = self.riddles.iter().collect();
        dice.shuffle(&mut asked);
        asked.truncate(faces);
        let (tree, plan) = ground(asked.len(), config.number("spare_rooms") as usize, &mut dice);
        let mut layout = rooms(&tree, &plan, &mut dice);
        let tries = Some(config.number("tries")).filter(|tries| *tries > 0);
        let mut faces = Deck::<3>::of(FACES, &mut dice);
        for (asked, part) in asked.into_iter().zip(&plan) {
            bar(&mut layout, &tree, part, (asked, tries), faces.draw());
            let spelling = if config.truth("letters") { spell(asked, &mut dice) } else { Vec::new() };
            for (n, (room, clue)) in part.clues.iter().zip(&asked.clues).enumerate() {
                let letters = spelling.get(n).map(String::as_str).unwrap_or_default();
                if let Some(cell) = layout.cells.get_mut(*room) {
                    cell.description = format!("{clue}{letters}");
                }
            }
        }
        layout
    }

    fn solve(&self, layout: &Layout, _config: &Config) -> Verdict {
        // Wrong answers lead to nothing but a loss, so that there is no need to try them all.
        let mut patient = layout.clone();
        let mut losable = false;
        for mechanism in patient.cells.iter_mut().flat_map(|cell| &mut cell.mechanisms) {
            if let Mechanism::Riddle { tries, .. } = mechanism {
                losable |= tries.take().is_some();
            }
        }
        Verdict { losable, ..search(&patient, 1, STATES_MAX, Until::Solved) }
    }

    fn suits(&self, layout: &Layout, verdict: &Verdict, config: &Config) -> Result<(), LayoutError> {
        verdict.fits(config)?;
        let (faces, spare) = (config.number("faces") as usize, config.number("spare_rooms") as usize);
        if layout.gates.len() < faces || layout.cells.len() < 1 + faces * (2 + CLUES + spare) {
            return Err(LayoutError::Unsuited("there is not room enough for all clues".into()));
        }
        Ok(())
    }
}

/// The rooms before one face.
#[derive(Clone, Debug)]
struct Part {
    /// Where the face is.
    hall: usize,
    /// What it bars: the hall of the next face, or the end.
    beyond: usize,
    /// One room for each clue.
    clues: Vec<usize>,
}

/// For each face a hall with rooms around it, and one more room at the end.
fn ground(faces: usize, spare: usize, dice: &mut Rng) -> (Tree, Vec<Part>) {
    let mut tree = Tree::grow(1, dice);
    let mut plan = Vec::new();
    let mut first = 0;
    for _ in 0..faces {
        let mut own = vec![first];
        // A room that is walled in grows nothing. If all of them are, the layout is refused for want of rooms.
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
        plan.push(Part { hall, beyond, clues });
        first = beyond;
    }
    (tree, plan)
}

/// The rooms with their words; those with clues get theirs later.
fn rooms(tree: &Tree, plan: &[Part], dice: &mut Rng) -> Layout {
    let mut layout = Layout { goal: Goal::Solve, players: 1, ..Layout::default() };
    let (mut ways_in, mut halls) = (Deck::of(WAYS_IN, dice), Deck::of(HALLS, dice));
    let (mut clues, mut others) = (Deck::<1>::of(CLUE_ROOMS, dice), Deck::of(OTHERS, dice));
    let mut ends = Deck::of(ENDS, dice);
    let end = plan.last().map(|part| part.beyond);
    tree.lay(&mut layout, |room| match room {
        0 => (CellKind::Entrance, ways_in.draw()),
        _ if Some(room) == end => (CellKind::Finish, ends.draw()),
        _ if plan.iter().any(|part| part.hall == room) => (CellKind::Chamber, halls.draw()),
        _ if plan.iter().any(|part| part.clues.contains(&room)) => (CellKind::Chamber, [clues.draw()[0], ""]),
        _ => (CellKind::Chamber, others.draw()),
    });
    if let Some(cell) = end.and_then(|room| layout.cells.get_mut(room)) {
        cell.mechanisms.push(Mechanism::Finish);
    }
    layout
}

/// Sets a face in its hall, and a slab that its answer moves.
fn bar(
    layout: &mut Layout,
    tree: &Tree,
    part: &Part,
    (asked, tries): (&Asked, Option<u32>),
    face: [&str; 3],
) {
    let [name, seen, told] = face;
    let switch = SwitchId(u16::try_from(layout.gates.len()).unwrap_or(u16::MAX));
    layout.solved.push(switch);
    let gate = layout.add_gate(Gate {
        name: format!("mouth of the {name}"),
        shut: format!("The mouth of the {name} is shut. It waits for an answer."),
        told: format!("The mouth of the {name} opens, wide enough to walk through."),
        opening: Opening::Switches { on: vec![switch], off: Vec::new(), stays: true },
    });
    tree.bar(layout, part.beyond, Lock::Gate(gate));
    let thing = Thing { name: name.to_owned(), seen: seen.to_owned(), told: told.to_owned() };
    let riddle = Mechanism::Riddle {
        thing,
        asks: asked.asks.clone(),
        answers: asked.answers.clone(),
        tries,
        does: vec![Outcome::On(switch)],
    };
    let id = CellId(u16::try_from(part.hall).unwrap_or(u16::MAX));
    if let Some(cell) = layout.cells.get_mut(usize::from(id.0)) {
        cell.mechanisms.push(riddle);
    }
}

/// The letters of the answer, in as many sentences as there are clues, each with the marks in words that say where they
/// belong.
fn spell(asked: &Asked, dice: &mut Rng) -> Vec<String> {
    let answer = asked.answers.first().map(|answer| answer.to_uppercase()).unwrap_or_default();
    let letters: Vec<String> = answer.chars().map(String::from).collect();
    let mut hands = Deck::<1>::of(HANDS, dice);
    let mut parts = Vec::new();
    for n in 0..CLUES {
        let (from, to) = (letters.len() * n / CLUES, letters.len() * (n + 1) / CLUES);
        let some = join(letters.get(from..to).unwrap_or_default());
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

/// "A, B and C"
fn join(letters: &[String]) -> String {
    match letters {
        [] => "nothing".into(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

const WAYS_IN: &str = "
A worn threshold | Feet have hollowed the threshold here. Along the wall runs a line of writing: 'Look first, then speak.'
The waiting room | Stools stand along the walls, and into the arm of each one somebody has cut how many days it took.
A painted mouth | The way in leads through a mouth painted around the opening, red lips and square teeth.
The asking place | A strip of blue tiles leads inward, and on every tile is the same word: 'Why?'
";

const HALLS: &str = "
The hall of the face | The hall is round and bare, and every sound in it goes once around the wall before it stops.
Before the face | Candle ends cover the floor here. Many have sat and thought, and some have scratched their guesses into the stone.
The speaking wall | Two benches face the far wall, as in a school. The front one is empty, and the other has been gnawed.
The listening hall | The floor is covered with sand, raked into rings that all have their middle at the far wall.
";

const CLUE_ROOMS: &str = "
A side room
A store room
A quiet corner
A closet
A small chamber
A crooked room
A workroom
A nook
A back room
A bay in the wall
";

const OTHERS: &str = "
A bare passage | Nothing is here but a passage and the marks of those who felt their way along it.
A place to pace | A groove runs round and round in the floor, as deep as a hand. Somebody did a lot of thinking here.
A wall of guesses | A hundred words are scratched into the wall here, and every one of them has been crossed out.
A cold corner | Water has frozen here on its way down the wall and made a beard of it.
A resting place | A blanket, a jug and a heap of cherry stones: somebody has been stuck here for a while.
A sloping room | The floor slopes so much that the dust lies all on one side.
A ring of chairs | Nine chairs stand in a ring. On one of them sits a doll with a paper crown.
A dead lamp | A lamp hangs here from a chain as long as the room is high, and it has never had oil in it.
";

const ENDS: &str = "
Behind the face | From behind, the face is only a shell of plaster and wire, and a chair stands where its speaker must have sat.
The prize of the asker | A narrow room with a shelf. On the wall behind it hangs a list of answers, and the last one is yours.
The throat | Ribbed walls lead a few steps down into a room like a stomach, warm and red and dry.
";

/// Faces, what one sees of them, and what they say to the right answer.
const FACES: &str = "
stone face | A stone face fills the far wall, as tall as three people, and its eyes follow you. | The stone face looks at you for a long moment and says: 'That is it.'
bronze head | A bronze head hangs from the roof by a chain and turns until it looks at you. | The bronze head rings like a bell and says: 'You have looked well.'
wooden mask | A wooden mask covers the far wall. It has three mouths, and only the middle one moves. | The wooden mask laughs with all three mouths and says: 'Yes, yes and yes.'
clay giant | The head of a clay giant sticks out of the floor up to its chin. | The clay giant sighs so that dust flies up, and says: 'At last. Go on.'
sleeping face | A sleeping face is carved into the far wall. It speaks without opening its eyes. | The sleeping face opens its eyes for the first time and says: 'You may pass.'
";

/// Who left the letters, before the letters.
const HANDS: &str = "
Beneath it somebody has scratched:
On the wall beside it stands, in chalk:
A scrap of paper is pinned up here, and it says:
Somebody has burnt words into a board beside it:
Written in the dust with a finger is:
A voice in the wall whispers when you come near:
";

#[cfg(test)]
mod tests {
    use super::super::ground::{reads_well, within_gates};
    use super::super::{Entry, Event, Value, act, draw, start};
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::{Arc, LazyLock};

    static SHIPPED: LazyLock<Riddle> = LazyLock::new(Riddle::shipped);

    fn config(faces: u32, tries: u32) -> Config {
        Config::of(&*SHIPPED).with("faces", Value::Number(faces)).with("tries", Value::Number(tries))
    }

    /// E24: there are at least 24 riddles, each with several answers and three clues that do not name the answer.
    #[test]
    fn there_are_riddles_enough() {
        let mut mistakes = Vec::new();
        let text = include_str!("../../content/puzzles/riddles.toml");
        let riddles = Riddle::read(text, &mut mistakes).riddles;
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

    /// E40, H5, H17: a thousand seeds are solvable and the same again, with any number of faces.
    #[test]
    fn a_thousand_seeds_are_solvable() {
        let puzzle: Arc<dyn Puzzle> = Arc::new(SHIPPED.clone());
        let mut asked = BTreeSet::new();
        for seed in 0..1_000 {
            let faces = 1 + u32::try_from(seed).unwrap() % 3;
            let entry = Entry::new(Arc::clone(&puzzle), config(faces, 5));
            let drawn = draw(&entry, Seed(seed));
            assert_eq!(drawn.plain, None, "seed {seed}");
            assert_eq!(drawn.layout.gates.len(), faces as usize);
            // To each face, the answer, and through it, even for those who know the answer.
            assert!(drawn.solution.len() > 3 * faces as usize - 1, "seed {seed}");
            reads_well(&drawn.layout);
            asked.extend(drawn.layout.cells.iter().flat_map(|cell| &cell.mechanisms).filter_map(
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

    /// E40: whoever reads the rooms before a face has every letter of the answer, without passing the face.
    #[test]
    fn the_clues_before_a_face_spell_its_answer() {
        for seed in 0..300 {
            let layout = SHIPPED.generate(Seed(seed), &config(1, 5));
            let mut pieces = ["begins with", "goes on with", "ends with"].map(|place| {
                let marked = layout.cells.iter().filter_map(|cell| cell.description.split_once(place));
                let (_, rest) = marked.clone().next().expect("a clue");
                assert_eq!(marked.count(), 1);
                rest.replace(" and ", "").replace([',', ' ', '.', '\''], "").to_lowercase()
            });
            let word = std::mem::take(&mut pieces).concat();
            let state = start(&layout);
            let hall = layout.ids().find(|(_, cell)| !cell.mechanisms.is_empty()).unwrap().0;
            let mut after = state.clone();
            let deed = super::super::Deed::Answer(word.clone());
            let events = act(&layout, &mut after, hall, &deed).unwrap();
            assert!(events.contains(&Event::GoalMet), "seed {seed}: {word}");
            let within = within_gates(&layout);
            for (id, cell) in layout.ids() {
                let clue = cell.description.contains("'It ");
                assert!(!clue || within.contains(&id), "seed {seed}: a clue lies behind the face");
            }
        }
    }

    /// H17: with a number of tries one can lose, and without one cannot.
    #[test]
    fn wrong_answers_lose_only_where_they_count() {
        let riddle = &*SHIPPED;
        for seed in 0..20 {
            let mut lossy = config(1, 3);
            lossy.require_choice = true;
            let layout = riddle.generate(Seed(seed), &lossy);
            assert!(riddle.solve(&layout, &lossy).losable);
            assert!(search(&layout, 1, STATES_MAX, Until::Losable).losable, "the engine agrees");
            let mut safe = config(1, 0);
            let layout = riddle.generate(Seed(seed), &safe);
            assert!(!riddle.solve(&layout, &safe).losable);
            assert!(!search(&layout, 1, STATES_MAX, Until::Losable).losable, "the engine agrees");
            safe.require_choice = true;
            assert!(riddle.accepts(&safe).is_err() && riddle.accepts(&lossy).is_ok());
        }
    }

    /// A mistake in the list is told with its place, and an answer that no clues can spell is one.
    #[test]
    fn mistakes_in_the_list_have_a_place() {
        let mut mistakes = Vec::new();
        let text = "[[riddles]]\nasks = \"A?\"\nanswers = [\"two words\"]\nclues = [\"One.\", \"Two.\", \"Three.\"]\nclue = 1\n";
        Riddle::read(text, &mut mistakes);
        let told: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told.iter().any(|told| told.starts_with("puzzles/riddles.toml:3:")), "{told:?}");
        assert!(told.iter().any(|told| told.contains("did you mean `clues`")), "{told:?}");
    }
}
