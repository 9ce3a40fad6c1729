//! Role of a process, and the commands that a gateway and a standby answer in their own way.

use serde::Serialize;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::net::clock;
use crate::server::cluster::{ClusterHandle, ClusterStatus};
use crate::server::control::ControlError;
use crate::server::control::protocol::{ControlCommand, QUERY_TIME};
use crate::server::link::gateway::GatewayStatus;
use crate::server::start::certificate::Certificate;
use crate::server::start::lifecycle::{NotRestarted, Restarter};
use crate::server::start::next_start::NextStart;

/// Role of a process, as far as its commands differ.
#[derive(Clone, Debug)]
pub(in crate::server) enum ControlledRole {
    /// Game and connections in one process.
    Serve,
    /// The game.
    Host(Restarter),
    /// A copy of the world that follows the log of the cluster. The token restarts the process, if it can start again.
    Standby(ClusterHandle, CancellationToken, NextStart),
    /// The connections.
    Gateway(mpsc::Sender<oneshot::Sender<GatewayStatus>>),
}

impl ControlledRole {
    /// Answers a command that a gateway or a standby carries out in its own way. Returns `None` for any other.
    pub(super) async fn answer(
        &self,
        certificate: &Certificate,
        command: &ControlCommand,
    ) -> Option<Result<Value, ControlError>> {
        match self {
            Self::Gateway(status) => answer_of_gateway(certificate, status, command).await,
            Self::Standby(cluster, ..) => answer_of_standby(cluster, command),
            Self::Serve | Self::Host(_) => None,
        }
    }

    /// Restarts a host.
    pub(super) async fn restart(&self) -> Result<(), ControlError> {
        match self {
            Self::Host(restarter) => restarter.restart().await?,
            Self::Standby(_, restart, next) => {
                next.check().await.map_err(NotRestarted::from)?;
                restart.cancel();
            }
            Self::Serve | Self::Gateway(_) => return Err(ControlError::NoGateway),
        }
        Ok(())
    }

    /// Returns `true` if the process is about to start again.
    pub(super) fn is_restarting(&self) -> bool {
        match self {
            Self::Host(restarter) => restarter.has_begun(),
            Self::Standby(_, restart, _) => restart.is_cancelled(),
            Self::Serve | Self::Gateway(_) => false,
        }
    }
}

/// Status of a standby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(in crate::server) struct StandbyStatus {
    /// Always "standby".
    role: &'static str,
    /// Reasons why the standby is not healthy; empty if it is.
    pub(in crate::server) problems: Vec<String>,
    /// Its place in the cluster.
    pub(in crate::server) cluster: ClusterStatus,
}

impl StandbyStatus {
    /// Returns the present status.
    pub(in crate::server) fn of(cluster: &ClusterHandle) -> Self {
        let cluster = cluster.status();
        let problem = Some(cluster.problem.clone()).filter(|problem| !problem.is_empty());
        Self { role: "standby", problems: problem.into_iter().collect(), cluster }
    }
}

/// Answers a command to a gateway. Returns `None` for a command that every role carries out alike.
async fn answer_of_gateway(
    certificate: &Certificate,
    status: &mpsc::Sender<oneshot::Sender<GatewayStatus>>,
    command: &ControlCommand,
) -> Option<Result<Value, ControlError>> {
    match command {
        ControlCommand::Who
        | ControlCommand::Broadcast { .. }
        | ControlCommand::Listing
        | ControlCommand::Settings
        | ControlCommand::Time
        | ControlCommand::Reload
        | ControlCommand::Stop { .. } => None,
        ControlCommand::Status => Some(match gateway_status(status).await {
            Some(status) => serde_json::to_value(status)
                .map(|status| with_certificate(certificate, status))
                .map_err(ControlError::Json),
            None => Err(ControlError::NoAnswer(QUERY_TIME)),
        }),
        _ => Some(Err(ControlError::AtHost)),
    }
}

/// Adds the period of the certificate to the status of a gateway.
fn with_certificate(certificate: &Certificate, mut status: Value) -> Value {
    if let (Some(validity), Some(figures)) = (certificate.validity(), status.as_object_mut()) {
        figures.insert("certificate".into(), validity.words(clock::wall()).into());
    }
    status
}

/// Answers a command to a standby. Returns `None` for a command that every role carries out alike.
fn answer_of_standby(
    cluster: &ClusterHandle,
    command: &ControlCommand,
) -> Option<Result<Value, ControlError>> {
    match command {
        ControlCommand::Cluster(_)
        | ControlCommand::Time
        | ControlCommand::Backup { .. }
        | ControlCommand::Restart
        | ControlCommand::Stop { .. } => None,
        ControlCommand::Status => {
            Some(serde_json::to_value(StandbyStatus::of(cluster)).map_err(ControlError::Json))
        }
        _ => Some(Err(ControlError::AtLeader(cluster.status().leader))),
    }
}

/// Asks the link task of a gateway for the status; `None` if it does not answer in time.
pub(in crate::server) async fn gateway_status(
    status: &mpsc::Sender<oneshot::Sender<GatewayStatus>>,
) -> Option<GatewayStatus> {
    let (answer, answered) = oneshot::channel();
    let asked = async {
        status.send(answer).await.ok()?;
        answered.await.ok()
    };
    timeout(QUERY_TIME, asked).await.ok().flatten()
}
