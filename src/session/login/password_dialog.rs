//! Password dialogs of a player in the game: change of password, recovery code, deletion of the account, and the new
//! name of a guest. The game never sees their lines; the authenticator checks passwords.
//!
//! ```text
//! password: Old ---> New ---> Repeat ---> Waiting ---> the game
//! recovery: Old ---> Waiting ---> the game
//! delete:   Old ---> Name ---> Waiting ---> the game, or the end
//! join:     Name ---> New ---> Repeat ---> Waiting ---> the game
//!
//! Old      a line, an empty line      New, Name or Waiting, the game
//! Name     a line, an empty line      Waiting, the game
//! New      valid, invalid, empty      Repeat, New, the game
//! Repeat   the same, another          Waiting, New
//! Waiting  done, refused              the game
//! ```
//!
//! Input is hidden from the first question to the end, except for names.

use deepwell_core::base::AccountId;
use deepwell_core::text::{Markup, names};
use deepwell_game::effect::Local;

use crate::session::client::render::Screen;
use crate::session::login::form::LoginMethod;
use crate::session::login::{password_rules, seat};
use crate::session::{Request, Secret, Session, SessionAction, SessionStage};

/// Purpose of a dialog.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PasswordPurpose {
    /// Changes the password.
    Change,
    /// Creates a recovery code, which replaces the password once.
    Recovery,
    /// Creates a code for another account, requested by staff. Nothing is asked.
    OneTimeCode,
    /// Deletes the account.
    Delete,
    /// Gives a guest a name and a password.
    Join,
}

/// State of a dialog.
enum PasswordState {
    /// Prompt for the present password.
    Old,
    /// Prompt for the name that a guest wants.
    Wished,
    /// Prompt for the name of the account, to confirm its deletion.
    Name { old: Secret },
    /// Prompt for the new password.
    New { permit: Permit },
    /// Prompt to repeat the new password.
    Repeat { permit: Permit, new: Secret },
    /// An answer is pending.
    Waiting,
}

/// Condition of a new password.
enum Permit {
    /// The present password of an account.
    Old(Secret),
    /// The name that a guest wants.
    Name(String),
}

/// Password dialog of a player in the game.
pub(in crate::session) struct Dialog {
    aim: PasswordPurpose,
    state: PasswordState,
    /// New recovery code; shown once its hash is stored.
    code: Option<Secret>,
}

impl Dialog {
    fn new(aim: PasswordPurpose) -> Self {
        let state = if aim == PasswordPurpose::Join { PasswordState::Wished } else { PasswordState::Old };
        Self { aim, state, code: None }
    }

    /// Returns the prompt; empty while an answer is pending.
    pub(in crate::session) fn prompt(&self) -> Markup {
        Markup::plain(match self.state {
            PasswordState::Old => "your password now: ",
            PasswordState::Name { .. } => "the name of your account: ",
            PasswordState::Wished => "the name you want: ",
            PasswordState::New { .. } => "new password: ",
            PasswordState::Repeat { .. } => "the same password: ",
            PasswordState::Waiting => "",
        })
    }

    /// Returns `true` while an answer is pending.
    pub(in crate::session) const fn waits(&self) -> bool {
        matches!(self.state, PasswordState::Waiting)
    }

    /// Handles a line; returns `false` if the dialog is over.
    fn line(&mut self, line: Secret, screen: &mut Screen, actions: &mut Vec<SessionAction>) -> bool {
        screen.want_prompt();
        if line.0.is_empty() {
            screen.say(if self.aim == PasswordPurpose::Delete {
                "Nothing was deleted."
            } else {
                "Nothing was changed."
            });
            return false;
        }
        if !line.is_legible() {
            screen.say(password_rules::ILLEGIBLE);
            return false;
        }
        self.state = match (std::mem::replace(&mut self.state, PasswordState::Waiting), self.aim) {
            (PasswordState::Wished, _) => match names::check(&line.0, [], []) {
                Ok(name) => {
                    screen.hide_input();
                    PasswordState::New { permit: Permit::Name(name.shown) }
                }
                Err(error) => {
                    screen.say(&format!("That will not do: {error}."));
                    PasswordState::Wished
                }
            },
            (PasswordState::Old, PasswordPurpose::Change) => PasswordState::New { permit: Permit::Old(line) },
            (
                PasswordState::Old,
                PasswordPurpose::Recovery | PasswordPurpose::OneTimeCode | PasswordPurpose::Join,
            ) => {
                actions.push(SessionAction::Ask(Request::MakeRecovery { password: line }));
                PasswordState::Waiting
            }
            (PasswordState::Old, PasswordPurpose::Delete) => {
                screen.show_input();
                screen.say("To delete your account for good, type its name. Type nothing to keep it.");
                PasswordState::Name { old: line }
            }
            (PasswordState::Name { old }, _) => {
                actions.push(SessionAction::Ask(Request::DeleteAccount { password: old, name: line }));
                PasswordState::Waiting
            }
            (PasswordState::New { permit }, _) => {
                let name = if let Permit::Name(name) = &permit { name } else { "" };
                match password_rules::flaw(name, &line.0) {
                    Some(flaw) => {
                        screen.say(flaw);
                        PasswordState::New { permit }
                    }
                    None => PasswordState::Repeat { permit, new: line },
                }
            }
            (PasswordState::Repeat { permit, new }, _) if new == line => {
                actions.push(SessionAction::Ask(match permit {
                    Permit::Old(old) => Request::ChangePassword { old, new },
                    Permit::Name(name) => Request::Join { name, password: new },
                }));
                PasswordState::Waiting
            }
            (PasswordState::Repeat { permit, .. }, _) => {
                screen.say("The two are not the same. Choose again.");
                PasswordState::New { permit }
            }
            (PasswordState::Waiting, _) => PasswordState::Waiting,
        };
        true
    }
}

