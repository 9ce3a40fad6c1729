//! Tests of accepted values, precedence of sources, and messages for mistakes.

use super::field::{ConfigField, Raw};
use super::*;
use deepwell_core::base::Span;
use deepwell_core::base::limits::Limits;

fn sources(text: &str) -> ConfigSources {
    ConfigSources { file: Some(("config.toml".into(), text.into())), ..ConfigSources::default() }
}

fn accepted(text: &str) -> Config {
    sources(text).check().unwrap_or_else(|mistakes| panic!("{mistakes:?}")).config
}

fn told(mistakes: &[ConfigError]) -> Vec<String> {
    mistakes.iter().map(ToString::to_string).collect()
}

fn refused(text: &str) -> Vec<String> {
    told(&sources(text).check().expect_err("accepted"))
}

fn overridden(argument: &str) -> Result<Config, Vec<ConfigError>> {
    let sources = ConfigSources { overrides: vec![argument.into()], ..ConfigSources::default() };
    sources.check().map(|effective| effective.config)
}

fn environment(variable: &str, value: &str) -> Result<Config, Vec<ConfigError>> {
    let sources =
        ConfigSources { environment: vec![(variable.into(), value.into())], ..ConfigSources::default() };
    sources.check().map(|effective| effective.config)
}

#[test]
fn shipped_file_matches_the_table() {
    let shipped = include_str!("../../../config.toml");
    assert_eq!(shipped, Config::shipped(), "WRITE_GENERATED=1 cargo test --test docs regenerates it");
    assert_eq!(accepted(shipped), Config::default());
}

/// The settings that a new operator edits come first, before limits and the settings of a cluster.
#[test]
fn shipped_file_begins_with_what_a_new_operator_edits() {
    let shipped = Config::shipped();
    let heads = shipped.lines().enumerate().filter(|(_, line)| line.starts_with('['));
    let heads: Vec<_> = heads.map(|(at, line)| (line.trim_matches(['[', ']']), at)).collect();
    assert_eq!(
        heads.iter().map(|(name, _)| *name).take(4).collect::<Vec<_>>(),
        ["world", "game", "dungeon", "telnet"]
    );
    assert!(heads[4].1 <= 80, "the first four sections end at line {}", heads[4].1);
    assert_eq!(heads.last().map(|(name, _)| *name), Some("limits"));
    for (about, line) in shipped.lines().enumerate().map(|(at, line)| (at + 1, line)) {
        assert!(line.len() <= 118 || !line.starts_with('#'), "config.toml:{about} is too long");
    }
}

/// Each setting is in the file once, in the section of its name.
#[test]
fn shipped_file_has_every_setting_once() {
    let shipped = Config::shipped();
    let (mut section, mut found) = ("", Vec::new());
    for line in shipped.lines() {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']);
        } else if let Some((key, _)) = line.split_once(" = ").filter(|(key, _)| !key.contains([' ', '#'])) {
            found.push(format!("{section}.{key}"));
        }
    }
    let settings: Vec<_> = table::SETTINGS.iter().map(ConfigSetting::name).collect();
    assert_eq!(found, settings);
}

#[test]
fn every_default_is_within_its_range() {
    let mut config = Config::default();
    for setting in table::SETTINGS.iter() {
        let ConfigField { toml, read } = setting.field(&mut config);
        assert_eq!(read(&Raw::Typed(source::unquoted(&toml)), &setting.range), Ok(()), "{}", setting.name());
    }
}

#[test]
fn later_sources_take_precedence() {
    let mut sources = sources("[game]\nround = 4\n[dungeon]\nwindow = 10\nmax_life = \"1h\"\n");
    sources.environment = vec![
        ("DEEPWELL_GAME__ROUND".into(), "5".into()),
        ("DEEPWELL_DUNGEON__WINDOW".into(), "20s".into()),
        ("PATH".into(), "/bin".into()),
    ];
    sources.overrides = vec!["game.round=6".into(), "game.round = \"7s\"".into()];
    let effective = sources.check().unwrap();
    assert_eq!(effective.config.game.round, Span::secs(7));
    assert_eq!(effective.config.game.dungeon.window, Span::secs(20));
    assert_eq!(effective.config.game.dungeon.max_life, Span::mins(60));
    let shown = effective.print(ShownSettings::All);
    for line in [
        "round = \"7s\" # --set game.round",
        "window = \"20s\" # environment DEEPWELL_DUNGEON__WINDOW",
        "max_life = \"1h\" # config.toml:5",
        "reset_chance = 0.5 # built-in",
        "max_unexplored_exits = \"theme\" # built-in",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line} is not in\n{shown}");
    }
    assert_eq!(accepted(&shown), effective.config, "what is printed can be read back");
}

