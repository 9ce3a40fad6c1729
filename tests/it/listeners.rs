//! Simulated players in reader mode who type every command: in town, in shops, in branches, in fights, in puzzles and
//! as staff. `screen_reader` checks the messages.

use crate::abilities::learn_all_abilities;
use crate::arena::{arena, arena_in, changes, enemy};
use crate::clues::chain;
use crate::down::{falls, olad_is_about_to_fall};
use crate::explorer::{hero_opens, olad_finds, walks_to};
use crate::hoard::{add_money, grant, put_on_floor, set_room_kind};
use crate::puzzles::follow_solution;
use crate::table::{Table, seeded};
use crate::traps::olad_before_a_trap;
use deepwell::base::Span;
use deepwell::catalog::RoomKind;
use deepwell::game::{Class, GameConfig, Output, command};
use deepwell::text::Markup;
use deepwell::world::character::party::Roll;
use deepwell::world::{Affect, Role, Room};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A message to a player.
pub(crate) struct ToldMessage {
    pub(crate) class: Class,
    pub(crate) words: Arc<Markup>,
}

/// Recorded commands and messages.
#[derive(Default)]
pub(crate) struct Recording {
    /// Commands that succeeded.
    pub(crate) done: BTreeSet<String>,
    /// All messages, each with the line typed before it.
    pub(crate) heard: Vec<(String, ToldMessage)>,
    /// Number of entries of the table's tape processed so far.
    listened: usize,
}

impl Recording {
    /// Turns reader mode on.
    fn begin(&mut self, table: &mut Table, names: &[&str]) {
        self.listened = table.tape().len();
        for name in names {
            let answer = table.types(name, "config reader on");
            let one_line = answer.starts_with("reader: on.") && !answer.contains('\n');
            assert!(one_line, "not the whole list: {answer}");
        }
        self.take("config reader on", table);
    }

    /// Types lines of the form `Name: line`; `~ N` waits N seconds.
    fn types(&mut self, table: &mut Table, script: &str) {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(secs) = line.strip_prefix("~ ") {
                table.waits(Span::secs(secs.parse().expect("seconds")));
                self.take(line, table);
                continue;
            }
            let (name, typed) = line.split_once(':').expect("a name and a line");
            let typed = typed.trim_start();
            let answer = table.types(name, typed);
            let refused = self.take(typed, table);
            let word = typed.split(' ').next().unwrap_or_default();
            if (!refused && !answer.is_empty()) || SESSION_COMMANDS.contains(&word) {
                self.done.insert(word.to_owned());
            }
        }
    }

    /// Records new messages. Returns `true` if the line was refused.
    fn take(&mut self, typed: &str, table: &Table) -> bool {
        let mut refused = false;
        for output in &table.tape()[self.listened..] {
            let Output::Text(class, text) = output else { continue };
            refused |= *class == Class::Refusal;
            self.heard.push((typed.to_owned(), ToldMessage { class: *class, words: Arc::clone(text) }));
        }
        self.listened = table.tape().len();
        refused
    }
}

/// Types all scripts. Returns the recorded messages.
pub(crate) fn run_all_scripts() -> Recording {
    let mut hearing = Recording::default();
    in_town(&mut hearing);
    at_the_counters(&mut hearing);
    below_together(&mut hearing);
    on_an_expedition(&mut hearing);
    in_a_duel(&mut hearing);
    in_a_fight(&mut hearing);
    rescue_and_training_commands(&mut hearing);
    in_puzzles(&mut hearing);
    staff_commands(&mut hearing);
    building_commands(&mut hearing);
    places_below(&mut hearing);
    hearing
}

/// Commands that the session answers outside the game; `src/session/tests/screen_reader.rs` checks their messages.
const SESSION_COMMANDS: [&str; 8] =
    ["join", "history", "repeat", "password", "recovery", "recover", "netinfo", "delete"];

