//! Builder who solves one puzzle after another: the progress in each is stored, and each reward is given once.

use super::content::CATALOG;
use super::{Scene, Worker, builder};
use crate::client::{Client, ClientKind, Gone};
use crate::server::{Server, password};
use deepwell::base::Rng;
use deepwell::puzzle::{PuzzleConfig, State, enter, start, take};
use deepwell::world::{Place, PuzzleRun, Snapshot};
use std::collections::BTreeMap;

const NAME: &str = "Idun";
/// Number of puzzles solved in one branch.
const PUZZLES: usize = 5;
/// Maximum number of items in a reward.
const THINGS: usize = 3;

/// Creates the builder, and the exit to the puzzles.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    server.create(NAME);
    let mut builder = server.login(builder::NAME);
    builder.ask(&format!("promote {NAME} builder"));
    builder.ask("goto lodge");
    builder.ask("dig Gatehouse;gatehouse:start");
    builder.ask("goto gatehouse");
    builder.ask("open north:branch");
    for setting in ["theme = gates", "window = 1", "reset_chance = 100"] {
        let answer = builder.ask(&format!("set north {setting}"));
        assert!(answer.contains(" now."), "{setting}: {answer}");
    }
    vec![Box::new(Puzzler { gate: None, done: 0, typed: false, solved: BTreeMap::new() })]
}

struct Puzzler {
    /// Gate room of the current puzzle.
    gate: Option<u64>,
    /// Number of acknowledged steps of its solution.
    done: usize,
    /// Set while a further step is in flight.
    typed: bool,
    /// Gate rooms of solved puzzles, with the number of items in each once known.
    solved: BTreeMap<u64, Option<usize>>,
}

impl Worker for Puzzler {
    fn work(&mut self, scene: &Scene<'_>, _: &mut Rng) -> Result<(), Gone> {
        let mut client = Client::try_open(scene.address, ClientKind::Mapper)?;
        client.send(&format!("connect {NAME} {}", password(NAME)));
        client.try_expect("> ")?;
        client.try_ask("config width off")?;
        loop {
            if self.gate.is_none() {
                self.find_a_gate(&mut client)?;
            }
            self.solve(&mut client, scene)?;
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        if let Some(gate) = self.gate {
            let runs = stored.floors.values().filter_map(|floor| floor.puzzle.as_deref());
            match runs.into_iter().find(|run| u64::from(run.gate.0) == gate) {
                Some(run) => self.compare_steps(run, mismatches),
                None => {
                    mismatches.push(format!("{NAME} was told to be in the puzzle of {gate}; there is none"));
                }
            }
        }
        for (gate, things) in &mut self.solved {
            let Some(room) = stored.rooms.values().find(|room| u64::from(room.id.0) == *gate) else {
                mismatches.push(format!("the room {gate} before a puzzle is not there"));
                continue;
            };
            let found = stored.items.values().filter(|item| item.place == Place::Room(room.id)).count();
            let once = things.map_or((1..=THINGS).contains(&found), |things| things == found);
            if !once || !room.clear || !room.challenge.reward.is_empty() {
                mismatches.push(format!(
                    "{NAME} was told that {gate} is solved; {found} things lie there, {room:?}"
                ));
            }
            *things = Some(found);
        }
    }
}

impl Puzzler {
    /// Checks that the stored state is that after the acknowledged steps, or one more.
    fn compare_steps(&mut self, run: &PuzzleRun, mismatches: &mut Vec<String>) {
        let found = Self::states(run).iter().position(|state| *state == run.state);
        match found {
            Some(step) if step == self.done || self.typed && step == self.done + 1 => self.done = step,
            found => mismatches.push(format!(
                "{NAME} was told of {} steps, typed another: {}; found {found:?} with {:?}",
                self.done, self.typed, run.state
            )),
        }
        self.typed = false;
        if run.state.finished {
            self.solved.insert(run.gate.0.into(), None);
            self.gate = None;
        }
    }

    /// Returns the puzzle's state after each step of its solution.
    fn states(run: &PuzzleRun) -> Vec<State> {
        let puzzle = CATALOG.puzzles.find(&run.board.kind).expect("its kind is known");
        let solution = puzzle.solve(&run.board, &PuzzleConfig::of(&*puzzle)).solution.expect("it has one");
        let mut state = start(&run.board);
        enter(&run.board, &mut state, run.board.entrance);
        let mut states = vec![state.clone()];
        for step in &solution {
            take(&run.board, &mut state, step).expect("each step can be done");
            states.push(state.clone());
        }
        states
    }

    /// Walks until it has entered a puzzle.
    fn find_a_gate(&mut self, client: &mut Client) -> Result<(), Gone> {
        match self.solved.keys().next_back() {
            Some(last) if self.solved.len() < PUZZLES => client.try_ask(&format!("goto #{last}"))?,
            _ => self.start_over(client)?,
        };
        loop {
            let room = client.room().expect("it was told where it is").clone();
            let exits = room["exitsv2"].as_object().expect("a room has exits");
            let on = exits.iter().find(|(_, exit)| exit["state"] == "unexplored").map(|(way, _)| way.clone());
            if room["clear"] == false && client.try_ask("in")?.contains("Set the levers") {
                (self.gate, self.done) = (room["num"].as_u64(), 0);
                return Ok(());
            }
            match on {
                Some(way) if room["clear"] == true => client.try_ask(&way)?,
                // The branch has no unexplored exit left, or the room is blocked otherwise.
                _ => self.start_over(client)?,
            };
        }
    }

    /// Enters a new branch; the previous one, now empty, is deleted.
    fn start_over(&mut self, client: &mut Client) -> Result<String, Gone> {
        self.solved.clear();
        client.try_ask("goto gatehouse")?;
        client.try_ask("unlink north")?;
        client.try_ask("north")
    }

    /// Sends the remaining steps of the solution.
    fn solve(&mut self, client: &mut Client, scene: &Scene<'_>) -> Result<(), Gone> {
        let page = client.try_ask("puzzle solve")?;
        let lines = page.lines().skip_while(|line| *line != "From the beginning:").skip(1);
        let steps: Vec<String> =
            lines.map(|line| line.split(", in ").next().unwrap_or(line).to_owned()).collect();
        for step in steps.iter().skip(self.done) {
            self.typed = true;
            scene.begin("puzzle");
            let answer = client.try_ask(step)?;
            self.typed = false;
            self.done += 1;
            scene.note("puzzle");
            if answer.contains("The puzzle is solved.") {
                self.solved.insert(self.gate.take().expect("it is in a puzzle"), None);
                scene.note("solved");
            }
        }
        assert!(self.gate.is_none(), "not solved by {steps:?}");
        Ok(())
    }
}
