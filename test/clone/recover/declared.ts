import type { Workspace, WorkspaceObject } from "@devid/clone";
import type { ProgramResource } from "../../../clone/src/recover/previewed-program";

const DEFAULT = { id: "ae_default", name: "Default" };

/** The URN of a resource in stack prod of project shop. */
export const urnOf = (kind: string, name: string) =>
  `urn:pulumi:prod::shop::pulumi-nodejs:dynamic/devid:${kind}::${name}`;

/**
 * A resource as a preview shows it. `environment` is the name of an environment of the same program
 * whose ID the preview does not know.
 */
export function declared(
  kind: string,
  name: string,
  inputs: Record<string, unknown>,
  environment?: string,
): ProgramResource {
  const urn = urnOf(kind, name);
  const type = `pulumi-nodejs:dynamic/devid:${kind}`;
  const from = environment && [urnOf("Environment", environment)];
  return {
    urn,
    name,
    type,
    kind,
    custom: true,
    isInState: false,
    inputs,
    unknown: new Set(environment ? ["environment"] : []),
    secret: new Set(),
    hidden: new Set(),
    propertyDependencies: from ? { environment: from } : {},
    record: { urn, type, custom: true },
  };
}

/** An object of the workspace. */
export const found = (
  id: string,
  outputs: Record<string, unknown>,
): WorkspaceObject => ({ id, outputs });

/** A workspace with these objects beside its default environment. */
export function workspaceOf(
  objects: Record<string, readonly WorkspaceObject[]>,
): Workspace {
  const others = (objects.Environment ?? []).map(({ id, outputs }) => ({
    id,
    name: String(outputs.name),
  }));
  return {
    region: "us",
    environments: [DEFAULT, ...others],
    defaultEnvironment: DEFAULT,
    objects,
    unread: [],
  };
}
