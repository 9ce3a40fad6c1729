//! A program without the feature `cluster`. The settings of a cluster are refused before anything here is called.

use std::sync::Arc;

use anyhow::bail;
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::handle::ClusterHandle;
use crate::server::config::{ClusterConfig, Config};
use crate::server::link::hand_over::HostLinks;
use crate::server::link::way::{BoxStream, HostRoute};
use crate::store::Store;

const ABSENT: &str = "this program was built without the feature \"cluster\"";

/// A host that is to join a cluster.
pub(in crate::server) struct JoiningHost;

/// Office of a host that leads.
pub(in crate::server) struct LeaderOffice;

/// Way of a gateway to the host that leads.
pub(in crate::server) struct NatsRoute;

/// Restore by the log of a cluster.
pub(in crate::server) mod restore {
    use std::path::Path;

    use super::super::FollowingBatches;
    use super::ABSENT;
    use crate::server::config::ClusterConfig;
    use crate::store::{NotReplayed, RestoreResult};
    use deepwell_core::base::GameTime;

    /// Refuses to read.
    pub(in crate::server) async fn look(
        _: &ClusterConfig,
        _: &Path,
        _: GameTime,
    ) -> Result<FollowingBatches, NotReplayed> {
        Err(NotReplayed::Log(ABSENT.to_owned()))
    }

    /// Refuses to restore.
    pub(in crate::server) async fn restore(
        _: &ClusterConfig,
        _: &Path,
        _: &Path,
        _: GameTime,
    ) -> Result<RestoreResult, NotReplayed> {
        Err(NotReplayed::Log(ABSENT.to_owned()))
    }
}

impl JoiningHost {
    /// Refuses to join.
    pub(in crate::server) fn new(_: &Config, _: &str, _: bool) -> anyhow::Result<Self> {
        bail!(ABSENT)
    }

    /// Returns the access for operators.
    pub(in crate::server) fn handle(&self) -> ClusterHandle {
        ClusterHandle::new("")
    }

    /// Refuses to follow.
    pub(in crate::server) async fn follow(self) -> anyhow::Result<(Store, LeaderOffice)> {
        bail!(ABSENT)
    }
}

impl LeaderOffice {
    /// Accepts no gateways.
    pub(in crate::server) fn serve(&self, _: Arc<HostLinks>) -> impl Future<Output = ()> + Send + use<> {
        std::future::pending()
    }

    /// Returns a token that is never cancelled.
    pub(in crate::server) fn asked(&self) -> CancellationToken {
        CancellationToken::new()
    }

    /// Does nothing.
    pub(in crate::server) async fn resign(self) {}
}

impl NatsRoute {
    /// Creates a way that leads nowhere.
    pub(in crate::server) fn new(_: ClusterConfig) -> Self {
        Self
    }
}

impl HostRoute for NatsRoute {
    fn connect(&self) -> BoxFuture<'_, anyhow::Result<BoxStream>> {
        Box::pin(async { bail!(ABSENT) })
    }
}
