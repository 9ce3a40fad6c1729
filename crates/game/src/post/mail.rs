//! Sending, taking, returning and expiry of mail. Mail is text, items and coins; it waits at its receiver's name until it
//! is taken, so an account that is asleep stays asleep. Items and coins pass the post only outside the dungeon.

use super::view;
use crate::access::{audibility, permissions, sanctions};
use crate::character::stats;
use crate::effect::Class;
use crate::item::money::{self, Sum};
use crate::item::{equipment, inventory, stacks};
use crate::message::{naming, notices, tell};
use crate::post::too_many_today;
use crate::refusal::{self, Refusal, refuse};
use crate::state::event::{GameEvent, Sound};
use crate::state::slices;
use crate::state::timers::Timer;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId, MailId, RuleLimit};
use deepwell_core::catalog::ItemEvent;
use deepwell_core::text::{Markup, Style, coins, grammar, sanitise};
use deepwell_core::world::{AccountData, Item, Mail, Place};

/// Reason in the ledger for items lost with an uncollected mail.
const WHY: &str = "mail";
/// Maximum number of mails that expire in one step.
const EXPIRED_AT_ONCE: usize = 20;

/// Items or coins that go with a mail.
#[derive(Debug)]
pub(crate) enum Parcel {
    Nothing,
    Coins(Sum),
    Items(Vec<(ItemId, u32)>),
}

/// Sends a mail.
pub(crate) fn send(
    turn: &mut Turn,
    who: CharacterId,
    to: CharacterId,
    text: &str,
    parcel: &Parcel,
) -> Result<(), Refusal> {
    turn.require_writable()?;
    sanctions::require_voice(turn, who)?;
    let text = sanitise::clean_text(text, usize::MAX);
    let has = text.chars().count();
    let too_long = |most| refuse!("A mail may have {most} letters, and yours has {has}. Nothing is sent.");
    refusal::require_at_most(&turn.config.limits, RuleLimit::MailChars, has, too_long)?;
    if text.is_empty() && matches!(parcel, Parcel::Nothing) {
        return Err(audibility::nothing_to_say());
    }
    require_receiver(turn, who, to)?;
    require_parcel(turn, who, parcel)?;
    let replaced = mail_to_replace(turn, who)?;
    let account = turn.world.characters[who].account.ok_or(Refusal::NotAllowed)?;
    if !turn.player_limits.charge_post(account, turn.now) {
        return Err(refusal::at_limit(RuleLimit::MailsPerDay, too_many_today()));
    }
    if let Some(replaced) = replaced {
        turn.outbox.count_limit(RuleLimit::Mails);
        turn.world.remove_mail(replaced, WHY);
    }
    let id = turn.world.new_mail_id();
    let until = turn.now + turn.config.limits.mail_kept;
    turn.world.mails.deliver(Mail {
        id,
        to,
        from: Some(who),
        number: 0,
        text,
        at: turn.now,
        until,
        read: false,
        is_of_lodge: false,
        returned: false,
    });
    schedule_if_first(turn, id);
    attach(turn, who, id, parcel)?;
    let name = turn.world.name_of(to).unwrap_or_default();
    let answer = Markup::plain("Your mail to ").with(Style::Player, name).and(" is sent");
    let answer = match view::attached_words(turn, &turn.world.mails[id]) {
        Some(items) => answer.and(&format!(", with {items}.")),
        None => answer.and("."),
    };
    tell::tell(turn, who, Class::Reply, answer);
    announce(turn, id);
    Ok(())
}

