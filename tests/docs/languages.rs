//! Every fenced block of a page is of a kind that a test checks, or is in a short list of exceptions.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde_json::{Deserializer, Value};
use sqlx::{Connection, SqliteConnection};

use crate::fences::{all_fences, fences, root};

/// Number of drawings per page; these blocks cannot be checked.
const DRAWINGS: [(&str, usize); 3] =
    [("ARCHITECTURE.md", 3), ("docs/build/dungeon.md", 3), ("docs/develop/protocols.md", 1)];

/// Returns `true` if a test reads blocks of this language and hint.
fn is_read(language: &str, hint: &str) -> bool {
    match language {
        // `tests/container/evening.py` runs and types the others.
        "sh" => matches!(hint, "" | "evening"),
        // Rust code must be part of a compiled file, which `rust_examples_are_compiled` checks.
        "toml" | "json" | "sql" | "rust" => true,
        "luau" => hint.starts_with("content/"),
        "text" => {
            matches!(hint, "syntax" | "typed" | "help" | "evening")
                || hint.starts_with("deepwell ")
                || hint.starts_with("from ")
        }
        _ => false,
    }
}

/// Configurations of other programs, by language, with the page that contains them.
const OTHER_PROGRAMS: [(&str, &str); 2] =
    [("nginx", "docs/operate/web.md"), ("logrotate", "docs/operate/operations.md")];

/// No block is of a kind that no test reads.
#[test]
fn every_block_is_checked_by_a_test() {
    let (mut complaints, mut drawings) = (String::new(), BTreeMap::<String, usize>::new());
    for fence in all_fences() {
        if fence.language == "text" && fence.hint == "drawing" {
            let page = fence.place.split(':').next().unwrap_or_default();
            *drawings.entry(page.to_owned()).or_default() += 1;
        } else if let Some((_, page)) =
            OTHER_PROGRAMS.iter().find(|(language, _)| fence.language == *language)
        {
            assert!(fence.place.starts_with(page), "{}", fence.place);
        } else if !is_read(&fence.language, &fence.hint) {
            let _ =
                writeln!(complaints, "{}: no test reads `{} {}`", fence.place, fence.language, fence.hint);
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
    assert_eq!(drawings, DRAWINGS.map(|(page, count)| (page.to_owned(), count)).into());
}

/// JSON examples are valid; some follow the name of a message.
#[test]
fn json_examples_are_valid() {
    let (mut complaints, mut read) = (String::new(), 0);
    for fence in fences("json") {
        let is_name = |word: &str| word.contains('.') && word.starts_with(|c: char| c.is_ascii_uppercase());
        let mut text = String::new();
        for line in fence.text.lines() {
            let named = line.split_once(' ').filter(|(word, _)| is_name(word));
            text += named.map_or(line, |(_, rest)| rest);
            text.push('\n');
        }
        for value in Deserializer::from_str(&text).into_iter::<Value>() {
            read += 1;
            if let Err(error) = value {
                let _ = writeln!(complaints, "{}: {error}", fence.place);
                break;
            }
        }
    }
    assert!(read > 20, "the examples were not found");
    assert!(complaints.is_empty(), "\n{complaints}");
}

/// SQL examples run on a new database.
#[tokio::test]
async fn sql_examples_run_on_a_new_database() {
    let mut database = SqliteConnection::connect("sqlite::memory:").await.expect("a database");
    let entries = fs::read_dir(root().join("migrations")).expect("a folder");
    let mut migrations: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    migrations.sort();
    for path in migrations {
        let text = fs::read_to_string(&path).expect("a migration");
        sqlx::raw_sql(sqlx::AssertSqlSafe(text)).execute(&mut database).await.expect("it is carried out");
    }
    let questions = fences("sql");
    assert!(!questions.is_empty(), "the questions were not found");
    for fence in questions {
        let answer = sqlx::raw_sql(sqlx::AssertSqlSafe(fence.text)).fetch_all(&mut database).await;
        assert!(answer.is_ok(), "{}: {answer:?}", fence.place);
    }
}

/// Rust examples are part of a file that is compiled.
#[test]
fn rust_examples_are_compiled() {
    let compiled = [
        "tests/it/lamps.rs",
        "tests/it/tutorial.rs",
        "crates/core/src/puzzle/registry.rs",
        "tests/docs/moss.rs",
    ]
    .map(|path| fs::read_to_string(root().join(path)).expect("a source"));
    let squeeze = |text: &str| text.split_whitespace().collect::<String>();
    let known: Vec<String> = compiled.iter().map(|text| squeeze(text)).collect();
    for fence in fences("rust") {
        // In the registry, the example takes the place of a shipped puzzle.
        let code = squeeze(&fence.text).replace("lamps::Lamps", "vault::Vault");
        let found = known.iter().any(|text| text.contains(&code));
        assert!(found, "{}: this is compiled nowhere", fence.place);
    }
}
