import { afterAll, beforeAll } from "vitest";
import { DynamicHost, type Host } from "../helpers/dynamic-host";
import { HandlerHost } from "../helpers/handler-host";
import type { LocalWorkspace } from "../helpers/local-workspace";
import { settingsOf } from "./settings-of";

/** Opens a host that manages a workspace, passes it to the tests of a file, and stops it after them. */
export function hostForTests(
  workspace: LocalWorkspace,
  take: (host: Host) => void,
): void {
  openedForTests(() => new HandlerHost(settingsOf(workspace)), take);
}

/** Does the same with Pulumi's own host, in a process as the engine starts it. */
export function hostProcessForTests(
  workspace: LocalWorkspace,
  take: (host: DynamicHost) => void,
): void {
  openedForTests(() => DynamicHost.start(settingsOf(workspace)), take);
}

function openedForTests<T extends Host>(
  open: () => T | Promise<T>,
  take: (host: T) => void,
): void {
  let host: T | undefined;
  beforeAll(async () => {
    host = await open();
    take(host);
  });
  afterAll(() => host?.stop());
}
