//! The plates: a slab moves while all plates are down at once, and they lie far apart. As many players as there are plates
//! stand on them. A smaller party, or one player alone, fetches weights out of a store, which a lever far off opens, and
//! pushes them onto all plates but one. The slab stays open once it has moved.

use crate::base::{Dice, Rng, Seed};

use super::ground::{Deck, Tree};
use super::search::{Until, search};
use super::{
    CellKind, Config, Feature, Gate, Goal, Layout, LayoutError, Lock, Mechanism, Opening, Outcome, Param,
    ParamKind, Puzzle, SettingError, SwitchId, Thing, Verdict, words,
};

/// States that the search may look at; three plates in the largest ground have about a third of it.
const STATES_MAX: u32 = 100_000;

/// Plates that must be down at once.
#[derive(Clone, Copy, Debug)]
pub struct Plates;

impl Puzzle for Plates {
    fn name(&self) -> &'static str {
        "plates"
    }

    fn about(&self) -> &'static str {
        "Hold all plates down at once"
    }

    fn features(&self) -> &'static [Feature] {
        &[Feature::Finish, Feature::Plates, Feature::Levers]
    }

    fn goals(&self) -> &'static [Goal] {
        &[Goal::ReachFinish]
    }

    fn params(&self) -> &'static [Param] {
        &[
            Param {
                name: "rooms",
                kind: ParamKind::Number { least: 6, most: 12, default: 8 },
                about: "how many rooms there are, without the store",
            },
            Param {
                name: "plates",
                kind: ParamKind::Number { least: 2, most: 3, default: 2 },
                about: "how many plates there are",
            },
            Param {
                name: "apart",
                kind: ParamKind::Number { least: 2, most: 6, default: 3 },
                about: "how many steps there are at least between two plates",
            },
            Param {
                name: "solo",
                kind: ParamKind::Truth { default: true },
                about: "whether there are weights for those who are too few",
            },
        ]
    }

    fn accepts(&self, config: &Config) -> Result<(), SettingError> {
        let (rooms, plates) = (config.number("rooms"), config.number("plates"));
        let (players, apart) = (config.players, config.number("apart"));
        if !config.truth("solo") && players < plates {
            return Err(SettingError::new(format!(
                "{plates} plates without weights want as many players, not {players}"
            )));
        }
        if rooms < 2 + (plates - 1) * apart {
            return Err(SettingError::new(format!(
                "{rooms} rooms have no place for {plates} plates {apart} steps apart"
            )));
        }
        if config.require_choice {
            return Err(SettingError::new("there is no way to lose on plates"));
        }
        Ok(())
    }

    fn generate(&self, seed: Seed, config: &Config) -> Layout {
        let mut dice = seed.named("plates").rng();
        let mut tree = Tree::grow(config.number("rooms") as usize, &mut dice);
        let end = dice.pick(&tree.deepest()).copied().unwrap_or_default();
        let places = far_apart(&tree, end, config, &mut dice);
        let store = config.truth("solo").then(|| place_store(&mut tree, end, &places, &mut dice)).flatten();
        let mut layout = rooms(&tree, end, store, &mut dice);
        set_plates(&mut layout, &tree, end, &places, &mut dice);
        if let Some(store) = store {
            set_weights(&mut layout, &tree, store, places.len() - 1, &mut dice);
        }
        layout
    }

    fn solve(&self, layout: &Layout, config: &Config) -> Verdict {
        if config.players < config.number("plates") {
            // What one can do alone, more can do too: the others wait at the entrance.
            return search(layout, 1, STATES_MAX, Until::Solved);
        }
        // Who is enough for the plates leaves the weights alone.
        let mut bare = layout.clone();
        for cell in &mut bare.cells {
            cell.mechanisms.retain(|mechanism| !matches!(mechanism, Mechanism::Weight { .. }));
        }
        search(&bare, config.players, STATES_MAX, Until::Solved)
    }

    fn suits(&self, layout: &Layout, verdict: &Verdict, config: &Config) -> Result<(), LayoutError> {
        verdict.fits(config)?;
        let plates = config.number("plates") as usize;
        let set = layout.cells.iter().filter(|cell| cell.mechanisms.iter().any(is_plate)).count();
        if set < plates {
            return Err(LayoutError::Unsuited("there is no place for all plates".into()));
        }
        let (steps, apart) = (verdict.solution.as_ref().map_or(0, Vec::len), config.number("apart") as usize);
        if steps < plates + apart {
            return Err(LayoutError::Unsuited(format!(
                "{steps} steps are too few, {} are wanted",
                plates + apart
            )));
        }
        let alone = config.truth("solo") && config.players as usize >= plates;
        if alone && search(layout, 1, STATES_MAX, Until::Solved).solution.is_none() {
            return Err(LayoutError::Unsuited("it cannot be solved alone".into()));
        }
        Ok(())
    }
}

