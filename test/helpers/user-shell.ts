import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { engineIn } from "./engine-stack";
import { QUICK_PROGRAMS } from "./quick-programs";
import { outputOf } from "./output-of";
import { UNTHROTTLED } from "./unthrottled";

/** The output of a command, and how it ended. */
export interface CommandResult {
  readonly code: number | null;
  /** Standard output and standard error, in the order in which they arrived. */
  readonly text: string;
  readonly stdout: string;
}

/**
 * A user at a terminal. They have an empty folder outside the repository,
 * `devid` and `pulumi` on the PATH, their own Pulumi home, and only the given
 * devid variables in the environment.
 */
export class UserShell {
  private constructor(
    readonly folder: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** Opens a shell. A `PATH` in the settings is searched last. */
  static async open(settings: Record<string, string>): Promise<UserShell> {
    const folder = mkdtempSync(join(tmpdir(), "devid-user-"));
    const bin = join(folder, ".bin");
    mkdirSync(bin);
    symlinkSync(
      resolve(__dirname, "../../cli/bin/devid.js"),
      join(bin, "devid"),
    );
    const { variables } = await engineIn(folder);
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(DEVID_|npm_|VITEST|NODE_ENV)/.test(name),
    );
    const env = {
      ...Object.fromEntries(inherited),
      ...variables,
      ...UNTHROTTLED,
      ...QUICK_PROGRAMS,
      ...settings,
      PATH: [bin, variables.PATH, settings.PATH]
        .filter(Boolean)
        .join(delimiter),
      npm_config_ignore_scripts: "true",
      npm_config_prefer_offline: "true",
    };
    return new UserShell(folder, env);
  }

  /** Runs a command line in a subfolder; `input` is what the user types. */
  async run(
    command: string,
    { in: folder = ".", input = "" } = {},
  ): Promise<CommandResult> {
    const child = spawn("sh", ["-c", command], {
      cwd: join(this.folder, folder),
      env: this.env,
      stdio: "pipe",
    });
    const output = outputOf(child);
    // A command may end before it has read its input. Its exit code shows whether it
    // failed.
    child.stdin.on("error", () => undefined).end(input);
    const { text: stdout, said: text } = await output;
    return { code: child.exitCode, text, stdout };
  }

  /** Runs a command line that must succeed; returns its standard output. */
  async ok(
    command: string,
    options?: { readonly in?: string; readonly input?: string },
  ): Promise<string> {
    const { code, text, stdout } = await this.run(command, options);
    if (code === 0) return stdout;
    throw new Error(`${command} ended with ${code}:\n${text}`);
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
