//! Ways from a gateway to the host.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;

use super::frame::LinkError;

/// A stream of bytes between gateway and host.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// A stream of any kind.
pub type BoxStream = Box<dyn Stream>;

/// Opens streams to the host that leads, over a network.
pub trait HostRoute: Send + Sync {
    /// Opens a stream.
    fn connect(&self) -> BoxFuture<'_, anyhow::Result<BoxStream>>;
}

/// Way from a gateway to the host.
#[derive(Clone)]
pub enum HostWay {
    /// A Unix socket of a host on the same machine.
    Socket(PathBuf),
    /// The host of a cluster that leads; if no way leads there, the socket of a host on the same machine, in which
    /// people can at least talk and look.
    Cluster(Arc<dyn HostRoute>, PathBuf),
}

impl HostWay {
    /// Opens a stream.
    pub(super) async fn connect(&self) -> Result<BoxStream, LinkError> {
        match self {
            Self::Socket(path) => Ok(Box::new(UnixStream::connect(path).await?)),
            Self::Cluster(route, path) => match route.connect().await {
                Ok(stream) => Ok(stream),
                Err(error) => match UnixStream::connect(path).await {
                    Ok(stream) => Ok(Box::new(stream)),
                    Err(_) => Err(LinkError::NoWay(format!("{error:#}"))),
                },
            },
        }
    }
}

impl fmt::Display for HostWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket(path) => write!(f, "{}", path.display()),
            Self::Cluster(..) => f.write_str("the cluster"),
        }
    }
}
