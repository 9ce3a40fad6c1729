//! Format of the link: a preamble with the protocol version, then frames of bounded length. The body of a frame is
//! JSON, so that a field with a default can be added without a new version, and because rows are stored as JSON: a second
//! format would double the code that reads them.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio_util::bytes::{BufMut as _, BytesMut};
use tokio_util::codec::{FramedRead, LengthDelimitedCodec};

use super::question::HostQuestion;
use crate::session::{Delivery, Request};
use deepwell_core::base::{AccountId, SessionId};
use deepwell_game::Packages;

/// Version of the protocol. A change that an older program cannot read increases it.
pub(in crate::server) const PROTOCOL: u32 = 1;
/// Maximum length of the body of a frame in bytes: a hello with twenty thousand sessions fits.
const FRAME_BYTES_MAX: usize = 16 << 20;
/// Length of the head of a frame in bytes: the length of the body, big-endian.
const HEAD_BYTES: usize = size_of::<u32>();
/// Length of unwritten frames in bytes above which no more are added.
const OUT_BYTES: usize = 256 << 10;
/// Size of the buffer for frames that arrive.
const IN_BYTES: usize = 64 << 10;
/// Time between two signs of life of a host.
pub(super) const BEAT: Duration = Duration::from_secs(1);
/// Time without a frame of the host after which it does not answer. A socket to a stopped process stays open.
pub(super) const SILENCE: Duration = Duration::from_secs(5);
/// Begin of the preamble.
const MAGIC: [u8; 8] = *b"deepwell";

/// Reason why a link ended or was refused.
#[derive(Debug, thiserror::Error)]
pub(in crate::server) enum LinkError {
    /// The socket failed, or the other side closed it.
    #[error("the link was lost: {0}")]
    Lost(#[from] io::Error),
    /// There is no way to the host.
    #[error("{0}")]
    NoWay(String),
    /// The other side sent something else than a preamble.
    #[error("the other side of the socket is not a Deepwell program")]
    Foreign,
    /// The other side speaks another version.
    #[error(
        "the other side of the link speaks version {0} of its protocol and this program version {PROTOCOL}; start gateway and host from the same program"
    )]
    Version(u32),
    /// A frame could not be read. The reason is not shown, because it may quote a password.
    #[error("a frame of the other side cannot be read")]
    Malformed(#[source] serde_json::Error),
    /// A frame could not be written.
    #[error("cannot write a frame: {0}")]
    Unwritable(#[source] serde_json::Error),
    /// A frame is longer than permitted.
    #[error("a frame of {0} bytes is too long")]
    TooLong(usize),
    /// The other side did not keep to the protocol.
    #[error("the other side of the link sent {0}")]
    Unexpected(&'static str),
    /// The host refused the gateway.
    #[error("the host refused the link: {0}")]
    Refused(String),
}

/// Frame from a gateway to the host.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::server) enum ToHost {
    /// First frame: the gateway and its sessions.
    Hello(Hello),
    /// Event of a client. Numbers increase, also over several links of one gateway.
    Event {
        /// Number of the event.
        number: u64,
        /// The event.
        event: LinkEvent,
    },
    /// Request of a web page.
    Asked {
        /// Number of the request.
        number: u64,
        /// The request.
        asked: HostQuestion,
    },
}

/// A [`ToHost::Event`] that is written without a copy.
#[derive(Serialize)]
#[serde(rename = "ToHost")]
pub(super) enum Sent<'a> {
    /// The event and its number.
    Event { number: u64, event: &'a LinkEvent },
}

/// A gateway and its sessions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::server) struct Hello {
    /// Random number of the process.
    pub(in crate::server) gateway: u64,
    /// Version of the program, for the log.
    pub(in crate::server) program: String,
    /// Open sessions.
    pub(in crate::server) sessions: Vec<Attached>,
    /// Set if the gateway reads [`ToGateway::Alive`], which programs before version 0.3 do not.
    #[serde(default)]
    pub(in crate::server) reads_beats: bool,
}

/// An open session.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::server) struct Attached {
    /// The session.
    pub(in crate::server) session: SessionId,
    /// Client address.
    pub(in crate::server) address: IpAddr,
    /// Account and character, if the session is logged in.
    pub(in crate::server) player: Option<LinkPlayer>,
    /// Packages of structured data that the client wants.
    pub(in crate::server) wants: Packages,
}

/// Account and character of a logged-in session.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::server) struct LinkPlayer {
    /// The account.
    pub(in crate::server) account: AccountId,
    /// Name of the character.
    pub(in crate::server) name: String,
}

/// Event of a client.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::server) enum LinkEvent {
    /// The client has connected.
    Connected {
        /// Its session.
        session: SessionId,
        /// Its address.
        address: IpAddr,
    },
    /// The session sends a request.
    Asked {
        /// The session.
        session: SessionId,
        /// The request.
        request: Request,
    },
    /// The client has disconnected.
    Ended {
        /// Its session.
        session: SessionId,
    },
}

