//! `deepwell listing`: the variables that MUD crawlers read by MSSP, and those that are missing or wrong, with the setting
//! that corrects each.

use super::control::place::{self, PACKAGED, Process};
use super::settings::values_in_force;
use super::{CliFailure, SettingArguments, control, show};
use crate::server::control::protocol::ControlCommand;
use crate::session::MsspFigures;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::net::SocketAddr;

/// Output format
#[derive(Args, Clone, Copy, Debug)]
pub struct ListingArguments {
    /// Print the listing as JSON
    #[arg(long)]
    json: bool,
}

/// A variable as a crawler reads it; of several values the last one counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct ListedVariable {
    name: String,
    values: Vec<String>,
}

/// Advice about a variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Advice {
    /// Name of the variable.
    name: &'static str,
    /// Setting that corrects it.
    setting: &'static str,
    /// Description of the flaw, and the expected value.
    words: String,
}

/// The variables, and the advice about them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct ListingReport {
    /// Source of the variables: the running server, or the settings.
    source: String,
    variables: Vec<ListedVariable>,
    /// Variables without a value.
    missing: Vec<Advice>,
    /// Variables with a value that crawlers do not accept.
    wrong: Vec<Advice>,
}

/// Expected value of a variable.
struct Check {
    name: &'static str,
    setting: &'static str,
    expected: &'static str,
    is_right: fn(&str) -> bool,
}

/// Variables that only a running server counts.
const COUNTED: [&str; 9] =
    ["PLAYERS", "UPTIME", "AREAS", "HELPFILES", "MOBILES", "OBJECTS", "ROOMS", "SKILLS", "QUEST SYSTEM"];

const FAMILIES: &[&str] = &[
    "AberMUD", "CoffeeMUD", "DikuMUD", "Evennia", "LPMud", "MajorMUD", "MOO", "Mordor", "SocketMud",
    "TinyMUD", "TinyMUCK", "TinyMUSH", "Custom",
];
const GENRES: &[&str] = &[
    "Adult", "Fantasy", "Historical", "Horror", "Modern", "Mystery", "None", "Romance", "Science Fiction",
    "Spiritual",
];
const GAMEPLAYS: &[&str] = &[
    "Adventure",
    "Educational",
    "Hack and Slash",
    "None",
    "Player versus Player",
    "Player versus Environment",
    "Questing",
    "Roleplaying",
    "Simulation",
    "Social",
    "Strategy",
];
const STATES: &[&str] = &["Alpha", "Closed Beta", "Open Beta", "Live"];

/// Checks of the variables that operators set, in the order in which they are told.
const CHECKS: &[Check] = &[
    Check {
        name: "NAME",
        setting: "world.name",
        expected: "a name of your own instead of Deepwell",
        is_right: |name| name != "Deepwell",
    },
    Check {
        name: "HOSTNAME",
        setting: "mssp.hostname",
        expected: "the public host name, such as play.example.org, without a port",
        is_right: |name| name.contains('.') && !name.contains(['/', ' ']) && !name.starts_with("127."),
    },
    Check { name: "PORT", setting: "telnet.listen", expected: "a port for telnet", is_right: is_port },
    Check {
        name: "SSL",
        setting: "tls.cert, tls.key and telnet.tls_listen",
        expected: "a port for encrypted connections",
        is_right: is_port,
    },
    Check {
        name: "CONTACT",
        setting: "mssp.contact",
        expected: "an e-mail address",
        is_right: |contact| {
            contact.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
                && !contact.contains(' ')
        },
    },
    Check {
        name: "WEBSITE",
        setting: "mssp.website or http.public_url",
        expected: "a URL that begins with https:// or http://",
        is_right: is_url,
    },
    Check {
        name: "ICON",
        setting: "mssp.icon",
        expected: "the URL of a square picture, 64 by 64 pixels or larger and at most 256 KB",
        is_right: is_url,
    },
    Check {
        name: "DISCORD",
        setting: "mssp.discord",
        expected: "a URL that begins with https://",
        is_right: |url| url.starts_with("https://"),
    },
    Check {
        name: "LANGUAGE",
        setting: "mssp.language",
        expected: "the English name of the language",
        is_right: is_name,
    },
    Check {
        name: "LOCATION",
        setting: "mssp.location",
        expected: "the English name of the country of the server",
        is_right: is_name,
    },
    Check {
        name: "CREATED",
        setting: "mssp.created",
        expected: "the year of opening, such as 2026",
        is_right: |year| year.parse::<u32>().is_ok_and(|year| (1975..=2999).contains(&year)),
    },
    Check {
        name: "STATUS",
        setting: "mssp.status",
        expected: "Alpha, Closed Beta, Open Beta or Live",
        is_right: |status| STATES.contains(&status),
    },
    Check {
        name: "GENRE",
        setting: "mssp.genre",
        expected: "a genre of the list in config.toml",
        is_right: |genre| GENRES.contains(&genre),
    },
    Check {
        name: "SUBGENRE",
        setting: "mssp.subgenre",
        expected: "such as Dark Fantasy, or None",
        is_right: is_name,
    },
    Check {
        name: "GAMEPLAY",
        setting: "mssp.gameplay",
        expected: "a kind of play of the list in config.toml",
        is_right: |gameplay| GAMEPLAYS.contains(&gameplay),
    },
    Check {
        name: "FAMILY",
        setting: "mssp.extra",
        expected: "Custom, unless the game belongs to a well-known family",
        is_right: |family| FAMILIES.contains(&family),
    },
    Check {
        name: "CODEBASE",
        setting: "mssp.extra",
        expected: "the name of the program and its version",
        is_right: is_name,
    },
    Check {
        name: "CRAWL DELAY",
        setting: "mssp.crawl_delay",
        expected: "a number of hours, or -1",
        is_right: |hours| hours.parse::<i32>().is_ok_and(|hours| hours >= -1),
    },
    Check {
        name: "MINIMUM AGE",
        setting: "mssp.minimum_age",
        expected: "an age in years, if there is a minimum",
        is_right: |years| years.parse::<u32>().is_ok_and(|years| years < 100),
    },
];

