//! Variables: scripts remember things of characters, rooms, creatures, branches and zones; builders declare, show, set and
//! remove them.

use crate::table::{CATALOG, Table, seeded};
use crate::workshop::Workshop;
use deepwell::base::{Span, VariableId};
use deepwell::catalog::VariableValue;
use deepwell::world::{Variable, VariableOwner};

/// Olad (owner) in the lodge of the town, with variables declared.
fn lodge(declarations: &[&str]) -> Workshop {
    let mut shop = Workshop::open();
    for declaration in declarations {
        let answer = shop.table.types("Olad", &format!("variable new {declaration}"));
        assert!(answer.contains("Declared in town: "), "{answer}");
    }
    shop
}

/// Stored values, as name and value.
fn values(table: &Table) -> Vec<(String, String)> {
    let rows = table.world().variables.iter();
    rows.map(|(_, row): (_, &Variable)| (row.name.clone(), row.value.to_string())).collect()
}

#[test]
fn zone_declares_shows_sets_and_removes_variables() {
    let mut shop = lodge(&["bells = number of character reset daily", "mood = text calm of zone"]);
    let table = &mut shop.table;
    let listed = table.types("Olad", "variables");
    assert!(listed.contains("bells = number of character reset daily"), "{listed}");
    assert!(listed.contains("mood = text calm of zone"), "{listed}");
    let shown = table.types("Olad", "variable show bells");
    assert!(shown.contains("town/bells of Olad is 0. It is declared as number of character"), "{shown}");
    assert!(table.types("Olad", "variable set bells = 3").contains("town/bells of Olad is 3 now."));
    assert!(
        table
            .types("Olad", "variable set town/mood = very glad")
            .contains("town/mood of town is very glad now.")
    );
    assert_eq!(values(table), [("town/bells".into(), "3".into()), ("town/mood".into(), "very glad".into())]);
    table.sit("Bera");
    let other = table.types("Olad", "variable set bells of Bera = 7");
    assert!(other.contains("town/bells of Bera is 7 now."), "{other}");
    assert!(table.types("Olad", "variable show bells").contains("of Olad is 3."));
    table.restart();
    assert!(table.types("Olad", "variable show bells of Bera").contains("of Bera is 7."));
    // A value that equals the default has no row.
    table.types("Olad", "variable set mood = calm");
    assert_eq!(values(table).len(), 2);
    assert!(table.types("Olad", "variable remove bells").contains("has no variable bells any more."));
    assert!(table.types("Olad", "undo").contains("bells"));
    assert!(table.types("Olad", "variable show bells").contains("is 3."), "undo brings the values back, too");
    let journal = table.types("Olad", "journal me");
    assert!(journal.contains("variable remove bells"), "{journal}");
}

#[test]
fn wrong_declarations_and_uses_are_refused_with_reasons() {
    let mut shop = lodge(&["bells = number"]);
    for (line, message) in [
        ("variable new Bells = number", "small letters, figures and _"),
        ("variable new mood = txt", "`txt` is no type"),
        ("variable new mood = flag perhaps", "`perhaps` does not fit as the default; it has to be yes or no"),
        ("variable new mood = flag of thing", "`thing` has no variables"),
        ("variable new mood = number of room reset death", "only the variables of a character"),
        ("variable new mood", "Type variable"),
        ("variable show bels", "has no variable bels. Did you mean bells?"),
        ("variable show mill/bells", "There is no zone mill."),
        ("variable set bells = many", "cannot be many: it has to be a whole number"),
        ("trigger leave = add bels 1", "No zone declares the variable bels, did you mean"),
        ("trigger leave = add bells one", "`add` needs the name of a variable and a number"),
        ("trigger leave = set bells = many", "The variable bells is set to many, and is a whole number"),
        ("trigger leave = if var bells > few: stop", "The variable bells is compared to few"),
        ("trigger leave = tell {playr} goes.", "There is no slot \"playr\""),
        ("trigger leave = then stop", "`then` and `else` belong to a condition"),
    ] {
        let heard = shop.table.types("Olad", line);
        assert!(heard.contains(message), "{line}: {heard}");
    }
    shop.table.types("Olad", "trigger leave = add bells 1");
    let used = shop.table.types("Olad", "variable remove bells");
    assert!(used.contains("bells is used here: the trigger leave of"), "{used}");
    shop.table.types("Olad", "variable new bells = text");
    let check = shop.table.types("Olad", "check");
    assert!(check.contains("the variable bells is a text, not a number"), "{check}");
}

