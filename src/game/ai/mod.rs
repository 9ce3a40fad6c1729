//! The minds of creatures: what they do when nobody tells them to. A prototype combines small
//! parts in data; each part is a file here and has one row in the table below. Creatures act by the rules that
//! players act by: they walk through exits, engage and flee.
//!
//! ```text
//!            a tick of the branch          a player is here           a round of its fight        it is hurt
//!  part  ->  stirs                         meets                      turns                       hurts
//! ```
//! At each moment the parts that a prototype has are asked in the order of the table, until one has acted. A branch
//! that nobody awake is in costs no timer.

mod alarm;
mod attack;
mod charge;
mod explode;
mod flee;
mod guard;
mod heard;
mod hooks;
mod pack;
mod paths;
mod seek;
mod sleep;
mod wander;
mod webs;

pub(crate) use webs::WEB;

use crate::base::{BranchId, CharacterId, Dice, ExitId, GameTime, RoomId};
use crate::catalog::{Behaviour, MobPrototype, Rules};
use crate::game::{Game, Timer};
use crate::world::{Character, Mood, Posture};
use paths::Scent;
use std::sync::Arc;

/// What a part of a behaviour does at each moment; `true` if the creature has acted with it.
#[derive(Clone, Copy)]
struct Part {
    /// The name in data.
    name: &'static str,
    /// A tick of its branch: nobody fights it.
    stirs: fn(&mut Game, CharacterId, &Behaviour, &Scent) -> bool,
    /// A player is in its room: one of them has just come.
    meets: fn(&mut Game, CharacterId, &Behaviour, CharacterId) -> bool,
    /// A round of the fight it is in, before its blow.
    turns: fn(&mut Game, CharacterId, &Behaviour) -> bool,
    /// It has been hurt.
    hurts: fn(&mut Game, CharacterId, &Behaviour) -> bool,
}

/// A part that never acts: what the others leave out.
const PASSIVE: Part = Part {
    name: "",
    stirs: |_, _, _, _| false,
    meets: |_, _, _, _| false,
    turns: |_, _, _| false,
    hurts: |_, _, _| false,
};

/// Every part, by its name in data. What is more urgent is asked first.
const PARTS: [Part; 12] = [
    sleep::PART,
    explode::PART,
    pack::PART,
    attack::PART,
    charge::PART,
    flee::PART,
    alarm::PART,
    guard::PART,
    seek::PART,
    wander::PART,
    webs::PART,
    heard::PART,
];

/// What a creature is doing, as players and staff read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// It stays where it is.
    Idle,
    /// It moves about.
    Roaming,
    /// It has an opponent.
    Fighting,
    /// It runs.
    Fleeing,
}

impl State {
    /// The word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Roaming => "roaming",
            Self::Fighting => "fighting",
            Self::Fleeing => "fleeing",
        }
    }
}

impl Game {
    /// What a creature is doing.
    pub fn state_of(&self, mob: CharacterId) -> State {
        let Some(body) = self.world.characters.get(mob) else { return State::Idle };
        match body.mood {
            _ if body.target.is_some() => State::Fighting,
            Mood::Fleeing(_) => State::Fleeing,
            Mood::Roaming | Mood::Charging(_) => State::Roaming,
            Mood::Idle | Mood::Fuse(_) => State::Idle,
        }
    }

    /// What a creature is doing, in words: "roaming", "idle, fast asleep".
    pub(crate) fn state_words(&self, mob: CharacterId) -> String {
        let state = self.state_of(mob).name();
        match &self.world.characters[mob] {
            body if body.posture == Posture::Asleep => format!("{state}, fast asleep"),
            body if matches!(body.mood, Mood::Fuse(_)) => format!("{state}, about to burst"),
            _ => state.to_owned(),
        }
    }

