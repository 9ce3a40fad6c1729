//! Followers: those who come along with a character who walks or is transported.

use super::{step_through, transport};
use crate::character::stats;
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::party::rope;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ExitId, RoomId};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::{Exit, ExitKind, Posture};
use std::borrow::Cow;

/// Returns the characters in a room that follow the leader: followers, companions, and down the stairs the party.
pub(super) fn followers_of(turn: &Turn, leader: CharacterId, room: RoomId, down: bool) -> Vec<CharacterId> {
    let party = turn.world.parties.of(leader).filter(|id| down && turn.world.parties[*id].leader == leader);
    let follows = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        let led = body.following == Some(leader) || body.master == Some(leader);
        led || (party.is_some() && *id != leader && turn.world.parties.of(*id) == party)
    };
    turn.world.occupants(room).iter().copied().filter(follows).collect()
}

/// Moves the followers of a character through the same exit and adds them to the train. Down the stairs, the whole
/// party follows its leader. A follower who cannot come and the leader are both told why.
pub(super) fn follow_along(
    turn: &mut Turn,
    leader: CharacterId,
    from: RoomId,
    exit: ExitId,
    train: &mut Vec<CharacterId>,
) {
    let down = turn.world.exits.get(exit).is_some_and(Exit::is_stairs_down);
    let to = turn.world.characters[leader].room;
    for follower in followers_of(turn, leader, from, down) {
        // A follower may have moved with another one already, or been removed with a branch that has just collapsed.
        if turn.world.characters.get(follower).is_none_or(|body| body.room != from) {
            continue;
        }
        match try_to_follow(turn, follower, leader, exit, to, train) {
            Ok(()) => {
                train.push(follower);
                follow_along(turn, follower, from, exit, train);
            }
            Err(reason) => tell_stays(turn, leader, follower, &reason),
        }
    }
}

/// Transports a character as [`transport`] does, and after it those in its room who follow it and whom `may_come` does not
/// refuse. A follower who cannot come and the leader are both told why.
pub(crate) fn transport_with_followers(
    turn: &mut Turn,
    leader: CharacterId,
    to: RoomId,
    [leaves, arrives]: [&str; 2],
    may_come: &impl Fn(&Turn, CharacterId) -> Result<(), Refusal>,
) {
    let from = turn.world.characters[leader].room;
    transport(turn, leader, to, leaves, arrives);
    for follower in followers_of(turn, leader, from, false) {
        if turn.world.characters.get(follower).is_none_or(|body| body.room != from) {
            continue;
        }
        let stays = condition_to_stay(turn, follower);
        let stays = stays.or_else(|| may_come(turn, follower).err().map(StayReason::Refused));
        if let Some(reason) = stays {
            tell_stays(turn, leader, follower, &reason);
            continue;
        }
        let message = Markup::plain("You go with ").with(Style::Player, &turn.world.characters[leader].name);
        tell::tell(turn, follower, Class::Movement, message.and("."));
        transport_with_followers(turn, follower, to, [leaves, arrives], may_come);
    }
}

fn tell_stays(turn: &mut Turn, leader: CharacterId, follower: CharacterId, reason: &StayReason) {
    let (seen, felt) = reason.words();
    let message = naming::name_of(turn, follower).and(&format!(" {seen} and stays behind."));
    tell::tell(turn, leader, Class::Movement, message);
    let message = naming::name_of(turn, leader).and(&format!(" goes on without you: {felt}"));
    tell::tell(turn, follower, Class::Movement, message);
}

/// Reason why a follower stays behind.
enum StayReason {
    Fighting,
    Down,
    Resting,
    Asleep,
    LinkDead,
    Held,
    Untrained,
    NoRope,
    ExitGone,
    Refused(Refusal),
}

impl StayReason {
    /// Returns the reason as told to the leader, after the follower's name, and as told to the follower.
    fn words(&self) -> (&'static str, Cow<'static, str>) {
        let (seen, felt) = match self {
            Self::Fighting => ("is in a fight", "you are in a fight."),
            Self::Down => ("lies on the floor", "you lie on the floor."),
            Self::Resting => ("sits and rests", "you sit and rest."),
            Self::Asleep => ("is asleep", "you are asleep."),
            Self::LinkDead => ("stares into the dark", "you stare into the dark."),
            Self::Held => ("is held fast", "you are held fast."),
            Self::Untrained => {
                ("has to choose what to train first", "choose what to train before you go deeper.")
            }
            Self::NoRope => ("has no rope to go by", "the rope does not bear you."),
            Self::ExitGone => ("finds the way gone", "the way is gone."),
            Self::Refused(refusal) => {
                return ("cannot come along", refusal.markup().text().to_owned().into());
            }
        };
        (seen, felt.into())
    }
}

/// Returns the reason in a follower's own condition to stay, if any.
fn condition_to_stay(turn: &Turn, follower: CharacterId) -> Option<StayReason> {
    let body = &turn.world.characters[follower];
    Some(match body.posture {
        _ if body.target.is_some() => StayReason::Fighting,
        Posture::Down => StayReason::Down,
        Posture::Resting => StayReason::Resting,
        Posture::Asleep => StayReason::Asleep,
        Posture::Standing if body.link_dead_until.is_some() => StayReason::LinkDead,
        Posture::Standing if stats::is_held(turn, follower) => StayReason::Held,
        Posture::Standing => return None,
    })
}

/// Returns the reason why a follower does not take a way, if any.
fn reason_to_stay(turn: &Turn, follower: CharacterId, way: &Exit, to: RoomId) -> Option<StayReason> {
    condition_to_stay(turn, follower).or_else(|| {
        if way.is_stairs_down() && turn.world.characters[follower].trainings > 0 {
            return Some(StayReason::Untrained);
        }
        // Through a start exit the follower would open another branch if the rope admits only the leader.
        let is_other = way.kind == ExitKind::Branch
            && way.to != Some(to)
            && rope::rope_room(turn, follower, way) != Some(to);
        is_other.then_some(StayReason::NoRope)
    })
}

fn try_to_follow(
    turn: &mut Turn,
    follower: CharacterId,
    leader: CharacterId,
    exit: ExitId,
    to: RoomId,
    train: &[CharacterId],
) -> Result<(), StayReason> {
    let way = turn.world.exits.get(exit).ok_or(StayReason::ExitGone)?;
    match reason_to_stay(turn, follower, way, to) {
        Some(reason) => Err(reason),
        None => step_through(turn, follower, exit, Some(leader), train).map_err(StayReason::Refused),
    }
}
