import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { installTrino, type TrinoFiles } from "./install-trino.js";
import { freePort, ServerProcesses } from "./server-processes.js";

const POLL_MS = 500;

/** Of memory, for each node. */
const MEGABYTES = 1_024;

/** The name of a node, by the order in which they start. */
const nameOfNode = (n: number) => (n === 0 ? "coordinator" : `worker-${n}`);

/** A row of an answer. */
export type TrinoRow = readonly unknown[];

/** A Trino on loopback: a coordinator that does no work, and workers that keep tables in memory. */
export class TrinoCluster {
  private constructor(
    /** The address of the coordinator. */
    readonly url: string,
    private readonly files: TrinoFiles,
    private readonly nodes: ServerProcesses,
  ) {}

  static async start(workers: number): Promise<TrinoCluster> {
    const files = await installTrino();
    const nodes = new ServerProcesses("Trino");
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const cluster = new TrinoCluster(url, files, nodes);
    try {
      for (let n = 0; n <= workers; n++)
        cluster.#start(n, n === 0 ? port : await freePort());
      await nodes.ready(() => cluster.#sees(workers + 1), POLL_MS);
      return cluster;
    } catch (error) {
      await nodes.stop();
      throw error;
    }
  }

  /** Runs a statement and returns its rows. @throws Error with Trino's own message */
  async run(sql: string): Promise<TrinoRow[]> {
    const headers = {
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
  stop(): Promise<void> {
    return this.nodes.stop();
  }

  #start(n: number, port: number): void {
    const { server, java } = this.files;
    const name = nameOfNode(n);
    const folder = this.nodes.folderOf(name);
    const catalogs = join(folder, "catalog");
    this.nodes.folderOf(join(name, "catalog"));
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
    const isCoordinator = n === 0;
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
      "memory.max-data-per-node": `${MEGABYTES / 2}MB`,
    });
    this.nodes.start(name, [
      java,
      ...[
        `-Xmx${MEGABYTES}m`,
        "-XX:+UseSerialGC",
        "-Djdk.attach.allowAttachSelf=true",
      ],
      ...[
        `-Dconfig=${config}`,
        "-cp",
        join(server, "lib", "*"),
        "io.trino.server.TrinoServer",
      ],
    ]);
  }

  /** Whether the coordinator sees all nodes. */
  async #sees(nodes: number): Promise<boolean> {
    const [[seen] = []] = await this.run(
      "SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'",
    );
    return seen === nodes;
  }
}
