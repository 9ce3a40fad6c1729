//! Phrases that are marked in what a player reads. The session (`session::client::render`) marks them.

use crate::command::account::settings;
use crate::command::parse::{Actor, TextArgument};
use crate::command::spec::{CommandSpec, Needs, run};
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::RuleLimit;
use deepwell_core::text::{Markup, Style, highlight::fold};
use deepwell_core::world::Settings;

/// Maximum length of a phrase in characters.
const PHRASE_CHARS: usize = 40;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "highlight",
        aliases: &["highlights"],
        summary: "Marks words wherever you read them from now on; alone, it lists them. See help highlights.",
        example: "highlight clay rat: each line about a clay rat has these words underlined.",
        takes_words: true,
        run: run!(highlight),
        ..MARKING
    },
    CommandSpec {
        name: "unhighlight",
        summary: "Marks words no longer.",
        example: "unhighlight clay rat: clay rats are like other words again.",
        missing: "unhighlight and the words",
        takes_words: true,
        run: run!(unhighlight),
        ..MARKING
    },
];

/// Defaults of the commands here.
const MARKING: CommandSpec = CommandSpec { needs: Needs::Nothing, ..CommandSpec::PLAYER };

/// Returns words as they are stored.
fn phrase_of(words: &str) -> String {
    fold(&words.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn highlight(turn: &mut Turn, actor: Actor, words: Option<TextArgument<'_>>) -> Result<(), Refusal> {
    let settings = &turn.world.accounts[actor.account].settings;
    let Some(TextArgument(words)) = words else {
        let list = listing(settings);
        return actor.answer(turn, list);
    };
    let (phrase, mut settings) = (phrase_of(words), settings.clone());
    check_phrase(turn, &settings, &phrase)?;
    settings.highlights.insert(phrase.clone());
    settings::change_settings(turn, actor, settings)?;
    actor.answer(turn, format!("From now on \"{phrase}\" is marked wherever you read it."))
}

/// Returns an error if an account may not have this phrase.
fn check_phrase(turn: &Turn, settings: &Settings, phrase: &str) -> Result<(), Refusal> {
    if phrase.chars().count() > PHRASE_CHARS || phrase.chars().filter(|c| c.is_alphanumeric()).count() < 2 {
        return Err(refuse!("What is marked has two letters or digits, and at most {PHRASE_CHARS} in all."));
    }
    if settings.highlights.contains(phrase) {
        return Ok(());
    }
    let has = settings.highlights.len();
    refusal::require_below(&turn.config.limits, RuleLimit::Highlights, has, |_| {
        refuse!("You have as many words marked as you may have. Type unhighlight and some of them.")
    })
}

fn listing(settings: &Settings) -> Markup {
    if settings.highlights.is_empty() {
        return Markup::plain("You have no words marked. Type help highlights to read how that works.");
    }
    let mut list = Markup::styled(Style::Heading, "What is marked for you");
    for phrase in &settings.highlights {
        list.line(Style::Plain, phrase);
    }
    list
}

fn unhighlight(turn: &mut Turn, actor: Actor, TextArgument(words): TextArgument<'_>) -> Result<(), Refusal> {
    let phrase = phrase_of(words);
    let mut settings = turn.world.accounts[actor.account].settings.clone();
    if !settings.highlights.remove(&phrase) {
        return Err(refuse!("You have not marked \"{phrase}\". Type highlight for the list."));
    }
    settings::change_settings(turn, actor, settings)?;
    actor.answer(turn, format!("\"{phrase}\" is marked no longer."))
}
