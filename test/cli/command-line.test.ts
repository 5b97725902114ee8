import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { REGIONS } from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { REGION_CHOICES } from "../../cli/src/flags/shared-flags";
import { DevidProcess, failed } from "./devid-process";
import { ROOT } from "../helpers/repository";

const BIN = join(ROOT, "cli/bin/devid.js");

it("prints its version, which every package has", async () => {
  const { stdout } = await DevidProcess.run(["--version"]);
  for (const room of ["sdk", "provider", "clone", "service", "cli"]) {
    const manifest = readFileSync(join(ROOT, room, "package.json"), "utf8");
    const { version } = JSON.parse(manifest) as { version: string };
    expect(stdout.trim(), room).toBe(version);
  }
});

it("accepts every region that the client knows", () => {
  expect(REGION_CHOICES).toEqual(REGIONS);
});

it.each(["__proto__", "constructor"])(
  "the value %s of a flag stays a text",
  async (name) => {
    const run = DevidProcess.run(["drift", "--plan", name]);
    expect(await failed(run)).toContain(`devid: ${name} cannot be read`);
  },
);

/** The commands of a help text, except `help` itself. */
function commandsIn(help: string): string[] {
  const [, behind = ""] = help.split("\nCommands:\n");
  const [list = ""] = behind.split("\nExamples:\n");
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
}

describe("help", () => {
  it("of every command is the same with --help and with help, and fits 80 columns", async () => {
    const seen: string[] = [];
    const visit = async (path: readonly string[]): Promise<void> => {
      const [byFlag, byCommand] = await Promise.all([
        DevidProcess.run([...path, "--help"]),
        DevidProcess.run(["help", ...path]),
      ]);
      const { code, stdout, stderr } = byFlag;
      expect({ code, stderr }, path.join(" ")).toEqual({ code: 0, stderr: "" });
      expect(byCommand).toEqual(byFlag);
      expect(stdout).toMatch(`Usage: ${["devid", ...path].join(" ")} `);
      for (const line of stdout.split("\n"))
        expect(line.length, line).toBeLessThanOrEqual(80);
      seen.push(path.join(" "));
      for (const name of commandsIn(stdout)) await visit([...path, name]);
    };
    await visit([]);
    for (const command of ["export", "events export", "drn get", "rules fmt"])
      expect(seen).toContain(command);
  }, 120_000);

  it("of a command in a group is also printed by the group's help", async () => {
    const [byGroup, byFlag] = await Promise.all([
      DevidProcess.run(["rules", "help", "review"]),
      DevidProcess.run(["rules", "review", "--help"]),
    ]);
    expect(byGroup).toEqual(byFlag);
    // Without --fail-on there is no condition, so the help shows no default.
    expect(byFlag.stdout).not.toContain("[]");
  });

  it("is printed as an error when a command is missing", async () => {
    const { code, stdout, stderr } = await DevidProcess.run(["events"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("Usage: devid events");
  });

  it("suggests a command for an unknown one, and does not print its help", async () => {
    for (const args of [["severe"], ["help", "severe"], ["severe", "--help"]]) {
      const stderr = await failed(DevidProcess.run(args));
      expect(stderr).toContain("unknown command 'severe'");
      expect(stderr).toContain("Did you mean serve?");
    }
  });
});

describe("an error with --json", () => {
  const failed = async (...args: string[]) => {
    const { code, stdout, stderr } = await DevidProcess.run(args, {
      DEVID_ENDPOINT: "http://127.0.0.1:9",
      DEVID_MANAGEMENT_KEY: "a-management-key",
    });
    expect(stdout).toBe("");
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    const { error } = JSON.parse(stderr) as {
      error: Record<string, unknown>;
    };
    expect(error.exitCode).toBe(code);
    return error;
  };

  it("is one object, also for invalid flags", async () => {
    expect(await failed("whoami", "--jsn", "--json")).toEqual({
      name: "UsageError",
      message: "unknown option '--jsn'\n(Did you mean --json?)",
      exitCode: 1,
    });
    expect(await failed("rules", "review", "--format", "json")).toMatchObject({
      message: "missing required argument 'file'",
    });
  });

  it("is one object for a missing file", async () => {
    expect(await failed("rules", "check", "absent.yaml", "--json")).toEqual({
      name: "UsageError",
      message: expect.toSay("files/missing", { path: "absent.yaml" }),
      exitCode: 1,
    });
  });

  it("says that the service cannot be reached", async () => {
    expect(await failed("whoami", "--json")).toMatchObject({
      name: "UnreachableError",
      exitCode: 3,
    });
  });
});

describe("a reader that closes the pipe early", () => {
  it("ends a command without an error", async () => {
    const devid = spawn(process.execPath, [BIN, "rules", "eval"], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    const stderr = text(devid.stderr);
    devid.stdin.on("error", () => undefined);
    const line = `${JSON.stringify({ expression: "true", request: {} })}\n`;
    devid.stdin.write(line.repeat(10));
    await once(devid.stdout, "data");
    devid.stdout.destroy();
    const writing = setInterval(() => devid.stdin.write(line.repeat(10)), 10);
    const [code] = (await once(devid, "exit")) as [number | null];
    clearInterval(writing);
    expect(await stderr).toBe("");
    expect(code).toBe(0);
  });

  it("does not change the exit code", async () => {
    const devid = spawn(
      process.execPath,
      [BIN, "rules", "check", join(__dirname, "command-line.test.ts")],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    devid.stdout.destroy();
    const stderr = text(devid.stderr);
    const [code] = (await once(devid, "exit")) as [number | null];
    expect(await stderr).toBe("");
    // 1, because the file is not a rule file.
    expect(code).toBe(1);
  });
});

describe("a file for standard output that takes only a part", () => {
  /** Runs a command with its output in a file, which may have 512 bytes. */
  const runLimited = (...args: string[]) => {
    const folder = mkdtempSync(join(tmpdir(), "devid-output-"));
    const file = join(folder, "output");
    const { status, stderr } = spawnSync(
      "sh",
      [
        ...["-c", `ulimit -f 1 && exec "$0" "$@" >"$OUTPUT"`],
        ...[process.execPath, BIN, ...args],
      ],
      { encoding: "utf8", env: { ...process.env, OUTPUT: file } },
    );
    const written = readFileSync(file, "utf8");
    rmSync(folder, { recursive: true });
    return { status, stderr, written };
  };

  it.each([[["--help"]], [["rules", "check", __filename, "--format", "json"]]])(
    "ends %j with an error",
    (args) => {
      const { status, stderr, written } = runLimited(...args);
      expect(written.length).toBeGreaterThanOrEqual(512);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^(devid: |\{"version":1,"error":).*ulimit -f/);
    },
  );

  it("is told in a sentence", () => {
    const { stderr } = runLimited("--help");
    expect(stderr).toSay("command-line/standard-output-too-large");
  });
});
