//! Fuzz targets for the wire: telnet, character sets, PROXY headers, output.

use super::{Draws, Target, fuzz, outcome};
use deepwell::base::limits::Limits;
use deepwell::base::unicode::{clean, is_printable};
use deepwell::base::{ColourLevel, Palette};
use deepwell::net::proxy;
use deepwell::protocol::encoding::Encoding;
use deepwell::protocol::telnet::{Telnet, TelnetEvent};
use deepwell::text::markup::{Markup, Style};
use deepwell::text::{Colours, render, render_with_links};
use std::panic::catch_unwind;

const IAC: u8 = 255;
const SB: u8 = 250;
const SE: u8 = 240;
/// Maximum length in bytes of one-time answers to a client.
const ONCE: usize = 600;

const ENCODINGS: [Encoding; 4] = [Encoding::Utf8, Encoding::Latin1, Encoding::Cp1251, Encoding::Ascii];

/// Dictionary of telnet negotiation and text: every verb for each option, and others.
fn telnet_words() -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    for option in [0, 1, 3, 6, 24, 25, 31, 39, 42, 69, 70, 86, 91, 200, 201, 255] {
        words.extend((251..=254).map(|verb| vec![IAC, verb, option]));
        words.push(vec![IAC, SB, option]);
        words.push(vec![IAC, SB, option, 1, 0, IAC, SE]);
    }
    words.extend((239..=255).map(|command| vec![IAC, command]));
    for text in [
        "look\r\n", "\r\0", "\r", "\n", "\u{8}", "\u{7f}", "\u{15}", "\u{17}", "é", "日本", "\u{301}",
        "\u{202e}",
    ] {
        words.push(text.as_bytes().to_vec());
    }
    for payload in [
        &b"\x18\x00XTERM-256COLOR"[..],
        b"\x18\x00MTTS 2831",
        b"\x1f\x00\x50\x00\x18",
        b"\x2a\x01;UTF-8;US-ASCII",
        b"\x2a\x02UTF-8",
        b"\x2a\x03",
        b"\x27\x00\x03CHARSET\x01ASCII",
        b"\x27\x02\x00USER\x01-f root",
        b"\xc9Core.Hello {\"client\":\"Mudlet\",\"version\":\"4.17\"}",
        b"\xc9Core.Supports.Set [\"Room 1\",\"Char 1\"]",
        b"\xc9a [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]",
    ] {
        words.push([&[IAC, SB], payload, &[IAC, SE]].concat());
    }
    words
}

fn sent(telnet: &mut Telnet) -> Vec<u8> {
    let mut bytes = Vec::new();
    telnet.drain_output(&mut bytes);
    bytes
}

/// Telnet input yields the same events, answers and capabilities for every split; lines are clean and bounded, and
/// answers are bounded by the input.
#[test]
fn n6_n7_t1_telnet_events_are_independent_of_splits() {
    let words = telnet_words();
    let seeds = vec![words.concat(), b"\x03\x05connect olad secret\r\nlook\r\n".to_vec()];
    let target = Target { name: "telnet", runs: 12_000, seeds, words };
    let limits = Limits::default();
    fuzz(&target, |input| {
        let mut draws = Draws(input);
        let sizes = draws.bytes(2);
        let (mut whole, mut cut) = (Telnet::compressible(&limits), Telnet::compressible(&limits));
        let (mut expected, mut events) = (Vec::new(), Vec::new());
        whole.receive(draws.0, &mut expected);
        for piece in draws.pieces(sizes) {
            cut.receive(piece, &mut events);
        }
        assert_eq!(events, expected);
        assert_eq!(cut.capabilities(), whole.capabilities());
        let answers = sent(&mut whole);
        assert_eq!(sent(&mut cut), answers);
        assert!(answers.len() <= 3 * input.len() + ONCE, "{} bytes answer {}", answers.len(), input.len());
        let mut kinds = Vec::new();
        for event in &events {
            kinds.push(std::mem::discriminant(event));
            match event {
                TelnetEvent::Line(line) => {
                    assert_eq!(clean(line), *line);
                    assert!(line.len() <= 3 * limits.line_bytes as usize);
                }
                TelnetEvent::Gmcp { package, body } => {
                    assert!(package.len() + body.len() <= limits.subnegotiation_bytes as usize);
                    assert!(
                        package.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
                    );
                }
                _ => {}
            }
        }
        kinds.dedup();
        kinds.truncate(6);
        outcome((
            kinds,
            whole.faults().min(3),
            answers.len().min(40),
            format!("{:?}", whole.capabilities().encoding),
        ))
    });
}

