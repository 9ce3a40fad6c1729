//! The settings in force, and their reload: reads file, environment and `--set` again as at the start, and applies the
//! changed settings that need no restart. Content and certificate are reloaded elsewhere.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};
use tokio::sync::{Mutex, watch};

use crate::server::config::{Config, ConfigChanges, ConfigSources};
use crate::server::logging;
use crate::session::{MsspFigures, MsspVariables, SessionConfig};
use deepwell_core::text::Markup;
use deepwell_game::GameConfig;

/// Sources of the settings, to be read again: the file and the `--set` arguments of the command line.
#[derive(Clone, Debug, Default)]
pub struct ConfigOrigins {
    /// File given with `--config`.
    pub file: Option<PathBuf>,
    /// `--set` arguments, in order.
    pub overrides: Vec<String>,
}

/// Settings of the running server.
#[derive(Debug)]
pub struct RunningSettings {
    origins: ConfigOrigins,
    state: Mutex<InForceState>,
    sessions: watch::Sender<Arc<SessionConfig>>,
}

#[derive(Debug)]
struct InForceState {
    /// Settings as they were read, with the changes of later reloads. Others of these need a restart.
    read: Config,
    /// Settings in force: they differ from `read` in limits that were lowered to fit the process.
    in_force: Config,
}

/// Reason why settings were not reloaded: nothing has changed.
#[derive(Debug)]
pub enum NotReloaded {
    /// Mistakes in the settings, one line each.
    Mistakes(Vec<String>),
    /// The game did not take the settings.
    NotApplied,
}

impl RunningSettings {
    /// Creates the state of a start with these settings: as read, and in force.
    pub fn new(origins: ConfigOrigins, read: Config, in_force: Config, sessions: SessionConfig) -> Self {
        let state = Mutex::new(InForceState { read, in_force });
        Self { origins, state, sessions: watch::Sender::new(Arc::new(sessions)) }
    }

    /// Returns the texts and limits for the sessions of new connections.
    pub fn sessions(&self) -> watch::Receiver<Arc<SessionConfig>> {
        self.sessions.subscribe()
    }

    /// Returns the settings in force.
    pub async fn in_force(&self) -> Config {
        self.state.lock().await.in_force.clone()
    }

    /// Returns the names and values of all settings, as they were read at the start and at reloads.
    pub async fn values(&self) -> Value {
        let values = self.state.lock().await.read.values();
        values.into_iter().map(|(name, value)| (name, Value::String(value))).collect::<Map<_, _>>().into()
    }

    /// Returns the variables that crawlers read. A host has no ports for players; those of the settings are told.
    pub async fn listing(&self, figures: MsspFigures) -> MsspVariables {
        let state = self.state.lock().await;
        let ports = Some(self.sessions.borrow().ports).filter(|ports| ports.telnet.is_some());
        state.in_force.listing_variables(ports, figures)
    }

    /// Reads the settings again and applies those that need no restart. `apply` gives changed settings to the game and
    /// returns `true` when they are in force. Reloads run one after the other.
    ///
    /// # Errors
    /// All mistakes in the settings, or the error of `apply`; nothing has changed then.
    pub async fn reload<E: From<NotReloaded>>(
        &self,
        apply: impl AsyncFnOnce(GameConfig) -> Result<bool, E>,
    ) -> Result<ConfigChanges, E> {
        let mut state = self.state.lock().await;
        let new = self.read_again().await?;
        let (mut read, mut in_force) = (state.read.clone(), state.in_force.clone());
        let changes = read.update(&new);
        // `read` now has the old values of settings that need a restart, so it changes only the others.
        in_force.update(&read);
        if in_force.game != state.in_force.game && !apply(in_force.game.clone()).await? {
            return Err(NotReloaded::NotApplied.into());
        }
        if in_force.log != state.in_force.log {
            logging::apply_filter(&in_force.log);
        }
        if !changes.in_force.is_empty() {
            self.sessions.send_modify(|sessions| *sessions = Arc::new(session_config(sessions, &in_force)));
        }
        let ConfigChanges { in_force: applied, need_restart } = &changes;
        for change in applied {
            tracing::info!(%change, "a changed setting is in force");
        }
        for change in need_restart {
            tracing::warn!(%change, "a changed setting needs a restart");
        }
        *state = InForceState { read, in_force };
        Ok(changes)
    }

