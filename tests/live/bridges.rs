//! Bridges to other chat networks, against stand-ins for them: events, speech, web hooks, Grapevine, and the bots in
//! `examples/bridges`.

use crate::PATIENCE;
use crate::client::Client;
use crate::server::Server;
use crate::stand_in::{Answer, Received, StandIn};
use crate::timing::until;
use crate::web::request;
use ring::hmac;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

const TOKEN: &str = "a-token-of-the-tests";
const KEY: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// Settings of a server whose bots share a channel.
const SHARED: [&str; 4] =
    ["ops.listen=127.0.0.1:0", "bridge.channels=ooc", "bridge.logins=true", "bridge.token_file=token"];

/// Prepares a server with the secrets of the tests, and starts it with these settings.
fn start(settings: &[&str]) -> Server {
    let mut server = Server::prepare_without_roamers(settings);
    for (name, secret) in [("token", TOKEN), ("key", KEY), ("grapevine", "client-secret")] {
        fs::write(server.folder().join(name), format!("{secret}\n")).unwrap();
    }
    server.restart(&[]);
    server
}

/// Sends a request to the endpoint, and returns status and body.
fn post(server: &Server, token: &str, body: &str) -> (String, String) {
    let head = format!("Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let mut stream = TcpStream::connect(server.port("ops")).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "POST /bridge/say HTTP/1.1\r\nHost: here\r\nConnection: close\r\n{head}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().to_owned(), body.to_owned())
}

fn say(server: &Server, text: &str) -> (String, String) {
    post(server, TOKEN, &json!({ "channel": "ooc", "name": "Ann", "via": "test", "text": text }).to_string())
}

/// Stream of events.
struct Events(BufReader<TcpStream>);

impl Events {
    /// Reads from now on.
    fn open(server: &Server) -> Self {
        Self::try_open(server, None).expect("a place for a reader")
    }

    /// Reads after an event, as soon as the server has noticed that the last reader has gone.
    fn reopen(server: &Server, last: &str) -> Self {
        let mut opened = None;
        until("the place of a reader", || {
            opened = Self::try_open(server, Some(last));
            opened.is_some()
        });
        opened.expect("a place for a reader")
    }

    /// Reads from now on, or after an event; `None` if there are too many readers.
    fn try_open(server: &Server, last: Option<&str>) -> Option<Self> {
        let mut stream = TcpStream::connect(server.port("ops")).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let last = last.map(|last| format!("Last-Event-ID: {last}\r\n")).unwrap_or_default();
        let head = format!("Host: here\r\nAuthorization: Bearer {TOKEN}\r\n{last}");
        write!(stream, "GET /bridge/events HTTP/1.1\r\n{head}\r\n").unwrap();
        let mut events = Self(BufReader::new(stream));
        let mut status = String::new();
        events.0.read_line(&mut status).unwrap();
        if !status.starts_with("HTTP/1.1 200 ") {
            return None;
        }
        // The first line of the stream shows that the server has begun to read.
        assert_eq!(events.field("retry"), "1000");
        Some(events)
    }

    /// Returns the value of the next field of this name.
    fn field(&mut self, name: &str) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.0.read_line(&mut line).unwrap(), 0, "the stream has ended");
            if let Some(value) = line.trim_end().strip_prefix(&format!("{name}: ")) {
                return value.to_owned();
            }
        }
    }

    fn next(&mut self) -> Value {
        serde_json::from_str(&self.field("data")).unwrap()
    }
}

/// Asserts that an event is speech on the shared channel.
fn assert_speech(event: &Value, name: &str, via: Option<&str>, text: &str) {
    let fields = [&event["kind"], &event["channel"], &event["name"], &event["via"], &event["text"]];
    assert_eq!(fields, [&json!("speech"), &json!("ooc"), &json!(name), &json!(via), &json!(text)], "{event}");
}

