#!/usr/bin/env bash
# Signs a sample as Slack does and sends it: ./send.sh [app_mention.json | url_verification.json | command.form]
set -euo pipefail

hub=${HUB:-http://127.0.0.1:8080}
file=${1:-$(dirname "$0")/app_mention.json}
time=$(date +%s)
type=application/json
[[ $file != *.form ]] || type=application/x-www-form-urlencoded

signature=$({ printf 'v0:%s:' "$time"; cat "$file"; } | openssl dgst -sha256 -hmac "$SLACK_SIGNING_SECRET" -r | cut -d' ' -f1)
curl -sS --fail-with-body "$hub/webhooks/slack" \
  -H "Content-Type: $type" \
  -H "X-Slack-Request-Timestamp: $time" \
  -H "X-Slack-Signature: v0=$signature" \
  --data-binary "@$file"
echo
