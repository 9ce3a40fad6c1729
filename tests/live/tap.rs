//! TCP proxy between a client and the server that records the client's negotiation. With `WRITE_GENERATED=all`, the
//! table in docs/develop/protocols.md is updated from it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, fs, thread};

/// Returns `true` if results of third-party programs are to be written: they depend on the installed versions, so only
/// `WRITE_GENERATED=all` enables it.
pub(crate) fn records_results() -> bool {
    env::var("WRITE_GENERATED").is_ok_and(|files| files == "all")
}

const IAC: u8 = 255;
const DONT: u8 = 254;
const DO: u8 = 253;
const WILL: u8 = 251;
const SB: u8 = 250;
const GA: u8 = 249;
const SE: u8 = 240;

/// Columns of the table: option name, option number, and `true` if the client enables the option, `false` if the server
/// does.
const COLUMNS: [(&str, u8, bool); 9] = [
    ("TTYPE", 24, true),
    ("NAWS", 31, true),
    ("NEW-ENVIRON", 39, true),
    ("EOR", 25, false),
    ("CHARSET", 42, false),
    ("GMCP", 201, false),
    ("MSSP", 70, false),
    ("MCCP2", 86, false),
    ("TM", 6, true),
];

/// Serialises updates of the page.
static PAGE: Mutex<()> = Mutex::new(());

/// Recorded bytes of one direction.
type Noted = Arc<Mutex<Vec<u8>>>;

/// Recording proxy for one client.
pub(crate) struct Tap {
    address: SocketAddr,
    sent: Noted,
    /// Bytes sent by the server, possibly compressed.
    heard: Noted,
}

impl Tap {
    /// Opens a port that forwards one connection to the server.
    pub(crate) fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let sent: Noted = Arc::default();
        let heard: Noted = Arc::default();
        let noted = (Arc::clone(&sent), Arc::clone(&heard));
        thread::spawn(move || {
            let (client, _) = listener.accept().unwrap();
            pass(client, TcpStream::connect(server).unwrap(), noted);
        });
        Self { address, sent, heard }
    }

    /// Returns the address for the client to connect to.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the client's negotiation so far.
    pub(crate) fn seen(&self) -> Seen {
        let mut seen = Seen::of(&self.sent.lock().unwrap_or_else(PoisonError::into_inner));
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        seen.go_ahead = heard.windows(4).any(|bytes| bytes == [b'>', b' ', IAC, GA]);
        seen
    }
}

