#!/usr/bin/env bash
# Signs a sample as GitHub does and sends it: ./send.sh [file] [event]
set -euo pipefail

hub=${HUB:-http://127.0.0.1:8080}
file=${1:-$(dirname "$0")/pull_request.opened.json}
name=$(basename "$file")
event=${2:-${name%%.*}}

signature=$(openssl dgst -sha256 -hmac "$GITHUB_WEBHOOK_SECRET" -r "$file" | cut -d' ' -f1)
curl -sS --fail-with-body "$hub/webhooks/github" \
  -H 'Content-Type: application/json' \
  -H "X-GitHub-Event: $event" \
  -H "X-GitHub-Delivery: $(cat /proc/sys/kernel/random/uuid)" \
  -H "X-Hub-Signature-256: sha256=$signature" \
  --data-binary "@$file"
echo
