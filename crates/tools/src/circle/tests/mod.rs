//! Imports of valid area files, malformed area files, and arbitrary bytes.

mod kept;
mod kept_scripts;

use crate::circle::*;
use deepwell_core::catalog::Area;
use proptest::prelude::*;
use std::sync::OnceLock;

/// Loads files of the test area.
macro_rules! of_area {
    ($folder:literal, $($name:literal),*) => {
        vec![$(AreaFile {
            name: $name.to_owned(),
            bytes: include_bytes!(concat!("../../../../../tests/data/circle/", $folder, "/", $name)).to_vec(),
        }),*]
    };
}

fn weir() -> Vec<AreaFile> {
    of_area!("weir", "71.mob", "71.obj", "71.qst", "71.shp", "71.trg", "71.wld", "71.zon")
}

fn broken() -> Vec<AreaFile> {
    of_area!("broken", "1.mob", "1.obj", "1.qst", "1.shp", "1.trg", "1.wld", "1.zon")
}

pub(super) fn imported(files: &[AreaFile]) -> Import {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    let catalog = CATALOG.get_or_init(Catalog::builtin);
    import(
        files,
        ImportPlan { zone: "weir", is_split: false, around: &[], catalog, limits: &Limits::default() },
    )
}

/// Returns the text of the output file at a path.
pub(super) fn file<'i>(import: &'i Import, path: &str) -> &'i str {
    let found = import.files.iter().find(|(own, _)| own == path);
    let known: Vec<&String> = import.files.iter().map(|(path, _)| path).collect();
    &found.unwrap_or_else(|| panic!("{path} is none of {known:?}")).1
}

pub(super) fn assert_has(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.contains(line), "{line}\nis not in\n{text}");
    }
}

/// Asserts that the output loads, together with the shipped rules and the one affect that items may name.
pub(super) fn assert_loads(import: &Import) {
    let shipped = ["affects/poisoned.toml", "rules.toml"];
    let mut files: Vec<(&str, &str)> =
        BUILTIN.iter().copied().filter(|(path, _)| shipped.contains(path)).collect();
    for (path, text) in &import.files {
        let area = path.strip_prefix("zones/").map(|_| "areas/weir.toml");
        files.push((area.unwrap_or_else(|| path.strip_prefix("content/").expect("a folder")), text.as_str()));
    }
    assert_eq!(files.iter().filter(|(path, _)| shipped.contains(path)).count(), 2);
    if let Err(mistakes) = Catalog::load(&files) {
        let messages: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        panic!("{messages:#?}");
    }
    let mut mistakes = Vec::new();
    let area = Area::parse("areas/weir.toml", file(import, "zones/weir.toml"), &mut mistakes);
    assert!(area.is_some() && mistakes.is_empty(), "{mistakes:?}");
}

#[test]
fn rooms_keep_texts_and_exits() {
    let import = imported(&weir());
    let zone = file(&import, "zones/weir.toml");
    assert_loads(&import);
    assert_has(
        zone,
        &[
            "key = \"weir_bridge\"\nname = \"Weir Bridge\"\nenvironment = \"street\"\n\
             description = \"Planks lie across the weir, and the river goes white below them. To the north stands a mill \
             with its wheel stopped; to the east a door of red oak closes the lock keeper's house.\\nA chain is bolted to \
             the rail.\\nAn old net hangs over the rail.\"\n",
            "tags = [\"vnum_7100\"]\nfights = true\n",
            "noun = \"chain, bolt\"\ntext = \"Every link has been filed at, and none is through.\"\n",
            "name = \"north\"\nto = \"mill_floor\"\ndescription = \"The mill leans a little towards the water.\"\n",
            "name = \"northwest\"\naliases = [\"nw\"]\nto = \"lock_keeper_s_house\"\n",
            "name = \"southeast\"\naliases = [\"se\"]\nto = \"mill_floor\"\n",
            "environment = \"underwater\"\ndescription = \"There is nothing here that would strike you.\"\n",
            "noun = \"sign, plan\"\ntext = \"+--------+\\n| ^    ^ |\\n+--------+\"\n",
        ],
    );
    assert!(!zone.contains("\nname = \"southwest\"\n"), "{zone}");
}

