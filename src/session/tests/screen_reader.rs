//! Output in screen reader mode.

use crate::session::tests::harness::Table;
use deepwell_core::world::Settings;
use deepwell_core::world::account::PromptStyle;
use deepwell_game::effect::Local;
use deepwell_game::{Class, Output, PromptFields};
use std::sync::Arc;

/// A client that announces a screen reader by bit 64 of its MTTS.
const ANNOUNCED: &[u8] = b"\xff\xfb\x18\xff\xfa\x18\x00MTTS 335\xff\xf0\xff\xfd\x19\xff\xfc\x06";

const HALE: PromptFields = PromptFields {
    hp: 27,
    max_hp: 30,
    fighting: false,
    floor: 0,
    trainings: 0,
    might: None,
    level: 1,
    missing_xp: 0,
    text_line: 0,
    digging: false,
};

fn announced() -> Table {
    let mut table = Table::new();
    table.take_in(ANNOUNCED);
    table
}

/// Creates a client in the game whose player has turned screen reader mode on.
fn listening() -> Table {
    let mut table = Table::telnet();
    table.type_line("screenreader on");
    table.type_line("connect Olad correct horse");
    table
}

impl Table {
    fn told(&mut self, class: Class, text: &str) {
        self.output(Output::Text(class, Arc::new(text.into())));
    }
}

/// Protocols 10: most clients do not announce a screen reader, so the hint comes before the name prompt.
#[test]
fn screen_reader_mode_is_offered_before_login() {
    let mut table = Table::new();
    table.take_in(crate::session::tests::harness::HANDSHAKE);
    let welcome = table.flush();
    assert!(welcome.contains("\nFor plain sentences, to be read aloud or in braille, type screenreader.\n"));
    assert!(table.type_line("screenreader").starts_with("Screen reader mode is on"));
}

/// MTTS bit 64 turns screen reader mode on automatically, and the game is told once.
#[test]
fn announced_screen_reader_turns_mode_on() {
    let mut table = announced();
    let welcome = table.flush();
    assert!(welcome.contains("Screen reader mode is on, because your program asked for it."), "{welcome}");
    assert!(welcome.contains("type screenreader off"), "{welcome}");
    assert_eq!(table.type_line("connect Olad correct horse"), "The Well\nHP 27 of 30> <EOR>");
    assert_eq!(table.screen_readers_noted, 1);
    table.told(Class::Reply, "+------+\nHP:     12");
    assert_eq!(table.flush(), "\nHP: 12\n");
    table.type_line("sing");
    assert_eq!(table.screen_readers_noted, 1, "it is said once");
}

/// Protocols 10: screen reader mode never turns off automatically, and never on against the player's setting.
#[test]
fn player_setting_overrides_announcement() {
    let mut table = announced();
    table.type_line("screenreader off");
    assert_eq!(table.type_line("connect Olad correct horse"), "The Well\nHP:27/30> <EOR>");
    assert_eq!(table.screen_readers_noted, 0);
    table.output(Output::Settings(Box::new(Settings { screen_reader: Some(true), ..Settings::default() })));
    table.told(Class::Reply, "HP:     12");
    assert_eq!(table.flush(), "\nHP: 12\n");
    assert_eq!(table.screen_readers_noted, 0);
}

/// The style of a highlight is not heard, so a word is.
#[test]
fn highlighted_lines_begin_with_a_word() {
    let highlights = |cues| {
        let highlights = ["clay rat".to_owned()].into();
        let settings = Settings { screen_reader: Some(true), cues, highlights, ..Settings::default() };
        Output::Settings(Box::new(settings))
    };
    let mut table = listening();
    table.output(highlights(false));
    table.told(Class::Notice, "A Clay Rat waits.");
    table.told(Class::Notice, "A Clay Rat waits.");
    table.told(Class::Notice, "Clay rats wait.");
    assert_eq!(table.flush(), "\nMarked: A Clay Rat waits.\nThe same again.\nClay rats wait.\n");
    table.output(highlights(true));
    table.told(Class::Room, "The well\nA clay rat waits.");
    assert_eq!(table.flush(), "Room: The well\nMarked: A clay rat waits.\n");
}

