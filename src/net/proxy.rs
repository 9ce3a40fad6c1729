//! The PROXY protocol, versions 1 and 2 (haproxy's proxy-protocol.txt): a header line or block at the start of a
//! connection that names the client of a proxy. Reads exactly the header, so that the TLS or telnet data after it stays
//! in the stream. The caller decides whether a peer may send a header.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::time::timeout;

/// Time limit for the header.
const HEADER_TIME: Duration = Duration::from_secs(3);
/// Maximum length of a version 1 line in bytes, including CR LF.
const LINE_BYTES_MAX: usize = 107;
/// Maximum length of a version 2 block in bytes, after its fixed part.
const BLOCK_BYTES_MAX: usize = 2_048;

/// Start of a version 2 block.
const SIGNATURE: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";
/// Start of a version 1 line.
const WORD: &[u8] = b"PROXY ";
/// Bytes that suffice to tell the versions apart; every header is at least this long.
const PROBE: usize = SIGNATURE.len();

/// Commands of version 2, with the version in the upper half of the byte.
const LOCAL: u8 = 0x20;
const PROXY: u8 = 0x21;

/// Address families and transports of version 2.
const UNSPECIFIED: u8 = 0x00;
const TCP4: u8 = 0x11;
const TCP6: u8 = 0x21;
const UNIX_STREAM: u8 = 0x31;

/// Type of the TLV with TLS information about the client, and its flag for a TLS connection.
const TLV_SSL: u8 = 0x20;
const CLIENT_SSL: u8 = 0x01;

/// Information from a PROXY header.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProxyHeader {
    /// Client address; `None` if the proxy speaks for itself, for example in a health check, or does not know it.
    pub caller: Option<IpAddr>,
    /// Set if the proxy reports that the client used TLS.
    pub encrypted: bool,
}

/// Reads the header.
///
/// # Errors
/// The header is missing, malformed, too long or late, or the peer disconnected. In all cases the peer is not one of
/// our proxies.
pub async fn read<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<ProxyHeader> {
    timeout(HEADER_TIME, header(stream)).await.map_err(|_| io::Error::from(ErrorKind::TimedOut))?
}

async fn header<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<ProxyHeader> {
    let mut probe = [0; PROBE];
    stream.read_exact(&mut probe).await?;
    if probe == SIGNATURE {
        return block(stream).await;
    }
    if !probe.starts_with(WORD) {
        return Err(malformed("no PROXY header"));
    }
    let mut line = probe.to_vec();
    while !line.ends_with(b"\r\n") {
        if line.len() == LINE_BYTES_MAX || line.contains(&b'\n') {
            return Err(malformed("unterminated PROXY line"));
        }
        // Byte by byte: the data after the line must stay in the stream.
        line.push(stream.read_u8().await?);
    }
    let caller = line_caller(&line).map_err(|()| malformed("malformed PROXY line"))?;
    Ok(ProxyHeader { caller, encrypted: false })
}

/// Returns the client address of a version 1 line, `None` if it is unknown to the proxy. Fails if the line is
/// malformed.
fn line_caller(line: &[u8]) -> Result<Option<IpAddr>, ()> {
    let line =
        std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix("PROXY ")?.strip_suffix("\r\n"));
    match line {
        Some(line) if line.split(' ').next() == Some("UNKNOWN") => Ok(None),
        Some(line) => named_caller(line).map(Some).ok_or(()),
        None => Err(()),
    }
}

/// Parses the client address of a line with addresses.
fn named_caller(line: &str) -> Option<IpAddr> {
    let words: Vec<&str> = line.split(' ').collect();
    let (caller, ports): (IpAddr, _) = match *words.as_slice() {
        ["TCP4", caller, proxy, from, to] => {
            proxy.parse::<Ipv4Addr>().ok()?;
            (caller.parse::<Ipv4Addr>().ok()?.into(), [from, to])
        }
        ["TCP6", caller, proxy, from, to] => {
            proxy.parse::<Ipv6Addr>().ok()?;
            (caller.parse::<Ipv6Addr>().ok()?.into(), [from, to])
        }
        _ => return None,
    };
    // The ports are not used, but a line without valid ports is malformed.
    let are_ports =
        ports.iter().all(|port| port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok());
    are_ports.then(|| caller.to_canonical())
}

/// Reads the rest of a version 2 block.
async fn block<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<ProxyHeader> {
    let mut fixed = [0; 4];
    stream.read_exact(&mut fixed).await?;
    let [command, family, high, low] = fixed;
    let length = usize::from(u16::from_be_bytes([high, low]));
    if length > BLOCK_BYTES_MAX {
        return Err(malformed("PROXY block is too long"));
    }
    let mut rest = vec![0; length];
    stream.read_exact(&mut rest).await?;
    from_block(command, family, &rest).ok_or_else(|| malformed("malformed PROXY block"))
}

