import type { FastifyRequest } from "fastify";
import type { Operation } from "./operation";

/** The parts of the service that faults and the request log tell apart. */
export const SURFACES = ["management", "other"] as const;

/** A part of the service, as faults and the request log name it. */
export type SurfaceName = (typeof SURFACES)[number];

/** A group of operations under one prefix, with what a request has to pass first. */
export interface Surface {
  /** `control` stands outside the log and is safe from faults. */
  readonly name: SurfaceName | "control";
  readonly prefix: string;
  readonly operations: readonly Operation[];
  /** Refuses a request by throwing AnswerError: who calls, how often, which version. */
  readonly guard: (request: FastifyRequest) => void;
  /** Statuses of errors that every operation has. */
  readonly errors: readonly number[];
  /** Value of the `X-API-Version` header that every call carries. */
  readonly apiVersion?: string;
}

/** Which part of the service a path belongs to. */
export function surfaceOf(
  path: string,
  surfaces: readonly Surface[],
): Surface["name"] {
  const found = surfaces.find(
    ({ prefix }) => path === prefix || path.startsWith(`${prefix}/`),
  );
  return found?.name ?? "other";
}
