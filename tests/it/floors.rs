//! Pre-planned floors and floors of other level types: rooms are created on first entry, stairs create further floors,
//! and plans persist over a restart.

use crate::explorer::{guarded, opens_another_room, unblocks_the_room, ways};
use crate::table::{CATALOG, Table, changed_content, seeded};
use deepwell::base::{Direction, Point, RoomId, Span};
use deepwell::catalog::BUILTIN;
use deepwell::game::Package;
use deepwell::world::{Exit, ExitKind, ExitState};

/// Puts a practically invulnerable Olad into the old cistern, whose exits lead to forest, caves, maze and catacombs.
fn olad_in_the_cistern(seed: u64) -> Table {
    at_the_cistern(Table::new(seeded(seed)))
}

pub(crate) fn at_the_cistern(mut table: Table) -> Table {
    table.sit("Olad");
    table.becomes("Olad", 999_999, 9_999);
    table.types_all("Olad", &["south", "down"]);
    assert_eq!(table.room("Olad").sheet.name, "Old Cistern");
    table
}

/// Returns a shipped file with one change.
fn changed(file: &str, from: &str, to: &str) -> String {
    let text = BUILTIN.iter().find(|(path, _)| *path == file).expect("a shipped file").1;
    assert!(text.contains(from), "{file} has no `{from}`");
    text.replacen(from, to, 1)
}

/// Opens one more room, killing guards. Returns `false` if no exit is left to open.
fn explores(table: &mut Table, who: &str) -> bool {
    while table.body(who).target.is_some() || guarded(table.world(), table.room(who)) {
        table.types(who, "kill");
        table.waits(Span::secs(3));
    }
    unblocks_the_room(table, who);
    opens_another_room(table, who)
}

/// Walks to a room of the same floor.
fn goes(table: &mut Table, who: &str, to: RoomId) {
    while table.body(who).room != to {
        while table.body(who).target.is_some() {
            table.types(who, "kill");
            table.waits(Span::secs(3));
        }
        let way = ways(table.world(), table.body(who).room).remove(&to).expect("a way over explored exits");
        table.types(who, way[0].name());
        table.waits(Span::secs(1));
    }
}

/// Explores until a room has stairs that satisfy the condition, and walks there.
fn finds(table: &mut Table, who: &str, like: impl Fn(&Exit) -> bool) -> RoomId {
    for _ in 0..500 {
        let floor = table.room(who).floor;
        let rooms = table.rooms_of(table.branch_of(who).expect("a member of a branch"));
        let on_floor = rooms.into_iter().filter(|room| table.world().rooms[*room].floor == floor);
        let found = on_floor.into_iter().find(|room| {
            table.world().exits.of(*room).any(|exit| exit.kind == ExitKind::Stairs && like(exit))
        });
        if let Some(room) = found {
            goes(table, who, room);
            while guarded(table.world(), table.room(who)) {
                table.types(who, "kill");
                table.waits(Span::secs(3));
            }
            unblocks_the_room(table, who);
            while table.body(who).trainings > 0 {
                table.types(who, "train strength");
            }
            return room;
        }
        if !explores(table, who) {
            break;
        }
    }
    panic!("{who} found no such way");
}

/// E11, P3: a floor is planned as a whole, but each room is created on first entry; exits not yet taken are unexplored.
#[test]
fn planned_room_is_created_on_first_entry() {
    let mut table = olad_in_the_cistern(1);
    table.types("Olad", "west");
    let branch = table.branch_of("Olad").expect("a member");
    let floor = table.world().floors.at(branch, 1).expect("the first floor").clone();
    let plan = floor.plan.expect("the catacombs are made whole");
    assert_eq!((floor.level_type.as_str(), floor.budgeted), ("upper catacombs", false));
    assert!((34..=60).contains(&plan.rooms.len()), "{} rooms", plan.rooms.len());
    assert_eq!(table.rooms_of(branch).len(), 1, "E11");
    assert_eq!(table.room("Olad").at, Point::new(-1, 0), "E7");
    assert!(!plan.rooms.contains_key(&Point::ORIGIN), "E10: (0,0) is the start room's");
    let onward: Vec<_> = table.world().exits.of(table.room("Olad").id).filter(|exit| !exit.back).collect();
    assert!(!onward.is_empty() && onward.iter().all(|exit| exit.state == ExitState::Unexplored));
}

