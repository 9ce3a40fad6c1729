//! GMCP messages of a client: rate limits, and subscriptions by package name. The game provides the data.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use deepwell_core::base::{GameTime, ItemId, Span};
use deepwell_game::{Ask, CloseReason, Data, Input, Package, Packages, packages_by_default};

use super::throttle::TokenBucket;
use super::{Request, Session, SessionAction, mudlet};
use crate::session::login::{gmcp, seat};

/// Rate and burst of GMCP messages, and likewise of subnegotiations of all options. A client needs far fewer.
const MESSAGES_PER_SECOND: u32 = 60;
const MESSAGES_BURST: u32 = 200;

/// Rate and burst of data requests. They are lower, because an answer is longer than its request.
const REQUESTS_PER_SECOND: u32 = 5;
const REQUESTS_BURST: u32 = 20;

/// Time after login at which a client that accepts GMCP but has named no packages gets all packages: Blightmud never
/// names any.
const SILENCE: Span = Span::secs(2);

/// Packages that a client supports, and those last reported to the game.
#[derive(Clone, Debug, Default)]
pub(super) struct Subscriptions {
    /// Requested packages and single messages, by name; `None` until the client has named any.
    named: Option<BTreeMap<&'static str, Package>>,
    /// Time at which a client that has named nothing gets all packages; `None` before login and afterwards.
    silent_until: Option<GameTime>,
    /// Packages last reported to the game.
    announced: Packages,
    /// Set if GMCP was agreed when `announced` was last compared with `named`; `None` if `named` has changed since.
    told_for: Option<bool>,
    /// Set if the client supports `Char.Login`.
    login: bool,
}

impl Subscriptions {
    /// Handles a `Core.Supports.*` message; `package` is in lower case. Returns `false`, without a change, for any
    /// other or a malformed message.
    pub(super) fn receive(&mut self, package: &str, body: &str) -> bool {
        let switch = match package {
            "core.supports.set" | "core.supports.add" => true,
            "core.supports.remove" => false,
            _ => return false,
        };
        let Ok(Value::Array(modules)) = serde_json::from_str(body) else { return false };
        if package == "core.supports.set" {
            self.named = None;
        }
        self.told_for = None;
        let named = self.named.get_or_insert_default();
        for module in modules.iter().filter_map(Value::as_str) {
            // A version may follow the module.
            let name = module.split_whitespace().next().unwrap_or_default();
            if name.eq_ignore_ascii_case(gmcp::MODULE) {
                self.login = switch;
            } else if let Some((package, name)) = Package::named(name) {
                if switch {
                    named.insert(name, package);
                } else if name == package.name() {
                    named.retain(|_, known| *known != package);
                } else {
                    named.remove(name);
                }
            }
        }
        true
    }

    /// Returns `true` if the client supports `Char.Login`.
    pub(super) const fn takes_login(&self) -> bool {
        self.login
    }

    /// Records that the client has entered the game.
    pub(super) fn entered(&mut self, now: GameTime) {
        self.silent_until = Some(now + SILENCE);
    }

    /// Returns the latest time for the next [`Subscriptions::news`].
    pub(super) fn next_deadline(&self) -> Option<GameTime> {
        self.silent_until
    }

    /// Returns the packages to report to the game, if they have changed. Called only while playing.
    pub(super) fn take_news(&mut self, agreed: bool, now: GameTime) -> Option<Packages> {
        if self.silent_until.is_some_and(|until| until <= now) {
            self.silent_until = None;
            if agreed && self.named.is_none() {
                let unasked = packages_by_default().into_iter();
                self.named = Some(unasked.map(|package| (package.name(), package)).collect());
                self.told_for = None;
            }
        }
        if self.told_for.replace(agreed) == Some(agreed) {
            return None;
        }
        let named = self.named.iter().filter(|_| agreed);
        let wants: Packages = named.flat_map(|named| named.values().copied()).collect();
        (wants != self.announced).then(|| {
            self.announced.clone_from(&wants);
            wants
        })
    }

    /// Returns the data that a message requests; `package` is in lower case. `None` if it requests none, or if the
    /// client does not support the answer.
    pub(super) fn asks(&self, package: &str, body: &str) -> Option<Ask> {
        let (package, ask) = match package {
            "char.items.inv" => (Package::Items, Ask::Pack),
            "char.items.room" => (Package::Items, Ask::Room),
            // A number or a string; some clients omit the quotes.
            "char.items.contents" => {
                (Package::Items, Ask::Contents(ItemId(body.trim().trim_matches('"').parse().ok()?)))
            }
            "comm.channel.players" => (Package::Channels, Ask::ChannelPlayers),
            "char.skills.get" => {
                let whole = if body.trim().is_empty() { "{}" } else { body };
                (Package::Skills, Ask::Skills(serde_json::from_str(whole).ok()?))
            }
            _ => return None,
        };
        self.announced.contains(&package).then_some(ask)
    }
}

