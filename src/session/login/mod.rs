//! Login dialog: from the name prompt to a request that the authenticator or the game answers. Checks no passwords and
//! reads no accounts.
//!
//! ```text
//! Name ---> LookingUp ---> Password ---> Checking ------------------> the game
//!               |
//!               +---> Confirm ---> NewPassword ---> Repeat ---> Creating ---> the game
//!
//! Name         NAME, create NAME           LookingUp
//!              connect NAME                Password
//!              connect NAME PASSWORD       Checking
//!              create NAME PASSWORD        Creating
//!              recover NAME                Code
//!              guest                       Creating
//! LookingUp    known, free, unfit          Password, Confirm, Name (after create: Name, NewPassword, Name)
//! Password     a line, an empty line       Checking, Name
//! Checking     right, wrong                the game, Password (Name if it all came in one line)
//! Confirm      yes, no                     NewPassword, Name
//! NewPassword  valid, invalid, empty       Repeat, NewPassword, Name
//! Repeat       the same, another           Creating, NewPassword
//! Creating     created, refused            the game, Name
//! Code         a line, an empty line       NewPassword, Name; then Checking in place of Creating
//! ```
//!
//! Input stays hidden from `Password` or `NewPassword` until `Name` or the game is reached, so that quick retries
//! change ECHO only twice (rules 5 and 6).

pub(super) mod form;
pub(super) mod gmcp;
pub(super) mod password_dialog;
mod password_rules;
pub(super) mod seat;
pub(super) mod settings;
mod name_prompt;

use deepwell_core::text::{Markup, Style};
use deepwell_game::CloseReason;

use crate::session::client::render::Screen;
use crate::session::{BrowserKey, NameStatus, Request, Secret, SessionAction};

/// Refusal of a new character whose name is taken.
const TAKEN: &str = "That name is taken. Type it alone to come in with it.";

/// Credentials of a web client that returns with a seat token.
pub(super) struct SeatCredentials {
    /// Name of the account or of one of its characters.
    pub(super) name: String,
    /// Token for this login.
    pub(super) token: Secret,
    /// Token for the next login.
    pub(super) next: Secret,
}

/// State of the dialog.
enum LoginState {
    /// Name prompt.
    Name,
    /// Waits for the look-up of a name; `creates` is set if the player asked for a new character.
    LookingUp { name: String, creates: bool },
    /// Password prompt.
    Password { name: String },
    /// Waits for the password check. `retry` is the name for another try, if the password was typed at the hidden
    /// prompt.
    Checking { retry: Option<String> },
    /// Confirmation of a new character.
    Confirm { name: String },
    /// Recovery code prompt.
    Code { name: String },
    /// New password prompt, for a new character or, with a recovery code, for an existing one.
    NewPassword { name: String, code: Option<Secret> },
    /// Prompt to repeat the new password.
    Repeat { name: String, code: Option<Secret>, password: Secret },
    /// Waits for the creation of the account.
    Creating,
}

/// Login dialog of one client.
pub(super) struct Login {
    state: LoginState,
    failures: u32,
    failures_max: u32,
    /// TLS port, if this connection is not encrypted.
    tls_port: Option<u16>,
    /// The last password, and the line that contained it if it held more.
    spoken: Vec<Secret>,
    /// Set if the account being created is a guest's.
    visits: bool,
}

impl Login {
    /// Creates a dialog at the name prompt. `tls_port` is mentioned in the help.
    pub(super) fn new(failures_max: u32, tls_port: Option<u16>) -> Self {
        Self {
            state: LoginState::Name,
            failures: 0,
            failures_max,
            tls_port,
            spoken: Vec::new(),
            visits: false,
        }
    }

    /// Returns the prompt; `None` while an answer is pending.
    pub(super) fn prompt(&self) -> Option<Markup> {
        let prompt = match &self.state {
            LoginState::Name => "Your name: ",
            LoginState::Password { .. } => "password: ",
            LoginState::Code { .. } => "recovery code: ",
            LoginState::Confirm { name } => return Some(format!("Create {name}? yes/no: ").into()),
            LoginState::NewPassword { .. } => "new password: ",
            LoginState::Repeat { .. } => "the same password: ",
            LoginState::LookingUp { .. } | LoginState::Checking { .. } | LoginState::Creating => return None,
        };
        Some(Markup::plain(prompt))
    }

