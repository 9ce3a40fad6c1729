//! Ends a life at one of its awaits: whoever comes to that one, or to any after it, waits for ever.

use std::future::pending;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

#[derive(Clone, Default)]
pub(super) struct Fuse(Arc<State>);

#[derive(Default)]
struct State {
    /// Awaits to come before the last; none if the life does not end at one.
    left: Mutex<Option<u32>>,
    blown: Notify,
}

impl Fuse {
    /// A new life, which ends at its await of this number, from 1.
    pub(super) fn set(&self, last: Option<u32>) {
        *self.0.left.lock().unwrap() = last;
    }

    /// An await.
    pub(super) async fn burn(&self) {
        let goes_on = match &mut *self.0.left.lock().unwrap() {
            None => true,
            Some(left) => {
                *left = left.saturating_sub(1);
                *left > 0
            }
        };
        if !goes_on {
            self.0.blown.notify_one();
            pending::<()>().await;
        }
    }

    /// Waits for the end.
    pub(super) async fn blown(&self) {
        self.0.blown.notified().await;
    }
}
