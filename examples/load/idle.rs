//! Memory of connections that stay at the name prompt.

use crate::client::{COMPRESS, Player};
use crate::profile::Profile;
use crate::server::{HIGH_LIMITS, Server};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;

/// Time without load before the memory of the server is read.
const SETTLE_TIME: Duration = Duration::from_secs(2);

/// Result.
pub(crate) struct Idle {
    pub(crate) connections: u32,
    pub(crate) before_kib: u64,
    pub(crate) after_kib: u64,
}

impl Idle {
    /// Memory of a connection in KiB.
    pub(crate) fn each_kib(&self) -> f64 {
        self.after_kib.saturating_sub(self.before_kib) as f64 / f64::from(self.connections)
    }
}

/// Opens connections to a new server and reads its memory.
pub(crate) async fn measure(program: &Path, connections: u32, compress: bool) -> anyhow::Result<Idle> {
    /// Start of compression; compressed bytes follow.
    const START: [u8; 5] = [255, 250, COMPRESS, 255, 240];
    let server = Server::deepwell(program, tempfile::tempdir()?, &HIGH_LIMITS)?;
    let end = Arc::new(Profile::deepwell()?.end()?);
    let before_kib = server.watched.memory_kib()?;
    let mut idle = Vec::new();
    for n in 0..connections {
        let mut player = Player::connect(server.address, n, Arc::clone(&end)).await?;
        if compress {
            player.accept_compression();
            player.expect(&START).await?;
            // An empty line repeats the prompt, so that the compressor is used.
            player.stream.write_all(b"\r\n").await?;
        } else {
            player.expect(b"name: ").await?;
        }
        idle.push(player);
    }
    tokio::time::sleep(SETTLE_TIME).await;
    Ok(Idle { connections, before_kib, after_kib: server.watched.memory_kib()? })
}
