//! Room texts generated from the theme's grammar: a name by depth or by exits, and a few sentences about the interior,
//! the walls, the neighbouring rooms and the exits. This module only picks and joins sentences; the patterns are in
//! `content/themes/`, and recently used sentences in [`Recent`].

use crate::base::{Dice, Direction};
use crate::catalog::pattern::{Pattern, PatternPiece};
use crate::catalog::theme::words::{LENGTH, WIDTH};
use crate::catalog::{NeighbourProperty, RoomFeature, RoomKind, Theme, ThemeRoomName};
use crate::dungeon::recent::{DrawnSentence, FilledPattern, RecentStatements};
use crate::dungeon::{BranchSpec, Recent, RoomPlan};
use crate::level::{Crossing, Space};
use crate::text::grammar;
use crate::text::sentence::{TextFingerprint, has_no_stop, marks};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Inputs of a room's text, in addition to its plan.
#[derive(Clone, Copy)]
pub(super) struct RoomTextInputs<'a> {
    pub(super) spec: &'a BranchSpec,
    pub(super) theme: &'a Theme,
    /// Number of rooms created before in the branch.
    pub(super) index: u32,
    pub(super) floor: u32,
    /// Direction of the exit back.
    pub(super) back: Direction,
    /// Interior of the room, if it was generated with one.
    pub(super) space: Option<&'a Space>,
    /// Rooms that the branch remembers.
    pub(super) recent: &'a Recent,
    /// Statements in those rooms, which are avoided.
    pub(super) statements: &'a RecentStatements,
}

/// Sets the room's name, description and environment. Returns the marks of its statements and patterns, for
/// [`Recent::note`].
pub(super) fn write_room_text(plan: &mut RoomPlan, scene: RoomTextInputs<'_>) -> Vec<u32> {
    let mut dice = scene.spec.stream("words", scene.index);
    plan.sheet.environment.clone_from(&scene.theme.band(plan.depth).environment);
    plan.sheet.name = name(plan, scene, &mut dice);
    let mut sentences = RoomSentences::default();
    let lines = plan.fixture.line.iter().chain(plan.omens.values());
    sentences.here.extend(lines.flat_map(|line| marks(line)));
    describe(&mut sentences, plan, scene, &mut dice);
    plan.sheet.description = sentences.sentences.join(" ");
    sentences.here.append(&mut sentences.patterns);
    sentences.here
}

/// Sentences of a room.
#[derive(Default)]
struct RoomSentences {
    sentences: Vec<String>,
    /// Marks of the patterns with slots from which the sentences were generated.
    patterns: Vec<u32>,
    /// Marks of all statements in the room.
    here: Vec<u32>,
}

impl RoomSentences {
    fn add(&mut self, sentence: DrawnSentence<'_>) {
        self.note(&sentence);
        self.sentences.push(sentence.words);
    }

    /// Records the marks of a sentence that is joined to an existing one.
    fn note(&mut self, sentence: &DrawnSentence<'_>) {
        if sentence.pattern.has_words() {
            self.patterns.push(sentence.pattern.mark);
        }
        self.here.extend(&sentence.marks);
    }
}

/// Picks a name by the exits if the theme has such names, otherwise by depth. Neighbouring rooms never share a name:
/// each colour of a chessboard uses its own half of the names, shuffled per branch.
fn name(plan: &RoomPlan, scene: RoomTextInputs<'_>, dice: &mut impl Dice) -> String {
    let band = scene.theme.band(plan.depth);
    let exits = plan.new_exits.iter().chain(&plan.met).copied().chain([scene.back]);
    let by_exits = scene.theme.scenery.passages.get(&Crossing::of(exits));
    let mut names: Vec<&ThemeRoomName> = by_exits.unwrap_or(&band.names).iter().collect();
    scene.spec.seed.named("names").rng().shuffle(&mut names);
    let half = names.len().div_ceil(2);
    let black = (plan.at.x ^ plan.at.y) & 1 == 0;
    let own = if black || half == names.len() { names.get(..half) } else { names.get(half..) };
    let name = own.and_then(|own| scene.recent.fresh_name(own, dice)).map_or(&band.family, |name| &name.text);
    match landmark(plan, scene.theme) {
        Some((landmark, _)) => format!("{name}: {landmark}"),
        None => name.clone(),
    }
}

/// Returns the name and description of the room's landmark.
fn landmark<'t>(plan: &RoomPlan, theme: &'t Theme) -> Option<(&'t str, &'t str)> {
    let Some(RoomFeature::Landmark { name }) = &plan.fixture.feature else { return None };
    let found = theme.landmarks.iter().find(|landmark| landmark.name == *name)?;
    Some((&found.name, &found.description))
}

