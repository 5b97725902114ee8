import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { createClient } from "@devid/sdk";

const REPOSITORY = resolve(__dirname, "../..");

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
  const bundle = (path: string) => join(REPOSITORY, path, "client.js");
  return [
    built("the package", join(REPOSITORY, "sdk/dist/index.js")),
    built("the command line", bundle("cli/dist/bundle")),
    built("the dynamic provider host", bundle("provider/dist/bundle/host")),
    built("the provider plugin", bundle("provider/dist/bundle/plugin")),
  ];
}
