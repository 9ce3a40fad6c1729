//! A room with a single enemy whose stats tests set, for Olad and his allies.

use crate::explorer::{guarded, guards, olad_finds_in};
use crate::table::{Heard, Table};
use deepwell::base::{CharacterId, GameTime, PartyId};
use deepwell::game::{Class, GameConfig};
use deepwell::world::character::party::{LootRule, Party};
use deepwell::world::{Character, ExitState, Snapshot};
use std::collections::BTreeMap;

/// Puts Olad in front of one guard, an orc of 9,999 hit points, with an unexplored exit behind it. No other creature is
/// near, and the exit back leads into another room of the branch.
pub(crate) fn arena() -> Table {
    arena_in(|_| {})
}

/// [`arena`] with changed settings.
pub(crate) fn arena_in(change: impl Fn(&mut GameConfig)) -> Table {
    let mut table = olad_finds_in("a room with one guard and a way on", change, |world, room| {
        let inside = |to| world.rooms[to].branch == room.branch;
        guarded(world, room)
            && world.occupants(room.id).iter().filter(|id| guards(world, **id, room.id)).count() == 1
            && world
                .characters
                .iter()
                .filter(|(_, body)| body.prototype.is_some() && body.branch.is_some())
                .count()
                == 1
            && world.exits.of(room.id).any(|exit| exit.state == ExitState::Unexplored)
            && world.exits.of(room.id).any(|exit| exit.back && exit.to.is_some_and(inside))
    });
    let guard = enemy(&table);
    table.edit_stored(|stored| {
        let orc = row(stored, guard);
        (orc.prototype, orc.name) = (Some("orc".into()), "orc".into());
        (orc.hp, orc.max_hp, orc.attack, orc.defence, orc.xp) = (9_999, 9_999, 3, 0, 35);
    });
    table
}

/// Returns the first creature in Olad's room.
pub(crate) fn enemy(table: &Table) -> CharacterId {
    let world = table.world();
    let here = world.occupants(table.body("Olad").room);
    *here.iter().find(|id| world.characters[**id].prototype.is_some()).expect("a creature")
}

/// Changes the row of a character.
pub(crate) fn changes(table: &mut Table, who: CharacterId, change: impl FnOnce(&mut Character)) {
    table.edit_stored(|stored| change(row(stored, who)));
}

fn row(stored: &mut Snapshot, who: CharacterId) -> &mut Character {
    stored.characters.get_mut(&who).expect("a stored body")
}

/// Adds copies of the first orc.
pub(crate) fn more_orcs(table: &mut Table, count: u64) -> Vec<CharacterId> {
    let first = table.world().characters[enemy(table)].clone();
    let next = table.world().meta().next_character;
    table.edit_stored(|stored| {
        for n in next..next + count {
            let id = CharacterId(n);
            stored.characters.insert(id, Character { id, target: None, ..first.clone() });
        }
        stored.meta.as_mut().expect("a world").next_character += count;
    });
    (next..next + count).map(CharacterId).collect()
}

/// Logs players in and places them in Olad's room.
pub(crate) fn add_players(table: &mut Table, names: &[&str]) {
    for name in names {
        table.sit(name);
    }
    let (room, branch) = (table.body("Olad").room, table.branch_of("Olad"));
    let ids: Vec<CharacterId> = names.iter().map(|name| table.body(name).id).collect();
    table.edit_stored(|stored| {
        for id in ids {
            let body = row(stored, id);
            (body.room, body.branch, body.arrived_at) = (room, branch, GameTime(0));
        }
    });
}

/// Makes these players a party, led by the first.
pub(crate) fn party(table: &mut Table, names: &[&str]) {
    let members: Vec<CharacterId> = names.iter().map(|name| table.body(name).id).collect();
    let id = PartyId(1);
    table.edit_stored(|stored| {
        let party = Party {
            id,
            leader: members[0],
            members,
            invited: BTreeMap::new(),
            loot: LootRule::Free,
            turn: 0,
            coin_turn: 0,
            rolls: Vec::new(),
            created_at: GameTime(0),
        };
        stored.parties.insert(id, party);
        stored.meta.as_mut().expect("a world").next_party = 2;
    });
}

/// Returns the combat messages only.
pub(crate) fn blows(heard: &[Heard]) -> Vec<&str> {
    heard.iter().filter(|heard| heard.class == Class::Combat).map(|heard| heard.text.as_str()).collect()
}
