//! In-process cost of a player's line, from the client's bytes to the bytes of the answer, without sockets and before
//! the commit. Run with `cargo bench --bench game`; docs/develop/performance.md lists the targets.
//!
//! Disk and network are not measured here, but by `examples/load`.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot be set up shall stop")]

use deepwell::base::{CharacterId, Direction, ExitId, GameTime, Point, RoomId, Seed, SessionId, Span};
use deepwell::catalog::{Catalog, RoomSheet};
use deepwell::dungeon::BranchSpec;
use deepwell::game::{Effect, Effects, Game, GameConfig, Input};
use deepwell::level::layout::{Arrival, Budgeted, Cellular, GrownFloor, Lattice, Layout};
use deepwell::level::{FloorRequest, Frontier, GrowSettings, generate_floor};
use deepwell::script::{Program, ScriptLimits, Value};
use deepwell::session::{self, ConnectionInfo, Delivery, Session, SessionAction, SessionConfig};
use deepwell::store::Store;
use deepwell::tools::branch::PlannedBranch;
use deepwell::world::{Character, Exit, ExitState, Room, RoomKind, Snapshot, Trigger, TriggerEvent};
use divan::{Bencher, black_box};
use std::sync::Arc;

/// Same allocator as the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Worlds shared with the load tool.
#[path = "../examples/load/explored.rs"]
mod explored;

use explored::{config, create, explored_world, name, new_game, next_step, without_perils};

fn main() {
    divan::main();
}

/// Number of players in other rooms.
const CROWDS: [u32; 2] = [1, 1_000];

/// Number of rooms of the big world.
const ROOMS: usize = 100_000;

/// `look` in a room without other players.
#[divan::bench(args = CROWDS)]
fn look(bencher: Bencher, others: u32) {
    let mut table = Table::among(others);
    table.line("north");
    bencher.bench_local(|| table.line(black_box("look")));
}

/// `look` in a room with this many other players.
#[divan::bench(args = [10, 100, 500, 1_000])]
fn look_in_a_crowd(bencher: Bencher, others: u32) {
    let mut table = Table::with_others(others, |game, _| reloaded(game.world().snapshot()));
    bencher.bench_local(|| table.line(black_box("look")));
}

/// `say` in a room without a trigger, with one for other words, and with one that runs a line.
#[divan::bench(args = ["no trigger", "other words", "one line"])]
fn say_with_a_trigger(bencher: Bencher, kind: &str) {
    let phrase = match kind {
        "no trigger" => None,
        "other words" => Some("farewell"),
        _ => Some("hello"),
    };
    let trigger = |phrase: &str| Trigger {
        name: String::new(),
        on: TriggerEvent::Say(phrase.to_owned()),
        lines: vec!["tell The wall whispers back.".to_owned()],
    };
    let mut table = Table::with_others(1, |game, _| {
        let mut stored = game.world().snapshot();
        for room in stored.rooms.values_mut() {
            room.triggers = phrase.map(trigger).into_iter().collect::<Vec<_>>().into();
        }
        reloaded(stored)
    });
    bencher.bench_local(|| table.line(black_box("say hello")));
}

/// A step of `check all` in a world of 10,000 hand-built rooms, each with a script about quests. Other players wait for one
/// step at a time.
#[divan::bench(sample_size = 1, sample_count = 2_000)]
fn step_of_a_check_of_10_000_rooms(bencher: Bencher) {
    let mut table = Table::with_others(1, |game, _| {
        let mut stored = game.world().snapshot();
        add_rooms_with_quests(&mut stored, 10_000);
        stored.meta.as_mut().unwrap().owner_token = Some("token".to_owned());
        reloaded(stored)
    });
    table.line("claim token");
    let table = std::cell::RefCell::new(table);
    bencher
        .with_inputs(|| {
            let mut table = table.borrow_mut();
            table.now = table.now + PACE;
            let begins = table.game.next_deadline().is_none_or(|at| at > table.now);
            if begins {
                Input::Command { session: CLIENT, line: "check all".to_owned() }
            } else {
                Input::Wake
            }
        })
        .bench_local_values(|input| {
            let mut table = table.borrow_mut();
            let Table { game, now, effects, .. } = &mut *table;
            game.step(*now, input, effects);
            effects.clear();
            black_box(game.cut())
        });
}

