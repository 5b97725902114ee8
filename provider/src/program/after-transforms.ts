import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import * as state from "@pulumi/pulumi/runtime/state";
import { hiddenIn, OPTIONS } from "../definition/host-protocol";
import type { OutputMembers, ResourceMembers } from "./pulumi-members";
import {
  refuseOptions,
  toldOptions,
  type KindOptions,
} from "./resource-options";

/** What Pulumi keeps of a program, with members that its declarations leave out. */
interface Store {
  /** The server that the engine calls for transforms; absent until the program has one. */
  readonly callbacks?: object;
  readonly supportsTransforms: boolean;
}
const { getStore } = state as unknown as { readonly getStore: () => Store };

/** What the check knows of the resources of a type. */
const specs = new Map<string, KindOptions>();

/** The registration of the check in each program, by the program's connection to the engine. */
const registrations = new WeakMap<object, Promise<void>>();

/**
 * Has the options of a resource checked once more, as the engine has them: a transform
 * of the resource, of a parent or of the stack changes options that the class has seen
 * before. A program without transforms makes no call for it.
 * @returns what the registration of the resource has to wait for, if anything
 */
export function checkAfterTransforms(
  type: string,
  spec: KindOptions,
  { parent, transforms, transformations }: pulumi.CustomResourceOptions,
): Promise<void> | undefined {
  specs.set(type, spec);
  const above = (parent ?? pulumi.runtime.getStackResource()) as unknown as
    | ResourceMembers
    | undefined;
  const registered = () => {
    const lists = [transforms, transformations, above?.__transformations];
    return getStore().callbacks || lists.some((list) => list?.length)
      ? register()
      : undefined;
  };
  // The engine knows the transforms of a parent when it answers with the parent's URN.
  const urn = parent?.urn as unknown as OutputMembers | undefined;
  return registered() ?? urn?.promise().then(registered, () => undefined);
}

function register(): Promise<void> | undefined {
  const monitor = pulumi.runtime.getMonitor();
  if (!monitor || !getStore().supportsTransforms) return undefined;
  const registration =
    registrations.get(monitor) ??
    // The engine runs the transforms of the stack last, in the order in which they
    // arrive. Those of the program may still be on their way.
    pulumi.runtime
      .awaitStackRegistrations()
      .then(() => pulumi.runtime.registerResourceTransform(check));
  registrations.set(monitor, registration);
  return registration;
}

/** Refuses options, and tells the provider those that it would not see. */
function check({
  type,
  name,
  opts,
  props,
}: pulumi.ResourceTransformArgs): pulumi.ResourceTransformResult | undefined {
  const spec = specs.get(type);
  if (!spec) return undefined;
  refuseOptions(spec, name, opts);
  const told = toldOptions(opts);
  if (isDeepStrictEqual(told, hiddenIn(props, OPTIONS))) return undefined;
  const others = Object.entries(props).filter(
    ([one]) => !OPTIONS.includes(one),
  );
  return { props: { ...Object.fromEntries(others), ...told }, opts };
}
