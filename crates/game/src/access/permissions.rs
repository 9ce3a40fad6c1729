//! Permissions of accounts: the rights of their rank, plus rights granted and minus rights revoked individually.

use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Right, Rights};
use deepwell_core::world::Role;

/// Returns the rights of an account.
pub(crate) fn of(turn: &Turn, account: AccountId) -> Rights {
    let Some(row) = turn.world.accounts.get(account) else { return Rights::NONE };
    if row.role == Role::Owner {
        return Rights::ALL;
    }
    let given = row.granted.iter().copied().collect();
    row.withheld.iter().fold(of_rank(turn, row.role).and(given), |rights, lost| rights.without(*lost))
}

/// Returns the rights of a rank.
pub(crate) fn of_rank(turn: &Turn, role: Role) -> Rights {
    turn.catalog.ranks.of(role.name())
}

/// Returns `true` if an account has a right.
pub(crate) fn has(turn: &Turn, account: AccountId, right: Right) -> bool {
    of(turn, account).has(right)
}

/// Returns `true` if an account has a staff rank or any right.
pub(crate) fn is_staff(turn: &Turn, account: AccountId) -> bool {
    turn.world.accounts[account].role > Role::Player || of(turn, account) != Rights::NONE
}

/// Grants a right to an account.
///
/// # Errors
/// If the account already has the right, or it cannot be granted.
pub(crate) fn grant(turn: &mut Turn, account: AccountId, name: &str, right: Right) -> Result<(), Refusal> {
    require_grantable(turn, account, right)?;
    if has(turn, account, right) {
        return Err(refuse!("{name} has the right {} already.", right.name()));
    }
    let of_rank = of_rank(turn, turn.world.accounts[account].role).has(right);
    if let Some(row) = turn.world.accounts.edit(account) {
        row.withheld.remove(&right);
        if !of_rank {
            row.granted.insert(right);
        }
    }
    Ok(())
}

/// Revokes a right of an account.
///
/// # Errors
/// If the account does not have the right, or it cannot be revoked.
pub(crate) fn revoke(
    turn: &mut Turn,
    who: CharacterId,
    account: AccountId,
    name: &str,
    right: Right,
) -> Result<(), Refusal> {
    require_grantable(turn, account, right)?;
    if !has(turn, account, right) {
        return Err(refuse!("{name} does not have the right {}.", right.name()));
    }
    let of_rank = of_rank(turn, turn.world.accounts[account].role).has(right);
    if let Some(row) = turn.world.accounts.edit(account) {
        row.granted.remove(&right);
        if of_rank {
            row.withheld.insert(right);
        }
    }
    turn.awake.take(who, |body| body.digs = None);
    revoke_builder_tokens(turn, account);
    Ok(())
}

/// Revokes the tokens of the web builder and the staff page of an account that lacks [`Right::Look`].
pub(crate) fn revoke_builder_tokens(turn: &mut Turn, account: AccountId) {
    if !has(turn, account, Right::Look)
        && let Some(row) = turn.world.accounts.edit(account)
    {
        row.desk_tokens.clear();
    }
}

/// Clears the rights granted and revoked individually, after a change of rank.
pub(crate) fn clear_individual_rights(turn: &mut Turn, account: AccountId) {
    if let Some(row) = turn.world.accounts.edit(account) {
        row.granted.clear();
        row.withheld.clear();
    }
}

/// Refuses rights that only the owner has, and accounts whose rights cannot be changed.
fn require_grantable(turn: &Turn, account: AccountId, right: Right) -> Result<(), Refusal> {
    let row = &turn.world.accounts[account];
    match right {
        Right::Grant => Err(refuse!("Who has which right is the owner's alone to say.")),
        _ if row.role == Role::Owner => Err(refuse!("The owner has all rights, always.")),
        _ if row.guest => Err(guest_has_none("right")),
        _ => Ok(()),
    }
}

/// Returns the refusal to change a property that guests do not have.
pub(crate) fn guest_has_none(what: &str) -> Refusal {
    refuse!("That is a guest, who has no {what}.")
}

/// Returns the refusal for an account that does not have a right.
pub(crate) fn right_missing(right: &str) -> Refusal {
    refuse!("That takes the right {right}, which you do not have.")
}
