//! Lines of a player to commands: what is repeated, what is swallowed, what the prompt shows.
//! What a command means is the game's.

use crate::game::PromptFields;
use crate::text::Markup;
use crate::world::Settings;

use super::{Secret, prompt};

/// What a line came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// A command for the game.
    Command(String),
    /// Nothing: only the prompt is shown again.
    Nothing,
    /// The wish to repeat something, when nothing has been typed yet.
    NothingToRepeat,
}

/// A client that plays.
pub(super) struct Play {
    /// The last command.
    last: String,
    /// Passwords as they were typed, until the first line that is none of them (rule 8).
    spoken: Vec<Secret>,
    fields: Option<PromptFields>,
    /// The prompt that was read aloud last.
    seen: Option<Markup>,
    /// Commands whose answer has not ended. Entering is the first.
    unanswered: u32,
}

impl Play {
    /// Somebody who has just entered, having typed these passwords.
    pub(super) fn new(spoken: Vec<Secret>) -> Self {
        Self { last: String::new(), spoken, fields: None, seen: None, unanswered: 1 }
    }

    /// Takes a line.
    pub(super) fn line(&mut self, line: &Secret) -> Meaning {
        if self.spoken.contains(line) {
            return Meaning::Nothing;
        }
        self.spoken.clear();
        match line.0.trim() {
            "" => return Meaning::Nothing,
            "!" if self.last.is_empty() => return Meaning::NothingToRepeat,
            "!" => {}
            command => command.clone_into(&mut self.last),
        }
        self.unanswered = self.unanswered.saturating_add(1);
        Meaning::Command(self.last.clone())
    }

    /// New fields, which also end the answer to a command. Says whether one was awaited: then a prompt is due even
    /// if nothing was printed.
    pub(super) fn fields(&mut self, fields: PromptFields) -> bool {
        self.fields = Some(fields);
        let awaited = self.unanswered > 0;
        self.unanswered = self.unanswered.saturating_sub(1);
        awaited
    }

    /// The prompt to show. A voice does not repeat figures that have not changed (protocols 10).
    pub(super) fn prompt(&mut self, settings: &Settings, reader: bool) -> Markup {
        let prompt = prompt::playing(settings, self.fields, reader);
        if !reader {
            return prompt;
        }
        let known = self.seen.as_ref() == Some(&prompt);
        let shown = if known { prompt::playing(settings, None, reader) } else { prompt.clone() };
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
        let mut meaning = |line: &str| play.line(&secret(line));
        assert_eq!(meaning("!"), Meaning::NothingToRepeat);
        assert_eq!(meaning("  say  hello  "), Meaning::Command("say  hello".to_owned()));
        assert_eq!(meaning("   "), Meaning::Nothing);
        assert_eq!(meaning("!"), Meaning::Command("say  hello".to_owned()));
        assert_eq!(meaning(" ! "), Meaning::Command("say  hello".to_owned()));
        assert_eq!(meaning("!!"), Meaning::Command("!!".to_owned()));
    }

    #[test]
    fn rule_8_a_password_that_comes_again_is_swallowed_until_another_line_comes() {
        let mut play = Play::new(vec![secret("look out"), secret("connect Olad look out")]);
        assert_eq!(play.line(&secret("look out")), Meaning::Nothing);
        assert_eq!(play.line(&secret("connect Olad look out")), Meaning::Nothing);
        assert_eq!(play.line(&secret("!")), Meaning::NothingToRepeat);
        assert!(play.spoken.is_empty());
        assert_eq!(play.line(&secret("look out")), Meaning::Command("look out".to_owned()));
    }

    #[test]
    fn a_voice_hears_the_figures_only_when_they_change() {
        let mut play = Play::new(Vec::new());
        let hale = PromptFields { hp: 30, max_hp: 30, fighting: false, ..PromptFields::default() };
        play.fields(hale);
        assert_eq!(play.prompt(&Settings::default(), true).text(), "HP 30 of 30> ");
        assert_eq!(play.prompt(&Settings::default(), true).text(), "> ");
        play.fields(PromptFields { hp: 29, ..hale });
        assert_eq!(play.prompt(&Settings::default(), true).text(), "HP 29 of 30> ");
        assert_eq!(play.prompt(&Settings::default(), false).text(), "HP:29/30> ");
    }
}
