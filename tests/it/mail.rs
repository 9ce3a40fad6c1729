//! Mail: text, items and coins reach absent players, are in one place at any time, and return if they are not taken.

use crate::table::{Table, seeded};
use deepwell::base::{CharacterId, ItemId, Span};
use deepwell::game::{GameConfig, Package};
use deepwell::world::{Item, Place};
use serde_json::json;

/// Olad and Bera, each with a lamp and five gold, in the town.
fn pen_friends_with(config: GameConfig) -> Table {
    let mut table = Table::new(config);
    for name in ["Olad", "Bera"] {
        table.sit(name);
        give(&mut table, name, "clay_lamp", 1);
    }
    table.hears("Olad");
    table
}

fn pen_friends() -> Table {
    pen_friends_with(seeded(1))
}

/// Gives a player new items and 500 copper.
fn give(table: &mut Table, name: &str, kind: &str, count: u64) {
    let who = table.id(name);
    table.edit_stored(|stored| {
        let meta = stored.meta.as_mut().expect("a world");
        for _ in 0..count {
            let id = ItemId(meta.next_item);
            meta.next_item += 1;
            meta.stock.entry(kind.to_owned()).or_default().made += 1;
            stored.items.insert(id, Item::new(id, kind, Place::Holder(who), meta.time));
        }
        meta.money.made += 500;
        stored.characters.get_mut(&who).expect("a player").money.purse += 500;
    });
}

fn lamps(table: &Table, who: CharacterId) -> usize {
    let carried = table.world().carried(who).iter();
    carried.filter(|item| table.world().items[**item].prototype == "clay_lamp").count()
}

fn purse(table: &Table, name: &str) -> i64 {
    table.body(name).money.purse
}

#[test]
fn mail_is_sent_listed_read_and_deleted() {
    let mut table = pen_friends();
    assert!(table.types("Bera", "mail").starts_with("You have no mail."));
    assert_eq!(table.types("Olad", "mail to bera = Mind the lever."), "Your mail to Bera is sent.");
    assert_eq!(table.hears("Bera").lines().last(), Some("Mail has come from Olad. Type mail 1 to read it."));
    let list = table.types("Bera", "mail");
    assert!(
        list.starts_with("You have one mail, one unread\n1: from Olad, ") && list.ends_with(" ago, unread."),
        "{list}"
    );
    table.restart();
    let read = table.types("Bera", "mail 1");
    assert!(read.starts_with("Mail 1, from Olad, ") && read.ends_with("\nOlad: Mind the lever."), "{read}");
    assert!(!table.types("Bera", "mail").contains("unread."));
    assert_eq!(table.types("Bera", "mail delete 1"), "Mail 1 is gone.");
    for line in ["mail 1", "mail take 1", "mail delete 1", "mail return 1", "mail x", "mail 0"] {
        let answer = table.types("Bera", line);
        assert!(
            answer.contains("You have no mail") && answer.contains("Type mail for the list."),
            "{line}: {answer}"
        );
    }
    assert!(table.world().mails.is_empty());
}

/// A mail can be written line by line, and finished in another room. Its lines stand behind the name of the sender.
#[test]
fn mail_is_written_line_by_line() {
    let mut table = pen_friends();
    assert!(table.types("Olad", "mail write bera").starts_with("You write: mail to Bera."));
    table.types_all("Olad", &["Dear Bera,", "", "Exits: none", "/north"]);
    assert_eq!(table.types("Olad", "."), "Your mail to Bera is sent.");
    let read = table.types("Bera", "mail read 1");
    assert!(read.ends_with("\nOlad: Dear Bera,\nOlad: Exits: none"), "{read}");
    assert!(table.body("Olad").edit_buffer.is_none());
}