impl Session {
    /// Handles an output that the game addresses to the session itself.
    pub(in crate::session) fn local(&mut self, local: Local) {
        let SessionStage::Playing(play) = &mut self.stage else { return };
        match local {
            Local::History(most) => {
                let page = play.history.page(most);
                self.screen.text(&page);
            }
            Local::ChangePassword => self.begin(PasswordPurpose::Change),
            Local::MakeRecovery => self.begin(PasswordPurpose::Recovery),
            Local::DeleteAccount => self.begin(PasswordPurpose::Delete),
            Local::AccountKept => self.end_dialog("Nothing was deleted."),
            Local::PasswordChanged => {
                self.end_dialog(
                    "Your password is changed. Other connections of your account have been closed.",
                );
                seat::offer(self);
            }
            Local::PasswordNotKept => {
                self.end_dialog(
                    "The server cannot write just now, and nothing was changed. Please try again in a minute.",
                );
            }
            Local::PasswordOutdated => {
                self.end_dialog(
                    "Your password became another just now, and nothing else was changed. Please try again.",
                );
            }
            Local::Join => self.begin(PasswordPurpose::Join),
            Local::CameBackAsGuest => self.tell_guest(true),
            Local::Joined => {
                self.end_dialog("You have a name and a password now, and keep everything.");
                self.entry = LoginMethod::None;
                self.tell_guest(false);
                seat::offer(self);
            }
            Local::NotJoined => {
                self.end_dialog("You are a guest still. Type join to try another name.");
                self.entry_refused("That name cannot be had. Try another.");
            }
            Local::SeatKept => seat::tell_kept(self),
            Local::RecoveryKept => {
                let Some(code) = play.dialog.as_mut().and_then(|dialog| dialog.code.take()) else {
                    return self.end_dialog("Your recovery code got lost. Type recovery to get another.");
                };
                self.end_dialog("This is your recovery code. It is shown only now, so write it down:");
                // Without a style that a client may turn into a command: a click would send the code to the game.
                self.screen.say(&code.0);
                self.screen.say(
                    "If you forget your password, type recover and your name when you are asked for it. The code works once. \
                     A code you were given before works no more.",
                );
            }
            Local::OneTimeCodeKept => {
                let Some(code) = play.dialog.as_mut().and_then(|dialog| dialog.code.take()) else {
                    return self.end_dialog("The code got lost. Ask for another.");
                };
                self.end_dialog("This is the code. It is shown only now:");
                self.screen.say(&code.0);
                self.screen.say(
                    "It works once, for an hour: whoever has it types recover and the name when asked for a name, and chooses \
                     another password. A code that was there before works no more.",
                );
            }
        }
    }

    /// Requests a recovery code for another account, on behalf of staff.
    pub(in crate::session) fn make_code(&mut self, account: AccountId, actions: &mut Vec<SessionAction>) {
        if let SessionStage::Playing(play) = &mut self.stage {
            play.begin(Dialog {
                aim: PasswordPurpose::OneTimeCode,
                state: PasswordState::Waiting,
                code: None,
            });
            actions.push(SessionAction::Ask(Request::MakeCode { account }));
        }
    }

