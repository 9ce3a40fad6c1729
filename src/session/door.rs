//! The front door of the page: forms for a name and a password, sent as structured data of our own. What is in them goes the
//! same ways as what is typed at the prompts, and is refused in the same words.
//!
//! ```text
//! from the page   Deepwell.Door.Check {"name"}                whether a new name will do
//! to the page     Deepwell.Door.Name {"name","flaw"}          what is wrong with it, or null
//! from the page   Deepwell.Door.Create {"name","password"}    a new character
//! from the page   Deepwell.Door.Connect {"name","password"}   one that there is
//! to the page     Deepwell.Door.Refused {"message"}           why nobody came in
//! from the page   Deepwell.Door.Visit                         a look around first
//! to the page     Deepwell.Door.Guest {"guest"}               whether it plays a guest
//! from the page   Deepwell.Door.Join {"name","password"}      the guest becomes a character
//! from the page   Deepwell.Door.Who                           who plays
//! to the page     Deepwell.Door.Players {"count","names"}     the first of them
//! ```

use serde::Deserialize;
use serde_json::json;

use super::{Action, Request, Secret, Session, Stage, Transport, login};
use crate::game::SEAT_REFUSED;
use crate::text::names::{self, NameError};

/// Names of players that are told at the door.
const NAMES: usize = 12;

/// How the page tries to let its player in.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Entry {
    /// Not at all: by words, or not yet.
    #[default]
    None,
    /// By a form.
    Form,
    /// By a seat token.
    Token,
    /// By a look around first.
    Visit,
}

#[derive(Deserialize)]
struct Form {
    name: String,
    #[serde(default)]
    password: String,
}

/// Why a form is not sent on, in a sentence.
#[derive(Debug, thiserror::Error)]
enum FormFlaw {
    #[error(transparent)]
    Name(#[from] NameError),
    #[error("{0}")]
    Password(&'static str),
}

/// The name of a form as it will be shown, if the name may be one and the password will do.
fn fit_name(name: &str, password: &Secret) -> Result<String, FormFlaw> {
    let name = names::check(name, [], [])?.shown;
    login::flaw(&name, &password.0).map_or(Ok(name), |flaw| Err(FormFlaw::Password(flaw)))
}

impl Session {
    /// A message of the page's front door, its name in lower case; false if it is none.
    pub(super) fn door_message(&mut self, package: &str, body: &str, actions: &mut Vec<Action>) -> bool {
        let Some(what) = package.strip_prefix("deepwell.door.") else { return false };
        if self.link.transport != Transport::Web {
            return true;
        }
        match what {
            "join" => self.take_join(body, actions),
            "check" => self.check_name(body, actions),
            _ => self.take_entry(what, body, actions),
        }
        true
    }

    /// Somebody would like to know whether a new name will do.
    fn check_name(&mut self, body: &str, actions: &mut Vec<Action>) {
        if let Ok(Form { name, .. }) = serde_json::from_str(body)
            && self.requests.take(self.now)
        {
            actions.push(Action::Ask(Request::CheckName { name }));
        }
    }

    /// Somebody would like to come in, or to know who is there.
    fn take_entry(&mut self, what: &str, body: &str, actions: &mut Vec<Action>) {
        let Stage::Login(login) = &mut self.stage else { return };
        if login.waits() {
            return;
        }
        match what {
            "who" if self.requests.take(self.now) => actions.push(Action::Ask(Request::Players)),
            "visit" => {
                self.entry = Entry::Visit;
                login.visit(&mut self.screen, actions);
            }
            _ => self.take_form(what, body, actions),
        }
    }

    fn take_form(&mut self, what: &str, body: &str, actions: &mut Vec<Action>) {
        let Stage::Login(login) = &mut self.stage else { return };
        let Ok(Form { name, password }) = serde_json::from_str(body) else { return };
        let password = Secret(password);
        match what {
            "connect" if !password.is_legible() => {
                self.entry = Entry::Form;
                self.entry_refused(login::ILLEGIBLE);
            }
            "connect" => {
                self.entry = Entry::Form;
                login.take_credentials(name, password, &mut self.screen, actions);
            }
            "create" => {
                self.entry = Entry::Form;
                match fit_name(&name, &password) {
                    Ok(name) => login.take_new_account(name, password, &mut self.screen, actions),
                    Err(flaw) => self.entry_refused(&flaw.to_string()),
                }
            }
            _ => {}
        }
    }

    /// A guest would like to be a character.
    fn take_join(&mut self, body: &str, actions: &mut Vec<Action>) {
        let Ok(Form { name, password }) = serde_json::from_str(body) else { return };
        if !self.is_playing() || self.is_asked() || !self.requests.take(self.now) {
            return;
        }
        self.entry = Entry::Form;
        let password = Secret(password);
        match fit_name(&name, &password) {
            Ok(name) => self.ask_to_join(name, password, actions),
            Err(flaw) => self.entry_refused(&flaw.to_string()),
        }
    }

    /// Tells the page whether it plays a guest.
    pub(super) fn tell_guest(&mut self, guest: bool) {
        if self.link.transport == Transport::Web {
            let body = json!({ "guest": guest }).to_string();
            self.screen.terminal().gmcp("Deepwell.Door.Guest", &body);
        }
    }

    /// Tells the page whether a new name will do.
    pub(super) fn name_checked(&mut self, name: &str, flaw: Option<&str>) {
        let body = json!({ "name": name, "flaw": flaw }).to_string();
        self.screen.terminal().gmcp("Deepwell.Door.Name", &body);
    }

    /// Tells the page who plays.
    pub(super) fn tell_players(&mut self, names: &[String]) {
        let first = names.get(..NAMES).unwrap_or(names);
        let body = json!({ "count": names.len(), "names": first }).to_string();
        self.screen.terminal().gmcp("Deepwell.Door.Players", &body);
    }

    /// Tells a page that has tried why its player is not let in; whether a token is worth nothing for good, too.
    pub(super) fn entry_refused(&mut self, message: &str) {
        let (package, body) = match std::mem::take(&mut self.entry) {
            Entry::None => return,
            Entry::Form | Entry::Visit => ("Deepwell.Door.Refused", json!({ "message": message })),
            Entry::Token => {
                ("Deepwell.Seat.Refused", json!({ "message": message, "forget": message == SEAT_REFUSED }))
            }
        };
        self.screen.terminal().gmcp(package, &body.to_string());
    }
}