/// Adds hand-built rooms in a row, each with a trigger that asks about and begins a quest.
fn add_rooms_with_quests(stored: &mut Snapshot, rooms: u32) {
    let meta = stored.meta.as_mut().unwrap();
    let (first, mut exit) = (meta.next_room, meta.next_exit);
    for number in 0..rooms {
        let id = RoomId(first + number);
        let mut room = Room::new(id, RoomSheet::new(RoomKind::Room, format!("Hedge {number}")));
        (room.z, room.at) = (50, Point::new(number.cast_signed(), 0));
        room.area = "maze".into();
        room.sheet.description = "A passage between two hedges.".into();
        let lines = ["if quest fewer_rats active and level 2: tell On with it.", "else start fewer_rats"];
        let on = TriggerEvent::Say("rats".to_owned());
        let lines = lines.map(str::to_owned).to_vec();
        room.triggers = vec![Trigger { name: String::new(), on, lines }].into();
        stored.rooms.insert(id, room);
        for (step, direction) in [(1, Direction::East), (-1, Direction::West)] {
            let Some(to) = number.checked_add_signed(step).filter(|to| *to < rooms) else { continue };
            let row = Exit::new(ExitId(exit), id, Some(direction));
            stored.exits.insert(row.id, Exit { to: Some(RoomId(first + to)), ..row });
            exit += 1;
        }
    }
    (meta.next_room, meta.next_exit) = (first + rooms, exit);
}

/// A move into an existing room, alternately north and south.
#[divan::bench(args = CROWDS)]
fn move_to_a_known_room(bencher: Bencher, others: u32) {
    let mut table = Table::among(others);
    let mut ways = ["north", "south"].into_iter().cycle();
    bencher.bench_local(|| table.line(black_box(ways.next().unwrap())));
}

/// A move that creates the room.
#[divan::bench(args = CROWDS, sample_size = 1, sample_count = 1_000)]
fn move_to_a_new_room(bencher: Bencher, others: u32) {
    let table = std::cell::RefCell::new(Table::among(others));
    table.borrow_mut().line("down");
    table.borrow_mut().line("north");
    bencher
        .with_inputs(|| table.borrow_mut().walk_to_unexplored_exit())
        .bench_local_values(|way| table.borrow_mut().line(black_box(&way)));
}

/// Rooms of the branch before the hundred that are measured. The cost per room must not grow with this number.
const GROWN: [u32; 2] = [0, 9_900];

/// Places a hundred more rooms on a floor, without their contents.
#[divan::bench(args = GROWN, consts = [0, 1, 2, 3], sample_size = 1, sample_count = 100)]
fn place_100_rooms<const LAYOUT: usize>(bencher: Bencher, before: u32) {
    let layouts: [Arc<dyn Layout>; 4] = [
        Arc::new(Budgeted::frontier()),
        Arc::new(Budgeted::corridor()),
        Arc::new(Lattice::default()),
        Arc::new(Cellular::default()),
    ];
    let layout = Arc::clone(&layouts[LAYOUT]);
    let mut floor = GrowingFloor { layout, frontier: Frontier::new(1), newest: None, rooms: 0 };
    floor.grow(before);
    bencher.with_inputs(|| floor.clone()).bench_local_values(|mut floor| {
        floor.grow(100);
        floor
    });
}

