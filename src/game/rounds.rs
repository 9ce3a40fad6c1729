//! Affects: what hangs on a body for a while, told when it begins and when it ends. They are rows with an end, so that
//! they outlive a restart; only bodies that bleed or mend have a timer that comes each round.

use crate::base::{CharacterId, GameTime, RoomId, Span};
use crate::catalog::AffectPrototype;
use crate::catalog::guide::Lesson;
use crate::game::config::Rope;
use crate::game::effect::Class;
use crate::game::fight::{TURN_ON, narrate};
use crate::game::happening::Happening;
use crate::game::party::{members, rope};
use crate::game::refusal::Refusal;
use crate::game::timers::Timer;
use crate::game::turn::Turn;
use crate::game::{affects, body, companion, creatures, down, fight, movement, naming, tell};
use crate::text::act::Template;
use crate::text::{Markup, Style, grammar};
use crate::world::Posture;

const STRUGGLE: Template = Template::new("{actor} {struggles|struggle} to come loose.");

const HELP_UP: Template = Template::new("{actor} {pulls|pull} {target} up from the floor.");

const STEP_BETWEEN: Template = Template::new("{actor} {steps|step} between {target} and {object}.");

const WATCH: Template =
    Template::new("{actor} {stands|stand} still and {waits|wait}, ready for whatever comes.");

/// Each struggle takes a round off whatever holds a body; one a round.
pub(crate) fn struggle(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    body::may_act(turn, who)?;
    if !body::is_held(turn, who) {
        return Err(Refusal::Because("Nothing holds you.".into()));
    }
    if let Some(again) = turn.fights.strained.get(&who).filter(|again| **again > turn.now) {
        let left = Span(again.0 - turn.now.0);
        return Err(Refusal::Because(format!("You have no strength left to struggle for another {left}.")));
    }
    tell::act(turn, Class::Combat, &STRUGGLE, who, None, "");
    if turn.world.characters[who].target.is_some() {
        turn.fights.spent.insert(who);
    }
    turn.fights.strained.insert(who, turn.now + turn.config.round);
    let holding: Vec<String> = {
        let holds = |key: &str| turn.catalog.affects.get(key).is_some_and(|affect| affect.holds);
        let affects = turn.world.characters[who].affects.iter();
        affects.map(|affect| affect.key.clone()).filter(|key| holds(key)).collect()
    };
    let round = turn.config.round;
    if let Some(body) = turn.world.characters.edit(who) {
        for affect in body.affects.iter_mut().filter(|affect| holding.contains(&affect.key)) {
            affect.until = affect.until - round;
        }
    }
    affects::settle_affects(turn, who);
    if body::is_held(turn, who) {
        tell::tell(turn, who, Class::Reply, "It gives a little, but it still holds you.");
    } else {
        turn.fights.strained.remove(&who);
    }
    turn.happen(Happening::Acted { who });
    Ok(())
}

/// An affect of a body may be over, or it bleeds or mends. In a fight that waits for its player it waits too.
pub(crate) fn look_at_affects(turn: &mut Turn, who: CharacterId, due: GameTime) {
    if turn.fights.looks.get(&who) != Some(&due) {
        return;
    }
    turn.fights.looks.remove(&who);
    let Some(body) = turn.world.characters.get(who) else {
        turn.fights.ticks.remove(&who);
        return;
    };
    if body.affects.is_empty() {
        turn.fights.ticks.remove(&who);
        return;
    }
    let held_back = fight::is_held_back(turn, body.room);
    if held_back {
        let again = turn.now + turn.config.round;
        affects::schedule_look(turn, who, again);
    }
    if turn.fights.ticks.get(&who).is_some_and(|at| *at <= turn.now) {
        turn.fights.ticks.remove(&who);
        affects::schedule_tick(turn, who);
        if !held_back {
            bleed_or_mend(turn, who);
        }
    }
    if !held_back && turn.world.characters.get(who).is_some() {
        affects::settle_affects(turn, who);
    }
}

