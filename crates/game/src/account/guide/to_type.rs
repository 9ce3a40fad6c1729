//! Commands that a player could type next: those of a guide step with their placeholders filled, including the path to
//! a destination. No suggested command is refused when it is typed at once, and none begins a fight that the player would
//! probably lose.

use super::notice::{creature_here, foes_here};
use crate::branch::start_room;
use crate::character::stats;
use crate::exit::clearing;
use crate::exit::room_search::{RoomSearch, SearchLimit};
use crate::item::shop;
use crate::movement::flee;
use crate::room::look;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{BranchId, CharacterId, Direction, ItemId, RoomId};
use deepwell_core::catalog::RoomFlag;
use deepwell_core::catalog::help::guide::{Blank, CommandPiece, SuggestedCommand};
use deepwell_core::world::{Exit, ExitKind, ExitState, Posture, Room, RoomFeature, RoomKind};

/// Bounds of a path search.
const WAY_LIMIT: SearchLimit = SearchLimit { rooms: 500, ..SearchLimit::NONE };

/// Percentage of the hit points below which the guide tells a player to flee from a fight.
const FLEE_BELOW: i32 = 40;

/// Percentage of the hit points below which the guide tells a player to rest before going on.
const REST_BELOW: i32 = 80;

/// Smallest ratio of the rounds that a player lasts to the rounds that an opponent lasts for the guide to suggest a fight.
const MARGIN: i64 = 2;

/// A player and the room in which the next command will be typed.
#[derive(Clone, Copy)]
struct Stand {
    who: CharacterId,
    /// `None` once a suggested step leads to a room that does not exist yet.
    room: Option<RoomId>,
}

/// Returns what the player should do before anything else: nothing while a fight goes on or wounds close, `struggle` in a
/// web, `flee` in a fight that the player is losing. `None` if the step of the guide comes first.
pub(super) fn urgent_commands(turn: &Turn, who: CharacterId) -> Option<Vec<String>> {
    let body = &turn.world.characters[who];
    if stats::is_incapacitated(turn, who) || stats::is_stunned(turn, who) {
        return Some(Vec::new());
    }
    if stats::is_held(turn, who) {
        return Some(vec!["struggle".to_owned()]);
    }
    if let Some(target) = attacker_of(turn, who) {
        let loses = is_below(turn, who, FLEE_BELOW) || !flee::would_win(turn, who, target, 1);
        return Some(if loses { vec!["flee".to_owned()] } else { Vec::new() });
    }
    (body.posture == Posture::Resting && is_below(turn, who, 100)).then(Vec::new)
}

/// Returns the creature that a character fights, or one that attacks the character.
fn attacker_of(turn: &Turn, who: CharacterId) -> Option<CharacterId> {
    let body = &turn.world.characters[who];
    let attacks = |other: &&CharacterId| turn.world.characters[**other].target == Some(who);
    body.target.or_else(|| turn.world.occupants(body.room).iter().find(attacks).copied())
}

fn is_below(turn: &Turn, who: CharacterId, percent: i32) -> bool {
    stats::hp(turn, who) * 100 < stats::max_hp_of(turn, who) * percent
}

/// Fills the placeholders of lines. `None` if one cannot be filled, or if no command remains.
pub(super) fn suggested_commands(
    turn: &Turn,
    who: CharacterId,
    lines: &[SuggestedCommand],
) -> Option<Vec<String>> {
    let mut at = Stand { who, room: Some(turn.world.characters[who].room) };
    let mut typed = Vec::new();
    for line in lines {
        if let [CommandPiece::Blank(blank)] = line.as_slice() {
            let (steps, room) = steps_for(turn, at, *blank)?;
            typed.extend(steps);
            at.room = room;
            continue;
        }
        let mut command = String::new();
        for piece in line {
            match piece {
                CommandPiece::Words(text) => command.push_str(text),
                CommandPiece::Blank(blank) => command.push_str(&name_for(turn, at.who, *blank)?),
            }
        }
        typed.push(command);
    }
    (!typed.is_empty()).then_some(typed)
}

/// Returns the name with which a line mentions what is here.
fn name_for(turn: &Turn, who: CharacterId, blank: Blank) -> Option<String> {
    let unworn = |id: &&ItemId| {
        turn.world.items[**id].worn.is_none()
            && prototypes::kind_of(turn, **id).is_some_and(|kind| kind.slot.is_some())
    };
    let name = |id: &ItemId| prototypes::kind_of(turn, *id).map(|kind| kind.name.clone());
    let room = turn.world.characters[who].room;
    match blank {
        Blank::Creature => creature_here(turn, who).map(|id| name_here(turn, who, id)),
        Blank::Opponent => opponent_here(turn, who).map(|id| name_here(turn, who, id)),
        Blank::Item => turn.world.ground(room).first().and_then(name),
        Blank::Gear => turn.world.carried(who).iter().find(unworn).and_then(name),
        Blank::Detail => detail_of(&turn.world.rooms[room]),
        Blank::Onward | Blank::Home | Blank::Out | Blank::WayTo(_) | Blank::WayToGear => None,
    }
}

