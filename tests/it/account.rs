//! Account data: aliases, prompt, password, recovery and deletion of unused accounts.

use crate::table::{Table, seeded};
use deepwell::base::SessionId;
use deepwell::base::limits::Limits;
use deepwell::game::{CloseReason, Effect, GameConfig, Input};
use deepwell::world::account::MACRO_KEYS;
use deepwell::world::{PromptStyle, Settings};

fn settings<'a>(table: &'a Table, name: &str) -> &'a Settings {
    &table.world().accounts[table.account(name)].settings
}

/// Aliases are stored with the account, independent of the client.
#[test]
fn aliases_are_stored_listed_and_deleted() {
    let mut table = Table::new(seeded(7));
    table.sit("Olad");
    assert!(table.types("Olad", "alias").contains("Type help aliases"));
    assert_eq!(table.types("Olad", "alias GD = get $1;drop $1"), "gd stands for: get $1;drop $1");
    assert_eq!(table.types("Olad", "alias k kill"), "k stands for: kill");
    table.restart();
    table.hears("Olad");
    assert_eq!(table.types("Olad", "alias"), "Your aliases\ngd: get $1;drop $1\nk: kill");
    assert_eq!(table.types("Olad", "alias gd"), "gd stands for: get $1;drop $1");
    assert_eq!(table.types("Olad", "unalias k"), "k stands for nothing any more.");
    assert!(table.types("Olad", "unalias k").contains("no alias \"k\""));
    assert_eq!(settings(&table, "Olad").aliases.len(), 1);
}

/// A8, protocols 7.7: number, length and names of aliases are limited; an alias cannot hide a command needed to undo a
/// mistake.
#[test]
fn a8_aliases_are_limited_and_cannot_hide_escape_commands() {
    let limits = Limits { aliases: 2, alias_chars: 20, ..Limits::default() };
    let mut table = Table::new(GameConfig { limits, ..seeded(7) });
    table.sit("Olad");
    for (line, why) in [
        ("alias quit = look", "must keep its own meaning"),
        ("alias config = look", "must keep its own meaning"),
        ("alias n = look", "must keep its own meaning"),
        ("alias 12 = look", "needs a letter"),
        ("alias ' = look", "plain letters"),
        ("alias aaaaaaaaaaaaaaaaaaaaa = look", "plain letters"),
        ("alias a = 123456789012345678901", "may stand for 20 letters"),
        ("repeat", "Type repeat, a number"),
    ] {
        let answer = table.types("Olad", line);
        assert!(answer.contains(why), "{line}: {answer}");
    }
    table.types_all("Olad", &["alias a = look", "alias b = look"]);
    assert!(table.types("Olad", "alias c = look").contains("as many aliases as you may have"));
    assert_eq!(
        table.types("Olad", "alias b = exits"),
        "b stands for: exits",
        "another text for one there is"
    );
}

/// A macro is an alias with the name of a key: each key of the table can have one, and it is kept like other aliases.
#[test]
fn macros_of_all_keys_are_stored_listed_and_deleted() {
    let mut table = Table::new(seeded(7));
    table.sit("Olad");
    assert!(table.types("Olad", "macro").contains("Type help macros"));
    for (at, key) in MACRO_KEYS.iter().enumerate() {
        let line = format!("macro {} = say {at};look", key.to_uppercase());
        assert_eq!(table.types("Olad", &line), format!("{key} stands for: say {at};look"));
    }
    table.types("Olad", "alias gd = get $1");
    table.restart();
    table.hears("Olad");
    let macros = MACRO_KEYS.iter().enumerate().map(|(at, key)| format!("{key}: say {at};look"));
    let listed = ["Your macros".to_owned()].into_iter().chain(macros).collect::<Vec<_>>().join("\n");
    assert_eq!(table.types("Olad", "macro"), listed, "gd is no key");
    assert_eq!(table.types("Olad", "macro kp5"), "kp5 stands for: say 14;look");
    for key in MACRO_KEYS {
        assert_eq!(
            table.types("Olad", &format!("unmacro {key}")),
            format!("{key} stands for nothing any more.")
        );
        assert!(table.types("Olad", &format!("macro {key}")).contains(&format!("no alias \"{key}\"")));
    }
    assert_eq!(settings(&table, "Olad").aliases.keys().collect::<Vec<_>>(), ["gd"]);
}

