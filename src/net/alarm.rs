//! A timer for loops that wait for many things, one of which is a deadline that keeps moving.

use std::pin::Pin;

use tokio::time::{Instant, Sleep, sleep_until};

/// A timer that is moved only when it would ring too late: most deadlines only ever recede. It may ring early.
#[derive(Debug, Default)]
pub struct Alarm {
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Alarm {
    /// Waits until `deadline` at the latest; for ever without one. Safe to cancel.
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
