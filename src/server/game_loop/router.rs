//! Connected clients: delivers effects and notices to them, and stores enough of each to attach it again to a rebuilt
//! world. Owned by the driver; a client is removed when its task ends.
//!
//! Answers wake the connection of their client at once. Other output, such as what others say, wakes connections at most
//! every `GATHER`, so that a connection in a crowd writes several lines at a time.

use std::collections::BTreeMap;
use std::mem;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::net::ClientOutbox;
use crate::server::game_loop::inspection::WaitingInspections;
use crate::session::Delivery;
use deepwell_core::base::{AccountId, SessionId, Span};
use deepwell_core::text::{Markup, Style};
use deepwell_game::{CloseReason, Declined, Effect, Effects, Envelope, Input, Output, Packages};

/// Answer to a password dialog whose outcome is lost.
pub(in crate::server) const PERHAPS: &str = "It is not certain that anything was changed. Please try again.";
/// Shortest time between two writes of output that answers no command.
const GATHER: Duration = Duration::from_millis(30);

/// All connected clients.
#[derive(Debug, Default)]
pub struct Router {
    clients: BTreeMap<SessionId, RoutedClient>,
    /// Sessions with an answer or much other output in their outbox, whose task has not been woken.
    answered: Vec<SessionId>,
    /// Sessions with other output in their outbox, whose task has not been woken for it.
    gathered: Vec<SessionId>,
    /// Time when the tasks of `gathered` may be woken.
    gather_until: Option<Instant>,
    /// Operators that wait for an answer of the game.
    pub(in crate::server) operators: WaitingInspections<Result<Vec<String>, Declined>>,
}

#[derive(Debug)]
struct RoutedClient {
    address: IpAddr,
    outbox: Arc<ClientOutbox>,
    stage: LoginStage,
    wants: Packages,
}

/// Login stage of a client.
#[derive(Clone, PartialEq, Eq, Debug)]
enum LoginStage {
    /// Not known to the game.
    Outside,
    /// The login has been passed to the game; its answer has not been delivered.
    Entering,
    /// Logged in, and notified.
    Playing { account: AccountId, name: String },
}

impl Router {
    /// Adds a client.
    pub fn connect(&mut self, session: SessionId, address: IpAddr, outbox: Arc<ClientOutbox>) {
        let client = RoutedClient { address, outbox, stage: LoginStage::Outside, wants: Packages::new() };
        self.clients.insert(session, client);
    }

    /// Marks a client as logged in to an earlier run of the game. Returns the input that attaches it to this one.
    pub fn resume(&mut self, session: SessionId, (account, name): (AccountId, String)) -> Input {
        if let Some(client) = self.clients.get_mut(&session) {
            client.stage = LoginStage::Playing { account, name: name.clone() };
            client.outbox.deliver(Delivery::Reattached(PERHAPS.into()));
        }
        Input::Login { session, account, name, pre_login: Box::default(), goes_on: true }
    }

    /// Wakes the tasks of all clients that have output.
    pub fn wake_all(&self) {
        for client in self.clients.values() {
            client.outbox.wake_if_filled();
        }
    }

    /// Removes a client. Returns `true` if the game may know the client and must be notified.
    pub fn end(&mut self, session: SessionId) -> bool {
        let Some(mut client) = self.clients.remove(&session) else { return false };
        let known = client.stage != LoginStage::Outside;
        client.leave(session, "the connection ended");
        known
    }

    /// Returns a client's address and outbox.
    pub fn client(&self, session: SessionId) -> Option<(IpAddr, Arc<ClientOutbox>)> {
        self.clients.get(&session).map(|client| (client.address, Arc::clone(&client.outbox)))
    }

    /// Returns the account that a client plays with.
    pub fn account(&self, session: SessionId) -> Option<AccountId> {
        match self.clients.get(&session)?.stage {
            LoginStage::Playing { account, .. } => Some(account),
            LoginStage::Outside | LoginStage::Entering => None,
        }
    }

    /// Returns the number of clients.
    pub fn len(&self) -> usize {
        self.clients.len()
    }

    /// Returns `true` if no client is connected.
    pub fn is_empty(&self) -> bool {
        self.clients.is_empty()
    }

    /// Returns the number of logged-in clients.
    pub fn playing(&self) -> usize {
        self.clients.values().filter(|client| matches!(client.stage, LoginStage::Playing { .. })).count()
    }

    /// Records what an input reveals about its client. Returns `true` if the input may be passed to the game; inputs of
    /// a client that has left are dropped.
    pub fn admit(&mut self, input: &Input) -> bool {
        let Some(session) = input.session() else { return true };
        let Some(client) = self.clients.get_mut(&session) else { return false };
        match input {
            _ if input.enters() => client.stage = LoginStage::Entering,
            Input::Wants { packages, .. } => client.wants.clone_from(packages),
            _ => {}
        }
        true
    }

