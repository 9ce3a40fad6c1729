//! Searches for a seed whose first branch has the rooms the story needs, by exploring it in process: the same seed and
//! steps give the same rooms in the real server (C3).

use deepwell::base::{CharacterId, GameTime, RoomId, Seed, SessionId, Span};
use deepwell::catalog::Catalog;
use deepwell::game::{DungeonConfig, Effects, Game, GameConfig, Input};
use deepwell::world::{ExitState, Snapshot, World};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// `dungeon.max_unexplored_exits` of the story: enough for exits to join existing rooms.
pub(crate) const UNEXPLORED_MAX: u32 = 6;
/// `dungeon.max_new_exits_per_room` of the story.
pub(crate) const NEW_MAX: u32 = 3;

/// Seed and path through its first branch.
pub(crate) struct Route {
    /// `world.seed`.
    pub(crate) seed: u64,
    /// An unexplored exit of the first room, behind a rat.
    pub(crate) blocked: String,
    /// Steps from the first room, after the rat is dead, to a room with a one-way exit.
    pub(crate) steps: Vec<String>,
    /// Name of the one-way exit.
    pub(crate) one_way: String,
}

/// Returns the first suitable seed: no exit is blocked beyond the first room, and no second creature appears on the
/// path.
pub(crate) fn route() -> Route {
    let catalog = Arc::new(Catalog::builtin());
    (1..20_000)
        .find_map(|seed| walk(&catalog, seed))
        .expect("one of many seeds has a rat, and ways that meet")
}

fn walk(catalog: &Arc<Catalog>, seed: u64) -> Option<Route> {
    let mut scout = Scout::enter(catalog, seed)?;
    let exits = scout.game.world().exits.of(scout.room());
    let blocked =
        exits.filter(|exit| exit.state == ExitState::Unexplored).map(|exit| exit.name.clone()).next()?;
    scout.kill_the_rat()?;
    let mut steps = Vec::new();
    for _ in 0..14 {
        let step = scout.next_step(steps.last())?;
        scout.line(&step);
        steps.push(step);
        if !scout.is_peaceful() {
            return None;
        }
        let world = scout.game.world();
        let found = world.exits.iter().find(|(_, exit)| exit.state == ExitState::OneWay);
        if let Some((_, exit)) = found {
            steps.extend(way(world, scout.room(), exit.room)?);
            return Some(Route { seed, blocked, steps, one_way: exit.name.clone() });
        }
    }
    None
}

struct Scout {
    game: Game,
    now: GameTime,
    body: CharacterId,
}

const SESSION: SessionId = SessionId(1);

impl Scout {
    /// Puts a character into the first room north of the well; `None` unless exactly one rat guards it.
    fn enter(catalog: &Arc<Catalog>, seed: u64) -> Option<Self> {
        let dungeon = DungeonConfig {
            max_unexplored_exits: Some(UNEXPLORED_MAX),
            max_new_exits_per_room: Some(NEW_MAX),
            ..DungeonConfig::default()
        };
        let config = GameConfig { seed: Seed(seed), dungeon, ..GameConfig::default() };
        let game = Game::load(Arc::clone(catalog), config, Snapshot::default()).unwrap();
        let mut scout = Self { game, now: GameTime(1), body: CharacterId(0) };
        let create = Input::Create {
            session: SESSION,
            name: "Norna".to_owned(),
            credential: String::new(),
            pre_login: Box::default(),
        };
        scout.step(create);
        scout.body = scout.game.world().character_by_name("Norna").unwrap();
        scout.line("down");
        scout.line("north");
        let mut creatures = scout.creatures().into_iter();
        (creatures.next().as_deref() == Some("brood_rat") && creatures.next().is_none()).then_some(scout)
    }

    fn kill_the_rat(&mut self) -> Option<()> {
        self.line("kill rat");
        for _ in 0..20 {
            if self.creatures().is_empty() {
                return Some(());
            }
            self.now = self.now + Span::secs(3);
            self.step(Input::Wake);
        }
        None
    }

    /// Returns an unexplored exit, changing direction if possible; else the exit back.
    fn next_step(&self, last: Option<&String>) -> Option<String> {
        let exits = self.game.world().exits.of(self.room());
        let unexplored = |exit: &&deepwell::world::Exit| exit.state == ExitState::Unexplored;
        let rank = |exit: &&deepwell::world::Exit| (!unexplored(exit), Some(&exit.name) == last);
        exits.filter(|exit| unexplored(exit) || exit.back).min_by_key(rank).map(|exit| exit.name.clone())
    }

    /// Returns `true` if the room is cleared and in the branch, and the branch has no creatures.
    fn is_peaceful(&self) -> bool {
        let room = &self.game.world().rooms[self.room()];
        room.clear && room.branch.is_some() && self.creatures().is_empty()
    }

    /// Returns the prototypes of all creatures of the branch.
    fn creatures(&self) -> Vec<String> {
        let world = self.game.world();
        let below = world.characters.iter().filter(|(_, body)| body.branch.is_some());
        below.filter_map(|(_, body)| body.prototype.clone()).collect()
    }

    fn room(&self) -> RoomId {
        self.game.world().characters[self.body].room
    }

    fn line(&mut self, line: &str) {
        self.step(Input::Command { session: SESSION, line: line.to_owned() });
    }

    fn step(&mut self, input: Input) {
        self.game.step(self.now, input, &mut Effects::new());
    }
}

/// Returns the steps from one room to another over explored exits.
fn way(world: &World, from: RoomId, to: RoomId) -> Option<Vec<String>> {
    let mut ways = BTreeMap::from([(from, Vec::new())]);
    let mut queue = VecDeque::from([from]);
    while let Some(room) = queue.pop_front() {
        if room == to {
            return ways.remove(&room);
        }
        for exit in world.exits.of(room).filter(|exit| exit.state == ExitState::Open) {
            let Some(next) = exit.to.filter(|next| world.rooms[*next].branch.is_some()) else { continue };
            if !ways.contains_key(&next) {
                let mut steps = ways[&room].clone();
                steps.push(exit.name.clone());
                ways.insert(next, steps);
                queue.push_back(next);
            }
        }
    }
    None
}
