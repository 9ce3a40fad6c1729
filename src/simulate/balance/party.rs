//! One career: members who go down together, fight what bars the way, rest when they are hurt, help each other up,
//! take what they find, and begin again when they are out. They know no more than a player of some practice.

use super::table::{Fight, Outcome, Table};
use crate::base::{CharacterId, ExitId, GameTime, RoomId, SessionId, Span};
use crate::catalog::Catalog;
use crate::game::{Effects, Game, GameConfig, Input};
use crate::world::{Character, ExitKind, ExitState, Posture, RoomKind, Settings, Snapshot, World};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// When every career begins.
pub(super) const BEGIN: GameTime = GameTime(1_800_000_000_000);

/// How long the party thinks between two things it does.
const PACE: Span = Span::secs(1);

/// The names of the members, the leader first.
const NAMES: [&str; super::LARGEST as usize] = ["Aldun", "Berota", "Cemil", "Dorva", "Edrik", "Fenja"];

/// Below this share of hit points the party rests before it goes on, in percent.
const TIRED: i32 = 60;

/// A party with its world.
#[derive(Debug)]
pub(super) struct Career {
    catalog: Arc<Catalog>,
    game: Game,
    now: GameTime,
    members: Vec<CharacterId>,
    fight: Option<Running>,
    /// Exits that were refused, so that the party tries others.
    shunned: BTreeSet<ExitId>,
    resting: bool,
}

/// A fight that goes on.
#[derive(Clone, Copy, Debug)]
struct Running {
    room: RoomId,
    difficulty: u32,
    since: GameTime,
    hp: i32,
    downed: u32,
}

impl Career {
    /// New characters who have met in town and go together.
    pub(super) fn begin(catalog: Arc<Catalog>, config: GameConfig, size: u32) -> Result<Self, String> {
        let loaded = Game::load(Arc::clone(&catalog), config, Snapshot::default());
        let game = loaded.map_err(|mistakes| mistakes.join("; "))?;
        let mut career = Self {
            catalog,
            game,
            now: BEGIN,
            members: Vec::new(),
            fight: None,
            shunned: BTreeSet::new(),
            resting: false,
        };
        for (number, name) in (1..).zip(NAMES).take(size as usize) {
            let credential = "none: scripted characters have no password".into();
            let wishes = Settings::default();
            career.step(Input::Create { session: SessionId(number), name: name.into(), credential, wishes });
            let character = career.game.world().character_by_name(name);
            career.members.push(character.ok_or_else(|| format!("{name} was not let in"))?);
        }
        for member in 1..career.members.len() {
            career.types(0, &format!("party invite {}", NAMES[member]));
            career.types(member, "party accept");
            career.types(member, &format!("follow {}", NAMES[0]));
        }
        for member in 0..career.members.len() {
            career.types(member, "guide off");
        }
        Ok(career)
    }

    /// Plays until a moment.
    pub(super) fn run(mut self, until: GameTime, table: &mut Table) -> Result<(), String> {
        while self.now < until {
            self.now = self.now + PACE;
            self.step(Input::Wake);
            self.watch(table);
            self.act();
            self.watch(table);
        }
        let wrong = self.game.check();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
    }

    fn step(&mut self, input: Input) {
        self.game.step(self.now, input, &mut Effects::new());
        // Nobody stores this world: what a batch would write is dropped.
        drop(self.game.cut());
    }

    fn types(&mut self, member: usize, line: &str) {
        let session = SessionId(member as u64 + 1);
        self.step(Input::Command { session, line: line.into() });
    }

    fn world(&self) -> &World {
        self.game.world()
    }

    fn body(&self, member: usize) -> &Character {
        &self.world().characters[self.members[member]]
    }

    fn room_of(&self, member: usize) -> RoomId {
        self.body(member).room
    }

    fn hp_percent(&self, member: usize) -> i32 {
        let (hp, most) = self.game.health(self.members[member]);
        hp * 100 / most.max(1)
    }

    fn everybody(&self) -> std::ops::Range<usize> {
        0..self.members.len()
    }

    fn fighting(&self) -> bool {
        let world = self.world();
        let attacked = |id: &CharacterId| {
            let body = &world.characters[*id];
            world.occupants(body.room).iter().any(|other| world.characters[*other].target == Some(*id))
        };
        self.members.iter().any(|id| world.characters[*id].target.is_some() || attacked(id))
    }

