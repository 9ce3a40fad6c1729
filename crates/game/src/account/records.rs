//! Records of depth: those of each player, and the rankings of all players by them, connected or not.

use crate::account::profile;
use crate::exit::{hidden, pathfinding};
use crate::message::{notices, rumours};
use crate::refusal::{Refusal, refuse};
use crate::state::{DepthList, DepthRanks};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ExitId, RoomId};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{DepthRecord, DepthRecords, Exit};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The deepest room that a player has reached this week.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct WeekRecord {
    /// Name of the player.
    pub name: String,
    /// Depth of the room.
    pub depth: u32,
}

/// Number of start exits of the same name whose rankings are shown together.
const EXITS_SHOWN: usize = 4;

/// Updates the records and rankings of a player who has arrived in a room.
pub(crate) fn note_arrival(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let row = &turn.world.rooms[room];
    let Some(branch) = row.branch.and_then(|branch| turn.world.branches.active(branch)) else { return };
    let (exit, reached) = (branch.start_exit, DepthRecord { depth: row.total_depth(), at: turn.now });
    let before = turn.world.depth_records(who);
    let is_beaten =
        |list: &DepthList| reached.depth > record_in(turn, before, *list).map_or(0, |record| record.depth);
    let beaten: Vec<DepthList> =
        [DepthList::Ever, DepthList::Week, DepthList::Exit(exit)].into_iter().filter(is_beaten).collect();
    if beaten.is_empty() {
        return;
    }
    let most = turn.config.limits.exit_records as usize;
    turn.world.characters.change(who, |body| {
        for list in &beaten {
            match list {
                DepthList::Ever => body.records.deepest = reached,
                DepthList::Week => body.records.week = reached,
                DepthList::Exit(exit) => add_exit_record(&mut body.records, *exit, reached, most),
            }
        }
    });
    start_week(turn);
    tell_beaten(turn, who, &beaten, reached);
    for list in beaten {
        turn.depths.note(list, who, reached);
    }
}

/// Tells the players who lose the first place of rankings. Players who have opted out are neither told nor named.
fn tell_beaten(turn: &mut Turn, who: CharacterId, lists: &[DepthList], reached: DepthRecord) {
    if !rumours::is_public(turn, who) {
        return;
    }
    // A player in the same branch sees who goes ahead.
    let mut losers: BTreeMap<CharacterId, Vec<String>> = BTreeMap::new();
    for list in lists {
        let first = turn.depths.iter(*list).find(|first| rumours::is_public(turn, *first));
        let is_passed = |first: &CharacterId| {
            let record = record_in(turn, turn.world.depth_records(*first), *list);
            let explores_along = turn.seated.contains_key(first)
                && turn.world.membership(*first) == turn.world.membership(who);
            *first != who && !explores_along && record.is_some_and(|record| record.depth < reached.depth)
        };
        if let Some(first) = first.filter(is_passed) {
            let scope = match list {
                DepthList::Ever => Some("of all time".to_owned()),
                DepthList::Week => Some("of this week".to_owned()),
                DepthList::Exit(exit) => {
                    turn.world.exits.get(*exit).map(|exit| format!("behind {}", exit_words(turn, exit)))
                }
            };
            losers.entry(first).or_default().extend(scope);
        }
    }
    if losers.is_empty() {
        return;
    }
    let name = turn.world.name_of(who).unwrap_or_default().to_owned();
    for (loser, lists) in losers {
        let lists = grammar::list(&lists);
        let notice = format!("{name} has been at depth {}: your record {lists} is beaten.", reached.depth);
        notices::tell(turn, loser, notice);
    }
}

/// Adds the record behind a start exit. Above `most` exits, the oldest record is removed.
fn add_exit_record(records: &mut DepthRecords, exit: ExitId, record: DepthRecord, most: usize) {
    records.exits.remove(&exit);
    while records.exits.len() >= most
        && let Some(oldest) = records.exits.iter().min_by_key(|(_, record)| record.at).map(|(exit, _)| *exit)
    {
        records.exits.remove(&oldest);
    }
    records.exits.insert(exit, record);
}

/// Empties the ranking of the week if a new week has begun.
fn start_week(turn: &mut Turn) {
    if turn.depths.week_of().week() != turn.now.week() {
        turn.depths.start_week(turn.now);
    }
}

/// Returns the record of a character that counts for a ranking; the record of a past week does not.
fn record_in(turn: &Turn, records: &DepthRecords, list: DepthList) -> Option<DepthRecord> {
    let record = match list {
        DepthList::Ever => records.deepest,
        DepthList::Week if records.week.at.week() == turn.now.week() => records.week,
        DepthList::Week => return None,
        DepthList::Exit(exit) => *records.exits.get(&exit)?,
    };
    (record.depth > 0).then_some(record)
}

/// Ranks all player characters by their records, after a start.
pub(crate) fn rank_all(turn: &mut Turn) {
    let players = turn.world.characters.iter().filter(|(_, body)| body.is_player()).map(|(id, _)| id);
    let all: BTreeSet<CharacterId> = players.chain(turn.world.asleep.rows().absent.keys().copied()).collect();
    let mut depths = DepthRanks::new(turn.config.limits.ranked as usize, turn.now);
    for who in all {
        let records = turn.world.depth_records(who);
        let exits = records.exits.keys().map(|exit| DepthList::Exit(*exit));
        for list in [DepthList::Ever, DepthList::Week].into_iter().chain(exits) {
            if let Some(record) = record_in(turn, records, list) {
                depths.note(list, who, record);
            }
        }
    }
    turn.depths = depths;
}

