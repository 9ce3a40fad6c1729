//! Custom parts and verification: registered parts are called, and floors that fail verification are discarded.

use crate::base::{Direction, Point, Rng, Seed};
use crate::data::Reader;
use crate::level::partition::Grid;
use crate::level::room::{Square, Tiles};
use crate::level::tests::{CRYPT, floor, reachable, read, read_with, site};
use crate::level::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A part of every kind that counts its calls and does the minimum that its kind requires.
#[derive(Debug, Default)]
struct Counting {
    calls: AtomicU32,
    read: i64,
}

impl Counting {
    fn count(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
    }
}

impl Partitioner for Counting {
    fn partition(&self, floor: EmptyFloor, dice: &mut Rng) -> PartitionedFloor {
        self.count();
        Grid::default().partition(floor, dice)
    }
}

impl RoomGenerator for Counting {
    fn generate_room(&self, section: &mut SectionGround<'_>, _dice: &mut Rng) {
        self.count();
        let ground = Material::from(format!("floor {}", self.read));
        section.make_room("star", (5, 6), &ground, &Material::from("empty"));
        section.join_links(&ground, &Material::from("empty"));
    }
}

impl Decorator for Counting {
    fn decorate(&self, _level: &mut RoomedFloor, _dice: &mut Rng) {
        self.count();
    }
}

impl PortalAdder for Counting {
    fn add_portal(&self, _level: &mut DecoratedFloor, _dice: &mut Rng) {
        self.count();
    }
}

impl CreatureAdder for Counting {
    fn add_creatures(&self, floor: &mut PortalledFloor, source: &dyn CreatureSource, dice: &mut Rng) {
        self.count();
        if let Some(key) = source.creature("anybody", floor.site().dungeon_level, dice) {
            floor.add_creature(floor.arrival(), key);
        }
    }
}

impl ItemAdder for Counting {
    fn add_items(&self, floor: &mut PopulatedFloor, source: &dyn ItemSource, dice: &mut Rng) {
        self.count();
        if let Some(key) = source.item("anything", floor.site().dungeon_level, dice) {
            floor.add_item(floor.arrival(), key);
        }
    }
}

/// A source that returns the requested name and dungeon level.
struct Echo;

impl CreatureSource for Echo {
    fn creature(&self, name: &str, dungeon_level: u32, _dice: &mut Rng) -> Option<String> {
        Some(format!("{name} of {dungeon_level}"))
    }
}

impl ItemSource for Echo {
    fn item(&self, class: &str, dungeon_level: u32, _dice: &mut Rng) -> Option<String> {
        Some(format!("{class} of {dungeon_level}"))
    }
}

const COUNTED: &str = r#"
name = "counted"
theme = "none"
[context]
size = [60, 60]
floor = "soil"
wall = "soil"
level_types = ["counted"]
[context.params]
shade = 42
[[partitioners]]
part = "counting"
[[rooms]]
part = "counting"
[[decorators]]
part = "counting"
[[portals]]
part = "counting"
[[creatures]]
part = "counting"
[[items]]
part = "counting"
"#;

/// P10, P18, P27, P28: a part of each kind can be registered under a name, is called as often as required, gets the
/// given sources, and may read its own parameter from the context.
#[test]
fn p10_p18_p27_p28_registered_parts_of_each_kind_are_called() {
    let parts: [Arc<Counting>; 6] =
        std::array::from_fn(|_| Arc::new(Counting { calls: AtomicU32::new(0), read: 0 }));
    let mut registry = LevelRegistry::empty();
    let [partitioner, _, decorator, portals, creatures, items] = parts.clone();
    registry.register_partitioner("counting", move |_, _| partitioner.clone());
    let made = Arc::new(std::sync::Mutex::new(None));
    let kept = Arc::clone(&made);
    registry.register_room("counting", move |_: &mut Reader<'_>, setup: &mut Setup<'_>| {
        let read =
            setup.context.params.get("shade").and_then(crate::data::FileValue::number).unwrap_or_default();
        let part = Arc::new(Counting { calls: AtomicU32::new(0), read });
        *kept.lock().unwrap() = Some(Arc::clone(&part));
        part
    });
    registry.register_decorator("counting", move |_, _| decorator.clone());
    registry.register_portal("counting", move |_, _| portals.clone());
    registry.register_creature("counting", move |_, _| creatures.clone());
    registry.register_item("counting", move |_, _| items.clone());
    let kind = read_with(COUNTED, &registry);
    let request = FloorRequest { dungeon_level: 3, ..FloorRequest::new(Seed(1)) };
    let sources = ContentSources { creatures: &Echo, items: &Echo };
    let plan = generate_floor(&kind, &request, sources).unwrap();
    let calls = parts.each_ref().map(|part| part.calls.load(Ordering::Relaxed));
    assert_eq!(calls, [1, 0, 1, 1, 1, 1]);
    assert_eq!(made.lock().unwrap().as_ref().unwrap().calls.load(Ordering::Relaxed), 9);
    let first = &plan.rooms[&plan.arrival];
    assert_eq!(
        (first.creatures.as_slice(), first.items.as_slice()),
        (["anybody of 3".to_owned()].as_slice(), ["anything of 3".to_owned()].as_slice())
    );
    assert_eq!((first.space.shape.as_str(), first.space.ground.as_str()), ("star", "floor 42"));
}

