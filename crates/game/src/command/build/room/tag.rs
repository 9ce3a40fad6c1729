//! Tags on rooms, by which builders find them again.

use crate::command::parse::build_argument::Equation;
use crate::command::parse::{Actor, site};
use crate::command::spec::{CommandSpec, run};
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{Right, RuleLimit};
use deepwell_core::text::{grammar, sanitise};
use std::collections::BTreeSet;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "tag",
    right: Some(Right::Texts),
    syntax: "tag here|#ROOM = WORD[, WORD]",
    summary: "Hangs words on a room by which find knows it, in place of those it had; none takes them away.",
    example: "tag here = unfinished, harbour",
    takes_words: true,
    missing: "tag here = WORD, WORD",
    run: run!(tag),
    ..CommandSpec::BUILDER
}];

fn tag(turn: &mut Turn, actor: Actor, Equation { left, right }: Equation<'_>) -> Result<(), Refusal> {
    let room = site::room(turn, actor.who, left)?;
    let (limits, chars) = (&turn.config.limits, turn.config.limits.name_chars as usize);
    let typed = right.split([',', ';']).map(|word| sanitise::clean_line(word, chars).to_lowercase());
    let mut tags: BTreeSet<String> = typed.filter(|word| !word.is_empty()).collect();
    refusal::require_at_most(limits, RuleLimit::TagsPerRoom, tags.len(), |most| {
        refuse!("A room has at most {most} tags.")
    })?;
    if tags.len() == 1 && tags.contains("none") {
        tags.clear();
    }
    let answer = match grammar::list(&tags).as_str() {
        "" => "It has no tags.".to_owned(),
        tags => format!("It has the tags {tags}."),
    };
    turn.world.rooms.change(room, |row| row.sheet.tags = tags.into());
    actor.answer(turn, answer)
}
