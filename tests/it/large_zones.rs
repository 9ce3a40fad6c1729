//! Work on zones with very many rooms that is done in slices: comparisons, previews, packages, and versions of definitions
//! in drafts.

use crate::large_imports::{SMALL_SLICE, go_to, grid, import, on_draft, workshop, world_with_zone};
use crate::workshop::Workshop;
use deepwell::base::Span;
use std::collections::BTreeSet;

/// Types a line, and waits until its work and the files that it writes are done. Returns the answer.
fn types(shop: &mut Workshop, line: &str) -> String {
    shop.waits(Span::secs(100));
    shop.table.hears("Olad");
    let answer = shop.types("Olad", line);
    shop.waits(Span::secs(60));
    format!("{answer}\n{}", shop.table.hears("Olad"))
}

/// A world with the zone, its draft, and a creature that was made for it. Olad is in the draft.
fn world_with_draft(mut shop: Workshop) -> Workshop {
    go_to(&mut shop, "maze", "r0");
    for line in [
        "make creature mite like rat = mite",
        "make item husk = husk",
        "spawn mite = 1 every 60",
        "spawn husk = 1 every 60",
    ] {
        let answer = shop.types("Olad", line);
        assert!(!answer.contains("There is no"), "{line}: {answer}");
    }
    let answer = on_draft(&mut shop, "zone draft maze");
    assert!(answer.contains("maze_draft is a draft of the zone maze"), "{answer}");
    go_to(&mut shop, "maze_draft", "r0");
    shop
}

/// Prototypes that the rooms of the draft spawn, and those of what is in them.
fn names_in_draft(shop: &Workshop) -> BTreeSet<String> {
    let world = shop.table.world();
    let rooms = || world.rooms.of_zone("maze_draft");
    let rules =
        rooms().flat_map(|room| world.rooms[room].spawns.iter().map(|rule| rule.what.key().to_owned()));
    let bodies = rooms()
        .flat_map(|room| world.occupants(room))
        .filter_map(|who| world.characters[*who].prototype.clone());
    let items = rooms().flat_map(|room| world.ground(room)).map(|item| world.items[*item].prototype.clone());
    rules.chain(bodies).chain(items).collect()
}

/// A8: with more rooms, each of these has more steps, and no larger ones.
#[test]
fn a8_steps_on_a_large_zone_do_not_grow_with_it() {
    let lines = ["zone diff maze", "zone pack maze", "set creature mite hp = 9", "zone publish maze"];
    let works = [800, 3_200].map(|rooms| {
        let mut shop = workshop(4_000);
        shop.table.checks_every(4_000);
        let answer = import(&mut shop, "maze", &grid(rooms));
        assert!(answer.contains("is as its file says"), "{answer}");
        let mut shop = world_with_draft(shop);
        shop.files.insert("maze".to_owned(), grid(rooms).replacen("Cell 3", "Third cell", 1));
        lines.map(|line| {
            shop.waits(Span::secs(100));
            shop.table.takes_largest_work();
            let answer = types(&mut shop, line);
            assert!(!answer.contains("There is no"), "{line}: {answer}");
            shop.table.takes_largest_work()
        })
    });
    for ((line, small), large) in lines.iter().zip(works[0]).zip(works[1]) {
        println!("{line}: {small} and {large} units of work");
        assert!(
            large <= small + small / 4 && large < 8_000,
            "{line}: {small} and {large} units of work in one step"
        );
    }
}

/// `zone diff`, the preview of `zone publish` and `zone pack` tell and write the same in slices as at once.
#[test]
fn large_zones_are_compared_and_packed_in_slices_as_at_once() {
    const ROOMS: u32 = 40;
    let [at_once, sliced] = [4_000, SMALL_SLICE].map(|slice_work| {
        let mut shop = world_with_draft(world_with_zone(slice_work, ROOMS));
        let file = grid(ROOMS)
            .replacen("Cell 3\"", "Third cell\"", 1)
            .replace("name = \"east\"\nto = \"r9\"", "name = \"gate\"\nto = \"r9\"");
        shop.files.insert("maze".to_owned(), file);
        let excerpt = |answer: String| {
            let signs = [" says ", "The file ", "The draft ", "draft", "Not kept: ", "The triggers of "];
            let lines = answer.lines().filter(|line| signs.iter().any(|sign| line.contains(sign)));
            lines.map(str::to_owned).collect::<BTreeSet<String>>()
        };
        let diff = excerpt(types(&mut shop, "zone diff maze"));
        assert!(diff.iter().any(|line| line.contains("Third cell")), "{diff:?}");
        types(&mut shop, "zone pack maze");
        let package = shop.packages.remove("packages/maze.zip").expect("a package");
        for line in [
            "describe here = Another cell.",
            "set creature mite hp = 9",
            "dig Annex = annex, out",
            "spawn rye loaf",
        ] {
            types(&mut shop, line);
        }
        let mut preview = excerpt(types(&mut shop, "zone publish maze"));
        preview.retain(|line| !line.contains("zone publish now does it") && !line.contains("takes a while"));
        assert!(preview.iter().any(|line| line.contains("Another cell.")), "{preview:?}");
        assert!(preview.iter().any(|line| line.contains("Not kept: ")), "{preview:?}");
        (diff, package, preview)
    });
    assert_eq!(sliced, at_once);
}

/// The rooms of a draft follow its first versions of definitions in slices as at once, also after a crash, and `undo`.
#[test]
fn rooms_of_a_large_draft_follow_its_versions() {
    const ROOMS: u32 = 40;
    for slice_work in [4_000, SMALL_SLICE] {
        for steps in 0..4 {
            let mut shop = world_with_draft(world_with_zone(slice_work, ROOMS));
            let before = names_in_draft(&shop);
            assert!(before.contains("mite") && before.contains("husk"), "{before:?}");
            let answer = shop.types("Olad", "set creature mite hp = 9");
            assert!(!answer.contains("There is no"), "{answer}");
            for _ in 0..steps {
                shop.table.waits(Span::millis(5));
            }
            shop.table.restart();
            shop.waits(Span::secs(200));
            let names = names_in_draft(&shop);
            assert!(!names.contains("mite"), "{slice_work}, {steps}: {names:?}");
            assert_eq!(names.len(), before.len(), "{slice_work}, {steps}: {names:?}");
            let answer = types(&mut shop, "undo");
            assert!(answer.contains("You take back"), "{slice_work}, {steps}: {answer}");
            assert_eq!(names_in_draft(&shop), before, "{slice_work}, {steps}");
        }
    }
}
