//! What is new here: a page of help, which whoever runs the place may write. Whoever comes back is told once that it says
//! something else than when they were here last. Not what the town hears of the well: those are tidings.

use super::effect::Class;
use super::tell;
use super::turn::Turn;
use crate::base::{AccountId, CharacterId, Digest};
use crate::catalog::Catalog;
use crate::text::{Markup, Style};

/// The page, by the stem of its file.
pub(crate) const PAGE: &str = "news";

/// A number that stands for what the page says; 0 if there is none.
pub(crate) fn edition(catalog: &Catalog) -> u32 {
    let Some(page) = catalog.help.topic(PAGE) else { return 0 };
    let Digest(digest) = Digest::of_text(page.body.text());
    let [first, second] = [digest >> 32, digest & u64::from(u32::MAX)];
    u32::try_from(first ^ second).unwrap_or(u32::MAX).max(1)
}

/// Somebody reads the page: it is not new to them any more.
pub(crate) fn note_read(turn: &mut Turn, account: AccountId) {
    let edition = edition(&turn.catalog);
    if turn.world.accounts[account].news != edition
        && !turn.read_only
        && let Some(row) = turn.world.accounts.edit(account)
    {
        row.news = edition;
    }
}

/// Tells whoever comes back if there is something new. While nothing can be written it waits for the next time.
pub(crate) fn announce(turn: &mut Turn, who: CharacterId, account: AccountId) {
    let edition = edition(&turn.catalog);
    if edition == 0 || turn.world.accounts[account].news == edition || turn.read_only {
        return;
    }
    note_read(turn, account);
    let words =
        Markup::plain("There is news since you were here last: type ").with(Style::Command, "news").and(".");
    tell::tell(turn, who, Class::Notice, words);
}
