import * as pulumi from "@pulumi/pulumi";
import { ApiKey, type ApiKeyArgs } from "../program/dynamic/classes";
import { runError } from "../program/program-errors";
import { requireOutputs } from "../program/require-outputs";
import { stackState, useBuiltinProvider } from "../program/stack-state";
import {
  keyOfGeneration,
  LOST_GENERATION,
  objectionToGap,
  objectionToGenerations,
} from "./definitions/generations";

/** Arguments of `RotatingApiKey`: those of each key, and the generations. */
export interface RotatingApiKeyArgs extends Omit<
  ApiKeyArgs,
  "name" | "rotation" | "adopt"
> {
  /** Start of each key's name; the generation follows it. */
  readonly name: pulumi.Input<string>;
  /**
   * Any texts, for example months, the oldest first; each has one key. Adding a text
   * at the end creates a new key, and `token` then is the token of that key. Removing a
   * text deletes its key.
   */
  readonly generations: readonly string[];
}

/**
 * API keys that replace each other while at least one of them is always accepted. A
 * rotation takes three steps: add a generation, wait until everything uses the new
 * token, remove the old generation.
 *
 * @example
 * const server = new devid.RotatingApiKey("server", {
 *   name: "Server",
 *   type: "secret",
 *   generations: ["2026-10", "2026-11"],
 * });
 * export const token = server.token; // of 2026-11; the key of 2026-10 is still accepted
 */
export class RotatingApiKey extends pulumi.ComponentResource {
  /** The keys by generation. */
  readonly keys: Readonly<Record<string, ApiKey>>;
  /** ID of the key of the last generation. */
  readonly keyId: pulumi.Output<string>;
  /** Token of the key of the last generation. Secret. As with an `ApiKey`, reading it fails where it is not known. */
  readonly token: pulumi.Output<string>;

  /** @throws RunError when there is no generation, or one twice */
  constructor(
    name: string,
    { name: keyName, generations, ...args }: RotatingApiKeyArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    const last = lastOf(name, generations);
    super("devid:index:RotatingApiKey", name, {}, opts);
    const keyOf = (generation: string) => {
      const own = keyOfGeneration(name, generation);
      const key = this.makeKey(
        own,
        { ...args, name: pulumi.interpolate`${keyName} ${generation}` },
        { parent: this },
      );
      // An ApiKey's own advice is a new `rotation`, an input that this component does
      // not have.
      if (args.type !== "public")
        requireOutputs(key, `ApiKey "${own}"`, { token: LOST_GENERATION });
      return key;
    };
    const current = keyOf(last);
    this.keys = Object.fromEntries(
      generations.map((generation) => [
        generation,
        generation === last ? current : keyOf(generation),
      ]),
    );
    this.keyId = current.id;
    this.token = current.token;
    // Without the token, which would be stored in state twice.
    this.registerOutputs({ keyId: this.keyId });
    this.#warnOfGap(generations).catch(() => undefined);
  }

  /** In a preview, warns where no key stays. A failed warning must not fail the program. */
  async #warnOfGap(generations: readonly string[]): Promise<void> {
    if (!pulumi.runtime.isDryRun()) return useBuiltinProvider();
    const state = await stackState();
    const urn = await knownUrn(this.urn);
    const objection = objectionToGap(urn, generations, state?.urns ?? []);
    if (objection !== undefined) await pulumi.log.warn(objection, this);
  }

  /** Declares a key. The component over the provider plugin declares one of the plugin's. */
  protected makeKey(
    name: string,
    args: ApiKeyArgs,
    opts: pulumi.CustomResourceOptions,
  ): ApiKey {
    return new ApiKey(name, args, opts);
  }
}

const knownUrn = (urn: pulumi.Output<string>) =>
  new Promise<string>((resolve) => urn.apply(resolve));

function lastOf(name: string, generations: readonly string[]): string {
  const objection = objectionToGenerations(generations);
  if (objection !== undefined)
    throw runError(`The RotatingApiKey "${name}" ${objection}.`);
  return generations.at(-1) ?? "";
}
