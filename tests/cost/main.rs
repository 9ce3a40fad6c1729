//! Deterministic cost of common commands: allocations, bytes allocated, rows written and bytes sent, compared with
//! `tests/data/costs.txt`. A command that writes a row although it only reads, or that allocates more than before,
//! changes the table. [`instructions`] counts the instructions of two commands in the whole server.

#[path = "../it/generated.rs"]
mod generated;
mod instructions;
mod profile;
mod watched_server;

use deepwell::base::{GameTime, Seed, SessionId, Span};
use deepwell::catalog::Catalog;
use deepwell::game::{Effect, Effects, Game, GameConfig, Input};
use deepwell::session::{ConnectionInfo, Delivery, Request, Session, SessionAction, SessionConfig};
use deepwell::world::Snapshot;
use std::fmt::Write as _;
use std::sync::Arc;

/// File with the expected costs.
const COSTS: &str = "tests/data/costs.txt";

/// Other players in the room.
const OTHERS: u64 = 20;

/// Time between two lines, so that no line is rate limited.
const PACE: Span = Span::secs(2);

/// Session of the measured client.
const CLIENT: SessionId = SessionId(1);

/// Commands that only read. None of them may write a row.
const READING: &str = "look, look well, exits, inventory, equipment, score, hp, who, time, news, rules, help, \
    help look, commands, map, whois Climberab, title, consider climberab, party, abilities, affects, alias, config, \
    history, replay, channel, socials, goal, balance, compare cap, scan, read well";

/// Commands that change something or speak, in the order in which they are measured.
const ACTING: &str = "say hello, tell climberab hello, ooc hello, emote waves, smile, north, get cap, wear cap, \
    remove cap, drop cap, get cap, give cap to climberab, south, west, buy torch, sell torch, east, \
    config brief on, alias k = kill, rest, stand, follow climberab, follow me, down, up";

/// A game, and the session of one client.
struct Table {
    game: Game,
    session: Session,
    now: GameTime,
}

/// Cost of a line.
#[derive(Default)]
struct Cost {
    allocations: u64,
    allocated: u64,
    rows: usize,
    sent: usize,
}

impl Table {
    /// Seats the measured client and the others on the town square, where each command has been typed once.
    fn new() -> Self {
        let config = GameConfig { seed: Seed(7), ..GameConfig::default() };
        let mut game =
            Game::load(Arc::new(Catalog::builtin()), config, Snapshot::default()).expect("a world");
        let now = GameTime(1);
        for other in 0..OTHERS {
            let name = format!("Climber{}{}", letter(other / 10), letter(other % 10));
            game.step(now, create(SessionId(2 + other), &name), &mut Effects::new());
        }
        let session =
            Session::new(CLIENT, Arc::new(SessionConfig::default()), ConnectionInfo::default(), now);
        let mut table = Self { game, session, now };
        table.now = table.now + PACE;
        table.session.tick(table.now, &mut Vec::new());
        table.line("create Measured long-enough-password");
        assert!(table.session.is_playing(), "the client did not log in");
        // The first uses fill caches, and store which advice the player has read.
        for line in lines(READING).chain(lines(ACTING)) {
            table.line(line);
        }
        table
    }

    /// Types a line after the timers that are due, and returns its cost.
    fn line(&mut self, line: &str) -> Cost {
        self.now = self.now + PACE;
        self.game.step(self.now, Input::Wake, &mut Effects::new());
        drop(self.game.cut());
        let mut actions = Vec::new();
        self.session.tick(self.now, &mut actions);
        self.play(&mut actions);
        self.session.flush(&mut Vec::new());
        let mut cost = Cost::default();
        let allocated = allocation_counter::measure(|| {
            self.session.receive(format!("{line}\r\n").as_bytes(), self.now, &mut actions);
            cost.rows = self.play(&mut actions);
            let mut sent = Vec::new();
            self.session.flush(&mut sent);
            cost.sent = sent.len();
        });
        Cost { allocations: allocated.count_total, allocated: allocated.bytes_total, ..cost }
    }

    /// Carries out the actions of the session, and returns the number of rows written.
    fn play(&mut self, actions: &mut Vec<SessionAction>) -> usize {
        let (mut effects, mut rows) = (Effects::new(), 0);
        while !actions.is_empty() {
            for action in std::mem::take(actions) {
                let input = match action {
                    SessionAction::Ask(Request::Game(input)) => input,
                    SessionAction::Ask(Request::Create { name, .. }) => create(CLIENT, &name),
                    other => panic!("not expected: {other:?}"),
                };
                self.game.step(self.now, input, &mut effects);
            }
            rows += self.game.cut().rows();
            for effect in effects.drain(..).filter(|effect: &Effect| effect.session() == Some(CLIENT)) {
                self.session.deliver(Delivery::Effect(effect), self.now, actions);
            }
        }
        rows
    }
}

fn create(session: SessionId, name: &str) -> Input {
    Input::Create { session, name: name.to_owned(), credential: String::new(), pre_login: Box::default() }
}

/// Returns a letter for a digit, so that names are not confusable.
fn letter(digit: u64) -> char {
    char::from(b"abefghkops"[usize::try_from(digit).expect("a digit")])
}

fn lines(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split(',').map(str::trim)
}

#[test]
fn commands_cost_what_the_table_says() {
    let mut table = Table::new();
    let mut page = String::from("# line | allocations | bytes allocated | rows written | bytes sent\n");
    for line in lines(READING).chain(lines(ACTING)) {
        let Cost { allocations, allocated, rows, sent } = table.line(line);
        let _ = writeln!(page, "{line} | {allocations} | {allocated} | {rows} | {sent}");
    }
    assert!(generated::is_up_to_date(COSTS, &page), "{COSTS} differs:\n{page}\n{}", generated::HOW);
}

#[test]
fn reading_commands_write_no_row() {
    let mut table = Table::new();
    for line in lines(READING) {
        assert_eq!(table.line(line).rows, 0, "{line}");
    }
}

#[test]
fn cost_of_a_command_is_deterministic() {
    let costs = || {
        let mut table = Table::new();
        let cost = |line| table.line(line);
        lines(ACTING)
            .map(cost)
            .map(|cost| (cost.allocations, cost.allocated, cost.rows, cost.sent))
            .collect::<Vec<_>>()
    };
    assert_eq!(costs(), costs());
}
