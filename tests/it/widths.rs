//! Everything that the transcripts, the story, the help pages and a table of odd speakers give to a session, as clients
//! of every width, colour and character set get it. The game is played once; its texts are rendered many times.
//!
//! What is proved here is about bytes: that lines keep to the width, that nothing steers a terminal but colours which
//! end with their line, and that a client of another character set gets only characters of it. What the texts say is
//! proved elsewhere.

use crate::explorer::hero_opens;
use crate::table::{DAWN, Table, seeded};
use crate::{story, transcripts};
use deepwell::base::limits::Limits;
use deepwell::base::{AccountId, CharacterId, ColourLevel, SessionId, unicode};
use deepwell::catalog::BUILTIN;
use deepwell::game::command::reference;
use deepwell::game::{Class, Effect, Output};
use deepwell::session::{Delivery, Link, Session, SessionConfig};
use deepwell::text::Markup;
use deepwell::world::account::{Charset, PromptStyle, Width};
use deepwell::world::{Role, Settings};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};
use unicode_width::UnicodeWidthStr;

/// The widths that are tried: from the narrowest a player can choose to wider than any line of the game is long.
const WIDTHS: RangeInclusive<u16> = 20..=200;

/// A client that says of itself what a plain terminal would, and is asked nothing more.
const PLAIN: &[u8] = b"\xff\xfc\x18\xff\xfc\x1f\xff\xfe\x19\xff\xfe\x2a\xff\xfe\xc9\xff\xfc\x06";

/// What stands behind a prompt for a client that does not take END-OF-RECORD.
const GO_AHEAD: &[u8] = b"\xff\xf9";

/// `TinyFugue`, which cuts lines at bytes that it does not know.
const TINYFUGUE: &[u8] = b"\xff\xfb\x18\xff\xfa\x18\x00TINYFUGUE\xff\xf0\xff\xfa\x18\x00ANSI-ATTR\xff\xf0\
    \xff\xfa\x18\x00ANSI\xff\xf0\xff\xfa\x18\x00UNKNOWN\xff\xf0\xff\xfa\x18\x00UNKNOWN\xff\xf0\
    \xff\xfc\x1f\xff\xfe\x19\xff\xfe\x2a\xff\xfe\xc9\xff\xfc\x06";

/// What is typed by people who are not content with letters.
const ODD_WORDS: [&str; 5] = [
    "Käse — “ja”, ‘nein’ … Ångström, Straße, ½ €, Ж, 日本語日本語日本語日本語日本語日本語",
    "a\u{301}\u{302}\u{303} \u{202E}turned\u{202C} 👩\u{200D}🚀 family, and \u{1b}[2Jgone\u{9b}31m",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft, and a short word",
    "well                                                                                    spaced",
    "────────┼──────── !!SOUND(x.wav) <SEND href=\"x\">y</SEND> \u{1b}]8;;send:quit\u{1b}\\here",
];

/// Every different text and prompt that anybody was given.
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

/// The texts of the tape, one a line of its own, with the cells of their widest line before any wrapping.
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

/// Every page of help, and what lists commands.
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

/// A walk through many rooms, with the words that tell where one is.
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

/// What people say who are not content with letters.
fn odd_speakers() -> Vec<Output> {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.sit("Bera");
    for words in ODD_WORDS {
        table.types("Olad", &format!("say {words}"));
        table.types("Olad", &format!("emote {words}"));
        table.types("Olad", &format!("tell Bera {words}"));
        table.types("Olad", &format!("ooc {words}"));
        table.types("Olad", words);
    }
    table.tape().to_vec()
}

/// A session that plays, and nothing around it.
struct Client {
    session: Session,
    settings: Settings,
    bytes: Vec<u8>,
}

