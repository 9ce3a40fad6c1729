//! Operator who makes backups while the others play.

use super::{Scene, Worker};
use crate::client::Gone;
use crate::server::Server;
use deepwell::base::{Dice as _, Rng};
use deepwell::store;
use deepwell::world::Snapshot;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Maximum number of other workers' changes between two backups.
const PAUSE: u32 = 150;

pub(super) fn begin(_: &Server) -> Vec<Box<dyn Worker>> {
    vec![Box::new(Keeper { folder: TempDir::new().unwrap(), last: None, begun: None, next: 0 })]
}

struct Keeper {
    folder: TempDir,
    /// Last acknowledged backup.
    last: Option<PathBuf>,
    /// Backup in flight.
    begun: Option<PathBuf>,
    next: u32,
}

impl Worker for Keeper {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        loop {
            scene.pause(dice.up_to(PAUSE));
            self.next += 1;
            let path = self.folder.path().join(format!("{}.db", self.next));
            self.begun = Some(path.clone());
            scene.begin("backup");
            scene.control("backup", &[&path.to_string_lossy()])?;
            if let Some(old) = self.last.replace(path) {
                fs::remove_file(old).unwrap();
            }
            self.begun = None;
            scene.note("backup");
        }
    }

    /// An acknowledged backup is complete; an unacknowledged one is complete or absent. Neither prevents the next.
    fn compare(&mut self, _: &Snapshot, mismatches: &mut Vec<String>) {
        let last = self.last.take();
        let begun = self.begun.take().filter(|path| path.exists());
        for path in last.into_iter().chain(begun) {
            let flaws = flaws(&path);
            if !flaws.is_empty() {
                mismatches.push(format!("the backup {} is not whole: {flaws:?}", path.display()));
            }
            fs::remove_file(&path).unwrap_or_default();
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn flaws(copy: &Path) -> Vec<String> {
    store::check(copy).await.unwrap_or_else(|error| vec![error.to_string()])
}
