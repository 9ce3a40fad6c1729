//! The web builder over HTTP: access control and durability. Its use in a browser is tested by `tests/web`.

use crate::PATIENCE;
use crate::server::{Server, password};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use deepwell::data::archive::{Archive, ArchiveLimits};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

const JSON: &str = "Content-Type: application/json\r\n";

fn token(digit: char) -> String {
    digit.to_string().repeat(64)
}

/// Sends one request on a new connection; returns status, headers and body.
fn send(address: SocketAddr, head: &str, headers: &str, body: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let length = body.len();
    let request = format!(
        "{head} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    );
    // The server does not read a request that is too large to its end.
    let _ = stream.write_all(request.as_bytes());
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let answer = String::from_utf8(bytes).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    (status, head.to_owned(), body.to_owned())
}

/// Returns the cookie set with the web builder's page.
fn cookie(server: &Server) -> String {
    let (status, head, page) = send(server.http(), "GET /build/", "", "");
    assert!(status == 200 && page.starts_with("<!DOCTYPE html>"), "{head}");
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
    assert!(cookie.contains("HttpOnly; SameSite=Strict"), "{cookie}");
    format!("Cookie: {}\r\n", cookie.split(';').next().unwrap())
}

/// Logged-in browser of a builder.
struct Page {
    cookie: String,
    token: String,
}

impl Page {
    fn post(&self, server: &Server, path: &str, body: &Value) -> Value {
        let headers = format!("{JSON}{}Origin: http://{}\r\n", self.cookie, server.http());
        let (status, head, body) =
            send(server.http(), &format!("POST /build/{path}"), &headers, &body.to_string());
        assert_eq!(status, 200, "{head}\n{body}");
        assert!(head.contains("cache-control: no-store"), "{head}");
        serde_json::from_str(&body).unwrap()
    }

    fn enter(server: &Server, name: &str, digit: char) -> (Self, Value) {
        let page = Self { cookie: cookie(server), token: token(digit) };
        let body = json!({ "name": name, "password": password(name), "token": page.token });
        let answer = page.post(server, "enter", &body);
        (page, answer)
    }

    fn ask(&self, server: &Server, ask: &Value) -> Value {
        self.post(server, "ask", &json!({ "name": "Olad", "token": self.token, "ask": ask }))
    }

    fn build(&self, server: &Server, lines: &[String]) -> Value {
        self.ask(server, &json!({ "build": { "room": 1, "lines": lines } }))
    }
}

/// Starts a server with Olad as owner.
fn start(more: &[&str]) -> Server {
    let server = Server::start(&[&["http.listen=127.0.0.1:0"], more].concat());
    let mut olad = server.create("Olad");
    let token = server.control(&["owner-token"]);
    olad.ask(&format!("claim {}", token.as_str().unwrap()));
    server
}

/// D1, A3: acknowledged edits survive a kill, in the same login; each unacknowledged edit is stored completely or not
/// at all.
#[test]
fn d1_acknowledged_web_builder_edits_survive_kill() {
    let mut server = start(&[]);
    let (page, zones) = Page::enter(&server, "Olad", 'a');
    assert_eq!(zones["player"], "Olad");
    for round in 0..3 {
        let description = format!("It is round {round}.");
        let done = page
            .build(&server, &[format!("describe here = {description}"), format!("tag here = round{round}")]);
        assert_eq!(done["room"]["description"], description.as_str(), "{done}");
        server.kill();
        server.restart(&[]);
        let room = page.ask(&server, &json!({ "room": { "room": 1 } }));
        assert_eq!(
            (&room["description"], &room["revision"]),
            (&description.into(), &done["room"]["revision"])
        );
    }
    let answer = page.build(&server, &["undo".into()]);
    assert_eq!(answer["room"]["tags"], json!(["round1"]), "{answer}");
    assert_eq!(page.post(&server, "leave", &json!({ "name": "Olad", "token": page.token })), Value::Null);
    assert_eq!(page.ask(&server, &json!("zones"))["closed"], true);
    server.assert_no_trace_of(&password("Olad"));
    server.assert_no_trace_of(&token('a'));
    server.assert_sound();
}

/// A3, N8: requests from other origins or browsers, form posts and excessive requests are refused.
#[test]
fn n8_web_builder_answers_only_its_own_browser() {
    let server = start(&["limits.desk_asks=40"]);
    let (page, _) = Page::enter(&server, "Olad", 'b');
    let shown = |token: &str| json!({ "name": "Olad", "token": token, "ask": "zones" }).to_string();
    let body = shown(&page.token);
    let own = format!("Origin: http://{}\r\n", server.http());
    let other = cookie(&server);
    for (what, headers, body, status) in [
        ("its own", format!("{JSON}{own}{}", page.cookie), body.clone(), 200),
        ("another site", format!("{JSON}Origin: https://evil.example\r\n{}", page.cookie), body.clone(), 403),
        ("a form", format!("Content-Type: text/plain\r\n{own}{}", page.cookie), body.clone(), 403),
        ("no cookie", format!("{JSON}{own}"), body.clone(), 401),
        ("no JSON", format!("{JSON}{own}{}", page.cookie), "{".to_owned(), 400),
        ("a short token", format!("{JSON}{own}{}", page.cookie), shown("abc"), 400),
        ("too large", format!("{JSON}{own}{}", page.cookie), format!("{body}{}", " ".repeat(100_000)), 413),
    ] {
        for path in ["/build/ask", "/staff/ask"] {
            let (got, _, answer) = send(server.http(), &format!("POST {path}"), &headers, &body);
            assert_eq!(got, status, "{path}, {what}: {answer}");
        }
    }
    let (status, _, answer) = send(server.http(), "POST /build/ask", &format!("{JSON}{own}{other}"), &body);
    assert!(status == 200 && answer.contains("\"closed\":true"), "another browser: {answer}");
    assert_eq!(send(server.http(), "GET /build/ask", "", "").0, 405);
    let (status, head, _) = send(server.http(), "GET /build", "", "");
    assert!(status == 308 && head.contains("location: /build/"), "{head}");
    let headers = format!("{JSON}{own}{}", page.cookie);
    let asks = (0..60).map(|_| send(server.http(), "POST /build/ask", &headers, &body).0);
    assert!(asks.into_iter().any(|status| status == 429), "it may ask without end");
    let (_, refused) = Page::enter(&server, "Nobody", 'c');
    assert_eq!(refused["declined"], "That name and that password do not belong together.");
    server.create("Bera");
    let (_, refused) = Page::enter(&server, "Bera", 'd');
    assert_eq!(refused["declined"], "This page is for builders, and that account is none.");
    server.assert_sound();
}

/// With a gateway, the staff page shows the load of the host, and the last errors of both processes by name.
#[test]
fn staff_page_names_the_process_of_each_error() {
    let [gateway, mut host] = Server::start_apart(&["http.listen=127.0.0.1:0"]);
    let mut olad = gateway.create("Olad");
    olad.ask(&format!("claim {}", host.control(&["owner-token"]).as_str().unwrap()));
    let before = gateway.log().len();
    host.kill();
    gateway.wait_for_log(before, "no link to the host");
    host.start_host();
    gateway.wait_for_log(before, "linked to the host");
    let broken = host.folder().join("content/items");
    fs::create_dir_all(&broken).unwrap();
    fs::write(broken.join("broken.toml"), "name =").unwrap();
    host.try_control(&["reload"]).unwrap_err();

    let (cookie, token) = (cookie(&gateway), token('f'));
    let post = |path: &str, body: Value| {
        let headers = format!("{JSON}{cookie}Origin: http://{}\r\n", gateway.http());
        let (status, _, answer) =
            send(gateway.http(), &format!("POST /staff/{path}"), &headers, &body.to_string());
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str::<Value>(&answer).unwrap()
    };
    post("enter", json!({ "name": "Olad", "password": password("Olad"), "token": token }));
    let load = post("ask", json!({ "name": "Olad", "token": token, "ask": { "staff": "load" } }));
    let lines = load["log"].as_array().expect("lines");
    let has = |process: &str, message: &str| {
        let is_it = |line: &Value| line["process"] == process && line["text"].to_string().contains(message);
        assert!(lines.iter().any(is_it), "{process}: {message} is not in {load}");
    };
    has("gateway", "no link to the host");
    has("host", "broken.toml");
    let samples = load["history"]["playing"].as_array().map(Vec::len);
    assert!(samples > Some(0) && load["history"]["every_secs"] == 10, "{load}");
}

/// The web builder can be disabled.
#[test]
fn web_builder_can_be_disabled() {
    let server = Server::start(&["http.listen=127.0.0.1:0", "limits.desks=0"]);
    for path in ["/build", "/build/", "/build/build.js", "/staff", "/staff/", "/staff/staff.js"] {
        assert_eq!(send(server.http(), &format!("GET {path}"), "", "").0, 404, "{path}");
    }
    for path in ["/build/ask", "/staff/enter", "/staff/ask"] {
        assert_eq!(send(server.http(), &format!("POST {path}"), JSON, "{}").0, 404, "{path}");
    }
    server.assert_sound();
}

/// A3, N8: uploaded packages are bounded and read only for builders who are logged in; a good one is taken in.
#[test]
fn n8_hostile_packages_are_refused() {
    let server = start(&["limits.desk_bytes=16384", "limits.package_files=20"]);
    let (page, zones) = Page::enter(&server, "Olad", 'e');
    assert_eq!(zones["package_bytes"], 11_520);
    page.build(&server, &["dig Mill Floor = mill door, out".into()]);
    page.build(&server, &["zone new mill".into()]);
    let zip = |files: &[(&str, String)]| {
        let texts = files.iter().map(|(path, text)| ((*path).to_owned(), text.clone())).collect();
        STANDARD.encode(Archive(texts).to_bytes().unwrap())
    };
    let upload =
        |package: &str, now: bool| json!({ "unpack": { "name": "mill", "package": package, "now": now } });
    let many: Vec<(String, String)> = (0..30).map(|nth| (format!("a{nth}"), String::new())).collect();
    let many: Vec<(&str, String)> = many.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
    let bomb = zip(&[("zones/mill.toml", "a".repeat(1_000_000))]);
    for (what, package, message) in [
        ("no archive", STANDARD.encode("These are notes."), "The file is no package: it is no zip archive"),
        ("no Base64", "?".to_owned(), "did not arrive as it was sent"),
        ("a way out", zip(&[("../../etc/passwd", "x".into())]), "is no path below the archive"),
        ("a bomb", bomb.clone(), "The package is too large for this page."),
        ("many files", zip(&many), "it holds 30 files, and limits.package_files is 20"),
    ] {
        let answer = page.ask(&server, &upload(&package, true));
        assert!(
            answer["declined"].as_str().is_some_and(|reason| reason.contains(message)),
            "{what}: {answer}"
        );
    }
    let body = json!({ "name": "Olad", "token": page.token, "ask": upload(&"A".repeat(20_000), true) });
    let headers = format!("{JSON}{}Origin: http://{}\r\n", page.cookie, server.http());
    let (status, _, answer) = send(server.http(), "POST /build/ask", &headers, &body.to_string());
    assert!(status == 413 && answer.contains("type zone unpack"), "{status}: {answer}");
    let stranger = Page { cookie: page.cookie.clone(), token: token('f') };
    assert_eq!(stranger.ask(&server, &upload(&bomb, true))["closed"], true, "nothing is read for a stranger");
    let room =
        "[[rooms]]\nkey = \"loft\"\nname = \"Loft\"\nenvironment = \"wood\"\ndescription = \"Sacks.\"\n";
    let good = zip(&[("zones/dale.toml", room.into())]);
    let answer = page.ask(&server, &upload(&good, false));
    assert_eq!(answer["words"][1], "The zone dale, with one room.", "{answer}");
    assert_eq!(
        page.ask(&server, &json!({ "pack": { "zone": "dale" } }))["declined"],
        "There is no zone dale."
    );
    let answer = page.ask(&server, &upload(&good, true));
    assert_eq!(answer["words"][0], "It is taken in:", "{answer}");
    let packed = page.ask(&server, &json!({ "pack": { "zone": "dale" } }));
    let bytes = STANDARD.decode(packed["package"].as_str().unwrap()).unwrap();
    let archive = Archive::from_bytes(&bytes, &ArchiveLimits { files: 20, bytes: 16_384 }).unwrap();
    assert!(archive.0["zones/dale.toml"].contains("Sacks."), "{archive:?}");
    server.assert_sound();
}
