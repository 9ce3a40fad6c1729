//! Resolution of lines whose first word is not a complete command: a social, an abbreviation, or unknown. For unknown
//! words the probable intention is suggested, from known synonyms or by spelling.

use crate::base::{Direction, Rights};
use crate::catalog::{Catalog, ItemClass};
use crate::game::command::parse::actor::Actor;
use crate::game::command::parse::resolve;
use crate::game::command::spec::CommandSpec;
use crate::game::command::{begun_by, exact, table};
use crate::game::refusal::{Refusal, TalkRefusal};
use crate::game::speech::{socials, townsfolk};
use crate::game::turn::Turn;
use crate::text::{Markup, Style, grammar, nearest_within, slips_between};
use std::sync::Arc;

/// Meaning of the first word of a line.
pub(crate) enum Meaning {
    /// A command.
    Command(&'static CommandSpec),
    /// A social, by its word.
    Social(String),
}

/// Filler words before the wish in a sentence such as "i want to".
const BEFORE_A_WISH: &[&str] = &[
    "i", "i'd", "i'll", "i'm", "im", "id", "we", "you", "want", "wanna", "would", "like", "to", "please",
    "pls", "can", "could", "may", "let", "lets", "let's", "me", "us", "should", "will", "try", "trying",
    "need", "have", "going", "gonna", "am", "just", "now", "then", "and",
];

/// Resolves a word for a player with the given rights. A complete word has priority over an abbreviation.
///
/// # Errors
/// If the word is unknown; the refusal suggests the probable intention.
pub(crate) fn of(catalog: &Catalog, rights: Rights, word: &str, line: &str) -> Result<Meaning, Refusal> {
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

/// Returns the wish in a sentence, after its filler words. `None` if the line does not begin with fillers, or begins
/// with a command.
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
    // A single word may be a command, as "i" is, or a typing error.
    (passed >= 2 || (passed == 1 && !rest.is_empty() && !line.starts_with(['i', 'I']))).then_some(rest)
}

/// Returns the suggestion for a player who types a sentence.
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

/// Returns the refusal for an unknown word.
fn unknown(catalog: &Catalog, rights: Rights, word: &str, line: &str) -> Refusal {
    let near = nearest(catalog, rights, word);
    // Three or more words without a known one were probably meant for `say`.
    if near.is_none() && line.split_whitespace().count() >= 3 {
        return TalkRefusal::Unsaid(word.to_owned()).into();
    }
    Refusal::Unknown(word.to_owned(), near)
}

/// Returns the nearest command, direction or social by spelling, among those permitted.
pub(crate) fn nearest(catalog: &Catalog, rights: Rights, word: &str) -> Option<String> {
    let most = if word.chars().count() <= 4 { 1 } else { 2 };
    let commands = table().filter(|spec| rights.allow(spec.right)).map(|spec| spec.name);
    let commands =
        commands.chain(Direction::ALL.into_iter().filter(|way| !way.is_diagonal()).map(Direction::name));
    let words = commands.map(|name| (0, name)).chain(catalog.socials.words().map(|name| (1, name)));
    words
        .filter(|(_, name)| may_be_misspelling_of(word, name))
        .filter_map(|(rank, name)| Some((slips_between(most, word, name)?, rank, name)))
        .min()
        .map(|(_, _, name)| name.to_owned())
}

/// Returns the command of which the word is a misspelling, by name or by a longer alias.
pub(crate) fn nearest_command(rights: Rights, word: &str) -> Option<&'static CommandSpec> {
    let slips = if word.chars().count() <= 6 { 1 } else { 2 };
    let names = || {
        table()
            .filter(|spec| rights.allow(spec.right))
            .flat_map(|spec| spec.aliases.iter().chain([&spec.name]))
    };
    let long = names().copied().filter(|name| name.len() >= 4 && may_be_misspelling_of(word, name));
    exact(nearest_within(slips, word, long)?, rights)
}

/// Returns the help pages named in the hint for a word, or for a word spelt like it.
pub(crate) fn hinted<'a>(catalog: &'a Catalog, word: &str) -> Vec<&'a str> {
    let hints = &catalog.hints;
    let answer = hints.about(word).or_else(|| hints.about(crate::text::nearest(word, hints.words())?));
    let named = answer.into_iter().flat_map(Markup::runs).filter(|(style, _)| *style == Style::Command);
    named.filter_map(|(_, text)| text.strip_prefix("help ")).collect()
}

/// Returns the help pages for creatures and items with the word in their name; items by their purpose.
pub(crate) fn named_after(catalog: &Catalog, word: &str) -> Vec<&'static str> {
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

/// Returns `true` if a short word may be a misspelling of a name. A wrong first letter makes it a different word: "hug"
/// is not a misspelling of "bug".
fn may_be_misspelling_of(word: &str, name: &str) -> bool {
    let begin = |text: &str| text.chars().next();
    word.len() > 4
        || word.len() < name.len()
        || begin(word) == begin(name)
        || begin(word) == name.chars().nth(1)
}

/// Performs a social, towards the named target if any.
pub(crate) fn perform(turn: &mut Turn, actor: Actor, word: &str, rest: &str) -> Result<(), Refusal> {
    let catalog = Arc::clone(&turn.catalog);
    let Some(social) = catalog.socials.named(word) else { return Ok(()) };
    let name = without_preposition(rest.trim_end_matches(['.', '!', '?']));
    let target = match name.to_lowercase().as_str() {
        "" | "all" | "everybody" | "everyone" | "around" => None,
        "myself" => Some(actor.who),
        _ => Some(
            resolve::being_here(turn, actor.who, name)
                .map_err(|_| social_target_refusal(turn, actor, name))?,
        ),
    };
    socials::perform(turn, actor.who, social, target)
}

/// Returns the refusal of a social whose target is absent or is a townsperson.
fn social_target_refusal(turn: &Turn, actor: Actor, name: &str) -> Refusal {
    let room = turn.world.characters[actor.who].room;
    match townsfolk::folk_here(turn, room, name) {
        Some(folk) => TalkRefusal::TooBusy(grammar::capitalise(&folk.name).into_owned()).into(),
        None => TalkRefusal::NobodyToSee(name.to_owned()).into(),
    }
}

/// Strips a preposition: "at Bera" is Bera.
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
    fn sentences_with_a_wish_are_recognised() {
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

    /// Content words never shadow a command, nor each other.
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
    fn misspellings_suggest_the_common_word() {
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
