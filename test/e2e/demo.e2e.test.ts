import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeWorkFolder } from "../helpers/engine-stack";
import { killTree } from "../helpers/kill-tree";
import { outputOf } from "../helpers/output-of";
import { QUICK_PROGRAMS } from "../helpers/quick-programs";
import { ROOT, textOf } from "../helpers/repository";

const PROGRAM = textOf("examples/quickstart/index.ts");

/** The resources of the quickstart without a condition, and the stack. */
const DECLARED =
  (PROGRAM.match(/^(?:const \w+ = )?new devid\./gm) ?? []).length + 1;

let folder: string;

/** Starts a demo command in a copy of the demo's files. The copy has its own service and stack. */
function start(args: readonly string[], env: Record<string, string> = {}) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => name === "DEVID_PULUMI" || !name.startsWith("DEVID_"),
  );
  return spawn(
    process.execPath,
    [join(folder, "tools/demo/bin/demo.js"), ...args],
    {
      cwd: folder,
      env: { ...Object.fromEntries(inherited), ...QUICK_PROGRAMS, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
}

/** Runs a demo command to its end. */
const demo = async (...command: Parameters<typeof start>) =>
  outputOf(start(...command));

beforeAll(() => {
  folder = makeWorkFolder();
  const parts = [
    "Pulumi.yaml",
    "examples/quickstart",
    "tools/demo/bin",
    "tools/demo/dist",
  ];
  for (const part of parts)
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("up deploys the quickstart and says what to try next", async () => {
  const { code, text } = await demo(["up"]);
  expect(text).toContain(`+ ${DECLARED} created`);
  expect(text.trimEnd().split("\n").slice(-5)).toEqual([
    "On the local service now: an environment, 2 API keys, a webhook, an encryption key",
    "and the rules of examples/quickstart/rules.yaml.",
    "See them in a browser: npm run serve",
    expect.stringContaining("npm run preview") as string,
    expect.stringContaining("npm run destroy") as string,
  ]);
  expect(code).toBe(0);
});

const lastPort = () =>
  Number(readFileSync(join(folder, ".devid/port"), "utf8"));

it("a preview changes nothing, and uses another port when its own port is taken", async () => {
  const port = lastPort();
  const blocker = createServer().listen(port, "127.0.0.1");
  await once(blocker, "listening");
  try {
    expect((await demo(["preview"])).text).toContain(`${DECLARED} unchanged`);
  } finally {
    blocker.close();
  }
});

it("state prints only the state, without secrets", async () => {
  const { text } = await demo(["state"]);
  const { deployment } = JSON.parse(text) as {
    deployment: { resources: unknown[] };
  };
  // The provider of dynamic resources is not declared.
  expect(deployment.resources).toHaveLength(DECLARED + 1);
  expect(text).not.toContain("local-management-us");
});

it("cancel removes the lock of a killed command", async () => {
  const locks = join(folder, ".devid/engine/state/.pulumi/locks");
  const isLocked = () =>
    readdirSync(locks, { recursive: true, encoding: "utf8" }).some((file) =>
      file.endsWith(".json"),
    );
  const killed = start(["refresh"]);
  const closed = once(killed, "close");
  while (!isLocked()) await sleep(20);
  await killTree(killed.pid ?? 0);
  await closed;
  expect((await demo(["refresh"])).said).toContain("currently locked");
  expect((await demo(["cancel"])).code).toBe(0);
  expect((await demo(["refresh"])).code).toBe(0);
});

it("only the owner may read the passphrase", () => {
  const { mode } = statSync(join(folder, ".devid/engine/passphrase"));
  expect(mode & 0o777).toBe(0o600);
});

it("a preview uses the service that serve runs, on the same port as before", async () => {
  const port = lastPort();
  const isFree = await canListen(port);
  const serve = start(["serve"]);
  try {
    await once(serve.stdout, "data");
    // Another test may have taken the port meanwhile.
    if (isFree) expect(lastPort()).toBe(port);
    const { url } = JSON.parse(
      readFileSync(join(folder, ".devid/service.json"), "utf8"),
    ) as { url: string };
    expect((await demo(["preview"])).text).toContain(`${DECLARED} unchanged`);
    const answer = await fetch(`${url}/_local/requests`);
    const log = (await answer.json()) as { surface: string; path: string }[];
    // `serve` itself asks for events, and posts visits if there are none.
    const ofPulumi = log.filter(({ surface }) => surface === "management");
    expect(ofPulumi.map(({ path }) => path)).toEqual(["/management/hello"]);
  } finally {
    const ended = once(serve, "close");
    serve.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  }
});

/** Whether nothing listens on a port. */
async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (isFree) await new Promise((closed) => server.close(closed));
  return isFree;
}

it("destroy does not touch a remote service without confirmation", async () => {
  const own = { DEVID_ENDPOINT: "https://service.invalid" };
  const { code, said } = await demo(["destroy"], own);
  expect(code).toBe(1);
  expect(said).toContain("DEVID_ENDPOINT is set");
  expect(said).toContain("--yes");
});

it("destroy removes everything and stops its service", async () => {
  const { code, text } = await demo(["destroy"]);
  expect(code).toBe(0);
  expect(text).toContain(`- ${DECLARED} deleted`);
  // The user of the demo may have no pulumi command.
  expect(text).not.toContain("pulumi stack rm");
  expect(existsSync(join(folder, ".devid/service.json"))).toBe(false);
});
