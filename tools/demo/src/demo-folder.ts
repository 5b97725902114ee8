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
  /** Root of the engine's home, state and passphrase. */
  engine: join(FOLDER, "engine"),
} as const;

/** A program that the demo brings up. */
export interface Demo {
  /** Folder of its Pulumi.yaml. */
  readonly folder: string;
  readonly stack: string;
  /** Configuration of its stack; Pulumi.yaml names the folder. */
  readonly stackConfig: string;
}

/** The programs by the names of their examples. */
export const DEMOS = {
  quickstart: demo(ROOT, "demo"),
  shop: demo(join(ROOT, "examples/shop"), "shop"),
} as const;

/** Name of such a program. */
export type DemoName = keyof typeof DEMOS;

function demo(folder: string, stack: string): Demo {
  const stackConfig = join(FOLDER, `Pulumi.${stack}.yaml`);
  return { folder, stack, stackConfig };
}

/** Makes the folder, for its owner only: keys and state are in it. */
export function makeDemoFolder(): void {
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
}
