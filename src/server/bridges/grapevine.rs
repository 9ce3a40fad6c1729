//! Connection to Grapevine, a chat network of games: JSON messages over a WebSocket. One of its channels is shared with
//! one of the game. No names of players are sent except those who speak. Source: grapevine.haus/docs, version 2.3.0 of the
//! protocol, of which the flag `channels` is used.

use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use futures_util::{SinkExt as _, StreamExt as _};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_rustls::rustls::crypto::ring;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};
use url::Url;

use super::Speaker;
use super::feed::{FeedReader, NextFeedEvent};
use crate::server::config::{Config, secret};
use crate::session::Secret;
use deepwell_core::world::Channel;
use deepwell_game::{OutsideSpeech, PublicEvent};

/// Maximum time to connect, and to be authenticated.
const CONNECT_TIME: Duration = Duration::from_secs(15);
/// Time without a message after which the connection counts as lost. Grapevine sends a heartbeat every 15 seconds.
const SILENCE: Duration = Duration::from_mins(1);
/// Pause before the second attempt to connect. It doubles with each further one.
const PAUSE: Duration = Duration::from_secs(5);
const PAUSE_MAX: Duration = Duration::from_mins(5);
/// Maximum size of a message in bytes.
const MESSAGE_BYTES: usize = 65_536;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The account of the game on Grapevine, and the channels that are shared.
#[derive(Clone, Debug)]
pub(super) struct Grapevine {
    url: Url,
    client_id: String,
    secret: Secret,
    /// Channel of Grapevine.
    theirs: String,
    /// Channel of the game.
    ours: Channel,
}

/// Message from Grapevine. Fields that are not used are ignored.
#[derive(Debug, Deserialize)]
struct Received {
    event: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    error: String,
    #[serde(default)]
    payload: Value,
}

/// Speech of another game.
#[derive(Debug, Deserialize)]
struct Broadcast {
    channel: String,
    game: String,
    name: String,
    message: String,
}

impl Grapevine {
    /// Returns the connection that is configured, if any.
    pub(super) fn of(config: &Config) -> anyhow::Result<Option<Self>> {
        let grapevine = &config.grapevine;
        let channel = grapevine.channel_of(&config.game.sharing);
        let (Some(path), Some(url), Some(ours), true) =
            (&grapevine.secret_file, &grapevine.url, channel, grapevine.is_on())
        else {
            return Ok(None);
        };
        // The client uses the default provider of the process.
        let _ = ring::default_provider().install_default();
        Ok(Some(Self {
            url: url.clone(),
            client_id: grapevine.client_id.clone(),
            secret: secret::read(path, "grapevine.secret_file")?,
            theirs: grapevine.channel.clone(),
            ours,
        }))
    }

    /// Stays connected until the task is aborted.
    pub(super) async fn run(&self, mut reader: FeedReader, speaker: &Speaker) {
        let mut pause = PAUSE;
        loop {
            match self.connect().await {
                Ok(mut socket) => {
                    tracing::info!(channel = self.theirs, "connected to Grapevine");
                    speaker.metrics.show_grapevine(true);
                    pause = PAUSE;
                    let ended = self.converse(&mut socket, &mut reader, speaker).await;
                    speaker.metrics.show_grapevine(false);
                    if let Err(error) = ended {
                        tracing::warn!("the connection to Grapevine is lost: {error:#}");
                    }
                }
                Err(error) => tracing::warn!("cannot connect to Grapevine: {error:#}"),
            }
            sleep(pause).await;
            pause = (pause * 2).min(PAUSE_MAX);
            // What was said in between would be out of place.
            reader.skip();
        }
    }

