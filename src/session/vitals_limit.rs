//! Rate limit for `Char.Vitals` and `Char.Status`, which change with every blow. Each is sent at most four times a
//! second; the last message sent always has the latest values.

use deepwell_core::base::{GameTime, Span};
use deepwell_game::Data;
use deepwell_game::effect::data::StatusUpdate;
use std::sync::Arc;

/// Shortest time between two messages of one kind.
const PAUSE: Span = Span::millis(250);

/// Delayed messages.
#[derive(Clone, Debug, Default)]
pub(super) struct VitalsLimit {
    vitals: Limited,
    status: Limited,
}

#[derive(Clone, Debug, Default)]
struct Limited {
    /// Earliest time for the next message; `None` if none was sent.
    free_at: Option<GameTime>,
    waiting: Option<Arc<Data>>,
}

impl VitalsLimit {
    /// Returns data that can be sent now; delays data that exceeds the rate limit.
    pub(super) fn pace(&mut self, data: &Arc<Data>, now: GameTime) -> Option<Arc<Data>> {
        match **data {
            Data::CharVitals(_) => self.vitals.pace(data, now),
            Data::CharStatus(_) => self.status.pace(data, now),
            _ => Some(Arc::clone(data)),
        }
    }

    /// Takes the delayed messages that are due.
    pub(super) fn due(&mut self, now: GameTime) -> impl Iterator<Item = Arc<Data>> + use<> {
        [self.vitals.due(now), self.status.due(now)].into_iter().flatten()
    }

    /// Returns the latest time for the next [`VitalsLimit::due`].
    pub(super) fn next_deadline(&self) -> Option<GameTime> {
        let waits = |gauge: &Limited| gauge.waiting.as_ref().and(gauge.free_at);
        [waits(&self.vitals), waits(&self.status)].into_iter().flatten().min()
    }
}

impl Limited {
    fn pace(&mut self, data: &Arc<Data>, now: GameTime) -> Option<Arc<Data>> {
        self.waiting = match self.waiting.take() {
            Some(before) => joined(&before, data),
            None => Some(Arc::clone(data)),
        };
        self.due(now)
    }

    fn due(&mut self, now: GameTime) -> Option<Arc<Data>> {
        if self.free_at.is_some_and(|at| now < at) {
            return None;
        }
        let due = self.waiting.take()?;
        self.free_at = Some(now + PAUSE);
        Some(due)
    }
}

/// Merges two messages of one kind; returns `None` if the second reverts the first.
fn joined(before: &Data, after: &Arc<Data>) -> Option<Arc<Data>> {
    let (Data::CharStatus(before), Data::CharStatus(after_news)) = (before, &**after) else {
        return Some(Arc::clone(after));
    };
    if after_news.sent.is_none() {
        return Some(Arc::clone(after));
    }
    let news = StatusUpdate { now: after_news.now.clone(), sent: before.sent.clone() };
    (news.sent.as_ref() != Some(&news.now)).then(|| Arc::new(Data::CharStatus(Box::new(news))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_game::effect::data::{CharStatus, CharVitals};

    fn status(level: u32, enemypct: u32) -> CharStatus {
        CharStatus {
            level,
            attack: 1,
            defence: 1,
            floor: 0,
            room_clear: true,
            training: 0,
            offer: String::new(),
            party: String::new(),
            pos: "standing".into(),
            gold: 0,
            enemy: String::new(),
            enemypct,
            collapse: 0,
        }
    }

    fn news(sent: Option<CharStatus>, now: CharStatus) -> Arc<Data> {
        Arc::new(Data::CharStatus(Box::new(StatusUpdate { now, sent })))
    }

    fn vitals(hp: i32) -> Arc<Data> {
        let string = format!("HP:{hp}/30");
        Arc::new(Data::CharVitals(CharVitals {
            hp,
            maxhp: 30,
            xp: 0,
            nextxp: 500,
            level: 1,
            might: None,
            string,
        }))
    }

    fn json(data: &Data) -> String {
        serde_json::to_string(data).unwrap()
    }

    #[test]
    fn protocols_6_2_vitals_are_limited_and_end_with_latest() {
        let mut gauges = VitalsLimit::default();
        assert_eq!(gauges.pace(&vitals(30), GameTime(0)), Some(vitals(30)));
        assert_eq!(gauges.next_deadline(), None);
        assert_eq!(gauges.pace(&vitals(20), GameTime(10)), None);
        assert_eq!(gauges.pace(&vitals(10), GameTime(20)), None);
        assert_eq!(gauges.next_deadline(), Some(GameTime(250)));
        assert_eq!(gauges.due(GameTime(249)).next(), None);
        assert_eq!(gauges.due(GameTime(250)).next(), Some(vitals(10)));
        assert_eq!(gauges.due(GameTime(900)).next(), None);
        assert_eq!(gauges.pace(&vitals(9), GameTime(1_000)), Some(vitals(9)), "the pause is over");
    }

    #[test]
    fn delayed_status_changes_are_merged() {
        let mut gauges = VitalsLimit::default();
        let (a, b, c) = (status(1, 0), status(1, 90), status(2, 90));
        let first = gauges.pace(&news(None, a.clone()), GameTime(0)).unwrap();
        assert!(json(&first).contains("\"level\":1"));
        assert_eq!(gauges.pace(&news(Some(a), b.clone()), GameTime(5)), None);
        assert_eq!(gauges.pace(&news(Some(b), c), GameTime(6)), None);
        let both = gauges.due(GameTime(250)).next().unwrap();
        assert_eq!(json(&both), r#"{"level":2,"enemypct":90}"#);
    }

    #[test]
    fn reverted_delayed_change_is_not_sent() {
        let mut gauges = VitalsLimit::default();
        let (a, b) = (status(1, 0), status(1, 90));
        gauges.pace(&news(None, a.clone()), GameTime(0));
        gauges.pace(&news(Some(a.clone()), b.clone()), GameTime(5));
        gauges.pace(&news(Some(b), a), GameTime(6));
        assert_eq!(gauges.next_deadline(), None);
        assert_eq!(gauges.due(GameTime(300)).next(), None);
    }
}
