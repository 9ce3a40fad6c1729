//! Experience, levels and training choices.

use crate::character::{abilities, stats};
use crate::effect::Class;
use crate::message::{naming, notices, tell};
use crate::refusal::{Refusal, refuse};
use crate::state::event::{GameEvent, Sound};
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::catalog::{Ability, Training};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Character;

/// Adds experience for killing `whom`, or for another reason if `whom` is empty.
pub(crate) fn gain_experience(turn: &mut Turn, who: CharacterId, xp: i64, whom: &str) {
    let xp = xp.max(0);
    let Some(body) = turn.world.characters.edit(who) else { return };
    body.xp = body.xp.saturating_add(xp);
    if body.is_player() {
        turn.ranks.note(who, body.level, body.xp);
    }
    notices::keep_if_away(turn, who, "You gained experience.");
    let message = if whom.is_empty() {
        Markup::plain(&format!("You gain {xp} experience."))
    } else {
        let whom = grammar::capitalise(whom);
        Markup::styled(Style::Kill, &format!("{whom} is dead, and you gain {xp} experience."))
    };
    tell::tell(turn, who, Class::Combat, message);
    turn.emit_event(GameEvent::VitalsChanged { who });
    turn.rising.note(who);
}

/// Returns the experience cost of the level after `level`.
pub(crate) fn next_level_cost(turn: &Turn, level: u32) -> i64 {
    turn.catalog.rules.levels.next(level)
}

/// Returns the experience that a character still needs for the next level.
pub(crate) fn missing_experience(turn: &Turn, who: CharacterId) -> i64 {
    let body = &turn.world.characters[who];
    next_level_cost(turn, body.level).saturating_sub(body.xp).max(0)
}

/// Describes the level of a character: "Level 2, 120 experience. Level 3 costs 500 and needs 380 more."
pub(crate) fn level_words(turn: &Turn, who: CharacterId) -> String {
    let body = &turn.world.characters[who];
    let missing = missing_experience(turn, who);
    let (next, cost) = (body.level.saturating_add(1), next_level_cost(turn, body.level));
    format!(
        "Level {}, {} experience. Level {next} costs {cost} and needs {missing} more.",
        body.level, body.xp
    )
}

/// Returns `true` if a player has enough experience for the next level.
pub(crate) fn has_enough(turn: &Turn, body: &Character) -> bool {
    body.is_player() && body.xp >= next_level_cost(turn, body.level)
}

/// Raises each character with enough experience by one level, in every step. A further level follows one round later.
pub(crate) fn level_up(turn: &mut Turn) {
    for who in turn.rising.take() {
        if turn.world.characters.get(who).is_some_and(|body| has_enough(turn, body)) {
            gain_level(turn, who);
        }
        if turn.world.characters.get(who).is_some_and(|body| has_enough(turn, body)) {
            turn.rising.note(who);
            turn.timers.schedule(turn.now + turn.config.round, Timer::LevelUp(who));
        }
    }
}

/// Queues the characters with enough experience for a level, after a start.
pub(crate) fn resume_level_gains(turn: &mut Turn) {
    let enough = turn.world.characters.iter().filter(|(_, body)| has_enough(turn, body));
    let rising: Vec<CharacterId> = enough.map(|(id, _)| id).collect();
    for who in rising {
        turn.rising.note(who);
    }
}

/// Raises a character by one level: pays its cost in experience and adds one training choice.
fn gain_level(turn: &mut Turn, who: CharacterId) {
    let cost = next_level_cost(turn, turn.world.characters[who].level);
    let Some(body) = turn.world.characters.edit(who) else { return };
    body.xp = body.xp.saturating_sub(cost).max(0);
    body.level = body.level.saturating_add(1);
    body.trainings = body.trainings.saturating_add(1);
    let level = body.level;
    turn.ranks.note(who, level, body.xp);
    if abilities::offered(turn, who).is_empty() {
        abilities::offer(turn, who);
    }
    let message = format!("Your hands have learnt something about fighting: you have reached level {level}.");
    let choice = Markup::styled(Style::Hint, &message).and(" Type ").with(Style::Command, "train");
    notices::tell(turn, who, choice.and(" to choose what it was."));
    turn.emit_event(GameEvent::Sounded { who, sound: Sound::Level });
    let room = turn.world.characters[who].room;
    let news = naming::name_of(turn, who).and(&format!(" has reached level {level}."));
    tell::tell_room(turn, room, &[who], Class::Notice, news);
    turn.emit_event(GameEvent::VitalsChanged { who });
    turn.emit_event(GameEvent::Learned { who, lesson: Lesson::Levelled });
}

