import { maskUrls } from "@devid/sdk";
import type { CloneKind } from "../read/clone-kinds";
import {
  environmentOf,
  titleOf,
  type Workspace,
  type WorkspaceObject,
} from "../read/workspace";

/** An object of the workspace. */
export interface ObjectSummary {
  /** `API key` */
  readonly what: string;
  readonly id: string;
  /** Name or address; parts of an address that may be secret are masked. */
  readonly name: string;
  readonly region: string;
  /** Name of its environment; absent for an object of the whole workspace. */
  readonly environment?: string;
  readonly createdAt?: string;
}

/** An object of a workspace, as reports list it. */
export function objectSummary(
  workspace: Workspace,
  kind: CloneKind,
  object: WorkspaceObject,
): ObjectSummary {
  const { definition } = kind;
  const place = environmentOf(workspace, kind, object);
  const environment =
    place === object.id
      ? undefined
      : workspace.environments.find(({ id }) => id === place)?.name;
  const { createdAt } = object.outputs;
  const { what = definition.singular } =
    definition.obstacle?.(object.outputs, []) ?? {};
  return {
    what,
    id: object.id,
    name: maskUrls(titleOf(workspace, kind, object)),
    region: workspace.region,
    ...(environment !== undefined && { environment }),
    ...(typeof createdAt === "string" && { createdAt }),
  };
}

/** An object in a line of text. */
export function objectLine(object: ObjectSummary): string {
  const { what, id, name, environment, region, createdAt } = object;
  const place = environment === undefined ? "" : ` in ${environment}`;
  const made = createdAt?.replace(/\.\d+Z$/, "Z");
  const time = made === undefined ? "" : `, made ${made}`;
  return `${what} ${id} ${name}${place} (${region})${time}`;
}
