#!/usr/bin/env bash
# Applies plan.json, which was reviewed, to the rules that it was reviewed
# against. The engine refuses it when the program has changed since, the rule
# set when the rules in force have. A recovery gives --refresh, as its plan does.
set -euo pipefail

EXPECTED_IN_FORCE=$(cat in-force.txt)
export EXPECTED_IN_FORCE
pulumi up --stack "$PULUMI_STACK" --plan plan.json --yes "$@"
