//! Who is connected: carries effects and words to the clients they are for, and remembers enough of each to attach
//! it again to a world that had to be rebuilt. Owned by the driver; a client leaves it when its task ends.

use std::collections::BTreeMap;
use std::mem;
use std::net::IpAddr;
use std::sync::Arc;

use crate::base::{AccountId, SessionId, Span};
use crate::game::{Closed, Declined, Effect, Effects, Input, Packages};
use crate::net::Outbox;
use crate::server::inspection::Asked;
use crate::session::Delivery;
use crate::text::{Markup, Style};
use crate::world::Settings;

/// All connected clients.
#[derive(Debug, Default)]
pub struct Router {
    clients: BTreeMap<SessionId, Client>,
    /// Whose outbox was filled and whose task sleeps on.
    filled: Vec<SessionId>,
    /// Operators who await an answer of the game.
    pub(super) operators: Asked<Result<Vec<String>, Declined>>,
}

#[derive(Debug)]
struct Client {
    address: IpAddr,
    outbox: Arc<Outbox>,
    stage: Stage,
    wants: Packages,
}

/// How far a client has come.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Stage {
    /// The game does not know it.
    Outside,
    /// The game has been asked to let it in; the answer has not been delivered.
    Entering,
    /// It plays, and has been told so.
    Playing { account: AccountId, name: String },
}

impl Router {
    /// A client is there.
    pub fn connect(&mut self, session: SessionId, address: IpAddr, outbox: Arc<Outbox>) {
        let client = Client { address, outbox, stage: Stage::Outside, wants: Packages::new() };
        self.clients.insert(session, client);
    }

    /// A client is gone. Returns whether the game may know it, and so must be told.
    pub fn end(&mut self, session: SessionId) -> bool {
        let Some(mut client) = self.clients.remove(&session) else { return false };
        let known = client.stage != Stage::Outside;
        client.leave(session, "the connection ended");
        known
    }

    /// Where a client calls from, and its outbox.
    pub fn client(&self, session: SessionId) -> Option<(IpAddr, Arc<Outbox>)> {
        self.clients.get(&session).map(|client| (client.address, Arc::clone(&client.outbox)))
    }

    /// The account with which a client plays.
    pub fn account(&self, session: SessionId) -> Option<AccountId> {
        match self.clients.get(&session)?.stage {
            Stage::Playing { account, .. } => Some(account),
            Stage::Outside | Stage::Entering => None,
        }
    }

    /// Clients in all.
    pub fn len(&self) -> usize {
        self.clients.len()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.clients.is_empty()
    }

    /// Clients that play.
    pub fn playing(&self) -> usize {
        self.clients.values().filter(|client| matches!(client.stage, Stage::Playing { .. })).count()
    }

    /// Notes what an input says of its client. Returns whether the input may go to the game: what a client sent
    /// before it left must not arrive after.
    pub fn admit(&mut self, input: &Input) -> bool {
        let Some(session) = input.session() else { return true };
        let Some(client) = self.clients.get_mut(&session) else { return false };
        match input {
            _ if input.enters() => client.stage = Stage::Entering,
            Input::Wants { packages, .. } => client.wants.clone_from(packages),
            _ => {}
        }
        true
    }

