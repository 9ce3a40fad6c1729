//! Start of a server with a large stored world.

use super::{Plan, Section, fixed, table, thousands};
use crate::explored::{explored_world, new_game};
use crate::server::{HIGH_LIMITS, Server, deepwell_command};
use crate::worlds::store;
use anyhow::ensure;
use deepwell::game::Game;
use std::time::{Duration, Instant};

/// Figures of a world.
struct World {
    /// `asleep` or `awake`: where its branches are after the start.
    branches: &'static str,
    rooms: usize,
    database_bytes: u64,
    start_time: Duration,
    memory_kib: u64,
    check_time: Duration,
}

/// Result: a new world, a large one, and the same with all branches awake.
pub(crate) struct Stored([World; 3]);

impl Stored {
    pub(crate) async fn measure(plan: &Plan) -> anyhow::Result<Self> {
        let large = || explored_world(plan.rooms);
        Ok(Self([
            Box::pin(World::measure(plan, "asleep", new_game(), &HIGH_LIMITS)).await?,
            Box::pin(World::measure(plan, "asleep", large(), &HIGH_LIMITS)).await?,
            Box::pin(World::measure(
                plan,
                "awake",
                large(),
                &[&HIGH_LIMITS[..], &["dungeon.sleep_after=0"]].concat(),
            ))
            .await?,
        ]))
    }
}

impl World {
    async fn measure(
        plan: &Plan,
        branches: &'static str,
        mut game: Game,
        settings: &[&str],
    ) -> anyhow::Result<Self> {
        let (folder, rooms) = (tempfile::tempdir()?, game.world().rooms.len());
        let database_bytes = store(&[game.cut()], folder.path()).await?;
        let mut check = deepwell_command(&plan.program, folder.path(), settings)?;
        let begun = Instant::now();
        let checked = check.arg("check").output()?;
        let check_time = begun.elapsed();
        ensure!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
        let server = Server::deepwell(&plan.program, folder, settings)?;
        let memory_kib = server.watched.memory_kib()?;
        Ok(Self { branches, rooms, database_bytes, start_time: server.start_time, memory_kib, check_time })
    }
}

impl Section for Stored {
    fn text(&self) -> String {
        let Self([new, large, awake]) = self;
        let row = |world: &World| {
            vec![
                thousands(world.rooms as f64),
                world.branches.to_owned(),
                format!("{} s", fixed(world.start_time.as_secs_f64(), 2)),
                format!("{} MiB", world.memory_kib / 1_024),
                format!("{} MiB", fixed(world.database_bytes as f64 / 1_048_576.0, 1)),
                format!("{} s", fixed(world.check_time.as_secs_f64(), 2)),
            ]
        };
        let more = |world: &World, part: fn(&World) -> u64| {
            let rooms = world.rooms.saturating_sub(new.rooms).max(1) as u64;
            thousands((part(world).saturating_sub(part(new)) / rooms) as f64)
        };
        let memory = |world: &World| world.memory_kib * 1_024;
        format!(
            "## Start with a stored world\n\nThe stored rooms are branches of 400 explored rooms each, with their \
             contents. Nobody is in them, so that a start leaves them in the database, except with \
             `dungeon.sleep_after = 0`. The start time ends when the port is open; `deepwell check` reads and checks \
             the same database.\n\n{}\n\
             A stored room takes {} bytes on the disk, {} bytes of memory asleep, and {} awake.\n",
            table(
                &["rooms", "branches", "start", "memory", "database", "`deepwell check`"],
                [row(new), row(large), row(awake)]
            ),
            more(large, |world| world.database_bytes),
            more(large, memory),
            more(awake, memory),
        )
    }
}
