//! Validation of content against the command table: every command mentioned in a text must exist.

use crate::command::{names, table};
use deepwell_core::base::Direction;
use deepwell_core::catalog::Catalog;
use deepwell_core::catalog::help::{HelpLookup, HelpTopic};
use deepwell_core::data::CatalogError;
use deepwell_core::text::nearest;

/// Commands that are signs instead of words.
const SIGNS: [char; 6] = ['\'', ':', '<', '>', '!', '"'];
/// Commands accepted at the login prompt.
const AT_THE_DOOR: &[&str] = &["screenreader", "connect", "create"];

/// Returns `true` if a line can be typed: it begins with a command, a direction, a social, or a short form of these.
pub fn can_be_typed(catalog: &Catalog, line: &str) -> bool {
    let word = first_word(line);
    let short = |name: &str| word.len() <= 2 && name.starts_with(word);
    line.starts_with(SIGNS)
        || AT_THE_DOOR.contains(&word)
        || is_word(catalog, word)
        || names().any(short)
        || Direction::parse(word).is_some()
}

/// Returns `true` for the complete word of a command, a direction or a social.
pub(crate) fn is_word(catalog: &Catalog, word: &str) -> bool {
    names().any(|name| name == word) || catalog.socials.named(word).is_some()
}

/// Returns the commands in help pages that cannot be typed, and the references to missing pages.
pub fn dead_words(catalog: &Catalog) -> Vec<CatalogError> {
    let typed = catalog.help.topics().flat_map(HelpTopic::words_to_type);
    typed
        .filter_map(|(place, line)| {
            dead(catalog, line)
                .map(|(mistake, near)| CatalogError::new(place, mistake, "").with_nearest(near))
        })
        .collect()
}

/// Returns the error in a line, and the nearest valid word.
fn dead(catalog: &Catalog, line: &str) -> Option<(String, Option<String>)> {
    let word = first_word(line);
    if !can_be_typed(catalog, line) {
        let near = nearest(word, table().map(|spec| spec.name)).map(str::to_owned);
        return Some((format!("`{line}` cannot be typed: there is no command `{word}`"), near));
    }
    let page = line.strip_prefix("help ")?;
    let known =
        matches!(catalog.help.find(page), HelpLookup::Topic(_)) || is_word(catalog, page) || is_no_page(page);
    let near = || nearest(page, catalog.help.topics().map(|topic| topic.key.as_str())).map(str::to_owned);
    (!known).then(|| (format!("there is no page `{page}`"), near()))
}

/// Returns `true` if the word after `help` in a text is a placeholder, or part of the command's syntax.
fn is_no_page(page: &str) -> bool {
    page == "all" || page.chars().all(|c| c.is_ascii_uppercase())
}

fn first_word(line: &str) -> &str {
    line.trim_start_matches('@').split([' ', ';']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(page: &str) -> Vec<String> {
        let mut files: Vec<(&str, &str)> = deepwell_core::catalog::BUILTIN.to_vec();
        files.push(("help/aaa.md", page));
        dead_words(&Catalog::load(&files).unwrap()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn dead_command_in_help_page_is_reported_with_line() {
        assert_eq!(
            found("title: Aaa\n\nType `look` or\n`lokk up`, then `help wel`, `help TOPIC`\nor `sing`.\n"),
            [
                "help/aaa.md:4:2: `lokk up` cannot be typed: there is no command `lokk`, did you mean `look`?",
                "help/aaa.md:4:18: there is no page `wel`, did you mean `well`?",
            ]
        );
    }

    #[test]
    fn shipped_help_pages_have_no_dead_commands() {
        assert_eq!(found("title: Aaa\n\nNothing.\n"), Vec::<String>::new());
    }
}
