//! Commands for vaults: hand-built rooms as set pieces of branches.

use crate::access::audibility;
use crate::building::zones;
use crate::building::zones::vaults::{self, GatheredVault, gather, vault_named};
use crate::command::build::room::exits::building_site;
use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, FromWeb, run};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{Direction, Right};
use deepwell_core::catalog::vault::vault_text;
use deepwell_core::catalog::{RoomContent, Vault, VaultRoom};
use deepwell_core::level::{VaultRule, max_open_exits};
use deepwell_core::text::{Markup, Style, grammar};
use std::fmt::Write as _;
use std::sync::Arc;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "vault",
    right: Some(Right::Zones),
    aliases: &["vaults"],
    syntax: "vault VERB [NAME]",
    summary: "Makes rooms a set piece of branches. save NAME takes the rooms of this zone that one can walk to from here; ways that leave the zone are where one comes in, and so are the sides of this room named behind the name. allow NAME in LEVEL TYPE lets it come up there, in so many of 100 rooms, from a depth on, and so many times in a branch, which are numbers behind it; forbid NAME in LEVEL TYPE takes that back. list tells all, show NAME its file, export NAME writes that file, and drop NAME forgets it.",
    example: "vault save shed south makes the rooms around a vault that one enters from the south, and vault allow shed in cellars 10 3 2 lets it come up in 10 of 100 rooms from depth 3 on, twice in a branch at most.",
    missing: "vault and list, show, save, allow, forbid, export or drop, and a name",
    from_web: FromWeb::Refused,
    run: run!(vault),
    ..CommandSpec::BUILDER
}];

/// Default frequency and depth of a vault.
const USUAL: VaultRule =
    VaultRule { percent: 5, least_depth: 2, last_depth: None, least_difficulty: None, most: 1 };

/// Argument of `vault`.
enum VaultOrder {
    List,
    Show(String),
    Save(String, Vec<Direction>),
    Allow(String, String, VaultRule),
    Forbid(String, String),
    Export(String),
    Drop(String),
}

impl<'a> Argument<'a> for VaultOrder {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (verb, rest) = words.keyword();
        if matches!(verb.as_str(), "" | "list") {
            return Ok(Self::List);
        }
        let (name, behind) = rest.required()?.keyword();
        Ok(match verb.as_str() {
            "show" => Self::Show(name),
            "save" => Self::Save(name, sides(behind)?),
            "allow" => {
                let (level_type, rule) = rule(words, behind)?;
                Self::Allow(name, level_type, rule)
            }
            "forbid" => Self::Forbid(name, rule(words, behind)?.0),
            "export" => Self::Export(name),
            "drop" => Self::Drop(name),
            _ => return Err(words.missing()),
        })
    }
}

/// Parses the sides with an entrance.
fn sides(words: Words<'_>) -> Result<Vec<Direction>, Refusal> {
    let mut sides = Vec::new();
    for word in words.text().split_whitespace() {
        let side = Direction::parse(word).filter(|side| Direction::PLANE.contains(side));
        sides.push(side.ok_or_else(|| refuse!("{word} is no side. There are north, east, south and west."))?);
    }
    Ok(sides)
}

/// Parses `in LEVEL TYPE [PERCENT [DEPTH [MOST]]]`.
fn rule(all: Words<'_>, words: Words<'_>) -> Result<(String, VaultRule), Refusal> {
    let (first, behind) = words.keyword();
    let typed: Vec<&str> = behind.text().split_whitespace().collect();
    let numbers: Vec<u32> = typed.iter().rev().map_while(|word| word.parse().ok()).collect();
    let name = typed.get(..typed.len() - numbers.len()).unwrap_or_default().join(" ").to_lowercase();
    if first != "in" || name.is_empty() || numbers.len() > 3 {
        return Err(all.missing());
    }
    let mut numbers = numbers.into_iter().rev();
    let mut next = |usual: u32, most: u32| {
        numbers.next().map_or(Some(usual), |n| Some(n).filter(|n| (1..=most).contains(n)))
    };
    let percent = next(USUAL.percent, 100);
    let least_depth = next(USUAL.least_depth, 100_000);
    let most = next(USUAL.most, 1_000);
    let rule = percent.zip(least_depth).zip(most);
    let rule = rule.map(|((percent, least_depth), most)| VaultRule { percent, least_depth, most, ..USUAL });
    Ok((name, rule.ok_or_else(|| all.missing())?))
}

