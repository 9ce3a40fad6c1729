//! Faults known from other servers, and likely or past faults of this one, each with the tests that would find it.
//! docs/faults.md is generated from this list, and every test in it must exist.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::generated;

/// A fault, the rules that it would break, and the tests that find it.
type Fault = (&'static str, &'static str, &'static [&'static str]);

/// Faults of other servers.
const ELSEWHERE: &[Fault] = &[
    (
        "A telnet subnegotiation overflows its buffer or leaks memory contents",
        "N6, N8",
        &[
            "n6_messages_of_every_shape_for_every_option",
            "n6_a_long_subnegotiation_is_thrown_away_up_to_its_end",
            "telnet_streams_mean_the_same_however_they_are_cut",
        ],
    ),
    (
        "An unterminated subnegotiation exhausts memory",
        "N1, N6",
        &["an_unended_subnegotiation_costs_nothing", "n6_an_endless_subnegotiation_keeps_its_memory"],
    ),
    (
        "Option negotiation loops forever",
        "N7",
        &["n7_random_peers_that_echo_fall_silent", "n7_two_ends_never_loop"],
    ),
    (
        "Malformed option bytes crash the server",
        "N6",
        &["n7_every_option_and_verb_has_one_short_answer", "n6_any_bytes_are_survived"],
    ),
    (
        "Environment variables sent by the client influence a login",
        "N8",
        &["n8_the_environment_of_a_liar_changes_nothing"],
    ),
    (
        "The client reports a window of zero or millions of columns",
        "N9",
        &["n9_windows_of_every_size_are_clamped", "prompts_fit_every_width"],
    ),
    (
        "Compression uses too much memory, or its stream stalls",
        "N5",
        &[
            "only_so_many_are_compressed",
            "compression_is_switched_off_and_on",
            "protocols_5_11_everything_after_the_switch_is_one_zlib_stream_even_over_broken_writes",
        ],
    ),
    (
        "A GMCP message is too deep, too wide, too long, or of an unexpected type",
        "N10",
        &["n10_messages_are_bounded_before_they_are_parsed", "n10_hostile_messages_are_ignored_and_counted"],
    ),
    (
        "The character set changes, or a character is split between two reads",
        "N11",
        &["n11_decoding_never_fails", "item_8_character_sets", "lines_are_clean_in_every_character_set"],
    ),
    (
        "A client never reads its output",
        "N4",
        &["a_slow_reader_harms_nobody", "n4_a_peer_that_never_reads_is_given_up_after_thirty_seconds"],
    ),
    (
        "Connections are silent or half open",
        "N2, N12",
        &[
            "silent_connections_delay_nobody",
            "a_byte_now_and_then_does_not_keep_a_guest_at_the_door",
            "a_silent_telnet_client_gets_a_sign_of_life_each_minute",
        ],
    ),
    (
        "A reconnect duplicates the character",
        "N12, D7",
        &[
            "a_login_takes_the_body_over",
            "two_in_the_same_moment_are_two",
            "a_late_login_of_a_client_that_has_gone_is_not_let_in",
        ],
    ),
    (
        "Dropping the link avoids death or duplicates items",
        "N14, D2",
        &[
            "the_plug_changes_nothing",
            "link_dead_bodies_fight_back",
            "leaving_quitting_and_broken_links_in_the_middle_of_a_roll",
        ],
    ),
    (
        "Login floods and password guessing",
        "N2, A1, A2",
        &[
            "a1_a_full_queue_refuses_at_once",
            "who_asks_seldom_passes_who_asks_often",
            "n2_guesses_for_one_account_are_few_whoever_asks",
            "n2_guesses_from_a_known_address_are_few_and_leave_another_its_turn",
        ],
    ),
    (
        "Login replies reveal which accounts exist",
        "A2",
        &[
            "wrong_password_and_unknown_name_are_told_alike",
            "a2_an_unknown_name_and_a_broken_credential_get_the_same_answer",
        ],
    ),
    (
        "Passwords remain in logs or in memory",
        "T6, A3",
        &[
            "a2_passwords_leave_no_trace",
            "t6_a_password_is_changed_and_recovered_and_stands_nowhere",
            "t6_debug_tells_nothing_about_a_secret",
        ],
    ),
    (
        "Passwords are truncated or hashed weakly",
        "A1",
        &[
            "more_than_eight_letters_of_a_password_count",
            "passwords_are_never_hashed_below_the_minimum",
            "a1_a_credential_is_weak_once_the_settings_ask_for_more",
        ],
    ),
    ("User input forges log lines", "T6", &["t6_nothing_that_is_typed_forges_a_line_of_the_log"]),
    (
        "A player's text controls another player's terminal",
        "T1, T2, T3",
        &[
            "poisoned_words_arrive_as_words",
            "item_12_what_others_write_steers_no_terminal",
            "text_leaves_with_nothing_but_our_own_codes",
        ],
    ),
    (
        "Player text imitates game output, or names contain colour codes",
        "T2, T4",
        &["poisoned_descriptions_arrive_as_words", "what_a_speaker_puts_on_a_new_line_stays_theirs"],
    ),
    (
        "Names are confusable with others, or invisible",
        "T5",
        &["spoofed_names_are_refused", "honest_names_pass_and_differ"],
    ),
    (
        "Names are used as file paths",
        "A9",
        &["silly_names_are_refused_with_a_reason", "files_are_private_and_links_are_not_followed"],
    ),
    (
        "Items are duplicated because related rows are saved separately",
        "D2, D3",
        &[
            "nothing_told_is_lost_by_sigkill",
            "what_is_told_is_so_in_every_life_of_the_whole_server",
            "every_await_may_be_the_last",
            "finds_torn_batches",
        ],
    ),
    (
        "Items are duplicated by a defect of the rules that stays unnoticed for years",
        "D8",
        &[
            "finds_coppers_from_nowhere",
            "finds_things_that_are_given_twice",
            "sources_and_sinks_are_booked_with_what_they_change",
        ],
    ),
    (
        "A crash duplicates a corpse or empties a container",
        "D2",
        &["finds_corpses_without_an_owner", "players_fall_and_go_on"],
    ),
    (
        "A shutdown duplicates or loses items",
        "O1",
        &["nothing_told_is_lost_by_sigkill", "o1_o2_a_server_plays_stops_and_plays_on"],
    ),
    (
        "A save is incomplete, or the disk is full",
        "D5, D14, O3",
        &[
            "what_was_told_outlives_a_storage_call_that_fails",
            "a_full_disk_loses_nothing",
            "nothing_told_is_lost_when_the_power_fails",
        ],
    ),
    (
        "A repair destroys data",
        "D5, O2",
        &["what_was_told_outlives_a_storage_call_that_fails", "no_world_is_begun_beside_the_remains_of_one"],
    ),
    (
        "Amounts are negative, huge, or overflow",
        "A7",
        &[
            "odd_amounts_are_refused",
            "odd_numbers_are_refused",
            "odd_values_are_taken_whole_or_refused",
            "a_purse_has_a_bottom_and_a_brim",
        ],
    ),
    ("A container is put inside itself", "D7", &["whatever_is_put_into_what_nothing_is_doubled_or_lost"]),
    (
        "Timers restart or are lost",
        "W1, W2",
        &[
            "a_window_ends_in_time",
            "missed_ticks_are_one_tick",
            "finds_ticks_that_happen_twice",
            "nothing_told_is_lost_by_sigkill",
        ],
    ),
    ("File descriptors leak", "N13, O9", &["o9_what_comes_and_goes_leaves_nothing_behind"]),
    (
        "An alias expands recursively",
        "A8",
        &["a8_no_alias_calls_another", "what_a_line_stands_for_is_bounded"],
    ),
    (
        "A client floods the server with commands",
        "N1, N3",
        &["n1_a_burst_passes_and_then_the_rate", "a_slow_reader_harms_nobody"],
    ),
    (
        "Stored mail, notes and history grow without limit",
        "A8",
        &[
            "hands_and_floors_hold_only_so_much",
            "a8_aliases_are_bounded_and_hide_nothing_that_helps",
            "a8_the_character_told_longest_ago_is_forgotten_first",
            "ignoring_is_bounded",
        ],
    ),
    (
        "Privileges can be escalated",
        "A5, A6",
        &["a5_nothing_above_a_rank_is_done_for_it_however_it_is_called"],
    ),
    ("SQL is built from user data", "A9", &["a9_sql_is_written_in_two_places_and_holds_no_data"]),
    (
        "The system clock jumps",
        "W1, W3",
        &["w3_a_jump_is_noted_once_and_drift_is_not", "w1_a_world_from_the_future_is_not_set_back"],
    ),
    (
        "The server busy-loops when it is out of file descriptors",
        "N13",
        &["n13_without_descriptors_the_server_waits_and_goes_on"],
    ),
    (
        "The game has stopped, but the port still accepts connections",
        "O7, O8",
        &[
            "o7_a_panic_costs_its_cause_the_session_and_a_minute",
            "o7_a_game_that_panics_again_and_again_ends_the_process",
            "o7_a_rule_that_panics_is_undone_and_who_is_there_stays",
            "o7_a_recording_of_a_crash_panics_again_at_the_same_input",
            "o7_a_game_loop_that_dies_ends_the_server",
            "o7_what_accepts_connections_ends_the_server_if_it_dies",
        ],
    ),
    (
        "Memory leaks slowly",
        "O9",
        &["o9_what_comes_and_goes_leaves_nothing_behind", "o9_nothing_is_left_when_everybody_has_gone"],
    ),
    (
        "A backup is torn, or an old write-ahead log undoes a restore",
        "O5",
        &[
            "a_restore_killed_at_any_call_leaves_a_whole_world",
            "a_backup_killed_at_any_call_is_no_obstacle_to_the_next",
            "a_backup_without_power_is_whole_or_not_there",
            "nothing_told_is_lost_by_sigkill",
            "copies_are_whole_and_can_be_put_back",
        ],
    ),
];