/// Conditions, alternatives, texts with slots, coins and counted items, in one trigger.
#[test]
fn script_remembers_each_player() {
    let mut shop = lodge(&["tails = number", "done = flag"]);
    let table = &mut shop.table;
    let set = table.types(
        "Olad",
        "trigger say errand = if var done: say You had yours, {player}.; then stop; \
         else if has 2 rat_tail: take 2 rat_tail; then give 5 silver_coin; then experience 40; then set done = yes; \
         then others {player} hands something over.; else add tails 1; then tell Two tails, {player}. You asked {var:tails} times.",
    );
    assert!(set.contains("It is set: trigger say errand, nine lines."), "{set}");
    table.sit("Bera");
    table.types("Bera", "north");
    assert!(table.types("Bera", "say errand").contains("Two tails, Bera. You asked 1 times."));
    assert!(table.types("Bera", "say that errand").contains("You asked 2 times."));
    assert!(table.types("Olad", "say errand").contains("Two tails, Olad. You asked 1 times."));
    let purse = table.body("Bera").money.purse;
    for _ in 0..2 {
        table.types("Olad", "spawn rat_tail");
        table.types("Bera", "get rat tail");
    }
    table.hears("Olad");
    let paid = table.types("Bera", "say errand");
    assert!(
        paid.contains("five silver into your purse") && paid.contains("You gain 40 experience."),
        "{paid}"
    );
    assert!(table.hears("Olad").contains("Bera hands something over."));
    assert_eq!(table.body("Bera").money.purse - purse, 50);
    table.restart();
    assert!(table.types("Bera", "say errand").contains("You had yours, Bera."));
    assert!(table.types("Olad", "say errand").contains("You asked 2 times."));
}

#[test]
fn values_are_reset_by_their_rule() {
    let mut shop = lodge(&[
        "day = number of character reset daily",
        "week = number of character reset weekly",
        "life = number of character reset death",
        "ever = number",
    ]);
    let table = &mut shop.table;
    let all = |table: &mut Table| {
        let mut shown = |name: &str| table.types("Olad", &format!("variable show {name}")).contains(" is 1.");
        [shown("day"), shown("week"), shown("life"), shown("ever")]
    };
    let set = |table: &mut Table| {
        for name in ["day", "week", "life", "ever"] {
            table.types("Olad", &format!("variable set {name} = 1"));
        }
    };
    set(table);
    assert_eq!(all(table), [true; 4]);
    table.waits(Span::mins(60 * 24));
    assert_eq!(all(table), [false, true, true, true]);
    table.sleeps(Span::mins(60 * 24 * 7));
    table.restart();
    assert_eq!(all(table), [false, false, true, true]);
    table.types("Olad", "variable set day = 1");
    assert!(
        table.types("Olad", "variable show day").contains(" is 1."),
        "an outdated value can be set again"
    );
    table.types_all("Olad", &["trigger say die = harm 1000", "set here fights = yes", "say die"]);
    table.waits(Span::mins(10));
    assert!(!table.types("Olad", "variable show town/life").contains(" is 1."));
    assert!(table.types("Olad", "variable show town/ever").contains(" is 1."));
}

