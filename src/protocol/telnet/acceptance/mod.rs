//! Byte-level tests of the complete telnet endpoint.

mod clients;
mod hostile;
mod sequences;

use super::*;
use proptest::prelude::*;

const OPENING: &[u8] =
    b"\xff\xfd\x18\xff\xfd\x1f\xff\xfd\x27\xff\xfb\x19\xff\xfb\x2a\xff\xfb\xc9\xff\xfb\x46\xff\xfd\x06";

/// Maximum length in bytes of both NEW-ENVIRON requests.
const ENVIRON_QUESTIONS: usize = 256;

/// Creates an endpoint whose opening burst has been sent.
fn opened() -> Telnet {
    let mut telnet = Telnet::new(&Limits::default());
    assert_eq!(sent(&mut telnet), OPENING);
    telnet
}

/// Drains the output.
fn sent(telnet: &mut Telnet) -> Vec<u8> {
    let mut bytes = Vec::new();
    telnet.drain_output(&mut bytes);
    bytes
}

/// Sends bytes; returns the replies and the events.
fn exchange(telnet: &mut Telnet, bytes: &[u8]) -> (Vec<u8>, Vec<TelnetEvent>) {
    let mut events = Vec::new();
    telnet.receive(bytes, &mut events);
    (sent(telnet), events)
}

fn answers(telnet: &mut Telnet, bytes: &[u8]) -> Vec<u8> {
    exchange(telnet, bytes).0
}

#[test]
fn item_1_timing_mark_is_always_answered() {
    let mut telnet = opened();
    assert_eq!(answers(&mut telnet, b"\xff\xfd\x06\xff\xfd\x06"), b"\xff\xfb\x06\xff\xfb\x06");
    let (output, events) = exchange(&mut telnet, b"half a li\xff\xf4\xff\xfd\x06look\r\n");
    assert_eq!(output, b"\xff\xfb\x06");
    assert_eq!(events, [TelnetEvent::Interrupt, TelnetEvent::Line("look".into())]);
    for _ in 0..500 {
        assert_eq!(answers(&mut telnet, b"\xff\xfd\x06"), b"\xff\xfb\x06");
    }
}

#[test]
fn item_2_putty_is_refused_once() {
    let mut telnet = opened();
    assert_eq!(
        answers(&mut telnet, b"\xff\xfd\x01\xff\xfd\x03\xff\xfb\x03"),
        b"\xff\xfc\x01\xff\xfc\x03\xff\xfd\x03"
    );
    assert_eq!(answers(&mut telnet, b"\xff\xfb\x03"), b"");
    assert_eq!(answers(&mut telnet, b"\xff\xfb\x20"), b"\xff\xfe\x20");
}

#[test]
fn item_3_peers_that_echo_every_command_fall_silent_or_stay_bounded() {
    // The peer agrees to each command, echoes it unchanged, or contradicts it.
    for swap in [[0xfd, 0xfe, 0xfb, 0xfc], [0xfb, 0xfc, 0xfd, 0xfe], [0xfe, 0xfd, 0xfc, 0xfb]] {
        let mut telnet = opened();
        let mut sent = OPENING.to_vec();
        let mut total = 0;
        for _ in 0..1000 {
            let echoed: Vec<u8> = sent
                .iter()
                .map(|byte| if (0xfb..=0xfe).contains(byte) { swap[usize::from(byte - 0xfb)] } else { *byte })
                .collect();
            sent = answers(&mut telnet, &echoed);
            total += sent.len();
        }
        assert!(total < 2_000 + ENVIRON_QUESTIONS, "{total} bytes");
        let (_, events) = exchange(&mut telnet, b"look\r\n");
        assert_eq!(events, [TelnetEvent::Line("look".into())]);
    }
}

#[test]
fn item_4_lines_and_editing() {
    let mut telnet = opened();
    let (output, events) =
        exchange(&mut telnet, b"lookx\xff\xf7\r\ngarbage\xff\xf8say caf\xc3\xa9\x7fe\r\0\xff\xf6");
    assert_eq!(output, b"");
    let line = |text: &str| TelnetEvent::Line(text.into());
    assert_eq!(
        events,
        [TelnetEvent::ClientChanged, line("look"), line("say cafe"), TelnetEvent::AreYouThere]
    );
}

