//! Everything that can happen to the game: a closed list. Nothing else changes the world.

use crate::base::address::IpAddr;
use crate::base::{AccountId, ItemId, SessionId};
use crate::catalog::Catalog;
use crate::game::data::Packages;
use crate::game::desk_ask::DeskAsk;
use crate::game::effect::{Declined, MadeCame, ZoneUse};
use crate::world::Settings;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// One thing that happens. Serialisable, so that a run can be recorded and replayed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Input {
    /// Somebody wants a new account and its first character. The password has become a credential (PHC string) before.
    Create {
        /// The client.
        session: SessionId,
        /// The name as typed; checked again here, where the names are.
        name: String,
        /// The hash of the password.
        credential: String,
        /// What was set before logging in (`screenreader`, `colour`, ...); becomes the account's settings.
        pre_login: Settings,
    },
    /// Somebody would like to look around without an account.
    Visit {
        /// The client.
        session: SessionId,
        /// What was set before.
        pre_login: Settings,
    },
    /// A guest becomes a character, and keeps what it has.
    Join {
        /// The client.
        session: SessionId,
        /// The name as typed.
        name: String,
        /// The hash of the password.
        credential: String,
    },
    /// Somebody has proved to own an account.
    Login {
        /// The client.
        session: SessionId,
        /// The account that the authenticator found.
        account: AccountId,
        /// The name that was typed: the account's or one of its characters'.
        name: String,
        /// What was set before logging in; set fields replace the account's.
        pre_login: Settings,
        /// The session played already when the world was read back from storage, and goes on.
        #[serde(default)]
        goes_on: bool,
    },
    /// The password of an account has been hashed again, more strongly.
    Credential {
        /// The account.
        account: AccountId,
        /// The hash.
        credential: String,
    },
    /// Somebody who plays has proved to know the password of the account, and gives it another.
    NewPassword {
        /// The client.
        session: SessionId,
        /// The account.
        account: AccountId,
        /// The hash of the other password.
        credential: String,
    },
    /// Somebody who plays has proved to know the password of the account, and gets a recovery code.
    Recovery {
        /// The client.
        session: SessionId,
        /// The account.
        account: AccountId,
        /// The hash of the code.
        credential: String,
    },
    /// Somebody who plays has proved to know the password of the account, and wants it gone with all that it has.
    DeleteAccount {
        /// The client.
        session: SessionId,
        /// The account.
        account: AccountId,
    },
    /// A one-time code has been made that staff have asked for, to give to somebody who lost their password.
    OneTimeCode {
        /// The client of the staff.
        session: SessionId,
        /// Whose account it opens.
        account: AccountId,
        /// The hash of the code.
        credential: String,
    },
    /// Somebody at the door has proved to have the recovery code of an account, and gives it a new password.
    Recovered {
        /// The client.
        session: SessionId,
        /// The account.
        account: AccountId,
        /// The name that was typed: the account's or one of its characters'.
        name: String,
        /// The hash of the new password.
        credential: String,
        /// What was set before logging in.
        pre_login: Settings,
    },
    /// The page of somebody who plays wants to come back without a password.
    KeepSeat {
        /// The client.
        session: SessionId,
        /// The account.
        account: AccountId,
        /// The hash of what it will show.
        token: String,
    },
    /// Somebody at the door shows what a page was to come back with.
    TakeSeat {
        /// The client.
        session: SessionId,
        /// The account.
        account: AccountId,
        /// The name of the account or of one of its characters.
        name: String,
        /// The hash of what was shown.
        token: String,
        /// The hash of what will be shown the next time.
        next: String,
        /// What was set before logging in.
        pre_login: Settings,
    },
    /// What somebody may do who has proved to know a secret of an account. Worth nothing if the secret is another by now.
    Proved {
        /// The account.
        account: AccountId,
        /// The hash that the secret was compared with: of its password, or of its recovery code.
        proof: String,
        /// What is to be done.
        then: Box<Self>,
    },
    /// What somebody does who calls from an address.
    From {
        /// Where from.
        address: IpAddr,
        /// What is to be done.
        then: Box<Self>,
    },
    /// The operator has made a one-time code for an account whose password is forgotten.
    OperatorCode {
        /// Number of the question that is answered; no client has it.
        asker: SessionId,
        /// The account that the code opens.
        account: AccountId,
        /// The hash of the code.
        credential: String,
    },
    /// A line of the operator: `ban`, `lock` and what else staff may do without a body.
    Operator {
        /// Who is to be answered; no client has this number.
        asker: SessionId,
        /// The line.
        line: String,
    },
    /// A browser whose user has proved to own an account would like to build with it on the page for builders.
    OpenDesk {
        /// Who is to be answered; no client has this number.
        asker: SessionId,
        /// The account.
        account: AccountId,
        /// The hash of what the page will show.
        token: String,
    },
    /// Such a page is closed.
    CloseDesk {
        /// Who is to be answered; no client has this number.
        asker: SessionId,
        /// The account.
        account: AccountId,
        /// The hash of what the page showed.
        token: String,
    },
    /// What the page of a builder asks, who has shown what it keeps.
    Desk {
        /// Who is to be answered; no client has this number.
        asker: SessionId,
        /// The account.
        account: AccountId,
        /// What it asks.
        ask: DeskAsk,
    },
    /// A line typed by a logged-in client: one line of clean text, bounded, without line ends.
    Command {
        /// The client.
        session: SessionId,
        /// The line.
        line: String,
    },
    /// The client is gone; its body becomes link-dead.
    Lost {
        /// The client.
        session: SessionId,
    },
    /// Which structured data the client asked for; from now on it is sent, and all of it at once.
    Wants {
        /// The client.
        session: SessionId,
        /// What it wants.
        packages: Packages,
    },
    /// A client asks for structured data that it could have anyway, all of it at once.
    Asks {
        /// The client.
        session: SessionId,
        /// For what.
        what: Ask,
    },
    /// The client says of itself that what it shows is read aloud. Its account takes screen reader mode from it, unless the
    /// player has said otherwise.
    UsesScreenReader {
        /// The client.
        session: SessionId,
    },
    /// Words of the operator to everybody.
    Broadcast {
        /// One line of clean text.
        text: String,
    },
    /// The token that makes whoever claims it the owner; given on the first start of a fresh world.
    OwnerToken {
        /// The token.
        token: String,
    },
    /// Storage cannot be written (or can again): while it cannot, nothing changes and players are told so.
    StorageReadOnly(
        /// Whether it is so.
        bool,
    ),
    /// Content that was read without a mistake takes the place of what is in force. No recording has it: one begins anew
    /// behind it.
    #[serde(skip)]
    Content {
        /// The clients of the staff who asked for it.
        askers: Vec<SessionId>,
        /// The definitions.
        content: Content,
    },
    /// The content that staff had read again cannot come into force.
    ContentRefused {
        /// The clients of the staff who asked for it.
        askers: Vec<SessionId>,
        /// Why, a line each.
        mistakes: Vec<String>,
    },
    /// The file of a zone has been written.
    ZoneWritten {
        /// Who asked.
        asker: SessionId,
        /// Its key.
        zone: String,
        /// The digest of what it was to say.
        digest: String,
        /// Where it is, or why it is not written.
        came: Result<String, Declined>,
    },
    /// The files of zones have been read.
    ZonesRead {
        /// Who asked.
        asker: SessionId,
        /// Their keys.
        zones: Vec<String>,
        /// What for.
        then: ZoneUse,
        /// What each of them says, or why one cannot be read.
        came: Result<Vec<String>, Declined>,
    },
    /// The files of what was made in the game are written, or some are not.
    MadeWritten {
        /// Who asked.
        asker: SessionId,
        /// What came of each.
        came: Vec<MadeCame>,
        /// Files that lie there besides.
        others: Vec<String>,
    },
    /// All such files have been read, or cannot be.
    MadeRead {
        /// Who asked.
        asker: SessionId,
        /// What for.
        then: ZoneUse,
        /// Path and text of each.
        came: Result<Vec<(String, String)>, Declined>,
    },
    /// Nothing but the passing of time: carries out what is due.
    Wake,
}

