//! Help pages made in the game: immediate effect, undo, export and import.

use crate::table::changed_content;
use crate::workshop::Workshop;
use deepwell::catalog::{BUILTIN, Catalog, DefinitionKind, OverridingText};

/// A help page by Bera (builder) on the rules of a mill. Olad is owner, Cara a player.
fn with_page() -> Workshop {
    let mut shop = Workshop::open();
    for name in ["Bera", "Cara"] {
        shop.table.sit(name);
    }
    shop.types("Olad", "promote Bera builder");
    let lines = [
        "make help mill_rules = Rules of the mill",
        "set help mill_rules group = place",
        "set help mill_rules aliases = flour, mill wheel",
        "set help mill_rules see = levels, traps",
        "describe help mill_rules = Nobody rides on the wheel. \\n - `look` before you leap \\n - stay dry",
    ];
    shop.types_all("Bera", &lines);
    shop
}

fn text<'a>(shop: &'a Workshop, key: &str) -> &'a str {
    shop.definition(DefinitionKind::Help, key)
}

const RULES: &str = "title: Rules of the mill\ngroup: place\naliases: flour, mill wheel\nsee: levels, traps\n\n\
                     Nobody rides on the wheel.\n\n- `look` before you leap\n- stay dry\n";

/// Players find the page by key, title, alias and in the list, immediately and after a restart.
#[test]
fn made_page_is_found_at_once_and_after_restart() {
    let mut shop = with_page();
    assert_eq!(text(&shop, "mill_rules"), RULES);
    let before = shop.digest();
    for _ in 0..2 {
        for word in ["mill_rules", "rules of the mill", "flour", "Mill Wheel"] {
            let page = shop.types("Cara", &format!("help {word}"));
            let wanted =
                "Rules of the mill\nNobody rides on the wheel.\n\n- look before you leap\n- stay dry";
            assert!(page.contains(wanted), "{word}: {page}");
            assert!(page.contains("See also: help levels, help traps"), "{page}");
        }
        assert!(shop.types("Cara", "help all").contains("help mill_rules: Rules of the mill"));
        shop.table.restart();
        assert_eq!(shop.digest(), before, "all read at a start is as what was read one by one");
    }
    assert!(shop.types("Cara", "help dusty flour rules").contains("mill_rules"));
}

/// A page can be entered line by line, including a list.
#[test]
fn page_is_entered_line_by_line() {
    let mut shop = with_page();
    for line in ["describe help mill_rules", "It turns", "slowly.", "- one", "way", "- other", "", "On.", "."]
    {
        shop.types("Bera", line);
    }
    assert!(text(&shop, "mill_rules").ends_with("\n\nIt turns slowly.\n\n- one way\n- other\n\nOn.\n"));
    let answer = shop.types("Bera", "describe help mill_rules = Type `lokk`.");
    assert!(answer.contains("`lokk` cannot be typed") && answer.contains("did you mean `look`?"), "{answer}");
}

#[test]
fn examine_shows_lines_that_recreate_the_page() {
    let mut shop = with_page();
    let shown = shop.types("Bera", "examine help mill_rules");
    assert!(shown.contains("Rules of the mill, the page mill_rules\nMade by Bera"), "{shown}");
    let (_, lines) = shown.split_once("To type it again:\n").expect("lines to type");
    let answer = shop.types("Bera", "destroy help mill_rules");
    assert!(answer.contains("There is no page mill_rules any more."), "{answer}");
    assert!(!shop.types("Cara", "help flour").contains("Nobody rides"));
    for line in lines.lines() {
        shop.types("Bera", line);
    }
    assert_eq!(text(&shop, "mill_rules"), RULES, "{shown}");
}

/// Invalid pages, and names of commands as names of pages, are refused.
#[test]
fn invalid_pages_are_refused() {
    let mut shop = with_page();
    for (line, message) in [
        ("make help rope", "There is a page rope already. examine help rope tells what it is."),
        ("make help owl like rop", "There is no page rop. Did you mean rope?"),
        ("make help look", "look is a word that one types, and help look tells of it."),
        ("make help smile", "smile is a word that one types"),
        ("make help owl = Look", "look is a word that one types"),
        ("set help mill_rules aliases = wheel, kill", "kill is a word that one types"),
        ("set help mill_rules aliases = omens", "`omens` already leads to the topic `omens`"),
        ("set help mill_rules see = levels, tarps", "there is no topic `tarps`; the nearest is `traps`"),
        ("set help mill_rules group = mills", "there is no group `mills`"),
        ("set help mill_rules colour = red", "expected `title:`, `group:`, `aliases:`, `see:`"),
        ("set help mill_rules title = none", "the topic has no `title:`"),
        ("describe help mill_rules = A `tick.", "the backtick has no other half"),
        ("describe help mill_rules = It costs {rules.levels.bass}.", "`rules.levels.bass` names no figure"),
        ("set help rope title = String", "only an admin changes it here"),
        ("destroy help rope", "in the files of the server"),
        ("describe help owl = Hoo.", "There is no page owl."),
    ] {
        let answer = shop.types("Bera", line);
        assert!(answer.contains(message), "{line}: {answer}");
    }
    assert_eq!(text(&shop, "mill_rules"), RULES);
    assert!(shop.types("Cara", "make help owl").contains("There is no command"));
}

