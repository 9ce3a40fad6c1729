//! Incapacitation: a player without hit points is helpless in the room until rescued or until time runs out. A player
//! whom no other player can help is defeated immediately and never gets stuck.
//!
//! ```text
//!   standing --no hit points--> incapacitated --rescued--> standing, protected for a round
//!                                     |
//!                                     +-- no player left to help, time over, or let go --> defeated: at the start room
//! ```

use crate::attack::loot;
use crate::character::{affects, stats, variables, wounds};
use crate::effect::Class;
use crate::message::{naming, notices, tell};
use crate::refusal::Refusal;
use crate::state::event::{GameEvent, Sound};
use crate::state::timers::Timer;
use crate::turn::Turn;
use crate::{attack, movement};
use deepwell_core::base::{CharacterId, Span, Tally};
use deepwell_core::catalog::Rules;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::act::Template;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Posture;

const TEND: Template =
    Template::new("{actor} {kneels|kneel} by {target} and {presses|press} the wound shut.");

const HELP_UP: Template = Template::new("{actor} {pulls|pull} {target} up from the floor.");

/// Incapacitates a player without hit points. Enemies choose other targets. The player is defeated immediately if no
/// other player can help.
pub(crate) fn fall(turn: &mut Turn, victim: CharacterId) {
    let until = turn.now + Rules::secs(turn.catalog.rules.down.secs);
    wounds::add_wound(turn, victim);
    let helped = can_be_helped(turn, victim);
    attack::stop_fights_of(turn, victim);
    if let Some(body) = turn.world.characters.edit(victim) {
        body.hp = 0;
        body.posture = Posture::Down;
        body.down_until = helped.then_some(until);
        body.safe_until = None;
    }
    attack::forget(turn, victim);
    turn.outbox.count(Tally::PlayersFallen);
    turn.emit_event(GameEvent::Learned { who: victim, lesson: Lesson::WentDown });
    if helped {
        turn.timers.schedule(until, Timer::Down(victim));
        tell_fall(turn, victim);
        // The attacker may turn to other characters in the room.
        turn.emit_event(GameEvent::Exposed { room: turn.world.characters[victim].room });
    }
    turn.fallen.fall(victim);
    defeat_unrescuable(turn);
}

fn tell_fall(turn: &mut Turn, victim: CharacterId) {
    turn.emit_event(GameEvent::SoundedAround { who: victim, sound: Sound::Fall });
    let mut message = Markup::styled(Style::Harm, "You fall. ");
    message.append(&condition(turn, victim, Rules::secs(turn.catalog.rules.down.secs)));
    tell::tell(turn, victim, Class::Combat, message);
    let room = turn.world.characters[victim].room;
    let name = naming::the(turn, victim);
    for viewer in turn.world.occupants(room).to_vec() {
        if viewer != victim && turn.seated.contains_key(&viewer) {
            let message = Markup::styled(Style::Player, &name)
                .with(Style::Harm, " falls and lies there, bleeding. ")
                .and("To help, type ")
                .with(Style::Command, &format!("rescue {name}"))
                .and(&tries_in_words(turn, victim));
            tell::tell(turn, viewer, Class::Combat, message);
        }
    }
}

/// Ends the sentence about the command that helps a player up: ", once a round, three times."
fn tries_in_words(turn: &Turn, victim: CharacterId) -> String {
    match wounds::rescue_tries(turn, victim) {
        None | Some(1) => ".".to_owned(),
        Some(tries) => format!(", once a round, {} times.", grammar::number(tries)),
    }
}

/// Describes their state to an incapacitated player whose time runs out after `span`.
fn condition(turn: &Turn, who: CharacterId, span: Span) -> Markup {
    let message = format!(
        "You are down and cannot act, but you can talk and look. A friend here can rescue you{} After {span} you are \
         out, and {} percent of what you found on this run is lost. To let go now, type ",
        tries_in_words(turn, who),
        turn.catalog.rules.down.lost_percent,
    );
    Markup::styled(Style::Harm, &message).with(Style::Command, "stop").with(Style::Harm, ".")
}

/// Tells a returning player who is incapacitated.
pub(crate) fn remind(turn: &mut Turn, who: CharacterId) {
    if let Some(until) = turn.world.characters[who].down_until {
        tell::tell(turn, who, Class::Notice, condition(turn, who, until.since(turn.now)));
    }
}

/// Returns `true` if another player can still help: any in the room, or a party member in the branch. Returns `false` after
/// more falls than the rules have rescues.
fn can_be_helped(turn: &Turn, who: CharacterId) -> bool {
    if wounds::rescue_tries(turn, who).is_none() {
        return false;
    }
    let body = &turn.world.characters[who];
    let stands = |id: CharacterId| {
        let other = &turn.world.characters[id];
        id != who && other.is_player() && other.awake && other.posture != Posture::Down
    };
    let near = turn.world.occupants(body.room).iter().any(|id| stands(*id));
    near || turn.world.parties.of(who).is_some_and(|party| {
        let members = turn.world.parties[party].members.iter();
        members
            .filter(|id| body.branch.is_some() && turn.world.characters[**id].branch == body.branch)
            .any(|id| stands(*id))
    })
}

