//! Invariants of builder content: doors, spawn rules, triggers, vaults, zones, start room tasks and the rows that the
//! build journal refers to. Read-only. References to catalog content are checked at a higher layer.

use crate::base::{CharacterId, RoomId};
use crate::catalog::TriggerEvent;
use crate::catalog::area::script::RESPAWN_SECS;
use crate::catalog::area::spawn_bounds;
use crate::catalog::script::trigger::TIMER_SECS;
use crate::world::building::{definition, pending_import};
use crate::world::{Built, Exit, ExitKind, JournalEntry, Place, Room, RoomKind, Trigger, World, Zone};
use std::collections::BTreeSet;

/// Checks all builder content.
pub(in crate::world) fn check(world: &World, violations: &mut Vec<String>) {
    for (id, room) in world.rooms.iter() {
        check_furniture(room, violations);
        if room.script_states.values().any(|state| state.bytes() > Room::STATE_BYTES_MAX) {
            violations.push(format!("rooms {id}: a script that remembers more than any may"));
        }
        if (room.sheet.kind == RoomKind::Start) != world.start_tasks.get(id).is_some() {
            violations
                .push(format!("start_tasks {id}: a start room without tasks, or tasks of another room"));
        }
    }
    for (key, zone) in &*world.meta().zones {
        if !has_known_accounts(world, zone) {
            violations.push(format!("meta: zone {key} belongs to nobody who exists"));
        }
        if zone.vaults.values().any(|vault| !vault.flaws().is_empty())
            || zone.vault_files.keys().any(|vault| !zone.vaults.contains_key(vault))
        {
            violations.push(format!("meta: zone {key} has a vault that cannot be laid, or the file of none"));
        }
        if zone.draft.as_ref().is_some_and(|draft| draft.of == *key) {
            violations.push(format!("meta: zone {key} is a draft of itself"));
        }
    }
    let vaults: usize = world.meta().zones.values().map(|zone| zone.vaults.len()).sum();
    if vaults != world.meta().vaults_created_in_game().len() {
        violations.push("meta: two zones have a vault of one name".to_owned());
    }
    definition::check(world, violations);
    pending_import::check(world, violations);
    check_bins(world, violations);
}

/// Checks that a door is in an exit between two hand-built rooms and has a name.
pub(in crate::world) fn check_door(world: &World, exit: &Exit, violations: &mut Vec<String>) {
    let Some(door) = &*exit.door else { return };
    let id = exit.id;
    let is_built = |room| world.rooms.get(room).is_some_and(|row| row.branch.is_none());
    if exit.kind != ExitKind::Exit || !is_built(exit.room) || !exit.to.is_some_and(is_built) {
        violations.push(format!("exits {id}: a door, and no way between two rooms built by hand"));
    }
    if door.name.is_empty() || door.key.as_ref().is_some_and(String::is_empty) {
        violations.push(format!("exits {id}: a door or a key without a name"));
    }
}

fn has_known_accounts(world: &World, zone: &Zone) -> bool {
    let testers = zone.draft.iter().flat_map(|draft| &draft.testers);
    zone.owner.iter().chain(&zone.authors).chain(testers).all(|who| world.accounts.get(*who).is_some())
}

/// Checks that the journal refers only to rows that existed and to accounts that exist. An item is in one bin at most,
/// and its room is gone or the item was destroyed on its own.
fn check_bins(world: &World, violations: &mut Vec<String>) {
    let (mut binned, mut numbers) = (BTreeSet::new(), BTreeSet::new());
    for (id, entry) in world.journal.iter() {
        let again = entry.undone.as_ref().map(|undone| undone.number).filter(|number| *number != id);
        if [id].into_iter().chain(again).any(|number| !numbers.insert(number)) {
            violations.push(format!("journal {id}: two entries have its number, or that of its undoing"));
        }
        if !refers_to_allocated_ids(world, entry) {
            violations.push(format!("journal {id}: speaks of a row that never was, or says nothing of it"));
        }
        let mut zones = entry.touches.zones.values().flat_map(|zone| zone.before.iter().chain(&zone.after));
        if zones.any(|zone| !has_known_accounts(world, zone)) {
            violations.push(format!("journal {id}: would give a zone to nobody who exists"));
        }
        for item in &entry.touches.bin {
            let has_lain = match item.place {
                Place::Room(room) => {
                    world.rooms.get(room).is_none() || entry.touches.destroyed.contains(&item.id)
                }
                Place::Inside(container) => binned.contains(&container),
                Place::Holder(_) | Place::Mail(_) => false,
            };
            if !has_lain || !binned.insert(item.id) {
                let what = item.id;
                violations
                    .push(format!("journal {id}: thing {what} is in two bins, or lay where it could lie on"));
            }
        }
    }
}