/// Generates a hundred more rooms of a branch, with texts and contents. The first rooms are cheaper, because a branch
/// keeps the texts of the last thirty rooms to avoid repeating them.
#[divan::bench(args = [0, 1_000, 9_900], sample_size = 1, sample_count = 100)]
fn plan_100_rooms(bencher: Bencher, before: u32) {
    let catalog = Catalog::builtin();
    let spec = BranchSpec::of(&catalog, "well", Seed(5));
    let branch = PlannedBranch::walk(spec, &catalog, before.max(1), 1);
    let open_100_rooms = |branch: &mut PlannedBranch| {
        for _ in 0..100 {
            let (from, direction) = branch.floors[0].frontier.open_exits().next().unwrap();
            branch.open(&catalog, from, direction);
        }
    };
    let in_use = || {
        let mut branch = branch.clone();
        // Reserve, so that the list of the tool is not reallocated within the hundred rooms.
        branch.rooms.reserve(200);
        if before > 0 {
            // Warm the processor caches, which the copy has flushed.
            open_100_rooms(&mut branch);
        }
        branch
    };
    bencher.with_inputs(in_use).bench_local_values(|mut branch| {
        open_100_rooms(&mut branch);
        branch
    });
}

/// Generates a whole floor of 34 to 60 rooms, from partitioning to verification.
#[divan::bench(args = ["upper crypt", "upper catacombs"])]
fn make_a_whole_floor(bencher: Bencher, name: &str) {
    let catalog = Catalog::builtin();
    let level_type = Arc::clone(&catalog.level_types[name]);
    let mut seeds = 0..;
    bencher.bench_local(|| {
        let request = FloorRequest::new(Seed(seeds.next().unwrap()));
        generate_floor(&level_type, black_box(&request), catalog.sources()).unwrap()
    });
}

/// A floor that grows depth first.
#[derive(Clone)]
struct GrowingFloor {
    layout: Arc<dyn Layout>,
    frontier: Frontier,
    newest: Option<(Point, Direction)>,
    rooms: u64,
}

impl GrowingFloor {
    fn grow(&mut self, rooms: u32) {
        for _ in 0..rooms {
            let (from, side) = self
                .newest
                .or_else(|| self.frontier.open_exits().next())
                .unwrap_or((Point::ORIGIN, Direction::East));
            let mut dice = Seed(5).numbered(self.rooms).rng();
            let ground =
                GrownFloor { frontier: &mut self.frontier, settings: GrowSettings::default(), seed: Seed(5) };
            let growth = self.layout.place(ground, Arrival::By(from, side), &mut dice);
            self.newest = growth.new_exits.first().map(|exit| (growth.at, *exit));
            self.rooms += 1;
        }
    }
}

/// A tick of a branch of 400 rooms with this many creatures. Each takes a step, towards a player or at random.
#[divan::bench(args = CROWDS, sample_size = 1, sample_count = 200)]
fn tick_with_seekers(bencher: Bencher, seekers: u32) {
    let (mut game, mut now) = branch_of_seekers(seekers);
    let mut effects = Effects::new();
    bencher.bench_local(|| {
        now = now + Span::secs(10);
        game.step(now, Input::Wake, &mut effects);
        effects.clear();
        black_box(game.cut())
    });
}

/// A combat round of a thousand fighters in two hundred rooms, with a connected player and four orcs in each room. It
/// includes all messages and the cut of the changes.
#[divan::bench]
fn round_of_1_000_fighters(bencher: Bencher) {
    let (mut game, mut now) = fighters(200, 4);
    let mut effects = Effects::new();
    bencher.bench_local(|| {
        now = now + ROUND;
        game.step(now, Input::Wake, &mut effects);
        assert!(effects.len() > 1_000, "200 players read what 1,000 fighters do: {}", effects.len());
        effects.clear();
        black_box(game.cut())
    });
}

