//! Help topics: pages about the world and its rules, read with `help TOPIC`. Commands are documented in the command
//! table; topics explain and link.
//!
//! A topic is a text file whose stem is its key. The lines `title:`, `group:`, `aliases:` and `see:` come first, then
//! an empty line, then the body. The body has paragraphs separated by empty lines, items that begin with `- `, and
//! commands between backticks. Paragraphs may contain line breaks; they are wrapped for each client.
//! `{rules.levels.base}` is replaced by the number in that file.

pub mod guide;
pub mod hint;
pub mod lesson;
mod file;
mod group;
mod near;
pub mod text;

use std::collections::BTreeMap;

use file::{HelpFile, or_nearest};
pub use group::HelpGroup;
use near::SimilarityIndex;

use crate::catalog::content_file::ContentFile;
use crate::catalog::draft_key;
use crate::catalog::figures::TextFigures;
use crate::data::{CatalogError, Field, Position};
use crate::text::{Markup, Style, nearest};

/// Returns the header lines of a page, and its body, as the fields of its definition.
pub fn fields() -> Vec<Field> {
    let groups = HelpGroup::ALL.into_iter().filter(|group| *group != HelpGroup::default());
    let groups: Vec<String> = groups.map(|group| format!("`{}`", group.name())).collect();
    let field = |name: &str, value: &str, is_required, about: &str| Field {
        name: name.to_owned(),
        value: value.to_owned(),
        is_required,
        about: about.to_owned(),
        ..Field::default()
    };
    vec![
        field("title", "text", true, "Heading."),
        field("group", &format!("one of {}", groups.join(", ")), false, "Section of the list of pages."),
        field("aliases", "words, separated by commas", false, "Further names of the page."),
        field("see", "keys of pages, separated by commas", false, "Pages that it links at its end."),
        field(text::BODY, "text of any length", true, "Paragraphs, lists, and commands in backticks."),
    ]
}

/// A help page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HelpTopic {
    /// Key: the stem of its file.
    pub key: String,
    /// Heading.
    pub title: String,
    /// Section of the list of pages.
    pub group: HelpGroup,
    /// Further names of the topic.
    pub aliases: Vec<String>,
    /// Keys of related topics.
    pub see: Vec<String>,
    /// Text without heading and links.
    pub body: Markup,
    /// Commands mentioned in the body, each with its place.
    to_type: Vec<(Position, String)>,
    /// Place of the `see:` line.
    see_at: Position,
}

impl HelpTopic {
    /// Returns the whole page: heading, body and related topics.
    pub fn page(&self) -> Markup {
        let mut page = Markup::styled(Style::Heading, &self.title).and("\n");
        page.append(&self.body);
        for (at, key) in self.see.iter().enumerate() {
            page.push(Style::Plain, if at == 0 { "\n\nSee also: " } else { ", " });
            page.push(Style::Command, &format!("help {key}"));
        }
        page
    }

    /// Returns the commands mentioned in the body with their places, for a check against the command table.
    pub fn words_to_type(&self) -> impl Iterator<Item = (&Position, &str)> {
        self.to_type.iter().map(|(place, command)| (place, command.as_str()))
    }
}

