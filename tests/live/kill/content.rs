//! Content for the server under test: the shipped content with the well as its only level, for a quick start; no
//! wandering creatures; strong and rich beginners, quick levels and much loot. Two levels are added: a den with a
//! creature in each room, and gates with a puzzle in each room but the first, which is empty.

use deepwell::catalog::{BUILTIN, Catalog, ItemPrototype};
use deepwell::text::grammar;
use std::sync::{Arc, LazyLock};

/// Catalogue loaded from the files.
pub(crate) static CATALOG: LazyLock<Arc<Catalog>> =
    LazyLock::new(|| Arc::new(Catalog::load(&files()).expect("the content has no mistakes")));

const PERILS: &str = "[[perils]]\nkind = ";

/// Parses a name with a count; returns the item's name with its article, and the count.
pub(crate) fn parse_item_count(text: &str) -> (&'static str, u32) {
    let of = |item: &'static ItemPrototype| {
        let several = || {
            let number = text.strip_suffix(item.plural.as_str())?.trim_end();
            (2..=100).find(|count| grammar::number(*count) == number)
        };
        let count = if item.with_article == text { Some(1) } else { several() };
        Some((item.with_article.as_str(), count?))
    };
    CATALOG.items.values().find_map(of).unwrap_or_else(|| panic!("what is {text:?}?"))
}

/// Returns all files, by path.
pub(crate) fn files() -> Vec<(String, String)> {
    // Puzzles in folders list the themes that use them; vaults and room scripts list their level types.
    let folders = ["levels/", "themes/", "vaults/", "rooms/"];
    let of_levels = |path: &str| folders.iter().any(|folder| path.starts_with(folder));
    let of_puzzle = |path: &str| path.ends_with("/puzzle.toml") || path.ends_with("/puzzle.luau");
    let is_used = |path: &str| path.contains("/well.") || !of_levels(path) && !of_puzzle(path);
    let used = BUILTIN.iter().filter(|(path, _)| is_used(path));
    let mut files: Vec<(String, String)> = used.map(|(path, text)| changed(path, text)).collect();
    for (name, kind) in [("gates", "puzzle"), ("den", "monsters")] {
        let level = text("levels/well.toml").replace("\"well\"", &format!("\"{name}\""));
        files.push((format!("levels/{name}.toml"), level));
        files.push((format!("themes/{name}.toml"), theme(name, kind)));
    }
    files
}

fn text(path: &str) -> &'static str {
    BUILTIN.iter().find(|(known, _)| *known == path).expect("it is there").1
}

fn changed(path: &str, text: &str) -> (String, String) {
    let mut text = text.to_owned();
    for (from, to) in [
        ("roamer_percent = 6", "roamer_percent = 0"),
        ("invite_secs = 120", "invite_secs = 7200"),
        ("hp = 30\nattack = 5\ndefence = 2\npurse = 50", "hp = 300\nattack = 60\ndefence = 10\npurse = 5000"),
        ("roll_worth = 10", "roll_worth = 1"),
        ("base = 200\nfactor = 150", "base = 20\nfactor = 10"),
    ] {
        text = text.replace(from, to);
    }
    while let Some((before, (_, after))) =
        text.split_once(", theme = \"").and_then(|(before, rest)| Some((before, rest.split_once('"')?)))
    {
        text = format!("{before}{after}");
    }
    if path.starts_with("loot/") {
        let lines = text
            .lines()
            .map(|line| if line.starts_with("item_percent") { "item_percent = 100" } else { line });
        text = lines.collect::<Vec<_>>().join("\n");
    }
    (path.to_owned(), text)
}

/// Returns the well's theme with one kind of peril only. The other kinds must be present, so they get minimal weight.
fn theme(name: &str, kind: &str) -> String {
    let well = text("themes/well.toml");
    let (head, rest) = well.split_once(PERILS).expect("perils");
    let (_, tail) = rest.rsplit_once(PERILS).expect("more perils");
    let (_, tail) = tail.split_once("\n\n").expect("what comes after them");
    let (tail, _) = tail.split_once("\n# Puzzles behind gates").expect("a list of puzzles");
    // The first room can have no gate, and is to be empty then.
    let weight = |one: &str| match one {
        _ if one == kind => 10_000,
        "none" if kind == "puzzle" => 10_000,
        _ => 1,
    };
    let peril = |one: &str| format!("{PERILS}\"{one}\"\nweight = {}\n\n", weight(one));
    let perils: String = ["none", "monsters", "puzzle", "treasure"].into_iter().map(peril).collect();
    let mut theme = format!("{head}{perils}{tail}\n");
    for (from, to) in [
        ("name = \"The well\"", format!("name = \"The {name}\"").as_str()),
        ("roamer_percent = 6", "roamer_percent = 0"),
        ("lever_weight = 12", "lever_weight = 0"),
        ("landmark_every = 12", "landmark_every = 1"),
    ] {
        assert!(theme.contains(from), "{from}");
        theme = theme.replacen(from, to, 1);
    }
    theme
        + "\n[[puzzles]]\nkind = \"machine\"\ngoal = \"Set the levers and walk through the machine\"\n\
        [puzzles.params]\nrooms = 6\ngates = 2\nlevers = 3\nleast_pulls = 1\n"
}
