//! The engine: NATS `JetStream`. A stream is the log, a key-value bucket has the records, an object store the snapshots.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use async_nats::jetstream::context::{ContextBuilder, PublishErrorKind};
use async_nats::jetstream::kv::{self, CreateErrorKind, Operation, UpdateErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, Stream};
use async_nats::jetstream::{Context, Error as Refused, ErrorCode};
use async_nats::{Client, ConnectOptions, ServerAddr};
use futures_util::future::BoxFuture;
use futures_util::{StreamExt as _, TryStreamExt as _};
use percent_encoding::percent_decode_str;
use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::{sleep, timeout};
use tokio_util::bytes::Bytes;

use super::engine::{AppendError, Engine, EngineError, LogParts};
use super::entry::LogMessagePart;
use super::handle::Directory;
use super::view::HostRecord;
use super::{history, member};
use crate::server::config::{ClusterConfig, secret};

/// Maximum time for the server to answer; less than the term of a lease, so that a leader learns in time that it cannot
/// write.
pub(super) const ANSWER: Duration = Duration::from_millis(1_200);
/// Maximum time without anything new while a list or a snapshot is read. The library itself waits without end if the
/// server that sends it is lost.
const STALL: Duration = Duration::from_secs(5);
/// Time between two looks at the end of the log.
const LOOK: Duration = Duration::from_millis(40);
/// Maximum number of parts read at once.
const READ_MAX: u64 = 512;
/// Number of parts requested at the same time.
const READ_AHEAD: usize = 32;
/// Maximum length of a part; less than the default limit of a NATS message.
const PART_BYTES_MAX: usize = 512 << 10;
/// Bytes of a message that headers may take.
const HEADER_BYTES: usize = 1 << 10;
/// Number of messages of the log that the client may have sent without an answer.
const UNANSWERED_MAX: usize = 64;
/// Header of the messages that are parts of entries.
const MARK: &str = "Deepwell-Part";
/// Prefix of the keys of hosts.
const HOSTS: &str = "hosts.";

/// Connection to the engine.
#[derive(Clone)]
pub(in crate::server) struct Nats {
    pub(super) client: Client,
    context: Context,
    pub(super) world: Arc<str>,
    stream: Stream,
    records: kv::Store,
    snapshots: ObjectStore,
}

/// Connects to the servers in the settings; waits until one answers.
pub(super) async fn connect(config: &ClusterConfig, name: &str) -> anyhow::Result<Client> {
    let mut options = ConnectOptions::new()
        .name(format!("deepwell {name}"))
        .connection_timeout(ANSWER)
        .request_timeout(Some(ANSWER))
        .ping_interval(Duration::from_secs(1))
        .reconnect_delay_callback(|tries| {
            Duration::from_millis(50 * u64::try_from(tries.min(10)).unwrap_or(10))
        })
        .max_reconnects(None)
        .event_callback(async |event| tracing::debug!(%event, "NATS"));
    if let Some(file) = &config.ca {
        options = options.add_root_certificates(file.clone());
    }
    let read = |address: &str| address.parse::<ServerAddr>().context("cluster.nats: cannot read");
    let addresses = || config.nats.split(',').map(str::trim);
    let named = addresses().map(read).collect::<anyhow::Result<Vec<ServerAddr>>>()?;
    // The library logs the addresses of servers with their passwords.
    let servers = addresses().map(|address| read(&without_user(address)));
    let servers = servers.collect::<anyhow::Result<Vec<ServerAddr>>>()?;
    let file = config.nats_password_file.as_ref();
    let secret = file.map(|path| secret::read(path, "cluster.nats_password_file")).transpose()?;
    // The library does not read them from the addresses, and the addresses that servers announce have none.
    let user = named.iter().find_map(|server| Some((server.username()?, server.password())));
    options = match (user, secret) {
        (Some((user, _)), Some(secret)) => options.user_and_password(unescape(user)?, secret.0.clone()),
        (Some((user, Some(password))), None) => {
            options.user_and_password(unescape(user)?, unescape(password)?)
        }
        (Some((token, None)), None) => options.token(unescape(token)?),
        (None, Some(token)) => options.token(token.0.clone()),
        (None, None) => options,
    };
    let client = options.connect(servers).await.context("cluster.nats: cannot connect")?;
    if !client.server_info().auth_required {
        tracing::warn!(
            "NATS accepts clients without a password: everyone who reaches it can change the world"
        );
    }
    Ok(client)
}

/// Returns an address without user and password.
fn without_user(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("nats", address));
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    format!("{scheme}://{host}")
}

/// Decodes the bytes that an address has as `%` and two digits.
fn unescape(text: &str) -> anyhow::Result<String> {
    let decoded = percent_decode_str(text).decode_utf8();
    Ok(decoded.context("cluster.nats: user or password is not UTF-8")?.into_owned())
}

fn unreachable(error: impl std::fmt::Display) -> EngineError {
    EngineError::Unreachable(format!("NATS does not answer: {error}"))
}

