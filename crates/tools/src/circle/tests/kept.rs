//! Tests that an import outputs everything that it does not report as left out: for generated areas, and for an area
//! with every form of record.

use std::fmt::Write as _;

use proptest::prelude::*;

use crate::circle::*;
use deepwell_core::catalog::{Area, AreaRoom, RoomFlag};
use deepwell_core::data::Position;

/// Loads files of the test area with every form of record.
macro_rules! shapes {
    ($($name:literal),*) => {
        vec![$(AreaFile {
            name: $name.to_owned(),
            bytes: include_bytes!(concat!("../../../../../tests/data/circle/shapes/", $name)).to_vec(),
        }),*]
    };
}

fn file(name: &str, text: &str) -> AreaFile {
    AreaFile { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
}

fn imported(files: &[AreaFile], around: &[Around], limits: &Limits, is_split: bool) -> Import {
    static CATALOG: std::sync::OnceLock<Catalog> = std::sync::OnceLock::new();
    let catalog = CATALOG.get_or_init(Catalog::builtin);
    import(files, ImportPlan { zone: "z", is_split, around, catalog, limits })
}

fn plainly(files: &[AreaFile]) -> Import {
    imported(files, &[], &Limits::default(), false)
}

fn text<'i>(import: &'i Import, path: &str) -> &'i str {
    import.files.iter().find(|(own, _)| own == path).map_or("", |(_, text)| text)
}

fn zone(import: &Import, key: &str) -> Area {
    let mut mistakes = Vec::new();
    let path = format!("zones/{key}.toml");
    let area = Area::parse(&path, text(import, &path), &mut mistakes);
    assert!(mistakes.is_empty(), "{mistakes:?}");
    area.unwrap_or_else(|| panic!("no zone {key}"))
}

fn room(area: &Area, number: i64) -> &AreaRoom {
    let tag = format!("vnum_{number}");
    area.rooms
        .iter()
        .find(|room| room.sheet.tags.contains(&tag))
        .unwrap_or_else(|| panic!("no room {number}"))
}

fn plain_room(number: i64, exits: &[(usize, i64)]) -> String {
    let mut text = format!("#{number}\nRoom {number}~\nA room.\n~\n0 0 0\n");
    for (direction, to) in exits {
        let _ = write!(text, "D{direction}\n~\n~\n0 -1 {to}\n");
    }
    text + "S\n"
}

#[test]
fn every_form_of_record_is_imported() {
    let files = shapes!("90.mob", "90.obj", "90.qst", "90.shp", "90.trg", "90.wld", "90.zon");
    let import = plainly(&files);
    let report = import.report.to_string();
    assert_eq!(import.report.count(NoteKind::Mistake), 0, "{report}");
    assert_eq!(
        import.report.made(),
        "five rooms, three creatures, 21 items, one shop, three triggers and one quest"
    );
    let area = zone(&import, "z");
    let stage = room(&area, 9000);
    for text in ["The R&D of the boat builders", "bob@lake.example", "\nA lake fountain is here."] {
        assert!(stage.sheet.description.contains(text), "{text}\n{}", stage.sheet.description);
    }
    assert_eq!(
        stage.sheet.details["board, map"],
        "+--------+\n|   N    |\n| W + E  |\n|   S    |\n+--------+"
    );
    assert_eq!(stage.sheet.details["lake, fountain"], "The mark of the fountain is a fish.");
    assert!(
        !room(&area, 9001).sheet.flags.contains(&RoomFlag::Fights)
            && room(&area, 9004).sheet.environment == "underwater"
    );
    for (number, name, door, opens) in [
        (9000, "east", Some("tarred door"), Some("z_tarred_key")),
        (9002, "west", Some("tarred door"), Some("z_tarred_key")),
        (9000, "up", Some("hatch"), None),
        (9001, "northwest", None, None),
        (9004, "southeast", Some("door"), None),
    ] {
        let exit = room(&area, number).exits.iter().find(|exit| exit.name == name).expect(name);
        let word = |named: &Option<(Position, String)>| named.as_ref().map(|(_, word)| word.clone());
        assert_eq!((word(&exit.door).as_deref(), word(&exit.door_key).as_deref()), (door, opens), "{name}");
    }
    for (number, key, count) in
        [(9001, "z_simple_heron", 2), (9003, "z_lake_container", 1), (9004, "z_pike", 1)]
    {
        let spawns = &room(&area, number).spawns;
        let found = spawns.iter().find(|spawn| spawn.what().is_some_and(|(_, own)| own == key));
        assert_eq!(found.map(|spawn| spawn.count), Some(count), "{key}");
    }
    let tarrer = text(&import, "content/mobs/z_tarrer_woman.toml");
    assert!(
        tarrer.contains("The tarrer woman stirs a pot. Her sleeves are black") && tarrer.contains("pounds")
    );
    let loot = text(&import, "content/loot/z_tarrer_woman.toml");
    for item in ["z_lake_weapon", "z_lake_armor", "z_lake_potion"] {
        assert!(loot.contains(item), "{item}\n{loot}");
    }
    for line in [
        "`set rung 1` left out: there is no line for it",
        "90.zon:18: item 9108 in item 9115: lies beside",
        "90.zon:24: command R: left out",
        "StrAdd 40",
        "`&D`: left as it is",
        "lake money (9120): MONEY is left out",
    ] {
        assert!(report.contains(line), "{line}\n{report}");
    }
}

