//! Load during an attack: the same players with the default limits, alone and beside one hostile client of each kind.

use crate::client::{End, Player, contains, name};
use crate::figures::{Figures, Load, run};
use crate::hostile::{self, Attack};
use crate::profile::{PASSWORD, Profile};
use crate::server::Server;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Maximum number of players that log in concurrently.
const CONCURRENT_LOGINS: usize = 32;
/// Time in which the attackers use up their limits, before the measurement.
const ONSET: Duration = Duration::from_secs(10);

/// Result of one half of the measurement.
pub(crate) struct Half {
    pub(crate) figures: Figures,
    pub(crate) slowest_login: Duration,
    pub(crate) memory_kib: u64,
}

impl Half {
    pub(crate) fn print(&self, title: &str, players: usize) {
        self.figures.print(title, players);
        println!("  slowest login:   {:.2} s", self.slowest_login.as_secs_f64());
        println!("  memory:          {} KiB", self.memory_kib);
    }
}

/// Measures `count` players alone, then during the attack.
pub(crate) async fn measure(program: &Path, count: u32, load: &Load) -> anyhow::Result<[Half; 2]> {
    let settings = ["telnet.proxy=on", "telnet.proxy_from=127.0.0.1", "game.guidance=false"];
    let server = Server::deepwell(program, tempfile::tempdir()?, &settings)?;
    let profile = Arc::new(Profile::deepwell()?);
    let end = Arc::new(profile.end()?);
    let (mut players, mut entering) = (Vec::new(), JoinSet::new());
    // The last player only logs in again and again.
    for n in 0..=count {
        let (profile, end, address) = (Arc::clone(&profile), Arc::clone(&end), server.address);
        entering.spawn(async move {
            let mut player = Player::new(hostile::call(address, home(n)).await?, end)?;
            player.log_in(&profile.dialogue(&name(n))).await?;
            player.settle(walk(n)).await?;
            anyhow::Ok((n, player))
        });
        // Stay within the queue for password hashing.
        while entering.len() >= CONCURRENT_LOGINS || n == count && !entering.is_empty() {
            let Some(entered) = entering.join_next().await else { break };
            let (number, player) = entered??;
            players.extend((number < count).then_some(player));
        }
    }
    for player in &mut players {
        player.settle("").await?;
    }
    let alone = half(&server, count, load, &mut players, &end).await?;
    let attack = Attack::begin(server.address, &name(0));
    tokio::time::sleep(ONSET).await;
    let beside = half(&server, count, load, &mut players, &end).await?;
    attack.end()?;
    Ok([alone, beside])
}

async fn half(
    server: &Server,
    count: u32,
    load: &Load,
    players: &mut Vec<Player>,
    end: &Arc<End>,
) -> anyhow::Result<Half> {
    let logins = log_in_repeatedly(server.address, count, load.duration, end);
    let (figures, slowest_login) = tokio::try_join!(run(load, players, &server.watched), logins)?;
    Ok(Half { figures, slowest_login, memory_kib: server.watched.memory_kib()? })
}

/// Logs a player in once a second. Returns the longest time from the first byte to the prompt.
async fn log_in_repeatedly(
    address: SocketAddr,
    n: u32,
    duration: Duration,
    end: &Arc<End>,
) -> anyhow::Result<Duration> {
    let (mut longest, started) = (Duration::ZERO, Instant::now());
    let line = format!("connect {} {PASSWORD}\r\n", name(n)).into_bytes();
    while started.elapsed() < duration {
        let begun = Instant::now();
        let mut player = Player::new(hostile::call(address, home(n)).await?, Arc::clone(end))?;
        player.log_in(&[(b"name: ".to_vec(), line.clone())]).await?;
        anyhow::ensure!(contains(&player.buffer, b"HP:"), "the login failed");
        longest = longest.max(begun.elapsed());
        tokio::time::sleep(Duration::from_secs(1).saturating_sub(begun.elapsed())).await;
    }
    Ok(longest)
}

/// Returns the source address of an honest player; few players share a network.
fn home(n: u32) -> Ipv4Addr {
    Ipv4Addr::from(Ipv4Addr::new(100, 64, 0, 1).to_bits() + n * 128)
}

/// Returns the way of a player to one of eight places around the well.
fn walk(n: u32) -> &'static str {
    match n % 8 {
        0 => "",
        1 => "north\r\n",
        2 => "east\r\n",
        3 => "down\r\n",
        4 => "down\r\nnorth\r\n",
        5 => "down\r\neast\r\n",
        6 => "down\r\nsouth\r\n",
        _ => "down\r\nwest\r\n",
    }
}
