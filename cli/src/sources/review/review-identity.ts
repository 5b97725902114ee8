import { normalize } from "node:path";
import { previewedStack } from "@devid/pulumi/state";
import type { ReviewSubject } from "@devid/review";
import { readOutput } from "../rule-files";
import { GitRepository } from "./git-repository";
import type { ReviewRequest } from "./review-flags";

/** Identifies what a report is about, even if there is no review. */
export type ReviewIdentity = Required<
  Pick<ReviewSubject, "path" | "purpose" | "scope">
> &
  Pick<ReviewSubject, "commit">;

/**
 * Identifies what a report is about: the file in its repository, the commit,
 * and the environment and the stack as the user named them.
 */
export async function reviewIdentity(
  request: ReviewRequest,
): Promise<ReviewIdentity> {
  const { path, environment, recover } = request;
  const stack = request.stack ?? stackOfPlan(request);
  const repository = await GitRepository.ifAny(path);
  const commit = request.commit ?? (await repository?.commitOfFile());
  return {
    path: repository?.fileName ?? normalize(path),
    purpose: recover ? "recovery" : "change",
    commit,
    scope: { environment, stack },
  };
}

function stackOfPlan({ plan }: ReviewRequest): string | undefined {
  try {
    return plan && previewedStack(readOutput(plan));
  } catch {
    return undefined;
  }
}
