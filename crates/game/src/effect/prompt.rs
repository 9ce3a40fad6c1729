//! Custom prompts: text with tokens such as `%h`, replaced by values. The session decides when and in which other form
//! the prompt is shown.

use deepwell_core::text::{Markup, Style};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Values that a prompt can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PromptFields {
    /// Current hit points.
    pub hp: i32,
    /// Maximum hit points.
    pub max_hp: i32,
    /// Set while the character is in a fight.
    pub fighting: bool,
    /// Floor of the character's branch; 0 outside.
    pub floor: u32,
    /// Unspent choices of new levels.
    pub trainings: u32,
    /// Might of the party, in puzzles that use it.
    pub might: Option<i64>,
    /// Level of the character.
    pub level: u32,
    /// Experience missing to the next level.
    pub missing_xp: i64,
    /// Number of the next line of a text being written; 0 in command mode.
    pub text_line: u32,
    /// Set while steps dig new rooms in directions without an exit.
    pub digging: bool,
}

/// Token: its letter, its meaning, and a function that returns its text.
type PromptToken = (char, &'static str, fn(&PromptFields) -> String);

const TOKENS: &[PromptToken] =
    &[
        ('h', "your hit points", |fields| fields.hp.to_string()),
        ('H', "your most hit points", |fields| fields.max_hp.to_string()),
        ('x', "the experience that the next level needs", |fields| fields.missing_xp.to_string()),
        ('l', "your level", |fields| fields.level.to_string()),
        ('d', "the dungeon level, 0 outside", |fields| fields.floor.to_string()),
        ('t', "choices to train", |fields| fields.trainings.to_string()),
        ('m', "might, where a puzzle counts it", |fields| {
            fields.might.map(|might| might.to_string()).unwrap_or_default()
        }),
        ('c', "the word fighting, in a fight", |fields| {
            if fields.fighting { "fighting".into() } else { String::new() }
        }),
        ('b', "the word digging, while steps dig rooms", |fields| {
            if fields.digging { "digging".into() } else { String::new() }
        }),
        ('%', "a percent sign", |_| "%".into()),
    ];

/// Describes all tokens in a sentence, for players who write a prompt.
pub fn tokens() -> String {
    let descriptions: Vec<String> =
        TOKENS.iter().map(|(letter, about, _)| format!("%{letter} {about}")).collect();
    descriptions.join(", ")
}

/// Unknown character after a percent sign; `None` at the end of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("A prompt has no token %{}. There are: {}.", .0.map(String::from).unwrap_or_default(), tokens())]
pub struct UnknownToken(Option<char>);

/// Checks a prompt as typed by a player.
///
/// # Errors
/// The first unknown token.
pub fn check(text: &str) -> Result<(), UnknownToken> {
    let mut letters = text.chars();
    while letters.by_ref().any(|letter| letter == '%') {
        match letters.next() {
            Some(letter) if TOKENS.iter().any(|(known, ..)| *known == letter) => {}
            letter => return Err(UnknownToken(letter)),
        }
    }
    Ok(())
}

/// Fills in a prompt and adds a trailing space. Low hit points are highlighted, as in the default prompt.
pub fn fill(text: &str, fields: &PromptFields) -> Markup {
    let mut prompt = Markup::new();
    let mut letters = text.chars();
    let mut plain = String::new();
    while let Some(letter) = letters.next() {
        let token = if letter == '%' { letters.next() } else { None };
        match token.and_then(|token| TOKENS.iter().find(|(known, ..)| *known == token)) {
            Some(('h', _, figure)) => {
                prompt.push(Style::Plain, &std::mem::take(&mut plain));
                prompt.push(if is_hurt(fields) { Style::Harm } else { Style::Plain }, &figure(fields));
            }
            Some((.., figure)) => plain.push_str(&figure(fields)),
            None => plain.push(letter),
        }
    }
    plain.push(' ');
    prompt.and(&plain)
}

/// Returns `true` if hit points are at most a quarter of the maximum, which the prompt highlights.
pub const fn is_hurt(fields: &PromptFields) -> bool {
    fields.hp.saturating_mul(4) <= fields.max_hp
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: PromptFields = PromptFields {
        hp: 27,
        max_hp: 30,
        fighting: false,
        floor: 2,
        trainings: 1,
        might: None,
        level: 3,
        missing_xp: 80,
        text_line: 0,
        digging: false,
    };

    #[test]
    fn tokens_are_replaced_by_values() {
        let filled = |text: &str| fill(text, &FIELDS).text().to_owned();
        assert_eq!(filled("%h/%H hp, %x to go>"), "27/30 hp, 80 to go> ");
        assert_eq!(filled("%l %d %t %c%m 100%%"), "3 2 1  100% ");
        assert_eq!(filled("plain"), "plain ");
        let fights = PromptFields { fighting: true, might: Some(40), hp: 3, ..FIELDS };
        let prompt = fill("%h %c %m>", &fights);
        assert_eq!(prompt.text(), "3 fighting 40> ");
        assert_eq!(prompt.runs().next(), Some((Style::Harm, "3")));
    }

    #[test]
    fn unknown_token_is_refused_with_the_list() {
        assert_eq!(check("%h%H%x%l%d%t%m%c%b%%>"), Ok(()));
        for (text, mistake) in [("%z", "no token %z."), ("50%", "no token %."), ("%é", "no token %é.")] {
            let refused = check(text).unwrap_err().to_string();
            assert!(refused.contains(mistake) && refused.contains("%h your hit points"), "{refused}");
        }
    }
}
