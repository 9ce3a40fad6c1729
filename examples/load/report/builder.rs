//! Expensive commands of a builder, and the wait of other players.

use super::{Plan, Section, fixed, table, thousands};
use crate::client::{Audience, Player, name, stay};
use crate::figures::{Load, micros_since, run};
use crate::profile::{PASSWORD, Profile};
use crate::server::{HIGH_LIMITS, Server};
use crate::worlds::{OWNER, built_world, stored};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of other players, and the time between two lines of each.
const OTHERS: u32 = 20;
const INTERVAL: Duration = Duration::from_millis(20);
/// Commands of the builder; the first is the yardstick.
const COMMANDS: [&str; 4] = ["look", "find oakum", "find unlinked", "check all"];

/// Result.
pub(crate) struct Builder {
    rooms: u32,
    /// Command, its own time and the worst wait of the others, in milliseconds.
    rows: Vec<(&'static str, f64, f64)>,
}

impl Builder {
    pub(crate) async fn measure(plan: &Plan) -> anyhow::Result<Self> {
        let rooms = plan.pick(50_000, 3_000);
        let settings = [&HIGH_LIMITS[..], &["limits.built_rooms=1000000"]].concat();
        let server = Server::deepwell(&plan.program, stored(&built_world(rooms)?).await?, &settings)?;
        let mut audience = Audience::default();
        audience.admit(server.address, 0..OTHERS, stay).await?;
        let mut players = audience.wake().await?;
        let end = Arc::new(Profile::deepwell()?.end()?);
        let mut builder = Player::connect(server.address, OWNER, end).await?;
        let line = format!("connect {} {PASSWORD}\r\n", name(OWNER));
        builder.log_in(&[(b"name: ".to_vec(), line.into_bytes())]).await?;
        builder.settle("").await?;
        let load = Load::of("look", plan.time(3.0)).every(INTERVAL);
        let mut rows = Vec::new();
        for command in COMMANDS {
            let typed = async {
                tokio::time::sleep(load.duration / 3).await;
                let begun = Instant::now();
                builder.ask_patiently(format!("{command}\r\n").as_bytes()).await?;
                anyhow::Ok(f64::from(micros_since(begun)) / 1e3)
            };
            let (figures, own) = tokio::try_join!(run(&load, &mut players, &server.watched), typed)?;
            rows.push((command, own, figures.percentile(100)));
        }
        Ok(Self { rooms, rows })
    }
}

impl Section for Builder {
    fn text(&self) -> String {
        let row = |(command, own, worst): &(&str, f64, f64)| {
            vec![format!("`{command}`"), format!("{} ms", fixed(*own, 1)), format!("{} ms", fixed(*worst, 1))]
        };
        format!(
            "## Commands over all built rooms\n\nIn a world of {} hand-built rooms, a builder types a command once, \
             while {OTHERS} players type `look` every {} ms. The table shows the time of the builder's answer and \
             the worst latency of the others.\n\n{}",
            thousands(f64::from(self.rooms)),
            INTERVAL.as_millis(),
            table(&["command", "answer", "worst wait of the others"], self.rows.iter().map(row)),
        )
    }
}