/// A8: keys that browsers or readers need, and words that are no keys, cannot have a macro. Limits are those of aliases.
#[test]
fn a8_macros_are_limited_to_keys_of_the_table() {
    let limits = Limits { aliases: 2, alias_chars: 20, ..Limits::default() };
    let mut table = Table::new(GameConfig { limits, ..seeded(7) });
    table.sit("Olad");
    for key in ["f5", "f11", "f12", "f13", "kp", "kp10", "pageup", "pagedown", "a", "quit", "=", "f1f"] {
        let answer = table.types("Olad", &format!("macro {key} = look"));
        assert!(
            answer.contains("The keys are f1, f2") || answer.contains("Type help macros"),
            "{key}: {answer}"
        );
    }
    assert!(table.types("Olad", "unmacro gd").contains("The keys are f1, f2"));
    assert!(table.types("Olad", "unmacro").contains("Type unmacro and the name of a key"));
    assert!(table.types("Olad", "macro f1 = 123456789012345678901").contains("may stand for 20 letters"));
    table.types_all("Olad", &["macro f1 = look", "alias b = look"]);
    assert!(table.types("Olad", "macro f2 = look").contains("as many aliases as you may have"));
    assert_eq!(table.types("Olad", "macro f1 = exits"), "f1 stands for: exits");
    assert_eq!(settings(&table, "Olad").aliases.len(), 2);
}

/// Highlights are stored with the account, without capitals and with single spaces.
#[test]
fn highlights_are_stored_listed_and_deleted() {
    let mut table = Table::new(seeded(7));
    table.sit("Olad");
    assert!(table.types("Olad", "highlight").contains("Type help highlights"));
    for line in ["highlight Clay  RAT", "highlight clay rat", "highlight bera; the tall"] {
        assert!(table.types("Olad", line).contains("is marked wherever you read it"), "{line}");
    }
    table.restart();
    table.hears("Olad");
    assert_eq!(table.types("Olad", "highlight"), "What is marked for you\nbera; the tall\nclay rat");
    assert_eq!(table.types("Olad", "unhighlight CLAY rat"), "\"clay rat\" is marked no longer.");
    assert!(table.types("Olad", "unhighlight clay rat").contains("You have not marked \"clay rat\""));
    assert_eq!(settings(&table, "Olad").highlights.len(), 1);
}

/// Each message is searched for each phrase, so that their number and length are limited.
#[test]
fn a8_highlights_are_limited() {
    let limits = Limits { highlights: 2, ..Limits::default() };
    let mut table = Table::new(GameConfig { limits, ..seeded(7) });
    table.sit("Olad");
    let long = format!("highlight {}", "a".repeat(41));
    for (line, why) in [
        ("highlight a", "has two letters or digits"),
        ("highlight . , !", "has two letters or digits"),
        (long.as_str(), "at most 40"),
        ("unhighlight", "Type unhighlight and the words"),
    ] {
        let answer = table.types("Olad", line);
        assert!(answer.contains(why), "{line}: {answer}");
    }
    table.types_all("Olad", &["highlight rat", "highlight bat", "highlight rat"]);
    assert!(table.types("Olad", "highlight cat").contains("as many words marked as you may have"));
    table.types("Olad", "unhighlight bat");
    assert!(table.types("Olad", "highlight cat").contains("is marked"));
}

