//! The moments from which newcomers learn something: a closed list. What is said at them is content (`content/guide.toml`,
//! `content/tips.toml`).

use crate::base::listed;

listed! {
    /// A moment from which one learns something. In the order in which tips are given if several are due.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Lesson {
        /// One has no hit points left and lies on the ground.
        WentDown = "went_down",
        /// A companion lies on the ground here.
        SawFallen = "saw_fallen",
        /// One was carried out, with a loss.
        WentOut = "went_out",
        /// Less than half of one's hit points are left in a fight.
        Hurt = "hurt",
        /// Something holds one fast.
        Caught = "caught",
        /// A first fight has begun.
        Fought = "fought",
        /// One got away from a fight.
        Fled = "fled",
        /// Something hangs on one's body for a while.
        GotAffect = "got_affect",
        /// One has gained a level.
        Levelled = "levelled",
        /// There is a party to join.
        Invited = "invited",
        /// One has joined a party.
        Joined = "joined",
        /// One stands at the bottom of a well.
        EnteredStart = "entered_start",
        /// One has entered a branch.
        EnteredBranch = "entered_branch",
        /// A creature is here that would fight.
        MetCreature = "met_creature",
        /// A creature bars the way on.
        RoomBlocked = "room_blocked",
        /// A portcullis bars the way on.
        SawLever = "saw_lever",
        /// A puzzle behind a gate bars the way on.
        SawGate = "saw_gate",
        /// A bad sign hangs over an exit.
        SawOmen = "saw_omen",
        /// Stairs lead down from here.
        SawStairs = "saw_stairs",
        /// An exit lets one through, but not back.
        SawOneWay = "saw_one_way",
        /// A web hangs here.
        SawWeb = "saw_web",
        /// A captive is here.
        SawCaptive = "saw_captive",
        /// A shrine is here.
        SawShrine = "saw_shrine",
        /// A riddle is here.
        SawRiddle = "saw_riddle",
        /// Somebody sells things below ground.
        SawMerchant = "saw_merchant",
        /// A room to rest well in.
        SawRest = "saw_rest",
        /// Something worth seeing is here.
        SawLandmark = "saw_landmark",
        /// A corpse with things in it lies here.
        SawCorpse = "saw_corpse",
        /// One has brought a creature down.
        Won = "won",
        /// A room is clear that was not.
        RoomCleared = "room_cleared",
        /// One carries something that can be worn and is not.
        FoundGear = "found_gear",
        /// One carries something to drink or eat.
        FoundPotion = "found_potion",
        /// One has money that could be lost.
        GotMoney = "got_money",
        /// One can carry hardly any more.
        HandsFull = "hands_full",
        /// One has come home from below.
        CameHome = "came_home",
        /// One stands in a shop.
        EnteredShop = "entered_shop",
        /// One stands at a healer's.
        EnteredHealer = "entered_healer",
        /// One stands in a bank.
        EnteredBank = "entered_bank",
        /// One has looked.
        Looked = "looked",
        /// One has walked.
        Walked = "walked",
        /// One has read the exits.
        SawExits = "saw_exits",
        /// One has taken something.
        GotThing = "got_thing",
        /// One has put something on.
        WoreThing = "wore_thing",
        /// One has read what a shop sells.
        SawWares = "saw_wares",
        /// One has bought or sold something.
        Traded = "traded",
        /// One has read one's sheet.
        ReadScore = "read_score",
        /// One has weighed a creature up.
        Considered = "considered",
        /// One has rested.
        Rested = "rested",
        /// One has trained.
        Trained = "trained",
        /// One has spoken.
        Spoke = "spoke",
        /// One has looked at the map.
        SawMap = "saw_map",
    }
}

/// What one has done, and the moment whose tip would have told of it.
const KNOWN_BY_DEEDS: [(Lesson, Lesson); 3] = [
    (Lesson::Considered, Lesson::MetCreature),
    (Lesson::WoreThing, Lesson::FoundGear),
    (Lesson::SawWares, Lesson::EnteredShop),
];

impl Lesson {
    /// Whether it is something that has happened, rather than something that is so where one stands.
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
                | Self::GotThing
                | Self::WoreThing
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

    /// The moment whose tip tells nothing new to whoever has done this.
    pub fn makes_known(self) -> Option<Self> {
        let known = |(deed, moment): &(Self, Self)| (*deed == self).then_some(*moment);
        KNOWN_BY_DEEDS.iter().find_map(known)
    }

    /// Whether somebody who fights has a use for it.
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
