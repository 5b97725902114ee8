import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../errors";

/** Runs `pulumi` for one stack of a program. */
export class StackOfProgram {
  constructor(
    /** The folder with Pulumi.yaml. */
    private readonly folder: string,
    /** The selected stack if it is left out. */
    private readonly stack?: string,
  ) {}

  /** The state: what `pulumi stack export` prints. Without `showSecrets`, secrets are encrypted. */
  exportState({ showSecrets = false } = {}): Promise<string> {
    return this.#run("read the state of the stack", [
      "stack",
      "export",
      ...(showSecrets ? ["--show-secrets"] : []),
    ]);
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
   * Previews the program, though its objects may exist already. The plan has the
   * secrets that the preview hides; it lies in a folder that only this user can
   * read, and is deleted at once.
   */
  async preview(): Promise<{ preview: string; plan: string }> {
    const folder = mkdtempSync(join(tmpdir(), "devid-recover-"));
    try {
      const plan = join(folder, "plan.json");
      const preview = await this.#run(
        "preview the program",
        [
          "preview",
          "--json",
          "--show-sames",
          "--show-secrets",
          "--save-plan",
          plan,
        ],
        // A failed preview says in its JSON what failed.
        { isJson: true },
      );
      return { preview, plan: readPlan(plan) };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
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

/** The plan; of a preview that failed there is none. */
function readPlan(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "{}";
  }
}
