//! Model of two players in the town and of their possible next commands: give, buy, put, wear, deposit, form a party,
//! change settings. Each acknowledged command updates the model, which is compared with the stored world.

use deepwell::world::{Character, Place, Snapshot, Width};
use std::collections::BTreeMap;

/// Starting room, where the players trade.
pub(crate) const SHOP: &str = "Chandler's Shop";
const BANK: &str = "Counting House";

const OIL: &str = "lamp_oil";
const SACK: &str = "cloth_sack";
const SHIELD: &str = "plank_shield";
/// Capacity of the sack.
const SACK_HOLDS: u32 = 8;
/// Goods: prototype, keyword, price in copper, and the price the chandler pays, if any.
const GOODS: [(&str, &str, i64, Option<i64>); 3] =
    [(OIL, "oil", 6, Some(2)), (SHIELD, "shield", 15, Some(6)), (SACK, "sack", 12, None)];

/// Place of an item on a player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kept {
    Held,
    InSack,
    Worn,
}

/// Known state of one player.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) room: String,
    pub(crate) purse: i64,
    bank: i64,
    /// Counts of items by prototype and place; zero counts are absent.
    things: BTreeMap<(String, Kept), u32>,
    alias: Option<String>,
    width: Width,
}

/// Party state of the two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Company {
    Apart,
    /// The first player has invited the second.
    Asked,
    /// The second player follows the first.
    Together,
}

/// Known state of both players.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pair {
    pub(crate) people: [Person; 2],
    pub(crate) company: Company,
}

/// Command, the start of its acknowledgement, and the state after it.
pub(crate) struct Deed {
    pub(crate) who: usize,
    pub(crate) line: String,
    pub(crate) told: String,
    pub(crate) then: Pair,
}

impl Pair {
    /// Reads the stored state of two players.
    pub(crate) fn stored(stored: &Snapshot, names: [&str; 2]) -> Self {
        let bodies = names.map(|name| character(stored, name));
        let company = stored.parties.values().find(|party| party.members.contains(&bodies[0].id));
        let company = match company {
            Some(party) if party.members.contains(&bodies[1].id) => Company::Together,
            Some(party) if party.invited.contains_key(&bodies[1].id) => Company::Asked,
            _ => Company::Apart,
        };
        Self { people: bodies.map(|body| Person::stored(stored, body)), company }
    }

    /// Returns all commands possible now; `number` varies their texts and amounts.
    pub(crate) fn deeds(&self, number: u32) -> Vec<Deed> {
        let mut deeds = self.of_company();
        if self.company == Company::Asked {
            return deeds;
        }
        for who in 0..2 {
            deeds.extend(self.of_settings(who, number));
            deeds.extend(self.of_things(who));
            deeds.extend(self.of_money(who, 1 + i64::from(number % 3)));
        }
        deeds
    }

    fn deed(
        &self,
        who: usize,
        line: String,
        message: impl Into<String>,
        change: impl FnOnce(&mut Self),
    ) -> Deed {
        let mut then = self.clone();
        change(&mut then);
        Deed { who, line, told: message.into(), then }
    }

    /// Returns moves, which a follower joins, and party commands.
    fn of_company(&self) -> Vec<Deed> {
        let set = |company| move |pair: &mut Self| pair.company = company;
        if self.company == Company::Asked {
            return vec![self.deed(1, "party accept".into(), "You go with ", set(Company::Together))];
        }
        let together = self.company == Company::Together;
        let in_shop = self.people[0].room == SHOP;
        let (way, room) = if in_shop { ("south", BANK) } else { ("north", SHOP) };
        let walk = self.deed(0, way.into(), room, |pair| {
            pair.people
                .iter_mut()
                .take(if together { 2 } else { 1 })
                .for_each(|person| person.room = room.into());
        });
        let turn = if together {
            self.deed(1, "party leave".into(), "You leave the party.", set(Company::Apart))
        } else {
            let line = format!("party invite {}", self.people[1].name);
            self.deed(0, line, format!("You ask {}", self.people[1].name), set(Company::Asked))
        };
        let meet = self.people[0].room == self.people[1].room;
        if meet { vec![walk, turn] } else { vec![walk] }
    }

    fn of_settings(&self, who: usize, number: u32) -> [Deed; 2] {
        let command = format!("say {number}");
        let columns = 60 + u16::try_from(number % 90).unwrap();
        [
            self.deed(who, format!("alias mark={command}"), "mark stands for", |pair| {
                pair.people[who].alias = Some(command);
            }),
            self.deed(who, format!("config width {columns}"), "width: ", |pair| {
                pair.people[who].width = Width::Columns(columns);
            }),
        ]
    }

