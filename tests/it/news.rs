//! News notice: a returning player is told once, in one line, that the news page has changed. New players and guests
//! are not.

use crate::table::{Table, changed_content, seeded};
use deepwell::game::{Content, Input};

const LINE: &str = "There is news since you were here last: type news.";

/// Reloads content with another news page.
fn publish_news(table: &mut Table, body: &str) {
    let text = format!("title: What is new\ngroup: beginning\naliases: changes\n\n{body}\n");
    let catalog = changed_content(&[("help/news.md", &text)]);
    table.step(Input::Content { askers: Vec::new(), content: Content(catalog) });
}

/// Logs Olad out and in; returns `true` if the notice was shown.
fn news_notice_at_login(table: &mut Table) -> bool {
    table.types("Olad", "quit");
    let text = table.comes_back("Olad");
    assert!(text.matches(LINE).count() <= 1 && text.contains("Well Square"), "{text}");
    text.contains(LINE)
}

#[test]
fn returning_player_gets_news_notice_once() {
    let mut table = Table::new(seeded(3));
    let text = table.sit("Olad");
    assert!(!text.contains(LINE), "to the new everything is: {text}");
    assert!(!news_notice_at_login(&mut table), "nothing has changed");
    table.crash();
    assert!(!table.comes_back("Olad").contains(LINE), "nor by a crash");
    publish_news(&mut table, "A bell has been hung.");
    assert!(news_notice_at_login(&mut table));
    assert!(!news_notice_at_login(&mut table), "it was told");
    publish_news(&mut table, "A bell\nhas been hung.");
    assert!(!news_notice_at_login(&mut table), "broken over lines it says the same");
}

#[test]
fn news_notice_is_not_shown_after_reading_the_page() {
    for reads in ["news", "help changes", "help news"] {
        let mut table = Table::new(seeded(3));
        table.sit("Olad");
        publish_news(&mut table, "A bell has been hung.");
        assert!(table.types("Olad", reads).contains("A bell has been hung."), "{reads}");
        assert!(!news_notice_at_login(&mut table), "{reads}");
    }
}

/// An account stored without a news mark gets the notice once.
#[test]
fn account_without_news_mark_gets_notice_once() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    let account = table.account("Olad");
    table.types("Olad", "quit");
    table.edit_stored(|stored| stored.accounts.get_mut(&account).expect("an account").news = 0);
    assert!(table.comes_back("Olad").contains(LINE));
    assert!(!news_notice_at_login(&mut table));
}

/// While storage is read-only the notice is held back, so that it is shown exactly once.
#[test]
fn o3_news_notice_waits_while_storage_is_read_only() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.break_link("Olad");
    publish_news(&mut table, "A bell has been hung.");
    table.step(Input::StorageReadOnly(true));
    assert!(!table.comes_back("Olad").contains(LINE));
    assert!(table.types("Olad", "news").contains("A bell has been hung."));
    table.break_link("Olad");
    table.step(Input::StorageReadOnly(false));
    assert!(table.comes_back("Olad").contains(LINE));
}

/// A guest who creates a character has seen the news in force at that time.
#[test]
fn guest_gets_no_news_notice_after_joining() {
    let mut table = Table::new(seeded(3));
    table.open_session("Olad", |session| Input::Visit { session, pre_login: Box::default() });
    let session = table.session("Olad");
    table.step(Input::Join { session, name: "Olad".into(), credential: "$test$".into() });
    assert!(!table.hears("Olad").contains(LINE));
    assert!(!news_notice_at_login(&mut table));
}
