//! Requests of operators, web pages and MSSP crawlers. Some are read from the game, some are played as inputs, and some
//! are answered by a session.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::sync::oneshot;

use crate::server::access::login;
use crate::server::game_loop::driver::GameDriver;
use crate::server::game_loop::question::{Dashboard, GameQuestion, Status, WebBuilderRequest};
use crate::server::load::busy_rooms::RoomTotal;
use crate::server::load::history::Sample;
use crate::server::load::{Load, RoomLoad};
use crate::session::{Delivery, MsspFigures};
use deepwell_core::base::{RoomId, Span};
use deepwell_core::world::{Role, WorldPart};
use deepwell_game::{Declined, Effect, Input};

/// Time for which figures for crawlers are cached.
const FIGURES_KEPT: Span = Span::secs(10);
/// Maximum number of busy rooms in the load.
const BUSY_ROOMS_TOLD: usize = 50;

impl GameDriver {
    /// Answers a question, if need be after the parts of the world that it is about have woken.
    pub(super) async fn ask(&mut self, question: GameQuestion) -> anyhow::Result<()> {
        let asleep = self.asleep_for(&question);
        if asleep.is_empty() {
            return self.answer(question).await;
        }
        let parts = asleep.iter().copied().collect();
        self.postponed.push((asleep, question));
        self.pipeline.play([Input::WakeParts { parts }]).await
    }

    /// Answers the questions that have waited for this part of the world and no other. It is awake, or cannot be read.
    pub(super) async fn answer_postponed(&mut self, part: WorldPart) -> anyhow::Result<()> {
        self.postponed.iter_mut().for_each(|(asleep, _)| _ = asleep.remove(&part));
        let ready: Vec<_> = self.postponed.extract_if(.., |(asleep, _)| asleep.is_empty()).collect();
        for (_, question) in ready {
            self.answer(question).await?;
        }
        Ok(())
    }

    /// Returns the sleeping parts of the world that a question is about.
    fn asleep_for(&self, question: &GameQuestion) -> BTreeSet<WorldPart> {
        let world = self.pipeline.game().world();
        let mut parts: BTreeSet<WorldPart> = match question {
            GameQuestion::DumpBranch(branch, _) => BTreeSet::from([WorldPart::Branch(*branch)]),
            GameQuestion::Kept(name, _) => {
                let account = self.pipeline.game().credential(name).map(|(account, _)| account);
                let characters = account.into_iter().flat_map(|account| world.characters_of(account));
                let branches = characters.filter_map(|who| world.membership(who)?);
                branches.map(WorldPart::Branch).chain(account.map(WorldPart::Account)).collect()
            }
            _ => BTreeSet::new(),
        };
        parts.retain(|part| world.is_part_asleep(*part));
        parts
    }

    async fn answer(&mut self, question: GameQuestion) -> anyhow::Result<()> {
        // The asker may have disconnected.
        match question {
            GameQuestion::Status(answer) => _ = answer.send(self.status()),
            GameQuestion::Dashboard(answer) => {
                let _ = answer.send(Dashboard::new(self.status(), self.history.clone()));
            }
            GameQuestion::Load(answer) => _ = answer.send(self.load()),
            GameQuestion::Figures(answer) => _ = answer.send(self.refresh_figures()),
            GameQuestion::Who(answer) => _ = answer.send(self.pipeline.game().players()),
            GameQuestion::DumpBranch(branch, answer) => {
                let dump = self.pipeline.game().branch_dump(branch);
                let _ = answer.send(dump.and_then(|dump| serde_json::to_value(dump).ok()));
            }
            GameQuestion::Kept(name, answer) => _ = answer.send(self.pipeline.game().kept_of(&name)),
            GameQuestion::Atlas(answer) => _ = answer.send(self.pipeline.game().atlas()),
            GameQuestion::Inspect(name, answer) => match self.pipeline.game().seat_of(&name) {
                Some((session, name)) => {
                    let asker = self.inspections.begin(answer);
                    let inspect = Effect::Inspect { session, asker, name };
                    self.pipeline.router().deliver(session, Delivery::Effect(inspect));
                }
                None => _ = answer.send(None),
            },
            GameQuestion::Line(line, by, answer) => {
                let line = |asker| Input::Operator { asker, line, by }.into();
                self.pipeline.play_for_operator(answer, line).await?;
            }
            GameQuestion::OperatorCode(account, (credential, by), answer) => {
                let code = |asker| Input::OperatorCode { asker, account, credential, by }.into();
                self.pipeline.play_for_operator(answer, code).await?;
            }
            GameQuestion::Credential(name, answer) => _ = answer.send(self.pipeline.game().credential(&name)),
            GameQuestion::WebLogIn(asked, answer) => {
                let known = self.credential_at(&asked.name, asked.address);
                let (auth, counters) = (Arc::clone(&self.auth), self.metrics.counters.clone());
                let checked =
                    login::log_in_builder(auth, counters, self.channels.web_logins.clone(), known, asked);
                tokio::spawn(async move {
                    // Without an answer the sender is dropped, which the page takes for no answer.
                    if let Some(done) = checked.await {
                        let _ = answer.send(done);
                    }
                });
            }
            GameQuestion::WebBuilder(request, answer) => {
                Box::pin(self.answer_web_builder(request, answer)).await?;
            }
            GameQuestion::Settings(config, answer) => {
                let _ = answer.send(self.pipeline.replace_settings(*config).await?);
            }
            GameQuestion::Reload(answer) => self.pipeline.reload(answer),
            GameQuestion::Owner(answer) => {
                let accounts = &self.pipeline.game().world().accounts;
                let owner = accounts.iter().find(|(_, account)| account.role == Role::Owner);
                let _ = answer.send(owner.map(|(_, account)| account.name.clone()));
            }
            GameQuestion::OwnerToken(answer) => {
                let _ = answer.send(self.pipeline.game().owner_token().map(str::to_owned));
            }
            GameQuestion::Bridge(speech, answer) => {
                self.pipeline
                    .play_for_operator(answer, |asker| Input::Bridge { asker, said: speech }.into())
                    .await?;
            }
            GameQuestion::Broadcast(text, answer) => {
                self.pipeline.play([Input::Broadcast { text }]).await?;
                let _ = answer.send(());
            }
        }
        Ok(())
    }

