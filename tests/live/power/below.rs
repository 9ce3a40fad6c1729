//! Workers in the world with the content of the kill tests: one opens and ends branches, one solves puzzles, two roll
//! for loot.

use super::cast::{Deed, Person, Work, look_around};
use super::tale::{Facts, Tale, Then, Value};
use crate::client::{Client, ClientKind, Gone};
use crate::kill::content::{CATALOG, parse_item_count};
use crate::kill::fighter::next_line;
use crate::kill::gamblers::GATHERING;
use crate::pair::character;
use deepwell::base::Dice as _;
use deepwell::puzzle::{PuzzleConfig, State, enter, start, take};
use deepwell::world::{Place, PuzzleRun, Snapshot};

/// Number of looks between two actions, to slow down the faster workers.
const LOOKS: u32 = 2;

/// Opens branches, one after the other, and ends each by command.
pub(super) struct Delver;

impl Delver {
    pub(super) const NAME: &'static str = "Yrsa";
    /// Commands that build the exit to its branches.
    pub(super) const WAY: [&'static str; 5] =
        ["goto lodge", "dig Pit;pit:start", "goto pit", "open north:branch", "set north theme = gates"];
}

fn branch(number: impl std::fmt::Display) -> String {
    format!("branch {number}")
}

impl Person for Delver {
    fn work(&mut self, mut work: Work<'_>) -> Result<(), Gone> {
        let mut client = work.log_in(Self::NAME, ClientKind::Mapper)?;
        loop {
            client.try_ask("goto pit")?;
            let fence = client.fences();
            client.try_ask("north")?;
            let room = client.room().expect("it was told where it is").clone();
            let (number, name) = (room["branch"].as_u64().expect("a branch"), room["name"].as_str());
            let also = vec![(branch(number), Value::is("lives"))];
            work.note(&client, fence, "branch", name.expect("it has a name"), Vec::new(), also);
            client.try_ask("goto pit")?;
            let (line, message) =
                (format!("branch collapse {number}"), format!("Branch {number} is no more."));
            let then = vec![(branch(number), Value::IsNot)];
            work.perform(&mut client, Deed { kind: "collapse", line: &line, told: &message, then })?;
            look_around(&mut client, LOOKS)?;
        }
    }
}

/// Solves one puzzle after another.
#[derive(Default)]
pub(super) struct Puzzler {
    /// Gate room of the current puzzle.
    gate: Option<u64>,
    /// Number of completed steps of its solution.
    done: usize,
    /// Gate rooms of the solved puzzles of this branch.
    solved: Vec<u64>,
}

/// Number of puzzles solved in one branch.
const PUZZLES: usize = 5;
const SOLVED: &str = "The puzzle is solved.";

fn puzzle(gate: u64) -> String {
    format!("the puzzle behind {gate}")
}

impl Puzzler {
    pub(super) const NAME: &'static str = "Idun";
    const HOUSE: &'static str = "Gatehouse";
    /// Commands that build the exit to the puzzles.
    pub(super) const WAY: [&'static str; 5] = [
        "goto lodge",
        "dig Gatehouse;gatehouse:start",
        "goto gatehouse",
        "open north:branch",
        "set north theme = gates",
    ];

