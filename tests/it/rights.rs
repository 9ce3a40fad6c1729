//! What staff may do is done for nobody below them, however it is called.

use crate::table::{Table, seeded};
use deepwell::base::GameTime;
use deepwell::game::command::reference;
use deepwell::world::{Meta, Role, Snapshot};

/// What stands behind a command.
const BEHIND: [&str; 14] = [
    "",
    "hello",
    "bera owner",
    "cara admin",
    "60",
    "list",
    "collapse 1",
    "done 1",
    "test myhero seed=7",
    "Cellar = hatch, out",
    "north = Cellar",
    "here = Something else",
    "east window = 600",
    "lodge",
];

fn rows(table: &Table) -> Snapshot {
    let snapshot = table.world().snapshot();
    let meta = snapshot.meta.clone().map(|meta| Meta { time: GameTime(0), ..meta });
    Snapshot { meta, ..snapshot }
}

/// A5: every command above a rank, with all that may stand behind it, written in every way: no row changes, nothing is
/// written down as done, and its beginning does not mean it either.
#[test]
fn a5_nothing_above_a_rank_is_done_for_it_however_it_is_called() {
    let mut table = Table::new(seeded(3));
    table.checks_every(50);
    for name in ["Olad", "Bera", "Cara"] {
        table.sit(name);
    }
    table.crown("Olad");
    table.types("Cara", "bug There is a hole.");
    table.types("Cara", "down");
    table.types("Cara", "east");
    for role in [Role::Player, Role::Helper, Role::Builder, Role::Admin] {
        table.types("Olad", &format!("promote bera {}", role.name()));
        let own: Vec<&str> = reference(role).map(|[name, ..]| name).collect();
        let above = reference(Role::Owner).map(|[name, ..]| name).filter(|name| !own.contains(name));
        let written = table.stored().audit.len();
        for name in above {
            let before = rows(&table);
            for behind in BEHIND {
                for called in [name.to_owned(), format!("@{name}"), name.to_uppercase(), format!("  {name} ")]
                {
                    let answer = table.types("Bera", &format!("{called} {behind}"));
                    assert!(rows(&table) == before, "{}: {called} {behind}: {answer}", role.name());
                }
            }
            // Its beginning may well mean something that everybody may do.
            for end in 3..name.len() {
                table.types("Bera", &format!("{} hello", &name[..end]));
            }
        }
        assert_eq!(table.stored().audit.len(), written, "{}: something was done", role.name());
        assert_eq!(table.closed(), [], "{}", role.name());
    }
}

/// A5: whoever quells their rank is a player until they take it up again or fall asleep, and nobody without a rank can.
#[test]
fn a5_a_rank_can_be_laid_down() {
    let mut table = Table::new(seeded(3));
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    table.crown("Olad");
    assert!(table.types("Bera", "quell").contains("There is no command"), "a player has no rank to lay down");
    assert!(!table.types("Bera", "commands").contains("quell:"));
    assert!(table.types("Olad", "examine here").contains("describe here"));
    assert!(table.types("Olad", "quell").contains("Type quell again"));
    let before = rows(&table);
    let own: Vec<&str> = reference(Role::Player).map(|[name, ..]| name).collect();
    for [name, ..] in reference(Role::Owner).filter(|[name, ..]| !own.contains(name)) {
        table.types("Olad", &format!("{name} here = Mine"));
        assert!(rows(&table) == before, "{name}");
        assert!(!table.types("Olad", &format!("help {name}")).contains("\nExample: "), "{name}");
    }
    assert!(!table.types("Olad", "examine here").contains("describe here"));
    assert!(!table.types("Olad", "commands").contains("describe:"));
    assert!(table.types("Olad", "quell").contains("You are an owner again."));
    assert!(table.types("Olad", "describe here = Mine.").contains("It is written."));
    table.types("Olad", "quell");
    table.restart();
    assert!(table.types("Olad", "examine here").contains("describe here"));
}
