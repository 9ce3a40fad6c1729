//! What is wrong in hand-built rooms as they stand, and what is hardly meant, for their builders: each with its room and the
//! nearest name. Reads only, and refuses nothing.

use crate::base::{ExitId, RoomId};
use crate::catalog::Script;
use crate::catalog::script::{Condition, Deed, RoomName, ScriptLine, UnknownName};
use crate::game::turn::Turn;
use crate::game::{doors, founding, rehearsal};
use crate::text::nearest;
use crate::world::{Exit, ExitKind, Room, RoomKind, Spawned, TriggerEvent};
use std::collections::{BTreeMap, BTreeSet};

/// How sure it is that something is wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Weight {
    /// It names what is not there, or cannot work.
    Mistake,
    /// It can be meant.
    Doubt,
}

/// One thing that was found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Remark {
    pub(crate) weight: Weight,
    pub(crate) room: RoomId,
    /// A sentence that begins in small letters.
    pub(crate) words: String,
}

/// What is known of the whole world, and what was found in the rooms seen so far.
struct Survey<'t> {
    turn: &'t Turn,
    walkable: BTreeSet<RoomId>,
    /// Keys of things that somebody can come by.
    given: BTreeSet<&'t str>,
    found: Vec<Remark>,
}

/// Everything that is found in the rooms of zones, mistakes first, by room.
pub(crate) fn remarks(turn: &Turn, zones: &BTreeSet<String>) -> Vec<Remark> {
    let mut survey = Survey { turn, walkable: walkable(turn), given: given(turn), found: Vec::new() };
    let rooms: Vec<&Room> = turn
        .world
        .built_rooms()
        .map(|id| &turn.world.rooms[id])
        .filter(|room| zones.contains(&room.area))
        .collect();
    survey.look_at_cut_off(&rooms);
    for room in rooms {
        survey.look_at_room(room);
        survey.look_at_ways(room);
        survey.look_at_life(room);
    }
    survey.found.sort();
    survey.found
}

/// The hand-built rooms to which somebody can walk from where everybody begins, whatever doors are shut on the way.
pub(crate) fn walkable(turn: &Turn) -> BTreeSet<RoomId> {
    let town = founding::town(turn);
    let (mut seen, mut to_see) = (BTreeSet::from([town]), vec![town]);
    while let Some(room) = to_see.pop() {
        let ways = turn.world.exits_of(room).filter(|exit| exit.kind == ExitKind::Exit);
        to_see.extend(ways.filter_map(|exit| exit.to).filter(|to| seen.insert(*to)));
    }
    seen
}

/// The hand-built rooms to which an exit leads.
pub(crate) fn entered(turn: &Turn) -> BTreeSet<RoomId> {
    turn.world.built_rooms().flat_map(|room| turn.world.exits_of(room)).filter_map(|exit| exit.to).collect()
}

/// What is to be said against the ordinary exits of a room: those that lead nowhere, and those of which no way leads back.
pub(crate) fn ways_amiss(turn: &Turn, room: &Room) -> Vec<(Weight, String)> {
    let is_draft = rehearsal::draft_around(turn, room.id).is_some();
    let mut amiss = Vec::new();
    for exit in turn.world.exits_of(room.id).filter(|exit| exit.kind == ExitKind::Exit) {
        let Some(to) = exit.to.and_then(|to| turn.world.rooms.get(to)) else {
            amiss.push((Weight::Mistake, format!("the exit {} leads nowhere.", exit.name)));
            continue;
        };
        let is_back = |back: &Exit| back.to == Some(room.id);
        let leaves_draft = is_draft && to.area != room.area;
        if !leaves_draft && to.branch.is_none() && !turn.world.exits_of(to.id).any(is_back) {
            let words = format!("the exit {} leads to {}, and no exit leads back.", exit.name, to.name);
            amiss.push((Weight::Doubt, words));
        }
    }
    amiss
}

/// The scripts of a room, each with what sets it off; what cannot be read is left out.
pub(crate) fn scripts(room: &Room) -> impl Iterator<Item = (String, Option<Script>)> {
    let read = |lines: &[String]| Script::parse(lines.iter().map(String::as_str)).ok();
    let enter = (!room.on_enter.is_empty()).then(|| ("enter".to_owned(), read(&room.on_enter)));
    let triggers = room.triggers.iter();
    enter.into_iter().chain(triggers.map(move |trigger| (trigger.on.to_string(), read(&trigger.lines))))
}

