//! Themes made in the game: inheritance, immediate use, and protection while in use.

use crate::table::changed_content;
use crate::workshop::Workshop;
use deepwell::catalog::{BUILTIN, Catalog, DefinitionKind, OverridingText};

const OLD: &str =
    "inherits = \"well\"\nname = \"Old Well\"\nroamer_percent = 0\nhints = [\"It was deeper once.\"]\n";

/// The theme `old_well` by Bera (builder), who is at the start of a branch exit. Olad is owner.
fn with_theme() -> Workshop {
    let mut shop = Workshop::open();
    shop.table.sit("Bera");
    shop.types("Olad", "promote Bera builder");
    let lines = [
        "make theme old_well like well = Old Well",
        "set theme old_well roamer_percent = 0",
        "set theme old_well hints = ['It was deeper once.']",
        "dig Pit:start = pit, out",
        "pit",
        "open north;n:branch",
    ];
    shop.types_all("Bera", &lines);
    shop
}

fn text(shop: &Workshop) -> &str {
    shop.definition(DefinitionKind::Theme, "old_well")
}

/// Only overridden fields are stored; the rest is inherited, including later changes of the parent.
#[test]
fn theme_stores_overrides_and_inherits_the_rest() {
    let mut shop = with_theme();
    assert_eq!(text(&shop), OLD);
    let theme = |shop: &Workshop, key: &str| shop.table.game().catalog().themes[key].clone();
    let (well, old) = (theme(&shop, "well"), theme(&shop, "old_well"));
    assert_eq!((old.name.as_str(), old.roamer_percent, old.hints.len()), ("Old Well", 0, 1));
    assert_eq!((&old.creatures, old.bands.len()), (&well.creatures, well.bands.len()));
    let before = shop.digest();
    shop.table.restart();
    assert_eq!(shop.digest(), before, "all read at a start is as what was read one by one");
    shop.types("Bera", "make theme older_well like old_well");
    shop.types("Bera", "set theme old_well trap_permille = 7");
    assert_eq!(theme(&shop, "older_well").trap_permille, 7);
    let answer = shop.types("Olad", "set theme well trap_permille = 7");
    assert!(
        answer.contains("its text has at most 16384 bytes"),
        "the files say too much to lie in a row: {answer}"
    );
}

/// Keys are unique: a theme cannot have the key of a level type of another theme.
#[test]
fn theme_key_of_foreign_level_type_is_refused() {
    let cellars = BUILTIN.iter().find(|(path, _)| *path == "levels/cellars.toml").expect("a level type").1;
    let loft = cellars.replace("\"cellars\"", "\"loft\"").replace("theme = \"loft\"", "theme = \"cellars\"");
    let files = changed_content(&[("levels/loft.toml", &loft)]);
    let written = OverridingText { kind: DefinitionKind::Theme, key: "loft", text: Some(OLD) };
    let mistakes = files.with(&[written]).expect_err("a mistake");
    assert!(
        mistakes[0].to_string().contains("`loft` is a level type of the theme `cellars`"),
        "{mistakes:?}"
    );
}