#[test]
fn item_5_window_sizes() {
    let mut telnet = opened();
    assert_eq!(answers(&mut telnet, b"\xff\xfb\x1f"), b"");
    let mut size_after = |bytes: &[u8]| {
        telnet.receive(bytes, &mut Vec::new());
        (telnet.capabilities().width, telnet.capabilities().height)
    };
    assert_eq!(size_after(b"\xff\xfa\x1f\x00\xff\xff\x00\x18\xff\xf0"), (Some(250), Some(24)));
    assert_eq!(size_after(b"\xff\xfa\x1f\x00\x50\x00\x18\xff\xf0"), (Some(80), Some(24)));
    assert_eq!(size_after(b"\xff\xfa\x1f\x00\x51\x00\xff\xf0"), (Some(80), Some(24)));
    assert_eq!(size_after(b"\xff\xfa\x1f\x00\x51\x00\x18\x00\xff\xf0"), (Some(80), Some(24)));
    let long = [b"\xff\xfa\x1f".as_slice(), &vec![1; 70_000], b"\xff\xf0"].concat();
    assert_eq!(size_after(&long), (Some(80), Some(24)));
    assert_eq!(size_after(b"\xff\xfa\x1f\x00\x01\x00\x01\xff\xf0"), (Some(20), Some(5)));
    assert_eq!(size_after(b"\xff\xfa\x1f\x00\x00\x00\x00\xff\xf0"), (None, None));
    assert_eq!(telnet.faults(), 3);
}

#[test]
fn item_5_endless_payload_is_discarded() {
    let mut telnet = opened();
    let mut events = Vec::new();
    telnet.receive(b"\xff\xfd\xc9\xff\xfa\xc9", &mut events);
    for _ in 0..100 {
        telnet.receive(&[b'x'; 10_000], &mut events);
    }
    let (output, events) = exchange(&mut telnet, b"\xff\xf0look\n");
    assert_eq!((output, events), (Vec::new(), vec![TelnetEvent::Line("look".into())]));
}

/// Answers every SEND with the next of the names. Returns the number of SENDs, the endpoint, and whether it is ready.
fn terminal(names: &[&[u8]]) -> (usize, Telnet, bool) {
    let mut telnet = opened();
    let mut asked = 0;
    let mut ready = false;
    let mut output = answers(&mut telnet, b"\xff\xfb\x18\xff\xfb\x06");
    while output == b"\xff\xfa\x18\x01\xff\xf0" {
        assert!(!ready);
        let name = names.get(asked).copied().unwrap_or(b"");
        asked += 1;
        let (more, events) = exchange(&mut telnet, &[b"\xff\xfa\x18\x00", name, b"\xff\xf0"].concat());
        output = more;
        ready = events.contains(&TelnetEvent::Ready);
    }
    assert_eq!(output, b"");
    (asked, telnet, ready)
}

#[test]
fn item_6_terminal_names() {
    let (asked, telnet, ready) = terminal(&[b"TINTIN++", b"tmux-256color", b"MTTS 335"]);
    assert!(ready);
    assert_eq!(asked, 3);
    assert_eq!(telnet.capabilities().terminal_names, ["TINTIN++", "tmux-256color"]);
    assert_eq!(telnet.capabilities().colour, deepwell_core::base::ColourLevel::True);
    assert!(telnet.capabilities().screen_reader);

    let (asked, telnet, ready) = terminal(&[b"XTERM", b"XTERM"]);
    assert_eq!(
        (asked, ready, telnet.capabilities().colour),
        (2, true, deepwell_core::base::ColourLevel::TwoFiftySix)
    );

    let (asked, telnet, ready) =
        terminal(&[b"KBtin", b"hardcopy", b"unknown", b"KBtin-2.1", b"KBtin", b"hardcopy"]);
    assert_eq!((asked, ready, telnet.capabilities().terminal_names.len()), (5, true, 4));

    let (_, telnet, _) = terminal(&[b"\x1b]0;own\x07ed\xe9", &[b'x'; 200]]);
    assert_eq!(telnet.capabilities().terminal_names, ["]0;owned".to_owned(), "x".repeat(40)]);

    let (asked, _, ready) = terminal(&[]);
    assert_eq!((asked, ready), (6, true));

    let mut telnet = opened();
    let (output, events) = exchange(&mut telnet, b"\xff\xfc\x18\xff\xfc\x06\xff\xfa\x18\x00X\xff\xf0");
    assert_eq!((output, events), (Vec::new(), vec![TelnetEvent::ClientChanged, TelnetEvent::Ready]));
    assert_eq!(telnet.capabilities().terminal_names, [""; 0]);
}

