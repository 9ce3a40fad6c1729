//! HTTP endpoints of the web builder and of the staff page: login, rate limits and request size. A request is passed to the game as one input
//! and answered once its changes are stored.
//!
//! A request is JSON by POST from the page itself. It carries two halves of a secret: a token that the page
//! generated and stores, in the JSON, and the browser cookie, which scripts cannot read. The game has a hash of both
//! together.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::net::Clock;
use crate::net::admission::source;
use crate::net::websocket::ClientOrigin;
use crate::server::access::password_hashing::Authenticator;
use crate::server::access::{passwords, seat_token};
use crate::server::game_loop::question::{self, GameQuestion, WebBuilderRequest, WebLogIn};
use crate::server::http::files::{BUILD, STAFF};
use crate::server::http::notice::NoticePage;
use crate::server::http::websocket::{caller_behind_proxies, has_allowed_origin};
use crate::server::http::{Http, browser, packages};
use crate::session::Secret;
use deepwell_core::base::Span;
use deepwell_core::base::budgets::RateLimits;
use deepwell_core::base::limits::Limits;
use deepwell_core::data::archive::ArchiveLimits;
use deepwell_game::{BuilderRequest, Declined, StaffRequest, WebPage};

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

const ELSEWHERE: &str = "This is asked from the page of this server, as JSON.";
const NO_COOKIE: &str = "This browser keeps no cookies, and without one nobody can log in here.";
const TOO_LARGE: &str = "That is too much at once. A large package goes into the folder packages beside the data of the server: type zone unpack and its name in the game.";
const TOO_OFTEN: &str = "That was too often. Wait a moment.";
const NOT_UNDERSTOOD: &str = "That was not understood. Load the page again.";
const NO_ANSWER: &str =
    "The world does not answer, so it is not certain whether anything was changed. Try again in a moment.";

