//! Start rooms: the settings of the branches behind their exits with their sources, and reachability of the dungeon from
//! the town.

use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId, ExitId, ExitKind, RoomId, Span};
use deepwell_core::catalog::{BranchTimes, ExitBranchSettings, GrowSettings, StartSettings, StartText};
use deepwell_core::dungeon;
use deepwell_core::level::LevelType;
use deepwell_core::text::grammar;
use deepwell_core::world::{Branch, Character, Exit, RoomKind};
use std::collections::{BTreeSet, VecDeque};

/// Default level type behind a start exit.
const DEFAULT_LEVEL: &str = "well";

/// Source of a setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BranchSettingSource {
    Exit,
    Room,
    Server,
    Theme,
}

impl BranchSettingSource {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Exit => "this exit",
            Self::Room => "this room",
            Self::Server => "the server",
            Self::Theme => "the theme",
        }
    }
}

/// Setting with its source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sourced<T>(pub(crate) T, pub(crate) BranchSettingSource);

/// Effective settings of the next branch behind a start exit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EffectiveSettings {
    pub(crate) level_type: Sourced<String>,
    pub(crate) generator: Sourced<String>,
    pub(crate) max_unexplored_exits: Sourced<u32>,
    pub(crate) max_new_exits_per_room: Sourced<u32>,
    pub(crate) finishable: Sourced<bool>,
    pub(crate) window: Sourced<Span>,
    pub(crate) reset_chance_permille: Sourced<u32>,
    pub(crate) max_life: Sourced<Span>,
    /// Times set by the exit, room or theme, without the server defaults.
    pub(crate) times: BranchTimes,
}

impl EffectiveSettings {
    /// Returns the budget of exits.
    pub(crate) const fn growth(&self) -> GrowSettings {
        GrowSettings {
            max_unexplored_exits: self.max_unexplored_exits.0,
            max_new_exits_per_room: self.max_new_exits_per_room.0,
            finishable: self.finishable.0,
            diagonals: false,
        }
    }
}

/// Returns the effective settings of the next branch behind an exit of a start room, given the exit's own settings.
pub(crate) fn effective_settings(
    turn: &Turn,
    room: RoomId,
    own: &ExitBranchSettings,
) -> Result<EffectiveSettings, Refusal> {
    let config = &turn.config.dungeon;
    let room = settings(turn, room).map(|settings| settings.exits.clone()).unwrap_or_default();
    let level_type = first([
        (own.theme.clone(), BranchSettingSource::Exit),
        (room.theme.clone(), BranchSettingSource::Room),
    ])
    .unwrap_or_else(|| Sourced(DEFAULT_LEVEL.to_owned(), BranchSettingSource::Server));
    let definition = turn.catalog.level_type(&level_type.0).ok_or(Refusal::NoWay)?;
    let theme = turn.catalog.theme_of(definition).map(|theme| theme.settings).unwrap_or_default();
    // Only a generated level has a generator that can be overridden.
    let grown = |generator: &Option<String>| generator.clone().filter(|_| definition.grows());
    let generator = first([
        (grown(&own.generator), BranchSettingSource::Exit),
        (grown(&room.generator), BranchSettingSource::Room),
    ])
    .unwrap_or_else(|| Sourced(dungeon::generator_of(definition).to_owned(), BranchSettingSource::Theme));
    let budget = |of: fn(&ExitBranchSettings) -> Option<u32>, server: Option<u32>, theme: u32| {
        first([
            (of(own), BranchSettingSource::Exit),
            (of(&room), BranchSettingSource::Room),
            (server, BranchSettingSource::Server),
        ])
        .unwrap_or(Sourced(theme, BranchSettingSource::Theme))
    };
    Ok(EffectiveSettings {
        generator,
        max_unexplored_exits: budget(
            |set| set.max_unexplored_exits,
            config.max_unexplored_exits,
            theme.growth.max_unexplored_exits,
        ),
        max_new_exits_per_room: budget(
            |set| set.max_new_exits_per_room,
            config.max_new_exits_per_room,
            theme.growth.max_new_exits_per_room,
        ),
        finishable: first([
            (own.finishable, BranchSettingSource::Exit),
            (room.finishable, BranchSettingSource::Room),
            (config.finishable, BranchSettingSource::Server),
        ])
        .unwrap_or(Sourced(theme.growth.finishable, BranchSettingSource::Theme)),
        window: time([own.times.window, room.times.window, theme.times.window], config.window),
        reset_chance_permille: time(
            [own.times, room.times, theme.times].map(|times| times.reset_chance_permille),
            config.reset_chance_permille,
        ),
        max_life: time([own.times.max_life, room.times.max_life, theme.times.max_life], config.max_life),
        times: own.times.or(room.times).or(theme.times),
        level_type,
    })
}