fn is_plate(mechanism: &Mechanism) -> bool {
    matches!(mechanism, Mechanism::Plate { .. })
}

/// Rooms for the plates, as far from each other as asked for. Fewer, if there are no more.
fn far_apart(tree: &Tree, end: usize, config: &Config, dice: &mut Rng) -> Vec<usize> {
    let apart = config.number("apart") as usize;
    let mut rooms: Vec<usize> = (1..tree.len()).filter(|room| *room != end).collect();
    let mut best = Vec::new();
    for _ in 0..8 {
        dice.shuffle(&mut rooms);
        let mut chosen: Vec<usize> = Vec::new();
        for room in &rooms {
            if chosen.iter().all(|other| tree.distance(*room, *other) >= apart) {
                chosen.push(*room);
            }
        }
        chosen.truncate(config.number("plates") as usize);
        if chosen.len() > best.len() {
            best = chosen;
        }
    }
    best
}

/// The store of the weights, and the room of the lever that opens it.
#[derive(Clone, Copy, Debug)]
struct Store {
    room: usize,
    lever: usize,
}

/// Hangs a store on a room, with its lever as far away as can be.
fn place_store(tree: &mut Tree, end: usize, plates: &[usize], dice: &mut Rng) -> Option<Store> {
    let mut hosts: Vec<usize> =
        (0..tree.len()).filter(|room| *room != end && !plates.contains(room)).collect();
    dice.shuffle(&mut hosts);
    let (host, room) = hosts.into_iter().find_map(|host| Some((host, tree.attach(host, dice)?)))?;
    let mut levers: Vec<usize> = (0..room).filter(|room| *room != end && *room != host).collect();
    dice.shuffle(&mut levers);
    let lever = levers.into_iter().max_by_key(|lever| tree.distance(*lever, room))?;
    Some(Store { room, lever })
}

fn rooms(tree: &Tree, end: usize, store: Option<Store>, dice: &mut Rng) -> Layout {
    let mut layout = Layout { goal: Goal::ReachFinish, players: 1, ..Layout::default() };
    let (mut ways_in, mut halls) = (Deck::of(WAYS_IN, dice), Deck::of(HALLS, dice));
    let (mut ends, mut stores) = (Deck::of(ENDS, dice), Deck::of(STORES, dice));
    tree.lay(&mut layout, |room| match room {
        0 => (CellKind::Entrance, ways_in.draw()),
        _ if room == end => (CellKind::Finish, ends.draw()),
        _ if store.is_some_and(|store| store.room == room) => (CellKind::Chamber, stores.draw()),
        _ => (CellKind::Chamber, halls.draw()),
    });
    put(&mut layout, end, Mechanism::Finish);
    layout
}

fn set_plates(layout: &mut Layout, tree: &Tree, end: usize, places: &[usize], dice: &mut Rng) {
    let mut words = Deck::<3>::of(PLATES, dice);
    let switches: Vec<SwitchId> = (0_u16..).map(SwitchId).take(places.len()).collect();
    for (switch, place) in switches.iter().zip(places) {
        let [name, seen, told] = words.draw();
        let thing = Thing { name: name.to_owned(), seen: seen.to_owned(), told: told.to_owned() };
        put(layout, *place, Mechanism::Plate { thing, switch: *switch });
    }
    let [slab] = Deck::<1>::of(SLABS, dice).draw();
    let count = words::number(u64::try_from(places.len()).unwrap_or(0));
    let gate = layout.add_gate(Gate {
        name: slab.to_owned(),
        shut: format!(
            "The {slab} is shut. Cut into it are {count} pairs of feet on {count} plates, all at one time."
        ),
        told: format!("The {slab} sinks into the floor with a boom and stays there."),
        opening: Opening::Switches { on: switches, off: Vec::new(), stays: true },
    });
    tree.bar(layout, end, Lock::Gate(gate));
}

