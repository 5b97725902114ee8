import { createHash } from "node:crypto";
import { normalize } from "node:path";
import { scopeMarker } from "@devid/review";
import { GitRepository } from "../sources/review/git-repository";
import type { PlanPlace } from "./code-host";
import { PLAN_FILE } from "./plan-record";

/** What a pipeline deploys: a rule file, and the stack that puts it into force. */
export interface Subject {
  /** Path of the rule file, as the user named it. */
  readonly path: string;
  /** Path of the rule file in its repository. */
  readonly file: string;
  readonly stack: string;
  /** ID or name; absent for the default environment. */
  readonly environment?: string;
  /** Path in the repository at which the program's folder keeps the reviewed plan. */
  readonly planPath: string;
}

/** The kinds of comments and issues, by their hidden first lines. */
export type MarkerKind =
  | "devid-review"
  | "devid-recovery"
  | "devid-apply"
  | "devid-drift";

/** Finds out the path of a rule file in its repository. */
export async function subjectOf(
  path: string,
  scope: Pick<Subject, "stack" | "environment">,
): Promise<Subject> {
  const pathInRepository = async (name: string) =>
    (await GitRepository.ifAny(name))?.fileName ?? normalize(name);
  return {
    path,
    file: await pathInRepository(path),
    planPath: await pathInRepository(PLAN_FILE),
    ...scope,
  };
}

/**
 * The hidden first line of a comment or an issue, which identifies it. Each rule file,
 * environment and stack has its own.
 */
export const markerOf = (kind: MarkerKind, subject: Subject): string =>
  scopeMarker(kind, { file: subject.file, scope: scopeOf(subject) });

export const scopeOf = ({ stack, environment }: Subject) => ({
  stack,
  environment,
});

/** Where a run keeps the reviewed plan of a subject. */
export function planPlaceOf(subject: Subject): PlanPlace {
  const digest = createHash("sha256")
    .update(markerOf("devid-review", subject))
    .digest("hex");
  const readable = subject.stack.replace(/[^\w-]+/g, "-").slice(-40);
  return {
    artifact: `plan-${readable}-${digest.slice(0, 8)}`,
    path: subject.planPath,
  };
}