/// Faults found here by attacking a running server.
const HERE: &[Fault] = &[
    (
        "An older database cannot be upgraded, or an interrupted upgrade cannot be resumed",
        "O6",
        &[
            "a_world_of_every_schema_plays_on",
            "an_upgrade_killed_at_any_call_goes_on_at_the_next_start",
            "an_upgrade_without_power_goes_on_at_the_next_start",
            "an_older_copy_is_put_back_and_a_newer_one_is_not",
        ],
    ),
    (
        "A change is acknowledged and lost while the world is read-only",
        "O3",
        &["o3_nothing_that_is_typed_changes_a_row_while_storage_is_read_only"],
    ),
    (
        "An interrupted restore destroys the world",
        "O5, O2",
        &[
            "a_restore_killed_at_any_call_leaves_a_whole_world",
            "a_restore_without_power_leaves_a_whole_world",
            "a_restore_that_is_decided_is_carried_out_by_the_next_start",
            "a_log_whose_database_is_gone_is_kept",
        ],
    ),
    (
        "A login started with the old password succeeds after a password change",
        "A1, A3",
        &["a3_what_was_proved_by_the_old_password_counts_no_more", "a_recovery_code_is_used_up"],
    ),
    (
        "One address prevents all other players from logging in",
        "A1, A2, N2",
        &[
            "who_stops_waiting_leaves_the_queue",
            "a_full_queue_has_a_place_for_who_asks_seldom",
            "n2_accounts_from_one_address_and_from_one_network_are_few",
            "an_account_that_never_left_the_town_goes_and_its_name_is_free",
            "n2_guesses_for_one_account_are_few_whoever_asks",
        ],
    ),
    (
        "Silent connections block new connections",
        "N2, N13",
        &[
            "n2_silent_ones_give_way_first_of_the_network_that_has_most",
            "n2_a_word_keeps_the_place_for_a_minute",
            "n2_a_network_with_many_gives_way_also_where_it_speaks",
            "n2_whom_no_header_names_takes_no_place_and_gives_way_to_the_next",
            "n2_a_byte_is_no_word",
            "n2_silent_connections_do_not_shut_the_page",
            "n13_files_are_kept_for_operators_and_the_database",
        ],
    ),
    (
        "Two servers write the same world, or another program modifies it",
        "D1",
        &[
            "d1_a_server_whose_world_another_has_opened_ends_with_words",
            "d1_a_server_whose_database_another_has_opened_writes_nothing",
            "d1_a_row_that_another_program_has_changed_is_told_and_kept",
        ],
    ),
    (
        "A clock that runs ahead ends all bans permanently",
        "W1",
        &["w1_a_clock_far_ahead_of_the_world_is_not_believed"],
    ),
    (
        "One player floods the screens of others with actions instead of chat",
        "N1",
        &[
            "ignore_covers_deeds_as_well_as_words",
            "n1_a_room_is_told_of_one_body_only_now_and_then",
            "n1_whoever_breaks_and_retakes_a_link_over_and_over_has_to_wait",
        ],
    ),
    (
        "A metrics client that never reads blocks the game",
        "O4",
        &["o4_observers_that_do_not_read_delay_nobody"],
    ),
    ("Hanging storage freezes the game", "O3, O4", &["o3_storage_that_hangs_does_not_freeze_play"]),
    (
        "A damaged id hangs start-up and `check`",
        "D6",
        &["a_row_with_the_id_of_another_is_named", "d6_a_row_under_the_number_of_another_is_refused"],
    ),
    (
        "Data remains after an account is deleted, or is missing from its export",
        "D2, A5",
        &[
            "d2_nothing_is_left_of_who_is_deleted",
            "all_that_is_kept_of_somebody_is_in_the_export",
            "a5_who_is_held_by_staff_and_the_last_owner_stay",
        ],
    ),
    (
        "One author fills the audit log and evicts the entries of others",
        "A8",
        &["a8_whoever_writes_most_loses_the_oldest_line", "a8_the_journal_is_bounded"],
    ),
    (
        "Backups are readable by other users, or symbolic links are followed",
        "O5, A9",
        &["files_are_private_and_links_are_not_followed", "a_lock_that_is_a_link_is_refused"],
    ),
    (
        "A rolled-back change reappears, or game time goes back",
        "D5, W2",
        &[
            "d5_a_moment_whose_sync_failed_does_not_come_back",
            "d5_what_is_in_doubt_is_not_said_to_be_undone",
            "the_time_is_written_though_nothing_happens",
        ],
    ),
    (
        "After a power failure, an acknowledged file, name or folder is not on the disk",
        "D3, D14",
        &[
            "nothing_told_is_lost_when_the_power_fails",
            "files_that_are_never_synced_are_found_when_the_power_fails",
            "names_that_are_never_synced_are_found_when_the_power_fails",
            "replies_before_the_sync_are_found_when_the_power_fails",
        ],
    ),
    (
        "A message misleads an operator or a player",
        "O2, T5",
        &[
            "a_damaged_database_asks_for_a_backup",
            "o2_an_unsound_copy_asks_for_another",
            "o9_a_flood_of_failures_does_not_fill_the_log",
            "look_alikes_share_a_skeleton",
        ],
    ),
    (
        "The write-ahead log grows without limit when it cannot be checkpointed",
        "D12",
        &[
            "d12_a_log_that_cannot_be_written_back_is_bounded",
            "a_log_that_cannot_be_written_back_stays_within_its_bound",
        ],
    ),
];

