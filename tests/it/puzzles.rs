//! Puzzles in play: gates in a branch, MyHero lost and won, previews by builders, invalid settings.

use crate::table::{CATALOG, Table, changed_content, seeded};
use deepwell::base::{Direction, Span};
use deepwell::catalog::{BUILTIN, Catalog, RoomKind};
use deepwell::game::Package;
use deepwell::world::{ExitState, PuzzleRun};
use serde_json::json;
use std::sync::Arc;

/// Worked example of the rules: only the order 2, 3, 1 wins.
const EXAMPLE: &str = r#"
[[puzzles]]
kind = "myhero"
char_power = 40
goal = "Complete MyHero puzzle"
[puzzles.params]
map = ["divide by 3, empty, enemy 14", "empty, enemy 33, empty", "enemy 42, enemy 12, enemy 37"]
"#;

/// Settings without `char_power`, which MyHero refuses.
const REFUSED: &str = "\n[[puzzles]]\nkind = \"myhero\"\ngoal = \"Complete MyHero puzzle\"\n";

/// Content where every room of a branch except the first has a puzzle.
fn content_of_puzzles(list: &str) -> Arc<Catalog> {
    let theme = BUILTIN.iter().find(|(path, _)| *path == "themes/well.toml").expect("the theme").1;
    let (theme, _) = theme.split_once("\n# Puzzles behind gates").expect("a list of puzzles");
    let theme = theme.replacen("lever_weight = 12", "lever_weight = 0", 1) + list;
    let theme = theme.replacen("kind = \"puzzle\"\nweight = 8", "kind = \"puzzle\"\nweight = 1000", 1);
    assert!(theme.contains("weight = 1000"), "puzzles come often");
    changed_content(&[("themes/well.toml", &theme)])
}

/// Players at the same gate.
fn before_a_gate(list: &str, names: &[&str]) -> Table {
    let content = content_of_puzzles(list);
    for seed in 0..100 {
        let mut table = Table::with_content(seeded(seed), &content);
        for name in names {
            table.sit(name);
            table.becomes(name, 9_999, 999);
        }
        for name in names {
            table.types_all(name, &["down", "north"]);
        }
        let onward: Vec<Direction> = table
            .world()
            .exits
            .of(table.body(names[0]).room)
            .filter(|exit| exit.state == ExitState::Unexplored)
            .filter_map(|exit| exit.direction)
            .collect();
        if !table.room(names[0]).clear {
            continue;
        }
        let Some(way) = onward.first() else { continue };
        for name in names {
            table.types(name, way.name());
        }
        if table.room(names[0]).sheet.kind == RoomKind::Puzzle {
            return table;
        }
    }
    panic!("no world has a gate in the second room");
}

fn run(table: &Table) -> &PuzzleRun {
    let mut runs = table.world().floors.iter().filter_map(|(_, floor)| floor.puzzle.as_deref());
    runs.next().expect("a puzzle")
}

/// Walks from the gallery into a section, numbered from the north, and back by its portal.
fn walk_section(table: &mut Table, who: &str, from: usize, to: usize) -> String {
    let way = if to > from { "south" } else { "north" };
    for _ in 0..from.abs_diff(to) * 2 {
        table.types(who, way);
    }
    (0..4).map(|_| table.types(who, "east")).collect::<Vec<_>>().join("\n")
}

/// The worked example: lost by taking the strongest section first, then won in the only winning order. The room outside
/// becomes clear only then.
#[test]
fn h4_h7_h8_h11_h13_h16_h18_my_hero_is_lost_and_won() {
    let mut table = before_a_gate(EXAMPLE, &["Olad"]);
    let gate = table.body("Olad").room;
    let onward = table.types("Olad", "look");
    assert!(onward.contains("go in and solve the puzzle"), "E32: {onward}");
    let read = table.types("Olad", "in");
    assert!(read.contains("Complete MyHero puzzle") && read.contains("you all share 40"), "H4: {read}");
    assert_eq!(run(&table).rooms.len(), 19, "H8: 17 rooms, the entrance and the finish");
    table.types("Olad", "east");
    assert_eq!(table.room("Olad").sheet.kind, RoomKind::Gallery);

    // The third section holds an enemy of 42.
    let read = table.types_all("Olad", &["south", "south", "east"]);
    assert!(read.contains("A might of 40 is not enough"), "H18: {read}");
    assert_eq!(run(&table).state.losses, 1);
    assert!(!table.world().rooms[gate].clear);

    table.types("Olad", "east");
    let before = table.types("Olad", "goal");
    assert!(before.contains("Left: five enemies") && before.contains("lost once"), "{before}");
    table.types("Olad", "east");
    assert_eq!(table.types("Olad", "west"), "The way back is closed.", "H7");
    for _ in 0..3 {
        table.types("Olad", "east");
    }
    assert_eq!(table.room("Olad").sheet.kind, RoomKind::Gallery, "H13: the portal leads back");
    assert_eq!(run(&table).state.might, Some(73), "H18");
    walk_section(&mut table, "Olad", 1, 2);
    assert_eq!(run(&table).state.might, Some(164), "H18");
    let read = walk_section(&mut table, "Olad", 2, 0);
    assert!(read.contains("go to the finish"), "{read}");
    assert_eq!(run(&table).state.might, Some(68), "H18");

    for _ in 0..4 {
        table.types("Olad", "south");
    }
    let finish = table.types("Olad", "west");
    assert!(finish.contains("The puzzle is solved."), "H16: {finish}");
    assert!(table.world().rooms[gate].clear, "E26");
    assert_eq!(table.world().ground(gate).len(), 2, "H18: a tier less");
}

