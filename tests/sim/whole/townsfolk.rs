//! Pair of townsfolk who play on two links, and their record of acknowledged changes.

use super::client::{Client, Gone};
use super::disk::Disk;
use super::mirror::Mirror;
use super::server::Door;
use crate::pair::{Company, Pair, SHOP};
use deepwell::base::{Dice as _, Rng};
use deepwell::world::Snapshot;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::time::sleep;

const PASSWORD: &str = "correct-horse-9";
/// Number of checks for outstanding GMCP data: values that change often are sent with a delay, and a full disk
/// postpones them.
const PATIENCE: u32 = 60;

/// Names of each pair.
const NAMES: [[&str; 2]; 4] = [["Gora", "Hebe"], ["Runa", "Tove"], ["Asta", "Ylva"], ["Kari", "Nanna"]];

/// Knowledge of a pair, which outlives the server.
pub(super) struct Couple {
    names: [&'static str; 2],
    dice: Rng,
    /// Acknowledged state; `None` until both have logged in and are in the shop.
    known: Option<Pair>,
    /// State if the command in flight was executed.
    pending: Option<Pair>,
    /// State that may be found after a power failure: a change that failed, and may turn out to be stored.
    in_doubt: Option<Pair>,
    told: String,
    pub(super) deeds: usize,
    pub(super) undone: usize,
    pub(super) cuts: usize,
    /// Number of comparisons of the first player's GMCP data with the stored state.
    pub(super) mirrored: usize,
    /// Set if the first player ignores some GMCP messages.
    overhears: bool,
}

impl Couple {
    pub(super) fn new(number: u32, dice: Rng, overhears: bool) -> Self {
        let names = NAMES[usize::try_from(number).unwrap()];
        let text = String::new();
        Self {
            names,
            dice,
            known: None,
            pending: None,
            in_doubt: None,
            told: text,
            deeds: 0,
            undone: 0,
            cuts: 0,
            mirrored: 0,
            overhears,
        }
    }

    /// Returns all text that both have read.
    pub(super) fn told(&self) -> &str {
        &self.told
    }

    fn recently_told(&self) -> &str {
        &self.told[self.told.ceil_char_boundary(self.told.len().saturating_sub(6_000))..]
    }

    /// Compares the stored state with the acknowledged one, and continues from the stored state.
    pub(super) fn compare(&mut self, stored: &Snapshot, when: &str) {
        let Some(known) = self.known.take() else { return };
        let found = Pair::stored(stored, self.names);
        let may_be = [Some(&known), self.pending.as_ref(), self.in_doubt.as_ref()];
        assert!(
            may_be.contains(&Some(&found)),
            "{when}: told was\n{known:#?}\nperhaps {:#?}\nin doubt {:#?}\nstored is\n{found:#?}\nafter\n{}",
            self.pending,
            self.in_doubt,
            self.recently_told()
        );
        (self.known, self.pending, self.in_doubt) = (Some(found), None, None);
    }

    /// Allows for the expiry of an unanswered invitation, after a jump in time or a loss.
    pub(super) fn allow_expired_invitation(&mut self) {
        let asked = self.known.as_ref().filter(|known| known.company == Company::Asked);
        if let Some(asked) = asked {
            self.in_doubt = Some(Pair { company: Company::Apart, ..asked.clone() });
        }
    }

