#!/usr/bin/env bash
# Builds the site in dashboards/build from the export of the warehouse: build.sh EXPORT
# Packages are installed only when their lock or a patch changed.
set -euo pipefail

fail() { echo "dashboards: $1" >&2; exit 1; }

here=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v node >/dev/null && command -v npm >/dev/null ||
    fail "Node.js 20 or newer is needed and was not found; install it from nodejs.org or your platform's packages."
node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)' ||
    fail "Node.js 20 or newer is needed; this is $(node --version)."
# paths and sizes by node: the tools of macOS and of Linux have no options for them in common
export_file=$(node -p 'require("path").resolve(...process.argv.slice(1))' "$here" "${1:-.finrag/export/dashboard.duckdb}")
[ -f "$export_file" ] ||
    fail "there is no export at $export_file; make build makes the warehouse and finrag export the export."

# one quiet line in place of npm's screen; the whole of it where something went wrong
quietly() {
    local log; log=$(mktemp)
    if "$@" >"$log" 2>&1; then rm -f "$log"; else cat "$log" >&2; rm -f "$log"; return 1; fi
}

locked=$(cat package.json package-lock.json patches/*.patch | cksum)
if [ "$(cat node_modules/.locked 2>/dev/null)" != "$locked" ]; then
    echo "dashboards: installing packages (about 80 seconds, 700 MB)"
    quietly npm ci || fail "the packages could not be installed; npm's words stand above."
    echo "$locked" >node_modules/.locked
fi

# what a former build left would stay in the site
rm -rf build .evidence/template/static/data .evidence/template/.evidence-queries .evidence/meta
export EVIDENCE_SOURCE__finrag__filename
EVIDENCE_SOURCE__finrag__filename=$(node -p 'require("path").relative("sources/finrag", process.argv[1])' "$export_file")
scripts/sources.sh
echo "dashboards: reading the tables"
quietly node_modules/.bin/evidence sources --strict ||
    fail "a table could not be read; the reason stands above."
echo "dashboards: building the pages (a few minutes)"
quietly node_modules/.bin/evidence build:strict ||
    fail "a page could not be built; the page and the reason stand above."
node -e '
const { readdirSync, statSync } = require("fs");
const files = readdirSync("build", { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
const pages = files.filter((file) => file.name === "index.html").length;
const size = (file) => statSync(`${file.parentPath ?? file.path}/${file.name}`).size;
const megabytes = Math.ceil(files.reduce((sum, file) => sum + size(file), 0) / 2 ** 20);
console.log(`dashboards: ${pages} pages, ${megabytes} MB in dashboards/build`);'
