//! Roamers: creatures that wander their branch while somebody is there to meet them (E28, E57). A branch that
//! nobody is in costs no timer.

use crate::base::{BranchId, CharacterId, Dice, RoomId, Span};
use crate::game::{Class, Game, Timer};
use crate::text::act::Template;
use crate::world::{ExitKind, ExitState};

/// How often roamers think of moving.
const STIR: Span = Span::secs(10);

/// How many of a hundred do.
const STIR_PERCENT: u32 = 30;

const COME_AT: Template = Template::new("{actor} {comes|come} at {target}.");

impl Game {
    /// A body has come into a room: creatures there notice, and so does what it brings along.
    pub(crate) fn meets(&mut self, _who: CharacterId, _room: RoomId) {}

    /// A body has left a room: a spider may leave a web (R18).
    pub(crate) fn spins_web(&mut self, _who: CharacterId, _from: RoomId) {}

    /// The first to come into a webbed room tears the web (R19).
    pub(crate) fn tears_web(&mut self, _who: CharacterId, _room: RoomId) {}

    /// The hook of a room springs on whoever comes in (R21).
    pub(crate) fn springs_hook(&mut self, _who: CharacterId, _room: RoomId) {}

    /// What a creature does in a round instead of its blow, if anything.
    pub(crate) fn creature_turn(&mut self, _who: CharacterId) -> bool {
        false
    }

    /// Whether creatures of a kind wander.
    pub(super) fn is_roamer(&self, mob: &str) -> bool {
        self.catalog.mobs.get(mob).is_some_and(crate::catalog::MobPrototype::roams)
    }

    /// Somebody is in the branch: its roamers begin to move, if it has any.
    pub(super) fn wake_branch(&mut self, branch: BranchId) {
        if self.stirring.contains(&branch) || !self.has_roamers(branch) {
            return;
        }
        self.stirring.insert(branch);
        self.timers.schedule(self.now + STIR, Timer::Stir(branch));
    }

    fn has_roamers(&self, branch: BranchId) -> bool {
        self.world.branch_index(branch).is_some_and(|index| index.mobs.iter().any(|mob| self.roams(*mob)))
    }

    fn roams(&self, mob: CharacterId) -> bool {
        self.world.characters[mob].mob.as_ref().is_some_and(|key| self.is_roamer(key))
    }

    /// Roamers move on, meet people and fight them; then they wait, as long as anybody awake is there.
    pub(super) fn stir(&mut self, branch: BranchId) {
        self.stirring.remove(&branch);
        let Some(index) = self.world.branch_index(branch) else { return };
        if !index.members.iter().any(|member| self.world.characters[*member].awake) {
            return;
        }
        let roamers: Vec<CharacterId> = index.mobs.iter().copied().filter(|mob| self.roams(*mob)).collect();
        for roamer in roamers {
            if self.world.characters[roamer].target.is_none() && self.dice.roam.percent(STIR_PERCENT) {
                self.wander(roamer);
            }
        }
        self.wake_branch(branch);
    }

    fn wander(&mut self, roamer: CharacterId) {
        let room = self.world.characters[roamer].room;
        let branch = self.world.characters[roamer].branch;
        let inside = |to| self.world.rooms[to].branch == branch;
        let ways: Vec<_> = self
            .world
            .exits_of(room)
            .filter(|exit| exit.kind == ExitKind::Exit && exit.state != ExitState::Unexplored)
            .filter(|exit| exit.to.is_some_and(inside))
            .map(|exit| exit.id)
            .collect();
        let Some(way) = self.dice.roam.pick(&ways).copied() else { return };
        if self.pass(roamer, way).is_err() {
            return;
        }
        let here = self.world.characters[roamer].room;
        let prey = self.world.occupants(here).iter().copied().find(|o| self.world.characters[*o].is_player());
        if let Some(prey) = prey {
            self.act(Class::Combat, &COME_AT, roamer, Some(prey), "");
            self.engage(roamer, prey);
        }
    }
}