/// Sends newly minted coppers to a character, absent or not. A full post office gives way to it as for any other mail.
pub(crate) fn send_reward(turn: &mut Turn, to: CharacterId, text: &str, copper: i64) {
    if turn.is_at_limit(RuleLimit::Mails, turn.world.mails.len())
        && let Some(replaced) = turn.world.most_dispensable_mail(1)
    {
        turn.world.remove_mail(replaced, WHY);
    }
    let id = turn.world.new_mail_id();
    turn.world.mails.deliver(Mail {
        id,
        to,
        from: None,
        number: 0,
        text: text.to_owned(),
        at: turn.now,
        until: turn.now + turn.config.limits.mail_kept,
        read: false,
        is_of_lodge: true,
        returned: false,
    });
    schedule_if_first(turn, id);
    let mut rest = u32::try_from(copper).unwrap_or(0);
    // In the largest coins, as sums are told.
    for name in coins::names() {
        let key = format!("{name}_coin");
        let worth = coins::worth_of(name).and_then(|worth| u32::try_from(worth).ok()).unwrap_or(1);
        if rest >= worth && turn.catalog.items.contains_key(&key) {
            let pile = turn.world.new_item_id();
            let made = Item::new(pile, &key, Place::Mail(id), turn.now);
            turn.world.add_item(Item { count: rest / worth, copper: worth, ..made }, "reward");
            rest %= worth;
        }
    }
    announce(turn, id);
}

/// Refuses a receiver who takes no mail from a sender, and mail beyond the limits.
fn require_receiver(turn: &Turn, who: CharacterId, to: CharacterId) -> Result<(), Refusal> {
    let limits = &turn.config.limits;
    let name = || turn.world.name_of(to).unwrap_or_default().to_owned();
    if to == who {
        return Err(refuse!("A mail to yourself would say what you know."));
    }
    if turn.world.account_of(to).is_none_or(|account| sanctions::is_guest(turn, account)) {
        return Err(permissions::guest_has_none("mailbox"));
    }
    if turn.world.is_ignoring(to, who) && !audibility::speaks_as_staff(turn, who, to) {
        return Err(refuse!("{} takes no mail from you.", name()));
    }
    let in_box = turn.world.mails.count(to).0;
    refusal::require_below(limits, RuleLimit::MailsPerMailbox, in_box, |_| {
        refuse!("The mailbox of {} is full. Nothing is sent.", name())
    })?;
    let sent = turn.world.mails.sent_by(who).count();
    refusal::require_below(limits, RuleLimit::MailsPerSender, sent, |_| {
        refuse!(
            "As many of your mails as may lie about lie with others, who have not taken them. Nothing is \
             sent."
        )
    })
}

/// Returns the mail that gives way to another of a sender, if there are as many mails as may be. Refuses if no sender has
/// more.
fn mail_to_replace(turn: &Turn, who: CharacterId) -> Result<Option<MailId>, Refusal> {
    let (limits, all) = (&turn.config.limits, turn.world.mails.len());
    let Err(full) = refusal::require_below(limits, RuleLimit::Mails, all, |_| {
        refuse!("The post has no room for more mail just now. Nothing is sent.")
    }) else {
        return Ok(None);
    };
    let sent = turn.world.mails.sent_by(who).count();
    turn.world.most_dispensable_mail(sent + 1).map(Some).ok_or(full)
}

/// Refuses to pass items and coins by post from or to the dungeon.
fn require_post_office(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    if view::is_below(turn, who) {
        return Err(refuse!("The post does not come down here with things. Send and take them above."));
    }
    Ok(())
}

fn require_parcel(turn: &Turn, who: CharacterId, parcel: &Parcel) -> Result<(), Refusal> {
    match parcel {
        Parcel::Nothing => return Ok(()),
        Parcel::Coins(sum) => money::afford(turn, who, sum.copper)?,
        Parcel::Items(items) => {
            let too_many = |most| refuse!("At most {most} things go with a mail.");
            let limits = &turn.config.limits;
            refusal::require_at_most(limits, RuleLimit::MailThings, items.len(), too_many)?;
            let is_worn = |(item, _): &&(ItemId, u32)| turn.world.items[*item].worn.is_some();
            if let Some((worn, _)) = items.iter().find(is_worn) {
                return Err(equipment::still_worn(&naming::the_item(turn, *worn)));
            }
        }
    }
    require_post_office(turn, who)
}

/// Moves items or coins of a sender to a mail.
fn attach(turn: &mut Turn, who: CharacterId, mail: MailId, parcel: &Parcel) -> Result<(), Refusal> {
    let place = Place::Mail(mail);
    match parcel {
        Parcel::Nothing => {}
        Parcel::Coins(sum) => {
            money::take_out(turn, who, sum, place)?;
        }
        Parcel::Items(items) => {
            for (item, count) in items {
                stacks::move_and_stack(turn, *item, *count, place);
            }
            equipment::after_gear_change(turn, who);
        }
    }
    Ok(())
}