fn vault(turn: &mut Turn, actor: Actor, order: VaultOrder) -> Result<(), Refusal> {
    match order {
        VaultOrder::List => list(turn, actor),
        VaultOrder::Show(name) => show(turn, actor, &name),
        VaultOrder::Save(name, sides) => save(turn, actor, &name, &sides),
        VaultOrder::Allow(name, level_type, rule) => {
            let level_type = level_type_named(turn, &level_type)?;
            change(turn, actor, &name, |vault| {
                vault.level_types.retain(|(other, _)| *other != level_type);
                vault.level_types.push((level_type.clone(), rule));
                vault.level_types.sort_by(|one, other| one.0.cmp(&other.0));
                Ok(())
            })?;
            actor.answer(turn, format!("{name} comes up in {level_type} from now on."))
        }
        VaultOrder::Forbid(name, level_type) => {
            change(turn, actor, &name, |vault| {
                let before = vault.level_types.len();
                vault.level_types.retain(|(other, _)| *other != level_type);
                if before > vault.level_types.len() {
                    Ok(())
                } else {
                    Err(refuse!("{name} does not come up in {level_type}."))
                }
            })?;
            actor.answer(turn, format!("{name} comes up in {level_type} no longer."))
        }
        VaultOrder::Export(name) => zones::files::ask_to_write_vault(turn, actor.session, &name),
        VaultOrder::Drop(name) => {
            let (zone, _) = vault_named(turn, &name)?;
            zones::require_author(turn, actor.account, &zone)?;
            zones::change(turn, &zone, |row| {
                row.vaults.remove(&name);
                row.vault_files.remove(&name);
            });
            actor.answer(turn, format!("{name} is no vault any more. Branches keep what they have of it."))
        }
    }
}

/// Finds a level type by name, if its floors have room for vaults.
fn level_type_named(turn: &Turn, name: &str) -> Result<String, Refusal> {
    let mut fit = turn.catalog.level_types.iter().filter(|(_, kind)| kind.supports_vaults());
    if let Some((found, _)) = fit.clone().find(|(found, _)| found.to_lowercase() == name) {
        return Ok(found.clone());
    }
    let known: Vec<&str> = fit.by_ref().map(|(name, _)| name.as_str()).collect();
    Err(refuse!("There is no level type \"{name}\" with room for vaults. There are {}.", known.join(", ")))
}

/// Changes a vault created in the game.
fn change(
    turn: &mut Turn,
    actor: Actor,
    name: &str,
    change: impl FnOnce(&mut Vault) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let (zone, mut vault) = vault_named(turn, name)?;
    zones::require_author(turn, actor.account, &zone)?;
    change(Arc::make_mut(&mut vault))?;
    zones::change(turn, &zone, |row| _ = row.vaults.insert(name.to_owned(), vault));
    Ok(())
}

