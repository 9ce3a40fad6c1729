//! Two people of the town who give, buy, put, wear, deposit, keep company and change their settings and passwords: each
//! line that is told changes a model of them, and after each kill what is stored is that model, or that model and the
//! one line that was not answered.

use crate::client::{Client, Gone, Manners};
use crate::kill::{Deeds, character};
use crate::server::{Server, password};
use deepwell::base::{Dice as _, Rng};
use deepwell::world::{Character, Place, Snapshot, Width};
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// The two, as they are called.
const NAMES: [&str; 2] = ["Gora", "Hebe"];

const SHOP: &str = "Chandler's Shop";
const BANK: &str = "Counting House";

const OIL: &str = "lamp_oil";
const SACK: &str = "cloth_sack";
const SHIELD: &str = "plank_shield";
/// What can be bought, the word for it, what it costs in copper, and what the chandler pays for it if it is sold.
const GOODS: [(&str, &str, i64, Option<i64>); 3] =
    [(OIL, "oil", 6, Some(2)), (SHIELD, "shield", 15, Some(6)), (SACK, "sack", 12, None)];

/// Where somebody keeps a thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kept {
    Held,
    InSack,
    Worn,
}

/// What is known of one of them.
#[derive(Clone, PartialEq, Debug)]
struct Person {
    room: String,
    purse: i64,
    bank: i64,
    /// How many of each thing, by its prototype; none where there are none.
    things: BTreeMap<(String, Kept), u32>,
    alias: Option<String>,
    width: Width,
}

/// Whether the two are in one party.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Company {
    Apart,
    /// The first has asked the second.
    Asked,
    /// The second follows the first.
    Together,
}

/// What is known of both.
#[derive(Clone, PartialEq, Debug)]
struct Pair {
    people: [Person; 2],
    company: Company,
}

/// A line, how its answer begins, and what is so once it is told.
struct Deed {
    who: usize,
    line: String,
    told: String,
    then: Pair,
}

/// The two at their work.
pub(crate) struct Townsfolk {
    /// What they were told.
    told: Pair,
    /// What is so if the line that was not answered was carried out.
    pending: Option<Pair>,
    /// What the first one's password may be: the one that was told, and the one that was being changed to.
    passwords: Vec<String>,
    /// Lines by which something changed.
    pub(crate) done: usize,
    /// Passwords that were changed.
    pub(crate) changed: u32,
}

impl Townsfolk {
    /// Makes both and brings them to the shop.
    pub(crate) fn begin(server: &mut Server) -> Self {
        for name in NAMES {
            let mut client = server.create(name);
            client.ask("west");
        }
        // The database can be read while nobody has it open.
        server.stop();
        let told = Pair::stored(&server.stored());
        server.restart(&[]);
        assert!(told.people.iter().all(|person| person.room == SHOP && person.purse > 0), "{told:?}");
        let passwords = vec![password(NAMES[0])];
        Self { told, pending: None, passwords, done: 0, changed: 0 }
    }

    pub(crate) fn work(&mut self, address: SocketAddr, dice: &mut Rng, done: &Deeds) -> Result<(), Gone> {
        let second = password(NAMES[1]);
        let mut clients = [self.let_in(address)?, log_in(address, NAMES[1], &second)?.expect("it was made")];
        loop {
            if dice.percent(2) {
                self.change_password(&mut clients[0])?;
                continue;
            }
            let mut deeds = self.told.deeds(dice.between(0, 999));
            dice.shuffle(&mut deeds);
            let deed = deeds.pop().expect("there is always one");
            self.pending = Some(deed.then.clone());
            let answer = clients[deed.who].try_ask(&deed.line);
            let (Ok(told) | Err(Gone(told))) = &answer;
            if told.lines().any(|line| line.starts_with(&deed.told)) {
                self.told = deed.then;
                self.pending = None;
                self.done += 1;
                done.note();
            } else if answer.is_ok() {
                panic!("{} typed {:?} and read:\n{told}", NAMES[deed.who], deed.line);
            }
            answer?;
        }
    }

    /// The first one comes in by one of the passwords that it may have, and keeps that one.
    fn let_in(&mut self, address: SocketAddr) -> Result<Client, Gone> {
        for tried in self.passwords.clone() {
            if let Some(client) = log_in(address, NAMES[0], &tried)? {
                self.passwords = vec![tried];
                return Ok(client);
            }
        }
        panic!("neither the password that was told nor the new one lets {} in", NAMES[0]);
    }

