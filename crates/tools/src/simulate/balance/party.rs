//! A scripted party. Its members walk together, fight blocking creatures, rest when hurt, help incapacitated members,
//! take loot, and start again after a defeat. They know no more than an experienced player.

use super::table::{Fight, FightOutcome, FightTable};
use crate::simulate::Breach;
use crate::simulate::stage::SimulatedGame;
use deepwell_core::base::{CharacterId, Direction, ExitId, GameTime, RoomId, SessionId};
use deepwell_core::world::{Character, ExitKind, ExitState, Posture, RoomKind};
use deepwell_game::Input;
use std::collections::{BTreeSet, VecDeque};

/// Share of hit points, in percent, below which the party rests.
const TIRED: i32 = 60;

/// A party.
#[derive(Debug)]
pub(super) struct BotParty {
    pub(super) members: Vec<PartyBot>,
    /// The start exit that the party takes.
    way: Direction,
    pub(super) fight: Option<RunningFight>,
    /// Exits that refused entry; the party tries others.
    shunned: BTreeSet<ExitId>,
    resting: bool,
    /// Set when the party shall return home and stay there.
    pub(super) homesick: bool,
    /// Set if the members answer what creatures announce.
    pub(super) answers: bool,
}

/// A member; `session` is `None` while it is disconnected.
#[derive(Clone, Debug)]
pub(super) struct PartyBot {
    pub(super) id: CharacterId,
    pub(super) name: String,
    pub(super) session: Option<SessionId>,
}

/// A fight in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunningFight {
    room: RoomId,
    difficulty: u32,
    since: GameTime,
    hp: i32,
    downed: u32,
}

impl BotParty {
    /// Creates new characters in town and forms their party, the leader first.
    pub(super) fn gather(
        stage: &mut SimulatedGame,
        names: &[String],
        way: Direction,
    ) -> Result<Self, Breach> {
        let mut members = Vec::new();
        for name in names {
            let (id, session) = stage.create(name)?;
            members.push(PartyBot { id, name: name.clone(), session: Some(session) });
        }
        let party = Self {
            members,
            way,
            fight: None,
            shunned: BTreeSet::new(),
            resting: false,
            homesick: false,
            answers: false,
        };
        for member in 1..party.members.len() {
            party.types(stage, 0, &format!("party invite {}", names[member]));
            party.types(stage, member, "party accept");
            party.types(stage, member, &format!("follow {}", names[0]));
        }
        for member in party.member_indices() {
            party.types(stage, member, "guide off");
        }
        Ok(party)
    }

    /// Runs one turn: records changes and lets every member take its most urgent action.
    pub(super) fn moment(&mut self, stage: &mut SimulatedGame, table: &mut FightTable) {
        self.watch(stage, table);
        self.act(stage);
        self.watch(stage, table);
    }

    fn types(&self, stage: &mut SimulatedGame, member: usize, line: &str) {
        if let Some(session) = self.members[member].session {
            stage.act(Input::Command { session, line: line.into() });
        }
    }