    /// Sends a command that must be answered, and records the expected facts.
    fn type_line(
        work: &mut Work<'_>,
        client: &mut Client,
        (kind, line): (&'static str, &str),
        then: Then,
    ) -> Result<String, Gone> {
        work.tale.begin(then.clone());
        let fence = client.fences();
        let answer = client.try_ask(line)?;
        // The last line of an answer acknowledges all of its effects.
        let last = answer.lines().last().unwrap_or_else(|| panic!("no answer to {line:?}")).to_owned();
        work.note(client, fence, kind, &last, then, Vec::new());
        Ok(answer)
    }

    /// Walks until it has entered a puzzle.
    fn find_a_gate(&mut self, work: &mut Work<'_>, client: &mut Client) -> Result<(), Gone> {
        match self.solved.last() {
            Some(last) if self.solved.len() < PUZZLES => drop(client.try_ask(&format!("goto #{last}"))?),
            _ => self.start_over(work, client)?,
        }
        loop {
            let room = client.room().expect("it was told where it is").clone();
            let exits = room["exitsv2"].as_object().expect("a room has exits");
            let on = exits.iter().find(|(_, exit)| exit["state"] == "unexplored").map(|(way, _)| way.clone());
            if room["clear"] == false {
                let (gate, fence) = (room["num"].as_u64().expect("a number"), client.fences());
                let answer = client.try_ask("in")?;
                if let Some(goal) = answer.lines().find(|line| line.contains("Set the levers")) {
                    let also = vec![(puzzle(gate), Value::is(&steps(0)))];
                    work.note(client, fence, "puzzle", goal, Vec::new(), also);
                    (self.gate, self.done) = (Some(gate), 0);
                    return Ok(());
                }
            }
            match on {
                Some(way) if room["clear"] == true => drop(client.try_ask(&way)?),
                // The branch has no unexplored exit left, or the room is blocked otherwise.
                _ => self.start_over(work, client)?,
            }
        }
    }

    /// Enters a new branch; the previous one, now empty, is deleted together with its puzzles.
    fn start_over(&mut self, work: &mut Work<'_>, client: &mut Client) -> Result<(), Gone> {
        client.try_ask("goto gatehouse")?;
        let gone = self.solved.drain(..).map(|gate| (puzzle(gate), Value::Unknown)).collect();
        Self::type_line(work, client, ("unlink", "unlink north"), gone)?;
        client.try_ask("north").map(drop)
    }

    /// Sends the remaining steps of the solution.
    fn solve(&mut self, work: &mut Work<'_>, client: &mut Client) -> Result<(), Gone> {
        let gate = self.gate.expect("it is in a puzzle");
        let page = client.try_ask("puzzle solve")?;
        let lines = page.lines().skip_while(|line| *line != "From the beginning:").skip(1);
        let all: Vec<&str> = lines.map(|line| line.split(", in ").next().unwrap_or(line)).collect();
        for (n, step) in all.iter().enumerate().skip(self.done) {
            let is_last = n + 1 == all.len();
            let now = if is_last { "solved".to_owned() } else { steps(n + 1) };
            let then = vec![(puzzle(gate), Value::Is(now))];
            let answer = Self::type_line(work, client, ("puzzle", step), then)?;
            self.done = n + 1;
            look_around(client, LOOKS)?;
            if answer.contains(SOLVED) {
                self.gate = None;
                self.solved.push(gate);
            }
        }
        assert!(self.gate.is_none(), "not solved by {all:?}");
        Ok(())
    }
}

impl Person for Puzzler {
    fn begin(&mut self, stored: &Snapshot, _: &mut Tale) {
        let room = &stored.rooms[&character(stored, Self::NAME).room];
        let floor = stored
            .floors
            .values()
            .find(|floor| Some(floor.branch) == room.branch && floor.number == room.floor);
        let run = floor.and_then(|floor| floor.puzzle.as_deref()).filter(|run| !run.state.finished);
        self.gate = run.map(|run| run.gate.0.into());
        self.done = run.and_then(steps_done).unwrap_or_default();
        // In the gatehouse, the worker may have been about to end the branch, which exists until then.
        let is_here = |branch| room.branch.is_none_or(|here| here == branch);
        let here = runs(stored).filter(|(branch, run)| is_here(*branch) && run.state.finished);
        self.solved = here.map(|(_, run)| run.gate.0.into()).collect();
    }

