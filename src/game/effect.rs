//! Everything that can result from a step: a closed list. Effects leave after the commit of their batch.

use crate::base::{AccountId, CharacterId, SessionId, Span, Tally, listed};
use crate::game::data::Data;
use crate::text::Markup;
use crate::world::Settings;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a step results in, in order.
pub type Effects = Vec<Effect>;

/// Why the game does not do what an operator asks for, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, Serialize, Deserialize)]
#[error("{0}")]
pub struct Declined(pub String);

/// What the file of a zone is read for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ZoneUse {
    /// The world becomes what it says.
    Import,
    /// To tell what is different.
    Compare,
}

/// A file of what was made in the game, that is to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MadeFile {
    /// Its path below the folder of such files, as below `content/`.
    pub path: String,
    /// What it is to say.
    pub text: String,
    /// The digest of that.
    pub digest: String,
    /// Digests of what it may be now.
    pub known: Vec<String>,
}

/// What came of writing such a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MadeCame {
    /// Its path.
    pub path: String,
    /// The digest of what it was to say.
    pub digest: String,
    /// Where it lies, or why it is not written.
    pub came: Result<String, Declined>,
}

/// One result.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Something for a client to show.
    Output {
        /// Who gets it.
        session: SessionId,
        /// What.
        output: Output,
    },
    /// A login or creation succeeded; the client plays from here on. Comes before the first text of the game.
    Entered {
        /// Who.
        session: SessionId,
        /// The account.
        account: AccountId,
        /// The character it drives.
        character: CharacterId,
        /// The character's name.
        name: String,
        /// The account's settings, with what was wished at login.
        settings: Settings,
    },
    /// A login or creation was refused.
    Refused {
        /// Who.
        session: SessionId,
        /// Why, in a sentence for the player.
        reason: String,
    },
    /// The client is to be closed after everything before this has been sent.
    Close {
        /// Who.
        session: SessionId,
        /// Why.
        why: Closed,
    },
    /// Somebody wants to know how a client is connected, which only its session knows.
    Inspect {
        /// Whose connection.
        session: SessionId,
        /// Who is to be told.
        asker: SessionId,
        /// The name of the character at the other end.
        name: String,
    },
    /// Staff want a code for somebody who lost their password, which only the authenticator can make.
    MakeCode {
        /// The client of the staff.
        session: SessionId,
        /// Whose account it is to open.
        account: AccountId,
    },
    /// Something in the content is not as it should be: to be logged.
    Warning {
        /// What, in a sentence.
        text: String,
    },
    /// Something happened that is counted for the operator.
    Counted(Tally),
    /// What the operator is told.
    Answered {
        /// Who asked.
        asker: SessionId,
        /// Lines, or why not.
        answer: Result<Vec<String>, Declined>,
    },
    /// Staff want the content read again, which only the server can do.
    Reload {
        /// The client of the staff.
        asker: SessionId,
    },
    /// The file of a zone is to be written, unless somebody else has changed it: then whoever asked is told.
    WriteZone {
        /// Who asked.
        asker: SessionId,
        /// Its key.
        zone: String,
        /// What it is to say.
        text: String,
        /// The digest of that.
        digest: String,
        /// Digests of what it may be now.
        known: Vec<String>,
    },
    /// The files of zones are to be read.
    ReadZones {
        /// Who asked.
        asker: SessionId,
        /// Their keys.
        zones: Vec<String>,
        /// What for.
        then: ZoneUse,
    },
    /// The files of what was made in the game are to be written, each unless somebody else has changed it.
    WriteMade {
        /// Who asked.
        asker: SessionId,
        /// All of them.
        files: Vec<MadeFile>,
    },
    /// All such files are to be read.
    ReadMade {
        /// Who asked.
        asker: SessionId,
        /// What for.
        then: ZoneUse,
    },
    /// Staff stop the server.
    Stop {
        /// From now.
        after: Span,
    },
}

