//! Commands of the server operator, sent by `deepwell control` without a character. The rules are those of the staff
//! commands.

use crate::base::SessionId;
use crate::game::access::audit_log;
use crate::game::account::deletion;
use crate::game::branch::asleep;
use crate::game::building::zones::files;
use crate::game::command::account::data;
use crate::game::command::parse::{Words, resolve};
use crate::game::command::split;
use crate::game::command::staff::ban::{ban_order, banned, lock_named};
use crate::game::command::staff::moderation::account_named;
use crate::game::effect::files::FilePurpose;
use crate::game::effect::{Declined, Effect};
use crate::game::refusal::Refusal;
use crate::game::staff::moderation::Authority;
use crate::game::staff::{bans, lockdown};
use crate::game::turn::Turn;
use crate::world::Part;

/// Runs a command line of the operator and answers it. If the line needs a part of the world that is asleep, nothing has
/// happened, and the part is returned.
pub(crate) fn operate(turn: &mut Turn, asker: SessionId, line: &str) -> Result<(), Part> {
    let (word, rest) = split(line);
    if let Err(Refusal::Asleep(part)) = require_awake(turn, word, rest) {
        return Err(part);
    }
    // The audit entry is written before a command that locks the world, and after one that unlocks it.
    let is_written = !turn.read_only;
    if is_written {
        audit_log::audit(turn, None, line);
    }
    if word == "zone" {
        zone(turn, asker, rest);
        return Ok(());
    }
    let answer = carry_out(turn, word, Words::new(rest, NAMED));
    if !is_written && !turn.read_only {
        audit_log::audit(turn, None, line);
    }
    let answer = answer.map(|words| words.lines().map(str::to_owned).collect()).map_err(Declined::from);
    turn.outbox.push(Effect::Answered { asker, answer });
    Ok(())
}

/// Refuses if the line is about a player whose account is asleep, or deletes one with a branch that is.
fn require_awake(turn: &Turn, word: &str, rest: &str) -> Result<(), Refusal> {
    let (name, _) = split(rest);
    if let Err(Refusal::Asleep(part)) = resolve::player_named(turn, name) {
        return Err(Refusal::Asleep(part));
    }
    match account_named(turn, Words::new(rest, NAMED)) {
        Ok((account, _)) if word == "delete" => asleep::require_awake_around(turn, account),
        _ => Ok(()),
    }
}

/// Argument of the operator's commands, for the refusal of a line without one.
const NAMED: &str = "a name, an address, a range, or what to lock";

/// Requests writing, reading or comparing zone files. The answer is sent when the server has done so.
fn zone(turn: &mut Turn, asker: SessionId, rest: &str) {
    let (verb, names) = split(rest);
    let names: Vec<String> = names.split_whitespace().map(str::to_lowercase).collect();
    let refused = match verb {
        "import" if !names.is_empty() => files::ask_to_read(turn, asker, names, FilePurpose::Import),
        "diff" if !names.is_empty() => files::ask_to_read(turn, asker, names, FilePurpose::Compare),
        "export" if names.len() == 1 => files::ask_to_write(turn, asker, &names[0]),
        _ => Err(Refusal::Missing(
            "zone export and the name of a zone, or zone import or diff and those of zones",
        )),
    };
    if let Err(refusal) = refused {
        let answer = Err(refusal.into());
        turn.outbox.push(Effect::Answered { asker, answer });
    }
}

fn carry_out(turn: &mut Turn, word: &str, words: Words<'_>) -> Result<String, Refusal> {
    let by = Authority::operator();
    match word {
        "ban" => {
            turn.require_writable()?;
            let order = ban_order(turn, words)?;
            bans::ban(turn, &by, order)
        }
        "unban" => {
            turn.require_writable()?;
            let banned = banned(turn, words)?;
            bans::unban(turn, &by, banned)
        }
        "delete" => {
            turn.require_writable()?;
            let (account, name) = account_named(turn, words)?;
            deletion::require_another_owner(turn, account)?;
            let told = "Staff have deleted your account with all that it had.";
            deletion::remove_account(turn, account, told, data::WHY);
            Ok(format!("{name} is deleted. The books say account {account}."))
        }
        "bans" => Ok(bans::list(turn).text().to_owned()),
        "lock" if words.is_empty() => Ok(lockdown::words(turn)),
        "lock" => lockdown::lock(turn, lock_named(words)?),
        "unlock" => lockdown::unlock(turn, lock_named(words)?),
        other => Err(Refusal::Unknown(other.to_owned(), None)),
    }
}
