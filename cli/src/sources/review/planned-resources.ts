import {
  changedFields,
  medium,
  registry,
  type Effect,
  type Effects,
  type ResourceDefinition,
} from "@devid/pulumi/definitions";
import {
  ARGUMENT_PREFIX,
  isDefaultProvider,
  secretSettings,
  SECRET_TEXT,
  STACK_TYPE,
  UNKNOWN_TEXT,
  type Preview,
  type PreviewedResource,
} from "@devid/pulumi/state";
import type { PlannedResource } from "@devid/review";
import { isRuleSet } from "../previewed-rules";
import { changedOptions, effectsOfOptions, type ChangedGuard } from "./guards";

/** The definition of each kind of resource, by the name of the kind. */
export const KINDS: Readonly<Record<string, ResourceDefinition>> = registry;

/**
 * What a deployment does with the resources other than rule sets: those that it
 * touches, and those whose options change.
 */
export function plannedResources({
  resources,
}: Preview): readonly PlannedResource[] {
  return resources
    .filter((one) => !isRuleSet(one) && one.type !== STACK_TYPE)
    .filter(({ type, name }) => !isProvider(type) || !isDefaultProvider(name))
    .flatMap((planned): PlannedResource[] => {
      const shown = withKept(planned);
      const options = changedOptions(shown);
      const { operation, type, kind, name } = shown;
      if (operation === "same" && options.length === 0) return [];
      const properties = [...changedInputs(shown), ...options];
      const effects = effectsOn(shown, options);
      return [
        {
          ...{ operation, type: kind ?? type, name },
          ...(properties.length > 0 && { properties }),
          ...(effects.length > 0 && { effects }),
        },
      ];
    });
}

/**
 * An update with the inputs that the program leaves out and the provider then keeps, such
 * as the status of an encryption key: the provider's diff has no change of them.
 */
function withKept(shown: PreviewedResource): PreviewedResource {
  const { operation, kind = "", before, after } = shown;
  const inputs = KINDS[kind]?.inputs;
  if (operation !== "update" || !inputs || !before || !after) return shown;
  const was = before.inputs;
  const changed = new Set(
    changedFields(inputs, was, after.inputs, "program").map(({ name }) => name),
  );
  const kept = Object.keys(inputs.shape).filter(
    (name) => name in was && !(name in after.inputs) && !changed.has(name),
  );
  const own = Object.fromEntries(kept.map((name) => [name, was[name]]));
  return { ...shown, after: { ...after, inputs: { ...after.inputs, ...own } } };
}

const isProvider = (type: string) => type.startsWith("pulumi:providers:");

type Property = NonNullable<PlannedResource["properties"]>[number];

/** The inputs that differ; for a new or a deleted resource those that are set. */
function changedInputs(shown: PreviewedResource): Property[] {
  const { operation, before, after } = shown;
  const was = operation === "create" ? {} : (before?.inputs ?? {});
  const is = operation === "delete" ? {} : (after?.inputs ?? {});
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names]
    .filter((name) => !name.startsWith("__"))
    .flatMap((name) => {
      const before = shownValue(name, was[name]);
      const after = shownValue(name, is[name]);
      if (before === after) return [];
      return [
        {
          name: name.replace(ARGUMENT_PREFIX, ""),
          ...(before !== undefined && { before }),
          ...(after !== undefined && { after }),
        },
      ];
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** A value as JSON, without secrets. */
function shownValue(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const isSecret = SECRETS.has(name.replace(ARGUMENT_PREFIX, ""));
  if (isSecret) return JSON.stringify(SECRET_TEXT);
  return JSON.stringify(value, (_, part: unknown) =>
    part === UNKNOWN_TEXT ? "known after the update" : part,
  );
}

const changesWorkspace = () => [
  medium("changes which workspace its resources are in, or how"),
];

const OF_PROVIDER: Effects = {
  create: changesWorkspace,
  delete: changesWorkspace,
  replace: changesWorkspace,
  update: changesWorkspace,
};

const OF_OTHERS: Effects = {
  delete: () => [medium("is deleted")],
  replace: () => [medium("is deleted and created again")],
};

/**
 * The effects of a deployment's change of a resource: by kind, by changed options, and
 * for unknown kinds by operation.
 */
function effectsOn(
  { kind = "", type, operation, before, after }: PreviewedResource,
  options: readonly ChangedGuard[],
): Effect[] {
  const { retainOnDelete } = (before ?? {}) as { retainOnDelete?: unknown };
  if (operation === "delete" && retainOnDelete === true)
    return [medium("stays in the service, and nobody manages it any more")];
  const effects =
    KINDS[kind]?.effects ?? (isProvider(type) ? OF_PROVIDER : OF_OTHERS);
  const change = { was: before?.inputs ?? {}, is: after?.inputs ?? {} };
  const planned = operation as keyof Effects;
  return [
    ...(effects[planned]?.(change) ?? []),
    ...effectsOfOptions(options).map(medium),
  ];
}

/** The settings of a provider that hold keys. No other input is a secret. */
const SECRETS: ReadonlySet<string> = new Set(secretSettings());
