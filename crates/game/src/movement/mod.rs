//! Movement through exits, including exits that create a new room, and direct relocation.

pub(crate) mod enter;
pub(crate) mod flee;
pub(crate) mod followers;

use crate::access::{audibility, drafts, sanctions};
use crate::attack;
use crate::attack::loot;
use crate::branch::{built_gate, collapse, grow, rooms, stairs};
use crate::character::stats;
use crate::effect::Class;
use crate::exit::{clearing, doors, pathfinding, puzzle_exits, webs};
use crate::input::config::Rope;
use crate::message::{naming, tell};
use crate::party::{members, rope, scale};
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{BranchId, CharacterId, Direction, ExitId, RoomId};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::text::{Markup, grammar};
use deepwell_core::world::{Exit, ExitKind, ExitState, Room, RoomKind};

/// Walks a character through an exit of its room.
pub(crate) fn walk(turn: &mut Turn, who: CharacterId, exit: ExitId) -> Result<(), Refusal> {
    stats::require_peace(turn, who)?;
    stats::may_leave(turn, who)?;
    pass(turn, who, exit)
}

/// Moves a character through an exit, in a fight or not; also used to flee.
pub(crate) fn pass(turn: &mut Turn, who: CharacterId, exit: ExitId) -> Result<(), Refusal> {
    let from = turn.world.characters[who].room;
    step_through(turn, who, exit, None, &[])?;
    // Followers arrive before creatures in the room react.
    let mut train = vec![who];
    followers::follow_along(turn, who, from, exit, &mut train);
    let to = turn.world.characters[who].room;
    for body in train {
        if turn.world.characters.get(body).is_some_and(|body| body.room == to) {
            scale::tell_scale(turn, body, to);
            turn.emit_event(GameEvent::Arrived { who: body, room: to });
        }
    }
    Ok(())
}

/// Moves one character through an exit and shows it the new room. A follower is told whom it follows, in place of the
/// leader's departure. Screen-reader users further ahead in the train do not receive the arrival, which would otherwise
/// be read out at every step.
fn step_through(
    turn: &mut Turn,
    who: CharacterId,
    exit: ExitId,
    leader: Option<CharacterId>,
    train: &[CharacterId],
) -> Result<(), Refusal> {
    let exit = turn.world.exits[exit].clone();
    puzzle_exits::may_pass(turn, &exit)?;
    doors::may_pass(&exit)?;
    drafts::may_pass(turn, who, &exit)?;
    if exit.kind == ExitKind::Branch {
        sanctions::guest_may_enter_branch(turn, who, &exit)?;
    }
    if let Some(room) = exit.to.map(|to| &turn.world.rooms[to]) {
        room.branch.map_or(Ok(()), |branch| require_not_closed(turn, who, branch))?;
        require_not_full(turn, who, room)?;
    }
    let rope = (exit.kind == ExitKind::Branch).then(|| rope::may_use_rope(turn, who, &exit)).flatten();
    let to = match (exit.kind, exit.state) {
        _ if rope.is_some() => rope.ok_or(Refusal::NoWay)?,
        (ExitKind::Branch, _) => grow::enter_branch(turn, &exit)?,
        (ExitKind::Exit, ExitState::Unexplored) => {
            clearing::may_explore(turn, exit.room)?;
            open_room(turn, who, &exit)?
        }
        (ExitKind::Stairs, _) => stairs::take_stairs(turn, who, &exit)?,
        (ExitKind::Exit, _) => built_gate::enter(turn, who, &exit)?,
    };
    let fresh = exit.to.is_none();
    if let Some(leader) = leader {
        let mut message = Markup::plain("You follow ");
        message.append(&naming::name_of(turn, leader));
        tell::tell(turn, who, Class::Movement, message.and(&format!(" {}.", toward(&exit))));
    }
    let mut unaware = followers::followers_of(turn, who, exit.room, exit.is_stairs_down());
    unaware.push(who);
    let departure = naming::name_of(turn, who).and(" ").and(&way_out(&exit)).and(".");
    tell::tell_about(turn, who, exit.room, &unaware, Class::Movement, departure);
    // Found first, because the last member to leave a branch closes the exit back.
    let from = pathfinding::way_in(turn, to, exit.room);
    relocate(turn, who, to);
    if exit.kind == ExitKind::Branch {
        sanctions::note_guest_branch(turn, who);
    }
    if fresh {
        // Players who stay behind see one more exit that leads somewhere.
        turn.emit_event(GameEvent::RoomChanged { room: exit.room });
    }
    scale::scale_for_arrival(turn, to, who, exit.room);
    let mut except: Vec<CharacterId> =
        train.iter().copied().filter(|ahead| audibility::has_screen_reader(turn, *ahead)).collect();
    if rope.is_some()
        && let Some(party) = turn.world.parties.of(who)
    {
        // The party was notified when the rope was taken.
        except.extend(&turn.world.parties[party].members);
    }
    except.push(who);
    let arrival = naming::name_of(turn, who).and(&format!(" arrives {from}."));
    tell::tell_about(turn, who, to, &except, Class::Movement, arrival);
    turn.emit_event(GameEvent::Learned { who, lesson: Lesson::Walked });
    turn.emit_event(GameEvent::SteppedThrough { who });
    webs::tear_web(turn, who, to);
    turn.emit_event(GameEvent::SawRoom { who });
    turn.emit_event(GameEvent::Entered { who, from: exit.room });
    Ok(())
}