/// A bot reads what is said, continues where it stopped, and speaks; without the token it does neither.
#[test]
fn bot_reads_events_and_speaks() {
    let server = start(&[SHARED.as_slice(), &["bridge.readers=1", "bridge.lines_per_minute=4"]].concat());
    let mut olad = server.create("Olad");
    let mut events = Events::open(&server);
    olad.send("ooc Good evening.");
    let first = events.next();
    assert_speech(&first, "Olad", None, "Good evening.");
    assert_eq!(say(&server, "Hello, Olad."), ("204".into(), String::new()));
    olad.expect("[Ooc] Ann (test): Hello, Olad.");
    assert_speech(&events.next(), "Ann", Some("test"), "Hello, Olad.");

    let busy = request_events(&server, TOKEN);
    assert!(busy.starts_with("HTTP/1.1 503") && busy.contains("bridge.readers"), "{busy}");
    drop(events);
    olad.send("quit");
    olad.last_words();
    assert!(request_events(&server, "wrong").starts_with("HTTP/1.1 401"));
    let mut events = Events::reopen(&server, first["id"].as_str().unwrap());
    assert_speech(&events.next(), "Ann", Some("test"), "Hello, Olad.");
    assert_eq!(events.next()["kind"], "logout");

    let body = json!({ "channel": "ooc", "name": "Ann", "via": "test", "text": "x" }).to_string();
    assert_eq!(post(&server, "a-token-of-the-test", &body).0, "401");
    let (status, reason) = post(&server, TOKEN, "{\"channel\": 1}");
    assert!(
        status == "400" && reason.contains("the body must be JSON with channel, name, via and text"),
        "{reason}"
    );
    let (status, reason) = post(&server, TOKEN, &body.replace("ooc", "newbie"));
    assert!(status == "422" && reason.contains("is not shared"), "{reason}");
    for (request, expected) in
        [("POST /bridge/say", "400"), ("PUT /bridge/say", "405"), ("POST /bridge/events", "405")]
    {
        let asked = format!("{request} HTTP/1.1\r\nAuthorization: Bearer {TOKEN}\r\nX-Rest:");
        let answer = self::request(server.port("ops"), &asked);
        let (head, refusal) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with(&format!("HTTP/1.1 {expected}")), "{request}: {answer}");
        let refusal: Value =
            serde_json::from_str(refusal).unwrap_or_else(|error| panic!("{error}: {answer}"));
        assert!(refusal["error"].is_string(), "{answer}");
    }
    assert_eq!(post(&server, TOKEN, &" ".repeat(70_000)).0, "413");
    let statuses: Vec<String> = (0..4).map(|_| say(&server, "More.").0).collect();
    assert_eq!(statuses, ["204", "204", "429", "429"]);
    let metrics = request(server.port("ops"), "GET /metrics");
    assert!(metrics.contains("deepwell_bridge_lines_total{outcome=\"limited\"} 2"), "{metrics}");
    server.assert_sound();
}

/// Returns the answer to a request for events that is refused.
fn request_events(server: &Server, token: &str) -> String {
    request(
        server.port("ops"),
        &format!("GET /bridge/events HTTP/1.1\r\nAuthorization: Bearer {token}\r\nX-Rest:"),
    )
}

/// Without a token the endpoint does not exist; a secret that cannot be used ends the start with its cure.
#[test]
fn endpoint_is_closed_by_default_and_weak_secrets_are_refused() {
    let server = Server::start(&["ops.listen=127.0.0.1:0"]);
    assert!(request(server.port("ops"), "GET /bridge/events").starts_with("HTTP/1.1 404"));
    let mut server = Server::prepare_without_roamers(&SHARED);
    let log = server.fail_to_start(&[]);
    assert!(log.contains("bridge.token_file: cannot read token"), "{log}");
    fs::write(server.folder().join("token"), "short").unwrap();
    let log = server.fail_to_start(&[]);
    assert!(log.contains("make it with: openssl rand -hex 32"), "{log}");
    assert!(!server.state().exists(), "nothing is written before all is checked");
    fs::write(server.folder().join("token"), TOKEN).unwrap();
    server.restart(&[]);
    let log = server.log();
    assert!(!log.contains(TOKEN), "{log}");
}

