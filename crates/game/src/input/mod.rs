//! Inputs of the game: a closed list. Nothing else changes the world.

pub mod builder_request;
pub mod config;
pub mod envelope;
pub mod files;
mod kind;
pub mod recording;
pub mod sharing;
pub mod staff_request;

use crate::effect::Declined;
use crate::effect::data::Packages;
use crate::effect::files::{FileKind, FilePurpose};
use crate::effect::public_event::OutsideSpeech;
use crate::input::builder_request::{BuilderRequest, WebPage};
use crate::input::config::GameConfig;
use crate::input::files::WrittenFile;
use deepwell_core::base::{AccountId, ItemId, SessionId};
use deepwell_core::catalog::Catalog;
use deepwell_core::world::{PartRows, Settings, WorldPart};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Input of a step. Serialisable, so that a run can be recorded and replayed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Input {
    /// Request for a new account with its first character. The password has been hashed into a credential (PHC string).
    Create {
        /// Session of the client.
        session: SessionId,
        /// Name as typed; checked again here against existing names.
        name: String,
        /// Hash of the password.
        credential: String,
        /// Settings made before login (`screenreader`, `colour`, ...); they become the account's settings.
        pre_login: Box<Settings>,
    },
    /// Request to look around as a guest.
    Visit {
        /// Session of the client.
        session: SessionId,
        /// Settings made before the visit.
        pre_login: Box<Settings>,
    },
    /// Request of a guest to become a character, keeping its possessions.
    Join {
        /// Session of the client.
        session: SessionId,
        /// Name as typed.
        name: String,
        /// Hash of the password.
        credential: String,
    },
    /// Login to an account, already authenticated.
    Login {
        /// Session of the client.
        session: SessionId,
        /// Account found by the authenticator.
        account: AccountId,
        /// Name as typed: that of the account or of one of its characters.
        name: String,
        /// Settings made before login; set fields override the account's.
        pre_login: Box<Settings>,
        /// Set if the session continues from before the world was reloaded from storage.
        #[serde(default)]
        goes_on: bool,
    },
    /// Stronger hash of an account's unchanged password.
    Credential {
        /// Account concerned.
        account: AccountId,
        /// New hash.
        credential: String,
    },
    /// Change of password by a connected player who has proved the present one.
    NewPassword {
        /// Session of the client.
        session: SessionId,
        /// Account concerned.
        account: AccountId,
        /// Hash of the new password.
        credential: String,
    },
    /// New recovery code for a connected player who has proved the password.
    Recovery {
        /// Session of the client.
        session: SessionId,
        /// Account concerned.
        account: AccountId,
        /// Hash of the code.
        credential: String,
    },
    /// Deletion of the account with all its data by a connected player who has proved the password.
    DeleteAccount {
        /// Session of the client.
        session: SessionId,
        /// Account concerned.
        account: AccountId,
    },
    /// One-time code requested by staff for a player who lost the password.
    OneTimeCode {
        /// Session of the staff member.
        session: SessionId,
        /// Account that the code gives access to.
        account: AccountId,
        /// Hash of the code.
        credential: String,
    },
    /// Login with a recovery code, which sets a new password.
    Recovered {
        /// Session of the client.
        session: SessionId,
        /// Account concerned.
        account: AccountId,
        /// Name as typed: that of the account or of one of its characters.
        name: String,
        /// Hash of the new password.
        credential: String,
        /// Settings made before login.
        pre_login: Box<Settings>,
    },
    /// Request of a web client to be able to resume its session without a password.
    KeepSeat {
        /// Session of the client.
        session: SessionId,
        /// Account concerned.
        account: AccountId,
        /// Hash of the token with which it will resume.
        token: String,
    },
    /// Resumption of a session by a web client.
    TakeSeat {
        /// Session of the client.
        session: SessionId,
        /// Account concerned.
        account: AccountId,
        /// Name of the account or of one of its characters.
        name: String,
        /// Hash of the presented token.
        token: String,
        /// Hash of the next token.
        next: String,
        /// Settings made before login.
        pre_login: Box<Settings>,
    },
    /// One-time code generated by the operator for an account whose password is lost.
    OperatorCode {
        /// Number of the operator's request; no client has it.
        asker: SessionId,
        /// Account that the code gives access to.
        account: AccountId,
        /// Hash of the code.
        credential: String,
        /// Name of the operator on the machine, if it is known.
        #[serde(default)]
        by: Option<String>,
    },
    /// Command of the operator: `ban`, `lock` and other staff commands that need no character.
    Operator {
        /// Number of the request to answer; no client has it.
        asker: SessionId,
        /// Command line.
        line: String,
        /// Name of the operator on the machine, if it is known.
        #[serde(default)]
        by: Option<String>,
    },
    /// Request of an authenticated browser to open the web builder or the staff page.
    #[serde(rename = "OpenDesk")]
    OpenWebBuilder {
        /// Number of the request to answer; no client has it.
        asker: SessionId,
        /// Account concerned.
        account: AccountId,
        /// Hash of the token that the web builder will present.
        token: String,
        /// Page that is opened.
        #[serde(default)]
        page: WebPage,
    },
    /// Request to close the web builder.
    #[serde(rename = "CloseDesk")]
    CloseWebBuilder {
        /// Number of the request to answer; no client has it.
        asker: SessionId,
        /// Account concerned.
        account: AccountId,
        /// Hash of the web builder's token.
        token: String,
    },
    /// Request of a web builder that has presented its token.
    #[serde(rename = "Desk")]
    WebBuilder {
        /// Number of the request to answer; no client has it.
        asker: SessionId,
        /// Account concerned.
        account: AccountId,
        /// Request to answer.
        ask: BuilderRequest,
    },
    /// Command of a connected player: one line of clean text, limited in length, without line ends.
    Command {
        /// Session of the client.
        session: SessionId,
        /// Command line.
        line: String,
    },
    /// Lost connection; the character becomes link-dead.
    Lost {
        /// Session of the client.
        session: SessionId,
    },
    /// Packages of structured data that the client subscribes to. All their data is sent immediately.
    Wants {
        /// Session of the client.
        session: SessionId,
        /// Requested packages.
        packages: Packages,
    },
    /// Request for a complete copy of structured data.
    Asks {
        /// Session of the client.
        session: SessionId,
        /// Requested data.
        what: Ask,
    },
    /// Report by the client that a screen reader is in use. Switches the account to screen reader mode, unless the
    /// player has set that mode explicitly.
    UsesScreenReader {
        /// Session of the client.
        session: SessionId,
    },
    /// Message of the operator to all players.
    Broadcast {
        /// One line of clean text.
        text: String,
    },
    /// Speech on a channel through a bridge.
    Bridge {
        /// Number of the request to answer; no client has it.
        asker: SessionId,
        /// Line, speaker and bridge.
        said: OutsideSpeech,
    },
    /// Token that makes the account that claims it the owner; issued on the first start of a new world.
    OwnerToken {
        /// Token to claim.
        token: String,
    },
    /// Start or end of a failure to write storage. During the failure nothing changes, and players are notified.
    StorageReadOnly(
        /// Set while storage cannot be written.
        bool,
    ),
    /// Settings that replace those in force, except for the seed of the world. Timers that have been scheduled and
    /// branches that have been opened keep theirs.
    Settings(
        /// New settings.
        Box<GameConfig>,
    ),
    /// Valid content that replaces the content in use. Not recorded: a new recording begins after it.
    #[serde(skip)]
    Content {
        /// Sessions of the staff who requested the reload.
        askers: Vec<SessionId>,
        /// New definitions.
        content: Content,
    },
    /// Failed reload of the content.
    ContentRefused {
        /// Sessions of the staff who requested the reload.
        askers: Vec<SessionId>,
        /// Errors, one line each.
        mistakes: Vec<String>,
    },
    /// Result of writing files of builders.
    FilesWritten {
        /// Origin of the request.
        asker: SessionId,
        /// Kind of the files.
        kind: FileKind,
        /// Result for each file.
        files: Vec<WrittenFile>,
        /// Locations of other files in the same folder, for definitions.
        others: Vec<String>,
    },
    /// Result of reading files of builders.
    FilesRead {
        /// Origin of the request.
        asker: SessionId,
        /// Kind of the files.
        kind: FileKind,
        /// Purpose of reading.
        purpose: FilePurpose,
        /// Prefix for the keys of a package.
        prefix: Option<String>,
        /// Name and text of each file, or the reason why one cannot be read.
        files: Result<Vec<(String, String)>, Declined>,
    },
    /// Stored rows of a part of the world, as requested.
    PartRows {
        /// Part concerned.
        part: WorldPart,
        /// Its rows; `None` if they cannot be read.
        rows: Option<Arc<PartRows>>,
    },
    /// Request of a tool for parts of the world that may be asleep.
    WakeParts {
        /// Parts concerned.
        parts: Vec<WorldPart>,
    },
    /// Passage of time: runs the timers that are due.
    Wake,
}

