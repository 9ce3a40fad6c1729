//! What somebody may do: what their rank is made of, and what they were given or lost besides.

use super::refusal::{AccountRefusal, Refusal};
use super::turn::Turn;
use crate::base::{AccountId, CharacterId, Right, Rights};
use crate::world::Role;

/// The rights of an account.
pub(crate) fn of(turn: &Turn, account: AccountId) -> Rights {
    let Some(row) = turn.world.accounts.get(account) else { return Rights::NONE };
    if row.role == Role::Owner {
        return Rights::ALL;
    }
    let given = row.granted.iter().copied().collect();
    row.withheld.iter().fold(of_rank(turn, row.role).and(given), |rights, lost| rights.without(*lost))
}

/// The rights of a rank.
pub(crate) fn of_rank(turn: &Turn, role: Role) -> Rights {
    turn.catalog.ranks.of(role.name())
}

/// Whether an account has a right.
pub(crate) fn has(turn: &Turn, account: AccountId, right: Right) -> bool {
    of(turn, account).has(right)
}

/// Whether somebody has a rank, or any right that players have not.
pub(crate) fn is_staff(turn: &Turn, account: AccountId) -> bool {
    turn.world.accounts[account].role > Role::Player || of(turn, account) != Rights::NONE
}

/// Gives somebody a right.
///
/// # Errors
/// If they have it, or nobody can give it to them.
pub(crate) fn grant(turn: &mut Turn, account: AccountId, name: &str, right: Right) -> Result<(), Refusal> {
    require_grantable(turn, account, right)?;
    if has(turn, account, right) {
        return Err(AccountRefusal::HasRight { name: name.to_owned(), right: right.name() }.into());
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

/// Takes a right from somebody.
///
/// # Errors
/// If they do not have it, or nobody can take it from them.
pub(crate) fn revoke(
    turn: &mut Turn,
    who: CharacterId,
    account: AccountId,
    name: &str,
    right: Right,
) -> Result<(), Refusal> {
    require_grantable(turn, account, right)?;
    if !has(turn, account, right) {
        return Err(AccountRefusal::LacksRight { name: name.to_owned(), right: right.name() }.into());
    }
    let of_rank = of_rank(turn, turn.world.accounts[account].role).has(right);
    if let Some(row) = turn.world.accounts.edit(account) {
        row.granted.remove(&right);
        if of_rank {
            row.withheld.insert(right);
        }
    }
    turn.awake.take(who, |body| body.digs = None);
    forget_desks(turn, account);
    Ok(())
}

/// Whoever may not build any more is logged out of the page for builders.
pub(crate) fn forget_desks(turn: &mut Turn, account: AccountId) {
    if !has(turn, account, Right::Dig)
        && let Some(row) = turn.world.accounts.edit(account)
    {
        row.desk_tokens.clear();
    }
}

/// Somebody has another rank: what they were given or lost besides the last one means nothing any more.
pub(crate) fn forget_own(turn: &mut Turn, account: AccountId) {
    if let Some(row) = turn.world.accounts.edit(account) {
        row.granted.clear();
        row.withheld.clear();
    }
}

/// Refuses what is the owner's alone, and whom nothing can be given or taken.
fn require_grantable(turn: &Turn, account: AccountId, right: Right) -> Result<(), Refusal> {
    let row = &turn.world.accounts[account];
    match right {
        Right::Grant => Err(AccountRefusal::OwnersAlone.into()),
        _ if row.role == Role::Owner => Err(AccountRefusal::OwnerHasAll.into()),
        _ if row.guest => Err(AccountRefusal::IsGuest("right").into()),
        _ => Ok(()),
    }
}
