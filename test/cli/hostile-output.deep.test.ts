import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import type { Command, Option } from "commander";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { COMMANDS } from "../../cli/src/commands";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { DevidProcess, type DevidResult } from "./devid-process";
import { recordedPreview } from "./sources/review/recorded-preview";

const HOSTILE =
  "x\n::error::y\u001b]0;t\u0007\u009b2J\u202e\u2066\rz\u001b[31m\n\u00a0::error::w\n  ##[error]w";

/** A part of the text that no escape changes. */
const MARK = "]0;t";

const RAW =
  // oxlint-disable-next-line no-control-regex
  /[\0-\b\v\f\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)/;
const COMMAND = /^\s*::|##\[/m;
const OWN_COMMAND = /^::(?:error|warning|notice) (?=file=)/gm;

/** This command's output is a protocol that an editor reads. */
const SERVER = "lsp";

const RECORDED = resolve(__dirname, "sources/recorded");
const EVENT = "1262930400000.hostile";

/**
 * The calls of each command. The test also makes them in each of the command's formats, and with a
 * hostile value for each option. Files are in the folder.
 */
const CALLS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  // Any other host would let it run until it is interrupted.
  serve: [["--port", "0", "--host", HOSTILE]],
  whoami: [[]],
  export: [["--out", "program"]],
  compare: [
    ["us", "eu"],
    ["us", "eu", "ap"],
  ],
  drift: [["--plan", "plan.json"]],
  "rules check": [["a.json"], ["b.json"], ["broken.yaml"]],
  "rules test": [["a.json"], ["a.json", "--live"], ["b.json"]],
  "rules fmt": [["--check", "a.json"], ["b.json"], ["broken.yaml"]],
  "rules diff": [["a.json", "live"], ["a.json", "c.json"], ["plan.json"]],
  "rules in-force": [[], ["--environment", HOSTILE]],
  "rules impact": [["c.json"], ["c.json", "--base", "a.json"]],
  "rules usage": [["a.json"], ["c.json", "--since", "7d"], ["live"]],
  "rules review": [
    ["c.json", "--base", "a.json", "--no-impact"],
    ["c.json", "--base", "live", "--fail-on", "lint:note"],
    ["b.json", "--base", "a.json"],
    [
      ...["c.json", "--base", "a.json", "--no-impact", "--plan", "plan.json"],
      ...["--plan-events", "plan.events"],
    ],
  ],
  "rules eval": [[]],
  "rules explain": [["deny-all"]],
  // Outside of a pipeline these end before they do anything. test/cli/ci has their texts.
  "ci review": [["a.json"]],
  "ci apply": [["a.json"]],
  "ci review-again": [[]],
  "ci drift": [[]],
  "events get": [[EVENT]],
  "events search": [["--since", "1h"]],
  "events update": [[EVENT, "--linked-id", HOSTILE]],
  "events export": [["--since", "1h", "--out", "events.ndjson", "--force"]],
  "drn get": [["hostile"]],
};

const workspace = openForTests(new LocalWorkspace());
let folder: string;
let env: Record<string, string>;
const commands = new Map<string, Command>();

beforeAll(async () => {
  for (const [name, command] of await everyCommand())
    commands.set(name, command);
  folder = mkdtempSync(join(tmpdir(), "devid-hostile-"));
  ({ env } = workspace);
  for (const region of ["us", "eu", "ap"] as const)
    env[`DEVID_MANAGEMENT_KEY_${region.toUpperCase()}`] =
      workspace.service.workspaces[region].managementKey;
  writeFiles();
  await fillWorkspace();
});

beforeEach(() => workspace.forgetFaults());
afterAll(() => rmSync(folder, { recursive: true }));

/** The commands that do something, by their names after `devid`. */
async function everyCommand(): Promise<[name: string, command: Command][]> {
  const found: [string, Command][] = [];
  for (const [name, [, load]] of Object.entries(COMMANDS))
    if (load) found.push([name, (await load())(name.split(" ").at(-1) ?? "")]);
  return found;
}

const RULES = [
  { name: HOSTILE, expression: "sdk.platform.is_ios", action: "deny" },
];

function writeFiles(): void {
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, name), text);
  const json = (name: string, value: object) =>
    write(name, JSON.stringify(value));
  const tests = [{ name: HOSTILE, request: {}, expect: { deny: HOSTILE } }];
  json("a.json", { rules: RULES, tests });
  const text = JSON.stringify(HOSTILE);
  const changed = {
    ...{ name: `2${HOSTILE}`, action: "deny" },
    expression: `sdk.version == ${text}`,
  };
  const [first] = RULES;
  json("c.json", { rules: [changed, { ...first, action: "allow" }], tests });
  const wrong = { ...changed, expression: `sdk.wrong.${HOSTILE}` };
  json("b.json", { rules: [wrong, { ...first, [HOSTILE]: HOSTILE }] });
  write("broken.yaml", `rules:\n  - "${HOSTILE}\n: ]`);
  const plan = recordedPreview("touched", "plugin");
  write("plan.json", JSON.stringify(hostile(JSON.parse(plan))));
  const events = join(RECORDED, "policies-dynamic.events");
  const lines = readFileSync(events, "utf8").trim().split("\n");
  write(
    "plan.events",
    lines.map((line) => JSON.stringify(hostile(JSON.parse(line)))).join("\n"),
  );
}

