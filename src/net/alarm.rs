//! Timer for select loops in which one event is a moving deadline.

use std::pin::Pin;

use tokio::time::{Instant, Sleep, sleep_until};

/// A timer that is reset only if it would ring too late, because most deadlines only move into the future. It may ring
/// early.
#[derive(Debug, Default)]
pub struct Alarm {
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Alarm {
    /// Waits until `deadline` or less; without a deadline, for ever. Cancel-safe.
    pub async fn ring(&mut self, deadline: Option<Instant>) {
        let Some(deadline) = deadline else { return std::future::pending().await };
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if sleep.deadline() > deadline || sleep.is_elapsed() {
            sleep.as_mut().reset(deadline);
        }
        sleep.as_mut().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn an_alarm_rings_no_later_than_asked() {
        let mut alarm = Alarm::default();
        let start = Instant::now();
        let late = Some(start + Duration::from_mins(1));
        let early = Some(start + Duration::from_secs(5));
        assert!(tokio::time::timeout(Duration::from_secs(1), alarm.ring(late)).await.is_err());
        alarm.ring(early).await;
        assert_eq!(start.elapsed(), Duration::from_secs(5));
        alarm.ring(late).await;
        assert_eq!(start.elapsed(), Duration::from_mins(1));
    }
}