/// Script for the town.
const TOWN: &str = "Olad: look
    Olad: look up
    Olad: search
    Olad: examine me
    Olad: exits
    Olad: scan
    Olad: listen
    Olad: map
    Olad: path lodge
    Olad: who
    Olad: help
    Olad: commands
    Olad: score
    Olad: score xp
    Olad: score attack
    Olad: score shoe size
    Olad: hp
    Olad: inventory
    Olad: equipment
    Olad: affects
    Olad: config
    Olad: config cues on
    Olad: config color 256
    Olad: prompt
    Olad: prompt brief
    Olad: screenreader on
    Olad: character
    Olad: character new Cato
    Olad: channel
    Olad: socials
    Olad: smile bera
    Olad: i want to go north
    Olad: steal lamp
    Olad: time
    Olad: news
    Olad: rules
    Olad: title with wet boots
    Olad: north
    Olad: expedition
    Olad: expedition new
    Olad: expedition new 1 map The Long Look
    Olad: expedition found 1 map The Long Look
    Olad: camp
    Olad: pocket
    Olad: errands
    Olad: errand take 1
    Olad: errands
    Olad: errand drop
    Olad: achievements
    Olad: go s n
    Olad: stop
    Olad: north
    Olad: board
    Olad: board write Rope wanted = Twenty fathoms.
    Olad: board write Lost
    Olad: A lamp.
    Olad: .
    Olad: board
    Olad: board 1
    Olad: board remove 1
    Olad: south
    Olad: friends add bera
    Olad: friends
    Olad: friends remove bera
    Bera: mail to olad = Mind the lever.
    Bera: mail send olad 2 copper = For the ferry
    Bera: mail write olad
    Bera: It is dark here.
    Bera: .
    Olad: mail
    Olad: mail 1
    Olad: mail take 2
    Olad: mail delete 1
    Olad: mail return 3
    Bera: mail 1
    Olad: whois bera
    Bera: appearance A lean woman with a scar on her chin.
    Bera: pose leans on the wall.
    Olad: look
    Olad: look bera
    Bera: appearance
    Bera: pose none
    Bera: pose
    Olad: who be
    Olad: top
    Olad: top depth
    Olad: top week
    Olad: top north
    Olad: records
    Olad: records bera
    Olad: titles
    Olad: title none
    Olad: brief on
    Olad: brief off
    Olad: wimpy 20
    Olad: wimpy 0
    Olad: afk soup
    Bera: tell olad is it good?
    Olad: inventory weapons
    Olad: enter shop
    Olad: talk to chandler
    Olad: ask chandler about well
    Olad: east
    Olad: say good morning
    Olad: emote yawns.
    Olad: tell bera come here
    Bera: reply why?
    Olad: ooc hello
    Olad: newbie where does one sell things?
    Olad: shout over here!
    Olad: ignore bera
    Olad: ignore
    Olad: ignore bera
    Olad: bug The well is wet.
    Olad: typo wel for well
    Olad: idea A roof.
    Olad: guide on
    Olad: guide
    Olad: guide off
    Olad: balance
    Olad: replay
    Bera: replay tells 5
    Olad: alias
    Olad: alias gg = say good game
    Olad: alias
    Olad: unalias gg
    Olad: macro
    Olad: macro f1 = say good game
    Olad: unmacro f1
    Olad: highlight
    Olad: highlight bera
    Olad: unhighlight bera
    Olad: history
    Olad: repeat 2 look
    Olad: password
    Olad: export
    Olad: delete account
    Olad: recovery
    Olad: where
    Olad: netinfo
    Olad: wait
    Olad: rest
    Olad: stand
    Bera: north
    Olad: go north
    Olad: read board
    Olad: get cap
    Olad: inventory armour
    Olad: compare cap
    Olad: wear cap
    Olad: equipment
    Olad: remove cap
    Olad: give cap to bera
    Bera: drop cap
    Olad: ignore bera
    Olad: ignore bera
    Olad: south
    Olad: descend
    Olad: up
    Olad: nothing of the kind
    Olad: up
    Olad: recall
    Olad: join
    Olad: quit
    Bera: logout";

