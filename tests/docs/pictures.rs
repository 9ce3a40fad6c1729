//! What a page shows of the game and of the generator is what is played and drawn. Behind `text` stands where it comes from:
//!
//! - `text deepwell dungeon map ...`: what that command prints, up to its legend;
//! - `text from tests/data/story.txt`: lines of that file, in their order, with `[...]` where some are left out.
//!
//! A table of figures stands between a comment with the command that tells it, and a comment that ends it.
//!
//! With the switch of `generated` a picture is drawn again, and each piece of an excerpt is what stands in the file from its
//! first line to its last.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use crate::commands::words;
use crate::fences::{name, pages, root};
use crate::generated;

/// How wide a page shows lines of the game.
const WIDTH: usize = 95;

/// What a command prints.
fn printed(line: &str) -> Result<String, String> {
    let words = words(line);
    let output = Command::new(env!("CARGO_BIN_EXE_deepwell"))
        .args(&words[1..])
        .current_dir(std::env::temp_dir())
        .output()
        .expect("the program starts");
    let told = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(told(&output.stdout)) } else { Err(told(&output.stderr)) }
}

/// What a command for a picture prints, up to the legend.
fn drawn(line: &str) -> Result<String, String> {
    let text = printed(line)?;
    let picture = text.split_once("\n\nS is the start").map(|(picture, _)| format!("{picture}\n"));
    picture.ok_or_else(|| format!("no picture: {text}"))
}

/// The table that a command prints, between empty lines.
fn table(line: &str) -> Result<String, String> {
    let rows = printed(line)?;
    let rows = rows.lines().filter(|line| line.starts_with('|')).flat_map(|line| [line, "\n"]);
    Ok(format!("\n{}\n", rows.collect::<String>()))
}

/// A line as it is compared: who types it does not count.
fn plain(line: &str) -> String {
    let line = match line.strip_prefix("> ").and_then(|typed| typed.split_once(": ")) {
        Some((who, typed)) if !who.contains(' ') => format!("> {typed}"),
        _ => line.to_owned(),
    };
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line, broken at spaces.
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

/// An excerpt as the file has it: each piece from its first line to its last.
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

/// What a block should show, if it says where that comes from.
fn source(hint: &str, shown: &str) -> Option<Result<String, String>> {
    if hint.starts_with("deepwell ") {
        return Some(drawn(hint));
    }
    let path = hint.strip_prefix("from ")?;
    let text = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"));
    Some(text.and_then(|text| excerpt(shown, &text)))
}

/// A page with what its blocks should show; how many of them say where they come from; and what is wrong.
fn shows(page: &str, text: &str, wrong: &mut String) -> (String, u32) {
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
                    let _ = writeln!(wrong, "{page}: {complaint}");
                }
            }
        }
        wanted += end;
    }
    (wanted, known)
}

/// Whoever reads a page sees what the program shows today.
#[test]
fn pictures_and_excerpts_are_what_is_drawn_and_played() {
    let (mut wrong, mut known) = (String::new(), 0);
    for path in pages() {
        let page = name(&path);
        let (wanted, of_page) = shows(&page, &fs::read_to_string(&path).expect("a page"), &mut wrong);
        known += of_page;
        if !generated::stands(&page, &wanted) {
            let _ = writeln!(wrong, "{page} shows something else; {}", generated::HOW);
        }
    }
    assert!(known >= 4, "the pictures were not found");
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn an_excerpt_follows_its_file() {
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
