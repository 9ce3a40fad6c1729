//! A wire tap between a client and the server: it passes everything on, and notes how the client negotiates. From that
//! the table of docs/protocols.md is written, with `WRITE_GENERATED=all` in the environment.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, fs, thread};

/// Whether what was seen with programs of others is written down: it follows from what is installed, so it takes more
/// than what is asked of the files that follow from the code.
pub(crate) fn writes_what_was_seen() -> bool {
    env::var("WRITE_GENERATED").is_ok_and(|files| files == "all")
}

const IAC: u8 = 255;
const DONT: u8 = 254;
const DO: u8 = 253;
const WILL: u8 = 251;
const SB: u8 = 250;
const GA: u8 = 249;
const SE: u8 = 240;

/// The columns of the table: an option, and whether the client would do it (else we would).
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

/// Only one test at a time writes the page.
static PAGE: Mutex<()> = Mutex::new(());

/// Bytes that passed in one direction.
type Noted = Arc<Mutex<Vec<u8>>>;

/// A tap for one client.
pub(crate) struct Tap {
    address: SocketAddr,
    sent: Noted,
    /// What the server sent, compressed or not.
    heard: Noted,
}

impl Tap {
    /// A port that leads to the server, for the one client that calls there.
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

    /// Where the client is to call.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// How the client has negotiated so far.
    pub(crate) fn seen(&self) -> Seen {
        let mut seen = Seen::of(&self.sent.lock().unwrap_or_else(PoisonError::into_inner));
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        seen.go_ahead = heard.windows(4).any(|bytes| bytes == [b'>', b' ', IAC, GA]);
        seen
    }
}

/// Passes bytes both ways until either side ends, and notes them: the client's, the server's.
fn pass(client: TcpStream, server: TcpStream, (sent, heard): (Noted, Noted)) {
    let (from, to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    thread::spawn(move || pass_on(from, to, &heard));
    pass_on(client, server, &sent);
}

/// Passes bytes one way.
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

/// What a client said of itself and of the options.
#[derive(Default)]
pub(crate) struct Seen {
    /// The first answer to each option; whether it was a yes.
    would: BTreeMap<u8, bool>,
    takes: BTreeMap<u8, bool>,
    names: Vec<String>,
    size: Option<(u16, u16)>,
    charset: Option<String>,
    /// Whether a prompt of the game came to it with GO-AHEAD.
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

    /// The client's row: yes, no or no answer for each option, and what it calls itself.
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

    /// Keeps the client's row in docs/protocols.md, if that is wanted.
    pub(crate) fn keep(&self, name: &str) {
        if !writes_what_was_seen() {
            return;
        }
        let _only = PAGE.lock().unwrap_or_else(PoisonError::into_inner);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/protocols.md");
        let page = fs::read_to_string(&path).unwrap();
        // The table of clients begins below its ruler and ends with the first line that is no row.
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

    /// Whether the client answered that it would do an option, or wants us to.
    pub(crate) fn agreed(&self, option: u8) -> bool {
        self.would.get(&option) == Some(&true) || self.takes.get(&option) == Some(&true)
    }

    /// Whether a prompt of the game came to it with GO-AHEAD, and not compressed.
    pub(crate) fn hears_go_ahead(&self) -> bool {
        self.go_ahead
    }

    /// What it calls itself and its terminal.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }
}

#[test]
fn a_tap_understands_what_passes() {
    let seen = Seen::of(b"\xff\xfb\x18\xff\xfd\x19look\r\n\xff\xfa\x18\x00TINTIN++\xff\xf0\xff\xfa\x1f\x00\x78\x00\x32\xff\xf0\xff\xfe\xc9");
    assert!(seen.agreed(24) && seen.agreed(25) && !seen.agreed(201));
    assert_eq!(seen.names(), ["TINTIN++"]);
    assert_eq!(
        seen.row("x"),
        "| x | yes | no answer, 120 by 50 | no answer | yes | no answer | no | no answer | no answer | no answer | TINTIN++ |"
    );
}
