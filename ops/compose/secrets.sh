#!/bin/sh
# Creates the secrets of compose.yaml once. They are random and exist nowhere else. Existing secrets are not changed.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
[ -e secrets/database_password ] || random > secrets/database_password
[ -e secrets/database_url ] ||
  printf 'postgres://cal:%s@database/cal' "$(cat secrets/database_password)" > secrets/database_url
[ -e secrets/admin_password ] || random > secrets/admin_password
# Only the owner can open the folder. A container only sees the file, as a user with another id.
chmod 444 secrets/*
