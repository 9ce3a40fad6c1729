//! State held in memory for characters that are awake, one field per feature. The state of a character is dropped when
//! it falls asleep.

use super::guidance::Lessons;
use crate::state::fights::stance::FightStance;
use deepwell_core::base::{BranchId, CharacterId, GameTime, RoomId};
use deepwell_core::catalog::help::guide::Lesson;
use std::collections::{BTreeMap, VecDeque};

/// Walk-to-build mode of a builder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Digging {
    /// Room to copy new rooms from; `None` for bare rooms.
    pub(crate) like: Option<RoomId>,
}

/// Steps still to take, and the state of the player after the last one: any other move ends the plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WalkPlan {
    /// Names of the exits, the next one first.
    pub(crate) steps: VecDeque<String>,
    /// Time of the next step.
    pub(crate) due: GameTime,
    /// Room in which the last step ended.
    pub(crate) room: RoomId,
    /// Time of the arrival there.
    pub(crate) arrived_at: GameTime,
    /// Hit points at the arrival.
    pub(crate) hp: i32,
}

/// In-memory state of one character.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct Awake {
    /// State in a fight; also reset when the character moves or falls.
    pub(crate) stance: FightStance,
    /// AFK message, which may be empty; `None` if the player is not away.
    pub(crate) away: Option<String>,
    /// Set while a staff member has suspended the powers of the rank.
    pub(crate) quelled: bool,
    /// Hour of the town that a builder tries, in place of the present one.
    pub(crate) tried_hour: Option<u32>,
    /// Mode in which steps dig new rooms in directions without an exit.
    pub(crate) digs: Option<Digging>,
    /// Time of the next allowed shot, throw or attempt at a lock.
    pub(crate) hands_busy_until: Option<GameTime>,
    /// Time of the pending message about the end of the character's rest.
    pub(crate) rested_at: Option<GameTime>,
    /// Steps that the player is taking.
    pub(crate) walk_plan: Option<WalkPlan>,
    /// Events met by a new player.
    pub(crate) lessons: Lessons,
    /// The only branch that a guest may enter.
    pub(crate) guest_branch: Option<BranchId>,
    /// State that clients in the room were last told, as in `Room.Players`.
    pub(crate) shown_state: &'static str,
    /// Events counted for abilities and not yet added to the character row.
    pub(crate) deeds: BTreeMap<Lesson, u32>,
}

/// In-memory state of all characters.
#[derive(Debug, Default)]
pub(crate) struct AwakeBodies(BTreeMap<CharacterId, Awake>);

impl AwakeBodies {
    /// Returns the state of a character, if any.
    pub(crate) fn get(&self, who: CharacterId) -> Option<&Awake> {
        self.0.get(&who)
    }

    /// Returns the state of a character for editing, creating it if needed.
    pub(crate) fn edit(&mut self, who: CharacterId) -> &mut Awake {
        self.0.entry(who).or_default()
    }

    /// Takes a value from the state of a character. State that becomes empty is removed, since creatures never fall
    /// asleep.
    pub(crate) fn take<T>(&mut self, who: CharacterId, part: impl FnOnce(&mut Awake) -> T) -> Option<T> {
        let body = self.0.get_mut(&who)?;
        let taken = part(body);
        if *body == Awake::default() {
            self.0.remove(&who);
        }
        Some(taken)
    }

    /// Drops the state of a character that falls asleep.
    pub(crate) fn forget(&mut self, who: CharacterId) {
        self.0.remove(&who);
    }

    /// Returns `true` if any character is in the ready stance.
    #[cfg(test)]
    pub(crate) fn is_any_ready(&self) -> bool {
        self.0.values().any(|body| body.stance.ready_since.is_some())
    }

    /// Returns the characters with counted events that are not in their rows yet, in the order of their ids.
    pub(crate) fn with_deeds(&self) -> impl Iterator<Item = CharacterId> {
        self.0.iter().filter(|(_, body)| !body.deeds.is_empty()).map(|(who, _)| *who)
    }

    /// Iterates over the characters with state.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (CharacterId, &mut Awake)> {
        self.0.iter_mut().map(|(who, body)| (*who, body))
    }
}

/// Words of a player who looks for company.
#[derive(Clone, Debug)]
pub(crate) struct Seeking {
    pub(crate) words: String,
    pub(crate) since: GameTime,
}

/// Players who look for company.
#[derive(Debug, Default)]
pub(crate) struct Seekers(BTreeMap<CharacterId, Seeking>);

impl Seekers {
    /// Adds a player, or replaces the words.
    pub(crate) fn add(&mut self, who: CharacterId, seeking: Seeking) {
        self.0.insert(who, seeking);
    }

    /// Removes a player. Returns `false` if the player does not look for company.
    pub(crate) fn remove(&mut self, who: CharacterId) -> bool {
        self.0.remove(&who).is_some()
    }

    /// Iterates over the players.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (CharacterId, &Seeking)> {
        self.0.iter().map(|(who, seeking)| (*who, seeking))
    }
}