/// Text before the tables.
const HEAD: &str = "\
# Faults and the tests that find them

For developers: faults of other servers, and past faults of this one, with the rules that they broke ([rules.md](rules.md)) and
the tests that find them. The figures behind a test are those of its last long run: [testing.md](testing.md). This page is
generated from tests/docs/faults.rs.
";
const PAGE: &str = "docs/faults.md";
/// Folder with the figures of long test runs: one file per test, written by the test.
const FIGURES: &str = "tests/data/figures";

/// Returns every test by name, with its file; `None` if the name occurs twice.
pub(crate) fn tests() -> BTreeMap<String, Option<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeMap::new();
    let mut folders: Vec<PathBuf> = ["src", "tests"].map(|folder| root.join(folder)).into();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let file = path.strip_prefix(root).expect("a path below the root").display().to_string();
                for name in tests_of(&fs::read_to_string(&path).expect("a source")) {
                    let once = !found.contains_key(&name);
                    found.insert(name, once.then(|| file.clone()));
                }
            }
        }
    }
    found
}

/// Returns the names of the tests in a source.
fn tests_of(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_test = false;
    for line in source.lines().map(str::trim) {
        is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        let Some((_, rest)) = line.split_once("fn ").filter(|_| is_test) else { continue };
        names.extend(rest.split(['(', '<']).next().map(str::to_owned));
        is_test = false;
    }
    names
}

