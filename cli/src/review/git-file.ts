import { execFile } from "node:child_process";
import { basename, dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { UsageError } from "../usage-error";

/** In bytes, of what git prints: a rule file is far from it. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/** What a file is called in its git repository, from the root and with `/`; undefined where there is none. */
export async function pathInRepository(
  path: string,
): Promise<string | undefined> {
  const prefix = await git(path, ["rev-parse", "--show-prefix"]);
  return "printed" in prefix ? nameBehind(prefix.printed, path) : undefined;
}

/**
 * What a file holds at a git ref: a branch, a tag or a commit of the repository
 * that it lies in.
 * @returns undefined where the ref has no such file
 * @throws UsageError when it lies in no repository, or the ref is not known there
 */
export async function fileAtRef(
  path: string,
  ref: string,
): Promise<string | undefined> {
  const prefix = await git(path, ["rev-parse", "--show-prefix"]);
  if (!("printed" in prefix))
    throw new UsageError(
      `"${ref}" is no file, and as a git ref it cannot be looked up: ${path} is in no git repository (${prefix.refused}).`,
    );
  const commit = await commitOf(path, ref);
  const name = nameBehind(prefix.printed, path);
  const listed = await printed(path, [
    "ls-tree",
    "-z",
    "--full-tree",
    commit,
    "--",
    name,
  ]);
  if (listed === "") return undefined;
  const [, mode, object = ""] = /^(\d+) \w+ ([0-9a-f]+)\t/.exec(listed) ?? [];
  if (!mode?.startsWith("100"))
    throw new UsageError(`${name} is at ${ref} something else than a file.`);
  return printed(path, ["cat-file", "blob", object]);
}

async function commitOf(path: string, ref: string): Promise<string> {
  // Git takes what begins so for an option, and allows no ref of such a name.
  const isOption = ref.startsWith("-");
  const commit = `${ref}^{commit}`;
  const found = isOption
    ? undefined
    : await git(path, ["rev-parse", "--verify", "--quiet", commit]);
  if (found && "printed" in found) return found.printed.trim();
  const branch = isOption ? "BRANCH" : ref.replace(/^origin\//, "");
  throw new UsageError(
    `"${ref}" is neither a file nor a git ref of the repository of ${path}. In a pipeline, a ref may have to be fetched first: git fetch origin ${branch}`,
  );
}

const nameBehind = (prefix: string, path: string) =>
  prefix.replace(/\n$/, "") + basename(path);

/** What git prints when nothing should be in its way. @throws UsageError */
async function printed(path: string, args: readonly string[]): Promise<string> {
  const answer = await git(path, args);
  if ("printed" in answer) return answer.printed;
  throw new UsageError(`git ${args[0]} failed for ${path}: ${answer.refused}`);
}

/** Runs git in the folder of a file. */
async function git(
  path: string,
  args: readonly string[],
): Promise<{ readonly printed: string } | { readonly refused: string }> {
  // A git hook's own variables name the repository that the hook runs in.
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...env } = process.env;
  try {
    const { stdout } = await promisify(execFile)(
      "git",
      ["--literal-pathspecs", ...args],
      { cwd: dirname(resolve(path)), env, maxBuffer: MAX_OUTPUT },
    );
    return { printed: stdout };
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    const [reason = ""] = (stderr || message).split("\n");
    return { refused: reason };
  }
}
