import { afterAll, beforeAll } from "vitest";
import { DynamicHost } from "../helpers/dynamic-host";
import type { LocalWorkspace } from "../helpers/local-workspace";
import { settingsOf } from "./settings-of";

/** Starts a host that manages a workspace, passes it to the tests of a file, and stops it after them. */
export function hostForTests(
  workspace: LocalWorkspace,
  take: (host: DynamicHost) => void,
): void {
  let host: DynamicHost | undefined;
  beforeAll(async () => {
    host = await DynamicHost.start(settingsOf(workspace));
    take(host);
  });
  afterAll(() => host?.stop());
}