/// Returns the reason for a request that failed: a stream that does not exist is lost.
fn failed(error: impl std::error::Error) -> EngineError {
    let answer = error.source().and_then(|source| source.downcast_ref::<Refused>());
    if answer.is_some_and(|answer| answer.error_code() == ErrorCode::STREAM_NOT_FOUND) {
        return EngineError::Empty;
    }
    unreachable(error)
}

impl Nats {
    /// Opens the stream and the buckets of the world, and creates those that are missing.
    pub(in crate::server) async fn open(client: Client, config: &ClusterConfig) -> anyhow::Result<Self> {
        let context =
            ContextBuilder::new().timeout(ANSWER).max_ack_inflight(UNANSWERED_MAX).build(client.clone());
        let world = &config.world;
        let replicas = usize::try_from(config.replicas)?;
        let log = stream::Config {
            name: format!("deepwell-{world}"),
            subjects: vec![format!("deepwell.{world}.log")],
            num_replicas: replicas,
            discard: DiscardPolicy::New,
            description: Some("log of a Deepwell world".to_owned()),
            ..stream::Config::default()
        };
        let stream = context.get_or_create_stream(log).await.context("cannot open the log")?;
        let bucket = format!("deepwell-{world}");
        // A bucket is a stream. The library's own call needs a server of version 2.10.
        let records = stream::Config {
            name: format!("KV_{bucket}"),
            subjects: vec![format!("$KV.{bucket}.>")],
            num_replicas: replicas,
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            allow_rollup: true,
            deny_delete: true,
            description: Some("records of a Deepwell world".to_owned()),
            ..stream::Config::default()
        };
        context.get_or_create_stream(records).await.context("cannot open the records")?;
        let records = context.get_key_value(&bucket).await.context("cannot open the records")?;
        let snapshots = match context.get_object_store(&bucket).await {
            Ok(snapshots) => snapshots,
            Err(_) => context
                .create_object_store(object_store::Config {
                    bucket,
                    num_replicas: replicas,
                    ..object_store::Config::default()
                })
                .await
                .context("cannot create the store of snapshots")?,
        };
        Ok(Self { client, context, world: world.as_str().into(), stream, records, snapshots })
    }

    /// Opens the stream and the buckets of the world, and creates nothing.
    pub(super) async fn find(client: Client, config: &ClusterConfig) -> anyhow::Result<Self> {
        let context = ContextBuilder::new().timeout(ANSWER).build(client.clone());
        let (world, bucket) = (&config.world, format!("deepwell-{}", config.world));
        let missing = || format!("NATS has no world \"{world}\" (cluster.world)");
        let stream = context.get_stream(&bucket).await.with_context(missing)?;
        let records = context.get_key_value(&bucket).await.with_context(missing)?;
        let snapshots = context.get_object_store(&bucket).await.with_context(missing)?;
        Ok(Self { client, context, world: world.as_str().into(), stream, records, snapshots })
    }

    /// Uploads a file as a snapshot.
    pub(super) async fn upload(&self, name: &str, file: &Path) -> anyhow::Result<()> {
        let mut data = File::open(file).await?;
        self.snapshots.put(name, &mut data).await.context("cannot upload the snapshot")?;
        Ok(())
    }

    /// Downloads a snapshot to a new file, which only the server's user can read.
    pub(super) async fn download(&self, name: &str, file: &PathBuf) -> anyhow::Result<()> {
        let mut options = tokio::fs::OpenOptions::new();
        let mut copy = options.write(true).create_new(true).mode(0o600).open(file).await?;
        // Its reader checks the digest of the whole object at the end.
        let mut data = self.snapshots.get(name).await.context("cannot download the snapshot")?;
        let mut buffer = vec![0; PART_BYTES_MAX];
        loop {
            let read = timeout(STALL, data.read(&mut buffer)).await.map_err(unreachable)?;
            let count = read.context("cannot download the snapshot")?;
            if count == 0 {
                break;
            }
            copy.write_all(&buffer[..count]).await?;
        }
        copy.flush().await?;
        Ok(copy.sync_all().await?)
    }

    /// Removes all snapshots but one, and the entries of the log up to `sequence`.
    pub(super) async fn forget(&self, kept: &str, sequence: u64) -> anyhow::Result<()> {
        let listed = async { anyhow::Ok(self.snapshots.list().await?.try_collect::<Vec<_>>().await?) };
        let snapshots = timeout(STALL, listed).await.map_err(unreachable)??;
        for snapshot in snapshots {
            if snapshot.name != kept {
                self.snapshots.delete(&snapshot.name).await?;
            }
        }
        Ok(self.purge_before(sequence + 1).await?)
    }

    /// Returns the revision of the record of a host.
    pub(super) async fn revision_of_host(&self, host: &str) -> Result<Option<u64>, EngineError> {
        Ok(self.record(&format!("{HOSTS}{host}")).await?.map(|(revision, _)| revision))
    }

