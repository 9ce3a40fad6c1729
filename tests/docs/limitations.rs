//! Limitations in the README are true: each statement has a check against the code, and no denied word names a command, a
//! help page, a protocol, a form of the web builder or a page of the documentation.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use deepwell::game::command;
use deepwell::server::config::Config;
use deepwell::session::MsspFigures;

use crate::fences::{name, pages, root};

/// Statement, by words that it contains, and a check that it still holds.
type Check = (&'static str, fn() -> bool);

/// A check for each statement. Its words may name a feature, such as `fight`, since the check proves the whole statement.
const CHECKS: &[Check] = &[
    ("no fights between players except duels by consent", || {
        let deeds = read("crates/game/src/combat/rounds/deeds.rs");
        deeds.contains("Climbers do not fight each other, except in a ring, by consent")
            && any_feature(&["duels"])
    }),
    ("no player housing", || !any_feature(&["house", "housing", "home", "rent", "furnish"])),
    ("in English only", || !fs::exists(root().join("content/languages")).expect("a folder")),
    ("neither MSDP, MXP and MSP", || ["MSDP", "MXP", "MSP"].iter().all(|name| !is_supported(name))),
    ("compression from client to server (MCCP3)", || {
        !fs::exists(root().join("src/protocol/telnet/mccp3.rs")).expect("a folder")
    }),
    ("no sound files", || {
        !has_file("web", &["ogg", "mp3", "wav"]) && !has_file("content", &["ogg", "mp3", "wav"])
    }),
    ("no forms for branches, vaults and puzzles", || {
        let forms = forms();
        ["branch", "vault", "puzzle"].iter().all(|part| !forms.contains(*part))
    }),
    ("needs a Unix system", || read("src/server/control/mod.rs").contains("Unix")),
    ("on one core of one machine", || {
        read("docs/operate/scaling.md").contains("its game is one task on one core")
    }),
];

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn has_file(folder: &str, ends: &[&str]) -> bool {
    let entries =
        fs::read_dir(root().join(folder)).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut paths = entries.into_iter();
    paths.any(|path| {
        let below = path.strip_prefix(root()).expect("a path").display().to_string();
        path.is_dir() && has_file(&below, ends)
            || path.extension().is_some_and(|end| ends.iter().any(|e| end == *e))
    })
}

/// Returns `true` if the server reports a protocol to listing sites as supported.
fn is_supported(protocol: &str) -> bool {
    let variables = Config::default().listing_variables(None, MsspFigures::default());
    let (_, values) = variables.iter().find(|(name, _)| name == protocol).expect("a protocol");
    values != &["0"]
}

/// Lower-case singular of a word.
fn singular(word: &str) -> String {
    let word = word.to_lowercase();
    let stem = word.strip_suffix("ches").map(|stem| format!("{stem}ch"));
    stem.or_else(|| word.strip_suffix('s').map(str::to_owned)).unwrap_or(word)
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).map(singular)
}

/// Returns what the web builder has forms for: the words of its modules and of the headings of its page.
fn forms() -> BTreeSet<String> {
    let modules = fs::read_dir(root().join("web/build")).expect("a folder");
    let modules = modules.map(|module| module.expect("a file").file_name().to_string_lossy().into_owned());
    let page = read("docs/build/building-page.md");
    let (page, _) = page.split_once("## Type everything else").expect("the heading");
    let headings: Vec<_> = page.lines().filter(|line| line.starts_with("## ")).map(str::to_owned).collect();
    modules.chain(headings).flat_map(|text| words(&text).collect::<Vec<_>>()).collect()
}

/// Returns the words that name a feature.
fn features() -> BTreeSet<String> {
    let commands = command::names().map(str::to_owned);
    let stem = |path: &std::path::PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let help = fs::read_dir(root().join("content/help")).expect("a folder");
    let help = help.filter_map(|page| stem(&page.expect("a file").path()));
    let documents =
        pages().into_iter().filter(|page| name(page).starts_with("docs/")).filter_map(|page| stem(&page));
    let variables = Config::default().listing_variables(None, MsspFigures::default());
    let protocols = variables.into_iter().filter(|(_, values)| values == &["1"]).map(|(name, _)| name);
    let named = commands.chain(help).chain(documents).chain(protocols);
    named.flat_map(|text| words(&text).collect::<Vec<_>>()).chain(forms()).collect()
}

fn any_feature(words: &[&str]) -> bool {
    let features = features();
    words.iter().any(|word| features.contains(&singular(word)))
}

/// Returns the words that a statement denies: those from a negation to the end of the clause.
fn denied(statement: &str) -> Vec<String> {
    let mut found = Vec::new();
    for clause in statement.split([',', ';', ':', '.']) {
        let split = ["no ", "not ", "neither ", "nor ", "cannot "]
            .iter()
            .find_map(|negation| clause.split_once(negation));
        found.extend(split.into_iter().flat_map(|(_, rest)| words(rest)));
    }
    found
}

/// Returns the mistakes in a list of statements.
fn mistakes(statements: &[String]) -> String {
    let (features, mut complaints) = (features(), String::new());
    for statement in statements {
        let checks: Vec<_> = CHECKS.iter().filter(|(fragment, _)| statement.contains(fragment)).collect();
        if checks.is_empty() {
            let _ = writeln!(complaints, "no check proves: {statement}");
        }
        for (fragment, _) in checks.iter().filter(|(_, holds)| !holds()) {
            let _ = writeln!(complaints, "no longer true: {fragment}");
        }
        let proved: BTreeSet<_> = checks.iter().flat_map(|(fragment, _)| words(fragment)).collect();
        for word in
            denied(statement).iter().filter(|word| features.contains(*word) && !proved.contains(*word))
        {
            let _ = writeln!(complaints, "{word} is denied, and is a feature: {statement}");
        }
    }
    complaints
}

/// Returns the statements of the list: each item on one line.
fn limitations() -> Vec<String> {
    let readme = read("README.md");
    let (_, list) = readme.split_once("## Limitations\n").expect("the list");
    let list = list.split("\n## ").next().unwrap_or_default();
    let items = list.split("\n- ").skip(1).map(|item| item.split("\n\n").next().unwrap_or_default());
    items.map(|item| item.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn limitations_are_true() {
    let statements = limitations();
    let complaints = mistakes(&statements);
    assert!(complaints.is_empty(), "\n{complaints}");
    for (fragment, _) in CHECKS {
        let is_stated = statements.iter().any(|statement| statement.contains(fragment));
        assert!(is_stated, "no statement says: {fragment}");
    }
}

/// Statements that were true once: each denies a command, a page, a protocol or a form that exists, or has no check.
#[test]
fn outdated_limitations_are_found() {
    for (statement, mistake) in [
        ("There is no mail, no fights between players.", "mail is denied"),
        ("There are no fights between players, and no message boards.", "board is denied"),
        ("The server supports neither MSDP, MXP and MSP, nor GMCP.", "gmcp is denied"),
        ("The game has no quests in English only.", "quest is denied"),
        ("The server needs a Unix system and cannot run in a cluster.", "cluster is denied"),
        ("The web builder has no forms for variables.", "variable is denied"),
        ("The web builder edits rooms only.", "no check proves"),
        ("One process serves one world.", "no check proves"),
    ] {
        let complaints = mistakes(&[statement.to_owned()]);
        assert!(complaints.contains(mistake), "{statement}: {complaints:?}");
    }
}