/// Defeats incapacitated players whom no other player can help any more.
pub(crate) fn defeat_unrescuable(turn: &mut Turn) {
    for who in turn.fallen.all() {
        if stats::is_incapacitated(turn, who) && !can_be_helped(turn, who) {
            defeat(turn, who);
        }
    }
}

/// Restores incapacitated players and their timers after a start.
pub(crate) fn restore_incapacitated(turn: &mut Turn) {
    let fallen = turn.world.characters.iter().filter(|(_, body)| body.posture == Posture::Down);
    let fallen: Vec<_> = fallen.map(|(id, body)| (id, body.down_until.unwrap_or(turn.now))).collect();
    for (who, until) in fallen {
        turn.fallen.fall(who);
        turn.timers.schedule(until, Timer::Down(who));
    }
}

/// Defeats an incapacitated player whose time to be rescued has run out.
pub(crate) fn bleed_out(turn: &mut Turn, who: CharacterId) {
    let over = |until| until <= turn.now;
    let down = turn.world.characters.get(who).filter(|body| body.posture == Posture::Down);
    if down.is_some_and(|body| body.down_until.is_some_and(over)) {
        defeat(turn, who);
    }
}

/// Defeats a player: moves it to the start room with half its hit points and all gear. It loses a share of the loot of
/// the run.
pub(crate) fn defeat(turn: &mut Turn, victim: CharacterId) {
    let body = &turn.world.characters[victim];
    let from = body.room;
    let start = turn.world.rooms[from].branch.map_or(body.home, |b| turn.world.branches[b].start_room);
    let dark = Markup::styled(
        Style::Harm,
        if body.down_until.is_some() {
            "The dark closes over you like water."
        } else {
            "You fall. The dark closes over you like water."
        },
    );
    tell::tell(turn, victim, Class::Combat, dark);
    let gone = naming::name_of(turn, victim).and(" falls, and the dark takes the body.");
    tell::tell_room(turn, from, &[victim], Class::Combat, gone);
    let lost = loot::lose_run_share(turn, victim);
    affects::end_all_affects(turn, victim);
    variables::reset_at_death(turn, victim);
    stats::end_incapacitation(turn, victim);
    movement::relocate(turn, victim, start);
    let half = (stats::max_hp_of(turn, victim) / 2).max(1);
    stats::set_hp(turn, victim, half);
    let washed = naming::name_of(turn, victim).and(" is washed up on the stones, pale and gasping.");
    tell::tell_room(turn, start, &[victim], Class::Movement, washed);
    let message = if lost.is_empty() {
        "You come to at the start, cold and sore, but whole.".to_owned()
    } else {
        format!("You come to at the start, cold and sore. {lost}")
    };
    notices::tell(turn, victim, message);
    turn.emit_event(GameEvent::Learned { who: victim, lesson: Lesson::WentOut });
    turn.emit_event(GameEvent::SawRoom { who: victim });
}

/// Makes a try of one round to help an incapacitated player up, who gets up after as many tries as the wounds require.
pub(crate) fn help_up(turn: &mut Turn, who: CharacterId, friend: CharacterId) -> Result<(), Refusal> {
    stats::require_free_hands(turn, who)?;
    let tries = wounds::rescue_tries(turn, friend).unwrap_or(1);
    let left = tries.saturating_sub(turn.fallen.count_try(friend));
    if left > 0 {
        turn.awake.edit(who).hands_busy_until = Some(turn.now + turn.config.round);
        tell::act(turn, Class::Combat, &TEND, who, Some(friend), "");
        let more =
            if left == 1 { "Once more".to_owned() } else { format!("{} times more", grammar::number(left)) };
        tell::tell(turn, who, Class::Combat, format!("{}, one a round.", grammar::capitalise(&more)));
        return Ok(());
    }
    tell::act(turn, Class::Combat, &HELP_UP, who, Some(friend), "");
    raise(turn, friend);
    let hp = stats::hp(turn, friend);
    let message = format!("You are up again, with {hp} hit points. Nothing strikes you for a moment.");
    tell::tell(turn, friend, Class::Combat, message);
    Ok(())
}

/// Revives an incapacitated player with at least a share of its hit points, protected from attacks for a round.
pub(crate) fn raise(turn: &mut Turn, who: CharacterId) {
    let percent = i64::from(turn.catalog.rules.down.raise_percent);
    let points = (i64::from(stats::max_hp_of(turn, who)) * percent + 99) / 100;
    stats::end_incapacitation(turn, who);
    let hp = i32::try_from(points).unwrap_or(i32::MAX).max(stats::hp(turn, who));
    stats::set_hp(turn, who, hp);
    let until = turn.now + turn.config.round;
    turn.world.characters.change(who, |body| body.safe_until = Some(until));
    turn.emit_event(GameEvent::Exposed { room: turn.world.characters[who].room });
}