/// Tells a connected receiver of new mail.
fn announce(turn: &mut Turn, mail: MailId) {
    let Some(Mail { to, number, returned, .. }) = turn.world.mails.get(mail).cloned() else { return };
    let row = &turn.world.mails[mail];
    let other = row.from.and_then(|from| turn.world.name_of(from));
    let notice = match (other, returned) {
        (Some(name), false) => Markup::plain("Mail has come from ").with(Style::Player, name).and("."),
        (Some(name), true) => Markup::plain("Your mail to ").with(Style::Player, name).and(" has come back."),
        (None, false) => Markup::plain("Mail has come from ").and(view::LODGE).and("."),
        (None, true) => Markup::plain("Your mail has come back."),
    };
    let notice = notice.and(" Type ").with(Style::Command, &format!("mail {number}")).and(" to read it.");
    if returned {
        notices::keep_if_away(turn, to, notice.text());
    }
    if turn.seated.contains_key(&to) {
        tell::tell(turn, to, Class::Notice, notice);
        turn.emit_event(GameEvent::Sounded { who: to, sound: Sound::Tell });
    }
}

/// Tells a player who logs in of unread mail.
pub(crate) fn remind(turn: &mut Turn, who: CharacterId) {
    let (_, unread) = turn.world.mails.count(who);
    if unread > 0 {
        let notice = Markup::plain(&format!("You have {}. Type ", grammar::counted(unread, "unread mail")))
            .with(Style::Command, "mail")
            .and(" for the list.");
        tell::tell(turn, who, Class::Notice, notice);
    }
}

/// Finds a mail by the number in the mailbox.
fn numbered(turn: &Turn, who: CharacterId, number: u32) -> Result<&Mail, Refusal> {
    let mail = turn.world.mails.numbered(who, number);
    mail.ok_or_else(|| no_mail(&number.to_string()))
}

/// Shows a mail to its receiver, and marks it as read unless the world is read-only.
pub(crate) fn read(turn: &mut Turn, who: CharacterId, number: u32) -> Result<Markup, Refusal> {
    let mail = numbered(turn, who, number)?;
    let (id, is_read, view) = (mail.id, mail.read, view::whole(turn, mail));
    if !is_read && !turn.read_only {
        turn.world.mails.change(id, |mail| mail.read = true);
    }
    Ok(view)
}

/// Takes what is attached to a mail. Items that the character cannot carry stay with the mail.
pub(crate) fn take(turn: &mut Turn, who: CharacterId, number: u32) -> Result<(), Refusal> {
    turn.require_writable()?;
    let id = numbered(turn, who, number)?.id;
    require_post_office(turn, who)?;
    let items = turn.world.attached(id).to_vec();
    if items.is_empty() {
        return Err(refuse!("Nothing is attached to mail {number}."));
    }
    let (mut names, mut taken, mut no) = (Vec::new(), Vec::new(), None);
    for item in items {
        let count = turn.world.items[item].count;
        let name = naming::stack_words(turn, item, count);
        match inventory::acquire(turn, who, item, count) {
            Ok(part) => {
                names.push(name);
                taken.extend(part);
            }
            Err(refusal) => no = Some(refusal),
        }
    }
    if !names.is_empty() {
        turn.world.mails.change(id, |mail| mail.read = true);
        let answer = format!("You take {} out of mail {number}.", grammar::list(&names));
        tell::tell(turn, who, Class::Reply, answer);
    }
    for item in taken {
        turn.emit_event(GameEvent::Handled { who, item, event: ItemEvent::Get });
    }
    no.map_or(Ok(()), Err)
}

/// Deletes a mail without attached items.
pub(crate) fn delete(turn: &mut Turn, who: CharacterId, number: u32) -> Result<String, Refusal> {
    turn.require_writable()?;
    let id = numbered(turn, who, number)?.id;
    if !turn.world.attached(id).is_empty() {
        return Err(refuse!(
            "There are things with mail {number}. Type mail take {number} first, or mail return {number}."
        ));
    }
    turn.world.remove_mail(id, WHY);
    Ok(format!("Mail {number} is gone."))
}