    fn work(&mut self, mut work: Work<'_>) -> Result<(), Gone> {
        let mut client = work.log_in(Self::NAME, ClientKind::Mapper)?;
        client.try_ask("config width off")?;
        loop {
            if self.gate.is_none() {
                self.find_a_gate(&mut work, &mut client)?;
            }
            self.solve(&mut work, &mut client)?;
        }
    }
}

/// Returns the puzzles of the branches below the puzzle solver's gatehouse.
fn runs(stored: &Snapshot) -> impl Iterator<Item = (deepwell::base::BranchId, &PuzzleRun)> {
    let house = stored.rooms.values().find(|room| room.sheet.name == Puzzler::HOUSE).map(|room| room.id);
    let of_house = move |branch| {
        let row = stored.branches.get(&branch).filter(|row| row.lives());
        row.is_some_and(|row| Some(row.start_room) == house)
    };
    let floors = stored.floors.values().filter(move |floor| of_house(floor.branch));
    floors.filter_map(|floor| Some((floor.branch, floor.puzzle.as_deref()?)))
}

fn steps(count: usize) -> String {
    format!("{count} steps done")
}

/// Returns the number of solution steps that lead to the puzzle's current state.
fn steps_done(run: &PuzzleRun) -> Option<usize> {
    let puzzle = CATALOG.puzzles.find(&run.board.kind)?;
    let solution = puzzle.solve(&run.board, &PuzzleConfig::of(&*puzzle)).solution?;
    let mut state: State = start(&run.board);
    enter(&run.board, &mut state, run.board.entrance);
    let mut states = vec![state.clone()];
    for step in &solution {
        take(&run.board, &mut state, step)?;
        states.push(state.clone());
    }
    states.iter().position(|state| *state == run.state)
}

/// Two players who hunt together and roll for the loot.
#[derive(Default)]
pub(super) struct Gamblers {
    /// Number of items acknowledged for each player.
    things: [i64; 2],
    /// Number of open rolls.
    open: u32,
}

/// Number of items that a player carries before dropping all.
const HANDS: i64 = 40;

fn things_of(who: usize) -> String {
    format!("things of {}", Gamblers::NAMES[who])
}

impl Gamblers {
    pub(super) const NAMES: [&'static str; 2] = ["Saga", "Bragi"];
    /// Commands that build the exit to the hunting ground.
    pub(super) const WAY: [&'static str; 5] =
        ["goto lodge", "dig Hunt;hunt:start", "goto hunt", "open north:branch", "set north theme = den"];

    /// Sends a command. Only output to the first player counts: both are sent each result, but one client has a single
    /// order.
    fn ask(
        &mut self,
        work: &mut Work<'_>,
        clients: &mut [Client; 2],
        who: usize,
        line: &str,
    ) -> Result<String, Gone> {
        let fence = clients[who].fences();
        let answer = clients[who].try_ask(line);
        let (Ok(text) | Err(Gone(text))) = &answer;
        for line in text.lines().filter(|_| who == 0) {
            if line.starts_with("Who gets ") {
                self.open += 1;
                continue;
            }
            let Some((winner, thing)) = line.split_once(" gets ") else {
                self.open = self.open.saturating_sub(u32::from(line.starts_with("Nobody w")));
                continue;
            };
            self.open = self.open.saturating_sub(1);
            let Some(winner) = Self::NAMES.iter().position(|name| winner.ends_with(name)) else { continue };
            let (_, count) = parse_item_count(thing.trim_end_matches('.'));
            self.things[winner] += i64::from(count);
            let also = vec![(things_of(winner), Value::AtLeast(self.things[winner]))];
            work.note(&clients[0], fence, "roll", line, Vec::new(), also);
        }
        answer
    }

    /// Both players answer the rolls until none is open.
    fn throw_dice(&mut self, work: &mut Work<'_>, clients: &mut [Client; 2]) -> Result<(), Gone> {
        const WORDS: [&str; 3] = ["roll need", "roll greed", "roll pass"];
        for _ in 0..self.open {
            for who in 0..2 {
                let command = *work.dice.pick(&WORDS).expect("there are some");
                self.ask(work, clients, who, command)?;
            }
            // The first player has not read the outcome yet.
            self.ask(work, clients, 0, "")?;
        }
        Ok(())
    }

    /// Drops all items of a player who carries too many.
    fn put_down(&mut self, work: &mut Work<'_>, clients: &mut [Client; 2], who: usize) -> Result<(), Gone> {
        if self.things[who] <= HANDS || self.open > 0 {
            return Ok(());
        }
        self.things[who] = 0;
        let then = vec![(things_of(who), Value::AtLeast(0))];
        work.tale.begin(then.clone());
        let fence = clients[who].fences();
        let answer = clients[who].try_ask("drop all")?;
        let last = answer.lines().last().expect("an answer").to_owned();
        work.note(&clients[who], fence, "drop", &last, then, Vec::new());
        Ok(())
    }
}

impl Person for Gamblers {
    fn begin(&mut self, stored: &Snapshot, tale: &mut Tale) {
        self.open = 0;
        for (who, name) in Self::NAMES.into_iter().enumerate() {
            self.things[who] = carried(stored, name).unwrap_or_default();
            tale.know(things_of(who), Value::AtLeast(self.things[who]));
        }
    }

    fn work(&mut self, mut work: Work<'_>) -> Result<(), Gone> {
        let mut clients = [
            work.log_in(Self::NAMES[0], ClientKind::Mapper)?,
            work.log_in(Self::NAMES[1], ClientKind::Mapper)?,
        ];
        for (who, line) in GATHERING {
            self.ask(&mut work, &mut clients, who, line)?;
        }
        let mut line = "look".to_owned();
        loop {
            let answer = self.ask(&mut work, &mut clients, 0, &line)?;
            if answer.contains("Who gets ") {
                self.throw_dice(&mut work, &mut clients)?;
            }
            self.ask(&mut work, &mut clients, 0, "")?;
            for who in 0..2 {
                self.put_down(&mut work, &mut clients, who)?;
            }
            line = next_line(&clients[0], &answer, &mut work.dice);
        }
    }
}

/// Returns the number of items that a character carries.
fn carried(stored: &Snapshot, name: &str) -> Option<i64> {
    let body = stored.characters.values().find(|body| body.account.is_some() && body.name == name)?;
    let things = stored.items.values().filter(|item| item.place == Place::Holder(body.id));
    Some(things.map(|item| i64::from(item.count)).sum())
}

/// Adds the stored facts about these workers.
pub(super) fn add_facts(stored: &Snapshot, facts: &mut Facts) {
    for living in stored.branches.values().filter(|branch| branch.lives()) {
        facts.insert(branch(living.id), "lives".to_owned());
    }
    for (_, run) in runs(stored) {
        let done = steps_done(run).map_or_else(|| format!("{:?}", run.state), steps);
        let done = if run.state.finished { "solved".to_owned() } else { done };
        facts.insert(puzzle(run.gate.0.into()), done);
    }
    for (who, name) in Gamblers::NAMES.into_iter().enumerate() {
        if let Some(carried) = carried(stored, name) {
            facts.insert(things_of(who), carried.to_string());
        }
    }
}
