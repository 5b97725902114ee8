import type { ServiceOptions } from "@devid/service";
import { beforeEach, onTestFinished } from "vitest";
import { LocalWorkspace } from "./local-workspace.js";
import { openForTests } from "./open-for-tests.js";

/** A local service whose objects the tests of a file share. */
export const sharedForTests = (): LocalWorkspace =>
  openForTests(new LocalWorkspace());

/**
 * A local service for the tests of a file. Each test finds it as after its first start, at
 * this time by its clock.
 */
export function localForTests(
  options: ServiceOptions = {},
  now?: string,
): LocalWorkspace {
  const local = openForTests(new LocalWorkspace(options));
  beforeEach(async () => {
    await local.reset();
    if (now !== undefined) await local.moveClock(now);
  });
  return local;
}

/** A local service of one test, closed after it. */
export async function localForTest(
  options: ServiceOptions = {},
): Promise<LocalWorkspace> {
  const local = await LocalWorkspace.start(options);
  onTestFinished(() => local.close());
  return local;
}
