//! Variables of builders: named values that scripts read and change, of characters, creatures, rooms, branches and zones.
//! Zones declare them. A value that has been reset is not deleted: it counts as the default from then on.

use crate::access::draft_names;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{BranchId, CharacterId, ItemId, RoomId, RuleLimit};
use deepwell_core::catalog::script::variable::{ResetRule, VariableType};
use deepwell_core::catalog::{VariableDeclaration, VariableScope, VariableValue};
use deepwell_core::text::sanitise;
use deepwell_core::world::{Variable, VariableOwner};
use thiserror::Error;

/// Reason why a variable cannot be changed, without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum VariableProblem {
    #[error("no zone declares the variable {0}")]
    Undeclared(String),
    #[error("the variable {name} cannot be {value}: it has to be {fit}")]
    Unfit { name: String, value: String, fit: &'static str },
    #[error("the variable {0} is no number")]
    NoNumber(String),
    #[error("there is nothing here that the variable {0} can be of")]
    NoOwner(String),
    #[error("{0} variables of one object are set, as many as may be")]
    TooMany(u32),
}

/// Objects that a script is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Subjects {
    /// Room of the script.
    pub(crate) room: RoomId,
    /// Creature that owns the script, if one does.
    pub(crate) creature: Option<CharacterId>,
    /// Item that owns the script, if one does.
    pub(crate) item: Option<ItemId>,
    /// Character that triggered the script, if one did.
    pub(crate) target: Option<CharacterId>,
}

impl Subjects {
    /// Returns the subjects of a script of a room.
    pub(crate) const fn of_room(room: RoomId, target: Option<CharacterId>) -> Self {
        Self { room, creature: None, item: None, target }
    }
}

/// Returns the zone in which a room stands; empty in a branch.
pub(crate) fn zone_of(turn: &Turn, room: RoomId) -> &str {
    turn.world.rooms.get(room).filter(|row| row.branch.is_none()).map_or("", |row| &row.area)
}

/// Returns the name of a variable with its zone, which is that of the room unless the name says another.
pub(crate) fn full_name(turn: &Turn, room: RoomId, name: &str) -> String {
    if name.contains('/') { name.to_owned() } else { format!("{}/{name}", zone_of(turn, room)) }
}

/// Returns the declaration of a variable, by zone and name.
pub(crate) fn declaration<'t>(turn: &'t Turn, name: &str) -> Option<&'t VariableDeclaration> {
    let (zone, name) = name.split_once('/')?;
    turn.world.meta().zones.get(zone)?.variables.get(name)
}

/// Returns the names of all variables that a script in a room may use: those of its zone by their own name, the others
/// with their zone.
pub(crate) fn known_names(turn: &Turn, room: RoomId) -> Vec<String> {
    let own = zone_of(turn, room);
    let zones = turn.world.meta().zones.iter();
    let named = zones.flat_map(|(zone, row)| row.variables.keys().map(move |name| (zone, name)));
    named.map(|(zone, name)| if zone == own { name.clone() } else { format!("{zone}/{name}") }).collect()
}

/// Returns the object of a variable; `None` if the script has none of its kind.
fn owner(turn: &Turn, subjects: Subjects, of: VariableScope) -> Option<VariableOwner> {
    match of {
        VariableScope::Character => subjects.target.map(VariableOwner::Character),
        VariableScope::Creature => subjects.creature.map(VariableOwner::Character),
        VariableScope::Item => {
            // Items of a stack have no values of their own.
            let single = |item: &ItemId| {
                let stacks = prototypes::kind_of(turn, *item).is_none_or(|kind| kind.stacks);
                !stacks && turn.world.items.get(*item).is_some_and(|row| row.count == 1)
            };
            subjects.item.filter(single).map(VariableOwner::Item)
        }
        VariableScope::Room => Some(VariableOwner::Room(subjects.room)),
        VariableScope::Branch => turn.world.rooms.get(subjects.room)?.branch.map(VariableOwner::Branch),
        VariableScope::Zone => Some(VariableOwner::Zone),
    }
}

