//! What is in a room: its kind, drawn by the theme's weights, and what belongs to that kind.
//!
//! Each part draws from a stream of its own name, so that a roll that is added here changes no other.

use crate::base::{Dice, Rng};
use crate::catalog::clues::Clues;
use crate::catalog::furnishing::Landmark;
use crate::catalog::room_kind::Furnishing;
use crate::catalog::{Catalog, Pattern, Peril, PerilKind, RoomFeature, RoomKind, Theme};
use crate::dungeon::recent::Said;
use crate::dungeon::{BranchSpec, Memory, Recent, RoomPlan, describe, encounter};

/// What the furnishing of a room depends on besides its plan.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub(super) spec: &'a BranchSpec,
    pub(super) theme: &'a Theme,
    pub(super) catalog: &'a Catalog,
    /// The number of its floor.
    pub(super) floor: u32,
    /// Whether a sign stood beside the exit that makes the room.
    pub(super) ominous: bool,
    /// Whether it is no more than a way between two rooms of a whole floor.
    pub(super) passage: bool,
    /// Whether a mechanism may stand here: another way on can be had without it.
    pub(super) may_bar: bool,
    /// What the branch remembers of its rooms so far.
    pub(super) memory: &'a Memory,
    /// What was said in the rooms that it remembers.
    pub(super) said: &'a Said,
}

impl<'a> Site<'a> {
    fn dice(&self, name: &str) -> Rng {
        self.spec.stream(name, self.index())
    }

    /// How many rooms the branch had before.
    const fn index(&self) -> u32 {
        self.memory.rooms_made
    }

    const fn is_first(&self) -> bool {
        self.index() == 0
    }

    /// Whether there may be one more room of a kind, as far as the theme sets a limit to them and the last is far enough
    /// away.
    fn may_have(&self, kind: RoomKind) -> bool {
        self.memory.used.allows_room(kind.name(), self.theme.limit_of(kind), self.floor)
            && self.memory.recent.keeps_apart(kind)
    }

    /// Those of a list whose text was not told in the rooms made last; all of them where every one was.
    fn untold<'t, T>(&self, list: &'t [T], text: impl Fn(&T) -> &str) -> Vec<&'t T> {
        let new: Vec<&T> = list.iter().filter(|one| self.said.is_new(text(one))).collect();
        if new.is_empty() { list.iter().collect() } else { new }
    }

    /// A sentence of a chain of clues with the name in it, one that was not told in the rooms made last if there is any.
    fn untold_clue(&self, list: &[String], name: &str, dice: &mut impl Dice) -> String {
        let named: Vec<String> = list.iter().map(|sentence| Clues::with(sentence, name)).collect();
        dice.pick(&self.untold(&named, String::as_str))
            .map_or_else(String::new, |sentence| (*sentence).clone())
    }

    /// How many rooms of a kind that has a limit the branch has.
    fn count(&self, kind: &str) -> usize {
        self.memory.used.count(kind)
    }

    /// Whose the chain of clues is to which the next room of a kind belongs: the first grave is that of the first name.
    fn name_of(&self, kind: RoomKind) -> String {
        let mut names: Vec<&String> = self.catalog.clues.names.iter().collect();
        self.spec.seed.named("buried").rng().shuffle(&mut names);
        let number = self.count(kind.name()) % names.len().max(1);
        names.get(number).map(|name| (*name).clone()).unwrap_or_default()
    }

    /// Whether a chain of clues that begins in the branch goes on.
    fn has_chains(&self) -> bool {
        self.theme.perils.iter().any(|peril| peril.after == Some(RoomKind::Hint))
    }

    /// Whether no landmark, captive or gate is among the rooms made last: one room of so many at most is such.
    pub(super) fn may_be_set_piece(&self) -> bool {
        self.memory.recent.allows_set_piece(self.theme.landmark_every)
    }

    /// How often a thing of a kind may still be in one of the first rooms, in parts of twelve: those differ most. What
    /// has been there does not come again; more guards, or another empty room, are less likely each time.
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

    /// The difficulty of creatures and loot.
    fn strength(&self, plan: &RoomPlan) -> u32 {
        let more = if self.ominous { self.theme.out_of_depth.difficulty } else { 0 };
        plan.difficulty.saturating_add(more)
    }

    /// The landmark that may be in this room: of so many rooms one at most may have one, and each such stretch of
    /// the branch has two to choose from, so that none comes twice before all have had their turn.
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
        let new = |landmark: &&Landmark| self.said.is_new(&landmark.description);
        let mut two = order.into_iter().skip(stretch % rounds * 2).take(2);
        two.find(|landmark| landmark.appears_at(depth) && new(landmark))
    }
}