/// A step of the deletion of a branch of 10,000 rooms, including the first step, which removes its players. The slowest
/// step bounds the delay of other players' commands.
#[divan::bench(sample_size = 1, sample_count = 400)]
fn clear_away_10_000_rooms(bencher: Bencher) {
    let stored = one_big_branch(10_000);
    let catalog = Arc::new(without_perils());
    let (mut effects, session) = (Effects::new(), SessionId(1));
    let load = || {
        let mut game = Game::load(Arc::clone(&catalog), config(), stored.clone()).unwrap();
        let (account, _) = game.credential(&name(0)).unwrap();
        let now = game.time() + Span::secs(2);
        let login =
            Input::Login { session, account, name: name(0), pre_login: Box::default(), goes_on: false };
        game.step(now, login, &mut Effects::new());
        drop(game.cut());
        (game, now)
    };
    let state = std::cell::RefCell::new(None);
    bencher
        .with_inputs(|| {
            let mut state = state.borrow_mut();
            let (game, now) = state.get_or_insert_with(load);
            if game.world().branches.is_empty() {
                (*game, *now) = load();
            }
            *now = *now + Span::millis(20);
            let begins = game.world().branches.next_to_clean_up().is_none();
            if begins { Input::Command { session, line: "recall".to_owned() } } else { Input::Wake }
        })
        .bench_local_values(|input| {
            let mut state = state.borrow_mut();
            let (game, now) = state.as_mut().unwrap();
            game.step(*now, input, &mut effects);
            effects.clear();
            black_box(game.cut())
        });
}

/// Loads a big world into the game: every row is checked, every index and timer built.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn load_100_000_rooms_into_the_game(bencher: Bencher) {
    let stored = explored_world(ROOMS).world().snapshot();
    let catalog = Arc::new(Catalog::builtin());
    bencher
        .with_inputs(|| (Arc::clone(&catalog), stored.clone()))
        .bench_local_values(|(catalog, stored)| Game::load(catalog, GameConfig::default(), stored).unwrap());
}

/// Same as `load_100_000_rooms_into_the_game`, from disk: opens the database, reads and parses every row, loads the
/// game.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn start_with_100_000_stored_rooms(bencher: Bencher) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deepwell.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut store = Store::open(&path).await.unwrap();
        store.commit(&explored_world(ROOMS).cut()).await.unwrap();
        store.close().await.unwrap();
    });
    bencher.bench_local(|| {
        let stored = runtime.block_on(async {
            let mut store = Store::open(&path).await.unwrap();
            let stored = store.load().await.unwrap();
            store.close().await.unwrap();
            stored
        });
        Game::load(Arc::new(Catalog::builtin()), GameConfig::default(), stored).unwrap()
    });
}

/// A session and the game for one client, without sockets, clock or disk.
struct Table {
    game: Game,
    session: Session,
    now: GameTime,
    actions: Vec<SessionAction>,
    effects: Effects,
    sent: Vec<u8>,
    typed: Vec<u8>,
}

/// Session of the measured client.
const CLIENT: SessionId = SessionId(1);

/// Length of a combat round.
const ROUND: Span = Span::secs(3);

/// Time between two lines, so that no line is rate limited.
const PACE: Span = Span::millis(100);

impl Table {
    /// Creates a logged-in client, and `others` players each in a separate room.
    fn among(others: u32) -> Self {
        Self::with_others(others, with_separate_rooms)
    }

    /// Creates a logged-in client and `others` players, in the rooms that `place` gives them.
    fn with_others(others: u32, place: impl FnOnce(Game, u32) -> Game) -> Self {
        let mut game = new_game();
        let mut effects = Effects::new();
        let now = GameTime(1);
        for n in 0..others {
            game.step(now, create(SessionId(u64::from(n) + 2), &name(n)), &mut effects);
        }
        let mut game = place(game, others);
        for n in 0..others {
            let (account, _) = game.credential(&name(n)).unwrap();
            let session = SessionId(u64::from(n) + 2);
            let login =
                Input::Login { session, account, name: name(n), pre_login: Box::default(), goes_on: false };
            game.step(now, login, &mut effects);
        }
        let config = SessionConfig {
            limits: GameConfig::default().limits,
            name: "Deepwell".to_owned(),
            welcome: "Welcome.".into(),
            ..SessionConfig::default()
        };
        let mut table = Self {
            game,
            session: Session::new(CLIENT, Arc::new(config), ConnectionInfo::default(), now),
            now,
            actions: Vec::new(),
            effects: Effects::new(),
            sent: Vec::new(),
            typed: Vec::new(),
        };
        table.now = table.now + Span::secs(1);
        table.session.tick(table.now, &mut table.actions);
        table.line("create Measured long-enough-password");
        assert!(table.session.is_playing(), "{}", String::from_utf8_lossy(&table.sent));
        table
    }