#[test]
fn exits_to_neighbouring_files_are_kept() {
    let files = [file("1.wld", &(plain_room(100, &[(1, 200), (2, 300), (3, 400)]) + "$~\n"))];
    let around = [("2.wld", Some("z2"), 200), ("3.wld", None, 300)].map(|(name, zone, number)| Around {
        file: file(name, &(plain_room(number, &[(3, 100)]) + "$~\n")),
        zone: zone.map(str::to_owned),
    });
    let import = imported(&files, &around, &Limits::default(), false);
    let area = zone(&import, "z");
    let exits: Vec<_> = area.rooms[0].exits.iter().filter_map(|exit| exit.to.clone()).collect();
    assert_eq!(exits.iter().map(|(_, to)| to.as_str()).collect::<Vec<_>>(), ["z2/room_200"]);
    assert_eq!(text(&import, WAYS), "z/room_100 south: room 300 of 3.wld, Room 300\n");
    let report = import.report.to_string();
    assert!(report.contains("1.wld:10: the way south of room 100: kept in ways.txt: "), "{report}");
    assert!(report.contains("it leads to room 400, which was not read"), "{report}");
    assert_eq!((import.report.count(NoteKind::Beyond), import.report.count(NoteKind::Way)), (2, 1));
}

#[test]
fn rooms_above_the_zone_limit_are_split() {
    let limits = Limits { zone_rooms: 100, ..Limits::default() };
    let rooms: String = (1..=250).map(|number| plain_room(number, &[(0, number % 250 + 1)])).collect();
    let import = imported(&[file("3.wld", &(rooms + "$~\n"))], &[], &limits, false);
    assert_eq!(import.report.count(NoteKind::Mistake), 0, "{}", import.report);
    assert_eq!(import.report.count(NoteKind::Way), 0, "{}", import.report);
    let zones = ["z", "z_2", "z_3"].map(|key| zone(&import, key));
    assert_eq!(zones.iter().map(|area| area.rooms.len()).collect::<Vec<_>>(), [99, 100, 51]);
    let to = |area: &Area, number| room(area, number).exits[0].to.clone().map(|(_, to)| to);
    assert_eq!(to(&zones[0], 1).as_deref(), Some("room_2"));
    assert_eq!(to(&zones[0], 99).as_deref(), Some("z_2/room_100"));
    assert_eq!(to(&zones[2], 250).as_deref(), Some("z/room_1"));
}