/// Items and coins leave the sender with the mail, and are taken once.
#[test]
fn d2_parcel_is_in_one_place_and_taken_once() {
    let mut table = pen_friends();
    let (olad, bera) = (table.id("Olad"), table.id("Bera"));
    let (olads, beras) = (purse(&table, "Olad"), purse(&table, "Bera"));
    assert_eq!(
        table.types("Olad", "mail send bera lamp = For the way"),
        "Your mail to Bera is sent, with a clay lamp."
    );
    assert_eq!(
        table.types("Olad", "mail send bera 5 silver"),
        "Your mail to Bera is sent, with five silver coins."
    );
    assert_eq!((lamps(&table, olad), lamps(&table, bera)), (0, 1));
    assert_eq!((purse(&table, "Olad"), purse(&table, "Bera")), (olads - 50, beras));
    table.restart();
    let read = table.types("Bera", "mail 1");
    assert!(read.ends_with("With it: a clay lamp. Type mail take 1."), "{read}");
    assert!(table.types("Bera", "mail delete 1").starts_with("There are things with mail 1."));
    assert_eq!(table.types("Bera", "mail take 1"), "You take a clay lamp out of mail 1.");
    assert_eq!(table.types("Bera", "mail take 1"), "Nothing is attached to mail 1.");
    table.restart();
    assert_eq!(table.types("Bera", "mail take 2"), "You take five silver coins out of mail 2.");
    assert_eq!((lamps(&table, bera), purse(&table, "Bera")), (2, beras + 50));
    assert_eq!(table.types("Bera", "mail delete 1"), "Mail 1 is gone.");
}

#[test]
fn parcel_that_does_not_fit_stays_with_the_mail() {
    let mut config = seeded(1);
    config.limits.items_carried = 3;
    config.limits.coins = 2_000;
    let mut table = pen_friends_with(config);
    let olad = table.id("Olad");
    let have = table.world().carried(olad).len() as u64;
    table.types_all("Bera", &["mail send olad lamp", "mail send olad 3 gold"]);
    give(&mut table, "Olad", "plank_shield", 3 - have);
    let missing = 2_000 - purse(&table, "Olad");
    table.edit_stored(|stored| {
        stored.meta.as_mut().expect("a world").money.made += missing;
        stored.characters.get_mut(&olad).expect("a player").money.purse = 2_000;
    });
    assert_eq!(table.types("Olad", "mail take 1"), "You cannot carry any more.");
    assert!(table.types("Olad", "mail take 2").contains("purse"));
    table.types_all("Olad", &["drop shield", "drop 3 gold"]);
    assert_eq!(table.types("Olad", "mail take 1"), "You take a clay lamp out of mail 1.");
    assert_eq!(table.types("Olad", "mail take 2"), "You take three gold coins out of mail 2.");
}

/// Mail reaches the mailbox of an account that is asleep in storage, which it does not wake.
#[test]
fn d9_mail_reaches_an_absent_account_without_waking_it() {
    let mut config = seeded(11);
    config.limits.absent_after = Span::mins(1);
    let mut table = pen_friends_with(config);
    table.types("Bera", "quit");
    table.waits(Span::mins(3));
    let bera = table.account("Bera");
    assert!(table.world().is_absent(bera));
    assert_eq!(
        table.types("Olad", "mail send bera lamp = Sleep well"),
        "Your mail to Bera is sent, with a clay lamp."
    );
    assert!(table.world().is_absent(bera));
    table.crash();
    assert!(table.world().is_absent(bera));
    let seen = table.comes_back("Bera");
    assert!(seen.contains("You have one unread mail. Type mail for the list."), "{seen}");
    assert_eq!(table.types("Bera", "mail take 1"), "You take a clay lamp out of mail 1.");
}

#[test]
fn returned_mail_brings_everything_back_to_its_sender() {
    let mut table = pen_friends();
    table.types("Olad", "mail send bera lamp = For you");
    assert_eq!(table.types("Bera", "mail return 1"), "Mail 1 goes back to Olad.");
    assert_eq!(table.hears("Olad"), "Your mail to Bera has come back. Type mail 1 to read it.");
    assert!(table.types("Bera", "mail").starts_with("You have no mail."));
    let read = table.types("Olad", "mail 1");
    assert!(read.starts_with("Mail 1, to Bera, come back, ") && read.contains("\nOlad: For you\n"), "{read}");
    assert!(table.types("Olad", "mail return 1").contains("nobody to return it to"));
    assert_eq!(table.types("Olad", "mail take 1"), "You take a clay lamp out of mail 1.");
}

