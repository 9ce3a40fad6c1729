//! Output that waits for its commit. The effects of each batch are held until that batch and all earlier ones are on
//! the disk, so that no client is notified of a change that a power loss could undo. The answered commands are held as
//! well.

use std::collections::{BTreeSet, VecDeque};

use crate::base::SessionId;
use crate::game::{Effect, Effects, Envelope, Input};
use crate::net::Receipt;
use crate::server::writer::Ticket;

/// Held effects, in the order of their batches.
#[derive(Debug, Default)]
pub(super) struct Held {
    batches: VecDeque<Batch>,
    /// Commands of the batch that is being played.
    playing: Vec<Typed>,
    /// Receipts of the requests of that batch that came from gateways.
    receipts: Vec<(SessionId, Receipt)>,
    /// Clients for which effects are held.
    waiting: BTreeSet<SessionId>,
    /// Number of held effects.
    effects: usize,
}

/// A command that has not been answered.
#[derive(Debug)]
pub(super) struct Typed {
    pub(super) session: SessionId,
    pub(super) line: String,
}

#[derive(Debug)]
struct Batch {
    /// The commit to wait for; `None` if the batch changed nothing or is committed.
    waits_for: Option<Ticket>,
    effects: Effects,
    typed: Vec<Typed>,
    /// Receipts of the requests; they are due after the effects have been sent.
    receipts: Vec<(SessionId, Receipt)>,
}

impl Held {
    /// Records the commands of a batch before it is played.
    pub(super) fn begin(&mut self, inputs: &[Envelope]) {
        self.playing = inputs.iter().filter_map(typed).collect();
    }

    /// Holds the receipt of a request of the next batch.
    pub(super) fn keep(&mut self, session: SessionId, receipt: Receipt) {
        self.receipts.push((session, receipt));
    }

    /// Releases the receipts of a batch that is not held and whose output has been sent.
    pub(super) fn drop_receipts(&mut self) {
        self.receipts.clear();
    }

    /// Holds the effects of a batch until its commit.
    pub(super) fn hold(&mut self, ticket: Ticket, effects: Effects) {
        let typed = std::mem::take(&mut self.playing);
        let receipts = std::mem::take(&mut self.receipts);
        self.push(Batch { waits_for: Some(ticket), effects, typed, receipts });
    }

    /// Returns the effects of a batch without changes, or holds them behind earlier batches.
    pub(super) fn pass(&mut self, effects: Effects) -> Option<Effects> {
        let typed = std::mem::take(&mut self.playing);
        if self.batches.is_empty() {
            return Some(effects);
        }
        let receipts = std::mem::take(&mut self.receipts);
        self.push(Batch { waits_for: None, effects, typed, receipts });
        None
    }

    /// Handles a batch without changes while the disk does not respond. Returns the effects for clients that have
    /// nothing held, in order. A client with held output also waits for all its later output.
    ///
    /// At most `most` effects are held; further output is dropped.
    pub(super) fn pass_by(&mut self, effects: Effects, most: usize) -> Effects {
        let is_held =
            |session: Option<SessionId>| session.is_none_or(|session| self.waiting.contains(&session));
        let mut typed = std::mem::take(&mut self.playing);
        typed.retain(|typed| is_held(Some(typed.session)));
        let (mut held, free): (Effects, Effects) = effects.into_iter().partition(|effect| match effect {
            Effect::Public(_) | Effect::Counted(_) | Effect::LimitReached(_) | Effect::Warning { .. } => {
                false
            }
            _ => is_held(effect.session()),
        });
        if self.effects >= most {
            held.retain(|effect| !matches!(effect, Effect::Output { .. }));
        }
        if !(held.is_empty() && typed.is_empty()) {
            let receipts =
                self.receipts.extract_if(.., |(session, _)| self.waiting.contains(session)).collect();
            self.push(Batch { waits_for: None, effects: held, typed, receipts });
        }
        free
    }

    /// Returns the clients for which effects are held.
    pub(super) const fn waiting(&self) -> &BTreeSet<SessionId> {
        &self.waiting
    }

