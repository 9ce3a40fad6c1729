//! Health checks and metrics for operators over HTTP. `/health` queries the game loop, so that a failed game behind an
//! open port is not reported as healthy.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::server::backups::Backups;
use crate::server::cluster::{ClusterHandle, HostRole};
use crate::server::control::{StandbyStatus, gateway_status};
use crate::server::game_loop::question::{GameQuestion, PATIENCE, Status, ask};
use crate::server::http::{Terms, serve};
use crate::server::link::gateway::GatewayStatus;
use crate::server::metrics::Metrics;
use crate::server::metrics::cluster::StandbyMetrics;
use crate::server::metrics::gateway::GatewayMetrics;
use crate::server::start::certificate::Certificate;

/// Maximum number of connections. At the limit a new connection replaces an idle one, so that a scraper that never
/// reads or never disconnects cannot block others.
const CONNECTIONS: u32 = 32;
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// State of the request handlers.
#[derive(Clone, Debug)]
pub struct Ops {
    /// Requests to the game loop.
    pub questions: mpsc::Sender<GameQuestion>,
    /// Metrics.
    pub metrics: Arc<Metrics>,
    /// Cancelled when the server begins to stop.
    pub stop: CancellationToken,
    /// The cluster, if the host is part of one.
    pub cluster: Option<ClusterHandle>,
    /// Backups.
    pub(super) backups: Backups,
    /// The certificate of the listeners.
    pub(super) certificate: Certificate,
}

/// State of the request handlers of a gateway.
#[derive(Clone, Debug)]
pub struct GatewayOps {
    /// Requests to the link task.
    pub(super) status: mpsc::Sender<oneshot::Sender<GatewayStatus>>,
    /// Metrics.
    pub(super) metrics: Arc<GatewayMetrics>,
    /// Cancelled when the gateway begins to stop.
    pub(super) stop: CancellationToken,
    /// The certificate of the listeners.
    pub(super) certificate: Certificate,
}

/// State of the request handlers of a standby.
#[derive(Clone, Debug)]
pub struct StandbyOps {
    /// The cluster.
    pub cluster: ClusterHandle,
    /// Metrics.
    pub(super) metrics: Arc<StandbyMetrics>,
}

impl StandbyOps {
    /// Serves until the task is aborted.
    pub async fn serve(self, listener: TcpListener) {
        let pages = Router::new()
            .route("/health", get(standby_health))
            .route("/live", get(async || "live\n"))
            .route("/ready", get(standby_ready))
            .route("/metrics", get(standby_metrics))
            .with_state(self);
        serve(listener, pages, Terms::for_operators(CONNECTIONS)).await;
    }
}

impl GatewayOps {
    /// Serves until the task is aborted.
    pub async fn serve(self, listener: TcpListener) {
        let pages = Router::new()
            .route("/health", get(gateway_health))
            .route("/live", get(gateway_live))
            .route("/ready", get(gateway_ready))
            .route("/metrics", get(gateway_metrics))
            .with_state(self);
        serve(listener, pages, Terms::for_operators(CONNECTIONS)).await;
    }
}

impl Ops {
    /// Serves until the task is aborted, together with the pages of bridges.
    pub async fn serve(self, listener: TcpListener, bridges: Router) {
        let pages = Router::new()
            .route("/health", get(health))
            .route("/live", get(live))
            .route("/ready", get(ready))
            .route("/metrics", get(metrics))
            .with_state(self)
            .merge(bridges);
        serve(listener, pages, Terms::for_operators(CONNECTIONS)).await;
    }

    async fn status(&self) -> Option<Status> {
        let mut status = ask(&self.questions, GameQuestion::Status, PATIENCE).await.ok()?;
        status.cluster = self.cluster.as_ref().map(ClusterHandle::status);
        self.backups.note_in(&mut status);
        self.certificate.note_in(&mut status);
        Some(status)
    }
}

async fn health(State(ops): State<Ops>) -> Response {
    match ops.status().await {
        Some(status) if status.obstacle().is_none() => Json(status).into_response(),
        Some(status) => (StatusCode::SERVICE_UNAVAILABLE, Json(status)).into_response(),
        None => unavailable("the world does not answer\n"),
    }
}

/// Liveness check for supervisors: succeeds if the game loop answers, healthy or not.
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
        Some(status) => match status.obstacle() {
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
    ops.metrics.show_certificate(ops.certificate.validity());
    match ops.metrics.text(&status) {
        Ok(text) => ([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn gateway_health(State(ops): State<GatewayOps>) -> Response {
    match gateway_status(&ops.status).await {
        Some(status) if status.problems.is_empty() => Json(status).into_response(),
        Some(status) => (StatusCode::SERVICE_UNAVAILABLE, Json(status)).into_response(),
        None => unavailable("the link task does not answer\n"),
    }
}

/// Liveness check: succeeds if the gateway can hold its clients, with or without a host.
async fn gateway_live(State(ops): State<GatewayOps>) -> Response {
    match gateway_status(&ops.status).await {
        Some(_) => "live\n".into_response(),
        None => unavailable("the link task does not answer\n"),
    }
}

async fn gateway_ready(State(ops): State<GatewayOps>) -> Response {
    if ops.stop.is_cancelled() {
        return unavailable("stopping\n");
    }
    match gateway_status(&ops.status).await {
        Some(status) => match status.problems.first() {
            None => "ready\n".into_response(),
            Some(problem) => (StatusCode::SERVICE_UNAVAILABLE, format!("{problem}\n")).into_response(),
        },
        None => unavailable("the link task does not answer\n"),
    }
}

async fn gateway_metrics(State(ops): State<GatewayOps>) -> Response {
    let Some(status) = gateway_status(&ops.status).await else {
        return unavailable("the link task does not answer\n");
    };
    ops.metrics.show_certificate(ops.certificate.validity());
    match ops.metrics.text(&status) {
        Ok(text) => ([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn standby_health(State(ops): State<StandbyOps>) -> Response {
    let status = StandbyStatus::of(&ops.cluster);
    let code = if status.problems.is_empty() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (code, Json(status)).into_response()
}

/// Readiness of a standby: it could lead.
async fn standby_ready(State(ops): State<StandbyOps>) -> Response {
    let status = StandbyStatus::of(&ops.cluster);
    match status.problems.first() {
        Some(problem) => (StatusCode::SERVICE_UNAVAILABLE, format!("{problem}\n")).into_response(),
        None if status.cluster.role == HostRole::Joining => unavailable("joining the cluster\n"),
        None => "standby\n".into_response(),
    }
}

async fn standby_metrics(State(ops): State<StandbyOps>) -> Response {
    match ops.metrics.text(&ops.cluster.status()) {
        Ok(text) => ([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn unavailable(message: &'static str) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, message).into_response()
}
