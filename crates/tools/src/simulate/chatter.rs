//! Lines without a purpose that bots type: queries, chat and malformed input.

use deepwell_core::base::{Dice, Rng};

/// Queries, which change nothing.
pub(super) const QUESTIONS: &[&str] = &[
    "look", "who", "score", "inventory", "exits", "scan", "map", "path start", "hp", "commands", "help",
    "help branches", "consider rat", "examine me", "config", "config brief on", "wait", "look north",
];

/// Returns a chat line on a random channel.
pub(super) fn speech(dice: &mut Rng, people: &[String]) -> String {
    let phrases = ["this way", "my lamp is out", "wait for me", "who took the rope?"];
    let phrase = dice.pick(&phrases).copied().unwrap_or("hm");
    let whom = dice.pick(people).map_or("Baba", String::as_str);
    match dice.up_to(8) {
        6 => format!("ignore {whom}"),
        7 => format!("unignore {whom}"),
        8 => format!("report {whom} {phrase}"),
        0 => format!("say {phrase}"),
        1 => format!("'{phrase}"),
        2 => format!(":mutters \"{phrase}\""),
        3 => format!("tell {whom} {phrase}"),
        4 => format!("reply {phrase}"),
        _ => format!("ooc {phrase}"),
    }
}

/// Returns an unusual line: long, empty, in a foreign script, or an incomplete command.
pub(super) fn nonsense(dice: &mut Rng) -> String {
    match dice.up_to(9) {
        0 => String::new(),
        1 => "x".repeat(dice.up_to(4_000) as usize),
        2 => "say ".to_owned() + &"\u{1F980}e\u{301}".repeat(dice.up_to(600) as usize),
        3 => "nroth".into(),
        4 => "\u{202E}\u{FEFF}\u{0}kill \u{1b}[31mrat".into(),
        5 => "give to to to".into(),
        6 => "get 99999999999999999999.rat".into(),
        7 => "claim sesame".into(),
        8 => "dig Tomb = down, up".into(),
        _ => [
            "'",
            ":",
            "@",
            "<",
            "tell",
            "2.",
            "character",
            "character new x y",
            "config width -1",
            "character play",
        ][dice.up_to(9) as usize]
            .into(),
    }
}