/// Definitions that can be handed over without being looked at: the same are those read at the same time.
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
    /// The same, if an account's password or recovery code still has this hash.
    #[must_use]
    pub fn proved(self, account: AccountId, proof: &str) -> Self {
        Self::Proved { account, proof: proof.to_owned(), then: Box::new(self) }
    }

    /// The same, from an address.
    #[must_use]
    pub fn from(self, address: IpAddr) -> Self {
        Self::From { address, then: Box::new(self) }
    }

    /// What is to be done, whoever proved what, wherever they call from.
    fn deed(&self) -> &Self {
        match self {
            Self::Proved { then, .. } | Self::From { then, .. } => then.deed(),
            deed => deed,
        }
    }

    /// Whether somebody wants to come in.
    pub fn enters(&self) -> bool {
        matches!(self.deed(), Self::Create { .. } | Self::Visit { .. }) || self.entering().is_some()
    }

    /// The account that somebody comes in with.
    pub fn entering(&self) -> Option<AccountId> {
        match self.deed() {
            Self::Login { account, .. }
            | Self::Recovered { account, .. }
            | Self::TakeSeat { account, .. } => Some(*account),
            _ => None,
        }
    }

    /// The account of a builder whose page asks.
    pub fn builder(&self) -> Option<AccountId> {
        match self.deed() {
            Self::OpenDesk { account, .. } | Self::Desk { account, .. } => Some(*account),
            _ => None,
        }
    }

    /// The client whose doing it is, if it is anybody's.
    pub fn session(&self) -> Option<SessionId> {
        match self.deed() {
            Self::Create { session, .. }
            | Self::Login { session, .. }
            | Self::NewPassword { session, .. }
            | Self::Recovery { session, .. }
            | Self::DeleteAccount { session, .. }
            | Self::OneTimeCode { session, .. }
            | Self::Recovered { session, .. }
            | Self::Visit { session, .. }
            | Self::Join { session, .. }
            | Self::KeepSeat { session, .. }
            | Self::TakeSeat { session, .. }
            | Self::Command { session, .. }
            | Self::Lost { session }
            | Self::Wants { session, .. }
            | Self::Asks { session, .. }
            | Self::UsesScreenReader { session } => Some(*session),
            Self::Proved { .. }
            | Self::From { .. }
            | Self::Operator { .. }
            | Self::OperatorCode { .. }
            | Self::OpenDesk { .. }
            | Self::CloseDesk { .. }
            | Self::Desk { .. }
            | Self::Credential { .. }
            | Self::Broadcast { .. }
            | Self::OwnerToken { .. }
            | Self::StorageReadOnly(_)
            | Self::Content { .. }
            | Self::ContentRefused { .. }
            | Self::ZoneWritten { .. }
            | Self::ZonesRead { .. }
            | Self::MadeWritten { .. }
            | Self::MadeRead { .. }
            | Self::Wake => None,
        }
    }
}

/// What a client may ask for at any time, if it wants such data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Ask {
    /// `Char.Items.Inv`: what is carried.
    Pack,
    /// `Char.Items.Room`: what is in the room.
    Room,
    /// `Char.Items.Contents`: what is in a container in reach.
    Contents(ItemId),
    /// `Comm.Channel.Players`: who hears which channel.
    ChannelPlayers,
}
