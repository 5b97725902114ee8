import { wrap } from "@devid/sdk/wrap";
import { codeText, resourceCode } from "../declare/code";
import {
  DECLARED_KINDS,
  type DeclaredKind,
} from "../declare/declared-resource";
import type { DeclaredWorkspace } from "../declare/declare-workspace";
import type { LookedUpEnvironment } from "../declare/environment-places";

/** The file of each kind, and what its first line says. */
const FILES: Readonly<
  Record<DeclaredKind, { readonly file: string; readonly about: string }>
> = {
  Environment: {
    file: "environments",
    about: "The environments of the workspace.",
  },
  ApiKey: { file: "api-keys", about: "The API keys." },
  Webhook: { file: "webhooks", about: "The webhooks." },
  EncryptionKey: {
    file: "encryption-keys",
    about:
      "The encryption keys. Each environment has one from the start; it is adopted.",
  },
  FilteringRuleSet: {
    file: "rule-sets",
    about: "The filtering rules: all rules of each environment, in order.",
  },
};

/** The TypeScript files of a program, by their paths; a file for each kind that there is. */
export function programCode(
  { resources, lookedUp }: DeclaredWorkspace,
  { moves }: { readonly moves: boolean },
): Map<string, string> {
  const files = new Map<string, string>();
  const modules: string[] = [];
  for (const kind of DECLARED_KINDS) {
    const own = resources.filter((resource) => resource.kind === kind);
    const lookups = kind === "Environment" ? lookedUp : [];
    if (own.length === 0 && lookups.length === 0) continue;
    const { file, about } = FILES[kind];
    const usesConfig = kind === "Environment" && moves;
    const usesEnvironments = own.some(
      ({ kind, args }) => kind !== "Environment" && args.environment,
    );
    const lines = [
      wrap("// ", about, "// "),
      `import * as devid from "@devid/pulumi";`,
      ...(usesConfig || lookups.some(({ isDefault }) => !isDefault)
        ? [`import * as pulumi from "@pulumi/pulumi";`]
        : []),
      ...(usesEnvironments
        ? [`import * as environments from "./environments";`]
        : []),
      "",
      ...lookupCode(lookups, usesConfig),
      own.map(resourceCode).join("\n"),
    ];
    files.set(`${file}.ts`, `${lines.join("\n").trimEnd()}\n`);
    modules.push(file);
  }
  files.set("index.ts", indexCode(modules));
  return files;
}

function indexCode(modules: readonly string[]): string {
  return [
    "// What stack config says of this stack comes first: it changes what follows.",
    `import { settings } from "./settings";`,
    ...modules.map((file) => `import "./${file}";`),
    "",
    "settings.assertUsed();",
    "",
  ].join("\n");
}

function lookupCode(
  lookedUp: readonly LookedUpEnvironment[],
  moves: boolean,
): string[] {
  const lines: string[] = [];
  if (moves) lines.push("const config = new pulumi.Config();", "");
  if (lookedUp.length === 0) return lines;
  lines.push("const found = devid.getEnvironmentsOutput();", "");
  if (lookedUp.some(({ isDefault }) => !isDefault)) lines.push(...ID_OF, "");
  for (const { identifier, isDefault, title } of lookedUp) {
    if (isDefault && moves) lines.push(...DEFAULT_OR_ANOTHER, "");
    else if (isDefault) lines.push(...DEFAULT, "");
    else
      lines.push(
        "/** It is there already; this program does not declare it. */",
        `export const ${identifier} = {`,
        `  id: found.apply(idOf(${codeText(title)})),`,
        "};",
        "",
      );
  }
  return lines;
}

const DEFAULT = [
  "/** The environment that every workspace has: the first that was made. */",
  "export const defaultEnvironment = {",
  "  id: found.apply(([first]) => first.id),",
  "};",
];

const DEFAULT_OR_ANOTHER = [
  'const name = config.get("environmentName");',
  "",
  "/** The default environment, or another one that stack config names. */",
  "export const defaultEnvironment = name",
  '  ? new devid.Environment("default", { name })',
  "  : { id: found.apply(([first]) => first.id) };",
];

const ID_OF = [
  "const idOf = (name: string) => (all: { name: string; id: string }[]) => {",
  "  const [only, ...others] = all.filter((one) => one.name === name);",
  "  if (only && others.length === 0) return only.id;",
  '  const count = only ? `${others.length + 1} environments` : "no environment";',
  "  throw new pulumi.RunError(`The workspace has ${count} named ${name}.`);",
  "};",
];
