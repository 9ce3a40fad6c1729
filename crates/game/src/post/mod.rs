//! Mail between players, which reaches those who are away, and notes on boards.

pub(crate) mod mail;
pub(crate) mod notes;
pub(crate) mod view;

use crate::refusal::{Refusal, refuse};

/// Returns the refusal of more mails and notes than a day allows.
fn too_many_today() -> Refusal {
    refuse!("You have written as many mails and notes as one may in a day. Try again later.")
}
