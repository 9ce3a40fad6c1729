//! Sanctions by staff (kick, mute, freeze), reports, audit log, snooping and recovery codes.

use crate::table::{DAWN, Table, seeded};
use deepwell::base::Span;
use deepwell::game::effect::Local;
use deepwell::game::{CloseReason, Effect, Input, Output};
use deepwell::world::{Role, Sanction};

/// Olad (owner), Helga (helper), Bera and Mika (players).
fn evening() -> Table {
    let mut table = Table::new(seeded(1));
    for name in ["Olad", "Helga", "Bera", "Mika"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    table.types("Olad", "promote helga helper");
    all_hear(&mut table);
    table
}

fn all_hear(table: &mut Table) {
    for name in ["Olad", "Helga", "Bera", "Mika"] {
        table.hears(name);
    }
}

/// A muted player is told the reason and end, and no channel transmits the player's messages until then.
#[test]
fn muted_player_is_heard_on_no_channel_until_mute_ends() {
    let mut table = evening();
    let answer = table.types("Helga", "mute bera for 2h shouting at everybody.");
    assert_eq!(answer, "Bera is muted until 2027-01-15 10:00 UTC, 2 hours from now.");
    let message = "You are muted until 2027-01-15 10:00 UTC, 2 hours from now: nobody hears what you say. \
                The reason: shouting at everybody.";
    assert_eq!(table.hears("Bera"), format!("Server: {message}"));
    table.types("Mika", "tell bera are you there?");
    all_hear(&mut table);
    for line in ["say a", "'a", "emote a", ":a", "tell mika a", "reply a", "ooc a", "newbie a", "shout a"] {
        assert_eq!(table.types("Bera", line), message, "{line}");
        assert_eq!(table.hears("Mika"), "", "{line}");
    }
    table.types("Mika", "party invite bera");
    table.types("Bera", "party accept");
    table.hears("Mika");
    assert_eq!(table.types("Bera", "party a"), message);
    assert!(table.types("Bera", "north").contains("Exits"), "all else goes on");
    table.restart();
    assert!(table.types("Bera", "say a").starts_with("You are muted until 2027-01-15 10:00 UTC"));
    table.types("Bera", "south");
    table.hears("Bera");
    table.waits(Span::mins(120));
    assert!(table.hears("Bera").contains("Server: You are muted no more."));
    assert_eq!(table.types("Bera", "say at last"), "You say: at last");
}

/// A frozen player can look, ask for help, report and quit; every other command is refused.
#[test]
fn frozen_player_can_only_look_ask_report_and_quit() {
    let mut table = evening();
    let room = table.body("Bera").room;
    let answer = table.types("Helga", "freeze bera we have to talk");
    assert_eq!(answer, "Bera is frozen until staff end it.");
    let message = "You are frozen until staff end it: you can look, ask for help, report somebody and quit, \
                and nothing else. The reason: we have to talk.";
    assert_eq!(table.hears("Bera"), format!("Server: {message}"));
    for line in [
        "north", "n", "go north", "say a", "get all", "ooc a", "recall", "config brief on", "who",
        "nonsense", "@n",
    ] {
        assert_eq!(table.types("Bera", line), message, "{line}");
    }
    assert_eq!(table.body("Bera").room, room);
    assert!(table.types("Bera", "look").contains("Exits: "));
    assert!(table.types("Bera", "l").contains("Exits: "));
    assert!(table.types("Bera", "help movement").contains("north"));
    table.restart();
    assert!(table.types("Bera", "north").starts_with("You are frozen"));
    table.types("Bera", "quit");
    table.comes_back("Bera");
    assert!(table.types("Bera", "north").starts_with("You are frozen"));
    assert_eq!(table.types("Helga", "unfreeze bera"), "Bera is frozen no more.");
    assert!(table.types("Bera", "north").contains("Exits"));
    assert_eq!(table.types("Helga", "unfreeze bera"), "Bera is not frozen.");
}

/// A kicked session is closed with the reason; the character stays link-dead, and the player may reconnect.
#[test]
fn kicked_player_reads_reason_and_may_reconnect() {
    let mut table = evening();
    let answer = table.types("Helga", "kick bera go and sleep");
    assert!(answer.ends_with("does not move.\nBera is out of the game."), "{answer}");
    let message = "Server: Staff have ended your connection. The reason: go and sleep. You may come back.";
    assert_eq!(table.hears("Bera"), message);
    assert_eq!(table.closed(), [("Bera".to_owned(), CloseReason::Kicked)]);
    assert!(table.body("Bera").link_dead_until.is_some());
    assert_eq!(table.types("Helga", "kick bera"), "Bera is not connected.");
    assert!(table.comes_back("Bera").contains("take hold of your body"));
}

/// A sanctioned player who was offline is notified once at login; sanctions in force are shown at each login.
#[test]
fn offline_player_is_notified_of_sanctions_at_login() {
    let mut table = evening();
    table.types("Bera", "quit");
    table.types("Helga", "mute bera for 1h noise");
    table.types("Helga", "freeze bera for 10m noise");
    table.waits(Span::mins(11));
    table.crash();
    table.comes_back("Olad");
    let read = table.comes_back("Bera");
    let mine: Vec<&str> = read.lines().filter_map(|line| line.strip_prefix("Server: ")).collect();
    let end = (DAWN + Span::mins(60)).utc();
    assert!(mine.iter().any(|line| line.starts_with("You are frozen until")), "{read}");
    assert!(mine.contains(&"You are frozen no more."), "{read}");
    let lies = format!(
        "You are muted until {end}, 49 minutes from now: nobody hears what you say. The reason: noise."
    );
    assert!(mine.contains(&lies.as_str()), "{read}");
    table.types("Bera", "quit");
    let read = table.comes_back("Bera");
    assert!(!read.contains("frozen") && read.contains(&lies), "{read}");
}

/// Staff cannot sanction themselves or accounts of equal or higher rank; players cannot sanction.
#[test]
fn a5_sanctions_require_a_higher_rank() {
    let mut table = evening();
    table.types("Olad", "promote mika helper");
    all_hear(&mut table);
    let before = table.world().accounts.rows();
    for act in ["kick", "mute", "freeze", "unmute", "unfreeze"] {
        for whom in ["mika", "olad", "helga"] {
            let answer = table.types("Helga", &format!("{act} {whom}"));
            assert_eq!(answer, "You may do that to people below your own rank only.", "{act} {whom}");
        }
        let answer = table.types("Bera", &format!("{act} mika"));
        assert!(answer.starts_with("There is no command"), "{answer}");
    }
    assert!(table.world().accounts.rows() == before && table.closed().is_empty());
}

/// A duration needs a unit and is more than zero and at most ten years; the name must exist.
#[test]
fn a7_invalid_durations_and_names_change_nothing() {
    let mut table = evening();
    for time in ["-1h", "0s", "99999999999d", "soon", "1e9", "٣h"] {
        let answer = table.types("Helga", &format!("mute bera for {time} x"));
        assert_eq!(answer, format!("\"{time}\" is no time. Type something like 30m, 2h or 7d."));
    }
    assert!(table.types("Helga", "mute bera for").starts_with("Type mute, a name,"));
    assert!(table.types("Helga", "mute").starts_with("Type mute, a name,"));
    assert!(table.types("Helga", "mute nobody").contains("nobody"));
    assert!(table.world().accounts[table.account("Bera")].sentences.is_empty());
    let long = "x".repeat(5_000);
    table.types("Helga", &format!("mute bera for 1h {long}"));
    let sentence = &table.world().accounts[table.account("Bera")].sentences[&Sanction::Mute];
    assert_eq!((sentence.reason.len(), sentence.by.as_str()), (200, "Helga"));
}

/// Notices waiting for an offline player are limited; the oldest is evicted.
#[test]
fn a8_pending_notices_are_bounded() {
    let mut table = evening();
    table.types("Bera", "quit");
    for n in 0..40 {
        table.types("Helga", &format!("mute bera for 1h number {n}"));
    }
    let notices = &table.world().accounts[table.account("Bera")].notices;
    assert_eq!(notices.len(), 20);
    assert!(
        notices[19].text.ends_with("number 39.") && notices[0].text.ends_with("number 20."),
        "{notices:?}"
    );
}

#[test]
fn freeze_ends_the_fight() {
    let mut table = crate::arena::arena();
    table.sit("Helga");
    let helga = table.account("Helga");
    table.edit_stored(|stored| stored.accounts.get_mut(&helga).expect("Helga").role = Role::Owner);
    table.types("Olad", "kill orc");
    assert!(table.body("Olad").target.is_some());
    table.types("Helga", "freeze olad");
    assert!(table.body("Olad").target.is_none());
    assert!(table.types("Olad", "kill orc").starts_with("You are frozen"));
}

/// A report about a player includes the last lines the reporter read from that player, in order. It survives a restart,
/// and the reporter is notified when it is closed, also after a later login.
#[test]
fn report_about_player_includes_last_lines_read() {
    let mut table = evening();
    for n in 0..30 {
        table.types("Mika", &format!("tell bera number {n}"));
    }
    let answer = table.types("Bera", "report mika he never stops");
    assert_eq!(answer, "Thank you. That is report 1; staff will read it.");
    assert_eq!(table.hears("Helga"), "Server: Bera has made report 1. Type reports 1 to read it.");
    table.restart();
    let list = table.types("Helga", "reports");
    assert!(
        list.contains("\n1, complaint about Mika, by Bera, ") && list.ends_with("he never stops"),
        "{list}"
    );
    let whole = table.types("Helga", "reports show 1");
    let heard: Vec<String> = (10..30).map(|n| format!("Heard: Mika tells you: number {n}")).collect();
    assert!(whole.ends_with(&format!("he never stops\n{}", heard.join("\n"))), "{whole}");
    assert_eq!(whole, table.types("Helga", "reports 1"));
    table.types("Bera", "quit");
    assert_eq!(table.types("Helga", "reports close 1 We have talked to Mika."), "Report 1 is settled.");
    assert!(table.world().reports.is_empty());
    let message = "Server: Your report 1 about Mika is settled: We have talked to Mika.";
    assert!(table.comes_back("Bera").contains(message));
    table.types("Bera", "quit");
    assert!(!table.comes_back("Bera").contains("settled"), "once");
}

/// Only higher ranks read and close a report about a staff member.
#[test]
fn a5_report_about_staff_is_visible_to_higher_ranks_only() {
    let mut table = evening();
    assert!(table.types("Bera", "report helga she mutes everybody").contains("report 1"));
    assert_eq!(table.hears("Helga"), "");
    assert!(table.hears("Olad").contains("Bera has made report 1"));
    assert_eq!(table.types("Helga", "reports"), "Reports: 1 waiting");
    assert_eq!(table.types("Helga", "reports 1"), "There is no report 1.");
    assert_eq!(table.types("Helga", "reports close 1"), "There is no report 1.");
    assert!(table.types("Olad", "reports 1").contains("complaint about Helga"));
    assert_eq!(table.types("Bera", "report bera"), "You cannot report yourself.");
    assert!(table.types("Bera", "report nobody").contains("nobody"));
    assert!(table.types("Bera", "reports").starts_with("There is no command"));
    assert!(table.types("Bera", "report").starts_with("Type report, a name,"));
}

#[test]
fn a8_reports_and_their_lines_are_bounded() {
    let mut table = evening();
    for _ in 0..20 {
        table.types("Bera", &format!("report mika {}", "x".repeat(4_000)));
    }
    assert!(table.types("Bera", "report mika").contains("too many reports"));
    let longest = table.world().reports.iter().map(|(_, report)| report.text.len()).max();
    assert_eq!((table.world().reports.len(), longest), (20, Some(1_000)));
    assert!(table.world().reports.iter().all(|(_, report)| report.heard.len() <= 20));
}

/// Frozen and muted players can report; `ignore` does not block messages of staff.
#[test]
fn frozen_players_report_and_staff_bypass_ignore() {
    let mut table = evening();
    table.types("Helga", "freeze bera");
    table.types("Helga", "mute bera");
    assert!(table.types("Bera", "report helga").contains("Thank you"));
    table.types("Helga", "unfreeze bera");
    table.types("Bera", "ignore helga");
    table.hears("Bera");
    table.types("Helga", "say nobody hears this");
    assert_eq!(table.hears("Bera"), "");
    table.types("Helga", "tell bera please stop");
    assert_eq!(table.hears("Bera"), "Helga tells you: please stop");
    table.types("Mika", "ignore olad");
    table.types("Olad", "announce The well is dry.");
    assert!(table.hears("Mika").contains("The well is dry."));
    assert_eq!(table.types("Bera", "unignore helga"), "You hear Helga again.");
    assert_eq!(table.types("Bera", "unignore helga"), "You do not ignore Helga.");
}

/// Admins read the audit log: all, by name, by word, in pages, newest last. No command changes it.
#[test]
fn a5_audit_log_is_readable_by_admins_and_immutable() {
    let mut table = evening();
    table.types("Olad", "promote mika admin");
    for n in 0..25 {
        table.types("Helga", &format!("mute bera for 1h number {n}"));
    }
    table.types("Helga", "mute olad");
    table.restart();
    let page = table.types("Mika", "audit helga");
    let lines: Vec<&str> = page.lines().collect();
    assert_eq!(lines[0], "What staff did, the newest last");
    assert_eq!(lines[1], "2027-01-15 08:00 UTC, Helga: mute bera for 1h number 7");
    assert_eq!(lines[19], "2027-01-15 08:00 UTC, Helga: mute olad", "what was refused, too");
    assert_eq!(lines[20], "2027-01-15 08:00 UTC, Mika: audit helga", "and who reads");
    assert_eq!(lines[21], "There is more. Type audit helga 2 for what came before.");
    let second = table.types("Mika", "audit helga 2");
    assert!(second.ends_with("mute bera for 1h number 7") && !second.contains("There is more"), "{second}");
    let found = table.types("Mika", "audit number 24");
    assert!(found.contains("Nothing of the kind"), "that is the 24th page of number: {found}");
    let found = table.types("Mika", "audit for 1h number");
    assert_eq!(found.lines().count(), 22);
    assert!(
        table.types("Mika", "audit").lines().last().expect("a line").contains("audit 2 for what came before")
    );
    assert!(table.types("Helga", "audit").starts_with("There is no command"));
    let before = table.stored().audit.clone();
    for line in ["undo", "set audit = 1", "destroy audit", "audit off", "audit 99999999999999999999999"] {
        table.types("Mika", line);
    }
    let after = table.stored().audit.clone();
    assert!(before.iter().all(|(id, line)| after.get(id) == Some(line)));
}

/// A snooped player is notified at the start and end, unless the owner has disabled the notice.
#[test]
fn snooped_player_is_notified() {
    let mut table = evening();
    assert!(table.types("Helga", "snoop bera").starts_with("There is no command"));
    assert_eq!(table.types("Olad", "snoop bera"), "You read along with Bera until you type snoop off.");
    assert_eq!(table.hears("Bera"), "Server: Staff read along with you from now on.");
    table.types("Mika", "tell bera psst");
    assert_eq!(table.hears("Olad"), "Bera reads: Mika tells you: psst");
    table.types("Bera", "look");
    let read = table.hears("Olad");
    assert!(read.lines().all(|line| line.starts_with("Bera reads: ")) && read.contains("Exits: "), "{read}");
    table.types("Olad", "quell");
    table.types("Bera", "say unheard");
    assert!(!table.hears("Olad").contains("Bera reads: "), "a quelled reader reads no more");
    table.types("Olad", "quell");
    assert_eq!(table.types("Olad", "snoop off"), "You read along with nobody.");
    table.types("Olad", "snoop bera");
    assert_eq!(table.types("Olad", "snoop off"), "You read along with nobody any more.");
    assert!(table.hears("Bera").ends_with("Server: Staff read along with you no more."));
    table.types("Mika", "tell bera psst");
    assert_eq!(table.hears("Olad"), "");
    assert_eq!(table.types("Olad", "snoop off"), "You read along with nobody.");
    table.types("Bera", "quit");
    assert_eq!(table.types("Olad", "snoop bera"), "Bera is not connected.");

    let mut quiet = Table::new(deepwell::game::GameConfig { snoop_told: false, ..seeded(1) });
    quiet.sit("Olad");
    quiet.sit("Bera");
    quiet.make_owner("Olad");
    quiet.hears("Bera");
    quiet.types("Olad", "snoop bera");
    assert_eq!(quiet.hears("Bera"), "");
}

/// Snooping is limited to lower ranks, and ends when the reader loses the rank or leaves.
#[test]
fn a5_snooping_ends_with_the_rank() {
    let mut table = evening();
    table.types("Olad", "promote helga admin");
    assert!(table.types("Helga", "snoop olad").contains("below your own rank"));
    table.types("Helga", "snoop bera");
    table.types("Helga", "snoop mika");
    assert!(table.hears("Bera").ends_with("Server: Staff read along with you no more."), "one at a time");
    table.hears("Mika");
    table.types("Olad", "promote helga builder");
    assert!(
        table.hears("Mika").contains("Server: Staff read along with you no more."),
        "a builder has no right"
    );
    table.types("Olad", "promote helga admin");
    table.types("Helga", "snoop mika");
    table.types("Olad", "revoke helga snoop");
    assert!(table.hears("Mika").contains("Server: Staff read along with you no more."), "it was taken");
    table.types("Olad", "grant helga snoop");
    table.types("Helga", "snoop mika");
    table.hears("Mika");
    table.types("Olad", "promote mika admin");
    assert!(table.hears("Mika").contains("Server: Staff read along with you no more."), "an equal");
    table.types("Olad", "tell mika psst");
    assert!(!table.hears("Helga").contains("psst"));
}

/// `netinfo` shows staff who may ban addresses their own address and those of lower ranks.
#[test]
fn addresses_are_hidden_from_lower_ranks() {
    let mut table = Table::new(seeded(1));
    for (name, address) in
        [("Olad", "192.0.2.1"), ("Ada", "192.0.2.2"), ("Helga", "192.0.2.3"), ("Bera", "192.0.2.4")]
    {
        table.calls_from(name, address);
        table.sit(name);
    }
    table.make_owner("Olad");
    table.types("Olad", "promote ada admin");
    table.types("Olad", "promote helga helper");
    all_hear(&mut table);
    assert_eq!(table.types("Ada", "netinfo bera"), "Bera calls from 192.0.2.4.");
    assert_eq!(table.types("Ada", "netinfo ada"), "Ada calls from 192.0.2.2.");
    assert_eq!(table.types("Ada", "netinfo olad"), "");
    assert_eq!(table.types("Helga", "netinfo bera"), "");
    table.types("Olad", "ban 192.0.2.77 for 1h nobody");
    for line in ["who", "look", "reports", "commands", "score", "netinfo bera"] {
        assert!(!table.types("Helga", line).contains("192.0.2"), "{line}");
    }
}

/// Runs `recover` as the server does; returns the effects of storing the hash of the code.
fn make_recovery_code(table: &mut Table, staff: &str, whom: &str) -> Vec<Effect> {
    let session = table.session(staff);
    let asked = table.results_of(Input::Command { session, line: format!("recover {whom}") });
    let account = asked.iter().find_map(|effect| match effect {
        Effect::MakeCode { account, .. } => Some(*account),
        _ => None,
    });
    let Some(account) = account else { return Vec::new() };
    table.results_of(Input::OneTimeCode { session, account, credential: "$code$".into() })
}

/// A recovery code from staff works once within an hour, and the account is notified.
#[test]
fn recovery_code_from_staff_works_once_within_an_hour() {
    let mut table = evening();
    let bera = table.account("Bera");
    table.types("Bera", "quit");
    let effects = make_recovery_code(&mut table, "Olad", "bera");
    assert!(effects.iter().any(|effect| matches!(
        effect,
        Effect::Output { output: Output::Local(Local::OneTimeCodeKept), .. }
    )));
    table.recover_account("Bera", "$new$");
    assert!(table.hears("Bera").contains("Staff have made a code"));
    let row = &table.world().accounts[bera];
    assert_eq!((row.credential.as_str(), &row.recovery, row.recovery_until), ("$new$", &None, None));
    table.types("Bera", "quit");
    table.recover_account("Bera", "$again$");
    assert_eq!(table.world().accounts[bera].credential, "$new$", "used up");

    make_recovery_code(&mut table, "Olad", "bera");
    table.crash();
    table.sleeps(Span::mins(61));
    table.recover_account("Bera", "$late$");
    assert_eq!(table.world().accounts[bera].credential, "$new$", "after an hour");
    assert!(table.refusals().last().is_some_and(|message| message.contains("do not belong together")));
}

/// Recovery codes are for accounts of lower rank only, checked again when the code is stored.
#[test]
fn a5_recovery_codes_are_for_lower_ranks_only() {
    let mut table = evening();
    table.types("Olad", "promote helga admin");
    assert!(make_recovery_code(&mut table, "Helga", "olad").is_empty());
    assert!(make_recovery_code(&mut table, "Mika", "bera").is_empty());
    let (session, account) = (table.session("Helga"), table.account("Olad"));
    table.step(Input::OneTimeCode { session, account, credential: "$code$".into() });
    assert_eq!(table.world().accounts[account].recovery, None);
}
