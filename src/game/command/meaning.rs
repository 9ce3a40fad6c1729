//! What a line means whose first word is no command in full: a social, a beginning of a word, or nothing. What means
//! nothing is answered by what was probably wanted, by its meaning where that is known and else by its letters.

use crate::base::{Direction, Rights};
use crate::catalog::{Catalog, ItemClass};
use crate::game::command::actor::Actor;
use crate::game::command::spec::CommandSpec;
use crate::game::command::{begun_by, exact, resolve, table};
use crate::game::refusal::{Refusal, TalkRefusal};
use crate::game::turn::Turn;
use crate::game::{socials, townsfolk};
use crate::text::{Markup, Style, grammar, nearest_within, slips_between};
use std::sync::Arc;

/// What the first word of a line means.
pub(super) enum Meaning {
    /// A command.
    Command(&'static CommandSpec),
    /// A social, by its word.
    Social(String),
}

/// Words that stand before a wish in a sentence and mean nothing by themselves.
const BEFORE_A_WISH: &[&str] = &[
    "i", "i'd", "i'll", "i'm", "im", "id", "we", "you", "want", "wanna", "would", "like", "to", "please",
    "pls", "can", "could", "may", "let", "lets", "let's", "me", "us", "should", "will", "try", "trying",
    "need", "have", "going", "gonna", "am", "just", "now", "then", "and",
];

/// What a word means to whoever has some rights. A whole word comes before the beginning of another.
///
/// # Errors
/// What was probably wanted.
pub(super) fn of(catalog: &Catalog, rights: Rights, word: &str, line: &str) -> Result<Meaning, Refusal> {
    if let Some(wish) = wish_in(line) {
        return Err(Refusal::Hint(instead(rights, wish)));
    }
    if let Some(spec) = exact(word, rights) {
        return Ok(Meaning::Command(spec));
    }
    if let Some(social) = catalog.socials.named(word) {
        return Ok(Meaning::Social(social.word.clone()));
    }
    if let Some(hint) = catalog.hints.about(word) {
        return Err(Refusal::Hint(hint.clone()));
    }
    if let Some(spec) = begun_by(word, rights) {
        return Ok(Meaning::Command(spec));
    }
    if let Some(social) = catalog.socials.begun_by(word) {
        return Ok(Meaning::Social(social.word.clone()));
    }
    Err(unknown(catalog, rights, word, line))
}

/// What somebody wants who types a sentence about it: what follows after the words before a wish. None if the line
/// begins otherwise, or with a word that has a meaning of its own.
fn wish_in(line: &str) -> Option<&str> {
    let mut rest = line;
    let mut passed = 0;
    while let Some(word) = rest.split_whitespace().next() {
        if !BEFORE_A_WISH.contains(&word.to_lowercase().as_str()) {
            break;
        }
        passed += 1;
        rest = rest.trim_start()[word.len()..].trim_start();
    }
    // One word alone may be a command, as "i" is, or a slip.
    (passed >= 2 || (passed == 1 && !rest.is_empty() && !line.starts_with(['i', 'I']))).then_some(rest)
}

/// What to type instead of a sentence.
fn instead(rights: Rights, wish: &str) -> Markup {
    let word = wish.split_whitespace().next().unwrap_or_default().to_lowercase();
    let known = Direction::parse(&word).is_some() || exact(&word, rights).is_some();
    let words = Markup::plain("Begin with what you want to do");
    if known {
        words.and(": ").with(Style::Command, wish).and(".")
    } else {
        words
            .and(", as in ")
            .with(Style::Command, "go north")
            .and(". To speak, begin with ")
            .with(Style::Command, "say")
            .and(".")
    }
}

/// The answer to a word that means nothing.
fn unknown(catalog: &Catalog, rights: Rights, word: &str, line: &str) -> Refusal {
    let near = nearest(catalog, rights, word);
    // Three words without any that is known are rather said than done.
    if near.is_none() && line.split_whitespace().count() >= 3 {
        return TalkRefusal::Unsaid(word.to_owned()).into();
    }
    Refusal::Unknown(word.to_owned(), near)
}

/// The nearest word that the rights are enough for, if any is near.
pub(super) fn nearest(catalog: &Catalog, rights: Rights, word: &str) -> Option<String> {
    let most = if word.chars().count() <= 4 { 1 } else { 2 };
    let commands = table().filter(|spec| rights.allow(spec.right)).map(|spec| spec.name);
    let commands =
        commands.chain(Direction::ALL.into_iter().filter(|way| !way.is_diagonal()).map(Direction::name));
    let words = commands.map(|name| (0, name)).chain(catalog.socials.words().map(|name| (1, name)));
    words
        .filter(|(_, name)| is_a_slip_of(word, name))
        .filter_map(|(rank, name)| Some((slips_between(most, word, name)?, rank, name)))
        .min()
        .map(|(_, _, name)| name.to_owned())
}

/// The command that a word is a slip of, in its name or in a longer word for it.
pub(super) fn nearest_command(rights: Rights, word: &str) -> Option<&'static CommandSpec> {
    let slips = if word.chars().count() <= 6 { 1 } else { 2 };
    let names = || {
        table()
            .filter(|spec| rights.allow(spec.right))
            .flat_map(|spec| spec.aliases.iter().chain([&spec.name]))
    };
    let long = names().copied().filter(|name| name.len() >= 4 && is_a_slip_of(word, name));
    exact(nearest_within(slips, word, long)?, rights)
}

