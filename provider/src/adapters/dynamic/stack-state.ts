import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";
import type { InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceInvokeRequest } from "@pulumi/pulumi/proto/resource_pb";

type Monitor = NonNullable<ReturnType<typeof pulumi.runtime.getMonitor>>;
type Struct = NonNullable<ReturnType<InvokeResponse["getReturn"]>>;

/** Resources of the stack that runs, as its last deployment left them. Holds secrets: never log it. */
export class StackState {
  constructor(private readonly resources: Struct) {}

  has(urn: string): boolean {
    return this.resources.getFieldsMap().has(urn);
  }

  /** Outputs of every resource of a type, by URN. Secrets are plain values in them. */
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

const asked = new WeakMap<Monitor, Promise<StackState | undefined>>();

/** Whether an engine runs the program, which a unit test's mocks are not. */
export const hasEngine = (): boolean =>
  pulumi.runtime.getEngine() !== undefined;

/**
 * Asks the engine for the state of the stack that runs: once a program, at the
 * first call. During an update the state has what the update made so far; it
 * never has what is to be deleted in place of a replacement.
 * @returns undefined without an engine, or where the state cannot be read
 */
export function stackState(): Promise<StackState | undefined> {
  const monitor = hasEngine() ? pulumi.runtime.getMonitor() : undefined;
  if (!monitor) return Promise.resolve(undefined);
  const state = asked.get(monitor) ?? read(monitor);
  asked.set(monitor, state);
  return state;
}

/**
 * Calls on the engine's own provider, as a preview that asks for the state
 * does. An update has to do it, too: a saved plan (`pulumi preview --save-plan`)
 * fails where a provider of the preview is not seen again.
 */
export async function useBuiltinProvider(): Promise<void> {
  const monitor = hasEngine() ? pulumi.runtime.getMonitor() : undefined;
  if (!monitor || asked.has(monitor)) return;
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
 * What the stack may be called: Pulumi Cloud and a state in files take the full
 * name, and files in the layout without projects the bare one. Another
 * organization of Pulumi Cloud may have a stack of the bare name.
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
 * Calls a function of the engine's own provider. Not `runtime.invoke`, which
 * writes the whole answer to the debug log, secrets included.
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

/** Arguments in the form of Pulumi's own copy of the protocol. */
function structOf(fields: Record<string, string>): Struct {
  const ofPulumi = createRequire(
    createRequire(__filename).resolve("@pulumi/pulumi"),
  );
  const { Struct } = ofPulumi(
    "google-protobuf/google/protobuf/struct_pb.js",
  ) as { Struct: { fromJavaScript(value: Record<string, string>): Struct } };
  return Struct.fromJavaScript(fields);
}
