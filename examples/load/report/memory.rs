//! Memory of players and of compressed connections.

use super::{Plan, Section, fixed, table, thousands};
use crate::client::{Audience, stay};
use crate::idle::{self, Idle};
use crate::server::{HIGH_LIMITS, Server};
use crate::worlds::{stored_cells, way_to_cell};
use std::time::Duration;

/// Time without load before memory is read.
const SETTLE_TIME: Duration = Duration::from_secs(3);

/// Result.
pub(crate) struct Memory {
    players: u32,
    /// Memory in KiB, with its situation.
    rows: Vec<(&'static str, u64)>,
    uncompressed: Idle,
    compressed: Idle,
}

impl Memory {
    pub(crate) async fn measure(plan: &Plan) -> anyhow::Result<Self> {
        let count = plan.pick(2_000, 300);
        let server = Server::deepwell(&plan.program, stored_cells(count).await?, &HIGH_LIMITS)?;
        let mut rows = vec![("newly started", server.watched.memory_kib()?)];
        let mut audience = Audience::default();
        audience.admit(server.address, 0..count, stay).await?;
        tokio::time::sleep(SETTLE_TIME).await;
        rows.push(("all in the market square", server.watched.memory_kib()?));
        let mut players = audience.wake().await?;
        for (n, player) in (0..).zip(&mut players) {
            player.settle(&way_to_cell(n)).await?;
        }
        tokio::time::sleep(SETTLE_TIME).await;
        rows.push(("each in a separate room", server.watched.memory_kib()?));
        for player in &mut players {
            player.leave().await?;
        }
        tokio::time::sleep(SETTLE_TIME).await;
        rows.push(("after all have left", server.watched.memory_kib()?));
        drop(server);
        let uncompressed = idle::measure(&plan.program, plan.pick(5_000, 500), false).await?;
        let compressed = idle::measure(&plan.program, plan.pick(1_000, 100), true).await?;
        Ok(Self { players: count, rows, uncompressed, compressed })
    }
}

impl Section for Memory {
    fn text(&self) -> String {
        let first = self.rows.first().map_or(0, |(_, memory)| *memory);
        let row = |(situation, memory): &(&str, u64)| {
            let each = memory.saturating_sub(first) as f64 / f64::from(self.players);
            let each = if *memory == first { String::new() } else { format!("{} KiB", fixed(each, 1)) };
            vec![(*situation).to_owned(), format!("{} MiB", memory / 1_024), each]
        };
        let idle = |how: &str, idle: &Idle| {
            vec![
                how.to_owned(),
                thousands(f64::from(idle.connections)),
                format!("{} MiB", idle.after_kib / 1_024),
                format!("{} KiB", fixed(idle.each_kib(), 1)),
            ]
        };
        format!(
            "## Memory\n\nResident memory of the process with {} players. Each of `auth.slots` takes 19 MiB more while a \
             password is checked.\n\n{}\n\
             Telnet connections that do nothing at the name prompt, in a newly started process. All compressed \
             connections share the memory of zlib; in play, each also keeps up to 8 KiB of its last output. For the \
             choice of the allocator see [decision 7](decisions/0007-allocator.md).\n\n{}",
            thousands(f64::from(self.players)),
            table(&["players", "memory", "more than newly started, per player"], self.rows.iter().map(row)),
            table(
                &["idle connections", "number", "memory", "per connection"],
                [idle("uncompressed", &self.uncompressed), idle("compressed (MCCP2)", &self.compressed)]
            ),
        )
    }
}