/// Returns the records of a character, absent or not.
///
/// # Errors
/// If the player has opted out of rankings, and is not the viewer.
pub(crate) fn of_character(turn: &Turn, who: CharacterId, viewer: CharacterId) -> Result<Markup, Refusal> {
    let name = turn.world.name_of(who).unwrap_or_default();
    if who != viewer && !rumours::is_public(turn, who) {
        return Err(refuse!("{name} wants no fame, and shows no records."));
    }
    let records = turn.world.depth_records(who);
    if records.deepest.depth == 0 {
        return Ok(if who == viewer {
            Markup::plain("You have no records yet. They begin with the first room below.")
        } else {
            Markup::styled(Style::Player, name).and(" has no records yet.")
        });
    }
    let mut page = if who == viewer {
        Markup::styled(Style::Heading, "Your records")
    } else {
        Markup::styled(Style::Heading, &format!("The records of {name}"))
    };
    let line = |record: DepthRecord| format!("depth {}, {} ago.", record.depth, turn.now.since(record.at));
    page.line(Style::Plain, &format!("Deepest room: {}", line(records.deepest)));
    if let Some(record) = record_in(turn, records, DepthList::Week) {
        page.line(Style::Plain, &format!("This week: {}", line(record)));
    }
    for (exit, record) in &records.exits {
        if let Some(exit) = seen_exit(turn, viewer, *exit) {
            page.line(Style::Plain, &format!("{}: {}", exit_words(turn, exit), line(*record)));
        }
    }
    Ok(page)
}

/// Returns a start exit that still exists and that the viewer knows.
fn seen_exit(turn: &Turn, viewer: CharacterId, exit: ExitId) -> Option<&Exit> {
    turn.world.exits.get(exit).filter(|exit| hidden::is_seen(turn, viewer, exit))
}

/// Describes a start exit: "Bottom of the Well, north".
fn exit_words(turn: &Turn, exit: &Exit) -> String {
    format!("{}, {}", turn.world.rooms[exit.room].sheet.name, exit.name)
}

/// Returns the ranking of all time.
pub(crate) fn deepest(turn: &Turn) -> Markup {
    let mut page = Markup::styled(Style::Heading, "The greatest depths of all climbers");
    push_places(turn, &mut page, DepthList::Ever);
    page
}

/// Returns the ranking of the current week.
pub(crate) fn of_week(turn: &Turn) -> Markup {
    let mut page = Markup::styled(Style::Heading, "The greatest depths of this week");
    push_places(turn, &mut page, DepthList::Week);
    page
}

/// Returns the rankings of the start exits with a name or alias, those of the viewer's room first.
///
/// # Errors
/// If nobody has a record behind such an exit.
pub(crate) fn behind_exit(turn: &Turn, viewer: CharacterId, word: &str) -> Result<Markup, Refusal> {
    let here = turn.world.characters[viewer].room;
    let ranked = turn.depths.exits().filter_map(|exit| seen_exit(turn, viewer, exit));
    let mut exits: Vec<&Exit> = ranked.filter(|exit| pathfinding::is_called(exit, word)).collect();
    exits.sort_by_key(|exit| (exit.room != here, exit.id));
    let mut page = Markup::default();
    for exit in exits.iter().take(EXITS_SHOWN) {
        page.line(Style::Heading, &format!("The greatest depths behind {}", exit_words(turn, exit)));
        push_places(turn, &mut page, DepthList::Exit(exit.id));
    }
    if exits.is_empty() {
        Err(refuse!(
            "There are no records behind an exit called \"{word}\". Type top, top depth, top week, or top \
             and the name of an exit into the dungeon."
        ))
    } else {
        Ok(page)
    }
}

/// Returns the first place of the ranking of the week; `None` if the ranking is empty.
pub(crate) fn first_of_week(turn: &Turn) -> Option<WeekRecord> {
    let (record, who) = places(turn, DepthList::Week).into_iter().next()?;
    Some(WeekRecord { name: turn.world.name_of(who)?.to_owned(), depth: record.depth })
}

/// Returns the places of a ranking in their order, except players who have opted out.
fn places(turn: &Turn, list: DepthList) -> Vec<(DepthRecord, CharacterId)> {
    let listed = |who: &CharacterId| turn.world.is_players(*who) && rumours::is_public(turn, *who);
    let record = |who| Some((record_in(turn, turn.world.depth_records(who), list)?, who));
    let mut all: Vec<(DepthRecord, CharacterId)> =
        turn.depths.iter(list).filter(listed).filter_map(record).collect();
    all.sort_by_key(|(record, who)| (Reverse(record.depth), record.at, *who));
    all
}

/// Adds the first places of a ranking, except players who have opted out.
fn push_places(turn: &Turn, page: &mut Markup, list: DepthList) {
    let all = places(turn, list);
    for (place, (record, who)) in (1..).zip(all.iter().take(profile::BOARD_ROWS)) {
        profile::push_place(turn, page, place, *who, &format!("depth {}", record.depth));
    }
    if all.is_empty() {
        page.line(Style::Plain, "Nobody yet.");
    }
}
