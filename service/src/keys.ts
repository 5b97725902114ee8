import { readFileSync } from "node:fs";
import { fileProblem } from "@devid/sdk/errors";
import type { Region } from "@devid/sdk";
import { z } from "zod";
import { refuseOtherThanFile, StartError } from "./service-errors";

/**
 * Builds a value for each region, which is also a value for each of the three
 * workspaces.
 */
export function perRegion<T>(build: (region: Region) => T): Record<Region, T> {
  return { us: build("us"), eu: build("eu"), ap: build("ap") };
}

/** The form of development keys. Everybody knows them, so they are good on loopback only. */
const DEVELOPMENT_KEY = /^local-|^local(?:management|secret|public)/;

const Key = z
  .string()
  .min(16)
  .regex(/^[\x21-\x7e]+$/, "must be visible ASCII without spaces")
  .refine(
    (key) => !DEVELOPMENT_KEY.test(key),
    "is a development key that everybody knows",
  );

const WorkspaceKeysFile = z.strictObject({
  managementKey: Key,
  secretKey: Key,
  publicKey: Key,
  environment: z.string().min(1).optional(),
});

const KeysFile = z.strictObject({
  workspaces: z.strictObject(perRegion(() => WorkspaceKeysFile)),
  controlKey: Key,
});

/**
 * The keys of one workspace. `environment` sets the ID of its default
 * environment.
 */
export type WorkspaceKeys = z.output<typeof WorkspaceKeysFile>;

/**
 * The content of a keys file: keys in place of the development keys, and the
 * key of the control calls.
 */
export type KeysFile = z.output<typeof KeysFile>;

/** The keys in force. Without `controlKey` control calls need no key. */
export interface ServiceKeys {
  readonly workspaces: Readonly<Record<Region, WorkspaceKeys>>;
  readonly controlKey?: string;
}

const fixedKeys = (dash: "-" | ""): ServiceKeys => ({
  workspaces: perRegion((region) => ({
    managementKey: ["local", "management", region].join(dash),
    secretKey: ["local", "secret", region].join(dash),
    publicKey: ["local", "public", region].join(dash),
  })),
});

/**
 * The fixed keys of a service that only this machine can reach:
 * `local-management-us` and so on.
 */
export const DEVELOPMENT_KEYS = fixedKeys("-");

/**
 * The same without dashes, for `surfaces: "separate"`: the vendor's command line joins
 * keys with dashes.
 */
export const KEYS_WITHOUT_DASHES = fixedKeys("");

/**
 * Reads keys from a file, or checks an object of the same form. Throws
 * StartError, which names every wrong place and repeats no key.
 */
export function readKeys(source: string | KeysFile): ServiceKeys {
  const title = typeof source === "string" ? `Keys file ${source}` : "keys";
  const value = typeof source === "string" ? parseFile(source) : source;
  const result = KeysFile.safeParse(value);
  if (!result.success) {
    const places = result.error.issues.map(
      ({ path, message }) => `\n  ${path.join(".") || "(root)"}: ${message}`,
    );
    throw new StartError(`${title} cannot be used:${places.join("")}`);
  }
  const all = Object.values(result.data.workspaces).flatMap(
    ({ environment: _, ...keys }) => Object.values(keys),
  );
  if (new Set([...all, result.data.controlKey]).size <= all.length)
    throw new StartError(
      `${title} cannot be used: two of the keys are the same, but a key must identify one caller.`,
    );
  return result.data;
}

function parseFile(path: string): unknown {
  refuseOtherThanFile("Keys file", path);
  try {
    return JSON.parse(new TextDecoder().decode(readFileSync(path)));
  } catch (error) {
    if (error instanceof SyntaxError)
      // The parser's message quotes the text, which may hold a key.
      throw new StartError(
        `Keys file ${path} is not JSON${placeOf(error.message)}.`,
      );
    throw new StartError(
      `Keys file ${path} cannot be read: ${fileProblem(error, "read")}.`,
    );
  }
}

function placeOf(message: string): string {
  const [, position] = /position (\d+)/.exec(message) ?? [];
  return position === undefined ? "" : ` (character ${Number(position) + 1})`;
}