#[test]
fn wait_continues_after_a_restart_and_without_its_player() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    table.types(
        "Olad",
        "trigger say slow = if level 1: tell One.; then wait 5s; then tell Two.; else tell Never.; wait 5s; room Three.",
    );
    assert!(table.types("Olad", "say slow").contains("One."));
    table.waits(Span::secs(4));
    assert!(!table.hears("Olad").contains("Two."));
    table.restart();
    table.waits(Span::secs(2));
    let heard = table.hears("Olad");
    assert!(heard.contains("Two.") && !heard.contains("Never") && !heard.contains("Three"), "{heard}");
    table.sit("Bera");
    table.types("Bera", "north");
    table.types("Olad", "south");
    table.waits(Span::secs(6));
    assert!(table.hears("Bera").contains("Three."), "the room's lines go on");
    assert!(!table.hears("Olad").contains("Three."));
    assert!(table.world().rooms.iter().all(|(_, room)| room.waits.is_empty()));
}

/// A script with `alone` does not begin again while it waits, for any player; other scripts do.
#[test]
fn script_alone_does_not_overlap_itself() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    table.types("Olad", "trigger say ding = alone; room One.; wait 20s; room Two.; wait 20s; room Three.");
    table.types("Olad", "trigger say dong = alone; room Four.; wait 20s; room Five.");
    table.sit("Bera");
    table.types("Bera", "north");
    let mut heard = String::new();
    for second in 0..90 {
        // Olad hears the room once, whether Olad or Bera sets it off.
        let (name, is_heard) = if second % 2 == 0 { ("Olad", true) } else { ("Bera", false) };
        let answer = table.types(name, "say ding");
        heard += if is_heard { &answer } else { "" };
        heard += &table.hears("Olad");
        table.waits(Span::secs(1));
        heard += &table.hears("Olad");
        if second == 10 {
            assert!(table.types("Olad", "say dong").contains("Four."), "another script");
            table.restart();
        }
    }
    // Messages may follow each other without a line end.
    let mut words: Vec<(usize, &str)> =
        ["One.", "Two.", "Three."].into_iter().flat_map(|word| heard.match_indices(word)).collect();
    words.sort_unstable();
    let words: Vec<&str> = words.into_iter().map(|(_, word)| word).collect();
    assert!(words.len() >= 6, "{heard}");
    let expected = ["One.", "Two.", "Three."].into_iter().cycle().take(words.len());
    assert_eq!(words, expected.collect::<Vec<_>>());
}

/// A thousand suspended scripts add nothing to the work of a command until they are due.
#[test]
fn suspended_scripts_cost_nothing_until_due() {
    let mut table = Workshop::open().table;
    table.types("Olad", "trigger say slow = wait 600s; room Later.");
    let work_of_a_look = |table: &mut Table| {
        table.types("Olad", "look");
        table.takes_largest_work();
        table.types("Olad", "look");
        table.takes_largest_work()
    };
    let before = work_of_a_look(&mut table);
    table.types("Olad", "say slow");
    let wait = table.room("Olad").waits[0].clone();
    table.edit_stored(|stored| {
        let each = 1 + 1_000 / stored.rooms.len();
        for room in stored.rooms.values_mut() {
            room.waits = vec![wait.clone(); each].into();
        }
    });
    assert_eq!(work_of_a_look(&mut table), before);
}

/// Scripts that set each other off, and waits without end, stop at a limit that the builder hears of.
#[test]
fn runaway_scripts_end_at_a_limit_that_builders_hear_of() {
    let mut shop = lodge(&["left = number of room"]);
    let table = &mut shop.table;
    table.types("Olad", "trigger say again = wait 60s; room Later.");
    for _ in 0..20 {
        table.types("Olad", "say again");
    }
    let heard = table.types("Olad", "say again");
    assert!(heard.contains("16 scripts wait in the room, as many as may"), "{heard}");
    assert_eq!(table.room("Olad").waits.len(), 16);
    table.types_all("Olad", &["dig pit = down,up", "down", "trigger enter = move lodge", "up"]);
    table.types("Olad", "trigger enter = move pit");
    assert!(table.types("Olad", "down").contains("scripts set each other off more than 4 deep"));
    assert!(table.warnings().iter().any(|line| line.contains("as many as may")), "{:?}", table.warnings());
}

