import { kindOfType, nameOfUrn, typeOfUrn } from "@devid/pulumi/state";

/** A plan that the engine refuses, because the program or the state has changed since. */
const VIOLATION =
  /resource (urn:\S+) violates plan: properties changed: ([^]*)$/;

/** A property that changed: `~~rules[{map[...}!={map[...}]`, `++url[...]`, `--name[...]`. */
const CHANGED = /(?:^|, ?)(?:\+\+|--|~~|==|\+-|-\+)([\w.-]+)\[/g;

/**
 * Rewrites the engine's message about a plan that no longer fits the program. The
 * engine prints properties as long Go values. Any other message stays as it is.
 * @param rulesChanged what somebody has changed of the rules in force since the review
 */
export function describeEngineRefusal(
  message: string,
  rulesChanged: readonly string[] = [],
): string {
  const [, urn = "", raw] = VIOLATION.exec(message) ?? [];
  if (raw === undefined) return message;
  const names = [
    ...new Set([...raw.matchAll(CHANGED)].map(([, name]) => name)),
  ];
  const what = names.length === 0 ? "its properties" : names.join(", ");
  const resource = nameOfUrn(urn);
  const isRuleSet = kindOfType(typeOfUrn(urn)) === "FilteringRuleSet";
  if (isRuleSet && rulesChanged.length > 0)
    return [
      `The plan was refused, because somebody has changed the rules in force of the rule set ${resource} since it was reviewed:`,
      ...rulesChanged.map((rule) => `  ${rule}`),
    ].join("\n");
  return `The plan was refused, because the program or the state of its stack has changed since it was reviewed: ${what} of ${resource}.`;
}
