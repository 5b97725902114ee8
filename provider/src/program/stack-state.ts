import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";
import type { InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceInvokeRequest } from "@pulumi/pulumi/proto/resource_pb";

type Monitor = NonNullable<ReturnType<typeof pulumi.runtime.getMonitor>>;
type Struct = NonNullable<ReturnType<InvokeResponse["getReturn"]>>;

/** The resources of the running stack, as its last deployment left them. It holds secrets: never log it. */
export class StackState {
  constructor(private readonly resources: Struct) {}

  has(urn: string): boolean {
    return this.resources.getFieldsMap().has(urn);
  }

  get urns(): readonly string[] {
    return [...this.resources.getFieldsMap().keys()];
  }

  /** The outputs of every resource of a type, by URN. Secrets in them are plain values. */
  ofType(type: string): ReadonlyMap<string, Record<string, unknown>> {
    const found = new Map<string, Record<string, unknown>>();
    this.resources.getFieldsMap().forEach((value, urn) => {
      const fields = value.getStructValue()?.getFieldsMap();
      if (fields?.get("type")?.getStringValue() !== type) return;
      const outputs = fields.get("outputs")?.getStructValue()?.toJavaScript();
      const plain = Object.entries(outputs ?? {}).map(([name, output]) => [
        name,
        pulumi.runtime.unwrapRpcSecret(output) as unknown,
      ]);
      found.set(urn, Object.fromEntries(plain) as Record<string, unknown>);
    });
    return found;
  }
}

/** Whether a unit test of the program answers its calls: Pulumi's `setMocks` is a monitor without an engine. */
export const hasMocks = (): boolean =>
  !hasEngine() && pulumi.runtime.hasMonitor();

const states = new WeakMap<Monitor, Promise<StackState | undefined>>();

/** Whether an engine runs the program; false in a unit test with mocks. */
export const hasEngine = (): boolean =>
  pulumi.runtime.getEngine() !== undefined;

/**
 * Asks the engine for the state of the running stack: once a program, at the
 * first call. During an update the state includes what the update has made so
 * far; an object that waits for its deletion after a replacement is missing.
 * @returns undefined without an engine, or where the state cannot be read
 */
export function stackState(): Promise<StackState | undefined> {
  const monitor = hasEngine() ? pulumi.runtime.getMonitor() : undefined;
  if (!monitor) return Promise.resolve(undefined);
  const state = states.get(monitor) ?? read(monitor);
  states.set(monitor, state);
  return state;
}

/**
 * Makes a call to the engine's own provider. A preview that reads the state makes this
 * call, too. An update must use the same providers as its saved plan (`pulumi preview
 * --save-plan`), or the engine fails.
 */
export async function useBuiltinProvider(): Promise<void> {
  const monitor = hasEngine() ? pulumi.runtime.getMonitor() : undefined;
  if (!monitor || states.has(monitor)) return;
  const urn = `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::pulumi:pulumi:Stack::${pulumi.getProject()}-${pulumi.getStack()}`;
  await invoke(monitor, "getResource", { urn }).catch(() => undefined);
}

async function read(monitor: Monitor): Promise<StackState | undefined> {
  for (const stackName of stackNames())
    try {
      const answer = await invoke(monitor, "readStackResourceOutputs", {
        stackName,
      });
      const resources = answer?.getFieldsMap().get("outputs")?.getStructValue();
      if (resources) return new StackState(resources);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      void pulumi.log.debug(
        `The state of the stack ${stackName} cannot be read: ${problem}`,
      );
    }
  return undefined;
}

/**
 * The names of the stack to ask for, in order. Pulumi Cloud and files take the full name.
 * Only files in the old layout without projects take the bare name. The bare name is not
 * tried in an organization of Pulumi Cloud, because it may be another stack there.
 */
function stackNames(): string[] {
  const organization = organizationName();
  const full = `${organization}/${pulumi.getProject()}/${pulumi.getStack()}`;
  return organization === "organization" ? [full, pulumi.getStack()] : [full];
}

function organizationName(): string {
  try {
    return pulumi.getOrganization();
  } catch {
    return "organization";
  }
}

/**
 * Calls a function of the engine's own provider. `runtime.invoke` would write the
 * whole answer to the debug log, secrets included.
 */
function invoke(
  monitor: Monitor,
  name: string,
  args: Record<string, string>,
): Promise<Struct | undefined> {
  const request = new ResourceInvokeRequest();
  request.setTok(`pulumi:pulumi:${name}`);
  request.setArgs(structOf(args));
  const done = pulumi.runtime.rpcKeepAlive();
  return new Promise<Struct | undefined>((resolve, reject) => {
    monitor.invoke(request, (error, response) => {
      if (error) reject(new Error(error.details));
      else resolve(response.getReturn());
    });
  }).finally(done);
}

/** Arguments as a message of the copy of protobuf that Pulumi itself uses. */
function structOf(fields: Record<string, string>): Struct {
  const ofPulumi = createRequire(
    createRequire(__filename).resolve("@pulumi/pulumi"),
  );
  const { Struct } = ofPulumi(
    "google-protobuf/google/protobuf/struct_pb.js",
  ) as { Struct: { fromJavaScript(value: Record<string, string>): Struct } };
  return Struct.fromJavaScript(fields);
}
