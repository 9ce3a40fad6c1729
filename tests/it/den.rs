//! Branches and zones of a given layout: a test draws rooms as letters and puts creatures into them. `1` is the first
//! room, where Olad starts. Adjacent rooms are connected both ways, and no exit is unexplored.

use crate::table::{Table, seeded};
use deepwell::base::{CharacterId, Direction, ExitId, ExitState, Point, Rare, RoomId};
use deepwell::catalog::{BUILTIN, Catalog, RoomFlag, RoomKind, RoomSheet};
use deepwell::game::GameConfig;
use deepwell::world::{Character, Exit, Room, Snapshot};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

/// Creatures with one behaviour each, or two that belong together, and many hit points.
const CREATURES: [(&str, &str); 17] = [
    ("statue", ""),
    ("warden", "[[behaviours]]\npart = \"guard\""),
    ("bat", "[[behaviours]]\npart = \"wander\"\npercent = 60\n[[behaviours]]\npart = \"attack\""),
    ("moth", "[[behaviours]]\npart = \"wander\"\npercent = 100"),
    ("hound", "[[behaviours]]\npart = \"seek\""),
    ("mouse", "[[behaviours]]\npart = \"flee\"\nbelow = 40"),
    ("coward", "[[behaviours]]\npart = \"guard\"\n[[behaviours]]\npart = \"flee\"\nbelow = 90"),
    ("brute", "[[behaviours]]\npart = \"attack\""),
    ("lurker", "[[behaviours]]\npart = \"attack\"\nafter = 3"),
    (
        "keg",
        "[[behaviours]]\npart = \"explode\"\ndamage = 50\nwarning = \"The keg hisses.\"\nblast = \"The keg bursts.\"",
    ),
    (
        "bomber",
        "[[behaviours]]\npart = \"seek\"\npercent = 100\n[[behaviours]]\npart = \"explode\"\ndamage = 20\nrounds = 2\n\
         warning = \"The bomber grins.\"\nblast = \"The bomber bursts.\"",
    ),
    ("weaver", "[[behaviours]]\npart = \"seek\"\npercent = 0\n[[behaviours]]\npart = \"webs\""),
    (
        "bull",
        "[[behaviours]]\npart = \"seek\"\n[[behaviours]]\npart = \"attack\"\n[[behaviours]]\npart = \"charge\"\n\
         [[behaviours]]\npart = \"heard\"\nrooms = 2\nsound = \"Hooves strike stone.\"",
    ),
    ("archer", "[[behaviours]]\npart = \"shoot\"\nrooms = 2\npercent = 100\nmissile = \"a feathered dart\""),
    (
        "wolf",
        "[[behaviours]]\npart = \"pack\"\nbonus = 7\n[[behaviours]]\npart = \"call_for_help\"\npercent = 100\n\
         line = \"The wolf howls.\"",
    ),
    ("bear", "[[behaviours]]\npart = \"sleep\"\nwakes_percent = 50\n[[behaviours]]\npart = \"attack\""),
    (
        "oracle",
        "on_tick = [\"say I see {you}.\", \"harm 2\", \"50% spawn moth\", \"item old_key\"]\nbehaviours = []",
    ),
];

