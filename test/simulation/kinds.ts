import { KINDS } from "../provider/kind-rows";
import type { Kind } from "./program";

/**
 * The collection of each kind's objects in the management API: `api-keys` for API keys. Rules
 * have none here, because a rule belongs to a set of rules.
 */
export const COLLECTIONS: Readonly<Partial<Record<Kind, string>>> =
  Object.fromEntries(
    KINDS.filter((kind) => kind !== "FilteringRuleSet").map((kind) => [
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
