//! Names and descriptions of rooms over many seeds.

use super::*;
use crate::base::{Point, Seed};
use crate::catalog::Catalog;
use crate::dungeon::Growth;
use std::collections::BTreeSet;

pub(in crate::dungeon) fn room_at(depth: u32, new_exits: &[Direction]) -> RoomPlan {
    let at = Point::new(0, i32::try_from(depth).unwrap());
    let growth = Growth { at, depth, new_exits: new_exits.to_vec(), ..Growth::default() };
    RoomPlan::bare(growth, RoomKind::Dungeon, 0)
}

fn told(room: &mut RoomPlan, theme: &Theme, seed: u64, space: Option<&Space>) {
    let spec = BranchSpec::of(&Catalog::default(), &theme.key, Seed(seed));
    let recent = &Recent::default();
    let (back, statements) = (Direction::South, &recent.statements());
    write_room_text(
        room,
        RoomTextInputs { spec: &spec, theme, index: 9, floor: 1, back, space, recent, statements },
    );
}

/// E39: each depth has its family of names, dark beyond ten, and hundreds of distinct texts in whole ASCII sentences.
#[test]
fn each_depth_has_name_family_and_hundreds_of_texts() {
    let theme = &Catalog::builtin().themes["well"];
    let families = [
        "Water-logged passage",
        "Passage with roots",
        "Hardened clay passage",
        "Clay with stones",
        "Stone passage",
        "Stone hallway",
        "Stone rooms",
        "Granite hall",
        "Marble passages",
        "Furnished rooms",
        "Dark rooms",
        "Dark rooms",
    ];
    for (depth, family) in (1..).zip(families) {
        let mut texts = BTreeSet::new();
        let mut names = BTreeSet::new();
        for seed in 0..600 {
            let exits: &[Direction] = if seed % 3 == 0 { &[] } else { &[Direction::East] };
            let mut room = room_at(depth, exits);
            told(&mut room, theme, seed, None);
            assert!(room.sheet.name.to_lowercase().contains(&family.to_lowercase()), "{}", room.sheet.name);
            let text = &room.sheet.description;
            assert!(text.is_ascii() && text.starts_with(|c: char| c.is_ascii_uppercase()), "{text}");
            assert!(text.ends_with(['.', '\'']) && !text.contains(['{', '}']), "{text}");
            assert!(!text.contains("  ") && !text.contains(" ."), "{text}");
            assert!(!exits.is_empty() || !text.contains(" east"), "{text}");
            texts.insert(room.sheet.description);
            names.insert(room.sheet.name);
        }
        assert!(texts.len() >= 500, "depth {depth}: {} texts of 600", texts.len());
        assert!(names.len() >= 3, "depth {depth}: {names:?}");
    }
}

fn built(theme: &Theme) -> Theme {
    let list = |text: &str| vec![Pattern::parse(text).unwrap()];
    let mut theme = theme.clone();
    let scenery = &mut theme.scenery;
    scenery.spaces.insert("square".into(), list("It is a chamber about {width} paces by {length}."));
    scenery.grounds.insert("brick".into(), list("Brick lies underfoot."));
    scenery.walls.insert("rock".into(), list("Rough rock closes {sides}."));
    scenery.walls.insert("ground".into(), list("{sides} {are} raw earth."));
    for (passage, name) in [
        (Crossing::DeadEnd, "Blind alley"),
        (Crossing::Straight, "Straight hall"),
        (Crossing::Corner, "Corner"),
        (Crossing::Junction, "Junction"),
        (Crossing::Crossing, "Crossing"),
    ] {
        scenery.passages.insert(passage, vec![name.to_owned().into()]);
    }
    theme
}

/// P14, P19: the text gives the size in words, the ground, and the closed sides with their materials.
#[test]
fn description_gives_size_and_materials() {
    let theme = built(&Catalog::builtin().themes["well"]);
    let mut space = Space {
        shape: "square".into(),
        width: 12,
        length: 9,
        ground: "brick".into(),
        walls: [(Direction::North, "rock".to_owned()), (Direction::West, "rock".to_owned())].into(),
    };
    let mut texts = BTreeSet::new();
    for seed in 0..20 {
        let mut room = room_at(5, &[Direction::East]);
        told(&mut room, &theme, seed, Some(&space));
        let text = room.sheet.description;
        assert!(text.contains("It is a chamber about twelve paces by nine."), "{text}");
        let joined = "Brick lies underfoot; rough rock closes the north and west sides.";
        let apart = "Brick lies underfoot. Rough rock closes the north and west sides.";
        assert!(text.contains(joined) || text.contains(apart), "{text}");
        texts.insert(text.contains(joined));
    }
    assert_eq!(texts.len(), 2, "both ways of joining occur");
    space.walls = Direction::PLANE.map(|side| (side, "ground".to_owned())).into();
    let mut room = room_at(5, &[]);
    told(&mut room, &theme, 1, Some(&space));
    assert!(room.sheet.description.to_lowercase().contains("all four sides are raw earth."), "{room:?}");
    space.walls.retain(|side, _| *side == Direction::East);
    told(&mut room, &theme, 1, Some(&space));
    assert!(room.sheet.description.to_lowercase().contains("the east side is raw earth."), "{room:?}");
}

