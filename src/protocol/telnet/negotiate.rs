//! Option negotiation by RFC 1143, which determines the replies so that two peers cannot loop. Pure state machines; the
//! options and the effects of agreements are in the option files.

/// Server policy for an option on one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OptionPolicy {
    /// Always refused.
    Refuse,
    /// Accepted if the peer asks.
    Accept,
    /// Requested when the connection opens.
    Offer,
}

/// One side of one option: ours (we WILL, the peer says DO or DONT) or the peer's (it WILL, we say DO or DONT).
///
/// ```text
///            peer: on, wanted / answer on
///        ┌────────────────────────────────────┐
///        │         peer: off / answer off     ▼
///       No ◄──────────────────────────────── Yes
///       │▲                                  ▲ │
/// ask on││peer: off              peer: on   │ │ask off
///       ▼│                                  │ ▼
///     WantYes ──────────────────────────────┘ WantNo ── peer: off (or, in error, on) ──► No
/// ```
///
/// In the two Want states our request is in flight, so the next command of the peer is its reply and gets none. Asking
/// for the opposite then only sets `opposite`; the request is sent after the reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Half {
    #[default]
    No,
    Yes,
    WantNo {
        opposite: bool,
    },
    WantYes {
        opposite: bool,
    },
}

/// Result of a command from the peer; `true` is on: WILL or DO.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct VerbResult {
    /// Reply to send.
    pub(super) reply: Option<bool>,
    /// New effective state, if it was agreed or refused.
    pub(super) settled: Option<bool>,
}

impl Half {
    /// Requests the option on or off. Returns the command to send, if any.
    pub(super) fn ask(&mut self, on: bool) -> Option<bool> {
        let (next, send) = match (*self, on) {
            (Self::No, true) => (Self::WantYes { opposite: false }, Some(true)),
            (Self::Yes, false) => (Self::WantNo { opposite: false }, Some(false)),
            (Self::WantNo { .. }, _) => (Self::WantNo { opposite: on }, None),
            (Self::WantYes { .. }, _) => (Self::WantYes { opposite: !on }, None),
            (state, _) => (state, None),
        };
        *self = next;
        send
    }

    /// Processes a command from the peer. `wanted` decides about an offer that we did not request.
    #[expect(clippy::match_same_arms, reason = "the rows of the table in RFC 1143, one by one")]
    pub(super) fn hear(&mut self, on: bool, wanted: bool) -> VerbResult {
        let was = self.is_on();
        let (next, reply) = match (*self, on) {
            (Self::No, true) if wanted => (Self::Yes, Some(true)),
            (Self::No, true) => (Self::No, Some(false)),
            (Self::No, false) => (Self::No, None),
            (Self::Yes, true) => (Self::Yes, None),
            (Self::Yes, false) => (Self::No, Some(false)),
            (Self::WantNo { opposite: false }, _) | (Self::WantYes { .. }, false) => (Self::No, None),
            (Self::WantNo { opposite: true } | Self::WantYes { opposite: false }, true) => (Self::Yes, None),
            (Self::WantNo { opposite: true }, false) => (Self::WantYes { opposite: false }, Some(true)),
            (Self::WantYes { opposite: true }, true) => (Self::WantNo { opposite: false }, Some(false)),
        };
        let answered = matches!(*self, Self::WantNo { .. } | Self::WantYes { .. });
        *self = next;
        let at_rest = matches!(next, Self::No | Self::Yes);
        let news = at_rest && (answered || was != self.is_on());
        VerbResult { reply, settled: news.then_some(self.is_on()) }
    }

    /// Returns `true` if the option is in effect.
    pub(super) const fn is_on(self) -> bool {
        matches!(self, Self::Yes)
    }
}

/// Both sides of one option.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OptionSides {
    /// Our side.
    pub(super) ours: Half,
    /// The peer's side.
    pub(super) theirs: Half,
}

impl OptionSides {
    /// Returns `true` if either side is in effect, so that subnegotiations are allowed.
    pub(super) const fn any_on(self) -> bool {
        self.ours.is_on() || self.theirs.is_on()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STATES: [Half; 6] = [
        Half::No,
        Half::Yes,
        Half::WantNo { opposite: false },
        Half::WantNo { opposite: true },
        Half::WantYes { opposite: false },
        Half::WantYes { opposite: true },
    ];

    /// The table of RFC 1143: state, after "on", reply, after "off", reply.
    #[test]
    fn n7_follows_rfc_1143() {
        let [no, yes, want_no, want_no_then_yes, want_yes, want_yes_then_no] = STATES;
        let table = [
            (no, yes, Some(true), no, None),
            (yes, yes, None, no, Some(false)),
            (want_no, no, None, no, None),
            (want_no_then_yes, yes, None, want_yes, Some(true)),
            (want_yes, yes, None, no, None),
            (want_yes_then_no, want_no, Some(false), no, None),
        ];
        for (state, after_on, reply_on, after_off, reply_off) in table {
            let (mut on, mut off) = (state, state);
            assert_eq!((on.hear(true, true).reply, on), (reply_on, after_on), "{state:?} on");
            assert_eq!((off.hear(false, true).reply, off), (reply_off, after_off), "{state:?} off");
        }
        let mut refused = no;
        assert_eq!(refused.hear(true, false), VerbResult { reply: Some(false), settled: None });
        assert_eq!(refused, no);
    }

    #[test]
    fn refused_offer_is_reported_as_settled() {
        let mut half = Half::No;
        assert_eq!(half.ask(true), Some(true));
        assert_eq!(half.ask(true), None);
        assert_eq!(half.hear(false, true), VerbResult { reply: None, settled: Some(false) });
        assert_eq!(half.hear(false, true), VerbResult { reply: None, settled: None });
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        /// Two peers that follow the rules fall silent and agree after any sequence of requests.
        #[test]
        fn n7_two_peers_never_loop(pre_login in prop::collection::vec((any::<bool>(), any::<bool>(), 0usize..3), 0..20)) {
            let (mut us, mut peer) = (Half::No, Half::No);
            let (mut to_us, mut to_peer) = (Vec::new(), Vec::new());
            let deliver = |us: &mut Half, peer: &mut Half, to_us: &mut Vec<bool>, to_peer: &mut Vec<bool>| {
                if !to_peer.is_empty() {
                    let on = to_peer.remove(0);
                    to_us.extend(peer.hear(on, true).reply);
                } else if !to_us.is_empty() {
                    let on = to_us.remove(0);
                    to_peer.extend(us.hear(on, true).reply);
                }
            };
            for (ours, on, deliveries) in pre_login {
                if ours { to_peer.extend(us.ask(on)); } else { to_us.extend(peer.ask(on)); }
                for _ in 0..deliveries { deliver(&mut us, &mut peer, &mut to_us, &mut to_peer); }
            }
            for _ in 0..100 { deliver(&mut us, &mut peer, &mut to_us, &mut to_peer); }
            prop_assert!(to_us.is_empty() && to_peer.is_empty());
            prop_assert_eq!(us, peer);
        }
    }
}
