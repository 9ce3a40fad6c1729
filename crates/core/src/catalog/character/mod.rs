//! Abilities, affects, training and socials of characters.

pub mod ability;
pub mod affect;
pub mod social;
pub mod training;
