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

interface GuardOption {
  /** The value that counts; undefined if the option is not set. */
  readonly read: (value: unknown) => unknown;
  readonly isLoosened: (is: unknown, was: unknown) => boolean;
  /** Whether a new resource loosens nothing by it. */
  readonly isOfOld?: true;
}

const isSet = (value: unknown) => (value === true ? true : undefined);

/** The options that decide what later deployments may do. */
const OPTIONS: Readonly<Record<ChangedOption["name"], GuardOption>> = {
  protect: {
    read: isSet,
    isLoosened: (is) => is === undefined,
    isOfOld: true,
  },
  retainOnDelete: { read: isSet, isLoosened: (is) => is === true },
  ignoreChanges: {
    read: (value) =>
      Array.isArray(value) && value.length > 0 ? value : undefined,
    isLoosened: (is = [], was = []) =>
      (is as unknown[]).some((path) => !(was as unknown[]).includes(path)),
  },
  // A provider counts by its name, not by its ID, which changes when it is replaced.
  provider: {
    read: (value) => providerName(value as string | undefined),
    isLoosened: () => true,
    isOfOld: true,
  },
};

/** The options of a resource that a deployment changes and that guard it. */
export function changedOptions({
  before,
  after,
}: PreviewedResource): ChangedOption[] {
  if (!after) return [];
  const names = Object.keys(OPTIONS) as ChangedOption["name"][];
  return names.flatMap((name) => {
    const { read, isLoosened, isOfOld } = OPTIONS[name];
    const valueIn = (one: object | undefined) =>
      read((one as Readonly<Record<string, unknown>> | undefined)?.[name]);
    const [was, is] = [valueIn(before), valueIn(after)];
    const [from, to] = [JSON.stringify(was), JSON.stringify(is)];
    if (from === to || (isOfOld && !before)) return [];
    return [
      {
        name,
        ...(was !== undefined && { before: from }),
        ...(is !== undefined && { after: to }),
        isLoosened: isLoosened(is, was),
      },
    ];
  });
}

/** `eu` of `urn:pulumi:prod::shop::pulumi:providers:devid::eu::ID`; `default` for the default one. */
function providerName(reference: string | undefined): string | undefined {
  if (reference === undefined) return undefined;
  const name = nameOfUrn(splitProvider(reference).urn);
  return isDefaultProvider(name) ? "default" : name;
}