    /// Notes when a fight begins and when it is over.
    fn watch(&mut self, table: &mut Table) {
        let hp = self.everybody().map(|member| self.game.health(self.members[member]).0).sum::<i32>();
        let downed = self.everybody().filter(|member| self.body(*member).posture == Posture::Down).count();
        let downed = u32::try_from(downed).unwrap_or(0);
        let Some(mut fight) = self.fight else {
            if self.fighting() {
                let room = &self.world().rooms[self.room_of(0)];
                let (room, difficulty) = (room.id, room.difficulty);
                self.fight = Some(Running { room, difficulty, since: self.now, hp, downed });
            }
            return;
        };
        fight.downed = fight.downed.max(downed);
        self.fight = Some(fight);
        if self.fighting() {
            return;
        }
        self.fight = None;
        let most: i32 = self.everybody().map(|member| self.game.health(self.members[member]).1).sum();
        let out = self.everybody().all(|member| self.world().rooms[self.room_of(member)].branch.is_none());
        let stood = self.everybody().any(|member| self.room_of(member) == fight.room);
        let level: u32 = self.everybody().map(|member| self.body(member).level).sum();
        let size = u32::try_from(self.members.len()).unwrap_or(1);
        let percent = (fight.hp - hp).max(0) * 100 / most.max(1);
        table.add(Fight {
            size,
            difficulty: fight.difficulty,
            level: level / size,
            outcome: match (stood, out) {
                (true, _) => Outcome::Won,
                (false, true) => Outcome::Lost,
                (false, false) => Outcome::Fled,
            },
            seconds: u64::try_from((self.now.0 - fight.since.0) / 1_000).unwrap_or(0),
            lost_percent: if out { 100 } else { u64::try_from(percent).unwrap_or(0) },
            downed: fight.downed,
        });
    }

    /// Everybody does what presses most.
    fn act(&mut self) {
        for member in self.everybody() {
            self.choose_training(member);
        }
        if self.fighting() {
            self.resting = false;
            for member in self.everybody() {
                self.fight_on(member);
            }
            return;
        }
        if let Some((helper, name)) = self.somebody_to_help() {
            return self.types(helper, &format!("rescue {name}"));
        }
        let weakest = self.everybody().map(|member| self.hp_percent(member)).min().unwrap_or(100);
        if weakest < if self.resting { 95 } else { TIRED } {
            for member in self.everybody() {
                if !self.resting || self.body(member).posture == Posture::Standing {
                    self.types(member, "rest");
                }
            }
            self.resting = true;
            return;
        }
        if std::mem::take(&mut self.resting) {
            for member in self.everybody() {
                self.types(member, "stand");
            }
        }
        for member in self.everybody() {
            self.take_and_wear(member);
        }
        self.go_on();
    }

    fn choose_training(&mut self, member: usize) {
        let body = self.body(member);
        if body.trainings > 0 {
            let choice = ["strength", "constitution", "agility"][body.level as usize % 3];
            self.types(member, &format!("train {choice}"));
        }
    }

    fn fight_on(&mut self, member: usize) {
        if self.body(member).posture == Posture::Down {
            return;
        }
        if let Some((helper, name)) = self.somebody_to_help().filter(|(helper, _)| *helper == member) {
            return self.types(helper, &format!("rescue {name}"));
        }
        if self.hp_percent(member) < 40 && self.carries(member, "health_potion") {
            return self.types(member, "quaff health potion");
        }
        if self.members.len() == 1 && self.hp_percent(member) < 25 {
            return self.types(member, "flee");
        }
        if self.body(member).target.is_none()
            && let Some(enemy) = self.enemy_in(self.room_of(member))
        {
            self.types(member, &format!("kill {enemy}"));
        }
    }

    fn somebody_to_help(&self) -> Option<(usize, &'static str)> {
        let down = |member: &usize| self.body(*member).posture == Posture::Down;
        let fallen = self.everybody().find(down)?;
        let stands = |member: &usize| !down(member) && self.room_of(*member) == self.room_of(fallen);
        Some((self.everybody().find(stands)?, NAMES[fallen]))
    }

    /// The name of what bars the way in a room, or fights there.
    fn enemy_in(&self, room: RoomId) -> Option<String> {
        let world = self.world();
        let hostile = |id: &&CharacterId| {
            let body = &world.characters[**id];
            body.mob.is_some() && body.master.is_none() && (body.home == room || body.target.is_some())
        };
        let guards = |id: &&CharacterId| {
            let key = world.characters[**id].mob.as_ref();
            key.and_then(|key| self.catalog.mobs.get(key)).is_some_and(crate::catalog::MobPrototype::guards)
        };
        let fights = |id: &&CharacterId| world.characters[**id].target.is_some();
        let found = world.occupants(room).iter().filter(hostile).find(|id| fights(id) || guards(id));
        found.map(|id| world.characters[*id].name.clone())
    }

