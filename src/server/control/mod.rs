//! Server side of the control socket: one request per connection, one line each way. The socket file is accessible only
//! to the server's user, so there are no further permission checks.

pub mod protocol;
mod error;
mod role;
mod staff_line;

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::net::Clock;
use crate::server::access::password_hashing::{Applicant, Authenticator};
use crate::server::access::passwords;
use crate::server::backups::Backups;
use crate::server::cluster::ClusterHandle;
use crate::server::config::ConfigChanges;
use crate::server::config::in_force::RunningSettings;
use crate::server::control::protocol::{
    ClusterCommand, ControlCommand, ControlRequest, QUERY_TIME, REQUEST_BYTES_MAX, Response,
};
use crate::server::game_loop::question::{GameQuestion, Unanswered, ask};
use crate::server::start::certificate::Certificate;
use crate::server::start::lifecycle::Stopper;
use crate::server::start::service_manager;
use crate::store;
use deepwell_core::base::{BranchId, Span, unicode};

pub use error::ControlError;
pub(in crate::server) use role::{ControlledRole, StandbyStatus, gateway_status};
use staff_line::staff_line;

/// Maximum time to receive a request.
const REQUEST_TIME: Duration = Duration::from_secs(5);
/// Maximum time to send an answer.
const READING_TIME: Duration = Duration::from_secs(30);
/// Maximum time for a request that changes something. Shorter than the timeout of `deepwell control`, so that the
/// operator is told that the work continues.
const WORK_TIME: Duration = Duration::from_mins(5);
const BACK_OFF: Duration = Duration::from_millis(200);

/// State of the command handlers.
#[derive(Clone)]
pub struct Control {
    /// Requests to the game loop.
    pub questions: mpsc::Sender<GameQuestion>,
    /// Path of the database, for backups.
    pub database: PathBuf,
    /// Hashes codes.
    pub auth: Arc<Authenticator>,
    /// Game time.
    pub clock: Clock,
    /// The certificate, for reloads.
    pub certificate: Certificate,
    /// The settings, for reloads.
    pub settings: Arc<RunningSettings>,
    /// Stops the server.
    pub stopper: Stopper,
    /// Role of the process.
    pub(in crate::server) role: ControlledRole,
    /// The cluster, if the host is part of one.
    pub cluster: Option<ClusterHandle>,
    /// Backups.
    pub(in crate::server) backups: Backups,
}

impl Control {
    /// Serves requests until the task is aborted.
    pub async fn serve(self, listener: UnixListener) {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    let control = self.clone();
                    tokio::spawn(async move {
                        if let Err(error) = control.converse(stream).await {
                            tracing::debug!(%error, "a client of the control socket disconnected");
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot accept on the control socket");
                    tokio::time::sleep(BACK_OFF).await;
                }
            }
        }
    }

    async fn converse(&self, mut stream: UnixStream) -> io::Result<()> {
        let (reader, mut writer) = stream.split();
        let mut line = String::new();
        let mut reader = BufReader::new(reader.take(REQUEST_BYTES_MAX));
        let response = match timeout(REQUEST_TIME, reader.read_line(&mut line)).await {
            Ok(read) => {
                read?;
                self.respond(&line).await
            }
            Err(_) => Response::refused("no request received in time"),
        };
        let mut text = serde_json::to_vec(&response)?;
        text.push(b'\n');
        // A client that does not read must not retain the answer and the socket.
        timeout(READING_TIME, writer.write_all(&text)).await??;
        if self.role.is_restarting() {
            // The client waits for the new process: this connection ends with the old one.
            std::future::pending::<()>().await;
        }
        timeout(READING_TIME, writer.shutdown()).await?
    }

    async fn respond(&self, line: &str) -> Response {
        match self.answer(line).await {
            Ok(result) => Response::done(result),
            Err(error) if error.is_open() => Response::unanswered(error.to_string()),
            Err(error) => Response::refused(error.to_string()),
        }
    }

