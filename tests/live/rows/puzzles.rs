//! Puzzles: built behind a gate by a builder, and found in a branch.

use crate::rows::delver::{Delver, STILL, hero_server, hero_server_with};
use std::collections::BTreeSet;
use std::fs;

/// Builds a test puzzle with this command and enters it.
fn trial(line: &str) -> (crate::server::Server, Delver) {
    let server = hero_server(&[]);
    let mut olad = Delver::owner(&server, "Olad");
    let built = olad.ask(line);
    assert!(built.contains("Type in to go there"), "{built}");
    olad.ask("in");
    (server, olad)
}

#[test]
fn h3_h4_h7_h8_h13_h16_h20_my_hero_matches_its_map() {
    let (_server, mut olad) = trial("puzzle test myhero seed=7 size_x=5");
    let info = olad.ask("puzzle info myhero");
    assert!(info.contains("finish, portal, one-way, might") && info.contains("Goals: kill_all"), "{info}");
    assert!(info.contains("size_x: 3 to 15, 5 if not given"), "{info}");
    let map = olad.ask("map");
    let rooms: usize = map
        .lines()
        .take_while(|line| !line.contains(" is "))
        .map(|line| line.chars().filter(|letter| "@oEGPF".contains(*letter)).count())
        .sum();
    assert_eq!(rooms, 19, "seventeen rooms, the threshold and the finish: {map}");
    assert!(olad.ask("goal").contains("beat every enemy"));
    let solution = olad.ask("puzzle solve");
    let steps: Vec<String> = solution.lines().skip(1).map(str::to_owned).collect();
    let mut gallery = 0;
    let mut entered = 0;
    for step in &steps {
        let from = olad.num();
        let answer = olad.ask(step);
        let came_back = answer.contains("gallery") || answer.contains("portal");
        if *step == "east" && olad.num() != from && !came_back {
            entered += 1;
            if olad.ask("exits").lines().all(|line| !line.starts_with("west")) {
                assert!(olad.ask("west").contains("The way back is closed."));
            }
        }
        gallery += usize::from(came_back);
    }
    assert!(gallery > 0 && entered > 0, "{}", olad.told);
    assert!(olad.told.contains("The puzzle is solved."), "{}", olad.told);
}

#[test]
fn h2_h5_h6_same_seed_gives_same_puzzle() {
    let (_server, mut olad) = trial("puzzle test myhero seed=7 rooms=4 least_enemies=3");
    let first = olad.ask("puzzle solve");
    olad.all(&["out", "puzzle close", "puzzle test myhero seed=7 rooms=4 least_enemies=3", "in"]);
    assert_eq!(first, olad.ask("puzzle solve"), "the same seed is the same puzzle");
    assert!(olad.ask("goal").contains("Might of all in here: 40."));
    let refused = olad.ask("puzzle test myhero size_x=99");
    assert!(refused.contains("it takes 3 to 15"), "{refused}");
}

#[test]
fn e24_e26_gate_opens_when_its_puzzle_is_solved() {
    let changes = [
        ("themes/well.toml", "kind = \"puzzle\"\nweight = 8", "kind = \"puzzle\"\nweight = 1000"),
        ("themes/well.toml", "\nlever_weight = 12\n", "\nlever_weight = 0\n"),
        STILL,
    ];
    let server = hero_server_with(&changes, &["world.seed=4"]);
    let mut olad = Delver::owner(&server, "Olad");
    olad.all(&["down", "north"]);
    assert!(olad.seek(80, |_, seen| seen.contains("solve the puzzle")), "{}", olad.ask("look"));
    let gate = olad.num();
    olad.ask("in");
    let solution = olad.ask("puzzle solve");
    for step in solution.lines().skip(1) {
        // Actions other than moves are listed together with their room.
        olad.ask(step.split_once(", in ").map_or(step, |(done, _)| done));
    }
    assert!(olad.told.contains("The puzzle is solved."), "{}", olad.told);
    let dump = server.control(&["dump-branch", "1"]);
    let rooms = dump["floors"][0]["rooms"].as_array().expect("rooms");
    let gate = rooms.iter().find(|room| room["num"] == gate).expect("the room with the gate");
    assert_eq!(gate["clear"], true);
}

/// Returns the map cells of one area: first the entrance, then a column of gallery, then the slots.
fn drawing(map: &str) -> Vec<Vec<char>> {
    let lines = map.lines().take_while(|line| !line.contains(" is "));
    lines.map(|line| line.chars().collect()).collect()
}

