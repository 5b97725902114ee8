import {
  isDefaultProvider,
  nameOfUrn,
  splitProvider,
  type PreviewedResource,
} from "@devid/pulumi/state";

/** An option of a resource in the program that a deployment changes. */
export interface ChangedOption {
  readonly name: "protect" | "retainOnDelete" | "ignoreChanges" | "provider";
  /** The value as JSON; absent if it is not set. */
  readonly before?: string;
  readonly after?: string;
  /** Whether the new value guards the resource less than the old one. */
  readonly isLoosened: boolean;
}

/**
 * The options of a resource that a deployment changes and that decide what later
 * deployments may do with it. A provider counts by its name, not by its ID, which
 * changes when the provider is replaced.
 */
export function changedOptions({
  before,
  after,
}: PreviewedResource): ChangedOption[] {
  if (!after) return [];
  const [was, is] = [before ?? {}, after] as Readonly<
    Record<string, unknown>
  >[];
  const found: ChangedOption[] = [];
  const add = (
    name: ChangedOption["name"],
    from: unknown,
    to: unknown,
    isLoosened: boolean,
  ) =>
    found.push({
      name,
      ...(from !== undefined && { before: JSON.stringify(from) }),
      ...(to !== undefined && { after: JSON.stringify(to) }),
      isLoosened,
    });
  const flag = (value: unknown) => (value === true ? true : undefined);
  const [wasProtected, isProtected] = [flag(was?.protect), flag(is?.protect)];
  if (before && wasProtected !== isProtected)
    add("protect", wasProtected, isProtected, isProtected === undefined);
  const [wasKept, isKept] = [
    flag(was?.retainOnDelete),
    flag(is?.retainOnDelete),
  ];
  if (wasKept !== isKept)
    add("retainOnDelete", wasKept, isKept, isKept === true);
  const [wasIgnored, isIgnored] = [
    ignored(was?.ignoreChanges),
    ignored(is?.ignoreChanges),
  ];
  if (JSON.stringify(wasIgnored) !== JSON.stringify(isIgnored))
    add(
      "ignoreChanges",
      wasIgnored,
      isIgnored,
      (isIgnored ?? []).some((path) => !wasIgnored?.includes(path)),
    );
  const [from, to] = [
    providerName(before?.provider),
    providerName(after.provider),
  ];
  if (before && from !== to) add("provider", from, to, true);
  return found;
}

function ignored(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

/** `eu` of `urn:pulumi:prod::shop::pulumi:providers:devid::eu::ID`; `default` for the default one. */
function providerName(reference: string | undefined): string | undefined {
  if (reference === undefined) return undefined;
  const name = nameOfUrn(splitProvider(reference).urn);
  return isDefaultProvider(name) ? "default" : name;
}
