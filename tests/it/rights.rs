//! Permissions: a command above a player's rank has no effect, however it is typed.

use crate::table::{Table, changed_content, seeded};
use deepwell::base::{GameTime, Right, Rights};
use deepwell::game::command::{reference, reference_with};
use deepwell::world::{Meta, Role, Snapshot};

/// Arguments appended to commands.
const ARGUMENTS: [&str; 14] = [
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

fn comparable_rows(table: &Table) -> Snapshot {
    let snapshot = table.world().snapshot();
    let meta = snapshot.meta.clone().map(|meta| Meta { time: GameTime(0), ..meta });
    Snapshot { meta, ..snapshot }
}

/// Every command above a rank, with every argument and spelling, changes no row and writes no audit line; neither does
/// a prefix of its name.
#[test]
fn a5_commands_above_a_rank_have_no_effect_in_any_spelling() {
    let mut table = Table::new(seeded(3));
    table.checks_every(50);
    for name in ["Olad", "Bera", "Cara"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    table.types("Cara", "bug There is a hole.");
    table.types("Cara", "down");
    table.types("Cara", "east");
    for role in [Role::Player, Role::Helper, Role::Builder, Role::Admin] {
        table.types("Olad", &format!("promote bera {}", role.name()));
        let own: Vec<&str> = reference(role).map(|[name, ..]| name).collect();
        let above = reference(Role::Owner).map(|[name, ..]| name).filter(|name| !own.contains(name));
        let written = table.stored().audit.len();
        for name in above {
            let before = comparable_rows(&table);
            for behind in ARGUMENTS {
                for called in [name.to_owned(), format!("@{name}"), name.to_uppercase(), format!("  {name} ")]
                {
                    let answer = table.types("Bera", &format!("{called} {behind}"));
                    assert!(
                        comparable_rows(&table) == before,
                        "{}: {called} {behind}: {answer}",
                        role.name()
                    );
                }
            }
            // A prefix may match a command that everyone may use.
            for end in 3..name.len() {
                table.types("Bera", &format!("{} hello", &name[..end]));
            }
        }
        assert_eq!(table.stored().audit.len(), written, "{}: something was done", role.name());
        assert_eq!(table.closed(), [], "{}", role.name());
    }
}

/// `quell` makes a staff member a player until typed again or until logout; players cannot type it.
#[test]
fn a5_quell_suspends_the_rank() {
    let mut table = Table::new(seeded(3));
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    assert!(table.types("Bera", "quell").contains("There is no command"), "a player has no rank to lay down");
    assert!(!table.types("Bera", "commands").contains("quell:"));
    assert!(table.types("Olad", "examine here").contains("describe here"));
    assert!(table.types("Olad", "quell").contains("Type quell again"));
    let before = comparable_rows(&table);
    let own: Vec<&str> = reference(Role::Player).map(|[name, ..]| name).collect();
    for [name, ..] in reference(Role::Owner).filter(|[name, ..]| !own.contains(name)) {
        table.types("Olad", &format!("{name} here = Mine"));
        assert!(comparable_rows(&table) == before, "{name}");
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

/// For every command and right: a player with one right can use its commands, and no others.
#[test]
fn single_right_allows_exactly_its_commands() {
    let mut table = Table::new(seeded(3));
    table.checks_every(50);
    for name in ["Olad", "Bera", "Cara"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    let all: Vec<&str> = reference(Role::Owner).map(|[name, ..]| name).collect();
    let mut seen = 0;
    for right in Right::ALL.into_iter().filter(|right| *right != Right::Grant) {
        table.types("Olad", &format!("grant bera {}", right.name()));
        let own: Vec<&str> = reference_with(Rights::NONE.with(right)).map(|[name, ..]| name).collect();
        let listed = table.types("Bera", "commands");
        for name in &all {
            let is_listed = listed.lines().any(|line| line.starts_with(&format!("{name}: ")));
            let learnt_below = ["sneak", "track"].contains(name);
            if own.contains(name) {
                seen += u32::from(is_listed);
                continue;
            }
            assert!(!is_listed || learnt_below, "{}: {name} is listed", right.name());
            let before = comparable_rows(&table);
            for behind in ["", "bera owner", "Cellar = hatch, out", "here = Something else", "60"] {
                let answer = table.types("Bera", &format!("{name} {behind}"));
                assert!(comparable_rows(&table) == before, "{}: {name} {behind}: {answer}", right.name());
            }
        }
        table.types("Olad", &format!("revoke bera {}", right.name()));
        assert_eq!(table.world().accounts[table.account("Bera")].granted.len(), 0);
    }
    assert!(seen > 500, "players' commands are listed for all of them: {seen}");
}

/// Every command needs no right, a right of some rank, or is the owner's alone.
#[test]
fn every_command_is_available_to_some_rank() {
    let of_owner = |[name, ..]: &[&str; 4]| *name == "grant" || *name == "revoke";
    let of_admin: Vec<&str> = reference(Role::Admin).map(|[name, ..]| name).collect();
    for command in reference(Role::Owner) {
        assert!(of_admin.contains(&command[0]) || of_owner(&command), "{}", command[0]);
    }
}

/// The owner grants and revokes single rights. The player is notified; the change survives a restart, is audited, and
/// ends with the rank.
#[test]
fn owner_grants_and_revokes_single_rights() {
    let mut table = Table::new(seeded(3));
    for name in ["Olad", "Bera", "Cara"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    table.types("Olad", "north");
    table.types("Bera", "north");
    table.types("Olad", "promote cara admin");
    assert!(table.types("Cara", "grant bera dig").contains("There is no command"), "it is the owner's alone");
    assert!(table.types("Olad", "grant bera dgi").contains("did you mean dig?"));
    assert!(table.types("Olad", "grant bera grant").contains("the owner's alone"));
    assert!(table.types("Olad", "revoke olad dig").contains("The owner has all rights"));
    assert!(table.types("Olad", "revoke bera dig").contains("does not have the right dig"));
    table.hears("Bera");
    assert!(table.types("Olad", "grant bera texts").contains("Bera has the right texts now."));
    assert!(table.hears("Bera").contains("You have a right more: texts."));
    assert!(table.types("Olad", "grant bera texts").contains("already"));
    table.restart();
    assert!(table.types("Bera", "describe here = Swept.").contains("It is written."));
    assert!(table.types("Bera", "dig Cellar = hatch, out").contains("There is no command"));
    assert!(
        table.types("Bera", "quell").contains("Type quell again"),
        "a single right can be laid down, too"
    );
    assert!(table.types("Bera", "describe here = Dirty.").contains("There is no command"));
    table.types("Bera", "quell");
    assert!(table.types("Olad", "grant bera").contains("a player, with these rights: texts."));
    assert!(table.stored().audit.values().any(|line| line.action == "grant bera texts"));
    table.types("Olad", "promote bera builder");
    assert!(table.world().accounts[table.account("Bera")].granted.is_empty(), "the rank counts from now on");
    table.types("Bera", "dig Cellar = hatch, out");
    table.types("Olad", "revoke bera dig");
    assert!(table.hears("Bera").contains("You have a right less: dig."));
    assert!(table.types("Bera", "dig Attic = trap, out").contains("There is no command"));
    assert!(table.types("Bera", "undo").contains("takes the right dig"), "what it was done by");
    assert!(table.types("Bera", "describe here = Swept again.").contains("It is written."));
    table.types("Olad", "revoke bera scripts");
    assert!(table.types("Bera", "set on_enter = tell Boo.").contains("There is no command"));
    table.types("Olad", "grant bera dig");
    assert!(table.types("Bera", "set on_enter = tell Boo.").contains("takes the right scripts"));
    table.types("Bera", "zone new mill");
    table.types("Olad", "revoke bera publish");
    assert!(table.types("Bera", "zone publish now").contains("takes the right publish"));
}

#[test]
fn ranks_are_defined_by_content() {
    let ranks = "[[ranks]]\nrank = \"helper\"\nrights = [\"texts\"]\n";
    let mut table = Table::with_content(seeded(3), &changed_content(&[("ranks.toml", ranks)]));
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    table.types("Olad", "promote bera helper");
    table.types("Bera", "north");
    assert!(table.types("Bera", "describe here = Swept.").contains("It is written."));
    assert!(table.types("Bera", "announce Hello").contains("There is no command"));
}
