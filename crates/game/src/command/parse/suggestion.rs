//! Suggestions for lines that cannot be run: the probable intention, from filler words, spelling, hints and names of
//! content.

use crate::command::spec::CommandSpec;
use crate::command::{exact, table};
use crate::refusal::{Refusal, refuse};
use deepwell_core::base::{Direction, Rights, unicode};
use deepwell_core::catalog::{Catalog, ItemClass};
use deepwell_core::text::{Markup, Style, grammar, nearest_within, slips_between};

/// Returns `true` for a filler word before the wish in a sentence such as "i want to".
#[rustfmt::skip]
fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "i" | "i'd" | "i'll" | "i'm" | "im" | "id" | "we" | "you" | "want" | "wanna" | "would" | "like" | "to" | "please"
            | "pls" | "can" | "could" | "may" | "let" | "lets" | "let's" | "me" | "us" | "should" | "will" | "try"
            | "trying" | "need" | "have" | "going" | "gonna" | "am" | "just" | "now" | "then" | "and"
    )
}

/// Returns the wish in a sentence, after its filler words. `None` if the line does not begin with fillers, or begins
/// with a command.
fn wish_in(line: &str) -> Option<&str> {
    let mut rest = line;
    let mut passed = 0;
    while let Some(word) = rest.split_whitespace().next() {
        if !is_filler(&unicode::lowercase(word)) {
            break;
        }
        passed += 1;
        rest = rest.trim_start()[word.len()..].trim_start();
    }
    // A single word may be a command, as "i" is, or a typing error.
    (passed >= 2 || (passed == 1 && !rest.is_empty() && !line.starts_with(['i', 'I']))).then_some(rest)
}

/// Returns the suggestion for a player who types a sentence with a wish; `None` for other lines.
pub(crate) fn for_sentence(rights: Rights, line: &str) -> Option<Refusal> {
    let wish = wish_in(line)?;
    // The word of a staff command is one for those who may type it.
    let first = unicode::lowercase(line.split_whitespace().next().unwrap_or_default());
    if exact(&first, rights).is_some_and(|spec| spec.right.is_some()) {
        return None;
    }
    let word = wish.split_whitespace().next().unwrap_or_default().to_lowercase();
    let known = Direction::parse(&word).is_some() || exact(&word, rights).is_some();
    let hint = Markup::plain("Begin with what you want to do");
    Some(Refusal::Hint(if known {
        hint.and(": ").with(Style::Command, wish).and(".")
    } else {
        hint.and(", as in ")
            .with(Style::Command, "go north")
            .and(". To speak, begin with ")
            .with(Style::Command, "say")
            .and(".")
    }))
}

/// Returns the refusal for an unknown word.
pub(crate) fn unknown(catalog: &Catalog, rights: Rights, word: &str, line: &str) -> Refusal {
    let near = nearest(catalog, rights, word);
    // Three or more words without a known one were probably meant for `say`.
    if near.is_none() && line.split_whitespace().count() >= 3 {
        return refuse!(
            "There is no command \"{word}\". To speak, begin with say; commands lists what can be done."
        );
    }
    Refusal::Unknown(word.to_owned(), near)
}

/// Returns the nearest command, direction or social by spelling, among those permitted.
fn nearest(catalog: &Catalog, rights: Rights, word: &str) -> Option<String> {
    let most = if word.chars().count() <= 4 { 1 } else { 2 };
    let commands = table().filter(|spec| rights.allow(spec.right)).map(|spec| spec.name);
    let commands =
        commands.chain(Direction::ALL.into_iter().filter(|way| !way.is_diagonal()).map(Direction::name));
    let names = commands.map(|name| (0, name)).chain(catalog.socials.words().map(|name| (1, name)));
    names
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
    let answer =
        hints.about(word).or_else(|| hints.about(deepwell_core::text::nearest(word, hints.words())?));
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
    if catalog.creatures.values().any(|creature| bears(&creature.name)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::names;

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