#[test]
fn all_mistakes_are_reported_with_position() {
    let text = "\
rond = 3
[game]
ruond = 3
  round = \"soon\"
[dungeon]
reset_chance = 1.5
max_life = [1, 2]
finishable = \"them\"
reset_interval = \"2000d\"
[dugeon]
window = 3
[log]
format = \"jsn\" # a word
level = 3
[limits]
window = 3
connections = -1
";
    let limits: Vec<_> = Limits::TABLE.iter().map(|limit| limit.name).collect();
    let limits = limits.join(", ");
    let sections: Vec<_> = table::SECTIONS.iter().map(|section| section.name).collect();
    let sections = sections.join(", ");
    assert_eq!(
        refused(text),
        [
            "config.toml:1:1: rond is outside any section, expected a [section] above it",
            "config.toml:3:1: unknown setting game.ruond, expected one of round, guidance, snoop_told, diagonals, did you mean `game.round`?",
            "config.toml:4:11: game.round is \"soon\", expected a time such as 300, \"5m\" or \"200ms\"",
            "config.toml:6:16: dungeon.reset_chance is 1.5, expected 0.0 to 1.0",
            "config.toml:7:12: dungeon.max_life is a list, expected a time such as 300, \"5m\" or \"200ms\"",
            "config.toml:8:14: dungeon.finishable is \"them\", expected true, false or \"theme\", did you mean `theme`?",
            "config.toml:9:18: dungeon.reset_interval is \"2000d\", expected 10ms to 7d",
            "config.toml:10:2: unknown section dugeon, expected one of EVERY SECTION, did you mean `dungeon`?",
            "config.toml:13:10: log.format is \"jsn\", expected one of text, json, did you mean `json`?",
            "config.toml:14:9: log.level is 3, expected one of error, warn, info, debug, trace",
            "config.toml:16:1: unknown setting limits.window, expected one of EVERY LIMIT, did you mean \
             `dungeon.window`?",
            "config.toml:17:15: limits.connections is -1, expected a whole number",
        ]
        .map(|line| line.replace("EVERY LIMIT", &limits).replace("EVERY SECTION", &sections))
    );
}

#[test]
fn syntax_errors_are_reported_with_other_mistakes() {
    assert_eq!(
        refused("[game]\nround = \n[dungeon]\nwindow 3\nwndow = 3\n[game]\n"),
        [
            "config.toml:2:9: string values must be quoted, expected literal string",
            "config.toml:4:8: key with no value, expected `=`",
            "config.toml:5:1: unknown setting dungeon.wndow, expected one of window, reset_interval, reset_chance, \
             check_interval, max_life, renewed_by, sleep_after, max_unexplored_exits, max_new_exits_per_room, finishable, rope, \
             did you mean `dungeon.window`?",
            "config.toml:6:2: duplicate key",
        ]
    );
}

#[test]
fn wrong_value_types_are_reported() {
    assert_eq!(refused("game = 3\n"), ["config.toml:1:1: game is a value, expected the section [game]"]);
    assert_eq!(
        refused("seed = 3\n"),
        [
            "config.toml:1:1: seed is outside any section, expected a [section] above it, did you mean `world.seed`?"
        ]
    );
    assert_eq!(
        refused("[world]\nname = \"two\\nlines\"\n"),
        [
            "config.toml:2:8: world.name is \"two\\nlines\", expected one line of text in quotes without control characters"
        ]
    );
    assert_eq!(
        refused("[world]\nname = \"\"\n"),
        ["config.toml:2:8: world.name is \"\", expected 1 letters to 40 letters"]
    );
    assert_eq!(
        refused("[telnet]\nlisten = \"localhost\"\n[ops]\nlisten = \"of\"\n"),
        [
            "config.toml:2:10: telnet.listen is \"localhost\", expected an address and a port such as \"127.0.0.1:4000\"",
            "config.toml:4:10: ops.listen is \"of\", expected an address and a port such as \"127.0.0.1:4000\", \
             or \"off\", did you mean `off`?",
        ]
    );
}