/// Returns the value of a variable, which is its default unless it is set; `None` if no zone declares it.
pub(crate) fn value(turn: &Turn, subjects: Subjects, name: &str) -> Option<VariableValue> {
    let name = full_name(turn, subjects.room, name);
    let declaration = declaration(turn, &name)?;
    let owner = owner(turn, subjects, declaration.of);
    let stored = owner.and_then(|owner| stored(turn, owner, &name));
    let current = stored.filter(|row| is_current(turn, declaration, row));
    Some(current.map_or_else(|| declaration.default.clone(), |row| row.value.clone()))
}

/// Returns the stored value of a variable. In a draft, a character has that of the published zone until it changes.
fn stored<'t>(turn: &'t Turn, owner: VariableOwner, name: &str) -> Option<&'t Variable> {
    turn.world.variables.find(owner, name).or_else(|| {
        let published =
            published_name(turn, name).filter(|_| matches!(owner, VariableOwner::Character(_)))?;
        turn.world.variables.find(owner, &published)
    })
}

/// Returns the name that a variable of a draft has in the published zone.
fn published_name(turn: &Turn, name: &str) -> Option<String> {
    let (draft, name) = name.split_once('/')?;
    let zone = draft_names::zone_of(turn, draft)?;
    Some(format!("{zone}/{name}"))
}

/// Returns `true` if a stored value has the declared type and has not been reset.
fn is_current(turn: &Turn, declaration: &VariableDeclaration, row: &Variable) -> bool {
    let is_kept = match declaration.reset {
        // A defeat removes the row.
        ResetRule::Never | ResetRule::Death => true,
        ResetRule::Daily => row.at.day() == turn.now.day(),
        ResetRule::Weekly => row.at.week() == turn.now.week(),
        ResetRule::Branch => row.branch == branch_of(turn, row.owner),
    };
    is_kept && row.value.kind() == declaration.default.kind()
}

/// Returns the branch of which a character is a member.
fn branch_of(turn: &Turn, owner: VariableOwner) -> Option<BranchId> {
    match owner {
        VariableOwner::Character(who) => turn.world.characters.get(who)?.branch,
        VariableOwner::Zone | VariableOwner::Item(_) | VariableOwner::Room(_) | VariableOwner::Branch(_) => {
            None
        }
    }
}

/// Sets a variable to a typed value.
///
/// # Errors
/// If it is not declared, has no object here, cannot have the value, or its object has too many.
pub(crate) fn set(
    turn: &mut Turn,
    subjects: Subjects,
    name: &str,
    typed: &str,
) -> Result<(), VariableProblem> {
    let name = full_name(turn, subjects.room, name);
    let kind = declared(turn, &name)?.default.kind();
    let value = kind.parse(typed).map_err(|fit| {
        let value = typed.trim().to_owned();
        VariableProblem::Unfit { name: name.clone(), value, fit }
    })?;
    store(turn, subjects, &name, value)
}

/// Adds an amount to a variable. Sums beyond the largest number are that number.
///
/// # Errors
/// Those of [`set`], and for a variable that is no number.
pub(crate) fn add(
    turn: &mut Turn,
    subjects: Subjects,
    name: &str,
    amount: i64,
) -> Result<(), VariableProblem> {
    let name = full_name(turn, subjects.room, name);
    declared(turn, &name)?;
    let Some(VariableValue::Number(number)) = value(turn, subjects, &name) else {
        return Err(VariableProblem::NoNumber(name));
    };
    let most = VariableValue::NUMBER_MAX;
    let sum = number.saturating_add(amount).clamp(-most, most);
    store(turn, subjects, &name, VariableValue::Number(sum))
}

/// Resets a variable to its default.
///
/// # Errors
/// If it is not declared or has no object here.
pub(crate) fn clear(turn: &mut Turn, subjects: Subjects, name: &str) -> Result<(), VariableProblem> {
    let name = full_name(turn, subjects.room, name);
    let default = declared(turn, &name)?.default.clone();
    store(turn, subjects, &name, default)
}

