import { createRequire } from "node:module";
import { join } from "node:path";
import type { createClient } from "@devid/sdk";
import { ROOT } from "./repository";

/** One build of the client. */
export interface BuiltClient {
  readonly name: string;
  /** The file that exports `createClient`. */
  readonly file: string;
  /** Loads `createClient` of the build into this process. */
  readonly load: () => typeof createClient;
}

const built = (name: string, file: string): BuiltClient => ({
  name,
  file,
  load: () =>
    (
      createRequire(__filename)(file) as {
        createClient: typeof createClient;
      }
    ).createClient,
});

/** Every build of the client: the package's own, and the client in each bundle. */
export function builtClients(): BuiltClient[] {
  const bundle = (path: string) => join(ROOT, path, "client.js");
  return [
    built("the package", join(ROOT, "sdk/dist/index.js")),
    built("the command line", bundle("cli/dist/bundle")),
    built("the dynamic provider host", bundle("provider/dist/bundle/host")),
    built("the provider plugin", bundle("provider/dist/bundle/plugin")),
  ];
}
