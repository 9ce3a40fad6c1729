//! HTTP endpoints of the web builder: login, rate limits and request size. A request is passed to the game as one input
//! and answered once its changes are stored.
//!
//! A request is JSON by POST from the web builder's own page. It carries two halves of a secret: a token that the page
//! generated and stores, in the JSON, and the browser cookie, which scripts cannot read. The game has a hash of both
//! together.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::base::budgets::RateLimits;
use crate::base::limits::Limits;
use crate::base::{Span, Tally};
use crate::game::{BUILDER_LOGGED_OUT, BuilderRequest, Declined};
use crate::net::admission::source;
use crate::net::websocket::Caller;
use crate::net::{Clock, Counters};
use crate::server::auth::Authenticator;
use crate::server::http::files::BUILD;
use crate::server::http::notice::Notice;
use crate::server::http::websocket::{caller_behind_proxies, has_allowed_origin};
use crate::server::http::{Http, browser};
use crate::server::login::{self, prove};
use crate::server::question::{Question, WebBuilderRequest};
use crate::server::seat_token;
use crate::session::{BrowserKey, Secret};

/// Length of a token in hexadecimal digits: 256 bits.
const TOKEN_CHARS: usize = 64;
/// Maximum time to receive a request.
const READING: Duration = Duration::from_secs(15);
/// Maximum time for the game loop to answer; long, so that a slow disk does not leave the builder in doubt.
const PATIENCE: Duration = Duration::from_secs(20);
/// Requests per minute from one address without a valid login.
const STRANGERS: u32 = 60;
/// Maximum number of browsers, and of addresses, whose requests are counted.
const REMEMBERED: usize = 10_000;

const ELSEWHERE: &str = "This is asked from the page for builders, as JSON.";
const NO_COOKIE: &str = "This browser keeps no cookies, and without one nobody can log in here.";
const TOO_LARGE: &str = "That is too much at once.";
const TOO_OFTEN: &str = "That was too often. Wait a moment.";
const NOT_UNDERSTOOD: &str = "That was not understood. Load the page again.";
const NO_ANSWER: &str =
    "The world does not answer, so it is not certain whether anything was changed. Try again in a moment.";

/// State of the web builder's endpoints.
#[derive(Debug)]
pub struct WebBuilderState {
    questions: mpsc::Sender<Question>,
    auth: Arc<Authenticator>,
    counters: Counters,
    clock: Clock,
    is_enabled: bool,
    bytes: usize,
    /// Keyed by token hash.
    asked: Mutex<RateLimits<String>>,
    strangers: Mutex<RateLimits<IpAddr>>,
    /// Token hashes that were valid when last used. Their requests do not count against their address.
    known: Mutex<BTreeSet<String>>,
}

impl WebBuilderState {
    /// Creates the state; `questions` leads to the game loop.
    pub fn new(
        limits: &Limits,
        clock: Clock,
        auth: Arc<Authenticator>,
        counters: Counters,
        questions: mpsc::Sender<Question>,
    ) -> Self {
        let minute = Span::mins(1);
        Self {
            questions,
            auth,
            counters,
            clock,
            is_enabled: limits.desks > 0,
            bytes: usize::try_from(limits.desk_bytes).unwrap_or(usize::MAX),
            asked: Mutex::new(RateLimits::new(limits.desk_asks, minute, REMEMBERED)),
            strangers: Mutex::new(RateLimits::new(STRANGERS, minute, REMEMBERED)),
            known: Mutex::default(),
        }
    }

    /// Returns `true` if the web builder is enabled.
    pub(super) const fn is_enabled(&self) -> bool {
        self.is_enabled
    }

    /// Takes a request from the budgets. Returns `false` if the limit of the browser is reached, or that of the address
    /// for tokens that are not known.
    fn take(&self, token: &str, address: IpAddr) -> bool {
        let now = self.clock.now();
        let mut asked = lock(&self.asked);
        let key = token.to_owned();
        let is_known = lock(&self.known).contains(token);
        let may =
            asked.is_left(&key, now) && (is_known || lock(&self.strangers).is_left(&source(address), now));
        if may {
            asked.take(key, now);
        }
        may
    }

    /// Records whether a token was valid.
    fn note(&self, shown: &Requester, counts: bool) {
        let mut known = lock(&self.known);
        if !counts {
            known.remove(&shown.token);
            lock(&self.strangers).take(source(shown.address), self.clock.now());
        } else if !known.contains(&shown.token) {
            if known.len() >= REMEMBERED {
                known.clear();
            }
            known.insert(shown.token.clone());
        }
    }

