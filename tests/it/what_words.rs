//! The words for what a building command is about mean the same in every command.

use crate::workshop::Workshop;

/// Forms of a room, with its name.
const ROOMS: [(&str, &str); 5] = [
    ("here", "Cell"),
    ("#NUMBER", "Far Hall"),
    ("keep/far_hall", "Far Hall"),
    ("Far Hall", "Far Hall"),
    ("farhall", "Far Hall"),
];

/// Kinds of definitions by each word, with a key.
const DEFINITIONS: [(&str, &str); 9] = [
    ("creature", "fox"),
    ("mob", "fox"),
    ("thing", "bell"),
    ("item", "bell"),
    ("object", "bell"),
    ("quest", "hunt"),
    ("dialogue", "talk"),
    ("help", "keep_rules"),
    ("theme", "keep_theme"),
];

/// Olad in a cell with an exit, a creature and an item, in a zone with another room.
fn keep() -> (Workshop, String) {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    table.types_all(
        "Olad",
        &[
            "zone new keep",
            "dig Cell = hatch, out",
            "hatch",
            "zone set keep",
            "dig Far Hall;farhall = east, west",
            "make creature fox like rat = fox",
            "make item bell = hand bell",
            "make quest hunt = Hunt",
            "make dialogue talk = a talk",
            "make help keep_rules = Rules of the keep",
            "make theme keep_theme like well = Keep",
            "spawn fox",
            "spawn bell",
        ],
    );
    let hall = table.world().rooms.iter().find(|(_, room)| room.sheet.name == "Far Hall").expect("a hall").0;
    (shop, format!("#{hall}"))
}

/// Each command takes each form of each kind of object that it can be about.
#[test]
fn words_for_objects_are_the_same_in_every_command() {
    let (mut shop, number) = keep();
    let table = &mut shop.table;
    let mut refused = Vec::new();
    let mut types = |line: String, expected: &[&str]| {
        let answer = table.types("Olad", &line);
        if !expected.iter().any(|phrase| answer.contains(phrase)) {
            refused.push(format!("{line}: {answer}"));
        }
    };
    let written = ["It is written.", "But "];
    for (form, name) in ROOMS.map(|(form, name)| (form.replace("#NUMBER", &number), name)) {
        types(format!("set {form}"), &[&format!("Settings of {name}")]);
        types(format!("set {form} environment = stone"), &["environment is stone now."]);
        types(format!("describe {form} = Bare stone."), &written);
        types(format!("name {form} = {name};farhall"), &[&format!("It is called {name} now.")]);
        types(format!("examine {form}"), &[&format!("{name}, room ")]);
        types(format!("journal {form}"), &["What was built"]);
        types(format!("trigger {form} say friend = tell Yes."), &["It is set: trigger say friend"]);
        types(format!("trigger {form} say friend as door = tell Yes."), &["It is called door."]);
        types(format!("trigger {form} say friend as door = none"), &["Nothing happens any more at door."]);
        types(format!("trigger {form} say friend = none"), &["Nothing happens any more at say friend."]);
    }
    for form in ["east", "e"] {
        types(format!("set {form}"), &["Settings of the exit east"]);
        types(format!("set {form} hidden = no"), &["hidden is no now."]);
        types(format!("describe {form} = A low way."), &written);
        types(format!("examine {form}"), &["Exit east, number "]);
        types(format!("journal {form}"), &["What was built"]);
        types(format!("trigger {form} open = tell Yes."), &["An exit has no triggers."]);
    }
    for form in ["fox", "the fox"] {
        types(format!("set {form}"), &["set creature fox lists the fields of its kind"]);
        types(format!("describe {form} = Red."), &written);
        types(format!("name {form} = fox"), &["It is called fox now."]);
        types(format!("examine {form}"), &["Red."]);
        types(format!("journal {form}"), &["What was built", "Nothing is written down"]);
        types(format!("trigger {form} greet = say Yip."), &["It is set: trigger greet"]);
        types(format!("trigger this {form} greet = none"), &["Nothing happens any more at greet"]);
    }
    types("trigger bell use = tell Ding.".to_owned(), &["It is set: trigger use"]);
    for (kind, key) in DEFINITIONS {
        let name = if key == "keep_rules" { "title" } else { "name" };
        types(format!("set {kind} {key}"), &["Fields of the "]);
        types(format!("set {kind} {key} {name} = {key}"), &[" is \"", "is "]);
        types(format!("name {kind} {key} = {key}"), &["name is ", "title is "]);
        types(format!("examine {kind} {key}"), &["To type it again:"]);
        types(format!("journal {kind} {key}"), &["What was built"]);
        types(format!("describe {kind} {key} = Plain words."), &["It is written.", "There is no text of a "]);
        types(
            format!("trigger {kind} {key} leave = tell Bye."),
            &["It is set", "has no triggers", "There is no event"],
        );
    }
    assert_eq!(refused, Vec::<String>::new());
    for (kind, key) in [
        ("thing", "bell"),
        ("quest", "hunt"),
        ("dialogue", "talk"),
        ("page", "keep_rules"),
        ("theme", "keep_theme"),
    ] {
        table.types("Olad", "destroy bell");
        let answer = table.types("Olad", &format!("destroy {kind} {key}"));
        assert!(answer.contains("There is no"), "{kind}: {answer}");
    }
    for form in ["fox", "east", &number] {
        let answer = table.types("Olad", &format!("destroy {form}"));
        assert!(!answer.contains("There is no"), "{form}: {answer}");
    }
}

/// Each field of each kind of definition is listed with its help, and its value if it is set.
#[test]
fn fields_of_definitions_are_listed_with_values_and_help() {
    let (mut shop, _) = keep();
    let answer = shop.table.types("Olad", "set item bell");
    for line in [
        "name: \"hand bell\" (text; required). Name for players",
        "weight: not set (number from 0 to 100000; default 0). Weight in hundredths of a kilogram.",
        "class: not set (one of `trinket`, ",
    ] {
        assert!(answer.contains(line), "{line}: {answer}");
    }
    for field in deepwell::catalog::DefinitionKind::Item.all_fields() {
        assert!(!field.table.is_empty() || answer.contains(&format!("\n{}: ", field.name)), "{}", field.name);
    }
    assert!(shop.table.types("Olad", "set item nothing").contains("There is no item nothing"));
    assert!(shop.table.types("Olad", "set script nothing").contains("A script is one text"));
}