/// A custom prompt is validated when it is set, and stored.
#[test]
fn custom_prompt_is_validated_and_stored() {
    let mut table = Table::new(seeded(7));
    table.sit("Olad");
    assert!(table.types("Olad", "prompt custom").contains("%h your hit points"));
    assert!(table.types("Olad", "prompt custom %q").contains("no token %q"));
    assert!(
        table.types("Olad", "prompt custom %h/%H, %x to go>").starts_with("prompt: custom %h/%H, %x to go>.")
    );
    assert_eq!(settings(&table, "Olad").prompt, PromptStyle::Custom);
    table.types_all("Olad", &["prompt brief", "prompt custom"]);
    assert_eq!(settings(&table, "Olad").prompt_text, "%h/%H, %x to go>");
    assert!(table.prompt("Olad").missing_xp > 0 && table.prompt("Olad").level == 1);
}

/// A new password closes the account's other connections. A session that is not playing cannot change the password.
#[test]
fn password_change_closes_other_sessions_of_the_account() {
    let mut table = Table::new(seeded(7));
    table.sit("Olad");
    table.sit("Bera");
    table.types("Olad", "character new Cato");
    let account = table.account("Olad");
    let first = table.session("Olad");
    table.log_in_as("Cato", account);
    table.hears("Olad");
    table.step(Input::NewPassword { session: table.session("Cato"), account, credential: "$new$".into() });
    assert_eq!(table.world().accounts[account].credential, "$new$");
    assert!(table.hears("Olad").contains("changed elsewhere, and this connection ends"));
    assert_eq!(table.closed(), [("Olad".to_owned(), CloseReason::NewPassword)]);
    assert!(table.body("Olad").awake && table.body("Olad").link_dead_until.is_some(), "N14");
    let stranger = Input::NewPassword { session: first, account, credential: "$old$".into() };
    table.step(stranger);
    assert_eq!(table.world().accounts[account].credential, "$new$", "who does not play changes nothing");
}

/// A recovery code works once and logs its owner in.
#[test]
fn recovery_code_works_once() {
    let mut table = Table::new(seeded(7));
    table.sit("Olad");
    let account = table.account("Olad");
    table.step(Input::Recovery { session: table.session("Olad"), account, credential: "$code$".into() });
    assert_eq!(table.world().accounts[account].recovery.as_deref(), Some("$code$"));
    table.restart();
    table.break_link("Olad");
    table.recover_account("Olad", "$new$");
    let row = &table.world().accounts[account];
    assert_eq!((row.credential.as_str(), row.recovery.as_deref()), ("$new$", None));
    assert!(table.types("Olad", "look").contains("Exits:"));
    table.recover_account("Olad", "$newer$");
    assert_eq!(table.world().accounts[account].credential, "$new$", "it counts once");
}

/// A3: a proof made with a former password is rejected for logins, password hashes and recovery codes.
#[test]
fn a3_proof_by_old_password_is_rejected_after_a_change() {
    let mut table = Table::new(seeded(7));
    table.sit("Olad");
    table.sit("Bera");
    let (account, session) = (table.account("Olad"), table.session("Olad"));
    let proved = |input: Input, proof: &str| input.proved(account, proof);
    table.step(proved(Input::Recovery { session, account, credential: "$code$".into() }, "$test$"));
    assert_eq!(table.world().accounts[account].recovery.as_deref(), Some("$code$"));
    table.step(proved(Input::NewPassword { session, account, credential: "$new$".into() }, "$test$"));
    let row = &table.world().accounts[account];
    assert_eq!((row.credential.as_str(), row.recovery.as_deref()), ("$new$", None), "the code went with it");

    table.step(proved(Input::Credential { account, credential: "$stronger$".into() }, "$test$"));
    assert_eq!(table.world().accounts[account].credential, "$new$", "a late hash of the old one");
    table.step(proved(Input::Credential { account, credential: "$stronger$".into() }, "$new$"));
    assert_eq!(table.world().accounts[account].credential, "$stronger$");

    let login = |session| Input::Login {
        session,
        account,
        name: "Olad".into(),
        pre_login: Box::default(),
        goes_on: false,
    };
    let late = |proof: &str| login(SessionId(77)).proved(account, proof);
    let refused = table.results_of(late("$test$"));
    assert!(matches!(&refused[..], [Effect::Refused { reason, .. }] if reason.contains("just been changed")));
    let let_in = table.results_of(late("$stronger$"));
    assert!(let_in.iter().any(|effect| matches!(effect, Effect::Entered { .. })));
    let code = Input::Recovered {
        session: SessionId(78),
        account,
        name: "Olad".into(),
        credential: "$thief$".into(),
        pre_login: Box::default(),
    };
    assert!(matches!(&table.results_of(code.proved(account, "$code$"))[..], [Effect::Refused { .. }]));
    assert_eq!(table.world().accounts[account].credential, "$stronger$");
}