/// A round of poison, or of a salve.
fn bleed_or_mend(turn: &mut Turn, who: CharacterId) {
    if body::is_down(turn, who) {
        return;
    }
    // Nobody dies where nobody fights: there the last point is left.
    let deadly = turn.world.rooms[turn.world.characters[who].room].kind.is_dungeon();
    let spare = if deadly { i32::MAX } else { body::hp(turn, who) - 1 };
    let loss = per_round(turn, who).0.min(spare);
    let name = |turn: &Turn, wanted: fn(&AffectPrototype) -> bool| {
        body::affects_on(turn, who)
            .find(|affect| wanted(affect))
            .map_or("hurt", |affect| &affect.name)
            .to_owned()
    };
    if loss > 0 {
        let points = grammar::counted(loss.unsigned_abs(), "point", None);
        let words = format!("You are {}: {points} lost.", name(turn, |affect| affect.hp_per_round < 0));
        tell::tell(turn, who, Class::Combat, Markup::styled(Style::Harm, &words));
        fight::harm(turn, who, loss, None);
    }
    // The loss may have been its end.
    let stands = turn.world.characters.get(who).is_some_and(|body| body.posture != Posture::Down);
    let gain = if stands { per_round(turn, who).1 } else { 0 };
    if gain > 0 && body::hp(turn, who) < body::max_hp_of(turn, who) {
        body::heal(turn, who, gain);
        let points = grammar::counted(gain.unsigned_abs(), "point", None);
        let words = format!("You are {}: {points} better.", name(turn, |affect| affect.hp_per_round > 0));
        tell::tell(turn, who, Class::Combat, Markup::styled(Style::Boon, &words));
    }
}

/// Hit points that a body loses and gains in a round by what hangs on it.
fn per_round(turn: &Turn, who: CharacterId) -> (i32, i32) {
    body::affects_on(turn, who).fold((0, 0), |(loss, gain), affect| {
        (loss + (-affect.hp_per_round).max(0), gain + affect.hp_per_round.max(0))
    })
}

/// Helps up who is down, or draws one attacker away from who stands. In a fight it costs the blow of the round.
pub(crate) fn rescue(turn: &mut Turn, who: CharacterId, friend: CharacterId) -> Result<(), Refusal> {
    body::may_act(turn, who)?;
    if who == friend {
        return Err(Refusal::Because("Somebody else has to do that for you.".into()));
    }
    if body::is_stunned(turn, who) {
        return Err(Refusal::Because("You are stunned and can help nobody.".into()));
    }
    fight::require_round(turn, who)?;
    if body::is_down(turn, friend) {
        tell::act(turn, Class::Combat, &HELP_UP, who, Some(friend), "");
        down::raise(turn, friend);
        let hp = body::hp(turn, friend);
        let words = format!("You are up again, with {hp} hit points. Nothing strikes you for a moment.");
        tell::tell(turn, friend, Class::Combat, words);
    } else {
        let enemy = fight::opponent_of(turn, friend);
        let enemy = enemy.filter(|enemy| !turn.world.characters[*enemy].is_player());
        let enemy = enemy
            .ok_or_else(|| Refusal::Because(format!("Nothing threatens {}.", naming::the(turn, friend))))?;
        let name = naming::the(turn, enemy);
        tell::act(turn, Class::Combat, &STEP_BETWEEN, who, Some(friend), &name);
        fight::aim(turn, enemy, who);
        if turn.world.characters[who].target.is_none() {
            fight::aim(turn, who, enemy);
        }
        turn.fights.ready.remove(&who);
        body::get_up(turn, who);
        fight::schedule_round(turn, turn.world.characters[who].room);
    }
    if turn.world.characters[who].target.is_some() {
        turn.fights.spent.insert(who);
    }
    turn.happen(Happening::Acted { who });
    Ok(())
}

