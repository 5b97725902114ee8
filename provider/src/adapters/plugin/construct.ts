import { credentials, status, type ServiceError } from "@grpc/grpc-js";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
  ResourceInvokeRequest,
  type RegisterResourceResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import type { z } from "zod";
import { COMPONENTS } from "../../components";
import type {
  ComponentDefinition,
  ComponentPart,
} from "../../definition/define-component";
import { fieldMeta, fieldsMarked } from "../../definition/field";
import {
  bare,
  bareProperties,
  containsUnknown,
  dependenciesOf,
  Secret,
  UNKNOWN,
  withText,
  type Properties,
  type Value,
} from "../../definition/value";
import { checkInputs } from "../../lifecycle/check-inputs";
import { redactorOf } from "../../lifecycle/explain-failure";
import { pluginType, resourceType } from "../../definition/engine-names";
import { CONNECTION } from "../engine-log";
import type { EngineLog } from "../../session/session";
import { StatusError } from "./answer";
import { fromStruct, toStruct } from "./property-codec";
import { definitionOf, type Kinds } from "./resource-calls";

/** What a component needs of the plugin that constructs it. */
export interface ConstructDependencies {
  readonly kinds: Kinds;
  readonly log?: EngineLog;
  /**
   * Resolves when the engine cancels the provider's work. The engine also does this at
   * the end of a command.
   */
  readonly ended: Promise<unknown>;
  /**
   * Reference to the provider of this process. Resources get it unless the program
   * names another provider.
   */
  readonly provider?: string;
}

/**
 * Registers a component and its resources with the engine. Pulumi's runtime for Node.js
 * does the same, but keeps its settings in global variables, so it could not construct
 * two components at the same time. It also takes longer to load than everything else.
 */
export async function construct(
  request: proto.ConstructRequest,
  dependencies: ConstructDependencies,
): Promise<proto.ConstructResponse> {
  const definition = componentOf(request.getType());
  const inputs = checkedInputs(definition, fromStruct(request.getInputs()));
  const monitor = new Monitor(request.getMonitorendpoint());
  try {
    const component = await monitor.register(componentRequest(request));
    const context = { ...dependencies, request, urn: component.getUrn() };
    return await Promise.race([
      registerParts(definition, inputs, monitor, context),
      unfinished(definition, context),
    ]);
  } finally {
    monitor.close();
  }
}

async function registerParts(
  definition: ComponentDefinition,
  inputs: Properties,
  monitor: Monitor,
  context: PartContext,
): Promise<proto.ConstructResponse> {
  const { request, urn, kinds, log } = context;
  // In an update, too: it must use the same providers as its saved plan.
  const inState = await monitor.urnsInState(request);
  const { composition } = definition;
  const warning = composition.warning?.(urn, inputs, inState);
  if (request.getDryrun() && warning !== undefined)
    await log?.("warning", warning, urn);
  const { partKind: kind } = composition;
  const values = { withText, bare };
  const made = await Promise.all(
    composition.parts(request.getName(), inputs, values).map(async (part) => {
      const registered = await monitor.register(
        await partRequest(kind, part, context),
      );
      return await outputsOf(kind, part, registered, kinds);
    }),
  );
  const outputs = Object.assign({}, ...made) as Readonly<
    Record<string, { readonly value: Value; readonly urn: string }>
  >;
  const secrets = fieldsMarked(definition.outputs, "secret");
  const state = Object.entries(outputs).map(
    ([name, { value }]): [string, Value] => [
      name,
      secrets.includes(name) && !(value instanceof Secret)
        ? new Secret(value)
        : value,
    ],
  );
  // A secret is in the state of its resource, and would be stored twice.
  const stored = state.filter(([name]) => !secrets.includes(name));
  await monitor.finish(urn, Object.fromEntries(stored));
  const response = new proto.ConstructResponse()
    .setUrn(urn)
    .setState(toStruct(Object.fromEntries(state)));
  for (const [name, { urn }] of Object.entries(outputs))
    response
      .getStatedependenciesMap()
      .set(
        name,
        new proto.ConstructResponse.PropertyDependencies().setUrnsList([urn]),
      );
  return response;
}

/**
 * The answer for a component that the engine does not finish, because another resource
 * failed. Without an answer, the engine would print a second error.
 */
async function unfinished(
  { outputs }: ComponentDefinition,
  { urn, ended }: PartContext,
): Promise<proto.ConstructResponse> {
  await ended;
  const unknown = Object.keys(outputs.shape).map((name) => [name, UNKNOWN]);
  return new proto.ConstructResponse()
    .setUrn(urn)
    .setState(toStruct(Object.fromEntries(unknown) as Properties));
}

