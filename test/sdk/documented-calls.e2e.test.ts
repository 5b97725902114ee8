import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, expect, it } from "vitest";
import { ROOT } from "../helpers/repository";

const PAGE = join(ROOT, "docs/sdk.md");

/**
 * The functions of each entry for applications; undefined: all of them. Other functions
 * are for our own packages.
 */
const ENTRIES = {
  "sdk/src/index.ts": ["createClient", "optionsFromEnvironment"],
  "sdk/src/errors.ts": ["isDevidError", "isServiceError"],
  "sdk/src/webhooks/webhooks.ts": undefined,
  "sdk/src/sealed-results/sealed-results.ts": undefined,
} as const;

interface Call {
  /** `client.events.get`, or the name of a function. */
  readonly name: string;
  readonly parameters: string;
  readonly sentence: string;
  readonly examples: readonly string[];
  readonly isDeprecated: boolean;
}

/** Declarations that the examples use. */
const GIVEN = `
import type * as sdk from "@devid/sdk";
import { createClient, isDevidError, isServiceError, optionsFromEnvironment, type Client, type Event } from "@devid/sdk";
import { parseWebhook, signWebhook, verifyWebhook, WEBHOOK_SIGNATURE_HEADER } from "@devid/sdk/webhooks";
import { seal, unseal } from "@devid/sdk/sealed-results";
declare const client: Client;
declare const request: Request;
declare const error: unknown;
declare const event: Event;
declare const eventId: string, requestId: string, visitorId: string, keyId: string;
declare const webhookId: string, environmentId: string, ruleId: string, body: string;
declare const secretKey: string, managementKey: string, sealedResult: string, token: string;
declare const signingKey: string, newKey: string, oldKey: string;
declare function wait(ms: number): Promise<void>;
`;

/** `Closed<T>`: the optional members of T that a program cannot set to undefined. */
const CLOSED = `
type Closed<T> = T extends object
  ? { [K in keyof T]-?: {} extends Pick<T, K> ? undefined extends Required<T>[K] ? never : K : never }[keyof T]
  : never;
`;

let program: ts.Program;
let calls: readonly Call[];
/** The types of what calls take, such as `CallOptions`. */
let inputs: readonly string[];
const EXAMPLES = join(ROOT, "test/sdk/examples-of-calls.ts");

beforeAll(() => {
  const { config } = ts.readConfigFile(
    join(ROOT, "tsconfig.base.json"),
    (path) => ts.sys.readFile(path),
  ) as { config: { compilerOptions: object } };
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      ...config.compilerOptions,
      composite: false,
      noEmit: true,
      // The strictest setting of a program that uses the package.
      exactOptionalPropertyTypes: true,
      noUnusedLocals: false,
      noUnusedParameters: false,
      lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    },
    ROOT,
  );
  const sources = Object.keys(ENTRIES).map((entry) => join(ROOT, entry));
  const sdk = ts.createProgram(sources, options);
  calls = callsIn(sdk);
  inputs = exportsOf(sdk, "sdk/src/index.ts")
    .map(({ name }) => name)
    .filter((name) => /(?:Options|Args|Input|Range)$/.test(name));
  const text =
    GIVEN +
    CLOSED +
    [
      ...inputs,
      'NonNullable<sdk.ClientOptions["timeouts"]>',
      'NonNullable<sdk.CallOptions["retry"]>',
    ]
      .map((type) => {
        const of = type.includes("<") ? type : `sdk.${type}`;
        return `() => { const none: [Closed<${of}>] extends [never] ? 0 : Closed<${of}> = 0; };\n`;
      })
      .join("") +
    calls
      .flatMap(({ examples }) => examples)
      .map((code) => `async () => {\n${code}\n};\n`)
      .join("");
  const host = ts.createCompilerHost(options);
  const disk = { ...host };
  host.fileExists = (path) => path === EXAMPLES || disk.fileExists(path);
  host.readFile = (path) => (path === EXAMPLES ? text : disk.readFile(path));
  host.getSourceFile = (path, ...more) =>
    path === EXAMPLES
      ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022)
      : disk.getSourceFile(path, ...more);
  program = ts.createProgram([EXAMPLES], options, host);
}, 120_000);

