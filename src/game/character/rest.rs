//! Resting: sitting down, standing up, and the notice when all hit points are restored.

use crate::base::{CharacterId, GameTime};
use crate::catalog::guide::Lesson;
use crate::game::character::stats;
use crate::game::effect::Class;
use crate::game::message::tell;
use crate::game::refusal::{FightRefusal, Refusal};
use crate::game::state::event::GameEvent;
use crate::game::state::timers::Timer;
use crate::game::turn::Turn;
use crate::text::act::Template;
use crate::text::{Markup, Style};
use crate::world::Posture;

const SIT_DOWN: Template = Template::new("{actor} {sits|sit} down to rest.");

const GET_UP: Template = Template::new("{actor} {gets|get} up.");

/// Sits a character down to heal faster. Any fight and every step ends the rest.
pub(crate) fn rest(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    stats::require_peace(turn, who)?;
    if turn.world.characters[who].posture == Posture::Resting {
        return Err(FightRefusal::AlreadyResting.into());
    }
    stats::take_posture(turn, who, Posture::Resting);
    tell::act(turn, Class::Notice, &SIT_DOWN, who, None, "");
    turn.emit_event(GameEvent::Learned { who, lesson: Lesson::Rested });
    schedule_rested(turn, who);
    Ok(())
}

/// Ends a rest.
pub(crate) fn stand(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    if turn.world.characters[who].posture == Posture::Standing {
        return Err(FightRefusal::AlreadyStanding.into());
    }
    stats::take_posture(turn, who, Posture::Standing);
    tell::act(turn, Class::Notice, &GET_UP, who, None, "");
    Ok(())
}

/// Schedules the notice that all hit points are restored, if any are missing. At most one timer per character is valid.
fn schedule_rested(turn: &mut Turn, who: CharacterId) {
    let at = stats::healed_at(turn, who);
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
    if stats::healed_at(turn, who) > turn.now {
        schedule_rested(turn, who);
        return;
    }
    let hp = stats::hp(turn, who);
    let words = format!("You are rested: all {hp} hit points are back.");
    tell::tell(turn, who, Class::Notice, Markup::styled(Style::Boon, &words));
}
