#!/usr/bin/env bash
# Sends a group of alerts as Alertmanager does: ./send.sh [file]
set -euo pipefail

hub=${HUB:-http://127.0.0.1:8080}
file=${1:-$(dirname "$0")/firing.json}

curl -sS --fail-with-body "$hub/webhooks/alerts" \
  -H 'Content-Type: application/json' \
  -H "Authorization: Bearer $ALERTS_TOKEN" \
  --data-binary "@$file"
echo
