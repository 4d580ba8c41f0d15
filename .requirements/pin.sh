#!/usr/bin/env bash
# Writes py311.txt and py313.txt anew from the bounds in pyproject.toml, and beside them for each Python: run….txt without
# what only tests need, browser….txt for the tests in a browser. Exact versions with the hashes of all their files, and no
# address of any package index. Needs `uv` on the path. Only versions with ready-made wheels for both kinds of machine are
# taken; if the two kinds need different versions, this stops and says so.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# pin NAME WHAT CONSTRAINTS SOURCES...: the versions for $version into NAME.txt.
pin() {
    local name=$1 what=$2 known=$3 machine
    shift 3
    for machine in x86_64 aarch64; do
        uv pip compile --quiet "$@" --constraint "$known" --generate-hashes \
            --python-version "$version" --python-platform "$machine-manylinux_2_28" --only-binary :all: \
            --no-header --no-annotate --no-emit-index-url --output-file "$scratch/$machine.txt"
    done
    cmp "$scratch/x86_64.txt" "$scratch/aarch64.txt"
    {
        echo "# Python $version: $what, x86-64 and aarch64 (written by .requirements/pin.sh)."
        cat "$scratch/x86_64.txt"
    } > ".requirements/$name.txt"
}

for version in 3.11 3.13; do
    number=${version/./}
    : > "$scratch/none.txt"
    pin "py$number" "exact versions of what pyproject.toml asks for" "$scratch/none.txt" \
        pyproject.toml .requirements/build.in --extra test
    grep -o 'playwright[^"]*' pyproject.toml > "$scratch/browser.in"
    grep -o '^[a-z].*==[^ ]*' ".requirements/py$number.txt" > "$scratch/known.txt"
    pin "browser$number" "what drives the browser in the tests" "$scratch/known.txt" "$scratch/browser.in"
    pin "run$number" "the same without what only tests need, for systemd/install" "$scratch/known.txt" \
        pyproject.toml .requirements/build.in
done
