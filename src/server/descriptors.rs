//! How many connections there is room for. Each is an open file, of which a process has so many; some are kept for the database,
//! its copies, the log, the ports, and for operators, who must get an answer however many stand at the gate.

use anyhow::bail;

use crate::base::limits::Limits;

/// Open files that no player's connection may take.
const RESERVED: u64 = 64;
/// Open files below which there is no room for a game.
const LEAST: u64 = RESERVED + 32;

/// Lowers the limits of connections, all in the same measure, to what so many open files leave room for.
///
/// # Errors
/// One line with the cure if they leave room for nobody.
pub(super) fn fit(limits: &mut Limits, descriptors: u64) -> anyhow::Result<()> {
    if descriptors < LEAST {
        bail!(
            "only {descriptors} files may be open; raise the limit (ulimit -n, LimitNOFILE) to {LEAST} at least"
        );
    }
    let room = descriptors - RESERVED;
    let wanted = all(limits);
    if wanted <= room {
        return Ok(());
    }
    let lowered = |limit: u32| {
        let share = u64::from(limit) * room / wanted;
        u32::try_from(share).unwrap_or(limit).max(1)
    };
    limits.connections = lowered(limits.connections);
    limits.connections_before_login = lowered(limits.connections_before_login);
    limits.connections_without_header = lowered(limits.connections_without_header);
    limits.http_connections = lowered(limits.http_connections);
    tracing::warn!(
        descriptors,
        connections = limits.connections,
        before_login = limits.connections_before_login,
        http_connections = limits.http_connections,
        "fewer files may be open than the limits of connections ask for, so they are lower"
    );
    Ok(())
}

/// Connections that may be open at a time.
fn all(limits: &Limits) -> u64 {
    [limits.connections, limits.connections_without_header, limits.http_connections]
        .map(u64::from)
        .iter()
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n13_the_gate_is_as_large_as_open_files_allow_and_some_are_kept() {
        let mut limits = Limits::default();
        fit(&mut limits, 65_536).unwrap();
        assert_eq!(limits, Limits::default());
        fit(&mut limits, 256).unwrap();
        let all = all(&limits);
        assert!(all + RESERVED <= 256 && all > 180, "{all}");
        assert_eq!(
            (limits.connections, limits.connections_before_login, limits.http_connections),
            (161, 40, 20)
        );
        let before = limits.clone();
        fit(&mut limits, 256).unwrap();
        assert_eq!(limits, before, "what fits stays");
        let error = fit(&mut limits, 95).unwrap_err().to_string();
        assert!(error.contains("raise the limit (ulimit -n, LimitNOFILE) to 96"), "{error}");
    }
}
