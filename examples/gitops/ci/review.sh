#!/usr/bin/env bash
# Reviews the rule file, together with the plan that is to be applied, in
# review.md. Arguments go to `devid rules review`: what the file is compared
# with, and what else fails the review.
#
# With MAIN, the name of the main branch, it reviews a recovery: only its newest
# commit, for an older one would take back what was merged since, and with what is
# there now in place of what the stack saw last.
#
# With EVENTS, which names a warehouse such as parquet:events/*.parquet, past events
# are all of its last 30 days. Without it, they are those of the service's last day.
#
# Each step runs, whichever fails, so that the review says all that there is to
# say; one that fails makes this fail. Then plan.json and in-force.txt must not
# be kept: a pipeline keeps them when this succeeds.
set -uo pipefail

status=0
step() {
  echo "+ $*"
  "$@" || status=1
}

# The plan is bound to the rules that are in force before it is made, so without
# their digest there is none. Why not goes into plan.log, and with it into the review.
plan() {
  # grep -q would end before env does, which pipefail takes for a failure.
  if ! env | grep -E '^DEVID_MANAGEMENT_KEY(_[A-Z]+)?=.' >/dev/null; then
    echo "DEVID_MANAGEMENT_KEY is not set. A pull request from a fork is given no secrets: somebody who may write to this repository looks at its commits first, and then pushes them to a branch of it." | tee plan.log
    return 1
  fi
  npx --no devid rules in-force ${RULES_ENVIRONMENT:+--environment "$RULES_ENVIRONMENT"} \
    --format digest --out in-force.txt 2>plan.log || { cat plan.log; return 1; }
  # The log of events, which Pulumi's own libraries read as well, has what policies say.
  EXPECTED_IN_FORCE=$(cat in-force.txt) PULUMI_DEBUG_COMMANDS=true \
    pulumi preview --stack "$PULUMI_STACK" --json --show-sames ${MAIN:+--refresh} \
    ${POLICY_PACK:+--policy-pack "$POLICY_PACK" --policy-pack-config policies.json} \
    --event-log plan.events \
    --save-plan plan.json >preview.json 2>plan.log && return
  # What is wrong stands among the diagnostics, or is printed when there are none.
  grep '"message"' preview.json || cat preview.json plan.log
  return 1
}

newest() {
  git fetch -q origin "$MAIN" || return
  [ "$(git rev-parse HEAD)" = "$(git rev-parse FETCH_HEAD)" ] && return
  echo "$MAIN has moved on. Start the recovery anew, on its newest commit."
  return 1
}

rm -f in-force.txt plan.events plan.json plan.log preview.json review.md
[ -z "${MAIN:-}" ] || newest || exit
step plan
step npx --no devid rules check "$RULES"
step npx --no devid rules test "$RULES"
past=(--since 24h --within 2m)
[ -z "${EVENTS:-}" ] || past=(--since 30d --events "$EVENTS")
step npx --no devid rules review "$RULES" --plan preview.json \
  --plan-events plan.events --plan-log plan.log --stack "$PULUMI_STACK" \
  ${RULES_ENVIRONMENT:+--environment "$RULES_ENVIRONMENT"} \
  ${COMMIT:+--commit "$COMMIT"} "${past[@]}" \
  --fail-on lint:error --fail-on tests "$@" \
  --format markdown --out review.md

# Its debug messages may hold secrets.
rm -f plan.events

# GitHub shows it with the run as well, where no comment can be written.
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat review.md >>"$GITHUB_STEP_SUMMARY"
exit "$status"
