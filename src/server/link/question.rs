//! Requests of a gateway's web pages and of its operator to the game, as they are carried by the link.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};

use crate::server::question::{Dashboard, Question, Status, WebBuilderRequest, WebLogIn, ask};
use crate::session::Figures;
use deepwell_game::Declined;

/// Maximum time for the game loop to answer. Each page has its own limit, which is not longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A request of a web page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::server) enum Asked {
    /// Status of the game loop.
    Status,
    /// Figures of the server for the staff page.
    Dashboard,
    /// Figures for MSSP crawlers.
    Figures,
    /// Names of the players online.
    Who,
    /// The permanent rooms, as a map file.
    Atlas,
    /// A login to the web builder.
    WebLogIn(WebLogIn),
    /// A request of the web builder.
    WebBuilder(WebBuilderRequest),
}

/// An answer to a web page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::server) enum Answer {
    /// Answer to [`Asked::Status`].
    Status(Box<Status>),
    /// Answer to [`Asked::Dashboard`].
    Dashboard(Box<Dashboard>),
    /// Answer to [`Asked::Figures`].
    Figures(Figures),
    /// Answer to [`Asked::Who`].
    Who(Vec<String>),
    /// Answer to [`Asked::Atlas`].
    Atlas(String),
    /// Answer to [`Asked::WebLogIn`] or [`Asked::WebBuilder`].
    WebBuilder(Result<Vec<String>, Declined>),
}

/// Sender of the answer to a page that waits in the gateway.
#[derive(Debug)]
pub(super) enum Waiting {
    Status(oneshot::Sender<Status>),
    Dashboard(oneshot::Sender<Dashboard>),
    Figures(oneshot::Sender<Figures>),
    Who(oneshot::Sender<Vec<String>>),
    Atlas(oneshot::Sender<String>),
    WebBuilder(oneshot::Sender<Result<Vec<String>, Declined>>),
}

impl Waiting {
    /// Splits a question into the request for the host and the sender of its answer. Returns the question if a gateway
    /// does not pass it on.
    pub(super) fn split(question: Question) -> Result<(Asked, Self), Box<Question>> {
        Ok(match question {
            Question::Status(answer) => (Asked::Status, Self::Status(answer)),
            Question::Dashboard(answer) => (Asked::Dashboard, Self::Dashboard(answer)),
            Question::Figures(answer) => (Asked::Figures, Self::Figures(answer)),
            Question::Who(answer) => (Asked::Who, Self::Who(answer)),
            Question::Atlas(answer) => (Asked::Atlas, Self::Atlas(answer)),
            Question::WebLogIn(login, answer) => (Asked::WebLogIn(login), Self::WebBuilder(answer)),
            Question::WebBuilder(request, answer) => (Asked::WebBuilder(request), Self::WebBuilder(answer)),
            other => return Err(Box::new(other)),
        })
    }

    /// Returns `true` if the page no longer waits.
    pub(super) fn is_closed(&self) -> bool {
        match self {
            Self::Status(answer) => answer.is_closed(),
            Self::Dashboard(answer) => answer.is_closed(),
            Self::Figures(answer) => answer.is_closed(),
            Self::Who(answer) => answer.is_closed(),
            Self::Atlas(answer) => answer.is_closed(),
            Self::WebBuilder(answer) => answer.is_closed(),
        }
    }

    /// Answers the page. An answer of another kind is dropped, which the page takes for no answer.
    pub(super) fn answer(self, answer: Answer) {
        // The page may have stopped waiting.
        match (self, answer) {
            (Self::Status(page), Answer::Status(status)) => _ = page.send(*status),
            (Self::Dashboard(page), Answer::Dashboard(dashboard)) => _ = page.send(*dashboard),
            (Self::Figures(page), Answer::Figures(figures)) => _ = page.send(figures),
            (Self::Who(page), Answer::Who(names)) => _ = page.send(names),
            (Self::Atlas(page), Answer::Atlas(map)) => _ = page.send(map),
            (Self::WebBuilder(page), Answer::WebBuilder(lines)) => _ = page.send(lines),
            _ => {}
        }
    }
}

/// Asks the game loop of the host; `None` if it does not answer in time.
pub(super) async fn ask_game(questions: &mpsc::Sender<Question>, asked: Asked) -> Option<Answer> {
    Some(match asked {
        Asked::Status => Answer::Status(Box::new(ask(questions, Question::Status, PATIENCE).await.ok()?)),
        Asked::Dashboard => {
            Answer::Dashboard(Box::new(ask(questions, Question::Dashboard, PATIENCE).await.ok()?))
        }
        Asked::Figures => Answer::Figures(ask(questions, Question::Figures, PATIENCE).await.ok()?),
        Asked::Who => Answer::Who(ask(questions, Question::Who, PATIENCE).await.ok()?),
        Asked::Atlas => Answer::Atlas(ask(questions, Question::Atlas, PATIENCE).await.ok()?),
        Asked::WebLogIn(login) => {
            let question = |answer| Question::WebLogIn(login, answer);
            Answer::WebBuilder(ask(questions, question, PATIENCE).await.ok()?)
        }
        Asked::WebBuilder(request) => {
            let question = |answer| Question::WebBuilder(request, answer);
            Answer::WebBuilder(ask(questions, question, PATIENCE).await.ok()?)
        }
    })
}
