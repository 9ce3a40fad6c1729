//! Real clients as scripted peers: each client's replies to the server's offers, byte by byte, and the expected
//! results. The replies were measured or taken from the clients' source code, not from documentation.

use super::*;
use deepwell_core::base::ColourLevel::{self, Sixteen, True, TwoFiftySix};

const TTYPE: u8 = 24;
const EOR: u8 = 25;
const NAWS: u8 = 31;
const ENVIRON: u8 = 39;
const CHARSET: u8 = 42;
const MSSP: u8 = 70;
const MCCP2: u8 = 86;
const GMCP: u8 = 201;
const TM: u8 = 6;

const WILL: u8 = 0xfb;
const WONT: u8 = 0xfc;
const DO: u8 = 0xfd;
const DONT: u8 = 0xfe;

/// A client, described by its replies.
struct Client {
    name: &'static str,
    /// Bytes sent before receiving any.
    first: &'static [u8],
    /// Options that it enables when asked by DO; it refuses all others.
    does: &'static [u8],
    /// Options that it accepts when offered by WILL.
    takes: &'static [u8],
    /// Options that it ignores.
    silent: &'static [u8],
    /// Set if it also answers replies.
    repeats: bool,
    /// Columns and rows.
    window: (u8, u8),
    /// Replies to TTYPE SEND; the last one repeats.
    terminals: &'static [&'static str],
    /// Replies to the two NEW-ENVIRON SENDs: messages without framing.
    environ: [&'static [&'static [u8]]; 2],
    /// Reply to a CHARSET REQUEST, without framing.
    charset: &'static [u8],
    /// Message sent once GMCP is agreed.
    hello: &'static str,
}

const PLAIN: Client = Client {
    name: "",
    first: b"",
    does: &[],
    takes: &[],
    silent: &[],
    repeats: false,
    window: (100, 30),
    terminals: &[],
    environ: [&[], &[]],
    charset: b"\x02UTF-8",
    hello: "",
};

/// Expected results.
#[derive(PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent capabilities, compared one by one")]
struct ExpectedReplies {
    colour: ColourLevel,
    encoding: Encoding,
    width: Option<u16>,
    screen_reader: bool,
    eor: bool,
    gmcp: bool,
    links: bool,
    client: Option<&'static str>,
}

const fn known(colour: ColourLevel, encoding: Encoding, width: Option<u16>) -> ExpectedReplies {
    ExpectedReplies {
        colour,
        encoding,
        width,
        screen_reader: false,
        eor: false,
        gmcp: false,
        links: false,
        client: None,
    }
}

impl Client {
    /// Returns the client's replies to the server's output, in order.
    fn answer(&mut self, sent: &[u8]) -> Vec<u8> {
        let mut reply = Vec::new();
        let mut codec = Codec::new();
        for element in sent.iter().filter_map(|byte| codec.push(*byte, |_| 4_096)) {
            match element {
                Element::Negotiation(verb, code) => reply.extend(self.agree(verb, code)),
                Element::Subnegotiation(code, payload) => reply.extend(self.tell(code, &payload)),
                _ => {}
            }
        }
        reply
    }

    fn agree(&self, verb: NegotiationVerb, code: u8) -> Vec<u8> {
        let (answer, yes) = match verb {
            NegotiationVerb::Do if self.does.contains(&code) => (WILL, true),
            NegotiationVerb::Do => (WONT, false),
            NegotiationVerb::Will if self.takes.contains(&code) => (DO, true),
            NegotiationVerb::Will => (DONT, false),
            NegotiationVerb::Wont if self.repeats => (DONT, false),
            NegotiationVerb::Dont if self.repeats => (WONT, false),
            NegotiationVerb::Wont | NegotiationVerb::Dont => return Vec::new(),
        };
        if self.silent.contains(&code) {
            return Vec::new();
        }
        let mut reply = vec![IAC, answer, code];
        if code == NAWS && yes {
            let (columns, rows) = self.window;
            reply.extend([IAC, 0xfa, NAWS, 0, columns, 0, rows, IAC, 0xf0]);
        }
        if code == GMCP && yes && !self.hello.is_empty() {
            reply.extend(framed(GMCP, self.hello.as_bytes()));
        }
        reply
    }

    fn tell(&mut self, code: u8, payload: &[u8]) -> Vec<u8> {
        match (code, payload) {
            (TTYPE, [1]) => {
                let (terminal, later) = self.terminals.split_first().unwrap();
                if !later.is_empty() {
                    self.terminals = later;
                }
                framed(TTYPE, &[b"\0", terminal.as_bytes()].concat())
            }
            (ENVIRON, [1, kind, ..]) => {
                let answers = self.environ[usize::from(*kind == 3)];
                answers.iter().flat_map(|answer| framed(ENVIRON, answer)).collect()
            }
            (CHARSET, [1, ..]) => framed(CHARSET, self.charset),
            other => panic!("{}: not a question: {other:?}", self.name),
        }
    }
}