/// Returns `true` if every row that an entry refers to has existed.
fn refers_to_allocated_ids(world: &World, entry: &JournalEntry) -> bool {
    let (meta, touches) = (world.meta(), &entry.touches);
    let pieces = touches.pieces.iter().all(|piece| {
        let was_made = match piece.of {
            Built::Room(room) | Built::Tasks(room) => room.0 < meta.next_room,
            Built::Exit(exit) => exit.0 < meta.next_exit,
            Built::Creature(body) => body.0 < meta.next_character,
            Built::Item(item) => item.0 < meta.next_item,
            Built::Definition(definition) => definition.0 < meta.next_definition,
        };
        was_made && (piece.before.is_some() || piece.after.is_some())
    });
    let made = touches.made.iter().all(|made| {
        let body = made.body.is_none_or(|body| body.0 < meta.next_character);
        body && made.item.is_none_or(|item| item.0 < meta.next_item) && made.room.0 < meta.next_room
    });
    let lived =
        |(body, room): &(CharacterId, RoomId)| body.0 < meta.next_character && room.0 < meta.next_room;
    let driven_out = touches.driven_out.iter().all(lived);
    let bin = touches.bin.iter().all(|item| item.id.0 < meta.next_item);
    let author = entry.account.is_none_or(|author| author.0 < meta.next_account);
    let removed = touches.removed.iter().all(|creature| lived(&(creature.body, creature.home)));
    let destroyed = touches.destroyed.iter().all(|item| item.0 < meta.next_item);
    pieces && made && bin && author && driven_out && removed && destroyed
}

