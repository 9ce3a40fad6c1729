//! Public player information: titles, appearances, poses, AFK status, `whois` and the ranking. Addresses are never shown,
//! locations only if the player has chosen so.

use crate::access::{audibility, sanctions};
use crate::message::rumours;
use crate::quest::achievements;
use crate::refusal::{self, Refusal, refuse};
use crate::state::LevelRanking;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RuleLimit};
use deepwell_core::text::{Markup, Style, sanitise};
use std::collections::BTreeSet;

/// Players on a page of `who`.
const PLAYERS_PER_PAGE: usize = 100;
/// Number of rows on a ranking board.
pub(crate) const BOARD_ROWS: usize = 10;

/// Description of a character whose player has written none.
pub(crate) const USUAL_APPEARANCE: &str = "A climber in worn clothes, with rope burns on both hands.";

/// Sets the title shown behind a player's name: an earned one by its number or its words, or other words; empty text
/// removes it.
pub(crate) fn set_title(turn: &mut Turn, who: CharacterId, text: &str) -> Result<(), Refusal> {
    let title = match earned_title(turn, who, text)? {
        Some(title) => title,
        None => own_words(turn, who, text, RuleLimit::TitleChars, |most| {
            refuse!("At most {most} letters may stand behind your name.")
        })?,
    };
    turn.world.characters.change(who, |row| row.title = title);
    Ok(())
}

/// Returns the earned title with a number or words. `None` for other words, and for all words of a player without
/// earned titles.
fn earned_title(turn: &Turn, who: CharacterId, text: &str) -> Result<Option<String>, Refusal> {
    let titles = &turn.world.characters[who].titles;
    let found = match text.parse::<usize>() {
        Ok(number) if !titles.is_empty() => {
            let title = number.checked_sub(1).and_then(|at| titles.get(at));
            Some(title.ok_or_else(|| {
                refuse!("You have earned no title {number}. Type titles for those that you have.")
            })?)
        }
        _ => titles.iter().find(|title| title.to_lowercase() == text.to_lowercase()),
    };
    Ok(found.cloned())
}

/// Lists the titles that a player has earned.
pub(crate) fn earned_titles(turn: &Turn, who: CharacterId) -> Markup {
    let body = &turn.world.characters[who];
    if body.titles.is_empty() {
        return Markup::plain("You have earned no titles. Some quests and achievements give one.");
    }
    let mut list = Markup::styled(Style::Heading, "Titles that you have earned");
    for (number, title) in (1..).zip(body.titles.iter()) {
        list.line(Style::Plain, &format!("{number}. "));
        list.push(Style::Speech, title);
        list.push(Style::Plain, if *title == body.title { ", which you bear." } else { "." });
    }
    list.line(Style::Plain, "Type ");
    list.push(Style::Command, "title NUMBER");
    list.push(Style::Plain, " to bear one, or ");
    list.push(Style::Command, "title none");
    list.push(Style::Plain, " to bear none.");
    list
}

/// Sets the description that others see with `look`; empty text restores the usual one.
pub(crate) fn set_appearance(turn: &mut Turn, who: CharacterId, text: &str) -> Result<(), Refusal> {
    let too_long = |most| refuse!("At most {most} letters may tell how you look.");
    let description = own_words(turn, who, text, RuleLimit::AppearanceChars, too_long)?;
    let description = if description.is_empty() { USUAL_APPEARANCE.to_owned() } else { description };
    turn.world.characters.change(who, |row| row.description = description);
    Ok(())
}

/// Sets the pose in which others see a player in the room; empty text ends it.
pub(crate) fn set_pose(turn: &mut Turn, who: CharacterId, text: &str) -> Result<(), Refusal> {
    let too_long = |most| refuse!("At most {most} letters may tell how you stand.");
    let pose = own_words(turn, who, text, RuleLimit::PoseChars, too_long)?;
    let pose = pose.trim_end_matches(['.', ' ']).to_owned();
    turn.world.characters.change(who, |row| row.pose = pose);
    Ok(())
}