#[test]
fn variables_have_stated_limits() {
    let mut config = seeded(5);
    config.limits.variables_per_object = 2;
    let own = u32::try_from(CATALOG.areas["town"].variables.len()).expect("a few");
    config.limits.variables_per_zone = own + 3;
    config.limits.variable_bytes = 10;
    let mut table = Table::new(config);
    table.sit("Olad");
    table.make_owner("Olad");
    table.types("Olad", "north");
    table.types_all("Olad", &["variable new a = text", "variable new b = number", "variable new c = number"]);
    let refused = table.types("Olad", "variable new d = flag");
    assert!(refused.contains(&format!("A zone has at most {} variables.", own + 3)), "{refused}");
    assert!(table.types("Olad", "variable new a = text longer than ten").contains("at most 10 bytes"));
    assert!(
        table.types("Olad", "variable set a = äöü and some more").contains("is äöü and now."),
        "cut at a letter"
    );
    table.types("Olad", "variable set b = 5");
    let refused = table.types("Olad", "variable set c = 5");
    assert!(refused.contains("2 variables of one object are set, as many as may be."), "{refused}");
    table.types("Olad", "variable remove a");
    assert!(
        table.types("Olad", "variable set c = 5").contains("is 5 now."),
        "an undeclared value makes space"
    );
    table.types("Olad", "variable set c = 999999999999999");
    table.types("Olad", "trigger say more = add c 4000000000; tell {var:c}");
    assert!(table.types("Olad", "say more").contains("999999999999999"));
}

