//! Messages on their way out of a step, whose prompt they disturb, and whom to look at before it ends.

use crate::base::{CharacterId, SessionId};
use crate::game::data::Data;
use crate::game::effect::{Class, Effect, Effects, Output};
use crate::game::happening::Sound;
use crate::text::Markup;
use std::collections::BTreeSet;
use std::mem;
use std::sync::Arc;

/// Effects of the running step.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    effects: Vec<Effect>,
    prompts: BTreeSet<SessionId>,
    /// How many of the effects have been looked at for what is kept (`scrollback`).
    kept: usize,
    /// Members of parties of whom something may have changed.
    members: BTreeSet<CharacterId>,
    /// Players whose clients need the whole of their party again.
    parties: BTreeSet<CharacterId>,
    /// Clients around whose bodies something may be different.
    surroundings: BTreeSet<SessionId>,
    /// Sounds of this step.
    sounds: BTreeSet<(SessionId, Sound)>,
}

impl Outbox {
    pub(crate) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
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

    /// The session gets none.
    pub(crate) fn cancel_prompt(&mut self, session: SessionId) {
        self.prompts.remove(&session);
    }

    /// Gives away who gets one.
    pub(crate) fn take_prompts(&mut self) -> BTreeSet<SessionId> {
        mem::take(&mut self.prompts)
    }

    /// Something of a body may have changed that its party is told.
    pub(crate) fn note_member(&mut self, who: CharacterId) {
        self.members.insert(who);
    }

    /// Gives away whom parties are to be told of.
    pub(crate) fn take_members(&mut self) -> BTreeSet<CharacterId> {
        mem::take(&mut self.members)
    }

    /// Players are to be told of their whole parties again.
    pub(crate) fn note_parties(&mut self, of: impl IntoIterator<Item = CharacterId>) {
        self.parties.extend(of);
    }

    /// Gives away who is to be told of the whole party.
    pub(crate) fn take_parties(&mut self) -> BTreeSet<CharacterId> {
        mem::take(&mut self.parties)
    }

    /// Something may be different around the body of a client.
    pub(crate) fn note_surroundings(&mut self, session: SessionId) {
        self.surroundings.insert(session);
    }

    /// Gives away the clients around whose bodies something may be different.
    pub(crate) fn take_surroundings(&mut self) -> BTreeSet<SessionId> {
        mem::take(&mut self.surroundings)
    }

    /// A client plays a sound at the end of the step.
    pub(crate) fn play(&mut self, session: SessionId, sound: Sound) {
        self.sounds.insert((session, sound));
    }

    /// Gives away the sounds.
    pub(crate) fn take_sounds(&mut self) -> BTreeSet<(SessionId, Sound)> {
        mem::take(&mut self.sounds)
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

    /// Nothing of what was to be shown is so.
    pub(crate) fn discard_output(&mut self) {
        self.effects.retain(|effect| !matches!(effect, Effect::Output { .. }));
        self.kept = 0;
    }

    pub(crate) fn drain(&mut self, out: &mut Effects) {
        self.kept = 0;
        out.append(&mut self.effects);
    }
}
