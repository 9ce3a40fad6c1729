//! What the engine says has happened, as people read it and as rooms and exits show it.

use crate::base::{CharacterId, FloorId, RoomId};
use crate::game::guide::Lesson;
use crate::game::{Class, Game};
use crate::puzzle::{CellId, Event, Loss};
use crate::text::{Markup, Style, grammar};
use crate::world::PuzzleRun;

impl Game {
    /// Makes the events of a step so, in their order. `who` is whoever brought them about.
    pub(super) fn unfold(&mut self, floor: FloorId, who: Option<CharacterId>, events: Vec<Event>) {
        // Whoever does the last thing by entering the finish needs no telling to go there.
        let finished = events.contains(&Event::Finished);
        for event in events.into_iter().filter(|event| !finished || *event != Event::GoalMet) {
            self.happens(floor, who, event);
        }
        self.sync_exits(floor);
    }

    fn happens(&mut self, floor: FloorId, who: Option<CharacterId>, event: Event) {
        let here = who.map(|who| self.world.characters[who].room);
        match event {
            Event::Beaten { name, power, might } => self.tell_beaten(floor, here, &name, (power, might)),
            Event::Changed { words, might, .. } => {
                let near = format!("A glyph flares up underfoot and {words}. Your might is {might} now.");
                let far = format!("Somewhere a glyph flares up and {words}. Your might is {might} now.");
                self.tell_near_and_far(floor, here, &near, &far);
            }
            Event::Lost { why } => self.lose_puzzle(floor, here, &why),
            Event::Ported { to } => self.ports(floor, who, to),
            Event::Worked { told, .. } => {
                if let Some(here) = here {
                    self.tell_room(here, &[], Class::Notice, Markup::plain(&told));
                }
            }
            Event::Found { key } => {
                let key = self.run(floor).and_then(|run| run.layout.keys.get(usize::from(key.0)).cloned());
                let key = key.unwrap_or_else(|| "key".into());
                let words = format!("The {key} is yours now: everybody in here may use it.");
                self.tell_inside(floor, None, &Markup::styled(Style::Boon, &words));
            }
            Event::WrongAnswer { left } => self.tell_wrong_answer(here, left),
            Event::Pushed { name, direction, to } => {
                let words = format!("The {name} grinds in from the {}.", direction.opposite());
                self.tell_cell(floor, to, &words);
            }
            Event::Pressed { at, told } => self.tell_cell(floor, at, &told),
            Event::Released { at, name } => self.tell_cell(floor, at, &format!("The {name} comes up again.")),
            Event::Opened { gate } => {
                let told =
                    self.run(floor).and_then(|run| run.layout.gate(gate)).map(|gate| gate.told.clone());
                let told = told.unwrap_or_else(|| "Something opens.".into());
                self.tell_inside(floor, None, &Markup::plain(&told));
            }
            Event::Shut { gate } => {
                let name =
                    self.run(floor).and_then(|run| run.layout.gate(gate)).map(|gate| gate.name.clone());
                let name = name.unwrap_or_else(|| "gate".into());
                self.tell_inside(floor, None, &Markup::plain(&format!("The {name} falls shut.")));
            }
            Event::GoalMet => self.meet_goal(floor),
            Event::Finished => self.finish_puzzle(floor),
        }
    }

    pub(super) fn run(&self, floor: FloorId) -> Option<&PuzzleRun> {
        self.world.floors.get(floor)?.puzzle.as_deref()
    }

    fn tell_near_and_far(&mut self, floor: FloorId, here: Option<RoomId>, near: &str, far: &str) {
        if let Some(here) = here {
            self.tell_room(here, &[], Class::Notice, Markup::plain(near));
        }
        self.tell_inside(floor, here, &Markup::plain(far));
    }

    fn tell_cell(&mut self, floor: FloorId, cell: CellId, words: &str) {
        if let Some(room) = self.run(floor).and_then(|run| run.room_of(cell)) {
            self.tell_room(room, &[], Class::Notice, Markup::plain(words));
        }
    }

    fn tell_beaten(&mut self, floor: FloorId, here: Option<RoomId>, name: &str, (power, might): (i64, i64)) {
        let before = might.saturating_sub(power);
        let near = format!(
            "The {name}, power {power}, comes at you and breaks on your might of {before}. Its power is yours: your \
             might is {might} now."
        );
        let far = format!("Somewhere a {name} breaks. Your might is {might} now.");
        self.tell_near_and_far(floor, here, &near, &far);
    }

    fn tell_wrong_answer(&mut self, here: Option<RoomId>, left: Option<u32>) {
        let words = match left {
            Some(left) => {
                let more = grammar::counted(left, "more wrong answer", None);
                format!(
                    "That is not the answer. {} will be heard, and then all is lost.",
                    grammar::capitalise(&more)
                )
            }
            None => "That is not the answer.".to_owned(),
        };
        if let Some(here) = here {
            self.tell_room(here, &[], Class::Notice, Markup::plain(&words));
        }
    }

