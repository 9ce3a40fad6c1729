//! Server information for MUD crawlers (MSSP), by option 70 or as text. Unset variables are left out.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use deepwell_core::base::unicode::is_printable;

/// Maximum number of variables that the operator may add.
const EXTRA_MAX: usize = 40;

/// Variables that the operator cannot override.
const OURS_ALONE: &[&str] = &["NAME", "PLAYERS", "UPTIME"];

/// Figures that change while the server runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MsspFigures {
    /// Connected players, without link-dead ones.
    pub players: u64,
    /// Existing rooms, including those of branches.
    pub rooms: u64,
    /// Hand-built areas and existing branches.
    pub areas: u64,
    /// Creature types.
    pub mobiles: u64,
    /// Item types.
    pub objects: u64,
    /// Help topics.
    pub help_files: u64,
    /// Abilities that players can learn.
    #[serde(default)]
    pub skills: u64,
    /// Quests.
    #[serde(default)]
    pub quests: u64,
    /// Unix time of the start, in seconds.
    pub started_at: u64,
}

/// Server information set by the operator: section `[mssp]`. Empty values are not sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MsspListing {
    /// E-mail address for contact.
    pub contact: String,
    /// Host name that players connect to.
    pub hostname: String,
    /// URL of the website.
    pub website: String,
    /// URL of an icon of 32 by 32 pixels.
    pub icon: String,
    /// Discord invitation.
    pub discord: String,
    /// Language of the game.
    pub language: String,
    /// Country of the server.
    pub location: String,
    /// Year of opening.
    pub created: String,
    /// `Alpha`, `Closed Beta`, `Open Beta` or `Live`.
    pub status: String,
    /// Kind of world.
    pub genre: String,
    /// Kind of world within the genre.
    pub subgenre: String,
    /// Main activity of players.
    pub gameplay: String,
    /// Minimum age of players; 0 for all ages.
    pub minimum_age: u32,
    /// Hours between two visits of a crawler; 0 leaves it to the crawler.
    pub crawl_delay: u32,
    /// Set if builders are wanted.
    pub hiring_builders: bool,
    /// Set if programmers are wanted.
    pub hiring_coders: bool,
    /// Additional variables.
    pub extra: ExtraVariables,
}

impl Default for MsspListing {
    fn default() -> Self {
        Self {
            contact: String::new(),
            hostname: String::new(),
            website: String::new(),
            icon: String::new(),
            discord: String::new(),
            language: "English".to_owned(),
            location: String::new(),
            created: String::new(),
            status: String::new(),
            genre: "Fantasy".to_owned(),
            subgenre: "Exploration".to_owned(),
            gameplay: "Adventure".to_owned(),
            minimum_age: 0,
            crawl_delay: 0,
            hiring_builders: false,
            hiring_coders: false,
            extra: ExtraVariables::default(),
        }
    }
}

impl MsspListing {
    /// Sets the website to the web client's URL, if the operator has set none. `HOSTNAME` is not derived from that URL,
    /// because players may connect to a different host.
    #[must_use]
    pub fn with_page(mut self, public_url: &str) -> Self {
        if self.website.is_empty() {
            public_url.clone_into(&mut self.website);
        }
        self
    }
}

/// Variables that the operator adds or overrides, as `NAME=value; NAME=value`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExtraVariables {
    written: String,
    variables: Vec<(String, String)>,
}

impl ExtraVariables {
    /// Parses variables. Returns `None` if a part has no name or no value, if a name has characters other than capital
    /// letters, digits, spaces, `-` and `_`, if there are more than 40, or if a variable cannot be overridden.
    pub fn parse(written: &str) -> Option<Self> {
        let mut variables = Vec::new();
        for part in written.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=')?;
            let (name, value) = (name.trim(), value.trim());
            let named = name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b" -_".contains(&byte));
            if !named || name.is_empty() || value.is_empty() || OURS_ALONE.contains(&name) {
                return None;
            }
            variables.push((name.to_owned(), value.to_owned()));
        }
        (variables.len() <= EXTRA_MAX).then(|| Self { written: written.to_owned(), variables })
    }

    /// Returns the text as written.
    pub fn as_str(&self) -> &str {
        &self.written
    }
}

/// Ports that players connect to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ports {
    /// Plain telnet.
    pub telnet: Option<u16>,
    /// Telnet over TLS.
    pub tls: Option<u16>,
    /// Web client; not sent to crawlers.
    pub http: Option<u16>,
}

/// Variables in order. Several values are an array, the one that counts last.
pub type MsspVariables = Vec<(String, Vec<String>)>;