    /// Types a line and returns the length of the answer. Changes are cut as before each commit.
    fn line(&mut self, line: &str) -> usize {
        self.now = self.now + PACE;
        self.typed.clear();
        self.typed.extend_from_slice(line.as_bytes());
        self.typed.extend_from_slice(b"\r\n");
        self.session.receive(&self.typed, self.now, &mut self.actions);
        while !self.actions.is_empty() {
            for action in std::mem::take(&mut self.actions) {
                let input = match action {
                    SessionAction::Ask(session::Request::Game(input)) => input,
                    SessionAction::Ask(session::Request::Create { name, .. }) => create(CLIENT, &name),
                    other => panic!("not expected: {other:?}"),
                };
                self.game.step(self.now, input, &mut self.effects);
            }
            black_box(self.game.cut());
            for effect in self.effects.drain(..).filter(of_client) {
                self.session.deliver(Delivery::Effect(effect), self.now, &mut self.actions);
            }
        }
        self.sent.clear();
        self.session.flush(&mut self.sent);
        self.sent.len()
    }

    /// Walks back until the room has an unexplored exit, and returns its name.
    fn walk_to_unexplored_exit(&mut self) -> String {
        loop {
            let world = self.game.world();
            let room = world.characters[self.game.world().character_by_name("Measured").unwrap()].room;
            let unexplored = world.exits.of(room).find(|exit| exit.state == ExitState::Unexplored);
            if let Some(exit) = unexplored {
                return exit.name.clone();
            }
            let back = world.exits.of(room).find(|exit| exit.back).unwrap().name.clone();
            self.line(&back);
        }
    }
}

/// Creates a branch with a player and creatures that only seek players.
fn branch_of_seekers(seekers: u32) -> (Game, GameTime) {
    let mut game = new_game();
    let (mut effects, session) = (Effects::new(), SessionId(2));
    let mut now = GameTime(1);
    game.step(now, create(session, &name(0)), &mut effects);
    for way in ["down", "north"] {
        game.step(now, Input::Command { session, line: way.to_owned() }, &mut effects);
    }
    let body = game.world().character_by_name(&name(0)).unwrap();
    let branch = game.world().characters[body].branch.unwrap();
    while game.world().branches.index_of(branch).unwrap().rooms.len() < 400 {
        let line = next_step(&game, body);
        game.step(now, Input::Command { session, line }, &mut effects);
    }
    let rooms: Vec<RoomId> =
        game.world().branches.index_of(branch).unwrap().rooms.values().copied().collect();
    let mut stored = game.world().snapshot();
    let meta = stored.meta.as_mut().unwrap();
    for room in rooms.iter().cycle().take(seekers as usize) {
        let id = CharacterId(meta.next_character);
        meta.next_character += 1;
        let seeker = Character::new(id, "bat".to_owned(), *room, now);
        let seeker =
            Character { prototype: Some("bat".to_owned()), awake: true, branch: Some(branch), ..seeker };
        stored.characters.insert(id, seeker);
    }
    let mut catalog = without_perils();
    let bat = catalog.creatures.get_mut("bat").unwrap();
    bat.behaviours = vec![deepwell::catalog::Behaviour::Seek { percent: 50 }];
    let mut game = Game::load(Arc::new(catalog), config(), stored).unwrap();
    let (account, _) = game.credential(&name(0)).unwrap();
    now = now + Span::secs(1);
    let login = Input::Login { session, account, name: name(0), pre_login: Box::default(), goes_on: false };
    game.step(now, login, &mut effects);
    (game, now)
}

fn of_client(effect: &Effect) -> bool {
    effect.session() == Some(CLIENT)
}

