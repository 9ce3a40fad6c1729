//! `help`: a list that fits on a screen, pages, and the three nearest pages for an unknown topic.

use crate::table::{Table, seeded};
use deepwell::catalog::{Catalog, RoomKind};

/// Rows and columns of a small terminal.
const ROWS: usize = 24;
const COLUMNS: usize = 80;

/// Terms that the game's text uses without explanation, in rooms, exits, fights, prompts, maps and refusals. Terms
/// defined by content are added by the test.
const JARGON: &[&str] = &[
    "account", "affect", "alias", "ambush", "antidote", "arrow", "attack", "bandage", "bank", "bleeding",
    "blocked", "branch", "bug", "builder", "camp", "captive", "carry", "channel", "character", "chest",
    "class", "clear", "client", "climber", "coffer", "coins", "collapse", "colour", "combat", "companion",
    "consider", "copper", "corpse", "cue", "dead end", "death", "depth", "disarm", "down", "dungeon",
    "emote", "exit", "experience", "fight", "flee", "floor", "follow", "food", "gate", "gmcp", "goal",
    "grave", "guest", "guide", "healer", "helpless", "helper", "hint", "hit points", "hoard", "hp", "ignore",
    "item", "key", "landmark", "leader", "level", "lever", "link", "loot", "map", "merchant", "might",
    "money", "monster", "mudlet", "mute", "news", "newbie", "omen", "one-way", "opponent", "page", "party",
    "passage", "password", "path", "phone", "poison", "portal", "portcullis", "potion", "prompt", "purse",
    "puzzle", "quit", "rank", "recall", "reader", "recovery", "replay", "report", "rest", "riddle", "rope",
    "round", "rules", "score", "scan", "screen reader", "settings", "share", "shop", "shrine", "slot",
    "social", "sound", "staff", "stairs", "start", "stone face", "strike", "stunned", "telnet", "theme",
    "tip", "title", "tls", "token", "town", "train", "trap", "trolls", "tutorial", "unexplored", "wait",
    "weapon", "web", "well", "who", "wimpy", "window", "wound",
];

fn told(table: &mut Table, word: &str) -> String {
    table.types("Olad", &format!("help {word}"))
}

/// Returns the number of rows of a text on a terminal of [`COLUMNS`] columns.
fn rows(text: &str) -> usize {
    text.lines().map(|line| line.len().div_ceil(COLUMNS).max(1)).sum()
}

#[test]
fn help_list_fits_on_a_screen_and_help_all_shows_titles() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    let (short, all) = (table.types("Olad", "help"), table.types("Olad", "help all"));
    assert!(rows(&short) < ROWS, "{} rows:\n{short}", rows(&short));
    let words: Vec<&str> = short.split([' ', ',', '\n']).collect();
    for topic in Catalog::builtin().help.topics() {
        assert!(words.contains(&topic.key.as_str()), "{} is in no group", topic.key);
        assert!(all.contains(&format!("\nhelp {}: {}", topic.key, topic.title)), "{all}");
    }
    assert!(short.contains("\nIn the well: branches, ") && all.contains("\nIn the well\nhelp branches: "));
}

#[test]
fn unknown_topic_lists_the_three_nearest_pages() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    for (word, nearest) in [
        ("figthing", "fighting"),
        ("healed", "healer"),
        ("money bags", "money"),
        ("how do i sell things", "shops"),
        ("spels", "magic"),
        ("undo a trap", "traps"),
        ("dwarf race", "classes"),
        ("wisper", "tell"),
        ("minotaur", "creatures"),
        ("leeches", "creatures"),
        ("sword", "gear"),
        ("shields", "gear"),
        ("bread", "potions"),
        ("lamp", "inventory"),
    ] {
        let answer = told(&mut table, word);
        assert!(answer.contains(&format!("There is no help on \"{word}\". Nearest to it:")), "{answer}");
        let lines: Vec<&str> = answer.lines().filter(|line| line.starts_with("help ")).collect();
        assert!((1..=3).contains(&lines.len()), "{answer}");
        assert!(answer.contains(&format!("help {nearest}: ")), "{answer}");
    }
    assert!(told(&mut table, "qwzx").contains("nothing that comes near"));
}

/// Every term used in the game has a help page or a hint.
#[test]
fn every_game_term_has_a_page_or_a_hint() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    let catalog = Catalog::builtin();
    let mut words: Vec<String> = JARGON.iter().map(|word| (*word).to_owned()).collect();
    words.extend(catalog.affects.values().map(|affect| affect.name.clone()));
    words.extend(catalog.themes.keys().chain(catalog.level_types.keys()).map(|key| key.replace('_', " ")));
    words.extend(catalog.abilities.keys().chain(catalog.training.keys()).cloned());
    words.extend(
        RoomKind::ALL.iter().filter_map(|kind| kind.spec().remembered?.rsplit(' ').next()).map(str::to_owned),
    );
    let unknown: Vec<String> =
        words.into_iter().filter(|word| told(&mut table, word).contains("There is no help")).collect();
    assert_eq!(unknown, Vec::<String>::new());
}