/// Types the commands of the town and every help page.
fn in_town(hearing: &mut Recording) {
    let mut table = Table::new(GameConfig { guidance: true, ..seeded(3) });
    table.sit("Olad");
    table.sit("Bera");
    hearing.begin(&mut table, &["Olad", "Bera"]);
    hearing.types(&mut table, TOWN);
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table.make_owner("Olad");
    hearing.begin(&mut table, &["Olad"]);
    let topics = table.types("Olad", "help all");
    let topics = topics.lines().filter_map(|line| line.strip_prefix("help ")?.split_once(':'));
    let topics = topics.map(|(topic, _)| topic);
    let commands = command::reference(Role::Owner).map(|[name, ..]| name);
    let pages: Vec<String> = topics.chain(commands).map(|page| format!("Olad: help {page}")).collect();
    hearing.types(&mut table, &pages.join("\n"));
}

/// Types the commands of shops, bank, healer and usable items.
fn at_the_counters(hearing: &mut Recording) {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    add_money(&mut table, "Olad", 50_000);
    grant(&mut table, "Olad", &[("club", 1), ("health_potion", 3), ("satchel", 1), ("clay_lamp", 2)]);
    set_room_kind(&mut table, "Olad", RoomKind::Shop, &["health_potion", "longsword", "antidote"]);
    hearing.begin(&mut table, &["Olad"]);
    hearing.types(
        &mut table,
        "Olad: look
         Olad: list
         Olad: buy 2 potion
         Olad: buy longsword
         Olad: value club
         Olad: compare longsword
         Olad: wield longsword
         Olad: equipment
         Olad: examine longsword
         Olad: examine satchel
         Olad: examine potion
         Olad: put lamp in satchel
         Olad: look in satchel
         Olad: inventory
         Olad: examine me
         Olad: sell club
         Olad: drop 5 copper
         Olad: get copper
         Olad: balance",
    );
    set_room_kind(&mut table, "Olad", RoomKind::Bank, &[]);
    hearing.types(
        &mut table,
        "Olad: look
         Olad: deposit 2 gold
         Olad: withdraw all
         Olad: balance",
    );
    let who = table.body("Olad").id;
    table.edit_stored(|stored| stored.characters.get_mut(&who).expect("Olad").hp = 3);
    set_room_kind(&mut table, "Olad", RoomKind::Healer, &[]);
    grant(&mut table, "Olad", &[("rye_loaf", 1)]);
    hearing.types(
        &mut table,
        "Olad: look
         Olad: drink loaf
         Olad: use potion
         Olad: heal
         Olad: heal wounds
         Olad: hp",
    );
}

/// Types the commands of a duel.
fn in_a_duel(hearing: &mut Recording) {
    let mut table = Table::new(seeded(12));
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    hearing.begin(&mut table, &["Olad", "Bera"]);
    hearing.types(
        &mut table,
        "Olad: east
         Olad: south
         Olad: look ring
         Bera: east
         Bera: south
         Olad: duel bera
         Bera: duel olad
         Olad: guard
         Bera: yield",
    );
}