impl Session {
    /// Handles a message of the client; `package` is in lower case. Unknown messages are ignored and counted.
    pub(super) fn message(&mut self, package: &str, body: &str, actions: &mut Vec<SessionAction>) {
        if !self.messages.take(self.now) {
            return;
        }
        match package {
            "core.ping" => self.screen.terminal().gmcp("Core.Ping", ""),
            "core.keepalive" => self.input_at = self.now,
            "char.login.credentials" => gmcp::take_credentials(self, body, actions),
            "deepwell.seat.keep" => seat::keep(self, body, actions),
            "deepwell.seat.take" => seat::take(self, body, actions),
            "core.hello" => {
                if let Some((name, version)) = hello(body) {
                    self.screen.terminal().name_client(&name, &version);
                    mudlet::offer_package(self, &name);
                }
            }
            _ => {
                if !self.subscribe(package, body)
                    && !self.door_message(package, body, actions)
                    && !self.request(package, body, actions)
                {
                    self.ignored = self.ignored.saturating_add(1);
                }
            }
        }
    }

    /// Requests data from the game; returns `false` if the message is no request. Requests over the rate limit are
    /// ignored.
    fn request(&mut self, package: &str, body: &str, actions: &mut Vec<SessionAction>) -> bool {
        // The same read may have contained new subscriptions.
        self.report_subscriptions(actions);
        let Some(what) = self.subscriptions.asks(package, body) else { return false };
        if self.is_playing() && self.requests.take(self.now) {
            actions.push(SessionAction::Ask(Request::Game(Input::Asks { session: self.id, what })));
        }
        true
    }

    /// Updates the subscriptions; returns `false` if the message does not change them. The game answers with all the
    /// data, so a change counts as a request.
    fn subscribe(&mut self, package: &str, body: &str) -> bool {
        package.starts_with("core.supports.")
            && self.requests.take(self.now)
            && self.subscriptions.receive(package, body)
    }

    /// Reports changed subscriptions to the game.
    pub(super) fn report_subscriptions(&mut self, actions: &mut Vec<SessionAction>) {
        if self.is_playing()
            && let Some(packages) = self.subscriptions.take_news(self.screen.capabilities().gmcp, self.now)
        {
            actions.push(SessionAction::Ask(Request::Game(Input::Wants { session: self.id, packages })));
        }
    }

    /// Sends data now, or later if it would exceed the rate limit.
    pub(super) fn data(&mut self, data: &Arc<Data>) {
        if let Some(data) = self.vitals_limit.pace(data, self.now) {
            self.send_data(&data);
        }
    }

    /// Sends data, if the client has subscribed to its package.
    pub(super) fn send_data(&mut self, data: &Data) {
        if self.subscriptions.announced.contains(&data.address().0)
            && let Ok(body) = data.body()
        {
            self.screen.terminal().gmcp(data.message(), &body);
        }
    }
}

/// Creates the rate limit of messages, or of subnegotiations.
pub(super) fn messages(now: GameTime) -> TokenBucket {
    TokenBucket::at_rate(MESSAGES_PER_SECOND, MESSAGES_BURST, now)
}

/// Creates the rate limit of requests.
pub(super) fn requests(now: GameTime) -> TokenBucket {
    TokenBucket::at_rate(REQUESTS_PER_SECOND, REQUESTS_BURST, now)
}

/// Returns the client's name and version from `Core.Hello`, with keys in any case; `None` without a name. The result is
/// untrusted and must be cleaned before it is shown.
pub(super) fn hello(body: &str) -> Option<(String, String)> {
    let Ok(Value::Object(fields)) = serde_json::from_str(body) else { return None };
    let find = |key: &str| {
        let (_, value) = fields.iter().find(|(name, _)| name.eq_ignore_ascii_case(key))?;
        value.as_str()
    };
    Some((find("client")?.to_owned(), find("version").unwrap_or_default().to_owned()))
}

