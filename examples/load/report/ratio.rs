//! `look` beside the echo server.

use super::plot::{Plot, Series};
use super::{Plan, Section, fixed, table, thousands};
use crate::client::{Audience, Player};
use crate::echo::Echo;
use crate::figures::{Figures, Load, run};
use crate::server::{HIGH_LIMITS, Server, Watched};
use crate::worlds::{stored_cells, way_to_cell};
use std::time::Duration;

/// Numbers of clients.
const CLIENTS: [u32; 3] = [1, 100, 200];
/// Number of alternating runs.
const RUNS: usize = 3;
/// Goals: ratio of the rates, and of the CPU times.
const RATE_GOAL: f64 = 0.8;
const CPU_GOAL: f64 = 1.7;

/// Medians for a number of clients.
struct Row {
    clients: u32,
    server: [f64; 2],
    echo: [f64; 2],
    /// Rate and CPU time divided by those of the echo server.
    ratio: [f64; 2],
    latency: [f64; 2],
}

/// Result.
pub(crate) struct Ratios {
    size: u64,
    rows: Vec<Row>,
}

/// Returns the median of a figure.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Lets the first players type.
async fn run_some(
    load: &Load,
    players: &mut Vec<Player>,
    count: u32,
    watched: &Watched,
) -> anyhow::Result<Figures> {
    let mut some: Vec<Player> = players.drain(..count as usize).collect();
    let figures = run(load, &mut some, watched).await?;
    players.splice(..0, some);
    Ok(figures)
}

impl Ratios {
    pub(crate) async fn measure(plan: &Plan) -> anyhow::Result<Self> {
        let most = CLIENTS.into_iter().max().unwrap_or_default();
        let server = Server::deepwell(&plan.program, stored_cells(most).await?, &HIGH_LIMITS)?;
        let mut audience = Audience::default();
        audience.admit(server.address, 0..most, way_to_cell).await?;
        let mut players = audience.wake().await?;
        let load = Load::of("look", plan.time(2.0));
        let warm = Load { duration: Duration::from_millis(500), ..load.clone() };
        let size = run_some(&warm, &mut players, most, &server.watched).await?.size();
        let echo = Echo::start(size)?;
        let mut clients = echo.connect(most).await?;
        run_some(&warm, &mut clients, most, &echo.watched).await?;
        let mut rows = Vec::new();
        for count in CLIENTS {
            let mut pairs = Vec::new();
            for _ in 0..RUNS {
                let played = run_some(&load, &mut players, count, &server.watched).await?;
                pairs.push((played, run_some(&load, &mut clients, count, &echo.watched).await?));
            }
            rows.push(Row::of(count, &pairs));
        }
        Ok(Self { size, rows })
    }
}

impl Row {
    fn of(clients: u32, pairs: &[(Figures, Figures)]) -> Self {
        let over = |figure: &dyn Fn(&(Figures, Figures)) -> f64| median(pairs.iter().map(figure));
        Self {
            clients,
            server: [over(&|pair| pair.0.rate()), over(&|pair| pair.0.cpu_us())],
            echo: [over(&|pair| pair.1.rate()), over(&|pair| pair.1.cpu_us())],
            ratio: [
                over(&|pair| pair.0.rate() / pair.1.rate()),
                over(&|pair| pair.0.cpu_us() / pair.1.cpu_us()),
            ],
            latency: [50, 99].map(|percent| over(&|pair| pair.0.percentile(percent))),
        }
    }
}

impl Section for Ratios {
    fn text(&self) -> String {
        let row = |row: &Row| {
            vec![
                row.clients.to_string(),
                thousands(row.server[0]),
                thousands(row.echo[0]),
                fixed(row.ratio[0], 2),
                format!("{} us", fixed(row.server[1], 1)),
                format!("{} us", fixed(row.echo[1], 1)),
                fixed(row.ratio[1], 2),
                format!("{} ms, {} ms", fixed(row.latency[0], 2), fixed(row.latency[1], 2)),
            ]
        };
        let head = ["clients", "looks/s", "echo/s", "ratio", "CPU", "CPU of echo", "ratio", "p50, p99"];
        let rate = self.rows.iter().map(|row| row.ratio[0]).fold(f64::INFINITY, f64::min);
        let cpu = self.rows.iter().find(|row| row.clients == 100).map_or(f64::NAN, |row| row.ratio[1]);
        format!(
            "## `look` beside an echo\n\nEach client is in a separate room and types `look` as soon as the last \
             answer has arrived. The echo is a minimal tokio server that answers each line with as many bytes, \
             {size}. Both are measured {RUNS} times in turn for {clients} clients; the table shows medians. The CPU \
             time is that of an answer.\n\n{}\n\
             The goal for the rate is {RATE_GOAL} of that of the echo ({}), for the CPU time with 100 clients \
             {CPU_GOAL} times that of the echo ({}).\n\n\
             ![Looks per second over the number of clients, beside the echo](../pictures/performance-rate.svg)\n",
            table(&head, self.rows.iter().map(row)),
            if rate >= RATE_GOAL { "reached" } else { "not reached" },
            if cpu <= CPU_GOAL { "reached" } else { "not reached" },
            size = self.size,
            clients = CLIENTS.map(|count| count.to_string()).join(", "),
        )
    }

    fn plot(&self) -> Option<(&'static str, Plot)> {
        let points = |figure: fn(&Row) -> f64| {
            self.rows.iter().map(|row| (f64::from(row.clients), figure(row))).collect()
        };
        let series = vec![
            Series { name: "look".to_owned(), points: points(|row| row.server[0]) },
            Series { name: "echo of as many bytes".to_owned(), points: points(|row| row.echo[0]) },
        ];
        Some(("rate", Plot { title: "Answers per second", x: "clients", y: "answers/s", series }))
    }
}
