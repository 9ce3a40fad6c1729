//! Lines of a player to commands: what is repeated, what is swallowed, what the prompt shows.
//! What a command means is the game's.

use crate::base::limits::Limits;
use crate::game::{PromptFields, command};
use crate::text::Markup;
use crate::world::Settings;

use super::history::History;
use super::password::Dialog;
use super::{Secret, prompt};

/// What a line came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// A line of commands for the game.
    Command(String),
    /// A line of a text, for the game as it is.
    Text(String),
    /// Nothing: only the prompt is shown again.
    Nothing,
    /// The wish to repeat a line that has not been typed, or not lately.
    NothingToRepeat,
}

/// A client that plays.
pub(super) struct Play {
    /// What was typed.
    pub(super) history: History,
    /// A password that is being changed, if one is.
    pub(super) dialog: Option<Dialog>,
    /// Passwords as they were typed, until the first line that is none of them.
    spoken: Vec<Secret>,
    fields: Option<PromptFields>,
    /// The prompt that was read aloud last.
    seen: Option<Markup>,
    /// Commands whose answer has not ended. Entering is the first.
    unanswered: u32,
    /// What was typed ahead may be no command: the answer to one of them may be to ask for a password, or for a text.
    may_ask: bool,
}

impl Play {
    /// Somebody who has just entered, having typed these passwords.
    pub(super) fn new(spoken: Vec<Secret>) -> Self {
        Self {
            history: History::default(),
            dialog: None,
            spoken,
            fields: None,
            seen: None,
            unanswered: 1,
            may_ask: false,
        }
    }

    /// Takes a line.
    pub(super) fn line(&mut self, line: &Secret, limits: &Limits) -> Meaning {
        if self.spoken.contains(line) {
            return Meaning::Nothing;
        }
        self.spoken.clear();
        if self.fields.is_some_and(|fields| fields.text_line > 0) {
            return Meaning::Text(line.0.clone());
        }
        let typed = line.0.trim();
        if typed.is_empty() {
            return Meaning::Nothing;
        }
        let again =
            typed.strip_prefix('!').filter(|number| number.bytes().all(|digit| digit.is_ascii_digit()));
        let meant = match again {
            Some("") => self.history.last(),
            Some(number) => number.parse().ok().and_then(|number| self.history.numbered(number)),
            None => Some(command::without_secrets(typed)),
        };
        let Some(meant) = meant.map(str::to_owned) else { return Meaning::NothingToRepeat };
        self.history.push(&meant, limits);
        Meaning::Command(meant)
    }

    /// A command goes to the game, which will answer it.
    pub(super) fn asked(&mut self, command: &str) {
        self.unanswered = self.unanswered.saturating_add(1);
        self.may_ask |= command::asks_for_password(command) || command::begins_text(command);
    }

    /// A line of a text goes to the game, whose answer says whether the next one belongs to it.
    pub(super) const fn wrote(&mut self) {
        self.unanswered = self.unanswered.saturating_add(1);
        self.may_ask = true;
    }

    /// Asks for passwords from here on.
    pub(super) fn begin(&mut self, dialog: Dialog) {
        self.dialog = Some(dialog);
        self.may_ask = false;
    }

    /// What was waited for has come, or never will: a dialog that awaits it ends. Says whether there was one.
    pub(super) fn answered(&mut self) -> bool {
        self.may_ask = false;
        self.dialog.take_if(|dialog| dialog.waits()).is_some()
    }

    /// Whether no line can be taken before an answer.
    pub(super) fn waits(&self) -> bool {
        self.may_ask || self.dialog.as_ref().is_some_and(Dialog::waits)
    }

    /// New fields, which also end the answer to a command. Says whether one was awaited: then a prompt is due even
    /// if nothing was printed.
    pub(super) fn update_fields(&mut self, fields: PromptFields) -> bool {
        self.fields = Some(fields);
        self.end_answer()
    }

    /// The answer to a command is over, or will never come. Says whether one was awaited.
    pub(super) fn end_answer(&mut self) -> bool {
        let awaited = self.unanswered > 0;
        self.unanswered = self.unanswered.saturating_sub(1);
        self.may_ask &= self.unanswered > 0;
        awaited
    }

    /// The client enters a world that was read back, which is answered like a command.
    pub(super) const fn enter_again(&mut self) {
        self.unanswered = self.unanswered.saturating_add(1);
    }

    /// The prompt to show. A screen reader does not repeat figures that have not changed.
    pub(super) fn prompt(&mut self, settings: &Settings, screen_reader: bool) -> Markup {
        if let Some(dialog) = &self.dialog {
            return dialog.prompt();
        }
        let prompt = prompt::playing(settings, self.fields, screen_reader);
        if !screen_reader {
            return prompt;
        }
        let known = self.seen.as_ref() == Some(&prompt);
        let shown = if known { prompt::playing(settings, None, screen_reader) } else { prompt.clone() };
        self.seen = Some(prompt);
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Secret {
        Secret(text.to_owned())
    }

    #[test]
    fn lines_are_trimmed_and_repeated() {
        let mut play = Play::new(Vec::new());
        let mut meaning = |line: &str| play.line(&secret(line), &Limits::default());
        assert_eq!(meaning("!"), Meaning::NothingToRepeat);
        assert_eq!(meaning("  say  hello  "), Meaning::Command("say  hello".to_owned()));
        assert_eq!(meaning("   "), Meaning::Nothing);
        assert_eq!(meaning("!"), Meaning::Command("say  hello".to_owned()));
        assert_eq!(meaning(" ! "), Meaning::Command("say  hello".to_owned()));
        assert_eq!(meaning("!!"), Meaning::Command("!!".to_owned()));
        assert_eq!(meaning("!1"), Meaning::Command("say  hello".to_owned()));
        assert_eq!(meaning("!99"), Meaning::NothingToRepeat);
        assert_eq!(meaning("!99999999999"), Meaning::NothingToRepeat);
    }

    #[test]
    fn rule_8_a_password_that_comes_again_is_swallowed_until_another_line_comes() {
        let mut play = Play::new(vec![secret("look out"), secret("connect Olad look out")]);
        assert_eq!(play.line(&secret("look out"), &Limits::default()), Meaning::Nothing);
        assert_eq!(play.line(&secret("connect Olad look out"), &Limits::default()), Meaning::Nothing);
        assert_eq!(play.line(&secret("!"), &Limits::default()), Meaning::NothingToRepeat);
        assert!(play.spoken.is_empty());
        assert_eq!(
            play.line(&secret("look out"), &Limits::default()),
            Meaning::Command("look out".to_owned())
        );
    }

    #[test]
    fn a_screen_reader_hears_the_figures_only_when_they_change() {
        let mut play = Play::new(Vec::new());
        let hale = PromptFields { hp: 30, max_hp: 30, fighting: false, ..PromptFields::default() };
        play.update_fields(hale);
        assert_eq!(play.prompt(&Settings::default(), true).text(), "HP 30 of 30> ");
        assert_eq!(play.prompt(&Settings::default(), true).text(), "> ");
        play.update_fields(PromptFields { hp: 29, ..hale });
        assert_eq!(play.prompt(&Settings::default(), true).text(), "HP 29 of 30> ");
        assert_eq!(play.prompt(&Settings::default(), false).text(), "HP:29/30> ");
    }
}
