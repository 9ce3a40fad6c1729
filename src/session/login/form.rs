//! Login forms of the web client, sent as GMCP messages of our own. Their contents are handled like input at the text
//! prompts and refused with the same texts.
//!
//! ```text
//! client -> server   Deepwell.Door.Check {"name"}                check a new name
//! server -> client   Deepwell.Door.Name {"name","flaw"}          problem with the name, or null
//! client -> server   Deepwell.Door.Create {"name","password"}    create a character
//! client -> server   Deepwell.Door.Connect {"name","password"}   log in
//! server -> client   Deepwell.Door.Queued {"message"}            number in the queue of password checks
//! server -> client   Deepwell.Door.Refused {"message"}           reason for a refusal
//! client -> server   Deepwell.Door.Visit                         play as a guest
//! server -> client   Deepwell.Door.Guest {"guest"}               whether the player is a guest
//! client -> server   Deepwell.Door.Join {"name","password"}      turn the guest into a character
//! client -> server   Deepwell.Door.Who                           request the list of players
//! server -> client   Deepwell.Door.Players {"count","names"}     number of players, and the first names
//! ```

use serde::Deserialize;
use serde_json::json;

use crate::session::client::render::Screen;
use crate::session::login::password_rules;
use crate::session::{Request, Secret, Session, SessionAction, SessionStage, Transport};
use deepwell_core::text::names;
use deepwell_core::text::names::NameError;
use deepwell_game::SEAT_REFUSED;

/// Maximum number of player names sent before login.
const NAMES: usize = 12;

/// Login method of the web client.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::session) enum LoginMethod {
    /// Not by a form or token: as text, or not yet.
    #[default]
    None,
    /// By a form.
    Form,
    /// By a seat token.
    Token,
    /// Guest login.
    Visit,
}

#[derive(Deserialize)]
struct LoginForm {
    name: String,
    #[serde(default)]
    password: String,
}

/// Problem with a form: a sentence for the player.
#[derive(Debug, thiserror::Error)]
enum FormFlaw {
    #[error(transparent)]
    Name(#[from] NameError),
    #[error("{0}")]
    Password(&'static str),
}

/// Returns the displayed form of the name, if name and password are valid.
fn fit_name(name: &str, password: &Secret) -> Result<String, FormFlaw> {
    let name = names::check(name, [], [])?.shown;
    password_rules::flaw(&name, &password.0).map_or(Ok(name), |flaw| Err(FormFlaw::Password(flaw)))
}

impl Session {
    /// Handles a message of the login forms; `package` is in lower case. Returns `false` for any other message.
    pub(in crate::session) fn door_message(
        &mut self,
        package: &str,
        body: &str,
        actions: &mut Vec<SessionAction>,
    ) -> bool {
        let Some(what) = package.strip_prefix("deepwell.door.") else { return false };
        if self.connection.transport != Transport::Web {
            return true;
        }
        match what {
            "join" => self.take_join(body, actions),
            "check" => self.check_name(body, actions),
            _ => self.take_entry(what, body, actions),
        }
        true
    }

    /// Handles a request to check a new name.
    fn check_name(&mut self, body: &str, actions: &mut Vec<SessionAction>) {
        if let Ok(LoginForm { name, .. }) = serde_json::from_str(body)
            && self.requests.take(self.now)
        {
            actions.push(SessionAction::Ask(Request::CheckName { name }));
        }
    }

    /// Handles a login form, a guest login, or a request for the list of players.
    fn take_entry(&mut self, what: &str, body: &str, actions: &mut Vec<SessionAction>) {
        let SessionStage::Login(login) = &mut self.stage else { return };
        if login.waits() {
            return;
        }
        match what {
            "who" if self.requests.take(self.now) => actions.push(SessionAction::Ask(Request::Players)),
            "visit" => {
                self.entry = LoginMethod::Visit;
                actions.push(SessionAction::Ask(login.visit(&mut self.screen)));
            }
            _ => self.take_form(what, body, actions),
        }
    }

    fn take_form(&mut self, what: &str, body: &str, actions: &mut Vec<SessionAction>) {
        let SessionStage::Login(login) = &mut self.stage else { return };
        let Ok(LoginForm { name, password }) = serde_json::from_str(body) else { return };
        let password = Secret(password);
        match what {
            "connect" if !password.is_legible() => {
                self.entry = LoginMethod::Form;
                self.entry_refused(password_rules::ILLEGIBLE);
            }
            "connect" => {
                self.entry = LoginMethod::Form;
                actions.push(SessionAction::Ask(login.take_credentials(name, password, &mut self.screen)));
            }
            "create" => {
                self.entry = LoginMethod::Form;
                match fit_name(&name, &password) {
                    Ok(name) => {
                        actions.push(SessionAction::Ask(
                            login.take_new_account(name, password, &mut self.screen),
                        ));
                    }
                    Err(flaw) => self.entry_refused(&flaw.to_string()),
                }
            }
            _ => {}
        }
    }

    /// Handles the form by which a guest becomes a character.
    fn take_join(&mut self, body: &str, actions: &mut Vec<SessionAction>) {
        let Ok(LoginForm { name, password }) = serde_json::from_str(body) else { return };
        if !self.is_playing() || self.is_asked() || !self.requests.take(self.now) {
            return;
        }
        self.entry = LoginMethod::Form;
        let password = Secret(password);
        match fit_name(&name, &password) {
            Ok(name) => self.ask_to_join(name, password, actions),
            Err(flaw) => self.entry_refused(&flaw.to_string()),
        }
    }

    /// Tells the web client whether its player is a guest.
    pub(in crate::session) fn tell_guest(&mut self, guest: bool) {
        if self.connection.transport == Transport::Web {
            let body = json!({ "guest": guest }).to_string();
            self.screen.terminal().gmcp("Deepwell.Door.Guest", &body);
        }
    }

    /// Tells the web client that the form it has sent waits.
    pub(in crate::session) fn entry_waits(&mut self, message: &str) {
        if self.entry == LoginMethod::Form {
            let body = json!({ "message": message }).to_string();
            self.screen.terminal().gmcp("Deepwell.Door.Queued", &body);
        }
    }

    /// Tells the web client why its login failed and, for a token, whether to forget it.
    pub(in crate::session) fn entry_refused(&mut self, message: &str) {
        let (package, body) = match std::mem::take(&mut self.entry) {
            LoginMethod::None => return,
            LoginMethod::Form | LoginMethod::Visit => {
                ("Deepwell.Door.Refused", json!({ "message": message }))
            }
            LoginMethod::Token => {
                ("Deepwell.Seat.Refused", json!({ "message": message, "forget": message == SEAT_REFUSED }))
            }
        };
        self.screen.terminal().gmcp(package, &body.to_string());
    }
}

/// Tells the web client whether a new name is valid.
pub(in crate::session) fn tell_name(screen: &mut Screen, name: &str, flaw: Option<&str>) {
    let body = json!({ "name": name, "flaw": flaw }).to_string();
    screen.terminal().gmcp("Deepwell.Door.Name", &body);
}

/// Sends the list of players to the web client.
pub(in crate::session) fn tell_players(screen: &mut Screen, names: &[String]) {
    let first = names.get(..NAMES).unwrap_or(names);
    let body = json!({ "count": names.len(), "names": first }).to_string();
    screen.terminal().gmcp("Deepwell.Door.Players", &body);
}
