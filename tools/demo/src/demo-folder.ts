import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * Root of the repository, which holds the demo's folder. It does not depend on
 * the current folder, because `npm run` works from any folder.
 */
export const ROOT = resolve(__dirname, "../../..");

const FOLDER = join(ROOT, ".devid");

/** The files of the demo; none of them is committed. */
export const FILES = {
  /** The local service's database. */
  data: join(FOLDER, "service.db"),
  /** The address and the keys of the running service. */
  ready: join(FOLDER, "service.json"),
  /** The port that the service used last. */
  port: join(FOLDER, "port"),
  /** Root folder of the engine's home, the state and the passphrase. */
  engine: join(FOLDER, "engine"),
} as const;

/** A program that the demo deploys. */
export interface Demo {
  /** Folder of the program's Pulumi.yaml. */
  readonly folder: string;
  readonly stack: string;
  /** File with the configuration of the stack. */
  readonly stackConfig: string;
}

/** The programs, by the names of their examples. */
export const DEMOS = {
  quickstart: demo(ROOT, "demo"),
  shop: demo(join(ROOT, "examples/shop"), "shop"),
} as const;

/** Name of a demo program. */
export type DemoName = keyof typeof DEMOS;

function demo(folder: string, stack: string): Demo {
  const stackConfig = join(FOLDER, `Pulumi.${stack}.yaml`);
  return { folder, stack, stackConfig };
}

/**
 * Creates the folder. Only its owner may read it, because it holds keys and
 * state.
 */
export function makeDemoFolder(): void {
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
}
