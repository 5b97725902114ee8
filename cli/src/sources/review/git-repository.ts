import { execFile } from "node:child_process";
import { basename, dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { readTextFile } from "../rule-files";
import { UsageError } from "../../errors";

/** In bytes, of what git prints: a rule file is far from it. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/** The git repository that a file lies in, looked at with the `git` command. */
export class GitRepository {
  private constructor(
    /** The file as it was named; git runs in its folder. */
    readonly path: string,
    /** What the file is called in its repository: from the root and with `/`. */
    readonly fileName: string,
  ) {}

  /** @throws UsageError when the file lies in no repository */
  static async around(path: string): Promise<GitRepository> {
    const prefix = await git(path, ["rev-parse", "--show-prefix"]);
    if ("printed" in prefix)
      return new GitRepository(
        path,
        prefix.printed.replace(/\n$/, "") + basename(path),
      );
    throw new UsageError(
      `${path} is in no git repository (${prefix.refused}).`,
    );
  }

  /** The commit of a branch, a tag or a commit; undefined when it is not known. */
  commitOf(ref: string): Promise<string | undefined> {
    // Git takes what begins so for an option, and allows no ref of such a name.
    if (ref.startsWith("-")) return Promise.resolve(undefined);
    return this.#line("rev-parse", "--verify", "--quiet", `${ref}^{commit}`);
  }

  /** The commit that is checked out, where it has the file as it is now; an edited file is of none. */
  async commitOfFile(): Promise<string | undefined> {
    const name = basename(this.path);
    const edited = await this.#line("status", "--porcelain", "--", name);
    return edited === "" ? this.commitOf("HEAD") : undefined;
  }

  /** The commit at which HEAD and another one parted; undefined when the clone has none. */
  mergeBase(commit: string): Promise<string | undefined> {
    return this.#line("merge-base", "HEAD", commit);
  }

  /** Whether the clone holds only a part of the history. */
  async isShallow(): Promise<boolean> {
    return (
      (await this.#line("rev-parse", "--is-shallow-repository")) === "true"
    );
  }

  /**
   * The text of a file at a commit; undefined where there is none of that name.
   * @throws UsageError when something else than a file has that name there
   */
  async textAt(commit: string, name: string): Promise<string | undefined> {
    const listed = await this.#printed(
      ...["ls-tree", "-z", "--full-tree", commit, "--", name],
    );
    if (listed === "") return undefined;
    const [, mode, object = ""] = /^(\d+) \w+ ([0-9a-f]+)\t/.exec(listed) ?? [];
    if (mode?.startsWith("100"))
      return this.#printed("cat-file", "blob", object);
    throw new UsageError(
      `${name} is at ${commit.slice(0, 10)} something else than a file.`,
    );
  }

  /** The text of the file as it is now. */
  async currentText(): Promise<string> {
    return (await readTextFile(this.path)).text;
  }

  /** What git takes the file to have been called at a commit, where it has been renamed since. */
  async renamedFrom(commit: string): Promise<string | undefined> {
    const listed = await this.#printed(
      ...["diff", "--find-renames", "--name-status", "--diff-filter=R"],
      ...["--no-relative", "-z", commit],
    );
    // A status, the old name and the new one, again and again.
    const fields = listed.split("\0");
    const at = fields.findIndex(
      (field, index) => index % 3 === 2 && field === this.fileName,
    );
    return at === -1 ? undefined : fields[at - 1];
  }

  /** One line that git prints; undefined where it refuses. */
  async #line(...args: readonly string[]): Promise<string | undefined> {
    const answer = await git(this.path, args);
    return "printed" in answer ? answer.printed.trim() : undefined;
  }

  /** What git prints when nothing should be in its way. @throws UsageError */
  async #printed(...args: readonly string[]): Promise<string> {
    const answer = await git(this.path, args);
    if ("printed" in answer) return answer.printed;
    throw new UsageError(
      `git ${args[0]} failed for ${this.path}: ${answer.refused}`,
    );
  }
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
