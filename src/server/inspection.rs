//! Operators who want to know how a client is connected (`control netinfo`). Its session is asked as it is when staff
//! ask in the game, and its answer finds its way back by a number that no client has. What it tells is `session`'s.

use std::collections::BTreeMap;

use tokio::sync::oneshot;

use crate::base::SessionId;
use crate::text::Markup;

/// Where a report goes: its lines, or nothing if there is no such client.
pub type Answer = oneshot::Sender<Option<Vec<String>>>;

/// Reports that operators await.
#[derive(Debug, Default)]
pub(super) struct Inspections {
    asked: u64,
    waiting: BTreeMap<SessionId, Answer>,
}

impl Inspections {
    /// The number of who asks. They count down from the highest, and clients up from 1. Whoever waits no longer, because
    /// a client left before it answered, is forgotten.
    pub(super) fn begin(&mut self, answer: Answer) -> SessionId {
        self.waiting.retain(|_, answer| !answer.is_closed());
        let asker = SessionId(u64::MAX - self.asked);
        self.asked += 1;
        self.waiting.insert(asker, answer);
        asker
    }

    /// Hands a report over, if it was an operator who asked.
    pub(super) fn end(&mut self, asker: SessionId, report: &Markup) -> bool {
        let Some(answer) = self.waiting.remove(&asker) else { return false };
        // Whoever asked may have gone.
        let _ = answer.send(Some(report.text().lines().map(str::to_owned).collect()));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_report_goes_to_who_asked_for_it_and_nobody_is_waited_for_in_vain() {
        let mut inspections = Inspections::default();
        let report = Markup::plain("Transport: telnet\nPrivate: no");
        let (first, mut first_told) = oneshot::channel();
        let (second, second_told) = oneshot::channel();
        let asker = inspections.begin(first);
        let gone = inspections.begin(second);
        assert_ne!(asker, gone);
        assert!(!inspections.end(SessionId(1), &report), "a client asked");
        drop(second_told);
        let (third, _third_told) = oneshot::channel();
        inspections.begin(third);
        assert_eq!(inspections.waiting.len(), 2);
        assert!(inspections.end(asker, &report) && !inspections.end(asker, &report));
        let lines = ["Transport: telnet", "Private: no"].map(str::to_owned).to_vec();
        assert_eq!(first_told.try_recv(), Ok(Some(lines)));
    }
}