/// Shared definitions, compared by identity: equal only if they come from the same read.
#[derive(Clone)]
pub struct Content(pub Arc<Catalog>);

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Content")
    }
}

impl Input {
    /// Returns `true` for an input that lets a player enter the world.
    pub fn enters(&self) -> bool {
        matches!(self, Self::Create { .. } | Self::Visit { .. }) || self.entering_account().is_some()
    }

    /// Returns the existing account of an input that lets a player enter the world.
    pub fn entering_account(&self) -> Option<AccountId> {
        match self {
            Self::Login { account, .. }
            | Self::Recovered { account, .. }
            | Self::TakeSeat { account, .. } => Some(*account),
            _ => None,
        }
    }

    /// Returns the account of a request from the web builder.
    pub fn builder(&self) -> Option<AccountId> {
        match self {
            Self::OpenWebBuilder { account, .. } | Self::WebBuilder { account, .. } => Some(*account),
            _ => None,
        }
    }
}

/// Data that a client may request at any time, if it has subscribed to the package.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Ask {
    /// `Char.Items.Inv`: carried items.
    Pack,
    /// `Char.Items.Room`: items in the room.
    Room,
    /// `Char.Items.Contents`: items in a container in reach.
    Contents(ItemId),
    /// `Comm.Channel.Players`: listeners of each channel.
    ChannelPlayers,
    /// `Char.Skills.Get`: the groups of abilities, the abilities of a group, or one of them.
    Skills(SkillsAsked),
}

/// Body of `Char.Skills.Get`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SkillsAsked {
    /// Group; `None` for all groups.
    pub group: Option<String>,
    /// Ability; `None` for all of the group.
    pub name: Option<String>,
}