/// Returns a noun of a room that can be looked at, preferably one in the name of the room.
fn detail_of(room: &Room) -> Option<String> {
    let nouns = || room.sheet.details.keys().flat_map(|nouns| nouns.split(',')).map(str::trim);
    let name = room.sheet.name.to_lowercase();
    let named = nouns().find(|noun| name.split(' ').any(|word| word == *noun));
    named.or_else(|| nouns().next()).map(str::to_owned)
}

/// Returns the name of a creature, with its number if others of that name are listed before it: "2.rat".
fn name_here(turn: &Turn, who: CharacterId, creature: CharacterId) -> String {
    let name = &turn.world.characters[creature].name;
    let here = turn.world.occupants(turn.world.characters[who].room).iter();
    let before = here.take_while(|other| **other != creature).filter(|other| **other != who);
    match before.filter(|other| turn.world.characters[**other].name.eq_ignore_ascii_case(name)).count() {
        0 => name.clone(),
        count => format!("{}.{name}", count + 1),
    }
}

/// Returns a creature that the player may attack, and would probably beat together with all that fight beside it.
fn opponent_here(turn: &Turn, who: CharacterId) -> Option<CharacterId> {
    let is_fit = !is_below(turn, who, REST_BELOW) && attacker_of(turn, who).is_none();
    foes_here(turn, who).find(|foe| is_fit && flee::would_win(turn, who, *foe, MARGIN))
}

/// Returns commands that lead to a destination, and the room where they end, if it exists.
fn steps_for(turn: &Turn, at: Stand, blank: Blank) -> Option<(Vec<String>, Option<RoomId>)> {
    let here = at.room?;
    let known = |found: Option<(RoomId, Vec<String>)>| found.map(|(room, steps)| (steps, Some(room)));
    match blank {
        Blank::WayTo(RoomKind::Start) => known(way_to_start(turn, at.who, here)),
        Blank::WayTo(kind) => known(shortest_path_to(turn, here, |room| {
            room.sheet.kind == kind && shop::require_open(turn, room.id, at.who).is_ok()
        })),
        Blank::WayToGear => known(shortest_path_to(turn, here, |room| lacks_supply(turn, at.who, room))),
        Blank::Home => way_home(turn, at.who, here),
        Blank::Out => turn.world.rooms[here].branch.and_then(|_| way_home(turn, at.who, here)),
        _ => onward(turn, at, here),
    }
}

/// Returns `true` if a room has equipment for new characters that the player lacks.
fn lacks_supply(turn: &Turn, who: CharacterId, room: &Room) -> bool {
    let carries =
        |key: &String| turn.world.carried(who).iter().any(|id| turn.world.items[*id].prototype == *key);
    room.supplies.iter().any(|key| !carries(key))
}

/// Returns the way to a start room whose exits lead on, preferably to one with an exit for beginners among them.
fn way_to_start(turn: &Turn, who: CharacterId, here: RoomId) -> Option<(RoomId, Vec<String>)> {
    let has = |room: &Room, wanted: &dyn Fn(&Exit) -> bool| {
        room.sheet.kind == RoomKind::Start
            && turn.world.exits.of(room.id).any(|exit| wanted(exit) && leads_on(turn, who, exit))
    };
    let gentle = shortest_path_to(turn, here, |room| has(room, &|exit| start_room::is_gentle(turn, exit)));
    let other = || shortest_path_to(turn, here, |room| has(room, &|_| true));
    gentle.or_else(other).or_else(|| shortest_path_to(turn, here, |room| room.sheet.kind == RoomKind::Start))
}

/// Returns how to leave the dungeon: by recall where that is possible, else on foot.
fn way_home(turn: &Turn, who: CharacterId, here: RoomId) -> Option<(Vec<String>, Option<RoomId>)> {
    let body = &turn.world.characters[who];
    if here == body.home {
        return None;
    }
    if !turn.world.rooms[here].has(RoomFlag::NoRecall) {
        return Some((vec!["recall".to_owned()], Some(body.home)));
    }
    shortest_path_to(turn, here, |room| room.branch.is_none()).map(|(room, steps)| (steps, Some(room)))
}

