//! Pages at `ops.listen` for bots: `GET /bridge/events` streams events, `POST /bridge/say` speaks on a channel.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next as Rest};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::{Stream, StreamExt as _, stream};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

use super::feed::{Feed, FeedReader, NextFeedEvent};
use super::secret_file::SecretToken;
use super::{NotSaid, Speaker};
use deepwell_game::OutsideSpeech;

/// Time after which a stream of events ends; the bot asks again. Shorter than the lifetime of a connection.
const STREAM: Duration = Duration::from_secs(110);
/// Interval of comments in a stream without events, which show that the connection is alive.
const ALIVE: Duration = Duration::from_secs(15);
/// Time after which a client of the stream is to connect again.
const AGAIN: Duration = Duration::from_secs(1);
/// Maximum size of a request in bytes.
const BODY_BYTES: usize = 65_536;
/// Seconds after which a bridge that says too much may try again.
const PAUSE_SECS: &str = "5";

/// State of the request handlers.
#[derive(Clone, Debug)]
pub(super) struct Endpoint {
    pub(super) token: SecretToken,
    pub(super) feed: Arc<Feed>,
    pub(super) speaker: Speaker,
    pub(super) readers: Arc<Semaphore>,
}

impl Endpoint {
    /// Maps each path to its handler. All refuse requests without the token.
    pub(super) fn pages(self) -> Router {
        Router::new()
            .route("/bridge/events", get(events))
            .route("/bridge/say", post(say))
            .method_not_allowed_fallback(async || {
                refuse(StatusCode::METHOD_NOT_ALLOWED, "events are read by GET, and lines said by POST")
            })
            .layer(DefaultBodyLimit::max(BODY_BYTES))
            .layer(middleware::from_fn_with_state(self.clone(), require_token))
            .with_state(self)
    }
}

async fn require_token(State(endpoint): State<Endpoint>, request: Request, rest: Rest) -> Response {
    let header = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if header.and_then(|value| value.strip_prefix("Bearer ")).is_some_and(|token| endpoint.token.is(token)) {
        return rest.run(request).await;
    }
    let mut answer = refuse(StatusCode::UNAUTHORIZED, "the header Authorization must be: Bearer TOKEN");
    answer.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
    answer
}

/// Streams events as server-sent events, from now or after the one in the header `Last-Event-ID`.
async fn events(State(endpoint): State<Endpoint>, headers: HeaderMap) -> Response {
    let Ok(place) = Arc::clone(&endpoint.readers).try_acquire_owned() else {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, "too many readers: bridge.readers is the limit");
    };
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let reader = last.map_or_else(|| endpoint.feed.reader(), |id| endpoint.feed.reader_after(id));
    Sse::new(streamed(reader, place)).keep_alive(KeepAlive::new().interval(ALIVE)).into_response()
}

fn streamed(
    reader: FeedReader,
    place: OwnedSemaphorePermit,
) -> impl Stream<Item = Result<Event, Infallible>> {
    let first = stream::iter([Event::default().retry(AGAIN)]);
    let events = stream::unfold((reader, place), async |(mut reader, place)| {
        let event = match reader.next().await {
            NextFeedEvent::Event(event) => Event::default().id(&event.id).json_data(&*event),
            NextFeedEvent::Missed(missed) => {
                Event::default().event("missed").json_data(json!({ "missed": missed }))
            }
        };
        Some((event.ok()?, (reader, place)))
    });
    first.chain(events.take_until(sleep(STREAM))).map(Ok)
}

/// Speaks on a channel.
async fn say(State(endpoint): State<Endpoint>, body: Result<Bytes, BytesRejection>) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(rejected) => return refuse(rejected.status(), &rejected.body_text()),
    };
    let speech: OutsideSpeech = match serde_json::from_slice(&body) {
        Ok(speech) => speech,
        Err(error) => {
            let message = format!("the body must be JSON with channel, name, via and text: {error}");
            return refuse(StatusCode::BAD_REQUEST, &message);
        }
    };
    let Err(not_said) = endpoint.speaker.say(speech).await else {
        return StatusCode::NO_CONTENT.into_response();
    };
    let status = match &not_said {
        NotSaid::TooMuch => StatusCode::TOO_MANY_REQUESTS,
        NotSaid::Declined(_) => StatusCode::UNPROCESSABLE_ENTITY,
        NotSaid::Late | NotSaid::Stopping => StatusCode::SERVICE_UNAVAILABLE,
    };
    let mut answer = refuse(status, &not_said.to_string());
    if not_said == NotSaid::TooMuch {
        let pause = header::HeaderValue::from_static(PAUSE_SECS);
        answer.headers_mut().insert(header::RETRY_AFTER, pause);
    }
    answer
}

fn refuse(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "error": message }))).into_response()
}
