//! `look` at details: every noun of a room text has a description, in dungeon and town; and the text history that a
//! branch stores.

use crate::arena::{arena, changes, enemy};
use crate::explorer::{hero_opens, olad_finds};
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::Direction;
use deepwell::catalog::RoomKind;
use deepwell::dungeon::nouns::words_of;
use std::collections::BTreeSet;

/// Function words, which are not looked at.
const STOP: [&str; 75] = [
    "about", "above", "across", "after", "again", "against", "almost", "along", "also", "another", "around",
    "because", "been", "before", "behind", "below", "beside", "between", "beyond", "both", "could", "does",
    "each", "else", "enough", "ever", "every", "from", "have", "here", "into", "just", "like", "might",
    "more", "most", "never", "once", "only", "other", "over", "seem", "seems", "should", "since", "some",
    "such", "than", "that", "their", "them", "then", "there", "these", "they", "this", "those", "though",
    "through", "towards", "under", "until", "very", "were", "what", "when", "where", "which", "while",
    "whose", "with", "within", "without", "would", "your",
];

/// Looks at every word of a room's name and text; returns the answers.
fn look_at_every_word(table: &mut Table) -> Vec<String> {
    let room = table.room("Olad");
    let mut text = format!("{} {}", room.sheet.name, room.sheet.description);
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

/// Every word answers with a noun text of the theme or with its sentence. Answers are stable, and accept an article or
/// a prefix; landmarks work too.
#[test]
fn dungeon_room_nouns_can_be_looked_at() {
    let mut table = olad_finds("a landmark", |_, room| room.sheet.kind == RoomKind::Landmark);
    let answers = look_at_every_word(&mut table);
    assert_eq!(answers, look_at_every_word(&mut table), "the same twice");
    let room = table.room("Olad");
    let (name, description) = (room.sheet.name.clone(), room.sheet.description.clone());
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

/// Hand-built rooms have details for some words; other words answer with their sentence.
#[test]
fn town_room_nouns_can_be_looked_at() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    look_at_every_word(&mut table);
    table.types("Olad", "down");
    look_at_every_word(&mut table);
}

/// The text history of a branch is stored: restarts between rooms change no text.
#[test]
fn c3_restarts_change_no_text_of_later_rooms() {
    let texts = |restarts: bool| {
        let mut table = Table::new(seeded(3));
        table.sit("Olad");
        table.becomes("Olad", 9_999, 999);
        table.types_all("Olad", &["down", "north"]);
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
            .map(|room| (room.at, room.sheet.name.clone(), room.sheet.description.clone()))
            .collect::<Vec<_>>()
    };
    let (calm, restarted) = (texts(false), texts(true));
    assert!(calm.len() >= 12, "{calm:?}");
    assert_eq!(calm, restarted);
}

/// Concrete nouns of game texts; each can be looked at where a text mentions it.
const CONCRETE: &[&str] = &[
    "antlers", "apple", "apron", "arm", "arms", "ash", "axe", "back", "bag", "barrel", "basket", "beak",
    "beam", "beard", "bed", "belly", "bell", "belt", "bench", "board", "bone", "bones", "book", "boots",
    "bottle", "bottles", "bowl", "box", "brick", "broom", "bucket", "button", "buttons", "candle", "cap",
    "card", "carpet", "chain", "chair", "chalk", "cheese", "claw", "claws", "cloak", "clock", "cloth",
    "coal", "coat", "coin", "coins", "collar", "cork", "counter", "crate", "curtain", "daisy", "desk", "dog",
    "door", "dust", "ear", "ears", "eye", "eyes", "face", "feather", "feet", "fingers", "fire", "fish",
    "floor", "foot", "fur", "glass", "glove", "gloves", "hair", "ham", "hammer", "hand", "hands", "harness",
    "hat", "head", "helmet", "hemp", "hide", "hook", "hooks", "horn", "horns", "jaw", "jaws", "key", "keys",
    "knife", "ladder", "ladles", "lamp", "lantern", "leather", "leg", "legs", "letter", "lid", "lips",
    "lock", "mane", "mask", "mirror", "mouth", "mud", "nail", "nails", "neck", "needle", "nose", "oven",
    "page", "paper", "paw", "paws", "peg", "pillar", "pin", "pipe", "plate", "pocket", "post", "posts",
    "pump", "rake", "ribbon", "ring", "roof", "rope", "rungs", "sack", "sand", "scales", "shell", "shelf",
    "shirt", "shoes", "shoulders", "sign", "skin", "skull", "sledge", "sleeves", "smoke", "snout", "soot",
    "spoon", "stairs", "star", "stone", "stones", "straps", "straw", "string", "sword", "table", "tail",
    "teeth", "thread", "throat", "thumb", "tongue", "tooth", "trousers", "vault", "wall", "wax", "web",
    "wheel", "whiskers", "wig", "window", "wine", "wing", "wings", "wood",
];

/// Looks at every concrete noun of a text; returns those without an answer.
fn unseen(table: &mut Table, text: &str) -> Vec<String> {
    let words: BTreeSet<String> = words_of(text).into_iter().collect();
    let meant = words.iter().filter(|word| CONCRETE.contains(&word.as_str()));
    let look = |word: &&String| table.types("Olad", &format!("look {word}")).contains("There is no");
    meant.filter(look).map(|word| format!("{word}: {text}")).collect()
}

/// Nouns in a creature's description can be looked at while the creature is present.
#[test]
fn creature_description_nouns_can_be_looked_at() {
    let mut table = arena();
    let guard = enemy(&table);
    let mut missing = Vec::new();
    for creature in CATALOG.creatures.values().step_by(8) {
        changes(&mut table, guard, |body| {
            (body.prototype, body.name) = (Some(creature.key.clone()), creature.name.clone());
            body.description.clone_from(&creature.description);
        });
        missing.extend(unseen(&mut table, &creature.description));
    }
    assert_eq!(missing, Vec::<String>::new());
}

/// The room with the riddle, and the nouns of the riddle itself.
#[test]
fn riddle_nouns_can_be_looked_at() {
    let mut table = olad_finds("a riddle", |_, room| room.sheet.kind == RoomKind::Riddle && room.clear);
    look_at_every_word(&mut table);
}

/// In town every word of every text answers, and so do the nouns of those answers.
#[test]
fn town_nouns_and_nouns_of_details_can_be_looked_at() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    let mut missing = Vec::new();
    for steps in ["look", "north", "west", "east", "south", "east", "south", "north", "west", "west", "south"]
    {
        table.types("Olad", steps);
        let room = table.room("Olad").clone();
        missing.extend(unseen(&mut table, &room.sheet.description));
        for detail in room.sheet.details.values() {
            missing.extend(unseen(&mut table, detail));
        }
    }
    assert_eq!(table.room("Olad").sheet.name, "Counting House");
    assert_eq!(missing, Vec::<String>::new());
}

/// In the cellars and the sunken house the nouns in noun texts can be looked at as well.
#[test]
fn cellar_and_house_nouns_can_be_looked_at_recursively() {
    for way in ["south", "west"] {
        let mut table = Table::new(seeded(3));
        table.sit("Olad");
        table.becomes("Olad", 9_999, 999);
        table.types_all("Olad", &["down", way]);
        let (mut missing, mut own) = (Vec::new(), 0);
        for rooms in 2..=8 {
            hero_opens(&mut table, "Olad", rooms);
            for seen in look_at_every_word(&mut table) {
                let quoted =
                    seen.starts_with("You look closer.") || seen.starts_with("You give it a longer look.");
                own += u32::from(!quoted);
                missing.extend(unseen(&mut table, &seen));
            }
        }
        assert_eq!(missing, Vec::<String>::new());
        assert!(own >= 20, "{way}: {own}");
    }
}
