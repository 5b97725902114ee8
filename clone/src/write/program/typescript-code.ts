import { wrap } from "@devid/rules";
import type {
  DeclaredResource,
  DeclaredWorkspace,
} from "../../declare/declare-workspace";
import {
  DeclaredRules,
  EnvironmentName,
  NewValue,
  ObjectReference,
  type DeclaredValue,
} from "../../declare/declared-value";
import type { LookedUpEnvironment } from "../../declare/references";
import { ENVIRONMENT, kindNamed, KINDS } from "../../read/clone-kinds";
import { callCode, Code, codeText, resourceCode, type CodeValue } from "./code";

/**
 * The TypeScript files of a program by path: one for each kind that has objects, and
 * `index.ts`.
 * @param moves whether stack config can replace the environment that the program is about
 */
export function typescriptCode(
  { resources, lookedUp, outputs }: DeclaredWorkspace,
  moves: boolean,
): Map<string, string> {
  const files = new Map<string, string>();
  const modules: string[] = [];
  for (const { kind, definition, file, plural, references } of KINDS) {
    const own = resources.filter((resource) => resource.kind === kind);
    const isEnvironment = kind === ENVIRONMENT;
    const lookups = isEnvironment ? lookedUp : [];
    if (own.length === 0 && lookups.length === 0) continue;
    const about = definition.clone?.about ?? `The ${plural}.`;
    const usesConfig = isEnvironment && moves;
    const referredTo = KINDS.filter((other) =>
      [...references].some(
        ([input, to]) =>
          to === other.kind &&
          own.some(({ args }) => args[input] instanceof ObjectReference),
      ),
    );
    const lines = [
      wrap("// ", about, "// "),
      `import * as devid from "@devid/pulumi";`,
      ...(usesConfig ? [`import * as pulumi from "@pulumi/pulumi";`] : []),
      ...referredTo.map(
        (other) => `import * as ${other.alias} from "./${other.file}";`,
      ),
      "",
      ...lookupCode(lookups, usesConfig),
      own.map((one) => resourceCode(inTypeScript(one))).join("\n"),
    ];
    files.set(`${file}.ts`, `${lines.join("\n").trimEnd()}\n`);
    modules.push(file);
  }
  if (outputs.length > 0) files.set("outputs.ts", outputsCode(outputs));
  files.set("index.ts", indexCode(modules, outputs.length > 0));
  return files;
}

function inTypeScript(resource: DeclaredResource) {
  const args = Object.entries(resource.args).map(([name, value]) =>
    value instanceof DeclaredRules
      ? [value.argument, value.path]
      : [name, codeValue(value)],
  );
  return {
    ...resource,
    args: Object.fromEntries(args) as Record<string, CodeValue>,
  };
}

function codeValue(value: DeclaredValue): CodeValue {
  if (value instanceof ObjectReference) {
    const alias = kindNamed(value.kind)?.alias;
    return new Code(`${alias}.${value.name.identifier}.${value.output}`);
  }
  if (value instanceof EnvironmentName)
    return new Code(
      `config.get("environmentName") ?? ${codeText(value.standard)}`,
    );
  // The types of the arguments have only the values that this version knows.
  if (value instanceof NewValue)
    return new Code(`${codeText(value.value)} as never`);
  // Lists and objects hold neither references nor rules: those are whole arguments.
  return value;
}

/** The stack outputs. An output without a value is left out. */
function outputsCode(outputs: DeclaredWorkspace["outputs"]): string {
  const used = KINDS.filter(({ kind }) =>
    outputs.some(({ resource }) => resource.kind === kind),
  );
  const statement = ({ name, field, resource }: (typeof outputs)[number]) => {
    const alias = kindNamed(resource.kind)?.alias;
    const value = `${alias}.${resource.identifier}.${field}`;
    return callCode(`export const ${name} =`, "devid.ifKnown", value);
  };
  return [
    wrap("// ", ABOUT_OUTPUTS, "// "),
    `import * as devid from "@devid/pulumi";`,
    ...used.map(({ alias, file }) => `import * as ${alias} from "./${file}";`),
    "",
    ...outputs.map(statement),
    "",
  ].join("\n");
}

const ABOUT_OUTPUTS =
  "The tokens and keys of this stack, for the applications that need them. They are secrets in its state. REPORT.md has the command that reads each. One that the service shows only when it makes an object has no value where the object was taken over.";

function indexCode(modules: readonly string[], hasOutputs: boolean): string {
  return [
    ...(hasOutputs ? [`import { knownOutputs } from "@devid/pulumi";`] : []),
    ...modules.map((file) => `import "./${file}";`),
    ...(hasOutputs
      ? [
          `import * as outputs from "./outputs";`,
          "",
          "// Outputs without a value are left out. More of them can stand beside `...outputs`.",
          "export = knownOutputs({ ...outputs });",
        ]
      : []),
    "",
  ].join("\n");
}

function lookupCode(
  lookedUp: readonly LookedUpEnvironment[],
  moves: boolean,
): string[] {
  return [
    ...(moves ? ["const config = new pulumi.Config();", ""] : []),
    ...lookedUp.map(({ identifier, isDefault, title }) =>
      isDefault
        ? moves
          ? DEFAULT_OR_ANOTHER
          : DEFAULT
        : `/** It is there already; this program does not declare it. */
export const ${identifier} = devid.getEnvironmentOutput({
  name: ${codeText(title)},
});
`,
    ),
  ];
}

const DEFAULT = `/** The environment that every workspace has: the first that was made. */
export const defaultEnvironment = devid.getEnvironmentOutput({
  default: true,
});
`;

const DEFAULT_OR_ANOTHER = `const name = config.get("environmentName");

/** The default environment, or another one that stack config names. */
export const defaultEnvironment = name
  ? new devid.${ENVIRONMENT}("default", { name })
  : devid.getEnvironmentOutput({ default: true });
`;
