//! Negotiation of compressed output (MCCP2). Compression starts only after the terminal type is known, because some
//! clients mishandle that negotiation otherwise, and only if a slot is free. `net` does the compression.

use super::{Session, SessionAction, SessionStage};

/// State of the negotiation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum CompressionState {
    /// Not requested, refused or ended.
    #[default]
    Off,
    /// The client agreed; compression must not start yet.
    Agreed,
    /// [`SessionAction::Compress`] was sent.
    Asked,
    /// All output is compressed.
    On,
}

impl CompressionState {
    /// Handles the client's request to start or end compression.
    pub(super) fn want(&mut self, wanted: bool, actions: &mut Vec<SessionAction>) {
        let before = std::mem::replace(self, if wanted { Self::Agreed } else { Self::Off });
        if before == Self::On && !wanted {
            actions.push(SessionAction::Decompress);
        }
    }

    /// Requests compression once the opening negotiation is over.
    pub(super) fn request(&mut self, stage: &SessionStage, actions: &mut Vec<SessionAction>) {
        let in_turn = !matches!(stage, SessionStage::Opening | SessionStage::Closed);
        if in_turn && *self == Self::Agreed {
            *self = Self::Asked;
            actions.push(SessionAction::Compress);
        }
    }
}

impl Session {
    /// Accepts [`SessionAction::Compress`]. Ends the batch: all bytes up to the end of `out` must be sent uncompressed,
    /// all later ones compressed.
    pub fn compress(&mut self, out: &mut Vec<u8>) {
        self.flush(out);
        self.compression = CompressionState::On;
        self.screen.terminal().start_compression();
        self.screen.send(out);
    }

    /// Refuses [`SessionAction::Compress`] because no slot is free.
    pub fn refuse_compression(&mut self) {
        self.compression = CompressionState::Off;
        self.screen.terminal().refuse_compression();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{ConnectionInfo, SessionConfig};
    use deepwell_core::base::{GameTime, SessionId, Span};
    use deepwell_game::CloseReason;
    use std::sync::Arc;

    const OFFER: &[u8] = b"\xff\xfb\x56";
    const START: &[u8] = b"\xff\xfa\x56\xff\xf0";
    const REFUSAL: &[u8] = b"\xff\xfc\x56";

    fn session(compress: bool) -> Session {
        let config = SessionConfig { welcome: "Welcome.".into(), ..SessionConfig::default() };
        let connection = ConnectionInfo { compress, ..ConnectionInfo::default() };
        Session::new(SessionId(1), Arc::new(config), connection, GameTime(0))
    }

    /// Returns the output and the actions.
    fn exchange(session: &mut Session, bytes: &[u8]) -> (Vec<u8>, Vec<SessionAction>) {
        let (mut out, mut actions) = (Vec::new(), Vec::new());
        session.receive(bytes, GameTime(0), &mut actions);
        session.flush(&mut out);
        (out, actions)
    }

    fn contains(bytes: &[u8], part: &[u8]) -> bool {
        bytes.windows(part.len()).any(|window| window == part)
    }

    #[test]
    fn protocols_3_mccp2_is_offered_just_before_timing_mark() {
        let (opening, _) = exchange(&mut session(true), b"");
        assert!(opening.ends_with(&[OFFER, b"\xff\xfd\x06"].concat()), "{opening:x?}");
        let (opening, _) = exchange(&mut session(false), b"");
        assert!(!contains(&opening, OFFER));
        let (answer, actions) = exchange(&mut session(false), b"\xff\xfd\x56");
        assert!(contains(&answer, REFUSAL) && actions.is_empty());
    }

    #[test]
    fn protocols_14_13_mccp2_starts_after_terminal_type() {
        let mut session = session(true);
        let (_, actions) = exchange(&mut session, b"\xff\xfb\x18\xff\xfd\x56");
        assert_eq!(actions, [], "the terminal has not been told yet");
        let (_, actions) = exchange(&mut session, b"\xff\xfa\x18\x00MTTS 13\xff\xf0");
        assert_eq!(actions, []);
        let mut actions = Vec::new();
        session.receive(b"\xff\xfc\x06", GameTime(0), &mut actions);
        assert_eq!(actions, [SessionAction::Compress]);
        let mut out = Vec::new();
        session.compress(&mut out);
        assert!(
            session.compression == CompressionState::On
                && contains(&out, b"Welcome.")
                && out.ends_with(START)
        );
        let mut later = Vec::new();
        session.flush(&mut later);
        assert!(later.is_empty(), "the prompt came with the batch: {later:x?}");
        // 14.1: the timing mark is answered inside the compressed stream, too.
        assert_eq!(exchange(&mut session, b"\xff\xfd\x06").0, b"\xff\xfb\x06");
        assert_eq!(exchange(&mut session, b"\xff\xfd\x56"), (vec![], vec![]), "it is agreed already");
    }

    #[test]
    fn silent_client_is_compressed_after_a_second() {
        let mut session = session(true);
        exchange(&mut session, b"\xff\xfd\x56");
        let mut actions = Vec::new();
        session.tick(GameTime(0) + Span::secs(1), &mut actions);
        assert_eq!(actions, [SessionAction::Compress]);
    }

    #[test]
    fn n5_mccp2_offer_is_withdrawn_without_a_slot() {
        let mut session = session(true);
        exchange(&mut session, b"\xff\xfc\x18\xff\xfd\x56\xff\xfc\x06");
        session.refuse_compression();
        let mut out = Vec::new();
        session.flush(&mut out);
        assert_eq!(out, REFUSAL);
        assert!(session.compression != CompressionState::On);
        assert_eq!(exchange(&mut session, b"\xff\xfe\x56"), (vec![], vec![]), "the answer to an answer");
        let (answer, actions) = exchange(&mut session, b"\xff\xfd\x56");
        assert_eq!(
            (answer.as_slice(), actions.as_slice()),
            (OFFER, &[SessionAction::Compress][..]),
            "it may ask again"
        );
    }

    #[test]
    fn protocols_5_11_client_may_stop_and_restart_mccp2() {
        let mut session = session(true);
        exchange(&mut session, b"\xff\xfc\x18\xff\xfd\x56\xff\xfc\x06");
        session.compress(&mut Vec::new());
        let (answer, actions) = exchange(&mut session, b"\xff\xfe\x56");
        assert_eq!((answer.as_slice(), actions.as_slice()), (REFUSAL, &[SessionAction::Decompress][..]));
        assert!(session.compression != CompressionState::On);
        let (answer, actions) = exchange(&mut session, b"\xff\xfd\x56");
        assert_eq!((answer.as_slice(), actions.as_slice()), (OFFER, &[SessionAction::Compress][..]));
        assert_eq!(exchange(&mut session, b"\xff\xfe\x56\xff\xfd\x56\xff\xfe\x56").1, [], "it never began");
    }

    #[test]
    fn compression_is_not_requested_after_close() {
        let mut session = session(true);
        exchange(&mut session, b"\xff\xfc\x18\xff\xfc\x06");
        let (_, actions) = exchange(&mut session, b"\xff\xfd\x56quit\r\n");
        assert_eq!(actions.last(), Some(&SessionAction::Close(CloseReason::Quit)));
    }
}