/// Result of looking a word up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HelpLookup<'a> {
    /// One topic whose key, title or alias is the word or begins with it.
    Topic(&'a HelpTopic),
    /// Several topics with the word as a prefix, in key order.
    Several(Vec<&'a HelpTopic>),
    /// No match.
    Nothing,
}

/// All topics, indexed by name.
#[derive(Clone, Debug, Default)]
pub struct HelpIndex {
    topics: BTreeMap<String, HelpTopic>,
    /// Keys, titles and aliases in their [`plain_words`] form, with the key of their topic.
    names: BTreeMap<String, String>,
    /// Full-text index for lookups without a match.
    nearness: SimilarityIndex,
}

impl HelpIndex {
    /// Reads topics from pairs of file name and text.
    ///
    /// # Errors
    /// All errors of all files, in the order of files and lines; errors in links come last.
    pub fn parse<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, Vec<CatalogError>> {
        Self::parse_with(files, &TextFigures::default())
    }

    /// Reads topics and fills in numbers such as `{rules.levels.base}`.
    ///
    /// # Errors
    /// As [`HelpIndex::parse`], and every slot without a value.
    pub(super) fn parse_with<'a>(
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
        figures: &TextFigures,
    ) -> Result<Self, Vec<CatalogError>> {
        let mut index = Self::default();
        let mut mistakes = Vec::new();
        let mut read = Vec::new();
        for (path, text) in files {
            read.push(index.put(&mut ContentFile { path, text, mistakes: &mut mistakes }, figures));
        }
        for key in read {
            index.check_links(&key, &mut mistakes);
        }
        if mistakes.is_empty() { Ok(index) } else { Err(mistakes) }
    }

    /// Reads and adds a topic; returns its key.
    pub(super) fn put(&mut self, file: &mut ContentFile<'_>, figures: &TextFigures) -> String {
        let ContentFile { path, text, mistakes } = file;
        let mut source = HelpFile { file: path, figures, aliases_line: 1, mistakes };
        let topic = source.topic(text);
        let key = topic.key.clone();
        self.add(topic, &mut source);
        key
    }

    /// Removes a topic. Broken links to it are reported by [`HelpIndex::check_links`].
    pub(super) fn take_away(&mut self, key: &str) {
        self.topics.remove(key);
        self.names.retain(|_, named| named != key);
        self.nearness.forget(key);
    }

    /// Records each related topic that does not exist.
    pub(super) fn check_links(&self, key: &str, mistakes: &mut Vec<CatalogError>) {
        let Some(topic) = self.topics.get(key) else { return };
        for name in topic.see.iter().filter(|name| !self.topics.contains_key(*name)) {
            let near = or_nearest(self.nearest(name).map(|topic| topic.key.as_str()));
            let mistake = format!("there is no topic `{name}`{near}");
            mistakes.push(CatalogError::new(&topic.see_at, mistake, ""));
        }
    }

    fn add(&mut self, topic: HelpTopic, source: &mut HelpFile<'_>) {
        if self.topics.contains_key(&topic.key) {
            return source.mistake(1, 1, taken_name(&topic.key, &topic.key));
        }
        // Players find the version of a draft by the names of the published page.
        if draft_key::split(&topic.key).is_some() {
            self.topics.insert(topic.key.clone(), topic);
            return;
        }
        let mut names = vec![(plain_words(&topic.key), 1), (plain_words(&topic.title), 1)];
        names.extend(topic.aliases.iter().map(|alias| (plain_words(alias), source.aliases_line)));
        for (name, line) in names.into_iter().filter(|(name, _)| !name.is_empty()) {
            match self.names.get(&name) {
                Some(key) if *key != topic.key => {
                    source.mistake(line, 1, taken_name(&name, key));
                }
                _ => drop(self.names.insert(name, topic.key.clone())),
            }
        }
        self.nearness.learn(&topic);
        self.topics.insert(topic.key.clone(), topic);
    }

    /// Finds topics by name or by the prefix of a name.
    pub fn find(&self, query: &str) -> HelpLookup<'_> {
        let wanted = plain_words(query);
        if wanted.is_empty() {
            return HelpLookup::Nothing;
        }
        if let Some(topic) = self.named(&wanted) {
            return HelpLookup::Topic(topic);
        }
        let longer = self.names.range(wanted.clone()..).take_while(|(name, _)| name.starts_with(&wanted));
        let mut keys: Vec<_> = longer.map(|(_, key)| key).collect();
        keys.sort_unstable();
        keys.dedup();
        let begun: Vec<_> = keys.into_iter().filter_map(|key| self.topics.get(key)).collect();
        match begun[..] {
            [] => HelpLookup::Nothing,
            [topic] => HelpLookup::Topic(topic),
            _ => HelpLookup::Several(begun),
        }
    }

    /// Returns the topic with this exact name.
    pub fn named(&self, name: &str) -> Option<&HelpTopic> {
        self.names.get(&plain_words(name)).and_then(|key| self.topics.get(key))
    }

    /// Returns at most `most` topics similar to words without a match, best first. Names are compared with tolerance
    /// for typing errors, and bodies by their vocabulary.
    pub fn near(&self, query: &str, most: usize) -> Vec<&HelpTopic> {
        let keys = self.nearness.keys(&plain_words(query), most);
        keys.into_iter().filter_map(|key| self.topics.get(key)).collect()
    }

    /// Returns the topic of a key.
    pub fn topic(&self, key: &str) -> Option<&HelpTopic> {
        self.topics.get(key)
    }

    /// Returns all topics in key order, without the versions of drafts.
    pub fn topics(&self) -> impl Iterator<Item = &HelpTopic> {
        self.topics.values().filter(|topic| draft_key::split(&topic.key).is_none())
    }

    fn nearest(&self, wanted: &str) -> Option<&HelpTopic> {
        // Of equally near names, prefer the topic that comes first.
        let mut names: Vec<_> = self.names.iter().map(|(name, key)| (key, name.as_str())).collect();
        names.sort_unstable();
        let near = nearest(wanted, names.into_iter().map(|(_, name)| name))?;
        self.topics.get(self.names.get(near)?)
    }
}

