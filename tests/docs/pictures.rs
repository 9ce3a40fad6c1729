//! Maps, excerpts and tables in the documentation match the program. The text behind `text` names the source:
//!
//! - `text deepwell dungeon map ...`: output of that command, up to its legend;
//! - `text from tests/data/story.txt`: lines of that file, in order, with `[...]` for omitted ones.
//!
//! A generated table is between a comment with its command and a closing comment.
//!
//! With `WRITE_GENERATED` set, maps and tables are generated again, and each part of an excerpt is replaced by the
//! lines of the file from its first to its last line.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use crate::commands::words;
use crate::fences::{name, pages, root};
use crate::generated;

/// Line width of excerpts.
const WIDTH: usize = 95;

/// Returns the output of a command.
pub(crate) fn printed(line: &str) -> Result<String, String> {
    let words = words(line);
    let output = Command::new(env!("CARGO_BIN_EXE_deepwell"))
        .args(&words[1..])
        .current_dir(std::env::temp_dir())
        .output()
        .expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// Returns the output of a map command, up to the legend.
fn drawn(line: &str) -> Result<String, String> {
    let text = printed(line)?;
    let picture = text.split_once("\n\nS is the start").map(|(picture, _)| format!("{picture}\n"));
    picture.ok_or_else(|| format!("no picture: {text}"))
}

/// Returns the table that a command prints, between empty lines.
fn table(line: &str) -> Result<String, String> {
    let rows = printed(line)?;
    let rows = rows.lines().filter(|line| line.starts_with('|')).flat_map(|line| [line, "\n"]);
    Ok(format!("\n{}\n", rows.collect::<String>()))
}

/// Normalises a line for comparison: spaces are collapsed, and the name of the typing player is removed.
fn plain(line: &str) -> String {
    let line = match line.strip_prefix("> ").and_then(|typed| typed.split_once(": ")) {
        Some((who, typed)) if !who.contains(' ') => format!("> {typed}"),
        _ => line.to_owned(),
    };
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Appends a line, wrapped at spaces.
fn wrap(line: &str, into: &mut String) {
    let mut width = 0;
    for word in line.split(' ') {
        let letters = word.chars().count();
        if width > 0 && width + letters >= WIDTH {
            into.push('\n');
            width = 0;
        } else if width > 0 {
            into.push(' ');
            width += 1;
        }
        into.push_str(word);
        width += letters;
    }
    into.push('\n');
}

/// Returns an excerpt as it is in the file: each part from its first line to its last.
fn excerpt(shown: &str, source: &str) -> Result<String, String> {
    let source: Vec<String> = source.lines().map(plain).filter(|line| !line.is_empty()).collect();
    let (mut pieces, mut from) = (Vec::new(), 0);
    for piece in shown.split("[...]\n") {
        let piece = plain(&piece.replace('\n', " "));
        let first = (from..source.len()).find(|at| piece.starts_with(&source[*at]));
        let first = first.ok_or_else(|| format!("no line begins: {piece}"))?;
        let last = (first..source.len()).find(|at| piece.ends_with(&source[*at]));
        let last = last.ok_or_else(|| format!("no line ends: {piece}"))?;
        let mut lines = String::new();
        source[first..=last].iter().for_each(|line| wrap(line, &mut lines));
        pieces.push(lines);
        from = last + 1;
    }
    Ok(pieces.join("[...]\n"))
}

/// Returns the expected text of a block, if its hint names a source.
fn source(hint: &str, shown: &str) -> Option<Result<String, String>> {
    if hint.starts_with("deepwell ") {
        return Some(drawn(hint));
    }
    let path = hint.strip_prefix("from ")?;
    let text = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"));
    Some(text.and_then(|text| excerpt(shown, &text)))
}

/// Returns a page with the expected text of its blocks, and the number of blocks with a source. Errors are appended to
/// `complaints`.
fn shows(page: &str, text: &str, complaints: &mut String) -> (String, u32) {
    let (mut wanted, mut known) = (String::new(), 0);
    let mut pieces = text.split_inclusive('\n');
    while let Some(line) = pieces.next() {
        wanted += line;
        let hint = line.strip_prefix("```text ").map(str::trim);
        let figures = line.strip_prefix("<!-- ").and_then(|line| line.trim_end().strip_suffix(" -->"));
        let figures = figures.filter(|line| line.starts_with("deepwell "));
        if hint.or(figures).is_none() {
            continue;
        }
        let end = if figures.is_some() { "<!-- end of the table -->\n" } else { "```\n" };
        let shown: String = pieces.by_ref().take_while(|line| *line != end).collect();
        match figures.map(table).or_else(|| source(hint?, &shown)) {
            Some(Ok(right)) => {
                known += 1;
                wanted += &right;
            }
            other => {
                wanted += &shown;
                if let Some(Err(complaint)) = other {
                    let _ = writeln!(complaints, "{page}: {complaint}");
                }
            }
        }
        wanted += end;
    }
    (wanted, known)
}

/// Every map, excerpt and table matches its source.
#[test]
fn maps_excerpts_and_tables_match_the_program() {
    let (mut complaints, mut known) = (String::new(), 0);
    for path in pages() {
        let page = name(&path);
        let (wanted, of_page) = shows(&page, &fs::read_to_string(&path).expect("a page"), &mut complaints);
        known += of_page;
        if !generated::is_up_to_date(&page, &wanted) {
            let _ = writeln!(complaints, "{page} shows something else; {}", generated::HOW);
        }
    }
    assert!(known >= 4, "the pictures were not found");
    assert!(complaints.is_empty(), "\n{complaints}");
}

#[test]
fn excerpt_follows_its_file() {
    let source = "# a remark\nThe Well\nCold water.\n> Olad: east\nA passage of clay.\nA rat is here.\n";
    let whole = "The Well\nCold water.\n[...]\nA passage of clay.\nA rat is here.\n";
    assert_eq!(
        excerpt("The Well\nCold water.\n[...]\nA passage\nof clay.\nA rat is here.\n", source).unwrap(),
        whole
    );
    assert_eq!(excerpt("The Well\nWarm mud.\nA rat is here.\n", source).unwrap().lines().count(), 5);
    assert!(excerpt("A rat is here.\n[...]\nThe Well\n", source).is_err(), "in their order");
    assert_eq!(excerpt("> east\n", source).unwrap(), "> east\n");
}
