//! Health and figures for operators over HTTP. `/health` asks the world itself: a dead world behind an open port must
//! not look alive.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::server::http::{Terms, serve};
use crate::server::metrics::Metrics;
use crate::server::question::{Question, Status};

/// Connections at a time; a further one takes the place of one that is idle, so that a scraper that never reads or never
/// hangs up keeps nobody out.
const CONNECTIONS: u32 = 32;
/// How long the world may take to answer.
const PATIENCE: Duration = Duration::from_secs(1);
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What the pages are made from.
#[derive(Clone, Debug)]
pub struct Ops {
    /// To the world.
    pub questions: mpsc::Sender<Question>,
    /// What is measured.
    pub metrics: Arc<Metrics>,
    /// Cancelled when the server begins to stop.
    pub stop: CancellationToken,
}

impl Ops {
    /// Serves until the task is aborted.
    pub async fn serve(self, listener: TcpListener) {
        let pages = Router::new()
            .route("/health", get(health))
            .route("/live", get(live))
            .route("/ready", get(ready))
            .route("/metrics", get(metrics))
            .with_state(self);
        serve(listener, pages, Terms::for_operators(CONNECTIONS)).await;
    }

    async fn status(&self) -> Option<Status> {
        ask_status(&self.questions).await
    }
}

/// How the world is; `None` if it does not answer in time.
pub(super) async fn ask_status(questions: &mpsc::Sender<Question>) -> Option<Status> {
    ask(questions, Question::Status).await
}

/// Asks the world a question; `None` if it does not answer in time.
pub(super) async fn ask<T>(
    questions: &mpsc::Sender<Question>,
    question: impl FnOnce(oneshot::Sender<T>) -> Question,
) -> Option<T> {
    let (answer, answered) = oneshot::channel();
    let asked = async {
        questions.send(question(answer)).await.ok()?;
        answered.await.ok()
    };
    timeout(PATIENCE, asked).await.ok().flatten()
}

async fn health(State(ops): State<Ops>) -> Response {
    match ops.status().await {
        Some(status) if status.problems.is_empty() => Json(status).into_response(),
        Some(status) => (StatusCode::SERVICE_UNAVAILABLE, Json(status)).into_response(),
        None => unavailable("the world does not answer\n"),
    }
}

/// Tells whether the world answers at all, for supervisors that restart what does not.
async fn live(State(ops): State<Ops>) -> Response {
    match ops.status().await {
        Some(_) => "live\n".into_response(),
        None => unavailable("the world does not answer\n"),
    }
}

async fn ready(State(ops): State<Ops>) -> Response {
    if ops.stop.is_cancelled() {
        return unavailable("stopping\n");
    }
    match ops.status().await {
        Some(status) => match status.problems.first() {
            None => "ready\n".into_response(),
            Some(problem) => {
                (StatusCode::SERVICE_UNAVAILABLE, format!("{}\n", problem.words())).into_response()
            }
        },
        None => unavailable("the world does not answer\n"),
    }
}

async fn metrics(State(ops): State<Ops>) -> Response {
    let Some(status) = ops.status().await else { return unavailable("the world does not answer\n") };
    match ops.metrics.text(&status) {
        Ok(text) => ([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn unavailable(words: &'static str) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, words).into_response()
}
