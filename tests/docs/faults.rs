//! Faults known from other servers, and likely or past faults of this one, each with the tests that would find it.
//! docs/develop/faults.md is generated from this list, and every test in it must exist.

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
            "n6_payloads_of_every_shape_are_handled_for_every_option",
            "n6_overlong_subnegotiation_is_discarded_up_to_its_end",
            "n6_n7_t1_telnet_events_are_independent_of_splits",
        ],
    ),
    (
        "An unterminated subnegotiation exhausts memory",
        "N1, N6",
        &["n6_unterminated_subnegotiation_uses_no_memory", "n6_endless_subnegotiation_uses_bounded_memory"],
    ),
    (
        "Option negotiation loops forever",
        "N7",
        &["n7_random_peers_that_echo_fall_silent", "n7_two_peers_never_loop"],
    ),
    (
        "Malformed option bytes crash the server",
        "N6",
        &["n7_every_option_and_verb_gets_one_short_reply", "n6_arbitrary_bytes_do_not_panic"],
    ),
    (
        "Environment variables sent by the client influence a login",
        "N8",
        &["n8_forged_environment_changes_nothing"],
    ),
    (
        "The client reports a window of zero or millions of columns",
        "N9",
        &["n9_windows_of_every_size_are_clamped", "protocols_7_3_prompts_fit_every_width"],
    ),
    (
        "Compression uses too much memory, or its stream stalls",
        "N5",
        &[
            "n5_compressed_connections_are_limited",
            "client_can_stop_and_restart_compression",
            "protocols_5_11_compressed_output_survives_cancelled_writes",
        ],
    ),
    (
        "A GMCP message is too deep, too wide, too long, or of an unexpected type",
        "N10",
        &["n10_message_bounds_are_checked_before_parsing", "n10_hostile_messages_are_ignored_and_counted"],
    ),
    (
        "The character set changes, or a character is split between two reads",
        "N11",
        &[
            "n11_decoding_never_fails",
            "item_8_character_sets",
            "n11_t1_decoded_lines_are_clean_in_every_character_set",
        ],
    ),
    (
        "A client never reads its output",
        "N4",
        &["n4_slow_reader_does_not_delay_others", "n4_peer_that_never_reads_times_out_after_thirty_seconds"],
    ),
    (
        "Connections are silent or half open",
        "N2, N12",
        &[
            "n2_silent_connections_do_not_delay_players",
            "input_does_not_extend_login_deadline",
            "silent_telnet_client_gets_keep_alive_each_minute",
        ],
    ),
    (
        "A reconnect duplicates the character",
        "N12, D7",
        &[
            "n12_new_login_takes_over_character_and_closes_old_session",
            "d7_concurrent_creations_get_unique_ids_and_names",
            "late_login_of_disconnected_client_is_dropped",
        ],
    ),
    (
        "Dropping the link avoids death or duplicates items",
        "N14, D2",
        &[
            "link_death_does_not_prevent_bleeding_out",
            "link_dead_characters_fight_back",
            "leaving_passes_but_quitting_keeps_the_claim",
        ],
    ),
    (
        "Login floods and password guessing",
        "N2, A1, A2",
        &[
            "a1_full_queue_refuses_immediately",
            "light_sources_are_served_before_heavy_ones",
            "n2_guesses_for_one_account_are_limited",
            "n2_known_addresses_are_limited_and_share_the_reserve",
        ],
    ),
    (
        "Login replies reveal which accounts exist",
        "A2",
        &["wrong_password_and_unknown_name_look_the_same", "a2_unknown_name_and_bad_credential_fail_alike"],
    ),
    (
        "Passwords remain in logs or in memory",
        "T6, A3",
        &[
            "a2_passwords_are_not_written_or_logged",
            "t6_passwords_are_changed_and_recovered_and_never_written",
            "t6_debug_output_hides_secret",
        ],
    ),
    (
        "Passwords are truncated or hashed weakly",
        "A1",
        &[
            "a1_passwords_are_compared_in_full",
            "passwords_are_never_hashed_below_the_minimum",
            "a1_credential_below_current_settings_is_weak",
        ],
    ),
    ("User input forges log lines", "T6", &["t6_typed_text_cannot_forge_log_lines"]),
    (
        "A player's text controls another player's terminal",
        "T1, T2, T3",
        &[
            "t1_t2_t4_typed_text_is_sanitised_and_attributed",
            "item_12_player_text_cannot_control_terminals",
            "t3_output_has_only_our_own_control_codes",
        ],
    ),
    (
        "Player text imitates game output, or names contain colour codes",
        "T2, T4",
        &["t1_t4_builder_text_is_sanitised", "t4_continued_speech_stays_attributed"],
    ),
    (
        "Names are confusable with others, or invisible",
        "T5",
        &["t5_confusable_and_invalid_names_are_refused", "ordinary_names_pass_and_differ"],
    ),
    (
        "Names are used as file paths",
        "A9",
        &["t5_invalid_names_are_refused_with_a_reason", "copies_are_private_and_links_are_not_followed"],
    ),
    (
        "Items are duplicated because related rows are saved separately",
        "D2, D3",
        &[
            "acknowledged_changes_survive_sigkill",
            "acknowledged_changes_survive_failures_of_the_whole_server",
            "server_can_die_at_any_await",
            "finds_torn_batches",
        ],
    ),
    (
        "Items are duplicated by a defect of the rules that stays unnoticed for years",
        "D8",
        &[
            "finds_money_from_nowhere",
            "finds_items_given_twice",
            "ledger_entries_are_in_the_batch_of_their_change",
        ],
    ),
    (
        "A crash duplicates a corpse or empties a container",
        "D2",
        &["finds_corpses_without_an_owner", "defeated_players_continue"],
    ),
    (
        "A shutdown duplicates or loses items",
        "O1",
        &["acknowledged_changes_survive_sigkill", "o1_o2_server_restarts_with_its_world"],
    ),
    (
        "A save is incomplete, or the disk is full",
        "D5, D14, O3",
        &[
            "acknowledged_changes_survive_a_failed_storage_call",
            "full_disk_error_is_retryable_and_loses_nothing",
            "acknowledged_changes_survive_power_failure",
        ],
    ),
    (
        "A repair destroys data",
        "D5, O2",
        &["acknowledged_changes_survive_a_failed_storage_call", "no_new_world_is_created_beside_remains"],
    ),
    (
        "Amounts are negative, huge, or overflow",
        "A7",
        &[
            "invalid_amounts_are_refused",
            "a7_invalid_amounts_are_refused_with_a_reason",
            "names_with_colons_are_kept_and_bad_values_refused",
            "a7_purse_never_overflows",
        ],
    ),
    ("A container is put inside itself", "D7", &["random_item_moves_duplicate_and_lose_nothing"]),
    (
        "Timers restart or are lost",
        "W1, W2",
        &[
            "e7_w2_window_closes_on_time_across_restarts",
            "e46_w2_w4_missed_ticks_run_as_one_tick",
            "finds_repeated_ticks",
            "acknowledged_changes_survive_sigkill",
        ],
    ),
    ("File descriptors leak", "N13, O9", &["o9_sessions_leak_no_descriptors_or_memory"]),
    (
        "An alias expands recursively",
        "A8",
        &["a8_aliases_are_not_expanded_recursively", "a8_alias_expansion_is_bounded"],
    ),
    (
        "A client floods the server with commands",
        "N1, N3",
        &["n1_burst_passes_then_rate_applies", "n4_slow_reader_does_not_delay_others"],
    ),
    (
        "Stored mail, notes and history grow without limit",
        "A8",
        &[
            "carried_items_floors_and_stacks_are_limited",
            "a8_aliases_are_limited_and_cannot_hide_escape_commands",
            "a8_least_recently_told_character_is_evicted",
            "n1_number_of_ignored_players_is_bounded",
        ],
    ),
    ("Privileges can be escalated", "A5, A6", &["a5_commands_above_a_rank_have_no_effect_in_any_spelling"]),
    ("SQL is built from user data", "A9", &["a9_sql_is_composed_in_two_files_without_data"]),
    (
        "The system clock jumps",
        "W1, W3",
        &["w3_jump_is_reported_once_and_drift_is_not", "w1_game_time_ahead_of_wall_clock_is_not_set_back"],
    ),
    (
        "The server busy-loops when it is out of file descriptors",
        "N13",
        &["n13_server_waits_for_free_descriptors_and_continues"],
    ),
    (
        "The game has stopped, but the port still accepts connections",
        "O7, O8",
        &[
            "o7_panic_closes_session_and_blocks_login_for_a_minute",
            "o7_repeated_panics_end_the_process",
            "o7_panicking_rule_is_rolled_back_and_others_stay",
            "o7_crash_recording_replays_to_the_same_panic",
            "o7_panicking_game_loop_ends_the_server",
            "o7_panicking_listener_stops_the_server",
        ],
    ),
    (
        "Memory leaks slowly",
        "O9",
        &["o9_sessions_leak_no_descriptors_or_memory", "o9_all_places_are_released_after_disconnect"],
    ),
    (
        "A backup is torn, or an old write-ahead log undoes a restore",
        "O5",
        &[
            "o5_restore_killed_at_any_call_leaves_complete_world",
            "o5_backup_killed_at_any_call_does_not_block_next_backup",
            "o5_backup_cut_by_power_failure_is_complete_or_absent",
            "o5_backup_cut_by_sigkill_leaves_no_backup",
            "o5_backups_taken_under_load_are_restored_and_played",
            "acknowledged_changes_survive_sigkill",
            "backup_is_complete_and_can_be_restored",
        ],
    ),
    (
        "A restore to a moment skips or repeats changes",
        "O5",
        &[
            "o5_restore_to_a_moment_equals_the_state_at_that_batch",
            "o5_torn_tail_of_the_log_is_left_out_and_damage_is_an_error",
            "o5_gap_in_the_log_is_an_error_that_names_both_ends",
            "o5_restore_follows_the_world_that_was_played_on",
            "o5_batches_do_not_follow_a_world_that_was_changed_without_the_log",
            "o4_o5_backup_and_logged_batches_give_the_last_state",
        ],
    ),
    (
        "Backups fail unnoticed, or the last sound one is deleted",
        "O4, O5",
        &[
            "o4_o5_failed_backups_are_reported_and_play_continues",
            "o4_o5_full_target_of_backups_is_reported_and_play_continues",
            "d8_o5_backup_with_invalid_rows_or_wrong_totals_is_refused",
            "last_sound_backup_and_as_many_as_the_rules_say_are_kept",
            "failed_backup_is_retried_and_reported_as_late_after_two_intervals",
        ],
    ),
];

