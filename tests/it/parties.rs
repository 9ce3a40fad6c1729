//! Parties as their members see them. Shares of experience and loot are tested next to the code.

use crate::table::{Table, seeded};
use deepwell::base::Span;
use deepwell::game::{GameConfig, Package, Rope};
use deepwell::world::LootRule;

/// Returns a game with the players in one party, following the first.
fn party_in(config: GameConfig, names: &[&str]) -> Table {
    let mut table = Table::new(config);
    for name in names {
        table.sit(name);
    }
    for name in &names[1..] {
        table.types(names[0], &format!("party invite {name}"));
        table.types(name, "party accept");
    }
    for name in names {
        table.hears(name);
    }
    table
}

fn party(names: &[&str]) -> Table {
    party_in(seeded(3), names)
}

/// Returns the names in the player's party; empty if none.
fn members_of_party(table: &Table, name: &str) -> Vec<String> {
    let Some(id) = table.world().parties.of(table.body(name).id) else { return Vec::new() };
    let members = &table.world().parties[id].members;
    members.iter().map(|id| table.world().characters[*id].name.clone()).collect()
}

fn leader(table: &Table, name: &str) -> String {
    let id = table.world().parties.of(table.body(name).id).expect("a party");
    table.world().characters[table.world().parties[id].leader].name.clone()
}

/// Invitation, acceptance and following; the member list shows each state, and `party` reaches members anywhere.
#[test]
fn party_forms_by_invitation_and_members_follow() {
    let mut table = Table::new(seeded(3));
    for name in ["Olad", "Bera", "Cato"] {
        table.sit(name);
    }
    assert!(table.types("Olad", "party").contains("in no party"));
    assert!(table.types("Olad", "party invite olad").contains("own company"));
    table.types("Olad", "party invite bera");
    assert!(table.hears("Bera").contains("Olad asks you into a party"));
    assert!(table.types("Bera", "party").contains("Olad has asked you"));
    let read = table.types("Bera", "party accept");
    assert!(read.contains("You go with Olad now, and follow Olad"), "{read}");
    assert_eq!(members_of_party(&table, "Bera"), ["Olad", "Bera"]);
    table.types_all("Olad", &["down", "east"]);
    let list = table.types("Cato", "party");
    assert!(list.contains("in no party"), "{list}");
    let list = table.types("Bera", "party");
    let line = list
        .lines()
        .find(|line| line.starts_with("Olad: level 1, 30 of 30 hit points, at "))
        .expect("a line");
    assert!(line.contains("branch 1") && line.contains("Leads."), "{line}");
    table.hears("Cato");
    table.types("Olad", "p mind the bats");
    assert!(table.hears("Bera").contains("[Party] Olad: mind the bats"));
    assert!(!table.hears("Cato").contains("bats"));
    let read = table.types("Olad", "party leave the bats alone");
    assert!(read.contains("[Party] Olad: leave the bats alone"), "words that are no order are said: {read}");
}

/// Invitations expire, can be declined and are limited per invited player; party size is limited.
#[test]
fn a8_invitations_and_party_size_are_bounded() {
    let mut config = seeded(3);
    config.limits.party_invitations = 2;
    let names = ["Olad", "Bera", "Cato", "Dagny", "Edda", "Finn", "Gro", "Hild"];
    let mut table = party_in(config, &names[..6]);
    for name in &names[6..] {
        table.sit(name);
    }
    assert_eq!(members_of_party(&table, "Olad").len(), 6);
    assert!(table.types("Olad", "party invite gro").contains("six at most"));
    assert!(table.types("Bera", "party invite gro").contains("Olad, who leads"));
    table.types("Olad", "party kick finn");
    assert!(table.hears("Finn").contains("sends you away"));
    table.types("Olad", "party invite gro");
    assert!(table.types("Olad", "party invite finn").contains("six at most"), "whoever is asked counts");
    table.types("Finn", "party invite gro");
    assert!(table.types("Hild", "party invite gro").contains("too many at once"));
    assert!(table.types("Gro", "party accept").contains("Say whom you mean"));
    table.types("Gro", "party decline finn");
    assert!(table.hears("Finn").contains("Gro does not want to come along"));
    assert!(members_of_party(&table, "Finn").is_empty(), "nobody came");
    table.waits(Span::secs(120));
    assert!(table.types("Gro", "party accept").contains("Nobody has asked you"));
    assert!(table.hears("Olad").contains("Gro has not answered"));
}