/// Decides what is in the room.
pub(super) fn furnish(plan: &mut RoomPlan, site: Site<'_>) {
    let hall = !site.ominous && !site.is_first();
    match draw_peril(plan, site) {
        PerilKind::None | PerilKind::Monsters if hall && site.theme.inhabitants.is_some() => {
            populate_hall(plan, site);
        }
        PerilKind::None => {}
        PerilKind::Monsters => post_guards(plan, site),
        PerilKind::Room(kind) => become_kind(plan, site, kind),
    }
    if !site.is_first() && !plan.kind.spec().peaceful {
        let mut dice = site.dice("roamer");
        if dice.percent(site.theme.roamer_percent) {
            plan.challenge.creatures.extend(encounter::roamer(
                site.theme,
                site.catalog,
                site.strength(plan),
                &mut dice,
            ));
        }
    }
}

/// Makes a room one of a kind that its theme draws. A theme that does has what the kind needs.
fn become_kind(plan: &mut RoomPlan, site: Site<'_>, kind: RoomKind) {
    plan.kind = kind;
    if kind.is_guarded() {
        post_guards(plan, site);
    }
    match kind.spec().furnishing {
        None => {}
        Some(Furnishing::Hint) => leave_name(plan, site),
        Some(Furnishing::Grave) => dig_grave(plan, site),
        Some(Furnishing::Coffer) => place_coffer(plan, site),
        Some(Furnishing::Sentence { stream }) => say_sentence(plan, site, &mut site.dice(stream)),
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

/// Says one of the theme's sentences about rooms of the kind.
fn say_sentence(plan: &mut RoomPlan, site: Site<'_>, dice: &mut Rng) {
    let (theme, depth) = (site.theme, plan.depth);
    let words = |pattern: &Pattern, dice: &mut _| describe::words(pattern, &[], depth, theme, dice);
    let told = site.said.fresh_or_stale(theme.sentences_about(plan.kind), &[], dice, words);
    plan.fixture.line = told.map(|told| told.words);
}

/// What is in the room, by the weights of the theme. Behind an exit with a sign there is always something to fight.
fn draw_peril(plan: &RoomPlan, site: Site<'_>) -> PerilKind {
    const LANDMARK: PerilKind = PerilKind::Room(RoomKind::Landmark);
    if plan.kind == RoomKind::Chamber && site.may_have(RoomKind::Treasure) {
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
                site.may_have(kind)
                    && (site.may_bar || !kind.has_mechanism())
                    && (!kind.spec().set_piece || site.may_be_set_piece())
            }
        };
        // What has to be worked before one goes on stands where one could go on.
        let allowed = allowed && (leads_on || kind != PerilKind::Room(RoomKind::Puzzle));
        let due = peril.after.is_none_or(|before| site.count(before.name()) > site.count(kind.name()));
        let fits = due && suits && allowed && (kind != LANDMARK || site.landmark(plan.depth).is_some());
        // One room of a stretch stands for all of them.
        let times = if kind == LANDMARK { site.theme.landmark_every } else { 1 };
        let times = times.saturating_mul(site.novelty(kind));
        if fits { weight.saturating_mul(times) } else { 0 }
    };
    let drawn = site.dice("kind").weighted(&site.theme.perils, weight).map(|peril| peril.kind);
    drawn.unwrap_or(if site.ominous { PerilKind::Monsters } else { PerilKind::None })
}

