//! What was said but may not be heard yet: the effects of each batch wait for its commit and for all batches
//! before it, so that nobody is told of what a power loss could undo.

use std::collections::VecDeque;

use crate::game::Effects;
use crate::server::writer::Ticket;

/// Effects that wait, in the order in which they were made.
#[derive(Debug, Default)]
pub(super) struct Held {
    batches: VecDeque<Batch>,
}

#[derive(Debug)]
struct Batch {
    /// The commit it waits for; none if it changed nothing or is committed.
    waits_for: Option<Ticket>,
    effects: Effects,
}

impl Held {
    /// Takes in a batch that changed something.
    pub(super) fn hold(&mut self, ticket: Ticket, effects: Effects) {
        self.batches.push_back(Batch { waits_for: Some(ticket), effects });
    }

    /// Takes in a batch that changed nothing; gives it back if nothing older waits.
    pub(super) fn pass(&mut self, effects: Effects) -> Option<Effects> {
        if self.batches.is_empty() {
            return Some(effects);
        }
        self.batches.push_back(Batch { waits_for: None, effects });
        None
    }

    /// A batch is on the disk.
    pub(super) fn committed(&mut self, ticket: Ticket) {
        if let Some(batch) = self.batches.iter_mut().find(|batch| batch.waits_for == Some(ticket)) {
            batch.waits_for = None;
        }
    }

    /// The oldest batch, if it waits for nothing any more.
    pub(super) fn release(&mut self) -> Option<Effects> {
        self.batches.pop_front_if(|batch| batch.waits_for.is_none()).map(|batch| batch.effects)
    }

    /// Forgets everything that waits.
    pub(super) fn clear(&mut self) {
        self.batches.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Span;
    use crate::game::Effect;

    fn effects(n: i64) -> Effects {
        vec![Effect::Stop { after: Span(n) }]
    }

    fn released(held: &mut Held) -> Vec<Effects> {
        std::iter::from_fn(|| held.release()).collect()
    }

    #[test]
    fn d3_what_changed_nothing_waits_for_nothing() {
        assert_eq!(Held::default().pass(effects(1)), Some(effects(1)));
    }

    #[test]
    fn d3_output_waits_for_its_own_commit_and_for_older_ones() {
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
    fn d5_a_failed_batch_is_never_heard() {
        let mut held = Held::default();
        held.hold(Ticket(1), effects(1));
        held.clear();
        held.committed(Ticket(1));
        assert_eq!(released(&mut held), Vec::<Effects>::new());
    }
}