    /// Returns `true` while an answer is pending.
    pub(super) fn waits(&self) -> bool {
        self.prompt().is_none()
    }

    /// Handles a line from the client. Returns the request to make, or the reason to close the session.
    pub(super) fn line(&mut self, line: Secret, screen: &mut Screen) -> Option<SessionAction> {
        screen.want_prompt();
        match std::mem::replace(&mut self.state, LoginState::Name) {
            LoginState::Name => return self.name_line(&line, screen),
            LoginState::Password { .. } | LoginState::NewPassword { .. } | LoginState::Code { .. }
                if line.0.is_empty() =>
            {
                screen.show_input();
            }
            LoginState::Password { .. } | LoginState::Code { .. } if !line.is_legible() => {
                screen.show_input();
                screen.say(password_rules::ILLEGIBLE);
            }
            LoginState::Password { name } => {
                return Some(SessionAction::Ask(self.authenticate(name.clone(), line, Some(name), screen)));
            }
            LoginState::Confirm { name } => self.confirmed(name, line.0.trim(), screen),
            LoginState::Code { name } => self.new_password_for(name, Some(line), screen),
            LoginState::NewPassword { name, code } => self.new_password(name, code, line, screen),
            LoginState::Repeat { name, code: Some(code), password } if password == line => {
                return Some(SessionAction::Ask(self.recover(name, code, line, screen)));
            }
            LoginState::Repeat { name, code: None, password } if password == line => {
                return Some(SessionAction::Ask(self.create(name, line, screen)));
            }
            LoginState::Repeat { name, code, .. } => {
                screen.say("The two are not the same. Choose again.");
                self.state = LoginState::NewPassword { name, code };
            }
            // Lines are queued while an answer is pending.
            waiting @ (LoginState::LookingUp { .. } | LoginState::Checking { .. } | LoginState::Creating) => {
                self.state = waiting;
            }
        }
        None
    }

    /// Takes a name and a password sent by GMCP, in any state.
    pub(super) fn take_credentials(
        &mut self,
        name: String,
        password: Secret,
        screen: &mut Screen,
    ) -> Request {
        screen.show_input();
        self.authenticate(name, password, None, screen)
    }

    /// Starts a guest login.
    pub(super) fn visit(&mut self, screen: &mut Screen) -> Request {
        screen.show_input();
        self.visits = true;
        self.state = LoginState::Creating;
        Request::Visit { pre_login: Box::new(screen.settings().clone()) }
    }

    /// Creates an account with a valid new name and password.
    pub(super) fn take_new_account(
        &mut self,
        name: String,
        password: Secret,
        screen: &mut Screen,
    ) -> Request {
        screen.show_input();
        self.create(name, password, screen)
    }

    /// Takes a seat token that the web client sends instead of a password, in any state.
    pub(super) fn take_seat(
        &mut self,
        browser: BrowserKey,
        shown: SeatCredentials,
        screen: &mut Screen,
    ) -> Request {
        screen.show_input();
        self.state = LoginState::Checking { retry: None };
        let SeatCredentials { name, token, next } = shown;
        Request::TakeSeat { name, browser, token, next, pre_login: Box::new(screen.settings().clone()) }
    }

    /// Handles the answer to [`Request::LookUp`].
    pub(super) fn name_looked_up(&mut self, standing: &NameStatus, screen: &mut Screen) {
        let LoginState::LookingUp { name, creates } = &mut self.state else { return };
        let (name, creates) = (std::mem::take(name), *creates);
        self.state = LoginState::Name;
        match standing {
            NameStatus::Known if creates => screen.say(TAKEN),
            NameStatus::Known => self.ask_password(name, screen),
            NameStatus::Free if creates => self.ask_new_password(name, screen),
            NameStatus::Free => {
                screen.text(
                    &Markup::plain("Nobody here is called ")
                        .with(Style::Player, &name)
                        .and(". You can be the first."),
                );
                self.state = LoginState::Confirm { name };
            }
            NameStatus::Unfit(reason) => screen.say(reason),
        }
    }

