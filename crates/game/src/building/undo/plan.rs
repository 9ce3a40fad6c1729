//! Plan of an undo or redo: the change of each row, validated as a whole before anything is changed.

use crate::branch::start_room;
use crate::building::definitions::DefinitionChanges;
use crate::building::journal::words;
use crate::building::undo::planned_change::RowChanges;
use crate::building::undo::planned_zone::{changed_since, planned_zone};
use crate::building::zones::search;
use crate::building::zones::search::InWorld;
use crate::building::{built_rooms, definitions, pace, zones};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ExitId, ItemId, RoomId};
use deepwell_core::catalog::{Catalog, DefinitionKind};
use deepwell_core::world::building::image;
use deepwell_core::world::{
    BuildChanges, Built, Definition, Exit, ExitKind, JournalEntry, Room, RowChange, Spawned, StartTasks, Zone,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Planned changes to everything that an entry touched.
pub(super) struct UndoPlan {
    pub(super) rooms: RowChanges<Room>,
    pub(super) exits: RowChanges<Exit>,
    pub(super) tasks: RowChanges<StartTasks>,
    /// New name, description and triggers by creature.
    pub(super) creatures: BTreeMap<CharacterId, Value>,
    /// New triggers by item.
    pub(super) items: BTreeMap<ItemId, Value>,
    pub(super) zones: BTreeMap<String, Option<Zone>>,
    pub(super) definitions: RowChanges<Definition>,
    /// Set if definitions of drafts change, whose references in the content depend on all versions of the draft.
    pub(super) changes_drafts: bool,
    /// Resulting content; `None` if no definition changes.
    pub(super) content: Option<Arc<Catalog>>,
    /// Restored exits by room.
    back_in: BTreeMap<RoomId, Vec<ExitId>>,
}

/// Context of the validation of a plan.
struct PlanCheck<'a> {
    turn: &'a Turn,
    entry: &'a JournalEntry,
    plan: &'a UndoPlan,
}

/// Returns the image of an existing row after the change of a piece.
fn patched(image: &Value, piece: &RowChange) -> Option<Value> {
    piece.before.as_ref().zip(piece.after.as_ref()).and_then(|(was, is)| image::patch(image, was, is))
}

impl UndoPlan {
    /// Plans the changes to the state that `touches` has as its result, and validates them.
    pub(super) fn make(
        turn: &Turn,
        who: Option<CharacterId>,
        entry: &JournalEntry,
        touches: &BuildChanges,
    ) -> Result<Self, Refusal> {
        let mut plan = Self {
            rooms: RowChanges::none(),
            exits: RowChanges::none(),
            tasks: RowChanges::none(),
            creatures: BTreeMap::new(),
            items: BTreeMap::new(),
            zones: BTreeMap::new(),
            definitions: RowChanges::none(),
            changes_drafts: false,
            content: None,
            back_in: BTreeMap::new(),
        };
        for piece in &touches.pieces {
            let world = &turn.world;
            let fits = match piece.of {
                Built::Room(id) => plan.rooms.take(&world.rooms, id, piece),
                Built::Exit(id) => plan.exits.take(&world.exits, id, piece),
                Built::Tasks(id) => plan.tasks.take(&world.start_tasks, id, piece),
                Built::Creature(id) => plan.take_creature(turn, id, piece),
                Built::Item(id) => plan.take_item(turn, id, piece),
                Built::Definition(id) => plan.definitions.take(&world.definitions, id, piece),
            };
            if !fits {
                return Err(changed(turn, entry, piece.of));
            }
        }
        for (key, zone) in &touches.zones {
            plan.zones.insert(key.clone(), planned_zone(turn, entry, key, zone)?);
        }
        plan.take_content(turn, entry)?;
        for exit in plan.exits.back.values() {
            plan.back_in.entry(exit.room).or_default().push(exit.id);
        }
        PlanCheck { turn, entry, plan: &plan }.try_all(who)?;
        Ok(plan)
    }

    fn take_creature(&mut self, turn: &Turn, id: CharacterId, piece: &RowChange) -> bool {
        let body = turn.world.characters.get(id).filter(|body| !body.is_player());
        let patched = body.and_then(|body| patched(&image::creature(body), piece));
        patched.map(|patched| self.creatures.insert(id, patched)).is_some()
    }

    fn take_item(&mut self, turn: &Turn, id: ItemId, piece: &RowChange) -> bool {
        let patched = turn.world.items.get(id).and_then(|item| patched(&image::item(item), piece));
        patched.map(|patched| self.items.insert(id, patched)).is_some()
    }

