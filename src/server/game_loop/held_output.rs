//! Output that waits for its commit. The effects of each batch are held until that batch and all earlier ones are on
//! the disk, so that no client is notified of a change that a power loss could undo. The answered commands are held as
//! well.
//!
//! While the disk does not respond, commands that changed nothing are answered nevertheless. What they show may have
//! changed since the last commit, so their answers are marked as unconfirmed.

use std::collections::{BTreeSet, VecDeque};

use crate::net::Receipt;
use crate::server::game_loop::router::notice;
use crate::server::game_loop::writer::Ticket;
use deepwell_core::base::SessionId;
use deepwell_game::{Class, Effect, Effects, Envelope, Input, Output};

/// Line before an answer that may tell of changes that are not on the disk.
const UNCONFIRMED: &str = "Unconfirmed, because the disk does not answer:";

/// Held effects, in the order of their batches.
#[derive(Debug, Default)]
pub(in crate::server) struct Held {
    batches: VecDeque<HeldBatch>,
    /// Inputs of the batch that is being played.
    playing: Vec<PlayedInput>,
    /// Number of those that have been played.
    played: usize,
    /// Receipts of the requests of that batch that came from gateways.
    receipts: Vec<(SessionId, Receipt)>,
    /// Clients for which effects other than data are held.
    waiting: BTreeSet<SessionId>,
    /// Number of held effects.
    effects: usize,
}

/// A command that has not been answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::server) struct TypedCommand {
    pub(in crate::server) session: SessionId,
    pub(in crate::server) line: String,
}

/// An input of a batch.
#[derive(Debug)]
struct PlayedInput {
    typed: Option<TypedCommand>,
    /// Number of effects of the batch up to the end of this input.
    end: usize,
    /// Set if the input changed nothing.
    is_read: bool,
}

#[derive(Debug)]
struct HeldBatch {
    /// The commit to wait for; `None` if the batch changed nothing or is committed.
    waits_for: Option<Ticket>,
    effects: Effects,
    inputs: Vec<PlayedInput>,
    /// Receipts of the requests; they are due after the effects have been sent.
    receipts: Vec<(SessionId, Receipt)>,
}

impl Held {
    /// Records the inputs of a batch before it is played.
    pub(in crate::server) fn begin(&mut self, inputs: &[Envelope]) {
        let unplayed = |input| PlayedInput { typed: typed(input), end: 0, is_read: false };
        self.playing = inputs.iter().map(unplayed).collect();
        self.played = 0;
    }

    /// Records that the next input of the batch has been played: the number of effects of the batch so far, and whether
    /// the input changed nothing.
    pub(in crate::server) fn note_played(&mut self, end: usize, is_read: bool) {
        if let Some(input) = self.playing.get_mut(self.played) {
            (input.end, input.is_read) = (end, is_read);
        }
        self.played += 1;
    }

    /// Holds the receipt of a request of the next batch.
    pub(in crate::server) fn keep(&mut self, session: SessionId, receipt: Receipt) {
        self.receipts.push((session, receipt));
    }

    /// Releases the receipts of a batch that is not held and whose output has been sent.
    pub(in crate::server) fn drop_receipts(&mut self) {
        self.receipts.clear();
    }

    /// Holds the effects of a batch until its commit.
    pub(in crate::server) fn hold(&mut self, ticket: Ticket, effects: Effects) {
        let inputs = std::mem::take(&mut self.playing);
        let receipts = std::mem::take(&mut self.receipts);
        self.push(HeldBatch { waits_for: Some(ticket), effects, inputs, receipts });
    }

    /// Returns the effects of a batch without changes, or holds them behind earlier batches.
    pub(in crate::server) fn pass(&mut self, effects: Effects) -> Option<Effects> {
        let inputs = std::mem::take(&mut self.playing);
        if self.batches.is_empty() {
            return Some(effects);
        }
        let receipts = std::mem::take(&mut self.receipts);
        self.push(HeldBatch { waits_for: None, effects, inputs, receipts });
        None
    }

    /// Handles a batch while the disk does not respond, in which nothing can change. Returns the effects to send now:
    /// texts and prompts, and all effects except data for clients that have nothing else held. Data follows the order of
    /// earlier data, because each message is relative to the one before.
    ///
    /// At most `most` effects are held; further output is dropped.
    pub(in crate::server) fn pass_by(&mut self, effects: Effects, most: usize) -> Effects {
        let inputs = std::mem::take(&mut self.playing);
        let waiting = &self.waiting;
        let is_sent = |effect: &Effect| match effect {
            Effect::Public(_) | Effect::Counted(_) | Effect::LimitReached(_) | Effect::Warning { .. } => true,
            Effect::Output { output: Output::Data(_), .. } => false,
            _ => is_answer(effect) || effect.session().is_some_and(|session| !waiting.contains(&session)),
        };
        let (sent, mut held) = split(effects, &inputs, |effect, _| is_sent(effect));
        if self.effects >= most {
            held.retain(|effect| !matches!(effect, Effect::Output { .. }));
        }
        if !held.is_empty() {
            let of: BTreeSet<SessionId> =
                held.iter().filter(|effect| !is_data(effect)).filter_map(Effect::session).collect();
            let is_held = |session: &SessionId| of.contains(session);
            let inputs = inputs
                .into_iter()
                .filter(|input| input.typed.as_ref().is_some_and(|typed| is_held(&typed.session)));
            let inputs = inputs.map(|input| PlayedInput { end: 0, ..input }).collect();
            let receipts = self.receipts.extract_if(.., |(session, _)| is_held(session)).collect();
            self.push(HeldBatch { waits_for: None, effects: held, inputs, receipts });
        }
        sent
    }

