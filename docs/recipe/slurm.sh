#!/bin/bash
#SBATCH --job-name=shop --nodes=4 --ntasks-per-node=1 --time=01:00:00
#
# An instance of the service with its driver on each node, and a search on the first that shares its tests
# among them. Run: sbatch docs/recipe/slurm.sh
set -euo pipefail

export WALLACE_DRIVER_HOST=0.0.0.0
port=${PORT:-40100}
srun --overlap ${INSTANCE:-wallace node --serve --driver-port $port -- npm start} &
instances=$!
# It has the driver end its service, and the search what it found written.
trap 'kill "$instances"; wait "$instances" || true' EXIT

scontrol show hostnames "$SLURM_JOB_NODELIST" | sed "s/$/:$port/" > instances.txt
first=$(head -n 1 instances.txt)
until (: > "/dev/tcp/${first%:*}/$port") 2>&-; do
    kill -0 "$instances"
    sleep 1
done

wallace fuzz --driver @instances.txt --lineages 8 --calls "${CALLS:-20000}" --fail-on never --out shop
