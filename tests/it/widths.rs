//! Renders all output of the transcripts, the story, the help pages and a set of unusual speech for clients of every
//! width, colour level and character set. The game is played once; its texts are rendered many times.
//!
//! The tests check bytes: lines keep to the width; the only terminal controls are colours, which end with their line;
//! clients of another character set get only its characters. Content is tested elsewhere.

#![expect(clippy::mutable_key_type, reason = "the renderings kept with a text are not part of its value")]

use crate::explorer::hero_opens;
use crate::table::{DAWN, Table, seeded};
use crate::{story, transcripts};
use deepwell::base::limits::Limits;
use deepwell::base::{AccountId, CharacterId, ColourLevel, SessionId, unicode};
use deepwell::catalog::BUILTIN;
use deepwell::game::command::reference;
use deepwell::game::{Class, Effect, Output};
use deepwell::session::{ConnectionInfo, Delivery, Session, SessionConfig};
use deepwell::text::Markup;
use deepwell::world::account::{Charset, PromptStyle, Width};
use deepwell::world::{Role, Settings};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};
use unicode_width::UnicodeWidthStr;

/// Widths tested: from the narrowest setting to wider than any line of the game.
const WIDTHS: RangeInclusive<u16> = 20..=200;

/// Telnet negotiation of a plain terminal.
const PLAIN: &[u8] = b"\xff\xfc\x18\xff\xfc\x1f\xff\xfe\x19\xff\xfe\x2a\xff\xfe\xc9\xff\xfc\x06";

/// End of a prompt for a client without END-OF-RECORD.
const GO_AHEAD: &[u8] = b"\xff\xf9";

/// Negotiation of `TinyFugue`, which cuts lines at unknown bytes.
const TINYFUGUE: &[u8] = b"\xff\xfb\x18\xff\xfa\x18\x00TINYFUGUE\xff\xf0\xff\xfa\x18\x00ANSI-ATTR\xff\xf0\
    \xff\xfa\x18\x00ANSI\xff\xf0\xff\xfa\x18\x00UNKNOWN\xff\xf0\xff\xfa\x18\x00UNKNOWN\xff\xf0\
    \xff\xfc\x1f\xff\xfe\x19\xff\xfe\x2a\xff\xfe\xc9\xff\xfc\x06";

/// Speech with unusual characters.
const ODD_WORDS: [&str; 5] = [
    "Käse — “ja”, ‘nein’ … Ångström, Straße, ½ €, Ж, 日本語日本語日本語日本語日本語日本語",
    "a\u{301}\u{302}\u{303} \u{202E}turned\u{202C} 👩\u{200D}🚀 family, and \u{1b}[2Jgone\u{9b}31m",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft, and a short word",
    "well                                                                                    spaced",
    "────────┼──────── !!SOUND(x.wav) <SEND href=\"x\">y</SEND> \u{1b}]8;;send:quit\u{1b}\\here",
];

/// Every distinct text and prompt of the output.
static TAPE: LazyLock<Vec<Output>> = LazyLock::new(|| {
    let mut seen = HashSet::new();
    let mut tape: Vec<Output> = Vec::new();
    for output in [transcripts::tape(), story::tape(), pages(), walk(), odd_speakers()].concat() {
        let is_new = match &output {
            Output::Text(_, text) => seen.insert(Arc::clone(text)),
            prompt => !tape.contains(prompt),
        };
        if is_new {
            tape.push(output);
        }
    }
    assert!(tape.len() > 1_000, "{} is too little to say in an evening", tape.len());
    tape
});

/// Texts of the output, each with the width in cells of its longest line without wrapping.
static TEXTS: LazyLock<Vec<(usize, Arc<Markup>)>> = LazyLock::new(|| {
    let texts = TAPE.iter().filter_map(text_of);
    let mut client = Client::new(PLAIN);
    client.choose(ColourLevel::None, Width::Off);
    let measured = texts.map(|text| (client.shows([&text]).lines().map(str::width).max().unwrap_or(0), text));
    measured.collect()
});

