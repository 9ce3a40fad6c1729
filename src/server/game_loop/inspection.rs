//! Pending operator requests that are answered asynchronously: connection details, reported by the client's session,
//! and the game's answer to an operator's command. Each is matched to its answer by a session number that no client
//! has.

use std::collections::BTreeMap;

use tokio::sync::oneshot;

use deepwell_core::base::SessionId;

/// Receiver of the report on a client: its lines, or `None` if the client is not connected.
pub type InspectionSender = oneshot::Sender<Option<Vec<String>>>;

/// Operator requests that wait for an answer.
#[derive(Debug)]
pub(in crate::server) struct WaitingInspections<A> {
    asked: u64,
    waiting: BTreeMap<SessionId, oneshot::Sender<A>>,
}

impl<A> Default for WaitingInspections<A> {
    fn default() -> Self {
        Self { asked: 0, waiting: BTreeMap::new() }
    }
}

impl<A> WaitingInspections<A> {
    /// Registers a request and returns its number. Requests count down from the highest number, clients up from 1.
    /// Drops requests whose asker has stopped waiting, such as when a client left before it answered.
    pub(in crate::server) fn begin(&mut self, answer: oneshot::Sender<A>) -> SessionId {
        self.waiting.retain(|_, answer| !answer.is_closed());
        let asker = SessionId(u64::MAX - self.asked);
        self.asked += 1;
        self.waiting.insert(asker, answer);
        asker
    }

    /// Returns `true` if an operator waits for an answer to this number.
    pub(in crate::server) fn awaits(&self, asker: SessionId) -> bool {
        self.waiting.contains_key(&asker)
    }

    /// Delivers an answer if an operator waits for it.
    pub(in crate::server) fn answer(&mut self, asker: SessionId, answer: A) {
        if let Some(waiting) = self.waiting.remove(&asker) {
            // The operator may have disconnected.
            let _ = waiting.send(answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_reach_their_asker_and_closed_askers_are_dropped() {
        let mut asked = WaitingInspections::default();
        let (first, mut first_told) = oneshot::channel();
        let (second, second_told) = oneshot::channel();
        let number = asked.begin(first);
        let gone = asked.begin(second);
        assert_ne!(number, gone);
        assert!(!asked.awaits(SessionId(1)), "a client asked");
        drop(second_told);
        let (third, _third_told) = oneshot::channel();
        asked.begin(third);
        assert_eq!(asked.waiting.len(), 2);
        assert!(asked.awaits(number));
        asked.answer(number, "telnet");
        assert!(!asked.awaits(number));
        assert_eq!(first_told.try_recv(), Ok("telnet"));
    }
}