/// Returns a mail to its sender, with everything that is attached.
pub(crate) fn give_back(turn: &mut Turn, who: CharacterId, number: u32) -> Result<String, Refusal> {
    turn.require_writable()?;
    let mail = numbered(turn, who, number)?;
    if mail.returned {
        return Err(refuse!("Mail {number} has come back to you, and there is nobody to return it to."));
    }
    let (id, from) = (mail.id, mail.from.ok_or_else(|| sender_gone(number))?);
    send_back(turn, id, from);
    let name = turn.world.name_of(from).unwrap_or_default();
    Ok(format!("Mail {number} goes back to {name}."))
}

fn send_back(turn: &mut Turn, mail: MailId, from: CharacterId) {
    let (now, until) = (turn.now, turn.now + turn.config.limits.mail_kept);
    turn.world.mails.redirect(mail, |mail| {
        mail.from = Some(std::mem::replace(&mut mail.to, from));
        (mail.at, mail.until) = (now, until);
        (mail.read, mail.returned) = (false, true);
    });
    schedule_if_first(turn, mail);
    announce(turn, mail);
}

/// Schedules the expiry of the mail that expires first.
pub(crate) fn schedule_expiry(turn: &mut Turn) {
    if let Some(mail) = turn.world.mails.first_to_expire() {
        turn.timers.schedule(mail.until, Timer::Mail);
    }
}

/// Schedules the expiry of a mail that expires before all others.
fn schedule_if_first(turn: &mut Turn, mail: MailId) {
    if turn.world.mails.first_to_expire().is_some_and(|first| first.id == mail) {
        schedule_expiry(turn);
    }
}

/// Ends the time of expired mail: what was not read or not taken goes back to its sender, other mail is deleted.
pub(crate) fn expire(turn: &mut Turn) {
    for _ in 0..EXPIRED_AT_ONCE {
        let Some(mail) = turn.world.mails.first_to_expire().filter(|mail| mail.until <= turn.now).cloned()
        else {
            return schedule_expiry(turn);
        };
        let id = mail.id;
        let is_done = mail.read && turn.world.attached(id).is_empty();
        if let Some(from) = mail.from.filter(|_| !mail.returned && !is_done) {
            send_back(turn, id, from);
            continue;
        }
        if !turn.world.attached(id).is_empty() {
            let message = format!("Mail {} is gone with all that was in it: its time was over.", mail.number);
            notices::tell(turn, mail.to, message);
        }
        turn.world.remove_mail(id, WHY);
    }
    turn.timers.schedule(turn.now + slices::PAUSE, Timer::Mail);
}

/// Empties the mailboxes of a person whose account is deleted: mail of others goes back to them. `why` is the reason in
/// the ledger for items of the person's own mail.
pub(crate) fn empty_mailboxes(turn: &mut Turn, person: &AccountData, why: &str) {
    let mails = person.bodies.iter().flat_map(|who| turn.world.mails.of(*who));
    let mails: Vec<MailId> = mails.map(|mail| mail.id).collect();
    for id in mails {
        let mail = &turn.world.mails[id];
        let other = mail.from.filter(|from| !mail.returned && !person.bodies.contains(from));
        match other {
            Some(from) => send_back(turn, id, from),
            None => turn.world.remove_mail(id, why),
        }
    }
}

/// Returns the sender of a mail that a player reports, with the mail.
pub(crate) fn evidence(turn: &Turn, who: CharacterId, number: u32) -> Result<(CharacterId, Markup), Refusal> {
    let mail = numbered(turn, who, number)?;
    let from = mail.from.filter(|_| !mail.returned).ok_or_else(|| sender_gone(number))?;
    Ok((from, view::whole(turn, mail)))
}

/// Returns the refusal of a mail number that is not in the mailbox.
pub(crate) fn no_mail(number: &str) -> Refusal {
    refuse!("You have no mail {number}. Type mail for the list.")
}

/// Returns the refusal of a mail whose sender no longer exists.
fn sender_gone(number: u32) -> Refusal {
    refuse!("Whoever sent mail {number} is gone, and there is nobody to return it to.")
}