#[test]
fn mistakes_outside_the_file_name_their_source() {
    assert_eq!(
        told(&environment("DEEPWELL_GAME__RUOND", "3").unwrap_err()),
        [
            "environment DEEPWELL_GAME__RUOND: unknown setting game.ruond, expected one of round, guidance, snoop_told, diagonals, did you mean `game.round`?"
        ]
    );
    assert_eq!(
        told(&environment("DEEPWELL_TELNET_LISTEN", "0.0.0.0:4000").unwrap_err()),
        ["environment DEEPWELL_TELNET_LISTEN: section and key must be separated by two underscores, \
          did you mean `DEEPWELL_TELNET__LISTEN`?"]
    );
    assert_eq!(environment("DEEPWELL_PORT_4000_TCP", "x"), Ok(Config::default()), "somebody else's variable");
    assert_eq!(
        told(&overridden("game.round=fast").unwrap_err()),
        ["--set game.round: game.round is fast, expected a time such as 300, \"5m\" or \"200ms\""]
    );
    assert_eq!(
        told(&overridden("round=3").unwrap_err()),
        ["--set round: not a setting, expected section.key=value"]
    );
    assert_eq!(
        told(&overridden("game.round").unwrap_err()),
        ["--set game.round: not a setting, expected section.key=value"]
    );
}

#[test]
fn passwords_are_never_hashed_below_the_minimum() {
    assert_eq!(
        told(&overridden("auth.memory_kib=1024").unwrap_err()),
        ["--set auth.memory_kib: auth.memory_kib is 1024, expected 19456 to 1048576"]
    );
    assert_eq!(
        told(&overridden("auth.passes=1").unwrap_err()),
        ["--set auth.passes: auth.passes is 1, expected 2 to 20"]
    );
}

#[test]
fn durations_are_seconds_or_have_a_unit() {
    let window = |written: &str| accepted(&format!("[dungeon]\nwindow = {written}\n")).game.dungeon.window;
    assert_eq!(window("300"), Span::secs(300));
    assert_eq!(window("\"300s\""), Span::secs(300));
    assert_eq!(window("\"5m\""), Span::mins(5));
    assert_eq!(window("\"1h\""), Span::mins(60));
    assert_eq!(window("\"1d\""), Span::secs(86_400));
    assert_eq!(window("\"200ms\""), Span::millis(200));
    assert_eq!(window("\"1m 30s\""), Span::secs(90));
    assert_eq!(window("0x10"), Span::secs(16));
    for written in ["\"1us\"", "\"5\\u0000m\"", "1.5", "true", "\"\"", "99999999999999999999"] {
        assert_eq!(refused(&format!("[dungeon]\nwindow = {written}\n")).len(), 1, "{written}");
    }
}

#[test]
fn every_value_type_is_accepted_from_every_source() {
    let file = accepted(
        "[server]\nstate_dir = \"/srv/x\"\n[ops]\nlisten = \"off\"\n[log]\nlevel = \"debug\"\nfilter = \"a=trace\"\n\
         [world]\nseed = 18446744073709551615\nwelcome = \"hi\\nyou\"\n\
         [dungeon]\nreset_chance = 0.125\nmax_unexplored_exits = 3\nfinishable = true\n[limits]\nbranches = 7\n",
    );
    let mut typed = ConfigSources::default();
    for (variable, value) in [
        ("SERVER__STATE_DIR", "/srv/x"),
        ("OPS__LISTEN", "off"),
        ("LOG__LEVEL", "debug"),
        ("LOG__FILTER", "a=trace"),
        ("WORLD__SEED", "18446744073709551615"),
        ("WORLD__WELCOME", "hi\nyou"),
        ("DUNGEON__RESET_CHANCE", "0.125"),
        ("DUNGEON__MAX_UNEXPLORED_EXITS", "3"),
        ("DUNGEON__FINISHABLE", "true"),
        ("LIMITS__BRANCHES", "7"),
    ] {
        typed.environment.push((format!("DEEPWELL_{variable}"), value.into()));
    }
    assert_eq!(typed.check().unwrap().config, file);
    assert_eq!(file.game.seed.0, u64::MAX);
    assert_eq!(file.game.dungeon.reset_chance_permille, 125);
    assert_eq!((file.ops.listen, file.game.dungeon.finishable), (None, Some(true)));
    assert_eq!(file.world.welcome, "hi\nyou");
}