/// Refuses a player whom a room has no space for.
fn require_not_full(turn: &Turn, who: CharacterId, room: &Room) -> Result<(), Refusal> {
    let Some(capacity) = room.sheet.capacity.filter(|_| turn.world.is_players(who)) else { return Ok(()) };
    let players = turn.world.occupants(room.id).iter().filter(|body| turn.world.is_players(**body));
    if players.count() < capacity as usize {
        return Ok(());
    }
    Err(refuse!("{} is full. Wait until somebody comes out.", room.sheet.name))
}

/// Opens the room behind an exit. In a weekly expedition each member can open a few on a day.
fn open_room(turn: &mut Turn, who: CharacterId, exit: &Exit) -> Result<RoomId, Refusal> {
    let branch =
        turn.world.rooms[exit.room].branch.filter(|branch| turn.world.expeditions.weekly(*branch).is_some());
    let Some(branch) = branch else { return grow::open_room(turn, exit) };
    let (day, most) = (turn.now.day(), turn.catalog.rules.expedition.weekly_rooms_per_day);
    if turn.world.expeditions.weekly(branch).is_some_and(|weekly| weekly.opened_on(day, who) >= most) {
        return Err(refuse!(
            "You have opened {} of the weekly survey today. Leave the next ones to others, and come back tomorrow.",
            grammar::counted(most, "room")
        ));
    }
    let room = grow::open_room(turn, exit)?;
    turn.world.expeditions.note_opened(branch, who, day);
    Ok(room)
}

/// Refuses the branch of an expedition to players who are no members, unless they are inside already, as staff are.
pub(crate) fn require_not_closed(turn: &Turn, who: CharacterId, branch: BranchId) -> Result<(), Refusal> {
    let body = &turn.world.characters[who];
    if !body.is_player() || body.branch == Some(branch) || !turn.world.expeditions.is_closed_to(branch, who) {
        return Ok(());
    }
    let name = &turn.world.expeditions[branch].name;
    Err(refuse!("This way belongs to an expedition, {name}. Only its members go in."))
}

/// Moves a character and ends its ties to the old room, such as fights and resting.
pub(crate) fn lift(turn: &mut Turn, who: CharacterId, from: RoomId, to: RoomId) {
    if turn.world.characters[who].is_player() {
        attack::discard_paused_time(turn, from);
    }
    attack::stop_fights_of(turn, who);
    attack::forget(turn, who);
    stats::get_up(turn, who);
    let now = turn.now;
    turn.world.move_character(who, to);
    turn.world.characters.change(who, |body| body.arrived_at = now);
}

/// Moves a character and updates everything that depends on its place. Fights end, membership follows the room, and a
/// branch left by its last member collapses.
pub(crate) fn relocate(turn: &mut Turn, who: CharacterId, to: RoomId) {
    let (left, from) = (turn.world.characters[who].branch, turn.world.characters[who].room);
    lift(turn, who, from, to);
    let room = &turn.world.rooms[to];
    let (branch, is_start) = (room.branch, room.sheet.kind == RoomKind::Start);
    if turn.world.characters[who].is_player() {
        turn.world.set_membership(who, branch);
        if let Some(branch) = branch {
            rooms::note_activity(turn, branch);
            turn.emit_event(GameEvent::Visited { branch });
        }
        turn.emit_event(GameEvent::MemberChanged { who });
        if let Some(left) = left.filter(|left| Some(*left) != branch) {
            turn.parting.note(who, left);
            bring_idle_companions(turn, who, from, to);
            collapse::collapse_if_deserted(turn, left);
        }
    }
    if turn.world.characters[who].master.is_some() {
        turn.world.set_membership(who, branch);
    }
    if is_start || branch.is_none() {
        // A defeated character is carried out.
        if left.is_some() && stats::hp(turn, who) > 0 {
            turn.emit_event(GameEvent::Learned { who, lesson: Lesson::CameHome });
        }
        stats::end_incapacitation(turn, who);
        loot::secure_run(turn, who);
    }
    turn.emit_event(GameEvent::Left { who, from });
    turn.emit_event(GameEvent::Relocated { who, from, to: Some(to) });
    debug_assert!(!is_start || branch.is_none(), "a start room belongs to no branch");
}

