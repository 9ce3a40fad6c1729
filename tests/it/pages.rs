//! Types the commands of the builder documentation in the order of each page; none may be refused.

use crate::fences::{Checkable, name, pages, passages};
use crate::lamps::Lamps;
use crate::table::{Table, seeded};
use deepwell::catalog::{BUILTIN, Catalog, Registries};
use deepwell::game::{Class, Effect, Input, command};
use deepwell::world::Role;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

/// Code spans that mention a command without complete arguments, or name things that the test world lacks.
const MENTIONS: [&str; 12] = [
    "zone import",
    "undo 41",
    "redo 41",
    "undo bera",
    "journal 41",
    "find tag harbour",
    "find uses brass_ring",
    "find orphans",
    "find unlinked",
    "find exits",
    "find unused",
    "check mill",
];

/// Olad (owner) in a newly dug yard with an exit north.
fn with_yard(catalog: &Arc<Catalog>) -> Table {
    let mut table = Table::with_content(seeded(5), catalog);
    table.sit("Olad");
    table.make_owner("Olad");
    table.types_all("Olad", &["north", "dig Yard = yard,out", "yard", "dig Shed = north,south"]);
    table.hears("Olad");
    table
}

/// Types a line and returns its refusal, if any.
fn refused(table: &mut Table, line: &str) -> Option<String> {
    table.hears("Olad");
    let session = table.session("Olad");
    for effect in table.results_of(Input::Command { session, line: line.into() }) {
        let request = if let Effect::Files(request) = &effect { Some(Arc::clone(request)) } else { None };
        table.deliver(effect);
        if let Some(request) = request {
            let (asker, kind) = (request.asker, request.kind);
            table.step(Input::FilesWritten { asker, kind, files: Vec::new(), others: Vec::new() });
        }
    }
    table.read_parts();
    let heard = table.hears_messages("Olad");
    heard.into_iter().find(|heard| heard.class == Class::Refusal).map(|heard| heard.text)
}

/// Returns `true` if a code span is a complete command line: a command with arguments, without placeholders in capitals
/// or dots.
fn is_line(span: &str) -> bool {
    // `close` for doors is accepted without an entry in the command table.
    let is_command =
        |word: &str| word == "close" || command::reference(Role::Owner).any(|[name, ..]| name == word);
    let is_left_open = |word: &str| {
        let capitals = word.chars().filter(char::is_ascii_uppercase).count();
        word == "..." || word.contains('…') || capitals > 1 || capitals == word.len()
    };
    let mut words = span.split_whitespace();
    words.next().is_some_and(is_command)
        && words.next().is_some()
        && !span.split([' ', ';']).any(is_left_open)
        && !MENTIONS.contains(&span)
}

/// Types the `typed` blocks of a page and the selected code spans, each once; returns the number of lines typed.
fn follow(page: &str, table: &mut Table, chosen: impl Fn(&str) -> bool) -> u32 {
    let (mut mistakes, mut typed, mut known) = (String::new(), 0, BTreeSet::new());
    for passage in passages(page) {
        let (place, lines) = match passage {
            Checkable::Block(fence) if fence.hint == "typed" => (fence.place, fence.text),
            Checkable::Span(place, span) if is_line(&span) && chosen(&span) && known.insert(span.clone()) => {
                (place, span)
            }
            _ => continue,
        };
        for line in lines.lines() {
            typed += 1;
            if let Some(refusal) = refused(table, line) {
                let _ = writeln!(mistakes, "{place}: {line}\n    {refusal}");
            }
        }
    }
    assert!(mistakes.is_empty(), "\n{mistakes}");
    typed
}

#[test]
fn building_page_commands_are_accepted() {
    let mut table = with_yard(&Arc::new(Catalog::builtin()));
    assert!(follow("docs/build/building.md", &mut table, |_| true) > 25);
}

/// E53: a new owner who types the first example of the page and the six commands where they stand builds a dungeon, and
/// changes no room of the town.
#[test]
fn e53_examples_typed_by_a_new_owner_leave_the_town_as_it_is() {
    let mut table = Table::new(seeded(5));
    table.sit("Olad");
    table.make_owner("Olad");
    let town: Vec<_> = table.world().rooms.iter().map(|(_, room)| room.clone()).collect();
    let page = "docs/build/building.md";
    let blocks = passages(page).into_iter().filter_map(|passage| match passage {
        Checkable::Block(fence) if fence.hint == "typed" => Some(fence.text),
        _ => None,
    });
    let blocks: Vec<String> = blocks.collect();
    let six = blocks.iter().find(|block| block.contains(":start")).expect("the six commands");
    let begin = ["dig Yard = yard, out", "yard"];
    for line in begin.into_iter().chain(blocks[0].lines()).chain(six.lines()) {
        assert_eq!(refused(&mut table, line), None, "{line}");
    }
    assert!(town.iter().all(|room| table.world().rooms.get(room.id) == Some(room)));
    table.types("Olad", "east");
    assert!(table.branch_of("Olad").is_some());
}

/// The puzzles page needs the game of its own test.
#[test]
fn typed_blocks_of_pages_are_accepted() {
    let mut typed = 0;
    for page in pages().iter().map(|page| name(page)).filter(|page| page != "docs/build/puzzles.md") {
        typed += follow(&page, &mut with_yard(&Arc::new(Catalog::builtin())), |_| false);
    }
    assert!(typed > 20, "{typed}");
}

/// The game of this test includes the lamp puzzle of the page.
#[test]
fn puzzles_page_commands_are_accepted() {
    let mut registries = Registries::builtin();
    registries.puzzles.register(Arc::new(Lamps));
    let catalog = Arc::new(Catalog::load_with(BUILTIN, &registries).expect("the content has no mistakes"));
    let of_lamps = ["pull cord", "puzzle list", "puzzle solve", "puzzle close"];
    assert!(follow("docs/build/puzzles.md", &mut with_yard(&catalog), |span| of_lamps.contains(&span)) > 5);
}

#[test]
fn documented_player_settings_are_accepted() {
    let mut table = with_yard(&Arc::new(Catalog::builtin()));
    let pages = [
        "docs/play/screen-reader.md",
        "docs/develop/protocols.md",
        "docs/develop/gmcp.md",
        "docs/build/content.md",
    ];
    let typed: u32 =
        pages.map(|page| follow(page, &mut table, |span| span.starts_with("config "))).iter().sum();
    assert!(typed > 8, "{typed}");
}