/// Returns the figures of the last long run of a test, if the test has long runs.
fn figures(test: &str) -> String {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join(FIGURES).join(format!("{test}.txt"));
    fs::read_to_string(kept).map_or_else(|_| String::new(), |figures| format!(": {}", figures.trim_end()))
}

/// Returns the rows of a table, and appends errors to `wrong`.
fn rows(faults: &[Fault], tests: &BTreeMap<String, Option<String>>, wrong: &mut String) -> String {
    let mut rows =
        String::from("\n| fault | rules | tests, with the figures of long runs |\n|---|---|---|\n");
    for (fault, rules, named) in faults {
        if named.is_empty() {
            let _ = writeln!(wrong, "{fault}: no test");
        }
        let mut links = Vec::new();
        for name in *named {
            match tests.get(*name) {
                Some(Some(file)) => links.push(format!("[{name}](../{file}){}", figures(name))),
                Some(None) => _ = writeln!(wrong, "{fault}: more than one test is called {name}"),
                None => _ = writeln!(wrong, "{fault}: there is no test {name}"),
            }
        }
        let _ = writeln!(rows, "| {fault} | {rules} | {} |", links.join("<br>"));
    }
    rows
}

#[test]
fn every_fault_has_a_test_that_finds_it() {
    let tests = tests();
    let mut wrong = String::new();
    let (elsewhere, here) = (rows(ELSEWHERE, &tests, &mut wrong), rows(HERE, &tests, &mut wrong));
    assert!(wrong.is_empty(), "\n{wrong}");
    let wanted =
        format!("{HEAD}\n## Faults of other servers\n{elsewhere}\n## Past faults of this server\n{here}");
    assert!(generated::stands(PAGE, &wanted), "{PAGE} does not show the faults; {}", generated::HOW);
}

