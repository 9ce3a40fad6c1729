//! Summaries of rooms with many players, so that the cost of a look does not grow with the number of players in the
//! room. A summary is derived from rows alone, and dropped when one of them changes.

use deepwell_core::base::{CharacterId, ItemId, RoomId};
use deepwell_core::world::{Character, Posture, World};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Minimum number of occupants of a room whose summary is kept.
const CROWD: usize = 32;

/// State of a player, as it is told to others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Doing {
    /// Incapacitated.
    Bleeding,
    /// Resting.
    Resting,
    /// Resting on a piece of furniture.
    Seated(ItemId),
    /// Link-dead.
    Staring,
    /// None of these.
    Standing,
}

impl Doing {
    /// Returns the state of a player who is not fighting.
    pub(crate) const fn of(body: &Character) -> Self {
        match (body.posture, body.seat) {
            (Posture::Down, _) => Self::Bleeding,
            (Posture::Resting, Some(seat)) => Self::Seated(seat),
            (Posture::Resting, None) => Self::Resting,
            _ if body.link_dead_until.is_some() => Self::Staring,
            _ => Self::Standing,
        }
    }
}

/// Players in the same state.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct CrowdGroup {
    /// State.
    pub(crate) does: Doing,
    /// First players with their positions in the order of arrival: one more than are named.
    pub(crate) first: Vec<(usize, CharacterId)>,
    /// Number of players.
    pub(crate) count: usize,
}

/// Summary of the occupants of a room.
#[derive(Debug, Default)]
pub(crate) struct Crowd {
    /// Players who are neither fighting nor in a pose, by state.
    pub(crate) groups: Vec<CrowdGroup>,
    /// Creatures, and players who are fighting or, the first of them, in a pose, with their positions in the order of
    /// arrival.
    pub(crate) singly: Vec<(usize, CharacterId)>,
    /// All occupants, sorted.
    members: Vec<CharacterId>,
    /// Number of players that a sentence names.
    named: usize,
}

impl Crowd {
    /// Summarizes the occupants of a room.
    fn of(world: &World, room: RoomId, named: usize) -> Self {
        let (mut crowd, mut posed) = (Self { named, ..Self::default() }, 0);
        for (at, who) in world.occupants(room).iter().copied().enumerate() {
            let body = &world.characters[who];
            let is_grouped = body.is_player() && body.target.is_none();
            let is_posed = is_grouped && Doing::of(body) == Doing::Standing && !body.pose.is_empty();
            if is_grouped && !(is_posed && posed < named) {
                crowd.add_player(at, who, Doing::of(body));
            } else {
                posed += usize::from(is_posed);
                crowd.singly.push((at, who));
            }
        }
        crowd
    }

    fn add_player(&mut self, at: usize, who: CharacterId, does: Doing) {
        let known = self.groups.iter().position(|group| group.does == does).unwrap_or_else(|| {
            self.groups.push(CrowdGroup { does, first: Vec::with_capacity(self.named + 1), count: 0 });
            self.groups.len() - 1
        });
        let group = &mut self.groups[known];
        group.count += 1;
        if group.first.len() <= self.named {
            group.first.push((at, who));
        }
    }

    fn tells_the_same(&self, other: &Self) -> bool {
        self.groups == other.groups && self.singly == other.singly
    }

    /// Returns `true` if a touched character is in the room, or was when the summary was made.
    fn is_stale(&self, world: &World, room: RoomId) -> bool {
        world.characters.touched().any(|id| {
            self.members.binary_search(&id).is_ok()
                || world.characters.get(id).is_some_and(|row| row.room == room)
        })
    }
}

/// Summaries by room, each with the number of changes of characters when it was last found true. Until the next change, all
/// who read it share it.
#[derive(Debug, Default)]
pub(crate) struct Crowds(RefCell<BTreeMap<RoomId, (u64, Arc<Crowd>)>>);

impl Crowds {
    /// Returns the summary of a room; `named` is the number of players that a sentence names.
    pub(crate) fn of(&self, world: &World, room: RoomId, named: usize) -> Arc<Crowd> {
        let occupants = world.occupants(room);
        if occupants.len() < CROWD {
            return Arc::new(Crowd::of(world, room, named));
        }
        let (now, mut known) = (world.characters.changes(), self.0.borrow_mut());
        if let Some((found_at, crowd)) = known.get_mut(&room).filter(|(_, crowd)| crowd.named == named) {
            if *found_at == now {
                return Arc::clone(crowd);
            }
            if world.characters.touched().len() <= occupants.len() && !crowd.is_stale(world, room) {
                debug_assert!(
                    crowd.tells_the_same(&Crowd::of(world, room, named)),
                    "stale summary of room {room}"
                );
                *found_at = now;
                return Arc::clone(crowd);
            }
        }
        let mut crowd = Crowd::of(world, room, named);
        crowd.members = occupants.to_vec();
        crowd.members.sort_unstable();
        let crowd = Arc::new(crowd);
        known.insert(room, (now, Arc::clone(&crowd)));
        crowd
    }

    /// Drops the summaries that the touched rows make stale. Called before a cut, which forgets which rows were touched.
    pub(crate) fn drop_stale(&mut self, world: &World) {
        self.0.get_mut().retain(|room, (_, crowd)| !crowd.is_stale(world, *room));
    }

    /// Drops all summaries.
    pub(crate) fn clear(&mut self) {
        self.0.get_mut().clear();
    }
}
