//! References in rows of rooms, exits, creatures and items, as they are after a renaming of what they name.

use crate::turn::Turn;
use deepwell_core::base::RoomId;
use deepwell_core::catalog::{Bid, DefinitionKind, Renaming, Script};
use deepwell_core::world::{OwnTrigger, Room, Spawned};

/// Renames the references of a room and its exits. Returns `true` if it has any.
pub(crate) fn rename_in_room(turn: &mut Turn, id: RoomId, renamings: &[Renaming]) -> bool {
    let row = &turn.world.rooms[id];
    let names = !row.triggers.is_empty() || !row.spawns.is_empty() || row.offered_items().next().is_some();
    let renamed =
        names.then(|| renamings.iter().fold(row.clone(), |row, renaming| renamed_room(renaming, row)));
    let renamed = renamed.filter(|renamed| renamed != row);
    let is_changed = renamed.is_some();
    if let Some(renamed) = renamed {
        turn.world.rooms.change_built(id, |row| *row = renamed);
    }
    rename_in_exits(turn, id, renamings) || is_changed
}

fn rename_in_exits(turn: &mut Turn, room: RoomId, renamings: &[Renaming]) -> bool {
    let renamed = |kind: DefinitionKind, key: Option<&String>| {
        let key = key?;
        let new = renamings.iter().fold(key.clone(), |key, renaming| renaming.key(kind, &key));
        (new != *key).then_some(new)
    };
    let exits: Vec<_> = turn.world.exits.of(room).map(|exit| exit.id).collect();
    let mut is_changed = false;
    for id in exits {
        let exit = &turn.world.exits[id];
        let door = exit.door.as_ref();
        let key = renamed(DefinitionKind::Item, door.and_then(|door| door.key.as_ref()));
        let theme = renamed(DefinitionKind::Theme, exit.settings.theme.as_ref());
        if key.is_none() && theme.is_none() {
            continue;
        }
        is_changed = true;
        turn.world.exits.change(id, |exit| {
            if let Some(key) = key {
                exit.door.iter_mut().for_each(|door| door.key = Some(key.clone()));
            }
            if theme.is_some() {
                exit.settings.theme = theme;
            }
        });
    }
    let own = turn.world.start_tasks.get(room).and_then(|tasks| tasks.settings.exits.theme.as_ref());
    if let Some(theme) = renamed(DefinitionKind::Theme, own) {
        turn.world.start_tasks.change(room, |row| row.settings.exits.theme = Some(theme));
        is_changed = true;
    }
    is_changed
}

fn renamed_room(renaming: &Renaming, mut room: Room) -> Room {
    let item = |key: &str| renaming.key(DefinitionKind::Item, key);
    if !room.triggers.is_empty() {
        for trigger in room.triggers.iter_mut() {
            renaming.event(&mut trigger.on);
            trigger.lines = lines(renaming, &trigger.lines);
        }
    }
    if !room.spawns.is_empty() {
        for rule in room.spawns.iter_mut() {
            rule.what = match &rule.what {
                Spawned::Creature(key) => Spawned::Creature(renaming.key(DefinitionKind::Creature, key)),
                Spawned::Item(key) => Spawned::Item(item(key)),
            };
            renaming.rule(&mut rule.bounds, &mut rule.route);
        }
    }
    if !room.stock.is_empty() {
        room.stock = room.stock.iter().map(|key| item(key)).collect();
    }
    if !room.supplies.is_empty() {
        room.supplies = room.supplies.iter().map(|key| item(key)).collect();
    }
    if !room.shop.wares.is_empty() || !room.shop.buys.is_empty() {
        let mut terms = room.shop.to_value();
        terms.wares = terms.wares.into_iter().map(|(key, ware)| (item(&key), ware)).collect();
        for bid in &mut terms.buys {
            if let Bid::Item { item, .. } = bid {
                *item = renaming.key(DefinitionKind::Item, item);
            }
        }
        room.shop = terms.into();
    }
    room
}

fn lines(renaming: &Renaming, lines: &[String]) -> Vec<String> {
    match Script::parse(lines.iter().map(String::as_str)) {
        Ok(script) => renaming.script(script).into(),
        Err(_) => lines.to_vec(),
    }
}

/// Renames the references of the own triggers of creatures and items in a room.
pub(crate) fn rename_inside(turn: &mut Turn, id: RoomId, renamings: &[Renaming]) {
    for who in turn.world.occupants(id).to_vec() {
        if let Some(triggers) = own_triggers(renamings, &turn.world.characters[who].triggers) {
            turn.world.characters.change(who, |row| row.triggers = triggers.into());
        }
    }
    for item in turn.world.ground(id).to_vec() {
        if let Some(triggers) = own_triggers(renamings, &turn.world.items[item].triggers) {
            turn.world.items.change(item, |row| row.triggers = triggers.into());
        }
    }
}

/// Returns own triggers with their references renamed; `None` if nothing changes.
fn own_triggers(renamings: &[Renaming], triggers: &[OwnTrigger]) -> Option<Vec<OwnTrigger>> {
    if triggers.is_empty() {
        return None;
    }
    let mut renamed = triggers.to_vec();
    for trigger in &mut renamed {
        for renaming in renamings {
            trigger.lines = lines(renaming, &trigger.lines);
        }
    }
    (renamed != triggers).then_some(renamed)
}
