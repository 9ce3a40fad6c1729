//! Rumours: recent events in the dungeon, told in town in the sentences of `content/folk.toml`. They are stored and
//! survive a restart. Players who have opted out are not named.

use crate::message::public;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId, GameTime, RoomId, Seed, Span};
use deepwell_core::catalog::creature::rumours::{Rumour, Slots};
use deepwell_core::text::grammar;
use deepwell_core::world::{HeardRumour, RumourEvent};

/// Minimum depth of a reported record.
const RECORD_DEPTH_LEAST: u32 = 4;
/// Minimum number of rooms of a branch whose collapse is reported.
const COLLAPSE_ROOMS_LEAST: u32 = 8;
/// Period in which further steps of a player extend the same record.
const SAME_DESCENT: Span = Span::mins(60);
/// Number of newest rumours from which one is picked.
const TOLD_OF: usize = 12;
/// Period in which a townsperson repeats the same rumour.
const SAME_ANSWER: Span = Span::secs(20);

/// Records a depth record or the last room of a branch when a player arrives in a room.
pub(crate) fn note_arrival(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let row = &turn.world.rooms[room];
    let Some(branch) = row.branch.and_then(|branch| turn.world.branches.active(branch)) else { return };
    let (depth, theme, id, rooms) = (row.total_depth(), branch.theme.clone(), branch.id, branch.rooms_made);
    let ends = branch.growth.finishable && is_last_room(turn, id, room);
    let before = turn.world.meta().records.get(&theme).copied().unwrap_or(0);
    if depth > before.max(RECORD_DEPTH_LEAST - 1) {
        note_record(turn, who, &theme, depth);
    }
    if ends && !is_known_end(turn, &theme, rooms) {
        tell(turn, theme, RumourEvent::End { who, rooms });
    }
}

/// Records a depth record. A record replaces the earlier one of the same descent.
fn note_record(turn: &mut Turn, who: CharacterId, theme: &str, depth: u32) {
    let now = turn.now;
    let meta = turn.world.meta_mut();
    meta.records.insert(theme.to_owned(), depth);
    let is_same = |one: &HeardRumour| {
        one.theme == theme
            && matches!(one.event, RumourEvent::Record { who: whose, .. } if whose == who)
            && now.since(one.at) < SAME_DESCENT
    };
    let known = meta.tidings.len();
    meta.tidings.retain(|one| !is_same(one));
    let is_first = meta.tidings.len() == known;
    let tiding = HeardRumour { at: now, theme: theme.to_owned(), event: RumourEvent::Record { who, depth } };
    keep(turn, tiding, is_first);
}

/// Returns `true` if the floor has no unexplored exits and this is its newest room.
fn is_last_room(turn: &Turn, branch: BranchId, room: RoomId) -> bool {
    let floor = turn.world.rooms[room].floor;
    turn.world.branches.index_of(branch).is_some_and(|index| {
        index.frontiers.get(&floor).is_some_and(|frontier| frontier.open_count() == 0)
            && index.rooms.values().max() == Some(&room)
    })
}

fn is_known_end(turn: &Turn, theme: &str, rooms: u32) -> bool {
    let is_it = |event: &RumourEvent| matches!(event, RumourEvent::End { rooms: had, .. } if *had == rooms);
    turn.world.meta().tidings.iter().any(|one| one.theme == theme && is_it(&one.event))
}

/// Records that a player has lost all hit points.
pub(crate) fn note_fall(turn: &mut Turn, who: CharacterId, by: Option<CharacterId>) {
    let Some((theme, depth)) = theme_and_depth(turn, turn.world.characters[who].room) else { return };
    let slayer = by.and_then(|by| turn.world.characters.get(by)?.prototype.clone());
    tell(turn, theme, RumourEvent::Fall { who, depth, slayer });
}

/// Records that a player has found the contents of a hoard or coffer.
pub(crate) fn note_hoard(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let Some((theme, depth)) = theme_and_depth(turn, room) else { return };
    tell(turn, theme, RumourEvent::Hoard { who, depth });
}

