//! What a session asks of those around it, and what it is told when it begins.

use crate::base::SessionId;
use crate::base::limits::Limits;
use crate::game::{Closed, Input};
use crate::text::Markup;
use crate::world::Settings;

#[cfg(doc)]
use super::Session;
use super::{Listing, MudletFiles, Ports, Secret};

/// What a session wants done, in the order in which it was asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// Is there an account or a character of this name? Answered with [`Session::name_known`].
    LookUp {
        /// The name, as it would be shown.
        name: String,
    },
    /// Check a password: [`Input::Login`] if it is right, else [`Session::login_failed`].
    Authenticate {
        /// The name as typed; perhaps no possible name at all.
        name: String,
        /// The password as typed.
        password: Secret,
        /// What was chosen at the name prompt.
        pre_login: Settings,
    },
    /// Hash a password and send [`Input::Create`], or call [`Session::login_failed`].
    Create {
        /// The name, as it would be shown.
        name: String,
        /// The password, neither too short nor too long.
        password: Secret,
        /// What was chosen at the name prompt.
        pre_login: Settings,
    },
    /// Check the password of who plays, and give the account another: the game answers with
    /// [`Local::PasswordChanged`](crate::game::effect::Local), or [`Session::password_refused`].
    ChangePassword {
        /// The password as it is.
        old: Secret,
        /// The other, neither too short nor too long.
        new: Secret,
    },
    /// Check the password of who plays, and make a recovery code: [`Session::recovery_made`] and then the game's
    /// [`Local::RecoveryKept`](crate::game::effect::Local), or [`Session::password_refused`].
    MakeRecovery {
        /// The password.
        password: Secret,
    },
    /// Let in who has a recovery code, with a new password. Answered as [`Action::Authenticate`] is.
    Recover {
        /// The name as typed.
        name: String,
        /// The code as typed.
        code: Secret,
        /// The new password, neither too short nor too long.
        password: Secret,
        /// What was chosen at the name prompt.
        pre_login: Settings,
    },
    /// Who plays? Answered with [`Session::show`].
    Who,
    /// A crawler wants figures. Answered with [`Session::status`].
    Status,
    /// Compress what is sent. Answered with [`Session::compress`] or [`Session::refuse_compression`].
    Compress,
    /// End the compression after everything that is to be sent now.
    Decompress,
    /// Show another client how this one is connected.
    Report {
        /// Who asked.
        to: SessionId,
        /// What to show.
        text: Markup,
    },
    /// For the game.
    Game(Input),
    /// Close the connection when everything before has been sent. Nothing comes after it.
    Close(Closed),
}

/// What all sessions of a server have in common.
#[derive(Clone, Debug, Default)]
pub struct SessionConfig {
    /// The bounds in force.
    pub limits: Limits,
    /// The server's name.
    pub name: String,
    /// What is shown before the first prompt.
    pub welcome: Markup,
    /// What Mudlet is offered, if the server knows its own address.
    pub mudlet: Option<MudletFiles>,
    /// What crawlers are told of the server.
    pub listing: Listing,
    /// Where players connect.
    pub ports: Ports,
    /// Whether compression is offered.
    pub compression: bool,
}
