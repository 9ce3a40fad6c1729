//! References to a draft from outside it, which follow when the draft is published: in definitions made in the game, and
//! in the scripts and spawn rules of other rooms.

use super::{rooms, text};
use crate::building::definitions;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId, RoomId};
use deepwell_core::catalog::references::luau_keys;
use deepwell_core::catalog::script::RoomName;
use deepwell_core::catalog::{CatalogError, DefinitionKind, Position, Renaming, Script};
use deepwell_core::text::grammar;
use deepwell_core::world::{OwnTrigger, Room, ZoneDraft};
use std::collections::BTreeMap;

/// Rows outside a draft that name it, as they will be after its publication.
#[derive(Default)]
pub(super) struct Followers {
    definitions: definitions::Changes,
    rooms: BTreeMap<RoomId, Room>,
    creatures: BTreeMap<CharacterId, Vec<OwnTrigger>>,
    items: BTreeMap<ItemId, Vec<OwnTrigger>>,
    /// Lines that the builder has to look at, in sentences.
    doubts: Vec<String>,
}

impl Followers {
    /// Finds the rows that name a draft.
    pub(super) fn of(turn: &Turn, key: &str, draft: &ZoneDraft) -> Self {
        let renaming = Renaming::of_zone(&text::area(turn, key), &draft.of);
        let rooms = rooms(turn, key).map(|room| (room.id.0, format!("{}/{}", draft.of, room.zone_key())));
        let sign = format!("{key}/");
        let names = Names { renaming: &renaming, sign: &sign, rooms: rooms.collect() };
        let mut found = Self::default();
        let made = turn.world.definitions.iter().map(|(_, row)| row);
        for row in made.filter(|row| row.text.contains(&sign)) {
            let text = if row.kind == DefinitionKind::Script {
                let (text, lines) = luau_keys::renamed(&row.text, &renaming);
                if !lines.is_empty() {
                    let lines = grammar::list(lines.iter().map(ToString::to_string));
                    found
                        .doubts
                        .push(format!("The script {} may name {key}: look at line {lines}.", row.key));
                }
                text
            } else {
                renaming.definition(row.kind, &row.text)
            };
            if text != row.text {
                found.definitions.insert((row.kind, row.key.clone()), Some(text));
            }
        }
        for id in turn.world.rooms.built() {
            let room = &turn.world.rooms[id];
            if room.area != key {
                turn.world.note_work(1);
                if let Some(renamed) = names.room(room) {
                    found.rooms.insert(id, renamed);
                }
                let creatures =
                    turn.world.occupants(id).iter().filter_map(|who| {
                        Some((*who, names.triggers(&turn.world.characters[*who].triggers)?))
                    });
                found.creatures.extend(creatures);
                let items = turn
                    .world
                    .ground(id)
                    .iter()
                    .filter_map(|item| Some((*item, names.triggers(&turn.world.items[*item].triggers)?)));
                found.items.extend(items);
            }
        }
        found
    }

    /// Tells what follows, in sentences.
    pub(super) fn lines(&self, from: &str, to: &str) -> Vec<String> {
        let made = self.definitions.keys().map(|(kind, key)| format!("The {} {key}", kind.noun()));
        let rooms = self.rooms.iter().map(|(id, room)| format!("{}, room {id},", room.name));
        let told = made.chain(rooms).map(|what| format!("{what} names {from}, and will name {to}."));
        told.chain(self.doubts.iter().cloned()).collect()
    }

    /// Writes the definitions.
    ///
    /// # Errors
    /// The mistakes of the content as it would be; then nothing is changed.
    pub(super) fn write_definitions(&self, turn: &mut Turn) -> Result<(), Vec<CatalogError>> {
        if self.definitions.is_empty() {
            return Ok(());
        }
        definitions::preview_catalog(turn, &self.definitions)?;
        definitions::write(turn, None, &self.definitions)
            .map_err(|refusal| vec![CatalogError::new(&Position::default(), refusal.markup().text(), "")])
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
struct Names<'r> {
    renaming: &'r Renaming,
    /// Beginning of the old names.
    sign: &'r str,
    /// New names of its rooms, by number.
    rooms: BTreeMap<u32, String>,
}

impl Names<'_> {
    /// Returns `true` if a line may name the draft; most lines do not, and are not parsed.
    fn may_be_in(&self, line: &str) -> bool {
        line.contains(self.sign) || line.contains('#')
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
                RoomName::Number(number) => {
                    self.rooms.get(number).map_or_else(|| name.clone(), |key| RoomName::Key(key.clone()))
                }
                RoomName::Key(_) => name.clone(),
            });
            if renamed != script {
                *line = renamed.to_string();
            }
        }
    }
}