fn framed(code: u8, payload: &[u8]) -> Vec<u8> {
    [&[IAC, 0xfa, code], payload, &[IAC, 0xf0]].concat()
}

/// Exchanges bytes between client and server until both are silent. Returns the endpoint, the events, and the server's
/// whole output.
fn meet(mut client: Client) -> (Telnet, Vec<TelnetEvent>, Vec<u8>) {
    let mut telnet = Telnet::new(&Limits::default());
    let mut events = Vec::new();
    telnet.receive(client.first, &mut events);
    let (mut to_client, mut all) = (sent(&mut telnet), Vec::new());
    for round in 0.. {
        assert!(round < 20, "{} and we never fall silent", client.name);
        all.extend_from_slice(&to_client);
        let reply = client.answer(&to_client);
        if reply.is_empty() {
            break;
        }
        telnet.receive(&reply, &mut events);
        to_client = sent(&mut telnet);
    }
    (telnet, events, all)
}

fn assert_known(client: Client, expected: &ExpectedReplies) {
    let name = client.name;
    let (telnet, events, all) = meet(client);
    let capabilities = telnet.capabilities();
    let found = ExpectedReplies {
        colour: capabilities.colour,
        encoding: capabilities.encoding,
        width: capabilities.width,
        screen_reader: capabilities.screen_reader,
        eor: capabilities.eor,
        gmcp: capabilities.gmcp,
        links: capabilities.links,
        client: expected.client.filter(|client| capabilities.client_name.as_deref() == Some(*client)),
    };
    assert_eq!(found, *expected, "{name}");
    assert_eq!(expected.client.is_some(), capabilities.client_name.is_some(), "{name}");
    assert_eq!(events.iter().filter(|event| **event == TelnetEvent::Ready).count(), 1, "{name}");
    assert_eq!(telnet.faults(), 0, "{name}");
    assert!(all.len() < OPENING.len() + ENVIRON_QUESTIONS + 100, "{name}: {} bytes", all.len());
}

#[test]
fn protocols_13_tintin() {
    const VAR_DOUBLED: &[u8] =
        b"\x00\x00CLIENT_NAME\x01TinTin++\x00\x00CLIENT_VERSION\x012.02.20 \x00\x00MTTS\x01783\x00";
    const VAR_EACH: &[&[u8]] = &[
        b"\x00\x00CLIENT_NAME\x01TINTIN++",
        b"\x00\x00CLIENT_VERSION\x012.02.62",
        b"\x00\x00MTTS\x012831",
        b"\x00\x00CHARSET\x01UTF-8",
        b"\x00\x00TERMINAL_TYPE\x01tmux-256color",
    ];
    let tintin = |terminals: &'static [&'static str], environ| Client {
        name: "tt++",
        does: &[TTYPE, NAWS, ENVIRON],
        takes: &[EOR, CHARSET, MCCP2],
        silent: &[MSSP],
        terminals,
        environ,
        ..PLAIN
    };
    let expected =
        ExpectedReplies { eor: true, client: Some("TinTin++"), ..known(True, Encoding::Utf8, Some(100)) };
    let old = [&[VAR_DOUBLED][..], &[VAR_DOUBLED]];
    assert_known(tintin(&["TINTIN++", "tmux-256color", "MTTS 271"], old), &expected);
    let screen_reader = ExpectedReplies { screen_reader: true, ..expected };
    assert_known(tintin(&["TINTIN++", "tmux-256color", "MTTS 335"], old), &screen_reader);
    let expected = ExpectedReplies { screen_reader: false, client: Some("TINTIN++"), ..screen_reader };
    assert_known(tintin(&["TINTIN++", "tmux-256color", "MTTS 2831"], [VAR_EACH, VAR_EACH]), &expected);
}

#[test]
fn protocols_13_tinyfugue_and_kbtin() {
    let tinyfugue = Client {
        name: "tf5",
        first: b"\xff\xfb\x1f",
        does: &[TTYPE, NAWS],
        takes: &[EOR, MCCP2],
        window: (99, 30),
        terminals: &["TINYFUGUE", "ANSI-ATTR", "ANSI", "UNKNOWN", "UNKNOWN"],
        ..PLAIN
    };
    assert_known(tinyfugue, &ExpectedReplies { eor: true, ..known(TwoFiftySix, Encoding::Ascii, Some(99)) });
    let kbtin = Client {
        name: "KBtin",
        does: &[TTYPE, NAWS],
        takes: &[EOR, MCCP2],
        repeats: true,
        window: (100, 29),
        terminals: &["KBtin", "hardcopy", "unknown", "KBtin-2.1", "KBtin-2.1"],
        ..PLAIN
    };
    assert_known(kbtin, &ExpectedReplies { eor: true, ..known(Sixteen, Encoding::Utf8, Some(100)) });
}