    /// What one sees at once of a creature that does not fight, if it is worth a warning.
    pub(in crate::game) fn pose_of(&self, mob: CharacterId) -> Option<String> {
        let body = &self.world.characters[mob];
        match body.mood {
            _ if body.posture == Posture::Asleep => Some("fast asleep".into()),
            Mood::Fuse(_) => Some("about to burst".into()),
            Mood::Charging(direction) => Some(format!("about to charge {direction}")),
            _ => None,
        }
    }

    /// What each creature in a room is doing, in the order of their coming.
    pub(in crate::game) fn states_in(&self, room: RoomId) -> Vec<String> {
        let creatures =
            self.world.occupants(room).iter().filter(|id| self.world.characters[**id].mob.is_some());
        creatures.map(|id| self.state_of(*id).name().to_owned()).collect()
    }

    /// Somebody is in the branch: its creatures begin to stir, if any of them does.
    pub(crate) fn wake_branch(&mut self, branch: BranchId) {
        if self.stirring.contains(&branch) || !self.has_lively(branch) {
            return;
        }
        self.stirring.insert(branch);
        let tick = Rules::secs(self.catalog.rules.roaming.tick_secs);
        self.timers.schedule(self.now + tick, Timer::Stir(branch));
    }

    fn has_lively(&self, branch: BranchId) -> bool {
        self.world.branch_index(branch).is_some_and(|index| index.mobs.iter().any(|mob| self.is_lively(*mob)))
    }

    /// Whether ticks mean anything to a creature.
    fn is_lively(&self, mob: CharacterId) -> bool {
        let running = matches!(self.world.characters[mob].mood, Mood::Fleeing(_));
        running || self.mob_prototype(mob).is_some_and(MobPrototype::is_lively)
    }

    /// The prototype of a creature; none of a player.
    pub(crate) fn mob_prototype(&self, mob: CharacterId) -> Option<&MobPrototype> {
        self.catalog.mobs.get(self.world.characters.get(mob)?.mob.as_ref()?)
    }

    /// A tick of a branch: its creatures think, then they wait, as long as anybody awake is there.
    pub(in crate::game) fn stir(&mut self, branch: BranchId) {
        self.stirring.remove(&branch);
        let Some(index) = self.world.branch_index(branch) else { return };
        if !index.members.iter().any(|member| self.world.characters[*member].awake) {
            return;
        }
        let lively: Vec<CharacterId> =
            index.mobs.iter().copied().filter(|mob| self.is_lively(*mob)).collect();
        let scent = self.scent(branch);
        for mob in lively {
            self.thinks(mob, &scent);
        }
        self.wake_branch(branch);
    }

    /// What a creature makes of a tick.
    fn thinks(&mut self, mob: CharacterId, scent: &Scent) {
        if !self.is_at_leisure(mob) {
            return;
        }
        self.acts_by_script(mob);
        if !self.is_at_leisure(mob) || self.is_stunned(mob) || self.is_held(mob) {
            return;
        }
        if let Mood::Fleeing(left) = self.world.characters[mob].mood {
            self.runs_on(mob, left, scent);
            return;
        }
        self.settles(mob);
        self.asks_parts(mob, |game, part, behaviour| (part.stirs)(game, mob, behaviour, scent));
    }

    /// Whether a creature is there, awake, its own master, in no fight and about nothing that must not be disturbed.
    fn is_at_leisure(&self, mob: CharacterId) -> bool {
        self.world.characters.get(mob).is_some_and(|body| {
            !body.is_player()
                && body.target.is_none()
                && body.master.is_none()
                && body.posture != Posture::Asleep
                && !matches!(body.mood, Mood::Fuse(_) | Mood::Charging(_))
        })
    }

