//! A crash recording, from the panicking rule to a replay that panics at the same input.

use crate::server::game_loop::pipeline::recovery::tests::*;
use deepwell_game::input::recording::{RecordedMove, Recording};
use deepwell_tools::simulate::{Faithful, RunViolation, replay_on};
use std::path::Path;

/// Returns content that cannot generate a branch: the sum of the peril weights overflows.
fn broken() -> Arc<Catalog> {
    let mut catalog = Catalog::builtin();
    let perils = catalog.themes.values_mut().flat_map(|theme| &mut theme.perils);
    perils.for_each(|peril| peril.weight = u32::MAX);
    Arc::new(catalog)
}

/// Replays the recording in a folder.
fn replayed(folder: &Path, catalog: &Arc<Catalog>) -> (Recording, Result<u64, Box<RunViolation>>) {
    let read = |is_world: bool| {
        let mut paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let path = paths.find(|path| path.to_string_lossy().ends_with(".world.json") == is_world).unwrap();
        std::fs::read_to_string(path).unwrap()
    };
    let stored = serde_json::from_str(&read(true)).unwrap();
    let recording = Recording::read(&read(false)).unwrap();
    let played = replay_on(&mut Faithful, catalog, &recording, stored);
    (recording, played)
}

async fn crashed() -> (tempfile::TempDir, Stage) {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Box::pin(stage_of(broken())).await;
    stage.driver.pipeline.parts.recorder = Recorder::new(folder.path());
    stage.command("down").await;
    stage.command("say a").await;
    stage.command("east").await;
    let text = stage.words();
    assert!(text.contains(YOUR_COMMAND), "{text}");
    (folder, stage)
}

/// O7: a replay on the developer's machine panics at the same command, in the same room.
#[tokio::test]
async fn o7_crash_recording_replays_to_the_same_panic() {
    let (folder, _stage) = Box::pin(crashed()).await;
    let (recording, played) = replayed(folder.path(), &broken());
    assert_eq!(recording.header.differences(&broken()), [""; 0]);
    let violation = played.unwrap_err();
    assert!(violation.breach.0.starts_with("a rule panicked: attempt to add"), "{violation}");
    let last = RecordedMove::Input(Input::Command { session: ANN, line: "east".into() }.into());
    assert_eq!(violation.moves.last().unwrap().what, last, "{violation}");
    // Annika is attached again, and stored changes are not repeated.
    let downs = violation.moves.iter().filter(|recorded| recorded.to_string().contains("down")).count();
    assert!(downs == 0 && violation.to_string().contains("Annika"), "{violation}");
}

#[tokio::test]
async fn o7_recording_replays_cleanly_after_the_fix() {
    let (folder, _stage) = Box::pin(crashed()).await;
    let mended = Arc::new(Catalog::builtin());
    let (recording, played) = replayed(folder.path(), &mended);
    assert!(played.unwrap() > 2);
    assert_eq!(recording.header.differences(&mended).len(), 1, "the content is another");
}

/// A player who disconnected before the panic is still present in the stored world.
#[tokio::test]
async fn o7_crash_after_disconnect_can_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Box::pin(stage_of(broken())).await;
    stage.driver.pipeline.parts.recorder = Recorder::new(folder.path());
    stage.command("down").await;
    let east = Input::Command { session: ANN, line: "east".to_owned() };
    let mut events = vec![
        ClientEvent::Asked { session: ANN, request: Request::Game(east), place: None },
        ClientEvent::Ended { session: ANN, receipt: None },
    ];
    stage.driver.play(&mut events).await.unwrap();
    let (_, played) = replayed(folder.path(), &broken());
    assert!(played.unwrap_err().to_string().contains("a rule panicked"));
}
