import { afterEach } from "vitest";
import { HandlerHost } from "../helpers/handler-host";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";

/**
 * A local service for the tests of a file, and a host that manages its workspace. The faults
 * of a test end with the test.
 */
export function hostForTests() {
  const workspace = openForTests(new LocalWorkspace());
  afterEach(() => workspace.forgetFaults());
  return { workspace, host: new HandlerHost(workspace) };
}
