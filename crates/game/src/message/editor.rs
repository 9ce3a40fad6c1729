//! Multi-line text input. Lines are stored with the character until a dot ends the text or it is cancelled. The
//! finished text goes to the command that began it: paragraphs, or the lines of a script as they were typed.

use super::editor_line::Edit;
use super::tell;
use crate::effect::Class;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ExitId, GameTime, RoomId, RuleLimit};
use deepwell_core::catalog::RoomSheet;
use deepwell_core::text::{Markup, Style, grammar, sanitise};
use deepwell_core::world::{Character, EditBuffer, Room};

/// Instructions for the builder who writes a text.
const HOW: &str = "Write it line by line; an empty line parts paragraphs. A dot alone ends it, a ~ or the word cancel throws \
     it away, and a command behind a slash is carried out meanwhile, as in /look.";

/// Further instructions for a text whose lines are counted.
const HOW_LINES: &str = ".list shows the lines with their numbers; .replace 3 = TEXT, .insert 3 = TEXT and .delete 3, or \
     .delete 3-5, change them; .delete all begins anew.";

/// Prefix of the name of a text that is a field of a definition.
const FIELD: &str = "field ";

/// Prefix of the name of a text that is a note on a board.
const NOTE: &str = "note ";

/// Prefix of the name of a text that is a mail, which may be finished in another room.
const MAIL: &str = "mail ";

/// Prefix of the name of a text whose lines are kept as they are typed.
const SCRIPT: &str = "script ";

/// Lines shown by `.list`.
const LISTED: usize = 60;

/// Returns the number of the next line of the character's text; 0 if it writes none.
pub(crate) fn next_line(turn: &Turn, who: CharacterId) -> u32 {
    let buffer = turn.world.characters[who].edit_buffer.as_ref();
    buffer.map_or(0, |buffer| u32::try_from(buffer.lines.len()).unwrap_or(u32::MAX).saturating_add(1))
}

/// Begins a text. `command` is the command that receives it, as typed before the `=`.
///
/// # Errors
/// If another builder is writing the same text.
pub(crate) fn begin(
    turn: &mut Turn,
    who: CharacterId,
    command: String,
    about: EditedText,
) -> Result<(), Refusal> {
    begin_with(turn, who, command, about, Vec::new())
}

/// Begins a text as [`begin`], with lines that exist.
pub(crate) fn begin_with(
    turn: &mut Turn,
    who: CharacterId,
    command: String,
    about: EditedText,
    lines: Vec<String>,
) -> Result<(), Refusal> {
    require_free(turn, who, &about)?;
    let (room, now) = (turn.world.characters[who].room, turn.now);
    let message = format!("You write: {command}. {}", how(&about.0, lines.len()));
    // A builder who began the same text earlier and was idle too long loses the lock.
    let same = |other: &Character| other.edit_buffer.as_ref().is_some_and(|buffer| buffer.about == about.0);
    turn.world.characters.change_where(same, |body| {
        body.edit_buffer.iter_mut().for_each(|buffer| buffer.at = GameTime::default());
    });
    let buffer = EditBuffer { command, room, lines, about: about.0, since: now, at: now };
    turn.world.characters.change(who, |body| body.edit_buffer = Some(buffer));
    tell::tell(turn, who, Class::Reply, message);
    Ok(())
}

/// Identity of a text that only one builder at a time may write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EditedText(String);

impl EditedText {
    /// Identifies the description of a room.
    pub(crate) fn of_room(room: RoomId) -> Self {
        Self(format!("room {room}"))
    }

    /// Identifies the description of an exit.
    pub(crate) fn of_exit(exit: ExitId) -> Self {
        Self(format!("exit {exit}"))
    }

    /// Identifies the description of a creature.
    pub(crate) fn of_creature(creature: CharacterId) -> Self {
        Self(format!("creature {creature}"))
    }

    /// Identifies the text of a definition, as in `creature mill_rat`.
    pub(crate) fn of_definition(definition: &str) -> Self {
        Self(format!("definition {definition}"))
    }

    /// Identifies a field of a definition, as in `creature mill_rat` and `behaviours`.
    pub(crate) fn of_field(definition: &str, field: &str) -> Self {
        Self(format!("{FIELD}{definition} {field}"))
    }

    /// Identifies a mail by its writer.
    pub(crate) fn of_mail(writer: CharacterId) -> Self {
        Self(format!("{MAIL}{writer}"))
    }

    /// Identifies a note on a board by its writer.
    pub(crate) fn of_note(writer: CharacterId) -> Self {
        Self(format!("{NOTE}{writer}"))
    }

    /// Identifies a script by its key.
    pub(crate) fn of_script(key: &str) -> Self {
        Self(format!("{SCRIPT}{key}"))
    }

    /// Identifies the detail for a keyword of a room.
    pub(crate) fn of_detail(room: RoomId, nouns: &str) -> Self {
        Self(format!("detail {room} {nouns}"))
    }
}

