//! Looking closer: every noun of a room's text answers, in the dungeon and in the town; and what a branch remembers of
//! its last rooms.

use crate::explorer::{hero_opens, olad_finds};
use crate::table::{Table, seeded};
use deepwell::base::Direction;
use deepwell::catalog::RoomKind;
use deepwell::dungeon::nouns::words_of;

/// Function words: nobody looks at them.
const STOP: [&str; 75] = [
    "about", "above", "across", "after", "again", "against", "almost", "along", "also", "another", "around",
    "because", "been", "before", "behind", "below", "beside", "between", "beyond", "both", "could", "does",
    "each", "else", "enough", "ever", "every", "from", "have", "here", "into", "just", "like", "might",
    "more", "most", "never", "once", "only", "other", "over", "seem", "seems", "should", "since", "some",
    "such", "than", "that", "their", "them", "then", "there", "these", "they", "this", "those", "though",
    "through", "towards", "under", "until", "very", "were", "what", "when", "where", "which", "while",
    "whose", "with", "within", "without", "would", "your",
];

/// Looks at every word of a room's name and text; the answers.
fn looks_at_everything(table: &mut Table) -> Vec<String> {
    let room = table.room("Olad");
    let mut text = format!("{} {}", room.name, room.description);
    text.extend(room.challenge.hint.iter().map(|hint| format!(" {hint}")));
    let words = words_of(&text).into_iter().filter(|word| word.len() >= 4 && word.is_ascii());
    let words: Vec<String> =
        words.filter(|word| !STOP.contains(&word.as_str()) && Direction::parse(word).is_none()).collect();
    assert!(words.len() >= 5, "{text}");
    let mut answers = Vec::new();
    for word in words {
        let answer = table.types("Olad", &format!("look {word}"));
        let refused = answer.contains("There is no") && answer.contains(" here.");
        assert!(!refused && !answer.trim().is_empty(), "{word}: {answer}\n{text}");
        answers.push(answer);
    }
    answers
}

/// Every word of a dungeon room answers: by the nouns of its theme, or with the sentence in which it stands; the same each
/// time, with an article, by its beginning, and in a landmark too.
#[test]
fn every_noun_of_a_dungeon_room_answers() {
    let mut table = olad_finds("a landmark", |_, room| room.kind == RoomKind::Landmark);
    let answers = looks_at_everything(&mut table);
    assert_eq!(answers, looks_at_everything(&mut table), "the same twice");
    let room = table.room("Olad");
    let (name, description) = (room.name.clone(), room.description.clone());
    let quoted = answers.iter().any(|answer| answer.starts_with("You look closer."));
    assert!(quoted, "{name}: {description}");
    let word = words_of(&description).into_iter().find(|word| word.len() >= 7).expect("a long word");
    let whole = table.types("Olad", &format!("look {word}"));
    for typed in [format!("look at the {word}"), format!("examine {word}"), format!("l {}", &word[..6])] {
        let answer = table.types("Olad", &typed);
        assert!(!answer.contains("There is no"), "{typed}: {answer}");
        assert!(!typed.contains("the ") || answer == whole, "{typed}: {answer}");
    }
    let refusal = table.types("Olad", "look zebra");
    assert!(refusal.contains("There is no \"zebra\" here."), "{refusal}");
}

/// Rooms dug by hand have details for some words; all others answer with their sentence.
#[test]
fn every_noun_of_a_room_in_town_answers() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    looks_at_everything(&mut table);
    table.types("Olad", "down");
    looks_at_everything(&mut table);
}

/// C3: what a branch remembers of its last rooms is stored with it: a restart between any two rooms changes no word.
#[test]
fn a_restart_changes_no_word_of_the_rooms_to_come() {
    let texts = |restarts: bool| {
        let mut table = Table::new(seeded(3));
        table.sit("Olad");
        table.becomes("Olad", 9_999, 999);
        table.types_all("Olad", &["down", "east"]);
        for rooms in 2..=12 {
            if restarts {
                table.restart();
            }
            hero_opens(&mut table, "Olad", rooms);
        }
        let branch = table.branch("Olad").id;
        let world = table.world();
        let mut rooms: Vec<_> = table.rooms_of(branch).into_iter().map(|id| &world.rooms[id]).collect();
        rooms.sort_by_key(|room| room.id);
        rooms
            .into_iter()
            .map(|room| (room.at, room.name.clone(), room.description.clone()))
            .collect::<Vec<_>>()
    };
    let (calm, restarted) = (texts(false), texts(true));
    assert!(calm.len() >= 12, "{calm:?}");
    assert_eq!(calm, restarted);
}
