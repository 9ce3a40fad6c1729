//! Requests of a session to the server, and deliveries of the server to a session. `net` passes both on unchanged, and
//! the link between gateway and host serialises them.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use deepwell_core::base::{AccountId, SessionId};
use deepwell_core::text::Markup;
use deepwell_core::world::Settings;
use deepwell_game::{Effect, Input, Output};

use super::{BrowserKey, MsspFigures, Secret, secret};

/// A request of a session to the server.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Look up an account or character by name, and check whether a new one may have the name. Answered with
    /// [`Delivery::NameLookedUp`].
    LookUp {
        /// Name in its displayed form.
        name: String,
    },
    /// Check a new name. Answered with [`Delivery::NameChecked`].
    CheckName {
        /// Name as typed.
        name: String,
    },
    /// Check a password: [`Input::Login`] if it is right, else [`Delivery::LoginFailed`].
    Authenticate {
        /// Name as typed; it may be invalid.
        name: String,
        /// Password as typed.
        #[serde(with = "secret::on_link")]
        password: Secret,
        /// Settings made at the name prompt.
        pre_login: Box<Settings>,
    },
    /// Log in a guest without an account: [`Input::Visit`], or [`Delivery::LoginPostponed`].
    Visit {
        /// Settings made at the name prompt.
        pre_login: Box<Settings>,
    },
    /// Turn the guest into a character: the game answers with [`Local::Joined`](deepwell_game::effect::Local) or
    /// [`Local::NotJoined`](deepwell_game::effect::Local), or the server with [`Delivery::PasswordRefused`].
    Join {
        /// Name as typed.
        name: String,
        /// Password of valid length.
        #[serde(with = "secret::on_link")]
        password: Secret,
    },
    /// Hash a password and send [`Input::Create`], or answer with [`Delivery::LoginFailed`].
    Create {
        /// Name in its displayed form.
        name: String,
        /// Password of valid length.
        #[serde(with = "secret::on_link")]
        password: Secret,
        /// Settings made at the name prompt.
        pre_login: Box<Settings>,
    },
    /// Check the player's password and change it: the game answers with
    /// [`Local::PasswordChanged`](deepwell_game::effect::Local), or the server with [`Delivery::PasswordRefused`].
    ChangePassword {
        /// Present password.
        #[serde(with = "secret::on_link")]
        old: Secret,
        /// New password of valid length.
        #[serde(with = "secret::on_link")]
        new: Secret,
    },
    /// Check the player's password and create a recovery code: [`Delivery::RecoveryMade`], then the game's
    /// [`Local::RecoveryKept`](deepwell_game::effect::Local), or [`Delivery::PasswordRefused`].
    MakeRecovery {
        /// Present password.
        #[serde(with = "secret::on_link")]
        password: Secret,
    },
    /// Check the player's password and delete the account if the name matches: the game closes the session, or answers
    /// with [`Local::AccountKept`](deepwell_game::effect::Local), or the server with [`Delivery::PasswordRefused`].
    DeleteAccount {
        /// Present password.
        #[serde(with = "secret::on_link")]
        password: Secret,
        /// Name as typed.
        #[serde(with = "secret::on_link")]
        name: Secret,
    },
    /// Create a recovery code for another account, on behalf of staff: [`Delivery::RecoveryMade`], then the game's
    /// [`Local::OneTimeCodeKept`](deepwell_game::effect::Local), or [`Delivery::PasswordRefused`].
    MakeCode {
        /// Account that the code opens.
        account: AccountId,
    },
    /// Log in with a recovery code and set a new password. Answered like [`Request::Authenticate`].
    Recover {
        /// Name as typed.
        name: String,
        /// Code as typed.
        #[serde(with = "secret::on_link")]
        code: Secret,
        /// New password of valid length.
        #[serde(with = "secret::on_link")]
        password: Secret,
        /// Settings made at the name prompt.
        pre_login: Box<Settings>,
    },
    /// Store a seat token, with which the player's web client can return: the game answers with
    /// [`Local::SeatKept`](deepwell_game::effect::Local), or there is no answer.
    KeepSeat {
        /// Browser that the token is bound to.
        browser: BrowserKey,
        /// Seat token.
        #[serde(with = "secret::on_link")]
        token: Secret,
    },
    /// Log in with a seat token and replace it. Answered like [`Request::Authenticate`].
    TakeSeat {
        /// Name of the account or of one of its characters.
        name: String,
        /// Browser that sends the token.
        browser: BrowserKey,
        /// Seat token.
        #[serde(with = "secret::on_link")]
        token: Secret,
        /// Token that replaces it.
        #[serde(with = "secret::on_link")]
        next: Secret,
        /// Settings made at the name prompt.
        pre_login: Box<Settings>,
    },
    /// Request the list of players as text. Answered with [`Delivery::Show`].
    Who,
    /// Request the names of the players. Answered with [`Delivery::Players`].
    Players,
    /// Request figures for an MSSP crawler. Answered with [`Delivery::Status`].
    Status,
    /// Show a report on this connection to another session.
    Report {
        /// Session that asked for the report.
        to: SessionId,
        /// The report.
        text: Markup,
    },
    /// Input for the game.
    Game(Input),
}

/// Result of a name look-up.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum NameStatus {
    /// The name is taken.
    Known,
    /// The name is free and valid.
    Free,
    /// The name is free but invalid: a sentence for the player.
    Unfit(String),
}

/// A delivery of the server to a session.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Delivery {
    /// An effect of the game for this session.
    ///
    /// The game ends its answer to each command, and to entering, with [`Output::Prompt`]. It brings the prompt back
    /// after a command without output.
    Effect(Effect),
    /// Answer to a name look-up.
    NameLookedUp(NameStatus),
    /// Answer to the check of a new name.
    NameChecked {
        /// Name as typed.
        name: String,
        /// Problem with the name, if any: a sentence for the player.
        flaw: Option<String>,
    },
    /// Names of the players in the game, in alphabetical order.
    Players(Vec<String>),
    /// A login failed before it reached the game: a sentence for the player. It must be the same for a wrong password
    /// and for an unknown name.
    LoginFailed(Cow<'static, str>),
    /// A login was not processed because the server is busy or in trouble: a sentence for the player. It does not count
    /// as a try.
    LoginPostponed(Cow<'static, str>),
    /// The client waits for the check of its password, or for the hash of a new one, as this number in the queue.
    Queued(u32),
    /// A password was not changed, a code was not created, or the answer to either will never arrive: a sentence for
    /// the player, shown only if an answer is pending.
    PasswordRefused(Cow<'static, str>),
    /// A command was rolled back, and its answer will never arrive: text for the player.
    NotAnswered(Arc<Markup>),
    /// The world was reloaded and the client attached to it again, which the game answers like a command. The sentence
    /// is for a player who waits for the answer of a password dialog.
    Reattached(Cow<'static, str>),
    /// New recovery code; it is shown when the game has stored its hash.
    RecoveryMade(#[serde(with = "secret::on_link")] Secret),
    /// Figures for a crawler: sent by the MSSP option if requested that way, else as text.
    Status(MsspFigures),
    /// Text from the server outside the game, such as the list of players or a shutdown notice.
    Show(Arc<Markup>),
}

impl Delivery {
    /// Estimates the size on the wire in bytes; never far too small.
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
            | Self::Queued(_)
            | Self::PasswordRefused(_)
            | Self::Reattached(_)
            | Self::RecoveryMade(_) => SMALL,
        }
    }
}
