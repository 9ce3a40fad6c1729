//! Variables of zones, as builders declare, show and set them.

use crate::building::zones;
use crate::building::zones::{check_definitions, search};
use crate::character::variables;
use crate::character::variables::Subjects;
use crate::command::parse::site::zone_meant;
use crate::command::parse::{Actor, Argument, Words, resolve};
use crate::command::spec::{CommandSpec, run};
use crate::message::naming;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Right, RuleLimit};
use deepwell_core::catalog::script::variable::is_variable_name;
use deepwell_core::catalog::{VariableDeclaration, VariableScope};
use deepwell_core::text::{Markup, Style, grammar, nearest};

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "variable",
    right: Some(Right::Scripts),
    aliases: &["variables"],
    syntax: "variable [VERB] [NAME]",
    summary: "Looks after the variables of the zone you stand in: what scripts remember. list tells all; new NAME = TYPE declares one, where the type is number, flag or text, perhaps with a default behind it, then of character, creature, room, branch or zone, and reset death, daily, weekly or branch; remove NAME takes one away. show NAME tells the value, of yourself, of this room or of the zone, and show NAME of PLAYER that of a player who is in the world; set NAME = VALUE and set NAME of PLAYER = VALUE change it. Players see none of this.",
    example: "variable new bells = number of character reset daily",
    takes_words: true,
    missing: "variable and list, new NAME = TYPE, show NAME, set NAME = VALUE or remove NAME",
    run: run!(variable),
    ..CommandSpec::BUILDER
}];

/// Argument of `variable`.
#[derive(Clone, Copy)]
enum VariableOrder<'a> {
    List(&'a str),
    New { name: &'a str, declaration: &'a str },
    Show(Words<'a>),
    Set { of: Words<'a>, value: &'a str },
    Remove(&'a str),
}

impl<'a> Argument<'a> for VariableOrder<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (verb, rest) = words.keyword();
        let (left, right) = rest.sides();
        let right = right.map(Words::text);
        Ok(match verb.as_str() {
            "" | "list" => Self::List(rest.text()),
            "new" => Self::New {
                name: left.required()?.text(),
                declaration: right.ok_or_else(|| words.missing())?,
            },
            "show" => Self::Show(rest.required()?),
            "set" => Self::Set { of: left.required()?, value: right.unwrap_or_default() },
            "remove" => Self::Remove(rest.required()?.text()),
            _ => return Err(words.missing()),
        })
    }
}

fn variable(turn: &mut Turn, actor: Actor, order: VariableOrder<'_>) -> Result<(), Refusal> {
    match order {
        VariableOrder::List(zone) => {
            let zone = zone_meant(turn, actor.who, zone)?;
            let page = list(turn, &zone);
            actor.answer(turn, page)
        }
        VariableOrder::New { name, declaration } => declare(turn, actor, name, declaration),
        VariableOrder::Show(of) => {
            let answer = show(turn, actor, of)?;
            actor.answer(turn, answer)
        }
        VariableOrder::Set { of, value } => set(turn, actor, of, value),
        VariableOrder::Remove(name) => remove(turn, actor, name),
    }
}

/// Returns the zone of the builder, if the builder may change it.
fn own_zone(turn: &Turn, actor: Actor) -> Result<String, Refusal> {
    let zone = zone_meant(turn, actor.who, "")?;
    zones::require_author(turn, actor.account, &zone)?;
    Ok(zone)
}

fn list(turn: &Turn, zone: &str) -> Markup {
    let declared = zones::row(turn, zone).variables;
    if declared.is_empty() {
        let message = format!("The zone {zone} has no variables. variable new NAME = number declares one.");
        return Markup::plain(&message);
    }
    let mut page = Markup::styled(Style::Heading, &format!("Variables of {zone}"));
    for (name, declaration) in declared {
        page.line(Style::Plain, &format!("{name} = {declaration}"));
    }
    page
}

fn declare(turn: &mut Turn, actor: Actor, name: &str, typed: &str) -> Result<(), Refusal> {
    let zone = own_zone(turn, actor)?;
    if !is_variable_name(name) {
        return Err(refuse!("A variable is called by small letters, figures and _, forty at most."));
    }
    let declaration = VariableDeclaration::parse(typed).map_err(|reason| {
        refuse!("A variable is declared as TYPE [DEFAULT] [of WHAT] [reset WHEN]: {reason}.")
    })?;
    let limits = &turn.config.limits;
    let bytes = declaration.default.bytes();
    refusal::require_at_most(limits, RuleLimit::VariableBytes, bytes, |most| {
        refuse!("The default is too long: a variable holds at most {most} bytes.")
    })?;
    let declared = zones::row(turn, &zone).variables;
    if !declared.contains_key(name) {
        refusal::require_below(limits, RuleLimit::VariablesPerZone, declared.len(), |most| {
            refuse!("A zone has at most {most} variables.")
        })?;
    }
    let message = format!("Declared in {zone}: {name} = {declaration}.");
    let old = zones::change(turn, &zone, |row| row.variables.insert(name.to_owned(), declaration));
    let before = old.map_or_else(String::new, |old| format!(" It was {old}."));
    actor.answer(turn, message + &before)
}

