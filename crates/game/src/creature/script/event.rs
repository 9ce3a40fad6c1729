//! Argument of a script function: what a script may know, as plain values. Lists of what a room holds are cut at
//! `limits.script_scene`, so that the cost of a call does not grow with the room.

use crate::access::permissions;
use crate::character::variables::Subjects;
use crate::character::{quests, variables};
use crate::exit::doors;
use crate::turn::{Turn, time_of_day};
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::VariableValue;
use deepwell_core::script::Value;
use deepwell_core::world::Character;
use std::collections::BTreeMap;

/// Context of a script call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScriptContext<'w> {
    /// Room of the call, owner of the trigger, and the character that set it off.
    pub(crate) subjects: Subjects,
    /// Words the player said, or the item used or looked at.
    pub(crate) words: &'w str,
}

/// Entries of the table of a script.
type TableEntries = Vec<(&'static str, Value)>;

/// Builds the table that is passed to a function of a script.
pub(in crate::creature) fn event(turn: &Turn, script: &str, asked: ScriptContext<'_>) -> Value {
    let Subjects { room: id, creature, item, target } = asked.subjects;
    let room = &turn.world.rooms[id];
    let state = room.script_states.get(script).cloned();
    let counted = room.counters.iter().map(|(what, count)| (what.as_str(), Value::Number((*count).into())));
    let mut event: TableEntries = vec![
        ("words", Value::text(asked.words)),
        ("room", Value::text(&room.sheet.name)),
        ("room_number", Value::Number(id.0.into())),
        ("state", state.unwrap_or_else(|| Value::table::<&str>([]))),
        ("counts", Value::table(counted)),
        ("vars", Value::table(variables_for(turn, asked.subjects))),
        ("exits", exits(turn, asked.subjects)),
        ("time", time(turn, target)),
    ];
    event.extend(occupants(turn, asked.subjects));
    if let Some(body) = creature.and_then(|creature| turn.world.characters.get(creature)) {
        event.push(("creature", being(body)));
    }
    if let Some(item) = item.and_then(|item| turn.world.items.get(item)) {
        event.push(("item", Value::text(&item.prototype)));
    }
    if let Some(who) = target {
        event.extend(of_target(turn, who));
    }
    Value::table(event)
}

/// Returns the entries about the target.
fn of_target(turn: &Turn, who: CharacterId) -> TableEntries {
    let body = &turn.world.characters[who];
    let items = || turn.world.carried(who).iter().map(|item| &turn.world.items[*item]);
    let yes = |item: &deepwell_core::world::Item| (item.prototype.clone(), Value::Truth(true));
    let account = turn.world.account_of(who);
    let party = turn.world.parties.of(who).and_then(|party| turn.world.parties.get(party));
    vec![
        ("who", Value::text(&body.name)),
        ("number", Value::Number(i64::try_from(who.0).unwrap_or(i64::MAX))),
        ("carries", Value::table(items().map(yes))),
        ("wears", Value::table(items().filter(|item| item.worn.is_some()).map(yes))),
        ("level", Value::Number(body.level.into())),
        ("party", number(party.map_or(1, |party| party.members.len()))),
        ("staff", Value::Truth(account.is_some_and(|account| permissions::is_staff(turn, account)))),
        ("quests", quests_of(turn, who)),
    ]
}

fn number(count: usize) -> Value {
    Value::Number(i64::try_from(count).unwrap_or(i64::MAX))
}

/// Returns the quests that a player has begun once, by key.
fn quests_of(turn: &Turn, who: CharacterId) -> Value {
    let body = &turn.world.characters[who];
    let most = turn.config.limits.script_scene as usize;
    let begun = body.quests.iter().filter_map(|(key, row)| Some((key, row, turn.catalog.quests.get(key)?)));
    Value::table(begun.take(most).map(|(key, row, quest)| {
        let done = quest.steps.iter().filter(|step| row.counts.get(&step.key) >= Some(&step.count));
        let state = [
            ("open", Value::Truth(quests::is_open(turn, who, quest))),
            ("active", Value::Truth(quests::is_active(turn, who, key))),
            ("done", Value::Truth(row.times > 0)),
            ("steps", Value::table(done.map(|step| (step.key.clone(), Value::Truth(true))))),
        ];
        (key.clone(), Value::table(state))
    }))
}

/// Returns the variables that a script can read: those of the zone by name, and those of the target by zone and name.
fn variables_for(turn: &Turn, subjects: Subjects) -> Vec<(String, Value)> {
    let plain = |value: VariableValue| match value {
        VariableValue::Number(number) => Value::Number(number),
        VariableValue::Flag(yes) => Value::Truth(yes),
        VariableValue::Text(text) => Value::text(&text),
    };
    let of_target = subjects.target.map(|who| variables::values_of(turn, who)).unwrap_or_default();
    let of_target = of_target.into_iter().map(|(name, value)| (name.to_owned(), plain(value.clone())));
    let zone = turn.world.meta().zones.get(variables::zone_of(turn, subjects.room));
    let names = zone.into_iter().flat_map(|zone| zone.variables.keys());
    let own = names.filter_map(|name| Some((name.clone(), plain(variables::value(turn, subjects, name)?))));
    of_target.chain(own).collect()
}

/// Returns a creature as key and name.
fn being(body: &Character) -> Value {
    let key = body.prototype.as_deref().unwrap_or_default();
    Value::table([("key", Value::text(key)), ("name", Value::text(&body.name))])
}

/// Returns the people, the creatures and the items in the room.
fn occupants(turn: &Turn, subjects: Subjects) -> TableEntries {
    let most = turn.config.limits.script_scene as usize;
    let bodies = || turn.world.occupants(subjects.room).iter().map(|who| &turn.world.characters[*who]);
    let people = bodies().filter(|body| body.is_player()).take(most).map(|body| Value::text(&body.name));
    let creatures = bodies().filter(|body| !body.is_player()).take(most).map(being);
    let mut items: BTreeMap<&str, i64> = BTreeMap::new();
    for item in turn.world.ground(subjects.room).iter().take(most).map(|item| &turn.world.items[*item]) {
        *items.entry(&item.prototype).or_default() += i64::from(item.count);
    }
    let items = items.into_iter().map(|(key, count)| (key, Value::Number(count)));
    vec![
        ("people", Value::List(people.collect())),
        ("creatures", Value::List(creatures.collect())),
        ("items", Value::table(items)),
    ]
}

/// Returns the exits of the room by name, each `open` or `closed`.
fn exits(turn: &Turn, subjects: Subjects) -> Value {
    let most = turn.config.limits.script_scene as usize;
    let exits = turn.world.exits.of(subjects.room).take(most);
    Value::table(exits.map(|exit| {
        let state = if doors::may_pass(exit).is_ok() { "open" } else { "closed" };
        (exit.name.clone(), Value::text(state))
    }))
}

/// Returns the time of the town for the target.
fn time(turn: &Turn, target: Option<CharacterId>) -> Value {
    let now = time_of_day::time_for(turn, target);
    let (part, day, year) = time_of_day::parts(now);
    Value::table([
        ("part", Value::text(part)),
        ("day", Value::Number(day)),
        ("year", Value::Number(year)),
        ("night", Value::Truth(time_of_day::is_night(now))),
    ])
}