/// Returns the body of `Core.Goodbye`: the reason for the end of the connection, as a JSON string.
pub(super) const fn goodbye(why: CloseReason) -> &'static str {
    match why {
        CloseReason::Quit => "\"Goodbye.\"",
        CloseReason::Idle => "\"You were silent for too long.\"",
        CloseReason::Flood => "\"Too much came at once.\"",
        CloseReason::TakenOver => "\"You have come in by another way.\"",
        CloseReason::Kicked => "\"The staff closed your connection.\"",
        CloseReason::NewPassword => "\"The password of your account has been changed.\"",
        CloseReason::LoggedOut => "\"Your account has been logged out everywhere.\"",
        CloseReason::Lost => "\"The connection broke.\"",
        CloseReason::LoginFailed => "\"You did not get in.\"",
        CloseReason::Shutdown => "\"The server stops.\"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(messages: &[(&str, &str)]) -> Option<Packages> {
        let mut subscriptions = Subscriptions::default();
        for (package, body) in messages {
            subscriptions.receive(package, body);
        }
        subscriptions.take_news(true, GameTime(0))
    }

    #[test]
    fn modules_match_in_any_case_and_version() {
        assert_eq!(
            after(&[("core.supports.set", r#"["CHAR 1","room","Comm.Channel 2","Char.Items 1","Party 1"]"#)]),
            Some(&packages_by_default() | &[Package::Items].into())
        );
        assert_eq!(
            after(&[("core.supports.add", r#"["Room 1"]"#), ("core.supports.add", r#"["Char 1"]"#)]),
            Some([Package::Character, Package::Room].into())
        );
        assert_eq!(
            after(&[
                ("core.supports.set", r#"["Room 1","Char 1"]"#),
                ("core.supports.remove", r#"["room"]"#)
            ]),
            Some([Package::Character].into())
        );
    }

    #[test]
    fn message_names_subscribe_to_their_packages() {
        let set = |names: &str| ("core.supports.set", names.to_owned());
        let subscribed = |messages: &[(&str, String)]| {
            let messages: Vec<_> = messages.iter().map(|(name, body)| (*name, body.as_str())).collect();
            after(&messages)
        };
        let both = Some([Package::Character, Package::Room].into());
        assert_eq!(subscribed(&[set(r#"["Room.Info 1","Char.Vitals 1"]"#)]), both);
        assert_eq!(subscribed(&[set(r#"["room.info","CHAR.VITALS 0"]"#)]), both);
        let remove = |names: &str| ("core.supports.remove", names.to_owned());
        let room = r#"["Room.Info 1","Room.Players 1","Char 1"]"#;
        assert_eq!(
            subscribed(&[set(room), remove(r#"["Room.Players"]"#)]),
            both,
            "another message is wanted still"
        );
        assert_eq!(subscribed(&[set(room), remove(r#"["Room"]"#)]), Some([Package::Character].into()));
        assert_eq!(subscribed(&[set(r#"["Room.Nonsense 1","Char.Login.Default 1"]"#)]), None);
    }

    /// Protocols 6.2: only a client that supports the answer may send the request.
    #[test]
    fn requests_require_support_for_the_answer() {
        let mut subscriptions = Subscriptions::default();
        assert_eq!(subscriptions.asks("char.items.inv", ""), None);
        subscriptions.receive("core.supports.set", r#"["Char.Items 1"]"#);
        subscriptions.take_news(true, GameTime(0));
        assert_eq!(subscriptions.asks("char.items.inv", ""), Some(Ask::Pack));
        assert_eq!(subscriptions.asks("char.items.room", "\"\""), Some(Ask::Room));
        for id in ["12", "\"12\"", " 12 "] {
            assert_eq!(
                subscriptions.asks("char.items.contents", id),
                Some(Ask::Contents(ItemId(12))),
                "{id}"
            );
        }
        for id in ["", "-1", "m12", "99999999999999999999", "[12]"] {
            assert_eq!(subscriptions.asks("char.items.contents", id), None, "{id}");
        }
        assert_eq!(subscriptions.asks("comm.channel.players", ""), None);
    }

    #[test]
    fn n10_malformed_subscription_changes_nothing() {
        for body in
            ["", "nonsense", "{\"Room\":1}", "\"Room 1\"", "[\"Room 1\"", "[[\"Room 1\"]]", "[1,null]"]
        {
            assert_eq!(after(&[("core.supports.set", body)]), None, "{body}");
        }
        assert_eq!(after(&[("core.hello", r#"["Room 1"]"#)]), None);
    }

    #[test]
    fn silent_client_gets_all_packages_after_two_seconds() {
        let mut subscriptions = Subscriptions::default();
        subscriptions.entered(GameTime(500));
        assert_eq!(subscriptions.next_deadline(), Some(GameTime(2_500)));
        assert_eq!(subscriptions.take_news(true, GameTime(2_499)), None);
        assert_eq!(subscriptions.take_news(true, GameTime(2_500)), Some(packages_by_default()));
        assert_eq!(subscriptions.take_news(true, GameTime(9_000)), None);
        assert_eq!(subscriptions.next_deadline(), None);
    }

    #[test]
    fn protocols_6_1_hello_names_the_client_in_any_case_and_order() {
        let named = Some(("Mudlet".to_owned(), "4.19".to_owned()));
        assert_eq!(hello(r#"{"client":"Mudlet","version":"4.19"}"#), named);
        assert_eq!(hello(r#"{"Version":"4.19","x":[1],"Client":"Mudlet"}"#), named);
        assert_eq!(hello(r#"{"client":"Mudlet","version":4}"#), Some(("Mudlet".to_owned(), String::new())));
        for body in ["", "Mudlet", "[\"client\"]", r#"{"client":7}"#, "{"] {
            assert_eq!(hello(body), None, "{body}");
        }
    }

    #[test]
    fn no_packages_are_reported_without_gmcp() {
        let mut subscriptions = Subscriptions::default();
        subscriptions.entered(GameTime(0));
        subscriptions.receive("core.supports.set", r#"["Room 1"]"#);
        assert_eq!(subscriptions.take_news(false, GameTime(5_000)), None);
        assert_eq!(subscriptions.take_news(true, GameTime(5_001)), Some([Package::Room].into()));
    }
}
