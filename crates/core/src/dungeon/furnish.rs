//! Contents of a room: its kind, picked by the theme's weights, and the creatures, items and features of that kind.
//!
//! Each part uses a named random stream, so that adding a roll changes no other roll.

use crate::base::{Dice, Rng};
use crate::catalog::room_kind::Furnishing;
use crate::catalog::theme::clues::Clues;
use crate::catalog::theme::furnishing::Landmark;
use crate::catalog::{Catalog, Pattern, Peril, PerilKind, RoomFeature, RoomKind, Theme};
use crate::dungeon::encounter::Encounter;
use crate::dungeon::recent::RecentStatements;
use crate::dungeon::{BranchMemory, BranchSpec, Recent, RoomPlan, describe};

/// Inputs for furnishing a room, in addition to its plan.
#[derive(Clone, Copy)]
pub(super) struct FurnishSite<'a> {
    pub(super) spec: &'a BranchSpec,
    pub(super) theme: &'a Theme,
    pub(super) catalog: &'a Catalog,
    /// Number of its floor.
    pub(super) floor: u32,
    /// Set if a sign announced the room.
    pub(super) ominous: bool,
    /// Set if the room is a corridor of a whole floor.
    pub(super) passage: bool,
    /// Set if the room may have a mechanism: another unexplored exit can be reached without operating it.
    pub(super) may_bar: bool,
    /// Memory of the branch.
    pub(super) memory: &'a BranchMemory,
    /// Statements in the rooms that the branch remembers.
    pub(super) statements: &'a RecentStatements,
}

impl<'a> FurnishSite<'a> {
    pub(super) fn dice(&self, name: &str) -> Rng {
        self.spec.stream(name, self.index())
    }

    /// Returns the number of rooms created before in the branch.
    const fn index(&self) -> u32 {
        self.memory.rooms_made
    }

    pub(super) const fn is_first(&self) -> bool {
        self.index() == 0
    }

    /// Returns `true` if another room of a kind is within the theme's limit and far enough from the last.
    fn allows_kind(&self, kind: RoomKind) -> bool {
        self.memory.used.allows_room(kind.name(), self.theme.limit_of(kind), self.floor)
            && self.memory.recent.allows_kind(kind)
    }

    /// Returns the entries whose text is new within the branch's memory; all entries if none is.
    fn untold<'t, T>(&self, list: &'t [T], text: impl Fn(&T) -> &str) -> Vec<&'t T> {
        let new: Vec<&T> = list.iter().filter(|one| self.statements.is_new(text(one))).collect();
        if new.is_empty() { list.iter().collect() } else { new }
    }

    /// Picks a sentence of a clue chain with the name filled in, preferably one that is new within the branch's memory.
    fn pick_new_clue(&self, list: &[String], name: &str, dice: &mut impl Dice) -> String {
        let named: Vec<String> = list.iter().map(|sentence| Clues::with(sentence, name)).collect();
        dice.pick(&self.untold(&named, String::as_str))
            .map_or_else(String::new, |sentence| (*sentence).clone())
    }

    /// Returns the number of rooms of a kind in the branch; only kinds with a limit are counted.
    fn count(&self, kind: &str) -> usize {
        self.memory.used.count(kind)
    }

    /// Returns the name in the clue chain of the next room of a kind: the first grave has the first name.
    fn name_of(&self, kind: RoomKind) -> String {
        let mut names: Vec<&String> = self.catalog.clues.names.iter().collect();
        self.spec.seed.named("buried").rng().shuffle(&mut names);
        let number = self.count(kind.name()) % names.len().max(1);
        names.get(number).map(|name| (*name).clone()).unwrap_or_default()
    }

    /// Returns `true` if clue chains of the theme have further steps.
    fn continues_clue_chains(&self) -> bool {
        self.theme.perils.iter().any(|peril| peril.after == Some(RoomKind::Hint))
    }

    /// Returns `true` if no recent room is a set piece. At most one of `landmark_every` rooms is.
    pub(super) fn may_be_set_piece(&self) -> bool {
        self.memory.recent.allows_set_piece(self.theme.landmark_every)
    }

    /// Returns the weight factor of a kind, in twelfths. The first rooms of a branch vary most: rooms of a special kind
    /// do not repeat, and repeated guards or empty rooms are less likely each time.
    fn novelty(&self, kind: PerilKind) -> u32 {
        if self.index() >= Recent::FIRST {
            return 12;
        }
        let seen = self.memory.recent.seen(kind);
        match kind {
            PerilKind::None | PerilKind::Monsters => 12 / (1 + seen),
            PerilKind::Room(_) if seen > 0 => 0,
            PerilKind::Room(_) => 12,
        }
    }

    /// Returns the source of the room's creatures and loot.
    fn encounter(&self, plan: &RoomPlan) -> Encounter<'a> {
        let more = if self.ominous { self.theme.out_of_depth.difficulty } else { 0 };
        let difficulty = plan.difficulty.saturating_add(more);
        Encounter { theme: self.theme, catalog: self.catalog, difficulty }
    }

    /// Returns the landmark that this room may have. The branch is divided into stretches of `landmark_every` rooms,
    /// with at most one landmark each. Every stretch has two separate candidates, so no landmark repeats before all
    /// have been candidates.
    fn landmark(&self, depth: u32) -> Option<&'a Landmark> {
        let theme = self.theme;
        let every = theme.landmark_every.max(1);
        let offset = self.spec.seed.named("landmark place").rng().up_to(every - 1);
        if self.is_first() || self.index() % every != offset {
            return None;
        }
        let stretch = (self.index() / every) as usize;
        let rounds = (theme.landmarks.len() / 2).max(1);
        let mut order: Vec<&Landmark> = theme.landmarks.iter().collect();
        let round = u64::try_from(stretch / rounds).unwrap_or(u64::MAX);
        self.spec.seed.named("landmarks").numbered(round).rng().shuffle(&mut order);
        let new = |landmark: &&Landmark| self.statements.is_new(&landmark.description);
        let mut two = order.into_iter().skip(stretch % rounds * 2).take(2);
        two.find(|landmark| landmark.appears_at(depth) && new(landmark))
    }
}

