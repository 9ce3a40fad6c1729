//! A host among the others: it follows the log until the lease is free, then leads and renews the lease.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};
use tokio_util::bytes::Bytes;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::engine::{Engine, EngineError};
use super::entry::Lead;
use super::history;
use super::lease::{self, ClusterLease, Watch};
use super::replica::{LocalStore, NotFollowed, Replica};
use super::view::{HostRole, View};
use crate::server::start::lifecycle::generate_number;

/// Number of renewals in a term.
const RENEWALS: u32 = 3;
/// Number of looks at the lease in a term.
const LOOKS: u32 = 12;
/// Key of the record that asks the leader to make way.
const WANTED: &str = "wanted";

/// A host and its cluster.
#[derive(Clone)]
pub(in crate::server) struct ClusterMember<E> {
    pub(super) engine: E,
    /// Description of this host as leader.
    pub(super) own: Lead,
    /// Name under which this process accepts gateways.
    pub(super) link: String,
    /// Time after which a lease that is not renewed is free.
    pub(super) term: Duration,
    pub(super) view: Arc<View>,
    #[cfg(test)]
    pub(super) planted: super::planted::Planted,
}

/// Request to the leader to make way for another host.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Wanted {
    host: String,
}

/// Asks the leader to make way for a host.
pub(super) async fn ask_for_the_lead(engine: &impl Engine, host: &str) -> Result<(), EngineError> {
    let wanted = Wanted { host: host.to_owned() };
    let value = Bytes::from(serde_json::to_vec(&wanted).unwrap_or_default());
    let revision = engine.record(WANTED).await?.map_or(0, |(revision, _)| revision);
    engine.put_record(WANTED, revision, value).await?;
    Ok(())
}

/// Reason why a copy cannot follow the log by itself.
#[derive(Debug, thiserror::Error)]
#[error("this copy needs a snapshot: {0}")]
pub(super) struct NeedsSnapshot(NotFollowed);

impl<E: Engine> ClusterMember<E> {
    /// Follows the log until this host leads.
    ///
    /// # Errors
    /// If the copy must be replaced by a snapshot first.
    pub(super) async fn follow<S: LocalStore>(
        &self,
        replica: &mut Replica<S, E>,
    ) -> Result<Keeper<E>, NeedsSnapshot> {
        let mut watch = Watch::new(self.term);
        #[cfg(test)]
        {
            watch.planted = self.planted;
        }
        let mut next_look = Instant::now();
        loop {
            let problem = match self.step(&mut watch, replica, &mut next_look).await {
                Ok(Some(keeper)) => return Ok(keeper),
                Ok(None) => None,
                Err(
                    why @ (NotFollowed::Engine(EngineError::Purged(_))
                    | NotFollowed::Format
                    | NotFollowed::OtherHistory),
                ) => {
                    return Err(NeedsSnapshot(why));
                }
                Err(error) => Some(error.to_string()),
            };
            self.view.note_problem(problem);
            self.engine.grown().await;
        }
    }

    /// Reads what is new in the log, and looks at the lease from time to time. Returns the lease if this host leads.
    async fn step<S: LocalStore>(
        &self,
        watch: &mut Watch,
        replica: &mut Replica<S, E>,
        next_look: &mut Instant,
    ) -> Result<Option<Keeper<E>>, NotFollowed> {
        replica.catch_up().await?;
        self.view.note_role(HostRole::Standby);
        if Instant::now() < *next_look {
            return Ok(None);
        }
        *next_look = Instant::now() + self.term / LOOKS;
        self.try_to_lead(watch, replica).await
    }

