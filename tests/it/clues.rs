//! Chains of clues and written hints: E27, E40.

use crate::explorer::{hero_opens, olad_finds, ways};
use crate::generated;
use crate::table::{Table, seeded};
use deepwell::base::{RoomId, Span};
use deepwell::world::{ExitKind, RoomFeature, RoomKind, World};
use std::fmt::Write as _;

/// Number of rooms to open before the next seed is tried.
const PATIENCE: usize = 60;

/// Returns the room of a kind whose hint contains a name.
fn room_of(world: &World, kind: RoomKind, name: &str) -> Option<RoomId> {
    let says = |hint: &Option<String>| hint.as_ref().is_some_and(|hint| hint.contains(name));
    let found = world.rooms.iter().find(|(_, room)| room.sheet.kind == kind && says(&room.challenge.hint));
    found.map(|(id, _)| id)
}

/// Returns a world with a complete chain of clues, the name in it, and its rooms: the wall with the name, the grave,
/// the coffer.
pub(crate) fn chain() -> (Table, String, [RoomId; 3]) {
    for seed in 0..100 {
        let mut table = Table::new(seeded(seed));
        table.sit("Olad");
        table.types_all("Olad", &["down", "north"]);
        table.becomes("Olad", 99_999, 9_999);
        for rooms in 2..=PATIENCE {
            // Puzzles have tests elsewhere.
            if table.room("Olad").challenge.puzzle().is_some() {
                break;
            }
            hero_opens(&mut table, "Olad", rooms);
            let world = table.world();
            let name = world.rooms.iter().find_map(|(_, room)| match &room.challenge.feature {
                Some(RoomFeature::Coffer { name }) => Some(name.clone()),
                _ => None,
            });
            let Some(name) = name else { continue };
            let kinds = [RoomKind::Hint, RoomKind::Grave, RoomKind::Coffer];
            let [Some(sign), Some(grave), Some(coffer)] = kinds.map(|kind| room_of(world, kind, &name))
            else {
                panic!("the chain of {name} has a link missing");
            };
            let leads = |from, to| ways(world, from).contains_key(&to);
            if leads(table.body("Olad").room, sign) && leads(sign, grave) && leads(grave, coffer) {
                return (table, name, [sign, grave, coffer]);
            }
            break;
        }
    }
    panic!("no world has a chain of clues");
}

/// Transcript of commands and output.
struct Transcript {
    table: Table,
    text: String,
}

impl Transcript {
    fn types(&mut self, line: &str) -> String {
        let read = self.table.types("Olad", line);
        writeln!(self.text, "> {line}\n{read}\n").expect("a string takes all");
        read
    }

    /// Walks through explored rooms and kills the creatures on the path.
    fn walks_to(&mut self, to: RoomId) {
        for _ in 0..500 {
            while self.table.body("Olad").target.is_some() {
                self.table.types("Olad", "kill");
                self.table.waits(Span::secs(3));
            }
            let way = ways(self.table.world(), self.table.body("Olad").room).remove(&to).expect("a way");
            let Some(direction) = way.first() else { return };
            self.types(direction.name());
            self.table.waits(Span::secs(9));
            self.table.hears("Olad");
        }
        panic!("the way does not end");
    }
}

/// E40: a name on a wall leads to the grave of that name, the grave holds a key, and the key opens the coffer. The
/// transcript is docs/play/clue-chain.txt.
#[test]
fn e40_clue_chain_leads_to_a_coffer_that_opens() {
    let (mut table, name, [sign, grave, coffer]) = chain();
    crate::explorer::walks_to(&mut table, "Olad", sign);
    let mut page = Transcript { table, text: String::new() };
    assert!(page.types("look").contains(&name));
    page.types("look name");
    page.walks_to(coffer);
    assert!(page.types("look coffer").contains(&name));
    let read = page.types("unlock coffer");
    assert!(read.starts_with("You have no key that fits."), "{read}");
    page.walks_to(grave);
    let read = page.types("pry slab");
    assert!(read.contains("you find an old key"), "{read}");
    assert_eq!(page.types("pry slab"), "The slab has been pried up already.");
    page.types("get key");
    page.walks_to(coffer);
    let purse = page.table.body("Olad").money.purse;
    let read = page.types("unlock coffer");
    assert!(read.contains("the lid comes up") && read.contains("you find "), "{read}");
    assert!(page.table.body("Olad").money.purse > purse, "{read}");
    assert!(!page.types("inventory").contains("old key"), "the key is in the lock for good");
    assert_eq!(page.types("unlock coffer"), "The coffer stands open already.");
    page.table.restart();
    assert!(page.types("look").contains("stands open and empty"), "it stays open");
    let text = page.text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    let stands = generated::is_up_to_date("docs/play/clue-chain.txt", &format!("{}\n", text.trim_end()));
    assert!(stands, "docs/play/clue-chain.txt is not what is read: {}", generated::HOW);
}

/// E27: the clue in a hint room is true when it is read, and changes once its subject is gone.
#[test]
fn e27_clue_text_matches_the_current_state() {
    let near = |world: &World, from: RoomId| {
        let to = ways(world, from);
        let worth = |id: &RoomId| {
            let room = &world.rooms[*id];
            matches!(room.challenge.feature, Some(RoomFeature::Riddle { .. } | RoomFeature::Grave { .. }))
                || world.exits.of(*id).any(|exit| exit.kind == ExitKind::Stairs)
        };
        to.iter().any(|(id, way)| (1..=3).contains(&way.len()) && worth(id))
    };
    let mut table = olad_finds("a hint with something near", |world, room| {
        room.sheet.kind == RoomKind::Hint && near(world, room.id)
    });
    let read = table.types("Olad", "look");
    let line =
        read.lines().find(|line| line.starts_with("An arrow of chalk points")).expect("a clue").to_owned();
    assert!(line.contains(": 'Depth "), "{line}");
    let (olad, room) = (table.body("Olad").id, table.body("Olad").room);
    table.edit_stored(|stored| {
        for (_, row) in stored.rooms.iter_mut().filter(|(id, _)| **id != room) {
            (row.challenge.feature, row.clear) = (None, true);
        }
        stored.exits.retain(|_, exit| exit.kind != ExitKind::Stairs || exit.to.is_some());
        let body = stored.characters.get_mut(&olad).expect("a stored body");
        body.hp = body.max_hp;
    });
    let read = table.types("Olad", "look");
    assert!(!read.contains(&line), "nothing of that is left: {read}");
}

/// E40: `pry` and `unlock` are refused where there is no slab and no lock.
#[test]
fn e40_only_coffers_and_slabs_are_locked() {
    let mut table = olad_finds("a room", |_, _| true);
    assert_eq!(table.types("Olad", "pry slab"), "There is no slab here to pry up.");
    let read = table.types("Olad", "unlock door");
    assert_eq!(read, "There is nothing locked here that a key of yours could open.");
}
