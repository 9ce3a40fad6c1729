//! Captives: freed when the last of their guards has fallen, companions on the way up, and thankful in the start room.

use crate::base::{CharacterId, RoomId};
use crate::catalog::furnishing::Captive;
use crate::game::{Class, Game};
use crate::text::{Markup, Style};

impl Game {
    /// Whoever was held in a room is free and goes with somebody.
    pub(super) fn frees_captive(&mut self, who: CharacterId, room: RoomId) {
        let row = &self.world.rooms[room];
        let (branch, difficulty) = (row.branch, row.difficulty);
        let Some(key) = row.challenge.feature.clone() else { return };
        let theme = row.area.clone();
        let freed = self.captive(&theme, &key).map(|captive| captive.freed.clone());
        if let Some(row) = self.world.rooms.edit(room) {
            row.challenge.feature = None;
            row.challenge.hint = None;
        }
        let Some(captive) = self.spawn_mob(&key, room, branch) else { return };
        let rules = self.catalog.rules.places;
        let reward = rules
            .captive_reward
            .saturating_add(rules.captive_reward_per_difficulty.saturating_mul(difficulty));
        if let Some(body) = self.world.characters.edit(captive) {
            // What it is worth is what its thanks will be.
            body.xp = i64::from(reward);
            body.held_by = Some(theme);
        }
        let words = freed.unwrap_or_else(|| "Somebody who was held here is free.".into());
        self.tell_room(room, &[], Class::Notice, Markup::styled(Style::Boon, &words));
        if !self.join_companion(captive, who) {
            let name = self.name_of(captive);
            self.tell_room(room, &[], Class::Movement, name.and(" sets off for the daylight alone."));
            self.world.remove_character(captive);
        }
    }

    /// Somebody has left the branch: the captives who came along are home.
    pub(crate) fn brings_home(&mut self, who: CharacterId) {
        let room = self.world.characters[who].room;
        let theirs = |id: &CharacterId| self.world.characters[*id].master == Some(who);
        let companions: Vec<CharacterId> =
            self.world.occupants(room).iter().copied().filter(theirs).collect();
        for companion in companions {
            let body = &self.world.characters[companion];
            let (theme, key) = (body.held_by.as_deref(), body.mob.as_deref().unwrap_or_default());
            let captive = theme.and_then(|theme| self.captive(theme, key));
            let Some(thanks) = captive.map(|captive| captive.thanks.clone()) else { continue };
            let reward = body.xp;
            self.tell_room(room, &[], Class::Notice, Markup::plain(&thanks));
            self.stop_fights_of(companion);
            self.world.remove_character(companion);
            self.split_coins(who, room, reward);
            for member in self.companions_of(who, room) {
                self.gain_experience(member, reward, "");
            }
        }
    }

    /// What a theme says of a captive; each has words of its own for the same people.
    fn captive(&self, theme: &str, mob: &str) -> Option<&Captive> {
        self.catalog.themes.get(theme)?.captives.iter().find(|captive| captive.mob == mob)
    }
}