/// Determines the contents of the room.
pub(super) fn furnish(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    let hall = !site.ominous && !site.is_first();
    match draw_peril(plan, site) {
        PerilKind::None | PerilKind::Monsters if hall && site.theme.inhabitants.is_some() => {
            populate_hall(plan, site);
        }
        PerilKind::None => {}
        PerilKind::Monsters => post_guards(plan, site),
        PerilKind::Room(kind) => furnish_as_kind(plan, site, kind),
    }
    if !site.is_first() && !plan.sheet.kind.spec().peaceful {
        let mut dice = site.dice("roamer");
        if dice.percent(site.theme.roamer_percent) {
            plan.challenge.creatures.extend(site.encounter(plan).roamer(&mut dice));
        }
    }
}

/// Turns the room into a room of a kind. A theme that picks a kind has the content it needs.
fn furnish_as_kind(plan: &mut RoomPlan, site: FurnishSite<'_>, kind: RoomKind) {
    plan.sheet.kind = kind;
    if kind.is_guarded() {
        post_guards(plan, site);
    }
    match kind.spec().furnishing {
        None => {}
        Some(Furnishing::Hint) => add_clue_name(plan, site),
        Some(Furnishing::Grave) => dig_grave(plan, site),
        Some(Furnishing::Coffer) => place_coffer(plan, site),
        Some(Furnishing::Sentence { stream }) => set_line_about_kind(plan, site, &mut site.dice(stream)),
        Some(Furnishing::Hoard) => hide_treasure(plan, site),
        Some(Furnishing::Mechanism) => set_mechanism(plan, site),
        Some(Furnishing::Wares) => open_shop(plan, site),
        Some(Furnishing::Shrine) => raise_shrine(plan, site),
        Some(Furnishing::Riddle) => set_riddle(plan, site),
        Some(Furnishing::Captive) => hold_captive(plan, site),
        Some(Furnishing::Landmark) => {
            let name = site.landmark(plan.depth).map(|landmark| landmark.name.clone());
            plan.fixture.feature = name.map(|name| RoomFeature::Landmark { name });
        }
    }
}

/// Sets the room's line to one of the theme's sentences about the kind.
fn set_line_about_kind(plan: &mut RoomPlan, site: FurnishSite<'_>, dice: &mut Rng) {
    let (theme, depth) = (site.theme, plan.depth);
    let fill = |pattern: &Pattern, dice: &mut _| describe::words(pattern, &[], depth, theme, dice);
    let sentence = site.statements.fresh_or_stale(theme.sentences_about(plan.sheet.kind), &[], dice, fill);
    plan.fixture.line = sentence.map(|sentence| sentence.words);
}

