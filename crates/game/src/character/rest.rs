//! Resting: sitting down, standing up, and the notice when all hit points are restored.

use crate::character::{stats, wounds};
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::state::timers::Timer;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, GameTime, ItemId};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::act::Template;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Place, Posture};

const SIT_DOWN: Template = Template::new("{actor} {sits|sit} down to rest.");

const SIT_ON: Template = Template::new("{actor} {sits|sit} down on {object}.");

const GET_UP: Template = Template::new("{actor} {gets|get} up.");

/// Sits a character down to heal faster, on a piece of furniture if one is given. Any fight and every step ends the rest.
pub(crate) fn rest(turn: &mut Turn, who: CharacterId, seat: Option<ItemId>) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    stats::require_peace(turn, who)?;
    if turn.world.characters[who].posture == Posture::Resting && seat == seat_of(turn, who) {
        return Err(refuse!("You are resting already."));
    }
    let on = match seat {
        Some(seat) => Some(require_free_seat(turn, seat)?),
        None => None,
    };
    stats::take_posture(turn, who, Posture::Resting);
    if turn.world.characters[who].seat != seat {
        turn.world.characters.change(who, |body| body.seat = seat);
    }
    let template = if on.is_some() { &SIT_ON } else { &SIT_DOWN };
    tell::act(turn, Class::Notice, template, who, None, &on.unwrap_or_default());
    turn.emit_event(GameEvent::Learned { who, lesson: Lesson::Rested });
    schedule_rested(turn, who);
    Ok(())
}

/// Returns the piece of furniture that a character sits on.
pub(crate) fn seat_of(turn: &Turn, who: CharacterId) -> Option<ItemId> {
    let body = &turn.world.characters[who];
    let seat = body.seat.filter(|_| body.posture == Posture::Resting)?;
    turn.world.items.get(seat).filter(|item| item.place == Place::Room(body.room)).map(|_| seat)
}

/// Returns the name of a piece of furniture on which there is room for another.
fn require_free_seat(turn: &Turn, seat: ItemId) -> Result<String, Refusal> {
    let name = naming::the_item(turn, seat);
    let seats = prototypes::kind_of(turn, seat).map_or(0, |kind| kind.seats);
    if seats == 0 {
        return Err(no_seat(&name));
    }
    let Place::Room(room) = turn.world.items[seat].place else {
        return Err(no_seat(&name));
    };
    let taken = turn.world.occupants(room).iter().filter(|who| seat_of(turn, **who) == Some(seat)).count();
    if taken >= seats as usize {
        return Err(refuse!("There is no room left on {name}."));
    }
    Ok(name)
}

/// Ends a rest.
pub(crate) fn stand(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    if turn.world.characters[who].posture == Posture::Standing {
        return Err(refuse!("You are on your feet."));
    }
    stats::take_posture(turn, who, Posture::Standing);
    tell::act(turn, Class::Notice, &GET_UP, who, None, "");
    Ok(())
}

/// Schedules the end of the next wound, or else the notice that all hit points are restored, if any are missing. At most one
/// timer per character is valid.
fn schedule_rested(turn: &mut Turn, who: CharacterId) {
    let at = match wounds::time_to_close(turn, who) {
        Some(span) => turn.now + span,
        None => stats::healed_at(turn, who),
    };
    if at <= turn.now {
        return;
    }
    let body = turn.awake.edit(who);
    if body.rested_at.is_none_or(|pending| pending <= turn.now || pending > at) {
        body.rested_at = Some(at);
        turn.timers.schedule(at, Timer::Rested(who));
    }
}

/// Schedules that notice for players who were resting when the server stopped.
pub(crate) fn resume_rests(turn: &mut Turn) {
    let resting: Vec<CharacterId> = turn
        .world
        .awake_players()
        .filter(|who| turn.world.characters[*who].posture == Posture::Resting)
        .collect();
    for who in resting {
        schedule_rested(turn, who);
    }
}

/// Notifies a player who still rests that all hit points are restored, or reschedules the notice.
pub(crate) fn rested_due(turn: &mut Turn, who: CharacterId, due: GameTime) {
    let is_pending = |rested_at: Option<GameTime>| rested_at == Some(due);
    if !turn.awake.get(who).is_some_and(|body| is_pending(body.rested_at)) {
        return;
    }
    turn.awake.take(who, |body| body.rested_at.take());
    if turn.world.characters.get(who).is_none_or(|body| body.posture != Posture::Resting) {
        return;
    }
    if wounds::time_to_close(turn, who).is_some() {
        let left = turn.world.characters[who].wounds - 1;
        wounds::set_wounds(turn, who, left);
        tell::tell(turn, who, Class::Notice, Markup::styled(Style::Boon, "A wound closes."));
    }
    if wounds::time_to_close(turn, who).is_some() || stats::healed_at(turn, who) > turn.now {
        schedule_rested(turn, who);
        return;
    }
    let hp = stats::hp(turn, who);
    let message = format!("You are rested: all {hp} hit points are back.");
    tell::tell(turn, who, Class::Notice, Markup::styled(Style::Boon, &message));
}

/// Returns the refusal to sit on an item that has no seats.
fn no_seat(name: &str) -> Refusal {
    refuse!("{} is nothing to sit on.", grammar::capitalise(name))
}