    async fn list_hosts(&self) -> anyhow::Result<BTreeMap<String, (HostRecord, i64)>> {
        let mut found = Vec::new();
        let mut keys = self.records.keys().await?;
        while let Some(key) = keys.try_next().await? {
            let Some(host) = key.strip_prefix(HOSTS) else { continue };
            let entry = self.records.entry(key.as_str()).await?;
            let Some(entry) = entry.filter(|entry| entry.operation == Operation::Put) else { continue };
            let record: HostRecord = serde_json::from_slice(&entry.value).unwrap_or_default();
            let millis = i64::try_from(entry.created.unix_timestamp_nanos() / 1_000_000).unwrap_or(0);
            found.push((host.to_owned(), record, millis));
        }
        let newest = found.iter().map(|(.., millis)| *millis).max().unwrap_or(0);
        let aged = found.into_iter().map(|(host, record, millis)| (host, (record, newest - millis)));
        Ok(aged.collect())
    }

    /// Writes the record of this host.
    pub(super) async fn announce(&self, host: &str, record: &HostRecord) -> Result<(), EngineError> {
        let value = serde_json::to_vec(record).map_err(unreachable)?;
        self.records.put(format!("{HOSTS}{host}"), value.into()).await.map_err(unreachable)?;
        Ok(())
    }
}

impl Directory for Nats {
    fn hosts(&self) -> BoxFuture<'_, anyhow::Result<BTreeMap<String, (HostRecord, i64)>>> {
        Box::pin(async { timeout(STALL, self.list_hosts()).await.map_err(unreachable)? })
    }

    fn history(&self) -> BoxFuture<'_, anyhow::Result<String>> {
        Box::pin(async {
            let found = history::read(self).await?;
            Ok(found.map(|(_, history)| history.name).unwrap_or_default())
        })
    }

    fn promote(&self, host: &str) -> BoxFuture<'_, anyhow::Result<()>> {
        let host = host.to_owned();
        Box::pin(async move { Ok(member::ask_for_the_lead(self, &host).await?) })
    }

    fn remove(&self, host: &str) -> BoxFuture<'_, anyhow::Result<()>> {
        let key = format!("{HOSTS}{host}");
        Box::pin(async move { Ok(self.records.purge(key).await?) })
    }
}

impl Engine for Nats {
    async fn append(&self, end: u64, part: Bytes) -> Result<u64, AppendError> {
        let message = PublishMessage::build().payload(part).header(MARK, "1").expected_last_sequence(end);
        let subject = format!("deepwell.{}.log", self.world);
        let sent = async { self.context.send_publish(subject, message).await?.await };
        match timeout(ANSWER, sent).await {
            Ok(Ok(answer)) => Ok(answer.sequence),
            Ok(Err(error)) if error.kind() == PublishErrorKind::WrongLastSequence => {
                Err(AppendError::Elsewhere)
            }
            Ok(Err(error)) if error.kind() == PublishErrorKind::StreamNotFound => {
                Err(EngineError::Empty.into())
            }
            Ok(Err(error)) => Err(unreachable(error).into()),
            Err(late) => Err(unreachable(late).into()),
        }
    }

    async fn read(&self, after: u64) -> Result<LogParts, EngineError> {
        let state = self.stream.get_info().await.map_err(failed)?.state;
        let end = state.last_sequence;
        if end <= after {
            return Ok(LogParts { parts: Vec::new(), end });
        }
        if state.first_sequence > after + 1 {
            return Err(EngineError::Purged(after));
        }
        let wanted = after + 1..=end.min(after + READ_MAX);
        let messages =
            futures_util::stream::iter(wanted).map(|sequence| self.stream.get_raw_message(sequence));
        let messages: Vec<_> = messages.buffered(READ_AHEAD).try_collect().await.map_err(unreachable)?;
        let parts = messages.into_iter().map(|message| {
            let is_marked = message.headers.get(MARK).is_some();
            (message.sequence, LogMessagePart { bytes: message.payload, is_marked })
        });
        Ok(LogParts { parts: parts.collect(), end })
    }

    async fn grown(&self) {
        sleep(LOOK).await;
    }

    async fn purge_before(&self, sequence: u64) -> Result<(), EngineError> {
        // A purge up to the first entry would be one of all entries.
        if sequence > 1 {
            self.stream.purge().sequence(sequence).await.map_err(unreachable)?;
        }
        Ok(())
    }

    async fn record(&self, key: &str) -> Result<Option<(u64, Bytes)>, EngineError> {
        let entry = self.records.entry(key).await.map_err(unreachable)?;
        let entry = entry.filter(|entry| entry.operation == Operation::Put);
        Ok(entry.map(|entry| (entry.revision, entry.value)))
    }

    async fn put_record(&self, key: &str, revision: u64, value: Bytes) -> Result<Option<u64>, EngineError> {
        if revision == 0 {
            return match self.records.create(key, value).await {
                Ok(revision) => Ok(Some(revision)),
                Err(error) if error.kind() == CreateErrorKind::AlreadyExists => Ok(None),
                Err(error) => Err(unreachable(error)),
            };
        }
        match self.records.update(key, value, revision).await {
            Ok(revision) => Ok(Some(revision)),
            Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => Ok(None),
            Err(error) => Err(unreachable(error)),
        }
    }

    fn part_bytes(&self) -> usize {
        self.client.max_payload().saturating_sub(HEADER_BYTES).clamp(HEADER_BYTES, PART_BYTES_MAX)
    }
}