    async fn answer(&self, line: &str) -> Result<Value, ControlError> {
        let request = ControlRequest::parse(line)?;
        let by = request.operator().map(str::to_owned);
        self.carry_out(request.command, by).await
    }

    /// Carries out a command in the name of an operator.
    async fn carry_out(&self, command: ControlCommand, by: Option<String>) -> Result<Value, ControlError> {
        if let Some(answer) = self.role.answer(&self.certificate, &command).await {
            return answer;
        }
        match command {
            ControlCommand::Status => self.status().await,
            ControlCommand::Cluster(order) => self.carry_out_in_cluster(order).await,
            ControlCommand::Top(_) => Ok(serde_json::to_value(self.ask(GameQuestion::Load).await?)?),
            ControlCommand::Listing => self.listing().await,
            ControlCommand::Settings => Ok(self.settings.values().await),
            ControlCommand::Who => Ok(json!(self.ask(GameQuestion::Who).await?)),
            ControlCommand::Broadcast { text } => {
                let text = one_line(&text.join(" "));
                if text.is_empty() {
                    return Err(ControlError::NothingToSay);
                }
                self.work(|answer| GameQuestion::Broadcast(text, answer)).await?;
                Ok(Value::Null)
            }
            ControlCommand::Netinfo { name } => {
                let asked = name.clone();
                let lines = self.ask(|answer| GameQuestion::Inspect(asked, answer)).await?;
                lines.map(|lines| json!(lines)).ok_or(ControlError::NobodyCalled(name))
            }
            ControlCommand::DumpBranch { id } => {
                let branch = BranchId(id);
                let dump = self.ask(|answer| GameQuestion::DumpBranch(branch, answer)).await?;
                dump.ok_or(ControlError::NoBranch(branch))
            }
            ControlCommand::Export { name } => self.export(name).await,
            ControlCommand::OwnerToken => {
                let token = self.work(GameQuestion::OwnerToken).await?;
                token.map(Value::String).ok_or(ControlError::Owned)
            }
            ControlCommand::Recover { name: Some(name), .. } => {
                self.recover(name, by).await.map(Value::String)
            }
            ControlCommand::Recover { name: None, .. } => self.recover_owner(by).await,
            ControlCommand::Time => Ok(json!({
                "game": self.clock.now().utc_to_second(),
                "machine": (self.clock.now() + Span(self.clock.drift())).utc_to_second(),
                "ahead_secs": self.clock.drift() / 1_000,
            })),
            ControlCommand::Backup { file } => self.back_up(file).await,
            ControlCommand::Reload => self.reload().await,
            ControlCommand::Restart => self.role.restart().await.map(|()| Value::Null),
            ControlCommand::Stop { after } => {
                self.stopper.stop_in(after);
                Ok(Value::Null)
            }
            staff => {
                let line = one_line(&staff_line(&staff).unwrap_or_default());
                Ok(json!(self.work(|answer| GameQuestion::Line(line, by, answer)).await??))
            }
        }
    }

    async fn status(&self) -> Result<Value, ControlError> {
        let mut status = self.ask(GameQuestion::Status).await?;
        status.cluster = self.cluster.as_ref().map(ClusterHandle::status);
        self.backups.note_in(&mut status);
        self.certificate.note_in(&mut status);
        Ok(serde_json::to_value(status)?)
    }

    /// Makes a backup, in the folder for backups unless a file is named. It uses its own connection, so the game
    /// continues.
    async fn back_up(&self, path: Option<PathBuf>) -> Result<Value, ControlError> {
        let Some(path) = path else {
            let file = self.backups.make().await?;
            return Ok(json!({ "file": file }));
        };
        if !path.is_absolute() {
            return Err(ControlError::NotAbsolute(path));
        }
        store::backup_beside_world(&self.database, &path).await.map_err(ControlError::Backup)?;
        Ok(Value::Null)
    }