/** What an entry exports. */
function exportsOf(of: ts.Program, entry: string): ts.Symbol[] {
  const checker = of.getTypeChecker();
  const file = of.getSourceFile(join(ROOT, entry));
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${entry} exports nothing.`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) =>
      symbol.flags & ts.SymbolFlags.Alias
        ? checker.getAliasedSymbol(symbol)
        : symbol,
    );
}

/** Every call of a client, and every function of the entries. */
function callsIn(of: ts.Program): Call[] {
  const checker = of.getTypeChecker();
  const found: Call[] = [];
  const add = (name: string, symbol: ts.Symbol) => {
    const [declaration] = symbol.declarations ?? [];
    if (!declaration) throw new Error(`${name} is declared nowhere.`);
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    const tags = symbol.getJsDocTags(checker);
    const [signature] = type.getCallSignatures();
    const parameters = signature?.parameters.map((parameter) => {
      const [own] = parameter.declarations ?? [];
      const isOptional =
        own && ts.isParameter(own) && checker.isOptionalParameter(own);
      return parameter.name + (isOptional ? "?" : "");
    });
    const text = ts.displayPartsToString(
      symbol.getDocumentationComment(checker),
    );
    found.push({
      name,
      parameters: `(${parameters?.join(", ") ?? ""})`,
      sentence: text
        .replaceAll(/\s+/g, " ")
        .replace(/ \([^()]*docs\/[^()]*(\([^()]*\)[^()]*)*\)/, "")
        .replace(/([.:]) .*$/, "$1")
        .replace(/:$/, "."),
      examples: tags
        .filter((tag) => tag.name === "example")
        .map((tag) => ts.displayPartsToString(tag.text)),
      isDeprecated: tags.some((tag) => tag.name === "deprecated"),
    });
  };
  for (const [entry, names] of Object.entries(ENTRIES)) {
    for (const symbol of exportsOf(of, entry)) {
      if (
        symbol.flags & ts.SymbolFlags.Function &&
        (!names || (names as readonly string[]).includes(symbol.name))
      )
        add(symbol.name, symbol);
      if (symbol.name !== "Client") continue;
      for (const member of checker
        .getDeclaredTypeOfSymbol(symbol)
        .getProperties()) {
        const [declaration] = member.declarations ?? [];
        if (!declaration || member.name === "configuration") continue;
        const type = checker.getTypeOfSymbolAtLocation(member, declaration);
        if (type.getCallSignatures().length > 0)
          add(`client.${member.name}`, member);
        for (const method of type.getProperties())
          if (method.flags & ts.SymbolFlags.Method && isPublic(method))
            add(`client.${member.name}.${method.name}`, method);
      }
    }
  }
  return found;
}

const isPublic = (symbol: ts.Symbol) =>
  (symbol.declarations ?? []).every(
    (declaration) =>
      (ts.getCombinedModifierFlags(declaration) &
        (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) ===
      0,
  );

it("every call has a description and an example", () => {
  expect(calls.length).toBeGreaterThan(50);
  const bare = calls.filter(
    ({ sentence, examples }) => sentence === "" || examples.length === 0,
  );
  expect(bare.map(({ name }) => name)).toEqual([]);
});

it("the examples compile, and every option may be undefined", () => {
  expect(inputs.length).toBeGreaterThan(20);
  const file = program.getSourceFile(EXAMPLES);
  const wrong = program
    .getSemanticDiagnostics(file)
    .concat(program.getSyntacticDiagnostics(file))
    .map(({ messageText, start = 0 }) => {
      const text = file?.text.slice(start - 60, start + 60);
      return `${ts.flattenDiagnosticMessageText(messageText, "\n")}\n${text}`;
    });
  expect(wrong).toEqual([]);
}, 60_000);

it("docs/sdk.md lists every call", () => {
  // Calls of the management API that each kind has, which the page describes once.
  const usual =
    /^(client\.(?!events|visitors|deviceReputation)\w+)\.(list|listAll|get|create|update|delete)$/;
  const rows = new Map<string, string>();
  for (const { name, parameters, sentence, isDeprecated } of calls) {
    const [, kind = name, verb] = usual.exec(name) ?? [];
    const call = `\`${verb ?? name}${parameters}\`${isDeprecated ? " (deprecated)" : ""}`;
    const before = rows.get(kind);
    rows.set(
      kind,
      verb === undefined
        ? `- ${call}: ${sentence}`
        : before === undefined
          ? `- \`${kind}\`: ${call}`
          : `${before}, ${call}`,
    );
  }
  const table = [...rows.values()].join("\n");
  const page = readFileSync(PAGE, "utf8");
  const [before, after] = [
    /^[^]*<!-- calls -->\n/,
    /<!-- end of calls -->[^]*$/,
  ].map((part) => part.exec(page)?.[0] ?? "no mark");
  const wanted = `${before}\n${table}\n\n${after}`;
  if (process.env.UPDATE_GOLDEN) writeFileSync(PAGE, wanted);
  expect(readFileSync(PAGE, "utf8")).toBe(wanted);
});