/// Records that players have killed a boss, by its key.
pub(crate) fn note_boss(turn: &mut Turn, who: Vec<CharacterId>, room: RoomId, creature: String) {
    if let Some((theme, depth)) = theme_and_depth(turn, room).filter(|_| !who.is_empty()) {
        tell(turn, theme, RumourEvent::Boss { who, depth, creature });
    }
}

/// Records that an expedition has done what it was for.
pub(crate) fn note_expedition(turn: &mut Turn, branch: BranchId, leader: CharacterId, name: &str) {
    let Some(theme) = turn.world.branches.get(branch).map(|row| row.theme.clone()) else { return };
    tell(turn, theme, RumourEvent::Expedition { who: leader, name: name.to_owned() });
}

/// Records the collapse of a branch, unless it was small.
pub(crate) fn note_collapse(turn: &mut Turn, branch: BranchId) {
    let Some(row) = turn.world.branches.get(branch) else { return };
    let (theme, rooms) = (row.theme.clone(), row.rooms_made);
    if rooms >= COLLAPSE_ROOMS_LEAST {
        tell(turn, theme, RumourEvent::Collapse { rooms });
    }
}

fn theme_and_depth(turn: &Turn, room: RoomId) -> Option<(String, u32)> {
    let row = turn.world.rooms.get(room)?;
    let branch = turn.world.branches.active(row.branch?)?;
    Some((branch.theme.clone(), row.total_depth()))
}

/// Records an event, and shows it outside of the game.
fn tell(turn: &mut Turn, theme: String, event: RumourEvent) {
    let tiding = HeardRumour { at: turn.now, theme, event };
    keep(turn, tiding, true);
}

fn keep(turn: &mut Turn, tiding: HeardRumour, is_news: bool) {
    let most = turn.config.limits.tidings as usize;
    if is_news
        && turn.config.sharing.news
        && let Some(sentence) = sentence(turn, &tiding, drawn(turn))
    {
        public::show_news(turn, sentence);
    }
    turn.world.meta_mut().add_rumour(tiding, most);
}

/// Returns a number that stays the same for a while.
fn drawn(turn: &Turn) -> Seed {
    turn.world.meta().seed.named("rumours").numbered((turn.now.0 / SAME_ANSWER.0).unsigned_abs())
}

/// Returns a sentence about an event. `None` if there are no sentences for its kind.
fn sentence(turn: &Turn, tiding: &HeardRumour, drawn: Seed) -> Option<String> {
    let sentences = turn.catalog.rumours.about(kind_of(&tiding.event));
    let sentence = sentences.get(pick(drawn.named("sentence"), sentences.len())?)?;
    let filled = sentence.fill(&slots(turn, tiding));
    Some(grammar::capitalise(&filled).into_owned())
}

/// Returns the rumour that a townsperson tells: one of the newest, picked at random by time and `teller`. `None` if
/// there are no rumours or no sentences for the kind.
pub(crate) fn rumour(turn: &Turn, teller: u64) -> Option<String> {
    let newest: Vec<&HeardRumour> = turn.world.meta().tidings.iter().rev().take(TOLD_OF).collect();
    let drawn = drawn(turn).numbered(teller);
    let tiding = newest.get(pick(drawn, newest.len())?)?;
    sentence(turn, tiding, drawn)
}

/// Returns what the town tells of events after `since`, the newest first. Events of the listener are left out, and those of
/// players who are on either side of `ignore`.
pub(crate) fn told_since(turn: &Turn, listener: CharacterId, since: GameTime) -> Vec<String> {
    let newest = turn.world.meta().tidings.iter().rev().take_while(|one| one.at > since);
    let is_of_others = |one: &&HeardRumour| {
        one.event.characters().iter().all(|who| {
            *who != listener
                && !turn.world.is_ignoring(*who, listener)
                && !turn.world.is_ignoring(listener, *who)
        })
    };
    let drawn = |one: &HeardRumour| turn.world.meta().seed.named("rumours").numbered(one.at.0.unsigned_abs());
    newest.filter(is_of_others).filter_map(|one| sentence(turn, one, drawn(one))).collect()
}