fn save(turn: &mut Turn, actor: Actor, name: &str, sides: &[Direction]) -> Result<(), Refusal> {
    zones::require_key(name)?;
    let here = building_site(turn, actor.who)?;
    let zone = turn.world.rooms[here].area.clone();
    if zone.is_empty() {
        return Err(refuse!(
            "These rooms belong to no zone. zone new NAME makes one, and zone set NAME lets a room belong to \
             it."
        ));
    }
    zones::require_author(turn, actor.account, &zone)?;
    let before = vault_named(turn, name).ok();
    let elsewhere = before.as_ref().is_some_and(|(other, _)| *other != zone);
    if elsewhere || turn.catalog.vaults.contains_key(name) {
        return Err(refuse!("{name} is taken already. vault list tells all there are."));
    }
    if before.is_none() {
        vaults::require_space(turn, 1)?;
    }
    let GatheredVault { mut vault, left_out } = gather(turn, here, sides)?;
    vault.level_types = before.map(|(_, vault)| vault.level_types.clone()).unwrap_or_default();
    let mut answer = format!("{name} is a vault now: {}.", about(&vault));
    if vault.level_types.is_empty() {
        let _ = write!(answer, " vault allow {name} in LEVEL TYPE lets it come up.");
    }
    if !left_out.is_empty() {
        let _ = write!(answer, " Left out: {}.", grammar::list(left_out));
    }
    zones::change(turn, &zone, |zone| _ = zone.vaults.insert(name.to_owned(), Arc::new(vault)));
    actor.answer(turn, answer)
}

/// Summarises a vault: the numbers of rooms and ends, if it may be turned, and the open exits of a branch that it uses
/// up.
fn about(vault: &Vault) -> String {
    let ends: usize = vault.rooms.iter().map(|room| room.ends.len()).sum();
    let turned = if vault.turns { "it may be turned" } else { "it lies as it was built" };
    let needs = vault.plots().len();
    let widest = (0..needs).filter_map(|first| {
        let mut plots = vault.plots();
        plots.swap(0, first);
        (!plots.first()?.ends.is_empty()).then(|| max_open_exits(&plots).saturating_sub(1))
    });
    let open = widest.max().unwrap_or(0).max(1);
    format!(
        "{}, {}; {turned}, and takes up to {} of a branch's open ways",
        grammar::counted(vault.rooms.len(), "room"),
        grammar::counted(ends, "end"),
        grammar::number(open)
    )
}

fn list(turn: &mut Turn, actor: Actor) -> Result<(), Refusal> {
    let mut page = Markup::styled(Style::Heading, "Vaults");
    for (name, vault) in turn.catalog.vaults.iter() {
        page.line(Style::Plain, &format!("{name}: {}, of the content", about(vault)));
    }
    for (zone, row) in &*turn.world.meta().zones {
        for (name, vault) in &row.vaults {
            let comes = grammar::list_or("nowhere yet", vault.level_types.iter().map(|(name, _)| name));
            page.line(
                Style::Plain,
                &format!("{name}: {}, of the zone {zone}; comes up: {comes}", about(vault)),
            );
        }
    }
    actor.answer(turn, page)
}

/// Describes a vault for screen readers, room by room.
fn in_words(vault: &Vault) -> Vec<String> {
    let sides = |sides: &[Direction]| grammar::list_or("none", sides.iter().map(|side| side.name()));
    let room = |room: &VaultRoom| {
        let VaultRoom { content, ways, ends, .. } = room;
        let RoomContent { name, description, creatures, items, .. } = content;
        let inside = match grammar::list(creatures.iter().chain(items)).as_str() {
            "" => String::new(),
            inside => format!(" In it: {inside}."),
        };
        format!("{name}. {description} Ways: {}. Ends: {}.{inside}", sides(ways), sides(ends))
    };
    vault.rooms.iter().map(room).collect()
}

fn show(turn: &mut Turn, actor: Actor, name: &str) -> Result<(), Refusal> {
    let vault = match turn.catalog.vaults.get(name) {
        Some(vault) => Arc::clone(vault),
        None => vault_named(turn, name)?.1,
    };
    let mut page = Markup::default();
    let lines = if audibility::uses_screen_reader(turn, actor.account) {
        in_words(&vault)
    } else {
        vault_text::write(&vault).lines().map(str::to_owned).collect()
    };
    for line in lines {
        page.line(Style::Plain, &line);
    }
    actor.answer(turn, page)
}
