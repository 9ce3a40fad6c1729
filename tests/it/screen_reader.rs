//! Output in screen-reader mode has no visual-only content, for any command. A command that `listeners` never types, or
//! that is only ever refused, fails the test.

use crate::arena::{arena, changes, enemy};
use crate::listeners::{ToldMessage, run_all_scripts};
use crate::style_words;
use crate::table::{Table, seeded};
use deepwell::base::Span;
use deepwell::game::{Class, command};
use deepwell::text::{Markup, plain};
use deepwell::world::Role;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

/// Maximum number of words per sentence.
const SENTENCE: usize = 45;

/// Returns the flaws of a message in screen-reader mode.
fn flaws(heard: &ToldMessage) -> Vec<String> {
    let text = heard.words.text();
    let mut flaws = Vec::new();
    let mut linear = String::new();
    plain::render(&heard.words, &mut linear);
    if !linear.split_whitespace().eq(text.split_whitespace()) {
        flaws.push("part of it is drawn, and is left out".to_owned());
    }
    if let Some(style) = style_words::missing_words(&heard.words) {
        flaws.push(format!("only the colour says {style:?}: {}", text.replace('\n', " / ")));
    }
    for line in text.lines() {
        // Channel names are in brackets, which no player's line can begin with.
        let line = ["[Ooc] ", "[Newbie] ", "[Party] "]
            .iter()
            .fold(line.to_owned(), |line, name| line.replace(name, ""));
        let drawn = |c: char| "-=+|*#_~\\/<>".contains(c);
        let mut drawn_before = false;
        let row = line.chars().any(|c| std::mem::replace(&mut drawn_before, drawn(c)) && drawn(c));
        let checks = [
            (line.contains("  "), "columns of spaces"),
            (line.starts_with(' ') || line.ends_with(' '), "spaces at an edge"),
            (line.contains('\t'), "a tab"),
            (row, "a row of signs"),
            (line.chars().any(|c| ('\u{2190}'..='\u{2bff}').contains(&c) || c >= '\u{1f000}'), "a picture"),
            (!line.is_empty() && !line.chars().any(char::is_alphanumeric), "a line without a word"),
            (line.contains(['[', ']', '|', '{', '}']), "brackets or bars"),
        ];
        flaws.extend(checks.iter().filter(|(fails, _)| *fails).map(|(_, what)| format!("{what}: {line}")));
        for sentence in line.split_inclusive(['.', ':', ';', '!', '?']) {
            if sentence.split_whitespace().count() > SENTENCE {
                flaws.push(format!("a sentence nobody can follow: {sentence}"));
            }
        }
    }
    flaws
}

/// Returns `true` if a flaw is in a line of a script that was shown with its number: it is as its builder typed it.
fn is_source(typed: &str, flaw: &str) -> bool {
    let line = flaw.split_once(": ").map(|(_, line)| line);
    let number = line.and_then(|line| line.split_once(": ")).map(|(number, _)| number);
    (typed.starts_with("script ") || typed == ".list")
        && number.is_some_and(|number| number.parse::<u32>().is_ok())
}

/// One item a line, no drawings, no padding, and no meaning by colour alone, for every command.
#[test]
fn protocols_10_every_command_has_screen_reader_output() {
    let hearing = run_all_scripts();

    let mut complaints = String::new();
    let mut reported = BTreeSet::new();
    for (typed, heard) in &hearing.heard {
        for flaw in flaws(heard) {
            if !is_source(typed, &flaw) && reported.insert(flaw.clone()) {
                let _ = writeln!(complaints, "{typed}: {flaw}");
            }
        }
    }
    for [name, ..] in command::reference(Role::Owner) {
        if !hearing.done.contains(name) {
            let _ = writeln!(complaints, "{name}: nobody has done it");
        }
    }
    complaints += &check_line_starts(&hearing.heard);
    assert!(hearing.heard.len() > 500, "{} messages", hearing.heard.len());
    assert!(complaints.is_empty(), "{complaints}");
}