/// Protocols 10: an unchanged prompt is never repeated, and output caused by others does not bring it back.
#[test]
fn prompt_follows_own_input_only() {
    let mut table = listening();
    assert_eq!(table.type_line("sing"), "You sing.\n> <EOR>");
    table.told(Class::Speech, "Tess says: hello");
    table.told(Class::Movement, "Tess leaves east.");
    assert_eq!(table.flush(), "\nTess says: hello\nTess leaves east.\n");
    table.output(Output::Prompt(PromptFields { hp: 20, fighting: true, ..HALE }));
    table.told(Class::Combat, "The rat hits you for seven points; you have 20 left.");
    assert_eq!(table.flush(), "The rat hits you for seven points; you have 20 left.\n");
    assert_eq!(table.type_line(""), "HP 20 of 30, fighting> <EOR>", "an empty line asks for it");
    assert_eq!(table.type_line(""), "> <EOR>");
    table.output(Output::Settings(Box::new(Settings {
        screen_reader: Some(true),
        prompt: PromptStyle::Off,
        ..Settings::default()
    })));
    assert_eq!(table.type_line("sing"), "You sing.\n");
    assert_eq!(table.type_line(""), "");
}

/// Protocols 10: repetitions within a batch are counted, except for speech.
#[test]
fn repetitions_are_counted_except_speech() {
    let mut table = listening();
    for _ in 0..3 {
        table.told(Class::Movement, "A clay rat arrives from the east.");
    }
    table.told(Class::Notice, "Something clicks.");
    table.told(Class::Notice, "Something clicks.");
    assert_eq!(
        table.flush(),
        "\nA clay rat arrives from the east.\nThe same two times more.\nSomething clicks.\nThe same again.\n"
    );
    table.told(Class::Movement, "A clay rat arrives from the east.");
    assert_eq!(table.flush(), "A clay rat arrives from the east.\n", "another batch tells it anew");
    table.told(Class::Speech, "Tess says: no");
    table.told(Class::Speech, "Tess says: no");
    assert_eq!(table.flush(), "Tess says: no\nTess says: no\n");
    assert_eq!(table.type_line("nothing"), "> <EOR>");

    let mut seen = Table::playing();
    seen.told(Class::Notice, "Something clicks.");
    seen.told(Class::Notice, "Something clicks.");
    assert_eq!(seen.flush(), "\nSomething clicks.\nSomething clicks.\nHP:27/30> <EOR>");
}

/// Protocols 10: distinct, stable line starts for triggers and soundpacks, as an option.
#[test]
fn cues_name_each_kind_of_message() {
    let mut table = listening();
    table.output(Output::Settings(Box::new(Settings {
        screen_reader: Some(true),
        cues: true,
        ..Settings::default()
    })));
    table.told(Class::Tell, "Tess tells you: hush");
    table.told(Class::Combat, "You miss the rat.");
    table.told(Class::Combat, "You miss the rat.");
    table.told(Class::Refusal, "You can't go that way.");
    assert_eq!(
        table.flush(),
        "\nTell: Tess tells you: hush\nFight: You miss the rat.\nThe same again.\nRefused: You can't go that way.\n"
    );
}

/// Protocols 10: texts of the session itself are linear, too.
#[test]
fn session_texts_are_linear() {
    let mut table = listening();
    table.type_line("say good morning");
    let report = table.session.report("Olad");
    table.show(report);
    let mut heard = table.flush();
    for local in [Local::History(5), Local::ChangePassword, Local::MakeRecovery] {
        table.output(Output::Local(local));
        heard += &table.flush();
        heard += &table.type_line("");
    }
    assert!(heard.contains("say good morning") && heard.contains("password"), "{heard}");
    for line in heard.lines() {
        let drawn = line.contains(['[', ']', '|', '{', '}']) || line.contains("  ");
        let signs = !line.is_empty() && !line.chars().any(char::is_alphanumeric);
        assert!(!drawn && !signs, "{line:?} in:\n{heard}");
    }
}