#[test]
fn leadership_passes_on_and_party_of_one_ends() {
    let mut table = party(&["Olad", "Bera", "Cato"]);
    assert!(table.types("Bera", "party lead cato").contains("That is for Olad"));
    table.types("Olad", "party lead bera");
    assert_eq!(leader(&table, "Olad"), "Bera");
    table.types("Bera", "party leave");
    assert_eq!((leader(&table, "Olad").as_str(), members_of_party(&table, "Bera").len()), ("Olad", 0));
    assert!(table.hears("Olad").contains("You lead the party now"));
    table.types("Olad", "party leave");
    assert!(table.hears("Cato").contains("The party is over"));
    assert!(table.types("Cato", "party hello").contains("in no party"));
}

/// A broken link and a restart leave a party unchanged. A member who quits keeps the place for a while but not the
/// lead; with no member awake the party ends.
#[test]
fn n14_party_survives_broken_links_and_restarts() {
    let mut table = party(&["Olad", "Bera", "Cato"]);
    table.break_link("Olad");
    assert_eq!(leader(&table, "Bera"), "Olad");
    let list = table.types("Bera", "party");
    assert!(list.contains("the link is broken"), "{list}");
    table.comes_back("Olad");
    table.restart();
    assert_eq!((leader(&table, "Cato").as_str(), members_of_party(&table, "Cato").len()), ("Olad", 3));
    assert!(table.world().characters[table.body("Bera").id].following.is_some());

    table.types("Olad", "quit");
    assert_eq!((leader(&table, "Bera").as_str(), members_of_party(&table, "Bera").len()), ("Bera", 3));
    assert!(table.types("Bera", "party").contains("Asleep."));
    table.crash();
    table.comes_back("Bera");
    table.comes_back("Cato");
    table.waits(Span::mins(29));
    assert_eq!(members_of_party(&table, "Bera").len(), 3);
    table.waits(Span::mins(1));
    assert_eq!(members_of_party(&table, "Bera"), ["Bera", "Cato"], "the place is lost after half an hour");
    table.types("Bera", "quit");
    assert_eq!(members_of_party(&table, "Cato").len(), 2);
    table.types("Cato", "quit");
    assert_eq!(table.world().parties.len(), 0, "nobody is awake");
}

/// Chains of followers come along through exits and start exits; a follower who stays is named, with the reason.
#[test]
fn followers_come_along_through_exits_in_a_chain() {
    let mut table = party(&["Olad", "Bera", "Cato"]);
    table.types("Cato", "follow bera");
    table.types_all("Olad", &["down", "east"]);
    let room = table.body("Olad").room;
    assert!(table.branch_of("Olad").is_some());
    assert_eq!((table.body("Bera").room, table.body("Cato").room), (room, room));
    assert!(table.types("Olad", "follow cato").contains("nobody would go anywhere"), "no circles");
    table.types("Cato", "follow");
    table.types("Olad", "west");
    assert_eq!((table.body("Bera").branch, table.body("Cato").room), (None, room));
    assert!(table.types("Cato", "follow").contains("follow nobody"));
    assert!(table.types("Cato", "follow nobody").contains("Nobody in your party"));
    table.types("Olad", "east");
    table.break_link("Bera");
    table.hears("Olad");
    let read = table.types("Olad", "west");
    assert!(read.contains("Bera stares into the dark and stays behind."), "{read}");
    table.comes_back("Bera");
}

/// Olad and Bera in a first room with one guard, scaled for two.
fn two_before_a_guard() -> Table {
    for seed in 0..300 {
        let mut table = party_in(seeded(seed), &["Olad", "Bera"]);
        table.types_all("Olad", &["down", "east"]);
        let room = table.room("Olad");
        let creatures =
            table.world().occupants(room.id).iter().filter(|id| !table.world().characters[**id].is_player());
        if !room.clear && room.scaled_for == 2 && creatures.count() == 1 {
            return table;
        }
    }
    panic!("no seed has a guard in the first room");
}

