import * as pulumi from "@pulumi/pulumi";
import {
  ApiKey,
  type ApiKeyArgs,
} from "../adapters/dynamic/program/classes/api-key";
import { runError } from "../adapters/dynamic/program/program-errors";

/** Arguments of `RotatingApiKey`: those of each key, and its generations. */
export interface RotatingApiKeyArgs extends Omit<
  ApiKeyArgs,
  "name" | "rotation" | "adopt"
> {
  /** Start of each key's name; the generation follows it. */
  readonly name: pulumi.Input<string>;
  /**
   * One key for each, oldest first: any texts, months for example. A new one at
   * the end makes a key and moves `token` to it; one that is taken out deletes
   * its key.
   */
  readonly generations: readonly string[];
}

/**
 * API keys of which one takes over from the other without a moment in which
 * none is good. A rotation is three deployments: add a generation, let
 * everything that uses the token get the new one, take the old generation out.
 *
 * @example
 * const server = new devid.RotatingApiKey("server", {
 *   name: "Server",
 *   type: "secret",
 *   generations: ["2026-10", "2026-11"],
 * });
 * export const token = server.token; // that of 2026-11; 2026-10 is good, too
 */
export class RotatingApiKey extends pulumi.ComponentResource {
  /** Each generation's key, by its generation. */
  readonly keys: Readonly<Record<string, ApiKey>>;
  /** ID of the last generation's key. */
  readonly keyId: pulumi.Output<string>;
  /** The last generation's key itself. Secret; reading it fails where it is not known, as with an `ApiKey`. */
  readonly token: pulumi.Output<string>;

  /** @throws RunError when there is no generation, or one twice */
  constructor(
    name: string,
    { name: keyName, generations, ...args }: RotatingApiKeyArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    const last = lastOf(name, generations);
    super("devid:index:RotatingApiKey", name, {}, opts);
    const keyOf = (generation: string) =>
      new ApiKey(
        `${name}-${generation}`,
        { ...args, name: pulumi.interpolate`${keyName} ${generation}` },
        { parent: this },
      );
    const current = keyOf(last);
    this.keys = Object.fromEntries(
      generations.map((generation) => [
        generation,
        generation === last ? current : keyOf(generation),
      ]),
    );
    this.keyId = current.id;
    this.token = current.token;
    // Not the token: it would be read, and be in state twice.
    this.registerOutputs({ keyId: this.keyId });
  }
}

function lastOf(name: string, generations: readonly string[]): string {
  const last = generations.at(-1);
  if (last === undefined)
    throw runError(
      `The RotatingApiKey "${name}" has no generation; its last key is deleted by taking the whole of it out of the program.`,
    );
  const twice = generations.find(
    (generation, index) => generations.indexOf(generation) !== index,
  );
  if (twice !== undefined)
    throw runError(
      `The RotatingApiKey "${name}" has the generation "${twice}" twice; each is one key.`,
    );
  if (generations.includes(""))
    throw runError(
      `The RotatingApiKey "${name}" has a generation without a name.`,
    );
  return last;
}