/// The zone file has the variables and the names of triggers, and another world gets them from it.
#[test]
fn zone_file_has_variables_and_names_of_triggers() {
    let mut shop = Workshop::with_mill();
    for line in [
        "variable new bells = number 2 of character reset weekly",
        "variable new open = flag of zone",
        "trigger say bell = add bells 1",
        "trigger say bell = tell It is {var:bells}.",
        "trigger say bell as last = if var bells > 3: set open = yes",
    ] {
        let answer = shop.types("Olad", line);
        assert!(!answer.contains("There is no") && !answer.contains("Type "), "{line}: {answer}");
    }
    shop.types("Olad", "zone export mill");
    let text = shop.files["mill"].clone();
    for part in [
        "[[variables]]\nname = \"bells\"\nof = \"character\"\ntype = \"number\"\ndefault = 2\nreset = \"weekly\"\n",
        "[[variables]]\nname = \"open\"\nof = \"zone\"\ntype = \"flag\"\n",
        "on = \"say bell\"\nname = \"say_2\"\n",
        "on = \"say bell\"\nname = \"last\"\n",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let mut other = Workshop::open();
    other.files.insert("mill".into(), text.clone());
    let answer = other.types("Olad", "zone import mill");
    assert!(answer.contains("The zone mill is as its file says"), "{answer}");
    other.files.clear();
    other.types("Olad", "zone export mill");
    assert_eq!(other.files["mill"], text);
    let file = text.replace("name = \"open\"", "name = \"opn\"");
    other.files.insert("mill".into(), file);
    let answer = other.types("Olad", "zone import mill");
    assert!(answer.contains("unknown variable `open`") && answer.contains("did you mean `opn`?"), "{answer}");
}

#[test]
fn several_triggers_of_one_event_run_in_order() {
    let mut shop = Workshop::open();
    let table = &mut shop.table;
    table.types("Olad", "trigger say friend = tell One.");
    let second = table.types("Olad", "trigger say friend = tell Two.");
    assert!(second.contains("It is called say_2. It runs after the one that is here"), "{second}");
    let third = table.types("Olad", "trigger say friend as deep = tell Three.");
    assert!(third.contains("It is called deep. It runs after the two"), "{third}");
    let heard = table.types("Olad", "say friend");
    let at = |word: &str| heard.find(word).unwrap_or_else(|| panic!("{word}: {heard}"));
    assert!(at("One.") < at("Two.") && at("Two.") < at("Three."));
    let replaced = table.types("Olad", "trigger say friend as deep = tell Four.");
    assert!(replaced.contains("It replaces the one"), "{replaced}");
    let several = table.types("Olad", "trigger say friend = none");
    assert!(
        several.contains("There are several triggers for say friend: say friend, say_2 and deep."),
        "{several}"
    );
    assert!(table.types("Olad", "trigger say_2 = none").contains("Nothing happens any more at say_2."));
    table.types("Olad", "trigger deep = none");
    assert!(
        table.types("Olad", "trigger say friend = none").contains("Nothing happens any more at say friend.")
    );
    table.types("Olad", "undo");
    assert!(table.types("Olad", "say friend").contains("One."));
    let bad = table.types("Olad", "trigger leave as Two Words = stop");
    assert!(bad.contains("A trigger is called by small letters"), "{bad}");
}

/// `enter` is an event like the others: several triggers run in order, have names, and are in the zone file.
#[test]
fn several_triggers_for_entering_run_in_order() {
    let mut shop = Workshop::with_mill();
    shop.types("Olad", "set on_enter = none");
    let first = shop.types("Olad", "trigger enter = tell One.");
    assert!(first.contains("It is set: trigger enter, one line."), "{first}");
    let second = shop.types("Olad", "trigger enter = tell Two.");
    assert!(second.contains("It is called enter_2. It runs after the one that is here"), "{second}");
    let third = shop.types("Olad", "trigger enter as deep = tell Three.");
    assert!(third.contains("It is called deep. It runs after the two"), "{third}");
    let enter = |shop: &mut Workshop| {
        shop.types("Olad", "out");
        shop.types("Olad", "in")
    };
    let heard = enter(&mut shop);
    let at = |word: &str| heard.find(word).unwrap_or_else(|| panic!("{word}: {heard}"));
    assert!(at("One.") < at("Two.") && at("Two.") < at("Three."));
    let next = shop.types("Olad", "trigger enter = tell Five.");
    assert!(next.contains("It is called enter_3. It runs after the three"), "{next}");
    shop.types("Olad", "trigger enter_3 = none");
    let replaced = shop.types("Olad", "trigger enter as deep = tell Four.");
    assert!(replaced.contains("It replaces the one"), "{replaced}");
    let text = shop.exported("mill");
    for part in [
        "on = \"enter\"\nlines = [",
        "on = \"enter\"\nname = \"enter_2\"\n",
        "on = \"enter\"\nname = \"deep\"\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    shop.files.insert("mill".into(), text.replace("name = \"enter_2\"\n", ""));
    let answer = shop.types("Olad", "zone import mill");
    assert!(answer.contains("has two triggers `enter`"), "{answer}");
    shop.files.clear();
    let removed = shop.types("Olad", "trigger enter = none");
    assert!(removed.contains("Nothing happens any more at enter. Other triggers for it stay."), "{removed}");
    let heard = enter(&mut shop);
    assert!(!heard.contains("One.") && heard.contains("Two.") && heard.contains("Four."), "{heard}");
    shop.types("Olad", "undo");
    assert_eq!(shop.exported("mill"), text);
    shop.types_all("Olad", &["trigger enter = none", "trigger enter_2 = none", "trigger deep = none"]);
    assert!(shop.types("Olad", "trigger enter = none").contains("Nothing happens here at enter."));
}