    /// Delivers effects to their clients, with at most one wake-up each. Returns the delay of a stop requested by staff,
    /// if any.
    pub fn route(&mut self, effects: Effects, now: Instant) -> Option<Span> {
        let mut stop = None;
        for effect in effects {
            match &effect {
                Effect::Stop { after } => stop = Some(*after),
                Effect::Answered { asker, answer } => self.operators.answer(*asker, answer.clone()),
                Effect::Warning { text } => tracing::warn!(%text, "content"),
                _ => {}
            }
            let Some(session) = effect.session() else { continue };
            let Some(client) = self.clients.get_mut(&session) else { continue };
            let cast_out = matches!(effect, Effect::Refused { .. })
                && matches!(client.stage, LoginStage::Playing { .. });
            if client.follow(session, &effect) {
                let may_wait = may_be_gathered(&effect);
                let is_urgent = client.outbox.put([Delivery::Effect(effect)]);
                if is_urgent || !may_wait {
                    self.answered.push(session);
                } else {
                    self.gathered.push(session);
                }
            }
            if cast_out {
                // The client was logged in, but the rebuilt world does not know it. It cannot return to the login
                // dialogue.
                client.outbox.put([Delivery::Effect(Effect::Close { session, why: CloseReason::Lost })]);
            }
        }
        for client in take_clients(&self.clients, &mut self.answered) {
            client.outbox.wake();
        }
        if self.gather_until.is_none_or(|until| until <= now) {
            self.wake_gathered(now);
        }
        stop
    }

    /// Returns the time of the next call of [`wake_gathered`](Self::wake_gathered).
    pub fn wakes_at(&self) -> Option<Instant> {
        self.gather_until.filter(|_| !self.gathered.is_empty())
    }

    /// Wakes the tasks of the clients whose gathered output has not been written together with an answer.
    pub fn wake_gathered(&mut self, now: Instant) {
        if self.gathered.is_empty() {
            return;
        }
        self.gather_until = Some(now + GATHER);
        for client in take_clients(&self.clients, &mut self.gathered) {
            client.outbox.wake_if_filled();
        }
    }

    /// Delivers a message to one client.
    pub fn deliver(&self, session: SessionId, delivery: Delivery) {
        if let Some(client) = self.clients.get(&session) {
            client.outbox.deliver(delivery);
        }
    }

    /// Shows a text to all logged-in clients, or with `to_all_clients` to all clients.
    pub fn show(&self, text: &Arc<Markup>, to_all_clients: bool) {
        for client in self.clients.values() {
            if to_all_clients || matches!(client.stage, LoginStage::Playing { .. }) {
                client.outbox.deliver(Delivery::Show(Arc::clone(text)));
            }
        }
    }

    /// Tells a logged-in client that one of its commands will not be answered.
    pub fn not_answered(&self, session: SessionId, text: &Arc<Markup>) {
        if self.account(session).is_some() {
            self.deliver(session, Delivery::NotAnswered(Arc::clone(text)));
        }
    }

    /// Tells all logged-in clients that they are attached again and that the answer to a pending password check is
    /// lost. `message` is shown to the player.
    pub fn reattached(&self, message: &'static str) {
        for client in
            self.clients.values().filter(|client| matches!(client.stage, LoginStage::Playing { .. }))
        {
            client.outbox.deliver(Delivery::Reattached(message.into()));
        }
    }

    /// Closes a client that the game no longer knows.
    pub fn close(&mut self, session: SessionId, text: &Arc<Markup>, why: CloseReason) {
        if let Some(client) = self.clients.get_mut(&session) {
            client.leave(session, why.words());
            client.outbox.put([Delivery::Show(Arc::clone(text))]);
            client.outbox.deliver(Delivery::Effect(Effect::Close { session, why }));
        }
    }

    /// Closes all clients. The game still knows the logged-in ones and is notified as each leaves.
    pub fn close_all(&self, why: CloseReason) {
        for (&session, client) in &self.clients {
            client.outbox.deliver(Delivery::Effect(Effect::Close { session, why }));
        }
    }

    /// Returns the inputs that attach all logged-in clients, without addresses.
    pub fn seats(&self) -> Vec<Envelope> {
        self.clients.iter().flat_map(|(&session, client)| client.seat(session)).collect()
    }

    /// Returns the inputs that attach one client.
    pub fn seat(&self, session: SessionId) -> Vec<Envelope> {
        self.clients.get(&session).map(|client| client.seat(session)).unwrap_or_default()
    }

