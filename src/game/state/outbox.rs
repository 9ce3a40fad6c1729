//! Messages on their way out of a step, whose prompt they disturb, and whom to look at before it ends.

use crate::base::{CharacterId, SessionId, Tally};
use crate::game::data::Data;
use crate::game::effect::{Class, Effect, Effects, Output};
use crate::game::happening::Sound;
use crate::text::Markup;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Effects of the running step.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    pub(crate) effects: Vec<Effect>,
    pub(crate) prompts: BTreeSet<SessionId>,
    /// How many of the effects have been looked at for what is kept (`scrollback`).
    pub(crate) kept: usize,
    /// Members of parties of whom something may have changed.
    pub(crate) members: BTreeSet<CharacterId>,
    /// Players whose clients need the whole of their party again.
    pub(crate) parties: BTreeSet<CharacterId>,
    /// Clients around whose bodies something may be different.
    pub(crate) surroundings: BTreeSet<SessionId>,
    /// Sounds of this step.
    pub(crate) sounds: BTreeSet<(SessionId, Sound)>,
}

impl Outbox {
    pub(crate) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(crate) fn count(&mut self, tally: Tally) {
        self.effects.push(Effect::Counted(tally));
    }

    pub(crate) fn text(&mut self, session: SessionId, class: Class, text: &Arc<Markup>) {
        self.prompts.insert(session);
        self.effects.push(Effect::Output { session, output: Output::Text(class, Arc::clone(text)) });
    }

    pub(crate) fn data(&mut self, session: SessionId, data: Data) {
        self.share(session, &Arc::new(data));
    }

    /// Data that several get.
    pub(crate) fn share(&mut self, session: SessionId, data: &Arc<Data>) {
        self.effects.push(Effect::Output { session, output: Output::Data(Arc::clone(data)) });
    }

    /// The session gets a fresh prompt at the end of the step.
    pub(crate) fn prompt(&mut self, session: SessionId) {
        self.prompts.insert(session);
    }

    /// The sessions that read something in this step.
    pub(crate) fn prompted(&self) -> Vec<SessionId> {
        self.prompts.iter().copied().collect()
    }

    /// The texts that have not been kept yet.
    pub(crate) fn fresh_texts(&self) -> impl Iterator<Item = (SessionId, Class, &Arc<Markup>)> {
        self.effects.iter().skip(self.kept).filter_map(|effect| match effect {
            Effect::Output { session, output: Output::Text(class, text) } => Some((*session, *class, text)),
            _ => None,
        })
    }

    /// The texts so far have been kept, or are not to be.
    pub(crate) fn mark_texts_kept(&mut self) {
        self.kept = self.effects.len();
    }

    pub(crate) fn drain(&mut self, out: &mut Effects) {
        self.kept = 0;
        out.append(&mut self.effects);
    }
}
