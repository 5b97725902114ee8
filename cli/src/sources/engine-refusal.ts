import { nameOfUrn } from "@devid/pulumi/state";

/** A plan that the engine refuses, because the program has changed since. */
const VIOLATION =
  /resource (urn:\S+) violates plan: properties changed: ([^]*)$/;

/** A property that changed: `~~rules[{map[...}!={map[...}]`, `++url[...]`, `--name[...]`. */
const CHANGED = /(?:^|, ?)(?:\+\+|--|~~|==|\+-|-\+)([\w.-]+)\[/g;

/**
 * Rewrites the engine's message about a plan that no longer fits the program. The
 * engine prints properties as long Go values. Any other message stays as it is.
 */
export function describeEngineRefusal(message: string): string {
  const [, urn = "", raw] = VIOLATION.exec(message) ?? [];
  if (raw === undefined) return message;
  const names = [
    ...new Set([...raw.matchAll(CHANGED)].map(([, name]) => name)),
  ];
  const what = names.length === 0 ? "its properties" : names.join(", ");
  const resource = nameOfUrn(urn);
  return `The plan was refused, because the program has changed since it was reviewed: ${what} of ${resource}. Have the change reviewed again.`;
}
