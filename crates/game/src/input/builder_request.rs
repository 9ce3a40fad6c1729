//! Requests of the web builder to the game.

use crate::input::staff_request::StaffRequest;
use deepwell_core::base::RoomId;
use deepwell_core::catalog::DefinitionKind;
use serde::{Deserialize, Serialize};

/// Request of the web builder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuilderRequest {
    /// Zones, and the content that can be placed in them.
    Zones,
    /// Map of a zone.
    Zone {
        /// Key of the zone.
        zone: String,
        /// Revision that the web builder already has; an unchanged map is not sent again.
        #[serde(default)]
        known: Option<String>,
        /// Set to include the problems of the zone.
        #[serde(default)]
        check: bool,
    },
    /// Room with its contents.
    Room {
        /// Number of the room.
        room: RoomId,
    },
    /// Scripts that can be edited in the game, and those that a zone calls.
    Scripts {
        /// Key of the zone.
        zone: String,
    },
    /// Text of a script.
    Script {
        /// Key of the script.
        script: String,
        /// Key of the zone. A draft has its own versions.
        #[serde(default)]
        zone: String,
    },
    /// Definitions of a kind.
    Definitions {
        /// Kind of the definitions.
        kind: DefinitionKind,
        /// Key of the zone. A draft has its own versions.
        #[serde(default)]
        zone: String,
    },
    /// Fields of a definition.
    Definition {
        /// Kind of the definition.
        kind: DefinitionKind,
        /// Key of the definition.
        key: String,
        /// Key of the zone. A draft has its own versions.
        #[serde(default)]
        zone: String,
    },
    /// Variables of a zone, or drafts.
    Parts {
        /// Kind of the parts.
        kind: ZonePart,
        /// Key of the zone.
        zone: String,
    },
    /// Variable or draft.
    Part {
        /// Kind of the part.
        kind: ZonePart,
        /// Name of the variable, or key of the draft or of its zone.
        key: String,
        /// Key of the zone.
        zone: String,
    },
    /// Package of a zone.
    Pack {
        /// Key of the zone.
        zone: String,
    },
    /// Package that the builder uploads.
    Unpack(PackageUpload),
    /// Commands to run in a room as if typed there, up to the first that is refused.
    Build {
        /// Room of the commands.
        room: RoomId,
        /// Expected revision of the room; not checked if absent.
        #[serde(default)]
        revision: Option<String>,
        /// Command lines in order.
        lines: Vec<String>,
    },
    /// Commands to check for refusals without effect.
    Try {
        /// Room of the commands.
        room: RoomId,
        /// Command lines, checked independently.
        lines: Vec<String>,
    },
    /// Request of the staff page.
    Staff(StaffRequest),
}

/// Kind of a part of a zone that is shown in the form of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ZonePart {
    /// Variable.
    Variable,
    /// Draft.
    Draft,
}

/// Page that a browser logs in to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WebPage {
    /// Web builder.
    #[default]
    Build,
    /// Staff page.
    Staff,
}

impl WebPage {
    /// Returns the login as written to the audit log.
    pub const fn opened(self) -> &'static str {
        match self {
            Self::Build => "opens the page for builders",
            Self::Staff => "opens the page for staff",
        }
    }
}

/// Package of a zone from the builder's computer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PackageUpload {
    /// Name of its file, without suffix.
    pub name: String,
    /// JSON of its archive; in a request over HTTP the zip archive in Base64.
    pub package: String,
    /// Prefix for its keys.
    #[serde(default)]
    pub prefix: Option<String>,
    /// Set to take it in. Otherwise the answer describes what it would bring.
    #[serde(default)]
    pub now: bool,
}
