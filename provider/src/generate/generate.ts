import { languageReference } from "@devid/rules";
import {
  existsSync,
  readdirSync,
  readFileSync,
  mkdirSync,
  writeFileSync,
} from "node:fs";
import { basename, join, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ResourceDefinition } from "../definition/define-resource";
import { fieldMeta } from "../definition/field";
import { lintPage } from "./lint-page";
import { packageSchema } from "./package-schema";
import {
  functionsReference,
  PAGE_HEADER,
  resourcePage,
  settingsList,
} from "./pages";
import {
  allFunctions,
  classesFile,
  enumsFile,
  functionsFile,
  HEADER,
  providerArgsFile,
  resourcesFile,
} from "./program-files";
import { schemaExamples } from "./resource-example";
import type { z } from "zod";

/** The text of every generated file before formatting, by its path in the repository. */
export function generate(root: string): Map<string, string> {
  const files = new Map<string, string>();
  const resources = load(root);
  const lines = (make: (file: string, kind: string) => string) =>
    resources.map(({ file, definition }) => make(file, definition.kind));

  files.set(
    "provider/src/registry.ts",
    [
      HEADER,
      ...lines(
        (file, kind) =>
          `export { ${kind} } from "./resources/${pathOf(file)}";`,
      ),
    ].join("\n"),
  );
  files.set(
    "provider/src/kinds.ts",
    [
      HEADER,
      "/** Loads the definition of each kind: a host of one kind loads no other. */",
      "export const loadKind = {",
      ...lines(
        (file, kind) =>
          `${kind}: async () => (await import("./resources/${pathOf(file)}.js")).${kind},`,
      ),
      "};",
    ].join("\n"),
  );
  files.set(
    "provider/src/resources/environment/kinds-of-environments.ts",
    kindsOfEnvironments(resources),
  );
  const definitions = resources.map(({ definition }) => definition);
  const program = "provider/src/program";
  files.set(`${program}/resources.ts`, resourcesFile(definitions));
  for (const form of ["dynamic", "plugin"])
    files.set(`${program}/${form}/classes.ts`, classesFile(definitions));
  files.set(`${program}/plugin/enums.ts`, enumsFile(definitions));
  files.set(`${program}/functions.ts`, functionsFile());
  files.set(`${program}/provider-args.ts`, providerArgsFile());
  for (const { file, definition } of resources)
    files.set(`docs/resources/${file}.md`, resourcePage(definition));
  const sections: [path: string, name: string, text: string][] = [
    ["docs/configuration.md", "settings", settingsList()],
    ["docs/functions.md", "reference", functionsReference()],
  ];
  for (const [path, name, text] of sections) {
    const page = files.get(path) ?? readFileSync(join(root, path), "utf8");
    files.set(path, replaceSection(page, name, text));
  }
  files.set(
    "provider/schema.json",
    packageSchema(
      root,
      definitions.map((definition) => ({
        ...definition,
        description: `${definition.description}\n\n${schemaExamples(definition)}`,
      })),
      allFunctions(),
    ),
  );
  files.set("docs/lint.md", lintPage());
  files.set("docs/rule-language.md", languageReference());
  files.set(
    "docs/resources/README.md",
    `${PAGE_HEADER}

# Resources

${resources.map(({ file, definition }) => `- [${definition.kind}](${file}.md): ${definition.description}`).join("\n")}
`,
  );
  return files;
}

function kindsOfEnvironments(resources: ReturnType<typeof load>): string {
  const whole = resources.find(({ definition }) => "takesAlong" in definition);
  const found = resources.filter(({ definition }) =>
    Object.values(definition.inputs.shape).some(
      (field) =>
        fieldMeta(field as z.ZodType).references === whole?.definition.kind,
    ),
  );
  const kinds = found.map(({ definition }) => definition.kind);
  return [
    HEADER,
    'import type { ResourceDefinition } from "../../definition/define-resource";',
    ...found.map(
      ({ file }, index) =>
        `import { ${kinds[index]} } from "../${pathOf(file)}";`,
    ),
    "",
    "/** The definition of every kind that refers to environments. */",
    `export const KINDS_OF_ENVIRONMENTS: readonly ResourceDefinition[] = [${kinds.join(", ")}];`,
  ].join("\n");
}

/** The path of a resource's module under `resources`: a file, or a file in a folder of the same name. */
function pathOf(file: string): string {
  return existsSync(join(__dirname, "../resources", file))
    ? `${file}/${file}`
    : file;
}

function load(root: string) {
  return readdirSync(join(root, "provider/src/resources"))
    .sort()
    .map((name) => {
      const file = basename(name, ".ts");
      // oxlint-disable-next-line typescript/no-require-imports -- the files are found at run time
      const module = require(`../resources/${pathOf(file)}`) as Record<
        string,
        ResourceDefinition
      >;
      const definition = Object.values(module).find((value) => "kind" in value);
      if (!definition)
        throw new Error(`provider/src/resources/${name} exports no resource.`);
      return { file, definition };
    });
}

/**
 * Replaces the text of a section in a page that is otherwise written by hand. Two
 * comments mark the section.
 * @throws Error where the page lacks one of the marks
 */
export function replaceSection(
  page: string,
  name: string,
  text: string,
): string {
  const start = `<!-- ${name}: generated by \`npm run gen\` -->`;
  const end = `<!-- end of ${name} -->`;
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`A page has no section between ${start} and ${end}.`);
  return `${page.slice(0, from + start.length)}\n\n${text.trim()}\n\n${page.slice(to)}`;
}

/** The text of every generated file, formatted, by its path in the repository. */
export async function formatted(root: string): Promise<Map<string, string>> {
  const file = pathToFileURL(join(root, "tools/packages/formatted.mjs")).href;
  const { formatted: inLayout } = (await import(file)) as {
    formatted: (path: string, text: string) => Promise<string>;
  };
  const files = new Map<string, string>();
  for (const [path, text] of generate(root))
    files.set(path, await inLayout(path, text));
  return files;
}

/** Writes every generated file. */
export async function main(): Promise<void> {
  const root = resolve(__dirname, "../../..");
  for (const [path, text] of await formatted(root)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(path);
  }
}
