//! Reading the content again while the game goes on: on a thread of its own, once at a time. What was read goes to the
//! driver, which puts it in force as a whole or tells every mistake.

use tokio::sync::oneshot;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::base::SessionId;
use crate::catalog::Catalog;
use crate::server::config::ServerConfig;
use crate::server::content;

/// What came of it, for the operator: what is in force, or every mistake.
pub type Reloaded = Result<String, Vec<String>>;

/// Whoever awaits the end of a reading.
#[derive(Debug, Default)]
pub(super) struct Askers {
    /// Clients of staff.
    pub(super) sessions: Vec<SessionId>,
    /// Operators at the control socket.
    pub(super) operators: Vec<oneshot::Sender<Reloaded>>,
}

impl Askers {
    fn is_empty(&self) -> bool {
        self.sessions.is_empty() && self.operators.is_empty()
    }

    /// Tells the operators what came of it.
    pub(super) fn answer(self, came: &Reloaded) {
        for operator in self.operators {
            // Whoever asked may have gone.
            let _ = operator.send(came.clone());
        }
    }
}

/// Content that was read, and for whom.
pub(super) struct Loaded {
    pub(super) askers: Askers,
    /// The definitions, or a line for each mistake.
    pub(super) catalog: Result<Catalog, Vec<String>>,
}

/// Reads the content when somebody asks.
#[derive(Debug)]
pub struct Reloader {
    config: ServerConfig,
    reading: Option<JoinHandle<Result<Catalog, Vec<String>>>>,
    /// Who awaits what is being read.
    askers: Askers,
    /// Who asked after that had begun: the files may have changed since.
    next: Askers,
}

impl Reloader {
    /// Reads where these settings say that the content is.
    pub fn new(config: ServerConfig) -> Self {
        Self { config, reading: None, askers: Askers::default(), next: Askers::default() }
    }

    /// Staff who play want the content read.
    pub(super) fn ask(&mut self, session: SessionId) {
        if !self.next.sessions.contains(&session) {
            self.next.sessions.push(session);
        }
        self.begin();
    }

    /// An operator wants the content read.
    pub(super) fn ask_for_operator(&mut self, operator: oneshot::Sender<Reloaded>) {
        self.next.operators.push(operator);
        self.begin();
    }

    /// Whether something is being read.
    pub(super) fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    fn begin(&mut self) {
        if self.reading.is_some() || self.next.is_empty() {
            return;
        }
        self.askers = std::mem::take(&mut self.next);
        let config = self.config.clone();
        self.reading = Some(spawn_blocking(move || content::load(&config).map_err(|error| error.lines())));
    }

    /// Waits for what is being read; for ever if nothing is. Nothing is lost if the wait is given up.
    pub(super) async fn loaded(&mut self) -> Loaded {
        let Some(reading) = self.reading.as_mut() else { return std::future::pending().await };
        let catalog = reading.await.unwrap_or_else(|error| {
            Err(vec![format!("reading the content has failed ({error}); deepwell check may tell why")])
        });
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

    /// Nobody is answered with what was read before they asked, and whoever asks together is answered together.
    #[tokio::test]
    async fn whoever_asks_gets_what_is_read_after_that() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("items/lamp.toml");
        fs::create_dir(folder.path().join("items")).unwrap();
        fs::write(&file, "name = \n").unwrap();
        let config = ServerConfig { content_dir: folder.path().to_owned(), ..ServerConfig::default() };
        let mut reloader = Reloader::new(config);
        assert!(!reloader.is_reading());
        reloader.ask(SessionId(1));
        let (operator, told) = oneshot::channel();
        reloader.ask(SessionId(2));
        reloader.ask(SessionId(2));
        reloader.ask_for_operator(operator);
        let first = reloader.loaded().await;
        assert_eq!(first.askers.sessions, [SessionId(1)]);
        let mistakes = first.catalog.unwrap_err();
        let place = format!("{}:1:", file.display());
        assert!(mistakes.iter().any(|line| line.starts_with(&place)), "{mistakes:?}");
        assert!(reloader.is_reading(), "the others asked after that had begun");
        let second = reloader.loaded().await;
        assert_eq!(second.askers.sessions, [SessionId(2)]);
        second.askers.answer(&Err(mistakes.clone()));
        assert_eq!(told.await.unwrap(), Err(mistakes));
        assert!(!reloader.is_reading());
    }
}
