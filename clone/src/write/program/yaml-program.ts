import { wrap, withoutDefaults } from "@devid/rules";
import { Document, Pair, Scalar, visit, YAMLMap } from "yaml";
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
import { wordOf } from "../../declare/references";
import type { LookedUpEnvironment } from "../../declare/references";
import { ENVIRONMENT, type CloneKind } from "../../read/clone-kinds";
import { HIDDEN } from "./code";
import { PACKAGES, packageManifest, type ProjectNames } from "./project";

/** The setting of stack config that replaces the name of the environment. */
const ENVIRONMENT_NAME = "environmentName";

/**
 * The files of a YAML program by path. Pulumi.yaml declares every resource, and the
 * rules of each rule set; package.json makes `npm install` bring the provider plugin.
 */
export function yamlProgram(
  declared: DeclaredWorkspace,
  names: ProjectNames,
  { kinds }: { readonly kinds: readonly CloneKind[] },
): Map<string, string> {
  return new Map([
    ["Pulumi.yaml", pulumiYaml(declared, names, kinds)],
    ["package.json", packageManifest(names)],
    [".gitignore", "node_modules/\n"],
  ]);
}

function pulumiYaml(
  { resources, lookedUp, outputs }: DeclaredWorkspace,
  { project, description }: ProjectNames,
  kinds: readonly CloneKind[],
): string {
  const keys = new ProgramKeys(kinds, resources, lookedUp);
  const environmentName = resources
    .flatMap(({ args }) => Object.values(args))
    .find((value) => value instanceof EnvironmentName);
  const content = {
    name: project,
    description,
    runtime: "yaml",
    packages: PACKAGES,
    ...(environmentName && {
      config: {
        [ENVIRONMENT_NAME]: {
          type: "string",
          default: environmentName.standard,
        },
      },
    }),
    ...(lookedUp.length > 0 && {
      variables: Object.fromEntries(
        lookedUp.map((environment) => [
          keys.of(ENVIRONMENT, environment.name),
          lookUp(environment),
        ]),
      ),
    }),
  };
  // Pulumi's YAML library also reads numbers and dates of YAML 1.1.
  const document = new Document(content, { compat: "yaml-1.1" });
  if (resources.length > 0)
    document.add(
      document.createPair(
        "resources",
        resourceMap(document, { resources, keys, kinds }),
      ),
    );
  if (outputs.length > 0) {
    const map = document.createNode(
      Object.fromEntries(
        outputs.map(({ name, field, resource }) => [
          name,
          `\${${keys.of(resource.kind, resource.name)}.${field}}`,
        ]),
      ),
    );
    map.commentBefore = wrap(" ", ABOUT_OUTPUTS, " ", COMMENT_WIDTH);
    document.add(document.createPair("outputs", map));
  }
  for (const { key } of (document.contents as YAMLMap<Scalar>).items)
    if (BLOCKS.has(String(key.value))) key.spaceBefore = true;
  return textOf(document);
}

/** The parts of Pulumi.yaml that begin with an empty line. */
const BLOCKS = new Set(["config", "variables", "resources", "outputs"]);

/** The columns of a comment without the blanks and the `#` before it. */
const COMMENT_WIDTH = 77;

const ABOUT_OUTPUTS =
  "The tokens and keys of this stack, for the applications that need them. They are secrets in its state. REPORT.md has the command that reads each. One that the service shows only when it makes an object is empty where the object was taken over.";

/** The resources, with a comment before the first of each kind. */
function resourceMap(
  document: Document,
  {
    resources,
    keys,
    kinds,
  }: {
    readonly resources: readonly DeclaredResource[];
    readonly keys: ProgramKeys;
    readonly kinds: readonly CloneKind[];
  },
): YAMLMap {
  const map = new YAMLMap();
  let last: string | undefined;
  for (const { kind, name, args } of resources) {
    const written = keys.of(kind, name);
    const key = new Scalar(written);
    key.spaceBefore = map.items.length > 0;
    const about = kinds.find((one) => one.kind === kind);
    if (kind !== last && about) {
      const text = about.definition.clone?.about ?? `The ${about.plural}.`;
      key.commentBefore = wrap(" ", text, " ", COMMENT_WIDTH);
    }
    last = kind;
    const properties = Object.entries(args).map(
      ([input, value]) => [input, yamlValue(value, keys)] as const,
    );
    const resource = {
      type: `devid:${kind}`,
      ...(written !== name && { name }),
      ...(properties.length > 0 && {
        properties: Object.fromEntries(properties),
      }),
    };
    map.items.push(new Pair(key, document.createNode(resource)));
  }
  return map;
}