/// Every file with figures belongs to an existing test.
#[test]
fn figures_are_of_tests_that_exist() {
    let (tests, folder) = (tests(), Path::new(env!("CARGO_MANIFEST_DIR")).join(FIGURES));
    for file in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let test = file.file_stem().and_then(OsStr::to_str).expect("the name of a test");
        assert!(tests.contains_key(test), "{} is of no test", file.display());
    }
}

/// Every test named under "Guarantees" in docs/security.md exists, and every guarantee names one.
#[test]
fn every_promise_of_security_has_a_test() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/security.md")).unwrap();
    let (_, promises) = page.split_once("## Guarantees\n").expect("promises");
    let (promises, _) = promises.split_once("\n## ").expect("more than promises");
    let (tests, mut wrong) = (tests(), String::new());
    for row in promises.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let named = row.split('`').skip(1).step_by(2).filter(|name| !tests.contains_key(*name));
        named.for_each(|name| _ = writeln!(wrong, "there is no test {name}"));
        if !row.contains('`') {
            let _ = writeln!(wrong, "no test: {row}");
        }
    }
    assert!(promises.lines().count() > 10 && wrong.is_empty(), "\n{wrong}");
}

#[test]
fn tests_are_found_in_every_form() {
    let source = "#[test]\nfn one() {}\n#[tokio::test(start_paused = true)]\n  async fn two() {}\nfn none() {}\n\
                  proptest! {\n #[test]\n fn three(a in 0..3) {}\n}\n";
    assert_eq!(tests_of(source), ["one", "two", "three"]);
}
