import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
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
   * The output of `pulumi preview --json --show-sames`, without a check for existing
   * objects.
   */
  previewWithoutSecrets(): Promise<string> {
    const args = ["preview", "--json", "--show-sames"];
    return this.#run("preview the program", args, { isJson: true });
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
    // Chunks may end within a character.
    child.stdout
      .setEncoding("utf8")
      .on("data", (text: string) => (stdout += text));
    child.stderr
      .setEncoding("utf8")
      .on("data", (text: string) => (stderr += text));
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
