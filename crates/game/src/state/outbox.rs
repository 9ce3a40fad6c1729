//! Outgoing effects of a step, sessions that need a new prompt, and updates due before its end.

use crate::effect::data::Data;
use crate::effect::{Class, Effect, Effects, Output};
use crate::refusal::Refusal;
use crate::state::event::Sound;
use deepwell_core::base::{CharacterId, RuleLimit, SessionId, Tally};
use deepwell_core::text::Markup;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::Arc;

/// Effects of the running step.
#[derive(Debug, Default)]
pub(crate) struct StepOutbox {
    effects: Vec<Effect>,
    /// Sessions that need a new prompt, some of them several times.
    prompts: Vec<SessionId>,
    /// Number of effects already processed for scrollback.
    kept: usize,
    /// Players whose values, as others see them, may have changed.
    members: BTreeSet<CharacterId>,
    /// Players whose clients need the whole party again.
    parties: BTreeSet<CharacterId>,
    /// Sessions whose character's surroundings may have changed.
    surroundings: BTreeSet<SessionId>,
    /// Sounds of this step.
    sounds: BTreeSet<(SessionId, Sound)>,
    /// Sizes of the texts that the running script has told, if one runs.
    script_output: Option<Told>,
}

/// Size of structured data for a client, in bytes, as it is counted for a script that causes it.
const DATA_BYTES: usize = 200;

/// Sizes of texts since they were taken last.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ToldSizes {
    /// Growth of the bytes for the session that was told most.
    pub(crate) most_bytes: u64,
    /// Bytes for all sessions together.
    pub(crate) all_bytes: usize,
    /// Number of texts.
    pub(crate) texts: usize,
}

/// Count of the texts of a script and of all that it sets off.
#[derive(Debug, Default)]
struct Told {
    by_session: BTreeMap<SessionId, u64>,
    /// Bytes for the session that was told most.
    most_bytes: u64,
    sizes: ToldSizes,
}

impl Told {
    fn add(&mut self, session: SessionId, bytes: usize) {
        let of_session = self.by_session.entry(session).or_default();
        *of_session += bytes as u64;
        let growth = of_session.saturating_sub(self.most_bytes);
        self.most_bytes += growth;
        self.sizes.most_bytes += growth;
        self.sizes.all_bytes += bytes;
        self.sizes.texts += 1;
    }
}

impl StepOutbox {
    pub(crate) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(crate) fn count(&mut self, tally: Tally) {
        self.effects.push(Effect::Counted(tally));
    }

    /// Counts that a limit was reached.
    pub(crate) fn count_limit(&mut self, limit: RuleLimit) {
        self.effects.push(Effect::LimitReached(limit));
    }

    /// Counts the limit that a refusal names.
    pub(crate) fn count_refusal(&mut self, refusal: &Refusal) {
        if let Refusal::AtLimit(limit, _) = refusal {
            self.count_limit(*limit);
        }
    }

    pub(crate) fn text(&mut self, session: SessionId, class: Class, text: &Arc<Markup>) {
        if let Some(output) = &mut self.script_output {
            output.add(session, text.text().len());
        }
        self.prompts.push(session);
        self.effects.push(Effect::Output { session, output: Output::Text(class, Arc::clone(text)) });
    }

    pub(crate) fn data(&mut self, session: SessionId, data: Data) {
        self.share(session, &Arc::new(data));
    }

    /// Adds data shared by several sessions.
    pub(crate) fn share(&mut self, session: SessionId, data: &Arc<Data>) {
        if let Some(output) = &mut self.script_output {
            output.add(session, DATA_BYTES);
        }
        self.effects.push(Effect::Output { session, output: Output::Data(Arc::clone(data)) });
    }

    /// Begins to count the texts that a script tells.
    pub(crate) fn begin_count(&mut self) {
        self.script_output = Some(Told::default());
    }

    /// Takes the sizes of the texts that were counted since they were taken last.
    pub(crate) fn take_told(&mut self) -> ToldSizes {
        self.script_output.as_mut().map(|output| mem::take(&mut output.sizes)).unwrap_or_default()
    }

    /// Ends the count.
    pub(crate) fn end_count(&mut self) {
        self.script_output = None;
    }

    /// Gives the session a new prompt at the end of the step.
    pub(crate) fn prompt(&mut self, session: SessionId) {
        self.prompts.push(session);
    }

    /// Cancels the new prompt of the session.
    pub(crate) fn cancel_prompt(&mut self, session: SessionId) {
        self.prompts.retain(|other| *other != session);
    }

    /// Takes the sessions that need a new prompt, in order.
    pub(crate) fn take_prompts(&mut self) -> Vec<SessionId> {
        sorted(mem::take(&mut self.prompts))
    }

    /// Marks a player whose values, as others see them, may have changed.
    pub(crate) fn note_member(&mut self, who: CharacterId) {
        self.members.insert(who);
    }

    /// Takes the marked players.
    pub(crate) fn take_members(&mut self) -> BTreeSet<CharacterId> {
        mem::take(&mut self.members)
    }

    /// Marks players whose clients need the whole party again.
    pub(crate) fn note_parties(&mut self, of: impl IntoIterator<Item = CharacterId>) {
        self.parties.extend(of);
    }

    /// Takes the players whose clients need the whole party.
    pub(crate) fn take_parties(&mut self) -> BTreeSet<CharacterId> {
        mem::take(&mut self.parties)
    }

    /// Marks a session whose character's surroundings may have changed.
    pub(crate) fn note_surroundings(&mut self, session: SessionId) {
        self.surroundings.insert(session);
    }

    /// Takes the sessions whose surroundings may have changed.
    pub(crate) fn take_surroundings(&mut self) -> BTreeSet<SessionId> {
        mem::take(&mut self.surroundings)
    }

    /// Plays a sound at the end of the step.
    pub(crate) fn play(&mut self, session: SessionId, sound: Sound) {
        self.sounds.insert((session, sound));
    }

    /// Takes the sounds.
    pub(crate) fn take_sounds(&mut self) -> BTreeSet<(SessionId, Sound)> {
        mem::take(&mut self.sounds)
    }

    /// Returns the sessions that received text in this step.
    pub(crate) fn prompted(&self) -> Vec<SessionId> {
        sorted(self.prompts.clone())
    }

    /// Returns the texts not yet processed for scrollback.
    pub(crate) fn fresh_texts(&self) -> impl Iterator<Item = (SessionId, Class, &Arc<Markup>)> {
        self.effects.iter().skip(self.kept).filter_map(|effect| match effect {
            Effect::Output { session, output: Output::Text(class, text) } => Some((*session, *class, text)),
            _ => None,
        })
    }

    /// Marks all texts so far as processed for scrollback.
    pub(crate) fn mark_texts_kept(&mut self) {
        self.kept = self.effects.len();
    }

    /// Discards all output, because the changes it describes were rolled back.
    pub(crate) fn discard_output(&mut self) {
        self.effects.retain(|effect| !matches!(effect, Effect::Output { .. } | Effect::Public(_)));
        self.kept = 0;
    }

    pub(crate) fn drain(&mut self, out: &mut Effects) {
        self.kept = 0;
        out.append(&mut self.effects);
    }
}

/// Returns each session once, in order.
fn sorted(mut sessions: Vec<SessionId>) -> Vec<SessionId> {
    sessions.sort_unstable();
    sessions.dedup();
    sessions
}
