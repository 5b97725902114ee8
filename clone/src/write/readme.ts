import type { Region } from "@devid/sdk";
import type { ProgramForm } from "./program-form";
import type { StackNames } from "./import-file";

/** The facts about a written program for its README. */
export interface ReadmeFacts {
  readonly region: Region;
  readonly form: ProgramForm;
  /** Whether stack config can replace the environment of the program. */
  readonly environment?: "replaceable" | "fixed";
}

/** README.md of a written program: how to take the workspace over, and how to bring up a copy. */
export function readme(
  { project, stack }: StackNames,
  { region, form, environment }: ReadmeFacts,
): string {
  const other = region === "eu" ? "us" : "eu";
  const isYaml = form.language === "yaml";
  const sections = [
    takeOver(stack, form),
    copy(region, other),
    ...(environment === "replaceable"
      ? [anotherEnvironment(region, { hasSettings: !isYaml })]
      : []),
    isYaml ? differencesInYaml(other) : differences(project, other),
    ...(isYaml ? [unlikeTypeScript(environment === "fixed")] : []),
  ];
  return `# ${project}

Written by \`devid export\` from the workspace in region ${region}, and yours to change.
[REPORT.md](REPORT.md) says what a copy of it will not have.

${sections.join("\n")}`;
}

const takeOver = (stack: string, { plugin }: ProgramForm) =>
  `## Take the workspace over

${
  plugin
    ? `Nothing in the workspace is changed by this. \`import.json\` lists the objects; the
import reads each of them. The last command writes to the state which resource
refers to which, because Pulumi destroys a stack in that order.`
    : `Nothing in the workspace is changed by this. The stack has to be new: the
import replaces its state.`
}

\`\`\`sh
npm install
pulumi stack init ${stack}
pulumi config set --secret devid:managementKey
${
  plugin
    ? `pulumi import --file import.json --generate-code=false --protect=false
pulumi preview --expect-no-changes
pulumi up`
    : `pulumi stack import --file import.json
pulumi preview --refresh --run-program --expect-no-changes`
}
\`\`\`
${
  plugin
    ? ""
    : `
\`--refresh\` reads every object. If the preview shows one to create, it was deleted
after the export: export again.
`
}`;

const copy = (
  region: Region,
  other: Region,
) => `## Bring it up in another region

\`\`\`sh
pulumi stack init ${other}
pulumi config set --secret devid:managementKey
pulumi up
devid compare ${region} ${other}
\`\`\`

It has tokens and keys of its own: [REPORT.md](REPORT.md) has, by environment, the
command that reads each, and says who needs it.
`;

const anotherEnvironment = (
  region: Region,
  { hasSettings }: { readonly hasSettings: boolean },
) => `## Bring up another environment

\`\`\`sh
pulumi stack init another
pulumi config set devid:region ${region}
pulumi config set environmentName "Another"
pulumi config set --secret devid:managementKey
pulumi up
\`\`\`
${
  hasSettings
    ? `
The preview asks for what is still called as in this workspace, such as the
addresses of webhooks:
\`pulumi config set --path settings.Webhook.NAME.url https://...\`.
`
    : ""
}`;

const differences = (
  project: string,
  other: Region,
) => `## What differs in a region

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

const differencesInYaml = (other: Region) => `## What differs in a region

Declare a value of stack config in \`Pulumi.yaml\`, and use it in a resource:

\`\`\`yaml
config:
  rateLimit: { type: integer, default: 20 }
resources:
  a-key:
    type: devid:ApiKey
    properties: { name: A key, type: public, rateLimit: "\${rateLimit}" }
\`\`\`

\`\`\`sh
pulumi config set rateLimit 50 --stack ${other}
\`\`\`
`;

const unlikeTypeScript = (isFixed: boolean) => `## What differs from TypeScript

- YAML has no \`settings\` by the names of resources, and no rules for one region
  only.
- The rules stand in \`Pulumi.yaml\`. Commands such as \`devid rules test\` read rule
  files; a rule set takes the path of one as \`rulesFile\` instead of \`rules\`.
${
  isFixed
    ? "- The program is about this environment only; stack config cannot name another.\n"
    : ""
}
In a text of \`Pulumi.yaml\`, \`$\${\` stands for \`\${\`, and \`$$\` for \`$\`.

\`devid export --language typescript --plugin\` writes a program without these
limits, into another folder. Its resources have the same names, so it can go on
with the same stack.
`;