#[test]
fn item_8_character_sets() {
    let proposal = b"\xff\xfa\x2a\x01;UTF-8;US-ASCII\xff\xf0";
    let after = |bytes: &[u8]| {
        let mut telnet = opened();
        assert_eq!(answers(&mut telnet, b"\xff\xfd\x2a"), proposal);
        assert_eq!(answers(&mut telnet, bytes), b"");
        telnet.capabilities().encoding
    };
    assert_eq!(after(b"\xff\xfa\x2a\x02UTF-8\xff\xf0"), Encoding::Utf8);
    assert_eq!(after(b"\xff\xfa\x2a\x02us-ascii\xff\xf0"), Encoding::Ascii);
    assert_eq!(after(b"\xff\xfa\x2a\x02\xff\xf0\xff\xfa\x2a\x03\xff\xf0"), Encoding::Utf8);

    let mut telnet = opened();
    assert_eq!(answers(&mut telnet, b"\xff\xfb\x2a"), b"\xff\xfd\x2a");
    assert_eq!(
        answers(&mut telnet, b"\xff\xfa\x2a\x01 KOI8-R utf-8\xff\xf0"),
        b"\xff\xfa\x2a\x02utf-8\xff\xf0"
    );
    assert_eq!(answers(&mut telnet, b"\xff\xfa\x2a\x01;KOI8-R\xff\xf0"), b"\xff\xfa\x2a\x03\xff\xf0");
    assert_eq!(answers(&mut telnet, b"\xff\xfa\x2a\x04\x01x\xff\xf0"), b"\xff\xfa\x2a\x05\xff\xf0");
}

#[test]
fn first_known_character_set_is_accepted_without_utf8() {
    let mut telnet = opened();
    assert_eq!(answers(&mut telnet, b"\xff\xfb\x2a"), b"\xff\xfd\x2a");
    let answer = answers(&mut telnet, b"\xff\xfa\x2a\x01;KOI8-R;windows-1251\xff\xf0");
    assert_eq!(answer, b"\xff\xfa\x2a\x02windows-1251\xff\xf0");
    assert_eq!(telnet.capabilities().encoding, Encoding::Cp1251);
}

#[test]
fn client_accepting_every_offer_gets_no_compression() {
    let mut telnet = Telnet::compressible(&Limits::default());
    let opening = sent(&mut telnet);
    let answer = |command: &[u8]| match *command {
        [0xff, 0xfb, option] => [0xff, 0xfd, option],
        [0xff, _, option] => [0xff, 0xfc, option],
        _ => panic!("{command:?}"),
    };
    let blind: Vec<u8> = opening.chunks(3).flat_map(answer).collect();
    let (output, events) = exchange(&mut telnet, &blind);
    assert!(!events.iter().any(|event| matches!(event, TelnetEvent::Compression(_))), "{events:?}");
    assert!(
        output.windows(3).any(|command| command == b"\xff\xfc\x56"),
        "the offer is taken back: {output:?}"
    );

    let mut telnet = Telnet::compressible(&Limits::default());
    sent(&mut telnet);
    let (_, events) = exchange(&mut telnet, b"\xff\xfb\x18\xff\xfd\x56");
    assert!(events.contains(&TelnetEvent::Compression(true)), "a client that does anything gets it");
}