    fn begin(&mut self, aim: PasswordPurpose) {
        // Queued commands must not be taken for a password.
        self.expanded.clear();
        self.screen.leave_pages();
        let SessionStage::Playing(play) = &mut self.stage else { return };
        play.begin(Dialog::new(aim));
        self.screen.say(match aim {
            PasswordPurpose::Change => "What you type is not shown. Type nothing to leave your password as it is.",
            PasswordPurpose::Delete => {
                "Your account goes with all that belongs to it: your characters, their things and money, your settings, your \
                 reports. Nobody can bring it back, and the name is free for others. What you type is not shown; type \
                 nothing to keep it all."
            }
            PasswordPurpose::Join => "What you type behind your name is not shown. Type nothing to stay a guest.",
            PasswordPurpose::Recovery | PasswordPurpose::OneTimeCode => {
                "A recovery code lets you in if you forget your password. What you type is not shown; type nothing to \
                 leave it."
            }
        });
        if aim != PasswordPurpose::Join {
            self.screen.hide_input();
        }
        self.screen.want_prompt();
    }

    /// Returns `true` while a dialog in the game is active.
    pub(in crate::session) fn is_asked(&self) -> bool {
        matches!(&self.stage, SessionStage::Playing(play) if play.dialog.is_some())
    }

    /// Requests a guest's new name and password, as entered in the web client's form.
    pub(in crate::session) fn ask_to_join(
        &mut self,
        name: String,
        password: Secret,
        actions: &mut Vec<SessionAction>,
    ) {
        if let SessionStage::Playing(play) = &mut self.stage {
            play.begin(Dialog { aim: PasswordPurpose::Join, state: PasswordState::Waiting, code: None });
            actions.push(SessionAction::Ask(Request::Join { name, password }));
        }
    }

    /// Passes a line to the active dialog; returns the line if no dialog is active.
    pub(in crate::session) fn dialog_line(
        &mut self,
        line: Secret,
        actions: &mut Vec<SessionAction>,
    ) -> Option<Secret> {
        let SessionStage::Playing(play) = &mut self.stage else { return Some(line) };
        let Some(dialog) = &mut play.dialog else { return Some(line) };
        if !dialog.line(line, &mut self.screen, actions) {
            play.dialog = None;
            self.screen.show_input();
        }
        None
    }

    /// Stores a new recovery code; it is shown when the game has stored its hash.
    pub(in crate::session) fn recovery_made(&mut self, code: Secret) {
        if let SessionStage::Playing(play) = &mut self.stage
            && let Some(dialog) = &mut play.dialog
        {
            dialog.code = Some(code);
        }
    }

    /// Ends a dialog that failed or whose answer will never arrive. The player is told only if an answer is pending.
    pub(in crate::session) fn password_refused(&mut self, reason: &str) {
        self.entry_refused(reason);
        if let SessionStage::Playing(play) = &mut self.stage
            && play.answered()
        {
            self.dialog_ended(reason);
        }
    }

    /// Tells the player the result of a dialog, even if it was cancelled before.
    fn end_dialog(&mut self, message: &str) {
        if let SessionStage::Playing(play) = &mut self.stage {
            play.answered();
            self.dialog_ended(message);
        }
    }