/// Types the commands of an expedition, from the lodge to the end.
fn on_an_expedition(hearing: &mut Recording) {
    let mut table = Table::new(seeded(11));
    for name in ["Olad", "Bera"] {
        table.sit(name);
        table.becomes(name, 9_999, 999);
    }
    add_money(&mut table, "Olad", 5_000);
    grant(&mut table, "Olad", &[("clay_lamp", 1), ("goblin_spoon", 1)]);
    hearing.begin(&mut table, &["Olad", "Bera"]);
    hearing.types(
        &mut table,
        "Olad: north
         Olad: expedition found 1 map Long Look
         Olad: expedition
         Olad: expedition invite bera
         Bera: expedition
         Bera: expedition join
         Olad: recall
         Olad: down
         Olad: lift
         Olad: expedition enter",
    );
    for rooms in 2..30 {
        hearing.types(&mut table, "Olad: camp");
        if !table.world().expeditions.iter().all(|(_, row)| row.camps.is_empty()) {
            break;
        }
        hero_opens(&mut table, "Olad", rooms);
    }
    hearing.types(
        &mut table,
        "Olad: look
         Olad: camp
         Olad: pocket lamp
         Olad: pocket
         Olad: recall
         Olad: recall now
         Olad: down
         Olad: lift
         Olad: recall
         Bera: expedition leave
         Olad: expedition end
         Olad: expedition end now",
    );
}

/// Types the commands of a party: walking, looking, sharing loot.
fn below_together(hearing: &mut Recording) {
    let mut table = Table::new(seeded(5));
    for name in ["Olad", "Bera"] {
        table.sit(name);
        table.becomes(name, 9_999, 999);
    }
    grant(&mut table, "Olad", &[("chalk", 1)]);
    hearing.begin(&mut table, &["Olad", "Bera"]);
    hearing.types(
        &mut table,
        "Olad: party
         Olad: company the well, slowly
         Bera: company
         Olad: company off
         Olad: party invite Bera
         Bera: party
         Bera: party accept
         Olad: party
         Bera: party I am with you.
         Olad: party loot roll
         Bera: follow
         Bera: follow Olad
         Olad: rope
         Olad: down
         Bera: follow
         Olad: look
         Olad: look east
         Olad: exits
         Olad: east
         Bera: rope
         Bera: follow Olad
         Olad: look
         Olad: companion
         Olad: score
         Olad: chalk
         Olad: chalk 1
         Bera: look
         Olad: party",
    );
    hero_opens(&mut table, "Olad", 12);
    hearing.take("walking", &table);
    let found = put_on_floor(&mut table, "Olad", &[("silver_button", 1)])[0];
    let claims = ["Olad", "Bera"].map(|name| (table.body(name).id, None)).into_iter().collect();
    let until = table.now() + Span::secs(60);
    table.edit_stored(|stored| {
        let party = stored.parties.values_mut().next().expect("a party");
        party.rolls.push(Roll { item: found, until, claims });
    });
    hearing.types(&mut table, "Olad: party\nOlad: roll need\nBera: roll greed");
    put_on_floor(&mut table, "Olad", &[("clay_lamp", 1), ("health_potion", 2), ("torch_stub", 1)]);
    hearing.types(
        &mut table,
        "Olad: look
         Olad: map
         Olad: map words
         Olad: scan
         Olad: listen
         Olad: exits
         Olad: get all
         Olad: path start
         Olad: path stairs
         Olad: path nowhere
         Olad: stop
         Olad: party leave
         Olad: recall
         Bera: recall",
    );
}

/// Types the commands for arrows and rockets, from one room into another.
fn at_a_distance(hearing: &mut Recording) {
    let mut range = arena();
    grant(&mut range, "Olad", &[("short_bow", 1), ("rocket", 1)]);
    let room = range.body("Olad").room;
    let back = range.world().exits.of(room).find(|exit| exit.back).and_then(|exit| exit.direction);
    let back = back.expect("a way back");
    hearing.begin(&mut range, &["Olad"]);
    let lines = format!(
        "Olad: wield bow\nOlad: {back}\nOlad: light rocket\nOlad: shoot {there}\n~ 3\nOlad: shoot {there}\n~ 3",
        there = back.opposite()
    );
    hearing.types(&mut range, &lines);
}

