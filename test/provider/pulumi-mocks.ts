import * as pulumi from "@pulumi/pulumi";
import { beforeAll, beforeEach } from "vitest";
import type { Properties } from "../simulation/engine/property-value";

/** A resource that a program registers, or a function that it calls, with its token as `type`. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: Properties;
  readonly provider?: string;
  /** The ID of a resource that the program only reads. */
  readonly id?: string;
}

/**
 * Runs the programs of a test file under Pulumi's mocks. Returns what the program of each test
 * has registered.
 * @param outputs what the state of a resource has besides its inputs
 * @param names of the project and the stack, and whether it is a preview
 */
export function mocksForTests(
  outputs: (made: Registered) => Properties = () => ({}),
  ...names: [project?: string, stack?: string, preview?: boolean]
): Registered[] {
  const registered: Registered[] = [];
  beforeAll(() =>
    pulumi.runtime.setMocks(
      {
        newResource: (args) => {
          const made = { ...args, inputs: args.inputs as Properties };
          registered.push(made);
          const state = { ...made.inputs, ...outputs(made) };
          return { id: `${made.name}-id`, state };
        },
        call: ({ token, inputs }) => {
          registered.push({
            type: token,
            name: "",
            inputs: inputs as Properties,
          });
          return {};
        },
      },
      ...names,
    ),
  );
  beforeEach(() => (registered.length = 0));
  return registered;
}

/** The value of an Output. Rejects if the Output fails. */
export const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
  (output as unknown as { promise(): Promise<T> }).promise();
