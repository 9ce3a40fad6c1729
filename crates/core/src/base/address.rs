//! Client addresses and address ranges as values. Nothing here opens a connection.

pub use core::net::IpAddr;
pub use ipnet::IpNet;

/// Parses an address range, or a single address as a range of one. `None` if the text is neither.
pub fn network(text: &str) -> Option<IpNet> {
    let network = match text.split_once('/') {
        None => IpNet::from(text.parse::<IpAddr>().ok()?),
        Some((address, bits)) => IpNet::new(address.parse().ok()?, bits.parse().ok()?).ok()?,
    };
    match network.addr() {
        // `::ffff:10.0.0.0/104` becomes 10.0.0.0/8: peer addresses are compared in unmapped form.
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpNet::new(v4.into(), network.prefix_len().checked_sub(96)?).ok(),
            None => Some(network),
        },
        IpAddr::V4(_) => Some(network),
    }
}

/// Returns the range in its usual notation; a single address is shown without a prefix length.
pub fn network_words(network: IpNet) -> String {
    let is_one = network.prefix_len() == network.max_prefix_len();
    if is_one { network.addr().to_string() } else { network.to_string() }
}

/// Prefix length typically assigned to one household, which can change addresses within it at will (RFC 6177).
const HOUSEHOLD_BITS: u8 = 64;

/// Returns the range that counts as one client: an IPv4 address, or an IPv6 /64 prefix.
pub fn household(address: IpAddr) -> IpNet {
    let address = address.to_canonical();
    let whole =
        IpNet::new(address, HOUSEHOLD_BITS).ok().filter(|_| address.is_ipv6() && !address.is_loopback());
    whole.map_or_else(|| IpNet::from(address), |network| network.trunc())
}

/// Returns the range that a provider typically assigns to one customer: /24, or /48 for IPv6.
pub fn site(address: IpAddr) -> IpNet {
    range(address, 24, 48)
}

/// Returns the range of a provider, or of one of its regions: /16, or /40 for IPv6. One customer can easily have many
/// sites of such a range.
pub fn provider(address: IpAddr) -> IpNet {
    range(address, 16, 40)
}

fn range(address: IpAddr, bits_v4: u8, bits_v6: u8) -> IpNet {
    let address = address.to_canonical();
    let bits = if address.is_ipv6() { bits_v6 } else { bits_v4 };
    IpNet::new(address, bits).map_or_else(|_| IpNet::from(address), |range| range.trunc())
}
