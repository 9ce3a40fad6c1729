//! Tests of loot and experience sharing in parties, including races.

use crate::building::built_rooms;
use crate::character::{spawn, stats};
use crate::creature::companion;
use crate::exit::clearing;
use crate::party::{roll, scale, share};
use crate::table::{CATALOG, Table};
use crate::{GameConfig, attack};
use deepwell_core::base::{ItemId, PartyId, Seed, Span};
use deepwell_core::world::{LootRule, Place};

/// One item valuable enough for a roll, and one that is not.
const FINE: &str = "silver_button";
const POOR: &str = "torch_stub";

/// Creates a few players in town, all in one party.
fn party_of(names: &[&str]) -> Table {
    let mut party = Table::new(GameConfig { seed: Seed(11), ..GameConfig::default() });
    for name in names {
        party.sit(name);
    }
    for name in &names[1..] {
        party.types(names[0], &format!("party invite {name}"));
        party.types(name, "party accept");
    }
    party
}

impl Table {
    fn party(&self) -> Option<PartyId> {
        self.world().parties.iter().next().map(|(id, _)| id)
    }

    fn loot(&mut self, rule: LootRule) {
        let id = self.party().unwrap();
        self.game.turn.world.parties.edit(id).unwrap().loot = rule;
    }

    /// Drops an item found by the first player.
    fn wins(&mut self, key: &str) -> ItemId {
        let (room, finder) = (self.room("Olad").id, self.id("Olad"));
        let item = spawn::spawn_item(&mut self.game.turn, key, Place::Room(room), "test").unwrap();
        roll::award_item(&mut self.game.turn, item, finder);
        self.commit();
        item
    }

    /// Returns the name of an item's holder; `None` if it is on the ground.
    fn bearer(&self, item: ItemId) -> Option<&str> {
        match self.game.turn.world.items[item].place {
            Place::Holder(holder) => Some(&self.game.turn.world.characters[holder].name),
            _ => None,
        }
    }

    fn purses(&self) -> Vec<i64> {
        let players = self.world().characters.iter().filter(|(_, body)| body.is_player());
        players.map(|(_, body)| body.money.purse - 50).collect()
    }
}

fn three() -> Table {
    party_of(&["Olad", "Bera", "Cato"])
}

/// Shares for one to five members; members elsewhere get nothing and do not reduce the shares.
#[test]
fn t10_members_in_the_room_share_experience() {
    let names = ["Olad", "Bera", "Cato", "Dagny", "Edda"];
    for (heads, share) in [(1, 100), (2, 80), (3, 70), (4, 60), (5, 60)] {
        let mut party = party_of(&names[..heads]);
        let room = party.room("Olad").id;
        let troll = spawn::spawn_creature(&mut party.game.turn, "troll", room, None).unwrap();
        let slayer = party.id("Olad");
        share::share_experience(&mut party.game.turn, troll, slayer);
        for name in &names[..heads] {
            assert_eq!(party.game.turn.world.characters[party.id(name)].xp, share, "{name} of {heads}");
        }
        // A party member in another room.
        if heads == 2 {
            let (bera, away) = (party.id("Bera"), built_rooms::town(&party.game.turn));
            let other = party.game.turn.world.rooms.iter().map(|(id, _)| id).find(|id| *id != away).unwrap();
            party.game.turn.world.move_character(bera, other);
            share::share_experience(&mut party.game.turn, troll, slayer);
            assert_eq!(party.game.turn.world.characters[slayer].xp, 180, "alone in the room: all of it");
            assert_eq!(party.game.turn.world.characters[bera].xp, 80);
        }
    }
}

/// A companion's kill is credited to its master, and the companion takes no share.
#[test]
fn t10_companions_take_no_share() {
    let mut party = party_of(&["Olad", "Bera"]);
    let (room, olad) = (party.room("Olad").id, party.id("Olad"));
    let troll = spawn::spawn_creature(&mut party.game.turn, "troll", room, None).unwrap();
    let rat = spawn::spawn_creature(&mut party.game.turn, "rat", room, None).unwrap();
    assert!(companion::join_companion(&mut party.game.turn, rat, olad));
    share::share_experience(&mut party.game.turn, troll, rat);
    for name in ["Olad", "Bera"] {
        assert_eq!(party.game.turn.world.characters[party.id(name)].xp, 80, "{name}");
    }
    assert_eq!(
        party.game.turn.world.characters[rat].xp,
        i64::from(CATALOG.creatures["rat"].xp),
        "its own worth"
    );
}

