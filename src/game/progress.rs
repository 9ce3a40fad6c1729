//! Experience, levels, and the choices they bring.

use crate::base::CharacterId;
use crate::catalog::Training;
use crate::game::command::Refusal;
use crate::game::guide::Lesson;
use crate::game::sound::Sound;
use crate::game::{Class, Game, Timer};
use crate::text::{Markup, Style, grammar};
use crate::world::Character;

impl Game {
    /// Somebody gains experience for the end of `whom`, or for something else if `whom` is empty.
    pub(crate) fn gain_experience(&mut self, who: CharacterId, xp: i64, whom: &str) {
        let xp = xp.max(0);
        let Some(body) = self.world.characters.edit(who) else { return };
        body.xp = body.xp.saturating_add(xp);
        let words = if whom.is_empty() {
            format!("You gain {xp} experience.")
        } else {
            format!("{} is dead, and you gain {xp} experience.", grammar::capitalise(whom))
        };
        self.tell(who, Class::Combat, Markup::plain(&words));
        self.show_vitals(who);
        self.rising.insert(who);
    }

    /// Experience that somebody's next level costs.
    pub(crate) fn next_level_cost(&self, level: u32) -> i64 {
        self.catalog.rules.levels.next(level)
    }

    /// Experience that somebody still needs for the next level.
    pub(crate) fn missing_experience(&self, who: CharacterId) -> i64 {
        let body = &self.world.characters[who];
        self.next_level_cost(body.level).saturating_sub(body.xp).max(0)
    }

    /// "Level 2, 120 experience. Level 3 needs 380 more."
    pub(crate) fn level_words(&self, who: CharacterId) -> String {
        let body = &self.world.characters[who];
        let missing = self.missing_experience(who);
        let next = body.level.saturating_add(1);
        format!("Level {}, {} experience. Level {next} needs {missing} more.", body.level, body.xp)
    }

    fn has_enough(&self, body: &Character) -> bool {
        body.is_player() && body.xp >= self.next_level_cost(body.level)
    }

    /// Each step: whoever has enough experience rises one level, and another one a round later.
    pub(super) fn level_ups(&mut self) {
        for who in std::mem::take(&mut self.rising) {
            if self.world.characters.get(who).is_some_and(|body| self.has_enough(body)) {
                self.rise(who);
            }
            if self.world.characters.get(who).is_some_and(|body| self.has_enough(body)) {
                self.rising.insert(who);
                self.timers.schedule(self.now + self.config.round, Timer::Rise(who));
            }
        }
    }

    /// After a start: whoever has enough for a level rises in the first steps.
    pub(super) fn schedule_rises(&mut self) {
        let enough = self.world.characters.iter().filter(|(_, body)| self.has_enough(body));
        let rising: Vec<CharacterId> = enough.map(|(id, _)| id).collect();
        self.rising.extend(rising);
    }

    /// One level more: it is paid for, and there is one choice more to make.
    fn rise(&mut self, who: CharacterId) {
        let cost = self.next_level_cost(self.world.characters[who].level);
        let Some(body) = self.world.characters.edit(who) else { return };
        body.xp = body.xp.saturating_sub(cost).max(0);
        body.level = body.level.saturating_add(1);
        body.trainings = body.trainings.saturating_add(1);
        let level = body.level;
        let words =
            format!("Your hands have learnt something about fighting: you have reached level {level}.");
        let choice = Markup::styled(Style::Boon, &words).and(" Type ").with(Style::Command, "train");
        self.tell(who, Class::Notice, choice.and(" to choose what it was."));
        self.sounds(who, Sound::Level);
        let room = self.world.characters[who].room;
        let news = self.name_of(who).and(&format!(" has reached level {level}."));
        self.tell_room(room, &[who], Class::Notice, news);
        self.show_vitals(who);
        self.learns(who, Lesson::Levelled);
    }

    /// What can be trained, in the order of the list.
    fn trainings(&self) -> Vec<&Training> {
        let mut all: Vec<&Training> = self.catalog.training.values().collect();
        all.sort_by_key(|training| (training.order, &training.key));
        all
    }

    /// The words for what can be trained: "constitution, strength or agility".
    pub(crate) fn training_words(&self) -> String {
        let keys: Vec<&str> = self.trainings().iter().map(|training| training.key.as_str()).collect();
        match keys.as_slice() {
            [] => "nothing".into(),
            [only] => (*only).to_owned(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
        }
    }

    /// What there is to choose, one choice a line, with what one has now.
    pub(crate) fn training_menu(&self, who: CharacterId) -> Markup {
        let body = &self.world.characters[who];
        let mut menu =
            Markup::styled(Style::Heading, &format!("Level {}: what have you learnt?", body.level));
        for training in self.trainings() {
            menu.line(Style::Command, &format!("train {}", training.key));
            menu.push(Style::Plain, &format!(": {}", gains(training, body)));
        }
        let left = match body.trainings {
            0 => "You have nothing to choose now.".to_owned(),
            1 => "You have one choice.".to_owned(),
            n => format!("You have {} choices.", grammar::number(n)),
        };
        menu.line(Style::Plain, &left);
        menu
    }

    /// Spends one choice.
    pub(crate) fn train(&mut self, who: CharacterId, word: &str) -> Result<(), Refusal> {
        if self.world.characters[who].trainings == 0 {
            let words = format!("You have nothing to choose now. {}", self.level_words(who));
            return Err(Refusal::Because(words));
        }
        let typed = word.trim().to_lowercase();
        let meant = |training: &&&Training| !typed.is_empty() && training.key.starts_with(&typed);
        let Some(training) = self.trainings().iter().find(meant).map(|training| (*training).clone()) else {
            let mut menu = Markup::new();
            if !typed.is_empty() {
                menu = Markup::plain(&format!("That cannot be learnt. Choose {}.", self.training_words()))
                    .and("\n");
            }
            menu.append(&self.training_menu(who));
            self.tell(who, Class::Reply, menu);
            return Ok(());
        };
        self.may_act(who)?;
        let gained = gains(&training, &self.world.characters[who]);
        let Some(body) = self.world.characters.edit(who) else { return Ok(()) };
        body.trainings -= 1;
        body.max_hp = body.max_hp.saturating_add(points(training.max_hp));
        body.attack = body.attack.saturating_add(points(training.attack));
        body.defence = body.defence.saturating_add(points(training.defence));
        let left = body.trainings;
        if training.max_hp > 0 {
            self.heal(who, points(training.max_hp));
        }
        let mut words =
            Markup::styled(Style::Boon, &training.description).and(&format!(" {}: {gained}.", training.name));
        if left > 0 {
            let choices = grammar::counted(left, "choice", None);
            words.push(Style::Plain, &format!(" You have {choices} left."));
        }
        self.tell(who, Class::Reply, words);
        self.show_vitals(who);
        Ok(())
    }
}

/// "+20 HP, from 30".
fn gains(training: &Training, body: &Character) -> String {
    let parts = [
        (training.max_hp, "HP", body.max_hp),
        (training.attack, "attack", body.attack),
        (training.defence, "defence", body.defence),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(more, _, _)| *more > 0)
        .map(|(more, what, now)| format!("+{more} {what}, from {now}"))
        .collect();
    if parts.is_empty() { "no number changes".into() } else { parts.join("; ") }
}

fn points(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
