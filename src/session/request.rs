//! What a session may ask of the server, and what the server may bring it. Both are declared here and nowhere else: `net`
//! carries them as they are, and the server answers.

use std::sync::Arc;

use crate::base::{AccountId, SessionId};
use crate::game::{Effect, Input, Output};
use crate::text::Markup;
use crate::world::Settings;

use super::{BrowserKey, Figures, Secret};

/// One thing that a session asks of the server.
#[derive(Clone, PartialEq, Debug)]
pub enum Request {
    /// Is there an account or a character of this name, and might there be? Answered with [`Delivery::NameLookedUp`].
    LookUp {
        /// The name, as it would be shown.
        name: String,
    },
    /// Will a new name do? Answered with [`Delivery::NameChecked`].
    CheckName {
        /// The name as typed.
        name: String,
    },
    /// Check a password: [`Input::Login`] if it is right, else [`Delivery::LoginFailed`].
    Authenticate {
        /// The name as typed; perhaps no possible name at all.
        name: String,
        /// The password as typed.
        password: Secret,
        /// What was chosen at the name prompt.
        pre_login: Settings,
    },
    /// Let somebody look around without an account: [`Input::Visit`], or [`Delivery::LoginPostponed`].
    Visit {
        /// What was chosen at the name prompt.
        pre_login: Settings,
    },
    /// Make a character of the guest who plays: the game answers with [`Local::Joined`](crate::game::effect::Local) or
    /// [`Local::NotJoined`](crate::game::effect::Local), or the server with [`Delivery::PasswordRefused`].
    Join {
        /// The name as typed.
        name: String,
        /// The password, neither too short nor too long.
        password: Secret,
    },
    /// Hash a password and send [`Input::Create`], or answer with [`Delivery::LoginFailed`].
    Create {
        /// The name, as it would be shown.
        name: String,
        /// The password, neither too short nor too long.
        password: Secret,
        /// What was chosen at the name prompt.
        pre_login: Settings,
    },
    /// Check the password of who plays, and give the account another: the game answers with
    /// [`Local::PasswordChanged`](crate::game::effect::Local), or the server with [`Delivery::PasswordRefused`].
    ChangePassword {
        /// The password as it is.
        old: Secret,
        /// The other, neither too short nor too long.
        new: Secret,
    },
    /// Check the password of who plays, and make a recovery code: [`Delivery::RecoveryMade`] and then the game's
    /// [`Local::RecoveryKept`](crate::game::effect::Local), or [`Delivery::PasswordRefused`].
    MakeRecovery {
        /// The password.
        password: Secret,
    },
    /// Check the password of who plays, and delete the account if that is its name: the game closes the session, or answers
    /// with [`Local::AccountKept`](crate::game::effect::Local), or the server with [`Delivery::PasswordRefused`].
    DeleteAccount {
        /// The password.
        password: Secret,
        /// The name as typed.
        name: Secret,
    },
    /// Make a code for somebody else, whom staff let in: [`Delivery::RecoveryMade`] and then the game's
    /// [`Local::OneTimeCodeKept`](crate::game::effect::Local), or [`Delivery::PasswordRefused`].
    MakeCode {
        /// Whose account it opens.
        account: AccountId,
    },
    /// Let in who has a recovery code, with a new password. Answered as [`Request::Authenticate`] is.
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
    /// Let the page of who plays come back with a token: the game answers with
    /// [`Local::SeatKept`](crate::game::effect::Local), or nothing comes of it.
    KeepSeat {
        /// The browser that the token is bound to.
        browser: BrowserKey,
        /// The token.
        token: Secret,
    },
    /// Let in who shows a token, which another replaces. Answered as [`Request::Authenticate`] is.
    TakeSeat {
        /// The name of the account or of one of its characters.
        name: String,
        /// The browser that shows it.
        browser: BrowserKey,
        /// The token.
        token: Secret,
        /// What takes its place.
        next: Secret,
        /// What was chosen at the name prompt.
        pre_login: Settings,
    },
    /// Who plays? Answered with [`Delivery::Show`].
    Who,
    /// Who plays, by names? Answered with [`Delivery::Players`].
    Players,
    /// A crawler wants figures. Answered with [`Delivery::Status`].
    Status,
    /// Show another client how this one is connected.
    Report {
        /// Who asked.
        to: SessionId,
        /// What to show.
        text: Markup,
    },
    /// For the game.
    Game(Input),
}

/// How a name stands that somebody typed.
#[derive(Clone, PartialEq, Debug)]
pub enum Standing {
    /// Somebody has it.
    Known,
    /// Nobody has it, and somebody might.
    Free,
    /// Nobody has it, and nobody can: a sentence for the player.
    Unfit(String),
}

/// One thing that the server brings to a session.
#[derive(Clone, PartialEq, Debug)]
pub enum Delivery {
    /// An effect of the game that names this session.
    ///
    /// The game ends its answer to each command, and to entering, with [`Output::Prompt`]: that is what brings the
    /// prompt back after a command that printed nothing.
    Effect(Effect),
    /// The answer to a look-up of a name.
    NameLookedUp(Standing),
    /// What is wrong with a new name, if anything is.
    NameChecked {
        /// The name as typed.
        name: String,
        /// A sentence for the player.
        flaw: Option<String>,
    },
    /// The names of who plays, in alphabetical order.
    Players(Vec<String>),
    /// A login that failed before the game saw it: one sentence for the player. For a wrong password and for an unknown
    /// name it must be the same.
    LoginFailed(&'static str),
    /// A login that could not be looked at, because the server is busy or in trouble: one sentence for the player, whose
    /// try does not count.
    LoginPostponed(&'static str),
    /// A password that was not changed, or a code that was not made, or an answer to either that will never come: one
    /// sentence for the player. Whoever awaits no answer is told nothing.
    PasswordRefused(&'static str),
    /// A line that was lost with the moment it was played in: words about it. Its answer never comes.
    NotAnswered(Arc<Markup>),
    /// The world was read back, and the client is attached to it again, which the game answers as it answers a command.
    /// Whoever awaits an answer to a password is told this sentence.
    Reattached(&'static str),
    /// A recovery code that has been made; it is shown when the game has kept its hash.
    RecoveryMade(Secret),
    /// Figures for a crawler: by the option if that was how they were asked for, else as text.
    Status(Figures),
    /// Text from the server outside the game: who plays, that it stops.
    Show(Arc<Markup>),
}

impl Delivery {
    /// About how many bytes it will be on the wire; an estimate that is never far too small.
    pub fn bytes(&self) -> usize {
        const SMALL: usize = 64;
        const ROOM: usize = 1_024;
        match self {
            Self::Effect(Effect::Output { output: Output::Text(_, text), .. })
            | Self::Show(text)
            | Self::NotAnswered(text) => SMALL + text.text().len(),
            Self::Effect(Effect::Output { output: Output::Data(_), .. }) | Self::Status(_) => ROOM,
            Self::Players(names) => SMALL + names.iter().map(String::len).sum::<usize>(),
            Self::NameChecked { name, .. } => ROOM + name.len(),
            Self::Effect(_)
            | Self::NameLookedUp(_)
            | Self::LoginFailed(_)
            | Self::LoginPostponed(_)
            | Self::PasswordRefused(_)
            | Self::Reattached(_)
            | Self::RecoveryMade(_) => SMALL,
        }
    }
}