/// Asserts that a request is signed with the key, as Standard Webhooks define it.
fn assert_signed(received: &Received) {
    let key = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, &KEY["whsec_".len()..]).unwrap();
    let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
    let [id, at, signature] =
        ["webhook-id", "webhook-timestamp", "webhook-signature"].map(|name| received.header(name));
    let tag = signature.strip_prefix("v1,").unwrap();
    let tag = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, tag).unwrap();
    hmac::verify(&key, format!("{id}.{at}.{}", received.body).as_bytes(), &tag).unwrap();
    assert_eq!(received.json()["id"], id);
}

/// Events that the receiver has not taken when the server stops are sent at the next start, before later ones and under
/// their own ids, also over several stops and a hot restart.
#[test]
fn undelivered_events_are_sent_after_a_restart() {
    let is_up = Arc::new(AtomicBool::new(false));
    let up = Arc::clone(&is_up);
    let receiver = StandIn::start(move |_| Answer::status(if up.load(Ordering::SeqCst) { 204 } else { 503 }));
    let url = format!("bridge.webhook=http://{}/", receiver.address);
    let settings = ["bridge.channels=ooc", &url, "bridge.webhook_secret_file=../key"];
    let [gateway, mut host] = Server::start_apart(&settings[..1]);
    fs::write(host.folder().join("key"), KEY).unwrap();
    host.kill();
    host.restart(&[settings[1], "bridge.webhook_secret_file=key"]);
    let mut olad = gateway.create("Olad");
    olad.ask("ooc one");
    host.control(&["restart"]);
    olad.ask("ooc two");
    let tried = receiver.next();
    host.stop();
    assert!(host.state().join("webhook.json").exists());
    is_up.store(true, Ordering::SeqCst);
    host.restart(&[settings[1], "bridge.webhook_secret_file=key"]);
    let mut taken = Vec::new();
    while taken.len() < 2 {
        let request = receiver.next();
        assert_signed(&request);
        let event = request.json();
        taken.retain(|(id, _)| *id != event["id"]);
        taken.push((event["id"].clone(), event["text"].clone()));
    }
    assert_eq!([&taken[0].1, &taken[1].1], ["one", "two"]);
    assert_eq!(tried.json()["id"], taken[0].0);
    until("the file is gone", || !host.state().join("webhook.json").exists());
}

/// Returns the value of a metric.
fn metric(server: &Server, name: &str) -> u64 {
    let metrics = request(server.port("ops"), "GET /metrics");
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{name} in {metrics}")).parse().unwrap()
}

