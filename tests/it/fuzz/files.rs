//! What operators and builders write: settings and content.

use super::{Draws, Target, fuzz, outcome};
use deepwell::catalog::{BUILTIN, Catalog};
use deepwell::server::config::{Config, Sources};

/// Words of a file in TOML.
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

/// O2: settings are taken or refused with the place of each mistake; what is in force can be printed and read back.
#[test]
fn settings_are_read_back_as_they_are_printed() {
    let shipped = Config::shipped();
    let sections: Vec<Vec<u8>> =
        shipped.split("\n[").map(|section| format!("[{section}").into_bytes()).collect();
    let seeds = sections.into_iter().chain([b"[game]\nround = \"2s\"\n".to_vec()]).collect();
    let keys: Vec<&str> = shipped.lines().filter(|line| !line.starts_with('#')).collect();
    fuzz(&Target { name: "config", runs: 1_500, seeds, words: toml_words(&keys) }, |input| {
        let read = |text: String| {
            Sources { file: Some(("config.toml".to_owned(), text)), ..Sources::default() }.check()
        };
        match read(String::from_utf8_lossy(input).into_owned()) {
            Ok(effective) => {
                let printed = effective.print();
                let again =
                    read(printed.clone()).unwrap_or_else(|mistakes| panic!("{mistakes:?} in\n{printed}"));
                assert_eq!(again.config, effective.config);
                outcome(printed.len() / 8)
            }
            Err(mistakes) => {
                let told: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
                assert!(told.iter().all(|told| told.contains("config.toml:")), "{told:?}");
                outcome((told.len().min(5), told.first().map(|told| told.len() / 8)))
            }
        }
    });
}

/// E38, O2: content is taken, or refused with the file, the line and the column of each mistake.
#[test]
fn content_is_read_or_its_mistakes_are_placed() {
    // The first bytes say which file.
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
        // What follows replaces a part of the file, at a place that the input says.
        let at = text.floor_char_boundary(draws.below(text.len().max(1)));
        let length = draws.below(64);
        let end = text.ceil_char_boundary((at + length).min(text.len()));
        text.replace_range(at..end, &String::from_utf8_lossy(draws.0));
        let path = *path;
        // Themes and levels refer to everything and take long to read: mostly they are left out.
        let is_large = |path: &str| path.starts_with("themes/") || path.starts_with("levels/");
        if !is_large(path) && at % 8 > 0 {
            files.retain(|(path, _)| !is_large(path));
        }
        match Catalog::load(&files) {
            Ok(_) => outcome((path, true)),
            Err(mistakes) => {
                let told: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
                assert!(!told.is_empty() && told.iter().all(|told| told.contains(':')), "{told:?}");
                outcome((path, told.len().min(4)))
            }
        }
    });
}
