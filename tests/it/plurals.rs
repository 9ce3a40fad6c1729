//! Plurals of what builders make.

use crate::workshop::Workshop;

/// Regular plurals follow from the name, in rooms, in selections and for renamed creatures.
#[test]
fn things_that_builders_make_have_regular_plurals() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    for (name, several, some) in [
        ("bench", "Two benches lie here.", "benches"),
        ("sack of salt", "Two sacks of salt lie here.", "sacks"),
        ("berry", "Two berries lie here.", "berries"),
        ("toy", "Two toys lie here.", "toys"),
        ("box with a lid", "Two boxes with a lid lie here.", "boxes"),
        ("glass", "Two glasses lie here.", "glasses"),
    ] {
        let key = name.replace(' ', "_");
        let answer = table.types_all(
            "Olad",
            &[&format!("make item {key} = {name}"), &format!("spawn {key}"), &format!("spawn {key}"), "look"],
        );
        assert!(answer.contains(several), "{answer}");
        let answer = table.types("Olad", &format!("get 2 {some}"));
        assert!(!answer.contains("There is") && !table.types("Olad", "look").contains(several), "{answer}");
        let answer = table.types("Olad", &format!("drop 2 {some}"));
        assert!(table.types("Olad", "look").contains(several), "{answer}");
        table.types("Olad", &format!("get all {some}"));
    }
    table.types_all("Olad", &["make creature fox like rat = fox", "spawn fox", "spawn fox"]);
    assert!(table.types("Olad", "look").contains("Two foxes are here"), "{}", table.types("Olad", "look"));
    table.types_all("Olad", &["name fox = wolf pup;pup", "name fox = wolf pup;pup"]);
    assert!(
        table.types("Olad", "look pups").contains("yellow teeth"),
        "{}",
        table.types("Olad", "look pups")
    );
}

/// A plural that a definition has comes first.
#[test]
fn plural_of_a_definition_overrides_the_regular_one() {
    let mut shop = Workshop::open();
    let answer = shop.table.types_all(
        "Olad",
        &["make item loaf = loaf", "set item loaf plural = loaves", "spawn loaf", "spawn loaf", "look"],
    );
    assert!(answer.contains("Two loaves lie here."), "{answer}");
}