/// Types the commands of combat, including abilities, traps, victory and defeat.
fn in_a_fight(hearing: &mut Recording) {
    let mut table = arena();
    table.sit("Bera");
    hearing.begin(&mut table, &["Olad"]);
    hearing.types(
        &mut table,
        "Olad: look
         Olad: look orc
         Olad: consider orc
         Olad: kill orc
         ~ 9
         Olad: look
         Olad: north
         Olad: consider
         Olad: affects
         Olad: flee
         Olad: flee
         Olad: flee
         Olad: flee
         ~ 3",
    );
    let mut table_of_skill = arena();
    learn_all_abilities(&mut table_of_skill, "Olad");
    hearing.begin(&mut table_of_skill, &["Olad"]);
    hearing.types(
        &mut table_of_skill,
        "Olad: abilities
         Olad: mend
         Olad: sneak
         Olad: scout
         Olad: track
         Olad: bash orc
         ~ 3
         Olad: feint
         Olad: throw
         ~ 3
         Olad: bind
         ~ 3
         Olad: taunt
         ~ 3
         Olad: sweep
         ~ 3
         Olad: rally
         ~ 3
         Olad: brace
         Olad: abilities
         Olad: score",
    );
    at_a_distance(hearing);
    let (mut table_of_traps, _, _) = olad_before_a_trap();
    hearing.begin(&mut table_of_traps, &["Olad"]);
    hearing.types(&mut table_of_traps, "Olad: look\nOlad: disarm\nOlad: disarm\nOlad: jump");
    let (mut table_of_traps, _, _) = olad_before_a_trap();
    hearing.begin(&mut table_of_traps, &["Olad"]);
    hearing.types(&mut table_of_traps, "Olad: jump\nOlad: look");
    let mut table_of_death = arena();
    hearing.begin(&mut table_of_death, &["Olad"]);
    let orc = enemy(&table_of_death);
    changes(&mut table_of_death, orc, |body| (body.hp, body.max_hp) = (4, 4));
    hearing.types(&mut table_of_death, "Olad: kill orc\n~ 60\nOlad: look\nOlad: score\nOlad: get all");
    let mut table_of_loss = arena_in(|config| config.guidance = true);
    hearing.begin(&mut table_of_loss, &["Olad"]);
    let orc = enemy(&table_of_loss);
    changes(&mut table_of_loss, orc, |body| body.attack = 60);
    hearing.types(&mut table_of_loss, "Olad: kill orc\n~ 120\nOlad: look\nOlad: balance");
}

/// Types the commands for rescue, affects, training, companions and levers.
fn rescue_and_training_commands(hearing: &mut Recording) {
    let (mut table, orc) = olad_is_about_to_fall(true);
    hearing.begin(&mut table, &["Olad", "Bera"]);
    falls(&mut table, "Olad");
    changes(&mut table, orc, |orc| orc.attack = 0);
    hearing.types(&mut table, "Bera: look\nOlad: look\nOlad: north\nBera: rescue Olad\n~ 3\nOlad: hp");
    changes(&mut table, orc, |orc| orc.attack = 500);
    hearing.types(&mut table, "Olad: kill orc\nBera: assist Olad");
    falls(&mut table, "Olad");
    hearing.types(&mut table, "Olad: stop\nOlad: look");

    let mut table = arena();
    hearing.begin(&mut table, &["Olad"]);
    let orc = enemy(&table);
    changes(&mut table, orc, |orc| {
        (orc.hp, orc.max_hp, orc.prototype) = (9_000, 9_000, Some("shin_dancer".into()));
    });
    table.becomes("Olad", 9_000, 5);
    hearing.types(&mut table, "Olad: kill orc\nOlad: guard\n~ 3\nOlad: dodge");
    for _ in 0..20 {
        hearing.types(&mut table, "~ 3\nOlad: interrupt");
    }

    let mut table = arena();
    hearing.begin(&mut table, &["Olad"]);
    let (olad, orc) = (table.body("Olad").id, enemy(&table));
    let until = table.now() + Span::secs(60);
    changes(&mut table, olad, |olad| {
        olad.affects.push(Affect { key: "webbed".into(), until });
        olad.xp += 400;
    });
    hearing.types(
        &mut table,
        "Olad: affects
         Olad: struggle
         Olad: score
         Olad: train
         Olad: train strength",
    );
    changes(&mut table, orc, |orc| orc.master = Some(olad));
    hearing.types(&mut table, "Olad: companion\nOlad: look\nOlad: dismiss orc");

    let lever = |room: &Room| room.sheet.kind == RoomKind::Puzzle && room.challenge.lever_in.is_none();
    let mut table = olad_finds("a lever", |_, room| lever(room) && room.challenge.lever_pulls() > 0);
    hearing.begin(&mut table, &["Olad"]);
    hearing.types(&mut table, "Olad: look\nOlad: examine lever\nOlad: north\nOlad: pull lever\nOlad: map");
}