fn guard(table: &Table) -> deepwell::world::Character {
    let here = table.world().occupants(table.body("Olad").room);
    let guard = here.iter().find(|id| !table.world().characters[**id].is_player()).expect("a guard");
    table.world().characters[*guard].clone()
}

/// A room's guard is scaled to the players at its first entry; each reads about it, and it survives a restart.
#[test]
fn room_guard_is_scaled_to_players_at_first_entry() {
    let mut table = two_before_a_guard();
    let sentence = "Two of you: what waits here has half as much life again, and strikes harder.";
    assert!(table.hears("Bera").contains(sentence), "Bera reads it too");
    let guard = guard(&table);
    let usual =
        i32::try_from(crate::table::CATALOG.creatures[guard.prototype.as_ref().expect("a creature")].hp)
            .expect("small");
    assert_eq!((guard.hp, guard.max_hp), (usual * 3 / 2, usual * 3 / 2));
    table.restart();
    assert_eq!(table.room("Olad").scaled_for, 2);
    let hp = table.world().characters[guard.id].max_hp;
    assert_eq!(hp, usual * 3 / 2);
}

/// Each member in the room reads its own share, four fifths for two; a follower in combat stays behind.
#[test]
fn t10_t16_members_read_their_own_share_of_experience() {
    let mut table = two_before_a_guard();
    let guard = guard(&table);
    let share = guard.xp * 80 / 100;
    table.hears("Bera");
    table.types("Bera", "kill");
    if table.world().characters.get(guard.id).is_some() {
        let read = table.types("Olad", "west");
        if table.body("Olad").room != guard.room {
            assert!(read.contains("Bera is in a fight and stays behind."), "{read}");
            table.types("Olad", "east");
        }
    }
    table.becomes("Olad", 30, 500);
    for _ in 0..20 {
        if table.world().characters.get(guard.id).is_none() {
            break;
        }
        table.types("Olad", "kill");
        table.waits(Span::secs(3));
    }
    assert!(table.world().characters.get(guard.id).is_none());
    for name in ["Olad", "Bera"] {
        assert_eq!(table.body(name).xp, share, "{name}");
        let read = table.hears(name);
        assert!(
            read.contains(&guard.name) && read.contains(&format!("{share} experience")),
            "{name}: {read}"
        );
    }
}

/// Olad in a branch, Bera outside at the start room, after the window has closed.
fn member_outside_branch(rope: Rope) -> Table {
    let mut config = seeded(3);
    config.dungeon.reset_chance_permille = 1_000;
    config.dungeon.rope = rope;
    let mut table = party_in(config, &["Olad", "Bera"]);
    table.types_all("Olad", &["down", "east"]);
    table.types_all("Bera", &["follow", "west"]);
    table.waits(Span::secs(601));
    assert!(table.branch_of("Olad").is_some() && table.branch_of("Bera").is_none());
    table
}

/// With the rope disabled, the exit leads to another branch after the window.
#[test]
fn e9_without_rope_the_exit_leads_to_another_branch() {
    let mut table = member_outside_branch(Rope::Off);
    assert!(table.types("Bera", "rope").contains("Nobody leaves ropes"));
    table.types("Bera", "east");
    assert_ne!(table.branch_of("Bera"), table.branch_of("Olad"));
}

/// Once per branch, by `rope` or by the exit, the rope leads into the first room. Both players are notified; the use
/// survives a restart.
#[test]
fn e9_rope_returns_a_member_once_per_branch() {
    for line in ["rope", "east"] {
        let mut table = member_outside_branch(Rope::Once);
        let first = table.rooms_of(table.branch_of("Olad").expect("a branch"))[0];
        table.hears("Olad");
        let read = table.types("Bera", line);
        assert_eq!((table.branch_of("Bera"), table.body("Bera").room), (table.branch_of("Olad"), first));
        assert!(read.contains("not bear you into this branch again"), "{read}");
        assert!(table.hears("Olad").contains("Bera comes back to you by the rope."));
        table.restart();
        table.types("Bera", "west");
        assert!(table.types("Bera", "rope").contains("borne you once"));
        table.types("Bera", "east");
        assert_ne!(table.branch_of("Bera"), table.branch_of("Olad"), "the second time it is another branch");
    }
}

