//! Events of DG scripts and their counterparts here: what sets a script off, and the words of its event.

use crate::circle::records::trigger::Trigger;
use crate::circle::report::Untranslated;
use crate::circle::{Plan, words};
use deepwell_core::catalog::script::trigger::TIMER_SECS;
use deepwell_game::command::can_be_typed;

/// Seconds between two rolls for a random script.
const ROLL_SECS: i64 = 13;

/// Event of a trigger here, before its words are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
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
pub(super) const EVENTS: [(i64, u32, Event); 18] = [
    (0, 1, Event::Random),
    (0, 2, Event::Command),
    (0, 3, Event::Speech),
    (0, 5, Event::Own("killed")),
    (0, 6, Event::Own("greet")),
    (0, 7, Event::Own("greet")),
    (0, 9, Event::Receive),
    (0, 11, Event::Hurt),
    (0, 12, Event::Bribe),
    (0, 16, Event::Own("leave")),
    (1, 6, Event::Own("get")),
    (1, 7, Event::Own("drop")),
    (1, 9, Event::Own("wear")),
    (2, 1, Event::Random),
    (2, 2, Event::Command),
    (2, 3, Event::Speech),
    (2, 6, Event::Enter),
    (2, 16, Event::Room("leave")),
];

/// Names of the events, by kind of owner and position.
pub(super) const NAMES: [&str; 3] = [
    "GLOBAL RANDOM COMMAND SPEECH ACT DEATH GREET GREET_ALL ENTRY RECEIVE FIGHT HITPRCNT BRIBE LOAD MEMORY CAST LEAVE DOOR - TIME",
    "GLOBAL RANDOM COMMAND - - TIMER GET DROP GIVE WEAR - REMOVE - LOAD - CAST LEAVE - CONSUME TIME",
    "GLOBAL RANDOM COMMAND SPEECH - RESET ENTER DROP - - - - - - - CAST LEAVE DOOR - TIME",
];

/// Returns `true` if the number of a trigger is the chance of its event in percent.
pub(super) fn has_chance(event: Event) -> bool {
    matches!(event, Event::Receive | Event::Enter | Event::Room(_) | Event::Random)
        || matches!(event, Event::Own(word) if word != "wear")
}

/// Returns the line that ends a script in some cases, if its event has a chance.
pub(super) fn chance(trigger: &Trigger, event: Event) -> Option<String> {
    let percent = trigger.number;
    let is_rolled = has_chance(event) && event != Event::Random && (1..100).contains(&percent);
    is_rolled.then(|| format!("if not chance {percent}%: stop"))
}

pub(super) fn word_of(event: Event) -> &'static str {
    match event {
        Event::Own(word) | Event::Room(word) => word,
        Event::Speech => "say",
        Event::Receive | Event::Bribe => "receive",
        Event::Hurt => "hurt",
        Event::Enter => "enter",
        Event::Command => "command",
        Event::Random => "timer",
    }
}

/// Returns the event as it is typed.
///
/// # Errors
/// The reason, if there is no such event here.
pub(super) fn event_words(trigger: &Trigger, event: Event, plan: Plan<'_>) -> Result<String, Untranslated> {
    let argument = words::line(&trigger.argument).to_lowercase().replace([';', '~'], " ");
    let word = word_of(event);
    let fits = |words: String| {
        let most = plan.limits.name_chars as usize;
        if words.chars().count() > most {
            Err(format!("its words have more than {most} letters").into())
        } else {
            Ok(words)
        }
    };
    match event {
        Event::Own(_) | Event::Room(_) | Event::Receive | Event::Enter => Ok(word.to_owned()),
        Event::Speech if argument.is_empty() || argument.contains('*') => {
            Err("there is no event for all that is said".into())
        }
        // With a number, each word counts for itself; otherwise the whole text.
        Event::Speech if trigger.number != 0 => fits(words::keywords(&argument.replace('"', " ")).join(";"))
            .map(|words| format!("{word} {words}")),
        Event::Speech => fits(argument).map(|words| format!("{word} {words}")),
        Event::Bribe if trigger.number <= 1 => Ok("receive coins".to_owned()),
        Event::Bribe => Err(format!("no event asks for {} coins", trigger.number).into()),
        Event::Hurt if (1..100).contains(&trigger.number) => Ok(format!("hurt {}", trigger.number)),
        Event::Hurt => Err("its share of hit points is none from 1 to 99".into()),
        Event::Command if argument.is_empty() || argument.contains('*') => {
            Err("there is no event for all commands".into())
        }
        Event::Command => {
            let typed = words::keywords(&argument);
            match typed.iter().find(|word| can_be_typed(plan.catalog, word)) {
                Some(word) => Err(format!("{word} is a command or an exit of the game").into()),
                None => fits(typed.join(";")).map(|words| format!("{word} {words}")),
            }
        }
        Event::Random => {
            let percent = trigger.number.clamp(1, 100);
            let secs =
                (ROLL_SECS * 100 / percent).clamp((*TIMER_SECS.start()).into(), (*TIMER_SECS.end()).into());
            Ok(format!("{word} {secs}"))
        }
    }
}
