//! Events that may trigger a tip for a new player: a fixed list. The texts are content (`content/guide.toml`,
//! `content/tips.toml`).

use crate::base::listed;

listed! {
    /// An event that may trigger a tip, in order of priority if several tips are due.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Lesson {
        /// The player is incapacitated.
        WentDown = "went_down",
        /// A companion in the room is incapacitated.
        SawFallen = "saw_fallen",
        /// The player was defeated and carried out, with a loss.
        WentOut = "went_out",
        /// The player has less than half of the maximum hit points in combat.
        Hurt = "hurt",
        /// The player is held fast.
        Caught = "caught",
        /// The player is in combat.
        Fought = "fought",
        /// The player fled from combat.
        Fled = "fled",
        /// The player has an affect.
        GotAffect = "got_affect",
        /// The player has gained a level and can train.
        Levelled = "levelled",
        /// The player was invited to a party.
        Invited = "invited",
        /// The player is in a party.
        Joined = "joined",
        /// The player is in a start room.
        EnteredStart = "entered_start",
        /// The player entered a branch.
        EnteredBranch = "entered_branch",
        /// A creature that may be attacked is in the room.
        MetCreature = "met_creature",
        /// A creature blocks the exits.
        RoomBlocked = "room_blocked",
        /// A portcullis blocks the exit.
        SawLever = "saw_lever",
        /// A gate with a puzzle blocks the exit.
        SawGate = "saw_gate",
        /// An exit has a warning sign.
        SawOmen = "saw_omen",
        /// Stairs lead down.
        SawStairs = "saw_stairs",
        /// An exit is one-way.
        SawOneWay = "saw_one_way",
        /// A web is in the room.
        SawWeb = "saw_web",
        /// A captive is in the room.
        SawCaptive = "saw_captive",
        /// A shrine is in the room.
        SawShrine = "saw_shrine",
        /// A riddle is in the room.
        SawRiddle = "saw_riddle",
        /// A merchant is in the room, in the dungeon.
        SawMerchant = "saw_merchant",
        /// The room is good for resting.
        SawRest = "saw_rest",
        /// A landmark is in the room.
        SawLandmark = "saw_landmark",
        /// A corpse with items is in the room.
        SawCorpse = "saw_corpse",
        /// The player defeated a creature.
        Won = "won",
        /// The player's room was cleared.
        RoomCleared = "room_cleared",
        /// The player carries wearable equipment that is not worn.
        FoundGear = "found_gear",
        /// The player carries food or a potion.
        FoundPotion = "found_potion",
        /// The player carries money that could be lost.
        GotMoney = "got_money",
        /// The player is close to the carrying limit.
        HandsFull = "hands_full",
        /// The player left the dungeon, and was not carried out.
        CameHome = "came_home",
        /// The player is in a shop.
        EnteredShop = "entered_shop",
        /// The player is at a healer.
        EnteredHealer = "entered_healer",
        /// The player is in a bank.
        EnteredBank = "entered_bank",
        /// The player looked.
        Looked = "looked",
        /// The player walked.
        Walked = "walked",
        /// The player listed the exits.
        SawExits = "saw_exits",
        /// The player took an item.
        GotItem = "got_thing",
        /// The player put equipment on.
        WoreItem = "wore_thing",
        /// The player read the wares of a shop.
        SawWares = "saw_wares",
        /// The player bought or sold an item.
        Traded = "traded",
        /// The player read the score sheet.
        ReadScore = "read_score",
        /// The player assessed a creature.
        Considered = "considered",
        /// The player rested.
        Rested = "rested",
        /// The player trained.
        Trained = "trained",
        /// The player spoke.
        Spoke = "spoke",
        /// The player looked at the map.
        SawMap = "saw_map",
    }
}

/// Actions of the player, each with the event whose tip explains that action.
const KNOWN_BY_DEEDS: [(Lesson, Lesson); 3] = [
    (Lesson::Considered, Lesson::MetCreature),
    (Lesson::WoreItem, Lesson::FoundGear),
    (Lesson::SawWares, Lesson::EnteredShop),
];

impl Lesson {
    /// Returns `true` for an occurrence, `false` for a state of the player or the room.
    pub const fn is_deed(self) -> bool {
        matches!(
            self,
            Self::WentOut
                | Self::Fled
                | Self::Won
                | Self::RoomCleared
                | Self::CameHome
                | Self::Looked
                | Self::Walked
                | Self::SawExits
                | Self::GotItem
                | Self::WoreItem
                | Self::SawWares
                | Self::Traded
                | Self::ReadScore
                | Self::Considered
                | Self::Rested
                | Self::Trained
                | Self::Spoke
                | Self::SawMap
        )
    }

    /// Returns the event whose tip a player no longer needs after this action.
    pub fn obsoletes_tip_of(self) -> Option<Self> {
        let known = |(deed, moment): &(Self, Self)| (*deed == self).then_some(*moment);
        KNOWN_BY_DEEDS.iter().find_map(known)
    }

    /// Returns `true` if the tip is useful during combat.
    pub const fn fits_fight(self) -> bool {
        matches!(
            self,
            Self::WentDown
                | Self::SawFallen
                | Self::Hurt
                | Self::Caught
                | Self::Fought
                | Self::GotAffect
                | Self::Invited
                | Self::Joined
                | Self::RoomBlocked
                | Self::FoundPotion
        )
    }
}
