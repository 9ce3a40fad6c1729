//! Period in which a certificate is valid (RFC 5280, section 4.1.2.5), read from its DER encoding.

use deepwell_core::base::GameTime;

/// Tags of the encoding that come before and in the period.
const INTEGER: u8 = 0x02;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;

/// Period in which a certificate is valid; clients refuse it at other times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Validity {
    /// First moment.
    pub from: GameTime,
    /// Last moment.
    pub until: GameTime,
}

impl Validity {
    /// Returns `true` if the certificate is valid at a moment.
    pub fn contains(self, now: GameTime) -> bool {
        self.from <= now && now <= self.until
    }

    /// Describes the period, as seen at a moment.
    pub fn words(self, now: GameTime) -> String {
        if now < self.from {
            format!("is valid only from {}", self.from.utc_to_second())
        } else if now > self.until {
            format!("has expired on {}", self.until.utc_to_second())
        } else {
            format!("is valid until {}", self.until.utc_to_second())
        }
    }

    /// Reads the period of a certificate; `None` if its encoding is not understood.
    pub(super) fn read(certificate: &[u8]) -> Option<Self> {
        let (mut fields, _) = field(field(certificate, SEQUENCE)?.0, SEQUENCE)?;
        if let Some((_, rest)) = field(fields, VERSION) {
            fields = rest;
        }
        // Serial number, signature algorithm, issuer.
        for tag in [INTEGER, SEQUENCE, SEQUENCE] {
            (_, fields) = field(fields, tag)?;
        }
        let (period, _) = field(fields, SEQUENCE)?;
        let (from, rest) = time(period)?;
        let (until, _) = time(rest)?;
        Some(Self { from, until })
    }
}

/// Splits a field of this tag from the bytes after it.
fn field(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&found, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first().filter(|_| found == tag)?;
    let (length, rest) = if first < 0x80 {
        (usize::from(first), rest)
    } else {
        let (digits, rest) =
            rest.split_at_checked(usize::from(first & 0x7f)).filter(|(digits, _)| digits.len() <= 4)?;
        (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
    };
    rest.split_at_checked(length)
}

/// Reads a moment, `YYMMDDhhmmssZ` or with four digits of the year, and returns the bytes after it.
fn time(bytes: &[u8]) -> Option<(GameTime, &[u8])> {
    let (text, rest) = field(bytes, UTC_TIME).or_else(|| field(bytes, GENERALIZED_TIME))?;
    let text = str::from_utf8(text).ok().filter(|text| text.is_ascii())?.strip_suffix('Z')?;
    let century = match text.len() {
        12 if text < "50" => "20",
        12 => "19",
        14 => "",
        _ => return None,
    };
    let digits = format!("{century}{text}");
    let part = |from: usize| &digits[from..from + 2];
    let [month, day, hours, minutes, seconds] = [4, 6, 8, 10, 12].map(part);
    // A period that begins before 1970 has begun.
    let written = format!("{}-{month}-{day} {hours}:{minutes}:{seconds}", &digits[..4]);
    let is_early = &digits[..4] < "1970";
    GameTime::parse(&written).or(is_early.then_some(GameTime(0))).map(|time| (time, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    fn certificate(from: (i32, u8, u8), until: (i32, u8, u8)) -> Vec<u8> {
        let mut params = CertificateParams::new(["well.example".to_owned()]).unwrap();
        params.not_before = date_time_ymd(from.0, from.1, from.2);
        params.not_after = date_time_ymd(until.0, until.1, until.2);
        params.self_signed(&KeyPair::generate().unwrap()).unwrap().der().to_vec()
    }

    /// Both forms of a date are read: with two digits of the year until 2049, and with four.
    #[test]
    fn period_of_certificate_is_read() {
        for (from, until) in
            [((1999, 12, 31), (2024, 2, 29)), ((2026, 1, 1), (2099, 12, 31)), ((1960, 1, 1), (2049, 6, 30))]
        {
            let read = Validity::read(&certificate(from, until)).unwrap();
            let date = |(year, month, day): (i32, u8, u8)| format!("{year}-{month:02}-{day:02} 00:00 UTC");
            assert_eq!(read.until.utc(), date(until));
            assert_eq!(read.from.utc(), date(if from.0 < 1970 { (1970, 1, 1) } else { from }));
        }
    }

    proptest! {
        /// Bytes of a file cause no panic, neither as they are nor with one changed.
        #[test]
        fn n6_broken_certificates_are_not_understood(bytes: Vec<u8>, at in 0usize..400, byte: u8) {
            let _ = Validity::read(&bytes);
            let mut changed = certificate((2026, 1, 1), (2027, 1, 1));
            let at = at % changed.len();
            changed[at] = byte;
            let _ = Validity::read(&changed);
        }
    }
}
