//! Builder whose zone is imported from its file repeatedly, undone, redone, edited and exported: rooms, texts, door,
//! triggers, tags and spawn rules always belong to one version of the file.

use super::known::Known;
use super::{Scene, Worker, builder};
use crate::client::{Client, Gone};
use crate::server::Server;
use deepwell::base::{Dice as _, Rng};
use deepwell::world::{Room, Snapshot};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

const NAME: &str = "Signy";
const ZONE: &str = "mill";
/// Maximum number of other workers' changes between two actions.
const PAUSE: u32 = 40;

/// Creates the builder.
pub(super) fn begin(server: &Server) -> Vec<Box<dyn Worker>> {
    server.create(NAME);
    server.login(builder::NAME).ask(&format!("promote {NAME} builder"));
    let file = server.state().join("zones").join(format!("{ZONE}.toml"));
    vec![Box::new(Zoner { known: Known::default(), file, written: None, next: 0 })]
}

/// Rooms of the zone by name, each with a summary of its contents.
type Rooms = BTreeMap<String, String>;

struct Zoner {
    known: Known<Rooms>,
    file: PathBuf,
    /// Room texts in the file, as acknowledged and with the export in flight.
    written: Option<[Vec<String>; 2]>,
    /// Number of the next version.
    next: u32,
}

impl Worker for Zoner {
    fn work(&mut self, scene: &Scene<'_>, dice: &mut Rng) -> Result<(), Gone> {
        let mut client = scene.enter(NAME)?;
        loop {
            scene.pause(dice.up_to(PAUSE));
            let before = self.known.told().clone();
            self.next += 1;
            self.replace_file();
            let after = rooms(self.next);
            let says = format!("The zone {ZONE} is as its file says");
            self.change(
                &mut client,
                scene,
                ("import", &format!("zone import {ZONE}"), &says),
                after.clone(),
            )?;
            if dice.percent(50) {
                let message = format!("You take back: zone import {ZONE}");
                self.change(&mut client, scene, ("undo", "undo", &message), before.clone())?;
                let message = format!("You do again: zone import {ZONE}");
                self.change(&mut client, scene, ("redo", "redo", &message), after.clone())?;
            }
            client.try_ask("goto floor")?;
            self.next += 1;
            let text = described(self.next);
            let mut edited = after;
            let floor = edited.get_mut("Mill Floor").expect("it stands");
            *floor = floor.replacen(&described(self.next - 1), &text, 1);
            self.change(
                &mut client,
                scene,
                ("describe", &format!("describe here = {text}"), "It is written."),
                edited,
            )?;
            self.export(&mut client, scene)?;
        }
    }

    fn compare(&mut self, stored: &Snapshot, mismatches: &mut Vec<String>) {
        let own = stored.rooms.values().filter(|room| room.area == ZONE);
        let rooms: Rooms = own.map(|room| (room.sheet.name.clone(), summary(room, stored))).collect();
        self.known.compare(rooms, mismatches);
        if let Some(may) = &self.written {
            let found = fs::read_to_string(&self.file).map(|text| texts(&text)).unwrap_or_default();
            if !may.contains(&found) {
                mismatches.push(format!("the file of {ZONE} says {found:?}, and not one of {may:?}"));
            }
        }
    }
}

