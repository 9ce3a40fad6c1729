//! Generators by name (E38): each turns a place that somebody walks into into a room.
//!
//! No random state is kept. The streams of a room come from the branch's seed and the number of rooms made
//! before it, so the same seed and the same sequence of creating moves give the same branch, also across
//! restarts (C3).

use crate::base::{Dice, Direction, Point, RoomKind, Seed};
use crate::catalog::{Behaviour, Catalog, CatalogError, MobPrototype, Peril, PerilKind, Theme};
use crate::dungeon::describe;
use crate::dungeon::{Challenge, Frontier, GrowSettings, RoomPlan, grow};
use serde::{Deserialize, Serialize};

/// What a branch is made by: fixed when it opens and stored with it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchSpec {
    /// Where all its draws begin.
    pub seed: Seed,
    /// Key of the theme.
    pub theme: String,
    /// Name of the generator.
    pub generator: String,
    /// How it grows.
    pub settings: GrowSettings,
    /// What each floor below the first adds to the difficulty (C5).
    pub difficulty_per_floor: u32,
}

impl BranchSpec {
    /// A branch of a theme with the theme's own generator and settings.
    pub fn of(theme: &Theme, seed: Seed) -> Self {
        Self {
            seed,
            theme: theme.key.clone(),
            generator: theme.generator.clone(),
            settings: theme.settings,
            difficulty_per_floor: theme.difficulty_per_floor,
        }
    }
}

/// A way of making rooms.
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    /// The name data refers to it by.
    pub name: &'static str,
    /// The kind its ordinary rooms have.
    ordinary: RoomKind,
    /// Changes the settings a branch grows by.
    settings: fn(GrowSettings) -> GrowSettings,
}

/// All generators. The first one stands in for a name that is not among them.
pub const GENERATORS: [Generator; 2] = [
    Generator { name: "frontier", ordinary: RoomKind::Dungeon, settings: |settings| settings },
    Generator { name: "corridor", ordinary: RoomKind::Corridor, settings: one_way_on },
];

/// Corridors do not fork: one way on from each room.
fn one_way_on(settings: GrowSettings) -> GrowSettings {
    GrowSettings { max_new_exits_per_room: 1, ..settings }
}

/// The generator of a name, if there is one.
pub fn named(name: &str) -> Option<&'static Generator> {
    GENERATORS.iter().find(|generator| generator.name == name)
}

/// The themes that name an unknown generator; to be reported with the mistakes of loading.
pub fn unknown_generators(catalog: &Catalog) -> Vec<CatalogError> {
    let names = GENERATORS.map(|generator| generator.name);
    let unknown = catalog.themes.values().filter(|theme| named(&theme.generator).is_none());
    unknown
        .map(|theme| CatalogError::unknown_name(&theme.generator_place, "generator", &theme.generator, names))
        .collect()
}

/// Makes the room behind an unexplored exit and brings the frontier of its floor up to date.
///
/// `index` is how many rooms the branch had before, over all floors. A theme or generator that is not in the
/// catalog any more is replaced by the first one there is, so that a stored branch can always grow.
pub fn open_room(
    spec: &BranchSpec,
    catalog: &Catalog,
    frontier: &mut Frontier,
    floor: u32,
    from: Point,
    direction: Direction,
    index: u32,
) -> RoomPlan {
    let generator = named(&spec.generator).unwrap_or(&GENERATORS[0]);
    let stream = |name: &str| spec.seed.named(name).numbered(u64::from(index)).rng();
    let settings = (generator.settings)(spec.settings);
    let growth = grow(&settings, frontier, from, direction, &mut stream("exits"));
    let difficulty = growth.depth + spec.difficulty_per_floor * floor.saturating_sub(1);
    let mut plan = RoomPlan {
        at: growth.at,
        depth: growth.depth,
        difficulty,
        kind: generator.ordinary,
        name: String::new(),
        description: String::new(),
        environment: String::new(),
        new_exits: growth.new_exits,
        joined: growth.joined,
        challenge: Challenge::default(),
        clear: true,
    };
    let Some(theme) = catalog.themes.get(&spec.theme).or_else(|| catalog.themes.values().next()) else {
        return plan;
    };
    furnish(&mut plan, theme, catalog, index == 0, &mut stream("challenge"));
    describe::put_in_words(&mut plan, theme, &mut stream("words"));
    plan.clear = plan.kind.is_born_clear(plan.challenge.blocks(catalog));
    plan
}

/// Decides what is in the room: its kind and its challenge.
fn furnish(plan: &mut RoomPlan, theme: &Theme, catalog: &Catalog, first: bool, dice: &mut impl Dice) {
    let steps = plan.difficulty.min(theme.perils_grow_until);
    let weight = |peril: &Peril| {
        // The first room welcomes: it asks for no lever and holds no hoard.
        let gentle = !matches!(peril.kind, PerilKind::Puzzle | PerilKind::Treasure);
        if gentle || !first { peril.weight + peril.weight_per_difficulty * steps } else { 0 }
    };
    let peril = dice.weighted(&theme.perils, weight).map_or(PerilKind::None, |peril| peril.kind);
    let most = if first { 1 } else { (1 + plan.difficulty / 4).min(3) };
    match peril {
        PerilKind::None => {}
        PerilKind::Hint => plan.kind = RoomKind::Hint,
        PerilKind::Puzzle => {
            plan.kind = RoomKind::Puzzle;
            plan.challenge.lever_pulls = dice.between(theme.lever_pulls.0, theme.lever_pulls.1);
        }
        PerilKind::Monsters => {
            let number = dice.between(1, most);
            add_creatures(plan, theme, catalog, Behaviour::Guard, number, dice);
        }
        PerilKind::Treasure => {
            plan.kind = RoomKind::Treasure;
            add_creatures(plan, theme, catalog, Behaviour::Guard, 1, dice);
            for _ in 0..dice.between(1, most) {
                plan.challenge.items.extend(dice.pick(&theme.treasure).cloned());
            }
        }
    }
    if !first && dice.percent(theme.roamer_percent) {
        add_creatures(plan, theme, catalog, Behaviour::Roamer, 1, dice);
    }
}

/// Adds creatures of a behaviour that may appear at the room's difficulty, by their weights.
fn add_creatures(
    plan: &mut RoomPlan,
    theme: &Theme,
    catalog: &Catalog,
    behaviour: Behaviour,
    number: u32,
    dice: &mut impl Dice,
) {
    let fitting: Vec<&MobPrototype> = theme
        .creatures
        .iter()
        .filter_map(|key| catalog.mobs.get(key))
        .filter(|mob| mob.behaviour == behaviour && mob.appears_at(plan.difficulty))
        .collect();
    for _ in 0..number {
        let chosen = dice.weighted(&fitting, |mob| mob.weight);
        plan.challenge.creatures.extend(chosen.map(|mob| mob.key.clone()));
    }
}