    /// Asks the parts of a creature one after the other until one has acted.
    fn asks_parts(
        &mut self,
        mob: CharacterId,
        mut ask: impl FnMut(&mut Self, &Part, &Behaviour) -> bool,
    ) -> bool {
        let catalog = Arc::clone(&self.catalog);
        let key = self.world.characters.get(mob).and_then(|body| body.mob.as_ref());
        let Some(prototype) = key.and_then(|key| catalog.mobs.get(key)) else { return false };
        for part in &PARTS {
            let Some(behaviour) = prototype.behaviours.iter().find(|b| b.name() == part.name) else {
                continue;
            };
            if ask(self, part, behaviour) || self.world.characters.get(mob).is_none() {
                return true;
            }
        }
        false
    }

    /// Gives a creature the mood of one whom nobody disturbs.
    pub(crate) fn settles(&mut self, mob: CharacterId) {
        let mood = if self.may_roam(mob) { Mood::Roaming } else { Mood::Idle };
        self.set_mood(mob, mood);
    }

    fn set_mood(&mut self, mob: CharacterId, mood: Mood) {
        if self.world.characters.get(mob).is_some_and(|body| body.mood != mood)
            && let Some(body) = self.world.characters.edit(mob)
        {
            body.mood = mood;
        }
    }

    /// A body has come into a room: creatures there notice a player, and a creature notices the players there.
    pub(crate) fn meets(&mut self, who: CharacterId, room: RoomId) {
        let Some(body) = self.world.characters.get(who).filter(|body| body.awake && body.room == room) else {
            return;
        };
        let is_player = body.is_player();
        if !is_player {
            self.sounds_off(who);
        }
        if !self.world.rooms[room].kind.is_dungeon() {
            return;
        }
        for other in self.world.occupants(room).to_vec() {
            let other_plays = self.world.characters.get(other).is_some_and(Character::is_player);
            match (is_player, other_plays) {
                (true, false) => drop(self.notices(other, who)),
                (false, true) if self.notices(who, other) => return,
                _ => {}
            }
        }
    }

    /// A creature notices a player in its room; whether it did something about it.
    fn notices(&mut self, mob: CharacterId, player: CharacterId) -> bool {
        let fleeing = |game: &Self| matches!(game.world.characters[mob].mood, Mood::Fleeing(_));
        if !self.is_at_leisure(mob) || fleeing(self) {
            return false;
        }
        if self.is_stunned(mob) || self.is_safe(player) {
            // That will be over in a moment.
            self.looks_again(mob);
            return false;
        }
        if !self.is_prey(mob, player) {
            return false;
        }
        self.asks_parts(mob, |game, part, behaviour| (part.meets)(game, mob, behaviour, player))
    }

    /// Somebody in a room has become one to strike at without coming in: in a round creatures there see that.
    pub(crate) fn stirs_up(&mut self, room: RoomId) {
        for mob in self.world.occupants(room).to_vec() {
            if self.is_at_leisure(mob) {
                self.looks_again(mob);
            }
        }
    }

    /// Reminds a creature that does something about whom it meets to look about in a round.
    fn looks_again(&mut self, mob: CharacterId) {
        let minds = |b: &Behaviour| matches!(b, Behaviour::Attack { .. } | Behaviour::Explode { .. });
        if self.mob_prototype(mob).is_some_and(|prototype| prototype.behaviours.iter().any(minds)) {
            self.schedule_act(mob);
        }
    }

    /// Whether a player is one whom a creature may strike: in its room, on its feet, and not just helped up.
    fn is_prey(&self, mob: CharacterId, player: CharacterId) -> bool {
        let room = self.world.characters[mob].room;
        self.world.characters.get(player).is_some_and(|body| {
            body.is_player()
                && body.awake
                && body.room == room
                && body.posture != Posture::Down
                && body.safe_until.is_none_or(|until| until <= self.now)
        })
    }

    /// Players in a creature's room whom it may strike, in the order of their coming.
    fn prey_of(&self, mob: CharacterId) -> Vec<CharacterId> {
        let room = self.world.characters[mob].room;
        if !self.world.rooms[room].kind.is_dungeon() {
            return Vec::new();
        }
        self.world.occupants(room).iter().copied().filter(|other| self.is_prey(mob, *other)).collect()
    }

