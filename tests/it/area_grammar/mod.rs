//! Area files of any form that the published grammar allows: the import keeps every record that an independent parser
//! finds, the zone comes into a world, and its export says the same.

mod reader;
mod writer;

use crate::table::{Table, seeded};
use crate::workshop::Workshop;
use deepwell::base::limits::Limits;
use deepwell::catalog::{Area, AreaRoom, BUILTIN, Catalog, RoomKind};
use deepwell::tools::circle::{AreaFile, Import, ImportPlan, NoteKind, import};
use reader::{Item, Lines, Room};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use writer::Writer;

/// Number of areas, unless `DEEPWELL_AREAS` gives another.
const AREAS: u64 = 4;
const DIRECTIONS: [&str; 10] =
    ["north", "east", "south", "west", "up", "down", "northwest", "northeast", "southeast", "southwest"];

/// The files of an area, and the result of their import.
struct Converted {
    files: BTreeMap<String, String>,
    import: Import,
    report: String,
    zone: Area,
}

fn area_of(text: &str) -> Area {
    let mut mistakes = Vec::new();
    let area = Area::parse("zones/gen.toml", text, &mut mistakes);
    assert!(mistakes.is_empty(), "{mistakes:?}");
    area.expect("a zone")
}

fn converted(seed: u64) -> Converted {
    let files = Writer::new(seed).files();
    let sources: Vec<AreaFile> = files
        .iter()
        .map(|(name, text)| AreaFile { name: name.clone(), bytes: text.clone().into() })
        .collect();
    let catalog = Catalog::builtin();
    let plan = ImportPlan {
        zone: "gen",
        is_split: false,
        around: &[],
        catalog: &catalog,
        limits: &Limits::default(),
    };
    let import = import(&sources, plan);
    let report = import.report.to_string();
    let zone = area_of(&import.files.iter().find(|(path, _)| path == "zones/gen.toml").expect("a zone").1);
    Converted { files: files.into_iter().collect(), import, report, zone }
}

/// Returns the words of a text. Lines of a picture and of prose differ only in the blanks between them.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn assert_details(room: &Room, kept: &AreaRoom) {
    let mut seen = BTreeSet::new();
    for (keywords, text) in room.details.iter().filter(|(keywords, _)| seen.insert(keywords)) {
        let nouns = words(keywords).join(", ");
        let detail =
            kept.sheet.details.get(&nouns).unwrap_or_else(|| panic!("{nouns} of room {}", room.number));
        assert_eq!(words(detail), words(text));
        // Lines of a picture keep their blanks, and are lines of their own.
        for line in text.lines().filter(|line| line.contains("+--")) {
            assert!(detail.lines().any(|own| own == line.trim_end()), "{line:?} of {detail:?}");
        }
    }
}

