import { createClient, optionsFromEnvironment, type Region } from "@devid/sdk";
import { loadKind } from "../../provider/src/kinds";
import type { ResourceSettings } from "../../provider/src/session/resource-settings";
import { Session } from "../../provider/src/session/session";
import type { LocalWorkspace } from "../helpers/local-workspace";
import { silentClient } from "./local-client";

/** A message of a session to the person who runs the engine. */
export interface LoggedMessage {
  readonly severity: "info" | "warning";
  readonly text: string;
  readonly urn?: string;
}

/** A session without a service, for tests that send nothing. */
export function silentSession(settings?: Record<string, string>): Session {
  return new Session(
    () => silentClient(settings),
    () => Promise.resolve(),
    { overrides: {}, kinds: loadKind },
  );
}

/** A session with a local service at 1,000 requests a second, and its messages. */
export function sessionOf(
  { url, service }: Pick<LocalWorkspace, "url" | "service">,
  settings: { readonly region?: Region; readonly managementKey?: string } = {},
  ofResources: Partial<ResourceSettings> = {},
): { readonly session: Session; readonly logged: LoggedMessage[] } {
  const { region = "us" } = settings;
  const { managementKey = service.workspaces[region].managementKey } = settings;
  const logged: LoggedMessage[] = [];
  const source = {
    settings: {
      endpoint: url,
      region,
      managementKey,
      requestsPerSecond: "1000",
    },
    describe: (name: string) => `test ${name}`,
  };
  const session = new Session(
    (signal) =>
      createClient({ ...optionsFromEnvironment([source], {}), signal }),
    (severity, text, urn) => {
      logged.push({ severity, text, ...(urn !== undefined && { urn }) });
      return Promise.resolve();
    },
    { overrides: {}, kinds: loadKind, ...ofResources },
  );
  return { session, logged };
}
