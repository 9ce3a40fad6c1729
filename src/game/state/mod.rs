//! What features keep in memory from one step to the next: values with their own operations, one a feature. Losing
//! them costs nobody what was promised.

pub(crate) mod fights;
pub(crate) mod guidance;
pub(crate) mod gmcp;
pub(crate) mod minds;
pub(crate) mod outbox;
pub(crate) mod scrollback;

pub(crate) use fights::{AffectTimes, Blows, Fights, Rounds};
pub(crate) use gmcp::GmcpState;
pub(crate) use guidance::Guidance;
pub(crate) use minds::Minds;
pub(crate) use outbox::Outbox;
pub(crate) use scrollback::Scrollback;
