//! The files of `deploy` agree with the program and with the image: commands, settings, paths and ports exist.
//! `tests/live/service_manager.rs` runs the units, and `tests/live/cluster.rs` the services of a cluster.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use deepwell::server::cli::CliArguments;
use deepwell::server::config::{Config, ConfigSources};
use serde_json::Value;

use crate::commands::words;
use crate::fences::root;

/// First line of the part of a unit that is the same in all.
const RESTRICTIONS: &str = "# What the program needs:";

/// Returns the files of a folder below `deploy` with this extension.
fn files(folder: &str, extension: &str) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(root().join("deploy").join(folder)).expect("a folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|own| own == extension));
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).expect("a text"))).collect()
}

/// Returns the settings for which environment variables and `--set` arguments are given.
fn settings(environment: Vec<(String, String)>, overrides: Vec<String>) -> Config {
    let sources = ConfigSources { environment, overrides, ..ConfigSources::default() };
    sources.check().unwrap_or_else(|mistakes| panic!("{mistakes:#?}")).config
}

/// Checks a command line of the program. The first word is a path.
fn check_program(line: &[&str]) {
    let own = ["deepwell"].into_iter().chain(line[1..].iter().copied());
    CliArguments::read(own.map(OsString::from)).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    let overrides = line.windows(2).filter(|pair| pair[0] == "--set");
    settings(Vec::new(), overrides.map(|pair| pair[1].to_owned()).collect());
}

/// Returns the values of a key of a unit.
fn values<'a>(unit: &'a str, key: &str) -> Vec<&'a str> {
    unit.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix('=')).collect()
}

fn pair(variable: &str) -> (String, String) {
    let (name, value) = variable.split_once('=').unwrap_or_else(|| panic!("{variable} has no value"));
    (name.to_owned(), value.to_owned())
}

#[test]
fn units_agree_with_the_program_and_each_other() {
    let units = files("systemd", "service");
    let roles: Vec<_> = units.iter().map(|(path, _)| path.file_stem().unwrap().to_str().unwrap()).collect();
    assert_eq!(roles, ["deepwell-gateway", "deepwell-host", "deepwell"]);
    let restrictions = |unit: &str| {
        let start = unit.find(RESTRICTIONS).expect("restrictions");
        unit[start..unit.find("\n[Install]").expect("an end")].to_owned()
    };
    for (path, unit) in &units {
        let role = path.file_stem().unwrap().to_str().unwrap().strip_prefix("deepwell-").unwrap_or("serve");
        let [start, reload] = ["ExecStart", "ExecReload"].map(|key| values(unit, key)[0]);
        assert_eq!(start, format!("/usr/local/bin/deepwell {role}"));
        for line in [start, reload] {
            check_program(&line.split(' ').collect::<Vec<_>>());
        }
        assert_eq!(reload.contains(" --gateway "), role == "gateway", "{reload} reloads another process");
        assert_eq!(values(unit, "Type"), ["notify"]);
        let settings = settings(values(unit, "Environment").into_iter().map(pair).collect(), Vec::new());
        let state = format!("/var/lib/{}", values(unit, "StateDirectory")[0]);
        assert_eq!(settings.server.state_dir, PathBuf::from(state));
        assert_eq!(restrictions(unit), restrictions(&units[0].1), "{}", path.display());
    }
}

/// At boot, one alias starts, which belongs to one process or to the gateway, so that only one can be enabled.
#[test]
fn units_that_exclude_each_other_cannot_both_be_enabled() {
    let of = |name: &str| fs::read_to_string(root().join("deploy/systemd").join(name)).expect("a unit");
    let [serve, gateway, host] = ["", "-gateway", "-host"].map(|role| of(&format!("deepwell{role}.service")));
    let alias = values(&serve, "Alias");
    assert_eq!((alias.len(), &alias), (1, &values(&gateway, "Alias")));
    assert_eq!(values(&of("multi-user.target.d/deepwell.conf"), "Wants"), alias);
    assert_eq!(
        (values(&host, "Alias"), values(&host, "Also")),
        (Vec::new(), vec!["deepwell-gateway.service"])
    );
    assert!(values(&gateway, "Wants")[0].contains("deepwell-host.service"));
    for unit in [serve, gateway, host] {
        assert!(values(&unit, "WantedBy").is_empty(), "{unit} would start beside the alias");
    }
}

/// The image, as far as compose files and tests depend on it.
struct Image {
    entry: Vec<String>,
    labels: BTreeMap<String, String>,
    user: String,
    health: Vec<String>,
    environment: Vec<(String, String)>,
    volume: String,
    ports: Vec<String>,
}

