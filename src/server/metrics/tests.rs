//! Tests of the metrics, and of the files of `deploy` that name them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::cluster::StandbyMetrics;
use super::gateway::GatewayMetrics;
use super::*;
use crate::net::ConnectionLimit;
use crate::server::cluster::ClusterStatus;
use crate::server::link::gateway::GatewayStatus;
use crate::session::{ConnectionInfo, Privacy, Transport};
use deepwell_core::base::{RuleLimit, Tally};

const ALERTS: &str = include_str!("../../../deploy/prometheus/alerts.yml");

/// Returns the names of all series in a scrape, without the suffixes of histograms.
fn scraped() -> BTreeSet<String> {
    let metrics = Metrics::default();
    metrics.step_seconds.observe(0.002);
    metrics.commit_seconds.observe(0.002);
    metrics.commit_disk_seconds.observe(0.002);
    let text = metrics.text(&Status::default()).unwrap();
    let series = text.lines().filter(|line| !line.starts_with('#'));
    let name = |line: &str| {
        let name = line.split(['{', ' ']).next()?;
        let name = name.strip_prefix("deepwell_").unwrap_or(name);
        let base = ["_bucket", "_sum", "_count"].iter().find_map(|part| name.strip_suffix(part));
        Some(base.unwrap_or(name).to_owned())
    };
    series.filter_map(name).collect()
}

#[test]
fn documented_metrics_match_a_scrape() {
    let page = include_str!("../../../docs/operate/operations.md");
    let table = page.split("| metric, each with the prefix").nth(1).expect("the table of metrics");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let names = rows.filter_map(|row| row.split('|').nth(1));
    let documented: BTreeSet<String> =
        names.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
    assert_eq!(documented, scraped());
}

#[test]
fn docs_name_counters_with_total_suffix() {
    for tally in Tally::ALL {
        let bare = format!("`{}`", tally.words().0);
        let page = include_str!("../../../docs/operate/operations.md");
        assert!(!page.contains(&bare), "{bare} is exported with _total");
    }
}

#[test]
fn o8_counters_gauges_and_histograms_are_exported() {
    let metrics = Metrics::default();
    metrics.counters.count(Tally::ConnectionsRefused);
    metrics.commit_seconds.observe(0.002);
    metrics.commit_disk_seconds.observe(0.002);
    let cost =
        StepCost { work: 40, cause: "find", room: None, is_first: false, is_read: false, script_work: 0 };
    metrics.note_step(Instant::now(), Duration::from_millis(4), cost);
    metrics.note_step(Instant::now(), Duration::from_millis(2), StepCost { cause: "look", ..cost });
    let status = Status { playing: 3, wal_bytes: 4_096, ..Status::default() };
    let text = metrics.text(&status).unwrap();
    for line in [
        "deepwell_connections_refused_total 1",
        "deepwell_sessions_playing 3",
        "deepwell_wal_bytes 4096",
        "deepwell_commit_seconds_bucket{le=\"0.0025\"} 1",
        "deepwell_longest_step_seconds{cause=\"find\"} 0.004",
        "deepwell_largest_step_work{cause=\"find\"} 40",
        "# EOF",
    ] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
}

#[test]
fn sessions_are_counted_by_state_and_transport() {
    let metrics = Metrics::default();
    let info = |transport, privacy| ConnectionInfo { transport, privacy, ..ConnectionInfo::default() };
    metrics.counters.sessions(&info(Transport::Telnet, Privacy::Open), false).inc();
    metrics.counters.sessions(&info(Transport::Telnet, Privacy::Tls), true).inc();
    metrics.counters.sessions(&info(Transport::Web, Privacy::TlsToProxy), true).inc_by(2);
    let text = metrics.text(&Status::default()).unwrap();
    for line in [
        "deepwell_sessions{state=\"login\",transport=\"telnet\"} 1",
        "deepwell_sessions{state=\"playing\",transport=\"telnet_tls\"} 1",
        "deepwell_sessions{state=\"playing\",transport=\"web_tls\"} 2",
        "deepwell_sessions{state=\"playing\",transport=\"web\"} 0",
    ] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
}

#[test]
fn refusals_are_counted_by_setting() {
    let metrics = Metrics::default();
    let shipped: toml::Table = include_str!("../../../config.toml").parse().unwrap();
    for limit in ConnectionLimit::ALL {
        metrics.counters.count_refusal(limit);
    }
    for limit in RuleLimit::ALL {
        metrics.counters.count_limit(*limit);
    }
    let text = metrics.text(&Status::default()).unwrap();
    let settings = ConnectionLimit::ALL.iter().map(|limit| limit.setting());
    for setting in settings.chain(RuleLimit::ALL.iter().map(|limit| limit.setting())) {
        let (section, key) = setting.split_once('.').unwrap();
        assert!(shipped[section].get(key).is_some(), "{setting} is no setting");
        let line = format!("deepwell_refusals_total{{limit=\"{setting}\"}} 1\n");
        assert!(text.contains(&line), "{line} is missing");
    }
}

/// Returns the value of a series without labels.
fn value(text: &str, name: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name} in\n{text}")).parse().unwrap()
}

#[test]
fn process_metrics_describe_this_process() {
    let text = Metrics::default().text(&Status::default()).unwrap();
    assert!(value(&text, "process_resident_memory_bytes") > 1e6);
    let open = value(&text, "process_open_fds");
    assert!(open >= 3.0 && open <= value(&text, "process_max_fds"), "{open}");
    assert!(value(&text, "process_cpu_seconds_total") > 0.0);
    assert!(value(&text, "process_start_time_seconds") > 1.7e9);
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        text.contains(&format!("deepwell_build_info{{version=\"{version}\",role=\"game\"}} 1")),
        "{text}"
    );
}

