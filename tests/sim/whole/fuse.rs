//! Ends a life at a chosen await: the task waits there forever, as does every later await.

use std::future::pending;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

#[derive(Clone, Default)]
pub(super) struct Fuse(Arc<State>);

#[derive(Default)]
struct State {
    /// Number of awaits left; `None` if the life does not end at an await.
    left: Mutex<Option<u32>>,
    blown: Notify,
}

impl Fuse {
    /// Starts a life that ends at its await of this number, counted from 1.
    pub(super) fn set(&self, last: Option<u32>) {
        *self.0.left.lock().unwrap() = last;
    }

    /// Marks an await point.
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

    /// Waits for the end of the life.
    pub(super) async fn blown(&self) {
        self.0.blown.notified().await;
    }
}
