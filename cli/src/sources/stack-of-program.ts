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
import { readPreview, type Operation } from "@devid/pulumi/state";
import { UsageError } from "../errors";
import { writePrivately } from "../output/write-output";

/** What an update would do to a resource. */
export interface PlannedStep {
  readonly operation: Exclude<Operation, "same">;
  readonly kind: string;
  readonly name: string;
}

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

  /** Selects the stack, and makes it where there is none. */
  async selectOrCreate(): Promise<void> {
    await this.#run("select the stack", ["stack", "select", "--create"]);
  }

  /** Replaces the state; the import encrypts what is marked as secret in it. */
  async importState(state: object): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "devid-state-"));
    try {
      const path = join(folder, "state.json");
      writePrivately(path, JSON.stringify(state));
      await this.#run("write the state of the stack", [
        "stack",
        "import",
        "--file",
        path,
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** What an update after a refresh would do to the resources of devid. @throws FailedPreviewError */
  async plannedSteps(): Promise<PlannedStep[]> {
    const text = await this.#run(
      "preview the program",
      [...PREVIEW, ...REFRESHED],
      { isJson: true, isOffline: false },
    );
    return readPreview(text, `of ${this.folder}`).resources.flatMap(
      ({ kind, name, operation }) =>
        kind === undefined || operation === "same"
          ? []
          : [{ operation, kind, name }],
    );
  }

  /** Refreshes and updates the stack; what Pulumi prints goes to standard error. */
  async up(): Promise<void> {
    await this.#run(
      "update the stack",
      ["up", "--yes", "--skip-preview", "--suppress-outputs", ...REFRESHED],
      { isOffline: false, isShown: true },
    );
  }

  #exportState(...flags: readonly string[]): Promise<string> {
    const args = ["stack", "export", ...flags];
    return this.#run("read the state of the stack", args);
  }

  async #run(
    what: string,
    args: readonly string[],
    { isJson = false, isOffline = true, isShown = false } = {},
  ): Promise<string> {
    const chosen = this.stack === undefined ? [] : ["--stack", this.stack];
    const child = spawn("pulumi", [...args, ...chosen, "--non-interactive"], {
      cwd: this.folder,
      env: { ...process.env, ...(isOffline && { DEVID_OFFLINE: "true" }) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    if (isShown) {
      child.stdout.pipe(process.stderr);
      child.stderr.pipe(process.stderr);
    }
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

/** A refresh reads with the settings that the program gives its provider. */
const REFRESHED = ["--refresh", "--run-program"];

function readPlan(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "{}";
  }
}
