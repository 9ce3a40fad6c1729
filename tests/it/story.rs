//! A whole evening of two: they form a party, clear rooms, share coins, one goes down and is raised, both level up and
//! choose, they meet a spider's web, descend a stair, and come home. The world is whichever comes first in which all of
//! that happens; what Bera read is kept in `tests/data/story.txt`.

use crate::explorer::{raise_the_portcullis, ways};
use crate::generated;
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::{CharacterId, RoomId, Span};
use deepwell::game::Output;
use deepwell::world::{Character, ExitKind, ExitState, Posture, World};
use std::collections::BTreeSet;

/// Turns after which a world is given up.
const PATIENCE: u32 = 500;

/// What has to happen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Milestone {
    Together,
    ThreeRoomsCleared,
    CoinsShared,
    WentDown,
    Raised,
    BothChose,
    SawWeb,
    Descended,
    Home,
}

const ALL: usize = 9;

const NAMES: [&str; 2] = ["Olad", "Bera"];

struct Story {
    table: Table,
    page: String,
    reached: BTreeSet<Milestone>,
    cleared: usize,
    spider: bool,
}

/// T1, T3, T10, T12, T13, R18, R19: in play, in the order in which it happens.
#[test]
fn two_go_down_and_come_home() {
    let story = told().page;
    let stands = generated::stands("tests/data/story.txt", &story);
    assert!(stands, "the story has changed; {}:\n{story}", generated::HOW);
}

/// The story as it happens in the first world in which all of it does.
fn told() -> Story {
    let told = (0..60).find_map(|seed| Story::begin(seed).played());
    told.expect("in one of these worlds all of it happens")
}

/// Everything that the two are given in it, as it goes to their sessions.
pub(crate) fn tape() -> Vec<Output> {
    told().table.tape().to_vec()
}

impl Story {
    fn begin(seed: u64) -> Self {
        let mut table = Table::new(seeded(seed));
        table.checks_every(40);
        for name in NAMES {
            table.sit(name);
        }
        let ids = NAMES.map(|name| table.body(name).id);
        // Two who have been below before: a kill or two from their next level, and Bera not quite well.
        table.rewrites(|stored| {
            for id in ids {
                let body = stored.characters.get_mut(&id).expect("a player");
                (body.xp, body.attack) = (320, 6);
            }
            stored.characters.get_mut(&ids[1]).expect("Bera").hp = 9;
        });
        for name in NAMES {
            table.comes_back(name);
        }
        let page = format!("world seed {seed}; what Bera reads\n");
        let mut story = Self { table, page, reached: BTreeSet::new(), cleared: 0, spider: false };
        for name in NAMES {
            story.types(name, "guide off");
            story.types(name, "config tips off");
        }
        story.types("Olad", "party invite Bera");
        story.types("Bera", "party accept");
        story.types("Bera", "follow Olad");
        story.types("Olad", "down");
        story.types("Olad", "east");
        story
    }

    /// The story, if all of it happened.
    fn played(mut self) -> Option<Self> {
        for _ in 0..PATIENCE {
            self.note();
            if self.reached.len() == ALL {
                return Some(self);
            }
            if self.reached.len() == ALL - 1 && !self.fighting() {
                for name in NAMES {
                    self.types(name, "recall");
                }
                continue;
            }
            // Whoever is out, or lost the other, tells another story.
            if self.table.branch_of("Olad").is_none() || !self.together() {
                return None;
            }
            self.turn();
        }
        None
    }

    fn types(&mut self, name: &str, line: &str) {
        if name == "Bera" {
            self.page.extend(["> ", line, "\n"]);
        }
        let answer = self.table.types(name, line);
        if name == "Bera" {
            self.takes_down(&answer);
        }
        self.listen();
    }

    fn waits(&mut self, span: Span) {
        self.table.waits(span);
        self.listen();
    }

    /// Writes down what Bera heard.
    fn listen(&mut self) {
        let heard = self.table.hears("Bera");
        self.takes_down(&heard);
    }

    fn takes_down(&mut self, heard: &str) {
        if !heard.is_empty() {
            self.page.push_str(heard);
            self.page.push('\n');
        }
        self.cleared += heard.matches("The room is clear").count();
        if heard.contains("your share is ") {
            self.reached.insert(Milestone::CoinsShared);
        }
        if heard.contains("silver web") {
            self.reached.insert(Milestone::SawWeb);
        }
    }

    fn body(&self, name: &str) -> &Character {
        self.table.body(name)
    }

    fn together(&self) -> bool {
        self.body("Olad").room == self.body("Bera").room
    }

    fn fighting(&self) -> bool {
        NAMES.iter().any(|name| self.body(name).target.is_some())
    }