/// Any bytes decode to clean text in every character set; clean text survives encoding and decoding.
#[test]
fn n11_t1_decoded_lines_are_clean_in_every_character_set() {
    let words = [
        "é", "ß", "日", "\u{301}", "\u{200d}", "👩", "\u{fe0f}", "\u{e000}", "\u{fffd}", "\u{ac00}",
        "\u{11a8}", "\u{85}",
    ];
    let mut words: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
    words.extend([vec![0xc3], vec![0xe9], vec![0xed, 0xa0, 0x80], vec![0xf0, 0x9f], vec![0x80], vec![0x9b]]);
    let seeds =
        vec![b"\0plain".to_vec(), b"\x01caf\xe9".to_vec(), "\u{2}héé👩\u{200d}👩".as_bytes().to_vec()];
    fuzz(&Target { name: "lines", runs: 20_000, seeds, words }, |input| {
        let mut draws = Draws(input);
        let encoding = ENCODINGS[draws.below(4)];
        let decoded = encoding.decode(draws.0);
        let line = clean(&decoded).into_owned();
        assert_eq!(clean(&line), line, "cleaned twice");
        assert!(line.chars().all(is_printable), "{line:?}");
        assert!(line.len() <= 9 * draws.0.len(), "{} bytes of {}", line.len(), draws.0.len());
        let mut bytes = Vec::new();
        line.chars().for_each(|c| encoding.encode(c, &mut bytes));
        match encoding {
            Encoding::Utf8 => assert_eq!(encoding.decode(&bytes), line, "out and back"),
            Encoding::Ascii => assert!(bytes.is_ascii()),
            Encoding::Cp1251 => assert!(bytes.iter().all(|byte| !matches!(byte, 0..0x20 | 0x7f | 0x98))),
            Encoding::Latin1 => assert!(bytes.iter().all(|byte| !matches!(byte, 0..0x20 | 0x7f..0xa0))),
        }
        outcome((encoding as u8, decoded.len() == line.len(), line.is_ascii(), decoded.contains('\u{fffd}')))
    });
}

/// Builds text in many styles from the input.
fn any_markup(draws: &mut Draws<'_>) -> Markup {
    let mut markup = Markup::new();
    while !draws.is_empty() {
        let style = Style::ALL[draws.below(Style::ALL.len())];
        let length = draws.below(24);
        markup.push(style, &String::from_utf8_lossy(draws.bytes(length)));
    }
    markup
}

/// Output of any text holds only printable text, line ends, our own colours and links. Without colours and width it
/// equals the text except for indents.
#[test]
fn t3_output_has_only_our_own_control_codes() {
    let words = [
        "\x1b[31m", "\x1b]0;x\x07", "\x1b[0m", "\x1bP", "\u{9b}2J", "\n", "\r", "\t", "  ", "日本語",
        "\u{ff}", "e\u{301}", "\u{200b}",
    ];
    let words = words.iter().map(|word| word.as_bytes().to_vec()).collect();
    let seeds = vec![
        b"\0\0\0\0\x05hello\x02\x10well, well, well".to_vec(),
        b"\x02\x03\x22\x01\x06\x07north, down".to_vec(),
    ];
    fuzz(&Target { name: "text", runs: 12_000, seeds, words }, |input| {
        send_and_check(input, |linked| if linked { render_with_links } else { render })
    });
}

/// Checks that the harness can fail: a renderer that does not escape a colour code in a field is detected.
#[test]
fn unescaped_field_is_detected() {
    let input = b"\0\0\0\0\0\x17an \x1b[31mevil name";
    send_and_check(input, |_| render);
    let as_it_is: Draw = |markup, _, _, out| out.push_str(markup.text());
    assert!(catch_unwind(|| send_and_check(input, |_| as_it_is)).is_err());
}

/// Renders markup with colours, to a width.
type Draw = fn(&Markup, Colours, Option<u16>, &mut String);

