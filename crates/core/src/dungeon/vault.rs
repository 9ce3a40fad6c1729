//! Rooms of vaults. A vault begins where the rules of the level type allow it and it fits; its positions then stay
//! reserved until all its rooms have been entered. On whole floors vaults are placed when the floor is generated.

use super::describe::{self, RoomTextInputs};
use super::way::{Opened, UnexploredExit};
use super::{BranchMemory, BuilderVaults, FloorSpec, Frontier, Growth, RoomPlan, VaultRoomPlan, Walker};
use crate::base::Dice;
use crate::catalog::{Catalog, RoomKind, Vault};
use crate::level::{
    FloorPlan, Layout, PlacedVault, RoomKindLimit, Sketch, VaultRule, max_open_exits, vault_placements,
};
use std::sync::Arc;

/// All vaults by key: those of the content and those created in the game.
#[derive(Clone, Copy)]
struct KnownVaults<'a> {
    catalog: &'a Catalog,
    made: &'a BuilderVaults,
}

impl<'a> KnownVaults<'a> {
    fn vault(self, key: &str) -> Option<&'a Arc<Vault>> {
        self.catalog.vaults.get(key).or_else(|| self.made.get(key))
    }

    /// Returns the vault rules for floors of a level type: those of the content first, then those of vaults created in
    /// the game.
    fn rules(self, floor: FloorSpec<'a>) -> impl Iterator<Item = (&'a str, &'a VaultRule)> {
        let kind = floor.kind;
        let own = kind.vaults.iter().map(|(key, rule)| (key.as_str(), rule));
        let made = self.made.iter().filter(|(key, _)| !self.catalog.vaults.contains_key(*key));
        let made = made.flat_map(move |(key, vault)| {
            let here = vault.level_types.iter().filter(move |(name, _)| *name == kind.name);
            here.map(move |(_, rule)| (key.as_str(), rule))
        });
        own.chain(made)
    }
}