/// Mail that was not read, or whose items were not taken, returns to its sender; after the same time there it is deleted.
#[test]
fn w2_uncollected_mail_returns_and_then_ends() {
    let mut config = seeded(1);
    config.limits.mail_kept = Span::mins(60 * 24);
    config.limits.idle = Span::mins(60 * 24 * 7);
    let mut table = pen_friends_with(config);
    table.types_all("Olad", &["mail send bera lamp", "mail to bera = Unread", "mail to bera = Read"]);
    table.types("Bera", "mail 3");
    table.hears("Olad");
    table.waits(Span::mins(60 * 24 + 1));
    assert_eq!(table.world().mails.count(table.id("Bera")).0, 0);
    let list = table.types("Olad", "mail");
    assert!(list.starts_with("You have two mails, two unread"), "{list}");
    assert!(list.contains("1: to Bera, come back, ") && list.contains("with a clay lamp."), "{list}");
    table.waits(Span::mins(60 * 24));
    assert!(table.world().mails.is_empty());
    assert_eq!(lamps(&table, table.id("Olad")), 0);
}

/// A mail that expired while the server was down is returned once, after the start.
#[test]
fn w2_mail_that_expired_while_down_returns_once() {
    let mut config = seeded(1);
    config.limits.mail_kept = Span::secs(30);
    let mut table = pen_friends_with(config);
    table.types("Olad", "mail send bera lamp");
    table.types("Bera", "quit");
    table.sleeps(Span::secs(40));
    table.restart();
    assert_eq!(table.world().mails.count(table.id("Bera")).0, 0);
    assert_eq!(table.world().mails.count(table.id("Olad")), (1, 1));
}

#[test]
fn mail_is_refused_with_a_reason_and_leaves_things_with_the_sender() {
    let mut config = seeded(1);
    config.limits.mails_per_mailbox = 2;
    config.limits.mail_things = 1;
    let mut table = pen_friends_with(config);
    table.sit("Cato");
    for (line, message) in [
        ("mail to olad = Hm", "A mail to yourself would say what you know."),
        ("mail to nobody = Hm", "nobody"),
        ("mail to bera =", "Type mail to NAME = TEXT"),
        ("mail to bera = \u{7}", "Type mail to NAME = TEXT"),
        ("mail send bera anvil", "You have no \"anvil\"."),
        ("mail send bera 900 platinum", "You have not got"),
        ("mail send bera -5 copper", ""),
    ] {
        let answer = table.types("Olad", line);
        assert!(answer.contains(message) && !answer.contains("is sent"), "{line}: {answer}");
    }
    let long = table.types("Olad", &format!("mail to bera = {}", "x".repeat(2_001)));
    assert_eq!(long, "A mail may have 2000 letters, and yours has 2001. Nothing is sent.");
    give(&mut table, "Olad", "plank_shield", 2);
    assert_eq!(table.types("Olad", "mail send bera all"), "At most 1 things go with a mail.");
    table.types_all("Olad", &["mail to bera = 1", "mail to bera = 2"]);
    assert_eq!(table.types("Olad", "mail send bera lamp"), "The mailbox of Bera is full. Nothing is sent.");
    table.types("Cato", "ignore olad");
    assert_eq!(table.types("Olad", "mail send cato lamp"), "Cato takes no mail from you.");
    assert_eq!(lamps(&table, table.id("Olad")), 1);
    table.make_owner("Bera");
    table.types("Bera", "mute olad for 1h noise");
    assert!(table.types("Olad", "mail to cato = Hm").contains("You are muted"));
    assert!(table.types("Olad", "mail 1").contains("You have no mail 1."));
}