/// Rooms with hooks defined by data alone.
const TRAPS: &str = "
[[rooms]]
key = \"dart\"
name = \"Dart Hall\"
environment = \"stone\"
description = \"A hall with holes in its walls.\"
on_enter = [\"tell A dart bites into your arm.\", \"room Something clicks.\", \"harm 3\", \"once\"]
exits = [{ name = \"east\", to = \"pit\" }]

[[rooms]]
key = \"pit\"
name = \"Deep Pit\"
environment = \"stone\"
description = \"A pit.\"
on_enter = [\"harm 100000\", \"harm 100000\"]
exits = [{ name = \"west\", to = \"dart\" }]
";

/// Shipped content with the creatures above and the trap rooms.
pub(crate) static DEN: LazyLock<Arc<Catalog>> = LazyLock::new(|| {
    let mut files: BTreeMap<String, String> =
        BUILTIN.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    for (key, parts) in CREATURES {
        let behaviours = if key == "statue" { "behaviours = []" } else { "" };
        let text = format!(
            "name = \"{key}\"\ndescription = \"It is here for a test.\"\nhp = 100\nattack = 3\ndefence = 0\nxp = 10\n\
             first_difficulty = 9000\nweight = 1\nstrikes = [\"pokes\"]\ndeath = \"It is no more.\"\n{behaviours}\n{parts}\n"
        );
        files.insert(format!("mobs/{key}.toml"), text);
    }
    files.insert("areas/traps.toml".into(), TRAPS.into());
    for (key, does) in [("webbed", "holds = true"), ("stunned", "stuns = true")] {
        let text = format!(
            "name = \"{key}\"\ndescription = \"{key}.\"\nbegins = \"It begins: {key}.\"\nends = \"It ends: {key}.\"\n\
             {does}\nrounds = 1\n"
        );
        files.entry(format!("affects/{key}.toml")).or_insert(text);
    }
    let files: Vec<(String, String)> = files.into_iter().collect();
    match Catalog::load(&files) {
        Ok(catalog) => Arc::new(catalog),
        Err(mistakes) => panic!("{mistakes:#?}"),
    }
});

/// Kind of place that a plan draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ground {
    /// Rooms of a branch.
    Branch,
    /// Hand-built rooms of a zone, with `fights = yes`.
    Zone,
}

/// [`den`] in a branch, then in a zone.
pub(crate) fn dens(seed: u64, plan: &[&str]) -> impl Iterator<Item = (Table, BTreeMap<char, RoomId>)> {
    [Ground::Branch, Ground::Zone].into_iter().map(move |ground| den_on(ground, seeded(seed), &DEN, plan))
}

/// [`den`] in a zone.
pub(crate) fn den_in_zone(seed: u64, plan: &[&str]) -> (Table, BTreeMap<char, RoomId>) {
    den_on(Ground::Zone, seeded(seed), &DEN, plan)
}

/// Puts Olad into the first room of a branch with this plan. Returns the rooms by their letters. North is up; `.` is a
/// room without a name, a blank is rock.
pub(crate) fn den(seed: u64, plan: &[&str]) -> (Table, BTreeMap<char, RoomId>) {
    den_with(&DEN, seed, plan)
}

/// [`den`] with its own content.
pub(crate) fn den_with(catalog: &Arc<Catalog>, seed: u64, plan: &[&str]) -> (Table, BTreeMap<char, RoomId>) {
    den_in(seeded(seed), catalog, plan)
}

/// [`den`] with its own content and settings.
pub(crate) fn den_in(
    config: GameConfig,
    catalog: &Arc<Catalog>,
    plan: &[&str],
) -> (Table, BTreeMap<char, RoomId>) {
    den_on(Ground::Branch, config, catalog, plan)
}

fn den_on(
    ground: Ground,
    config: GameConfig,
    catalog: &Arc<Catalog>,
    plan: &[&str],
) -> (Table, BTreeMap<char, RoomId>) {
    let mut table = Table::with_content(config, catalog);
    table.sit("Olad");
    if ground == Ground::Branch {
        table.types_all("Olad", &["down", "east"]);
    }
    table.becomes("Olad", 9_999, 1);
    let mut named = BTreeMap::new();
    table.edit_stored(|stored| named = carve(stored, ground, plan));
    table.hears("Olad");
    (table, named)
}

/// Replaces the rooms of the only branch, which has one room so far; or makes a zone, and moves Olad there.
fn carve(stored: &mut Snapshot, ground: Ground, plan: &[&str]) -> BTreeMap<char, RoomId> {
    let first = match ground {
        Ground::Branch => stored.rooms.values().find(|room| room.branch.is_some()).expect("a room").clone(),
        Ground::Zone => first_of_zone(stored),
    };
    stored.characters.retain(|_, body| body.is_player());
    let anchor = place_of(plan, '1');
    let mut at_point: BTreeMap<Point, RoomId> = BTreeMap::new();
    let mut named = BTreeMap::new();
    for (y, line) in plan.iter().enumerate() {
        for (x, letter) in line.chars().enumerate().filter(|(_, letter)| *letter != ' ') {
            let (x, y) = (steps(x) - anchor.x, anchor.y - steps(y));
            let at = Point::new(first.at.x + x, first.at.y + y);
            let meta = stored.meta.as_mut().expect("a meta row");
            let id = if letter == '1' { first.id } else { RoomId(meta.next_room) };
            meta.next_room += u32::from(letter != '1');
            let depth = at.depth();
            let kind = if ground == Ground::Branch { RoomKind::Dungeon } else { RoomKind::Room };
            let sheet = RoomSheet { kind, name: format!("Room {letter}"), ..first.sheet.clone() };
            let clear = Room { clear: true, challenge: Rare::usual(), ..first.clone() };
            let room = Room { id, sheet, at, depth, difficulty: 1, made_by: None, ..clear };
            stored.rooms.insert(id, room);
            at_point.insert(at, id);
            named.insert(letter, id);
        }
    }
    join(stored, first.id, &at_point);
    if let Some(branch) = first.branch {
        let row = stored.branches.get_mut(&branch).expect("a branch");
        (row.rooms_made, row.growth.finishable) = (u32::try_from(at_point.len()).expect("few rooms"), true);
    }
    named
}

/// Returns a hand-built room with `fights = yes`, where Olad is from now on.
fn first_of_zone(stored: &mut Snapshot) -> Room {
    let meta = stored.meta.as_mut().expect("a meta row");
    let mut room = Room::new(RoomId(meta.next_room), RoomSheet::new(RoomKind::Room, String::new()));
    meta.next_room += 1;
    (room.area, room.sheet.environment, room.sheet.description) =
        ("den".into(), "stone".into(), "A bare room.".into());
    room.sheet.flags = BTreeSet::from([RoomFlag::Fights]).into();
    stored.characters.values_mut().for_each(|body| body.room = room.id);
    room
}

/// Connects all adjacent rooms; the first room of a branch keeps its exit back.
fn join(stored: &mut Snapshot, first: RoomId, at_point: &BTreeMap<Point, RoomId>) {
    let back = stored.exits.values().find(|exit| exit.room == first && exit.back).cloned();
    let model = back.unwrap_or_else(|| Exit::new(ExitId(0), first, None));
    stored.exits.retain(|_, exit| exit.room != first || exit.back);
    for (at, room) in at_point {
        for direction in Direction::PLANE {
            let Some(to) = at_point.get(&at.step(direction)) else { continue };
            let mut exit = model.clone();
            let meta = stored.meta.as_mut().expect("a meta row");
            exit.id = ExitId(meta.next_exit);
            meta.next_exit += 1;
            (exit.room, exit.to, exit.back, exit.state) = (*room, Some(*to), false, ExitState::Open);
            exit.direction = Some(direction);
            exit.name = direction.name().into();
            exit.aliases = Rare::usual();
            stored.exits.insert(exit.id, exit);
        }
    }
}

fn place_of(plan: &[&str], letter: char) -> Point {
    let found = plan.iter().enumerate().find_map(|(y, line)| Some((line.find(letter)?, y)));
    let (x, y) = found.expect("a first room");
    Point::new(steps(x), steps(y))
}

fn steps(n: usize) -> i32 {
    i32::try_from(n).expect("a small plan")
}

/// Puts creatures into rooms. Returns their ids in the same order.
pub(crate) fn puts(table: &mut Table, creatures: &[(&str, RoomId)]) -> Vec<CharacterId> {
    let mut ids = Vec::new();
    table.edit_stored(|stored| {
        for (key, room) in creatures {
            let prototype = &DEN.creatures[*key];
            let meta = stored.meta.as_mut().expect("a meta row");
            let id = CharacterId(meta.next_character);
            meta.next_character += 1;
            let now = meta.time;
            let points = |n: u32| i32::try_from(n).expect("a small number");
            let body = Character {
                prototype: Some((*key).to_owned()),
                description: prototype.description.clone(),
                awake: true,
                branch: stored.rooms[room].branch,
                hp: points(prototype.hp),
                max_hp: points(prototype.hp),
                attack: points(prototype.attack),
                xp: i64::from(prototype.xp),
                ..Character::new(id, prototype.name.clone(), *room, now)
            };
            stored.characters.insert(id, body);
            ids.push(id);
        }
    });
    table.hears("Olad");
    ids
}

/// Returns the room of a creature, `None` if it no longer exists.
pub(crate) fn room_of(table: &Table, creature: CharacterId) -> Option<RoomId> {
    table.world().characters.get(creature).map(|body| body.room)
}
