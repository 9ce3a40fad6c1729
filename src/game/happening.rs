//! What happens in a step that others than whoever made it happen take notice of: a closed list. A rule tells that it
//! happened and knows none of those who listen; `step` hands it on.

use crate::base::{BranchId, CharacterId, FloorId, PartyId, RoomId};
use crate::catalog::guide::Lesson;
use crate::puzzle::CellId;
use crate::text::Markup;
use crate::world::Channel;

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Happening<'a> {
    /// A body went through an exit and stands behind it, but has not looked about yet.
    SteppedThrough { who: CharacterId },
    /// A body sees the room that it is in.
    SawRoom { who: CharacterId },
    /// A body has entered a room and seen it.
    Entered { who: CharacterId, from: RoomId },
    /// A body, and whoever follows it, has come to a room: the room and those in it take notice.
    Arrived { who: CharacterId, room: RoomId },
    /// A body is gone from a room.
    Left { who: CharacterId, from: RoomId },
    /// A body was put elsewhere, or nowhere.
    Relocated { who: CharacterId, from: RoomId, to: Option<RoomId> },
    /// A player is in a branch.
    Visited { branch: BranchId },
    /// A player has left the branch that it was in.
    LeftBranch { who: CharacterId },
    /// What leads out of a room, or lies in it, is not what it was.
    RoomChanged { room: RoomId },
    /// A creature of a room may have fallen.
    Thinned { room: RoomId },
    /// Nothing blocks a room any more.
    Cleared { room: RoomId },
    /// A branch gives way.
    Collapsed { branch: BranchId },
    /// Two bodies have begun to fight.
    Engaged { who: CharacterId, target: CharacterId },
    /// A creature has been hurt, and lives.
    Hurt { who: CharacterId },
    /// A player has no hit points left, by the hand of `by` if by anybody's.
    Fell { who: CharacterId, by: Option<CharacterId> },
    /// A creature has died, by somebody's hand if by anybody's.
    Died { room: RoomId, slayer: Option<CharacterId> },
    /// Somebody has said something to the room.
    Said { who: CharacterId, words: &'a str },
    /// Somebody in a room has become one to strike at without coming in.
    Exposed { room: RoomId },
    /// Somebody has done something that takes a round's time.
    Acted { who: CharacterId },
    /// Nothing guards a mechanism of a puzzle any more.
    Unguarded { floor: FloorId, who: Option<CharacterId>, cell: CellId, number: usize },
    /// Somebody has come to a moment that may end a step of the guide, or that a tip belongs to.
    Learned { who: CharacterId, lesson: Lesson },
    /// What the prompt and the gauges of a body show may have changed.
    VitalsChanged { who: CharacterId },
    /// What is told of a body to its party may have changed.
    MemberChanged { who: CharacterId },
    /// A party is not what it was.
    PartyChanged { party: PartyId },
    /// What hangs on a body has changed.
    AffectsChanged { who: CharacterId },
    /// A moment that has a sound, for one body.
    Sounded { who: CharacterId, sound: Sound },
    /// The same for everybody who is where a body is.
    SoundedAround { who: CharacterId, sound: Sound },
    /// A place has a sound of its own, by the name that its author gave it.
    PlaceSounded { who: CharacterId, sound: &'a str },
    /// Somebody has spoken on a channel.
    SpokenOn { channel: Channel, talker: CharacterId, text: &'a Markup },
    /// Somebody has spoken to one member of a party.
    ToldMember { member: CharacterId, talker: CharacterId, text: &'a Markup },
}

/// A moment that has a sound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Sound {
    /// One's own blow lands.
    Hit,
    /// A blow lands on oneself.
    Hurt,
    /// A way that was shut opens.
    Door,
    /// Somebody speaks to one alone.
    Tell,
    /// One has risen a level.
    Level,
    /// Oneself or somebody near goes down.
    Fall,
    /// A branch groans, or gives way.
    Collapse,
}

impl Sound {
    /// Its file, what it sounds like, and how much it matters.
    pub(crate) const fn row(self) -> (&'static str, &'static str, u32) {
        match self {
            Self::Hit => ("hit.ogg", "a blow lands", 20),
            Self::Hurt => ("hurt.ogg", "you are hit", 30),
            Self::Door => ("door.ogg", "a way opens", 40),
            Self::Tell => ("tell.ogg", "somebody speaks to you", 50),
            Self::Level => ("level.ogg", "a bright chord", 60),
            Self::Fall => ("fall.ogg", "somebody falls", 70),
            Self::Collapse => ("collapse.ogg", "stone groans and falls", 80),
        }
    }
}
