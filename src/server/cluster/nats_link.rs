//! Links between gateways and hosts over NATS: subjects outside of `JetStream` carry the messages of a stream. A gateway
//! finds the host that leads in the lease.

use anyhow::{Context as _, anyhow, bail};
use async_nats::Client;
use async_nats::jetstream::context::ContextBuilder;
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use tokio::io::DuplexStream;
use tokio::sync::{OnceCell, mpsc};
use tokio::time::{sleep, timeout};
use tokio_util::bytes::Bytes;

use super::lease::ClusterLease;
use super::nats::{ANSWER, Nats, connect};
use crate::server::config::ClusterConfig;
use crate::server::link::pipe;
use crate::server::link::way::{BoxStream, HostRoute};

impl Nats {
    /// Accepts streams of gateways under a name until the task is aborted.
    pub(in crate::server) async fn accept(self, link: String, mut accepted: impl FnMut(DuplexStream)) {
        loop {
            match self.client.subscribe(subject(&self.world, &link)).await {
                Ok(mut requests) => {
                    while let Some(request) = requests.next().await {
                        let reply = request.reply.filter(|reply| is_inbox(reply.as_bytes()));
                        let (Some(reply), Some(their)) = (reply, inbox(&request.payload)) else {
                            tracing::warn!("ignored a request for a link that no gateway has sent");
                            continue;
                        };
                        let ours = self.client.new_inbox();
                        match stream_over(&self.client, ours.clone(), their).await {
                            Ok(stream) => {
                                // If the answer is lost, so is the stream, by silence.
                                let _ = self.client.publish(reply, ours.into()).await;
                                accepted(stream);
                            }
                            Err(error) => tracing::warn!(%error, "cannot accept a gateway"),
                        }
                    }
                }
                Err(error) => tracing::warn!(%error, "cannot accept gateways"),
            }
            sleep(ANSWER).await;
        }
    }
}

/// Way of a gateway to the host that leads; connects to NATS at the first use.
pub(in crate::server) struct NatsRoute {
    config: ClusterConfig,
    client: OnceCell<Client>,
}

impl NatsRoute {
    /// Creates a way that is not connected.
    pub(in crate::server) fn new(config: ClusterConfig) -> Self {
        Self { config, client: OnceCell::new() }
    }
}

impl HostRoute for NatsRoute {
    fn connect(&self) -> BoxFuture<'_, anyhow::Result<BoxStream>> {
        Box::pin(async {
            let client = self.client.get_or_try_init(|| connect(&self.config, "gateway")).await?;
            let stream: BoxStream = Box::new(dial(client, &self.config.world).await?);
            Ok(stream)
        })
    }
}

fn subject(world: &str, link: &str) -> String {
    format!("deepwell.{world}.link.{link}")
}

/// Prefix of the subjects that NATS clients create for answers.
const INBOX: &[u8] = b"_INBOX.";
/// Maximum length of such a subject.
const INBOX_BYTES_MAX: usize = 100;

/// Returns the inbox named in a message. Only an inbox is written to: any other subject could be one of the log, or of
/// another program.
fn inbox(payload: &[u8]) -> Option<String> {
    String::from_utf8(payload.to_vec()).ok().filter(|subject| is_inbox(subject.as_bytes()))
}

/// Returns `true` for the name of an inbox, as a client creates it.
fn is_inbox(subject: &[u8]) -> bool {
    let name = subject.strip_prefix(INBOX).unwrap_or_default();
    let is_token = |token: &[u8]| !token.is_empty() && token.iter().all(u8::is_ascii_alphanumeric);
    subject.len() <= INBOX_BYTES_MAX && name.split(|byte| *byte == b'.').all(is_token)
}

/// Opens a stream to the host that leads.
async fn dial(client: &Client, world: &str) -> anyhow::Result<DuplexStream> {
    let context = ContextBuilder::new().timeout(ANSWER).build(client.clone());
    let unknown = |error: &dyn std::fmt::Display| anyhow!("cannot read who leads: {error}");
    let records =
        context.get_key_value(format!("deepwell-{world}")).await.map_err(|error| unknown(&error))?;
    let value = records.get("leader").await.map_err(|error| unknown(&error))?.context("no host leads")?;
    let lease: ClusterLease = serde_json::from_slice(&value).context("cannot read who leads")?;
    if lease.link.is_empty() {
        bail!("no host leads");
    }
    let ours = client.new_inbox();
    let (outgoing, sending) = mpsc::channel(pipe::MESSAGES_MAX);
    let incoming = receive(client, ours.clone()).await?;
    let asked = client.request(subject(world, &lease.link), ours.into());
    let Ok(Ok(answer)) = timeout(ANSWER, asked).await else {
        bail!("the host {} does not answer", lease.host);
    };
    let their = inbox(&answer.payload).context("the host's answer is not an inbox")?;
    send(client, their, sending);
    Ok(pipe::open(outgoing, incoming))
}

/// Opens a stream over two subjects.
async fn stream_over(client: &Client, ours: String, their: String) -> anyhow::Result<DuplexStream> {
    let (outgoing, sending) = mpsc::channel(pipe::MESSAGES_MAX);
    let incoming = receive(client, ours).await?;
    send(client, their, sending);
    Ok(pipe::open(outgoing, incoming))
}

async fn receive(client: &Client, subject: String) -> anyhow::Result<mpsc::Receiver<Bytes>> {
    let mut messages = client.subscribe(subject).await?;
    let (received, incoming) = mpsc::channel(pipe::MESSAGES_MAX);
    tokio::spawn(async move {
        loop {
            tokio::select! {
                () = received.closed() => return,
                message = messages.next() => {
                    let Some(message) = message else { return };
                    if received.send(message.payload).await.is_err() {
                        return;
                    }
                }
            }
        }
    });
    Ok(incoming)
}

fn send(client: &Client, subject: String, mut sending: mpsc::Receiver<Bytes>) {
    let client = client.clone();
    tokio::spawn(async move {
        while let Some(message) = sending.recv().await {
            if client.publish(subject.clone(), message).await.is_err() {
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A8: no message makes a program write to anything but an inbox.
        #[test]
        fn a8_only_inboxes_are_written_to(
            prefix in "(_INBOX\\.|_INBOX|deepwell\\.world\\.log|\\$JS\\.API\\.|\\$KV\\.|)",
            rest in "[A-Za-z0-9.*> \\r\\n\\t$_-]{0,30}",
        ) {
            let subject = format!("{prefix}{rest}");
            let is_token = |token: &str| !token.is_empty() && token.chars().all(|c| c.is_ascii_alphanumeric());
            let is_plain = subject.strip_prefix("_INBOX.").is_some_and(|name| name.split('.').all(is_token));
            let expected = is_plain.then(|| subject.clone());
            prop_assert_eq!(inbox(subject.as_bytes()), expected);
        }

        #[test]
        fn a8_bytes_are_no_inbox(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert!(inbox(&bytes).is_none() || bytes.starts_with(INBOX));
        }
    }

    #[test]
    fn inboxes_of_the_client_are_accepted() {
        let name = "_INBOX.".to_owned() + &"aB3".repeat(8) + ".7Zz";
        assert_eq!(inbox(name.as_bytes()), Some(name.clone()));
        assert_eq!(inbox((name + &"a".repeat(INBOX_BYTES_MAX)).as_bytes()), None);
    }
}