/// Generates the sentences of a room. Each list of patterns contributes a sentence with a new statement, or none if no
/// new statement is possible.
fn describe(sentences: &mut RoomSentences, plan: &RoomPlan, scene: RoomTextInputs<'_>, dice: &mut impl Dice) {
    let (theme, statements, depth) = (scene.theme, scene.statements, plan.depth);
    let band = theme.band(depth);
    let wording =
        |pattern: &Pattern, dice: &mut _| fill(pattern, dice, |slot, dice| word(theme, depth, slot, dice));
    // The first rooms of a branch reuse no pattern at all.
    let young = scene.index < Recent::FIRST;
    let within = |rooms: usize| if young { Recent::ROOMS } else { rooms };

    let landmark = landmark(plan, theme);
    if let Some((_, description)) = landmark {
        sentences.here.extend(marks(description));
        sentences.sentences.push(description.to_owned());
    } else if let Some(opening) =
        statements.fresh(&band.openings, within(Recent::OPENINGS), &sentences.here, dice, wording)
    {
        sentences.add(opening);
    }
    let built = landmark.is_none() && interior(sentences, plan, scene, dice);
    let details = if landmark.is_some() || built { 1 } else { dice.between(1, 2) as usize };
    let mut left: Vec<&Pattern> = band.details.iter().collect();
    for _ in 0..details {
        let rooms = within(Recent::SENTENCES);
        let detail = statements.fresh(left.iter().copied(), rooms, &sentences.here, dice, wording);
        let Some(detail) = detail else { break };
        left.retain(|other| *other != detail.pattern);
        sentences.add(detail);
    }
    mention_neighbour(sentences, plan, scene, dice);
    if plan.sheet.kind == RoomKind::Hint
        && let Some(hint) = statements.fresh_or_stale(&theme.hints, &sentences.here, dice, wording)
    {
        sentences.add(hint);
    }
    // No sentence if the only way on is down: the stairs have their own text.
    let ways: Vec<Direction> = plan.new_exits.iter().chain(&plan.met).copied().collect();
    let last: &[Pattern] = match (ways.is_empty(), plan.has_stairs()) {
        (true, true) => &[],
        (true, false) => &band.dead_ends,
        (false, _) => &band.ways_on,
    };
    let onward = |pattern: &Pattern, dice: &mut _| words(pattern, &ways, depth, theme, dice);
    if let Some(sentence) = statements.fresh(last, within(Recent::SENTENCES), &sentences.here, dice, onward) {
        sentences.add(sentence);
    }
    if sentences.sentences.is_empty()
        && let Some(opening) = statements.fresh_or_stale(&band.openings, &[], dice, wording)
    {
        sentences.add(opening);
    }
}

/// Describes the interior of a room: its size, its ground and its walls. Returns `false` if nothing was added.
fn interior<'a>(
    sentences: &mut RoomSentences,
    plan: &RoomPlan,
    scene: RoomTextInputs<'a>,
    dice: &mut impl Dice,
) -> bool {
    let (Some(space), theme, before) = (scene.space, scene.theme, sentences.sentences.len()) else {
        return false;
    };
    let scenery = &theme.scenery;
    let mut fresh = |sentences: &RoomSentences, list: Option<&'a Vec<Pattern>>, sides: &[Direction]| {
        let list = list.map_or(&[][..], Vec::as_slice);
        let found =
            scene.statements.fresh(list, Recent::SENTENCES, &sentences.here, dice, |pattern, dice| {
                fill(pattern, dice, |slot, dice| match slot {
                    WIDTH => paces(space.width),
                    LENGTH => paces(space.length),
                    Pattern::SIDES => sides_in_words(sides).into(),
                    Pattern::ARE => if sides.len() == 1 { "is" } else { "are" }.into(),
                    _ => word(theme, plan.depth, slot, dice),
                })
            });
        // The sentences about the ground and the first wall are joined in half of the cases.
        found.map(|sentence| (sentence, dice.percent(50)))
    };
    if let Some((sentence, _)) = fresh(sentences, scenery.spaces.get(&space.shape), &[]) {
        sentences.add(sentence);
    }
    let mut ground = None;
    if let Some((sentence, _)) = fresh(sentences, scenery.grounds.get(&space.ground), &[]) {
        sentences.add(sentence);
        ground = Some(sentences.sentences.len() - 1);
    }
    for (material, sides) in walls(&space.walls) {
        let found = fresh(sentences, scenery.walls.get(material), &sides);
        let Some((sentence, one_breath)) = found else { continue };
        let floor = ground.take().and_then(|at| sentences.sentences.get_mut(at));
        match floor.filter(|floor| floor.ends_with('.') && one_breath) {
            Some(floor) => {
                floor.pop();
                floor.push_str("; ");
                floor.push_str(&uncapitalised(&sentence.words));
                sentences.note(&sentence);
            }
            None => sentences.add(sentence),
        }
    }
    sentences.sentences.len() > before
}