    /// A creature's turn in a round, before its blow; `true` if it did something else with it.
    pub(crate) fn creature_turn(&mut self, mob: CharacterId) -> bool {
        let Some(body) = self.world.characters.get(mob).filter(|body| body.mob.is_some()) else {
            return false;
        };
        if body.master.is_some() || body.posture == Posture::Asleep {
            return false;
        }
        if matches!(body.mood, Mood::Fuse(_)) {
            self.burns_in_turn(mob);
            return true;
        }
        self.asks_parts(mob, |game, part, behaviour| (part.turns)(game, mob, behaviour))
    }

    /// A creature has been hurt, and lives.
    pub(crate) fn was_hurt(&mut self, mob: CharacterId) {
        if self.mob_prototype(mob).is_none() {
            return;
        }
        self.wakes(mob);
        if self.world.characters[mob].master.is_some() {
            return;
        }
        self.asks_parts(mob, |game, part, behaviour| (part.hurts)(game, mob, behaviour));
    }

    /// A creature walks, if nothing holds it; whether it is somewhere else now.
    fn goes(&mut self, mob: CharacterId, exit: ExitId) -> bool {
        let body = &self.world.characters[mob];
        if body.target.is_some() || self.is_held(mob) {
            return false;
        }
        let from = body.room;
        self.pass(mob, exit).is_ok() && self.world.characters.get(mob).is_none_or(|body| body.room != from)
    }

    /// A creature walks through an exit drawn from all that it may take.
    fn goes_anywhere(&mut self, mob: CharacterId) -> bool {
        let ways: Vec<ExitId> = self.ways(self.world.characters[mob].room).map(|(exit, _)| exit).collect();
        let way = self.dice.roam.pick(&ways).copied();
        way.is_some_and(|way| self.goes(mob, way))
    }

    /// Reminds a creature in a round of what it is about.
    fn schedule_act(&mut self, mob: CharacterId) {
        let due = self.now + self.config.round;
        if let std::collections::btree_map::Entry::Vacant(entry) = self.acting.entry(mob) {
            entry.insert(due);
            self.timers.schedule(due, Timer::Act(mob));
        }
    }

    /// A creature goes on with what it is about: a fuse, a charge, or watching somebody.
    pub(in crate::game) fn act_alone(&mut self, mob: CharacterId, due: GameTime) {
        if self.acting.get(&mob) != Some(&due) {
            return;
        }
        self.acting.remove(&mob);
        if self.world.characters.get(mob).is_some_and(|body| self.world.is_rubble(body.room)) {
            return;
        }
        match self.world.characters.get(mob).map(|body| body.mood) {
            Some(Mood::Fuse(left)) => self.burns_on(mob, left),
            Some(Mood::Charging(direction)) => self.charges(mob, direction),
            Some(_) => {
                for player in self.prey_of_living(mob) {
                    if self.notices(mob, player) {
                        return;
                    }
                }
            }
            None => {}
        }
    }

    fn prey_of_living(&self, mob: CharacterId) -> Vec<CharacterId> {
        if self.world.characters.get(mob).is_some() { self.prey_of(mob) } else { Vec::new() }
    }

    /// After a start: what creatures were about goes on.
    pub(in crate::game) fn resume_minds(&mut self) {
        let busy = |mood| matches!(mood, Mood::Fuse(_) | Mood::Charging(_));
        let busy: Vec<CharacterId> =
            self.world.characters.iter().filter(|(_, body)| busy(body.mood)).map(|(id, _)| id).collect();
        for mob in busy {
            self.schedule_act(mob);
        }
        let players: Vec<CharacterId> = self.world.awake_players().collect();
        for player in players {
            self.meets(player, self.world.characters[player].room);
        }
    }
}
