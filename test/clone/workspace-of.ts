import type { Workspace, WorkspaceObject } from "@devid/clone";
import {
  configurationOf,
  optionsFromEnvironment,
  type Configuration,
} from "@devid/sdk";

/** A workspace with these objects, and these environments beside the default one. */
export function workspaceOf(
  objects: Readonly<Record<string, readonly WorkspaceObject[]>> = {},
  environments: Workspace["environments"] = [],
  defaultId = "ae_1",
): Workspace {
  const defaultEnvironment = { id: defaultId, name: "Default" };
  return {
    region: "us",
    defaultEnvironment,
    environments: [defaultEnvironment, ...environments],
    objects,
    unread: [],
  };
}

/** The configuration of a client with these settings. */
export function configurationWith(
  settings: Readonly<Record<string, string>> = {},
): Configuration {
  const describe = (name: string) => name;
  return configurationOf(optionsFromEnvironment([{ settings, describe }], {}));
}
