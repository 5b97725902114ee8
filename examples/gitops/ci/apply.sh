#!/usr/bin/env bash
# Applies plan.json, which was reviewed, to the rules that it was reviewed
# against, and says in applied.md what was done. The engine refuses the plan when
# the program has changed since, the rule set when the rules in force have. A
# recovery gives --refresh, as its plan does.
set -uo pipefail

rm -f apply.events applied.md
EXPECTED_IN_FORCE=$(cat in-force.txt) || exit
export EXPECTED_IN_FORCE
status=0
PULUMI_DEBUG_COMMANDS=true pulumi up --stack "$PULUMI_STACK" --plan plan.json --yes \
  --event-log apply.events "$@" || status=$?

npx --no devid rules applied "$RULES" --events apply.events --plan plan.json \
  --stack "$PULUMI_STACK" ${RULES_ENVIRONMENT:+--environment "$RULES_ENVIRONMENT"} \
  --format markdown --out applied.md || [ "$status" != 0 ] || status=$?
# Its debug messages may hold secrets.
rm -f apply.events
exit "$status"
