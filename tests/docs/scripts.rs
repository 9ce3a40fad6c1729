//! Scripts in the documentation load, and their puzzles verify. The text behind the language names the file: `luau
//! content/puzzles/NAME/puzzle.luau`.

use deepwell::base::Seed;
use deepwell::catalog::{BUILTIN, Catalog};
use deepwell::puzzle::{PuzzleConfig, PuzzleEntry, verify};

use crate::fences::fences;

/// Every script of a page loads, and its puzzle verifies for several seeds.
#[test]
fn scripts_in_pages_load_and_their_puzzles_verify() {
    let fences = fences("luau");
    assert!(!fences.is_empty(), "the scripts were not found");
    let path = |hint: &str| hint.strip_prefix("content/").expect("a file of content").to_owned();
    let own: Vec<(String, &str)> =
        fences.iter().map(|fence| (path(&fence.hint), fence.text.as_str())).collect();
    for (path, text) in BUILTIN {
        // A page shows shipped files unchanged.
        assert!(
            own.iter().all(|(other, page)| other != path || page == text),
            "content/{path} is another one"
        );
    }
    let shipped = BUILTIN.iter().filter(|(path, _)| own.iter().all(|(other, _)| other != path));
    let shipped = shipped.map(|(path, text)| ((*path).to_owned(), *text));
    let files: Vec<(String, &str)> = shipped.chain(own.iter().cloned()).collect();
    let catalog = Catalog::load(&files).unwrap_or_else(|mistakes| {
        panic!("{}", mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    });
    for (path, _) in own {
        let Some(name) = path.strip_prefix("puzzles/").and_then(|rest| rest.split('/').next()) else {
            continue;
        };
        let puzzle = catalog.puzzles.find(name).expect("the puzzle of the page");
        let entry = PuzzleEntry::new(puzzle.clone(), PuzzleConfig::of(&*puzzle));
        for seed in 0..20 {
            let proof = verify(&entry, Seed(seed));
            assert_eq!((proof.defects, proof.plain), (Vec::new(), None), "{name}, seed {seed}");
        }
    }
}
