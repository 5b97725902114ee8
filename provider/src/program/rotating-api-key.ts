import * as pulumi from "@pulumi/pulumi";
import { pluginType } from "../definition/engine-names";
import type { ApiKeyArgs, ApiKeyOutputs } from "./resources";
import { requirePlain, runError } from "./program-errors";
import { requireOutputs } from "./require-outputs";
import type { ResourceClass } from "./resource-class";

const KIND = "RotatingApiKey";

/** Arguments of `RotatingApiKey`. */
export interface RotatingApiKeyArgs extends Omit<
  ApiKeyArgs,
  "rotation" | "adopt"
> {
  /** Start of each key's name; the generation follows it. */
  readonly name: pulumi.Input<string>;
  /** Any texts, for example months, the oldest first; each has one key. Adding a text at the end creates a new key, and `token` then is the token of that key. Removing a text deletes its key. */
  readonly generations: readonly string[];
}

/** Outputs of `RotatingApiKey`. */
export interface RotatingApiKeyOutputs<Key> {
  /** The keys by generation. */
  readonly keys: Readonly<Record<string, Key>>;
  /** ID of the key of the last generation. */
  readonly keyId: pulumi.Output<string>;
  /** Token of the key of the last generation. */
  readonly token: pulumi.Output<string>;
}

/** The class `RotatingApiKey` with its keys. */
export type RotatingApiKeyClass<Component> = Pick<
  typeof pulumi.ComponentResource,
  "isInstance"
> &
  (new (
    name: string,
    args: RotatingApiKeyArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) => Component);

/**
 * The advice of messages if the token of a generation is unknown, for example after a
 * killed update: see `requireOutputs`. A RotatingApiKey has no `rotation`, but a new
 * generation makes a new key.
 */
const LOST_GENERATION =
  "the service shows a token only when it creates the key. Either that answer did not arrive, or this stack did not create the key. If nobody uses the key, replace this generation by another text: the next update creates a new key and deletes this one. If it is the only generation, or the key is in use, add a generation after it instead.";

/** The component over the class `ApiKey` of either form. Its constructor throws a RunError for generations that no keys can have. */
export function rotatingApiKey<Key extends pulumi.CustomResource>(
  ApiKey: ResourceClass<Key & ApiKeyOutputs, ApiKeyArgs>,
): RotatingApiKeyClass<pulumi.ComponentResource & RotatingApiKeyOutputs<Key>> {
  class RotatingApiKey extends pulumi.ComponentResource {
    readonly keys: Readonly<Record<string, Key & ApiKeyOutputs>>;
    readonly keyId: pulumi.Output<string>;
    readonly token: pulumi.Output<string>;

    constructor(
      name: string,
      args: RotatingApiKeyArgs,
      opts?: pulumi.ComponentResourceOptions,
    ) {
      const { generations, name: start, ...ofEachKey } = args;
      requirePlain(`generations of the ${KIND} "${name}"`, generations);
      const objection = objectionToGenerations(generations);
      if (objection !== undefined)
        throw runError(`The ${KIND} "${name}" ${objection}.`);
      super(pluginType(KIND), name, {}, opts);
      const keys = generations.map((generation) => {
        const called = keyOfGeneration(name, generation);
        const key = new ApiKey(
          called,
          { ...ofEachKey, name: pulumi.interpolate`${start} ${generation}` },
          { parent: this },
        );
        if (args.type !== "public")
          requireOutputs(key, `ApiKey "${called}"`, { token: LOST_GENERATION });
        return [generation, key] as const;
      });
      this.keys = Object.fromEntries(keys);
      const last = this.keys[generations.at(-1) ?? ""] as Key & ApiKeyOutputs;
      this.keyId = last.id;
      this.token = last.token;
      // Without the token, which would be stored in state twice.
      this.registerOutputs({ keyId: this.keyId });
    }
  }
  return RotatingApiKey;
}

/**
 * Why the generations of a RotatingApiKey are refused: the end of a sentence that
 * begins with the component. Undefined if they are valid.
 */
function objectionToGenerations(
  generations: readonly string[],
): string | undefined {
  if (generations.length === 0)
    return "has no generation; to delete its last key, remove the whole component from the program";
  const twice = generations.find(
    (generation, index) => generations.indexOf(generation) !== index,
  );
  if (twice !== undefined)
    return `has the generation "${twice}" twice; each generation is one key`;
  return generations.includes("")
    ? "has a generation without a name"
    : undefined;
}

/** Name of a generation's key in the program, and so in its URN; the same in every language. */
export const keyOfGeneration = (component: string, generation: string) =>
  `${component}-${generation}`;