    /// Takes the texts and prompts of the held inputs that changed nothing, to be sent while the disk does not respond.
    pub(in crate::server) fn take_answers(&mut self) -> Effects {
        let mut answers = Effects::new();
        for batch in &mut self.batches {
            let effects = std::mem::take(&mut batch.effects);
            let count = effects.len();
            let is_sent = |effect: &Effect, input: Option<&PlayedInput>| {
                is_answer(effect) && input.is_some_and(|input| input.is_read)
            };
            let (sent, held) = split(effects, &batch.inputs, is_sent);
            self.effects -= count - held.len();
            batch.effects = held;
            batch.inputs.retain(|input| !input.is_read);
            batch.inputs.iter_mut().for_each(|input| input.end = 0);
            answers.extend(sent);
        }
        self.waiting = self.batches.iter().flat_map(HeldBatch::waiting).collect();
        answers
    }

    /// Returns the clients for which effects other than data are held.
    pub(in crate::server) const fn waiting(&self) -> &BTreeSet<SessionId> {
        &self.waiting
    }

    fn push(&mut self, batch: HeldBatch) {
        self.effects += batch.effects.len();
        self.waiting.extend(batch.waiting());
        self.batches.push_back(batch);
    }

    /// Marks a batch as committed.
    pub(in crate::server) fn committed(&mut self, ticket: Ticket) {
        if let Some(batch) = self.batches.iter_mut().find(|batch| batch.waits_for == Some(ticket)) {
            batch.waits_for = None;
        }
    }

    /// Removes the oldest batch, if it no longer waits for a commit. Returns its effects, and the receipts to drop after
    /// they have been sent.
    pub(in crate::server) fn release(&mut self) -> Option<(Effects, Vec<(SessionId, Receipt)>)> {
        let batch = self.batches.pop_front_if(|batch| batch.waits_for.is_none())?;
        self.effects -= batch.effects.len();
        if self.batches.is_empty() {
            self.waiting.clear();
        }
        Some((batch.effects, batch.receipts))
    }

    /// Drops all held effects and returns the commands that will not be answered, in order.
    pub(in crate::server) fn clear(&mut self) -> Vec<TypedCommand> {
        self.waiting.clear();
        self.receipts.clear();
        self.effects = 0;
        let waiting = self.batches.drain(..).flat_map(|batch| batch.inputs);
        waiting.chain(std::mem::take(&mut self.playing)).filter_map(|input| input.typed).collect()
    }
}

impl HeldBatch {
    /// Returns the clients for which the batch has effects other than data.
    fn waiting(&self) -> impl Iterator<Item = SessionId> {
        self.effects.iter().filter(|effect| !is_data(effect)).filter_map(Effect::session)
    }
}

const fn is_data(effect: &Effect) -> bool {
    matches!(effect, Effect::Output { output: Output::Data(_), .. })
}

/// Returns `true` for output that does not tell the session of a client that something has been stored.
const fn is_answer(effect: &Effect) -> bool {
    matches!(effect, Effect::Output { output: Output::Text(..) | Output::Prompt(_), .. })
}

/// Splits the effects of a batch into those to send now and others. The first text that answers a command is preceded by
/// a mark, unless it is speech or a refusal, which depend on no change.
fn split(
    effects: Effects,
    inputs: &[PlayedInput],
    is_sent: impl Fn(&Effect, Option<&PlayedInput>) -> bool,
) -> (Effects, Effects) {
    let (mut sent, mut held) = (Effects::new(), Effects::new());
    let (mut at, mut is_marked) = (0, false);
    for (index, effect) in effects.into_iter().enumerate() {
        while inputs.get(at).is_some_and(|input| input.end <= index) {
            (at, is_marked) = (at + 1, false);
        }
        let input = inputs.get(at);
        if !is_sent(&effect, input) {
            held.push(effect);
            continue;
        }
        let typed = input.and_then(|input| input.typed.as_ref()).map(|typed| typed.session);
        if let Effect::Output { session, output: Output::Text(class, _) } = &effect
            && typed == Some(*session)
            && !is_marked
            && !matches!(class, Class::Speech | Class::Tell | Class::Channel | Class::Refusal | Class::System)
        {
            is_marked = true;
            let output = Output::Text(Class::System, notice(UNCONFIRMED));
            sent.push(Effect::Output { session: *session, output });
        }
        sent.push(effect);
    }
    (sent, held)
}

