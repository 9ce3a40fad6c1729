//! Start of a server with a large stored world.

use super::{Plan, Section, fixed, table, thousands};
use crate::explored::{explored_world, new_game};
use crate::server::{HIGH_LIMITS, Server, deepwell_command};
use crate::worlds::store;
use anyhow::ensure;
use std::time::{Duration, Instant};

/// Figures of a world.
struct World {
    rooms: usize,
    database_bytes: u64,
    start_time: Duration,
    memory_kib: u64,
    check_time: Duration,
}

/// Result: a new world and a large one.
pub(crate) struct Stored([World; 2]);

impl Stored {
    pub(crate) async fn measure(plan: &Plan) -> anyhow::Result<Self> {
        let new = World::measure(plan, Box::new(new_game())).await?;
        Ok(Self([new, World::measure(plan, Box::new(explored_world(plan.rooms))).await?]))
    }
}

impl World {
    async fn measure(plan: &Plan, game: Box<deepwell::game::Game>) -> anyhow::Result<Self> {
        let (folder, rooms) = (tempfile::tempdir()?, game.world().rooms.len());
        let database_bytes = store(game, folder.path()).await?;
        let mut check = deepwell_command(&plan.program, folder.path(), &HIGH_LIMITS)?;
        let begun = Instant::now();
        let checked = check.arg("check").output()?;
        let check_time = begun.elapsed();
        ensure!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
        let server = Server::deepwell(&plan.program, folder, &HIGH_LIMITS)?;
        let memory_kib = server.watched.memory_kib()?;
        Ok(Self { rooms, database_bytes, start_time: server.start_time, memory_kib, check_time })
    }
}

impl Section for Stored {
    fn text(&self) -> String {
        let Self([new, large]) = self;
        let row = |world: &World| {
            vec![
                thousands(world.rooms as f64),
                format!("{} s", fixed(world.start_time.as_secs_f64(), 2)),
                format!("{} MiB", world.memory_kib / 1_024),
                format!("{} MiB", fixed(world.database_bytes as f64 / 1_048_576.0, 1)),
                format!("{} s", fixed(world.check_time.as_secs_f64(), 2)),
            ]
        };
        let more = |part: fn(&World) -> u64| {
            let rooms = large.rooms.saturating_sub(new.rooms).max(1) as u64;
            thousands((part(large).saturating_sub(part(new)) / rooms) as f64)
        };
        format!(
            "## Start with a stored world\n\nThe stored rooms are branches of 400 explored rooms each, with their \
             contents. The start time ends when the port is open; `deepwell check` then reads and checks the same \
             database.\n\n{}\n\
             A stored room takes {} bytes on the disk and {} bytes of memory.\n",
            table(&["rooms", "start", "memory", "database", "`deepwell check`"], [row(new), row(large)]),
            more(|world| world.database_bytes),
            more(|world| world.memory_kib * 1_024),
        )
    }
}
