//! The page of all commands, generated from the command table.

use crate::generated;
use deepwell::game::command::reference;
use deepwell::world::Role;
use std::fmt::Write as _;

/// Text before the first command.
const COMMANDS_HEAD: &str = "\
# Commands

This page is for players, builders and staff who look up the syntax of a command. `help COMMAND` shows the same text in
the game:

```text from tests/data/transcripts/settings.txt
> help kill
kill
Attacks a creature here. The fight goes on by itself, a blow a round, until one falls or flees.
Type: kill, and if you like CREATURE
Example: kill rat: you strike at the rat, and it strikes back.
Also: attack, k, hit, fight, slay
```

The commands are listed by the rank that may type them. Each rank may also type the commands of the ranks before it;
`commands` lists those that you may type. This page is generated from the command table; update it with
`WRITE_GENERATED=1 cargo test --test docs`.

To move, type `north`, `east`, `south`, `west`, `up` or `down`, their first letters, or the name of any exit of the room.
Commands may be abbreviated, as in `inv`, as long as no earlier command begins with the same letters. For an unknown
command, the server suggests the most similar one. A leading `@` is ignored.
";

fn commands_page() -> String {
    let mut page = String::from(COMMANDS_HEAD);
    let mut names = Vec::new();
    for role in Role::ALL {
        let fresh: Vec<_> = reference(role).filter(|[name, ..]| !names.contains(name)).collect();
        if fresh.is_empty() {
            continue;
        }
        let mut title = role.name().to_owned();
        title[..1].make_ascii_uppercase();
        let _ = writeln!(page, "\n## {title}");
        for [name, syntax, summary, example] in fresh {
            names.push(name);
            let help = [wrapped(summary), wrapped(&format!("Example: {example}"))].join("\n\n");
            let _ = writeln!(page, "\n### {name}\n\n`{syntax}`\n\n```text help\n{help}\n```");
        }
    }
    page
}

/// Breaks a line of help into lines of at most 100 characters, since renderers do not wrap a block.
pub(crate) fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("a line");
        if line.chars().count() + 1 + word.chars().count() > 100 {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}

#[test]
fn commands_page_matches_the_command_table() {
    let is_current = generated::is_up_to_date("docs/play/commands.md", &commands_page());
    assert!(is_current, "docs/play/commands.md is not what the command table says; {}", generated::HOW);
}
