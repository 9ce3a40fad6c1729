//! Ways of members into the branch of their expedition: its first room, and the deepest camp. Both begin at its start
//! room. No other player gets in.

use crate::branch::{asleep, start_room};
use crate::character::stats;
use crate::effect::Class;
use crate::exit::pathfinding;
use crate::expedition::{own, weekly};
use crate::message::tell;
use crate::movement;
use crate::movement::followers::transport_with_followers;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Point, RoomId};
use deepwell_core::world::Expedition;

/// Takes a member into the first room.
pub(crate) fn enter(turn: &mut Turn, who: CharacterId, name: &str) -> Result<(), Refusal> {
    if is_weekly(name) {
        stats::require_peace(turn, who)?;
        stats::may_leave(turn, who)?;
        if let Some(row) = turn.world.expeditions.of_week(turn.now.week()) {
            asleep::require_awake(turn, row.branch)?;
        }
        weekly::join(turn, who)?;
    }
    let row = ready(turn, who, name, "expedition enter *")?;
    let branch = &turn.world.branches[row.branch];
    let direction = turn.world.exits.get(branch.start_exit).map(deepwell_core::world::Exit::entry);
    let first = direction.and_then(|way| turn.world.branches.room_at(row.branch, 1, Point::ORIGIN.step(way)));
    let (first, expedition) = (first.ok_or(Refusal::NoWay)?, row.name.clone());
    let message = format!("You move the board with the name of {expedition} aside, and go in.");
    let arrives = format!(" arrives {}.", pathfinding::way_in(turn, first, branch.start_room));
    go(turn, who, first, &message, &arrives);
    Ok(())
}

/// Takes a member by the lift to the deepest camp.
pub(crate) fn lift(turn: &mut Turn, who: CharacterId, name: &str) -> Result<(), Refusal> {
    let row = ready(turn, who, name, "lift *")?;
    let depth = |room: &&RoomId| turn.world.rooms[**room].total_depth();
    let camp = row.camps.iter().max_by_key(depth).copied();
    let camp = camp.ok_or_else(|| {
        refuse!("{} has no camp yet, so the lift has nowhere to stop. Type expedition enter.", row.name)
    })?;
    go(
        turn,
        who,
        camp,
        "You stand on the plank, take hold of the rope, and the lift lets you down, past room after room, to the camp.",
        " arrives from above.",
    );
    Ok(())
}

/// Returns the expedition that a member can enter here.
fn ready<'t>(turn: &'t Turn, who: CharacterId, name: &str, line: &str) -> Result<&'t Expedition, Refusal> {
    let here = turn.world.characters[who].room;
    let starts_here = |row: &&Expedition| turn.world.branches[row.branch].start_room == here;
    let from_here: Vec<&Expedition> = turn.world.expeditions.of(who).filter(starts_here).collect();
    let row = if is_weekly(name) {
        let of_week = turn.world.expeditions.of_week(turn.now.week());
        let of_week = of_week.filter(|row| row.members.contains(&who));
        of_week.ok_or_else(|| refuse!("Type expedition enter weekly first."))?
    } else if super::meant(&from_here, name).is_empty() {
        own(turn, who, name, line)?
    } else {
        super::named(&from_here, name, line, || Refusal::NoWay)?
    };
    let branch = &turn.world.branches[row.branch];
    if branch.start_room != here {
        let way = start_room::place_words(turn, branch.start_exit);
        return Err(refuse!("The way in to {} is {way}.", row.name));
    }
    stats::require_peace(turn, who)?;
    stats::may_leave(turn, who)?;
    asleep::require_awake(turn, row.branch)?;
    Ok(row)
}

/// Takes a member in, with the members who follow.
fn go(turn: &mut Turn, who: CharacterId, to: RoomId, message: &str, arrives: &str) {
    tell::tell(turn, who, Class::Movement, message);
    let may_come = |turn: &Turn, follower: CharacterId| {
        turn.world.rooms[to].branch.map_or(Ok(()), |branch| {
            movement::require_not_closed(turn, follower, branch).map_err(|refusal| {
                let is_weekly = turn.world.expeditions.weekly(branch).is_some();
                if is_weekly { refuse!("Type expedition enter weekly to come along.") } else { refusal }
            })
        })
    };
    let lines = [" leaves for an expedition.", arrives];
    transport_with_followers(turn, who, to, lines, &may_come);
}

/// Returns `true` if a name means the expedition of the week.
fn is_weekly(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case("weekly")
}