    /// Returns the inputs that attach all logged-in clients to a rebuilt game, and the sessions that were logging in
    /// and must repeat their request.
    pub fn attach_again(&mut self) -> (Vec<Envelope>, Vec<SessionId>) {
        let mut inputs = Vec::new();
        let mut again = Vec::new();
        for (&session, client) in &mut self.clients {
            if client.stage == LoginStage::Entering {
                client.stage = LoginStage::Outside;
                again.push(session);
            }
            let address = client.address;
            inputs.extend(client.seat(session).into_iter().map(|input| input.sent_from(address)));
        }
        (inputs, again)
    }
}

/// Empties a list of sessions, and returns each of their clients once.
fn take_clients<'a>(
    clients: &'a BTreeMap<SessionId, RoutedClient>,
    sessions: &'a mut Vec<SessionId>,
) -> impl Iterator<Item = &'a RoutedClient> {
    sessions.sort_unstable();
    sessions.dedup();
    sessions.drain(..).filter_map(|session| clients.get(&session))
}

/// Returns `true` for output that may wait until more of it can be written together. The answer to a command ends with a
/// prompt, which may not.
const fn may_be_gathered(effect: &Effect) -> bool {
    matches!(effect, Effect::Output { output: Output::Text(..) | Output::Data(_), .. })
}

impl RoutedClient {
    /// Applies an effect to the client's stage. Returns `true` if the effect is to be delivered: a client that is
    /// attached again must not enter twice.
    fn follow(&mut self, session: SessionId, effect: &Effect) -> bool {
        match effect {
            Effect::Entered { account, name, .. } => {
                let playing = matches!(self.stage, LoginStage::Playing { .. });
                if !playing {
                    tracing::info!(session = session.0, %name, address = %self.address, "logged in");
                }
                self.stage = LoginStage::Playing { account: *account, name: name.clone() };
                return !playing;
            }
            Effect::Refused { .. } => self.leave(session, "unknown to the reloaded world"),
            Effect::Close { why, .. } => self.leave(session, why.words()),
            _ => {}
        }
        true
    }

    /// Marks the client as no longer known to the game.
    fn leave(&mut self, session: SessionId, why: &str) {
        if let LoginStage::Playing { name, .. } = mem::replace(&mut self.stage, LoginStage::Outside) {
            tracing::info!(session = session.0, %name, address = %self.address, why, "logged out");
        }
    }

    /// Returns the inputs that attach the client to a game, if it is logged in.
    fn seat(&self, session: SessionId) -> Vec<Envelope> {
        let LoginStage::Playing { account, name } = &self.stage else { return Vec::new() };
        let (account, name) = (*account, name.clone());
        vec![
            Input::Login { session, account, name, pre_login: Box::default(), goes_on: true }.into(),
            Input::Wants { session, packages: self.wants.clone() }.into(),
        ]
    }
}

