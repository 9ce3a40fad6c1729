//! Hot reload of content edited under a running server.

use crate::server::Server;
use deepwell::catalog::BUILTIN;
use std::fs;

/// Errors in two files are reported together and change nothing; once fixed, the new content applies to current and new
/// players.
#[test]
fn content_reload_is_all_or_nothing() {
    let files = BUILTIN.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let mut server = Server::start_with_content(files, &[]);
    let folder = server.folder().join("content");
    let edit = |path: &str, from: &str, to: &str| {
        let text = fs::read_to_string(folder.join(path)).unwrap();
        assert!(text.contains(from), "{path} has no {from:?}");
        fs::write(folder.join(path), text.replacen(from, to, 1)).unwrap();
    };
    let mut olad = server.create("Olad");
    edit("help/omens.md", "claw marks", "polished claw marks");
    edit("mobs/orc.toml", "attack =", "atack =");
    edit("themes/well.toml", "\"goblin\"", "\"gobblin\"");
    let refused = server.try_control(&["reload"]).unwrap_err();
    assert!(refused.contains("content/mobs/orc.toml:4:1: unknown key `atack`"), "{refused}");
    assert!(refused.contains("did you mean `goblin`?"), "{refused}");
    assert!(!olad.ask("help omens").contains("polished"), "nothing is in force");
    edit("mobs/orc.toml", "atack =", "attack =");
    edit("themes/well.toml", "\"gobblin\"", "\"goblin\"");
    let answer = server.control(&["reload"]).to_string();
    assert!(answer.contains("The content is in force: "), "{answer}");
    assert!(olad.ask("help omens").contains("polished"));

    // Staff reload from the game.
    let token = server.control(&["owner-token"]).to_string();
    olad.ask(&format!("claim {}", token.trim_matches('"')));
    edit("help/omens.md", "polished", "shining");
    olad.send("reload");
    olad.expect("The content is in force: ");
    assert!(olad.ask("help omens").contains("shining"));
    edit("mobs/orc.toml", "attack =", "atack =");
    olad.send("reload");
    olad.expect("The content stays as it was");
    edit("mobs/orc.toml", "atack =", "attack =");

    // The world restarts with the reloaded content.
    server.stop();
    server.restart(&[]);
    let mut olad = server.login("Olad");
    assert!(olad.ask("help omens").contains("shining"));
    server.assert_sound();
}
