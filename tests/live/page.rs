//! The page in a browser: headless Chromium plays it against a real server. What it does is in `tests/web`; here
//! is only what it needs to run.

use crate::server::Server;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Protocols 9, 10; T6, T17: playing, coming back, phones, keyboards and screen readers, as `tests/web` tells.
#[test]
fn the_page_plays_in_a_browser() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/web");
    if let Err(missing) = needed(&tests) {
        eprintln!("skipped: {missing}");
        return;
    }
    let server =
        Server::start_without_roamers(&["http.listen=127.0.0.1:0", "world.seed=6", "game.round=100ms"]);
    let ready = fs::read_to_string(server.state().join("ready.json")).unwrap();
    let ready: Value = serde_json::from_str(&ready).unwrap();
    let url = format!("http://{}/", ready["http"].as_str().unwrap());
    let output =
        Command::new("node").arg(tests.join("run.mjs")).arg(url).stdin(Stdio::null()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    eprintln!("{told}");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.lines().last().unwrap_or_default().ends_with(" 0 failed"), "{told}");
    server.assert_no_trace_of("lantern under stone");
    server.assert_sound();
}

/// What is not there, with the cure.
fn needed(tests: &Path) -> Result<(), &'static str> {
    let runs = |script: &str| {
        Command::new("sh").args(["-c", script]).stdout(Stdio::null()).stderr(Stdio::null()).status()
    };
    let has = |script: &str| runs(script).is_ok_and(|status| status.success());
    if !has(r#"node -e "process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)""#) {
        return Err("node is not installed, or older than 20 (Debian: nodejs)");
    }
    if std::env::var_os("CHROMIUM").is_none()
        && !has("command -v chromium || command -v chromium-browser || command -v google-chrome")
    {
        return Err("no Chromium is installed (Debian: chromium)");
    }
    if !tests.join("node_modules/playwright-core").is_dir() || !tests.join("node_modules/axe-core").is_dir() {
        return Err("the libraries of tests/web are not installed (cd tests/web && npm ci)");
    }
    Ok(())
}