#[test]
fn protocols_13_blightmud_and_telnetlib3() {
    const EVERYTHING: &[u8] =
        b"\x00\x00LANG\x01C.UTF-8\x00TERM\x01tmux-256color\x00LINES\x0130\x00COLUMNS\x01100\
        \x00COLORTERM\x01truecolor\x00CLIENT_NAME\x01\x00MTTS\x01\x00CHARSET\x01";
    let blightmud = Client {
        name: "Blightmud",
        does: &[TTYPE, NAWS],
        takes: &[EOR, CHARSET, GMCP, MSSP, MCCP2],
        window: (100, 27),
        terminals: &["BLIGHTMUD", "TMUX-256COLOR", "MTTS 271"],
        hello: "Core.Hello {\"client\":\"Blightmud\",\"version\":\"5.0\"}",
        ..PLAIN
    };
    assert_known(
        blightmud,
        &ExpectedReplies { eor: true, gmcp: true, ..known(True, Encoding::Utf8, Some(100)) },
    );
    let telnetlib3 = Client {
        name: "telnetlib3",
        does: &[TTYPE, NAWS, ENVIRON, TM],
        takes: &[EOR, CHARSET, GMCP, MCCP2],
        terminals: &["tmux-256color"],
        environ: [&[EVERYTHING], &[EVERYTHING]],
        ..PLAIN
    };
    assert_known(
        telnetlib3,
        &ExpectedReplies { eor: true, gmcp: true, ..known(TwoFiftySix, Encoding::Utf8, Some(100)) },
    );
}

#[test]
fn protocols_13_plain_telnets() {
    const ECHOED: &[u8] = b"\x00\x00CLIENT_NAME\x00CLIENT_VERSION\x00MTTS\x00CHARSET\x00TERMINAL_TYPE";
    const USER: &[u8] = b"\x00\x03USER\x01alice";
    let inetutils = Client {
        name: "inetutils telnet",
        does: &[TTYPE, NAWS, ENVIRON, TM],
        terminals: &["TMUX-256COLOR"],
        environ: [&[ECHOED], &[ECHOED]],
        ..PLAIN
    };
    assert_known(inetutils, &known(TwoFiftySix, Encoding::Utf8, Some(100)));
    let plink = Client {
        name: "plink",
        first: b"\xff\xfb\x1f\xff\xfb\x20\xff\xfb\x18\xff\xfb\x27\xff\xfd\x01\xff\xfb\x03\xff\xfd\x03",
        does: &[TTYPE, NAWS, ENVIRON, TM],
        terminals: &["XTERM"],
        environ: [&[USER], &[USER]],
        ..PLAIN
    };
    assert_known(plink, &known(TwoFiftySix, Encoding::Utf8, Some(100)));
    let busybox = Client { name: "BusyBox", does: &[TTYPE, NAWS], terminals: &["tmux-256color"], ..PLAIN };
    assert_known(busybox, &known(TwoFiftySix, Encoding::Utf8, Some(100)));
    let netcat = Client { name: "nc -t", repeats: true, ..PLAIN };
    assert_known(netcat, &known(Sixteen, Encoding::Utf8, None));
}

