//! Fuzz targets for files of operators and builders: settings, content and area files.

use super::{Draws, Target, fuzz, outcome};
use crate::table::CATALOG;
use deepwell::base::limits::Limits;
use deepwell::catalog::{Area, BUILTIN, Catalog};
use deepwell::server::config::{Config, ConfigSources, ShownSettings};
use deepwell::tools::circle::{AreaFile, ENDINGS, ImportPlan, NoteKind, import};

/// Dictionary of TOML syntax, common values and `more`.
fn toml_words(more: &[&str]) -> Vec<Vec<u8>> {
    let words = [
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        "=",
        "\"",
        "'",
        "\"\"\"",
        "\n",
        "#",
        ".",
        ",",
        "-1",
        "0",
        "1e9",
        "inf",
        "nan",
        "true",
        "1979-05-27",
        "9223372036854775808",
        "0x7fffffff",
        "\"5m\"",
        "\"off\"",
        "\\u0000",
        "\\U0010FFFF",
        "é",
        "\u{feff}",
        "[]",
        "{}",
    ];
    words.iter().chain(more).map(|word| word.as_bytes().to_vec()).collect()
}

/// Parses or rejects any settings file, naming the place of each error; printed settings parse back to the same values.
#[test]
fn o2_printed_settings_parse_to_same_values() {
    let shipped = Config::shipped();
    let sections: Vec<Vec<u8>> =
        shipped.split("\n[").map(|section| format!("[{section}").into_bytes()).collect();
    let seeds = sections.into_iter().chain([b"[game]\nround = \"2s\"\n".to_vec()]).collect();
    let keys: Vec<&str> = shipped.lines().filter(|line| !line.starts_with('#')).collect();
    fuzz(&Target { name: "config", runs: 1_500, seeds, words: toml_words(&keys) }, |input| {
        let read = |text: String| {
            ConfigSources { file: Some(("config.toml".to_owned(), text)), ..ConfigSources::default() }.check()
        };
        match read(String::from_utf8_lossy(input).into_owned()) {
            Ok(effective) => {
                let printed = effective.print(ShownSettings::All);
                // Passwords in addresses are not printed.
                if printed.contains(":***@") || printed.contains("/***@") {
                    return outcome(0);
                }
                let again =
                    read(printed.clone()).unwrap_or_else(|mistakes| panic!("{mistakes:?} in\n{printed}"));
                assert_eq!(again.config, effective.config);
                outcome(printed.len() / 8)
            }
            Err(mistakes) => {
                let messages: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
                assert!(messages.iter().all(|message| message.contains("config.toml:")), "{messages:?}");
                outcome((messages.len().min(5), messages.first().map(|message| message.len() / 8)))
            }
        }
    });
}

/// Loads or rejects any content, naming file, line and column of each error.
#[test]
fn o2_content_loads_or_errors_have_a_place() {
    // The first two bytes select the file.
    let seeds = (0..BUILTIN.len())
        .step_by(120)
        .map(|file| {
            let file_bytes = u16::try_from(file).unwrap().to_be_bytes();
            [&file_bytes[..], b"\0\0"].concat()
        })
        .collect();
    let keys: Vec<&str> = BUILTIN.iter().flat_map(|(_, text)| text.lines().take(12)).collect();
    fuzz(&Target { name: "content", runs: 20, seeds, words: toml_words(&keys) }, |input| {
        let mut draws = Draws(input);
        let which = (usize::from(draws.byte()) << 8 | usize::from(draws.byte())) % BUILTIN.len();
        let mut files: Vec<(&str, String)> =
            BUILTIN.iter().map(|(path, text)| (*path, (*text).to_owned())).collect();
        let (path, text) = &mut files[which];
        // The rest of the input replaces a part of the file, at an offset taken from the input.
        let at = text.floor_char_boundary(draws.below(text.len().max(1)));
        let length = draws.below(64);
        let end = text.ceil_char_boundary((at + length).min(text.len()));
        text.replace_range(at..end, &String::from_utf8_lossy(draws.0));
        let path = *path;
        // Themes and levels refer to everything and load slowly, so most runs leave them out.
        let is_large = |path: &str| path.starts_with("themes/") || path.starts_with("levels/");
        if !is_large(path) && at % 8 > 0 {
            files.retain(|(path, _)| !is_large(path));
        }
        match Catalog::load(&files) {
            Ok(_) => outcome((path, true)),
            Err(mistakes) => {
                let messages: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
                assert!(
                    !messages.is_empty() && messages.iter().all(|message| message.contains(':')),
                    "{messages:?}"
                );
                outcome((path, messages.len().min(4)))
            }
        }
    });
}

