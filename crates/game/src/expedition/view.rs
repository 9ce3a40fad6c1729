//! Lists of a player's expeditions.

use crate::branch::start_room;
use crate::expedition::aim;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Aim, Expedition};

/// Lists the expeditions of a character, and its invitations.
pub(crate) fn list(turn: &Turn, who: CharacterId) -> Markup {
    let mut list = Markup::new();
    for row in turn.world.expeditions.of(who) {
        push(turn, &mut list, row);
    }
    for row in turn.world.expeditions.invitations(who) {
        let leader = turn.world.name_of(row.leader).unwrap_or_default();
        if !list.is_empty() {
            list.line(Style::Plain, "");
        }
        list.push(Style::Player, leader);
        list.push(Style::Plain, &format!(" has asked you to come along on {}. Type ", row.name));
        list.push(Style::Command, &format!("expedition join {}", row.name));
        list.push(Style::Plain, " or ");
        list.push(Style::Command, &format!("expedition leave {}", row.name));
        list.push(Style::Plain, ".");
    }
    if list.is_empty() {
        list.push(
            Style::Plain,
            "You belong to no expedition. They are founded in the Climbers' Lodge in the town: type ",
        );
        list.push(Style::Command, "expedition new");
        list.push(Style::Plain, " there.");
    }
    list
}

fn push(turn: &Turn, list: &mut Markup, row: &Expedition) {
    let branch = &turn.world.branches[row.branch];
    if list.is_empty() {
        list.push(Style::Heading, &row.name);
    } else {
        list.line(Style::Heading, &row.name);
    }
    let others = row.members.iter().filter(|who| **who != row.leader);
    let others = others.map(|who| turn.world.name_of(*who).unwrap_or_default());
    let asked = row.invited.iter().map(|who| turn.world.name_of(*who).unwrap_or_default());
    let leader = turn.world.name_of(row.leader).unwrap_or_default();
    let inside = turn.world.branches.members(row.branch);
    let inside = inside.iter().map(|who| turn.world.name_of(*who).unwrap_or_default());
    let below = format!("Below now: {}.", names_of(turn, inside));
    // An expedition of the week has no leader, asks no player, and does not end for lack of visits.
    let (company, end) = if row.weekly.is_some() {
        let members = grammar::counted(row.members.len(), "member");
        (
            format!("For everybody: {members}. {below}"),
            format!("It ends with the week, in {}.", turn.now.end_of_week().since(turn.now)),
        )
    } else {
        (
            format!(
                "Led by {leader}; also in it: {}.\nAsked: {}. {below}",
                names_of(turn, others),
                names_of(turn, asked)
            ),
            format!("Without a visit it ends in {}.", branch.ends_at().since(turn.now)),
        )
    };
    for line in [
        format!("For: to {}{}.", aim::words(row.aim, row.target), progress_words(row)),
        company,
        format!("The way in is {}.", start_room::place_words(turn, branch.start_exit)),
        format!(
            "{}, greatest depth {}, {}.",
            grammar::capitalise(&grammar::counted(branch.rooms_made, "room")),
            branch.greatest_depth,
            if row.camps.is_empty() {
                "no camps".to_owned()
            } else {
                grammar::counted(row.camps.len(), "camp")
            },
        ),
        end,
    ] {
        line.lines().for_each(|line| list.line(Style::Plain, line));
    }
}

/// Describes the progress of an aim, behind the aim: a count, or the best room so far.
fn progress_words(row: &Expedition) -> String {
    let best = match row.aim {
        _ if row.is_accomplished => return ": done".to_owned(),
        Aim::Map | Aim::Rescue => return format!(": {} of {}", row.progress, row.target),
        Aim::Reach => "deepest",
        Aim::Clear | Aim::Recover => "hardest",
    };
    let so_far = if row.progress == 0 { "none".into() } else { row.progress.to_string() };
    format!("; the {best} so far: {so_far}, wanted: {}", row.target)
}

/// Lists names, or the number of many.
fn names_of<'a>(turn: &Turn, names: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<&str> = names.collect();
    if all.len() > turn.config.limits.people_named as usize {
        return grammar::counted(all.len(), "climber");
    }
    grammar::list_or("nobody", all)
}

/// Describes the expedition of a branch to staff; `None` for an ordinary branch.
pub(crate) fn staff_words(turn: &Turn, branch: BranchId) -> Option<String> {
    let row = turn.world.expeditions.get(branch)?;
    let names = row.members.iter().map(|who| turn.world.name_of(*who).unwrap_or_default());
    Some(format!("expedition {}, of {}", row.name, names_of(turn, names)))
}