#[test]
fn client_agreeing_to_every_option_gets_compression_only_after_a_payload() {
    let agreed = |window: &[u8]| {
        let mut telnet = Telnet::compressible(&Limits::default());
        let opening = sent(&mut telnet);
        let answer = |command: &[u8]| match *command {
            [0xff, 0xfd, 31] => [b"\xff\xfb\x1f", window].concat(),
            [0xff, verb, option] => vec![0xff, if verb == 0xfb { 0xfd } else { 0xfb }, option],
            _ => panic!("{command:?}"),
        };
        let answers: Vec<u8> = opening.chunks(3).flat_map(answer).collect();
        exchange(&mut telnet, &answers).1.contains(&TelnetEvent::Compression(true))
    };
    assert!(!agreed(b""), "a client that can do what it agrees to sends its window size");
    assert!(agreed(b"\xff\xfa\x1f\x00\x50\x00\x18\xff\xf0"));
}

#[test]
fn item_8_tinyfugue_gets_ascii() {
    let (_, mut telnet, _) = terminal(&[b"TINYFUGUE", b"ANSI", b"ANSI"]);
    telnet.write("“Caf\u{e9}” — 中\n");
    assert_eq!(sent(&mut telnet), b"\"Cafe\" -- ?\r\n");
    telnet.set_encoding(Some(Encoding::Utf8));
    telnet.write("\u{e9}");
    assert_eq!(sent(&mut telnet), "\u{e9}".as_bytes());
}

#[test]
fn item_9_input_is_hidden_and_shown_immediately() {
    let mut telnet = opened();
    telnet.hide_input();
    assert_eq!(sent(&mut telnet), b"");
    telnet.write("Password: ");
    telnet.hide_input();
    assert_eq!(sent(&mut telnet), b"Password: \xff\xfb\x01");
    assert_eq!(answers(&mut telnet, b"\xff\xfd\x01"), b"");
    for _ in 0..5 {
        telnet.hide_input();
    }
    assert_eq!(sent(&mut telnet), b"");
    telnet.show_input();
    telnet.show_input();
    assert_eq!(sent(&mut telnet), b"\xff\xfc\x01");
    // Even without an answer (tt++), the next password is hidden.
    telnet.hide_input();
    assert_eq!(sent(&mut telnet), b"\xff\xfb\x01");
    assert_eq!(answers(&mut telnet, b"\xff\xfd\x01\xff\xfd\x01"), b"");
}

#[test]
fn n7_cancelled_masking_is_requested_only_at_next_password() {
    let mut telnet = opened();
    telnet.write("Password: ");
    telnet.hide_input();
    sent(&mut telnet);
    assert_eq!(answers(&mut telnet, b"\xff\xfd\x01\xff\xfe\x01"), b"\xff\xfc\x01");
    telnet.write("Wrong. ");
    telnet.hide_input();
    telnet.show_input();
    assert_eq!(sent(&mut telnet), b"Wrong. ");
    telnet.hide_input();
    assert_eq!(sent(&mut telnet), b"\xff\xfb\x01");
}

#[test]
fn item_11_gmcp_frames() {
    let mut telnet = opened();
    telnet.logged_in();
    telnet.gmcp("Core.Ping", "");
    assert_eq!(sent(&mut telnet), b"");
    assert_eq!(answers(&mut telnet, b"\xff\xfd\xc9"), b"");
    assert!(telnet.capabilities().gmcp);
    telnet.gmcp("Char.Vitals", "{\"hp\":1}");
    telnet.gmcp("Core.Ping", "");
    assert_eq!(sent(&mut telnet), b"\xff\xfa\xc9Char.Vitals {\"hp\":1}\xff\xf0\xff\xfa\xc9Core.Ping\xff\xf0");
    let (_, events) = exchange(&mut telnet, b"\xff\xfa\xc9core.supports.set [\"Char 1\"]\xff\xf0");
    let (package, body) = ("core.supports.set".to_owned(), "[\"Char 1\"]".to_owned());
    assert_eq!(events, [TelnetEvent::Gmcp { package, body }]);
    let message = |len: usize| [b"\xff\xfa\xc9A ".as_slice(), &vec![b'1'; len - 2], b"\xff\xf0"].concat();
    assert_eq!(exchange(&mut telnet, &message(16_384)).1.len(), 1);
    assert_eq!(exchange(&mut telnet, &message(16_385)).1.len(), 0);
    assert_eq!(telnet.faults(), 1);
    assert_eq!(answers(&mut telnet, b"\xff\xfe\xc9"), b"\xff\xfc\xc9");
    assert!(!telnet.capabilities().gmcp);
}