fn post_guards(plan: &mut RoomPlan, site: Site<'_>) {
    let most = if site.is_first() { 1 } else { site.theme.threat.most };
    let guards =
        encounter::guards(site.theme, site.catalog, site.strength(plan), most, &mut site.dice("guards"));
    plan.challenge.creatures.extend(guards);
}

/// Who lives in a hall, and what lies about there.
fn populate_hall(plan: &mut RoomPlan, site: Site<'_>) {
    let Some(halls) = &site.theme.inhabitants else { return };
    let mut dice = site.dice("inhabitants");
    let more = halls.percent_per_difficulty.saturating_mul(plan.difficulty);
    if dice.percent(halls.percent.saturating_add(more)) {
        let chosen = dice.weighted(&halls.creatures, |inhabitant| inhabitant.weight);
        plan.challenge.creatures.extend(chosen.map(|inhabitant| inhabitant.mob.clone()));
    }
    if let Some(table) = halls.loot.as_ref().and_then(|key| site.catalog.loot.get(key))
        && dice.percent(table.item_percent)
    {
        let chosen = dice.weighted(&table.items, |item| item.weight);
        plan.challenge.items.extend(chosen.map(|item| item.item.clone()));
    }
}

fn hide_treasure(plan: &mut RoomPlan, site: Site<'_>) {
    let (strength, mut dice) = (site.strength(plan), site.dice("hoard"));
    let number = dice.between(1, (1 + strength / 4).min(3));
    plan.challenge.items = encounter::things(site.theme, site.catalog, strength, number, &mut dice);
    plan.challenge.coins = encounter::coins(site.theme, site.catalog, strength, &mut dice);
}