/// Each event is sent once, signed and in order; a receiver that fails is tried again, and one that is away costs the game
/// nothing: what it was too slow for is counted.
#[test]
fn web_hook_is_signed_retried_and_bounded() {
    let mut answers =
        vec![Answer::status(204), Answer::status(400), Answer::status(503), Answer::status(500)];
    let receiver =
        StandIn::start(move |_| if answers.is_empty() { Answer::status(200) } else { answers.remove(0) });
    let url = format!("bridge.webhook=http://me:p%40ss@{}/hook?secret=1", receiver.address);
    let mut server = start(
        &[
            SHARED.as_slice(),
            &[&url, "bridge.webhook_secret_file=key", "bridge.events=4", "limits.channel_lines=100"],
        ]
        .concat(),
    );
    let mut olad = server.create("Olad");
    let login = receiver.next();
    assert_eq!((login.head.as_str(), &login.json()["kind"]), ("POST /hook?secret=1", &json!("login")));
    assert_signed(&login);
    assert_eq!(login.header("authorization"), "Basic bWU6cEBzcw==");
    for text in ["one", "two"] {
        olad.ask(&format!("ooc {text}"));
    }
    // The first is refused for good; the second fails twice, and is sent again with the same id.
    let sent: Vec<Received> = (0..4).map(|_| receiver.next()).collect();
    sent.iter().for_each(assert_signed);
    let texts: Vec<Value> = sent.iter().map(|one| one.json()["text"].clone()).collect();
    assert_eq!(texts, ["one", "two", "two", "two"]);
    assert_eq!(sent[1].json()["id"], sent[3].json()["id"]);
    until("the metric", || metric(&server, "deepwell_webhook_deliveries_total{outcome=\"delivered\"}") == 2);
    assert_eq!(metric(&server, "deepwell_webhook_deliveries_total{outcome=\"refused\"}"), 1);
    assert_eq!(metric(&server, "deepwell_webhook_failing"), 0);

    let address = receiver.stop();
    for number in 0..20 {
        olad.ask(&format!("ooc away {number}"));
    }
    until("the metric", || metric(&server, "deepwell_webhook_failing") == 1);
    until("all events in the metric", || metric(&server, "deepwell_webhook_waiting") == 20);
    server.wait_for_log(0, "the receiver of the web hook fails; it is tried again");
    assert!(
        !["secret=1", "p%40ss"].iter().any(|secret| server.log().contains(secret)),
        "the URL has secrets"
    );
    let receiver = StandIn::start_at(address, |_| Answer::status(200));
    let texts: Vec<Value> = (0..5).map(|_| receiver.next().json()["text"].clone()).collect();
    assert_eq!(texts, ["away 0", "away 16", "away 17", "away 18", "away 19"]);
    until("the metric", || metric(&server, "deepwell_webhook_deliveries_total{outcome=\"missed\"}") == 15);
    server.stop();
    server.assert_sound();
}

/// A receiver over TLS is reached if the machine trusts its certificate.
#[test]
fn web_hook_over_tls_needs_a_trusted_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let (receiver, certificate) = StandIn::start_tls(|_| Answer::status(200));
    let trusted = folder.path().join("trusted.pem");
    fs::write(&trusted, certificate).unwrap();
    let url = format!("bridge.webhook=https://localhost:{}/", receiver.address.port());
    let mut server = start(&[SHARED.as_slice(), &[&url, "bridge.webhook_secret_file=key"]].concat());
    server.create("Olad");
    server.wait_for_log(0, "the receiver of the web hook fails; it is tried again");
    server.stop();
    server.set_environment(vec![("SSL_CERT_FILE", trusted)]);
    server.restart(&[]);
    server.create("Bera");
    // What the receiver refused is kept over the stop.
    assert_eq!(["Olad", "Bera"].map(|_| receiver.next().json()["name"].clone()), ["Olad", "Bera"]);
}

/// Accepts a connection of the game to Grapevine, and checks how it introduces itself.
fn accept_game(listener: &TcpListener) -> WebSocket<TcpStream> {
    let (stream, _) = listener.accept().unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut socket = tungstenite::accept(stream).unwrap();
    let hello = received(&mut socket);
    assert_eq!(hello["event"], "authenticate");
    assert_eq!(hello["payload"]["client_id"], "our-id");
    assert_eq!(hello["payload"]["client_secret"], "client-secret");
    assert_eq!(
        (&hello["payload"]["supports"], &hello["payload"]["channels"]),
        (&json!(["channels"]), &json!(["gossip"]))
    );
    socket
}

fn received(socket: &mut WebSocket<TcpStream>) -> Value {
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            return serde_json::from_str(&text).unwrap();
        }
    }
}

fn sends(socket: &mut WebSocket<TcpStream>, message: &Value) {
    socket.send(Message::text(message.to_string())).unwrap();
}

