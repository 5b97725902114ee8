import { UNKNOWN_TEXT } from "@devid/pulumi/state";
import type { ResourceValidationArgs } from "@pulumi/policy";

/** A resource as a program declares it. Values that are unknown in a preview are `UNKNOWN_TEXT`. */
export interface DeclaredResource {
  readonly urn: string;
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Whether it has the option `protect`. The engine does not tell policies about `retainOnDelete`. */
  readonly isProtected: boolean;
  /** The settings of its explicit provider, or else those in stack config. */
  readonly provider: Readonly<Record<string, unknown>>;
}

/** The resource that the policy SDK passes to a policy, as plain values. */
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
    // The SDK's objects throw when an unknown value is read.
    return UNKNOWN_TEXT;
  }
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) return readProperties(value);
  return Array.from(value.keys(), (index) => read(value as object, `${index}`));
}

/** The type of the stack itself. The engine asks the policies about it once, before any resource. */
export const STACK_TYPE = "pulumi:pulumi:Stack";