/// Picks the room's peril by the weights of the theme. Behind an exit with a sign it is always an encounter.
fn draw_peril(plan: &RoomPlan, site: FurnishSite<'_>) -> PerilKind {
    const LANDMARK: PerilKind = PerilKind::Room(RoomKind::Landmark);
    if plan.sheet.kind == RoomKind::Chamber && site.allows_kind(RoomKind::Treasure) {
        return PerilKind::Room(RoomKind::Treasure);
    }
    let steps = plan.difficulty.min(site.theme.perils_grow_until);
    let leads_on = !plan.new_exits.is_empty() || plan.has_stairs();
    let weight = |peril: &Peril| {
        let kind = peril.kind;
        let weight = peril.weight.saturating_add(peril.weight_per_difficulty.saturating_mul(steps));
        if weight == 0 {
            return 0;
        }
        let suits = if site.ominous {
            kind.is_encounter()
        } else if site.passage {
            matches!(kind, PerilKind::None | PerilKind::Monsters)
        } else {
            !site.is_first() || kind.is_gentle()
        };
        let allowed = match kind {
            PerilKind::None | PerilKind::Monsters => true,
            PerilKind::Room(kind) => {
                site.allows_kind(kind)
                    && (site.may_bar || !kind.has_mechanism())
                    && (!kind.spec().set_piece || site.may_be_set_piece())
            }
        };
        // A puzzle must have an exit that it can block.
        let allowed = allowed && (leads_on || kind != PerilKind::Room(RoomKind::Puzzle));
        let due = peril.after.is_none_or(|before| site.count(before.name()) > site.count(kind.name()));
        let fits = due && suits && allowed && (kind != LANDMARK || site.landmark(plan.depth).is_some());
        // A stretch has only one room that can have the landmark, so that room gets the weight of the whole stretch.
        let times = if kind == LANDMARK { site.theme.landmark_every } else { 1 };
        let times = times.saturating_mul(site.novelty(kind));
        if fits { weight.saturating_mul(times) } else { 0 }
    };
    let drawn = site.dice("kind").weighted(&site.theme.perils, weight).map(|peril| peril.kind);
    drawn.unwrap_or(if site.ominous { PerilKind::Monsters } else { PerilKind::None })
}

fn post_guards(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    let most = if site.is_first() { 1 } else { site.theme.threat.most };
    plan.challenge.creatures.extend(site.encounter(plan).guards(most, &mut site.dice("guards")));
}

/// Adds the inhabitants of a hall, and its items.
fn populate_hall(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    let Some(halls) = &site.theme.inhabitants else { return };
    let mut dice = site.dice("inhabitants");
    let more = halls.percent_per_difficulty.saturating_mul(plan.difficulty);
    if dice.percent(halls.percent.saturating_add(more)) {
        let chosen = dice.weighted(&halls.creatures, |inhabitant| inhabitant.weight);
        plan.challenge.creatures.extend(chosen.map(|inhabitant| inhabitant.creature.clone()));
    }
    if let Some(table) = halls.loot.as_ref().and_then(|key| site.catalog.loot.get(key))
        && dice.percent(table.item_percent)
    {
        let chosen = dice.weighted(&table.items, |item| item.weight);
        plan.challenge.items.extend(chosen.map(|item| item.item.clone()));
    }
}

fn hide_treasure(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    let (encounter, mut dice) = (site.encounter(plan), site.dice("hoard"));
    let number = dice.between(1, (1 + encounter.difficulty / 4).min(3));
    plan.challenge.items = encounter.things(number, &mut dice);
    plan.challenge.coins = encounter.coins(&mut dice);
}

/// Adds coins and one item, the reward of a task in the room.
fn add_task_reward(plan: &mut RoomPlan, site: FurnishSite<'_>, dice: &mut Rng) {
    let encounter = site.encounter(plan);
    plan.challenge.coins = encounter.coins(dice).max(5 + encounter.difficulty * 3);
    plan.challenge.items = encounter.things(1, dice);
}

