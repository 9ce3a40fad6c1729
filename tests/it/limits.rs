//! Limits of the game: each refusal because of one is counted by its setting.

use crate::table::{Table, seeded};
use deepwell::base::RuleLimit;
use deepwell::base::limits::Limits;

/// Olad, the owner of the world, and Bera in the town, with limits that a test changes.
fn with_limits(change: impl Fn(&mut Limits)) -> Table {
    let mut config = seeded(1);
    change(&mut config.limits);
    let mut table = Table::new(config);
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    table.limits_reached();
    table
}

/// Change of a limit, lines that Olad types, and the limit that they reach.
type Case = (fn(&mut Limits), &'static [&'static str], RuleLimit);

const OF_PLAYERS: &[Case] = &[
    (|limits| limits.friends = 0, &["friends add bera"], RuleLimit::Friends),
    (|limits| limits.ignored = 0, &["ignore bera"], RuleLimit::Ignored),
    (|limits| limits.aliases = 0, &["alias kk = kill rat"], RuleLimit::Aliases),
    (|limits| limits.alias_chars = 3, &["alias kk = kill rat"], RuleLimit::AliasChars),
    (|limits| limits.title_chars = 3, &["title the Bold"], RuleLimit::TitleChars),
    (|limits| limits.pose_chars = 3, &["pose leans on a wall"], RuleLimit::PoseChars),
    (|limits| limits.appearance_chars = 3, &["appearance Thin and tall."], RuleLimit::AppearanceChars),
    (|limits| limits.prompt_chars = 3, &["config prompt custom hello"], RuleLimit::PromptChars),
    (|limits| limits.characters_per_account = 1, &["character new Cato"], RuleLimit::CharactersPerAccount),
    (|limits| limits.mails_per_mailbox = 0, &["mail to bera = Hello."], RuleLimit::MailsPerMailbox),
    (|limits| limits.mails_per_sender = 0, &["mail to bera = Hello."], RuleLimit::MailsPerSender),
    (
        |limits| limits.mails_per_day = 1,
        &["mail to bera = One.", "mail to bera = Two."],
        RuleLimit::MailsPerDay,
    ),
    (|limits| limits.mails = 0, &["mail to bera = Hello."], RuleLimit::Mails),
    (|limits| limits.mail_chars = 3, &["mail to bera = Hello."], RuleLimit::MailChars),
    (|limits| limits.reports_per_account = 0, &["bug The lamp is dark."], RuleLimit::ReportsPerAccount),
    (|limits| limits.reports = 0, &["bug The lamp is dark."], RuleLimit::Reports),
    (|limits| limits.channel_lines = 1, &["ooc One.", "newbie Two."], RuleLimit::ChannelLines),
    (|limits| limits.deed_lines = 2, &["rest", "stand", "rest"], RuleLimit::DeedLines),
    (|limits| limits.items_carried = 0, &["spawn club", "get club"], RuleLimit::ItemsCarried),
];

const OF_BUILDERS: &[Case] = &[
    (|limits| limits.built_rooms = 0, &["dig Mill = in, out"], RuleLimit::BuiltRooms),
    (|limits| limits.zones = 0, &["zone new mill"], RuleLimit::Zones),
    (|limits| limits.definitions = 0, &["make item sack = sack"], RuleLimit::Definitions),
    (|limits| limits.definition_bytes = 3, &["make item sack = sack"], RuleLimit::DefinitionBytes),
    (|limits| limits.tags_per_room = 0, &["tag here = warm"], RuleLimit::TagsPerRoom),
    (|limits| limits.details_per_room = 0, &["detail beam = A beam."], RuleLimit::DetailsPerRoom),
    (|limits| limits.spawns_per_room = 0, &["spawn rat = 1 every 60"], RuleLimit::SpawnsPerRoom),
    (|limits| limits.triggers_per_room = 0, &["trigger leave = tell Hello."], RuleLimit::TriggersPerRoom),
    (|limits| limits.draft_lines = 1, &["describe here", "One.", "Two."], RuleLimit::DraftLines),
    (|limits| limits.description_chars = 3, &["describe here", "A long room."], RuleLimit::DescriptionChars),
    (|limits| limits.bans = 0, &["ban 192.0.2.7"], RuleLimit::Bans),
    (|limits| limits.zones_at_once = 1, &["zone import mill forge"], RuleLimit::ZonesAtOnce),
];

fn assert_counted(cases: &[Case]) {
    for (change, lines, limit) in cases {
        let mut table = with_limits(change);
        let answer = table.types_all("Olad", lines);
        let mut reached = table.limits_reached();
        reached.dedup();
        assert_eq!(reached, [*limit], "{lines:?}: {answer}");
        // Olad can change the setting, and reads its name. Messages to the room are skipped without a refusal.
        let is_told = answer.contains(&format!("The setting is {}.", limit.setting()));
        assert_eq!(is_told, *limit != RuleLimit::DeedLines, "{lines:?}: {answer}");
    }
}

#[test]
fn o8_limits_that_players_reach_are_counted_by_setting() {
    assert_counted(OF_PLAYERS);
}

#[test]
fn o8_limits_that_builders_reach_are_counted_by_setting() {
    assert_counted(OF_BUILDERS);
}

#[test]
fn players_read_no_name_of_a_setting() {
    let mut table = with_limits(|limits| limits.friends = 0);
    let answer = table.types("Bera", "friends add olad");
    assert!(!answer.contains("limits.") && !answer.contains("setting"), "{answer}");
    assert_eq!(table.limits_reached(), [RuleLimit::Friends]);
}

#[test]
fn refusals_for_other_reasons_are_not_counted() {
    let mut table = with_limits(|_| {});
    for line in ["friends add olad", "mail to nobody = Hello.", "get moon", "buy club", "kill bera", "dig"] {
        table.types("Olad", line);
        assert_eq!(table.limits_reached(), [], "{line}");
    }
}

/// An item that is removed from a full room, and a script beyond its limits, are counted too.
#[test]
fn o8_items_removed_and_script_lines_skipped_are_counted() {
    let mut table = with_limits(|limits| limits.items_in_room = 1);
    table.types_all("Olad", &["spawn club", "spawn club"]);
    assert_eq!(table.limits_reached(), [RuleLimit::ItemsInRoom], "refused");
    table.types_all("Olad", &["get club", "spawn clay_lamp", "drop club"]);
    assert_eq!(table.limits_reached(), [RuleLimit::ItemsInRoom], "removed");

    let mut table = with_limits(|limits| limits.trigger_lines = 2);
    table.types_all("Olad", &["north", "trigger say ho = tell One.; tell Two.; tell Three.", "say ho"]);
    assert_eq!(table.limits_reached(), [RuleLimit::TriggerLines]);
}

#[test]
fn o8_rate_of_speech_is_counted() {
    let mut table = with_limits(|limits| limits.speech_load = 1);
    let long = format!("say {}", "Hear, hear. ".repeat(80));
    for _ in 0..2 {
        table.types("Olad", &long);
    }
    assert_eq!(table.limits_reached(), [RuleLimit::SpeechLoad]);
}

#[test]
fn o8_limit_of_guests_is_counted() {
    let mut table = with_limits(|limits| limits.guests = 0);
    table
        .open_session("Guest", |session| deepwell::game::Input::Visit { session, pre_login: Box::default() });
    assert_eq!(table.limits_reached(), [RuleLimit::Guests]);
}
