//! Downloads for Mudlet: the package with map, gauges and panels, packed at build time, and a map file of the permanent
//! rooms.

use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use tokio::sync::{Mutex, mpsc};
use tokio::time::Instant;

use crate::server::game_loop::question::{GameQuestion, PATIENCE, ask};
use crate::server::http::Http;

/// Path of the package.
pub const PACKAGE: &str = "/deepwell.mpackage";
/// Version of the package, equal to that in `clients/mudlet/config.lua`. Mudlet reinstalls the package when it changes.
pub const VERSION: &str = "6";
/// Path of the map file.
pub const MAP: &str = "/map.xml";

/// The package: an archive of `clients/mudlet/config.lua` and the scripts.
const BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/deepwell.mpackage"));

/// Cache time of the map. Builders change rooms while the game runs, but clients need not see that immediately.
const FRESH: Duration = Duration::from_mins(1);

/// The map file, requested from the game loop and cached.
#[derive(Debug)]
pub struct Atlas {
    questions: mpsc::Sender<GameQuestion>,
    map: Mutex<Option<(Instant, Bytes)>>,
}

impl Atlas {
    /// Creates an empty cache; `questions` leads to the game loop.
    pub fn new(questions: mpsc::Sender<GameQuestion>) -> Self {
        Self { questions, map: Mutex::default() }
    }

    /// Returns the map, at most [`FRESH`] old; `None` if the game loop does not answer.
    async fn map(&self) -> Option<Bytes> {
        let mut kept = self.map.lock().await;
        if let Some((asked, map)) = &*kept
            && asked.elapsed() < FRESH
        {
            return Some(map.clone());
        }
        let map = Bytes::from(ask(&self.questions, GameQuestion::Atlas, PATIENCE).await.ok()?);
        *kept = Some((Instant::now(), map.clone()));
        Some(map)
    }
}

/// Serves the map.
pub(super) async fn map(State(http): State<Http>) -> Response {
    match http.atlas.map().await {
        Some(map) => ([(header::CONTENT_TYPE, "application/xml")], map).into_response(),
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// Serves the package.
pub(super) async fn package() -> Response {
    ([(header::CONTENT_TYPE, "application/zip")], BYTES).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn map_is_cached_for_a_minute() {
        let (questions, mut asked) = mpsc::channel(4);
        let atlas = Atlas::new(questions);
        let world = tokio::spawn(async move {
            let mut drawn = 0;
            while let Some(GameQuestion::Atlas(answer)) = asked.recv().await {
                drawn += 1;
                answer.send(format!("map {drawn}")).unwrap();
            }
        });
        assert_eq!(atlas.map().await.unwrap(), "map 1");
        assert_eq!(atlas.map().await.unwrap(), "map 1");
        tokio::time::advance(FRESH).await;
        assert_eq!(atlas.map().await.unwrap(), "map 2");
        drop(atlas);
        world.await.unwrap();
    }

    #[test]
    fn offered_name_and_version_match_the_package() {
        let config = include_str!("../../../clients/mudlet/config.lua");
        assert!(config.contains(&format!("version = \"{VERSION}\"")), "{config}");
        // Mudlet derives the package name from the URL and expects exactly that name.
        let name = PACKAGE.trim_start_matches('/').trim_end_matches(".mpackage");
        assert!(config.contains(&format!("mpackage = \"{name}\"")), "{config}");
        let name = b"config.lua";
        assert!(
            BYTES.windows(name.len()).any(|bytes| bytes == name),
            "not compressed, so its names can be read"
        );
    }
}