/// The pages of help that are named in what is answered to a word, or to one that it is a slip of.
pub(super) fn hinted<'a>(catalog: &'a Catalog, word: &str) -> Vec<&'a str> {
    let hints = &catalog.hints;
    let answer = hints.about(word).or_else(|| hints.about(crate::text::nearest(word, hints.words())?));
    let named = answer.into_iter().flat_map(Markup::runs).filter(|(style, _)| *style == Style::Command);
    named.filter_map(|(_, text)| text.strip_prefix("help ")).collect()
}

/// The pages of help about what bears a word in its name: creatures, and things by what they are for.
pub(super) fn named_after(catalog: &Catalog, word: &str) -> Vec<&'static str> {
    let bears = |name: &str| name.split(' ').any(|part| part == word || grammar::plural(part, None) == word);
    let mut pages = Vec::new();
    for item in catalog.items.values().filter(|item| bears(&item.name)) {
        let page = match item.class {
            ItemClass::Weapon | ItemClass::Armour => "gear",
            ItemClass::Potion | ItemClass::Food => "potions",
            ItemClass::Coin => "money",
            ItemClass::Trinket | ItemClass::Container | ItemClass::Corpse => "inventory",
        };
        if !pages.contains(&page) {
            pages.push(page);
        }
    }
    if catalog.mobs.values().any(|mob| bears(&mob.name)) {
        pages.insert(0, "creatures");
    }
    pages
}

/// Whether a short word can be another one mistyped: a wrong letter at its beginning makes it a word of its own, as
/// "hug" is no slip of "bug".
fn is_a_slip_of(word: &str, name: &str) -> bool {
    let begin = |text: &str| text.chars().next();
    word.len() > 4
        || word.len() < name.len()
        || begin(word) == begin(name)
        || begin(word) == name.chars().nth(1)
}

/// Does a social, to whoever is named behind it.
pub(super) fn perform(turn: &mut Turn, actor: Actor, word: &str, rest: &str) -> Result<(), Refusal> {
    let catalog = Arc::clone(&turn.catalog);
    let Some(social) = catalog.socials.named(word) else { return Ok(()) };
    let name = without_preposition(rest.trim_end_matches(['.', '!', '?']));
    let target = match name.to_lowercase().as_str() {
        "" | "all" | "everybody" | "everyone" | "around" => None,
        "myself" => Some(actor.who),
        _ => Some(resolve::being_here(turn, actor.who, name).map_err(|_| nobody_to_see(turn, actor, name))?),
    };
    socials::perform(turn, actor.who, social, target)
}

/// That nobody of a name is there, or only somebody who does not look up.
fn nobody_to_see(turn: &Turn, actor: Actor, name: &str) -> Refusal {
    let room = turn.world.characters[actor.who].room;
    match townsfolk::folk_here(turn, room, name) {
        Some(folk) => TalkRefusal::TooBusy(grammar::capitalise(&folk.name).into_owned()).into(),
        None => TalkRefusal::NobodyToSee(name.to_owned()).into(),
    }
}

/// "at Bera" is Bera.
fn without_preposition(words: &str) -> &str {
    const BEFORE_A_NAME: [&str; 7] = ["at", "to", "with", "on", "for", "before", "of"];
    match words.split_once(char::is_whitespace) {
        Some((first, rest)) if BEFORE_A_NAME.contains(&first.to_lowercase().as_str()) => rest.trim(),
        _ => words.trim(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::command::names;

    fn catalog() -> Catalog {
        Catalog::builtin()
    }

    #[test]
    fn a_sentence_about_a_wish_is_seen() {
        for (line, wish) in [
            ("i want to go north", Some("go north")),
            ("I would like to buy a potion", Some("buy a potion")),
            ("please open the door", Some("open the door")),
            ("can you help me", Some("help me")),
            ("let me in", Some("in")),
            ("i am", Some("")),
            ("i", None),
            ("i potion", None),
            ("to", None),
            ("look", None),
        ] {
            assert_eq!(wish_in(line), wish, "{line}");
        }
    }

    /// What is content never stands before a command, nor does one part of it before another.
    #[test]
    fn socials_and_hints_shadow_no_command() {
        let catalog = catalog();
        for word in catalog.socials.words() {
            assert!(names().all(|name| name != word), "{word} is a command");
            assert_eq!(catalog.hints.about(word), None, "{word} is a social");
        }
        for word in catalog.hints.words() {
            assert!(exact(word, Rights::NONE).is_none(), "{word} is a command");
        }
        assert!(catalog.socials.iter().count() >= 60);
    }

    #[test]
    fn near_misses_find_the_common_word() {
        let catalog = catalog();
        let near = |word| nearest(&catalog, Rights::NONE, word);
        for (typed, meant) in
            [("loook", "look"), ("nroth", "north"), ("ook", "look"), ("olok", "look"), ("simle", "smile")]
        {
            assert_eq!(near(typed).as_deref(), Some(meant));
        }
        for other in ["xyzzy", "qwerty", "mug"] {
            assert_eq!(near(other), None, "{other}");
        }
    }
}
