//! Bodies: players' and mobs' alike. Who is connected to one is the game's to know, not the world's.

use crate::base::{AccountId, BranchId, CharacterId, GameTime, RoomId};
use serde::{Deserialize, Serialize};

/// A character. In storage it is one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Character {
    /// Identity.
    pub id: CharacterId,
    /// Whose it is; none for a mob.
    pub account: Option<AccountId>,
    /// The prototype of a mob.
    pub mob: Option<String>,
    /// A player's name, or a mob's without article ("clay rat").
    pub name: String,
    /// The name in lower case; unique among players.
    pub key: Option<String>,
    /// What the name looks like (T5); unique among players.
    pub skeleton: Option<String>,
    /// What others see when they look.
    pub description: String,
    /// Where it stands, or for a sleeping player where it will wake.
    pub room: RoomId,
    /// Whether the body is in the world: players without a connection leave it after a while (N14).
    pub awake: bool,
    /// When a body without connection leaves the world.
    pub link_dead_until: Option<GameTime>,
    /// Membership of a branch: the tag `dungeon_character` (E43).
    pub branch: Option<BranchId>,
    /// Hit points at the moment `hp_at`; wounds close with time, computed when read (D15).
    pub hp: i32,
    /// When `hp` was true.
    pub hp_at: GameTime,
    /// Hit points at most.
    pub max_hp: i32,
    /// Power of its blows.
    pub attack: i32,
    /// What its skin turns away.
    pub defence: i32,
    /// Experience gathered.
    pub xp: i64,
    /// Level, from 1.
    pub level: u32,
    /// Whom it fights.
    pub target: Option<CharacterId>,
    /// Where `recall` leads a player, and where a mob belongs.
    pub home: RoomId,
    /// When it was made.
    pub created_at: GameTime,
    /// When it was last in the world.
    pub seen_at: GameTime,
}

impl Character {
    /// Whether an account drives it.
    pub const fn is_player(&self) -> bool {
        self.account.is_some()
    }
}
