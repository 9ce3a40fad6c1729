//! Changes made by a builder command. Rows are tracked from before the command until after it. Differences go into the
//! build journal, together with a bin of the items from deleted rooms.

use crate::base::{AccountId, CharacterId, DefinitionId, ExitId, ItemId, RoomId};
use crate::world::building::image::{self, Imaged};
use crate::world::{Character, Exit, Item, OwnTrigger, Place, Room, Spawned, World, Zone};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Row that builders create or change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Built {
    /// Room.
    Room(RoomId),
    /// Exit.
    Exit(ExitId),
    /// Settings of a start room.
    Tasks(RoomId),
    /// Name, description and own triggers of a creature.
    Creature(CharacterId),
    /// Own triggers of an item.
    Item(ItemId),
    /// Content definition.
    Definition(DefinitionId),
}

/// Change of one row. If the row existed before and after, only the differing fields are stored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RowChange {
    /// Row that changed.
    pub of: Built,
    /// Old value; `None` if the row was created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// New value; `None` if the row was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

impl RowChange {
    /// Returns the change with old and new value swapped.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { of: self.of, before: self.after, after: self.before }
    }

    fn between(of: Built, before: Option<Value>, after: Option<Value>, living: &[&str]) -> Option<Self> {
        match (before, after) {
            (None, None) => None,
            (Some(before), Some(after)) => {
                let (before, after) = image::difference(&before, &after, living)?;
                Some(Self { of, before: Some(before), after: Some(after) })
            }
            (before, after) => Some(Self { of, before, after }),
        }
    }
}

/// Change of a zone, apart from its rooms.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ZoneChange {
    /// Old value; `None` if the zone was created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Zone>,
    /// New value; `None` if the zone was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Zone>,
}

impl ZoneChange {
    /// Returns the change with old and new value swapped.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { before: self.after, after: self.before }
    }

    pub(in crate::world) fn forget(&mut self, account: AccountId) {
        self.before.iter_mut().chain(&mut self.after).for_each(|zone| zone.forget(account));
    }

    pub(in crate::world) fn mentions(&self, account: AccountId) -> bool {
        self.before.iter().chain(&self.after).any(|zone| zone.mentions(account))
    }
}

/// Creature or item created by a builder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MadeObject {
    /// Prototype.
    pub what: Spawned,
    /// Room in which it was created.
    pub room: RoomId,
    /// Id of the creature, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<CharacterId>,
    /// Id of the item, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<ItemId>,
}

/// Creature removed from the world by a command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RemovedCreature {
    /// Id of the creature; it changes when the creature is restored.
    pub body: CharacterId,
    /// Key of the prototype.
    #[serde(rename = "mob")]
    pub prototype: String,
    /// Home room.
    pub home: RoomId,
    /// Name.
    pub name: String,
    /// Description.
    pub description: String,
    /// Own triggers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triggers: Vec<OwnTrigger>,
}

/// All changes made by one command.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BuildChanges {
    /// Created, changed and deleted rows.
    pub pieces: Vec<RowChange>,
    /// Changed zones, by key.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub zones: BTreeMap<String, ZoneChange>,
    /// Items from deleted rooms with their contents; each container precedes its contents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bin: Vec<Item>,
    /// Creatures whose home room was deleted, with that room.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub driven_out: Vec<(CharacterId, RoomId)>,
    /// Created creatures and items.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<MadeObject>,
    /// Removed creatures that do not respawn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<RemovedCreature>,
    /// Items in [`Self::bin`] that were taken from rooms that still exist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub destroyed: Vec<ItemId>,
}

impl BuildChanges {
    /// Returns `true` if the command changed nothing.
    pub fn is_empty(&self) -> bool {
        let parts = self.pieces.is_empty() && self.zones.is_empty() && self.made.is_empty();
        parts && self.removed.is_empty() && self.destroyed.is_empty()
    }
}

impl World {
    /// Starts tracking of builder-edited rows, until [`Self::take_build_changes`].
    pub fn watch_builder_rows(&mut self) {
        self.rooms.track_originals(true);
        self.exits.track_originals(true);
        self.start_tasks.track_originals(true);
        self.characters.track_originals(true);
        self.items.track_originals(true);
        self.definitions.track_originals(true);
        self.watched_zones = Some(self.meta().zones.clone());
    }