/// Refuses a text that another builder is writing. The builder must be connected, not away, and have written a line
/// within `limits.text_lock`.
///
/// # Errors
/// Names the other builder and the time the text was begun.
pub(crate) fn require_free(turn: &Turn, who: CharacterId, about: &EditedText) -> Result<(), Refusal> {
    let writes = |other: &&CharacterId| {
        let buffer = turn.world.characters[**other].edit_buffer.as_ref();
        let is_away = turn.awake.get(**other).is_some_and(|body| body.away.is_some());
        let is_it = buffer.is_some_and(|buffer| {
            buffer.about == about.0 && buffer.at + turn.config.limits.text_lock > turn.now
        });
        **other != who && is_it && !is_away
    };
    let Some(other) = turn.seated.keys().find(writes) else { return Ok(()) };
    let body = &turn.world.characters[*other];
    let since = body.edit_buffer.as_ref().map(|buffer| buffer.since).unwrap_or_default();
    Err(refuse!(
        "{} is writing this text, since {}. Wait until that is ended, or ask.",
        body.name,
        since.utc()
    ))
}

/// Returns the instructions for a text of so many lines.
fn how(about: &str, lines: usize) -> String {
    if !is_verbatim(about) {
        return HOW.to_owned();
    }
    let begun = if lines == 0 { "no lines".to_owned() } else { grammar::counted(lines, "line") };
    format!("It has {begun} so far, and what you type is added at the end. {HOW} {HOW_LINES}")
}

/// Returns `true` if the lines of a text are kept as they are typed.
fn is_verbatim(about: &str) -> bool {
    about.starts_with(SCRIPT)
}

/// Adds a line to the character's text.
///
/// # Errors
/// If the text would be too long.
pub(crate) fn add(turn: &mut Turn, who: CharacterId, line: &str) -> Result<(), Refusal> {
    let Some(buffer) = &turn.world.characters[who].edit_buffer else { return Ok(()) };
    let mut lines = buffer.lines.clone();
    lines.push(clean(buffer, line));
    store(turn, who, lines)
}

/// Returns a typed line as it is kept: trimmed, but with its indentation if the lines count.
fn clean(buffer: &EditBuffer, line: &str) -> String {
    let text = sanitise::clean_line(line, usize::MAX);
    let indent = if is_verbatim(&buffer.about) { line.len() - line.trim_start_matches(' ').len() } else { 0 };
    if text.is_empty() { text } else { " ".repeat(indent) + &text }
}

/// Changes lines of the character's text, or lists them.
///
/// # Errors
/// If there is no such line, or the text would be too long.
pub(crate) fn edit(turn: &mut Turn, who: CharacterId, edit: Edit<'_>) -> Result<(), Refusal> {
    let Some(buffer) = &turn.world.characters[who].edit_buffer else { return Ok(()) };
    let mut lines = buffer.lines.clone();
    let count = lines.len();
    let require = |at: usize, most: usize| {
        if at <= most {
            Ok(at - 1)
        } else {
            Err(refuse!("There is no line {at}; it has {count} so far. .list shows them."))
        }
    };
    let answer = match edit {
        Edit::Unclear => return Err(Refusal::Missing(HOW_LINES)),
        Edit::List(from) => {
            let page = numbered(&lines, from, LISTED);
            tell::tell(turn, who, Class::Reply, page);
            return Ok(());
        }
        Edit::Replace(at, text) => {
            lines[require(at, count)?] = clean(buffer, text);
            format!("Line {at} is replaced.")
        }
        Edit::Insert(at, text) => {
            lines.insert(require(at, count + 1)?, clean(buffer, text));
            format!("It is line {at} now.")
        }
        Edit::Delete(1, usize::MAX) => {
            lines.clear();
            "All lines are deleted.".to_owned()
        }
        Edit::Delete(first, last) => {
            let (from, to) = (require(first, count)?, require(last, count)?);
            if from > to {
                return Err(Refusal::Missing(HOW_LINES));
            }
            lines.drain(from..=to);
            format!("{} deleted.", grammar::capitalise(&grammar::counted(to + 1 - from, "line")))
        }
    };
    store(turn, who, lines)?;
    tell::tell(turn, who, Class::Reply, answer);
    Ok(())
}

/// Lists lines with their numbers, and where the rest is.
pub(crate) fn numbered<T: AsRef<str>>(lines: &[T], from: usize, most: usize) -> Markup {
    let mut page = Markup::new();
    let shown = (1..).zip(lines).skip(from.saturating_sub(1)).take(most);
    shown.for_each(|(number, line)| {
        page.line(Style::Plain, format!("{number}: {}", line.as_ref()).trim_end());
    });
    let next = from.saturating_add(most);
    if lines.is_empty() {
        page.line(Style::Plain, "It has no lines.");
    } else if from > lines.len() {
        page.line(Style::Plain, &format!("It has no more lines than {}.", lines.len()));
    } else if next <= lines.len() {
        page.line(Style::Plain, &format!("And {} more, from line {next} on.", lines.len() + 1 - next));
    }
    page
}