    /// Sends a request to the game loop; `None` if it does not answer in time.
    async fn ask<T>(&self, question: impl FnOnce(oneshot::Sender<T>) -> Question) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        let asked = async {
            self.questions.send(question(answer)).await.ok()?;
            answered.await.ok()
        };
        timeout(PATIENCE, asked).await.ok().flatten()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// JSON body of a request.
#[derive(Deserialize)]
struct Shown {
    name: String,
    token: String,
    #[serde(default)]
    password: Option<String>,
    #[serde(default)]
    ask: Option<BuilderRequest>,
}

/// Sender of a request.
#[derive(Clone)]
struct Requester {
    address: IpAddr,
    /// Hash of token and browser key.
    token: String,
}

/// A validated request.
struct Asked {
    by: Requester,
    name: String,
    password: Option<Secret>,
    ask: Option<BuilderRequest>,
}

/// A rejected request: its status and message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Refused(StatusCode, &'static str);

impl Refused {
    fn answer(self) -> Response {
        told(self.0, &json!({ "declined": self.1, "closed": false }).to_string())
    }
}

/// Redirects to the path with a trailing slash.
pub(super) async fn page(State(http): State<Http>) -> Response {
    if !http.web_builder.is_enabled {
        return Notice::NOT_FOUND.answer(StatusCode::NOT_FOUND);
    }
    (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, HeaderValue::from_static(BUILD))]).into_response()
}

/// Logs in with name and password.
pub(super) async fn log_in(
    State(http): State<Http>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let asked = match read(&http, caller, &headers, body).await {
        Ok(asked) => asked,
        Err(refused) => return refused.answer(),
    };
    let Some(password) = asked.password else {
        return Refused(StatusCode::BAD_REQUEST, NOT_UNDERSTOOD).answer();
    };
    let builder = &http.web_builder;
    let Some(known) = builder.ask(|answer| Question::Credential(asked.name.clone(), answer)).await else {
        return Refused(StatusCode::SERVICE_UNAVAILABLE, NO_ANSWER).answer();
    };
    let (address, token) = (asked.by.address, asked.by.token.clone());
    let caller = login::Caller { session: None, address };
    let (account, credential) = match prove(&builder.auth, caller, &asked.name, known, password).await {
        Ok(owner) => owner,
        Err(denied) => {
            builder.counters.count(Tally::LoginsFailed);
            return declined(denied.sentence());
        }
    };
    let open = WebBuilderRequest::LogIn { account, credential, token, address };
    let opened = builder.ask(|answer| Question::WebBuilder(open, answer)).await;
    if matches!(opened, Some(Ok(_))) {
        builder.auth.welcome(address, account);
        tracing::info!(account = account.0, %address, "logged in to the web builder");
    }
    answer(builder, &asked.by, opened)
}

/// Logs a browser out.
pub(super) async fn log_out(
    State(http): State<Http>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let asked = read(&http, caller, &headers, body).await;
    forward(&http, asked, |asked| {
        Some(WebBuilderRequest::LogOut { name: asked.name.clone(), token: asked.by.token.clone() })
    })
    .await
}

/// Passes a builder's request to the game.
pub(super) async fn ask(
    State(http): State<Http>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let asked = read(&http, caller, &headers, body).await;
    let request = |asked: &mut Asked| {
        let (name, token, address) = (asked.name.clone(), asked.by.token.clone(), asked.by.address);
        Some(WebBuilderRequest::Ask { name, token, ask: asked.ask.take()?, address })
    };
    forward(&http, asked, request).await
}

/// Sends a request to the game loop and returns its answer.
async fn forward(
    http: &Http,
    asked: Result<Asked, Refused>,
    request: impl FnOnce(&mut Asked) -> Option<WebBuilderRequest>,
) -> Response {
    let mut asked = match asked {
        Ok(asked) => asked,
        Err(refused) => return refused.answer(),
    };
    let Some(request) = request(&mut asked) else {
        return Refused(StatusCode::BAD_REQUEST, NOT_UNDERSTOOD).answer();
    };
    let told = http.web_builder.ask(|answer| Question::WebBuilder(request, answer)).await;
    answer(&http.web_builder, &asked.by, told)
}

