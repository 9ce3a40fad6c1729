//! An operator who has the content read again while everybody plays.

use super::{Scene, Worker};
use crate::client::Gone;
use crate::server::Server;
use deepwell::base::{Dice as _, Rng};
use deepwell::world::Snapshot;

/// Changes that others make between two readings, at most.
const PAUSE: u32 = 100;

pub(super) fn begin(_: &Server) -> Vec<Box<dyn Worker>> {
    vec![Box::new(Editor)]
}

struct Editor;

impl Worker for Editor {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        loop {
            scene.pause(dice.up_to(PAUSE));
            scene.begin("reload");
            scene.control("reload", &[])?;
            scene.note("reload");
        }
    }

    /// The same content changes nothing that is stored: whatever others were told holds.
    fn compare(&mut self, _: &Snapshot, _: &mut Vec<String>) {}
}
