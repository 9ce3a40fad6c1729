//! Occupant lines of a room view: creatures of a kind in one sentence, and players in the same state in another.

use crate::creature::mind;
use crate::exit::clearing;
use crate::message::naming;
use crate::state::crowds::{Crowd, CrowdGroup, Doing};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId, Span};
use deepwell_core::text::{Markup, Style, grammar};
use std::borrow::Cow;
use std::sync::Arc;

/// Time after a start in which gateways attach the clients that they have kept.
const RETURN: Span = Span::secs(10);

/// Occupants described by one sentence.
enum OccupantSentence {
    /// Creatures with the same name and stance that are not fighting.
    Creatures { first: CharacterId, count: usize, stance: VisibleStance },
    /// Players in the same state: the first in order of arrival, and the number of all.
    Players { names: Vec<CharacterId>, count: usize, does: Doing },
    /// Player in a pose.
    Posed(CharacterId),
    /// Character in a fight.
    Fighter { who: CharacterId, target: CharacterId },
}

/// Visible state of a creature that is not fighting.
#[derive(PartialEq)]
enum VisibleStance {
    Idle,
    Posed(String),
    /// Guards a room that leads nowhere.
    OnGuard,
    /// Keeps players from the way onward.
    BarsWay,
}

impl VisibleStance {
    fn of(turn: &Turn, room: RoomId, who: CharacterId, guards: &[CharacterId]) -> Self {
        match mind::pose_of(turn, who) {
            Some(pose) => Self::Posed(pose),
            None if !guards.contains(&who) => Self::Idle,
            None if clearing::has_way_onward(turn, room) => Self::BarsWay,
            None => Self::OnGuard,
        }
    }

    /// Returns the end of a sentence about one creature, or several.
    fn end_of_sentence(&self, one: bool) -> Cow<'static, str> {
        match self {
            Self::Idle => ".".into(),
            Self::Posed(pose) => format!(", {pose}.").into(),
            Self::OnGuard => ", on guard.".into(),
            Self::BarsWay if one => " and bars the way.".into(),
            Self::BarsWay => " and bar the way.".into(),
        }
    }
}

/// Returns `true` if a guard of the room neither fights nor has a pose, so that its line says that it guards the room.
pub(crate) fn is_guard_idle(turn: &Turn, room: RoomId) -> bool {
    let unoccupied = |who: &CharacterId| turn.world.characters[*who].target.is_none();
    clearing::guards(turn, room).iter().any(|who| unoccupied(who) && mind::pose_of(turn, *who).is_none())
}

/// Returns the summary of the occupants of a room.
pub(crate) fn crowd_in(turn: &Turn, room: RoomId) -> Arc<Crowd> {
    turn.crowds.of(&turn.world, room, turn.config.limits.people_named as usize)
}

/// Adds a line for each group of occupants except the viewer. A line names at most `limits.people_named` players.
pub(crate) fn describe_occupants(turn: &Turn, room: RoomId, viewer: CharacterId, view: &mut Markup) {
    if matches!(turn.world.occupants(room), [alone] if *alone == viewer) {
        return;
    }
    let guards = if turn.world.rooms[room].clear { Vec::new() } else { clearing::guards(turn, room) };
    let crowd = crowd_in(turn, room);
    // Sentences in the order in which the first occupants of each arrived.
    let mut sentences: Vec<(usize, OccupantSentence)> = Vec::new();
    let is_grouped = !crowd.singly.iter().any(|(_, who)| *who == viewer);
    for group in &crowd.groups {
        sentences.extend(players_sentence(turn, room, viewer, group, is_grouped));
    }
    for (at, who) in crowd.singly.iter().copied().filter(|(_, who)| *who != viewer) {
        if let Some(target) = turn.world.characters[who].target {
            sentences.push((at, OccupantSentence::Fighter { who, target }));
        } else if turn.world.characters[who].is_player() {
            sentences.push((at, OccupantSentence::Posed(who)));
        } else {
            add_creature(turn, &mut sentences, at, who, VisibleStance::of(turn, room, who, &guards));
        }
    }
    sentences.sort_by_key(|(at, _)| *at);
    for (_, sentence) in sentences {
        push_sentence(turn, &sentence, viewer, view);
    }
}

/// Returns the sentence about a group of players without the viewer, if others are left. `is_grouped` tells that the
/// viewer is in one of the groups, if in the room.
fn players_sentence(
    turn: &Turn,
    room: RoomId,
    viewer: CharacterId,
    group: &CrowdGroup,
    is_grouped: bool,
) -> Option<(usize, OccupantSentence)> {
    let body = &turn.world.characters[viewer];
    let joins = is_grouped
        && body.awake
        && body.room == room
        && body.is_player()
        && body.target.is_none()
        && Doing::of(body) == group.does;
    let mut others = group.first.iter().filter(|(_, who)| *who != viewer).peekable();
    let (at, _) = **others.peek()?;
    let mut names = Vec::with_capacity(group.first.len());
    names.extend(others.map(|(_, who)| *who));
    Some((at, OccupantSentence::Players { names, count: group.count - usize::from(joins), does: group.does }))
}

