//! Vaults created by builders: rooms of a zone turned into a set piece for branches. Vaults are stored with their zone
//! until they are content files.

use crate::access::draft_names;
use crate::character::variables;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{Direction, Point, RoomId, RuleLimit};
use deepwell_core::catalog::theme::room_content::IN_ROOM_MAX;
use deepwell_core::catalog::{RoomContent, RoomFlag, Script, Vault, VaultRoom};
use deepwell_core::level::VAULT_ROOMS_MAX;
use deepwell_core::text::nearest;
use deepwell_core::world::{Exit, ExitKind, Room, Spawned, TriggerEvent};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Rooms as a vault, with a list of unsupported features.
pub(crate) struct GatheredVault {
    /// The vault.
    pub(crate) vault: Vault,
    /// Features left out, as text.
    pub(crate) left_out: BTreeSet<String>,
}

/// Refuses to exceed the limit on vaults that are created in the game.
pub(crate) fn require_space(turn: &Turn, more: usize) -> Result<(), Refusal> {
    let (limits, wants) = (&turn.config.limits, turn.world.meta().vaults_created_in_game().len() + more);
    refusal::require_at_most(limits, RuleLimit::Vaults, wants, |most| {
        refuse!(
            "There are as many vaults made in the game as there may be: {most}. One that is a file of the \
             content can be dropped."
        )
    })
}

/// Collects the rooms of the zone that can be walked to and back from a room, as a vault. Exits out of the zone become
/// its ends, as do the given sides of the room.
///
/// # Errors
/// If the rooms do not fit on a grid, or the vault has no entry.
pub(crate) fn gather(turn: &Turn, from: RoomId, sides: &[Direction]) -> Result<GatheredVault, Refusal> {
    let mut survey = VaultSurvey {
        turn,
        placed: BTreeMap::from([(from, Point::ORIGIN)]),
        order: vec![from],
        left_out: BTreeSet::new(),
    };
    let mut rooms: Vec<VaultRoom> = Vec::new();
    while let Some(room) = survey.order.get(rooms.len()).copied() {
        let (ways, mut ends) = survey.place_neighbours(room)?;
        if room == from {
            ends.extend(sides);
        }
        rooms.push(survey.furnished(room, ways, ends));
    }
    let mut vault = Vault { rooms, ..Vault::default() };
    vault.turns = vault.may_turn();
    if let Some(published) = draft_names::published_renaming(turn, &turn.world.rooms[from].area) {
        vault = published.vault(vault);
    }
    match vault.flaws().into_iter().next() {
        Some((_, flaw, expected)) => Err(refuse!("This is no vault yet: {flaw}. It needs {expected}.")),
        None => Ok(GatheredVault { vault, left_out: survey.left_out }),
    }
}

/// State of a collection.
struct VaultSurvey<'t> {
    turn: &'t Turn,
    placed: BTreeMap<RoomId, Point>,
    order: Vec<RoomId>,
    left_out: BTreeSet<String>,
}

