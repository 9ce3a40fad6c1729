//! What is known of something that changes line by line, and what may be so besides because answers never came.

use super::Scene;
use crate::client::{Client, Gone};
use deepwell::world::Snapshot;
use std::fmt::Debug;

/// What was told, and what would be so after each further line that was typed and not answered.
pub(super) struct Known<T> {
    /// Nothing before what is stored has been read once.
    told: Option<T>,
    pending: Vec<T>,
}

/// A line, and what follows from it.
pub(crate) struct Step<T> {
    /// What it counts as.
    pub(crate) kind: &'static str,
    pub(crate) line: String,
    /// How a line of its answer begins.
    pub(crate) told: String,
    pub(crate) then: T,
}

/// What a builder did in this life and can take back, and what it took back and can do again: what was so before and after.
pub(super) struct TakenBack<T> {
    done: Vec<(T, T)>,
    undone: Vec<(T, T)>,
}

impl<T> Default for TakenBack<T> {
    fn default() -> Self {
        Self { done: Vec::new(), undone: Vec::new() }
    }
}

impl<T: Clone> TakenBack<T> {
    /// Something else is done.
    pub(super) fn note(&mut self, before: &T, after: &T) {
        self.done.push((before.clone(), after.clone()));
        self.undone.clear();
    }

    /// The line that takes back what was done last.
    pub(super) fn take_back(&mut self) -> Option<Step<T>> {
        let deed = self.done.pop()?;
        let then = deed.0.clone();
        self.undone.push(deed);
        Some(Step { kind: "undo", line: "undo".to_owned(), told: "You take back: ".to_owned(), then })
    }

    /// The line that does again what was taken back last.
    pub(super) fn do_again(&mut self) -> Option<Step<T>> {
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

    /// Types lines in one go and notes which of them are answered.
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

    /// The same with what is told in another way than by a line of the game.
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

    /// Holds what is stored against it, and goes on from there.
    pub(super) fn compare(&mut self, found: T, wrong: &mut Vec<String>) {
        let pending = std::mem::take(&mut self.pending);
        if let Some(told) = self.told.as_ref().filter(|told| **told != found && !pending.contains(&found)) {
            wrong.push(format!("told was {told:?}, perhaps {pending:?}; stored is {found:?}"));
        }
        self.told = Some(found);
    }
}

/// The account of a name.
pub(super) fn account<'a>(stored: &'a Snapshot, name: &str) -> &'a deepwell::world::Account {
    stored.accounts.values().find(|account| account.name == name).expect("it was made")
}
