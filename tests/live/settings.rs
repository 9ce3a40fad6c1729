//! Settings changed in `config.toml` and reloaded while the server runs.

use crate::client::Client;
use crate::server::Server;
use serde_json::json;
use std::fs;

/// A reload applies changed limits to the game and to new connections, names the port that needs a restart, and changes
/// nothing if there is a mistake.
#[test]
fn reloaded_settings_take_effect_or_are_listed_for_a_restart() {
    let mut server = Server::start(&["limits.aliases=7"]);
    let write = |text: &str| fs::write(server.folder().join("config.toml"), text).unwrap();
    let settings = |server: &Server| server.control(&["reload"])["settings"].clone();
    let nothing = json!({ "in_force": [], "need_restart": [] });
    assert_eq!(settings(&server), nothing);
    let mut early = server.connect();

    write("[limits]\nguests = 0\nlogin_tries = 0\n[dungeon]\nrope = \"always\"\n");
    let refused = server.try_control(&["reload"]).unwrap_err();
    assert!(refused.contains("config.toml:3:15: limits.login_tries is 0"), "{refused}");
    assert!(refused.contains("config.toml:5:8: dungeon.rope is \"always\""), "{refused}");
    let mut guest = server.connect();
    guest.send("guest");
    guest.expect("> ");

    write("[telnet]\ntls_listen = \"127.0.0.1:4041\"\n[limits]\nguests = 0\nlogin_tries = 1\naliases = 9\n");
    let changes = settings(&server);
    let in_force = ["limits.login_tries = 1, was 5", "limits.guests = 0, was 10"];
    let need_restart = ["telnet.tls_listen = \"127.0.0.1:4041\", was \"127.0.0.1:4040\""];
    // `--set` still overrides the file, so the limit of aliases is the same.
    assert_eq!(changes, json!({ "in_force": in_force, "need_restart": need_restart }));
    let is_refused = |client: &mut Client| {
        client.send("guest");
        client.expect_any(&["There are as many guests as there may be", "> "]).contains("as many guests")
    };
    assert!(is_refused(&mut server.connect()), "the game has the new limit");
    let refusal = |client: &mut Client| {
        client.send("connect Nobody wrong-horse");
        client.expect_any(&["one try too many", "Your name: "])
    };
    assert!(
        refusal(&mut server.connect()).contains("one try too many"),
        "new connections have the new limit"
    );
    assert!(refusal(&mut early).contains("Your name: "), "earlier connections keep theirs");
    assert_eq!(settings(&server), json!({ "in_force": [], "need_restart": need_restart }));

    server.stop();
    server.restart(&[]);
    assert!(is_refused(&mut server.connect()));
    assert_eq!(settings(&server), nothing);
    server.assert_sound();
}
