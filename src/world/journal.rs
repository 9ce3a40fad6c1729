//! The journal of what was built: an entry for each command of a builder that changed something, with what every row was
//! before and after, and with the bin of what lay in rooms that were taken away. It is written in the batch of the command.

use crate::base::{AccountId, CharacterId, DefinitionId, ExitId, GameTime, ItemId, JournalId, RoomId};
use crate::world::image::{self, Imaged};
use crate::world::{Character, Exit, Item, Place, Room, Spawned, World, Zone};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A row that builders make, or change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Built {
    /// A room.
    Room(RoomId),
    /// An exit.
    Exit(ExitId),
    /// The settings of a start room.
    Tasks(RoomId),
    /// What a creature is called and looks like.
    Creature(CharacterId),
    /// Something of the content.
    Definition(DefinitionId),
}

/// What became of one row. Of one that was there before and after, only what is different stands here.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// Which.
    pub of: Built,
    /// What it was; none if it was not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// What it became; none if it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

impl Piece {
    /// The same, seen from its end.
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

/// What became of a zone besides its rooms.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ZonePiece {
    /// What it was; none if it was not kept as a zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Zone>,
    /// What it became.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Zone>,
}

impl ZonePiece {
    /// The same, seen from its end.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { before: self.after, after: self.before }
    }

    fn forget(&mut self, account: AccountId) {
        self.before.iter_mut().chain(&mut self.after).for_each(|zone| zone.forget(account));
    }

    fn mentions(&self, account: AccountId) -> bool {
        self.before.iter().chain(&self.after).any(|zone| zone.mentions(account))
    }
}

/// A creature or a thing that a builder called up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Made {
    /// What.
    pub what: Spawned,
    /// Where.
    pub room: RoomId,
    /// The number of the body, of a creature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<CharacterId>,
    /// The number of the thing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<ItemId>,
}

/// That an entry was taken back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Undone {
    /// A number of its own, later than that of every entry before it.
    pub number: JournalId,
    /// When.
    pub at: GameTime,
    /// Who, by name.
    pub name: String,
}

/// Everything that one command has touched.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Touches {
    /// Rows that were made, changed or taken away.
    pub pieces: Vec<Piece>,
    /// Zones, by key.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub zones: BTreeMap<String, ZonePiece>,
    /// What lay in rooms that are not there now, with what was in it: a container stands before its contents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bin: Vec<Item>,
    /// Creatures that belonged to rooms that are not there now, with those rooms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub driven_out: Vec<(CharacterId, RoomId)>,
    /// What was called up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<Made>,
}

impl Touches {
    /// Whether nothing was.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.zones.is_empty() && self.made.is_empty()
    }
}

/// An entry of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JournalEntry {
    /// Identity, never used again.
    pub id: JournalId,
    /// When.
    pub at: GameTime,
    /// Whose right was used; none for the operator of the server.
    pub account: Option<AccountId>,
    /// The name of the account then.
    pub name: String,
    /// What was typed, or the beginning of it.
    pub line: String,
    /// Where; none for the operator.
    pub room: Option<RoomId>,
    /// What it did.
    pub touches: Touches,
    /// Whether what it did was too much to be kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub too_large: bool,
    /// That it was taken back, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone: Option<Undone>,
    /// How many bytes it takes, about.
    pub bytes: u32,
}

impl JournalEntry {
    /// When something became of it last, as a number in the journal.
    pub fn moved(&self) -> JournalId {
        self.undone.as_ref().map_or(self.id, |undone| undone.number)
    }

    /// Whether it touched a row.
    pub fn touches(&self, built: Built) -> bool {
        self.touches.pieces.iter().any(|piece| piece.of == built)
    }

    fn weigh(&mut self) {
        let bytes = serde_json::to_string(&self.touches).map_or(0, |json| json.len()) + self.line.len() + 200;
        self.bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    }
}

/// Whose entries they are: an account's, or the operator's.
type Author = Option<AccountId>;

/// Entries by author, with how much they weigh.
#[derive(Clone, Debug, Default)]
pub(super) struct Shelves {
    authors: BTreeMap<Author, (BTreeSet<JournalId>, u64)>,
    bytes: u64,
}

impl Shelves {
    /// An entry is there.
    pub(super) fn note(&mut self, entry: &JournalEntry) {
        let (entries, bytes) = self.authors.entry(entry.account).or_default();
        entries.insert(entry.id);
        *bytes += u64::from(entry.bytes);
        self.bytes += u64::from(entry.bytes);
    }

    /// An entry is gone.
    fn forget(&mut self, entry: &JournalEntry) {
        let Some((entries, bytes)) = self.authors.get_mut(&entry.account) else { return };
        entries.remove(&entry.id);
        *bytes -= u64::from(entry.bytes);
        if entries.is_empty() {
            self.authors.remove(&entry.account);
        }
        self.bytes -= u64::from(entry.bytes);
    }

