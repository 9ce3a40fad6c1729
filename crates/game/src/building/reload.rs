//! Hot reload of content. Existing rows keep their keys and use the new definitions; a key that no longer exists is
//! handled as at a start. The server reads the files; here a reload succeeds or fails as a whole.

use crate::building::{definitions, initial_areas};
use crate::effect::Class;
use crate::turn::Turn;
use deepwell_core::base::SessionId;
use deepwell_core::catalog::Catalog;
use deepwell_core::text::{Markup, Style, grammar};
use std::sync::Arc;

/// Maximum number of content mistakes reported to the requester and the log per reload. Builders may reload repeatedly.
pub const MISTAKES_SHOWN: usize = 40;

/// Replaces the content and creates the rooms of new areas.
pub(crate) fn apply_content(turn: &mut Turn, askers: &[SessionId], catalog: Arc<Catalog>) {
    if let Err(refusal) = turn.require_writable() {
        return tell_requesters(turn, askers, Class::Refusal, refusal.markup());
    }
    turn.of_files = catalog;
    let settled = definitions::settle(turn);
    // Only a fresh world can lack a start room.
    let _ = initial_areas::create_initial_areas(turn, false);
    let mut page = Markup::plain(&summary(&turn.catalog));
    for line in settled.into_iter().chain(definitions::inactive_definitions(turn)) {
        page.line(Style::Plain, &line);
    }
    tell_requesters(turn, askers, Class::System, page);
}

/// Summarises the content in use: "The content is in force: 8 themes, 41 creatures ..."
pub(crate) fn summary(catalog: &Catalog) -> String {
    let parts = [
        grammar::counted(catalog.themes.len(), "theme"),
        grammar::counted(catalog.creatures.len(), "creature"),
        grammar::counted(catalog.items.len(), "item"),
        grammar::counted(catalog.areas.len(), "area"),
        grammar::counted(catalog.help.topics().count(), "help topic"),
    ];
    format!("The content is in force: {}.", grammar::list(&parts))
}

/// Reports to the requesters why the new content was rejected.
pub(crate) fn refuse(turn: &mut Turn, askers: &[SessionId], mistakes: &[String]) {
    let mut page = Markup::plain("The content stays as it was, for these mistakes:");
    for mistake in mistakes.iter().take(MISTAKES_SHOWN) {
        page.line(Style::Plain, mistake);
    }
    let more = mistakes.len().saturating_sub(MISTAKES_SHOWN);
    if more > 0 {
        page.line(Style::Plain, &format!("And {more} more: deepwell check lists all."));
    }
    tell_requesters(turn, askers, Class::Refusal, page);
}

/// Sends text to the requesters who are still connected.
fn tell_requesters(turn: &mut Turn, askers: &[SessionId], class: Class, message: Markup) {
    let message = Arc::new(message);
    for asker in askers {
        if turn.seats.contains_key(asker) {
            turn.outbox.text(*asker, class, &message);
            turn.outbox.prompt(*asker);
        }
    }
}
