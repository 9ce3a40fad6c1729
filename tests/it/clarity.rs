//! Texts that players misread, and actions they could not do, in trials: wares before they are bought, names that
//! carried things hide, fights that creatures only watch, players nearby to whom no way is known, abilities that
//! become ready, and traders below.

use crate::abilities::learn_all_abilities;
use crate::arena::{arena, enemy, more_orcs};
use crate::explorer::olad_finds;
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::Span;
use deepwell::catalog::Behaviour;
use deepwell::world::RoomKind;
use std::collections::BTreeSet;

/// Every ware of the shipped shop can be looked at, compared and bought by its name from any of its words on.
#[test]
fn wares_are_found_by_any_end_of_their_name() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.types("Olad", "west");
    let stock = table.room("Olad").stock.to_vec();
    let names = stock.iter().map(|key| CATALOG.items[key].name.clone());
    let ends: Vec<String> = names
        .flat_map(|name| {
            let starts = std::iter::once(0).chain(name.match_indices(' ').map(|(at, _)| at + 1));
            starts.map(|at| name[at..].to_owned()).collect::<Vec<_>>()
        })
        .collect();
    for typed in &ends {
        let seen = table.types("Olad", &format!("look {typed}"));
        assert!(seen.contains("For sale here: "), "look {typed}: {seen}");
        let compared = table.types("Olad", &format!("compare {typed}"));
        assert!(!compared.contains("There is no"), "compare {typed}: {compared}");
    }
    assert!(table.types("Olad", "compare dagger").contains("attack"));
    assert!(
        table.types("Olad", "look lamp oil").contains("flask")
            || CATALOG.items["lamp_oil"].name != "flask of lamp oil"
    );
}

/// For each noun of the details around: a carried thing that only has it before its own noun does not hide it, and is seen by
/// its own noun and by `my`.
#[test]
fn carried_things_do_not_hide_what_the_room_names() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.make_owner("Olad");
    table.types("Olad", "north");
    let details = table.room("Olad").sheet.details.clone();
    let nouns: Vec<String> =
        details.keys().flat_map(|nouns| nouns.split(',')).map(|noun| noun.trim().to_owned()).collect();
    let before: Vec<String> = nouns.iter().map(|noun| table.types("Olad", &format!("look {noun}"))).collect();
    for (noun, seen) in nouns.iter().zip(before) {
        let key = format!("charm_{}", noun.replace(' ', "_"));
        table.types_all(
            "Olad",
            &[
                &format!("make item {key} = {noun} charm"),
                &format!("set item {key} description = It is only a charm."),
                &format!("spawn {key}"),
                &format!("get {noun} charm"),
            ],
        );
        assert_eq!(table.types("Olad", &format!("look {noun}")), seen, "{noun}");
        for line in [format!("look {noun} charm"), format!("look my {noun}")] {
            let answer = table.types("Olad", &line);
            assert!(answer.contains("It is only a charm."), "{line}: {answer}");
        }
    }
}

/// `consider` counts another orc in the room exactly if its kind attacks players or joins the fight of its pack.
#[test]
fn consider_counts_creatures_that_would_join() {
    let mut table = arena();
    more_orcs(&mut table, 1);
    let first = enemy(&table);
    // Kinds that stay where they are and do not attack on sight.
    let stays = |part: &Behaviour| matches!(part.name(), "guard" | "pack");
    let kinds: BTreeSet<(bool, String)> = CATALOG
        .creatures
        .values()
        .filter(|creature| creature.guards() && creature.behaviours.iter().all(stays))
        .map(|creature| {
            let joins = |part: &Behaviour| matches!(part, Behaviour::Attack { .. } | Behaviour::Pack { .. });
            (creature.behaviours.iter().any(joins), creature.key.clone())
        })
        .collect();
    for joins in [false, true] {
        for (_, key) in kinds.iter().filter(|(other, _)| *other == joins).take(4) {
            let room = table.body("Olad").room;
            table.edit_stored(|stored| {
                for body in stored
                    .characters
                    .values_mut()
                    .filter(|body| body.prototype.is_some() && body.room == room)
                {
                    (body.prototype, body.target) = (Some(key.clone()), None);
                }
                stored.characters.values_mut().for_each(|body| body.target = None);
            });
            let answer = table.types("Olad", "consider orc");
            let fights = table.world().characters.iter().any(|(_, body)| body.target.is_some());
            assert!(fights || answer.contains("fights beside one other") == joins, "{key}: {answer}");
        }
    }
    assert!(table.world().characters.get(first).is_some());
}

/// A player is told when an ability is ready again, once, and not before.
#[test]
fn ability_that_is_ready_again_is_announced() {
    let mut table = arena();
    learn_all_abilities(&mut table, "Olad");
    table.becomes("Olad", 9_999, 1);
    table.types_all("Olad", &["kill orc", "brace"]);
    let rounds = i64::from(CATALOG.abilities["brace"].rest_rounds);
    table.hears("Olad");
    table.waits(Span::secs(3 * rounds - 1));
    let early = table.hears("Olad");
    assert!(!early.contains("You can brace again."), "{early}");
    table.waits(Span::secs(5));
    let text = table.hears("Olad");
    assert_eq!(text.matches("You can brace again.").count(), 1, "{text}");
}

/// Traders in branches answer `talk`, by the noun of the room's text as well.
#[test]
fn traders_below_answer() {
    let mut table = olad_finds("a trader", |_, room| room.sheet.kind == RoomKind::Merchant);
    for line in ["talk", "talk trader", "ask merchant about prices"] {
        let answer = table.types("Olad", line);
        assert!(answer.contains(" says: "), "{line}: {answer}");
    }
    let text = table.types("Olad", "look");
    for noun in ["peddler", "tinker", "woman", "man", "boy", "dwarf", "goblin"] {
        let is_told = text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| word == noun);
        let answer = table.types("Olad", &format!("talk {noun}"));
        assert!(!is_told || answer.contains(" says: "), "{noun}: {answer}");
    }
}

/// If one player is near another, both are told so, also if only one of them knows the way.
#[test]
fn where_is_mutual() {
    let mut table = Table::new(seeded(1));
    for name in ["Olad", "Bera"] {
        table.sit(name);
        table.types_all(name, &["down", "east"]);
    }
    for line in ["north", "east", "south", "west"] {
        table.types("Olad", line);
        if table.branch_of("Olad").is_none() {
            table.types("Olad", "east");
        }
        let [olad, bera] = [("Olad", "Bera"), ("Bera", "Olad")]
            .map(|(name, other)| table.types(name, "where").lines().any(|row| row.starts_with(other)));
        assert_eq!(olad, bera, "after {line}");
    }
}