/// The rope is for members only, and only at the start room of the branch.
#[test]
fn e9_rope_is_for_members_at_the_start_room() {
    let mut table = member_outside_branch(Rope::Free);
    table.types("Bera", "rope");
    table.types("Bera", "west");
    let read = table.types("Bera", "rope");
    assert!(!read.contains("not bear"), "as often as one likes: {read}");
    assert_eq!(table.branch_of("Bera"), table.branch_of("Olad"));
    table.types("Bera", "west");
    assert!(table.branch_of("Bera").is_none());
    table.types("Bera", "up");
    assert!(table.types("Bera", "rope").contains("Bottom of the Well"));
    table.types_all("Bera", &["down", "party leave"]);
    assert!(table.types("Bera", "rope").contains("in no party"));
    table.types("Bera", "east");
    assert_ne!(table.branch_of("Bera"), table.branch_of("Olad"));
}

/// A follower of a player on the rope needs a rope of their own, otherwise stays.
#[test]
fn e9_follower_without_rope_stays_behind() {
    let mut table = member_outside_branch(Rope::Once);
    table.sit("Cato");
    table.types("Olad", "party invite cato");
    table.types_all("Cato", &["party accept", "down", "rope", "west"]);
    assert!(table.branch_of("Cato").is_none());
    table.types("Cato", "follow bera");
    let read = table.types("Bera", "rope");
    assert!(read.contains("Cato has no rope to go by and stays behind."), "{read}");
    assert!(table.branch_of("Cato").is_none(), "no branch of its own was opened");
}

/// A client gets the whole party when its composition changes, one member when only that member changes, and no party
/// messages otherwise.
#[test]
fn clients_get_party_data_when_it_changes() {
    let mut table = Table::new(seeded(3));
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    table.wants("Olad", [Package::Party]);
    let info = table.news("Olad", "Party.Info");
    assert_eq!(info[0]["members"].as_array().map(Vec::len), Some(0));
    table.types("Olad", "party invite bera");
    table.types("Bera", "party accept");
    let info = table.news("Olad", "Party.Info").pop().expect("the party");
    assert_eq!((info["leader"].as_str(), info["loot"].as_str()), (Some("Olad"), Some("round-robin")));
    let bera = &info["members"][1];
    assert_eq!(
        (bera["name"].as_str(), bera["hp"].as_i64(), bera["maxhp"].as_i64()),
        (Some("Bera"), Some(30), Some(30))
    );
    assert_eq!((bera["level"].as_i64(), bera["state"].as_str()), (Some(1), Some("ready")));
    table.types("Bera", "down");
    let news = table.news("Olad", "Party.Update");
    assert_eq!(news.len(), 1, "{news:?}");
    assert_eq!(news[0]["place"].as_str(), Some("Bottom of the Well"));
    table.types("Bera", "look");
    assert!(table.news("Olad", "Party.Update").is_empty(), "nothing has changed");
    table.break_link("Bera");
    let states = table.news("Olad", "Party.Update");
    assert_eq!(states[0]["state"].as_str(), Some("link-dead"));
    table.comes_back("Bera");
    assert_eq!(table.news("Olad", "Party.Update")[0]["state"].as_str(), Some("ready"));
    table.types("Bera", "party leave");
    let info = table.news("Olad", "Party.Info").pop().expect("no party any more");
    assert!(info["id"].is_null() && info["members"].as_array().is_some_and(Vec::is_empty));
    assert!(table.news("Bera", "Party.Info").is_empty(), "unasked");
}

/// The leader sets the loot rule. Read-only storage blocks the change, but not party talk or listing.
#[test]
fn leader_sets_the_loot_rule() {
    let mut table = party(&["Olad", "Bera"]);
    assert!(table.types("Bera", "party loot").contains("in turn"));
    assert!(table.types("Bera", "party loot roll").contains("That is for Olad"));
    table.types("Olad", "party loot roll");
    let id = table.world().parties.of(table.body("Olad").id).expect("a party");
    assert_eq!(table.world().parties[id].loot, LootRule::Roll);
    table.step(deepwell::game::Input::StorageReadOnly(true));
    assert!(table.types("Olad", "party loot free").contains("cannot write"));
    assert!(table.types("Olad", "party still here").contains("[Party] Olad: still here"));
    assert!(table.types("Olad", "party").contains("Leads."));
}