/// Faults found here by attacking a running server.
const HERE: &[Fault] = &[
    (
        "An older database cannot be upgraded, or an interrupted upgrade cannot be resumed",
        "O6",
        &[
            "world_of_every_schema_upgrades_and_plays",
            "o6_upgrade_killed_at_any_call_completes_at_next_start",
            "o6_upgrade_cut_by_power_failure_completes_at_next_start",
            "older_copy_is_restored_and_newer_copy_is_refused",
        ],
    ),
    (
        "A change is acknowledged and lost while the world is read-only",
        "O3",
        &["o3_typed_lines_write_no_row_in_read_only_mode"],
    ),
    (
        "An interrupted restore destroys the world",
        "O5, O2",
        &[
            "o5_restore_killed_at_any_call_leaves_complete_world",
            "o5_restore_cut_by_power_failure_leaves_complete_world",
            "committed_restore_is_completed_by_next_start",
            "log_without_database_is_kept",
        ],
    ),
    (
        "A login started with the old password succeeds after a password change",
        "A1, A3",
        &["a3_proof_by_old_password_is_rejected_after_a_change", "recovery_code_works_once"],
    ),
    (
        "One address prevents all other players from logging in",
        "A1, A2, N2",
        &[
            "cancelled_request_leaves_the_queue",
            "full_queue_evicts_heavy_source_for_light_one",
            "n2_account_creation_is_limited_per_address_and_network",
            "unused_account_is_deleted_and_its_name_freed",
            "n2_guesses_for_one_account_are_limited",
        ],
    ),
    (
        "Silent connections block new connections",
        "N2, N13",
        &[
            "n2_silent_connections_of_largest_network_are_displaced_first",
            "n2_connection_with_oldest_input_is_displaced_when_all_have_spoken",
            "n2_large_network_is_displaced_despite_input",
            "n2_oldest_connection_without_header_is_displaced",
            "n2_incomplete_input_does_not_count",
            "n2_silent_connections_do_not_block_the_web_client",
            "n13_descriptors_are_reserved_for_operators_and_database",
        ],
    ),
    (
        "Two servers write the same world, or another program modifies it",
        "D1",
        &[
            "d1_first_server_exits_with_error_when_second_opens_world",
            "d1_first_server_cannot_write_after_second_opens_database",
            "d1_external_change_is_detected_and_not_overwritten",
        ],
    ),
    ("A clock that runs ahead ends all bans permanently", "W1", &["w1_wall_clock_too_far_ahead_is_ignored"]),
    (
        "One player floods the screens of others with actions instead of chat",
        "N1",
        &[
            "ignore_hides_actions_as_well_as_speech",
            "n1_action_messages_of_one_character_are_rate_limited",
            "n1_repeated_reconnects_are_rate_limited",
        ],
    ),
    (
        "A metrics client that never reads blocks the game",
        "O4",
        &["o4_monitoring_clients_that_never_read_cause_no_delay"],
    ),
    ("Hanging storage freezes the game", "O3, O4", &["o3_locked_database_does_not_freeze_play"]),
    (
        "A damaged id hangs start-up and `check`",
        "D6",
        &["row_with_mismatched_id_is_reported", "d6_row_with_mismatched_id_is_rejected_in_every_table"],
    ),
    (
        "Data remains after an account is deleted, or is missing from its export",
        "D2, A5",
        &[
            "d2_deletion_removes_all_ids_and_names_atomically",
            "export_covers_every_table_that_mentions_the_person",
            "a5_sanctioned_account_and_last_owner_cannot_be_deleted",
        ],
    ),
    (
        "One author fills the audit log and evicts the entries of others",
        "A8",
        &["a8_most_frequent_author_loses_oldest_record", "a8_journal_is_bounded"],
    ),
    (
        "Backups are readable by other users, or symbolic links are followed",
        "O5, A9",
        &["copies_are_private_and_links_are_not_followed", "symlinked_lock_is_refused"],
    ),
    (
        "A rolled-back change reappears, or game time goes back",
        "D5, W2",
        &[
            "d5_changes_of_a_failed_sync_do_not_reappear",
            "d5_doubtful_commit_is_not_reported_as_undone",
            "game_time_is_stored_while_a_client_is_idle",
        ],
    ),
    (
        "After a power failure, an acknowledged file, name or folder is not on the disk",
        "D3, D14",
        &[
            "acknowledged_changes_survive_power_failure",
            "unsynced_files_are_detected",
            "unsynced_file_names_are_detected",
            "replies_before_the_sync_are_detected",
        ],
    ),
    (
        "A message misleads an operator or a player",
        "O2, T5",
        &[
            "damaged_database_error_suggests_a_backup",
            "o2_restoring_unsound_copy_asks_for_another",
            "o9_a_flood_of_failures_does_not_fill_the_log",
            "t5_look_alikes_share_a_skeleton",
        ],
    ),
    (
        "The write-ahead log grows without limit when it cannot be checkpointed",
        "D12",
        &[
            "d12_write_ahead_log_is_bounded_under_a_long_reader",
            "log_stays_within_limit_while_reader_is_active",
        ],
    ),
];

