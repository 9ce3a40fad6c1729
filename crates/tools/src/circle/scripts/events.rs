//! Events of DG scripts and their counterparts here: what sets a script off, and the words of its event.

use crate::circle::records::trigger::TriggerRecord;
use crate::circle::report::Untranslated;
use crate::circle::{ImportPlan, words};
use deepwell_core::catalog::script::trigger::TIMER_SECS;
use deepwell_game::command::can_be_typed;

/// Seconds between two rolls for a random script.
const ROLL_SECS: i64 = 13;

/// Event of a trigger here, before its words are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ConvertedEvent {
    /// Event of a creature or an item.
    Own(&'static str),
    /// Words that a player says.
    Speech,
    /// Item that a creature receives.
    Receive,
    /// Coins that a creature receives.
    Bribe,
    /// Share of hit points.
    Hurt,
    /// A player enters the room.
    Enter,
    /// Event of a room.
    Room(&'static str),
    /// Line that begins with a word; of a creature, in its rooms.
    Command,
    /// Now and then; of a creature, in its rooms.
    Random,
}

/// Events by kind of owner and position of their flag; the others have no counterpart.
pub(super) const EVENTS: [(i64, u32, ConvertedEvent); 18] = [
    (0, 1, ConvertedEvent::Random),
    (0, 2, ConvertedEvent::Command),
    (0, 3, ConvertedEvent::Speech),
    (0, 5, ConvertedEvent::Own("killed")),
    (0, 6, ConvertedEvent::Own("greet")),
    (0, 7, ConvertedEvent::Own("greet")),
    (0, 9, ConvertedEvent::Receive),
    (0, 11, ConvertedEvent::Hurt),
    (0, 12, ConvertedEvent::Bribe),
    (0, 16, ConvertedEvent::Own("leave")),
    (1, 6, ConvertedEvent::Own("get")),
    (1, 7, ConvertedEvent::Own("drop")),
    (1, 9, ConvertedEvent::Own("wear")),
    (2, 1, ConvertedEvent::Random),
    (2, 2, ConvertedEvent::Command),
    (2, 3, ConvertedEvent::Speech),
    (2, 6, ConvertedEvent::Enter),
    (2, 16, ConvertedEvent::Room("leave")),
];

/// Names of the events, by kind of owner and position.
pub(super) const NAMES: [&str; 3] = [
    "GLOBAL RANDOM COMMAND SPEECH ACT DEATH GREET GREET_ALL ENTRY RECEIVE FIGHT HITPRCNT BRIBE LOAD MEMORY CAST LEAVE DOOR - TIME",
    "GLOBAL RANDOM COMMAND - - TIMER GET DROP GIVE WEAR - REMOVE - LOAD - CAST LEAVE - CONSUME TIME",
    "GLOBAL RANDOM COMMAND SPEECH - RESET ENTER DROP - - - - - - - CAST LEAVE DOOR - TIME",
];

/// Returns `true` if the number of a trigger is the chance of its event in percent.
pub(super) fn has_chance(event: ConvertedEvent) -> bool {
    matches!(
        event,
        ConvertedEvent::Receive | ConvertedEvent::Enter | ConvertedEvent::Room(_) | ConvertedEvent::Random
    ) || matches!(event, ConvertedEvent::Own(word) if word != "wear")
}

/// Returns the line that ends a script in some cases, if its event has a chance.
pub(super) fn chance(trigger: &TriggerRecord, event: ConvertedEvent) -> Option<String> {
    let percent = trigger.number;
    let is_rolled = has_chance(event) && event != ConvertedEvent::Random && (1..100).contains(&percent);
    is_rolled.then(|| format!("if not chance {percent}%: stop"))
}

pub(super) fn word_of(event: ConvertedEvent) -> &'static str {
    match event {
        ConvertedEvent::Own(word) | ConvertedEvent::Room(word) => word,
        ConvertedEvent::Speech => "say",
        ConvertedEvent::Receive | ConvertedEvent::Bribe => "receive",
        ConvertedEvent::Hurt => "hurt",
        ConvertedEvent::Enter => "enter",
        ConvertedEvent::Command => "command",
        ConvertedEvent::Random => "timer",
    }
}

/// Returns the event as it is typed.
///
/// # Errors
/// The reason, if there is no such event here.
pub(super) fn event_words(
    trigger: &TriggerRecord,
    event: ConvertedEvent,
    plan: ImportPlan<'_>,
) -> Result<String, Untranslated> {
    let argument = words::line(&trigger.argument).to_lowercase().replace([';', '~'], " ");
    let word = word_of(event);
    let fits = |text: String| {
        let most = plan.limits.name_chars as usize;
        if text.chars().count() > most {
            Err(format!("its words have more than {most} letters").into())
        } else {
            Ok(text)
        }
    };
    match event {
        ConvertedEvent::Own(_)
        | ConvertedEvent::Room(_)
        | ConvertedEvent::Receive
        | ConvertedEvent::Enter => Ok(word.to_owned()),
        ConvertedEvent::Speech if argument.is_empty() || argument.contains('*') => {
            Err("there is no event for all that is said".into())
        }
        // With a number, each word counts for itself; otherwise the whole text.
        ConvertedEvent::Speech if trigger.number != 0 => {
            fits(words::keywords(&argument.replace('"', " ")).join(";")).map(|text| format!("{word} {text}"))
        }
        ConvertedEvent::Speech => fits(argument).map(|text| format!("{word} {text}")),
        ConvertedEvent::Bribe if trigger.number <= 1 => Ok("receive coins".to_owned()),
        ConvertedEvent::Bribe => Err(format!("no event asks for {} coins", trigger.number).into()),
        ConvertedEvent::Hurt if (1..100).contains(&trigger.number) => Ok(format!("hurt {}", trigger.number)),
        ConvertedEvent::Hurt => Err("its share of hit points is none from 1 to 99".into()),
        ConvertedEvent::Command if argument.is_empty() || argument.contains('*') => {
            Err("there is no event for all commands".into())
        }
        ConvertedEvent::Command => {
            let typed = words::keywords(&argument);
            match typed.iter().find(|word| can_be_typed(plan.catalog, word)) {
                Some(word) => Err(format!("{word} is a command or an exit of the game").into()),
                None => fits(typed.join(";")).map(|text| format!("{word} {text}")),
            }
        }
        ConvertedEvent::Random => {
            let percent = trigger.number.clamp(1, 100);
            let secs =
                (ROLL_SECS * 100 / percent).clamp((*TIMER_SECS.start()).into(), (*TIMER_SECS.end()).into());
            Ok(format!("{word} {secs}"))
        }
    }
}
