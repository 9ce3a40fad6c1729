//! Duels of two players by consent, in a hand-built room with a ring.
//!
//! ```text
//!  duel NAME --the other types it, too, within a minute--> both fight --one at a tenth, flees, yields or is gone--> over
//! ```
//! Two players who fight each other are in a duel. It has no other state, and ends with the fight of either. The
//! other player then has won, and neither has lost more than hit points.

use crate::access::audibility;
use crate::attack;
use crate::character::stats;
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RuleLimit, Span};
use deepwell_core::catalog::RoomFlag;
use deepwell_core::text::act::Template;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Character;

/// Time in which a request can be accepted.
const PATIENCE: Span = Span::secs(60);

/// Share of the maximum hit points at which a duel is lost: one in so many.
const BEATEN_AT: i32 = 10;

const BEGIN: Template = Template::new("{actor} {faces|face} {target} in the ring. The duel begins.");
const BEATEN: Template = Template::new("{actor} {drops|drop} to one knee.");
const YIELD: Template = Template::new("{actor} {yields|yield} to {target}.");
const WIN: Template = Template::new("{actor} {wins|win} the duel.");

/// Returns the opponent of a player in a duel.
pub(crate) fn opponent(turn: &Turn, who: CharacterId) -> Option<CharacterId> {
    let body = turn.world.characters.get(who).filter(|body| body.is_player())?;
    body.target.filter(|target| turn.world.characters.get(*target).is_some_and(Character::is_player))
}

/// Returns the hit points at which a duel is lost.
pub(super) fn beaten_hp(most: i32) -> i32 {
    (most / BEATEN_AT).max(1)
}

/// Asks a player for a duel, or begins the one that this player has asked for.
pub(crate) fn challenge(turn: &mut Turn, who: CharacterId, whom: CharacterId) -> Result<(), Refusal> {
    require_duellists(turn, who, whom)?;
    if asks(turn, whom, who) && !turn.world.is_ignoring(who, whom) {
        for duellist in [who, whom] {
            turn.awake.take(duellist, |body| body.stance.challenge = None);
        }
        tell::act(turn, Class::Combat, &BEGIN, who, Some(whom), "");
        attack::lock(turn, who, whom);
        return Ok(());
    }
    let name = turn.world.characters[whom].name.clone();
    if asks(turn, who, whom) {
        return Err(refuse!("You have asked {name} already."));
    }
    let here = turn.world.occupants(turn.world.characters[who].room).iter();
    let asking = here.filter(|other| asks(turn, **other, whom)).count();
    let too_many = |_| refuse!("{name} has been asked by too many at once. Wait for an answer.");
    refusal::require_below(&turn.config.limits, RuleLimit::DuelRequests, asking, too_many)?;
    turn.awake.edit(who).stance.challenge = Some((whom, turn.now + PATIENCE));
    let asked = Markup::plain("You ask ").with(Style::Player, &name).and(" for a duel.");
    tell::tell(turn, who, Class::Reply, asked);
    if !turn.world.is_ignoring(whom, who) {
        let own_name = turn.world.characters[who].name.clone();
        let asks = naming::name_of(turn, who).and(" asks you for a duel. Within a minute, type ");
        let asks = asks.with(Style::Command, &format!("duel {own_name}")).and(" to accept.");
        tell::tell(turn, whom, Class::Notice, asks);
    }
    Ok(())
}

/// Returns `true` if a player has asked another for a duel and waits for the answer.
fn asks(turn: &Turn, who: CharacterId, whom: CharacterId) -> bool {
    let challenge = turn.awake.get(who).and_then(|body| body.stance.challenge);
    challenge.is_some_and(|(asked, until)| asked == whom && until > turn.now)
}

/// Refuses a duel outside of a ring, or between characters who cannot fight one now.
fn require_duellists(turn: &Turn, who: CharacterId, whom: CharacterId) -> Result<(), Refusal> {
    let room = &turn.world.rooms[turn.world.characters[who].room];
    // Creatures that join in could kill.
    if !room.has(RoomFlag::Ring) || room.is_deadly() {
        return Err(refuse!("Duels are fought in a ring. The town has one: help duels."));
    }
    if who == whom {
        return Err(refuse!("It takes two for a duel."));
    }
    let body = &turn.world.characters[whom];
    if !body.is_player() {
        return Err(refuse!("{} fights no duels.", grammar::capitalise(&naming::the(turn, whom))));
    }
    stats::may_act(turn, who)?;
    stats::require_peace(turn, who)?;
    if stats::is_stunned(turn, who) {
        return Err(refuse!("You are stunned and in no state for a duel."));
    }
    if !turn.seated.contains_key(&whom) {
        return Err(audibility::not_listening(&body.name));
    }
    if body.target.is_some() {
        return Err(refuse!("{} is in a fight already.", body.name));
    }
    let is_hurt = |id: CharacterId| stats::hp(turn, id) * 2 < stats::max_hp_of(turn, id);
    if is_hurt(who) {
        return Err(refuse!("You are too badly hurt for a duel. Rest first."));
    }
    if is_hurt(whom) {
        return Err(refuse!("{} is too badly hurt for a duel.", body.name));
    }
    Ok(())
}

/// Ends the duel of a player who gives up.
pub(crate) fn give_up(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    let winner = opponent(turn, who).ok_or_else(|| refuse!("You are in no duel."))?;
    tell::act(turn, Class::Combat, &YIELD, who, Some(winner), "");
    attack::stop_fights_of(turn, who);
    Ok(())
}

/// Ends the duel of a player who has too few hit points left.
pub(super) fn lose(turn: &mut Turn, who: CharacterId) {
    tell::act(turn, Class::Combat, &BEATEN, who, None, "");
    attack::stop_fights_of(turn, who);
}

/// Tells the room of a duel that has ended who has won.
pub(super) fn tell_winner(turn: &mut Turn, winner: CharacterId) {
    tell::act(turn, Class::Combat, &WIN, winner, None, "");
}