impl Zoner {
    /// Sends a command and waits for its acknowledgement.
    fn change(
        &mut self,
        client: &mut Client,
        scene: &Scene<'_>,
        (kind, line, message): (&'static str, &str, &str),
        then: Rooms,
    ) -> Result<(), Gone> {
        self.known.change(scene, kind, then, || {
            client.send(line);
            client.try_expect(message).map(drop)
        })
    }

    /// Replaces the file with the next version, as an editor does.
    fn replace_file(&mut self) {
        fs::create_dir_all(self.file.parent().unwrap()).unwrap();
        let (new, text) = (self.file.with_extension("new"), file(self.next));
        fs::write(&new, &text).unwrap();
        fs::rename(&new, &self.file).unwrap();
        let texts = texts(&text);
        self.written = Some([texts.clone(), texts]);
    }

    /// Exports the zone to the file.
    fn export(&mut self, client: &mut Client, scene: &Scene<'_>) -> Result<(), Gone> {
        let mut text = texts(&file(self.next - 1));
        text[0] = described(self.next);
        if let Some(written) = &mut self.written {
            written[1].clone_from(&text);
        }
        scene.begin("export");
        client.send(&format!("zone export {ZONE}"));
        client.try_expect(&format!(", by {NAME} is in"))?;
        self.written = Some([text.clone(), text]);
        scene.note("export");
        Ok(())
    }
}

fn described(version: u32) -> String {
    format!("Flour lies on everything, of version {version}.")
}

/// Returns the descriptions in a zone file.
fn texts(file: &str) -> Vec<String> {
    let descriptions = file.lines().filter_map(|line| line.strip_prefix("description = \""));
    descriptions.map(|text| text.trim_end_matches('"').to_owned()).collect()
}

/// Returns `true` if this version has an additional room.
fn has_shed(version: u32) -> bool {
    version % 4 == 1
}

/// Returns the text of a version of the file. Its spawn interval is a week, so that items spawn only once.
fn file(version: u32) -> String {
    let text = described(version);
    let shed = if has_shed(version) {
        format!(
            "\n[[rooms]]\nkey = \"shed\"\nname = \"Mill Shed\"\nenvironment = \"wood\"\ndescription = \"{text}\"\n"
        )
    } else {
        String::new()
    };
    format!(
        "[[rooms]]\nkey = \"floor\"\nname = \"Mill Floor\"\naliases = [\"floor\"]\n\
         environment = \"wood\"\ndescription = \"{text}\"\n\
         tags = [\"version{version}\"]\n\
         \n[[rooms.spawns]]\nthing = \"clay_lamp\"\ncount = {}\nevery_secs = 604800\n\
         \n[[rooms.triggers]]\non = \"say word{version}\"\nlines = [\"room The hatch sighs.\", \"open up\"]\n\
         \n[[rooms.exits]]\nname = \"up\"\nto = \"loft\"\ndoor = \"hatch {version}\"\n\
         \n[[rooms]]\nkey = \"loft\"\nname = \"Mill Loft\"\nenvironment = \"wood\"\n\
         description = \"{text}\"\n\
         \n[[rooms.exits]]\nname = \"down\"\nto = \"floor\"\ndoor = \"hatch {version}\"\n{shed}",
        version % 3 + 1,
    )
}

/// Returns the rooms defined by a version of the file.
fn rooms(version: u32) -> Rooms {
    let door = format!("door hatch {version}");
    let text = described(version);
    let floor =
        format!("{text} tag version{version} {} clay_lamp on say word{version} {door}", version % 3 + 1);
    let loft = format!("{text} {door}");
    let mut rooms = Rooms::from([("Mill Floor".to_owned(), floor), ("Mill Loft".to_owned(), loft)]);
    if has_shed(version) {
        rooms.insert("Mill Shed".to_owned(), text);
    }
    rooms
}

/// Returns the summary of a stored room.
fn summary(room: &Room, stored: &Snapshot) -> String {
    let tags = room.sheet.tags.iter().map(|tag| format!("tag {tag}"));
    let spawns = room.spawns.iter().map(|rule| format!("{} {}", rule.count, rule.what.key()));
    let triggers = room.triggers.iter().map(|trigger| format!("on {}", trigger.on));
    let exits = stored.exits.values().filter(|exit| exit.room == room.id);
    let doors = exits.filter_map(|exit| exit.door.as_ref()).map(|door| format!("door {}", door.name));
    let texts =
        [room.sheet.description.clone()].into_iter().chain(tags).chain(spawns).chain(triggers).chain(doors);
    texts.collect::<Vec<_>>().join(" ")
}
