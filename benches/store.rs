//! Processor time of a committed batch, by kind of change, in a world of walked branches. The time includes the
//! serialization of the rows and the thread of SQLite, but not the disk if the temporary folder is in memory:
//! `TMPDIR=/dev/shm cargo bench --bench store`. docs/develop/performance.md lists figures.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot be set up shall stop")]
#![expect(clippy::print_stdout, reason = "its purpose is to print")]
#![expect(clippy::cast_precision_loss, reason = "figures for people have few digits")]

#[path = "../examples/load/explored.rs"]
mod explored;

use deepwell::base::{CharacterId, GameTime, ItemId};
use deepwell::store::Store;
use deepwell::world::{Changes, Character, Item, Place, World};
use explored::{explored_world, walk};
use std::fs;

/// Same allocator as the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Rooms of the world.
const ROOMS: usize = 20_000;
/// Batches of a kind in each round.
const BATCHES: usize = 1_000;
/// Rounds; the table shows the fastest and the median.
const ROUNDS: usize = 5;
/// Changes in a large batch.
const MANY: usize = 50;

/// Batches of one kind.
struct Kind {
    name: &'static str,
    /// Changes by players in each batch.
    deeds: usize,
    batches: Vec<Changes>,
    /// Processor time of a change in each round, in microseconds.
    took: Vec<f64>,
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut game = explored_world(ROOMS);
    let first = game.cut();
    let mut steps = Vec::new();
    let mut body = CharacterId(0);
    for explorer in 1_000.. {
        let enough = game.world().rooms.len() + 400;
        body = walk(&mut game, explorer, enough, &mut |game| steps.push(game.cut()));
        if steps.iter().filter(|step| makes_room(step)).count() >= BATCHES * ROUNDS {
            break;
        }
    }
    eprintln!("{} rooms", game.world().rooms.len());
    let mut world = game.world().clone();
    let items = put_items(&mut world, body);
    let creature = put_creature(&mut world, body);
    let made = world.cut();
    let mut kinds = kinds(&mut world, body, creature, &items);
    runtime.block_on(async {
        let mut store = Store::open(&folder.path().join("deepwell.db")).await.unwrap();
        store.commit(&first).await.unwrap();
        let mut news =
            Kind { name: "new room with its exits", deeds: 1, batches: Vec::new(), took: Vec::new() };
        let mut steps = steps.into_iter();
        for _ in 0..ROUNDS {
            let mut took = 0.0;
            for _ in 0..BATCHES {
                // The steps back to an unexplored exit, and those into other branches, are not measured.
                while !steps.as_slice().first().is_none_or(makes_room) {
                    store.commit(&steps.next().unwrap()).await.unwrap();
                }
                news.batches.extend(steps.next());
                took += commit(&mut store, &news.batches, 1).await;
                news.batches.clear();
            }
            news.took.push(took / BATCHES as f64);
        }
        for step in steps {
            store.commit(&step).await.unwrap();
        }
        store.commit(&made).await.unwrap();
        for _ in 0..ROUNDS {
            for kind in &mut kinds {
                kind.took.push(commit(&mut store, &kind.batches, kind.deeds).await);
            }
        }
        kinds.push(news);
        store.close().await.unwrap();
    });
    println!("{:<32} {:>8} {:>8}   us of processor time, fastest and median round", "change", "batch", "");
    for kind in &mut kinds {
        kind.took.sort_by(f64::total_cmp);
        println!("{:<32} {:>8} {:>8.1} {:>8.1}", kind.name, kind.deeds, kind.took[0], kind.took[ROUNDS / 2]);
    }
}

/// Returns `true` for the batch of a step into a new room.
fn makes_room(step: &Changes) -> bool {
    !step.rooms.put.is_empty() && step.exits.put.len() > 1
}

/// Adds items to the ground beside a player in a branch and in the town; returns their ids.
fn put_items(world: &mut World, body: CharacterId) -> [Vec<ItemId>; 2] {
    let town = world.meta().town.unwrap();
    [world.characters[body].room, town].map(|room| {
        let put = |_| {
            let id = world.new_item_id();
            world.add_item(Item::new(id, "clay_lamp", Place::Room(room), GameTime(1)), "bench");
            id
        };
        (0..MANY).map(put).collect()
    })
}

/// Adds a creature beside a player in a branch; returns its id.
fn put_creature(world: &mut World, body: CharacterId) -> CharacterId {
    let (id, player) = (world.new_character_id(), world.characters[body].clone());
    let creature = Character::new(id, "clay rat".to_owned(), player.room, GameTime(1));
    world.add_character(Character {
        prototype: Some("clay_rat".to_owned()),
        branch: player.branch,
        awake: true,
        ..creature
    });
    id
}

/// Prepares the changes of existing rows.
fn kinds(
    world: &mut World,
    body: CharacterId,
    creature: CharacterId,
    [deep, town]: &[Vec<ItemId>; 2],
) -> Vec<Kind> {
    let at_town = world.meta().town.unwrap();
    let here = world.characters[body].room;
    let other = world.characters.iter().find(|(id, c)| c.is_player() && *id != body).unwrap().0;
    let mut kinds = Vec::new();
    let mut add = |name, deeds, change: &mut dyn FnMut(&mut World, usize)| {
        let batches = (0..BATCHES / deeds).map(|n| {
            (0..deeds).for_each(|deed| change(world, n * deeds + deed));
            world.cut()
        });
        kinds.push(Kind { name, deeds, batches: batches.collect(), took: Vec::new() });
    };
    for (deeds, names) in [
        (1, ["item, town", "item, branch", "player", "creature"]),
        (MANY, ["item, town", "item, branch", "", ""]),
    ] {
        let place = |n: usize, holder, room| {
            if (n / MANY).is_multiple_of(2) { Place::Holder(holder) } else { Place::Room(room) }
        };
        add(names[0], deeds, &mut |world, n| world.move_item(town[n % MANY], place(n, other, at_town)));
        add(names[1], deeds, &mut |world, n| world.move_item(deep[n % MANY], place(n, body, here)));
        if deeds == 1 {
            let odd = |n: usize| i32::from(n % 2 == 1);
            add(names[2], deeds, &mut |world, n| world.characters.edit(body).unwrap().hp = 5 + odd(n));
            add(names[3], deeds, &mut |world, n| world.characters.edit(creature).unwrap().hp = 5 + odd(n));
        }
    }
    kinds
}

/// Commits the batches and returns the processor time of a change, in microseconds.
async fn commit(store: &mut Store, batches: &[Changes], deeds: usize) -> f64 {
    let before = processor_time();
    for changes in batches {
        store.commit(changes).await.unwrap();
    }
    (processor_time() - before) as f64 / 1e3 / (batches.len() * deeds) as f64
}

/// Returns the processor time of all threads so far, in nanoseconds.
fn processor_time() -> u64 {
    let time = |path| fs::read_to_string(path).ok()?.split(' ').next()?.parse::<u64>().ok();
    let threads = fs::read_dir("/proc/self/task").unwrap();
    threads.filter_map(|thread| time(thread.ok()?.path().join("schedstat"))).sum()
}
