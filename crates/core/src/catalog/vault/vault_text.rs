//! Vaults as text in the format of `content/vaults`. The order is fixed, so equal vaults give equal text.
//! [`Vault::parse`] reads it.

use crate::base::Direction;
use crate::catalog::{RoomContent, Script, Vault, VaultRoom};
use crate::data::edit::quoted;
use crate::level::VaultRule;

/// Writes the vault as text.
pub fn write(vault: &Vault) -> String {
    let mut text = String::from(
        "# A vault, written by `vault export`. In content/vaults it is one of the content; docs/build/levels.md says what may stand\n\
         # here.\n\n",
    );
    if vault.turns {
        text.push_str("turns = true\n\n");
    }
    for (level_type, rule) in &vault.level_types {
        let VaultRule { percent, least_depth, last_depth, least_difficulty, most } = rule;
        line(&mut text, "", "[[level_types]]");
        field(&mut text, "level_type", &quoted(level_type));
        field(&mut text, "percent", &percent.to_string());
        field(&mut text, "least_depth", &least_depth.to_string());
        if let Some(last) = last_depth {
            field(&mut text, "last_depth", &last.to_string());
        }
        if let Some(least) = least_difficulty {
            field(&mut text, "least_difficulty", &least.to_string());
        }
        field(&mut text, "most", &most.to_string());
        text.push('\n');
    }
    let rooms: Vec<String> = vault.rooms.iter().map(room).collect();
    text + &rooms.join("\n")
}

fn line(text: &mut String, before: &str, line: &str) {
    text.extend([before, line, "\n"]);
}

fn field(text: &mut String, key: &str, value: &str) {
    text.extend([key, " = ", value, "\n"]);
}

fn room(room: &VaultRoom) -> String {
    let VaultRoom { key, at, content, ways, ends, .. } = room;
    let RoomContent { name, environment, description, creatures, items, details, triggers } = content;
    let mut text = String::new();
    line(&mut text, "", "[[rooms]]");
    field(&mut text, "key", &quoted(key));
    field(&mut text, "at", &format!("[{}, {}]", at.x, at.y));
    field(&mut text, "name", &quoted(name));
    if !environment.is_empty() {
        field(&mut text, "environment", &quoted(environment));
    }
    field(&mut text, "description", &quoted(description));
    let sides = |sides: &[Direction]| sides.iter().map(|side| side.name().to_owned()).collect::<Vec<_>>();
    let lists = [
        ("creatures", creatures.clone()),
        ("items", items.clone()),
        ("ways", sides(ways)),
        ("ends", sides(ends)),
    ];
    for (key, words) in lists.into_iter().filter(|(_, words)| !words.is_empty()) {
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        field(&mut text, key, &format!("[{}]", words.join(", ")));
    }
    for (noun, seen) in details {
        line(&mut text, "\n", "[[rooms.details]]");
        field(&mut text, "noun", &quoted(noun));
        field(&mut text, "text", &quoted(seen));
    }
    for (on, lines) in triggers {
        line(&mut text, "\n", "[[rooms.triggers]]");
        field(&mut text, "on", &quoted(&on.to_string()));
        script(&mut text, "lines", lines);
    }
    text
}

/// Writes a script with one line per text.
fn script(text: &mut String, key: &str, script: &Script) {
    let lines: Vec<String> = script.clone().into();
    if !lines.is_empty() {
        let lines: Vec<String> = lines.iter().map(|one| format!("  {},\n", quoted(one))).collect();
        field(text, key, &format!("[\n{}]", lines.concat()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    /// Shipped vaults that are written, read and written again give the same text.
    #[test]
    fn vault_text_round_trip_is_identical() {
        for vault in Catalog::builtin().vaults.values() {
            let text = write(vault);
            let mut mistakes = Vec::new();
            let read = Vault::parse("vaults/again.toml", &text, &mut mistakes).expect("a vault");
            assert_eq!(mistakes, []);
            assert_eq!(write(&read), text);
            assert_eq!(read.plots(), vault.plots());
            assert_eq!(read.level_types, vault.level_types);
        }
    }
}
