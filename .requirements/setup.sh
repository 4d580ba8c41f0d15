#!/usr/bin/env bash
# Makes .venv ready: the pinned packages, the project itself, and the two Debian libraries that opencv-python loads.
# Running it again does no harm; `make` runs it only when a file it depends on has changed.
set -euo pipefail
cd "$(dirname "$0")/.."

find_python() {
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "The referee needs Python 3.11 or newer; set PYTHON to one." >&2
    exit 1
}

make_environment() {
    if ! .venv/bin/python -c 'import pip' 2> /dev/null; then
        "$(find_python)" -m venv --clear .venv
    fi
}

install_packages() {
    local version pins
    version=$(.venv/bin/python -c 'import sys; print("%d%d" % sys.version_info[:2])')
    pins=.requirements/py$version.txt
    local pip=(.venv/bin/python -m pip --disable-pip-version-check)
    if [ ! -t 1 ]; then pip+=(--quiet); fi # a terminal gets to see how far it is
    echo "Installing packages into .venv; this is done once and takes a minute or two."
    if [ -f "$pins" ]; then
        "${pip[@]}" install --require-hashes --only-binary :all: -r "$pins"
        "${pip[@]}" install --no-deps --no-build-isolation -e .
    else
        echo "No pinned versions for this Python: installing what pyproject.toml allows."
        "${pip[@]}" install -r .requirements/build.in
        "${pip[@]}" install --no-build-isolation -e '.[test]'
    fi
}

# opencv-python brings its own code but loads OpenGL and GLib from the system, which a small Debian does not have.
ensure_libraries() {
    local missing='libgl1 libglib2.0-0' problem
    problem=$(.venv/bin/python -c 'import cv2' 2>&1) && return
    if [[ $problem != *'cannot open shared object file'* ]]; then
        echo "$problem" >&2
        exit 1
    elif [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
        echo "Installing $missing (opencv-python needs them)."
        apt-get update --quiet --quiet
        DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --quiet --no-install-recommends $missing > /dev/null
        .venv/bin/python -c 'import cv2'
    else
        echo "opencv-python needs two libraries of the system. Install them, then run the same command again:" >&2
        echo "    sudo apt-get update && sudo apt-get install -y $missing" >&2
        exit 1
    fi
}

make_environment
install_packages
ensure_libraries
