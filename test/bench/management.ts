import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, optionsFromEnvironment } from "@devid/sdk";
import { EngineStack, type Declared } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { USERS_START } from "../helpers/quick-programs";
import { clone } from "./clone";
import { printFigures, round, type Figure } from "./figure";

const CLI = require.resolve("@devid/cli/bin/devid.js");

/** 60 webhooks through a throttle of 5 requests/s, against a service that allows 5 a second. */
async function throttledCreates(): Promise<Figure[]> {
  const workspace = await LocalWorkspace.start({ rateLimit: 5 });
  const settings = {
    endpoint: workspace.url,
    managementKey: workspace.service.workspaces.us.managementKey,
    requestsPerSecond: "5",
  };
  let throttled = 0;
  const client = createClient({
    ...optionsFromEnvironment([{ settings, describe: (name) => name }], {}),
    onRequest: ({ status }) => void (status === 429 && throttled++),
  });
  const count = 60;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      client.webhooks.create({ url: `https://hooks.example/${n}` }),
    ),
  );
  const perSecond = count / ((performance.now() - startedAt) / 1000);
  await workspace.close();
  return [
    {
      name: "webhooks created at 5 requests/s",
      value: round(perSecond),
      unit: "/s",
      goal: ">= 4.75",
      holds: perSecond >= 4.75,
    },
    {
      name: "answers 429 meanwhile",
      value: throttled,
      unit: "",
      goal: "0",
      holds: throttled === 0,
    },
  ];
}

/** Management calls of a preview of 200 unchanged resources. */
async function unchangedPreview(): Promise<Figure[]> {
  const workspace = await LocalWorkspace.start();
  const stack = await EngineStack.open({
    ...USERS_START,
    DEVID_ENDPOINT: workspace.url,
    DEVID_MANAGEMENT_KEY: workspace.service.workspaces.us.managementKey,
    DEVID_REQUESTS_PER_SECOND: "1000",
  });
  try {
    stack.declare(
      Array.from({ length: 200 }, (_, n): Declared => ({
        kind: "ApiKey",
        as: `key${n}`,
        args: { name: `Key ${n}`, type: "secret" },
      })),
    );
    await stack.up();
    const mark = await workspace.mark();
    const startedAt = performance.now();
    const { changes } = await stack.preview();
    const seconds = (performance.now() - startedAt) / 1000;
    const calls = (await workspace.requestsSince(mark)).length;
    return [
      {
        name: "management calls of an unchanged preview of 200 resources",
        value: calls,
        unit: "",
        goal: "0",
        holds: calls === 0 && changes.same === 201,
      },
      {
        name: "time of that preview",
        value: round(seconds),
        unit: "s",
        goal: "-",
        holds: true,
      },
    ];
  } finally {
    stack.close();
    await workspace.close();
  }
}

/**
 * The time from the start of a `devid serve` process to its ready line: median of 7, on
 * a data file.
 */
async function startToReady(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "devid-bench-"));
  const times: number[] = [];
  for (let run = 0; run < 7; run++) {
    const startedAt = performance.now();
    const child = spawn(
      process.execPath,
      [CLI, "serve", "--port", "0", "--json", "--data", join(folder, "a.db")],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await new Promise<void>((resolve) =>
      child.stdout.once("data", () => resolve()),
    );
    times.push(performance.now() - startedAt);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
  times.sort((a, b) => a - b);
  const median = times[3] ?? NaN;
  return [
    {
      name: `devid serve: start to ready (median of 7; ${Math.round(times[0] ?? NaN)} to ${Math.round(times[6] ?? NaN)} ms)`,
      value: Math.round(median),
      unit: "ms",
      goal: "< 500",
      holds: median < 500,
    },
  ];
}

async function main(): Promise<void> {
  printFigures([
    ...(await startToReady()),
    ...(await throttledCreates()),
    ...(await unchangedPreview()),
    ...(await clone()),
  ]);
}

void main();