/// P4, P5: a fully explored floor matches its plan: every room once, every passage both ways. The plan, not the limit
/// of E14, sets the number of exits.
#[test]
fn fully_explored_floor_matches_its_plan() {
    let mut table = olad_in_the_cistern(2);
    table.types("Olad", "west");
    let branch = table.branch_of("Olad").expect("a member");
    let plan = table.world().floors.at(branch, 1).and_then(|floor| floor.plan.clone()).expect("a plan");
    for opened in 0.. {
        if opened == 12 {
            table.restart();
        }
        if !explores(&mut table, "Olad") {
            break;
        }
    }
    let world = table.world();
    let real: Vec<&deepwell::world::Room> =
        world.rooms.iter().map(|(_, room)| room).filter(|room| room.branch == Some(branch)).collect();
    assert!(real.len() >= plan.rooms.len() * 3 / 4, "{} of {} rooms", real.len(), plan.rooms.len());
    for room in real.iter().filter(|room| room.floor == 1) {
        let sketch = &plan.rooms[&room.at];
        let plane = |exit: &&Exit| exit.kind == ExitKind::Exit && exit.direction.is_some();
        for exit in world.exits.of(room.id).filter(plane).filter(|exit| exit.to.is_some()) {
            let direction = exit.direction.expect("a direction");
            let out = exit.to.is_some_and(|to| world.rooms[to].branch.is_none());
            assert!(out || sketch.exits.contains(&direction), "{direction} of {}", room.at);
            assert_eq!(exit.state, ExitState::Open, "P4: both ways");
        }
    }
}

/// P7, P15, R14: stairs of the maze create a floor on first use and lead back to the same room; other stairs lead to
/// another floor.
#[test]
fn each_stairs_creates_its_own_floor_on_first_use() {
    let mut table = olad_in_the_cistern(3);
    table.types("Olad", "south");
    let branch = table.branch_of("Olad").expect("a member");
    let floors = |table: &Table| table.world().floors.of(branch).count();
    let first = finds(&mut table, "Olad", Exit::is_stairs_down);
    assert_eq!(floors(&table), 1, "P15: nothing before somebody takes them");
    table.types("Olad", "down");
    assert_eq!((floors(&table), table.room("Olad").at), (2, Point::ORIGIN));
    assert_eq!(table.world().dungeon_level(table.body("Olad").room), 2, "T5");
    table.types("Olad", "up");
    assert_eq!(table.body("Olad").room, first, "P7: to the room one came from");
    table.types("Olad", "down");
    assert_eq!(floors(&table), 2, "P15: only on first use");
    table.types("Olad", "up");
    let second = finds(&mut table, "Olad", |exit| exit.is_stairs_down() && exit.to.is_none());
    assert_ne!(first, second);
    table.types("Olad", "down");
    let room = table.room("Olad");
    assert_eq!((floors(&table), room.floor, room.at), (3, 3, Point::ORIGIN), "a floor of its own");
    assert_eq!(table.world().dungeon_level(room.id), 2, "no deeper than the other");
    table.wants("Olad", [Package::Room, Package::Character]);
    let news = table.all_news("Olad");
    for message in ["Room.Info", "Char.Status"] {
        let body = news.iter().find(|(name, _)| name == message).map(|(_, body)| &body["floor"]);
        assert_eq!(body, Some(&2.into()), "{message} tells the dungeon level");
    }
}

