import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { engineEnvironment, prepareEngineHome } from "@devid/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

describe("the environment of an isolated engine", () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), "devid home-"));
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  it("has its own home, state and passphrase", async () => {
    const home = await prepareEngineHome(root);
    const env = engineEnvironment(home);
    expect(env.PULUMI_HOME).toBe(path.join(root, "home"));
    expect(fileURLToPath(env.PULUMI_BACKEND_URL ?? "")).toBe(home.backendDir);
    expect(env.PULUMI_BACKEND_URL).not.toContain(" ");
    const { mode } = await stat(home.passphraseFile);
    expect(mode & 0o077).toBe(0);
  });

  it("keeps the passphrase of an earlier run", async () => {
    const { passphraseFile } = await prepareEngineHome(root);
    const first = await readFile(passphraseFile, "utf8");
    expect(first.length).toBeGreaterThan(20);
    await prepareEngineHome(root);
    expect(await readFile(passphraseFile, "utf8")).toBe(first);
  });

  it("removes variables that lead to the user's own Pulumi account", async () => {
    const theirs = {
      PULUMI_ACCESS_TOKEN: "theirs",
      PULUMI_CONFIG_PASSPHRASE: "theirs",
    };
    const env = {
      ...process.env,
      ...theirs,
      ...engineEnvironment(await prepareEngineHome(root)),
    };
    const script = "console.log(JSON.stringify(process.env))";
    const seen: unknown = JSON.parse(
      execFileSync(process.execPath, ["-e", script], { env, encoding: "utf8" }),
    );
    expect(Object.values(seen as object)).not.toContain("theirs");
    expect(seen).toMatchObject({
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
      NO_COLOR: "1",
    });
  });

  it("puts the engine first on PATH, and allows colours when asked to", async () => {
    const home = await prepareEngineHome(root);
    const enginePath = path.join(root, "bin", "pulumi");
    const env = engineEnvironment({ ...home, enginePath, color: true });
    expect(env.PATH?.split(path.delimiter)[0]).toBe(path.join(root, "bin"));
    expect(env).not.toHaveProperty("NO_COLOR");
  });
});