/// Ends the pose of a player who leaves the room.
pub(crate) fn end_pose(turn: &mut Turn, who: CharacterId) {
    if turn.world.characters.get(who).is_some_and(|row| !row.pose.is_empty()) {
        turn.world.characters.change(who, |row| row.pose.clear());
    }
}

/// Cleans the words of a player about themselves; refuses a muted player, and too long words.
fn own_words(
    turn: &Turn,
    who: CharacterId,
    text: &str,
    limit: RuleLimit,
    too_long: impl FnOnce(u32) -> Refusal,
) -> Result<String, Refusal> {
    sanctions::require_voice(turn, who)?;
    let cleaned = sanitise::clean_line(text, usize::MAX);
    refusal::require_at_most(&turn.config.limits, limit, cleaned.chars().count(), too_long)?;
    Ok(cleaned)
}

/// Returns what a viewer sees of a player at a close look: the player's own words behind the name, or the usual
/// description, which also hides the words of an ignored player.
pub(crate) fn appearance(turn: &Turn, who: CharacterId, viewer: CharacterId) -> Markup {
    let body = &turn.world.characters[who];
    if body.description == USUAL_APPEARANCE || turn.world.is_ignoring(viewer, who) {
        return Markup::plain(USUAL_APPEARANCE);
    }
    Markup::styled(Style::Player, &body.name).and(": ").with(Style::Speech, &body.description)
}

/// Sets a player AFK with a reason, or clears AFK if no reason is given and the player is already AFK. Returns `true`
/// if the player is now AFK.
pub(crate) fn toggle_away(turn: &mut Turn, who: CharacterId, reason: &str) -> Result<bool, Refusal> {
    let reason = if reason.is_empty() { String::new() } else { audibility::spoken(turn, who, reason)? };
    if reason.is_empty() && end_away(turn, who) {
        return Ok(false);
    }
    turn.awake.edit(who).away = Some(reason);
    Ok(true)
}

/// Clears a player's AFK status. Returns `false` if it was not set.
pub(crate) fn end_away(turn: &mut Turn, who: CharacterId) -> bool {
    let is_away = turn.awake.get(who).is_some_and(|body| body.away.is_some());
    is_away && turn.awake.take(who, |body| body.away.take()).is_some()
}

/// Lists a page of the connected players whose names begin with `name`, in alphabetical order; an empty name matches
/// all. A title is hidden from viewers who ignore its player.
pub(crate) fn playing(turn: &Turn, viewer: Option<CharacterId>, name: &str, page: usize) -> Markup {
    let fits = || turn.world.awake_players_named_like(name).filter(|id| turn.seated.contains_key(id));
    let found = if name.is_empty() { turn.seated.len() } else { fits().count() };
    let heading = match (found, name.is_empty()) {
        (0, true) => "Nobody is awake.".to_owned(),
        (0, false) => "Nobody whose name begins so is awake.".to_owned(),
        (1, _) => "One climber is awake:".to_owned(),
        (n, _) => format!("{n} climbers are awake:"),
    };
    let mut list = Markup::styled(Style::Heading, &heading);
    let before = (page - 1).saturating_mul(PLAYERS_PER_PAGE);
    for id in fits().skip(before).take(PLAYERS_PER_PAGE) {
        list.line(Style::Player, &turn.world.characters[id].name);
        push_title(turn, &mut list, id, viewer);
        if let Some(viewer) = viewer {
            push_level_and_place(turn, &mut list, id, viewer);
        }
        if turn.awake.get(id).is_some_and(|body| body.away.is_some()) {
            list.push(Style::Plain, " (away)");
        }
    }
    let behind = found.saturating_sub(before.saturating_add(PLAYERS_PER_PAGE));
    if found > 0 && before >= found {
        let pages = found.div_ceil(PLAYERS_PER_PAGE);
        list.line(Style::Plain, &format!("There are no more pages than {pages}."));
    } else if behind > 0 && viewer.is_some() {
        let next = page + 1;
        list.line(
            Style::Plain,
            &format!("And {behind} more: put page {next} behind it, or the beginning of a name."),
        );
    } else if behind > 0 {
        list.line(Style::Plain, &format!("And {behind} more."));
    }
    list
}