    /// Returns the users of content that the plan removes: rooms, definitions and vaults.
    fn removed_users(&self, turn: &Turn) -> BTreeSet<String> {
        let rooms = self.rooms.out.iter().filter_map(|id| turn.world.rooms.get(*id)).map(search::user_room);
        let made = self.definitions.out.iter().filter_map(|id| turn.world.definitions.get(*id));
        let made = made.map(|row| format!("the {} {}", row.kind.noun(), row.key));
        let vaults = self.zones.iter().flat_map(|(key, becomes)| {
            let stays = |vault: &str| becomes.as_ref().is_some_and(|zone| zone.vaults.contains_key(vault));
            let now = turn.world.meta().zones.get(key).into_iter().flat_map(|zone| zone.vaults.keys());
            now.filter(move |vault| !stays(vault)).map(|vault| format!("the vault {vault}"))
        });
        rooms.chain(made).chain(vaults).collect()
    }

    /// Returns the users of versions in a draft that no longer use them after the plan: its definitions, and the rooms that
    /// the plan changes.
    fn users_in_draft(&self, turn: &Turn, draft: &str) -> BTreeSet<String> {
        let made = turn.world.definitions.iter().map(|(_, row)| row).filter(|row| row.is_of_draft(draft));
        let made = made.map(|row| format!("the {} {}", row.kind.noun(), row.key));
        let exits = self.exits.otherwise.values().map(|exit| exit.room);
        let changed =
            self.rooms.otherwise.keys().copied().chain(exits).chain(self.tasks.otherwise.keys().copied());
        let rooms = changed.filter_map(|id| turn.world.rooms.get(id)).filter(|room| room.area == draft);
        made.chain(rooms.map(search::user_room)).collect()
    }

    /// Returns `true` if there is a zone of this key after the plan.
    fn leaves_zone(&self, turn: &Turn, key: &str) -> bool {
        self.zones.get(key).map_or_else(|| zones::is_zone(turn, key), Option::is_some)
    }

    /// Returns `true` if all creatures of a kind are in rooms that the plan removes.
    fn removes_all(&self, turn: &Turn, key: &str) -> bool {
        let mut bodies =
            turn.world.characters.iter().filter(|(_, body)| body.prototype.as_deref() == Some(key));
        bodies.all(|(_, body)| self.rooms.out.contains(&body.room))
    }

    /// Builds and checks the resulting content. Refuses to delete definitions in use. When the creation of an item kind
    /// is undone, its items are deleted as well.
    fn take_content(&mut self, turn: &Turn, entry: &JournalEntry) -> Result<(), Refusal> {
        let RowChanges { out, back, otherwise } = &self.definitions;
        let gone = out.iter().filter_map(|id| turn.world.definitions.get(*id));
        let mut changes = DefinitionChanges::new();
        let removed = self.removed_users(turn);
        for row in gone {
            // The rooms of a draft are put back with its versions, or follow over several steps, and the references of its
            // definitions follow.
            let mut removed = removed.clone();
            if let Some(draft) = &row.draft {
                removed.extend(self.users_in_draft(turn, &draft.zone));
                let rooms = turn.world.rooms.of_zone(&draft.zone);
                if row.version().is_some() && pace::are_many(turn, rooms.len()) {
                    removed.extend(rooms.map(|id| search::user_room(&turn.world.rooms[id])));
                }
            }
            let recalled = entry.undone.is_none() && row.kind == DefinitionKind::Item;
            let is_with_rooms = row.kind == DefinitionKind::Creature && self.removes_all(turn, &row.key);
            let in_world = if recalled || is_with_rooms || row.version().is_some() {
                InWorld::Ignored
            } else {
                InWorld::Counts
            };
            search::require_unused_after(turn, row.kind, &row.key, in_world, &removed)?;
            changes.insert((row.kind, row.key.clone()), None);
        }
        for row in back.values() {
            if turn.world.definitions.find(row.kind, &row.key).is_some() {
                return Err(definitions::taken(row.kind, &row.key));
            }
            zones::require_no_zone(turn, row.kind, &row.key)?;
        }
        for row in otherwise.values() {
            let now = &turn.world.definitions[row.id];
            if now.key != row.key {
                if turn.catalog.defines(row.kind, &row.key) {
                    return Err(definitions::taken(row.kind, &row.key));
                }
                changes.insert((now.kind, now.key.clone()), None);
            }
        }
        for row in back.values().chain(otherwise.values()) {
            if row.draft.as_ref().is_some_and(|draft| !self.leaves_zone(turn, &draft.zone)) {
                return Err(refuse!("That belongs to a draft that is gone."));
            }
            changes.insert((row.kind, row.key.clone()), Some(row.text.clone()));
        }
        if back.len() > out.len() {
            definitions::require_space(turn, back.len() - out.len())?;
        }
        let now = out.iter().chain(otherwise.keys()).filter_map(|id| turn.world.definitions.get(*id));
        let mut all = now.chain(back.values()).chain(otherwise.values());
        self.changes_drafts = all.any(|row| row.draft.is_some());
        if !changes.is_empty() {
            let tried = definitions::preview_catalog(turn, &changes);
            self.content = Some(tried.map_err(|mistakes| definitions::refused(&changes, &mistakes))?);
        }
        Ok(())
    }

