//! Conditions of scripts and spawn points, checked against the world.

use crate::access::permissions;
use crate::character::variables::Subjects;
use crate::character::{quests, variables};
use crate::item::money;
use crate::turn::{Turn, time_of_day};
use deepwell_core::base::{CharacterId, Dice, ItemId, RoomId};
use deepwell_core::catalog::ItemClass;
use deepwell_core::catalog::script::{ComparedValue, Condition, ExpectedResult, Test};
use std::collections::BTreeSet;

/// Returns `true` if a condition of a script holds. Tests of a target fail without one.
pub(crate) fn holds(turn: &mut Turn, condition: &Condition, subjects: Subjects) -> bool {
    condition.any.iter().any(|all| {
        all.iter().all(|(expected, test)| {
            let is_so = match test {
                Test::Chance(percent) => turn.dice.roam.percent(*percent),
                test => is_so(turn, test, subjects, None),
            };
            is_so == (*expected == ExpectedResult::Yes)
        })
    })
}

/// Returns `true` if a condition of a spawn point holds. `visited` are the zones with an awake player.
pub(crate) fn holds_for_spawn(
    turn: &Turn,
    condition: &Condition,
    room: RoomId,
    visited: &BTreeSet<String>,
) -> bool {
    let subjects = Subjects::of_room(room, None);
    condition.any.iter().any(|all| {
        let holds = |(expected, test): &(ExpectedResult, Test)| {
            is_so(turn, test, subjects, Some(visited)) == (*expected == ExpectedResult::Yes)
        };
        all.iter().all(holds)
    })
}

fn is_so(turn: &Turn, test: &Test, subjects: Subjects, visited: Option<&BTreeSet<String>>) -> bool {
    let Subjects { room, target, .. } = subjects;
    match test {
        Test::Has(count, key) => target.is_some_and(|who| has(turn, who, *count, key)),
        Test::Wears(key) => target.is_some_and(|who| wears(turn, who, key)),
        Test::Count(what, least) => {
            turn.world.rooms[room].counters.get(what).copied().unwrap_or_default() >= *least
        }
        Test::Variable(name, ComparedValue(comparison, typed)) => {
            let value = variables::value(turn, subjects, name);
            value.is_some_and(|value| value.compares(*comparison, typed))
        }
        Test::Level(least) => target.is_some_and(|who| turn.world.characters[who].level >= *least),
        Test::Party(least) => target.is_some_and(|who| {
            let party = turn.world.parties.of(who).and_then(|party| turn.world.parties.get(party));
            party.map_or(1, |party| party.members.len()) >= *least as usize
        }),
        Test::Quest(key, state) => target.is_some_and(|who| quests::is_in(turn, who, key, state)),
        Test::Here(key) => {
            let is_meant = |who: &CharacterId| turn.world.characters[*who].prototype.as_ref() == Some(key);
            turn.world.occupants(room).iter().any(is_meant)
        }
        Test::Chance(_) => false,
        Test::Clear => turn.world.occupants(room).iter().all(|who| turn.world.characters[*who].is_player()),
        Test::Staff => {
            let account = target.and_then(|who| turn.world.account_of(who));
            account.is_some_and(|account| permissions::is_staff(turn, account))
        }
        Test::Night => time_of_day::is_night(time_of_day::time_for(turn, target)),
        Test::Players => {
            let zone = &turn.world.rooms[room].area;
            if let Some(visited) = visited {
                return visited.contains(zone);
            }
            let is_there = |who: CharacterId| {
                let around = &turn.world.rooms[turn.world.characters[who].room];
                around.branch.is_none() && around.area == *zone
            };
            turn.world.awake_players().any(is_there)
        }
        Test::FirstVisit => target.is_some_and(|who| !turn.world.characters[who].visited.contains(&room)),
        Test::Seen => turn.world.occupants(room).iter().any(|who| turn.world.characters[*who].is_player()),
    }
}

/// Returns `true` if a character carries so many empty items of a kind, or for a coin has so much money.
fn has(turn: &Turn, who: CharacterId, count: u32, key: &str) -> bool {
    match coin_worth(turn, key) {
        Some(worth) => money::afford(turn, who, worth * i64::from(count)).is_ok(),
        None => count_carried(turn, who, key) >= count,
    }
}

/// Returns the number of empty items of a kind that a character carries.
pub(crate) fn count_carried(turn: &Turn, who: CharacterId, key: &str) -> u32 {
    carried(turn, who, key).map(|item| turn.world.items[item].count).sum()
}

fn wears(turn: &Turn, who: CharacterId, key: &str) -> bool {
    let is_worn = |item: &ItemId| {
        let row = &turn.world.items[*item];
        row.prototype == key && row.worn.is_some()
    };
    turn.world.carried(who).iter().any(is_worn)
}

/// Returns the empty items of a kind that a character carries.
pub(in crate::creature) fn carried(turn: &Turn, who: CharacterId, key: &str) -> impl Iterator<Item = ItemId> {
    let is_meant = move |item: &ItemId| {
        turn.world.items[*item].prototype == key && turn.world.contents(*item).is_empty()
    };
    turn.world.carried(who).iter().copied().filter(is_meant)
}

/// Returns the value of a coin in coppers, or `None` if the key names no coin.
pub(in crate::creature) fn coin_worth(turn: &Turn, key: &str) -> Option<i64> {
    let coin = turn.catalog.items.get(key).filter(|item| item.class == ItemClass::Coin);
    coin.map(|coin| i64::from(coin.value))
}
