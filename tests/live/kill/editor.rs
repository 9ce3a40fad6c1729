//! Operator who reloads the content while the others play.

use super::{Scene, Worker};
use crate::client::Gone;
use crate::server::Server;
use deepwell::base::{Dice as _, Rng};
use deepwell::world::Snapshot;

/// Maximum number of other workers' changes between two reloads.
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

    /// Unchanged content changes nothing stored.
    fn compare(&mut self, _: &Snapshot, _: &mut Vec<String>) {}
}
