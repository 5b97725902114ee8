import { REGIONS } from "@devid/sdk/regions";
import type { FastifyRequest } from "fastify";
import type { ErrorFormat } from "./answer-error";
import type { Operation } from "./operation";

/** The parts of the service that faults and the request log tell apart. */
export const SURFACES = [
  "management",
  "events",
  "legacy",
  "drn",
  "agent",
  "other",
] as const;

/** A part of the service, as faults and the request log name it. */
export type SurfaceName = (typeof SURFACES)[number];

/** A group of operations under one prefix, with what a request has to pass first. */
export interface Surface {
  /** `control` stands outside the log and is safe from faults. */
  readonly name: SurfaceName | "control";
  /** Where its paths start; `:region` stands for one of the regions. */
  readonly prefix: string;
  readonly operations: readonly Operation[];
  /** Refuses a request by throwing AnswerError: who calls, how often, which version. */
  readonly guard: (request: FastifyRequest) => void;
  /** Statuses of errors that every operation has. */
  readonly errors: readonly number[];
  readonly errorFormat: ErrorFormat;
  /** Whether calls carry a key. */
  readonly takesKey: boolean;
  /** Where calls carry it, when not as bearer token. */
  readonly tokenOf?: (request: FastifyRequest) => string | undefined;
  /** Whether pages of any origin may call, as the header `Access-Control-Allow-Origin` then tells. */
  readonly takesPages?: boolean;
  /** Sent with every answer of the surface, errors too. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Value of the `X-API-Version` header that every call carries. */
  readonly apiVersion?: string;
}

/** Which part of the service a path belongs to, if any. */
export function surfaceOf(
  path: string,
  surfaces: readonly Surface[],
): Surface | undefined {
  const parts = path.split("/");
  return surfaces.find(({ prefix }) =>
    prefix
      .split("/")
      .every((part, i) =>
        part === ":region"
          ? REGIONS.some((region) => region === parts[i])
          : part === parts[i],
      ),
  );
}