/// Solves every puzzle, with its map and goal.
fn in_puzzles(hearing: &mut Recording) {
    let mut table = Table::new(seeded(4));
    table.sit("Olad");
    table.make_owner("Olad");
    table.becomes("Olad", 9_999, 999);
    hearing.begin(&mut table, &["Olad"]);
    let list = table.types("Olad", "puzzle list");
    let names: Vec<String> =
        list.lines().skip(1).filter_map(|line| line.split(':').next()).map(str::to_owned).collect();
    assert!(names.len() >= 5, "{list}");
    let plain = names.iter().map(|name| (name.as_str(), "seed=1"));
    for (name, how) in plain.chain([("vault", "seed=1 holder=hidden")]) {
        let script = format!(
            "Olad: puzzle info {name}
             Olad: puzzle test {name} {how}
             Olad: puzzle solve
             Olad: in
             Olad: look
             Olad: exits
             Olad: map
             Olad: goal
             Olad: hint
             Olad: listen
             Olad: scan"
        );
        hearing.types(&mut table, &script);
        let solution = follow_solution(&mut table, "Olad");
        hearing.done.extend(solution.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned));
        hearing.take(&format!("the solution of {name}"), &table);
        hearing.types(&mut table, "Olad: goal\nOlad: map\nOlad: look\nOlad: puzzle close");
    }
}

/// Types spawn rules and the settings of a shop.
fn spawns_and_shop(hearing: &mut Recording, table: &mut Table) {
    hearing.types(
        table,
        "Olad: spawn goblin = 1 every 60
         Olad: spawn rat = 1 every 600 patrol here; lodge schedule 0: sleep; 6: at lodge
         Olad: spawn rye_loaf
         Olad: shop here = rye_loaf
         Olad: list
         Olad: set here wares = rye_loaf 0 copper x1
         Olad: set here buys = 40%; club 3 copper
         Olad: buy loaf
         Olad: list
         Olad: set here open = 5-6
         Olad: list
         Olad: set here closed = The shutters are down.
         Olad: list
         Olad: set here refill = 6
         Olad: set here open = default",
    );
}

/// Types the commands of a builder who tries a lock and a lamp.
fn fittings(hearing: &mut Recording, table: &mut Table) {
    hearing.types(
        table,
        "Olad: make item box = tin box
         Olad: set item box holds = 2
         Olad: set item box class = container
         Olad: set item box closes = true
         Olad: set item box opens_with = old_key
         Olad: set item box pick_percent = 100
         Olad: spawn box
         Olad: pick box
         Olad: close box
         Olad: destroy box
         Olad: spawn clay_lamp
         Olad: get lamp
         Olad: set here dark = yes
         Olad: look
         Olad: light lamp
         Olad: extinguish lamp
         Olad: set here dark = no
         Olad: set here
         Olad: drop lamp",
    );
}

