//! The weekly expedition: every player may join it, all uncover one map, each by a few rooms on a day, and its end is told
//! in the town. Its first visitor in a week opens the branch, which expires with the week.

use crate::access::{permissions, sanctions};
use crate::branch::{grow, start_room};
use crate::expedition::{founding, weekly_reward};
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RuleLimit, Span};
use deepwell_core::text::coins::money_words;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Aim, Exit, Expedition, Weekly};

/// Returns the exit behind which the expedition of the present week begins: that of its branch, once it has one.
fn way(turn: &Turn) -> Result<&Exit, Refusal> {
    let none = || refuse!("There is no weekly expedition here.");
    if turn.config.limits.weekly_members == 0 {
        return Err(none());
    }
    let week = turn.now.week();
    if let Some(row) = turn.world.expeditions.of_week(week) {
        return turn.world.exits.get(turn.world.branches[row.branch].start_exit).ok_or_else(none);
    }
    let ways: Vec<&Exit> = founding::ways(turn).collect();
    let number = i64::try_from(ways.len()).ok().and_then(|count| week.checked_rem_euclid(count));
    let way = number.and_then(|number| ways.get(usize::try_from(number).ok()?).copied());
    way.ok_or_else(none)
}

/// Describes the expedition of the week.
pub(crate) fn describe(turn: &Turn, who: CharacterId) -> Result<Markup, Refusal> {
    let way = way(turn)?;
    let rules = turn.catalog.rules.expedition;
    let row = turn.world.expeditions.of_week(turn.now.week());
    let (open, done) = row.map_or((0, false), |row| (row.progress, row.is_accomplished));
    let mine = row.and_then(|row| row.weekly.as_ref()).map_or(0, |of| of.opened_on(turn.now.day(), who));
    let mut page = Markup::styled(Style::Heading, weekly_reward::NAME);
    let state = if done { "All of them are open." } else { "Whoever comes opens some." };
    for line in [
        format!(
            "For everybody: to map {}. Open: {open}. {state}",
            grammar::counted(rules.weekly_rooms, "room")
        ),
        format!("The way: {}.", founding::way_words(turn, way)),
        format!(
            "You can open {} on a day; today you have opened {}. The map shows what all have seen.",
            grammar::counted(rules.weekly_rooms_per_day, "room"),
            if mine == 0 { "none".into() } else { grammar::number(mine) }
        ),
        format!(
            "When all are open, each who has opened one is sent {}.",
            money_words(rules.weekly_reward.into())
        ),
        format!("It ends with the week, in {}.", turn.now.end_of_week().since(turn.now)),
    ] {
        page.line(Style::Plain, &line);
    }
    if let Some(names) = row.map(|row| weekly_reward::best(turn, row)).filter(|names| !names.is_empty()) {
        page.line(Style::Plain, &format!("Most rooms so far: {}.", grammar::list(names)));
    }
    page.line(Style::Plain, "Where the way begins, type ");
    page.push(Style::Command, "expedition enter weekly");
    page.push(Style::Plain, ".");
    Ok(page)
}

/// Makes a player in the room where the way begins a member of the expedition of the week, and opens its branch for the
/// first one.
pub(crate) fn join(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    let way = way(turn)?.clone();
    if turn.world.characters[who].room != way.room {
        return Err(refuse!("The way of this week is {}.", start_room::place_words(turn, way.id)));
    }
    let week = turn.now.week();
    let row = turn.world.expeditions.of_week(week);
    if row.is_some_and(|row| row.members.contains(&who)) {
        return Ok(());
    }
    if turn.world.characters[who].account.is_none_or(|account| sanctions::is_guest(turn, account)) {
        return Err(permissions::guest_has_none("expedition"));
    }
    let has = row.map_or(0, |row| row.members.len());
    refusal::require_below(&turn.config.limits, RuleLimit::WeeklyMembers, has, |most| {
        refuse!("The weekly survey has {}, and there is room for no more.", grammar::counted(most, "member"))
    })?;
    if let Some(id) = row.map(|row| row.branch) {
        turn.world.expeditions.join(id, who);
        return Ok(());
    }
    let branch = grow::open_without_window(turn, &way, Span::days(7))?;
    let end = turn.now.end_of_week();
    turn.world.branches.close_at(branch, end);
    let (name, aim) =
        (weekly_reward::NAME.to_owned(), (Aim::Map, turn.catalog.rules.expedition.weekly_rooms));
    let weekly = Some(Weekly { week, ..Weekly::default() });
    turn.world.expeditions.add(Expedition { weekly, ..Expedition::new(branch, name, aim, who, turn.now) });
    Ok(())
}
