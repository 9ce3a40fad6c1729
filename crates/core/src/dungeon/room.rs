//! Plan of one room: everything that is fixed when the first player enters.

use crate::base::{Direction, Point, Seed};
use crate::catalog::room_kind::Loot;
use crate::catalog::theme::scripted_room::RoomSpot;
use crate::catalog::{
    Catalog, CreaturePrototype, NeighbourProperty, RoomContent, RoomFeature, RoomKind, RoomSheet, Script,
    Theme, TriggerEvent,
};
use crate::level::{Growth, Portal, Sketch};
use std::collections::BTreeMap;

/// Creatures and items of a new room.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NewRoomChallenge {
    /// Keys of the creatures to spawn. Guards among them block exits; roamers do not.
    pub creatures: Vec<String>,
    /// Keys of the items in the room.
    pub items: Vec<String>,
    /// Number of coppers.
    pub coins: u32,
    /// Distance of the lever in rooms, along the path back; 0 if it is in the room itself.
    pub lever_rooms_back: u32,
}

/// Features of a room's kind.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fixture {
    /// Main feature.
    pub feature: Option<RoomFeature>,
    /// Sentence about the feature, which may be replaced later.
    pub line: Option<String>,
    /// Keys of the items for sale.
    pub stock: Vec<String>,
}

/// A new room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoomPlan {
    /// Position on its floor.
    pub at: Point,
    /// Whole part of the distance from the start.
    pub depth: u32,
    /// Difficulty.
    pub difficulty: u32,
    /// Its kind and its texts.
    pub sheet: RoomSheet,
    /// Unexplored exits, clockwise from north; the exit back is not included.
    pub new_exits: Vec<Direction>,
    /// Signs beside new exits that lead to out-of-depth rooms.
    pub omens: BTreeMap<Direction, String>,
    /// Keys of the traps on new exits.
    pub traps: BTreeMap<Direction, String>,
    /// Older exits that now lead here, one-way.
    pub joined: Vec<(Point, Direction)>,
    /// Two-way passages to existing rooms, not counting the exit back.
    pub met: Vec<Direction>,
    /// Creatures and items.
    pub challenge: NewRoomChallenge,
    /// Features of its kind.
    pub fixture: Fixture,
    /// Set if a sign announced the room: its creatures and loot are those of a greater depth.
    pub out_of_depth: bool,
    /// Set if the room is clear from the start.
    pub clear: bool,
    /// Portal to another floor: stairs down, or an exit from the dungeon.
    pub portal: Option<Portal>,
    /// Scripts that run on events.
    pub triggers: Vec<(TriggerEvent, Script)>,
    /// Identity of the room in its vault, if it belongs to one.
    pub vault_room: Option<Box<VaultRoomPlan>>,
}

/// Identity of a room in its vault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VaultRoomPlan {
    /// Key of the vault.
    pub vault_key: String,
    /// Key of the room in the vault.
    pub room_key: String,
}

impl RoomPlan {
    /// Creates a clear room without contents and texts; `below` is the difficulty added by its floor.
    pub(super) fn bare(growth: Growth, kind: RoomKind, below: u32) -> Self {
        let Growth { at, depth, new_exits, joined, met, stairs: _ } = growth;
        Self {
            at,
            depth,
            difficulty: depth.saturating_add(below),
            sheet: RoomSheet::new(kind, String::new()),
            new_exits,
            omens: BTreeMap::new(),
            traps: BTreeMap::new(),
            joined,
            met,
            challenge: NewRoomChallenge::default(),
            fixture: Fixture::default(),
            out_of_depth: false,
            clear: true,
            portal: None,
            triggers: Vec::new(),
            vault_room: None,
        }
    }

    /// Returns where the room is, as its script is told; `back` is the way back.
    pub fn spot<'a>(
        &'a self,
        branch: Seed,
        level_type: &'a str,
        floor: u32,
        back: Direction,
    ) -> RoomSpot<'a> {
        RoomSpot {
            branch,
            level_type,
            floor,
            at: self.at,
            depth: self.depth,
            difficulty: self.difficulty,
            unexplored: &self.new_exits,
            neighbours: self.met.iter().copied().chain([back]).collect(),
        }
    }

    /// Replaces the text, contents and scripts by those of a hand-written room. Its creatures and items go into the
    /// sketch and are not bound by the theme's limits.
    pub(super) fn apply_written_content(
        &mut self,
        content: RoomContent,
        theme: Option<&Theme>,
        sketch: &mut Sketch,
    ) {
        let RoomContent { name, description, environment, details, creatures, items, triggers } = content;
        let of_theme = || theme.map(|theme| theme.band(self.depth).environment.clone()).unwrap_or_default();
        self.sheet = RoomSheet {
            environment: if environment.is_empty() { of_theme() } else { environment },
            description,
            details: details.into(),
            ..RoomSheet::new(self.sheet.kind, name)
        };
        self.challenge = NewRoomChallenge::default();
        (sketch.creatures, sketch.items) = (creatures, items);
        self.triggers = triggers;
    }

    /// Adds the creatures and items of the sketch, and updates `clear`.
    pub(super) fn stock(&mut self, sketch: &Sketch, catalog: &Catalog) {
        self.challenge.creatures.extend(sketch.creatures.iter().cloned());
        self.challenge.items.extend(sketch.items.iter().cloned());
        self.clear = self.sheet.kind.is_born_clear(self.blocks(catalog));
    }

    /// Returns `true` if its items appear only after the room is cleared or a task is done.
    pub fn withholds_items(&self) -> bool {
        !self.clear || matches!(self.sheet.kind.spec().loot, Loot::Gift | Loot::Key)
    }

    /// Returns `true` if a mechanism or a guard blocks the exits.
    pub fn blocks(&self, catalog: &Catalog) -> bool {
        let guards = |key: &String| catalog.creatures.get(key).is_some_and(CreaturePrototype::guards);
        self.has_mechanism() || self.challenge.creatures.iter().any(guards)
    }

    /// Returns `true` if a lever or a puzzle blocks the exits, which fighting cannot open.
    pub fn has_mechanism(&self) -> bool {
        self.fixture.feature.as_ref().is_some_and(RoomFeature::bars)
    }

    /// Returns the index of its puzzle in the theme's list, if it has a gate.
    pub fn puzzle(&self) -> Option<u32> {
        self.fixture.feature.as_ref().and_then(RoomFeature::puzzle)
    }

    /// Returns `true` if it has stairs down.
    pub fn has_stairs(&self) -> bool {
        self.portal.as_ref().is_some_and(|portal| portal.direction == Direction::Down)
    }

    /// Returns `true` for set pieces, which are kept apart: landmarks, captives, gates to puzzles, and vaults.
    pub fn is_set_piece(&self) -> bool {
        self.puzzle().is_some() || self.vault_room.is_some() || self.sheet.kind.spec().set_piece
    }

    /// Returns the kind of the room as described in neighbouring rooms, if it is notable.
    pub fn as_neighbour(&self) -> Option<NeighbourProperty> {
        if self.has_stairs() {
            Some(NeighbourProperty::Stairs)
        } else if self.sheet.kind.is_generated() {
            Some(NeighbourProperty::Room(self.sheet.kind))
        } else {
            (!self.clear).then_some(NeighbourProperty::Monsters)
        }
    }
}