/// Returns the level type of the next branch behind a start exit.
fn level_behind<'a>(turn: &'a Turn, exit: &Exit) -> Option<&'a LevelType> {
    let set =
        effective_settings(turn, exit.room, &exit.settings).ok().filter(|_| exit.kind == ExitKind::Branch)?;
    turn.catalog.level_type(&set.level_type.0).map(AsRef::as_ref)
}

/// Describes the puzzles that reject their settings in the themes behind the exits of a start room.
pub(crate) fn unfit_puzzles(turn: &Turn, room: RoomId) -> BTreeSet<String> {
    let levels = turn.world.exits.of(room).filter_map(|exit| level_behind(turn, exit));
    let themes = levels.filter_map(|level| turn.catalog.theme_of(level));
    let unfit =
        themes.flat_map(|theme| theme.unfit_puzzles().map(|(_, problem)| (theme.key.clone(), problem)));
    unfit.map(|(theme, problem)| format!("in the theme {theme}, {problem}.")).collect()
}

/// Returns the text shown for a look through a start exit.
pub(crate) fn level_sight<'a>(turn: &'a Turn, exit: &Exit) -> Option<&'a str> {
    level_behind(turn, exit).map(|level| level.seen.as_str()).filter(|seen| !seen.is_empty())
}

/// Describes a start exit in a sentence: "at Bottom of the well, by the exit north".
pub(crate) fn place_words(turn: &Turn, exit: ExitId) -> String {
    turn.world.exits.get(exit).map_or_else(
        || "gone".to_owned(),
        |exit| format!("at {}, by the exit {}", turn.world.rooms[exit.room].sheet.name, exit.name),
    )
}

/// Returns `true` if the guide sends beginners through a start exit.
pub(crate) fn is_gentle(turn: &Turn, exit: &Exit) -> bool {
    level_behind(turn, exit).is_some_and(|level| level.gentle)
}

/// Returns the sounds heard in a start room from the levels behind its exits, clockwise from north.
pub(crate) fn sounds(turn: &Turn, room: RoomId) -> Vec<String> {
    let mut exits: Vec<&Exit> = turn.world.exits.of(room).collect();
    exits.sort_by_key(|exit| exit.direction);
    let heard = exits.into_iter().filter_map(|exit| {
        let heard = level_behind(turn, exit).map(|level| level.heard.as_str())?;
        Some(format!("From the {}: {heard}", exit.name)).filter(|_| !heard.is_empty())
    });
    heard.collect()
}

/// Returns the first value that is set, with its source.
pub(crate) fn first<T, const N: usize>(
    settings: [(Option<T>, BranchSettingSource); N],
) -> Option<Sourced<T>> {
    settings.into_iter().find_map(|(value, source)| Some(Sourced(value?, source)))
}

/// Returns the effective value of a time. The theme takes precedence over the server.
fn time<T>([exit, room, theme]: [Option<T>; 3], server: T) -> Sourced<T> {
    first([
        (exit, BranchSettingSource::Exit),
        (room, BranchSettingSource::Room),
        (theme, BranchSettingSource::Theme),
    ])
    .unwrap_or(Sourced(server, BranchSettingSource::Server))
}

/// Returns a text of a start room about its branches.
pub(crate) fn text(turn: &Turn, room: RoomId, text: StartText) -> &str {
    settings(turn, room).and_then(|settings| settings.texts.get(&text)).map_or(text.usual(), String::as_str)
}

/// Returns the settings of a start room.
pub(crate) fn settings(turn: &Turn, room: RoomId) -> Option<&StartSettings> {
    turn.world.start_tasks.get(room).map(|tasks| &tasks.settings)
}