impl Image {
    fn read() -> Self {
        let text =
            fs::read_to_string(root().join("Dockerfile")).expect("the Dockerfile").replace("\\\n", " ");
        let of = |word: &str| {
            let mut lines = text.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
            lines.next_back().unwrap_or_else(|| panic!("no {word}")).to_owned()
        };
        Self {
            entry: serde_json::from_str(&of("ENTRYPOINT")).expect("a list"),
            labels: words(&of("LABEL")).iter().map(|label| pair(label)).collect(),
            user: of("USER"),
            health: serde_json::from_str(of("HEALTHCHECK").split_once(" CMD ").expect("a command").1)
                .expect("a list"),
            environment: of("ENV").split_whitespace().map(pair).collect(),
            volume: of("VOLUME"),
            ports: of("EXPOSE").split(' ').map(str::to_owned).collect(),
        }
    }
}

fn texts(list: &Value) -> Vec<&str> {
    let list = list.as_array().into_iter().flatten();
    list.map(|text| text.as_str().expect("texts")).collect()
}

/// Checks a service of a compose file. `named` contains the services, volumes and networks of the file.
fn check_service(image: &Image, name: &str, service: &Value, named: &BTreeMap<&str, Vec<&str>>) {
    assert_eq!(
        (&service["read_only"], texts(&service["cap_drop"])),
        (&Value::Bool(true), vec!["ALL"]),
        "{name}"
    );
    assert_eq!(texts(&service["security_opt"]), ["no-new-privileges:true"], "{name}");
    assert_eq!(texts(&service["healthcheck"]["test"])[0], "CMD", "{name}: images need not have a shell");
    for mount in texts(&service["volumes"]) {
        let volume = mount.split(':').next().expect("a volume");
        let file = root().join("deploy/compose").join(volume);
        let is_file = volume.starts_with("./") && mount.ends_with(":ro") && file.is_file();
        assert!(is_file || named["volumes"].contains(&volume), "{name}: there is no volume {volume}");
    }
    for network in texts(&service["networks"]) {
        assert!(named["networks"].contains(&network), "{name}: no network is called {network}");
    }
    let others = service["depends_on"].as_object().into_iter().flatten().map(|(other, _)| other.as_str());
    for other in others.chain(texts(&service["depends_on"])) {
        assert!(named["services"].contains(&other), "{name}: no service is called {other}");
    }
    if service["image"] == "deepwell" {
        check_role(image, name, service);
    }
}

/// Returns the settings of a service that runs the image.
fn settings_of(image: &Image, service: &Value) -> Config {
    let own = service["environment"].as_object().into_iter().flatten();
    let own = own.map(|(name, value)| (name.clone(), value.as_str().expect("a text").to_owned()));
    settings(image.environment.iter().cloned().chain(own).collect(), Vec::new())
}

/// Checks a service that runs the image.
fn check_role(image: &Image, name: &str, service: &Value) {
    let line = image.entry.iter().map(String::as_str).chain(texts(&service["command"]));
    check_program(&line.collect::<Vec<_>>());
    let health = texts(&service["healthcheck"]["test"]);
    assert_eq!(health[1], "deepwell", "{name}: the image has no other program for this");
    check_program(&health[1..]);
    assert_eq!(settings_of(image, service).server.state_dir, PathBuf::from(&image.volume));
    for mount in texts(&service["volumes"]) {
        let (_, path) = mount.split_once(':').expect("a path");
        assert_eq!(path, image.volume, "{name}: the server writes elsewhere");
    }
    for port in texts(&service["ports"]) {
        let inner = port.rsplit(':').next().expect("a port").to_owned();
        assert!(image.ports.contains(&inner), "{name}: the image has no port {inner}");
    }
}