#[test]
fn doors_take_their_state_from_zone_commands() {
    let import = imported(&weir());
    assert_has(
        file(&import, "zones/weir.toml"),
        &[
            "name = \"east\"\nto = \"lock_keeper_s_house\"\ndoor = \"oak door\"\ndoor_key = \"weir_brass_key\"\n",
            "name = \"west\"\nto = \"weir_bridge\"\ndoor = \"oak door\"\ndoor_key = \"weir_brass_key\"\n",
            "name = \"down\"\nto = \"under_the_weir\"\ndoor = \"boards hatch\"\n",
            "name = \"up\"\nto = \"weir_bridge\"\ndoor = \"boards hatch\"\n",
        ],
    );
    assert_has(
        &import.report.to_string(),
        &[
            "71.wld:24: the door down of room 7100: is seen, although it was hidden\n",
            "71.wld:19: the way south of room 7100: left out: it leads to room 3001, which was not read\n",
            "71.wld:85: the way north of room 7103: left out: it leads nowhere\n",
            "71.zon:10: command D: left out: room 7101 has no exit 0\n",
        ],
    );
}

#[test]
fn creature_statistics_follow_from_the_level() {
    let import = imported(&weir());
    assert_has(
        file(&import, "content/mobs/weir_lock_keeper.toml"),
        &[
            "name = \"lock keeper\"\nwith_article = \"the lock keeper\"\nplural = \"lock keepers\"\n",
            "description = \"The lock keeper sits at her table and mends a net. She has the arms",
            "hp = 37\nattack = 13\ndefence = 3\nxp = 196\nfirst_difficulty = 9\n",
            "strikes = [\"punches\"]\ndeath = \"The lock keeper falls and lies still.\"\nloot = \"weir_lock_keeper\"\n",
        ],
    );
    let rat = file(&import, "content/mobs/weir_grey_water_rat.toml");
    assert_has(rat, &["part = \"sleep\"\n", "part = \"attack\"\n", "hp = 6\nattack = 4\n"]);
    let other = file(&import, "content/mobs/weir_grey_water_rat_7102.toml");
    assert_has(other, &["part = \"pack\"\nbonus = 0\n", "hp = 33\n"]);
    assert_has(
        file(&import, "content/mobs/weir_old_nessarin.toml"),
        &["with_article = \"Old Nessarin\"\n", "first_difficulty = 32\n", "part = \"attack\"\n"],
    );
    assert_has(
        file(&import, "content/loot/weir_lock_keeper.toml"),
        &[
            "coins_least = 25\n",
            "item_percent = 100\n",
            "item = \"weir_loaf_of_bread\"\n",
            "item = \"weir_oilskin_coat\"\n",
        ],
    );
    assert_has(
        &import.report.to_string(),
        &[
            "lock keeper (7100): left out: SPEC, NOCHARM, DETECT_ALIGN\n",
            "lock keeper (7100): left out, its level counts: chance to hit 15, armour class 3, alignment 350, sex 2, Str 17, \
             SavingSpell 4\n",
            "lock keeper (7100): item 7106 cannot be taken, and is left out\n",
            "grey water rat (7102): two creatures have it; 7101 keeps it too",
        ],
    );
}

