//! Commands of the server operator, sent by `deepwell control` without a character. The rules are those of the staff
//! commands.

use crate::access::audit_log;
use crate::branch::asleep;
use crate::building::zones::files;
use crate::command::parse::{Words, resolve};
use crate::command::split;
use crate::command::staff::ban::{ban_order, banned, lock_named};
use crate::command::staff::general::{change_role, demotion, promotion};
use crate::command::staff::moderation::{account_named, unending_verdict, verdict};
use crate::command::staff::{audit, people as orders, report};
use crate::effect::files::FilePurpose;
use crate::effect::{Declined, Effect};
use crate::refusal::Refusal;
use crate::staff::moderation::Authority;
use crate::staff::{bans, lockdown, moderation, people};
use crate::turn::Turn;
use deepwell_core::base::SessionId;
use deepwell_core::world::{Sanction, WorldPart};

/// Runs a command line of the operator and answers it. `by` is the name of that user of the machine. If the line needs a part of the world that is asleep, nothing has
/// happened, and the part is returned.
pub(crate) fn operate(
    turn: &mut Turn,
    asker: SessionId,
    line: &str,
    by: Option<&str>,
) -> Result<(), WorldPart> {
    let (word, rest) = split(line);
    if let Err(Refusal::Asleep(part)) = require_awake(turn, word, rest) {
        return Err(part);
    }
    // The audit entry is written before a command that locks the world, and after one that unlocks it.
    let is_written = !turn.read_only;
    if is_written {
        audit_log::audit_operator(turn, by, line);
    }
    if word == "zone" {
        zone(turn, asker, rest);
        return Ok(());
    }
    let answer = carry_out(turn, word, Words::new(rest, NAMED));
    if !is_written && !turn.read_only {
        audit_log::audit_operator(turn, by, line);
    }
    if let Err(refusal) = &answer {
        turn.outbox.count_refusal(refusal);
    }
    let answer = answer
        .map(|answer| answer.lines().map(str::to_owned).collect())
        .map_err(|refusal| Declined::from(refusal.with_setting()));
    turn.outbox.push(Effect::Answered { asker, answer });
    Ok(())
}

/// Refuses if the line is about a player whose account is asleep, or deletes one with a branch that is.
fn require_awake(turn: &Turn, word: &str, rest: &str) -> Result<(), Refusal> {
    let (first, behind) = split(rest);
    let name = if matches!(word, "account" | "character") { split(behind).0 } else { first };
    if let Err(Refusal::Asleep(part)) = resolve::player_named(turn, name) {
        return Err(Refusal::Asleep(part));
    }
    let is_deleted = word == "delete" || (name != first && first == "delete");
    match people::account_called(turn, name) {
        Ok(account) if is_deleted => asleep::require_awake_around(turn, account),
        Err(Refusal::Asleep(part)) => Err(Refusal::Asleep(part)),
        _ => Ok(()),
    }
}

/// Argument of the operator's commands, for the refusal of a line without one.
const NAMED: &str = "a name, an address, a range, or what to lock, and what else the command takes";

/// Requests writing, reading or comparing zone files. The answer is sent when the server has done so.
fn zone(turn: &mut Turn, asker: SessionId, rest: &str) {
    let (verb, names) = split(rest);
    let names: Vec<String> = names.split_whitespace().map(str::to_lowercase).collect();
    let refused = match verb {
        "import" if !names.is_empty() => files::ask_to_read(turn, asker, names, FilePurpose::ImportMany),
        "diff" if !names.is_empty() => files::ask_to_read(turn, asker, names, FilePurpose::Compare),
        "export" if names.len() == 1 => files::ask_to_write(turn, asker, &names[0]),
        _ => Err(Refusal::Missing(
            "zone export and the name of a zone, or zone import or diff and those of zones",
        )),
    };
    if let Err(refusal) = refused {
        turn.outbox.count_refusal(&refusal);
        let answer = Err(refusal.with_setting().into());
        turn.outbox.push(Effect::Answered { asker, answer });
    }
}

/// Commands that need no storage, or refuse by themselves what does.
const READING: [&str; 7] = ["bans", "lock", "unlock", "audit", "reports", "account", "character"];

fn carry_out(turn: &mut Turn, word: &str, words: Words<'_>) -> Result<String, Refusal> {
    let by = Authority::operator();
    if !READING.contains(&word) {
        turn.require_writable()?;
    }
    match word {
        "ban" => {
            let order = ban_order(turn, words)?;
            bans::ban(turn, &by, order)
        }
        "unban" => {
            let banned = banned(turn, words)?;
            bans::unban(turn, &by, banned)
        }
        "kick" => {
            let verdict = unending_verdict(turn, words)?;
            moderation::kick(turn, &by, &verdict)
        }
        "mute" => impose(turn, &by, Sanction::Mute, words),
        "freeze" => impose(turn, &by, Sanction::Freeze, words),
        "unmute" => lift(turn, &by, Sanction::Mute, words),
        "unfreeze" => lift(turn, &by, Sanction::Freeze, words),
        "promote" => {
            let promotion = promotion(turn, words)?;
            change_role(turn, &by, promotion)
        }
        "demote" => {
            let demotion = demotion(turn, words)?;
            change_role(turn, &by, demotion)
        }
        "reports" => {
            let what = (!words.is_empty()).then(|| report::reading(turn, None, words)).transpose()?;
            report::reports(turn, None, what).map(|list| list.text().to_owned())
        }
        "audit" => Ok(audit::search(turn, words)?.found(turn).text().to_owned()),
        "account" => orders::account_order(turn, words)?.carry_out(turn, &by),
        "character" => orders::character_order(turn, words)?.carry_out(turn, &by),
        "delete" => {
            let account = people::account_called(turn, words.required()?.text())?;
            orders::delete_account(turn, account)
        }
        "bans" => Ok(bans::list(turn).text().to_owned()),
        "lock" if words.is_empty() => Ok(lockdown::words(turn)),
        "lock" => lockdown::lock(turn, lock_named(words)?),
        "unlock" => lockdown::unlock(turn, lock_named(words)?),
        other => Err(Refusal::Unknown(other.to_owned(), None)),
    }
}

fn impose(turn: &mut Turn, by: &Authority, sanction: Sanction, words: Words<'_>) -> Result<String, Refusal> {
    let verdict = verdict(turn, words)?;
    moderation::impose_sanction(turn, by, sanction, &verdict)
}

fn lift(turn: &mut Turn, by: &Authority, sanction: Sanction, words: Words<'_>) -> Result<String, Refusal> {
    let (account, name) = account_named(turn, words)?;
    moderation::lift_sanction(turn, by, sanction, account, &name)
}
