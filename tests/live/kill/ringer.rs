//! Builder who sets up a room that remembers, and uses it: scripts with variables, rewards and waits, a dialogue, and a
//! quest.

use super::known::{Known, Step};
use super::{Scene, Worker, builder};
use crate::client::Gone;
use crate::server::Server;
use deepwell::base::{Dice as _, Rng};
use deepwell::catalog::VariableValue;
use deepwell::world::{Snapshot, VariableOwner};

const NAME: &str = "Orla";
const ROOM: &str = "Bellhouse";
/// Maximum number of other workers' changes in between.
const PAUSE: u32 = 20;
/// Maximum number of commands sent in one write.
const LINES: u32 = 8;
/// Coppers of the coin that changes hands.
const COIN: i64 = 10;

/// Creates the builder, the room and the creature that talks.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    let mut ringer = server.create(NAME);
    server.login(builder::NAME).ask(&format!("promote {NAME} builder"));
    for line in [
        "goto lodge",
        "zone new bellhouse",
        "dig Bellhouse;bellhouse = ladder,out",
        "goto bellhouse",
        "zone set bellhouse",
        "variable new rung = number",
        "variable new earned = number",
        "variable new paid = number",
        "variable new asked = number",
        "variable new waited = number",
        "trigger say ring = add rung 1; tell You have rung {var:rung} times.",
        "trigger say earn = add earned 1; give silver_coin",
        "trigger say later = add asked 1; tell Soon.; wait 1s; add waited 1",
        "make dialogue ringer = the ringer's talk",
        "dialogue say ringer hello = Well?",
        "dialogue answer ringer hello = I will pay. leads to thanks",
        "dialogue do ringer hello 1 = take silver_coin; add bellhouse/paid 1",
        "dialogue say ringer thanks = Much obliged.",
        "make quest round = Round",
        "set quest round steps = rung script = true, text = \"Ring once more.\"",
        "set quest round repeat = always",
        "set quest round copper = 10",
        "trigger say round = start round; advance round rung",
        "make creature ringer = ringer",
        "set creature ringer dialogue = ringer",
        "spawn ringer",
    ] {
        let answer = ringer.ask(line);
        assert!(
            !answer.contains("There is no ") && !answer.contains("Nothing is changed"),
            "{line}: {answer}"
        );
    }
    vec![Box::new(Ringer { known: Known::default() })]
}

/// Values that the room remembers of the builder, and the money of the builder.
#[derive(Clone, PartialEq, Debug, Default)]
struct Remembered {
    rung: i64,
    earned: i64,
    paid: i64,
    asked: i64,
    rounds: i64,
    purse: i64,
}

struct Ringer {
    known: Known<Remembered>,
}

impl Worker for Ringer {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut client = scene.enter(NAME)?;
        client.try_ask("goto bellhouse")?;
        loop {
            scene.pause(dice.up_to(PAUSE));
            let (mut now, mut steps) = (self.known.told().clone(), Vec::new());
            for _ in 0..dice.between(1, LINES) {
                add_steps(&mut now, &mut steps, dice);
            }
            self.known.carry_out(&mut client, scene, steps)?;
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let body = stored.characters.values().find(|body| body.name == NAME).expect("it was made");
        let owner = VariableOwner::Character(body.id);
        let value = |name: &str| {
            let full = format!("bellhouse/{name}");
            let row = stored.variables.values().find(|row| row.owner == owner && row.name == full);
            row.map_or(0, |row| if let VariableValue::Number(number) = row.value { number } else { -1 })
        };
        let room = stored.rooms.values().find(|room| room.sheet.name == ROOM).expect("it was dug");
        let waits = i64::try_from(room.waits.len()).expect("a few");
        if value("asked") != value("waited") + waits {
            let (asked, waited) = (value("asked"), value("waited"));
            mismatches
                .push(format!("of {asked} scripts that waited, {waited} went on and {waits} still wait"));
        }
        let remembered = Remembered {
            rung: value("rung"),
            earned: value("earned"),
            paid: value("paid"),
            asked: value("asked"),
            rounds: body.quests.get("round").map_or(0, |row| row.times.into()),
            purse: body.money.purse,
        };
        self.known.compare(remembered, mismatches);
    }
}

/// Adds the steps of a random deed.
fn add_steps(now: &mut Remembered, steps: &mut Vec<Step<Remembered>>, dice: &mut Rng) {
    let mut add = |kind, line: &str, message: String, then: &Remembered| {
        steps.push(Step { kind, line: line.to_owned(), told: message, then: then.clone() });
    };
    match dice.up_to(4) {
        0 => {
            now.rung += 1;
            add("variable", "say ring", format!("You have rung {} times.", now.rung), now);
        }
        1 => {
            now.earned += 1;
            now.purse += COIN;
            add("reward", "say earn", "You put one silver into your purse.".to_owned(), now);
        }
        2 => {
            now.rounds += 1;
            now.purse += COIN;
            add("quest", "say round", "The quest Round is done.".to_owned(), now);
        }
        3 if now.purse >= COIN => {
            add("talk", "talk ringer", "The ringer says: Well?".to_owned(), now);
            now.paid += 1;
            now.purse -= COIN;
            add("dialogue", "1", "The ringer says: Much obliged.".to_owned(), now);
        }
        _ => {
            now.asked += 1;
            add("wait", "say later", "Soon.".to_owned(), now);
        }
    }
}