/// Values of characters leave memory with them, and belong to the data that a player can export and delete.
#[test]
fn values_of_a_player_sleep_are_exported_and_deleted_with_the_account() {
    let mut config = seeded(5);
    config.limits.absent_after = Span::secs(30);
    let mut table = Table::new(config);
    table.sit("Olad");
    table.make_owner("Olad");
    table.types_all("Olad", &["north", "variable new bells = number", "variable new last = text of zone"]);
    table.types("Olad", "trigger say bell = add bells 1; set last = {player}; tell {var:bells}");
    table.sit("Bera");
    table.types_all("Bera", &["north", "say bell", "say bell"]);
    let exported = table.types("Bera", "export");
    assert!(exported.contains("town/bells"), "{exported}");
    table.types("Bera", "quit");
    table.waits(Span::mins(10));
    assert!(table.world().characters.get(table.id("Olad")).is_some());
    let of_players = |table: &Table| {
        let rows = table.world().variables.iter();
        rows.filter(|(_, row)| matches!(row.owner, VariableOwner::Character(_))).count()
    };
    assert_eq!(of_players(&table), 0, "Bera's is in storage only");
    assert!(table.stored().variables.values().any(|row| row.value == VariableValue::Number(2)));
    table.comes_back("Bera");
    table.types("Bera", "north");
    assert!(table.types("Bera", "say bell").contains('3'));
    let account = table.account("Bera");
    let session = table.session("Bera");
    table.step(deepwell::game::Input::DeleteAccount { session, account });
    assert_eq!(of_players(&table), 0);
    let last = values(&table);
    assert!(last.iter().all(|(_, value)| !value.contains("Bera")), "{last:?}");
}

/// A changed value writes one row, and reading writes none.
#[test]
fn changed_value_writes_one_row() {
    let mut shop = lodge(&["bells = number", "mood = text"]);
    let table = &mut shop.table;
    table.types_all(
        "Olad",
        &["trigger say bell = add bells 1", "trigger say ask = tell {var:bells}", "say bell"],
    );
    table.types("Olad", "say bell");
    let changes = table.last_changes();
    assert_eq!((changes.variables.put.len(), changes.rows()), (1, 1), "{changes:?}");
    assert!(changes.variables.edited.len() == 1, "its index is left alone");
    table.commits = false;
    assert!(table.types("Olad", "say ask").contains('2'));
    assert!(!table.world().is_changed());
}

/// Values of rooms, creatures and branches belong to the branch: they sleep and go with it.
#[test]
fn values_in_a_branch_sleep_and_go_with_it() {
    let mut config = seeded(3);
    config.dungeon.sleep_after = Span::mins(1);
    config.dungeon.reset_chance_permille = 1_000;
    config.dungeon.max_life = Span::mins(120);
    let mut table = Table::new(config);
    table.sit("Bera");
    table.make_owner("Bera");
    table.sit("Olad");
    table.types_all("Olad", &["down", "east"]);
    let branch = table.branch_of("Olad").expect("a branch");
    let room = table.room("Olad").id;
    table.edit_stored(|stored| {
        let meta = stored.meta.as_mut().expect("a world");
        let creature =
            stored.characters.values().find(|body| body.branch == Some(branch) && !body.is_player());
        let creature = creature.map(|body| VariableOwner::Character(body.id));
        let owners = [Some(VariableOwner::Branch(branch)), Some(VariableOwner::Room(room)), creature];
        for owner in owners.into_iter().flatten() {
            let (id, at) = (VariableId(meta.next_variable), meta.time);
            meta.next_variable += 1;
            let (name, value) = ("town/depth".to_owned(), VariableValue::Number(2));
            stored.variables.insert(id, Variable { id, owner, name, value, at, branch: None });
        }
    });
    let count = table.stored().variables.len();
    assert!(count >= 2);
    table.comes_back("Olad");
    assert_eq!(table.world().variables.len(), count);
    table.types("Olad", "quit");
    table.waits(Span::mins(12));
    table.commit();
    assert!(table.world().asleep.has(branch));
    assert_eq!((table.world().variables.len(), table.stored().variables.len()), (0, count));
    table.comes_back("Olad");
    assert_eq!(table.world().variables.len(), count);
    table.types_all("Olad", &["recall", "quit"]);
    table.types("Bera", &format!("branch collapse {branch}"));
    table.waits(Span::mins(1));
    table.commit();
    assert_eq!((table.world().variables.len(), table.stored().variables.len()), (0, 0));
}