fn is_port(port: &str) -> bool {
    port.parse::<u16>().is_ok_and(|port| port > 0)
}

fn is_url(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

fn is_name(name: &str) -> bool {
    name.chars().any(char::is_alphabetic)
}

/// Processes that are asked, at each place in this order: crawlers read the variables from a gateway, if there is one.
const PROCESSES: &[Process] = &[Process::Gateway, Process::Server];

/// Prints the variables of the running server, or those that the settings would give, and the advice.
pub(super) fn listing(
    settings: &SettingArguments,
    arguments: ListingArguments,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let (variables, source) = match place::connect(settings, PROCESSES, PACKAGED) {
        Ok(found) => {
            let source = found.words();
            let answer = control::ask_over(&found.socket, found.stream, &ControlCommand::Listing)?;
            let variables =
                serde_json::from_value(answer).map_err(|error| CliFailure::Server(error.into()))?;
            (variables, source)
        }
        Err(CliFailure::NoServer(_)) => {
            let variables = settings.effective()?.config.listing_variables(None, MsspFigures::default());
            let variables = variables.into_iter().map(|(name, values)| ListedVariable { name, values });
            let variables = variables.filter(|variable| !COUNTED.contains(&variable.name.as_str())).collect();
            let message = "the settings; no server is running, which would add the numbers of players, rooms and others";
            (variables, message.to_owned())
        }
        Err(failure) => return Err(failure),
    };
    let report = ListingReport::of(source, variables, &values_in_force(settings, PROCESSES)?.values);
    let json = || serde_json::to_string(&report).map_err(|error| CliFailure::Server(error.into()));
    show(out, &if arguments.json { json()? + "\n" } else { report.text() })?;
    if report.wrong.is_empty() { Ok(()) } else { Err(CliFailure::Found(report.wrong.len())) }
}

impl ListingReport {
    /// Checks the variables. Of the settings only the telnet address is needed, which no variable has.
    fn of(source: String, variables: Vec<ListedVariable>, settings: &BTreeMap<String, String>) -> Self {
        let (mut missing, mut invalid) = (Vec::new(), Vec::new());
        for Check { name, setting, expected, is_right } in CHECKS {
            let value = variables.iter().find(|variable| variable.name == *name);
            let value = value.and_then(|variable| variable.values.last()).filter(|value| !value.is_empty());
            let advice = |text| Advice { name, setting, words: text };
            match value {
                None => missing.push(advice(format!("expected {expected}"))),
                Some(value) if is_right(value) => {}
                Some(value) => invalid.push(advice(format!("it is {value}, expected {expected}"))),
            }
        }
        let listen = settings.get("telnet.listen").map(|address| address.trim_matches('"'));
        if let Some(listen) = listen.and_then(|address| address.parse::<SocketAddr>().ok())
            && listen.ip().is_loopback()
            && settings.get("telnet.proxy").is_none_or(|proxy| proxy == "\"off\"")
        {
            let text =
                format!("only this machine reaches {listen}, expected an address such as 0.0.0.0:4000");
            invalid.push(Advice { name: "PORT", setting: "telnet.listen", words: text });
        }
        Self { source, variables, missing, wrong: invalid }
    }

    /// Formats the report: a line for each variable, then one for each advice.
    fn text(&self) -> String {
        let mut text = format!("from {}\n\n", self.source);
        for ListedVariable { name, values } in &self.variables {
            let _ = writeln!(text, "{name}: {}", values.join(", "));
        }
        for (flaw, all) in [("missing", &self.missing), ("wrong", &self.wrong)] {
            for Advice { name, setting, words } in all {
                let gap = if all[0].name == *name { "\n" } else { "" };
                let _ = writeln!(text, "{gap}{flaw}: {name}, set {setting}: {words}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::typed;
    use super::*;

    /// Types `listing` with settings, in a folder without a server.
    fn listed(set: &[&str], json: bool) -> (String, Result<(), CliFailure>) {
        let folder = tempfile::tempdir().unwrap();
        let state = format!("server.state_dir={}", folder.path().display());
        let mut line = vec!["listing", "--set", &state];
        for setting in set {
            line.extend(["--set", setting]);
        }
        line.extend(json.then_some("--json"));
        typed(&line)
    }

    /// Settings of a server that is ready for listing sites.
    const COMPLETE: &[&str] = &[
        "world.name=Deep Hole",
        "telnet.listen=0.0.0.0:4000",
        "tls.cert=c.pem",
        "tls.key=k.pem",
        "mssp.contact=staff@example.org",
        "mssp.hostname=play.example.org",
        "mssp.website=https://example.org",
        "mssp.icon=https://example.org/i.png",
        "mssp.discord=https://discord.example/x",
        "mssp.location=Austria",
        "mssp.created=2026",
        "mssp.status=Live",
        "mssp.minimum_age=13",
        "mssp.crawl_delay=11",
        "mssp.hiring_builders=true",
    ];

    #[test]
    fn complete_settings_leave_nothing_to_advise() {
        let (shown, result) = listed(COMPLETE, false);
        result.unwrap();
        for line in [
            "NAME: Deep Hole",
            "PORT: 4000",
            "SSL: 4040",
            "TLS: 4040",
            "CONTACT: staff@example.org",
            "CRAWL DELAY: 11",
            "MINIMUM AGE: 13",
            "GENRE: Fantasy",
            "HIRING BUILDERS: 1",
            "CHARSET: US-ASCII, UTF-8",
            "LEVELS: -1",
        ] {
            assert!(shown.lines().any(|shown| shown == line), "{line} is not in\n{shown}");
        }
        assert!(!shown.contains("missing:") && !shown.contains("wrong:"), "{shown}");
        assert!(!shown.contains("ROOMS") && shown.starts_with("from the settings; no server"), "{shown}");
    }

    #[test]
    fn missing_and_wrong_variables_name_the_setting() {
        let (shown, result) = listed(&["mssp.genre=Cooking", "mssp.discord=discord.example/x"], false);
        assert_eq!(result.unwrap_err().exit_code(), 1);
        for line in [
            "missing: CONTACT, set mssp.contact: expected an e-mail address",
            "missing: SSL, set tls.cert, tls.key and telnet.tls_listen: expected a port for encrypted connections",
            "wrong: NAME, set world.name: it is Deepwell, expected a name of your own instead of Deepwell",
            "wrong: GENRE, set mssp.genre: it is Cooking, expected a genre of the list in config.toml",
            "wrong: PORT, set telnet.listen: only this machine reaches 127.0.0.1:4000, expected an address such as \
             0.0.0.0:4000",
        ] {
            assert!(shown.lines().any(|shown| shown == line), "{line} is not in\n{shown}");
        }
        let (json, _) = listed(&["mssp.genre=Cooking"], true);
        let report: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert!(
            report["variables"][0] == serde_json::json!({"name": "NAME", "values": ["Deepwell"]}),
            "{json}"
        );
        assert!(report["wrong"].as_array().unwrap().iter().any(|advice| advice["setting"] == "mssp.genre"));
    }

    /// Control bytes would end a value early in the client.
    #[test]
    fn control_characters_in_a_listing_are_refused() {
        for setting in
            ["mssp.contact=a\u{2}b", "mssp.status=Live\tX", "mssp.extra=A=b\u{1}C", "world.name=A\u{0}"]
        {
            let failure = listed(&[setting], false).1.unwrap_err();
            assert!(matches!(failure, CliFailure::Settings(_)), "{setting:?}: {failure}");
        }
    }
}
