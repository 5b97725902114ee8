import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** How long servers may take to start, on a busy machine. */
const STARTING_MS = 600_000;

/** Servers of one cluster. They end with this process at the latest. */
export class ServerProcesses {
  /** A folder that is removed when the servers end. */
  readonly folder: string;
  readonly #servers = new Map<string, ChildProcess>();

  /** @param title names the cluster in messages: `Trino` */
  constructor(private readonly title: string) {
    const prefix = `devid-${title.toLowerCase()}-`;
    this.folder = mkdtempSync(join(tmpdir(), prefix));
    process.once("exit", this.#kill);
  }

  /** Makes the folder of a server. */
  folderOf(name: string): string {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Starts a server in its folder. */
  start(
    name: string,
    [command, ...args]: readonly [string, ...string[]],
    env: NodeJS.ProcessEnv = process.env,
  ): void {
    const cwd = this.folderOf(name);
    const log = openSync(this.#log(name), "w");
    this.#servers.set(
      name,
      spawn(command, args, { cwd, env, stdio: ["ignore", log, log] }),
    );
    closeSync(log);
  }

  /** Waits until the servers answer. @throws Error with the end of a server's output */
  async ready(isReady: () => Promise<boolean>, pollMs: number): Promise<void> {
    const until = Date.now() + STARTING_MS;
    for (;;) {
      if (await isReady().catch(() => false)) return;
      const names = [...this.#servers.keys()];
      const gone = names.find((name) => !this.#isRunning(name));
      if (gone !== undefined || Date.now() > until) {
        const log = readFileSync(this.#log(gone ?? names[0] ?? ""), "utf8");
        throw new Error(`${this.title} did not start: ${log.slice(-2_000)}`);
      }
      await delay(pollMs);
    }
  }

  /** Kills a server. */
  async end(name: string): Promise<void> {
    const server = this.#servers.get(name);
    if (!server || !this.#isRunning(name)) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  }

  /** Kills all servers, and removes what they kept. */
  async stop(): Promise<void> {
    process.off("exit", this.#kill);
    await Promise.all([...this.#servers.keys()].map((name) => this.end(name)));
    rmSync(this.folder, { recursive: true, force: true });
  }

  readonly #kill = (): void => {
    for (const server of this.#servers.values()) server.kill("SIGKILL");
  };

  #isRunning(name: string): boolean {
    const server = this.#servers.get(name);
    return server?.exitCode === null && server.signalCode === null;
  }

  #log(name: string): string {
    return join(this.folder, `${name}.log`);
  }
}

/** A port of loopback that nothing listens to. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
