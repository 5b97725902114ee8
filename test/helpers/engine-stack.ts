import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import {
  engineEnvironment,
  findEngine,
  prepareEngineHome,
} from "@devid/engine";
import * as automation from "@pulumi/pulumi/automation";

/** A resource for test/e2e/program to declare. */
export interface Declared {
  readonly kind: string;
  /** Its name in the program; `$<as>.<output>` in arguments refers to it. */
  readonly as: string;
  readonly args: Record<string, unknown>;
  /** Name of an explicit provider. */
  readonly provider?: string;
}

const run = promisify(execFile);

// The same folder whether this file runs as source or, in a benchmark, as built.
const TESTS = dirname(
  createRequire(__filename).resolve("@devid/test/package.json"),
);

/** A folder inside the repository, so that its packages are found from there; never committed. */
export function makeWorkFolder(): string {
  const parent = join(TESTS, "e2e", ".work");
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, "run-"));
}

/** A stack of a program on a real engine, in a folder of its own. */
export class EngineStack {
  /** Everything that the engine has printed so far. */
  output = "";

  private constructor(
    private readonly folder: string,
    private readonly pulumi: string,
    private readonly env: Record<string, string>,
    readonly stack: automation.Stack,
  ) {}

  /**
   * Opens a new stack of a program folder (by default the one that declares
   * what it is told), with the given settings in its environment.
   */
  static async open(
    settings: Record<string, string>,
    program = join(TESTS, "e2e", "program"),
  ): Promise<EngineStack> {
    const engine = await findEngine();
    const folder = makeWorkFolder();
    cpSync(program, folder, {
      recursive: true,
      filter: (source) => !/\/(node_modules|dist)$/.test(source),
    });
    const home = await prepareEngineHome(join(folder, ".engine"));
    const variables = engineEnvironment({ ...home, enginePath: engine.path });
    const env = Object.fromEntries(
      Object.entries({ ...variables, ...settings }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    );
    const command = await automation.PulumiCommand.get({
      root: dirname(dirname(engine.path)),
      skipVersionCheck: true,
    });
    const stack = await automation.LocalWorkspace.createOrSelectStack(
      { stackName: "test", workDir: folder },
      { envVars: env, pulumiCommand: command },
    );
    return new EngineStack(folder, engine.path, env, stack);
  }

  /** What the next update declares. */
  declare(
    resources: readonly Declared[],
    providers: Record<string, unknown> = {},
  ): void {
    const text = JSON.stringify({ resources, providers });
    writeFileSync(join(this.folder, "resources.json"), text);
  }

  /** Runs an update; answers the count of each operation. */
  async up(): Promise<automation.OpMap> {
    const { summary } = await this.stack.up({ onOutput: this.#keep });
    return summary.resourceChanges ?? {};
  }

  /** Runs a preview; answers the count of each operation and what was printed, diff included. */
  async preview(): Promise<{ changes: automation.OpMap; text: string }> {
    const result = await this.stack.preview({
      onOutput: this.#keep,
      diff: true,
    });
    return { changes: result.changeSummary, text: result.stdout };
  }

  async refresh(): Promise<automation.OpMap> {
    const { summary } = await this.stack.refresh({ onOutput: this.#keep });
    return summary.resourceChanges ?? {};
  }

  async destroy(): Promise<void> {
    await this.stack.destroy({ onOutput: this.#keep });
  }

  /** Runs an update that must fail; answers what was printed. */
  async failingUp(): Promise<string> {
    const before = this.output.length;
    try {
      await this.stack.up({ onOutput: this.#keep });
    } catch (error) {
      return this.output.slice(before) + String(error);
    }
    throw new Error("The update was expected to fail, and did not.");
  }

  /** The state as `pulumi stack export` prints it. */
  exported({ showSecrets = false } = {}): Promise<string> {
    const flags = showSecrets ? ["--show-secrets"] : [];
    return this.#printed("stack", "export", ...flags);
  }

  /** What `pulumi preview --json` prints. */
  previewJson(...flags: string[]): Promise<string> {
    return this.#printed("preview", "--json", ...flags);
  }

  /**
   * Runs a shell command in the program's folder, as a pipeline would: it stops
   * at the first failure, and `pulumi` is the engine.
   */
  async shell(
    command: string,
    variables: Record<string, string> = {},
  ): Promise<{ code: number; output: string }> {
    const shell = spawn("bash", ["-e", "-o", "pipefail", "-c", command], {
      cwd: this.folder,
      env: { ...process.env, ...this.env, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [shell.stdout, shell.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(shell, "close")) as [number | null];
    return { code: code ?? 1, output };
  }

  async #printed(...command: string[]): Promise<string> {
    const env = { ...process.env, ...this.env };
    const args = [...command, "--stack", this.stack.name];
    return (await run(this.pulumi, args, { cwd: this.folder, env })).stdout;
  }

  /** Folder with the program, the state and the engine's home. */
  get workFolder(): string {
    return this.folder;
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  readonly #keep = (text: string): void => {
    this.output += text;
  };
}