#[test]
fn items_keep_slots_effects_and_capacity() {
    let import = imported(&weir());
    let item = |key: &str| file(&import, &format!("content/items/weir_{key}.toml")).to_owned();
    assert_has(
        &item("boat_hook"),
        &["class = \"weapon\"\nslot = \"hand\"\nweight = 360\nvalue = 32\nattack = 6\n"],
    );
    assert_has(
        &item("oilskin_coat"),
        &["class = \"armour\"\nslot = \"body\"\n", "defence = 3\nmax_hp = 5\n"],
    );
    assert_has(&item("brown_draught"), &["class = \"potion\"\n", "cures = [\"poisoned\"]\nheals = 8\n"]);
    assert_has(&item("loaf_of_bread"), &["class = \"food\"\n", "heals = 4\naffect = \"poisoned\"\n"]);
    assert_has(
        &item("notice"),
        &["description = \"A notice lies here. It says: The gates open at noon.\"\n"],
    );
    assert_has(&item("basket"), &["class = \"container\"\n", "holds = 6\n"]);
    assert_has(
        &item("waders"),
        &["class = \"armour\"\nslot = \"feet\"\n", "with_article = \"some waders\"\n"],
    );
    assert!(!item("belt_of_weights").contains("armour"), "it has no place");
    let report = import.report.to_string();
    assert_has(
        &report,
        &[
            "iron chest (7106): it cannot be taken, and is part of the text of room 7104 and a detail there\n",
            "pile of coins (7108): MONEY is left out\n",
            "brown draught (7104): spell 36 left out\n",
            "reed wand (7110): WAND is only carried and looked at\n",
            "waders (7112): attack -3 left out\n",
            "boat hook (7101): CON 1 left out\n",
            "belt of weights (7109): WAIST left out\n",
        ],
    );
}

#[test]
fn spawns_and_shop_stock_follow_zone_commands() {
    let import = imported(&weir());
    assert_has(
        file(&import, "zones/weir.toml"),
        &[
            "creature = \"weir_grey_water_rat\"\ncount = 2\nevery_secs = 1200\n",
            "item = \"weir_notice\"\ncount = 1\nevery_secs = 1200\n",
            "kind = \"shop\"\nenvironment = \"indoors\"\n",
            "stock = [\"weir_brown_draught 30 copper\", \"weir_loaf_of_bread 1 copper\", \"weir_oilskin_coat 135 copper x1\"]\n",
        ],
    );
    let report = &import.report;
    assert_eq!(report.made(), "five rooms, four creatures, ten items, one shop, two triggers and one quest");
    assert_eq!(report.count(NoteKind::Mistake), 0, "{report}");
    assert_has(
        &report.to_string(),
        &[
            "71.zon:23: command M: left out: creature 7190 was not read\n",
            "71.zon:27: command O: left out: money does not lie about\n",
            "71.zon:29: item 7107 in item 7111: lies beside item 7111 in room 7101\n",
            "71.zon:30: command R: left out: item 7105 stays in room 7101, if it is there\n",
            "71.mob:1: script 7101: left out: no .trg file has it\n",
        ],
    );
}

