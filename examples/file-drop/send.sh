#!/usr/bin/env bash
# Drops an order into the folder that the route watches: ./send.sh [number] [customer]
set -euo pipefail

folder=${ORDERS_FOLDER:-orders}
number=${1:-$RANDOM}
customer=${2:-Ada Lovelace}

mkdir -p "$folder"
# under a name that the route does not read, then renamed: nobody ever sees half a file
printf '{"number":%d,"customer":"%s"}\n' "$number" "$customer" >"$folder/.$number.tmp"
mv "$folder/.$number.tmp" "$folder/$number.json"
echo "dropped $folder/$number.json"