    fn body<'s>(&self, stage: &'s SimulatedGame, member: usize) -> &'s Character {
        &stage.world().characters[self.members[member].id]
    }

    fn room_of(&self, stage: &SimulatedGame, member: usize) -> RoomId {
        self.body(stage, member).room
    }

    fn hp_percent(&self, stage: &SimulatedGame, member: usize) -> i32 {
        let (hp, most) = stage.game.health(self.members[member].id);
        hp * 100 / most.max(1)
    }

    fn member_indices(&self) -> std::ops::Range<usize> {
        0..self.members.len()
    }

    fn fighting(&self, stage: &SimulatedGame) -> bool {
        let world = stage.world();
        let attacked = |id: &CharacterId| {
            let body = &world.characters[*id];
            world.occupants(body.room).iter().any(|other| world.characters[*other].target == Some(*id))
        };
        self.members.iter().any(|member| world.characters[member.id].target.is_some() || attacked(&member.id))
    }

    /// Records the beginning and the end of fights.
    fn watch(&mut self, stage: &SimulatedGame, table: &mut FightTable) {
        let hp =
            self.member_indices().map(|member| stage.game.health(self.members[member].id).0).sum::<i32>();
        let downed =
            self.member_indices().filter(|member| self.body(stage, *member).posture == Posture::Down).count();
        let downed = u32::try_from(downed).unwrap_or(0);
        let Some(mut fight) = self.fight else {
            if self.fighting(stage) {
                let room = &stage.world().rooms[self.room_of(stage, 0)];
                let (room, difficulty) = (room.id, room.difficulty);
                self.fight = Some(RunningFight { room, difficulty, since: stage.now, hp, downed });
            }
            return;
        };
        fight.downed = fight.downed.max(downed);
        self.fight = Some(fight);
        if self.fighting(stage) {
            return;
        }
        self.fight = None;
        let most: i32 =
            self.member_indices().map(|member| stage.game.health(self.members[member].id).1).sum();
        let out = self
            .member_indices()
            .all(|member| stage.world().rooms[self.room_of(stage, member)].branch.is_none());
        let stood = self.member_indices().any(|member| self.room_of(stage, member) == fight.room);
        let level: u32 = self.member_indices().map(|member| self.body(stage, member).level).sum();
        let size = u32::try_from(self.members.len()).unwrap_or(1);
        let percent = (fight.hp - hp).max(0) * 100 / most.max(1);
        table.add(Fight {
            size,
            answers: self.answers,
            difficulty: fight.difficulty,
            level: level / size,
            outcome: match (stood, out) {
                (true, _) => FightOutcome::Won,
                (false, true) => FightOutcome::Lost,
                (false, false) => FightOutcome::Fled,
            },
            seconds: u64::try_from((stage.now.0 - fight.since.0) / 1_000).unwrap_or(0),
            lost_percent: if out { 100 } else { u64::try_from(percent).unwrap_or(0) },
            downed: fight.downed,
        });
    }

    /// Lets every member take its most urgent action.
    fn act(&mut self, stage: &mut SimulatedGame) {
        for member in self.member_indices() {
            self.choose_training(stage, member);
        }
        if self.fighting(stage) {
            self.resting = false;
            for member in self.member_indices() {
                self.fight_on(stage, member);
            }
            return;
        }
        if let Some((helper, name)) = self.helper_and_incapacitated_member(stage) {
            return self.types(stage, helper, &format!("rescue {name}"));
        }
        let weakest = self.member_indices().map(|member| self.hp_percent(stage, member)).min().unwrap_or(100);
        if weakest < if self.resting { 95 } else { TIRED } {
            for member in self.member_indices() {
                if !self.resting || self.body(stage, member).posture == Posture::Standing {
                    self.types(stage, member, "rest");
                }
            }
            self.resting = true;
            return;
        }
        if std::mem::take(&mut self.resting) {
            for member in self.member_indices() {
                self.types(stage, member, "stand");
            }
        }
        for member in self.member_indices() {
            self.take_and_wear(stage, member);
        }
        self.go_on(stage);
    }

    fn choose_training(&mut self, stage: &mut SimulatedGame, member: usize) {
        let body = self.body(stage, member);
        if body.trainings > 0 {
            let choice = ["strength", "constitution", "agility"][body.level as usize % 3];
            self.types(stage, member, &format!("train {choice}"));
        }
    }

    fn fight_on(&mut self, stage: &mut SimulatedGame, member: usize) {
        if self.body(stage, member).posture == Posture::Down {
            return;
        }
        if let Some((helper, name)) =
            self.helper_and_incapacitated_member(stage).filter(|(helper, _)| *helper == member)
        {
            return self.types(stage, helper, &format!("rescue {name}"));
        }
        if self.hp_percent(stage, member) < 40 && self.carries(stage, member, "health_potion") {
            return self.types(stage, member, "quaff health potion");
        }
        if self.members.len() == 1 && self.hp_percent(stage, member) < 25 {
            return self.types(stage, member, "flee");
        }
        if self.answers
            && let Some(line) = stage.game.averting_line(self.members[member].id)
        {
            return self.types(stage, member, &line);
        }
        if self.body(stage, member).target.is_none()
            && let Some(enemy) = Self::enemy_in(stage, self.room_of(stage, member))
        {
            self.types(stage, member, &format!("kill {enemy}"));
        }
    }

    fn helper_and_incapacitated_member(&self, stage: &SimulatedGame) -> Option<(usize, String)> {
        let down = |member: &usize| self.body(stage, *member).posture == Posture::Down;
        let fallen = self.member_indices().find(down)?;
        let stands =
            |member: &usize| !down(member) && self.room_of(stage, *member) == self.room_of(stage, fallen);
        Some((self.member_indices().find(stands)?, self.members[fallen].name.clone()))
    }

    /// Returns the name of a creature that blocks or fights in a room.
    fn enemy_in(stage: &SimulatedGame, room: RoomId) -> Option<String> {
        let world = stage.world();
        let hostile = |id: &&CharacterId| {
            let body = &world.characters[**id];
            body.prototype.is_some() && body.master.is_none() && (body.home == room || body.target.is_some())
        };
        let guards = |id: &&CharacterId| {
            let key = world.characters[**id].prototype.as_ref();
            key.and_then(|key| stage.catalog.creatures.get(key))
                .is_some_and(deepwell_core::catalog::CreaturePrototype::guards)
        };
        let fights = |id: &&CharacterId| world.characters[**id].target.is_some();
        let found = world.occupants(room).iter().filter(hostile).find(|id| fights(id) || guards(id));
        found.map(|id| world.characters[*id].name.clone())
    }

    fn carries(&self, stage: &SimulatedGame, member: usize, key: &str) -> bool {
        let carried = stage.world().carried(self.members[member].id);
        carried.iter().any(|item| stage.world().items[*item].prototype == key)
    }

    /// Takes the items in the room, and wears items better than the current equipment.
    fn take_and_wear(&mut self, stage: &mut SimulatedGame, member: usize) {
        let room = self.room_of(stage, member);
        if stage.world().rooms[room].branch.is_none() {
            return;
        }
        if !stage.world().ground(room).is_empty() && stage.world().carried(self.members[member].id).len() < 40
        {
            self.types(stage, member, "get all");
        }
        let world = stage.world();
        let worth =
            |key: &str| stage.catalog.items.get(key).map_or(0, |i| i.attack * 3 + i.defence * 3 + i.max_hp);
        let carried = world.carried(self.members[member].id);
        let worn = |slot| {
            let same = |id: &&deepwell_core::base::ItemId| world.items[**id].worn == Some(slot);
            carried.iter().find(same).map_or(0, |id| worth(&world.items[*id].prototype))
        };
        let better = carried.iter().find_map(|id| {
            let item = &world.items[*id];
            let prototype = stage.catalog.items.get(&item.prototype)?;
            let slot = prototype.slot.filter(|_| item.worn.is_none())?;
            (worth(&item.prototype) > worn(slot)).then(|| prototype.name.clone())
        });
        if let Some(name) = better {
            self.types(stage, member, &format!("wear {name}"));
        }
    }

    /// Lets the leader take the next step; the others follow.
    fn go_on(&mut self, stage: &mut SimulatedGame) {
        if self.homesick {
            for member in self.member_indices() {
                self.types(stage, member, "recall");
            }
            return;
        }
        let here = self.room_of(stage, 0);
        if stage.world().rooms[here].branch.is_none() {
            return self.go_down(stage);
        }
        let inside: Vec<usize> =
            self.member_indices().filter(|member| !self.is_out(stage, *member)).collect();
        if inside.len() < self.members.len() {
            for member in inside {
                self.types(stage, member, "recall");
            }
            return;
        }
        if let Some(enemy) = Self::enemy_in(stage, here) {
            return self.types(stage, 0, &format!("kill {enemy}"));
        }
        match self.next_exit(stage, here) {
            Some(LeaderAction::Exit(exit, name)) => {
                self.types(stage, 0, &name);
                if self.room_of(stage, 0) == here && !self.fighting(stage) {
                    self.shunned.insert(exit);
                }
            }
            Some(LeaderAction::Lever) => self.types(stage, 0, "pull lever"),
            None => {
                self.shunned.clear();
                self.types(stage, 0, "recall");
            }
        }
    }

    fn is_out(&self, stage: &SimulatedGame, member: usize) -> bool {
        stage.world().rooms[self.room_of(stage, member)].branch.is_none()
    }

    /// Closes the wounds of falls, gathers all members in the start room, then lets the leader take the start exit.
    fn go_down(&mut self, stage: &mut SimulatedGame) {
        let is_wounded = |member: &usize| self.is_out(stage, *member) && self.body(stage, *member).wounds > 0;
        let wounded: Vec<usize> = self.member_indices().filter(is_wounded).collect();
        for member in &wounded {
            let body = self.body(stage, *member);
            let line = match (body.room == body.home, body.posture) {
                (false, _) => "recall",
                (true, Posture::Standing) => "rest",
                _ => continue,
            };
            self.types(stage, *member, line);
        }
        if !wounded.is_empty() {
            return;
        }
        let here = self.room_of(stage, 0);
        let start = stage.world().rooms[here].sheet.kind == RoomKind::Start;
        self.shunned.clear();
        if !start {
            for member in self.member_indices() {
                let room = self.room_of(stage, member);
                let at_start = stage.world().rooms[room].sheet.kind == RoomKind::Start;
                if !at_start {
                    self.types(
                        stage,
                        member,
                        if stage.world().rooms[room].branch.is_some() { "recall" } else { "down" },
                    );
                }
            }
            return;
        }
        let lost = self.member_indices().find(|member| self.room_of(stage, *member) != here);
        match lost {
            None => self.types(stage, 0, self.way.name()),
            Some(member) if stage.world().rooms[self.room_of(stage, member)].branch.is_some() => {
                self.types(stage, member, "recall");
            }
            Some(member) => self.types(stage, member, "down"),
        }
    }

    /// Returns the first step of the shortest path to an unblocked unexplored exit or to stairs, or the lever of this
    /// room.
    fn next_exit(&self, stage: &SimulatedGame, from: RoomId) -> Option<LeaderAction> {
        let world = stage.world();
        let mut seen = BTreeSet::from([from]);
        let mut queue: VecDeque<(RoomId, Option<(ExitId, String)>)> = VecDeque::from([(from, None)]);
        let mut stairs = None;
        while let Some((room, first)) = queue.pop_front() {
            let row = &world.rooms[room];
            if !row.clear
                && row.challenge.lever_pulls() > 0
                && row.challenge.lever_in.is_none()
                && room == from
            {
                return Some(LeaderAction::Lever);
            }
            if row.challenge.raises.is_some() && room == from {
                return Some(LeaderAction::Lever);
            }
            for exit in world.exits.of(room).filter(|exit| !self.shunned.contains(&exit.id)) {
                let step = || first.clone().or_else(|| Some((exit.id, exit.name.clone())));
                match (exit.kind, exit.state, exit.to) {
                    (ExitKind::Exit, ExitState::Unexplored, _) if row.clear => {
                        return step().map(|(exit, name)| LeaderAction::Exit(exit, name));
                    }
                    (ExitKind::Stairs, _, None) if row.clear => stairs = stairs.or_else(step),
                    (ExitKind::Exit, _, Some(to)) if world.rooms[to].branch.is_some() && seen.insert(to) => {
                        queue.push_back((to, step()));
                    }
                    _ => {}
                }
            }
        }
        stairs.map(|(exit, name)| LeaderAction::Exit(exit, name))
    }
}

/// Next action of the leader.
#[derive(Debug)]
enum LeaderAction {
    /// Walks through an exit.
    Exit(ExitId, String),
    /// Pulls the lever of the room.
    Lever,
}