impl Converted {
    fn lines(&self, ending: &str) -> Lines<'_> {
        Lines::of(&self.files[&format!("7.{ending}")])
    }

    fn tells(&self, phrase: &str) -> bool {
        self.report.contains(phrase)
    }

    fn made(&self, folder: &str, name: &str) -> Option<&str> {
        let line = format!("name = \"{name}\"\n");
        let is_meant = |(path, text): &&(String, String)| path.starts_with(folder) && text.starts_with(&line);
        self.import.files.iter().find(is_meant).map(|(_, text)| text.as_str())
    }

    fn room(&self, number: i64) -> &AreaRoom {
        let tag = format!("vnum_{number}");
        self.zone
            .rooms
            .iter()
            .find(|room| room.sheet.tags.contains(&tag))
            .unwrap_or_else(|| panic!("room {number} is lost"))
    }

    fn assert_rooms(&self) {
        let rooms = self.lines("wld").rooms();
        assert_eq!(rooms.len(), self.zone.rooms.len());
        for room in &rooms {
            let kept = self.room(room.number);
            assert_eq!(kept.sheet.name, words(&room.name).join(" "));
            let (description, meant) = (words(&kept.sheet.description), words(&room.text));
            assert!(
                description.starts_with(&meant),
                "room {}: {description:?} does not begin with {meant:?}",
                room.number
            );
            assert_details(room, kept);
            self.assert_exits(room, kept);
        }
    }

    fn assert_exits(&self, room: &Room, kept: &AreaRoom) {
        for (direction, text, _, numbers) in &room.exits {
            let name = DIRECTIONS[*direction];
            if self.tells(&format!("the way {name} of room {}: left out", room.number)) {
                assert_eq!(numbers[2], -1);
                continue;
            }
            let exit = kept.exits.iter().find(|exit| exit.name == name).expect(name);
            assert_eq!(exit.to.as_ref().map(|(_, to)| to), Some(&self.room(numbers[2]).key));
            assert_eq!(words(exit.description.as_deref().unwrap_or_default()), words(text));
            assert_eq!(exit.door.is_some(), numbers[0] > 0, "{name} of room {}", room.number);
        }
    }

    fn assert_things(&self, things: &[Item], folder: &str) {
        for Item { number, short, texts, .. } in things {
            // Without the article.
            let name = words(short)[1..].join(" ");
            let Some(text) = self.made(folder, &name) else {
                assert!(
                    self.tells(&format!("{name} ({number}): it cannot be taken")),
                    "{name} is lost\n{}",
                    self.report
                );
                continue;
            };
            let description = text.lines().find(|line| line.starts_with("description = ")).expect("a text");
            let whole = words(
                &description
                    .replace("\\n", " ")
                    .replace("\\\"", "\"")
                    .replace("\\\\", "\\")
                    .replace("description = \"", ""),
            );
            let has = |text: &String| {
                let mut meant = words(text);
                // The quotation mark behind the last word.
                meant.pop();
                whole.windows(meant.len().max(1)).any(|part| part == meant)
            };
            assert!(texts.iter().any(has), "{texts:?}\n{description}");
        }
    }

    fn assert_scripts(&self) {
        let triggers = self.lines("trg").triggers();
        let rooms = self.lines("wld").rooms().into_iter().flat_map(|room| room.scripts);
        let others = [self.lines("mob").creatures(), self.lines("obj").objects()].into_iter().flatten();
        let used: BTreeSet<i64> = rooms.chain(others.flat_map(|item| item.scripts)).collect();
        for number in triggers.iter().map(|(number, _)| *number).chain(used) {
            assert!(
                self.tells(&format!(": script {number}")),
                "script {number} is neither kept nor reported"
            );
        }
    }

    fn assert_commands(&self) {
        for (line, letter, numbers) in self.lines("zon").zone() {
            if self.tells(&format!("7.zon:{line}: ")) {
                continue;
            }
            let item = numbers[1];
            let (name, room) = match letter {
                'M' => (format!("gen_grey_beast{item}"), numbers[3]),
                'O' => (format!("gen_odd_thing{item}"), numbers[3]),
                _ => continue,
            };
            let kept = self.room(room);
            let spawns = kept.spawns.iter().any(|spawn| spawn.what().is_some_and(|(_, key)| *key == name));
            assert!(
                spawns || self.tells(&format!("({item}): it cannot be taken")),
                "line {line}: {name} in {room}"
            );
        }
    }

    fn assert_shops(&self) {
        let shops = self.lines("shp").shops();
        let kept = self.import.report.first(NoteKind::KeptShop, usize::MAX);
        let is_shop = |room: &&AreaRoom| room.sheet.kind == RoomKind::Shop;
        assert_eq!(self.zone.rooms.iter().filter(is_shop).count(), kept.len());
        for shop in shops {
            let heading = format!("shop {}: ", shop.number);
            assert!(self.tells(&heading), "{heading}{}", self.report);
            let keeper = format!("gen_grey_beast{}", shop.keeper);
            let has_keeper = |room: &AreaRoom| {
                room.spawns.iter().any(|spawn| spawn.what().is_some_and(|(_, key)| *key == keeper))
            };
            let places: BTreeSet<i64> = shop.rooms.iter().copied().collect();
            for number in places.iter().filter(|number| has_keeper(self.room(**number))) {
                assert_eq!(
                    self.room(*number).sheet.kind,
                    RoomKind::Shop,
                    "{heading}room {number}\n{}",
                    self.report
                );
            }
        }
    }

    fn assert_kept(&self) {
        assert_eq!(self.import.report.count(NoteKind::Mistake), 0, "{}", self.report);
        let (creatures, objects) = (self.lines("mob").creatures(), self.lines("obj").objects());
        let mades = self.import.report.counts;
        assert_eq!(mades[0] as usize, self.lines("wld").rooms().len());
        assert_eq!(mades[1] as usize, creatures.len());
        self.assert_rooms();
        self.assert_things(&creatures, "content/mobs/");
        self.assert_things(&objects, "content/items/");
        self.assert_scripts();
        self.assert_commands();
        self.assert_shops();
        for (number, name) in self.lines("qst").quests() {
            let is_kept = self.made("content/quests/", &name).is_some();
            assert!(is_kept || self.tells(&format!("quest {number}")), "{name} is lost");
        }
    }

    /// Takes the zone into a world with the converted definitions, and returns its export.
    fn exported(&self) -> String {
        let made = self
            .import
            .files
            .iter()
            .filter_map(|(path, text)| Some((path.strip_prefix("content/")?, text.as_str())));
        let files: Vec<(&str, &str)> = BUILTIN.iter().copied().chain(made).collect();
        let catalog = Arc::new(Catalog::load(&files).unwrap_or_else(|mistakes| panic!("{mistakes:#?}")));
        let mut table = Table::with_content(seeded(5), &catalog);
        table.sit("Olad");
        table.make_owner("Olad");
        let zone =
            self.import.files.iter().find(|(path, _)| path == "zones/gen.toml").expect("a zone").1.clone();
        let mut shop = Workshop { files: [("gen".to_owned(), zone)].into(), ..Workshop::beside(table) };
        let answer = shop.types("Olad", "zone import gen");
        assert!(answer.contains("The zone gen is as its file says"), "{answer}");
        shop.files.clear();
        shop.exported("gen")
    }
}