/// P14: dimensions are spelled out, as in "about twelve paces by nine".
#[test]
fn paces_are_spelled_out() {
    let phrases = [2, 12, 13, 19, 20, 37, 99, 100].map(paces);
    let expected = [
        "two",
        "twelve",
        "thirteen",
        "nineteen",
        "twenty",
        "thirty-seven",
        "ninety-nine",
        "a hundred and more",
    ];
    assert_eq!(phrases, expected);
}

/// R13: dead end, straight hall, corner, junction, crossing, counting the exit back.
#[test]
fn names_follow_the_exits() {
    use Direction::{Down, East, North, West};
    let theme = built(&Catalog::builtin().themes["well"]);
    let cases: [(&[Direction], &str); 6] = [
        (&[], "Blind alley"),
        (&[North], "Straight hall"),
        (&[East], "Corner"),
        (&[North, East], "Junction"),
        (&[North, East, West], "Crossing"),
        (&[Down], "Blind alley"),
    ];
    for (exits, name) in cases {
        let mut room = room_at(5, exits);
        told(&mut room, &theme, 1, None);
        assert_eq!(room.sheet.name, name, "{exits:?}");
    }
}

/// A notable room is mentioned in the room next to it, with the direction.
#[test]
fn notable_neighbouring_room_is_mentioned() {
    let mut theme = Catalog::builtin().themes["well"].clone();
    let list = vec![Pattern::parse("It smells of soup from the {exit}.").unwrap()];
    theme.scenery.nearby = [(NeighbourProperty::Room(RoomKind::Rest), list)].into();
    theme.scenery.nearby_percent = 100;
    let spec = BranchSpec::of(&Catalog::default(), &theme.key, Seed(1));
    let tell = |recent: &mut Recent, at: Point, back: Direction, kind: RoomKind, floor: u32| {
        let mut room = room_at(3, &[Direction::East]);
        (room.at, room.sheet.kind) = (at, kind);
        let (space, statements) = (None, &recent.statements());
        let scene =
            RoomTextInputs { spec: &spec, theme: &theme, index: 9, floor, back, space, recent, statements };
        let marks = write_room_text(&mut room, scene);
        recent.note(floor, &room, marks);
        room.sheet.description.contains("It smells of soup from the south.")
    };
    let mut recent = Recent::default();
    let camp = Point::new(1, 1);
    assert!(!tell(&mut recent, camp, Direction::South, RoomKind::Rest, 1));
    let north = camp.step(Direction::North);
    assert!(tell(&mut recent, north, Direction::South, RoomKind::Dungeon, 1));
    assert!(!tell(&mut recent, north, Direction::South, RoomKind::Dungeon, 2), "another floor");
    assert!(!tell(&mut recent, north, Direction::Up, RoomKind::Dungeon, 1), "not the way one came");
}

/// A draft has the same mark whether computed from its text or from the marks of its pieces.
#[test]
fn draft_mark_matches_its_text() {
    let catalog = Catalog::builtin();
    let mut marked = 0;
    for theme in catalog.themes.values() {
        for (depth, band) in &theme.bands {
            let sentences =
                band.openings.iter().chain(&band.details).chain(&band.ways_on).chain(&band.dead_ends);
            for (number, pattern) in (0..).zip(sentences) {
                let mut dice = Seed(number).numbered(u64::from(*depth)).rng();
                let draft = words(pattern, &[Direction::North], *depth, theme, &mut dice);
                let read: Vec<u32> = marks(&draft.words).collect();
                assert!(draft.mark.is_none_or(|mark| read == [mark]), "{}", draft.words);
                marked += usize::from(draft.mark.is_some() && pattern.has_words());
            }
        }
    }
    assert!(marked > 500, "{marked}");
}