/// Every malformed record is reported with its line and left out, and the records behind it are read.
#[test]
fn malformed_records_are_reported_and_left_out() {
    let import = imported(&broken());
    assert_loads(&import);
    let zone = file(&import, "zones/weir.toml");
    assert_has(zone, &["name = \"Sound\"\n", "name = \"Last\"\n"]);
    assert_eq!(zone.matches("[[rooms]]").count(), 2, "{zone}");
    let report = import.report.to_string();
    assert_has(
        &report,
        &[
            "1.wld:1: outside of all records: left out",
            "1.wld:11: room 1: a second D0; left out\n",
            "1.wld:15: room 1: direction 12 is none; left out\n",
            "1.wld:20: room 1: left out: this stands behind the end of the record\n",
            "1.wld:23: room 2: left out: the description begins here and has no `~` at its end\n",
            "1.wld:28: room 3: left out: zone, flags and sector were expected\n",
            "1.wld:33: room 4: left out: flags and a sector were expected\n",
            "1.wld:42: room 5: left out: door, key and room of an exit was expected\n",
            "1.wld:48: room 6: left out: D, E or S was expected\n",
            "1.wld:53: room 7: left out: the record ends before the S at its end\n",
            "1.wld:54: room 1: a second one of this number; left out\n",
            "the end of the file: `$` is missing; all was read\n",
            "1.mob:8: creature 1: left out: level, chance to hit, armour class, hit points and damage were expected",
            "1.mob:27: creature 3: left out: type Z is none of S and E\n",
            "1.mob:41: creature 4: left out: `WORD: NUMBER` was expected\n",
            "creature 4: left out: the record ends before the E at its end\n",
            "1.mob:48: creature 5: left out: flags, affections, alignment and type were expected\n",
            "1.mob:53: behind the end of the file: left out",
            "1.obj:7: item 1: left out: four values was expected\n",
            "1.obj:17: item 2: the number of the record behind it is none; left out\n",
            "1.obj:28: item 4: left out: a place and a number was expected\n",
            "1.zon:4: zone 1: left out: first and last room, lifespan and mode were expected\n",
            "1.zon:9: zone 2: M needs 4 numbers; left out\n",
            "1.zon:10: zone 2: Q is no command; left out\n",
            "zone 2: the S at its end is missing; all commands were read\n",
            "1.shp:5: shop 1: left out: the price for buying was expected\n",
            "1.trg:20: script 2: left out: the owner, the events and a number were expected\n",
            "quest 2: left out: kind, master, flags, target, two quests and an item were expected\n",
        ],
    );
    assert!(import.files.iter().any(|(path, _)| path == "content/items/weir_mug.toml"), "{:?}", import.files);
    assert!(import.files.iter().any(|(path, _)| path == "content/mobs/weir_cat.toml"), "{:?}", import.files);
}

/// The same files give the same bytes, regardless of earlier imports.
#[test]
fn import_is_deterministic() {
    let (one, other) = (imported(&weir()), imported(&weir()));
    assert_eq!(one.files, other.files);
    assert_eq!(one.report.to_string(), other.report.to_string());
}

/// Generates words of area files and near misses.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> = vec![
        b"#1\n",
        b"#2\n",
        b"~\n",
        b"$\n",
        b"S\n",
        b"D0\n",
        b"E\n",
        b"A\n",
        b"T 1\n",
        b"0 -1 1\n",
        b"71 a 0\n",
        b"b 0 0 S\n",
        b"1 20 9 1d1+5 1d2+0\n",
        b"8 8 0\n",
        b"0 0\n",
        b"12 0 a\n",
        b"0 0 0 0\n",
        b"M 0 1 1 1\n",
        b"O 0 1 1 1\n",
        b"P 0 1 1 1\n",
        b"T 0 2 1 1\n",
        b"2 bcdgq 50\n",
        b"0 bcdfgjlmq 50\n",
        b"if %actor.level% > 3\n",
        b"elseif %random.3% == 1\n",
        b"else\n",
        b"end\n",
        b"say %actor.name%\n",
        b"%send% %actor% a\n",
        b"%load% obj 1\n",
        b"3 1 a 1 1 1 1\n",
        b"0 0 1 9 5 1 2\n",
        b"a rat~\n",
        b"@",
        b"&",
        b"\\~",
        b"\x1b[",
        b"\xff",
        b"\r\n",
        b"-9223372036854775808 ",
        b"99999999999999999999 ",
    ];
    prop_oneof![
        3 => proptest::sample::select(pieces).prop_map(<[u8]>::to_vec),
        1 => proptest::collection::vec(any::<u8>(), 0..12),
        1 => "(?s).{0,12}".prop_map(String::into_bytes),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// An import of arbitrary bytes terminates, and its output loads.
    #[test]
    fn import_of_arbitrary_bytes_terminates_and_loads(files in proptest::collection::vec(proptest::collection::vec(piece(), 0..60), 7)) {
        let files: Vec<AreaFile> = files.into_iter().zip(ENDINGS).map(|(pieces, ending)| {
            AreaFile { name: format!("1.{ending}"), bytes: pieces.concat() }
        }).collect();
        assert_loads(&imported(&files));
    }
}