fn given(turn: &Turn) -> BTreeSet<&str> {
    let (world, catalog) = (&turn.world, &turn.catalog);
    let mut given: BTreeSet<&str> = world.items.iter().map(|(_, item)| item.prototype.as_str()).collect();
    given.extend(catalog.loot.values().flat_map(|table| &table.items).map(|found| found.item.as_str()));
    given.extend(catalog.themes.values().flat_map(|theme| &theme.treasure).map(String::as_str));
    for room in world.built_rooms().map(|id| &world.rooms[id]) {
        given.extend(room.stock.iter().chain(&room.supplies).map(String::as_str));
        given.extend(room.spawns.iter().filter_map(|rule| match &rule.what {
            Spawned::Item(key) => Some(key.as_str()),
            Spawned::Creature(_) => None,
        }));
        for (_, script) in scripts(room) {
            for line in script.iter().flat_map(Script::lines) {
                if let Deed::Give(key) | Deed::Item(key) = &line.deed {
                    given.extend(catalog.items.get_key_value(key).map(|(key, _)| key.as_str()));
                }
            }
        }
    }
    given
}

/// Remarks up to which a survey says which name may have been meant: each search goes through all names of a kind.
const SUGGESTED_MAX: usize = 200;

impl Survey<'_> {
    /// Words that ask back, where an unknown name is near another. Empty if there are very many remarks already.
    fn asking<'n>(&self, name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
        let meant = (self.found.len() < SUGGESTED_MAX).then(|| nearest(name, known)).flatten();
        meant.map_or_else(String::new, |meant| format!(" Did you mean {meant}?"))
    }

    fn mistake(&mut self, room: &Room, words: String) {
        self.found.push(Remark { weight: Weight::Mistake, room: room.id, words });
    }

    fn doubt(&mut self, room: &Room, words: impl Into<String>) {
        self.found.push(Remark { weight: Weight::Doubt, room: room.id, words: words.into() });
    }

    /// Its text, and what it is for.
    fn look_at_room(&mut self, room: &Room) {
        if room.description.is_empty() || room.description == founding::BARE {
            self.doubt(room, "nobody has said yet what one sees here.");
        }
        if room.kind == RoomKind::Shop && room.stock.is_empty() {
            self.doubt(room, "this shop sells nothing.");
        }
        if room.kind != RoomKind::Start {
            return;
        }
        let branches: Vec<_> =
            self.turn.world.exits_of(room.id).filter(|exit| exit.kind == ExitKind::Branch).collect();
        if branches.is_empty() {
            self.doubt(room, "this start room has no branch exit, so nobody can go down here.");
        }
        let own = self.turn.world.start_tasks.get(room.id).map(|tasks| &tasks.settings.exits);
        let settings = branches.iter().map(|exit| &exit.settings).chain(own);
        let themes: BTreeSet<&String> = settings.filter_map(|settings| settings.theme.as_ref()).collect();
        let known = &self.turn.catalog.level_types;
        for theme in themes.into_iter().filter(|theme| !known.contains_key(*theme)) {
            let meant = self.asking(theme, known.keys().map(String::as_str));
            self.mistake(room, format!("there is no level type {theme}.{meant}"));
        }
    }

    /// Rooms to which no way leads from the town, a remark for all that are joined to each other: one missing way cuts all of
    /// them off. Drafts are not entered by walking.
    fn look_at_cut_off(&mut self, rooms: &[&Room]) {
        let turn = self.turn;
        let is_cut_off = |room: &&&Room| {
            !self.walkable.contains(&room.id) && rehearsal::draft_around(turn, room.id).is_none()
        };
        let cut_off: BTreeMap<RoomId, &Room> =
            rooms.iter().filter(is_cut_off).map(|room| (room.id, *room)).collect();
        let mut beside: BTreeMap<RoomId, Vec<RoomId>> = BTreeMap::new();
        for room in cut_off.keys() {
            let ways = turn.world.exits_of(*room).filter(|exit| exit.kind == ExitKind::Exit);
            for to in ways.filter_map(|exit| exit.to).filter(|to| cut_off.contains_key(to)) {
                beside.entry(*room).or_default().push(to);
                beside.entry(to).or_default().push(*room);
            }
        }
        let mut seen = BTreeSet::new();
        for (id, room) in &cut_off {
            if !seen.insert(*id) {
                continue;
            }
            let (mut others, mut to_see) = (0_u32, vec![*id]);
            while let Some(next) = to_see.pop() {
                for to in beside.get(&next).into_iter().flatten().filter(|to| seen.insert(**to)) {
                    others += 1;
                    to_see.push(*to);
                }
            }
            let words = match others {
                0 => "nobody can walk here from the town.".to_owned(),
                1 => "nobody can walk from the town here, nor to the room that is joined to it.".to_owned(),
                _ => format!("nobody can walk from the town here, nor to the {others} rooms joined to it."),
            };
            self.doubt(room, words);
        }
    }

    /// How one comes here, and on.
    fn look_at_ways(&mut self, room: &Room) {
        let exits: Vec<&Exit> = self.turn.world.exits_of(room.id).collect();
        if exits.is_empty() {
            self.doubt(room, "no exit leads out of here.");
        }
        for (weight, words) in ways_amiss(self.turn, room) {
            self.found.push(Remark { weight, room: room.id, words });
        }
        for exit in exits.into_iter().filter(|exit| exit.kind == ExitKind::Exit && exit.to.is_some()) {
            self.look_at_door(room, exit);
        }
    }

    fn look_at_door(&mut self, room: &Room, exit: &Exit) {
        let Some(door) = &exit.door else { return };
        let items = &self.turn.catalog.items;
        match &door.key {
            Some(key) if !items.contains_key(key) => {
                let meant = self.asking(key, items.keys().map(String::as_str));
                self.mistake(
                    room,
                    format!("the {} needs the key {key}, which is no thing.{meant}", door.name),
                );
            }
            Some(key) if !self.given.contains(key.as_str()) => {
                self.doubt(room, format!("the {} needs {key}, which nobody can come by.", door.name));
            }
            _ => {}
        }
        let far: Vec<ExitId> = doors::sides(self.turn, exit.id).into_iter().skip(1).collect();
        if far.iter().any(|side| self.turn.world.exits[*side].door != exit.door) {
            self.doubt(room, format!("the {} is another door, or none, from the other side.", door.name));
        }
    }

    /// What comes here, and what happens.
    fn look_at_life(&mut self, room: &Room) {
        let (mobs, items) = (&self.turn.catalog.mobs, &self.turn.catalog.items);
        for key in room.stock.iter().chain(&room.supplies).filter(|key| !items.contains_key(*key)) {
            let meant = self.asking(key, items.keys().map(String::as_str));
            self.mistake(room, format!("{key} is for sale or laid out, which is no thing.{meant}"));
        }
        for rule in &room.spawns {
            let (what, meant) = match &rule.what {
                Spawned::Creature(key) if !mobs.contains_key(key) => {
                    ("creature", self.asking(key, mobs.keys().map(String::as_str)))
                }
                Spawned::Item(key) if !items.contains_key(key) => {
                    ("thing", self.asking(key, items.keys().map(String::as_str)))
                }
                Spawned::Creature(_) | Spawned::Item(_) => continue,
            };
            self.mistake(room, format!("{} is to come here, which is no {what}.{meant}", rule.what.key()));
        }
        if !room.is_deadly() && room.triggers.iter().any(|trigger| trigger.on == TriggerEvent::Death) {
            self.doubt(room, "the trigger death waits for a death where nobody fights.");
        }
        let counted: BTreeSet<String> = scripts(room)
            .filter_map(|(_, script)| script)
            .flat_map(|script| {
                let counts = |line: &ScriptLine| match &line.deed {
                    Deed::Count(what) => Some(what.clone()),
                    _ => None,
                };
                script.lines().iter().filter_map(counts).collect::<Vec<_>>()
            })
            .collect();
        for (on, script) in scripts(room) {
            match script {
                None => self.mistake(room, format!("the trigger {on} has lines that no script has.")),
                Some(script) => self.look_at_script(room, &on, &script, &counted),
            }
        }
    }

    fn look_at_script(&mut self, room: &Room, on: &str, script: &Script, counted: &BTreeSet<String>) {
        let turn = self.turn;
        for UnknownName { line, what, key, valid } in script.unknown_names(&turn.catalog) {
            let meant = self.asking(key, valid);
            self.mistake(
                room,
                format!("line {line} of the trigger {on} names {key}, which is no {what}.{meant}"),
            );
        }
        for (number, line) in (1..).zip(script.lines()) {
            let place = format!("line {number} of the trigger {on}");
            if let Some((Condition::Count(what, _), _)) = &line.condition
                && !counted.contains(what)
            {
                let meant = self.asking(what, counted.iter().map(String::as_str));
                self.doubt(room, format!("{place} asks for {what}, which nothing here counts.{meant}"));
            }
            match &line.deed {
                Deed::Open(exit) | Deed::Shut(exit) if doors::door_named(turn, room.id, exit).is_none() => {
                    let known = turn.world.exits_of(room.id).filter(|exit| exit.door.is_some());
                    let meant = self.asking(exit, known.map(|exit| exit.name.as_str()));
                    self.mistake(
                        room,
                        format!("{place} moves the door of {exit}, where there is none.{meant}"),
                    );
                }
                Deed::Move(name) => {
                    let is_there = match name {
                        RoomName::Number(number) => {
                            turn.world.rooms.get(RoomId(*number)).is_some_and(|row| row.branch.is_none())
                        }
                        RoomName::Key(key) => super::room_called(turn, &room.area, key).is_some(),
                    };
                    if !is_there {
                        self.mistake(room, format!("{place} leads to room {name}, which is not there."));
                    }
                }
                _ => {}
            }
        }
    }
}