fn text_of(output: &Output) -> Option<Arc<Markup>> {
    match output {
        Output::Text(_, text) => Some(Arc::clone(text)),
        _ => None,
    }
}

/// Returns every help page, and the lists of commands.
fn pages() -> Vec<Output> {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    let topics = BUILTIN.iter().filter_map(|(path, _)| path.strip_prefix("help/")?.strip_suffix(".md"));
    let commands = reference(Role::Owner).map(|[name, ..]| name);
    let lines: Vec<String> = topics.chain(commands).map(|topic| format!("help {topic}")).collect();
    for line in lines.iter().map(String::as_str).chain(["help", "commands", "affects", "who", "config"]) {
        table.types("Olad", line);
    }
    table.tape().to_vec()
}

/// Returns a walk through many rooms, with commands about location.
fn walk() -> Vec<Output> {
    let mut table = Table::new(seeded(3));
    table.checks_every(40);
    table.sit("Olad");
    table.becomes("Olad", 9_999, 999);
    table.types_all("Olad", &["down", "east"]);
    for rooms in (8..=40).step_by(8) {
        hero_opens(&mut table, "Olad", rooms);
        table.types_all(
            "Olad",
            &["map", "exits", "scan", "path start", "score", "inventory", "equipment", "look people"],
        );
    }
    table.tape().to_vec()
}

/// Returns speech with unusual characters.
fn odd_speakers() -> Vec<Output> {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.sit("Bera");
    for phrase in ODD_WORDS {
        table.types("Olad", &format!("say {phrase}"));
        table.types("Olad", &format!("emote {phrase}"));
        table.types("Olad", &format!("tell Bera {phrase}"));
        table.types("Olad", &format!("ooc {phrase}"));
        table.types("Olad", phrase);
    }
    table.tape().to_vec()
}

/// Session in the game, without a server.
struct Client {
    session: Session,
    settings: Settings,
    bytes: Vec<u8>,
}

impl Client {
    /// Creates a logged-in client with the given negotiation.
    fn new(handshake: &[u8]) -> Self {
        let config = SessionConfig {
            limits: Limits::default(),
            name: "Deepwell".to_owned(),
            welcome: Markup::plain("Welcome."),
            ..SessionConfig::default()
        };
        let session = Session::new(SessionId(1), Arc::new(config), ConnectionInfo::default(), DAWN);
        let settings = Settings { prompt: PromptStyle::Off, ..Settings::default() };
        let mut client = Self { session, settings, bytes: Vec::new() };
        let mut actions = Vec::new();
        client.session.receive(handshake, DAWN, &mut actions);
        client.session.receive(b"connect Olad correct horse\r\n", DAWN, &mut actions);
        client.gets(Effect::Entered {
            session: SessionId(1),
            account: AccountId(1),
            character: CharacterId(1),
            name: "Olad".to_owned(),
            settings: Box::new(client.settings.clone()),
        });
        assert!(client.session.is_playing());
        client.session.flush(&mut client.bytes);
        client
    }

    fn gets(&mut self, effect: Effect) {
        self.session.deliver(Delivery::Effect(effect), DAWN, &mut Vec::new());
    }

    fn hears(&mut self, output: Output) {
        self.gets(Effect::Output { session: SessionId(1), output });
    }

    /// Sets colour level and width.
    fn choose(&mut self, colour: ColourLevel, width: Width) {
        self.settings = Settings { colour: Some(colour), width, ..self.settings.clone() };
        self.hears(Output::Settings(Box::new(self.settings.clone())));
    }

    fn choose_settings(&mut self, settings: Settings) {
        self.settings = settings;
        self.hears(Output::Settings(Box::new(self.settings.clone())));
    }

