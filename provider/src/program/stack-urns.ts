import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";
import type { InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceInvokeRequest } from "@pulumi/pulumi/proto/resource_pb";
import { ONLY_READ } from "../definition/host-protocol";
import { hasEngine } from "./engine";

type Monitor = NonNullable<ReturnType<typeof pulumi.runtime.getMonitor>>;
type Struct = NonNullable<ReturnType<InvokeResponse["getReturn"]>>;
type Urns = ReadonlySet<string>;

/** Resources of any provider by their URNs. */
type Resources = Readonly<
  Record<
    string,
    { readonly outputs?: { readonly owner?: { claim?: unknown } } }
  >
>;

const states = new WeakMap<Monitor, Promise<Urns | undefined>>();

/**
 * The URNs of the running stack's resources, as its last deployment left them: one call
 * to the engine for a program, at the first use. An object that waits for its deletion
 * after a replacement is missing, and so is one that the program only read, by `get`.
 * @returns undefined without an engine, or where the state cannot be read
 */
export function stackUrns(): Promise<Urns | undefined> {
  const monitor = hasEngine() ? pulumi.runtime.getMonitor() : undefined;
  if (!monitor) return Promise.resolve(undefined);
  const state = states.get(monitor) ?? read(monitor);
  states.set(monitor, state);
  return state;
}

async function read(monitor: Monitor): Promise<Urns | undefined> {
  for (const stackName of stackNames())
    try {
      const answer = await invoke(monitor, "readStackResourceOutputs", {
        stackName,
      });
      const resources = answer?.getFieldsMap().get("outputs")?.getStructValue();
      // The values hold secrets. Only the names are kept.
      if (resources)
        return new Set(
          Object.entries(resources.toJavaScript() as Resources)
            .filter(([, { outputs }]) => outputs?.owner?.claim !== ONLY_READ)
            .map(([urn]) => urn),
        );
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