/// T5: a new name is compared with existing names by the current skeleton rule, not by the stored skeletons.
#[test]
fn t5_names_similar_to_players_or_commands_are_refused() {
    let mut table = Table::new(seeded(7));
    table.sit("Dan");
    table.edit_stored(|stored| {
        stored.accounts.values_mut().for_each(|account| account.skeleton = "dan".into());
        stored.characters.values_mut().filter(|body| body.key.is_some()).for_each(|body| {
            body.skeleton = Some("dan".into());
        });
    });
    for name in ["Clan", "Cian"] {
        assert!(table.applies(name).unwrap_err().contains("looks"), "{name}");
    }
    for (name, reason) in
        [("Iook", "is a command"), ("Larnp", "is called that"), ("Goblln", "is called that")]
    {
        assert!(table.applies(name).unwrap_err().contains(reason), "{name}");
    }
    table.applies("Tess").unwrap();
}

/// O3: no password or recovery code is changed while storage is read-only.
#[test]
fn secrets_are_not_changed_while_storage_is_read_only() {
    let mut table = Table::new(seeded(7));
    table.sit("Olad");
    let (account, session) = (table.account("Olad"), table.session("Olad"));
    let before = table.world().accounts[account].clone();
    table.step(Input::StorageReadOnly(true));
    table.step(Input::NewPassword { session, account, credential: "$new$".into() });
    table.step(Input::Recovery { session, account, credential: "$code$".into() });
    let after = &table.world().accounts[account];
    assert_eq!((&after.credential, &after.recovery), (&before.credential, &before.recovery));
}

/// Deletion of unused accounts.
mod unused {
    use super::*;
    use deepwell::base::Span;
    use deepwell::world::Role;

    const DAYS: i64 = 90;

    fn days(count: i64) -> Span {
        Span::secs(count * 86_400)
    }

    fn table() -> Table {
        let limits = Limits { unused_account: days(DAYS), ..Limits::default() };
        Table::new(GameConfig { limits, ..seeded(11) })
    }

    /// Restarts the server after this many days of downtime and runs the check for unused accounts.
    fn days_later(table: &mut Table, more: i64) {
        table.crash();
        table.sleeps(days(more));
        table.waits(Span::mins(30));
        assert_eq!(table.game().check(), Vec::<String>::new());
    }

    fn names(table: &Table) -> Vec<String> {
        table.world().accounts.iter().map(|(_, account)| account.name.clone()).collect()
    }

    /// A8, D8: deleting the account deletes its character, items and money, each with an entry in the audit log, and
    /// frees its name.
    #[test]
    fn unused_account_is_deleted_and_its_name_freed() {
        let mut table = table();
        table.sit("Olad");
        table.types("Olad", "quit");
        days_later(&mut table, DAYS - 1);
        assert_eq!(names(&table), ["Olad"]);
        days_later(&mut table, 2);
        assert_eq!((names(&table).len(), table.world().accounts.len()), (0, 0));
        assert!(!table.world().characters.iter().any(|(_, body)| body.is_player()));
        let audit = &table.stored().audit;
        assert!(audit.values().any(|line| line.action == "unused: account 1 is gone"), "{audit:?}");
        table.sit("Olad");
        assert_eq!(names(&table), ["Olad"]);
        table.restart();
        assert_eq!(table.game().check(), Vec::<String>::new());
    }