fn set_weights(layout: &mut Layout, tree: &Tree, store: Store, count: usize, dice: &mut Rng) {
    let mut words = Deck::<3>::of(WEIGHTS, dice);
    for _ in 0..count {
        let [name, seen, told] = words.draw();
        let thing = Thing { name: name.to_owned(), seen: seen.to_owned(), told: told.to_owned() };
        put(layout, store.room, Mechanism::Weight { thing });
    }
    // After those of the plates.
    let switch = SwitchId(u16::try_from(count + 1).unwrap_or(u16::MAX));
    let [name, seen, told] = Deck::<3>::of(LEVERS, dice).draw();
    let thing = Thing { name: name.to_owned(), seen: seen.to_owned(), told: told.to_owned() };
    put(layout, store.lever, Mechanism::Lever { thing, does: vec![Outcome::On(switch)] });
    let [bars] = Deck::<1>::of(GRATES, dice).draw();
    let gate = layout.add_gate(Gate {
        name: bars.to_owned(),
        shut: format!(
            "The {bars} is down. Something heavy stands behind it, and a chain leads away from it."
        ),
        told: format!("The {bars} jerks up and catches."),
        opening: Opening::Switches { on: vec![switch], off: Vec::new(), stays: true },
    });
    tree.bar(layout, store.room, Lock::Gate(gate));
}

fn put(layout: &mut Layout, room: usize, mechanism: Mechanism) {
    if let Some(cell) = layout.cells.get_mut(room) {
        cell.mechanisms.push(mechanism);
    }
}

const WAYS_IN: &str = "
The weighing porch | An old balance hangs over the way in, one pan full of pebbles. Under it is carved: 'All at once, or not at all.'
The porch of the twins | Two statues stand here, back to back, and each has one foot raised. Under them is carved: 'Together.'
A hall with two clocks | Two clocks hang side by side and tick in step. A board between them says: 'Who is alone must bring a weight.'
The treaders' porch | The floor is made of small square stones, and each of them gives a little. Over the arch stands: 'Feet or stones, we do not mind.'
";

const HALLS: &str = "
A hall of footprints | Footprints in the stone lead across the room, as deep as if it had been mud.
A sunken floor | The floor has sunk in the middle, and everything that ever rolled has rolled there: nuts, beads and one eye of glass.
The room of cords | Cords run along the roof through a hundred rings and vanish into the wall on both sides.
A treading mill | A wheel for walking in stands here, as for a very large mouse. Its steps are worn thin.
A gallery of sandbags | Sandbags hang from the roof like hams, each with a number painted on it. The numbers do not add up.
A hollow passage | Every step sounds hollow here, and somewhere beneath you something answers.
The room of rollers | Round logs lie side by side on the floor, and something heavy has been moved over them, often.
A broken stair | A stair goes up to a place in the wall where there is no door and never was one.
The mason's corner | Blocks of granite lie here, roughly squared and bolted to the floor, each with a chalk mark and a price.
A long bench | A bench runs along the wall, and it tips up at the far end when one sits down.
A shaft of light | Light falls from a slit so high up that it has turned grey by the time it is here.
The hall of ropes | Frayed ends of rope hang from forty hooks, and the fortieth still swings.
A round room | The wall is round, and a low voice said in it comes back from behind you.
";

const ENDS: &str = "
Behind the slab | The air is stale here, and the floor has not been walked on for a long time. Your steps look rude in the dust.
The gift of the treaders | On a stool of stone lies a cloth, and the cloth is not flat.
The balanced room | The whole room rocks a little as you enter, like a boat, and then lies still.
";

const STORES: &str = "
The weight store | Scratches on the floor lead out of here to the way in, and none lead back.
The ballast room | Iron rings hang from the walls, and the floor is patched with wood where heavy things have been set down badly.
The pushers' shed | Leather aprons and a jar of salve for the hands stand on a shelf. The salve is used up.
";

/// Plates, what one sees of them, and what is told when they go down.
const PLATES: &str = "
stone plate | A stone plate, a pace wide, lies a thumb higher than the floor around it. | The stone plate sinks with a scrape, and something far away strains and waits.
iron plate | An iron plate with a border of rivets is let into the floor. | The iron plate goes down with a click, and a rod runs along under the floor.
wooden plate | A wooden plate lies loose in a frame in the floor, with darkness in the gap around it. | The wooden plate creaks down to its frame, and a cord pulls tight.
bronze plate | A bronze plate, green with age, bulges out of the floor like a shield. | The bronze plate flattens with a note like a gong, and a chain answers.
";

const SLABS: &str = "
granite slab
slate slab
marble slab
sandstone slab
";

const GRATES: &str = "
iron grate
wooden grate
rusty grate
";

