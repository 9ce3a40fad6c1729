//! Mail as its receiver reads it: the list, a single mail, and its data for clients.

use crate::effect::data::{Data, MailInfo};
use crate::message::naming;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::Mail;

/// Mails on a page of the list.
const MAILS_PER_PAGE: usize = 20;

/// Lists the mails of a character, the newest first.
pub(crate) fn list(turn: &Turn, who: CharacterId, page: usize) -> Markup {
    let (all, unread) = turn.world.mails.count(who);
    if all == 0 {
        return Markup::plain("You have no mail. Type ")
            .with(Style::Command, "mail to NAME = TEXT")
            .and(" to send some.");
    }
    let pages = all.div_ceil(MAILS_PER_PAGE);
    let page = page.clamp(1, pages);
    let heading = format!("You have {}, {} unread", grammar::counted(all, "mail"), grammar::number(unread));
    let mut list = Markup::styled(Style::Heading, &heading);
    for mail in turn.world.mails.of(who).rev().skip((page - 1) * MAILS_PER_PAGE).take(MAILS_PER_PAGE) {
        list.line(Style::Plain, &format!("{}: ", mail.number));
        list.append(&origin(turn, mail));
        list.push(Style::Plain, &format!(", {} ago", turn.now.since(mail.at)));
        if !mail.read {
            list.push(Style::Plain, ", unread");
        }
        if let Some(items) = attached_words(turn, mail) {
            list.push(Style::Plain, &format!(", with {items}"));
        }
        list.push(Style::Plain, ".");
    }
    if page < pages {
        list.line(Style::Plain, "Type ");
        list.push(Style::Command, &format!("mail page {}", page + 1));
        list.push(Style::Plain, " for more.");
    }
    list
}

/// Shows a mail. Each line of its text begins with the name of its author.
pub(crate) fn whole(turn: &Turn, mail: &Mail) -> Markup {
    let mut view = Markup::styled(Style::Heading, &format!("Mail {}, ", mail.number));
    view.append(&origin(turn, mail));
    view.push(Style::Plain, &format!(", {}", mail.at.utc()));
    for line in mail.text.lines() {
        view.line(Style::Player, author(turn, mail));
        view.push(Style::Plain, ": ");
        view.push(Style::Speech, line);
    }
    if let Some(items) = attached_words(turn, mail) {
        let how = if is_below(turn, mail.to) { "Above, out of the dungeon, type" } else { "Type" };
        view.line(Style::Plain, &format!("With it: {items}. {how} "));
        view.push(Style::Command, &format!("mail take {}", mail.number));
        view.push(Style::Plain, ".");
    }
    view
}

/// Returns `true` if a character is where the post brings no things.
pub(super) fn is_below(turn: &Turn, who: CharacterId) -> bool {
    let body = &turn.world.characters[who];
    body.branch.is_some() || turn.world.rooms[body.room].branch.is_some()
}

/// Returns where a mail comes from: "from Bera", or "to Bera, come back".
fn origin(turn: &Turn, mail: &Mail) -> Markup {
    let unnamed = if mail.is_of_lodge { LODGE } else { GONE };
    let other = mail.from.and_then(|from| turn.world.name_of(from)).unwrap_or(unnamed);
    if mail.returned {
        Markup::plain("to ").with(Style::Player, other).and(", come back")
    } else {
        Markup::plain("from ").with(Style::Player, other)
    }
}

/// Name of the sender of mail that the game itself has sent.
pub(crate) const LODGE: &str = "the Climbers' Lodge";

/// Name for the other side of a mail whose account is deleted.
const GONE: &str = "somebody who is gone";

/// Returns the name of the character who wrote the text.
fn author<'a>(turn: &'a Turn, mail: &Mail) -> &'a str {
    let author = if mail.returned { Some(mail.to) } else { mail.from };
    author.and_then(|who| turn.world.name_of(who)).unwrap_or(if mail.is_of_lodge {
        "The lodge"
    } else {
        "They"
    })
}

/// Lists the items that are attached to a mail.
pub(crate) fn attached_words(turn: &Turn, mail: &Mail) -> Option<String> {
    let items = turn.world.attached(mail.id);
    let names = items.iter().map(|item| naming::stack_words(turn, *item, turn.world.items[*item].count));
    (!items.is_empty()).then(|| grammar::list(names))
}

/// Returns the numbers of mails for `Char.Mail.Status`.
pub(crate) fn data(turn: &Turn, who: CharacterId) -> Data {
    let (mails, unread) = turn.world.mails.count(who);
    Data::Mail { mails, unread }
}

/// Lists the newest mails for `Char.Mail.List`.
pub(crate) fn listed(turn: &Turn, who: CharacterId) -> Data {
    let info = |mail: &Mail| MailInfo {
        number: mail.number,
        from: origin(turn, mail).text().to_owned(),
        at: mail.at.0 / 1_000,
        read: mail.read,
        items: attached_words(turn, mail),
        command: format!("mail read {}", mail.number),
    };
    Data::Mails(turn.world.mails.of(who).rev().take(MAILS_PER_PAGE).map(info).collect())
}