    /// Handles a refused login or creation. Returns a reason if there were too many tries.
    pub(super) fn failed(&mut self, reason: &str, screen: &mut Screen) -> Option<CloseReason> {
        self.ask_again(reason, 1, screen)
    }

    /// Handles a login or creation that the server could not process; it does not count as a try.
    pub(super) fn postponed(&mut self, reason: &str, screen: &mut Screen) {
        self.ask_again(reason, 0, screen);
    }

    fn ask_again(&mut self, reason: &str, tries: u32, screen: &mut Screen) -> Option<CloseReason> {
        let state = std::mem::replace(&mut self.state, LoginState::Name);
        if !matches!(state, LoginState::Checking { .. } | LoginState::Creating) {
            self.state = state;
            return None;
        }
        self.spoken.clear();
        self.visits = false;
        self.failures += tries;
        let enough = self.failures >= self.failures_max;
        match state {
            LoginState::Checking { retry: Some(name) } if !enough => {
                self.state = LoginState::Password { name }
            }
            _ => screen.show_input(),
        }
        screen.say(reason);
        if enough {
            screen.say("That was one try too many. Come back later.");
        }
        enough.then_some(CloseReason::LoginFailed)
    }

    /// Returns `true` if the login is a guest's.
    pub(super) const fn is_visit(&self) -> bool {
        self.visits
    }

    /// Takes the passwords that must not be interpreted as commands if the client sends them again.
    pub(super) fn take_spoken(&mut self) -> Vec<Secret> {
        std::mem::take(&mut self.spoken)
    }

    fn confirmed(&mut self, name: String, answer: &str, screen: &mut Screen) {
        match answer.to_ascii_lowercase().as_str() {
            "yes" | "y" => self.ask_new_password(name, screen),
            "no" | "n" => {}
            _ => {
                screen.say("Type yes or no.");
                self.state = LoginState::Confirm { name };
            }
        }
    }

    fn ask_password(&mut self, name: String, screen: &mut Screen) {
        screen.hide_input();
        screen.want_prompt();
        self.state = LoginState::Password { name };
    }

    fn ask_new_password(&mut self, name: String, screen: &mut Screen) {
        self.new_password_for(name, None, screen);
    }

    fn new_password_for(&mut self, name: String, code: Option<Secret>, screen: &mut Screen) {
        screen.say("Choose a password of at least six characters. What you type is not shown.");
        screen.hide_input();
        self.state = LoginState::NewPassword { name, code };
    }

    fn new_password(&mut self, name: String, code: Option<Secret>, password: Secret, screen: &mut Screen) {
        self.state = match password_rules::flaw(&name, &password.0) {
            Some(flaw) => {
                screen.say(flaw);
                LoginState::NewPassword { name, code }
            }
            None => LoginState::Repeat { name, code, password },
        };
    }

    fn recover(&mut self, name: String, code: Secret, password: Secret, screen: &Screen) -> Request {
        self.spoken = vec![password.clone(), code.clone()];
        self.state = LoginState::Checking { retry: None };
        Request::Recover { name, code, password, pre_login: Box::new(screen.settings().clone()) }
    }

    /// Asks for a password check. `retry` is the name for another try.
    fn authenticate(
        &mut self,
        name: String,
        password: Secret,
        retry: Option<String>,
        screen: &Screen,
    ) -> Request {
        self.spoken = vec![password.clone()];
        self.state = LoginState::Checking { retry };
        Request::Authenticate { name, password, pre_login: Box::new(screen.settings().clone()) }
    }

    fn create(&mut self, name: String, password: Secret, screen: &Screen) -> Request {
        self.spoken = vec![password.clone()];
        self.state = LoginState::Creating;
        Request::Create { name, password, pre_login: Box::new(screen.settings().clone()) }
    }
}
