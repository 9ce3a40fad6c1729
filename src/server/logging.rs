//! The log: human or JSON lines on standard error, filtered by `log.level` and `log.filter`.
//! What is logged, and at which level, is decided where it happens; secrets and private speech never are.

use super::config::{LogConfig, LogFormat};
use std::io::{self, IsTerminal};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

/// Starts logging for the whole process. Fails if something has started it already.
pub fn start(config: &LogConfig) -> Result<(), TryInitError> {
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter(config))
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    match config.format {
        LogFormat::Text => lines.with_target(false).finish().try_init(),
        LogFormat::Json => lines.json().flatten_event(true).finish().try_init(),
    }
}

fn filter(config: &LogConfig) -> EnvFilter {
    let (level, exceptions) = (config.level.name(), config.filter.as_str());
    let gap = if exceptions.is_empty() { "" } else { "," };
    EnvFilter::builder().parse_lossy(format!("{level}{gap}{exceptions}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::config::{LogFilter, LogLevel};

    #[test]
    fn exceptions_win_over_the_level() {
        let filter_of = LogFilter::parse("deepwell::net=debug").unwrap();
        let config = LogConfig { level: LogLevel::Warn, filter: filter_of, ..LogConfig::default() };
        assert_eq!(filter(&config).to_string(), "deepwell::net=debug,warn");
        assert_eq!(filter(&LogConfig::default()).to_string(), "info");
    }
}