/// Returns `true` just after a start for a player whose link the start has ended: the client is about to be back.
fn is_returning(turn: &Turn, who: CharacterId) -> bool {
    turn.returning.contains(&who) && turn.began.is_some_and(|began| turn.now < began + RETURN)
}

/// Returns the end of a sentence about players in a state.
fn end_of_sentence(turn: &Turn, does: Doing, one: bool) -> Cow<'static, str> {
    Cow::Borrowed(match (does, one) {
        (Doing::Seated(seat), _) if turn.world.items.get(seat).is_some() => {
            let is = if one { "is" } else { "are" };
            return format!(" {is} here, resting on {}.", naming::the_item(turn, seat)).into();
        }
        (Doing::Bleeding, true) => " lies here, bleeding.",
        (Doing::Bleeding, false) => " lie here, bleeding.",
        (Doing::Resting | Doing::Seated(_), true) => " is here, resting.",
        (Doing::Resting | Doing::Seated(_), false) => " are here, resting.",
        (Doing::Staring, true) => " is here, staring into the dark.",
        (Doing::Staring, false) => " are here, staring into the dark.",
        (Doing::Standing, true) => " is here.",
        (Doing::Standing, false) => " are here.",
    })
}

fn add_creature(
    turn: &Turn,
    sentences: &mut Vec<(usize, OccupantSentence)>,
    at: usize,
    who: CharacterId,
    stance: VisibleStance,
) {
    let name = |id: CharacterId| &turn.world.characters[id].name;
    for (_, sentence) in &mut *sentences {
        if let OccupantSentence::Creatures { first, count, stance: same } = sentence
            && name(*first) == name(who)
            && *same == stance
        {
            *count += 1;
            return;
        }
    }
    sentences.push((at, OccupantSentence::Creatures { first: who, count: 1, stance }));
}

fn push_sentence(turn: &Turn, sentence: &OccupantSentence, viewer: CharacterId, view: &mut Markup) {
    match sentence {
        OccupantSentence::Creatures { first, count, stance } => {
            let (who, is) = match count {
                1 => (naming::creature_with_article(turn, *first), " is here"),
                _ => (naming::several(turn, *first, *count), " are here"),
            };
            view.line(Style::Creature, &grammar::capitalise(&who));
            view.push(Style::Plain, is);
            view.push(Style::Plain, &stance.end_of_sentence(*count == 1));
        }
        OccupantSentence::Players { names, count, does } => {
            if *does != Doing::Staring {
                return push_players(turn, names, *count, *does, view);
            }
            let returns = |who: &CharacterId| is_returning(turn, *who);
            let (returning, others): (Vec<_>, Vec<_>) = names.iter().copied().partition(returns);
            push_players(turn, &returning, returning.len(), Doing::Standing, view);
            push_players(turn, &others, count - returning.len(), *does, view);
        }
        OccupantSentence::Posed(who) => {
            let body = &turn.world.characters[*who];
            view.new_line();
            view.append(&if turn.world.is_ignoring(viewer, *who) {
                Markup::styled(Style::Player, &body.name).and(&end_of_sentence(turn, Doing::Standing, true))
            } else {
                posed(&body.name, &body.pose)
            });
        }
        OccupantSentence::Fighter { who, target } => {
            let body = &turn.world.characters[*who];
            if body.is_player() {
                view.line(Style::Player, &body.name);
            } else {
                view.line(Style::Creature, &grammar::capitalise(&naming::creature_with_article(turn, *who)));
            }
            let whom = if *target == viewer { "you".to_owned() } else { naming::the(turn, *target) };
            view.push(Style::Plain, &format!(" is here, fighting {whom}."));
        }
    }
}

/// Adds the sentence about players in the same state, if there are any.
fn push_players(turn: &Turn, names: &[CharacterId], count: usize, does: Doing, view: &mut Markup) {
    if names.is_empty() {
        return;
    }
    view.line(Style::Player, "");
    list_players(turn, names, count, view);
    view.push(Style::Plain, &end_of_sentence(turn, does, count == 1));
}

/// Returns the sentence about a player in a pose.
pub(crate) fn posed(name: &str, pose: &str) -> Markup {
    Markup::styled(Style::Player, name).and(" ").with(Style::Speech, pose).and(".")
}

/// Adds names as a list: "Olad, Bera and Cord", or "Olad, Bera and six others". Only the first players are needed:
/// `limits.people_named` of the `count` players.
pub(crate) fn list_players(turn: &Turn, first: &[CharacterId], count: usize, list: &mut Markup) {
    let most = turn.config.limits.people_named as usize;
    let named = count.min(most);
    let others = count - named;
    for (at, who) in first.iter().take(named).enumerate() {
        match at {
            0 => {}
            _ if at + 1 == named && others == 0 => list.push(Style::Plain, " and "),
            _ => list.push(Style::Plain, ", "),
        }
        list.push(Style::Player, &turn.world.characters[*who].name);
    }
    if others > 0 {
        list.push(Style::Plain, &format!(" and {}", grammar::counted(others, "other")));
    }
}