#[test]
fn areas_of_every_legal_form_come_into_the_world_and_out_again() {
    let count = std::env::var("DEEPWELL_AREAS").ok().and_then(|count| count.parse().ok()).unwrap_or(AREAS);
    let first = std::env::var("DEEPWELL_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    for seed in first..first + count {
        println!("seed {seed}");
        let converted = converted(seed);
        converted.assert_kept();
        let written =
            &converted.import.files.iter().find(|(path, _)| path == "zones/gen.toml").expect("a zone").1;
        // The world adds the places of the rooms.
        let exported = converted.exported();
        let exported = exported.lines().filter(|line| !line.starts_with("at = "));
        assert!(exported.eq(written.lines()), "seed {seed}: {written}");
    }
}

/// A sign, whose lines begin with blanks, is the same in a zone file, in content, and after it was typed.
#[test]
fn one_text_is_read_by_files_content_and_commands() {
    let sign = "   +------+\n   | West |\n  /+------+--+\n/__| gate.  |";
    let quoted = deepwell::data::edit::quoted(sign);
    // With the blanks at line ends and the empty lines that editors leave in files.
    let loose = quoted.replace("\\n", "  \\n\\n").replace("gate.  |\"", "gate.  |\\n\"");
    for text in [&quoted, &loose] {
        let zone = format!(
            "[[rooms]]\nkey = \"yard\"\nname = \"Yard\"\nenvironment = \"street\"\ndescription = {text}\n\n\
             [[rooms.details]]\nnoun = \"sign\"\ntext = {text}\n\n[[rooms.exits]]\nname = \"north\"\nto = \"yard\"\ndescription = {text}\n"
        );
        let mut shop = Workshop::open();
        shop.files.insert("mill".into(), zone.clone());
        let answer = shop.types("Olad", "zone import mill");
        assert!(answer.contains("as its file says"), "{answer}");
        shop.files.clear();
        let exported = shop.exported("mill");
        assert_eq!(exported.matches(&quoted).count(), 3, "{exported}");
        assert_eq!(area_of(&zone).rooms, area_of(&zone.replace(text.as_str(), &quoted)).rooms);
        shop.types("Olad", "goto yard");
        for (line, about) in
            [("describe here", "look"), ("detail plan", "look plan"), ("describe north", "look north")]
        {
            let typed = format!("{line} = \\n {}", sign.replace('\n', " \\n "));
            shop.types("Olad", &typed);
            let seen = shop.types("Olad", about);
            assert!(seen.contains(sign), "{about}: {seen}");
        }
        assert_eq!(shop.exported("mill").matches(&quoted).count(), 4);
        let item = format!("name = \"sign\"\ndescription = {text}\n");
        let catalog = Catalog::load(
            &BUILTIN.iter().copied().chain([("items/sign.toml", item.as_str())]).collect::<Vec<_>>(),
        );
        assert_eq!(catalog.expect("an item").items["sign"].description, sign);
    }
}