/// No copper is lost, and over many finds no member is more than one copper ahead.
#[test]
fn coins_are_split_to_the_last_copper() {
    let mut party = three();
    let (room, olad) = (party.room("Olad").id, party.id("Olad"));
    let mut total = 0;
    for copper in [10, 1, 1, 7, 0, 3, 11, 100] {
        share::split_coins(&mut party.game.turn, olad, room, copper, "You find");
        party.commit();
        total += copper;
        let purses = party.purses();
        assert_eq!(purses.iter().sum::<i64>(), total);
        assert!(purses.iter().max().unwrap() - purses.iter().min().unwrap() <= 1, "{purses:?}");
    }
    share::split_coins(&mut party.game.turn, olad, room, -5, "You find");
    assert_eq!(party.purses().iter().sum::<i64>(), total, "no debts");
}

/// Items go round in turn, skipping members who are away or cannot carry more.
#[test]
fn round_robin_loot_skips_unable_members() {
    let mut party = three();
    let given = |party: &mut Table| {
        let item = party.wins(POOR);
        party.bearer(item).map(str::to_owned)
    };
    let names: Vec<_> = (0..4).map(|_| given(&mut party).unwrap()).collect();
    assert_eq!(names, ["Olad", "Bera", "Cato", "Olad"]);
    party.game.turn.config.limits.items_carried = 1;
    assert_eq!(given(&mut party), None, "all hands are full: it lies there");
    party.game.turn.config.limits.items_carried = 2;
    assert_eq!(given(&mut party).unwrap(), "Bera");
    assert_eq!(given(&mut party).unwrap(), "Cato");
    assert_eq!(given(&mut party), None);
    party.loot(LootRule::Free);
    party.game.turn.config.limits.items_carried = 60;
    assert_eq!(given(&mut party), None, "free for all");
}

/// Need beats greed in any order of answers; the last answer settles the roll immediately.
#[test]
fn need_beats_greed() {
    let mut party = three();
    party.loot(LootRule::Roll);
    let poor = party.wins(POOR);
    assert!(party.game.turn.world.parties.rolled_for(poor).is_none(), "not worth dice");
    let item = party.wins(FINE);
    party.types("Olad", "roll greed");
    party.types("Cato", "roll need");
    assert_eq!(party.bearer(item), None, "Bera has not answered");
    let read = party.types("Bera", "roll greed silver");
    assert_eq!(party.bearer(item), Some("Cato"));
    assert!(read.contains("Cato gets a silver button."), "{read}");
    assert!(party.types("Bera", "roll need").contains("Nothing waits"));
}

/// Equal claims are decided by dice, which are reported; ties are rolled again.
#[test]
fn equal_claims_are_decided_by_dice() {
    let (mut winners, mut again) = (std::collections::BTreeSet::new(), 0);
    let mut party = three();
    party.loot(LootRule::Roll);
    for _ in 0..150 {
        let item = party.wins(FINE);
        party.sleeps(Span::secs(1));
        party.types("Olad", "roll need");
        party.types("Bera", "roll need");
        let read = party.types("Cato", "roll greed");
        assert!(read.contains("Olad throws") && read.contains("Bera throws"), "{read}");
        assert!(!read.contains("Cato throws"), "{read}");
        again += usize::from(read.contains("throw again"));
        winners.insert(party.bearer(item).unwrap().to_owned());
        party.game.turn.world.remove_item(item, "test");
    }
    assert_eq!(winners.into_iter().collect::<Vec<_>>(), ["Bera", "Olad"]);
    assert!(again > 0, "150 throws without an equal one");
}

/// No answer is a pass. If all pass, the item is free to take, and only then.
#[test]
fn unanswered_roll_counts_as_pass() {
    let mut party = three();
    party.loot(LootRule::Roll);
    let (first, second) = (party.wins(FINE), party.wins(FINE));
    party.types("Bera", "roll greed");
    party.waits(Span::secs(29));
    assert_eq!((party.bearer(first), party.bearer(second)), (None, None));
    let refused = party.types("Olad", "get button");
    assert!(refused.contains("Dice are out"), "{refused}");
    party.waits(Span::secs(1));
    assert_eq!((party.bearer(first), party.bearer(second)), (Some("Bera"), None));
    party.types("Olad", "get button");
    assert_eq!(party.bearer(second), Some("Olad"));
}