    async fn carry_out_in_cluster(&self, order: ClusterCommand) -> Result<Value, ControlError> {
        let cluster = self.cluster.as_ref().ok_or(ControlError::NoCluster)?;
        let done = match order {
            ClusterCommand::Status => {
                cluster.hosts().await.and_then(|hosts| Ok(serde_json::to_value(hosts)?))
            }
            ClusterCommand::Promote => cluster.promote().await.map(|()| Value::Null),
            ClusterCommand::Remove { host } => cluster.remove(&host).await.map(|()| Value::Null),
        };
        done.map_err(|error| ControlError::Cluster(format!("{error:#}")))
    }

    /// Returns all stored data about a player.
    async fn export(&self, name: String) -> Result<Value, ControlError> {
        let asked = name.clone();
        let kept = self.ask(|answer| GameQuestion::Kept(asked, answer)).await?;
        let (person, mut tables) = kept?.ok_or(ControlError::NoAccount(name))?;
        let ledger = store::ledger_of(&self.database, &person.bodies).await;
        tables.insert("ledger".into(), serde_json::to_value(ledger.map_err(ControlError::Ledger)?)?);
        Ok(Value::Object(tables))
    }

    /// Returns the variables that MUD crawlers read.
    async fn listing(&self) -> Result<Value, ControlError> {
        let figures = self.ask(GameQuestion::Figures).await?;
        let variables = self.settings.listing(figures).await;
        Ok(variables.iter().map(|(name, values)| json!({ "name": name, "values": values })).collect())
    }

    /// Creates a one-time code for the owner, and tells the name of that account.
    async fn recover_owner(&self, by: Option<String>) -> Result<Value, ControlError> {
        let name = self.ask(GameQuestion::Owner).await?.ok_or(ControlError::Unclaimed)?;
        let code = self.recover(name.clone(), by).await?;
        Ok(json!({ "name": name, "code": code }))
    }

    /// Creates a one-time code for any account, including the owner's: access to the socket implies full permissions.
    async fn recover(&self, name: String, by: Option<String>) -> Result<String, ControlError> {
        let asked = name.clone();
        let known = self.ask(|answer| GameQuestion::Credential(asked, answer)).await?;
        let (account, _) = known.ok_or(ControlError::NoAccount(name))?;
        let operator = Applicant::from(IpAddr::from(Ipv4Addr::LOCALHOST));
        let (code, credential) = passwords::new_hashed_code(&self.auth, operator)
            .await
            .map_err(|denied| ControlError::NoCode(denied.sentence()))?;
        self.work(|answer| GameQuestion::OperatorCode(account, (credential, by), answer)).await??;
        Ok(code.0.clone())
    }

    /// Reloads settings, content and certificate independently; a mistake in one does not block the others. A gateway has
    /// no content, and its settings are those of its sessions.
    async fn reload(&self) -> Result<Value, ControlError> {
        let _reported = service_manager::Reload::begin();
        let has_game = !matches!(self.role, ControlledRole::Gateway(_));
        let apply = async |config| {
            if !has_game {
                return Ok(true);
            }
            self.work(|answer| GameQuestion::Settings(Box::new(config), answer)).await
        };
        let (changes, mut mistakes) = match self.settings.reload(apply).await {
            Ok(changes) => {
                let auth = self.settings.in_force().await.auth;
                self.auth.set_limits(auth.guesses_per_minute, auth.accounts_per_hour);
                (changes, Vec::new())
            }
            Err(ControlError::Reload(mistakes)) => (ConfigChanges::default(), mistakes),
            Err(error) => return Err(error),
        };
        let content = if has_game {
            self.work(GameQuestion::Reload).await?
        } else {
            Ok("The content is at the host.".into())
        };
        let certificate =
            if self.certificate.identity().is_some() { self.certificate.reload().await } else { Ok(()) };
        let summary = content.unwrap_or_else(|error| {
            mistakes.extend(error.lines());
            String::new()
        });
        mistakes.extend(certificate.err().map(|error| error.to_string()));
        if !mistakes.is_empty() {
            return Err(ControlError::Reload(mistakes));
        }
        Ok(json!({ "content": summary, "settings": changes }))
    }

