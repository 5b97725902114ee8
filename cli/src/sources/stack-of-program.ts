import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  readPreviewedProgram,
  resourcesIn,
  type StackDeployment,
} from "@devid/clone";
import { UsageError } from "../errors";

/** Runs `pulumi` for one stack of a program. */
export class StackOfProgram {
  /** @throws UsageError for a folder without Pulumi.yaml */
  constructor(
    private readonly folder: string,
    /** The selected stack if it is left out. */
    private readonly stack?: string,
  ) {
    if (!existsSync(join(folder, "Pulumi.yaml")))
      throw new UsageError(
        `${folder} is not the folder of a program: it has no Pulumi.yaml.`,
      );
  }

  /** The state. Its secrets are encrypted. */
  async state(): Promise<StackDeployment> {
    return JSON.parse(await this.#exportState()) as StackDeployment;
  }

  /** What the program declares, secrets included, with the state before and stack config. */
  async previewed(before: StackDeployment) {
    process.stderr.write(`Previewing the program in ${this.folder}\n`);
    const stackConfig = await this.config();
    const { preview, plan } = await this.#preview();
    const hasState = resourcesIn(before) > 0;
    const program = readPreviewedProgram(preview, {
      plan,
      ...(hasState && { state: await this.#exportState("--show-secrets") }),
    });
    return { program, before, stackConfig };
  }

  /** Stack config by name, secrets included. */
  async config(): Promise<Record<string, string | undefined>> {
    const text = await this.#run("read stack config", [
      "config",
      "--json",
      "--show-secrets",
    ]);
    const values = JSON.parse(text) as Record<string, { value?: unknown }>;
    return Object.fromEntries(
      Object.entries(values).map(([name, { value }]) => [
        name,
        typeof value === "string" ? value : undefined,
      ]),
    );
  }

  /**
   * Previews the program without a check for existing objects. The plan has the secrets
   * that the preview hides. It is written to a folder that only this user can read, and
   * is deleted at once.
   */
  async #preview(): Promise<{ preview: string; plan: string }> {
    const folder = mkdtempSync(join(tmpdir(), "devid-recover-"));
    try {
      const plan = join(folder, "plan.json");
      const preview = await this.#run(
        "preview the program",
        [...PREVIEW, "--show-sames", "--show-secrets", "--save-plan", plan],
        // A failed preview says in its JSON what failed.
        { isJson: true },
      );
      return { preview, plan: readPlan(plan) };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /**
   * The output of `pulumi preview --json --show-sames`, without a check for existing
   * objects.
   */
  previewWithoutSecrets(): Promise<string> {
    const args = [...PREVIEW, "--show-sames"];
    return this.#run("preview the program", args, { isJson: true });
  }

  #exportState(...flags: readonly string[]): Promise<string> {
    const args = ["stack", "export", ...flags];
    return this.#run("read the state of the stack", args);
  }

  async #run(
    what: string,
    args: readonly string[],
    { isJson = false } = {},
  ): Promise<string> {
    const chosen = this.stack === undefined ? [] : ["--stack", this.stack];
    const child = spawn("pulumi", [...args, ...chosen, "--non-interactive"], {
      cwd: this.folder,
      env: { ...process.env, DEVID_OFFLINE: "true" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    try {
      await once(child, "close");
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new UsageError(
        code === "ENOENT"
          ? `pulumi cannot be run in ${this.folder}: the folder is not there, or pulumi is not on the PATH.`
          : `pulumi cannot be run: ${(error as Error).message}.`,
      );
    }
    if (child.exitCode === 0 || (isJson && stdout.trimStart().startsWith("{")))
      return stdout;
    throw new UsageError(
      `pulumi could not ${what} (pulumi ${args.slice(0, 2).join(" ")} in ${this.folder}):\n${(stderr || stdout).trim()}`,
    );
  }
}

const PREVIEW = ["preview", "--json"];

function readPlan(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "{}";
  }
}
