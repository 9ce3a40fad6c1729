//! What a single room is about: the shrine that stands in it, who is held there, what bars the way.

/// What a room is about. A room has none whose kind needs none, and none any more when it has been freed, answered, worked
/// or solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RoomFeature {
    /// A shrine.
    Shrine {
        /// What it gives, by key of an affect.
        affect: String,
    },
    /// Somebody who is held behind guards.
    Captive {
        /// What they are, by key of a mob.
        mob: String,
    },
    /// A riddle that nobody has answered.
    Riddle {
        /// Its first answer, by which the theme knows it.
        answer: String,
    },
    /// A landmark.
    Landmark {
        /// Its name in the theme.
        name: String,
    },
    /// A grave that nobody has opened.
    Grave {
        /// Whose it is.
        name: String,
    },
    /// A coffer that nobody has opened.
    Coffer {
        /// Whose it was.
        name: String,
    },
    /// A portcullis.
    Portcullis {
        /// How often its lever must still be pulled; never 0.
        pulls: u32,
    },
    /// The gate of a puzzle that is not solved.
    Gate {
        /// The puzzle's place in the theme's list.
        puzzle: u32,
    },
}

impl RoomFeature {
    /// A portcullis, as long as its lever has to be pulled.
    pub const fn portcullis(pulls: u32) -> Option<Self> {
        if pulls == 0 { None } else { Some(Self::Portcullis { pulls }) }
    }

    /// Whether it keeps the ways on shut.
    pub const fn bars(&self) -> bool {
        match self {
            Self::Portcullis { .. } | Self::Gate { .. } => true,
            Self::Shrine { .. }
            | Self::Captive { .. }
            | Self::Riddle { .. }
            | Self::Landmark { .. }
            | Self::Grave { .. }
            | Self::Coffer { .. } => false,
        }
    }

    /// The word that stands for it in a row; the kind of the room says what it means.
    pub fn word(&self) -> Option<&str> {
        match self {
            Self::Shrine { affect: word }
            | Self::Captive { mob: word }
            | Self::Riddle { answer: word }
            | Self::Landmark { name: word }
            | Self::Grave { name: word }
            | Self::Coffer { name: word } => Some(word),
            Self::Portcullis { .. } | Self::Gate { .. } => None,
        }
    }

    /// How often the lever of a portcullis must still be pulled; 0 of everything else.
    pub const fn pulls(&self) -> u32 {
        if let Self::Portcullis { pulls } = self { *pulls } else { 0 }
    }

    /// The puzzle behind a gate.
    pub const fn puzzle(&self) -> Option<u32> {
        if let Self::Gate { puzzle } = self { Some(*puzzle) } else { None }
    }
}
