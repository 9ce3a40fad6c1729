//! Trusted proxies: the networks that the operator trusts, and the client address that such a proxy names in
//! `X-Forwarded-For`. For the PROXY protocol see `proxy`.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use deepwell_core::base::address::{IpNet, network, network_words};

/// Maximum number of addresses read from forwarding headers; longer than any real chain of proxies.
const FORWARDED_MAX: usize = 16;

/// A list of networks. An empty list contains no address.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Networks(Vec<IpNet>);

/// Error: the text is not a list of networks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotNetworks;

impl Networks {
    /// Returns `true` if one of the networks contains the address. An IPv4-mapped IPv6 address counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Returns `true` if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the client address behind `peer`, which sent `X-Forwarded-For` headers with these values, in their
    /// order. Each proxy appends the address of its client. The last address that is not trusted is therefore the
    /// result; earlier addresses may be forged. The result is `peer` if it is not trusted. If a value cannot be parsed,
    /// the result is the trusted address read before it.
    pub fn caller<'a>(&self, peer: IpAddr, headers: impl IntoIterator<Item = &'a str>) -> IpAddr {
        let mut caller = peer.to_canonical();
        let named: Vec<&str> = headers.into_iter().flat_map(|header| header.split(',')).collect();
        for name in named.into_iter().rev().take(FORWARDED_MAX) {
            if !self.contains(caller) {
                break;
            }
            match named_address(name.trim()) {
                Some(address) => caller = address,
                None => break,
            }
        }
        caller
    }
}

/// Parses an address in the forms that proxies write: bare, in brackets, or with a port.
fn named_address(name: &str) -> Option<IpAddr> {
    let bare = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    let address = bare.parse().ok().or_else(|| name.parse::<SocketAddr>().ok().map(|socket| socket.ip()));
    address.map(|address| address.to_canonical())
}

impl FromStr for Networks {
    type Err = NotNetworks;

    /// Parses a comma-separated list of addresses and networks, such as `10.0.0.0/8, ::1`. The list may be empty.
    fn from_str(text: &str) -> Result<Self, NotNetworks> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        text.split(',')
            .map(|part| network(part.trim()).ok_or(NotNetworks))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl fmt::Display for Networks {
    /// Writes the list in the form used in the configuration.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, network) in self.0.iter().enumerate() {
            if n > 0 {
                f.write_str(", ")?;
            }
            f.write_str(&network_words(*network))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn networks(text: &str) -> Networks {
        text.parse().unwrap_or_else(|_| panic!("{text} is no list of networks"))
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn networks_contain_only_their_addresses() {
        let list = networks("10.0.0.0/8, 192.0.2.7,2001:db8::/32, ::1, 172.16.0.0/12");
        for inside in
            ["10.255.0.1", "::ffff:10.1.2.3", "192.0.2.7", "2001:db8:ffff::1", "::1", "172.31.255.255"]
        {
            assert!(list.contains(address(inside)), "{inside}");
        }
        for outside in ["11.0.0.0", "192.0.2.8", "2001:db9::", "::2", "172.32.0.0", "0.0.0.0", "::"] {
            assert!(!list.contains(address(outside)), "{outside}");
        }
        assert!(!networks("").contains(address("127.0.0.1")));
        assert!(networks("0.0.0.0/0").contains(address("203.0.113.9")));
        assert!(!networks("0.0.0.0/0").contains(address("2001:db8::1")));
        assert!(networks("::ffff:10.0.0.0/104").contains(address("10.9.9.9")));
    }

    #[test]
    fn network_lists_are_validated_and_round_trip() {
        for text in
            ["10.0.0.0/33", "::1/129", "10.0.0", "localhost", "10.0.0.0/8,", "1.2.3.4/-1", "::ffff:1.2.3.4/9"]
        {
            assert_eq!(text.parse::<Networks>(), Err(NotNetworks), "{text}");
        }
        for text in ["", "10.0.0.0/8, ::1", "0.0.0.0/0, 2001:db8::/32"] {
            assert_eq!(networks(text).to_string(), text);
        }
    }

    #[test]
    fn protocols_9_only_trusted_proxy_can_name_client() {
        let trusted = networks("10.0.0.0/8, ::1");
        let caller =
            |peer: &str, headers: &[&str]| trusted.caller(address(peer), headers.iter().copied()).to_string();
        assert_eq!(caller("10.0.0.1", &["203.0.113.9"]), "203.0.113.9");
        assert_eq!(caller("203.0.113.1", &["192.0.2.1"]), "203.0.113.1", "it is nobody's proxy");
        assert_eq!(
            caller("10.0.0.1", &["192.0.2.1, 203.0.113.9, 10.0.0.7"]),
            "203.0.113.9",
            "made up in front"
        );
        assert_eq!(
            caller("10.0.0.1", &["192.0.2.1", "203.0.113.9"]),
            "203.0.113.9",
            "the last header is the last word"
        );
        assert_eq!(caller("::1", &["[2001:db8::5]:4711"]), "2001:db8::5");
        assert_eq!(caller("::1", &["203.0.113.9:80"]), "203.0.113.9");
        assert_eq!(caller("10.0.0.1", &["192.0.2.1, unknown"]), "10.0.0.1");
        assert_eq!(caller("10.0.0.1", &[]), "10.0.0.1");
        let long = format!("203.0.113.9{}", ", 10.0.0.7".repeat(FORWARDED_MAX));
        assert_eq!(caller("10.0.0.1", &[&long]), "10.0.0.7", "no chain of proxies is so long");
        assert_eq!(caller("::ffff:10.0.0.1", &["::ffff:203.0.113.9"]), "203.0.113.9");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn network_contains_exactly_addresses_with_its_prefix(
            of in any::<u32>(), other in any::<u32>(), length in 0u8..=32,
        ) {
            let network = networks(&format!("{}/{length}", std::net::Ipv4Addr::from_bits(of)));
            let same = length == 0 || (of ^ other) >> (32 - length) == 0;
            prop_assert_eq!(network.contains(std::net::Ipv4Addr::from_bits(other).into()), same);
        }
    }
}
