//! A program without the feature `cluster`. The settings of a cluster are refused before anything here is called.

use std::sync::Arc;

use anyhow::bail;
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::handle::ClusterHandle;
use crate::server::config::{ClusterConfig, Config};
use crate::server::link::host::HostLinks;
use crate::server::link::way::{BoxStream, Route};
use crate::store::Store;

/// A host that is to join a cluster.
pub(in crate::server) enum Joining {}

/// Office of a host that leads.
pub(in crate::server) enum Office {}

/// Way of a gateway to the host that leads.
pub(in crate::server) enum NatsRoute {}

impl Joining {
    /// Refuses to join.
    pub(in crate::server) fn new(_: &Config, _: &str, _: bool) -> anyhow::Result<Self> {
        bail!("this program was built without the feature \"cluster\"")
    }

    /// Returns the access for operators.
    pub(in crate::server) fn handle(&self) -> ClusterHandle {
        match *self {}
    }

    /// Follows the log until this host leads.
    pub(in crate::server) async fn follow(self) -> anyhow::Result<(Store, Office)> {
        match self {}
    }
}

impl Office {
    /// Accepts gateways until the task is aborted.
    pub(in crate::server) fn serve(&self, _: Arc<HostLinks>) -> impl Future<Output = ()> + Send + use<> {
        std::future::ready(match *self {})
    }

    /// Returns the token that is cancelled when an operator wants another host to lead.
    pub(in crate::server) fn asked(&self) -> CancellationToken {
        match *self {}
    }

    /// Lets another host lead.
    pub(in crate::server) async fn resign(self) {
        match self {}
    }
}

impl Route for NatsRoute {
    fn connect(&self) -> BoxFuture<'_, anyhow::Result<BoxStream>> {
        match *self {}
    }
}

impl NatsRoute {
    /// Panics: there is no such way.
    pub(in crate::server) fn new(_: ClusterConfig) -> Self {
        unreachable!("the settings of a cluster are refused")
    }
}
