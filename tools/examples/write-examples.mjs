// Lets Pulumi write the examples of all resources in Go, C# and Java from the schema in
// provider/schema.json, and stores them for the reference pages. Needs Go.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const FILE = here("../../provider/src/generate/written-examples.json");

/** The package that `pulumi package add` gives the SDK for Go. */
const GO_PACKAGE = "example.com/pulumi-devid/sdk/go/devid";

/**
 * Removes spaces at ends of lines, and imports that the Java writer adds to every
 * program.
 */
const tidy = (text) =>
  text
    .replaceAll(/^import [\w.]+\.(\w+);\n/gm, (line, name) =>
      text.match(RegExp(`\\b${name}\\b`, "g")).length > 1 ? line : "",
    )
    .replaceAll(/ +$/gm, "")
    .trim();

/**
 * Every enum-typed property within the given properties, at any depth, with the name of
 * its type.
 */
function enumsOf(properties, { types }) {
  return Object.entries(properties).flatMap(([name, { $ref, items }]) => {
    const token = ($ref ?? items?.$ref ?? "").replace("#/types/", "");
    const type = types[token];
    if (type?.enum) return [[name, token.split(":").at(-1)]];
    return type ? enumsOf(type.properties, { types }) : [];
  });
}

/** Java keywords that occur in enums. The SDK adds an underscore to them. */
const JAVA_WORDS = new Set(["public", "private", "default"]);

/**
 * Replaces texts in a Java program by members of enums, because the writer writes only
 * texts.
 */
function withEnums(text, kind, schema) {
  const { inputProperties } = schema.resources[`devid:index:${kind}`];
  const used = new Set();
  const program = enumsOf(inputProperties, schema).reduce(
    (done, [property, type]) =>
      done.replaceAll(
        RegExp(`\\.${property}\\("(\\w+)"\\)`, "g"),
        (_, value) => {
          used.add(`import com.pulumi.devid.enums.${type};\n`);
          const member = value[0].toUpperCase() + value.slice(1);
          return `.${property}(${type}.${member}${JAVA_WORDS.has(value) ? "_" : ""})`;
        },
      ),
    text,
  );
  return program.replace(/\n(?=\npublic class)/, `\n${[...used].join("")}`);
}

/** The examples by kind, each with its source. */
export function writeExamples() {
  const registry = require("../../provider/dist/registry.js");
  const {
    neutralExample,
  } = require("../../provider/dist/generate/neutral-example.js");
  const schema = JSON.parse(
    readFileSync(here("../../provider/schema.json"), "utf8"),
  );
  schema.language.go.importBasePath = GO_PACKAGE;
  const programs = Object.fromEntries(
    Object.values(registry).map((definition) => [
      definition.kind,
      neutralExample(definition),
    ]),
  );
  const written = JSON.parse(
    execFileSync("go", ["run", "."], {
      cwd: here("."),
      input: JSON.stringify({ schema, programs }),
      stdio: ["pipe", "pipe", "inherit"],
      maxBuffer: 1 << 24,
    }),
  );
  return Object.fromEntries(
    Object.entries(programs).map(([kind, neutral]) => {
      const { go, csharp, java } = written[kind];
      return [
        kind,
        {
          neutral,
          go: tidy(go),
          csharp: tidy(csharp),
          java: tidy(withEnums(java, kind, schema)),
        },
      ];
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(FILE, `${JSON.stringify(writeExamples(), null, 2)}\n`);