/// A roll survives a crash: its deadline fires and the item exists once.
#[test]
fn open_roll_survives_a_crash() {
    let mut party = three();
    party.loot(LootRule::Roll);
    let item = party.wins(FINE);
    party.types("Bera", "roll greed");
    party.crash();
    assert!(party.game.turn.world.parties.rolled_for(item).is_some());
    party.waits(Span::secs(30));
    assert_eq!(party.bearer(item), Some("Bera"), "settled once, without anybody connected");
    let (stock, there) = (party.game.turn.world.meta().stock[FINE], party.game.turn.world.items.len());
    assert_eq!((stock.made - stock.gone, there), (1, 1));
}

/// Leaving is a pass; quitting or disconnecting neither helps nor hurts.
#[test]
fn leaving_passes_but_quitting_keeps_the_claim() {
    let mut party = three();
    party.loot(LootRule::Roll);
    let left = party.wins(FINE);
    party.types("Cato", "roll need");
    party.types("Olad", "roll greed");
    party.types("Cato", "party leave");
    assert_eq!(party.bearer(left), None, "Bera has not answered");
    party.types("Bera", "roll pass");
    assert_eq!(party.bearer(left), Some("Olad"), "Cato's need went with Cato");

    let quit = party.wins(FINE);
    party.types("Bera", "roll need");
    party.types("Bera", "quit");
    party.types("Olad", "roll need");
    assert!(party.bearer(quit).is_some(), "all have answered");

    let mut party = party_of(&["Olad", "Bera"]);
    party.loot(LootRule::Roll);
    let cut = party.wins(FINE);
    party.break_link("Bera");
    party.types("Olad", "roll greed");
    party.waits(Span::secs(30));
    assert_eq!(party.bearer(cut), Some("Olad"), "silence is a pass, also of who is link-dead");
}

/// A leader cannot kick a member with an open roll. Dissolving the party settles open rolls.
#[test]
fn claimant_cannot_be_kicked_during_a_roll() {
    let mut party = party_of(&["Olad", "Bera"]);
    party.loot(LootRule::Roll);
    let item = party.wins(FINE);
    party.types("Olad", "roll need");
    assert!(party.types("Olad", "party kick bera").contains("settled"));
    party.types("Bera", "party leave");
    assert_eq!((party.bearer(item), party.party()), (Some("Olad"), None), "alone: over, and settled first");
}

/// Removing an item ends its roll, and no member can win the item afterwards.
#[test]
fn removed_item_ends_its_roll() {
    let mut party = three();
    party.loot(LootRule::Roll);
    let item = party.wins(FINE);
    party.types("Olad", "roll need");
    party.game.turn.world.remove_item(item, "test");
    party.commit();
    assert!(party.types("Bera", "roll need").contains("Nothing waits"));
    party.waits(Span::secs(40));
    let stock = party.game.turn.world.meta().stock[FINE];
    assert_eq!(stock.made, stock.gone);
}

/// The number of concurrent rolls is limited.
#[test]
fn a8_open_rolls_are_limited() {
    let mut party = three();
    party.game.turn.config.limits.party_rolls = 2;
    party.loot(LootRule::Roll);
    let rolled = (0..4).filter(|_| {
        let item = party.wins(FINE);
        party.game.turn.world.parties.rolled_for(item).is_some()
    });
    assert_eq!(rolled.count(), 2);
}

/// Experience share times members is never below the creatures' hit point factor, so a party is never worse off than a
/// single player.
#[test]
fn shares_keep_up_with_creature_hit_points() {
    let rules = &CATALOG.rules.party;
    for heads in 1..=rules.size_max {
        let share = deepwell_core::catalog::rules::by_number(&rules.experience_percent, heads as usize);
        let hp = deepwell_core::catalog::rules::by_number(&rules.creature_hp_percent, heads as usize);
        assert!(share * heads >= hp, "{heads}: {share} percent each, {hp} percent hit points");
    }
}