#[test]
fn a8_mails_of_a_sender_are_bounded() {
    let mut config = seeded(1);
    config.limits.mails_per_sender = 2;
    config.limits.mails_per_day = 3;
    let mut table = pen_friends_with(config);
    table.types_all("Olad", &["mail to bera = 1", "mail to bera = 2"]);
    assert!(table.types("Olad", "mail to bera = 3").contains("lie with others"));
    table.types_all("Bera", &["mail delete 1", "mail delete 2"]);
    assert!(table.types("Olad", "mail to bera = 3").contains("is sent"));
    assert!(table.types("Olad", "mail to bera = 4").contains("in a day"));
    let mut config = seeded(1);
    config.limits.mails = 1;
    let mut table = pen_friends_with(config);
    table.types("Olad", "mail to bera = 1");
    assert!(table.types("Bera", "mail to olad = 2").contains("The post has no room"));
}

/// Things pass the post only outside the dungeon; text passes it everywhere.
#[test]
fn parcels_do_not_reach_the_dungeon() {
    let mut table = pen_friends();
    table.types("Bera", "mail send olad lamp");
    table.types_all("Olad", &["down", "east"]);
    assert!(table.branch_of("Olad").is_some());
    for line in ["mail take 1", "mail send bera lamp", "mail send bera 1 silver"] {
        assert!(table.types("Olad", line).contains("does not come down here"), "{line}");
    }
    assert_eq!(table.types("Olad", "mail to bera = It is dark"), "Your mail to Bera is sent.");
    assert!(table.types("Olad", "mail 1").contains("With it: a clay lamp."));
}

/// If the receiver's account is deleted, mail returns; if the sender's is, mail stays without a name.
#[test]
fn deletion_of_an_account_returns_its_mail_and_removes_its_name() {
    let mut table = pen_friends();
    table.sit("Cato");
    table.types_all("Olad", &["mail send bera lamp", "mail to cato = I am Olad's pen"]);
    table.types_all("Bera", &["mail to olad = Hello", "mail send cato lamp = Take it"]);
    let account = table.account("Bera");
    let session = table.session("Bera");
    table.step(deepwell::game::Input::DeleteAccount { session, account });
    assert!(table.world().accounts.get(account).is_none());
    let list = table.types("Olad", "mail");
    assert!(
        list.contains("from somebody who is gone") && list.contains("to somebody who is gone, come back"),
        "{list}"
    );
    assert!(table.types("Cato", "mail return 2").contains("nobody to return it to"));
    assert_eq!(table.types("Cato", "mail take 2"), "You take a clay lamp out of mail 2.");
    table.restart();
    assert!(table.types("Olad", "mail to bera = Are you there?").contains("bera"));
}

#[test]
fn mail_is_in_the_export_of_sender_and_receiver() {
    let mut table = pen_friends();
    table.types("Olad", "mail send bera lamp = The password is swordfish");
    for name in ["Olad", "Bera"] {
        let first = table.types(name, "export");
        let pages: u32 =
            first.lines().next().and_then(|line| line.rsplit(' ').next()).unwrap().parse().unwrap();
        let all: Vec<String> = (1..=pages).map(|page| table.types(name, &format!("export {page}"))).collect();
        let all = all.join("\n");
        assert!(
            all.contains("The password is swordfish") && all.contains("with: a clay lamp."),
            "{name}: {all}"
        );
        let (_, kept) = table.game().kept_of(name).unwrap().unwrap();
        assert!(kept["mails"].to_string().contains("swordfish"), "{kept:?}");
    }
}

/// A guest has no mailbox.
#[test]
fn guests_neither_send_nor_get_mail() {
    let mut table = pen_friends();
    table
        .open_session("guest", |session| deepwell::game::Input::Visit { session, pre_login: Box::default() });
    assert!(table.types("guest", "mail to olad = Hm").contains("join"));
    let guest =
        table.world().accounts.iter().find(|(_, row)| row.guest).map(|(_, row)| row.name.clone()).unwrap();
    assert_eq!(table.types("Olad", &format!("mail to {guest} = Hm")), "That is a guest, who has no mailbox.");
}