/// Parses a version 2 block.
fn from_block(command: u8, family: u8, rest: &[u8]) -> Option<ProxyHeader> {
    match command {
        LOCAL => return Some(ProxyHeader::default()),
        PROXY => {}
        _ => return None,
    }
    // Two addresses and two ports, then TLVs.
    let (caller, extra) = match family {
        TCP4 => {
            let (addresses, extra) = rest.split_first_chunk::<12>()?;
            let caller: &[u8; 4] = addresses.first_chunk()?;
            (Some(IpAddr::from(*caller)), extra)
        }
        TCP6 => {
            let (addresses, extra) = rest.split_first_chunk::<36>()?;
            let caller: &[u8; 16] = addresses.first_chunk()?;
            (Some(IpAddr::from(*caller).to_canonical()), extra)
        }
        // The extra values of these families are not read.
        UNSPECIFIED | UNIX_STREAM => (None, &[][..]),
        _ => return None,
    };
    Some(ProxyHeader { caller, encrypted: came_by_tls(extra) })
}

/// Returns `true` if the TLVs say that the client used TLS; `false` if they are malformed.
fn came_by_tls(mut extra: &[u8]) -> bool {
    while let [kind, high, low, rest @ ..] = extra {
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        let Some((value, after)) = rest.split_at_checked(length) else { return false };
        if *kind == TLV_SSL {
            return value.first().is_some_and(|client| client & CLIENT_SSL != 0);
        }
        extra = after;
    }
    false
}