    /// Somebody has entered a portal: both rooms are told.
    fn ports(&mut self, floor: FloorId, who: Option<CharacterId>, to: CellId) {
        let Some(who) = who else { return };
        let Some(to) = self.run(floor).and_then(|run| run.room_of(to)) else { return };
        let from = self.world.characters[who].room;
        let gone = self.name_of(who).and(" takes one more step and is not there any more.");
        self.tell_room(from, &[who], Class::Movement, gone);
        self.tell(who, Class::Movement, "The room folds up like a sheet, and you stand where the row began.");
        self.shifts(who, to);
        let come = self.name_of(who).and(" steps out of a fold in the air.");
        self.tell_room(to, &[who], Class::Movement, come);
        self.show_room(who);
    }

    /// Everything is lost: whoever is inside stands at the entrance, awake or not, and all is as it was at first.
    fn lose_puzzle(&mut self, floor: FloorId, here: Option<RoomId>, why: &Loss) {
        let words = match why {
            Loss::Overpowered { name, power, might } => {
                format!("The {name}, power {power}, comes at you. A might of {might} is not enough.")
            }
            Loss::NoMight { might } => format!("Nothing is left of your might: it is {might}."),
            Loss::TooManyGuesses => "That was one wrong answer too many.".into(),
        };
        let far = "Somewhere in here, somebody has lost.";
        if let Some(here) = here {
            self.tell_room(here, &[], Class::Notice, Markup::styled(Style::Harm, &words));
        }
        self.tell_inside(floor, here, &Markup::styled(Style::Harm, far));
        let Some((branch, run)) =
            self.world.floors.get(floor).and_then(|f| Some((f.branch, f.puzzle.as_deref()?)))
        else {
            return;
        };
        let Some(entrance) = run.room_of(run.layout.entrance) else { return };
        let index = self.world.branch_index(branch);
        let inside = |id: &CharacterId| run.cell_of(self.world.characters[*id].room).is_some();
        let players = index.into_iter().flat_map(|index| index.members.iter().copied());
        let helpers = index.into_iter().flat_map(|index| index.mobs.iter().copied());
        let helpers = helpers.filter(|mob| self.world.characters[*mob].master.is_some());
        let thrown: Vec<CharacterId> = players.chain(helpers).filter(inside).collect();
        for who in &thrown {
            self.shifts(*who, entrance);
        }
        let lost = Markup::styled(
            Style::Harm,
            "Everything turns over. When you can see again you stand at the entrance, unhurt, and all is as it was at \
             first. Whatever waits at the end has become a little less.",
        );
        self.tell_inside(floor, None, &lost);
        self.reset_guards(floor);
        for who in self.world.people_in_puzzle(floor) {
            self.show_room(who);
        }
    }

    /// What has to be done is done; where there is a finish, it still has to be entered.
    fn meet_goal(&mut self, floor: FloorId) {
        let Some(run) = self.run(floor) else { return };
        if run.has_finish() {
            let words = "That was all there was to do. What remains is to go to the finish.";
            self.tell_inside(floor, None, &Markup::styled(Style::Boon, words));
        } else {
            self.finish_puzzle(floor);
        }
    }

    /// The puzzle is over: the room outside is clear, with what it holds back for this tier.
    fn finish_puzzle(&mut self, floor: FloorId) {
        let Some(run) = self.run(floor) else { return };
        let (gate, test) = (run.gate, run.test);
        let barred = self.world.rooms[gate].challenge.puzzle.is_some();
        let words = match (test, barred) {
            (true, _) => "The puzzle is solved. It was only a trial: nothing waits outside.".to_owned(),
            (false, true) => format!(
                "The puzzle is solved. Far behind you a bolt slides back: the way on from {} is free, and something \
                 clatters to the floor there.",
                self.world.rooms[gate].name
            ),
            (false, false) => "The puzzle is solved, once more; it has nothing left to give.".to_owned(),
        };
        self.tell_inside(floor, None, &Markup::styled(Style::Boon, &words));
        if test || !barred {
            return;
        }
        for who in self.world.people_in_puzzle(floor) {
            self.learns(who, Lesson::RoomCleared);
        }
        self.tell_room(gate, &[], Class::Notice, "Behind the gate a bolt slides back.");
        self.lay_reward(floor, gate);
        if let Some(row) = self.world.rooms.edit(gate) {
            row.challenge.puzzle = None;
        }
        self.check_clear(gate);
    }

    /// Exits follow the gates of the puzzle; whoever stands beside one that has changed is told by data too.
    fn sync_exits(&mut self, floor: FloorId) {
        let Some(run) = self.run(floor) else { return };
        let mut changed = Vec::new();
        for (cell, room) in (0..).map(CellId).zip(&run.rooms) {
            for exit in self.world.exits_of(*room) {
                let state = exit.direction.and_then(|direction| run.exit_state(cell, direction));
                if let Some(state) = state.filter(|state| *state != exit.state) {
                    changed.push((*room, exit.id, state));
                }
            }
        }
        for (_, exit, state) in &changed {
            if let Some(row) = self.world.exits.edit(*exit) {
                row.state = *state;
            }
        }
        let mut rooms: Vec<RoomId> = changed.into_iter().map(|(room, ..)| room).collect();
        rooms.dedup();
        for room in rooms {
            self.send_change(room);
        }
    }
}