    fn of(&self, author: Author) -> impl DoubleEndedIterator<Item = JournalId> {
        self.authors.get(&author).into_iter().flat_map(|(entries, _)| entries).copied()
    }

    fn count(&self, author: Author) -> usize {
        self.authors.get(&author).map_or(0, |(entries, _)| entries.len())
    }

    /// The oldest entry of whoever's weigh most.
    fn oldest_of_the_heaviest(&self) -> Option<JournalId> {
        let heaviest = self.authors.values().max_by_key(|(_, bytes)| *bytes)?;
        heaviest.0.first().copied()
    }
}

impl World {
    /// From now on what rows of the built world were is kept, until [`Self::take_touches`].
    pub fn watch_built(&mut self) {
        self.rooms.keep_before(true);
        self.exits.keep_before(true);
        self.start_tasks.keep_before(true);
        self.characters.keep_before(true);
        self.items.keep_before(true);
        self.definitions.keep_before(true);
        self.watched_zones = Some(self.meta().zones.clone());
    }

    /// What of the built world has changed since it was watched. Whatever has come to be in `room` counts as called up there.
    pub fn take_touches(&mut self, room: Option<RoomId>) -> Touches {
        let (rooms, exits) = (self.rooms.take_before(), self.exits.take_before());
        let (tasks, bodies) = (self.start_tasks.take_before(), self.characters.take_before());
        let (items, definitions) = (self.items.take_before(), self.definitions.take_before());
        let mut touches = Touches { zones: touched_zones(self), ..Touches::default() };
        touches.pieces.extend(rooms.iter().filter_map(|(id, before)| room_piece(self, *id, before.as_ref())));
        let was_built = |id: RoomId| {
            let place = rooms.binary_search_by_key(&id, |(room, _)| *room).ok();
            let was = place.and_then(|place| rooms[place].1.as_ref());
            was.or_else(|| self.rooms.get(id)).is_some_and(|room| room.branch.is_none())
        };
        let exits = exits.iter().filter_map(|(id, before)| {
            let after = self.exits.get(*id);
            // The way into a puzzle that somebody tries is the puzzle's.
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
            Piece::between(Built::Creature(*id), before, after, &[])
        }));
        touches.pieces.extend(definitions.iter().filter_map(|(id, before)| {
            piece(Built::Definition(*id), before.as_ref(), self.definitions.get(*id))
        }));
        let gone: BTreeSet<RoomId> =
            rooms.iter().filter(|(id, _)| self.rooms.get(*id).is_none()).map(|(id, _)| *id).collect();
        touches.driven_out = driven_out(self, &bodies, &gone);
        touches.bin = bin(&items, &gone);
        touches.bin.retain(|item| self.items.get(item.id).is_none());
        if let Some(room) = room {
            touches.made = made_in(self, room, &bodies, &items);
        }
        touches
    }

    /// Writes an entry, or writes it anew. Of more entries of one author than `most` the oldest go, and of more bytes than
    /// `bytes_most` the oldest of whoever takes most, so that nobody pushes out what others did.
    pub fn write_journal(&mut self, mut entry: JournalEntry, most: u32, bytes_most: u32) {
        entry.weigh();
        if entry.bytes > bytes_most / 2 {
            (entry.touches, entry.too_large) = (Touches::default(), true);
            entry.weigh();
        }
        if let Some(old) = self.journal.get(entry.id) {
            self.index.journal.forget(old);
        }
        self.index.journal.note(&entry);
        let author = entry.account;
        self.journal.put(entry);
        while self.index.journal.count(author) > most as usize {
            let Some(oldest) = self.index.journal.of(author).next() else { break };
            remove(self, oldest);
        }
        while self.index.journal.bytes > u64::from(bytes_most)
            && let Some(oldest) = self.index.journal.oldest_of_the_heaviest()
        {
            remove(self, oldest);
        }
    }

    /// The entries of an author, oldest first.
    pub fn journal_of(&self, author: Option<AccountId>) -> impl DoubleEndedIterator<Item = &JournalEntry> {
        self.index.journal.of(author).filter_map(|id| self.journal.get(id))
    }
}

fn room_piece(world: &World, id: RoomId, before: Option<&Room>) -> Option<Piece> {
    let after = world.rooms.get(id);
    let is_built = before.or(after).is_some_and(|room| room.branch.is_none());
    is_built.then(|| piece(Built::Room(id), before, after))?
}

fn touched_zones(world: &mut World) -> BTreeMap<String, ZonePiece> {
    let before = world.watched_zones.take().unwrap_or_default();
    let now = &world.meta().zones;
    let still = |zone: Option<&Zone>| {
        zone.map(|zone| Zone {
            file: crate::world::ZoneFile::default(),
            vault_files: BTreeMap::new(),
            ..zone.clone()
        })
    };
    let keys: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let changed = keys.into_iter().filter(|key| still(before.get(*key)) != still(now.get(*key)));
    let piece = |key: &String| ZonePiece { before: before.get(key).cloned(), after: now.get(key).cloned() };
    changed.map(|key| (key.clone(), piece(key))).collect()
}

