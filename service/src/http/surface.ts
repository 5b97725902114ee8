import { REGIONS } from "@devid/sdk/wire";
import type { FastifyRequest } from "fastify";
import type { AnswerError, ErrorFormat, Violation } from "./answer-error";
import type { Operation } from "./operation";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The surface of the route; undefined for a route without a surface, such as
     * `/openapi.json`.
     */
    surface?: RouteSurface;
  }
}

/**
 * The surfaces that faults and the request log know; `other` stands for every
 * path that belongs to none. Requests of a surface with another name are left
 * out of both.
 */
export const SURFACES = [
  "management",
  "events",
  "legacy",
  "drn",
  "agent",
  "other",
] as const;

/** Lets a web page of any origin read an answer. */
export const PAGE_HEADERS = { "access-control-allow-origin": "*" };

/** The surface of a route, in its Fastify config. */
interface RouteSurface {
  /** One of `SURFACES`, unless its requests are to be left out of faults and the request log. */
  readonly name: string;
  readonly errorFormat: ErrorFormat;
  /** Whether a body is read as JSON whatever its content type says. */
  readonly takesAnyType?: boolean;
  /** Whether web pages of any origin may call; every answer then carries `PAGE_HEADERS`. */
  readonly takesPages?: boolean;
  /** Finds the key of a call that does not carry it as a bearer token. */
  readonly tokenOf?: (request: FastifyRequest) => string | undefined;
}

/** A group of operations under one path prefix, with the checks that every request has to pass first. */
export interface Surface extends RouteSurface {
  /** The path that all of them start with; `:region` stands for one of the regions. */
  readonly prefix: string;
  readonly operations: readonly Operation[];
  /** Refuses a request by throwing AnswerError: it checks who calls, how often, and which version is asked for. */
  readonly guard: (request: FastifyRequest) => void;
  /** Turns violations into an error. Default: the error of the management API. */
  readonly refuse?: (violations: readonly Violation[]) => AnswerError;
  /** Statuses of errors that every operation may answer. */
  readonly errors: readonly number[];
  readonly takesKey: boolean;
  /** Whether the service calls all its operations deprecated. */
  readonly isDeprecated?: boolean;
  /** Headers of every answer of the surface, errors included. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The `X-API-Version` header that every call has to carry. */
  readonly apiVersion?: string;
  /** A version before it, whose filtering rules had another form. */
  readonly oldVersion?: string;
}

/** A path for the router. Its `:region` matches only the names of regions. */
export function routePath(path: string): string {
  return path.replace(":region", `:region(^(?:${REGIONS.join("|")})$)`);
}

/** What matches a path of a request that the router would find by `path`. */
export function pathPattern(path: string): RegExp {
  const pattern = path.replace(/:(\w+)/g, (_, name) =>
    name === "region" ? `(?:${REGIONS.join("|")})` : "[^/]*",
  );
  return new RegExp(`^${pattern}$`);
}