    /// Returns the changes since tracking began. Creatures and items that are new in `room` count as created there.
    pub fn take_build_changes(&mut self, room: Option<RoomId>) -> BuildChanges {
        let (rooms, exits) = (self.rooms.take_originals(), self.exits.take_originals());
        let (tasks, bodies) = (self.start_tasks.take_originals(), self.characters.take_originals());
        let (items, definitions) = (self.items.take_originals(), self.definitions.take_originals());
        let mut touches = BuildChanges { zones: touched_zones(self), ..BuildChanges::default() };
        touches
            .pieces
            .extend(rooms.iter().filter_map(|(id, before)| room_change(self, *id, before.as_ref())));
        let was_built = |id: RoomId| {
            let place = rooms.binary_search_by_key(&id, |(room, _)| *room).ok();
            let was = place.and_then(|place| rooms[place].1.as_ref());
            was.or_else(|| self.rooms.get(id)).is_some_and(|room| room.branch.is_none())
        };
        let exits = exits.iter().filter_map(|(id, before)| {
            let after = self.exits.get(*id);
            // The gate to a puzzle under test belongs to the puzzle.
            if before.as_ref().or(after).is_some_and(Exit::is_gate) {
                return None;
            }
            let of_room = before.as_ref().or(after).map(|exit| exit.room).filter(|room| was_built(*room))?;
            debug_assert!(after.is_none_or(|exit| exit.room == of_room), "an exit stays in its room");
            piece(Built::Exit(*id), before.as_ref(), after)
        });
        touches.pieces.extend(exits);
        touches.pieces.extend(
            tasks.iter().filter_map(|(id, before)| {
                piece(Built::Tasks(*id), before.as_ref(), self.start_tasks.get(*id))
            }),
        );
        touches.pieces.extend(bodies.iter().filter_map(|(id, before)| {
            let (before, after) = (before.as_ref()?, self.characters.get(*id)?);
            let is_creature = !before.is_player() && before.branch.is_none();
            let images = || (Some(image::creature(before)), Some(image::creature(after)));
            let (before, after) = is_creature.then(images)?;
            RowChange::between(Built::Creature(*id), before, after, &[])
        }));
        touches.pieces.extend(items.iter().filter_map(|(id, before)| {
            let (before, after) = (before.as_ref()?, self.items.get(*id)?);
            let is_changed = before.triggers != after.triggers;
            let images = || (Some(image::item(before)), Some(image::item(after)));
            let (before, after) = is_changed.then(images)?;
            RowChange::between(Built::Item(*id), before, after, &[])
        }));
        touches.pieces.extend(definitions.iter().filter_map(|(id, before)| {
            piece(Built::Definition(*id), before.as_ref(), self.definitions.get(*id))
        }));
        let gone: BTreeSet<RoomId> =
            rooms.iter().filter(|(id, _)| self.rooms.get(*id).is_none()).map(|(id, _)| *id).collect();
        touches.driven_out = driven_out(self, &bodies, &gone);
        touches.removed = removed(self, &bodies, &rooms);
        let (in_gone, in_kept) = (
            |id: RoomId| gone.contains(&id),
            |id: RoomId| !gone.contains(&id) && self.rooms.get(id).is_some_and(|room| room.branch.is_none()),
        );
        touches.bin = bin(&items, in_gone);
        let taken = bin(&items, in_kept).into_iter().filter(|item| self.items.get(item.id).is_none());
        for item in taken {
            touches.destroyed.push(item.id);
            touches.bin.push(item);
        }
        touches.bin.retain(|item| self.items.get(item.id).is_none());
        if let Some(room) = room {
            touches.made = made_in(self, room, &bodies, &items);
        }
        touches
    }
}

fn room_change(world: &World, id: RoomId, before: Option<&Room>) -> Option<RowChange> {
    let after = world.rooms.get(id);
    let is_built = before.or(after).is_some_and(|room| room.branch.is_none());
    is_built.then(|| piece(Built::Room(id), before, after))?
}

fn touched_zones(world: &mut World) -> BTreeMap<String, ZoneChange> {
    let before = world.watched_zones.take().unwrap_or_default();
    let now = &world.meta().zones;
    if before == *now {
        return BTreeMap::new();
    }
    let still = |zone: Option<&Zone>| {
        zone.map(|zone| Zone {
            file: crate::world::FileVersions::default(),
            vault_files: BTreeMap::new(),
            package: crate::world::FileVersions::default(),
            ..zone.clone()
        })
    };
    let keys: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let changed = keys.into_iter().filter(|key| still(before.get(*key)) != still(now.get(*key)));
    let piece = |key: &String| ZoneChange { before: before.get(key).cloned(), after: now.get(key).cloned() };
    changed.map(|key| (key.clone(), piece(key))).collect()
}