    /// Reads and checks all sources.
    async fn read_again(&self) -> Result<Config, NotReloaded> {
        let ConfigOrigins { file, overrides } = self.origins.clone();
        let read = tokio::task::spawn_blocking(move || {
            let sources =
                ConfigSources::gather(file.as_deref(), overrides).map_err(|mistake| vec![mistake])?;
            sources.check()
        });
        match read.await {
            Ok(Ok(effective)) => Ok(effective.config),
            Ok(Err(mistakes)) => {
                Err(NotReloaded::Mistakes(mistakes.iter().map(ToString::to_string).collect()))
            }
            Err(panicked) => Err(NotReloaded::Mistakes(vec![panicked.to_string()])),
        }
    }
}

/// Returns the configuration for the sessions of new connections; what depends on ports stays.
fn session_config(before: &SessionConfig, config: &Config) -> SessionConfig {
    SessionConfig {
        limits: config.game.limits.clone(),
        name: config.game.name.clone(),
        welcome: Markup::plain(config.world.welcome.trim_end()),
        listing: config.mssp.clone().with_page(&config.http.public_url),
        ..before.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::fs;

    /// A server that was started with the settings in this file.
    fn running(file: &std::path::Path) -> RunningSettings {
        let read = ConfigSources::gather(Some(file), Vec::new()).unwrap().check().unwrap().config;
        let mut in_force = read.clone();
        in_force.game.limits.connections = 100;
        let origins =
            ConfigOrigins { file: Some(file.to_owned()), overrides: vec!["limits.aliases=7".into()] };
        RunningSettings::new(origins, read, in_force, SessionConfig::default())
    }

    #[tokio::test]
    async fn reload_changes_everything_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deepwell.toml");
        fs::write(&file, "[limits]\naliases = 7\n").unwrap();
        let settings = running(&file);
        let sessions = settings.sessions();
        let applied = RefCell::new(Vec::new());
        let reload = async |works: bool| {
            let apply = async |config| {
                applied.borrow_mut().push(config);
                Ok::<_, NotReloaded>(works)
            };
            settings.reload(apply).await
        };
        assert_eq!(reload(true).await.unwrap(), ConfigChanges::default(), "lowered limits are no change");

        fs::write(&file, "[limits]\nguests = 3\nlogin_tries = 0\nidle = \"soon\"\n").unwrap();
        let Err(NotReloaded::Mistakes(mistakes)) = reload(true).await else { panic!("two mistakes") };
        assert_eq!(mistakes.len(), 2, "{mistakes:?}");
        assert!(mistakes[0].contains("deepwell.toml:3:15: limits.login_tries is 0"), "{mistakes:?}");

        fs::write(
            &file,
            "[world]\nname = \"Else\"\nwelcome = \"Hi.\"\n[auth]\nslots = 2\n[limits]\nguests = 3\n",
        )
        .unwrap();
        assert!(matches!(reload(false).await, Err(NotReloaded::NotApplied)));
        assert!(sessions.borrow().welcome.text().is_empty() && sessions.borrow().limits.guests == 10);

        let changes = reload(true).await.unwrap();
        assert_eq!(changes.in_force.len(), 3, "{changes:?}");
        assert_eq!(changes.need_restart, ["auth.slots = 2, was 1"]);
        assert_eq!(sessions.borrow().name, "Else");
        assert_eq!((sessions.borrow().welcome.text(), sessions.borrow().limits.guests), ("Hi.", 3));
        let game = applied.borrow().last().cloned().unwrap();
        assert_eq!((game.limits.guests, game.limits.connections), (3, 100), "a lowered limit stays so");
        assert_eq!((applied.borrow().len(), game.name.as_str()), (2, "Else"));
    }
}