/// Returns the attributes that can be trained, in list order.
fn trainings(turn: &Turn) -> Vec<&Training> {
    let mut all: Vec<&Training> = turn.catalog.training.values().collect();
    all.sort_by_key(|training| (training.order, &training.key));
    all
}

/// Options for a training choice.
#[derive(Clone)]
enum TrainingChoice {
    /// Attribute increase.
    Number(Training),
    /// Ability on offer.
    Learns(Ability),
}

impl TrainingChoice {
    fn key(&self) -> &str {
        match self {
            Self::Number(training) => &training.key,
            Self::Learns(ability) => &ability.key,
        }
    }
}

/// Returns the options open to a character: attributes, then the abilities on offer.
fn choices(turn: &Turn, who: CharacterId) -> Vec<TrainingChoice> {
    let numbers = trainings(turn).into_iter().cloned().map(TrainingChoice::Number);
    numbers.chain(abilities::offered(turn, who).into_iter().cloned().map(TrainingChoice::Learns)).collect()
}

/// Returns the options open to a character by key: attributes, then the abilities on offer.
pub(crate) fn choice_keys(turn: &Turn, who: CharacterId) -> Vec<String> {
    choices(turn, who).iter().map(|choice| choice.key().to_owned()).collect()
}

/// Lists the options open to a character: "constitution, strength or bash".
pub(crate) fn choice_words(turn: &Turn, who: CharacterId) -> String {
    let keys = choice_keys(turn, who);
    match keys.as_slice() {
        [] => "nothing".into(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Returns the training menu, one option a line with the current value.
fn training_menu(turn: &Turn, who: CharacterId) -> Markup {
    let body = &turn.world.characters[who];
    let mut menu = Markup::styled(Style::Heading, &format!("Level {}: what have you learnt?", body.level));
    for choice in choices(turn, who) {
        menu.line(Style::Command, &format!("train {}", choice.key()));
        let gained = match &choice {
            TrainingChoice::Number(training) => gains(training, body),
            TrainingChoice::Learns(ability) => ability.gist.clone(),
        };
        menu.push(Style::Plain, &format!(": {gained}"));
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
pub(crate) fn train(turn: &mut Turn, who: CharacterId, word: &str) -> Result<(), Refusal> {
    if turn.world.characters[who].trainings == 0 {
        return Err(refuse!("You have nothing to choose now. {}", level_words(turn, who)));
    }
    let typed = word.trim().to_lowercase();
    let mut open = choices(turn, who).into_iter();
    let meant = open.find(|choice| !typed.is_empty() && choice.key().starts_with(&typed));
    let Some(choice) = meant else {
        let mut menu = Markup::new();
        if !typed.is_empty() {
            let list = choice_words(turn, who);
            menu = Markup::plain(&format!("That cannot be learnt. Choose {list}.")).and("\n");
        }
        menu.append(&training_menu(turn, who));
        tell::tell(turn, who, Class::Reply, menu);
        return Ok(());
    };
    stats::may_act(turn, who)?;
    let mut message = match &choice {
        TrainingChoice::Number(training) => grow(turn, who, training),
        TrainingChoice::Learns(ability) => learn(turn, who, ability),
    };
    turn.world.characters.change(who, |body| {
        body.trainings -= 1;
        body.craft.offer.clear();
    });
    let left = turn.world.characters[who].trainings;
    if left > 0 {
        abilities::offer(turn, who);
        let choices = grammar::counted(left, "choice");
        message.push(Style::Plain, &format!(" You have {choices} left."));
    }
    tell::tell(turn, who, Class::Reply, message);
    turn.emit_event(GameEvent::VitalsChanged { who });
    Ok(())
}

/// Applies a training and returns the text for the player.
fn grow(turn: &mut Turn, who: CharacterId, training: &Training) -> Markup {
    let gained = gains(training, &turn.world.characters[who]);
    turn.world.characters.change(who, |body| {
        body.max_hp = body.max_hp.saturating_add(points(training.max_hp));
        body.attack = body.attack.saturating_add(points(training.attack));
        body.defence = body.defence.saturating_add(points(training.defence));
    });
    if training.max_hp > 0 {
        stats::heal(turn, who, points(training.max_hp));
    }
    Markup::styled(Style::Boon, &training.description).and(&format!(" {}: {gained}.", training.name))
}

/// Teaches an ability and returns the text for the player.
fn learn(turn: &mut Turn, who: CharacterId, ability: &Ability) -> Markup {
    let now = turn.now;
    turn.world.characters.change(who, |body| {
        body.craft.abilities.insert(ability.key.clone(), now);
    });
    Markup::styled(Style::Boon, &ability.description)
        .and(" Type ")
        .with(Style::Command, &ability.key)
        .and(".")
}

/// Describes the increases of a training: "+20 HP, from 30".
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
