import { execFile } from "node:child_process";
import { basename, dirname, posix, resolve } from "node:path";
import { promisify } from "node:util";
import { decodeRuleFile } from "@devid/rules";
import { fileProblem } from "@devid/sdk/errors";
import { readTextFile } from "../rule-files";
import { UsageError } from "../../errors";

/** Bytes of git's output; a rule file is far smaller. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/** Symbolic links that follow one another, as Linux counts them. */
const MOST_LINKS = 40;

/** The git repository that contains a file, read with the `git` command. */
export class GitRepository {
  /** What git has answered to this object; a commit's contents never change. */
  readonly #answers = new Map<string, Promise<Answer>>();

  private constructor(
    /** Path of the file as the user named it; git runs in its folder. */
    readonly path: string,
    /** Path of the file from the root of the repository, with `/`. */
    readonly fileName: string,
  ) {}

  /** @throws UsageError if the file is not in a repository */
  static async around(path: string): Promise<GitRepository> {
    const prefix = await git(path, ["rev-parse", "--show-prefix"]);
    if ("printed" in prefix)
      return new GitRepository(
        path,
        prefix.printed.replace(/\n$/, "") + basename(path),
      );
    throw new UsageError(
      `${path} is not in a git repository that can be read (${prefix.refused}).`,
    );
  }

  /**
   * The repository that contains a file; undefined if none does, or there is no git.
   * @throws UsageError if git refuses to read it
   */
  static async ifAny(path: string): Promise<GitRepository | undefined> {
    try {
      return await GitRepository.around(path);
    } catch (error) {
      if (/not a git repository|ENOENT|ENOTDIR/.test((error as Error).message))
        return undefined;
      throw error;
    }
  }

  /** The commit of a branch, a tag or a commit; undefined if it is unknown. */
  commitOf(ref: string): Promise<string | undefined> {
    // Git would read such a text as an option, and allows no ref of that name.
    if (ref.startsWith("-")) return Promise.resolve(undefined);
    return this.#line("rev-parse", "--verify", "--quiet", `${ref}^{commit}`);
  }

  /**
   * The commit that is checked out; undefined if the file has been edited
   * since.
   */
  async commitOfFile(): Promise<string | undefined> {
    const name = basename(this.path);
    const edited = await this.#line("status", "--porcelain", "--", name);
    return edited === "" ? this.commitOf("HEAD") : undefined;
  }

  /**
   * The commit at which HEAD and another commit branched off; undefined if the
   * clone has none.
   */
  mergeBase(commit: string): Promise<string | undefined> {
    return this.#line("merge-base", "HEAD", commit);
  }

  async isShallow(): Promise<boolean> {
    return (
      (await this.#line("rev-parse", "--is-shallow-repository")) === "true"
    );
  }

  /** Fetches a branch of `origin`, and returns its newest commit. @throws UsageError */
  async fetched(branch: string): Promise<string | undefined> {
    await this.#printed("fetch", "--quiet", "origin", branch);
    return this.commitOf("FETCH_HEAD");
  }

  /**
   * The text of a file at a commit, also behind symbolic links; undefined if there is no
   * file of that name.
   * @throws UsageError if the name belongs to something other than a file
   */
  async textAt(
    commit: string,
    name: string,
    links = 0,
  ): Promise<string | undefined> {
    if (name === "") return undefined;
    const listed = await this.#printed(
      ...["ls-tree", "-z", "--full-tree", commit, "--", name],
    );
    if (listed === "") return undefined;
    const [, mode, object = ""] = /^(\d+) \w+ ([0-9a-f]+)\t/.exec(listed) ?? [];
    const content = () => this.#printed("cat-file", "blob", object);
    if (mode?.startsWith("100")) return content();
    if (mode === "120000" && links < MOST_LINKS) {
      const target = await content();
      const to = posix.join(posix.dirname(name), target);
      if (!posix.isAbsolute(target)) return this.textAt(commit, to, links + 1);
    }
    throw new UsageError(`${name} is not a file at ${commit.slice(0, 10)}.`);
  }

  /** The text of the file in the working tree. */
  currentText(): string {
    return readTextFile(this.path).text;
  }

  /**
   * The name that the file had at a commit, if git thinks that it has been
   * renamed since.
   */
  async renamedFrom(commit: string): Promise<string | undefined> {
    const listed = await this.#printed(
      ...["diff", "--find-renames", "--name-status", "--diff-filter=R"],
      ...["--no-relative", "-z", commit],
    );
    // The output repeats three fields: a status, the old name and the new name.
    const fields = listed.split("\0");
    const at = fields.findIndex(
      (field, index) => index % 3 === 2 && field === this.fileName,
    );
    return at === -1 ? undefined : fields[at - 1];
  }

  /** Runs each git command once. */
  #git(args: readonly string[]): Promise<Answer> {
    const key = JSON.stringify(args);
    const answer = this.#answers.get(key) ?? git(this.path, args);
    this.#answers.set(key, answer);
    return answer;
  }

  /** The line that git prints; undefined if the command fails. */
  async #line(...args: readonly string[]): Promise<string | undefined> {
    const answer = await this.#git(args);
    return "printed" in answer ? answer.printed.trim() : undefined;
  }

  /** The output of a git command that should succeed. @throws UsageError */
  async #printed(...args: readonly string[]): Promise<string> {
    const answer = await this.#git(args);
    if ("printed" in answer) return answer.printed;
    throw new UsageError(
      `git ${args[0]} failed for ${this.path}: ${answer.refused}`,
    );
  }
}

type SpawnError = NodeJS.ErrnoException & { readonly stderr?: Buffer };
type Answer = { readonly printed: string } | { readonly refused: string };

/**
 * Without the first setting, a folder of a pull request could be a repository of its own, with
 * files `HEAD` and `config`, and git runs programs that a config names.
 */
const SAFELY = ["-c", "safe.bareRepository=explicit", "--literal-pathspecs"];

/** Runs git in the folder of a file. */
async function git(path: string, args: readonly string[]): Promise<Answer> {
  // Within a git hook, these variables would point git at the hook's
  // repository.
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...env } = process.env;
  const cwd = dirname(resolve(path));
  try {
    const { stdout } = await promisify(execFile)("git", [...SAFELY, ...args], {
      cwd,
      env: { ...env, LC_ALL: "C" },
      maxBuffer: MAX_OUTPUT,
      encoding: "buffer",
    });
    return { printed: decodeRuleFile(stdout) };
  } catch (error) {
    const { stderr, message, code, syscall } = error as SpawnError;
    if (syscall === "spawn git")
      return {
        refused: `git cannot be started: ${code === "ENOENT" ? `it is not on the PATH, or ${cwd} is not there` : fileProblem(error, "read")}`,
      };
    const said = stderr?.toString() || message;
    // What git advises is on further lines.
    return { refused: said.trim().replace(/\s+/g, " ") };
  }
}