impl Client {
    /// A client that answers the opening like this, and has logged in.
    fn new(handshake: &[u8]) -> Self {
        let config = SessionConfig {
            limits: Limits::default(),
            name: "Deepwell".to_owned(),
            welcome: Markup::plain("Welcome."),
            ..SessionConfig::default()
        };
        let session = Session::new(SessionId(1), Arc::new(config), Link::default(), DAWN);
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
            settings: client.settings.clone(),
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

    /// The player chooses how things look.
    fn choose(&mut self, colour: ColourLevel, width: Width) {
        self.settings = Settings { colour: Some(colour), width, ..self.settings.clone() };
        self.hears(Output::Settings(self.settings.clone()));
    }

    fn choose_settings(&mut self, settings: Settings) {
        self.settings = settings;
        self.hears(Output::Settings(self.settings.clone()));
    }

    /// What is shown for these fields of a prompt, after some text; the mark at its end is taken off.
    fn prompts(&mut self, fields: &Output) -> String {
        self.hears(fields.clone());
        let mut bytes = self.sends([&Arc::new(Markup::plain("Hm."))]).to_vec();
        assert!(bytes.ends_with(GO_AHEAD), "{}", String::from_utf8_lossy(&bytes));
        bytes.truncate(bytes.len() - GO_AHEAD.len());
        String::from_utf8(bytes).expect("whole characters, and nothing else of telnet")
    }

    /// The bytes that leave for these texts.
    fn sends<'a>(&mut self, texts: impl IntoIterator<Item = &'a Arc<Markup>>) -> &[u8] {
        for text in texts {
            self.hears(Output::Text(Class::Notice, Arc::clone(text)));
        }
        self.bytes.clear();
        self.session.flush(&mut self.bytes);
        &self.bytes
    }

    /// The same as the text that they are; there is nothing of telnet between.
    fn shows<'a>(&mut self, texts: impl IntoIterator<Item = &'a Arc<Markup>>) -> &str {
        str::from_utf8(self.sends(texts)).expect("whole characters, and nothing of telnet")
    }
}

/// A line as a person sees it: without its colours, which must be of that level and off again at its end. Panics on
/// whatever else is neither a printable character nor a colour.
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

/// Shows every text at every width, and looks at each line. A text that is narrower than a width is not broken there,
/// so it looks as it does at the widest; that one is looked at for all.
fn fits_every_width(level: ColourLevel) {
    let mut client = Client::new(PLAIN);
    for width in WIDTHS {
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

/// Protocols 7.3, 7.4, T3.
#[test]
fn every_width_without_colours_keeps_its_lines() {
    fits_every_width(ColourLevel::None);
}

/// Protocols 7.3, 7.4, T3.
#[test]
fn every_width_in_sixteen_colours_keeps_its_lines() {
    fits_every_width(ColourLevel::Sixteen);
}

/// Protocols 7.3, 7.4, T3.
#[test]
fn every_width_in_256_colours_keeps_its_lines() {
    fits_every_width(ColourLevel::TwoFiftySix);
}

/// Protocols 7.3, 7.4, T3.
#[test]
fn every_width_in_true_colour_keeps_its_lines() {
    fits_every_width(ColourLevel::True);
}

/// Interface 3, protocols 7.3: prompts keep to the width too, but for the space at their end, which is always there.
#[test]
fn prompts_fit_every_width() {
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

/// Protocols 10: no colour, no layout, no drawing; one space between words; each line says something.
#[test]
fn reader_mode_is_words_and_nothing_else() {
    let mut client = Client::new(PLAIN);
    client.choose_settings(Settings { screen_reader: Some(true), ..client.settings.clone() });
    let odd: HashSet<Arc<Markup>> = odd_speakers().iter().filter_map(text_of).collect();
    let drawn = |c: char| ('\u{2500}'..='\u{259f}').contains(&c);
    for (_, text) in &*TEXTS {
        let shown = client.shows([text]);
        let by_players = odd.contains(text);
        for line in shown.strip_suffix("\r\n").unwrap_or(shown).split("\r\n") {
            let line = seen(line, ColourLevel::None);
            let words = line.trim_start();
            let laid_out = words.contains("  ") || words.contains(drawn);
            assert!(!laid_out || by_players, "layout in {line:?} of\n{}", text.text());
        }
    }
}

/// Protocols 14.8: rule 12 holds for every text of the game and of its content, and nothing becomes a question mark
/// that was none.
#[test]
fn plain_ascii_gets_no_byte_above_7f() {
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

/// Protocols 7.2: what the content says can be folded without a loss.
#[test]
fn no_letter_of_the_content_is_lost_in_ascii() {
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
