//! Requests for file operations, and their outcome: answers to the asker, and reasons for failure.

use super::{change, require_author};
use crate::building::reload::MISTAKES_SHOWN;
use crate::effect::files::{ExportFile, FileKind, FileOperation, FileRequest};
use crate::effect::{Class, Declined, Effect};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, Digest, RoomId, SessionId};
use deepwell_core::catalog::CatalogError;
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::FileVersions;
use std::sync::Arc;

/// Reason why files were not written, read or imported.
pub(crate) enum Failed {
    /// The server could not read them.
    Declined(Declined),
    /// Refused by the rules.
    Refused(Refusal),
    /// Errors of the files, one per line.
    Errors(Vec<String>),
}

impl Failed {
    /// Creates a failure for mistakes in files, below a heading.
    pub(super) fn mistakes(heading: &str, found: &[CatalogError]) -> Self {
        Self::Errors([heading.to_owned()].into_iter().chain(shown(found)).collect())
    }

    /// Returns the reason as sentences for the builder.
    pub(crate) fn lines(self) -> Vec<String> {
        match self {
            Self::Declined(reason) => vec![reason.to_string()],
            Self::Refused(refusal) => refusal.markup().text().lines().map(str::to_owned).collect(),
            Self::Errors(lines) => lines,
        }
    }
}

impl From<Declined> for Failed {
    fn from(reason: Declined) -> Self {
        Self::Declined(reason)
    }
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Returns the account of the asker; `None` for the operator.
pub(super) fn account(turn: &Turn, asker: SessionId) -> Option<AccountId> {
    turn.seats.get(&asker).map(|seat| seat.account)
}

/// Returns an error unless the session's account may use the zone's file. Requests of the operator, who has no seat,
/// are always permitted.
pub(super) fn require_right(turn: &Turn, asker: SessionId, zone: &str) -> Result<(), Refusal> {
    match account(turn, asker) {
        Some(account) => require_author(turn, account, zone),
        None => Ok(()),
    }
}

/// Returns the room of the asker; `None` for the operator.
pub(super) fn room_of(turn: &Turn, asker: SessionId) -> Option<RoomId> {
    turn.seats.get(&asker).map(|seat| turn.world.characters[seat.character].room)
}

/// Records that a write of this text is starting, and returns the file to be written.
pub(super) fn begin_write(versions: &mut FileVersions, name: String, text: String) -> ExportFile {
    let digest = Digest::of_text(&text);
    begin_write_of(versions, name, text, digest)
}

/// Records that a write of this text, whose digest is known, is starting, and returns the file to be written.
pub(super) fn begin_write_of(
    versions: &mut FileVersions,
    name: String,
    text: String,
    digest: Digest,
) -> ExportFile {
    let digest = digest.to_string();
    versions.attempt(digest.clone());
    ExportFile { name, text, digest, known: versions.digests().to_vec() }
}

/// Returns the first mistakes of a list, up to the display limit, and the number omitted.
pub(crate) fn shown(found: &[impl ToString]) -> Vec<String> {
    let mut lines: Vec<String> = found.iter().take(MISTAKES_SHOWN).map(ToString::to_string).collect();
    if let Some(more) = found.len().checked_sub(MISTAKES_SHOWN).filter(|more| *more > 0) {
        lines.push(format!("And {more} more."));
    }
    lines
}

/// Tells the asker about work in progress.
pub(super) fn tell(turn: &mut Turn, asker: SessionId, message: &str) {
    if turn.seats.contains_key(&asker) {
        turn.outbox.text(asker, Class::Reply, &Arc::new(Markup::plain(message)));
        turn.outbox.prompt(asker);
    }
}

/// Passes a request to the server, unless an earlier one of the builder is not answered.
pub(super) fn request(
    turn: &mut Turn,
    asker: SessionId,
    kind: FileKind,
    operation: FileOperation,
) -> Result<(), Refusal> {
    if account(turn, asker).is_some() && !turn.builder_work.begin_request(asker, turn.now) {
        return Err(refuse!("The files that you asked for last are not done yet. Try again in a moment."));
    }
    turn.outbox.push(Effect::Files(Arc::new(FileRequest { asker, kind, operation })));
    Ok(())
}

/// Requests writing the text of a zone to its file.
pub(super) fn write_file(
    turn: &mut Turn,
    asker: SessionId,
    zone: String,
    text: String,
    digest: Digest,
) -> Result<(), Refusal> {
    let file = change(turn, &zone.clone(), |row| begin_write_of(&mut row.file, zone, text, digest));
    request(turn, asker, FileKind::Zone, FileOperation::Write(vec![file]))
}

/// Sends the result to the asker: a player who is still connected, or the operator.
pub(super) fn answer(turn: &mut Turn, asker: SessionId, result: Result<Vec<String>, Failed>) {
    turn.builder_work.end_request(asker);
    let result = result.map_err(Failed::lines);
    if !turn.seats.contains_key(&asker) {
        let answer = result.map_err(|lines| lines.join("\n").into());
        return turn.outbox.push(Effect::Answered { asker, answer });
    }
    let (class, lines) = match result {
        Ok(lines) => (Class::Reply, lines),
        Err(lines) => (Class::Refusal, lines),
    };
    let mut page = Markup::default();
    for line in &lines {
        page.line(Style::Plain, line);
    }
    turn.outbox.text(asker, class, &Arc::new(page));
    turn.outbox.prompt(asker);
}
