//! Hooks: scripts that builders hang on rooms (`on_enter`) and creatures (`on_tick`), run line by line.
//! Nothing that a script does runs another script, so one moment runs as many lines as one script may have.

use crate::base::{CharacterId, Dice, RoomId};
use crate::catalog::script::{Deed, Script};
use crate::game::{Class, Game};
use crate::text::{Markup, Style};
use crate::world::Place;
use std::sync::Arc;

/// Where a script runs, and about whom.
#[derive(Clone, Copy, Debug)]
struct ScriptScene {
    /// The room.
    room: RoomId,
    /// The creature whose script it is.
    creature: Option<CharacterId>,
    /// Who has entered, or whom the creature has picked.
    whom: Option<CharacterId>,
}

impl Game {
    /// A player has come into a room: its hook runs.
    pub(crate) fn springs_hook(&mut self, who: CharacterId, room: RoomId) {
        let lines = match self.world.rooms.get(room) {
            Some(row) if !row.on_enter.is_empty() => row.on_enter.clone(),
            _ => return,
        };
        let here = |game: &Self| {
            game.world
                .characters
                .get(who)
                .is_some_and(|body| body.is_player() && body.awake && body.room == room)
        };
        if !here(self) {
            return;
        }
        // Lines are checked before they are stored; what an older release stored may be unknown, and is passed over.
        let Ok(script) = Script::parse(lines.iter().map(String::as_str)) else { return };
        if self.runs_script(&script, ScriptScene { room, creature: None, whom: Some(who) })
            && let Some(row) = self.world.rooms.edit(room)
        {
            row.on_enter.clear();
        }
    }

    /// A creature's hook runs at a tick, about one of the players in its room.
    pub(super) fn acts_by_script(&mut self, mob: CharacterId) {
        let catalog = Arc::clone(&self.catalog);
        let key = self.world.characters[mob].mob.as_ref();
        let Some(prototype) = key.and_then(|key| catalog.mobs.get(key)) else { return };
        if prototype.on_tick.is_empty() {
            return;
        }
        let prey = self.prey_of(mob);
        let whom = self.dice.roam.pick(&prey).copied();
        let room = self.world.characters[mob].room;
        self.runs_script(&prototype.on_tick, ScriptScene { room, creature: Some(mob), whom });
    }

    /// Runs the lines of a script; whether it is spent.
    fn runs_script(&mut self, script: &Script, scene: ScriptScene) -> bool {
        let mut spent = false;
        for line in script.lines() {
            let gone = |who: CharacterId| {
                self.world.characters.get(who).is_none_or(|body| body.room != scene.room || !body.awake)
            };
            // Whoever it is about may have been carried out, and the creature may have died of its own deeds.
            if scene.creature.is_some_and(gone) || (scene.creature.is_none() && scene.whom.is_some_and(gone))
            {
                break;
            }
            let whom = scene.whom.filter(|who| !gone(*who));
            if line.percent < 100 && !self.dice.roam.percent(line.percent) {
                continue;
            }
            spent |= line.deed == Deed::Once;
            self.does(&line.deed, ScriptScene { whom, ..scene });
        }
        spent
    }

    fn does(&mut self, deed: &Deed, scene: ScriptScene) {
        let ScriptScene { room, creature, whom } = scene;
        match (deed, whom) {
            (Deed::Room(text), _) => self.tell_room(room, &[], Class::Notice, Markup::plain(text)),
            (Deed::Say(text), _) => {
                let speaker = creature.map_or_else(|| Markup::plain("A voice"), |mob| self.name_of(mob));
                let talker = speaker.text().to_owned();
                let words = speaker.and(" says, \"").with(Style::Speech, text).and("\"");
                let said = self.said(Class::Speech, "say", &talker, words);
                for who in self.world.occupants(room).to_vec() {
                    self.hears(who, &said);
                }
            }
            (Deed::Spawn(key), _) => self.spawns_by_script(key, room),
            (Deed::Item(key), _) => self.makes_by_script(key, room),
            (Deed::Tell(text), Some(who)) => self.tell(who, Class::Notice, text.as_str()),
            (Deed::Harm(points), Some(who)) => self.harms_by_script(who, *points, creature),
            (Deed::Heal(points), Some(who)) if !self.is_down(who) => {
                self.heal(who, i32::try_from(*points).unwrap_or(i32::MAX));
            }
            (Deed::Affect(key), Some(who)) if !self.is_down(who) => self.apply_affect(who, key, None),
            _ => {}
        }
    }

    fn makes_by_script(&mut self, key: &str, room: RoomId) {
        if self.world.floor(room).len() < self.config.limits.items_in_room as usize {
            self.spawn_item(key, Place::Room(room), "script");
        }
    }

    fn spawns_by_script(&mut self, key: &str, room: RoomId) {
        let creatures = |who: &&CharacterId| !self.world.characters[**who].is_player();
        let there = self.world.occupants(room).iter().filter(creatures).count();
        let (branch, most) = (self.world.rooms[room].branch, self.catalog.rules.roaming);
        // What a script makes may walk away and leave room for more.
        let around =
            branch.and_then(|branch| self.world.branch_index(branch)).map_or(0, |index| index.mobs.len());
        if there >= most.creatures_in_room as usize || around >= most.creatures_in_branch as usize {
            return;
        }
        self.spawn_mob(key, room, branch);
        if let Some(branch) = branch {
            self.wake_branch(branch);
        }
    }

    /// Harm by a script. Nobody dies where nobody fights: there the last point is left.
    fn harms_by_script(&mut self, who: CharacterId, points: u32, by: Option<CharacterId>) {
        if self.is_down(who) {
            return;
        }
        let points = i32::try_from(points).unwrap_or(i32::MAX);
        let deadly = self.world.rooms[self.world.characters[who].room].kind.is_dungeon();
        let points = if deadly { points } else { points.min(self.hp(who) - 1) };
        if points > 0 {
            self.harm(who, points, by);
        }
    }
}
