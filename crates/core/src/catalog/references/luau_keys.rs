//! Renaming of keys in the source of Luau scripts. Only string literals change, and only where a reference is
//! unmistakable: complete script lines, and rooms and variables of renamed zones by `ZONE/NAME`. Lines that may refer to
//! renamed content in another way are reported.

use crate::catalog::Script;
use crate::catalog::references::renaming::Renaming;
use std::collections::BTreeSet;
use std::ops::Range;

/// Piece of a source.
enum LuauToken {
    /// Contents of a string literal, without its quotation marks.
    Text(Range<usize>),
    /// Contents of a string literal between backticks, which may contain expressions in braces.
    Template(Range<usize>),
    /// Name or keyword.
    Word(Range<usize>),
}

impl LuauToken {
    const fn range(&self) -> &Range<usize> {
        let (Self::Text(range) | Self::Template(range) | Self::Word(range)) = self;
        range
    }
}

/// Returns the source with keys renamed, and the numbers of the lines, from 1, that the builder must look at.
pub fn renamed(source: &str, renaming: &Renaming) -> (String, BTreeSet<usize>) {
    let (mut text, mut doubts) = (String::new(), BTreeSet::new());
    let (mut done, mut line) = (0, 1);
    for token in tokens(source) {
        let range = token.range();
        let (before, piece) = (&source[done..range.start], &source[range.clone()]);
        line += before.matches('\n').count();
        let (new, is_certain) = match token {
            LuauToken::Word(_) => (piece.to_owned(), !renaming.has_key(piece)),
            LuauToken::Text(_) => literal(piece, renaming),
            LuauToken::Template(_) => {
                let (new, is_certain) = literal(piece, renaming);
                (new, is_certain && !expressions(piece).any(|part| !searched(part, renaming).1))
            }
        };
        if !is_certain {
            doubts.insert(line);
        }
        text.extend([before, &new]);
        line += piece.matches('\n').count();
        done = range.end;
    }
    text.push_str(&source[done..]);
    (text, doubts)
}

/// Returns a literal with keys renamed, and `false` if it may contain others.
fn literal(text: &str, renaming: &Renaming) -> (String, bool) {
    if Script::parse_rest([text]).is_ok() {
        return (renaming.line(text).unwrap_or_else(|| text.to_owned()), true);
    }
    searched(text, renaming)
}

/// Returns a text with the rooms and variables of renamed zones renamed, and `false` if it contains other keys.
fn searched(text: &str, renaming: &Renaming) -> (String, bool) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '/');
    let (mut new, mut is_certain, mut rest) = (String::new(), true, text);
    while !rest.is_empty() {
        let (word, after) = rest.split_at(rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
        if renaming.has_place(word) {
            new.push_str(&renaming.room_name(word));
        } else {
            let zone = word.split_once('/').map(|(zone, _)| zone).or((word == text).then_some(word));
            is_certain &= !renaming.has_key(word) && !zone.is_some_and(|zone| renaming.has_zone(zone));
            new.push_str(word);
        }
        let (between, next) = after.split_at(after.find(is_part).unwrap_or(after.len()));
        new.push_str(between);
        rest = next;
    }
    (new, is_certain)
}

/// Returns the expressions in braces of a literal between backticks.
fn expressions(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or(rest))
}