/// The round that is due waits; whether it still has to is looked at again a round later.
fn hold_round(turn: &mut Turn, room: RoomId, due: GameTime) {
    let next = turn.now + turn.config.round;
    turn.fights.held.entry(room).or_insert(due);
    turn.rounds.insert(room, next);
    turn.timers.schedule(next, Timer::Round(room));
}

/// Somebody has done something that takes a round's time: if rounds wait for it, one passes.
pub(crate) fn pass_held_round(turn: &mut Turn, who: CharacterId) {
    let room = turn.world.characters[who].room;
    if fight::is_held_back(turn, room) {
        let due = turn.rounds.get(&room).copied().unwrap_or(turn.now);
        turn.fights.held.entry(room).or_insert(due);
        play_round(turn, room);
    }
}

/// A round that waited comes now, or came early by a command: what hangs on bodies here is shifted by how much it
/// is late or early, and they bleed or mend once.
fn release_round(turn: &mut Turn, room: RoomId) {
    let Some(due) = turn.fights.held.remove(&room) else { return };
    let late = Span(turn.now.0 - due.0);
    for who in turn.world.occupants(room).to_vec() {
        turn.fights.strained.remove(&who);
        if turn.world.characters.get(who).is_some() {
            bleed_or_mend(turn, who);
        }
        if turn.world.characters.get(who).is_some() {
            affects::shift_affects(turn, who, late);
        }
    }
}

/// Lets a round pass where rounds wait for it; elsewhere takes a stance that strikes first.
pub(crate) fn wait(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    body::may_act(turn, who)?;
    let room = turn.world.characters[who].room;
    if let Some(next) = turn.rounds.get(&room).filter(|_| fight::is_fought_in(turn, room)) {
        if fight::has_held_rounds(turn, room) {
            turn.happen(Happening::Acted { who });
            return Ok(());
        }
        let left = Span(next.0 - turn.now.0);
        let words =
            format!("You bide your time. The fight goes on by itself; the next round comes in {left}.");
        tell::tell(turn, who, Class::Reply, words);
        return Ok(());
    }
    body::get_up(turn, who);
    let now = turn.now;
    turn.fights.ready.entry(who).or_insert(now);
    tell::act(turn, Class::Notice, &WATCH, who, None, "");
    Ok(())
}

/// Begins a fight, or turns to another opponent.
pub(crate) fn attack(turn: &mut Turn, who: CharacterId, target: CharacterId) -> Result<(), Refusal> {
    body::may_act(turn, who)?;
    let room = turn.world.characters[who].room;
    if !turn.world.rooms[room].kind.is_dungeon() {
        return Err(Refusal::NoFighting);
    }
    if who == target {
        return Err(Refusal::Yourself);
    }
    if turn.world.characters[target].is_player() {
        return Err(Refusal::NotPlayers);
    }
    if turn.world.characters[target].master.is_some() {
        return Err(Refusal::Because("That one is on your side.".into()));
    }
    if turn.world.characters[who].target == Some(target) {
        if fight::is_held_back(turn, room) {
            turn.happen(Happening::Acted { who });
            return Ok(());
        }
        return Err(Refusal::AlreadyFighting(naming::the(turn, target)));
    }
    let fresh = fight::is_beginning(turn, who, target);
    fight::engage(turn, who, target);
    if !fresh {
        tell::act(turn, Class::Combat, &TURN_ON, who, Some(target), "");
        turn.happen(Happening::Acted { who });
    }
    turn.happen(Happening::Learned { who, lesson: Lesson::Fought });
    Ok(())
}

/// A round is due. It waits if who fights is alone and wants it so.
pub(crate) fn round_due(turn: &mut Turn, room: RoomId, due: GameTime) {
    if turn.rounds.get(&room) != Some(&due) {
        return;
    }
    if fight::is_held_back(turn, room) {
        hold_round(turn, room, due);
    } else {
        play_round(turn, room);
    }
}