    /// Handles a request of the web builder after checking its token.
    async fn answer_web_builder(
        &mut self,
        request: WebBuilderRequest,
        answer: oneshot::Sender<Result<Vec<String>, Declined>>,
    ) -> anyhow::Result<()> {
        let account = match &request {
            WebBuilderRequest::LogIn { account, .. } => Some(*account),
            WebBuilderRequest::LogOut { name, token } | WebBuilderRequest::Ask { name, token, .. } => {
                self.pipeline.game().account_by_builder_token(name, token, self.clock.now())
            }
        };
        let refused = account.and_then(|account| self.pipeline.held_back(account));
        let (Some(account), None) = (account, refused) else {
            let reason = refused.map_or(Declined::LoggedOut, |refused| refused.to_owned().into());
            let _ = answer.send(Err(reason));
            return Ok(());
        };
        let input = |asker| match request {
            WebBuilderRequest::LogIn { credential, token, address, page, .. } => {
                Input::OpenWebBuilder { asker, account, token, page }
                    .proved(account, &credential)
                    .sent_from(address)
            }
            WebBuilderRequest::LogOut { token, .. } => {
                Input::CloseWebBuilder { asker, account, token }.into()
            }
            WebBuilderRequest::Ask { ask, address, .. } => {
                Input::WebBuilder { asker, account, ask }.sent_from(address)
            }
        };
        self.pipeline.play_for_operator(answer, input).await
    }

    /// Returns the figures for MSSP crawlers, counted at most once in [`FIGURES_KEPT`].
    pub(super) fn refresh_figures(&mut self) -> MsspFigures {
        let now = self.clock.now();
        if let Some((at, figures)) = self.figures
            && now < at + FIGURES_KEPT
        {
            return figures;
        }
        let (stats, catalog) = (self.pipeline.game().stats(), self.pipeline.game().catalog_of_files());
        let figures = MsspFigures {
            players: stats.players,
            rooms: stats.rooms,
            areas: catalog.areas.len() as u64 + stats.branches,
            mobiles: catalog.creatures.len() as u64,
            objects: catalog.items.len() as u64,
            help_files: catalog.help.topics().count() as u64,
            skills: catalog.abilities.len() as u64,
            quests: catalog.quests.len() as u64,
            started_at: u64::try_from(self.started.0 / 1_000).unwrap_or(0),
        };
        self.figures = Some((now, figures));
        figures
    }

    fn load(&self) -> Load {
        let status = self.status();
        Load {
            up_secs: status.up_secs,
            players: status.world.players,
            connections: status.connections,
            requests_waiting: status.requests_waiting,
            commits_waiting: status.commits_waiting,
            rooms: status.world.rooms,
            branches: status.world.branches,
            causes: self.metrics.loads(),
            busy_rooms: self.busy_rooms(),
        }
    }

    /// Returns the rooms whose steps did the most work. A room that has been deleted has no name.
    fn busy_rooms(&self) -> Vec<RoomLoad> {
        let mut rooms = self.metrics.busy_rooms();
        rooms.sort_by_key(|(room, total)| (Reverse(total.work), *room));
        let world = self.pipeline.game().world();
        let load = |(id, total): (RoomId, RoomTotal)| {
            let room = world.rooms.get(id);
            RoomLoad {
                room: id,
                name: room.map_or_else(String::new, |room| room.sheet.name.clone()),
                area: room.map_or_else(String::new, |room| room.area.clone()),
                steps: total.steps,
                seconds: total.took.as_secs_f64(),
                work: total.work,
            }
        };
        rooms.into_iter().take(BUSY_ROOMS_TOLD).map(load).collect()
    }

    /// Adds a sample to the load of the last hour.
    pub(super) fn sample(&mut self) {
        let requests_waiting = self.channels.requests.len() as u64;
        self.history.note(Sample { requests_waiting, ..self.pipeline.sample() });
    }

    fn status(&self) -> Status {
        Status {
            requests_waiting: self.channels.requests.len() as u64,
            up_secs: u64::try_from(self.clock.now().since(self.started).0 / 1_000).unwrap_or(0),
            ..self.pipeline.status()
        }
    }
}
