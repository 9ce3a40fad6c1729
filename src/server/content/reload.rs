//! Reads the content again while the game runs: on the blocking pool, one reload at a time. The driver then applies it
//! as a whole or reports all mistakes.

use std::sync::Arc;

use tokio::sync::oneshot;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::server::config::ServerConfig;
use crate::server::content::{self, ContentError};
use deepwell_core::base::SessionId;
use deepwell_core::catalog::Catalog;

/// Result of a reload: a description of the new content, or all mistakes.
pub type Reloaded = Result<String, Arc<ContentError>>;

/// Recipients of the result of a reload.
#[derive(Debug, Default)]
pub(in crate::server) struct ReloadRecipients {
    /// Sessions of staff.
    pub(in crate::server) sessions: Vec<SessionId>,
    /// Operators at the control socket.
    pub(in crate::server) operators: Vec<oneshot::Sender<Reloaded>>,
}

impl ReloadRecipients {
    fn is_empty(&self) -> bool {
        self.sessions.is_empty() && self.operators.is_empty()
    }

    /// Sends the result to the operators.
    pub(in crate::server) fn answer(self, result: &Reloaded) {
        for operator in self.operators {
            // The operator may have disconnected.
            let _ = operator.send(result.clone());
        }
    }
}

/// A finished reload and its askers.
pub(in crate::server) struct Loaded {
    pub(in crate::server) askers: ReloadRecipients,
    /// The definitions, or the reason why they are not used.
    pub(in crate::server) catalog: Result<Catalog, ContentError>,
}

/// Reads the content on request.
#[derive(Debug)]
pub struct Reloader {
    config: ServerConfig,
    reading: Option<JoinHandle<Result<Catalog, ContentError>>>,
    /// Askers of the reload in progress.
    askers: ReloadRecipients,
    /// Askers since that reload began. They need a further one, because the files may have changed.
    next: ReloadRecipients,
}

impl Reloader {
    /// Creates a reloader for the content folder in these settings.
    pub fn new(config: ServerConfig) -> Self {
        Self { config, reading: None, askers: ReloadRecipients::default(), next: ReloadRecipients::default() }
    }

    /// Requests a reload for staff in the game.
    pub(in crate::server) fn ask(&mut self, session: SessionId) {
        if !self.next.sessions.contains(&session) {
            self.next.sessions.push(session);
        }
        self.begin();
    }

    /// Requests a reload for an operator.
    pub(in crate::server) fn ask_for_operator(&mut self, operator: oneshot::Sender<Reloaded>) {
        self.next.operators.push(operator);
        self.begin();
    }

    fn begin(&mut self) {
        if self.reading.is_some() || self.next.is_empty() {
            return;
        }
        self.askers = std::mem::take(&mut self.next);
        let config = self.config.clone();
        self.reading = Some(spawn_blocking(move || content::load(&config)));
    }

    /// Waits for the reload in progress; pends for ever if there is no reload. Cancel-safe.
    pub(in crate::server) async fn loaded(&mut self) -> Loaded {
        let Some(reading) = self.reading.as_mut() else { return std::future::pending().await };
        let catalog = reading.await.unwrap_or_else(|error| Err(error.into()));
        self.reading = None;
        let askers = std::mem::take(&mut self.askers);
        self.begin();
        Loaded { askers, catalog }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Requests are answered with content read after they were made; requests made during a reload share the next one.
    #[tokio::test]
    async fn reload_answers_with_content_read_after_the_request() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("items/lamp.toml");
        fs::create_dir(folder.path().join("items")).unwrap();
        fs::write(&file, "name = \n").unwrap();
        let config = ServerConfig { content_dir: folder.path().to_owned(), ..ServerConfig::default() };
        let mut reloader = Reloader::new(config);
        assert!(reloader.reading.is_none());
        reloader.ask(SessionId(1));
        let (operator, answer) = oneshot::channel();
        reloader.ask(SessionId(2));
        reloader.ask(SessionId(2));
        reloader.ask_for_operator(operator);
        let first = reloader.loaded().await;
        assert_eq!(first.askers.sessions, [SessionId(1)]);
        let mistakes = first.catalog.unwrap_err().lines();
        let place = format!("{}:1:", file.display());
        assert!(mistakes.iter().any(|line| line.starts_with(&place)), "{mistakes:?}");
        assert!(reloader.reading.is_some(), "the others asked after that had begun");
        let second = reloader.loaded().await;
        assert_eq!(second.askers.sessions, [SessionId(2)]);
        second.askers.answer(&second.catalog.map(|_| String::new()).map_err(Arc::new));
        assert_eq!(answer.await.unwrap().unwrap_err().lines(), mistakes);
        assert!(reloader.reading.is_none());
    }
}