/// Returns all variables to send, as <https://tintin.mudhalla.net/protocols/mssp/> lists them. `compression` tells whether
/// MCCP2 is offered.
pub fn variables(
    name: &str,
    listing: &MsspListing,
    ports: Ports,
    compression: bool,
    figures: MsspFigures,
) -> MsspVariables {
    let mut list: MsspVariables = Vec::new();
    let mut say = |name: &str, value: String| {
        let value: String = value.chars().filter(|c| is_printable(*c)).collect();
        if !value.is_empty() {
            list.push((name.to_owned(), vec![value]));
        }
    };
    say("NAME", name.to_owned());
    say("PLAYERS", figures.players.to_string());
    say("UPTIME", figures.started_at.to_string());
    for (name, value) in [
        ("CODEBASE", concat!("Deepwell ", env!("CARGO_PKG_VERSION"))),
        ("CONTACT", &listing.contact),
        ("HOSTNAME", &listing.hostname),
        ("WEBSITE", &listing.website),
        ("ICON", &listing.icon),
        ("DISCORD", &listing.discord),
        ("LANGUAGE", &listing.language),
        ("LOCATION", &listing.location),
        ("CREATED", &listing.created),
        ("STATUS", &listing.status),
        ("FAMILY", "Custom"),
        ("GENRE", &listing.genre),
        ("SUBGENRE", &listing.subgenre),
        ("GAMEPLAY", &listing.gameplay),
        ("GAMESYSTEM", "Custom"),
        ("INTERMUD", "None"),
        ("QUEST SYSTEM", if figures.quests > 0 { "Integrated" } else { "None" }),
    ] {
        say(name, value.to_owned());
    }
    let delay = if listing.crawl_delay == 0 { "-1".to_owned() } else { listing.crawl_delay.to_string() };
    say("CRAWL DELAY", delay);
    if listing.minimum_age > 0 {
        say("MINIMUM AGE", listing.minimum_age.to_string());
    }
    for (name, port) in [("PORT", ports.telnet), ("SSL", ports.tls), ("TLS", ports.tls)] {
        say(name, port.map(|port| port.to_string()).unwrap_or_default());
    }
    for (name, figure) in [
        ("AREAS", figures.areas),
        ("HELPFILES", figures.help_files),
        ("MOBILES", figures.mobiles),
        ("OBJECTS", figures.objects),
        ("ROOMS", figures.rooms),
        ("SKILLS", figures.skills),
        // The game has no classes and no races.
        ("CLASSES", 0),
        ("RACES", 0),
    ] {
        say(name, figure.to_string());
    }
    // Without a number: there is no highest level.
    say("LEVELS", "-1".to_owned());
    for (name, is_so) in switches(listing, compression) {
        say(name, u8::from(is_so).to_string());
    }
    list.push(("CHARSET".to_owned(), vec!["US-ASCII".to_owned(), "UTF-8".to_owned()]));
    overrule(&mut list, &listing.extra);
    list
}

/// Returns the variables that are yes or no: protocols, payment and vacancies.
fn switches(listing: &MsspListing, compression: bool) -> [(&'static str, bool); 17] {
    [
        ("ANSI", true),
        ("UTF-8", true),
        ("VT100", false),
        ("XTERM 256 COLORS", true),
        ("XTERM TRUE COLORS", true),
        ("GMCP", true),
        ("MCCP", compression),
        ("ATCP", false),
        ("MCP", false),
        ("MSDP", false),
        ("MXP", false),
        ("MSP", false),
        ("PUEBLO", false),
        ("PAY TO PLAY", false),
        ("PAY FOR PERKS", false),
        ("HIRING BUILDERS", listing.hiring_builders),
        ("HIRING CODERS", listing.hiring_coders),
    ]
}

fn overrule(variables: &mut MsspVariables, extra: &ExtraVariables) {
    for (name, value) in &extra.variables {
        let value = vec![value.clone()];
        match variables.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => variables.push((name.clone(), value)),
        }
    }
}

