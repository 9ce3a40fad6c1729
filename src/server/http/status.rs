//! Public status of the game: `/status` as a web page and `/status.json` for programs, without data meant for operators
//! (see `ops`). The figures come from the game loop and are cached for a few seconds.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};
use serde::Serialize;
use tokio::sync::{Mutex, mpsc, watch};
use tokio::time::Instant;

use crate::net::Clock;
use crate::server::game_loop::question::{GameQuestion, PATIENCE, Status, ask};
use crate::server::http::Http;
use crate::server::http::notice::NoticePage;
use crate::session::SessionConfig;
use deepwell_core::base::Span;
use deepwell_game::WeekRecord;

/// Cache time of the figures.
const FRESH: Duration = Duration::from_secs(5);

/// Constant parts of the status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatusConstants {
    /// Port for telnet.
    pub telnet: u16,
    /// Port for telnet over TLS.
    pub telnet_tls: Option<u16>,
}

/// Contents of `/status.json`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct StatusFigures {
    /// Name of the server.
    name: String,
    /// Version of the program.
    version: &'static str,
    /// Number of players online.
    players: u64,
    /// Number of existing rooms.
    rooms: u64,
    /// Number of existing branches.
    branches: u64,
    /// Deepest dungeon level that players have reached in an existing branch; 0 without branches.
    deepest: u64,
    /// Deepest room that a player has reached this week; absent in a week without a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    week: Option<WeekRecord>,
    /// Unix time of the start in seconds.
    started_at: i64,
    /// Seconds since the start.
    uptime_secs: u64,
    /// Port for telnet.
    telnet: u16,
    /// Port for telnet over TLS.
    #[serde(skip_serializing_if = "Option::is_none")]
    telnet_tls: Option<u16>,
}

/// Cached figures of the game loop.
#[derive(Debug)]
pub struct CachedFigures {
    about: StatusConstants,
    /// Settings of sessions, with the name of the server.
    sessions: watch::Receiver<Arc<SessionConfig>>,
    clock: Clock,
    questions: mpsc::Sender<GameQuestion>,
    answer: Mutex<Option<(Instant, StatusFigures)>>,
}

impl CachedFigures {
    /// Creates an empty cache; `questions` leads to the game loop.
    pub fn new(
        about: StatusConstants,
        sessions: watch::Receiver<Arc<SessionConfig>>,
        clock: Clock,
        questions: mpsc::Sender<GameQuestion>,
    ) -> Self {
        Self { about, sessions, clock, questions, answer: Mutex::default() }
    }

    /// Returns the figures, at most [`FRESH`] old; `None` if the game loop does not answer. Concurrent requests wait
    /// for the same answer.
    async fn figures(&self) -> Option<StatusFigures> {
        let mut answer = self.answer.lock().await;
        if let Some((asked, figures)) = &*answer
            && asked.elapsed() < FRESH
        {
            return Some(figures.clone());
        }
        *answer = None;
        let status = ask(&self.questions, GameQuestion::Status, PATIENCE).await.ok()?;
        let name = self.sessions.borrow().name.clone();
        let figures = StatusFigures::new(name, self.about, &status, self.clock.now().0 / 1_000);
        *answer = Some((Instant::now(), figures.clone()));
        Some(figures)
    }
}

impl StatusFigures {
    fn new(name: String, about: StatusConstants, status: &Status, now_secs: i64) -> Self {
        let StatusConstants { telnet, telnet_tls } = about;
        let uptime = i64::try_from(status.up_secs).unwrap_or(i64::MAX);
        Self {
            name,
            version: env!("CARGO_PKG_VERSION"),
            players: status.world.players,
            rooms: status.world.rooms,
            branches: status.world.branches,
            deepest: status.world.deepest,
            week: status.week_record.clone(),
            started_at: now_secs.saturating_sub(uptime),
            uptime_secs: status.up_secs,
            telnet,
            telnet_tls,
        }
    }

