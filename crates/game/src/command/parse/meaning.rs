//! Resolution of typed words. [`MEANINGS`] lists what a word can mean, in order of priority.

use crate::command::parse::{resolve, suggestion, words};
use crate::command::spec::{CommandSpec, Needs};
use crate::command::{begun_by, exact, is_command, puzzle_verb};
use crate::creature::script::hooks;
use crate::exit::{doors, hidden, pathfinding};
use crate::message::naming;
use crate::refusal::{Refusal, refuse};
use crate::speech::dialogue;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, Direction, ExitId, ItemId, Right, Rights, RoomId};
use deepwell_core::catalog::{Catalog, ItemClass, Social};
use deepwell_core::puzzle::{ActionRefusal, Deed, Verb, find_device};
use deepwell_core::text::{Markup, grammar};

/// Meaning of a typed line, decided by its first word.
pub(crate) enum Meaning<'c> {
    /// An exit of the room.
    Exit(ExitId),
    /// A direction in which the room has no exit.
    NoExit(Direction),
    /// A door to close, or to open.
    Door { exit: ExitId, shut: bool },
    /// A container to close, or to open.
    Lid { container: ItemId, shut: bool },
    /// An interaction with a device of the puzzle, or the reason why the device does not take it.
    Device(Result<Deed, ActionRefusal>),
    /// A custom command of the room.
    Custom,
    /// An answer in a conversation, by its number.
    Answer(usize),
    /// An action inside a puzzle, in place of a command.
    PuzzleAction(Verb),
    /// A command.
    Command(&'static CommandSpec),
    /// A social.
    Social(&'c Social),
    /// No command here, but common in other games.
    Hint(&'c Markup),
    /// Nothing that can be run.
    Refused(Refusal),
}

impl Meaning<'_> {
    /// Returns the requirements, other than those of a command.
    pub(crate) const fn needs(&self) -> Needs {
        match self {
            Self::Exit(_) | Self::Answer(_) => Needs::Storage,
            Self::Door { .. } | Self::Lid { .. } | Self::Device(_) | Self::Custom | Self::PuzzleAction(_) => {
                Needs::Hands
            }
            _ => Needs::Nothing,
        }
    }
}

/// A typed line, with the context that gives it a meaning.
pub(crate) struct TypedLine<'c, 't> {
    pub(crate) catalog: &'c Catalog,
    /// Rights of the player.
    pub(crate) rights: Rights,
    /// Character whose room gives words a meaning; `None` for players who cannot act in it.
    pub(crate) here: Option<(&'t Turn, CharacterId)>,
    /// The whole line.
    pub(crate) line: &'t str,
    /// First word, in lower case.
    pub(crate) word: &'t str,
    /// Text after the first word.
    pub(crate) rest: &'t str,
}

/// Possible meaning of a word; `None` if the word does not have it.
type WordMeaning = for<'c> fn(&TypedLine<'c, '_>) -> Option<Meaning<'c>>;

/// Possible meanings, in order of priority. A conversation that waits for an answer comes first, then the room, and
/// complete words have priority over abbreviations.
const MEANINGS: &[WordMeaning] = &[
    answer,
    exit_named,
    direction,
    door,
    device,
    custom_command,
    puzzle_action,
    lid,
    not_a_door,
    |typed| Some(Meaning::Refused(suggestion::for_sentence(typed.rights, typed.line)?)),
    |typed| Some(Meaning::Command(exact(typed.word, typed.rights)?)),
    |typed| Some(Meaning::Social(typed.catalog.socials.named(typed.word)?)),
    |typed| Some(Meaning::Hint(typed.catalog.hints.about(typed.word)?)),
    |typed| Some(Meaning::Command(begun_by(typed.word, typed.rights)?)),
    |typed| Some(Meaning::Social(typed.catalog.socials.begun_by(typed.word)?)),
];

impl<'c, 't> TypedLine<'c, 't> {
    /// Creates a line of a single word, without a room.
    pub(crate) const fn of_word(catalog: &'c Catalog, rights: Rights, word: &'t str) -> Self {
        Self { catalog, rights, here: None, line: word, word, rest: "" }
    }

    /// Returns the first applicable meaning. The refusal of an unknown word suggests the probable intention.
    pub(crate) fn meaning(&self) -> Meaning<'c> {
        let unknown = || suggestion::unknown(self.catalog, self.rights, self.word, self.line);
        MEANINGS.iter().find_map(|sense| sense(self)).unwrap_or_else(|| Meaning::Refused(unknown()))
    }

    fn room(&self) -> Option<(&'t Turn, RoomId)> {
        self.here.map(|(turn, who)| (turn, turn.world.characters[who].room))
    }

    fn object(&self) -> &'t str {
        words::without_article(self.rest)
    }
}

fn exit_named<'c>(typed: &TypedLine<'c, '_>) -> Option<Meaning<'c>> {
    let (turn, who) = typed.here?;
    Some(Meaning::Exit(hidden::seen_named(turn, who, typed.line)?.id))
}

/// A direction has no words behind it: a sentence such as "up to you" lacks its `say` and does not move the player.
fn direction<'c>(typed: &TypedLine<'c, '_>) -> Option<Meaning<'c>> {
    let (turn, who) = typed.here?;
    let word = typed.word.trim_end_matches(|c: char| !c.is_alphanumeric());
    let direction = pathfinding::direction_named(turn, word)?;
    if typed.rest.contains(char::is_alphanumeric) {
        return Some(Meaning::Refused(refuse!(
            "To walk, type {} alone. To speak, begin with say.",
            direction.name()
        )));
    }
    let exit = hidden::seen_named(turn, who, direction.name());
    Some(exit.map_or(Meaning::NoExit(direction), |exit| Meaning::Exit(exit.id)))
}

