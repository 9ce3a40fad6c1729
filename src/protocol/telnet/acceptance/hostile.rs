//! Hostile and faulty peers: the endpoint always stops replying, stays small, and gives the same events for every split
//! of the bytes. `DEEPWELL_STREAMS=1000000 cargo test --lib n7_random` is the long run.

use super::*;
use crate::protocol::telnet::codec::SB;

/// Bytes of one-time requests (character sets and the environment), beyond three times the input.
const ONE_TIME_BYTES: usize = 24 + ENVIRON_QUESTIONS;

/// Default number of streams.
const STREAMS: u64 = 20_000;

/// A small xorshift generator; quality does not matter.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap() % bound
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[3]
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Returns mostly negotiation, well-formed or not.
    fn stream(&mut self) -> Vec<u8> {
        const OPTIONS: &[u8] = &[0, 1, 3, 6, 24, 25, 31, 34, 39, 42, 70, 86, 201, 255];
        let mut bytes = Vec::new();
        for _ in 0..self.below(24) {
            match self.below(8) {
                0..=3 => {
                    let verb = 0xfb + self.byte() % 4;
                    bytes.extend([IAC, verb, self.pick(OPTIONS)]);
                }
                4 | 5 => {
                    bytes.extend([IAC, SB, self.pick(OPTIONS)]);
                    for _ in 0..self.below(12) {
                        let byte = self.byte();
                        bytes.push(if byte > 0xd0 { byte } else { byte % 5 });
                    }
                    if self.below(8) > 0 {
                        bytes.extend([IAC, 0xf0]);
                    }
                }
                6 => bytes.extend([IAC, self.byte()]),
                _ => bytes.push(self.byte()),
            }
        }
        bytes
    }
}

fn wanted() -> u64 {
    option_env!("DEEPWELL_STREAMS").and_then(|wanted| wanted.parse().ok()).unwrap_or(STREAMS)
}

/// N6, N7: no loop, no panic, a bounded reply, and the same events for every split.
#[test]
fn n7_random_negotiation_gets_bounded_reply_for_every_split() {
    for seed in 1..=wanted() {
        let mut noise = Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let bytes = noise.stream();
        let mut whole = opened();
        let (output, events) = exchange(&mut whole, &bytes);
        assert!(
            output.len() <= 3 * bytes.len() + ONE_TIME_BYTES,
            "stream {seed}: {} for {}",
            output.len(),
            bytes.len()
        );
        let (mut cut, mut heard, mut at) = (opened(), Vec::new(), 0);
        while at < bytes.len() {
            let end = (at + 1 + noise.below(5)).min(bytes.len());
            cut.receive(&bytes[at..end], &mut heard);
            at = end;
        }
        assert_eq!(heard, events, "stream {seed}");
        assert_eq!(sent(&mut cut), output, "stream {seed}");
        assert_eq!(cut.capabilities(), whole.capabilities(), "stream {seed}");
    }
}

/// N7, item 3: a peer that sends every command back, unchanged or with another verb, soon gets no more replies. Only
/// TIMING-MARK is answered each time, up to `limits.negotiations`.
#[test]
fn n7_random_peers_that_echo_fall_silent() {
    for seed in 1..=wanted() / 20 {
        let mut noise = Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut telnet = opened();
        let turn = noise.below(3);
        let (mut reply, mut total) = (exchange(&mut telnet, &noise.stream()).0, 0);
        let most = Limits::default().negotiations;
        for _ in 0..=most {
            let echoed: Vec<u8> = reply
                .iter()
                .map(|byte| match (byte, turn) {
                    (0xfb..=0xfe, 1) => 0xfb + (byte - 0xfb + 2) % 4,
                    (0xfb..=0xfe, 2) => 0xfb + (byte - 0xfb + noise.byte() % 4) % 4,
                    _ => *byte,
                })
                .collect();
            reply = exchange(&mut telnet, &echoed).0;
            total += reply.len();
            if reply.is_empty() {
                break;
            }
        }
        assert!(reply.is_empty(), "stream {seed} does not end");
        assert!(total <= 3 * most as usize + ONE_TIME_BYTES, "stream {seed}: {total} bytes");
    }
}

