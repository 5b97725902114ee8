import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { END_SIGNALS } from "../../cli/src/errors";
import { localForTests } from "../helpers/local-for-tests";
import { DevidProcess } from "./devid-process";
import { folderForEachTest } from "../helpers/test-folder";

const workspace = localForTests();
let folder: string;
folderForEachTest((path) => (folder = path));
beforeEach(() =>
  writeFileSync(
    join(folder, "rules.yaml"),
    "rules:\n  - name: bots\n    expression: http.user_agent.is_crawler_bot\n    action: deny\n",
  ),
);

/** Starts a command, whose call to one surface hangs, and sends it a signal then. */
async function interrupted(
  signal: NodeJS.Signals,
  surface: "management" | "events",
  ...args: string[]
) {
  await workspace.fault({ match: { surface }, then: "hang" });
  const devid = DevidProcess.start(args, workspace.env);
  const isWaiting = async () => {
    const answer = await fetch(`${workspace.url}/_local/requests`);
    const log = (await answer.json()) as { surface: string }[];
    return log.some((request) => request.surface === surface);
  };
  while (!(await isWaiting()) && devid.child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 20));
  // The turn of its event loop that sent the call ends: only then does the command hear signals.
  await new Promise((resolve) => setTimeout(resolve, 250));
  devid.child.kill(signal);
  const code = await devid.ended();
  return { code, stdout: devid.stdout, stderr: devid.stderr };
}

it.each([
  ["management", ["whoami"]],
  ["management", ["compare", "us", "us"]],
  ["events", ["events", "search"]],
] as const)(
  "Ctrl-C during a %s call ends %j with 130",
  async (surface, args) => {
    const { code, stdout, stderr } = await interrupted(
      "SIGINT",
      surface,
      ...args,
    );
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toMatch(/^devid: Stopped by SIGINT\.\n$/m);
  },
);

it("Ctrl-C ends a replay with 130", async () => {
  const file = join(folder, "rules.yaml");
  const { code, stdout, stderr } = await interrupted(
    "SIGINT",
    "events",
    ...["rules", "impact", file, "--since", "1h", "--json"],
  );
  expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
  const lines = stderr.trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({
    version: 1,
    error: {
      name: "InterruptedError",
      message: "Stopped by SIGINT.",
      exitCode: 130,
    },
  });
});

it("an export of a workspace that a pipeline ends leaves no half-written files", async () => {
  const out = join(folder, "program");
  const { code } = await interrupted(
    "SIGTERM",
    "management",
    ...["export", "--out", out],
  );
  expect(code).toBe(143);
  expect(existsSync(out)).toBe(false);
});

it("Ctrl-C ends the requests of rules test --live, and the local results are printed", async () => {
  const file = join(folder, "tests.yaml");
  writeFileSync(
    file,
    "rules: [{ name: bots, expression: http.user_agent.is_crawler_bot, action: deny }]\ntests: [{ name: a, request: {}, expect: allow }]\n",
  );
  const { code, stdout, stderr } = await interrupted(
    "SIGINT",
    "management",
    ...["rules", "test", "--live", file],
  );
  expect(code).toBe(130);
  expect(stdout).toMatch(/\n1 test passed in 1 file\.\n$/);
  expect(stderr).toMatch(/^devid: Stopped by SIGINT\.\n$/m);
});

it.each(END_SIGNALS)(
  "%s ends a replay of a pipe that nobody writes to, and removes what it has stored",
  async (signal) => {
    const [pipe, temporary] = [join(folder, "pipe"), join(folder, "tmp")];
    execFileSync("mkfifo", [pipe]);
    mkdirSync(temporary);
    const devid = DevidProcess.start(
      [
        ...["rules", "usage", join(folder, "rules.yaml")],
        ...["--events", `ndjson:${pipe}`, "--environment", "ae_1"],
      ],
      { DEVID_ENDPOINT: workspace.url, TMPDIR: temporary },
    );
    const isRead = () => {
      try {
        // Refused until somebody reads the pipe.
        return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK) > 0;
      } catch {
        return false;
      }
    };
    while (!isRead() && devid.child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
    devid.child.kill(signal);
    const [, by] = (await once(devid.child, "exit")) as unknown[];
    expect(by).toBe(signal);
    expect(readdirSync(temporary)).toEqual([]);
    expect(devid.stderr).toMatch(/^devid: Stopped by SIG/m);
  },
);

it.each(END_SIGNALS)(
  "%s while the code of a command is loaded ends the command before it reads or calculates",
  async (signal) => {
    const hook = join(folder, "signal-while-loading.cjs");
    writeFileSync(
      hook,
      `const Module = require("node:module");
      const { _load } = Module;
      Module._load = (request, ...rest) => {
        if (/rules-check-/.test(request)) process.kill(process.pid, "${signal}");
        return _load(request, ...rest);
      };`,
    );
    const devid = DevidProcess.start(
      ["rules", "check", "-"],
      { NODE_OPTIONS: `--require "${hook}"` },
      // Nobody writes, so the command would wait.
      "pipe",
    );
    const [, by] = (await once(devid.child, "exit")) as unknown[];
    expect(by).toBe(signal);
  },
);

it("a pipe that another process has made non-blocking is waited for", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, "w");
  const devid = DevidProcess.start(["rules", "check", "-"], {}, reader);
  // It would end at its first read, of which nobody else learns.
  await Promise.race([
    once(devid.child, "exit"),
    new Promise((resolve) => setTimeout(resolve, 1_000)),
  ]);
  writeSync(writer, "rules: []\n");
  closeSync(writer);
  closeSync(reader);
  expect(await devid.ended()).toBe(0);
  expect(devid.stdout).toBe("Nothing found in 1 file.\n");
});
