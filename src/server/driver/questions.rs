//! Requests of operators, web pages and MSSP crawlers. Some are read from the game, some are played as inputs, and some
//! are answered by a session.

use tokio::sync::oneshot;

use super::Driver;
use crate::base::Span;
use crate::game::{DESK_CLOSED, Declined, Effect, Input};
use crate::server::question::{AtDesk, Question, Status};
use crate::server::recovery::HELD_BACK;
use crate::session::{Delivery, Figures};

/// Time for which figures for crawlers are cached.
const FIGURES_KEPT: Span = Span::secs(10);

impl Driver {
    pub(super) async fn answer(&mut self, question: Question) -> anyhow::Result<()> {
        // The asker may have disconnected.
        match question {
            Question::Status(answer) => _ = answer.send(self.status()),
            Question::Who(answer) => _ = answer.send(self.pipeline.game.players()),
            Question::DumpBranch(branch, answer) => {
                let dump = self.pipeline.game.branch_dump(branch);
                let _ = answer.send(dump.and_then(|dump| serde_json::to_value(dump).ok()));
            }
            Question::Kept(name, answer) => _ = answer.send(self.pipeline.game.kept_of(&name)),
            Question::Atlas(answer) => _ = answer.send(self.pipeline.game.atlas()),
            Question::Inspect(name, answer) => match self.pipeline.game.seat_of(&name) {
                Some((session, name)) => {
                    let asker = self.inspections.begin(answer);
                    let inspect = Effect::Inspect { session, asker, name };
                    self.pipeline.router.deliver(session, Delivery::Effect(inspect));
                }
                None => _ = answer.send(None),
            },
            Question::Line(line, answer) => {
                let asker = self.pipeline.router.operators.begin(answer);
                self.play_input(Input::Operator { asker, line }).await?;
            }
            Question::OperatorCode(account, credential, answer) => {
                let asker = self.pipeline.router.operators.begin(answer);
                let code = Input::OperatorCode { asker, account, credential };
                self.play_input(code).await?;
            }
            Question::Credential(name, answer) => _ = answer.send(self.pipeline.game.credential(&name)),
            Question::Desk(wish, answer) => Box::pin(self.answer_desk(wish, answer)).await?,
            Question::Reload(answer) => self.pipeline.reloader.ask_for_operator(answer),
            Question::OwnerToken(answer) => {
                let _ = answer.send(self.pipeline.game.owner_token().map(str::to_owned));
            }
            Question::Broadcast(text, answer) => {
                self.play_input(Input::Broadcast { text }).await?;
                let _ = answer.send(());
            }
        }
        Ok(())
    }

    /// Handles a request of the web builder after checking its token.
    async fn answer_desk(
        &mut self,
        wish: AtDesk,
        answer: oneshot::Sender<Result<Vec<String>, Declined>>,
    ) -> anyhow::Result<()> {
        let now = self.pipeline.clock.now();
        let holder = |name: &str, token: &str| self.pipeline.game.account_by_builder_token(name, token, now);
        let account = match &wish {
            AtDesk::Open { account, .. } => Some(*account),
            AtDesk::Close { name, token } | AtDesk::Ask { name, token, .. } => holder(name, token),
        };
        let refused = match account {
            None => Some(DESK_CLOSED),
            Some(account) => self.is_held_back(account).then_some(HELD_BACK),
        };
        let (Some(account), None) = (account, refused) else {
            let _ = answer.send(Err(Declined(refused.unwrap_or(DESK_CLOSED).to_owned())));
            return Ok(());
        };
        let asker = self.pipeline.router.operators.begin(answer);
        let input = match wish {
            AtDesk::Open { credential, token, address, .. } => {
                Input::OpenDesk { asker, account, token }.proved(account, &credential).sent_from(address)
            }
            AtDesk::Close { token, .. } => Input::CloseDesk { asker, account, token }.into(),
            AtDesk::Ask { ask, address, .. } => Input::Desk { asker, account, ask }.sent_from(address),
        };
        self.play_input(input).await
    }

    /// Returns the figures for MSSP crawlers, counted at most once in [`FIGURES_KEPT`].
    pub(super) fn figures(&mut self) -> Figures {
        let now = self.pipeline.clock.now();
        if let Some((at, figures)) = self.figures
            && now < at + FIGURES_KEPT
        {
            return figures;
        }
        let (stats, catalog) = (self.pipeline.game.stats(), &self.pipeline.catalog);
        let figures = Figures {
            players: stats.players,
            rooms: stats.rooms,
            areas: catalog.areas.len() as u64 + stats.branches,
            mobiles: catalog.mobs.len() as u64,
            objects: catalog.items.len() as u64,
            help_files: catalog.help.topics().count() as u64,
            started_at: u64::try_from(self.started.0 / 1_000).unwrap_or(0),
        };
        self.figures = Some((now, figures));
        figures
    }

    fn status(&self) -> Status {
        let requests = &self.requests;
        Status {
            problems: self.pipeline.problems(),
            world: self.pipeline.game.stats(),
            connections: self.pipeline.router.len() as u64,
            playing: self.pipeline.router.playing() as u64,
            requests_waiting: requests.len() as u64,
            commits_waiting: self.pipeline.in_flight.len() as u64,
            locked: self.pipeline.game.locks(),
            wal_bytes: self.pipeline.writer.log_bytes(),
            up_secs: u64::try_from(self.pipeline.clock.now().since(self.started).0 / 1_000).unwrap_or(0),
        }
    }
}
