import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { installed } from "./installed.js";

/** A server of ClickHouse, and the folders of its libraries. */
export interface ClickHouseFiles {
  readonly server: string;
  readonly libraries: readonly string[];
}

/** Downloads the packages that an installation of the server would install. */
const DOWNLOAD = `apt-get download $(
  apt-get --simulate -o Debug::NoLocking=1 --no-install-recommends install clickhouse-server |
  sed -nE 's/^Inst ([^ ]+) (\\[[^]]*\\] )?\\(([^ ]+).*/\\1=\\3/p')`;

/**
 * Unpacks the ClickHouse server of Debian, 18.16, with the libraries that this machine
 * lacks, if it is missing: 100 MB. Nothing is installed into the system.
 */
export async function installClickHouse(): Promise<ClickHouseFiles> {
  const folder = await installed({
    name: "clickhouse-18.16",
    usually: "ten seconds",
    async fill(place, run) {
      await run(place, "sh", "-c", DOWNLOAD);
      for (const file of await readdir(place)) {
        await run(place, "dpkg-deb", "--extract", file, place);
        await rm(join(place, file));
      }
    },
  });
  const libraries: string[] = [];
  for (const place of ["lib", "usr/lib"])
    for (const name of await readdir(join(folder, place)))
      if (name.endsWith("-linux-gnu"))
        libraries.push(join(folder, place, name));
  return {
    server: join(folder, "usr", "sbin", "clickhouse-server"),
    libraries,
  };
}
