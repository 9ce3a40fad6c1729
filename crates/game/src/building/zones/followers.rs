//! References to a draft from outside it, which follow when the draft is published: in definitions made in the game, and
//! in the scripts and spawn rules of other rooms.

use super::text;
use crate::building::{definitions, keys};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId, RoomId};
use deepwell_core::catalog::script::ScriptRoomName;
use deepwell_core::catalog::{Area, AreaRoom, Renaming, Script};
use deepwell_core::world::{OwnTrigger, Room, ZoneDraft};
use std::collections::BTreeMap;

/// Rows outside a draft that name it, as they will be after its publication.
#[derive(Default)]
pub(super) struct Followers {
    definitions: definitions::DefinitionChanges,
    rooms: BTreeMap<RoomId, Room>,
    creatures: BTreeMap<CharacterId, Vec<OwnTrigger>>,
    items: BTreeMap<ItemId, Vec<OwnTrigger>>,
    /// Lines that the builder has to look at, in sentences.
    doubts: Vec<String>,
}

impl Followers {
    /// Finds the definitions that name a draft.
    pub(super) fn definitions_of(turn: &Turn, key: &str, draft: &ZoneDraft) -> Self {
        let sign = format!("{key}/");
        let mut found = Self::default();
        if !turn.world.definitions.iter().any(|(_, row)| row.text.contains(&sign)) {
            return found;
        }
        let keys = turn.world.rooms.of_zone(key).map(|room| turn.world.rooms[room].zone_key());
        let area = Area { rooms: keys.map(AreaRoom::empty).collect(), ..text::head(turn, key) };
        let renaming = Renaming::of_zone(&area, &draft.of);
        let made = turn.world.definitions.iter().map(|(_, row)| row).filter(|row| row.draft.is_none());
        for row in made.filter(|row| row.text.contains(&sign)) {
            let (text, doubts) = keys::renamed_text(&renaming, row);
            if !doubts.is_empty() {
                found.doubts.push(keys::doubt(&row.key, key, &doubts));
            }
            if text != row.text {
                found.definitions.insert((row.kind, row.key.clone()), Some(text));
            }
        }
        found
    }

    /// Finds what names a draft in a room elsewhere: its scripts and rules, and the creatures and items in it.
    pub(super) fn note_room(&mut self, names: &Names<'_>, id: RoomId) {
        let turn = names.turn;
        let room = &turn.world.rooms[id];
        turn.world.note_work(1);
        if room.area == names.key {
            return;
        }
        if let Some(renamed) = names.room(room) {
            self.rooms.insert(id, renamed);
        }
        for who in turn.world.occupants(id) {
            let triggers = names.triggers(&turn.world.characters[*who].triggers);
            self.creatures.extend(triggers.map(|triggers| (*who, triggers)));
        }
        for item in turn.world.ground(id) {
            let triggers = names.triggers(&turn.world.items[*item].triggers);
            self.items.extend(triggers.map(|triggers| (*item, triggers)));
        }
    }

    /// Tells what follows, in sentences.
    pub(super) fn lines(&self, from: &str, to: &str) -> Vec<String> {
        let made = self.definitions.keys().map(|(kind, key)| format!("The {} {key}", kind.noun()));
        let rooms = self.rooms.iter().map(|(id, room)| format!("{}, room {id},", room.sheet.name));
        let lines = made.chain(rooms).map(|what| format!("{what} names {from}, and will name {to}."));
        lines.chain(self.doubts.iter().cloned()).collect()
    }

    /// Returns the texts of the definitions that follow.
    pub(super) const fn definitions(&self) -> &definitions::DefinitionChanges {
        &self.definitions
    }

    /// Writes the rooms, with the creatures and items in them.
    pub(super) fn write_rooms(self, turn: &mut Turn) {
        for (id, room) in self.rooms {
            turn.world.rooms.change_built(id, |row| {
                (row.triggers, row.spawns) = (room.triggers, room.spawns);
            });
        }
        for (id, triggers) in self.creatures {
            turn.world.characters.change(id, |row| row.triggers = triggers.into());
        }
        for (id, triggers) in self.items {
            turn.world.items.change(id, |row| row.triggers = triggers.into());
        }
    }
}

/// New names of the rooms and variables of a draft.
pub(super) struct Names<'t> {
    turn: &'t Turn,
    renaming: Renaming,
    /// Beginning of the old names.
    sign: String,
    /// Key of the draft.
    key: &'t str,
    /// Key of its zone.
    of: &'t str,
}

impl<'t> Names<'t> {
    /// Returns the new names of a draft.
    pub(super) fn of(turn: &'t Turn, key: &'t str, draft: &'t ZoneDraft) -> Self {
        let renaming = Renaming::of_zone(&text::head(turn, key), &draft.of);
        Self { turn, renaming, sign: format!("{key}/"), key, of: &draft.of }
    }

    /// Returns `true` if a line may name the draft; most lines do not, and are not parsed.
    fn may_be_in(&self, line: &str) -> bool {
        line.contains(&self.sign) || line.contains('#')
    }

    /// Returns the room with its references renamed; `None` if nothing changes.
    fn room(&self, room: &Room) -> Option<Room> {
        let mut lines = room.triggers.iter().flat_map(|trigger| &trigger.lines);
        let has_rule = room.spawns.iter().any(|rule| !rule.route.is_empty() || rule.bounds.only_if.is_some());
        if !has_rule && !lines.any(|line| self.may_be_in(line)) {
            return None;
        }
        let mut renamed = room.clone();
        self.rename_lines(renamed.triggers.iter_mut().flat_map(|trigger| &mut trigger.lines));
        for rule in renamed.spawns.iter_mut() {
            self.renaming.rule(&mut rule.bounds, &mut rule.route);
        }
        (renamed != *room).then_some(renamed)
    }

    /// Returns the triggers with their references renamed; `None` if nothing changes.
    fn triggers(&self, triggers: &[OwnTrigger]) -> Option<Vec<OwnTrigger>> {
        let mut renamed = triggers.to_vec();
        self.rename_lines(renamed.iter_mut().flat_map(|trigger| &mut trigger.lines));
        (renamed != triggers).then_some(renamed)
    }

    fn rename_lines<'l>(&self, lines: impl Iterator<Item = &'l mut String>) {
        for line in lines.filter(|line| self.may_be_in(line)) {
            let Ok(script) = Script::parse_rest([line.as_str()]) else { continue };
            let renamed = self.renaming.script(script.clone()).with_rooms(|name| match name {
                ScriptRoomName::Number(number) => {
                    let room =
                        self.turn.world.rooms.get(RoomId(*number)).filter(|room| room.area == self.key);
                    room.map_or_else(
                        || name.clone(),
                        |room| ScriptRoomName::Key(format!("{}/{}", self.of, room.zone_key())),
                    )
                }
                ScriptRoomName::Key(_) => name.clone(),
            });
            if renamed != script {
                *line = renamed.to_string();
            }
        }
    }
}