    async fn ask<T>(
        &self,
        question: impl FnOnce(oneshot::Sender<T>) -> GameQuestion,
    ) -> Result<T, ControlError> {
        let asked = ask(&self.questions, question, QUERY_TIME).await;
        asked.map_err(|why| match (why, &self.role) {
            (Unanswered::Ended, ControlledRole::Gateway(_)) => ControlError::NoHost,
            _ => unanswered(why, ControlError::NoAnswer(QUERY_TIME)),
        })
    }

    /// Sends a request that changes something and waits for its completion.
    async fn work<T>(
        &self,
        question: impl FnOnce(oneshot::Sender<T>) -> GameQuestion,
    ) -> Result<T, ControlError> {
        let done = ask(&self.questions, question, WORK_TIME).await;
        done.map_err(|why| unanswered(why, ControlError::Unfinished(WORK_TIME)))
    }
}

fn unanswered(why: Unanswered, late: ControlError) -> ControlError {
    if why == Unanswered::Late { late } else { ControlError::Gone }
}

/// Replaces control characters by spaces and trims the text.
fn one_line(text: &str) -> String {
    unicode::clean(text).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::GameTime;
    use tokio_util::sync::CancellationToken;

    use crate::server::config::Config;
    use crate::server::config::in_force::ConfigOrigins;
    use crate::server::control::protocol::{NoResult, every_command, typed};
    use crate::session::SessionConfig;

    fn settings() -> Arc<RunningSettings> {
        let (read, in_force) = <(Config, Config)>::default();
        Arc::new(RunningSettings::new(ConfigOrigins::default(), read, in_force, SessionConfig::default()))
    }

    fn control(database: PathBuf, questions: mpsc::Sender<GameQuestion>) -> Control {
        let clock = Clock::start_at(GameTime(0));
        Control {
            auth: Authenticator::weak(),
            clock,
            stopper: Stopper::new(CancellationToken::new(), questions.clone()),
            questions,
            database,
            certificate: Certificate::load(None).unwrap(),
            settings: settings(),
            role: ControlledRole::Serve,
            cluster: None,
            backups: Backups::off(clock),
        }
    }

    #[tokio::test]
    async fn o5_backup_does_not_wait_for_game_or_writer() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("world.db");
        let running = store::Store::open(&database).await.unwrap();
        let (questions, _nobody_answers) = mpsc::channel(1);
        let copy = folder.path().join("copy.db");
        let backup = ControlCommand::Backup { file: Some(copy.clone()) };
        assert_eq!(control(database, questions).carry_out(backup, None).await.unwrap(), Value::Null);
        assert_eq!(store::check(&copy).await.unwrap(), Vec::<String>::new());
        running.close().await.unwrap();
    }

    /// The paused test clock advances automatically while all tasks are idle.
    #[tokio::test(start_paused = true)]
    async fn timed_out_work_is_unanswered_not_refused() {
        let (questions, _driver) = mpsc::channel(1);
        let control = control(PathBuf::new(), questions);
        let request = ControlRequest::new(typed(&["zone", "import", "mill"]).unwrap(), None);
        let response = control.respond(&json!(request).to_string()).await;
        let message = "no answer from the server within 300 s; the work continues".to_owned();
        assert_eq!(response.into_result(), Err(NoResult::Unanswered(message)));
    }

    /// A command that neither the server nor the game carries out would be sent to the game as an empty line.
    #[tokio::test]
    async fn every_command_is_carried_out() {
        let (questions, mut asked) = mpsc::channel(1);
        let control = control(PathBuf::from("/nonexistent/world.db"), questions);
        let game = tokio::spawn(async move {
            while let Some(question) = asked.recv().await {
                assert!(!matches!(&question, GameQuestion::Line(line, ..) if line.is_empty()));
            }
        });
        for command in every_command() {
            let name = format!("{command:?}");
            let _ = control.carry_out(command, None).await;
            assert!(!game.is_finished(), "{name}");
        }
    }

    #[test]
    fn t1_broadcast_text_is_one_clean_line() {
        assert_eq!(one_line(" mind\r\nthe \u{1b}[31mgap\u{7}\n"), "mind  the [31mgap");
    }
}
