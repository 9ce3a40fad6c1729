//! Commands whose change is stored before the answer is sent, beside the disk.

use super::plot::{Plot, Series};
use super::{Plan, Section, fixed, table, thousands};
use crate::client::{Audience, contains};
use crate::figures::{Figures, Load, run};
use crate::server::{HIGH_LIMITS, Server};
use crate::worlds::{stored_cells, way_to_cell};
use anyhow::ensure;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Numbers of clients.
const CLIENTS: [u32; 2] = [1, 100];
/// Size of a bare write in bytes.
const BLOCK: usize = 4_096;

/// Result.
pub(crate) struct Deeds {
    rows: Vec<(u32, Figures)>,
    syncs_per_second: f64,
}

impl Deeds {
    pub(crate) async fn measure(plan: &Plan) -> anyhow::Result<Self> {
        let most = CLIENTS.into_iter().max().unwrap_or_default();
        let server = Server::deepwell(&plan.program, stored_cells(most).await?, &HIGH_LIMITS)?;
        let mut audience = Audience::default();
        audience.admit(server.address, 0..most, way_to_cell).await?;
        let mut players = audience.wake().await?;
        for player in &mut players {
            player.ask(b"drop 1 silver\r\n").await?;
            ensure!(contains(&player.buffer, b"You lay down"), "nothing was dropped");
            player.ask(b"get silver\r\n").await?;
            ensure!(contains(&player.buffer, b"You pocket"), "nothing was taken");
        }
        let load = Load::of("drop 1 silver|get silver", plan.time(3.0));
        let before = syncs_per_second(server.folder.path(), load.duration)?;
        let mut rows = Vec::new();
        for count in CLIENTS {
            let mut some = players.split_off(players.len() - count as usize);
            rows.push((count, run(&load, &mut some, &server.watched).await?));
            players.extend(some);
        }
        let after = syncs_per_second(server.folder.path(), load.duration)?;
        Ok(Self { rows, syncs_per_second: f64::midpoint(before, after) })
    }
}

/// Writes and syncs the same block repeatedly.
fn syncs_per_second(folder: &Path, duration: Duration) -> anyhow::Result<f64> {
    let file = File::create(folder.join("sync"))?;
    // Allocate the block first.
    file.write_all_at(&[0; BLOCK], 0)?;
    file.sync_all()?;
    let (begun, mut count) = (Instant::now(), 0_u32);
    while begun.elapsed() < duration {
        file.write_all_at(&[0x55; BLOCK], 0)?;
        file.sync_data()?;
        count += 1;
    }
    Ok(f64::from(count) / begun.elapsed().as_secs_f64())
}

impl Section for Deeds {
    fn text(&self) -> String {
        let row = |(clients, figures): &(u32, Figures)| {
            vec![
                clients.to_string(),
                thousands(figures.rate()),
                fixed(figures.rate() / self.syncs_per_second, 2),
                format!("{} us", fixed(figures.cpu_us(), 1)),
                format!("{} ms, {} ms", fixed(figures.percentile(50), 2), fixed(figures.percentile(99), 2)),
            ]
        };
        format!(
            "## Changes that are stored first\n\nEach client drops and takes a coin in turn. An answer is sent after \
             its change has been stored; changes that arrive at the same time share a commit. A bare loop that writes \
             {BLOCK} bytes and calls `fdatasync` on the same disk makes {} rounds a second, before and after on average.\n\n{}\n\
             ![Stored changes per second over the number of clients, beside bare syncs](../pictures/performance-changes.svg)\n",
            thousands(self.syncs_per_second),
            table(
                &["clients", "changes/s", "divided by bare syncs/s", "CPU of a change", "p50, p99"],
                self.rows.iter().map(row)
            ),
        )
    }

    fn plot(&self) -> Option<(&'static str, Plot)> {
        let points = |figure: &dyn Fn(&Figures) -> f64| {
            self.rows.iter().map(|(clients, figures)| (f64::from(*clients), figure(figures))).collect()
        };
        let series = vec![
            Series { name: "stored changes".to_owned(), points: points(&Figures::rate) },
            Series { name: "bare syncs".to_owned(), points: points(&|_| self.syncs_per_second) },
        ];
        Some(("changes", Plot { title: "Stored changes per second", x: "clients", y: "changes/s", series }))
    }
}
