//! Content created in the game, exported and checked by the real program.

use crate::server::Server;
use std::fs;

/// `control zone export made` writes the files, the overrides survive a restart, and `deepwell check` reports overrides
/// that would not take effect after the next start.
#[test]
fn created_content_is_exported_and_checked() {
    let files =
        deepwell::catalog::BUILTIN.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let crab = ("mobs/crab.toml".to_owned(), "inherits = \"rat\"\nname = \"crab\"\n".to_owned());
    let mut server = Server::start_with_content(files.chain([crab]).collect(), &[]);
    let token = server.control(&["owner-token"]);
    let mut owner = server.create("Olad");
    owner.ask(&format!("claim {}", token.as_str().expect("a fresh world")));
    assert!(owner.ask("make creature owl like crab").contains("There is a kind of creature owl now"));
    assert!(owner.ask("make help mill = The mill").contains("There is a page mill now"));
    let answer = server.control(&["zone", "export", "made"]).to_string();
    assert!(answer.contains("mobs/owl.toml holds the creature owl"), "{answer}");
    let made = server.state().join("made");
    assert_eq!(
        fs::read_to_string(made.join("mobs/owl.toml")).unwrap(),
        "inherits = \"crab\"\nname = \"owl\"\n"
    );
    assert!(fs::read_to_string(made.join("help/mill.md")).unwrap().starts_with("title: The mill\n"));
    assert!(server.control(&["zone", "diff", "made"]).to_string().contains("say the same"));
    server.stop();
    let checked = |server: &Server| {
        let output = server.check();
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (is_sound, output) = checked(&server);
    assert!(is_sound, "{output}");
    fs::remove_file(server.folder().join("content/mobs/crab.toml")).unwrap();
    let (is_sound, output) = checked(&server);
    let wanted =
        "The creature owl made in the game is not in force: mobs/owl.toml:1:12: unknown creature `crab`";
    assert!(!is_sound && output.contains(wanted), "{output}");
    assert!(!output.contains("mill"), "{output}");
}
