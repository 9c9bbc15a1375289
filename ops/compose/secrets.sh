#!/bin/sh
# Makes the secrets of compose.yaml, once: random ones, which are nowhere else. Those that are there are left alone.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
[ -e secrets/database_password ] || random > secrets/database_password
[ -e secrets/database_url ] ||
  printf 'postgres://cal:%s@database/cal' "$(cat secrets/database_password)" > secrets/database_url
[ -e secrets/admin_password ] || random > secrets/admin_password
# Only the owner gets into the folder. In a container the file alone is shown, to a user of another number.
chmod 444 secrets/*
