//! Notes on the boards of rooms: list, text, writing and removal.

use crate::access::{audibility, audit_log, sanctions};
use crate::effect::Class;
use crate::effect::data::{Data, NoteInfo};
use crate::message::{notices, tell};
use crate::post::too_many_today;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RuleLimit};
use deepwell_core::text::{Markup, Style, grammar, sanitise};
use deepwell_core::world::Note;

/// Notes on a page of the list.
const NOTES_PER_PAGE: usize = 20;

/// Returns the board in the room of a character, by zone and key.
fn board_here(turn: &Turn, who: CharacterId) -> Result<String, Refusal> {
    let room = &turn.world.rooms[turn.world.characters[who].room];
    room.board_name().ok_or_else(|| refuse!("There is no board here."))
}

/// Returns the notes of a board that a player sees, oldest first: notes of ignored authors are hidden.
fn seen<'a>(turn: &'a Turn, who: CharacterId, board: &str) -> impl DoubleEndedIterator<Item = &'a Note> {
    turn.world.notes.on(board).filter(move |note| !turn.world.is_ignoring(who, note.from))
}

/// Lists the notes on the board in the room, the newest first.
pub(crate) fn list(turn: &Turn, who: CharacterId, page: usize) -> Result<Markup, Refusal> {
    let board = board_here(turn, who)?;
    let notes: Vec<&Note> = seen(turn, who, &board).collect();
    if notes.is_empty() {
        let empty = Markup::plain("Nothing hangs on the board. Type ");
        return Ok(empty.with(Style::Command, "board write TITLE = TEXT").and(" to change that."));
    }
    let pages = notes.len().div_ceil(NOTES_PER_PAGE);
    let page = page.clamp(1, pages);
    let heading = format!("On the board: {}", grammar::counted(notes.len(), "note"));
    let mut list = Markup::styled(Style::Heading, &heading);
    for note in notes.into_iter().rev().skip((page - 1) * NOTES_PER_PAGE).take(NOTES_PER_PAGE) {
        list.line(Style::Plain, &format!("{}: ", note.number));
        list.append(&by_line(turn, note));
    }
    if page < pages {
        list.line(Style::Plain, "Type ");
        list.push(Style::Command, &format!("board page {}", page + 1));
        list.push(Style::Plain, " for more.");
    }
    Ok(list)
}

/// Lists the newest notes on the board in the room for `Room.Notes.List`; empty without a board.
pub(crate) fn listed(turn: &Turn, who: CharacterId) -> Data {
    let board = board_here(turn, who).ok();
    let notes = board.iter().flat_map(|board| seen(turn, who, board).rev());
    let info = |note: &Note| NoteInfo {
        number: note.number,
        from: turn.world.name_of(note.from).unwrap_or_default().to_owned(),
        title: note.title.clone(),
        at: note.at.0 / 1_000,
        command: format!("board read {}", note.number),
    };
    Data::Notes(notes.take(NOTES_PER_PAGE).map(info).collect())
}

/// Returns the author, title and age of a note.
fn by_line(turn: &Turn, note: &Note) -> Markup {
    Markup::styled(Style::Player, turn.world.name_of(note.from).unwrap_or_default())
        .and(": ")
        .with(Style::Speech, &note.title)
        .and(&format!(", {} ago.", turn.now.since(note.at)))
}

/// Finds a note on the board in the room.
fn numbered(turn: &Turn, who: CharacterId, number: u32) -> Result<&Note, Refusal> {
    let note = turn.world.notes.numbered(&board_here(turn, who)?, number);
    let note = note.filter(|note| !turn.world.is_ignoring(who, note.from));
    note.ok_or_else(|| no_note(&number.to_string()))
}