#[test]
fn image_has_labels_a_health_check_and_no_root() {
    let image = Image::read();
    let label = |name: &str| image.labels[&format!("org.opencontainers.image.{name}")].as_str();
    assert_eq!(label("version"), env!("CARGO_PKG_VERSION"));
    let manifest: toml::Table =
        fs::read_to_string(root().join("Cargo.toml")).expect("a manifest").parse().expect("TOML");
    assert_eq!(Some(label("licenses")), manifest["workspace"]["package"]["license"].as_str());
    assert_eq!(image.user, "deepwell");
    check_program(&image.health.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Every file that the Dockerfile reads is sent to the builder.
#[test]
fn image_is_built_from_files_that_exist() {
    let text = fs::read_to_string(root().join("Dockerfile")).expect("the Dockerfile");
    let sent = fs::read_to_string(root().join(".dockerignore")).expect("the list");
    let sent: Vec<_> = sent.lines().filter_map(|line| line.strip_prefix('!')).collect();
    for path in &sent {
        assert!(root().join(path).exists(), "there is no {path}");
    }
    let is_own = |line: &&str| line.starts_with("COPY ") && !line.contains("--from") && !line.contains(" . ");
    for line in text.lines().filter(is_own) {
        let file = line.split(' ').nth(1).expect("a file");
        assert!(sent.contains(&file), "{file} is not sent to the builder");
    }
}

#[test]
fn compose_files_agree_with_program_and_image() {
    let (image, files) = (Image::read(), files("compose", "yaml"));
    assert!(!files.is_empty(), "the files were not found");
    for (path, text) in files {
        let file: Value = serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{error}"));
        let entries_of = |key: &'static str| {
            let entries = file[key].as_object().into_iter().flatten();
            (key, entries.map(|(name, _)| name.as_str()).collect::<Vec<_>>())
        };
        let named = BTreeMap::from(["services", "volumes", "networks"].map(entries_of));
        let services = file["services"].as_object().expect("services");
        for (name, service) in services {
            check_service(&image, name, service, &named);
        }
        let builds: Vec<_> = services.values().filter_map(|service| service["build"].as_str()).collect();
        let [build] = builds[..] else { panic!("{}: one service builds the image", path.display()) };
        assert!(path.parent().expect("a folder").join(build).join("Dockerfile").exists(), "{build}");
    }
}

/// Gateway and host share the volume with the socket between them, and only the gateway has ports.
#[test]
fn compose_file_for_one_machine_has_both_roles() {
    let text = fs::read_to_string(root().join("deploy/compose/one-machine.yaml")).expect("the file");
    let file: Value = serde_saphyr::from_str(&text).expect("YAML");
    let [gateway, host] = ["gateway", "host"].map(|name| &file["services"][name]);
    assert_eq!((texts(&gateway["command"]), texts(&host["command"])), (vec!["gateway"], vec!["host"]));
    assert_eq!((&gateway["volumes"], texts(&host["volumes"]).len()), (&host["volumes"], 1));
    assert!(!texts(&gateway["ports"]).is_empty() && host["ports"].is_null());
}

/// Each process has a volume of its own, the log is kept by all NATS servers, and players reach the gateways only.
#[test]
fn compose_file_for_a_cluster_has_no_part_twice() {
    let text = fs::read_to_string(root().join("deploy/compose/cluster.yaml")).expect("the file");
    let file: Value = serde_saphyr::from_str(&text).expect("YAML");
    let services = file["services"].as_object().expect("services");
    let of_kind = |kind: &'static str| services.iter().filter(move |(name, _)| name.starts_with(kind));
    let volumes: BTreeSet<_> = services.values().map(|service| texts(&service["volumes"])[0]).collect();
    assert_eq!([services.len(), volumes.len(), of_kind("nats-").count()], [8, 8, 3]);
    let addresses = of_kind("nats-").map(|(name, _)| {
        let password = if name == "nats-1" {
            "${DEEPWELL_NATS_PASSWORD:?see docs/operate/deploy.md}"
        } else {
            "${DEEPWELL_NATS_PASSWORD}"
        };
        format!("nats://world:{password}@{name}:4222")
    });
    let addresses = addresses.collect::<Vec<_>>().join(",");
    let image = Image::read();
    for (name, service) in of_kind("host-").chain(of_kind("gateway-")) {
        let cluster = settings_of(&image, service).cluster;
        assert_eq!((cluster.nats.as_str(), cluster.replicas), (addresses.as_str(), 3), "{name}");
        let role = texts(&service["command"])[0];
        assert!(name.starts_with(role), "{name} is a {role}");
        assert_eq!(cluster.host, if role == "host" { name.as_str() } else { "" });
        assert_eq!(texts(&service["networks"]).contains(&"players"), role == "gateway", "{name}");
    }
    for (name, service) in services {
        assert_eq!(service["ports"].is_array(), name.starts_with("gateway-"), "{name}");
    }
    let conf = fs::read_to_string(root().join("deploy/compose/nats.conf")).expect("the file");
    for (name, service) in of_kind("nats-") {
        assert!(conf.contains(&format!("\"nats://{name}:6222\"")), "{name} is no route");
        assert_eq!(service["environment"]["NATS_NAME"], name.as_str());
        assert_eq!(service["environment"]["NATS_PASSWORD"], "${DEEPWELL_NATS_PASSWORD}");
        let store = texts(&service["volumes"])[0].rsplit(':').next().expect("a path");
        assert!(conf.contains(&format!("store_dir: \"{store}\"")), "{name} stores elsewhere");
    }
}
