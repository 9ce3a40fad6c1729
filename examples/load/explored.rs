//! Worlds for measurements, without perils and explored by walking. Shared by the load tool, `examples/sizes.rs` and the benchmarks.

use deepwell::base::limits::Limits;
use deepwell::base::{CharacterId, ExitId, Seed, SessionId, Span};
use deepwell::catalog::Catalog;
use deepwell::game::{DungeonConfig, Effects, Game, GameConfig, Input};
use deepwell::world::{ExitState, Snapshot};
use std::sync::Arc;

/// Maximum number of hand-built rooms.
pub(crate) const BUILT_ROOMS_MAX: u32 = 1_000_000;

/// Creates a new world whose branches have no obstacles, so that nothing stops a walk.
pub(crate) fn new_game() -> Game {
    Game::load(Arc::new(without_perils()), config(), Snapshot::default()).expect("a new world")
}

/// Returns the shipped content without perils, traps, roaming creatures and behaviours.
pub(crate) fn without_perils() -> Catalog {
    let mut catalog = Catalog::builtin();
    for theme in catalog.themes.values_mut() {
        theme.perils.retain(|peril| peril.kind == deepwell::catalog::PerilKind::None);
        theme.roamer_percent = 0;
        theme.trap_permille = 0;
    }
    // Some rooms have guards in any case, so creatures get no behaviours.
    for creature in catalog.creatures.values_mut() {
        creature.behaviours.clear();
    }
    catalog
}

/// Returns a configuration in which each reset closes every window.
pub(crate) fn config() -> GameConfig {
    let dungeon = DungeonConfig {
        window: Span::millis(1),
        reset_interval: Span::secs(1),
        reset_chance_permille: 1_000,
        ..DungeonConfig::default()
    };
    let limits = Limits { built_rooms: BUILT_ROOMS_MAX, ..Limits::default() };
    GameConfig { seed: Seed(7), dungeon, limits, ..GameConfig::default() }
}

/// Returns the input that creates an account; no password matches its hash.
pub(crate) fn create(session: SessionId, name: &str) -> Input {
    let credential = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo".to_owned();
    Input::Create { session, name: name.to_owned(), credential, pre_login: Box::default() }
}

/// Returns a name that is not confusable with others: the digits of a number as letters.
pub(crate) fn name(n: u32) -> String {
    let letter = |digit: u8| char::from(b"abefghkops"[usize::from(digit - b'0')]);
    let digits = format!("{n:04}").into_bytes().into_iter().map(letter);
    format!("Climber{}", digits.collect::<String>())
}

/// Maximum number of steps of a walk. Some branches have no further exit that a single player can open.
const STEPS_MAX: usize = 1_500;

/// Creates a world of this many rooms by walking branches of 400 rooms each. Each explorer quits, so that the branches
/// may sleep.
pub(crate) fn explored_world(rooms: usize) -> Game {
    let mut game = new_game();
    let mut explorer = 0;
    while game.world().rooms.len() < rooms {
        let enough = (game.world().rooms.len() + 400).min(rooms);
        walk(&mut game, explorer, enough, &mut |_| {});
        let (session, now) = (SessionId(u64::from(explorer) + 1), game.time());
        game.step(now, Input::Command { session, line: "quit".to_owned() }, &mut Effects::new());
        explorer += 1;
    }
    game
}

/// Creates a player who walks a new branch until the world has this many rooms. `each` is called after each step.
pub(crate) fn walk(
    game: &mut Game,
    explorer: u32,
    rooms: usize,
    each: &mut dyn FnMut(&mut Game),
) -> CharacterId {
    let (mut effects, session) = (Effects::new(), SessionId(u64::from(explorer) + 1));
    let now = game.time() + Span::secs(2);
    game.step(now, create(session, &name(explorer)), &mut effects);
    for way in ["down", "north"] {
        game.step(now, Input::Command { session, line: way.to_owned() }, &mut effects);
    }
    each(game);
    let body = game.world().character_by_name(&name(explorer)).expect("an explorer");
    for _ in 0..STEPS_MAX {
        if game.world().rooms.len() >= rooms {
            break;
        }
        let line = next_step(game, body);
        game.step(now, Input::Command { session, line }, &mut effects);
        effects.clear();
        each(game);
    }
    body
}

/// Returns the next step of a depth-first walk: an unexplored exit, or else back.
pub(crate) fn next_step(game: &Game, body: CharacterId) -> String {
    let room = game.world().characters[body].room;
    let rank =
        |exit: &&deepwell::world::Exit| -> (bool, ExitId) { (exit.state != ExitState::Unexplored, exit.id) };
    let exits = game.world().exits.of(room);
    let exit = exits.filter(|exit| exit.state == ExitState::Unexplored || exit.back).min_by_key(rank);
    exit.expect("a way back").name.clone()
}