    /// Returns the prompt shown for these fields after some text, without the end mark.
    fn prompts(&mut self, fields: &Output) -> String {
        self.hears(fields.clone());
        let mut bytes = self.sends([&Arc::new(Markup::plain("Hm."))]).to_vec();
        assert!(bytes.ends_with(GO_AHEAD), "{}", String::from_utf8_lossy(&bytes));
        bytes.truncate(bytes.len() - GO_AHEAD.len());
        String::from_utf8(bytes).expect("whole characters, and nothing else of telnet")
    }

    /// Returns the bytes sent for these texts.
    fn sends<'a>(&mut self, texts: impl IntoIterator<Item = &'a Arc<Markup>>) -> &[u8] {
        for text in texts {
            self.hears(Output::Text(Class::Notice, Arc::clone(text)));
        }
        self.bytes.clear();
        self.session.flush(&mut self.bytes);
        &self.bytes
    }

    /// Returns the same as text, without telnet commands.
    fn shows<'a>(&mut self, texts: impl IntoIterator<Item = &'a Arc<Markup>>) -> &str {
        str::from_utf8(self.sends(texts)).expect("whole characters, and nothing of telnet")
    }
}

/// Returns the line without colours, which must be of that level and reset at the end. Panics on any other character
/// that is not printable.
fn seen(line: &str, level: ColourLevel) -> String {
    let mut pieces = line.split('\u{1b}');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    let mut coloured = false;
    for piece in pieces {
        let (numbers, rest) = piece
            .strip_prefix('[')
            .and_then(|piece| piece.split_once('m'))
            .filter(|(numbers, _)| numbers.split(';').all(|number| number.parse::<u8>().is_ok()))
            .unwrap_or_else(|| panic!("a broken colour in {line:?}"));
        let fits = match level {
            ColourLevel::None => false,
            ColourLevel::Sixteen => !numbers.contains("38;"),
            ColourLevel::TwoFiftySix => !numbers.contains("38;2;"),
            ColourLevel::True => true,
        };
        assert!(fits, "no colour of {level:?}: {line:?}");
        coloured = numbers != "0";
        plain.push_str(rest);
    }
    assert!(!coloured, "a colour goes on after the line: {line:?}");
    assert!(plain.chars().all(unicode::is_printable), "{line:?}");
    plain
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_whitespace())
}

/// Checks each line of every text at every width. A text narrower than a width is not wrapped there and looks the same
/// as at the widest, so it is checked only there.
fn check_widths(level: ColourLevel, widths: impl Iterator<Item = u16>) {
    let mut client = Client::new(PLAIN);
    for width in widths {
        let cells = usize::from(width);
        let all = width == *WIDTHS.end();
        let texts: Vec<_> =
            TEXTS.iter().filter(|(widest, _)| all || *widest > cells).map(|(_, t)| t).collect();
        client.choose(level, Width::Columns(width));
        let shown = client.shows(texts.iter().copied());
        let mut read = String::with_capacity(shown.len());
        for line in shown.strip_suffix("\r\n").unwrap_or(shown).split("\r\n") {
            let line = seen(line, level);
            assert!(line.width() <= cells, "wider than {width}: {line:?}");
            read.push_str(&line);
        }
        let whole: String = texts.iter().map(|text| text.text()).collect();
        assert!(
            letters(&read).eq(letters(&whole).filter(|c| unicode::is_printable(*c))),
            "letters are lost at {width}"
        );
    }
}

#[test]
fn t3_lines_without_colours_fit_every_width() {
    check_widths(ColourLevel::None, WIDTHS);
}

/// Fewer colours are other numbers at the same places, so these tests take every ninth width, with the widest.
#[test]
fn t3_lines_in_sixteen_colours_fit() {
    check_widths(ColourLevel::Sixteen, WIDTHS.step_by(9));
}

#[test]
fn t3_lines_in_256_colours_fit() {
    check_widths(ColourLevel::TwoFiftySix, WIDTHS.step_by(9));
}

#[test]
fn t3_lines_in_true_colour_fit_every_width() {
    check_widths(ColourLevel::True, WIDTHS);
}

