import { z } from "zod";
import { SURFACES } from "./surface";

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/** What a fault does to a request. */
export const FaultEffect = z.union(
  [
    z.enum(["reset", "hang"]),
    z.strictObject({
      status: z.int().min(200).max(599),
      body: z.unknown().optional(),
      headers: z
        .record(z.string().regex(HEADER_NAME), z.string().regex(HEADER_VALUE))
        .optional(),
    }),
    z.strictObject({ delayMs: z.int().min(0).max(600_000) }),
    z.strictObject({ truncate: z.int().min(0) }),
  ],
  {
    error:
      'must be "reset", "hang", {status, body?, headers?}, {delayMs} or {truncate}',
  },
);

/**
 * A fault, as `POST /_local/faults` takes it: which requests it meets (what is
 * left out meets all; `*` in a path is any run of characters), how often (left
 * out: until forgotten), what happens, and whether the work is done before.
 */
export const Fault = z.strictObject({
  match: z.strictObject({
    surface: z.enum(SURFACES).optional(),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional(),
    path: z.string().regex(/^[/*]/, "must start with / or *").optional(),
  }),
  times: z.int().min(1).optional(),
  then: FaultEffect,
  after: z.boolean().optional(),
});

/** A fault. */
export type Fault = z.output<typeof Fault>;

/** What a fault does to a request. */
export type FaultEffect = z.output<typeof FaultEffect>;

/** The faults that stand, oldest first; the first that matches meets the request. */
export class Faults {
  private standing: { fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.standing.push({ fault, left: fault.times ?? Infinity });
  }

  /** The fault that this request meets. It counts as used from here on, so parallel requests share `times` exactly. */
  take(request: {
    surface: string;
    method: string;
    path: string;
  }): Fault | undefined {
    const found = this.standing.find(({ fault }) => meets(fault, request));
    if (!found) return undefined;
    found.left -= 1;
    if (found.left === 0)
      this.standing = this.standing.filter((entry) => entry !== found);
    return found.fault;
  }

  /** Forgets all faults. */
  reset(): void {
    this.standing = [];
  }
}

function meets(
  { match }: Fault,
  request: { surface: string; method: string; path: string },
): boolean {
  return (
    (match.surface ?? request.surface) === request.surface &&
    (match.method ?? request.method) === request.method &&
    (match.path === undefined || wildcard(match.path).test(request.path))
  );
}

function wildcard(pattern: string): RegExp {
  const literal = pattern
    .split("*")
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${literal.join(".*")}$`);
}
