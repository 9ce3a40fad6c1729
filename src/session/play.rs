//! Lines of a player in the game: repetition from history, filtering of repeated passwords, and the prompt. The game
//! interprets the commands.

use std::borrow::Cow;

use deepwell_core::base::limits::Limits;
use deepwell_core::text::Markup;
use deepwell_core::world::Settings;
use deepwell_game::{PromptFields, command};

use super::Secret;
use super::history::LineHistory;
use crate::session::client::prompt;
use crate::session::login::password_dialog::Dialog;

/// Interpretation of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LineMeaning {
    /// A line of commands for the game.
    Command(String),
    /// A line of a text being written, for the game without changes.
    Text(String),
    /// Nothing to do except to show the prompt again.
    Nothing,
    /// A history reference to a line that does not exist or was dropped.
    NothingToRepeat,
}

/// State of a client in the game.
pub(super) struct PlayState {
    /// Lines typed.
    pub(super) history: LineHistory,
    /// Active password dialog, if any.
    pub(super) dialog: Option<Dialog>,
    /// Passwords as typed, kept until the player types a different line.
    spoken: Vec<Secret>,
    fields: Option<PromptFields>,
    /// Last prompt outside of dialogs, which most commands do not change.
    kept: Option<Box<KeptPrompt>>,
    /// Last prompt shown in screen reader mode.
    seen: Option<Markup>,
    /// Commands whose answer is not complete. Entering the game counts as the first.
    unanswered: u32,
    /// Set while a pending answer may start a password dialog or a text; queued lines may then not be commands.
    may_ask: bool,
}

/// A prompt and the values that it shows.
struct KeptPrompt {
    fields: Option<PromptFields>,
    screen_reader: bool,
    prompt: Markup,
}

impl PlayState {
    /// Creates the state of a client that has just entered, with the passwords it has typed.
    pub(super) fn new(spoken: Vec<Secret>) -> Self {
        Self {
            history: LineHistory::default(),
            dialog: None,
            spoken,
            fields: None,
            kept: None,
            seen: None,
            unanswered: 1,
            may_ask: false,
        }
    }

    /// Interprets a line.
    pub(super) fn line(&mut self, line: &Secret, limits: &Limits) -> LineMeaning {
        if self.spoken.contains(line) {
            return LineMeaning::Nothing;
        }
        self.spoken.clear();
        if self.fields.is_some_and(|fields| fields.text_line > 0) {
            return LineMeaning::Text(line.0.clone());
        }
        let typed = line.0.trim();
        if typed.is_empty() {
            return LineMeaning::Nothing;
        }
        let again =
            typed.strip_prefix('!').filter(|number| number.bytes().all(|digit| digit.is_ascii_digit()));
        let meant = match again {
            Some("") => self.history.last(),
            Some(number) => number.parse().ok().and_then(|number| self.history.numbered(number)),
            None => Some(command::without_secrets(typed)),
        };
        let Some(meant) = meant.map(str::to_owned) else { return LineMeaning::NothingToRepeat };
        self.history.push(&meant, limits);
        LineMeaning::Command(meant)
    }

    /// Records that a command is sent to the game, which will answer it.
    pub(super) fn asked(&mut self, command: &str) {
        self.unanswered = self.unanswered.saturating_add(1);
        self.may_ask |= command::asks_for_password(command) || command::begins_text(command);
    }

    /// Records that a line of a text is sent to the game, whose answer tells whether the text continues.
    pub(super) const fn wrote(&mut self) {
        self.unanswered = self.unanswered.saturating_add(1);
        self.may_ask = true;
    }

    /// Starts a password dialog.
    pub(super) fn begin(&mut self, dialog: Dialog) {
        self.dialog = Some(dialog);
        self.may_ask = false;
    }

    /// Ends a dialog that waits for an answer, which has arrived or never will. Returns `true` if there was one.
    pub(super) fn answered(&mut self) -> bool {
        self.may_ask = false;
        self.dialog.take_if(|dialog| dialog.waits()).is_some()
    }

    /// Returns `true` if no line can be taken before an answer.
    pub(super) fn waits(&self) -> bool {
        self.may_ask || self.dialog.as_ref().is_some_and(Dialog::waits)
    }

