import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { installTrino, type TrinoFiles } from "./install-trino.js";

/** A cluster starts in half a minute, on a busy machine in three minutes. */
const STARTING_MS = 600_000;
const POLL_MS = 500;

/** The name of a node, by the order in which they start. */
const nameOfNode = (n: number) => (n === 0 ? "coordinator" : `worker-${n}`);

/** A row of an answer. */
export type TrinoRow = readonly unknown[];

/** A Trino on loopback: a coordinator that does no work, and workers that keep tables in memory. */
export class TrinoCluster {
  readonly #nodes: ChildProcess[] = [];

  private constructor(
    /** The address of the coordinator. */
    readonly url: string,
    private readonly files: TrinoFiles,
    private readonly folder: string,
    private readonly megabytes: number,
    private readonly hasCores: boolean,
  ) {}

  /**
   * @param megabytes of memory for each node
   * @param hasCores whether each worker runs on a core of its own, for measurements
   */
  static async start({
    workers,
    megabytes = 1_024,
    hasCores = false,
  }: {
    readonly workers: number;
    readonly megabytes?: number;
    readonly hasCores?: boolean;
  }): Promise<TrinoCluster> {
    const files = await installTrino();
    const folder = mkdtempSync(join(tmpdir(), "devid-trino-"));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const cluster = new TrinoCluster(url, files, folder, megabytes, hasCores);
    process.once("exit", cluster.#kill);
    try {
      for (let n = 0; n <= workers; n++)
        cluster.#node(nameOfNode(n), n === 0 ? port : await freePort());
      await cluster.#started(workers + 1);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /**
   * Runs a statement and returns its rows.
   * @param settings properties of Trino's session
   * @throws Error with Trino's own message
   */
  async run(
    sql: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<TrinoRow[]> {
    const headers = {
      "X-Trino-Session": Object.entries(settings)
        .map(([name, value]) => `${name}=${value}`)
        .join(","),
      "X-Trino-User": "devid",
      "X-Trino-Catalog": "memory",
      "X-Trino-Schema": "default",
    };
    const rows: TrinoRow[] = [];
    let answer = await fetch(`${this.url}/v1/statement`, {
      method: "POST",
      headers,
      body: sql,
    });
    for (;;) {
      const results = (await answer.json()) as {
        data?: TrinoRow[];
        nextUri?: string;
        error?: { message: string };
      };
      if (results.error) throw new Error(results.error.message);
      rows.push(...(results.data ?? []));
      if (results.nextUri === undefined) return rows;
      answer = await fetch(results.nextUri, { headers });
    }
  }

  /** Ends all nodes, and removes what they kept. */
  async stop(): Promise<void> {
    process.off("exit", this.#kill);
    const ended = this.#nodes
      .filter(
        ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
      )
      .map((node) => once(node, "exit"));
    this.#kill();
    await Promise.all(ended);
    rmSync(this.folder, { recursive: true, force: true });
  }

  readonly #kill = (): void => {
    for (const node of this.#nodes) node.kill("SIGKILL");
  };

  #node(name: string, port: number): void {
    const { server, java } = this.files;
    const folder = join(this.folder, name);
    const catalogs = join(folder, "catalog");
    mkdirSync(catalogs, { recursive: true });
    const write = (
      file: string,
      properties: Readonly<Record<string, unknown>>,
    ) => {
      const path = join(folder, file);
      const lines = Object.entries(properties).map(
        ([key, value]) => `${key}=${String(value)}\n`,
      );
      writeFileSync(path, lines.join(""));
      return path;
    };
    const isCoordinator = name === nameOfNode(0);
    const config = write("config.properties", {
      coordinator: isCoordinator,
      ...(isCoordinator && { "node-scheduler.include-coordinator": false }),
      "http-server.http.port": port,
      "discovery.uri": this.url,
      "catalog.config-dir": catalogs,
      "node.environment": "test",
      "node.id": name,
      "node.bind-ip": "127.0.0.1",
      "node.internal-address": "127.0.0.1",
      "plugin.dir": join(server, "plugin"),
    });
    write("catalog/memory.properties", {
      "connector.name": "memory",
      "memory.max-data-per-node": `${Math.floor(this.megabytes / 2)}MB`,
    });
    const log = openSync(this.#log(name), "w");
    const pin =
      this.hasCores && !isCoordinator
        ? ["taskset", "-c", String(this.#nodes.length - 1)]
        : [];
    const [command = java, ...args] = [...pin, java];
    this.#nodes.push(
      spawn(
        command,
        [
          ...args,
          ...[
            `-Xmx${this.megabytes}m`,
            "-XX:+UseSerialGC",
            "-Djdk.attach.allowAttachSelf=true",
          ],
          ...[
            `-Dconfig=${config}`,
            "-cp",
            join(server, "lib", "*"),
            "io.trino.server.TrinoServer",
          ],
        ],
        { cwd: folder, stdio: ["ignore", log, log] },
      ),
    );
    closeSync(log);
  }

  #log(name: string): string {
    return join(this.folder, `${name}.log`);
  }

  /** Waits until the coordinator sees all nodes. */
  async #started(nodes: number): Promise<void> {
    const until = Date.now() + STARTING_MS;
    for (;;) {
      if (await this.#sees(nodes)) return;
      const gone = this.#nodes.findIndex(({ exitCode }) => exitCode !== null);
      if (gone >= 0 || Date.now() > until) {
        const log = readFileSync(
          this.#log(nameOfNode(Math.max(gone, 0))),
          "utf8",
        );
        throw new Error(`Trino did not start: ${log.slice(-2_000)}`);
      }
      await delay(POLL_MS);
    }
  }

  async #sees(nodes: number): Promise<boolean> {
    try {
      const [[seen] = []] = await this.run(
        "SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'",
      );
      return seen === nodes;
    } catch {
      return false;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
