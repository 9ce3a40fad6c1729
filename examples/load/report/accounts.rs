//! Start of a server with many accounts that nobody plays.

use super::{Plan, Section, fixed, table, thousands};
use crate::explored::new_game;
use crate::server::{HIGH_LIMITS, Server};
use crate::worlds::{populated_world, store};
use std::time::Duration;

/// Figures of a world.
struct World {
    accounts: u32,
    /// `absent` or `in memory`: where the characters are after the start.
    characters: &'static str,
    database_bytes: u64,
    start_time: Duration,
    memory_kib: u64,
}

/// Result: a new world, one with many accounts, and the same with all characters in memory.
pub(crate) struct Accounts([World; 3]);

impl Accounts {
    pub(crate) async fn measure(plan: &Plan) -> anyhow::Result<Self> {
        let many = plan.pick(100_000, 5_000);
        let kept = [&HIGH_LIMITS[..], &["limits.absent_after=0"]].concat();
        Ok(Self([
            World::measure(plan, 0, "absent", &HIGH_LIMITS).await?,
            World::measure(plan, many, "absent", &HIGH_LIMITS).await?,
            World::measure(plan, many, "in memory", &kept).await?,
        ]))
    }
}

impl World {
    async fn measure(
        plan: &Plan,
        accounts: u32,
        characters: &'static str,
        settings: &[&str],
    ) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let world = if accounts > 0 { populated_world(accounts)? } else { vec![new_game().cut()] };
        let database_bytes = store(&world, folder.path()).await?;
        let server = Server::deepwell(&plan.program, folder, settings)?;
        let memory_kib = server.watched.memory_kib()?;
        Ok(Self { accounts, characters, database_bytes, start_time: server.start_time, memory_kib })
    }
}

impl Section for Accounts {
    fn text(&self) -> String {
        let Self([new, absent, kept]) = self;
        let row = |world: &World| {
            vec![
                thousands(world.accounts.into()),
                world.characters.to_owned(),
                format!("{} s", fixed(world.start_time.as_secs_f64(), 2)),
                format!("{} MiB", world.memory_kib / 1_024),
                format!("{} MiB", fixed(world.database_bytes as f64 / 1_048_576.0, 1)),
            ]
        };
        let more = |world: &World, part: fn(&World) -> u64| {
            let accounts = u64::from(world.accounts.max(1));
            thousands((part(world).saturating_sub(part(new)) / accounts) as f64)
        };
        let memory = |world: &World| world.memory_kib * 1_024;
        format!(
            "## Start with many accounts\n\nEach account has one character with the belongings of a beginner, which \
             nobody plays, so that a start leaves it in the database, except with `limits.absent_after = 0`.\n\n{}\n\
             An account takes {} bytes on the disk, {} bytes of memory while it is absent, and {} with its character \
             in memory.\n",
            table(
                &["accounts", "characters", "start", "memory", "database"],
                [row(new), row(absent), row(kept)]
            ),
            more(absent, |world| world.database_bytes),
            more(absent, memory),
            more(kept, memory),
        )
    }
}