    /// Connects and authenticates.
    async fn connect(&self) -> anyhow::Result<Socket> {
        let limits = WebSocketConfig::default()
            .max_message_size(Some(MESSAGE_BYTES))
            .max_frame_size(Some(MESSAGE_BYTES));
        let authenticated = async {
            let (mut socket, _) = connect_async_with_config(self.url.as_str(), Some(limits), true).await?;
            let hello = json!({
                "event": "authenticate",
                "payload": {
                    "client_id": self.client_id,
                    "client_secret": self.secret.0,
                    "supports": ["channels"],
                    "channels": [self.theirs],
                    "version": "2.3.0",
                    "user_agent": concat!("Deepwell ", env!("CARGO_PKG_VERSION")),
                },
            });
            send(&mut socket, &hello).await?;
            loop {
                let Some(received) = receive(&mut socket).await? else { continue };
                match (received.event.as_str(), received.status.as_str()) {
                    ("authenticate", "success") => return Ok(socket),
                    ("authenticate", _) => {
                        bail!("grapevine.client_id and its secret are refused: {}", received.error)
                    }
                    _ => {}
                }
            }
        };
        timeout(CONNECT_TIME, authenticated).await.context("no answer in time")?
    }

    /// Passes on what is said, in both directions, until the connection is lost.
    async fn converse(
        &self,
        socket: &mut Socket,
        reader: &mut FeedReader,
        speaker: &Speaker,
    ) -> anyhow::Result<()> {
        let mut silent_until = Instant::now() + SILENCE;
        loop {
            tokio::select! {
                received = timeout_at(silent_until, receive(socket)) => {
                    let received = received.context("no heartbeat")??;
                    silent_until = Instant::now() + SILENCE;
                    let Some(received) = received else { continue };
                    self.handle(received, socket, speaker).await?;
                }
                next = reader.next() => {
                    if let NextFeedEvent::Event(event) = next
                        && let Some(message) = self.sent(&event.event)
                    {
                        send(socket, &message).await?;
                    }
                }
            }
        }
    }

    async fn handle(&self, received: Received, socket: &mut Socket, speaker: &Speaker) -> anyhow::Result<()> {
        match received.event.as_str() {
            "heartbeat" => send(socket, &json!({ "event": "heartbeat", "payload": { "players": [] } })).await,
            "channels/broadcast" => {
                if let Ok(broadcast) = serde_json::from_value::<Broadcast>(received.payload)
                    && broadcast.channel == self.theirs
                {
                    let Broadcast { game: via, name, message: text, .. } = broadcast;
                    let speech = OutsideSpeech { channel: self.ours.name().to_owned(), name, via, text };
                    if let Err(error) = speaker.say(speech).await {
                        tracing::debug!(%error, "a message of Grapevine was not said");
                    }
                }
                Ok(())
            }
            event => {
                if received.status == "failure" {
                    tracing::warn!(event, error = received.error, "Grapevine refuses a message");
                }
                Ok(())
            }
        }
    }

    /// Returns the message for an event: speech of players of this game on the shared channel.
    fn sent(&self, event: &PublicEvent) -> Option<Value> {
        match event {
            PublicEvent::Speech { channel, name, via: None, text } if *channel == self.ours => Some(json!({
                "event": "channels/send",
                "payload": { "channel": self.theirs, "name": name, "message": text },
            })),
            _ => None,
        }
    }
}

async fn send(socket: &mut Socket, message: &Value) -> anyhow::Result<()> {
    let sent = socket.send(Message::text(message.to_string()));
    Ok(timeout(CONNECT_TIME, sent).await.context("the peer does not read")??)
}

/// Receives a message. Returns `None` for one that is not JSON with an event.
async fn receive(socket: &mut Socket) -> anyhow::Result<Option<Received>> {
    let message = socket.next().await.ok_or_else(|| anyhow!("the peer has closed it"))??;
    match message {
        Message::Text(text) => Ok(serde_json::from_str(&text).ok()),
        Message::Close(frame) => {
            bail!("the peer closes it: {}", frame.map_or(String::new(), |it| it.to_string()))
        }
        _ => Ok(None),
    }
}
