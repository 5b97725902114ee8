#!/usr/bin/env bash
# Finds what of the workspace is not as the stack and the program say, of every
# kind, and says so in drift.md. It ends with 0 only when nothing differs.
#
# OTHER_STACKS are stacks of this program whose objects are in the same workspace;
# drift-allowed.txt has the IDs of objects that no program is to declare.
set -uo pipefail

rm -f drift.md plan.log preview.json ./*.other-state.json
known=()
for stack in ${OTHER_STACKS:-}; do
  state=$(tr / - <<<"$stack").other-state.json
  pulumi stack export --stack "$stack" --file "$state" || exit
  known+=(--other-state "$state")
done
[ ! -f drift-allowed.txt ] || known+=(--allowed drift-allowed.txt)

# A program in YAML reads the digest from this file; drift does not depend on it.
npx --no devid rules in-force ${RULES_ENVIRONMENT:+--environment "$RULES_ENVIRONMENT"} \
  --format digest --out in-force.txt || true

# A preview that fails says why in its output or its log, and devid drift in the report.
DEVID_OFFLINE=true pulumi preview --stack "$PULUMI_STACK" --json --show-sames \
  >preview.json 2>plan.log || cat plan.log
status=0
npx --no devid drift --plan preview.json --plan-log plan.log --stack "$PULUMI_STACK" \
  ${known[@]+"${known[@]}"} --format markdown --out drift.md || status=$?
rm -f ./*.other-state.json

[ ! -f drift.md ] || cat drift.md
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || [ ! -f drift.md ] || cat drift.md >>"$GITHUB_STEP_SUMMARY"
exit "$status"