/// Hit points of a creature for parties of one, two and three. Companions are not scaled, and no room is scaled twice.
#[test]
fn room_creatures_scale_with_the_party_that_opens_it() {
    for (heads, hp) in [(1, 16), (2, 24), (3, 30)] {
        let names = &["Olad", "Bera", "Cato"][..heads];
        let mut party = party_of(names);
        // Members who follow are there already.
        for name in names {
            if party.branch_of(name).is_none() {
                party.types_all(name, &["down", "east"]);
            }
        }
        let (room, branch) =
            (party.room("Olad").id, party.game.turn.world.characters[party.id("Olad")].branch);
        assert!(branch.is_some() && party.game.turn.world.branches.members(branch.unwrap()).len() == heads);
        let troll = spawn::spawn_creature(&mut party.game.turn, "troll", room, branch).unwrap();
        let friend = spawn::spawn_creature(&mut party.game.turn, "troll", room, branch).unwrap();
        let olad = party.id("Olad");
        assert!(companion::join_companion(&mut party.game.turn, friend, olad));
        party.game.turn.world.rooms.edit(room).unwrap().scaled_for = 0;
        scale::scale_for_arrival(&mut party.game.turn, room, olad, room);
        scale::scale_for_arrival(&mut party.game.turn, room, olad, room);
        let of = |id| party.game.turn.world.characters[id].max_hp;
        assert_eq!((of(troll), of(friend)), (hp, 16), "for {heads}, and never twice");
    }
}

/// A companion fights for its master, follows, and leaves when the branch ends.
#[test]
fn companion_fights_follows_and_leaves_with_the_branch() {
    let mut party = party_of(&["Olad"]);
    party.types("Olad", "down");
    party.types("Olad", "east");
    let (olad, room) = (party.id("Olad"), party.room("Olad").id);
    let branch = party.game.turn.world.characters[olad].branch;
    for creature in party.game.turn.world.occupants(room).to_vec() {
        if creature != olad {
            party.game.turn.world.remove_character(creature);
        }
    }
    let friend = spawn::spawn_creature(&mut party.game.turn, "troll", room, branch).unwrap();
    assert!(companion::join_companion(&mut party.game.turn, friend, olad));
    assert!(clearing::guards(&party.game.turn, room).is_empty(), "it bars nothing");
    let orc = spawn::spawn_creature(&mut party.game.turn, "orc", room, branch).unwrap();
    let list = party.types("Olad", "companion");
    assert!(list.contains("A troll follows you: 16 of 16 hit points."), "{list}");
    assert!(party.types("Olad", "kill troll").contains("on your side"));
    let read = party.types("Olad", "kill orc");
    assert!(read.contains("The troll steps in against the orc."), "{read}");
    assert_eq!(party.game.turn.world.characters[friend].target, Some(orc));
    party.waits(Span::secs(60));
    assert!(party.game.turn.world.characters.get(orc).is_none());
    let read = party.types("Olad", "west");
    assert!(read.contains("The troll comes along."), "{read}");
    assert!(party.game.turn.world.characters.get(friend).is_none(), "it parts at the start room");
    party.commit();
}

/// The number of companions is limited; `dismiss` sends one away.
#[test]
fn a8_companions_are_limited_and_can_be_dismissed() {
    let mut party = party_of(&["Olad"]);
    party.game.turn.config.limits.companions = 1;
    let (olad, room) = (party.id("Olad"), party.room("Olad").id);
    let rats: Vec<_> =
        (0..2).map(|_| spawn::spawn_creature(&mut party.game.turn, "rat", room, None).unwrap()).collect();
    assert!(
        companion::join_companion(&mut party.game.turn, rats[0], olad)
            && !companion::join_companion(&mut party.game.turn, rats[1], olad)
    );
    party.types("Olad", "dismiss rat");
    assert!(party.game.turn.world.characters.get(rats[0]).is_none());
    assert!(party.types("Olad", "dismiss").contains("Nobody has joined you"));
}

