//! Areas of other servers come in, by the program and by the game: what `import-area` writes is checked as content, comes
//! into a running game by `zone import`, and can be walked there.

use crate::fences::{Passage, passages};
use crate::generated::{HOW, stands};
use crate::table::{Table, seeded};
use crate::workshop::Workshop;
use deepwell::catalog::{BUILTIN, Catalog};
use deepwell::server::cli::{self, Arguments, Failure};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The area that the page imports.
const WEIR: &str = "tests/data/circle/weir";

fn typed(line: &[&str]) -> (String, Result<(), Failure>) {
    let line = ["deepwell"].iter().chain(line).map(OsString::from);
    let mut out = Vec::new();
    let result = cli::run(Arguments::read(line).expect("a line for the program"), &mut out);
    (String::from_utf8(out).expect("text"), result)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The area in a folder of its own.
fn imported() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out").display().to_string();
    let (told, result) = typed(&["import-area", WEIR, "--zone", "weir", "--out", &out]);
    result.expect("nothing is malformed");
    assert!(told.starts_with("made five rooms, four creatures, ten things and one shop in "), "{told}");
    assert!(told.contains("\nScripts: "), "{told}");
    folder
}

/// The files below a folder, by their paths in it.
fn files_below(folder: &Path, below: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = format!("{below}{}", path.file_name().expect("a name").to_string_lossy());
        if path.is_dir() {
            files_below(&path, &format!("{name}/"), found);
        } else {
            found.insert(name, read(&path));
        }
    }
}

/// What ships, with what was imported.
fn content(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BUILTIN.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    files_below(&folder.join("out/content"), "", &mut files);
    files
}

/// Olad in the lodge, with the prototypes of the import in force and its zone among the files of zones.
fn workshop() -> Workshop {
    let folder = imported();
    let files: Vec<(String, String)> = content(folder.path()).into_iter().collect();
    let catalog = Arc::new(Catalog::load(&files).unwrap_or_else(|mistakes| panic!("{mistakes:#?}")));
    let mut table = Table::with_content(seeded(5), &catalog);
    table.sit("Olad");
    table.crown("Olad");
    table.types("Olad", "north");
    let zone = read(&folder.path().join("out/zones/weir.toml"));
    Workshop { files: [("weir".to_owned(), zone)].into(), ..Workshop::beside(table) }
}

#[test]
fn an_imported_area_can_be_walked() {
    let mut shop = workshop();
    let told = shop.types("Olad", "zone import weir");
    assert!(told.contains("five rooms made, zero rooms kept, zero rooms gone"), "{told}");
    assert!(!told.contains("What may not be meant so"), "{told}");
    let view = shop.types("Olad", "goto weir bridge");
    for words in
        ["Planks lie across the weir", "A chain is bolted to the rail.", "An old net hangs over the rail."]
    {
        assert!(view.contains(words), "{words}\n{view}");
    }
    assert!(shop.types("Olad", "look net").contains("More knots than net."));
    assert!(shop.types("Olad", "look knots").contains("another hand's"));
    assert!(shop.types("Olad", "east").contains("oak door"), "it is locked");
    assert!(shop.types("Olad", "look north").contains("leans a little towards the water"));
    let view = shop.types("Olad", "north");
    assert!(view.contains("grey water rat") && view.contains("basket") && view.contains("notice"), "{view}");
    let view = shop.types("Olad", "up");
    assert!(view.contains("brass key") && view.contains("iron chest"), "{view}");
    shop.types("Olad", "get brass key");
    for line in ["down", "south", "open east"] {
        shop.types("Olad", line);
    }
    let view = shop.types("Olad", "east");
    assert!(view.contains("Lock Keeper's House") && view.contains("lock keeper"), "{view}");
    let wares = shop.types("Olad", "list");
    assert!(wares.contains("brown draught") && wares.contains("oilskin coat"), "{wares}");
    let view = shop.types("Olad", "southeast");
    assert!(view.contains("Mill Floor"), "{view}");
    let told = shop.types("Olad", "find tag vnum_7103");
    assert!(told.contains("Under the Weir"), "{told}");
    let told = shop.types("Olad", "check weir");
    assert!(!told.contains("Mistake"), "{told}");
    let text = shop.exported("weir");
    shop.types("Olad", "zone import weir");
    assert_eq!(shop.exported("weir"), text, "it is a zone like any other");
}