/// Text before the tables.
const HEAD: &str = "\
# Faults and the tests that find them

This page is for developers who want to know which test would find a fault of other servers, or a past fault of this one.
To run one of these tests, give cargo its name, and for a test below `tests` the name of the folder there:

```sh
cargo test --test live acknowledged_changes_survive_sigkill
```

Each fault is listed with the rules that it broke ([rules.md](rules.md)) and the tests that find it.
[testing.md](testing.md) describes the long runs, whose figures are [below](#figures-of-long-runs). This page is generated
from `tests/docs/faults.rs`.
";
const PAGE: &str = "docs/develop/faults.md";
/// Folder with the figures of long test runs: one file per test, written by the test.
const FIGURES: &str = "tests/data/figures";

/// Returns every test by name, with its file; `None` if the name occurs twice.
pub(crate) fn tests() -> BTreeMap<String, Option<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeMap::new();
    let mut folders: Vec<PathBuf> = ["src", "crates", "tests"].map(|folder| root.join(folder)).into();
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

/// Returns the tests with long runs, sorted, each with the figures of its last one.
fn figures() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FIGURES);
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let name = |file: &Path| file.file_stem().and_then(OsStr::to_str).expect("the name of a test").to_owned();
    let mut figures: Vec<_> =
        files.map(|file| (name(&file), fs::read_to_string(&file).expect("figures"))).collect();
    figures.sort();
    figures
}

