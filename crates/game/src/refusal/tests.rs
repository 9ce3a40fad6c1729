//! Tests of refusals that are not written at one place; `tests/tidy` checks the others.

use super::sentence_form::is_sentence;
use super::*;
use crate::table::{Table, seeded};
use deepwell_core::base::BranchId;

#[test]
fn general_refusals_are_whole_sentences() {
    let word = || "lamp".to_owned();
    let all = [
        Refusal::NoWay,
        Refusal::NothingFound,
        Refusal::NothingThere("There is nothing like that here.".into()),
        Refusal::Blocked("A rat bars the way.".into()),
        Refusal::InCombat,
        Refusal::NotHere(word()),
        Refusal::Missing("look"),
        Refusal::NotCarried(word()),
        Refusal::Unknown(word(), None),
        Refusal::Held,
        Refusal::NotAllowed,
        Refusal::ReadOnly,
        Refusal::NotAuthor { zone: "mill".into(), owner: "Ada".into() },
        Refusal::CoinsAreMoney("gold".into()),
        Refusal::Mistakes(vec!["`name` is missing".into()]),
        Refusal::Asleep(WorldPart::Branch(BranchId(7))),
        Refusal::Unreadable(WorldPart::Branch(BranchId(7))),
        Refusal::Amount(AmountError::Zero),
        Refusal::Amount(AmountError::Negative),
        Refusal::Amount(AmountError::TooMuch),
        Refusal::Amount(AmountError::NotANumber),
    ];
    for refusal in all {
        assert!(is_sentence(refusal.markup().text()), "{refusal:?}: {}", refusal.markup().text());
    }
}

#[test]
fn nearest_command_is_asked_about() {
    let refusal = Refusal::Unknown("lok".into(), Some("look".into()));
    assert_eq!(refusal.markup().text(), "There is no command \"lok\". Did you mean look?");
}

#[test]
fn several_mistakes_are_on_lines_of_their_own() {
    let mistakes = vec!["no such room".into(), "no key `hp`, did you mean `max_hp`?".into()];
    let text = "Nothing is changed, for these mistakes:\nno such room.\nno key `hp`, did you mean `max_hp`?";
    assert_eq!(Refusal::Mistakes(mistakes).markup().text(), text);
}

#[test]
fn arguments_are_placed_in_sentences() {
    let mut play = Table::new(seeded(1));
    for name in ["Ada", "Bera", "Cato", "Dora", "Emil", "Fina", "Gero"] {
        play.sit(name);
    }
    play.types("Ada", "channel ooc off");
    play.types("Bera", "party invite Emil");
    for name in ["Emil", "Cato", "Dora", "Fina", "Gero"] {
        play.types("Ada", &format!("party invite {name}"));
    }
    for (name, line, sentence) in [
        ("Ada", "ooc hello", "You do not listen to ooc just now. Type channel ooc on to hear it again."),
        ("Ada", "party invite Bera", "A party is six at most, and whoever has been asked counts."),
        ("Emil", "party accept", "Bera and Ada have asked you. Say whom you mean: party accept NAME."),
        ("Emil", "withdraw 5", "There is no bank here."),
        ("Emil", "wear shoe", "You have no \"shoe\"."),
    ] {
        let heard = play.types(name, line);
        assert!(heard.lines().any(|heard| heard == sentence), "{line}: {heard}");
    }
    assert_eq!(play.applies("X").unwrap_err(), "A name has at least 2 letters.");
}
