//! Gateway and host as processes, beside one process, and two gateways beside one.

use super::ratio::median;
use super::{Plan, Section, fixed, table, thousands};
use crate::apart::Apart;
use crate::client::{Audience, Player};
use crate::figures::{Figures, Load, run};
use crate::server::{HIGH_LIMITS, Server, Watched};
use crate::wire::Trust;
use crate::worlds::{stored_cells, way_to_cell};
use std::time::Duration;

/// Numbers of clients that type without a pause.
const CLIENTS: [u32; 2] = [1, 100];
/// Number of TLS clients of each gateway.
const ENCRYPTED: u32 = 400;
/// Time between two lines of a TLS client.
const INTERVAL: Duration = Duration::from_millis(500);
/// Number of alternating runs.
const RUNS: usize = 3;
/// Goals: ratio of the rates, and of the numbers of clients.
const RATE_GOAL: f64 = 0.7;
const GATEWAYS_GOAL: f64 = 1.7;
/// Process whose CPU time is read elsewhere.
const UNWATCHED: Watched = Watched(None);

/// A run, with the CPU times of host and gateways.
struct Run {
    figures: Figures,
    cpu: [Duration; 2],
}

impl Run {
    async fn of(apart: &Apart, load: &Load, players: &mut Vec<Player>) -> anyhow::Result<Self> {
        let before = apart.cpu()?;
        let figures = run(load, players, &UNWATCHED).await?;
        let after = apart.cpu()?;
        let cpu = [0, 1].map(|role| after[role].saturating_sub(before[role]));
        Ok(Self { figures, cpu })
    }

    /// Returns the CPU times of an answer in microseconds.
    fn each_us(&self) -> [f64; 2] {
        self.cpu.map(|cpu| cpu.as_secs_f64() * 1e6 / self.figures.answers.max(1) as f64)
    }
}

/// Medians for a number of clients of one process, and of gateway and host.
struct Row {
    clients: u32,
    rates: [f64; 2],
    ratio: f64,
    /// CPU time of an answer: in one process, in the host, in the gateway.
    cpu_us: [f64; 3],
    p99: [f64; 2],
}

/// Result.
pub(crate) struct Roles {
    rows: Vec<Row>,
    /// CPU time of an answer for TLS clients, in host and gateways: of one gateway, and of two.
    encrypted_us: [[f64; 2]; 2],
    /// Clients that two gateways serve, divided by those of one, at the same CPU time of each gateway.
    gain: f64,
}

/// Takes the first players.
fn first(players: &mut Vec<Player>, count: u32) -> Vec<Player> {
    players.drain(..count as usize).collect()
}

impl Roles {
    pub(crate) async fn measure(plan: &Plan) -> anyhow::Result<Self> {
        let rows = beside_one_process(plan).await?;
        let (encrypted_us, gain) = beside_one_gateway(plan).await?;
        Ok(Self { rows, encrypted_us, gain })
    }
}

async fn beside_one_process(plan: &Plan) -> anyhow::Result<Vec<Row>> {
    let most = CLIENTS.into_iter().max().unwrap_or_default();
    let server = Server::deepwell(&plan.program, stored_cells(most).await?, &HIGH_LIMITS)?;
    let settings = HIGH_LIMITS.map(str::to_owned).into();
    let apart = Apart::start(&plan.program, stored_cells(most).await?, settings)?;
    let mut players = Vec::new();
    for address in [server.address, apart.gateways[0].address("telnet")?] {
        let mut audience = Audience::default();
        audience.admit(address, 0..most, way_to_cell).await?;
        players.push(audience.wake().await?);
    }
    let load = Load::of("look", plan.time(2.0));
    let mut rows = Vec::new();
    for clients in CLIENTS {
        let mut some: Vec<_> = players.iter_mut().map(|players| first(players, clients)).collect();
        let mut pairs = Vec::new();
        // The first run warms up.
        for _ in 0..=RUNS {
            let whole = run(&load, &mut some[0], &server.watched).await?;
            pairs.push((whole, Run::of(&apart, &load, &mut some[1]).await?));
        }
        pairs.remove(0);
        rows.push(Row::of(clients, &pairs));
        for (players, some) in players.iter_mut().zip(some) {
            players.splice(..0, some);
        }
    }
    Ok(rows)
}

