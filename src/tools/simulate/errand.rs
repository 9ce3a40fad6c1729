//! Commands other than walking and fighting: parties, equipment, trade, rest, training, and features of rooms. Many of
//! them are refused, which is intended.

use crate::base::{Dice, Rng};

/// Kind of argument of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum About {
    Person,
    Thing,
    Creature,
    Nothing,
}

use About::{Creature, Nothing, Person, Thing};

/// Lines with their weights; `*` is replaced by a player, an item or a creature.
const LINES: &[(u32, About, &str)] = &[
    (30, Person, "party invite *"),
    (40, Nothing, "party accept"),
    (2, Nothing, "party decline"),
    (3, Nothing, "party leave"),
    (2, Person, "party kick *"),
    (2, Person, "party lead *"),
    (4, Nothing, "party"),
    (3, Nothing, "party loot roll"),
    (2, Nothing, "party loot round-robin"),
    (2, Nothing, "party loot free"),
    (6, Nothing, "roll need"),
    (6, Nothing, "roll greed"),
    (2, Nothing, "roll pass"),
    (12, Person, "follow *"),
    (2, Nothing, "follow"),
    (30, Person, "rescue *"),
    (4, Nothing, "stop"),
    (20, Thing, "wear *"),
    (14, Thing, "wield *"),
    (6, Thing, "remove *"),
    (8, Thing, "use *"),
    (6, Thing, "quaff *"),
    (6, Thing, "eat *"),
    (8, Thing, "put * in sack"),
    (6, Thing, "get * from sack"),
    (6, Nothing, "get all from sack"),
    (10, Nothing, "get all from corpse"),
    (4, Thing, "compare *"),
    (4, Nothing, "equipment"),
    (4, Thing, "sell *"),
    (4, Nothing, "list"),
    (4, Nothing, "buy sack"),
    (4, Nothing, "buy health potion"),
    (4, Nothing, "buy club"),
    (4, Nothing, "deposit 5"),
    (4, Nothing, "deposit all"),
    (3, Nothing, "withdraw 3"),
    (3, Nothing, "balance"),
    (3, Nothing, "heal"),
    (8, Nothing, "drop 2 copper"),
    (8, Person, "give 3 copper to *"),
    (4, Person, "give 1 gold to *"),
    (2, Person, "give -5 copper to *"),
    (2, Nothing, "drop 99999999999999999999 copper"),
    (10, Nothing, "rest"),
    (8, Nothing, "stand"),
    (16, Nothing, "train constitution"),
    (16, Nothing, "train strength"),
    (16, Nothing, "train agility"),
    (2, Nothing, "train wisdom"),
    (20, Nothing, "descend"),
    (6, Nothing, "up"),
    (6, Nothing, "pry slab"),
    (6, Nothing, "unlock coffer"),
    (6, Nothing, "train bash"),
    (6, Nothing, "train mend"),
    (4, Nothing, "bash"),
    (4, Nothing, "mend"),
    (2, Nothing, "abilities"),
    (8, Nothing, "pray"),
    (8, Nothing, "answer shadow"),
    (4, Nothing, "answer a river"),
    (8, Nothing, "struggle"),
    (4, Nothing, "listen"),
    (2, Nothing, "shout is anybody there?"),
    (2, Nothing, "party say this way"),
    (4, Nothing, "rope"),
    (2, Nothing, "dismiss"),
    (2, Nothing, "companion"),
    (4, Creature, "consider *"),
    (2, Nothing, "guide"),
    (1, Nothing, "guide off"),
    (1, Nothing, "config combat brief"),
    (1, Nothing, "config combat own"),
    (1, Nothing, "config combat full"),
    (1, Nothing, "config wait on"),
    (2, Nothing, "config wait off"),
    (9, Nothing, "config loot manual"),
    (1, Nothing, "config loot auto"),
    (1, Person, "ignore *"),
    (2, Person, "friends add *"),
    (1, Person, "friends remove *"),
    (1, Nothing, "bug the rat looked at me"),
    (2, Nothing, "pose leans on the wall"),
    (1, Nothing, "appearance A climber like any other."),
    (4, Person, "mail to * = this way"),
    (4, Person, "mail send * 2 copper"),
    (4, Person, "mail send * club"),
    (6, Nothing, "mail take 1"),
    (3, Nothing, "mail return 1"),
    (3, Nothing, "mail delete 1"),
    (2, Nothing, "mail"),
    (3, Nothing, "board write Lost = A lamp, and the way."),
    (2, Nothing, "board"),
    (1, Nothing, "board remove 1"),
];

/// Returns a random line, with the known players, items and creatures as arguments.
pub(super) fn errand(dice: &mut Rng, people: &[String], things: &[String], creatures: &[String]) -> String {
    let Some((_, about, line)) = dice.weighted(LINES, |(weight, ..)| *weight).copied() else {
        return "look".into();
    };
    let (known, otherwise) = match about {
        Person => (people, "baba"),
        Thing => (things, "club"),
        Creature => (creatures, "rat"),
        Nothing => return line.into(),
    };
    line.replace('*', dice.pick(known).map_or(otherwise, String::as_str))
}
