//! Questions of a gateway's web pages and of its operator to the game, as they are carried by the link.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::server::game_loop::question::{GameQuestion, WebBuilderRequest, WebLogIn, ask};

/// Maximum time for the game loop to answer. Each page has its own limit, which is not longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A page that waits in the gateway.
pub(super) trait WaitingPage: Debug + Send {
    /// Returns `true` if the page no longer waits.
    fn is_closed(&self) -> bool;

    /// Answers the page. An answer that cannot be read is dropped, which the page takes for no answer.
    fn answer(self: Box<Self>, answer: Value);
}

impl<A: DeserializeOwned + Debug + Send> WaitingPage for oneshot::Sender<A> {
    fn is_closed(&self) -> bool {
        Self::is_closed(self)
    }

    fn answer(self: Box<Self>, answer: Value) {
        let answer: Option<BTreeMap<String, A>> = serde_json::from_value(answer).ok();
        if let Some((_kind, answer)) = answer.and_then(|mut answer| answer.pop_first()) {
            // The page may have stopped waiting.
            let _ = self.send(answer);
        }
    }
}

/// Declares the questions that a gateway passes on to its host, each with the kind of its answer on the link.
macro_rules! questions {
    ($($question:ident $(($details:ident: $type:ty))? => $kind:literal,)*) => {
        /// A question to the host.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        pub(in crate::server) enum HostQuestion {
            $($question $(($type))?,)*
        }

        /// Splits a question into the one for the host and the page that waits. Returns `None` if a gateway does not pass
        /// it on.
        pub(super) fn split(question: GameQuestion) -> Option<(HostQuestion, Box<dyn WaitingPage>)> {
            match question {
                $(GameQuestion::$question($($details,)? page) => {
                    Some((HostQuestion::$question $(($details))?, Box::new(page)))
                })*
                _ => None,
            }
        }

        /// Asks the game loop of the host; `None` if it does not answer in time.
        pub(super) async fn ask_game(questions: &mpsc::Sender<GameQuestion>, asked: HostQuestion) -> Option<Value> {
            match asked {
                $(HostQuestion::$question $(($details))? => {
                    let question = |page| GameQuestion::$question($($details,)? page);
                    let answer = ask(questions, question, PATIENCE).await.ok()?;
                    serde_json::to_value(BTreeMap::from([($kind, answer)])).ok()
                })*
            }
        }
    };
}

questions! {
    Status => "Status",
    Dashboard => "Dashboard",
    Figures => "Figures",
    Who => "Who",
    Atlas => "Atlas",
    WebLogIn(login: WebLogIn) => "WebBuilder",
    WebBuilder(request: WebBuilderRequest) => "WebBuilder",
}
