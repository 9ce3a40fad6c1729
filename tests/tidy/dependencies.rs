//! Checks of dependencies against deny.toml: licences, sources and banned crates. `cargo deny` reads the same file and
//! checks more; this test needs no tool and no network.

use super::{assert_no_complaints, read, root};
use serde_json::Value;
use std::fmt::Write as _;
use std::process::Command;

/// Returns a list of strings from deny.toml.
fn list(rules: &toml::Table, section: &str, key: &str) -> Vec<String> {
    let list = rules[section][key].as_array().expect("a list");
    list.iter().map(|word| word.as_str().expect("texts").to_owned()).collect()
}

fn rules() -> toml::Table {
    read(&root().join("deny.toml")).parse().expect("deny.toml is TOML")
}

/// Returns `true` if the allowed licences satisfy an SPDX expression: `A OR B` needs one of the two, `A AND B` both.
fn is_allowed(licence: &str, allowed: &[String]) -> bool {
    let spaced = licence.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (verdict, rest) = either(&words, allowed);
    verdict && rest.is_empty()
}

fn either<'w>(words: &'w [&'w str], allowed: &[String]) -> (bool, &'w [&'w str]) {
    let (mut verdict, mut rest) = both(words, allowed);
    while let Some((&"OR", more)) = rest.split_first() {
        let (other, after) = both(more, allowed);
        (verdict, rest) = (verdict || other, after);
    }
    (verdict, rest)
}

fn both<'w>(words: &'w [&'w str], allowed: &[String]) -> (bool, &'w [&'w str]) {
    let (mut verdict, mut rest) = one(words, allowed);
    while let Some((&"AND", more)) = rest.split_first() {
        let (other, after) = one(more, allowed);
        (verdict, rest) = (verdict && other, after);
    }
    (verdict, rest)
}

fn one<'w>(words: &'w [&'w str], allowed: &[String]) -> (bool, &'w [&'w str]) {
    match words {
        ["(", inner @ ..] => {
            let (verdict, rest) = either(inner, allowed);
            (verdict && rest.first() == Some(&")"), rest.get(1..).unwrap_or_default())
        }
        // An exception only grants more rights, but none has been reviewed.
        [_, "WITH", _, rest @ ..] => (false, rest),
        [name, rest @ ..] => (allowed.iter().any(|allowed| allowed == name), rest),
        [] => (false, &[]),
    }
}

/// Every crate built for this machine has an allowed licence.
#[test]
fn o10_dependency_licences_are_allowed() {
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version=1", "--filter-platform", &target])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo says JSON");
    let allowed = list(&rules(), "licenses", "allow");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 100);
    let mut complaints = String::new();
    for package in packages {
        let licence = package["license"].as_str().unwrap_or("none");
        if !is_allowed(licence, &allowed) {
            let _ = writeln!(complaints, "{}: {licence}", package["name"]);
        }
    }
    assert_no_complaints(&complaints);
}

/// Every crate of the lock file comes from crates.io, with its checksum, and none is banned.
#[test]
fn o10_dependencies_come_from_crates_io_and_are_not_banned() {
    let lock: toml::Table = read(&root().join("Cargo.lock")).parse().expect("a lock file is TOML");
    let banned = list(&rules(), "bans", "deny");
    let mut complaints = String::new();
    for package in lock["package"].as_array().expect("packages") {
        let word = |key: &str| package.get(key).and_then(toml::Value::as_str).unwrap_or_default();
        let name = word("name");
        let is_own = name == env!("CARGO_PKG_NAME") || name.starts_with("deepwell-");
        let from = "registry+https://github.com/rust-lang/crates.io-index";
        if !is_own && (word("source") != from || word("checksum").is_empty()) {
            let _ = writeln!(complaints, "{name}: from {:?}", word("source"));
        }
        if banned.iter().any(|banned| banned == name) {
            let _ = writeln!(complaints, "{name}: refused by deny.toml");
        }
    }
    assert_no_complaints(&complaints);
}

#[test]
fn licence_expressions_are_evaluated() {
    let allowed = ["MIT".to_owned(), "ISC".to_owned()];
    for (licence, verdict) in [
        ("MIT", true),
        ("MIT/Apache-2.0", true),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0 AND MIT", false),
        ("(GPL-3.0 OR MIT) AND ISC", true),
        ("MIT AND (GPL-3.0 OR BSL-1.0)", false),
        ("Apache-2.0 WITH LLVM-exception OR MIT", true),
        ("MIT MIT", false),
        ("none", false),
    ] {
        assert_eq!(is_allowed(licence, &allowed), verdict, "{licence}");
    }
}
