//! Where clients call from, as values: addresses and networks of them. Nothing here opens a connection.

pub use core::net::IpAddr;
pub use ipnet::IpNet;

/// One network, or one address as a network of its own. None if the text is neither.
pub fn network(text: &str) -> Option<IpNet> {
    let network = match text.split_once('/') {
        None => IpNet::from(text.parse::<IpAddr>().ok()?),
        Some((address, bits)) => IpNet::new(address.parse().ok()?, bits.parse().ok()?).ok()?,
    };
    match network.addr() {
        // `::ffff:10.0.0.0/104` is 10.0.0.0/8: peers are compared as what they are.
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpNet::new(v4.into(), network.prefix_len().checked_sub(96)?).ok(),
            None => Some(network),
        },
        IpAddr::V4(_) => Some(network),
    }
}

/// A network as people write it: an address alone if it has only that one.
pub fn network_words(network: IpNet) -> String {
    let is_one = network.prefix_len() == network.max_prefix_len();
    if is_one { network.addr().to_string() } else { network.to_string() }
}

/// Bits of an IPv6 network that one household has whole, with addresses that change at will (RFC 6177).
const HOUSEHOLD_BITS: u8 = 64;

/// What counts as one caller: an IPv4 address, or the network of a household.
pub fn household(address: IpAddr) -> IpNet {
    let address = address.to_canonical();
    let whole =
        IpNet::new(address, HOUSEHOLD_BITS).ok().filter(|_| address.is_ipv6() && !address.is_loopback());
    whole.map_or_else(|| IpNet::from(address), |network| network.trunc())
}
