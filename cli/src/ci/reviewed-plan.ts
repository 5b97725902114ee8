import { createHash } from "node:crypto";
import { rulesDigest, type Rule } from "@devid/rules";
import { z } from "zod";
import { parsedJson, UsageError } from "../errors";
import { MOST_PLAN_BYTES, type PlanRecord } from "./plan-record";
import type { PlannedDigests } from "./fit-expected-in-force";
import { scopeOf, type Subject } from "./subject";

/** A rule that was in force; its action and status may be newer than this devid. */
const RuleInForce = z.looseObject({
  name: z.string(),
  expression: z.string(),
  action: z.string(),
  status: z.string(),
  denyWith: z.string().optional(),
});

const Content = z.strictObject({
  version: z.literal(1),
  file: z.string(),
  scope: z.strictObject({
    stack: z.string(),
    environment: z.string().optional(),
  }),
  commit: z.string(),
  /** The rules that the change was reviewed against. */
  rulesInForce: z.array(RuleInForce),
  digests: z.record(z.string(), z.string()),
  /** The file of `pulumi preview --save-plan`; secrets in it are encrypted. */
  plan: z.string(),
});

/** A plan that was reviewed, and the rules that it was reviewed against. */
export interface ReviewedPlan {
  readonly commit: string;
  readonly rulesInForce: readonly Rule[];
  readonly digests: PlannedDigests;
  /** The text of the file of `pulumi preview --save-plan`. */
  readonly plan: string;
}

/** The file that keeps a plan, and the digest of the file. */
export function packPlan(
  subject: Subject,
  { commit, rulesInForce, digests, plan }: ReviewedPlan,
): { readonly bytes: Buffer; readonly digest: string } {
  const { file } = subject;
  const content: z.input<typeof Content> = {
    ...{ version: 1, file, scope: scopeOf(subject), commit },
    ...{ rulesInForce: [...rulesInForce], digests, plan },
  };
  const bytes = Buffer.from(JSON.stringify(content));
  if (bytes.length > MOST_PLAN_BYTES)
    throw new UsageError(
      `The plan of ${file} cannot be kept: it has ${bytes.length} bytes, and an apply takes at most ${MOST_PLAN_BYTES}.`,
    );
  return { bytes, digest: digestOf(bytes) };
}

/**
 * Reads a file that keeps a plan.
 * @throws UsageError if it is not the file that was recorded, or is of another subject
 */
export function unpackPlan(
  bytes: Uint8Array,
  subject: Subject,
  record: PlanRecord,
): ReviewedPlan {
  const refuse = (why: string) =>
    new UsageError(`The plan that run ${record.run} kept is refused: ${why}.`);
  const digest = digestOf(bytes);
  if (digest !== record.digest)
    throw refuse(
      `its digest is ${digest}, and the review recorded ${record.digest}`,
    );
  const content = Content.safeParse(
    parsedJson(Buffer.from(bytes).toString()),
  ).data;
  if (content === undefined) throw refuse("it is of another version of devid");
  const { file, scope, commit, rulesInForce, digests, plan } = content;
  const own = scopeOf(subject);
  if (
    file !== subject.file ||
    scope.stack !== own.stack ||
    scope.environment !== own.environment
  )
    throw refuse(
      `it is of ${file}, stack ${scope.stack}, and not of ${subject.file}, stack ${own.stack}`,
    );
  if (commit !== record.commit) throw refuse(`it is of commit ${commit}`);
  return {
    ...{ commit, digests, plan },
    rulesInForce: rulesInForce as unknown as Rule[],
  };
}

/** The digest of the rules that a plan was reviewed against. */
export const expectedInForce = ({ rulesInForce }: ReviewedPlan): string =>
  rulesDigest(rulesInForce);

const digestOf = (bytes: Uint8Array) =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
