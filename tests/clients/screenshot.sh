#!/usr/bin/env bash
# Takes a picture of XBoard for docs/images: of a game, of analysis with two lines, or of the
# dialogue for the options. Needs what tests/run installs, and ImageMagick.
# Usage: tests/clients/screenshot.sh [game|analysis|settings] [FILE]
set -euo pipefail
cd "$(dirname "$0")/../.."

show=${1:-game}
file=$(realpath -m "${2:-docs/images/xboard-$show.png}")
mkdir -p "$(dirname "$file")"
cargo build --quiet --release --package orthrus --target-dir target
engine=$PWD/target/release/orthrus
cd tests/clients
../../.venv/bin/python - "$engine" "$show" "$file" <<'PYTHON'
import sys

import engines
import test_xboard

engines.ORTHRUS = sys.argv[1]
test_xboard.screenshot(getattr(test_xboard, sys.argv[2]), sys.argv[3])
PYTHON
