//! What characters learn, train, suffer and gesture.

pub mod ability;
pub mod affect;
pub mod social;
pub mod training;