/// Returns the commands that lead onward: first rest, then an exit that the player can take on. In a start room, that is
/// the easiest start exit; in a branch, an unexplored exit without a warning, or the obstacle before it.
fn onward(turn: &Turn, at: Stand, here: RoomId) -> Option<(Vec<String>, Option<RoomId>)> {
    let room = &turn.world.rooms[here];
    if room.sheet.kind != RoomKind::Start && room.branch.is_none() {
        return way_to_start(turn, at.who, here).map(|(room, steps)| (steps, Some(room)));
    }
    if is_below(turn, at.who, REST_BELOW) && turn.world.characters[at.who].posture != Posture::Resting {
        return Some((vec!["rest".to_owned()], Some(here)));
    }
    if room.sheet.kind == RoomKind::Start {
        let exits = look::exits_in_order(turn, here).into_iter();
        let fit = exits.filter(|exit| leads_on(turn, at.who, exit));
        let exit = fit.min_by_key(|exit| !start_room::is_gentle(turn, exit))?;
        return Some((vec![exit.name.clone()], exit.to));
    }
    if raises_portcullis(turn, room) {
        return Some((vec!["pull lever".to_owned()], Some(here)));
    }
    let (found, mut steps) =
        shortest_path_to(turn, here, |other| has_passable_exit(turn, at.who, other, room.branch))?;
    if found != here {
        // Creatures on the way may attack: the path is shown up to the next room.
        steps.truncate(1);
        return Some((steps, None));
    }
    let exit = calm_exit(turn, room).map(|exit| vec![exit.name.clone()]);
    Some((exit.or_else(|| clearing_commands(turn, at.who, room))?, None))
}

/// Returns `true` if a lever in this room raises a portcullis that still bars another room.
fn raises_portcullis(turn: &Turn, room: &Room) -> bool {
    let barred = room.challenge.raises.and_then(|other| turn.world.rooms.get(other));
    barred.is_some_and(|other| !other.clear && other.challenge.bars())
}

/// Returns `true` if a room of a branch has a way on that the player can take, or can free: an unexplored exit without a
/// warning, guards that the player would beat, or a portcullis.
fn has_passable_exit(turn: &Turn, who: CharacterId, room: &Room, branch: Option<BranchId>) -> bool {
    if room.branch != branch || room.clear {
        return room.branch == branch && calm_exit(turn, room).is_some();
    }
    let guards = clearing::guards(turn, room.id);
    match guards.first() {
        Some(guard) => flee::would_win(turn, who, *guard, MARGIN),
        None => matches!(room.challenge.feature, Some(RoomFeature::Portcullis { .. })),
    }
}

/// Returns `true` for a start exit, unless it leads to a branch in which the player can reach no way on.
fn leads_on(turn: &Turn, who: CharacterId, exit: &Exit) -> bool {
    let branch = exit.to.and_then(|first| turn.world.rooms.get(first)).and_then(|room| room.branch);
    let has_way_on =
        |first| shortest_path_to(turn, first, |room| has_passable_exit(turn, who, room, branch)).is_some();
    // Rows of a branch that sleeps are not in memory.
    exit.kind == ExitKind::Branch && (branch.is_none() || exit.to.is_some_and(has_way_on))
}

/// Returns the commands that remove what blocks the player's room: a fight, or a walk to the lever.
fn clearing_commands(turn: &Turn, who: CharacterId, room: &Room) -> Option<Vec<String>> {
    if let Some(foe) = opponent_here(turn, who) {
        return Some(vec![format!("kill {}", name_here(turn, who, foe))]);
    }
    let lever = room.challenge.lever_in.unwrap_or(room.id);
    let (_, mut steps) = shortest_path_to(turn, room.id, |other| other.id == lever)?;
    if steps.is_empty() {
        steps.push("pull lever".into());
    }
    steps.truncate(1);
    Some(steps)
}

/// Returns an unexplored exit of a clear room that has no warning and no trap.
fn calm_exit<'w>(turn: &'w Turn, room: &Room) -> Option<&'w Exit> {
    let is_calm = |exit: &&Exit| {
        exit.state == ExitState::Unexplored
            && exit.kind == ExitKind::Exit
            && exit.omen.is_none()
            && exit.trap.is_none()
            && !exit.hidden
    };
    look::exits_in_order(turn, room.id).into_iter().find(is_calm).filter(|_| room.clear)
}

/// Returns the nearest room that matches and the exits to take to it, over explored exits; none if `from` matches.
fn shortest_path_to(
    turn: &Turn,
    from: RoomId,
    wanted: impl Fn(&Room) -> bool,
) -> Option<(RoomId, Vec<String>)> {
    // A start exit leads into a branch, which may belong to other players, and stairs lead to stronger creatures.
    let is_path = |exit: &&Exit| {
        !matches!(exit.state, ExitState::Unexplored | ExitState::Locked)
            && exit.kind != ExitKind::Branch
            && (exit.kind != ExitKind::Stairs || exit.direction != Some(Direction::Down))
            && !exit.hidden
    };
    let exits = |room| look::exits_in_order(turn, room).into_iter().filter(is_path).collect();
    RoomSearch::new(from, WAY_LIMIT, exits).nearest(|room| turn.world.rooms.get(room).is_some_and(&wanted))
}
