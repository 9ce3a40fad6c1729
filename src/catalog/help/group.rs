//! The groups by which the list of pages of help is parted, with their words in files and their headings.

/// What a page is about, by which the list of pages is parted; in the order of that list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum HelpGroup {
    /// What one reads first.
    Beginning,
    /// What is below.
    Well,
    /// Blows, wounds and their end.
    Fighting,
    /// What one becomes.
    Growing,
    /// What one has.
    Things,
    /// Who else is here.
    People,
    /// With what one plays.
    Playing,
    /// Who runs the place, and how.
    Place,
    /// Pages whose file does not say.
    #[default]
    Other,
}

impl HelpGroup {
    /// All of them, in order.
    pub const ALL: [Self; 9] = [
        Self::Beginning,
        Self::Well,
        Self::Fighting,
        Self::Growing,
        Self::Things,
        Self::People,
        Self::Playing,
        Self::Place,
        Self::Other,
    ];

    /// The word for it in a file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Beginning => "beginning",
            Self::Well => "well",
            Self::Fighting => "fighting",
            Self::Growing => "growing",
            Self::Things => "things",
            Self::People => "people",
            Self::Playing => "playing",
            Self::Place => "place",
            Self::Other => "other",
        }
    }

    /// Its heading in the list of pages.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Beginning => "Beginning",
            Self::Well => "In the well",
            Self::Fighting => "Fighting and wounds",
            Self::Growing => "What you become",
            Self::Things => "Things and money",
            Self::People => "Others",
            Self::Playing => "How you play",
            Self::Place => "This place",
            Self::Other => "And also",
        }
    }
}
