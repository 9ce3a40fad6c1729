//! Triggers of creatures and items, as their prototypes define them: scripts that run when players do something with one.

use crate::catalog::Script;
use crate::catalog::script::verbs::ArgumentKind::{self, Number, Words, WordsIfAny};
use crate::catalog::script::verbs::{ScriptVerb, VerbArgument, VerbArguments, verbs};
use crate::data::{CatalogError, FileValue, Reader};
use crate::text::{grammar, nearest, sanitise};
use std::collections::BTreeMap;
use std::fmt;

/// Maximum length of the words of an event.
const WORD_CHARS_MAX: usize = 200;

verbs! {
    /// Event that concerns a creature.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum CreatureEvent as str::to_owned {
        /// A player enters the room of the creature.
        Greet = "greet",
        /// A player leaves the room of the creature.
        Leave = "leave",
        /// A player in the room says something that contains one of these phrases, separated by `;`.
        Say(words: String = Words) = "say" "WORDS",
        /// A player types `ask NAME about` and one of these words, separated by `;`.
        Ask(words: String = Words) = "ask" "WORDS",
        /// A player gives the creature an item with one of these keys, separated by `;`, or `coins`; any item without a
        /// key. It uses the gift up. `{words}` is the key, or the amount in copper.
        Receive(keys: String = WordsIfAny) = "receive" "[KEY]",
        /// A player begins to fight the creature.
        Attacked = "attacked",
        /// The hit points of the creature fall below that share of its maximum.
        Hurt(percent: u32 = Number(1, 99)) = "hurt" "PERCENT",
        /// The creature dies.
        Killed = "killed",
        /// The creature incapacitates a player.
        Kill = "kill",
        /// Time passes: every `tick_secs` of `content/rules.toml` while a player is near.
        Tick = "tick",
    }
}

verbs! {
    /// Event that concerns an item.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ItemEvent as str::to_owned {
        /// A player picks the item up.
        Get = "get",
        /// A player lays the item down.
        Drop = "drop",
        /// A player puts the item into a container.
        Put = "put",
        /// A player wears or wields the item.
        Wear = "wear",
        /// A player uses the item. The trigger replaces the effect of the item.
        Use = "use",
        /// A player looks at the item.
        Look = "look",
        /// A player opens the container.
        Open = "open",
        /// A player closes the container.
        Close = "close",
    }
}

/// Event of a kind of object, as it is typed.
pub trait ObjectEvent: ScriptVerb + PartialEq + fmt::Display {
    /// Lists all events, for error messages.
    fn events() -> String {
        grammar::list(Self::forms())
    }

    /// Parses an event; `None` if the text is not one.
    fn parse(typed: &str) -> Option<Self> {
        let (event, word) = typed.trim().split_once(char::is_whitespace).unwrap_or((typed.trim(), ""));
        let word = sanitise::clean_line(word, WORD_CHARS_MAX).to_lowercase();
        let word = if event == "hurt" { word.trim_end_matches('%') } else { &word };
        Self::read(event, &mut VerbArguments::of(word))
    }
}

impl ObjectEvent for CreatureEvent {}
impl ObjectEvent for ItemEvent {}

/// Script that runs on an event of a creature or item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectTrigger<E> {
    /// Event.
    pub on: E,
    /// Script. Its lines cannot be used up, because all objects of the kind share them.
    pub script: Script,
}

/// Key of the list in a file.
pub const TRIGGERS: &str = "triggers";

/// Reads the triggers of a prototype.
pub(in crate::catalog) fn read<E: ObjectEvent>(file: &mut Reader<'_>) -> Vec<ObjectTrigger<E>> {
    let trigger = |table: &mut Reader<'_>| {
        table.about("Event, as it is typed behind `trigger`.");
        let (place, typed) = (table.place_of("on"), table.text("on"));
        table.about("Lines of the script.");
        let script = Script::read_lasting(table, "lines");
        let on = E::parse(&typed);
        if on.is_none() && !typed.is_empty() {
            let event = typed.split_whitespace().next().unwrap_or_default();
            let mistake = format!("`{typed}` is no event");
            let meant = nearest(event, E::names()).filter(|name| *name != event);
            table.note(CatalogError::new(&place, mistake, E::events()).with_nearest(meant));
        }
        on.map(|on| ObjectTrigger { on, script })
    };
    file.tables_if_any(TRIGGERS, trigger).into_iter().flatten().collect()
}

/// Returns triggers as the value of their key in a file.
pub fn value_of<E: ObjectEvent>(triggers: &[ObjectTrigger<E>]) -> FileValue {
    let table = |trigger: &ObjectTrigger<E>| {
        let lines: Vec<String> = trigger.script.clone().into();
        let lines = lines.into_iter().map(FileValue::Text).collect();
        FileValue::Table(BTreeMap::from([
            ("on".to_owned(), FileValue::Text(trigger.on.to_string())),
            ("lines".to_owned(), FileValue::List(lines)),
        ]))
    };
    FileValue::List(triggers.iter().map(table).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_text_round_trip_is_identical() {
        for text in [
            "greet",
            "leave",
            "say hello;good day",
            "ask well",
            "receive",
            "receive rat_tail;club",
            "attacked",
            "hurt 50",
            "killed",
            "kill",
            "tick",
        ] {
            assert_eq!(CreatureEvent::parse(text).expect(text).to_string(), text);
            let event = text.split(' ').next().unwrap_or_default();
            assert!(CreatureEvent::names().any(|name| name == event));
        }
        assert_eq!(CreatureEvent::parse("hurt 30%"), Some(CreatureEvent::Hurt(30)));
        for text in ["", "say", "ask", "hurt", "hurt 0", "hurt 100", "greet Bera", "grete", "get"] {
            assert_eq!(CreatureEvent::parse(text), None, "{text}");
        }
        for name in ItemEvent::names() {
            assert_eq!(ItemEvent::parse(name).expect(name).to_string(), name);
        }
    }

    /// Errors have their places, and the nearest event.
    #[test]
    fn wrong_triggers_are_reported_with_their_place() {
        let text = "[[triggers]]\non = \"greett\"\nlines = [\"say Hi.\"]\n[[triggers]]\non = \"hurt\"\nlines = [\"once\"]\n";
        let mut mistakes = Vec::new();
        let found = Reader::whole("mobs/a.toml", text, &mut mistakes, read::<CreatureEvent>);
        assert_eq!(found, Some(Vec::new()));
        let messages: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        for start in [
            "mobs/a.toml:2:6: `greett` is no event, expected greet, leave",
            "mobs/a.toml:5:6: `hurt` is no event, expected greet, leave",
            "mobs/a.toml:6:9: `once` is for scripts of rooms",
        ] {
            assert!(messages.iter().any(|message| message.starts_with(start)), "{messages:#?}");
        }
        assert_eq!(messages.len(), 3);
        assert!(messages[0].ends_with("did you mean `greet`?"), "{messages:#?}");
    }
}
