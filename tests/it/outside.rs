//! Bridges: what they show outside of the game, and what they say in it.

use crate::explorer::hero_opens;
use crate::table::{Table, seeded};
use deepwell::base::SessionId;
use deepwell::game::{
    Class, Declined, Effect, GameConfig, Input, OutsideSpeech, PublicEvent, SharedChannels, SharingConfig,
};
use deepwell::world::Channel;

/// A world that shares one channel, logins and news, and in it Olad and Bera.
fn shared() -> Table {
    let channels = SharedChannels::parse("ooc").expect("a channel");
    let mut table =
        Table::new(GameConfig { sharing: SharingConfig { channels, logins: true, news: true }, ..seeded(3) });
    table.sit("Olad");
    table.sit("Bera");
    table.published();
    for name in ["Olad", "Bera"] {
        table.hears(name);
    }
    table
}

/// Speaks through a bridge.
fn says(table: &mut Table, speech: OutsideSpeech) -> Result<(), String> {
    let asker = SessionId(u64::MAX);
    let mut answered = None;
    for effect in table.results_of(Input::Bridge { asker, said: speech }) {
        match effect {
            Effect::Answered { answer, .. } => answered = Some(answer),
            other => table.deliver(other),
        }
    }
    answered.expect("an answer").map(|lines| assert!(lines.is_empty())).map_err(|no: Declined| no.to_string())
}

fn line(channel: &str, name: &str, text: &str) -> OutsideSpeech {
    OutsideSpeech { channel: channel.into(), name: name.into(), via: "discord".into(), text: text.into() }
}

fn speech(name: &str, via: Option<&str>, text: &str) -> PublicEvent {
    let (name, via, text) = (name.to_owned(), via.map(str::to_owned), text.to_owned());
    PublicEvent::Speech { channel: Channel::Ooc, name, via, text }
}

#[test]
fn speech_on_shared_channels_is_shown_outside() {
    let mut table = shared();
    table.types("Olad", "ooc Good *evening* to <all>.");
    assert_eq!(table.published(), [speech("Olad", None, "Good *evening* to <all>.")]);
    table.types_all("Olad", &["newbie Where is the rope?", "say Hm.", "tell bera Hush.", "shout Ho!"]);
    assert_eq!(table.published(), [], "nothing else is");
    let list = table.types("Olad", "channel");
    assert!(
        list.contains("ooc: on, for whatever is not part of the game; it is also read and written outside"),
        "{list}"
    );
    assert_eq!(list.matches("outside of the game").count(), 1, "{list}");
}

/// A world shares nothing unless the operator wants it.
#[test]
fn nothing_is_shown_outside_by_default() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.make_owner("Olad");
    table.types_all("Olad", &["ooc Hello.", "announce Soup is ready.", "quit"]);
    table.step(Input::Broadcast { text: "The server stops.".into() });
    assert_eq!(table.published(), []);
    let refused = says(&mut table, line("ooc", "Ann", "Hello.")).expect_err("not shared");
    assert_eq!(refused, "The channel \"ooc\" is not shared: bridge.channels names those that are.");
}

#[test]
fn bridge_speaks_on_a_channel_and_its_name_is_told() {
    let mut table = shared();
    table.types("Bera", "channel ooc off");
    says(&mut table, line("ooc", "Ann", "Is anybody down there?")).expect("said");
    let heard = table.hears_messages("Olad");
    assert_eq!(heard[0].text, "[Ooc] Ann (discord): Is anybody down there?");
    assert_eq!(heard[0].class, Class::Channel);
    assert_eq!(table.hears("Bera"), "", "she does not listen to the channel");
    assert_eq!(table.published(), [speech("Ann", Some("discord"), "Is anybody down there?")]);
    let history = table.types("Olad", "ooc history");
    assert!(history.contains("[Ooc] Ann (discord): Is anybody down there?"), "{history}");
}

/// A speaker outside cannot pass for a player, write style, or speak where it is not shared.
#[test]
fn what_comes_from_outside_is_cleaned_and_bounded() {
    let mut table = shared();
    says(&mut table, line("ooc", "Olad\u{1b}[31m (player): x", "two\nlines \u{1b}[1m\u{202e}here"))
        .expect("said");
    let heard = table.hears("Bera");
    assert!(heard.ends_with(" (discord): two lines [1mhere"), "{heard:?}");
    assert_eq!((heard.matches('(').count(), heard.lines().count()), (1, 1), "{heard:?}");
    says(&mut table, line("ooc", &"n".repeat(500), &"t".repeat(50_000))).expect("said");
    let heard = table.hears("Bera");
    assert!(heard.chars().count() < 1_100, "{}", heard.len());
    let no = |table: &mut Table, speech| says(table, speech).expect_err("declined");
    assert!(no(&mut table, line("party", "Ann", "Hi.")).contains("is not shared"));
    assert!(no(&mut table, line("newbie", "Ann", "Hi.")).contains("is not shared"));
    assert_eq!(no(&mut table, line("ooc", "()", "Hi.")), "The name of the speaker has no letters.");
    let nameless = OutsideSpeech { via: "\u{7}".into(), ..line("ooc", "Ann", "Hi.") };
    assert_eq!(no(&mut table, nameless), "The name of the bridge has no letters.");
    assert!(!no(&mut table, line("ooc", "Ann", " \n ")).is_empty());
    assert_eq!(table.hears("Bera"), "");
}

/// Logins of guests and of players who do not want to be seen are not shown.
#[test]
fn logins_are_shown_as_players_wish() {
    let mut table = shared();
    table.types("Olad", "quit");
    table.comes_back("Olad");
    let seen = [PublicEvent::Logout { name: "Olad".into() }, PublicEvent::Login { name: "Olad".into() }];
    assert_eq!(table.published(), seen);
    table.types("Olad", "config seen off");
    table.types("Olad", "quit");
    table.comes_back("Olad");
    table.open_session("guest", |session| Input::Visit { session, pre_login: Box::default() });
    table.types("Bera", "quit");
    assert_eq!(table.published(), [PublicEvent::Logout { name: "Bera".into() }]);
}

#[test]
fn news_and_announcements_are_shown() {
    let mut table = shared();
    table.make_owner("Olad");
    table.types("Olad", "announce Soup is ready.");
    table.step(Input::Broadcast { text: "The server stops.".into() });
    let announced = |text: &str| PublicEvent::Announcement { text: text.into() };
    assert_eq!(table.published(), [announced("Soup is ready."), announced("The server stops.")]);
    table.becomes("Olad", 9_999, 999);
    table.types_all("Olad", &["down", "north"]);
    hero_opens(&mut table, "Olad", 30);
    let news: Vec<PublicEvent> = table.published();
    assert!(!news.is_empty(), "a record");
    let is_told = |event: &PublicEvent| matches!(event, PublicEvent::News { text } if text.contains("Olad") && !text.contains('{'));
    assert!(news.iter().all(is_told), "{news:#?}");
    let is_hoard =
        |event: &PublicEvent| matches!(event, PublicEvent::News { text } if text.contains("hoard"));
    let records = news.iter().filter(|event| !is_hoard(event)).count();
    assert_eq!(records, 1, "the record of one descent is told once: {news:#?}");
}
