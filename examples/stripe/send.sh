#!/usr/bin/env bash
# Signs a sample as Stripe does and sends it: ./send.sh [file] [seconds ago]
set -euo pipefail

hub=${HUB:-http://127.0.0.1:8080}
file=${1:-$(dirname "$0")/invoice.payment_failed.json}
time=$(($(date +%s) - ${2:-0}))

signature=$({ printf '%s.' "$time"; cat "$file"; } | openssl dgst -sha256 -hmac "$STRIPE_WEBHOOK_SECRET" -r | cut -d' ' -f1)
curl -sS --fail-with-body "$hub/webhooks/stripe" \
  -H 'Content-Type: application/json' \
  -H "Stripe-Signature: t=$time,v1=$signature" \
  --data-binary "@$file"
echo
