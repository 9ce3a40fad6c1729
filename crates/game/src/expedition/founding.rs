//! Founding of an expedition: its terms, told before anything is paid, and its branch.

use crate::access::{drafts, permissions, sanctions};
use crate::branch::{asleep, grow, start_room};
use crate::effect::Class;
use crate::exit::room_search::{RoomSearch, SearchLimit};
use crate::expedition::aim;
use crate::item::money;
use crate::message::tell;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId, RuleLimit, Span};
use deepwell_core::catalog::RoomFlag;
use deepwell_core::text::coins::money_words;
use deepwell_core::text::{Markup, Style, grammar, sanitise};
use deepwell_core::world::{Aim, Exit, ExitKind, Expedition};
use std::collections::BTreeSet;

/// Maximum number of ways that are listed.
const WAYS_LISTED: usize = 40;

/// Request of a founder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan<'a> {
    /// Number of the way in the list, from 1.
    pub(crate) way: usize,
    /// Kind of the expedition.
    pub(crate) aim: Aim,
    /// Days without a visit after which it ends; `None` for the usual number.
    pub(crate) days: Option<u32>,
    /// Name.
    pub(crate) name: &'a str,
}

/// Checked plan.
struct ExpeditionTerms {
    exit: Exit,
    aim: Aim,
    target: u32,
    days: u32,
    price: i64,
    name: String,
}

/// Refuses anywhere but in a room where expeditions are founded.
fn require_lodge(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    if is_lodge(turn, who) {
        return Ok(());
    }
    Err(refuse!(
        "Expeditions are founded where supplies are sold for them, such as the Climbers' Lodge in the town."
    ))
}

/// Returns `true` if a character is in a room where expeditions are founded.
pub(crate) fn is_lodge(turn: &Turn, who: CharacterId) -> bool {
    turn.world.rooms[turn.world.characters[who].room].has(RoomFlag::Expeditions)
}

/// Returns the start exits from which an expedition can leave, by room. A room that cannot be reached on foot from the town
/// has none.
pub(crate) fn ways(turn: &Turn) -> impl Iterator<Item = &Exit> {
    let rooms = turn.world.start_tasks.iter().map(|(room, _)| room);
    let near = rooms_near_town(turn);
    let is_reached = move |room: &RoomId| near.as_ref().is_none_or(|near| near.contains(room));
    let open = rooms.filter(is_reached).filter(|room| drafts::draft_around(turn, *room).is_none());
    let exits = open.flat_map(|room| turn.world.exits.of(room));
    exits.filter(|exit| exit.kind == ExitKind::Branch && !exit.hidden).take(WAYS_LISTED)
}

/// Returns the rooms that can be reached on foot from the town; `None` if there are more than a route of creatures visits,
/// because what lies behind these is not searched.
fn rooms_near_town(turn: &Turn) -> Option<BTreeSet<RoomId>> {
    let most = turn.catalog.rules.roaming.route_rooms as usize;
    let leads_on = |exit: &&Exit| {
        let is_open = |to: RoomId| !drafts::is_border(turn, exit.room, to);
        exit.kind == ExitKind::Exit && exit.to.is_some_and(is_open)
    };
    let search = RoomSearch::new(turn.world.meta().town?, SearchLimit::NONE, |room| {
        turn.world.exits.of(room).filter(leads_on).collect()
    });
    let near: BTreeSet<RoomId> = search.take(most + 1).collect();
    (near.len() <= most).then_some(near)
}

/// Describes a way: "Bottom of the well, north: The Deep Well".
pub(crate) fn way_words(turn: &Turn, exit: &Exit) -> String {
    let room = &turn.world.rooms[exit.room].sheet.name;
    let set = start_room::effective_settings(turn, exit.room, &exit.settings).ok();
    let level = set.and_then(|set| turn.catalog.level_type(&set.level_type.0));
    let theme = level.and_then(|level| turn.catalog.theme_of(level)).map_or("", |theme| theme.name.as_str());
    format!("{room}, {}: {theme}", exit.name)
}