    /// Returns a web page that is readable without style sheet and script.
    fn page(&self) -> String {
        let name = escaped(&self.name);
        let players = match self.players {
            0 => "Nobody plays just now.".to_owned(),
            1 => "One person plays just now.".to_owned(),
            players => format!("{players} people play just now."),
        };
        let branches = match (self.branches, self.deepest) {
            (0, _) => "No branch of the dungeon is open.".to_owned(),
            (1, deepest) => {
                format!("One branch of the dungeon is open; its deepest dungeon level is {deepest}.")
            }
            (branches, deepest) => {
                format!(
                    "{branches} branches of the dungeon are open; the deepest dungeon level is {deepest}."
                )
            }
        };
        let week = self.week.as_ref().map(|WeekRecord { name, depth }| {
            format!(" Deepest this week: {}, depth {depth}.", escaped(name))
        });
        let week = week.unwrap_or_default();
        let tls = self.telnet_tls.map(|port| format!(", or port {port} with TLS")).unwrap_or_default();
        let up = Span::secs(i64::try_from(self.uptime_secs).unwrap_or(0));
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name}: status</title>\n\
             <link rel=\"stylesheet\" href=\"/plain.css\">\n</head>\n<body>\n<main>\n<h1>{name}</h1>\n\
             <p>{players} {branches} There are {} rooms.{week}</p>\n\
             <p>The server has been up for {up}. It is Deepwell {}.</p>\n\
             <p><a href=\"/\">Play in the browser</a>, or connect a MUD client to port {}{tls}.</p>\n\
             <p>The same for programs: <a href=\"/status.json\">status.json</a>.</p>\n\
             </main>\n</body>\n</html>\n",
            self.rooms, self.version, self.telnet,
        )
    }
}

/// Escapes text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Clients may cache the status as long as the server does, and any web page may show it.
const KEEP: [(HeaderName, HeaderValue); 1] =
    [(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=5"))];
const FOR_ALL: [(HeaderName, HeaderValue); 1] =
    [(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"))];

/// Serves the status as a web page.
pub(super) async fn page(State(http): State<Http>) -> Response {
    match http.board.figures().await {
        Some(figures) => (KEEP, Html(figures.page())).into_response(),
        None => NoticePage::BUSY.answer(StatusCode::SERVICE_UNAVAILABLE),
    }
}

/// Serves the status as JSON.
pub(super) async fn json(State(http): State<Http>) -> Response {
    match http.board.figures().await {
        Some(figures) => (KEEP, FOR_ALL, Json(figures)).into_response(),
        None => (StatusCode::SERVICE_UNAVAILABLE, FOR_ALL, Json(serde_json::json!({}))).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::GameTime;
    use deepwell_game::GameStats;

    fn status(players: u64) -> Status {
        let world =
            GameStats { players, rooms: 40, branches: 2, deepest: 3, accounts: 77, ..GameStats::default() };
        let week_record = Some(WeekRecord { name: "Bera".into(), depth: 12 });
        Status { world, week_record, up_secs: 300, connections: 99, ..Status::default() }
    }

    const ABOUT: StatusConstants = StatusConstants { telnet: 4000, telnet_tls: None };

    #[test]
    fn public_status_has_figures_but_no_accounts() {
        let figures = StatusFigures::new("The <Well>".into(), ABOUT, &status(7), 1_700_000_300);
        let json = serde_json::to_string(&figures).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            json,
            format!(
                "{{\"name\":\"The <Well>\",\"version\":\"{version}\",\"players\":7,\"rooms\":40,\"branches\":2,\
                 \"deepest\":3,\"week\":{{\"name\":\"Bera\",\"depth\":12}},\"started_at\":1700000000,\"uptime_secs\":300,\"telnet\":4000}}"
            )
        );
        let page = figures.page();
        assert!(
            page.contains("<h1>The &lt;Well&gt;</h1>") && page.contains("7 people play just now."),
            "{page}"
        );
        assert!(page.contains("Deepest this week: Bera, depth 12."), "{page}");
        assert!(page.contains("up for 5 minutes") && !page.contains("77") && !page.contains("99"), "{page}");
    }

    #[tokio::test(start_paused = true)]
    async fn figures_are_cached_for_five_seconds() {
        let (questions, mut asked) = mpsc::channel(4);
        let (_settings, sessions) = watch::channel(Arc::new(SessionConfig::default()));
        let board = Arc::new(CachedFigures::new(ABOUT, sessions, Clock::start_at(GameTime(0)), questions));
        let world = tokio::spawn(async move {
            for players in [1, 2] {
                let Some(GameQuestion::Status(answer)) = asked.recv().await else { panic!("nothing asked") };
                answer.send(status(players)).unwrap();
            }
            asked
        });
        let (first, same) = tokio::join!(board.figures(), board.figures());
        assert_eq!((first.unwrap().players, same.unwrap().players), (1, 1));
        tokio::time::advance(FRESH).await;
        assert_eq!(board.figures().await.unwrap().players, 2);
        let _silent = world.await.unwrap();
        tokio::time::advance(FRESH).await;
        assert_eq!(board.figures().await, None);
    }
}
