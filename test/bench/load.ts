import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ProviderHandshakeRequest } from "@pulumi/pulumi/proto/provider_pb";
import { stringify } from "yaml";
import { TESTS } from "../helpers/engine-stack";
import {
  loadOf,
  PUBLIC_ENTRIES,
  type PublicEntry,
} from "../helpers/public-entries";
import { figure, printFigures, round, type Figure } from "./figure";
import { ruleCorpus } from "./rule-corpus";
import { median, spreadOf } from "./statistics";

const PROCESSES = 15;

/** The most files and milliseconds for loading an entry, if there is a goal. */
const GOALS: Readonly<Record<string, { files?: number; ms: number }>> = {
  "@devid/pulumi": { files: 40, ms: 30 },
  "@devid/pulumi/provider": { ms: 90 },
};

const PLUGIN = join(TESTS, "../provider/bin/plugin.js");
const DEVID = require.resolve("@devid/cli/bin/devid.js");
const RULE_FILE = join(TESTS, "../examples/quickstart/rules.yaml");
const FOLDER = mkdtempSync(join(tmpdir(), "devid-bench-"));
const FIFTY_RULES = join(FOLDER, "rules.yaml");
/** The libraries of a command alone. */
const floorOf = (command: "check" | "serve") =>
  join(TESTS, `bench/.bench/${command}/${command}.js`);

interface Command {
  readonly name: string;
  readonly args: readonly string[];
  readonly isPlugin?: boolean;
  /** The goal, in milliseconds. */
  readonly ms?: number;
}

/** Commands that run until they end, or until they print their first line. */
const COMMANDS: readonly Command[] = [
  { name: "node that does nothing", args: ["-e", "0"] },
  { name: "`devid --version`", args: [DEVID, "--version"] },
  {
    name: "`devid rules check` of a small file",
    args: [DEVID, "rules", "check", RULE_FILE],
    ms: 80,
  },
  { name: "its libraries alone", args: [floorOf("check"), RULE_FILE] },
  {
    name: "`devid rules check` of 50 rules",
    args: [DEVID, "rules", "check", FIFTY_RULES],
    ms: 80,
  },
  {
    name: "`devid serve`: start to ready",
    args: [DEVID, "serve", "--port", "0", "--json"],
    ms: 140,
  },
  { name: "its libraries alone", args: [floorOf("serve"), "serve"] },
  {
    name: "provider plugin: start to its answer to a handshake",
    args: [PLUGIN, "127.0.0.1:1"],
    isPlugin: true,
    ms: 300,
  },
];

async function entryFigures(entry: PublicEntry): Promise<Figure[]> {
  const loads = [];
  for (let n = 0; n < PROCESSES; n++) loads.push(await loadOf(entry));
  const times = loads.map(({ ms }) => ms);
  const files = median(loads.map((load) => load.files));
  const megabytes = round(median(loads.map((load) => load.megabytes)));
  const goals = GOALS[entry.name];
  return [
    figure(`${entry.name}: files`, files, "", { atMost: goals?.files }),
    figure(
      `${entry.name}: time (${spreadOf(times, round)}), ${megabytes} MB`,
      median(times),
      "ms",
      { atMost: goals?.ms },
    ),
  ];
}

/** Milliseconds until a process has ended or printed a line. */
async function timeOf({ args, isPlugin = false }: Command): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    // Reading extra certificates takes Node longer than most commands take.
    env: { ...process.env, NODE_OPTIONS: "", NODE_EXTRA_CA_CERTS: "" },
  });
  const ended = once(child, "exit");
  const isServer = isPlugin || args.includes("serve");
  const [said] = (await (isServer ? once(child.stdout, "data") : ended)) as [
    unknown,
  ];
  if (isPlugin) await handshake(Number(String(said)));
  const ms = performance.now() - startedAt;
  if (isServer) child.kill();
  else child.stdout.resume();
  await ended;
  return ms;
}

/** Makes the engine's first calls to a plugin. */
async function handshake(port: number): Promise<void> {
  const client = new ResourceProviderClient(
    `127.0.0.1:${port}`,
    credentials.createInsecure(),
  );
  const request = new ProviderHandshakeRequest().setEngineAddress(
    "127.0.0.1:1",
  );
  await new Promise<void>((resolve, reject) =>
    client.handshake(request, (error) => (error ? reject(error) : resolve())),
  );
  client.close();
}

/** The commands alternate, so that a busy moment of the machine affects all of them. */
async function commandFigures(): Promise<Figure[]> {
  const times = COMMANDS.map((): number[] => []);
  for (let n = 0; n < PROCESSES; n++)
    for (const [i, command] of COMMANDS.entries())
      times[i]?.push(await timeOf(command));
  return COMMANDS.map(({ name, ms }, i) => {
    const own = times[i] ?? [];
    const spread = spreadOf(own, Math.round);
    return figure(`${name} (${spread})`, median(own), "ms", { atMost: ms });
  });
}

async function main(): Promise<void> {
  writeFileSync(FIFTY_RULES, stringify({ rules: ruleCorpus(50, 20251120) }));
  execFileSync(process.execPath, [join(TESTS, "bench/libraries/bundle.mjs")]);
  const figures: Figure[] = [];
  for (const entry of PUBLIC_ENTRIES)
    figures.push(...(await entryFigures(entry)));
  printFigures([...figures, ...(await commandFigures())]);
  rmSync(FOLDER, { recursive: true });
}

void main();
