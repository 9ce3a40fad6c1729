//! Combat over time: rounds, abilities, announced manoeuvres, props, shots between rooms, incapacitated players.

pub(crate) mod archery;
pub(crate) mod incapacitated;
pub(crate) mod manoeuvres;
pub(crate) mod props;
pub(crate) mod rounds;
pub(crate) mod use_ability;