/// The exit to the finish is locked, in text and map data, until the goal is met.
#[test]
fn h16_finish_is_locked_in_text_and_map_data() {
    let mut table = before_a_gate(EXAMPLE, &["Olad"]);
    table.types_all("Olad", &["in", "east"]);
    table.charts("Olad");
    for _ in 0..2 {
        table.types("Olad", "south");
    }
    let chart = table.charted("Olad").pop().expect("Room.Info");
    assert_eq!(chart.exitsv2["w"].state, "locked");
    assert!(chart.details.contains(&"puzzle".to_owned()));
    let refused = table.types("Olad", "west");
    assert!(refused.starts_with("You cannot go that way yet."), "{refused}");
    let map = table.types("Olad", "map");
    assert!(map.contains("E is a room with an enemy.") && map.contains("P is a portal."), "{map}");
}

/// Inside a puzzle a mapping client gets the whole board and the remaining contents of its rooms.
#[test]
fn puzzle_room_contents_are_sent_as_data() {
    let mut table = before_a_gate(EXAMPLE, &["Olad"]);
    table.wants("Olad", [Package::Map, Package::Board]);
    assert_eq!(table.news("Olad", "Room.Puzzle.List"), [json!([])], "nothing outside");
    table.types("Olad", "in");
    let news = table.all_news("Olad");
    let last =
        |package: &str| news.iter().rev().find(|(name, _)| name == package).expect("a message").1.clone();
    let (map, puzzles) = (last("Room.Map"), last("Room.Puzzle.List"));
    let rooms = map["rooms"].as_array().expect("a list");
    let enemies = |puzzles: &serde_json::Value| {
        let rooms = puzzles.as_array().expect("a list").iter();
        rooms.filter(|room| room["contents"][0]["kind"] == "enemy").count()
    };
    let all = puzzles.as_array().expect("a list");
    assert!(
        all.iter().all(|room| rooms.iter().any(|known| known["num"] == room["num"])),
        "every room is on the map"
    );
    assert_eq!(enemies(&puzzles), 5, "{puzzles}");
    let enemy = all.iter().find(|room| room["contents"][0]["kind"] == "enemy").expect("an enemy");
    let (name, power) = (&enemy["contents"][0]["name"], &enemy["contents"][0]["power"]);
    assert!(name.as_str().expect("words").ends_with(&format!("of power {power}")), "{enemy}");
    assert!(all.iter().any(|room| room["contents"][0]["kind"] == "portal"), "{puzzles}");
    table.types_all("Olad", &["east", "east", "east"]);
    let puzzles = table.news("Olad", "Room.Puzzle.List").pop().expect("a change");
    assert!(enemies(&puzzles) < 5, "a beaten enemy is gone: {puzzles}");
    table.types("Olad", "recall");
    assert_eq!(table.news("Olad", "Room.Puzzle.List").pop(), Some(json!([])), "nothing outside");
}

/// Players inside share one might, changed by either; GMCP and prompt show it only inside.
#[test]
fn h18_players_inside_share_one_might() {
    let mut table = before_a_gate(EXAMPLE, &["Olad", "Bera"]);
    table.gauges("Bera");
    assert_eq!(table.prompt("Bera").might, None);
    for name in ["Olad", "Bera"] {
        table.types_all(name, &["in", "east"]);
    }
    assert_eq!(table.prompt("Bera").might, Some(40));
    table.news("Bera", "Char.Vitals");
    table.types_all("Olad", &["east", "east"]);
    assert_eq!(table.prompt("Bera").might, Some(73), "the first mover acts for all");
    let vitals = table.news("Bera", "Char.Vitals");
    assert_eq!(vitals.last().expect("vitals")["might"], 73);
    table.types("Bera", "recall");
    let vitals = table.news("Bera", "Char.Vitals");
    assert!(vitals.last().expect("vitals").get("might").is_none(), "only inside");
}