/// Creatures that stood in rooms that are gone, or belonged there.
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

/// Creatures that are at home in a room, and things on its ground, that were not there before.
fn made_in(
    world: &World,
    room: RoomId,
    bodies: &[(CharacterId, Option<Character>)],
    items: &[(ItemId, Option<Item>)],
) -> Vec<Made> {
    let creatures = bodies.iter().filter(|(_, before)| before.is_none()).filter_map(|(id, _)| {
        let body = world.characters.get(*id).filter(|body| body.home == room && body.master.is_none())?;
        let what = Spawned::Creature(body.mob.clone()?);
        Some(Made { what, room, body: Some(*id), item: None })
    });
    let things = items.iter().filter(|(_, before)| before.is_none()).filter_map(|(id, _)| {
        let item = world.items.get(*id).filter(|item| item.place == Place::Room(room))?;
        Some(Made { what: Spawned::Item(item.prototype.clone()), room, body: None, item: Some(*id) })
    });
    creatures.chain(things).collect()
}

fn remove(world: &mut World, id: JournalId) {
    if let Some(gone) = world.journal.remove(id) {
        world.index.journal.forget(&gone);
    }
}

/// Somebody is mentioned no longer: not as who builds a zone, not as who something in the bin is kept for.
pub(super) fn forget_person(world: &mut World, account: AccountId, bodies: &[CharacterId]) {
    let owned = |item: &Item| item.owner.is_some_and(|who| bodies.contains(&who));
    let author = Value::from(account.0);
    let is_authors = |piece: &Piece| {
        let mut images = piece.before.iter().chain(&piece.after);
        matches!(piece.of, Built::Definition(_)) && images.any(|image| image.get("author") == Some(&author))
    };
    let is_meant = |entry: &JournalEntry| {
        let zones = entry.touches.zones.values().any(|zone| zone.mentions(account));
        let pieces = entry.touches.pieces.iter().any(is_authors);
        zones || pieces || entry.touches.bin.iter().any(owned)
    };
    world.journal.change_where(is_meant, |entry| {
        entry.touches.zones.values_mut().for_each(|zone| zone.forget(account));
        let authors = entry.touches.pieces.iter_mut().filter(|piece| is_authors(piece));
        for image in authors.flat_map(|piece| piece.before.iter_mut().chain(&mut piece.after)) {
            if let Value::Object(fields) = image
                && fields.get("author") == Some(&author)
            {
                fields.remove("author");
            }
        }
        let owned = entry.touches.bin.iter_mut().filter(|item| owned(item));
        owned.for_each(|item| (item.owner, item.owner_until) = (None, None));
    });
}

/// The last number that the journal has in it.
pub(super) fn last_number(world: &World) -> Option<u64> {
    let undone = world.journal.iter().map(|(_, entry)| entry.moved().0);
    undone.max()
}

/// Nothing is in the world and in the bin, an entry is taken back after it was made, and the shelves hold what there is.
pub(super) fn check(world: &World, wrong: &mut Vec<String>) {
    let mut shelved = Shelves::default();
    for (id, entry) in world.journal.iter() {
        shelved.note(entry);
        if entry.moved() < id || entry.bytes == 0 {
            wrong.push(format!("journal {id}: taken back before it was made, or of no weight"));
        }
        if entry.too_large != entry.touches.is_empty() {
            wrong.push(format!("journal {id}: too large: {}, and yet something or nothing", entry.too_large));
        }
        for item in entry.touches.bin.iter().filter(|item| world.items.get(item.id).is_some()) {
            wrong.push(format!("journal {id}: thing {} is in its bin and in the world", item.id));
        }
    }
    if shelved.bytes != world.index.journal.bytes || shelved.authors != world.index.journal.authors {
        wrong.push("journal: its shelves do not hold what there is".to_owned());
    }
}

/// What became of a row.
fn piece<R: Imaged>(of: Built, before: Option<&R>, after: Option<&R>) -> Option<Piece> {
    Piece::between(of, before.map(R::image), after.map(R::image), R::LIVING)
}

/// What lay in rooms that are gone, each container before what is in it.
fn bin(items: &[(ItemId, Option<Item>)], gone: &BTreeSet<RoomId>) -> Vec<Item> {
    let was: BTreeMap<ItemId, &Item> =
        items.iter().filter_map(|(id, before)| Some((*id, before.as_ref()?))).collect();
    let depth = |item: &Item| {
        let (mut place, mut depth) = (item.place, 0);
        while let Place::Inside(container) = place {
            (place, depth) = (was.get(&container)?.place, depth + 1);
        }
        matches!(place, Place::Room(room) if gone.contains(&room)).then_some(depth)
    };
    let mut lay: Vec<(usize, &Item)> = was.values().filter_map(|item| Some((depth(item)?, *item))).collect();
    lay.sort_by_key(|(depth, item)| (*depth, item.id));
    lay.into_iter().map(|(_, item)| item.clone()).collect()
}