/// Separator between the area files in one input.
const PARTED: &[u8] = b"\n===\n";

/// Imports any bytes as area files in bounded time; the resulting zone and prototypes load.
#[test]
fn o2_arbitrary_area_files_import_to_loadable_content() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/circle/");
    let area =
        |name: &str| ENDINGS.map(|ending| std::fs::read(format!("{folder}{name}.{ending}")).expect("a file"));
    let seeds = ["weir/71", "broken/1"].map(|name| area(name).join(PARTED)).to_vec();
    let text = String::from_utf8_lossy(&seeds.concat()).into_owned();
    let words =
        text.split_inclusive('\n').map(|line| line.as_bytes().to_vec()).chain([PARTED.to_vec()]).collect();
    let needed = ["affects/poisoned.toml", "rules.toml"];
    let needed: Vec<_> = BUILTIN.iter().copied().filter(|(path, _)| needed.contains(path)).collect();
    let limits = Limits { details_per_room: 3, spawns_per_room: 3, ..Limits::default() };
    fuzz(&Target { name: "area", runs: 60, seeds, words }, |input| {
        let texts = String::from_utf8_lossy(PARTED).into_owned();
        let mut parts = Vec::new();
        let mut rest = input;
        while let Some(at) = rest.windows(PARTED.len()).position(|window| window == texts.as_bytes()) {
            parts.push(&rest[..at]);
            rest = &rest[at + PARTED.len()..];
        }
        parts.push(rest);
        let files: Vec<AreaFile> = parts
            .iter()
            .zip(ENDINGS.iter().cycle())
            .map(|(bytes, ending)| AreaFile { name: format!("1.{ending}"), bytes: bytes.to_vec() })
            .collect();
        let plan =
            ImportPlan { zone: "weir", is_split: false, around: &[], catalog: &CATALOG, limits: &limits };
        let made = import(&files, plan);
        let mut content =
            needed.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect::<Vec<_>>();
        content.extend(made.files.iter().map(|(path, text)| {
            let path =
                path.strip_prefix("content/").map_or_else(|| "areas/weir.toml".to_owned(), str::to_owned);
            (path, text.clone())
        }));
        if let Err(mistakes) = Catalog::load(&content) {
            panic!("{mistakes:#?}");
        }
        let (_, zone) = made.files.last().expect("the zone");
        let area = Area::parse("zones/weir.toml", zone, &mut Vec::new()).expect("a zone");
        for room in &area.rooms {
            let names = [&room.sheet.name, &room.sheet.environment].into_iter().chain(&room.sheet.tags);
            assert!(names.into_iter().all(|name| name.chars().count() <= 60 && !name.is_empty()), "{room:?}");
            let texts = room.sheet.details.values().chain([&room.sheet.description]);
            let is_text =
                |text: &String| text.split('\n').all(|line| !line.is_empty() && line.trim_end() == line);
            assert!(texts.into_iter().all(is_text), "{room:?}");
            assert!(room.sheet.details.len() <= 3 && room.spawns.len() <= 3);
        }
        let report = made.report.to_string();
        assert!(report.len() < 2_000_000);
        outcome((made.report.counts, NoteKind::ALL.map(|kind| made.report.count(kind).min(3))))
    });
}