#[test]
fn h18_d2_puzzle_state_survives_a_restart() {
    let mut table = before_a_gate(EXAMPLE, &["Olad"]);
    table.types_all("Olad", &["in", "east", "east", "east"]);
    let (room, state) = (table.body("Olad").room, run(&table).state.clone());
    table.restart();
    assert_eq!((table.body("Olad").room, &run(&table).state), (room, &state));
    table.types_all("Olad", &["east", "east"]);
    assert_eq!(table.room("Olad").sheet.kind, RoomKind::Gallery);
}

/// A puzzle with invalid settings becomes an ordinary clear room, and a warning is logged.
#[test]
fn h2_puzzle_with_invalid_settings_becomes_plain_room() {
    let content = content_of_puzzles(REFUSED);
    for seed in 0..40 {
        let mut table = Table::with_content(seeded(seed), &content);
        table.sit("Olad");
        table.make_owner("Olad");
        table.becomes("Olad", 9_999, 999);
        table.types_all("Olad", &["down", "north"]);
        let way = table
            .world()
            .exits
            .of(table.body("Olad").room)
            .find(|exit| exit.state == ExitState::Unexplored)
            .and_then(|exit| exit.direction);
        let Some(way) = way.filter(|_| table.room("Olad").clear) else { continue };
        table.types("Olad", way.name());
        let Some(warning) = table.warnings().first() else { continue };
        assert!(warning.contains("themes/well.toml:") && warning.contains("char_power"), "H2: {warning}");
        let room = table.room("Olad");
        assert!(room.clear && room.sheet.kind == RoomKind::Dungeon, "H2: {room:?}");
        assert!(table.exit("Olad", Direction::In).is_none());
        return;
    }
    panic!("no world had a puzzle to refuse");
}

/// Builders list puzzles and their parameters, build one next to a hand-built room, print its solution, and remove it.
#[test]
fn h3_h20_builders_preview_solve_and_close_puzzles() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.make_owner("Olad");
    assert!(table.types("Olad", "puzzle list").contains("myhero: "));
    let info = table.types("Olad", "puzzle info myhero");
    assert!(
        info.contains("finish, portal, one-way, might") && info.contains("Goals: kill_all"),
        "H3: {info}"
    );
    assert!(info.contains("size_x: 3 to 15, 5 if not given"), "H3: {info}");
    let refused = table.types("Olad", "puzzle info");
    assert!(refused.contains("puzzle info and the name"), "{refused}");
    assert!(table.types("Olad", "puzzle info chess").contains("There is no puzzle \"chess\""));
    let refused = table.types("Olad", "puzzle test myhero char_power=none");
    assert!(refused.contains("does not accept"), "H2: {refused}");
    let refused = table.types("Olad", "puzzle test myhero size_x=99");
    assert!(refused.contains("it takes 3 to 15"), "{refused}");

    let home = table.body("Olad").room;
    let built = table.types("Olad", "puzzle test myhero seed=7 size_x=5");
    assert!(built.contains("19 rooms"), "H20: {built}");
    assert!(table.types("Olad", "puzzle test myhero").contains("puzzle close"));
    table.restart();
    let solution = follow_solution(&mut table, "Olad");
    assert!(run(&table).state.finished, "H20: solved by its solution:\n{solution}");
    assert!(table.types("Olad", "puzzle close").contains("The trial is gone"));
    assert_eq!(table.body("Olad").room, home);
    assert!(table.exit("Olad", Direction::In).is_none());
    assert!(table.world().branches.iter().next().is_none() && table.world().floors.is_empty());
}

/// `branch collapse` deletes a preview, including its gate.
#[test]
fn h20_branch_collapse_deletes_the_preview() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.make_owner("Olad");
    table.types_all("Olad", &["puzzle test myhero seed=2", "in", "branch collapse 1"]);
    table.waits(Span::secs(1));
    let branch = table.world().branches.iter().next().map(|(id, _)| id);
    if let Some(branch) = branch {
        table.types("Olad", &format!("branch collapse {branch}"));
    }
    assert!(table.world().floors.is_empty());
    assert_eq!(table.body("Olad").branch, None);
    assert!(table.exit("Olad", Direction::In).is_none());
}