/// Reads and validates a request: origin, content type, cookie, size, token and rate limit.
async fn read(http: &Http, caller: Caller, headers: &HeaderMap, body: Body) -> Result<Asked, Refused> {
    let builder = &http.web_builder;
    if !builder.is_enabled {
        return Err(Refused(StatusCode::NOT_FOUND, "There is no page for builders here."));
    }
    if !has_allowed_origin(&http.origins, headers) || !is_json(headers) {
        return Err(Refused(StatusCode::FORBIDDEN, ELSEWHERE));
    }
    let BrowserKey(key) = browser::key(headers).ok_or(Refused(StatusCode::UNAUTHORIZED, NO_COOKIE))?;
    let address = caller_behind_proxies(caller, &http.proxies, headers).address;
    let bytes = timeout(READING, to_bytes(body, builder.bytes)).await;
    let bytes = bytes.ok().and_then(Result::ok).ok_or(Refused(StatusCode::PAYLOAD_TOO_LARGE, TOO_LARGE))?;
    let not_understood = Refused(StatusCode::BAD_REQUEST, NOT_UNDERSTOOD);
    let shown: Shown = serde_json::from_slice(&bytes).map_err(|_| not_understood)?;
    let token = Secret(shown.token);
    let is_token = token.0.len() == TOKEN_CHARS && token.0.bytes().all(|byte| byte.is_ascii_hexdigit());
    let token =
        is_token.then(|| seat_token::hash(&token, BrowserKey(key))).flatten().ok_or(not_understood)?;
    if !builder.take(&token, address) {
        return Err(Refused(StatusCode::TOO_MANY_REQUESTS, TOO_OFTEN));
    }
    let password = shown.password.map(Secret);
    Ok(Asked { by: Requester { address, token }, name: shown.name, password, ask: shown.ask })
}

/// Returns `true` if the content type is JSON. A form on another site cannot send this type, and a script needs a CORS
/// preflight.
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Converts the answer of the game loop to a response.
fn answer(
    builder: &WebBuilderState,
    by: &Requester,
    told_by_world: Option<Result<Vec<String>, Declined>>,
) -> Response {
    match told_by_world {
        Some(Ok(lines)) => {
            builder.note(by, true);
            told(StatusCode::OK, &lines.concat())
        }
        Some(Err(Declined(message))) if message == BUILDER_LOGGED_OUT => {
            builder.note(by, false);
            declined(&message)
        }
        Some(Err(Declined(message))) => declined(&message),
        None => Refused(StatusCode::SERVICE_UNAVAILABLE, NO_ANSWER).answer(),
    }
}

/// Returns a refusal of the game as status 200, since the request itself was valid.
fn declined(words: &str) -> Response {
    told(StatusCode::OK, &json!({ "declined": words, "closed": words == BUILDER_LOGGED_OUT }).to_string())
}

fn told(status: StatusCode, json: &str) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, kind, json.to_owned()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::GameTime;
    use crate::server::auth::AuthSettings;

    #[tokio::test]
    async fn n2_unknown_tokens_do_not_block_a_known_one() {
        let settings = AuthSettings { memory_kib: 64, passes: 1, ..AuthSettings::default() };
        let clock = Clock::start_at(GameTime(0));
        let auth = Arc::new(Authenticator::new(settings, clock).unwrap());
        let (questions, _asked) = mpsc::channel(1);
        let builder = WebBuilderState::new(&Limits::default(), clock, auth, Counters::default(), questions);
        let address = IpAddr::from([192, 0, 2, 7]);
        let by = |token: &str| Requester { address, token: token.to_owned() };
        builder.note(&by("builder"), true);
        for nth in 0..STRANGERS {
            assert!(builder.take("stranger", address), "{nth}");
            builder.note(&by("stranger"), false);
        }
        assert!(!builder.take("stranger", address) && !builder.take("another", address));
        assert!(builder.take("builder", address) && builder.take("stranger", [192, 0, 2, 8].into()));
        builder.note(&by("builder"), false);
        assert!(!builder.take("builder", address), "its log-in has ended");
    }

    #[test]
    fn n8_only_json_content_type_is_accepted() {
        let asked = |kind: &'static str| {
            HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(kind))])
        };
        assert!(is_json(&asked("application/json")) && is_json(&asked("Application/JSON; charset=utf-8")));
        for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
            assert!(!is_json(&asked(kind)), "{kind}");
        }
        assert!(!is_json(&HeaderMap::new()));
    }
}