/// The game shares a channel with Grapevine, answers heartbeats without names, and comes back after a lost connection.
#[test]
fn grapevine_shares_a_channel() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("grapevine.url=ws://{}/socket", listener.local_addr().unwrap());
    let grapevine = [url.as_str(), "grapevine.client_id=our-id", "grapevine.secret_file=grapevine"];
    let mut server = start(&[SHARED.as_slice(), &grapevine].concat());
    let mut socket = accept_game(&listener);
    sends(&mut socket, &json!({ "event": "authenticate", "status": "failure", "error": "no such game" }));
    server.wait_for_log(0, "grapevine.client_id and its secret are refused: no such game");
    drop(socket);

    let mut socket = accept_game(&listener);
    let unicode = json!({ "unicode": "\u{2713}", "version": "2.3.0" });
    sends(&mut socket, &json!({ "event": "authenticate", "status": "success", "payload": unicode }));
    server.wait_for_log(0, "connected to Grapevine");
    let mut olad = server.create("Olad");
    sends(&mut socket, &json!({ "event": "heartbeat" }));
    assert_eq!(received(&mut socket), json!({ "event": "heartbeat", "payload": { "players": [] } }));
    olad.ask("ooc Good evening.");
    let sent = received(&mut socket);
    assert_eq!(
        (&sent["event"], &sent["payload"]),
        (
            &json!("channels/send"),
            &json!({ "channel": "gossip", "name": "Olad", "message": "Good evening." }),
        )
    );
    let speech = |channel: &str, text: &str| {
        let payload = json!({ "channel": channel, "game": "ExVenture", "name": "Eric", "message": text });
        json!({ "event": "channels/broadcast", "ref": "1", "payload": payload })
    };
    sends(&mut socket, &speech("testing", "Not for you."));
    for junk in [
        "",
        "{}",
        "[1]",
        "{\"event\": \"channels/broadcast\", \"payload\": 3}",
        "{\"event\": \"tells/send\"}",
    ] {
        socket.send(Message::text(junk)).unwrap();
    }
    sends(&mut socket, &speech("gossip", "Hello from afar."));
    let heard = olad.expect("[Ooc] Eric (ExVenture): Hello from afar.");
    assert!(!heard.contains("Not for you"), "{heard}");
    assert_eq!(metric(&server, "deepwell_grapevine_connected"), 1);
    assert_eq!(say(&server, "From a bot.").0, "204");
    olad.ask("ooc After the bot.");
    assert_eq!(received(&mut socket)["payload"]["message"], "After the bot.", "bots are not passed on");
    drop(socket);
    server.wait_for_log(0, "the connection to Grapevine is lost");
    until("the metric", || metric(&server, "deepwell_grapevine_connected") == 0);
    server.stop();
    server.assert_sound();
}

/// Running bot; killed on drop.
struct Bot(Child);

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a bot of `examples/bridges`; `None` without Python.
fn bot(server: &Server, name: &str, environment: &[(&str, &str)]) -> Option<Bot> {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: python3 is missing");
        return None;
    }
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/bridges").join(name);
    let started = Command::new("python3")
        .arg("-B")
        .arg(path)
        .env("DEEPWELL_URL", format!("http://{}", server.port("ops")))
        .env("DEEPWELL_TOKEN", TOKEN)
        .envs(environment.iter().copied())
        .spawn();
    Some(Bot(started.unwrap()))
}

/// Speaks until the bot, which reads only from when it has connected, has passed a line on.
fn speaks_until(olad: &mut Client, mut is_passed_on: impl FnMut() -> bool) {
    until("a line from the bot", || {
        olad.ask("ooc Is the bot there?");
        is_passed_on()
    });
}

#[test]
fn irc_bot_passes_on_what_is_said() {
    let server = start(&SHARED);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let settings = [("IRC_HOST", "127.0.0.1"), ("IRC_PORT", port.as_str()), ("IRC_CHANNEL", "#well")];
    let Some(_bot) = bot(&server, "irc.py", &settings) else { return };
    let mut olad = server.create("Olad");
    let (mut stream, _) = listener.accept().unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "NICK deepwell");
    lines.next();
    stream.write_all(b"PING :x\r\n:irc.example 001 deepwell :Welcome\r\n").unwrap();
    assert_eq!([lines.next().unwrap(), lines.next().unwrap()], ["PONG :x", "JOIN #well"]);
    stream.write_all(b":Ann!ann@example PRIVMSG #well :Good evening: to all.\r\n").unwrap();
    olad.expect("[Ooc] Ann (irc): Good evening: to all.");
    stream.set_read_timeout(Some(std::time::Duration::from_millis(500))).unwrap();
    let mut reader = BufReader::new(stream);
    speaks_until(&mut olad, || {
        let mut line = String::new();
        reader.read_line(&mut line).is_ok() && line == "PRIVMSG #well :[ooc] Olad: Is the bot there?\r\n"
    });
}