impl Walker<'_> {
    const fn known_vaults(&self) -> KnownVaults<'_> {
        KnownVaults { catalog: self.catalog, made: &self.made }
    }

    /// Creates the room behind an exit of a growing floor if it belongs to a vault or a vault begins there.
    pub(super) fn open_vault_room(
        &mut self,
        floor: FloorSpec<'_>,
        frontier: &mut Frontier,
        way: UnexploredExit,
    ) -> Option<Opened> {
        frontier.keep(self.memory.vaults.kept(floor.number));
        if self.memory.vaults.at(floor.number, way.to()).is_none() {
            let laid = self.begin_vault(floor, frontier, way)?;
            frontier.keep(laid.plots.iter().map(|plot| plot.at));
            note(laid, self.memory);
        }
        let (_, plot) = self.memory.vaults.at(floor.number, way.to())?;
        frontier.take(way.from, way.direction);
        let (new_exits, met, joined) = frontier.place_reserved(plot.at, &plot.ways, &plot.ends);
        let growth = Growth { at: plot.at, depth: plot.at.depth(), new_exits, joined, met, stairs: None };
        self.fill_vault_room(floor, growth, way)
    }

    /// Creates the vault room at a position, given its exits.
    pub(super) fn fill_vault_room(
        &mut self,
        floor: FloorSpec<'_>,
        growth: Growth,
        way: UnexploredExit,
    ) -> Option<Opened> {
        let (spec, catalog, at) = (self.spec, self.catalog, growth.at);
        let (vault_key, plot) = self.memory.vaults.at(floor.number, at)?;
        let room = self.known_vaults().vault(vault_key).and_then(|vault| vault.room(&plot.key));
        let content = room.map(|room| room.content.clone());
        let of = VaultRoomPlan { vault_key: vault_key.to_owned(), room_key: plot.key.clone() };
        let memory = &mut *self.memory;
        memory.vaults.make(floor.number, at);
        let bare = RoomPlan::bare(growth, RoomKind::Dungeon, spec.difficulty_below(floor.dungeon_level));
        let mut plan = RoomPlan { vault_room: Some(Box::new(of)), ..bare };
        let mut sketch = Sketch::bare(at);
        let theme = catalog.theme_of(floor.kind);
        if let Some(content) = content {
            plan.apply_written_content(content, theme, &mut sketch);
            plan.stock(&sketch, catalog);
            memory.recent.record_written_room(floor.number, &plan);
        } else if let Some(theme) = theme {
            // The content of the vault no longer exists: generate the text from the theme.
            let scene = RoomTextInputs {
                spec,
                theme,
                index: memory.rooms_made,
                floor: floor.number,
                back: way.direction.opposite(),
                space: None,
                recent: &memory.recent,
                statements: &memory.recent.statements(),
            };
            let marks = describe::write_room_text(&mut plan, scene);
            memory.recent.note(floor.number, &plan, marks);
        }
        memory.count(floor.number, &plan, theme);
        Some(Opened { plan, sketch })
    }

    /// Places vaults next to the rooms of a whole floor.
    pub(super) fn annex_vaults(&mut self, floor: FloorSpec<'_>, plan: &mut FloorPlan) {
        let mut dice = self.spec.floor_seed(floor.number).named("vaults").rng();
        let known = KnownVaults { catalog: self.catalog, made: &self.made };
        let below = self.spec.difficulty_below(floor.dungeon_level);
        for (key, rule) in known.rules(floor) {
            let drawn = roll_for_vault(key, rule, self.memory, &mut dice);
            let Some(vault) = known.vault(key).filter(|_| drawn) else { continue };
            let mut sides = plan.free_sides();
            sides.retain(|(at, side)| rule.is_for(at.step(*side).depth(), below));
            dice.shuffle(&mut sides);
            let shape = vault.plots();
            let found = sides.into_iter().find_map(|(from, side)| {
                let mut ways = vault_placements(&shape, vault.turns, from, side);
                dice.shuffle(&mut ways);
                let plots = ways.into_iter().find(|plots| plan.has_space_for(plots))?;
                Some((from, side, plots))
            });
            if let Some((from, side, mut plots)) = found {
                plan.annex(from, side, &mut plots);
                note(PlacedVault { key: key.to_owned(), floor: floor.number, plots }, self.memory);
            }
        }
    }

    /// Returns the vault that begins behind an exit, if one is rolled and fits.
    fn begin_vault(
        &self,
        floor: FloorSpec<'_>,
        frontier: &Frontier,
        way: UnexploredExit,
    ) -> Option<PlacedVault> {
        let (spec, memory, known, at) = (self.spec, &*self.memory, self.known_vaults(), way.to());
        let leads_in = memory.rooms_made > 0 && !way.ominous && way.direction.delta() != (0, 0);
        let grows = || spec.layout(self.catalog, floor.kind).is_some_and(Layout::is_budgeted);
        let below = spec.difficulty_below(floor.dungeon_level);
        let mut rules = known.rules(floor).filter(|(_, rule)| rule.is_for(at.depth(), below)).peekable();
        if !leads_in || !frontier.is_free(at) || rules.peek().is_none() || !grows() {
            return None;
        }
        let every = self.catalog.theme_of(floor.kind).map_or(0, |theme| theme.landmark_every);
        if !memory.recent.allows_set_piece(every) {
            return None;
        }
        let mut dice = spec.stream("vault", memory.rooms_made);
        // The exit being explored no longer counts; exits that other vaults may need are reserved.
        let open = frontier.open_count().saturating_sub(1) + memory.vaults.reserve(floor.number);
        let left = spec.settings.max_unexplored_exits.saturating_sub(open);
        for (key, rule) in rules {
            let drawn = roll_for_vault(key, rule, memory, &mut dice);
            let Some(vault) = known.vault(key).filter(|_| drawn) else { continue };
            let mut ways = vault_placements(&vault.plots(), vault.turns, way.from, way.direction);
            dice.shuffle(&mut ways);
            let fits = |plots: &Vec<_>| {
                max_open_exits(plots) <= left && frontier.vault_fits(way.from, way.direction, plots)
            };
            if let Some(plots) = ways.into_iter().find(fits) {
                return Some(PlacedVault { key: key.to_owned(), floor: floor.number, plots });
            }
        }
        None
    }
}

/// Returns the key under which a vault is counted in the memory of a branch.
fn counted_as(key: &str) -> String {
    format!("vault {key}")
}

/// Rolls for a vault. Returns `true` if the roll succeeds and the branch does not have the maximum number yet.
fn roll_for_vault(key: &str, rule: &VaultRule, memory: &BranchMemory, dice: &mut impl Dice) -> bool {
    dice.percent(rule.percent) && memory.used.count(&counted_as(key)) < rule.most as usize
}

/// Counts a vault that begins, and reserves its positions.
fn note(laid: PlacedVault, memory: &mut BranchMemory) {
    let limit = RoomKindLimit { per_floor: None, per_branch: Some(u32::MAX) };
    memory.used.note_room(&counted_as(&laid.key), limit, laid.floor);
    memory.vaults.lay(laid);
}
