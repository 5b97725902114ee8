import { UNKNOWN_TEXT } from "@devid/pulumi/state";
import type { ResourceValidationArgs } from "@pulumi/policy";

/** A resource as a program declares it. What is not known in a preview is `UNKNOWN_TEXT`. */
export interface DeclaredResource {
  readonly urn: string;
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Whether the engine refuses to delete it. `retainOnDelete` is not told to policies. */
  readonly isProtected: boolean;
  /** Settings of its provider: those of an explicit one, else those of stack config. */
  readonly provider: Readonly<Record<string, unknown>>;
}

/** Takes a resource out of the objects that the policy SDK hands to a policy. */
export function declaredResource({
  urn,
  type,
  props,
  opts,
  provider,
}: ResourceValidationArgs): DeclaredResource {
  return {
    urn,
    type,
    inputs: readProperties(props),
    isProtected: opts.protect,
    provider: readProperties(provider?.props ?? {}),
  };
}

function readProperties(properties: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(properties).map((key) => [key, read(properties, key)]),
  );
}

function read(holder: object, key: string): unknown {
  let value: unknown;
  try {
    value = Reflect.get(holder, key);
  } catch {
    // How the SDK's objects tell that a value is not known.
    return UNKNOWN_TEXT;
  }
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) return readProperties(value);
  return Array.from(value.keys(), (index) => read(value as object, `${index}`));
}

/** The type of the stack itself. The engine asks the policies about it once, before any resource. */
export const STACK_TYPE = "pulumi:pulumi:Stack";
