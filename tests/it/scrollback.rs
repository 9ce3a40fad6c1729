//! Scrollback: `replay` and channel history.

use crate::table::{Table, seeded};
use deepwell::base::Span;
use deepwell::base::limits::Limits;
use deepwell::game::GameConfig;

fn two() -> Table {
    let mut table = Table::new(seeded(7));
    table.sit("Olad");
    table.sit("Bera");
    table
}

#[test]
fn protocols_10_replay_repeats_messages_in_order() {
    let mut table = two();
    table.types("Bera", "say one");
    table.types("Olad", "say two");
    table.types("Bera", "emote waves.");
    let again = table.types("Olad", "replay 3");
    let expected = "The last three messages, the oldest first:\nBera says: one\nYou say: two\nBera waves.\n\
                    That was the replay.";
    assert_eq!(again, expected);
    assert_eq!(table.types("Olad", "replay 3"), expected, "a replay is not kept itself");
    assert_eq!(table.types("Olad", "replay 1"), "The last message:\nBera waves.\nThat was the replay.");
    for (line, answer) in [
        ("replay 0", "None at all"),
        ("replay -3", "Less than nothing"),
        ("replay ten", "Type replay, then tells"),
        ("replay tells many", "not a number"),
    ] {
        let reply = table.types("Olad", line);
        assert!(reply.contains(answer), "{line}: {reply}");
    }
}

/// The room shown at login is not repeated by `replay`; earlier messages and later rooms are.
#[test]
fn replay_omits_the_room_shown_at_login() {
    let mut table = two();
    table.types_all("Olad", &["say Before.", "north", "south"]);
    table.break_link("Olad");
    assert!(table.comes_back("Olad").contains("Exits:"));
    let again = table.types("Olad", "replay 9");
    assert!(again.contains("You say: Before.") && again.contains("You take hold of your body"), "{again}");
    assert!(again.contains("Climbers' Lodge\n") && !again.contains("Well Square\n"), "{again}");
    table.types("Olad", "look");
    assert!(table.types("Olad", "replay 1").contains("Well Square\n"), "what was asked for since");
}

/// After a broken link or a new login, `replay` shows what was sent before the connection ended, but not what was said
/// while away.
#[test]
fn replay_works_after_a_broken_link() {
    let mut table = two();
    table.types("Bera", "tell olad the third door");
    table.break_link("Olad");
    table.types("Bera", "say he is gone");
    table.comes_back("Olad");
    let again = table.types("Olad", "replay");
    assert!(again.contains("\nBera tells you: the third door\n"), "{again}");
    assert!(!again.contains("he is gone"), "nobody was there to be told");
    table.types("Olad", "quit");
    table.comes_back("Olad");
    assert!(table.types("Olad", "replay").contains("the third door"));
}

#[test]
fn tells_have_their_own_history_with_times() {
    let mut table = two();
    table.types("Bera", "tell olad the third door");
    table.waits(Span::mins(5));
    for n in 0..300 {
        table.types("Olad", &format!("say {n}"));
    }
    table.types("Olad", "reply which one?");
    assert_eq!(
        table.types("Olad", "replay tells"),
        "The last two messages, the oldest first:\n5 minutes ago: Bera tells you: the third door\n\
         now: You tell Bera: which one?\nThat was the replay."
    );
    assert!(!table.types("Olad", "replay 1000").contains("the third door"), "a8: only so many are kept");
}

/// Channel history is shown to players who connected later, without messages of ignored players.
#[test]
fn channel_history_includes_messages_before_login() {
    let mut table = two();
    table.types("Olad", "ooc good morning");
    table.types("Bera", "ooc good evening");
    table.sit("Tess");
    let history = table.types("Tess", "ooc history");
    assert_eq!(
        history,
        "The last two messages, the oldest first:\nnow: [Ooc] Olad: good morning\nnow: [Ooc] Bera: good evening\n\
         That was the replay."
    );
    assert_eq!(table.types("Tess", "replay ooc"), history);
    assert!(table.types("Tess", "channel ooc last 1").contains("good evening"));
    assert!(table.types("Tess", "replay newbie").contains("Nothing of that kind is remembered"));
    table.types("Tess", "ignore olad");
    let history = table.types("Tess", "replay ooc");
    assert!(history.contains("good evening") && !history.contains("good morning"), "{history}");
}

/// Party history is for members only, and the party channel can be switched off.
#[test]
fn party_history_is_for_members_and_can_be_switched_off() {
    let mut table = two();
    table.sit("Tess");
    table.types("Olad", "party invite bera");
    table.types("Bera", "party accept");
    table.types("Olad", "p wait for me");
    table.types("Bera", "channel party off");
    assert!(table.types("Bera", "p yes").contains("Type channel party on to hear it again"));
    table.hears("Bera");
    table.types("Olad", "p hurry");
    assert_eq!(table.hears("Bera"), "");
    let kept = table.types("Bera", "replay party");
    assert!(kept.contains("now: [Party] Olad: wait for me") && !kept.contains("hurry"), "{kept}");
    assert!(table.types("Tess", "replay party").contains("Nothing of that kind"));
    table.types("Bera", "channel party on");
    table.types("Olad", "p now");
    assert_eq!(table.hears("Bera"), "[Party] Olad: now");
}

#[test]
fn a8_history_limits_can_be_zero() {
    let limits = Limits { replay_lines: 0, channel_history: 0, ..Limits::default() };
    let mut table = Table::new(GameConfig { limits, ..seeded(7) });
    table.sit("Olad");
    table.types("Olad", "ooc hello");
    for line in ["replay", "replay ooc", "replay tells"] {
        assert!(table.types("Olad", line).contains("Nothing of that kind"), "{line}");
    }
}