/// Weights, what one sees of them, and what is told when they are pushed.
const WEIGHTS: &str = "
granite block | A granite block as high as your hip stands here on a smooth base. | The granite block grinds across the floor.
stone ball | A stone ball with a flat side stands here, taller than a child. | The stone ball turns over once and thuds on its flat side.
iron barrel | An iron barrel, full of something that does not slosh, stands here. | The iron barrel scrapes along and leaves a white line.
lead lion | A lead lion on a sledge stands here and looks offended. | The lead lion slides on with its chin up.
salt cart | A salt cart with one wheel missing stands here, its load hard as rock. | The salt cart bumps and drags along.
";

/// Levers, what one sees of them, and what is told when they are pulled.
const LEVERS: &str = "
crooked lever | A crooked lever sticks out of the wall, and a chain leads from it along the roof. | The crooked lever comes down and stays, and the chain runs.
forked lever | A forked lever stands in the floor like a young tree. | The forked lever falls over to the other side, and chains rattle in the wall.
brass lever | A brass lever with a handle in the shape of a fish is let into a pillar. | The brass lever sinks, and the fish looks down now instead of up.
black lever | A black lever, cold to the touch, hangs from a chain that runs out of sight. | The black lever drops a hand's breadth and locks.
";

#[cfg(test)]
mod tests {
    use super::super::ground::reads_well;
    use super::super::{Act, Deed, Drawn, Entry, Value, draw, proves};
    use super::*;
    use std::sync::Arc;

    fn config(players: u32, plates: u32, solo: bool) -> Config {
        let mut config = Config::of(&Plates)
            .with("plates", Value::Number(plates))
            .with("rooms", Value::Number(4 + 3 * plates))
            .with("solo", Value::Truth(solo));
        config.players = players;
        config
    }

    fn drawn(seed: u64, config: Config) -> Drawn {
        let drawn = draw(&Entry::new(Arc::new(Plates), config), Seed(seed));
        assert_eq!(drawn.plain, None, "seed {seed}");
        drawn
    }

    fn pushes(drawn: &Drawn) -> usize {
        let pushes = drawn.solution.iter().filter(|step| matches!(step.act, Act::Do(Deed::Push { .. })));
        pushes.count()
    }

    /// E40, H5, H17: a thousand seeds are solvable by two and by one, who takes more steps, and are the same again.
    #[test]
    fn a_thousand_seeds_are_solvable_alone_and_by_two() {
        for seed in 0..1_000 {
            let (one, two) = (drawn(seed, config(1, 2, true)), Plates);
            let pair = two.solve(&one.layout, &config(2, 2, true)).solution.expect("two players do it");
            assert!(proves(&one.layout, 2, &pair), "seed {seed}");
            assert!(pushes(&one) > 0, "seed {seed}: nobody is in two places at once");
            assert!(one.solution.len() > pair.len() && pair.len() > 3, "seed {seed}: {}", pair.len());
            reads_well(&one.layout);
            if seed % 10 == 0 {
                assert_eq!(drawn(seed, config(1, 2, true)), one);
            }
        }
    }

    /// E40: without weights it takes as many players as plates, and is refused to fewer.
    #[test]
    fn without_weights_it_takes_two() {
        assert!(Plates.accepts(&config(1, 2, false)).is_err());
        for seed in 0..200 {
            let pair = drawn(seed, config(2, 2, false));
            assert_eq!(pushes(&pair), 0);
            assert!(search(&pair.layout, 1, STATES_MAX, Until::Solved).solution.is_none(), "seed {seed}");
        }
    }

    /// E40: three plates are held by three, or alone with two weights.
    #[test]
    fn three_plates_take_three_players_or_two_weights() {
        for seed in 0..20 {
            let alone = drawn(seed, config(1, 3, true));
            assert!(pushes(&alone) > 1, "seed {seed}");
            let three =
                Plates.solve(&alone.layout, &config(3, 3, true)).solution.expect("three players do it");
            assert!(proves(&alone.layout, 3, &three), "seed {seed}");
        }
    }

    /// E40: the plates lie as far apart as asked for, and H2: what has no room is refused.
    #[test]
    fn plates_lie_far_apart() {
        let far = config(1, 2, true).with("apart", Value::Number(6));
        for seed in 0..50 {
            let drawn = drawn(seed, far.clone());
            let cells: Vec<_> =
                drawn.layout.cells.iter().filter(|c| c.mechanisms.iter().any(is_plate)).collect();
            let apart = cells[0].at.x.abs_diff(cells[1].at.x) + cells[0].at.y.abs_diff(cells[1].at.y);
            assert!(cells.len() == 2 && apart > 0, "seed {seed}");
            assert!(drawn.solution.len() >= 8, "seed {seed}");
        }
        assert!(Plates.accepts(&far.with("rooms", Value::Number(6))).is_err());
    }
}