/// Stores the lines of the character's text.
///
/// # Errors
/// If they are too many or too long.
fn store(turn: &mut Turn, who: CharacterId, lines: Vec<String>) -> Result<(), Refusal> {
    let limits = &turn.config.limits;
    let Some(buffer) = &turn.world.characters[who].edit_buffer else { return Ok(()) };
    let is_script = is_verbatim(&buffer.about);
    let chars = match &buffer.about {
        about if is_script || about.starts_with(FIELD) => RuleLimit::DefinitionBytes,
        about if about.starts_with(MAIL) => RuleLimit::MailChars,
        about if about.starts_with(NOTE) => RuleLimit::NoteChars,
        _ => RuleLimit::DescriptionChars,
    };
    let most = if is_script { RuleLimit::ScriptLines } else { RuleLimit::DraftLines };
    if lines.len() > buffer.lines.len() {
        refusal::require_at_most(limits, most, lines.len(), |most| {
            refuse!("A text has at most {most} lines; a dot alone ends it.")
        })?;
    }
    if lines.len() >= buffer.lines.len() {
        let written: usize = lines.iter().map(|line| line.chars().count() + 1).sum();
        refusal::require_at_most(limits, chars, written.saturating_sub(1), |most| {
            refuse!(
                "With that line the text would be longer than {most} letters; it was not taken. A dot alone \
                 ends the text."
            )
        })?;
    }
    // A builder who lost the lock to another may write on, but does not renew the lock.
    let is_theirs = require_free(turn, who, &EditedText(buffer.about.clone())).is_ok();
    let now = turn.now;
    turn.world.characters.change(who, |body| {
        if let Some(buffer) = &mut body.edit_buffer {
            buffer.lines = lines;
            buffer.at = if is_theirs { now } else { buffer.at };
        }
    });
    Ok(())
}

/// Returns the lines of a script that the character is writing.
pub(crate) fn script_lines<'t>(turn: &'t Turn, who: CharacterId, key: &str) -> Option<&'t [String]> {
    let buffer = turn.world.characters[who].edit_buffer.as_ref()?;
    (buffer.about == EditedText::of_script(key).0).then_some(&buffer.lines)
}

/// Escapes the lines of a script into one typed line: `\n` ends a line, and `\\` is a backslash.
pub(crate) fn escaped<T: AsRef<str>>(lines: &[T]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| line.as_ref().replace('\\', "\\\\")).collect();
    lines.join("\\n")
}

/// Returns the lines of a script from one typed line; the inverse of [`escaped`].
pub(crate) fn unescaped(typed: &str) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    let mut characters = typed.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some('n')) => {
                characters.next();
                lines.push(std::mem::take(&mut line));
            }
            ('\\', Some('\\')) => line.extend(characters.next()),
            _ => line.push(c),
        }
    }
    lines.push(line);
    lines
}

/// Returns the finished text, with the command that receives it.
///
/// # Errors
/// If the text is empty, or was begun in another room and is no mail.
pub(crate) fn finish(turn: &Turn, who: CharacterId) -> Result<String, Refusal> {
    let body = &turn.world.characters[who];
    let Some(buffer) = &body.edit_buffer else { return Ok(String::new()) };
    if buffer.room != body.room && !buffer.about.starts_with(MAIL) {
        return Err(match turn.world.rooms.get(buffer.room) {
            Some(Room { id, sheet: RoomSheet { name, .. }, .. }) => {
                refuse!("You began this in {name}, room {id}: go back there, as in /goto, or type cancel.")
            }
            None => refuse!("The room that you began this in is gone. Type cancel to throw it away."),
        });
    }
    let text = if is_verbatim(&buffer.about) { escaped(&buffer.lines) } else { buffer.text() };
    if text.trim().is_empty() {
        return Err(refuse!("Nothing is written yet. Type cancel if nothing is to be."));
    }
    Ok(format!("{} = {text}", buffer.command))
}

/// Discards the character's text.
pub(crate) fn forget(turn: &mut Turn, who: CharacterId) {
    turn.world.characters.change(who, |body| body.edit_buffer = None);
}

/// Reminds a returning builder of an unfinished text.
pub(crate) fn remind(turn: &mut Turn, who: CharacterId) {
    let Some(buffer) = &turn.world.characters[who].edit_buffer else { return };
    let message = format!(
        "You are writing: {}, {} so far. {}",
        buffer.command,
        grammar::counted(buffer.lines.len(), "line"),
        how(&buffer.about, buffer.lines.len())
    );
    tell::tell(turn, who, Class::Notice, message);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The lines of a script are the same after they have been typed as one line.
        #[test]
        fn script_in_one_line_is_split_again(lines in prop::collection::vec(r"[ a-z\\n.]{0,12}", 1..6)) {
            let typed = escaped(&lines);
            prop_assert!(!typed.contains('\n'));
            prop_assert_eq!(unescaped(&typed), lines);
        }
    }
}