/// As content it passes `deepwell check`, and a fresh world begins with its rooms.
#[test]
fn an_imported_area_is_content() {
    let folder = imported();
    let mut files = content(folder.path());
    files.insert("areas/weir.toml".into(), read(&folder.path().join("out/zones/weir.toml")));
    for (path, text) in &files {
        let path = folder.path().join("content").join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a place");
        fs::write(path, text).expect("a place");
    }
    let path = |name: &str| folder.path().join(name).display().to_string();
    let settings =
        [format!("server.content_dir={}", path("content")), format!("server.state_dir={}", path("state"))];
    let (told, result) = typed(&["check", "--set", &settings[0], "--set", &settings[1]]);
    assert!(result.is_ok(), "{told}");
    let files: Vec<(String, String)> = files.into_iter().collect();
    let catalog = Arc::new(Catalog::load(&files).expect("the content has no mistakes"));
    let table = Table::with_content(seeded(5), &catalog);
    assert!(table.world().rooms.iter().any(|(_, room)| room.name == "Under the Weir"));
}

/// What the page says to type is typed, and what it shows of the report is what was reported.
#[test]
fn the_page_about_imports_can_be_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut lines = Vec::new();
    for passage in passages("docs/import.md") {
        if let Passage::Block(fence) = passage
            && fence.language == "sh"
        {
            lines.extend(fence.text.lines().filter(|line| line.contains("import-area")).map(str::to_owned));
        }
    }
    assert_eq!(lines.len(), 1, "{lines:?}");
    let out = folder.path().join("weir-import").display().to_string();
    let words: Vec<&str> = lines[0].split_whitespace().skip(1).collect();
    let words: Vec<&str> =
        words.into_iter().map(|word| if word == "weir-import" { &out } else { word }).collect();
    typed(&words).1.expect("nothing is malformed");
    let report = read(&folder.path().join("weir-import/report.txt"));
    assert!(stands("tests/data/circle/report.txt", &report), "{HOW}\n{report}");
}

/// What is malformed is told, ends with code 1, and keeps nothing else out.
#[test]
fn a_malformed_area_comes_in_as_far_as_it_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out").display().to_string();
    let (told, result) =
        typed(&["import-area", "tests/data/circle/broken", "--zone", "broken", "--out", &out]);
    let failure = result.expect_err("there are mistakes");
    assert_eq!(failure.exit_code(), 1, "{failure}");
    assert!(told.starts_with("made two rooms, one creature, one thing and zero shops in "), "{told}");
    assert!(read(&folder.path().join("out/zones/broken.toml")).contains("name = \"Last\""));
    let report = read(&folder.path().join("out/report.txt"));
    assert!(report.contains("1.wld:23: room 2: left out: "), "{report}");
}

#[test]
fn an_import_overwrites_nothing_and_says_what_it_wants() {
    let folder = imported();
    let out = folder.path().join("out").display().to_string();
    let other = folder.path().join("other").display().to_string();
    for (line, code, wrong) in [
        (vec![WEIR, "--zone", "weir", "--out", &out], 3, "something is in it already"),
        (vec![WEIR, "--zone", "The Weir", "--out", &other], 2, "The Weir is no key of a zone"),
        (vec!["docs", "--zone", "weir", "--out", &other], 2, "no area files there"),
        (vec!["none.wld", "--zone", "weir", "--out", &other], 3, "none.wld: "),
    ] {
        let line = [vec!["import-area"], line].concat();
        let failure = typed(&line).1.expect_err(wrong);
        assert_eq!(failure.exit_code(), code, "{failure}");
        assert!(failure.to_string().contains(wrong), "{failure}");
    }
    assert!(!folder.path().join("other").exists());
}
