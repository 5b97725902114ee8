import { createClient, optionsFromEnvironment, type Client } from "@devid/sdk";

/** A client whose address has no server, for tests that send nothing. */
export function silentClient(
  settings: Record<string, string> = {
    endpoint: "http://127.0.0.1:9",
    managementKey: "a-management-key",
  },
): Client {
  const describe = (name: string) => `test ${name}`;
  return createClient(optionsFromEnvironment([{ settings, describe }], {}));
}