/// Moves a character without walking: recall, goto, death. Both rooms are notified.
pub(crate) fn transport(turn: &mut Turn, who: CharacterId, to: RoomId, leaves: &str, arrives: &str) {
    let from = turn.world.characters[who].room;
    tell::tell_about(turn, who, from, &[who], Class::Movement, naming::name_of(turn, who).and(leaves));
    relocate(turn, who, to);
    tell::tell_about(turn, who, to, &[who], Class::Movement, naming::name_of(turn, who).and(arrives));
    webs::tear_web(turn, who, to);
    turn.emit_event(GameEvent::SawRoom { who });
    turn.emit_event(GameEvent::Entered { who, from });
    if turn.world.characters.get(who).is_some_and(|body| body.room == to) {
        turn.emit_event(GameEvent::Arrived { who, room: to });
    }
}

/// Describes a departure: "leaves east", or "goes down".
fn way_out(exit: &Exit) -> String {
    match exit.direction {
        Some(Direction::Up | Direction::Down | Direction::In | Direction::Out) => {
            format!("goes {}", toward(exit))
        }
        _ => format!("leaves {}", toward(exit)),
    }
}

/// Returns "east", or "through the hatch".
pub(crate) fn toward(exit: &Exit) -> String {
    exit.direction.map_or_else(|| format!("through the {}", exit.name), |direction| direction.to_string())
}

/// Brings the idle companions in the same room along when their master leaves a branch.
fn bring_idle_companions(turn: &mut Turn, master: CharacterId, from: RoomId, to: RoomId) {
    let free = |id: &CharacterId| {
        let body = &turn.world.characters[*id];
        body.master == Some(master) && body.target.is_none() && !stats::is_held(turn, *id)
    };
    let companions: Vec<CharacterId> = turn.world.occupants(from).iter().copied().filter(free).collect();
    let branch = turn.world.rooms[to].branch;
    for companion in companions {
        turn.world.move_character(companion, to);
        turn.world.set_membership(companion, branch);
        let message = naming::name_of(turn, companion).and(" comes along.");
        tell::tell_room(turn, to, &[], Class::Movement, message);
    }
}

pub(crate) fn companions_from(turn: &Turn, master: CharacterId, left: BranchId) -> Vec<CharacterId> {
    let creatures =
        turn.world.branches.index_of(left).into_iter().flat_map(|index| index.creatures.iter().copied());
    let here = turn.world.occupants(turn.world.characters[master].room).iter().copied();
    creatures.chain(here).filter(|id| turn.world.characters[*id].master == Some(master)).collect()
}

/// Runs `rope`: returns to the party through the exit that leads to its branch.
pub(crate) fn take_rope(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    if turn.config.dungeon.rope == Rope::Off {
        return Err(refuse!("Nobody leaves ropes behind here: once the way in is closed, it is closed."));
    }
    members::own_party(turn, who)?;
    let Some(branch) = rope::branch_of_party(turn, who) else {
        return Err(refuse!("None of your party is below to have left a rope."));
    };
    if turn.world.characters[who].branch == Some(branch) {
        return Err(refuse!("You are in the same branch already."));
    }
    require_not_closed(turn, who, branch)?;
    let row = &turn.world.branches[branch];
    let (start, exit) = (row.start_room, row.start_exit);
    if turn.world.characters[who].room != start {
        return Err(refuse!(
            "The rope of your party hangs at another place: {}.",
            turn.world.rooms[start].sheet.name
        ));
    }
    let exit_row = &turn.world.exits[exit];
    let open = exit_row.window.is_some_and(|window| window.branch == branch);
    if !open && !rope::is_rope_good(turn, who, branch) {
        return Err(refuse!(
            "The rope has borne you once, and is frayed: it will not bear you into this branch again."
        ));
    }
    walk(turn, who, exit)
}