/// The same by simulated fights: experience per blow against a scaled troll is never below that of a single player,
/// within tolerance.
#[test]
fn simulated_party_gains_as_much_per_blow_as_one_player() {
    let pace = |names: &[&str]| {
        let mut party = party_of(names);
        party.types("Olad", "down");
        party.types("Olad", "east");
        let (room, olad) = (party.room("Olad").id, party.id("Olad"));
        let branch = party.game.turn.world.characters[olad].branch;
        for other in party.game.turn.world.occupants(room).to_vec() {
            if !party.game.turn.world.characters[other].is_player() {
                party.game.turn.world.remove_character(other);
            }
        }
        for name in names {
            let id = party.id(name);
            let body = party.game.turn.world.characters.edit(id).unwrap();
            (body.hp, body.max_hp) = (100_000, 100_000);
        }
        let mut rounds = 0;
        for _ in 0..60 {
            let troll = spawn::spawn_creature(&mut party.game.turn, "troll", room, branch).unwrap();
            party.game.turn.world.rooms.edit(room).unwrap().scaled_for = 0;
            scale::scale_for_arrival(&mut party.game.turn, room, olad, room);
            for name in names {
                party.types(name, "kill troll");
            }
            while party.game.turn.world.characters.get(troll).is_some() {
                party.waits(Span::secs(3));
                rounds += 1;
            }
        }
        let body = &party.game.turn.world.characters[olad];
        let gained = body.xp + i64::from(body.level) - 1;
        assert!(gained > 0, "somebody was paid");
        // Each member attacks once per round, and one attacks once more at the start.
        rounds * i64::try_from(names.len()).unwrap() + 60
    };
    let alone = pace(&["Olad"]);
    for heads in 2..=4 {
        let names = ["Olad", "Bera", "Cato", "Dagny"];
        let together = pace(&names[..heads]);
        let share = deepwell_core::catalog::rules::by_number(&CATALOG.rules.party.experience_percent, heads);
        let all = i64::from(share) * i64::try_from(heads).unwrap();
        // Experience of all for all blows, against that of a single player; 5 % tolerance.
        assert!(all * alone * 105 >= 100 * together * 100, "{heads}: {together} blows, alone {alone}");
    }
}

/// Sides that fight the same creature share experience and coins by the damage they have done, independent of the last blow;
/// players who have left, or have done no damage, get nothing. Within a party the rules of the party hold.
#[test]
fn t10_sides_share_a_kill_by_damage() {
    // Damage of Olad, Bera (one party), Cato and Dagny; the slayer; the winner of the corpse.
    for (damage, slayer, first) in [
        ([10, 0, 30, 0], "Olad", "Cato"),
        ([10, 0, 30, 0], "Cato", "Cato"),
        ([10, 10, 20, 0], "Bera", "Bera"),
        ([10, 10, 20, 0], "Cato", "Cato"),
        ([0, 0, 40, 40], "Olad", "Cato"),
        ([5, 25, 10, 0], "Dagny", "Bera"),
        ([0, 0, 0, 0], "Dagny", "Dagny"),
    ] {
        let names = ["Olad", "Bera", "Cato", "Dagny"];
        let mut party = party_of(&["Olad", "Bera"]);
        party.sit("Cato");
        party.sit("Dagny");
        let room = party.room("Olad").id;
        let troll = spawn::spawn_creature(&mut party.game.turn, "troll", room, None).unwrap();
        for (name, points) in names.into_iter().zip(damage) {
            let who = party.id(name);
            if points > 0 {
                party.game.turn.wounds.add(troll, who, points);
            }
        }
        let by = party.id(slayer);
        let sides = share::sides(&party.game.turn, troll, by);
        assert_eq!(sides[0].first, party.id(first), "{damage:?}, {slayer}");
        assert_eq!(share::parts(&sides, 1_001).iter().sum::<i64>(), 1_001, "no copper is lost");
        share::share_experience(&mut party.game.turn, troll, by);
        let total: u32 = damage.iter().sum();
        let xp = party.game.turn.world.characters[troll].xp;
        for (at, name) in names.into_iter().enumerate() {
            let own = if at < 2 { damage[0] + damage[1] } else { damage[at] };
            let whole = if total == 0 {
                i64::from(name == slayer) * xp
            } else {
                xp * i64::from(own) / i64::from(total)
            };
            let due = if at < 2 { whole * 80 / 100 } else { whole };
            let got = party.game.turn.world.characters[party.id(name)].xp;
            assert!((due..=due + 2).contains(&got), "{name} of {damage:?}, {slayer}: {got}, not {due}");
        }
    }
    // A player who has left gets nothing, and the other everything.
    let mut party = party_of(&["Olad"]);
    party.sit("Cato");
    let (olad, cato, room) = (party.id("Olad"), party.id("Cato"), party.room("Olad").id);
    let troll = spawn::spawn_creature(&mut party.game.turn, "troll", room, None).unwrap();
    party.game.turn.wounds.add(troll, olad, 5);
    party.game.turn.wounds.add(troll, cato, 15);
    party.types("Cato", "north");
    share::share_experience(&mut party.game.turn, troll, olad);
    assert_eq!([olad, cato].map(|who| party.game.turn.world.characters[who].xp), [100, 0]);
}