/// One round in a room: each fighter acts once, in the order of their coming.
fn play_round(turn: &mut Turn, room: RoomId) {
    release_round(turn, room);
    turn.rounds.remove(&room);
    companion::rally(turn, room);
    for who in turn.world.occupants(room).to_vec() {
        take_turn(turn, who, room);
    }
    creatures::make_noise(turn, room);
    narrate::tell_tallies(turn);
    let fights = |id: &CharacterId| turn.world.characters.get(*id).is_some_and(|c| c.target.is_some());
    turn.fights.spent.retain(fights);
    if fight::is_fought_in(turn, room) {
        fight::schedule_round(turn, room);
    }
}

/// What one body does in a round. Anything before it may have killed it, or ended its branch.
fn take_turn(turn: &mut Turn, who: CharacterId, room: RoomId) {
    let ready = |turn: &Turn| {
        let body = turn.world.characters.get(who);
        body.is_some_and(|body| body.room == room && body.awake && body.posture != Posture::Down)
    };
    if !ready(turn) || turn.fights.spent.remove(&who) {
        return;
    }
    let (creature, fights) = {
        let body = &turn.world.characters[who];
        (!body.is_player(), body.target.is_some())
    };
    if body::is_stunned(turn, who) {
        if fights {
            tell::tell(turn, who, Class::Combat, "You are stunned and strike no blow.");
        }
        return;
    }
    if creature && fights && (creatures::take_creature_turn(turn, who) || !ready(turn)) {
        return;
    }
    let Some(mut target) = turn.world.characters[who].target else { return };
    if body::is_safe(turn, target) {
        match fight::next_opponent(turn, who) {
            Some(next) => fight::turn_to(turn, who, next),
            None => return,
        }
        target = turn.world.characters[who].target.unwrap_or(target);
    }
    fight::blow(turn, who, target);
}

/// Lets go of an opponent that does not fight back.
pub(crate) fn stop(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    if body::is_down(turn, who) {
        down::out_of(turn, who);
        return Ok(());
    }
    if turn.world.characters[who].posture == Posture::Resting {
        return body::stand(turn, who);
    }
    let target = turn.world.characters[who].target.ok_or(Refusal::NotFighting)?;
    if let Some(enemy) = fight::opponent_of(turn, who) {
        let enemy = grammar::capitalise(&naming::the(turn, enemy)).into_owned();
        return Err(Refusal::Because(format!("{enemy} does not let you stop; flee instead.")));
    }
    fight::stop_fighting(turn, who);
    let whom = naming::the(turn, target);
    tell::tell(turn, who, Class::Reply, format!("You let go of {whom}."));
    Ok(())
}

/// `rope`: back to the party by the exit that its branch hangs on.
pub(crate) fn take_rope(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    let no = |words: &str| Err(Refusal::Because(words.into()));
    if turn.config.dungeon.rope == Rope::Off {
        return no("Nobody leaves ropes behind here: once the way in is closed, it is closed.");
    }
    members::own_party(turn, who)?;
    let Some(branch) = rope::branch_of_party(turn, who) else {
        return no("None of your party is below to have left a rope.");
    };
    if turn.world.characters[who].branch == Some(branch) {
        return no("You are in the same branch already.");
    }
    let row = &turn.world.branches[branch];
    let (start, exit) = (row.start_room, row.start_exit);
    if turn.world.characters[who].room != start {
        let name = &turn.world.rooms[start].name;
        return no(&format!("The rope of your party hangs at another place: {name}."));
    }
    let exit_row = &turn.world.exits[exit];
    let open = exit_row.window.is_some_and(|window| window.branch == branch);
    if !open && !rope::is_rope_good(turn, who, branch) {
        return no(
            "The rope has borne you once, and is frayed: it will not bear you into this branch again.",
        );
    }
    movement::walk(turn, who, exit)
}
