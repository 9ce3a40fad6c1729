//! Tests of the form of all refusals.

use super::*;
use deepwell_core::base::{BranchId, Span};
use deepwell_core::puzzle::{ActionRefusal, Board, GateId, KeyId, SettingError};
use deepwell_core::text::names::NameError;
use deepwell_core::world::Channel;

/// Source files of all features, so that every sentence is checked.
const FILES: &[(&str, &str)] = &[
    ("account", include_str!("account.rs")),
    ("build", include_str!("build.rs")),
    ("fight", include_str!("fight.rs")),
    ("journal", include_str!("journal.rs")),
    ("party", include_str!("party.rs")),
    ("place", include_str!("place.rs")),
    ("puzzle", include_str!("puzzle.rs")),
    ("talk", include_str!("talk.rs")),
    ("thing", include_str!("thing.rs")),
    ("trade", include_str!("trade.rs")),
    ("way", include_str!("way.rs")),
];

/// Texts completed by another layer, and parts of sentences.
const PARTS: &[&str] = &[
    "{}",
    "{0}",
    "settings look like size_x=5",
    "that is no number",
    "{kind} has {known}",
    "it takes {0}",
    "it {0}",
    "There is no {what} \"{key}\"{nearest}{}",
];

/// Extracts the text of every `#[error("...")]` in a file.
fn sentences(source: &str) -> Vec<String> {
    let texts = source.split("#[error(").skip(1).map(|rest| {
        let (_, text) = rest.split_once('"').expect("a text in quotes");
        let mut sentence = String::new();
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '"' => break,
                '\\' => match letters.next() {
                    Some('\n') => {
                        let more = letters.as_str().trim_start();
                        letters = more.chars();
                    }
                    escaped => sentence.extend(escaped),
                },
                letter => sentence.push(letter),
            }
        }
        sentence
    });
    texts.collect()
}

fn is_sentence(text: &str) -> bool {
    let first = text.chars().next();
    text.ends_with('.')
        && !text.ends_with("..")
        && !text.contains("  ")
        && text.trim() == text
        && first.is_some_and(|first| !first.is_whitespace())
}

#[test]
fn feature_refusals_are_whole_sentences() {
    for (file, source) in FILES {
        let sentences = sentences(source);
        assert!(!sentences.is_empty(), "{file}");
        for text in sentences {
            assert!(is_sentence(&text) || PARTS.contains(&text.as_str()), "{file}: {text}");
        }
    }
}

#[test]
fn general_refusals_are_whole_sentences() {
    let word = || "lamp".to_owned();
    let all = [
        Refusal::NoWay,
        Refusal::NoStairs,
        Refusal::Blocked("A rat bars the way.".into()),
        Refusal::InCombat,
        Refusal::NotFighting,
        Refusal::NowhereToFlee,
        Refusal::NoFighting,
        Refusal::NotPlayers,
        Refusal::Yourself,
        Refusal::AlreadyFighting(word()),
        Refusal::NotHere(word()),
        Refusal::Missing("look"),
        Refusal::NotListening(word()),
        Refusal::NobodyToReplyTo,
        Refusal::NotCarried(word()),
        Refusal::HandsFull,
        Refusal::Unknown(word(), None),
        Refusal::Down,
        Refusal::Held,
        Refusal::TooPoor(5),
        Refusal::NotAllowed,
        Refusal::ReadOnly,
        Refusal::WorldLocked,
        Refusal::BranchFull,
        Refusal::TooManyBranches,
        Refusal::Amount(AmountError::Zero),
        Refusal::Amount(AmountError::Negative),
        Refusal::Amount(AmountError::TooMuch),
        Refusal::Amount(AmountError::NotANumber),
    ];
    for refusal in all {
        assert!(is_sentence(refusal.markup().text()), "{refusal:?}: {}", refusal.markup().text());
    }
    // The two questions.
    for asking in [Refusal::NothingToSay, Refusal::Unknown(word(), Some(word()))] {
        let text = asking.markup().text().to_owned();
        assert!(text.ends_with('?') && !text.contains("  "), "{text}");
    }
}

/// Sentences that depend on their parameters.
#[test]
fn refusal_parameters_are_formatted() {
    let board = Board { keys: vec!["brass key".into()], ..Board::default() };
    let lamp = || "the lamp".to_owned();
    let told: [(Refusal, &str); 17] = [
        (ThingRefusal::NotWearable(lamp()).into(), "The lamp is nothing to wear or wield."),
        (
            ThingRefusal::AlreadyWorn { thing: lamp(), place: "in the hand" }.into(),
            "You have the lamp in the hand already.",
        ),
        (ThingRefusal::Owned { thing: lamp(), owner: "Bera".into() }.into(), "The lamp is Bera's for now."),
        (TradeRefusal::TooFew { left: 1 }.into(), "There is only one of it."),
        (TradeRefusal::TooFew { left: 3 }.into(), "There are only three of it."),
        (TradeRefusal::PurseFull { most: 200 }.into(), "No purse holds more than two gold."),
        (
            PartyRefusal::InvitedBySeveral { leaders: vec!["Ada".into(), "Bo".into()] }.into(),
            "Ada and Bo have asked you. Say whom you mean: party accept NAME.",
        ),
        (
            PartyRefusal::TooManyInvited { most: 4 }.into(),
            "A party is four at most, and whoever has been asked counts.",
        ),
        (
            FightRefusal::RoundSpent { next: Span::secs(2) }.into(),
            "You have to find your feet first; the next round comes in 2 seconds.",
        ),
        (
            FightRefusal::CannotStop { enemy: "the rat".into() }.into(),
            "The rat does not let you stop; flee instead.",
        ),
        (
            TalkRefusal::Muted(Channel::Ooc).into(),
            "You do not listen to ooc just now. Type channel ooc on to hear it again.",
        ),
        (BuildRefusal::NoBranch(BranchId(7)).into(), "There is no branch 7."),
        (AccountRefusal::UnfitName(NameError::TooShort).into(), "A name has at least 2 letters."),
        (PuzzleRefusal::hitch(ActionRefusal::Nothing, &board).into(), "There is nothing like that here."),
        (
            PuzzleRefusal::hitch(ActionRefusal::NoKey(KeyId(0)), &board).into(),
            "It wants the brass key, and nobody here has that.",
        ),
        (PuzzleRefusal::hitch(ActionRefusal::Shut(GateId(9)), &board).into(), "It is shut."),
        (
            PuzzleRefusal::Setting {
                word: "size_x=9".into(),
                mistake: SettingMistake::Unfit(SettingError::new("is no map")),
            }
            .into(),
            "\"size_x=9\": it is no map.",
        ),
    ];
    for (refusal, words) in told {
        assert_eq!(refusal.markup(), Markup::plain(words), "{refusal:?}");
    }
}
