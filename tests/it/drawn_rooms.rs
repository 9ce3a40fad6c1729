//! Rooms that a script draws: they stand in a branch like all others, and what happens in them is the script's.

use crate::explorer::{guarded, opens_another_room};
use crate::table::{Table, changed_content, seeded};
use deepwell::base::{Seed, Span};
use deepwell::catalog::{BUILTIN, Catalog};
use deepwell::dungeon::BranchSpec;
use deepwell::tools::branch::PlannedBranch;
use std::collections::BTreeSet;
use std::sync::Arc;

const FILE: &str = "rooms/stacked_wood.luau";

/// The shipped content, where stacked wood comes up in the well as soon as it may.
fn with_close_stacks() -> Arc<Catalog> {
    let shipped = BUILTIN.iter().find(|(path, _)| *path == FILE).expect("a shipped file").1;
    let close =
        shipped.replace("level_type = \"forest\", percent = 6", "level_type = \"well\", percent = 100");
    assert_ne!(close, shipped);
    changed_content(&[(FILE, &close)])
}

/// The sum of the numbers that stand before woods in a text.
fn sum_of_stacks(text: &str) -> u32 {
    let number = |word: &str| match word {
        "two" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        "six" => 6,
        _ => 0,
    };
    let stacks = text.split("in stacks: ").nth(1).expect("stacks");
    stacks
        .split(' ')
        .zip(stacks.split(' ').skip(1))
        .filter(|(_, of)| *of == "of")
        .map(|(word, _)| number(word))
        .sum()
}

/// R21, E26: a room that a script drew is walked into, looked at and left like all others, keeps what it is over a restart, and
/// pays whoever says the sum of its stacks, once.
#[test]
fn r21_a_room_that_a_script_drew_pays_for_the_right_sum() {
    let mut table = Table::with_content(seeded(3), &with_close_stacks());
    table.sit("Olad");
    table.types_all("Olad", &["down", "east"]);
    table.becomes("Olad", 900_000, 900_000);
    for _ in 0..40 {
        while table.body("Olad").target.is_some() || guarded(table.world(), table.room("Olad")) {
            table.types("Olad", "kill");
            table.waits(Span::secs(3));
        }
        if table.room("Olad").description.contains("in stacks: ") {
            break;
        }
        assert!(opens_another_room(&mut table, "Olad"));
    }
    table.restart();
    let room = table.room("Olad").clone();
    let sum = sum_of_stacks(&room.description);
    assert_eq!(room.details.len(), 3);
    for (noun, text) in room.details.clone() {
        assert!(table.types("Olad", &format!("look {noun}")).contains(&text));
    }
    let wrong = table.types("Olad", &format!("say {}", sum + 1));
    assert!(!wrong.contains("coin"), "{wrong}");
    let right = table.types("Olad", &format!("say {sum}"));
    assert!(right.contains("under it lies a coin"), "{right}");
    let again = table.types("Olad", &format!("say {sum}"));
    assert!(!again.contains("coin"), "{again}");
}

/// R21, E42: what a script draws follows from the seed of the branch alone; there are no more of it in a branch than it says, and
/// no two rooms of one name.
#[test]
fn r21_rooms_of_a_script_follow_from_the_seed() {
    let catalog = with_close_stacks();
    let walk = |seed| {
        let branch = PlannedBranch::walk(BranchSpec::of(&catalog, "well", Seed(seed)), &catalog, 60, 1);
        let drawn = |plan: &&deepwell::dungeon::RoomPlan| plan.description.contains("in stacks: ");
        branch.rooms.iter().map(|room| &room.plan).filter(drawn).cloned().collect::<Vec<_>>()
    };
    let rooms: Vec<_> = (0..8).flat_map(walk).collect();
    assert_eq!(rooms, (0..8).flat_map(walk).collect::<Vec<_>>());
    for seed in 0..8 {
        let drawn = walk(seed);
        let names: BTreeSet<&str> = drawn.iter().map(|plan| plan.name.as_str()).collect();
        assert!(names.len() == drawn.len() && drawn.len() <= 2, "{drawn:?}");
    }
    assert!(rooms.len() >= 8, "{}", rooms.len());
    let texts: BTreeSet<&String> = rooms.iter().map(|plan| &plan.description).collect();
    assert_eq!(texts.len(), rooms.len(), "each is another");
}

/// R21, D5: where a script fails in play, though it did not when it was read, the room is an ordinary one.
#[test]
fn r21_a_script_that_fails_leaves_the_room_to_its_theme() {
    let script = "local M = { level_types = { { level_type = \"well\", percent = 100, most = 1000 } } }
function M.room(spot)
    if spot.depth ~= 1 and spot.depth ~= 11 then error(\"lost count\") end
    return nil
end
return M
";
    let catalog = changed_content(&[("rooms/lost.luau", script)]);
    let plain = changed_content(&[]);
    let walk = |catalog: &Catalog| {
        let branch = PlannedBranch::walk(BranchSpec::of(catalog, "well", Seed(4)), catalog, 40, 1);
        branch.rooms.iter().map(|room| room.plan.clone()).collect::<Vec<_>>()
    };
    assert_eq!(walk(&catalog), walk(&plain));
}
