import type { Region } from "@devid/sdk";
import type { StackNames } from "./import-file";

/** README.md of a written program: how to take the workspace over, and how to bring up a copy. */
export function readme(
  { project, stack }: StackNames,
  { region, moves }: { readonly region: Region; readonly moves: boolean },
): string {
  const other = region === "eu" ? "us" : "eu";
  const copy = moves
    ? `## Bring up another environment

\`\`\`sh
pulumi stack init another
pulumi config set devid:region ${region}
pulumi config set environmentName "Another"
pulumi config set --secret devid:managementKey
pulumi up
\`\`\`
`
    : "";
  return `# ${project}

Written by \`devid export\` from the workspace in region ${region}, and yours to change.
[REPORT.md](REPORT.md) says what a copy of it will not have.

## Take the workspace over

Nothing in the workspace is changed by this. The stack has to be new: the
import replaces its state.

\`\`\`sh
npm install
pulumi stack init ${stack}
pulumi config set --secret devid:managementKey
pulumi stack import --file import.json
pulumi preview --expect-no-changes
\`\`\`

## Bring it up in another region

\`\`\`sh
pulumi stack init ${other}
pulumi config set --secret devid:managementKey
pulumi up
devid compare ${region} ${other}
\`\`\`

${copy}## What differs in a region

\`settings\` in a stack's config are arguments by kind and by the name of a
resource; they win over the program's. For rule sets there are \`without\`,
\`first\` and \`last\`, too: rules that this region does not have, and rule files
whose rules stand before or behind the others.

\`\`\`yaml
config:
  ${project}:settings:
    ApiKey:
      a-key: { rateLimit: 50, status: disabled }
    Webhook:
      a-webhook: { url: https://hooks.${other}.example/events }
    FilteringRuleSet:
      default: { without: [a-rule], first: rules/only-in-${other}.yaml }
\`\`\`
`;
}