/// Returns the CPU times of TLS clients of one gateway and of two, and the gain by the second.
async fn beside_one_gateway(plan: &Plan) -> anyhow::Result<([[f64; 2]; 2], f64)> {
    let folder = tempfile::tempdir()?;
    let (trust, own) = Trust::create(folder.path())?;
    let settings = HIGH_LIMITS.map(str::to_owned).into_iter().chain(own).collect();
    let mut apart = Apart::start(&plan.program, stored_cells(2 * ENCRYPTED).await?, settings)?;
    apart.add()?;
    let mut players = Vec::new();
    for (gateway, numbers) in apart.gateways.iter().zip([0..ENCRYPTED, ENCRYPTED..2 * ENCRYPTED]) {
        let mut audience = Audience::trusting(trust.clone());
        audience.admit(gateway.address("telnet_tls")?, numbers, way_to_cell).await?;
        players.extend(audience.wake().await?);
    }
    let load = Load::of("look", plan.time(6.0)).every(INTERVAL);
    let mut pairs = Vec::new();
    for _ in 0..=RUNS {
        let (mut of_one, others) = players.into_iter().partition(|player| player.number < ENCRYPTED);
        let one = Run::of(&apart, &load, &mut of_one).await?;
        let mut all: Vec<Player> = of_one;
        all.extend::<Vec<Player>>(others);
        pairs.push([one, Run::of(&apart, &load, &mut all).await?]);
        players = all;
    }
    pairs.remove(0);
    let over = |runs: usize, role: usize| median(pairs.iter().map(|pair| pair[runs].each_us()[role]));
    let gain = median(pairs.iter().map(|pair| 2.0 * pair[0].each_us()[1] / pair[1].each_us()[1]));
    Ok(([0, 1].map(|runs| [0, 1].map(|role| over(runs, role))), gain))
}

impl Row {
    fn of(clients: u32, pairs: &[(Figures, Run)]) -> Self {
        let over = |figure: &dyn Fn(&(Figures, Run)) -> f64| median(pairs.iter().map(figure));
        Self {
            clients,
            rates: [over(&|pair| pair.0.rate()), over(&|pair| pair.1.figures.rate())],
            ratio: over(&|pair| pair.1.figures.rate() / pair.0.rate()),
            cpu_us: [
                over(&|pair| pair.0.cpu_us()),
                over(&|pair| pair.1.each_us()[0]),
                over(&|pair| pair.1.each_us()[1]),
            ],
            p99: [over(&|pair| pair.0.percentile(99)), over(&|pair| pair.1.figures.percentile(99))],
        }
    }
}

fn reached(is_reached: bool) -> &'static str {
    if is_reached { "reached" } else { "not reached" }
}

impl Section for Roles {
    fn text(&self) -> String {
        let micros = |value: f64| format!("{} us", fixed(value, 1));
        let row = |row: &Row| {
            let [whole, host, gateway] = row.cpu_us;
            vec![
                row.clients.to_string(),
                thousands(row.rates[0]),
                thousands(row.rates[1]),
                fixed(row.ratio, 2),
                micros(whole),
                format!("{} + {}", fixed(host, 1), micros(gateway)),
                format!("{} ms, {} ms", fixed(row.p99[0], 2), fixed(row.p99[1], 2)),
            ]
        };
        let head = ["clients", "looks/s", "apart", "ratio", "CPU", "CPU of host + gateway", "p99, apart"];
        let ratio = self.rows.iter().find(|row| row.clients == 100).map_or(f64::NAN, |row| row.ratio);
        let encrypted = |name: &str, clients: u32, [host, gateway]: [f64; 2]| {
            let each = |us: f64| format!("{} us", fixed(us / INTERVAL.as_secs_f64(), 0));
            vec![
                name.to_owned(),
                clients.to_string(),
                micros(gateway),
                micros(host),
                each(gateway),
                each(host),
            ]
        };
        let [one, two] = self.encrypted_us;
        format!(
            "## Gateway and host as two processes\n\nEach client is in a separate room and types `look` as soon as \
             the last answer has arrived: to `deepwell serve`, and to `deepwell gateway` with `deepwell host`, {RUNS} \
             times in turn; the table shows medians. The CPU time is that of an answer.\n\n{}\n\
             The goal for the rate with 100 clients is {RATE_GOAL} of that of one process ({}).\n\n\
             Clients over TLS type `look` every {} ms. All cores are shared, so the table compares CPU time rather \
             than rates.\n\n{}\n\
             At the same CPU time of each gateway, two gateways serve {} times the clients of one. The goal is \
             {GATEWAYS_GOAL} ({}).\n",
            table(&head, self.rows.iter().map(row)),
            reached(ratio >= RATE_GOAL),
            INTERVAL.as_millis(),
            table(
                &[
                    "gateways",
                    "clients",
                    "CPU of an answer, gateways",
                    "host",
                    "CPU of a client and second, gateways",
                    "host",
                ],
                [encrypted("one", ENCRYPTED, one), encrypted("two", 2 * ENCRYPTED, two)]
            ),
            fixed(self.gain, 2),
            reached(self.gain >= GATEWAYS_GOAL),
        )
    }
}