/// Returns the table of the figures of long runs.
fn figure_rows() -> String {
    let mut rows = String::from("\n| test | figures |\n|---|---|\n");
    for (test, figures) in figures() {
        let _ = writeln!(rows, "| `{test}` | {} |", figures.trim_end());
    }
    rows
}

/// Returns the rows of a table, and appends errors to `complaints`.
fn rows(faults: &[Fault], tests: &BTreeMap<String, Option<String>>, complaints: &mut String) -> String {
    let mut rows = String::from("\n| fault | rules | tests |\n|---|---|---|\n");
    for (fault, rules, named) in faults {
        if named.is_empty() {
            let _ = writeln!(complaints, "{fault}: no test");
        }
        let mut links = Vec::new();
        for name in *named {
            match tests.get(*name) {
                Some(Some(file)) => links.push(format!("[{name}](../../{file})")),
                Some(None) => _ = writeln!(complaints, "{fault}: more than one test is called {name}"),
                None => _ = writeln!(complaints, "{fault}: there is no test {name}"),
            }
        }
        let _ = writeln!(rows, "| {fault} | {rules} | {} |", links.join("<br>"));
    }
    rows
}

#[test]
fn every_fault_names_existing_tests() {
    let tests = tests();
    let mut complaints = String::new();
    let (elsewhere, here) = (rows(ELSEWHERE, &tests, &mut complaints), rows(HERE, &tests, &mut complaints));
    assert!(complaints.is_empty(), "\n{complaints}");
    let wanted = format!(
        "{HEAD}\n## Faults of other servers\n{elsewhere}\n## Past faults of this server\n{here}\n\
         ## Figures of long runs\n{}",
        figure_rows()
    );
    assert!(generated::is_up_to_date(PAGE, &wanted), "{PAGE} does not show the faults; {}", generated::HOW);
}