/// Every metric has a help text.
#[test]
fn every_metric_has_a_help_text() {
    let text = Metrics::default().text(&Status::default()).unwrap();
    let helps: BTreeSet<_> =
        text.lines().filter_map(|line| line.strip_prefix("# HELP ")?.split_once(' ')).collect();
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    for name in types {
        assert!(
            helps.iter().any(|(other, help)| *other == name && help.len() > 5),
            "{name} has no help text"
        );
    }
}

/// Returns the names of all series that a server, a gateway or a standby exports.
fn exported() -> BTreeSet<String> {
    let metrics = Metrics::default();
    metrics.step_seconds.observe(0.002);
    metrics.commit_seconds.observe(0.002);
    metrics.commit_disk_seconds.observe(0.002);
    let gateway = GatewayMetrics::new(&metrics.counters);
    let texts = [
        metrics.text(&Status::default()),
        gateway.text(&GatewayStatus::default()),
        StandbyMetrics::default().text(&ClusterStatus::default()),
    ];
    let texts = texts.map(Result::unwrap).join("");
    let series = texts.lines().filter(|line| !line.starts_with('#'));
    series.filter_map(|line| line.split(['{', ' ']).next()).map(str::to_owned).collect()
}

/// Every metric of a server is on the dashboard, except those that repeat others.
#[test]
fn dashboard_shows_every_metric() {
    const REPEATED: [&str; 3] = ["connections", "sessions_playing", "connections_compressed"];
    let board = include_str!("../../../deploy/grafana/deepwell.json");
    let words = board.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let names = words.map(|word| {
        let word = word.strip_prefix("deepwell_").unwrap_or(word);
        word.strip_suffix("_bucket").unwrap_or(word).to_owned()
    });
    let shown: BTreeSet<String> = names.chain(REPEATED.map(str::to_owned)).collect();
    let missing: Vec<String> = scraped().difference(&shown).cloned().collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn rules_and_panels_name_exported_metrics_only() {
    let exported = exported();
    for (file, text) in [
        ("alerts.yml", ALERTS),
        ("alerts.test.yml", include_str!("../../../deploy/prometheus/alerts.test.yml")),
        ("deepwell.json", include_str!("../../../deploy/grafana/deepwell.json")),
    ] {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let is_metric = |word: &&str| ["deepwell_", "process_"].iter().any(|start| word.starts_with(start));
        let named: BTreeSet<_> = words.filter(is_metric).map(str::to_owned).collect();
        assert!(named.len() > 10, "{file}: the metrics were not found");
        let unknown: Vec<_> = named.difference(&exported).collect();
        assert!(unknown.is_empty(), "{file}: no scrape has {unknown:?}");
    }
    let board: Value = serde_json::from_str(include_str!("../../../deploy/grafana/deepwell.json")).unwrap();
    let panels = board["panels"].as_array().unwrap();
    let ids: BTreeSet<_> = panels.iter().map(|panel| panel["id"].as_u64()).collect();
    assert!(panels.len() > 10 && ids.len() == panels.len(), "panels share an id");
    let number = |panel: &Value, key| panel["gridPos"][key].as_u64().unwrap();
    let mut cells = BTreeSet::new();
    for panel in panels {
        let [x, y, width, height] = ["x", "y", "w", "h"].map(|key| number(panel, key));
        for cell in (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y))) {
            assert!(cell.0 < 24 && cells.insert(cell), "{} overlaps another panel", panel["title"]);
        }
    }
}

/// Every alert links to a section of the page, which tells what to do, and the page has no other sections of alerts.
#[test]
fn every_alert_has_a_section_that_tells_what_to_do() {
    let rules: Value = serde_saphyr::from_str(ALERTS).unwrap();
    let page = include_str!("../../../docs/operate/alerts.md");
    let mut sections: BTreeSet<_> =
        page.lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_owned).collect();
    for rule in rules["groups"][0]["rules"].as_array().unwrap() {
        let name = rule["alert"].as_str().unwrap();
        assert!(sections.remove(name), "docs/operate/alerts.md has no section {name}");
        let link = format!("docs/operate/alerts.md#{}", name.to_lowercase());
        assert_eq!(rule["annotations"]["runbook_url"], link.as_str());
        assert!(
            rule["annotations"]["summary"].is_string() && rule["labels"]["severity"].is_string(),
            "{name}"
        );
        let tests = include_str!("../../../deploy/prometheus/alerts.test.yml");
        assert!(tests.contains(&format!("alertname: {name}\n")), "no test fires {name}");
    }
    assert!(sections.is_empty(), "no alert is called {sections:?}");
}

/// Prometheus reads the configuration and the alerts; each alert fires in its test, and none for a healthy server.
#[test]
fn promtool_accepts_the_alerts_and_their_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/prometheus");
    for line in [["check", "config", "prometheus.yml"], ["test", "rules", "alerts.test.yml"]] {
        let Ok(output) = Command::new("promtool").args(line).current_dir(&folder).output() else {
            eprintln!("skipped: promtool is not installed (Debian: prometheus)");
            return;
        };
        assert!(output.status.success(), "{line:?}: {output:?}");
    }
}
