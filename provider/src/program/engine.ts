import * as pulumi from "@pulumi/pulumi";

/** Whether an engine runs the program; false in a unit test with mocks. */
export const hasEngine = (): boolean =>
  pulumi.runtime.getEngine() !== undefined;

/** Whether a unit test of the program answers its calls: Pulumi's `setMocks` is a monitor without an engine. */
export const hasMocks = (): boolean =>
  !hasEngine() && pulumi.runtime.hasMonitor();