/// A partitioner that leaves out the links of all sections, on every floor or on the first few.
#[derive(Debug)]
struct Careless(AtomicU32);

impl Partitioner for Careless {
    fn partition(&self, floor: EmptyFloor, dice: &mut Rng) -> PartitionedFloor {
        let floor = Grid::default().partition(floor, dice);
        if self.0.load(Ordering::Relaxed) == 0 {
            return floor;
        }
        self.0.fetch_sub(1, Ordering::Relaxed);
        let mut floor = floor;
        for section in &mut floor.0.sections {
            section.links.clear();
        }
        floor
    }
}

/// A floor that fails verification is generated again from the next seed; after the last attempt a plain floor is used.
#[test]
fn flawed_floors_are_generated_again() {
    let kind = |flawed: u32| {
        let mut registry = builtin_parts();
        registry.register_partitioner("grid", move |reader, setup| {
            Grid::read(reader, setup);
            Arc::new(Careless(AtomicU32::new(flawed)))
        });
        read_with(CRYPT, &registry)
    };
    assert_eq!(floor(&kind(3), 1).redrawn, 3);
    let plain = floor(&kind(1_000), 1);
    assert_eq!((plain.redrawn, plain.sections.len(), plain.rooms.len()), (TRIES, 9, 25));
    assert_eq!(reachable(&plain).len(), 25);
    assert_eq!(plain.steps[1..3], ["partition: plain", "rooms: plain"]);
}

/// P5, P14: verification finds each kind of flaw.
#[test]
fn verification_finds_each_flaw() {
    let flaw = |spoil: fn(&mut ground::Ground)| {
        let kind = read(CRYPT);
        let mut dice = Seed(2).rng();
        let tiles = ["a", "b", "empty"].map(Material::from);
        let [ground, corridor, wall] = tiles;
        let square = Square(Tiles { ground, corridor, wall, chamber_percent: 0 });
        let mut floor = Grid::default().partition(EmptyFloor::new(site(&kind)), &mut dice);
        for number in 0..9 {
            square.generate_room(&mut floor.section(number).unwrap(), &mut dice);
        }
        let mut floor = floor.roomed().decorated().portalled().populated().stocked();
        spoil(&mut floor.0);
        verify(floor).err().map(|flaw| flaw.to_string())
    };
    let centre = Point::new(1, 1);
    assert_eq!(flaw(|_| {}), None);
    assert_eq!(
        centre,
        Section::new(crate::base::grid::Rect { min: Point::ORIGIN, max: Point::new(2, 2) }).centre
    );
    let found = |spoil, expected: &str| {
        let reason = flaw(spoil).unwrap_or_default();
        assert!(reason.contains(expected), "{reason}, expected {expected}");
    };
    found(|ground| drop(ground.rooms.remove(&Point::new(1, 1))), "has no room");
    found(|ground| ground.rooms.clear(), "has no room");
    found(|ground| Arc::make_mut(&mut ground.site.context).rooms = (26, 60), "25 rooms, expected 26 to 60");
    found(|ground| Arc::make_mut(&mut ground.site.context).rooms = (1, 24), "25 rooms, expected 1 to 24");
    found(|ground| ground.rooms.get_mut(&Point::new(1, 1)).unwrap().exits.clear(), "has no way");
    found(
        |ground| ground.rooms.get_mut(&Point::new(1, 1)).unwrap().role = RoomRole::Corridor,
        "not that of section",
    );
    found(|ground| ground.rooms.get_mut(&Point::new(1, 1)).unwrap().space.width = 1, "too small");
    found(|ground| ground.rooms.get_mut(&Point::new(1, 1)).unwrap().space.ground.clear(), "made of nothing");
    found(
        |ground| {
            ground.rooms.insert(
                Point::new(0, 0),
                Sketch { role: RoomRole::Corridor, ..Sketch::bare(Point::new(0, 0)) },
            );
            ground.rooms.get_mut(&Point::new(0, 0)).unwrap().space.ground = "a".to_owned();
        },
        "cannot be reached",
    );
    found(
        |ground| {
            let room = ground.rooms.values_mut().find(|room| room.exits.len() < 4).unwrap();
            let side = Direction::PLANE.into_iter().find(|side| !room.exits.contains(side)).unwrap();
            room.exits.insert(side);
        },
        "leads nowhere",
    );
    found(
        |ground| {
            ground.entry = Some(Direction::East);
            ground.rooms.insert(Point::ORIGIN, Sketch::bare(Point::ORIGIN));
        },
        "where the start room is",
    );
}
