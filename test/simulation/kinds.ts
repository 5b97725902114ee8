import { camelKeys } from "@devid/sdk/wire";
import type { ResourceDefinition } from "../../provider/src/definition/define-resource";
import * as registry from "../../provider/src/registry";
import {
  FULL_INPUTS,
  KINDS,
  LIFE,
  SECRET_OUTPUTS,
} from "../provider/kind-rows";
import type { Kind as ResourceKind } from "../helpers/provider-host";
import type { Properties } from "./engine/property-value";
import type { Declaration, Kind } from "./program";
import type { ServiceRecord } from "./service";

/**
 * The collection of each kind's objects in the management API: `api-keys` for API keys. A
 * rule set is a list of rules, and a part of another object has no object of its own.
 */
export const COLLECTIONS: Readonly<Partial<Record<Kind, string>>> =
  Object.fromEntries(
    KINDS.filter((kind) => {
      const definition: ResourceDefinition = registry[kind];
      return !definition.clone?.ruleFile && !definition.isPartOf;
    }).map((kind) => [
      kind,
      `${kind.replace(/\B[A-Z]/g, "-$&").toLowerCase()}s`,
    ]),
  );

const kinds = new Map(
  Object.entries(COLLECTIONS).map(([kind, collection]) => [
    collection,
    kind as Kind,
  ]),
);

/** The kind of the objects of a collection. */
export const kindOfCollection = (collection: string): Kind | undefined =>
  kinds.get(collection);

/** Arguments of resources of a kind: those of `life` in `kind-rows.ts`. */
export function argsOf(kind: ResourceKind): Properties[] {
  return LIFE[kind]({
    url: "https://shop.example/c",
    webhook: "replaced",
  });
}

/**
 * The options of a declaration without the paths of ignoreChanges and replaceOnChanges
 * that name no input of the kind: the provider refuses such a path.
 */
export function withKnownPaths<
  O extends Pick<Partial<Declaration>, "ignoreChanges" | "replaceOnChanges">,
>(kind: Kind, options: O): O {
  const inputs: Properties | undefined = { ...FULL_INPUTS }[
    kind as ResourceKind
  ];
  const known = (paths: readonly string[]) =>
    paths.filter((path) => path === "*" || !inputs || path in inputs);
  const { ignoreChanges, replaceOnChanges } = options;
  return {
    ...options,
    ...(ignoreChanges && { ignoreChanges: known(ignoreChanges) }),
    ...(replaceOnChanges && { replaceOnChanges: known(replaceOnChanges) }),
  };
}

/** Arguments of a verification, of the webhook of the program with a name. */
export const ofWebhook = (args: Properties, name: string): Properties => ({
  ...args,
  webhookId: { ref: name },
  url: { ref: name, field: "url" },
});

/**
 * Labels of the addresses that answer test events. No other address of the stories
 * answers.
 */
export const RECEIVERS = ["receiver", "second receiver"] as const;

/** Arguments in an environment, if the kind has one. */
export const inEnvironment = (
  kind: ResourceKind,
  args: Properties,
  environment: unknown,
): Properties =>
  "environment" in FULL_INPUTS[kind] ? { ...args, environment } : args;

/**
 * The secrets in a record of the service, each with the name of its output. They are those
 * that `kind-rows.ts` names, because a definition without a mark must not blind the oracle.
 */
export function secretsOfRecord(
  kind: Kind,
  record: ServiceRecord,
): [output: string, secret: string][] {
  const fields: Properties = camelKeys(record);
  return SECRET_OUTPUTS[kind as ResourceKind].flatMap((output) => {
    const secret = fields[output];
    return typeof secret === "string" ? [[output, secret]] : [];
  });
}
