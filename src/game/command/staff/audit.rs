//! Command for reading the audit log.

use crate::base::Right;
use crate::game::command::parse::{Actor, Argument, Words};
use crate::game::command::spec::{AtDesk, CommandSpec, show};
use crate::game::refusal::Refusal;
use crate::game::turn::Turn;
use crate::text::{Markup, Style};
use crate::world::AuditRecord;

/// Lines per page.
const PAGE: usize = 20;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "audit",
    right: Some(Right::Audit),
    syntax: "audit [NAME or WORDS] [PAGE]",
    summary: "Reads what staff did, all of it or what somebody did or what has some words in it; the newest stands last.",
    example: "audit ban 2: the last lines but twenty in which ban stands.",
    missing: "audit, and if you like a name or words, and the number of a page",
    at_desk: AtDesk::Staff,
    run: show!(audit),
    ..CommandSpec::PLAYER
}];

/// Search terms and page; the first page has the newest entries.
#[derive(Debug, Default)]
struct Search {
    words: String,
    page: usize,
}

impl Argument<'_> for Search {
    fn read(_: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let (words, page) = words.split_page_number();
        Ok(Self { words: words.text().to_lowercase(), page })
    }
}

fn audit(turn: &Turn, _: Actor, search: Option<Search>) -> Result<Markup, Refusal> {
    let Search { words, page } = search.unwrap_or_else(|| Search { page: 1, ..Search::default() });
    let means = |line: &&AuditRecord| {
        words.is_empty() || line.name.to_lowercase() == words || line.action.to_lowercase().contains(&words)
    };
    let found = turn.world.audit.iter().rev().map(|(_, line)| line).filter(means);
    let mut found: Vec<&AuditRecord> = found.skip((page - 1).saturating_mul(PAGE)).take(PAGE + 1).collect();
    let is_more = found.len() > PAGE;
    found.truncate(PAGE);
    let mut list = Markup::styled(Style::Heading, "What staff did, the newest last");
    for line in found.iter().rev() {
        list.line(Style::Plain, &format!("{}, {}: ", line.at.utc(), line.name));
        list.push(Style::Speech, &line.action);
    }
    if found.is_empty() {
        list.line(Style::Plain, "Nothing of the kind is written down.");
    }
    if is_more {
        let more = format!("audit {words} {}", page + 1).replace("  ", " ");
        list.line(Style::Plain, "There is more. Type ");
        list.push(Style::Command, &more);
        list.push(Style::Plain, " for what came before.");
    }
    Ok(list)
}