/** The variable that holds the ID of an environment that the program does not declare. */
const lookUp = ({ isDefault, title }: LookedUpEnvironment) => ({
  "fn::invoke": {
    function: "devid:getEnvironment",
    arguments: isDefault ? { default: true } : { name: escaped(title) },
    return: "id",
  },
});

function yamlValue(value: DeclaredValue, keys: ProgramKeys): unknown {
  if (typeof value === "string") return escaped(value);
  if (typeof value !== "object") return value;
  if (value instanceof ObjectReference) return keys.reference(value);
  if (value instanceof EnvironmentName) return `\${${ENVIRONMENT_NAME}}`;
  // Pulumi compares a plain text with the values that the plugin's schema has.
  if (value instanceof NewValue)
    return { "fn::join": ["", [escaped(value.value)]] };
  if (value instanceof DeclaredRules)
    return value.rules.map((rule) => yamlValue(withoutDefaults(rule), keys));
  if (Array.isArray(value))
    return value.map((item: DeclaredValue) => yamlValue(item, keys));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      yamlValue(member, keys),
    ]),
  );
}

/** Escapes a text so that Pulumi finds no reference in it. Pulumi reads `$$` as `$`. */
const escaped = (text: string) => text.replaceAll(/\$(?=[${])/g, "$$$$");

/**
 * The names of resources and variables in a YAML program. All must differ, but Pulumi's
 * names need to differ only within a kind.
 */
class ProgramKeys {
  readonly #keys = new Map<string, string>();
  readonly #lookedUp = new Set<string>();

  constructor(
    kinds: readonly CloneKind[],
    resources: readonly DeclaredResource[],
    lookedUp: readonly LookedUpEnvironment[],
  ) {
    // The name `pulumi` means the program itself.
    const taken = new Set(["pulumi", ENVIRONMENT_NAME]);
    const add = (kind: string, name: string, isVariable: boolean) => {
      const about = kinds.find((one) => one.kind === kind);
      const long = `${name}-${about ? wordOf(about) : kind}`;
      const isShared =
        isVariable || about?.definition.clone?.onePerEnvironment !== undefined;
      let key = isShared ? long : name;
      if (taken.has(key)) key = long;
      for (let count = 2; taken.has(key); count++) key = `${long}-${count}`;
      taken.add(key);
      this.#keys.set(`${kind} ${name}`, key);
    };
    for (const { kind, name } of resources) add(kind, name, false);
    for (const { name } of lookedUp) {
      add(ENVIRONMENT, name, true);
      this.#lookedUp.add(name);
    }
  }

  /** The name of a declared resource, or of a looked up environment, in the program. */
  of(kind: string, name: string): string {
    const key = this.#keys.get(`${kind} ${name}`);
    if (key === undefined) throw new Error(`${kind} ${name} is not declared.`);
    return key;
  }

  /** The expression for an output of a resource, or for the ID of a looked up environment. */
  reference({ kind, name: { name }, output }: ObjectReference): string {
    const isVariable = kind === ENVIRONMENT && this.#lookedUp.has(name);
    return `\${${this.of(kind, name)}${isVariable ? "" : `.${output}`}}`;
  }
}

/** The text of a document. Every character in it can be seen, and no line is folded. */
function textOf(document: Document): string {
  visit(document, {
    Scalar(_, scalar) {
      const { value } = scalar;
      if (typeof value !== "string") return;
      const lines = value.split("\n");
      if (lines.some((line) => line.search(HIDDEN) >= 0))
        scalar.type = Scalar.QUOTE_DOUBLE;
      else if (lines.length > 1)
        // In a block, blanks before the text and at the end of a line cannot be seen.
        scalar.type =
          /^\s/.test(value) || lines.some((line) => /\s$/.test(line))
            ? Scalar.QUOTE_DOUBLE
            : Scalar.BLOCK_LITERAL;
    },
  });
  const text = document.toString({ lineWidth: 0 });
  return text.replaceAll(HIDDEN, (character) => {
    if (character === "\n") return character;
    const hex = (character.codePointAt(0) ?? 0).toString(16);
    return hex.length > 4
      ? `\\U${hex.padStart(8, "0")}`
      : `\\u${hex.padStart(4, "0")}`;
  });
}