/// Returns words in lower case with single spaces; a hyphen counts as a space.
fn plain_words(phrase: &str) -> String {
    let lower = phrase.to_lowercase().replace('-', " ");
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn taken_name(name: &str, topic: &str) -> String {
    format!("`{name}` already leads to the topic `{topic}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/content.rs"));

    const WELL: &str = "title: The Well\naliases: hole, the deep-shaft\nsee: map\n\nGo `down`,\nthen on.\n\n- one\n  way\n- other\n";
    const MAP: &str = "title: Maps\n\nType `map`.\n";

    fn index() -> HelpIndex {
        HelpIndex::parse([("help/well.md", WELL), ("help/map.md", MAP)]).unwrap()
    }

    fn mistakes(files: &[(&str, &str)]) -> Vec<String> {
        let found = HelpIndex::parse(files.iter().copied()).unwrap_err();
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn help_file_is_parsed_into_page() {
        let index = index();
        let well = index.topic("well").unwrap();
        assert_eq!(
            well.page().text(),
            "The Well\nGo down, then on.\n\n- one way\n- other\n\nSee also: help map"
        );
        let typed: Vec<_> =
            well.words_to_type().map(|(place, command)| format!("{place} {command}")).collect();
        assert_eq!(typed, ["help/well.md:5:5 down"]);
    }

    #[test]
    fn topics_are_found_by_name_prefix_and_similarity() {
        let index = index();
        for word in ["well", "WELL", " the  well", "hole", "the deep shaft", "we", "ho"] {
            assert!(matches!(index.find(word), HelpLookup::Topic(topic) if topic.key == "well"), "{word}");
        }
        for nothing in ["wlel", "mpa", "dragon"] {
            assert_eq!(index.find(nothing), HelpLookup::Nothing, "{nothing}");
        }
        let near = |query| index.near(query, 3).iter().map(|topic| topic.key.as_str()).collect::<Vec<_>>();
        assert_eq!((near("wlel"), near("mpa"), near("dragon")), (vec!["well"], vec!["map"], vec![]));
        assert_eq!(index.find(" "), HelpLookup::Nothing);
        let two = HelpIndex::parse([("mail.md", MAP), ("map.md", "title: Charts\n\nx\n")]).unwrap();
        let HelpLookup::Several(topics) = two.find("ma") else { panic!("{:?}", two.find("ma")) };
        assert_eq!(topics.iter().map(|topic| topic.key.as_str()).collect::<Vec<_>>(), ["mail", "map"]);
    }

    #[test]
    fn all_errors_are_reported_together() {
        assert_eq!(
            mistakes(&[
                (
                    "a.md",
                    "title: A\ntitle: A thing\ncolour: red\nsee: wel\n\nAn `open tick\nhere.\n\nNext\u{2026}\n"
                ),
                ("well.md", WELL),
                ("b.md", "aliases: hole\n"),
            ]),
            [
                "a.md:2:1: `title:` is given twice",
                "a.md:3:1: expected `title:`, `group:`, `aliases:`, `see:` or an empty line",
                "a.md:6:4: the backtick has no other half in this paragraph",
                "a.md:9:5: '\u{2026}' is not a printable ASCII character; stock text has no other",
                "b.md:1:1: the topic has no `title:`",
                "b.md:1:1: the topic has no text",
                "b.md:1:1: `hole` already leads to the topic `well`",
                "a.md:4:1: there is no topic `wel`; the nearest is `well`",
                "well.md:3:1: there is no topic `map`",
            ]
        );
        assert_eq!(
            mistakes(&[("x/map.md", MAP), ("y/map.md", MAP)]),
            ["y/map.md:1:1: `map` already leads to the topic `map`"]
        );
        assert_eq!(
            mistakes(&[("map.md", "title: Maps\ngroup: wel\n\nx\n")]),
            ["map.md:2:1: there is no group `wel`; the nearest is `well`"]
        );
    }

    #[test]
    fn rule_values_are_filled_in_and_unknown_ones_have_a_place() {
        let figures = TextFigures::of([("rules.toml", "[levels]\nbase = 200\n")]);
        let read = |text: &str| HelpIndex::parse_with([("a.md", text)], &figures);
        let index =
            read("title: A\n\nThe `second` costs\n{rules.levels.base} or `{rules.levels.base}`.\n").unwrap();
        assert_eq!(index.topic("a").unwrap().body.text(), "The second costs 200 or 200.");
        let found = read("title: A\n\nIt `costs` no {rules.levels.bass}.\n").unwrap_err();
        assert_eq!(
            found[0].to_string(),
            "a.md:3:15: `rules.levels.bass` names no figure; the nearest is `rules.levels.base`"
        );
    }

    #[test]
    fn shipped_topics_are_valid() {
        let files = SHIPPED.iter().copied().filter(|(file, _)| file.starts_with("help/"));
        let figures = TextFigures::of(SHIPPED.iter().copied());
        let index = HelpIndex::parse_with(files, &figures).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
        assert!(index.topics().count() >= 20);
        for topic in index.topics() {
            assert!(topic.page().text().len() < 2_500, "{} is too long to listen to", topic.key);
            assert_ne!(topic.group, HelpGroup::Other, "{} has no group", topic.key);
        }
    }
}