/// Returns `true` for a word that closes doors, `false` for one that opens them.
fn shuts(word: &str) -> Option<bool> {
    match word {
        "open" => Some(false),
        "close" | "shut" => Some(true),
        _ => None,
    }
}

fn door<'c>(typed: &TypedLine<'c, '_>) -> Option<Meaning<'c>> {
    let (turn, who) = typed.here?;
    let shut = shuts(typed.word)?;
    let exit = doors::door_named(turn, turn.world.characters[who].room, typed.object())?;
    hidden::is_seen(turn, who, &turn.world.exits[exit]).then_some(Meaning::Door { exit, shut })
}

fn lid<'c>(typed: &TypedLine<'c, '_>) -> Option<Meaning<'c>> {
    let (turn, who) = typed.here?;
    let shut = shuts(typed.word)?;
    let chest = without_key(typed.object());
    Some(Meaning::Lid { container: resolve::lidded_in_reach(turn, who, chest)?, shut })
}

/// Returns `chest` for "chest with brass key".
fn without_key(object: &str) -> &str {
    object.split_once(" with ").map_or(object, |(chest, _)| chest)
}

fn device<'c>(typed: &TypedLine<'c, '_>) -> Option<Meaning<'c>> {
    let (turn, room) = typed.room()?;
    let verb = Verb::named(typed.word)?;
    let (_, run, cell) = turn.world.puzzle_at(room)?;
    Some(Meaning::Device(find_device(&run.board, cell, verb, typed.object())?))
}

fn custom_command<'c>(typed: &TypedLine<'c, '_>) -> Option<Meaning<'c>> {
    let (turn, room) = typed.room()?;
    (hooks::is_custom_command(turn, room, typed.word) && !is_command(typed.word)).then_some(Meaning::Custom)
}

fn answer<'c>(typed: &TypedLine<'c, '_>) -> Option<Meaning<'c>> {
    let (turn, who) = typed.here?;
    dialogue::choice_meant(turn, who, typed.line).map(Meaning::Answer)
}

fn puzzle_action<'c>(typed: &TypedLine<'c, '_>) -> Option<Meaning<'c>> {
    let (turn, room) = typed.room()?;
    turn.world.puzzle_at(room)?;
    Some(Meaning::PuzzleAction(puzzle_verb(typed.word)?))
}

/// Refuses to open or close a target that is not a door: an item or character in reach, or an unknown word in a room
/// with a door. A builder may mean a new exit.
fn not_a_door<'c>(typed: &TypedLine<'c, '_>) -> Option<Meaning<'c>> {
    let (turn, who) = typed.here?;
    shuts(typed.word)?;
    let object = typed.object();
    if object.is_empty() || object.contains(['=', ':']) {
        return None;
    }
    let room = turn.world.characters[who].room;
    let builds = typed.rights.has(Right::Dig);
    let item = resolve::item_among(turn, turn.world.ground(room), object)
        .or_else(|| resolve::item_among(turn, turn.world.carried(who), object));
    let being = || resolve::being_here(turn, who, object).ok();
    let (what, container) = match item {
        Some(item) => {
            let class = prototypes::class_of(turn, item);
            let holds = matches!(class, ItemClass::Container | ItemClass::Corpse);
            (Some(naming::the_item(turn, item)), holds.then_some(object))
        }
        None => (being().map(|being| naming::the(turn, being)), None),
    };
    let doors: Vec<String> = hidden::exits_seen(turn, who)
        .filter_map(|exit| Some(format!("the {} is {}", exit.door.as_ref()?.name, exit.name)))
        .collect();
    if what.is_none() && (builds || doors.is_empty()) {
        return None;
    }
    let key = item.filter(|_| builds && container.is_none()).map(|item| &turn.world.items[item].prototype);
    Some(Meaning::Refused(no_door(what.as_deref(), object, container, key.map(String::as_str), &doors)))
}

/// Returns the refusal to open or close an object without a door: why, what to type instead, and which doors are here.
/// `container` is set if the object holds items; `key` is its kind if the builder may turn it into a container.
fn no_door(
    what: Option<&str>,
    typed: &str,
    container: Option<&str>,
    key: Option<&str>,
    doors: &[String],
) -> Refusal {
    let mut message = match (what, container) {
        (Some(what), Some(typed)) => format!(
            "{} needs no opening: look in {typed} tells what is in it, and get all from {typed} takes it.",
            grammar::capitalise(what)
        ),
        (Some(what), None) => format!("{} neither opens nor closes.", grammar::capitalise(what)),
        (None, _) => format!("There is no \"{typed}\" here to open or to close."),
    };
    if let Some(key) = key {
        message = format!(
            "{message} set item {key} holds = NUMBER and then set item {key} class = container make it hold \
             things."
        );
    }
    if !doors.is_empty() {
        message = format!("{message} {}.", grammar::capitalise(&grammar::list(doors)));
    }
    Refusal::Said(message.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_words_have_priority_over_abbreviations() {
        let catalog = Catalog::builtin();
        let found = |word| match TypedLine::of_word(&catalog, Rights::NONE, word).meaning() {
            Meaning::Command(spec) => spec.name.to_owned(),
            Meaning::Social(social) => format!("social {}", social.word),
            Meaning::Hint(_) => "a hint".to_owned(),
            _ => "nothing".to_owned(),
        };
        let hinted = catalog.hints.words().next().unwrap();
        for (word, meaning) in [
            ("look", "look"),
            ("loo", "look"),
            ("smile", "social smile"),
            ("smil", "social smile"),
            (hinted, "a hint"),
            ("dig", "nothing"),
        ] {
            assert_eq!(found(word), meaning, "{word}");
        }
    }
}
