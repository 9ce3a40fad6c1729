//! Random commands of builders, undone and redone in order and in any order.

use crate::table::Table;
use crate::undo::{assert_same, builders, built_state};
use deepwell::base::{Dice, Rng, Seed};

/// Returns a random command; dug rooms are addressed by id.
fn any_command(dice: &mut Rng, table: &Table) -> String {
    let rooms: Vec<_> =
        table.world().rooms.iter().filter(|(_, room)| room.branch.is_none()).map(|(id, _)| id).collect();
    let room = dice.pick(&rooms).copied().expect("a room");
    let way = dice.pick(&["north", "east", "up", "gate", "chute", "hatch"]).copied().unwrap_or_default();
    let other = dice.pick(&["south", "west", "down", "out", "back"]).copied().unwrap_or_default();
    let word = dice.pick(&["oak", "reed", "clay", "salt"]).copied().unwrap_or_default();
    match dice.up_to(26) {
        0 | 1 => format!("goto #{room}"),
        2 | 3 => format!("dig {word} room;{word} = {way}, {other}"),
        4 => format!("dig {word} pit:start = {way}, {other}"),
        5 => format!(
            "tunnel {} = {word} hall",
            dice.pick(&["north", "east", "up"]).copied().unwrap_or_default()
        ),
        6 => format!("open {way} = #{room}"),
        7 => format!("open {}:branch", dice.pick(&["north", "east"]).copied().unwrap_or_default()),
        8 => format!("link {way} = #{room}"),
        9 => format!("destroy {way}"),
        10 => format!("destroy #{room}"),
        11 => format!("name here = {word} place;{word}"),
        12 => format!("name {way} = {other}"),
        13 => format!("describe #{room} = {word}.\\n{word}!"),
        14 => format!("describe {way} = {word}."),
        15 => format!("set here environment = {word}"),
        16 => format!("set {way} door = {word} door"),
        17 => format!("set {way} key = rye loaf"),
        18 => format!("detail {word} = It is {word}."),
        19 => format!("undetail {word}"),
        20 => format!("tag here = {word}"),
        21 => format!(
            "spawn {} = {}",
            dice.pick(&["rat", "rye loaf"]).copied().unwrap_or_default(),
            dice.up_to(2)
        ),
        22 => "shop here = rye_loaf, torch_stub".into(),
        23 => format!("trigger say {word} = tell {word}."),
        24 => format!("set here reset_interval = {}", 60 + dice.up_to(60)),
        25 => format!("zone new {word}"),
        _ => format!("zone set {word}"),
    }
}

/// For random commands: undoing all restores the initial state, and redoing all the final state.
#[test]
fn random_commands_are_undone_and_redone_exactly() {
    for seed in 0..40 {
        let mut dice = Seed(seed).named("builders").rng();
        let mut table = builders();
        table.checks_every(10);
        let was = built_state(&table);
        let mut typed = Vec::new();
        for _ in 0..60 {
            let line = any_command(&mut dice, &table);
            table.types("Olad", &line);
            typed.push(line);
            if dice.percent(10) {
                table.types("Olad", "undo");
                if dice.percent(50) {
                    table.types("Olad", "redo");
                }
            }
            if dice.percent(3) {
                table.restart();
            }
        }
        let is = built_state(&table);
        let what = |text: &str| format!("seed {seed}, {text}: {typed:#?}");
        let mut undone = 0;
        loop {
            let answer = table.types("Olad", "undo");
            if answer.contains("nothing of yours to take back") {
                break;
            }
            assert!(answer.contains("You take back: "), "{}", what(&answer));
            undone += 1;
        }
        assert!(undone > 10, "{}", what("few"));
        assert_same(&built_state(&table), &was, &what("undone"));
        table.restart();
        for _ in 0..undone {
            let answer = table.types("Olad", "redo");
            assert!(answer.contains("You do again: "), "{}", what(&answer));
        }
        assert_same(&built_state(&table), &is, &what("redone"));
        assert_eq!(table.game().check(), Vec::<String>::new());
    }
}

/// Entries are undone and redone by number in any order, between commands that change the same rooms and things; what
/// the entries keep stays consistent.
#[test]
fn entries_are_undone_in_any_order() {
    for seed in (0..40).chain([104, 283]) {
        let mut dice = Seed(seed).named("hasty builders").rng();
        let mut table = builders();
        table.types("Olad", "dig Shed = shed, out");
        table.types("Olad", "shed");
        for _ in 0..80 {
            let entries: Vec<_> = table.world().journal.iter().map(|(id, _)| id).collect();
            let entry = dice.pick(&entries).copied().expect("an entry");
            let item = dice.pick(&["sack", "loaf", "lamp"]).copied().unwrap_or_default();
            let line = match dice.up_to(12) {
                0 => format!("undo {entry}"),
                1 => format!("redo {entry}"),
                2 => "undo".to_owned(),
                3 => "redo".to_owned(),
                4 => format!(
                    "spawn {}",
                    dice.pick(&["rye loaf", "cloth sack", "rat"]).copied().unwrap_or_default()
                ),
                5 => format!("destroy {item}"),
                6 => format!("get {item}"),
                7 => format!("drop {item}"),
                8 => format!("put {item} in sack"),
                9 => format!("get {item} from sack"),
                10 => "shed".to_owned(),
                _ => any_command(&mut dice, &table),
            };
            table.types("Olad", &line);
        }
    }
}