/// P15, P23: a portal leads to a floor of another level type with its own theme, both ways, also after a restart, and
/// occurs once in a branch.
#[test]
fn portal_leads_to_another_level_type_once_per_branch() {
    let often = changed("levels/daedalus.toml", "chance = 2", "chance = 40");
    let catalog = changed_content(&[("levels/daedalus.toml", &often)]);
    let mut table = at_the_cistern(Table::with_content(seeded(4), &catalog));
    table.types("Olad", "south");
    let branch = table.branch_of("Olad").expect("a member");
    let to_crypt = |exit: &Exit| exit.level_type.as_deref() == Some("upper crypt");
    let door = finds(&mut table, "Olad", to_crypt);
    assert!(table.types("Olad", "look").contains("dungeon level 2, the upper crypt."));
    let way = table.types("Olad", "down");
    assert_eq!(table.room("Olad").area, "crypt", "{way}");
    let floor = table.world().floor_of(table.body("Olad").room).expect("a floor").clone();
    assert_eq!((floor.level_type.as_str(), floor.number), ("upper crypt", 2));
    table.restart();
    table.comes_back("Olad");
    assert_eq!(table.world().floor_of(table.body("Olad").room), Some(&floor), "the plan is stored");
    for _ in 0..5 {
        explores(&mut table, "Olad");
    }
    let landing = table.world().branches.room_at(branch, 2, Point::ORIGIN).expect("a landing");
    goes(&mut table, "Olad", landing);
    table.types("Olad", "up");
    assert_eq!(table.body("Olad").room, door, "P7");
    for _ in 0..30 {
        explores(&mut table, "Olad");
    }
    let doors = table.world().exits.iter().filter(|(_, exit)| to_crypt(exit)).filter(|(_, exit)| {
        exit.direction == Some(Direction::Down) && table.world().rooms[exit.room].floor == 1
    });
    assert_eq!(doors.count(), 1, "P23: unique");
}

/// P30: stairs that lead out of the dungeon end the run, and the character keeps its items.
#[test]
fn stairs_out_of_the_dungeon_keep_the_items() {
    let out = changed(
        "levels/daedalus.toml",
        "chance = 2\nlevel_type = \"upper crypt\"\nunique = true\nicons = [\"marble trapdoor\", \"marble trapdoor\"]",
        "chance = 40\nunique = true\nexits_dungeon = true",
    );
    let catalog = changed_content(&[("levels/daedalus.toml", &out)]);
    let mut table = at_the_cistern(Table::with_content(seeded(5), &catalog));
    let start = table.body("Olad").room;
    table.types("Olad", "south");
    let up = |exit: &Exit| exit.direction == Some(Direction::Up);
    finds(&mut table, "Olad", up);
    assert!(table.types("Olad", "look").contains("Steps lead up from here, out of the dungeon."));
    table.types("Olad", "get all");
    let carried = table.world().carried(table.body("Olad").id).len();
    table.types("Olad", "up");
    assert_eq!((table.body("Olad").room, table.branch_of("Olad")), (start, None), "E44");
    assert_eq!(table.world().carried(table.body("Olad").id).len(), carried, "the loot is kept");
}

/// E4, E38, R6: each start exit has its own level type, theme and generator.
#[test]
fn start_exits_have_their_own_level_types() {
    let mut shapes = Vec::new();
    for (exit, level, theme) in [
        ("north", "forest", "forest"),
        ("east", "caves", "caves"),
        ("south", "daedalus", "daedalus"),
        ("west", "upper catacombs", "catacombs"),
    ] {
        let mut table = olad_in_the_cistern(6);
        table.types("Olad", exit);
        let branch = table.branch("Olad");
        let kind = &table.world().floors.at(branch.id, 1).expect("a floor").level_type;
        assert_eq!((kind.as_str(), branch.theme.as_str()), (level, theme));
        assert_eq!(branch.generator, deepwell::dungeon::generator_of(&CATALOG.level_types[level]));
        assert_eq!(table.room("Olad").area, theme);
        shapes.push(branch.generator.clone());
    }
    assert_eq!(shapes, ["cellular", "cellular", "lattice", "pipeline"]);
}
