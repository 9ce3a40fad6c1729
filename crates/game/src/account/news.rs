//! The `news` help page, written by the operator. A returning player is notified once if it has changed since their
//! last visit. In-game rumours about the dungeon are in `tidings`.

use crate::effect::Class;
use crate::message::tell;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Digest};
use deepwell_core::catalog::Catalog;
use deepwell_core::text::{Markup, Style};

/// File stem of the help page.
pub(crate) const PAGE: &str = "news";

/// Returns a hash of the page text, or 0 if there is no page.
pub(crate) fn edition(catalog: &Catalog) -> u32 {
    let Some(page) = catalog.help.topic(PAGE) else { return 0 };
    Digest::of_text(page.body.text()).folded().max(1)
}

/// Stores that an account has read the current page.
pub(crate) fn mark_news_read(turn: &mut Turn, account: AccountId) {
    let edition = edition(&turn.catalog);
    if turn.world.accounts[account].news != edition
        && !turn.read_only
        && let Some(row) = turn.world.accounts.edit(account)
    {
        row.news = edition;
    }
}

/// Notifies a returning player if the page has changed. While the world is read-only the notice waits until the next
/// login.
pub(crate) fn announce(turn: &mut Turn, who: CharacterId, account: AccountId) {
    let edition = edition(&turn.catalog);
    if edition == 0 || turn.world.accounts[account].news == edition || turn.read_only {
        return;
    }
    mark_news_read(turn, account);
    let notice =
        Markup::plain("There is news since you were here last: type ").with(Style::Command, "news").and(".");
    tell::tell(turn, who, Class::Notice, notice);
}
