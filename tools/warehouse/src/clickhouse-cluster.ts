import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { installClickHouse } from "./install-clickhouse.js";
import { freePort, ServerProcesses } from "./server-processes.js";

const POLL_MS = 100;
const ADMIN = "admin";
const ADMIN_PASSWORD = "admin-of-tests";

/** The name of the cluster, for the engine `Distributed`. */
const CLUSTER = "shards";

/** A user, and the settings that are limits for it. */
export interface ClickHouseUser {
  readonly password: string;
  readonly settings: Readonly<Record<string, string | number>>;
}

const nameOf = (shard: number) => `shard-${shard}`;

/** ClickHouse on loopback: two servers, each of them a shard of one cluster. */
export class ClickHouseCluster {
  private constructor(
    private readonly servers: ServerProcesses,
    /** The addresses of the HTTP interfaces, one for each shard. */
    readonly urls: readonly string[],
  ) {}

  /** @param users by their names */
  static async start(
    users: Readonly<Record<string, ClickHouseUser>>,
  ): Promise<ClickHouseCluster> {
    const { server, libraries } = await installClickHouse();
    const servers = new ServerProcesses("ClickHouse");
    try {
      const ports: { readonly http: number; readonly tcp: number }[] = [];
      for (let shard = 0; shard < 2; shard++)
        ports.push({ http: await freePort(), tcp: await freePort() });
      const shards = ports.map(({ tcp }) => tcp);
      for (const [shard, { http, tcp }] of ports.entries()) {
        const folder = servers.folderOf(nameOf(shard));
        const write = (file: string, content: Tree) => {
          const path = join(folder, file);
          writeFileSync(path, xml({ yandex: content }));
          return path;
        };
        write("users.xml", usersFile(users));
        const config = write("config.xml", {
          ...configuration(folder, shards),
          http_port: http,
          tcp_port: tcp,
        });
        servers.start(nameOf(shard), [server, `--config-file=${config}`], {
          ...process.env,
          LD_LIBRARY_PATH: libraries.join(":"),
        });
      }
      const urls = ports.map(({ http }) => `http://127.0.0.1:${http}`);
      const cluster = new ClickHouseCluster(servers, urls);
      await servers.ready(async () => {
        for (const shard of urls.keys()) await cluster.run("SELECT 1", shard);
        return true;
      }, POLL_MS);
      return cluster;
    } catch (error) {
      await servers.stop();
      throw error;
    }
  }

  /**
   * Runs a statement on a shard as an administrator, and returns the answer's text.
   * @throws Error with ClickHouse's own message
   */
  async run(sql: string, shard = 0): Promise<string> {
    const answer = await fetch(
      // Rows of a distributed table are there when INSERT ends.
      `${this.urls[shard]}/?insert_distributed_sync=1&max_query_size=1000000000`,
      {
        method: "POST",
        headers: {
          "X-ClickHouse-User": ADMIN,
          "X-ClickHouse-Key": ADMIN_PASSWORD,
        },
        body: sql,
      },
    );
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  }

  /** Makes a table on both shards, and a table over them on the first shard. */
  async makeTable(name: string, columns: string): Promise<void> {
    for (const shard of this.urls.keys())
      await this.run(
        `CREATE TABLE ${name}_local (${columns}) ENGINE = MergeTree() ORDER BY (timestamp, event_id)`,
        shard,
      );
    await this.#distribute(name, "cityHash64(event_id)");
  }

  /** Makes a view on both shards, and a table over both views on the first shard. */
  async makeView(name: string, select: string): Promise<void> {
    for (const shard of this.urls.keys())
      await this.run(`CREATE VIEW ${name}_local AS ${select}`, shard);
    await this.#distribute(name, "0");
  }

  async #distribute(name: string, key: string): Promise<void> {
    await this.run(
      `CREATE TABLE ${name} AS ${name}_local ENGINE = Distributed(${CLUSTER}, default, ${name}_local, ${key})`,
    );
  }

  /** Kills a shard. */
  end(shard: number): Promise<void> {
    return this.servers.end(nameOf(shard));
  }

  /** Ends both servers, and removes what they kept. */
  stop(): Promise<void> {
    return this.servers.stop();
  }
}

/** The elements of an XML file: a list is one element for each of its members. */
interface Tree {
  readonly [element: string]: string | number | Tree | readonly Tree[];
}

function xml(tree: Tree): string {
  return Object.entries(tree)
    .flatMap(([name, content]) =>
      (Array.isArray(content) ? (content as readonly Tree[]) : [content]).map(
        (one) =>
          `<${name}>${typeof one === "object" ? xml(one as Tree) : escaped(one)}</${name}>`,
      ),
    )
    .join("");
}

const escaped = (text: unknown) =>
  String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function configuration(folder: string, shards: readonly number[]): Tree {
  return {
    listen_host: "127.0.0.1",
    path: join(folder, "data/"),
    tmp_path: join(folder, "tmp/"),
    user_files_path: join(folder, "files/"),
    format_schema_path: join(folder, "schemas/"),
    users_config: "users.xml",
    default_profile: ADMIN,
    default_database: "default",
    timezone: "UTC",
    mark_cache_size: 100_000_000,
    logger: { level: "warning", console: 1 },
    remote_servers: {
      [CLUSTER]: {
        shard: shards.map((port) => ({
          replica: {
            ...{ host: "127.0.0.1", port },
            ...{ user: ADMIN, password: ADMIN_PASSWORD },
          },
        })),
      },
    },
  };
}

/** Each user has a profile of its own. */
function usersFile(users: Readonly<Record<string, ClickHouseUser>>): Tree {
  const all = Object.entries({
    [ADMIN]: { password: ADMIN_PASSWORD, settings: { max_threads: 2 } },
    ...users,
  });
  const each = (of: (user: ClickHouseUser, name: string) => Tree): Tree =>
    Object.fromEntries(all.map(([name, user]) => [name, of(user, name)]));
  return {
    profiles: each(({ settings }) => settings),
    users: each(({ password }, name) => ({
      ...{ password, profile: name, quota: "none" },
      networks: { ip: "127.0.0.1" },
    })),
    quotas: { none: {} },
  };
}