    fn change_password(&mut self, client: &mut Client) -> Result<(), Gone> {
        let (old, new) = (self.passwords[0].clone(), format!("new-and-secret-{}", self.changed));
        self.passwords.push(new.clone());
        for (line, question) in [("password", "now: "), (&old, "new password: "), (&new, "same password: ")] {
            client.send(line);
            client.try_expect(question)?;
        }
        client.send(&new);
        client.try_expect("Your password is changed.")?;
        self.passwords.remove(0);
        self.changed += 1;
        Ok(())
    }

    /// What is stored, against what was told.
    pub(crate) fn compare(&mut self, stored: &Snapshot, wrong: &mut Vec<String>) {
        let found = Pair::stored(stored);
        let pending = self.pending.take();
        if found != self.told && Some(&found) != pending.as_ref() {
            let told = &self.told;
            wrong.push(format!("the townsfolk were told {told:?}, perhaps {pending:?}; stored is {found:?}"));
        }
        self.told = found;
    }
}

/// Logs in; none if the password is another.
fn log_in(address: SocketAddr, name: &str, password: &str) -> Result<Option<Client>, Gone> {
    let mut client = Client::try_open(address, Manners::Plain)?;
    client.send(&format!("connect {name} {password}"));
    let (refused, prompt) = ("do not belong together", "> ");
    let answer = client.try_expect_any(&[refused, prompt])?;
    Ok((!answer.contains(refused)).then_some(client))
}

impl Pair {
    fn stored(stored: &Snapshot) -> Self {
        let bodies = NAMES.map(|name| character(stored, name));
        let company = stored.parties.values().find(|party| party.members.contains(&bodies[0].id));
        let company = match company {
            Some(party) if party.members.contains(&bodies[1].id) => Company::Together,
            Some(party) if party.invited.contains_key(&bodies[1].id) => Company::Asked,
            _ => Company::Apart,
        };
        Self { people: bodies.map(|body| Person::stored(stored, body)), company }
    }

    /// Everything that can be done now, with this number in it.
    fn deeds(&self, number: u32) -> Vec<Deed> {
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
        told: impl Into<String>,
        change: impl FnOnce(&mut Self),
    ) -> Deed {
        let mut then = self.clone();
        change(&mut then);
        Deed { who, line, told: told.into(), then }
    }

    /// Ways, which the second one goes with the first, and who goes with whom.
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
            let line = format!("party invite {}", NAMES[1]);
            self.deed(0, line, format!("You ask {}", NAMES[1]), set(Company::Asked))
        };
        let meet = self.people[0].room == self.people[1].room;
        if meet { vec![walk, turn] } else { vec![walk] }
    }

    fn of_settings(&self, who: usize, number: u32) -> [Deed; 2] {
        let words = format!("say {number}");
        let columns = 60 + u16::try_from(number % 90).unwrap();
        [
            self.deed(who, format!("alias mark={words}"), "mark stands for", |pair| {
                pair.people[who].alias = Some(words);
            }),
            self.deed(who, format!("config width {columns}"), "width: ", |pair| {
                pair.people[who].width = Width::Columns(columns);
            }),
        ]
    }

    fn of_things(&self, who: usize) -> Vec<Deed> {
        let (person, other) = (&self.people[who], 1 - who);
        let has = |thing: &str, kept| person.things.contains_key(&(thing.to_owned(), kept));
        let mut deeds = Vec::new();
        let mut moves = |line: &str, told: &str, thing: &'static str, from: Kept, to: Kept| {
            deeds.push(self.deed(who, line.into(), told, |pair| {
                pair.people[who].take(thing, from);
                pair.people[who].keep(thing, to);
            }));
        };
        if has(SACK, Kept::Held) && has(OIL, Kept::Held) {
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
            let line = format!("give oil to {}", NAMES[other]);
            deeds.push(self.deed(who, line, format!("You give {}", NAMES[other]), |pair| {
                pair.people[who].take(OIL, Kept::Held);
                pair.people[other].keep(OIL, Kept::Held);
            }));
        }
        deeds
    }

    fn of_money(&self, who: usize, sum: i64) -> Vec<Deed> {
        let (person, other) = (&self.people[who], 1 - who);
        let mut deeds = Vec::new();
        let mut pays = |line: String, told: String, change: &dyn Fn(&mut Self)| {
            deeds.push(self.deed(who, line, told, change));
        };
        if person.purse >= sum && person.room == self.people[other].room {
            pays(
                format!("give {sum} copper to {}", NAMES[other]),
                format!("You give {}", NAMES[other]),
                &|pair| {
                    pair.people[who].purse -= sum;
                    pair.people[other].purse += sum;
                },
            );
        }
        if person.room == BANK {
            let mut moves = |line: String, told: &str, into_bank: i64| {
                pays(line, told.into(), &|pair| {
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
            room: stored.rooms[&body.room].name.clone(),
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
            Place::Room(_) => None,
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