/** A preview or an event with hostile names and texts. */
function hostile(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => hostile(one, name));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, hostile(one, key)]),
    );
  const isText = /^(?:urn|name|message|policyName|description|expression)$/;
  return typeof value === "string" && isText.test(name)
    ? `${value}${HOSTILE}`
    : value;
}

async function fillWorkspace(): Promise<void> {
  for (const region of ["us", "eu"] as const) {
    const post = (path: string, body: object) =>
      workspace.call("POST", path, body, region);
    await post("/environments", { name: HOSTILE });
    await workspace.enforce(RULES, undefined, region);
  }
  const eu = (path: string, body: object) =>
    workspace.call("POST", path, body, "eu");
  await eu("/api-keys", { name: HOSTILE, type: "public" });
  await eu("/webhooks", {
    url: "https://hooks.shop.example/",
    description: HOSTILE,
  });
  await workspace.control("/us/events", [
    {
      event_id: EVENT,
      timestamp: Date.now() - 60_000,
      linked_id: HOSTILE,
      tags: { [HOSTILE]: HOSTILE },
      url: `https://shop.example/${HOSTILE}`,
      user_agent: HOSTILE,
      ip_address: "192.0.2.1",
      identification: { visitor_id: HOSTILE },
    },
  ]);
}

/** Runs a command. Returns its standard output, its standard error and its report. */
async function written(args: readonly string[]): Promise<string[]> {
  const stdin = vi
    .spyOn(process, "stdin", "get")
    .mockReturnValue(
      Readable.from([
        `${JSON.stringify({ expression: HOSTILE, request: {} })}\n`,
        `{"expression": ${HOSTILE}}\n`,
      ]) as typeof process.stdin,
    );
  for (const name of ["report", HOSTILE])
    rmSync(join(folder, name), { force: true, recursive: true });
  let result: DevidResult;
  try {
    result = await DevidProcess.run(args, env, folder);
  } finally {
    stdin.mockRestore();
  }
  const reports = readdirSync(folder).filter((name) => name === "report");
  const texts = reports.map((name) => readFileSync(join(folder, name), "utf8"));
  const all = [result.stdout, result.stderr, ...texts];
  const called = JSON.stringify(args);
  for (const text of all) {
    expect(text, called).not.toMatch(RAW);
    // With --format github, each line is a workflow command that devid writes on purpose.
    const own = args.includes("github") ? OWN_COMMAND : /^$/g;
    expect(text.replaceAll(own, ""), called).not.toMatch(COMMAND);
  }
  return all;
}

/** The flags that choose a format of a command, and flags that write it to a file. */
function formatsOf({ options }: Command): string[][] {
  const named = (flag: string) => options.find(({ long }) => long === flag);
  const formats = named("--format")?.argChoices ?? [];
  const shown = [
    [],
    ...formats.map((format) => ["--format", format]),
    ...(named("--json") ? [["--json"]] : []),
  ];
  const isReport = named("--out")?.description === "write the report to a file";
  return isReport
    ? [...shown, ...shown.map((flags) => [...flags, "--out", "report"])]
    : shown;
}

const takesText = ({ required, argChoices }: Option) => required && !argChoices;

it("covers every command", () => {
  expect([...Object.keys(CALLS), SERVER].sort()).toEqual(
    [...commands.keys()].sort(),
  );
});

it.each(Object.keys(CALLS))(
  "devid %s escapes hostile text in every format",
  async (name) => {
    const command = commands.get(name);
    if (!command) throw new Error(`There is no command ${name}.`);
    const [first = [], ...others] = CALLS[name] ?? [];
    const path = name.split(" ");
    const texts: string[] = [];
    const run = async (...args: string[]) =>
      texts.push(...(await written([...path, ...args])));
    for (const args of [first, ...others])
      for (const format of formatsOf(command)) await run(...args, ...format);
    for (const json of command.options.some(({ long }) => long === "--json")
      ? [[], ["--json"]]
      : [[]]) {
      await run(`--${HOSTILE}`, ...json);
      await run(HOSTILE, ...json);
      await run(HOSTILE, HOSTILE, ...first, ...json);
      for (const { long } of command.options.filter(takesText))
        await run(...first, long ?? "", HOSTILE, ...json);
      await workspace.fault({
        match: {},
        then: {
          status: 400,
          body: { error: { code: HOSTILE, message: HOSTILE } },
        },
      });
      await run(...first, ...json);
      await workspace.forgetFaults();
    }
    // The mark shows that the hostile text was written at all.
    expect(texts.join("")).toContain(MARK);
  },
  60_000,
);

it.each([[HOSTILE], ["rules", HOSTILE], ["help", HOSTILE]])(
  "devid %j escapes hostile text",
  async (...args) => {
    await written(args);
    await written([...args, "--json"]);
  },
);

it("prints the rules in force as YAML with an unchanged meaning", async () => {
  const names = [HOSTILE, "a ##[error]b", "##vso[a]b", "\u00a0::error::a"];
  const rules = names.map((name) => ({
    name,
    expression: `sdk.version == ${JSON.stringify(name)}`,
    action: "deny",
  }));
  await workspace.enforce(rules);
  const [stdout = ""] = await written(["rules", "in-force"]);
  expect(parse(stdout)).toEqual({ rules });
  const [, , report = ""] = await written([
    ...["rules", "in-force", "--out", "report"],
  ]);
  expect(parse(report)).toEqual({ rules });
});
