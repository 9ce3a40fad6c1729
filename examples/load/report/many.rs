//! As many players as the limits of the machine permit.

use super::ratio::median;
use super::{Plan, Section, fixed, table, thousands};
use crate::client::Audience;
use crate::figures::{Figures, Load, micros_since, run};
use crate::server::{HIGH_LIMITS, Server};
use crate::worlds::{stored_cells, way_to_cell};
use rustix::process::{Resource, getrlimit};
use std::time::{Duration, Instant};

/// Number of players wanted.
const PLAYERS: u32 = 9_000;
/// Time between two lines of a player.
const INTERVAL: Duration = Duration::from_secs(5);
/// Open files that are not connections of players.
const OTHER_FILES: u64 = 1_000;

/// Result.
pub(crate) struct Many {
    players: u32,
    looks: Figures,
    memory_kib: u64,
    who_ms: f64,
    who_bytes: usize,
}

impl Many {
    pub(crate) async fn measure(plan: &Plan) -> anyhow::Result<Self> {
        let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        let most = u32::try_from(files.saturating_sub(OTHER_FILES)).unwrap_or(u32::MAX);
        let count = plan.pick(PLAYERS, 1_000).min(most);
        let server = Server::deepwell(&plan.program, stored_cells(count).await?, &HIGH_LIMITS)?;
        let mut audience = Audience::default();
        audience.admit(server.address, 0..count, way_to_cell).await?;
        let mut players = audience.wake().await?;
        let load = Load::of("look", plan.time(15.0)).every(INTERVAL);
        let looks = run(&load, &mut players, &server.watched).await?;
        let memory_kib = server.watched.memory_kib()?;
        let (mut waits, mut who_bytes) = (Vec::new(), 0);
        for player in players.iter_mut().take(9) {
            let begun = Instant::now();
            player.ask(b"who\r\n").await?;
            waits.push(f64::from(micros_since(begun)) / 1e3);
            who_bytes = player.buffer.len();
        }
        Ok(Self { players: count, looks, memory_kib, who_ms: median(waits), who_bytes })
    }
}

impl Section for Many {
    fn text(&self) -> String {
        let limited = if self.players < PLAYERS {
            format!(" More than {} have not been tried in this run.", thousands(f64::from(self.players)))
        } else {
            String::new()
        };
        let row = vec![
            thousands(f64::from(self.players)),
            thousands(self.looks.rate()),
            fixed(self.looks.cores(), 2),
            format!("{} ms, {} ms", fixed(self.looks.percentile(50), 1), fixed(self.looks.percentile(99), 1)),
            format!("{} MiB", self.memory_kib / 1_024),
        ];
        format!(
            "## Many players in many rooms\n\nEach player is in a separate room and types `look` every {} \
             seconds.{limited}\n\n{}\n\
             With these players, `who` takes {} ms for the player who types it (median of nine), and its answer has \
             {} bytes: a page of a hundred names.\n",
            INTERVAL.as_secs(),
            table(&["players", "looks/s", "cores of the server", "p50, p99", "memory"], [row]),
            fixed(self.who_ms, 1),
            thousands(self.who_bytes as f64),
        )
    }
}