/// Damage counts for the player who did it, by hand or by a companion, and at most the hit points that were left.
#[test]
fn damage_is_recorded_for_the_player_behind_it() {
    let mut party = party_of(&["Olad"]);
    let (olad, room) = (party.id("Olad"), party.room("Olad").id);
    let troll = spawn::spawn_creature(&mut party.game.turn, "troll", room, None).unwrap();
    let rat = spawn::spawn_creature(&mut party.game.turn, "rat", room, None).unwrap();
    assert!(companion::join_companion(&mut party.game.turn, rat, olad));
    attack::harm(&mut party.game.turn, troll, 5, Some(olad));
    attack::harm(&mut party.game.turn, troll, 4, Some(rat));
    let of = |party: &Table| party.game.turn.wounds.of(troll).collect::<Vec<_>>();
    assert_eq!(of(&party), [(olad, 9)]);
    attack::harm(&mut party.game.turn, troll, 1_000, Some(olad));
    assert_eq!(of(&party), [], "forgotten with the creature");
}

/// Creatures adapt to who is there: strangers count, members elsewhere do not, and who leaves before the fight takes the
/// difference along. A fight that has begun is not made easier.
#[test]
fn creatures_adapt_to_the_players_who_meet_them() {
    let mut party = party_of(&["Olad", "Bera"]);
    party.sit("Cato");
    for name in ["Olad", "Bera", "Cato"] {
        if party.branch_of(name).is_none() {
            party.types_all(name, &["down", "east"]);
        }
    }
    let (room, olad) = (party.room("Olad").id, party.id("Olad"));
    let branch = party.game.turn.world.characters[olad].branch;
    for creature in party.game.turn.world.occupants(room).to_vec() {
        if !party.game.turn.world.characters[creature].is_player() {
            party.game.turn.world.remove_character(creature);
        }
    }
    let orc = spawn::spawn_creature(&mut party.game.turn, "orc", room, branch).unwrap();
    party.game.turn.world.characters.edit(orc).unwrap().attack = 100;
    let row = party.game.turn.world.rooms.edit(room).unwrap();
    (row.clear, row.scaled_for, row.difficulty) = (false, 0, CATALOG.rules.party.full_attack_difficulty);
    let hp = |party: &Table| party.game.turn.world.characters[orc].max_hp;
    let attack = |party: &Table| stats::attack_of(&party.game.turn, orc);
    let (usual, usual_attack) = (hp(&party), attack(&party));
    scale::scale_for_arrival(&mut party.game.turn, room, olad, room);
    for (name, line, players) in [
        ("Cato", "west", 2),
        ("Bera", "west", 1),
        ("Bera", "east", 2),
        ("Cato", "east", 3),
        ("Cato", "west", 2),
    ] {
        party.types(name, line);
        let rules = &CATALOG.rules.party;
        let [hp_now, attack_now] =
            [(&rules.creature_hp_percent, usual), (&rules.creature_attack_percent, usual_attack)].map(
                |(list, one)| {
                    one * i32::try_from(deepwell_core::catalog::rules::by_number(list, players)).unwrap()
                        / 100
                },
            );
        assert_eq!((hp(&party), attack(&party)), (hp_now, attack_now), "{name}: {line}");
    }
    let full = attack(&party);
    party.game.turn.world.rooms.edit(room).unwrap().difficulty = 0;
    assert_eq!(attack(&party), usual_attack, "easy rooms strike as at one player");
    party.game.turn.world.rooms.edit(room).unwrap().difficulty = 6;
    assert!((usual_attack + 1..full).contains(&attack(&party)), "{} of {full}", attack(&party));
    attack::harm(&mut party.game.turn, orc, 1, Some(olad));
    let before = hp(&party);
    party.types("Bera", "west");
    assert_eq!(hp(&party), before, "a fight is not made easier");
    party.types("Cato", "east");
    assert_eq!(hp(&party), before, "a stranger who comes later changes nothing");
}