#[test]
fn split_makes_one_zone_per_file() {
    let files = [(1, 100, 200), (2, 200, 100)]
        .map(|(name, own, to)| file(&format!("{name}.wld"), &(plain_room(own, &[(1, to)]) + "$~\n")));
    let import = imported(&files, &[], &Limits::default(), true);
    for (key, to) in [("z_1", "z_2/room_200"), ("z_2", "z_1/room_100")] {
        let area = zone(&import, key);
        assert_eq!(area.rooms[0].exits[0].to.as_ref().map(|(_, to)| to.as_str()), Some(to));
    }
}

#[test]
fn unknown_formats_and_empty_files_are_reported() {
    for (name, content, message) in [
        ("midgaard.are", "#AREA Midgaard~\n#ROOMS\n#3001\n", "Merc, ROM and SMAUG"),
        ("1.wld", "#AREADATA\nName Midgaard~\n", "Merc, ROM and SMAUG"),
        ("1.wld", " \n", "it is empty"),
        ("notes.txt", "Hello", "its ending is none of"),
    ] {
        let import = plainly(&[file(name, content)]);
        assert_eq!(import.report.count(NoteKind::Mistake), 1, "{name}");
        assert!(import.report.to_string().contains(message), "{name}: {}", import.report);
    }
}

#[test]
fn pictures_keep_their_spaces_in_all_texts() {
    let picture = "+----+\n| IN |\n|    |\n+----+";
    let rooms = format!("#1\nMap~\nA map hangs here.\n{picture}\n~\n0 0 0\nE\nplan~\n{picture}\n~\nS\n$~\n");
    let thing = |number: i64, worn: i64| {
        format!(
            "#{number}\nsign{number}~\na sign{number}~\nA sign.~\n~\n12 0 {worn}\n0 0 0 0\n0 0 0\nE\nsign{number}~\n{picture}\n~\n"
        )
    };
    let items = thing(1, 0) + &thing(2, 1) + "$~\n";
    let zone_file = "#0\nZ~\n0 99 10 2\nO 0 1 1 1\nO 0 2 1 1\nS\n$~\n";
    let import = plainly(&[file("0.wld", &rooms), file("0.obj", &items), file("0.zon", zone_file)]);
    let area = zone(&import, "z");
    assert!(area.rooms[0].sheet.description.starts_with(&format!("A map hangs here.\n{picture}\n")));
    assert_eq!(
        (area.rooms[0].sheet.details["plan"].as_str(), area.rooms[0].sheet.details["sign1"].as_str()),
        (picture, picture)
    );
    assert!(text(&import, "content/items/z_sign2.toml").contains(r"+----+\n| IN |\n|    |\n+----+"));
}

/// A generated area: exits of rooms, takeable and fixed items, and commands.
#[derive(Clone, Debug)]
struct Sketch {
    /// Per room: direction, room, door and key.
    exits: Vec<Vec<(usize, i64, i64, i64)>>,
    /// Per item: `true` if it can be taken.
    taken: Vec<bool>,
    mobs: i64,
    commands: Vec<(char, i64, i64, i64)>,
}

fn sketch() -> impl Strategy<Value = Sketch> {
    let exits = proptest::collection::vec((0_usize..10, 0_i64..8, 0_i64..5, 0_i64..6), 0..5);
    let letter = proptest::sample::select(vec!['M', 'O', 'G', 'E', 'P', 'D', 'R']);
    let commands = proptest::collection::vec((letter, 0_i64..7, 0_i64..7, 0_i64..7), 0..24);
    let rooms = proptest::collection::vec(exits, 1..7);
    (rooms, proptest::collection::vec(any::<bool>(), 0..6), 0_i64..6, commands).prop_map(
        |(mut exits, taken, mobs, commands)| {
            for exits in &mut exits {
                exits.sort_unstable();
                exits.dedup_by_key(|(direction, ..)| *direction);
            }
            Sketch { exits, taken, mobs, commands }
        },
    )
}

