//! Lines mixed with control sequences of terminals and with telnet commands: the lines arrive as typed.

use super::*;
use crate::protocol::telnet::codec::{SB, SE};
use crate::protocol::web;

/// Returns terminal control sequences with an end.
fn sequence() -> impl Strategy<Value = Vec<u8>> {
    let bytes = |text: String| text.into_bytes();
    let end = prop::sample::select(vec!["\u{7}", "\u{1b}\\", "\u{9c}"]);
    prop_oneof![
        "(\u{1b}\\[|\u{9b})[0-?]{0,8}[ -/]{0,2}[@-Z\\\\-~]".prop_map(bytes),
        "\u{1b}{1,2}\\[([A-H]|1;[2-8][A-H]|[1-6]~|20[01]~|\\[[A-E]|<0;[0-9]{1,3};[0-9]{1,3}[Mm])"
            .prop_map(bytes),
        "(\u{1b}O|\u{8f})[0-9;]{0,3}[A-Za-z]".prop_map(bytes),
        ("(\u{1b}[\\]PX^_]|[\u{90}\u{98}\u{9d}-\u{9f}])[ -~\u{e9}\u{2713}]{0,40}", end)
            .prop_map(|(start, end)| [start.as_bytes(), end.as_bytes()].concat()),
        "\u{1b}([a-zA-NQ-WYZ0-9=>]|[ -/]{1,2}[0-~]|\u{7f}|\u{8})".prop_map(bytes),
        "\u{1b}\\[[0-9;]{0,4}[\u{18}\u{1a}]".prop_map(bytes),
    ]
}

/// Returns telnet commands and subnegotiations that edit no line, with each command inside of a subnegotiation.
fn telnet_command() -> impl Strategy<Value = Vec<u8>> {
    let code = prop_oneof![prop::sample::select(vec![24_u8, 31, 39, 42, 69, 70, 86, 200, 201]), any::<u8>()];
    let inside = prop_oneof![
        4 => prop::collection::vec(0x20_u8..0xff, 1..6),
        1 => Just(vec![IAC, IAC]),
        2 => (0xef_u8..=0xfa).prop_filter("the end", |byte| *byte != SE).prop_map(|byte| vec![IAC, byte]),
        1 => (0xfb_u8..=0xfe, 0..0xff_u8).prop_map(|(verb, code)| vec![IAC, verb, code]),
        1 => (0xfb_u8..=0xfe).prop_map(|verb| vec![IAC, verb]),
    ];
    let window_size = |code: u8, payload: &[u8]| code == 31 && payload.contains(&IAC);
    prop_oneof![
        prop::sample::select(vec![0xf1_u8, 0xf2, 0xf5, 0xf9, 0xef]).prop_map(|command| vec![IAC, command]),
        (0xfb_u8..=0xfe, code.clone()).prop_map(|(verb, code)| vec![IAC, verb, code]),
        (code, prop::collection::vec(inside, 0..5))
            .prop_map(|(code, pieces)| (code, pieces.concat()))
            // A single 255 in a window size is read as a part of the size.
            .prop_filter("ambiguous", move |(code, payload)| *code != IAC && !window_size(*code, payload))
            .prop_map(|(code, payload)| [&[IAC, SB, code], payload.as_slice(), &[IAC, SE]].concat()),
    ]
}

/// A typed line in pieces, each followed by control bytes: for every endpoint, and for telnet only.
type Line = (Vec<(String, Vec<u8>, Vec<u8>)>, Vec<u8>);

fn line() -> impl Strategy<Value = Line> {
    let piece = (
        "[a-z ;'0-9\u{e9}\u{416}\u{4e2d}\\[~O]{0,6}",
        prop::option::of(sequence()),
        prop::option::of(telnet_command()),
    )
        .prop_map(|(text, sequence, command)| {
            (text, sequence.unwrap_or_default(), command.unwrap_or_default())
        });
    // The end of the line breaks a sequence off.
    let broken = (prop::option::of(sequence()), 0..40_usize).prop_map(|(sequence, at)| {
        let sequence = sequence.filter(|sequence| sequence.first() == Some(&0x1b)).unwrap_or_default();
        sequence.into_iter().take(at).collect()
    });
    (prop::collection::vec(piece, 1..5), broken)
}

fn in_packets(bytes: &[u8]) -> Vec<u8> {
    [web::header(web::TEXT, bytes.len()).as_slice(), bytes].concat()
}

fn lines_of(events: Vec<TelnetEvent>) -> Vec<String> {
    let line = |event| if let TelnetEvent::Line(line) = event { Some(line) } else { None };
    events.into_iter().filter_map(line).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn n6_lines_arrive_as_typed_among_control_sequences(
        lines in prop::collection::vec(line(), 1..6),
        agreed in any::<bool>(),
        cuts in prop::collection::vec(1usize..9, 1..20),
    ) {
        let (mut by_telnet, mut by_web, mut typed) = (Vec::new(), Vec::new(), Vec::new());
        for (pieces, broken) in &lines {
            for (text, sequence, command) in pieces {
                by_telnet.extend([text.as_bytes(), sequence, command].concat());
                by_web.extend([text.as_bytes(), sequence].concat());
            }
            for bytes in [&mut by_telnet, &mut by_web] {
                bytes.extend([broken.as_slice(), b"\r\n"].concat());
            }
            typed.push(clean(&pieces.iter().map(|(text, ..)| text.as_str()).collect::<String>()).into_owned());
        }
        let mut telnet = opened();
        if agreed {
            exchange(&mut telnet, b"\xff\xfb\x18\xff\xfb\x1f\xff\xfb\x27\xff\xfd\x19\xff\xfd\x2a\xff\xfd\xc9\xff\xfd\x46");
        }
        let (mut events, mut web_events, mut at) = (Vec::new(), Vec::new(), 0);
        for size in cuts.iter().cycle() {
            let end = (at + size).min(by_telnet.len());
            telnet.receive(&by_telnet[at..end], &mut events);
            at = end;
            if at == by_telnet.len() {
                break;
            }
        }
        let mut web = web::Web::new(&Limits::default());
        web.receive(&in_packets(&by_web), &mut web_events);
        prop_assert_eq!(&lines_of(events), &typed, "telnet: {:?}", String::from_utf8_lossy(&by_telnet));
        prop_assert_eq!(&lines_of(web_events), &typed, "web: {:?}", String::from_utf8_lossy(&by_web));
    }
}

/// Keys as terminals send them, and pastes.
#[test]
fn keys_and_paste_marks_are_removed_from_lines() {
    for (bytes, line) in [
        (b"\x1b[Alook".as_slice(), "look"),
        (b"lo\x1b[1;5Dok", "look"),
        (b"\x1bOPlook", "look"),
        (b"\x1b[[Alook", "look"),
        (b"\x1b[200~look\x1b[201~", "look"),
        (b"\x1b\x1b[Clook", "look"),
        (b"\x1bblook", "look"),
        (b"look\x1b]0;title", "look"),
        (b"look\xff\xfa\xc9Core.Ping\xff\xf9 1\xff\xf0", "look"),
        (b"\x1b[A\x7flook", "look"),
        (b"x\x1b[A\x7flook", "look"),
        (b"[A] ]0;x O", "[A] ]0;x O"),
    ] {
        let (_, events) = exchange(&mut opened(), &[bytes, b"\r\nwho\r\n"].concat());
        assert_eq!(lines_of(events), [line, "who"], "{:?}", String::from_utf8_lossy(bytes));
    }
}
