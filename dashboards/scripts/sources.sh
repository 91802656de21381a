#!/usr/bin/env bash
# Writes a source for each table that a page reads as finrag.<table>: Evidence wants a file of each.
# What it wrote before is removed first, so that no source outlives its table; other files stay.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for file in sources/finrag/*.sql; do
    [ -f "$file" ] || continue
    table=$(basename "$file" .sql)
    if [ "$(cat "$file")" = "select * from $table" ]; then rm "$file"; fi
done
grep -rhoE --include='*.md' 'finrag\.[a-z][a-z0-9_]*' pages | sort -u | while read -r name; do
    table=${name#finrag.}
    [ -f "sources/finrag/$table.sql" ] || echo "select * from $table" >"sources/finrag/$table.sql"
done
