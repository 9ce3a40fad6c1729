//! Refusals because a limit is reached. They carry the limit, which the operator's metrics count.

use crate::refusal::Refusal;
use deepwell_core::base::RuleLimit;
use deepwell_core::base::limits::Limits;

/// Refuses a further one if the number that exists has reached a limit. `refusal` is given the limit.
pub(crate) fn require_below(
    limits: &Limits,
    limit: RuleLimit,
    has: usize,
    refusal: impl FnOnce(u32) -> Refusal,
) -> Result<(), Refusal> {
    require_at_most(limits, limit, has.saturating_add(1), refusal)
}

/// Refuses a number or length above a limit. `refusal` is given the limit.
pub(crate) fn require_at_most(
    limits: &Limits,
    limit: RuleLimit,
    wants: usize,
    refusal: impl FnOnce(u32) -> Refusal,
) -> Result<(), Refusal> {
    let most = limit.of(limits);
    if wants > most as usize { Err(at_limit(limit, refusal(most))) } else { Ok(()) }
}

/// Returns a refusal that names the limit that is reached.
pub(crate) fn at_limit(limit: RuleLimit, refusal: Refusal) -> Refusal {
    Refusal::AtLimit(limit, Box::new(refusal))
}