/// Creates players who each fight some orcs in a separate branch; no fighter can be defeated.
fn fighters(players: u32, orcs: u64) -> (Game, GameTime) {
    let mut game = new_game();
    let (mut effects, mut now) = (Effects::new(), GameTime(1));
    for n in 0..players {
        let session = SessionId(u64::from(n) + 1);
        now = now + Span::secs(2);
        game.step(now, create(session, &name(n)), &mut effects);
        for way in ["down", "north"] {
            game.step(now, Input::Command { session, line: way.to_owned() }, &mut effects);
        }
    }
    let mut stored = game.world().snapshot();
    let mut next = stored.meta.as_ref().unwrap().next_character;
    let bodies: Vec<CharacterId> = stored.characters.keys().copied().collect();
    for player in bodies {
        let (room, branch) = (stored.characters[&player].room, stored.characters[&player].branch);
        let first = CharacterId(next);
        for id in (next..next + orcs).map(CharacterId) {
            let orc = Character {
                prototype: Some("orc".to_owned()),
                awake: true,
                branch,
                hp: 1_000_000_000,
                max_hp: 1_000_000_000,
                attack: 3,
                target: Some(player),
                ..Character::new(id, "orc".to_owned(), room, now)
            };
            stored.characters.insert(id, orc);
        }
        next += orcs;
        let body = stored.characters.get_mut(&player).unwrap();
        (body.hp, body.max_hp, body.target) = (1_000_000_000, 1_000_000_000, Some(first));
    }
    stored.meta.as_mut().unwrap().next_character = next;
    let mut game = Game::load(Arc::new(without_perils()), config(), stored).unwrap();
    for n in 0..players {
        let (account, _) = game.credential(&name(n)).unwrap();
        let session = SessionId(u64::from(n) + 1);
        let login =
            Input::Login { session, account, name: name(n), pre_login: Box::default(), goes_on: false };
        game.step(now, login, &mut effects);
    }
    (game, now)
}

/// Digs a room for each of `others` players and moves the player there.
fn with_separate_rooms(mut game: Game, others: u32) -> Game {
    let (now, mut effects) = (game.time(), Effects::new());
    let owner = SessionId(2);
    game.step(now, Input::OwnerToken { token: "token".to_owned() }, &mut effects);
    let mut lines = vec!["claim token".to_owned()];
    lines.extend((0..others).map(|n| format!("dig Cell {n}")));
    for line in lines {
        game.step(now, Input::Command { session: owner, line }, &mut effects);
    }
    let cells: Vec<RoomId> = game
        .world()
        .rooms
        .iter()
        .filter(|(_, room)| room.sheet.name.starts_with("Cell "))
        .map(|(id, _)| id)
        .collect();
    let mut stored = game.world().snapshot();
    assert_eq!((cells.len(), stored.characters.len()), (others as usize, others as usize));
    for (character, cell) in stored.characters.values_mut().zip(cells) {
        character.room = cell;
    }
    reloaded(stored)
}

fn reloaded(stored: Snapshot) -> Game {
    Game::load(Arc::new(without_perils()), config(), stored).unwrap()
}

/// Creates a walked branch with one player and a closed window.
fn one_big_branch(rooms: usize) -> Snapshot {
    let mut game = new_game();
    let (mut effects, mut now, session) = (Effects::new(), GameTime(1), SessionId(1));
    game.step(now, create(session, &name(0)), &mut effects);
    for way in ["down", "north"] {
        game.step(now, Input::Command { session, line: way.to_owned() }, &mut effects);
    }
    let body = game.world().character_by_name(&name(0)).unwrap();
    let enough = game.world().rooms.len() + rooms;
    while game.world().rooms.len() < enough {
        let line = next_step(&game, body);
        now = now + Span::millis(1);
        game.step(now, Input::Command { session, line }, &mut effects);
        effects.clear();
    }
    game.step(now + Span::secs(2), Input::Wake, &mut effects);
    game.world().snapshot()
}

/// Runs a builder's script: one that returns a word, and one that is stopped at its limit.
#[divan::bench(args = ["return { event.words }", "while true do end"])]
fn call_a_script(bencher: Bencher, body: &str) {
    let source = format!("return {{ run = function(event) {body} end }}");
    let program = Program::compile("scripts/bench.luau", &source).expect("a program");
    let event = [Value::table([("words", Value::text("hello"))])];
    let limits = ScriptLimits::default();
    bencher.bench_local(|| program.call("run", black_box(&event), Seed(1), &limits));
}