/// Adds the level of a player, and the room if the player shows it and does not ignore the viewer.
fn push_level_and_place(turn: &Turn, list: &mut Markup, id: CharacterId, viewer: CharacterId) {
    let body = &turn.world.characters[id];
    list.push(Style::Plain, &format!(", level {}", body.level));
    let account = body.account.and_then(|account| turn.world.accounts.get(account));
    if account.is_some_and(|account| account.settings.shows_place) && !turn.world.is_ignoring(id, viewer) {
        list.push(Style::Plain, &format!(", at {}", turn.world.rooms[body.room].sheet.name));
    }
}

/// Adds the title of a player, unless the viewer ignores them.
fn push_title(turn: &Turn, list: &mut Markup, id: CharacterId, viewer: Option<CharacterId>) {
    let title = &turn.world.characters[id].title;
    if !title.is_empty() && !viewer.is_some_and(|viewer| turn.world.is_ignoring(viewer, id)) {
        list.push(Style::Plain, ", ");
        list.push(Style::Speech, title);
    }
}

/// Returns the public information about a player.
pub(crate) fn about(turn: &Turn, who: CharacterId, viewer: CharacterId) -> Markup {
    let body = &turn.world.characters[who];
    let mut page = Markup::styled(Style::Player, &body.name);
    push_title(turn, &mut page, who, Some(viewer));
    page.line(Style::Plain, &format!("Level {}.", body.level));
    let away = turn.awake.get(who).and_then(|body| body.away.as_ref());
    page.line(
        Style::Plain,
        &match (turn.seated.contains_key(&who), away) {
            (true, Some(_)) => "Awake just now, but away.".to_owned(),
            (true, None) => "Awake just now.".to_owned(),
            (false, _) => format!("Last seen {} ago.", turn.now.since(body.seen_at)),
        },
    );
    let (earned, all) = achievements::earned_count(turn, who);
    if earned > 0 {
        page.line(Style::Plain, &format!("Achievements: {earned} of {all}."));
    }
    page
}

/// Ranks all player characters, after a start.
pub(crate) fn rank_all(turn: &mut Turn) {
    turn.ranks = LevelRanking::new(turn.config.limits.ranked as usize);
    let present = turn.world.characters.iter().filter(|(_, body)| body.is_player());
    let present = present.map(|(id, body)| (id, body.level, body.xp));
    let absent = turn.world.asleep.rows().absent.iter().map(|(id, absent)| (*id, absent.level, absent.xp));
    let mut all: Vec<(CharacterId, u32, i64)> = present.chain(absent).collect();
    // Of characters with the same experience, the older one has priority.
    all.sort_unstable();
    for (id, level, xp) in all {
        turn.ranks.note(id, level, xp);
    }
}

/// Returns the players with the highest levels, connected or not, except those who have opted out.
pub(crate) fn board(turn: &Turn) -> Markup {
    let all: BTreeSet<CharacterId> = turn.ranks.iter().chain(turn.seated.keys().copied()).collect();
    let listed = |id: &CharacterId| turn.world.is_players(*id) && rumours::is_public(turn, *id);
    let mut all: Vec<CharacterId> = all.into_iter().filter(listed).collect();
    let rank = |id: &CharacterId| (std::cmp::Reverse(turn.world.level_of(*id)), turn.world.name_of(*id));
    all.sort_by(|one, other| rank(one).cmp(&rank(other)));
    let mut list = Markup::styled(Style::Heading, "The highest levels of all climbers");
    for (place, id) in (1..).zip(all.into_iter().take(BOARD_ROWS)) {
        let (level, _) = turn.world.level_of(id);
        push_place(turn, &mut list, place, id, &format!("level {level}"));
    }
    list
}

/// Adds a place of a ranking, with what the player has reached.
pub(crate) fn push_place(turn: &Turn, list: &mut Markup, place: usize, id: CharacterId, reached: &str) {
    list.line(Style::Plain, &format!("{place}. "));
    list.push(Style::Player, turn.world.name_of(id).unwrap_or_default());
    let here = if turn.seated.contains_key(&id) { ", here just now" } else { "" };
    list.push(Style::Plain, &format!(": {reached}{here}"));
}
