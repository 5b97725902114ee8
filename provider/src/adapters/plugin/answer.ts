import { DevidError } from "@devid/sdk/errors";
import {
  Metadata,
  status,
  type handleUnaryCall,
  type StatusObject,
} from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { IncompleteError } from "../../definition/errors";
import { LARGEST_TRAILERS, shortened, withoutItsState } from "../error-limits";
import { toStruct } from "./property-codec";

/** A call that fails with another gRPC status than UNKNOWN. */
export class StatusError extends DevidError {
  override readonly name = "StatusError";

  constructor(
    readonly code: status,
    message: string,
  ) {
    super(message);
  }
}

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

/** Makes a gRPC handler of a function that returns an answer, or throws. */
export function answer<Request, Response>(
  work: (request: Request) => Response | Promise<Response>,
  redact: Redact,
): handleUnaryCall<Request, Response> {
  return (call, done) => {
    Promise.resolve()
      .then(() => work(call.request))
      .then(
        (response) => done(null, response),
        (error: unknown) => done(toStatus(error, redact)),
      );
  };
}

/**
 * Converts an error to the engine's form. An IncompleteError carries the object's ID
 * and state, which the engine keeps. A state that is too large for the trailers is left
 * out, and the message says so.
 */
export function toStatus(
  error: unknown,
  redact: Redact,
): Partial<StatusObject> {
  const code = error instanceof StatusError ? error.code : status.UNKNOWN;
  const details = shortened(
    redact(error instanceof Error ? error.message : String(error)),
  );
  if (!(error instanceof IncompleteError)) return { code, details };
  const failed = new ErrorResourceInitFailed()
    .setId(error.id)
    .setProperties(toStruct({ ...error.outputs }))
    .setReasonsList([details]);
  const packed = packedStatus(code, details, failed);
  if (trailersOf(details, packed) > LARGEST_TRAILERS)
    return { code, details: withoutItsState(details) };
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", packed);
  return { code, details, metadata };
}

function packedStatus(
  code: status,
  message: string,
  failed: ErrorResourceInitFailed,
): Buffer {
  const any = new Any();
  any.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const whole = new Status()
    .setCode(code)
    .setMessage(message)
    .setDetailsList([any]);
  return Buffer.from(whole.serializeBinary());
}

/** An upper bound: the message with every byte escaped, and the details in base64. */
const trailersOf = (message: string, packed: Buffer) =>
  3 * Buffer.byteLength(message) + (4 / 3) * packed.length;