#[test]
fn h9_h10_h11_h12_h14_h15_h17_h18_my_hero_areas_follow_rules_and_can_be_lost() {
    let (_server, mut olad) = trial("puzzle test myhero seed=1");
    let (mut enemies, mut glyphs, mut lost) = (Vec::new(), BTreeSet::new(), false);
    for seed in 1..=12 {
        let map = olad.ask("map");
        let drawn = drawing(&map);
        let at = |row: usize, column: usize| drawn[row].get(column).copied().unwrap_or(' ');
        assert_eq!(drawn.len(), 9, "five rows, and the ways between them: {map}");
        assert_eq!(at(4, 0), '@', "the entrance is west of the middle: {map}");
        assert_eq!(at(8, 0), 'F', "the finish is south-west: {map}");
        for row in (0..9).step_by(2) {
            assert_ne!(at(row, 4), ' ', "the gallery goes from north to south: {map}");
            let is_section = row % 4 == 0;
            assert_eq!(at(row, 20) == 'P', is_section, "a portal at the end of each section: {map}");
            assert_eq!(at(row, 6) == '>', is_section, "a one-way start: {map}");
            assert_eq!([8, 12, 16].map(|slot| at(row, slot) != ' '), [is_section; 3], "three slots: {map}");
        }
        let goal = olad.ask("goal");
        let left = ["three", "four", "five", "six", "seven", "eight", "nine"];
        assert!(left.iter().any(|count| goal.contains(&format!("Left: {count} enemies"))), "{goal}");
        assert!(olad.ask("puzzle solve").lines().count() > 10, "seed {seed} has a solution");
        olad.ask("east");
        for steps in [&[][..], &["north", "north"], &["south", "south", "south", "south"]] {
            olad.all(steps);
            let seen = olad.ask("look");
            assert!(seen.contains("frieze"), "{seen}");
            let shown = seen.split_once("in this order: ").and_then(|(_, rest)| rest.lines().next());
            for slot in shown.into_iter().flat_map(|shown| shown.trim_end_matches('.').split(", ")) {
                let slot = slot.trim_start_matches("then ");
                match slot.split_once(" of power ") {
                    Some((_, power)) => enemies.push(power.parse::<u32>().expect("a number")),
                    None => _ = slot.split_once(" that ").map(|(_, does)| glyphs.insert(does.to_owned())),
                }
            }
        }
        // Walk into the southern section: often to a fall, which resets the puzzle.
        let fell =
            |text: &str| text.contains("you stand at the entrance, unhurt, and all is as it was at first");
        let mut answer = olad.ask("exits");
        assert!(answer.contains("one-way: no path leads back from there"), "{answer}");
        for step in 0..4 {
            answer = olad.ask("east");
            if fell(&answer) {
                break;
            }
            if step == 0 {
                assert!(olad.ask("west").contains("The way back is closed."), "{answer}");
            }
        }
        if fell(&answer) {
            lost = true;
            assert_eq!(olad.ask("map"), map, "the layout is the same");
            let goal = olad.ask("goal");
            assert!(goal.contains("It was lost once, which has made the reward less."), "{goal}");
            assert!(goal.contains("Might of all in here: 40."), "{goal}");
        }
        olad.all(&["puzzle close", &format!("puzzle test myhero seed={}", seed + 1), "in"]);
    }
    assert!(lost && enemies.len() > 30, "{enemies:?}");
    assert!(enemies.iter().all(|power| (10..=50).contains(power)), "{enemies:?}");
    let all = [
        "doubles your might",
        "makes your might three times as great",
        "halves your might",
        "leaves you a third of your might",
        "adds fifty to your might",
        "adds a hundred to your might",
        "takes fifty from your might",
        "takes a hundred from your might",
    ];
    assert_eq!(glyphs, BTreeSet::from(all.map(str::to_owned)));
}

#[test]
fn h1_h6_h19_data_folder_defines_puzzle_and_sounds() {
    let server = hero_server(&[]);
    let page = include_str!("../../../docs/build/puzzles.md");
    let (_, text) =
        page.split_once("```toml content/puzzles/sluice/puzzle.toml\n").expect("a puzzle in the page");
    let (text, _) = text.split_once("\n```").expect("an end of it");
    let folder = server.folder().join("content/puzzles/sluice");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("puzzle.toml"), text).expect("a puzzle");
    let mut olad = Delver::owner(&server, "Olad");
    assert!(!olad.ask("puzzle list").contains("sluice"));
    olad.client.send("reload");
    olad.client.expect("The content is in force: ");
    assert!(olad.ask("puzzle list").contains("sluice: Let the water out of the passage"));
    assert!(olad.ask("puzzle info sluice").contains("Themes that list it: caves"));
    olad.all(&["puzzle test sluice", "in"]);
    let solution = olad.ask("puzzle solve");
    for step in solution.lines().skip(1) {
        olad.ask(step.split_once(", in ").map_or(step, |(done, _)| done));
    }
    assert!(olad.told.contains("The puzzle is solved."), "{}", olad.told);
    assert!(olad.told.contains("You hear something: "), "{}", olad.told);
}
