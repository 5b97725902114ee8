import { InvalidInputError } from "@devid/sdk";
import { status } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import {
  callFunction,
  type FunctionDefinition,
} from "../../definition/define-function";
import { bareProperties, Secret } from "../../definition/value";
import * as functions from "../../functions";
import { redactorOf } from "../../definition/redactor-of";
import { toState } from "../../lifecycle/state";
import type { Session } from "../../session/session";
import { pluginType } from "../../definition/engine-names";
import { StatusError } from "./answer";
import { fromStruct, toStruct } from "./property-codec";
import { toFailure } from "./resource-calls";

/** Answers the engine's calls of data sources. */
export class FunctionCalls {
  constructor(private readonly session: () => Session) {}

  /**
   * Calls a data source. If an argument is secret, the answer is secret, and errors do
   * not show the argument.
   */
  async invoke(request: proto.InvokeRequest): Promise<proto.InvokeResponse> {
    const definition = functionOf(request.getTok());
    const { client, signal } = this.session();
    const given = fromStruct(request.getArgs());
    const { values: args, secrets } = bareProperties(given);
    try {
      const found = await callFunction(definition, { client, args, signal });
      const result = Object.entries(toState(found as object)).map(
        ([name, value]) =>
          [name, secrets.size > 0 ? new Secret(value) : value] as const,
      );
      return new proto.InvokeResponse().setReturn(
        toStruct(Object.fromEntries(result)),
      );
    } catch (error) {
      if (error instanceof InvalidInputError)
        return new proto.InvokeResponse().setFailuresList(
          error.violations.map(({ property, message: reason }) =>
            toFailure({ property, reason }, given, []),
          ),
        );
      if (error instanceof Error)
        error.message = redactorOf([args], secrets)(error.message);
      throw error;
    }
  }
}

/** The data source that a token names. @throws StatusError listing all tokens */
function functionOf(token: string): FunctionDefinition {
  const known = Object.values<FunctionDefinition>(functions);
  const found = known.find(({ name }) => token === pluginType(name));
  if (found) return found;
  const tokens = known.map(({ name }) => pluginType(name));
  throw new StatusError(
    status.NOT_FOUND,
    `devid has no data source ${token}; it has ${tokens.join(", ")}.`,
  );
}
