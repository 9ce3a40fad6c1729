//! Operators who await an answer that comes back by another way than a call: how a client is connected, which its session
//! tells, or what the game says to one of their lines. It finds its way back by a number that no client has.

use std::collections::BTreeMap;

use tokio::sync::oneshot;

use crate::base::SessionId;

/// Where the report on a client goes: its lines, or nothing if there is no such client.
pub type Answer = oneshot::Sender<Option<Vec<String>>>;

/// Answers that operators await.
#[derive(Debug)]
pub(super) struct Asked<A> {
    asked: u64,
    waiting: BTreeMap<SessionId, oneshot::Sender<A>>,
}

impl<A> Default for Asked<A> {
    fn default() -> Self {
        Self { asked: 0, waiting: BTreeMap::new() }
    }
}

impl<A> Asked<A> {
    /// The number of who asks. They count down from the highest, and clients up from 1. Whoever waits no longer, because
    /// a client left before it answered, is forgotten.
    pub(super) fn begin(&mut self, answer: oneshot::Sender<A>) -> SessionId {
        self.waiting.retain(|_, answer| !answer.is_closed());
        let asker = SessionId(u64::MAX - self.asked);
        self.asked += 1;
        self.waiting.insert(asker, answer);
        asker
    }

    /// Whether an operator awaits an answer to this number.
    pub(super) fn awaits(&self, asker: SessionId) -> bool {
        self.waiting.contains_key(&asker)
    }

    /// Hands an answer over, if an operator awaits it.
    pub(super) fn answer(&mut self, asker: SessionId, answer: A) {
        if let Some(waiting) = self.waiting.remove(&asker) {
            // Whoever asked may have gone.
            let _ = waiting.send(answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_goes_to_who_asked_for_it_and_nobody_is_waited_for_in_vain() {
        let mut asked = Asked::default();
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
