import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

/** Where the demo keeps everything; `npm run` works from any folder of the repository. */
export const ROOT = resolve(__dirname, "../../..");

const FOLDER = join(ROOT, ".devid");

/** The demo's own files, none of which is committed. */
export const FILES = {
  /** The local service's database. */
  data: join(FOLDER, "service.db"),
  /** Where a service that runs says so. */
  ready: join(FOLDER, "service.json"),
  /** The port of the last run. */
  port: join(FOLDER, "port"),
  /** Configuration of the demo stack; Pulumi.yaml names its folder. */
  stackConfig: join(FOLDER, "Pulumi.demo.yaml"),
  /** Root of the engine's home, state and passphrase. */
  engine: join(FOLDER, "engine"),
} as const;

/** Makes the folder, for its owner only: keys and state are in it. */
export function makeDemoFolder(): void {
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
}