/// Returns the surviving creatures whose home room was deleted.
fn driven_out(
    world: &World,
    bodies: &[(CharacterId, Option<Character>)],
    gone: &BTreeSet<RoomId>,
) -> Vec<(CharacterId, RoomId)> {
    let out = |(id, before): &(CharacterId, Option<Character>)| {
        let before = before.as_ref().filter(|body| !body.is_player() && body.master.is_none())?;
        world.characters.get(*id)?;
        gone.contains(&before.home).then_some((*id, before.home))
    };
    bodies.iter().filter_map(out).collect()
}

/// Returns the removed creatures of hand-built rooms, except those that a spawn rule of their home room replaces.
fn removed(
    world: &World,
    bodies: &[(CharacterId, Option<Character>)],
    rooms: &[(RoomId, Option<Room>)],
) -> Vec<RemovedCreature> {
    let respawns = |home: RoomId, creature: &String| {
        let was = rooms.iter().find(|(id, _)| *id == home).and_then(|(_, before)| before.as_ref());
        let row = was.or_else(|| world.rooms.get(home));
        row.is_some_and(|room| {
            room.spawns.iter().any(|rule| matches!(&rule.what, Spawned::Creature(key) if key == creature))
        })
    };
    let gone = |(id, before): &(CharacterId, Option<Character>)| {
        let body = before.as_ref().filter(|body| !body.is_player() && body.master.is_none())?;
        let creature = body.prototype.clone()?;
        let counts = body.branch.is_none() && world.characters.get(*id).is_none();
        (counts && !respawns(body.home, &creature)).then(|| RemovedCreature {
            body: *id,
            prototype: creature,
            home: body.home,
            name: body.name.clone(),
            description: body.description.clone(),
            triggers: body.triggers.to_vec(),
        })
    };
    bodies.iter().filter_map(gone).collect()
}

/// Returns new creatures at home in a room, and new items on its ground.
fn made_in(
    world: &World,
    room: RoomId,
    bodies: &[(CharacterId, Option<Character>)],
    items: &[(ItemId, Option<Item>)],
) -> Vec<MadeObject> {
    let creatures = bodies.iter().filter(|(_, before)| before.is_none()).filter_map(|(id, _)| {
        let body = world.characters.get(*id).filter(|body| body.home == room && body.master.is_none())?;
        let what = Spawned::Creature(body.prototype.clone()?);
        Some(MadeObject { what, room, body: Some(*id), item: None })
    });
    let things = items.iter().filter(|(_, before)| before.is_none()).filter_map(|(id, _)| {
        let item = world.items.get(*id).filter(|item| item.place == Place::Room(room))?;
        Some(MadeObject { what: Spawned::Item(item.prototype.clone()), room, body: None, item: Some(*id) })
    });
    creatures.chain(things).collect()
}

/// Returns the change of a row, if it changed.
fn piece<R: Imaged>(of: Built, before: Option<&R>, after: Option<&R>) -> Option<RowChange> {
    RowChange::between(of, before.map(R::image), after.map(R::image), R::LIVING)
}

/// Returns the items from matching rooms, each container before its contents.
fn bin(items: &[(ItemId, Option<Item>)], is_meant: impl Fn(RoomId) -> bool) -> Vec<Item> {
    let was: BTreeMap<ItemId, &Item> =
        items.iter().filter_map(|(id, before)| Some((*id, before.as_ref()?))).collect();
    let depth = |item: &Item| {
        let (mut place, mut depth) = (item.place, 0);
        while let Place::Inside(container) = place {
            (place, depth) = (was.get(&container)?.place, depth + 1);
        }
        matches!(place, Place::Room(room) if is_meant(room)).then_some(depth)
    };
    let mut lay: Vec<(usize, &Item)> = was.values().filter_map(|item| Some((depth(item)?, *item))).collect();
    lay.sort_by_key(|(depth, item)| (*depth, item.id));
    lay.into_iter().map(|(_, item)| item.clone()).collect()
}
