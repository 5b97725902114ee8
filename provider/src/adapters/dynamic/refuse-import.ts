import { runError } from "./run-error";

/** What a program writes in place of `import`, for kinds that have no `adopt`. */
const OTHERWISE: Readonly<Record<string, string>> = {
  EncryptionKey: "leave it out, for an EncryptionKey takes over what exists",
  FilteringRuleSet:
    "set takeOver: true in its arguments to put its rules in place of those that exist",
};

/**
 * Refuses the option `import`, with which Pulumi ends in a stack trace of its
 * own: it asks a dynamic resource's provider before it has the provider's text.
 * @throws RunError that says what to write instead
 */
export function refuseImport(
  kind: string,
  name: string,
  { id, adopts }: { readonly id: unknown; readonly adopts: boolean },
): never {
  const shown = JSON.stringify(typeof id === "string" ? id : "...");
  const instead = adopts
    ? `write adopt: { id: ${shown} } in its arguments to take over what exists`
    : (OTHERWISE[kind] ?? "leave it out");
  throw runError(
    `The ${kind} "${name}" has the option import, which Pulumi cannot do for a dynamic resource; ${instead}.`,
  );
}