/// Forwards and records both directions until either side closes.
fn pass(client: TcpStream, server: TcpStream, (sent, heard): (Noted, Noted)) {
    let (from, to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    thread::spawn(move || pass_on(from, to, &heard));
    pass_on(client, server, &sent);
}

/// Forwards and records one direction.
fn pass_on(mut from: TcpStream, mut to: TcpStream, noted: &Noted) {
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        noted.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&buffer[..read]);
        if to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

/// Data that a client sent about itself and its options.
#[derive(Default)]
pub(crate) struct Seen {
    /// First answer to each option; `true` if it agreed.
    would: BTreeMap<u8, bool>,
    takes: BTreeMap<u8, bool>,
    names: Vec<String>,
    size: Option<(u16, u16)>,
    charset: Option<String>,
    /// Set if a game prompt was sent with GO-AHEAD.
    go_ahead: bool,
}

impl Seen {
    fn of(bytes: &[u8]) -> Self {
        let mut seen = Self::default();
        let mut rest = bytes;
        while let Some(at) = rest.iter().position(|byte| *byte == IAC) {
            rest = &rest[at + 1..];
            match *rest {
                [verb @ WILL..=DONT, option, ..] => {
                    let answers = if verb < DO { &mut seen.would } else { &mut seen.takes };
                    answers.entry(option).or_insert(matches!(verb, WILL | DO));
                    rest = &rest[2..];
                }
                [SB, option, ..] => {
                    let end = rest.windows(2).position(|pair| pair == [IAC, SE]).unwrap_or(rest.len());
                    seen.told(option, rest.get(2..end).unwrap_or_default());
                    rest = rest.get(end + 2..).unwrap_or_default();
                }
                _ => rest = rest.get(1..).unwrap_or_default(),
            }
        }
        seen
    }

    fn told(&mut self, option: u8, payload: &[u8]) {
        match (option, payload) {
            (24, [0, name @ ..]) => {
                let name = String::from_utf8_lossy(name).into_owned();
                if !self.names.contains(&name) {
                    self.names.push(name);
                }
            }
            (31, [a, b, c, d]) => {
                self.size = Some((u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d])));
            }
            (42, [2, name @ ..]) => self.charset = Some(String::from_utf8_lossy(name).into_owned()),
            _ => {}
        }
    }

    /// Formats the client's table row: yes, no or no answer for each option, and its name.
    fn row(&self, name: &str) -> String {
        let mut row = format!("| {name} |");
        for (_, option, theirs) in COLUMNS {
            let answers = if theirs { &self.would } else { &self.takes };
            let answer = match answers.get(&option) {
                Some(true) => "yes",
                Some(false) => "no",
                None => "no answer",
            };
            let more = match (option, self.size, &self.charset) {
                (31, Some((width, height)), _) => format!(", {width} by {height}"),
                (42, _, Some(charset)) => format!(", {charset}"),
                _ => String::new(),
            };
            let _ = write!(row, " {answer}{more} |");
        }
        let _ = write!(row, " {} |", self.names.join(", "));
        row
    }

    /// Updates the client's row in docs/develop/protocols.md, if enabled.
    pub(crate) fn keep(&self, name: &str) {
        if !records_results() {
            return;
        }
        let _only = PAGE.lock().unwrap_or_else(PoisonError::into_inner);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/develop/protocols.md");
        let page = fs::read_to_string(&path).unwrap();
        // The table of clients starts below its ruler and ends at the first line that is not a row.
        let lines: Vec<&str> = page.lines().collect();
        let head = lines.iter().position(|line| line.starts_with("| client | TTYPE")).unwrap() + 2;
        let rows = lines[head..].iter().take_while(|line| line.starts_with('|')).count();
        let others = lines[head..head + rows].iter().filter(|row| !row.starts_with(&format!("| {name} |")));
        let mut table: Vec<String> = others.map(|row| (*row).to_owned()).collect();
        table.push(self.row(name));
        table.sort();
        let before = lines[..head].iter().copied();
        let behind = lines[head + rows..].iter().copied();
        let lines: Vec<&str> = before.chain(table.iter().map(String::as_str)).chain(behind).collect();
        fs::write(path, lines.join("\n") + "\n").unwrap();
    }

    /// Returns `true` if the client agreed to an option on either side.
    pub(crate) fn agreed(&self, option: u8) -> bool {
        self.would.get(&option) == Some(&true) || self.takes.get(&option) == Some(&true)
    }

    /// Returns `true` if a game prompt was sent with GO-AHEAD and uncompressed.
    pub(crate) fn received_go_ahead(&self) -> bool {
        self.go_ahead
    }

    /// Returns the names that the client gave for itself and its terminal.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }
}

#[test]
fn tap_parses_recorded_negotiation() {
    let seen = Seen::of(b"\xff\xfb\x18\xff\xfd\x19look\r\n\xff\xfa\x18\x00TINTIN++\xff\xf0\xff\xfa\x1f\x00\x78\x00\x32\xff\xf0\xff\xfe\xc9");
    assert!(seen.agreed(24) && seen.agreed(25) && !seen.agreed(201));
    assert_eq!(seen.names(), ["TINTIN++"]);
    assert_eq!(
        seen.row("x"),
        "| x | yes | no answer, 120 by 50 | no answer | yes | no answer | no | no answer | no answer | no answer | TINTIN++ |"
    );
}
