//! Knowledge of a state that changes command by command, and the states possible because answers were lost.

use super::Scene;
use crate::client::{Client, Gone};
use deepwell::world::Snapshot;
use std::fmt::Debug;

/// Acknowledged state, and the states after each further command in flight.
pub(super) struct Known<T> {
    /// `None` until the stored state has been read once.
    told: Option<T>,
    pending: Vec<T>,
}

/// Command and its effect.
pub(crate) struct Step<T> {
    /// Kind under which the change is counted.
    pub(crate) kind: &'static str,
    pub(crate) line: String,
    /// Start of the line that acknowledges it.
    pub(crate) told: String,
    pub(crate) then: T,
}

/// A builder's undo and redo history of this session: states before and after each change.
pub(super) struct UndoHistory<T> {
    done: Vec<(T, T)>,
    undone: Vec<(T, T)>,
}

impl<T> Default for UndoHistory<T> {
    fn default() -> Self {
        Self { done: Vec::new(), undone: Vec::new() }
    }
}

impl<T: Clone> UndoHistory<T> {
    /// Records a new change, which clears the redo history.
    pub(super) fn note(&mut self, before: &T, after: &T) {
        self.done.push((before.clone(), after.clone()));
        self.undone.clear();
    }

    /// Returns the step that undoes the last change.
    pub(super) fn take_back(&mut self) -> Option<Step<T>> {
        let deed = self.done.pop()?;
        let then = deed.0.clone();
        self.undone.push(deed);
        Some(Step { kind: "undo", line: "undo".to_owned(), told: "You take back: ".to_owned(), then })
    }

    /// Returns the step that redoes the last undone change.
    pub(super) fn redo_step(&mut self) -> Option<Step<T>> {
        let deed = self.undone.pop()?;
        let then = deed.1.clone();
        self.done.push(deed);
        Some(Step { kind: "redo", line: "redo".to_owned(), told: "You do again: ".to_owned(), then })
    }
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self { told: None, pending: Vec::new() }
    }
}

impl<T: Clone + PartialEq + Debug> Known<T> {
    pub(super) fn told(&self) -> &T {
        self.told.as_ref().expect("it was compared before the first work")
    }

    /// Sends commands in one write and records the acknowledged ones.
    pub(super) fn carry_out(
        &mut self,
        client: &mut Client,
        scene: &Scene<'_>,
        steps: Vec<Step<T>>,
    ) -> Result<(), Gone> {
        let Some(first) = steps.first() else { return Ok(()) };
        let lines: Vec<&str> = steps.iter().map(|step| step.line.as_str()).collect();
        self.pending = steps.iter().map(|step| step.then.clone()).collect();
        scene.begin(first.kind);
        let answer = client.try_ask(&lines.join("\r\n"));
        let (Ok(text) | Err(Gone(text))) = &answer;
        let mut heard = text.lines();
        for step in steps {
            if heard.any(|line| line.starts_with(&step.told)) {
                self.told = Some(self.pending.remove(0));
                scene.note(step.kind);
            } else if answer.is_ok() {
                panic!("{:?} was to be answered by {:?}; read was:\n{text}", step.line, step.told);
            } else {
                break;
            }
        }
        answer.map(drop)
    }

    /// Like [`Known::carry_out`], for a change whose acknowledgement is checked by `ask`.
    pub(super) fn change(
        &mut self,
        scene: &Scene<'_>,
        kind: &'static str,
        then: T,
        ask: impl FnOnce() -> Result<(), Gone>,
    ) -> Result<(), Gone> {
        self.pending = vec![then];
        scene.begin(kind);
        ask()?;
        self.told = self.pending.pop();
        scene.note(kind);
        Ok(())
    }

    /// Compares the stored state with the known one, and continues from the stored state.
    pub(super) fn compare(&mut self, found: T, mismatches: &mut Vec<String>) {
        let pending = std::mem::take(&mut self.pending);
        if let Some(value) = self.told.as_ref().filter(|value| **value != found && !pending.contains(&found))
        {
            mismatches.push(format!("told was {value:?}, perhaps {pending:?}; stored is {found:?}"));
        }
        self.told = Some(found);
    }
}

/// Returns the account with this name.
pub(super) fn account<'a>(stored: &'a Snapshot, name: &str) -> &'a deepwell::world::Account {
    stored.accounts.values().find(|account| account.name == name).expect("it was made")
}