/// Types the commands of a builder who makes variables, a dialogue and a quest.
fn memories(hearing: &mut Recording, table: &mut Table) {
    hearing.types(
        table,
        "Olad: variable new bells = number of character reset daily
         Olad: variable set bells = 3
         Olad: variable show bells
         Olad: variables
         Olad: make dialogue keeper = the keeper's talk
         Olad: dialogue say keeper hello = Well met.
         Olad: dialogue answer keeper hello = What is below? leads to below
         Olad: dialogue say keeper below = Stairs.
         Olad: dialogue keeper
         Olad: dialogue test keeper
         Olad: 1
         Olad: make quest tails = Tails
         Olad: examine quest tails
         Olad: trigger say hunt = start tails
         Olad: say hunt
         Olad: quests
         Olad: quest tails
         Olad: quest tails step 1
         Olad: quest tails reset
         Olad: try night
         Olad: time
         Olad: try off
         Olad: respawn here now",
    );
}

/// Types the commands of a builder who furnishes a room.
fn building_commands(hearing: &mut Recording) {
    let mut table = Table::new(seeded(5));
    table.sit("Olad");
    table.make_owner("Olad");
    hearing.begin(&mut table, &["Olad"]);
    hearing.types(
        &mut table,
        "Olad: north
         Olad: dig Dry Well = hatch, out
         Olad: hatch
         Olad: describe here
         Olad: A round of cut stone, dry for years.
         Olad:
         Olad: Somebody has scratched a tally into the rim.
         Olad: .
         Olad: detail rim;tally = Forty strokes, and a gap.
         Olad: look tally
         Olad: undetail tally",
    );
    fittings(hearing, &mut table);
    hearing.types(
        &mut table,
        "Olad: tag here = dry, old
         Olad: find dry
         Olad: find tag dry
         Olad: find unlinked
         Olad: find orphans
         Olad: find exits
         Olad: find unused
         Olad: find creature rat
         Olad: find uses rat
         Olad: dig --walk here
         Olad: west
         Olad: east
         Olad: dig --walk
         Olad: dig --walk off
         Olad: at #1 tag here = square
         Olad: preview
         Olad: preview here reader
         Olad: preview here 40
         Olad: preview well seed 7 2
         Olad: check
         Olad: examine here",
    );
    spawns_and_shop(hearing, &mut table);
    hearing.types(
        &mut table,
        "Olad: set out door = oak door
         Olad: look out
         Olad: out
         Olad: open door
         Olad: trigger say friend;foe = count friends; if count friends 2: tell Again?
         Olad: say friend
         Olad: say foe
         Olad: examine here
         Olad: examine out
         Olad: trigger say friend;foe = none",
    );
    memories(hearing, &mut table);
    hearing.types(&mut table, "Olad: spawn goblin = 0");
}