/** The component that a type token names. @throws StatusError listing all components */
function componentOf(type: string): ComponentDefinition {
  const found = COMPONENTS.find(({ kind }) => type === pluginType(kind));
  if (found) return found;
  const known = COMPONENTS.map(({ kind }) => pluginType(kind));
  throw new StatusError(
    status.NOT_FOUND,
    `devid has no component ${type}; it has ${known.join(", ")}.`,
  );
}

/**
 * The inputs of the program. Inputs that decide which resources exist have plain
 * values. @throws StatusError naming every input that is wrong
 */
function checkedInputs(
  definition: ComponentDefinition,
  given: Properties,
): Properties {
  const { values, secrets } = bareProperties(given);
  const { failures } = checkInputs(definition.inputs, values);
  const unknown = definition.deciding.filter((name) =>
    containsUnknown(values[name]),
  );
  const all = [
    ...failures,
    ...unknown.map((property) => ({
      property,
      reason:
        "is not known before the update, but it decides which resources exist; write it into the program or into stack config",
    })),
  ];
  if (all.length === 0) all.push(...definition.composition.validate(values));
  if (all.length > 0) {
    const redact = redactorOf([values], secrets);
    const lines = all.map(({ property, reason }) => `${property}: ${reason}`);
    throw new StatusError(status.INVALID_ARGUMENT, redact(lines.join("\n  ")));
  }
  const deciding = definition.deciding.map((name) => [name, bare(given[name])]);
  return { ...given, ...(Object.fromEntries(deciding) as Properties) };
}

/** The component itself, with the options that the program gives it; its resources inherit most of them. */
function componentRequest(
  request: proto.ConstructRequest,
): RegisterResourceRequest {
  const registration = new RegisterResourceRequest()
    .setType(request.getType())
    .setName(request.getName())
    .setParent(request.getParent())
    .setCustom(false)
    .setObject(toStruct({}))
    .setDependenciesList(request.getDependenciesList())
    .setAliasesList(request.getAliasesList())
    .setAliasspecs(true)
    .setDeletedwith(request.getDeletedwith())
    .setIgnorechangesList(request.getIgnorechangesList())
    .setReplaceonchangesList(request.getReplaceonchangesList())
    .setReplaceWithList(request.getReplaceWithList())
    .setReplacementTrigger(request.getReplacementTrigger())
    .setParentstacktracehandle(request.getStackTraceHandle());
  const protect = request.getProtect();
  if (protect !== undefined) registration.setProtect(protect);
  const retained = request.getRetainondelete();
  if (retained !== undefined) registration.setRetainondelete(retained);
  const timeouts = request.getCustomtimeouts();
  if (timeouts)
    registration.setCustomtimeouts(
      new RegisterResourceRequest.CustomTimeouts()
        .setCreate(timeouts.getCreate())
        .setUpdate(timeouts.getUpdate())
        .setDelete(timeouts.getDelete())
        .setRead(timeouts.getRead()),
    );
  const hooks = request.getResourceHooks();
  if (hooks)
    registration.setHooks(
      new RegisterResourceRequest.ResourceHooksBinding()
        .setBeforeCreateList(hooks.getBeforeCreateList())
        .setAfterCreateList(hooks.getAfterCreateList())
        .setBeforeUpdateList(hooks.getBeforeUpdateList())
        .setAfterUpdateList(hooks.getAfterUpdateList())
        .setBeforeDeleteList(hooks.getBeforeDeleteList())
        .setAfterDeleteList(hooks.getAfterDeleteList()),
    );
  for (const [name, provider] of request.getProvidersMap().getEntryList())
    registration.getProvidersMap().set(name, provider);
  return registration;
}

interface PartContext extends ConstructDependencies {
  readonly request: proto.ConstructRequest;
  readonly urn: string;
}

