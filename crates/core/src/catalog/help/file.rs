//! Reading of the file of a help topic.

use super::{HelpGroup, HelpTopic, plain_words};
use crate::catalog::figures::{TextFigures, UnknownTextValue};
use crate::data::{CatalogError, Position};
use crate::text::{Markup, Style, nearest};

/// Returns the suggestion at the end of an error about a name.
pub(super) fn or_nearest(nearest: Option<&str>) -> String {
    nearest.map(|name| format!("; the nearest is `{name}`")).unwrap_or_default()
}

/// A file that is being read.
pub(super) struct HelpFile<'a> {
    pub(super) file: &'a str,
    pub(super) figures: &'a TextFigures,
    pub(super) aliases_line: u32,
    pub(super) mistakes: &'a mut Vec<CatalogError>,
}

impl HelpFile<'_> {
    pub(super) fn mistake(&mut self, line: u32, column: usize, message: impl Into<String>) {
        let place = self.place(line, column);
        self.mistakes.push(CatalogError::new(&place, message, ""));
    }

    fn place(&self, line: u32, column: usize) -> Position {
        Position { file: self.file.to_owned(), line, column: u32::try_from(column).unwrap_or(u32::MAX) }
    }

    pub(super) fn topic(&mut self, text: &str) -> HelpTopic {
        let name = self.file.rsplit(['/', '\\']).next().unwrap_or_default();
        let key = name.split('.').next().unwrap_or_default().to_owned();
        let mut topic = HelpTopic {
            key,
            title: String::new(),
            group: HelpGroup::default(),
            aliases: Vec::new(),
            see: Vec::new(),
            body: Markup::new(),
            to_type: Vec::new(),
            see_at: Position::start(self.file),
        };
        let mut lines = (1..).zip(text.lines());
        for (number, line) in lines.by_ref().take_while(|(_, line)| !line.trim().is_empty()) {
            self.field(number, line, &mut topic);
        }
        if topic.title.is_empty() {
            self.mistake(1, 1, "the topic has no `title:`");
        }
        topic.body = self.body(lines, &mut topic.to_type);
        if topic.body.is_empty() {
            self.mistake(1, 1, "the topic has no text");
        }
        topic
    }

    /// Reads a header line.
    fn field(&mut self, number: u32, line: &str, topic: &mut HelpTopic) {
        self.check_ascii(number, line);
        let names = |value: &str| value.split(',').map(plain_words).filter(|word| !word.is_empty()).collect();
        let (field, given) = match line.split_once(':') {
            Some(("title", title)) => {
                ("title", !std::mem::replace(&mut topic.title, title.trim().to_owned()).is_empty())
            }
            Some(("aliases", value)) => {
                self.aliases_line = number;
                ("aliases", !std::mem::replace(&mut topic.aliases, names(value)).is_empty())
            }
            Some(("group", value)) => {
                let before = std::mem::replace(&mut topic.group, self.group(number, value.trim()));
                ("group", before != HelpGroup::default())
            }
            Some(("see", value)) => {
                topic.see_at = self.place(number, 1);
                ("see", !std::mem::replace(&mut topic.see, names(value)).is_empty())
            }
            _ => {
                return self.mistake(
                    number,
                    1,
                    "expected `title:`, `group:`, `aliases:`, `see:` or an empty line",
                );
            }
        };
        if given {
            self.mistake(number, 1, format!("`{field}:` is given twice"));
        }
    }

    fn group(&mut self, number: u32, word: &str) -> HelpGroup {
        let named = HelpGroup::ALL.into_iter().find(|group| group.name() == word);
        named.unwrap_or_else(|| {
            let near = or_nearest(nearest(word, HelpGroup::ALL.into_iter().map(HelpGroup::name)));
            self.mistake(number, 1, format!("there is no group `{word}`{near}"));
            HelpGroup::default()
        })
    }

    fn body<'t>(
        &mut self,
        lines: impl Iterator<Item = (u32, &'t str)>,
        to_type: &mut Vec<(Position, String)>,
    ) -> Markup {
        let mut body = Markup::new();
        let mut gap = false;
        let mut inside = false;
        let mut open = None;
        for (number, line) in lines {
            self.check_ascii(number, line);
            let text = line.trim();
            let item = text.starts_with("- ");
            if text.is_empty() || item {
                self.close(&mut open);
                inside = false;
            }
            if text.is_empty() {
                gap = !body.is_empty();
                continue;
            }
            let before = match (gap, inside) {
                (true, _) => "\n\n",
                (false, true) => " ",
                (false, false) if body.is_empty() => "",
                (false, false) => "\n",
            };
            push(&mut body, before, open.is_some());
            if let (Some(_), Some((_, command))) = (open, to_type.last_mut()) {
                command.push_str(before);
            }
            (gap, inside) = (false, true);
            let mut column = 1 + line.len() - line.trim_start().len();
            for (at, piece) in text.split('`').enumerate() {
                if at > 0 {
                    open = if open.is_some() { None } else { Some((number, column)) };
                    column += 1;
                    if open.is_some() {
                        to_type.push((self.place(number, column), String::new()));
                    }
                }
                let filled = self.filled(number, column, piece);
                if let (Some(_), Some((_, typed))) = (open, to_type.last_mut()) {
                    typed.push_str(&filled);
                }
                column += piece.chars().count();
                push(&mut body, &filled, open.is_some());
            }
        }
        self.close(&mut open);
        body
    }

    /// Fills the numbers into a piece of a line.
    fn filled(&mut self, number: u32, column: usize, piece: &str) -> String {
        let (text, bad) = self.figures.fill(piece);
        for UnknownTextValue { at, name, nearest } in bad {
            let near = or_nearest(nearest.as_deref());
            self.mistake(number, column + at, format!("`{name}` names no figure{near}"));
        }
        text
    }

    /// Ends a paragraph; an unpaired backtick is an error.
    fn close(&mut self, open: &mut Option<(u32, usize)>) {
        if let Some((line, column)) = open.take() {
            self.mistake(line, column, "the backtick has no other half in this paragraph");
        }
    }

    fn check_ascii(&mut self, number: u32, line: &str) {
        let odd = line.chars().zip(1..).find(|(c, _)| !matches!(c, ' '..='~'));
        if let Some((c, column)) = odd {
            let mistake = format!("{c:?} is not a printable ASCII character; stock text has no other");
            self.mistake(number, column, mistake);
        }
    }
}

fn push(body: &mut Markup, text: &str, to_type: bool) {
    body.push(if to_type { Style::Command } else { Style::Plain }, text);
}
