//! Sections of the list of help pages, with their names in files and their headings.

/// Section of the list of help pages, in display order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum HelpGroup {
    /// First steps.
    Beginning,
    /// The dungeon.
    Well,
    /// Combat and wounds.
    Fighting,
    /// Character advancement.
    Growing,
    /// Items and money.
    Things,
    /// Other players.
    People,
    /// Clients and settings.
    Playing,
    /// The server and its rules.
    Place,
    /// Pages without a `group:` line.
    #[default]
    Other,
}

impl HelpGroup {
    /// All sections in order.
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

    /// Returns the name in files.
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

    /// Returns the heading in the list of pages.
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
