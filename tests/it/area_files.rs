//! Import of areas from other servers. The output of `import-area` passes the content check, can be loaded into a
//! running game by `zone import`, and is playable there.

use crate::fences::{Checkable, passages};
use crate::generated::{HOW, is_up_to_date};
use crate::table::{Table, seeded};
use crate::workshop::Workshop;
use deepwell::catalog::{BUILTIN, Catalog};
use deepwell::server::cli::{self, CliArguments, CliFailure};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Area that the documentation imports.
const WEIR: &str = "tests/data/circle/weir";

fn typed(line: &[&str]) -> (String, Result<(), CliFailure>) {
    let line = ["deepwell"].iter().chain(line).map(OsString::from);
    let mut out = Vec::new();
    let result = cli::run(CliArguments::read(line).expect("a line for the program"), &mut out);
    (String::from_utf8(out).expect("text"), result)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Imports the area into a temporary folder.
fn imported() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out").display().to_string();
    let (output, result) = typed(&["import-area", WEIR, "--zone", "weir", "--out", &out]);
    result.expect("nothing is malformed");
    assert!(
        output.starts_with(
            "made five rooms, four creatures, ten items, one shop, two triggers and one quest in "
        ),
        "{output}"
    );
    assert!(output.contains("\nScripts: "), "{output}");
    folder
}

/// Collects the files below a folder by their relative paths.
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

/// Returns the shipped content together with the imported content.
fn content(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BUILTIN.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    files_below(&folder.join("out/content"), "", &mut files);
    files
}

/// Puts Olad into the lodge, with the imported prototypes loaded and the zone among the zone files.
fn workshop() -> Workshop {
    let folder = imported();
    let files: Vec<(String, String)> = content(folder.path()).into_iter().collect();
    let catalog = Arc::new(Catalog::load(&files).unwrap_or_else(|mistakes| panic!("{mistakes:#?}")));
    let mut table = Table::with_content(seeded(5), &catalog);
    table.sit("Olad");
    table.make_owner("Olad");
    table.types("Olad", "north");
    let zone = read(&folder.path().join("out/zones/weir.toml"));
    Workshop { files: [("weir".to_owned(), zone)].into(), ..Workshop::beside(table) }
}

#[test]
fn imported_area_is_playable() {
    let mut shop = workshop();
    let answer = shop.types("Olad", "zone import weir");
    assert!(answer.contains("five rooms made, zero rooms kept, zero rooms gone"), "{answer}");
    assert!(!answer.contains("What may not be meant so"), "{answer}");
    let view = shop.types("Olad", "goto weir bridge");
    for sentence in
        ["Planks lie across the weir", "A chain is bolted to the rail.", "An old net hangs over the rail."]
    {
        assert!(view.contains(sentence), "{sentence}\n{view}");
    }
    assert!(shop.types("Olad", "look net").contains("More knots than net."));
    assert!(shop.types("Olad", "look knots").contains("another hand's"));
    assert!(shop.types("Olad", "east").contains("oak door"), "it is locked");
    assert!(shop.types("Olad", "look north").contains("leans a little towards the water"));
    let view = shop.types("Olad", "north");
    assert!(view.contains("too dark"), "{view}");
    shop.types("Olad", "set here dark = no");
    let view = shop.types("Olad", "look");
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
    let answer = shop.types("Olad", "find tag vnum_7103");
    assert!(answer.contains("Under the Weir"), "{answer}");
    let answer = shop.types("Olad", "check weir");
    assert!(!answer.contains("Mistake"), "{answer}");
    let text = shop.exported("weir");
    shop.types("Olad", "zone import weir");
    assert_eq!(shop.exported("weir"), text, "it is a zone like any other");
}

/// The import passes `deepwell check` as content, and a new world contains its rooms.
#[test]
fn imported_area_passes_check_and_loads_as_content() {
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
    let (output, result) = typed(&["check", "--set", &settings[0], "--set", &settings[1]]);
    assert!(result.is_ok(), "{output}");
    let files: Vec<(String, String)> = files.into_iter().collect();
    let catalog = Arc::new(Catalog::load(&files).expect("the content has no mistakes"));
    let table = Table::with_content(seeded(5), &catalog);
    assert!(table.world().rooms.iter().any(|(_, room)| room.sheet.name == "Under the Weir"));
}

/// The command shown in docs/build/import.md works and produces the report shown there.
#[test]
fn import_docs_commands_and_report_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut lines = Vec::new();
    for passage in passages("docs/build/import.md") {
        if let Checkable::Block(fence) = passage
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
    assert!(is_up_to_date("tests/data/circle/report.txt", &report), "{HOW}\n{report}");
}

/// Writes a room file with one room and one exit. Returns its path.
fn write_rooms(folder: &Path, file: &str, number: u32, direction: u32, to: u32) -> String {
    let text =
        format!("#{number}\nHall {number}~\nA hall.\n~\n0 0 0\nD{direction}\n~\n~\n0 -1 {to}\nS\n$~\n");
    let path = folder.join(file);
    fs::write(&path, text).expect("a file");
    path.display().to_string()
}

