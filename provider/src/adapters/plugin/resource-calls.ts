import { isDeepStrictEqual } from "node:util";
import { status } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type {
  CheckFailure,
  ResourceDefinition,
} from "../../definition/define-resource";
import { fieldsMarked } from "../../definition/field";
import { containsSecret, type Properties } from "../../definition/value";
import { Lifecycle } from "../../lifecycle/lifecycle";
import type { DiffResponse } from "../../lifecycle/requests";
import type { Kinds } from "../../session/resource-settings";
import type { Session } from "../../session/session";
import {
  PLUGIN_PREFIX,
  pluginType,
  typeOfUrn,
} from "../../definition/engine-names";
import {
  IGNORE_CHANGES,
  REPLACE_ON_CHANGES,
  textsIn,
} from "../../definition/host-protocol";
import { harmlessText } from "@devid/sdk/errors";
import { StatusError } from "./answer";
import { fromStruct, toStruct } from "./property-codec";

/** A request about one resource. */
interface AboutResource {
  getUrn(): string;
  getType(): string;
}

/** Answers the engine's calls about resources with the lifecycle of their kind. */
export class ResourceCalls {
  constructor(
    private readonly kinds: Kinds,
    private readonly session: () => Session,
  ) {}

  async check(request: proto.CheckRequest): Promise<proto.CheckResponse> {
    const definition = await this.#definition(request);
    const news = fromStruct(request.getNews());
    // Of what the classes for TypeScript add, the codec leaves everything out.
    const given = request.getNews()?.toJavaScript() ?? {};
    const olds = fromStruct(request.getOlds());
    const { inputs, failures } = await this.#lifecycle(definition).check({
      urn: request.getUrn(),
      news,
      options: {
        ignoreChanges: textsIn(given, IGNORE_CHANGES),
        replaceOnChanges: textsIn(given, REPLACE_ON_CHANGES),
      },
      // The engine sends an empty object if there are no inputs.
      ...(Object.keys(olds).length > 0 && { olds }),
    });
    const secrets = fieldsMarked(definition.inputs, "secret");
    return new proto.CheckResponse()
      .setInputs(toStruct(inputs))
      .setFailuresList(failures.map((one) => toFailure(one, news, secrets)));
  }

  async diff(request: proto.DiffRequest): Promise<proto.DiffResponse> {
    const urn = request.getUrn();
    const definition = await this.#definition(request);
    const found = this.#lifecycle(definition).diff({
      urn,
      id: request.getId(),
      state: fromStruct(request.getOlds()),
      news: fromStruct(request.getNews()),
      ignoreChanges: request.getIgnorechangesList(),
    });
    const log = this.session().logFor(urn);
    if (found.warning) await log("warning", found.warning);
    if (found.summary) await log("info", found.summary);
    return toDiffResponse(found);
  }

  async create(request: proto.CreateRequest): Promise<proto.CreateResponse> {
    const definition = await this.#definition(request);
    const { id, state } = await this.#lifecycle(definition).create({
      urn: request.getUrn(),
      inputs: fromStruct(request.getProperties()),
      dryRun: request.getPreview(),
    });
    return new proto.CreateResponse().setId(id).setProperties(toStruct(state));
  }

  /** Reads an object. Without a state, as for an import, the inputs are those that a program writes. */
  async read(request: proto.ReadRequest): Promise<proto.ReadResponse> {
    const state = fromStruct(request.getProperties());
    const hasState = Object.keys(state).length > 0;
    const definition = await this.#definition(request);
    const found = await this.#lifecycle(definition).read({
      urn: request.getUrn(),
      id: request.getId(),
      ...(hasState && { state }),
      owns: !isGet(request),
    });
    // An empty ID tells the engine that the object is gone.
    if (!found) return new proto.ReadResponse();
    const inputs = hasState ? found.inputs : found.program;
    return new proto.ReadResponse()
      .setId(request.getId())
      .setProperties(toStruct(found.state))
      .setInputs(inputs && toStruct(inputs));
  }

  async update(request: proto.UpdateRequest): Promise<proto.UpdateResponse> {
    const definition = await this.#definition(request);
    const { state } = await this.#lifecycle(definition).update({
      urn: request.getUrn(),
      id: request.getId(),
      state: fromStruct(request.getOlds()),
      inputs: fromStruct(request.getNews()),
      dryRun: request.getPreview(),
      ignoreChanges: request.getIgnorechangesList(),
    });
    return new proto.UpdateResponse().setProperties(toStruct(state));
  }

  async delete(request: proto.DeleteRequest): Promise<Empty> {
    const definition = await this.#definition(request);
    await this.#lifecycle(definition).delete({
      urn: request.getUrn(),
      id: request.getId(),
      state: fromStruct(request.getProperties()),
    });
    return new Empty();
  }

  #lifecycle(definition: ResourceDefinition): Lifecycle {
    return new Lifecycle(definition, this.session());
  }

  /** The kind that the type of a request names. @throws StatusError listing all types */
  async #definition(request: AboutResource): Promise<ResourceDefinition> {
    const { kinds } = this;
    const type = typeOf(request);
    const kind = type.startsWith(PLUGIN_PREFIX)
      ? type.slice(PLUGIN_PREFIX.length)
      : "";
    const load = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (load) return (await load()) as ResourceDefinition;
    const known = Object.keys(kinds).map(pluginType);
    throw new StatusError(
      status.NOT_FOUND,
      `devid has no resource of the type ${type}; it has ${known.join(", ")}.`,
    );
  }
}