#[test]
fn matrix_bot_passes_on_what_is_said() {
    let server = start(&SHARED);
    let mut olad = server.create("Olad");
    let mut syncs = 0;
    let matrix = StandIn::start(move |received| {
        assert_eq!(received.header("authorization"), "Bearer matrix-token");
        if received.head.starts_with("PUT ") {
            return Answer::json(&json!({ "event_id": "$1" }));
        }
        syncs += 1;
        let text = |sender: &str, body: &str| json!({ "type": "m.room.message", "sender": sender, "content": { "msgtype": "m.text", "body": body } });
        let events = [text("@bot:example", "my own"), text("@ann:example", "Good evening.")];
        let room = json!({ "!room:example": { "timeline": { "events": events } } });
        match syncs {
            1 | 2 => Answer::json(&json!({ "next_batch": "s1", "rooms": { "join": room } })),
            _ => Answer::Never,
        }
    });
    let url = format!("http://{}", matrix.address);
    let settings = [
        ("MATRIX_URL", url.as_str()),
        ("MATRIX_TOKEN", "matrix-token"),
        ("MATRIX_USER", "@bot:example"),
        ("MATRIX_ROOM", "!room:example"),
    ];
    let Some(_bot) = bot(&server, "matrix.py", &settings) else { return };
    let heard = olad.expect("[Ooc] ann (matrix): Good evening.");
    assert!(!heard.contains("my own"), "{heard}");
    speaks_until(&mut olad, || {
        let sent = matrix.received().into_iter().find(|one| one.head.starts_with("PUT "));
        sent.is_some_and(|one| {
            assert!(
                one.head.starts_with("PUT /_matrix/client/v3/rooms/%21room%3Aexample/send/m.room.message/")
            );
            one.json() == json!({ "msgtype": "m.notice", "body": "[ooc] Olad: Is the bot there?" })
        })
    });
}

#[test]
fn discord_bot_passes_on_what_is_said() {
    let server = start(&SHARED);
    let mut olad = server.create("Olad");
    let mut polls = 0;
    let discord = StandIn::start(move |received| {
        assert_eq!(received.header("authorization"), "Bot discord-token");
        if received.head.starts_with("POST ") {
            return Answer::json(&json!({ "id": "9" }));
        }
        polls += 1;
        let message = |id: &str, bot: bool, text: &str| json!({ "id": id, "content": text, "author": { "username": "ann", "bot": bot } });
        match polls {
            1 => Answer::json(&json!([message("1", false, "long ago")])),
            2 => Answer::json(&json!([message("3", true, "my own"), message("2", false, "Good evening.")])),
            _ => Answer::json(&json!([])),
        }
    });
    let url = format!("http://{}", discord.address);
    let settings = [
        ("DISCORD_URL", url.as_str()),
        ("DISCORD_TOKEN", "discord-token"),
        ("DISCORD_CHANNEL", "77"),
        ("DISCORD_PAUSE", "0.2"),
    ];
    let Some(_bot) = bot(&server, "discord.py", &settings) else { return };
    let heard = olad.expect("[Ooc] ann (discord): Good evening.");
    assert!(!heard.contains("long ago") && !heard.contains("my own"), "{heard}");
    speaks_until(&mut olad, || {
        let sent = discord.received().into_iter().find(|one| one.head.starts_with("POST "));
        sent.is_some_and(|one| {
            assert_eq!(one.head, "POST /channels/77/messages");
            one.json()["content"] == "[ooc] Olad: Is the bot there?"
                && one.json()["allowed_mentions"]["parse"] == json!([])
        })
    });
}