fn declared<'t>(turn: &'t Turn, name: &str) -> Result<&'t VariableDeclaration, VariableProblem> {
    declaration(turn, name).ok_or_else(|| VariableProblem::Undeclared(name.to_owned()))
}

fn store(
    turn: &mut Turn,
    subjects: Subjects,
    name: &str,
    value: VariableValue,
) -> Result<(), VariableProblem> {
    let declaration = declared(turn, name)?;
    let no_owner = || VariableProblem::NoOwner(name.to_owned());
    let owner = owner(turn, subjects, declaration.of).ok_or_else(no_owner)?;
    let value = match value {
        VariableValue::Text(text) => VariableValue::Text(shortened(&text, turn.config.limits.variable_bytes)),
        value => value,
    };
    let overrides =
        published_name(turn, name).is_some_and(|name| turn.world.variables.find(owner, &name).is_some());
    if value == declaration.default && !overrides {
        turn.world.variables.remove_named(owner, name);
        return Ok(());
    }
    let stored = turn.world.variables.find(owner, name);
    if stored.is_some_and(|row| row.value == value && is_current(turn, declaration, row)) {
        return Ok(());
    }
    if stored.is_none() {
        make_space(turn, owner)?;
    }
    let (now, branch) = (turn.now, branch_of(turn, owner));
    turn.world.set_variable(owner, name, value, now, branch);
    Ok(())
}

/// Returns a text as one clean line of at most so many bytes.
fn shortened(text: &str, bytes_max: u32) -> String {
    let clean = sanitise::clean_line(text, usize::MAX);
    let end = (0..=clean.len().min(bytes_max as usize)).rev().find(|end| clean.is_char_boundary(*end));
    clean[..end.unwrap_or_default()].to_owned()
}

/// Requires space for another value of an object. Values of variables that are no longer declared make space.
fn make_space(turn: &mut Turn, owner: VariableOwner) -> Result<(), VariableProblem> {
    let most = turn.config.limits.variables_per_object;
    if turn.world.variables.of(owner).count() < most as usize {
        return Ok(());
    }
    let gone = turn.world.variables.of(owner).filter(|row| declaration(turn, &row.name).is_none());
    let gone: Vec<String> = gone.map(|row| row.name.clone()).collect();
    for name in &gone {
        turn.world.variables.remove_named(owner, name);
    }
    if !gone.is_empty() {
        return Ok(());
    }
    turn.outbox.count_limit(RuleLimit::VariablesPerObject);
    Err(VariableProblem::TooMany(most))
}

/// Resets the variables of a defeated character whose declaration says so.
pub(crate) fn reset_at_death(turn: &mut Turn, who: CharacterId) {
    let owner = VariableOwner::Character(who);
    let is_reset = |name: &str| declaration(turn, name).is_some_and(|row| row.reset == ResetRule::Death);
    let gone = turn.world.variables.of(owner).filter(|row| is_reset(&row.name));
    let gone: Vec<String> = gone.map(|row| row.name.clone()).collect();
    for name in gone {
        turn.world.variables.remove_named(owner, &name);
    }
}

/// Returns the current values of a character that differ from their defaults, by zone and name.
pub(crate) fn values_of(turn: &Turn, who: CharacterId) -> Vec<(&str, &VariableValue)> {
    let rows = turn.world.variables.of(VariableOwner::Character(who));
    let current = rows.filter(|row| {
        declaration(turn, &row.name).is_some_and(|declaration| is_current(turn, declaration, row))
    });
    current.map(|row| (row.name.as_str(), &row.value)).collect()
}

/// Returns the type of a variable as a script in a room names it; `None` if no zone declares it.
pub(crate) fn kind_of(turn: &Turn, room: RoomId, name: &str) -> Option<VariableType> {
    declaration(turn, &full_name(turn, room, name)).map(|declaration| declaration.default.kind())
}