fn malformed(what: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tokio::io::{AsyncWriteExt as _, duplex};
    use tokio::time::Instant;

    /// Returns the parsed header and the bytes left in the stream.
    fn read_from(bytes: &[u8]) -> (Result<ProxyHeader, ErrorKind>, Vec<u8>) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut stream = bytes;
            let read = header(&mut stream).await.map_err(|error| error.kind());
            (read, stream.to_vec())
        })
    }

    fn caller(text: &str) -> ProxyHeader {
        ProxyHeader { caller: Some(text.parse().unwrap()), encrypted: false }
    }

    fn v2(command: u8, family: u8, rest: &[u8]) -> Vec<u8> {
        let mut bytes = SIGNATURE.to_vec();
        bytes.extend([command, family]);
        bytes.extend(u16::try_from(rest.len()).unwrap().to_be_bytes());
        bytes.extend(rest);
        bytes
    }

    #[test]
    fn protocols_9_a_line_of_version_1_names_the_caller() {
        for (line, header) in [
            ("PROXY TCP4 203.0.113.7 10.0.0.5 56324 4000\r\n", caller("203.0.113.7")),
            ("PROXY TCP4 203.0.113.7 10.0.0.5 0 0\r\n", caller("203.0.113.7")),
            ("PROXY TCP6 2001:db8::7 ::1 56324 4000\r\n", caller("2001:db8::7")),
            ("PROXY TCP6 ::ffff:203.0.113.7 ::1 1 2\r\n", caller("203.0.113.7")),
            ("PROXY UNKNOWN\r\n", ProxyHeader::default()),
            ("PROXY UNKNOWN ffff::1 ffff::2 65535 65535\r\n", ProxyHeader::default()),
        ] {
            let (read, left) = read_from(&[line.as_bytes(), b"look\r\n"].concat());
            assert_eq!((read, left.as_slice()), (Ok(header), &b"look\r\n"[..]), "{line}");
        }
    }

    #[test]
    fn protocols_9_a_block_of_version_2_names_the_caller() {
        let tcp4 = [203, 0, 113, 7, 10, 0, 0, 5, 0xdc, 0x04, 0x0f, 0xa0];
        let mut tcp6 = [0; 36];
        tcp6[..16].copy_from_slice(&"2001:db8::7".parse::<Ipv6Addr>().unwrap().octets());
        let mut mapped = [0; 36];
        mapped[..16].copy_from_slice(&"::ffff:203.0.113.7".parse::<Ipv6Addr>().unwrap().octets());
        let tls = [&tcp4[..], &[0x02, 0, 1, b'x', 0x20, 0, 5, 0x01, 0, 0, 0, 0]].concat();
        let not_tls = [&tcp4[..], &[0x20, 0, 5, 0x00, 0, 0, 0, 0]].concat();
        let cut = [&tcp4[..], &[0x20, 0, 50, 0x01]].concat();
        for (block, header) in [
            (v2(PROXY, TCP4, &tcp4), caller("203.0.113.7")),
            (v2(PROXY, TCP6, &tcp6), caller("2001:db8::7")),
            (v2(PROXY, TCP6, &mapped), caller("203.0.113.7")),
            (v2(PROXY, TCP4, &tls), ProxyHeader { encrypted: true, ..caller("203.0.113.7") }),
            (v2(PROXY, TCP4, &not_tls), caller("203.0.113.7")),
            (v2(PROXY, TCP4, &cut), caller("203.0.113.7")),
            (v2(LOCAL, UNSPECIFIED, b""), ProxyHeader::default()),
            (v2(LOCAL, TCP4, &tcp4), ProxyHeader::default()),
            (v2(PROXY, UNSPECIFIED, b"anything"), ProxyHeader::default()),
            (v2(PROXY, UNIX_STREAM, &[0; 216]), ProxyHeader::default()),
        ] {
            let (read, left) = read_from(&[&block, &b"\x16\x03"[..]].concat());
            assert_eq!((read, left.as_slice()), (Ok(header), &b"\x16\x03"[..]), "{block:x?}");
        }
    }

    #[test]
    fn protocols_9_invalid_header_is_refused() {
        for header in [
            "connect olad secret\r\n",
            "PROXY TCP4 203.0.113.7 10.0.0.5 56324\r\n",
            "PROXY TCP4 2001:db8::7 ::1 56324 4000\r\n",
            "PROXY TCP4 203.0.113.7 10.0.0.5 56324 70000\r\n",
            "PROXY TCP4 203.0.113.7 10.0.0.5 +1 4000\r\n",
            "PROXY TCP4  203.0.113.7 10.0.0.5 1 4000\r\n",
            "PROXY UDP4 203.0.113.7 10.0.0.5 1 4000\r\n",
            "proxy TCP4 203.0.113.7 10.0.0.5 1 4000\r\n",
            "PROXY UNKNOWN\nPROXY UNKNOWN\r\n",
            "GET / HTTP/1.1\r\nHost: here\r\n\r\n",
        ] {
            assert_eq!(read_from(header.as_bytes()).0, Err(ErrorKind::InvalidData), "{header}");
        }
        let long = format!("PROXY UNKNOWN {}\r\n", "x".repeat(200));
        assert_eq!(read_from(long.as_bytes()).0, Err(ErrorKind::InvalidData));
        for header in [
            v2(0x22, TCP4, &[0; 12]),
            v2(0x11, TCP4, &[0; 12]),
            v2(PROXY, 0x12, &[0; 12]),
            v2(PROXY, TCP4, &[0; 11]),
        ] {
            assert_eq!(read_from(&header).0, Err(ErrorKind::InvalidData), "{header:x?}");
        }
        let (read, left) = read_from(&v2(PROXY, TCP4, &[0; 2_049]));
        assert_eq!((read, left.len()), (Err(ErrorKind::InvalidData), 2_049), "nothing of it is read");
        assert_eq!(read_from(b"PROXY TCP4 203.0.113.7").0, Err(ErrorKind::UnexpectedEof));
    }

    #[tokio::test(start_paused = true)]
    async fn protocols_4_4_slow_header_times_out() {
        let (mut near, mut far) = duplex(64);
        let before = Instant::now();
        let trickle = async {
            for byte in b"PROXY TCP4 203.0.113.7 10.0.0.5 56324 4000\r\n" {
                tokio::time::sleep(Duration::from_millis(500)).await;
                far.write_u8(*byte).await.unwrap();
            }
        };
        tokio::select! {
            read = read(&mut near) => assert_eq!(read.unwrap_err().kind(), ErrorKind::TimedOut),
            () = trickle => panic!("the whole header was waited for"),
        }
        assert_eq!(before.elapsed(), HEADER_TIME);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn arbitrary_input_is_parsed_or_refused_without_overread(
            start in 0usize..4, rest in prop::collection::vec(any::<u8>(), 0..300),
        ) {
            let start: &[u8] = [&b""[..], b"PROXY ", b"PROXY TCP4 ", SIGNATURE][start];
            let bytes = [start, &rest].concat();
            let (read, left) = read_from(&bytes);
            prop_assert!(bytes.ends_with(&left));
            if read.is_ok() {
                let used = &bytes[..bytes.len() - left.len()];
                prop_assert_eq!(read_from(used), (read, vec![]), "the header alone means the same");
            }
        }

        #[test]
        fn client_address_round_trips_in_both_versions(v4 in any::<u32>(), v6 in any::<u128>(), from in any::<u16>()) {
            let (v4, v6) = (Ipv4Addr::from_bits(v4), Ipv6Addr::from_bits(v6));
            let line = format!("PROXY TCP4 {v4} 10.0.0.1 {from} 4000\r\n");
            prop_assert_eq!(read_from(line.as_bytes()).0, Ok(caller(&v4.to_string())));
            let canonical = IpAddr::from(v6).to_canonical();
            let line = format!("PROXY TCP6 {v6} ::1 {from} 4000\r\n");
            prop_assert_eq!(read_from(line.as_bytes()).0, Ok(caller(&canonical.to_string())));
            let block = [&v6.octets()[..], &[0; 20]].concat();
            prop_assert_eq!(read_from(&v2(PROXY, TCP6, &block)).0, Ok(caller(&canonical.to_string())));
        }
    }
}