/// Spells a number of paces; numbers from 100 are vague.
fn paces(number: u32) -> Cow<'static, str> {
    match number {
        0 => grammar::number(0),
        1..100 => grammar::spelled(number.into()),
        _ => "a hundred and more".into(),
    }
}

/// Groups the closed sides by wall material.
fn walls(walls: &BTreeMap<Direction, String>) -> BTreeMap<&str, Vec<Direction>> {
    let mut by_material: BTreeMap<&str, Vec<Direction>> = BTreeMap::new();
    for (side, material) in walls {
        by_material.entry(material).or_default().push(*side);
    }
    by_material
}

/// Names sides: "the north side", "the north and west sides", "all four sides".
fn sides_in_words(sides: &[Direction]) -> String {
    let names: Vec<String> = sides.iter().map(|side| side.name().to_owned()).collect();
    match names.as_slice() {
        [one] => format!("the {one} side"),
        [_, _] | [_, _, _] => format!("the {} sides", grammar::list(&names)),
        _ => "all four sides".to_owned(),
    }
}

/// Adds a sentence about a neighbouring room, if one is notable.
fn mention_neighbour(
    sentences: &mut RoomSentences,
    plan: &RoomPlan,
    scene: RoomTextInputs<'_>,
    dice: &mut impl Dice,
) {
    let scenery = &scene.theme.scenery;
    let ways = plan.met.iter().copied().chain([scene.back]).filter(|way| way.stays_on_floor());
    let known: Vec<(Direction, NeighbourProperty)> = ways
        .filter_map(|way| Some((way, scene.recent.neighbour(scene.floor, plan.at.step(way))?)))
        .filter(|(_, neighbour)| scenery.nearby.contains_key(neighbour))
        .collect();
    let Some((way, neighbour)) = dice.pick(&known).copied() else { return };
    if !dice.percent(scenery.nearby_percent) {
        return;
    }
    let list = scenery.nearby.get(&neighbour).map_or(&[][..], Vec::as_slice);
    let beside = |pattern: &Pattern, dice: &mut _| words(pattern, &[way], plan.depth, scene.theme, dice);
    if let Some(sentence) = scene.statements.fresh(list, Recent::OPENINGS, &sentences.here, dice, beside) {
        sentences.add(sentence);
    }
}

/// Picks a word for a slot at a depth.
fn word<'t>(theme: &'t Theme, depth: u32, slot: &str, dice: &mut impl Dice) -> Cow<'t, str> {
    dice.pick(theme.words_for(depth, slot)).map_or("", String::as_str).into()
}

/// Fills the slots of a pattern and capitalises the result. `{exit}` is replaced by one of the exits.
pub(super) fn words(
    pattern: &Pattern,
    exits: &[Direction],
    depth: u32,
    theme: &Theme,
    dice: &mut impl Dice,
) -> FilledPattern {
    fill(pattern, dice, |slot, dice| match slot {
        Pattern::EXIT => dice.pick(exits).map_or("", |exit| exit.name()).into(),
        _ => word(theme, depth, slot, dice),
    })
}

/// Initial buffer size, in bytes; enough for most sentences.
const USUAL_BYTES: usize = 120;

/// Fills the slots of a pattern and capitalises the result.
fn fill<'t, D: Dice>(
    pattern: &Pattern,
    dice: &mut D,
    mut slot_words: impl FnMut(&str, &mut D) -> Cow<'t, str>,
) -> FilledPattern {
    let mut text = String::with_capacity(USUAL_BYTES);
    let mut mark = pattern.is_one_statement.then(TextFingerprint::default);
    for piece in &pattern.pieces {
        match piece {
            PatternPiece::Text(literal, own) => {
                text.push_str(literal);
                mark = mark.map(|mark| mark.then(*own));
            }
            PatternPiece::Slot(slot) => {
                let filling = slot_words(slot, dice);
                text.push_str(&filling);
                mark = mark
                    .filter(|_| has_no_stop(&filling))
                    .map(|mark| mark.then(TextFingerprint::of(&filling)));
            }
        }
    }
    let sentence = match grammar::capitalise(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(capitalised) => capitalised,
    };
    FilledPattern { words: sentence, mark: mark.map(TextFingerprint::number) }
}

/// Lowers the first letter, for a sentence joined to another.
fn uncapitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + letters.as_str())
}

#[cfg(test)]
pub(super) mod tests;
