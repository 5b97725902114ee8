import { medium, type Effect, type Effects } from "@devid/pulumi/definitions";
import type { PreviewedResource } from "@devid/pulumi/state";
import { effectsOfOptions, type ChangedGuard } from "./guards";
import { KINDS } from "./kinds";

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
export function effectsOn(
  { kind = "", type, operation, before, after }: PreviewedResource,
  options: readonly ChangedGuard[],
): Effect[] {
  const { retainOnDelete } = (before ?? {}) as { retainOnDelete?: unknown };
  if (operation === "delete" && retainOnDelete === true)
    return [medium("stays in the service, and nobody manages it any more")];
  const isProvider = type.startsWith("pulumi:providers:");
  const effects =
    KINDS[kind]?.effects ?? (isProvider ? OF_PROVIDER : OF_OTHERS);
  const change = { was: before?.inputs ?? {}, is: after?.inputs ?? {} };
  const planned = operation as keyof Effects;
  return [
    ...(effects[planned]?.(change) ?? []),
    ...effectsOfOptions(options).map(medium),
  ];
}