fn typed(input: &Envelope) -> Option<TypedCommand> {
    match &input.input {
        Input::Command { session, line } => Some(TypedCommand { session: *session, line: line.clone() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::Span;
    use deepwell_game::CloseReason;

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

    fn text(session: u64, class: Class, text: &str) -> Effect {
        let output = Output::Text(class, std::sync::Arc::new(deepwell_core::text::Markup::plain(text)));
        Effect::Output { session: SessionId(session), output }
    }

    fn prompt(session: u64) -> Effect {
        Effect::Output {
            session: SessionId(session),
            output: Output::Prompt(deepwell_game::PromptFields::default()),
        }
    }

    fn data(session: u64) -> Effect {
        let data = deepwell_game::Data::ChannelText {
            channel: String::new(),
            talker: String::new(),
            text: String::new(),
        };
        Effect::Output { session: SessionId(session), output: Output::Data(std::sync::Arc::new(data)) }
    }

    /// Plays commands of sessions with their effects, each of which changed something or not.
    fn play(held: &mut Held, commands: Vec<(u64, bool, Effects)>) -> Effects {
        let command =
            |session| Input::Command { session: SessionId(session), line: format!("line {session}") };
        let inputs: Vec<Envelope> = commands.iter().map(|(session, ..)| command(*session).into()).collect();
        held.begin(&inputs);
        let mut out = Effects::new();
        for (_, is_read, effects) in commands {
            out.extend(effects);
            held.note_played(out.len(), is_read);
        }
        out
    }

    /// Describes output in short: `1:!` is a mark for the first session.
    fn told(effects: &Effects) -> Vec<String> {
        let word = |effect: &Effect| match effect {
            Effect::Output { session, output: Output::Text(_, text) } if *text == notice(UNCONFIRMED) => {
                format!("{}:!", session.0)
            }
            Effect::Output { session, output: Output::Text(_, text) } => {
                format!("{}:{}", session.0, text.text())
            }
            Effect::Output { session, output: Output::Prompt(_) } => format!("{}:>", session.0),
            Effect::Output { session, .. } => format!("{}:data", session.0),
            _ => "other".to_owned(),
        };
        effects.iter().map(word).collect()
    }

    /// O4: of a batch that waits for the disk, the commands that changed nothing are answered, with a mark, and all others
    /// wait.
    #[test]
    fn o4_reads_of_a_held_batch_are_answered_once_the_disk_is_slow() {
        let mut held = Held::default();
        let look = |session| vec![text(session, Class::Room, "room"), data(session), prompt(session)];
        let drop = vec![text(1, Class::Reply, "dropped"), text(2, Class::Notice, "drops"), prompt(1)];
        let speak = vec![text(4, Class::Speech, "You say"), text(1, Class::Speech, "he says"), prompt(4)];
        let out =
            play(&mut held, vec![(2, true, look(2)), (1, false, drop), (3, true, look(3)), (4, true, speak)]);
        held.hold(Ticket(1), out);
        let out = play(&mut held, vec![(5, true, look(5))]);
        assert_eq!(held.pass(out), None);
        let answers = held.take_answers();
        let expected = [
            "2:!", "2:room", "2:>", "3:!", "3:room", "3:>", "4:You say", "1:he says", "4:>", "5:!", "5:room",
            "5:>",
        ];
        assert_eq!(told(&answers), expected);
        assert_eq!(held.waiting(), &BTreeSet::from([1, 2].map(SessionId)), "their news are of the change");
        assert_eq!(told(&held.take_answers()), [""; 0], "once");
        held.committed(Ticket(1));
        let later = released(&mut held);
        let later: Vec<_> = later.iter().map(told).collect();
        assert_eq!(later, [vec!["2:data", "1:dropped", "2:drops", "1:>", "3:data"], vec!["5:data"]]);
        assert_eq!(held.effects, 0);
    }

    /// O4: a client whose change waits for the disk can look, too. If the commit fails, only the change is reported as not
    /// answered.
    #[test]
    fn o4_client_with_held_output_is_answered_with_a_mark() {
        let mut held = Held::default();
        let out = play(&mut held, vec![(1, false, vec![text(1, Class::Reply, "dropped"), prompt(1)])]);
        held.hold(Ticket(1), out);
        assert!(held.take_answers().is_empty());
        let look = vec![text(1, Class::Room, "room"), text(1, Class::Room, "exits"), data(1), prompt(1)];
        let refused = vec![text(2, Class::Refusal, "no"), prompt(2)];
        let out = play(&mut held, vec![(1, true, look), (2, true, refused)]);
        let sent = held.pass_by(out, 10);
        assert_eq!(told(&sent), ["1:!", "1:room", "1:exits", "1:>", "2:no", "2:>"]);
        assert_eq!(held.clear(), [TypedCommand { session: SessionId(1), line: "line 1".to_owned() }]);
    }

    /// N4: what players say while the disk does not respond is shown outside at once, and not collected.
    #[test]
    fn n4_public_events_do_not_wait_for_other_batches() {
        let mut held = Held::default();
        let news = || Effect::Public(Box::new(deepwell_game::PublicEvent::News { text: "x".into() }));
        assert_eq!(held.pass_by(vec![news(), news()], 0).len(), 2);
        assert!(held.release().is_none());
    }
}
