import { pluginType } from "@devid/pulumi/definitions";
import type { DeclaredResource } from "../declare/declare-workspace";

/**
 * The list of objects for `pulumi import --file`, which reads each object through the
 * provider plugin and prints the program in any language. So it has names and IDs only.
 */
export function importFile(resources: readonly DeclaredResource[]): string {
  const entries = resources.map(({ kind, name, id }) => ({
    type: pluginType(kind),
    name,
    id,
  }));
  return `${JSON.stringify({ resources: entries }, undefined, 2)}\n`;
}
