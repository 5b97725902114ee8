import { UsageError } from "../../errors";
import type { GitRepository } from "./git-repository";

/** A version of a rule file in git, to compare another version with. */
export interface GitBase {
  /** Name of the version: `origin/main at 1a2b3c4d5e`. */
  readonly name: string;
  /** Path of the file in that version. */
  readonly path: string;
  /** Undefined if the file does not exist there. */
  readonly text: string | undefined;
  /** What is unusual about the version. */
  readonly note?: string;
}

/** Variables in which a pipeline names the target branch of a change. */
const TARGET_BRANCH = [
  "GITHUB_BASE_REF",
  "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
] as const;

/** Possible names of the main branch; the first one that exists is used. */
const MAIN_BRANCHES = [
  "origin/HEAD",
  "origin/main",
  "origin/master",
  "main",
  "master",
] as const;

/**
 * Reads a file at the commit where HEAD branched off from a ref, under the name
 * that it had there. For `REF:PATH`, reads exactly that file. The default ref
 * is the target branch of the change.
 * @throws UsageError for an unknown ref, or one without common history with
 * HEAD; without a ref, if there is no other branch, or if HEAD has nothing new
 */
export async function gitBase(
  repository: GitRepository,
  source: string | undefined,
): Promise<GitBase> {
  const [named, ...rest] = source?.split(":") ?? [];
  const ref = named ?? (await targetBranch(repository));
  const commit = await repository.commitOf(ref);
  const { fileName } = repository;
  if (commit === undefined) {
    const isName = ref !== "" && !ref.startsWith("-");
    const branch = isName ? ref.replace(/^origin\//, "") : "BRANCH";
    throw new UsageError(
      `"${source ?? ref}" is neither a file nor a git ref of the repository of ${repository.path}. In a pipeline, a ref may have to be fetched first: git fetch origin ${branch}`,
    );
  }
  if (rest.length > 0) {
    const path = rest.join(":");
    const text = await repository.textAt(commit, path);
    if (text !== undefined)
      return { name: `${path} of ${at(ref, commit)}`, path, text };
    throw new UsageError(
      `There is no file "${path}" at ${ref}. In REF:PATH, the path begins at the repository's root: ${ref}:${fileName}`,
    );
  }
  if (source === undefined && (await isWithin(repository, commit)))
    throw new UsageError(
      `There is nothing to compare: HEAD has no commit that ${ref} does not have, and ${fileName} is as it is there. Name another base: live for the rules in force, or a git ref for another version.`,
    );
  return mergeBase(repository, ref, commit);
}

async function targetBranch(repository: GitRepository): Promise<string> {
  for (const variable of TARGET_BRANCH) {
    const branch = process.env[variable];
    // If the pipeline names a branch, no other branch may replace it.
    if (branch) return `origin/${branch}`;
  }
  for (const ref of MAIN_BRANCHES)
    if ((await repository.commitOf(ref)) !== undefined) return ref;
  throw new UsageError(
    `The repository of ${repository.fileName} has none of ${MAIN_BRANCHES.join(", ")}. Name the base to compare with: a git ref, or live for the rules in force.`,
  );
}

/**
 * Whether a commit contains all commits of HEAD, and the file has no
 * uncommitted edits.
 */
async function isWithin(
  repository: GitRepository,
  commit: string,
): Promise<boolean> {
  const head = await repository.commitOf("HEAD");
  if (head === undefined || (await repository.mergeBase(commit)) !== head)
    return false;
  const committed = await repository.textAt(head, repository.fileName);
  const current = repository.currentText();
  // A checkout on Windows may turn the ends of lines.
  return (
    committed?.replaceAll("\r\n", "\n") === current.replaceAll("\r\n", "\n")
  );
}

async function mergeBase(
  repository: GitRepository,
  ref: string,
  tip: string,
): Promise<GitBase> {
  const { fileName } = repository;
  const commit = await repository.mergeBase(tip);
  if (commit === undefined) {
    const missing = `${ref} and HEAD have no commit in common`;
    throw new UsageError(
      (await repository.isShallow())
        ? `${missing}, because this clone holds only a part of the history. Fetch all of it: git fetch --unshallow, or in a pipeline fetch-depth: 0 (GitHub) or GIT_DEPTH: 0 (GitLab).`
        : `${missing}, so there is no version of ${fileName} that both come from. Name one as the base: ${ref}:${fileName}`,
    );
  }
  const name = at(ref, commit);
  const text = await repository.textAt(commit, fileName);
  if (text !== undefined) return { name, path: fileName, text };
  const path = await repository.renamedFrom(commit);
  return path === undefined
    ? { name, path: fileName, text }
    : {
        name,
        path,
        text: await repository.textAt(commit, path),
        note: `renamed from ${path}`,
      };
}

const at = (ref: string, commit: string) => `${ref} at ${commit.slice(0, 10)}`;
