//! Events of a step: a closed list. A rule reports an event without knowing its listeners; `step` dispatches it.

use deepwell_core::base::{BranchId, CharacterId, FloorId, ItemId, PartyId, RoomId};
use deepwell_core::catalog::ItemEvent;
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::catalog::script::deed::ScriptDeed;
use deepwell_core::puzzle::CellId;
use deepwell_core::text::Markup;
use deepwell_core::world::Channel;

/// Event within a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GameEvent<'a> {
    /// A character went through an exit but has not seen the new room yet.
    SteppedThrough { who: CharacterId },
    /// A character sees its room.
    SawRoom { who: CharacterId },
    /// A hand-built room may have got a creature with a script for its ticks, or a player who sees it.
    Stirred { room: RoomId },
    /// A character entered a room and has seen it.
    Entered { who: CharacterId, from: RoomId },
    /// A character and its followers arrived in a room; the room and its occupants react.
    Arrived { who: CharacterId, room: RoomId },
    /// A character left a room.
    Left { who: CharacterId, from: RoomId },
    /// A character was moved to another room, or out of the world.
    Relocated { who: CharacterId, from: RoomId, to: Option<RoomId> },
    /// A player is in a branch.
    Visited { branch: BranchId },
    /// A player left a branch.
    LeftBranch { who: CharacterId, branch: BranchId },
    /// The exits or items of a room changed.
    RoomChanged { room: RoomId },
    /// A creature of a room may have died.
    Thinned { room: RoomId },
    /// A room became clear.
    Cleared { room: RoomId },
    /// A branch collapses.
    Collapsed { branch: BranchId },
    /// Two characters began to fight.
    Engaged { who: CharacterId, target: CharacterId },
    /// A creature was hurt and survived; `before` are its hit points until then.
    Hurt { who: CharacterId, before: i32 },
    /// A player has no hit points left; `by` is the attacker, if any.
    Fell { who: CharacterId, by: Option<CharacterId> },
    /// A creature dies and is still there; `slayer` is the attacker, if any.
    Dying { who: CharacterId, slayer: Option<CharacterId> },
    /// A creature died; `slayer` is the attacker, if any.
    Died { room: RoomId, slayer: Option<CharacterId> },
    /// A player did something with an item.
    Handled { who: CharacterId, item: ItemId, event: ItemEvent },
    /// A player gave items of a kind to a creature.
    Gave { who: CharacterId, item: &'a str, to: CharacterId, count: u32 },
    /// A player has brought a captive out of the dungeon, by the key of its kind, from a branch.
    Rescued { who: CharacterId, creature: &'a str, branch: BranchId },
    /// A player has opened the coffer at the end of a chain of clues.
    OpenedCoffer { who: CharacterId },
    /// A player has solved a puzzle, by the name of its kind.
    Solved { who: CharacterId, kind: &'a str },
    /// A script about a player has run.
    Scripted { who: CharacterId },
    /// A line of a script about a quest of a player.
    QuestLine { who: CharacterId, deed: &'a ScriptDeed },
    /// A character spoke in the room.
    Said { who: CharacterId, words: &'a str },
    /// A character already in the room has become a possible target of creatures.
    Exposed { room: RoomId },
    /// A character acted in a way that takes the time of a round.
    Acted { who: CharacterId },
    /// A mechanism of a puzzle lost its guard.
    Unguarded { floor: FloorId, who: Option<CharacterId>, cell: CellId, number: usize },
    /// A character met an event that may end a step of the guide or show a tip.
    Learned { who: CharacterId, lesson: Lesson },
    /// A character's values in the prompt and gauges may have changed.
    VitalsChanged { who: CharacterId },
    /// A character's values shown to its party may have changed.
    MemberChanged { who: CharacterId },
    /// A party changed.
    PartyChanged { party: PartyId },
    /// The affects of a character changed.
    AffectsChanged { who: CharacterId },
    /// A sound for one character.
    Sounded { who: CharacterId, sound: Sound },
    /// A sound for all characters in the room of `who`.
    SoundedAround { who: CharacterId, sound: Sound },
    /// A sound of a place, by the name its author gave it.
    PlaceSounded { who: CharacterId, sound: &'a str },
    /// A character spoke on a channel.
    SpokenOn { channel: Channel, talker: CharacterId, text: &'a Markup },
    /// A character spoke to a member of its party.
    ToldMember { member: CharacterId, talker: CharacterId, text: &'a Markup },
}

/// Built-in sound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Sound {
    /// The player's own blow lands.
    Hit,
    /// A blow hits the player.
    Hurt,
    /// A closed door or exit opens.
    Door,
    /// A private message arrives.
    Tell,
    /// The player reaches a new level.
    Level,
    /// The player or a character nearby is incapacitated.
    Fall,
    /// A branch is about to collapse, or collapses.
    Collapse,
}

impl Sound {
    /// Returns the file, caption and priority of the sound.
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