impl LinkEvent {
    /// Returns the session of the client.
    pub(super) const fn session(&self) -> SessionId {
        match self {
            Self::Connected { session, .. } | Self::Asked { session, .. } | Self::Ended { session } => {
                *session
            }
        }
    }
}

/// Frame from the host to a gateway.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::server) enum ToGateway {
    /// Answer to the hello: the sessions are attached.
    Welcome {
        /// Version of the program, for the log.
        program: String,
        /// Set if the host sends [`ToGateway::Alive`].
        #[serde(default)]
        sends_beats: bool,
    },
    /// Answer to the hello: the gateway cannot be linked.
    Refused(String),
    /// Output for a session.
    Deliver {
        /// The session.
        session: SessionId,
        /// Output in order.
        deliveries: Vec<Delivery>,
    },
    /// The output of a session has overflowed: its client does not read.
    TooSlow {
        /// The session.
        session: SessionId,
    },
    /// Numbers of events that have been handled; all output that answers them has been sent.
    Handled(Vec<u64>),
    /// Answer to a web page; `None` if the game did not answer in time.
    Answered {
        /// Number of the request.
        number: u64,
        /// The answer.
        answer: Option<Value>,
    },
    /// Sign of life, sent every [`BEAT`] if the gateway reads it.
    Alive,
    /// The host restarts: events without a [`ToGateway::Handled`] have not been handled.
    Restarting,
}

/// Returns the codec that splits the stream into frames.
pub(super) fn codec() -> LengthDelimitedCodec {
    LengthDelimitedCodec::builder()
        .length_field_length(HEAD_BYTES)
        .max_frame_length(FRAME_BYTES_MAX)
        .new_codec()
}

/// Frames that arrive.
pub(super) type Frames<R> = FramedRead<R, LengthDelimitedCodec>;

/// Returns the frames that a reader reads.
pub(super) fn frames<R: AsyncRead>(reader: R) -> Frames<R> {
    FramedRead::with_capacity(reader, codec(), IN_BYTES)
}

/// Reads the body of a frame.
pub(super) fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, LinkError> {
    // Text is read by the same code as rows.
    let text = str::from_utf8(body).map_err(serde::de::Error::custom).map_err(LinkError::Malformed)?;
    serde_json::from_str(text).map_err(LinkError::Malformed)
}

/// Returns the preamble of this program.
fn preamble() -> [u8; 12] {
    let mut bytes = [0; 12];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..].copy_from_slice(&PROTOCOL.to_be_bytes());
    bytes
}

/// Exchanges preambles. A program of another version learns of it as well.
pub(super) async fn agree(stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> Result<(), LinkError> {
    stream.write_all(&preamble()).await?;
    let mut magic = [0; 8];
    stream.read_exact(&mut magic).await?;
    if magic != MAGIC {
        return Err(LinkError::Foreign);
    }
    let version = stream.read_u32().await?;
    if version == PROTOCOL { Ok(()) } else { Err(LinkError::Version(version)) }
}

/// Frames that wait to be written.
#[derive(Debug, Default)]
pub(super) struct Outgoing {
    bytes: BytesMut,
    /// Body of one frame; the memory is reused.
    body: Vec<u8>,
}

impl Outgoing {
    /// Adds a frame.
    pub(super) fn push(&mut self, frame: &impl Serialize) -> Result<(), LinkError> {
        self.body.clear();
        serde_json::to_writer(&mut self.body, frame).map_err(LinkError::Unwritable)?;
        let length = self.body.len();
        let short = u32::try_from(length).ok().filter(|_| length <= FRAME_BYTES_MAX);
        self.bytes.put_u32(short.ok_or(LinkError::TooLong(length))?);
        self.bytes.put_slice(&self.body);
        self.body.shrink_to(OUT_BYTES);
        Ok(())
    }

    /// Returns `true` if the frames should be written before more are added.
    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() >= OUT_BYTES
    }

    /// Returns `true` if all frames have been written.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the bytes that wait.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Writes some of the bytes. Cancel-safe.
    pub(super) async fn write(&mut self, stream: &mut (impl AsyncWrite + Unpin)) -> Result<(), LinkError> {
        if stream.write_buf(&mut self.bytes).await? == 0 {
            return Err(io::Error::from(io::ErrorKind::WriteZero).into());
        }
        Ok(())
    }

    /// Writes all frames.
    pub(super) async fn write_all(
        &mut self,
        stream: &mut (impl AsyncWrite + Unpin),
    ) -> Result<(), LinkError> {
        while !self.is_empty() {
            self.write(stream).await?;
        }
        Ok(())
    }
}
