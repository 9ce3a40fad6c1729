//! Features of single rooms, such as a shrine, a captive or a gate.

/// Feature of a room. Rooms of most kinds have none; it is removed when the captive is freed, the riddle answered, or
/// the mechanism or puzzle solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RoomFeature {
    /// A shrine.
    Shrine {
        /// Affect it gives, by key.
        affect: String,
    },
    /// A captive held by guards.
    Captive {
        /// Creature, by key.
        creature: String,
    },
    /// An unanswered riddle.
    Riddle {
        /// First answer, which identifies it in the theme.
        answer: String,
    },
    /// A landmark.
    Landmark {
        /// Name in the theme.
        name: String,
    },
    /// A closed grave.
    Grave {
        /// Name of the buried.
        name: String,
    },
    /// A locked coffer.
    Coffer {
        /// Name of its former owner.
        name: String,
    },
    /// A portcullis.
    Portcullis {
        /// Remaining pulls of its lever; never 0.
        pulls: u32,
    },
    /// The gate of an unsolved puzzle.
    Gate {
        /// Index of the puzzle in the theme's list.
        puzzle: u32,
    },
}

impl RoomFeature {
    /// Creates a portcullis; `None` if no pulls remain.
    pub const fn portcullis(pulls: u32) -> Option<Self> {
        if pulls == 0 { None } else { Some(Self::Portcullis { pulls }) }
    }

    /// Returns `true` if it blocks the exits that lead on.
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

    /// Returns the text that is stored for it; its meaning depends on the room's kind.
    pub fn word(&self) -> Option<&str> {
        match self {
            Self::Shrine { affect: word }
            | Self::Captive { creature: word }
            | Self::Riddle { answer: word }
            | Self::Landmark { name: word }
            | Self::Grave { name: word }
            | Self::Coffer { name: word } => Some(word),
            Self::Portcullis { .. } | Self::Gate { .. } => None,
        }
    }

    /// Returns the remaining pulls of a portcullis; 0 for other features.
    pub const fn pulls(&self) -> u32 {
        if let Self::Portcullis { pulls } = self { *pulls } else { 0 }
    }

    /// Returns the puzzle behind a gate.
    pub const fn puzzle(&self) -> Option<u32> {
        if let Self::Gate { puzzle } = self { Some(*puzzle) } else { None }
    }
}