#[test]
fn protocols_11_mudlet_reports_user_variables() {
    const UNDEFINED: &[u8] = b"\x00\x00CLIENT_NAME\x00CLIENT_VERSION\x00MTTS\x00CHARSET\x00TERMINAL_TYPE";
    const TOLD: &[u8] = b"\x00\x03CLIENT_NAME\x01MUDLET\x03CLIENT_VERSION\x014.20\x03MTTS\x012349\x03CHARSET\x01UTF-8\
        \x03TERMINAL_TYPE\x01ANSI-TRUECOLOR\x03SCREEN_READER\x01\x03UTF-8\x011\x03256_COLORS\x011\x03TRUECOLOR\x011\
        \x03OSC_HYPERLINKS\x011\x03OSC_HYPERLINKS_SEND\x011\x03WORD_WRAP\x01100";
    let mudlet = || Client {
        name: "Mudlet",
        does: &[TTYPE, NAWS, ENVIRON],
        takes: &[EOR, CHARSET, GMCP, MSSP, MCCP2],
        terminals: &["MUDLET", "ANSI-TRUECOLOR", "MTTS 2349"],
        environ: [&[UNDEFINED], &[TOLD]],
        hello: "Core.Hello {\"client\":\"Mudlet\",\"version\":\"4.20\"}",
        ..PLAIN
    };
    let expected = ExpectedReplies {
        eor: true,
        gmcp: true,
        links: true,
        client: Some("MUDLET"),
        ..known(True, Encoding::Utf8, Some(100))
    };
    assert_known(mudlet(), &expected);

    // Item 16: the player turns the setting on and off while playing.
    let (mut telnet, _, _) = meet(mudlet());
    let (output, events) = exchange(&mut telnet, b"\xff\xfa\x27\x02\x03SCREEN_READER\x011\xff\xf0");
    assert_eq!(
        (output.as_slice(), events.as_slice()),
        (b"".as_slice(), [TelnetEvent::ClientChanged].as_slice())
    );
    assert!(telnet.capabilities().screen_reader);
    exchange(&mut telnet, b"\xff\xfa\x27\x02\x03SCREEN_READER\x01\xff\xf0");
    assert!(!telnet.capabilities().screen_reader);
}

#[test]
fn protocols_11_clients_scripted_from_source() {
    const NAMED: &[u8] = b"\x00\x00CLIENT_NAME\x01Mudslinger\x00CLIENT_VERSION\x011.0";
    let mushclient = |charset| Client {
        name: "MUSHclient",
        does: &[TTYPE],
        takes: &[CHARSET, MCCP2],
        terminals: &["mushclient", "ANSI", "MTTS 265"],
        charset,
        ..PLAIN
    };
    assert_known(mushclient(b"\x02UTF-8"), &known(True, Encoding::Utf8, None));
    assert_known(mushclient(b"\x02US-ASCII"), &known(True, Encoding::Ascii, None));
    let mudrammer = Client {
        name: "MUDRammer",
        first: b"\xff\xfb\x18\xff\xfd\x03\xff\xfb\x1f",
        does: &[TTYPE, NAWS],
        takes: &[MSSP, MCCP2],
        window: (50, 30),
        terminals: &["MUDRAMMER", "XTERM", "ANSI", "ANSI"],
        ..PLAIN
    };
    assert_known(mudrammer, &known(TwoFiftySix, Encoding::Utf8, Some(50)));
    let blowtorch = Client {
        name: "BlowTorch",
        does: &[TTYPE, NAWS, CHARSET],
        takes: &[CHARSET, MCCP2],
        repeats: true,
        window: (40, 20),
        terminals: &["BlowTorch", "ANSI", "MTTS 13"],
        ..PLAIN
    };
    assert_known(blowtorch, &known(TwoFiftySix, Encoding::Utf8, Some(40)));
    let mudslinger = Client {
        name: "Mudslinger",
        does: &[TTYPE, ENVIRON],
        takes: &[CHARSET, GMCP],
        terminals: &["Mudslinger", "ANSI", "-256color", "UNKNOWNIP"],
        environ: [&[NAMED], &[]],
        ..PLAIN
    };
    assert_known(
        mudslinger,
        &ExpectedReplies {
            gmcp: true,
            client: Some("Mudslinger"),
            ..known(TwoFiftySix, Encoding::Utf8, None)
        },
    );
}

#[test]
fn item_10_crawlers_request_mssp_before_the_offer() {
    let crawler = Client { name: "crawler", first: b"\xff\xfd\x46", takes: &[MSSP], ..PLAIN };
    let (mut telnet, events, _) = meet(crawler);
    assert_eq!(events.iter().filter(|event| **event == TelnetEvent::StatusAsked).count(), 1);
    let values = ["Deep\u{1}\u{2}\0well\n".to_owned()];
    let ports = ["23".to_owned(), "4000".to_owned()];
    telnet.status([("NAME", values.as_slice()), ("PORT", &ports)].into_iter());
    assert_eq!(sent(&mut telnet), b"\xff\xfa\x46\x01NAME\x02Deepwell\x01PORT\x0223\x024000\xff\xf0");
    assert_eq!(exchange(&mut telnet, b"\xff\xfe\x46"), (b"\xff\xfc\x46".to_vec(), Vec::new()));
    telnet.status([("NAME", values.as_slice())].into_iter());
    assert_eq!(sent(&mut telnet), b"");
    assert_eq!(
        exchange(&mut telnet, b"\xff\xfd\x46"),
        (b"\xff\xfb\x46".to_vec(), vec![TelnetEvent::StatusAsked])
    );
}
