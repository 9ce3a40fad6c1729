//! Order of the game modules: each module uses only those before it in `crates/game/src/lib.rs`. Calls in the other direction
//! go through a `GameEvent`.

use crate::paths::{Paths, product};
use crate::{Source, assert_no_complaints, read, root};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Returns the modules of the game in declaration order.
pub(crate) fn modules() -> Vec<String> {
    let text = read(&root().join("crates/game/src/lib.rs"));
    // The harness of the tests is declared at the end.
    let rules = text.split("#[cfg(test)]").next().unwrap_or_default();
    let declared =
        rules.lines().filter_map(|line| line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod "));
    declared.filter_map(|name| name.strip_suffix(';')).map(str::to_owned).collect()
}

/// Returns the game module of a file; `None` for `lib.rs` and for files outside the game.
fn module(source: &Source) -> Option<&str> {
    let inner = source.path.strip_prefix("crates/game/src/").filter(|inner| *inner != "lib.rs")?;
    inner.split(['/', '.']).next()
}

/// Returns the game modules that a file names, in imports and in its code.
fn used(source: &Source) -> BTreeSet<String> {
    let paths = Paths::of(&source.text);
    let module = |path: Vec<&str>| match path.as_slice() {
        ["game", module, ..] => Some((*module).to_owned()),
        _ => None,
    };
    paths.absolute(&source.path).filter_map(module).collect()
}

#[test]
fn game_module_uses_only_earlier_modules() {
    let order = modules();
    let rank = |name: &str| order.iter().position(|known| known == name);
    let mut complaints = String::new();
    for source in product() {
        let Some(own) = module(&source) else { continue };
        let Some(place) = rank(own) else {
            let _ = writeln!(complaints, "{}: crates/game/src/lib.rs does not declare {own}", source.path);
            continue;
        };
        for later in used(&source).iter().filter(|used| rank(used).is_some_and(|used| used > place)) {
            let _ = writeln!(complaints, "{}: {own} may not use {later}", source.path);
        }
    }
    assert_no_complaints(&complaints);
}

#[test]
fn used_game_modules_are_found_in_every_form() {
    assert!(modules().len() > 20 && modules().iter().any(|name| name == "turn"), "{:?}", modules());
    let text = "use super::{self as rules, party};\nuse super::turn::Turn;\nuse crate::{fight,\n    exit::open};\n\
                fn f() { crate::look::see(\"crate::staff\", super::room::X); rules::speech::say() }\n";
    let source = Source { path: "crates/game/src/step.rs".into(), text: text.into() };
    let wanted = ["exit", "fight", "look", "party", "room", "speech", "turn"].map(str::to_owned);
    assert_eq!(used(&source), wanted.into());
    assert_eq!(module(&source), Some("step"));
}