    /// An account is kept if its character has been in a branch, has experience or money, has filed a report, or has a
    /// staff role.
    #[test]
    fn accounts_with_progress_reports_or_role_are_kept() {
        let limits = Limits { unused_account: days(DAYS), ..Limits::default() };
        // Tips are off because they also record that a character has entered a branch.
        let mut table = Table::new(GameConfig { limits, guidance: false, ..seeded(11) });
        for name in ["Bera", "Cara", "Dora", "Edda", "Finn", "Gard", "Holm"] {
            table.sit(name);
        }
        table.make_owner("Edda");
        table.types_all("Bera", &["down", "east"]);
        assert!(table.branch_of("Bera").is_some());
        table.types_all("Bera", &["west", "recall"]);
        assert_eq!((table.body("Bera").xp, table.branch_of("Bera")), (0, None), "she has only been there");
        table.types("Finn", "bug the rope is too short");
        assert!(table.types("Gard", "ignore holm").contains("no longer hear"));
        let [learned, rich] = ["Cara", "Dora"].map(|name| table.id(name));
        table.edit_stored(|stored| {
            stored.characters.get_mut(&learned).unwrap().xp = 1;
            stored.characters.get_mut(&rich).unwrap().money.bank += 1_000;
            stored.meta.as_mut().unwrap().money.made += 1_000;
        });
        assert!(table.world().accounts.iter().any(|(_, account)| account.role > Role::Player));
        for name in ["Bera", "Cara", "Dora", "Edda", "Finn", "Holm"] {
            table.types(name, "quit");
        }
        table.crash();
        table.sleeps(days(DAYS + 1));
        table.comes_back("Gard");
        table.waits(Span::mins(30));
        assert_eq!(names(&table), ["Bera", "Cara", "Dora", "Edda", "Finn", "Gard"]);
        assert_eq!(table.types("Gard", "ignore"), "You ignore nobody.");
        assert_eq!(table.game().check(), Vec::<String>::new());
    }

    /// Bans and mutes outlive an account's absence.
    #[test]
    fn banned_or_muted_accounts_are_kept() {
        let mut table = table();
        for name in ["Edda", "Ivar", "Jora", "Kolla"] {
            table.sit(name);
        }
        table.make_owner("Edda");
        table.types_all("Edda", &["mute jora", "ban ivar"]);
        for name in ["Edda", "Jora", "Kolla"] {
            table.types(name, "quit");
        }
        days_later(&mut table, DAYS + 1);
        assert_eq!(names(&table), ["Edda", "Ivar", "Jora"]);
    }

    /// A setting of 0 disables deletion.
    #[test]
    fn zero_disables_deletion_of_unused_accounts() {
        let limits = Limits { unused_account: Span::ZERO, ..Limits::default() };
        let mut table = Table::new(GameConfig { limits, ..seeded(11) });
        table.sit("Olad");
        table.types("Olad", "quit");
        days_later(&mut table, 10 * DAYS);
        assert_eq!(names(&table), ["Olad"]);
    }

    /// Rule 5 of steps: a large number of unused accounts is deleted a few at a time.
    #[test]
    fn unused_accounts_are_deleted_in_small_batches() {
        let mut table = table();
        table.checks_every(500);
        for first in ["Ba", "Ke", "Lo", "Mi", "Nu"] {
            for last in ["dor", "gan", "lek", "mir", "ton", "vash", "zel", "pek"] {
                let name = format!("{first}{last}");
                table.sit(&name);
                table.types(&name, "quit");
            }
        }
        table.crash();
        table.sleeps(days(DAYS + 1));
        let mut before = 40;
        let until = table.now() + Span::mins(30);
        table.step(Input::Wake);
        while let Some(due) = table.game().next_deadline().filter(|due| *due <= until) {
            table.advance_clock_to(due);
            table.step(Input::Wake);
            let now = table.world().accounts.len();
            assert!(before - now <= 5, "{} at once", before - now);
            before = now;
        }
        assert_eq!(before, 0);
        assert_eq!(table.game().check(), Vec::<String>::new());
    }
}