/// Sends text built from the input and checks the bytes sent.
fn send_and_check(input: &[u8], draw: impl Fn(bool) -> Draw) -> u64 {
    let mut draws = Draws(input);
    let (encoding, switches) = (ENCODINGS[draws.below(4)], draws.byte());
    let levels = [ColourLevel::None, ColourLevel::Sixteen, ColourLevel::TwoFiftySix, ColourLevel::True];
    let colours =
        Colours { colour: levels[draws.below(4)], palette: Palette::ALL[draws.below(Palette::ALL.len())] };
    let width = (switches & 1 > 0).then(|| 20 + u16::from(switches >> 2));
    let linked = switches & 2 > 0;
    let markup = any_markup(&mut draws);
    let mut text = String::new();
    draw(linked)(&markup, colours, width, &mut text);
    let mut telnet = Telnet::new(&Limits::default());
    sent(&mut telnet);
    telnet.set_encoding(Some(encoding));
    telnet.show_links(linked);
    telnet.write(&text);
    let bytes = sent(&mut telnet);
    let plain = without_codes(&bytes);
    if colours.colour == ColourLevel::None && width.is_none() && encoding == Encoding::Utf8 {
        let kept: String = markup.text().chars().filter(|c| *c == '\n' || is_printable(*c)).collect();
        // Continuation lines of speech are indented.
        let lines = |text: &str| {
            let lines = text.split('\n').map(|line| line.trim_matches(['\r', ' ']).to_owned());
            lines.collect::<Vec<_>>()
        };
        assert_eq!(lines(&String::from_utf8(plain).expect("UTF-8")), lines(&kept));
    }
    outcome((encoding as u8, colours.colour, linked, bytes.len().min(200) / 10))
}

/// Returns the visible bytes; panics on any control sequence other than a colour, a line end, a doubled IAC or one of
/// our links.
fn without_codes(bytes: &[u8]) -> Vec<u8> {
    let (mut shown, mut at) = (Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        at += match (*byte, bytes.get(at + 1)) {
            (0x1b, Some(b'[')) => {
                let length = bytes[at..].iter().position(|byte| *byte == b'm').expect("a colour ends");
                assert!(bytes[at + 2..at + length].iter().all(|byte| byte.is_ascii_digit() || *byte == b';'));
                length + 1
            }
            (0x1b, Some(b']')) => {
                let length = bytes[at..].windows(2).position(|pair| pair == b"\x1b\\").expect("a link ends");
                assert!(bytes[at..].starts_with(b"\x1b]8;"), "a link");
                assert!(bytes[at + 1..at + length].iter().all(|byte| (0x20..0x7f).contains(byte)));
                length + 2
            }
            (b'\r', Some(b'\n')) => {
                shown.extend_from_slice(b"\r\n");
                2
            }
            (IAC, Some(&IAC)) => {
                shown.push(IAC);
                2
            }
            (0x20..=0x7e | 0x80..IAC, _) => {
                shown.push(*byte);
                1
            }
            _ => panic!("{byte:#x} at {at} of b\"{}\"", bytes.escape_ascii()),
        };
    }
    shown
}

/// The start of a connection parses as a header or is refused; no byte beyond the header is consumed, and parsing never
/// waits for more.
#[test]
fn n8_proxy_headers_are_parsed_or_refused() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let mut v2 = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x0c".to_vec();
    v2.extend([203, 0, 113, 7, 10, 0, 0, 5, 0xdc, 4, 0x0f, 0xa0]);
    let lines = [
        "PROXY TCP4 203.0.113.7 10.0.0.5 56324 4000\r\nlook",
        "PROXY TCP6 2001:db8::7 ::1 1 2\r\n",
        "PROXY UNKNOWN\r\n",
    ];
    let mut seeds: Vec<Vec<u8>> = lines.iter().map(|line| line.as_bytes().to_vec()).collect();
    seeds.push(v2.clone());
    let words = [
        "PROXY ", "TCP4 ", "TCP6 ", "UNKNOWN", "\r\n", " ", "::ffff:1.2.3.4", "65536", "+1",
        "\x20\x00\x05\x01",
    ];
    let words = words.iter().map(|word| word.as_bytes().to_vec()).chain([v2[..12].to_vec()]).collect();
    fuzz(&Target { name: "proxy", runs: 20_000, seeds, words }, |input| {
        let read = |input: &[u8]| {
            let mut rest = input;
            let header = runtime.block_on(proxy::read(&mut rest)).map_err(|error| error.kind());
            (header, rest.len())
        };
        let (header, left) = read(input);
        if header.is_ok() {
            assert_eq!(read(&input[..input.len() - left]), (header, 0), "the header alone means the same");
        }
        outcome((format!("{header:?}").len(), header.is_ok(), left.min(4)))
    });
}