/// Types the lines of `puzzle solve`, and fights guards on the way.
pub(crate) fn follow_solution(table: &mut Table, who: &str) -> String {
    let solution = table.types(who, "puzzle solve");
    table.types(who, "in");
    for line in solution.lines().skip(1) {
        let line = line.rsplit_once(", in ").map_or(line, |(line, _)| line);
        table.types(who, line);
        while line.starts_with("kill ") && table.body(who).target.is_some() {
            table.waits(Span::secs(3));
        }
    }
    solution
}

/// Every shipped puzzle can be solved by typing its solution, and the things it mentions can be looked at.
#[test]
fn h1_h6_h17_shipped_puzzles_are_solved_by_their_solution() {
    let mut table = Table::new(seeded(4));
    table.sit("Olad");
    table.make_owner("Olad");
    table.becomes("Olad", 9_999, 999);
    let list = table.types("Olad", "puzzle list");
    let names: Vec<&str> = list.lines().skip(1).filter_map(|line| line.split(':').next()).collect();
    assert!(names.len() >= 5, "{list}");
    for name in names {
        for seed in 1..3 {
            let built = table.types("Olad", &format!("puzzle test {name} seed={seed}"));
            assert!(built.contains("Type in to go there") && !built.contains("plain"), "{name}: {built}");
            let solution = follow_solution(&mut table, "Olad");
            assert!(
                run(&table).state.finished,
                "{name}, seed {seed}:\n{solution}\n{}",
                table.types("Olad", "look")
            );
            table.types("Olad", "puzzle close");
        }
    }
}

/// A puzzle may have a sound: clients that play it hear it once, others read its name.
#[test]
fn h19_puzzle_sound_is_played_or_named() {
    let list = EXAMPLE.replacen("char_power", "sound = \"stoneage/08_the_golden_valley\"\nchar_power", 1);
    let mut table = before_a_gate(&list, &["Olad", "Bera"]);
    assert!(table.types("Olad", "in").contains("You hear something: the golden valley."));
    table.types("Bera", "config sound on");
    table.wants("Bera", [Package::Media]);
    assert!(!table.types("Bera", "in").contains("golden valley"));
    let played = table.news("Bera", "Client.Media.Play");
    assert_eq!(played.len(), 1);
    assert_eq!(played[0]["name"], "stoneage/08_the_golden_valley.ogg");
    assert_eq!((&played[0]["type"], &played[0]["caption"]), (&"music".into(), &"the golden valley".into()));
}

/// H6, H20: a map is typed behind `puzzle test` as it is written in a theme, with spaces and with other settings around.
#[test]
fn h6_trial_takes_a_ready_made_map() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.make_owner("Olad");
    let line = "puzzle test myhero seed=7 map=divide by 3, empty, enemy 14 | empty, enemy 33, empty | \
                enemy 42, enemy 12, enemy 37 char_power=40 players=1";
    let built = table.types("Olad", line);
    assert!(built.contains("rooms"), "{built}");
    table.types("Olad", "in");
    let goal = table.types("Olad", "goal");
    assert!(goal.contains("five enemies"), "{goal}");
    table.types("Olad", "puzzle close");
    let refusal = table.types("Olad", "puzzle test myhero map=enemy 14, dragon 3 | empty seed=2");
    assert!(refusal.contains("dragon 3"), "{refusal}");
    let refusal = table.types("Olad", "puzzle test myhero seed=2 enemy 14");
    assert!(refusal.contains("enemy"), "{refusal}");
}

/// H2: a theme may list a puzzle that rejects its settings; a plain room is made in its place, and both checks report it.
#[test]
fn h2_check_reports_a_puzzle_that_rejects_its_settings() {
    let (path, text) = BUILTIN.iter().find(|(path, _)| *path == "themes/well.toml").expect("the theme");
    let catalog = changed_content(&[(*path, &text.replace("char_power = 40\n", ""))]);
    let message = "the puzzle `myhero` rejects its settings: `char_power` is missing";
    let unfit: Vec<String> = catalog.themes["well"].unfit_puzzles().map(|(_, message)| message).collect();
    assert_eq!(unfit, [message]);
    let mut table = Table::with_content(seeded(3), &catalog);
    table.sit("Olad");
    table.make_owner("Olad");
    let mut text = table.types("Olad", "check all");
    table.waits(Span::secs(5));
    text += &table.hears("Olad");
    assert!(text.contains(&format!("in the theme well, {message}.")), "{text}");
    assert!(CATALOG.themes.values().all(|theme| theme.unfit_puzzles().count() == 0));
}
