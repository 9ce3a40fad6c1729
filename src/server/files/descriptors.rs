//! Fits the connection limits to the process's limit of open files. Some files are reserved for the database, its
//! backups, the log, the ports and operators, who must get an answer even at full load.

use anyhow::bail;

use deepwell_core::base::limits::Limits;

/// Open files reserved for uses other than players' connections.
const RESERVED: u64 = 64;
/// Minimum number of open files to start.
const LEAST: u64 = RESERVED + 32;

/// Scales the connection limits down in proportion to fit the number of open files.
///
/// # Errors
/// One line with a suggested fix, if fewer than [`LEAST`] files may be open.
pub(in crate::server) fn fit(limits: &mut Limits, descriptors: u64) -> anyhow::Result<()> {
    if descriptors < LEAST {
        bail!(
            "only {descriptors} open files are allowed; raise the limit (ulimit -n, LimitNOFILE) to at least {LEAST}"
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
        "connection limits lowered to fit the limit of open files"
    );
    Ok(())
}

/// Returns the maximum number of simultaneous connections.
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
    fn n13_connection_limits_fit_open_files_with_reserve() {
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
        assert!(error.contains("raise the limit (ulimit -n, LimitNOFILE) to at least 96"), "{error}");
    }
}