/// Returns `true` if the line begins with `start`, where `NAME` matches one to four words.
fn begins_with(line: &str, start: &str) -> bool {
    let Some((before, behind)) = start.split_once("NAME") else { return line.starts_with(start) };
    let Some(rest) = line.strip_prefix(before) else { return false };
    rest.match_indices(behind).any(|(at, _)| (1..=4).contains(&rest[..at].split_whitespace().count()))
}

/// Checks that each documented line start for client triggers occurs, and in messages of its class only.
fn check_line_starts(heard: &[(String, ToldMessage)]) -> String {
    let mut complaints = String::new();
    for class in Class::ALL {
        for start in class.screen_reader_form().begins {
            let fits = |heard: &ToldMessage| heard.words.text().lines().any(|line| begins_with(line, start));
            if !heard.iter().any(|(_, heard)| heard.class == class && fits(heard)) {
                let _ = writeln!(complaints, "no {class:?} begins with {start:?}");
            }
            // Replies may quote text of other classes, such as examples on a help page.
            let other = heard
                .iter()
                .find(|(_, heard)| heard.class != class && heard.class != Class::Reply && fits(heard));
            if let Some((typed, other)) = other {
                let _ = writeln!(
                    complaints,
                    "{typed}: {:?} begins with {start:?}: {}",
                    other.class,
                    other.words.text()
                );
            }
        }
    }
    complaints
}

/// Checks the checker: each of these flaws is detected.
#[test]
fn visual_only_output_is_detected() {
    let say = |text: &str| flaws(&ToldMessage { class: Class::Reply, words: Arc::new(Markup::plain(text)) });
    for drawn in [
        "Sword  12  silver",
        "+-----+\nhp: 12",
        "hp |####",
        "A cup\n  a lid",
        "---\nNews",
        "look [THING]",
        "A ◆ glows.",
    ] {
        assert!(!say(drawn).is_empty(), "{drawn}");
    }
    assert!(say(&"and so ".repeat(30)).iter().any(|flaw| flaw.contains("sentence")));
    assert_eq!(say("You hit the rat for three points; you have 20 left."), Vec::<String>::new());
}

/// A detected screen reader is stored in the account, unless the player has chosen a setting.
#[test]
fn protocols_10_detected_screen_reader_is_stored() {
    let mut table = Table::new(seeded(3));
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    table.types("Bera", "config reader off");
    for name in ["Olad", "Bera"] {
        table.uses_screen_reader(name);
    }
    table.restart();
    let reader = |table: &Table, name: &str| {
        let account = table.account(name);
        table.world().accounts[account].settings.screen_reader
    };
    assert_eq!((reader(&table, "Olad"), reader(&table, "Bera")), (Some(true), Some(false)));
    table.types("Olad", "config reader off");
    table.uses_screen_reader("Olad");
    assert_eq!(reader(&table, "Olad"), Some(false), "the player has the last word");
}

/// In screen-reader mode a round is one line per fighter, and a death one line.
#[test]
fn protocols_10_combat_has_one_line_per_fighter_and_round() {
    let mut table = arena();
    table.types("Olad", "config reader on");
    let orc = enemy(&table);
    changes(&mut table, orc, |body| (body.hp, body.max_hp, body.defence) = (12, 12, 0));
    table.hears("Olad");
    table.types("Olad", "kill orc");
    let mut heard = Vec::new();
    while table.world().characters.get(orc).is_some() {
        table.waits(Span::secs(3));
        let round: Vec<String> = table
            .hears_messages("Olad")
            .into_iter()
            .filter(|heard| heard.class == Class::Combat)
            .map(|heard| heard.text)
            .collect();
        assert!(round.len() <= 3, "{round:?}");
        heard.extend(round);
    }
    assert!(heard.iter().any(|line| line.starts_with("The orc is dead, and you gain ")), "{heard:?}");
}