/// Adds a gate to one of the theme's puzzles, or a portcullis with a lever, by weight. Gates count as set pieces and
/// are kept apart.
fn set_mechanism(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    let difficulty = site.encounter(plan).difficulty;
    let entries = (0_u32..).zip(&site.theme.puzzles).filter(|(_, entry)| entry.is_for(difficulty));
    let entries = entries.filter(|_| site.may_be_set_piece());
    let mut choices: Vec<(Option<u32>, u32)> =
        entries.map(|(number, entry)| (Some(number), entry.weight)).collect();
    choices.push((None, site.theme.lever_weight));
    let chosen =
        site.dice("puzzle").weighted(&choices, |(_, weight)| *weight).and_then(|(number, _)| *number);
    match chosen {
        Some(puzzle) => plan.fixture.feature = Some(RoomFeature::Gate { puzzle }),
        None => lower_portcullis(plan, site),
    }
}

fn lower_portcullis(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    let mut dice = site.dice("machine");
    let pulls = dice.between(site.theme.lever_pulls.0, site.theme.lever_pulls.1);
    plan.fixture.feature = RoomFeature::portcullis(pulls);
    // The lever is at most three rooms away.
    let far = dice.percent(site.theme.far_lever_percent);
    plan.challenge.lever_rooms_back = if far { dice.between(1, 3) } else { 0 };
}

fn open_shop(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    let mut dice = site.dice("wares");
    // A merchant's wares suit a slightly greater difficulty than the room.
    let encounter = Encounter { difficulty: plan.difficulty.saturating_add(2), ..site.encounter(plan) };
    let number = dice.between(4, 7);
    plan.fixture.stock = encounter.wares(number, &mut dice);
    set_line_about_kind(plan, site, &mut dice);
}

fn raise_shrine(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    let mut dice = site.dice("shrine");
    let Some(shrine) = dice
        .weighted(&site.untold(&site.theme.shrines, |shrine| &shrine.text), |shrine| shrine.weight)
        .copied()
    else {
        return;
    };
    plan.fixture.feature = Some(RoomFeature::Shrine { affect: shrine.affect.clone() });
    plan.fixture.line = Some(shrine.text.clone());
    plan.sheet.details.insert("shrine".into(), shrine.text.clone());
}

fn set_riddle(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    let mut dice = site.dice("riddle");
    let Some(riddle) = dice.pick(&site.untold(&site.theme.riddles, |riddle| &riddle.text)).copied() else {
        return;
    };
    plan.fixture.feature = riddle.answers.first().cloned().map(|answer| RoomFeature::Riddle { answer });
    set_line_about_kind(plan, site, &mut dice);
    let face = plan.fixture.line.take().unwrap_or_default();
    plan.fixture.line = Some(format!("{face} '{}'", riddle.text));
    add_task_reward(plan, site, &mut dice);
}

/// Adds the name that starts a clue chain.
fn add_clue_name(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    if site.continues_clue_chains() {
        let (name, clues) = (site.name_of(RoomKind::Hint), &site.catalog.clues);
        plan.fixture.line = Some(site.pick_new_clue(&clues.signs, &name, &mut site.dice("name")));
        plan.sheet.details.insert(clues.sign_nouns.join(","), Clues::with(&clues.sign_detail, &name));
    }
}

/// Adds a grave with its key.
fn dig_grave(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    let (name, clues) = (site.name_of(RoomKind::Grave), &site.catalog.clues);
    plan.fixture.line = Some(site.pick_new_clue(&clues.graves, &name, &mut site.dice("grave")));
    plan.sheet.details.insert(clues.grave_nouns.join(","), Clues::with(&clues.grave_detail, &name));
    plan.challenge.items = vec![clues.key.clone()];
    plan.fixture.feature = Some(RoomFeature::Grave { name });
}

/// Adds a coffer with its contents.
fn place_coffer(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    let (name, clues) = (site.name_of(RoomKind::Coffer), &site.catalog.clues);
    let mut dice = site.dice("coffer");
    plan.fixture.line = Some(site.pick_new_clue(&clues.coffers, &name, &mut dice));
    plan.sheet.details.insert(clues.coffer_nouns.join(","), Clues::with(&clues.coffer_detail, &name));
    add_task_reward(plan, site, &mut dice);
    plan.fixture.feature = Some(RoomFeature::Coffer { name });
}

fn hold_captive(plan: &mut RoomPlan, site: FurnishSite<'_>) {
    let mut dice = site.dice("captive");
    let Some(captive) = dice.pick(&site.untold(&site.theme.captives, |captive| &captive.text)).copied()
    else {
        return;
    };
    plan.fixture.feature = Some(RoomFeature::Captive { creature: captive.creature.clone() });
    plan.fixture.line = Some(captive.text.clone());
}
