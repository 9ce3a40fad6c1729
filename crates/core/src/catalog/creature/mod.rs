//! Creatures and townspeople: what they are, do, say and where they walk.

pub mod behaviour;
pub mod dialogue;
pub mod folk;
pub mod manoeuvre;
pub mod prototype;
pub mod route;
pub mod rumours;