/// Every file with figures belongs to an existing test.
#[test]
fn figures_belong_to_existing_tests() {
    let tests = tests();
    for (test, _) in figures() {
        assert!(tests.contains_key(&test), "{FIGURES}/{test}.txt is of no test");
    }
}

/// Every test named under "Guarantees" in docs/operate/security.md exists, and every guarantee names one.
#[test]
fn every_security_guarantee_has_a_test() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/operate/security.md")).unwrap();
    let (_, promises) = page.split_once("## Guarantees\n").expect("promises");
    let (promises, _) = promises.split_once("\n## ").expect("more than promises");
    let (tests, mut complaints) = (tests(), String::new());
    for row in promises.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let named = row.split('`').skip(1).step_by(2).filter(|name| !tests.contains_key(*name));
        named.for_each(|name| _ = writeln!(complaints, "there is no test {name}"));
        if !row.contains('`') {
            let _ = writeln!(complaints, "no test: {row}");
        }
    }
    assert!(promises.lines().count() > 10 && complaints.is_empty(), "\n{complaints}");
}

#[test]
fn tests_are_found_in_every_form() {
    let source = "#[test]\nfn one() {}\n#[tokio::test(start_paused = true)]\n  async fn two() {}\nfn none() {}\n\
                  proptest! {\n #[test]\n fn three(a in 0..3) {}\n}\n";
    assert_eq!(tests_of(source), ["one", "two", "three"]);
}