    /// Sets new prompt fields, which also end the answer to a command. Returns `true` if an answer was pending; then a
    /// prompt is due even without output.
    pub(super) fn update_fields(&mut self, fields: PromptFields) -> bool {
        self.fields = Some(fields);
        self.end_answer()
    }

    /// Ends the answer to a command, which is complete or will never arrive. Returns `true` if one was pending.
    pub(super) fn end_answer(&mut self) -> bool {
        let awaited = self.unanswered > 0;
        self.unanswered = self.unanswered.saturating_sub(1);
        self.may_ask &= self.unanswered > 0;
        awaited
    }

    /// Records that the client enters a reloaded world, which is answered like a command.
    pub(super) const fn enter_again(&mut self) {
        self.unanswered = self.unanswered.saturating_add(1);
    }

    /// Drops the kept prompt, because the settings have changed.
    pub(super) fn forget_prompt(&mut self) {
        self.kept = None;
    }

    /// Returns the prompt. In screen reader mode unchanged figures are not repeated.
    pub(super) fn prompt(&mut self, settings: &Settings, screen_reader: bool) -> Cow<'_, Markup> {
        if let Some(dialog) = &self.dialog {
            return Cow::Owned(dialog.prompt());
        }
        let fields = self.fields;
        self.kept.take_if(|kept| (kept.fields, kept.screen_reader) != (fields, screen_reader));
        let kept = self.kept.get_or_insert_with(|| {
            let prompt = prompt::playing(settings, fields, screen_reader);
            Box::new(KeptPrompt { fields, screen_reader, prompt })
        });
        if screen_reader {
            if self.seen.as_ref() == Some(&kept.prompt) {
                return Cow::Owned(prompt::playing(settings, None, screen_reader));
            }
            self.seen = Some(kept.prompt.clone());
        }
        Cow::Borrowed(&kept.prompt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Secret {
        Secret(text.to_owned())
    }

    #[test]
    fn lines_are_trimmed_and_history_references_resolved() {
        let mut play = PlayState::new(Vec::new());
        let mut meaning = |line: &str| play.line(&secret(line), &Limits::default());
        assert_eq!(meaning("!"), LineMeaning::NothingToRepeat);
        assert_eq!(meaning("  say  hello  "), LineMeaning::Command("say  hello".to_owned()));
        assert_eq!(meaning("   "), LineMeaning::Nothing);
        assert_eq!(meaning("!"), LineMeaning::Command("say  hello".to_owned()));
        assert_eq!(meaning(" ! "), LineMeaning::Command("say  hello".to_owned()));
        assert_eq!(meaning("!!"), LineMeaning::Command("!!".to_owned()));
        assert_eq!(meaning("!1"), LineMeaning::Command("say  hello".to_owned()));
        assert_eq!(meaning("!99"), LineMeaning::NothingToRepeat);
        assert_eq!(meaning("!99999999999"), LineMeaning::NothingToRepeat);
    }

    #[test]
    fn rule_8_repeated_password_is_ignored_until_other_line() {
        let mut play = PlayState::new(vec![secret("look out"), secret("connect Olad look out")]);
        assert_eq!(play.line(&secret("look out"), &Limits::default()), LineMeaning::Nothing);
        assert_eq!(play.line(&secret("connect Olad look out"), &Limits::default()), LineMeaning::Nothing);
        assert_eq!(play.line(&secret("!"), &Limits::default()), LineMeaning::NothingToRepeat);
        assert!(play.spoken.is_empty());
        assert_eq!(
            play.line(&secret("look out"), &Limits::default()),
            LineMeaning::Command("look out".to_owned())
        );
    }

    #[test]
    fn screen_reader_prompt_omits_unchanged_figures() {
        let mut play = PlayState::new(Vec::new());
        let hale = PromptFields { hp: 30, max_hp: 30, fighting: false, ..PromptFields::default() };
        play.update_fields(hale);
        assert_eq!(play.prompt(&Settings::default(), true).text(), "HP 30 of 30> ");
        assert_eq!(play.prompt(&Settings::default(), true).text(), "> ");
        play.update_fields(PromptFields { hp: 29, ..hale });
        assert_eq!(play.prompt(&Settings::default(), true).text(), "HP 29 of 30> ");
        assert_eq!(play.prompt(&Settings::default(), false).text(), "HP:29/30> ");
    }
}