/// Areas imported by separate commands can be loaded together and keep the exits between them.
#[test]
fn separately_imported_zones_link_to_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let files =
        [write_rooms(folder.path(), "1.wld", 100, 1, 200), write_rooms(folder.path(), "2.wld", 200, 3, 100)];
    let mut zones = BTreeMap::new();
    for (file, zone) in files.iter().zip(["z1", "z2"]) {
        let out = folder.path().join(zone);
        typed(&["import-area", file, "--zone", zone, "--out", &out.display().to_string()])
            .1
            .expect("no mistake");
        let report = read(&out.join("report.txt"));
        assert!(report.contains("Ways to other zones (1)") && !report.contains("was not read: "), "{report}");
        zones.insert(zone.to_owned(), read(&out.join(format!("zones/{zone}.toml"))));
    }
    assert!(zones["z1"].contains("to = \"z2/hall_200\""), "{}", zones["z1"]);
    let mut table = Table::with_content(seeded(5), &Arc::new(Catalog::builtin()));
    table.sit("Olad");
    table.make_owner("Olad");
    table.types("Olad", "north");
    let mut shop = Workshop { files: zones, ..Workshop::beside(table) };
    let answer = shop.types("Olad", "zone import z1 z2");
    assert!(answer.contains("one room made"), "{answer}");
    shop.types("Olad", "goto hall 100");
    assert!(shop.types("Olad", "east").contains("Hall 200"));
    assert!(shop.types("Olad", "west").contains("Hall 100"));
}

/// `--neighbour` names the zone of a neighbouring file; without it the exits into that file are listed in `ways.txt`.
#[test]
fn exits_to_a_neighbour_without_zone_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write_rooms(folder.path(), "30.wld", 100, 1, 200);
    write_rooms(folder.path(), "31.wld", 200, 3, 100);
    let import = |out: &str, more: &[&str]| {
        let out = folder.path().join(out);
        let path = out.display().to_string();
        let line = [&["import-area", &file, "--zone", "town", "--out", &path], more].concat();
        typed(&line).1.expect("no mistake");
        out
    };
    let out = import("one", &[]);
    assert_eq!(read(&out.join("ways.txt")), "town/hall_100 east: room 200 of 31.wld, Hall 200\n");
    assert!(!read(&out.join("zones/town.toml")).contains("[[rooms.exits]]"));
    let out = import("other", &["--neighbour", "31=midtown"]);
    assert!(read(&out.join("zones/town.toml")).contains("to = \"midtown/hall_200\""));
    assert!(!out.join("ways.txt").exists());
}

/// An area with more rooms than a zone may have is split into several zones.
#[test]
fn area_above_the_room_limit_is_split_into_zones() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut rooms = String::new();
    for number in 1..=2_100 {
        let _ = writeln!(rooms, "#{number}\nHall~\nA hall.\n~\n0 0 0\nS");
    }
    let file = folder.path().join("3.wld");
    fs::write(&file, rooms + "$~\n").expect("a file");
    let out = folder.path().join("out").display().to_string();
    let (output, result) =
        typed(&["import-area", &file.display().to_string(), "--zone", "big", "--out", &out]);
    result.expect("no mistake");
    assert!(output.contains("\nzones, to be imported together: big big_2\n"), "{output}");
}

/// A file of an unsupported format is named in the error, exits with code 2, and writes no output.
#[test]
fn area_file_of_another_format_is_refused_with_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out").display().to_string();
    for (name, text, reason) in [
        ("midgaard.are", "#AREA Midgaard~\n#ROOMS\n#3001\nTemple~\n", "Merc, ROM and SMAUG"),
        ("1.wld", "", "it is empty"),
        ("1.txt", "Hello.\n", "its ending is none of"),
        ("1.trg", "$~\n", "no room, creature or item"),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, text).expect("a file");
        let line = ["import-area", &file.display().to_string(), "--zone", "weir", "--out", &out];
        let failure = typed(&line).1.expect_err(reason);
        assert_eq!(failure.exit_code(), 2, "{failure}");
        assert!(failure.to_string().contains(reason), "{failure}");
        assert!(!Path::new(&out).exists(), "{name}");
    }
}

/// Malformed parts are reported and exit with code 1; the rest is imported.
#[test]
fn malformed_area_is_imported_partially_with_code_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out").display().to_string();
    let (output, result) =
        typed(&["import-area", "tests/data/circle/broken", "--zone", "broken", "--out", &out]);
    let failure = result.expect_err("there are mistakes");
    assert_eq!(failure.exit_code(), 1, "{failure}");
    assert!(output.starts_with("made two rooms, one creature, one item and zero shops in "), "{output}");
    assert!(read(&folder.path().join("out/zones/broken.toml")).contains("name = \"Last\""));
    let report = read(&folder.path().join("out/report.txt"));
    assert!(report.contains("1.wld:23: room 2: left out: "), "{report}");
}

#[test]
fn import_refuses_existing_output_and_invalid_arguments() {
    let folder = imported();
    let out = folder.path().join("out").display().to_string();
    let other = folder.path().join("other").display().to_string();
    for (line, code, reason) in [
        (vec![WEIR, "--zone", "weir", "--out", &out], 3, "the folder is not empty"),
        (vec![WEIR, "--zone", "The Weir", "--out", &other], 2, "The Weir is not a zone key"),
        (vec!["docs", "--zone", "weir", "--out", &other], 2, "no area files found"),
        (vec!["none.wld", "--zone", "weir", "--out", &other], 3, "none.wld: "),
    ] {
        let line = [vec!["import-area"], line].concat();
        let failure = typed(&line).1.expect_err(reason);
        assert_eq!(failure.exit_code(), code, "{failure}");
        assert!(failure.to_string().contains(reason), "{failure}");
    }
    assert!(!folder.path().join("other").exists());
}
