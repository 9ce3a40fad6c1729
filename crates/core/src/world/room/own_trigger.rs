//! Triggers of a single creature or item, which run after those of its prototype.

use crate::catalog::Script;
use crate::catalog::script::object_trigger::ObjectEvent;
use serde::{Deserialize, Serialize};

/// Script of one creature or item that runs on an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OwnTrigger {
    /// Event, as it is typed.
    pub on: String,
    /// Lines of its script.
    pub lines: Vec<String>,
}

impl OwnTrigger {
    /// Returns `true` if the trigger is for an event that is meant.
    pub fn is_for<E: ObjectEvent>(&self, is_meant: impl Fn(&E) -> bool) -> bool {
        E::parse(&self.on).is_some_and(|on| is_meant(&on))
    }

    /// Returns the script; `None` if its lines are not a script.
    pub fn script(&self) -> Option<Script> {
        Script::parse(self.lines.iter().map(String::as_str)).ok()
    }
}
