//! At no hit points a player is down: helpless, but there, until a friend helps or time runs out. Whom nobody can help
//! is out at once, so that nobody is ever stuck.
//!
//! ```text
//!   standing --no hit points--> down --rescued--> standing, safe for a round
//!                                 |
//!                                 +-- nobody left to help, bled out, or let go --> out: at the start room
//! ```

use crate::base::CharacterId;
use crate::catalog::Rules;
use crate::game::command::Refusal;
use crate::game::guide::Lesson;
use crate::game::sound::Sound;
use crate::game::{Class, Game, Timer};
use crate::text::act::Template;
use crate::text::{Markup, Style};
use crate::world::Posture;

const HELP_UP: Template = Template::new("{actor} {pulls|pull} {target} up from the floor.");
const STEP_BETWEEN: Template = Template::new("{actor} {steps|step} between {target} and {object}.");

impl Game {
    /// Whether a body lies helpless.
    pub(crate) fn is_down(&self, who: CharacterId) -> bool {
        self.world.characters[who].posture == Posture::Down
    }

    /// Whether nobody strikes a body just now: it was helped up a moment ago.
    pub(in crate::game) fn is_safe(&self, who: CharacterId) -> bool {
        self.world.characters[who].safe_until.is_some_and(|until| until > self.now)
    }

    /// Refuses whoever cannot act just now.
    pub(crate) fn may_act(&self, who: CharacterId) -> Result<(), Refusal> {
        if self.is_down(who) { Err(Refusal::Down) } else { Ok(()) }
    }

    /// A player has no hit points left. Enemies turn to others; if nobody can help, it is out at once.
    pub(super) fn fall(&mut self, victim: CharacterId) {
        let until = self.now + Rules::secs(self.catalog.rules.down.secs);
        let helped = self.can_be_helped(victim);
        self.stop_fights_of(victim);
        if let Some(body) = self.world.characters.edit(victim) {
            body.hp = 0;
            body.posture = Posture::Down;
            body.down_until = helped.then_some(until);
            body.safe_until = None;
        }
        self.forgets(victim);
        self.learns(victim, Lesson::WentDown);
        if helped {
            self.timers.schedule(until, Timer::Down(victim));
            self.tell_fall(victim);
            // Whoever struck the blow may have others to look to.
            self.stirs_up(self.world.characters[victim].room);
        }
        self.fights.fallen.insert(victim);
        self.judge_the_fallen();
    }

    fn tell_fall(&mut self, victim: CharacterId) {
        self.sounds_around(victim, Sound::Fall);
        let down = self.catalog.rules.down;
        let words = format!(
            "You fall. You are down and cannot act, but you can talk and look. A friend here can rescue you. After {} \
             you are out, and {} percent of what you found on this run is lost. To let go now, type ",
            Rules::secs(down.secs),
            down.lost_percent,
        );
        let words = Markup::styled(Style::Harm, &words).with(Style::Command, "stop").with(Style::Harm, ".");
        self.tell(victim, Class::Combat, words);
        let room = self.world.characters[victim].room;
        let name = self.the(victim);
        for viewer in self.world.occupants(room).to_vec() {
            if viewer != victim && self.seated.contains_key(&viewer) {
                let words = Markup::styled(Style::Player, &name)
                    .with(Style::Harm, " falls and lies there, bleeding. ")
                    .and("To help, type ")
                    .with(Style::Command, &format!("rescue {name}"))
                    .and(".");
                self.tell(viewer, Class::Combat, words);
            }
        }
    }

    /// Whether somebody is left who might help one who is down: of its party anywhere in the branch, or anybody in
    /// the room.
    fn can_be_helped(&self, who: CharacterId) -> bool {
        let body = &self.world.characters[who];
        let stands = |id: CharacterId| {
            let other = &self.world.characters[id];
            id != who && other.is_player() && other.awake && other.posture != Posture::Down
        };
        let near = self.world.occupants(body.room).iter().any(|id| stands(*id));
        near || self.world.party_of(who).is_some_and(|party| {
            let members = self.world.parties[party].members.iter();
            members
                .filter(|id| body.branch.is_some() && self.world.characters[**id].branch == body.branch)
                .any(|id| stands(*id))
        })
    }

    /// Somebody has fallen or gone: those who are down and whom nobody can help any more are out.
    pub(crate) fn judge_the_fallen(&mut self) {
        for who in self.fights.fallen.clone() {
            if self.is_down(who) && !self.can_be_helped(who) {
                self.out_of(who);
            }
        }
    }

    /// Those who were down when the server stopped still are.
    pub(crate) fn find_the_fallen(&mut self) {
        let fallen = self.world.characters.iter().filter(|(_, body)| body.posture == Posture::Down);
        let fallen: Vec<_> = fallen.map(|(id, body)| (id, body.down_until.unwrap_or(self.now))).collect();
        for (who, until) in fallen {
            self.fights.fallen.insert(who);
            self.timers.schedule(until, Timer::Down(who));
        }
    }