/// N7: peers that refuse their own requests, request options they refused, and change with every message.
#[test]
fn n7_contradictory_peers_get_one_reply_per_change() {
    for code in 0..=255 {
        let mut telnet = opened();
        let mut total = 0;
        for round in 0..60 {
            let verb = [0xfb, 0xfc, 0xfd, 0xfe][round % 4];
            total += exchange(&mut telnet, &[IAC, verb, code]).0.len();
        }
        assert!(total <= 60 * 3 + ONE_TIME_BYTES, "{code}: {total}");
        assert_eq!(exchange(&mut telnet, b"look\r\n").1, [TelnetEvent::Line("look".into())], "{code}");
    }
}

/// N6: every option with an empty, a long and an unterminated payload, before and after agreement.
#[test]
fn n6_payloads_of_every_shape_are_handled_for_every_option() {
    for code in 0..=255 {
        for agreed in [&[][..], &[IAC, 0xfb, code, IAC, 0xfd, code]] {
            let mut telnet = opened();
            exchange(&mut telnet, agreed);
            for payload in [&[][..], &[0], &[1], &[2], &[0xff, 0xff], &vec![7; 20_000], &[1; 300]] {
                let message = [&[IAC, SB, code], payload, &[IAC, 0xf0]].concat();
                let (output, _) = exchange(&mut telnet, &message);
                assert!(output.len() <= 16, "{code} {}: {}", payload.len(), output.len());
            }
            let unended = [&[IAC, SB, code], vec![b'x'; 50_000].as_slice(), &[IAC, 0xf4]].concat();
            let (_, events) = exchange(&mut telnet, &unended);
            assert_eq!(events, [], "{code}");
            assert_eq!(exchange(&mut telnet, b"rest of the payload\r\n").1, [], "{code}");
            assert_eq!(exchange(&mut telnet, b"look\r\n").1, [TelnetEvent::Line("look".into())], "{code}");
        }
    }
}

/// N8, CVE-2026-24061: the environment affects nothing but display, and invalid client names are not stored.
#[test]
fn n8_forged_environment_changes_nothing() {
    let mut telnet = opened();
    exchange(&mut telnet, b"\xff\xfb\x27");
    let before = telnet.capabilities().clone();
    let (output, events) = exchange(
        &mut telnet,
        b"\xff\xfa\x27\x00\x00USER\x01-f root\x03USER\x01-f root\x00LD_PRELOAD\x01/tmp/x.so\x00PATH\x01.\xff\xf0",
    );
    assert_eq!((output.as_slice(), events.len()), (b"".as_slice(), 0));
    assert_eq!(*telnet.capabilities(), before);
    exchange(&mut telnet, b"\xff\xfa\x27\x00\x00CLIENT_NAME\x01\x02\x1b]0;own\x07ed\xc2\x9b\xff\xf0");
    assert_eq!(telnet.capabilities().client_name.as_deref(), Some("]0;owned"));
}

/// N9: every boundary of the window size.
#[test]
fn n9_windows_of_every_size_are_clamped() {
    let mut telnet = opened();
    exchange(&mut telnet, b"\xff\xfb\x1f");
    for wide in [0_u16, 1, 19, 20, 21, 79, 250, 251, 255, 256, 32_767, 65_535] {
        for high in [0_u16, 1, 4, 5, 200, 201, 255, 65_535] {
            let size = [wide.to_be_bytes(), high.to_be_bytes()].concat();
            let escaped: Vec<u8> =
                size.iter().flat_map(|byte| vec![*byte; if *byte == IAC { 2 } else { 1 }]).collect();
            exchange(&mut telnet, &[&[IAC, SB, 31], escaped.as_slice(), &[IAC, 0xf0]].concat());
            let capabilities = telnet.capabilities();
            assert_eq!(capabilities.width, (wide > 0).then(|| wide.clamp(20, 250)), "{wide}x{high}");
            assert_eq!(capabilities.height, (high > 0).then(|| high.clamp(5, 200)), "{wide}x{high}");
        }
    }
}
