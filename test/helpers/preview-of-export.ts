import { UNKNOWN_TEXT } from "../../provider/src/definition/engine-names";

/** A resource of a state, as far as the tests use it. */
export interface StateEntry {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly provider?: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  readonly propertyDependencies?: Record<string, string[]>;
}

/** The resources of a state in the form of `pulumi stack export`. */
export const entriesOf = (state: unknown): readonly StateEntry[] =>
  (state as { deployment: { resources: StateEntry[] } }).deployment.resources;

/** Whether a resource is a provider. */
export const isProvider = ({ type }: StateEntry): boolean =>
  type.startsWith("pulumi:providers:");

/**
 * The output of `pulumi preview --json` for an exported program on an empty stack,
 * derived from the state that the export writes.
 */
export function previewOfExport(entries: readonly StateEntry[]): string {
  const steps = entries
    // The engine does not show the providers that it makes itself.
    .filter((entry) => !isProvider(entry))
    .map(({ id: _, outputs: __, provider, inputs, ...rest }) => {
      const unknown = Object.keys(rest.propertyDependencies ?? {});
      const shown = Object.entries(inputs ?? {}).map(([name, value]) => [
        name,
        unknown.includes(name) ? UNKNOWN_TEXT : value,
      ]);
      const newState = {
        ...rest,
        inputs: Object.fromEntries(shown) as object,
        ...(provider && {
          provider: provider.replace(/[^:]+$/, UNKNOWN_TEXT),
        }),
      };
      return { op: "create", urn: rest.urn, newState };
    });
  return JSON.stringify({ steps });
}
