//! Command that checks a builder's zones for mistakes and doubtful settings.

use crate::building::zones::check::{Remark, Severity};
use crate::building::zones::check_definitions;
use crate::building::zones::sweep;
use crate::building::{definitions, zones};
use crate::command::build::find::LATER;
use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, Needs, run};
use crate::refusal::Refusal;
use crate::state::sweeps::{Page, SearchTarget, Sweep};
use crate::turn::Turn;
use deepwell_core::base::Right;
use deepwell_core::text::{Markup, Style, grammar};
use std::collections::BTreeSet;

/// Remarks per page.
const PAGE: usize = 20;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "check",
    right: Some(Right::Look),
    needs: Needs::Nothing,
    syntax: "check [ZONE|all] [PAGE]",
    summary: "Tells what is wrong in the zone of this room, in another, or in all that you build in, and what may not be meant so: names of what is not there, ways that lead nowhere or not back, rooms that nobody can walk to or nobody has described, doors whose key nobody can come by.",
    example: "check mill 2: the second page of what there is to say about the zone mill.",
    missing: "check, and if you like the name of a zone, or all, and the number of a page",
    run: run!(check),
    ..CommandSpec::BUILDER
}];

/// Zone to check, and page.
#[derive(Clone, Copy)]
struct CheckOrder<'a> {
    zone: Words<'a>,
    page: usize,
}

impl<'a> Argument<'a> for CheckOrder<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (first, second) = words.first_word();
        let number = |words: Words<'_>| words.text().parse::<usize>().ok().filter(|page| *page > 0);
        Ok(match (number(first), second.is_empty()) {
            (Some(page), true) => Self { zone: words.without(), page },
            (None, true) => Self { zone: first, page: 1 },
            (_, false) => Self { zone: first, page: number(second).ok_or_else(|| words.missing())? },
        })
    }
}

/// Returns the selected zones, with a common description.
fn zones_meant(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<(String, BTreeSet<String>), Refusal> {
    let (name, _) = words.keyword();
    if name == "all" {
        let own = zones::all(turn).into_iter().filter(|zone| zones::may_build(turn, actor.account, zone));
        return Ok(("all zones that you build in".to_owned(), own.collect()));
    }
    let room = &turn.world.rooms[turn.workplace(actor.who)];
    let zone = match (name.is_empty(), room.branch) {
        (false, _) => name,
        (true, None) => room.area.clone(),
        (true, Some(_)) => return Err(zones::not_built()),
    };
    zones::require_zone(turn, &zone)?;
    Ok((format!("the zone {zone}"), BTreeSet::from([zone])))
}

fn check(turn: &mut Turn, actor: Actor, survey: CheckOrder<'_>) -> Result<Markup, Refusal> {
    let (name, zones) = zones_meant(turn, actor, survey.zone)?;
    let sought = SearchTarget::Mistakes { zones, name, typed: survey.zone.text().to_owned() };
    let ended =
        sweep::begin(turn, actor.session, actor.who, sought, Page { number: survey.page, size: PAGE });
    Ok(ended.map_or_else(|| LATER.into(), |ended| report(turn, ended)))
}

/// Formats the result of a finished check.
pub(crate) fn report(turn: &Turn, sweep: Sweep) -> Markup {
    let Sweep { sought: SearchTarget::Mistakes { zones, name, typed }, page, remarks, .. } = sweep else {
        return Markup::new();
    };
    let aside = definitions::inactive_definitions(turn);
    let of_quests: Vec<String> = turn
        .catalog
        .quests
        .values()
        .flat_map(|quest| quest.doubts(&turn.catalog).into_iter().map(move |doubt| (quest, doubt)))
        .map(|(quest, doubt)| format!("Doubt: the quest {}, {}: {doubt}", quest.name, quest.key))
        .collect();
    let of_definitions: Vec<String> = check_definitions::mistakes(turn, &zones)
        .into_iter()
        .map(|mistake| format!("Mistake: {mistake}"))
        .collect();
    if remarks.count() == 0 && aside.is_empty() && of_quests.is_empty() && of_definitions.is_empty() {
        return Markup::plain(&format!("There is nothing to say against {name}."));
    }
    let counted = |number, name: &str| match number {
        0 => format!("no {name}"),
        number => grammar::counted(number, name),
    };
    let (mistakes, doubts) = (
        counted(remarks.mistakes + of_definitions.len(), "mistake"),
        counted(remarks.doubts + of_quests.len(), "doubt"),
    );
    let mut list = Markup::styled(Style::Heading, &format!("In {name}: {mistakes} and {doubts}"));
    for line in aside.iter().chain(&of_definitions).chain(&of_quests) {
        list.line(Style::Plain, line);
    }
    let (asked, pages) = (page.number, remarks.count().div_ceil(page.size));
    let remarks = remarks.sorted();
    let shown = remarks.iter().skip(page.start()).take(page.size);
    for remark in shown.filter(|remark| turn.world.rooms.get(remark.room).is_some()) {
        add_remark(turn, &mut list, remark);
    }
    if asked < pages {
        list.line(Style::Plain, &format!("Page {asked} of {pages}. Type "));
        let more = format!("check {typed} {}", asked + 1).replace("  ", " ");
        list.push(Style::Command, &more);
        list.push(Style::Plain, " for the next.");
    } else if asked > pages {
        list.line(Style::Plain, &format!("There are no more pages than {pages}."));
    }
    list
}

/// Formats a remark: "Mistake: Mill Floor, room 12: the exit up leads nowhere."
fn add_remark(turn: &Turn, list: &mut Markup, remark: &Remark) {
    let weight = match remark.weight {
        Severity::Mistake => "Mistake: ",
        Severity::Doubt => "Doubt: ",
    };
    list.line(Style::Plain, weight);
    list.push(Style::RoomName, &turn.world.rooms[remark.room].sheet.name);
    list.push(Style::Plain, &format!(", room {}: {}", remark.room, remark.words));
}