    /// Carries effects to their clients, one wake-up each. Returns after which time staff want the server stopped.
    pub fn route(&mut self, effects: Effects) -> Option<Span> {
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
            let cast_out =
                matches!(effect, Effect::Refused { .. }) && matches!(client.stage, Stage::Playing { .. });
            if client.follow(session, &effect) {
                client.outbox.put([Delivery::Effect(effect)]);
                self.filled.push(session);
            }
            if cast_out {
                // It played, and the rebuilt world does not know it: there is no login dialog to go back to.
                client.outbox.put([Delivery::Effect(Effect::Close { session, why: Closed::Lost })]);
            }
        }
        self.wake();
        stop
    }

    /// Gives one client one thing.
    pub fn deliver(&self, session: SessionId, delivery: Delivery) {
        if let Some(client) = self.clients.get(&session) {
            client.outbox.deliver(delivery);
        }
    }

    /// Shows a line to everybody who plays, or to really everybody.
    pub fn show(&self, text: &Arc<Markup>, really_everybody: bool) {
        for client in self.clients.values() {
            if really_everybody || matches!(client.stage, Stage::Playing { .. }) {
                client.outbox.deliver(Delivery::Show(Arc::clone(text)));
            }
        }
    }

    /// Tells one client, if it plays, that a line of its will have no answer.
    pub fn not_answered(&self, session: SessionId, text: &Arc<Markup>) {
        if self.account(session).is_some() {
            self.deliver(session, Delivery::NotAnswered(Arc::clone(text)));
        }
    }

    /// Tells everybody who plays that they are attached again and that an answer they may await to a password is lost:
    /// one sentence for the player.
    pub fn reattached(&self, words: &'static str) {
        for client in self.clients.values().filter(|client| matches!(client.stage, Stage::Playing { .. })) {
            client.outbox.deliver(Delivery::Reattached(words));
        }
    }

    /// Closes one client, which the game does not know any more.
    pub fn close(&mut self, session: SessionId, text: &Arc<Markup>, why: Closed) {
        if let Some(client) = self.clients.get_mut(&session) {
            client.leave(session, why.words());
            client.outbox.put([Delivery::Show(Arc::clone(text))]);
            client.outbox.deliver(Delivery::Effect(Effect::Close { session, why }));
        }
    }

    /// Closes everybody. The game still knows who played and is told as each one goes.
    pub fn close_all(&self, why: Closed) {
        for (&session, client) in &self.clients {
            client.outbox.deliver(Delivery::Effect(Effect::Close { session, why }));
        }
    }

    /// What attaches everybody who plays, from nowhere.
    pub fn seats(&self) -> Vec<Input> {
        self.clients.iter().flat_map(|(&session, client)| client.seat(session)).collect()
    }

    /// The same of one client.
    pub fn seat(&self, session: SessionId) -> Vec<Input> {
        self.clients.get(&session).map(|client| client.seat(session)).unwrap_or_default()
    }

    /// Inputs that attach everybody who plays to a rebuilt game, and who was on the way in and must ask again.
    pub fn attach_again(&mut self) -> (Vec<Input>, Vec<SessionId>) {
        let mut inputs = Vec::new();
        let mut again = Vec::new();
        for (&session, client) in &mut self.clients {
            if client.stage == Stage::Entering {
                client.stage = Stage::Outside;
                again.push(session);
            }
            let address = client.address;
            inputs.extend(client.seat(session).into_iter().map(|input| match input {
                login @ Input::Login { .. } => login.from(address),
                other => other,
            }));
        }
        (inputs, again)
    }

    fn wake(&mut self) {
        self.filled.sort_unstable();
        self.filled.dedup();
        for session in self.filled.drain(..) {
            if let Some(client) = self.clients.get(&session) {
                client.outbox.wake();
            }
        }
    }
}

impl Client {
    /// Follows what an effect says of it. Returns whether it should hear of that: one that is attached again plays already
    /// and must not enter twice.
    fn follow(&mut self, session: SessionId, effect: &Effect) -> bool {
        match effect {
            Effect::Entered { account, name, .. } => {
                let playing = matches!(self.stage, Stage::Playing { .. });
                if !playing {
                    tracing::info!(session = session.0, %name, address = %self.address, "logged in");
                }
                self.stage = Stage::Playing { account: *account, name: name.clone() };
                return !playing;
            }
            Effect::Refused { .. } => self.leave(session, "the world does not know them"),
            Effect::Close { why, .. } => self.leave(session, why.words()),
            _ => {}
        }
        true
    }

    /// Is known to the game no more.
    fn leave(&mut self, session: SessionId, why: &str) {
        if let Stage::Playing { name, .. } = mem::replace(&mut self.stage, Stage::Outside) {
            tracing::info!(session = session.0, %name, address = %self.address, why, "logged out");
        }
    }

    /// What attaches it to a game, if it plays.
    fn seat(&self, session: SessionId) -> Vec<Input> {
        let Stage::Playing { account, name } = &self.stage else { return Vec::new() };
        let (account, name) = (*account, name.clone());
        vec![
            Input::Login { session, account, name, pre_login: Settings::default(), goes_on: true },
            Input::Wants { session, packages: self.wants.clone() },
        ]
    }
}