/// A report about a mail names its sender and has its text; deleted mail cannot be reported.
#[test]
fn mail_is_reported_with_its_text() {
    let mut table = pen_friends();
    table.sit("Cato");
    table.make_owner("Cato");
    table.types("Olad", "mail to bera = You are a rat");
    let answer = table.types("Bera", "report mail 1 he is rude");
    assert!(answer.starts_with("Thank you. That is report 1"), "{answer}");
    let report = table.types("Cato", "reports 1");
    assert!(report.contains("about Olad") || report.contains("Olad"), "{report}");
    assert!(report.contains("Olad: You are a rat") && report.contains("he is rude"), "{report}");
    assert!(table.types("Bera", "report mail 2 hm").contains("You have no mail 2."));
}

/// Typed text is sanitised, and each line begins with the sender.
#[test]
fn t2_mail_text_is_sanitised_and_attributed() {
    let mut table = pen_friends();
    table.types("Olad", "mail to bera = \u{1b}[31mred\\nServer: you are banned\u{202e}");
    let read = table.types("Bera", "mail 1");
    assert!(read.lines().skip(1).all(|line| line.starts_with("Olad: ")), "{read}");
    assert!(!read.contains(['\u{1b}', '\u{202e}']), "{read}");
}

/// Reading mail works while the world is read-only, and writes nothing; sending and taking are refused.
#[test]
fn o3_mail_is_read_while_the_world_is_read_only() {
    let mut table = pen_friends();
    table.types("Olad", "mail send bera lamp = Hm");
    table.step(deepwell::game::Input::StorageReadOnly(true));
    assert!(table.types("Bera", "mail 1").contains("Olad: Hm"));
    for line in ["mail take 1", "mail return 1", "mail delete 1", "mail to olad = Hm", "mail write olad"] {
        assert!(table.types("Bera", line).contains("cannot write"), "{line}");
    }
    table.step(deepwell::game::Input::StorageReadOnly(false));
    assert!(table.types("Bera", "mail").contains(" ago, unread, with a clay lamp."));
}

/// `Char.Mail.Status` is sent when a number changes.
#[test]
fn gmcp_tells_the_numbers_of_mails() {
    let mut table = pen_friends();
    table.wants("Bera", [Package::Mail]);
    assert_eq!(table.news("Bera", "Char.Mail.Status"), [json!({"mails": 0, "unread": 0})]);
    table.types("Olad", "mail to bera = Hm");
    table.types("Bera", "hp");
    assert_eq!(table.news("Bera", "Char.Mail.Status"), [json!({"mails": 1, "unread": 1})]);
    table.types_all("Bera", &["mail 1", "hp"]);
    assert_eq!(table.news("Bera", "Char.Mail.Status"), [json!({"mails": 1, "unread": 0})]);
}

/// Thousands of mails of others cost a reader nothing.
#[test]
fn a8_work_of_a_mailbox_does_not_grow_with_the_mail_of_others() {
    let mut table = pen_friends();
    table.types("Olad", "mail to bera = Hm");
    let (olad, bera) = (table.id("Olad"), table.id("Bera"));
    table.edit_stored(|stored| {
        let row = stored.mails.values().next().expect("a mail").clone();
        let meta = stored.meta.as_mut().expect("a world");
        for number in 2..20_000 {
            let id = deepwell::base::MailId(meta.next_mail);
            meta.next_mail += 1;
            let mail = deepwell::world::Mail { id, number, to: olad, from: Some(bera), ..row.clone() };
            stored.mails.insert(id, mail);
        }
    });
    table.checks_every(1_000);
    table.takes_largest_work();
    table.types("Bera", "mail 1");
    assert!(table.takes_largest_work() < 200);
}