async function partRequest(
  kind: string,
  { name, inputs }: ComponentPart,
  { request, urn, kinds, provider }: PartContext,
): Promise<RegisterResourceRequest> {
  const type = pluginType(kind);
  const { outputs } = await definitionOf(kinds, type);
  // A stack keeps its objects when its program had the dynamic resources.
  const ofDynamic = new Alias.Spec().setType(resourceType(kind));
  const registration = new RegisterResourceRequest()
    .setType(type)
    .setName(name)
    .setParent(urn)
    .setCustom(true)
    .setObject(toStruct(inputs))
    .setProvider(request.getProvidersMap().get("devid") ?? provider ?? "")
    .setAliasesList([new Alias().setSpec(ofDynamic)])
    .setAliasspecs(true)
    .setAdditionalsecretoutputsList(fieldsMarked(outputs, "secret"))
    .setAcceptsecrets(true)
    .setAcceptresources(true)
    .setSupportspartialvalues(true)
    .setParentstacktracehandle(request.getStackTraceHandle());
  const all = new Set(request.getDependenciesList());
  for (const input of Object.keys(inputs)) {
    const urns = new Set([
      ...(request.getInputdependenciesMap().get(input)?.getUrnsList() ?? []),
      ...dependenciesOf(inputs[input]),
    ]);
    for (const one of urns) all.add(one);
    registration
      .getPropertydependenciesMap()
      .set(
        input,
        new RegisterResourceRequest.PropertyDependencies().setUrnsList([
          ...urns,
        ]),
      );
  }
  return registration.setDependenciesList([...all]);
}

/**
 * The component's outputs that come from a registered resource. A preview does not know
 * the outputs of a new resource.
 * @throws StatusError if the resource has no such value, for example the token of a
 * recovered key
 */
async function outputsOf(
  kind: string,
  { name, outputs = {}, absences = {} }: ComponentPart,
  registered: RegisterResourceResponse,
  kinds: Kinds,
) {
  const properties = fromStruct(registered.getObject());
  const [id, urn] = [registered.getId(), registered.getUrn()];
  const { outputs: schema } = await definitionOf(kinds, pluginType(kind));
  const valueOf = (property: string) => {
    if (property === "id") return id || UNKNOWN;
    const value = properties[property];
    if (value !== undefined || !id) return value ?? UNKNOWN;
    const reason =
      absences[property] ?? absenceOf(schema, property, properties);
    throw new StatusError(
      status.FAILED_PRECONDITION,
      `${kind} "${name}" has no ${property}: ${reason}`,
    );
  };
  return Object.fromEntries(
    Object.entries(outputs).map(([name, property]) => [
      name,
      { value: valueOf(property), urn },
    ]),
  );
}

/** Why an output of a resource has no value, from its definition. */
function absenceOf(
  schema: z.ZodObject,
  property: string,
  properties: Properties,
): string {
  const field = schema.shape[property] as z.ZodType | undefined;
  const { absence, absenceBy } = field ? fieldMeta(field) : {};
  const by =
    absenceBy && absenceBy.reasons[String(bare(properties[absenceBy.output]))];
  return by ?? absence ?? "nothing has read it.";
}

/** The error of a registration. An engine that stops for another error drops its connections. */
const registrationError = ({ code, details }: ServiceError): Error =>
  new Error(
    code === status.CANCELLED || /is closing|canceled/.test(details)
      ? "The component was not finished: the update ended with another error."
      : details,
  );

/** The part of the engine that takes the resources of one component. */
class Monitor {
  readonly #client: ResourceMonitorClient;

  constructor(address: string) {
    this.#client = new ResourceMonitorClient(
      address,
      credentials.createInsecure(),
      CONNECTION,
    );
  }

  register(
    request: RegisterResourceRequest,
  ): Promise<RegisterResourceResponse> {
    return new Promise((resolve, reject) => {
      this.#client.registerResource(request, (error, response) =>
        error ? reject(registrationError(error)) : resolve(response),
      );
    });
  }

  /**
   * The URNs of the resources in the state of the stack; empty if the engine does not
   * list them.
   */
  urnsInState(request: proto.ConstructRequest): Promise<readonly string[]> {
    const organization = request.getOrganization() || "organization";
    const stackName = `${organization}/${request.getProject()}/${request.getStack()}`;
    const invocation = new ResourceInvokeRequest()
      .setTok("pulumi:pulumi:readStackResourceOutputs")
      .setArgs(toStruct({ stackName }));
    return new Promise((resolve) => {
      this.#client.invoke(invocation, (_, response) => {
        const outputs = response
          ?.getReturn()
          ?.getFieldsMap()
          .get("outputs")
          ?.getStructValue()
          ?.getFieldsMap();
        resolve([...(outputs?.keys() ?? [])]);
      });
    });
  }

  /** Registers the outputs of a component with the engine, which completes the component. */
  finish(urn: string, outputs: Properties): Promise<void> {
    const request = new RegisterResourceOutputsRequest()
      .setUrn(urn)
      .setOutputs(toStruct(outputs));
    return new Promise((resolve, reject) => {
      this.#client.registerResourceOutputs(request, (error) =>
        error ? reject(registrationError(error)) : resolve(),
      );
    });
  }

  close(): void {
    this.#client.close();
  }
}
