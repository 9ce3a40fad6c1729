//! The plan of one room: everything that is fixed when somebody first walks in.

use crate::base::{Direction, Point};
use crate::catalog::room_kind::Loot;
use crate::catalog::{
    Catalog, MobPrototype, Neighbour, RoomContent, RoomFeature, RoomKind, Script, Theme, TriggerEvent,
};
use crate::level::{Growth, Portal, Sketch};
use std::collections::BTreeMap;

/// What is in a new room.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Challenge {
    /// Keys of the mobs to spawn. Guards among them block; roamers do not.
    pub creatures: Vec<String>,
    /// Keys of the items that lie there.
    pub items: Vec<String>,
    /// How many coppers are among them.
    pub coins: u32,
    /// How many rooms back, along the way one came, the lever is; 0 if it is in the room itself.
    pub lever_rooms_back: u32,
}

/// What a room has by its kind, besides what has to be overcome.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fixture {
    /// What it is about.
    pub feature: Option<RoomFeature>,
    /// A sentence about it that may become untrue one day.
    pub line: Option<String>,
    /// What one sees on a closer look, by noun.
    pub details: BTreeMap<String, String>,
    /// Keys of the items that are for sale.
    pub stock: Vec<String>,
}

/// A new room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoomPlan {
    /// Its place on its floor.
    pub at: Point,
    /// Whole part of the distance from the start.
    pub depth: u32,
    /// How hard it is.
    pub difficulty: u32,
    /// Its kind.
    pub kind: RoomKind,
    /// What its name line says.
    pub name: String,
    /// A few sentences of plain text.
    pub description: String,
    /// One word for mappers.
    pub environment: String,
    /// Unexplored exits, clockwise from north; the way back is not among them.
    pub new_exits: Vec<Direction>,
    /// The signs beside those of them behind which something too strong for this depth waits.
    pub omens: BTreeMap<Direction, String>,
    /// The traps on others of them, by key.
    pub traps: BTreeMap<Direction, String>,
    /// Older exits that lead here one-way from here on.
    pub joined: Vec<(Point, Direction)>,
    /// Ways to rooms that exist already, beside the way back; both sides can be walked from here on.
    pub met: Vec<Direction>,
    /// What is in it.
    pub challenge: Challenge,
    /// What belongs to its kind.
    pub fixture: Fixture,
    /// Whether a sign announced it: its creatures and loot are those of a greater depth.
    pub out_of_depth: bool,
    /// Whether it is clear from the start.
    pub clear: bool,
    /// What leads from it to another floor: stairs down, or a way out.
    pub portal: Option<Portal>,
    /// The script that runs when somebody enters.
    pub on_enter: Script,
    /// What happens when somebody does something else.
    pub triggers: Vec<(TriggerEvent, Script)>,
    /// Which room of a vault it is, if it is one.
    pub vault: Option<Box<VaultRoomPlan>>,
}

/// Which room of a vault a room is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VaultRoomPlan {
    /// The vault, by key.
    pub vault: String,
    /// What the vault calls the room.
    pub key: String,
}

impl RoomPlan {
    /// A clear room of a kind where a floor has grown, with nothing in it and not a word; `below` is what its floor adds to the
    /// difficulty.
    pub(super) fn bare(growth: Growth, kind: RoomKind, below: u32) -> Self {
        let Growth { at, depth, new_exits, joined, met, stairs: _ } = growth;
        Self {
            at,
            depth,
            difficulty: depth.saturating_add(below),
            kind,
            name: String::new(),
            description: String::new(),
            environment: String::new(),
            new_exits,
            omens: BTreeMap::new(),
            traps: BTreeMap::new(),
            joined,
            met,
            challenge: Challenge::default(),
            fixture: Fixture::default(),
            out_of_depth: false,
            clear: true,
            portal: None,
            on_enter: Script::default(),
            triggers: Vec::new(),
            vault: None,
        }
    }

    /// Becomes a room that somebody wrote as a whole: its words, what happens there, and in its sketch who and what is in it,
    /// for which the theme's bounds do not hold.
    pub(super) fn become_written(
        &mut self,
        content: RoomContent,
        theme: Option<&Theme>,
        sketch: &mut Sketch,
    ) {
        let RoomContent { name, description, environment, details, creatures, items, on_enter, triggers } =
            content;
        let of_theme = || theme.map(|theme| theme.band(self.depth).environment.clone()).unwrap_or_default();
        self.environment = if environment.is_empty() { of_theme() } else { environment };
        (self.name, self.description, self.fixture.details) = (name, description, details);
        self.challenge = Challenge::default();
        (sketch.creatures, sketch.items) = (creatures, items);
        (self.on_enter, self.triggers) = (on_enter, triggers);
    }

    /// Adds what a level type puts into the room, and says whether anything there bars the way.
    pub(super) fn stock(&mut self, sketch: &Sketch, catalog: &Catalog) {
        self.challenge.creatures.extend(sketch.creatures.iter().cloned());
        self.challenge.items.extend(sketch.items.iter().cloned());
        self.clear = self.kind.is_born_clear(self.blocks(catalog));
    }

    /// Whether its items come to light only when something has been done.
    pub fn keeps_its_items(&self) -> bool {
        !self.clear || matches!(self.kind.spec().loot, Loot::Gift | Loot::Key)
    }

    /// Whether something here keeps the ways on shut.
    pub fn blocks(&self, catalog: &Catalog) -> bool {
        let guards = |key: &String| catalog.mobs.get(key).is_some_and(MobPrototype::guards);
        self.has_mechanism() || self.challenge.creatures.iter().any(guards)
    }

    /// Whether a lever or a puzzle keeps the ways on shut: what neither walking nor fighting opens.
    pub fn has_mechanism(&self) -> bool {
        self.fixture.feature.as_ref().is_some_and(RoomFeature::bars)
    }

    /// The puzzle behind its gate, if there is one: its place in the theme's list.
    pub fn puzzle(&self) -> Option<u32> {
        self.fixture.feature.as_ref().and_then(RoomFeature::puzzle)
    }

    /// Whether stairs lead down from it.
    pub fn has_stairs(&self) -> bool {
        self.portal.as_ref().is_some_and(|portal| portal.direction == Direction::Down)
    }

    /// Whether it is one of the great things of a branch, which stand far apart: a landmark, a captive, a gate to a
    /// puzzle of its own, a vault.
    pub fn is_set_piece(&self) -> bool {
        self.puzzle().is_some() || self.vault.is_some() || self.kind.spec().set_piece
    }

    /// What rooms next door can say of it, for as long as it stands.
    pub fn as_neighbour(&self) -> Option<Neighbour> {
        if self.has_stairs() {
            Some(Neighbour::Stairs)
        } else if self.kind.is_drawn() {
            Some(Neighbour::Room(self.kind))
        } else {
            (!self.clear).then_some(Neighbour::Monsters)
        }
    }
}