fn remove(turn: &mut Turn, actor: Actor, name: &str) -> Result<(), Refusal> {
    let zone = own_zone(turn, actor)?;
    require_declared(turn, &zone, name)?;
    let full = format!("{zone}/{name}");
    let users = check_definitions::variable_users(turn, &full);
    if !users.is_empty() {
        return Err(refuse!("{name} is used here: {}. Change that first.", search::listed(users)));
    }
    zones::change(turn, &zone, |row| row.variables.remove(name));
    actor.answer(turn, format!("The zone {zone} has no variable {name} any more."))
}

/// Returns the declaration of a variable.
pub(crate) fn require_declared(turn: &Turn, zone: &str, name: &str) -> Result<VariableDeclaration, Refusal> {
    let mut declared = zones::row(turn, zone).variables;
    declared.remove(name).ok_or_else(|| {
        let meant = nearest(name, declared.keys().map(String::as_str));
        refuse!("The zone {zone} has no variable {name}.{}", refusal::did_you_mean(meant))
    })
}

/// Variable that a builder names, with its declaration and the objects of which it can be.
struct NamedVariable {
    name: String,
    declaration: VariableDeclaration,
    subjects: Subjects,
    /// Name of the object.
    of: String,
}

/// Parses `NAME [of PLAYER]` or `ZONE/NAME [of PLAYER]`; for a variable of a creature or an item, `of` is followed by its name.
fn meant(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<NamedVariable, Refusal> {
    let (name, whom) = words.around("of").map_or((words, None), |(name, whom)| (name, Some(whom)));
    let (zone, name) = match name.text().split_once('/') {
        Some((zone, name)) => (zone.to_owned(), name),
        None => (zone_meant(turn, actor.who, "")?, name.text()),
    };
    zones::require_zone(turn, &zone)?;
    let declaration = require_declared(turn, &zone, name)?;
    let room = turn.workplace(actor.who);
    let mut subjects = Subjects::of_room(room, Some(actor.who));
    let named = |who: CharacterId| turn.world.characters[who].name.clone();
    let of = match (declaration.of, whom) {
        (VariableScope::Character, whom) => {
            let who = whom.map_or(Ok(actor.who), |whom| player_present(turn, whom.text()))?;
            subjects.target = Some(who);
            named(who)
        }
        (VariableScope::Creature, whom) => {
            let who = resolve::being_here(turn, actor.who, whom.map_or("", Words::text))?;
            subjects.creature = Some(who);
            named(who)
        }
        (VariableScope::Item, whom) => {
            let item_name = whom.map_or("", Words::bare);
            let carried = resolve::item_among(turn, turn.world.carried(actor.who), item_name);
            let item = carried.map_or_else(|| resolve::item_here(turn, room, item_name), Ok)?;
            subjects.item = Some(item);
            naming::the_item(turn, item)
        }
        (VariableScope::Room | VariableScope::Branch, _) => turn.world.rooms[room].sheet.name.clone(),
        (VariableScope::Zone, _) => zone.clone(),
    };
    Ok(NamedVariable { name: format!("{zone}/{name}"), declaration, subjects, of })
}

/// Returns a player's character that is in memory.
fn player_present(turn: &Turn, name: &str) -> Result<CharacterId, Refusal> {
    let who = resolve::player_named(turn, name)?;
    resolve::require_present(turn, who)?;
    Ok(who)
}

fn show(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<String, Refusal> {
    let NamedVariable { name, declaration, subjects, of } = meant(turn, actor, words)?;
    let value = variables::value(turn, subjects, &name).unwrap_or_else(|| declaration.default.clone());
    let value = value.to_string();
    let value = if value.is_empty() { "empty" } else { &value };
    Ok(format!("{name} of {of} is {value}. It is declared as {declaration}."))
}

fn set(turn: &mut Turn, actor: Actor, of: Words<'_>, value: &str) -> Result<(), Refusal> {
    let NamedVariable { name, subjects, of, .. } = meant(turn, actor, of)?;
    let zone = name.split_once('/').map_or("", |(zone, _)| zone).to_owned();
    zones::require_author(turn, actor.account, &zone)?;
    variables::set(turn, subjects, &name, value)
        .map_err(|reason| refuse!("{}.", grammar::capitalise(&reason.to_string())))?;
    let value = variables::value(turn, subjects, &name).map_or_else(String::new, |value| value.to_string());
    let value = if value.is_empty() { "empty" } else { &value };
    actor.answer(turn, format!("{name} of {of} is {value} now."))
}