/// Shows a note. Each line of its text begins with the name of its author.
pub(crate) fn read(turn: &Turn, who: CharacterId, number: u32) -> Result<Markup, Refusal> {
    let note = numbered(turn, who, number)?;
    let author = turn.world.name_of(note.from).unwrap_or_default();
    let mut view = Markup::styled(Style::Heading, &format!("Note {}. ", note.number));
    view.append(&by_line(turn, note));
    for line in note.text.lines() {
        view.line(Style::Player, author);
        view.push(Style::Plain, ": ");
        view.push(Style::Speech, line);
    }
    Ok(view)
}

/// Writes a note on the board in the room.
pub(crate) fn write(turn: &mut Turn, who: CharacterId, title: &str, text: &str) -> Result<(), Refusal> {
    turn.require_writable()?;
    sanctions::require_voice(turn, who)?;
    let board = board_here(turn, who)?;
    let limits = &turn.config.limits;
    let (title, text) = (sanitise::clean_line(title, usize::MAX), sanitise::clean_text(text, usize::MAX));
    if title.is_empty() || text.is_empty() {
        return Err(audibility::nothing_to_say());
    }
    for (part, limit) in [(&title, RuleLimit::NameChars), (&text, RuleLimit::NoteChars)] {
        let has = part.chars().count();
        refusal::require_at_most(limits, limit, has, |most| {
            refuse!("That may have {most} letters, and has {has}. Nothing is written.")
        })?;
    }
    let all = turn.world.notes.len();
    let replaced = match refusal::require_below(limits, RuleLimit::Notes, all, |_| {
        refuse!("There is no more room on the boards. Nothing is written.")
    }) {
        Ok(()) => None,
        Err(full) => {
            let mine = turn.world.notes.by(who).count();
            Some(turn.world.notes.most_dispensable(mine + 1).ok_or(full)?)
        }
    };
    let most = limits.notes_per_board as usize;
    let account = turn.world.characters[who].account.ok_or(Refusal::NotAllowed)?;
    if !turn.player_limits.charge_post(account, turn.now) {
        return Err(refusal::at_limit(RuleLimit::MailsPerDay, too_many_today()));
    }
    if let Some(replaced) = replaced {
        turn.outbox.count_limit(RuleLimit::Notes);
        turn.world.notes.remove(replaced);
    }
    let (id, at) = (turn.world.new_note_id(), turn.now);
    turn.world.notes.post(Note { id, board, number: 0, from: who, title, text, at }, most);
    let number = turn.world.notes.get(id).map_or(0, |note| note.number);
    tell::tell(turn, who, Class::Reply, format!("Your note hangs on the board, as number {number}."));
    tell::tell_others(turn, who, Class::Notice, " pins a note to the board.");
    Ok(())
}

/// Removes a note: the author's own, or, for staff, any. What staff remove is in the audit log.
pub(crate) fn remove(
    turn: &mut Turn,
    who: CharacterId,
    number: u32,
    may_moderate: bool,
) -> Result<String, Refusal> {
    turn.require_writable()?;
    let (note, account) = (numbered(turn, who, number)?.clone(), turn.world.characters[who].account);
    if turn.world.account_of(note.from) != account {
        if !may_moderate {
            return Err(refuse!("Note {number} is not yours."));
        }
        let author = turn.world.name_of(note.from).unwrap_or_default();
        let action = format!("board remove {number}: {author} on {}, {}", note.board, note.title);
        audit_log::audit(turn, account, &action);
        notices::tell(turn, note.from, format!("Staff have taken your note off the board: {}", note.title));
    }
    turn.world.notes.remove(note.id);
    Ok(format!("Note {number} is off the board."))
}

/// Returns a note that a player reports: its author and lines.
pub(crate) fn evidence(turn: &Turn, who: CharacterId, number: u32) -> Result<(CharacterId, Markup), Refusal> {
    Ok((numbered(turn, who, number)?.from, read(turn, who, number)?))
}

/// Returns the refusal of a note number that is not on the board.
pub(crate) fn no_note(number: &str) -> Refusal {
    refuse!("There is no note {number} on this board. Type board for the list.")
}