/// State of the web builder's endpoints.
#[derive(Debug)]
pub struct WebBuilderState {
    questions: mpsc::Sender<GameQuestion>,
    auth: Arc<Authenticator>,
    clock: Clock,
    is_enabled: bool,
    bytes: usize,
    packages: ArchiveLimits,
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
        questions: mpsc::Sender<GameQuestion>,
    ) -> Self {
        let minute = Span::mins(1);
        Self {
            questions,
            auth,
            clock,
            is_enabled: limits.desks > 0,
            bytes: usize::try_from(limits.desk_bytes).unwrap_or(usize::MAX),
            packages: packages::limits(limits),
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

    /// Returns `true` if the token of a request was valid when it was last used.
    fn knows(&self, by: &Requester) -> bool {
        lock(&self.known).contains(&by.token)
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

    /// Sends a request to the game loop. Fails if it does not answer in time.
    async fn ask<T>(
        &self,
        question: impl FnOnce(oneshot::Sender<T>) -> GameQuestion,
    ) -> Result<T, RejectedRequest> {
        let asked = question::ask(&self.questions, question, PATIENCE).await;
        asked.map_err(|_| RejectedRequest(StatusCode::SERVICE_UNAVAILABLE, NO_ANSWER))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// JSON body of a request.
#[derive(Deserialize)]
struct RequestBody {
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
pub(super) struct ValidRequest {
    by: Requester,
    name: String,
    password: Option<Secret>,
    ask: Option<BuilderRequest>,
}

/// A rejected request: its status and message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RejectedRequest(StatusCode, &'static str);

impl IntoResponse for RejectedRequest {
    fn into_response(self) -> Response {
        respond(self.0, &json!({ "declined": self.1, "closed": false }).to_string())
    }
}

const MALFORMED: RejectedRequest = RejectedRequest(StatusCode::BAD_REQUEST, NOT_UNDERSTOOD);

/// Redirects to the path of the web builder with a trailing slash.
pub(super) async fn page(State(http): State<Http>) -> Response {
    redirect(&http, BUILD)
}

/// Redirects to the path of the staff page with a trailing slash.
pub(super) async fn staff_page(State(http): State<Http>) -> Response {
    redirect(&http, STAFF)
}

fn redirect(http: &Http, page: &'static str) -> Response {
    if !http.web_builder.is_enabled {
        return NoticePage::NOT_FOUND.answer(StatusCode::NOT_FOUND);
    }
    (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, HeaderValue::from_static(page))]).into_response()
}

/// Logs in to the web builder with name and password.
pub(super) async fn log_in(
    State(http): State<Http>,
    asked: ValidRequest,
) -> Result<Response, RejectedRequest> {
    log_in_to(&http.web_builder, asked, WebPage::Build).await
}

/// Logs in to the staff page with name and password.
pub(super) async fn log_in_staff(
    State(http): State<Http>,
    asked: ValidRequest,
) -> Result<Response, RejectedRequest> {
    log_in_to(&http.web_builder, asked, WebPage::Staff).await
}

async fn log_in_to(
    builder: &WebBuilderState,
    asked: ValidRequest,
    page: WebPage,
) -> Result<Response, RejectedRequest> {
    let ValidRequest { by, name, password, .. } = asked;
    let password = password.ok_or(MALFORMED)?;
    let login = WebLogIn { name, password, token: by.token.clone(), address: by.address, page };
    let opened = builder.ask(|answer| GameQuestion::WebLogIn(login, answer)).await?;
    Ok(answer(builder, &by, opened))
}

/// Logs a browser out.
pub(super) async fn log_out(
    State(http): State<Http>,
    asked: ValidRequest,
) -> Result<Response, RejectedRequest> {
    let request = WebBuilderRequest::LogOut { name: asked.name, token: asked.by.token.clone() };
    forward(&http.web_builder, &asked.by, request).await
}

/// Passes a builder's request to the game. Packages are archives here and texts there, and one-time codes are hashes there.
pub(super) async fn ask(State(http): State<Http>, asked: ValidRequest) -> Result<Response, RejectedRequest> {
    let builder = &http.web_builder;
    let ValidRequest { by, name, ask, .. } = asked;
    let request = |ask| {
        let (name, token, address) = (name.clone(), by.token.clone(), by.address);
        let request = WebBuilderRequest::Ask { name, token, ask, address };
        builder.ask(move |answer| GameQuestion::WebBuilder(request, answer))
    };
    let mut ask = ask.ok_or(MALFORMED)?;
    // Nothing costly is done for a sender who is not logged in.
    let first = match &ask {
        BuilderRequest::Unpack(_) => Some(BuilderRequest::Zones),
        BuilderRequest::Staff(StaffRequest::Recover { .. }) => {
            Some(BuilderRequest::Staff(StaffRequest::Overview))
        }
        _ => None,
    };
    if let Some(first) = first.filter(|_| !builder.knows(&by))
        && let Err(reason) = request(first).await?
    {
        return Ok(answer(builder, &by, Err(reason)));
    }
    let mut code = None;
    match &mut ask {
        BuilderRequest::Unpack(upload) => {
            match packages::opened(std::mem::take(&mut upload.package), builder.packages).await {
                Ok(package) => upload.package = package,
                Err(reason) => return Ok(declined(&reason)),
            }
        }
        BuilderRequest::Staff(StaffRequest::Recover { credential, .. }) => {
            match passwords::new_hashed_code(&builder.auth, by.address.into()).await {
                Ok((made, hash)) => (code, *credential) = (Some(made), hash),
                Err(denied) => return Ok(declined(&denied.sentence().to_owned().into())),
            }
        }
        _ => {}
    }
    let is_pack = matches!(ask, BuilderRequest::Pack { .. });
    let is_load = ask == BuilderRequest::Staff(StaffRequest::Load);
    let reply = match request(ask).await? {
        Ok(reply) if is_pack => packages::packed(reply).await,
        Ok(_) if is_load => Ok(vec![load(builder).await?]),
        Ok(reply) => Ok(code.map_or(reply, |code| vec![json!({ "code": code.0 }).to_string()])),
        reply => reply,
    };
    Ok(answer(builder, &by, reply))
}

/// Returns the figures of the server, for a member of staff who may see them.
async fn load(builder: &WebBuilderState) -> Result<String, RejectedRequest> {
    let dashboard = builder.ask(GameQuestion::Dashboard).await?.with_own_log();
    Ok(json!(dashboard).to_string())
}

/// Sends a request to the game loop and returns its answer.
async fn forward(
    builder: &WebBuilderState,
    by: &Requester,
    request: WebBuilderRequest,
) -> Result<Response, RejectedRequest> {
    let reply = builder.ask(|answer| GameQuestion::WebBuilder(request, answer)).await?;
    Ok(answer(builder, by, reply))
}

impl FromRequest<Http> for ValidRequest {
    type Rejection = RejectedRequest;

    /// Reads and validates a request: origin, content type, cookie, size, token and rate limit.
    async fn from_request(request: Request, http: &Http) -> Result<Self, RejectedRequest> {
        let builder = &http.web_builder;
        if !builder.is_enabled {
            return Err(RejectedRequest(StatusCode::NOT_FOUND, "There is no such page here."));
        }
        let headers = request.headers();
        if !has_allowed_origin(&http.origins, headers) || !is_json(headers) {
            return Err(RejectedRequest(StatusCode::FORBIDDEN, ELSEWHERE));
        }
        let key = browser::key(headers).ok_or(RejectedRequest(StatusCode::UNAUTHORIZED, NO_COOKIE))?;
        let caller = *request.extensions().get::<ClientOrigin>().ok_or(MALFORMED)?;
        let address = caller_behind_proxies(caller, &http.proxies, headers).address;
        let bytes = timeout(READING, to_bytes(request.into_body(), builder.bytes)).await;
        let bytes = bytes
            .ok()
            .and_then(Result::ok)
            .ok_or(RejectedRequest(StatusCode::PAYLOAD_TOO_LARGE, TOO_LARGE))?;
        let shown: RequestBody = serde_json::from_slice(&bytes).map_err(|_| MALFORMED)?;
        let token = Secret(shown.token);
        let is_token = token.0.len() == TOKEN_CHARS && token.0.bytes().all(|byte| byte.is_ascii_hexdigit());
        let token = is_token.then(|| seat_token::hash(&token, key)).flatten().ok_or(MALFORMED)?;
        if !builder.take(&token, address) {
            return Err(RejectedRequest(StatusCode::TOO_MANY_REQUESTS, TOO_OFTEN));
        }
        let password = shown.password.map(Secret);
        Ok(Self { by: Requester { address, token }, name: shown.name, password, ask: shown.ask })
    }
}

/// Returns `true` if the content type is JSON. A form on another site cannot send this type, and a script needs a CORS
/// preflight.
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Converts the answer of the game loop to a response.
fn answer(builder: &WebBuilderState, by: &Requester, answer: Result<Vec<String>, Declined>) -> Response {
    match answer {
        Ok(lines) => {
            builder.note(by, true);
            respond(StatusCode::OK, &lines.concat())
        }
        Err(reason) => {
            if reason == Declined::LoggedOut {
                builder.note(by, false);
            }
            declined(&reason)
        }
    }
}

/// Returns a refusal of the game as status 200, since the request itself was valid.
fn declined(reason: &Declined) -> Response {
    let closed = *reason == Declined::LoggedOut;
    respond(StatusCode::OK, &json!({ "declined": reason.to_string(), "closed": closed }).to_string())
}

fn respond(status: StatusCode, json: &str) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, kind, json.to_owned()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::GameTime;

    #[tokio::test]
    async fn n2_unknown_tokens_do_not_block_a_known_one() {
        let clock = Clock::start_at(GameTime(0));
        let (questions, _asked) = mpsc::channel(1);
        let builder = WebBuilderState::new(&Limits::default(), clock, Authenticator::weak(), questions);
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