    /// Nobody has helped in time.
    pub(crate) fn bleeds_out(&mut self, who: CharacterId) {
        let over = |until| until <= self.now;
        let down = self.world.characters.get(who).filter(|body| body.posture == Posture::Down);
        if down.is_some_and(|body| body.down_until.is_some_and(over)) {
            self.out_of(who);
        }
    }

    /// Out: back at the start with half of all hit points, with all gear, and poorer by a share of the run's loot.
    pub(crate) fn out_of(&mut self, victim: CharacterId) {
        let body = &self.world.characters[victim];
        let from = body.room;
        let start = self.world.rooms[from].branch.map_or(body.home, |b| self.world.branches[b].start_room);
        let dark = Markup::styled(
            Style::Harm,
            if body.down_until.is_some() {
                "The dark closes over you like water."
            } else {
                "You fall. The dark closes over you like water."
            },
        );
        self.tell(victim, Class::Combat, dark);
        let gone = self.name_of(victim).and(" falls, and the dark takes the body.");
        self.tell_room(from, &[victim], Class::Combat, gone);
        let lost = self.lose_run_share(victim);
        self.end_all_affects(victim);
        self.gets_on_its_feet(victim);
        self.relocate(victim, start);
        let half = (self.max_hp_of(victim) / 2).max(1);
        self.set_hp(victim, half);
        let washed = self.name_of(victim).and(" is washed up on the stones, pale and gasping.");
        self.tell_room(start, &[victim], Class::Movement, washed);
        let words = if lost.is_empty() {
            "You come to at the start, cold and sore, but whole.".to_owned()
        } else {
            format!("You come to at the start, cold and sore. {lost}")
        };
        self.tell(victim, Class::Notice, words);
        self.learns(victim, Lesson::WentOut);
        self.show_room(victim);
    }

    /// Ends being down, whatever the reason; where there was nothing left, there is one hit point now.
    pub(crate) fn gets_on_its_feet(&mut self, who: CharacterId) {
        if !self.is_down(who) {
            return;
        }
        self.fights.fallen.remove(&who);
        let now = self.now;
        if let Some(body) = self.world.characters.edit(who) {
            body.posture = Posture::Standing;
            body.down_until = None;
            body.hp = body.hp.max(1);
            body.hp_at = now;
        }
        self.show_vitals(who);
    }

    /// Raises one who is down to at least a share of all hit points; nobody strikes it for a round.
    pub(crate) fn raise(&mut self, who: CharacterId) {
        let percent = i64::from(self.catalog.rules.down.raise_percent);
        let points = (i64::from(self.max_hp_of(who)) * percent + 99) / 100;
        self.gets_on_its_feet(who);
        let hp = i32::try_from(points).unwrap_or(i32::MAX).max(self.hp(who));
        self.set_hp(who, hp);
        let until = self.now + self.config.round;
        if let Some(body) = self.world.characters.edit(who) {
            body.safe_until = Some(until);
        }
        self.stirs_up(self.world.characters[who].room);
    }

    /// Helps up who is down, or draws one attacker away from who stands. In a fight it costs the blow of the round.
    pub(crate) fn rescue(&mut self, who: CharacterId, friend: CharacterId) -> Result<(), Refusal> {
        self.may_act(who)?;
        if who == friend {
            return Err(Refusal::Because("Somebody else has to do that for you.".into()));
        }
        if self.is_stunned(who) {
            return Err(Refusal::Because("You are stunned and can help nobody.".into()));
        }
        self.has_a_round(who)?;
        if self.is_down(friend) {
            self.act(Class::Combat, &HELP_UP, who, Some(friend), "");
            self.raise(friend);
            let hp = self.hp(friend);
            let words = format!("You are up again, with {hp} hit points. Nothing strikes you for a moment.");
            self.tell(friend, Class::Combat, words);
        } else {
            let enemy = self.opponent_of(friend);
            let enemy = enemy.filter(|enemy| !self.world.characters[*enemy].is_player());
            let enemy =
                enemy.ok_or_else(|| Refusal::Because(format!("Nothing threatens {}.", self.the(friend))))?;
            let name = self.the(enemy);
            self.act(Class::Combat, &STEP_BETWEEN, who, Some(friend), &name);
            self.aim(enemy, who);
            if self.world.characters[who].target.is_none() {
                self.aim(who, enemy);
            }
            self.fights.ready.remove(&who);
            self.gets_up(who);
            self.schedule_round(self.world.characters[who].room);
        }
        if self.world.characters[who].target.is_some() {
            self.fights.spent.insert(who);
        }
        self.acted(who);
        Ok(())
    }
}
