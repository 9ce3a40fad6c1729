//! The game loop: inputs in, batches to the disk, and output once they are there.

pub mod driver;
pub(super) mod held_output;
pub mod inspection;
pub mod part_reads;
pub mod pipeline;
pub mod question;
pub mod recorder;
pub mod router;
pub mod writer;
