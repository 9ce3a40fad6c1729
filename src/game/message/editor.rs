//! Multi-line text input. Lines are stored with the character until a dot ends the text or it is cancelled. The
//! finished text goes to the command that began it.

use super::tell;
use crate::base::{CharacterId, ExitId, GameTime, RoomId};
use crate::game::effect::Class;
use crate::game::refusal::{BuildRefusal, Refusal};
use crate::game::turn::Turn;
use crate::text::{grammar, sanitise};
use crate::world::{Character, EditBuffer};

/// Instructions for the builder who writes a text.
const HOW: &str = "Write it line by line; an empty line parts paragraphs. A dot alone ends it, a ~ or the word cancel throws \
     it away, and a command behind a slash is carried out meanwhile, as in /look.";

/// Prefix of the name of a text that is a field of a definition.
const FIELD: &str = "field ";

/// Prefix of the name of a text that is a note on a board.
const NOTE: &str = "note ";

/// Prefix of the name of a text that is a mail, which may be finished in another room.
const MAIL: &str = "mail ";

/// Meaning of a line within a text.
pub(crate) enum Line<'a> {
    /// End of the text.
    End,
    /// Cancellation of the text.
    Cancel,
    /// Command to run outside the text.
    Command(&'a str),
    /// Line of the text.
    Text(&'a str),
}

impl<'a> Line<'a> {
    /// Parses an input line.
    pub(crate) fn read(line: &'a str) -> Self {
        match line.trim() {
            "." => Self::End,
            "~" => Self::Cancel,
            word if word.eq_ignore_ascii_case("cancel") => Self::Cancel,
            words => words.strip_prefix('/').map_or(Self::Text(words), Self::Command),
        }
    }
}

/// Returns `true` if a text may be broken into two lines at a space, to be rejoined by a space. Neither part may read
/// as a command or as the end of the text, and the second may not begin a paragraph.
pub(crate) fn can_break(text: &str, at: usize) -> bool {
    let (before, after) = (&text[..at], &text[at + 1..]);
    let is_text = |line: &str| matches!(Line::read(line), Line::Text(_)) && !line.starts_with("- ");
    is_text(before) && is_text(after) && !before.ends_with(' ') && !after.starts_with([' ', '.', '~'])
}

/// Returns the number of the next line of the character's text; 0 if it writes none.
pub(crate) fn next_line(turn: &Turn, who: CharacterId) -> u32 {
    let buffer = turn.world.characters[who].edit_buffer.as_ref();
    buffer.map_or(0, |buffer| u32::try_from(buffer.lines.len()).unwrap_or(u32::MAX).saturating_add(1))
}

/// Begins a text. `command` is the command that receives it, as typed before the `=`.
///
/// # Errors
/// If another builder is writing the same text.
pub(crate) fn begin(turn: &mut Turn, who: CharacterId, command: String, about: Text) -> Result<(), Refusal> {
    require_free(turn, who, &about)?;
    let (room, now) = (turn.world.characters[who].room, turn.now);
    let words = format!("You write: {command}. {HOW}");
    // A builder who began the same text earlier and was idle too long loses the lock.
    let same = |other: &Character| other.edit_buffer.as_ref().is_some_and(|buffer| buffer.about == about.0);
    turn.world.characters.change_where(same, |body| {
        body.edit_buffer.iter_mut().for_each(|buffer| buffer.at = GameTime::default());
    });
    let buffer = EditBuffer { command, room, lines: Vec::new(), about: about.0, since: now, at: now };
    turn.world.characters.change(who, |body| body.edit_buffer = Some(buffer));
    tell::tell(turn, who, Class::Reply, words);
    Ok(())
}

/// Identity of a text that only one builder at a time may write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Text(String);

impl Text {
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
    pub(crate) fn of_definition(words: &str) -> Self {
        Self(format!("definition {words}"))
    }

    /// Identifies a field of a definition, as in `creature mill_rat` and `behaviours`.
    pub(crate) fn of_field(words: &str, field: &str) -> Self {
        Self(format!("{FIELD}{words} {field}"))
    }

    /// Identifies a mail by its writer.
    pub(crate) fn of_mail(writer: CharacterId) -> Self {
        Self(format!("{MAIL}{writer}"))
    }

    /// Identifies a note on a board by its writer.
    pub(crate) fn of_note(writer: CharacterId) -> Self {
        Self(format!("{NOTE}{writer}"))
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
pub(crate) fn require_free(turn: &Turn, who: CharacterId, about: &Text) -> Result<(), Refusal> {
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
    Err(BuildRefusal::TextTaken { name: body.name.clone(), since: since.utc() }.into())
}

/// Adds a line to the character's text.
///
/// # Errors
/// If the text would be too long.
pub(crate) fn add(turn: &mut Turn, who: CharacterId, line: &str) -> Result<(), Refusal> {
    let limits = &turn.config.limits;
    let Some(buffer) = &turn.world.characters[who].edit_buffer else { return Ok(()) };
    let chars = match &buffer.about {
        about if about.starts_with(FIELD) => limits.definition_bytes,
        about if about.starts_with(MAIL) => limits.mail_chars,
        about if about.starts_with(NOTE) => limits.note_chars,
        _ => limits.description_chars,
    };
    let lines = limits.draft_lines;
    if buffer.lines.len() >= lines as usize {
        return Err(BuildRefusal::TooManyLines(lines).into());
    }
    let line = sanitise::clean_line(line, usize::MAX);
    let written: usize = buffer.lines.iter().map(|line| line.chars().count() + 1).sum();
    if written + line.chars().count() > chars as usize {
        return Err(BuildRefusal::TextTooLong(chars).into());
    }
    // A builder who lost the lock to another may write on, but does not renew the lock.
    let is_theirs = require_free(turn, who, &Text(buffer.about.clone())).is_ok();
    let now = turn.now;
    turn.world.characters.change(who, |body| {
        if let Some(buffer) = &mut body.edit_buffer {
            buffer.lines.push(line);
            buffer.at = if is_theirs { now } else { buffer.at };
        }
    });
    Ok(())
}

/// Returns the finished text, with the command that receives it.
///
/// # Errors
/// If the text is empty, or was begun in another room and is no mail.
pub(crate) fn finish(turn: &Turn, who: CharacterId) -> Result<String, Refusal> {
    let body = &turn.world.characters[who];
    let Some(buffer) = &body.edit_buffer else { return Ok(String::new()) };
    if buffer.room != body.room && !buffer.about.starts_with(MAIL) {
        let room = turn.world.rooms.get(buffer.room).map(|room| format!("{}, room {}", room.name, room.id));
        return Err(BuildRefusal::TextElsewhere(room).into());
    }
    let text = buffer.text();
    if text.is_empty() {
        return Err(BuildRefusal::TextEmpty.into());
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
    let words = format!(
        "You are writing: {}, {} so far. {HOW}",
        buffer.command,
        grammar::counted(buffer.lines.len(), "line")
    );
    tell::tell(turn, who, Class::Notice, words);
}
