#!/bin/sh
# Creates the secrets of compose.yaml and cluster.yaml once. They are random and exist nowhere else. Existing secrets are not changed.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
[ -e secrets/database_password ] || random > secrets/database_password
on() { printf 'postgres://cal:%s@%s/cal' "$(cat secrets/database_password)" "$1"; }
[ -e secrets/database_url ] || on database > secrets/database_url
[ -e secrets/cluster_url ] || on database-1,database-2,database-3 > secrets/cluster_url
[ -e secrets/cluster_replica_url ] ||
  printf %s "$(on database-1),$(on database-2),$(on database-3)" > secrets/cluster_replica_url
[ -e secrets/admin_password ] || random > secrets/admin_password
# Only the owner can open the folder. A container only sees the file, as a user with another id.
chmod 444 secrets/*