/// A gate to one of the theme's puzzles, or a portcullis with a lever, by weight. Gates are great things, which
/// stand far apart.
fn set_mechanism(plan: &mut RoomPlan, site: Site<'_>) {
    let difficulty = site.strength(plan);
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

fn lower_portcullis(plan: &mut RoomPlan, site: Site<'_>) {
    let mut dice = site.dice("machine");
    let pulls = dice.between(site.theme.lever_pulls.0, site.theme.lever_pulls.1);
    plan.fixture.feature = RoomFeature::portcullis(pulls);
    // The lever is never further than three rooms away: a search, not a march.
    let far = dice.percent(site.theme.far_lever_percent);
    plan.challenge.lever_rooms_back = if far { dice.between(1, 3) } else { 0 };
}

fn open_shop(plan: &mut RoomPlan, site: Site<'_>) {
    let mut dice = site.dice("wares");
    // A merchant has come a little farther than where one finds them.
    let difficulty = plan.difficulty.saturating_add(2);
    let number = dice.between(4, 7);
    plan.fixture.stock = encounter::wares(site.catalog, difficulty, number, &mut dice);
    say_sentence(plan, site, &mut dice);
}

fn raise_shrine(plan: &mut RoomPlan, site: Site<'_>) {
    let mut dice = site.dice("shrine");
    let Some(shrine) = dice
        .weighted(&site.untold(&site.theme.shrines, |shrine| &shrine.text), |shrine| shrine.weight)
        .copied()
    else {
        return;
    };
    plan.fixture.feature = Some(RoomFeature::Shrine { affect: shrine.affect.clone() });
    plan.fixture.line = Some(shrine.text.clone());
    plan.fixture.details.insert("shrine".into(), shrine.text.clone());
}

fn set_riddle(plan: &mut RoomPlan, site: Site<'_>) {
    let mut dice = site.dice("riddle");
    let Some(riddle) = dice.pick(&site.untold(&site.theme.riddles, |riddle| &riddle.text)).copied() else {
        return;
    };
    plan.fixture.feature = riddle.answers.first().cloned().map(|answer| RoomFeature::Riddle { answer });
    say_sentence(plan, site, &mut dice);
    let face = plan.fixture.line.take().unwrap_or_default();
    plan.fixture.line = Some(format!("{face} '{}'", riddle.text));
    let strength = site.strength(plan);
    plan.challenge.coins =
        encounter::coins(site.theme, site.catalog, strength, &mut dice).max(5 + strength * 3);
    plan.challenge.items = encounter::things(site.theme, site.catalog, strength, 1, &mut dice);
}

/// The name with which a chain of clues begins.
fn leave_name(plan: &mut RoomPlan, site: Site<'_>) {
    if site.has_chains() {
        let (name, clues) = (site.name_of(RoomKind::Hint), &site.catalog.clues);
        plan.fixture.line = Some(site.untold_clue(&clues.signs, &name, &mut site.dice("name")));
        plan.fixture.details.insert(clues.sign_nouns.join(","), Clues::with(&clues.sign_detail, &name));
    }
}

/// A grave, and the key in it.
fn dig_grave(plan: &mut RoomPlan, site: Site<'_>) {
    let (name, clues) = (site.name_of(RoomKind::Grave), &site.catalog.clues);
    plan.fixture.line = Some(site.untold_clue(&clues.graves, &name, &mut site.dice("grave")));
    plan.fixture.details.insert(clues.grave_nouns.join(","), Clues::with(&clues.grave_detail, &name));
    plan.challenge.items = vec![clues.key.clone()];
    plan.fixture.feature = Some(RoomFeature::Grave { name });
}

/// A coffer, and what is in it.
fn place_coffer(plan: &mut RoomPlan, site: Site<'_>) {
    let (name, clues) = (site.name_of(RoomKind::Coffer), &site.catalog.clues);
    let mut dice = site.dice("coffer");
    plan.fixture.line = Some(site.untold_clue(&clues.coffers, &name, &mut dice));
    plan.fixture.details.insert(clues.coffer_nouns.join(","), Clues::with(&clues.coffer_detail, &name));
    let strength = site.strength(plan);
    plan.challenge.coins =
        encounter::coins(site.theme, site.catalog, strength, &mut dice).max(5 + strength * 3);
    plan.challenge.items = encounter::things(site.theme, site.catalog, strength, 1, &mut dice);
    plan.fixture.feature = Some(RoomFeature::Coffer { name });
}

fn hold_captive(plan: &mut RoomPlan, site: Site<'_>) {
    let mut dice = site.dice("captive");
    let Some(captive) = dice.pick(&site.untold(&site.theme.captives, |captive| &captive.text)).copied()
    else {
        return;
    };
    plan.fixture.feature = Some(RoomFeature::Captive { mob: captive.mob.clone() });
    plan.fixture.line = Some(captive.text.clone());
}

/// Puts signs beside some of the new exits. What is behind them is decided by whoever walks there first: if the room
/// comes to be by another exit, the sign has lied and goes. The first room of a branch has none, so its second room is
/// never out of depth.
pub(super) fn set_omens(plan: &mut RoomPlan, site: Site<'_>) {
    if site.is_first() {
        return;
    }
    let (theme, found) = (site.theme, &site.theme.out_of_depth);
    let mut dice = site.dice("omen");
    let mut here = Vec::new();
    for exit in &plan.new_exits {
        if dice.up_to(999) >= found.permille {
            continue;
        }
        let words = |omen: &Pattern, dice: &mut _| describe::words(omen, &[*exit], plan.depth, theme, dice);
        let told = site.said.fresh_or_stale(&found.omens, &here, &mut dice, words);
        if let Some(omen) = told {
            here.extend(omen.marks);
            plan.omens.insert(*exit, omen.words);
        }
    }
}

/// Sets a trap on one of the new exits at most, none of those with a sign; a closer look at what betrays it shows it.
pub(super) fn set_trap(plan: &mut RoomPlan, site: Site<'_>) {
    if site.is_first() {
        return;
    }
    let mut dice = site.dice("trap");
    for exit in &plan.new_exits {
        let drawn = dice.up_to(999) < site.theme.trap_permille && !plan.omens.contains_key(exit);
        if drawn && let Some(trap) = dice.pick(&site.catalog.traps) {
            plan.traps.insert(*exit, trap.key.clone());
            plan.fixture.details.insert(trap.nouns.join(","), trap.detail.clone());
            return;
        }
    }
}