/// Checks that spawn rules and triggers of a room are unique, in range and only in hand-built rooms.
fn check_furniture(room: &Room, violations: &mut Vec<String>) {
    let id = room.id;
    let by_the_clock = room.triggers.iter().any(|trigger| matches!(trigger.on, TriggerEvent::Timer(_)));
    if room.branch.is_some() && (by_the_clock || !(room.spawns.is_empty() && room.sheet.tags.is_empty())) {
        violations.push(format!("rooms {id}: grown, and has what only builders give"));
    }
    let mut coming = BTreeSet::new();
    for rule in &room.spawns {
        let key = rule.what.key();
        if rule.count == 0 || !RESPAWN_SECS.contains(&rule.every_secs) || key.is_empty() {
            let (count, secs) = (rule.count, rule.every_secs);
            violations.push(format!("rooms {id}: {count} of {key:?} come there every {secs} seconds"));
        }
        let mosts = rule.bounds.zone_most.iter().chain(&rule.bounds.world_most);
        if mosts.into_iter().any(|most| !spawn_bounds::MOST.contains(most)) {
            violations.push(format!("rooms {id}: {key} comes there up to a number that cannot be"));
        }
        if !coming.insert(&rule.what) {
            violations.push(format!("rooms {id}: it is said twice how many of {key} come there"));
        }
    }
    if room.triggers.iter().skip(1).any(Trigger::is_first) {
        violations.push(format!("rooms {id}: the trigger for entering without a name is not the first one"));
    }
    let mut labels = BTreeSet::new();
    for trigger in &room.triggers {
        let on = &trigger.on;
        let is_possible = match on {
            TriggerEvent::Timer(secs) => TIMER_SECS.contains(secs),
            _ => on.word().is_none_or(|word| !word.is_empty()),
        };
        if !is_possible || !labels.insert(trigger.label()) {
            violations.push(format!("rooms {id}: the trigger for {on} is there twice, or can never come"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{AccountId, Coordinates, ExitId, GameTime, ItemId, JournalId, Seed};
    use crate::catalog::{RoomSheet, SpawnBounds, StartSettings};
    use crate::world::{
        BuildChanges, Door, Item, MadeObject, Meta, RowChange, Snapshot, SpawnRule, Spawned, StartTasks,
        Trigger, UndoRecord, ZoneChange, ZoneDraft,
    };
    use serde_json::json;

    const HERE: RoomId = RoomId(1);
    const THERE: RoomId = RoomId(2);
    /// Room that has been destroyed.
    const GONE: RoomId = RoomId(3);

    fn exit(id: u64, room: RoomId, to: RoomId) -> Exit {
        let mut exit = Exit { to: Some(to), ..Exit::new(ExitId(id), room, None) };
        exit.name = "gate".into();
        exit.door = Some(Door { name: "oak door".into(), shut: true, key: Some("pit_key".into()) }).into();
        exit
    }

    fn item(id: u64, place: Place) -> Item {
        Item::new(ItemId(id), "rusty_dagger", place, GameTime(0))
    }

    fn entry() -> JournalEntry {
        let was = Some(json!({ "name": "Vault" }));
        let touches = BuildChanges {
            pieces: vec![RowChange { of: Built::Room(GONE), before: was, after: None }],
            bin: vec![item(1, Place::Room(GONE)), item(2, Place::Inside(ItemId(1)))],
            driven_out: vec![(CharacterId(1), GONE)],
            ..BuildChanges::default()
        };
        JournalEntry {
            id: JournalId(1),
            at: GameTime(0),
            account: Some(AccountId(1)),
            name: "Olad".into(),
            line: "destroy #3".into(),
            room: Some(HERE),
            touches,
            former: None,
            too_large: false,
            undone: None,
            bytes: 0,
        }
    }

    fn write(world: &mut World, entry: JournalEntry) {
        world.journal.write(entry, 100, 1_000_000);
    }

    /// Two rooms joined by a door, one with spawns and triggers, and a third room that was destroyed.
    fn sound() -> World {
        let mut world = World::load(Snapshot::default(), Meta::fresh(Seed(1))).unwrap();
        let meta = world.meta_mut();
        (meta.next_room, meta.next_exit, meta.next_item) = (4, 3, 3);
        (meta.next_character, meta.next_account, meta.next_journal) = (2, 2, 3);
        for (id, x) in [(HERE, 0), (THERE, 1)] {
            let mut room = Room::new(id, RoomSheet::new(RoomKind::Room, "Yard".into()));
            room.at.x = x;
            world.add_room(room);
        }
        world.exits.add(exit(1, HERE, THERE));
        world.exits.add(exit(2, THERE, HERE));
        world.rooms.change(HERE, |room| {
            room.sheet.tags.insert("unfinished".into());
            room.spawns = vec![SpawnRule {
                route: crate::catalog::CreatureRoute::default(),
                what: Spawned::Creature("rat".into()),
                count: 2,
                every_secs: 60,
                bounds: SpawnBounds::default(),
            }]
            .into();
            let triggers = ["say friend", "timer 60"].into_iter();
            let of_event = |on| Trigger {
                name: String::new(),
                on: TriggerEvent::parse(on, 60).unwrap(),
                lines: Vec::new(),
            };
            room.triggers = triggers.map(of_event).collect();
        });
        world.meta_mut().zones.insert("mill".into(), Zone::default());
        write(&mut world, entry());
        world
    }

    /// Plants a fault in a sound world and expects exactly one violation, with these words.
    fn found<T>(plant: impl FnOnce(&mut World) -> T, message: &str) {
        let mut world = sound();
        assert_eq!(world.check(), [""; 0], "it is sound before");
        _ = plant(&mut world);
        let violations = world.check();
        assert!(violations.len() == 1 && violations[0].contains(message), "{message}: {violations:#?}");
    }

    #[test]
    fn doors_are_between_hand_built_rooms() {
        let message = "a door, and no way between two rooms built by hand";
        let branch = |world: &mut World| {
            world.exits.change(ExitId(1), |exit| (exit.kind, exit.to) = (ExitKind::Branch, None));
        };
        found(branch, message);
        let nameless = |exit: &mut Exit| exit.door.iter_mut().for_each(|door| door.name.clear());
        found(|world| world.exits.change(ExitId(1), nameless), "a door or a key without a name");
        let keyless = |exit: &mut Exit| exit.door.iter_mut().for_each(|door| door.key = Some(String::new()));
        found(|world| world.exits.change(ExitId(2), keyless), "a door or a key without a name");
        // The check after each step covers touched rows, too.
        let mut world = sound();
        world.cut();
        branch(&mut world);
        assert!(world.check_touched().iter().any(|violation| violation.contains(message)));
    }

    #[test]
    fn spawn_rules_are_valid_and_unique() {
        let change = |change: fn(&mut SpawnRule)| {
            move |world: &mut World| world.rooms.change(HERE, |room| change(&mut room.spawns[0]))
        };
        found(change(|rule| rule.count = 0), "0 of \"rat\" come there every 60 seconds");
        found(change(|rule| rule.every_secs = 1), "2 of \"rat\" come there every 1 seconds");
        let twice = |world: &mut World| {
            world.rooms.change(HERE, |room| {
                let other = SpawnRule { count: 9, ..room.spawns[0].clone() };
                room.spawns.push(other);
            });
        };
        found(twice, "said twice how many of rat come there");
    }

    #[test]
    fn triggers_are_valid_and_unique() {
        let message = "is there twice, or can never come";
        let to = |on: TriggerEvent| {
            move |world: &mut World| world.rooms.change(HERE, |room| room.triggers[1].on = on)
        };
        found(to(TriggerEvent::Timer(1)), message);
        found(to(TriggerEvent::Say(String::new())), message);
        found(to(TriggerEvent::Say("friend".into())), message);
        found(to(TriggerEvent::Enter), "without a name is not the first one");
    }

    #[test]
    fn only_start_rooms_have_tasks() {
        let message = "a start room without tasks, or tasks of another room";
        found(|world| world.rooms.change(HERE, |room| room.sheet.kind = RoomKind::Start), message);
        let soon = GameTime(1);
        let settings = StartSettings::default();
        let tasks = StartTasks { room: HERE, next_reset_at: soon, next_check_at: soon, settings };
        found(|world| world.start_tasks.put(tasks), message);
    }

    #[test]
    fn zones_belong_to_existing_accounts() {
        let zone = Zone { owner: Some(AccountId(1)), ..Zone::default() };
        let authors = Zone { authors: [AccountId(1)].into(), ..Zone::default() };
        let draft = |of: &str, testers: &[AccountId]| {
            let testers = testers.iter().copied().collect();
            Zone {
                draft: Some(ZoneDraft {
                    of: of.into(),
                    since: String::new(),
                    testers,
                    removes: BTreeSet::new(),
                }),
                ..Zone::default()
            }
        };
        for zone in [zone.clone(), authors, draft("barn", &[AccountId(1)])] {
            let plant = |world: &mut World| _ = world.meta_mut().zones.insert("mill".into(), zone);
            found(plant, "zone mill belongs to nobody who exists");
        }
        let plant = |world: &mut World| _ = world.meta_mut().zones.insert("mill".into(), draft("mill", &[]));
        found(plant, "zone mill is a draft of itself");
        let before = Some(Zone { origin: Coordinates::default(), ..zone });
        let given = |world: &mut World| {
            let mut entry = entry();
            entry.touches.zones.insert("mill".into(), ZoneChange { before, after: None });
            write(world, entry);
        };
        found(given, "would give a zone to nobody who exists");
    }

    /// Expects a violation for a corrupted journal entry.
    fn assert_entry_violation(spoil: impl FnOnce(&mut JournalEntry), message: &str) {
        let plant = |world: &mut World| {
            let mut entry = entry();
            spoil(&mut entry);
            write(world, entry);
        };
        found(plant, message);
    }

    #[test]
    fn journal_refers_to_rows_that_existed() {
        let message = "speaks of a row that never was, or says nothing of it";
        assert_entry_violation(|entry| entry.touches.pieces[0].of = Built::Room(RoomId(4)), message);
        assert_entry_violation(|entry| entry.touches.pieces[0].of = Built::Tasks(RoomId(4)), message);
        assert_entry_violation(|entry| entry.touches.pieces[0].of = Built::Exit(ExitId(3)), message);
        assert_entry_violation(|entry| entry.touches.pieces[0].of = Built::Creature(CharacterId(2)), message);
        assert_entry_violation(|entry| entry.touches.pieces[0].before = None, message);
        assert_entry_violation(|entry| entry.touches.driven_out[0].0 = CharacterId(2), message);
        assert_entry_violation(|entry| entry.account = Some(AccountId(2)), message);
        assert_entry_violation(|entry| entry.touches.bin.push(item(3, Place::Room(GONE))), message);
        let what = Spawned::Creature("rat".into());
        let made = MadeObject { what, room: HERE, body: Some(CharacterId(2)), item: None };
        assert_entry_violation(|entry| entry.touches.made.push(made), message);
    }

    #[test]
    fn bin_items_are_from_deleted_rooms_and_in_one_bin_only() {
        let message = "is in two bins, or lay where it could lie on";
        assert_entry_violation(|entry| entry.touches.bin[1].place = Place::Room(HERE), message);
        assert_entry_violation(|entry| entry.touches.bin[1].place = Place::Holder(CharacterId(1)), message);
        assert_entry_violation(|entry| entry.touches.bin[1].id = ItemId(1), message);
    }

    #[test]
    fn journal_numbers_are_unique() {
        let plant = |world: &mut World| {
            let undone = Some(UndoRecord { number: JournalId(2), at: GameTime(0), name: "Olad".into() });
            write(world, JournalEntry { undone, ..entry() });
            let mut second = JournalEntry { id: JournalId(2), ..entry() };
            second.touches.bin.clear();
            write(world, second);
        };
        found(plant, "two entries have its number, or that of its undoing");
    }
}