/**
 * Whether a program only reads an object, by `get`. The engine then gives the program's
 * arguments as the inputs and as the state. For an import, it gives no inputs. A state is
 * empty if somebody has removed it.
 */
const isGet = (request: proto.ReadRequest) =>
  request.hasInputs() &&
  isDeepStrictEqual(
    fromStruct(request.getInputs()),
    fromStruct(request.getProperties()),
  );

/** The differences as the engine takes them. */
export function toDiffResponse({
  changes,
  properties,
  places = [],
  replaces,
}: DiffResponse): proto.DiffResponse {
  const response = new proto.DiffResponse()
    .setChanges(
      changes
        ? proto.DiffResponse.DiffChanges.DIFF_SOME
        : proto.DiffResponse.DiffChanges.DIFF_NONE,
    )
    .setReplacesList([...replaces])
    // The engine compares these paths with the option replaceOnChanges, too.
    .setDiffsList([
      ...new Set(properties.map(({ path }) => topOf(path))),
      ...places,
    ])
    .setHasdetaileddiff(true);
  const { Kind } = proto.PropertyDiff;
  for (const { path, kind, replaces } of properties) {
    const name = kind.toUpperCase() as Uppercase<typeof kind>;
    const how = Kind[replaces ? (`${name}_REPLACE` as const) : name];
    const found = new proto.PropertyDiff().setKind(how);
    response.getDetaileddiffMap().set(path, found);
  }
  return response;
}

/**
 * A failure in the engine's form. If a failure names a property, the engine prints the
 * value of that property, too. So the text alone names the property if its value is a
 * secret or longer than a line, or if the failure is about a part of it.
 */
export function toFailure(
  { property, reason }: CheckFailure,
  given: Properties,
  secrets: readonly string[],
): proto.CheckFailure {
  const value = given[property];
  const isShown =
    property === topOf(property) &&
    !secrets.includes(property) &&
    !containsSecret(value) &&
    (typeof value !== "object" || value === null);
  const [named, text] =
    isShown || property === ""
      ? [property, reason]
      : ["", `${property}: ${reason}`];
  return new proto.CheckFailure()
    .setProperty(named)
    .setReason(harmlessText(text));
}

/** The first name of a path: `rules` of `rules["shop"].expression`. */
const topOf = (path: string) => path.split(/[.[]/)[0] ?? path;

/** The type of a resource. Older engines give it only in the URN. */
function typeOf(request: AboutResource): string {
  if (request.getType() !== "") return request.getType();
  return typeOfUrn(request.getUrn());
}
