import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { PLUGIN } from "./form-stack";
import type { Form } from "./program-form";

type Edits = Readonly<Record<string, (text: string) => string>>;

/**
 * The program of a repository like examples/gitops in one form, and the edits that
 * people make.
 */
export interface GitOpsProgram {
  readonly form: Form;
  /** The file of the program. */
  readonly file: string;
  /** A sed command that prints the name of the program's rule file. */
  readonly findRuleFile: string;
  /** The edits that set an argument of the rule set. */
  setting(name: string, value: unknown): Edits;
  /** The edits that put rules into the program, in place of the rule file. */
  readonly ownRules: Edits;
  /** The edits that add an unverified webhook. */
  readonly webhook: Edits;
  /** The edits that change the name of the rule file. */
  ruleFile(name: string): Edits;
}

const OWN_RULES = [
  {
    name: "block-crawlers",
    expression: "http.user_agent.is_crawler_bot",
    action: "deny",
  },
  {
    name: "block-other-sites",
    expression: "sdk.platform.is_browser",
    action: "deny",
  },
];

const WEBHOOK = { url: "https://shop.example/hook" };

const DYNAMIC: GitOpsProgram = {
  form: "dynamic",
  file: "index.ts",
  findRuleFile: String.raw`s/.*"\([a-z]*\.yaml\)".*/\1/p`,
  setting: (name, value) => ({
    "index.ts": (text) =>
      text.replace(
        "rulesFile:",
        `${name}: ${JSON.stringify(value)},\n  rulesFile:`,
      ),
  }),
  ownRules: {
    "index.ts": (text) =>
      text.replace(
        'rulesFile: join(__dirname, "rules.yaml"),',
        `rules: ${JSON.stringify(OWN_RULES)},`,
      ),
  },
  webhook: {
    "index.ts": (text) =>
      `${text}\nnew devid.Webhook("hook", ${JSON.stringify(WEBHOOK)});\n`,
  },
  ruleFile: (name) => ({
    "index.ts": (text) => text.replace("rules.yaml", name),
  }),
};

interface YamlProgram {
  readonly resources: Readonly<
    Record<string, { type: string; properties: Record<string, unknown> }>
  >;
}

/** Edits the arguments of the rule set. */
const ruleSetEdit = (
  edit: (properties: Record<string, unknown>) => Record<string, unknown>,
): Edits => ({
  "Pulumi.yaml": (text) => {
    const program = parse(text) as YamlProgram;
    const { rules, ...others } = program.resources;
    if (!rules) throw new Error("The program has no rule set.");
    const { properties } = rules;
    return stringify({
      ...program,
      resources: {
        rules: { ...rules, properties: edit(properties) },
        ...others,
      },
    });
  },
});

const PLUGIN_IN_YAML: GitOpsProgram = {
  form: "plugin",
  file: "Pulumi.yaml",
  findRuleFile: String.raw`s/.*rulesFile: \([a-z]*\.yaml\).*/\1/p`,
  setting: (name, value) =>
    ruleSetEdit((properties) => ({ ...properties, [name]: value })),
  ownRules: ruleSetEdit(({ rulesFile: _, ...rest }) => ({
    ...rest,
    rules: OWN_RULES,
  })),
  webhook: {
    "Pulumi.yaml": (text) => {
      const program = parse(text) as YamlProgram;
      const hook = { type: "devid:Webhook", properties: WEBHOOK };
      const resources = { ...program.resources, hook };
      return stringify({ ...program, resources });
    },
  },
  ruleFile: (name) =>
    ruleSetEdit((properties) => ({ ...properties, rulesFile: name })),
};

/** The programs of examples/gitops and of docs/review.md. */
export const GITOPS_PROGRAMS: Readonly<Record<Form, GitOpsProgram>> = {
  dynamic: DYNAMIC,
  plugin: PLUGIN_IN_YAML,
};

/**
 * Puts the YAML program of docs/review.md in place of the one in a copy of
 * examples/gitops.
 */
export function writeYamlProgram(folder: string): void {
  const page = readFileSync(resolve(__dirname, "../../docs/review.md"), "utf8");
  const [, text] = /```yaml\n(name: devid-gitops\n[^]*?)```/.exec(page) ?? [];
  if (text === undefined) throw new Error("The page has no such program.");
  const providers = [{ name: "devid", path: PLUGIN }];
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    stringify({ ...(parse(text) as object), plugins: { providers } }),
  );
  for (const file of ["index.ts", "tsconfig.json"])
    rmSync(join(folder, file), { force: true });
}
