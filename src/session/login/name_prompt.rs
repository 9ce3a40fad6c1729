//! Commands at the name prompt.

use crate::session::client::render::Screen;
use crate::session::login::{Login, LoginState, password_rules, settings};
use crate::session::{Request, Secret, SessionAction};
use deepwell_core::text::names;
use deepwell_game::CloseReason;

/// Help text at the name prompt.
const FIRST_HELP: &str = "Type the name of your character, or a new name to make one.\n\
    \n\
    - connect NAME PASSWORD: enter in one line\n\
    - create NAME PASSWORD: make a character in one line\n\
    - recover NAME: come in with a recovery code, if you forgot your password\n\
    - guest: look around the town first, without a password\n\
    - who: see who is here\n\
    - screenreader: plain sentences for speech and braille\n\
    - encoding utf-8, latin1, cp1251 or ascii: which letters you get\n\
    - colour off, 16, 256 or true: how many colours you get\n\
    - quit: leave";

impl Login {
    /// Handles a line typed at the name prompt. Returns the request to make, or the reason to close the session.
    pub(super) fn name_line(&mut self, line: &Secret, screen: &mut Screen) -> Option<SessionAction> {
        let input = line.0.trim_start();
        let (word, argument) = input.split_once(' ').unwrap_or((input, ""));
        let request = match word.to_ascii_lowercase().as_str() {
            "" => None,
            "connect" => self.connect(argument, line, screen),
            "create" => self.create_line(argument, line, screen),
            "recover" => {
                self.ask_code(argument, screen);
                None
            }
            "guest" => Some(self.visit(screen)),
            "who" => Some(Request::Who),
            "help" | "?" => {
                self.help(screen);
                None
            }
            "mssp-request" => Some(Request::Status),
            "quit" => {
                screen.say("The door closes softly behind you.");
                return Some(SessionAction::Close(CloseReason::Quit));
            }
            word if settings::obey(word, argument, screen) => None,
            _ => checked(input.trim(), screen).map(|name| self.look_up(name, false)),
        };
        request.map(SessionAction::Ask)
    }

    fn help(&self, screen: &mut Screen) {
        screen.say(FIRST_HELP);
        if let Some(port) = self.tls_port {
            screen
                .say(&format!("This connection is not encrypted. Port {port} takes encrypted ones, by TLS."));
        }
    }

    fn look_up(&mut self, name: String, creates: bool) -> Request {
        self.state = LoginState::LookingUp { name: name.clone(), creates };
        Request::LookUp { name }
    }

    /// Handles `connect NAME [PASSWORD]`. Reveals nothing about the name before the password has been checked.
    fn connect(&mut self, argument: &str, line: &Secret, screen: &mut Screen) -> Option<Request> {
        let (name, password) = name_and_password(argument);
        if name.is_empty() {
            screen.say("Type connect, your name and your password.");
        } else if password.is_empty() {
            self.ask_password(name.to_owned(), screen);
        } else if !line.is_legible() {
            screen.say(password_rules::ILLEGIBLE);
        } else {
            let request = self.authenticate(name.to_owned(), Secret(password.to_owned()), None, screen);
            self.spoken.push(line.clone());
            return Some(request);
        }
        None
    }

    /// Handles `create NAME [PASSWORD]`.
    fn create_line(&mut self, argument: &str, line: &Secret, screen: &mut Screen) -> Option<Request> {
        let (name, password) = name_and_password(argument);
        if name.is_empty() {
            screen.say("Type create, a name and a password.");
            return None;
        }
        let name = checked(name, screen)?;
        if password.is_empty() {
            return Some(self.look_up(name, true));
        }
        if let Some(flaw) = password_rules::flaw(&name, password) {
            screen.say(flaw);
            return None;
        }
        let request = self.create(name, Secret(password.to_owned()), screen);
        self.spoken.push(line.clone());
        Some(request)
    }

    /// Handles `recover NAME`. Does not reveal whether the name has a recovery code before the code has been checked.
    fn ask_code(&mut self, argument: &str, screen: &mut Screen) {
        let (name, _) = name_and_password(argument);
        if name.is_empty() {
            return screen.say("Type recover and your name. You are asked for your recovery code then.");
        }
        screen.hide_input();
        screen.want_prompt();
        self.state = LoginState::Code { name: name.to_owned() };
    }
}

/// Splits off the name. The password keeps its inner and trailing spaces.
fn name_and_password(argument: &str) -> (&str, &str) {
    let argument = argument.trim_start();
    let (name, password) = argument.split_once(' ').unwrap_or((argument, ""));
    (name, password.trim_start())
}

/// Returns the displayed form of the name, or `None` after telling the player the reason. The game checks for words of
/// the content when it looks the name up.
fn checked(typed: &str, screen: &mut Screen) -> Option<String> {
    match names::check(typed, [], []) {
        Ok(name) => Some(name.shown),
        Err(error) => {
            screen.say(&format!("That will not do: {error}. Type help if you are lost."));
            None
        }
    }
}