#[test]
fn missing_file_is_an_error_only_if_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let mistake = ConfigSources::gather(Some(&path), vec![]).unwrap_err().to_string();
    assert!(mistake.starts_with(&format!("{}:1:1: the file cannot be read: ", path.display())), "{mistake}");
    std::fs::write(&path, b"[game]\nround = 4\n# \xff").unwrap();
    let mistake = ConfigSources::gather(Some(&path), vec![]).unwrap_err().to_string();
    assert_eq!(mistake, format!("{}:3:3: the file is not UTF-8 text", path.display()));
}

#[test]
fn contradicting_settings_are_reported() {
    assert_eq!(
        refused("[telnet]\nproxy = \"on\"\n[tls]\nkey = \"key.pem\"\n"),
        [
            "config.toml:2:9: telnet.proxy is \"on\" and telnet.proxy_from is empty, so no client could connect, \
             expected the addresses of the proxies in telnet.proxy_from",
            "config.toml:4:7: tls.key is set and tls.cert is \"off\", expected both or neither",
        ]
    );
    assert_eq!(
        refused(
            "[ops]\nlisten = \"off\"\n[bridge]\nchannels = \"party\"\ntoken_file = \"token\"\nwebhook = \"ftp://x\"\n\
             [grapevine]\nclient_id = \"a\"\n",
        )[..2],
        [
            "config.toml:4:12: bridge.channels is \"party\", expected comma-separated names of channels that can be \
             shared: newbie, ooc",
            "config.toml:6:11: bridge.webhook is \"ftp://x\", expected a URL in quotes that begins with https://, \
             http://, wss:// or ws://, or \"\"",
        ]
    );
    assert_eq!(
        refused(
            "[ops]\nlisten = \"off\"\n[bridge]\ntoken_file = \"token\"\nwebhook = \"wss://x.example/\"\n\
             [grapevine]\nclient_id = \"a\"\nurl = \"\"\n",
        ),
        [
            "config.toml:4:14: bridge.token_file is set and ops.listen is \"off\", so no request could reach /bridge, \
             expected an address in ops.listen",
            "config.toml:5:11: bridge.webhook is set and bridge.webhook_secret_file is \"off\", expected a file with the \
             key that signs",
            "config.toml:5:11: bridge.webhook is the address of a WebSocket, expected a URL that begins with https:// or \
             http://",
            "config.toml:7:13: grapevine.client_id is set and grapevine.secret_file is \"off\", expected a file with the \
             client secret",
            "config.toml:7:13: grapevine.shared_with is not among bridge.channels, expected the name of a channel that is shared",
            "config.toml:8:7: grapevine.url is not the address of a WebSocket, expected an address that begins with \
             wss:// or ws://",
        ]
    );
    let config = accepted(
        "[telnet]\nlisten = \"[::]:4000\"\nproxy = \"on\"\nproxy_from = \"10.0.0.0/8,::1\"\n\
         [tls]\ncert = \"a.pem\"\nkey = \"b.pem\"\n",
    );
    assert_eq!(config.telnet.proxy_from.to_string(), "10.0.0.0/8, ::1");
    assert_eq!(config.tls.files().unwrap().key, PathBuf::from("b.pem"));
    assert_eq!(overridden("tls.cert=off").unwrap().tls.files(), None);
    assert_eq!(
        refused("[telnet]\nproxy_from = \"home\"\n"),
        [
            "config.toml:2:14: telnet.proxy_from is \"home\", expected addresses and networks such as \"10.0.0.0/8, ::1\""
        ]
    );
}