impl Sketch {
    fn files(&self) -> Vec<AreaFile> {
        let (mut rooms, mut mobs, mut items) = (String::new(), String::new(), String::new());
        for (number, exits) in (1_i64..).zip(&self.exits) {
            let _ = write!(rooms, "#{number}\nHall{number}~\nWalls{number} of stone.\n~\n0 0 0\n");
            for (direction, to, door, key) in exits {
                let _ = write!(
                    rooms,
                    "D{direction}\nSight{number}x{direction}.\n~\ndoor{number}~\n{door} {key} {to}\n"
                );
            }
            let _ = write!(rooms, "E\nnoun{number} other~\nDetail{number}.\n~\nS\n");
        }
        for number in 1..=self.mobs {
            let _ = write!(
                mobs,
                "#{number}\nbeast{number}~\na beast{number}~\nIt sits{number}.\n~\nFur{number}.\n~\nb 0 0 S\n\
                 1 20 9 1d1+5 1d2+0\n0 0\n8 8 0\n"
            );
        }
        for (number, is_taken) in (1_i64..).zip(&self.taken) {
            let _ = write!(
                items,
                "#{number}\ntool{number}~\na tool{number}~\nLies{number}.~\n~\n15 0 {}\n50 0 0 0\n1 1 1\nE\n\
                 tool{number}~\nMark{number}.\n~\n",
                i64::from(*is_taken)
            );
        }
        let mut commands = String::from("#0\nZ~\n0 99 10 2\n");
        for (letter, one, two, three) in &self.commands {
            let _ = match letter {
                'D' => writeln!(commands, "D 0 {one} {two} {}", three % 3),
                'G' | 'R' => writeln!(commands, "{letter} 0 {one} {two}"),
                _ => writeln!(commands, "{letter} 0 {one} {two} {three}"),
            };
        }
        [("wld", rooms), ("mob", mobs), ("obj", items), ("zon", commands + "S\n")]
            .map(|(ending, text)| file(&format!("0.{ending}"), &(text + "$~\n")))
            .to_vec()
    }

    /// Returns the line number of a command in its file.
    fn line(at: usize) -> usize {
        at + 4
    }
}

fn assert_rooms_are_kept(sketch: &Sketch, import: &Import, area: &Area) -> Result<(), TestCaseError> {
    let report = import.report.to_string();
    for (number, exits) in (1_i64..).zip(&sketch.exits) {
        let kept = room(area, number);
        prop_assert_eq!(&kept.sheet.name, &format!("Hall{number}"));
        let description = format!("Walls{number} of stone.");
        prop_assert!(kept.sheet.description.contains(&description));
        prop_assert_eq!(&kept.sheet.details[&format!("noun{number}, other")], &format!("Detail{number}."));
        for (direction, to, door, _) in exits {
            let name = records::room::DIRECTIONS[*direction].0;
            if report.contains(&format!("the way {name} of room {number}: left out")) {
                continue;
            }
            let exit = kept.exits.iter().find(|exit| exit.name == name);
            let exit = exit.ok_or_else(|| TestCaseError::fail(format!("{name} of room {number} is lost")))?;
            let far = room(area, *to);
            prop_assert_eq!(exit.to.as_ref().map(|(_, to)| to), Some(&far.key));
            prop_assert_eq!(exit.description.clone(), Some(format!("Sight{number}x{direction}.")));
            prop_assert_eq!(exit.door.is_some(), *door > 0);
        }
    }
    Ok(())
}

