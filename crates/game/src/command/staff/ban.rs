//! Commands for bans and lockdown switches.

use crate::access::audit_log;
use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, FromWeb, Needs, run, show};
use crate::command::staff::moderation::{account_named, time_and_reason};
use crate::refusal::{Refusal, refuse};
use crate::staff::bans::BanOrder;
use crate::staff::moderation::Authority;
use crate::staff::{bans, lockdown};
use crate::turn::Turn;
use deepwell_core::base::{Right, address};
use deepwell_core::world::{Banned, LockdownSwitch};

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "ban",
        syntax: "ban NAME|ADDRESS|RANGE [for TIME] [REASON]",
        summary: "Keeps an account or an address out and ends its connections, for a time or until unban.",
        example: "ban 203.0.113.0/24 for 7d spam: nobody below your rank comes in from there for a week.",
        missing: "ban, a name, an address or a range, and if you like for, a time such as 2h or 7d, and a reason",
        run: run!(|turn, actor, order| bans::ban(
            turn,
            &Authority::of_account(turn, actor.account, actor.session),
            order
        )),
        ..STAFF
    },
    CommandSpec {
        name: "unban",
        syntax: "unban NAME|ADDRESS|RANGE",
        summary: "Lets an account or an address in again.",
        example: "unban bera: Bera may come in.",
        missing: "unban and a name, an address or a range",
        run: run!(|turn, actor, banned| bans::unban(
            turn,
            &Authority::of_account(turn, actor.account, actor.session),
            banned
        )),
        ..STAFF
    },
    CommandSpec {
        name: "bans",
        summary: "Lists who is kept out, until when, by whom and why.",
        example: "bans: one a line, the newest first.",
        run: show!(|turn, _, ()| Ok(bans::list(turn))),
        ..STAFF
    },
    CommandSpec {
        name: "lock",
        needs: Needs::Nothing,
        syntax: "lock [logins|accounts|world [off]]",
        summary: "Lets no player in, lets nobody make an account, or lets nothing change, until it is off; alone, it tells what is locked.",
        example: "lock accounts: who has an account still comes in. lock accounts off ends it.",
        missing: "lock and logins, accounts or world, and off to end it",
        run: run!(lock),
        ..STAFF
    },
];

/// Defaults of most commands here.
const STAFF: CommandSpec = CommandSpec {
    right: Some(Right::Bans),
    needs: Needs::Storage,
    from_web: FromWeb::Staff,
    ..CommandSpec::PLAYER
};

impl Argument<'_> for Banned {
    fn read(turn: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        banned(turn, words)
    }
}

/// Parses the target of a ban: a range, an address or an account name.
pub(crate) fn banned(turn: &Turn, words: Words<'_>) -> Result<Banned, Refusal> {
    let text = words.required()?.text();
    let Some(network) = address::network(text) else {
        return account_named(turn, words).map(|(account, _)| Banned::Account(account));
    };
    let is_range = text.contains('/');
    Ok(Banned::Network(if is_range { network.trunc() } else { address::household(network.addr()) }))
}

impl Argument<'_> for BanOrder {
    fn read(turn: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        ban_order(turn, words)
    }
}

/// Parses the target, duration and reason of a ban.
pub(crate) fn ban_order(turn: &Turn, words: Words<'_>) -> Result<BanOrder, Refusal> {
    let (who, rest) = words.required()?.first_word();
    let banned = banned(turn, who)?;
    let (time, reason) = time_and_reason(turn, rest)?;
    Ok(BanOrder { banned, time, reason })
}

/// Lockdown switch and its new state.
#[derive(Clone, Copy)]
struct Locking {
    lock: LockdownSwitch,
    is_off: bool,
}

impl Argument<'_> for Locking {
    fn read(_: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let (what, off) = words.first_word();
        let is_off = match off.text().to_lowercase().as_str() {
            "off" => true,
            "" | "on" => false,
            _ => return Err(words.missing()),
        };
        Ok(Self { lock: lock_named(what)?, is_off })
    }
}

/// Parses the name of a lockdown switch.
pub(crate) fn lock_named(words: Words<'_>) -> Result<LockdownSwitch, Refusal> {
    let name = words.required()?.text().to_lowercase();
    let known = LockdownSwitch::NAMES.into_iter().find(|(word, _)| *word == name);
    known.map(|(_, lock)| lock).ok_or_else(|| refuse!("You can lock logins, accounts, or the world."))
}

fn lock(turn: &mut Turn, actor: Actor, order: Option<Locking>) -> Result<(), Refusal> {
    let was_read_only = turn.read_only;
    let done = match order {
        Some(Locking { lock, is_off: false }) => lockdown::lock(turn, lock)?,
        Some(Locking { lock, is_off: true }) => lockdown::unlock(turn, lock)?,
        None => lockdown::words(turn),
    };
    if was_read_only && !turn.read_only {
        // Until now nothing could be written to the audit log.
        audit_log::audit(turn, Some(actor.account), "lock world off");
    }
    actor.answer(turn, done)
}