    fn of_things(&self, who: usize) -> Vec<Deed> {
        let (person, other) = (&self.people[who], 1 - who);
        let count =
            |thing: &str, kept| person.things.get(&(thing.to_owned(), kept)).copied().unwrap_or_default();
        let has = |thing, kept| count(thing, kept) > 0;
        let mut deeds = Vec::new();
        let mut moves = |line: &str, message: &str, thing: &'static str, from: Kept, to: Kept| {
            deeds.push(self.deed(who, line.into(), message, |pair| {
                pair.people[who].take(thing, from);
                pair.people[who].keep(thing, to);
            }));
        };
        if has(SACK, Kept::Held) && has(OIL, Kept::Held) && count(OIL, Kept::InSack) < SACK_HOLDS {
            moves("put oil in sack", "You put a flask", OIL, Kept::Held, Kept::InSack);
        }
        if has(OIL, Kept::InSack) {
            moves("get oil from sack", "You take a flask", OIL, Kept::InSack, Kept::Held);
        }
        if has(SHIELD, Kept::Held) && !has(SHIELD, Kept::Worn) {
            moves("wear shield", "You put on a plank shield", SHIELD, Kept::Held, Kept::Worn);
        }
        if has(SHIELD, Kept::Worn) {
            moves("remove shield", "You take off the plank shield", SHIELD, Kept::Worn, Kept::Held);
        }
        if has(OIL, Kept::Held) && person.room == self.people[other].room {
            let line = format!("give oil to {}", self.people[other].name);
            deeds.push(self.deed(who, line, format!("You give {}", self.people[other].name), |pair| {
                pair.people[who].take(OIL, Kept::Held);
                pair.people[other].keep(OIL, Kept::Held);
            }));
        }
        deeds
    }

    fn of_money(&self, who: usize, sum: i64) -> Vec<Deed> {
        let (person, other) = (&self.people[who], 1 - who);
        let mut deeds = Vec::new();
        let mut pays = |line: String, message: String, change: &dyn Fn(&mut Self)| {
            deeds.push(self.deed(who, line, message, change));
        };
        if person.purse >= sum && person.room == self.people[other].room {
            pays(
                format!("give {sum} copper to {}", self.people[other].name),
                format!("You give {}", self.people[other].name),
                &|pair| {
                    pair.people[who].purse -= sum;
                    pair.people[other].purse += sum;
                },
            );
        }
        if person.room == BANK {
            let mut moves = |line: String, message: &str, into_bank: i64| {
                pays(line, message.into(), &|pair| {
                    pair.people[who].purse -= into_bank;
                    pair.people[who].bank += into_bank;
                });
            };
            if person.purse >= sum {
                moves(format!("deposit {sum}"), "You put", sum);
            }
            if person.bank >= sum {
                moves(format!("withdraw {sum}"), "The bank hands you", -sum);
            }
            return deeds;
        }
        for (thing, word, price, back) in GOODS {
            let has = |kept| person.things.get(&(thing.to_owned(), kept)).copied().unwrap_or_default();
            let owned = has(Kept::Held) + has(Kept::InSack) + has(Kept::Worn);
            if person.purse >= price && owned < 2 && !(thing == SACK && owned == 1) {
                pays(format!("buy {word}"), "You buy a ".into(), &|pair| {
                    pair.people[who].purse -= price;
                    pair.people[who].keep(thing, Kept::Held);
                });
            }
            if let Some(back) = back.filter(|_| has(Kept::Held) > 0) {
                pays(format!("sell {word}"), "You sell a ".into(), &|pair| {
                    pair.people[who].purse += back;
                    pair.people[who].take(thing, Kept::Held);
                });
            }
        }
        deeds
    }
}

impl Person {
    fn stored(stored: &Snapshot, body: &Character) -> Self {
        let settings = &stored.accounts[&body.account.unwrap()].settings;
        let mut person = Self {
            name: body.name.clone(),
            room: stored.rooms[&body.room].sheet.name.clone(),
            purse: body.money.purse,
            bank: body.money.bank,
            things: BTreeMap::new(),
            alias: settings.aliases.get("mark").cloned(),
            width: settings.width,
        };
        let is_here = |place| match place {
            Place::Holder(holder) => (holder == body.id).then_some(Kept::Held),
            Place::Inside(bag) => {
                (stored.items[&bag].place == Place::Holder(body.id)).then_some(Kept::InSack)
            }
            Place::Room(_) | Place::Mail(_) => None,
        };
        for item in stored.items.values() {
            let Some(kept) = is_here(item.place) else { continue };
            let kept = if item.worn.is_some() { Kept::Worn } else { kept };
            (0..item.count).for_each(|_| person.keep(&item.prototype, kept));
        }
        person
    }

    fn keep(&mut self, thing: &str, kept: Kept) {
        *self.things.entry((thing.to_owned(), kept)).or_default() += 1;
    }

    fn take(&mut self, thing: &str, kept: Kept) {
        let key = (thing.to_owned(), kept);
        let count = self.things.get_mut(&key).expect("it is there");
        *count -= 1;
        if *count == 0 {
            self.things.remove(&key);
        }
    }
}

/// Returns the character of a player.
pub(crate) fn character<'a>(stored: &'a Snapshot, name: &str) -> &'a Character {
    stored.characters.values().find(|body| body.account.is_some() && body.name == name).expect("it was made")
}