/// Formats the answer to `MSSP-REQUEST`: one variable per line, values after tabs, CR LF line ends.
pub(super) fn text(variables: &MsspVariables) -> String {
    let mut reply = String::from("\r\nMSSP-REPLY-START\r\n");
    for (name, values) in variables {
        let _ = write!(reply, "{name}\t{}\r\n", values.join("\t"));
    }
    reply.push_str("MSSP-REPLY-END\r\n");
    reply
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURES: MsspFigures = MsspFigures {
        players: 7,
        rooms: 410,
        areas: 12,
        mobiles: 60,
        objects: 200,
        help_files: 55,
        skills: 9,
        quests: 3,
        started_at: 1_700_000_000,
    };

    fn said(listing: &MsspListing, ports: Ports) -> MsspVariables {
        variables("The\tWell\u{1}", listing, ports, true, FIGURES)
    }

    fn value<'a>(variables: &'a MsspVariables, name: &str) -> Option<&'a str> {
        let (_, values) = variables.iter().find(|(known, _)| known == name)?;
        values.last().map(String::as_str)
    }

    #[test]
    fn protocols_8_required_and_configured_variables_are_sent() {
        let listing = MsspListing { hostname: "mud.example.org".to_owned(), ..MsspListing::default() };
        let variables = said(&listing, Ports { telnet: Some(4000), tls: Some(4040), http: Some(4080) });
        for (name, expected) in [
            ("NAME", "TheWell"),
            ("PLAYERS", "7"),
            ("UPTIME", "1700000000"),
            ("HOSTNAME", "mud.example.org"),
            ("PORT", "4000"),
            ("TLS", "4040"),
            ("SSL", "4040"),
            ("ROOMS", "410"),
            ("HELPFILES", "55"),
            ("CHARSET", "UTF-8"),
            ("MCCP", "1"),
            ("MXP", "0"),
            ("SKILLS", "9"),
            ("CLASSES", "0"),
            ("LEVELS", "-1"),
            ("QUEST SYSTEM", "Integrated"),
            ("GENRE", "Fantasy"),
            ("GAMEPLAY", "Adventure"),
            ("CRAWL DELAY", "-1"),
            ("FAMILY", "Custom"),
            ("PAY TO PLAY", "0"),
            ("HIRING CODERS", "0"),
        ] {
            assert_eq!(value(&variables, name), Some(expected), "{name}");
        }
    }

    #[test]
    fn protocols_5_12_unset_variables_are_omitted() {
        let variables = said(&MsspListing::default(), Ports::default());
        for name in ["CONTACT", "WEBSITE", "DISCORD", "STATUS", "PORT", "TLS", "SSL", "MINIMUM AGE"] {
            assert_eq!(value(&variables, name), None, "{name}");
        }
        let names: std::collections::BTreeSet<_> = variables.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), variables.len(), "each variable once");
    }

    #[test]
    fn website_defaults_to_public_url() {
        let page = "https://play.example.org";
        let listing = MsspListing {
            contact: "staff@example.org".to_owned(),
            hostname: "mud.example.org".to_owned(),
            created: "2025".to_owned(),
            minimum_age: 13,
            crawl_delay: 11,
            ..MsspListing::default()
        };
        let variables = said(&listing.clone().with_page(page), Ports { tls: Some(4040), ..Ports::default() });
        for (name, expected) in [
            ("WEBSITE", page),
            ("HOSTNAME", "mud.example.org"),
            ("TLS", "4040"),
            ("CREATED", "2025"),
            ("CONTACT", "staff@example.org"),
            ("LANGUAGE", "English"),
            ("MINIMUM AGE", "13"),
            ("CRAWL DELAY", "11"),
        ] {
            assert_eq!(value(&variables, name), Some(expected), "{name}");
        }
        let own = MsspListing { website: "https://example.org".to_owned(), ..listing };
        assert_eq!(own.with_page(page).website, "https://example.org");
    }

    #[test]
    fn operator_variables_add_and_override() {
        let extra =
            ExtraVariables::parse("MUDMONSTER_VERIFY=a1b2; HIRING BUILDERS = 1;GENRE=Horror;").unwrap();
        let variables = said(&MsspListing { extra, ..MsspListing::default() }, Ports::default());
        assert_eq!(value(&variables, "MUDMONSTER_VERIFY"), Some("a1b2"));
        assert_eq!(value(&variables, "HIRING BUILDERS"), Some("1"));
        assert_eq!(value(&variables, "GENRE"), Some("Horror"));
        for bad in ["PLAYERS=900", "name=x", "GENRE", "GENRE=", "=x", "A\u{1}=x"] {
            assert_eq!(ExtraVariables::parse(bad), None, "{bad}");
        }
        assert_eq!(ExtraVariables::parse(&"A=1;".repeat(41)), None);
        assert_eq!(ExtraVariables::parse("").as_ref().map(ExtraVariables::as_str), Some(""));
    }

    #[test]
    fn mssp_text_reply_has_one_variable_per_line() {
        let reply = text(&said(&MsspListing::default(), Ports::default()));
        assert!(
            reply
                .starts_with("\r\nMSSP-REPLY-START\r\nNAME\tTheWell\r\nPLAYERS\t7\r\nUPTIME\t1700000000\r\n")
        );
        assert!(
            reply.ends_with("\r\nMSSP-REPLY-END\r\n") && reply.contains("\nCHARSET\tUS-ASCII\tUTF-8\r\n")
        );
        assert!(reply.lines().filter(|line| line.contains('\t')).all(|line| line.matches('\t').count() <= 2));
    }
}
