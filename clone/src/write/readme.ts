import type { Region } from "@devid/sdk";

/** The facts about a written program for its README. */
export interface ReadmeFacts {
  readonly project: string;
  readonly region: Region;
  /** Whether stack config can replace the environment of the program. */
  readonly moves: boolean;
}

/** README.md of a written program: how to take the workspace over, and how to bring up a copy. */
export function readme({ project, region, moves }: ReadmeFacts): string {
  const other = region === "eu" ? "us" : "eu";
  const anotherEnvironment = `## Bring up another environment

\`\`\`sh
pulumi stack init another
pulumi config set devid:region ${region}
pulumi config set environmentName "Another"
pulumi config set --secret devid:managementKey
pulumi up
\`\`\`

`;
  return `# ${project}

Written by \`devid export\` from the workspace in region ${region}, and yours to change.
[REPORT.md](REPORT.md) says what a copy of it will not have.

## Take the workspace over

The update takes every object over, and changes none: \`Pulumi.${region}.yaml\` has the
setting \`devid:adopt\`. The preview names each object. If it shows an object to create
without such a message, the object was deleted after the export: export again.

\`\`\`sh
npm install
pulumi stack init ${region}
pulumi config set --secret devid:managementKey
pulumi up
pulumi preview --expect-no-changes
\`\`\`

## Bring it up in another region

\`\`\`sh
pulumi stack init ${other}
pulumi config set --secret devid:managementKey
pulumi up
devid compare ${region} ${other}
\`\`\`

The copy has tokens and keys of its own. [REPORT.md](REPORT.md) says, by environment, which
command prints each, and who needs it.

${moves ? anotherEnvironment : ""}## What differs in a region

\`devid:overrides\` in a stack's config has arguments, by kind and by the name of a
resource, that win over those of the program. A rule set also takes \`without\` (rules
that this region does not have), \`first\` and \`last\` (rule files whose rules stand
before or after the others).

\`\`\`yaml
# Pulumi.${other}.yaml
config:
  devid:overrides:
    ApiKey:
      a-key: { rateLimit: 50, status: disabled }
    Webhook:
      a-webhook: { url: https://hooks.${other}.example/events }
    FilteringRuleSet:
      default: { without: [a-rule], first: rules/only-in-${other}.yaml }
\`\`\`

## In another language

\`import.json\` lists the objects for \`pulumi import\`, which reads each of them through
the provider plugin and prints the program in the language of the project that it runs in:

\`\`\`sh
pulumi stack select ${region}
pulumi import --file import.json --out program
\`\`\`
`;
}