/// Prompts keep to the width, except for the space at their end, which is always present.
#[test]
fn protocols_7_3_prompts_fit_every_width() {
    let mut client = Client::new(PLAIN);
    client.choose_settings(Settings::default());
    let prompts: Vec<&Output> = TAPE.iter().filter(|output| matches!(output, Output::Prompt(_))).collect();
    assert!(prompts.len() > 50, "an evening has more ups and downs");
    for (level, width) in
        [ColourLevel::None, ColourLevel::True].into_iter().flat_map(|l| WIDTHS.map(move |w| (l, w)))
    {
        client.choose(level, Width::Columns(width));
        for prompt in &prompts {
            let shown = client.prompts(prompt);
            let lines: Vec<String> = shown.split("\r\n").map(|line| seen(line, level)).collect();
            assert!(
                lines.iter().all(|line| line.trim_end().width() <= usize::from(width)),
                "wider than {width}: {lines:?}"
            );
            assert!(lines.last().is_some_and(|line| line.ends_with("> ")), "{lines:?}");
        }
    }
}

/// No colours, layout or drawings; one space between words; no line without words.
#[test]
fn protocols_10_screen_reader_output_has_no_layout() {
    let mut client = Client::new(PLAIN);
    client.choose_settings(Settings { screen_reader: Some(true), ..client.settings.clone() });
    let odd: HashSet<Arc<Markup>> = odd_speakers().iter().filter_map(text_of).collect();
    let drawn = |c: char| ('\u{2500}'..='\u{259f}').contains(&c);
    for (_, text) in &*TEXTS {
        let shown = client.shows([text]);
        let by_players = odd.contains(text);
        for line in shown.strip_suffix("\r\n").unwrap_or(shown).split("\r\n") {
            let line = seen(line, ColourLevel::None);
            let content = line.trim_start();
            let laid_out = content.contains("  ") || content.contains(drawn);
            assert!(!laid_out || by_players, "layout in {line:?} of\n{}", text.text());
        }
    }
}

/// ASCII clients get ASCII bytes for every text of the game and its content, and no additional question marks.
#[test]
fn protocols_14_8_ascii_clients_get_ascii_only() {
    let mut chosen = Client::new(PLAIN);
    chosen.choose_settings(Settings { encoding: Some(Charset::Ascii), ..chosen.settings.clone() });
    let mut known = Client::new(TINYFUGUE);
    let heard = TEXTS.iter().map(|(_, text)| Arc::clone(text));
    let written = BUILTIN.iter().flat_map(|(_, file)| file.lines()).map(|line| Arc::new(Markup::plain(line)));
    for text in heard.chain(written) {
        for client in [&mut chosen, &mut known] {
            let bytes = client.sends([&text]);
            assert!(bytes.is_ascii(), "{:?} for {:?}", String::from_utf8_lossy(bytes), text.text());
        }
    }
    let folded = chosen.sends([&Arc::new(Markup::plain("Käse — “ja” …"))]);
    assert_eq!(folded, b"Kase -- \"ja\" ...\r\n");
    let cut = known.sends([&Arc::new(Markup::plain("Käse"))]);
    assert_eq!(cut, b"Kase\r\n");
}

/// All content can be converted to ASCII without loss.
#[test]
fn protocols_7_2_content_converts_to_ascii_without_loss() {
    let mut client = Client::new(PLAIN);
    client.choose_settings(Settings {
        encoding: Some(Charset::Ascii),
        width: Width::Off,
        ..client.settings.clone()
    });
    for (path, file) in BUILTIN {
        for (number, line) in file.lines().enumerate() {
            let asked = |text: &[u8]| text.split(|byte| *byte == b'?').count();
            let sent = asked(client.sends([&Arc::new(Markup::plain(line))]));
            assert_eq!(sent, asked(line.as_bytes()), "{path}:{}: {line}", number + 1);
        }
    }
}