    fn fallen(&self) -> Option<&'static str> {
        NAMES.into_iter().find(|name| self.body(name).posture == Posture::Down)
    }

    fn note(&mut self) {
        let both = |of: &dyn Fn(&Character) -> bool| NAMES.iter().all(|name| of(self.body(name)));
        let floor = self.table.room("Bera").floor;
        let found = [
            (Milestone::Together, self.table.world().party_of(self.body("Bera").id).is_some()),
            (Milestone::ThreeRoomsCleared, self.cleared >= 3),
            (Milestone::WentDown, self.fallen().is_some()),
            (Milestone::Raised, self.reached.contains(&Milestone::WentDown) && self.fallen().is_none()),
            (Milestone::BothChose, both(&|body| body.level > 1 && body.trainings == 0)),
            (Milestone::Descended, floor > 1 && self.together()),
            (Milestone::Home, self.reached.len() >= ALL - 1 && both(&|body| body.room == body.home)),
        ];
        self.reached.extend(found.into_iter().filter(|(_, is)| *is).map(|(milestone, _)| milestone));
    }

    /// What two of some practice do next.
    fn turn(&mut self) {
        if let Some(fallen) = self.fallen() {
            let helper = if fallen == "Olad" { "Bera" } else { "Olad" };
            self.types(helper, &format!("rescue {fallen}"));
            return self.waits(Span::secs(3));
        }
        for name in NAMES {
            if self.body(name).trainings > 0 {
                self.types(name, if name == "Olad" { "train strength" } else { "train constitution" });
            }
        }
        if self.fighting() {
            return self.waits(Span::secs(3));
        }
        if let Some(enemy) = enemy(self.table.world(), self.body("Olad").room) {
            for name in NAMES {
                self.types(name, &format!("kill {enemy}"));
            }
            return self.waits(Span::secs(3));
        }
        let hurt = |name: &str| self.table.game().health(self.body(name).id);
        let (hp, most) = hurt("Olad");
        if hp * 2 < most || (self.reached.contains(&Milestone::Raised) && hurt("Bera").0 * 2 < hurt("Bera").1)
        {
            for name in NAMES {
                self.types(name, "rest");
            }
            self.waits(Span::secs(90));
            for name in NAMES {
                self.types(name, "stand");
            }
            return;
        }
        if self.reached.contains(&Milestone::Raised) && !self.spider {
            self.spider = true;
            return self.let_a_spider_come();
        }
        self.go_on();
    }

    /// Puts a spider into the room they came from; what it does there is its own affair.
    fn let_a_spider_come(&mut self) {
        let here = self.body("Olad").room;
        let back = self.table.world().exits_of(here).find(|exit| exit.back).and_then(|exit| exit.to);
        let Some(lair) = back.filter(|room| self.table.world().rooms[*room].branch.is_some()) else {
            self.spider = false;
            return self.go_on();
        };
        let (now, branch) = (self.table.now(), self.table.branch_of("Olad"));
        let prototype = CATALOG.mobs["spider"].clone();
        self.table.rewrites(|stored| {
            let meta = stored.meta.as_mut().expect("a world");
            let id = CharacterId(meta.next_character);
            meta.next_character += 1;
            let spider = Character {
                mob: Some(prototype.key.clone()),
                description: prototype.description.clone(),
                awake: true,
                branch,
                hp: 7,
                max_hp: 7,
                attack: 5,
                xp: 25,
                ..Character::new(id, prototype.name.clone(), lair, now)
            };
            stored.characters.insert(id, spider);
        });
        for name in NAMES {
            self.table.comes_back(name);
        }
        self.listen();
        for _ in 0..6 {
            self.waits(Span::secs(10));
            self.types("Bera", "scan");
        }
    }

    fn go_on(&mut self) {
        raise_the_portcullis(&mut self.table, "Olad");
        self.listen();
        let here = self.body("Olad").room;
        let rest = [Milestone::SawWeb, Milestone::BothChose, Milestone::Raised];
        let ready = rest.iter().all(|milestone| self.reached.contains(milestone));
        let Some(step) = next_step(self.table.world(), here, ready) else { return };
        self.types("Olad", &step);
        self.waits(Span::secs(2));
    }
}

/// What bars the way in a room.
fn enemy(world: &World, room: RoomId) -> Option<String> {
    let hostile = |body: &&Character| body.mob.is_some() && body.master.is_none();
    let bodies = world.occupants(room).iter().map(|id| &world.characters[*id]);
    bodies
        .filter(hostile)
        .find(|body| body.home == room || body.target.is_some())
        .map(|body| body.name.clone())
}

/// The first step to the nearest stairs, if one wants to go down, or to the nearest exit that nobody has walked.
fn next_step(world: &World, here: RoomId, down: bool) -> Option<String> {
    let mut found: Vec<(bool, u32, usize, String)> = Vec::new();
    for (room, way) in ways(world, here) {
        for exit in world.exits_of(room).filter(|_| world.rooms[room].clear) {
            let stairs =
                exit.kind == ExitKind::Stairs && exit.direction == Some(deepwell::base::Direction::Down);
            let unexplored = exit.kind == ExitKind::Exit && exit.state == ExitState::Unexplored;
            if unexplored || (stairs && down) {
                let step = way.first().map_or_else(|| exit.name.clone(), |first| first.name().to_owned());
                // Two of this strength stay near the well as long as there is something to see.
                found.push((!stairs, world.rooms[room].depth, way.len(), step));
            }
        }
    }
    found.into_iter().min().map(|(.., step)| step)
}
