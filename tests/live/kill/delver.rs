//! Builders who open branches and see them end: by a reset, by hand, or by expiry.

use super::{Scene, Worker, builder};
use crate::client::{Client, ClientKind, Gone};
use crate::pair::character;
use crate::server::{Server, password};
use deepwell::base::{Dice as _, GameTime, Rng, Span};
use deepwell::world::Snapshot;

const NAMES: [&str; 2] = ["Yrsa", "Embla"];

/// Tolerated delay of a branch's end on a busy machine.
const LATE: Span = Span::secs(5);
/// Number of checks for a reset of the exit, and the number of other workers' changes between two checks.
const POLLS: u32 = 60;
const POLL: u32 = 10;

/// Creates the workers, each with a start room.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    let begin = |name: &'static str| -> Box<dyn Worker> {
        server.create(name);
        let mut builder = server.login(builder::NAME);
        builder.ask(&format!("promote {name} builder"));
        builder.ask("goto lodge");
        let answer = builder.ask(&format!("dig Pit of {name}:start"));
        let number =
            answer.split_once(", room ").and_then(|(_, rest)| rest.split_once('.')).expect("it is dug").0;
        builder.ask(&format!("goto #{number}"));
        for way in ["north", "east", "south"] {
            builder.ask(&format!("open {way}:branch"));
            builder.ask(&format!("set {way} theme = gates"));
        }
        for setting in ["north max_life = 1", "east window = 1", "east reset_chance = 100"] {
            let answer = builder.ask(&format!("set {setting}"));
            assert!(answer.contains(" now."), "{setting}: {answer}");
        }
        Box::new(Delver {
            name,
            pit: number.parse().unwrap(),
            inside: None,
            sure: false,
            gone: Vec::new(),
            closed: None,
        })
    };
    NAMES.into_iter().map(begin).collect()
}

struct Delver {
    name: &'static str,
    /// Start room.
    pit: u32,
    /// Room of a branch that the worker is in, according to its last message.
    inside: Option<u32>,
    /// Set if the worker's room is certain: no command is in flight, and no event can move it.
    sure: bool,
    /// Rooms of branches that are acknowledged as ended.
    gone: Vec<u32>,
    /// Exit that is acknowledged as leading to a new branch, if it has not been taken since.
    closed: Option<&'static str>,
}

impl Worker for Delver {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut client = Client::try_open(scene.address, ClientKind::Mapper)?;
        client.send(&format!("connect {} {}", self.name, password(self.name)));
        client.try_expect("> ")?;
        client.try_ask("config width off")?;
        self.sure = false;
        self.leave(&mut client)?;
        loop {
            (self.inside, self.sure) = (None, true);
            match dice.up_to(9) {
                0 => self.wait_for_expiry(&mut client, scene)?,
                1 => self.wait_for_a_reset(&mut client, scene)?,
                _ => self.close_by_hand(&mut client, scene)?,
            }
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let body = character(stored, self.name);
        let place = self.inside.unwrap_or(self.pit);
        if self.sure && body.room.0 != place {
            mismatches
                .push(format!("{} was told to stand in {place}, and stands in {}", self.name, body.room));
        }
        for room in &self.gone {
            let branch = stored.rooms.values().find(|row| row.id.0 == *room).and_then(|row| row.branch);
            if branch.is_some_and(|branch| stored.branches[&branch].lives()) {
                mismatches.push(format!(
                    "{} was told that the branch of {room} is no more, and it lives",
                    self.name
                ));
            }
        }
        let mut exits = stored.exits.values().filter(|exit| exit.room.0 == self.pit);
        if let Some(way) = self.closed.filter(|way| exits.any(|exit| exit.name == *way && exit.to.is_some()))
        {
            mismatches.push(format!("{} was told that {way} leads somewhere new", self.name));
        }
        let now = stored.meta.as_ref().expect("a world").time;
        let overdue = |due: GameTime| due + LATE < now;
        let of_pit =
            stored.branches.values().filter(|branch| branch.lives() && branch.start_room.0 == self.pit);
        for branch in of_pit.filter(|branch| overdue(branch.ends_at())) {
            mismatches.push(format!("{} should have collapsed", branch.name));
        }
        let windows = stored.exits.values().filter(|exit| exit.room.0 == self.pit && exit.name == "east");
        let ends = windows.filter_map(|exit| *exit.window).map(|window| window.guaranteed_until);
        if ends.into_iter().any(overdue) {
            mismatches.push(format!("the way east of {} should lead elsewhere", self.pit));
        }
        self.gone.clear();
        self.sure = false;
    }
}

impl Delver {
    /// Enters a new branch.
    fn enter(&mut self, client: &mut Client, scene: &Scene<'_>, way: &'static str) -> Result<u32, Gone> {
        (self.closed, self.sure) = (None, false);
        scene.begin("branch");
        client.try_ask(way)?;
        let number = client.room().and_then(|room| room["num"].as_u64()).expect("it was told where it is");
        let room = u32::try_from(number).unwrap();
        assert!(room != self.pit && !self.gone.contains(&room), "{way} of {} leads to {room}", self.pit);
        self.inside = Some(room);
        scene.note("branch");
        Ok(room)
    }

    /// Waits until the branch expires.
    fn wait_for_expiry(&mut self, client: &mut Client, scene: &Scene<'_>) -> Result<(), Gone> {
        let room = self.enter(client, scene, "north")?;
        client.try_expect("You stand where you began")?;
        (self.inside, self.sure, self.closed) = (None, true, Some("north"));
        self.gone.push(room);
        scene.note("collapse");
        Ok(())
    }

    /// Leaves, and waits until the start exit is reset: the branch, now empty, is deleted.
    fn wait_for_a_reset(&mut self, client: &mut Client, scene: &Scene<'_>) -> Result<(), Gone> {
        let room = self.enter(client, scene, "east")?;
        self.leave(client)?;
        for _ in 0..POLLS {
            scene.pause(POLL);
            if client.try_ask("")?.contains("the way east leads somewhere new now.") {
                self.gone.push(room);
                self.closed = Some("east");
                scene.note("reset");
                return Ok(());
            }
        }
        // The exit was reset before the worker had left.
        client.try_ask("unlink east").map(drop)
    }

    /// Returns to the start room, repeating the command while the move is refused.
    fn leave(&mut self, client: &mut Client) -> Result<(), Gone> {
        self.sure = false;
        while client.room().is_none_or(|room| room["num"] != self.pit) {
            client.try_ask(&format!("goto #{}", self.pit))?;
        }
        (self.inside, self.sure) = (None, true);
        Ok(())
    }

    fn close_by_hand(&mut self, client: &mut Client, scene: &Scene<'_>) -> Result<(), Gone> {
        let room = self.enter(client, scene, "south")?;
        self.leave(client)?;
        scene.begin("unlink");
        let answer = client.try_ask("unlink south");
        let (Ok(text) | Err(Gone(text))) = &answer;
        if text.contains("gets a fresh branch.") {
            self.gone.push(room);
            self.closed = Some("south");
            scene.note("unlink");
        } else if answer.is_ok() {
            panic!("the way is not unlinked: {text}");
        }
        answer.map(drop)
    }
}
