#!/usr/bin/env bash
# Makes the browser tests ready: Playwright in .venv, and the Chromium of the system, which it drives. Where Chromium
# cannot be installed from here, this says how to, and the tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(.venv/bin/python -c 'import sys; print("%d%d" % sys.version_info[:2])')
pins=.requirements/browser$version.txt
pip=(.venv/bin/python -m pip --disable-pip-version-check --quiet)
if [ -f "$pins" ]; then
    "${pip[@]}" install --require-hashes --only-binary :all: -r "$pins"
else
    echo "No pinned version of Playwright for this Python: installing what pyproject.toml allows."
    "${pip[@]}" install "$(grep -o 'playwright[^"]*' pyproject.toml)"
fi

for browser in chromium chromium-browser google-chrome; do
    if command -v "$browser" > /dev/null; then
        exit
    fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    echo "Installing chromium (the browser tests need it)."
    apt-get update --quiet --quiet
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --quiet --no-install-recommends chromium > /dev/null
    command -v chromium > /dev/null
else
    echo "The browser tests need Chromium and are skipped without it. Install it, then run the same command again:" >&2
    echo "    sudo apt-get update && sudo apt-get install -y chromium" >&2
fi