/// Lists ways and aims.
pub(crate) fn offers(turn: &Turn, who: CharacterId) -> Result<Markup, Refusal> {
    require_lodge(turn, who)?;
    let rules = turn.catalog.rules.expedition;
    let mut list = Markup::styled(Style::Heading, "Ways on which an expedition can leave");
    for (number, exit) in (1..).zip(ways(turn)) {
        list.line(Style::Plain, &format!("{number}. {}", way_words(turn, exit)));
    }
    list.line(Style::Heading, "What it can be for");
    for one in Aim::ALL {
        list.line(Style::Command, one.name());
        list.push(Style::Plain, &format!(": to {}", aim::words(one, aim::target(&rules, one))));
    }
    let usual = price(turn, rules.days);
    list.line(
        Style::Plain,
        &format!("Supplies for {} cost {}. Type ", grammar::counted(rules.days, "day"), money_words(usual)),
    );
    list.push(Style::Command, "expedition new NUMBER KIND NAME");
    list.push(Style::Plain, ", such as ");
    list.push(Style::Command, "expedition new 1 map The Long Look");
    list.push(
        Style::Plain,
        ", to read the terms of one. That costs nothing yet. The expedition for everybody: ",
    );
    list.push(Style::Command, "expedition weekly");
    list.push(Style::Plain, ".");
    Ok(list)
}

fn price(turn: &Turn, days: u32) -> i64 {
    let rules = turn.catalog.rules.expedition;
    i64::from(rules.supplies) + i64::from(rules.supplies_per_day) * i64::from(days)
}

/// Returns the refusal of a number that no way has.
pub(crate) fn no_way(number: &str) -> Refusal {
    refuse!("There is no way {number}. Type expedition new for the list of the ways.")
}

/// Checks a plan. Refuses all that founding refuses.
fn terms(turn: &Turn, who: CharacterId, plan: Plan<'_>) -> Result<ExpeditionTerms, Refusal> {
    require_lodge(turn, who)?;
    let rules = turn.catalog.rules.expedition;
    let exit = plan.way.checked_sub(1).and_then(|at| ways(turn).nth(at)).cloned();
    let exit = exit.ok_or_else(|| no_way(&plan.way.to_string()))?;
    let days = plan.days.unwrap_or(rules.days);
    if days == 0 || days > rules.days_max {
        return Err(refuse!("Supplies are sold for one day to {}.", grammar::number(rules.days_max)));
    }
    let name = free_name(turn, who, plan.name)?;
    let limits = &turn.config.limits;
    require_place(turn, who)?;
    refusal::require_below(limits, RuleLimit::Expeditions, turn.world.expeditions.len(), |_| {
        refuse!("No supplies are left: too many expeditions are under way. Try again later.")
    })?;
    grow::require_space_for_branch(turn)?;
    let price = price(turn, days);
    Ok(ExpeditionTerms { exit, aim: plan.aim, target: aim::target(&rules, plan.aim), days, price, name })
}

/// Refuses a character who is in as many expeditions as a character may be.
pub(crate) fn require_place(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    let own = turn.world.expeditions.of(who).filter(|row| row.weekly.is_none());
    let (limits, has) = (&turn.config.limits, own.count());
    refusal::require_below(limits, RuleLimit::ExpeditionsPerCharacter, has, |most| {
        refuse!(
            "You belong to {} already, and may belong to no more. Leave or end one first.",
            grammar::counted(most, "expedition")
        )
    })
}

