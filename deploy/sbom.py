#!/usr/bin/env python3
"""Writes a software bill of materials in the format CycloneDX 1.5: the crates that are part of the program or of its
build, with version, licence, checksum and dependencies. Reads Cargo.lock and `cargo metadata`; needs no network if the
crates have been fetched. With `notices` it writes the licence texts of these crates instead.

    deploy/sbom.py x86_64-unknown-linux-gnu >deepwell.cdx.json
    deploy/sbom.py x86_64-unknown-linux-gnu notices >THIRD-PARTY-LICENCES
"""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


def metadata(target):
    """Returns the resolved dependencies for a target."""
    line = ["cargo", "metadata", "--format-version=1", "--locked", "--filter-platform", target]
    return json.loads(subprocess.run(line, cwd=HERE, stdout=subprocess.PIPE, check=True).stdout)


def purl(package):
    """Returns the package URL of a crate."""
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, kind, checksums):
    """Returns the entry of a crate."""
    licence = package["license"]
    entry = {
        "type": kind,
        "bom-ref": purl(package),
        "name": package["name"],
        "version": package["version"],
        "purl": purl(package),
        # Older crates write `MIT/Apache-2.0` for `MIT OR Apache-2.0`.
        "licenses": [{"expression": licence.replace("/", " OR ")}] if licence else [],
    }
    if checksum := checksums.get((package["name"], package["version"])):
        entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["repository"]:
        entry["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return entry


def reached(nodes, root):
    """Returns the crates that the root needs to be built or to run, without those of its tests."""
    needs = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node in needs:
            continue
        used = [dep["pkg"] for dep in nodes[node]["deps"] if any(kind["kind"] != "dev" for kind in dep["dep_kinds"])]
        needs[node] = sorted(used)
        waiting += used
    return needs


def bill_of_materials(root, libraries, packages, needs):
    """Returns the bill of materials."""
    lock = tomllib.loads((HERE / "Cargo.lock").read_text())
    checksums = {(crate["name"], crate["version"]): crate.get("checksum") for crate in lock["package"]}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(packages[root], "application", checksums)},
        "components": [component(package, "library", checksums) for package in libraries],
        "dependencies": [
            {"ref": purl(packages[id]), "dependsOn": [purl(packages[need]) for need in needs[id]]}
            for id in sorted(needs, key=lambda id: purl(packages[id]))
        ],
    }


def notices(libraries):
    """Prints the licence texts of crates, each text once."""
    users = {}
    for package in libraries:
        folder = Path(package["manifest_path"]).parent
        texts = (path for path in folder.rglob("*") if path.name.upper().startswith(("LICEN", "COPYING", "NOTICE")))
        for path in sorted(texts):
            if path.is_file() and path.suffix not in (".rs", ".toml", ".json"):
                text = path.read_text(errors="replace").strip()
                users.setdefault(text, []).append(f"{package['name']} {package['version']}")
    for text, names in users.items():
        print(f"{'=' * 78}\n{', '.join(dict.fromkeys(names))}\n\n{text}\n")


def main():
    """Prints what is asked for."""
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["notices"]):
        sys.exit("usage: deploy/sbom.py TARGET [notices]")
    told = metadata(sys.argv[1])
    packages = {package["id"]: package for package in told["packages"]}
    root = told["resolve"]["root"]
    needs = reached({node["id"]: node for node in told["resolve"]["nodes"]}, root)
    libraries = sorted((packages[id] for id in needs if id != root), key=purl)
    if sys.argv[2:]:
        notices(libraries)
    else:
        json.dump(bill_of_materials(root, libraries, packages, needs), sys.stdout, indent=1)
        print()


if __name__ == "__main__":
    main()
