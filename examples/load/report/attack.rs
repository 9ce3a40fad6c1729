//! The section of the load during an attack.

use super::{Plan, Section, fixed, table};
use crate::attack::{Half, measure};
use crate::figures::Load;
use std::time::Duration;

/// Number of honest players.
const PLAYERS: u32 = 200;
/// Time between two lines of a player.
const INTERVAL: Duration = Duration::from_millis(500);

/// Result: alone, and during the attack.
pub(crate) struct Attack([Half; 2]);

impl Attack {
    pub(crate) async fn measure(plan: &Plan) -> anyhow::Result<Self> {
        let load = Load::of("look", plan.time(12.0)).every(INTERVAL);
        Ok(Self(measure(&plan.program, PLAYERS, &load).await?))
    }
}

impl Section for Attack {
    fn text(&self) -> String {
        let cells = |title: &str, cell: &dyn Fn(&Half) -> String| {
            let Self([alone, beside]) = self;
            vec![title.to_owned(), cell(alone), cell(beside)]
        };
        let latency = |half: &Half| {
            format!(
                "{} ms, {} ms",
                fixed(half.figures.percentile(50), 1),
                fixed(half.figures.percentile(99), 1)
            )
        };
        format!(
            "## Load during an attack\n\n{PLAYERS} players in eight rooms type `look` twice a second, and another \
             player logs in once a second. The limits have their defaults. The attack is a thousand silent \
             connections from 200 addresses, abandoned logins, passwords and new accounts on 60 connections at a \
             time, garbage, endless negotiation, deeply nested GMCP, commands at wire speed, and a client that reads \
             nothing.\n\n{}",
            table(
                &["", "alone", "during the attack"],
                [
                    cells("latency, p50 and p99", &latency),
                    cells("slowest login", &|half| format!(
                        "{} s",
                        fixed(half.slowest_login.as_secs_f64(), 2)
                    )),
                    cells("memory of the process", &|half| format!("{} MiB", half.memory_kib / 1_024)),
                ]
            ),
        )
    }
}