impl Effect {
    /// The client that it is for; none if it is for the server.
    pub const fn session(&self) -> Option<SessionId> {
        match self {
            Self::Output { session, .. }
            | Self::Entered { session, .. }
            | Self::Refused { session, .. }
            | Self::Inspect { session, .. }
            | Self::MakeCode { session, .. }
            | Self::Close { session, .. } => Some(*session),
            Self::Warning { .. }
            | Self::Counted(_)
            | Self::Answered { .. }
            | Self::Reload { .. }
            | Self::WriteZone { .. }
            | Self::ReadZones { .. }
            | Self::WriteMade { .. }
            | Self::ReadMade { .. }
            | Self::Stop { .. } => None,
        }
    }
}

/// The closed list of ways in which a session ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closed {
    /// The player said so.
    Quit,
    /// Nothing came for too long.
    Idle,
    /// Too much came, or too little was read.
    Flood,
    /// The same account logged in elsewhere and took the body over.
    TakenOver,
    /// Staff said so.
    Kicked,
    /// Its account has another password.
    NewPassword,
    /// Its account was logged out everywhere.
    LoggedOut,
    /// The link broke.
    Lost,
    /// Login took too long or failed too often.
    LoginFailed,
    /// The server stops.
    Shutdown,
}

impl Closed {
    /// As an operator reads it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Quit => "quit",
            Self::Idle => "idle",
            Self::Flood => "sent too much or read too little",
            Self::TakenOver => "taken over",
            Self::Kicked => "sent away by staff",
            Self::NewPassword => "the password was changed",
            Self::LoggedOut => "logged out everywhere",
            Self::Lost => "the connection ended",
            Self::LoginFailed => "the login failed",
            Self::Shutdown => "the server stops",
        }
    }
}

listed! {
    /// What kind of message a text is; screen reader mode, brief combat and clients' windows sort by it.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Class {
        /// A room as seen.
        Room,
        /// Comings and goings.
        Movement,
        /// Speech and emotes in the room.
        Speech,
        /// Words from one to one.
        Tell,
        /// A channel.
        Channel,
        /// Fights.
        Combat,
        /// Something happened here or to you.
        Notice,
        /// The answer to a command.
        Reply,
        /// A polite "no".
        Refusal,
        /// From the server.
        System,
    }
}

/// Something to show.
#[derive(Clone, PartialEq, Debug)]
pub enum Output {
    /// Text; shared, because a room full of people gets the same.
    Text(Class, Arc<Markup>),
    /// What the prompt says from here on. A client shows one prompt after each batch of output.
    Prompt(PromptFields),
    /// Structured data.
    Data(Arc<Data>),
    /// New settings.
    Settings(Settings),
    /// Something that only the client's session can do.
    Local(Local),
}

/// What the session of a client does by itself: the game knows neither passwords nor what was typed before aliases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Local {
    /// Show so many of the lines typed last.
    History(u32),
    /// Ask for the password and for another.
    ChangePassword,
    /// The other is kept.
    PasswordChanged,
    /// Nothing is kept, because nothing can be written.
    PasswordNotKept,
    /// Nothing is kept, because the password has become another meanwhile.
    PasswordOutdated,
    /// Ask for the password, to make a recovery code.
    MakeRecovery,
    /// Ask for the password and the account's name, to delete the account.
    DeleteAccount,
    /// The account stays; why has been told.
    AccountKept,
    /// The hash of the code is kept: the code may be shown.
    RecoveryKept,
    /// The same of a code for somebody else.
    OneTimeCodeKept,
    /// Ask a guest for a name and a password.
    Join,
    /// The guest is a character.
    Joined,
    /// The guest stays one; why has been told.
    NotJoined,
    /// The page that has come back to its seat plays a guest.
    CameBackAsGuest,
    /// The hash of a seat token is kept: its page can come back with it.
    SeatKept,
}

/// What a prompt can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PromptFields {
    /// Hit points left.
    pub hp: i32,
    /// Hit points at most.
    pub max_hp: i32,
    /// Whether the character is locked in combat.
    pub fighting: bool,
    /// The floor of the branch it is in; 0 outside.
    pub floor: u32,
    /// Choices of new levels that have not been made.
    pub trainings: u32,
    /// The might of the party, where a puzzle counts it.
    pub might: Option<i64>,
    /// The level.
    pub level: u32,
    /// The experience that the next level needs.
    pub missing_xp: i64,
    /// Which line of a text is to be written next; 0 for whoever types commands.
    pub text_line: u32,
    /// Whether steps dig where no exit leads.
    pub digging: bool,
}