/// An error is reported once, at its place in the theme's own text; inheritance cycles are rejected.
#[test]
fn theme_error_is_placed_in_its_own_text() {
    let mistakes_of = |texts: &[(&str, String)]| {
        let written: Vec<OverridingText<'_>> = texts
            .iter()
            .map(|(key, text)| OverridingText { kind: DefinitionKind::Theme, key, text: Some(text) })
            .collect();
        let mistakes = Catalog::builtin().with(&written).expect_err("mistakes");
        mistakes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let mistakes = mistakes_of(&[("owl", format!("{OLD}roamer = 3\ncreatures = [\"rta\"]\n"))]);
    assert!(
        mistakes.iter().any(|one| one.starts_with("themes/owl.toml:5:1: unknown key `roamer`")),
        "{mistakes:?}"
    );
    assert!(
        mistakes.iter().any(|one| one.starts_with("themes/owl.toml:6:14: unknown creature `rta`")),
        "{mistakes:?}"
    );
    let mistakes = mistakes_of(&[("owl", OLD.replace("well", "wel"))]);
    assert!(mistakes.len() == 1 && mistakes[0].contains("unknown theme `wel`"), "{mistakes:?}");
    let like = |n: u32| (format!("owl_{n}"), format!("inherits = \"owl_{}\"\nname = \"Owl\"\n", n + 1));
    let chain: Vec<(String, String)> = (0..9).map(like).chain([("owl_9".into(), OLD.to_owned())]).collect();
    let chain: Vec<(&str, String)> = chain.iter().map(|(key, text)| (key.as_str(), text.clone())).collect();
    let mistakes = mistakes_of(&chain);
    assert!(mistakes[0].contains("goes in a circle, or too far") && mistakes.len() == 2, "{mistakes:?}");
}

/// A theme used by a start room or a branch cannot be deleted.
#[test]
fn made_theme_of_a_branch_cannot_be_destroyed() {
    let mut shop = with_theme();
    assert!(shop.types("Bera", "preview old_well seed 7 2").contains('\n'));
    shop.types("Bera", "set north theme = old_well");
    shop.types("Bera", "make theme older_well like old_well");
    shop.types("Bera", "north");
    let room = shop.table.room("Bera");
    assert!(room.branch.is_some() && room.area == "old_well", "{room:?}");
    let answer = shop.types("Bera", "destroy theme old_well");
    let wanted = "The theme old_well stays, for it is used: the theme older_well, Pit, room";
    assert!(answer.contains(wanted) && answer.contains("and one branch."), "{answer}");
    shop.table.restart();
    assert_eq!(shop.table.room("Bera").area, "old_well");
    assert!(shop.types("Bera", "look").len() > 20);
}

/// Undo does not restore an exit setting that names a deleted theme.
#[test]
fn undo_of_exit_theme_is_refused_if_theme_is_gone() {
    let mut shop = with_theme();
    shop.types("Bera", "set north theme = old_well");
    shop.types("Bera", "set north theme = well");
    shop.types("Bera", "destroy theme old_well");
    assert!(!shop.table.game().catalog().level_types.contains_key("old_well"));
    let entry = shop.types("Bera", "journal");
    let entry = entry.lines().find(|line| line.contains("set north theme = well")).expect("an entry");
    let answer = shop.types("Bera", &format!("undo {}", entry.split(',').next().expect("a number")));
    assert!(answer.contains("There is no theme old_well any more"), "{answer}");
    shop.types("Bera", "undo");
    assert_eq!(text(&shop), OLD);
}

/// The lines shown by `examine` recreate the theme; its export has the file format of `content/`.
#[test]
fn exported_theme_imports_unchanged() {
    let mut shop = with_theme();
    let shown = shop.types("Bera", "examine theme old_well");
    assert!(
        shown.contains("Old Well, the theme old_well\n") && shown.contains("Used by: nothing."),
        "{shown}"
    );
    let (_, lines) = shown.split_once("To type it again:\n").expect("lines to type");
    shop.types("Bera", "destroy theme old_well");
    for line in lines.lines() {
        shop.types("Bera", line);
    }
    assert_eq!(text(&shop), OLD, "{shown}");
    let answer = shop.types("Olad", "zone export made");
    assert!(answer.contains("made/themes/old_well.toml holds the theme old_well."), "{answer}");
    let mut other = Workshop::open();
    other.made.clone_from(&shop.made);
    assert!(other.types("Olad", "zone import made").contains("one new"));
    assert_eq!(other.digest(), shop.digest());
    let written = OverridingText { kind: DefinitionKind::Theme, key: "old_well", text: Some(OLD) };
    let laid = Catalog::builtin().with(&[written]).expect("sound");
    let in_files = changed_content(&[("themes/old_well.toml", OLD)]);
    assert_eq!(laid.digest().to_string(), in_files.digest().to_string());
}

#[test]
fn invalid_themes_are_refused_without_change() {
    let mut shop = with_theme();
    shop.types("Olad", "zone new mill");
    for (line, message) in [
        ("make theme bare", "A theme needs much. make theme KEY like OTHER"),
        ("make theme owl like wel", "There is no theme wel. Did you mean well?"),
        ("make theme mill like well", "mill is taken already"),
        ("set theme old_well creatures = rta", "unknown creature `rta`"),
        ("set theme old_well creatures = rat", "has no guard for difficulty"),
        ("set theme old_well inherits = old_well", "goes in a circle"),
        ("set theme old_well inherits = none", "`perils` is missing"),
        ("set theme old_well roamers = 3", "unknown key `roamers`"),
        ("set theme old_well roamer_percent = 300", "`roamer_percent` does not fit"),
        ("describe theme old_well", "There is no text of a theme old_well to write."),
        ("set theme well roamer_percent = 3", "only an admin changes it here"),
    ] {
        let answer = shop.types("Bera", line);
        assert!(answer.contains(message), "{line}: {answer}");
    }
    assert_eq!(text(&shop), OLD);
    shop.types("Bera", "set theme old_well roamer_percent = 9");
    shop.types("Bera", "undo");
    assert_eq!(text(&shop), OLD);
}