/// Returns `true` if a branch behind a start exit has members, or outlives them.
pub(crate) fn is_used(turn: &Turn, exit: ExitId) -> bool {
    branches_behind(turn, exit)
        .any(|(id, row)| row.outlives_members || !turn.world.branches.members(id).is_empty())
}

/// Returns the branches that began at an exit. The setting `limits.branches` bounds the search.
pub(crate) fn branches_behind(turn: &Turn, exit: ExitId) -> impl Iterator<Item = (BranchId, &Branch)> {
    turn.world.branches.iter_active().filter(move |(_, branch)| branch.start_exit == exit)
}

/// Pending change by a builder to hand-built exits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rework {
    Nothing,
    DestroyExit(ExitId),
    DestroyRoom(RoomId),
    Link(ExitId, RoomId),
}

/// Refuses a change that would leave no path from the town to the dungeon.
pub(crate) fn require_way_below(turn: &Turn, town: RoomId, rework: Rework) -> Result<(), Refusal> {
    if is_dungeon_reachable(turn, town, Rework::Nothing) && !is_dungeon_reachable(turn, town, rework) {
        return Err(last_way_below());
    }
    Ok(())
}

/// Returns `true` if a start exit can be reached on foot through hand-built exits.
pub(crate) fn is_dungeon_reachable(turn: &Turn, from: RoomId, rework: Rework) -> bool {
    reaches_start_exit(from, |room| {
        let exits = turn.world.exits.of(room).filter(|exit| rework != Rework::DestroyExit(exit.id));
        let to = |exit: &Exit| match rework {
            Rework::Link(linked, to) if linked == exit.id => Some(to),
            _ => exit.to.filter(|to| rework != Rework::DestroyRoom(*to)),
        };
        exits.map(|exit| (exit.kind, to(exit))).collect()
    })
}

/// Returns `true` if a start exit can be reached, given a function that returns the exits of a room.
pub(crate) fn reaches_start_exit(
    from: RoomId,
    ways: impl Fn(RoomId) -> Vec<(ExitKind, Option<RoomId>)>,
) -> bool {
    // Nearest first: a start exit is usually near, while the rooms may be many.
    let (mut seen, mut to_see) = (BTreeSet::from([from]), VecDeque::from([from]));
    while let Some(room) = to_see.pop_front() {
        for (kind, to) in ways(room) {
            match kind {
                ExitKind::Branch => return true,
                ExitKind::Exit => to_see.extend(to.filter(|next| seen.insert(*next))),
                ExitKind::Stairs => {}
            }
        }
    }
    false
}

/// Refuses to remove a start room while players other than `but` are awake in it or in its branches.
pub(crate) fn require_start_room_unused(
    turn: &Turn,
    but: Option<CharacterId>,
    room: RoomId,
) -> Result<(), Refusal> {
    if turn.world.rooms[room].sheet.kind != RoomKind::Start {
        return Ok(());
    }
    let is_below = |body: &Character| {
        let branch = body.branch.and_then(|branch| turn.world.branches.get(branch));
        body.room == room || branch.is_some_and(|branch| branch.start_room == room)
    };
    let bodies = turn.world.awake_players().filter(|who| Some(*who) != but);
    let below = bodies.map(|who| &turn.world.characters[who]).filter(|body| is_below(body));
    let names: Vec<String> = below.map(|body| body.name.clone()).collect();
    if names.is_empty() {
        Ok(())
    } else {
        Err(refuse!(
            "{} {} in it or in a branch behind it: nobody may be there when it goes.",
            grammar::list(&names),
            if names.len() == 1 { "is" } else { "are" }
        ))
    }
}

/// Returns the refusal to remove an exit while players are in its branch.
pub(crate) fn branch_in_use() -> Refusal {
    refuse!("{}.", grammar::capitalise(BRANCH_IN_USE))
}

/// Reason why an exit stays that [`is_used`].
pub(crate) const BRANCH_IN_USE: &str =
    "people are in a branch of that exit, or it belongs to an expedition; collapse it first, or wait";

/// Returns the refusal to remove the last path to the dungeon.
pub(crate) fn last_way_below() -> Refusal {
    refuse!("Nobody could walk down to the dungeon any more: build another way first.")
}