    fn push(&mut self, batch: Batch) {
        self.effects += batch.effects.len();
        self.waiting.extend(batch.effects.iter().filter_map(Effect::session));
        self.batches.push_back(batch);
    }

    /// Marks a batch as committed.
    pub(super) fn committed(&mut self, ticket: Ticket) {
        if let Some(batch) = self.batches.iter_mut().find(|batch| batch.waits_for == Some(ticket)) {
            batch.waits_for = None;
        }
    }

    /// Removes the oldest batch, if it no longer waits for a commit. Returns its effects, and the receipts to drop after
    /// they have been sent.
    pub(super) fn release(&mut self) -> Option<(Effects, Vec<(SessionId, Receipt)>)> {
        let batch = self.batches.pop_front_if(|batch| batch.waits_for.is_none())?;
        self.effects -= batch.effects.len();
        if self.batches.is_empty() {
            self.waiting.clear();
        }
        Some((batch.effects, batch.receipts))
    }

    /// Drops all held effects and returns the commands that will not be answered, in order.
    pub(super) fn clear(&mut self) -> Vec<Typed> {
        self.waiting.clear();
        self.receipts.clear();
        self.effects = 0;
        let waiting = self.batches.drain(..).flat_map(|batch| batch.typed);
        waiting.chain(std::mem::take(&mut self.playing)).collect()
    }
}

fn typed(input: &Envelope) -> Option<Typed> {
    match &input.input {
        Input::Command { session, line } => Some(Typed { session: *session, line: line.clone() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Span;
    use crate::game::CloseReason;

    fn effects(n: i64) -> Effects {
        vec![Effect::Stop { after: Span(n) }]
    }

    fn released(held: &mut Held) -> Vec<Effects> {
        std::iter::from_fn(|| held.release()).map(|(effects, _)| effects).collect()
    }

    #[test]
    fn d3_batch_without_changes_is_sent_immediately() {
        assert_eq!(Held::default().pass(effects(1)), Some(effects(1)));
    }

    #[test]
    fn d3_output_waits_for_its_own_and_older_commits() {
        let mut held = Held::default();
        held.hold(Ticket(1), effects(1));
        assert_eq!(held.pass(effects(2)), None);
        held.hold(Ticket(2), effects(3));
        held.committed(Ticket(2));
        assert_eq!(released(&mut held), Vec::<Effects>::new());
        held.committed(Ticket(1));
        assert_eq!(released(&mut held), [effects(1), effects(2), effects(3)]);
        assert_eq!(held.pass(effects(4)), Some(effects(4)));
    }

    #[test]
    fn d3_clients_without_held_output_are_served_on_slow_disk() {
        let to = |session: u64, why| Effect::Close { session: SessionId(session), why };
        let mut held = Held::default();
        held.hold(Ticket(1), vec![to(1, CloseReason::Quit)]);
        let step = vec![to(2, CloseReason::Idle), to(1, CloseReason::Idle), Effect::Stop { after: Span(1) }];
        let free = held.pass_by(step, 10);
        assert_eq!(free, [to(2, CloseReason::Idle)], "what is for the server waits, too");
        assert_eq!(held.pass_by(vec![to(2, CloseReason::Flood)], 10), [to(2, CloseReason::Flood)]);
        held.committed(Ticket(1));
        let later = [to(1, CloseReason::Idle), Effect::Stop { after: Span(1) }];
        assert_eq!(released(&mut held), [vec![to(1, CloseReason::Quit)], later.into()]);
    }

    #[test]
    fn d5_output_of_failed_batch_is_dropped() {
        let mut held = Held::default();
        held.hold(Ticket(1), effects(1));
        held.clear();
        held.committed(Ticket(1));
        assert_eq!(released(&mut held), Vec::<Effects>::new());
    }

    /// N4: what players say while the disk does not respond is shown outside at once, and not collected.
    #[test]
    fn n4_public_events_do_not_wait_for_other_batches() {
        let mut held = Held::default();
        let news = || Effect::Public(Box::new(crate::game::PublicEvent::News { text: "x".into() }));
        assert_eq!(held.pass_by(vec![news(), news()], 0).len(), 2);
        assert!(held.release().is_none());
    }
}