fn assert_prototypes_are_kept(sketch: &Sketch, import: &Import, area: &Area) -> Result<(), TestCaseError> {
    let report = import.report.to_string();
    for number in 1..=sketch.mobs {
        let mob = text(import, &format!("content/mobs/z_beast{number}.toml"));
        prop_assert!(mob.contains(&format!("It sits{number}. Fur{number}.")), "{}", mob);
    }
    for (number, is_taken) in (1_i64..).zip(&sketch.taken) {
        if *is_taken {
            let item = text(import, &format!("content/items/z_tool{number}.toml"));
            prop_assert!(
                item.contains(&format!("Mark{number}.")) && item.contains("holds = 5\n"),
                "{}",
                item
            );
            continue;
        }
        let note = format!("tool{number} ({number}): it cannot be taken, and ");
        prop_assert!(report.contains(&note), "{}\n{}", note, report);
        let at = report.lines().filter(|line| line.contains(&note));
        for line in at.filter(|line| line.contains("part of the text of room ")) {
            let of = line.split("text of room ").nth(1).and_then(|rest| rest.split(' ').next());
            let kept = room(area, of.and_then(|of| of.parse().ok()).unwrap_or_default());
            let description = format!("Lies{number}.");
            prop_assert!(kept.sheet.description.contains(&description));
            prop_assert_eq!(&kept.sheet.details[&format!("tool{number}")], &format!("Mark{number}."));
        }
    }
    Ok(())
}

fn assert_commands_are_kept(sketch: &Sketch, import: &Import, area: &Area) -> Result<(), TestCaseError> {
    let report = import.report.to_string();
    let mut counts = BTreeMap::<(String, i64), u32>::new();
    let mut mob = None;
    for (at, (letter, one, two, three)) in sketch.commands.iter().enumerate() {
        let place = format!("0.zon:{}: ", Sketch::line(at));
        let is_told = report.contains(&place);
        let is_left_out = report.contains(&format!("{place}command "));
        let is_fixed =
            |thing: i64| usize::try_from(thing - 1).ok().and_then(|at| sketch.taken.get(at)) == Some(&false);
        match letter {
            'M' => mob = (!is_left_out).then_some(*one),
            'G' | 'E' if !is_left_out && !is_fixed(*one) => {
                let loot = text(import, &format!("content/loot/z_beast{}.toml", mob.unwrap_or_default()));
                prop_assert!(loot.contains(&format!("\"z_tool{one}\"")), "{}{}\n{}", place, loot, report);
            }
            'R' => prop_assert!(is_told),
            'D' if !is_left_out => {
                let direction = usize::try_from(*two).unwrap_or_default();
                let exit = sketch.exits[usize::try_from(one - 1).unwrap_or_default()].iter();
                prop_assert!(exit.clone().any(|(own, _, door, _)| *own == direction && *door > 0));
            }
            _ => {}
        }
        let (key, room) = match letter {
            'M' => (format!("z_beast{one}"), *three),
            'O' if !is_fixed(*one) => (format!("z_tool{one}"), *three),
            'P' if is_told && !is_left_out && !is_fixed(*one) => {
                let line = report.lines().find(|line| line.contains(&place)).unwrap_or_default();
                let of = line.rsplit("in room ").next().and_then(|of| of.parse().ok());
                (format!("z_tool{one}"), of.unwrap_or_default())
            }
            _ => continue,
        };
        if !is_left_out {
            *counts.entry((key, room)).or_default() += 1;
        }
    }
    for ((key, number), count) in counts {
        let spawns = &room(area, number).spawns;
        let found = spawns.iter().find(|spawn| spawn.what().is_some_and(|(_, own)| *own == key));
        prop_assert_eq!(
            found.map(|spawn| spawn.count),
            Some(count),
            "{} in room {}\n{}",
            key,
            number,
            report
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Texts, exits, doors, creatures, items and commands are in the output or named in the report.
    #[test]
    fn unreported_features_are_in_the_output(sketch in sketch()) {
        let import = plainly(&sketch.files());
        prop_assert_eq!(import.report.count(NoteKind::Mistake), 0, "{}", import.report);
        let area = zone(&import, "z");
        assert_rooms_are_kept(&sketch, &import, &area)?;
        assert_prototypes_are_kept(&sketch, &import, &area)?;
        assert_commands_are_kept(&sketch, &import, &area)?;
    }
}
