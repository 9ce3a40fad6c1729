//! Many players in one room: `look`, and speech.

use super::plot::{Plot, Series};
use super::{Plan, Section, fixed, table, thousands};
use crate::client::{Audience, stay};
use crate::figures::{Figures, Load, run};
use crate::server::{HIGH_LIMITS, Server};
use crate::talk::{Talk, talk};
use std::time::Duration;

/// Number of players that type `look` while the others read.
const LOOKERS: usize = 10;
/// Interval of speech in the largest crowd.
const SAY_INTERVAL: Duration = Duration::from_secs(2);
/// Number of players that speak without a pause.
const SPEAKERS: u32 = 50;

/// Result.
pub(crate) struct Crowd {
    looks: Vec<(u32, Figures)>,
    large: Talk,
    small: Talk,
}

impl Crowd {
    pub(crate) async fn measure(plan: &Plan) -> anyhow::Result<Self> {
        let sizes: &[u32] = plan.pick(&[10, 100, 500, 1_000], &[10, 50, 200]);
        let server = Server::deepwell(&plan.program, tempfile::tempdir()?, &HIGH_LIMITS)?;
        let (mut audience, mut present, mut looks) = (Audience::default(), 0, Vec::new());
        for size in sizes {
            audience.admit(server.address, present..*size, stay).await?;
            present = *size;
            let mut players = audience.wake().await?;
            let others = Audience::of(players.split_off(LOOKERS));
            let load = Load::of("look", plan.time(2.0));
            looks.push((*size, run(&load, &mut players, &server.watched).await?));
            players.extend(others.wake().await?);
            audience = Audience::of(players);
        }
        let mut players = audience.wake().await?;
        let large = talk(&mut players, Some(SAY_INTERVAL), plan.time(10.0), &server.watched).await?;
        drop((players, server));
        let small = Self::small(plan).await?;
        Ok(Self { looks, large, small })
    }

    async fn small(plan: &Plan) -> anyhow::Result<Talk> {
        let server = Server::deepwell(&plan.program, tempfile::tempdir()?, &HIGH_LIMITS)?;
        let mut audience = Audience::default();
        audience.admit(server.address, 0..SPEAKERS, stay).await?;
        talk(&mut audience.wake().await?, None, plan.time(5.0), &server.watched).await
    }
}

impl Section for Crowd {
    fn text(&self) -> String {
        let look = |(size, figures): &(u32, Figures)| {
            vec![
                thousands(f64::from(*size)),
                format!("{} us", fixed(figures.cpu_us(), 1)),
                format!("{} bytes", figures.size()),
                format!("{} ms", fixed(figures.percentile(99), 2)),
            ]
        };
        let talk = |players: u32, how: &str, talk: &Talk| {
            vec![
                thousands(f64::from(players)),
                how.to_owned(),
                thousands(talk.heard_per_second()),
                format!(
                    "{} ms, {} ms",
                    fixed(talk.said.percentile(50), 1),
                    fixed(talk.said.percentile(99), 1)
                ),
                fixed(talk.said.cores(), 2),
            ]
        };
        let largest = self.looks.last().map_or(0, |(size, _)| *size);
        format!(
            "## Many players in one room\n\n{LOOKERS} of the players in the market square type `look` as soon as the \
             last answer has arrived.\n\n{}\n\
             ![CPU time of a look over the number of players in the room](../pictures/performance-crowd.svg)\n\n\
             Then players speak. A line counts once for each player who hears it, and its latency is the time until \
             the speaker reads it. The load tool reads all lines on the same processors.\n\n{}",
            table(&["players in the room", "CPU of a look", "answer", "p99"], self.looks.iter().map(look)),
            table(
                &["players in the room", "each speaks", "lines heard/s", "p50, p99", "cores of the server"],
                [
                    talk(largest, &format!("every {} s", SAY_INTERVAL.as_secs()), &self.large),
                    talk(SPEAKERS, "without a pause", &self.small),
                ]
            ),
        )
    }

    fn plot(&self) -> Option<(&'static str, Plot)> {
        let points = self.looks.iter().map(|(size, figures)| (f64::from(*size), figures.cpu_us())).collect();
        let series = vec![Series { name: "look".to_owned(), points }];
        Some(("crowd", Plot { title: "CPU time of a look", x: "players in the room", y: "us", series }))
    }
}