    fn dialog_ended(&mut self, message: &str) {
        if let SessionStage::Playing(play) = &self.stage
            && play.dialog.is_none()
        {
            self.screen.show_input();
        }
        self.screen.fresh_line();
        self.screen.say(message);
        self.screen.want_prompt();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Delivery;
    use crate::session::tests::harness::Table;

    fn asked(local: Local) -> Table {
        let mut table = Table::playing();
        table.output(deepwell_game::Output::Local(local));
        table
    }

    #[test]
    fn a3_password_change_uses_hidden_prompts() {
        let mut table = asked(Local::ChangePassword);
        let shown = table.flush();
        assert!(shown.ends_with("<WILL 1>your password now: <EOR>"), "{shown}");
        assert_eq!(table.type_line("correct horse"), "\nnew password: <EOR>");
        assert!(table.type_line("short").contains("too short"));
        assert_eq!(table.type_line("blue lantern"), "\nthe same password: <EOR>");
        assert!(table.type_line("blue lanterm").contains("not the same"));
        table.type_line("blue lantern");
        let shown = table.type_line("blue lantern");
        assert!(shown.contains("<WONT 1>") && shown.contains("Your password is changed."), "{shown}");
        assert!(table.commands.is_empty(), "T6: the game was not told");
        assert!(!table.trace.contains("lantern") && !table.trace.contains("horse"), "{}", table.trace);
        assert_eq!(table.accounts.get("olad").unwrap().0, "blue lantern");
        assert_eq!(table.type_line("sing"), "You sing.\nHP:27/30> <EOR>");
        assert!(!table.type_line("!").contains("lantern"));
    }

    /// Lines typed ahead of the question are not commands either.
    #[test]
    fn t6_passwords_typed_ahead_never_reach_the_game() {
        let ahead = b"password\r\ncorrect horse\r\nblue lantern\r\nblue lantern\r\nsing\r\n";
        let mut table = Table::playing();
        table.receive(ahead);
        assert_eq!(table.commands, ["password", "sing"]);
        assert_eq!(table.accounts.get("olad").unwrap().0, "blue lantern");
        let mut table = Table::playing();
        table.output(deepwell_game::Output::Settings(Box::new(stacking())));
        table.receive(b"passw;north\r\n");
        assert_eq!(table.commands, ["passw", "north"], "nothing was asked, and play goes on");
        table.receive(b"password;north\r\n");
        assert_eq!(table.commands[2..], ["password"], "a command typed ahead is no password");
        table.type_line("correct horse");
        assert_eq!(table.commands.len(), 3);
    }

    fn stacking() -> deepwell_core::world::Settings {
        deepwell_core::world::Settings {
            stack: deepwell_core::world::Stacking::One,
            ..deepwell_core::world::Settings::default()
        }
    }

    /// O7: after a reload of the world the answer never arrives; the dialog must not wait for it.
    #[test]
    fn only_dialog_with_lost_answer_ends() {
        let mut table = asked(Local::ChangePassword);
        let stumbles = |table: &mut Table| {
            let mut actions = Vec::new();
            table.session.deliver(Delivery::PasswordRefused("Lost.".into()), table.now, &mut actions);
            assert_eq!(actions, []);
            table.flush()
        };
        assert!(!stumbles(&mut table).contains("Lost."), "it waits for a line, and goes on");
        let mut actions = Vec::new();
        let lines = b"correct horse\r\nblue lantern\r\nblue lantern\r\n";
        table.session.receive(lines, table.now, &mut actions);
        assert!(matches!(actions.as_slice(), [SessionAction::Ask(Request::ChangePassword { .. })]));
        table.flush();
        let shown = stumbles(&mut table);
        assert!(shown.contains("<WONT 1>") && shown.contains("Lost."), "{shown}");
        assert_eq!(table.type_line("sing"), "You sing.\nHP:27/30> <EOR>");
    }

    #[test]
    fn o3_password_is_unchanged_while_storage_is_unavailable() {
        let mut table = asked(Local::ChangePassword);
        table.output(deepwell_game::Output::Local(Local::PasswordNotKept));
        assert!(table.flush().contains("nothing was changed"));
    }

    #[test]
    fn wrong_or_empty_password_changes_nothing() {
        let mut table = asked(Local::ChangePassword);
        assert!(table.type_line("").contains("Nothing was changed."));
        table.output(deepwell_game::Output::Local(Local::ChangePassword));
        for line in ["wrong horse", "blue lantern"] {
            table.type_line(line);
        }
        let shown = table.type_line("blue lantern");
        assert!(
            shown.contains("<WONT 1>") && shown.contains(crate::session::tests::harness::WRONG),
            "{shown}"
        );
        assert_eq!(table.accounts.get("olad").unwrap().0, "correct horse");
    }

    /// T6, A3: the password is hidden, the name is not; an empty line or a wrong password keeps the account.
    #[test]
    fn account_deletion_requires_password_and_name() {
        let mut table = asked(Local::DeleteAccount);
        assert!(table.flush().contains("Nobody can bring it back"));
        let shown = table.type_line("correct horse");
        assert!(shown.contains("<WONT 1>") && shown.ends_with("the name of your account: <EOR>"), "{shown}");
        assert!(table.type_line("").contains("Nothing was deleted."));
        assert_eq!(table.type_line("sing"), "You sing.\nHP:27/30> <EOR>");
        for (password, name, is_kept) in [("wrong horse", "olad", true), ("correct horse", "olad", false)] {
            table.output(deepwell_game::Output::Local(Local::DeleteAccount));
            table.flush();
            table.type_line(password);
            table.type_line(name);
            assert_eq!(table.accounts.contains_key("olad"), is_kept);
            assert_eq!(table.closed.is_none(), is_kept);
        }
        assert!(!table.trace.contains("horse"), "{}", table.trace);
        let mut table = asked(Local::DeleteAccount);
        table.type_line("correct horse");
        table.output(deepwell_game::Output::Local(Local::AccountKept));
        assert!(table.flush().contains("Nothing was deleted."));
    }

    #[test]
    fn recovery_code_is_shown_once_after_it_is_stored() {
        let mut table = asked(Local::MakeRecovery);
        table.flush();
        let shown = table.type_line("correct horse");
        assert!(shown.contains("\nCODE1-CODE2\n") && shown.contains("It is shown only now"), "{shown}");
        assert!(!table.trace.contains("CODE1"), "{}", table.trace);
        table.output(deepwell_game::Output::Local(Local::RecoveryKept));
        let shown = table.flush();
        assert!(!shown.contains("CODE1") && shown.contains("got lost"), "{shown}");
    }
}