#[test]
fn prompts_end_with_eor_if_agreed_else_go_ahead() {
    let mut telnet = opened();
    telnet.end_prompt();
    telnet.keep_alive();
    assert_eq!(sent(&mut telnet), b"");
    answers(&mut telnet, b"\xff\xfe\x19");
    telnet.end_prompt();
    telnet.keep_alive();
    assert_eq!(sent(&mut telnet), b"\xff\xf9\xff\xf1");
    let mut telnet = opened();
    answers(&mut telnet, b"\xff\xfd\x19");
    telnet.end_prompt();
    assert_eq!(sent(&mut telnet), b"\xff\xef");
}

#[test]
fn n7_every_option_and_verb_gets_one_short_reply() {
    for code in 0..=255 {
        for verb in 0xfb..=0xfe {
            let mut telnet = Telnet::new(&Limits::default());
            sent(&mut telnet);
            let first = answers(&mut telnet, &[IAC, verb, code]);
            let known = [1, 3, 6, 24, 25, 31, 39, 42, 70, 201].contains(&code);
            let most = if code == 39 { ENVIRON_QUESTIONS } else { 23 };
            assert!(first.len() <= most, "{verb:x} {code:x}: {first:x?}");
            match verb {
                0xfb if !known => assert_eq!(first, [IAC, 0xfe, code]),
                0xfd if !known => assert_eq!(first, [IAC, 0xfc, code]),
                0xfc | 0xfe => assert_eq!(first, b""),
                _ => {}
            }
        }
    }
}

#[test]
fn n7_excess_negotiation_is_ignored_then_reported_once() {
    let mut telnet = opened();
    let mut output = 0;
    let mut abuse = 0;
    for _ in 0..3_000 {
        let (bytes, events) = exchange(&mut telnet, b"\xff\xfb\x55");
        output += bytes.len();
        abuse += events.iter().filter(|event| **event == TelnetEvent::Abuse).count();
    }
    assert_eq!((output, abuse), (600, 1));
}

/// Returns streams with many telnet commands.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let code = prop::sample::select(vec![1_u8, 3, 6, 24, 25, 31, 39, 42, 201, 70]);
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..6),
        (0xef_u8..).prop_map(|byte| vec![IAC, byte]),
        (0xfb_u8..=0xfe, code.clone()).prop_map(|(verb, code)| vec![IAC, verb, code]),
        (code, prop::collection::vec(any::<u8>(), 0..12)).prop_map(|(code, payload)| [
            &[IAC, 0xfa, code],
            payload.as_slice(),
            &[IAC, 0xf0]
        ]
        .concat()),
        prop::sample::select(vec!["look\r\n", "caf\u{e9}\r\0", "x\r", "y\n", "e\u{301}\u{8}\u{7f}"])
            .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn n6_events_do_not_depend_on_read_boundaries(bytes in stream(), cuts in prop::collection::vec(1usize..9, 1..20)) {
        let (mut whole, mut cut) = (opened(), opened());
        let (expected_output, expected_events) = exchange(&mut whole, &bytes);
        let mut events = Vec::new();
        let (mut rest, mut sizes) = (bytes.as_slice(), cuts.iter().cycle());
        while !rest.is_empty() {
            let (now, later) = rest.split_at((*sizes.next().unwrap()).min(rest.len()));
            cut.receive(now, &mut events);
            rest = later;
        }
        prop_assert_eq!(events, expected_events);
        prop_assert_eq!(sent(&mut cut), expected_output);
        prop_assert_eq!(cut.capabilities(), whole.capabilities());
    }

    #[test]
    fn n7_output_is_bounded_by_input(bytes in stream()) {
        let (output, events) = exchange(&mut opened(), &bytes);
        // Only the one-time requests (character sets and the environment) may exceed three times the input.
        prop_assert!(output.len() <= 3 * bytes.len() + 24 + ENVIRON_QUESTIONS);
        for event in events {
            if let TelnetEvent::Line(line) = event {
                prop_assert_eq!(clean(&line).into_owned(), line);
            }
        }
    }
}