    fn carries(&self, member: usize, key: &str) -> bool {
        let carried = self.world().carried(self.members[member]);
        carried.iter().any(|item| self.world().items[*item].prototype == key)
    }

    /// Takes what lies there, and wears what is better than what it wears.
    fn take_and_wear(&mut self, member: usize) {
        let room = self.room_of(member);
        if self.world().rooms[room].branch.is_none() {
            return;
        }
        if !self.world().floor(room).is_empty() && self.world().carried(self.members[member]).len() < 40 {
            self.types(member, "get all");
        }
        let world = self.world();
        let worth =
            |key: &str| self.catalog.items.get(key).map_or(0, |i| i.attack * 3 + i.defence * 3 + i.max_hp);
        let carried = world.carried(self.members[member]);
        let worn = |slot| {
            let same = |id: &&crate::base::ItemId| world.items[**id].worn == Some(slot);
            carried.iter().find(same).map_or(0, |id| worth(&world.items[*id].prototype))
        };
        let better = carried.iter().find_map(|id| {
            let item = &world.items[*id];
            let prototype = self.catalog.items.get(&item.prototype)?;
            let slot = prototype.slot.filter(|_| item.worn.is_none())?;
            (worth(&item.prototype) > worn(slot)).then(|| prototype.name.clone())
        });
        if let Some(name) = better {
            self.types(member, &format!("wear {name}"));
        }
    }

    /// The leader takes the next step; the others follow it.
    fn go_on(&mut self) {
        let here = self.room_of(0);
        if self.world().rooms[here].branch.is_none() {
            return self.go_down();
        }
        if let Some(enemy) = self.enemy_in(here) {
            return self.types(0, &format!("kill {enemy}"));
        }
        match self.next_exit(here) {
            Some(Step::Exit(exit, name)) => {
                self.types(0, &name);
                if self.room_of(0) == here && !self.fighting() {
                    self.shunned.insert(exit);
                }
            }
            Some(Step::Lever) => self.types(0, "pull lever"),
            None => {
                self.shunned.clear();
                self.types(0, "recall");
            }
        }
    }

    /// From town or the start room: everybody gathers, and the leader takes the first exit.
    fn go_down(&mut self) {
        let here = self.room_of(0);
        let start = self.world().rooms[here].kind == RoomKind::Start;
        self.shunned.clear();
        if !start {
            for member in self.everybody() {
                let room = self.room_of(member);
                let at_start = self.world().rooms[room].kind == RoomKind::Start;
                if !at_start {
                    self.types(
                        member,
                        if self.world().rooms[room].branch.is_some() { "recall" } else { "down" },
                    );
                }
            }
            return;
        }
        let lost = self.everybody().find(|member| self.room_of(*member) != here);
        match lost {
            None => self.types(0, "north"),
            Some(member) if self.world().rooms[self.room_of(member)].branch.is_some() => {
                self.types(member, "recall");
            }
            Some(member) => self.types(member, "down"),
        }
    }

    /// The first step of the shortest way to an unexplored exit that is free, to stairs, or to a lever.
    fn next_exit(&self, from: RoomId) -> Option<Step> {
        let world = self.world();
        let mut seen = BTreeSet::from([from]);
        let mut queue: VecDeque<(RoomId, Option<(ExitId, String)>)> = VecDeque::from([(from, None)]);
        let mut stairs = None;
        while let Some((room, first)) = queue.pop_front() {
            let row = &world.rooms[room];
            if !row.clear && row.challenge.lever_pulls > 0 && row.challenge.lever_in.is_none() && room == from
            {
                return Some(Step::Lever);
            }
            if row.challenge.raises.is_some() && room == from {
                return Some(Step::Lever);
            }
            for exit in world.exits_of(room).filter(|exit| !self.shunned.contains(&exit.id)) {
                let step = || first.clone().or_else(|| Some((exit.id, exit.name.clone())));
                match (exit.kind, exit.state, exit.to) {
                    (ExitKind::Exit, ExitState::Unexplored, _) if row.clear => {
                        return step().map(|(exit, name)| Step::Exit(exit, name));
                    }
                    (ExitKind::Stairs, _, None) if row.clear => stairs = stairs.or_else(step),
                    (ExitKind::Exit, _, Some(to)) if world.rooms[to].branch.is_some() && seen.insert(to) => {
                        queue.push_back((to, step()));
                    }
                    _ => {}
                }
            }
        }
        stairs.map(|(exit, name)| Step::Exit(exit, name))
    }
}

/// What the leader does next.
#[derive(Debug)]
enum Step {
    /// Goes through an exit.
    Exit(ExitId, String),
    /// Pulls the lever that is here.
    Lever,
}
