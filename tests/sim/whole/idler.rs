//! Client that requests more output than it reads, and is disconnected for it repeatedly.

use super::client::Gone;
use super::server::{Door, LINK_BYTES};
use super::townsfolk::log_in;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const NAME: &str = "Vigdis";
/// Number of commands whose output exceeds the capacity of a link.
const QUESTIONS: u32 = 60;
/// A blocked link is closed after half a minute. This is less, because the output may be delayed by a hanging disk.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(25);
const STILL_THERE_AFTER: Duration = Duration::from_secs(100);

/// Idles until the server is down; counts the disconnections.
pub(super) async fn work(door: Door, dropped: Arc<AtomicU32>) {
    while idle(&door, &dropped).await.is_ok() {}
}

async fn idle(door: &Door, dropped: &AtomicU32) -> Result<(), Gone> {
    let mut client = log_in(door, || door.open(), NAME).await?;
    for _ in 0..QUESTIONS {
        client.send("look").await;
    }
    let since = Instant::now();
    while client.is_connected().await {
        assert!(since.elapsed() < STILL_THERE_AFTER, "who reads nothing is still connected");
        sleep(Duration::from_secs(1)).await;
    }
    if since.elapsed() > GIVEN_UP_AFTER {
        dropped.fetch_add(1, Ordering::Relaxed);
    }
    let left = client.left_over().await;
    assert!(left <= LINK_BYTES, "{left} bytes came over a link that holds {LINK_BYTES}");
    sleep(Duration::from_secs(5)).await;
    Ok(())
}