/// An edit overrides a page from files; deleting the edit restores the page.
#[test]
fn file_page_is_overridden_and_restored() {
    let mut shop = with_page();
    let (before, page) = (shop.digest(), shop.types("Cara", "help rope"));
    shop.types("Olad", "set help rope title = All about ropes");
    let changed = shop.types("Cara", "help rope");
    assert!(changed.contains("All about ropes\n") && changed != page, "{changed}");
    let news = shop.types("Olad", "set help news title = What is new here");
    assert!(
        news.contains("title is \"What is new here\" now"),
        "its file has the name of a command too: {news}"
    );
    shop.types("Olad", "destroy help news");
    assert!(shop.types("Olad", "destroy help rope").contains("The page rope is as its file says again."));
    assert_eq!((shop.digest(), shop.types("Cara", "help rope")), (before, page));
}

/// A page that another page refers to cannot be deleted; changes are undone and redone.
#[test]
fn page_in_use_cannot_be_destroyed() {
    let mut shop = with_page();
    shop.types("Bera", "make help mill like mill_rules = The mill");
    assert!(text(&shop, "mill").starts_with("title: The mill\ngroup: place\nsee: levels, traps\n\nNobody"));
    shop.types("Bera", "set help mill see = mill_rules");
    let answer = shop.types("Bera", "destroy help mill_rules");
    assert!(answer.contains("The page mill_rules stays, for it is used: the page mill."), "{answer}");
    shop.types("Bera", "undo");
    assert!(text(&shop, "mill").contains("see: levels, traps\n"));
    let answer = shop.types("Bera", "journal help mill 1");
    assert!(answer.contains("the page mill") || answer.contains("The page mill"), "{answer}");
    shop.types("Bera", "destroy help mill_rules");
    shop.types("Bera", "undo");
    assert_eq!(text(&shop, "mill_rules"), RULES);
    assert!(shop.types("Cara", "help flour").contains("Nobody rides"));
}

/// Pages are exported in the file format of `content/` and imported into another world.
#[test]
fn exported_pages_import_unchanged() {
    let mut shop = with_page();
    let answer = shop.types("Olad", "zone export made");
    assert!(answer.contains("made/help/mill_rules.md holds the page mill_rules."), "{answer}");
    assert_eq!(shop.made["help/mill_rules.md"], RULES);
    let mut other = Workshop::open();
    other.made.clone_from(&shop.made);
    assert!(other.types("Olad", "zone import made").contains("one new"));
    assert_eq!(other.digest(), shop.digest());
    other.made.insert("help/mill_rules.md".into(), RULES.replace("group: place", "group: things"));
    let answer = other.types("Olad", "zone diff made");
    assert!(
        answer.contains("The page mill_rules, group: \"place\" in the game, \"things\" in the file."),
        "{answer}"
    );
    other.types("Olad", "zone import made");
    assert!(text(&other, "mill_rules").contains("group: things"));
}

/// The operator exports, compares and imports definitions with the same commands as zone files.
#[test]
fn operator_exports_and_imports_definitions() {
    let mut shop = with_page();
    let lines = shop.operator_asks("zone export made").expect("it is written");
    assert_eq!(lines, ["made/help/mill_rules.md holds the page mill_rules."]);
    assert_eq!(shop.operator_asks("zone diff made").unwrap(), ["What was made and its files say the same."]);
    shop.made.insert("help/mill_rules.md".into(), RULES.replace("stay dry", "keep dry"));
    assert!(shop.operator_asks("zone import made").is_ok());
    assert!(text(&shop, "mill_rules").contains("keep dry"));
    shop.made.insert("help/mill_rules.md".into(), "stay dry\n".into());
    assert!(
        shop.operator_asks("zone import made").unwrap_err().to_string().contains("the topic has no `title:`")
    );
}

/// An overlay loads the same content as files with its text, after any sequence of changes and removals.
#[test]
fn page_overlay_equals_same_text_in_files() {
    let rope = BUILTIN.iter().find(|(path, _)| *path == "help/rope.md").expect("a page").1;
    let rope = rope.replacen("title: ", "title: All about: ", 1);
    let page = |key, text| OverridingText { kind: DefinitionKind::Help, key, text };
    let rat =
        OverridingText { kind: DefinitionKind::Creature, key: "owl", text: Some("inherits = \"rat\"\n") };
    let files = Catalog::builtin();
    let laid = files.with(&[page("rope", Some(&rope)), page("mill", Some(RULES))]).expect("sound");
    let in_files = changed_content(&[("help/rope.md", &rope), ("help/mill.md", RULES)]);
    assert_eq!(laid.digest().to_string(), in_files.digest().to_string());
    // A name may move from one page to another in one change.
    let (old, new) = (RULES.replace("flour, ", ""), "title: Flour\naliases: flour\n\nWhite.\n");
    let moved = laid.with(&[page("bread", Some(new)), page("mill", Some(&old)), rat]).expect("sound");
    assert!(moved.help.named("flour").is_some_and(|topic| topic.key == "bread"));
    let owl = OverridingText { text: None, ..rat };
    let bare =
        moved.with(&[page("bread", None), page("mill", None), page("rope", None), owl]).expect("sound");
    assert_eq!(bare.digest().to_string(), files.digest().to_string());
}
