import { execFile, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import {
  engineEnvironment,
  findEngine,
  prepareEngineHome,
} from "@devid/engine";
import { killTree } from "./kill-tree";
import { keyServerSettings, SECRETS_PROVIDER } from "./key-server";
import { QUICK_PROGRAMS } from "./quick-programs";
import { outputOf, type Output } from "./output-of";
import { UNTHROTTLED } from "./unthrottled";

/**
 * A resource that test/e2e/program declares. The kind `Component` declares an empty
 * component.
 */
export interface Declared {
  readonly kind: string;
  /**
   * The resource's name in the program. Arguments may refer to its outputs as
   * `$<as>.<output>`.
   */
  readonly as: string;
  readonly args: Record<string, unknown>;
  /** The ID of an existing object that the program reads instead of declaring one. */
  readonly get?: string;
  /** Name of an explicit provider. */
  readonly provider?: string;
  /** Options of the resource. */
  readonly opts?: DeclaredOptions;
}

/**
 * Options of a declared resource. As a parent, `$<as>` means the resource with this
 * name.
 */
export interface DeclaredOptions {
  readonly parent?: string;
  readonly retainOnDelete?: boolean;
  readonly protect?: boolean;
  readonly ignoreChanges?: readonly string[];
}

/** A resource in the state. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
}

/** A resource that a program declares, for example `declared("ApiKey", "server", { name: "Server" })`. */
export const declared = (
  kind: string,
  as: string,
  args: Declared["args"],
  more: Omit<Declared, "kind" | "as" | "args"> = {},
): Declared => ({ kind, as, args, ...more });

const run = promisify(execFile);

const STACK = "test";

export const TESTS = dirname(__dirname);

/**
 * Makes a folder inside the repository, so that programs in it find our
 * packages; git ignores it.
 */
export function makeWorkFolder(): string {
  const parent = join(TESTS, "e2e", ".work");
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, "run-"));
}

/** Copies the source of a program into a folder. */
export function copyProgram(program: string, folder: string): void {
  cpSync(program, folder, {
    recursive: true,
    filter: (source) => !/[\\/](node_modules|dist)$/.test(source),
  });
}

/** The plugin in this repository, as the `plugins` of a project name it. */
export const PLUGIN = join(TESTS, "../provider/bin");
export const PLUGINS = { providers: [{ name: "devid", path: PLUGIN }] };

/** The engine, and variables that isolate its home and its state in a program's folder. */
export async function engineIn(
  folder: string,
): Promise<{ enginePath: string; variables: NodeJS.ProcessEnv }> {
  const enginePath = (await findEngine()).path;
  const home = await prepareEngineHome(join(folder, ".engine"));
  return { enginePath, variables: engineEnvironment({ ...home, enginePath }) };
}

/** The number of resources for each operation. */
export type Changes = Readonly<Record<string, number>>;

/** The result of an operation of the engine. */
export interface Outcome extends Output {
  readonly changes: Changes;
}

/** A stack of a program on a real engine, in its own folder. */
export class EngineStack {
  /** Everything that operations have printed so far. */
  output = "";

  private constructor(
    readonly folder: string,
    private readonly pulumi: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /**
   * Opens a new stack of a program, a folder or texts by the names of their files, with
   * the given settings in its environment. The default program declares the resources
   * that `declare` sets.
   */
  static async open(
    settings: Record<string, string>,
    program: string | Readonly<Record<string, string>> = join(
      TESTS,
      "e2e/program",
    ),
  ): Promise<EngineStack> {
    const folder = makeWorkFolder();
    if (typeof program === "string") copyProgram(program, folder);
    else
      for (const [file, text] of Object.entries(program))
        writeFileSync(join(folder, file), text);
    const { enginePath, variables } = await engineIn(folder);
    const env = {
      ...process.env,
      ...variables,
      ...UNTHROTTLED,
      ...QUICK_PROGRAMS,
      ...(await keyServerSettings()),
      ...settings,
    };
    const init = ["stack", "init", STACK, "--secrets-provider"];
    await run(enginePath, [...init, SECRETS_PROVIDER], { cwd: folder, env });
    return new EngineStack(folder, enginePath, env);
  }

  /**
   * Changes settings in the environment of later operations; `undefined`
   * removes a setting.
   */
  set(settings: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(settings))
      if (value === undefined) delete this.env[name];
      else this.env[name] = value;
  }