impl VaultSurvey<'_> {
    fn room(&self, id: RoomId) -> &Room {
        &self.turn.world.rooms[id]
    }

    /// Returns the exits from a room to other rooms of the vault, which are placed, and exits that leave the vault.
    fn place_neighbours(
        &mut self,
        room: RoomId,
    ) -> Result<(BTreeSet<Direction>, BTreeSet<Direction>), Refusal> {
        let (mut ways, mut ends) = (BTreeSet::new(), BTreeSet::new());
        let exits: Vec<Exit> = self.turn.world.exits.of(room).cloned().collect();
        for exit in exits {
            let key = self.room(room).zone_key();
            let flat = exit.direction.filter(|side| Direction::PLANE.contains(side));
            let (Some(side), Some(to), ExitKind::Exit) = (flat, exit.to, exit.kind) else {
                self.left_out.insert(format!("the exit {} of {key}", exit.name));
                continue;
            };
            if let Some(door) = &*exit.door {
                self.left_out.insert(format!("the {} of {key}", door.name));
            }
            if self.room(to).area != self.room(room).area || self.room(to).branch.is_some() {
                ends.insert(side);
                continue;
            }
            let leads_back = |back: &Exit| back.direction == Some(side.opposite()) && back.to == Some(room);
            if !self.turn.world.exits.of(to).any(leads_back) {
                return Err(refuse!("The exit {} of {key} has no way back, which a vault needs.", exit.name));
            }
            self.place(to, self.placed.get(&room).copied().unwrap_or_default().step(side))?;
            ways.insert(side);
        }
        Ok((ways, ends))
    }

    fn place(&mut self, room: RoomId, at: Point) -> Result<(), Refusal> {
        let crooked = || {
            refuse!(
                "The exits to {} do not agree where it lies, so that it has no place on a grid.",
                self.room(room).zone_key()
            )
        };
        match self.placed.get(&room) {
            Some(place) if *place == at => return Ok(()),
            Some(_) => return Err(crooked()),
            None if self.placed.values().any(|taken| *taken == at) => return Err(crooked()),
            None if self.placed.len() >= VAULT_ROOMS_MAX => {
                return Err(refuse!(
                    "A vault has at most {VAULT_ROOMS_MAX} rooms, and more than that hang together here."
                ));
            }
            None => {}
        }
        self.placed.insert(room, at);
        self.order.push(room);
        Ok(())
    }

    /// Converts a room, with the features that a vault supports.
    fn furnished(&mut self, id: RoomId, ways: BTreeSet<Direction>, ends: BTreeSet<Direction>) -> VaultRoom {
        let room = self.room(id).clone();
        let turn = self.turn;
        let key = room.zone_key();
        let (mut creatures, mut items) = (Vec::new(), Vec::new());
        for rule in &room.spawns {
            let (list, named) = match &rule.what {
                Spawned::Creature(named) => (&mut creatures, named),
                Spawned::Item(named) => (&mut items, named),
            };
            if !rule.route.is_empty() {
                self.left_out.insert(format!("the patrol or schedule of {named} in {key}"));
            }
            let space = IN_ROOM_MAX.saturating_sub(list.len());
            list.extend(std::iter::repeat_n(named.clone(), (rule.count as usize).min(space)));
        }
        if !room.stock.is_empty() || !room.supplies.is_empty() {
            self.left_out.insert(format!("what is sold or laid out in {key}"));
        }
        for flag in room.sheet.flags.iter().filter(|flag| **flag != RoomFlag::Fights) {
            self.left_out.insert(format!("the setting {} of {key}", flag.name()));
        }
        if turn.world.exits.of(id).any(|exit| exit.hidden) {
            self.left_out.insert(format!("what hides the exits of {key}"));
        }
        let mut script = |lines: &[String], what: &str| {
            let script = Script::parse(lines.iter().map(String::as_str)).unwrap_or_default();
            // Rooms of a branch are in no zone.
            let script = script.with_variables(|name| variables::full_name(turn, id, name));
            let moves = script.rooms().next().is_some();
            if moves {
                self.left_out.insert(format!("{what} of {key}, which moves somebody"));
            }
            if moves { Script::default() } else { script }
        };
        let read = room.triggers.iter().map(|trigger| {
            let what = format!("trigger {}", trigger.on);
            (trigger.on.clone(), script(&trigger.lines, &what))
        });
        let triggers: Vec<(TriggerEvent, Script)> = read.filter(|(_, script)| !script.is_empty()).collect();
        let (timers, triggers): (Vec<_>, Vec<_>) =
            triggers.into_iter().partition(|(on, _)| matches!(on, TriggerEvent::Timer(_)));
        for (on, _) in timers {
            self.left_out.insert(format!("trigger {on} of {key}"));
        }
        VaultRoom {
            key,
            at: self.placed.get(&id).copied().unwrap_or_default(),
            content: RoomContent {
                name: room.sheet.name,
                description: room.sheet.description,
                environment: room.sheet.environment,
                details: room.sheet.details.into_value(),
                creatures,
                items,
                triggers,
            },
            ways: ways.into_iter().collect(),
            ends: ends.into_iter().collect(),
            ..VaultRoom::default()
        }
    }
}

/// Finds a vault created in the game, with the key of its zone.
///
/// # Errors
/// If there is no vault of that name.
pub(crate) fn vault_named(turn: &Turn, name: &str) -> Result<(String, Arc<Vault>), Refusal> {
    let mut all = turn.world.meta().zones.iter();
    let found = all.find_map(|(zone, row)| Some((zone.clone(), Arc::clone(row.vaults.get(name)?))));
    found.ok_or_else(|| {
        let all = turn.world.meta().vaults_created_in_game();
        let meant = nearest(name, all.keys().map(String::as_str));
        refuse!("There is no vault {name} made in the game.{}", refusal::did_you_mean(meant))
    })
}