/// Cleans a name, and refuses one that is too long or taken, and any name from a player whom staff have muted.
fn free_name(turn: &Turn, who: CharacterId, name: &str) -> Result<String, Refusal> {
    sanctions::require_voice(turn, who)?;
    let name = sanitise::clean_line(name, usize::MAX);
    let too_long = |most| refuse!("The name of an expedition has {most} letters at most.");
    refusal::require_at_most(&turn.config.limits, RuleLimit::NameChars, name.chars().count(), too_long)?;
    if !name.chars().any(char::is_alphabetic) || name.parse::<u32>().is_ok() {
        return Err(refuse!("Give it a name with letters in it."));
    }
    let is_same = |row: &Expedition| row.name.to_lowercase() == name.to_lowercase();
    if name.to_lowercase().starts_with("weekly") {
        return Err(refuse!("Only the expedition of everybody is called weekly. Choose another name."));
    }
    if turn.world.expeditions.iter().any(|(_, row)| is_same(row)) {
        return Err(refuse!("Another expedition is called {name}. Choose another name."));
    }
    Ok(name)
}

/// Tells the cost and the terms of a plan. Nothing is paid.
pub(crate) fn preview(turn: &Turn, who: CharacterId, plan: Plan<'_>) -> Result<Markup, Refusal> {
    let terms = terms(turn, who, plan)?;
    let (rules, limits) = (turn.catalog.rules.expedition, &turn.config.limits);
    let days = grammar::counted(terms.days, "day");
    let mut view = Markup::styled(Style::Heading, &terms.name);
    let purse = money_words(turn.world.characters[who].money.purse);
    for line in [
        format!("An expedition to {}.", aim::words(terms.aim, terms.target)),
        format!("The way: {}.", way_words(turn, &terms.exit)),
        format!("Supplies for {days} cost {}. You have {purse}.", money_words(terms.price)),
        format!(
            "The branch is yours alone: only you and those whom you invite get in, {} in all.",
            grammar::number(rules.size_max)
        ),
        format!(
            "It stays until you end it, or until none of you has been in it for {days}. Then it collapses, with all that lies in it."
        ),
        format!("You can pitch {} in it.", grammar::counted(limits.camps, "camp")),
        format!(
            "On foot you bring home everything. With recall, what you carry and do not wear stays behind, except {} in the pocket.",
            grammar::counted(limits.pocket_slots, "thing")
        ),
        format!(
            "Once it has done what it is for, {} is shared among its members, and comes by mail.",
            money_words(rules.reward.into())
        ),
    ] {
        view.line(Style::Plain, &line);
    }
    view.line(Style::Plain, "To pay and begin, type ");
    let days = plan
        .days
        .map(|_| format!(" for {} {}", terms.days, if terms.days == 1 { "day" } else { "days" }))
        .unwrap_or_default();
    let typed = format!("expedition found {} {} {}{days}", plan.way, plan.aim.name(), terms.name);
    view.push(Style::Command, &typed);
    view.push(Style::Plain, ".");
    Ok(view)
}

/// Pays for an expedition and opens its branch.
pub(crate) fn found(turn: &mut Turn, who: CharacterId, plan: Plan<'_>) -> Result<(), Refusal> {
    if turn.world.characters[who].account.is_none_or(|account| sanctions::is_guest(turn, account)) {
        return Err(permissions::guest_has_none("expedition"));
    }
    let terms = terms(turn, who, plan)?;
    money::afford(turn, who, terms.price)?;
    let branch = grow::open_without_window(turn, &terms.exit, Span::days(terms.days.into()))?;
    money::sink(turn, who, terms.price, "expedition")?;
    let aim = (terms.aim, terms.target);
    turn.world.expeditions.add(Expedition::new(branch, terms.name.clone(), aim, who, turn.now));
    asleep::schedule_sleep(turn, branch);
    let paid = format!(
        "You pay {}, sign for ropes and lamps, and write a name on the wall: ",
        money_words(terms.price)
    );
    let message = Markup::plain(&paid).with(Style::Speech, &terms.name);
    let message =
        message.and(&format!(". The way in is {}. Type ", start_room::place_words(turn, terms.exit.id)));
    let message = message.with(Style::Command, "expedition enter").and(" there, and ");
    let message = message.with(Style::Command, "expedition invite NAME").and(" for company.");
    tell::tell(turn, who, Class::Reply, message);
    tell::tell_others(turn, who, Class::Notice, " writes the name of an expedition on the wall.");
    Ok(())
}