  /** Lets a program over dynamic resources use the plugin, too. */
  addPlugin(): void {
    const file = join(this.folder, "Pulumi.yaml");
    const text = `${readFileSync(file, "utf8")}plugins: ${JSON.stringify(PLUGINS)}\n`;
    writeFileSync(file, text);
  }

  /** Sets the resources that the next update declares. */
  declare(
    resources: readonly Declared[],
    providers: Record<string, unknown> = {},
  ): void {
    const text = JSON.stringify({ resources, providers });
    writeFileSync(join(this.folder, "resources.json"), text);
  }

  /** Runs an update; returns the number of resources for each operation. */
  async up(...flags: string[]): Promise<Changes> {
    return (await this.#succeeding("up", "--yes", "--skip-preview", ...flags))
      .changes;
  }

  /**
   * Runs a preview; returns the counts and the output, which includes the diff.
   */
  preview(...flags: string[]): Promise<Outcome> {
    return this.#succeeding("preview", "--diff", ...flags);
  }

  async refresh(...flags: string[]): Promise<Changes> {
    const args = ["refresh", "--yes", "--skip-preview", ...flags];
    return (await this.#succeeding(...args)).changes;
  }

  /** Destroys all resources of the stack; returns the counts and the output. */
  destroy(...flags: string[]): Promise<Outcome> {
    return this.#succeeding("destroy", "--yes", "--skip-preview", ...flags);
  }

  /**
   * Runs an update, and kills the engine and its hosts as soon as a condition is true,
   * as when a machine fails. Then removes the lock that the engine left behind.
   */
  async killedUp(isReached: () => Promise<boolean>): Promise<void> {
    const args = ["up", "--yes", "--skip-preview", "--non-interactive"];
    const child = spawn(this.pulumi, [...args, "--stack", STACK], {
      cwd: this.folder,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const closed = outputOf(child);
    while (child.exitCode === null && !(await isReached())) await sleep(50);
    if (child.exitCode !== null)
      throw new Error(
        `The update ended before it was to end:\n${(await closed).said}`,
      );
    await killTree(child.pid ?? 0);
    this.output += (await closed).said;
    await this.#printed("cancel", "--yes");
  }

  /** Runs an update that must fail; returns the output. */
  async failingUp(...flags: string[]): Promise<string> {
    return this.failing("up", "--yes", "--skip-preview", ...flags);
  }

  /** Runs an operation that must fail; returns the output. */
  async failing(...args: string[]): Promise<string> {
    const { code, said } = await this.operate(...args);
    if (code !== 0) return said;
    throw new Error(
      `pulumi ${args.join(" ")} was expected to fail, and did not:\n${said}`,
    );
  }

  /** Runs an operation, which may fail. */
  async operate(...args: string[]): Promise<Outcome> {
    const log = join(this.folder, ".engine", "events.log");
    rmSync(log, { force: true });
    const child = spawn(
      this.pulumi,
      [...args, "--stack", STACK, "--non-interactive", "--event-log", log],
      {
        cwd: this.folder,
        // Pulumi accepts the flag for the event log only with this variable.
        env: { ...this.env, PULUMI_DEBUG_COMMANDS: "true" },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const output = await outputOf(child);
    this.output += output.said;
    return { ...output, changes: changesIn(log) };
  }

  async #succeeding(...args: string[]): Promise<Outcome> {
    const outcome = await this.operate(...args);
    if (outcome.code === 0) return outcome;
    throw new Error(`pulumi ${args.join(" ")} failed:\n${outcome.said}`);
  }

  /** Sets a value in stack config. */
  async configure(
    key: string,
    value: string,
    { secret = false } = {},
  ): Promise<void> {
    const kind = secret ? "--secret" : "--plaintext";
    await this.#printed("config", "set", kind, key, "--", value);
  }

  /**
   * The stack's outputs; secret ones appear as `[secret]` unless `showSecrets`
   * is set.
   */
  async outputs({ showSecrets = false } = {}): Promise<
    Record<string, unknown>
  > {
    const flags = showSecrets ? ["--show-secrets"] : [];
    const text = await this.#printed("stack", "output", "--json", ...flags);
    return JSON.parse(text) as Record<string, unknown>;
  }

  /** The state as `pulumi stack export` prints it. */
  exported({ showSecrets = false } = {}): Promise<string> {
    const flags = showSecrets ? ["--show-secrets"] : [];
    return this.#printed("stack", "export", ...flags);
  }

  /** The resources in the state, from the file that the engine keeps. */
  resources(): readonly StateResource[] {
    const stacks = join(this.folder, ".engine", "state", ".pulumi", "stacks");
    const [project = ""] = readdirSync(stacks);
    const text = readFileSync(join(stacks, project, `${STACK}.json`), "utf8");
    const { checkpoint } = JSON.parse(text) as {
      checkpoint: { latest?: { resources?: readonly StateResource[] } };
    };
    return checkpoint.latest?.resources ?? [];
  }

  /** The URN of the resource with a name. */
  urn(name: string): string {
    const found = this.resources().find(({ urn }) => urn.endsWith(`::${name}`));
    if (found) return found.urn;
    throw new Error(`The state has no resource ${name}.`);
  }

  /** What `pulumi preview --json` prints. */
  previewJson(...flags: string[]): Promise<string> {
    return this.#printed("preview", "--json", ...flags);
  }

  /**
   * Runs a shell command in the program's folder as a pipeline would: it stops
   * at the first failure, and `pulumi` is the engine.
   */
  async shell(
    command: string,
    variables: Record<string, string> = {},
  ): Promise<{ code: number; output: string }> {
    const shell = spawn("bash", ["-e", "-o", "pipefail", "-c", command], {
      cwd: this.folder,
      env: { ...this.env, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { code, said } = await outputOf(shell);
    return { code, output: said };
  }

  async #printed(...command: string[]): Promise<string> {
    // Options end at "--", so `--stack` has to stand before it.
    const end = command.includes("--") ? command.indexOf("--") : command.length;
    const args = command.toSpliced(end, 0, "--stack", STACK);
    const { stdout } = await run(this.pulumi, args, {
      cwd: this.folder,
      env: this.env,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  }

  /** Folder with the program, the state and the engine's home. */
  get workFolder(): string {
    return this.folder;
  }

  /** Removes the folder, and ends the processes that the engine has left running for it. */
  close(): void {
    for (const pid of processesOf(this.folder))
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // The process has just ended by itself.
      }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * The IDs of the processes that have a folder in their environment, on Linux. The
 * engine leaves the YAML language host behind when it adds a package; the host
 * looks every five minutes whether there still is an engine.
 */
function processesOf(folder: string): number[] {
  if (!existsSync("/proc/self/environ")) return [];
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      return pid !== process.pid && environment.includes(folder);
    } catch {
      return false;
    }
  });
}

/** The counts in the last event of an operation's log. */
function changesIn(log: string): Changes {
  if (!existsSync(log)) return {};
  const summaries = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.includes('"summaryEvent"'))
    .map((line) => JSON.parse(line) as EngineEvent);
  return summaries.at(-1)?.summaryEvent?.resourceChanges ?? {};
}

interface EngineEvent {
  readonly summaryEvent?: { readonly resourceChanges?: Changes };
}
