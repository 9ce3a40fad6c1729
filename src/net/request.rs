//! What a connection asks of the game's driver. One channel carries all of it, so that what a client did first
//! happens first.

use std::net::IpAddr;
use std::sync::Arc;

use crate::base::SessionId;
use crate::game::Input;
use crate::net::Outbox;
use crate::session::Secret;
use crate::text::Markup;
use crate::world::Settings;

/// One wish of a connection. Answers come through the session's outbox.
pub enum Request {
    /// A client is there; comes before everything else of its session.
    Connected {
        /// The client.
        session: SessionId,
        /// Where it calls from.
        address: IpAddr,
        /// Where answers go.
        outbox: Arc<Outbox>,
    },
    /// Is there an account or character of this name? Answered by `Delivery::NameKnown`.
    LookUp {
        /// The client.
        session: SessionId,
        /// The name as typed.
        name: String,
    },
    /// Log in, if the password is right. Answered by `Effect::Entered`, `Effect::Refused` or `Delivery::LoginFailed`.
    Authenticate {
        /// The client.
        session: SessionId,
        /// The name as typed.
        name: String,
        /// The password.
        password: Secret,
        /// What was set before logging in.
        pre_login: Settings,
    },
    /// Make an account. Answered as `Authenticate` is.
    Create {
        /// The client.
        session: SessionId,
        /// The name as typed.
        name: String,
        /// The password.
        password: Secret,
        /// What was set before logging in.
        pre_login: Settings,
    },
    /// Another password for who plays. Answered by `Local::PasswordChanged` or `Delivery::PasswordRefused`.
    ChangePassword {
        /// The client.
        session: SessionId,
        /// The password as it is.
        old: Secret,
        /// The other.
        new: Secret,
    },
    /// A recovery code for who plays. Answered by `Delivery::RecoveryMade` and `Local::RecoveryKept`, or
    /// `Delivery::PasswordRefused`.
    MakeRecovery {
        /// The client.
        session: SessionId,
        /// The password.
        password: Secret,
    },
    /// Log in by a recovery code. Answered as `Authenticate` is.
    Recover {
        /// The client.
        session: SessionId,
        /// The name as typed.
        name: String,
        /// The code as typed.
        code: Secret,
        /// The new password.
        password: Secret,
        /// What was set before logging in.
        pre_login: Settings,
    },
    /// Who plays? Answered by `Delivery::Show`.
    Who {
        /// The client.
        session: SessionId,
    },
    /// A crawler wants figures. Answered by `Delivery::Status`.
    Status {
        /// The client.
        session: SessionId,
    },
    /// Show another client something, if it is still there.
    Report {
        /// The client.
        to: SessionId,
        /// What.
        text: Markup,
    },
    /// Something for the game.
    Game(Input),
    /// The client is gone; nothing of its session follows.
    Ended {
        /// The client.
        session: SessionId,
    },
}