/// Returns a number below `count`, or `None` if `count` is 0.
fn pick(drawn: Seed, count: usize) -> Option<usize> {
    usize::try_from(drawn.0.checked_rem(u64::try_from(count).ok()?)?).ok()
}

/// Maps an event to its key in the content.
const fn kind_of(event: &RumourEvent) -> Rumour {
    match event {
        RumourEvent::Record { .. } => Rumour::Record,
        RumourEvent::Fall { slayer: Some(_), .. } => Rumour::FellTo,
        RumourEvent::Fall { slayer: None, .. } => Rumour::Fell,
        RumourEvent::End { .. } => Rumour::End,
        RumourEvent::Hoard { .. } => Rumour::Hoard,
        RumourEvent::Expedition { .. } => Rumour::Expedition,
        RumourEvent::Boss { .. } => Rumour::Boss,
        RumourEvent::Collapse { .. } => Rumour::Collapse,
    }
}

fn slots(turn: &Turn, tiding: &HeardRumour) -> Slots {
    let mut names: Vec<String> =
        tiding.event.characters().iter().map(|who| name_in_town(turn, *who)).collect();
    names.dedup();
    let who = grammar::list(names);
    let (mut depth, mut rooms, mut creature, mut expedition) = (0, 0, String::new(), String::new());
    match &tiding.event {
        RumourEvent::Record { depth: deep, .. } | RumourEvent::Hoard { depth: deep, .. } => depth = *deep,
        RumourEvent::Fall { depth: deep, slayer, .. } => {
            depth = *deep;
            let killer = slayer.as_ref().and_then(|key| turn.catalog.creatures.get(key));
            creature = killer.map_or_else(|| "something".to_owned(), |killer| killer.with_article.clone());
        }
        RumourEvent::Boss { depth: deep, creature: key, .. } => {
            depth = *deep;
            let boss = turn.catalog.creatures.get(key);
            creature = boss.map_or_else(|| "something".to_owned(), |boss| boss.with_article.clone());
        }
        RumourEvent::Expedition { name, .. } => expedition.clone_from(name),
        RumourEvent::End { rooms: all, .. } | RumourEvent::Collapse { rooms: all } => rooms = *all,
    }
    let theme = turn.catalog.themes.get(&tiding.theme);
    let place = theme.map_or_else(|| "the well".to_owned(), |theme| in_a_sentence(&theme.name));
    Slots { who, place, depth, rooms, creature, expedition, when: when(turn.now.since(tiding.at)) }
}

/// Lowers the leading article of a name for use inside a sentence.
fn in_a_sentence(name: &str) -> String {
    name.strip_prefix("The ").map_or_else(|| name.to_owned(), |rest| format!("the {rest}"))
}

/// Returns the name of a player in rumours.
fn name_in_town(turn: &Turn, who: CharacterId) -> String {
    let name = turn.world.name_of(who).filter(|_| is_public(turn, who));
    name.unwrap_or("somebody").to_owned()
}

/// Returns `true` if a player has not opted out of rumours and rankings.
pub(crate) fn is_public(turn: &Turn, who: CharacterId) -> bool {
    turn.world.account_of(who).is_some_and(|account| !turn.world.accounts[account].settings.no_fame)
}

/// Returns the age of an event in everyday words.
fn when(ago: Span) -> &'static str {
    const TOLD: [(Span, &str); 4] = [
        (Span::mins(15), "just now"),
        (Span::mins(120), "not long ago"),
        (Span::days(1), "not a day ago"),
        (Span::days(7), "some days ago"),
    ];
    TOLD.into_iter().find(|(most, _)| ago < *most).map_or("a good while ago", |(_, phrase)| phrase)
}