    fn pause(&mut self, most: u32) -> Duration {
        Duration::from_millis(self.dice.up_to(most).into())
    }
}

/// Plays until the server is down; logs in again after the loss of a connection.
pub(super) async fn work(couple: Arc<Mutex<Couple>>, door: Door, disk: Disk) {
    while play(&couple, &door, &disk).await.is_err() {
        sleep(Duration::from_secs(1)).await;
    }
}

async fn play(couple: &Mutex<Couple>, door: &Door, disk: &Disk) -> Result<Infallible, Gone> {
    let lock = || couple.lock().unwrap();
    let names = lock().names;
    let mut clients = both(couple, door, names).await?;
    loop {
        let pause = lock().pause(3_000);
        sleep(pause).await;
        let cut = lock().dice.percent(2);
        if lock().known.is_none() {
            begin(couple, &mut clients, disk).await?;
        } else if lock().pending.is_some() {
            settle(couple, &mut clients[0], disk).await?;
        } else if cut {
            lock().cuts += 1;
            let who = usize::from(lock().dice.percent(50));
            cut_link(couple, &mut clients[who], door, names[who], disk).await?;
            // The other one may have lost the connection at the same time.
            keep(couple, clients[1 - who].ask("look").await)?;
        } else {
            let is_known = execute_random_command(couple, &mut clients).await?;
            let looks = lock().dice.percent(25);
            if looks && is_known {
                compare_gmcp_data(couple, &mut clients[0], disk).await?;
            }
        }
    }
}

async fn both(couple: &Mutex<Couple>, door: &Door, names: [&str; 2]) -> Result<[Client; 2], Gone> {
    Ok([log_in_with_mirror(couple, door, names[0]).await?, log_in_with_mirror(couple, door, names[1]).await?])
}

/// Logs in; the first player of a pair enables GMCP.
async fn log_in_with_mirror(couple: &Mutex<Couple>, door: &Door, name: &str) -> Result<Client, Gone> {
    let (first, overhears) = {
        let couple = couple.lock().unwrap();
        (couple.names[0] == name, couple.overhears)
    };
    let open = || {
        let mut client = door.open();
        let mirror = if overhears { Mirror::ignoring_removals() } else { Mirror::default() };
        client.mirror = first.then_some(mirror);
        client
    };
    let mut client = log_in(door, open, name).await?;
    // Waits until everything sent before is answered.
    keep(couple, client.ask("look").await)?;
    Ok(client)
}

/// Logs in, or creates the account if it does not exist; retries while the server cannot store it.
pub(super) async fn log_in(door: &Door, open: impl Fn() -> Client, name: &str) -> Result<Client, Gone> {
    let mut word = "connect";
    loop {
        let turn = door.gate.lock().await;
        let mut client = open();
        client.expect(&["name: "]).await?;
        client.send(&format!("{word} {name} {PASSWORD}")).await;
        let heard =
            client.expect(&["> ", "do not belong together", "lease try again", "cannot write"]).await?;
        if heard.ends_with("> ") {
            return Ok(client);
        }
        word = if heard.ends_with("together") { "create" } else { "connect" };
        drop(turn);
        sleep(Duration::from_secs(3)).await;
    }
}

/// Goes to the shop; the stored state there is the starting state.
async fn begin(couple: &Mutex<Couple>, clients: &mut [Client; 2], disk: &Disk) -> Result<(), Gone> {
    let mut in_shop = true;
    for client in clients {
        let look = keep(couple, client.ask("look").await)?;
        if !look.contains(SHOP) {
            in_shop &= keep(couple, client.ask("west").await)?.contains(SHOP);
        }
    }
    if in_shop {
        let mut couple = couple.lock().unwrap();
        couple.known = Some(Pair::stored(&disk.durable(), couple.names));
    }
    Ok(())
}

/// Sends a command and disconnects before it is answered; reconnects after a second.
async fn cut_link(
    couple: &Mutex<Couple>,
    client: &mut Client,
    door: &Door,
    name: &str,
    disk: &Disk,
) -> Result<(), Gone> {
    let line = {
        let mut couple = couple.lock().unwrap();
        let who = usize::from(couple.names[1] == name);
        let deeds = draw(&mut couple).into_iter().find(|deed| deed.who == who);
        deeds.map(|deed| {
            couple.pending = Some(deed.then);
            deed.line
        })
    };
    if let Some(line) = line {
        client.send(&line).await;
    }
    // Dropping the client closes its link.
    *client = door.open();
    sleep(Duration::from_secs(1)).await;
    *client = log_in_with_mirror(couple, door, name).await?;
    settle(couple, client, disk).await
}

/// Finds out whether a command without an answer has been executed: when a later change has been acknowledged, it is
/// stored, or it will never be.
async fn settle(couple: &Mutex<Couple>, client: &mut Client, disk: &Disk) -> Result<(), Gone> {
    while !keep(couple, client.ask("alias settled=look").await)?.contains("settled stands for") {
        sleep(Duration::from_secs(1)).await;
    }
    let mut couple = couple.lock().unwrap();
    if couple.in_doubt.is_none() {
        // Until the new login, an invitation may have expired.
        couple.allow_expired_invitation();
    }
    couple.compare(&disk.durable(), "after a loss");
    Ok(())
}

/// Returns the possible commands in random order.
fn draw(couple: &mut MutexGuard<'_, Couple>) -> Vec<crate::pair::Deed> {
    let number = couple.dice.between(0, 999);
    let mut deeds = couple.known.as_ref().expect("they have begun").deeds(number);
    couple.dice.shuffle(&mut deeds);
    deeds
}

/// Checks that the first player's GMCP data matches the stored state once it has all been sent.
async fn compare_gmcp_data(couple: &Mutex<Couple>, client: &mut Client, disk: &Disk) -> Result<(), Gone> {
    let name = couple.lock().unwrap().names[0];
    for _ in 0..PATIENCE {
        sleep(Duration::from_millis(500)).await;
        keep(couple, client.ask("look").await)?;
        let mirror = client.mirror.as_ref().expect("the first has one");
        if disk.with_stored(|stored| mirror.agrees(stored, name)) {
            couple.lock().unwrap().mirrored += 1;
            return Ok(());
        }
    }
    panic!("{name} was told by GMCP what is not so: {:?}", client.mirror);
}

/// Executes a command; returns `true` if its outcome is known.
async fn execute_random_command(couple: &Mutex<Couple>, clients: &mut [Client; 2]) -> Result<bool, Gone> {
    let deed = {
        let mut couple = couple.lock().unwrap();
        let deed = draw(&mut couple).pop().expect("there is always one");
        couple.pending = Some(deed.then.clone());
        let typed = format!("<{} types {}>\r\n", couple.names[deed.who], deed.line);
        couple.told.push_str(&typed);
        deed
    };
    let not_answered = format!("Not answered: {}", deed.line);
    let outcomes = [
        deed.told.trim_end(),
        "The world has stopped.",
        &not_answered,
        "so nothing can change",
        "Nobody has asked you",
    ];
    let is_answer = |text: &str| outcomes.iter().any(|phrase| text.contains(phrase));
    let answer = clients[deed.who].ask_for(&deed.line, is_answer).await;
    let (Ok(text) | Err(Gone(text))) = &answer;
    let mut known = couple.lock().unwrap();
    known.told.push_str(text);
    if text.contains(deed.told.trim_end()) {
        (known.known, known.pending, known.in_doubt) = (Some(deed.then), None, None);
        known.deeds += 1;
    } else if text.contains("The world has stopped.") {
        // It may have been executed.
        known.undone += 1;
    } else if text.contains(&not_answered) {
        known.in_doubt = known.pending.take().filter(|_| text.contains("may turn out to have happened"));
        known.undone += 1;
    } else if text.contains("so nothing can change") {
        known.pending = None;
        known.undone += 1;
    } else if text.contains("Nobody has asked you") && known.known.as_ref().unwrap().company == Company::Asked
    {
        // The invitation has expired.
        known.known.as_mut().unwrap().company = Company::Apart;
        known.pending = None;
    } else if answer.is_ok() {
        panic!(
            "{} typed {:?} and read:\n{text}\nafter\n{}",
            known.names[deed.who],
            deed.line,
            known.recently_told()
        );
    }
    let is_told = known.pending.is_none() && known.in_doubt.is_none();
    drop(known);
    answer.map(|_| is_told)
}

/// Records the text read.
fn keep(couple: &Mutex<Couple>, answer: Result<String, Gone>) -> Result<String, Gone> {
    let (Ok(text) | Err(Gone(text))) = &answer;
    couple.lock().unwrap().told.push_str(text);
    answer
}