/// A line from the server; no player can begin one like this.
pub(super) fn notice(words: &str) -> Arc<Markup> {
    Arc::new(Markup::styled(Style::System, &format!("Server: {words}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::CharacterId;
    use crate::game::{Class, Output, Package};
    use std::io;
    use std::net::Ipv4Addr;
    use std::sync::Mutex;

    const ONE: SessionId = SessionId(1);

    fn router() -> (Router, Arc<Outbox>) {
        let outbox = Arc::new(Outbox::new(10_000));
        let mut router = Router::default();
        router.connect(ONE, Ipv4Addr::LOCALHOST.into(), Arc::clone(&outbox));
        (router, outbox)
    }

    fn login() -> Input {
        Input::Login {
            session: ONE,
            account: AccountId(7),
            name: "Ann".to_owned(),
            pre_login: Settings::default(),
            goes_on: false,
        }
    }

    fn entered() -> Effect {
        Effect::Entered {
            session: ONE,
            account: AccountId(7),
            character: CharacterId(3),
            name: "Ann".to_owned(),
            settings: Settings::default(),
        }
    }

    fn text(words: &str) -> Effect {
        let output = Output::Text(Class::Notice, Arc::new(Markup::plain(words)));
        Effect::Output { session: ONE, output }
    }

    /// What is logged while something is done.
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
    fn coming_and_going_are_one_line_each_with_name_and_address() {
        let log = logged(|| {
            let (mut router, _outbox) = router();
            router.admit(&login());
            router.route(vec![entered()]);
            router.route(vec![entered(), text("Attached again.")]);
            router.route(vec![Effect::Close { session: ONE, why: Closed::Quit }]);
            router.end(ONE);
            router.connect(ONE, Ipv4Addr::LOCALHOST.into(), Arc::new(Outbox::new(10_000)));
            router.route(vec![entered()]);
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

    fn taken(outbox: &Outbox) -> Vec<Delivery> {
        let mut out = Vec::new();
        outbox.take(&mut out).unwrap();
        out
    }

    #[test]
    fn effects_reach_their_client_in_order_and_strangers_are_skipped() {
        let (mut router, outbox) = router();
        let stray = Effect::Close { session: SessionId(9), why: Closed::Idle };
        let stop = router.route(vec![text("a"), stray, text("b"), Effect::Stop { after: Span(5) }]);
        assert_eq!(stop, Some(Span(5)));
        assert_eq!(taken(&outbox), [Delivery::Effect(text("a")), Delivery::Effect(text("b"))]);
    }

    #[test]
    fn a_late_login_of_a_client_that_has_gone_is_not_let_in() {
        let (mut router, _outbox) = router();
        assert!(!router.end(ONE));
        assert!(!router.admit(&login()));
        assert!(router.admit(&Input::Wake) && router.is_empty());
    }

    #[test]
    fn n14_the_game_is_told_of_a_loss_even_while_the_answer_to_the_login_is_held() {
        let (mut router, _outbox) = router();
        assert!(router.admit(&login()));
        assert!(router.end(ONE));
    }

    #[test]
    fn d5_who_plays_is_attached_again_and_enters_only_once() {
        let (mut router, outbox) = router();
        let packages = Packages::from([Package::Room]);
        router.admit(&login());
        let wants = Input::Wants { session: ONE, packages };
        router.admit(&wants);
        router.route(vec![entered()]);
        assert_eq!(taken(&outbox).len(), 1);
        let (inputs, waiting) = router.attach_again();
        let (account, name, pre_login) = (AccountId(7), "Ann".to_owned(), Settings::default());
        let again = Input::Login { session: ONE, account, name, pre_login, goes_on: true };
        assert_eq!(inputs, [again.from(Ipv4Addr::LOCALHOST.into()), wants]);
        assert!(waiting.is_empty());
        router.route(vec![entered(), text("Here you are.")]);
        assert_eq!(taken(&outbox), [Delivery::Effect(text("Here you are."))]);
    }

    #[test]
    fn d5_who_was_on_the_way_in_must_ask_again() {
        let (mut router, _outbox) = router();
        router.admit(&login());
        assert_eq!(router.attach_again(), (Vec::new(), vec![ONE]));
        assert!(!router.end(ONE));
    }
}