/// Formats a server notice; no player can send text with this prefix.
pub(in crate::server) fn notice(message: &str) -> Arc<Markup> {
    Arc::new(Markup::styled(Style::System, &format!("Server: {message}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::CharacterId;
    use deepwell_game::{Class, Package};
    use std::io;
    use std::net::Ipv4Addr;
    use std::sync::Mutex;

    const ONE: SessionId = SessionId(1);

    fn router() -> (Router, Arc<ClientOutbox>) {
        let outbox = Arc::new(ClientOutbox::new(10_000));
        let mut router = Router::default();
        router.connect(ONE, Ipv4Addr::LOCALHOST.into(), Arc::clone(&outbox));
        (router, outbox)
    }

    fn login() -> Input {
        Input::Login {
            session: ONE,
            account: AccountId(7),
            name: "Ann".to_owned(),
            pre_login: Box::default(),
            goes_on: false,
        }
    }

    fn entered() -> Effect {
        Effect::Entered {
            session: ONE,
            account: AccountId(7),
            character: CharacterId(3),
            name: "Ann".to_owned(),
            settings: Box::default(),
        }
    }

    fn text(text: &str) -> Effect {
        let output = Output::Text(Class::Notice, Arc::new(Markup::plain(text)));
        Effect::Output { session: ONE, output }
    }

    /// Returns the log lines written during `work`.
    fn logged(work: impl FnOnce()) -> String {
        let written = Written::default();
        let writer = {
            let written = written.clone();
            move || written.clone()
        };
        let lines =
            tracing_subscriber::fmt().without_time().with_target(false).with_ansi(false).with_writer(writer);
        tracing::subscriber::with_default(lines.finish(), work);
        String::from_utf8(written.0.lock().unwrap().clone()).unwrap()
    }

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn login_and_logout_are_logged_once_with_name_and_address() {
        let log = logged(|| {
            let (mut router, _outbox) = router();
            router.admit(&login());
            router.route(vec![entered()], Instant::now());
            router.route(vec![entered(), text("Attached again.")], Instant::now());
            router.route(vec![Effect::Close { session: ONE, why: CloseReason::Quit }], Instant::now());
            router.end(ONE);
            router.connect(ONE, Ipv4Addr::LOCALHOST.into(), Arc::new(ClientOutbox::new(10_000)));
            router.route(vec![entered()], Instant::now());
            router.end(ONE);
        });
        assert_eq!(
            log.lines().map(str::trim).collect::<Vec<_>>(),
            [
                "INFO logged in session=1 name=Ann address=127.0.0.1",
                "INFO logged out session=1 name=Ann address=127.0.0.1 why=\"quit\"",
                "INFO logged in session=1 name=Ann address=127.0.0.1",
                "INFO logged out session=1 name=Ann address=127.0.0.1 why=\"the connection ended\"",
            ]
        );
    }

    fn taken(outbox: &ClientOutbox) -> Vec<Delivery> {
        let mut out = Vec::new();
        outbox.take(&mut out).unwrap();
        out
    }

    #[test]
    fn effects_reach_their_client_in_order() {
        let (mut router, outbox) = router();
        let stray = Effect::Close { session: SessionId(9), why: CloseReason::Idle };
        let stop =
            router.route(vec![text("a"), stray, text("b"), Effect::Stop { after: Span(5) }], Instant::now());
        assert_eq!(stop, Some(Span(5)));
        assert_eq!(taken(&outbox), [Delivery::Effect(text("a")), Delivery::Effect(text("b"))]);
    }

    #[test]
    fn late_login_of_disconnected_client_is_dropped() {
        let (mut router, _outbox) = router();
        assert!(!router.end(ONE));
        assert!(!router.admit(&login()));
        assert!(router.admit(&Input::Wake) && router.is_empty());
    }

    #[test]
    fn n14_disconnect_during_login_is_reported() {
        let (mut router, _outbox) = router();
        assert!(router.admit(&login()));
        assert!(router.end(ONE));
    }

    #[test]
    fn d5_playing_client_is_reattached_and_enters_once() {
        let (mut router, outbox) = router();
        let packages = Packages::from([Package::Room]);
        router.admit(&login());
        let wants = Input::Wants { session: ONE, packages };
        router.admit(&wants);
        router.route(vec![entered()], Instant::now());
        assert_eq!(taken(&outbox).len(), 1);
        let (inputs, waiting) = router.attach_again();
        let (account, name, pre_login) = (AccountId(7), "Ann".to_owned(), Box::default());
        let again = Input::Login { session: ONE, account, name, pre_login, goes_on: true };
        assert_eq!(inputs, [again, wants].map(|input| input.sent_from(Ipv4Addr::LOCALHOST.into())));
        assert!(waiting.is_empty());
        router.route(vec![entered(), text("Here you are.")], Instant::now());
        assert_eq!(taken(&outbox), [Delivery::Effect(text("Here you are."))]);
    }

    /// Returns `true` if the connection of a client has been woken since the last call.
    async fn is_woken(outbox: &ClientOutbox) -> bool {
        tokio::time::timeout(GATHER / 2, outbox.filled()).await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn speech_of_others_is_gathered_and_answers_are_not() {
        let (mut router, outbox) = router();
        let prompt = || Effect::Output {
            session: ONE,
            output: Output::Prompt(deepwell_game::PromptFields::default()),
        };
        router.route(vec![text("a")], Instant::now());
        assert!(is_woken(&outbox).await, "after silence");
        router.route(vec![text("b")], Instant::now());
        assert!(!is_woken(&outbox).await);
        router.route(vec![text("c"), prompt()], Instant::now());
        assert!(is_woken(&outbox).await, "an answer");
        assert_eq!(taken(&outbox).len(), 4, "with all that was gathered");
        router.wake_gathered(Instant::now());
        assert!(!is_woken(&outbox).await, "nothing is left");
        router.route(vec![text("d")], Instant::now());
        let until = router.wakes_at().expect("something is gathered");
        assert!(until > Instant::now());
        router.wake_gathered(until);
        assert!(is_woken(&outbox).await && router.wakes_at().is_none());
        router.route(vec![text("e"), text(&"x".repeat(3_000))], Instant::now());
        assert!(is_woken(&outbox).await, "more than a quarter of the queue");
    }

    #[test]
    fn d5_client_logging_in_must_retry() {
        let (mut router, _outbox) = router();
        router.admit(&login());
        assert_eq!(router.attach_again(), (Vec::new(), vec![ONE]));
        assert!(!router.end(ONE));
    }
}