/// Script for staff and builders.
const WORK: &str = "Olad: claim silver
    Bera: idea More lamps.
    Olad: reports
    Olad: reports done 1
    Bera: report Olad he never sleeps
    Olad: reports 2
    Olad: reports close 2 he does now
    Bera: ignore Olad
    Bera: unignore Olad
    Olad: recover Bera
    Olad: snoop Bera
    Bera: look
    Olad: snoop off
    Olad: audit
    Olad: audit reports
    Olad: audit by Olad since 1h
    Olad: account Bera
    Olad: account character Bera
    Olad: account rename Bera Bera
    Olad: promote Bera builder
    Olad: demote Bera helper
    Olad: promote Bera builder
    Olad: announce The well is dry.
    Olad: grant Bera snoop
    Olad: grant Bera
    Olad: revoke Bera snoop
    Olad: quell
    Olad: quell
    Bera: title the loud
    Olad: untitle Bera
    Olad: unpose Bera
    Olad: mute Bera for 2h noise
    Bera: say nobody hears this
    Olad: unmute Bera
    Olad: freeze Bera for 10m
    Bera: north
    Olad: unfreeze Bera
    Olad: ban 203.0.113.0/24 for 7d spam
    Olad: bans
    Olad: unban 203.0.113.0/24
    Olad: lock accounts
    Olad: lock
    Olad: who
    Olad: lock accounts off
    Olad: goto bottom
    Olad: goto Bera
    Olad: north
    Olad: dig well:start = down,up
    Olad: down
    Olad: open north;n:branch
    Olad: set north max_unexplored_exits = 3
    Olad: describe north = A dark hole.
    Olad: name here = The Old Well
    Olad: examine here
    Olad: examine north
    Olad: tunnel south = Guard Room
    Olad: south
    Olad: open gate = The Old Well
    Olad: link gate = Well Square
    Olad: destroy gate
    Olad: undo
    Olad: redo
    Olad: journal
    Olad: journal here
    Olad: journal 1
    Olad: north
    Olad: north
    Olad: branch list
    Olad: branch show 1
    Olad: south
    Olad: unlink north
    Olad: branch collapse 1
    Olad: zone list
    Olad: zone new mill
    Olad: make creature cellar_rat like rat
    Olad: make item cellar_key
    Olad: set creature cellar_rat hp = 4
    Olad: examine creature cellar_rat
    Olad: destroy creature cellar_rat
    Olad: make help cellar like rope = The cellar
    Olad: describe help cellar = Mind your head.
    Olad: destroy help cellar
    Olad: make theme dry_well like well
    Olad: set theme dry_well roamer_percent = 9
    Olad: destroy theme dry_well
    Olad: make script bell = the bell
    Olad: script bell
    Olad: script edit bell
    Olad: .list
    Olad: .replace 6 =     return { lines = { 'tell Clang.' }, notes = { 'rung' } }
    Olad: .insert 1 = -- more
    Olad: .delete 1
    Olad: .
    Olad: script test bell run hello
    Olad: script test bell rung
    Olad: script log bell
    Olad: script limits
    Olad: script
    Olad: find script bell
    Olad: zone export town
    Olad: zone pack town
    Olad: zone unpack town
    Olad: zone unpack town as old
    Olad: vault list
    Olad: vault show counting_house
    Olad: vault save square south
    Olad: zone draft mill
    Olad: zone invite Bera
    Bera: rehearse
    Bera: rehearse mill
    Bera: rehearse off
    Olad: zone uninvite Bera
    Olad: zone publish
    Olad: zone publish now
    Olad: zone draft town
    Olad: zone discard
    Olad: zone discard now
    Olad: kick Bera go to bed
    Olad: reload
    Olad: shutdown 60";

fn staff_commands(hearing: &mut Recording) {
    let mut table = Table::new(seeded(5));
    table.sit("Olad");
    table.sit("Bera");
    table.step(deepwell::game::Input::OwnerToken { token: "silver".into() });
    hearing.begin(&mut table, &["Olad", "Bera"]);
    hearing.types(&mut table, WORK);
}

/// Types the commands of shrines, riddles, merchants, rest rooms and clues.
fn places_below(hearing: &mut Recording) {
    for kind in [RoomKind::Shrine, RoomKind::Riddle, RoomKind::Merchant, RoomKind::Rest] {
        let mut table = olad_finds(kind.name(), |_, room| room.sheet.kind == kind && room.clear);
        hearing.begin(&mut table, &["Olad"]);
        hearing.types(
            &mut table,
            "Olad: look
             Olad: pray
             Olad: answer water
             Olad: list
             Olad: rest
             Olad: map
             Olad: listen",
        );
    }
    let (mut table, _, [sign, grave, coffer]) = chain();
    for (room, typed) in [(sign, "look"), (grave, "pry slab\nOlad: get key"), (coffer, "unlock coffer")] {
        walks_to(&mut table, "Olad", room);
        hearing.begin(&mut table, &["Olad"]);
        hearing.types(&mut table, &format!("Olad: {typed}"));
    }
}