    /// Takes the lease and the log if the lease is free.
    async fn try_to_lead<S: LocalStore>(
        &self,
        watch: &mut Watch,
        replica: &mut Replica<S, E>,
    ) -> Result<Option<Keeper<E>>, NotFollowed> {
        let found = lease::read(&self.engine).await?;
        if let Some((_, lease)) = &found {
            self.view.note_lease(&lease.host);
        }
        let Some(revision) = watch.observe(Instant::now(), found.as_ref(), &self.own.host) else {
            return Ok(None);
        };
        let mine =
            ClusterLease { host: self.own.host.clone(), link: self.link.clone(), ..ClusterLease::default() };
        let Some(revision) = lease::write(&self.engine, revision, &mine).await? else { return Ok(None) };
        let history = replica.history().to_owned();
        let keeper = self.keep(mine, revision, history);
        // Random, so that no two leaderships have the same number.
        let writer = generate_number().map_err(|error| EngineError::Unreachable(error.to_string()))?;
        replica.lead(writer).await?;
        self.view.note_role(HostRole::Leader);
        tracing::info!(host = %self.own.host, "this host leads the world");
        Ok(Some(keeper))
    }

    fn keep(&self, lease: ClusterLease, revision: u64, history: String) -> Keeper<E> {
        let asked = CancellationToken::new();
        let task = tokio::spawn({
            let (member, asked, lease) = (self.clone(), asked.clone(), lease.clone());
            async move { member.renew(&lease, revision, &history, &asked).await }
        });
        Keeper { engine: self.engine.clone(), lease, asked, _task: AbortOnDropHandle::new(task) }
    }

    /// Renews the lease until another host has it, or the log is no longer that of the world of this host.
    async fn renew(
        &self,
        lease: &ClusterLease,
        mut revision: u64,
        own_history: &str,
        asked: &CancellationToken,
    ) {
        loop {
            sleep(self.term / RENEWALS).await;
            match lease::write(&self.engine, revision, lease).await {
                Ok(Some(renewed)) => revision = renewed,
                Ok(None) => match lease::read(&self.engine).await {
                    // A renewal whose answer was lost.
                    Ok(Some((found, written))) if written == *lease => revision = found,
                    Ok(_) => {
                        tracing::error!("another host has taken the lease");
                        self.view.deposed.cancel();
                        return;
                    }
                    Err(_) => {}
                },
                // The next commit finds out what that means, unless there is no log any more.
                Err(error) => {
                    tracing::warn!(%error, "cannot renew the lease");
                    if let Err(error @ EngineError::Empty) = self.engine.read(u64::MAX).await {
                        self.view.note_problem(Some(error.to_string()));
                    }
                }
            }
            if let Ok(Some((_, found))) = history::read(&self.engine).await
                && found.name != own_history
            {
                tracing::error!(host = %found.host, "another host has begun a new history");
                self.view.deposed.cancel();
                return;
            }
            if !asked.is_cancelled()
                && let Ok(Some(host)) = self.wanted().await
            {
                tracing::info!(%host, "making way for another host");
                asked.cancel();
            }
        }
    }

    /// Returns the other host that an operator wants to lead.
    async fn wanted(&self) -> Result<Option<String>, EngineError> {
        let Some((_, value)) = self.engine.record(WANTED).await? else { return Ok(None) };
        let wanted: Wanted = serde_json::from_slice(&value).unwrap_or_default();
        Ok(Some(wanted.host).filter(|host| !host.is_empty() && *host != self.own.host))
    }
}

/// The lease of a host that leads. It is no longer renewed once this is dropped.
pub(in crate::server) struct Keeper<E> {
    engine: E,
    lease: ClusterLease,
    /// Cancelled when an operator wants another host to lead.
    pub(in crate::server) asked: CancellationToken,
    _task: AbortOnDropHandle<()>,
}

impl<E: Engine> Keeper<E> {
    /// Lets another host lead, at best the one that an operator wants. All changes must be in the log.
    pub(in crate::server) async fn release(self) -> Result<(), EngineError> {
        let Self { engine, lease, _task: task, .. } = self;
        drop(task);
        let Some((revision, found)) = lease::read(&engine).await? else { return Ok(()) };
        if found != lease {
            return Ok(());
        }
        let mut successor = String::new();
        if let Some((revision, value)) = engine.record(WANTED).await? {
            successor = serde_json::from_slice::<Wanted>(&value).unwrap_or_default().host;
            let nobody = Bytes::from_static(b"{\"host\":\"\"}");
            engine.put_record(WANTED, revision, nobody).await?;
        }
        let released = ClusterLease { is_released: true, successor, ..lease };
        lease::write(&engine, revision, &released).await?;
        Ok(())
    }
}