/// Splits a source into its words and the contents of its string literals. Comments are left out.
fn tokens(source: &str) -> Vec<LuauToken> {
    let (bytes, mut tokens, mut at) = (source.as_bytes(), Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        let rest = &source[at..];
        let length = if let Some(comment) = rest.strip_prefix("--") {
            let end_of_line = || rest.find('\n').unwrap_or(rest.len());
            long_brackets(comment).map_or_else(end_of_line, |range| 2 + range.end)
        } else if matches!(byte, b'"' | b'\'' | b'`') {
            let end = closing(bytes, at + 1, *byte);
            let token = if *byte == b'`' { LuauToken::Template } else { LuauToken::Text };
            tokens.push(token(at + 1..end));
            end + 1 - at
        } else if let Some(range) = long_brackets(rest) {
            tokens.push(LuauToken::Text(at + range.start..at + range.end));
            range.end
        } else if byte.is_ascii_alphabetic() || *byte == b'_' {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            tokens.push(LuauToken::Word(at..at + end));
            end
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += length;
    }
    tokens
}

/// Returns the position of the quotation mark that closes a literal, or the end of the source. In a literal between
/// backticks, expressions in braces belong to it.
fn closing(bytes: &[u8], begin: usize, mark: u8) -> usize {
    let (mut at, mut depth) = (begin, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'{' if mark == b'`' => depth += 1,
            b'}' if mark == b'`' => depth = depth.saturating_sub(1),
            byte if *byte == mark && depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Returns the range between long brackets, such as `[[` and `]]` or `[==[` and `]==]`, at the beginning of a text.
fn long_brackets(text: &str) -> Option<Range<usize>> {
    let level = text.strip_prefix('[')?;
    let equals = level.len() - level.trim_start_matches('=').len();
    level[equals..].strip_prefix('[')?;
    let begin = equals + 2;
    let close = format!("]{}]", "=".repeat(equals));
    let end = text[begin..].find(&close).map_or(text.len(), |end| begin + end);
    Some(begin..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Area, DefinitionKind};

    fn renaming() -> Renaming {
        let mut renaming = Renaming::new("dale");
        let text = "[[variables]]\nname = \"rung\"\nof = \"zone\"\ntype = \"number\"\n\n[[rooms]]\nkey = \"loft\"\nname = \"Loft\"\n\
                    environment = \"wood\"\n";
        let mut mistakes = Vec::new();
        let area = Area::parse("zones/mill.toml", text, &mut mistakes).expect("an area");
        assert_eq!(mistakes, []);
        renaming.add_zone("mill", &area);
        renaming.add_definition(DefinitionKind::Item, "sack");
        renaming.add_definition(DefinitionKind::Quest, "tails");
        renaming
    }

    /// Lines and names by zone are renamed; texts, comments and other words are not.
    #[test]
    fn only_unmistakable_references_are_renamed() {
        for (before, after) in [
            ("\"give 2 sack\"", "\"give 2 dale_sack\""),
            ("'if quest tails done: move mill/loft'", "'if quest dale_tails done: move dale_mill/loft'"),
            ("[==[set mill/rung = 3]==]", "[==[set dale_mill/rung = 3]==]"),
            ("`set mill/rung = {left}`", "`set dale_mill/rung = {left}`"),
            ("event.vars[\"mill/rung\"]", "event.vars[\"dale_mill/rung\"]"),
            ("\"tell \\\"A sack,\\\" says the mill.\"", "\"tell \\\"A sack,\\\" says the mill.\""),
            ("-- give sack\n\"harm 1\"", "-- give sack\n\"harm 1\""),
            ("--[[ sack\n mill/loft ]] return 1", "--[[ sack\n mill/loft ]] return 1"),
            ("\"mill or loft\", \"and/or\", 'ä sac'", "\"mill or loft\", \"and/or\", 'ä sac'"),
        ] {
            assert_eq!(renamed(before, &renaming()), (after.to_owned(), BTreeSet::new()), "{before}");
        }
    }

    /// Names in other forms are left for the builder.
    #[test]
    fn lines_with_doubtful_names_are_reported() {
        for doubt in [
            "event.carries.sack",
            "if key == \"sack\" then",
            "`give {count} sack`",
            "`tell {NAMES[\"sack\"]}`",
            "\"mill\"",
            "\"mill/attic\"",
            "\"open sack",
        ] {
            let source = format!("-- sack\nlocal one = [[\n]]\n{doubt}");
            let (text, lines) = renamed(&source, &renaming());
            let expected = if doubt == "\"open sack" { vec![] } else { vec![4] };
            assert_eq!((text, lines.into_iter().collect::<Vec<_>>()), (source.clone(), expected), "{doubt}");
        }
    }
}