    /// Returns the planned exits of a room.
    fn exits_of<'a>(&'a self, turn: &'a Turn, room: RoomId) -> impl Iterator<Item = &'a Exit> {
        let there = turn.world.exits.of(room).filter_map(|exit| self.exits.after(&turn.world.exits, exit.id));
        there.chain(self.back_in.get(&room).into_iter().flatten().filter_map(|id| self.exits.back.get(id)))
    }
}

impl PlanCheck<'_> {
    fn try_all(&self, who: Option<CharacterId>) -> Result<(), Refusal> {
        for room in &self.plan.rooms.out {
            if *room == built_rooms::town(self.turn) {
                return Err(built_rooms::town_stays());
            }
            start_room::require_start_room_unused(self.turn, who, *room)?;
        }
        for exit in &self.plan.exits.out {
            let stays = self
                .turn
                .world
                .exits
                .get(*exit)
                .is_some_and(|exit| !self.plan.rooms.out.contains(&exit.room));
            if stays && start_room::is_used(self.turn, *exit) {
                return Err(start_room::branch_in_use());
            }
        }
        self.try_names()?;
        self.try_made()?;
        self.try_exits()?;
        self.try_places()?;
        self.try_keys()?;
        self.try_ways_below()
    }

    fn room_after(&self, id: RoomId) -> Option<&Room> {
        self.plan.rooms.after(&self.turn.world.rooms, id)
    }

    /// Refuses restored rows that name a creature, item or theme without a definition.
    fn try_names(&self) -> Result<(), Refusal> {
        let (plan, world) = (self.plan, &self.turn.world);
        let content = plan.content.as_ref().unwrap_or(&self.turn.catalog);
        let of_room = |room: &Room| -> BTreeSet<(DefinitionKind, String)> {
            let items = room.offered_items().map(|key| (DefinitionKind::Item, key.to_owned()));
            let spawned = room.spawns.iter().map(|rule| match &rule.what {
                Spawned::Creature(key) => (DefinitionKind::Creature, key.clone()),
                Spawned::Item(key) => (DefinitionKind::Item, key.clone()),
            });
            items.chain(spawned).collect()
        };
        let of_exit = |exit: &Exit| exit.door.as_ref().and_then(|door| door.key.clone());
        let theme = |theme: &Option<String>| theme.clone().map(|key| (DefinitionKind::Theme, key));
        let mut names = BTreeSet::new();
        for room in plan.rooms.coming() {
            let before = world.rooms.get(room.id).map(of_room).unwrap_or_default();
            names.extend(of_room(room).difference(&before).cloned());
        }
        for exit in plan.exits.coming() {
            let key =
                of_exit(exit).filter(|key| world.exits.get(exit.id).and_then(of_exit).as_ref() != Some(key));
            names.extend(key.map(|key| (DefinitionKind::Item, key)));
            names.extend(theme(&exit.settings.theme));
        }
        for tasks in plan.tasks.coming() {
            names.extend(theme(&tasks.settings.exits.theme));
        }
        names.retain(|(kind, key)| *kind != DefinitionKind::Theme || !content.level_types.contains_key(key));
        match names.into_iter().find(|(kind, key)| !content.defines(*kind, key)) {
            Some((kind, key)) => Err(refuse!(
                "There is no {} any more, which would come back with it. Nothing is changed.",
                words::definition_name(kind, &key, None)
            )),
            None => Ok(()),
        }
    }

    /// Checks that the rooms exist in which a redo spawns creatures and items.
    fn try_made(&self) -> Result<(), Refusal> {
        let is_redo = self.entry.undone.is_some();
        let mut rooms = self.entry.touches.made.iter().map(|made| made.room).filter(|_| is_redo);
        match rooms.find(|room| self.room_after(*room).is_none()) {
            Some(room) => Err(changed(self.turn, self.entry, Built::Room(room))),
            None => Ok(()),
        }
    }

    /// Checks that every exit starts and ends in existing rooms, and that its names are unique in its room.
    fn try_exits(&self) -> Result<(), Refusal> {
        let (turn, plan) = (self.turn, self.plan);
        let out = &plan.rooms.out;
        if !out.is_empty() {
            let hangs = |exit: &Exit| {
                let built = turn.world.rooms.get(exit.room).is_some_and(|room| room.branch.is_none());
                built && (out.contains(&exit.room) || exit.to.is_some_and(|to| out.contains(&to)))
            };
            for (id, _) in turn.world.exits.iter() {
                if plan.exits.after(&turn.world.exits, id).is_some_and(hangs) {
                    return Err(changed(turn, self.entry, Built::Exit(id)));
                }
            }
        }
        for exit in plan.exits.coming() {
            let leads = exit.to.is_none_or(|to| self.room_after(to).is_some());
            if !leads || self.room_after(exit.room).is_none() {
                let missing = if leads { exit.room } else { exit.to.unwrap_or(exit.room) };
                return Err(changed(turn, self.entry, Built::Room(missing)));
            }
            let names = |exit: &Exit| -> BTreeSet<String> {
                exit.all_aliases().chain([exit.name.as_str()]).map(str::to_lowercase).collect()
            };
            let (own, mut others) =
                (names(exit), plan.exits_of(turn, exit.room).filter(|other| other.id != exit.id));
            if let Some(other) = others.find(|other| !own.is_disjoint(&names(other))) {
                return Err(self.taken(Built::Exit(other.id), Built::Exit(exit.id)));
            }
            if plan.exits_of(turn, exit.room).count() > built_rooms::MOST_EXITS {
                return Err(built_rooms::too_many_exits());
            }
        }
        Ok(())
    }

    /// Checks that no two rooms have the same coordinates.
    fn try_places(&self) -> Result<(), Refusal> {
        for room in self.plan.rooms.coming() {
            let there = room.coordinates().and_then(|place| self.turn.world.rooms.built_at(place));
            let Some(other) =
                there.filter(|other| *other != room.id).and_then(|other| self.room_after(other))
            else {
                continue;
            };
            if other.coordinates() == room.coordinates() {
                return Err(self.taken(Built::Room(other.id), Built::Room(room.id)));
            }
        }
        Ok(())
    }

    /// Checks that no two rooms of a zone have the same key in its file.
    fn try_keys(&self) -> Result<(), Refusal> {
        let (world, rooms) = (&self.turn.world, &self.plan.rooms);
        let called = |room: &Room| (room.area.clone(), room.zone_key());
        let is_new = |room: &&Room| world.rooms.get(room.id).map(called) != Some(called(room));
        let coming: Vec<&Room> = rooms.coming().filter(is_new).collect();
        let ids: BTreeSet<RoomId> = coming.iter().map(|room| room.id).collect();
        let mut names: BTreeMap<(String, String), RoomId> = BTreeMap::new();
        for room in coming {
            let called_so = |other: &RoomId| {
                let stays = || self.room_after(*other).map(called) == Some(called(room));
                !ids.contains(other) && stays()
            };
            let there = world.rooms.of_key(&room.area, &room.zone_key()).filter(called_so);
            if let Some(other) = names.insert(called(room), room.id).or(there) {
                return Err(self.taken(Built::Room(other), Built::Room(room.id)));
            }
        }
        Ok(())
    }

    /// Checks that the dungeon can still be reached from the town.
    fn try_ways_below(&self) -> Result<(), Refusal> {
        let town = built_rooms::town(self.turn);
        let ways = |room: RoomId| -> Vec<(ExitKind, Option<RoomId>)> {
            let exits = self.plan.exits_of(self.turn, room);
            exits.map(|exit| (exit.kind, exit.to.filter(|to| self.room_after(*to).is_some()))).collect()
        };
        if start_room::is_dungeon_reachable(self.turn, town, start_room::Rework::Nothing)
            && !start_room::reaches_start_exit(town, ways)
        {
            return Err(start_room::last_way_below());
        }
        Ok(())
    }

    fn taken(&self, other: Built, what: Built) -> Refusal {
        let what = words::name(self.turn, &self.entry.touches, what);
        let other = words::subject(self.turn, &self.entry.touches, other);
        refuse!("{other} is in the place of what would come back: {what}. Nothing is changed.")
    }
}

/// Returns the refusal for a row that has changed since the entry, naming the builder who changed it if known.
fn changed(turn: &Turn, entry: &JournalEntry, of: Built) -> Refusal {
    let what = words::subject(turn, &entry.touches, of);
    let line = words::cut(&entry.line, 80);
    let since = turn
        .world
        .journal
        .iter()
        .map(|(_, other)| other)
        .filter(|other| other.id != entry.id && other.moved() > entry.moved() && other.touches(of));
    // What was taken back since is not in force.
    match since.max_by_key(|other| (other.undone.is_none(), other.moved())) {
        Some(other) => {
            let (name, since) = (other.name.clone(), words::cut(&other.line, 80));
            refuse!(
                "{what} is not as \"{line}\" left it: {name} has typed \"{since}\" since. Nothing is \
                 changed."
            )
        }
        None => changed_since(&what, &line),
    }
}
