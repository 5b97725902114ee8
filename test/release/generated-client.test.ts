import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { openApi } from "../service/documented.js";

/** The folder whose packages the generated program uses. */
const TOOLS = resolve(__dirname, "../../tools/release");

interface Generator {
  readonly default: (document: string) => Promise<ts.Node[]>;
  readonly astToString: (nodes: ts.Node[]) => string;
}

/** The beginning of a user's program. */
const BEGINNING = `
import createClient from "openapi-fetch";
import type { operations, paths } from "./schema";

const client = createClient<paths>({ baseUrl: "http://127.0.0.1:8787" });
const header = { "X-API-Version": "2025-11-20" } as const;
`;

const CALLS = `${BEGINNING}
export async function main(): Promise<unknown[]> {
  const made = await client.POST("/management/webhooks", {
    params: { header },
    body: { url: "https://shop.example/hook", environment: null },
  });
  const id: string = made.data?.data.id ?? "";
  const reason: string | null | undefined = made.error?.error.message;
  const hooks = await client.GET("/management/webhooks", {
    params: { header, query: { limit: 10 } },
  });
  const urls: string[] = hooks.data?.data.map(({ url }) => url) ?? [];
  const rules = await client.POST("/management/filtering-rules/bulk", {
    params: { header },
    body: {
      mode: "overwrite",
      rules: [{ name: "bots", expression: "true", action: "deny" }],
    },
  });
  const gone = await client.DELETE("/management/webhooks/{id}", {
    params: { header, path: { id } },
  });
  const nothing: undefined = gone.data;
  const seen = await client.POST("/{region}/web/v4/{public_key}", {
    params: { path: { region: "us", public_key: "local-public-us" } },
    body: {
      sdk: { platform: "js", version: "4.1.5" },
      url: "https://shop.example/",
      signals: { hardware_concurrency: 8 },
      tag: { basket: 3 },
    },
  });
  const event_id: string = seen.data?.event_id ?? "";
  const found = await client.GET("/{region}/v4/events", {
    params: {
      path: { region: "eu" },
      query: { limit: 1, bot: "all", environment: ["ae_1", "ae_2"] },
    },
  });
  const got = await client.GET("/{region}/v4/events/{event_id}", {
    params: { path: { region: "us", event_id } },
  });
  type Event = operations["getEvent"]["responses"][200]["content"]["application/json"];
  const event: Event | undefined = got.data ?? found.data?.events[0];
  const legacy = await client.GET("/{region}/events/{request_id}", {
    params: { path: { region: "us", request_id: event_id } },
  });
  const device = await client.GET("/drn/{visitor_id}", {
    params: {
      path: { visitor_id: event?.identification?.visitor_id ?? "" },
      header: { "X-API-Version": "2024-09-01" },
      query: { signals: "regional_activity" },
    },
  });
  await client.POST("/_local/faults", {
    body: { match: { surface: "agent" }, then: { status: 500 } },
  });
  return [reason, urls, rules.data, nothing, legacy.data, device.data];
}`;

const MISTAKES: [what: string, call: string][] = [
  [
    "an unknown path",
    'client.GET("/management/hooks", { params: { header } })',
  ],
  [
    "a call without its version",
    'client.GET("/management/webhooks", { params: {} })',
  ],
  [
    "a body that lacks a member",
    'client.POST("/management/webhooks", { params: { header }, body: {} })',
  ],
  [
    "an unknown filter",
    'client.GET("/{region}/v4/events", { params: { path: { region: "us" }, query: { bots: "all" } } })',
  ],
  [
    "an unknown value",
    'client.GET("/{region}/v4/events", { params: { path: { region: "us" }, query: { bot: "some" } } })',
  ],
  [
    "an unknown region",
    'client.GET("/{region}/v4/events", { params: { path: { region: "mars" } } })',
  ],
];

/** The strictest compiler options that a user may have. */
const SETTINGS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** The files of a program, by name. Nothing is written to the disk. */
type Files = Readonly<Record<string, string>>;

/** The compiler's messages about the files, each with the file's name. */
function problemsOf(files: Files): { file: string; problem: string }[] {
  const byPath = new Map(
    Object.entries(files).map(([name, text]) => [resolve(TOOLS, name), text]),
  );
  const disk = ts.createCompilerHost(SETTINGS);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => byPath.has(path) || disk.fileExists(path),
    getSourceFile: (path, version) => {
      const text = byPath.get(path);
      return text === undefined
        ? disk.getSourceFile(path, version)
        : ts.createSourceFile(path, text, version);
    },
  };
  const program = ts.createProgram([...byPath.keys()], SETTINGS, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => ({
    file: file?.fileName.split("/").at(-1) ?? "",
    problem: ts.flattenDiagnosticMessageText(messageText, " "),
  }));
}

describe("a client generated from the OpenAPI document", () => {
  let schema: string;
  let problems: ReturnType<typeof problemsOf>;
  beforeAll(async () => {
    // The package is an ES module, and the tests are CommonJS.
    const generator = createRequire(resolve(TOOLS, "package.json")).resolve(
      "openapi-typescript",
    );
    const { default: generate, astToString } = (await import(
      pathToFileURL(generator).href
    )) as Generator;
    const document = await openApi();
    schema = astToString(await generate(JSON.stringify(document)));
    // One program, because the compiler takes seconds to read its libraries.
    problems = problemsOf({
      "schema.ts": schema,
      "calls.ts": CALLS,
      ...Object.fromEntries(
        MISTAKES.map(([what, call]) => [
          `${what}.ts`,
          `${BEGINNING}export const tried = ${call};`,
        ]),
      ),
    });
  }, 60_000);
  const problemsIn = (name: string) =>
    problems.filter(({ file }) => file === name);

  it("has each operation once, with types that compile in strict mode", async () => {
    const { paths } = await openApi();
    const names = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(schema).toContain(`operations["${name}"]`);
    expect(problemsIn("schema.ts")).toEqual([]);
  });

  it("calls operations of every surface, with typed answers", () => {
    expect(problemsIn("calls.ts")).toEqual([]);
  });

  it.each(MISTAKES)("reports %s at compile time", (what) => {
    expect(problemsIn(`${what}.ts`)).toHaveLength(1);
  });
});
